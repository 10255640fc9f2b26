--[[
scatter_spec.lua - scatter_add, scatter_min, scatter_max: against lists in plain
Lua, of random shapes, strides, dtypes, and indices of which many are the same.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

local CASES <const> = 120

local function product (shape, from, to)
  local n = 1
  for i = from, to do n = n * shape[i] end
  return n
end

local function number (x)
  return type(x) == "boolean" and (x and 1 or 0) or x
end

--- Small whole numbers, of which no sum is rounded in any dtype.
local function some (pick, shape, dtype)
  local list = {}
  for i = 1, product(shape, 1, #shape) do list[i] = pick(4) - 1 end
  local a = tide.array(list, "int64"):reshape(shape):astype(dtype)
  return pick(2) == 1 and #shape > 1 and a.T:copy().T or a
end

local OPERATIONS = {
  scatter_add = function (x, y) return x + y end,
  scatter_min = function (x, y) return x < y and x or y end,
  scatter_max = function (x, y) return x > y and x or y end
}

--- Returns numbers as the elements that a dtype stores.
local function stored (list, dtype)
  return tide.array(list):astype(dtype):totable()
end

helper.each_device(function ()

for name, join in pairs(OPERATIONS) do

describe(name, function ()
  it("is what Lua does with one after the other", function ()
    local pick = helper.generator(#name)
    for case = 1, CASES do
      local dtype = numbers.dtypes[pick(#numbers.dtypes)]
      if name == "scatter_add" or not dtype:find "complex" then
        local shape = {}
        for i = 1, pick(3) do shape[i] = pick(4) end
        local axis = case % 4 > 0 and pick(#shape) or nil
        local n = axis and shape[axis] or product(shape, 1, #shape)
        local outer = axis and product(shape, 1, axis - 1) or 1
        local inner = axis and product(shape, axis + 1, #shape) or 1
        local m = pick(3) == 1 and pick(200) or pick(6) - 1
        local at = {}
        for t = 1, m do at[t] = pick(n) * (pick(4) == 1 and -1 or 1) end
        local a = some(pick, shape, dtype)
        local list = a:real():flatten():astype "int64":totable()
        local taken = { m }
        if axis then
          taken = table.move(shape, 1, #shape, 1, {})
          taken[axis] = m
        end
        local v, given
        if pick(4) == 1 then
          v, given = 1, { 1 }
        else
          v = some(pick, taken, dtype)
          given = v:real():flatten():astype "int64":totable()
        end
        local next = 0
        for o = 0, outer - 1 do
          for t = 1, m do
            for j = 1, inner do
              local i = at[t] < 0 and at[t] + n or at[t] - 1
              local place = (o * n + i) * inner + j
              list[place] = join(list[place], given[next % #given + 1])
              next = next + 1
            end
          end
        end
        local index = tide.array(at, "int64")
        if dtype == "bool" and v == 1 then v = true end
        assert.equal(a, a[name](a, index, v, axis))
        local got = a:real():flatten():totable()
        local wanted = stored(list, a:real().dtype)
        assert.equal(#wanted, #got)
        for i = 1, #list do
          assert.equal(number(wanted[i]), number(got[i]),
                       ("%s %s %d"):format(name, dtype, case))
        end
      end
    end
  end)

  it("takes indices of any shape, from 0, clipped and wrapped", function ()
    local a = tide.zeros({ 3, 2 }, "int64") + 5
    local f = a[name]
    local y = join(5, 7)
    f(a, { { 1, 3 }, { 3, 3 } }, 7, 1)
    local twice = join(join(y, 7), 7)
    assert.same({ { y, y }, { 5, 5 }, { twice, twice } }, a:totable())
    a:fill(5)
    f(a, { 0, -1 }, 7, { base = 0 })
    assert.same({ y, 5, 5, 5, 5, y }, a:flatten():totable())
    a:fill(5)
    f(a, tide.array{ 9, 7 }, 7, { mode = "wrap" })
    f(a, tide.array{ -9 }, 7, 1, { mode = "clip" })
    assert.same({ join(y, 7), y, y, 5, 5, 5 }, a:flatten():totable())
    f(a, {}, 1)
    f(a, {}, 1, 1)
    f(tide.zeros{ 0, 2 }, tide.zeros(0, "int64"), 1, 1)
    local z = tide.array{ 1.5, 2.5 }
    f(z, z:argsort(), z)
    assert.same({ join(1.5, 1.5), join(2.5, 2.5) }, z:totable())
  end)

  it("refuses arrays of a higher kind, as add_ does", function ()
    for _, case in ipairs{ { "bool", "int8", "int8" },
                           { "int32", "float32", "float64" },
                           { "float32", "complex64", "complex64" } } do
      local a, of = tide.zeros(2, case[1]), tide.ones(2, case[2])
      local why = ("a result of %s does not fit into %s"):format(case[3],
                                                                 case[1])
      fails(why, a.add_, a, of)
      fails("bad argument #3 to '" .. name .. "' (" .. why, function ()
        a[name](a, { 1, 1 }, of)
      end)
      a[name](a, { 1, 1 }, of:ne(0))
      if case[2] ~= "complex64" then
        a[name](a, { 1, 1 }, of:astype(case[1]))
        fails(why, a[name], a, { 1, 1 }, of:tohost())
      end
    end
    local single = tide.zeros(2, "float32")
    single[name](single, { 1, 1 }, tide.ones(2, "float64"))
  end)

  it("is told of wrong indices and values", function ()
    for _, dtype in ipairs{ "int32", "float32", "uint8" } do
      local a = tide.ones({ 2, 3 }, dtype)
      a[name](a, tide.array{ 1, 3, 1 }, 1, 1)
      fails(name .. ": index 3 is out of range for an axis of 2 elements",
            a.totable, a)
      assert.equal(name == "scatter_add" and 3 or 1, a[{ 1, 1 }])
      fails("index 3 is out of range for an axis of 2 elements", a[name], a,
            { 3 }, 1, 1)
      badarg(3, "shape 2 cannot be broadcast to 1x3", tide[name], a, { 1 },
             { 1, 2 }, 1)
      badarg(2, "indices must be integers, got float64", tide[name], a,
             tide.ones(2), 1)
      fails(name .. ": the axis has no elements", tide[name],
            tide.zeros({ 0, 2 }, dtype), tide.array{ 1 }, 1, 1)
    end
    fails("broadcast", tide[name], tide.ones(1):broadcast_to(3), { 1 }, 1)
  end)

  it("is what Lua does, of so many that parts are done apart", function ()
    local m <const>, pick = 140000, helper.generator(#name + 7)
    local short = { 1, 2, 3, 0, 2, 1, 1 }
    for _, n in ipairs{ 1, 10, 2047, 2048, 2049, 40000 } do
      for _, dtype in ipairs{ "float64", "float16", "int64", "int32", "uint16",
                              "int8", "bool" } do
        local at, list = {}, {}
        for t = 1, m do at[t] = pick(n) * (pick(20) == 1 and -1 or 1) end
        for i = 1, n do list[i] = i % 2 end
        local z = tide.array(list, "int64"):astype(dtype)
        for t = 1, m do
          local i = at[t] < 0 and at[t] + n + 1 or at[t]
          list[i] = join(list[i], short[(t - 1) % #short + 1])
        end
        if dtype == "bool" then
          for i = 1, n do list[i] = list[i] ~= 0 and 1 or 0 end
        end
        local index = tide.array(at, "int64"):reshape(m // #short, #short)
        z[name](z, index, tide.array(short, "int64"):astype(dtype))
        assert.is_true(z:array_equal(tide.array(list, "int64"):astype(dtype)),
                       ("%s %d"):format(dtype, n))
        index[{ m // #short, 1 }] = n + 1
        fails(name .. (": index %d is out of range for an axis of %d elements")
                        :format(n + 1, n),
              function () z[name](z, index, z[1]) z:totable() end)
      end
    end
  end)

  it("is captured", function ()
    for _, dtype in ipairs{ "int64", "float32" } do
      local a, at = tide.ones(3, dtype), tide.array{ 1, 1, 2 }
      local v = tide.ones(3, dtype)
      local g <close> = tide.capture(function () a[name](a, at, v) end)
      at:copy_from{ 3, 2, 3 }
      v:fill(4)
      g:launch()
      assert.same({ 1, join(1, 4), join(join(1, 4), 4) },
                  (a:astype "int64"):totable())
      g:launch()
      assert.equal(join(join(join(join(1, 4), 4), 4), 4), a[3])
    end
  end)
end)

end

describe("scatter_add", function ()
  it("adds floats in float64, in an order that stays", function ()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      for _, m in ipairs{ 31, 32, 33, 64, 65, 1000, 40000 } do
        for _, n in ipairs{ 1, 3, 300, 70000 } do
          local at = tide.arange(m) * 7919 % n + 1
          local v = (tide.arange(m) * 31 % 101):astype(dtype) / 64
          local z = tide.zeros(n, dtype):scatter_add(at, v)
          local sums, list, place = {}, v:astype "float64":totable(),
                                    at:totable()
          for i = 1, m do
            sums[place[i]] = (sums[place[i]] or 0) + list[i]
          end
          local wanted = tide.zeros(n, "float64")
          local count, where, what = 0, {}, {}
          for p, x in pairs(sums) do
            count = count + 1
            where[count], what[count] = p, x
          end
          wanted:put(where, what)
          assert.equal(wanted:astype(dtype):tobytes(), z:tobytes())
        end
      end
    end
    local v, at = tide.random.normal(0, 1, 30000), tide.arange(30000) % 7 + 1
    local once = tide.zeros(7):scatter_add(at, v):tobytes()
    for _ = 1, 5 do
      assert.equal(once, tide.zeros(7):scatter_add(at, v):tobytes())
    end
  end)

  it("is the same with any number of threads", function ()
    local before <const> = tide.host_threads()
    finally(function () tide.host_threads(before) end)
    local v, first = tide.random.normal(0, 1, 300000), {}
    for threads = 1, 4 do
      tide.host_threads(threads)
      for i, n in ipairs{ 3, 1000, 50000 } do
        local at = tide.arange(300000) * 7919 % n + 1
        local z = tide.zeros(n):scatter_add(at, v):tobytes()
        first[i] = first[i] or z
        assert.equal(first[i], z)
      end
    end
  end)

  it("adds runs of all lengths, and single values again and again", function ()
    local orders = {
      function (m, n) return tide.ones(m, "int64") * n end,  -- one place
      function (m, n) return tide.arange(m) * n // m + 1 end,  -- in order
      function (m, n) return tide.arange(m) // 1500 % n + 1 end,  -- long runs
      function (m, n) return n - tide.arange(m) * 3 % n end,
      function (m, n) return tide.random.randint(1, n, m) end
    }
    for _, n in ipairs{ 1, 31, 6143, 6144, 6145, 65536, 65537 } do
      for _, m in ipairs{ 1, 1023, 1024, 1025, 2048, 66000 } do
        for _, order in ipairs(orders) do
          local at = order(m, n)
          local v = tide.arange(m) % 17 + 1
          local wanted = tide.ones(n, "int64"):scatter_add(at, v)
          local z = tide.ones(n, "float64"):scatter_add(at, v:astype "float64")
          assert.is_true(z:array_equal(wanted:astype "float64"))
          local y = tide.ones(n, "float32"):scatter_add(at, 0.5)
          local counts = tide.ones(n, "int64"):scatter_add(at, 1)
          assert.is_true(y:array_equal(((counts + 1) / 2):astype "float32"))
        end
      end
    end
  end)

  it("tells of an index out of range among many", function ()
    for _, dtype in ipairs{ "float16", "float32", "float64" } do
      for _, n in ipairs{ 500, 9000, 70000 } do
        for _, wrong in ipairs{ 0, n + 1, -n - 1 } do
          local at = tide.arange(5000) % n + 1
          at[4321] = wrong
          local z = tide.zeros(n, dtype)
          local text = "scatter_add: index %d is out of range for an axis of %d"
          fails(text:format(wrong, n), function ()
            z:scatter_add(at, 1)
            z:tobytes()
          end)
        end
      end
    end
  end)

  it("reads an index that it writes before it writes it", function ()
    for _, n in ipairs{ 4, 9000 } do
      local z = tide.arange(n) * 3 % n + 1
      local wanted = z:copy():scatter_add(z:copy(), z:copy())
      local w = z:copy()
      assert.is_true(w:scatter_add(w, w):array_equal(wanted))
    end
  end)

  it("leaves the bits of what it does not touch, of many", function ()
    local n <const> = 7000  -- the last bucket of places is not whole
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local bits <const> = dtype:find "16" and "int16" or
                           dtype == "float32" and "int32" or "int64"
      local before = tide.arange(n):sub(n // 2):mul(-997):astype(bits)
      local z = tide.frombytes(before:tobytes(), dtype)
      z:scatter_add(tide.arange(n) % (n // 2) * 2 + 1, 0)
      local after = tide.frombytes(z:tobytes(), bits)
      assert.is_true(after[{ {2, n, 2} }]:array_equal(before[{ {2, n, 2} }]))
    end
  end)

  it("leaves what it does not touch, and wraps integers", function ()
    local a = tide.array{ -0.0, 0 / 0, 1 }
    a:scatter_add({ 3 }, 1)
    assert.equal("-0.0", tostring(a[1]))
    assert.same({ -128 }, tide.array({ 127 }, "int8"):scatter_add({ 1 }, 1)
                :totable())
    local b = tide.zeros(5, "uint8")
    b:scatter_add({ 2, 2, 4 }, { 200, 100, 255 })
    assert.same({ 0, 44, 0, 255, 0 }, b:totable())
    local m = tide.zeros(3, "bool"):scatter_add({ 1, 1, 3 }, true)
    assert.same({ true, false, true }, m:totable())
    local c = tide.zeros({ 2, 2 }, "complex64")
    c:scatter_add({ 1, 1, 2 }, tide.array{ { tide.complex(1, 2) } }, 1)
    assert.equal("2+4j", tostring(c[{ 1, 2 }]))
    badarg(1, "'scatter_min' is not defined for complex64 arrays",
           tide.scatter_min, c, { 1 }, 1)
  end)
end)

describe("scatter_min and scatter_max", function ()
  it("give NaN where there is one, and compare what is large", function ()
    for _, dtype in ipairs(numbers.sets.FLOATS) do
      local v = tide.array({ 1, 0 / 0, 5, -1 / 0, 1 / 0 }, dtype)
      local low = tide.zeros(2, dtype):scatter_min({ 1, 1, 2, 2, 2 }, v)
      local high = tide.zeros(2, dtype):scatter_max({ 1, 1, 2, 2, 2 }, v)
      assert(low[1] ~= low[1] and high[1] ~= high[1])
      assert.same({ -1 / 0, 1 / 0 }, { low[2], high[2] })
      local nan = tide.full(1, 0 / 0, dtype)
      for _, x in ipairs{ nan:scatter_min({ 1 }, 1)[1],
                          nan:scatter_max({ 1 }, 1)[1] } do
        assert(x ~= x)
      end
    end
    for _, dtype in ipairs{ "int8", "int64", "uint64", "uint8", "int16" } do
      local info = tide.iinfo(dtype)
      local v = tide.array({ info.min, info.max, 1 }, dtype)
      local at = tide.ones(3, "int64")
      assert.equal(v[1], tide.ones(1, dtype):scatter_min(at, v)[1])
      assert.equal(v[2], tide.ones(1, dtype):scatter_max(at, v)[1])
    end
  end)
end)

end)
