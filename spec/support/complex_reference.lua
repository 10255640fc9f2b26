--[[
complex_reference.lua - what complex_spec.lua compares with: NumPy's arithmetic
of complex numbers, to the bit, and functions of them by other formulas than
kernels/complex.h has. Numbers are tables of two.
]]

--{{ NumPy's arithmetic; fit rounds every step

local exact = {}

function exact.add (x, y, fit)
  return fit(x[1] + y[1]), fit(x[2] + y[2])
end

function exact.sub (x, y, fit)
  return fit(x[1] - y[1]), fit(x[2] - y[2])
end

function exact.mul (x, y, fit)
  return fit(fit(x[1] * y[1]) - fit(x[2] * y[2])),
         fit(fit(x[1] * y[2]) + fit(x[2] * y[1]))
end

--- Smith's: the ratio is of the smaller part to the larger one.
function exact.div (x, y, fit)
  local a, b = math.abs(y[1]), math.abs(y[2])
  if a >= b then
    if a == 0 and b == 0 then
      return fit(x[1] / a), fit(x[2] / a)
    end
    local ratio = fit(y[2] / y[1])
    local scale = fit(1 / fit(y[1] + fit(y[2] * ratio)))
    return fit(fit(x[1] + fit(x[2] * ratio)) * scale),
           fit(fit(x[2] - fit(x[1] * ratio)) * scale)
  end
  local ratio = fit(y[1] / y[2])
  local scale = fit(1 / fit(y[2] + fit(y[1] * ratio)))
  return fit(fit(fit(x[1] * ratio) + x[2]) * scale),
         fit(fit(fit(x[2] * ratio) - x[1]) * scale)
end

--}}

--{{ functions

local function polar (r, angle)
  return { r * math.cos(angle), r * math.sin(angle) }
end

local function modulus (z)
  local a, b = math.abs(z[1]), math.abs(z[2])
  local high, low = math.max(a, b), math.min(a, b)
  return high == 0 and 0.0 or high * math.sqrt(1 + (low / high) ^ 2)
end

local function angle (z) return math.atan(z[2], z[1]) end

local functions = {
  exp = function (z) return polar(math.exp(z[1]), z[2]) end,
  log = function (z) return { math.log(modulus(z)), angle(z) } end,
  sqrt = function (z) return polar(math.sqrt(modulus(z)), angle(z) / 2) end,
  sin = function (z)
    local e, f = math.exp(z[2]), math.exp(-z[2])
    return { math.sin(z[1]) * (e + f) / 2, math.cos(z[1]) * (e - f) / 2 }
  end,
  cos = function (z)
    local e, f = math.exp(z[2]), math.exp(-z[2])
    return { math.cos(z[1]) * (e + f) / 2, -math.sin(z[1]) * (e - f) / 2 }
  end,
  square = function (z) return { z[1] ^ 2 - z[2] ^ 2, 2 * z[1] * z[2] } end
}

local function power (x, y)
  local r, phi = math.log(modulus(x)), angle(x)
  return polar(math.exp(y[1] * r - y[2] * phi), y[1] * phi + y[2] * r)
end

--}}

return { exact = exact, functions = functions, modulus = modulus,
         power = power }
