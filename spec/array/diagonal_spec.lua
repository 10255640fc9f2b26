--[[
diagonal_spec.lua - diagonals of matrices.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("diagonal", function ()
  it("is a view, of any of them", function ()
    local a = tide.arange(12):reshape{ 3, 4 }
    assert.same({ 0, 5, 10 }, a:diagonal():totable())
    assert.same({ 1, 6, 11 }, a:diagonal(1):totable())
    assert.same({ 3 }, a:diagonal(3):totable())
    assert.same({ 4, 9 }, tide.diagonal(a, -1):totable())
    assert.same({ 0, 5, 10 }, a.T:diagonal():totable())
    a:diagonal():fill(7)
    assert.same({ { 7, 1, 2, 3 }, { 4, 7, 6, 7 }, { 8, 9, 7, 11 } },
                a:totable())
  end)

  it("has nothing beside the matrix", function ()
    local a = tide.ones{ 3, 4 }
    for _, k in ipairs{ 4, -3, math.maxinteger, math.mininteger } do
      assert.same({ 0 }, a:diagonal(k).shape)
    end
    assert.same({ 0 }, tide.ones{ 0, 3 }:diagonal().shape)
    assert.same({ 0 }, tide.ones{ 0, 0 }:diagonal().shape)
  end)

  it("of several matrices is the last axis", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    assert.same({ 4, 2 }, a:diagonal().shape)
    assert.same({ { 0, 5, 10 }, { 12, 17, 22 } },
                a:diagonal(0, { 2, 3 }):totable())
    assert.same({ { 0, 5, 10 }, { 12, 17, 22 } },
                a:diagonal(0, { -1, -2 }):totable())
    assert.same({ 3, 1 }, a:diagonal(3, { 1, 3 }).shape)
  end)

  it("wants two axes", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "at least two axes expected", tide.diagonal, a[1])
    badarg(3, "two axes expected", tide.diagonal, a, 0, { 1 })
    badarg(3, "axis 3 is out of range", tide.diagonal, a, 0, { 1, 3 })
  end)
end)

describe("diag", function ()
  it("of a vector is a matrix", function ()
    local v = tide.array{ 7, 8 }
    assert.same({ { 7, 0 }, { 0, 8 } }, v:diag():totable())
    assert.same({ { 0, 7, 0 }, { 0, 0, 8 }, { 0, 0, 0 } },
                v:diag(1):totable())
    assert.same({ { 0, 0, 0 }, { 8, 0, 0 }, { 0, 7, 0 } },
                tide.diag(v:flip(), -1):totable())
    assert.same({ 2, 2 }, tide.ones(0):diag(-2).shape)
    assert.same({ 0, 0 }, tide.ones(0):diag().shape)
    for _, t in ipairs{ "bool", "uint8", "bfloat16", "complex128" } do
      local m = tide.ones(3, t):diag()
      assert.equal(t, m.dtype)
      assert.equal(3, m:count_nonzero():item())
    end
    assert.same({ { 1, 0 }, { 0, 1 } },
                tide.ones(1, "int64"):broadcast_to(2):diag():totable())
  end)

  it("of a matrix is a view of its diagonal", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    a:diag(1):fill(9)
    assert.same({ { 1, 9 }, { 3, 4 } }, a:totable())
  end)

  it("is captured", function ()
    local v, z = tide.array{ 7, 8 }, tide.zeros({ 2, 2 }, "int64")
    local g = tide.capture(function () z:copy_from(v:diag()) end)
    v:add_(1)
    g:launch()
    assert.same({ { 8, 0 }, { 0, 9 } }, z:totable())
  end)

  it("wants one axis or two", function ()
    badarg(1, "an array of 1 or 2 axes expected, got one of 0", tide.diag,
           tide.array(1))
    badarg(1, "got one of 3; tide.diagonal takes more", tide.diag,
           tide.ones{ 1, 1, 1 })
    for _, k in ipairs{ math.maxinteger, math.mininteger, 2 ^ 45 // 1 | 0 } do
      fails("more than 2^46 elements", tide.diag, tide.ones(1), k)
    end
  end)
end)

end)
