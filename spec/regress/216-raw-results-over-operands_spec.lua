--[[
A raw result in the memory of an operand that is strided or broadcast: the
operand was read while the result was written. It is copied first.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a raw result", function ()
  it("leaves strided operands in its memory as they were", function ()
    local k = tide.ElementwiseKernel("T x, T row", "raw T z", "z[i] = x - row",
                                     "below")
    local m = tide.arange(3000.0):reshape(3, 1000)
    local wanted = m - m[1]
    k(m, m[1], m)
    assert.is_true(tide.array_equal(wanted, m))
    local z = tide.arange(2000.0):reshape(2, 1000)
    wanted = z[{ {}, { 1000, 1, -1 } }] - 1.0
    k(z[{ {}, { 1000, 1, -1 } }], tide.ones(1000), z)
    assert.is_true(tide.array_equal(wanted, z))
  end)
end)

end)
