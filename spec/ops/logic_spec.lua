--[[
logic_spec.lua - operations on truth values and on two floats: which dtypes they
take and make. Their values: parity_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("an operation", function ()
  it("of truth values takes numbers for what they are", function ()
    local a, b = tide.array{ 0, 2, 0 / 0 }, tide.array({ 3, 0, 0 }, "uint8")
    assert.same({ false, false, false }, a:logical_and(b):totable())
    assert.same({ true, true, true }, a:logical_or(b):totable())
    assert.same({ true, true, false }, a:logical_xor(0.5)
                :logical_xor(tide.array{ false, true, false }):totable())
    assert.equal("bool", tide.logical_and(2, b).dtype)
    assert.same({ true, false, false },
                tide.array{ true, true, false }
                :logical_and_(b):totable())
    fails("must have dtype bool, has uint8", b.logical_or_, b, true)
  end)

  it("of two floats makes float64 of integers", function ()
    for _, name in ipairs{ "atan2", "hypot", "copysign" } do
      assert.equal("float64", tide[name](tide.ones(2, "int32"), 2).dtype)
      assert.equal("float32", tide[name](tide.ones(2, "float32"), 2).dtype)
    end
    assert.same({ 5.0, 13.0 }, tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })
                :totable())
    assert.equal("int32", tide.ones(2, "int32"):fmod(2).dtype)
    assert.same({ -1, 1, 0 }, tide.array{ -7, 7, 7 }
                :fmod(tide.array{ 3, -3, 0 }):totable())
  end)
end)

end)
