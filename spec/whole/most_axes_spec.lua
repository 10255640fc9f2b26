--[[
most_axes_spec.lua - arrays of 32 axes, as many as there may be: every function
of arrays takes them or says why not. Masks of axes have a bit for each, and
shapes on the stack room for each, so one axis too many writes behind them: the
suite asan sees that. A new function is called by itself, as the functions come
from the pages of the API.
]]
local tide = require "tide"
local api = require "tide.api"
local helper = require "spec.support.helper"

local MOST <const> = 32
local PAGES = { array = true, complex = true, image = true, npy = true,
                random = true, dlpack = true }
-- functions that use files, or end objects that the next one is called with
local LEFT_OUT = { ["Array:close"] = true,
                   ["tide.save"] = true, ["tide.load"] = true,
                   ["tide.savetxt"] = true, ["tide.loadtxt"] = true,
                   ["tide.save_image"] = true, ["tide.load_image"] = true,
                   ["tide.random.seed"] = true, ["tide.random.state"] = true }

--- 2 by 3 elements in as many axes, the first and the last of them.
local function shape_of (ndim)
  local shape = {}
  for i = 1, ndim do shape[i] = 1 end
  shape[1], shape[ndim] = 2, 3
  return shape
end

local function wide (dtype, ndim)
  return tide.arange(6):astype(dtype):reshape(shape_of(ndim or MOST))
end

local function all_axes ()
  local axes = {}
  for i = 1, MOST do axes[i] = i end
  return axes
end

--{{ every function

--- { name = function } of the pages, methods as they are.
local function functions ()
  local found, array = {}, tide.ones(1)
  for _, name in ipairs(api.names()) do
    local entry = api.named(name)[1]
    if PAGES[entry.page.name] and not LEFT_OUT[name] then
      local at, ok = tide, true
      if name:find "^Array:" then
        ok, at = pcall(function () return array[name:match ":(.*)"] end)
      elseif name:find "^tide%.[%l_%.]+$" then
        for part in name:sub(6):gmatch "[^.]+" do at = at and at[part] end
      else
        at = nil
      end
      if ok and type(at) == "function" then found[name] = at end
    end
  end
  return found
end

--- Arguments of many kinds around an array of 32 axes.
local function argument_lists (dtype)
  local a, less = wide(dtype), wide(dtype, MOST - 1)
  local turned = a:transpose()
  local ints, mask = wide "int64" * 0 + 1, wide "int64":gt(2)
  local shape, axes, index = shape_of(MOST), all_axes(), {}
  for i = 1, MOST do index[i] = 1 end
  local lists = {}
  local function add (...) lists[#lists + 1] = table.pack(...) end
  for _, x in ipairs{ a, turned, less } do
    add(x); add(x, {}); add(x, { axis = {} }); add(x, { keepdims = true })
    for _, axis in ipairs{ 1, MOST, -1, -MOST, MOST + 1 } do
      add(x, axis); add(x, { axis = axis }); add(x, axis, axis)
      add(x, x, axis); add(x, 1, axis); add(x, ints, axis)
      add(x, ints, x, axis); add(x, mask, axis); add({ x, x }, axis)
      add(x, axis, { keepdims = true })
    end
    for _, list in ipairs{ axes, shape, index, { 1, MOST } } do
      add(x, list); add(x, { axis = list }); add(x, 1, list)
      add(x, list, list); add(x, x, list); add(x, { list, list })
      add(x, { axis = list, keepdims = true })
    end
    add(x, x); add(x, x, x); add(x, less); add(less, x); add(x, mask)
    add(mask, x); add(mask, x, x); add(x, ints); add(x, ints, x); add(ints, x)
    add({ x, x }); add(x, 0.5); add(x, 0.5, {}); add(x, { 0.5, 0.25 })
    add(x, 0.5, { axis = {}, keepdims = true }); add(x, 0.5, -1)
    add(x, { 0.5 }, { axis = {}, keepdims = true }); add(x, 0, 1)
    add("...->...", x); add("...,...->...", x, x); add("a...->...a", x)
    add("a...,b...->ab...", x, x); add(x, "constant"); add(x, x, 0, 1)
    add(x, { { 1, 1 } }); add(x, table.unpack(index)); add(x, "float32")
    add(x, table.unpack(shape)); add(x, x, { axes, axes })
    add(shape); add(shape, "float32"); add(1, shape); add(0, 1, shape)
    add(x, x, MOST); add(x, 2, { axis = axes }); add(ints, { 2, 3 })
    add(ints, shape)
  end
  return lists
end

--- Checks that results of a call are arrays that can be read. Reading may raise
-- an error, because some indices turn out to be invalid.
local function check (name, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if type(value) == "table" then
      check(name, table.unpack(value))
    elseif type(value) == "userdata" then
      local ok, ndim = pcall(function () return value.ndim end)
      assert.is_true(not ok or ndim <= MOST, name)
      pcall(function () return value:totable() end)
    end
  end
end

helper.each_device(function ()

describe("an array of 32 axes", function ()
  it("goes through every function", function ()
    local works, count = {}, 0
    for _, dtype in ipairs{ "float64", "bool", "complex64" } do
      local lists = argument_lists(dtype)
      for name, fn in pairs(functions()) do
        for _, list in ipairs(lists) do
          local results = table.pack(pcall(fn, table.unpack(list, 1, list.n)))
          if results[1] then
            works[name] = true
            check(name, table.unpack(results, 2, results.n))
          end
        end
        -- the errors of indices are for the next wait
        repeat until pcall(tide.get_device().synchronize, tide.get_device())
      end
    end
    for _ in pairs(works) do count = count + 1 end
    assert.is_true(count > 300, tostring(count))
  end)

  it("has the medians and quantiles of fewer axes", function ()
    local a, few = wide "float64", wide("float64", 2)
    for _, axis in ipairs{ 1, MOST } do
      local own = axis == 1 and 1 or 2
      for _, name in ipairs{ "median", "nanmedian", "sum", "mean", "max", "var",
                             "nanmean", "argmax", "softmax", "cumsum",
                             "sort" } do
        assert.same(few[name](few, own):ravel():totable(),
                    a[name](a, axis):ravel():totable(), name)
      end
      assert.same(few:quantile(0.3, own):totable(),
                  a:quantile(0.3, axis):ravel():totable())
    end
    for _, name in ipairs{ "median", "nanmedian" } do
      assert.equal(2.5, a[name](a):item())
      assert.equal(2.5, a[name](a, all_axes()):item())
      local kept = a[name](a, { keepdims = true })
      assert.same({ MOST, 2.5 }, { kept.ndim, kept:item() })
    end
    assert.equal(1.5, a:quantile(0.3):item())
    assert.equal(1.5, a:percentile(30):item())
    assert.same({ 0.0, 5.0 }, a:quantile{ 0, 1 }:totable())
  end)

  it("has its elements as medians along no axis", function ()
    local a = wide "float64"
    for _, name in ipairs{ "median", "nanmedian" } do
      assert.is_true(tide.array_equal(a, a[name](a, { axis = {} })))
    end
    assert.is_true(tide.array_equal(a, a:quantile(0.5, { axis = {} })))
    helper.fails("more than 32 axes", a.quantile, a, { 0.5 }, { axis = {} })
  end)
end)

end)
