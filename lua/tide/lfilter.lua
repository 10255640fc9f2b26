--[[
lfilter.lua - tide.lfilter(b, a, x): a recursive filter along an axis, as
SciPy's signal.lfilter.

DESIGN. The transposed direct form II, one element after the other, which is
stable where products of matrices of a filter are not. A unit of work is a line:
see src/ops/recursion.c, which wants the axis first, so that neighbouring lines
are neighbours in memory. A filter without recursion is a convolution, whose
elements are computed side by side.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local recursion <const> = require "tide.recursion"
local find <const>, format <const> = string.find, string.format
local kind_of <const> = arguments.kind_of

local OPTIONS <const> = { "axis", "zi" }

--{{ arguments

-- The functions below return what is wrong with an argument, or nil.

--- For a list, or the list of the elements of an array.
local function wrong_coefficients (list)
  if type(list) ~= "table" then
    return "list of numbers or array expected, got " .. kind_of(list)
  end
  local stray <const> = arguments.stray_key(list)
  if stray then return stray .. " in a list of numbers" end
  if #list == 0 then return "list of numbers expected, got an empty one" end
  for i = 1, #list do
    local x <const> = list[i]
    if type(x) ~= "number" or x - x ~= 0 then
      return format("item %d: a finite number expected, got %s", i,
        type(x) == "number" and arguments.number(x) or kind_of(x))
    end
  end
end

--- Returns the elements of an array of one axis, after waiting for them, and
-- any other value unchanged; or nil and what is wrong.
local function coefficients_of (list)
  local kind <const> = kind_of(list)
  if kind ~= "tide.Array" and kind ~= "tide.HostArray" then return list end
  local ndim <const>, why <const> = arguments.field(list, "ndim")
  if not ndim then
    return nil, why
  elseif ndim ~= 1 then
    return nil, format("an array of one axis expected, got %d", ndim)
  end
  return list:totable()
end

local function wrong_signal (x)
  local why <const> = arguments.wrong_array(x)
  if why then
    return why
  elseif x.ndim == 0 then
    return "an array of at least one axis expected"
  end
end

local function wrong_axis (axis, x)
  if math.type(axis) ~= "integer" then
    return "option 'axis' must be an integer, got " .. kind_of(axis)
  elseif axis == 0 or axis < -x.ndim or axis > x.ndim then
    return format("option 'axis': axis %d is out of range for an array of " ..
                  "%d axes", axis, x.ndim)
  end
end

--- For the initial states: as x, with 'order' of them along the axis.
local function wrong_states (zi, x, axis, order)
  if zi == nil then return end
  local why <const> = arguments.wrong_array(zi)
  if why then return "option 'zi': " .. why end
  local shape <const> = x.shape
  shape[axis > 0 and axis or axis + x.ndim + 1] = order
  local wanted <const> = table.concat(shape, ", ")
  if table.concat(zi.shape, ", ") ~= wanted then
    return format("option 'zi' must have shape {%s}, has {%s}", wanted,
             table.concat(zi.shape, ", "))
  elseif zi.device ~= x.device then
    return "option 'zi': arrays are on different devices"
  end
end

local function check (at, why)
  if why then arguments.refuse(at, "lfilter", why, 3) end
end

--}}

--{{ the filter

--- Returns the coefficients, of one length and divided by the first of a.
local function filter_of (b, a)
  local n <const> = math.max(#a, #b)
  local f <const> = { order = n - 1, a = {}, b = {} }
  for i = 1, n do
    f.a[i], f.b[i] = (a[i] or 0) / a[1], (b[i] or 0) / a[1]
    f.recursive = f.recursive or i > 1 and f.a[i] ~= 0
  end
  return f
end

--- Filters y, whose axis is the first one, in place. Returns it and the last
-- states.
local function recur (f, y, z)
  if not z then
    local shape <const> = y.shape
    shape[1] = f.order
    z = tide.zeros(shape, y.dtype)
  end
  recursion.run(y, z, tide.array({ f.b, f.a }, "float64"))
  return y, z
end

--- Filters x, whose axis is the last one, without recursion. The last states
-- are the outputs for zeros behind x; the first ones are such outputs, too.
local function convolve (f, x, z)
  local order <const>, shape <const> = f.order, x.shape
  local n <const>, window <const> = shape[#shape], {}
  for i, b in ipairs(f.b) do window[order + 2 - i] = b end
  local y <const> = x:reshape(x.size // n, n)
    :pad{ { 0, 0 }, { order, z and order or 0 } }
    :correlate2d(tide.array({ window }, x.dtype), "valid",
                 { method = "direct" })
  local function part (first, last)
    shape[#shape] = last - first + 1
    return y:slice(first, last, 1, 2):reshape(shape)
  end
  if not z then return y:reshape(shape) end
  if order == 0 then return y:reshape(shape), z end
  y:slice(1, order, 1, 2):add_(z:reshape(x.size // n, order))
  return part(1, n), part(n + 1, n + order)
end

--- Filters the lines of x along an axis. Returns the last states as well if
-- there are first ones.
local function filter_lines (f, x, axis, zi)
  local dtype <const> = find(x.dtype, "float") and x.dtype or
                        find(x.dtype, "complex") and x.dtype or
                        tide.get_default_dtype()
  local complex <const> = find(dtype, "complex") or
                          zi and find(zi.dtype, "complex")
  local wide <const> = complex and "complex128" or "float64"
  local to <const> = complex and not find(dtype, "complex") and wide or dtype
  local at <const> = f.recursive and 1 or -1
  local y = x:moveaxis(axis, at):astype(wide)
  local z = zi and zi:moveaxis(axis, at):astype(wide)
  if y.size > 0 then
    y, z = (f.recursive and recur or convolve)(f, y, z)
  end
  y = y:moveaxis(at, axis):astype(to)
  if not zi then return y end
  return y, z:moveaxis(at, axis)
end

--}}

--- lfilter(b, a, x [, { axis =, zi = }]) -> x filtered; with zi also the last
-- states.
return function (b, a, x, options)
  if options ~= nil then
    arguments.check_options("lfilter", 4, options, OPTIONS)
  end
  local o <const> = options or {}
  local why
  b, why = coefficients_of(b)
  check(1, why or wrong_coefficients(b))
  a, why = coefficients_of(a)
  check(2, why or wrong_coefficients(a) or
           a[1] == 0 and "the first coefficient must not be 0" or nil)
  check(3, wrong_signal(x))
  local f <const>, axis <const> = filter_of(b, a), o.axis or -1
  check(4, wrong_axis(axis, x) or wrong_states(o.zi, x, axis, f.order))
  return tide.with_device(x.device, function ()
    return tide.scope(function () return filter_lines(f, x, axis, o.zi) end)
  end)
end
