--[[
create_spec.lua - making arrays from shapes, numbers, tables and bytes.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

-- Around the blocks and packs of the kernels, and large.
local SIZES = { 1, 2, 3, 15, 16, 17, 255, 256, 257, 4095, 4097, 1000003 }

helper.each_device(function (kind)

describe("zeros, ones, full", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype .. ", in all sizes", function ()
      for _, n in ipairs(SIZES) do
        local value = dtype == "bool" or 3
        for _, a in ipairs{ tide.zeros(n, dtype), tide.ones(n, dtype),
                            tide.full(n, value, dtype) } do
          assert.equal(n, a.size)
          assert.equal(dtype, a.dtype)
        end
        assert.equal(0, tide.zeros(n, dtype):count_nonzero():item())
        assert.equal(n, tide.ones(n, dtype):eq(1):count_nonzero():item())
        local full = tide.full(n, value, dtype)
        assert.equal(n, full:eq(value):count_nonzero():item())
      end
    end)
  end

  it("are float64 if nobody says otherwise", function ()
    for _, name in ipairs{ "zeros", "ones", "empty" } do
      assert.equal("float64", tide[name](3).dtype)
      assert.equal("float64", tide[name]({ 2, 0 }, nil).dtype)
    end
  end)

  it("full takes the dtype of its value", function ()
    assert.equal("int64", tide.full(2, 7).dtype)
    assert.equal("float64", tide.full(2, 7.0).dtype)
    assert.equal("bool", tide.full(2, false).dtype)
    assert.same({ 7.0, 7.0 }, tide.full(2, 7, "float32"):totable())
    assert.same({ true }, tide.full(1, 0.5, "bool"):totable())
    assert.same({ 1 }, tide.full(1, true, "uint8"):totable())
  end)

  it("take the current device and stream", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key, a = T.hold(s), nil
    s:with(function () a = tide.full(1000, 2) end)
    assert.is_false(s.done)
    assert.equal(kind, a.device.kind)
    T.release(key)
    assert.equal(2000, a:sum():item())
  end)
end)

describe("a shape", function ()
  it("is a number or a table of them", function ()
    assert.same({ 3 }, tide.zeros(3).shape)
    assert.same({ 3 }, tide.zeros(3.0).shape)
    assert.same({}, tide.zeros({}).shape)
    assert.same({ 2, 0, 4 }, tide.zeros{ 2, 0, 4 }.shape)
    local deep = {}
    for i = 1, 32 do
      deep[i] = 1
    end
    assert.same(deep, tide.zeros(deep).shape)
  end)

  it("of another kind is refused, by every function", function ()
    local many = {}
    for i = 1, 33 do
      many[i] = 1
    end
    for _, name in ipairs{ "empty", "zeros", "ones", "full", "HostArray" } do
      local second = name == "full" and 1 or nil
      local function make (shape)
        return function () return tide[name](shape, second) end
      end
      badarg(1, "shape must be an integer or a table of integers", make(nil))
      for _, bad in ipairs{ "3", 1.5, 0 / 0, 1 / 0, true, { "3" }, { {} },
                            { 1.5 }, print } do
        badarg(1, "shape must be an integer or a table of integers",
               make(bad))
      end
      badarg(1, "shape must not be negative", make(-1))
      badarg(1, "shape must not be negative", make{ 3, math.mininteger })
      badarg(1, "shape has more than 32 dimensions", make(many))
      badarg(1, "the shape has more than 2^46 elements", make((1 << 46) + 1))
      badarg(1, "the shape has more than 2^46 elements",
             make(math.maxinteger))
      badarg(1, "the shape has more than 2^46 elements",
             make{ 1 << 30, 1 << 30, 1 << 30 })
    end
  end)

  it("with arrays of no axes among the elements", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    local b = tide.array{ a:sum(), 5, a:max() }
    assert.same({ "int64", 10, 5, 4 }, { b.dtype, b[1], b[2], b[3] })
    b = tide.array{ { a:mean(), true }, { 7, a:sum() } }
    assert.same({ { 2.5, 1 }, { 7, 10 } }, b:totable())
    assert.equal("float32", tide.array{ a:sum():astype "float32" }.dtype)
    assert.same({ 10, 10 }, tide.array({ a:sum(), a:sum() }, "uint8"):totable())
    b[{ 1 }] = { a:min(), 3 }
    assert.same({ { 1, 3 }, { 7, 10 } }, b:totable())
    fails("tide.stack joins arrays", tide.array, { a, a })
    local closed = a:sum()
    closed:close()
    fails("array is closed", tide.array, { 1, closed })
  end)

  it("too large for the memory is an error with figures", function ()
    for _, fn in ipairs{ tide.empty, tide.zeros, tide.HostArray } do  -- 64 TB
      local message = fails("CUDA_ERROR_OUT_OF_MEMORY (2)", fn, 1 << 43)
      assert.is_truthy(message:find("asked 64 TiB", 1, true), message)
    end
    assert.equal(3, tide.ones(3):sum():item())
  end)

  it("has limits also beside an axis of 0 (#036)", function ()
    fails("2^46", tide.empty, { 0, math.maxinteger, math.maxinteger })
    fails("2^46", tide.HostArray, { math.maxinteger, 0, 3 })
    assert.same({ 1 << 46, 1 }, tide.empty{ 0, 1 << 46 }.strides)
  end)
end)

describe("the others like an array", function ()
  it("have its shape and dtype, or the one that is given", function ()
    local a = tide.arange(6):reshape{ 2, 3 }:astype "int32"
    for name, sum in pairs{ zeros_like = 0, ones_like = 6 } do
      local b = tide[name](a)
      assert.same({ 2, 3 }, b.shape)
      assert.equal("int32", b.dtype)
      assert.equal(sum, b:sum():item())
      assert.equal("uint8", tide[name](a, "uint8").dtype)
    end
    assert.same({ 2, 3 }, tide.empty_like(a, "bool").shape)
    assert.equal("int32", tide.empty_like(a).dtype)
    assert.same({ { 4, 4, 4 }, { 4, 4, 4 } },
                tide.full_like(a, 4):totable())
    assert.equal("float64", tide.full_like(a, 4.5, "float64").dtype)
    assert.equal(0, tide.ones_like(tide.zeros(0)).size)
  end)

  it("want an array, and a value that fits", function ()
    for _, name in ipairs{ "empty_like", "zeros_like", "ones_like" } do
      badarg(1, "tide.array(list), expected, got table", tide[name], {})
      badarg(1, "tide.Array expected, got n", tide[name])
      badarg(2, "unknown dtype 'x'", tide[name], tide.ones(1), "x")
    end
    local a = tide.ones(2, "uint8")
    badarg(2, "number is out of range for uint8", tide.full_like, a, 256)
    badarg(2, "number is out of range for uint8", tide.full_like, a, -1)
    badarg(2, "number has no integer representation: 0.5)", tide.full_like, a,
           0.5)
    badarg(2, "number or boolean expected, got no value", tide.full_like, a)
    badarg(2, "number or boolean expected, got table", tide.full, 1, {})
    badarg(3, "unknown dtype 'unit8'; did you mean 'uint8'?", tide.full, 1, 1,
           "unit8")
  end)
end)

describe("arange", function ()
  local function list (...) return tide.arange(...):totable() end

  it("is from 0 by 1 unless told", function ()
    assert.same({ 0, 1, 2 }, list(3))
    assert.same({ 2, 3 }, list(2, 4))
    assert.same({ 2, 5, 8 }, list(2, 9, 3))
    assert.same({ 5, 3, 1 }, list(5, 0, -2))
    assert.same({ 0.0, 1.0 }, list(2, "float32"))
    assert.same({ 1, 4 }, list(1, 5, 3, "uint8"))
    for _, dtype in ipairs(numbers.sets.UNSIGNED) do
      assert.same({ 5, 4, 3, 2, 1 }, list(5, 0, -1, dtype))
    end
    assert.same({ 100, 0, -100 }, list(100, -101, -100, "int8"))
  end)

  it("has no elements where it leads nowhere", function ()
    for _, a in ipairs{ tide.arange(0), tide.arange(-3), tide.arange(3, 3),
                        tide.arange(3, 1), tide.arange(1, 3, -1),
                        tide.arange(0.5, -1) } do
      assert.equal(0, a.size)
    end
  end)

  it("of floats has as many elements as NumPy's", function ()
    assert.equal(10, tide.arange(0, 1, 0.1).size)
    assert.equal(3, tide.arange(0, 2.5).size)
    assert.equal(4, tide.arange(1, 1.3, 0.1).size)  -- NumPy's surprise
    assert.same({ 1.5, 1.0, 0.5 }, list(1.5, 0, -0.5))
  end)

  it("of many elements", function ()
    local a = tide.arange(1000003)
    assert.equal(1000003 * 500001, a:sum():item())
    assert.equal(1000002, a[-1])
    assert.equal(-2000004 * 1.0, tide.arange(0, -2000006, -2.0)[-1])
  end)

  it("refuses what it cannot do", function ()
    badarg(1, "number expected, got no value", tide.arange)
    badarg(3, "step must not be zero", tide.arange, 0, 1, 0)
    badarg(3, "step must not be zero", tide.arange, 0, 1, -0.0)
    badarg(2, "arange has no bool", tide.arange, 2, "bool")
    badarg(1, "number has no integer representation", tide.arange, 0.5, 2, 1,
           "int32")
    badarg(1, "number is out of range for uint8", tide.arange, -1, 5,
           "uint8")
    badarg(3, "number has no integer representation", tide.arange, 0, 5, 0.5,
           "uint8")
    badarg(2, "string expected, got boolean", tide.arange, 2, true)
    badarg(2, "more than 2^46 elements", tide.arange, 0, 1, 1e-300)
  end)

  it("is of floats if one of its numbers is one (#030)", function ()
    assert.equal("float64", tide.arange(5.5).dtype)
    assert.same({ 0.0, 1.0, 2.0, 3.0, 4.0, 5.0 }, list(5.5))
    assert.equal("float64", tide.arange(0, 3.0).dtype)
    assert.equal("float64", tide.arange(0, 3, 1.0).dtype)
  end)

  it("counts between numbers far apart", function ()
    local low, high = math.mininteger, math.maxinteger
    assert.same({ low, -1, high - 1 }, list(low, high, high))
    assert.same({ high, -1 }, list(high, low, low))
    badarg(2, "more than 2^46 elements", tide.arange, low, high)
    badarg(1, "more than 2^46 elements", tide.arange, math.huge)
    badarg(2, "start, stop or step is not a number", tide.arange, 0, 0 / 0)
    assert.equal(0, tide.arange(-math.huge).size)
  end)

  it("names the argument that is wrong", function ()
    badarg(1, "number expected, got string", tide.arange, "5")
    badarg(2, "unknown dtype '5'", tide.arange, 0, "5")
    badarg(3, "unknown dtype 'flot32'", tide.arange, 1, 5, "flot32")
    badarg(3, "nothing comes after the dtype", tide.arange, 5, nil, 2)
  end)
end)

describe("array", function ()
  it("of a number or a truth value has no axes", function ()
    for x, dtype in pairs{ [3] = "int64", [2.5] = "float64",
                           [true] = "bool" } do
      local a = tide.array(x)
      assert.same({ 0, dtype, x }, { a.ndim, a.dtype, a:item() })
    end
    assert.equal(3.0, tide.array(3, "float32"):item())
    badarg(1, "number has no integer representation", tide.array, 2.5,
           "int64")
  end)

  it("of a table has its shape and the common dtype", function ()
    local a = tide.array{ { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ 2, 3 }, a.shape)
    assert.equal("int64", a.dtype)
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, a:totable())
    assert.equal("float64", tide.array{ 1, 2.5 }.dtype)
    assert.equal("int64", tide.array{ true, 2 }.dtype)
    assert.equal("float64", tide.array{ true, 0.5 }.dtype)
    assert.equal("bool", tide.array{ { true }, { false } }.dtype)
    assert.equal("float32", tide.array({ 1, 2 }, "float32").dtype)
    assert.same({ 1, 0 }, tide.array({ true, false }, "uint8"):totable())
  end)

  it("of a table has elements of any kind, one after the other", function ()
    local list = { 1, 2.0, true, tide.array(3), 4, false, 5.0, 6 }
    local wanted = { 1, 2, 1, 3, 4, 0, 5, 6 }
    for _, dtype in ipairs{ "float64", "float32", "float16", "int64", "int8",
                            "uint64" } do
      assert.same(wanted, tide.array(list, dtype):astype "int64":totable())
      assert.same({ wanted, wanted },
                  tide.array({ list, list }, dtype):astype "int64":totable())
    end
    assert.equal("float64", tide.array(list).dtype)
    fails("element 3 at depth 1: number has no integer representation: 2.5",
          tide.array, { 1, 2.0, 2.5, 4 }, "int64")
  end)

  it("of an empty table has no elements", function ()
    for _, case in ipairs{ { {}, { 0 } }, { { {}, {} }, { 2, 0 } },
                           { { { {} } }, { 1, 1, 0 } } } do
      local a = tide.array(case[1])
      assert.same(case[2], a.shape)
      assert.equal("float64", a.dtype)
    end
  end)

  it("says what is wrong with a table", function ()
    fails("ragged table: expected 1 elements at depth 2, got 2", tide.array,
          { { 1 }, { 2, 3 } })
    fails("ragged table: expected 1 elements at depth 2, got number",
          tide.array, { { 1 }, 2 })
    fails("ragged table: expected 0 elements at depth 2, got 1", tide.array,
          { {}, { 1 } })
    fails("ragged table: element 2 at depth 1 is a table, and the first " ..
          "one is not", tide.array, { 1, { 2 } })
    local holed = { 1, nil, 3 }  -- Lua says how long it is
    fails(#holed == 3 and "element 2 at depth 1: number or boolean expected " ..
          "(got nil)" or "index 3 apart from the others", tide.array, holed)
    fails("element 1 at depth 2: number or boolean expected (got string)",
          tide.array, { { "1" } })
    fails("element 2 at depth 1: number is out of range for int32: " ..
          "1099511627776",
          tide.array, { 1, 1 << 40 }, "int32")
    local endless = {}
    endless[1] = endless
    badarg(1, "more than 32 dimensions", tide.array, endless)
  end)

  it("of an array is a copy", function ()
    local a = tide.arange(4)
    for _, b in ipairs{ tide.array(a), tide.array(a:tohost()),
                        tide.array(a, "int64") } do
      assert.same({ 0, 1, 2, 3 }, b:totable())
      b:fill(9)
    end
    assert.same({ 0, 1, 2, 3 }, a:totable())
    assert.same({ 0.0, 1.0 }, tide.array(tide.arange(2):tohost(), "float32")
                :totable())
    assert.equal("bool", tide.array(a, "bool").dtype)
  end)

  it("refuses anything else", function ()
    local expected = "table, number, boolean or array expected, got "
    for _, bad in ipairs{ "x", print, io.stdout, tide.Stream.null,
                          coroutine.create(print) } do
      badarg(1, expected, tide.array, bad)
      badarg(1, expected, tide.asarray, bad)
    end
    badarg(1, expected .. "no value", tide.array)
    badarg(2, "unknown dtype 'float'; did you mean", tide.array, { 1 },
           "float")
    badarg(2, "string expected, got table", tide.array, { 1 }, {})
    local h = tide.HostArray(2)
    h:close()
    badarg(1, "array is closed", tide.array, h)
  end)

  it("of leaves that a host function makes meanwhile (#291)", function ()
    local x = (tide.ones(300000) * 2):sum()
    local t = { 1, x }
    tide.get_current_stream():launch_host_func(function () t[1] = x * 1 end)
    t[2] = x + 1
    local a = tide.array(t):totable()
    assert.equal(600001, a[2])
    assert(a[1] == 1 or a[1] == 600000)
    tide.get_device():synchronize()
    assert.equal(600000, t[1]:item())  -- is open
  end)

  it("of leaves of uint64 that are no integers of Lua", function ()
    local most = tide.full({}, -1, "uint64")
    assert.equal(2.0 ^ 64, tide.array({ 1, most })[2])
    assert.equal(2.0 ^ 64, tide.array({ most }, "float32")[1])
    assert.equal(2.0 ^ 64, tide.array({ most }, "complex128"):real()[1])
    assert.equal(-1, tide.array{ most }[1])  -- of all bits, as uint64
  end)
end)

describe("asarray", function ()
  it("returns an array that is right already", function ()
    local a = tide.arange(3)
    assert.equal(a, tide.asarray(a))
    assert.equal(a, tide.asarray(a, "int64"))
    local b = tide.asarray(a, "float32")
    assert.same({ "float32", 3.0 }, { b.dtype, b:sum():item() })
    assert.same({ 1, 2 }, tide.asarray{ 1, 2 }:totable())
    assert.same({ 0, 1, 2 }, tide.asarray(a:tohost()):totable())
    badarg(2, "unknown dtype", tide.asarray, a, "x")
  end)
end)

describe("frombytes", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype .. " and back", function ()
      local bytes = numbers.pack(numbers.edges(dtype), dtype)
      local a = tide.frombytes(bytes, dtype)
      assert.equal(#numbers.edges(dtype), a.size)
      assert.is_true(bytes == a:tobytes())
      assert.equal(0, tide.frombytes("", dtype).size)
    end)
  end

  it("takes a shape", function ()
    local a = tide.frombytes("abcdef", "uint8", { 2, 3 })
    assert.same({ { 97, 98, 99 }, { 100, 101, 102 } }, a:totable())
    assert.equal("abcd", tide.frombytes("abcd", "int32", {}):tobytes())
  end)

  it("makes truth values of any byte", function ()
    local a = tide.frombytes("\0\1\2\255", "bool")
    assert.equal("\0\1\1\1", a:tobytes())
    assert.equal(3, a:sum():item())
  end)

  it("wants a string that fits", function ()
    badarg(1, "string expected, got table", tide.frombytes, {}, "uint8")
    badarg(2, "string expected, got no value", tide.frombytes, "x")
    badarg(1, "the string's length does not fit", tide.frombytes, "abc",
           "int32")
    badarg(3, "the string's length does not fit", tide.frombytes, "abcd",
           "int32", 2)
    badarg(3, "shape must not be negative", tide.frombytes, "a", "uint8", -1)
  end)

  it("checks the string before it makes anything (#031)", function ()
    assert.equal(0, helper.during("cuMemHostAlloc", function ()
      badarg(3, "the string's length", tide.frombytes, "abc", "float64", 1e12)
      badarg(3, "the string's length", tide.frombytes, "abcdefgh", "float64",
             { 1 << 62, 1 << 62 })
    end))
    assert.equal(0, tide.frombytes("", "int32", { 0, 7 }).size)
  end)
end)

it("empty arrays of every dtype can be made and used", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    local a = tide.empty({ 3, 0 }, dtype)
    assert.same({ {}, {}, {} }, a:totable())
    assert.equal("", a:copy():tobytes())
    assert.equal(0, tide.empty(5, dtype):fill(0):count_nonzero():item())
  end
end)

-- Kernels rely on the bytes 0 and 1. Freed memory is used again.
it("a bool array that was never written is of false (#054)", function ()
  tide.full(100, 200, "uint8"):close()
  local a = tide.empty(100, "bool")
  assert.equal(("\0"):rep(100), a:tobytes())
  tide.full(100, 200, "uint8"):close()
  assert.equal(("\0"):rep(100), tide.empty_like(a):tobytes())
  assert.is_true(a:astype "int32":sum():item() >= 0)
  assert.is_boolean(a:any():item())
  assert.is_boolean(a:eq(a):all():item())
end)

end)
