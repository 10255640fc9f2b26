--[[
generator_spec.lua - tide.random.Generator: has all that tide.random draws, and
the same numbers; other draws do not count; captures, resets, closing, errors.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T
local badarg, fails = helper.badarg, helper.fails
local random = tide.random

--- The arguments of each function.
local calls <const> = {
  uniform = { 7 }, normal = { 1, 2, { 2, 3 }, "float32" },
  randint = { 1, 6, 10 }, exponential = { 3, 5 }, bernoulli = { 0.5, 20 },
  permutation = { 9 }, choice = { 5, 3, { replace = false } },
  gamma = { 0.5, 2, 9 }, beta = { 2, 3, 9 }, poisson = { 20, 9 },
  binomial = { 100, 0.5, 9, "int16" }
}

helper.each_device(function (kind)

describe("a generator", function ()
  it("draws all that tide.random draws, and the same", function ()
    local g <close> = random.Generator(5)
    for name, fn in pairs(random) do
      if type(fn) == "function" and name ~= "Generator" and name ~= "seed" and
         name ~= "shuffle" then
        local arguments = name == "multivariate_normal" and
          { tide.zeros(2), tide.eye(2), 9 } or assert(calls[name], name)
        for _ = 1, 2 do
          random.seed(5)
          g:seed(5)
          local wanted = fn(table.unpack(arguments))
          local got = g[name](g, table.unpack(arguments))
          assert.equal(wanted.dtype, got.dtype)
          assert.same(wanted:totable(), got:totable(), name)
        end
      end
    end
    local a, b = tide.arange(9), tide.arange(9)
    random.seed(5)
    g:seed(5)
    assert.equal(b, g:shuffle(b))
    assert.same(random.shuffle(a):totable(), b:totable())
  end)

  it("is nobody else's", function ()
    local g, h = random.Generator(1), random.Generator(1)
    random.seed(1)
    local all = random.uniform(30):totable()
    local function part (i)
      return table.move(all, i * 10 - 9, i * 10, 1, {})
    end
    random.seed(1)
    assert.same(part(1), g:uniform(10):totable())
    assert.same(part(1), random.uniform(10):totable())
    assert.same(part(1), h:uniform(10):totable())
    random.seed(9)
    assert.same(part(2), g:uniform(10):totable())
    h:seed(3)
    assert.same(part(3), g:uniform(10):totable())
    g:seed(1)
    assert.same(part(1), g:uniform(10):totable())
  end)

  it("has any seed, and says which", function ()
    assert.equal("tide.Generator (seed 42)", tostring(random.Generator(42)))
    assert.equal("tide.Generator (seed -1)", tostring(random.Generator(-1)))
    local g, h = random.Generator(), random.Generator()
    assert.not_equal(tostring(g), tostring(h))
    assert.not_equal(g:uniform(1)[1], h:uniform(1)[1])
    g:seed(3)
    assert.equal("tide.Generator (seed 3)", tostring(g))
    g:seed()
    assert.not_equal("tide.Generator (seed 3)", tostring(g))
  end)

  it("goes on in each launch of a graph, also once it is closed", function ()
    local g = random.Generator(13)
    local all = g:uniform(6 * 20):totable()
    local function part (i)
      return table.move(all, i * 20 - 19, i * 20, 1, {})
    end
    local x = tide.zeros(20)
    g:seed(13)
    local graph <close> = tide.capture(function ()
      g:uniform(nil, nil, { out = x })
    end)
    graph:launch()
    assert.same(part(1), x:totable())
    assert.same(part(2), g:uniform(20):totable())
    graph:launch()
    assert.same(part(3), x:totable())
    g:seed(13)
    graph:launch()
    assert.same(part(1), x:totable())
    g:close()
    for i = 1, 20 do random.Generator(i):normal(9) end
    collectgarbage()
    graph:launch()
    assert.same(part(2), x:totable())
  end)

  it("may draw in a capture first", function ()
    local g <close> = random.Generator(7)
    local x = tide.zeros(4)
    local graph <close> = tide.capture(function ()
      g:uniform(nil, nil, { out = x })
    end)
    graph:launch()
    graph:launch()
    local second = x:totable()
    g:seed(7)
    g:uniform(4)
    assert.same(second, g:uniform(4):totable())
  end)

  it("cannot be seeded anew while a capture has it", function ()
    local g <close> = random.Generator(1)
    local other <close> = random.Generator(1)
    local a = tide.zeros(4)
    local s <close> = tide.Stream{ non_blocking = true }
    s:begin_capture()
    g:seed(1)  -- none was drawn there yet
    s:with(function () g:uniform(nil, nil, { out = a }) end)
    fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", g.seed, g, 2)
    other:seed(2)
    random.seed(2)
    local graph <close> = s:end_capture()
    graph:launch()
    g:seed(1)
    assert.same(a:totable(), g:uniform(4):totable())
  end)

  it("has memory where it has drawn, until it is closed", function ()
    local before = tide.memory_stats().live
    local g = random.Generator(2)
    assert.equal(before, tide.memory_stats().live)
    g:uniform(3):close()
    local drawn = tide.memory_stats().live
    assert.is_true(drawn > before and drawn <= before + 4096)
    g:uniform(3):close()
    g:seed(4)
    assert.equal(drawn, tide.memory_stats().live)
    g:close()
    assert.equal(before, tide.memory_stats().live)
    do
      local h <close> = random.Generator(2)
      h:uniform(3):close()
      local _ = random.Generator(3)
    end
    collectgarbage()
    assert.equal(before, tide.memory_stats().live)
  end)

  it("is not closed by a scope that it draws in", function ()
    local g <close> = random.Generator(6)
    tide.scope(function () g:uniform(3) end)
    local second = g:uniform(3):totable()
    g:seed(6)
    g:uniform(3)
    assert.same(second, g:uniform(3):totable())
  end)

  it("draws on the host device as well, the same", function ()
    local g <close> = random.Generator(8)
    local wanted = g:normal(100):totable()
    tide.with_device("host", function ()
      local h <close> = random.Generator(8)
      assert.same(wanted, h:normal(100):totable())
    end)
  end)

  it("goes on where nobody was before after a reset #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local g, never = tide.random.Generator(3), tide.random.Generator(3)
      local first = g:uniform(4)[1]
      tide.get_device():reset()
      local second = g:uniform(4)[1]
      print(first ~= second, first == never:uniform(4)[1])
      g:seed(3)
      print(first == g:uniform(4)[1])
      tide.get_device():reset()
      print(second == g:uniform(4)[1])
      g:close()
      tide.get_device():reset()
      print(pcall(g.uniform, g, 1))
    ]])
    assert.matches("^true\ttrue\ntrue\ntrue\nfalse\t.*generator is closed",
                   printed)
  end)

  it("that a finalizer makes at the end is no harm #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local g = tide.random.Generator(3)
      g:uniform(2)
      late = setmetatable({}, { __gc = function ()
        late = tide.random.Generator(4)
        late:uniform(2)
      end })
      print "ok"
    ]])
    assert.equal("ok\n", printed)
  end)

  it("draws nothing in a call that fails", function ()
    local g <close> = random.Generator(23)
    local first = g:uniform(1)[1]
    g:seed(23)
    T.failcall(1, 999, "cuLaunchKernel")
    fails("999", g.uniform, g, 5)
    fails("high is less than low", g.uniform, g, 1, 0, 3)
    assert.equal(first, g:uniform(1)[1])
  end)
