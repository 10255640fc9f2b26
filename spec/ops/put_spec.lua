--[[
put_spec.lua - a[index] = v, a[mask] = v, a[index], a[mask], put: against lists
in plain Lua, of random shapes, strides, dtypes, indices that are repeated or
out of range.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

local DTYPES = numbers.dtypes
local CASES <const> = 150  -- of each kind

--{{ a model: shapes, and elements as lists

local function product (shape, from, to)
  local n = 1
  for i = from or 1, to or #shape do n = n * shape[i] end
  return n
end

local function random_shape (pick, least, most)
  local shape = {}
  for i = 1, least + pick(most - least + 1) - 1 do shape[i] = pick(5) end
  return shape
end

--- An array of that shape whose memory is in another order, or has gaps.
local function strided (pick, shape, dtype)
  local kind = pick(4)
  if kind == 1 and #shape > 1 then
    local turned = {}
    for i, n in ipairs(shape) do turned[#shape + 1 - i] = n end
    return tide.zeros(turned, dtype).T
  elseif kind == 2 and #shape > 0 then
    local wide = table.move(shape, 1, #shape, 1, {})
    wide[#wide] = 2 * wide[#wide]
    return tide.zeros(wide, dtype):slice(1, -1, 2, -1)
  elseif kind == 3 and #shape > 0 then
    return tide.zeros(shape, dtype):flip(1)
  end
  return tide.zeros(shape, dtype)
end

--- The flat elements, as a list.
local function list_of (a) return a:flatten():totable() end

--- Returns values for n elements of a dtype, and the list of them in the dtype.
local function values (pick, n, dtype)
  local list = {}
  for i = 1, n do list[i] = dtype == "bool" and pick(2) == 1 or pick(100) end
  if dtype == "bool" then
    for i = 1, n do list[i] = list[i] == true end
  end
  local v = tide.array(list, dtype)
  return v, v:totable()
end

local function fill (pick, a)
  local v = values(pick, a.size, a.dtype)
  a:copy_from(v:reshape(a.shape))
  return list_of(a)
end

--- The place from 1 of a Lua index among n.
local function resolve (i, n) return i < 0 and i + n + 1 or i end

--}}

--- Complex numbers are equal by their parts.
local function equal_lists (wanted, got)
  assert.equal(#wanted, #got)
  for i, x in ipairs(wanted) do
    if x ~= got[i] and tostring(x) ~= tostring(got[i]) then
      error(("element %d is %s, not %s"):format(i, got[i], x), 2)
    end
  end
end

helper.each_device(function ()

describe("a[index] = v", function ()
  it("is what Lua does with one index after the other", function ()
    local pick = helper.generator(1)
    for case = 1, CASES do
      local dtype = DTYPES[pick(#DTYPES)]
      local shape = random_shape(pick, 1, 4)
      local a = strided(pick, shape, dtype)
      local list = fill(pick, a)
      local axis = pick(2) == 1 and 1 or pick(#shape)
      local n, m = shape[axis], pick(9) - 1
      local outer, inner = product(shape, 1, axis - 1),
                           product(shape, axis + 1)
      local at = {}
      for t = 1, m do at[t] = pick(n) * (pick(4) == 1 and -1 or 1) end
      local index = pick(3) == 1 and at or
                    tide.array(at, m > 0 and "int32" or "int64")
      local v, given
      local kind = pick(4)
      local taken = table.move(shape, 1, #shape, 1, {})
      taken[axis] = m
      if kind == 1 then                            -- a number
        given = { (values(pick, 1, dtype):item()) }
        v = given[1]
      elseif kind == 2 and axis < #shape then      -- the same for all
        v, given = values(pick, shape[#shape], dtype)
      elseif kind == 3 then                        -- of another dtype
        local some = values(pick, outer * m * inner, "int32")
        v = some:reshape(taken)
        given = some:astype(dtype):totable()
      else
        v, given = values(pick, outer * m * inner, dtype)
        v = v:reshape(taken)
        if pick(2) == 1 then v = v:flip(1):copy():flip(1) end
      end
      local next = 0
      for o = 0, outer - 1 do
        for t = 1, m do
          for j = 1, inner do
            local place = (o * n + resolve(at[t], n) - 1) * inner + j
            list[place] = given[next % #given + 1]
            next = next + 1
          end
        end
      end
      if axis == 1 and type(index) ~= "table" and case % 2 == 0 then
        a[index] = v
      else
        assert.equal(a, a:put(index, v, axis))
      end
      equal_lists(list, list_of(a))
    end
  end)

  it("of equal indices writes the last, among many", function ()
    for _, n in ipairs{ 1, 7, 1000 } do
      local m = 50000
      local at = tide.arange(m) * 7919 % n + 1
      local last = {}
      for i, p in ipairs(at:totable()) do last[p] = i end
      local a = tide.zeros(n, "int32")
      a[at] = tide.arange(1, m + 1)
      for p = 1, n do assert.equal(last[p] or 0, a[p]) end
      local rows = tide.zeros({ n, 3 }, "int16")
      rows:put(at, tide.arange(1, m + 1):expand_dims(2) % 1000, 1)
      for p = 1, n do
        assert.same((last[p] or 0) % 1000, rows[{ p, 3 }])
      end
    end
  end)

  it("of equal indices writes the last, in parts of many places", function ()
    local n = (8 << 20) + 1000  -- more than PUT_PART of src/ops/put.c
    local m = n // 3
    local at = tide.arange(m) * 3 + 1
    local a = tide.zeros(n, "int32")
    a[tide.concatenate{ at, at:flip() }] = tide.arange(2 * m)
    assert.is_true(a:take(at):eq(2 * m - 1 - tide.arange(m)):all():item())
    assert.equal(m, a:count_nonzero():item())
    a:put(tide.concatenate{ at, tide.array{ n + 1 } }, tide.ones(m + 1))
    fails(("index %d is out of range"):format(n + 1), a.totable, a)
  end)

  it("takes an index without axes, and with several", function ()
    local a = tide.zeros({ 3, 2 }, "int64")
    a[tide.array(2)] = { 5, 6 }
    a[tide.array(-1, "int8")] = 7
    assert.same({ { 0, 0 }, { 5, 6 }, { 7, 7 } }, a:totable())
    a[tide.array{ { 1, 2 }, { 2, 3 } }] = tide.arange(8):reshape{ 2, 2, 2 }
    assert.same({ { 0, 1 }, { 4, 5 }, { 6, 7 } }, a:totable())
    a[tide.array{ { 1, 2 } }] = tide.array{ { { { 8, 9 } } } }
    assert.same({ { 8, 9 }, { 8, 9 }, { 6, 7 } }, a:totable())
    local empty = tide.zeros{ 0, 3 }
    empty[tide.zeros(0, "int64")] = 1
    a[tide.zeros(0, "int64")] = 1
    assert.same({ { 8, 9 }, { 8, 9 }, { 6, 7 } }, a:totable())
  end)

  it("may be written with what it is written to", function ()
    local a = tide.array{ 3, 1, 2, 5, 4 }
    a[a] = a
    assert.same({ 1, 2, 3, 4, 5 }, a:totable())
    a[a:flip(1)] = a
    assert.same({ 5, 4, 3, 2, 1 }, a:totable())
    a[{ { 2, 5 } }][tide.array{ 1, 2 }] = a[{ { 4, 5 } }]
    assert.same({ 5, 2, 1, 2, 1 }, a:totable())
    a[tide.array{ 1, 2 }] = tide.arange(2):tohost()
    assert.same({ 0, 1, 1, 2, 1 }, a:totable())
  end)

  it("reads as take along the first axis", function ()
    local a = tide.arange(6):reshape{ 3, 2 }
    assert.same({ { 4, 5 }, { 0, 1 } }, a[tide.array{ -1, 1 }]:totable())
    assert.same({ 2, 3 }, a[tide.array(2)]:totable())
    assert.same({ 4, 0 }, a[{ {}, 1 }][tide.array{ 3, 1 }]:totable())
    assert.same({ 0, 2 }, a[tide.zeros(0, "int64")].shape)
  end)

  it("is told of wrong indices and values", function ()
    local a, m = tide.zeros{ 2, 3 }, tide.array{ 1, 2 }
    local function wait () tide.get_current_stream():synchronize() end
    local function assign (key, v) a[key] = v end
    for _, i in ipairs{ 0, 3, -3 } do
      assign(tide.array{ 1, i }, 7)
      fails(("put: index %d is out of range for an axis of 2 elements")
            :format(i), wait)
      wait()
    end
    assert.same({ { 7, 7, 7 }, { 0, 0, 0 } }, a:totable())
    local two, few = tide.array{ { 8 }, { 7 } }, tide.zeros(9)
    for _, i in ipairs{ 0, 3, -3 } do
      assign(tide.array{ i, 1 }, two)
      fails(("put: index %d is out of range for an axis of 2 elements")
            :format(i), wait)
      few[tide.array{ i * 4, 1 }] = tide.array{ 2, i }  -- of many places
      fails(("put: index %d is out of range for an axis of 9 elements")
            :format(i * 4), wait)
      assert.equal(i, few[1])
      wait()
    end
    assert.same({ { 7, 7, 7 }, { 0, 0, 0 } }, a:totable())
    fails("index 3 is out of range for an axis of 2 elements", a.put, a,
          { 1, 3 }, 9, 1)
    fails("index 0 is out of range for an axis of 6 elements; indices count " ..
          "from 1", a.put, a, 0, 9)
    assert.same({ { 7, 7, 7 }, { 0, 0, 0 } }, a:totable())
    fails("cannot assign: indices must be integers, got float64", assign,
          tide.ones(2), 1)
    fails("cannot index: indices must be integers, got complex64", function ()
      return a[tide.ones(2, "complex64")]
    end)
    fails("cannot assign: shape 2 cannot be broadcast to 2x3", assign, m,
          { 1, 2 })
    fails("cannot assign: number, boolean, table or array expected, got " ..
          "string", assign, m, "1")
    fails("cannot assign: number is out of range for uint8", function ()
      tide.zeros(2, "uint8")[m] = 256
    end)
    fails("a 0-d array has no elements to index", function ()
      tide.array(1)[tide.array(1)] = 1
    end)
    fails("cannot put into an axis without elements", function ()
      tide.zeros{ 0, 3 }[m] = 1
    end)
    fails("broadcast", function () a:broadcast_to{ 2, 2, 3 }[m] = 1 end)
    badarg(2, "tide.Array, table or integer expected, got string", tide.put, a,
           "1", 1)
    badarg(3, "tide.Array, table or number expected, got no value", tide.put,
           a, m)
    badarg(3, "no values for the indices", tide.put, a, m, {})
    badarg(4, "unknown option 'moed'; did you mean 'mode'?", tide.put, a, m, 1,
           { moed = "clip" })
    badarg(4, "a mask has neither an axis nor options", tide.put, a, a:gt(0), 1,
           1)
  end)
end)

describe("put", function ()
  it("takes elements of the flattened array, and values again and again",
     function ()
    local a = tide.zeros({ 2, 3 }, "int64")
    assert.equal(a, a:put({ 1, -1, 4 }, { 7, 8 }))
    assert.same({ { 7, 0, 0 }, { 7, 0, 8 } }, a:totable())
    tide.put(a.T, { 1, 2 }, { 1, 2, 3, 4 })
    assert.same({ { 1, 0, 0 }, { 2, 0, 8 } }, a:totable())
    a:put(tide.array{ { 3, 4 }, { 5, 6 } }, tide.array{ { 1 }, { 9 } })
    assert.same({ { 1, 0, 1 }, { 9, 1, 9 } }, a:totable())
    a:put({}, {})
    a:put(tide.zeros(0, "int64"), 3)
    assert.same({ { 1, 0, 1 }, { 9, 1, 9 } }, a:totable())
    assert.equal(5, tide.array(3):put(1, 5):item())
  end)

  it("repeats values within a row", function ()
    local a = tide.zeros({ 3, 2, 3 }, "int16")
    a:put(tide.array{ 3, 1 }, tide.array({ 1, 2, 3 }, "int16"), 1)
    local row, none = { 1, 2, 3 }, { 0, 0, 0 }
    assert.same({ { row, row }, { none, none }, { row, row } }, a:totable())
    a:put(tide.array{ 2, 3 }, tide.array({ { 7 }, { 8 } }, "int16"), 1)
    assert.same({ { row, row }, { { 7, 7, 7 }, { 8, 8, 8 } },
                  { { 7, 7, 7 }, { 8, 8, 8 } } }, a:totable())
  end)

  it("writes the last of equal indices, elements and rows of any width",
     function ()
    local pick = helper.generator(11)
    for _, t in ipairs{ "uint8", "float16", "float32", "complex128" } do
      for _, n in ipairs{ 7, 600, 40000 } do
        local at, wanted, list = {}, {}, {}
        for i = 1, 5000 do
          at[i], list[i] = pick(n), pick(100)
          wanted[at[i]] = list[i]
        end
        local z = tide.zeros(n + 1, t):slice(2)
        z:put(tide.array(at), tide.array(list, t))
        local own = z:real():totable()
        for i = 1, n do
          assert.equal(wanted[i] or 0, own[i])
        end
      end
      for _, width in ipairs{ 3, 4, 16 } do
        for first = 1, 2 do
          local z = tide.zeros(50 * width + 1, t):slice(first, first + 50 *
                                                        width - 1)
          local v = tide.arange(100, "uint8"):reshape(100, 1)
          v = tide.broadcast_to(v, { 100, width }):astype(t)
          local at = tide.append(tide.arange(1, 51), tide.arange(50, 0, -1))
          z:reshape(50, width):put(at, v, 1)
          assert.same(v:flip(1):slice(1, 50):tobytes(), z:tobytes())
        end
      end
    end
  end)

  it("counts from 0, clips and wraps if asked", function ()
    local function put (at, options)
      return tide.zeros(3, "int64"):put(at, { 1, 2, 3, 4 }, options):totable()
    end
    for _, array in ipairs{ false, true } do
      local at = array and tide.array or function (t) return t end
      assert.same({ 1, 0, 3 }, put(at{ 0, 2, -1 }, { base = 0 }))
      assert.same({ 1, 0, 4 }, put(at{ -9, 9, 4, 3 }, { mode = "clip" }))
      assert.same({ 2, 0, 4 }, put(at{ 4, 1, 0, 6 }, { mode = "wrap" }))
      assert.same({ 3, 2, 4 }, put(at{ 4, 1, 0, 5 },
                                   { mode = "wrap", base = 0 }))
    end
    fails("index 3 is out of range for an axis of 3 elements", put, { 3 },
          { base = 0 })
    fails("put: index " .. math.maxinteger .. " is out of range", put,
          tide.array{ math.maxinteger }, { base = 0 })
    badarg(4, "option 'base' must be 0 or 1", tide.put, tide.zeros(3), { 1 }, 1,
           { base = 2 })
  end)

  it("is captured, for indices and masks of later", function ()
    local a, at = tide.zeros(4, "int64"), tide.array{ 1, 2, 1 }
    local v, m = tide.array{ 5, 6, 7 }, tide.zeros(4, "bool")
    local g <close> = tide.capture(function ()
      a[at] = v
      a[m] = 9
      a[m] = v
    end)
    at:copy_from{ 4, 4, 2 }
    m[{ { 1, 3 } }] = true
    g:launch()
    assert.same({ 5, 6, 7, 6 }, a:totable())
    m:fill(true)
    g:launch()
    fails("put: 3 values for a mask with 4 true elements",
          function () return a:totable() end)
  end)
end)

describe("a[mask] = number", function ()
  it("changes of each pack what the mask says, and nothing else", function ()
    local N <const> = 5003
    local i = tide.arange(N)
    local masks = { i:mod(3):eq(1), i:lt(2000), i:ge(4999), i:eq(7),
                    i:ge(0), i:lt(0), i:mod(64):lt(32) }
    for _, dtype in ipairs{ "int8", "int16", "float32", "float64",
                            "complex128" } do
      local x = i:mod(90):astype(dtype)
      for at = 1, 2 do
        for _, m in ipairs(masks) do
          local all = x:copy()
          local a, c = all:slice(at, N - 2), m:slice(at, N - 2)
          local wanted = c:where(tide.full(a.shape, 99, dtype), a:copy())
          a:put(c, 99)
          assert.equal(wanted:tobytes(), a:tobytes())
          assert.equal(x:slice(N - 1):tobytes(), all:slice(N - 1):tobytes())
        end
      end
    end
  end)
end)

describe("a[mask] = v", function ()
  it("is what Lua does with one element after the other", function ()
    local pick = helper.generator(2)
    for case = 1, CASES do
      local dtype = DTYPES[pick(#DTYPES)]
      local shape = random_shape(pick, 0, 4)
      local a = strided(pick, shape, dtype)
      local list = fill(pick, a)
      local axes = pick(#shape + 1) - 1
      local masked = table.move(shape, 1, axes, 1, {})
      local rows, inner = product(masked), product(shape, axes + 1)
      local m = strided(pick, masked, "bool")
      local on = fill(pick, m)
      local count = 0
      for i = 1, rows do count = count + (on[i] and 1 or 0) end
      local v, given
      local kind = pick(3)
      local rest = table.move(shape, axes + 1, #shape, 1, {})
      if kind == 1 then
        given = { (values(pick, 1, dtype):item()) }
        v = given[1]
      elseif kind == 2 and count ~= 1 then
        v, given = values(pick, count * inner, dtype)
        v = v:reshape{ count, table.unpack(rest) }
      else
        v, given = values(pick, inner, dtype)
        v = v:reshape(pick(2) == 1 and rest or { 1, table.unpack(rest) })
      end
      local next = 0
      local taken = {}
      for i = 1, rows do
        for j = 1, on[i] and inner or 0 do
          local place = (i - 1) * inner + j
          taken[#taken + 1] = list[place]
          list[place] = given[next % #given + 1]
          next = next + 1
        end
      end
      local z = a[m]
      assert.same({ count, table.unpack(rest) }, z.shape)
      equal_lists(taken, list_of(z))
      if case % 2 == 0 then
        a[m] = v
      else
        assert.equal(a, a:put(m, v))
      end
      equal_lists(list, list_of(a))
    end
  end)

  it("casts, and takes what it is written to", function ()
    local a = tide.array{ 1.5, -2, 3 }
    a[a:lt(0)] = 0
    assert.same({ 1.5, 0, 3 }, a:totable())
    a[a:gt(1)] = a[a:gt(1)] * 2
    assert.same({ 3, 0, 6 }, a:totable())
    local m = tide.array{ true, false, true }
    m[m] = false
    assert.same({ false, false, false }, m:totable())
    m:flip(1)[m:eq(false)] = { true, false, true }
    assert.same({ true, false, true }, m:totable())
    a[m] = tide.array({ 7, 8 }, "uint8")
    a[tide.zeros(3, "bool")] = {}
    assert.same({ 7, 0, 8 }, a:totable())
    tide.zeros(0)[tide.zeros(0, "bool")] = 1
  end)

  it("does not wait, and is told of another number of values", function ()
    local a = tide.zeros{ 4, 2 }
    local m = tide.array{ true, false, true, true }
    local before = tide.sync_debug "error"
    local ok, err = pcall(function ()
      a[m] = 1
      a[m] = tide.arange(6):reshape{ 3, 2 }
    end)
    tide.sync_debug(before)
    assert(ok, err)
    assert.same({ { 0, 1 }, { 0, 0 }, { 2, 3 }, { 4, 5 } }, a:totable())
    for _, n in ipairs{ 0, 2, 4 } do
      a[m] = tide.zeros{ n, 2 }
      fails(("put: %d values for a mask with 3 true elements"):format(n),
            function () return a:totable() end)
    end
    fails("cannot assign: a mask of shape 2 does not fit an array of shape " ..
          "4x2", function () a[tide.ones(2, "bool")] = 1 end)
    fails("cannot assign: shape 3 cannot be broadcast", function ()
      a[m] = { 1, 2, 3 }
    end)
    fails("cannot index: a mask of shape 2 does not fit", function ()
      return a[tide.ones(2, "bool")]
    end)
  end)

  it("reads as many as are said, without waiting", function ()
    local a = tide.arange(1, 7):reshape{ 3, 2 }
    local m = tide.array{ true, false, true }
    local before = tide.sync_debug "error"
    local ok, z = pcall(function ()
      return { a:mask(m, { size = 3 }), a:mask(m, { size = 1 }),
               a:mask(a:gt(4), { size = 3, fill = -1 }),
               a:mask(m, { size = 0 }) }
    end)
    tide.sync_debug(before)
    assert(ok, z)
    assert.same({ { 1, 2 }, { 5, 6 }, { 0, 0 } }, z[1]:totable())
    assert.same({ { 1, 2 } }, z[2]:totable())
    assert.same({ 5, 6, -1 }, z[3]:totable())
    assert.same({ 0, 2 }, z[4].shape)
    local out = tide.zeros({ 3, 2 }, "int64")
    local g <close> = tide.capture(function ()
      a:mask(m, { size = 3, fill = 9, out = out })
    end)
    m:fill(true)
    g:launch()
    assert.same(a:totable(), out:totable())
    badarg(3, "option 'size' must be an integer, 0 or more", tide.mask, a, m,
           { size = -1 })
    badarg(3, "option 'fill': ", tide.mask, a, m, { size = 1, fill = 1.5 })
  end)
end)

end)
