--[[
captures.lua - the graphs of a random program (program.lua): lists of
operations, which each launch does in the model again.

A capture claims what it uses as long as it is open: whatever else would use it
would be part of it. So there may be several at a time, among other work.
]]
local tide = require "tide"
local functions = require "spec.soak.functions"
local log = require "spec.soak.log"
local operations = require "spec.soak.operations"

local captures = {}

local BRANCHES <const> = 3

local function new_stream () return tide.Stream{ non_blocking = true } end

--{{ what a capture has for itself

local function claim (pairs_, pick, n, c)
  local mine = {}
  for _ = 1, 20 do
    local pair = pairs_[pick(#pairs_)]
    if #mine < n and operations.is_free(pair) then
      pair.claims[c.key] = true
      mine[#mine + 1] = pair
    end
  end
  return mine
end

local function release (c)
  for _, list in ipairs{ c.pairs, c.hosts } do
    for _, pair in ipairs(list) do
      pair.claims[c.key] = nil
    end
  end
end

--- Returns a capture that has not begun, or nil if nothing is left for it. Its
-- arrays are claimed until 'key' is gone.
local function prepare (world, pick, key)
  local c = { key = key, ops = {}, branches = {} }
  c.pairs = claim(world.pairs, pick, 1 + pick(3), c)
  c.hosts = claim(world.hosts, pick, pick(2), c)
  if #c.pairs > 0 and #c.hosts > 0 then return c end
  release(c)
end

--}}

local function new_graph (world, handle, ops)
  local name = log.name "graph"
  log.add(world, ("%s is captured, of %d operations"):format(name, #ops))
  return { name = name, handle = handle, ops = ops }
end

--{{ what is in it

--- On a branch of the capture: tide orders what conflicts.
local function branch (c, pick, origin)
  local at = pick(BRANCHES + 1) - 1
  if at == 0 then return origin end
  if not c.branches[at] then
    c.branches[at] = new_stream()
    c.branches[at]:wait_stream(origin)
  end
  return c.branches[at]
end

local function add (world, c, pick, origin, kind)
  local x = operations.choose(world, pick, c, kind)
  branch(c, pick, origin):with(function () operations.queue(x) end)
  c.ops[#c.ops + 1] = x
end

local function join (c, origin)
  for _, s in pairs(c.branches) do
    origin:wait_stream(s)
  end
end

--- A graph of operations of these kinds (nil: any).
local function capture_all (world, c, pick, like)
  local handle = tide.capture(function ()
    local origin = tide.get_current_stream()
    for i = 1, like and #like or pick(5) do
      add(world, c, pick, origin, like and like[i].kind)
    end
    join(c, origin)
  end)
  return new_graph(world, handle, c.ops)
end

--- capture(world, pick [, graph]): a new graph; of the same kinds of operations
-- as another one, so that the one may be updated from the other.
function captures.capture (world, pick, like)
  local c = prepare(world, pick, {})
  if c then
    local graph = capture_all(world, c, pick, like and like.ops)
    release(c)
    return graph
  end
end

--}}

--{{ captures that stay open

function captures.begin (world, pick)
  local c = prepare(world, pick, {})
  if c then
    c.stream = new_stream():begin_capture()
    log.add(world, "a capture begins", c.stream)
    world.open[#world.open + 1] = c
  end
end

function captures.go_on (world, pick)
  local c = world.open[pick(#world.open + 1)]
  if c then add(world, c, pick, c.stream) end
end

local function take (world, pick)
  return #world.open > 0 and table.remove(world.open, pick(#world.open)) or nil
end

--- -> a graph, or nil.
function captures.finish (world, pick)
  local c = take(world, pick)
  if c then
    join(c, c.stream)
    local graph = new_graph(world, c.stream:end_capture(), c.ops)
    release(c)
    return graph
  end
end

--}}

--{{ captures that never end

local abandon = {}

local function work (world, c, pick, s)
  for _ = 1, pick(3) do
    add(world, c, pick, s)
  end
end

abandon[1] = function (world, c, pick)  -- left by an error
  local ok, message = pcall(tide.capture, function ()
    work(world, c, pick, tide.get_current_stream())
    error("left", 0)
  end)
  assert(not ok and message == "left", message)
end

abandon[2] = function (world, c, pick)  -- its stream closes
  local s <close> = new_stream()
  s:begin_capture()
  work(world, c, pick, s)
end

abandon[3] = function (world, c, pick)  -- its coroutine closes
  local co = coroutine.create(function (dev)
    dev:use()
    tide.capture(function ()
      work(world, c, pick, tide.get_current_stream())
      coroutine.yield()
    end)
  end)
  assert(coroutine.resume(co, tide.get_device()))
  assert(coroutine.close(co))
end

abandon[4] = function (world, c, pick)  -- of two, the outer one
  local s <close> = new_stream()
  s:begin_capture()
  local inner = captures.capture(world, pick)
  work(world, c, pick, s)
  if inner then captures.launch(world, inner, tide.Stream.null) end
end

--- A capture that is over when this returns.
function captures.abandon (world, pick)
  local c = prepare(world, pick, {})
  if c then
    abandon[pick(#abandon)](world, c, pick)
    release(c)
  end
end

local function begin_dropped (world, pick)
  local s = new_stream()
  local c = prepare(world, pick, s)  -- claimed as long as there is the stream
  if c then
    s:begin_capture()
    for _ = 1, pick(3) do
      add(world, c, pick, s)
    end
  end
end

--- Begins a capture that is over when its stream is collected. Its functions
-- must not know the stream, so they are those of 'world' alone.
function captures.drop (world, pick)
  begin_dropped(world, pick)
  if pick(2) == 1 then
    collectgarbage()
    collectgarbage()  -- what was weak is cleared
    tide.poll()
  end
end

--- An open one, by force.
function captures.abandon_open (world, pick)
  local c = take(world, pick)
  if c then
    do
      local _ <close> = c.stream
    end
    release(c)
  end
end

--}}

--{{ launches

--- Tells whether no open capture uses anything of a graph.
local function is_free (graph)
  for _, x in ipairs(graph.ops) do
    if not (operations.is_free(x.a) and operations.is_free(x.b) and
            operations.is_free(x.h)) then
      return false
    end
  end
  return true
end

function captures.launch (world, graph, stream)
  if not graph or graph.closed or not is_free(graph) then return end
  log.add(world, "launches " .. graph.name, stream)
  local done = functions.try(world, function ()
    local ok, message = pcall(graph.handle.launch, graph.handle, stream)
    if not ok and not (graph.closed and message:find "graph is closed") then
      error(message, 0)
    end
    if not ok then return end
    log.add(world, graph.name .. " has been launched", stream)
    for _, x in ipairs(graph.ops) do  -- maybe updated in the call
      operations.model(x)
    end
  end)
  return done
end

function captures.update (world, graph, other)
  if graph.closed or other.closed then return end
  if graph.handle:update(other.handle) then
    log.add(world, ("%s is updated from %s"):format(graph.name, other.name))
    graph.ops = other.ops
    return true
  end
end

--}}

return captures
