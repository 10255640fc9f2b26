--[[
032: mean added int64 as int64, where the sum wraps around, and ignored its
options.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("mean", function ()
  it("of large int64 does not wrap around", function ()
    local high = math.maxinteger
    assert.equal(2.0 ^ 63, tide.array{ high, high }:mean():item())
    assert.equal(-2.0 ^ 63,
                 tide.full(100000, math.mininteger):mean():item())
  end)

  it("of smaller integers is exact", function ()
    assert.equal(2 / 3, tide.array{ true, true, false }:mean():item())
    assert.equal(255.0, tide.full(100000, 255, "uint8"):mean():item())
    assert.equal(-2.0 ^ 31,
                 tide.full(100000, -1 << 31, "int32"):mean():item())
  end)

  it("writes to out, also where it reads", function ()
    for _, dtype in ipairs{ "float64", "float32" } do
      local a = tide.array({ 1, 2, 6 }, dtype)
      local z = a:slice(2, 2)
      assert.equal(z, a:mean{ out = z })
      assert.same({ 1.0, 3.0, 6.0 }, a:totable())
    end
    local z = tide.zeros({})
    assert.equal(z, tide.mean(tide.array({ 1, 4 }, "uint8"), { out = z }))
    assert.equal(2.5, z:item())
    tide.array{ 1, 2, 4, 5 }:mean{ out = z }
    assert.equal(3.0, z:item())
  end)

  it("checks its options", function ()
    local a = tide.ones(3, "int32")
    fails("bad argument #1 to 'mean' (unknown option 'axes'; did you mean " ..
          "'axis'?)", function ()
      a:mean{ axes = 1 }
    end)
    fails("option 'out' must be an open tide.Array of one float64 element",
          a.mean, a, { out = tide.zeros({}, "int32") })
    fails("axis must be an integer", a.mean, a, "x")
  end)
end)

end)
