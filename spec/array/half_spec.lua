--[[
half_spec.lua - float16 and bfloat16: all their numbers, and how others are
rounded to them. spec/support/numbers.lua does the same by arithmetic.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"

--- all(dtype) -> every number of it, by its bits.
local function all (dtype)
  local list = {}
  for bits = 0, 0xffff do
    list[bits + 1] = numbers.value(bits, dtype)
  end
  return list
end

local function every_bits ()
  local list = {}
  for bits = 0, 0xffff do
    list[bits + 1] = bits
  end
  return numbers.pack(list, "uint16")
end

--- Halfway from each number to the next one, and the floats of that format
-- right before and after that.
local function between (dtype, format)
  local list = {}
  local int = format == "<f" and "<i4" or "<i8"
  local largest = dtype == "float16" and 0x7bff or 0x7f7f
  for bits = 0, largest do
    local x = numbers.value(bits, dtype)
    local y = bits < largest and numbers.value(bits + 1, dtype) or
              2 * x - numbers.value(bits - 1, dtype)
    local middle = int:unpack(format:pack(x + (y - x) / 2))
    for step = -1, 1 do
      local near = format:unpack(int:pack(middle + step))
      list[#list + 1] = bits % 2 == 0 and near or -near
    end
  end
  return list
end

local function same (wanted, got, dtype)
  assert.equal(#wanted, #got)
  for i, x in ipairs(wanted) do
    if (x ~= got[i] or x == 0) and numbers.ulps(x, got[i], dtype) ~= 0 then
      error(("element %d: %a expected, got %a"):format(i, x, got[i]), 2)
    end
  end
end

helper.each_device(function ()

for _, dtype in ipairs(numbers.sets.HALF) do
  describe(dtype, function ()
    it("has 65536 numbers", function ()
      local a = tide.frombytes(every_bits(), dtype)
      assert.is_true(a:tobytes() == every_bits())
      local wanted = all(dtype)
      for _, wide in ipairs(numbers.sets.FLOAT) do
        local got = numbers.unpack(a:astype(wide):tobytes(), wide)
        same(wanted, got, wide)
        local back = helper.array(wanted, wide)
        got = numbers.unpack(back:astype(dtype):tobytes(), dtype)
        same(wanted, got, dtype)
      end
      same(wanted, a:totable(), "float64")
      same(wanted, tide.array(wanted, dtype):totable(), "float64")
    end)

    it("keeps the sign of a NaN, but stores no payload", function ()
      local nan = dtype == "float16" and 0x7e00 or 0x7fc0
      local function bits_of (a) return ("<I2"):unpack(a:tobytes()) end
      local function sign (a)
        return (tide.ones(1, dtype):copysign(a) + 0)[1]
      end
      for _, set in ipairs{ 0, 0x8000 } do
        local x = tide.frombytes(("<I4"):pack(set << 16 | 0x7fedcba9),
                                 "float32")
        assert.equal(set | nan, bits_of(x:astype(dtype)))
        x = tide.frombytes(("<I8"):pack(set << 48 | 0x7ff0000000000001),
                           "float64")
        assert.equal(set | nan, bits_of(x:astype(dtype)))
        local own = tide.frombytes(("<I2"):pack(set | nan | 1), dtype)
        assert.equal(set | nan, bits_of(own:astype "float32":astype(dtype)))
        assert.equal(set == 0 and 1 or -1, sign(own))
      end
    end)

    it("is computed with as float32, and rounded once", function ()
      local own = tide.frombytes(every_bits(), dtype)
      for _, name in ipairs{ "neg", "abs", "exp", "log", "sqrt", "tanh",
                             "sigmoid" } do
        local wide = own:astype "float32"
        local wanted = wide[name](wide):astype(dtype):tobytes()
        assert.is_true(wanted == own[name](own):tobytes(), name)
      end
    end)

    -- Without NaNs a pack goes a shorter way than elements that lie apart.
    it("gives the same bits, in packs with NaNs and without", function ()
      local own = tide.frombytes(every_bits(), dtype)
      local mixed = own:take((tide.arange(0, 65536) * 12345):fmod(65536) + 1)
      local some = tide.where(mixed:isnan(), -mixed:nan_to_num(), mixed)
      some[{ { 999 } }], some[{ { 4001 } }] = 0 / 0, -0 / 0
      for _, name in ipairs{ "neg", "abs", "exp", "log", "sqrt", "tanh",
                             "sigmoid" } do
        for _, x in ipairs{ own, mixed, some, some:slice(1, 1003) } do
          local wanted = tide[name](tide.stack({ x, x }, 2):select(2, 1))
                         :copy():tobytes()
          local what = name .. " of " .. #x
          assert.is_true(wanted == x[name](x):tobytes(), what)
          for by = 2, 4 do  -- not aligned
            local y = tide.zeros(#x + 3, dtype):slice(by, #x + by - 1)
                      :copy_from(x)
            assert.is_true(wanted == y[name](y):tobytes(), what)
            y[name .. "_"](y)
            assert.is_true(wanted == y:copy():tobytes(), what)
          end
        end
      end
    end)

    it("is rounded once, to nearest, ties to even", function ()
      for wide, format in pairs{ float32 = "<f", float64 = "<d" } do
        local list, wanted = between(dtype, format), {}
        for i, x in ipairs(list) do
          wanted[i] = numbers.fit(x, dtype)
        end
        local a = helper.array(list, wide)
        same(wanted, numbers.unpack(a:astype(dtype):tobytes(), dtype), dtype)
        if wide == "float64" then
          same(wanted, tide.array(list, dtype):totable(), "float64")
        end
      end
    end)

    it("of large integers is rounded once", function ()
      local list, wanted = {}, {}
      for bits = 8, 62 do
        for _, x in ipairs{ 0, 1, -1 } do
          for digit = 0, math.min(bits - 1, 12) do
            list[#list + 1] = (1 << bits) + (1 << (bits - 1 - digit)) + x
            list[#list + 1] = -list[#list]
          end
        end
      end
      for i, x in ipairs(list) do
        wanted[i] = numbers.fit(x, dtype)
      end
      same(wanted, tide.array(list):astype(dtype):totable(), dtype)
    end)

    it("of integers and bools is that of the float64 that they are", function ()
      local z = tide.arange(-140001, 140002, "int64")
      for _, t in ipairs(numbers.sets.INTEGER) do
        local x = z:astype(t)
        local wanted = x:astype "float64":astype(dtype)
        assert.is_true(tide.array_equal(wanted, x:astype(dtype)), t)
      end
      local ends = tide.array({ math.mininteger, math.maxinteger }, "int64")
      local most = dtype == "float16" and math.huge or 2.0 ^ 63
      assert.same({ -most, most }, ends:astype(dtype):totable())
      assert.same({ most, most }, ends:astype "uint64":astype(dtype):totable())
      assert.same({ dtype == "float16" and most or 2.0 ^ 64 },
                  tide.array({ -1 }, "int64"):astype "uint64":astype(dtype)
                  :totable())
      local truth = z:gt(3)
      for _, t in ipairs{ dtype, "float32", "float64" } do
        assert.equal(140001 - 3, truth:astype(t):astype "int64":sum():item())
        assert.equal(1, truth:astype(t):max():item())
      end
    end)

    it("is added up in float64", function ()
      local n = 70000
      local a = tide.full(n, 0.1, dtype)
      local x = numbers.fit(0.1, dtype)
      assert.equal(numbers.fit(n * x, dtype), a:sum():item())
      assert.equal(x, a:mean():item())
      a:fill(1)
      a[1] = 4096
      assert.equal(numbers.fit(4095 + n, dtype), a:sum():item())
      assert.equal(numbers.fit((4095 + n) / n, dtype), a:mean():item())
    end)

    it("takes numbers of Lua as its own", function ()
      local a = tide.ones(1, dtype)
      local tenth = numbers.fit(0.1, dtype)
      assert.is_true(a:mul(0.1):eq(0.1):item())
      assert.equal(tenth, (a * 0.1):item())
      for _, op in ipairs{ "pow", "mod" } do  -- by way of float32
        local z = tide[op](tide.full(1, 0.1, dtype), 0.1)
        local same_op = tide[op](tide.full(1, 0.1, dtype),
                                 tide.full(1, 0.1, dtype))
        assert.equal(dtype, z.dtype)
        assert.equal(same_op:item(), z:item())
      end
    end)
  end)
end

describe("what goes by way of float32", function ()
  it("takes out, and in place", function ()
    for _, dtype in ipairs(numbers.sets.HALF) do
      local a, z = tide.full(3, 5, dtype), tide.zeros(3, dtype)
      assert.equal(z, a:mod(3, { out = z }))
      assert.same({ 2.0, 2.0, 2.0 }, z:totable())
      assert.equal(a, a:pow_(2))
      assert.same({ 25.0, 25.0, 25.0 }, a:totable())
      assert.equal(a, tide.floordiv(a, z, { out = a }))
      assert.same({ 12.0, 12.0, 12.0 }, a:totable())
      helper.fails("must have dtype " .. dtype .. ", has float32", a.pow, a, 2,
                   { out = tide.zeros(3, "float32") })
      assert.equal(0, tide.zeros(0, dtype):pow(2).size)
    end
  end)

  it("is three launches, other operations one #once", function ()
    local a = tide.ones(100, "float16")
    assert.equal(1, helper.launches(function () return a + a end))
    assert.equal(1, helper.launches(function () return a:exp() end))
    assert.equal(1, helper.launches(function () return a ^ 2 end))
    assert.equal(3, helper.launches(function () return a ^ 4 end))
  end)
end)

end)