end)

describe("a generator that is wrong", function ()
  it("is told", function ()
    local g = random.Generator(1)
    g:close()
    assert.equal("tide.Generator (closed)", tostring(g))
    for _, name in ipairs{ "uniform", "gamma", "seed", "close" } do
      badarg(1, "generator is closed", g[name], g)
    end
    fails("generator is closed", function () g:bernoulli(0.5, 1) end)
    fails("generator is closed", function () g:choice(3, 1) end)
    do
      local _ <close> = g
    end
    collectgarbage()
  end)

  it("or is none, is told", function ()
    local g <close> = random.Generator(1)
    for name in pairs(calls) do
      fails("tide.Generator expected, got number", g[name], 3)
      fails("tide.Generator expected, got tide.Array", g[name], tide.ones(1))
    end
    badarg(1, "number expected, got string", random.Generator, "1")
    badarg(1, "number has no integer representation", random.Generator, 1.5)
    fails("no value expected", random.Generator, 1, 2)
    fails("no field 'unifrom' in tide.Generator; did you mean 'uniform'?",
          function () return g.unifrom end)
    fails("did you mean tide.random.Generator?", function ()
      return tide.Generator
    end)
    fails("high is less than low", g.uniform, g, 2, 1, 3)
    fails("bad argument #2 to 'uniform'", function () g:uniform(2, 1, 3) end)
    fails("bad argument #1 to 'gamma'", function () g:gamma(-1, 1, 3) end)
    fails("bad argument #1 to 'choice'", function () g:choice("x", 3) end)
  end)
end)

end)
