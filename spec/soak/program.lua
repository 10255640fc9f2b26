--[[
program.lua - a random program over everything, and the same in plain Lua.

DESIGN. tide promises that a program has the results that it would have with one
call after the other, whatever streams its calls are on. So there is a model:
each array has a Lua table beside it (a pair), and each operation is done twice,
queued by tide and at once in the table (operations.lua). A host function is a
part of the program that runs later: what it queues is in the model from when it
runs (functions.lua). Tasks take turns between operations (tasks.lua). Graphs
are lists of operations; each launch does them in the tables again
(captures.lua). At times an array is compared, and at the end all are; no
function may have been lost, and nothing may have leaked.

run(seed, rounds, how) raises an error with the round in it. The same seed is
the same program, but for when its host functions run. 'how': "alone", "shared"
if other lua_States are at work, "left" to be left as it is, unfinished.
]]
local tide = require "tide"
local generator = require "spec.support.generator"
local captures = require "spec.soak.captures"
local files = require "spec.soak.files"
local log = require "spec.soak.log"
local operations = require "spec.soak.operations"
local ranks = require "spec.soak.ranks"
local tasks = require "spec.soak.tasks"
local T = tide.T

local STREAMS, ARRAYS, HOSTS, GRAPHS, EVENTS, COROUTINES = 8, 12, 6, 4, 4, 4
local FILES, OPEN, BUDGET = 3, 3, 400
local N = operations.N

--{{ the world

local function new_stream (world, pick)
  local s = tide.Stream{ non_blocking = pick(3) > 1, priority = 1 - pick(3) }
  log.name_stream(world, s)
  return s
end

--- Runs fn(x, y) with a stream current that 'pick' chooses, and maybe others
-- around.
local function on (world, pick, fn, x, y)
  local s, how = world.streams[pick(STREAMS)], pick(4)
  local function run () return fn(x, y) end
  if how == 1 then
    local _ <close> = s:scope()
    return run()
  elseif how == 2 then
    return tide.with_stream(function () return s:with(run) end)
  end
  return s:with(run)
end

local function open (pick)
  local world = {
    operations = operations, pick = pick, log = log.new(),
    streams = {}, pairs = {}, hosts = {}, files = {}, graphs = {}, events = {},
    coroutines = {}, open = {},       -- captures
    lines = {},                       -- functions of each stream
    inside = 0, wanted = 0, ran = 0,  -- functions
    tried = 0, refused = 0,           -- what they did
    budget = BUDGET                   -- for functions that queue functions
  }
  world.launch = function (...) return captures.launch(world, ...) end
  world.update = captures.update
  for i = 1, STREAMS do
    world.streams[i] = i == 1 and tide.Stream.null or
                       i == 2 and tide.Stream.ptds or new_stream(world, pick)
  end
  for i = 1, ARRAYS do
    world.pairs[i] = operations.new_array(i)
  end
  for i = 1, HOSTS do
    world.hosts[i] = operations.new_host()
  end
  for i = 1, FILES do
    world.files[i] = files.new(pick)
  end
  world.tally = operations.new_array(0)  -- of what finalizers did
  world.ranks = ranks.open()
  return world
end

--}}

