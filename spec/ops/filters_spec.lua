--[[
filters_spec.lua - gaussian_filter and median_filter: windows larger than the
array, dtypes, no axes and no elements, errors. SciPy's answers, made of
NumPy's functions, are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

helper.each_device(function ()

describe("gaussian_filter", function ()
  it("keeps sums, and constants", function ()
    local a = tide.random.Generator(1):uniform{ 20, 30 }
    local z = tide.gaussian_filter(a, 2)
    assert.is_true(tide.allclose(z:sum(), a:sum()))
    assert.is_true(z:std():item() < a:std():item() / 4)
    for _, mode in ipairs{ "reflect", "nearest", "mirror", "wrap" } do
      local ones = tide.gaussian_filter(tide.ones{ 1, 5 }, 3, { mode = mode })
      assert.is_true(tide.allclose(ones, tide.ones{ 1, 5 }), mode)
    end
    assert.is_true(tide.allclose(tide.gaussian_filter(tide.zeros(3), 1, {
      mode = "constant", cval = 2, radius = 0 }), tide.zeros(3)))
  end)

  it("derives a ramp", function ()
    local x = tide.arange(40, "float64") * 3
    local z = tide.gaussian_filter(x, 1.5, { order = 1 })
    assert.is_true(tide.allclose(z[{ { 10, 30 } }], tide.full(21, 3.), 1e-3))
    z = tide.gaussian_filter(x, 1.5, { order = 2 })
    assert.is_true(z[{ { 10, 30 } }]:abs():max():item() < 1e-2)
  end)

  it("leaves axes of sigma 0 alone, and other lines", function ()
    local a = tide.zeros{ 3, 4, 5 }
    a[2] = 0 / 0
    local z = tide.gaussian_filter(a, { 0, 1, 1 })
    assert.same({ 0, 20, 0 }, z:isnan():sum{ 2, 3 }:totable())
    assert.same(a[1]:totable(), z[3]:totable())
  end)

  it("has the dtype of floats, and memory of its own", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64",
                        "complex64", "complex128" } do
      assert.equal(t, tide.gaussian_filter(tide.ones(3, t), 1).dtype)
    end
    for _, t in ipairs{ "bool", "int8", "uint64" } do
      local z = tide.gaussian_filter(tide.ones(3, t), 1)
      assert.equal("float64", z.dtype)
      assert.is_true(tide.allclose(z, tide.ones(3)))
    end
    local a = tide.ones(3)
    tide.gaussian_filter(a, 0):fill(0)
    assert.same({ 1, 1, 1 }, a:totable())
    assert.same({ 0, 3 }, tide.gaussian_filter(tide.zeros{ 0, 3 }, 1).shape)
    assert.equal(3, tide.gaussian_filter(tide.array(3.), 1):item())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 3, 3 }
    local function bad (at, text, ...)
      badarg(at, text, tide.gaussian_filter, ...)
    end
    bad(1, "tide.Array expected, got no value")
    bad(2, "a number from 0 on expected, got no value", a)
    bad(2, "a number from 0 on expected, got nan", a, 0 / 0)
    bad(2, "a list for 2 axes expected, got 1", a, { 1 })
    bad(2, "field 'x' in a list for the axes", a, { 1, 1, x = 1 })
    bad(2, "item 2: a number from 0 on expected", a, { 1, -1 })
    bad(3, "option 'mode' must be 'reflect', 'constant'", a, 1,
        { mode = "edge" })
    bad(3, "option 'order': an integer from 0 to 64 expected, got -1", a, 1,
        { order = -1 })
    bad(3, "a window of a radius up to 1048576 expected, got 4e+300", a, 1e300)
    bad(3, "a window of a radius up to 1048576 expected", a, 1,
        { radius = { 1, math.maxinteger } })
    bad(3, "option 'radius': item 2: an integer from 0 on expected", a, 1,
        { radius = { 1, 0.5 } })
    bad(3, "option 'cval' must be a number, got string", a, 1, { cval = "0" })
    bad(3, "option 'truncate' must be a number, got table", a, 1,
        { truncate = {} })
    bad(3, "option 'truncate' must be finite and from 0 on, got -1", a, 1,
        { truncate = -1 })
    bad(3, "unknown option 'output'", a, 1, { output = a })
    bad(4, "no value expected", a, 1, nil, 1)
  end)
end)

describe("median_filter", function ()
  it("removes what is alone", function ()
    local a = tide.zeros({ 9, 9 }, "int32")
    a[{ { 3, 3 }, { 4, 4 } }] = 7
    assert.equal(0, tide.median_filter(a, 3):max():item())
    assert.equal(7, tide.median_filter(a, 1):max():item())
    assert.same({ 1, 1, 2, 3, 4, 5, 5 },
                tide.median_filter(tide.arange(7), 5):totable())
  end)

  it("of every dtype with an order, with none and without elements", function ()
    for _, t in ipairs{ "bool", "int8", "uint64", "float16", "bfloat16",
                        "float64" } do
      local z = tide.median_filter(tide.array({ 0, 1, 1 }, t), 3)
      assert.equal(t, z.dtype)
      assert.same({ 0, 1, 1 }, z:astype "int32":totable())
    end
    assert.equal(3, tide.median_filter(tide.array(3), 5):item())
    assert.same({ 0, 2 }, tide.median_filter(tide.zeros{ 0, 2 }, 3).shape)
  end)

  it("with windows longer than the array", function ()
    local a = tide.array{ 1, 2 }
    assert.same({ 2, 1 }, tide.median_filter(a, 7):totable())
    assert.same({ 0, 0 }, tide.median_filter(a, 7, { mode = "constant" })
                  :totable())
    assert.same({ 9, 9 }, tide.median_filter(a, 7, { mode = "constant",
                                                     cval = 9 }):totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones(3)
    local function bad (at, text, ...)
      badarg(at, text, tide.median_filter, ...)
    end
    for wrong, made in pairs{
        ["number has no integer representation: 0.5"] = { 0.5, "int64" },
        ["number is out of range for uint8: -1"] = { -1, "uint8" } } do
      bad(3, "option 'cval': " .. wrong, tide.ones(3, made[2]), 3,
          { mode = "constant", cval = made[1] })
      tide.median_filter(tide.ones(3, made[2]), 3, { cval = made[1] })
    end
    bad(1, "complex64 numbers have no order", tide.ones(3, "complex64"), 3)
    bad(2, "an integer from 1 on expected, got 0", a, 0)
    bad(2, "an integer from 1 on expected, got 1.5", a, 1.5)
    bad(2, "a list for 1 axes expected, got 2", a, { 3, 3 })
    bad(2, "windows of up to 16384 elements expected", tide.ones{ 2, 2 }, 256)
    bad(2, "windows of up to 16384 elements expected", a, math.maxinteger)
    bad(3, "unknown option 'size'", a, 3, { size = 3 })
  end)
end)

end)
