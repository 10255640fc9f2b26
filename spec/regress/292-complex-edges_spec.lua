--[[
The logarithm of complex numbers with a NaN and a zero was -inf, and the square
root of subnormal ones divided by a zero.
]]
local tide = require "tide"
local helper = require "spec.helper"

helper.each_device(function ()

it("logarithms of NaN are NaN, roots of subnormal numbers finite", function ()
  local complex, nan = tide.complex, 0 / 0
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

end)
