--[[
program.lua - bytes as a program over all that tide exports. spec/fuzz/fuzz.c
calls run(bytes) in a lua_State of its own for each input; what is wrong raises
an error that begins with "FUZZ:".

DESIGN. A program is a list of operations, each some bytes; what is missing at
the end reads as 0. Most are calls: two bytes choose the function by its name's
hash, so that a function that is added takes a few of the programs that exist
and leaves the meaning of the others; the arguments are what arguments.lua makes
of the next ones. Results are kept and used by later calls. A
function argument is a part of the bytes and runs them, wherever tide calls it:
in a scope, a capture, a host function, another coroutine.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local arguments = require "spec.fuzz.arguments"
local world = require "spec.fuzz.world"
local T = tide.T
local nomem, nap = ...  -- of fuzz.c: nomem(n) makes the n-th allocation fail

local STEPS, DEPTH = 300, 5

--{{ the calls, by hash of their names

local calls = exports.list(tide)

-- Whatever path a program gives, it means one of four names.
local base = os.tmpname()
os.remove(base)

local function place (path)
  return type(path) == "string" and base .. #path % 4 or path
end

local function remove_files ()
  for i = 0, 3 do
    os.remove(base .. i)
  end
end

-- Tasks are of Lua: exports.lua finds classes of C.
for name in ([[Task:await Task:cancel Queue:put Queue:get Queue:close
               Semaphore:acquire Place:release]]):gmatch "%S+" do
  local class, method = name:match "^(%w+):(%w+)$"
  calls[#calls + 1] = { name = name, class = class,
                        call = function (x, ...) return x[method](x, ...) end }
end
for class in ("Task Queue Semaphore Place"):gmatch "%S+" do
  calls[#calls + 1] = { name = class .. ".__tostring", class = class,
                        call = function (x) return tostring(x) end }
end

--- Returns 'fn' with its time cut to a millisecond.
local function shortly (fn)
  return function (seconds, ...)
    local long = type(seconds) == "number" and seconds > 1e-3
    return fn(long and 1e-3 or seconds, ...)
  end
end

local FILES <const> = { ["tide.save"] = true, ["tide.load"] = true,
                        ["tide.savetxt"] = true, ["tide.loadtxt"] = true,
                        ["tide.save_image"] = true, ["tide.open"] = true,
                        ["tide.load_image"] = true }

for _, call in ipairs(calls) do
  if call.name == "tide.sleep" then call.call = shortly(call.call) end
  if FILES[call.name] then
    local fn = call.call
    call.call = function (path, ...) return fn(place(path), ...) end
  end
end

local function hash (name)
  local h = 2166136261
  for i = 1, #name do
    h = (h ~ name:byte(i)) * 16777619 & 0xffffffff
  end
  return (h ~ h >> 16) & 0xffff
end

for _, call in ipairs(calls) do
  call.at = hash(call.name)
end
table.sort(calls, function (a, b)
  return a.at < b.at or (a.at == b.at and a.name < b.name)
end)

--- The first call at or after a place on the ring.
local function call_at (at)
  local lo, hi = 1, #calls + 1
  while lo < hi do
    local mid = (lo + hi) // 2
    if calls[mid].at < at then lo = mid + 1 else hi = mid end
  end
  return calls[lo] or calls[1]
end

--}}

--{{ operations

local steps, faulty, in_program

--- An error must be text that tells something; without injected faults, what a
-- driver says of bad arguments should have been found before.
local function check_error (err)
  if type(err) ~= "string" then
    error("FUZZ: an error that is no string: " .. tostring(err), 0)
  end
  if err:find "^FUZZ:" then
    error(err, 0)
  end
  local said = err:gsub("'[^']*'", "''")  -- without arguments that it quotes
  if not faulty and (said:find "^cu.*CUDA_ERROR_INVALID" and
      not said:find "^cuStreamGetCtx" or  -- the only one to know pointers
      said:find "CUDA_ERROR_UNKNOWN" or said:find "^lua/.*attempt to") then
    error("FUZZ: not found in time: " .. err, 0)
  end
end

local function finish (ok, ...)
  if ok then
    world.keep_all(...)
  else
    check_error((...))
  end
end

local tracing = os.getenv "FUZZ_TRACE"

local function trace (depth, name, ...)
  if tracing then
    local words = {}
    for i = 1, select("#", ...) do
      local value = select(i, ...)
      words[i] = type(value) == "userdata" and world.class_of(value) or
                 tostring(value):match "^%w+: " or tostring(value)
    end
    io.stderr:write((" "):rep(depth), name, " ", table.concat(words, " "), "\n")
  end
end

--- A host function that waits in a capture and knows its stream keeps both, so
-- then captures have to be ended.
local function watch (name, stream)
  if name == "Stream:begin_capture" then
    world.captures[#world.captures + 1] = stream
  elseif name == "Stream:launch_host_func" or name == "Stream:add_callback" then
    local ok, capturing = pcall(stream.is_capturing, stream)
    local captures = world.captures
    captures.hosted = captures.hosted or (ok and capturing)
  end
end

local function end_captures ()
  local captures = world.captures
  for i = 1, captures.hosted and #captures or 0 do
    pcall(captures[i].end_capture, captures[i])
  end
end

local function do_call (r, depth)
  local call = call_at(r:byte() << 8 | r:byte())
  local list = arguments.list(call, r, depth)
  trace(depth, call.name, table.unpack(list, 1, list.n))
  if call.class == "Stream" and world.class_of(list[1]) == "Stream" then
    watch(call.name, list[1])
  end
  finish(pcall(call.call, table.unpack(list, 1, list.n)))
end

local function do_closing (r, depth)
  local object, part = arguments.anything(r, depth), r:part()
  local class = world.metas[debug.getmetatable(object)]
  if not (class and class.meta.__close) or depth >= DEPTH then
    return
  end
  trace(depth, "closing", object)
  finish(pcall(function ()
    local _ <close> = object
    arguments.run(part, depth + 1)
  end))
end

local function do_coroutine (r, depth)
  local body = arguments.callback(r, depth)
  world.keep("thread", coroutine.create(body))
end

local function do_resume (r)
  local co = world.any_of("thread", r)
  if co and coroutine.status(co) == "suspended" then
    finish(coroutine.resume(co))
  end
end

local function do_close (r)
  local co = world.any_of("thread", r)
  local status = co and coroutine.status(co)
  if status == "suspended" or status == "dead" then
    finish(coroutine.close(co))
  end
end

local function do_yield ()
  if coroutine.isyieldable() then
    coroutine.yield(world.Stream[1])
  end
end

local function do_wrapped (r)
  local f = world.any_of("function", r)
  if f then
    finish(pcall(f))
  end
end

local function do_drop (r)
  local list = world[r:pick(arguments.classes)]
  table.remove(list, r:byte() % math.max(#list, 1) + 1)
end

local function do_collect (r)
  if r:byte() % 2 == 0 then
    collectgarbage()
  else
    collectgarbage("step", r:byte())
  end
end

local codes = { 999, 2, 700, 400, 201, 600 }

local function do_fail (r)
  faulty = true
  local n, code = r:byte() % 32, r:pick(codes)
  trace(in_program, "failcall", n, code)
  T.failcall(n, code)
end

local function do_nomem (r)
  faulty = true
  local n = r:byte()
  trace(in_program, "nomem", n)
  nomem(n)
end

local function do_error (r)
  if in_program > 1 and r:byte() % 2 == 0 then
    error("no_such_call", 0)
  end
end

local special = { do_closing, do_coroutine, do_resume, do_resume, do_close,
                  do_yield, do_yield, do_wrapped, do_drop, do_collect, do_fail,
                  do_nomem, do_error }

-- Cases that random calls rarely make: host functions with work in them, also
-- on streams that the null stream waits for; captures that fork, overlap, or
-- never end. Parts of the program are their bodies.

local function queue_function (s, r, depth)
  watch("Stream:launch_host_func", s)
  trace(depth, "function", s)
  finish(pcall(s.launch_host_func, s, arguments.callback(r, depth)))
end

local function do_function (r, depth)
  local s = world.any_of("Stream", r)
  if s then queue_function(s, r, depth) end
end

local function do_barrier (r, depth)
  trace(depth, "barrier")
  finish(pcall(function ()
    local s = tide.Stream()
    world.keep("Stream", s)
    world.keep("Stream", tide.Stream.null)
    queue_function(s, r, depth)
    return tide.Stream.null:record()
  end))
end

local function begin ()
  local s = tide.Stream{ non_blocking = true }
  watch("Stream:begin_capture", s)
  return s:begin_capture()
end

local function do_branches (r, depth)
  local one, other = arguments.callback(r, depth), arguments.callback(r, depth)
  trace(depth, "branches")
  finish(pcall(function ()
    local s, t = begin(), tide.Stream{ non_blocking = true }
    t:wait_stream(s)
    queue_function(t, r, depth)
    t:with(one)
    s:with(other)
    queue_function(s, r, depth)
    s:wait_stream(t)
    return s:end_capture(), s, t
  end))
end

local function do_overlap (r, depth)
  local one, other = arguments.callback(r, depth), arguments.callback(r, depth)
  local between = arguments.callback(r, depth)
  trace(depth, "overlap")
  finish(pcall(function ()
    local s, t = begin(), begin()
    s:with(one)
    t:with(other)
    between()
    s:with(other)
    local g = s:end_capture()
    between()
    return g, t:end_capture()
  end))
end

local function do_abandon (r, depth)
  local body = arguments.callback(r, depth)
  trace(depth, "abandon")
  finish(pcall(function ()
    local s <close> = tide.Stream{ non_blocking = true }
    s:begin_capture()
    s:with(body)
  end))
end

local function do_launch (r, depth)
  local g, s = world.any_of("Graph", r), world.any_of("Stream", r)
  trace(depth, "launch", g, s)
  for _ = 1, g and s and r:byte() % 4 or 0 do
    finish(pcall(g.launch, g, s))
  end
end

--- Runs coroutines of an event loop whose turns are calls of tide.poll. They do
-- random work, wait for it and for each other. Some are closed while they
-- wait, some are left there: the next caller of poll goes on with them.
local function do_loop (b, ...)
  require "tide.loop"
  local q, list = tide.queue(1), {}
  world.keep("Queue", q)
  for i, body in ipairs{ ... } do
    list[i] = coroutine.create(function ()
      local x = body()
      if x then x:await(b % 4 > 0 and 1e-4 or nil) end
      tide.sleep(i * 1e-5)
      if b & 4 > 0 then tide.run(coroutine.yield) end
      return i % 2 == 1 and q:put(x or 1) or q:get()
    end)
    finish(coroutine.resume(list[i]))
  end
  for i = 1, b >> 3 & 3 do
    finish(pcall(tide.poll, 1e-4))
    if b & 32 > 0 and coroutine.status(list[i]) == "suspended" then
      finish(coroutine.close(list[i]))
    end
  end
end

-- Tasks that do what comes, and wait for each other: by each thing that can be
-- waited for.
local function do_tasks (r, depth)
  local one, other = arguments.callback(r, depth), arguments.callback(r, depth)
  local last, b = arguments.callback(r, depth), r:byte()
  if b & 128 > 0 then
    trace(depth, "loop")
    return finish(pcall(do_loop, b, one, other, last))
  end
  trace(depth, "tasks")
  finish(pcall(tide.run, function ()
    local q, places = tide.queue(b % 3 + 1), tide.semaphore(1)
    world.keep("Queue", q)
    world.keep("Semaphore", places)
    local function work (fn)
      local taken <close> = places:acquire()
      world.keep("Place", taken)
      local x = fn()
      if x then x:await(b % 4 > 0 and 1e-4 or nil) end
      coroutine.yield()
      if not q:put(x or 1) then error("FUZZ: nothing was put", 0) end
    end
    local task = tide.spawn(work, one)
    world.keep("Task", task)
    tide.spawn(function () for _ in q do coroutine.yield() end end)
    local _ <close> = q
    if b & 16 > 0 then tide.race{ function () work(other) end, last } end
    if b & 32 > 0 then tide.gather{ function () work(other) end, last } end
    if b & 64 > 0 then task:cancel() end
    return task:await()
  end))
end

local function do_delays (r)
  T.delays(r:byte(), r:byte() % 32 * 8)
  T.again(math.max(0, r:byte() % 8 - 4))
end

local function do_nap ()
  nap()
  finish(pcall(tide.poll))
end

local rare = { do_function, do_barrier, do_branches, do_overlap, do_abandon,
               do_launch, do_delays, do_nap, do_tasks, do_tasks }

local RARE <const> = 236  -- bytes from there on

local function run (bytes, depth, ...)
  if depth > DEPTH or steps >= STEPS then
    return
  end
  world.keep_all(...)
  local r = world.reader(bytes)
  in_program = in_program + 1
  local _ <close> = setmetatable({}, { __close = function ()
    in_program = in_program - 1
  end })
  while not r:ended() and steps < STEPS do
    steps = steps + 1
    local b = r:byte()
    if b < 180 then
      do_call(r, depth)
    elseif b >= RARE then
      rare[b % #rare + 1](r, depth)
    else
      special[b % #special + 1](r, depth)
    end
  end
end

arguments.run = run

--}}

--{{ before and after

local own = {}  -- what the table that programs may write to holds
for key, value in pairs(tide.Stream) do
  own[key] = value
end

local function open_world ()
  for key in pairs(tide.Stream) do
    tide.Stream[key] = own[key]
  end
  for key, value in pairs(own) do
    tide.Stream[key] = value
  end
  world.open()
  steps, faulty, in_program = 0, false, 0
  T.again(0)
  T.delays(1, 0)
end

local function try (...)
  local last
  for _ = 1, 1000 do
    local ok, err = pcall(...)
    if ok then return end
    check_error(err)
    last = err
    nap()
    pcall(tide.poll)
    collectgarbage()  -- what a function kept may have been capturing
  end
  error("FUZZ: errors without end: " .. tostring(last), 0)
end

local function settle ()
  open_world()
  steps, faulty = STEPS, true  -- functions that are still to run do nothing
  collectgarbage()
  collectgarbage()
  try(tide.poll)
  for _, dev in ipairs(tide.devices()) do
    try(dev.synchronize, dev)
  end
  open_world()
  collectgarbage()
  collectgarbage()
  try(tide.poll)
end

local function leftovers ()
  for name, n in pairs(T.held()) do
    if n ~= 0 then
      return name .. "=" .. n
    end
  end
end

--- Afterwards nothing lives, and the library works.
local function check_empty ()
  nomem(0)
  T.failcall(0)
  tide.sync_debug "off"
  for i = #world.scopes, 1, -1 do
    local _ <close> = world.scopes[i]
  end
  for _, name in ipairs{ "host:1", "host:0" } do
    tide.Device(name):use()
    tide.Stream.null:use()
    if tide.Stream.ptds:is_capturing() then
      pcall(tide.Stream.ptds.end_capture, tide.Stream.ptds)
    end
  end
  end_captures()
  settle()
  local left = leftovers()
  for _ = 1, 500 do  -- a stream that a fault gave up may still be at work
    if not left then break end
    nap()
    settle()
    left = leftovers()
  end
  if left then
    error("FUZZ: still alive: " .. left, 0)
  end
  local sum = tide.ones(3):sum():item()
  assert(sum == 3, "FUZZ: broken")
end

--}}

--- The first byte says how the input ends: emptied, or as it is.
return function (bytes)
  open_world()
  world.base = tide.Stream{ non_blocking = true }
  world.ptr = world.base.ptr
  finish(pcall(run, bytes:sub(2), 0))
  nomem(0)
  remove_files()
  if (bytes:byte() or 0) % 8 ~= 7 then
    check_empty()
  end
end
