--[[
one_hot_spec.lua - rows with 1 at the place of an index.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

helper.each_device(function ()

describe("one_hot", function ()
  it("has 1 at the place", function ()
    local a = tide.array{ 2, 3, 1 }:one_hot(3)
    assert.equal("float64", a.dtype)
    assert.same({ { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, a:totable())
    assert.same({ false, true }, tide.one_hot(tide.array(2), 2, "bool")
                                   :totable())
    local b = tide.array({ { 1, 2 }, { 2, 2 } }, "uint8").T:one_hot(2, "int8")
    assert.equal("int8", b.dtype)
    assert.same({ { { 1, 0 }, { 0, 1 } }, { { 0, 1 }, { 0, 1 } } },
                b:totable())
    assert.same({ 0, 4 }, tide.ones(0, "int32"):one_hot(4).shape)
    assert.same({ 2, 0 }, tide.ones(2, "int32"):one_hot(0).shape)
    for _, t in ipairs{ "int8", "uint64", "int64", "uint16" } do
      assert.equal(2, tide.ones(2, t):one_hot(3):sum():item())
    end
  end)

  it("has rows of any length, of any dtype", function ()
    for _, n in ipairs{ 1, 2, 3, 4, 8, 15, 16, 48, 1000 } do
      local index = (tide.arange(700, "int64") * 7919 + 3) % (n + 2)
      local wanted = {}
      for i, at in ipairs(index:totable()) do
        for j = 1, n do
          wanted[(i - 1) * n + j] = at == j and 1 or 0
        end
      end
      local all = tide.array(wanted, "uint8"):reshape(700, n)
      for _, t in ipairs{ "bool", "int8", "float16", "float32", "int64",
                          "complex64", "complex128" } do
        assert.is_true(tide.array_equal(index:one_hot(n, t), all:astype(t)))
      end
    end
  end)

  it("has none where there is no such place", function ()
    local a = tide.array{ 0, -1, 4, math.maxinteger, math.mininteger }
    assert.equal(0, a:one_hot(3):sum():item())
    assert.equal(0, tide.array({ -1 }, "uint64"):one_hot(3):sum():item())
  end)

  it("is captured", function ()
    local a, z = tide.array{ 1, 2 }, tide.zeros{ 2, 3 }
    local g = tide.capture(function () z:copy_from(a:one_hot(3)) end)
    a:add_(1)
    g:launch()
    assert.same({ { 0, 1, 0 }, { 0, 0, 1 } }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.array{ 1, 2 }
    badarg(1, "indices must be integers, got float64", tide.one_hot,
           tide.ones(2), 2)
    badarg(1, "indices must be integers, got bool", tide.one_hot,
           tide.ones(2, "bool"), 2)
    badarg(2, "the number of places must be from 0 to 2^46", tide.one_hot, a,
           -1)
    badarg(2, "number expected, got no value", tide.one_hot, a)
    badarg(3, "unknown dtype 'flaot32'", tide.one_hot, a, 2, "flaot32")
  end)
end)

end)
