--[[
tasks.lua - the tasks of a random program (program.lua). They take turns where
they wait, never within an operation: so a task's work is in the model when it
is queued, as it is elsewhere. A task's choices come from numbers of its own,
because the order of turns depends on the timing.

All that begins has to end, by itself, by an error, or cancelled: what is open
in a task is closed once, places of a semaphore are never too many, a task's
values come out of a queue as they went in, and gather has each one's own value.
]]
local tide = require "tide"
local generator = require "spec.support.generator"
local log = require "spec.soak.log"
local operations = require "spec.soak.operations"

local tasks = {}

local MOST <const> = 4       -- tasks of a round
local DEPTH <const> = 2      -- tasks of tasks
local STOP <const> = "this task stops"

--{{ what tasks do

--- Seconds to wait at most, or nil.
local function some_time (pick)
  local how = pick(4)
  return how == 1 and 0 or how == 2 and pick(10) * 1e-4 or nil
end

--- Waits for an object, and knows what that says.
local function await (x, pick)
  local seconds = some_time(pick)
  local result, why = x:await(seconds)
  assert(result or seconds and why == "timeout", why)
  return result
end

local acts = {}

acts[1] = function (world, pick)
  local x = operations.choose(world, pick)
  if not x then return end
  if pick(2) == 1 then
    operations.run(x)  -- on its own stream
  else
    world.streams[pick(#world.streams)]:with(function () operations.run(x) end)
  end
end

acts[2], acts[3] = acts[1], acts[1]

--- Waits, if no capture uses the pair; earlier work is done then.
local function await_pair (pair, pick)
  if operations.is_free(pair) then await(pair.array, pick) end
end

acts[4] = function (world, pick)
  await_pair(world.pairs[pick(#world.pairs)], pick)
end

acts[5] = function (world, pick)
  await_pair(world.hosts[pick(#world.hosts)], pick)
end

acts[6] = function (world, pick)
  await(world.streams[pick(#world.streams)], pick)
end

acts[7] = function (world, pick)
  local s = world.streams[pick(#world.streams)]
  log.add(world, "an event is recorded", s)
  local e = s:record()
  if await(e, pick) then assert(e.done) end
end

acts[8] = function (world, pick)
  world.launch(world.graphs[pick(4)], tide.get_current_stream())
end

acts[9] = function (_, pick) tide.sleep(pick(5) * 1e-5) end

acts[10] = function () coroutine.yield() end

acts[11] = function (_, pick, run)
  run.tried = run.tried + 1
  run.queue:put{ of = coroutine.running(), number = run.tried }
  run.put = run.put + 1
  if pick(2) == 1 then coroutine.yield() end
end

acts[12] = function (world, pick, run)
  local place <close> = run.places:acquire()
  run.inside = run.inside + 1
  local _ <close> = setmetatable({}, { __close = function ()
    run.inside = run.inside - 1
  end })
  assert(place and run.inside <= run.most, "too many places")
  tide.sleep(0)
  acts[1](world, pick)
end

acts[13] = function (world, pick, _, depth)
  local pair = world.pairs[pick(#world.pairs)]
  if depth == 1 and operations.is_free(pair) then
    operations.same(world, pair, "an array, in a task")
  end
end

--}}

--{{ a round

--- How a task's stream is chosen.
local function options (world, pick, name)
  local how = pick(4)
  return { name = name, stream = how == 1 and "inherit" or
           how == 2 and world.streams[pick(#world.streams)] or "own" }
end

local start

--- The body of a task: some acts, then its value, or an error. It does not
-- inherit the device.
local function body (world, run, seed, name, depth, fails)
  local pick = generator(seed)
  run.device:use()
  run.opened = run.opened + 1
  local _ <close> = setmetatable({}, { __close = function ()
    run.closed = run.closed + 1
  end })
  for _ = 1, pick(5) do
    log.add(world, name .. " has its turn")
    acts[pick(#acts)](world, pick, run, depth)
  end
  if depth < DEPTH and pick(4) == 1 then
    local task <close> = start(world, run, pick, depth + 1, false)
    task:await()
  end
  if fails and pick(4) == 1 then error(STOP, 0) end
  return seed
end

function start (world, run, pick, depth, fails)
  local seed, name = pick(1 << 30), log.name "task"
  local task = tide.spawn(options(world, pick, name), body, world, run, seed,
                          name, depth, fails)
  run.seeds[task] = seed
  return task
end

local function stopped (ok, message)
  assert(ok or tostring(message):find(STOP, 1, true), message)
  return not ok
end

local ends = {}

ends[1] = function (run, list)
  local values = tide.gather(list)
  for i, task in ipairs(list) do
    assert(values[i] == run.seeds[task], "another task's value")
  end
end

ends[2] = function (run, list)
  local ok, at, value = pcall(tide.race, list)
  if not stopped(ok, at) then
    assert(value == run.seeds[list[at]], "another task's value")
  end
end

ends[3] = function (run, list)  -- one after the other, not for ever
  for _, task in ipairs(list) do
    local value, why = task:await(1e-3)
    if value then
      assert(value == run.seeds[task], "another task's value")
    else
      assert(why == "timeout", why)
      task:cancel()
    end
  end
end

ends[4] = function (_, list)  -- left to the end of tide.run
  list[1]:cancel()
end

ends[5] = function (_, list) stopped(pcall(tide.gather, list)) end

local FAILING <const> = { [2] = true, [5] = true }  -- where a task waits

--- Takes all values of the queue; the values of each task come in their order.
local function consume (run)
  local last = {}
  for value in run.queue do
    assert(value.number > (last[value.of] or 0), "values out of order")
    last[value.of], run.got = value.number, run.got + 1
    if value.number % 3 == 0 then tide.sleep(0) end
  end
end

local function program (world, run, pick)
  local consumer = tide.spawn({ name = "consumer" }, consume, run)
  local list, how = {}, pick(#ends)
  for i = 1, pick(MOST) do
    list[i] = start(world, run, pick, 1, FAILING[how])
  end
  ends[how](run, list)
  for _, task in ipairs(list) do
    pcall(task.await, task)  -- a cancelled one raises
  end
  run.queue:close()
  consumer:await()
end

--- Some tasks, until all are over.
function tasks.run (world, pick)
  local most = pick(2)
  local run = { queue = tide.queue(pick(3)), places = tide.semaphore(most),
                device = tide.get_device(),
                most = most, inside = 0, opened = 0, closed = 0,
                tried = 0, put = 0, got = 0, seeds = {} }
  tide.run(program, world, run, generator(pick(1 << 30)))
  assert(run.opened == run.closed and run.inside == 0, "left open")
  assert(run.put <= run.got and run.got <= run.tried, "values are lost")
end

--}}

return tasks
