--[[
move_axes_spec.lua - views with the axes elsewhere.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

helper.each_device(function ()

describe("swapaxes", function ()
  it("is a view with two axes in each other's place", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    local v = a:swapaxes(1, -1)
    assert.same({ 4, 3, 2 }, v.shape)
    assert.equal(a[2][3][4], v[4][3][2])
    v[4][1][2] = 99
    assert.equal(99, a[2][1][4])
    assert.same(a:totable(), tide.swapaxes(a, 2, 2):totable())
    assert.same(a.T:totable(), a:swapaxes(3, 1):totable())
  end)

  it("wants two axes", function ()
    local a = tide.ones{ 2, 3 }
    badarg(2, "axis must be an integer, got no value", tide.swapaxes, a)
    badarg(1, "axis 3 is out of range for an array of 2 axes", function ()
      a:swapaxes(3, 1)
    end)
    badarg(2, "axis 0 is out of range", function () a:swapaxes(1, 0) end)
    badarg(1, "axis 1 is out of range for an array of 0 axes", function ()
      tide.array(1):swapaxes(1, 1)
    end)
  end)
end)

describe("moveaxis", function ()
  it("puts axes where they shall be", function ()
    local a = tide.ones{ 2, 3, 4, 5 }
    assert.same({ 3, 4, 5, 2 }, a:moveaxis(1, -1).shape)
    assert.same({ 5, 2, 3, 4 }, tide.moveaxis(a, 4, 1).shape)
    assert.same({ 2, 4, 3, 5 }, a:moveaxis(2, 3).shape)
    assert.same({ 4, 5, 3, 2 }, a:moveaxis({ 1, 2 }, { -1, -2 }).shape)
    assert.same({ 2, 3, 4, 5 }, a:moveaxis({}, {}).shape)
    a:moveaxis(1, 4)[3][1][2][2] = 7
    assert.equal(7, a[2][3][1][2])
  end)

  it("wants as many of both", function ()
    local a = tide.ones{ 2, 3 }
    badarg(3, "as many axes expected as are moved, 2", tide.moveaxis, a,
           { 1, 2 }, 1)
    badarg(2, "axis 1 is there twice", tide.moveaxis, a, { 1, -2 }, { 1, 2 })
    badarg(3, "axis 5 is out of range", tide.moveaxis, a, 1, 5)
    badarg(2, "field 'axis' in a list of axes", tide.moveaxis, a,
           { 1, axis = 2 }, 1)
  end)
end)

describe("rot90", function ()
  it("is copied through tiles, whichever way it turns", function ()
    for _, t in ipairs{ "int8", "int16", "float32", "int64", "complex128" } do
      for _, shape in ipairs{ { 130, 67 }, { 64, 64 }, { 15, 200 } } do
        local n, m = shape[1], shape[2]
        local down, across = tide.arange(n), tide.arange(m):reshape(-1, 1)
        local a = (tide.arange(n * m) % 120):reshape(n, m):astype(t)
        local function is (wanted, z)
          assert.is_true(tide.array_equal((wanted % 120):astype(t), z:copy()))
        end
        is(down * m + (m - 1 - across), a:rot90())
        is((n - 1 - down) * m + across, a:rot90(3))
        local b = tide.stack{ a, a }:rot90(1, { 2, 3 })
        is(down * m + (m - 1 - across), b[2])
        assert.is_true(tide.array_equal(b:copy()[1], a:rot90()))
        local z = tide.zeros({ 2 * m, n }, t)[{ { 1, 2 * m, 2 } }]
        z:copy_from(a:rot90())
        is(down * m + (m - 1 - across), z)
      end
    end
  end)

  it("turns views", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 2, 5 }, { 1, 4 }, { 0, 3 } }, a:rot90():totable())
    assert.same({ { 5, 4, 3 }, { 2, 1, 0 } }, a:rot90(2):totable())
    assert.same({ { 3, 0 }, { 4, 1 }, { 5, 2 } }, tide.rot90(a, 3):totable())
    assert.same(a:rot90(3):totable(), a:rot90(-1):totable())
    assert.same(a:totable(), a:rot90(math.mininteger):totable())
    assert.same(a:rot90(-1):totable(), a:rot90(1, { 2, 1 }):totable())
    local b = tide.arange(24):reshape{ 2, 3, 4 }
    local v = b:rot90(1, { 1, -1 })
    assert.same({ 4, 3, 2 }, v.shape)
    assert.equal(b[1][2][4], v[1][2][1])
    assert.equal(b[2][3][1], v[4][3][2])
    a:rot90()[1][2] = 50
    assert.equal(50, a[2][3])
    assert.same({ 0, 2 }, tide.ones{ 2, 0 }:rot90().shape)
  end)

  it("wants two axes", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "at least two axes expected", tide.rot90, a[1])
    badarg(3, "two axes expected", tide.rot90, a, 1, 2)
    badarg(3, "axis 2 is there twice", tide.rot90, a, 1, { 2, 2 })
    badarg(2, "number expected, got string", tide.rot90, a, "1")
  end)
end)

end)
