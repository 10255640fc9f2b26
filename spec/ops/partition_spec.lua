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
