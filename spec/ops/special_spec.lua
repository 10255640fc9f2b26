--[[
special_spec.lua - what there is besides one kernel and one result: functions in
place, modf and frexp, ldexp, and those that are made of others (round with
decimals, isclose, nan_to_num). Values: parity_spec.lua, numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails = helper.fails
local source = dofile "kernels/table.lua"

local INF, NAN <const> = math.huge, 0 / 0

local function same (a, b, what)
  assert.equal(b.dtype, a.dtype, what)
  assert.same(b.shape, a.shape, what)
  assert.equal(b:tobytes(), a:tobytes(), what)
end

--- Tells whether functions can be fused here: on a GPU this needs NVRTC.
local function usable ()
  return (pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)))
end

-- Each is a function of one array.
local COMPOSED = {
  function (x) return x:round(1) end,
  function (x) return x:round(-1) end,
  function (x) return x:nan_to_num() end,
  function (x) return x:nan_to_num(1.5, 2, -3) end,
  function (x) return tide.nan_to_num(x, { posinf = 7 }) end,
  function (x) return x:isclose(1) end,
  function (x) return tide.isclose(x, x + 1e-6, { equal_nan = true }) end,
  function (x) return x:isclose(0.5, 0.5, 0.25) end,
  function (x) return (x:modf()) end,
  function (x) return select(2, tide.modf(x)) end,
  function (x) return (tide.frexp(x)) end,
  function (x) return select(2, x:frexp()) end,
  function (x) return x:ldexp(3) end,
  function (x) return tide.ldexp(2.5, x:gt(0)) end,
  function (x) return x:fmax(0.5) + x:fmin(0.25) end,
  function (x) return x:nextafter(2) end,
  function (x) return x:logaddexp(1) end,
  function (x) return x:erfinv() + x:lgamma() end,
  function (x) return x:gt(0):where(tide.positive(x), 2) end
}

