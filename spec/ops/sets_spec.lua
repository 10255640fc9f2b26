--[[
sets_spec.lua - union1d, intersect1d and setdiff1d, beside loops in Lua. NumPy's
answers are in numpy_spec.
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

describe("sets", function ()
  --- The different elements of lists for which fn is true, in order.
  local function pick_of (lists, fn)
    local all, seen = {}, {}
    for _, list in ipairs(lists) do
      for _, x in ipairs(list) do
        if not seen[x] and fn(x) then all[#all + 1] = x end
        seen[x] = true
      end
    end
    table.sort(all)
    return all
  end

  local function set_of (list)
    local set = {}
    for _, x in ipairs(list) do set[x] = true end
    return set
  end

  for _, dtype in ipairs(REAL) do
    it("of " .. dtype, function ()
      local pick = helper.generator(51)
      local function some (n)
        local list = {}
        for i = 1, n do
          list[i] = dtype == "bool" and pick(2) == 1 or pick(40)
        end
        return tide.array(list, dtype)
      end
      for _, n in ipairs{ 0, 1, 2, 30, 900 } do
        local a, b = some(n), some(60 - n % 60)
        if n == 0 then a = tide.zeros(0, dtype) end
        local x, y = a:totable(), b:totable()
        local in_x, in_y = set_of(x), set_of(y)
        if dtype ~= "bool" then
          assert.same(pick_of({ x, y }, function () return true end),
                      a:union1d(b):totable())
          assert.same(pick_of({ x }, function (v) return in_y[v] end),
                      a:intersect1d(b):totable())
          assert.same(pick_of({ x }, function (v) return not in_y[v] end),
                      a:setdiff1d(b):totable())
          assert.same(pick_of({ y }, function (v) return not in_x[v] end),
                      tide.setdiff1d(b, a):totable())
        end
        local z, i, j = a:intersect1d(b, { return_indices = true })
        assert.equal(dtype, z.dtype)
        assert.same({ z:totable(), z:totable() },
                    { a:take(i):totable(), b:take(j):totable() })
      end
    end)
  end

  it("takes tables, numbers, views and axes", function ()
    local a = tide.array{ { 3, 1 }, { 3, 2 } }
    assert.same({ 1, 2, 3, 9 }, a.T:union1d{ 9, 1 }:totable())
    assert.same({ 3 }, a:intersect1d(3):totable())
    assert.same({ 1, 2 }, tide.setdiff1d({ 1, 2, 3 }, a:select(2, 1))
                  :totable())
    assert.equal("float64", a:union1d(tide.ones(1)).dtype)
    assert.equal("int64", a:setdiff1d(tide.ones(1)).dtype)
  end)

  it("leaves distinct elements in order, on request", function ()
    local a = tide.array{ 3, 1, 2 }
    assert.same({ 3, 2 }, a:setdiff1d({ 1 }, { assume_unique = true })
                  :totable())
    assert.same({ 1, 3 }, a:intersect1d({ 3, 1 }, { assume_unique = true })
                  :totable())
  end)

  it("has one NaN, which is equal to nothing", function ()
    local nan = tide.array{ 0 / 0, 1, 0 / 0 }
    assert.same({ 2 }, nan:union1d(nan).shape)
    assert.same({ 1.0 }, nan:intersect1d(nan):totable())
    assert.same({ 2 }, nan:setdiff1d{ 5 }.shape)
  end)

  it("is captured, if its size is given", function ()
    local a, b = tide.array{ 3, 1, 3 }, tide.array{ 3, 2 }
    local x, y, z, i, j
    local g <close> = tide.capture(function ()
      x = a:union1d(b, { size = 4, fill = -1 })
      y, i, j = a:intersect1d(b, { size = 2, fill = 9,
                                   return_indices = true })
      z = a:setdiff1d(b, { size = 1 })
    end)
    b:copy_from{ 1, 2 }
    g:launch()
    assert.same({ 1, 2, 3, -1 }, x:totable())
    assert.same({ { 1, 9 }, { 2, 0 }, { 1, 0 } },
                { y:totable(), i:totable(), j:totable() })
    assert.same({ 3 }, z:totable())
    for _, name in ipairs{ "union1d", "intersect1d", "setdiff1d" } do
      fails("{ size = n } says it", tide.capture, function ()
        a[name](a, b)
      end)
    end
  end)

  it("says what is wrong", function ()
    local a, c = tide.ones(2, "int32"), tide.ones(2):astype "complex64"
    for _, name in ipairs{ "union1d", "intersect1d", "setdiff1d" } do
      local f = tide[name]
      badarg(1, "real numbers expected, got complex64", f, c, a)
      badarg(2, "real numbers expected, got complex64", f, a, c)
      badarg(2, "tide.Array, number, boolean or table expected", f, a, "x")
      badarg(3, "option 'size' must be an integer, 0 or more", f, a, a,
             { size = -1 })
      badarg(3, "option 'fill'", f, a, a, { size = 3, fill = 2.5 })
      fails("'axis'", f, a, a, { axis = 1 })
    end
  end)
end)

end)
