--[[
draws.lua - random numbers that are derived from others: bernoulli, choice,
multivariate_normal, permutation and shuffle, methods of tide.Generator; those
of tide.random are the same for the shared generator. Each draws once, on the
device of its array, so a program with a seed gets the same ones on every
device.
]]
local arguments <const> = require "tide.arguments"
local find <const> = string.find
local kind_of <const> = arguments.kind_of

-- math.mininteger and maxinteger, because a state may lack math
local LEAST <const>, MOST <const> = 1 << 63, ~(1 << 63)
local ELEMENTS <const> = 1 << 46  -- the maximum of an array
-- Up to this size, elements are sorted by random keys, so all orders are
-- equally likely. Larger arrays have more orders than the generator has states
-- anyway.
local FEW <const> = 1024

--- Raises that an argument is wrong, at the line that calls the method; the
-- method calls this function directly or through one of ours.
local function refuse (at, name, format, ...)
  arguments.refuse(at, name, string.format(format, ...), 3)
end

local function refuse_deep (at, name, format, ...)
  arguments.refuse(at, name, string.format(format, ...), 4)
end

local function is_array (x)
  return getmetatable(x) == "tide.Array"
end

--- Describes a value in place of an array, with a hint how to make it one.
local function got (x)
  local kind <const> = kind_of(x)
  local makes <const> = kind == "table" and "; tide.array(list) is one" or
                        kind == "tide.HostArray" and "; tide.asarray(x) is one"
  return kind .. (makes or "")
end

--- The same, with the value of a number.
local function number_or (said, x)
  return type(x) == "number" and arguments.number(x) or said(x)
end

--- -> an integer from 0 on, or nil
local function count (x)
  local n <const> = type(x) == "number" and math.tointeger(x)
  return n and n >= 0 and n or nil
end

-- The order of the arguments, for errors, because other libraries have another
-- one.
local CHOICE <const> = "x, shape [, options]"
local BERNOULLI <const> = "p, shape [, dtype]"
local NORMAL <const> = "mean, cov [, shape] [, dtype] [, options]"

