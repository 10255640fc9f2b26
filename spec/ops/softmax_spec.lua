--[[
softmax_spec.lua - softmax, logsoftmax: against loops in Lua; what would
overflow, special values, dtypes, captures.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

--- Returns the softmax of a list.
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

  -- As many threads as there may be for a row, and rows that are not aligned;
  -- the last two go by steps.
  it("of rows of any length, and of columns, is near that of float64",
     function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local eps = tide.finfo(t).eps
      for _, n in ipairs{ 1, 3, 4, 9, 16, 20, 32, 33, 64, 100, 255, 256, 511,
                          1000, 2048, 4095, 4096, 5001, 16384, 20000 } do
        local base = tide.random.Generator(7):uniform(-4, 4, { 3, n + 1 })
        local a = base:astype(t)[{ {}, { 2, n + 1 } }]
        local x = a:astype "float64"
        local e = (x - x:max{ axis = 2, keepdims = true }):exp()
        local sum = e:sum{ axis = 2, keepdims = true }
        local p, l = a:softmax(), a:logsoftmax()
        assert.equal(t, p.dtype)
        assert.is_true(tide.allclose(p:astype "float64", e / sum, 8 * eps,
                                     t == "float16" and 1e-7 or 0))
        assert.is_true(tide.allclose(l:astype "float64", (e / sum):log(),
                                     16 * eps, 16 * eps))
        if n < 8192 then
          assert.equal(p[2]:tobytes(), a[2]:softmax():tobytes())
        end
        assert.equal(p:tobytes(), a:copy():softmax():tobytes())
        local z = tide.zeros(3 * n + 1, t)
        a:softmax{ out = z:slice(2):reshape(3, n) }
        assert.equal(p:tobytes(), z:slice(2):tobytes())
      end
      local b = tide.random.Generator(8):uniform(-4, 4, { 2, 5, 17000 })
      b = b:astype(t)
      local wanted = b:transpose(1, 3, 2):copy():softmax():transpose(1, 3, 2)
      assert.is_true(tide.allclose(b:softmax(2), wanted, 16 * eps))
      wanted = b:transpose(1, 3, 2):copy():logsoftmax():transpose(1, 3, 2)
      assert.is_true(tide.allclose(b:logsoftmax(2), wanted, 16 * eps, 16 * eps))
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
      badarg(1, "an array of at least one axis expected", tide[name],
             tide.ones{})
      badarg(2, "axis 2 is out of range for an array of 1 axes", tide[name],
             tide.ones(2), 2)
      badarg(2, "one axis expected", tide[name], tide.ones{ 2, 2 }, { 1, 2 })
      badarg(2, "unknown option 'dtype'", tide[name], tide.ones(2),
             { dtype = "float32" })
      badarg(3, "option 'out' must have dtype float64, has float32",
             tide[name], tide.ones(2), 1, { out = tide.ones(2, "float32") })
    end
  end)
end)

describe("logsumexp", function ()
  it("neither overflows nor underflows", function ()
    local function of (...) return tide.array{ ... }:logsumexp():item() end
    assert.equal(1000 + math.log(2), of(1000, 1000))
    assert.equal(-1000 + math.log(2), of(-1000, -1000))
    assert.equal(math.huge, of(math.huge, 3))
    assert.equal(-math.huge, of(-math.huge, -math.huge))
    assert.is_true(of(0 / 0, 1) ~= of(0 / 0, 1))
    assert.equal(-math.huge, tide.zeros(0):logsumexp():item())
    assert.same({ -math.huge }, tide.zeros{ 1, 0 }:logsumexp(2):totable())
    assert.same({ 0 }, tide.zeros{ 4, 0 }:logsumexp(1).shape)
    assert.same({ 1, 2 }, tide.array{ 1., 2 }:logsumexp{ axis = {} }:totable())
  end)

  it("along axes, of every dtype, of views", function ()
    for _, dtype in ipairs{ "bool", "int8", "uint64", "float16", "bfloat16",
                            "float32", "float64" } do
      local a = tide.zeros({ 2, 3, 4 }, dtype)
      local own = dtype:find "float" and dtype or "float64"
      local wanted = tide.full(3, math.log(8), own)
      for _, z in ipairs{ a:logsumexp{ 1, 3 }, a.T:logsumexp{ -3, -1 } } do
        assert.equal(own, z.dtype)
        assert.is_true(tide.allclose(wanted, z))
      end
      assert.same({ 1, 3, 1 },
                  a:logsumexp({ 1, 3 }, { keepdims = true }).shape)
    end
  end)

  it("writes to out, and is captured", function ()
    local a, z = tide.array{ { 1., 1 }, { 2, 2 } }, tide.zeros(2)
    local g <close> = tide.capture(function ()
      assert.equal(z, tide.logsumexp(a, 2, { out = z }))
    end)
    a:add_(1)
    g:launch()
    assert.same({ 2 + math.log(2), 3 + math.log(2) }, z:totable())
  end)

  it("says what is wrong", function ()
    badarg(2, "axis 2 is out of range", tide.logsumexp, tide.ones(2), 2)
    badarg(2, "unknown option 'dtype'", tide.logsumexp, tide.ones(2),
           { dtype = "float32" })
    badarg(3, "option 'out' must have dtype float64", tide.logsumexp,
           tide.ones{ 2, 2 }, 1, { out = tide.ones(2, "float32") })
    helper.fails("'logsumexp' is not defined for complex64 arrays",
                 tide.logsumexp, tide.ones(2):astype "complex64")
  end)
end)

end)
