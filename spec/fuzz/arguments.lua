--[[
arguments.lua - from bytes to the arguments of a call: what its hint says, now
and then anything. See program.lua.
]]
local tide = require "tide"
local world = require "spec.fuzz.world"

local arguments = {}  -- arguments.run(bytes, depth, ...): see program.lua

--{{ what a call wants: a letter of 'makers' for each argument; '?': or nothing

local hints = {
  ["tide.Device"] = "d", ["tide.Stream"] = "o", ["tide.Event"] = "o",
  ["tide.Stream.from_external"] = "p*?", ["tide.ExternalStream"] = "pd?",
  ["tide.HostArray"] = "nt?", ["tide.array"] = "Xt?", ["tide.asarray"] = "Xt?",
  ["tide.empty"] = "nt?", ["tide.zeros"] = "nt?", ["tide.ones"] = "nt?",
  ["tide.full"] = "nxt?", ["tide.arange"] = "xx?x?t?",
  ["tide.empty_like"] = "At?", ["tide.zeros_like"] = "At?",
  ["tide.ones_like"] = "At?", ["tide.full_like"] = "Axt?",
  ["tide.save"] = "sA", ["tide.load"] = "s",
  ["tide.savetxt"] = "sAo?", ["tide.loadtxt"] = "so?",
  ["tide.save_image"] = "sA", ["tide.load_image"] = "s", ["tide.open"] = "sw?",
  ["File:read"] = "LYi?", ["File:write"] = "LYi?",
  ["tide.random.uniform"] = "xxnt?", ["tide.random.normal"] = "nt?o?",
  ["tide.random.randint"] = "iint?", ["tide.random.seed"] = "i?",
  ["tide.random.gamma"] = "xxnt?", ["tide.random.beta"] = "xxnt?",
  ["tide.random.poisson"] = "xnt?", ["tide.random.binomial"] = "ixnt?",
  ["tide.random.Generator"] = "i?",
  ["tide.random.exponential"] = "xnt?", ["tide.random.bernoulli"] = "xnt?",
  ["tide.random.choice"] = "in", ["tide.random.permutation"] = "i",
  ["tide.random.shuffle"] = "Ai?", ["tide.einsum"] = "sAA?",
  ["tide.frombytes"] = "stn?", ["tide.with_stream"] = "SF*",
  ["tide.with_device"] = "dF*", ["tide.capture"] = "F*",
  ["tide.wrap"] = "F", ["tide.errorinfo"] = "s", ["tide.inherit"] = "T?",
  ["tide.progress"] = "i?s?",
  ["tide.printoptions"] = "o?",
  ["tide.unhandled_errors"] = "m?",
  ["tide.sync_debug"] = "m?", ["tide.get_elapsed_time"] = "EE",
  ["tide.run"] = "F*", ["tide.spawn"] = "OF*", ["tide.gather"] = "L",
  ["tide.race"] = "L", ["tide.sleep"] = "z", ["tide.queue"] = "i?",
  ["tide.semaphore"] = "i?", ["Task:await"] = "Jz?", ["Task:cancel"] = "J",
  ["Queue:put"] = "QX",
  ["tide.get_current_stream"] = "d?", ["tide.poll"] = "",
  ["tide.devices"] = "", ["tide.get_device"] = "", ["tide.clock"] = "",
  ["Stream:record"] = "SE?", ["Stream:wait_event"] = "SE",
  ["Stream:wait_stream"] = "SS", ["Stream:launch_host_func"] = "SF*",
  ["Stream:add_callback"] = "SF*", ["Stream:with"] = "SF*",
  ["Stream:begin_capture"] = "Sm?", ["Stream.__eq"] = "SS",
  ["Event:record"] = "ES?", ["Graph:launch"] = "GS?",
  ["Graph:upload"] = "GS?", ["Graph:update"] = "GG",
  ["Graph:debug_dot"] = "Go?", ["Array:tohost"] = "Ao?",
  ["Array:to"] = "Ad", ["HostArray:to"] = "Hd", ["tide.astype"] = "At",
  ["tide.fill"] = "Ax", ["Array:astype"] = "At", ["Array:fill"] = "Ax",
  ["Array:slice"] = "Aii?", ["Array:select"] = "Ai", ["Array:reshape"] = "An",
  ["Array.__index"] = "Ak", ["Array.__newindex"] = "AkX",
  ["HostArray:fill"] = "Hx", ["HostArray:set"] = "Hs",
  ["HostArray:readfrom"] = "Hfi?", ["HostArray:writeto"] = "Hfi?",
  ["HostArray:copy_from"] = "HX", ["HostArray.__index"] = "Hk",
  ["HostArray.__newindex"] = "Hkx",
}

local letters = { Stream = "S", Event = "E", Graph = "G", Array = "AXo?",
                  HostArray = "HX?", Device = "D", Scope = "C", File = "L",
                  Task = "J", Queue = "Q", Semaphore = "M", Place = "P" }

local function hint_of (call)
  return hints[call.name] or letters[call.class] or
         call.class and "**" or "AXo?"
end

--}}

