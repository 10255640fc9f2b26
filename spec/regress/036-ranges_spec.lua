--[[
036: a number too many in a range was ignored; 2.0, which Lua makes of 4/2, was
refused as a bound; the strides of an array without elements overflowed.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a range", function ()
  it("has two bounds and a step at most", function ()
    local a = tide.arange(6)
    fails("a range is {first, last, step}; got 4 values", function ()
      return a[{ { 1, 6, 2, 1 } }]
    end)
    local h = a:tohost()
    fails("a range is {first, last, step}; got 4 values", function ()
      return h[{ { 1, 6, 2, 1 } }]
    end)
  end)

  it("takes floats that are integers, as indices do", function ()
    local a = tide.arange(6)
    assert.same({ 0, 1, 2 }, a[{ { 1, #a / 2 } }]:totable())
    for _, bad in ipairs{ 1.5, "1", {}, true } do
      fails("the bounds of a range must be integers", function ()
        return a[{ { bad, 3 } }]
      end)
    end
  end)
end)

it("axes beside an empty one are limited too", function ()
  fails("2^46", tide.empty, { 0, math.maxinteger, math.maxinteger })
  fails("2^46", tide.HostArray, { math.maxinteger, 0, 3 })
  assert.same({ 1 << 46, 1 }, tide.empty{ 0, 1 << 46 }.strides)
end)


end)
