--[[
draws.lua - random numbers that are made of others: bernoulli, choice,
permutation and shuffle, methods of tide.Generator; those of tide.random are the
same of the common generator. Each draws once, on the device of its array, so a
program that has a seed has the same ones on every device.
]]
local arguments <const> = require "tide.arguments"
local kind_of <const> = arguments.kind_of

-- math.mininteger and maxinteger: a state may have no math
local LEAST <const>, MOST <const> = 1 << 63, ~(1 << 63)

--- Raises that an argument is wrong, in the line which calls the method: that
-- calls us, or a function of ours that does.
local function refuse (at, name, format, ...)
  arguments.refuse(at, name, format:format(...), 3)
end

local function refuse_deep (at, name, format, ...)
  arguments.refuse(at, name, format:format(...), 4)
end

local function is_array (x)
  return getmetatable(x) == "tide.Array"
end

local function axes (a) return a.ndim end

--- One that is closed says so.
local function check_open (a, name)
  local ok, err = pcall(axes, a)
  if not ok then refuse_deep(1, name, "%s", err:match "([^:]*)$":sub(2)) end
end

--- -> an integer from 0 on, or nil
local function count (x)
  local n <const> = type(x) == "number" and math.tointeger(x)
  return n and n >= 0 and n or nil
end

--- How many elements a shape has; nil: it is none.
local function size_of (shape)
  if type(shape) ~= "table" then return count(shape) end
  local n = 1
  for place, length in pairs(shape) do
    if type(place) ~= "number" or not count(length) then return nil end
    n = n * length
  end
  return n
end

--- What there is instead of one.
local function shape_error (shape)
  local what <const> = type(shape) == "table" and next(shape) ~= nil and
                       "a table of others" or kind_of(shape)
  return ("shape expected, a number or a table of numbers, got %s"):format(
    type(shape) == "number" and shape or what)
end

