--[[
polyval_spec.lua - polyval: coefficients, dtypes, out=, captures. NumPy's
answers are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local badarg, fails = helper.badarg, helper.fails

helper.each_device(function ()

describe("polyval", function ()
  it("takes arrays, numbers and tables", function ()
    local x = tide.array{ { 1, 2 }, { 3, 4 } }
    local wanted = { { 4, 13 }, { 28, 49 } }
    assert.same(wanted, tide.polyval({ 3, 0, 1 }, x):totable())
    assert.same(wanted, tide.array{ 3, 0, 1 }:polyval(x.T.T):totable())
    assert.equal(76, tide.polyval({ 3, 0, 1 }, 5):item())
    assert.same({ 4.0, 13.0 }, tide.polyval({ 3., 0, 1 }, { 1, 2 }):totable())
    assert.same({ 28, 10 }, tide.arange(9, 0, -3):slice(1, 2):polyval(
      tide.array{ 3, 1 }):sub(5):totable())
  end)

  it("has the common dtype", function ()
    local p = tide.array({ 1, 2 }, "float32")
    assert.equal("float64", p:polyval(tide.ones(2)).dtype)
    assert.equal("float32", p:polyval{ 1., 2. }.dtype)
    assert.equal("float16", tide.polyval({ 1, 2. }, tide.ones(2, "float16"))
                   .dtype)
    for _, dtype in ipairs(numbers.dtypes) do
      if dtype ~= "bool" then
        local x = tide.arange(3):astype(dtype)
        local z = tide.array({ 1, 2, 3 }, dtype):polyval(x)
        assert.equal(dtype, z.dtype)
        assert.same({ 3, 6, 11 }, z:astype "int64":totable())
      end
    end
  end)

  it("of few coefficients, and of no points", function ()
    local x = tide.array{ 1, math.huge }
    assert.same({ 0.0, 0.0 }, tide.polyval({}, x):totable())
    assert.same({ 5.0, 5.0 }, tide.polyval({ 5 }, x):totable())
    assert.same({ 7.0, math.huge }, tide.polyval({ 5, 2 }, x):totable())
    assert.same({ 0, 3 }, tide.polyval({ 1, 2 }, tide.ones{ 0, 3 }).shape)
  end)

  it("writes to out, which may be the points", function ()
    local x = tide.array{ 1., 2. }
    assert.equal(x, tide.polyval({ 1, 0, 1 }, x, { out = x }))
    assert.same({ 2.0, 5.0 }, x:totable())
  end)

  it("is captured", function ()
    local p, x = tide.array{ 1., 0, 1 }, tide.array{ 1., 2. }
    local y
    local g <close> = tide.capture(function () y = p:polyval(x) end)
    p:copy_from{ 0, 1, 1 }
    g:launch()
    assert.same({ 2.0, 3.0 }, y:totable())
  end)

  it("says what is wrong", function ()
    badarg(1, "coefficients must have one axis, have 2", tide.polyval,
           tide.ones{ 2, 2 }, 1)
    badarg(2, "tide.Array, number, boolean or table expected", tide.polyval,
           { 1 }, "x")
    badarg(3, "option 'out' must have", tide.polyval, { 1, 2 }, tide.ones(2),
           { out = tide.ones(3) })
    fails("'axis'", tide.polyval, { 1 }, 1, { axis = 1 })
  end)
end)

end)
