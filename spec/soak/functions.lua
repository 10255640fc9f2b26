--[[
functions.lua - the host functions of a random program (program.lua). Work that
one queues is queued when it runs, and the model has it from then on, too. Its
choices come from numbers of its own, because timing decides when it runs.

It must not wait, so what cannot be done without is refused there: a call either
did all that it does or, with CUDA_ERROR_NOT_PERMITTED, nothing.
]]
local tide = require "tide"
local generator = require "spec.support.generator"
local log = require "spec.soak.log"

local functions = {}

local DEPTH <const> = 3  -- functions in functions
local REFUSED <const> = "CUDA_ERROR_NOT_PERMITTED"

--- try(world, fn, ...) -> was it done? In a host function it may be refused.
function functions.try (world, fn, ...)
  if world.inside == 0 then
    fn(...)
    return true
  end
  local ok, message = pcall(fn, ...)
  world.tried = world.tried + 1
  if ok then return true end
  if not tostring(message):find(REFUSED, 1, true) then
    error(message, 0)
  end
  world.refused = world.refused + 1
  return false
end

--- One more function will run.
function functions.count (world)
  world.wanted = world.wanted + 1
end

local function checked (world, fn, turn, subject)
  local name = log.name "function"
  return name, function ()
    world.ran = world.ran + 1
    if world.closed then return end
    world.inside = world.inside + 1
    log.add(world, name .. " runs", nil, subject and "H", subject)
    world.running = name
    local ok, message = xpcall(function ()
      assert(world.inside == 1, "a host function inside another one")
      if turn then turn() end
      fn()
    end, debug.traceback)
    world.inside = world.inside - 1
    world.running = nil
    log.add(world, name .. " has run")
    if not ok and not world.failure then
      world.failure = message
    end
  end
end

--- The functions of a stream, of which there may be several objects.
local function line_of (world, s)
  local name = tostring(s)
  world.lines[name] = world.lines[name] or { queued = 0, ran = 0 }
  return world.lines[name]
end

--- Queues fn on s, in one of two ways; in a capture, in the way that does not
-- keep the stream, so that it may be dropped. Functions of a stream run in the
-- order in which the calls returned, because functions may run in such a call.
-- 'subject': the operation whose host array fn writes.
function functions.add (world, s, fn, seed, subject)
  local captured = s:is_capturing()
  local line, number = not captured and line_of(world, s)
  local name, body = checked(world, fn, line and function ()
    assert(number == line.ran + 1, "a host function out of its turn")
    line.ran = number
  end, subject)
  log.add(world, (captured and "captures " or "queues ") .. name, s)
  if captured or seed % 2 == 0 then
    s:launch_host_func(body)
  else
    s:add_callback(body)
  end
  if line then
    line.queued = line.queued + 1
    number = line.queued
  end
end

--{{ what functions do

local acts = {}

local function any_stream (world, pick)
  return world.streams[pick(#world.streams)]
end

local function operate (world, pick, depth)
  local operations = world.operations
  local x = operations.choose(world, pick)
  if not x then return end
  x.depth = depth + 1
  if x.kind.spawns and (depth >= DEPTH or world.budget <= 0) then return end
  if pick(3) == 1 then
    operations.run(x)  -- on its own stream
  else
    any_stream(world, pick):with(function () operations.run(x) end)
  end
end

acts[1] = function (world, pick, depth)
  operate(world, pick, depth)
end

acts[2] = operate

acts[3] = function (world, pick)
  local s, t = any_stream(world, pick), any_stream(world, pick)
  functions.try(world, function ()
    if pick(2) == 1 then
      log.add(world, "an event is recorded", s)
      local e = s:record()
      log.add(world, "waits for it", t)
      t:wait_event(e)
    else
      log.add(world, "is waited for", s)
      log.add(world, "by this one", t)
      t:wait_stream(s)
    end
  end)
end

acts[4] = function (world, pick)  -- events of others, to be waited for
  local at = pick(4)
  functions.try(world, function ()
    if world.events[at] and pick(2) == 1 then
      local s = any_stream(world, pick)
      log.add(world, "waits for event " .. at, s)
      s:wait_event(world.events[at])
    else
      local s = any_stream(world, pick)
      log.add(world, "records event " .. at, s)
      world.events[at] = s:record()
    end
  end)
end

acts[5] = function (world, pick)  -- also the one that it is in
  world.budget = world.budget - 1
  if world.budget > 0 then
    world.launch(world.graphs[pick(4)], any_stream(world, pick))
  end
end

acts[6] = function (world, pick)  -- what waits
  local s, pair = any_stream(world, pick), world.pairs[pick(#world.pairs)]
  if not world.operations.is_free(pair) then return end
  local a = pair.array
  local waits = { s.synchronize, function () return a:totable() end,
                  function () return a:slice(1, 1):item() end,
                  function () tide.get_device():synchronize() end,
                  function () s:record():synchronize() end }
  local ok, message = pcall(waits[pick(#waits)], s)
  assert(not ok and tostring(message):find(REFUSED, 1, true), message)
end

acts[7] = function (_, pick)
  local till = os.clock() + pick(4) * 5e-5
  repeat until os.clock() > till
end

acts[8] = function (world, pick, depth)  -- a stream that goes with it
  local s = any_stream(world, pick)
  functions.try(world, function ()
    local t <close> = tide.Stream{ non_blocking = pick(2) == 1 }
    log.name_stream(world, t)
    log.add(world, "is waited for", s)
    log.add(world, "by this one, which closes soon", t)
    t:wait_stream(s)
    t:with(function () operate(world, pick, depth) end)
  end)
end

acts[9] = function (world, pick)
  local at, how = pick(4), pick(3)
  local graph, other = world.graphs[at], world.graphs[pick(4)]
  if not graph or not other then return end
  if how == 1 then
    log.add(world, "closes " .. graph.name)
    graph.closed = true
    graph.handle:close()
    world.graphs[at] = nil
  elseif how == 2 then
    world.update(world, graph, other)
  else
    world.graphs[at] = nil
  end
end

acts[10] = function (world, pick)
  local operations = world.operations
  local at, x = pick(#world.pairs), pick(100)
  if operations.is_free(world.pairs[at]) then
    functions.try(world, function ()
      world.pairs[at] = operations.new_array(x)
      log.add_pair(world, "new", tide.get_current_stream(), "A",
                   world.pairs[at])
    end)
  end
end

acts[11] = function (_, pick)
  if pick(8) == 1 then
    collectgarbage()
  else
    collectgarbage("step", pick(100))
  end
end

acts[12] = function (world, pick)
  assert(tide.poll() == 0)
  if pick(4) == 1 then
    functions.try(world, tide.trim)
  end
end

--}}

--- Queues a function that does some of that; again each time, in a graph.
function functions.spawn (world, s, seed, depth)
  local pick = generator(seed)
  functions.add(world, s, function ()
    world.budget = world.budget - 1
    for _ = 1, pick(3) do
      local act = acts[pick(#acts + 4)] or operate
      act(world, pick, depth or 0)
    end
  end, seed)
end

return functions
