--[[
Elements that are not there were read (topk, lexsort), or refused (trapezoid);
integers that an array does not have were wrapped (append), added up as floats
(histogram) or counted nowhere (bincount); diff kept what lay between. Found by
a reader's programs.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local blames = helper.blames

helper.each_device(function ()

describe("an axis of 0 elements", function ()
  it("has none to choose or to order", function ()
    local a, rows = tide.zeros(0), tide.zeros{ 3, 0 }
    assert.same({ 0 }, tide.lexsort{ a, a }.shape)
    assert.same({ 3, 0 }, tide.lexsort{ rows, rows }.shape)
    for _, x in ipairs{ a, rows, tide.zeros{ 0, 3 } } do
      local z, at = x:topk(0)
      assert.equal(0, z.size)
      assert.same(z.shape, at.shape)
    end
    assert.same({ 0, 3 }, tide.zeros{ 0, 3 }:topk(0, 1).shape)
    assert.same({ 0, 2 }, (tide.zeros{ 0, 3 }:topk(2)).shape)
  end)

  it("has no area", function ()
    assert.same({ 0, 0, 0 }, tide.trapezoid(tide.zeros{ 3, 0 }):totable())
    assert.same({ 0, 0 }, tide.zeros({ 0, 2 }, "float32")
                            :trapezoid(tide.zeros(0), { axis = 1 }):totable())
    assert.equal("float32", tide.zeros(0, "float32"):trapezoid().dtype)
    assert.equal("float64", tide.zeros(0, "int8"):trapezoid().dtype)
    assert.equal(0, tide.zeros(0, "bool"):trapezoid():item())
    blames(2, "1 points for an axis of 0 elements", tide.trapezoid,
           tide.zeros(0), tide.zeros(1))
  end)
end)

describe("an integer that is too great", function ()
  it("is not appended", function ()
    local a = tide.zeros(2, "int8")
    blames(2, "number is out of range for int8: 300", tide.append, a, 300)
    helper.fails("number is out of range for int8: 300", tide.append, a,
                 { 1, 300 })
    blames(2, "out of range for uint8: -1", tide.append, tide.ones(1, "uint8"),
           -1)
    assert.same({ 0, 0, 44 }, a:append(tide.array{ 300 }:astype "int8")
                                :totable())
    assert.equal("int8", a:append{ { 1, -128 }, { 2, 127 } }.dtype)
    blames(2, "option 'prepend': number is out of range for int8: 300",
           tide.diff, a, { prepend = 300 })
  end)

  it("is in no bin", function ()
    for _, x in ipairs{ tide.array({ -1, 5 }, "uint64"),
                        tide.array({ -1 }, "uint64"),
                        tide.array({ 1 << 63, 5, 5 }, "uint64") } do
      blames(1, "too many bins, up to 2^63 or more", tide.bincount, x)
      blames(1, "too many bins", tide.bincount, x, { minlength = 7 })
    end
    blames(1, "too many bins, up to 9223372036854775807", tide.bincount,
           tide.array{ math.maxinteger })
  end)

  it("is a weight like others, all of which wrap around", function ()
    local x, edges = tide.array{ 0., 0., -1, 2 }, tide.array{ 0., 1. }
    local function sum (a, b, dtype)
      local w = tide.array({ a, b, 77, 55 }, dtype or "int64")
      local z = tide.histogram(x, edges, { weights = w })
      assert.equal(w.dtype, z.dtype)
      assert.same({ z:totable() }, tide.histogram2d(x, x, edges,
                                          { weights = w }):totable())
      return z[1]
    end
    assert.equal((1 << 53) + 1, sum((1 << 53), 1))
    assert.equal(math.mininteger, sum(1 << 62, 1 << 62))
    assert.equal(-128, sum(127, 1, "int8"))
    assert.equal((1 << 63) + 1, sum(1 << 63, 1, "uint64"))
    assert.equal(-1, sum(-1, 0, "uint64"))
    assert.equal(3.5, sum(1.25, 2.25, "float32"))
  end)
end)

describe("diff", function ()
  it("needs no more memory for more times", function ()
    local a = tide.zeros(1 << 16)
    collectgarbage()
    tide.get_device():synchronize()
    tide.trim()
    tide.memory_limit(4 << 20)
    assert.equal((1 << 16) - 50, a:diff(50).size)
    tide.memory_limit(0)
    assert.same({ 2, 2 }, tide.array{ 0, 1, 4, 9 }:diff(2):totable())
    assert.same({}, tide.arange(4):diff(9):totable())
  end)
end)

describe("interp", function ()
  it("has a period that there is", function ()
    local x = tide.array{ 0., 1, 2 }
    for _, period in ipairs{ 0, 0 / 0, -math.huge } do
      blames(4, "option 'period' must be a finite number, and not 0",
             tide.interp, x, x, x, { period = period })
    end
  end)
end)

end)
