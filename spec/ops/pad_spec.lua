--[[
pad_spec.lua - elements before and after an array.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

local MODES = { "constant", "edge", "reflect", "symmetric", "wrap" }

--- The source of place i, from 1, along an axis of n elements; nil: the number.
local PLACES = {
  constant = function (i, n) return i >= 1 and i <= n and i or nil end,
  edge = function (i, n) return math.max(1, math.min(i, n)) end,
  reflect = function (i, n)
    local at = (i - 1) % math.max(2 * n - 2, 1)
    return at < n and at + 1 or 2 * n - 1 - at
  end,
  symmetric = function (i, n)
    local at = (i - 1) % (2 * n)
    return at < n and at + 1 or 2 * n - at
  end,
  wrap = function (i, n) return (i - 1) % n + 1 end
}

helper.each_device(function ()

describe("pad", function ()
  it("goes on without end, in each mode", function ()
    for _, mode in ipairs(MODES) do
      for n = 1, 5 do
        local list = tide.arange(1, n + 1)
        for before = 0, 17, 3 do
          for after = 0, 23, 4 do
            local z = list:pad({ before, after }, { mode = mode }):totable()
            assert.equal(n + before + after, #z)
            for i, x in ipairs(z) do
              assert.equal(PLACES[mode](i - before, n) or 0, x)
            end
          end
        end
      end
    end
  end)

  it("does so along each axis", function ()
    local m = tide.arange(1, 7):reshape{ 2, 3 }
    local plain = m:totable()
    for _, a in ipairs{ m, m.T:copy().T, m:flip():copy():flip() } do
      for _, mode in ipairs(MODES) do
        local z = a:pad({ { 1, 4 }, { 5, 2 } }, { mode = mode })
        assert.same({ 7, 10 }, z.shape)
        for i, row in ipairs(z:totable()) do
          for j, x in ipairs(row) do
            local at, to = PLACES[mode](i - 1, 2), PLACES[mode](j - 5, 3)
            assert.equal(at and to and plain[at][to] or 0, x)
          end
        end
      end
    end
  end)

  it("takes a width, a pair, or a pair for each axis", function ()
    local a = tide.ones{ 2, 3 }
    assert.same({ 6, 7 }, a:pad(2).shape)
    assert.same({ 5, 6 }, a:pad{ 1, 2 }.shape)
    assert.same({ 5, 6 }, a:pad{ { 1, 2 } }.shape)
    assert.same({ 3, 5 }, tide.pad(a, { { 0, 1 }, { 2, 0 } }).shape)
    assert.same(a:totable(), a:pad(0):totable())
    assert.equal(7, tide.array(7):pad(3):item())
    assert.same({ 9, 9 }, tide.ones(0, "int8"):pad({ 0, 2 }, { value = 9 })
                            :totable())
    assert.same({ 0, 3 }, tide.ones{ 0, 1 }:pad({ { 0, 0 }, { 1, 1 } },
                                                { mode = "wrap" }).shape)
  end)

  it("keeps dtypes, and has their numbers", function ()
    for _, t in ipairs(dofile "kernels/table.lua".dtypes) do
      local z = tide.ones({ 2, 2 }, t.name):pad(1)
      assert.equal(t.name, z.dtype)
      assert.equal(4, z:count_nonzero():item())
    end
    assert.same({ true, false, true },
                tide.zeros(1, "bool"):pad(1, { value = true }):totable())
    local z = tide.zeros(1, "complex64"):pad(1, {
      value = tide.complex(1, 2)
    })
    assert.equal(tide.complex(1, 2), z[3])
  end)

  it("writes to out, whatever that is part of", function ()
    local base = tide.zeros({ 8, 8 }, "int64")
    local out = base[{ { 1, 8, 2 }, { 8, 1, -2 } }]
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.equal(out, a:pad(1, { mode = "edge", out = out }))
    assert.same({ { 1, 1, 2, 2 }, { 1, 1, 2, 2 }, { 3, 3, 4, 4 },
                  { 3, 3, 4, 4 } }, out:totable())
    assert.equal(40, base:sum():item())
    local x = tide.arange(6)
    x:slice(2, 3):pad(2, { mode = "symmetric", out = x })
    assert.same({ 2, 1, 1, 2, 2, 1 }, x:totable())
    fails("option 'out' must have shape 4x4, has 2x2", a.pad, a, 1,
          { out = a })
    fails("option 'out' must have dtype int64, has int32", a.pad, a, 1,
          { out = tide.zeros({ 4, 4 }, "int32") })
  end)

  it("is captured", function ()
    local a, z = tide.arange(3), tide.zeros(9, "int64")
    local g = tide.capture(function () a:pad(3, { mode = "wrap", out = z }) end)
    a:add_(5)
    g:launch()
    assert.same({ 5, 6, 7, 5, 6, 7, 5, 6, 7 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones({ 2, 3 }, "int64")
    local width = "a width must be an integer from 0 to 2^46, got "
    badarg(2, "integer or table expected, got no value", tide.pad, a)
    badarg(2, width .. "-1", tide.pad, a, -1)
    badarg(2, width .. "1.5", tide.pad, a, { 1, 1.5 })
    badarg(2, width .. "string", tide.pad, a, { { "1", 2 } })
    badarg(2, width, tide.pad, a, math.maxinteger)
    badarg(2, "pairs { before, after } expected", tide.pad, a, { 1 })
    badarg(2, "pairs { before, after } expected", tide.pad, a, { { 1, 2 }, 3 })
    badarg(2, "one pair of widths expected, or 2, one for each axis; got 3",
           tide.pad, a, { { 1, 2 }, { 1, 2 }, { 1, 2 } })
    fails("field 'mode' in a pair", tide.pad, a, { 1, 2, mode = "edge" })
    badarg(2, "field 'mode' in a list of pairs", tide.pad, a,
           { { 1, 2 }, mode = "edge" })
    badarg(2, "axis 1 has no elements: only mode 'constant' can extend it",
           tide.pad, tide.ones{ 0, 2 }, 1, { mode = "edge" })
    local mode = "option 'mode' must be 'constant', 'edge', 'reflect', "
    badarg(3, mode, tide.pad, a, 1, { mode = "mirror" })
    badarg(3, mode, tide.pad, a, 1, { mode = 1 })
    badarg(3, "option 'value' is for mode 'constant'", tide.pad, a, 1,
           { mode = "edge", value = 1 })
    badarg(3, "option 'value': number has no integer representation",
           tide.pad, a, 1, { value = 0.5 })
    badarg(3, "option 'value': number or boolean expected, got string",
           tide.pad, a, 1, { value = "1" })
    fails("2^46 elements", tide.pad, a, 1 << 46)
  end)
end)

end)
