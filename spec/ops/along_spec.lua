--[[
along_spec.lua - take_along_axis and put_along_axis: an index for each element
along an axis, against lists in plain Lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

local CASES <const> = 100

--- Calls fn(place, index, t) for each element of an array of a shape, in order;
-- index[axis] is t.
local function each (shape, fn)
  local index = {}
  for i = 1, #shape do index[i] = 1 end
  local n = 1
  for _, k in ipairs(shape) do n = n * k end
  for place = 1, n do
    fn(place, index)
    for i = #shape, 1, -1 do
      index[i] = index[i] + 1
      if index[i] <= shape[i] then break end
      index[i] = 1
    end
  end
end

--- The place of an element; axes of one element are broadcast.
local function place (shape, index)
  local at = 0
  for i, n in ipairs(shape) do
    at = at * n + (n == 1 and 0 or index[i] - 1)
  end
  return at + 1
end

--- A case at random: shape of the array, axis, shape of the indices, a list of
-- indices, and the shape of all. 'fixed': the array is not broadcast.
local function case (pick, fixed)
  local shape, of, all = {}, {}, {}
  for i = 1, pick(4) do
    shape[i] = pick(4)
    of[i], all[i] = shape[i], shape[i]
  end
  local axis = pick(#shape)
  for i = 1, #shape do
    local kind = pick(5)
    if i == axis then
      of[i] = pick(6) - 1
      all[i] = of[i]
    elseif kind == 1 then
      of[i] = 1
    elseif kind == 2 and not fixed then
      all[i], shape[i] = shape[i], 1
    end
  end
  local list = {}
  each(of, function (at)
    list[at] = pick(shape[axis]) * (pick(3) == 1 and -1 or 1)
  end)
  return shape, axis, of, list, all
end

local function resolve (i, n) return i < 0 and i + n + 1 or i end

local function turned (a)
  return a.ndim > 1 and a.T:copy().T or a
end

helper.each_device(function ()

describe("take_along_axis", function ()
  it("is what Lua takes, of any shapes that go together", function ()
    local pick = helper.generator(3)
    for n = 1, CASES do
      local dtype = numbers.dtypes[pick(#numbers.dtypes)]
      local shape, axis, of, list, all = case(pick)
      local a = tide.arange(1, 257):astype(dtype)
      local size = 1
      for _, k in ipairs(shape) do size = size * k end
      a = turned(a[{ { 1, size } }]:reshape(shape))
      local flat = a:flatten():totable()
      local index = turned(tide.array(list, "int32"):reshape(of))
      local z = a:take_along_axis(index, axis)
      assert.same(all, z.shape)
      assert.equal(dtype, z.dtype)
      local got = z:flatten():totable()
      each(all, function (at, where)
        local own = table.move(where, 1, #where, 1, {})
        own[axis] = resolve(list[place(of, where)], shape[axis])
        assert.equal(tostring(flat[place(shape, own)]), tostring(got[at]))
      end)
      if n % 4 == 0 then
        local out = turned(tide.zeros(all, dtype))
        assert.equal(out, tide.take_along_axis(a, index, { axis = axis,
                                                           out = out }))
        assert.equal(z:tobytes(), out:tobytes())
      end
    end
  end)

  it("takes what argsort and argmax give", function ()
    local a = tide.array{ { 3, 1, 2 }, { 9, 7, 8 } }
    assert.same(a:sort():totable(), a:take_along_axis(a:argsort()):totable())
    assert.same(a:sort(1):totable(),
                a:take_along_axis(a:argsort(1), 1):totable())
    assert.same({ { 3 }, { 9 } },
                a:take_along_axis(a:argmax(2, { keepdims = true })):totable())
    assert.equal(a, a:take_along_axis(a:argsort(), { out = a }))
    assert.same({ { 1, 2, 3 }, { 7, 8, 9 } }, a:totable())
  end)

  it("takes as many as there are, along each axis", function ()
    local a = tide.random.uniform({ 70, 33, 41 }, "float32")
    for axis = 1, 3 do
      local sorted, order = a:sort(axis), a:argsort(axis)
      assert.equal(sorted:tobytes(), a:take_along_axis(order, axis):tobytes())
      local some = order:slice(2, 9, 1, axis):copy()
      assert.equal(sorted:slice(2, 9, 1, axis):copy():tobytes(),
                   a:take_along_axis(some, axis):tobytes())
      assert.equal(sorted:slice(2, 9, 1, axis):copy():tobytes(),
                   a:take_along_axis(some - 1, axis, { base = 0 }):tobytes())
    end
  end)

  it("counts from 0, clips and wraps if asked", function ()
    local a = tide.array{ 10, 20, 30 }
    for _, of in ipairs{ tide.array, function (t) return t end } do
      assert.same({ 10, 30, 30 },
                  a:take_along_axis(of{ 0, 2, -1 }, { base = 0 }):totable())
      assert.same({ 10, 30 },
                  a:take_along_axis(of{ -7, 7 }, { mode = "clip" }):totable())
      assert.same({ 30, 10 }, a:take_along_axis(of{ 0, 4 }, 1,
                                                { mode = "wrap" }):totable())
    end
  end)

  it("is told of what does not go together", function ()
    local a = tide.zeros{ 2, 3 }
    badarg(2, "indices of shape 2 do not go along axis 2 of an array of " ..
           "shape 2x3", tide.take_along_axis, a, { 1, 2 })
    badarg(2, "indices of shape 3x1 do not go along axis 2", a.take_along_axis,
           a, { { 1 }, { 1 }, { 1 } })
    badarg(1, "a 0-d array has no axes", tide.take_along_axis, a:sum(), 1)
    fails("index 4 is out of range for an axis of 3 elements",
          a.take_along_axis, a, { { 4 } })
    fails("take_along_axis: the axis has no elements", tide.take_along_axis,
          tide.zeros{ 2, 0 }, tide.array{ { 1 } })
    assert.same({ 2, 0 }, tide.zeros{ 2, 0 }
                :take_along_axis(tide.zeros({ 1, 0 }, "int64")).shape)
    local z = a:take_along_axis(tide.array{ { 0 } })
    fails("take_along_axis: index 0 is out of range for an axis of 3 " ..
          "elements", z.totable, z)
    badarg(2, "indices must be integers, got float64", tide.take_along_axis, a,
           a)
  end)
end)

describe("put_along_axis", function ()
  it("is what Lua writes, one after the other", function ()
    local pick = helper.generator(4)
    for n = 1, CASES do
      local dtype = numbers.dtypes[pick(#numbers.dtypes)]
      local shape, axis, of, list, all = case(pick, true)
      local a = turned(tide.zeros(shape, dtype))
      local flat = a:flatten():totable()
      local index = turned(tide.array(list, "int64"):reshape(of))
      local v, from
      if n % 3 == 0 then
        from = {}
        for i, k in ipairs(all) do from[i] = pick(2) == 1 and 1 or k end
      else
        from = all
      end
      local size = 1
      for _, k in ipairs(from) do size = size * k end
      v = tide.arange(1, size + 1):reshape(from):astype(dtype)
      local values = v:flatten():totable()
      each(all, function (_, where)
        local own = table.move(where, 1, #where, 1, {})
        own[axis] = resolve(list[place(of, where)], shape[axis])
        flat[place(shape, own)] = values[place(from, where)]
      end)
      assert.equal(a, n % 2 == 0 and a:put_along_axis(index, v, axis) or
                      tide.put_along_axis(a, index, v, axis))
      for i, x in ipairs(a:flatten():totable()) do
        assert.equal(tostring(flat[i]), tostring(x))
      end
    end
  end)

  it("writes numbers, at places from 0, and refuses others", function ()
    local a = tide.zeros({ 2, 3 }, "int64")
    a:put_along_axis({ { 0, -1 }, { 1, 1 } }, 5, { base = 0 })
    assert.same({ { 5, 0, 5 }, { 0, 5, 0 } }, a:totable())
    a:put_along_axis(tide.array{ { 9 } }, { { 7 } }, 1, { mode = "clip" })
    assert.same({ { 5, 0, 5 }, { 7, 7, 7 } }, a:totable())
    a:put_along_axis(tide.array{ { 1, 3 } }, { 8, 9 })
    fails("put_along_axis: the axis has no elements", tide.put_along_axis,
          tide.zeros{ 2, 0 }, tide.array{ { 1 } }, 1)
    badarg(3, "shape 3 cannot be broadcast to 2x2", a.put_along_axis, a,
           { { 1, 2 } }, { 1, 2, 3 })
    a:put_along_axis(tide.array{ { 4, 1 } }, 0)
    fails("put_along_axis: index 4 is out of range for an axis of 3 elements",
          a.totable, a)
    assert.same({ { 0, 0, 9 }, { 0, 7, 9 } }, a:totable())
  end)

  it("writes many rows, as put does places of all", function ()
    local function check (rows, n, m, dtype, values, mode)
      local at = tide.random.randint(1, n, { rows, m })
      local v = type(values) == "number" and values or
                tide.arange(rows * m):mod(97):astype(dtype)
                    :reshape(rows, m)[values == "row" and
                                      { { 1, 1 }, { 1, m } } or {}]
      local z = tide.arange(rows * n):mod(89):astype(dtype):reshape(rows, n)
      local wanted = z:copy():reshape(-1)
      local places = (at + tide.arange(rows):reshape(rows, 1) * n):flatten()
      local all = v
      if type(v) ~= "number" then
        all = v:broadcast_to(rows, m):flatten()
      end
      wanted:put(places, all)
      if mode then
        at = at + n * tide.arange(rows):mod(3):reshape(rows, 1)
      end
      z:put_along_axis(at, v, { mode = mode })
      assert.equal(wanted:tobytes(), z:tobytes())
    end
    for _, dtype in ipairs{ "uint8", "int16", "float32", "int64",
                            "complex128" } do
      for _, shape in ipairs{ { 256, 1, 1 }, { 300, 7, 5 }, { 257, 64, 64 },
                              { 256, 100, 1033 }, { 256, 1025, 300 } } do
        local rows, n, m = table.unpack(shape)
        for _, values in ipairs{ "all", "row", 5 } do
          check(rows, n, m, dtype, values)
        end
        check(rows, n, m, dtype, "all", "wrap")
      end
    end
    check(256, 8192, 2048, "float32", "all")
    check(256, 8193, 2049, "float32", "all")
    local z = tide.zeros({ 400, 5 }, "float32")
    local at = tide.ones({ 400, 5 }, "int64")
    at[{ 399, 2 }] = 6
    z:put_along_axis(at, 1)
    fails("put_along_axis: index 6 is out of range for an axis of 5 elements",
          z.totable, z)
    assert.same({ 400, 0, 0, 0, 0 }, z:sum(1):totable())
    -- the values, and the indices, of what is written
    local w = tide.arange(1, 2001):reshape(400, 5)
    local back = tide.arange(5, 0, -1):broadcast_to(400, 5)
    local flipped = w:flip(2):copy()
    assert.equal(flipped:tobytes(), w:put_along_axis(back, w):tobytes())
    local k = tide.arange(1, 6):broadcast_to(400, 5):flip(2):copy()
    k:put_along_axis(k, tide.arange(1, 6):broadcast_to(400, 5))
    assert.equal(back:copy():tobytes(), k:tobytes())
  end)

  it("is captured", function ()
    local a, at = tide.zeros({ 2, 2 }, "int64"), tide.array{ { 1 }, { 2 } }
    local g <close> = tide.capture(function () a:put_along_axis(at, 3) end)
    at:copy_from{ { 2 }, { 1 } }
    g:launch()
    assert.same({ { 0, 3 }, { 3, 0 } }, a:totable())
  end)
end)

end)
