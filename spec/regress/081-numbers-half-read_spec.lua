--[[
Numbers in kernels' bodies were read as far as strtod and strtoull got, and the
rest was dropped: 0x1p3 was 1, 1.2.3 was 1.2, 12abc was 12, 0b101 what the C
library made of it. What is no number is refused now, the others are what they
are in C++.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local function value (text)
  local k = tide.ElementwiseKernel("", "float64 y", "y = " .. text)
  return k{ size = 1 }[1]
end

describe("a number in a kernel's body", function ()
  helper.host_it("is all of its word", function ()
    for text, expected in pairs{
      ["0x1p3"] = 8, ["0x1.8p1f"] = 3, ["0X.8P+2"] = 2, ["1e2f"] = 100,
      ["5.f"] = 5, [".5L"] = 0.5, ["017"] = 15, ["0x1F"] = 31, ["0b101"] = 5,
      ["0B11u"] = 3, ["10ull"] = 10, ["0"] = 0, ["0x1f"] = 31, ["1E-2"] = 0.01,
      ["7uL"] = 7, ["08.5"] = 8.5
    } do
      assert.equal(expected, value(text), text)
    end
  end)

  helper.host_it("or refused", function ()
    for _, text in ipairs{ "1.2.3", "12abc", "1e", "0x", "1.5g", "08", "0b12",
                           "0x1p", "1_000", "1.5ff", "1fl", "99lul",
                           "18446744073709551616", "0x1ffffffffffffffff" } do
      helper.fails("is no number at '" .. text .. "'", value, text)
    end
  end)
end)

end)
