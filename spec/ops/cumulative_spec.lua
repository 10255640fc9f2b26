--[[
cumulative_spec.lua - cumsum, cumprod, cummax and cummin: along any axis, of
lines that a thread, a block or many blocks take, into arrays of one's own.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

-- Sums and products of these are exact in whatever order.
local EXACT = {
  cumsum = { 0.5, -3.0, 3.5, -1.25 }, cumprod = { 1.0, -1.0, 2.0, 0.5 }
}
local JOIN = {
  cumsum = function (a, b) return a + b end,
  cumprod = function (a, b) return a * b end,
  cummax = function (a, b, t)
    return a ~= a and a or numbers.binary.lt(b, a, t) and a or b
  end,
  cummin = function (a, b, t)
    return a ~= a and a or numbers.binary.lt(a, b, t) and a or b
  end
}

local function elements (name, dtype, n)
  local list, pick = {}, helper.generator(n)
  if numbers.is_float(dtype) and EXACT[name] then
    for i = 1, n do
      list[i] = EXACT[name][i % 4 + 1]
    end
    return list
  end
  return numbers.random(dtype, n, pick)
end

--- Returns the running fold of lines of n elements that lie 'inner' apart.
local function running (name, list, n, inner, result)
  local z, sums, join = {}, {}, JOIN[name]
  -- floats are folded in float64 and rounded where they are stored
  local acc = numbers.is_float(result) and "float64" or result
  for from = 1, #list, n * inner do
    for i = from, from + n * inner - 1 do
      local x = numbers.fit(list[i], acc)
      sums[i] = i < from + inner and x or
                numbers.fit(join(sums[i - inner], x, acc), acc)
      z[i] = numbers.fit(sums[i], result)
    end
  end
  return z
end

local function check (name, dtype, shape, axis)
  local size, inner = 1, 1
  for i, n in ipairs(shape) do
    size = size * n
    inner = i > axis and inner * n or inner
  end
  local list = elements(name, dtype, size)
  local a = helper.array(list, dtype, shape)
  local z = tide[name](a, axis)
  local result = EXACT[name] and tide.ones(1, dtype):sum().dtype or dtype
  assert.equal(result, z.dtype)
  assert.same(shape, z.shape)
  local wanted = running(name, list, shape[axis], inner, result)
  assert.is_true(z:tobytes() == numbers.pack(wanted, result),
                 name .. " of " .. dtype .. " along " .. axis)
end

helper.each_device(function ()

describe("a running fold", function ()
  for _, name in ipairs{ "cumsum", "cumprod", "cummax", "cummin" } do
    for _, dtype in ipairs(numbers.dtypes) do
      it(name .. " of " .. dtype .. " along the last axis", function ()
        for _, n in ipairs{ 1, 2, 63, 64, 65, 255, 257, 2047, 2049, 8192, 8193,
                            20001 } do
          check(name, dtype, { n }, 1)
        end
        check(name, dtype, { 7, 300 }, 2)
        check(name, dtype, { 3, 9001 }, 2)
      end)

      it(name .. " of " .. dtype .. " along others", function ()
        check(name, dtype, { 5, 3 }, 1)
        check(name, dtype, { 70, 3 }, 1)
        check(name, dtype, { 3, 129, 2 }, 2)
        check(name, dtype, { 2000, 7 }, 1)
        check(name, dtype, { 2, 65, 70 }, 2)
      end)
    end
  end

  it("has a dtype, and begins with what changes nothing", function ()
    local a = tide.array{ { 1, 2, 3 }, { 4, 5, 6 } }
    for _, t in ipairs{ "int8", "int64", "uint8", "float16", "float32",
                        "float64", "complex64" } do
      local z = a:cumsum(2, { dtype = t, include_initial = true })
      assert.equal(t, z.dtype)
      assert.same({ { 0, 1, 3, 6 }, { 0, 4, 9, 15 } },
                  z:astype "int64":totable())
      assert.same({ 1, 2, 6, 24, 120, 720 },
                  a:cumprod{ dtype = t == "int8" and "int16" or
                                     t == "uint8" and "uint16" or t }
                    :astype "int64":totable())
    end
    assert.same({ { 1, 1, 1 }, { 1, 2, 3 }, { 4, 10, 18 } },
                a:cumprod(1, { include_initial = true }):totable())
    assert.same({ 0, 1, 3, 6, 10, 15, 21 },
                a:cumsum{ include_initial = true }:totable())
    assert.same({ 0 }, tide.zeros(0):cumsum{ include_initial = true }:totable())
    assert.same({ 3, 1 }, tide.zeros{ 3, 0 }
                            :cumsum(2, { include_initial = true }).shape)
    local z = tide.zeros({ 3, 3 }, "float32")
    assert.equal(z, a:cumsum(1, { out = z, dtype = "float32",
                                  include_initial = true }))
    assert.same({ { 0, 0, 0 }, { 1, 2, 3 }, { 5, 7, 9 } }, z:totable())
    assert.same({ 2, 1 },
                tide.array{ 2.7, -1.2 }:cumsum{ dtype = "int32" }:totable())
    helper.fails("unknown option 'dtype'", tide.cummax, a, { dtype = "int8" })
  end)

  it("of millions is right, wherever it begins", function ()
    for _, n in ipairs{ 1000003, 4300000 } do
      for _, dtype in ipairs{ "int32", "float32", "float64" } do
        local a = tide.ones(n + 1, dtype)
        local z = a:slice(2):cumsum()
        assert.equal(n, z[n])
        assert.is_true(z:eq(tide.arange(1, n + 1)):all():item())
      end
    end
  end)

  it("of one chunk is one launch, of more it is three #once", function ()
    local function launches (n)
      local a = tide.ones(n)
      return helper.launches(function () a:cumsum() end)
    end
    assert.equal(1, launches(8192))
    assert.equal(3, launches(8193))
    assert.equal(0, launches(0))
  end)

  it("is of all elements without an axis", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ 0, 1, 3, 6, 10, 15 }, a:cumsum():totable())
    assert.same({ { 0, 1, 3 }, { 3, 7, 12 } }, a:cumsum(-1):totable())
    assert.same({ { 0, 1, 2 }, { 3, 5, 7 } }, a:cumsum(-2):totable())
    assert.same({ 5 }, tide.array(5):cumsum():totable())
    assert.same({ 0, 3 }, tide.ones{ 0, 3 }:cumsum(1).shape)
  end)

  it("keeps zeros, infinities and NaNs", function ()
    local a = tide.array{ -0.0, -0.0, 1.0, 1 / 0, -1 / 0, 1.0 }
    local z = a:cumsum():totable()
    assert.equal(-1 / 0, 1 / z[1])
    assert.equal(-1 / 0, 1 / z[2])
    assert.same({ 1.0, 1 / 0 }, { z[3], z[4] })
    assert.is_true(z[5] ~= z[5] and z[6] ~= z[6])
  end)

  it("of greatest and least elements is NaN behind a NaN", function ()
    local nan = 0 / 0
    for _, n in ipairs{ 10, 100, 9000, 40000 } do
      local a = tide.arange(n, "float64")
      a[n // 2] = nan
      for _, name in ipairs{ "cummax", "cummin" } do
        local z = a[name](a)
        assert.equal(n - n // 2 + 1, z:isnan():count_nonzero():item())
        assert.is_true(z[n] ~= z[n])
        assert.equal(name == "cummax" and n // 2 - 2 or 0, z[n // 2 - 1])
      end
    end
    fails("'cummax' is not defined for complex64 arrays", function ()
      tide.ones(3, "complex64"):cummax()
    end)
  end)

  it("of small integers takes little memory", function ()
    local n <const> = 1 << 20
    for t, bytes in pairs{ bool = 5, int8 = 5, uint8 = 5, int16 = 6,
                           uint16 = 6, int32 = 12 } do
      local x <const> = tide.zeros(n, t)
      x[n // 2] = 1
      tide.get_device():synchronize()
      tide.reset_peak()
      local base <const> = tide.memory_stats().live
      local y <const> = x:cummax(1)
      local most <const> = tide.memory_stats().peak_live - base
      assert.is_true(most < (bytes + 0.5) * n, t .. ": " .. most / n)
      assert.equal(n // 2 + 1, y:astype("int32"):sum():item())
    end
  end)

  it("goes into an array of one's own, also in place", function ()
    local a, out = tide.ones(20000, "float32"), tide.zeros(20000, "float32")
    assert.equal(out, a:cumsum{ out = out })
    assert.equal(20000, out[20000])
    assert.equal(a, a:cumsum(1, { out = a }))
    assert.is_true(a:eq(out):all():item())
    badarg(1, "option 'out' must have dtype float32, has float64", function ()
      a:cumsum{ out = tide.ones(20000) }
    end)
    badarg(1, "option 'out' must have shape 20000, has 3", function ()
      a:cumsum{ out = tide.ones(3, "float32") }
    end)
    a:fill(1)
    a:slice(1, 10):cumsum{ out = a:slice(2, 11) }
    assert.same({ 1, 1, 2 }, a:slice(1, 3):totable())
    assert.same({ 10, 1 }, a:slice(11, 12):totable())
    local b = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 0, 3 }, { 1, 5 }, { 2, 7 } }, b.T:cumsum(2):totable())
    b.T:cumsum(1, { out = b.T })
    assert.same({ { 0, 1, 3 }, { 3, 7, 12 } }, b:totable())
  end)

  it("wants an axis that there is", function ()
    local a = tide.ones{ 2, 3 }
    for _, axis in ipairs{ 0, 3, -3 } do
      badarg(1, "axis " .. axis .. " is out of range for an array of 2 " ..
             "axes", function () a:cumsum(axis) end)
    end
    badarg(1, "axis must be an integer, got string", function ()
      a:cumsum "x"
    end)
    fails("out of range", function () tide.array(5):cumprod(1) end)
  end)
end)

end)
