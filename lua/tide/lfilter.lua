--[[
lfilter.lua - tide.lfilter(b, a, x): a recursive filter along an axis, as
SciPy's signal.lfilter.

DESIGN. A recursion has no parts that run side by side, so x is cut into blocks.
A block and the state before it (of the transposed direct form II) give the
output and the next state by products with matrices, which are the answers of
the filter to an impulse and to each element of a state. The states before all
blocks are a scan: each step doubles the number of blocks that they know of. A
filter without recursion is a convolution.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local kind_of <const> = arguments.kind_of

local BLOCK <const> = 32
local OPTIONS <const> = { "axis", "zi" }

--{{ arguments

-- The functions below return what is wrong with an argument, or nil.

local function wrong_coefficients (list)
  if type(list) ~= "table" then
    return "list of numbers expected, got " .. kind_of(list)
  end
  local stray <const> = arguments.stray_key(list)
  if stray then return stray .. " in a list of numbers" end
  if #list == 0 then return "list of numbers expected, got an empty one" end
  for i = 1, #list do
    local x <const> = list[i]
    if type(x) ~= "number" or x - x ~= 0 then
      return ("item %d: a finite number expected, got %s"):format(i,
        type(x) == "number" and arguments.number(x) or kind_of(x))
    end
  end
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
    return ("option 'axis': axis %d is out of range for an array of %d axes")
           :format(axis, x.ndim)
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
    return ("option 'zi' must have shape {%s}, has {%s}"):format(wanted,
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

--- Sends x and then zeros through the filter with state z. Returns the outputs
-- and the states after each.
local function answer (f, z, x)
  local outputs <const>, states <const> = {}, {}
  for i = 1, BLOCK do
    local y <const>, after <const> = f.b[1] * x + (z[1] or 0), {}
    for k = 1, f.order do
      after[k] = f.b[k + 1] * x + (z[k + 1] or 0) - f.a[k + 1] * y
    end
    outputs[i], states[i], z, x = y, after, after, 0
  end
  return outputs, states
end

local function zeros (n)
  local list <const> = {}
  for i = 1, n do list[i] = 0. end
  return list
end

--- Sets matrices from a block or a state, as rows, to outputs or the state.
local function set_matrices (f)
  f.outputs, f.states, f.free, f.step = {}, {}, {}, {}
  local h <const>, after <const> = answer(f, zeros(f.order), 1)
  for j = 1, BLOCK do
    f.outputs[j] = table.move(h, 1, BLOCK - j + 1, j, zeros(j - 1))
    f.states[j] = after[BLOCK - j + 1]
  end
  for i = 1, f.order do
    local z <const> = zeros(f.order)
    z[i] = 1
    local y <const>, states <const> = answer(f, z, 0)
    f.free[i], f.step[i] = y, states[BLOCK]
  end
end

--- Returns the states before all blocks, from those at their ends that the
-- blocks alone give, and the first one.
local function scan (f, first, ends)
  local k <const>, dtype <const> = ends.shape[2], ends.dtype
  local z <const> = tide.concatenate({ first, ends:slice(1, k - 1, 1, 2) }, 2)
  local step, d = tide.array(f.step, dtype), 1
  while d < k do
    local before <const> = z:slice(1, k - d, 1, 2):matmul(step)
    z:slice(d + 1, k, 1, 2):add_(before)
    step, d = step:matmul(step), 2 * d
  end
  return z
end

--- Returns the states behind the last elements of x and y: they depend on as
-- many as there are, and on the first states if there are fewer.
local function last_states (f, first, x, y)
  local n <const>, order <const> = x.shape[2], f.order
  local some <const> = math.min(n, order)
  local b <const>, a <const> = {}, {}
  for m = 1, some do  -- for the m-th of the last ones
    b[m], a[m] = zeros(order), zeros(order)
    for i = 1, order do
      local k <const> = i + some - m + 1
      b[m][i], a[m][i] = f.b[k] or 0, f.a[k] or 0
    end
  end
  local z <const> = tide.zeros({ x.shape[1], order }, x.dtype)
  if n < order then
    z:slice(1, order - n, 1, 2):add_(first:slice(n + 1, order, 1, 2))
  end
  if some == 0 then return z end
  local function last (s) return s:slice(n - some + 1, n, 1, 2) end
  return z + last(x):matmul(tide.array(b, x.dtype))
           - last(y):matmul(tide.array(a, x.dtype))
end

--- Filters the rows of x without recursion: the first states are what earlier
-- elements add to the first outputs.
local function convolve_rows (f, x, zi)
  local order <const>, n <const>, window <const> = f.order, x.shape[2], {}
  for i, b in ipairs(f.b) do window[order + 2 - i] = b end
  local y <const> = x:pad{ { 0, 0 }, { order, 0 } }
    :correlate2d(tide.array({ window }, x.dtype), "valid",
                 { method = "direct" })
  local some <const> = zi and math.min(n, order) or 0
  if some > 0 then
    y:slice(1, some, 1, 2):add_(zi:slice(1, some, 1, 2))
  end
  return y
end

--- Filters the rows of x, which are not none.
local function recur_rows (f, x, zi)
  local rows <const>, n <const>, order <const> = x.shape[1], x.shape[2], f.order
  local blocks <const> = (n + BLOCK - 1) // BLOCK
  local function matrix (list) return tide.array(list, x.dtype) end
  set_matrices(f)
  local all <const> = x:pad{ { 0, 0 }, { 0, blocks * BLOCK - n } }
                       :reshape(rows * blocks, BLOCK)
  local first <const> = (zi or tide.zeros({ rows, order }, x.dtype))
                        :expand_dims(2)
  local ends <const> = all:matmul(matrix(f.states)):reshape(rows, blocks, order)
  local y <const> = all:matmul(matrix(f.outputs)) +
                    scan(f, first, ends):reshape(rows * blocks, order)
                                        :matmul(matrix(f.free))
  return y:reshape(rows, blocks * BLOCK):slice(1, n, 1, 2)
end

--- Filters the rows of x. Returns the last states as well if there are first
-- ones.
local function filter_rows (f, x, zi)
  local y <const> = x.size == 0 and x or
                    (f.recursive and recur_rows or convolve_rows)(f, x, zi)
  if not zi then return y end
  return y, f.order > 0 and last_states(f, zi, x, y) or zi
end

--- Calls filter_rows for lines along an axis.
local function filter_lines (f, x, axis, zi)
  local dtype <const> = x.dtype:find "float" and x.dtype or
                        x.dtype:find "complex" and x.dtype or
                        tide.get_default_dtype()
  local complex <const> = dtype:find "complex" or
                          zi and zi.dtype:find "complex"
  local wide <const> = complex and "complex128" or "float64"
  local to <const> = complex and not dtype:find "complex" and wide or dtype
  local lines <const> = x:astype(wide):moveaxis(axis, -1)
  local shape <const> = lines.shape
  local n <const>, rows = shape[#shape], 1
  for i = 1, #shape - 1 do rows = rows * shape[i] end
  local function back (z, count)
    shape[#shape] = count
    return z:reshape(shape):moveaxis(-1, axis):astype(to):copy()
  end
  local first <const> = zi and zi:astype(wide):moveaxis(axis, -1)
                                 :reshape(rows, f.order)
  local y <const>, z <const> = filter_rows(f, lines:reshape(rows, n), first)
  if not z then return back(y, n) end
  return back(y, n), back(z, f.order)
end

--}}

--- lfilter(b, a, x [, { axis =, zi = }]) -> x filtered; with zi also the last
-- states.
return function (b, a, x, options)
  if options ~= nil then
    arguments.check_options("lfilter", 4, options, OPTIONS)
  end
  local o <const> = options or {}
  check(1, wrong_coefficients(b))
  check(2, wrong_coefficients(a) or
           a[1] == 0 and "the first coefficient must not be 0" or nil)
  check(3, wrong_signal(x))
  local f <const>, axis <const> = filter_of(b, a), o.axis or -1
  check(4, wrong_axis(axis, x) or wrong_states(o.zi, x, axis, f.order))
  return tide.with_device(x.device, function ()
    return tide.scope(function () return filter_lines(f, x, axis, o.zi) end)
  end)
end
