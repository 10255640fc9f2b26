--[[
program.lua - a random program over everything, and the same in plain Lua.

DESIGN. What tide promises is that a program has the results that it would have
one call after the other, whatever streams its calls are on. So there is a
model: each array has a Lua table beside it (a pair), and each operation is done
twice, queued by tide and at once in the table. Graphs are lists of operations;
each launch does them in the tables again. At times an array is compared, and at
the end all are; then the house must be empty.

run(seed, rounds, shared) raises an error with the round in it. The same seed is
the same program, whatever the timing. 'shared': other lua_States are at work.
]]
local tide = require "tide"
local generator = require "spec.generator"
local T = tide.T

local N, STREAMS, ARRAYS, HOSTS, GRAPHS, COROUTINES = 64, 8, 12, 3, 4, 4

local function new_stream (pick)
  return tide.Stream{ non_blocking = pick(3) > 1, priority = 1 - pick(3) }
end

--{{ operations on pairs: queue(...) by tide, model(...) in plain Lua

local kinds = {}

kinds[1] = {  -- in place
  queue = function (a, b) a.array:add_(b.array) end,
  model = function (a, b)
    for i = 1, N do a[i] = a[i] + b[i] end
  end
}

kinds[2] = {  -- a part of one from another part of one
  queue = function (a, b, i, j, n)
    a.array:slice(i, i + n):add_(b.array:slice(j, j + n) * 2)
  end,
  model = function (a, b, i, j, n)
    local part = table.move(b, j, j + n, 0, {})
    for k = 0, n do a[i + k] = a[i + k] + part[k] * 2 end
  end
}

kinds[3] = {
  queue = function (a, _, i, j, n) a.array:slice(i, i + n):fill(j) end,
  model = function (a, _, i, j, n)
    for k = i, i + n do a[k] = j end
  end
}

kinds[4] = {  -- through page-locked memory
  queue = function (a, b, _, _, _, h)
    h.array:copy_from(a.array)
    b.array:copy_from(h.array)
  end,
  model = function (a, b, _, _, _, h)
    table.move(a, 1, N, 1, h)
    table.move(h, 1, N, 1, b)
  end
}

kinds[5] = {  -- a temporary that dies before it is used
  queue = function (a, b) a.array:sub_((b.array * 3 - a.array) % 1000) end,
  model = function (a, b)
    for i = 1, N do a[i] = a[i] - (b[i] * 3 - a[i]) % 1000 end
  end
}

kinds[6] = {  -- a reduction
  queue = function (a, b)
    a.array:slice(1, 1):add_(b.array:sum():reshape(1))
  end,
  model = function (a, b)
    local sum = 0
    for i = 1, N do sum = sum + b[i] end
    a[1] = a[1] + sum
  end
}

-- What a host function touches is not declared: the copies around it, on its
-- own stream, order it against the other streams.
kinds[7] = {
  queue = function (a, _, i, j, _, h)
    h.array:copy_from(a.array)
    tide.get_current_stream():launch_host_func(function (x)
      h.array[i] = h.array[i] + x
    end, j)
    a.array:copy_from(h.array)
    h.array:copy_from(a.array)
  end,
  model = function (a, _, i, j, _, h)
    a[i] = a[i] + j
    table.move(a, 1, N, 1, h)
  end
}

-- A kernel made for this: on CUDA of few, as each is compiled. To load one
-- waits for host functions, which cannot have what is in a capture.
local CONSTANTS = tide.get_device().kind == "host" and 4096 or 8

local function constant (i, j) return (i * N + j) % CONSTANTS end

local function fused (c)
  local function fn (x, y) return x * 3 + y - c end
  return tide.get_current_stream():is_capturing() and fn or tide.fuse(fn)
end

if pcall(fused(0), tide.ones(1), tide.ones(1)) then
  kinds[#kinds + 1] = {
    queue = function (a, b, i, j)
      a.array:copy_from(fused(constant(i, j))(a.array, b.array))
    end,
    model = function (a, b, i, j)
      local c = constant(i, j)
      for k = 1, N do a[k] = a[k] * 3 + b[k] - c end
    end
  }
end

--- A random operation on what the world has now: { kind, arguments }.
local function choose (world, pick)
  local n = pick(N) - 1
  return { kinds[pick(#kinds)], world.pairs[pick(ARRAYS)],
           world.pairs[pick(ARRAYS)], pick(N - n), pick(N - n), n,
           world.hosts[pick(HOSTS)] }
end

local function queue (op) op[1].queue(table.unpack(op, 2, 7)) end

local function model (op) op[1].model(table.unpack(op, 2, 7)) end

--}}

--{{ the world

local function new_pair (x)
  local pair = {}
  for i = 1, N do pair[i] = x * i end
  pair.array = tide.array(pair, "int64")
  return pair
end

local function same (pair, what)
  for i, x in ipairs(pair.array:totable()) do
    if x ~= pair[i] then
      error(("%s: element %d is %s, the model has %s"):format(what, i, x,
                                                              pair[i]), 0)
    end
  end
end

--- Runs fn with a stream current that 'pick' chooses, and maybe others around.
local function on (world, pick, fn)
  local s = world.streams[pick(STREAMS)]
  local how = pick(4)
  if how == 1 then
    local _ <close> = s:scope()
    return fn()
  elseif how == 2 then
    return tide.with_stream(function () return s:with(fn) end)
  end
  return s:with(fn)
end

--- A graph of some operations, forked over two streams where they allow it.
local function new_graph (world, pick)
  local ops, other = {}, world.streams[pick(STREAMS)]
  for i = 1, pick(4) do
    ops[i] = choose(world, pick)
  end
  local fork = pick(2) == 1 and other.is_non_blocking
  return { ops = ops, handle = tide.capture(function ()
    local here = tide.get_current_stream()
    for i, op in ipairs(ops) do
      if fork and i % 2 == 0 then
        other:wait_stream(here)
        other:with(function () queue(op) end)
        here:wait_stream(other)
      else
        queue(op)
      end
    end
  end) }
end

local function open (pick)
  local world = { streams = {}, pairs = {}, hosts = {}, graphs = {},
                  coroutines = {} }
  for i = 1, STREAMS do
    world.streams[i] = i == 1 and tide.Stream.null or
                       i == 2 and tide.Stream.ptds or new_stream(pick)
  end
  for i = 1, ARRAYS do
    world.pairs[i] = new_pair(i)
  end
  for i = 1, HOSTS do
    local host = new_pair(0)
    host.array = tide.HostArray(N, "int64")
    world.hosts[i] = host
  end
  return world
end

--}}

--{{ rounds

local rounds = {}

local function plain (world, pick)
  local op = choose(world, pick)
  on(world, pick, function () queue(op) end)
  model(op)
end

for i = 1, 8 do  -- most are operations
  rounds[i] = plain
end

rounds[9] = function (world, pick)  -- an array goes, another comes
  local at, x = pick(ARRAYS), pick(100)
  if pick(3) == 1 then
    world.pairs[at].array:close()
  end
  on(world, pick, function () world.pairs[at] = new_pair(x) end)
end

rounds[10] = function (world, pick)  -- seen by the host
  local pair = world.pairs[pick(ARRAYS)]
  on(world, pick, function () same(pair, "an array") end)
end

rounds[11] = function (world, pick)  -- the host writes
  local h, i, x = world.hosts[pick(HOSTS)], pick(N), pick(1000)
  h.array[i] = x
  h[i] = x
end

rounds[12] = function (world, pick)
  local s, t = world.streams[pick(STREAMS)], world.streams[pick(STREAMS)]
  if pick(2) == 1 then
    t:wait_event(s:record())
  else
    t:wait_stream(s)
  end
end

local function is_used (world)
  for _, co in pairs(world.coroutines) do
    if coroutine.status(co) == "suspended" then
      return true
    end
  end
end

rounds[13] = function (world, pick)  -- a stream goes, maybe with work on it
  local at = pick(STREAMS - 2) + 2
  if pick(2) == 1 and not is_used(world) then
    world.streams[at]:close()
  end
  world.streams[at] = new_stream(pick)
end

rounds[14] = function (world, pick)
  world.graphs[pick(GRAPHS)] = new_graph(world, pick)
end

local function launch (world, pick)
  local graph = world.graphs[pick(GRAPHS)]
  if graph then
    graph.handle:launch(world.streams[pick(STREAMS)])
    for _, op in ipairs(graph.ops) do
      model(op)
    end
  end
end

rounds[15], rounds[16] = launch, launch

rounds[17] = function (world, pick)
  local a, b = world.graphs[pick(GRAPHS)], world.graphs[pick(GRAPHS)]
  if a and b and a.handle:update(b.handle) then
    a.ops = b.ops
  end
end

rounds[18] = function (_, pick)
  local how = pick(4)
  if how == 1 then
    collectgarbage()
  elseif how == 2 then
    tide.trim()
  elseif how == 3 then
    tide.poll()
  else
    collectgarbage("step", pick(1000))
  end
end

-- A coroutine that stops inside a scope. It does not inherit the device.
rounds[19] = function (world, pick)
  local at, n, dev = pick(COROUTINES), pick(5), tide.get_device()
  world.coroutines[at] = coroutine.create(function ()
    dev:use()
    on(world, pick, function ()
      for _ = 1, n do
        coroutine.yield()
        local op = choose(world, pick)
        queue(op)
        model(op)
      end
    end)
  end)
end

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

rounds[20], rounds[21] = resume, resume

rounds[22] = function (world, pick)  -- a capture that nobody ends
  local pair = world.pairs[pick(ARRAYS)]
  do
    local s = tide.Stream{ non_blocking = true }
    s:begin_capture()
    s:with(function () pair.array:add_(1) end)
  end
  collectgarbage()
  tide.poll()
end

--}}

-- What T.held counts for this lua_State alone.
local OWN = { bytes = true, pinned = true, captures = true, callbacks = true }

--- Nothing is left, and nobody's error was lost.
local function check_house (world, shared)
  for key in pairs(world) do
    world[key] = nil
  end
  collectgarbage()
  collectgarbage()
  tide.get_device():synchronize()
  collectgarbage()
  tide.poll()
  for name, n in pairs(T.held()) do
    if n ~= 0 and (OWN[name] or not shared) then
      error(("left: %s=%d"):format(name, n), 0)
    end
  end
end

return function (seed, n, shared)
  local pick = generator(seed)
  T.delays(seed, pick(4) == 1 and 40 or 0)
  local world = open(pick)
  local round = 0
  local ok, err = xpcall(function ()
    for i = 1, n do
      round = i
      rounds[pick(#rounds)](world, pick)
    end
    for i, pair in ipairs(world.pairs) do
      same(pair, "array " .. i)
    end
    for i, pair in ipairs(world.hosts) do
      same(pair, "host array " .. i)
    end
    check_house(world, shared)
  end, debug.traceback)
  if not ok then
    error(("seed %d, round %d: %s"):format(seed, round, err), 0)
  end
end
