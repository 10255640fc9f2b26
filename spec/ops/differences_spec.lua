--[[
differences_spec.lua - diff and trapezoid. NumPy's answers are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("diff", function ()
  it("is what lies between neighbours", function ()
    local pick = helper.generator(5)
    for _, dtype in ipairs(numbers.sets.PLAIN) do
      for _, n in ipairs{ 1, 2, 17, 5000 } do
        local list = numbers.random(dtype, n, pick)
        local a = helper.array(list, dtype)
        local wanted = {}
        for i = 2, n do
          wanted[i - 1] = numbers.fit(list[i] - list[i - 1], dtype)
        end
        assert.equal(numbers.pack(wanted, dtype), a:diff():tobytes())
      end
    end
  end)

  it("is taken several times, along any axis", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }:square()
    local b = a:permute(3, 1, 2)
    for axis, other in ipairs{ 2, 3, 1 } do
      local z = a:diff(2, axis)
      assert.same(z:permute(3, 1, 2):totable(), b:diff(2, other):totable())
    end
    assert.same({ 2, 3, 0 }, a:diff(4).shape)
    assert.same({ 2, 3, 0 }, a:diff(9).shape)
    assert.same({ 0 }, tide.ones(0):diff().shape)
    assert.same({ 0, 1 << 31 }, tide.zeros{ 0, 1 << 32 }:diff(1 << 31).shape)
    assert.same({ 0, 0 }, tide.zeros{ 0, 3 }:diff(math.maxinteger).shape)
    local same = a:diff(0)
    assert.is_true(same ~= a and tide.array_equal(same, a))
  end)

  it("takes what comes before and after, which stays the user's", function ()
    local a, b = tide.array{ { 1, 4 }, { 9, 16 } }, tide.array{ { 0, 0 } }
    for _ = 1, 2 do
      assert.same({ { 1, 4 }, { 8, 12 }, { -9, -16 } },
                  a:diff(1, 1, { prepend = b, append = b }):totable())
    end
    assert.same({ { 1, 3 }, { 9, 7 } }, a:diff{ prepend = 0 }:totable())
    assert.equal("float64", a:diff{ append = 0.5 }.dtype)
    assert.same({ true, true }, tide.array{ true, false }
                                  :diff{ prepend = false }:totable())
    local x = tide.array{ 5, 7, 4 }
    assert.equal(x, x:diff{ prepend = x:slice(1, 1), out = x })
    assert.same({ 0, 2, -3 }, x:totable())
  end)

  it("is captured", function ()
    local a, z = tide.array{ 1, 4, 9 }, tide.zeros(3, "int64")
    local g <close> = tide.capture(function ()
      a:diff{ prepend = 0, out = z }
    end)
    a:add_(1)
    g:launch()
    assert.same({ 2, 3, 5 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "at least one axis expected", tide.diff, tide.array(1))
    badarg(2, "the number of times must not be negative", tide.diff, a, -1)
    badarg(3, "axis 3 is out of range", tide.diff, a, 1, 3)
    badarg(3, "unknown option 'prepent'", tide.diff, a, 1, { prepent = 1 })
    badarg(2, "unknown option 'prepent'", tide.diff, a, { prepent = 1 })
    fails("option 'prepend' must be a number or a tide.Array, got string",
          tide.diff, a, { prepend = "1" })
    fails("option 'out' must have shape 2x2, has 1", tide.diff, a,
          { out = tide.ones(1) })
    local closed = tide.ones{ 2, 1 }
    closed:close()
    fails("array is closed", tide.diff, a, { append = closed })
  end)

  it("needs no more memory for more times (#294)", function ()
    local a = tide.zeros(1 << 16)
    collectgarbage()
    tide.get_device():synchronize()
    tide.trim()
    tide.memory_limit(4 << 20)
    assert.equal((1 << 16) - 50, a:diff(50).size)
    tide.memory_limit(0)
    assert.same({}, tide.arange(4):diff(9):totable())
    badarg(2, "option 'prepend': number is out of range for int8: 300",
           tide.diff, tide.zeros(2, "int8"), { prepend = 300 })
  end)
end)

describe("trapezoid", function ()
  it("is the area under lines", function ()
    local a = tide.array{ { 1, 2, 3 }, { 4, 5, 9 } }
    assert.same({ 4.0, 11.5 }, a:trapezoid():totable())
    assert.same({ 5.0, 7.0, 12.0 }, a:trapezoid{ axis = 1, dx = 2 }:totable())
    local x = tide.array{ 0, 1, 4 }
    assert.same({ 9.0, 25.5 }, a:trapezoid(x):totable())
    assert.same({ 9.0, 25.5 }, a.T:trapezoid(x, { axis = -2 }):totable())
    assert.same({ 9.0, 25.5 }, a:trapezoid(tide.stack{ x, x }):totable())
    assert.equal(0, tide.array{ 7 }:trapezoid():item())
    assert.equal(1.0, tide.array{ true, true }:trapezoid():item())
    assert.equal("float32", tide.ones(3, "float32"):trapezoid().dtype)
    local inf = math.huge
    assert.same({ inf, 3.0, 8.0 }, tide.array{ { inf, 1, 2 }, { 1, 2, 1 },
                                               { 5, 4, 3 } }
                                   :trapezoid():totable())
    local n = tide.arange(1e5)  -- whose inner part is a fold without packs
    assert.equal((1e5 - 1) ^ 2 / 2, n:trapezoid():item())
    assert.equal((1e5 - 3) * (1e5 + 1) / 4,
                 n:slice(3):trapezoid{ dx = 0.5 }:item())
    local z = tide.zeros(2)
    assert.equal(z, a:trapezoid{ out = z })
    assert.same({ 4.0, 11.5 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(2, "2 points for an axis of 3 elements", tide.trapezoid, a,
           tide.ones(2))
    badarg(2, "points must have one axis, or as many", tide.trapezoid, a,
           tide.ones{ 1, 2, 3 })
    badarg(1, "at least one axis expected", tide.trapezoid, tide.array(1))
    badarg(2, "unknown option 'dy'", tide.trapezoid, a, { dy = 1 })
  end)

  it("is 0 for an axis of 0 elements (#294)", function ()
    assert.same({ 0, 0, 0 }, tide.trapezoid(tide.zeros{ 3, 0 }):totable())
    assert.same({ 0, 0 }, tide.zeros({ 0, 2 }, "float32")
                            :trapezoid(tide.zeros(0), { axis = 1 }):totable())
    assert.equal("float32", tide.zeros(0, "float32"):trapezoid().dtype)
    assert.equal("float64", tide.zeros(0, "int8"):trapezoid().dtype)
    assert.equal(0, tide.zeros(0, "bool"):trapezoid():item())
    badarg(2, "1 points for an axis of 0 elements", tide.trapezoid,
           tide.zeros(0), tide.zeros(1))
  end)
end)

end)