return function (tide)
  local random <const> = tide.random
  local methods <const> = rawget(random, "methods")
  local common <const> = rawget(random, "common")
  local check <const> = rawget(random, "checks")
  -- src/ops/random.c passes them once
  random.methods, random.common, random.checks = nil, nil, nil
  if not methods then return end

  --- In random:name(...) the table stands before the arguments.
  local function check_dot (first, name)
    if first == random then
      error(string.format("calling '%s' on bad self (a function of a module " ..
                          "is called with '.')", name), 3)
    end
  end

  --- Calls fn(...) with that device current.
  local function on (device, fn, ...)
    if device == tide.get_device() then
      return fn(...)
    end
    return tide.with_device(device, function (_, ...) return fn(...) end, ...)
  end

  --- Returns the first 'some' integers of a random permutation of 1 to n.
  local function places (g, n, some)
    if n > FEW then
      return check.order(g, n, some)
    end
    local keys <close> = g:randint(LEAST, MOST, n)
    if some == n then return keys:argsort() end
    local all <close> = keys:argsort()
    return all:slice(1, some):copy()
  end

  --- Returns the axis to permute, from 1.
  local function axis_of (a, axis, name)
    if a.ndim == 0 then
      refuse_deep(1, name, "an array of at least one axis expected")
    end
    local i <const> = axis == nil and 1 or axis
    local why <const> = arguments.wrong_axis(i, a.ndim)
    if why then refuse_deep(2, name, "%s", why) end
    return i > 0 and i or i + a.ndim + 1
  end

  local function permuted (g, a, axis)
    local n <const> = a.shape[axis]
    local index <close> = on(a.device, places, g, n, n)
    return a:take(index, axis)
  end

  --- permutation(n) -> 1 to n in random order; permutation(a [, axis]) -> the
  -- slices of `a` along an axis, likewise.
  function methods.permutation (g, x, axis, extra)
    check_dot(x, "permutation")
    arguments.check_end(extra, 3, "permutation")
    arguments.check_object(g, "tide.Generator", "permutation")
    check.self("permutation", 0, g)
    if is_array(x) then
      check.array("permutation", 1, x)
      return permuted(g, x, axis_of(x, axis, "permutation"))
    elseif not count(x) then
      refuse(1, "permutation", "tide.Array or an integer from 0 on " ..
             "expected, got %s", number_or(got, x))
    elseif x > ELEMENTS then
      refuse(1, "permutation", "an integer up to 2^46 expected, got %d", x)
    end
    if axis ~= nil then
      refuse(2, "permutation", "an axis is of an array, got %s", kind_of(axis))
    end
    return places(g, count(x), count(x))
  end

  --- shuffle(a [, axis]) -> a, with its slices along an axis in random order.
  function methods.shuffle (g, a, axis, extra)
    check_dot(a, "shuffle")
    arguments.check_end(extra, 3, "shuffle")
    arguments.check_object(g, "tide.Generator", "shuffle")
    check.self("shuffle", 0, g)
    if not is_array(a) then
      refuse(1, "shuffle", "tide.Array expected, got %s", got(a))
    end
    check.target("shuffle", 1, a)
    local shuffled <close> = permuted(g, a, axis_of(a, axis, "shuffle"))
    a:copy_from(shuffled)
    return a
  end

  --- Options 'replace', true by default, and 'p'.
  local function read_options (options)
    if options == nil then return true end
    if type(options) ~= "table" then
      refuse_deep(3, "choice", "options table expected, got %s; the " ..
                  "arguments are %s", kind_of(options), CHOICE)
    end
    arguments.check_options("choice", 3, options, { "p", "replace" })
    local replace <const> = options.replace
    if replace ~= nil and type(replace) ~= "boolean" then
      refuse_deep(3, "choice", "option 'replace' must be a boolean, got %s",
                  kind_of(replace))
    end
    return replace ~= false, options.p
  end

  --- Raises unless each of n numbers of a list is a weight, and as many as
  -- `some` are above 0.
  local function check_weights (list, n, some)
    local above = 0
    local function refuse_p (format, ...)
      arguments.refuse(3, "choice", string.format(format, ...), 5)
    end
    if rawlen(list) ~= n then
      refuse_p("option 'p' must have a probability for each of %d, has %d", n,
               rawlen(list))
    end
    for i = 1, n do
      local x <const> = rawget(list, i)
      if type(x) ~= "number" or not (x >= 0 and x < 1 / 0) then
        refuse_p("option 'p': probability %d must be a number from 0 on, " ..
                 "got %s", i, number_or(kind_of, x))
      end
      above = x > 0 and above + 1 or above
    end
    if above < some then
      refuse_p("option 'p' allows %d of the choices, too few for %d %s", above,
               some, some > 1 and "elements, of which none comes twice" or
               "element")
    end
  end

  --- Checks option 'p' for n choices, of which at least `some` are drawn. The
  -- elements of an array are seen by the device only: see drawn_by.
  local function check_p (p, x, n, some)
    if is_array(p) then
      check.array("choice", 3, p)
      if p.ndim ~= 1 or #p ~= n then
        refuse_deep(3, "choice", "option 'p' must have a probability for " ..
                    "each of %d, has shape {%s}", n,
                    table.concat(p.shape, ", "))
      elseif tide.isdtype(p, "complex floating") then
        refuse_deep(3, "choice", "option 'p' must be real, got %s", p.dtype)
      elseif is_array(x) and p.device ~= x.device then
        refuse_deep(3, "choice", "option 'p' is on %s, the array on %s",
                    tostring(p.device), tostring(x.device))
      end
    elseif type(p) == "table" then
      check_weights(p, n, some)
    else
      refuse_deep(3, "choice", "option 'p' must be a table or a tide.Array, " ..
                  "got %s", kind_of(p))
    end
  end

  --- Returns the weights as float64; negative ones as NaN.
  local function weights_of (p)
    local all <close> = is_array(p) and p:astype "float64" or
                        tide.array(p, "float64")
    local most <close> = all:max()
    local shares <close> = all / most  -- so that their sum is finite
    local sound <close> = all:ge(0)
    return sound:where(shares, 0 / 0)
  end

  --- Indices with replacement: where a random part of the total falls among the
  -- running sums. A product that is rounded up to the total stays below it.
  local function falls (g, weights, shape)
    local ends <close> = weights:cumsum()
    local total <close> = ends:select(1, -1)
    local last <close> = total:nextafter(0)
    local part <close> = g:uniform(shape, "float64")
    local at <close> = part * total
    at:minimum_(last)
    return ends:searchsorted(at, { side = "right" })
  end

  --- Indices without replacement: the first arrivals, where each comes after an
  -- exponential time with its weight as the rate. (Efraimidis and Spirakis,
  -- 2006) An element without weight never arrives: its time is NaN, which is
  -- sorted last.
  local function arrivals (g, weights, n, shape, size)
    local waits <close> = g:exponential(1, n, "float64")
    local quotients <close> = waits / weights
    local comes <close> = weights:gt(0)
    local times <close> = comes:where(quotients, 0 / 0)
    local order <close> = times:argsort()
    local first <close> = order:slice(1, size)
    local arrived <close> = comes:take(first)
    local some <close> = arrived:where(first, n + 1)
    return some:reshape(shape)
  end

  --- Returns indices from 1 to n drawn by weights. If the weights are none, the
  -- indices are n + 1.
  local function drawn_by (g, p, n, shape, size, repeats)
    local weights <close> = weights_of(p)
    if repeats then return falls(g, weights, shape) end
    return arrivals(g, weights, n, shape, size)
  end

  --- Lets the next wait for the elements raise if there are such indices.
  local function check_drawn (index, n)
    local most <close> = index:max()
    local above <close> = most:gt(n)
    local wrong <close> = above:astype "int32"
    require "tide.lapack".check(wrong, "choice", "has elements that are " ..
                                "negative or not finite, or too few above 0",
                                "option 'p'")
  end

  --- Returns random indices from 1 to n, in that shape of that many elements.
  local function chosen (g, n, shape, size, repeats)
    if repeats then
      return g:randint(1, n, shape)
    end
    local some <close> = places(g, n, size)
    return some:reshape(shape)
  end

  --- Returns elements of x by weights, or integers from 1 to n.
  local function choose_by (g, p, x, n, shape, size, repeats)
    local index <close> = drawn_by(g, p, n, shape, size, repeats)
    if is_array(p) then check_drawn(index, n) end
    if is_array(x) then return x:take(index, 1, { mode = "clip" }) end
    return index:clip(1, n)
  end

  --- choice(n, shape) -> integers from 1 to n; choice(a, shape) -> slices of
  -- the first axis of `a`; none twice with { replace = false }; by weights
  -- { p = }.
  function methods.choice (g, x, shape, options, extra)
    check_dot(x, "choice")
    arguments.check_end(extra, 4, "choice")
    arguments.check_object(g, "tide.Generator", "choice")
    check.self("choice", 0, g)
    if is_array(x) then check.array("choice", 1, x) end
    local n <const> = is_array(x) and #x or count(x)
    if not n or is_array(x) and x.ndim == 0 then
      refuse(1, "choice", "tide.Array with an axis or an integer from 0 on " ..
             "expected, got %s", number_or(got, x))
    end
    local size <const> = check.shape("choice", 2, CHOICE, shape)
    local replace <const>, p <const> = read_options(options)
    local repeats <const> = replace or size == 0
    if size > 0 and n == 0 or not repeats and size > n then
      refuse(2, "choice", "up to %d elements expected, got %d: there are no " ..
             "more%s", repeats and 0 or n, size,
             repeats and "" or ", and none comes twice")
    elseif not repeats and n > ELEMENTS then
      refuse(1, "choice", "an integer up to 2^46 expected where none comes " ..
             "twice, got %d", n)
    end
    if p ~= nil then
      check_p(p, x, n, repeats and math.min(size, 1) or size)
      if size > 0 then
        local of <const> = is_array(x) and x or is_array(p) and p
        return on(of and of.device or tide.get_device(), choose_by, g, p, x, n,
                  shape, size, repeats)
      end
    end
    if not is_array(x) then
      return chosen(g, math.max(n, 1), shape, size, repeats)
    end
    local index <close> = on(x.device, chosen, g, math.max(n, 1), shape, size,
                             repeats)
    return x:take(index, 1)
  end

  --- bernoulli(p, shape [, dtype]) -> true with probability p.
  function methods.bernoulli (g, p, shape, dtype, extra)
    check_dot(p, "bernoulli")
    arguments.check_end(extra, 4, "bernoulli")
    arguments.check_object(g, "tide.Generator", "bernoulli")
    check.self("bernoulli", 0, g)
    if type(p) ~= "number" or not (p >= 0 and p <= 1) then
      refuse(1, "bernoulli", "a probability from 0 to 1 expected, got %s%s",
             number_or(kind_of, p),
             is_array(p) and "; binomial(1, p) takes an array of them" or "")
    end
    check.shape("bernoulli", 2, BERNOULLI, shape)
    check.dtype("bernoulli", 3, BERNOULLI, dtype)
    local drawn <close> = g:uniform(shape)
    if dtype == nil then return drawn:lt(p) end
    local is <close> = drawn:lt(p)
    return is:astype(dtype)
  end

  --- Returns a matrix that gives the covariance times its adjoint.
  local function root_of (cov, method)
    local name <const> = "multivariate_normal"
    local matrices <const> = require "tide.matrices"
    if method == "cholesky" then return matrices.cholesky(cov, false, name) end
    local s, u
    if method == "eigh" then
      s, u = matrices.eigh(cov, true, false, name)
    else
      u, s = matrices.svd(cov, true, name)
    end
    return u * s:maximum(0):sqrt()
  end

  --- Returns standard normal numbers z as mean + root z.
  local function correlated (g, mean, cov, shape, dtype, method)
    local root <const> = root_of(cov:astype(dtype), method)
    return g:normal(shape, dtype):matmul(root.T) + mean:astype(dtype)
  end

  --- Checks the mean and the covariance. Returns the length of the vectors.
  local function check_moments (mean, cov)
    local name <const> = "multivariate_normal"
    for i, a in ipairs{ mean or false, cov or false } do
      if not is_array(a) then
        refuse_deep(i, name, "tide.Array expected, got %s", got(a or nil))
      end
      check.array(name, i, a)
      if a.ndim ~= i then
        refuse_deep(i, name, "%s expected, got %d axes",
                    i == 1 and "a vector" or "a matrix", a.ndim)
      elseif tide.isdtype(a, "complex floating") then
        refuse_deep(i, name, "real numbers expected, got %s", a.dtype)
      end
    end
    local n <const>, rows <const>, columns <const> = #mean, cov.shape[1],
                                                     cov.shape[2]
    if rows ~= n or columns ~= n then
      refuse_deep(2, name, "%d rows and columns expected, as the mean has, " ..
                  "got %dx%d", n, rows, columns)
    elseif mean.device ~= cov.device then
      refuse_deep(2, name, "mean and covariance are on different devices")
    end
    return n
  end

  local METHODS <const> = { svd = true, eigh = true, cholesky = true }

  --- Returns option 'method' of the options at argument 'at'.
  local function read_method (at, options)
    local name <const> = "multivariate_normal"
    if options == nil then return "svd" end
    if type(options) ~= "table" then
      refuse_deep(at, name, "options table expected, got %s; the arguments " ..
                  "are %s", kind_of(options), NORMAL)
    end
    arguments.check_options(name, at, options, { "method" })
    local method <const> = options.method or "svd"
    if not METHODS[method] then
      refuse_deep(at, name, "option 'method' must be 'svd', 'eigh' or " ..
                  "'cholesky'")
    end
    return method
  end

  --- Tells whether a dtype or options stand in place of a shape.
  local function is_no_shape (x)
    return type(x) == "string" and find(x, "^%a") or
           type(x) == "table" and #x == 0 and next(x) ~= nil
  end

  --- Returns the lengths of an array of vectors of n numbers.
  local function shape_of_vectors (shape, n)
    if type(shape) == "number" then return { shape, n } end
    local all <const> = shape and table.move(shape, 1, #shape, 1, {}) or {}
    all[#all + 1] = n
    return all
  end

  --- multivariate_normal(mean, cov [, shape] [, dtype] [, { method = }]) -> an
  -- array of normally distributed vectors, along the last axis.
  function methods.multivariate_normal (g, mean, cov, shape, dtype, options,
                                        extra)
    local name <const> = "multivariate_normal"
    check_dot(mean, name)
    arguments.check_end(extra, 6, name)
    arguments.check_object(g, "tide.Generator", name)
    check.self(name, 0, g)
    local early = 0  -- arguments that are left out
    if options == nil and is_no_shape(shape) then
      shape, dtype, options, early = nil, shape, dtype, 1
    end
    local at <const> = 4 - early  -- the dtype's
    if options == nil and type(dtype) == "table" then
      dtype, options, early = nil, dtype, early + 1
    end
    local method <const> = read_method(5 - early, options)
    local n <const> = check_moments(mean, cov)
    check.dtype(name, at, NORMAL, dtype)
    if dtype ~= nil and dtype ~= "float64" and dtype ~= "float32" then
      refuse(at, name, "float64 or float32 expected, got %s", dtype)
    end
    check.shape(name, 3, NORMAL, shape == nil and {} or shape)
    local whole <const> = shape_of_vectors(shape, n)
    check.shape(name, 3, NORMAL, whole)
    return (on(cov.device, tide.scope, correlated, g, mean, cov, whole,
               dtype or "float64", method))
  end

  -- Tail calls leave no trace, so their errors have the position of the calling
  -- line.
  for _, name in ipairs{ "bernoulli", "choice", "multivariate_normal",
                         "permutation", "shuffle" } do
    local method <const> = methods[name]
    random[name] = function (...) return method(common, ...) end
  end
end
