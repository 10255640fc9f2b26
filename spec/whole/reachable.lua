--[[
reachable.lua - calls every function that a script can reach, with arguments of
any kind, in a process of its own. A crash, an end of the process, or an error
that tells of tide's own Lua is a fault. reachable_spec.lua runs it.

Reached are the functions in the modules of tide, public or not, in the tables
that they hold, in metatables as far as getmetatable and, where there is one,
debug.getmetatable show them, and the methods of the objects of each type.

Environment: REACH_SEED, REACH_CALLS, REACH_MODULES and REACH_METHODS (names),
REACH_LOG: the file that names the call under way; REACH_PUBLIC=yes: only
functions of tide's own tables and objects are called, whose errors are looked
at. Functions of the modules behind them can be called so that the program
itself is wrong afterwards, and says so. SKIP has the few calls not made.
]]
local random <const> = math.random
math.randomseed(tonumber(os.getenv "REACH_SEED"), 0)

local tide = require "tide"
local show_metatable <const> = debug and debug.getmetatable or getmetatable
local limited <const> = not debug
local only_public <const> = os.getenv "REACH_PUBLIC" == "yes"

local function words (name)
  local list = {}
  for word in (os.getenv(name) or ""):gmatch "%S+" do list[#list + 1] = word end
  return list
end

rawset(os, "exit", function () error("os.exit was called", 0) end)

--{{ what there is to call

-- Functions for tests only, and functions that trust addresses they are given.
local SKIP <const> = { [tide.T] = true }
if not limited then
  for _, name in ipairs{ "ExternalStream", "from_dlpack", "from_carray" } do
    SKIP[tide[name]] = true
  end
  SKIP[tide.Stream.from_external] = true
end

-- The program's own, and Lua's.
local seen <const> = { [_G] = true, [package.loaded] = true,
                       [package.preload] = true, [""] = true }
for name, module in pairs(package.loaded) do
  if not name:find "^tide" then seen[module] = true end
end
for _, module in ipairs{ string, table, math, io, os, coroutine, utf8,
                         debug or {}, package } do
  for _, value in pairs(module) do seen[value] = true end
end
for _, value in pairs(_G) do seen[value] = true end
seen[show_metatable ""] = true

local calls <const> = {}  -- { name =, call =, public = }

local function walk (value, name, public)
  local kind <const> = type(value)
  if kind ~= "table" and kind ~= "function" and kind ~= "userdata" or
     seen[value] or SKIP[value] then
    return
  end
  seen[value] = true
  if kind == "function" then
    calls[#calls + 1] = (public or not only_public) and
                        { name = name, call = value, public = public } or nil
    return
  end
  local keys <const> = {}
  for key in next, kind == "table" and value or {} do
    keys[#keys + 1] = type(key) == "string" and key or nil
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    walk(rawget(value, key), name .. "." .. key, public)
  end
  local meta <const> = show_metatable(value)
  if type(meta) == "table" then walk(meta, name .. "<meta>", false) end
end

--}}

--{{ arguments

local function noop () end
local function try (fn, ...)
  local ok, value = pcall(fn, ...)
  return ok and value or nil
end

-- An object of each type, except for types left out by the host program.
local MAKERS <const> = {
  Array = function () return tide.ones({ 2, 3 }, "float32") end,
  Indices = function () return tide.array({ 0, 1 }, "int64") end,
  Mask = function () return tide.array{ true, false } end,
  HostArray = function () return tide.HostArray(6) end,
  Stream = function () return tide.Stream{ non_blocking = true } end,
  Event = function () return tide.Stream.null:record() end,
  Graph = function () return (tide.capture(noop)) end,
  Device = function () return tide.get_device() end,
  Scope = function () return tide.Stream.null:scope() end,
  Generator = function () return tide.random.Generator(1) end,
  File = function () return tide.open "/dev/null" end,
  Communicator = function () return tide.comm{ tide.get_device() } end,
  Capsule = function () return tide.ones(2):to_dlpack() end,
  Pointer = function () return tide.Pointer(0) end,
  Lock = function () return require "tide.small_files".lock "a" end,
  Kernel = function ()
    return tide.ElementwiseKernel("float32 x", "float32 y", "y = x", "k")
  end,
  Reduction = function ()
    return tide.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "r")
  end,
  Fused = function () return tide.fuse(function (a) return a + 1 end) end,
  Queue = function () return tide.queue(1) end,
  Semaphore = function () return tide.semaphore(1) end,
  Progress = function () return tide.progress(3) end,
  Listing = function () return tide.devices() end,
  Listener = function () return tide.ipc.listen "s" end,
  Task = function ()
    local task
    tide.run(function () task = tide.spawn(noop) end)
    return task
  end
}

local kinds <const> = {}
for kind in pairs(MAKERS) do kinds[#kinds + 1] = kind end
table.sort(kinds)

local SCALARS <const> = {
  0, 1, 2, -1, 3, 7, 128, 0.5, -2.5, 0/0, 1/0, -1/0, 1e300, 1 << 31, -1 << 31,
  math.maxinteger, math.mininteger, 1 << 33,
  true, false, "", "a", "b", "x", "float32", "int64", "bool", "host", "host:1",
  "\0", "tide.run", "own", "out", "axis", ("x"):rep(128), "%s%n", "i->", "ij,jk"
}

local kept <const> = {}  -- what calls gave

local function pick (list) return list[random(#list)] end

local value

local function new_table (depth)
  local t = {}
  for i = 1, random(0, 3) do t[i] = value(depth + 1) end
  if random(3) == 1 then
    t[pick{ "out", "axis", "dtype", "size", "rank", "timeout", "file", "at",
            "place", "keepdims", "n", "null", "ptds" }] = value(depth + 1)
  end
  return t
end

local FUNCTIONS <const> = {
  noop, function (...) return ... end, function () error "mine" end,
  function () return tide.ones(3) end, coroutine.yield
}

function value (depth)
  local r <const> = random(100)
  if r <= 35 then
    return pick(SCALARS)
  elseif r <= 60 then
    return try(MAKERS[pick(kinds)])
  elseif r <= 70 and #kept > 0 then
    return kept[random(#kept)]
  elseif r <= 80 and depth < 3 then
    return new_table(depth)
  elseif r <= 88 then
    return pick(FUNCTIONS)
  elseif r <= 92 then
    return coroutine.create(noop)
  elseif r <= 95 then
    return io.stdout
  end
end

local function keep (ok, ...)
  for i = 1, ok and math.min(select("#", ...), 2) or 0 do
    local x <const> = select(i, ...)
    local kind <const> = type(x)
    if kind == "userdata" or kind == "table" or kind == "function" then
      kept[#kept < 40 and #kept + 1 or random(40)] = x
    end
  end
  return ok, ...
end

--}}

--{{ calls

-- They wait for as long as they are told.
local WAITS <const> = { sleep = true, await = true, next_over = true,
                        wait = true, init = true, comm = true, meet = true,
                        poll = true }

local function arguments (call)
  local list <const> = { n = random(0, 5) }
  for i = 1, list.n do list[i] = value(0) end
  if call.object and random(8) > 1 then
    list.n = math.max(list.n, 1)
    list[1] = try(MAKERS[call.object])
  end
  if WAITS[call.name:match "%w+$"] then
    for i = 1, list.n do
      local x <const> = list[i]
      list[i] = type(x) == "number" and x > 1e-3 and 1e-3 or x
    end
    list[1] = list[1] == nil and 0 or list[1]
  end
  return list
end

--- Checks that a public function's error tells of no line of tide's own Lua.
local function check (call, ok, err)
  if ok or not only_public then return end
  assert(type(err) == "string" or type(err) == "userdata" or err == nil,
         call.name .. " raises a " .. type(err))
  local said <const> = tostring(err)
  assert(not said:find "lua/tide/[%w_/]*%.lua:%d+: ",
         call.name .. " tells of itself: " .. said)
end

local function show (x)
  local text <const> = math.type(x) and ("%s"):format(x) or
    type(x) == "string" and ("%q"):format(x):sub(1, 20) or type(x)
  return type(x) == "userdata" and tostring(getmetatable(x)) or text
end

local open <const>, PATH <const> = io.open, os.getenv "REACH_LOG"

local function make (call)
  local list <const> = arguments(call)
  local told <const> = {}
  for i = 1, list.n do told[i] = show(list[i]) end
  local log <close> = assert(open(PATH, "w"))
  log:write(call.name, "(", table.concat(told, ", "), ")\n")
  log:close()
  local co <const> = coroutine.create(function ()
    check(call, keep(pcall(call.call, table.unpack(list, 1, list.n))))
  end)
  local ok, err = coroutine.resume(co)
  assert(ok, err)
  pcall(coroutine.close, co)
end

--- Whatever the calls have done is undone, as far as it would end the test.
local function settle ()
  for _ = 1, 3 do
    pcall(tide.poll)
    pcall(function () tide.get_device():synchronize() end)
  end
  pcall(function () tide.Stream.null:use() end)
  pcall(tide.memory_limit, 1 << 26, "pinned")
  kept[random(40)] = nil
end

for _, name in ipairs(words "REACH_MODULES") do
  local ok, module = pcall(require, name)
  if ok then walk(module, name, name == "tide") end
end
for name, module in pairs(package.loaded) do
  if name:find "^tide" then walk(module, name, false) end
end
for name, loader in pairs(package.preload) do
  walk(loader, "preload." .. name, false)
end
for _, kind in ipairs(kinds) do
  local object <const> = try(MAKERS[kind])
  if object ~= nil then
    seen[object] = nil
    walk(object, kind, false)
  end
  for _, name in ipairs(words "REACH_METHODS") do
    local method <const> = try(function () return object[name] end)
    if type(method) == "function" and not SKIP[method] then
      calls[#calls + 1] = { name = kind .. ":" .. name, call = method,
                            object = kind, public = true }
    end
  end
end
table.sort(calls, function (a, b) return a.name < b.name end)

for i = 1, tonumber(os.getenv "REACH_CALLS") do
  make(calls[random(#calls)])
  if i % 50 == 0 then settle() end
end
settle()
io.stderr:write(("%d functions\n"):format(#calls))
--}}