helper.each_device(function ()

local function some (dtype)
  return tide.array{ -1.55, 0.0, -0.0, 0.25, 0.5, 1.0, 14.5, INF, -INF, NAN }
         :astype(dtype)
end

describe("in place", function ()
  for _, op in ipairs(source.unary) do
    if not op.inner then
      it(op[1] .. "_ is the function, and returns its array", function ()
        local name, ran = op[1], 0
        for _, dtype in ipairs{ "bool", "int32", "float16", "float32",
                                "float64", "complex64" } do
          local wide = tide.stack({ some(dtype), some(dtype) }, 2)
          local x = wide:select(2, 1)
          local ok, wanted = pcall(tide[name], x)
          if ok and wanted.dtype == dtype then
            assert.equal(x, x[name .. "_"](x))
            same(x, wanted, dtype)
            same(wide:select(2, 2), some(dtype), "the column beside it")
            ran = ran + 1
          elseif ok then
            fails("does not fit into " .. dtype, x[name .. "_"], x)
            same(x, some(dtype))
          end
        end
        assert.is_true(ran > 0)
      end)
    end
  end

  it("clip_ takes numbers and arrays, and keeps its dtype", function ()
    local x = tide.arange(6, "int32")
    assert.equal(x, x:clip_(1, 4))
    assert.same({ 1, 1, 2, 3, 4, 4 }, x:totable())
    x:clip_(nil, tide.full(6, 2, "int32"))
    assert.same({ 1, 1, 2, 2, 2, 2 }, x:totable())
    fails("float64 does not fit into int32", x.clip_, x, 0.5, 1)
    fails("int64 does not fit into int32", x.clip_, x, tide.ones(6, "int64"))
    assert.equal(x, x:clip_())
    assert.same({ 1, 1, 2, 2, 2, 2 }, x:totable())
  end)
end)

describe("modf and frexp", function ()
  it("write over their operand, whichever result it takes", function ()
    for _, name in ipairs{ "modf", "frexp" } do
      local exponent = name == "frexp" and "int32" or "float64"
      local u, v = tide[name](some "float64")
      local x, z = some "float64", tide.empty(10, exponent)
      local first, second = tide[name](x, { out = { x, z } })
      assert.is_true(first == x and second == z)
      same(x, u)
      same(z, v)
    end
    local u, v = some "float64":modf()
    local x, z = some "float64", tide.empty(10)
    x:modf{ out = { z, x } }
    same(z, u)
    same(x, v)
  end)

  -- Strided arrays take a launch for each result, dense ones one for both.
  it("give the same wherever their operand and results lie", function ()
    local list = { 5e-324, 1e-310, -2.0 ^ -149, 65504,
      -6e-8, 1.5, -2.75, 1e30, 0.0, -0.0, INF, -INF, NAN, -NAN, 3.0, 2.0 ^ 52,
      -0.999, 8388609.5, 1 / 3 }
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      for _, name in ipairs{ "modf", "frexp" } do
        local second = name == "frexp" and "int32" or dtype
        for _, n in ipairs{ 1, 2, 3, 7, 8, 9, #list, 1031 } do
          local times = (n + #list - 1) // #list
          local x = tide.array(list):astype(dtype):tile(times):slice(1, n)
                    :copy()
          local u, v = tide[name](tide.stack({ x, x }, 2):select(2, 1))
          assert.same({ dtype, second }, { u.dtype, v.dtype })
          local a, b = tide[name](x)
          same(a, u, dtype)
          same(b, v, dtype)
          for by = 1, 3 do
            local y = tide.zeros(n + by, dtype):slice(by + 1):copy_from(x)
            local to = { tide.zeros(n + 4 - by, dtype):slice(5 - by),
                         tide.zeros(n + 1, second):slice(2) }
            tide[name](y, { out = to })
            same(to[1]:copy(), u, dtype)
            same(to[2]:copy(), v, dtype)
          end
        end
      end
    end
  end)

  it("write the second over the first if both are one array", function ()
    local x = tide.array({ 1.5, -2.25, 7 }, "float32")
    local z = tide.empty(3, "float32")
    x:modf{ out = { z, z } }
    assert.same({ 1, -2, 7 }, z:totable())
  end)

  it("are captured, and replayed for what is there then", function ()
    local x = tide.array({ 1.5, -2.25, 6 }, "float32")
    local u, v = tide.empty(3, "float32"), tide.empty(3, "int32")
    local g <close> = tide.capture(function () x:frexp{ out = { u, v } } end)
    x:mul_(2)
    g:launch()
    assert.same({ 0.75, -0.5625, 0.75 }, u:totable())
    assert.same({ 2, 3, 4 }, v:totable())
  end)

  it("read what their results overlap first", function ()
    local all = tide.empty(21)
    local x = all:slice(3, 12):copy_from(some "float64")
    local u, v = x:modf()
    local a, b = tide.modf(x, { out = { all:slice(1, 10),
                                        all:slice(12, 21) } })
    same(a, u)
    same(b, v)
  end)

  it("take integers as floats, and arrays without elements", function ()
    local u, v = tide.array{ 3, -4 }:frexp()
    assert.same({ 0.75, -0.5 }, u:totable())
    assert.same({ 2, 3 }, v:totable())
    u, v = tide.zeros({ 0, 3 }, "float32"):modf()
    assert.same({ "float32", "float32" }, { u.dtype, v.dtype })
    assert.same({ 0, 3 }, v.shape)
  end)

  it("refuse what 'out' cannot be", function ()
    local x = tide.ones(2)
    fails("list of two open tide.Arrays", tide.modf, x, { out = x })
    fails("list of two open tide.Arrays", tide.modf, x, { out = { x } })
    fails("the second of 'out' must have dtype int32, has float64",
          tide.frexp, x, { out = { x, tide.ones(2) } })
    fails("the first of 'out' must have shape 2, has 3",
          tide.frexp, x, { out = { tide.ones(3), tide.ones(2, "int32") } })
    fails("'modf' is not defined for complex64", tide.modf,
          x:astype "complex64")
    assert.same({ 1, 1 }, x:totable())
  end)
end)

describe("ldexp", function ()
  it("keeps the dtype of x, whatever the exponents are", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      for _, n in ipairs{ "bool", "int8", "uint16", "int64", "uint64" } do
        local z = tide.ones(3, t):ldexp(tide.ones(3, n))
        assert.equal(t, z.dtype)
        assert.same({ 2, 2, 2 }, z:totable())
      end
    end
    assert.equal("float64", tide.ones(1, "int8"):ldexp(2).dtype)
  end)

  it("takes exponents that 16 bits have no room for", function ()
    -- 2^-133 * 2^257 * 2^-124 is 1
    local x = tide.full(1, 2.0 ^ -133, "bfloat16"):ldexp(257)
    assert.equal(1, x:ldexp(-124)[1])
    assert.equal(1, x:ldexp(tide.full(1, -124, "int64"))[1])
    local least = tide.full(1, 2.0 ^ -1074)
    assert.equal(2.0 ^ 1023, least:ldexp(2097)[1])
    assert.equal(2.0 ^ -1074, tide.full(1, 2.0 ^ 1023):ldexp(-2097)[1])
    assert.same({ INF, 0 }, tide.ones(2):ldexp(
      tide.array{ math.maxinteger, math.mininteger }):totable())
  end)

  it("rounds once where the result is subnormal", function ()
    for _, dtype in ipairs{ "float32", "float64" } do
      local info = tide.finfo(dtype)
      local x = tide.full(1, 1 + info.eps, dtype)
      for n = info.minexp - 1, info.minexp - info.nmant - 2, -1 do
        local wanted = numbers.fit((1 + info.eps) * 2.0 ^ (n // 2) *
                                   2.0 ^ (n - n // 2), dtype)
        assert.equal(wanted, x:ldexp(n)[1], n)
        assert.equal(wanted, x:ldexp(100):ldexp(n - 100)[1], n)
      end
    end
  end)

  it("refuses exponents that are no integers", function ()
    local x = tide.ones(2)
    fails("exponents of float64", tide.ldexp, x, x)
    fails("exponents of float64", tide.ldexp, x, 2.0)
    fails("'ldexp' is not defined for complex128", tide.ldexp,
          x:astype "complex128", 2)
    fails("does not fit into int32", x.ldexp_, tide.ones(2, "int32"), 1)
  end)
end)

describe("round", function ()
  it("has decimals, of integers only negative ones", function ()
    local x = tide.array{ 155, 145, -15 }
    assert.same({ 160, 140, -20 }, x:round(-1):totable())
    assert.same({ 155, 145, -15 }, x:round(3):totable())
    assert.equal(x, x:round_(-2))
    assert.same({ 200, 100, 0 }, x:totable())
    local z = tide.empty(2)
    assert.equal(z, tide.round(tide.array{ 1.25, -0.35 }, 1, { out = z }))
    assert.same({ 1.2, -0.4 }, z:totable())
    fails("more than 999 decimals", tide.round, z, 1000)
    fails("#2 to 'tide.round' (integer or options table expected, got string)",
          tide.round, z, "2")
    fails("integer", tide.round, z, 1.5)
    fails("'round' is not defined for complex64", tide.round,
          z:astype "complex64", 1)
    fails("no value expected", tide.round, z, 1, {}, 2)
  end)

  it("with decimals rounds every step, of views and of odd sizes", function ()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local x = (tide.arange(37, dtype) / 7):append(
        tide.array({ NAN, INF, -INF }, dtype))
      for _, n in ipairs{ 0, 2, -1, 20 } do
        local by = 10.0 ^ math.abs(n)
        local wanted = n < 0 and (x / by):round() * by or
                       (x * by):round() / by
        for first = 1, 4 do
          local z = tide.zeros(x.size + 4, dtype)
          local out = z:slice(first + 1, first + x.size - first + 1)
          x:slice(first):round(n, { out = out })
          assert.equal(wanted:slice(first):tobytes(), out:tobytes())
          assert.equal(0, z[first])
        end
        assert.equal(wanted[{ { 1, -1, 3 } }]:tobytes(),
                     x[{ { 1, -1, 3 } }]:round(n):tobytes())
      end
    end
    assert.equal(0, tide.zeros(0):round(2).size)
  end)

  it("floor, ceil and trunc leave integers as they are (#064)", function ()
    local large = math.maxinteger - 1
    for _, name in ipairs{ "floor", "ceil", "trunc", "round" } do
      local fn, a = tide[name], tide.array{ 1, -7, large }
      local z = fn(a)
      assert.equal("int64", z.dtype)
      assert.same({ 1, -7, large }, z:totable())
      z:fill(0)  -- is not a view
      assert.equal(large, a[3])
      assert.equal("bool", fn(tide.ones(2, "bool")).dtype)
      a = tide.arange(6, "int32")
      z = a:slice(2)
      assert.equal(z, fn(a:slice(1, -2), { out = z }))
      assert.same({ 0, 0, 1, 2, 3, 4 }, a:totable())
      assert.equal(a, fn(a, { out = a }))
      fails("must have dtype int32", fn, a, { out = tide.zeros(6) })
      local f = tide.fuse(function (x, y) return x[name](x) + y end)
      z = f(tide.array{ 2, 3 }, tide.array{ 1, math.maxinteger - 3 })
      assert.equal("int64", z.dtype)
      assert.same({ 3, math.maxinteger }, z:totable())
      f = tide.fuse(function (x) return x[name](x) end)
      assert.same({ true, false }, f(tide.array{ true, false }):totable())
    end
  end)
end)

describe("isclose", function ()
  it("is what allclose asks for, element by element", function ()
    local x = some "float32"
    for _, y in ipairs{ x, x + 1e-7, 0.25, { 1 }, tide.ones(10, "int8"),
                        x:astype "complex64" } do
      for _, nan in ipairs{ true, false } do
        local z = tide.isclose(x, y, { equal_nan = nan })
        assert.equal("bool", z.dtype)
        assert.equal(tide.allclose(x, y, { equal_nan = nan }),
                     z:all():item())
      end
    end
  end)

  it("is NumPy's rule, of views and of odd sizes", function ()
    local list = { 0, 1, 1 + 2.0 ^ -9, -1, 1e4, NAN, INF, -INF }
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local x = tide.array(list, dtype)
      local y = tide.tile(x, 8):slice(1, 61)
      x = x:repeat_each(8):slice(1, 61)
      local far = (x - y):abs():le(y:abs() * 1e-3 + 0.5) & y:isfinite()
      local wanted = far | x:eq(y)
      for first = 1, 6 do
        assert.equal(wanted:slice(first):tobytes(),
                     x:slice(first):isclose(y:slice(first), 1e-3, 0.5)
                      :tobytes())
        assert.equal((wanted | (x:isnan() & y:isnan())):slice(first):tobytes(),
                     x:slice(first):isclose(y:slice(first):copy(), {
                       rtol = 1e-3, atol = 0.5, equal_nan = true }):tobytes())
      end
      assert.equal(0, x:slice(1, 0):isclose(y:slice(1, 0)).size)
    end
  end)

  it("broadcasts, and writes to option out", function ()
    local z = tide.zeros({ 2, 2 }, "bool")
    local x = tide.array{ { 1. }, { 2. } }
    assert.equal(z, x:isclose(tide.array{ 1, 2 }, { out = z }))
    assert.same({ { true, false }, { false, true } }, z:totable())
    fails("option 'out' must have shape 2x1, has 2x2", tide.isclose, x, x,
          { out = z })
  end)
end)

describe("nan_to_num", function ()
  it("leaves what NaN becomes, and integers", function ()
    local x = tide.array{ NAN, INF, -INF, 2 }
    assert.same({ INF, 5, -5, 2 }, x:nan_to_num(INF, 5, -5):totable())
    assert.same({ 1, 0x1.fffffffffffffp1023, 3, 2 },
                x:nan_to_num(1, { neginf = 3 }):totable())
    assert.equal(x, x:nan_to_num_{ posinf = 9 })
    assert.same({ 0, 9, -0x1.fffffffffffffp1023, 2 }, x:totable())
    assert.same({ 1, 2 }, tide.array{ 1, 2 }:nan_to_num(7):totable())
    assert.equal("bool", tide.ones(1, "bool"):nan_to_num().dtype)
    fails("'nan_to_num' is not defined for complex64", tide.nan_to_num,
          x:astype "complex64")
    fails("number expected", tide.nan_to_num, x, "0")
    fails("option 'nan' must be a number", tide.nan_to_num, x, { nan = "0" })
    fails("there is no option 'out' in place", x.nan_to_num_, x, { out = x })
  end)

  it("takes any view, into any view", function ()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local x = tide.array({ { NAN, 1, INF }, { -INF, 2, NAN } }, dtype)
      local z = tide.zeros({ 3, 2 }, dtype)
      local wanted = { { 5, 1, 7 }, { -8, 2, 5 } }
      assert.same(wanted, x:nan_to_num(5, 7, -8):totable())
      assert.equal(z.T.ptr, x:nan_to_num(5, { posinf = 7, neginf = -8,
                                              out = z.T }).ptr)
      assert.same(wanted, z.T:totable())
      assert.same({ { 0, x:nan_to_num():min():item() }, { 1, 2 },
                    { x:nan_to_num():max():item(), 0 } },
                  x.T:nan_to_num():totable())
      assert.equal(x, tide.nan_to_num(x, 5, 7, { neginf = -8, out = x }))
      assert.same(wanted, x:totable())
      assert.equal(0, x[{ {}, {2, 1} }]:nan_to_num().size)
    end
  end)
end)

describe("all of them", function ()
  it("are fused", function ()
    for i, fn in ipairs(usable() and COMPOSED or {}) do
      for _, dtype in ipairs{ "float32", "float64", "int32" } do
        same(tide.fuse(fn)(some(dtype)), fn(some(dtype)), i .. dtype)
      end
    end
  end)

  it("are captured", function ()
    for i, fn in ipairs(COMPOSED) do
      local x, z = tide.zeros(10, "float32"), nil
      local graph <close> = tide.capture(function () z = fn(x) end)
      x:copy_from(some "float32")
      graph:launch()
      same(z, fn(some "float32"), i)
    end
  end)

  it("do with no elements, and one without axes", function ()
    for i, fn in ipairs(COMPOSED) do
      assert.same({ 2, 0 }, fn(tide.zeros{ 2, 0 }).shape, i)
      assert.same({}, fn(tide.full({}, 0.5)).shape, i)
    end
  end)
end)

describe("float32", function ()
  it("has sinc near that of float64, also far from 0", function ()
    for _, most in ipairs{ 1e-3, 1, 40, 40000, 1e9 } do
      local x = tide.linspace(-most, most, 20001, "float32")
      local y = x:mul(math.pi):astype "float64"  -- rounded to float32
      local wanted = y:eq(0):where(1, y:sin() / y)
      assert.is_true(tide.allclose(x:sinc():astype "float64", wanted, 1e-6,
                                   1e-12), most)
    end
    local z = tide.array({ 0, -0.0, 1e-45, -1e-38, INF, NAN }, "float32")
    assert.same({ 1, 1, 1, 1 }, z:sinc():slice(1, 4):totable())
    assert.is_true(z:sinc():slice(5, 6):isnan():all():item())
  end)
end)

end)