--{{ rounds

local rounds = {}

local function plain (world, pick)
  local x = operations.choose(world, pick)
  if x then
    on(world, pick, operations.run, x)
  end
end

for i = 1, 12 do  -- most are operations
  rounds[i] = plain
end

local function add (round) rounds[#rounds + 1] = round end

add(function (world, pick)  -- an array goes, another comes
  local at, x, closes = pick(ARRAYS), pick(100), pick(3) == 1
  local old = world.pairs[at]
  if not operations.is_free(old) then return end
  world.pairs[at] = on(world, pick, operations.new_array, x)
  log.add_pair(world, "new", nil, "A", world.pairs[at])
  if closes and operations.is_free(old) then
    log.add_pair(world, "closes", nil, "A", old)
    old.array:close()
  end
end)

local function see (world, pair, what)
  if operations.is_free(pair) then
    operations.same(world, pair, what)
  end
end

add(function (world, pick)  -- seen by the host
  local pair = world.pairs[pick(ARRAYS)]
  on(world, pick, function () see(world, pair, "an array") end)
end)

add(function (world, pick)
  see(world, world.hosts[pick(HOSTS)], "a host array")
end)

add(function (world, pick)  -- the host writes
  local h, i, x = world.hosts[pick(HOSTS)], pick(N), pick(1000)
  if operations.is_free(h) then
    log.add_pair(world, "the host writes element " .. i, nil, "A", h)
    h.array[i] = x
    h[i] = x
  end
end)

add(function (world, pick)
  local s, t = world.streams[pick(STREAMS)], world.streams[pick(STREAMS)]
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

add(function (world, pick)  -- an event of now, or of some time ago
  local s, at = world.streams[pick(STREAMS)], pick(EVENTS)
  local e = world.events[at]
  if not e or pick(3) == 1 then
    log.add(world, "records event " .. at, s)
    world.events[at] = s:record(pick(2) == 1 and e or nil)
  elseif pick(8) == 1 then
    log.add(world, "the host waits for event " .. at)
    e:synchronize()
    assert(e.done)
  else
    log.add(world, "waits for event " .. at, s)
    s:wait_event(e)
  end
end)

add(function (world, pick)  -- the null stream between two blocking ones
  log.add(world, "an event is recorded", tide.Stream.null)
  tide.Stream.null:record()
  on(world, pick, plain, world, pick)
end)

local function is_used (world)
  for _, co in pairs(world.coroutines) do
    if coroutine.status(co) == "suspended" then
      return true
    end
  end
end

add(function (world, pick)  -- a stream goes, maybe with work on it
  local at, new = pick(STREAMS - 2) + 2, new_stream(world, pick)
  local old = world.streams[at]
  world.streams[at] = new
  if pick(2) == 1 and not is_used(world) then
    log.add(world, "closes", old)
    old:close()
  end
end)

local function capture (world, pick)
  local at = pick(GRAPHS)
  world.graphs[at] = captures.capture(world, pick) or world.graphs[at]
end

local function launch (world, pick)
  captures.launch(world, world.graphs[pick(GRAPHS)],
                  world.streams[pick(STREAMS)])
end

add(capture)
add(launch)
add(launch)
add(launch)

add(function (world, pick)  -- launched, updated, launched: all under way
  local graph = world.graphs[pick(GRAPHS)]
  local other = graph and captures.capture(world, pick, graph)
  if not other then return end
  captures.launch(world, graph, world.streams[pick(STREAMS)])
  captures.update(world, graph, other)
  captures.launch(world, graph, world.streams[pick(STREAMS)])
end)

add(function (world, pick)
  local a, b = world.graphs[pick(GRAPHS)], world.graphs[pick(GRAPHS)]
  if a and b then captures.update(world, a, b) end
end)

add(function (world, pick)  -- a graph goes, maybe with launches under way
  local at = pick(GRAPHS)
  local graph = world.graphs[at]
  world.graphs[at] = nil
  if graph and pick(2) == 1 then
    log.add(world, "closes " .. graph.name)
    graph.closed = true
    graph.handle:close()
  end
end)

local function begin (world, pick)
  if #world.open < OPEN then captures.begin(world, pick) end
end

add(begin)
for _ = 1, 3 do
  add(captures.go_on)
end

add(function (world, pick)
  local graph = captures.finish(world, pick)
  if graph then world.graphs[pick(GRAPHS)] = graph end
end)

add(captures.abandon)

add(function (world, pick)
  if pick(3) == 1 then captures.abandon_open(world, pick) end
end)

add(captures.drop)

add(function (world, pick)
  local how = pick(4)
  log.add(world, "collects, trims or polls")
  if how == 1 then
    collectgarbage()
  elseif how == 2 then
    tide.trim()
  elseif how == 3 then
    tide.poll()
  else
    collectgarbage("step", pick(1000))
  end
end)

-- Work by a finalizer: in the middle of a call, maybe, so it is of a kind that
-- comes to the same before and after. It may be refused, as in a function.
add(function (world, pick)
  local s, tally = world.streams[pick(STREAMS)], world.tally
  setmetatable({}, { __gc = function ()
    if world.closed then return end
    log.add_pair(world, "a finalizer adds", s, "A", tally)
    local ok = pcall(s.with, s, tally.array.add_, tally.array, 1)
    if ok then operations.tally(tally) end
  end })
end)

add(function (world, pick)
  on(world, pick, function ()
    see(world, world.tally, "what finalizers did")
  end)
end)

-- A coroutine that stops inside a scope. It does not inherit the device.
add(function (world, pick)
  local at, n, dev = pick(COROUTINES), pick(5), tide.get_device()
  world.coroutines[at] = coroutine.create(function ()
    dev:use()
    on(world, pick, function ()
      for _ = 1, n do
        coroutine.yield()
        local x = operations.choose(world, pick)
        if x then operations.run(x) end
      end
    end)
  end)
end)

local function resume (world, pick)
  local co = world.coroutines[pick(COROUTINES)]
  if co and coroutine.status(co) == "suspended" then
    local ok, err
    if pick(8) == 1 then
      ok, err = coroutine.close(co)
    else
      ok, err = coroutine.resume(co)
    end
    assert(ok, err)
  end
end

add(resume)
add(resume)

add(tasks.run)
add(files.reopen)
add(files.empty)
add(ranks.reopen)

--}}

--{{ the end

--- Runs all functions and those that they queue, until all their work is done,
-- also work queued while the host waits: files do not wait for that themselves.
local function finish (world)
  for _ = 1, 1000 do
    local wanted, ran = world.wanted, world.ran
    log.add(world, "the host waits for the device")
    tide.get_device():synchronize()
    if world.failure then error(world.failure, 0) end
    if world.ran < wanted then
      error(("of %d host functions %d never ran"):format(wanted,
                                                         wanted - world.ran), 0)
    end
    if world.ran == world.wanted and world.ran == ran then return end
  end
  error("host functions without end", 0)
end

local function compare (world)
  for i, pair in ipairs(world.pairs) do
    operations.same(world, pair, "array " .. i)
  end
  for i, pair in ipairs(world.hosts) do
    operations.same(world, pair, "host array " .. i)
  end
  for _, file in ipairs(world.files) do
    files.same(world, file)
  end
  operations.same(world, world.tally, "what finalizers did")
end

-- Seconds that a communicator may take to end.
local PATIENCE <const> = 20

-- The counts of T.held that are of this lua_State alone.
local OWN = { bytes = true, pinned = true, captures = true, callbacks = true }

--- Returns the kind and number of objects that are left, or nil.
local function leftover (shared)
  for name, n in pairs(T.held()) do
    if n ~= 0 and (OWN[name] or not shared) then return name, n end
  end
end

--- Checks that nothing is left, no error lost. Communicators of NCCL end on a
-- thread, and have memory until then.
local function check_leaks (world, shared)
  for key in pairs(world) do
    world[key] = nil
  end
  world.closed = true
  for _ = 1, 3 do  -- what finalizers queued has objects of its own
    collectgarbage()
    tide.get_device():synchronize()
  end
  collectgarbage()
  local from = tide.clock()
  repeat
    tide.poll()
    local name, n = leftover(shared)
    if not name then return end
    if tide.clock() - from > PATIENCE then
      error(("left: %s=%d"):format(name, n), 0)
    end
  until false
end

--}}

local function disturb (seed, pick)
  T.delays(seed, pick(3) == 1 and pick(8) * 20 or 0,
           pick(3) == 1 and pick(8) * 1000 or 0)
  T.again(math.max(0, pick(8) - 5))  -- every call begins again, or none
  T.slots(pick(2) == 1)
  T.limits(pick(3) == 1 and pick(60) or 0)  -- what may be kept
  T.witness(true)
end

--- Checks that all conflicting work was in order, by the calls to the driver
-- alone: so even where the results were right.
local function check_order ()
  local compared, bad, complaint = T.witness(false)
  if bad > 0 then
    error(("%d of %d pairs of uses are in no order: %s"):format(
      bad, compared, complaint), 0)
  end
end

local function open_captures_end (world, pick)
  while #world.open > 0 do
    captures.abandon_open(world, pick)
  end
  collectgarbage()
  collectgarbage()
end

--- -> how many calls host functions made, how many of them were refused.
return function (seed, n, how)
  local pick = generator(2 * seed)  -- of which each is odd and even alike
  disturb(seed, pick)
  local world = open(pick)
  local paths = files.paths(world.files)
  local round, tried, refused = 0, 0, 0
  local ok, err = xpcall(function ()
    for i = 1, n do
      round, world.round = i, i
      rounds[pick(#rounds)](world, pick)
      if world.failure then error(world.failure, 0) end
    end
    if how == "left" then return end
    open_captures_end(world, pick)
    finish(world)
    compare(world)
    tried, refused = world.tried, world.refused
    check_leaks(world, how == "shared")
    check_order()
  end, debug.traceback)
  T.again(0)
  T.slots(false)
  T.limits()
  T.witness(false)
  for _, path in ipairs(paths) do os.remove(path) end
  if not ok then
    local failure = world.failure or err
    if world.log and not failure:find "the last %d+ of" then
      err = err .. "\n" .. log.text(world)
    end
    if world.failure then err = world.failure .. "\nthen: " .. err end
    error(("seed %d, round %d: %s"):format(seed, round, err), 0)
  end
  return tried, refused
end
