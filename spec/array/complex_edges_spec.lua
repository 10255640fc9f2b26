--[[
complex_edges_spec.lua - logarithms, roots, exp, sin and cos of complex numbers
that are NaN, infinite, zero or subnormal; in arrays as in Lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local complex, nan = tide.complex, 0 / 0

--- NumPy's results: rows have a real part, columns an imaginary part, of
-- PARTS. C leaves the sign of 0? open.
local PARTS <const> = { 0.0, -0.0, 1, -1, 1 / 0, -1 / 0, nan }
local RESULTS <const> = {
  exp = [[
    1,0 1,-0 0.5403,0.8415 0.5403,-0.8415 nan,nan nan,nan nan,nan
    1,0 1,-0 0.5403,0.8415 0.5403,-0.8415 nan,nan nan,nan nan,nan
    2.718,0 2.718,-0 1.469,2.287 1.469,-2.287 nan,nan nan,nan nan,nan
    0.3679,0 0.3679,-0 0.1988,0.3096 0.1988,-0.3096 nan,nan nan,nan nan,nan
    inf,0 inf,-0 inf,inf inf,-inf inf,nan inf,nan inf,nan
    0,0 0,-0 0,0 0,-0 0,0 0,-0 0?,0?
    nan,0 nan,-0 nan,nan nan,nan nan,nan nan,nan nan,nan
  ]],
  sin = [[
    0,0 0,-0 0,1.175 0,-1.175 0,inf 0,-inf 0,nan
    -0,0 -0,-0 -0,1.175 -0,-1.175 -0,inf -0,-inf -0,nan
    0.8415,0 0.8415,-0 1.298,0.635 1.298,-0.635 inf,inf inf,-inf nan,nan
    -0.8415,0 -0.8415,-0 -1.298,0.635 -1.298,-0.635 -inf,inf -inf,-inf nan,nan
    nan,0? nan,-0? nan,nan nan,nan nan,inf nan,inf nan,nan
    nan,0? nan,-0? nan,nan nan,nan nan,inf nan,inf nan,nan
    nan,0? nan,-0? nan,nan nan,nan nan,inf nan,inf nan,nan
  ]],
  cos = [[
    1,-0 1,0 1.543,-0 1.543,0 inf,-0 inf,0 nan,0?
    1,0 1,-0 1.543,0 1.543,-0 inf,0 inf,-0 nan,-0?
    0.5403,-0 0.5403,0 0.8337,-0.9889 0.8337,0.9889 inf,-inf inf,inf nan,nan
    0.5403,0 0.5403,-0 0.8337,0.9889 0.8337,-0.9889 inf,inf inf,-inf nan,nan
    nan,0? nan,0? nan,nan nan,nan inf,nan inf,nan nan,nan
    nan,0? nan,0? nan,nan nan,nan inf,nan inf,nan nan,nan
    nan,0? nan,0? nan,nan nan,nan inf,nan inf,nan nan,nan
  ]]
}

--- Tells whether x is the number of that text, with the sign of its zero.
local function is (x, text)
  if text:find "nan" then return x ~= x end
  local y = tonumber((text:gsub("inf", "1e999"):gsub("%?", "")))
  if y == 0 and not text:find "%?" then
    return x == 0 and (1 / x < 0) == (text == "-0")
  end
  return x == y or math.abs(x - y) < 1e-3 * math.abs(y)
end

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

  it("exp, sin and cos are NumPy's where parts are special", function ()
    for name, text in pairs(RESULTS) do
      local wanted = text:gmatch "(%S+),(%S+)"
      for _, re in ipairs(PARTS) do
        for _, im in ipairs(PARTS) do
          local re_text, im_text = wanted()
          for _, z in ipairs{ complex(re, im),
                              im ~= im and complex(re, -im) or nil } do
            local y = complex[name](z)
            local message = ("%s of %s is %s, not %s,%s"):format(
              name, z, y, re_text, im_text)
            assert(is(y.re, re_text) and is(y.im, im_text), message)
            for _, dtype in ipairs{ "complex128", "complex64" } do
              local w = tide.array({ z }, dtype)
              y = w[name](w)[1]
              assert(is(y.re, re_text) and is(y.im, im_text),
                     dtype .. ": " .. message)
            end
          end
        end
      end
    end
  end)
end)

end)
