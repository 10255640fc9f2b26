--[[
compare_spec.lua - allclose and array_equal: booleans of Lua's, by NumPy's
rules.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

local inf, nan = 1 / 0, 0 / 0

helper.each_device(function ()

describe("array_equal", function ()
  it("is a boolean, which a 0-d array is not", function ()
    local a, b = tide.array{ 1, 2 }, tide.array{ 1, 3 }
    assert.is_true(not not a:eq(b):all())
    assert.is_true(tide.array_equal(a, a))
    assert.is_false(tide.array_equal(a, b))
    assert.is_false(a:array_equal(b))
  end)

  it("knows all dtypes", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.array({ 0, 1, 1 }, dtype)
      assert.is_true(tide.array_equal(a, a:copy()), dtype)
      assert.is_false(tide.array_equal(a, tide.array({ 0, 1, 0 }, dtype)),
                      dtype)
      assert.is_true(tide.array_equal(a, a:astype "complex128"), dtype)
    end
  end)

  it("compares integers exactly", function ()
    local a = tide.array{ (1 << 53) + 1, math.maxinteger }
    assert.is_true(tide.array_equal(a, a:copy()))
    assert.is_false(tide.array_equal(a, a - 1))
    assert.is_true(tide.array_equal(a, a:astype "uint64"))
    assert.is_false(tide.array_equal(tide.array{ -1 },
                                     tide.array({ -1 }, "uint64")))
  end)

  it("wants one shape", function ()
    local a = tide.ones{ 2, 3 }
    assert.is_false(tide.array_equal(a, a.T))
    assert.is_false(tide.array_equal(a, tide.ones(3)))
    assert.is_false(tide.array_equal(a, 1))
    assert.is_true(tide.array_equal(a.T.T, a))
    assert.is_true(tide.array_equal(tide.ones{ 0, 3 }, tide.zeros{ 0, 3 }))
    assert.is_false(tide.array_equal(tide.ones{ 0, 3 }, tide.ones{ 3, 0 }))
  end)

  it("takes numbers, tables and HostArrays", function ()
    local a = tide.array{ 1, 2, 3 }
    assert.is_true(tide.array_equal(a, { 1, 2, 3 }))
    assert.is_true(tide.array_equal({ 1, 2, 3 }, a:tohost()))
    assert.is_true(tide.array_equal(5, 5.0))
    assert.is_true(tide.array_equal(a:sum(), 6))
    assert.is_true(tide.array_equal(tide.complex(1, 2), tide.complex(1, 2)))
    assert.is_false(tide.array_equal(true, false))
  end)

  it("takes NaN for equal if asked", function ()
    for _, dtype in ipairs{ "float16", "float32", "float64", "complex64" } do
      local a = tide.array({ nan, 1, inf }, dtype)
      assert.is_false(tide.array_equal(a, a))
      assert.is_true(tide.array_equal(a, a, { equal_nan = true }))
      assert.is_false(tide.array_equal(a, a:neg(), { equal_nan = true }))
    end
    local a = tide.arange(3)
    assert.is_true(a:array_equal(a, { equal_nan = true }))
  end)
end)

describe("allclose", function ()
  it("has NumPy's tolerances", function ()
    local a = tide.array{ 1e10, 1e-7 }
    assert.is_false(tide.allclose(a, { 1.00001e10, 1e-8 }))
    assert.is_true(tide.allclose({ 1e10, 1e-8 }, { 1.00001e10, 1e-9 }))
    assert.is_false(tide.allclose({ 1e10, 1e-8 }, { 1.0001e10, 1e-9 }))
    assert.is_true(tide.allclose(1, 1 + 1e-5))
    assert.is_false(tide.allclose(1, 1 + 2e-5))
    assert.is_true(tide.allclose(100, 110, 0.1, 0))
    assert.is_true(tide.allclose(100, 110, { rtol = 0, atol = 10 }))
    assert.is_false(tide.allclose(100, 110, 0, { atol = 9 }))
    assert.is_true(tide.ones(3):allclose(1.0000001))
    -- by the second one
    assert.is_true(tide.allclose(9, 10, 0.1, 0))
    assert.is_false(tide.allclose(10, 9, 0.1, 0))
  end)

  it("takes inf for equal to itself alone", function ()
    assert.is_true(tide.allclose({ inf, -inf }, { inf, -inf }))
    assert.is_false(tide.allclose(inf, -inf))
    assert.is_false(tide.allclose(1, inf))
    assert.is_false(tide.allclose(inf, 1e308))
    local z = tide.array{ tide.complex(inf, 1) }
    assert.is_true(tide.allclose(z, z:copy()))
    assert.is_false(tide.allclose(z, tide.array{ tide.complex(0, inf) }))
  end)

  it("takes NaN for equal if asked", function ()
    local a = tide.array{ nan, 1 }
    assert.is_false(tide.allclose(a, a))
    assert.is_true(tide.allclose(a, a, { equal_nan = true }))
    assert.is_false(tide.allclose(a, { nan, nan }, { equal_nan = true }))
  end)

  it("broadcasts, and knows all dtypes", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.ones({ 2, 3 }, dtype)
      assert.is_true(tide.allclose(a, tide.ones({ 3 }, dtype)), dtype)
      assert.is_true(tide.allclose(a, true), dtype)
      assert.is_true(tide.allclose(1, a), dtype)
      assert.is_false(tide.allclose(a, tide.zeros({ 2, 1 }, dtype)), dtype)
    end
    assert.is_true(tide.allclose(tide.ones{ 0, 3 }, 5))
    assert.is_true(tide.allclose(tide.array({ 255 }, "uint8"), 255))
    assert.is_false(tide.allclose(tide.array({ 0 }, "uint8"), 256))
    assert.is_true(tide.allclose(tide.array({ -128 }, "int8"), -128))
    fails("shapes 3 and 2 do not match", tide.allclose, tide.ones(3),
          tide.ones(2))
  end)
end)

describe("both", function ()
  local NAMES = { "allclose", "array_equal" }

  it("leave their operands, and nothing else", function ()
    for _, name in ipairs(NAMES) do
      local a, b = tide.arange(1000), tide.arange(1000):slice(-1, 1, -1)
      collectgarbage()  -- what 'b' is a view of
      local live = tide.memory_stats().live
      assert.is_false(tide[name](a, b))
      assert.is_true(tide[name](a, b:flip()))
      assert.is_true(tide[name](a, a:totable(), { equal_nan = true }))
      assert.equal(999, a[1000])
      collectgarbage()
      assert.equal(live, tide.memory_stats().live)
    end
  end)

  it("wait for the work on their operands", function ()
    for _, name in ipairs(NAMES) do
      local s <close> = tide.Stream{ non_blocking = true }
      local a, ran = tide.zeros(3), false
      tide.get_device():synchronize()
      s:launch_host_func(function () ran = true end)
      s:with(function () a:fill(8) end)
      assert.is_true(tide[name](a, { 8, 8, 8 }))
      assert.is_true(ran)
    end
  end)

  it("raise in a capture, and queue nothing", function ()
    for _, name in ipairs(NAMES) do
      local s <close> = tide.Stream{ non_blocking = true }
      local a = tide.ones(3)
      s:begin_capture()
      s:with(function ()
        fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", tide[name], a, a)
      end)
      s:end_capture():close()
      assert.is_true(tide[name](a, a))
    end
  end)

  it("refuse what is no operand", function ()
    local a, closed = tide.ones(3), tide.ones(3)
    closed:close()
    for _, name in ipairs(NAMES) do
      badarg(1, "tide.Array, number, boolean or table expected, got string",
             tide[name], "x", a)
      badarg(2, "expected, got nil", tide[name], a, nil)
      badarg(2, "expected, got no value", tide[name], a)
      badarg(2, "array is closed", tide[name], a, closed)
      badarg(3, "unknown option 'eqal_nan'; did you mean 'equal_nan'?",
             tide[name], a, a, { eqal_nan = true })
      badarg(3, "option 'equal_nan' must be a boolean", tide[name], a, a,
             { equal_nan = 1 })
    end
    badarg(3, "option 'rtol' must be a number, got string", tide.allclose, a,
           a, { rtol = "1" })
    badarg(3, "number expected, got string", tide.allclose, a, a, "x")
  end)
end)

end)
