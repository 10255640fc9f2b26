--[[
axes_spec.lua - axes as arguments: as values or by the option 'axis', alike in
all functions that take one.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

-- By name: a call with what follows its other arguments, and whether its
-- options have 'out'.
local CALLS = {
  append = { function (a, ...) return a:append(a, ...) end, true },
  argsort = { function (a, ...) return a:argsort(...) end, true },
  array_split = { function (a, ...)
    return a:array_split(2, ...)[1]
  end },
  concatenate = { function (a, ...) return tide.concatenate({ a, a }, ...) end,
                  true },
  cumprod = { function (a, ...) return a:cumprod(...) end, true },
  cumsum = { function (a, ...) return a:cumsum(...) end, true },
  delete = { function (a, ...) return a:delete(1, ...) end, true },
  expand_dims = { function (a, ...) return a:expand_dims(...) end },
  flip = { function (a, ...) return a:flip(...) end },
  insert = { function (a, ...) return a:insert(1, 7, ...) end, true },
  mean = { function (a, ...) return a:mean(...) end, true },
  repeat_each = { function (a, ...) return a:repeat_each(2, ...) end, true },
  put = { function (a, ...) return a:copy():put({ 1 }, 7, ...) end },
  put_along_axis = { function (a, ...)
    return a:copy():put_along_axis(tide.ones(a.shape, "int64"), 7, ...)
  end },
  roll = { function (a, ...) return a:roll(1, ...) end, true },
  scatter_add = { function (a, ...)
    return a:copy():scatter_add({ 1, 1 }, 7, ...)
  end },
  slice = { function (a, ...) return a:slice(1, 1, 1, ...) end },
  sort = { function (a, ...) return a:sort(...) end, true },
  split = { function (a, ...) return a:split({ 2 }, ...)[2] end },
  squeeze = { function (a, ...) return a:squeeze(...) end },
  stack = { function (a, ...) return tide.stack({ a, a }, ...) end, true },
  sum = { function (a, ...) return a:sum(...) end, true },
  take_along_axis = { function (a, ...)
    return a:take_along_axis(tide.ones(a.shape, "int64"), ...)
  end, true },
  take = { function (a, ...) return a:take({ 1 }, ...) end, true },
  unstack = { function (a, ...) return a:unstack(...)[2] end },
}

local LISTS = { expand_dims = true, flip = true, mean = true, squeeze = true,
                sum = true }

local function same (x, y, what)
  assert.same(x.shape, y.shape, what)
  assert.same(x:totable(), y:totable(), what)
end

helper.each_device(function ()

-- An array whose three axes differ in length; for squeeze each has length 1.
local function operand (name)
  local a = tide.array({ { { 4, 1, 7, 2 }, { 9, 3, 0, 5 }, { 6, 8, 2, 1 } },
                         { { 3, 3, 1, 8 }, { 5, 2, 7, 0 }, { 1, 9, 4, 6 } } })
  return name == "squeeze" and a[{ { 1, 1 }, { 1, 1 }, { 1, 1 } }] or a
end

describe("option 'axis' is the axis of", function ()
  for name, entry in pairs(CALLS) do
    local call, has_out = table.unpack(entry)
    it(name, function ()
      local a = operand(name)
      for _, axis in ipairs{ 1, 2, 3, -1, -2, -3 } do
        local wanted = call(a, axis)
        same(wanted, call(a, { axis = axis }), axis)
        same(wanted, call(a, { axis = { axis } }), axis)
        if has_out then
          local out = tide.empty(wanted.shape, wanted.dtype)
          assert.equal(out, call(a, { axis = axis, out = out }))
          same(wanted, out, axis)
        end
      end
      if LISTS[name] then
        same(call(a, { 1, -1 }), call(a, { axis = { 1, -1 } }))
      end
    end)

    it(name .. ", and nothing else", function ()
      local a = operand(name)
      local past = name == "stack" or name == "expand_dims"
      local function refuses (text, ...)
        local arguments = table.pack(...)
        helper.fails(text, function ()
          call(a, table.unpack(arguments, 1, arguments.n))
        end)
      end
      refuses(past and
        "axis 5 is out of range for a result of 4 axes: 1 to 4, or -4 to -1" or
        "axis 5 is out of range for an array of 3 axes", { axis = 5 })
      refuses("axis 0 is out of range", { axis = 0 })
      refuses("axis must be an integer, got string", { axis = "1" })
      refuses("unknown option 'axes'; did you mean 'axis'?", { axes = 1 })
      refuses("unknown option 'colour': 'axis'", { colour = 1 })
      if LISTS[name] then
        refuses("axis 1 is there twice", { axis = { 1, 1 } })
        refuses("field 'axis' in a list of axes; options are a table of " ..
                "their own", { 1, axis = 1 })
      else
        refuses("option 'axis' is given besides an axis", 1, { axis = 1 })
        if name ~= "roll" then
          refuses("one axis expected", { axis = { 1, 2 } })
          refuses("one axis expected", { axis = {} })
        end
      end
      refuses("field 'x' in option 'axis', a list", { axis = { 1, x = 2 } })
    end)
  end

  it("select, and of a slice that leaves out its last values", function ()
    local a = operand()
    for axis = 1, 3 do
      same(a:select(axis, 2), a:select(2, { axis = axis }))
      same(a:slice(2, nil, nil, axis), a:slice(2, { axis = axis }))
      same(a:slice(1, 2, nil, axis), a:slice(1, 2, { axis = axis }))
    end
    fails("option 'axis' is given besides an axis", a.select, a, 1, 2,
          { axis = 1 })
    fails("unknown option 'axes'; did you mean 'axis'?", a.select, a, 1,
          { axes = 1 })
    fails("no value expected, got number", a.slice, a, 1, { axis = 1 }, 2)
    same(a[{ { 1, 1 } }], a:slice(1, 1, {}))
  end)

  it("none of an array without axes", function ()
    local a = tide.array(5)
    for _, name in ipairs{ "cumsum", "sort", "sum", "flip", "squeeze" } do
      fails("axis 1 is out of range for an array of 0 axes", a[name], a, 1)
      fails("axis 1 is out of range for an array of 0 axes", a[name], a,
            { axis = 1 })
    end
  end)

  it("no other: an empty list is none", function ()
    local a = operand()
    same(a, a:flip{})
    same(a, a:flip{ axis = {} })
    same(a[1], a[1]:squeeze{})
    same(a, a:expand_dims{})
    same(a:permute(3, 1, 2), a:permute{ axis = { 3, 1, 2 } })
    same(a.T, a:transpose())
  end)
end)

end)
