--[[
distributions_spec.lua - gamma, beta, poisson, binomial: beside the exact
distributions, at the edges of their parameters, with arrays of parameters,
errors. Which bits they are: rejection_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg, fails = helper.badarg, helper.fails
local random = tide.random

--{{ what they are: on the host device, where tide.lgamma is known to be right

local function log_gamma (x)
  return tide.full({ 1 }, x):lgamma()[1]
end

--- The share of gamma's numbers of shape k that are up to x: by its series, or
-- by a continued fraction (Lentz).
local function gamma_below (k, lg, x)
  if x <= 0 then return 0 end
  local front = math.exp(k * math.log(x) - x - lg)
  if x < k + 1 then
    local term, sum, n = 1 / k, 1 / k, k
    while term > sum * 1e-12 do
      n = n + 1
      term = term * x / n
      sum = sum + term
    end
    return front * sum
  end
  local b = x + 1 - k
  local c, d = 1e300, 1 / b
  local h = d
  for i = 1, 500 do
    local an = -i * (i - k)
    b = b + 2
    d = 1 / (an * d + b)
    c = b + an / c
    h = h * d * c
    if math.abs(d * c - 1) < 1e-12 then break end
  end
  return 1 - front * h
end

--- The same of beta's: its continued fraction.
local function beta_below (a, b, lg, x)
  if x <= 0 then return 0 elseif x >= 1 then return 1 end
  if x > (a + 1) / (a + b + 2) then
    return 1 - beta_below(b, a, lg, 1 - x)
  end
  local front = math.exp(a * math.log(x) + b * math.log(1 - x) - lg) / a
  local c, d = 1, 1 / (1 - (a + b) * x / (a + 1))
  local h = d
  for m = 1, 500 do
    local up = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + up * d)
    c = 1 + up / c
    h = h * d * c
    local down = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + down * d)
    c = 1 + down / c
    h = h * d * c
    if math.abs(d * c - 1) < 1e-12 then break end
  end
  return front * h
end

--- Integers around the mean, and the logarithms of their probabilities.
local function poisson_logs (lam)
  local far = 12 * math.sqrt(lam) + 30
  local k = tide.arange(math.max(0, lam - far) // 1, lam + far, 1, "float64")
  return k, k * math.log(lam) - lam - (k + 1):lgamma()
end

local function binomial_logs (n, p)
  local mean, far = n * p, 12 * math.sqrt(n * p * (1 - p)) + 30
  local k = tide.arange(math.max(0, mean - far) // 1,
                        math.min(n, mean + far) // 1 + 1, 1, "float64")
  return k, log_gamma(n + 1.0) - (k + 1):lgamma() - (n - k + 1):lgamma() +
            k * math.log(p) + (n - k) * math.log(1 - p)
end

--}}

--- No further from the distribution than one of a million samples is: by
-- Kolmogorov and Smirnov.
local function near (far, n, what)
  assert.is_true(far < 2.7 / math.sqrt(n), ("%s: %g"):format(what, far))
end

local function compare_counts (z, k, logs, what)
  local below = (z:astype "float64":sort():searchsorted(k, { side = "right" })
                 - 1) / z.size
  near((below - logs:exp():cumsum()):abs():max():item(), z.size, what)
end

local function compare_floats (z, below, what)
  local far, n = 0, z.size
  for i, x in ipairs(z:astype "float64":sort():totable()) do
    local share = below(x)
    far = math.max(far, math.abs(share - i / n),
                   math.abs(share - (i - 1) / n))
  end
  near(far, n, what)
end

--- Mean and variance are within five deviations of what they should be; 'tail':
-- the fourth moment, in squares of the variance.
local function has_moments (z, mean, var, tail, what)
  z = z:astype "float64"
  local n, m = z.size, z:mean():item()
  assert.is_true(math.abs(m - mean) <= 5 * math.sqrt(var / n),
                 ("%s: mean %g, not %g"):format(what, m, mean))
  local v = ((z - mean) ^ 2):mean():item()
  assert.is_true(math.abs(v - var) <= 5 * var * math.sqrt((tail - 1) / n),
                 ("%s: variance %g, not %g"):format(what, v, var))
end

helper.each_device(function ()

before_each(function () random.seed(11) end)

describe("randint", function ()
  it("draws all of uint64", function ()
    local most <const> = tide.iinfo "uint64".max
    local x = tide.random.randint(0, most, { 2000 }, "uint64")
    assert.equal("uint64", x.dtype)
    local large = x:ge(tide.full({}, math.mininteger, "uint64")):sum():item()
    assert.is_true(large > 800 and large < 1200, large)
    x = tide.random.randint(most - 1, most, { 100 }, "uint64")
    assert.is_true((x:eq(most) | x:eq(most - 1)):all():item())
    x = tide.random.randint(math.maxinteger, math.mininteger, { 9 }, "uint64")
    assert.is_true(x:ge(math.maxinteger):all():item())
    badarg(2, "high is less than low", tide.random.randint, -1, 5, { 2 },
           "uint64")
  end)
end)

describe("gamma", function ()
  for _, k in ipairs{ 0.01, 0.3, 0.999, 1, 1.5, 10, 1000, 1e6 } do
    for _, dtype in ipairs{ "float32", "float64" } do
      it(("of shape %g, %s, is what it should be"):format(k, dtype),
      function ()
        local z = random.gamma(k, 3, 6000, dtype)
        assert.equal(dtype, z.dtype)
        assert.is_true(z:ge(0):all():item())
        has_moments(z, 3 * k, 9 * k, 3 + 6 / k, k)
        local lg = log_gamma(k)
        if k > 0.1 or dtype == "float64" then  -- else many are rounded to 0
          compare_floats(z, function (x) return gamma_below(k, lg, x / 3) end,
                         k)
        end
      end)
    end
  end

  it("has its edges", function ()
    assert.same({ 0, 0 }, random.gamma(0, 1, 2):totable())
    assert.same({ 0, 0 }, random.gamma(1, 0, 2):totable())
    assert.is_true(random.gamma(1e-300, 1, 100):eq(0):all():item())
    local most = 1.7e308
    assert.is_true(random.gamma(most, 1e-308, 10):isfinite():all():item())
    assert.is_true(random.gamma(2, 1e-310, 10):gt(0):all():item())
    -- float32 has neither the parameters nor what is between
    local function single (k, scale)
      return random.gamma(k, scale, 4000, "float32")
    end
    assert.is_true(single(1e300, 1e-300):eq(1):all():item())
    assert.is_true(single(most, 1e-308):isfinite():all():item())
    assert.is_true(single(1e-300, 1e300):eq(0):all():item())
    assert.is_true(single(5e-324, 5e-324):eq(0):all():item())
    assert.is_true(single(0, 1):eq(0):all():item())
    assert.is_true(single(1, 0):eq(0):all():item())
    local z = single(0.001, 1e300)  -- of which many are up to 2^128
    assert.equal(0, z:isnan():count_nonzero():item())
    assert.is_true(math.abs(z:isfinite():mean():item() -
                            (2.0 ^ 128 / 1e300) ^ 0.001) < 0.03)
  end)
end)

describe("beta", function ()
  for _, ab in ipairs{ { 0.01, 0.02 }, { 0.5, 0.5 }, { 1, 1 }, { 0.3, 4 },
                       { 5, 0.2 }, { 2, 3 }, { 200, 500 } } do
    local a, b = ab[1], ab[2]
    for _, dtype in ipairs{ "float32", "float64" } do
      it(("of %g and %g, %s, is what it should be"):format(a, b, dtype),
      function ()
        local z = random.beta(a, b, 6000, dtype)
        assert.equal(dtype, z.dtype)
        assert.is_true(z:ge(0):band(z:le(1)):all():item())
        local n = a + b
        has_moments(z, a / n, a * b / (n * n * (n + 1)), 4, a)
        local lg = log_gamma(a) + log_gamma(b) - log_gamma(n)
        if dtype == "float64" and b > 0.1 or a > 1 and b > 1 then  -- else many
          -- are rounded to 1
          compare_floats(z, function (x) return beta_below(a, b, lg, x) end, a)
        end
      end)
    end
  end

  it("has its edges", function ()
    local z = random.beta(1e-300, 3e-300, 4000)
    assert.is_true(z:eq(0):bor(z:eq(1)):all():item())
    assert.is_true(math.abs(z:mean():item() - 0.25) < 0.04)
    z = random.beta(5e-324, 5e-324, 4000)
    assert.is_true(z:eq(0):bor(z:eq(1)):all():item())
    assert.is_true(math.abs(z:mean():item() - 0.5) < 0.04)
    for _, t in ipairs{ "float32", "float64" } do
      z = random.beta(1e300, 1e300, 10, t)
      assert.is_true((z - 0.5):abs():max():item() < 1e-6)
      assert.is_true(random.beta(5, 1e300, 1000, t):lt(1e-37):all():item())
      assert.is_true(random.beta(1e300, 5, 1000, t):eq(1):all():item())
      z = random.beta(1e-3, 1.5, 4000, t)  -- P(x <= 1e-30) is about 0.93
      assert.is_true(math.abs(z:le(1e-30):mean():item() - 0.933) < 0.02)
      assert.is_true(z:ge(0):all():item())
    end
  end)
end)

describe("poisson", function ()
  for _, lam in ipairs{ 0.1, 1, 9.99, 10, 12.5, 100, 1e4, 1e6 } do
    it(("of %g is what it should be"):format(lam), function ()
      local z = random.poisson(lam, 20000)
      assert.equal("int64", z.dtype)
      has_moments(z, lam, lam, 3 + 1 / lam, lam)
      local k, logs = poisson_logs(lam)
      compare_counts(z, k, logs, lam)
    end)
  end

  it("has its edges", function ()
    assert.same({ 0, 0, 0 }, random.poisson(0, 3):totable())
    assert.same({ 0, 0, 0 }, random.poisson(1e-300, 3):totable())
    local big = 2.0 ^ 62
    local z = random.poisson(big, 10):astype "float64"
    assert.is_true(((z - big) / 2.0 ^ 31):abs():max():item() < 6)
  end)

  it("is the same of each dtype, as astype has it", function ()
    for _, lam in ipairs{ 3, 300 } do
      random.seed(5)
      local z = random.poisson(lam, 500)
      for _, dtype in ipairs{ "int8", "uint8", "int16", "uint16", "int32",
                              "uint32", "uint64" } do
        random.seed(5)
        local y = random.poisson(lam, 500, dtype)
        assert.equal(dtype, y.dtype)
        assert.is_true(tide.array_equal(y, z:astype(dtype)), dtype)
      end
    end
  end)
end)

describe("binomial", function ()
  for _, np in ipairs{ { 1, 0.5 }, { 10, 0.3 }, { 25, 0.4 }, { 25, 0.6 },
                       { 100, 0.01 }, { 100, 0.999 }, { 1000, 0.5 },
                       { 1000000, 0.00002 }, { 1000000, 0.75 } } do
    local n, p = np[1], np[2]
    it(("of %d and %g is what it should be"):format(n, p), function ()
      local z, var = random.binomial(n, p, 20000), n * p * (1 - p)
      assert.equal("int64", z.dtype)
      assert.is_true(z:ge(0):band(z:le(n)):all():item())
      has_moments(z, n * p, var, 3 + (1 - 6 * p * (1 - p)) / var, n)
      local k, logs = binomial_logs(n, p)
      compare_counts(z, k, logs, n)
    end)
  end

  it("has its edges", function ()
    for _, n in ipairs{ 0, 1, 100, 1 << 53 } do
      assert.same({ 0, 0 }, random.binomial(n, 0, 2):totable())
      assert.same({ n, n }, random.binomial(n, 1, 2):totable())
    end
    assert.same({ 0, 0 }, random.binomial(0, 0.5, 2):totable())
    assert.same({ 0, 0 }, random.binomial(100, 1e-300, 2):totable())
    assert.has_error(function () random.binomial((1 << 53) + 1, 0.5, 2) end,
      "bad argument #1 to 'binomial' (n must be an integer from 0 to 2^53, " ..
      "got 9007199254740993)")
    local z = random.binomial(1 << 53, 0.25, 100):astype "float64"
    z = (z - 2.0 ^ 51) / math.sqrt(2.0 ^ 53 * 3 / 16)
    assert.is_true(z:abs():max():item() < 6)
    has_moments(random.binomial(1 << 40, 1e-12, 20000), 2.0 ^ 40 * 1e-12,
                2.0 ^ 40 * 1e-12, 4, "rare")
  end)
end)

it("have the dtype of floats that was set, if they can", function ()
  local function dtypes ()
    local list = {}
    for i, z in ipairs{ random.uniform(2), random.normal(2),
                        random.exponential(1, 2), random.gamma(1, 1, 2),
                        random.beta(1, 1, 2) } do
      list[i] = z.dtype
    end
    return table.concat(list, " ")
  end
  local function five (dtype) return (dtype .. " "):rep(5):sub(1, -2) end
  local old = tide.set_default_dtype "float64"
  local _ <close> = setmetatable({}, { __close = function ()
    tide.set_default_dtype(old)
  end })
  assert.equal(five "float64", dtypes())
  for _, t in ipairs{ "float32", "float16", "bfloat16" } do
    tide.set_default_dtype(t)
    assert.equal(five "float32", dtypes())
    assert.equal("float64", random.normal(2, "float64").dtype)
    assert.equal("int64", random.poisson(2, 3).dtype)
  end
end)

describe("parameters that are arrays", function ()
  it("are for each element", function ()
    local lam = tide.array{ 0, 1, 20, 1e6 }
    local z = random.poisson(lam:reshape{ 4, 1 }, { 4, 4000 })
    local mean = z:mean(2)
    for i = 1, 4 do
      assert.is_true(math.abs(mean[i] - lam[i]) <=
                     5 * math.sqrt(lam[i] / 4000))
    end
    local n, p = tide.array({ 5, 50, 500 }, "int16"), tide.array{ 0, 0.5, 1 }
    assert.same({ 0, 500 }, random.binomial(n, p):take{ 1, 3 }:totable())
  end)

  it("give what numbers give", function ()
    local FLOAT <const> = { gamma = true, beta = true }
    local dtype
    for _, call in ipairs{ { "gamma", 0.5, 3 }, { "gamma", 7, 2 },
                           { "beta", 0.5, 0.25 }, { "beta", 3, 9 },
                           { "beta", 0.5, 7 }, { "beta", 1.5, 0.75 },
                           { "poisson", 4 }, { "poisson", 40 },
                           { "binomial", 9, 0.5 }, { "binomial", 90, 0.75 } } do
      local name, x, y = table.unpack(call)
      local function full (v)
        return tide.full({ 150 }, v, math.type(v) == "integer" and "int32" or
                                    "float32")
      end
      local function draw (a, b)
        random.seed(3)
        return (y and random[name](a, b, 150, dtype) or
                random[name](a, 150, dtype)):totable()
      end
      for _, t in ipairs(FLOAT[name] and { "float32", "float64" } or
                         { "int64" }) do
        dtype = t
        local wanted = draw(x, y)
        assert.same(wanted, draw(full(x), y))
        if y then
          assert.same(wanted, draw(x, full(y)))
          assert.same(wanted, draw(full(x), full(y)))
        end
      end
    end
  end)

  it("give what numbers give, where those are next to nothing", function ()
    for _, call in ipairs{ { "beta", 1e-301, 2e-302 }, { "beta", 1e-4, 1e-5 },
                           { "gamma", 0.01, 1 }, { "gamma", 1e-300, 1 } } do
      local name, x, y = table.unpack(call)
      random.seed(3)
      local wanted = random[name](x, y, 1000):totable()
      random.seed(3)
      assert.same(wanted, random[name](tide.full({ 1000 }, x), y):totable())
    end
  end)

  it("have a shape in common, or the one that is said", function ()
    local x, y = tide.ones{ 3, 1 }, tide.ones{ 4 }
    assert.same({ 3, 4 }, random.gamma(x, y).shape)
    assert.same({ 2, 3, 4 }, random.gamma(x, y, { 2, 3, 4 }).shape)
    assert.same({ 3, 1 }, random.beta(x, 2).shape)
    assert.same({ 4 }, random.beta(2, y).shape)
    assert.same({}, random.poisson(tide.full({}, 2)).shape)
    assert.same({ 0, 4 }, random.poisson(tide.ones{ 0, 4 }).shape)
    local z = tide.zeros({ 4, 3 }, "float32").T
    assert.equal(z, random.gamma(x, y, nil, nil, { out = z }))
    assert.is_true(z:gt(0):all():item())
    badarg(1, "shape 3x1 cannot be broadcast to 2", random.gamma, x, 1, 2)
    fails("cannot be broadcast", random.gamma, tide.ones(3), tide.ones(2))
  end)

  it("may be where the numbers go", function ()
    local a = tide.full({ 40 }, 50.0)
    random.seed(2)
    local wanted = random.gamma(50, 1, 40):totable()
    random.seed(2)
    assert.equal(a, random.gamma(a, 1, nil, nil, { out = a }))
    assert.same(wanted, a:totable())
    local all = tide.full({ 41 }, 50.0)
    random.seed(2)
    random.gamma(all:slice(1, 40), 1, nil, nil, { out = all:slice(2, 41) })
    assert.same(wanted, all:slice(2, 41):totable())
    assert.equal(50, all[1])
    random.seed(2)
    local back = tide.full({ 40 }, 50.0)
    random.gamma(back:flip(), 1, nil, nil, { out = back })
    assert.same(wanted, back:totable())
  end)

  it("that make no sense give no number", function ()
    local bad = tide.array{ -1, 0 / 0, 1 / 0, 1 }
    local z = random.gamma(bad, 1)
    assert.same({ true, true, true, false }, z:isnan():totable())
    assert.same({ true, true, true, false },
                random.gamma(1, bad):isnan():totable())
    assert.same({ true, true, true, false },
                random.beta(bad, 1):isnan():totable())
    assert.is_true(random.beta(tide.zeros(2), 1):isnan():all():item())
    assert.same({ true, true, true, false },
                random.gamma(bad, 1, nil, "float32"):isnan():totable())
    assert.same({ true, true, true, false },
                random.gamma(1, bad, nil, "float32"):isnan():totable())
    assert.same({ true, true, true, false },
                random.poisson(bad):eq(-1):totable())
    assert.same({ true, true, true, false },
                random.binomial(5, bad):eq(-1):totable())
    assert.same({ -1 }, random.binomial(tide.array{ -1 }, 0.5):totable())
    assert.same({ 255 }, random.poisson(tide.array{ -1 }, nil, "uint8")
                               :totable())
  end)
end)

describe("arguments", function ()
  it("that make no sense are refused", function ()
    local order = "; the arguments are k, scale [, shape [, dtype [, options]]]"
    badarg(1, "number or tide.Array 'k' expected, got no value" .. order,
           random.gamma)
    badarg(2, "number or tide.Array 'scale' expected, got string" .. order,
           random.gamma, 1, "2")
    badarg(3, "shape must be an integer or a table of integers, got no value" ..
           order, random.gamma, 1, 2)
    for _, bad in ipairs{ -1, 0 / 0, 1 / 0 } do
      badarg(1, "k must be a finite number from 0 on, got ", random.gamma, bad,
             1, 3)
      badarg(2, "scale must be a finite number from 0 on, got ", random.gamma,
             1, bad, 3)
      badarg(1, "a must be a finite number above 0, got ", random.beta, bad, 1,
             3)
      badarg(1, "lam must be a number from 0 to 2^62, got ", random.poisson,
             bad, 3)
      badarg(2, "p must be a probability from 0 to 1, got ", random.binomial,
             1, bad, 3)
    end
    badarg(2, "b must be a finite number above 0, got 0", random.beta, 1, 0, 3)
    badarg(1, "lam must be a number from 0 to 2^62, got 1e+19",
           random.poisson, 1e19, 3)
    badarg(1, "n must be an integer from 0 to 2^53, got -1", random.binomial,
           -1, 0.5, 3)
    badarg(1, "n must be an integer from 0 to 2^53, got 1.5", random.binomial,
           1.5, 0.5, 3)
    badarg(1, "n must be integers, not float64", random.binomial, tide.ones(2),
           0.5)
    badarg(1, "lam must be real numbers, not complex64", random.poisson,
           tide.ones(2, "complex64"))
    badarg(4, "dtype must be float32 or float64, not int8", random.gamma, 1, 1,
           3, "int8")
    badarg(3, "dtype must be one of integers, not float32", random.poisson, 1,
           3, "float32")
    badarg(4, "dtype must be one of integers, not bool", random.binomial, 1,
           0.5, 3, "bool")
    badarg(4, "option 'out' must have the shape given", random.poisson,
           tide.ones(3), 3, nil, { out = tide.zeros(4, "int64") })
    badarg(4, "unknown option 'outt'", random.poisson, 1, 3, nil,
           { outt = 1 })
    fails("called with '.'", function () random:poisson(1, 3) end)
    local closed = tide.ones(3)
    closed:close()
    badarg(1, "array is closed", random.poisson, closed)
  end)
end)

end)
