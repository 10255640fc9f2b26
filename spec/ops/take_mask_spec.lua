--[[
take_mask_spec.lua - where, clip, take, mask: elements by conditions and places;
and linspace, eye.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

local DTYPES = numbers.dtypes

--- n elements of a dtype, all different as long as it has so many.
local function some (n, dtype)
  return tide.arange(n):astype(dtype)
end

helper.each_device(function ()

describe("a mask of many elements", function ()
  it("chooses, is put to and is looked through in tiles", function ()
    local pick = helper.generator(21)
    for _, n in ipairs{ 31, 4095, 4096, 4097, 20000 } do
      for _, dense in ipairs{ 0, 1, 3, 1000 } do  -- every so manieth is true
        local list, at = { false }, {}
        for i = 1, n do
          list[i + 1] = dense > 0 and pick(dense) == 1
          if list[i + 1] then at[#at + 1] = i end
        end
        local m = tide.array(list):slice(2)  -- not aligned
        assert.same(at, (m:nonzero()):totable())
        local first = m:nonzero{ size = 7, fill = -1 }
        for i = 1, 7 do assert.equal(at[i] or -1, first[i]) end
        for _, t in ipairs{ "uint8", "float16", "int32", "float64",
                            "complex128" } do
          local x = (tide.arange(n + 1) % 100):astype(t):slice(2)
          local places = tide.array(#at > 0 and at or {}, "int64")
          local wanted = x:take(places)
          assert.equal(wanted:tobytes(), x:mask(m):tobytes())
          local z = tide.zeros(n, t)
          z:put(m, wanted)
          assert.equal((x * m):tobytes(), z:tobytes())
        end
      end
    end
  end)

  it("is told of too many values and too few", function ()
    local m = tide.arange(5000):lt(4500)
    local z = tide.zeros(5000)
    for _, n in ipairs{ 4499, 4501, 2 } do
      z:put(m, tide.ones(n))
      helper.fails(n .. " values for a mask with 4500 true", function ()
        tide.get_current_stream():synchronize()
      end)
    end
    z:put(m, tide.ones(4500))
    assert.equal(4500, z:sum():item())
  end)
end)

describe("where", function ()
  it("takes from one or the other", function ()
    for _, dtype in ipairs(DTYPES) do
      local n = 1000
      local x, y = some(n, dtype), some(2 * n, dtype):slice(n + 1)
      local c = tide.arange(n):mod(3):eq(0)
      local z, xs, ys = c:where(x, y), x:totable(), y:totable()
      assert.equal(dtype, z.dtype)
      for i, v in ipairs(z:totable()) do
        assert.equal((i - 1) % 3 == 0 and xs[i] or (i - 1) % 3 ~= 0 and ys[i],
                     v)
      end
    end
  end)

  it("takes what many jobs choose", function ()
    local n = 300001
    local x = tide.arange(n, "int32")
    local c, y = (x % 3):eq(1), x + 7
    assert.is_true(c:where(x, y):eq(y - c * 7):all():item())
    assert.is_true(c:where(x, 7):eq((x - 7) * c + 7):all():item())
    assert.is_true(c:where(7, y):eq((7 - y) * c + y):all():item())
    assert.is_true(c:where(7, 5):eq(c * 2 + 5):all():item())
  end)

  it("takes numbers on either side", function ()
    local c = tide.array{ 1, 0, 2 }
    local x = tide.array({ 1, 2, 3 }, "uint8")
    assert.same({ 1, 9, 3 }, tide.where(c, x, 9):totable())
    assert.same({ 9, 2, 9 }, tide.where(c, 9, x):totable())
    assert.equal("uint8", tide.where(c, 9, x).dtype)
    assert.same({ 1.0, 0.5, 3.0 }, c:where(x, 0.5):totable())
    assert.same({ 5, 6, 5 }, c:where(5, 6):totable())
    assert.equal("int64", c:where(5, 6).dtype)
    assert.equal("float64", c:where(5, 6.5).dtype)
    assert.equal("bool", c:where(true, false).dtype)
    assert.equal("float64", c:where(x, tide.ones(3)).dtype)
  end)

  it("takes a condition that is one number", function ()
    local x, y = tide.arange(3), tide.ones{ 2, 3 } * 9
    for _, c in ipairs{ true, 1, 0.5, -1, 0 / 0 } do
      assert.same({ 0, 1, 2 }, tide.where(c, x, 7):totable())
      assert.same({ 7, 7, 7 }, tide.where(c, 7, x):totable())
    end
    for _, c in ipairs{ false, 0, -0.0 } do
      assert.same({ 7, 7, 7 }, tide.where(c, x, 7):totable())
    end
    assert.same({ 2, 3 }, tide.where(true, x, y).shape)
    assert.equal("float64", tide.where(true, x, y).dtype)
    local z = tide.zeros({ 2, 3 }, "float64")
    assert.equal(z, tide.where(false, x, y, { out = z }))
    assert.is_true(z:eq(9):all():item())
    badarg(1, "tide.Array expected, got boolean", tide.where, true, 1, 2)
    badarg(1, "tide.Array expected, got string", tide.where, "a", x, y)
    y:close()
    badarg(3, "array is closed", tide.where, true, x, y)
  end)

  it("broadcasts, and takes views", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    local row, column = tide.array{ 10, 20, 30 }, tide.array{ { 1 }, { 0 } }
    assert.same({ { 0, 1, 2 }, { 10, 20, 30 } },
                tide.where(column, a, row):totable())
    assert.same({ { 10, 0 }, { 10, 0 }, { 10, 0 } },
                tide.where(a.T:mod(2):eq(0):mul(false):add(column.T), 10, 0)
                :totable())
    assert.same({ { 0, 3 }, { 1, 4 }, { 10, 5 } },
                tide.where(a.T:ne(2), a.T, 10):totable())
    assert.same({ { 1, 1, 1 }, { 0, 0, 0 } },
                tide.where(tide.array(true), column, row:eq(0))
                :broadcast_to{ 2, 3 }:totable())
    fails("shapes 2x3 and 2 do not match", tide.where, a, tide.ones(2), 1)
  end)

  it("checks what it gets", function ()
    local c = tide.ones(3, "bool")
    fails("shapes 3 and 2 do not match", tide.where, c, tide.ones(2), 1)
    badarg(2, "tide.Array, number or boolean expected, got nil", tide.where, c,
           nil, 1)
    badarg(1, "tide.Array expected, got boolean", tide.where, true, 1, 2)
    badarg(3, "number is out of range for uint8", tide.where, c,
           tide.ones(3, "uint8"), 300)
    assert.same({ 0 }, tide.where(tide.ones(0), 1, 2).shape)
  end)
end)

describe("clip", function ()
  after_each(function () tide.set_default_dtype "float64" end)

  it("is maximum and then minimum", function ()
    for _, dtype in ipairs(numbers.sets.NUMBER) do
      local list = numbers.edges(dtype)
      local a = helper.array(list, dtype)
      local z = a:clip(2, 100)
      assert.equal(dtype, z.dtype)
      assert.equal(a:maximum(2):minimum(100):tobytes(), z:tobytes())
      local out = tide.zeros(#list + 1, dtype):slice(2)
      a:slice(1, #list):clip(2, 100, { out = out })
      assert.equal(z:tobytes(), out:tobytes())
    end
  end)

  it("may have one bound, and bounds that are arrays", function ()
    local a = tide.array{ 1, 5, 9 }
    assert.same({ 2, 5, 9 }, a:clip(2):totable())
    local said <const> =
      "the arguments are lo, hi [, options], nil for no bound"
    badarg(2, said, tide.clip, a, { out = a })
    badarg(3, said, tide.clip, a, 1, { max = 2 })
    badarg(2, said, a.clip_, a, { min = 1 })
    assert.same({ 1, 5, 7 }, a:clip(nil, 7):totable())
    assert.same({ 2, 4, 4 }, a:clip(2, tide.array{ 9, 4, 4 }):totable())
    assert.same({ 2, 5, 5 }, tide.clip(a, tide.array{ 2, 2, 2 }, 5):totable())
    assert.same({ 1.5, 5.0, 7.0 }, a:clip(1.5, 7):totable())
    assert.equal(a, a:clip(2, 6, { out = a }))
    assert.equal(a, a:clip(3, nil, { out = a }))
    assert.same({ 3, 5, 6 }, a:totable())
    local copy = tide.clip(a)
    assert.are_not.equal(a, copy)
    assert.same({ 3, 5, 6 }, copy:totable())
    assert.same({ 3, 5, 6 }, tide.fuse(function (x)
      return tide.clip(x) end)(a):totable())
    assert.equal(copy, a:clip(nil, nil, { out = copy }))
    helper.fails("not defined for complex64", tide.clip,
                 tide.ones(1, "complex64"))
    badarg(3, "tide.Array, number or boolean expected, got string", tide.clip,
           a, 1, "2")
  end)

  it("promotes by both bounds first, whatever the default (#214)", function ()
    local x = tide.array({ 1, 2, 3 }, "uint64")
    for _, default in ipairs{ "float16", "bfloat16", "float32" } do
      tide.set_default_dtype(default)
      local z, out = x:clip(-1, 2.5), tide.zeros(3, default)
      assert.equal(default, z.dtype)
      assert.same({ 1.0, 2.0, 2.5 }, z:totable())
      assert.same({ 2.0, 2.0, 2.5 }, x:clip(2, 2.5):totable())
      assert.equal(out, x:clip(-1, 2.5, { out = out }))
      assert.same({ 1.0, 2.0, 2.5 }, out:totable())
      assert.same({ 1.5, 2.0, 2.0 }, z:clip(1.5, 2):totable())
    end
  end)
end)

describe("take", function ()
  it("takes a few columns of many rows", function ()
    for _, t in ipairs{ "float32", "int8", "complex128" } do
      local x = tide.arange(300000):reshape{ 100000, 3 }:astype(t)
      local rows = x.T:copy()
      for m = 1, 10 do
        local places = tide.arange(m) * 5 % 6 - 3
        places = places + places:ge(0)
        assert.same({ 100000, m }, x:take(places, 2).shape)
        assert.equal(rows:take(places, 1):tobytes(),
                     x:take(places, 2).T:tobytes())
        local from_0 = tide.arange(m) * 2 % 3
        assert.equal(rows:take(from_0 + 1, 1):tobytes(),
                     x:take(from_0, 2, { base = 0 }).T:tobytes())
      end
      local z = x:take(tide.array({ 1, 4 }, "int64"), 2)
      fails("index 4", z.totable, z)
    end
  end)

  it("takes elements in any order", function ()
    for _, dtype in ipairs(DTYPES) do
      local a = some(100, dtype)
      local all = a:totable()
      assert.same({ all[7], all[100], all[1], all[7] },
                  a:take{ 7, -1, 1, 7 }:totable())
      assert.equal(dtype, a:take{ 1 }.dtype)
      local order = tide.arange(100, 0, -1)
      for i, v in ipairs(a:take(order):totable()) do
        assert.equal(all[101 - i], v)
      end
    end
  end)

  it("takes slices along an axis", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    local t = a:totable()
    assert.same({ { t[1][3], t[1][1] }, { t[2][3], t[2][1] } },
                a:take({ 3, 1 }, 2):totable())
    assert.same({ t[2], t[2], t[1] }, a:take({ -1, 2, 1 }, 1):totable())
    assert.same({ t[1][2], t[2][2] }, a:take(2, 2):totable())
    assert.same({ 2, 3, 2, 2 }, a:take({ { 1, 2 }, { 3, 4 } }, -1).shape)
    assert.same({ { 0, 23 }, { 5, 5 } },
                a:take{ { 1, -1 }, { 6, 6 } }:totable())
    assert.equal(4, a:take(5):item())
    assert.same({ 0 }, a:take{}.shape)
    assert.same({ 2, 0, 4 }, a:take({}, 2).shape)
  end)

  it("takes elements at indices from 0, of every dtype", function ()
    local pick = helper.generator(3)
    for _, n in ipairs{ 1, 90, 1024, 1025, 5000 } do
      local a = tide.arange(7 * 100):astype "float32":reshape{ 7, 100 }
      local list = {}
      for i = 1, n do list[i] = pick(200) - 101 end
      for _, dtype in ipairs{ "int8", "int16", "int32", "int64" } do
        local zero = tide.array(list, dtype)
        local one = tide.where(zero:lt(0), zero, zero + 1):astype "int64"
        for axis = 2, 3 do
          local x = axis == 2 and a or a:ravel()
          local where = axis == 2 and 2 or nil
          local z = x:take(one, where)
          assert.equal(z:tobytes(), x:take(zero, where, { base = 0 }):tobytes())
          for _, mode in ipairs{ "clip", "wrap" } do
            assert.equal(z:tobytes(), x:take(zero, where,
              { base = 0, mode = mode }):tobytes())
          end
        end
        local rows = tide.take(a, zero % 7, 1, { base = 0 })
        assert.is_true(tide.array_equal(a:take(zero % 7 + 1, 1), rows))
      end
    end
    local a, far = tide.array{ 5, 6, 7 }, tide.array{ 0, 3, -4, 2, 4 }
    assert.same({ 5, 7, 5, 7, 7 },
                a:take(far, { base = 0, mode = "clip" }):totable())
    assert.same({ 5, 5, 7, 7, 6 },
                a:take(far, { base = 0, mode = "wrap" }):totable())
    assert.same({ 6, 5 }, a:take({ 1, -3 }, { base = 0 }):totable())
  end)

  it("wraps the farthest indices from 0", function ()
    local list = { math.maxinteger, math.maxinteger - 1, math.mininteger }
    for _, n in ipairs{ 1, 5, 7, 64 } do
      local x, expected = tide.arange(n), {}
      local options = { base = 0, mode = "wrap" }
      for i, at in ipairs(list) do expected[i] = at % n end
      for _, at in ipairs{ list, tide.array(list) } do
        assert.same(expected, x:take(at, options):totable())
        assert.same(expected, x:reshape(n, 1):take(at, 1, options)
                               :reshape(-1):totable())
        for i = 1, #list do
          local one = type(at) == "table" and { at[i] } or at:slice(i, i)
          for _, dtype in ipairs{ "int32", "float32" } do
            for _, name in ipairs{ "put", "scatter_add", "scatter_max" } do
              local z = tide.zeros(n, dtype)
              assert.equal(expected[i] + 1,
                           z[name](z, one, 1, options):argmax():item(), name)
            end
          end
        end
      end
      assert.same(expected, x:take_along_axis(tide.array(list), 1, options)
                             :totable())
    end
  end)

  it("reports an index from 0 that is out of range as it is", function ()
    local a = tide.arange(50)
    for _, wrong in ipairs{ 50, -51, math.maxinteger, math.mininteger } do
      local at = tide.zeros(3000, "int64")
      at[2900] = wrong
      a:take(at, { base = 0 })
      fails(("take: index %d is out of range for an axis of 50"):format(wrong),
            function () tide.get_current_stream():synchronize() end)
    end
    local at, z = tide.array{ 0, 49 }, nil
    local g <close> = tide.capture(function () z = a:take(at, { base = 0 }) end)
    at[1] = 7
    g:launch()
    assert.same({ 7, 49 }, z:totable())
  end)

  it("takes rows of whatever length, wherever they begin", function ()
    for _, dtype in ipairs{ "int8", "float16", "float32", "float64",
                            "complex128" } do
      local all = tide.random.randint(-100, 100, { 900 }):astype(dtype)
      for inner = 1, 33, 1 do
        local from = inner % 5  -- aligned, and not
        local x = all:slice(1 + from, from + 9 * inner):reshape(9, inner)
        local z = tide.zeros(5 + 4 * inner, dtype)
        local out = z:slice(6, 5 + 4 * inner):reshape(4, inner)
        x:take({ 9, 1, 4, 4 }, 1, { out = out })
        for i, row in ipairs{ 9, 1, 4, 4 } do
          assert.is_true(tide.array_equal(x[row], out[i]), dtype .. inner)
        end
        assert.is_false(z:slice(1, 5):any():item())
      end
    end
  end)

  it("takes as many as a thread has at a time, and a few more", function ()
    for _, dtype in ipairs{ "uint8", "int16", "float32", "int64",
                            "complex128" } do
      for _, m in ipairs{ 1, 255, 257, 1023, 1025, 2049, 5000 } do
        local list, at = {}, {}
        for t = 1, m do
          local place = t * 37 % 101  -- from 0
          list[t], at[t] = place, t % 2 == 0 and place + 1 or place - 101
        end
        local index, x = tide.array(at), tide.arange(0, 101):astype(dtype)
        local wanted = tide.array(list):astype(dtype)
        assert.equal(wanted:tobytes(), x:take(index):tobytes())
        local rows = tide.stack({ x, x + 1, x }, 1)
        assert.equal(tide.stack({ wanted, wanted + 1, wanted }, 1):tobytes(),
                     rows:take(index, 2):tobytes())
        local z = tide.zeros(101, dtype):put(index, wanted)
        assert.equal(x:take(index):tobytes(), z:take(index):tobytes())
        local i, j = tide.unravel_index(
          tide.ravel_multi_index({ index, index }, { 101, 103 }), { 101, 103 })
        assert.equal(wanted:tobytes(), (i - 1):astype(dtype):tobytes())
        for t = 1, m do list[t] = list[t] + (at[t] < 0 and 3 or 1) end
        assert.equal(tide.array(list, "int64"):tobytes(), j:tobytes())
      end
    end
  end)

  it("takes any integers, and writes where it is told", function ()
    local a, out = tide.array{ 10, 20, 30 }, tide.zeros(2, "int64")
    for _, dtype in ipairs{ "uint8", "int32", "int64" } do
      local at = tide.array({ 3, 1 }, dtype)
      assert.equal(out, a:take(at, { out = out }))
      assert.same({ 30, 10 }, out:totable())
      out:fill(0)
    end
    assert.equal(a, a:take({ 3, 2, 1 }, 1, { out = a }))
    assert.same({ 30, 20, 10 }, a:totable())
    badarg(2, "option 'out' must have dtype int64, has float64", function ()
      a:take({ 1, 2 }, { out = tide.ones(2) })
    end)
  end)

  it("refuses indices that are not there", function ()
    local a = tide.ones{ 2, 3 }
    for _, i in ipairs{ 0, 7, -7 } do
      fails("index " .. i .. " is out of range for an axis of 6 elements",
            a.take, a, { 1, i })
      fails("out of range", a.take, a, i)
    end
    fails("out of range for an axis of 2 elements", a.take, a, { 3 }, 1)
    fails("6 elements; indices count from 1", a.take, a, 0)
    fails("6 elements; indices count from 1", a.take, a, { 1, 0 })
    fails("number has no integer representation", a.take, a, { 1.5 })
    badarg(2, "indices must be integers, got bool", tide.take, a,
           tide.ones(2, "bool"))
    badarg(2, "indices must be integers, got float64", tide.take, a,
           tide.ones(2))
    badarg(2, "tide.Array, table or integer expected, got string", tide.take, a,
           "1")
    fails("cannot take from an axis without elements", tide.take, tide.ones(0),
          tide.ones(1, "int64"))
  end)

  it("takes the nearest place, or wraps, if asked", function ()
    local a = tide.array{ 10, 20, 30 }
    local t = { 0, 4, -3, -4, math.maxinteger, math.mininteger, 7, -7, 1, -1 }
    local clipped = { 10, 30, 10, 10, 30, 10, 30, 10, 10, 30 }
    local wrapped = { 30, 10, 10, 30, 10, 20, 10, 30, 10, 30 }
    for _, at in ipairs{ t, tide.array(t) } do
      assert.same(clipped, a:take(at, { mode = "clip" }):totable())
      assert.same(wrapped, a:take(at, 1, { mode = "wrap" }):totable())
      local out = tide.zeros(10, "int64")
      assert.equal(out, a:take(at, { mode = "clip", out = out }))
      assert.same(clipped, out:totable())
    end
    assert.equal(30, a:take(9, { mode = "clip" }):item())
    badarg(3, "option 'mode' must be 'raise', 'clip' or 'wrap'", tide.take, a,
           t, { mode = "clamp" })
    badarg(3, "option 'mode' must be", tide.take, a, t, { mode = 1 })
    badarg(3, "unknown option 'moed'; did you mean 'mode'?", tide.take, a, t,
           { moed = "clip" })
  end)
end)

describe("mask", function ()
  it("keeps what is true, in order", function ()
    for _, dtype in ipairs(DTYPES) do
      local n = 20011
      local a, m = some(n, dtype), tide.arange(n):mod(7):lt(2)
      local all, wanted = a:totable(), {}
      for i = 1, n do
        if (i - 1) % 7 < 2 then
          wanted[#wanted + 1] = all[i]
        end
      end
      local z = a:mask(m)
      assert.equal(dtype, z.dtype)
      assert.same({ #wanted }, z.shape)
      assert.same(wanted, z:totable())
    end
  end)

  it("writes nothing behind what there is room for", function ()
    local a = tide.arange(1, 10, "int16")
    for bits = 0, 511 do
      local m, wanted = {}, {}
      for i = 1, 9 do
        m[i] = bits >> i - 1 & 1 == 1
        wanted[#wanted + 1] = m[i] and i or nil
      end
      local size = bits % 11
      for i = 1, 10 do
        wanted[i] = i > size and -1 or wanted[i] or -7
      end
      local out = tide.zeros(10, "int16") - 1
      local to = out:slice(1, size)
      a:mask(tide.array(m), { size = size, fill = -7, out = to })
      assert.same(wanted, out:totable())
    end
  end)

  it("keeps slices if it has fewer axes", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    local t = a:totable()
    assert.same({ t[2] }, a:mask(tide.array{ false, true }):totable())
    local m = tide.array{ { true, false, true }, { false, true, false } }
    assert.same({ t[1][1], t[1][3], t[2][2] }, a:mask(m):totable())
    assert.same({ 21, 22, 23 }, tide.mask(a, a:gt(20)):totable())
    assert.same({ 0 }, a:mask(a:lt(0)).shape)
    assert.same({ 0, 3, 4 }, a:mask(tide.zeros(2, "bool")).shape)
    assert.same({ 0 }, tide.ones(0):mask(tide.ones(0, "bool")).shape)
  end)

  it("without elements chooses none, however long its axes", function ()
    local a = tide.arange(12):reshape{ 3, 4 }
    local none = tide.zeros(0, "bool")
    assert.same({ 0, 4 }, a[none].shape)
    for _, shape in ipairs{ { 0, 4 }, { 3, 0 }, { 0, 0 } } do
      assert.same({ 0 }, a:mask(tide.zeros(shape, "bool")).shape)
    end
    assert.same({ { 7, 7, 7, 7 } },
                a:mask(none, { size = 1, fill = 7 }):totable())
    local before = a:totable()
    a[none] = 5
    a[none] = tide.zeros{ 0, 4 }
    assert.same(before, a:totable())
    fails("values for a mask without elements", function ()
      a[none] = tide.zeros{ 2, 4 }
    end)
    badarg(2, "a mask of shape 7x0 does not fit an array of shape 3x4",
           tide.mask, a, tide.zeros({ 7, 0 }, "bool"))
  end)

  it("and take and clip work on views", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ 3, 1, 4 }, a.T:mask(tide.array{ { false, true },
      { true, true }, { false, false } }):totable())
    assert.same({ 0, 1, 3 }, a:mask(tide.array{ { true, true },
      { true, false }, { false, false } }.T):totable())
    assert.same({ 3, 5 }, a.T:take(tide.array{ 2, 9, 6 }[{ { 1, 3, 2 } }])
                :totable())
    assert.same({ { 1, 3 }, { 1, 4 }, { 2, 4 } }, a.T:clip(1, 4):totable())
    local out = tide.zeros({ 2, 3 }, "int64")
    assert.same({ 3, 2 }, a.T:clip(1, 4, { out = out.T }).shape)
    assert.same({ { 1, 1, 2 }, { 3, 4, 4 } }, out:totable())
  end)

  it("checks the mask, and waits", function ()
    local a = tide.ones{ 2, 3 }
    badarg(2, "a mask must have dtype bool, has float64", tide.mask, a, a)
    badarg(2, "a mask of shape 3 does not fit an array of shape 2x3",
           tide.mask, a, tide.ones(3, "bool"))
    badarg(2, "does not fit", tide.mask, tide.ones(2), a:gt(0))
    local before = tide.sync_debug "error"
    local m = a:gt(0)
    local key = T.hold(tide.get_current_stream())
    local ok, err = pcall(tide.mask, a, m)
    T.release(key)
    tide.sync_debug(before)
    assert.is_false(ok)
    assert.is_truthy(err:find("array:mask", 1, true))
  end)

  -- A function queued before the call changes the mask while the call waits.
  it("is read once, however it changes meanwhile (#121)", function ()
    local n = 1 << 20
    local function masked (a, m, change, other)
      local s <close> = tide.Stream{ non_blocking = true }
      local t <close> = tide.Stream{ non_blocking = true }
      local ran = false
      tide.get_device():synchronize();
      (other and t or s):launch_host_func(function ()
        ran = true
        change()
      end)
      local result = s:with(function () return a:mask(m) end)
      t:synchronize()
      assert.is_true(ran)
      return result
    end
    local a = tide.arange(n)
    for _, other in ipairs{ false, true } do
      for _, more in ipairs{ true, false } do
        local m = tide.full(n, not more)
        m:slice(1, 10):fill(true)
        local z = masked(a, m, function () m:slice(11):fill(more) end, other)
        assert.is_true(z.size == n or z.size == 10)
        assert.equal(z.size * (z.size - 1) // 2, z:sum():item())
      end
    end
    local m = tide.ones(n, "bool")
    local rows = tide.arange(3 * n):reshape{ n, 3 }
    local z = masked(rows, m, function () m:slice(2):fill(false) end, true)
    assert.is_true(z.shape[1] == n or z.shape[1] == 1)
    assert.same({ 0, 1, 2 }, z[1]:totable())
    fails("array is closed", masked, a, m, function () m:close() end)
    m = tide.ones(n, "bool")
    fails("array is closed", masked, a, m, function () a:close() end)
  end)
end)

describe("linspace", function ()
  it("is even from start to stop", function ()
    assert.same({ 0.0, 0.25, 0.5, 0.75, 1.0 }, tide.linspace(0, 1, 5):totable())
    assert.same({ 0.0, 0.25, 0.5, 0.75 },
                tide.linspace(0, 1, 4, { endpoint = false }):totable())
    assert.same({ 0, 3, 6, 10 }, tide.linspace(0, 10, 4, "int32"):totable())
    assert.same({ -2, -1 }, tide.linspace(-1.5, -0.5, 2, "int64"):totable())
    assert.equal("float32", tide.linspace(0, 1, 5, "float32").dtype)
    assert.equal(50, #tide.linspace(2, 3))
    assert.same({ 3.0 }, tide.linspace(3, 4, 1):totable())
    assert.same({}, tide.linspace(3, 4, 0):totable())
    local a = tide.linspace(0.1, 0.7, 1000)
    assert.same({ 0.1, 0.7 }, { a[1], a[1000] })
  end)

  it("is a line of complex numbers between such", function ()
    local c = tide.complex
    assert.same({ c(0, 1), c(1, 0.5), c(2, 0) },
                tide.linspace(c(0, 1), 2, 3):totable())
    assert.same({ c(0, 0), c(0, 1) },
                tide.linspace(0, c(0, 2), 2, { endpoint = false }):totable())
    assert.same({ c(3, 4) }, tide.linspace(c(3, 4), 9, 1):totable())
    assert.equal("complex128", tide.linspace(0, c(0, 2)).dtype)
    local a = tide.linspace({ re = 0.1, im = -3 }, c(0.7, 1e9), 1000,
                            "complex64")
    assert.equal("complex64", a.dtype)
    assert.equal(tide.array({ c(0.7, 1e9) }, "complex64")[1], a[1000])
    badarg(2, "number or boolean expected", tide.linspace, 0, c(0, 2), 3,
           "float32")
  end)

  it("checks what it gets", function ()
    badarg(3, "the number of elements must be from 0 to", tide.linspace, 0, 1,
           -1)
    badarg(1, "number expected", tide.linspace, "a", 1)
    fails("unknown dtype 'flaot32'", tide.linspace, 0, 1, 5, "flaot32")
    fails("'enpoint'", tide.linspace, 0, 1, 5, { enpoint = true })
  end)
end)

describe("logspace and geomspace", function ()
  it("has powers, and constant ratios", function ()
    assert.same({ 1, 10, 100, 1000 }, tide.logspace(0, 3, 4, "int32")
                  :totable())
    assert.same({ 4, 8, 16 }, tide.logspace(2, 5, 3, { base = 2,
                                                       endpoint = false })
                  :totable())
    assert.same({ 1, 10, 100, 1000 },
                tide.geomspace(1, 1000, 4):round(9):totable())
    local z = tide.geomspace(-0.3, -0.7, 3, "float32")
    assert.equal("float32", z.dtype)
    assert.equal(tide.array({ -0.7 }, "float32")[1], z[3])
    for _, f in ipairs{ tide.logspace, tide.geomspace } do
      assert.equal(50, #f(2, 3))
      assert.same({}, f(2, 3, 0):totable())
      assert.equal(1, #f(2, 3, 1))
    end
    assert.equal(0.3, tide.geomspace(0.3, 0.7)[1])
    assert.equal(0.7, tide.geomspace(0.3, 0.7)[50])
  end)

  it("is captured", function ()
    local x, y
    local g <close> = tide.capture(function ()
      x, y = tide.logspace(0, 1, 2), tide.geomspace(1, 4, 2)
    end)
    g:launch()
    assert.same({ { 1, 10 }, { 1, 4 } }, { x:totable(), y:totable() })
  end)

  it("checks what it gets", function ()
    for _, f in ipairs{ tide.logspace, tide.geomspace } do
      badarg(3, "the number of elements must be from 0 to", f, 1, 2, -1)
      badarg(1, "number expected", f, "a", 1)
      badarg(2, "number expected", f, 1, tide.complex(0, 2))
      fails("unknown dtype 'flaot32'", f, 1, 2, 5, "flaot32")
      fails("'enpoint'", f, 1, 2, 5, { enpoint = true })
    end
    badarg(1, "a number other than 0 expected", tide.geomspace, 0, 1)
    badarg(2, "a number other than 0 expected", tide.geomspace, 1, 0)
    badarg(2, "a number of the sign of argument 1 expected", tide.geomspace,
           1, -1)
  end)
end)

describe("eye", function ()
  it("is 1 on a diagonal", function ()
    for _, dtype in ipairs(DTYPES) do
      for _, k in ipairs{ -3, -1, 0, 2, 5, math.maxinteger,
                          math.mininteger } do
        local a = tide.eye(3, 5, k, dtype)
        assert.equal(dtype, a.dtype)
        for i, row in ipairs(a:astype "int64":totable()) do
          for j, v in ipairs(row) do
            assert.equal(j == i + k and 1 or 0, v)
          end
        end
      end
    end
    assert.same({ { 1.0, 0.0 }, { 0.0, 1.0 } }, tide.eye(2):totable())
    assert.same({ { 1, 0 }, { 0, 1 } }, tide.eye(2, "int32"):totable())
    assert.same({ 0, 0 }, tide.eye(0).shape)
  end)

  it("checks what it gets", function ()
    badarg(1, "shape must not be negative", tide.eye, -1)
    badarg(2, "shape must not be negative", tide.eye, 2, -1)
    badarg(3, "no integer representation", tide.eye, 2, 2, 3.5)
  end)
end)

end)
