--[[
filters.lua - tide.gaussian_filter and tide.median_filter, as in SciPy's
ndimage: each element becomes a figure of a window around it. Windows that go
beyond the array see an extended copy. tide.resize, as jax.image.resize: each
element of another number of elements is a mean of a window, with weights.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local find <const>, format <const> = string.find, string.format
local kind_of <const>, wrong_number <const> = arguments.kind_of,
                                              arguments.wrong_number

local filters <const> = {}

-- The modes of tide.pad by SciPy's names.
local MODES <const> = { constant = "constant", mirror = "reflect",
                        nearest = "edge", reflect = "symmetric", wrap = "wrap" }

-- The most elements of a median's window, because each is a view of the array;
-- the largest radius and order of a Gaussian, whose weights Lua computes.
local WINDOW <const>, RADIUS <const>, ORDER <const> = 1 << 14, 1 << 20, 64

-- The most elements of windows that resize gathers at once, unless those of a
-- single element are more.
local PART <const> = 1 << 22

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
           format("%s expected, got %s", what, type(value) == "number" and
             arguments.number(value) or kind_of(value)) or nil
  end
  local stray <const> = arguments.stray_key(value)
  if stray then
    return stray .. " in a list for the axes"
  elseif #value ~= ndim then
    return format("a list for %d axes expected, got %d", ndim, #value)
  end
  for i = 1, ndim do
    if not test(value[i]) then
      return format("item %d: %s expected", i, what)
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
  return why and format("option '%s': %s", name, why) or nil
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

--- Returns the dtype of means of elements.
local function float_of (a)
  return find(a.dtype, "float") and a.dtype or find(a.dtype, "complex") and
         a.dtype or tide.get_default_dtype()
end

--- Returns the dtype in which such means are computed.
local function wide_of (dtype)
  return find(dtype, "float16") and "float32" or dtype
end

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
      return format("a window of a radius up to %d expected, got %.14g",
               RADIUS, radius_of(sigma, o, i))
    end
  end
end

local function blur (a, sigma, o)
  local dtype <const> = float_of(a)
  local x = a:astype(wide_of(dtype))
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
      return format("windows of up to %d elements expected", WINDOW)
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
                 format("%s numbers have no order", a.dtype) or nil)
  check(2, name, wrong_list(size, a.ndim, "an integer from 1 on",
                            is_integer(1)) or wrong_window(size, a.ndim))
  check(3, name, wrong_mode(o) or wrong_cval(o, a.dtype))
  return (tide.with_device(a.device, function ()
    return tide.scope(function () return rank(a, size, o) end)
  end))
end

--}}

