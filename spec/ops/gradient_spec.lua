--[[
gradient_spec.lua - gradient: dtypes, distances, ends, captures. NumPy's answers
are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local badarg, fails = helper.badarg, helper.fails

local REAL <const> = {}
for _, dtype in ipairs(numbers.dtypes) do
  if not dtype:find "^complex" then REAL[#REAL + 1] = dtype end
end

helper.each_device(function ()

describe("gradient", function ()
  local function line () return tide.array{ 1, 2, 4, 7, 11, 16 } end

  it("has the slopes of NumPy's manual", function ()
    assert.same({ 1, 1.5, 2.5, 3.5, 4.5, 5 }, line():gradient():totable())
    assert.same({ 0.5, 0.75, 1.25, 1.75, 2.25, 2.5 },
                line():gradient(2):totable())
    local at = tide.array{ 0, 1, 1.5, 3.5, 4, 6 }
    local z = line():gradient(at):round(9)
    assert.same({ 1, 3, 3.5, 6.7, 6.9, 2.5 }, z:totable())
    z = line():gradient(at, { edge_order = 2 }):round(9)
    assert.same({ -1, 3, 3.5, 6.7, 6.9, -1.9 }, z:totable())
  end)

  it("has a result for each axis", function ()
    local a = tide.array{ { 1, 2, 6 }, { 3, 4, 5 } }
    local x, y, none = a:gradient()
    assert.is_nil(none)
    assert.same({ { 2, 2, -1 }, { 2, 2, -1 } }, x:totable())
    assert.same({ { 1, 2.5, 4 }, { 1, 1, 1 } }, y:totable())
    y, x = a:gradient({ 0.5, 2 }, { axis = { -1, 1 } })
    assert.same({ { 2, 5, 8 }, { 2, 2, 2 } }, y:totable())
    assert.same({ { 1, 1, -0.5 }, { 1, 1, -0.5 } }, x:totable())
    local at = tide.array({ 1, 3, 4 }, "int8")
    x, y = a:gradient{ 2, at }
    assert.is_true(tide.array_equal(y, (a:gradient(at, { axis = 2 }))))
    assert.equal(3, #at)  -- it is not closed
    assert.same({ 2, 3 }, x.shape)
  end)

  it("of every dtype, and of views", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.arange(8):lt(4):astype(dtype)
      local floats = dtype:find "float" or dtype:find "complex"
      local z = a:gradient()
      assert.equal(floats and dtype or "float64", z.dtype)
      assert.same({ 0, 0, 0, -0.5, -0.5, 0, 0, 0 },
                  z:astype "float64":totable())
      local odd = tide.arange(9):astype(dtype)
      if dtype ~= "bool" then
        assert.same({ 2, 2, 2, 2, 2 }, odd:slice(1, 9, 2):gradient()
                      :astype "float64":totable())
      end
    end
    for _, dtype in ipairs(REAL) do
      if dtype ~= "bool" then
        assert.same({ 3, 3, 3 }, tide.arange(0, 9, 3):gradient(
          tide.arange(3):astype(dtype)):totable())
      end
    end
  end)

  it("is captured", function ()
    local a, at = tide.array{ 1., 2, 4 }, tide.array{ 0., 1, 2 }
    local x, y
    local g <close> = tide.capture(function ()
      x, y = a:gradient(), a:gradient(at, { edge_order = 2 })
    end)
    a:copy_from{ 1, 4, 9 }
    g:launch()
    assert.same({ 3, 4, 5 }, x:totable())
    assert.same({ 2, 4, 6 }, y:totable())
  end)

  it("of other axes than the short ones", function ()
    assert.same({ 0, 3 }, tide.zeros{ 0, 3 }:gradient{ axis = 2 }.shape)
    badarg(1, "axis 1 must have at least 2 elements, has 0", tide.gradient,
           tide.zeros{ 0, 3 })
    badarg(1, "axis 2 must have at least 3 elements, has 2", tide.gradient,
           tide.zeros{ 3, 2 }, { edge_order = 2 })
    badarg(1, "at least one axis expected", tide.gradient, tide.array(1))
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 3, 3 }
    badarg(2, "a list has one spacing for each axis, 2, got 3; coordinates " ..
           "are a tide.Array", tide.gradient, a, { 0, 1, 4 })
    badarg(2, "2 coordinates for an axis of 3 elements", tide.gradient, a,
           tide.ones(2))
    badarg(2, "coordinates must have one axis, have 2", tide.gradient, a, a)
    badarg(2, "real coordinates expected", tide.gradient, a,
           tide.ones(3):astype "complex64")
    badarg(2, "a number or a tide.Array expected, got string", tide.gradient,
           a, "x")
    badarg(2, "options are a table of their own", tide.gradient, a,
           { 1, 2, axis = 1 })
    badarg(3, "option 'edge_order' must be 1 or 2", tide.gradient, a, 1,
           { edge_order = 3 })
    fails("'step'", tide.gradient, a, { step = 3 })
  end)
end)

end)
