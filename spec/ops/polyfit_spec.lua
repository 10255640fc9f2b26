--[[
polyfit_spec.lua - polyfit: exact polynomials, dtypes, devices, errors. NumPy's
answers are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

helper.each_device(function ()

describe("polyfit", function ()
  local x
  before_each(function () x = tide.arange(1, 9) end)
  after_each(function () x = nil end)

  local function near (wanted, got)
    assert.is_true(tide.allclose(got, tide.array(wanted), 1e-9, 1e-9),
                   tostring(got))
  end

  it("finds a polynomial again", function ()
    for degree = 0, 5 do
      local c = tide.arange(degree + 1, 0, -1, "float64")
      near(c:totable(), tide.polyfit(x, c:polyval(x), degree))
    end
    near({ { 3, 0 }, { -1, 2 } },
         tide.polyfit(x, tide.stack({ x * 3 - 1, tide.full_like(x, 2) }, 2), 1))
  end)

  it("of many points, of degree 0 and of columns", function ()
    local far = tide.linspace(-1, 1, 5000)
    local c = tide.array{ 2., -1, 0, 3 }
    near({ 2, -1, 0, 3 }, tide.polyfit(far, c:polyval(far), 3))
    near({ { 4, -1 } }, tide.polyfit(far, tide.stack({
      tide.full_like(far, 4), tide.full_like(far, -1) }, 2), 0))
  end)

  it("of large numbers, whose powers are far apart", function ()
    local far = x * 1000
    near({ 1, 0, -5 }, tide.polyfit(far, far:astype "float64" ^ 2 - 5, 2)
           :round(3))
  end)

  it("in float64 or complex128, from every dtype", function ()
    for _, t in ipairs{ "bool", "int8", "uint64", "float16", "float32" } do
      assert.equal("float64", tide.polyfit(x, tide.ones(8, t), 1).dtype)
      assert.equal("float64", tide.polyfit(tide.ones(1, t), x:slice(1, 1), 0)
                     .dtype)
    end
    local c = tide.polyfit(x, x * tide.complex(0, 2), 1)
    assert.equal("complex128", c.dtype)
    near({ 2, 0 }, c:imag())
  end)

  it("with weights; by rcond with fewer powers", function ()
    local y = tide.array{ 0, 0, 0, 0, 0, 0, 0, 8. }
    local w = tide.array{ 1, 1, 1, 1, 1, 1, 1, 0 }
    near({ 0, 0 }, tide.polyfit(x, y, 1, { w = w }))
    local c = tide.polyfit(x, x, 1, { rcond = 0.9 })
    assert.is_false(tide.allclose(c, tide.array{ 1., 0 }))
  end)

  helper.host_it("names itself for points that are not finite", function ()
    local c = tide.polyfit(x * (0 / 0), x, 1)
    helper.fails(": polyfit: the matrix did not " ..
                 "converge", c.totable, c)
  end)

  it("says what is wrong", function ()
    local function bad (at, text, ...) badarg(at, text, tide.polyfit, ...) end
    bad(1, "tide.Array expected, got table", { 1 }, x, 1)
    bad(1, "a vector of points expected, got 0 axes", tide.array(1), x, 1)
    bad(1, "an array without elements", tide.zeros(0), tide.zeros(0), 1)
    bad(2, "a number for each of 8 points expected, got shape {3}", x,
        tide.ones(3), 1)
    bad(2, "a number for each of 8 points expected, got shape {8, 1, 1}", x,
        tide.ones{ 8, 1, 1 }, 1)
    bad(3, "an integer from 0 on expected, got -1", x, x, -1)
    bad(3, "an integer from 0 on expected, got 2.5", x, x, 2.5)
    bad(3, "an integer from 0 on expected, got no value", x, x)
    bad(3, "an integer below 2^31 expected, got 1099511627776", x, x, 1 << 40)
    bad(4, "option 'rcond' must be a number, got string", x, x, 1,
        { rcond = "1" })
    bad(4, "option 'rcond' must be finite and from 0 on, got nan", x, x, 1,
        { rcond = 0 / 0 })
    bad(4, "option 'w': a number for each of 8 points expected", x, x, 1,
        { w = tide.ones{ 8, 1 } })
    bad(4, "unknown option 'full'", x, x, 1, { full = true })
    bad(5, "no value expected", x, x, 1, nil, 1)
  end)
end)

end)
