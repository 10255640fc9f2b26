--[[
030: arange looked at its first and third number alone to choose a dtype, so
arange(5.5) was int64; took "5" for no number at all and put its default beyond
the top of the stack; overflowed between numbers far apart; blamed argument 4
for a dtype at 2; and dropped what came after the dtype.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local blames = helper.blames

helper.each_device(function ()

describe("arange", function ()
  it("is of floats if any of its numbers is one", function ()
    local a = tide.arange(5.5)
    assert.equal("float64", a.dtype)
    assert.same({ 0.0, 1.0, 2.0, 3.0, 4.0, 5.0 }, a:totable())
    assert.equal("float64", tide.arange(0, 3.0).dtype)
    assert.equal("float64", tide.arange(0, 3, 1.0).dtype)
  end)

  it("takes numbers for numbers only", function ()
    blames(1, "number expected, got string", tide.arange, "5")
    blames(2, "unknown dtype '5'", tide.arange, 0, "5")
  end)

  it("counts between numbers far apart", function ()
    local low, high = math.mininteger, math.maxinteger
    assert.same({ low, -1, high - 1 }, tide.arange(low, high, high):totable())
    assert.same({ high, -1 }, tide.arange(high, low, low):totable())
    blames(2, "more than 2^46 elements", tide.arange, low, high)
    blames(1, "more than 2^46 elements", tide.arange, math.huge)
    blames(2, "start, stop or step is not a number", tide.arange, 0, 0 / 0)
    assert.equal(0, tide.arange(-math.huge).size)
  end)

  it("names the argument that is wrong", function ()
    blames(2, "unknown dtype 'flot32'", tide.arange, 5, "flot32")
    blames(3, "unknown dtype 'flot32'", tide.arange, 1, 5, "flot32")
    blames(3, "nothing comes after the dtype", tide.arange, 5, nil, 2)
  end)
end)

end)
