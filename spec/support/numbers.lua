--[[
numbers.lua - NumPy's rules in plain Lua, for specs to compare with: element
types as bytes and numbers (elements.lua), edge values, and what every operation
of kernels/table.lua gives. Truth values are 0 and 1 here.
]]
local functions = require "spec.support.functions"
local numbers = require "spec.support.elements"

local fmod, huge = math.fmod, math.huge

local function is_nan (x) return x ~= x end

--- Rounds x as a step of computing type t does: floats of 16 bits in float32.
local function step (x, t)
  return numbers.fit(x, numbers.size[t] == 2 and numbers.is_float(t) and
                     "float32" or t)
end

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
  int8 = { 0, 1, -1, 2, -2, 3, -3, 7, 8, 11, -12, 64, -64, 100, 126, 127,
           -127, -128 },
  int16 = { 0, 1, -1, 2, -3, 7, 15, 16, 17, 63, 64, -64, 181, -182, 256,
            -1 << 15, 1 - (1 << 15), (1 << 15) - 1 },
  uint8 = { 0, 1, 2, 3, 7, 8, 63, 64, 100, 127, 128, 200, 254, 255 },
  uint16 = { 0, 1, 2, 3, 7, 16, 63, 64, 255, 256, 257, 32767, 32768, 40000,
             65534, 65535 },
  uint32 = { 0, 1, 2, 3, 31, 32, 63, 64, 65535, 65536, 65537, (1 << 24) + 1,
             (1 << 31) - 1, 1 << 31, 3000000000, (1 << 32) - 2,
             (1 << 32) - 1 },
  uint64 = { 0, 1, 2, 3, 62, 63, 64, 65, 1 << 32, (1 << 53) + 1,
             math.maxinteger, math.mininteger, math.mininteger + 1, -1, -2,
             -3, -1 << 10, -1 - (1 << 10), -1 << 39, -1 - (1 << 39), -1000,
             (1 << 40) + (1 << 16) + 1 },
  int32 = { 0, 1, -1, 2, -2, 3, -3, 7, -7, 31, 32, 33, 63, 64, -64, 46341,
            -46341, 65536, (1 << 31) - 1, -(1 << 31), 1 - (1 << 31) },
  int64 = { 0, 1, -1, 2, -2, 3, -3, 7, -7, 31, 32, 62, 63, 64, -64, 1 << 31,
            -1 << 31, 1 << 32, 3037000500, (1 << 53) + 1, (1 << 24) + 1,
            math.maxinteger, math.mininteger, math.mininteger + 1,
            math.maxinteger - (1 << 38), (1 << 40) + (1 << 16) + 1 },
  float16 = float_edges(2.0 ^ -24, 2.0 ^ -14, 65504.0),
  bfloat16 = float_edges(2.0 ^ -133, 2.0 ^ -126, 2.0 ^ 128 - 2.0 ^ 120),
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
-- spec/support/helper.lua.
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

--- Tells whether x < y as elements of type t.
local function less (x, y, t)
  if t == "uint64" then
    return math.ult(x, y)
  end
  return x < y
end

--- Quotient and remainder of what 64 bits without a sign mean.
local function divide (x, y)
  if y < 0 then
    return math.ult(x, y) and 0 or 1, math.ult(x, y) and x or x - y
  end
  local q = (x >> 1) // y << 1
  local r = x - q * y
  if not math.ult(r, y) then
    return q + 1, r - y
  end
  return q, r
end

local function floormod (x, y, t)
  if t == "uint64" and y ~= 0 then
    return (select(2, divide(x, y)))
  elseif not numbers.is_float(t) then
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
  if t == "uint64" and y ~= 0 then
    return (divide(x, y))
  elseif not numbers.is_float(t) then
    return y == 0 and 0 or x // y
  elseif y == 0 then
    return x / y
  end
  local function fit (v) return step(v, t) end
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
  elseif y < 0 and t ~= "uint64" then
    return x == 1 and 1 or x == -1 and (y % 2 == 0 and 1 or -1) or 0
  end
  local r = 1
  while y ~= 0 do
    if y & 1 == 1 then
      r = r * x
    end
    x, y = x * x, y >> 1
  end
  return r
end

--- Computes the power by a number; y = 0.5 on floats is a root, not a power.
local function power_by (x, y, t)
  if not numbers.is_float(t) or y ~= 0.5 then
    return power(x, y, t)
  end
  return x == 0 and x or x < 0 and 0 / 0 or x ^ 0.5
end

local function shift_right (x, y, t)
  if t == "uint64" then
    return y >= 0 and x >> y or 0
  elseif y < 0 or y > 62 then
    return x < 0 and -1 or 0
  end
  return x // (1 << y)
end

local function truncmod (x, y, t)
  if numbers.is_float(t) then
    return fmod(x, y)
  end
  if t == "uint64" and y ~= 0 then
    return (select(2, divide(x, y)))
  end
  return y == 0 and 0 or fmod(x, y)
end

--- log(e^x + e^y), of a base whose logarithm is 'base', as NumPy has it.
local function log_sum (x, y, t, base)
  if x == y then
    return x + math.log(2) / base
  end
  local d = step(x - y, t)
  local rest = functions.log1p(math.exp(-math.abs(d) * base)) / base
  return (d > 0 and x or y) + rest
end

--- The next number of type t from x towards y: a step of its bits.
local function next_after (x, y, t)
  if is_nan(x) or is_nan(y) then
    return x + y
  elseif x == y then
    return y
  end
  local size = numbers.size[t]
  local bits = ("<i" .. size):unpack(numbers.pack({ x }, t))
  if x == 0 then
    bits = (functions.is_negative(y) and -1 << (8 * size - 1) or 0) | 1
  else
    bits = bits + ((x < y) == (x > 0) and 1 or -1)
  end
  return numbers.unpack(("<i" .. size):pack(bits), t)[1]
