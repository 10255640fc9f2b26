--[[
dtype_spec.lua - element types: names, Lua values in and out, promotion.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

--- reference() -> { { a, b, promoted, elements of a, of b } ... }: NumPy's
-- answers, see spec/numpy/reference.py.
local function reference ()
  local list = {}
  local function bytes (hex)
    return (hex:gsub("%x%x", function (x)
      return string.char(tonumber(x, 16))
    end))
  end
  for line in io.lines "spec/numpy/reference.txt" do
    local a, b, c, from, to = line:match "^(%w+) (%w+) (%w+) (%x+) (%x+)$"
    list[#list + 1] = { a, b, c, bytes(from), bytes(to) }
  end
  return list
end

--- The first and the last number of each dtype that Lua's integers exceed.
local function ranges ()
  local list = {}
  for dtype, range in pairs(numbers.bounds) do
    if numbers.size[dtype] < 8 then
      list[dtype] = range
    end
  end
  return list
end

-- The dtype of a * 3 and of a * 0.5.
local function with_integer (dtype)
  return dtype == "bool" and "int64" or dtype
end

local function with_float (dtype)
  return numbers.is_float(dtype) and dtype or "float64"
end

local function division (dtype)
  return (numbers.is_float(dtype) or numbers.parts[dtype]) and dtype or
         "float64"
end

helper.each_device(function ()

describe("a name", function ()
  it("comes back as the field", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.zeros(3, dtype)
      assert.equal(dtype, a.dtype)
      assert.equal(3 * numbers.size[dtype], a.nbytes)
      assert.equal(dtype, a:tohost().dtype)
    end
  end)

  it("that is unknown is an error, with the nearest one", function ()
    local a = tide.ones(1)
    for name, best in pairs{ flaot32 = "float32", int23 = "int32",
                             Bool = "bool", uint = "uint64",
                             float65 = "float64" } do
      badarg(1, ("unknown dtype '%s'; did you mean '%s'?"):format(name, best),
             function () a:astype(name) end)
    end
    for _, name in ipairs{ "x", "", "complexes", ("y"):rep(1000) } do
      badarg(1, "unknown dtype '" .. name .. "'", function ()
        a:astype(name)
      end)
    end
    badarg(1, "string expected, got table", function () a:astype{} end)
    badarg(1, "string expected, got no value", function () a:astype() end)
  end)
end)

describe("an element", function ()
  local function item (x, dtype) return tide.array(x, dtype):item() end

  it("comes back as Lua's own kind of value", function ()
    assert.is_true(item(true, "bool"))
    for _, dtype in ipairs(numbers.sets.INTEGER) do
      assert.equal("integer", math.type(item(5.0, dtype)))
      assert.equal(1, item(true, dtype))
    end
    for _, dtype in ipairs(numbers.sets.FLOAT) do
      assert.equal("float", math.type(item(5, dtype)))
      assert.equal(0.0, item(false, dtype))
    end
  end)

  it("takes the whole range of its type and no more", function ()
    for dtype, range in pairs(ranges()) do
      assert.equal(range[1], item(range[1], dtype))
      assert.equal(range[2], item(range[2], dtype))
      for _, x in ipairs{ range[1] - 1, range[2] + 1, math.maxinteger,
                          math.mininteger } do
        fails("number is out of range for " .. dtype, item, x, dtype)
        fails("number is out of range for " .. dtype, tide.full, 3, x, dtype)
      end
    end
    assert.equal(math.mininteger, item(math.mininteger, "int64"))
    assert.equal(math.mininteger, item(-2.0 ^ 63, "int64"))
    for _, dtype in ipairs(numbers.sets.INTEGER) do
      for _, x in ipairs{ 0.5, 2.0 ^ 64, 1 / 0, 0 / 0 } do
        fails("number has no integer representation", item, x, dtype)
      end
      if dtype ~= "uint64" then
        fails("number has no integer representation", item, 2.0 ^ 63, dtype)
      end
    end
  end)

  it("of float32 is the nearest", function ()
    assert.equal(numbers.fit(0.1, "float32"), item(0.1, "float32"))
    assert.equal(16777216.0, item(16777217, "float32"))
    assert.equal(1 / 0, item(1e300, "float32"))
    assert.equal(0.1, item(0.1, "float64"))
  end)

  it("of bool is whether it is not 0", function ()
    assert.same({ true, false, true, false, true, true },
                tide.array({ 2, 0, 0.5, -0.0, -1, 0 / 0 }, "bool"):totable())
  end)
end)

describe("promotion", function ()
  local function promotes (x, y, wanted)
    local a, b = tide.ones(2, x), tide.ones(2, y)
    assert.equal(wanted, (a * b).dtype)
    assert.equal(wanted, (b * a).dtype)
    assert.equal(division(wanted), (a / b).dtype)
    assert.equal("bool", a:eq(b).dtype)
    assert.same({ true, true }, (a * b):eq(1):totable())
  end

  for _, case in ipairs(reference()) do
    it(case[1] .. " and " .. case[2] .. " is NumPy's", function ()
      promotes(case[1], case[2], case[3])
    end)
  end

  -- NumPy has no bfloat16.
  for x, wanted in pairs{ bool = "bfloat16", int8 = "bfloat16",
                          uint8 = "bfloat16", bfloat16 = "bfloat16",
                          int16 = "float32", uint16 = "float32",
                          float16 = "float32", float32 = "float32",
                          int32 = "float64", uint32 = "float64",
                          int64 = "float64", uint64 = "float64",
                          float64 = "float64", complex64 = "complex64",
                          complex128 = "complex128" } do
    it("bfloat16 and " .. x, function ()
      promotes(x, "bfloat16", wanted)
    end)
  end

  for _, x in ipairs(numbers.dtypes) do
    it(x .. " and numbers of Lua", function ()
      local a = tide.ones(2, x)
      for _, z in ipairs{ a * 3, 3 * a } do
        assert.equal(with_integer(x), z.dtype)
        assert.same({ true, true }, z:eq(3):totable())
      end
      for _, z in ipairs{ a * 0.5, 0.5 * a } do
        assert.equal(with_float(x), z.dtype)
        assert.same({ true, true }, z:eq(0.5):totable())
      end
      for _, z in ipairs{ a * true, true * a, a + false } do
        assert.equal(x, z.dtype)
        assert.same({ true, true }, z:eq(1):totable())
      end
    end)
  end

  it("compares in the common type", function ()
    local big = tide.array{ (1 << 53) + 1 }
    assert.is_true(big:eq(tide.array{ 2.0 ^ 53 })[1])
    assert.is_false(big:eq(1 << 53)[1])
    assert.is_true(tide.array({ 255 }, "uint8"):gt(tide.array{ -1 })[1])
    assert.is_false(tide.array({ 0.1 }, "float32")
                    :eq(tide.array{ 0.1 })[1])
    assert.is_true(tide.array({ 0.1 }, "float32"):eq(0.1)[1])
  end)

  it("a number that its array cannot hold is refused", function ()
    for dtype, range in pairs(ranges()) do
      local a = tide.ones(2, dtype)
      for _, op in ipairs{ "add", "sub", "mul", "maximum", "band" } do
        badarg(2, "number is out of range for " .. dtype, tide[op], a,
               range[2] + 1)
        badarg(1, "number is out of range for " .. dtype, tide[op],
               range[1] - 1, a)
      end
    end
  end)

  it("but can be compared with", function ()
    local operators = {
      lt = function (x, y) return x < y end,
      le = function (x, y) return x <= y end,
      gt = function (x, y) return x > y end,
      ge = function (x, y) return x >= y end,
      eq = function (x, y) return x == y end,
      ne = function (x, y) return x ~= y end
    }
    for dtype, range in pairs(ranges()) do
      local low, high = table.unpack(range)
      local a = tide.array({ low, high }, dtype)
      for name, op in pairs(operators) do
        for _, x in ipairs{ low - 1, high + 1, low, high, math.mininteger,
                            math.maxinteger } do
          assert.same({ op(low, x), op(high, x) }, a[name](a, x):totable())
          assert.same({ op(x, low), op(x, high) },
                      tide[name](x, a):totable())
        end
      end
    end
    local out = tide.zeros(2, "bool")
    assert.equal(out, tide.zeros(2, "uint8"):lt(300, { out = out }))
    assert.same({ true, true }, out:totable())
    assert.equal(0, tide.zeros(0, "uint8"):lt(300).size)
  end)
end)

describe("casts", function ()
  for _, case in ipairs(reference()) do
    it(case[1] .. " to " .. case[2] .. " are NumPy's", function ()
      local a = tide.frombytes(case[4], case[1])
      local wanted = numbers.unpack(case[5], case[2])
      local got = numbers.unpack(a:astype(case[2]):tobytes(), case[2])
      assert.equal(#wanted, #got)
      for i, x in ipairs(wanted) do
        assert.equal(0, numbers.ulps(x, got[i], case[2]))
      end
    end)
  end
end)

describe("uint64", function ()
  it("is the 64 bits of Lua's integers", function ()
    local a = tide.array({ -1, math.mininteger, 5 }, "uint64")
    assert.same({ -1, math.mininteger, 5 }, a:totable())
    assert.same({ 2.0 ^ 64, 2.0 ^ 63, 5.0 },
                a:astype "float64":totable())
    assert.same({ true, true, false }, a:gt(math.maxinteger):totable())
    assert.same({ true, false, false }, a:eq(-1):totable())
    assert.same({ math.maxinteger, 1 << 62, 2 }, (a // 2):totable())
    assert.equal(-1, a:max():item())
    assert.equal(5, a:min():item())
  end)

  it("takes floats of its range", function ()
    for x, wanted in pairs{ [2.0 ^ 63] = math.mininteger, [7.0] = 7,
                            [2.0 ^ 64 - 2048] = -2048 } do
      assert.equal(wanted, tide.array(x, "uint64"):item())
    end
    fails("number is out of range for uint64", tide.array, -1.0, "uint64")
    fails("no integer representation", tide.array, -0.5, "uint64")
  end)
end)

describe("the default dtype", function ()
  local function with (dtype, fn)
    local old = tide.set_default_dtype(dtype)
    local ok, err = pcall(fn)
    assert.equal(dtype, tide.set_default_dtype(old))
    assert(ok, err)
  end

  it("is that of floats", function ()
    assert.equal("float64", tide.get_default_dtype())
    with("float32", function ()
      assert.equal("float32", tide.get_default_dtype())
      for _, a in ipairs{ tide.zeros(1), tide.ones(1), tide.empty(1),
                          tide.full(1, 0.5), tide.array(0.5), tide.array{},
                          tide.array{ 1, 0.5 }, tide.array{ true, 0.5 },
                          tide.arange(0.5, 2), tide.HostArray(1),
                          tide.ones(1, "int64") * 0.5,
                          tide.ones(1, "bool") * 0.5 } do
        assert.equal("float32", a.dtype)
      end
      for _, a in ipairs{ tide.arange(3), tide.full(1, 3), tide.array{ 1 } } do
        assert.equal("int64", a.dtype)
      end
      assert.equal("float64", (tide.ones(1, "float64") * 0.5).dtype)
      assert.equal("float64", (tide.arange(3) / 2).dtype)
    end)
    assert.equal("float64", tide.zeros(1).dtype)
  end)

  it("rounds no table or number beside an array of a wider one", function ()
    local list = { 0.1, 0.2, 0.3 }
    local x = tide.array(list)
    local single = x:astype "float32"
    local calls = {
      append = function () return x:append(list), x:append(0.1) end,
      append_complex = function ()
        return x:append{ tide.complex(0.1, 0.7) },
               x:astype "complex128":append{ 0.1 }
      end,
      array_equal = function () return tide.array_equal(list, x) end,
      allclose = function () return x:allclose(list, 0, 0) end,
      digitize = function () return x:digitize(list) end,
      histogram = function () return x:histogram(list) end,
      interp = function ()
        return x:interp(list, list), single:interp(list, { 0.7, 1.1, 2.3 })
      end,
      isclose = function () return x:isclose(0.1, 0, 0) end,
      isin = function () return x:isin{ 0.1, 0.3 }, tide.isin(0.1, x) end,
      polyval = function () return tide.polyval(list, x), x:polyval(list) end,
      searchsorted = function ()
        return x:searchsorted(list, { side = "right" })
      end,
      setdiff1d = function () return x:setdiff1d(list) end,
      union1d = function () return x:union1d(list) end,
    }
    for name, fn in pairs(calls) do
      local function values ()
        local results = { fn() }
        for i, y in ipairs(results) do
          results[i] = type(y) == "userdata" and
                       { y.dtype, table.unpack(y:ravel():totable()) } or y
        end
        return results
      end
      local wanted = values()
      for _, dtype in ipairs{ "float16", "float32" } do
        with(dtype, function () assert.same(wanted, values(), name) end)
      end
    end
  end)

  it("is a float", function ()
    badarg(1, "the dtype of floats cannot be int64", tide.set_default_dtype,
           "int64")
    badarg(1, "unknown dtype 'float'", tide.set_default_dtype, "float")
    badarg(1, "string expected, got no value", tide.set_default_dtype)
    assert.equal("float64", tide.get_default_dtype())
  end)
end)

end)
