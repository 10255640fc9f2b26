--[[
filters_spec.lua - gaussian_filter and median_filter: windows larger than the
array, dtypes, no axes and no elements, errors. SciPy's answers, made of
NumPy's functions, are in numpy_spec. resize beside a formula for each element.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

helper.each_device(function ()

describe("gaussian_filter", function ()
  it("keeps sums, and constants", function ()
    local a = tide.random.Generator(1):uniform{ 20, 30 }
    local z = tide.gaussian_filter(a, 2)
    assert.is_true(tide.allclose(z:sum(), a:sum()))
    assert.is_true(z:std():item() < a:std():item() / 4)
    for _, mode in ipairs{ "reflect", "nearest", "mirror", "wrap" } do
      local ones = tide.gaussian_filter(tide.ones{ 1, 5 }, 3, { mode = mode })
      assert.is_true(tide.allclose(ones, tide.ones{ 1, 5 }), mode)
    end
    assert.is_true(tide.allclose(tide.gaussian_filter(tide.zeros(3), 1, {
      mode = "constant", cval = 2, radius = 0 }), tide.zeros(3)))
  end)

  it("derives a ramp", function ()
    local x = tide.arange(40, "float64") * 3
    local z = tide.gaussian_filter(x, 1.5, { order = 1 })
    assert.is_true(tide.allclose(z[{ { 10, 30 } }], tide.full(21, 3.), 1e-3))
    z = tide.gaussian_filter(x, 1.5, { order = 2 })
    assert.is_true(z[{ { 10, 30 } }]:abs():max():item() < 1e-2)
  end)

  it("leaves axes of sigma 0 alone, and other lines", function ()
    local a = tide.zeros{ 3, 4, 5 }
    a[2] = 0 / 0
    local z = tide.gaussian_filter(a, { 0, 1, 1 })
    assert.same({ 0, 20, 0 }, z:isnan():sum{ 2, 3 }:totable())
    assert.same(a[1]:totable(), z[3]:totable())
  end)

  it("has the dtype of floats, and memory of its own", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64",
                        "complex64", "complex128" } do
      assert.equal(t, tide.gaussian_filter(tide.ones(3, t), 1).dtype)
    end
    for _, t in ipairs{ "bool", "int8", "uint64" } do
      local z = tide.gaussian_filter(tide.ones(3, t), 1)
      assert.equal("float64", z.dtype)
      assert.is_true(tide.allclose(z, tide.ones(3)))
    end
    local a = tide.ones(3)
    tide.gaussian_filter(a, 0):fill(0)
    assert.same({ 1, 1, 1 }, a:totable())
    assert.same({ 0, 3 }, tide.gaussian_filter(tide.zeros{ 0, 3 }, 1).shape)
    assert.equal(3, tide.gaussian_filter(tide.array(3.), 1):item())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 3, 3 }
    local function bad (at, text, ...)
      badarg(at, text, tide.gaussian_filter, ...)
    end
    bad(1, "tide.Array expected, got no value")
    bad(2, "a number from 0 on expected, got no value", a)
    bad(2, "a number from 0 on expected, got nan", a, 0 / 0)
    bad(2, "a list for 2 axes expected, got 1", a, { 1 })
    bad(2, "field 'x' in a list for the axes", a, { 1, 1, x = 1 })
    bad(2, "item 2: a number from 0 on expected", a, { 1, -1 })
    bad(3, "option 'mode' must be 'reflect', 'constant'", a, 1,
        { mode = "edge" })
    bad(3, "option 'order': an integer from 0 to 64 expected, got -1", a, 1,
        { order = -1 })
    bad(3, "a window of a radius up to 1048576 expected, got 4e+300", a, 1e300)
    bad(3, "a window of a radius up to 1048576 expected", a, 1,
        { radius = { 1, math.maxinteger } })
    bad(3, "option 'radius': item 2: an integer from 0 on expected", a, 1,
        { radius = { 1, 0.5 } })
    bad(3, "option 'cval' must be a number, got string", a, 1, { cval = "0" })
    bad(3, "option 'truncate' must be a number, got table", a, 1,
        { truncate = {} })
    bad(3, "option 'truncate' must be finite and from 0 on, got -1", a, 1,
        { truncate = -1 })
    bad(3, "unknown option 'output'", a, 1, { output = a })
    bad(4, "no value expected", a, 1, nil, 1)
  end)
end)

describe("median_filter", function ()
  it("removes what is alone", function ()
    local a = tide.zeros({ 9, 9 }, "int32")
    a[{ { 3, 3 }, { 4, 4 } }] = 7
    assert.equal(0, tide.median_filter(a, 3):max():item())
    assert.equal(7, tide.median_filter(a, 1):max():item())
    assert.same({ 1, 1, 2, 3, 4, 5, 5 },
                tide.median_filter(tide.arange(7), 5):totable())
  end)

  it("of every dtype with an order, with none and without elements", function ()
    for _, t in ipairs{ "bool", "int8", "uint64", "float16", "bfloat16",
                        "float64" } do
      local z = tide.median_filter(tide.array({ 0, 1, 1 }, t), 3)
      assert.equal(t, z.dtype)
      assert.same({ 0, 1, 1 }, z:astype "int32":totable())
    end
    assert.equal(3, tide.median_filter(tide.array(3), 5):item())
    assert.same({ 0, 2 }, tide.median_filter(tide.zeros{ 0, 2 }, 3).shape)
  end)

  it("with windows longer than the array", function ()
    local a = tide.array{ 1, 2 }
    assert.same({ 2, 1 }, tide.median_filter(a, 7):totable())
    assert.same({ 0, 0 }, tide.median_filter(a, 7, { mode = "constant" })
                  :totable())
    assert.same({ 9, 9 }, tide.median_filter(a, 7, { mode = "constant",
                                                     cval = 9 }):totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones(3)
    local function bad (at, text, ...)
      badarg(at, text, tide.median_filter, ...)
    end
    for wrong, made in pairs{
        ["number has no integer representation: 0.5"] = { 0.5, "int64" },
        ["number is out of range for uint8: -1"] = { -1, "uint8" } } do
      bad(3, "option 'cval': " .. wrong, tide.ones(3, made[2]), 3,
          { mode = "constant", cval = made[1] })
      tide.median_filter(tide.ones(3, made[2]), 3, { cval = made[1] })
    end
    bad(1, "complex64 numbers have no order", tide.ones(3, "complex64"), 3)
    bad(2, "an integer from 1 on expected, got 0", a, 0)
    bad(2, "an integer from 1 on expected, got 1.5", a, 1.5)
    bad(2, "a list for 1 axes expected, got 2", a, { 3, 3 })
    bad(2, "windows of up to 16384 elements expected", tide.ones{ 2, 2 }, 256)
    bad(2, "windows of up to 16384 elements expected", a, math.maxinteger)
    bad(3, "unknown option 'size'", a, 3, { size = 3 })
  end)
end)

--{{ resize, one element after the other

local function sinc (x)
  return x == 0 and 1 or math.sin(math.pi * x) / (math.pi * x)
end

-- Values at distances x; 0 beyond the radius.
local KERNELS = {
  linear = function (x) return x < 1 and 1 - x or 0 end,
  cubic = function (x)
    return x < 1 and 1.5 * x ^ 3 - 2.5 * x ^ 2 + 1 or
           x < 2 and -0.5 * x ^ 3 + 2.5 * x ^ 2 - 4 * x + 2 or 0
  end,
  lanczos3 = function (x) return x < 3 and sinc(x) * sinc(x / 3) or 0 end,
}

--- Returns the weights, from 0, of n elements for element i, from 0, of m.
local function weights_of (n, m, i, o)
  local centre, w, sum = (i + 0.5) * n / m - 0.5, {}, 0
  local wide = o.antialias ~= false and n > m and n / m or 1
  for j = 0, n - 1 do
    if n == m then
      w[j] = j == i and 1 or 0
    elseif o.method == "nearest" then
      w[j] = j == (i + 0.5) * n // m and 1 or 0
    else
      w[j] = KERNELS[o.method or "linear"](math.abs(j - centre) / wide)
    end
    sum = sum + w[j]
  end
  for j = 0, n - 1 do w[j] = w[j] / sum end
  return w
end

--- Returns the mean of the nested list x with weights for each axis.
local function mean_of (x, weights, depth)
  if not weights[depth] then return x end
  local sum = 0
  for j = 0, #x - 1 do
    sum = sum + weights[depth][j] * mean_of(x[j + 1], weights, depth + 1)
  end
  return sum
end

--- Returns the nested list of what 'x', of shape 'from', is by the formula.
local function resized (x, from, to, o, weights)
  local depth, list = #weights + 1, {}
  if depth > #from then return mean_of(x, weights, 1) end
  for i = 0, to[depth] - 1 do
    local all = table.move(weights, 1, depth - 1, 1, {})
    all[depth] = weights_of(from[depth], to[depth], i, o)
    list[i + 1] = resized(x, from, to, o, all)
  end
  return list
end

local METHODS = { "nearest", "linear", "cubic", "lanczos3" }

describe("resize", function ()
  local function check (a, to, o, tolerance)
    local z = tide.resize(a, to, o)
    local list = resized(a:totable(), a.shape, to, o, {})
    assert.same(to, z.shape)
    assert.same(z:contiguous().strides, z.strides)
    assert.is_true(tide.allclose(z:astype "float64",
                                 tide.array(list, "float64"), tolerance or
                                 1e-12, tolerance or 1e-12),
                   ("%s %s: {%s} to {%s}"):format(o.method, o.antialias,
                     table.concat(a.shape, ", "), table.concat(to, ", ")))
  end

  local function random (shape, seed)
    return tide.random.Generator(seed or 3):uniform(shape)
  end

  it("is the formula for each element", function ()
    for _, sizes in ipairs{
        { { 7 }, { 3 } }, { { 7 }, { 14 } }, { { 3 }, { 11 } },
        { { 31 }, { 2 } }, { { 8 }, { 7 } }, { { 5 }, { 1 } },
        { { 1 }, { 4 } }, { { 2 }, { 3 } }, { { 9 }, { 9 } },
        { { 9, 7 }, { 4, 15 } }, { { 4, 6 }, { 4, 5 } },
        { { 6, 3 }, { 13, 3 } }, { { 5, 6, 4 }, { 2, 6, 9 } } } do
      local a = random(sizes[1])
      for _, method in ipairs(METHODS) do
        for _, antialias in ipairs{ true, false } do
          check(a, sizes[2], { method = method, antialias = antialias })
        end
      end
    end
    check(random{ 6, 8 }, { 3, 4 }, {})
  end)

  it("of each dtype; integers become floats, except for the nearest",
     function ()
    for dtype, tolerance in pairs{ float16 = 4e-3, bfloat16 = 3e-2,
                                   float32 = 1e-6, float64 = 1e-12 } do
      local a = random{ 6, 9 }:astype(dtype)
      for _, method in ipairs(METHODS) do
        assert.equal(dtype, tide.resize(a, { 3, 4 }, { method = method }).dtype)
        check(a, { 4, 10 }, { method = method }, tolerance)
      end
    end
    for _, dtype in ipairs{ "bool", "uint8", "int16", "uint64" } do
      local a = tide.array({ 1, 0, 1, 1, 0 }, dtype)
      local z = tide.resize(a, { 8 }, { method = "nearest" })
      assert.equal(dtype, z.dtype)
      assert.same({ 1, 1, 0, 1, 1, 1, 0, 0 }, z:astype "uint8":totable())
      assert.equal("float64", tide.resize(a, { 8 }).dtype)
      assert.equal("float64", tide.resize(a, { 5 }).dtype)
      check(a:astype "uint8", { 3 }, { method = "cubic" })
    end
    local x, y = random{ 5, 4 }, random({ 5, 4 }, 4)
    for dtype, tolerance in pairs{ complex64 = 1e-5, complex128 = 1e-12 } do
      for _, method in ipairs(METHODS) do
        local o = { method = method }
        local z = tide.resize((x + y * tide.complex(0, 1)):astype(dtype),
                              { 3, 9 }, o)
        assert.equal(dtype, z.dtype)
        for part, of in pairs{ real = x, imag = y } do
          assert.is_true(tide.allclose(z[part](z), tide.resize(of, { 3, 9 }, o),
                                       tolerance, tolerance))
        end
      end
    end
  end)

  it("of views, and in memory of its own", function ()
    local a = random{ 6, 8 }
    for _, method in ipairs(METHODS) do
      local o = { method = method }
      check(a.T:flip(1), { 5, 9 }, o)
      check(a:slice(1, -1, 2), { 5, 8 }, o)
      check(a:select(1, 2):broadcast_to{ 4, 8 }, { 6, 3 }, o)
      for _, of in ipairs{ a, a.T, a[1], tide.array(3.) } do
        local before = of:copy()
        local z = tide.resize(of, of.shape, o)
        assert.is_true(tide.array_equal(before, z))
        z:fill(7)
        assert.is_true(tide.array_equal(before, of))
      end
    end
  end)

  it("with axes of no elements, or of one", function ()
    for _, method in ipairs(METHODS) do
      local o = { method = method }
      assert.same({ 0, 2 }, tide.resize(tide.ones{ 3, 1 }, { 0, 2 }, o).shape)
      assert.same({ 7, 0 }, tide.resize(tide.ones{ 3, 0 }, { 7, 0 }, o).shape)
      assert.same({ 0 }, tide.resize(tide.ones(0), { 0 }, o).shape)
      assert.same({ { 1, 1 } }, tide.resize(tide.ones{ 1, 1 }, { 1, 2 }, o)
                                  :totable())
    end
  end)

  it("keeps a NaN within the windows that have it", function ()
    local a = tide.zeros{ 12, 2 }
    a[6][1] = 0 / 0
    local z = tide.resize(a, { 24, 2 }, { method = "cubic" }):isnan()
    assert.same({ 8, 0 }, z:sum(1):totable())
    assert.is_true(z[{ { 8, 15 }, 1 }]:all():item())
    for _, method in ipairs{ "linear", "cubic", "lanczos3" } do
      local reach <const> = method == "linear" and 1 or
                            method == "cubic" and 2 or 3
      for k = 1, 10 do  -- at the ends as well
        local x = tide.zeros(10)
        x[k] = -1 / 0
        local isnt = tide.resize(x, { 20 }, { method = method }):eq(0):totable()
        for i = 1, 20 do
          local away = math.abs((i - 0.5) / 2 - (k - 0.5))
          assert.equal(away >= reach, isnt[i], method .. k .. ":" .. i)
        end
      end
    end
  end)

  it("gathers windows of many elements in parts", function ()
    local n = 1 << 20
    local a = tide.array({ { 1 }, { 2 }, { 4 }, { 3 }, { 9 } }, "float32")
    local z = tide.resize(a:broadcast_to{ 5, n }, { 3, n })
    assert.is_true(tide.allclose(z, tide.resize(a, { 3, 1 })))
  end)

  it("is captured", function ()
    local a = random{ 6, 5 }
    local g, y, z = tide.capture(function ()
      return tide.resize(a, { 4, 9 }, { method = "cubic" }),
             tide.resize(a, { 4, 9 }, { method = "nearest" })
    end)
    a:mul_(2)
    g:launch()
    assert.is_true(tide.array_equal(y, tide.resize(a, { 4, 9 }, {
      method = "cubic" })))
    assert.is_true(tide.array_equal(z, tide.resize(a, { 4, 9 }, {
      method = "nearest" })))
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 3, 0 }
    local function bad (at, text, ...)
      badarg(at, text, tide.resize, ...)
    end
    bad(1, "tide.Array expected, got no value")
    bad(2, "shape must be a table of sizes, got no value", a)
    bad(2, "shape must be a table of sizes, got number", a, 3)
    bad(2, "shape must have a size for each axis, 2, has 1", a, { 3 })
    bad(2, "shape must have a size for each axis, 2, has 3", a, { 3, 0, 3 })
    bad(2, "shape must not be negative", a, { 3, -1 })
    bad(2, "got 1.5", a, { 1.5, 0 })
    bad(2, "the shape has more than 2^46 elements", a, { 1 << 30, 1 << 30 })
    bad(2, "field 'x' in a shape", a, { 3, 0, x = 1 })
    bad(2, "axis 2 has no elements to make 4 from", a, { 3, 4 })
    bad(2, "axis 1 is too long: 1099511627776 elements to 2097152",
        tide.ones(1):broadcast_to(1 << 40), { 1 << 21 })
    bad(3, "option 'method' must be 'nearest', 'linear', 'cubic' or 'lanczos3'",
        a, { 3, 0 }, { method = "area" })
    bad(3, "option 'antialias' must be a boolean, got number", a, { 3, 0 },
        { antialias = 1 })
    bad(3, "unknown option 'out'", a, { 3, 0 }, { out = a })
    bad(4, "no value expected", a, { 3, 0 }, nil, 1)
  end)
end)

--}}

end)
