--[[
lfilter_spec.lua - lfilter: against a loop in Lua, also where poles are close to
each other, causality, signals in parts, dtypes, axes, views, errors. SciPy's
answers, from a loop in NumPy, are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

--- Filters a list; z is a list of states, which is overwritten. Poles close to
-- each other enlarge errors of rounding, so these are as SciPy's.
local function loop (b, a, x, z)
  local y = {}
  for i, now in ipairs(x) do
    y[i] = (b[1] or 0) / a[1] * now + (z[1] or 0)
    for k = 1, math.max(#a, #b) - 1 do
      z[k] = (b[k + 1] or 0) / a[1] * now + (z[k + 1] or 0) -
             (a[k + 1] or 0) / a[1] * y[i]
    end
  end
  return y
end

local FILTERS <const> = {
  { { 1 }, { 1 } }, { { 2 }, { 4 } }, { { 1, 2, 3 }, { 1 } },
  { { 0.5 }, { 1, -0.5 } }, { { 1, 2, 1 }, { 1, -1.2, 0.5 } },
  { { 0.1, 0.2 }, { 2, -0.9, 0.4, 0.1, -0.05 } }, { { 1 }, { 1, -0.999 } }
}

--- Returns the coefficients of the product of (1 - p x) over the poles.
local function polynomial (poles)
  local c = { 1 }
  for _, p in ipairs(poles) do
    c[#c + 1] = 0
    for i = #c, 2, -1 do c[i] = c[i] - p * c[i - 1] end
  end
  return c
end

--- Returns the low-pass filter of Butterworth of an even order, for a frequency
-- as a share of half the sampling rate: the bilinear transform of its poles.
local function butterworth (order, frequency)
  local b, a = { 1 }, { 1 }
  local w = math.tan(math.pi * frequency / 2)
  local function times (c, x, y)  -- c times 1 + x z + y z^2
    local product = {}
    for i = 1, #c + 2 do
      product[i] = (c[i] or 0) + x * (c[i - 1] or 0) + y * (c[i - 2] or 0)
    end
    return product
  end
  for k = 1, order // 2 do
    local damping = 2 * w * math.sin((2 * k - 1) * math.pi / (2 * order))
    local first = 1 + damping + w * w
    a = times(a, 2 * (w * w - 1) / first, (1 - damping + w * w) / first)
    b = times(b, 2, 1)
    for i = 1, #b do b[i] = b[i] * w * w / first end
  end
  return b, a
end

--- Returns coefficients of a filter of that order whose answer to an impulse
-- dies away.
local function decaying (order)
  local b, a = { 0.5 }, { 2 }
  for k = 1, order do
    b[k + 1] = math.cos(k * k) / (k + 1)
    a[k + 1] = math.sin(k) / (k + 1) ^ 2
  end
  return b, a
end

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

  it("is a loop", function ()
    for _, f in ipairs(FILTERS) do
      for _, n in ipairs{ 1, 2, 7, 8, 9, 31, 33, 500 } do
        local x = signal(n)
        near(loop(f[1], f[2], x, {}), tide.lfilter(f[1], f[2], tide.array(x)))
      end
    end
  end)

  it("is a loop for poles close to each other", function ()
    local q, x = 0.99, signal(3000)
    local b, a = { (1 - q) ^ 5 }, polynomial{ q, q, q, q, q }
    near(loop(b, a, x, {}), tide.lfilter(b, a, tide.array(x)))
    local last = tide.lfilter(b, a, tide.ones(5000))[5000]
    assert.near(1, last, 1e-4)
    for _, order in ipairs{ 2, 4, 8 } do
      b, a = butterworth(order, 0.05)
      near(loop(b, a, x, {}), tide.lfilter(b, a, tide.array(x)))
    end
  end)

  it("of any order, for few and many lines", function ()
    for _, order in ipairs{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 300 } do
      local b, a = decaying(order)
      for _, lines in ipairs{ 1, 3, 8, 45 } do
        local x, z, wanted = tide.array(signal(40 * lines)):reshape(40, lines),
                             tide.ones{ order, lines }, {}
        local states = {}
        for j = 1, lines do
          states[j] = {}
          for k = 1, order do states[j][k] = 1 end
          wanted[j] = loop(b, a, x.T[j]:totable(), states[j])
        end
        local y, last = tide.lfilter(b, a, x, { axis = 1, zi = z })
        near(wanted, y.T)
        assert.same({ order, lines }, last.shape)
        if order > 0 then near(states, last.T) end
      end
    end
  end)

  it("of so many lines that threads share them", function ()
    for _, order in ipairs{ 2, 9 } do
      local b, a = decaying(order)
      local x = tide.array(signal(300))
      local wanted = tide.lfilter(b, a, x)
      local y = tide.lfilter(b, a, x:reshape(300, 1):broadcast_to(300, 1001),
                             { axis = 1 })
      near(wanted:reshape(300, 1):broadcast_to(300, 1001):totable(), y)
    end
  end)

  it("does not reach back from a NaN or an infinity", function ()
    for _, f in ipairs(FILTERS) do
      for _, bad in ipairs{ 0 / 0, math.huge } do
        local x = signal(50)
        local wanted = tide.array(loop(f[1], f[2], x, {}))
        x[40] = bad
        local y = tide.lfilter(f[1], f[2], tide.array(x))
        near(wanted:slice(1, 39):totable(), y:slice(1, 39))
        assert.is_true(y[40] - y[40] ~= 0)
        local both = tide.lfilter(f[1], f[2], tide.stack({
          tide.array(x), tide.array(signal(50)) }, 2), { axis = 1 })
        near(wanted:totable(), both.T[2])
        local pair = tide.array(signal(50)) * tide.complex(0, 1) +
                     tide.array(x)
        if f[2][2] then
          near(wanted:totable(), tide.lfilter(f[1], f[2], pair):imag())
        end
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

  it("along each axis of arrays and views", function ()
    local b, a = decaying(3)
    local x = tide.random.Generator(3):normal{ 6, 7, 5 }
    for _, v in ipairs{ x, x.T, x:flip(), x:slice(1, 6, 2, 1), x[2], x[2].T,
                        x[2][3], x:slice(1, 1, 1, 2):broadcast_to(6, 7, 5) } do
      for axis = 1, v.ndim do
        local rows = v:moveaxis(axis, -1)
        local n = rows.shape[rows.ndim]
        local wanted = {}
        for i, row in ipairs(rows:reshape(-1, n):totable()) do
          wanted[i] = loop(b, a, row, {})
        end
        local y = tide.lfilter(b, a, v, { axis = axis })
        assert.same(v.shape, y.shape)
        near(wanted, y:moveaxis(axis, -1):reshape(-1, n))
        near(wanted, tide.lfilter(b, a, v, { axis = axis - v.ndim - 1 })
                         :moveaxis(axis, -1):reshape(-1, n))
      end
    end
  end)

  it("of every dtype, as in float64", function ()
    local b, a = decaying(3)
    local x = { 1, 0, 3, 2, 0, 1, 1, 0, 2 }
    local wanted = tide.array(loop(b, a, x, {}))
    for _, t in ipairs{ "int8", "uint8", "int32", "int64", "float16", "float32",
                        "float64", "complex64", "complex128" } do
      local y = tide.lfilter(b, a, tide.array(x, t))
      local to = t:find "int" and "float64" or t
      assert.equal(to, y.dtype)
      assert.same(wanted:astype(to):totable(), y:totable())
    end
    near(loop(b, a, { 1, 0, 1 }, {}),
         tide.lfilter(b, a, tide.array{ true, false, true }))
  end)

  it("of no elements keeps the states", function ()
    local b, a = decaying(2)
    local zi = tide.arange(1, 7, "float64"):reshape(2, 3)
    for _, denominator in ipairs{ a, { 1 } } do
      local y, z = tide.lfilter(b, denominator, tide.zeros{ 0, 3 },
                                { axis = 1, zi = zi })
      assert.same({ 0, 3 }, y.shape)
      assert.same(zi:totable(), z:totable())
      y, z = tide.lfilter(b, denominator, tide.zeros{ 4, 0 },
                          { axis = 1, zi = tide.zeros{ 2, 0 } })
      assert.same({ 4, 0 }, y.shape)
      assert.same({ 2, 0 }, z.shape)
    end
  end)

  it("leaves operands as they are", function ()
    local b, a = decaying(2)
    local x, zi = tide.ones{ 3, 2 }, tide.ones{ 2, 2 }
    tide.lfilter(b, a, x, { axis = 1, zi = zi })
    assert.is_true(tide.array_equal(x, tide.ones{ 3, 2 }))
    assert.is_true(tide.array_equal(zi, tide.ones{ 2, 2 }))
  end)

  it("takes coefficients from arrays", function ()
    local b, a, x = { 1, 2, 1 }, { 2, -1, 0.5 }, tide.array(signal(9))
    local wanted = tide.lfilter(b, a, x):totable()
    for _, make in ipairs{ tide.array, function (list)
      return tide.array(list, "float32"):tohost()
    end, function (list)
      return tide.array{ list, list }.T:slice(1, 1, 1, 2):reshape(-1)
    end } do
      assert.same(wanted, tide.lfilter(make(b), make(a), x):totable())
      assert.same(wanted, tide.lfilter(b, make(a), x):totable())
    end
    near(loop({ 1, 2 }, { 2 }, x:totable(), {}),
         tide.lfilter(tide.array({ 1, 2 }, "int8"), { 2 }, x))
  end)

  it("is captured", function ()
    local x, y = tide.ones(40), tide.zeros(40)
    local g = tide.capture(function ()
      y:copy_from(tide.lfilter({ 1 }, { 1, -1 }, x))
    end)
    g:launch()
    assert.same(tide.arange(1, 41, "float64"):totable(), y:totable())
    assert.error_matches(function ()
      tide.capture(function () tide.lfilter(x, { 1 }, x) end)
    end, "not permitted when stream is capturing")
  end)

  it("says what is wrong", function ()
    local x = tide.ones{ 2, 3 }
    local function bad (at, text, ...) badarg(at, text, tide.lfilter, ...) end
    bad(1, "list of numbers or array expected, got no value")
    bad(1, "list of numbers expected, got an empty one", {}, { 1 }, x)
    bad(1, "list of numbers expected, got an empty one", tide.zeros(0), { 1 },
        x)
    bad(1, "an array of one axis expected, got 2", x, { 1 }, x)
    bad(1, "item 1: a finite number expected, got tide.Complex",
        tide.ones(2, "complex64"), { 1 }, x)
    bad(2, "the first coefficient must not be 0", { 1 }, tide.zeros(2), x)
    local closed = tide.ones(1)
    closed:close()
    bad(2, "array is closed", { 1 }, closed, x)
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
