--[[
A hook may raise anywhere, also in Lua code of tide's own. In the heap of timers
it left one that never went: the run spun for ever. A task that spawn had made
ready and not linked yet ended the whole run, whose scopes were not left; one
that cancel had closed was waited for, for ever; what had waited for a task woke
its own in another wait, so that q:get() of an open queue gave nil.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local STEPS <const> = 260  -- instructions; more than any of the calls has

--- Calls fn(), after so many instructions of which a hook raises -> did it
-- return?
local function hooked (steps, fn)
  local co = coroutine.running()
  debug.sethook(co, function ()
    debug.sethook(co)
    error("too long", 0)
  end, "", steps)
  local ok = pcall(fn)
  debug.sethook(co)
  return ok
end

--- A run, with three that sleep and close what they have opened, where call(t)
-- of one of them, which another one waits for, is ended by a hook; after(t), if
-- there is such a function, comes next. Or the hook was so early or late that
-- it raised here.
local function each (call, after)
  local ended = 0
  for steps = 1, STEPS do
    local opened, closed, left = 0, 0, false
    local function open ()
      opened = opened + 1
      return setmetatable({}, { __close = function () closed = closed + 1 end })
    end
    local function sleeper (seconds)
      debug.sethook()
      local _ <close> = open()
      tide.sleep(seconds)
      return "slept"
    end
    local ok, err = pcall(tide.run, function ()
      local _ <close> = open()
      local tasks = {}
      for i = 1, 3 do tasks[i] = tide.spawn(sleeper, 0.0002 * i) end
      local waiter = tide.spawn(function ()
        debug.sethook()
        pcall(tasks[2].await, tasks[2])
        return "told"
      end)
      tide.sleep(0)
      if not hooked(steps, function () call(tasks[2]) end) then
        ended = ended + 1
      end
      for i = 1, 3, 2 do assert.equal("slept", tasks[i]:await()) end
      if after then after(tasks[2]) end
      assert.equal("told", waiter:await())
      left = true
    end)
    assert.is_true(ok and left or not not err:find "^too long", err)
    assert.equal(opened, closed)
  end
  assert.is_true(ended > 20)
end

helper.each_device(function ()

describe("what a hook ends", function ()
  it("is a sleep, and no other", function ()
    each(function () tide.sleep(0.0001) end)
  end)

  it("is a wait for a task, and no later one", function ()
    each(function (task) task:await() end, function ()
      local q = tide.queue()
      tide.spawn(function ()
        tide.sleep(0.0001)
        q:put "value"
      end)
      assert.equal("value", q:get())
    end)
  end)

  it("is a wait with an end, and no timer stays", function ()
    each(function (task) task:await(0.0001) end, function (task)
      assert.equal("slept", task:await(10))
    end)
  end)

  it("is a spawn, and not the run", function ()
    each(function () tide.spawn(function () debug.sethook() end) end)
  end)

  it("is a cancel, which can be called again", function ()
    each(function (task) task:cancel() end, function (task)
      task:cancel()
      assert.is_false(task:cancel())
    end)
    each(function (task) task:cancel() end)
  end)

  it("is what gathers and races", function ()
    each(function (task) tide.gather{ task } end)
    each(function (task)
      tide.race{ task, function ()
        debug.sethook()
        tide.sleep(0)
      end }
    end)
  end)
end)

end)
