--[[
polyfit.lua - tide.polyfit(x, y, degree): the polynomial that is closest to
points, by least squares.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local matrices <const> = require "tide.matrices"
local format <const> = string.format
local wrong_array <const> = arguments.wrong_array

local OPTIONS <const> = { "rcond", "w" }

--{{ arguments

-- The functions below return what is wrong with an argument, or nil.

local function wrong_points (x)
  local why <const> = wrong_array(x)
  if why then
    return why
  elseif x.ndim ~= 1 then
    return format("a vector of points expected, got %d axes", x.ndim)
  elseif #x == 0 then
    return "an array without elements"
  end
end

--- For numbers that belong to the points: 'most' axes, the first as long as x.
local function wrong_beside (a, x, most)
  local why <const> = wrong_array(a)
  if why then
    return why
  elseif a.ndim == 0 or a.ndim > most or #a ~= #x then
    return format("a number for each of %d points expected, got shape {%s}",
             #x, table.concat(a.shape, ", "))
  elseif a.device ~= x.device then
    return "arrays are on different devices"
  end
end

local function wrong_degree (degree)
  local is_number <const> = type(degree) == "number"
  local n <const> = is_number and math.tointeger(degree)
  if not n or n < 0 then
    return "an integer from 0 on expected, got " ..
           (is_number and arguments.number or arguments.kind_of)(degree)
  elseif n >= 1 << 31 then
    return format("an integer below 2^31 expected, got %d", n)
  end
end

local function wrong_options (o, x)
  local why <const> = o.w ~= nil and wrong_beside(o.w, x, 1)
  return arguments.wrong_measure(o, "rcond") or
         why and "option 'w': " .. why or nil
end

local function check (at, why)
  if why then arguments.refuse(at, "polyfit", why, 3) end
end

--}}

--- Returns a column for each power from x^degree to x^0.
local function powers_of (x, degree)
  local factors <const> = x:expand_dims(1):broadcast_to{ degree, #x }
  local one <const> = tide.ones({ 1, #x }, x.dtype)
  return tide.concatenate{ one, factors }:cumprod(1):flip(1).T
end

--- Fits sums of powers. Their columns have length 1, because powers of large
-- numbers are far apart otherwise.
local function fit (x, y, degree, w, rcond)
  local dtype <const> = tide.result_type(x, y, w or x, "float64")
  local powers = powers_of(x:astype(dtype), degree)
  local columns = (y.ndim == 1 and y:expand_dims(2) or y):astype(dtype)
  if w then
    powers, columns = powers * w:expand_dims(2), columns * w:expand_dims(2)
  end
  local lengths <const> = powers:norm(2, 1)
  local c <const> = matrices.lstsq(powers / lengths, columns, rcond, "polyfit")
                    / lengths:expand_dims(2)
  return y.ndim == 1 and c:squeeze(2) or c
end

--- polyfit(x, y, degree [, { rcond =, w = }]) -> the coefficients, that of the
-- highest power first; a column for each column of y.
return function (x, y, degree, options)
  if options ~= nil then
    arguments.check_options("polyfit", 4, options, OPTIONS)
  end
  local o <const> = options or {}
  check(1, wrong_points(x))
  check(2, wrong_beside(y, x, 2))
  check(3, wrong_degree(degree))
  check(4, wrong_options(o, x))
  return (tide.with_device(x.device, function ()
    return tide.scope(fit, x, y, degree, o.w, o.rcond)
  end))
end
