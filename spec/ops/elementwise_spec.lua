--[[
elementwise_spec.lua - operators, functions and methods: how they are called,
what they return, where they write. Their values: parity_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

local SIZES = { 0, 1, 2, 3, 15, 16, 17, 255, 256, 257, 4095, 4096, 4097,
                1000003 }

-- As function and method; the operator, where Lua has one.
local BINARY = {
  add = function (x, y) return x + y end,
  sub = function (x, y) return x - y end,
  mul = function (x, y) return x * y end,
  div = function (x, y) return x / y end,
  floordiv = function (x, y) return x // y end,
  mod = function (x, y) return x % y end,
  pow = function (x, y) return x ^ y end,
  band = function (x, y) return x & y end,
  bor = function (x, y) return x | y end,
  bxor = function (x, y) return x ~ y end,
  lshift = function (x, y) return x << y end,
  rshift = function (x, y) return x >> y end,
  maximum = false, minimum = false, lt = false, le = false, gt = false,
  ge = false, eq = false, ne = false
}

local COMPARISONS = { "lt", "le", "gt", "ge", "eq", "ne" }

helper.each_device(function ()

describe("a binary operation", function ()
  for name, operator in pairs(BINARY) do
    it(name .. " is a function, a method, in place and an operator", function ()
      local x, y = tide.array{ 7, -7, 12 }, tide.array{ 2, 3, 1 }
      local wanted = tide[name](x, y):totable()
      local with_number = tide[name](x, 2):totable()
      local of_number = tide[name](2, y):totable()
      assert.same(wanted, x[name](x, y):totable())
      if operator then
        assert.same(wanted, operator(x, y):totable())
        assert.same(with_number, operator(x, 2):totable())
        assert.same(of_number, operator(2, y):totable())
      end
      assert.same({ 7, -7, 12 }, x:totable())
      assert.same(with_number, tide[name](x, tide.full(3, 2)):totable())
      assert.same(of_number, tide[name](tide.full(3, 2), y):totable())
    end)
  end

  it("works in all sizes", function ()
    for _, n in ipairs(SIZES) do
      local a = tide.arange(n)
      local z = a * 3 - a + 1
      assert.equal(n, z.size)
      assert.equal(n * (n - 1) + n, z:sum():item())
      assert.is_true(z:eq(tide.arange(1, 2 * n + 1, 2)):all():item())
    end
  end)

  it("works on slices, wherever they begin and end", function ()
    for _, dtype in ipairs{ "uint8", "int32", "float32", "float64" } do
      local a = tide.ones(1000, dtype)
      for i = 0, 17 do
        local n = 300 + 13 * i
        a:slice(i + 1, i + n):add_(a:slice(i + 1, i + n))
        assert.equal(1000 + n, a:astype "int64":sum():item())
        assert.equal(2, a[i + 1])
        assert.equal(2, a[i + n])
        a:fill(1)
        local z = a:slice(i + 1, i + n) + a:slice(2, n + 1)
        assert.equal(2 * n, z:astype "int64":sum():item())
      end
    end
  end)

  it("keeps the shape", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    assert.same({ 2, 3, 4 }, (a + a).shape)
    assert.same({ 3, 4 }, (1 - a[2]).shape)
    assert.same({}, (tide.array(2) ^ 3).shape)
    assert.equal(8, (tide.array(2) ^ 3):item())
    assert.same({ 0, 2 }, (tide.ones{ 0, 2 } + 1).shape)
  end)

  it("wants shapes that broadcast", function ()
    local a = tide.ones{ 2, 3 }
    for shape, text in pairs{ [{ 3, 2 }] = "3x2", [{ 6 }] = "6",
                              [{ 2 }] = "2", [{ 2, 2, 1, 2 }] = "2x2x1x2",
                              [{ 0 }] = "0", [{ 3, 3 }] = "3x3" } do
      local b = tide.ones(shape)
      fails("shapes 2x3 and " .. text .. " do not match", tide.add, a, b)
      fails("shapes " .. text .. " and 2x3 do not match", tide.add, b, a)
    end
  end)

  it("wants an array and an array or a number", function ()
    local a = tide.ones(2)
    for _, bad in ipairs{ "1", {}, print, tide.Stream.null,
                          tide.HostArray(2) } do
      badarg(2, "tide.Array, number or boolean expected, got ", tide.add, a,
             bad)
      badarg(1, "tide.Array, number or boolean expected, got ", tide.add, bad,
             a)
    end
    fails("tide.Array, number or boolean expected, got no value", tide.add, a)
    fails("tide.Array, number or boolean expected, got string", function ()
      return a + "1"
    end)
    badarg(1, "at least one operand must be a tide.Array", tide.add, 1, 2)
    badarg(1, "at least one operand must be a tide.Array", tide.lt, true, 2)
  end)

  it("is refused where the dtype has none", function ()
    local flags, ints, floats = tide.ones(2, "bool"), tide.ones(2, "int32"),
                                tide.ones(2)
    for name, a in pairs{ sub = flags, floordiv = flags, mod = flags,
                          pow = flags, lshift = flags, rshift = flags } do
      fails("'" .. name .. "' is not defined for bool arrays", tide[name], a,
            true)
    end
    for _, name in ipairs{ "band", "bor", "bxor", "lshift", "rshift" } do
      for _, pair in ipairs{ { floats, floats }, { ints, 0.5 },
                             { ints, floats }, { floats, 1 } } do
        fails("'" .. name .. "' is not defined for float64 arrays",
              tide[name], pair[1], pair[2])
      end
    end
    assert.equal("float64", (flags / flags).dtype)
  end)
end)

describe("NumPy's rules:", function ()
  it("/ is true division, // rounds down, % has the sign of the divisor",
     function ()
    local a = tide.array{ 7, -7, 7, -7 }
    local b = tide.array{ 2, 2, -2, -2 }
    assert.same({ 3.5, -3.5, -3.5, 3.5 }, (a / b):totable())
    assert.same({ 3, -4, -4, 3 }, (a // b):totable())
    assert.same({ 1, 1, -1, -1 }, (a % b):totable())
    assert.same({ 0, 0, 0, 0 }, (a // 0):totable())
    assert.same({ 0, 0, 0, 0 }, (a % 0):totable())
    local f = a:astype "float64"
    assert.same({ 3.0, -4.0, -4.0, 3.0 }, (f // b):totable())
    assert.same({ 1.0, 1.0, -1.0, -1.0 }, (f % b):totable())
    assert.equal(9.0, (tide.array(1.0) // 0.1):item())
    assert.same({ 1 / 0, -1 / 0 }, (tide.array{ 1, -1 } / 0):totable())
  end)

  it("integers wrap around", function ()
    assert.same({ 0, 254 }, (tide.array({ 255, 127 }, "uint8") +
                tide.array({ 1, 127 }, "uint8")):totable())
    assert.same({ 255 }, (tide.zeros(1, "uint8") - 1):totable())
    local high = tide.array({ (1 << 31) - 1 }, "int32")
    assert.same({ -1 << 31 }, (high + 1):totable())
    assert.same({ -1 << 31 }, (-(high + 1)):totable())
    assert.same({ -1 << 31 }, (high + 1):abs():totable())
    assert.same({ math.mininteger },
                (tide.array{ math.maxinteger } + 1):totable())
    assert.same({ math.mininteger },
                (tide.array{ math.mininteger } // -1):totable())
  end)

  --- Divisors of that many bits: the edges, powers of two and their neighbours.
  local function divisors (dtype, bits)
    local list = numbers.edges(dtype)
    for k = 1, bits - 1 do
      for d = -1, 1 do
        list[#list + 1] = numbers.fit((1 << k) + d, dtype)
        list[#list + 1] = numbers.fit(-(1 << k) + d, dtype)
      end
    end
    return list
  end

  it("a number divides as an array of it does", function ()
    for _, dtype in ipairs(numbers.sets.INTEGER) do
      local bits = dtype:match "%d+" // 1 | 0
      local y = divisors(dtype, bits)
      local list = table.move(y, 1, #y, 1, numbers.edges(dtype))
      local random = numbers.random(dtype, 1500, helper.generator(bits))
      table.move(random, 1, #random, #list + 1, list)
      local x = helper.array(list, dtype)
      for k, d in ipairs(y) do
        local number = helper.array({ d }, dtype)
        local all = number:broadcast_to(#list):copy()
        for _, name in ipairs{ "floordiv", "mod", "fmod" } do
          local z = tide[name](x, number)
          assert.is_true(z:eq(tide[name](x, all)):all():item(),
                         name .. " of " .. dtype .. " by " .. d)
          if k % 16 == 0 then
            assert.same(z[{ { 2, 18, 2 } }]:totable(),
                        tide[name](x[{ { 2, 18, 2 } }], number):totable())
            local own = x:copy()
            own[{ { 5, 25 } }][name .. "_"](own[{ { 5, 25 } }], number)
            assert.same(z[{ { 5, 25 } }]:totable(),
                        own[{ { 5, 25 } }]:totable())
            assert.equal(x[26], own[26])
          end
        end
      end
    end
  end)

  it("a number divides what is long, in parts", function ()
    local x = tide.arange(-50000, 50000):mul(3)
    for _, t in ipairs{ "int16", "int32", "int64", "uint64", "float32" } do
      local a = x:astype(t)
      for _, d in ipairs{ 0, 1, 7, 300 } do
        local all = tide.full(a.size, d, t)
        for _, name in ipairs{ "floordiv", "mod", "fmod" } do
          local z, wanted = tide[name](a, d), tide[name](a, all)
          assert.equal(t, z.dtype)
          assert.is_true(tide.array_equal(z, wanted, { equal_nan = true }),
                         name .. " of " .. t .. " by " .. d)
        end
      end
    end
  end)

  it("a column divides rows, of small numbers and others", function ()
    local small = tide.arange(-3000, 3000)
    local wide = tide.where(small:mod(1024):eq(5), small << 40, small)
    for _, x in ipairs{ small, wide, small:astype "uint64" } do
      local rows = tide.vstack{ x, x, x, x, x }
      local y = tide.array{ 7, -9, 0, 1 << 31, -1 << 33 }:astype(x.dtype)
      local all = y:reshape(5, 1):broadcast_to(5, 6000):copy()
      for _, name in ipairs{ "floordiv", "mod", "fmod" } do
        local z = tide[name](rows, y:reshape(5, 1))
        assert.is_true(z:eq(tide[name](rows, all)):all():item(), name)
      end
    end
  end)

  it("NaN wins, and is equal to nothing", function ()
    local a, b = tide.array{ 0 / 0, 1, 2 }, tide.array{ 1, 0 / 0, 3 }
    assert.same({ true, true, false }, a:maximum(b):isnan():totable())
    assert.same({ true, true, false }, a:minimum(b):isnan():totable())
    assert.same({ false, true, true }, a:eq(a):totable())
    assert.same({ false, false, true }, a:lt(b):bor(a:ge(b)):totable())
    assert.same({ true, false, false }, a:ne(a):totable())
  end)

  it("+ of truth values is or, * is and", function ()
    local a = tide.array{ true, true, false, false }
    local b = tide.array{ true, false, true, false }
    assert.same({ true, true, true, false }, (a + b):totable())
    assert.same({ true, false, false, false }, (a * b):totable())
    assert.same({ false, true, true, false }, (a ~ b):totable())
    assert.same({ false, false, true, true }, (~a):totable())
    assert.equal("bool", (a + b).dtype)
    assert.same({ 2, 1, 1, 0 }, (a * 1 + b * 1):totable())
  end)

  it("shifts past the width give 0, or the sign", function ()
    local a = tide.array({ 1, -1 }, "int32")
    assert.same({ 0, 0 }, (a << 32):totable())
    assert.same({ 0, -1 }, (a >> 99):totable())
    assert.same({ -1 << 31, -1 << 31 }, (a << 31):totable())
  end)
end)

describe("a unary operation", function ()
  it("has the operators - and ~", function ()
    local a = tide.array{ 1, -2 }
    assert.same({ -1, 2 }, (-a):totable())
    assert.same({ -2, 1 }, (~a):totable())
    assert.same({ 1, -2 }, a:totable())
  end)

  it("of floats makes float64 of integers", function ()
    for _, name in ipairs{ "sqrt", "exp", "log", "sin", "cos", "tanh" } do
      for _, dtype in ipairs{ "bool", "uint8", "int32", "int64" } do
        assert.equal("float64", tide[name](tide.ones(2, dtype)).dtype)
      end
      assert.equal("float32", tide[name](tide.ones(2, "float32")).dtype)
    end
    assert.same({ 2.0, 3.0 }, tide.array{ 4, 9 }:sqrt():totable())
    assert.same({ false }, tide.ones(1, "int32"):isnan():totable())
  end)

  it("is refused where the dtype has none", function ()
    fails("'neg' is not defined for bool arrays", function ()
      return -tide.ones(1, "bool")
    end)
    fails("'bnot' is not defined for float32 arrays", function ()
      return ~tide.ones(1, "float32")
    end)
  end)

  it("gives equal numbers equal results, wherever they are", function ()
    local NAMES = { "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
                    "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
                    "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt",
                    "sqrt", "rsqrt", "reciprocal", "erf", "erfc", "erfinv",
                    "gamma", "lgamma", "sinc", "sigmoid", "softplus" }
    local N = 150
    for _, dtype in ipairs{ "float32", "float16", "float64" } do
      for _, value in ipairs{ 0.3, 0.77, 1.9, 40.3 } do
        local a = tide.full(3 * N, value, dtype)
        for _, name in ipairs(NAMES) do
          local one = a:slice(1, 1)[name](a:slice(1, 1))
          local function is_one (y)
            local nan = y:isnan():logical_and(one:isnan())
            return y:eq(one):logical_or(nan):all():item()
          end
          local function all (x) return is_one(x[name](x)) end
          for _, n in ipairs{ 2, 7, 15, 16, 17, 31, 63, 64, 65, N } do
            local why = ("%s of %d %s %g"):format(name, n, dtype, value)
            assert.is_true(all(a:slice(2, n + 1)), why)
            assert.is_true(all(a[{ { 1, 3 * n, 3 } }]), why)
            assert.is_true(all(a:reshape{ 3, N }[{ {}, { 1, n } }]), why)
            local every = tide.zeros(2 * n, dtype)
            tide[name](a:slice(1, n), { out = every[{ { 2, 2 * n, 2 } }] })
            assert.is_true(is_one(every[{ { 2, 2 * n, 2 } }]), why)
          end
        end
      end
    end
  end)

  it("of two gives equal pairs equal results, wherever they are", function ()
    local N = 150
    for _, dtype in ipairs{ "float32", "float16", "float64", "complex128" } do
      local a, b = tide.full(3 * N, 1.7, dtype), tide.full(3 * N, 0.3, dtype)
      for _, name in ipairs{ "pow", "atan2", "hypot", "logaddexp", "logaddexp2",
                             "div" } do
        local f = tide[name]
        if dtype ~= "complex128" or name == "pow" or name == "div" then
          local one = f(a:slice(1, 1), b:slice(1, 1))
          local function all (y) return y:eq(one):all():item() end
          for _, n in ipairs{ 1, 2, 7, 16, 31, 33, 63, 64, 65, N } do
            local why = ("%s of %d %s"):format(name, n, dtype)
            local x, y = a:slice(2, n + 1), b:slice(3, n + 2)
            local far = a[{ { 1, 3 * n, 3 } }]
            assert.is_true(all(f(x, y)), why)
            assert.is_true(all(f(x, b:slice(1, 1))), why)
            assert.is_true(all(f(a:slice(1, 1), y)), why)
            assert.is_true(all(f(far, y)), why)
            assert.is_true(all(f(far, b[{ { 3 * n, 1, -3 } }])), why)
            assert.is_true(all(f(a:slice(1, n):reshape(n, 1),
                                 b:slice(1, 3))), why)
            local every = tide.zeros(2 * n, dtype)
            f(x, y, { out = every[{ { 2, 2 * n, 2 } }] })
            assert.is_true(all(every[{ { 2, 2 * n, 2 } }]), why)
            f(x, y, { out = x })
            assert.is_true(all(x), why)
            x:fill(1.7)
          end
        end
      end
    end
  end)

  it("takes out, also itself", function ()
    local a = tide.array{ 1.0, 4.0, 9.0 }
    assert.equal(a, a:sqrt{ out = a })
    assert.same({ 1.0, 2.0, 3.0 }, a:totable())
    local flags = tide.zeros(3, "bool")
    assert.equal(flags, tide.isnan(a, { out = flags }))
    fails("option 'out' must have dtype float64, has int64", a.exp, a,
          { out = tide.zeros(3, "int64") })
    fails("option 'out' must have shape 3, has 2", a.exp, a,
          { out = tide.zeros(2) })
    tide.neg(a:slice(1, 2), { out = a:slice(2, 3) })
    assert.same({ 1.0, -1.0, -2.0 }, a:totable())
    fails("table expected, got number", a.exp, a, 1)
    fails("unknown option 'aut'; did you mean 'out'?", a.exp, a, { aut = a })
  end)
end)

describe("out", function ()
  it("is written to and returned", function ()
    local a, z = tide.arange(4), tide.zeros(4, "int64")
    assert.equal(z, tide.add(a, 1, { out = z }))
    assert.same({ 1, 2, 3, 4 }, z:totable())
    assert.equal(z, a:mul(z, { out = z }))
    assert.same({ 0, 2, 6, 12 }, z:totable())
    assert.equal(a, tide.sub(z, a, { out = a }))
    assert.same({ 0, 1, 4, 9 }, a:totable())
    assert.equal(a, tide.add(a, a, { out = a }))
    assert.same({ 0, 2, 8, 18 }, a:totable())
  end)

  it("may be a view", function ()
    local z = tide.zeros{ 3, 2 }
    tide.add(tide.array{ 1.0, 2.0 }, 1, { out = z[2] })
    assert.same({ { 0.0, 0.0 }, { 2.0, 3.0 }, { 0.0, 0.0 } }, z:totable())
  end)

  it("may be an operand that is cast", function ()
    local a, b = tide.array{ 1, 2 }, tide.array{ 0.5, 0.5 }
    assert.equal(b, tide.add(a, b, { out = b }))
    assert.same({ 1.5, 2.5 }, b:totable())
  end)

  it("that is wrong is refused before anything is written", function ()
    local a, z = tide.arange(1, 5), tide.full(4, 7)
    local function out (x)
      return function () return a:add(1, { out = x }) end
    end
    for _, bad in ipairs{ 1, "x", {}, tide.HostArray(4), true } do
      badarg(2, "option 'out' must be an open tide.Array", out(bad))
    end
    badarg(2, "option 'out' must have dtype int64, has float64",
           out(tide.zeros(4)))
    badarg(2, "option 'out' must have shape 4, has 5",
           out(tide.zeros(5, "int64")))
    badarg(2, "unknown option 'oot'; did you mean 'out'?", function ()
      a:add(1, { oot = z })
    end)
    badarg(2, "table expected, got tide.Array", function () a:add(1, z) end)
    fails("option 'out' must have dtype bool, has int64", function ()
      a:lt(1, { out = z })
    end)
    assert.same({ 7, 7, 7, 7 }, z:totable())
    assert.equal(10, a:sum():item())
  end)

  it("may overlap an operand: that is read first", function ()
    for shift = 1, 4 do
      local a = tide.arange(10)
      local x, y = a:slice(1, 5), a:slice(1 + shift, 5 + shift)
      local sum = (x + 1):totable()
      tide.add(x, 1, { out = y })
      assert.same(sum, y:totable())
      a:copy_from(tide.arange(10))
      sum = (1 + y):totable()
      tide.add(1, y, { out = x })
      assert.same(sum, x:totable())
      a:copy_from(tide.arange(10))
      sum = (x + y):totable()
      assert.equal(x, x:add_(y))
      assert.same(sum, x:totable())
    end
    local a = tide.arange(10)
    a:slice(1, 5):add_(a:slice(6, 10))
    assert.same({ 5, 7, 9, 11, 13, 5, 6, 7, 8, 9 }, a:totable())
    a:slice(1, 5):add_(a:slice(1, 5))
    assert.equal(26, a[5])
  end)
end)

describe("in place", function ()
  it("returns its array, with the dtype it had", function ()
    local a = tide.array({ 1, 2 }, "float32")
    assert.equal(a, a:add_(tide.array({ 1, 1 }, "uint8")))
    assert.equal(a, a:mul_(2):sub_(1):div_(2))
    assert.same({ 1.5, 2.5 }, a:totable())
    assert.equal("float32", a.dtype)
    local b = tide.array({ 7, 9 }, "int32")
    assert.same({ 1, 1 }, b:floordiv_(2):mod_(2):totable() and
                b:maximum_(1):minimum_(1):totable())
    assert.same({ 8, 8 }, b:lshift_(3):bor_(8):band_(15):totable())
    assert.same({ 16, 16 }, b:rshift_(1):pow_(2):bxor_(0):totable())
  end)

  it("refuses what would change the dtype", function ()
    local a = tide.ones(2, "int32")
    fails("must have dtype float64, has int32", a.add_, a, 0.5)
    fails("must have dtype float64, has int32", a.div_, a, 2)
    fails("must have dtype int64, has int32", a.add_, a, tide.ones(2, "int64"))
    for _, name in ipairs(COMPARISONS) do
      fails("must have dtype bool, has int32", a[name .. "_"], a, 1)
    end
    assert.same({ 1, 1 }, a:totable())
  end)

  it("compares truth values", function ()
    local a = tide.array{ true, false }
    assert.equal(a, a:eq_(false))
    assert.same({ false, true }, a:totable())
    assert.same({ true, false }, a:lt_(true):totable())
    assert.same({ true, true }, a:ne_(tide.array{ false, true }):totable())
    assert.same({ true, true }, a:ge_(true):le_(true):totable())
    assert.same({ false, false }, a:gt_(true):totable())
  end)
end)

describe("astype", function ()
  it("is a new array, also of the same dtype", function ()
    local a = tide.arange(3)
    local b = a:astype "int64"
    a:fill(0)
    assert.same({ 0, 1, 2 }, b:totable())
    assert.same({ 2, 1 }, tide.ones({ 2, 1 }):astype "bool".shape)
    assert.equal(0, tide.ones(0):astype "bool".size)
  end)
end)

describe("fill", function ()
  it("returns its array, and checks the value", function ()
    local a = tide.zeros(3, "int32")
    assert.equal(a, a:fill(4):fill(5.0))
    assert.same({ 5, 5, 5 }, a:totable())
    badarg(1, "number has no integer representation", function ()
      a:fill(0.5)
    end)
    badarg(1, "number or boolean expected", function () a:fill(a) end)
    badarg(1, "number or boolean expected", function () a:fill() end)
    assert.same({ 5, 5, 5 }, a:totable())
  end)
end)

describe("an operation", function ()
  it("is one launch, and one more for each cast #once", function ()
    local a, b, c = tide.ones(100), tide.ones(100), tide.ones(100, "int32")
    assert.equal(1, helper.launches(function () return a + b end))
    assert.equal(1, helper.launches(function () a:add_(1) end))
    assert.equal(2, helper.launches(function () return a + c end))
    assert.equal(2, helper.launches(function () return c / 2 end))
    assert.equal(0, helper.launches(function () return tide.ones(0) + 1 end))
    assert.equal(0, helper.launches(function () pcall(tide.add, a, "x") end))
  end)

  -- Under compute-sanitizer a launch behind the hold does not return.
  it("goes to the current stream #held", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.ones(1000)
    tide.get_device():synchronize()
    local key, b = T.hold(s), nil
    s:with(function () b = (a + 1):sqrt():square() end)
    assert.is_false(s.done)
    assert.is_true(tide.Stream.null.done)
    T.release(key)
    helper.array_near(b:slice(999), { 2, 2 }, 1e-15)
  end)
end)

end)
