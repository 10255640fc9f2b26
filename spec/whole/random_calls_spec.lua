--[[
random_calls_spec.lua - tide.random as calls: their order, which streams and
graphs do not disturb, their arguments, and what is left where one fails. Which
numbers they give: philox_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, badarg = helper.T, helper.fails, helper.badarg
local random = tide.random

helper.each_device(function (kind)

describe("the order", function ()
  for _, where in ipairs{ "of the module", "of a generator" } do
    it("is the program's, across streams, " .. where, function ()
      local g <const> = (where == "of a generator") and random.Generator(11)
      local function draw (n)
        return g and g:uniform(n) or random.uniform(n)
      end
      local function seed () return g and g:seed(11) or random.seed(11) end
      local s <close> = helper.new_stream()
      local t <close> = helper.new_stream()
      seed()
      local all = draw(4000):totable()
      seed()
      local key = T.hold(s)
      local list = {}
      for i = 1, 4 do
        (i % 2 == 1 and s or t):with(function () list[i] = draw(1000) end)
      end
      T.release(key)
      for i, a in ipairs(list) do
        assert.same(table.move(all, i * 1000 - 999, i * 1000, 1, {}),
                    a:totable())
      end
    end)
  end

  it("goes on in each launch of a graph", function ()
    random.seed(13)
    local all = random.uniform(5 * 200):totable()
    local function part (i)
      return table.move(all, i * 200 - 199, i * 200, 1, {})
    end
    local x, y = tide.zeros(200), tide.zeros(200)
    random.seed(13)
    local g <close> = tide.capture(function ()
      random.uniform(nil, nil, { out = x })
      random.uniform(nil, nil, { out = y })
    end)
    g:launch()
    assert.same(part(1), x:totable())
    assert.same(part(2), y:totable())
    assert.same(part(3), random.uniform(200):totable())
    g:launch()
    assert.same(part(4), x:totable())
    assert.same(part(5), y:totable())
    random.seed(13)
    g:launch()
    assert.same(part(1), x:totable())
  end)

  it("starts before a capture that draws the first #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      tide.random.seed(3)
      local x, seen = tide.zeros(2), {}
      local g = tide.capture(function ()
        tide.random.uniform(nil, nil, { out = x })
      end)
      for i = 1, 3 do
        g:launch()
        assert(not seen[x[1] ])
        seen[x[1] ] = true
      end
      tide.random.seed(3)
      assert(seen[tide.random.uniform(2)[1] ])
      print "ok"
    ]])
    assert.equal("ok\n", printed)
  end)

  it("cannot be set anew while a capture has it", function ()
    local a = tide.zeros(4)
    random.seed(1)
    local first = random.uniform(4):totable()
    local s <close> = tide.Stream{ non_blocking = true }
    random.seed(1)
    s:begin_capture()
    random.seed(1)  -- none was drawn there yet
    s:with(function () random.uniform(nil, nil, { out = a }) end)
    fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", random.seed, 2)
    local g <close> = s:end_capture()
    g:launch()
    assert.same(first, a:totable())
  end)

  it("goes on where nobody was before after a reset #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      tide.random.seed(3)
      local a = tide.random.uniform(4)[1]
      tide.get_device():reset()
      local b = tide.random.uniform(4)[1]
      tide.random.seed(3)
      print(a ~= b, a == tide.random.uniform(4)[1])
      tide.get_device():reset()
      print(b == tide.random.uniform(4)[1])
    ]])
    assert.equal("true\ttrue\ntrue\n", printed)
  end)

  it("without a seed is another in each process #process", function ()
    local code = [[
      local tide = require "tide"
      local a, b = tide.random.uniform(1)[1], nil
      tide.random.seed()
      b = tide.random.uniform(1)[1]
      print(("%a %a"):format(a, b))
    ]]
    local seen = {}
    for _ = 1, 2 do
      for x in helper.child_on(kind, code):gmatch "%S+" do
        assert.is_nil(seen[x])
        seen[x] = true
      end
    end
  end)
end)

