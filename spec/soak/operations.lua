--[[
operations.lua - the arrays of a random program, and what it does with them,
each thing twice: by tide, and at once in plain Lua tables (program.lua).

An operation is a list of steps, one call of tide each: a host function may run
in any call, and what it does then comes between two steps. The arguments are in
one table: x.a, x.b, x.h (pairs), x.f (a file, of files.lua), x.i, x.j, x.n
(numbers); x.t and x.m are what one step leaves for the next, in tide and in the
model. x.subject is the same by
names, for the log (log.lua), and so are a step's 'uses'.
]]
local tide = require "tide"
local files = require "spec.soak.files"
local functions = require "spec.soak.functions"
local log = require "spec.soak.log"
local ranks = require "spec.soak.ranks"

local operations = {}

local N <const> = 64
operations.N = N

--{{ pairs: an array, and its elements as they should be

--- A pair of values x, 2x, ... in tables; the caller gives it an array.
function operations.new_pair (x, kind)
  local pair = { claims = setmetatable({}, { __mode = "k" }),
                 name = log.name(kind) }
  for i = 1, N do pair[i] = x * i end
  return pair
end

local function snapshot (pair) return table.move(pair, 1, N, 1, {}) end

function operations.new_array (x)
  local pair = operations.new_pair(x, "array")
  pair.array = tide.array(snapshot(pair), "int64")
  return pair
end

function operations.new_host ()
  local pair = operations.new_pair(0, "host array")
  pair.array = tide.HostArray(N, "int64")
  return pair
end

--- Tells whether a pair is unclaimed: operations choose no claimed pair.
function operations.is_free (pair) return next(pair.claims) == nil end

local function note (pair)
  if pair and pair.seen then
    pair.seen[#pair.seen + 1] = snapshot(pair)
  end
end

--- One more in all elements.
function operations.tally (pair)
  for i = 1, N do pair[i] = pair[i] + 1 end
  note(pair)
end

local function is_same (values, model)
  for i = 1, N do
    if values[i] ~= model[i] then return false end
  end
  return true
end

--- Compares an array with its model. Host functions run in the call, before or
-- after it takes the elements, so any state of the model meanwhile is right.
function operations.same (world, pair, what)
  local seen = { snapshot(pair) }
  pair.seen = seen
  log.add_pair(world, "totable", tide.get_current_stream(), "a", pair)
  local values = pair.array:totable()
  pair.seen = nil
  for _, model in ipairs(seen) do
    if is_same(values, model) then return end
  end
  error(log.report(world, pair, what, values, seen), 0)
end

--}}

--{{ kinds of operations

local kinds = {}
operations.kinds = kinds

--- 'uses': "Ab" writes x.a and reads x.b.
local function step (uses, queue, model)
  return { uses = uses, queue = queue, model = model or function () end }
end

--- A step that queues a host function.
local function call (uses, queue, model)
  local s = step(uses, queue, model)
  s.calls = true
  return s
end

kinds[1] = {
  name = "add",
  step("Ab", function (x) x.a.array:add_(x.b.array) end, function (x)
    local a, b = x.a, x.b
    for i = 1, N do a[i] = a[i] + b[i] end
  end)
}

kinds[2] = {  -- a part of one from another part of one
  name = "add a part",
  step("b", function (x)
    x.t = x.b.array:slice(x.j, x.j + x.n) * 2
  end, function (x)
    x.m = table.move(x.b, x.j, x.j + x.n, 0, {})
  end),
  step("A", function (x)
    x.a.array:slice(x.i, x.i + x.n):add_(x.t)
  end, function (x)
    for k = 0, x.n do x.a[x.i + k] = x.a[x.i + k] + x.m[k] * 2 end
  end)
}

kinds[3] = {
  name = "fill",
  step("A", function (x)
    x.a.array:slice(x.i, x.i + x.n):fill(x.j)
  end, function (x)
    for k = x.i, x.i + x.n do x.a[k] = x.j end
  end)
}

local function download (from)  -- to page-locked memory
  return step("H" .. from, function (x)
    x.h.array:copy_from(x[from].array)
  end, function (x) table.move(x[from], 1, N, 1, x.h) end)
end

local function upload (to)
  return step(to:upper() .. "h", function (x)
    x[to].array:copy_from(x.h.array)
  end, function (x) table.move(x.h, 1, N, 1, x[to]) end)
end

kinds[4] = { name = "through host memory", download "a", upload "b" }

-- x.t is another array now; the one before is garbage or, every other time, is
-- closed: its memory is had again before its work is done.
local function replace (x, t)
  x.closes = not x.closes
  if x.closes then x.t:close() end
  x.t = t
end

kinds[5] = {  -- temporaries that die before they are used
  name = "temporaries",
  step("b", function (x) x.t = x.b.array * 3 end, function (x)
    x.m = {}
    for i = 1, N do x.m[i] = x.b[i] * 3 end
  end),
  step("a", function (x) replace(x, x.t - x.a.array) end, function (x)
    for i = 1, N do x.m[i] = x.m[i] - x.a[i] end
  end),
  step("", function (x) replace(x, x.t % 1000) end, function (x)
    for i = 1, N do x.m[i] = x.m[i] % 1000 end
  end),
  step("A", function (x)
    x.a.array:sub_(x.t)
    replace(x)
  end, function (x)
    for i = 1, N do x.a[i] = x.a[i] - x.m[i] end
  end)
}

kinds[6] = {
  name = "sum",
  step("b", function (x) x.t = x.b.array:sum():reshape(1) end, function (x)
    x.m = 0
    for i = 1, N do x.m = x.m + x.b[i] end
  end),
  step("A", function (x)
    x.a.array:slice(1, 1):add_(x.t)
  end, function (x) x.a[1] = x.a[1] + x.m end)
}

-- A host function declares no memory: copies on its own stream, before and
-- after it, order it against the other streams. No other operation may come in
-- between ('alone'), because nothing would order that.
kinds[7] = {
  name = "element by function",
  alone = true,
  download "a",
  call("H", function (x)
    local h, i, j, off = x.h, x.i, x.j, x.off  -- not x: it knows streams
    functions.add(x.world, tide.get_current_stream(), function ()
      if not off.all then h.array[i] = h.array[i] + j end
    end, x.seed, x.subject)
  end, function (x)
    if not x.off.all then x.h[x.i] = x.h[x.i] + x.j end
  end),
  upload "a", download "a"
}

-- A function that fills all of it, and another stream that sees that: x.link is
-- all that orders the two (links, below). Where there are no links, as in a
-- capture, one stream sees to all.
kinds[8] = {
  name = "fill by function",
  alone = true,
  download "a",
  call("H", function (x)
    local h, j, off = x.h, x.j, x.off
    functions.add(x.world, tide.get_current_stream(), function ()
      if not off.all then h.array:fill(j) end
    end, x.seed, x.subject)
  end, function (x)
    for i = 1, x.off.all and 0 or N do x.h[i] = x.j end
  end),
  step("", function (x)
    local s = tide.get_current_stream()
    x.on = x.link and x.link(s, x.to) or s
    log.add(x.world, ("link %d to it"):format(x.linked), x.on)
  end),
  step("Bh", function (x)
    x.on:with(function () x.b.array:copy_from(x.h.array) end)
  end, function (x) table.move(x.h, 1, N, 1, x.b) end),
  step("Ha", function (x)
    x.on:with(function () x.h.array:copy_from(x.a.array) end)
  end, function (x) table.move(x.a, 1, N, 1, x.h) end)
}

-- A function that queues work of its own when it runs.
kinds[9] = {
  name = "spawn",
  spawns = true,
  call("", function (x)
    functions.spawn(x.world, tide.get_current_stream(), x.seed, x.depth)
  end)
}
kinds[10] = kinds[9]

-- A kernel made for this: on CUDA of few, as each is compiled. To load one
-- waits for host functions, which they and what is in a capture cannot.
local CONSTANTS = tide.get_device().kind == "host" and 4096 or 8

local function fused (x)
  local c = (x.i * N + x.j) % CONSTANTS
  local function fn (u, v) return u * 3 + v - c end
  local plain = x.world == nil or x.world.inside > 0 or
                tide.get_current_stream():is_capturing()
  return plain and fn or tide.fuse(fn), c
end

if pcall((fused{ i = 0, j = 0 }), tide.ones(1), tide.ones(1)) then
  kinds[#kinds + 1] = {
    name = "fused",
    step("ab", function (x)
      x.t = fused(x)(x.a.array, x.b.array)
    end, function (x)
      local c = (x.i * N + x.j) % CONSTANTS
      x.m = {}
      for k = 1, N do x.m[k] = x.a[k] * 3 + x.b[k] - c end
    end),
    step("A", function (x) x.a.array:copy_from(x.t) end, function (x)
      table.move(x.m, 1, N, 1, x.a)
    end)
  }
end

-- Files, twice, so that several are often under way; not in captures.
for _ = 1, 2 do
  table.move(files.kinds(step), 1, #files.kinds(step), #kinds + 1, kinds)
end

-- Operations on two devices; not in captures.
table.move(ranks.kinds(step, N), 1, #ranks.kinds(step, N), #kinds + 1, kinds)

--}}

for _, kind in ipairs(kinds) do
  for i, s in ipairs(kind) do
    s.name = ("%s, step %d of %d"):format(kind.name, i, #kind)
  end
end

--{{ from one stream to another, by nothing but what is said here

local links = {}

links[1] = function (s, t)
  t:wait_event(s:record())
  return t
end

links[2] = function (s, t)
  return t:wait_stream(s)
end

links[3] = function (s, t)  -- an event that was recorded elsewhere before
  local e = t:record()
  t:wait_event(s:record(e))
  return t
end

-- The null stream comes after blocking streams, and before those.
links[4] = function (s, t)
  if s.is_non_blocking then
    tide.Stream.null:wait_stream(s)
  end
  tide.Stream.null:record()
  return t.is_non_blocking and tide.Stream() or t
end

links[5] = function (s, t)
  if s.is_non_blocking then
    tide.Stream.null:wait_event(s:record())
  end
  t:wait_event(tide.Stream.null:record())
  return t
end

links[6] = function (s)
  if s.is_non_blocking then
    return s
  end
  return tide.Stream.null
end

--}}

--{{ an operation

local function choose_free (list, pick)
  local from = pick(#list)
  for i = 0, #list - 1 do
    local pair = list[(from + i) % #list + 1]
    if operations.is_free(pair) then return pair end
  end
end

--- Returns a random operation on the objects of the world, or nil if all are
-- claimed; 'own' replaces them: { pairs =, hosts = }.
function operations.choose (world, pick, own, kind)
  local n = pick(N) - 1
  local x = { kind = kind or kinds[pick(#kinds)], world = world,
              i = pick(N - n), j = pick(N - n), n = n, seed = pick(1 << 30),
              linked = pick(#links), off = {},
              to = world.streams[pick(#world.streams)] }
  x.link = not own and links[x.linked] or nil
  if own then
    x.a, x.b = own.pairs[pick(#own.pairs)], own.pairs[pick(#own.pairs)]
    x.h = own.hosts[pick(#own.hosts)]
  else
    x.a = choose_free(world.pairs, pick)
    x.b = choose_free(world.pairs, pick)
    x.h = choose_free(world.hosts, pick)
    x.f = choose_free(world.files, pick)
    files.choose(x, pick)
  end
  if x.kind.files and not x.f or x.kind.ranks and own then
    x.kind = kinds[1]
  end
  if not (x.a and x.b and x.h) then return nil end
  x.subject = log.subject(x)
  return x
end

--- One of a kind, on pairs that are given.
function operations.do_kind (world, kind, a, b, h)
  local x = { kind = kinds[kind], world = world, a = a, b = b, h = h,
              off = {} }
  x.subject = log.subject(x)
  return operations.run(x)
end

local function model_step (x, s)
  s.model(x)
  note(x.a)
  note(x.b)
  note(x.h)
end

--- Joins the uses of all steps.
local function uses_of (kind)
  local uses = ""
  for _, s in ipairs(kind) do uses = uses .. s.uses end
  return uses
end

--- Does an operation in the model, as it was launched: its functions will run.
function operations.model (x)
  log.add(x.world, "in that launch: " .. x.kind.name, nil, uses_of(x.kind),
          x.subject)
  for _, s in ipairs(x.kind) do
    model_step(x, s)
    if s.calls then functions.count(x.world) end
  end
end

function operations.queue (x)  -- in a capture
  log.add(x.world, "captured: " .. x.kind.name, tide.get_current_stream(),
          uses_of(x.kind), x.subject)
  for _, s in ipairs(x.kind) do
    s.queue(x)
  end
end

--- Step 'last' was refused in a host function. If a function has been queued
-- already, nothing orders later work behind it: so it is to do nothing, and the
-- model has the other steps that were done.
local function undo (x, before, last)
  x.off.all = true
  for key, values in pairs(before) do
    table.move(values, 1, N, 1, x[key])
  end
  for i = 1, last - 1 do
    model_step(x, x.kind[i])
  end
end

--- Does an operation, step by step. In a host function a step may be refused:
-- then it returns false, and the steps before have been done.
function operations.run (x)
  local world, alone = x.world, x.kind.alone
  local before = alone and { a = snapshot(x.a), b = snapshot(x.b),
                             h = snapshot(x.h) }
  if alone then x.h.claims[x] = true end
  for i, s in ipairs(x.kind) do
    log.add(world, s.name, x.on or tide.get_current_stream(), s.uses,
            x.subject)
    if not functions.try(world, s.queue, x) then
      log.add(world, "refused")
      if alone then undo(x, before, i) end
      x.h.claims[x] = nil
      return false
    end
    model_step(x, s)
    if s.calls then functions.count(world) end
  end
  x.h.claims[x] = nil
  return true
end

--}}

return operations
