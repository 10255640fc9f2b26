--[[
draws_spec.lua - exponential, bernoulli, choice, permutation, shuffle: how often
what comes, the same again with a seed, in captures, on another device, errors.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg, fails = helper.badarg, helper.fails
local random = tide.random

--- sorted(a) -> its elements in order, as a list.
local function sorted (a) return a:ravel():sort():totable() end

local function to (n)
  local list = {}
  for i = 1, n do list[i] = i end
  return list
end

helper.each_device(function ()

before_each(function () random.seed(7) end)

describe("exponential", function ()
  for _, dtype in ipairs{ "float32", "float64" } do
    it("has the mean and the share of small ones, of " .. dtype, function ()
      local n = 200000
      local a = random.exponential(2, n, dtype)
      assert.equal(dtype, a.dtype)
      assert.is_true(a:min():item() >= 0)
      assert.is_true(math.abs(a:mean():item() - 2) < 0.03)
      assert.is_true(math.abs(a:std():item() - 2) < 0.05)
      for _, x in ipairs{ 0.5, 2, 6 } do
        local share = a:lt(x):mean():item()
        assert.is_true(math.abs(share - (1 - math.exp(-x / 2))) < 0.005, x)
      end
    end)

    it("is the logarithm of uniform numbers, of " .. dtype, function ()
      local a = random.exponential(1, 8, dtype)
      random.seed(7)
      local u = dtype == "float64" and random.uniform(8) or nil
      for i = 1, u and 8 or 0 do
        -- uniform has half a unit less
        assert.is_true(math.abs(a[i] + math.log(u[i])) < 1e-9)
      end
      random.seed(7)
      assert.same(a:totable(), random.exponential(1, 8, dtype):totable())
      random.seed(7)
      local b = random.exponential(3, 8, dtype)
      assert.is_true(tide.allclose(b, a * 3, 1e-6))
    end)
  end

  it("fills what it is given, and draws anew in each launch", function ()
    local a = tide.zeros({ 3, 4 }, "float32").T
    local g = tide.capture(function ()
      random.exponential(1, nil, nil, { out = a })
    end)
    g:launch()
    local first = a:totable()
    g:launch()
    assert.is_true(a:all():item())
    assert.is_false(pcall(assert.same, first, a:totable()))
    assert.same({ 0, 0 }, random.exponential(0, 2):totable())
    assert.same({ 0 }, random.exponential(1, 0).shape)
  end)

  it("says what is wrong", function ()
    badarg(1, "number 'scale' expected, got ", random.exponential, {}, 3)
    badarg(1, "scale must not be negative", random.exponential, -1, 3)
    badarg(1, "scale must be finite", random.exponential, math.huge, 3)
    badarg(1, "scale must be finite", random.exponential, 1e39, 3, "float32")
    badarg(3, "dtype must be float32 or float64, not int8",
           random.exponential, 1, 3, "int8")
    fails("the arguments are scale, shape", random.exponential, 1, "float32")
  end)
end)

describe("bernoulli", function ()
  it("is true as often as p says", function ()
    for _, p in ipairs{ 0, 0.1, 0.5, 0.9, 1 } do
      local a = random.bernoulli(p, { 100, 1000 })
      assert.equal("bool", a.dtype)
      local share = a:mean():item()
      assert.is_true(math.abs(share - p) < 0.006, p)
      assert.is_true(p % 1 ~= 0 or share == p)
    end
    assert.equal("float32", random.bernoulli(0.5, 3, "float32").dtype)
    assert.same({ 0 }, random.bernoulli(0.5, 0).shape)
    assert.same({}, random.bernoulli(0.5, {}).shape)
  end)

  it("says what is wrong", function ()
    for _, p in ipairs{ -0.1, 1.1, 0 / 0, "1", {} } do
      badarg(1, "a probability from 0 to 1 expected, got ", random.bernoulli,
             p, 3)
    end
    badarg(1, "got tide.Array; binomial(1, p) takes an array of them",
           random.bernoulli, tide.ones(2), 2)
    badarg(2, "shape must be an integer or a table of integers, got no " ..
           "value; the arguments are p, shape [, dtype]", random.bernoulli,
           0.5)
    badarg(2, "shape must not be negative", random.bernoulli, 0.5, -1)
    badarg(2, "index 4 apart from the others in a shape", random.bernoulli,
           0.5, { 2, [4] = 2 })
    for _, shape in ipairs{ 1 << 50, { 1 << 40, 1 << 40 } } do
      badarg(2, "the shape has more than 2^46 elements", random.bernoulli,
             0.5, shape)
    end
    badarg(3, "dtype string expected, got number; the arguments are p, shape",
           random.bernoulli, 0.5, 3, 1)
    badarg(3, "unknown dtype 'boot'", random.bernoulli, 0.5, 3, "boot")
    fails("called with '.'", function () random:bernoulli(0.5, 3) end)
  end)
end)

describe("permutation, shuffle", function ()
  it("have each number once, in every order alike", function ()
    assert.same(to(1000), sorted(random.permutation(1000)))
    assert.same({ 0 }, random.permutation(0).shape)
    local seen, rounds = {}, 600
    for _ = 1, rounds do
      local key = table.concat(random.permutation(3):totable())
      seen[key] = (seen[key] or 0) + 1
    end
    local orders = 0
    for _, times in pairs(seen) do
      orders = orders + 1
      assert.is_true(math.abs(times - rounds / 6) < 45, times)
    end
    assert.equal(6, orders)
  end)

  it("have each number of many once, in any order", function ()
    for _, n in ipairs{ 1024, 1025, 1089, 4099, 65536, 100000 } do
      local a = random.permutation(n)
      assert.is_true(tide.array_equal(a:sort(), tide.arange(1, n + 1)), n)
      -- which come next to each other, and where they were: about one each
      assert.is_true(a:diff():eq(1):sum():item() < 10, n)
      assert.is_true(a:eq(tide.arange(1, n + 1)):sum():item() < 10, n)
      -- of two halves, half of each
      local low = a:slice(1, n // 2):le(n // 2):mean():item()
      assert.is_true(math.abs(low - 0.5) < 3 / math.sqrt(n), n)
    end
  end)

  it("of many are the same numbers on each device", function ()
    local a = random.permutation(5000)
    assert.same({ 1910, 1757, 298 }, a:slice(1, 3):totable())
    assert.equal(31110392313, (a * tide.arange(1, 5001)):sum():item())
    local some = random.choice((1 << 46) - 7, 3, { replace = false })
    assert.same({ 10775821976046, 48764888874554, 36575221698529 },
                some:totable())
  end)

  it("keep slices together, along the axis", function ()
    local a = tide.arange(60):reshape{ 20, 3 }
    local rows = random.permutation(a)
    assert.same(a:totable(), rows:sort(1):totable())
    assert.is_true(tide.array_equal(rows:select(2, 3),
                                    rows:select(2, 1) + 2))
    local columns = random.permutation(a, -1)
    assert.same(a:sum(2):totable(), columns:sum(2):totable())
    assert.same({ 0, 1, 2 }, sorted(columns[1]))
    local b = a.T:copy()
    assert.equal(b, random.shuffle(b, 2))
    assert.same(sorted(a), sorted(b))
    assert.is_true(tide.array_equal(b[3], b[1] + 2))
  end)

  it("are the same again with a seed, and other ones in each launch",
  function ()
    local a = random.permutation(50):totable()
    random.seed(7)
    assert.same(a, random.permutation(50):totable())
    local b = tide.arange(50)
    local g = tide.capture(function () random.shuffle(b) end)
    g:launch()
    local first = b:totable()
    g:launch()
    assert.is_false(pcall(assert.same, first, b:totable()))
    assert.same(tide.arange(50):totable(), sorted(b))
  end)

  it("say what is wrong", function ()
    badarg(1, "tide.Array or an integer from 0 on expected, got -1",
           random.permutation, -1)
    badarg(1, "tide.Array or an integer from 0 on expected, got 1.5",
           random.permutation, 1.5)
    badarg(1, "tide.Array or an integer from 0 on expected, got no value",
           random.permutation)
    badarg(2, "an axis is of an array, got number", random.permutation, 3, 1)
    badarg(2, "axis 3 is out of range for an array of 2 axes",
           random.permutation, tide.ones{ 2, 2 }, 3)
    badarg(2, "axis must be an integer, got string", random.shuffle,
           tide.ones(2), "1")
    badarg(2, "axis must be an integer, got 1.5", random.shuffle,
           tide.ones(2), 1.5)
    badarg(1, "an integer up to 2^46 expected, got", random.permutation,
           (1 << 46) + 1)
    badarg(1, "got table; tide.array(list) is one", random.permutation,
           { 1, 2 })
    badarg(1, "tide.Array expected, got number", random.shuffle, 3)
    badarg(1, "tide.Array expected, got tide.HostArray; tide.asarray(x) is " ..
           "one", random.shuffle, tide.HostArray(3))
    badarg(1, "elements of a broadcast array share memory", random.shuffle,
           tide.ones(3):broadcast_to{ 3, 3 })
    badarg(1, "an array of at least one axis expected", random.shuffle,
           tide.ones{})
  end)
end)

describe("choice", function ()
  it("takes any, again and again", function ()
    local a = random.choice(4, { 100, 100 })
    assert.same({ 100, 100 }, a.shape)
    assert.equal("int64", a.dtype)
    for i = 1, 4 do
      assert.is_true(math.abs(a:eq(i):mean():item() - 0.25) < 0.02)
    end
    local b = random.choice(tide.array({ 10, 20 }, "int8"), 50)
    assert.equal("int8", b.dtype)
    assert.is_true(b:eq(10):bor(b:eq(20)):all():item())
    local rows = random.choice(tide.arange(6):reshape{ 3, 2 }, { 2, 2 })
    assert.same({ 2, 2, 2 }, rows.shape)
  end)

  it("takes none twice if it shall not", function ()
    assert.same(to(30), sorted(random.choice(30, { 5, 6 },
                                             { replace = false })))
    local a = sorted(random.choice(1000, 100, { replace = false }))
    for i = 2, #a do assert.is_true(a[i] > a[i - 1]) end
    assert.same({ 1, 2 }, sorted(random.choice(tide.array{ 2, 1 }, 2,
                                               { replace = false })))
  end)

  it("takes few of many without a list of them", function ()
    for _, n in ipairs{ 1025, 30000, (1 << 31) + 1, 1 << 46 } do
      local a = random.choice(n, { 20, 50 }, { replace = false })
      assert.same({ 20, 50 }, a.shape)
      local list = a:ravel():sort()
      assert.is_true(list:diff():gt(0):all():item(), n)
      assert.is_true(list[1] >= 1 and list[1000] <= n, n)
      local mean = a:mean():item() / n
      assert.is_true(math.abs(mean - 0.5) < 0.05, n)
    end
    local of = tide.arange(5000, "float32")
    assert.equal("float32", random.choice(of, 9, { replace = false }).dtype)
  end)

  it("comes anew in each launch, and where its result goes", function ()
    local a
    local g = tide.capture(function ()
      a = random.choice(10000, 7, { replace = false })
    end)
    g:launch()
    local first = a:totable()
    g:launch()
    assert.is_false(pcall(assert.same, first, a:totable()))
  end)

  it("of nothing is nothing", function ()
    assert.same({ 0 }, random.choice(0, 0).shape)
    assert.same({ 3, 0 }, random.choice(5, { 3, 0 }).shape)
    assert.same({ 0, 2 }, random.choice(tide.zeros{ 0, 2 }, 0).shape)
    assert.same({ 0 }, random.choice(5, 0, { replace = false }).shape)
  end)

  it("says what is wrong", function ()
    badarg(1, "tide.Array with an axis or an integer from 0 on expected, got",
           random.choice, "x", 3)
    badarg(1, "tide.Array with an axis or an integer from 0 on expected, got",
           random.choice, tide.ones{}, 3)
    badarg(1, "got table; tide.array(list) is one", random.choice, { 1, 2 }, 3)
    badarg(1, "up to 2^46 expected where none comes twice", random.choice,
           1 << 60, 3, { replace = false })
    badarg(2, "shape must be an integer or a table of integers, got no " ..
           "value; the arguments are x, shape [, options]", random.choice, 3)
    badarg(2, "the shape has more than 2^46 elements", random.choice, 3,
           { 1 << 40, 1 << 40 })
    badarg(2, "up to 0 elements expected, got 1: there are no more)",
           random.choice, 0, 1)
    badarg(2, "up to 3 elements expected, got 4: there are no more, and " ..
           "none comes twice", random.choice, 3, 4,
           { replace = false })
    badarg(3, "unknown option 'q': 'p' or 'replace' expected", random.choice,
           3, 4, { q = 1 })
    badarg(3, "option 'replace' must be a boolean, got number",
           random.choice, 3, 4, { replace = 1 })
    badarg(3, "options table expected, got boolean; the arguments are x, " ..
           "shape", random.choice, 3, 4, false)
    badarg(4, "no value expected, got number", random.choice, 3, 4, {}, 1)
  end)

  --- Expects the frequencies of 1 to #p among the elements.
  local function has_shares (a, p)
    for i, share in ipairs(p) do
      local seen = a:eq(i):mean():item()
      assert.is_true(math.abs(seen - share) < 0.04, i .. ": " .. seen)
      assert.is_true(share > 0 or seen == 0)
    end
  end

  it("takes by probabilities", function ()
    local p = { 0, 0.1, 0.6, 0, 0.3, 0 }
    has_shares(random.choice(#p, { 100, 100 }, { p = p }), p)
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      has_shares(random.choice(#p, 10000, { p = tide.array(p, t) }), p)
    end
    local weights = tide.array({ 1, 2, 0, 1 }, "int8"):flip():flip()
    has_shares(random.choice(4, 10000, { p = weights }), { .25, .5, 0, .25 })
    has_shares(random.choice(2, 10000, { p = tide.array{ true, false } }),
               { 1, 0 })
    local rows = tide.arange(6, "int8"):reshape{ 3, 2 }
    local taken = random.choice(rows, { 2, 2 }, { p = { 0, 2, 0 } })
    assert.equal("int8", taken.dtype)
    assert.same({ { { 2, 3 }, { 2, 3 } }, { { 2, 3 }, { 2, 3 } } },
                taken:totable())
    assert.same({}, random.choice(2, {}, { p = { 1, 0 } }).shape)
    assert.same({ 0 }, random.choice(2, 0, { p = { 0, 0 } }).shape)
    assert.same({ 0, 2 }, random.choice(rows, 0, { p = { 1, 0, 0 } }).shape)
    assert.same({ 0 }, random.choice(0, 0, { p = {} }).shape)
  end)

  it("takes none twice by probabilities", function ()
    local p = tide.array{ 0, 1, 2, 0, 7 }
    local first, n = {}, 3000
    for i = 1, n do
      local a = random.choice(5, 3, { p = p, replace = false })
      assert.same({ 2, 3, 5 }, sorted(a))
      first[i] = a[1]
    end
    has_shares(tide.array(first), { 0, 0.1, 0.2, 0, 0.7 })
    assert.same({ 2, 4 }, sorted(random.choice(4, { 2, 1 }, {
      p = { 0, 3, 0, 1e-9 }, replace = false }):ravel()))
  end)

  it("takes by probabilities of the moment in a graph", function ()
    for _, replace in ipairs{ true, false } do
      local p, z = tide.array{ 1, 0, 0 }
      local g = tide.capture(function ()
        z = random.choice(3, 1, { p = p, replace = replace })
      end)
      for i = 1, 3 do
        p:copy_from(tide.arange(1, 4):eq(i):astype(p.dtype))
        g:launch()
        assert.same({ i }, z:totable())
      end
    end
  end)

  it("is the same for the same seed", function ()
    local function draw (replace)
      random.seed(7)
      return random.choice(50, 20, { p = tide.arange(1, 51),
                                     replace = replace }):totable()
    end
    assert.same(draw(true), draw(true))
    assert.same(draw(false), draw(false))
  end)

  it("says what is wrong with probabilities", function ()
    local function refuses (why, p, replace)
      badarg(3, why, random.choice, 3, 2, { p = p, replace = replace })
    end
    refuses("option 'p' must have a probability for each of 3, has 2",
            { 1, 2 })
    refuses("probability 3 must be a number from 0 on, got -1", { 1, 2, -1 })
    refuses("probability 2 must be a number from 0 on, got nan",
            { 1, 0 / 0, 1 })
    refuses("probability 2 must be a number from 0 on, got inf",
            { 1, 1 / 0, 1 })
    refuses("probability 1 must be a number from 0 on, got string",
            { "1", 1, 1 })
    refuses("option 'p' allows 0 of the choices, too few for 1 element",
            { 0, 0, 0 })
    refuses("option 'p' allows 1 of the choices, too few for 2 elements, of " ..
            "which none comes twice", { 0, 1, 0 }, false)
    refuses("option 'p' must be a table or a tide.Array, got number", 1)
    refuses("option 'p' must have a probability for each of 3, has shape {2}",
            tide.ones(2))
    refuses("has shape {3, 1}", tide.ones{ 3, 1 })
    refuses("option 'p' must be real, got complex64",
            tide.ones(3, "complex64"))
    local closed = tide.ones(3)
    closed:close()
    refuses("array is closed", closed)
  end)

  it("tells of probabilities on the device at the next wait", function ()
    for _, p in ipairs{ { 0, 0, 0 }, { 1, 1, -1 }, { 1, 0 / 0, 1 },
                        { 1, 1 / 0, 1 } } do
      for _, x in ipairs{ 3, tide.arange(3) } do
        for _, replace in ipairs{ true, false } do
          local a = random.choice(x, 3, { p = tide.array(p),
                                          replace = replace })
          fails("draws_spec.lua", a.totable, a)
        end
      end
    end
    local a = random.choice(3, 2, { p = tide.array{ 0, 1, 0 },
                                    replace = false })
    fails(": choice: the option 'p' has elements that are negative or not " ..
          "finite, or too few above 0", a.totable, a)
  end)

  it("may be the greatest and the smallest numbers", function ()
    for _, p in ipairs{ { 1e308, 1e308, 1e308 }, { 5e-324, 5e-324, 1e-323 } } do
      local seen = { 0, 0, 0 }
      for _, i in ipairs(random.choice(3, 200, { p = p }):totable()) do
        seen[i] = seen[i] + 1
      end
      assert.is_true(seen[1] > 0 and seen[2] > 0 and seen[3] > 0)
    end
    assert.same({ 2, 2, 2 },
                random.choice(3, 3, { p = { 0, 5e-324, 0 } }):totable())
    assert.same({ 1, 2, 3 }, sorted(random.choice(3, 3, {
      p = { 1e-310, 1, 1 }, replace = false })))
  end)
end)

describe("draws of an array on another device", function ()
  it("are there, too #process", function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local random = tide.random
      local a = tide.with_device("host:1", function ()
        return tide.array{ 3, 1, 2 }
      end)
      random.shuffle(a)
      print(random.choice(a, 4).device, random.permutation(a).device,
            random.choice(a, 4, { p = { 0, 0, 1 } }).device,
            random.choice(3, 4, { p = a }).device, a.device)
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal(("\thost:1"):rep(5):sub(2) .. "\n", printed)
  end)
end)

end)
