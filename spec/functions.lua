--[[
functions.lua - mathematical functions that Lua's library lacks, in plain Lua,
for spec/numbers.lua: as Kahan and fdlibm have them, right to a few ulps.
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

--- odd(fn): fn is for numbers from 0, and its negative for those below.
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

--- By its continued fraction near 0, where 1 - 2/(e^2x + 1) has no digits.
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
