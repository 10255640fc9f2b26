--[[
matmul_spec.lua - matmul: which axes go with which, values of every dtype,
views, broadcasting. dot: dot_product_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg
local array = helper.array

--- Small integers: products of floats are exact, too.
local function elements (n, dtype, pick)
  local list = {}
  for i = 1, n do
    local x = pick(9) - (dtype:find "^u" and 1 or 5)
    list[i] = numbers.fit(dtype == "bool" and x % 2 or x, dtype)
  end
  return list
end

local function product (x, y, m, k, n, dtype)
  local z = {}
  for i = 0, m - 1 do
    for j = 1, n do
      local sum = 0
      for d = 0, k - 1 do
        sum = sum + x[i * k + d + 1] * y[d * n + j]
      end
      z[i * n + j] = numbers.fit(sum, dtype)
    end
  end
  return z
end

helper.each_device(function ()

describe("matmul", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype, function ()
      local pick = helper.generator(17)
      for _, size in ipairs{ { 1, 1, 1 }, { 2, 3, 4 }, { 64, 16, 64 },
                             { 65, 17, 66 }, { 1, 100, 130 }, { 130, 33, 1 },
                             { 5, 300, 260 }, { 9, 1, 2 }, { 19, 2, 3 },
                             { 33, 5, 4 }, { 8, 3, 5 }, { 25, 40, 7 },
                             { 17, 9, 8 }, { 12, 7, 10 }, { 31, 6, 15 },
                             { 10, 33, 16 }, { 3, 2, 1100 } } do
        local m, k, n = table.unpack(size)
        local xs = elements(m * k, dtype, pick)
        local ys = elements(k * n, dtype, pick)
        local z = array(xs, dtype, { m, k }):matmul(array(ys, dtype, { k, n }))
        assert.equal(dtype, z.dtype)
        assert.same({ m, n }, z.shape)
        local wanted = numbers.pack(product(xs, ys, m, k, n, dtype), dtype)
        assert.is_true(z:tobytes() == wanted, table.concat(size, "x"))
      end
    end)
  end

  for _, dtype in ipairs{ "complex64", "complex128" } do
    it("of " .. dtype .. ", not conjugated", function ()
      local pick = helper.generator(18)
      for _, size in ipairs{ { 1, 1, 1 }, { 2, 3, 4 }, { 65, 17, 66 },
                             { 1, 100, 130 }, { 120, 130, 110 } } do
        local m, k, n = table.unpack(size)
        local function parts (rows, columns)
          local function part ()
            return array(elements(rows * columns, "float64", pick), "float64",
                         { rows, columns })
          end
          local re, im = part(), part()
          return re, im, (re + im * tide.complex(0, 1)):astype(dtype)
        end
        local a, b, x = parts(m, k)
        local c, d, y = parts(k, n)
        local z = x:matmul(y)
        assert.equal(dtype, z.dtype)
        assert.same({ m, n }, z.shape)
        local re = a:matmul(c) - b:matmul(d)
        local im = a:matmul(d) + b:matmul(c)
        assert.is_true(z:real():eq(re):all():item(), table.concat(size, "x"))
        assert.is_true(z:imag():eq(im):all():item(), table.concat(size, "x"))
      end
    end)
  end

  it("takes complex numbers beside others", function ()
    local c = tide.complex
    local i = c(0, 1)
    local z = tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ i, 1 })
    assert.equal("complex128", z.dtype)
    assert.is_true(z[1] == c(2, 1) and z[2] == c(4, 3))
    assert.is_true(tide.array{ i, 1 }:dot(tide.array{ i, i }):item() ==
                   c(-1, 1))
    assert.equal("complex64", tide.ones({ 2, 2 }, "float32"):matmul(
                 tide.ones({ 2 }, "complex64")).dtype)
  end)

  it("takes long vectors, too", function ()
    for _, dtype in ipairs{ "float16", "float32", "float64", "complex64" } do
      local part = dtype == "float16" and "float32" or dtype
      local a = tide.arange(1500 * 1100):mod(3):sub(1):astype(dtype)
                    :reshape(1500, 1100)
      local x = tide.arange(1100):mod(5):sub(2):astype(dtype)
      local y = tide.arange(1500):mod(4):sub(1):astype(dtype)
      local wide = a:astype(part)
      local right = (wide * x:astype(part)):sum(2)
      local left = (wide * y:astype(part):reshape(-1, 1)):sum(1)
      assert.is_true(tide.array_equal(right, a:matmul(x):astype(part)))
      assert.is_true(tide.array_equal(left, y:matmul(a):astype(part)))
      assert.is_true(tide.array_equal(left, a.T:matmul(y):astype(part)))
      assert.is_true(tide.array_equal(right, x:matmul(a.T):astype(part)))
      assert.is_true(tide.array_equal(right:reshape(-1, 1),
                         a:matmul(x:reshape(-1, 1)):astype(part)))
    end
  end)

  it("takes vectors as a row and as a column", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ 8, 26 }, a:matmul(tide.array{ 1, 2, 3 }):totable())
    assert.same({ 9, 13, 17 }, tide.array{ 1, 3 }:matmul(a):totable())
    local z = tide.array{ 1, 2, 3 }:matmul(tide.array{ 4, 5, 6 })
    assert.same({}, z.shape)
    assert.equal(32, z:item())
    assert.same({ 0, 3 }, tide.ones{ 0, 2 }:matmul(tide.ones{ 2, 3 }).shape)
    assert.same({ { 0.0 }, { 0.0 } },
                tide.ones{ 2, 0 }:matmul(tide.ones{ 0, 1 }):totable())
  end)

  it("multiplies batches, which broadcast", function ()
    local a = tide.arange(12):reshape{ 2, 2, 3 }
    local b = tide.arange(6):reshape{ 3, 2 }
    local one, two = a[1]:matmul(b):totable(), a[2]:matmul(b):totable()
    assert.same({ one, two }, a:matmul(b):totable())
    local c = tide.stack{ b, b + 1 }
    assert.same({ one, a[2]:matmul(b + 1):totable() }, a:matmul(c):totable())
    assert.same({ one, a[1]:matmul(b + 1):totable() },
                a[1]:matmul(c):totable())
    local x, y = a:reshape{ 2, 1, 2, 3 }, c:reshape{ 1, 2, 3, 2 }
    local z = x:matmul(y)
    assert.same({ 2, 2, 2, 2 }, z.shape)
    for i = 1, 2 do
      for j = 1, 2 do
        assert.same(a[i]:matmul(c[j]):totable(), z[i][j]:totable())
      end
    end
    assert.same({ 2, 2 }, a:matmul(tide.ones(3)).shape)
    assert.same({ 2, 2 }, tide.ones(3):matmul(c).shape)
  end)

  it("copies no matrix that is broadcast over a batch", function ()
    local a = tide.random.uniform(0, 1, { 1, 64, 64 })
    local b = tide.random.uniform(0, 1, { 200, 64, 1 })
    local wide = a:broadcast_to(200, 64, 64)
    local function peak (x, y)
      tide.get_device():synchronize()
      tide.trim()
      tide.memory_limit(0)
      local before = tide.memory_stats().reserved
      local z = x:matmul(y)
      tide.get_device():synchronize()
      return tide.memory_stats().peak - before, z
    end
    local most, wanted = peak(a, b)
    local least, got = peak(wide, b)
    assert.is_true(least <= most, least .. " bytes, not " .. most)
    assert.is_true(tide.array_equal(wanted, got))
    -- the other factor, the transpose, and both of them
    local c = tide.arange(6):reshape(2, 3)
    for _, f in ipairs{ function (x) return c:matmul(x.mT) end,
                        function (x) return x.mT:matmul(c) end,
                        function (x) return x:matmul(x.mT) end } do
      local z = f(c:broadcast_to(2, 4, 2, 3))
      assert.same({ 2, 4 }, { z.shape[1], z.shape[2] })
      assert.is_true(tide.array_equal(f(c), z[2][4]))
      assert.is_true(tide.array_equal(f(c), z[1][1]))
    end
  end)

  it("takes views, and promotes", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 9, 12, 15 }, { 12, 17, 22 }, { 15, 22, 29 } },
                a.T:matmul(a):totable())
    local z = a:astype "float32":matmul(a.T:astype "int32")
    assert.equal("float64", z.dtype)
    assert.same({ { 5.0, 14.0 }, { 14.0, 50.0 } }, z:totable())
    local out = tide.zeros({ 3, 3 }, "int64")
    assert.equal(out, a.T:matmul(a, { out = out }))
    assert.equal(29, out[3][3])
    a.T:matmul(a, { out = out.T })
    assert.equal(22, out[2][3])
    local b = tide.array{ { 0, 1 }, { 1, 0 } }
    assert.equal(b, b:matmul(b, { out = b }))
    assert.same({ { 1, 0 }, { 0, 1 } }, b:totable())
  end)

  it("multiplies batches of tiny matrices", function ()
    local pick = helper.generator(20)
    for _, dtype in ipairs{ "float32", "int16", "float64", "complex64" } do
      for _, size in ipairs{ { 1, 1, 1 }, { 2, 2, 2 }, { 3, 2, 5 },
                             { 4, 4, 1 }, { 9, 10, 10 } } do
        local m, k, n = table.unpack(size)
        local x = array(elements(50 * m * k, "int64", pick), "int64",
                        { 50, m, k })
        local y = array(elements(50 * k * n, "int64", pick), "int64",
                        { 50, k, n })
        local z = x:astype(dtype):matmul(y:astype(dtype))
        for b = 1, 50, 7 do
          local wanted = x[b]:matmul(y[b]):astype(dtype)
          assert.is_true(wanted:eq(z[b]):all():item(), dtype)
        end
        local sum = (x:reshape{ 50, m, k, 1 } * y:reshape{ 50, 1, k, n }):sum(3)
        assert.is_true(sum:astype(dtype):eq(z):all():item(), dtype)
      end
    end
  end)

  it("takes the transpose of a matrix with a vector", function ()
    for _, dtype in ipairs{ "float32", "int8", "complex128", "float16" } do
      local a = (tide.arange(35) % 9 - 4):reshape{ 5, 7 }:astype(dtype)
      local v, w = a[1], a.T[1]
      local dense = a.T:copy()
      for _, pair in ipairs{ { a.T, w }, { v, a.T }, { v, a.T, true },
                             { a.T, w:reshape{ 5, 1 } },
                             { v:reshape{ 1, 7 }, a.T } } do
        local x, y = table.unpack(pair)
        local wanted = (x == a.T or #x.shape == 2 and x.shape[1] == 7) and
                       dense:matmul(y) or x:matmul(dense)
        local z = x:matmul(y)
        assert.same(wanted.shape, z.shape)
        assert.is_true(wanted:eq(z):all():item(), dtype)
      end
      assert.same({ 2, 5 }, tide.ones({ 2, 7 }, dtype):matmul(a.T).shape)
    end
    local a = tide.arange(9):reshape{ 3, 3 }
    local v = tide.array{ 1, 2, 3 }
    assert.equal(v, a.T:matmul(v, { out = v }))
    assert.same({ 24, 30, 36 }, v:totable())
    fails("shapes 3x2 and 3 cannot be multiplied", tide.matmul,
          tide.ones{ 2, 3 }.T, v)
  end)

  it("takes transposes of matrices and of batches", function ()
    local function some (t, shape)
      local n = 1
      for _, d in ipairs(shape) do n = n * d end
      return (tide.arange(n) * 37 % 11 - 5):reshape(shape):astype(t)
    end
    for _, t in ipairs{ "float32", "float64", "float16", "complex64",
                        "int32" } do
      for _, d in ipairs{ { 1, 130, 70, 120 }, { 5, 60, 65, 70 },
                          { 3, 1, 700, 513 }, { 2, 513, 1023, 1 } } do
        local b, m, k, n = table.unpack(d)
        local x, y = some(t, { b, k, m }).mT, some(t, { b, n, k }).mT
        local wanted = x:copy():matmul(y:copy())
        assert.is_true(x:matmul(y):array_equal(wanted))
        assert.is_true(x:copy():matmul(y):array_equal(wanted))
        assert.is_true(x:matmul(y:copy()):array_equal(wanted))
        local one, last = y[1], x[b]
        assert.is_true(x:matmul(one):array_equal(x:copy():matmul(one:copy())))
        assert.is_true(last:matmul(y):array_equal(last:copy():matmul(y:copy())))
        local out = tide.empty({ b, m, n }, t)
        tide.with_stream(tide.Stream{ non_blocking = true }, function ()
          local s = tide.get_current_stream()
          s:launch_host_func(function () end)  -- behind it a kernel does it
          x:matmul(y, { out = out })
        end)
        assert.is_true(out:array_equal(wanted))
      end
    end
  end)

  it("is right where a float32 has few digits to spare", function ()
    local k = 1000
    local a = tide.full({ 2, k }, 1 + 2.0 ^ -12, "float32")
    local z = a:matmul(a.T):totable()
    local wanted = k * (1 + 2.0 ^ -12) ^ 2
    assert.is_true(math.abs(z[1][2] - wanted) < 2e-3 * wanted / k)
  end)

  it("refuses what does not fit", function ()
    local a, b = tide.ones{ 2, 3 }, tide.ones{ 2, 3 }
    fails("shapes 2x3 and 2x3 cannot be multiplied", tide.matmul, a, b)
    fails("shapes 2x3 and 2 cannot be multiplied", tide.matmul, a, tide.ones(2))
    fails("cannot be multiplied", tide.matmul, tide.ones{ 2, 2, 2 },
          tide.ones{ 3, 2, 2 })
    fails("matmul needs arrays of at least one axis", tide.matmul, a,
          tide.array(1))
    badarg(2, "tide.Array expected", tide.matmul, a, 2)
    fails("option 'out' must have shape 2x2, has 3x3", tide.matmul, a, b.T,
          { out = tide.ones{ 3, 3 } })
  end)

  it("over an axis without elements is 0 (#061)", function ()
    for _, dtype in ipairs{ "float64", "float32", "int32" } do
      local a, b = tide.empty({ 2, 0 }, dtype), tide.empty({ 0, 3 }, dtype)
      assert.same({ { 0, 0, 0 }, { 0, 0, 0 } }, tide.matmul(a, b):totable())
      local c = tide.matmul(tide.empty({ 4, 2, 0 }, dtype), b)
      assert.same({ 4, 2, 3 }, c.shape)
      assert.equal(0, c:count_nonzero():item())
    end
  end)
end)

