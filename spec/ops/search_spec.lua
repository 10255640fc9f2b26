--[[
search_spec.lua - searchsorted, digitize and interp, beside loops in Lua.
NumPy's answers are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg
local array = helper.array

--- NaNs come last.
local function before (x, y, dtype)
  if x ~= x or y ~= y then
    return x == x and y ~= y
  end
  return numbers.binary.lt(x, y, dtype)
end

local function elements (n, dtype, pick)
  local list, edges = numbers.random(dtype, n, pick), numbers.edges(dtype)
  for i = 1, n, 3 do
    list[i] = edges[pick(#edges)]
  end
  return list
end

helper.each_device(function ()

describe("searchsorted in tables of any length", function ()
  it("counts what comes before each element", function ()
    local pick = helper.generator(31)
    for _, t in ipairs{ "uint8", "float16", "int32", "float32", "int64",
                        "float64" } do
      for _, n in ipairs{ 0, 1, 2, 7, 2048, 2049, 4096, 5000 } do
        local list, below, upto = {}, {}, {}
        for i = 1, n do list[i] = pick(120) end
        table.sort(list)
        for x = 0, 121 do below[x], upto[x] = 0, 0 end
        for _, x in ipairs(list) do upto[x] = upto[x] + 1 end
        for x = 1, 121 do
          below[x] = below[x - 1] + upto[x - 1]
          upto[x - 1] = below[x - 1] + upto[x - 1]
        end
        upto[121] = n
        local a = tide.array(list, t)
        local v = (tide.arange(3000) * 7 % 122):astype(t):slice(2)
        local left = a:searchsorted(v):totable()
        local right = a:searchsorted(v, { side = "right" }):totable()
        local is = v:isin(a):totable()
        for i, x in ipairs(v:astype("int64"):totable()) do
          assert.equal(below[x] + 1, left[i])
          assert.equal(upto[x] + 1, right[i])
          assert.equal(upto[x] > below[x], is[i])
        end
      end
    end
  end)

  it("compares float32 with float64 as what it is", function ()
    local x = tide.array({ 0.1, -0.0, 0 / 0, math.huge, 0.5, -1 }, "float32")
    local edges = { 0, 0.1, 0.5 }  -- 0.1 of float32 is above it
    assert.same({ 2, 1, 3, 3, 3, 0 }, x:digitize(edges):totable())
    assert.same({ 2, 0, 3, 3, 2, 0 },
                x:digitize(edges, { right = true }):totable())
    assert.same(x:astype("float64"):digitize(edges):totable(),
                x:digitize(edges):totable())
  end)
end)

describe("searchsorted", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype, function ()
      local pick = helper.generator(41)
      for _, n in ipairs{ 0, 1, 2, 7, 64, 3000 } do
        local sorted, v = elements(n, dtype, pick), elements(200, dtype, pick)
        table.sort(sorted, function (x, y) return before(x, y, dtype) end)
        local left, right = {}, {}
        for i, x in ipairs(v) do
          left[i], right[i] = 1, 1
          for _, y in ipairs(sorted) do
            left[i] = left[i] + (before(y, x, dtype) and 1 or 0)
            right[i] = right[i] + (before(x, y, dtype) and 0 or 1)
          end
        end
        local a, b = array(sorted, dtype), array(v, dtype)
        assert.same(left, a:searchsorted(b):totable())
        assert.same(right, a:searchsorted(b, { side = "right" }):totable())
      end
    end)
  end

  it("of many elements, by several jobs", function ()
    for _, n in ipairs{ 1, 1000, 4096, 4097, 30000 } do
      for _, dtype in ipairs{ "int32", "float64" } do
        local a = (tide.arange(n) * 3):astype(dtype)
        local v = (tide.arange(70001) * 7919 % 90011 - 5)
        local wanted = (v + 2):maximum(0):floordiv(3):minimum(n) + 1
        assert.is_true(a:searchsorted(v:astype(dtype)):eq(wanted):all():item())
      end
    end
  end)

  it("of elements in ascending order gives what it gives in any", function ()
    for _, t in ipairs{ "float64", "float32", "int32", "uint8" } do
      for _, n in ipairs{ 1, 7, 100, 5000, 300000 } do
        local a = (tide.random.uniform(n) * 200):astype(t):sort()
        for _, m in ipairs{ 5, 77, 20000, 300000 } do
          local v = (tide.random.uniform(m) * 220):astype(t):sort()
          if t == "float64" then
            v:put(tide.array({ 1, m - 1, m }, "int64"),
                  tide.array{ -1 / 0, 1 / 0, 0 / 0 })
          end
          for _, side in ipairs{ "left", "right" } do
            local other = a:searchsorted(v:flip(), { side = side })
            assert.equal(other:flip():copy():tobytes(),
                         a:searchsorted(v, { side = side }):tobytes())
          end
        end
      end
    end
  end)

  it("takes numbers, tables, views, and arrays that are not sorted", function ()
    local a = tide.array{ 30, 10, 20, 20 }
    local order = a:argsort()
    for _ = 1, 2 do
      assert.same({ 2, 1, 5 }, a:searchsorted({ 20, 1, 99 },
                                              { sorter = order }):totable())
    end
    local b = tide.array{ { 0, 5 }, { 1, 6 }, { 2, 7 } }:select(2, 1)
    assert.equal(3, b:searchsorted(1.5):item())
    assert.same({}, b:searchsorted(1).shape)
    assert.same({ 2, 0 }, b:searchsorted(tide.ones{ 2, 0 }).shape)
    assert.same({ { 1, 2 }, { 3, 4 } },
                b:searchsorted(tide.array{ { 0, 2 }, { 1, 3 } }.T):totable())
    local z = tide.zeros(2, "int64")
    assert.equal(z, b:searchsorted({ 1, 2 }, { out = z }))
    assert.same({ 2, 3 }, z:totable())
  end)

  it("is captured", function ()
    local a, v, z = tide.arange(10), tide.array{ 3, 4 }, tide.zeros(2, "int64")
    local g <close> = tide.capture(function ()
      a:searchsorted(v, { out = z })
    end)
    v:add_(2)
    g:launch()
    assert.same({ 6, 7 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.arange(3)
    badarg(1, "a sorted array must have one axis, has 2", tide.searchsorted,
           tide.ones{ 2, 2 }, 1)
    badarg(3, "option 'side' must be 'left' or 'right'", tide.searchsorted, a,
           1, { side = "middle" })
    badarg(3, "option 'sorter' must have a place for each element",
           tide.searchsorted, a, 1, { sorter = tide.arange(2) })
    badarg(3, "option 'sorter' must have integers", tide.searchsorted, a, 1,
           { sorter = tide.ones(3) })
    badarg(2, "tide.Array, number, boolean or table expected",
           tide.searchsorted, a)
    fails("'searchsorted' is not defined for complex128 arrays",
          tide.searchsorted, tide.ones(2, "complex64"), 1)
  end)
end)

describe("digitize", function ()
  it("says in which bin elements are", function ()
    local a = tide.array{ -1, 0, 0.5, 1, 3, 4, 0 / 0 }
    assert.same({ 0, 1, 1, 2, 3, 3, 3 }, a:digitize{ 0, 1, 3 }:totable())
    assert.same({ 0, 0, 1, 1, 2, 3, 3 },
                a:digitize({ 0, 1, 3 }, { right = true }):totable())
    assert.same({ 3, 3, 2, 2, 1, 0, 0 },
                a:digitize({ 3, 1, 0 }, { descending = true, right = true })
                 :totable())
    assert.same({ 3, 2, 2, 1, 0, 0, 0 },
                a:digitize({ 3, 1, 0 }, { descending = true }):totable())
    badarg(2, "edges must have one axis", tide.digitize, a, 1)
    badarg(3, "unknown option 'rigth'", tide.digitize, a, { 1 },
           { rigth = true })
  end)
end)

describe("interp", function ()
  it("is on the line through points", function ()
    local pick = helper.generator(8)
    local xs, ys, x = {}, {}, {}
    for i = 1, 50 do
      xs[i], ys[i] = i * i, pick(1000) / 8
    end
    for i = 1, 3000 do
      x[i] = pick(2600) - 50
    end
    local z = tide.array(x):interp(xs, tide.array(ys)):totable()
    for i, at in ipairs(x) do
      local k = math.max(1, math.min(50, math.sqrt(math.max(at, 0)) // 1 | 0))
      local wanted = ys[k]
      if at > 1 and k < 50 then
        local slope = (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])
        wanted = slope * (at - xs[k]) + ys[k]
      end
      assert.equal(wanted, z[i])
    end
  end)

  it("has ends of its own, and periods", function ()
    local a = tide.array{ 0, 1, 2, 9, 0 / 0 }
    local z = a:interp({ 1, 2 }, { 5, 7 }, { left = -1, right = 8 }):totable()
    assert.same({ -1.0, 5.0, 7.0, 8.0 }, { table.unpack(z, 1, 4) })
    assert.is_true(z[5] ~= z[5])
    assert.same({ 2.5, 4.0 }, tide.array{ 8, 3 }
                  :interp({ 1, 3, 5 }, { 1, 4, 4 }, { period = 6 }):totable())
    assert.same({ 3.0, 3.0 }, tide.array{ 0, 9 }:interp({ 1 }, { 3 })
                                                :totable())
    assert.same({ 5.0, 5.0, -1.0, 7.0 }, tide.array{ 0 / 0, 1, 0, 2 }
                  :interp({ 1 }, { 5 }, { left = -1, right = 7 }):totable())
    assert.same({ 5.0 }, tide.array{ 2 }
                  :interp({ 0 / 0 }, { 5 }, { right = 7 }):totable())
    assert.same({ 2, 0 }, tide.ones{ 2, 0 }:interp({ 1 }, { 3 }).shape)
    assert.equal("float64", tide.ones(2, "float16"):interp({ 1 }, { 3 }).dtype)
    badarg(2, "there are no points", tide.interp, a, {}, {})
    badarg(3, "a number for each point expected", tide.interp, a, { 1, 2 },
           { 1 })
    badarg(2, "points must have one axis", tide.interp, a, { { 1 } }, { 1 })
    badarg(1, "real numbers expected", tide.interp, tide.ones(1, "complex64"),
           { 1 }, { 1 })
  end)

  it("refuses a period that is none (#294)", function ()
    local x = tide.array{ 0., 1, 2 }
    for _, period in ipairs{ 0, 0 / 0, -math.huge } do
      badarg(4, "option 'period' must be a finite number, and not 0",
             tide.interp, x, x, x, { period = period })
    end
  end)
end)

end)
