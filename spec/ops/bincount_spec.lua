--[[
bincount_spec.lua - bincount, histogram and histogram2d, beside loops in Lua.
NumPy's answers are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

local INTEGERS = numbers.sets.INTEGER

--- n integers from 1 to most, and how often there is each.
local function integers (n, most, pick)
  local list, counts = {}, {}
  for i = 1, most do counts[i] = 0 end
  for i = 1, n do
    list[i] = pick(most)
    counts[list[i]] = counts[list[i]] + 1
  end
  return list, counts
end

helper.each_device(function ()

describe("bincount", function ()
  for _, dtype in ipairs(INTEGERS) do
    it("of " .. dtype, function ()
      local pick = helper.generator(12)
      for _, n in ipairs{ 0, 1, 31, 1000, 40000 } do
        for _, most in ipairs{ 1, 10, 100 } do
          local list, counts = integers(n, most, pick)
          local a = tide.array(list, dtype)
          assert.same(counts, a:bincount{ size = most }:totable())
          assert.same(counts, a:bincount{ minlength = most }:totable())
          assert.same({ 0, table.unpack(counts) },
                      a:bincount{ base = 0, size = most + 1 }:totable())
        end
      end
    end)
  end

  it("of few bins and many, wherever it begins", function ()
    local pick = helper.generator(5)
    for _, most in ipairs{ 2, 255, 256, 257, 1000, 8192, 8193, 60000 } do
      local list, counts = integers(50001, most, pick)
      for _, dtype in ipairs{ "int64", "int32" } do
        local a = tide.array(list, dtype)
        assert.same(counts, a:bincount{ size = most }:totable())
        local first = list[1]
        counts[first] = counts[first] - 1
        assert.same(counts, a:slice(2):bincount{ size = most }:totable())
        counts[first] = counts[first] + 1
      end
    end
  end)

  it("adds weights, the same every time", function ()
    local pick = helper.generator(3)
    for _, most in ipairs{ 1, 7, 300, 70000 } do
      for _, n in ipairs{ 0, 1, 500, 30000 } do
        local list, sums, weights = integers(n, most, pick), {}, {}
        for i = 1, most do sums[i] = 0.0 end
        for i, b in ipairs(list) do
          weights[i] = (pick(2001) - 1001) / 4
          sums[b] = sums[b] + weights[i]
        end
        local a, w = tide.array(list, "int64"), tide.array(weights, "float64")
        assert.same(sums, a:bincount(w, { size = most }):totable())
        assert.same(sums, a:bincount(w:astype "float32",
                                     { minlength = most }):totable())
      end
    end
    local a = tide.random.randint(1, 9, 30000)
    local w = tide.random.normal(0, 1e9, 30000)
    local bytes = a:bincount(w):tobytes()
    for _ = 1, 5 do
      assert.equal(bytes, a:bincount(w):tobytes())
    end
  end)

  it("counts and weighs in parts as in one go", function ()
    local n = 400003
    for _, dtype in ipairs{ "uint8", "int16", "int64" } do
      local most = dtype == "uint8" and 250 or 5000
      local a = tide.random.randint(-3, most + 3, n):clip(0, most + 3)
                            :astype(dtype)
      local w = tide.random.randint(-999, 999, n):astype "float64" / 8
      for _, size in ipairs{ 1, 200, most } do
        local counts, sums = {}, {}
        for b = 1, size do counts[b], sums[b] = 0, 0.0 end
        local weights = w:totable()
        for i, b in ipairs(a:totable()) do
          if counts[b] then
            counts[b], sums[b] = counts[b] + 1, sums[b] + weights[i]
          end
        end
        assert.same(counts, a:bincount{ size = size }:totable())
        assert.same(sums, a:bincount(w, { size = size }):totable())
        assert.same(counts, (a:histogram(size, {
          range = { 1, size + 0.999 } })):totable())
      end
    end
    local a = tide.random.randint(1, 9, n)
    local w = tide.random.normal(0, 1e9, n)
    w[5], w[n] = 1 / 0, 0 / 0
    a[5], a[n] = 10, 11
    local sums = a:bincount(w)
    assert.equal(1 / 0, sums[10])
    assert.is_true(sums:isnan()[11])
    for _ = 1, 5 do
      assert.equal(sums:tobytes(), a:bincount(w):tobytes())
      local views = a:flip():bincount(w:flip())
      assert.is_true(views:slice(1, 9):isclose(sums:slice(1, 9)):all():item())
    end
  end)

  it("does not count what is in no bin", function ()
    local a = tide.array{ -5, 0, 1, 3, 3, 4, math.maxinteger,
                          math.mininteger }
    assert.same({ 1, 0, 2 }, a:bincount{ size = 3 }:totable())
    assert.same({ 1.0, 0.0, 2.0 }, a:bincount(tide.ones(8), { size = 3 })
                                    :totable())
    assert.same({ 1, 0, 2 }, a:bincount{ size = 3, base = 1 }:totable())
    assert.same({ 2, 1 }, a:bincount{ size = 2, base = 3 }:totable())
    assert.same({}, a:bincount{ size = 0 }:totable())
    fails("-9223372036854775808 is below the first bin, 1", tide.bincount, a)
    badarg(1, "0 is below the first bin, 1; { base = 0 } counts from 0",
           tide.bincount, tide.array{ 0, 1 })
    badarg(1, "too many bins, up to 9223372036854775807", tide.bincount,
           tide.array{ math.maxinteger })
  end)

  it("takes any shape, views, and goes to out", function ()
    local a = tide.array{ { 1, 2, 3 }, { 3, 3, 1 } }
    assert.same({ 2, 1, 3 }, a.T:bincount():totable())
    assert.same({ 1, 0, 1 }, a:select(2, 1):bincount():totable())
    assert.same({ 1, 1 }, tide.array{ true, false }:bincount{ base = 0 }
                            :totable())
    assert.same({ 0, 0, 1 }, tide.array(3):bincount():totable())
    assert.same({}, tide.zeros(0, "int8"):bincount():totable())
    local w = tide.array{ { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ 7.0, 2.0, 12.0 }, a.T:bincount(w.T):totable())
    local z = tide.zeros(3, "int64")
    assert.equal(z, a:bincount{ out = z })
    assert.same({ 2, 1, 3 }, z:totable())
  end)

  it("is captured, if it need not wait", function ()
    local a, z = tide.array{ 1, 2, 2 }, tide.zeros(3, "int64")
    local g <close> = tide.capture(function ()
      a:bincount{ size = 3, out = z }
    end)
    a:add_(1)
    g:launch()
    g:launch()
    assert.same({ 0, 1, 2 }, z:totable())
    fails("{ size = n } says it", tide.capture, function ()
      a:bincount()
    end)
  end)

  it("says what is wrong", function ()
    local a = tide.array{ 1, 2 }
    badarg(1, "integers expected, got float64", tide.bincount, tide.ones(2))
    badarg(2, "as many weights as elements expected", tide.bincount, a,
           tide.ones(3))
    badarg(2, "unknown option 'min_length'", tide.bincount, a,
           { min_length = 3 })
    badarg(3, "option 'size' must be from 0 to 2^30", tide.bincount, a, nil,
           { size = -2 })
    badarg(2, "real weights expected", tide.bincount, a,
           tide.ones(2, "complex64"))
  end)

  it("refuses integers of uint64 that are too great (#294)", function ()
    for _, x in ipairs{ tide.array({ -1, 5 }, "uint64"),
                        tide.array({ -1 }, "uint64"),
                        tide.array({ 1 << 63, 5, 5 }, "uint64") } do
      badarg(1, "too many bins, up to 2^63 or more", tide.bincount, x)
      badarg(1, "too many bins", tide.bincount, x, { minlength = 7 })
    end
  end)

  it("and histogram say what weights are (#312)", function ()
    local x = tide.array{ 1, 2, 3 }
    badarg(2, "weights are a tide.Array, not a list; options have names",
           tide.bincount, x, { 1, 2, 3 })
    badarg(2, "option 'weights' must be an open tide.Array", tide.histogram, x,
           { weights = { 1, 2 } })
  end)
end)

--- counted(list, edges) -> how many are in each bin.
local function counted (list, edges)
  local counts, last = {}, #edges - 1
  for b = 1, last do counts[b] = 0 end
  for _, x in ipairs(list) do
    for b = 1, last do
      if x >= edges[b] and (x < edges[b + 1] or b == last and
                            x == edges[b + 1]) then
        counts[b] = counts[b] + 1
        break
      end
    end
  end
  return counts
end

describe("histogram", function ()
  for _, dtype in ipairs(numbers.sets.NUMBER) do
    it("of " .. dtype, function ()
      local pick = helper.generator(77)
      for _, n in ipairs{ 1, 2, 100, 9000 } do
        local list = {}
        for i = 1, n do
          list[i] = numbers.fit(pick(100) + (pick(16) - 1) / 16 // 1, dtype)
        end
        local a = helper.array(list, dtype)
        for _, bins in ipairs{ 1, 7, 10, 300 } do
          local counts, edges = a:histogram(bins)
          edges = edges:totable()
          assert.equal(bins + 1, #edges)
          assert.same(counted(list, edges), counts:totable())
          counts, edges = a:histogram(bins, { range = { 10, 70 } })
          assert.same(counted(list, edges:totable()), counts:totable())
        end
        local edges = { 3, 10, 10.5, 40, 77 }
        assert.same(counted(list, edges), (a:histogram(edges)):totable())
        edges = { 3, 10, 11, 40, 77 }
        assert.same(counted(list, edges), (a:histogram(edges)):totable())
      end
    end)
  end

  it("keeps its edges, NaN and what is outside apart", function ()
    local nan = 0 / 0
    local a = tide.array{ 0, 1, 2, 3, nan, -1 / 0, 1 / 0, -1, 3.5 }
    assert.same({ 1, 1, 2 }, (a:histogram{ 0, 1, 2, 3 }):totable())
    local counts, edges = tide.array{ 5, 5 }:histogram(2)
    assert.same({ 4.5, 5.0, 5.5 }, edges:totable())
    assert.same({ 0, 2 }, counts:totable())
    counts, edges = tide.zeros(0):histogram(2)
    assert.same({ 0.0, 0.5, 1.0 }, edges:totable())
    assert.same({ 0, 0 }, counts:totable())
    local big = 1 << 53
    assert.same({ 1, 2 }, (tide.array{ big, big + 1, big + 2 }
                             :histogram{ big, big + 1, big + 2 }):totable())
  end)

  it("has weights, which stay open, and densities", function ()
    local a = tide.array{ { 1, 2 }, { 2, 7 } }
    local w = tide.array({ { 1, 2 }, { 4, 8 } }, "float32")
    for _ = 1, 2 do
      local sums = a:histogram({ 1, 2, 3 }, { weights = w })
      assert.equal("float32", sums.dtype)
      assert.same({ 1.0, 6.0 }, sums:totable())
    end
    local share, edges = a:histogram({ 1, 2, 10 }, { density = true })
    assert.same({ 0.25, 0.75 / 8 }, share:totable())
    assert.same({ 1, 2, 10 }, edges:totable())
    assert.same({ 2, 0 }, (a.T:histogram({ 2, 5, 6 }, { range = { 0, 1 } }))
                            :totable())
  end)

  it("is captured", function ()
    local a, z = tide.array{ 1., 2., 2., 9. }, tide.zeros(2, "int64")
    local g <close> = tide.capture(function ()
      z:copy_from((a:histogram(2)))
    end)
    a:neg_()
    g:launch()
    assert.same({ 1, 3 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones(3)
    badarg(2, "the number of bins must be an integer from 1 to 2^30",
           tide.histogram, a, 0)
    badarg(2, "edges must have one axis of two elements or more",
           tide.histogram, a, { 1 })
    badarg(3, "option 'range' must have two numbers, the first below",
           tide.histogram, a, 3, { range = { 2, 1 } })
    badarg(3, "field 'x' in option 'range'", tide.histogram, a, 3,
           { range = { 0, 1, x = 2 } })
    badarg(2, "option 'weights' must have one for each element",
           tide.histogram, a, { weights = tide.ones(2) })
    badarg(1, "real numbers expected, got complex64", tide.histogram,
           tide.ones(3, "complex64"))
    badarg(3, "unknown option 'normed'", tide.histogram, a, 3,
           { normed = true })
  end)

  it("adds weights as their dtype does (#294)", function ()
    local x, edges = tide.array{ 0., 0., -1, 2 }, tide.array{ 0., 1. }
    for _, case in ipairs{ { 1 << 53, 1, "int64", (1 << 53) + 1 },
                           { 1 << 62, 1 << 62, "int64", math.mininteger },
                           { 127, 1, "int8", -128 },
                           { 1 << 63, 1, "uint64", (1 << 63) + 1 },
                           { -1, 0, "uint64", -1 },
                           { 1.25, 2.25, "float32", 3.5 } } do
      local a, b, dtype, sum = table.unpack(case)
      local w = tide.array({ a, b, 77, 55 }, dtype)
      local z = tide.histogram(x, edges, { weights = w })
      assert.same({ dtype, sum }, { z.dtype, z[1] })
      assert.same({ { sum } }, tide.histogram2d(x, x, edges,
                                                { weights = w }):totable())
    end
  end)
end)

describe("histogram2d", function ()
  it("counts points in cells", function ()
    local pick = helper.generator(31)
    local xs, ys, n = {}, {}, 5000
    for i = 1, n do
      xs[i], ys[i] = pick(100) / 4, pick(60) - 30
    end
    local x, y = tide.array(xs), tide.array(ys)
    local counts, ex, ey = x:histogram2d(y, { 6, { -20, 0, 3, 29 } })
    ex, ey = ex:totable(), ey:totable()
    assert.equal(7, #ex)
    assert.same({ -20, 0, 3, 29 }, ey)
    local wanted = {}
    for i = 1, 6 do
      local inside = {}
      for k = 1, n do
        if xs[k] >= ex[i] and (xs[k] < ex[i + 1] or
                               i == 6 and xs[k] == ex[7]) then
          inside[#inside + 1] = ys[k]
        end
      end
      wanted[i] = counted(inside, ey)
    end
    assert.same(wanted, counts:totable())
  end)

  it("has weights and densities", function ()
    local x, y = tide.array{ 0, 1, 1, 5 }, tide.array{ 0, 0, 1, 1 }
    local w = tide.array{ 1, 2, 4, 8 }
    local options = { weights = w, range = { { 0, 2 }, { 0, 1 } } }
    for _ = 1, 2 do
      assert.same({ { 1, 0 }, { 2, 4 } },
                  (x:histogram2d(y, 2, options)):totable())
    end
    options = { density = true, range = { { 0, 2 }, { 0, 1 } } }
    assert.same({ { 2 / 3, 0 }, { 2 / 3, 2 / 3 } },
                (x:histogram2d(y, 2, options)):totable())
    badarg(2, "as many numbers expected", tide.histogram2d, x, tide.ones(3))
    badarg(4, "option 'range' must have a range for each axis",
           tide.histogram2d, x, y, 2, { range = { 0, 1, 2 } })
    badarg(4, "field 'x' in option 'range'", tide.histogram2d, x, y, 2,
           { range = { { 0, 1 }, { 0, 1 }, x = 1 } })
    badarg(3, "field 'x' in a list of bins for each axis", tide.histogram2d, x,
           y, { 2, 2, x = 1 })
  end)
end)

end)