describe("a large product", function ()
  --- Small integers, so that floats are exact, and their product.
  local function factors (dtype, batches)
    local m, k, n = 130, 121, 140
    local x = (tide.arange(batches * m * k) % 7 - 3):reshape{ batches, m, k }
    local y = (tide.arange(batches * k * n) % 5 - 2):reshape{ batches, k, n }
    return x:astype(dtype), y:astype(dtype), x:matmul(y)
  end

  it("is the same as of integers", function ()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local x, y, z = factors(dtype, 3)
      z = z:astype(dtype)
      assert.equal(dtype, x:matmul(y).dtype)
      assert.is_true(x:matmul(y):eq(z):all():item())
      assert.is_true(x[2]:matmul(y[2]):eq(z[2]):all():item())
      local w = x:matmul(y[1])
      assert.is_true(w[1]:eq(z[1]):all():item())
      assert.is_true(w[3]:eq(x[3]:astype "int64":matmul(
                     y[1]:astype "int64"):astype(dtype)):all():item())
    end
  end)

  it("of 16 bits is added up as float32, and rounded once", function ()
    for _, dtype in ipairs{ "float16", "bfloat16" } do
      for _, n in ipairs{ 3, 128 } do  -- by one kernel, by what is fastest
        local x = tide.full({ n, 4096 }, 1, dtype)
        local y = tide.full({ 4096, n }, 1, dtype)
        assert.equal(4096, x:matmul(y)[n][1])
        x.T:slice(1, 4096, 2):fill(-1 + 2.0 ^ -7)
        assert.equal(2048 * 2.0 ^ -7, x:matmul(y)[n][n])
      end
    end
  end)

  it("may have fewer digits, for who says so", function ()
    local third = tide.full({ 256, 256 }, 1 / 3, "float32")
    local z = third:matmul(third, { tf32 = true })
    assert.equal("float32", z.dtype)
    assert.is_true(math.abs(z[7][9] - 256 / 9) < 256 / 9 * 2.0 ^ -10)
    assert.is_true(math.abs(third:matmul(third, { tf32 = false })[7][9] -
                            256 / 9) < 1e-4)
    assert.equal(z, third:matmul(third, { out = z, tf32 = true }))
    local exact = tide.arange(4):reshape{ 2, 2 }
    assert.same({ { 2, 3 }, { 6, 11 } },
                exact:matmul(exact, { tf32 = true }):totable())
    fails("option 'tf32' must be a boolean", tide.matmul, exact, exact,
          { tf32 = 1 })
    fails("unknown option 'tf'", tide.matmul, exact, exact, { tf = true })
  end)

  it("may be added as float16, for who says so", function ()
    local x = tide.full({ 192, 192 }, 1 / 3, "float16")
    for _, accumulate in ipairs{ "float16", "float32" } do
      local z = x:matmul(x, { accumulate = accumulate })
      assert.equal("float16", z.dtype)
      local most = 192 / 9 * (accumulate == "float16" and 0.1 or 2.0 ^ -10)
      assert.is_true(math.abs(z[7][9] - 192 / 9) < most, z[7][9])
      assert.equal(z, x:matmul(x, { accumulate = accumulate, out = z }))
    end
    local few = tide.arange(4):reshape{ 2, 2 }:astype "float16"
    assert.same({ { 2, 3 }, { 6, 11 } },
                few:matmul(few, { accumulate = "float16" }):totable())
    assert.same({ { 2, 3 }, { 6, 11 } }, few:astype "bfloat16":matmul(few:astype
                "bfloat16", { accumulate = "float32" }):totable())
    local half, brain = tide.ones(2, "float16"), tide.ones(2, "bfloat16")
    for _, wrong in ipairs{ "float64", 16, true } do
      badarg(3, "option 'accumulate' must be 'float32' or 'float16'",
             tide.matmul, half, half, { accumulate = wrong })
    end
    badarg(3, "option 'accumulate' is 'float16' for products of float16 " ..
           "only, not of bfloat16", tide.matmul, brain, brain,
           { accumulate = "float16" })
    badarg(3, "option 'accumulate' is 'float16' for products of float16 " ..
           "only, not of float32", tide.matmul, half, brain,
           { accumulate = "float16" })
    badarg(3, "option 'accumulate' is 'float32' for products of float16 or " ..
           "bfloat16 only, not of float64", tide.matmul, half, tide.ones(2),
           { accumulate = "float32" })
  end)

  it("comes after what it reads on other streams", function ()
    local x, y, z = factors("float32", 1)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    for _ = 1, 20 do
      local u = s:with(function () return x * 2 end)
      local v = t:with(function () return u:matmul(y) end)
      local w = s:with(function () return v - u:matmul(y) end)
      assert.is_true(v:eq(z * 2):all():item())
      assert.is_false(w:any():item())
    end
  end)

  it("is captured, and launched again", function ()
    local x, y, z = factors("float32", 2)
    local out = x:matmul(y):fill(0)
    local g <close> = tide.capture(function ()
      tide.matmul(x, y, { out = out })
    end)
    assert.is_false(out:any():item())
    for i = 1, 3 do
      g:launch()
      assert.is_true(out:eq(z * i):all():item())
      x:add_(x * (1 / i))
    end
  end)

  it("goes on behind a host function", function ()
    local x, y, z = factors("float64", 1)
    local s <close> = tide.Stream{ non_blocking = true }
    local w, ran
    x:matmul(y)
    s:with(function ()
      s:launch_host_func(function () ran = true end)
      w = x:matmul(y)
    end)
    assert.is_nil(ran)
    s:synchronize()
    assert.is_true(ran)
    assert.is_true(w:eq(z):all():item())
  end)
end)

