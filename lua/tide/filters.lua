--[[
filters.lua - tide.gaussian_filter and tide.median_filter, as in SciPy's
ndimage: each element becomes a figure of a window around it. Windows that go
beyond the array see an extended copy.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local kind_of <const>, wrong_number <const> = arguments.kind_of,
                                              arguments.wrong_number

local filters <const> = {}

-- The modes of tide.pad by SciPy's names.
local MODES <const> = { constant = "constant", mirror = "reflect",
                        nearest = "edge", reflect = "symmetric", wrap = "wrap" }

-- The most elements of a median's window, because each is a view of the array;
-- the largest radius and order of a Gaussian, whose weights Lua computes.
local WINDOW <const>, RADIUS <const>, ORDER <const> = 1 << 14, 1 << 20, 64

--{{ arguments

-- The functions below return what is wrong with an argument, or nil.

local function wrong_mode (o)
  if o.mode ~= nil and not MODES[o.mode] then
    return "option 'mode' must be 'reflect', 'constant', 'nearest', " ..
           "'mirror' or 'wrap'"
  end
end

--- For the number around an array whose elements keep their dtype.
local function wrong_cval (o, dtype)
  local why <const> = wrong_number(o, "cval")
  if why or o.cval == nil or o.mode ~= "constant" then return why end
  local unfit <const> = arguments.reason(tide.full, 0, o.cval, dtype)
  return unfit and "option 'cval': " .. unfit or nil
end

--- For a value, or a list with one for each axis, that test(x) accepts.
local function wrong_list (value, ndim, what, test)
  if type(value) ~= "table" then
    return not test(value) and
           ("%s expected, got %s"):format(what, type(value) == "number" and
             arguments.number(value) or kind_of(value)) or nil
  end
  local stray <const> = arguments.stray_key(value)
  if stray then
    return stray .. " in a list for the axes"
  elseif #value ~= ndim then
    return ("a list for %d axes expected, got %d"):format(ndim, #value)
  end
  for i = 1, ndim do
    if not test(value[i]) then
      return ("item %d: %s expected"):format(i, what)
    end
  end
end

local function is_integer (least, most)
  return function (x)
    return math.type(x) == "integer" and x >= least and x <= (most or x)
  end
end

local function is_sigma (x)
  return type(x) == "number" and x >= 0 and x < math.huge
end

local function wrong_option (o, name, ndim, what, test)
  local why <const> = o[name] ~= nil and
                      wrong_list(o[name], ndim, what, test)
  return why and ("option '%s': %s"):format(name, why) or nil
end

local function check (at, name, why)
  if why then arguments.refuse(at, name, why, 3) end
end

local function read (name, options, names)
  if options == nil then return {} end
  arguments.check_options(name, 3, options, names)
  return options
end

--- Returns the value for axis i.
local function of_axis (value, i)
  if type(value) == "table" then return value[i] end
  return value
end

--}}

--{{ windows

--- Returns 'a' with elements added before and behind axis i.
local function extend (a, i, before, behind, o)
  local width <const> = {}
  for k = 1, a.ndim do width[k] = { 0, 0 } end
  width[i] = { before, behind }
  return a:pad(width, { mode = MODES[o.mode or "reflect"],
                        value = o.mode == "constant" and o.cval or nil })
end

--- Returns the weights of a Gaussian, or of its derivative of that order, which
-- is the Gaussian times a polynomial q.
local function weights_of (sigma, order, radius)
  local q <const>, w, sum = { [0] = 1 }, {}, 0
  for _ = 1, order do
    local last <const> = table.move(q, 0, order, 0, {})
    for i = 0, order do
      q[i] = (i + 1) * (last[i + 1] or 0) - (last[i - 1] or 0) / sigma ^ 2
    end
  end
  for x = -radius, radius do
    local phi <const>, value = math.exp(-x * x / (2 * sigma ^ 2)), 0
    for i = order, 0, -1 do value = value * x + (q[i] or 0) end
    w[radius + 1 - x], sum = value * phi, sum + phi
  end
  for i = 1, #w do w[i] = w[i] / sum end
  return w
end

--- Correlates the lines along axis i with weights. Lines are rows then, so that
-- windows of a matrix never mix them.
local function correlate_lines (a, i, weights, o)
  local radius <const>, n <const> = #weights // 2, a.shape[i]
  local lines <const> = a:moveaxis(i, -1)
  local rows <const> = extend(lines:reshape(-1, n), 2, radius, radius, o)
  local window <const> = tide.array({ weights }, a.dtype)
  return rows:correlate2d(window, "valid", { method = "direct" })
             :reshape(lines.shape):moveaxis(-1, i)
end

--- Returns the radius of the window along axis i.
local function radius_of (sigma, o, i)
  local radius <const> = of_axis(o.radius, i)
  return radius or (o.truncate or 4) * of_axis(sigma, i) + 0.5
end

local function wrong_radius (a, sigma, o)
  for i = 1, a.ndim do
    if radius_of(sigma, o, i) > RADIUS then
      return ("a window of a radius up to %d expected, got %.14g"):format(
               RADIUS, radius_of(sigma, o, i))
    end
  end
end

local function blur (a, sigma, o)
  local dtype <const> = a.dtype:find "float" and a.dtype or
                        a.dtype:find "complex" and a.dtype or
                        tide.get_default_dtype()
  local x = a:astype(dtype:find "float16" and "float32" or dtype)
  for i = 1, a.ndim do
    local s <const> = of_axis(sigma, i)
    if s > 1e-15 and a.size > 0 then
      x = correlate_lines(x, i, weights_of(s, of_axis(o.order, i) or 0,
                                           radius_of(sigma, o, i) // 1 | 0), o)
    end
  end
  return x:astype(dtype):copy()
end

--- gaussian_filter(a, sigma [, options]) -> a, smoothed along each axis.
function filters.gaussian_filter (a, sigma, options)
  local name <const> = "gaussian_filter"
  local o <const> = read(name, options, { "cval", "mode", "order", "radius",
                                          "truncate" })
  check(1, name, arguments.wrong_array(a))
  check(2, name, wrong_list(sigma, a.ndim, "a number from 0 on", is_sigma))
  check(3, name, wrong_mode(o) or wrong_number(o, "cval") or
                 wrong_option(o, "order", a.ndim, "an integer from 0 to 64",
                              is_integer(0, ORDER)) or
                 wrong_option(o, "radius", a.ndim, "an integer from 0 on",
                              is_integer(0)) or
                 arguments.wrong_measure(o, "truncate") or
                 wrong_radius(a, sigma, o))
  return (tide.with_device(a.device, function ()
    return tide.scope(function () return blur(a, sigma, o) end)
  end))
end

--- For windows of more elements than there can well be arrays.
local function wrong_window (size, ndim)
  local count = 1
  for i = 1, ndim do
    count = count * of_axis(size, i)
    if count > WINDOW or of_axis(size, i) > WINDOW then
      return ("windows of up to %d elements expected"):format(WINDOW)
    end
  end
end

--- Returns the views of 'a' that are the elements of all windows.
local function views (a, shape, size)
  local all = { a }
  for i = 1, a.ndim do
    local next_ones <const> = {}
    for _, view in ipairs(all) do
      for k = 1, of_axis(size, i) do
        next_ones[#next_ones + 1] = view:slice(k, k + shape[i] - 1, 1, i)
      end
    end
    all = next_ones
  end
  return all
end

local function rank (a, size, o)
  local whole = a
  if a.size == 0 then return a:copy() end
  for i = 1, a.ndim do
    local n <const> = of_axis(size, i)
    whole = extend(whole, i, n // 2, n - 1 - n // 2, o)
  end
  local all <const> = tide.stack(views(whole, a.shape, size), 1)
  local middle <const> = all.shape[1] // 2 + 1
  return all:partition(middle, 1):select(1, middle):copy()
end

--- median_filter(a, size [, options]) -> the median of the window of each
-- element.
function filters.median_filter (a, size, options)
  local name <const> = "median_filter"
  local o <const> = read(name, options, { "cval", "mode" })
  check(1, name, arguments.wrong_array(a) or
                 tide.isdtype(a, "complex floating") and
                 ("%s numbers have no order"):format(a.dtype) or nil)
  check(2, name, wrong_list(size, a.ndim, "an integer from 1 on",
                            is_integer(1)) or wrong_window(size, a.ndim))
  check(3, name, wrong_mode(o) or wrong_cval(o, a.dtype))
  return (tide.with_device(a.device, function ()
    return tide.scope(function () return rank(a, size, o) end)
  end))
end

--}}

return filters
