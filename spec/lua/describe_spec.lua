--[[
describe_spec.lua - tide.describe beside loops in Lua: every real dtype, any
shape, NaNs, infinities, no elements, integers at their ends; how it prints.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

local NAN <const> = 0 / 0

--- x is y, or both are NaN, or they are as near as floats of that many digits.
local function near (wanted, got, tolerance, name)
  local close = wanted ~= wanted and got ~= got or wanted == got or
    math.abs(wanted - got) <= tolerance * math.max(1, math.abs(wanted))
  assert.is_true(close, ("%s: %s expected, got %s"):format(name, wanted, got))
end

--- Computes the results of describe in Lua.
local function by_hand (list)
  local kept, sum, squares = {}, 0, 0
  for _, x in ipairs(list) do
    if x == x then kept[#kept + 1] = x end
  end
  table.sort(kept)
  local n = #kept
  for _, x in ipairs(kept) do sum = sum + x / 1.0 end
  for _, x in ipairs(kept) do squares = squares + (x - sum / n) ^ 2 end
  local function at (share)
    if n == 0 then return NAN end
    local place = share * (n - 1)
    local low = place // 1 | 0
    local x, y = kept[low + 1] / 1.0, kept[math.min(low + 2, n)] / 1.0
    return x + (y - x) * (place - low)
  end
  return { count = n, nans = #list - n, mean = n > 0 and sum / n or NAN,
           std = n > 1 and (squares / (n - 1)) ^ 0.5 or NAN,
           min = kept[1] or NAN, max = kept[n] or NAN, q25 = at(0.25),
           median = at(0.5), q75 = at(0.75) }
end

local function same (list, described, tolerance)
  for name, wanted in pairs(by_hand(list)) do
    near(wanted, described[name], tolerance, name)
  end
end

helper.each_device(function ()

describe("describe", function ()
  for _, dtype in ipairs(numbers.sets.NUMBER) do
    if not dtype:find "complex" then
      it("says of " .. dtype .. " what a loop does", function ()
        local pick = helper.generator(31)
        for _, n in ipairs{ 1, 2, 3, 6, 1000 } do
          local list = {}
          for i = 1, n do list[i] = numbers.fit(pick(100), dtype) end
          local a = helper.array(list, dtype)
          local d = a:describe()
          same(a:totable(), d, dtype == "float64" and 1e-12 or 1e-5)
          assert.equal(dtype, d.dtype)
          assert.equal(dtype:find "float" and "float" or "integer",
                       math.type(d.min))
          assert.equal("integer", math.type(d.count))
        end
      end)
    end
  end

  for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
    it("counts NaNs of " .. dtype .. " and leaves them out", function ()
      local list = { 4, NAN, 1, 2, NAN, 8, 16 }
      local d = tide.array(list, dtype):describe()
      same(list, d, 1e-6)
      assert.equal(2, d.nans)
      d = tide.full(5, NAN, dtype):describe()
      same({ NAN, NAN, NAN, NAN, NAN }, d, 0)
      assert.equal(0, d.count)
    end)
  end

  it("takes bools for 0 and 1", function ()
    local d = tide.array{ true, false, true, true }:describe()
    same({ 1, 0, 1, 1 }, d, 1e-12)
    assert.equal(1, d.max)
    assert.equal("bool", d.dtype)
  end)

  it("has integers at their ends", function ()
    for _, dtype in ipairs{ "int64", "uint64" } do
      local unsigned = dtype == "uint64"
      local least = unsigned and 0 or math.mininteger
      local most = unsigned and -1 or math.maxinteger
      local d = tide.array({ 5, most, least, most - 1, least + 1 }, dtype)
                    :describe()
      assert.equal(least, d.min)
      assert.equal(most, d.max)
      assert.equal(5.0, d.median)
      assert.truthy(tostring(d):find(unsigned and
        "\nmax *18446744073709551615\n" or "\nmax *9223372036854775807\n"))
    end
  end)

  it("has infinities for ends, and NaN for what they leave of a mean",
     function ()
    local d = tide.array{ 1 / 0, 3, -1 / 0, 2, 1, NAN }:describe()
    assert.equal(-1 / 0, d.min)
    assert.equal(1 / 0, d.max)
    assert.equal(2.0, d.median)
    assert.is_true(d.mean ~= d.mean and d.std ~= d.std)
    d = tide.array{ 1 / 0, 1 / 0 }:describe()
    assert.equal(1 / 0, d.median)
  end)

  it("says nothing of no elements", function ()
    for _, shape in ipairs{ 0, { 3, 0 } } do
      for _, dtype in ipairs{ "int32", "float32", "bool" } do
        same({}, tide.zeros(shape, dtype):describe(), 0)
      end
    end
  end)

  it("of any shape, and of views", function ()
    same({ 7 }, tide.array(7):describe(), 0)
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    same(a:ravel():totable(), a.T:describe(), 1e-12)
    same({ 4, 5, 6 }, a[1].T:slice(1, 3):select(2, 2):describe(), 1e-12)
  end)

  it("is a function as well, of the array's own device", function ()
    same({ 1, 2, 3 }, tide.describe(tide.array{ 1, 2, 3 }), 1e-12)
    local a = tide.with_device("host", function ()
      return tide.array{ 1., 2., 3. }
    end)
    same({ 1, 2, 3 }, a:describe(), 1e-12)
  end)

  it("leaves the array as it is, and nothing behind", function ()
    local a = tide.array{ 3., 1., NAN, 2. }
    local before = tide.memory_stats().live
    a:describe()
    assert.equal(before, tide.memory_stats().live)
    assert.equal(3.0, a[1])
  end)

  it("waits once", function ()
    local a, b = tide.array{ 3., 1., NAN }, tide.array{ 3, 1, 2 }
    a:describe()
    for _, x in ipairs{ a, b } do
      local _, before = tide.sync_debug()
      x:describe()
      local _, after = tide.sync_debug()
      assert.is_true(after - before <= 1, after - before .. " waits")
    end
  end)

  it("reads by the names of pandas, and prints a line for each", function ()
    local d = tide.array{ 1, 2, 3, 4, 105 }:describe()
    assert.equal(d.q25, d["25%"])
    assert.equal(d.median, d["50%"])
    assert.equal(d.q75, d["75%"])
    assert.is_nil(d.sum)
    assert.equal([[
count    5
nans     0
mean    23.000000
std     45.853026
min      1
25%      2.000000
50%      3.000000
75%      4.000000
max    105
dtype  int64]], tostring(d))
    assert.equal([[
count    1
nans     1
mean     1.000000e-09
std    nan
min      1.000000e-09
25%      1.000000e-09
50%      1.000000e-09
75%      1.000000e-09
max      1.000000e-09
dtype  float64]], tostring(tide.array{ 1e-9, NAN }:describe()))
  end)

  it("names what is wrong", function ()
    badarg(1, "tide.Array expected, got table", tide.describe, { 1 })
    badarg(1, "tide.Array expected, got no value", tide.describe)
    badarg(2, "no value expected", tide.describe, tide.ones(1), {})
    fails("'describe' is not defined for complex64 arrays", tide.describe,
          tide.zeros(2, "complex64"))
    local a = tide.ones(1)
    a:close()
    badarg(1, "array is closed", tide.describe, a)
    assert.truthy(select(2, pcall(function () a:describe() end))
                  :find "^spec/lua/describe_spec.lua:%d+: ")
  end)

  it("does not depend on the default dtype", function ()
    local a = tide.arange(5001)
    local wanted = a:describe()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32" } do
      tide.set_default_dtype(dtype)
      local got, floats = a:describe(), a:astype "float64":describe()
      tide.set_default_dtype "float64"
      for _, name in ipairs{ "mean", "std", "q25", "median", "q75" } do
        assert.equal(wanted[name], got[name], dtype .. " " .. name)
        assert.equal(wanted[name], floats[name], dtype .. " " .. name)
      end
    end
  end)

  it("raises in a capture, which is none any more", function ()
    local a = tide.ones(3)
    fails("describe: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900): ",
          tide.capture, function () a:describe() end)
    assert.equal(3, a:describe().count)
  end)
end)

end)
