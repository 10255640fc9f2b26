--[[
lfilter_spec.lua - lfilter: against a loop in Lua, signals in parts, dtypes,
axes, errors. SciPy's answers, from a loop in NumPy, are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

--- Filters a list; z is a list of states, which is overwritten.
local function loop (b, a, x, z)
  local y = {}
  for i, now in ipairs(x) do
    y[i] = ((b[1] or 0) * now) / a[1] + (z[1] or 0)
    for k = 1, math.max(#a, #b) - 1 do
      z[k] = ((b[k + 1] or 0) * now - (a[k + 1] or 0) * y[i]) / a[1] +
             (z[k + 1] or 0)
    end
  end
  return y
end

local FILTERS <const> = {
  { { 1 }, { 1 } }, { { 2 }, { 4 } }, { { 1, 2, 3 }, { 1 } },
  { { 0.5 }, { 1, -0.5 } }, { { 1, 2, 1 }, { 1, -1.2, 0.5 } },
  { { 0.1, 0.2 }, { 2, -0.9, 0.4, 0.1, -0.05 } }, { { 1 }, { 1, -0.999 } }
}

helper.each_device(function ()

describe("lfilter", function ()
  local function near (wanted, got)
    assert.is_true(tide.allclose(got, tide.array(wanted), 1e-11, 1e-11))
  end

  local function signal (n)
    local x = {}
    for i = 1, n do x[i] = math.sin(i * i) end
    return x
  end

  it("is a loop, around lengths of blocks", function ()
    for _, f in ipairs(FILTERS) do
      for _, n in ipairs{ 1, 2, 31, 32, 33, 64, 65, 500 } do
        local x = signal(n)
        near(loop(f[1], f[2], x, {}), tide.lfilter(f[1], f[2], tide.array(x)))
      end
    end
  end)

  it("goes on from states, in parts", function ()
    for _, f in ipairs(FILTERS) do
      local order = math.max(#f[1], #f[2]) - 1
      local z = {}
      for i = 1, order do z[i] = i / 4 end
      local zi = tide.array(z, "float64"):reshape(order)
      local x = tide.array(signal(99))
      local wanted = tide.array(loop(f[1], f[2], x:totable(), z))
      for _, part in ipairs{ { 1, 1 }, { 2, 3 }, { 4, 70 }, { 71, 99 } } do
        local y
        y, zi = tide.lfilter(f[1], f[2], x[{ part }], { zi = zi })
        near(wanted[{ part }]:totable(), y)
      end
      if order > 0 then near(z, zi) end
    end
  end)

  it("along an axis, of every dtype", function ()
    local b, a = { 1, 0.5 }, { 1, -0.25 }
    local x = tide.random.Generator(2):normal{ 3, 40, 2 }
    local y = tide.lfilter(b, a, x, { axis = 2 })
    assert.same({ 3, 40, 2 }, y.shape)
    near(tide.lfilter(b, a, x[2].T):totable(), y[2].T)
    for _, t in ipairs{ "float16", "float32", "float64", "complex64" } do
      assert.equal(t, tide.lfilter(b, a, tide.ones(3, t)).dtype)
    end
    assert.equal("float64", tide.lfilter(b, a, tide.ones(3, "uint8")).dtype)
    local z = tide.lfilter(b, a, x * tide.complex(0, 1), { axis = 2 })
    assert.is_true(tide.allclose(z:imag(), y))
    local states = tide.array{ tide.complex(0, 1) }
    assert.equal("complex128", tide.lfilter(b, a, tide.ones(2, "float32"),
                                            { zi = states }).dtype)
    assert.same({ 2, 0 }, tide.lfilter(b, a, tide.zeros{ 2, 0 }).shape)
    local own = tide.ones(2)
    tide.lfilter({ 1 }, { 1 }, own):fill(0)
    assert.same({ 1, 1 }, own:totable())
  end)

  it("is captured", function ()
    local x, y = tide.ones(40), tide.zeros(40)
    local g = tide.capture(function ()
      y:copy_from(tide.lfilter({ 1 }, { 1, -1 }, x))
    end)
    g:launch()
    assert.same(tide.arange(1, 41, "float64"):totable(), y:totable())
  end)

  it("says what is wrong", function ()
    local x = tide.ones{ 2, 3 }
    local function bad (at, text, ...) badarg(at, text, tide.lfilter, ...) end
    bad(1, "list of numbers expected, got no value")
    bad(1, "list of numbers expected, got an empty one", {}, { 1 }, x)
    bad(1, "item 2: a finite number expected, got nan", { 1, 0 / 0 }, { 1 }, x)
    bad(1, "field 'x' in a list of numbers", { 1, x = 1 }, { 1 }, x)
    bad(2, "the first coefficient must not be 0", { 1 }, { 0, 1 }, x)
    bad(3, "tide.Array expected, got table", { 1 }, { 1 }, { 1 })
    bad(3, "an array of at least one axis expected", { 1 }, { 1 },
        tide.array(1))
    bad(4, "option 'axis': axis 3 is out of range for an array of 2 axes",
        { 1 }, { 1 }, x, { axis = 3 })
    bad(4, "option 'axis' must be an integer, got string", { 1 }, { 1 }, x,
        { axis = "1" })
    bad(4, "option 'zi' must have shape {2, 1}, has {1}", { 1, 1 }, { 1 }, x,
        { zi = tide.ones(1) })
    bad(4, "option 'zi': tide.Array expected", { 1, 1 }, { 1 }, x, { zi = 1 })
    bad(4, "unknown option 'method'", { 1 }, { 1 }, x, { method = 1 })
    bad(5, "no value expected", { 1 }, { 1 }, x, {}, 1)
  end)
end)

end)