describe("arguments", function ()
  it("say shape, dtype, out", function ()
    assert.same({ 2, 3 }, random.uniform{ 2, 3 }.shape)
    assert.same({}, random.normal({}, "float32").shape)
    assert.same({ 0 }, random.uniform(0).shape)
    assert.same({ 4 }, random.uniform(0, 1, 4).shape)
    assert.equal("float64", random.normal(1).dtype)
    assert.equal("int64", random.randint(0, 1, 1).dtype)
    local a = tide.zeros({ 2, 2 }, "float32")
    assert.equal(a, random.uniform({ 2, 2 }, "float32", { out = a }))
    assert.equal(a, random.normal(0, 1, nil, nil, { out = a }))
    local b = tide.zeros(3, "uint8")
    assert.equal(b, random.randint(7, 7, nil, nil, { out = b }))
    assert.same({ 7, 7, 7 }, b:totable())
  end)

  it("have shapes as those of tide.zeros are", function ()
    assert.equal(100, random.uniform(1e2).size)
    assert.equal(100, random.normal(0, 1, 1e2).size)
    assert.equal(100, random.randint(1, 6, 1e2).size)
  end)

  it("that make no sense are refused", function ()
    for _, f in ipairs{ random.uniform, random.normal } do
      local names = f == random.uniform and "low, high" or "mean, std"
      local order = ("; the arguments are [%s,] shape [, dtype [, options]]")
                      :format(names)
      local shape = "shape must be an integer or a table of integers, got "
      badarg(1, shape .. "no value" .. order, f)
      badarg(1, shape .. "string" .. order, f, "x")
      badarg(3, shape .. "no value" .. order, f, 0, 1)
      badarg(1, shape .. "2.5" .. order, f, 2.5)
      badarg(2, "dtype string expected, got number" .. order, f, { 3 }, 0, 1)
      badarg(2, "dtype string expected, got table" .. order, f, 3, {})
      badarg(1, "shape must not be negative", f, -1)
      badarg(2, "dtype must be float32 or float64, not int32", f, 3, "int32")
      badarg(4, "dtype must be float32 or float64, not bool", f, 0, 1, 3,
             "bool")
      badarg(3, "unknown option 'outt'", f, 3, nil, { outt = 1 })
      badarg(3, "option 'out' must be an open tide.Array", f, 3, nil,
             { out = 3 })
      badarg(3, "option 'out' must have the shape given", f, 3, nil,
             { out = tide.zeros(4) })
      badarg(3, "option 'out' must have dtype float32, has float64", f, 3,
             "float32", { out = tide.zeros(3) })
      badarg(3, "dtype must be float32 or float64, not int64", f, nil, nil,
             { out = tide.zeros(3, "int64") })
      local first, second = names:match "(%w+), (%w+)"
      for _, bad in ipairs{ 1 / 0, 0 / 0 } do
        badarg(1, first .. " must be finite, and ", f, bad, 1, 3)
        badarg(2, second .. " must be finite, and ", f, 0, bad, 3)
        badarg(2, "is no finite float64", f, 0, bad, 3)
      end
      badarg(2, "is no finite float32", f, 0, 1e300, 3, "float32")
    end
    badarg(2, "high is less than low", random.uniform, 1, 0, 3)
    badarg(2, "high is too far from low", random.uniform, -1e308, 1e308, 3)
    badarg(2, "std must not be negative", random.normal, 0, -1, 3)
    badarg(2, "high is less than low", random.randint, 2, 1, 3)
    badarg(2, "number is out of range for uint8", random.randint, 0, 256, 3,
           "uint8")
    badarg(1, "number is out of range for uint8", random.randint, -1, 2, 3,
           "uint8")
    badarg(4, "dtype must be one of integers, not float64", random.randint, 0,
           1, 3, "float64")
    badarg(4, "dtype must be one of integers, not bool", random.randint, 0, 1,
           3, "bool")
    local order = "; the arguments are low, high, shape [, dtype [, options]]"
    badarg(1, "integer 'low' expected, got no value" .. order, random.randint)
    badarg(1, "integer 'low' expected, got table" .. order, random.randint,
           { 3 }, 0, 1)
    badarg(2, "integer 'high' expected, got no value" .. order,
           random.randint, 1)
    badarg(3, "integers, got no value" .. order, random.randint, 1, 5)
    badarg(1, "integer 'low' expected, got 0.5" .. order, random.randint, 0.5,
           1, 3)
    badarg(3, "options table expected, got number; the arguments are [mean, " ..
           "std,] shape", random.normal, 0, "float32", 3)
    badarg(1, "number expected, got string", random.seed, "x")
    for _, name in ipairs{ "uniform", "normal", "randint", "seed" } do
      fails("to 'tide.random." .. name .. "'", tide.random[name], "x")
    end
    fails("no field 'unifrom' in tide.random; did you mean 'uniform'?",
          function () return random.unifrom end)
    local closed = tide.zeros(3)
    closed:close()
    badarg(3, "option 'out' must be an open tide.Array", random.uniform, 3,
           nil, { out = closed })
  end)

  it("that are refused draw nothing", function ()
    random.seed(21)
    local first = random.uniform(1)[1]
    random.seed(21)
    fails("high is less than low", random.uniform, 1, 0, 3)
    fails("shape must not be negative", random.normal, -1)
    random.uniform(0)
    assert.equal(first, random.uniform(1)[1])
  end)
end)

it("a call that fails leaves the counter", function ()
  random.seed(23)
  local first = random.uniform(1)[1]
  random.seed(23)
  T.failcall(1, 999, "cuLaunchKernel")
  fails("999", random.uniform, 5)
  assert.equal(first, random.uniform(1)[1])
end)

end)
