--[[
quantile_spec.lua - quantile, percentile and median. NumPy's answers, by all of
its methods, are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

--- The linear quantile of a list, as NumPy computes it.
local function linear (list, q)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  local at = (#sorted - 1) * q
  local low = at // 1 | 0
  local x, y = sorted[low + 1], sorted[math.min(low + 2, #sorted)]
  local share = at - low
  return share < 0.5 and x + (y - x) * share or y - (y - x) * (1 - share)
end

helper.each_device(function ()

describe("quantile", function ()
  it("of lines short and long", function ()
    local pick = helper.generator(19)
    for _, n in ipairs{ 1, 2, 9, 100, 3001 } do
      local rows, wanted = {}, {}
      for row = 1, 3 do
        rows[row] = {}
        for i = 1, n do rows[row][i] = pick(1000) / 8 end
      end
      local a = tide.array(rows)
      for k, q in ipairs{ 0, 0.1, 0.5, 0.77, 1 } do
        wanted[k] = {}
        for row = 1, 3 do wanted[k][row] = linear(rows[row], q) end
        assert.same(wanted[k], a:quantile(q, 2):totable())
        assert.same(wanted[k], a.T:quantile(q, 1):totable())
      end
      assert.same(wanted, a:percentile({ 0, 10, 50, 77, 100 }, 2):totable())
    end
  end)

  -- So many numbers need all elements in order, others only few of them.
  it("of one number is that of many", function ()
    local pick = helper.generator(23)
    local many = {}
    for i = 1, 40 do many[i] = (pick(1001) - 1) / 1000 end
    for _, dtype in ipairs{ "bool", "int8", "uint16", "uint64", "float16",
                            "bfloat16", "float32", "float64" } do
      for _, shape in ipairs{ { 2, 130 }, { 1, 2500 }, { 9, 2500 } } do
        local a = tide.random.Generator(3):normal(0, 60, shape)
        if dtype == "bool" then a = a:gt(0) end
        if dtype:find "^u" then a = a:abs() end
        a = a:astype(dtype)
        if dtype:find "float" then a[1]:slice(5, 60):fill(0 / 0) end
        for _, method in ipairs{ "linear", "nearest", "averaged_inverted_cdf",
                                 "midpoint" } do
          local all = a:quantile(many, 2, { method = method })
          for i = 1, 40, 3 do
            local own = a:quantile(many[i], 2, { method = method })
            assert.is_true(tide.array_equal(own, all[i], { equal_nan = true }))
          end
          local few = a.T:quantile({ many[1], many[4], many[7] }, 1,
                                   { method = method })
          assert.is_true(tide.array_equal(few, all:slice(1, 7, 3),
                                          { equal_nan = true }))
        end
      end
    end
  end)

  it("takes an array of numbers", function ()
    local a = tide.array{ { 4, 1, 3, 2 }, { 8, 5, 7, 6 } }
    for _, dtype in ipairs{ "float64", "float32", "int32" } do
      local q = tide.array({ 0, 1 }, dtype)
      assert.same(a:quantile({ 0, 1 }, 2):totable(),
                  a:quantile(q, 2):totable())
      assert.same({ 2 }, a:percentile(q * 100).shape)
    end
    assert.same({ 2.5, 6.5 }, a:percentile(tide.array(50), 2):totable())
    assert.same({ 0 }, a:quantile(tide.zeros(0)).shape)
    badarg(2, "an array of more than one axis", a.quantile, a,
           tide.ones{ 1, 1 })
    badarg(2, "real numbers expected", a.quantile, a, tide.ones(1, "complex64"))
    fails("a Lua table of them needs no wait", tide.capture, function ()
      a:quantile(tide.array{ 0.5 })
    end)
  end)

  it("says which number is wrong, and what takes percents", function ()
    local a = tide.ones(2)
    badarg(2, "numbers from 0 to 1 expected, got 50; 'percentile' takes",
           a.quantile, a, 50)
    badarg(2, "numbers from 0 to 100 expected, got 101", a.percentile, a,
           { 3, 101 })
    badarg(2, "numbers from 0 to 1 expected, got a string", a.quantile, a,
           { "x" })
  end)

  it("has medians between numbers whose sum is infinite", function ()
    local max = tide.finfo "float64".max
    for _, name in ipairs{ "median", "nanmedian" } do
      assert.equal(max, tide[name](tide.full(1, max)):item())
      assert.equal(max, tide[name](tide.full(4, max)):item())
      assert.equal(-1.5e308,
                   tide[name](tide.array{ -1.25e308, -1.75e308 }):item())
      assert.equal(5e-324, tide[name](tide.full(2, 5e-324)):item())
      assert.equal(0.0, tide[name](tide.array{ -max, max }):item())
      assert.equal(1 / 0, tide[name](tide.array{ 1, 1 / 0 }):item())
      assert.is_true(tide[name](tide.array{ -1 / 0, 1 / 0 }):isnan():item())
    end
    assert.equal(1.7e308,
                 tide.array{ 1.7e308, 0 / 0, 1.0, 1.75e308 }:nanmedian():item())
  end)

  it("takes axes, keeps them, and goes to out", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    assert.same({ 7.5, 11.5, 15.5 }, a:quantile(0.5, { 3, 1 }):totable())
    assert.same({ 2, 1, 3, 1 },
                a:quantile({ 0.5, 1 }, { axis = { 1, 3 }, keepdims = true })
                 .shape)
    assert.same({ 1, 1, 1 }, a:median{ keepdims = true }.shape)
    assert.same({ 0 }, a:quantile({}).shape)
    local z = tide.zeros(2)
    assert.equal(z, a:median({ 2, 3 }, { out = z }))
    assert.same({ 5.5, 17.5 }, z:totable())
    assert.same({ 2, 0 }, tide.ones{ 2, 0, 3 }:median(3).shape)
  end)

  it("has the dtype of floats, of others float64 or their own", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      assert.equal(t, tide.ones(3, t):quantile(0.3).dtype)
      assert.equal(t, tide.ones(3, t):median().dtype)
    end
    local a = tide.array({ 3, 1, 2 }, "uint8")
    assert.equal("float64", a:quantile(0.3).dtype)
    assert.equal("uint8", a:quantile(0.3, { method = "lower" }).dtype)
    assert.equal(1, a:quantile(0.3, { method = "lower" }):item())
    assert.equal(0.5, tide.array{ true, false }:median():item())
  end)

  it("is NaN where an element is, or there is none", function ()
    local nan = 0 / 0
    local a = tide.array{ { 1, nan, 2 }, { 3, 5, 4 } }
    for _, z in ipairs{ a:quantile(0, 2), a:median(2),
                        a:quantile(0.5, 2, { method = "nearest" }) } do
      assert.is_true(z[1] ~= z[1] and z[2] == z[2])
    end
    local none = tide.zeros(0):median():item()
    assert.is_true(none ~= none)
    fails("a quantile of an array without elements", tide.quantile,
          tide.zeros(0, "int8"), 0.5, { method = "lower" })
    local inf = 1 / 0
    assert.equal(inf, tide.array{ 1, inf, inf }:quantile(1):item())
    assert.equal(inf, tide.array{ inf, inf }:median():item())
  end)

  it("is captured", function ()
    local a, z = tide.array{ 1., 2., 9. }, tide.zeros(2)
    local g <close> = tide.capture(function ()
      a:quantile({ 0, 0.5 }, { out = z })
    end)
    a:mul_(-1)
    g:launch()
    assert.same({ -9.0, -2.0 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(2, "numbers from 0 to 1 expected", tide.quantile, a, 1.5)
    badarg(2, "numbers from 0 to 1 expected", tide.quantile, a, { 0, "1" })
    badarg(2, "numbers from 0 to 100 expected", tide.percentile, a, 0 / 0)
    badarg(2, "number, table or tide.Array expected, got no value",
           tide.quantile, a)
    badarg(3, "axis 3 is out of range", tide.quantile, a, 0.5, 3)
    badarg(3, "option 'method' must be one of NumPy's", tide.quantile, a, 0.5,
           { method = "cubic" })
    badarg(1, "real numbers expected, got complex64", tide.median,
           tide.ones(2, "complex64"))
    badarg(2, "unknown option 'method'", tide.median, a, { method = "lower" })
  end)
end)

describe("nanquantile", function ()
  local nan <const> = 0 / 0
  local METHODS <const> = {
    "linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull",
    "median_unbiased", "normal_unbiased", "inverted_cdf",
    "averaged_inverted_cdf", "interpolated_inverted_cdf",
    "closest_observation"
  }

  it("is the quantile of the numbers of each line", function ()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      for _, method in ipairs(METHODS) do
        for n = 1, 9 do
          local a = tide.arange(9, 0, -1):square():astype(dtype)
          a:slice(1, 9 - n):fill(nan)
          local own = a:slice(10 - n, 9)
          for _, q in ipairs{ 0, 0.1, 0.25, 0.5, 0.7, 1 } do
            local z = tide.stack{ a, a:flip() }
              :nanquantile(q, 2, { method = method })
            local wanted = own:quantile(q, { method = method })
            assert.equal(dtype, z.dtype)
            assert.is_true(z:eq(wanted):all():item(), method .. n .. " " .. q)
          end
        end
      end
    end
  end)

  it("is NaN without numbers, and quantile without NaNs", function ()
    local a = tide.array{ { nan, nan }, { 3, nan }, { 1, 2 } }
    local z = a:nanpercentile({ 0, 50 }, 2)
    assert.same({ { true, false, false }, { true, false, false } },
                z:isnan():totable())
    assert.same({ { 3.0, 1.0 }, { 3.0, 1.5 } },
                z:slice(2, 3, 1, 2):totable())
    assert.is_true(tide.zeros(0):nanquantile(0.5):isnan():item())
    assert.same(5, tide.array{ 4, 5, 6 }:nanquantile(
      0.5, { method = "lower" }):item())
    local inf = tide.array{ math.huge, nan, math.huge }
    assert.equal(math.huge, inf:nanquantile(0.5, { method = "lower" }):item())
    assert.equal(math.huge, inf:nanquantile(1):item())
  end)

  it("writes to out, and is captured", function ()
    local a, z = tide.array{ nan, 1, 3 }, tide.zeros{ 1 }
    local g <close> = tide.capture(function ()
      assert.equal(z, a:nanquantile(0.5, { keepdims = true, out = z }))
    end)
    a:copy_from{ 5, nan, 5 }
    g:launch()
    assert.same({ 5.0 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones(3)
    badarg(2, "numbers from 0 to 1 expected, got 2", tide.nanquantile, a, 2)
    badarg(2, "numbers from 0 to 100 expected, got -1", tide.nanpercentile, a,
           -1)
    badarg(3, "option 'method' must be one of", tide.nanquantile, a, 0.5,
           { method = "x" })
    badarg(1, "real numbers expected", tide.nanquantile,
           a:astype "complex64", 0.5)
  end)
end)

end)
