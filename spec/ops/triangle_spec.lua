--[[
triangle_spec.lua - matrices with 0 on one side of a diagonal.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("tril and triu", function ()
  it("keep what is on their side of the diagonal", function ()
    for _, shape in ipairs{ { 3, 4 }, { 4, 3 }, { 1, 1 }, { 5, 1 },
                            { 2, 9 } } do
      local n, m = table.unpack(shape)
      local a = tide.arange(1, n * m + 1):reshape(shape)
      for k = -6, 10 do
        local low, up = a:tril(k):totable(), a:triu(k):totable()
        for i = 1, n do
          for j = 1, m do
            local x = (i - 1) * m + j
            assert.equal(j <= i + k and x or 0, low[i][j])
            assert.equal(j >= i + k and x or 0, up[i][j])
          end
        end
      end
    end
  end)

  it("keep them of rows that are moved as packs, or as their elements",
     function ()
    for _, dtype in ipairs{ "int8", "int16", "float32", "float64" } do
      local all = tide.arange(1, 2 * 7 * 32 + 2):mod(100):add(1)
                      :astype(dtype)
      for at = 1, 2 do
        local a = all:slice(at, at + 2 * 7 * 32 - 1):reshape(2, 7, 32)
        local x, j = a:totable(), tide.arange(1, 33)
        local i = tide.arange(1, 8):reshape(7, 1)
        for _, k in ipairs{ -8, -1, 0, 1, 3, 4, 15, 16, 17, 30, 31, 32 } do
          local far = j - i - k
          assert.same(a:mul(far:le(0):astype(dtype)):totable(),
                      a:tril(k):totable())
          assert.same(a:mul(far:ge(0):astype(dtype)):totable(),
                      a:triu(k):totable())
        end
        assert.same(x, a:totable())
      end
    end
  end)

  it("do so for each matrix, of any dtype and strides", function ()
    for _, t in ipairs(dofile "kernels/table.lua".dtypes) do
      local a = tide.ones({ 2, 3, 4 }, t.name)
      local low, up = tide.tril(a), tide.triu(a)
      assert.equal(t.name, low.dtype)
      assert.equal(12, low:count_nonzero():item())
      assert.equal(18, up:count_nonzero():item())
    end
    local a = tide.arange(9):reshape{ 3, 3 }
    assert.same({ { 0, 3, 6 }, { 0, 4, 7 }, { 0, 0, 8 } },
                a.T:triu():totable())
    assert.same({ { 1, 0, 0 }, { 1, 2, 0 }, { 1, 2, 3 } },
                tide.arange(1, 4):broadcast_to(3, 3):tril():totable())
    assert.same({ { 1, 0, 0 }, { 1, 2, 0 }, { 1, 2, 3 } },
                tide.arange(1, 4):tril():totable())
    assert.same({ { 0, 2, 3 }, { 0, 0, 3 }, { 0, 0, 0 } },
                tide.arange(1, 4):triu(1):totable())
    assert.same({ 0, 0 }, tide.ones{ 0 }:tril().shape)
    assert.same({ 0, 3 }, tide.ones{ 0, 3 }:tril().shape)
    assert.same({ 2, 3, 0 }, tide.ones{ 2, 3, 0 }:triu().shape)
    for _, k in ipairs{ math.maxinteger, math.mininteger } do
      assert.same(k > 0 and a:totable() or (a * 0):totable(),
                  a:tril(k):totable())
      assert.same(k < 0 and a:totable() or (a * 0):totable(),
                  a:triu(k):totable())
    end
    -- what is not kept is not looked at
    local z = tide.full({ 2, 2 }, 0 / 0):tril():totable()
    assert.equal(0, z[1][2])
  end)

  it("write to out, which may be the operand", function ()
    local a = tide.arange(1, 5):reshape{ 2, 2 }
    assert.equal(a, a:tril({ out = a }))
    assert.same({ { 1, 0 }, { 3, 4 } }, a:totable())
    assert.equal(a, tide.triu(a.T, 1, { out = a }))
    assert.same({ { 0, 3 }, { 0, 0 } }, a:totable())
    fails("option 'out' must have shape 2x2, has 3x3", a.tril, a,
          { out = tide.ones({ 3, 3 }, "int64") })
    local z = tide.zeros({ 2, 2 }, "int64")
    local g = tide.capture(function () a:triu(0, { out = z }) end)
    a:add_(1)
    g:launch()
    assert.same({ { 1, 4 }, { 0, 1 } }, z:totable())
  end)

  it("want matrices", function ()
    local a = tide.ones{ 2, 2 }
    badarg(1, "at least one axis expected", tide.tril, tide.array(1))
    badarg(2, "number expected, got string", tide.triu, a, "1")
    badarg(3, "no value expected, got number", tide.tril, a, {}, 1)
    badarg(2, "unknown option 'uot'", tide.tril, a, { uot = a })
  end)
end)

end)