end

--- |x| as 64 bits without a sign.
local function magnitude (x, t)
  return t ~= "uint64" and x < 0 and -x or x
end

local function quotient (x, y)
  if x < 0 or y < 0 then
    return (divide(x, y))
  end
  return x // y
end

local function divisor (x, y, t)
  x, y = magnitude(x, t), magnitude(y, t)
  while y ~= 0 do
    x, y = y, x - quotient(x, y) * y
  end
  return x
end

--- round(x, t) -> the element of type t that an operation with that result
-- gives.
function numbers.round (x, t)
  return numbers.fit(step(x, t), t)
end

--- Where the second operand is a number they may be others.
numbers.by_number = { pow = power_by }

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
  logaddexp = function (x, y, t) return log_sum(x, y, t, 1) end,
  logaddexp2 = function (x, y, t) return log_sum(x, y, t, math.log(2)) end,
  nextafter = next_after,
  ldexp = functions.ldexp,
  heaviside = function (x, y)
    return is_nan(x) and x or x == 0 and y or x > 0 and 1.0 or 0.0
  end,
  fmax = function (x, y) return (x >= y or is_nan(y)) and x or y end,
  fmin = function (x, y) return (x <= y or is_nan(y)) and x or y end,
  gcd = divisor,
  lcm = function (x, y, t)
    local d = divisor(x, y, t)
    return d == 0 and 0 or quotient(magnitude(x, t), d) * magnitude(y, t)
  end,
  maximum = function (x, y, t)
    return (is_nan(x) or less(y, x, t)) and x or y
  end,
  minimum = function (x, y, t)
    return (is_nan(x) or less(x, y, t)) and x or y
  end,
  lt = less,
  le = function (x, y, t) return x == y or less(x, y, t) end,
  gt = function (x, y, t) return less(y, x, t) end,
  ge = function (x, y, t) return x == y or less(y, x, t) end,
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
  abs = function (x, t)
    if t == "uint64" then
      return x
    end
    return (x < 0 or x == 0 and numbers.ulps(x, 0.0, "float64") ~= 0) and -x
           or x
  end,
  square = function (x) return x * x end,
  sign = function (x, t)
    return t == "uint64" and (x == 0 and 0 or 1) or functions.sign(x)
  end,
  reciprocal = function (x) return 1 / x end,
  sqrt = math.sqrt,
  rsqrt = function (x, t) return 1 / step(math.sqrt(x), t) end,
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
  erf = functions.erf,
  erfc = functions.erfc,
  erfinv = functions.erfinv,
  gamma = functions.gamma,
  lgamma = functions.lgamma,
  sinc = function (x, t)
    local y = step(x * step(math.pi, t), t)
    return x == 0 and 1.0 or math.sin(y) / y
  end,
  sigmoid = function (x)
    local e = math.exp(-math.abs(x))
    return (x >= 0 and 1 or e) / (1 + e)
  end,
  softplus = function (x)
    return (x > 0 and x or 0) + functions.log1p(math.exp(-math.abs(x)))
  end,
  relu = function (x, t)
    return (x > 0 or x ~= x or t == "uint64") and x or 0
  end,
  degrees = function (x) return x * 57.295779513082321 end,
  radians = function (x) return x * 0.017453292519943295 end,
  floor = function (x) return x // 1 end,
  ceil = function (x) return -(-x // 1) end,
  trunc = functions.trunc,
  round = functions.round,
  bnot = function (x, t) return t == "bool" and 1 - x or ~x end,
  logical_not = function (x) return x == 0 end,
  signbit = functions.is_negative,
  modf = function (x)
    return functions.copysign((x == huge or x == -huge) and 0.0 or
                              x - functions.trunc(x), x)
  end,
  frexp = function (x) return (functions.frexp(x)) end,
  frexp_exponent = function (x) return (select(2, functions.frexp(x))) end,
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
  atanh = 8, erf = 8, erfc = 8, erfinv = 8, gamma = 16, lgamma = 32, sinc = 8,
  sigmoid = 8, softplus = 8, logaddexp = 64, logaddexp2 = 64
}

--- Where results near zero are differences of larger numbers: so many ulps of
-- 1 are right as well. CUDA's guide gives lgamma's error between -10.001 and
-- -2.264, where it has zeros, as "larger".
numbers.absolute = { lgamma = 4 }

--- Tells whether a function may return x where the reference returns y.
function numbers.near (name, x, y, dtype)
  local most = numbers.absolute[name]
  return numbers.ulps(x, y, dtype) <= (numbers.inexact[name] or 0) or
         most ~= nil and x - y == x - y and
         numbers.ulps(1 + math.abs(x - y), 1.0, dtype) <= most
end

--- The value that a reduction begins with (nil: the first element), and the
-- function of that value and the next element.
numbers.reduce = {
  sum = { 0, function (a, x) return a + x end },
  prod = { 1, function (a, x) return a * x end },
  min = { nil, numbers.binary.minimum },
  max = { nil, numbers.binary.maximum },
  nanmin = { nil, numbers.binary.fmin },
  nanmax = { nil, numbers.binary.fmax },
  any = { 0, function (a, x) return (a ~= 0 or x ~= 0) and 1 or 0 end },
  all = { 1, function (a, x) return (a ~= 0 and x ~= 0) and 1 or 0 end },
  count_nonzero = { 0, function (a, x) return x ~= 0 and a + 1 or a end }
}

--}}

return numbers