--{{ arguments

local makers = {}

local function object_maker (class)
  return function (r) return world.any_of(class, r) end
end

for letter, class in pairs{ S = "Stream", E = "Event", G = "Graph",
    A = "Array", H = "HostArray", D = "Device", C = "Scope", T = "table",
    L = "File", J = "Task", Q = "Queue", M = "Semaphore",
    P = "Place" } do
  makers[letter] = object_maker(class)
end

local integers = { 0, 1, 2, 3, 4, 5, -1, -2, 6, 7, 64, 1000, 4096, 1 << 20,
                   math.maxinteger, math.mininteger, 1 << 31, 1 << 40 }
local numbers = { 0, 1, 2, -1, 0.5, -2.5, 1e9, 3, 0/0, 1/0, -1/0, 255, 256,
                  1 << 40, math.maxinteger, math.mininteger, 1e300, 5e-324 }
local dtypes = { "int64", "float64", "bool", "uint8", "int32", "float32",
                 "int16", "complex64", "", "flaot32" }
local modes = { "relaxed", "global", "thread_local", "off", "warn", "error",
                "x" }
local specs = { "host", "host:0", "cuda", "host:1", 0, 1, -1, "host:x", "" }
local options = { "out", "blocking", "non_blocking", "priority", "null", "ptds",
                  "block", "disable_timing", "interprocess", "verbose",
                  "keepdims", "dtype", "prioirty", "axis", "threshold",
                  "edgeitems", "precision", 1 }

function makers.i (r) return r:pick(integers) end
function makers.x (r) return r:pick(numbers) end
function makers.t (r) return r:pick(dtypes) end
function makers.m (r) return r:pick(modes) end

function makers.d (r)
  local b = r:byte()
  return b < 128 and world.any_of("Device", r) or specs[b % #specs + 1]
end

function makers.n (r)  -- a shape
  local b = r:byte()
  if b < 96 then
    return b % 24
  elseif b < 128 then
    return r:pick(integers)
  end
  local shape = {}
  for i = 1, b % 5 do
    shape[i] = b < 224 and r:byte() % 5 or r:pick(integers)
  end
  return shape
end

function makers.k (r)  -- an index
  local b = r:byte()
  if b < 96 then
    return b % 10 - 3
  elseif b < 160 then
    return { { r:byte() % 12 - 4, r:byte() % 12 - 4 } }
  elseif b < 208 then
    return { r:byte() % 5 - 1, r:byte() % 5 - 1 }
  end
  return makers["*"](r)
end

function makers.s (r)
  local b = r:byte()
  if b < 64 then
    local h = world.any_of("HostArray", r)
    local ok, n = pcall(function () return h.nbytes end)
    return ok and n < 4096 and ("s"):rep(n) or ""
  elseif b < 96 then
    return "cuLaunchKernel: CUDA_ERROR_UNKNOWN (999): s"
  end
  return r:part()
end

-- Only what lives until the end: what others destroy is theirs to answer for.
function makers.p (r)
  return ({ 0, 1, 2, world.ptr, "0", 1.5 })[r:byte() % 6 + 1]
end

--- An array of either kind.
function makers.Y (r)
  return makers[r:byte() % 2 == 0 and "A" or "H"](r)
end

local file_modes = { "r", "w", "r+", "x" }
function makers.w (r) return r:pick(file_modes) end

local files = { assert(io.open("/dev/zero", "rb")),
                assert(io.open("/dev/null", "wb")),
                assert(io.open("/dev/full", "wb")),
                assert(io.open("/dev/null", "rb")) }
for _, file in ipairs(files) do
  file:setvbuf "no"
end
function makers.f (r) return r:pick(files) end

function makers.o (r)
  local t = {}
  for _ = 1, r:byte() % 4 do
    local name, b = r:pick(options), r:byte()
    if b < 160 then
      t[name] = b % 2 == 0
    elseif name == "out" then
      t[name] = world.any_of(b % 4 == 0 and "HostArray" or "Array", r)
    else
      t[name] = makers["*"](r)
    end
  end
  return t
end

function makers.X (r)  -- an operand
  local b = r:byte()
  if b < 140 then
    return world.any_of("Array", r)
  elseif b < 180 then
    return world.any_of("HostArray", r)
  elseif b < 220 then
    return r:pick(numbers)
  elseif b < 240 then
    local t = {}
    for i = 1, b % 7 do
      t[i] = b < 230 and i or { r:pick(numbers), b % 2 == 0 }
    end
    return t
  end
  return b % 2 == 0
end

function makers.F (r, depth)
  local part = r:part()
  return function (...)
    arguments.run(part, depth + 1, ...)
    return world.Array[#world.Array]
  end
end

function makers.z (r)  -- seconds
  local b = r:byte()
  return b < 200 and b * 1e-6 or r:pick{ 0, -1, 0/0, "x" }
end

function makers.O (r)  -- how a task begins
  local b = r:byte()
  return { name = b % 3 == 0 and "named" or nil,
           stream = b < 64 and "inherit" or b < 96 and "own" or
                    b < 160 and world.any_of("Stream", r) or nil }
end

function makers.L (r, depth)  -- what can be waited for
  local list = {}
  for i = 1, r:byte() % 4 do
    local b = r:byte()
    list[i] = b < 96 and makers.F(r, depth) or b < 128 and makers["*"](r, depth)
              or world.any_of(b < 200 and "Task" or "Array", r)
  end
  return list
end

local classes = { "Stream", "Event", "Graph", "Array", "HostArray", "Device",
                  "Scope", "table", "thread" }
arguments.classes = classes
local wild = "SEGAHDCTixtndksofFXmp"

makers["*"] = function (r, depth)
  local b = r:byte()
  if b < 40 then
    return nil
  elseif b < 50 then
    return b % 2 == 0
  elseif b < 60 then
    return tide.Stream
  elseif b < 160 then
    return world.any_of(classes[b % #classes + 1], r)
  end
  local at = b % #wild + 1
  return makers[wild:sub(at, at)](r, depth or math.huge)
end

--- list(call, r, depth) -> a packed list of arguments.
function arguments.list (call, r, depth)
  local hint = hint_of(call)
  local list = { n = 0 }
  local strange = r:byte()  -- bit i: argument i is anything
  strange = strange < 160 and 0 or strange
  for letter, optional in hint:gmatch "([^?])(%??)" do
    list.n = list.n + 1
    if strange >> (list.n - 1) & 1 == 1 and strange < 224 then
      list[list.n] = makers["*"](r, depth)
    elseif optional == "" or r:byte() % 2 == 1 then
      list[list.n] = makers[letter](r, depth)
    end
  end
  if strange == 255 then
    list.n = r:byte() % 4
  end
  return list
end

--}}

arguments.anything = makers["*"]
arguments.callback = makers.F

return arguments
