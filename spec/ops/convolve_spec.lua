--[[
convolve_spec.lua - convolve, correlate and those of matrices: against loops in
Lua, parts of workers, dtypes, captures, errors. NumPy's answers:
numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

--- All sums of x[i + p - (m - 1)] y[p] where there is such an x, of lists.
local function slide (x, y)
  local z, n, m = {}, #x, #y
  for i = 1, n + m - 1 do
    z[i] = 0
    for p = 1, m do z[i] = z[i] + (x[i + p - m] or 0) * y[p] end
  end
  return z
end

local function reversed (list)
  local z = {}
  for i, x in ipairs(list) do z[#list + 1 - i] = x end
  return z
end

local function part (list, first, n)
  return table.move(list, first, first + n - 1, 1, {})
end

helper.each_device(function ()

describe("convolve, correlate", function ()
  it("are sums in loops", function ()
    local pick = helper.generator(4)
    local function some (n)
      local list = {}
      for i = 1, n do list[i] = pick(19) - 10 end
      return list
    end
    for _ = 1, 30 do
      local n = pick(600)
      local m = pick(n < 20 and n or 20)
      local x, y = some(n), some(m)
      local a, b = tide.array(x), tide.array(y)
      local full, other = slide(x, reversed(y)), slide(x, y)
      assert.same(full, a:convolve(b):totable())
      assert.same(full, b:convolve(a, "full"):totable())
      assert.same(part(full, m, n - m + 1),
                  a:convolve(b, "valid"):totable())
      assert.same(part(full, (m - 1) // 2 + 1, n),
                  a:convolve(b, "same"):totable())
      assert.same(other, a:correlate(b, "full"):totable())
      assert.same(part(other, m, n - m + 1), a:correlate(b):totable())
      assert.same(reversed(other), b:correlate(a, "full"):totable())
    end
  end)

  it("of what several workers do", function ()
    local n = 1 << 19
    local a, b = tide.arange(n), tide.array{ 1, 0, -1, 5 }
    local z = a:convolve(b)
    assert.equal(n + 3, z.size)
    assert.same({ 0, 1, 2, 2, 7, 12 }, z[{ {1, 6} }]:totable())
    local i = tide.arange(4, n)  -- i - (i - 2) + 5 (i - 3)
    assert.is_true(tide.array_equal(z[{ {5, n} }], i * 5 - 13))
    local c = tide.ones({ 700, 800 }, "float32")
    local w = c:convolve2d(tide.ones({ 3, 3 }, "float32"), "same")
    assert.equal(9 * 698 * 798 + 6 * 2 * (698 + 798) + 16, w:sum():item())
  end)

  it("of every dtype", function ()
    for _, t in ipairs{ "int8", "int16", "int32", "int64", "uint8", "uint16",
                        "uint32", "uint64", "float16", "bfloat16", "float32",
                        "float64", "complex64", "complex128" } do
      local a, b = tide.array({ 1, 2, 3 }, t), tide.array({ 2, 1 }, t)
      local z = a:convolve(b)
      assert.equal(t, z.dtype)
      assert.same({ 2, 5, 8, 3 }, z:real():totable(), t)
    end
    local c = tide.array({ 100, 100 }, "int8")
    assert.same({ 16, 32, 16 }, c:convolve(c):totable())  -- wraps around
    local d = tide.array{ true, false, true }
    assert.same({ true, true, true, true }, d:convolve(tide.array{ true, true })
                                              :totable())
    assert.same({ true, false, true, false, true }, d:convolve(d):totable())
    assert.equal("float16", d:correlate(tide.ones(2, "float16")).dtype)
    -- rounded once: 2049 is no float16
    local e = tide.array({ 2048, 1, -2048 }, "float16")
    assert.same({ 1 }, e:correlate(tide.ones(3, "float16")):totable())
  end)

  it("of complex numbers: correlate conjugates the second", function ()
    local i = tide.complex(0, 1)
    local a, b = tide.array{ i, 1, 2 }, tide.array{ i }
    assert.equal(tide.complex(1, 0), a:correlate(b)[1])
    assert.equal(tide.complex(-1, 0), a:convolve(b)[1])
    assert.equal(tide.complex(1, 0), b:correlate(a)[3])
    assert.equal(tide.complex(0, 2), b:correlate(a)[1])
  end)

  it("of NaN and infinities, where they are", function ()
    local z = tide.array{ 0 / 0, 1, 1, 1 }:convolve(tide.array{ 1., 1. })
    assert.same({ true, true, false, false, false }, z:isnan():totable())
  end)

  it("of matrices", function ()
    local a = tide.arange(12):reshape{ 4, 3 }
    local b = tide.array{ { 1, 2 }, { 0, -1 } }
    local z = tide.zeros({ 5, 4 }, "int64")
    for p = 1, 2 do
      for q = 1, 2 do
        local view = z[{ { p, p + 3 }, { q, q + 2 } }]
        view:add_(a * b[p][q])
      end
    end
    assert.same(z:totable(), a:convolve2d(b):totable())
    assert.same(z[{ { 1, 4 }, { 1, 3 } }]:totable(),
                a:convolve2d(b, "same"):totable())
    assert.same(z[{ { 2, 4 }, { 2, 3 } }]:totable(),
                a:convolve2d(b, "valid"):totable())
    assert.same(a:convolve2d(b:flip()):totable(), a:correlate2d(b):totable())
    assert.same(a:convolve2d(b:flip(), "same"):totable(),
                a:correlate2d(b, "full")[{ { 1, 4 }, { 1, 3 } }]:totable())
    assert.same(b:convolve2d(a, "valid"):totable(),
                a:convolve2d(b, "valid"):totable())
    assert.same(a:correlate2d(b, "valid"):flip():totable(),
                b:correlate2d(a, "valid"):totable())
    assert.same({ 2, 2 }, b:convolve2d(a, "same").shape)
  end)

  it("write to 'out', also over their operands, and are captured", function ()
    local a = tide.array{ 1., 2., 3., 4. }
    local g = tide.capture(function ()
      a:convolve(tide.array{ 1., 1. }, "same", { out = a })
    end)
    g:launch()
    assert.same({ 1, 3, 5, 7 }, a:totable())
    local z = tide.zeros{ 2, 3 }
    a:correlate(tide.ones(2), { mode = "valid", out = z.T:copy().T[1] })
    a:correlate(tide.ones(2), { mode = "valid", out = z[2] })
    assert.same({ 4, 8, 12 }, z[2]:totable())
  end)

  it("by transforms, as by sums", function ()
    local rng = tide.random.Generator(3)
    local function some (shape, t)
      local a = rng:normal(shape):astype(t)
      return t:find("complex") and a * tide.complex(1, -2) or a
    end
    local function compare (name, t, mode, n, m)
      local a, b = some(n, t), some(m, t)
      local x = tide[name](a, b, { mode = mode, method = "direct" })
      local y = tide[name](a, b, mode, { method = "fft" })
      assert.equal(x.dtype, y.dtype)
      assert.same(x.shape, y.shape)
      local wide = t == "float64" or t == "complex128"
      local error = (x - y):abs():max():item()
      assert.is_true(error < (wide and 1e-12 or t == "float16" and 0.1 or 1e-4),
                     ("%s %s of %s: %g"):format(name, mode, t, error))
    end
    for _, t in ipairs{ "float16", "float32", "float64", "complex64",
                        "complex128" } do
      for _, mode in ipairs{ "full", "same", "valid" } do
        for _, n in ipairs{ { 50, 7 }, { 7, 50 }, { 33, 32 }, { 64, 64 },
                            { 5, 1 }, { 1, 1 } } do
          compare("convolve", t, mode, { n[1] }, { n[2] })
          compare("correlate", t, mode, { n[1] }, { n[2] })
        end
        for _, n in ipairs{ { 20, 7, 3, 2 }, { 7, 7, 7, 7 }, { 5, 9, 5, 1 } } do
          compare("convolve2d", t, mode, { n[1], n[2] }, { n[3], n[4] })
          compare("correlate2d", t, mode, { n[1], n[2] }, { n[3], n[4] })
        end
      end
    end
  end)

  it("by transforms where these pay, but not of integers", function ()
    local function reached (n, m, ...)
      local a = tide.zeros(n)
      a[1], a[n] = 0 / 0, 1
      return a:convolve(tide.ones(m), ...):isnan():sum():item()
    end
    assert.equal(103999, reached(100000, 4000))
    assert.equal(2000, reached(20000, 2000, { method = "direct" }))
    assert.equal(1, reached(20000, 1))
    local c, d = tide.arange(20000), tide.ones(2000, "int64")
    local sums = c:cumsum()
    assert.is_true(tide.array_equal(c:convolve(d, "valid")[{ { 2, 18001 } }],
                                    sums[{ { 2001, 20000 } }] -
                                    sums[{ { 1, 18000 } }]))
  end)

  it("by transforms in a capture, over an operand", function ()
    local a, b = tide.array{ 1., 2., 3., 4. }, tide.array{ 1., 1. }
    local g = tide.capture(function ()
      a:convolve(b, "same", { method = "fft", out = a })
    end)
    g:launch()
    g:launch()
    assert.is_true(tide.allclose(a, tide.array{ 1., 4., 8., 12. }))
    assert.same({ 1, 1 }, b:totable())
  end)

  it("say what is wrong", function ()
    badarg(3, "method 'fft' is for floats and complex numbers, got int64",
           tide.convolve, tide.arange(3), tide.arange(3), { method = "fft" })
    badarg(4, "option 'method' must be 'auto', 'direct' or 'fft'",
           tide.convolve, tide.ones(3), tide.ones(3), "full", { method = 1 })
    local a, b = tide.ones(3), tide.ones{ 2, 2 }
    for _, name in ipairs{ "convolve", "correlate" } do
      badarg(1, "an array of 1 axis expected, got one of 2", tide[name], b, a)
      badarg(2, "an array of 1 axis expected, got one of 0", tide[name], a,
             tide.ones{})
      badarg(2, "an array without elements", tide[name], a, tide.ones(0))
      badarg(3, "invalid option 'sane': 'full', 'same' or 'valid' expected",
             tide[name], a, a, "sane")
      badarg(3, "unknown option 'node'", tide[name], a, a, { node = 1 })
      badarg(4, "option 'mode' is given besides a mode", tide[name], a, a,
             "full", { mode = "full" })
      badarg(4, "nothing comes after the options", tide[name], a, a, {}, {})
      badarg(4, "option 'out' must have shape 5, has 3", tide[name], a, a,
             "full", { out = a })
    end
    for _, name in ipairs{ "convolve2d", "correlate2d" } do
      badarg(2, "an array of 2 axes expected, got one of 1", tide[name], b, a)
      fails("'valid': one array must be as long as the other along both axes",
            tide[name], tide.ones{ 2, 3 }, tide.ones{ 3, 2 }, "valid")
    end
  end)
end)

end)
