--[[
partition_spec.lua - partition and argpartition, beside sorting.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local badarg, fails = helper.badarg, helper.fails

local REAL <const> = {}
for _, dtype in ipairs(numbers.dtypes) do
  if not dtype:find "^complex" then REAL[#REAL + 1] = dtype end
end

--- Makes lines of n numbers from 0 on that are hard for a selection.
local HARD <const> = {
  ["all equal"] = function () return 7 end,
  ascending = function (i) return i end,
  descending = function (i, n) return n - i end,
  ["an organ pipe"] = function (i, n) return math.min(i, n - i) end,
  ["a sawtooth"] = function (i) return i % 17 end,
  ["few different"] = function (_, _, pick) return pick(3) end,
  ["one apart"] = function (i, n) return i == n // 3 and 0 or 9 end,
  ["two heaps"] = function (i, n) return i < n // 2 and i % 5 or 100 + i % 3 end
}

helper.each_device(function ()

describe("partition", function ()
  --- Checks the lines of z, a partition of 'a' along the last axis.
  local function check (a, z, at)
    local sorted = a:sort()
    assert.is_true(tide.array_equal(sorted, z:sort(), { equal_nan = true }))
    for _, i in ipairs(at) do
      local x = sorted:select(-1, i)
      assert.is_true(tide.array_equal(x, z:select(-1, i),
                                      { equal_nan = true }))
    end
  end

  for _, dtype in ipairs(REAL) do
    it("of " .. dtype, function ()
      local pick = helper.generator(47)
      for _, n in ipairs{ 1, 2, 33, 20000 } do
        local bytes = numbers.pack(numbers.random(dtype, n, pick), dtype)
        local a = tide.frombytes(bytes, dtype, { n })
        for _, at in ipairs{ 1, n, -1, { n // 2 + 1, 1, -1 } } do
          local list = type(at) == "table" and at or { at }
          check(a, a:partition(at), list)
          local places = tide.argpartition(a, at)
          assert.equal("int64", places.dtype)
          assert.same(tide.arange(1, n + 1):totable(),
                      places:sort():totable())
          check(a, a:take(places), list)
        end
      end
    end)
  end

  --- Checks partitions of 'a', one of whose rows or columns is a line.
  local function check_all (a, at)
    check(a, a:partition(at), at)
    local places = a:argpartition(at)
    check(a, a:take_along_axis(places, -1), at)
    local n = a.shape[a.ndim]
    assert.is_true(places:sort():eq(tide.arange(1, n + 1)):all():item())
    if a.ndim == 2 then
      assert.is_true(tide.array_equal(a.T:partition(at, 1).T, a:partition(at),
                                      { equal_nan = true }))
      assert.is_true(tide.array_equal(a.T:argpartition(at, 1).T, places))
    end
  end

  --- Returns places of n, most of them random.
  local function pick_places (pick, n)
    local at = { 1, n, pick(n) }
    for _ = 1, pick(6) do at[#at + 1] = pick(n) end
    at[#at + 1] = at[3] % n + 1
    return at
  end

  for name, f in pairs(HARD) do
    it("of " .. name, function ()
      local pick = helper.generator(11)
      for _, n in ipairs{ 128, 1000, 2049, 9000 } do
        local list = {}
        for i = 1, n do list[i] = f(i, n, pick) end
        local a = tide.array(list, "int32")
        for _, dtype in ipairs{ "uint8", "int16", "float32", "float64" } do
          check_all(a:astype(dtype), pick_places(pick, n))
        end
        check_all(a, { n // 2, n // 2 + 1 })
      end
    end)
  end

  it("of rows with ties, NaNs, infinities and zeros of either sign", function ()
    local pick = helper.generator(5)
    local odd = { 0 / 0, -(0 / 0), 1 / 0, -1 / 0, 0.0, -0.0, 1, 2 }
    for _, n in ipairs{ 100, 150, 2048, 2049, 4000 } do
      local list = {}
      for row = 1, 3 do
        list[row] = {}
        for i = 1, n do
          list[row][i] = pick(2) == 1 and odd[pick(8)] or pick(50) - 25
        end
      end
      local a = tide.array(list, "float64")
      for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
        local x, at = a:astype(dtype), pick_places(pick, n)
        check_all(x, at)
        local sorted, z = x:sort(), x:partition(at)
        for _, i in ipairs(at) do
          assert.equal(sorted:select(-1, i):copy():tobytes(),
                       z:select(-1, i):copy():tobytes())
        end
      end
    end
  end)

  it("at many places, the same one again, and of no lines", function ()
    local a = tide.arange(5000, 0, -1)
    local at = {}
    for i = 1, 40 do
      at[i] = 121 * i
      if i % 8 == 0 then check_all(a, at) end
    end
    check_all(a, { 7, 7, -1, 5000, 7 })
    assert.same({ 0, 300 }, tide.zeros{ 0, 300 }:partition(7).shape)
    assert.same({ 1 }, tide.array{ 1 }:argpartition(-1):totable())
    assert.same(a:sort():totable(), a:partition({}):sort():totable())
  end)

  -- The sample of the host kernel, whose elements are the least here.
  it("of a line whose sample misleads", function ()
    local n, random, list = 3000, 1, {}
    for i = 1, n do list[i] = 1000 + i * 7 % 501 end
    for i = 1, 64 do
      random = random * 6364136223846793005 + 1442695040888963407
      list[((random >> 32) * n >> 32) + 1] = i
    end
    for _, dtype in ipairs{ "int64", "uint16", "float32" } do
      for _, at in ipairs{ { 1500 }, { 2999 }, { 70, 2500 } } do
        check_all(tide.array(list, dtype), at)
      end
    end
  end)

  it("along an axis, to out, of views", function ()
    local a = tide.array{ { 3, 9 }, { 5, 1 }, { 4, 4 } }
    local z = tide.zeros({ 3, 2 }, "int64")
    assert.equal(z, a:partition(2, 1, { out = z }))
    assert.same({ 4, 4 }, z[2]:totable())
    assert.equal(z, a:argpartition(1, { axis = 1, out = z }))
    assert.same({ 1, 2 }, z[1]:totable())
    assert.same({ 3, 4, 5 }, a.T[1]:partition{ 1, 2, 3 }:totable())
  end)

  it("has NaN behind all others", function ()
    local a = tide.zeros(20000)
    a:slice(1, 15000):fill(0 / 0)
    local z = a:take(a:argpartition(10000)):isnan()
    assert.is_false(z:slice(1, 5000):any():item())
    assert.is_true(z:slice(5001, 20000):all():item())
  end)

  it("is captured", function ()
    local a, z = tide.arange(20000), nil
    local g <close> = tide.capture(function () z = a:argpartition(7) end)
    a:neg_()
    g:launch()
    assert.equal(19994, z[7])
  end)

  it("says what is wrong", function ()
    for _, name in ipairs{ "partition", "argpartition" } do
      local f, a = tide[name], tide.ones{ 2, 3 }
      badarg(2, "place 4 of 3 elements", f, a, 4)
      badarg(2, "place 3 of 2 elements", f, a, { 1, 3 }, 1)
      badarg(2, "place 0 of 3 elements", f, a, 0)
      badarg(2, "place 1 of 0 elements", f, tide.ones(0), 1)
      badarg(2, "an integer, or a list of integers, expected, got nil", f, a)
      badarg(2, "options are a table of their own", f, a, { axis = 1 })
      badarg(1, "at least one axis expected", f, tide.array(1), 1)
      fails("complex64", f, tide.ones(2):astype "complex64", 1)
    end
  end)
end)

end)
