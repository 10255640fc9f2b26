--[[
What strided operands need on the host device was part of what a body may have:
one that ran with dense operands was too large for others.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a large body", function ()
  helper.host_it("is as large for strided operands", function ()
    local b, r = tide.ones{ 10, 20 }, tide.ones(20)
    local part = tide.ones{ 10, 40 }[{ {}, { 1, 40, 2 } }]
    local fit = 0
    for n = 340, 400, 4 do
      local lines = { "z = a + b + c + d;" }
      for j = 1, n do lines[#lines + 1] = "z += a * " .. j .. ".5;" end
      local k = tide.ElementwiseKernel("T a, T b, T c, T d", "float64 z",
                                       table.concat(lines), "large")
      local ok, z = pcall(k, b, b, b, b)
      if not ok then
        assert(z:find("too many", 1, true), z)
        break
      end
      fit = fit + 1
      assert.is_true(tide.array_equal(z, k(r, part, r, b[{ {}, { 1, 1 } }])))
    end
    assert(fit > 0)
  end)
end)

end)
