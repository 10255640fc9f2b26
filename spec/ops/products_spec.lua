--[[
products_spec.lua - outer, inner, vecdot, tensordot, kron, cross: sums against
loops in Lua, views, dtypes, captures, errors. NumPy's answers: numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

--- Integers from 1 to n in a shape.
local function count (shape, dtype)
  local n = 1
  for _, length in ipairs(shape) do n = n * length end
  return tide.arange(1, n + 1, dtype or "int64"):reshape(shape)
end

--- Sum of x[i...] y[...j] over one index, in Lua.
local function tensordot (x, y)
  local z = {}
  for i, row in ipairs(x) do
    z[i] = {}
    for k in ipairs(y[1]) do
      z[i][k] = 0
      for j, value in ipairs(row) do z[i][k] = z[i][k] + value * y[j][k] end
    end
  end
  return z
end

helper.each_device(function ()

describe("products", function ()
  it("are of the dtype of both", function ()
    for _, name in ipairs{ "outer", "inner", "vecdot", "kron", "cross" } do
      local a, b = tide.ones(3, "int8"), tide.ones(3, "float16")
      assert.equal("float16", tide[name](a, b).dtype, name)
      assert.equal("int8", tide[name](a, a).dtype, name)
    end
    local a = tide.full(40, 2, "bfloat16")
    assert.equal(160, a:inner(a):item())
    assert.equal("bfloat16", a:tensordot(a, 1).dtype)
  end)

  it("of bools are 'and', added by 'or'", function ()
    local a = tide.array{ { true, false }, { false, false } }
    assert.same({ { true, false }, { false, false } }, a:inner(a):totable())
    assert.same({ true, false }, a:vecdot(a):totable())
    assert.same({ { true, false }, { false, false } },
                a[1]:outer(a[1]):totable())
    assert.is_true(a:tensordot(a):item())
    fails("'cross' is not defined for bool arrays", tide.cross,
          tide.ones(3, "bool"), tide.ones(3, "bool"))
  end)

  it("of 16 bits are rounded once", function ()
    local a = tide.full(4096, 1, "float16")
    local b = tide.full(4096, 0.25, "float16")
    assert.equal(1024, a:vecdot(b):item())
    -- 2049 is no float16
    local c = tide.array({ 1, 2048, -2048 }, "float16")
    assert.equal(1, c:inner(tide.ones(3, "float16")):item())
  end)

  it("of complex numbers: vecdot alone conjugates", function ()
    local z = tide.array{ tide.complex(0, 1), tide.complex(2, 0) }
    assert.equal(tide.complex(5, 0), z:vecdot(z):item())
    assert.equal(tide.complex(3, 0), z:inner(z):item())
    assert.equal(tide.complex(-1, 0), z:outer(z)[1][1])
  end)

  it("without elements are 0, or empty", function ()
    local a = tide.zeros{ 2, 0 }
    assert.same({ { 0, 0 }, { 0, 0 } }, a:inner(a):totable())
    assert.same({ 0, 0 }, a:vecdot(a):totable())
    assert.same({ 0, 0 }, a:outer(a).shape)
    assert.same({ 4, 0 }, a:kron(a).shape)
    assert.same({ 0, 3 }, tide.zeros{ 0, 3 }:cross(tide.ones(3)).shape)
    assert.equal(0, a:tensordot(a):item())
  end)

  it("are captured", function ()
    local a, b = count({ 2, 3 }, "float32"), tide.ones({ 3, 2 }, "float32")
    local z = tide.zeros({ 2, 2 }, "float32")
    local g = tide.capture(function () a:tensordot(b, 1, { out = z }) end)
    a:add_(1)
    g:launch()
    assert.same(tensordot(a:totable(), b:totable()), z:totable())
  end)

  it("write over their operands", function ()
    local a, b = count{ 2, 2 }, tide.array{ { 0, 1 }, { 1, 0 } }
    a:tensordot(b, 1, { out = a })
    assert.same({ { 2, 1 }, { 4, 3 } }, a:totable())
    a:inner(b, { out = a.T })
    assert.same({ { 1, 3 }, { 2, 4 } }, a:totable())
  end)

  it("are dense, whatever they are made of", function ()
    local a, b = count{ 3, 2 }.T, count{ 4, 1, 3 }
    for _, z in ipairs{ a:tensordot(b, { 2, 3 }), b:inner(a), a:outer(b),
                        a:vecdot(a, 1) } do
      local dense = tide.zeros(z.shape)
      assert.same(dense.strides, z.strides)
    end
  end)

  it("leave nothing behind", function ()
    local a = count({ 3, 3 }, "float32")
    collectgarbage()
    tide.poll()
    local before = helper.T.held().device_bytes
    for _, name in ipairs{ "outer", "inner", "vecdot", "kron", "cross",
                           "tensordot" } do
      a[name](a, a.T):close()
      a.T[name](a.T, a):close()
    end
    assert.equal(before, helper.T.held().device_bytes)
  end)
end)

describe("tensordot", function ()
  it("is the sum in loops", function ()
    local pick = helper.generator(5)
    for _ = 1, 20 do
      local n, k, m = pick(5), pick(5), pick(5)
      local a, b = count{ n, k }, count({ m, k }).T
      assert.same(tensordot(a:totable(), b:totable()),
                  a:tensordot(b, 1):totable())
      assert.same(tensordot(a:totable(), b:totable()),
                  a:tensordot(b, { 2, 1 }):totable())
      assert.same(tensordot(a:totable(), b:totable()),
                  a:tensordot(b, { { -1 }, { -2 } }):totable())
    end
  end)

  it("of axes in another order", function ()
    local a, b = count{ 2, 3, 4 }, count{ 4, 3, 5 }
    local z = a:tensordot(b, { { 3, 2 }, { 1, 2 } })
    local wanted = a:permute(1, 3, 2):reshape{ 2, 12 }
                    :matmul(b:reshape{ 12, 5 })
    assert.same(wanted:totable(), z:totable())
    assert.same(z:totable(), a:tensordot(b, { { 2, 3 }, { 2, 1 } }):totable())
  end)

  it("of no axes is every product", function ()
    local a = count{ 2, 2 }
    assert.same({ 2, 2, 2, 2 }, a:tensordot(a, 0).shape)
    assert.same(a:outer(a):totable(),
                a:tensordot(a, 0):reshape{ 4, 4 }:totable())
    assert.same({ 2, 2, 2 }, a:tensordot(a[1], { {}, {} }).shape)
  end)

  it("says what is wrong", function ()
    local a, b = tide.ones{ 2, 3 }, tide.ones{ 3, 4 }
    fails("shapes 2x3 and 3x4 differ in the axes that are summed, 1 and 1",
          tide.tensordot, a, b)
    fails("shapes 2x3 and 3x4 differ in the axes that are summed, 1 and 2",
          tide.tensordot, a, b, { 1, 2 })
    badarg(3, "the number of axes must not be negative", tide.tensordot, a, b,
           -1)
    badarg(3, "arrays of 3 axes or more expected, they have 2 and 2",
           tide.tensordot, a, b, 3)
    badarg(3, "as many axes of each array expected", tide.tensordot, a, b,
           { { 1, 2 }, 1 })
    badarg(3, "axis 3 is out of range for an array of 2 axes", tide.tensordot,
           a, b, { 3, 1 })
    badarg(3, "axis 1 is there twice", tide.tensordot, a, b,
           { { 1, 1 }, { 1, 2 } })
    badarg(4, "unknown option 'aut'", tide.tensordot, a, b, 1, { aut = a })
    badarg(4, "option 'out' must have shape 2x4, has 2x3", tide.tensordot, a,
           b, 1, { out = a })
    badarg(2, "tide.Array expected, got number", tide.tensordot, a, 1)
    local c = tide.ones{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2 }
    fails("the product would have more than 32 axes", tide.tensordot, c, c, 0)
  end)
end)

describe("vecdot", function ()
  it("broadcasts", function ()
    local a, b = count{ 2, 1, 3 }, count{ 4, 3 }
    local z, x, y = a:vecdot(b), a:totable(), b:totable()
    assert.same({ 2, 4 }, z.shape)
    for i = 1, 2 do
      for k = 1, 4 do
        assert.equal(tensordot({ x[i][1] },
                               { { y[k][1] }, { y[k][2] }, { y[k][3] } })[1][1],
                     z[i][k])
      end
    end
    local c = tide.zeros({ 2, 4 }, "int64")
    local d = b:reshape{ 4, 1, 3 }:permute(3, 1, 2)
               :vecdot(a:reshape{ 2, 3 }.T, { axis = 1, out = c.T })
    assert.same({ 4, 2 }, d.shape)
    assert.same(z:totable(), c:totable())
  end)

  it("of rows is the sum of the products, however long and many they are",
  function ()
    local pick = helper.generator(3)
    for _, shape in ipairs{ { 0, 4 }, { 3, 0 }, { 1, 5 }, { 5, 1 }, { 5, 3 },
                            { 64, 4 }, { 4001, 2 }, { 300, 33 }, { 40, 127 },
                            { 7, 2049 }, { 2, 100000 }, { 2, 3, 5, 4 },
                            { 3, 1, 700 }, { 70001 } } do
      local n = 1
      for _, k in ipairs(shape) do n = n * k end
      local from = pick(1000)
      for _, t in ipairs{ "float32", "float64", "float16", "int32" } do
        local a = tide.arange(from, from + n):mul(7919):mod(31):sub(15)
        local b = tide.arange(n):mul(104729):mod(23):sub(11)
        a, b = a:astype(t):reshape(shape), b:astype(t):reshape(shape)
        local wanted = (a:astype "int64" * b:astype "int64"):sum(-1):astype(t)
        local z = a:vecdot(b)
        assert.equal(t, z.dtype)
        assert.same(wanted.shape, z.shape)
        assert.is_true(z:array_equal(wanted), table.concat(shape, "x"))
        local c = tide.zeros(n + 1, t):slice(2):copy_from(b:reshape(n))
        assert.is_true(a:vecdot(c:reshape(shape)):array_equal(wanted))
        if #shape == 2 then  -- of columns
          local x, y = a.T:copy(), b.T:copy()
          assert.is_true(x:vecdot(y, 1):array_equal(wanted))
          assert.is_true(x.T:vecdot(b):array_equal(wanted))
        end
      end
    end
  end)

  it("of rows lets NaN win in its own, and rounds each product", function ()
    local a = tide.ones({ 70, 90 }, "float32")
    a[{ 3, 7 }], a[{ 5, 90 }] = 0 / 0, 1 / 0
    local z = a:vecdot(a)
    assert.same({ 3 }, z:isnan():nonzero():totable())
    assert.same({ 5 }, z:isinf():nonzero():totable())
    assert.equal(90, z[70])
    local tiny = tide.full({ 4, 64 }, 2.0 ^ -80, "float32")
    assert.same({ 0, 0, 0, 0 }, tiny:vecdot(tiny):totable())
  end)

  it("of rows is one launch, which can be captured", function ()
    local a = tide.ones({ 50, 60 }, "float32")
    assert.equal(1, helper.launches(tide.vecdot, a, a))
    local z = tide.zeros(50, "float32")
    local g <close> = tide.capture(function () a:vecdot(a, { out = z }) end)
    a:fill(2)
    g:launch()
    assert.is_true(z:eq(240):all():item())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    fails("shapes 2x3 and 2 differ in the axes of vectors, 2 and 1",
          tide.vecdot, a, tide.ones(2))
    fails("shapes 2x3 and 4x3 do not broadcast", tide.vecdot, a,
          tide.ones{ 4, 3 })
    badarg(1, "an array of at least one axis expected", tide.vecdot,
           tide.ones{}, a)
    badarg(2, "an array of at least one axis expected", tide.vecdot, a,
           tide.ones{})
    badarg(3, "axis 2 is out of range for an array of 1 axes", tide.vecdot, a,
           tide.ones(3), 2)
    badarg(3, "one axis expected", tide.vecdot, a, a, { 1, 2 })
    badarg(4, "option 'axis' is given besides an axis", tide.vecdot, a, a, 1,
           { axis = 1 })
  end)
end)

describe("kron and outer", function ()
  it("have blocks", function ()
    local a, b = tide.array{ { 1, 2 }, { 0, -1 } }, tide.array{ 1, 10 }
    assert.same({ { 1, 10, 2, 20 }, { 0, 0, -1, -10 } }, a:kron(b):totable())
    assert.same({ { 1, 2, 10, 20 }, { 0, -1, 0, -10 } }, b:kron(a):totable())
    assert.same({ 5, 50 }, b:kron(tide.array(5)):totable())
    assert.same({ { 1, 10 }, { 2, 20 }, { 0, 0 }, { -1, -10 } },
                a:outer(b):totable())
    local z = tide.zeros({ 4, 2 }, "int64")
    assert.equal(z, a:outer(b, { out = z }))
    assert.equal(-10, z[4][2])
  end)

  it("say what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(3, "option 'out' must have shape 6x6, has 2x3", tide.outer, a, a,
           { out = a })
    badarg(3, "option 'out' must have dtype float64, has int8", tide.kron, a,
           a, { out = tide.ones({ 4, 9 }, "int8") })
    local b = a:reshape{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3 }
    fails("kron takes arrays of at most 16 axes", tide.kron, b, a)
  end)
end)

describe("cross", function ()
  local function cross (x, y)
    return { x[2] * y[3] - x[3] * y[2], x[3] * y[1] - x[1] * y[3],
             x[1] * y[2] - x[2] * y[1] }
  end

  it("is at right angles", function ()
    local pick = helper.generator(9)
    for _ = 1, 20 do
      local x, y = {}, {}
      for i = 1, 3 do x[i], y[i] = pick(9) - 5, pick(9) - 5 end
      local a, b = tide.array(x), tide.array(y)
      local z = a:cross(b)
      assert.same(cross(x, y), z:totable())
      assert.equal(0, z:vecdot(a):item())
    end
  end)

  it("lies along the axis", function ()
    local a, b = count{ 3, 2 }, tide.array{ { 1 }, { 0 }, { 2 } }
    local z = a:cross(b, 1)
    assert.same({ 3, 2 }, z.shape)
    assert.same(cross({ 1, 3, 5 }, { 1, 0, 2 }), z.T[1]:totable())
    assert.same(cross({ 2, 4, 6 }, { 1, 0, 2 }), z.T[2]:totable())
    assert.same(z.T:totable(), a.T:cross(b.T, { axis = -1 }):totable())
  end)

  it("says what is wrong", function ()
    fails("shapes 2 and 2 have no vectors of three", tide.cross,
          tide.ones(2), tide.ones(2))
    fails("shapes 3 and 2 differ in the axes of vectors, 1 and 1", tide.cross,
          tide.ones(3), tide.ones(2))
    badarg(1, "an array of at least one axis expected", tide.cross,
           tide.ones{}, tide.ones(3))
  end)
end)

end)
