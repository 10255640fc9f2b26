--[[
numbers.lua - NumPy's rules in plain Lua, for specs to compare with: element
types as bytes and numbers, edge values, and what every operation of
kernels/kernels.def gives. Truth values are 0 and 1 here.
]]
local functions = require "spec.functions"

local numbers = {}

local fmod, huge = math.fmod, math.huge

numbers.dtypes = { "bool", "uint8", "int32", "int64", "float32", "float64" }

numbers.sets = {
  ALL = numbers.dtypes,
  NUMBER = { "uint8", "int32", "int64", "float32", "float64" },
  INTEGER = { "uint8", "int32", "int64" },
  BITS = { "bool", "uint8", "int32", "int64" },
  BOOL = { "bool" },
  FLOAT = { "float32", "float64" }
}

--{{ elements

local formats = { bool = "<B", uint8 = "<B", int32 = "<i4", int64 = "<i8",
                  float32 = "<f", float64 = "<d" }

numbers.size = { bool = 1, uint8 = 1, int32 = 4, int64 = 8, float32 = 4,
                 float64 = 8 }

function numbers.is_float (dtype)
  return dtype == "float32" or dtype == "float64"
end

local AT_ONCE = 100  -- elements a call: fewer calls take less time

local function format_of (dtype, n)
  return "<" .. formats[dtype]:sub(2):rep(n)
end

function numbers.pack (list, dtype)
  local parts, format = {}, format_of(dtype, AT_ONCE)
  for i = 1, #list, AT_ONCE do
    local last = math.min(i + AT_ONCE - 1, #list)
    if last - i + 1 < AT_ONCE then
      format = format_of(dtype, last - i + 1)
    end
    parts[#parts + 1] = format:pack(table.unpack(list, i, last))
  end
  return table.concat(parts)
end

function numbers.unpack (bytes, dtype)
  local list, n = {}, #bytes // numbers.size[dtype]
  local format, at = format_of(dtype, AT_ONCE), 1
  for i = 1, n, AT_ONCE do
    local count = math.min(AT_ONCE, n - i + 1)
    if count < AT_ONCE then
      format = format_of(dtype, count)
    end
    local some = { format:unpack(bytes, at) }
    at = some[count + 1]
    table.move(some, 1, count, i, list)
  end
  return list
end

--- Large integers on their way to float32 by float64 must not be rounded
-- twice: what is below the bits that float32 looks at only sticks to them.
local function sticky (x)
  if math.type(x) == "float" or x > -(1 << 53) and x < (1 << 53) then
    return x
  end
  return (x & ~0x7ff) | ((x & 0x7ff) ~= 0 and 0x400 or 0)
end

local fits = {
  bool = function (x) return x ~= 0 and 1 or 0 end,
  uint8 = function (x) return x & 0xff end,
  int32 = function (x)
    x = x & 0xffffffff
    return x < 0x80000000 and x or x - 0x100000000
  end,
  int64 = function (x) return x end,
  float32 = function (x)
    return (("<f"):unpack(("<f"):pack(sticky(x))))
  end,
  float64 = function (x) return x * 1.0 end  -- keeps the sign of zero
}

--- fit(x, dtype) -> the element that an exact number becomes: integers wrap
-- around, floats are rounded.
function numbers.fit (x, dtype)
  return fits[dtype](x)
end

local bounds = { uint8 = { 0, 255 }, int32 = { -1 << 31, (1 << 31) - 1 },
                 int64 = { math.mininteger, math.maxinteger } }

--- cast(x, to) -> x as an element of another type: floats are cut off and end
-- at the last integer there is, NaN is 0.
function numbers.cast (x, to)
  local b = bounds[to]
  if not b or math.type(x) == "integer" then
    return fits[to](x)
  elseif x ~= x then
    return 0
  elseif x <= b[1] then
    return b[1]
  elseif x >= b[2] then
    return b[2]
  end
  return math.tointeger(x < 0 and -(-x // 1) or x // 1)
end

local function is_nan (x) return x ~= x end

--- ulps(x, y, dtype) -> how many numbers of that type they are apart; 0 only
-- if they are the same, signs of zeros included.
function numbers.ulps (x, y, dtype)
  if is_nan(x) or is_nan(y) then
    return is_nan(x) and is_nan(y) and 0 or huge
  elseif not numbers.is_float(dtype) then
    return x == y and 0 or huge
  end
  local bits = dtype == "float32" and "<i4" or "<i8"
  local function order (v)
    local i = bits:unpack(formats[dtype]:pack(v))
    if i >= 0 then
      return i
    end
    return (dtype == "float32" and -1 << 31 or math.mininteger) - i - 1
  end
  return math.abs(order(x) - order(y))
end

--}}

--{{ values to try

local floats = {
  0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1.5, -2.5, 3.0, -7.25, 0.1,
  -0.1, 1 / 3, 10.0, 100.75, -255.5, 255.5, 256.0, 0.001, 1e-10, 16777216.0,
  16777217.0, 1e10, -1e10, 2147483520.0, 2147483648.0, -2147483648.0,
  -2147483904.0, 9.2e18, 2.0 ^ 63, -2.0 ^ 63, -9.3e18, 87.5, -87.5, 20.0,
  huge, -huge, 0 / 0
}

local function float_edges (smallest, normal, largest)
  local list = table.move(floats, 1, #floats, 1, {})
  for _, x in ipairs{ smallest, normal, largest } do
    list[#list + 1] = x
    list[#list + 1] = -x
  end
  return list
end

local edges = {
  bool = { 0, 1 },
  uint8 = { 0, 1, 2, 3, 7, 8, 63, 64, 100, 127, 128, 200, 254, 255 },
  int32 = { 0, 1, -1, 2, -2, 3, -3, 7, -7, 31, 32, 33, 63, 64, -64, 46341,
            -46341, 65536, (1 << 31) - 1, -(1 << 31), 1 - (1 << 31) },
  int64 = { 0, 1, -1, 2, -2, 3, -3, 7, -7, 31, 32, 62, 63, 64, -64, 1 << 31,
            -1 << 31, 1 << 32, 3037000500, (1 << 53) + 1, (1 << 24) + 1,
            math.maxinteger, math.mininteger, math.mininteger + 1,
            math.maxinteger - (1 << 38), (1 << 40) + (1 << 16) + 1 },
  float32 = float_edges(2.0 ^ -149, 2.0 ^ -126, 2.0 ^ 128 - 2.0 ^ 104),
  float64 = float_edges(2.0 ^ -1074, 2.0 ^ -1022, 0x1.fffffffffffffp1023)
}

--- edges(dtype) -> a list of elements where things go wrong.
function numbers.edges (dtype)
  local list = {}
  for i, x in ipairs(edges[dtype]) do
    list[i] = numbers.fit(x, dtype)
  end
  return list
end

--- random(dtype, n, pick) -> n elements, small and large; pick: a generator of
-- spec/helper.lua.
function numbers.random (dtype, n, pick)
  local list = {}
  for i = 1, n do
    local small = pick(2) == 1
    local x = small and pick(41) - 21 or pick(1 << 53) << 11 ~ pick(1 << 53)
    if numbers.is_float(dtype) then
      x = small and x / 4 or x / 2.0 ^ (pick(80) + 20)
    end
    list[i] = numbers.fit(x, dtype)
  end
  return list
end

--}}

--{{ operations: by name, of x, y and their dtype

local function zero_like (y)
  return (y < 0 or y == 0 and 1 / y < 0) and -0.0 or 0.0
end

local function floormod (x, y, t)
  if not numbers.is_float(t) then
    return y == 0 and 0 or x % y
  end
  local r = fmod(x, y)
  if r == 0 then
    return zero_like(y)
  end
  return (r < 0) ~= (y < 0) and r + y or r
end

--- NumPy's: rounds at every step, to the nearest integer at the last.
local function floordiv (x, y, t)
  if not numbers.is_float(t) then
    return y == 0 and 0 or x // y
  elseif y == 0 then
    return x / y
  end
  local fit = fits[t]
  local r = fmod(x, y)
  local q = fit(fit(x - r) / y)
  if r ~= 0 and (r < 0) ~= (y < 0) then
    q = fit(q - 1)
  end
  if q == 0 then
    return zero_like(x / y)
  end
  local down = q // 1
  return q - down > 0.5 and down + 1 or down
end

local function power (x, y, t)
  if numbers.is_float(t) then
    return x ^ y
  elseif y < 0 then
    return x == 1 and 1 or x == -1 and (y % 2 == 0 and 1 or -1) or 0
  end
  local r = 1
  while y > 0 do
    if y % 2 == 1 then
      r = r * x
    end
    x, y = x * x, y // 2
  end
  return r
end

local function shift_right (x, y)
  if y < 0 or y > 62 then
    return x < 0 and -1 or 0
  end
  return x // (1 << y)
end

local function truncmod (x, y, t)
  if numbers.is_float(t) then
    return fmod(x, y)
  end
  return y == 0 and 0 or fmod(x, y)
end

numbers.binary = {
  add = function (x, y) return x + y end,
  sub = function (x, y) return x - y end,
  mul = function (x, y) return x * y end,
  div = function (x, y) return x / y end,
  floordiv = floordiv,
  mod = floormod,
  pow = power,
  fmod = truncmod,
  atan2 = function (x, y) return math.atan(x, y) end,
  hypot = functions.hypot,
  copysign = functions.copysign,
  maximum = function (x, y) return (is_nan(x) or x > y) and x or y end,
  minimum = function (x, y) return (is_nan(x) or x < y) and x or y end,
  lt = function (x, y) return x < y end,
  le = function (x, y) return x <= y end,
  gt = function (x, y) return x > y end,
  ge = function (x, y) return x >= y end,
  eq = function (x, y) return x == y end,
  ne = function (x, y) return x ~= y end,
  band = function (x, y) return x & y end,
  bor = function (x, y) return x | y end,
  bxor = function (x, y) return x ~ y end,
  lshift = function (x, y) return y >= 0 and x << y or 0 end,
  rshift = shift_right,
  logical_and = function (x, y) return x & y end,
  logical_or = function (x, y) return x | y end,
  logical_xor = function (x, y) return x ~ y end
}

numbers.unary = {
  neg = function (x) return -x end,
  abs = function (x)
    return (x < 0 or x == 0 and numbers.ulps(x, 0.0, "float64") ~= 0) and -x
           or x
  end,
  square = function (x) return x * x end,
  sign = functions.sign,
  reciprocal = function (x) return 1 / x end,
  sqrt = math.sqrt,
  rsqrt = function (x, t) return 1 / fits[t](math.sqrt(x)) end,
  cbrt = functions.cbrt,
  exp = math.exp,
  exp2 = function (x) return 2.0 ^ x end,
  expm1 = functions.expm1,
  log = function (x) return math.log(x) end,
  log2 = function (x) return math.log(x, 2) end,
  log10 = function (x) return math.log(x, 10) end,
  log1p = functions.log1p,
  sin = math.sin,
  cos = math.cos,
  tan = math.tan,
  asin = math.asin,
  acos = math.acos,
  atan = function (x) return math.atan(x) end,
  sinh = functions.sinh,
  cosh = functions.cosh,
  tanh = functions.tanh,
  asinh = functions.asinh,
  acosh = functions.acosh,
  atanh = functions.atanh,
  degrees = function (x) return x * 57.295779513082321 end,
  radians = function (x) return x * 0.017453292519943295 end,
  floor = function (x) return x // 1 end,
  ceil = function (x) return -(-x // 1) end,
  trunc = functions.trunc,
  round = functions.round,
  bnot = function (x, t) return t == "bool" and 1 - x or ~x end,
  logical_not = function (x) return x == 0 end,
  isnan = is_nan,
  isinf = function (x) return x == huge or x == -huge end,
  isfinite = function (x) return x - x == 0 end
}

--- How far from the reference, in ulps of the result, functions may be that
-- no two libraries round alike. All others are exact.
numbers.inexact = {
  pow = 4, exp = 4, log = 4, sin = 4, cos = 4, tanh = 4, exp2 = 4, log2 = 4,
  log10 = 4, tan = 8, asin = 8, acos = 8, atan = 8, atan2 = 8, hypot = 4,
  cbrt = 4, expm1 = 8, log1p = 8, sinh = 8, cosh = 8, asinh = 8, acosh = 8,
  atanh = 8
}

--- What a reduction does with an accumulator and the next element.
numbers.reduce = {
  sum = { 0, function (a, x) return a + x end },
  prod = { 1, function (a, x) return a * x end },
  min = { huge, function (a, x) return (is_nan(a) or a < x) and a or x end },
  max = { -huge, function (a, x) return (is_nan(a) or a > x) and a or x end },
  any = { 0, function (a, x) return (a ~= 0 or x ~= 0) and 1 or 0 end },
  all = { 1, function (a, x) return (a ~= 0 and x ~= 0) and 1 or 0 end },
  count_nonzero = { 0, function (a, x) return x ~= 0 and a + 1 or a end }
}

--}}

return numbers
