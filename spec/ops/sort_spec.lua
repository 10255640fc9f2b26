--[[
sort_spec.lua - sort and argsort: of rows that a block takes whole and of rows
that many blocks share, of every dtype, along every axis.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg
local array, values = helper.array, helper.values

--- Many that are equal, the edges, and others.
local function elements (n, dtype, pick)
  local list, edges = numbers.random(dtype, n, pick), numbers.edges(dtype)
  for i = 1, n, 3 do
    list[i] = edges[pick(#edges)]
  end
  return list
end

--- before(x, y, dtype): NaNs come last.
local function before (x, y, dtype)
  if x ~= x or y ~= y then
    return x == x and y ~= y
  end
  return numbers.binary.lt(x, y, dtype)
end

--- The places of list[from..from+n-1] in order, of equals the first one first.
local function order_of (list, from, n, dtype, down)
  local order = {}
  for i = 1, n do
    order[i] = i
  end
  table.sort(order, function (i, j)
    local x, y = list[from + i - 1], list[from + j - 1]
    if down and (before(x, y, dtype) or before(y, x, dtype)) then
      return before(y, x, dtype)
    end
    return before(x, y, dtype) or not before(y, x, dtype) and i < j
  end)
  return order
end

local function same (x, y)
  return x == y or x ~= x and y ~= y
end

--- Rows of n: as many as the list has.
local function check (list, dtype, n, down)
  local a = array(list, dtype, { #list // n, n })
  local options = down and { descending = true }
  local z, at = a:sort(options), a:argsort(options)
  assert.equal(dtype, z.dtype)
  assert.equal("int64", at.dtype)
  assert.same(a.shape, z.shape)
  assert.same(a.shape, at.shape)
  local zs, ats = values(z), values(at)
  for from = 1, #list, n do
    for i, place in ipairs(order_of(list, from, n, dtype, down)) do
      if ats[from + i - 1] ~= place then
        error(("argsort of %s, row of %d: [%d] is %s, expected %s"):format(
          dtype, n, i, ats[from + i - 1], place))
      elseif not same(zs[from + i - 1], list[from + place - 1]) then
        error(("sort of %s, row of %d: [%d] is %s, expected %s"):format(
          dtype, n, i, zs[from + i - 1], list[from + place - 1]))
      end
    end
  end
  assert.equal(a:tobytes(), numbers.pack(list, dtype))
end

helper.each_device(function ()

describe("sort and argsort", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype .. " in rows of a block", function ()
      local pick = helper.generator(99)
      for _, n in ipairs{ 1, 2, 3, 16, 17, 100, 1025, 2047, 2048 } do
        check(elements(n, dtype, pick), dtype, n)
      end
      check(elements(700 * 5, dtype, pick), dtype, 5)
      check(elements(33 * 130, dtype, pick), dtype, 130)
      check(elements(3 * 2048, dtype, pick), dtype, 2048)
    end)

    it("of " .. dtype .. " in rows of many blocks", function ()
      local pick = helper.generator(7)
      for _, n in ipairs{ 2049, 4096, 4097, 9000 } do
        check(elements(n, dtype, pick), dtype, n)
      end
      check(elements(3 * 4100, dtype, pick), dtype, 4100)
      check(elements(2 * 2050, dtype, pick), dtype, 2050)
    end)

    it("of " .. dtype .. ", the greatest first", function ()
      local pick = helper.generator(23)
      for _, n in ipairs{ 1, 17, 100, 2048, 2049, 9000 } do
        check(elements(n, dtype, pick), dtype, n, true)
      end
      check(elements(33 * 130, dtype, pick), dtype, 130, true)
      check(elements(3 * 4100, dtype, pick), dtype, 4100, true)
    end)
  end

  it("of few rows and many, whatever remains of them", function ()
    local pick = helper.generator(31)
    for _, dtype in ipairs{ "int8", "float16", "float32", "int64" } do
      for rows = 1, 9 do
        for _, n in ipairs{ 7, 8, 9, 31, 128, 129, 300 } do
          check(elements(rows * n, dtype, pick), dtype, n, rows % 2 == 0 or nil)
        end
      end
      check(elements(517 * 67, dtype, pick), dtype, 67)  -- by several jobs
    end
  end)

  it("of wide keys that are the same in part", function ()
    local pick = helper.generator(61)
    for _, dtype in ipairs{ "int64", "uint64", "float64" } do
      for _, rows in ipairs{ 1, 6 } do
        for high = 1, 3, 2 do
          for low = 1, 3, 2 do
            local list = {}
            for i = 1, rows * 200 do
              list[i] = pick(high) << 32 | pick(low) << 20
            end
            list = dtype == "float64" and
                   numbers.unpack(numbers.pack(list, "int64"), dtype) or list
            check(list, dtype, 200)
          end
        end
      end
    end
  end)

  it("of all the same, and of what is sorted already", function ()
    for _, n in ipairs{ 100, 20000 } do
      for _, dtype in ipairs{ "uint8", "int32", "float64" } do
        local a = tide.full(n, 3, dtype)
        assert.equal(a:tobytes(), a:sort():tobytes())
        assert.is_true(a:argsort():eq(tide.arange(1, n + 1)):all():item())
      end
      local up, down = tide.arange(n), tide.arange(n - 1, -1, -1)
      assert.equal(up:tobytes(), up:sort():tobytes())
      assert.equal(up:tobytes(), down:sort():tobytes())
      assert.equal((down + 1):tobytes(), down:argsort():tobytes())
    end
  end)

  it("of a million", function ()
    local n = 1000003
    for _, dtype in ipairs{ "int32", "float32", "int64", "float64" } do
      local a = (tide.arange(n) * 7919 % n - n // 2):astype(dtype)
      local wanted = (tide.arange(n) - n // 2):astype(dtype)
      assert.is_true(a:sort():eq(wanted):all():item())
      assert.is_true(a:take(a:argsort()):eq(wanted):all():item())
    end
  end)

  it("of 2^k different numbers, whose digits are 2^k places apart", function ()
    local n = 1 << 18
    local wanted = tide.arange(n)
    for _, dtype in ipairs{ "int32", "uint32", "float32", "int64" } do
      local a = tide.concatenate{ tide.arange(n) * 7919 % n,
                                  tide.arange(n) * 104729 % n }
      a = a:astype(dtype):reshape(2, n)
      assert.is_true(a:sort():eq(wanted):all():item())
      assert.is_true(a:take_along_axis(a:argsort()):eq(wanted):all():item())
      local down = a:sort{ descending = true }:flip(2)
      assert.is_true(down:eq(wanted):all():item())
    end
  end)

  it("of numbers that differ in some of their bytes", function ()
    local n = 9000
    for _, mask in ipairs{ 0x03, 0x05, 0x81, 0x24, 0x55, 0x70, 0xff } do
      local a = tide.full(n, 0x1234, "int64")
      for p = 0, 7 do
        if mask >> p & 1 == 1 then
          a = a ~ (tide.random.randint(0, 30, n) << 8 * p)
        end
      end
      for _, down in ipairs{ false, true } do
        local order = a:argsort{ descending = down }
        local w = a:take(order)
        assert.equal(w:tobytes(), a:sort{ descending = down }:tobytes())
        local one, next = w:slice(1, n - 1), w:slice(2, n)
        local right = down and one:gt(next) or one:lt(next)
        assert.is_true((right | (one:eq(next) & order:diff():gt(0))):all()
                       :item())
        assert.equal(n * (n + 1) // 2, order:sum():item())
      end
    end
  end)

  it("of numbers whose digits are the same but for one", function ()
    local n = 30000
    for _, dtype in ipairs{ "int32", "int64", "float64" } do
      for shift = 0, 24, 8 do
        local x = tide.arange(n) * 7919 % 200
        local a = ((x << shift) + (5 << 56 >> 32)):astype(dtype)
        local order = a:argsort()
        local w = a:take(order)
        assert.equal(w:tobytes(), a:sort():tobytes())
        assert.is_true(w:diff():ge(0):all():item())
        -- of equals the first one is first
        assert.is_true((order:diff():gt(0) | w:diff():gt(0)):all():item())
      end
    end
  end)

  it("puts NaNs last and keeps infinities and zeros", function ()
    local nan = 0 / 0
    for _, dtype in ipairs{ "float32", "float64" } do
      local a = array({ nan, 1.0, -1 / 0, -nan, 0.0, 1 / 0, -0.0 }, dtype)
      local z = values(a:sort())
      assert.same({ -1 / 0, 0.0, 0.0, 1.0, 1 / 0 }, { table.unpack(z, 1, 5) })
      assert.is_true(z[6] ~= z[6] and z[7] ~= z[7])
      assert.same({ 3, 5, 7, 2, 6, 1, 4 }, a:argsort():totable())
    end
  end)

  it("go along any axis", function ()
    local pick = helper.generator(3)
    for _, shape in ipairs{ { 7, 5, 3 }, { 2, 2100, 2 } } do
      local size = shape[1] * shape[2] * shape[3]
      local a = array(numbers.random("int32", size, pick), "int32", shape)
      for axis = 1, 3 do
        local z, at = a:sort(axis), a:argsort(axis - 4)
        assert.same(shape, z.shape)
        local last = { 1, 2, 3 }
        last[axis], last[3] = 3, axis
        local t = a:permute(last):copy()
        assert.equal(t:sort():tobytes(), z:permute(last):copy():tobytes())
        assert.equal(t:argsort():tobytes(), at:permute(last):copy():tobytes())
      end
    end
  end)

  it("take rows of one element as they are", function ()
    for _, t in ipairs{ "float32", "int8", "bool", "uint64", "float16" } do
      local x = tide.array{ 3, 0, 1, 2 }:ne(2):mul(3):astype(t)
      for axis, shape in ipairs{ { 1, 4 }, { 4, 1 } } do
        local v = x:reshape(shape)
        for _, options in ipairs{ {}, { descending = true } } do
          local z = v:sort(axis, options)
          assert.same({ shape, t }, { z.shape, z.dtype })
          assert.equal(v:tobytes(), z:tobytes())
          z = v:argsort(axis, options)
          assert.same({ shape, "int64" }, { z.shape, z.dtype })
          assert.equal(4, z:eq(1):sum():item())
        end
        assert.is_not.equal(v.ptr, v:sort(axis).ptr)
        assert.equal(v:tobytes(), v:partition(1, axis):tobytes())
      end
    end
    local nan = tide.array{ { 0 / 0 }, { -0.0 }, { 1 / 0 } }
    assert.equal(nan:tobytes(), nan:sort():tobytes())
  end)

  it("take views, and arrays of no or one element", function ()
    local a = tide.arange(20, 0, -1):reshape{ 4, 5 }
    assert.same({ 1, 6, 11, 16 }, a.T[5]:sort():totable())
    assert.same({ 4, 3, 2, 1 }, a.T[5]:argsort():totable())
    assert.same({ 0, 3 }, tide.ones{ 0, 3 }:sort().shape)
    assert.same({ 3, 0 }, tide.ones{ 3, 0 }:argsort().shape)
    assert.equal(5, tide.array(5):sort():item())
    assert.equal(1, tide.array(5):argsort():item())
  end)

  it("in a graph sort what is there at each launch", function ()
    local n = 20001
    local a = tide.zeros(n, "int32")
    local g <close>, z, at = tide.capture(function ()
      return a:sort(), a:argsort()
    end)
    for round = 1, 4 do
      local x = tide.arange(n, "int64") * (7919 * round) % 30011
      a:copy_from(x:astype("int32"))
      g:launch()
      assert.equal(a:sort():tobytes(), z:tobytes())
      assert.equal(a:argsort():tobytes(), at:tobytes())
    end
  end)

  it("want an axis that there is", function ()
    local a = tide.ones{ 2, 3 }
    for _, axis in ipairs{ 0, 3, -3 } do
      badarg(2, "axis " .. axis .. " is out of range", tide.sort, a, axis)
      badarg(2, "axis " .. axis .. " is out of range", tide.argsort, a, axis)
    end
    badarg(1, "tide.Array, such as", tide.sort, {})
    badarg(2, "unknown option 'decending'", tide.sort, a, { decending = true })
    fails("option 'descending' must be a boolean", tide.sort, a,
          { descending = 1 })
  end)
end)

end)