return function (tide)
  local random <const> = tide.random
  local methods <const> = rawget(random, "methods")
  local common <const> = rawget(random, "common")
  random.methods, random.common = nil, nil  -- src/ops/random.c lends them once
  if not methods then return end

  --- random:name(...) has the table before its arguments.
  local function check_dot (first, name)
    if first == random then
      error(("calling '%s' on bad self (a function of a module is called " ..
             "with '.')"):format(name), 3)
    end
  end

  --- fn(...) with that device current.
  local function on (device, fn, ...)
    if device == tide.get_device() then
      return fn(...)
    end
    return tide.with_device(device, fn, ...)
  end

  --- The integers from 1 to n, in any order: that of n random ones.
  local function order (g, n)
    local keys <close> = g:randint(LEAST, MOST, n)
    return keys:argsort()
  end

  --- The axis that is permuted, from 1.
  local function axis_of (a, axis, name)
    if a.ndim == 0 then
      refuse_deep(1, name, "an array of at least one axis expected")
    end
    axis = axis == nil and 1 or axis
    local i = type(axis) == "number" and math.tointeger(axis)
    if not i then
      refuse_deep(2, name, "axis must be an integer, got %s", kind_of(axis))
    elseif i == 0 or math.abs(i) > a.ndim then
      refuse_deep(2, name, "axis %d is out of range for an array of %d axes",
                  i, a.ndim)
    end
    return i > 0 and i or i + a.ndim + 1
  end

  local function permuted (g, a, axis)
    local index <close> = on(a.device, order, g, a.shape[axis])
    return a:take(index, axis)
  end

  --- permutation(n) -> 1 to n in any order; permutation(a [, axis]) -> the
  -- slices of `a` along an axis, likewise.
  function methods.permutation (g, x, axis, extra)
    check_dot(x, "permutation")
    arguments.check_end(extra, 3, "permutation")
    arguments.check_object(g, "tide.Generator", "permutation")
    if is_array(x) then
      check_open(x, "permutation")
      return permuted(g, x, axis_of(x, axis, "permutation"))
    elseif not count(x) then
      refuse(1, "permutation", "tide.Array or an integer from 0 on " ..
             "expected, got %s", type(x) == "number" and x or kind_of(x))
    end
    if axis ~= nil then
      refuse(2, "permutation", "an axis is of an array, got %s", kind_of(axis))
    end
    return order(g, count(x))
  end

  --- shuffle(a [, axis]) -> a, whose slices along an axis are in any order.
  function methods.shuffle (g, a, axis, extra)
    check_dot(a, "shuffle")
    arguments.check_end(extra, 3, "shuffle")
    arguments.check_object(g, "tide.Generator", "shuffle")
    if not is_array(a) then
      refuse(1, "shuffle", "tide.Array expected, got %s", kind_of(a))
    end
    check_open(a, "shuffle")
    local shuffled <close> = permuted(g, a, axis_of(a, axis, "shuffle"))
    a:copy_from(shuffled)
    return a
  end

  --- Option 'replace', true by default.
  local function may_repeat (options)
    if options == nil then return true end
    if type(options) ~= "table" then
      refuse_deep(3, "choice", "table expected, got %s", kind_of(options))
    end
    for name, value in pairs(options) do
      if name ~= "replace" then
        refuse_deep(3, "choice", "unknown option '%s', expected 'replace'",
                    tostring(name))
      elseif type(value) ~= "boolean" then
        refuse_deep(3, "choice", "option 'replace' must be a boolean, got %s",
                    kind_of(value))
      end
    end
    return options.replace ~= false
  end

  --- Places from 1 to n, of that shape.
  local function places (g, n, shape, repeats)
    if repeats then
      return g:randint(1, n, shape)
    end
    local all <close> = order(g, n)
    local some <close> = all:slice(1, size_of(shape)):copy()
    return some:reshape(shape)
  end

  --- choice(n, shape) -> integers from 1 to n; choice(a, shape) -> slices of
  -- the first axis of `a`; none twice with { replace = false }.
  function methods.choice (g, x, shape, options, extra)
    check_dot(x, "choice")
    arguments.check_end(extra, 4, "choice")
    arguments.check_object(g, "tide.Generator", "choice")
    if is_array(x) then check_open(x, "choice") end
    local n <const> = is_array(x) and #x or count(x)
    if not n or is_array(x) and x.ndim == 0 then
      refuse(1, "choice", "tide.Array with an axis or an integer from 0 on " ..
             "expected, got %s", type(x) == "number" and x or kind_of(x))
    end
    local size <const> = size_of(shape)
    if not size then
      refuse(2, "choice", "%s", shape_error(shape))
    end
    local repeats <const> = may_repeat(options)
    if size > 0 and n == 0 or not repeats and size > n then
      refuse(2, "choice", "%d elements of %d expected", size, n)
    end
    if not is_array(x) then
      return places(g, math.max(n, 1), shape, repeats or size == 0)
    end
    local index <close> = on(x.device, places, g, math.max(n, 1), shape,
                             repeats or size == 0)
    return x:take(index, 1)
  end

  --- bernoulli(p, shape [, dtype]) -> true as often as p says.
  function methods.bernoulli (g, p, shape, dtype, extra)
    check_dot(p, "bernoulli")
    arguments.check_end(extra, 4, "bernoulli")
    arguments.check_object(g, "tide.Generator", "bernoulli")
    if type(p) ~= "number" or not (p >= 0 and p <= 1) then
      refuse(1, "bernoulli", "a probability from 0 to 1 expected, got %s",
             type(p) == "number" and p or kind_of(p))
    elseif not size_of(shape) then
      refuse(2, "bernoulli", "%s", shape_error(shape))
    elseif dtype ~= nil and type(dtype) ~= "string" then
      refuse(3, "bernoulli", "dtype string expected, got %s", kind_of(dtype))
    end
    local drawn <close> = g:uniform(shape)
    if dtype == nil then return drawn:lt(p) end
    local is <close> = drawn:lt(p)
    return is:astype(dtype)
  end

  -- Calls at the end of a function leave no trace: an error of theirs is that
  -- of the line which calls it.
  for _, name in ipairs{ "bernoulli", "choice", "permutation", "shuffle" } do
    local method <const> = methods[name]
    random[name] = function (...) return method(common, ...) end
  end
end
