--[[
norm_spec.lua - norm, trace: arguments, dtypes, special values. NumPy's answers:
numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

local A = { { 1, -2, 2 }, { -4, 0, 3 } }

helper.each_device(function ()

describe("norm", function ()
  it("of vectors", function ()
    local a = tide.array{ 3, 0, -4 }
    for ord, wanted in pairs{ [0] = 2, [1] = 7, [2] = 5, [math.huge] = 4,
                              [-math.huge] = 0 } do
      assert.equal(wanted, a:norm(ord):item(), tostring(ord))
    end
    assert.equal(5, a:norm():item())
    assert.is_true(math.abs(91 ^ (1 / 3) - a:norm(3):item()) < 1e-14)
    assert.equal(0, a:norm(-1):item())  -- of what has a 0
    assert.equal(2, tide.array{ 4, 4 }:norm(-1):item())
  end)

  it("of matrices", function ()
    local a = tide.array(A)
    assert.equal(5, a:norm(1):item())
    assert.equal(2, a:norm(-1):item())
    assert.equal(7, a:norm(math.huge):item())
    assert.equal(5, a:norm(-math.huge):item())
    assert.equal(34 ^ 0.5, a:norm("fro"):item())
    assert.equal(34 ^ 0.5, a:norm():item())
    assert.same({ 5 }, tide.array{ A }:norm(1, { 2, 3 }):totable())
    assert.same({ 7 }, tide.array{ A }:norm(1, { 3, 2 }):totable())
    assert.same({ { { 7 } } }, tide.array{ A }:norm(math.huge, { -2, -1 },
                { keepdims = true }):totable())
  end)

  it("along an axis, and of all elements", function ()
    local a = tide.array(A)
    assert.same({ 3, 5 }, a:norm(nil, 2):totable())
    assert.same({ { 3 }, { 5 } },
                a:norm{ axis = 2, keepdims = true }:totable())
    assert.same({ 5, 2, 5 }, tide.norm(a, 1, 1):totable())
    assert.same({ 4, 2, 3 }, a:norm(math.huge, { axis = 1 }):totable())
    local b = a:reshape{ 1, 2, 3, 1 }
    assert.equal(34 ^ 0.5, b:norm():item())
    assert.same({ 1, 1, 1, 1 }, b:norm{ keepdims = true }.shape)
    assert.same({ 1 }, b:norm(nil, { 2, 3, 4 }).shape)
    assert.equal(7, tide.array(-7):norm():item())
  end)

  it("along three axes or more is that of their elements", function ()
    local a = tide.arange(1, 25):reshape{ 2, 3, 4 }
    local flat = a:reshape(-1)
    for _, ord in ipairs{ 0, 1, 2, 3, -1, math.huge, -math.huge } do
      local wanted = flat:norm(ord):item()
      assert.equal(wanted, a:norm(ord):item())
      assert.equal(wanted, a:norm(ord, { 1, 2, 3 }):item())
      assert.same({ { { { wanted } } } }, a:reshape{ 2, 3, 4, 1 }:norm(ord,
                  { 1, 2, 3 }, { keepdims = true }):totable())
    end
    assert.same({ 78, 222 }, a:reshape{ 2, 2, 3, 2 }:norm(1,
                { 2, 3, 4 }):totable())
  end)

  it("has the dtype of floats", function ()
    for from, to in pairs{ int8 = "float64", bool = "float64",
                           float16 = "float16", bfloat16 = "bfloat16",
                           float32 = "float32", complex64 = "float32",
                           complex128 = "float64" } do
      local a = tide.ones(4, from)
      for _, ord in ipairs{ 0, 1, 2, 3, math.huge } do
        assert.equal(to, a:norm(ord).dtype, from)
      end
      assert.equal(2, a:norm():item())
    end
    -- whose squares are out of range of float16
    assert.equal(500, tide.array({ 300, 400 }, "float16"):norm():item())
    assert.equal(5, tide.array{ tide.complex(3, 4) }:norm():item())
    -- of int8, which has no 128
    assert.equal(128, tide.array({ -128 }, "int8"):norm(1):item())
  end)

  it("of long rows, columns and views is added up in float64", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local pattern = tide.array({ 3, -4, 0, 12 }, t)
      local a = tide.tile(pattern, 25000):reshape(4, -1)  -- in chunks
      local n = a.shape[2] // 4
      for _, b in ipairs{ a, a.T:copy().T, tide.stack{ a, a }[1] } do
        local rows, sums = b:norm(nil, 2), b:norm(1, 2)
        local root = tide.array{ 13 * n ^ 0.5 }:astype(t)[1]
        local sum = tide.array{ 19. * n }:astype(t)[1]
        assert.same({ root, root, root, root }, rows:totable())
        assert.same({ sum, sum, sum, sum }, sums:totable())
      end
      local columns = a.T:norm(nil, 1)
      assert.equal(tide.array{ 13 * n ^ 0.5 }:astype(t)[1], columns[1])
      for first = 2, 4 do  -- no packs
        local v = a:ravel():slice(first, 4 * first - 1)
        local list, squares = v:totable(), 0
        for _, x in ipairs(list) do squares = squares + x * x end
        assert.equal(tide.array{ squares ^ 0.5 }:astype(t)[1],
                     v:norm():item())
      end
    end
    assert.equal(tide.array({ 5e30 }, "float32")[1],
                 tide.array({ 3e30, 4e30 }, "float32"):norm():item())
  end)

  it("of NaNs and infinities", function ()
    local a = tide.array{ 1, 0 / 0 }
    for _, ord in ipairs{ 1, 2, 3, math.huge, -math.huge } do
      local x = a:norm(ord):item()
      assert.is_true(x ~= x, tostring(ord))
    end
    assert.equal(math.huge, tide.array{ 1, -math.huge }:norm():item())
  end)

  it("of nothing", function ()
    assert.equal(0, tide.zeros(0):norm():item())
    assert.same({ 0, 0 }, tide.zeros{ 2, 0 }:norm(1, 2):totable())
    assert.same({ 0 }, tide.zeros{ 0, 3 }:norm(math.huge, 2).shape)
    helper.fails("an array without elements has no such norm", tide.norm,
                 tide.zeros{ 2, 0 }, math.huge, 2)
  end)

  it("writes to 'out', also over its operand, and is captured", function ()
    local a = tide.array(A):astype "float64"
    local g = tide.capture(function ()
      a:norm(nil, 2, { out = a.T[1] })
    end)
    g:launch()
    assert.same({ { 3, -2, 2 }, { 5, 0, 3 } }, a:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    local b = tide.ones{ 2, 3, 4 }
    badarg(2, "norms of matrices are 1, -1, 2, -2, math.huge, -math.huge, " ..
           "'fro', 'nuc'", tide.norm, a, 3)
    badarg(2, "the order of a norm is a number, 'fro' or 'nuc', got 'max'",
           tide.norm, a, "max")
    badarg(2, "the order of a norm is a number, 'fro' or 'nuc', got boolean",
           tide.norm, a, true)
    badarg(1, "the matrices of such a norm have two axes", tide.norm,
           tide.ones(3), "nuc")
    badarg(2, "the order of a norm is no NaN", tide.norm, a, 0 / 0)
    badarg(1, "a norm with an order has one axis or more", tide.norm,
           tide.array(7), 1)
    badarg(1, "the matrices of such a norm have two axes", tide.norm,
           tide.ones(3), "fro")
    badarg(3, "the matrices of such a norm have two axes", tide.norm, b, "fro",
           { 1, 2, 3 })
    badarg(3, "axis 4 is out of range for an array of 3 axes", tide.norm, b,
           1, 4)
    badarg(3, "nothing comes after the options", tide.norm, b, { axis = 1 }, 1)
    badarg(4, "option 'axis' is given besides an axis", tide.norm, b, 1, 1,
           { axis = 1 })
    badarg(3, "option 'ord' is given besides an order", tide.norm, b, 1,
           { ord = 1 })
    badarg(2, "unknown option 'keepdim'", tide.norm, b, { keepdim = true })
  end)
end)

describe("trace", function ()
  it("is the sum of a diagonal", function ()
    local a = tide.array(A)
    assert.equal(1, a:trace():item())
    assert.equal(1, a:trace(1):item())
    assert.equal(-4, a:trace(-1):item())
    assert.equal(0, a:trace(7):item())
    assert.equal("int64", a:astype "int8":trace().dtype)
    assert.equal("float32", a:trace{ dtype = "float32" }.dtype)
    local b = tide.arange(24):reshape{ 2, 3, 4 }
    assert.same({ 0 + 5 + 10, 12 + 17 + 22 },
                b:trace(0, { 2, 3 }):totable())
    assert.same({ 16, 18, 20, 22 - 0 },
                b:trace(0, { 1, 2 }):totable())
    local z = tide.zeros(4, "int64")
    assert.equal(z, tide.trace(b, 0, { out = z }))
    assert.equal(16, z[1])
    assert.equal(0, tide.zeros{ 0, 0 }:trace():item())
  end)

  it("says what is wrong", function ()
    badarg(1, "at least two axes expected", tide.trace, tide.ones(3))
    badarg(3, "two axes expected", tide.trace, tide.ones{ 2, 3 }, 0, { 1 })
    badarg(2, "number expected, got boolean", tide.trace, tide.ones{ 2, 3 },
           true)
    badarg(2, "unknown option 'axis'", tide.trace, tide.ones{ 2, 3 },
           { axis = 1 })
  end)
end)

end)
