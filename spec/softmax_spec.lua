--[[
softmax_spec.lua - softmax, logsoftmax: against loops in Lua; what would
overflow, special values, dtypes, captures.
]]
local tide = require "tide"
local helper = require "spec.helper"
local blames = helper.blames

--- Of a list.
local function softmax (x)
  local most, sum, z = -math.huge, 0, {}
  for _, v in ipairs(x) do most = math.max(most, v) end
  for i, v in ipairs(x) do
    z[i] = math.exp(v - most)
    sum = sum + z[i]
  end
  for i in ipairs(z) do z[i] = z[i] / sum end
  return z, most + math.log(sum)
end

local function near (wanted, is, eps)
  for i, x in ipairs(wanted) do
    assert.is_true(math.abs(x - is[i]) <= (eps or 1e-14),
                   ("%d: %g, not %g"):format(i, is[i], x))
  end
end

helper.each_device(function ()

describe("softmax", function ()
  it("is that of each row", function ()
    local pick = helper.generator(3)
    for _ = 1, 20 do
      local x, n, m = {}, pick(4), pick(40)
      for i = 1, n do
        x[i] = {}
        for k = 1, m do x[i][k] = (pick(2001) - 1001) / 100 end
      end
      local a = tide.array(x)
      local p, l = a:softmax(), a:logsoftmax()
      local t = a.T:softmax(1).T:totable()
      for i = 1, n do
        local wanted, sum = softmax(x[i])
        local logs = {}
        for k, v in ipairs(x[i]) do logs[k] = v - sum end
        near(wanted, p[i]:totable())
        near(wanted, t[i])
        near(logs, l[i]:totable(), 1e-13)
      end
    end
  end)

  it("does not overflow", function ()
    for _, t in ipairs{ "float64", "float32", "float16", "bfloat16" } do
      local a = tide.array({ 60000, 60000, -60000 }, t)
      assert.equal(t, a:softmax().dtype)
      assert.same({ 0.5, 0.5, 0 }, a:softmax():totable(), t)
    end
    local l = tide.array{ 0., 1e308 }:logsoftmax()
    assert.same({ -1e308, 0 }, l:totable())
  end)

  it("of integers and bools is float64", function ()
    assert.same({ 0.5, 0.5 }, tide.array({ 255, 255 }, "uint8"):softmax()
                                :totable())
    assert.equal("float64", tide.ones(2, "bool"):logsoftmax().dtype)
    assert.same({ 0, 1 }, tide.array{ -9000, 9000 }:softmax():totable())
  end)

  it("of infinities and NaN", function ()
    assert.same({ 0, 1 }, tide.array{ -math.huge, 3 }:softmax():totable())
    for _, x in ipairs{ { -math.huge, -math.huge }, { math.huge, 1 },
                        { 0 / 0, 1 } } do
      for _, name in ipairs{ "softmax", "logsoftmax" } do
        assert.is_true(tide[name](tide.array(x)):isnan():any():item())
      end
    end
    assert.same({ { true, true }, { false, false } },
                tide.array{ { 0 / 0, 1. }, { 2., 1. } }:softmax():isnan()
                  :totable())
  end)

  it("of nothing is nothing", function ()
    assert.same({ 0, 3 }, tide.zeros{ 0, 3 }:softmax().shape)
    assert.same({ 3, 0 }, tide.zeros{ 3, 0 }:logsoftmax(2).shape)
    assert.same({ 1 }, tide.zeros(1):softmax():totable())
  end)

  it("writes to 'out', also over its operand, and is captured", function ()
    local a = tide.array{ { 1., 1. }, { 2., 2. } }
    local g = tide.capture(function () a:softmax(2, { out = a }) end)
    g:launch()
    assert.same({ { 0.5, 0.5 }, { 0.5, 0.5 } }, a:totable())
    local z = tide.zeros{ 2, 2 }
    tide.softmax(a, { axis = 1, out = z.T })
    assert.equal(0.5, z[1][1])
  end)

  it("leaves its operand as it is", function ()
    local a = tide.array{ 1., 2. }
    a:softmax()
    a:logsoftmax()
    assert.same({ 1, 2 }, a:totable())
  end)

  it("says what is wrong", function ()
    for _, name in ipairs{ "softmax", "logsoftmax" } do
      helper.fails(("'%s' is not defined for complex64 arrays"):format(name),
                   tide[name], tide.ones(2, "complex64"))
      blames(1, "an array of at least one axis expected", tide[name],
             tide.ones{})
      blames(2, "axis 2 is out of range for an array of 1 axes", tide[name],
             tide.ones(2), 2)
      blames(2, "one axis expected", tide[name], tide.ones{ 2, 2 }, { 1, 2 })
      blames(2, "unknown option 'dtype'", tide[name], tide.ones(2),
             { dtype = "float32" })
      blames(3, "option 'out' must have dtype float64, has float32",
             tide[name], tide.ones(2), 1, { out = tide.ones(2, "float32") })
    end
  end)
end)

end)
