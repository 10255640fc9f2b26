--[[
cancel_spec.lua - a pipeline of tasks that is cancelled at each of its steps in
turn, as allocations fail in turn elsewhere: wherever that is, the others may
go on or end, and nothing is lost, held or half done.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local PARTS <const>, N <const> = 3, 1000

helper.each_device(function ()

--- Calls the functions when the scope ends, the last first.
local function at_end (...)
  local list = { ... }
  return setmetatable({}, { __close = function ()
    for i = #list, 1, -1 do list[i]() end
  end })
end

--- Reads parts of a file, works on them and looks at the results: three tasks
-- with a queue between each two, which call step() between any two operations.
-- Counts in world.open what each has open, in world.done the parts.
local function start (world, step)
  local read, worked = tide.queue(1), tide.queue(1)
  local function opens ()
    world.open = world.open + 1
    return at_end(function () world.open = world.open - 1 end)
  end
  local function reader ()
    local _ <close> = opens()
    local file <close> = tide.open(world.path)
    for k = 1, PARTS do
      step()
      local h = tide.HostArray(N, "float32")
      step()
      file:read(h, (k - 1) * h.nbytes)
      step()
      read:put(h)
    end
    read:close()
  end
  local function worker ()
    local _ <close> = opens()
    for h in read do
      step()
      local x <close> = tide.array(h)
      step()
      local y <close> = x * 2 + 1
      step()
      worked:put(y:tohost{ out = h, blocking = false })
    end
    worked:close()
  end
  local function looker ()
    local _ <close> = opens()
    for h in worked do
      step()
      h:await()
      step()
      world.done = world.done + 1
      assert(h[1] == 2 * world.done + 1 and h[N] == h[1])
      h:close()
    end
  end
  return { tide.spawn(reader), tide.spawn(worker), tide.spawn(looker) }
end

local function new_world ()
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "wb"))
  for k = 1, PARTS do
    file:write(tide.full(N, k, "float32"):tobytes())
  end
  return { path = path, open = 0, done = 0 }
end

--- Runs the pipeline; a task that comes to step n waits there and is cancelled,
-- then the others, 'first' to last or backwards -> was there such a step?
local function cancel_at (world, n, backwards)
  local steps, here, never = 0, tide.queue(), tide.queue()
  world.done = 0
  tide.run(function ()
    local tasks = start(world, function ()
      steps = steps + 1
      if steps == n then
        here:put(true)
        never:get()
      end
    end)
    local watch = tide.spawn(function ()
      for i = 1, 3 do tasks[i]:await() end
      here:close()
    end)
    if not here:get() then return end
    watch:cancel()
    for i = 1, 3 do
      local task = tasks[backwards and 4 - i or i]
      task:cancel()
      assert.is_false(task:cancel())
    end
    assert.equal(0, world.open)
  end)
  return steps >= n
end

describe("a pipeline that is cancelled", function ()
  it("leaves nothing, whatever its step", function ()
    for _, backwards in ipairs{ false, true } do
      local world, n = new_world(), 1
      while cancel_at(world, n, backwards) do n = n + 1 end
      assert.equal(PARTS, world.done)
      assert.is_true(n > 8 * PARTS)
      assert.equal(0, world.open)
      os.remove(world.path)
    end
  end)
end)

end)
