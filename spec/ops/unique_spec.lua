--[[
unique_spec.lua - unique, topk and lexsort, beside loops in Lua. NumPy's answers
are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

--- The different elements of a list in order, where each is first, which one
-- each is, and how many there are.
local function different (list)
  local values, first, which, counts, at = {}, {}, {}, {}, {}
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  for _, x in ipairs(sorted) do
    if x ~= values[#values] then
      values[#values + 1] = x
      at[x], counts[#values] = #values, 0
    end
    counts[at[x]] = counts[at[x]] + 1
  end
  for i, x in ipairs(list) do
    which[i] = at[x]
    first[at[x]] = first[at[x]] or i
  end
  return values, first, which, counts
end

helper.each_device(function ()

describe("unique", function ()
  for _, dtype in ipairs(numbers.sets.NUMBER) do
    it("of " .. dtype, function ()
      local pick = helper.generator(6)
      for _, n in ipairs{ 0, 1, 2, 50, 2500 } do
        local list = {}
        for i = 1, n do
          list[i] = numbers.fit(pick(100), dtype)
        end
        local a = helper.array(list, dtype)
        local values, first, which, counts = different(list)
        local z, f, w, c = a:unique{ return_index = true, return_counts = true,
                                     return_inverse = true }
        assert.equal(dtype, z.dtype)
        assert.equal(numbers.pack(values, dtype), z:tobytes())
        assert.same(first, f:totable())
        assert.same(which, w:totable())
        assert.same(counts, c:totable())
        assert.equal(z:tobytes(), a:unique():tobytes())
        assert.same({ z:totable(), counts },
                    { a:unique_values():totable(),
                      select(2, a:unique_counts()):totable() })
      end
    end)
  end

  it("takes NaNs for one, or each for itself", function ()
    local nan = 0 / 0
    local a = tide.array{ nan, 1, nan, -0.0, 0.0, 1 }
    local z, which, counts = a:unique{ return_inverse = true,
                                       return_counts = true }
    assert.equal(3, #z)
    assert.same({ 3, 2, 3, 1, 1, 2 }, which:totable())
    assert.same({ 2, 2, 2 }, counts:totable())
    z, which = a:unique_inverse()
    assert.equal(4, #z)
    assert.same({ 3, 2, 4, 1, 1, 2 }, which:totable())
    assert.equal(4, #a:unique{ equal_nan = false })
  end)

  it("of any shape; the inverse has it too", function ()
    local a = tide.array{ { 5, 1, 5 }, { 1, 1, 7 } }
    local z, first, which, counts = a.T:unique_all()
    assert.same({ 1, 5, 7 }, z:totable())
    assert.same({ 2, 1, 6 }, first:totable())
    assert.same({ { 2, 1 }, { 1, 1 }, { 2, 3 } }, which:totable())
    assert.same({ 3, 2, 1 }, counts:totable())
    assert.same({ 7 }, tide.array(7):unique():totable())
    assert.same({ false, true }, tide.array{ true, false, true }:unique()
                                   :totable())
  end)

  it("of a size that is said does not wait, and is captured", function ()
    local a = tide.array{ 3, 1, 3, 8 }
    local z, first, counts = a:unique{ size = 5, fill = -1,
                                       return_index = true,
                                       return_counts = true }
    assert.same({ 1, 3, 8, -1, -1 }, z:totable())
    assert.same({ 2, 1, 4, 0, 0 }, first:totable())
    assert.same({ 1, 2, 1, 0, 0 }, counts:totable())
    assert.same({ 1, 3 }, a:unique{ size = 2 }:totable())
    assert.same({}, a:unique{ size = 0 }:totable())
    assert.same({ 0, 0 }, tide.zeros(0):unique{ size = 2 }:totable())
    local out = tide.zeros(3, "int64")
    local g <close> = tide.capture(function ()
      out:copy_from(a:unique{ size = 3, fill = 9 })
    end)
    a:copy_from{ 2, 2, 2, 1 }
    g:launch()
    assert.same({ 1, 2, 9 }, out:totable())
    fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", tide.capture, function ()
      a:unique()
    end)
  end)

  it("says what is wrong", function ()
    local a = tide.arange(3)
    badarg(2, "option 'fill' ", tide.unique, a, { size = 2, fill = 0.5 })
    badarg(2, "option 'fill' must be a number", tide.unique, a, { fill = "x" })
    badarg(2, "option 'size' must be from 0 to 2^46", tide.unique, a,
           { size = -3 })
    badarg(2, "unknown option 'return_count'", tide.unique, a,
           { return_count = true })
    fails("'unique' is not defined for complex64 arrays", tide.unique,
          tide.ones(2, "complex64"))
  end)
end)

describe("topk", function ()
  it("is the first of what is sorted, along any axis", function ()
    local pick = helper.generator(2)
    for _, n in ipairs{ 1, 5, 3000 } do
      local a = tide.array(numbers.random("int32", 3 * n, pick), "int32")
                  :reshape{ 3, n }
      for _, largest in ipairs{ true, false } do
        for _, k in ipairs{ 0, 1, math.min(n, 4), n } do
          local z, at = a:topk(k, { largest = largest })
          local options = { descending = largest }
          assert.same({ 3, k }, z.shape)
          local sorted = a:sort(options):slice(1, k, 1, 2)
          local order = a:argsort(options):slice(1, k, 1, 2)
          assert.is_true(tide.array_equal(z, sorted))
          assert.is_true(tide.array_equal(at, order))
          local other, places = a.T:topk(k, 1, { largest = largest })
          assert.is_true(tide.array_equal(other, z.T))
          assert.is_true(tide.array_equal(places, at.T))
        end
      end
    end
    assert.same({ 0, 2 }, tide.ones{ 0, 5 }:topk(2).shape)
    local most = "from 0 to 3 expected, as many as the axis has, got "
    badarg(2, most .. 4, tide.topk, tide.ones{ 4, 3 }, 4)
    badarg(2, most .. -1, tide.topk, tide.ones(3), -1)
    badarg(1, "at least one axis expected", tide.topk, tide.array(1), 1)
  end)

  --- That it is what sorting gives, for several k.
  local function check (a, ...)
    for _, largest in ipairs{ true, false } do
      local order = a:argsort{ descending = largest }
      for _, k in ipairs{ ... } do
        local z, at = a:topk(k, { largest = largest })
        local wanted = order:slice(1, k, 1, -1):copy()
        assert.equal("int64", at.dtype)
        assert.equal(a.dtype, z.dtype)
        assert.is_true(tide.array_equal(at, wanted))
        assert.equal(a:take_along_axis(wanted):tobytes(), z:tobytes())
      end
    end
  end

  it("chooses among elements of each dtype", function ()
    local pick = helper.generator(3)
    for _, dtype in ipairs(numbers.sets.REAL) do
      for _, n in ipairs{ 2049, 4096, 4097, 9001 } do
        check(tide.frombytes(numbers.pack(numbers.random(dtype, 2 * n, pick),
                                          dtype), dtype):reshape{ 2, n },
              1, 2, 31, 512, 513)
      end
    end
  end)

  it("has the first ones of equal elements", function ()
    local i = tide.arange(3 * 20000)
    for _, dtype in ipairs{ "uint8", "int16", "float32", "float64" } do
      for _, x in ipairs{ i * 0, i:mod(2), i:mod(3000):eq(2999),
                          i:mod(4096):ge(4090), i:ge(59990), i:lt(7) } do
        check(x:astype(dtype):reshape(3, 20000), 1, 100, 300)
      end
    end
    local a = tide.array{ 0.0, -0.0, 0 / 0, -(0 / 0), -1.0 }
    check(a:tile(1000), 3, 500)
    check(a:tile(1000):astype "float16", 3, 500)
  end)

  it("chooses in long rows, and in what is chosen of them", function ()
    for _, n in ipairs{ 1 << 16, 70000, 300001 } do
      check(tide.random.uniform(n, "float32"), 1, 100, 511, 512)
      check(tide.random.randint(0, 50, n), 400)
    end
    local m = tide.random.uniform({ 64, 5000 }, "float32")
    check(m, 10)
    local z, at = m.T:topk(10, 1)
    assert.is_true(tide.array_equal((m:topk(10)), z.T))
    assert.is_true(tide.array_equal(select(2, m:topk(10)), at.T))
  end)

  it("chooses none of none, however many rows have none (#294)", function ()
    for _, x in ipairs{ tide.zeros(0), tide.zeros{ 3, 0 }, tide.zeros{ 0, 3 },
                        tide.ones{ 3, 4 }, tide.zeros{ 1 << 40, 0 },
                        tide.zeros({ 1 << 40, 0 }, "int8") } do
      local z, at = x:topk(0)
      local shape = x.shape
      shape = { table.unpack(shape, 1, #shape - 1) }
      shape[#shape + 1] = 0
      assert.same(shape, z.shape)
      assert.same(shape, at.shape)
      assert.equal(x.dtype, z.dtype)
      assert.equal("int64", at.dtype)
    end
    assert.same({ 0, 3 }, (tide.zeros{ 0, 3 }:topk(0, 1)).shape)
    assert.same({ 0, 1 << 40 }, (tide.zeros{ 0, 1 << 40 }:topk(0, 1)).shape)
  end)

  it("reads as many axes of a long row as there are (#296)", function ()
    local x, keep = tide.arange(2049), {}
    for i = 1, 3000 do
      keep[i] = x:topk(1)
      x:topk(1)
    end
    for i = 1, 3000, 500 do assert.equal(2048, keep[i]:item()) end
    for _, n in ipairs{ 3, 3000 } do
      badarg(1, "'topk' is not defined for complex64 arrays", tide.topk,
             tide.zeros(n, "complex64"), 1)
    end
  end)
end)

describe("lexsort", function ()
  it("is the order by several arrays", function ()
    local pick = helper.generator(4)
    for _, n in ipairs{ 1, 20, 3000 } do
      local keys = { {}, {}, {} }
      for i = 1, n do
        keys[1][i], keys[2][i], keys[3][i] = pick(900), pick(4) / 2, pick(3)
      end
      local order = {}
      for i = 1, n do order[i] = i end
      table.sort(order, function (i, j)
        for k = 3, 1, -1 do
          if keys[k][i] ~= keys[k][j] then
            return keys[k][i] < keys[k][j]
          end
        end
        return i < j
      end)
      local arrays = {}
      for k = 1, 3 do arrays[k] = tide.array(keys[k]) end
      assert.same(order, tide.lexsort(arrays):totable())
      local rows = {}
      for k = 1, 3 do
        rows[k] = tide.stack({ arrays[k], arrays[k]:flip() }, 2)
      end
      local z = tide.zeros({ n, 2 }, "int64")
      assert.equal(z, tide.lexsort(rows, 1, { out = z }))
      assert.same(order, z:select(2, 1):totable())
    end
  end)

  it("says what is wrong", function ()
    local a = tide.ones(3)
    badarg(1, "at least one array expected", tide.lexsort, {})
    badarg(1, "arrays of one shape expected", tide.lexsort,
           { a, tide.ones(2) })
    badarg(1, "at least one axis expected", tide.lexsort, { tide.array(1) })
    badarg(2, "axis 2 is out of range", tide.lexsort, { a, a }, 2)
  end)

  it("has none to order, however many rows have none (#295)", function ()
    for _, shape in ipairs{ { 0 }, { 3, 0 }, { 1 << 40, 0 } } do
      local a = tide.zeros(shape)
      assert.same(shape, tide.lexsort{ a, a }.shape)
    end
  end)
end)

describe("unique of slices", function ()
  --- The different rows of nested tables in order, as strings, and where they
  -- are.
  local function rows_of (t)
    local keys, lists = {}, {}
    for i, row in ipairs(t) do
      local key = table.concat(row, ",")
      if not lists[key] then
        lists[key] = { row = row, first = i, count = 0 }
        keys[#keys + 1] = lists[key]
      end
      lists[key].count = lists[key].count + 1
    end
    table.sort(keys, function (a, b)
      for i = 1, #a.row do
        if a.row[i] ~= b.row[i] then return a.row[i] < b.row[i] end
      end
      return false
    end)
    for i, key in ipairs(keys) do key.number = i end
    return keys, lists
  end

  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype, function ()
      if dtype:find "^complex" or dtype == "bool" then return end
      local pick = helper.generator(53)
      for _, shape in ipairs{ { 1, 1 }, { 7, 1 }, { 40, 2 }, { 60, 3 },
                              { 9, 5 }, { 2, 33 } } do
        local t = {}
        for i = 1, shape[1] do
          t[i] = {}
          for j = 1, shape[2] do t[i][j] = pick(3) end
        end
        local a = tide.array(t, dtype)
        local keys, lists = rows_of(a:totable())
        local values, first, which, counts = a:unique{
          axis = 1, return_index = true, return_inverse = true,
          return_counts = true
        }
        assert.equal(dtype, values.dtype)
        for i, key in ipairs(keys) do
          assert.same({ key.row, key.first, key.count },
                      { values[i]:totable(), first[i], counts[i] })
        end
        assert.equal(#keys, #values)
        for i, row in ipairs(a:totable()) do
          assert.equal(lists[table.concat(row, ",")].number, which[i])
        end
        assert.is_true(tide.array_equal(values.T,
                                        (a.T:unique{ axis = 2 })))
      end
    end)
  end

  it("of bools, of several axes, and of no elements", function ()
    local a = tide.array{ { true, false }, { false, true }, { true, false } }
    assert.same({ { false, true }, { true, false } },
                a:unique{ axis = 1 }:totable())
    local cube = tide.array{ { { 1, 2 }, { 1, 2 } }, { { 3, 4 }, { 3, 4 } } }
    assert.same({ { { 1, 2 } }, { { 3, 4 } } },
                cube:unique{ axis = 2 }:totable())
    assert.same({ 0, 3 }, tide.zeros{ 0, 3 }:unique{ axis = 1 }.shape)
    assert.same({ 1, 0 }, tide.zeros{ 3, 0 }:unique{ axis = 1 }.shape)
  end)

  it("has slices with NaN once, unless they differ", function ()
    local a = tide.array{ { 1, 0 / 0 }, { 1, 0 / 0 } }
    assert.same({ 1, 2 }, a:unique{ axis = 1 }.shape)
    assert.same({ 2, 2 }, a:unique{ axis = 1, equal_nan = false }.shape)
  end)

  it("is captured, if its size is given", function ()
    local a = tide.array{ { 1, 2 }, { 0, 5 }, { 1, 2 } }
    local z, counts
    local g <close> = tide.capture(function ()
      z, counts = a:unique{ axis = 1, size = 3, fill = 7,
                            return_counts = true }
    end)
    a:copy_from{ { 1, 2 }, { 1, 2 }, { 1, 2 } }
    g:launch()
    assert.same({ { 1, 2 }, { 7, 7 }, { 7, 7 } }, z:totable())
    assert.same({ 3, 0, 0 }, counts:totable())
    fails("{ size = n } says it", tide.capture, function ()
      a:unique{ axis = 1 }
    end)
    assert.same({ { 0, 0 }, { 0, 0 } },
                tide.zeros{ 0, 2 }:unique{ axis = 1, size = 2 }:totable())
  end)

  it("says what is wrong", function ()
    badarg(2, "axis 3 is out of range for an array of 2 axes", tide.unique,
           tide.ones{ 2, 2 }, { axis = 3 })
    fails("'unique' is not defined for complex64 arrays", tide.unique,
          tide.ones{ 2, 2 }:astype "complex64", { axis = 1 })
  end)
end)

end)