describe("an element of a product", function ()
  --- Checks that both are the same, bit for bit.
  local function same (x, y)
    assert.same(x.shape, y.shape)
    assert.is_true(x:tobytes() == y:tobytes())
  end

  -- on a GPU it may be cuBLAS's
  helper.host_it("is the same in whatever matrix, and in parts", function ()
    local function random (shape, dtype)
      return tide.random.normal(0, 1, shape):astype(dtype)
    end
    tide.random.seed(3)
    for _, dtype in ipairs{ "float32", "float64", "complex64" } do
      local x = random({ 3000, 97 }, dtype)
      local y = random({ 97, 16 }, dtype)
      local z = x:matmul(y)
      for n = 1, 16 do
        same(z[{ {}, { 1, n } }]:copy(), x:matmul(y[{ {}, { 1, n } }]))
        same(z[{ {}, n }]:copy(), x:matmul(y[{ {}, n }]))
      end
      same(z[{ { 5, 11 } }], x[{ { 5, 11 } }]:matmul(y))
      same(z[7], x[7]:matmul(y))
      local wide = random({ 97, 5000 }, dtype)
      local row = x[7]:matmul(wide)
      same(row[{ { 2001, 2100 } }],
           x[7]:matmul(wide[{ {}, { 2001, 2100 } }]))
      same(row, x[{ { 6, 9 } }]:matmul(wide)[2])
      same(row[{ { 33, 40 } }], x[7]:matmul(wide[{ {}, { 33, 40 } }]))
    end
  end)
end)

describe("a product #process", function ()
  it("is the same with and without a BLAS", function ()
    local code = [[
      local tide = require "tide"
      for _, t in ipairs{ "float32", "float64" } do
        local a = (tide.arange(600) % 7 - 3):astype(t):reshape{ 20, 30 }
        local b = (tide.arange(1200) % 5 - 2):astype(t):reshape{ 30, 40 }
        local z, w = a:matmul(b), a:reshape{ 2, 10, 30 }:matmul(b)
        print(table.concat(z:flatten():totable(), " "))
        print(table.concat(w:flatten():totable(), " "))
        print(z[3][7], w[2][10][40])
      end]]
    local none = helper.child(code, { TIDE_DEVICE = "host",
                                      TIDE_BLAS = "none" })
    assert.is_truthy(none:find "^%-?%d+%.0 ")
    for _, name in ipairs{ "", "libblas.so.3", "libopenblas.so.0" } do
      local env = { TIDE_DEVICE = "host", TIDE_BLAS = name }
      local printed = helper.child(code, env)
      if not printed:find "TIDE_BLAS must be" then  -- not on this machine
        assert.equal(none, printed)
      end
    end
  end)
end)

end)
