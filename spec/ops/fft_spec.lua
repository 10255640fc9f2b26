--[[
fft_spec.lua - tide.fft: against sums in Lua, properties of long transforms,
dtypes, captures, errors. NumPy's answers: numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg
local fft <const> = tide.fft

--- Returns random real and imaginary parts, as lists.
local function noise (n, seed)
  local pick <const> = helper.generator(seed)
  local re <const>, im <const> = {}, {}
  for i = 1, n do
    re[i], im[i] = (pick(2001) - 1001) / 1000, (pick(2001) - 1001) / 1000
  end
  return re, im
end

--- Returns the sums of a transform of n elements; others are 0.
local function sums (re, im, n, sign)
  local zr <const>, zi <const>, c <const>, s <const> = {}, {}, {}, {}
  for k = 0, n - 1 do
    local angle <const> = sign * 2 * math.pi * k / n
    c[k], s[k] = math.cos(angle), math.sin(angle)
  end
  for k = 0, n - 1 do
    local x, y = 0, 0
    for j = 0, math.min(n, #re) - 1 do
      local e <const> = j * k % n
      x = x + re[j + 1] * c[e] - im[j + 1] * s[e]
      y = y + re[j + 1] * s[e] + im[j + 1] * c[e]
    end
    zr[k + 1], zi[k + 1] = x, y
  end
  return zr, zi
end

local function complex (re, im, dtype)
  local z <const> = tide.array(re, "float64") +
                    tide.array(im, "float64") * tide.complex(0, 1)
  return z:astype(dtype or "complex128")
end

--- Returns the largest difference, in parts of the largest element.
local function error_of (got, wanted)
  assert.same(wanted.shape, got.shape)
  local wide <const> = wanted.dtype
  local most <const> = wanted:abs():max():item()
  local off <const> = (got:astype(wide) - wanted):abs():max():item()
  return off / math.max(most, 1e-300)
end

local function near (wanted, got, times)
  local single <const> = got.dtype == "complex64" or got.dtype == "float32"
  local off <const> = error_of(got, wanted)
  assert.is_true(off <= (times or 8) * (single and 2^-24 or 2^-53),
                 ("error %g, shape %s"):format(off, tostring(got.shape)))
end

local SHORT <const> = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17,
                        25, 27, 30, 32, 49, 61, 62, 64, 65, 66, 67, 71, 77, 81,
                        97, 100, 101, 121, 122, 128, 134, 143, 169, 210, 243,
                        256, 257, 360, 509, 512, 518 }

helper.each_device(function ()

describe("tide.fft", function ()
  it("are sums in loops, of each length", function ()
    for _, n in ipairs(SHORT) do
      local re <const>, im <const> = noise(n, n)
      local x <const>, wanted <const> = complex(re, im),
                                        complex(sums(re, im, n, -1))
      near(wanted, fft.fft(x), 64)
      near(wanted, fft.fft(x:astype "complex64"), 64)
      near(complex(sums(re, im, n, 1)), fft.ifft(x) * n, 64)
      local zero <const> = tide.zeros(n):totable()
      local real <const> = complex(sums(re, zero, n, -1))
      local a <const> = tide.array(re, "float64")
      near(real, fft.fft(a), 64)
      near(real[{ {1, n // 2 + 1} }], fft.rfft(a), 64)
      near(real[{ {1, n // 2 + 1} }], fft.ihfft(a, { norm = "forward" }):conj(),
           64)
      near(a, fft.irfft(fft.rfft(a), n), 64)
      near(a, fft.hfft(fft.ihfft(a), n), 64)
    end
  end)

  it("cut longer axes and continue shorter ones with zeros", function ()
    local re <const>, im <const> = noise(12, 3)
    local x <const> = complex(re, im)
    for n = 1, 30 do
      near(complex(sums(re, im, n, -1)), fft.fft(x, n), 16)
      local half <const> = math.min(n, 12)
      local a <const> = tide.pad(x:real()[{ {1, half} }], { { 0, n - half } })
      near(fft.rfft(a), fft.rfft(x:real(), n), 16)
      local b <const> = tide.zeros(n // 2 + 1, "complex128")
      local kept <const> = math.min(12, n // 2 + 1)
      b[{ {1, kept} }] = x[{ {1, kept} }]
      near(fft.irfft(b, n), fft.irfft(x, n), 16)
    end
  end)

  it("ignore imaginary parts that real numbers do not have", function ()
    local x <const> = tide.array({ 1, 2, 3 }, "complex64")
    local y <const> = x + tide.array{ tide.complex(0, 5), 0,
                                      tide.complex(0, 7) }
    assert.same(fft.irfft(x, 4):totable(), fft.irfft(y, 4):totable())
    assert.same(fft.irfft(x, 3):totable(),
                fft.irfft(x + tide.complex(0, 0), 3):totable())
  end)

  it("of long lines come back, with as much power", function ()
    for _, n in ipairs{ 1000, 1009, 4096, 4099, 16384, 20000, 32768, 40013,
                        65536, 2^17 // 1, 2^18 // 1 } do
      local x <const> = tide.random.Generator(n):normal(0, 1, n)
      local half <const>, z <const> = fft.rfft(x), fft.fft(x)
      near(x, fft.irfft(half, n), 64)
      near(x, fft.ifft(z):real(), 64)
      near(z[{ {1, n // 2 + 1} }], half, 64)
      local power <const> = (z:abs() ^ 2):sum():item() / n
      assert.near(1, power / (x ^ 2):sum():item(), 1e-12)
      local y <const> = z:astype "complex64"
      near(x, fft.ifft(y):real(), 64)
    end
  end)

  it("of a length with a large prime factor: 2^20 + 1", function ()
    local n <const> = (1 << 20) + 1
    local x <const> = tide.arange(n):eq(5):astype "complex128"
    local angle <const> = tide.arange(n) * 5 % n * (-2 * math.pi / n)
    local z <const> = fft.fft(x)
    near(angle:cos(), z:real(), 32)
    near(angle:sin(), z:imag(), 32)
    near(x, fft.ifft(z), 32)
    x:close() angle:close() z:close()
  end)

  it("along any axis, of any strides, in batches", function ()
    local g <const> = tide.random.Generator(9)
    for _, n in ipairs{ 5, 8, 67, 100 } do
      local a <const> = g:normal(0, 1, { 3, n, 5, 2 })
      local x <const> = a[{ {}, {}, {}, 1 }] +
                        a[{ {}, {}, {}, 2 }] * tide.complex(0, 1)
      local z <const> = fft.fft(x, { axis = 2 })
      for i = 1, 3 do
        for k = 1, 5 do
          local line <const> = x[{ i, {}, k }]:copy()
          near(fft.fft(line), z[{ i, {}, k }]:copy(), 16)
        end
      end
      near(z, fft.fft(x:permute(3, 1, 2)):permute(2, 3, 1):copy(), 16)
      near(z, fft.fft(x, { axis = -2 }), 16)
      near(z, fft.fft(x:flip(1), { axis = 2 }):flip(1):copy(), 16)
      local half <const> = fft.rfft(x:real(), { axis = 2 })
      near(fft.rfft(x:real():permute(1, 3, 2)):permute(1, 3, 2):copy(), half,
           16)
      near(x:real(), fft.irfft(half, n, { axis = 2 }), 16)
    end
  end)

  it("of many lines are the same on any number of workers", function ()
    local x <const> = tide.random.Generator(1):normal(0, 1, { 600, 1024 })
    local z <const> = fft.fft(x)
    for _, i in ipairs{ 1, 299, 600 } do
      assert.equal(fft.fft(x[i]:copy()):tobytes(), z[i]:copy():tobytes())
    end
    local y <const> = fft.fft(x, { axis = 1 })
    near(fft.fft(x.T:copy()).T:copy(), y, 32)
  end)

  it("along several axes are transforms along each", function ()
    local x <const> = tide.random.Generator(2):normal(0, 1, { 4, 6, 5 })
    local z <const> = fft.fft(fft.fft(fft.fft(x, { axis = 1 }), { axis = 2 }))
    near(z, fft.fftn(x), 16)
    near(fft.fft(fft.fft(x, { axis = 2 })), fft.fft2(x), 16)
    near(z[{ {}, {}, {1, 3} }]:copy(), fft.rfftn(x), 16)
    near(x, fft.ifftn(z):real(), 16)
    near(x, fft.irfftn(fft.rfftn(x), { 4, 6, 5 }), 16)
    near(x, fft.irfft2(fft.rfft2(x, { axes = { 3, 1 } }),
                       { axes = { 3, 1 } }), 16)
    near(fft.fft(x, 3, { axis = 1 }), fft.fftn(x, { 3 }, { axes = 1 }), 16)
  end)

  it("have a factor, on one side or on both", function ()
    local x <const> = tide.random.Generator(3):normal(0, 1, 12)
    local z <const> = fft.fft(x)
    for norm, factor in pairs{ backward = 1, ortho = 12 ^ -0.5,
                               forward = 1 / 12 } do
      near(z * factor, fft.fft(x, { norm = norm }), 16)
      near(x, fft.ifft(z * factor, { norm = norm }):real(), 16)
      near(x, fft.irfft(fft.rfft(x, { norm = norm }), { norm = norm }), 16)
      near(x, fft.hfft(fft.ihfft(x, { norm = norm }), { norm = norm }), 16)
    end
  end)

  it("compute in the precision of the elements", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32" } do
      local x <const> = tide.array({ 1, 2, 3, 4 }, t)
      assert.equal("complex64", fft.fft(x).dtype)
      assert.equal("complex64", fft.rfft(x).dtype)
      assert.equal("float32", fft.irfft(x).dtype)
    end
    for _, t in ipairs{ "bool", "int8", "uint64", "float64" } do
      local x <const> = tide.ones(4, t)
      assert.equal("complex128", fft.fft(x).dtype)
      assert.equal("float64", fft.hfft(x).dtype)
    end
    tide.set_default_dtype "float32"
    local ok <const>, dtype <const> = pcall(function ()
      return fft.fft(tide.ones(4, "int32")).dtype
    end)
    tide.set_default_dtype "float64"
    assert.is_true(ok)
    assert.equal("complex64", dtype)
    assert.equal("complex64", fft.ifftn(tide.ones({ 2, 2 },
                                                  "complex64")).dtype)
  end)

  it("keep NaN to its line", function ()
    local x <const> = tide.ones({ 9, 8 }, "float64")
    x[{ 4, 2 }] = 0 / 0
    local bad <const> = fft.rfft(x):abs():isnan():any(2):totable()
    for i = 1, 9 do assert.equal(i == 4, bad[i]) end
  end)

  it("write to an array that is given, also the operand", function ()
    local x <const> = tide.random.Generator(4):normal(0, 1, { 3, 8 })
    local z <const> = fft.fft(x)
    local out <const> = tide.zeros({ 3, 8 }, "complex128")
    assert.equal(out, fft.fft(x, { out = out }))
    assert.equal(z:tobytes(), out:tobytes())
    local y <const> = x:astype "complex128"
    assert.equal(y, fft.fft(y, { out = y }))
    assert.equal(z:tobytes(), y:tobytes())
    local wide <const> = tide.zeros({ 3, 16 }, "complex128")
    fft.fft(x, { out = wide:slice(2, 16, 2, 2) })
    assert.equal(z:tobytes(), wide:slice(2, 16, 2, 2):copy():tobytes())
    fails("out", fft.fft, x, { out = tide.zeros({ 3, 8 }, "float64") })
    fails("out", fft.rfft, x, { out = out })
  end)

  it("of nothing are nothing, if a line has elements", function ()
    assert.same({ 0, 5 }, fft.fft(tide.zeros{ 0, 5 }).shape)
    assert.same({ 0, 3 }, fft.rfft(tide.zeros{ 0, 5 }).shape)
    assert.same({ 0, 8 }, fft.irfft(tide.zeros{ 0, 5 }).shape)
    near(tide.zeros({ 2, 4 }, "complex128"), fft.fft(tide.zeros{ 2, 0 }, 4))
    badarg(1, "a transform has at least one point, got 0 along axis 2", fft.fft,
           tide.zeros{ 2, 0 })
    badarg(1, "a transform has at least one point, got 0 along axis 1",
           fft.irfft, tide.zeros(1))
  end)

  it("refuse wrong arguments", function ()
    local x <const> = tide.ones{ 2, 3 }
    badarg(1, "tide.array(list), expected, got table", fft.fft, {})
    badarg(1, "an array of at least 1 axis expected, got one of 0", fft.fft,
           tide.full({}, 1))
    badarg(1, "an array of at least 2 axes expected, got one of 1", fft.fft2,
           tide.ones(3))
    badarg(1, "an array of real numbers expected, got complex64", fft.rfft,
           tide.ones(3, "complex64"))
    badarg(2, "a transform has at least one point, got 0", fft.fft, x, 0)
    badarg(2, "a transform has at least one point, got -1", fft.fft, x, -1)
    badarg(2, "the length of a transform is an integer, got number", fft.fft, x,
           1.5)
    badarg(2, "the length of a transform is an integer, got string", fft.fft, x,
           "4")
    badarg(2, "axis 3 is out of range for an array of 2 axes", fft.fft, x,
           { axis = 3 })
    badarg(2, "axis 0 is out of range", fft.fft, x, { axis = 0 })
    badarg(2, "option 'norm' must be 'backward', 'ortho' or 'forward'", fft.fft,
           x, { norm = "both" })
    badarg(3, "option 'n' is given besides argument 2", fft.fft, x, 3,
           { n = 3 })
    badarg(3, "nothing comes after the options", fft.fft, x, { n = 3 }, {})
    badarg(3, "1 lengths for 2 axes", fft.fftn, x, { 3 }, { axes = { 1, 2 } })
    badarg(2, "list of lengths expected, got number", fft.fft2, x, 3)
    badarg(2, "axis 1 is there twice", fft.fftn, x, { axes = { 1, 1 } })
    badarg(1, "at least 3 axes", fft.fftn, x, { 2, 2, 2 })
    badarg(1, "an integer from 1 on expected, got 0", fft.fftfreq, 0)
    badarg(2, "a dtype of floats expected, got int8", fft.fftfreq, 3, "int8")
    badarg(2, "axis 3 is out of range", fft.fftshift, x, 3)
    fails("tide.fft", function () return fft.fht end)
  end)

  it("are work of a stream, in captures as well", function ()
    local x <const> = tide.zeros(67, "complex128")
    local z <const> = tide.zeros(67, "complex128")
    local g <const> = tide.capture(function () fft.fft(x, { out = z }) end)
    for i = 1, 3 do
      x:fill(i)
      g:launch()
      assert.near(67 * i, z[1].re, 1e-12 * 67)
    end
    local long <const> = tide.ones(1 << 15)
    local graph <const> = tide.capture(function ()
      long:copy_from(fft.irfft(fft.rfft(long), 1 << 15) + 1)
    end)
    for _ = 1, 3 do graph:launch() end
    assert.near(4, long[77], 1e-12)
  end)

  it("have frequencies, which can be put in order", function ()
    assert.same({ 0, 1, 2, -2, -1 }, fft.fftfreq(5, 1 / 5):totable())
    assert.same({ 0, 1, -2, -1 }, fft.fftfreq(4, 0.25):totable())
    assert.same({ 0, 1, 2 }, fft.rfftfreq(5, 1 / 5):totable())
    assert.equal("float32", fft.fftfreq(4, "float32").dtype)
    assert.same({ 0.0 }, fft.fftfreq(1):totable())
    assert.same({ -2, -1, 0, 1, 2 },
                fft.fftshift(fft.fftfreq(5, 1 / 5)):totable())
    local x <const> = tide.arange(12):reshape(3, 4)
    assert.same(x:roll({ 1, 2 }, { 1, 2 }):totable(), fft.fftshift(x):totable())
    assert.same(x:totable(), fft.ifftshift(fft.fftshift(x, 2),
                                           { axes = -1 }):totable())
    assert.same({ 1 }, fft.fftshift(tide.full({}, 1)):reshape(1):totable())
  end)
end)

describe("tide.fft along no axis", function ()
  it("is refused", function ()
    for _, name in ipairs{ "fftn", "ifftn", "rfftn", "irfftn" } do
      badarg(1, "an array of at least 1 axis expected", fft[name],
             tide.array(3.0))
    end
    for _, name in ipairs{ "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn",
                           "rfftn", "irfftn" } do
      badarg(2, "option 'axes' must have at least one axis", fft[name],
             tide.ones{ 2, 3 }, { axes = {} })
    end
  end)
end)

describe("tide.fft on two devices", function ()
  it("run where the operand is, not on the current one #process", function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local x = tide.with_device("host:1", function ()
        return tide.arange(8)
      end)
      local z = tide.fft.rfft2(x:reshape(2, 4))
      print(z.device, z[1][1].re, tide.fft.fftshift(x).device)
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("host:1\t28.0\thost:1\n", printed)
  end)
end)

end)
