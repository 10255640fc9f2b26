--[[
complex_edges_spec.lua - logarithms, roots, exp and cos of complex numbers that
are NaN, infinite or subnormal; in arrays as in Lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local complex, nan = tide.complex, 0 / 0

helper.each_device(function ()

describe("of complex numbers", function ()
  it("logarithms of NaN are NaN, or infinite (#292)", function ()
    for _, z in ipairs{ complex(0, nan), complex(nan, 0), complex(nan, nan) } do
      for _, dtype in ipairs{ "complex128", "complex64" } do
        local log = tide.array({ z }, dtype):log()
        assert(log:real():isnan():item() and log:imag():isnan():item())
      end
      assert(complex.log(z).re ~= complex.log(z).re)
    end
    for _, z in ipairs{ complex(1 / 0, nan), complex(nan, -1 / 0) } do
      assert.equal(1 / 0, tide.array{ z }:log():real():item())
    end
  end)

  it("roots of subnormal ones are finite", function ()
    for _, z in ipairs{ complex(0, 5e-324), complex(5e-324, 5e-324),
                        complex(-5e-324, 0), complex(0, -1e-310),
                        complex(1e-300, 1e-320) } do
      local root = tide.array{ z }:sqrt()
      local back = (root * root)[1]
      assert(math.abs(back.re - z.re) <= 1e-323 + 1e-15 * math.abs(z.re) and
             math.abs(back.im - z.im) <= 1e-323 + 1e-15 * math.abs(z.im),
             tostring(z))
      assert.equal(complex.sqrt(z), root[1])
    end
  end)

  it("exp and cos keep NaN, infinities and zeros", function ()
    local function exp (re, im)
      local z = tide.array{ complex(re, im) }:exp()[1]
      assert.equal(tostring(complex.exp(complex(re, im))), tostring(z))
      return z
    end
    for _, im in ipairs{ nan, 1 / 0, -1 / 0 } do
      local z = exp(-1e308, im)
      assert(z.re ~= z.re and z.im ~= z.im)
      z = exp(1 / 0, im)
      assert(z.re == 1 / 0 and z.im ~= z.im)
      z = exp(-1 / 0, im)
      assert(z.re == 0 and z.im == 0)
    end
    local z = tide.array{ complex(1 / 0, 0) }:cos()[1]
    assert(z.re ~= z.re and z.im == 0)
  end)
end)

end)
