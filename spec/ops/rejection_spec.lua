--[[
rejection_spec.lua - the numbers of gamma, beta, poisson and binomial, which
take as many words as they need: the same bits everywhere, alone and side by
side, of one pair of parameters and of as many as elements; in graphs, and in
calls that fail.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T
local fails = helper.fails
local random = tide.random

helper.each_device(function ()

describe("their numbers", function ()
  --- A number for the bytes of many draws.
  local function digest (a)
    local x = 0
    for word in a:tobytes():gmatch "........" do
      x = x * 31 + string.unpack("<i8", word)
    end
    return ("%016x"):format(x)
  end

  local same <const> = {
    { "gamma", "2ce4b915768946e9", 0.01, 2 },
    { "gamma", "db0da867500d6ce0", 0.75, 2 },
    { "gamma", "eb4ce7f7f331e033", 12.5, 0.1 },
    { "beta", "72795d532bde0615", 0.5, 0.25 },
    { "beta", "68d4bb4d1f0c2b6e", 2.5, 0.5 },
    { "poisson", "f21eaa197d222150", 3.25 },
    { "poisson", "2d9275dd44ac444c", 1234.5 },
    { "binomial", "1da34739c6f1393e", 20, 0.125 },
    { "binomial", "27abaeb056a02be8", 5000, 0.3 },
    { "gamma", "84bf1d4bcca85bd3", 0.01, 2, "float32" },
    { "gamma", "7560d5adef7e92dd", 0.75, 1e30, "float32" },
    { "gamma", "a672cff063adca7e", 2, 1, "float32" },
    { "gamma", "c44ef3e7efdf0b8f", 12.5, 0.1, "float32" },
    { "gamma", "753597b8375154a7", 1e6, 1e-3, "float32" },
    { "beta", "39ed6a8688e7fb90", 2.5, 0.5, "float32" }
  }
  for _, one in ipairs(same) do
    local name, wanted, x, y, dtype = table.unpack(one)
    it(("of %s(%s, %s), %s, are the same bits everywhere"):format(name, x, y,
        dtype), function ()
      random.seed(7)
      assert.equal(wanted, digest(y and random[name](x, y, 20000, dtype) or
                                  random[name](x, 20000, dtype)))
    end)
  end

  -- If all elements share a pair, values that follow from it are computed once,
  -- and elements that are not sure at once are tried by whole blocks.
  local tiled <const> = {
    { "poisson", 1e-20 }, { "poisson", 3 }, { "poisson", 9.9999 },
    { "poisson", 10 }, { "poisson", 20 }, { "poisson", 1e5 },
    { "poisson", 2.0 ^ 62 }, { "binomial", 3, 0.001 }, { "binomial", 3, 1 },
    { "binomial", 33, 0.7 }, { "binomial", 1 << 53, 1e-18 },
    { "binomial", 1000000, 0.999995 }, { "binomial", 100, 0.1 },
    { "binomial", 1000, 0.4 }, { "binomial", 1000, 0.6 },
    { "binomial", 1 << 53, 0.5 }, { "gamma", 0.01, 3 }, { "gamma", 0.9, 1 },
    { "gamma", 1, 1 }, { "gamma", 2, 1e-3 }, { "gamma", 1e9, 1 },
    { "beta", 2, 3 }, { "beta", 0.2, 1.5 }, { "beta", 1e5, 0.01 },
    { "beta", 0.5, 0.5 }, { "beta", 1, 1 }, { "beta", 1e-3, 1e-300 },
    { "gamma", 0.5, 1, "float32" }, { "gamma", 3, 1, "float32" },
    { "beta", 0.5, 0.25, "float32" }, { "beta", 2, 3, "float32" }
  }
  for _, one in ipairs(tiled) do
    local name, x, y, dtype = table.unpack(one)
    it(("of %s(%s, %s), %s, are those of as many parameters, in whatever tiles")
       :format(name, x, y, dtype), function ()
      local function draw (a, b, n)
        random.seed(17)
        local z = b and random[name](a, b, n, dtype) or
                  random[name](a, n, dtype)
        return z, random.uniform(1)[1]
      end
      for _, n in ipairs{ 1, 31, 255, 257, 5000, 70001, 1200321 } do
        local z, after = draw(x, y, n)
        local wanted, later = draw(tide.full({ n }, x), y, n)
        assert.is_true(tide.array_equal(z, wanted), n)
        assert.equal(later, after)
      end
    end)
  end

  it("of gamma are the same alone and side by side, whole or not", function ()
    local n = 1000
    for _, k in ipairs{ 0.02, 0.5, 1, 2, 60, 80, 500, 1e9 } do
      random.seed(12)
      local wanted = random.gamma(k, 3, n, "float32"):totable()
      assert.same(wanted, (function ()
        local list, at = {}, 1
        random.seed(12)
        for _, some in ipairs{ 1, 63, 64, 65, 128, 679 } do
          local part = random.gamma(k, 3, some, "float32"):totable()
          table.move(part, 1, some, at, list)
          at = at + some
        end
        return list
      end)())
      random.seed(12)
      assert.same(wanted, random.gamma(tide.full({ n }, k), 3, nil, "float32")
                                :totable())
    end
  end)

  it("are as many as there are elements, of the counter", function ()
    for _, call in ipairs{ { "gamma", 0.5, 3 }, { "beta", 2, 3 },
                           { "poisson", 40 }, { "binomial", 90, 0.75 } } do
      local name, x, y = table.unpack(call)
      local function draw (n)
        return (y and random[name](x, y, n) or random[name](x, n)):totable()
      end
      random.seed(9)
      local all, after = draw(50), random.uniform(1)[1]
      random.seed(9)
      local first, rest = draw(20), draw(30)
      assert.same(all, table.move(rest, 1, 30, 21, first))
      assert.equal(after, random.uniform(1)[1])
      random.seed(9)
      random.uniform(100)  -- two for each value of the counter
      assert.equal(after, random.uniform(1)[1])
    end
  end)

  it("are other ones in each launch of a graph", function ()
    local a, n = tide.zeros(40, "float32"), tide.zeros({ 5, 8 }, "int8").T
    local lam = tide.full({ 5 }, 60)
    random.seed(4)
    local wanted = {}
    for i = 1, 2 do
      wanted[i] = { random.gamma(2, 1, 40, "float32"):totable(),
                    random.poisson(60, { 8, 5 }, "int8"):totable() }
    end
    random.seed(4)
    local g <close> = tide.capture(function ()
      random.gamma(2, 1, nil, nil, { out = a })
      random.poisson(lam, nil, nil, { out = n })
    end)
    for i = 1, 2 do
      g:launch()
      assert.same(wanted[i], { a:totable(), n:totable() })
    end
  end)

  it("are not drawn by a call that fails", function ()
    random.seed(23)
    local first = random.poisson(50, 1)[1]
    random.seed(23)
    T.failcall(1, 999, "cuLaunchKernel")
    fails("999", random.poisson, 50, 5)
    fails("p must be", random.binomial, 5, 2, 5)
    random.gamma(1, 1, 0)
    assert.equal(first, random.poisson(50, 1)[1])
  end)

  it("do not wait", function ()
    local lam = tide.ones(3)
    tide.sync_debug "error"
    random.poisson(lam)
    random.gamma(lam, lam, { 2, 3 }, "float32")
    tide.sync_debug "off"
  end)
end)

end)
