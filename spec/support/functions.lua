--[[
functions.lua - mathematical functions that Lua's library lacks, in plain Lua,
for numbers.lua: as Kahan and fdlibm have them, right to a few ulps.
]]
local functions = {}

local huge = math.huge

local function is_nan (x) return x ~= x end

local function is_negative (x)
  return ("<d"):pack(x):byte(8) >= 128  -- zeros and NaNs have signs as well
end

local function with_sign (x, y)
  return (is_negative(x) ~= is_negative(y)) and -x or x
end

function functions.hypot (x, y)
  local a, b = math.abs(x), math.abs(y)
  if a == huge or b == huge then
    return huge
  elseif is_nan(a) or is_nan(b) then
    return 0 / 0
  elseif a < b then
    a, b = b, a
  end
  return a == 0 and a or a * math.sqrt(1 + (b / a) ^ 2)
end

local function expm1 (x)
  local y = math.exp(x)
  if y == 1 or y == huge or is_nan(x) then
    return y == 1 and x or y
  end
  return y == 0 and -1.0 or (y - 1) * x / math.log(y)
end

local function log1p (x)
  local y = 1 + x
  if y == 1 or y == huge then
    return y == 1 and x or math.log(y)
  end
  return math.log(y) * (x / (y - 1))
end

--- odd(fn): an odd function, whose values from 0 on are those of fn.
local function odd (fn)
  return function (x)
    return with_sign(fn(math.abs(x)), x)
  end
end

local sinh = odd(function (x)
  local y, half = expm1(x), math.exp(x / 2)
  return x > 20 and half / 2 * half or (y + y / (y + 1)) / 2
end)

local function cosh (x)
  local half = math.exp(math.abs(x) / 2)
  return half / 2 * half + math.exp(-math.abs(x)) / 2
end

local asinh = odd(function (x)
  return x > 1e8 and math.log(x) + math.log(2) or
         log1p(x + x * x / (1 + math.sqrt(x * x + 1)))
end)

local function acosh (x)
  local t = x - 1
  if x < 1 then
    return 0 / 0
  end
  return x > 1e8 and math.log(x) + math.log(2) or
         log1p(t + math.sqrt(2 * t + t * t))
end

local atanh = odd(function (x)
  if x >= 1 then
    return x == 1 and huge or 0 / 0
  end
  return log1p(2 * x + 2 * x * x / (1 - x)) / 2
end)

local cbrt = odd(function (x)
  local y = x ^ (1 / 3)
  return (x == 0 or x == huge) and x or y - (y - x / y / y) / 3
end)

local trunc = odd(function (x) return x // 1 end)

--- To the nearest integer, of two the even one.
local round = odd(function (x)
  return x < 0x1p52 and x + 0x1p52 - 0x1p52 or x
end)

--- Uses its continued fraction near 0, where 1 - 2/(e^2x + 1) has no digits.
local function tanh (x)
  if math.abs(x) >= 1 then
    local y = 1 - 2 / (math.exp(2 * math.abs(x)) + 1)
    return x < 0 and -y or y
  end
  local f = 25.0
  for k = 23, 1, -2 do
    f = k + x * x / f
  end
  return x / f
end

--{{ special functions

--- erf for |x| < 3 by its series of terms that are all positive.
local function erf_series (x)
  local term, sum = x, x
  for n = 1, 200 do
    term = term * 2 * x * x / (2 * n + 1)
    sum = sum + term
    if term < sum * 1e-18 then break end
  end
  return sum * 2 / math.sqrt(math.pi) * math.exp(-x * x)
end

--- exp(-x^2), of which the rounded square would cost digits.
local function exp_square (x)
  local high = (x * 16) // 1 / 16
  return math.exp(-high * high) * math.exp(-(x - high) * (x + high))
end

--- erfc for x >= 2 by its continued fraction.
local function erfc_fraction (x)
  local f = x
  for k = 120, 1, -1 do
    f = x + k / 2 / f
  end
  return exp_square(x) / f / math.sqrt(math.pi)
end

local erf = odd(function (x)
  return x < 2 and erf_series(x) or x > 6 and 1.0 or is_nan(x) and x or
         1 - erfc_fraction(x)
end)

--- 1 - erf(x) where that keeps its digits; between, by a Taylor series about
-- the nearest of some points.
local function erfc (x)
  if is_nan(x) then
    return x
  elseif x < 0.25 then
    return 1 - erf(x)
  elseif x >= 2 then
    return x > 28 and 0.0 or erfc_fraction(x)
  end
  local from = 2.0  -- down from there, in steps: erfc' is known
  local y = erfc_fraction(from)
  while from > x do
    local to = math.max(x, from - 0.0625)
    local h = from - to
    -- the integral of exp(-t^2) over [to, from] by Gauss's five points
    local sum = 0
    for _, point in ipairs{ { 0, 128 / 225 },
                            { 0.5384693101056831, 0.4786286704993665 },
                            { 0.906179845938664, 0.2369268850561891 } } do
      local d, w = point[1] * h / 2, point[2]
      local middle = (from + to) / 2
      sum = sum + w * exp_square(middle + d)
      if d ~= 0 then sum = sum + w * exp_square(middle - d) end
    end
    y = y + sum * h / 2 * 2 / math.sqrt(math.pi)
    from = to
  end
  return y
end

--- Uses Newton's steps on erf, or on erfc further out; y begins below the root.
local erfinv = odd(function (x)
  if x >= 1 or is_nan(x) then
    return x == 1 and huge or 0 / 0
  end
  local y = x * math.sqrt(math.pi) / 2
  if x > 0.5 then
    y = math.sqrt(-math.log((1 - x) * (1 + x)))
  end
  for _ = 1, 60 do
    local slope = 2 / math.sqrt(math.pi) * exp_square(y)
    local off = x > 0.5 and (1 - x) - erfc(y) or erf(y) - x
    local step = off / slope
    y = y - step / (1 + y * step)  -- Halley's
    if math.abs(step) <= y * 1e-17 then break end
  end
  return y
end)

--- Stirling's series, of x >= 24.
local function stirling (x)
  local z = 1 / (x * x)
  local sum = 1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 -
              z * (1 / 1188 - z * 691 / 360360))))
  return sum / x
