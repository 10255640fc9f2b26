--[[
nonzero_spec.lua - nonzero, where of one argument, unravel_index and
ravel_multi_index: places as indices of axes.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

--- The indices of the elements of nested tables for which fn is true: a list
-- for each axis.
local function places (t, ndim, fn)
  local lists, at = {}, {}
  for i = 1, ndim do lists[i] = {} end
  local function below (x, axis)
    if axis > ndim then
      for i = 1, fn(x) and ndim or 0 do table.insert(lists[i], at[i]) end
      return
    end
    for i, y in ipairs(x) do
      at[axis] = i
      below(y, axis + 1)
    end
  end
  below(t, 1)
  return lists
end

local function lists_of (...)
  local lists = { ... }
  for i, a in ipairs(lists) do
    assert.equal("int64", a.dtype)
    lists[i] = a:totable()
  end
  return lists
end

helper.each_device(function ()

describe("nonzero", function ()
  it("has the indices of each axis, of every dtype", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      for _, shape in ipairs{ { 200 }, { 7, 30 }, { 3, 4, 5 }, { 2, 1, 3, 4 },
                              { 0 }, { 2, 0, 3 } } do
        local size = 1
        for _, n in ipairs(shape) do size = size * n end
        local a = (tide.arange(size) * 7 % 3):reshape(shape):astype(dtype)
        local wanted = places((tide.arange(size) * 7 % 3):reshape(shape)
                              :totable(), #shape,
                              function (x) return x ~= 0 end)
        assert.same(wanted, lists_of(tide.nonzero(a)))
        assert.same(wanted, lists_of(tide.where(a)))
        if #shape > 1 then
          assert.same(wanted, lists_of(a.T:copy().T:nonzero()))
        end
      end
    end
    assert.same({ 1, 3, 4 }, tide.array{ 0 / 0, 0, -1, 2 ^ -1074 }:nonzero()
                :totable())
    assert.same({ 2 }, tide.array{ -0.0, tide.complex(0, 1) }:nonzero()
                :totable())
  end)

  it("counts from 0 if asked, and does not wait for a size", function ()
    local a = tide.array{ { 0, 5, 6 }, { 7, 0, 0 } }
    assert.same({ { 0, 0, 1 }, { 1, 2, 0 } },
                lists_of(a:nonzero{ base = 0 }))
    assert.same({ 1, 2 }, tide.nonzero(a[1], { base = 0 }):totable())
    local before = tide.sync_debug "error"
    local ok, z = pcall(function ()
      return { { a:nonzero{ size = 5 } }, { a:nonzero{ size = 2 } },
               { a:nonzero{ size = 4, base = 0 } },
               { tide.where(a, { size = 4, fill = 1 }) },
               { a[1]:nonzero{ size = 3, fill = -7 } } }
    end)
    tide.sync_debug(before)
    assert(ok, z)
    for i, list in ipairs(z) do z[i] = lists_of(table.unpack(list)) end
    assert.same({ { 1, 1, 2, 0, 0 }, { 2, 3, 1, 0, 0 } }, z[1])
    assert.same({ { 1, 1 }, { 2, 3 } }, z[2])
    assert.same({ { 0, 0, 1, -1 }, { 1, 2, 0, -1 } }, z[3])
    assert.same({ { 1, 1, 2, 1 }, { 2, 3, 1, 1 } }, z[4])
    assert.same({ { 2, 3, -7 } }, z[5])
    assert.same({ { 0, 0 }, { 0, 0 } },
                lists_of(tide.zeros{ 3, 0 }:nonzero{ size = 2 }))
  end)

  it("is captured with a size", function ()
    local a, sum = tide.array{ 1, 0, 2, 0 }, tide.zeros(2, "int64")
    local g <close> = tide.capture(function ()
      a:nonzero{ size = 2 }:add(0, { out = sum })
    end)
    a:copy_from{ 0, 3, 0, 4 }
    g:launch()
    assert.same({ 2, 4 }, sum:totable())
  end)

  it("refuses what has no axes, and other options", function ()
    badarg(1, "a 0-d array has no axes", tide.nonzero, tide.array(1))
    badarg(2, "option 'size' must be an integer", tide.nonzero, tide.ones(2),
           { size = 1.5 })
    badarg(2, "option 'fill': ", tide.nonzero, tide.ones(2),
           { size = 1, fill = "a" })
    badarg(2, "option 'base' must be 0 or 1", tide.nonzero, tide.ones(2),
           { base = 2 })
    fails("unknown option 'sise'; did you mean 'size'?", tide.where,
          tide.ones(2), { sise = 2 })
  end)
end)

describe("unravel_index and ravel_multi_index", function ()
  it("are each other's inverse", function ()
    for _, shape in ipairs{ { 5 }, { 3, 4 }, { 2, 3, 4 }, { 1, 6, 1, 2 } } do
      local size = 1
      for _, n in ipairs(shape) do size = size * n end
      for base = 0, 1 do
        local all = tide.arange(size) + base
        local lists = { tide.unravel_index(all, shape, { base = base }) }
        assert.equal(#shape, #lists)
        assert.same(all:totable(), tide.ravel_multi_index(lists, shape,
                    { base = base }):totable())
        local at = places(tide.zeros(shape):totable(), #shape,
                          function () return true end)
        for i, list in ipairs(at) do
          assert.same(list, (lists[i] + 1 - base):totable())
        end
      end
    end
  end)

  it("take what indices can be", function ()
    assert.same({ { 1, 2, 2 }, { 1, 3, 2 } },
                lists_of(tide.unravel_index({ 1, -1, 5 }, { 2, 3 })))
    local i, j = tide.unravel_index(4, { 2, 3 })
    assert.same({ 2, 1, 0 }, { i:item(), j:item(), i.ndim })
    assert.same({ { 2, 3 }, { 5, 6 } }, tide.ravel_multi_index(
      { tide.array({ { 1 }, { 2 } }, "int8"), { 2, -1 } }, { 2, 3 }):totable())
    assert.same({ 6, 1 }, tide.ravel_multi_index({ { 9, -9 }, { 9, -9 } },
                { 2, 3 }, { mode = "clip" }):totable())
    assert.same({ 0 }, tide.unravel_index({}, { 2, 3 }).shape)
    assert.same({ 0 }, tide.unravel_index({}, { 2, 0 }).shape)
    local a = tide.array{ { 1, 9, 2 }, { 3, 4, 5 } }
    assert.same({ { 1 }, { 2 } }, lists_of(tide.unravel_index(
      a:argmax():reshape(1), a.shape)))
  end)

  it("are exact, however large the shape is", function ()
    for _, shape in ipairs{ { 46341, 46340 }, { 1 << 16, 1 << 15 },
                            { 1 << 20, 3, 1 << 13 }, { 1, (1 << 31) - 1 } } do
      local size = 1
      for _, n in ipairs(shape) do size = size * n end
      local list = { 1, 2, size // 3, size // 2 + 1, size - 1, size, -1, -size }
      for i = 1, 60 do
        list[#list + 1] = (i * 0x9E3779B97F4A7C >> 3) % size + 1
      end
      local lists = { tide.unravel_index(tide.array(list, "int64"), shape) }
      for i, place in ipairs(list) do
        local rest = place > 0 and place - 1 or place + size
        for axis = #shape, 1, -1 do
          assert.equal(rest % shape[axis] + 1, lists[axis][i])
          rest = rest // shape[axis]
        end
      end
      local wrong = tide.unravel_index(tide.array{ 1, size + 1 }, shape)
      fails("unravel_index: index " .. size + 1 .. " is out of range",
            wrong.totable, wrong)
    end
  end)

  it("are told of wrong ones", function ()
    fails("index 7 is out of range for an axis of 6 elements",
          tide.unravel_index, { 7 }, { 2, 3 })
    local i = tide.unravel_index(tide.array{ 0, 1 }, { 2, 3 })
    fails("unravel_index: index 0 is out of range for an axis of 6 elements",
          i.totable, i)
    fails("index 3 is out of range for an axis of 2 elements",
          tide.ravel_multi_index, { { 3 }, { 1 } }, { 2, 3 })
    i = tide.ravel_multi_index({ tide.array{ 3 }, { 1 } }, { 2, 3 })
    fails("ravel_multi_index: index 3 is out of range for axis 1 of 2 elements",
          i.totable, i)
    i = tide.ravel_multi_index({ { 2 }, tide.array{ 4 } }, { 2, 3 })
    fails("ravel_multi_index: index 4 is out of range for axis 2 of 3 elements",
          i.totable, i)
    fails("unravel_index: an array of that shape has no elements",
          tide.unravel_index, tide.array{ 1 }, { 2, 0 })
    badarg(1, "one for each axis of the shape expected", tide.ravel_multi_index,
           { { 1 } }, { 2, 3 })
    badarg(2, "a 0-d array has no axes", tide.unravel_index, { 1 }, {})
    badarg(2, "shape must not be negative", tide.unravel_index, { 1 }, { -1 })
    fails("axis 1 has no elements", tide.ravel_multi_index,
          { { 1 }, { 1 } }, { 0, 2 }, { mode = "clip" })
  end)
end)

describe("argwhere", function ()
  it("has the columns of nonzero", function ()
    local a = tide.arange(60):reshape(3, 4, 5):mod(7)
    for _, dtype in ipairs(numbers.dtypes) do
      local x = a:astype(dtype).T
      for _, options in ipairs{ {}, { base = 0 }, { size = 70 },
                                { size = 3, base = 0 },
                                { size = 70, fill = 9 } } do
        local wanted = tide.stack({ x:nonzero(options) }, 2)
        assert.is_true(tide.array_equal(wanted, x:argwhere(options)))
      end
    end
    assert.same({ { 2 }, { 3 } }, tide.argwhere(tide.array{ 0, 5, 6 })
                  :totable())
    assert.same({ 0, 2 }, tide.zeros{ 4, 0 }:argwhere().shape)
  end)

  it("is captured, if its size is given", function ()
    local a, z = tide.array{ { 0, 1 }, { 0, 0 } }, nil
    local g <close> = tide.capture(function ()
      z = a:argwhere{ size = 2 }
    end)
    a:copy_from{ { 0, 0 }, { 1, 0 } }
    g:launch()
    assert.same({ { 2, 1 }, { 0, 0 } }, z:totable())
    fails("array:argwhere", tide.capture, function () a:argwhere() end)
  end)

  it("says what is wrong", function ()
    badarg(1, "a 0-d array has no axes", tide.argwhere, tide.array(1))
    badarg(2, "option 'size' must be an integer, 0 or more", tide.argwhere,
           tide.ones(2), { size = -1 })
  end)
end)

end)
