--[[
roll_spec.lua - roll: along all elements, an axis, several axes.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("roll", function ()
  it("moves elements around", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 4, 5, 0 }, { 1, 2, 3 } }, a:roll(2):totable())
    assert.same({ { 2, 0, 1 }, { 5, 3, 4 } }, a:roll(1, 2):totable())
    assert.same({ { 3, 4, 5 }, { 0, 1, 2 } }, tide.roll(a, -1, 1):totable())
    assert.same({ { 1, 2, 3 }, { 4, 5, 0 } }, a:roll(-601):totable())
    assert.same({ { 5, 0 }, { 3, 1 }, { 4, 2 } },
                tide.roll(a.T:copy(), 1):totable())
    assert.same({ { 5, 0 }, { 3, 1 }, { 4, 2 } }, a.T:roll(1):totable())
    assert.same({}, tide.ones(0):roll(3):totable())
    assert.same(5, tide.array(5):roll(7):item())
    badarg(1, "number expected, got no value", function () a:roll() end)
  end)

  it("takes lists of distances and axes", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 4, 5, 3 }, { 1, 2, 0 } },
                tide.roll(a, { 1, 2 }, { 1, 2 }):totable())
    assert.same({ { 4, 5, 3 }, { 1, 2, 0 } },
                a:roll({ 2, 1 }, { axis = { 2, 1 } }):totable())
    assert.same({ { 5, 3, 4 }, { 2, 0, 1 } }, a:roll(1, { 1, 2 }):totable())
    assert.same({ { 5, 3, 4 }, { 2, 0, 1 } }, a:roll({ 1 }, { -2, 2 })
                                               :totable())
    assert.same({ { 1, 2, 0 }, { 4, 5, 3 } }, a:roll({ 1, 1 }, 2):totable())
    assert.same({ { 3, 4, 5 }, { 0, 1, 2 } }, a:roll({ 1, 2 }):totable())
    assert.same(a:totable(), a:roll({ 2, 3 }, { 1, 2 }):totable())
    assert.same(a:totable(), a:roll(1, { axis = {} }):totable())
    assert.same(a:totable(), a:roll({}):totable())
    assert.same({}, tide.ones(0):roll({ 1, 2 }, 1):totable())
    assert.same({ { 3, 4, 5 }, { 0, 1, 2 } },
                a:roll({ math.maxinteger, math.mininteger }, { 1, 2 })
                 :roll(1, 2):roll(1, 2):totable())
  end)

  it("moves as one axis after the other, whatever the strides", function ()
    local a = tide.arange(3 * 4 * 5 * 2):reshape{ 3, 4, 5, 2 }
    for _, x in ipairs{ a, a.T, a:permute(3, 1, 4, 2):flip(2),
                        a[{ {}, { 1, 4, 2 } }] } do
      local by, wanted = {}, x
      for axis = 1, 4 do
        by[axis] = 2 * axis - 5
        wanted = wanted:roll(by[axis], axis)
      end
      assert.same(wanted:totable(), x:roll(by, { 1, 2, 3, 4 }):totable())
      local into = x:copy()
      assert.equal(into, into:roll(by, { axis = { 1, 2, 3, 4 }, out = into }))
      assert.same(wanted:totable(), into:totable())
    end
  end)

  it("moves long rows by a few places", function ()
    local row = tide.arange(5000) % 251
    local x = tide.stack{ row, row + 1, row + 2 }:astype "uint8"
    local bytes, n = x:tobytes(), 5000
    for by = 1, 67, 3 do
      local wanted = {}
      for r = 1, 3 do
        local own = bytes:sub((r - 1) * n + 1, r * n)
        wanted[r] = own:sub(-by) .. own:sub(1, -by - 1)
      end
      assert.equal(table.concat(wanted), x:roll(by, 2):tobytes())
    end
  end)

  it("wants as many of both", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    badarg(2, "2 distances for 3 axes", tide.roll, tide.ones{ 1, 2, 3 },
           { 1, 2 }, { 1, 2, 3 })
    badarg(2, "3 distances for 2 axes", tide.roll, a, { 1, 2, 3 }, { 1, 2 })
    badarg(2, "distance 2 must be an integer, got string", tide.roll, a,
           { 1, "2" }, { 1, 2 })
    badarg(2, "distance 1 must be an integer, got number", tide.roll, a,
           { 1.5 }, 1)
    badarg(2, "field 'axis' in a list of distances; options are a table of",
           tide.roll, a, { 1, axis = 2 })
    badarg(3, "axis 2 is there twice", tide.roll, a, { 1, 2 }, { 2, -1 })
    badarg(3, "axis 3 is out of range", tide.roll, a, { 1, 2 }, { 1, 3 })
    fails("option 'axis' is given besides an axis", tide.roll, a, 1, { 1, 2 },
          { axis = 1 })
  end)
end)

end)
