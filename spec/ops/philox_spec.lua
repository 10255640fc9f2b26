--[[
philox_spec.lua - tide.random: the published generator, the same numbers on each
device, how they are spread. In which order: random_calls_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg
local random = tide.random

local WORD = 0xFFFFFFFF

--{{ Philox in plain Lua

local function philox (k0, k1, c0, c1, c2, c3)
  for _ = 1, 10 do
    local p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
    c0, c1, c2, c3 = p1 >> 32 ~ c1 ~ k0, p1 & WORD, p0 >> 32 ~ c3 ~ k1,
                     p0 & WORD
    k0, k1 = k0 + 0x9E3779B9 & WORD, k1 + 0xBB67AE85 & WORD
  end
  return c0, c1, c2, c3
end

--- draws(seed, epoch) -> a function: the words for the next counter value.
local function draws (seed, epoch)
  local counter = -1
  return function ()
    counter = counter + 1
    return philox(seed & WORD, seed >> 32, counter & WORD, counter >> 32,
                  epoch or 0, 0)
  end
end

local ways = {}

function ways.uniform_float32 (next)
  local list = { next() }
  for i, x in ipairs(list) do
    list[i] = (x >> 8) / 2.0^24
  end
  return list
end

local function unit53 (a, b)
  return (a << 32 | b) >> 11
end

function ways.uniform_float64 (next)
  local a, b, c, d = next()
  return { unit53(a, b) / 2.0^53, unit53(c, d) / 2.0^53 }
end

--- -log(u), u = (x + 1/2) / 2^32: near 1 it is 1 - u that has the digits.
local function minus_log (x)
  local less = ((x ~ WORD) + 0.5) / 2.0^32
  return less < 1e-4 and less + less^2 / 2 + less^3 / 3 or
         -math.log((x + 0.5) / 2.0^32)
end

local function normals (log, v)
  local r = math.sqrt(2 * log)
  return r * math.cos(2 * math.pi * v), r * math.sin(2 * math.pi * v)
end

function ways.normal_float32 (next)
  local a, b, c, d = next()
  local x, y = normals(minus_log(a), b / 2.0^32)
  return { x, y, normals(minus_log(c), d / 2.0^32) }
end

function ways.normal_float64 (next)
  local a, b, c, d = next()
  return { normals(-math.log((unit53(a, b) + 0.5) / 2.0^53),
                   unit53(c, d) / 2.0^53) }
end

function ways.exponential_float32 (next)
  local list = { next() }
  for i, x in ipairs(list) do
    list[i] = minus_log(x)
  end
  return list
end

function ways.exponential_float64 (next)
  local a, b, c, d = next()
  return { -math.log((unit53(a, b) + 0.5) / 2.0^53),
           -math.log((unit53(c, d) + 0.5) / 2.0^53) }
end

--- The high half of (high, low) * range, range <= 2^32: two for four words.
local function product (high, low, range)
  if range == 1 << 32 then return high end
  return high * range + (low * range >> 32) >> 32
end

local function integers (next, n, low, range)
  local list = {}
  while #list < n do
    local a, b, c, d = next()
    list[#list + 1] = low + product(a, b, range)
    list[#list + 1] = #list < n and low + product(c, d, range) or nil
  end
  return list
end

--- The first n numbers, made in calls of one each.
local function wanted (way, n, next)
  local list = {}
  while #list < n do
    for _, x in ipairs(ways[way](next)) do
      list[#list + 1] = x
    end
  end
  return table.move(list, 1, n, 1, {})
end

--- Checks that each number is as near as its dtype allows. float32 is computed
-- in float32, to four units of the last place; uniform is exact.
local function compare (got, list, way, dtype)
  for i, x in ipairs(list) do
    local off = way == "uniform" and 0 or
                dtype == "float32" and 2.0^-21 * math.abs(x) + 1e-15 or 4e-15
    if math.abs(got[i] - x) > off then
      error(("element %d is %.9g, not %.9g"):format(i, got[i], x), 2)
    end
  end
  assert.equal(#list, #got)
end

--- draw(way, n, dtype) of the standard distribution.
local function draw (way, n, dtype)
  if way == "exponential" then
    return random.exponential(1, n, dtype):totable()
  end
  return random[way](n, dtype):totable()
end

--- Checks that random.uniform now draws the next values of the counter.
local function comes_next (next)
  assert.same(wanted("uniform_float64", 3, next), random.uniform(3):totable())
end

--}}

it("philox has the answers that its authors publish", function ()
  local function is (text, ...)
    assert.equal(text, ("%08x %08x %08x %08x"):format(philox(...)))
  end
  is("6627e8d5 e169c58d bc57ac4c 9b00dbd8", 0, 0, 0, 0, 0, 0)
  is("408f276d 41c83b0e a20bc7c6 6d5451fd", WORD, WORD, WORD, WORD, WORD, WORD)
  is("d16cfe09 94fdcceb 5001e420 24126ea1", 0xa4093822, 0x299f31d0, 0x243f6a88,
     0x85a308d3, 0x13198a2e, 0x03707344)
end)

helper.each_device(function ()

describe("the numbers", function ()
  for _, way in ipairs{ "uniform", "normal", "exponential" } do
    for dtype, each in pairs{ float32 = 4, float64 = 2 } do
      it(("of %s %s are Philox's"):format(way, dtype), function ()
        for _, seed in ipairs{ 0, 1, -1, 0x123456789abcdef } do
          for _, n in ipairs{ 1, each, each + 1, 1001 } do
            random.seed(seed)
            local next = draws(seed)
            -- each call begins with a new counter value
            for _ = 1, 2 do
              compare(draw(way, n, dtype),
                      wanted(way .. "_" .. dtype, n, next), way, dtype)
            end
          end
        end
      end)
    end
  end

  it("of normal are the same bits everywhere", function ()
    random.seed(7)
    local a = random.normal(100003, "float64")
    local b = random.normal(100003, "float32")
    local x, y = 0, 0
    for word in a:tobytes():gmatch "........" do
      x = x * 31 + string.unpack("<i8", word)
    end
    for word in b:tobytes():gmatch "...." do
      y = y * 31 + string.unpack("<i4", word)
    end
    assert.equal("04f537a3b20cd6f7 4915027dd9d3daf8",
                 ("%016x %016x"):format(x, y))
  end)

  it("of randint are the high part of a product", function ()
    for _, case in ipairs{ { -3, 10 }, { 7, 1 }, { 0, 2 }, { -100, 1000003 },
                           { 5, (1 << 31) + 1 }, { 0, (1 << 32) - 1 },
                           { -(1 << 31), 1 << 32 } } do
      local low, range = case[1], case[2]
      for _, n in ipairs{ 1, 2, 3, 129, 500 } do
        random.seed(5)
        local next = draws(5)
        assert.same(integers(next, n, low, range),
                    random.randint(low, low + range - 1, n):totable())
        comes_next(next)
      end
    end
  end)

  it("of randint are of more bits where there are more than 2^32 of them",
  function ()
    random.seed(6)
    local next, n = draws(6), 101
    local got = random.randint(0, 1 << 32, n):totable()
    for i = 1, n do
      local a, b = next()
      local x = a << 32 | b
      -- of x * (2^32 + 1), without the words below, which seldom count
      local sum = x + (x >> 32)
      assert.equal((sum >> 32) + (math.ult(sum, x) and 1 << 32 or 0), got[i])
    end
    comes_next(next)
  end)

  it("are the same whatever the dtype of randint", function ()
    for _, case in ipairs{
      { 0, 100, "int8", "uint8", "int16", "uint16", "int32", "uint32",
        "uint64" },
      { -(1 << 31), (1 << 31) - 1, "int32" }, { 0, WORD, "uint32", "uint64" },
      { 0, 1 << 32, "uint64" }, { 0, math.maxinteger, "uint64" } } do
      local low, high = case[1], case[2]
      random.seed(9)
      local t = random.randint(low, high, 301):totable()
      for i = 3, #case do
        random.seed(9)
        assert.same(t, random.randint(low, high, 301, case[i]):totable())
      end
    end
  end)

  it("take so many values of the counter", function ()
    for _, case in ipairs{
      { 4, "uniform", "float32" }, { 2, "uniform", "float64" },
      { 4, "normal", "float32" }, { 2, "normal", "float64" },
      { 4, "exponential", "float32" }, { 2, "exponential", "float64" } } do
      local each, way, dtype = table.unpack(case)
      for n = 1, 9 do
        random.seed(n)
        draw(way, n, dtype)
        local next = draws(n)
        for _ = 1, (n + each - 1) // each do next() end
        comes_next(next)
      end
    end
  end)

  -- Seeds whose first value of the counter gives such a word, and its place:
  -- the least, the greatest, those in the middle.
  local extremes <const> = {
    { 1836991927, 1, 0 }, { 585825483, 2, 0 }, { 1352247272, 1, WORD },
    { 454088803, 2, WORD }, { 3003777325, 3, 0x7FFFFFFF },
    { 822691687, 4, 0x7FFFFFFF }, { 4552273489, 3, 0x80000000 },
    { 3435937029, 4, 0x80000000 }
  }
  for _, case in ipairs(extremes) do
    local seed <const>, place <const>, word <const> = table.unpack(case)
    it(("of word %d, %08x, have their digits"):format(place, word),
    function ()
      assert.equal(word, (select(place, draws(seed)())))
      for _, way in ipairs{ "normal", "exponential" } do
        random.seed(seed)
        compare(draw(way, 4, "float32"),
                wanted(way .. "_float32", 4, draws(seed)), way, "float32")
      end
      random.seed(seed)
      local x = draw("exponential", 4, "float32")[place]
      assert.is_true(x > 0 and x < 22.9)
      for _, range in ipairs{ 1, 6, WORD, 1 << 32 } do
        random.seed(seed)
        assert.same(integers(draws(seed), 2, 0, range),
                    random.randint(0, range - 1, 2):totable())
      end
    end)
  end

  it("of float32 keep the mean's digits, and are none but 0 of scale 0",
  function ()
    random.seed(8)
    local n = wanted("normal_float32", 1000, draws(8))
    random.seed(8)
    for i, x in ipairs(random.normal(1e6, 1, 1000, "float32"):totable()) do
      assert.is_true(math.abs(x - (1e6 + n[i])) <= 0.04, i)  -- half of 1/16
    end
    random.seed(8)
    for i, x in ipairs(random.normal(0, 3, 1000, "float32"):totable()) do
      assert.is_true(math.abs(x - 3 * n[i]) <= 2.0^-20 * math.abs(x) + 1e-14)
    end
    for _, x in ipairs(random.exponential(0, 1000, "float32"):totable()) do
      assert.is_true(x == 0 and 1 / x > 0)
    end
    assert.is_true(random.normal(0, 1e38, 100, "float32"):isfinite():all()
                         :item())
  end)

  it("fill views that begin anywhere, and nothing else", function ()
    for _, dtype in ipairs{ "float32", "float64" } do
      for first = 1, 5 do
        local a = tide.zeros(1010, dtype)
        random.seed(first)
        random.uniform(nil, nil, { out = a:slice(first, first + 999) })
        random.seed(first)
        local b = random.uniform(1000, dtype)
        assert.is_true(a:slice(first, first + 999):tobytes() == b:tobytes())
        assert.equal(0, a:slice(first + 1000):count_nonzero():item())
        if first > 1 then
          assert.equal(0, a:slice(1, first - 1):count_nonzero():item())
        end
      end
    end
  end)

  it("of randint fill such views as well, and draw on in a graph", function ()
    for _, dtype in ipairs{ "int8", "uint16", "int32", "int64" } do
      for first = 1, 5 do
        local n = 500 + first
        local a = tide.zeros(n + 10, dtype)
        local part = a:slice(first, first + n - 1)
        random.seed(first)
        random.randint(1, 100, nil, nil, { out = part })
        local next = draws(first)
        assert.same(integers(next, n, 1, 100), part:totable())
        assert.equal(n, a:count_nonzero():item())
        local g <close> = tide.capture(function ()
          random.randint(1, 100, nil, nil, { out = part })
        end)
        for _ = 1, 2 do
          g:launch()
          assert.same(integers(next, n, 1, 100), part:totable())
        end
        comes_next(next)
      end
    end
  end)
end)

describe("an array with gaps", function ()
  it("gets the numbers of one without", function ()
    local a = tide.zeros({ 4, 6 }, "float32")
    local view = a[{ { 1, -1, 2 }, { 5, 2, -1 } }]
    random.seed(31)
    local plain = random.normal(view.shape, "float32")
    random.seed(31)
    assert.equal(view, random.normal(nil, nil, { out = view }))
    assert.same(plain:totable(), view:totable())
    assert.equal(view.size, a:count_nonzero():item())
    badarg(3, "share memory", random.normal, nil, nil,
           { out = tide.zeros(1):broadcast_to{ 5 } })
  end)
end)

describe("the distribution", function ()
  local N = 200000

  --- moments(a) -> mean and variance in float64
  local function moments (a)
    a = a:astype "float64"
    local mean = a:mean():item()
    return mean, (a * a):mean():item() - mean * mean
  end

  it("of uniform is flat, between its bounds", function ()
    for _, dtype in ipairs{ "float32", "float64" } do
      local a = random.uniform(-2, 6, N, dtype)
      local mean, var = moments(a)
      assert.is_true(math.abs(mean - 2) < 0.03, mean)
      assert.is_true(math.abs(var - 64 / 12) < 0.08, var)
      assert.is_true(a:min():item() >= -2 and a:max():item() < 6)
    end
  end)

  it("of normal has its mean, deviation and tails", function ()
    for _, dtype in ipairs{ "float32", "float64" } do
      local a = random.normal(3, 2, { 2, N // 2 }, dtype)
      local mean, var = moments(a)
      assert.is_true(math.abs(mean - 3) < 0.03, mean)
      assert.is_true(math.abs(var - 4) < 0.08, var)
      local beyond = a:gt(5):count_nonzero():item() / N
      assert.is_true(math.abs(beyond - 0.15866) < 0.006, beyond)
      assert.equal(0, a:isnan():count_nonzero():item())
    end
  end)

  it("of randint has both ends", function ()
    local a = random.randint(1, 6, N, "uint8")
    for face = 1, 6 do
      local share = a:eq(face):count_nonzero():item() / N
      assert.is_true(math.abs(share - 1 / 6) < 0.006, share)
    end
    assert.equal(1, a:min():item())
    assert.equal(6, a:max():item())
  end)

  it("of randint may span all integers, or one", function ()
    local a = random.randint(math.mininteger, math.maxinteger, 1000)
    local below = a:lt(0):count_nonzero():item()
    assert.is_true(below > 400 and below < 600, below)
    for _, x in ipairs{ math.mininteger, -1, math.maxinteger } do
      assert.equal(x, random.randint(x, x, 1)[1])
    end
    local b = random.randint(math.mininteger, 0, 1000)
    assert.is_true(b:max():item() <= 0 and b:min():item() < -(1 << 62))
  end)

  it("of few float32 stays below high", function ()
    local high = 1 + 2.0^-23
    local a = random.uniform(1, high, 1000, "float32")
    assert.equal(1, a:max():item())
    assert.equal(5, random.uniform(5, 5, 3)[3])
    assert.equal(5, random.normal(5, 0, 3)[3])
  end)
end)

end)
