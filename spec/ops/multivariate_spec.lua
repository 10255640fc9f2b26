--[[
multivariate_spec.lua - multivariate_normal: moments, singular covariances, the
same again with a seed, shapes, errors.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg
local random = tide.random

helper.each_device(function ()

describe("multivariate_normal", function ()
  local mean, cov
  before_each(function ()
    mean, cov = tide.array{ 1, -2 }, tide.array{ { 2., 0.6 }, { 0.6, 1 } }
  end)
  after_each(function () mean, cov = nil, nil end)

  it("has the mean and the covariance", function ()
    local g = random.Generator(3)
    for _, method in ipairs{ "svd", "eigh", "cholesky" } do
      local a = g:multivariate_normal(mean, cov, { 100, 1000 },
                                      { method = method })
      assert.same({ 100, 1000, 2 }, a.shape)
      local rows = a:reshape(-1, 2)
      assert.is_true(tide.allclose(rows:mean(1), mean, 0, 0.02), method)
      assert.is_true(tide.allclose(rows.T:cov(), cov, 0, 0.04), method)
    end
  end)

  it("of a singular covariance", function ()
    local one = tide.ones{ 2, 2 }
    for _, method in ipairs{ "svd", "eigh" } do
      local a = random.multivariate_normal(mean, one, 50, nil,
                                           { method = method })
      assert.is_true(tide.allclose(a:select(2, 1), a:select(2, 2) + 3))
    end
    assert.same({ { 1, -2 } }, random.multivariate_normal(
                  mean, tide.zeros{ 2, 2 }, 1):totable())
  end)

  it("comes again with a seed; in both dtypes and all shapes", function ()
    random.seed(4)
    local first = random.multivariate_normal(mean, cov, 3):totable()
    random.seed(4)
    assert.same(first, random.multivariate_normal(mean, cov, { 3 }):totable())
    assert.same({ 2 }, random.multivariate_normal(mean, cov).shape)
    assert.same({ 0, 4, 2 },
                random.multivariate_normal(mean, cov, { 0, 4 }).shape)
    local a = random.multivariate_normal(mean, cov, 3, "float32")
    assert.equal("float32", a.dtype)
    a = random.multivariate_normal(mean, cov, "float32", { method = "eigh" })
    assert.equal("float32", a.dtype)
    assert.same({ 2 }, a.shape)
    a = random.multivariate_normal(mean, cov, { method = "cholesky" })
    assert.same({ 2 }, a.shape)
  end)

  it("names itself at the next wait", function ()
    local z = random.multivariate_normal(mean, tide.array{ { 1., 2 },
                                                           { 2, 1 } }, 3,
                                         { method = "cholesky" })
    fails(": multivariate_normal: the matrix is not positive definite",
          z.totable, z)
  end)

  it("says what is wrong", function ()
    local function bad (at, text, ...)
      badarg(at, text, random.multivariate_normal, ...)
    end
    bad(1, "tide.Array expected, got table; tide.array(list) is one", { 1 })
    bad(2, "tide.Array expected, got no value", mean)
    bad(1, "a vector expected, got 2 axes", cov, cov)
    bad(2, "a matrix expected, got 1 axes", mean, mean)
    bad(2, "2 rows and columns expected, as the mean has, got 3x3", mean,
        tide.eye(3))
    bad(2, "real numbers expected, got complex64", mean,
        tide.eye(2, 2, 0, "complex64"))
    bad(3, "shape must be an integer or a table of integers", mean, cov, "3")
    bad(3, "shape must not be negative", mean, cov, { -1 })
    bad(4, "float64 or float32 expected, got int8", mean, cov, 3, "int8")
    bad(4, "option 'method' must be 'svd', 'eigh' or 'cholesky'", mean, cov, 3,
        { method = "qr" })
    bad(3, "float64 or float32 expected, got int8", mean, cov, "int8")
    bad(3, "unknown option 'tol'", mean, cov, { tol = 1 })
    bad(4, "unknown option 'tol'", mean, cov, "float32", { tol = 1 })
    bad(6, "no value expected", mean, cov, "float32", {}, nil, 1)
    bad(5, "unknown option 'tol'", mean, cov, 3, "float32", { tol = 1 })
    bad(6, "no value expected", mean, cov, 3, "float32", {}, 1)
  end)
end)

end)
