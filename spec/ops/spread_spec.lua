--[[
spread_spec.lua - ptp, average, cov and corrcoef. NumPy's answers are in
numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

local function near (a, wanted)
  assert.is_true(tide.allclose(a, tide.array(wanted), 0, 1e-12))
end

helper.each_device(function ()

describe("ptp", function ()
  it("is the greatest less the least", function ()
    local a = tide.array{ { 3, 1, 7 }, { 2, 9, 4 } }
    assert.equal(8, a:ptp():item())
    assert.same({ 6, 7 }, a:ptp(2):totable())
    assert.same({ { 1, 8, 3 } }, a:ptp(1, { keepdims = true }):totable())
    assert.same({ 6, 7 }, a.T:ptp{ axis = 1 }:totable())
    assert.equal(8, a:ptp{ 1, 2 }:item())
    assert.equal("uint8", tide.ones(2, "uint8"):ptp().dtype)
    local nan = tide.array{ 1, 0 / 0 }:ptp():item()
    assert.is_true(nan ~= nan)
    local z = tide.zeros(2, "int64")
    assert.equal(z, a:ptp(2, { out = z }))
    assert.same({ 6, 7 }, z:totable())
    fails("of an array without elements", tide.ptp, tide.ones(0))
    fails("is not defined for complex64 arrays", tide.ptp,
          tide.ones(2, "complex64"))
    badarg(2, "unknown option 'keepdim'", tide.ptp, a, { keepdim = true })
  end)
end)

describe("average", function ()
  it("counts elements by their weights, which stay open", function ()
    local a, w = tide.array{ { 1, 2 }, { 3, 6 } }, tide.array{ 1, 3 }
    for _ = 1, 2 do
      assert.same({ 1.75, 5.25 }, a:average(2, { weights = w }):totable())
    end
    assert.same({ 2.5, 5.0 }, a:average(1, { weights = w }):totable())
    assert.equal(3.0, a:average():item())
    assert.equal(15 / 4, a:average{ weights = tide.array{ { 1, 1 }, { 0, 2 } } }
                          :item())
    assert.same({ { 1.75 }, { 5.25 } },
                a:average{ axis = 2, weights = w, keepdims = true }:totable())
    assert.equal("float32", tide.ones(2, "float32")
                              :average{ weights = tide.ones(2, "float32") }
                              .dtype)
    for _, dtype in ipairs{ "int8", "bool", "uint64" } do
      for w_dtype, wanted in pairs{ float32 = "float64", int8 = "float64",
                                    complex64 = "complex128" } do
        local z = tide.ones(2, dtype)
                      :average{ weights = tide.ones(2, w_dtype) }
        assert.equal(wanted, z.dtype)
      end
    end
    local none = a:average(1, { weights = w * 0 })[1]
    assert.is_true(none ~= none)
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    fails("option 'weights' must be a tide.Array, got number", tide.average, a,
          { weights = 1 })
    badarg(2, "option 'weights' must have the array's shape, or one axis as",
           tide.average, a, { weights = tide.ones(2) })
    fails("option 'weights' must have the array's shape", tide.average, a, 1,
          { weights = tide.ones(3) })
  end)
end)

describe("cov and corrcoef", function ()
  it("of variables in rows or columns", function ()
    local a = tide.array{ { 0, 2, 1, 5 }, { 4, 1, 3, 0 } }
    local c = { { 14 / 3, -11 / 3 }, { -11 / 3, 10 / 3 } }
    near(a:cov(), c)
    near(a.T:cov{ rowvar = false }, c)
    near(a[1]:cov(a[2]), c)
    near(a:cov{ ddof = 0 }, (tide.array(c) * 0.75):totable())
    near(a:cov{ bias = true }, (tide.array(c) * 0.75):totable())
    assert.same({}, a[1]:cov().shape)
    local r = -11 / math.sqrt(140)
    near(a:corrcoef(), { { 1, r }, { r, 1 } })
    near(a[1]:corrcoef(), 1.0)
    assert.equal("float32", a:cov{ dtype = "float32" }.dtype)
    local z = tide.zeros{ 2, 2 }
    assert.equal(z, a:cov{ out = z })
    near(z, c)
  end)

  it("count observations by their weights", function ()
    local a = tide.array{ { 0, 2, 1 }, { 4, 1, 3 } }
    local f = tide.array{ 2, 1, 3 }
    local every = a:take({ 1, 1, 2, 3, 3, 3 }, 2)
    near(a:cov{ fweights = f }, every:cov():totable())
    near(a:cov{ fweights = f, ddof = 0 }, every:cov{ ddof = 0 }:totable())
    near(a:cov{ aweights = f, ddof = 0 }, every:cov{ ddof = 0 }:totable())
  end)

  it("say what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "at most two axes expected", tide.cov, tide.ones{ 1, 2, 3 })
    badarg(2, "as many observations expected", tide.cov, a, tide.ones(2))
    fails("option 'fweights' must have one axis of 3 elements", tide.cov, a,
          { fweights = tide.ones(2) })
    fails("option 'dtype' must be a float type", tide.corrcoef, a,
          { dtype = "int8" })
    badarg(2, "unknown option 'axis'", tide.cov, a, { axis = 1 })
  end)
end)

end)