end

--- sin(pi x), exact where x is whole.
local function sin_pi (x)
  local r = math.fmod(x, 2)
  local whole = round(r * 2)
  local d = math.pi * (r - whole / 2)
  whole = math.tointeger(whole) % 4
  return whole == 0 and math.sin(d) or whole == 1 and math.cos(d) or
         whole == 2 and -math.sin(d) or -math.cos(d)
end

--- zeta(k), k > 1: a sum, and the rest of it by Euler and Maclaurin.
local function zeta (k)
  local n, sum = 400.0, 0.0
  for i = n - 1, 1, -1 do sum = sum + i ^ -k end
  return sum + n ^ (1 - k) / (k - 1) + n ^ -k / 2 + k * n ^ (-k - 1) / 12 -
         k * (k + 1) * (k + 2) * n ^ (-k - 3) / 720
end

local zetas = {}
for k = 2, 60 do zetas[k] = zeta(k) end

--- lgamma(1 + z) for |z| <= 0.5, by its series.
local function lgamma_1 (z)
  local sum = 0.0
  for k = 60, 2, -1 do
    sum = (zetas[k] / k - z * sum)
  end
  return z * (z * sum - 0.5772156649015329)
end

--- Uses products, down or up to the numbers that the series is for.
local function gamma (x)
  if x == 0 then
    return 1 / x
  elseif is_nan(x) or x == -huge or x < 0 and x == x // 1 then
    return 0 / 0
  elseif x < -190 then
    return sin_pi(x) > 0 and 0.0 or -0.0
  elseif x > 171.7 then
    return huge
  end
  local above, below = 1.0, 1.0
  while x > 1.5 do
    x = x - 1
    above = above * x
  end
  while x < -0.5 do
    below = below * x
    x = x + 1
  end
  if x < 0.5 then
    return math.exp(lgamma_1(x)) / x / below
  end
  return math.exp(lgamma_1(x - 1)) * above / below
end

local function lgamma (x)
  if is_nan(x) then
    return x
  elseif x == huge or x == -huge or x <= 0 and x == x // 1 then
    return huge
  elseif x > -0.5 and x < 0.5 then
    return lgamma_1(x) - math.log(math.abs(x))
  elseif x < -100 then
    return math.log(math.pi / math.abs(sin_pi(x))) - lgamma(1 - x)
  elseif x >= 0.5 and x <= 1.5 then
    return lgamma_1(x - 1)
  elseif x >= 1.5 and x <= 2.5 then
    return lgamma_1(x - 2) + log1p(x - 2)
  elseif x < 24 then
    return math.log(math.abs(gamma(x)))
  elseif x > 1e17 then
    return x * (math.log(x) - 1)
  end
  return (x - 0.5) * (math.log(x) - 1) - 0.5 + 0.9189385332046727 + stirling(x)
end

--}}

--{{ floats as they are made up

--- frexp(x) -> mantissa, exponent
local function frexp (x)
  if x == 0 or x - x ~= 0 then
    return x, 0
  end
  local e = 0
  while math.abs(x) >= 1 do x, e = x / 2, e + 1 end
  while math.abs(x) < 0.5 do x, e = x * 2, e - 1 end
  return x, e
end

--- x * 2^n, where n may be any float.
local function ldexp (x, n)
  if x == 0 or x - x ~= 0 then
    return x
  end
  local m, e = frexp(x)
  n = math.max(-5000, math.min(5000, n)) + e
  if n > 1024 then
    return m * huge
  end
  return n < -1000 and m * 2.0 ^ -40 * 2.0 ^ math.max(n + 40, -1074) or
         m * 2 * 2.0 ^ (n - 1)
end

--}}

functions.erf = erf
functions.erfc = erfc
functions.erfinv = erfinv
functions.gamma = gamma
functions.lgamma = lgamma
functions.frexp = frexp
functions.ldexp = ldexp
functions.is_negative = is_negative

function functions.sign (x)
  return x > 0 and 1 or x < 0 and -1 or is_nan(x) and x or 0
end

functions.copysign = with_sign
functions.acosh = acosh
functions.asinh = asinh
functions.atanh = atanh
functions.cbrt = cbrt
functions.cosh = cosh
functions.expm1 = expm1
functions.log1p = log1p
functions.round = round
functions.sinh = sinh
functions.tanh = tanh
functions.trunc = trunc

return functions