--{{ sizes

-- The kernel of each method: its radius, and its values at distances x >= 0.
local KERNELS <const> = {
  linear = { 1, function (x) return tide.maximum(1 - x, 0) end },
  cubic = { 2, function (x)  -- Keys, a = -0.5
    local near <const> = (1.5 * x - 2.5) * x * x + 1
    local far <const> = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return tide.where(x:lt(1), near, far * x:lt(2))
  end },
  lanczos3 = { 3, function (x)
    return x:sinc() * (x / 3):sinc() * x:lt(3)
  end },
}

local function wrong_method (o)
  if o.method ~= nil and o.method ~= "nearest" and not KERNELS[o.method] then
    return "option 'method' must be 'nearest', 'linear', 'cubic' or 'lanczos3'"
  end
end

local function wrong_shape (a, shape)
  if type(shape) ~= "table" then
    return "shape must be a table of sizes, got " .. kind_of(shape)
  end
  local why <const> = arguments.reason(tide.broadcast_shapes, shape)
  if why then return why end
  shape = tide.broadcast_shapes(shape)
  if #shape ~= a.ndim then
    return format("shape must have a size for each axis, %d, has %d",
             a.ndim, #shape)
  end
  for i, n in ipairs(a.shape) do
    if n == 0 and shape[i] > 0 then
      return format("axis %d has no elements to make %d from", i, shape[i])
    elseif n * 1.0 * shape[i] > 1 << 60 then
      return format("axis %d is too long: %d elements to %d", i, n, shape[i])
    end
  end
end

--- Returns the axes whose length changes. The axes that shrink most come first,
-- so that each array between is at most as large as the first or the last one.
local function changed_axes (from, to)
  local axes <const> = {}
  for i = 1, #from do
    if from[i] ~= to[i] then axes[#axes + 1] = i end
  end
  table.sort(axes, function (i, k)
    local x <const>, y <const> = to[i] / from[i], to[k] / from[k]
    return x < y or x == y and i < k
  end)
  return axes
end

--- Returns the centres of m elements along an axis of n, from element 0's
-- centre, in units of 1 / (2 * m) of an element: integers, so that windows are
-- exact.
local function centres_of (n, m)
  return tide.arange(n - m, n - m + 2 * n * m, 2 * n)
end

--- Returns the elements, from 0, that are nearest to the centres of m.
local function nearest_to (centres, m) return (centres + m) // (2 * m) end

--- Returns the window of each of m elements along an axis of n: a row of places
-- from 0, and a row of weights. Windows stay within the axis, so its ends have
-- weights of 0: these take the nearest element, as another one may be NaN.
local function windows_of (n, m, method, antialias)
  local radius <const>, kernel <const> = table.unpack(KERNELS[method])
  local unit <const> = 2 * (antialias and math.max(n, m) or m)
  local width <const> = math.min(n, (radius * unit + m - 1) // m)
  local centres <const> = centres_of(n, m):reshape(m, 1)
  local first <const> = (centres - radius * unit) // (2 * m) + 1
  local at <const> = first:clip(0, n - width) + tide.arange(width)
  local distances <const> = (at * (2 * m) - centres):abs():astype "float64"
  local weights <const> = kernel(distances / unit)
  return tide.where(weights:eq(0), nearest_to(centres, m), at),
         weights / weights:sum(2, { keepdims = true })
end

--- Returns x with m elements along axis i, which have these windows. Gathers
-- the windows of lines and multiplies each by its weights, in parts, because
-- windows overlap: they have several times the elements of x.
local function resample (x, i, m, at, weights)
  local lines <const> = x:moveaxis(i, 1):contiguous()
  local shape <const> = lines.shape
  local n <const>, width <const> = lines.size // shape[1], at.shape[2]
  weights = weights:astype(x.dtype):reshape(m, 1, width)
  local y <const> = tide.empty({ m, 1, n }, x.dtype)
  local rows <const> = math.max(1, PART // (width * n))
  for k = 1, m, rows do
    local last <const> = math.min(k + rows - 1, m)
    tide.scope(function ()
      local part <const> = lines:take(at:slice(k, last), 1, { base = 0 })
      weights:slice(k, last):matmul(part:reshape(last - k + 1, width, n),
                                    { out = y:slice(k, last) })
    end)
  end
  shape[1] = m
  return y:reshape(shape):moveaxis(1, i)
end

local function take_nearest (x, i, m)
  local centres <const> = centres_of(x.shape[i], m)
  return x:take(nearest_to(centres, m), i, { base = 0 })
end

local function change_size (a, shape, o)
  local dtype <const> = o.method == "nearest" and a.dtype or float_of(a)
  local axes <const> = changed_axes(a.shape, shape)
  for i = 1, #shape do
    if shape[i] == 0 then return tide.empty(shape, dtype) end
  end
  if #axes == 0 then return a:astype(dtype):copy() end
  local x = o.method == "nearest" and a or a:astype(wide_of(dtype))
  local n, m, at, weights  -- the last windows; the next axis may have the same
  for _, i in ipairs(axes) do
    if o.method ~= "nearest" then
      if n ~= a.shape[i] or m ~= shape[i] then
        n, m = a.shape[i], shape[i]
        at, weights = tide.scope(windows_of, n, m, o.method or "linear",
                                 o.antialias ~= false)
      end
      x = tide.scope(resample, x, i, m, at, weights)
    else
      x = tide.scope(take_nearest, x, i, shape[i])
    end
  end
  return x:astype(dtype):contiguous()
end

--- resize(a, shape [, options]) -> a with as many elements along each axis.
function filters.resize (a, shape, options)
  local name <const> = "resize"
  local o <const> = read(name, options, { "antialias", "method" })
  check(1, name, arguments.wrong_array(a))
  check(2, name, wrong_shape(a, shape))
  check(3, name, wrong_method(o) or
                 arguments.wrong_type(o, "antialias", "boolean"))
  local sizes <const> = tide.broadcast_shapes(shape)
  return (tide.with_device(a.device, function ()
    return tide.scope(function () return change_size(a, sizes, o) end)
  end))
end

--}}

return filters
