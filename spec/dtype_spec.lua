--[[
dtype_spec.lua - element types: names, Lua values in and out, promotion.
]]
local tide = require "tide"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local fails, blames = helper.fails, helper.blames

-- NumPy 2's promotion table; each row from its own type on.
local PROMOTION = {
  bool = { bool = "bool", uint8 = "uint8", int32 = "int32", int64 = "int64",
           float32 = "float32", float64 = "float64" },
  uint8 = { uint8 = "uint8", int32 = "int32", int64 = "int64",
            float32 = "float32", float64 = "float64" },
  int32 = { int32 = "int32", int64 = "int64", float32 = "float64",
            float64 = "float64" },
  int64 = { int64 = "int64", float32 = "float64", float64 = "float64" },
  float32 = { float32 = "float32", float64 = "float64" },
  float64 = { float64 = "float64" }
}

-- And what a number of Lua makes of an array.
local WITH_SCALAR = {
  bool = { integer = "int64", float = "float64" },
  uint8 = { integer = "uint8", float = "float64" },
  int32 = { integer = "int32", float = "float64" },
  int64 = { integer = "int64", float = "float64" },
  float32 = { integer = "float32", float = "float32" },
  float64 = { integer = "float64", float = "float64" }
}

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
                             Bool = "bool", uint = "uint8",
                             float65 = "float64" } do
      blames(1, ("unknown dtype '%s'; did you mean '%s'?"):format(name, best),
             function () a:astype(name) end)
    end
    for _, name in ipairs{ "x", "", "complexes", ("y"):rep(1000) } do
      blames(1, "unknown dtype '" .. name .. "'", function ()
        a:astype(name)
      end)
    end
    blames(1, "string expected, got table", function () a:astype{} end)
    blames(1, "string expected, got no value", function () a:astype() end)
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
    for dtype, range in pairs{ uint8 = { 0, 255 },
                               int32 = { -1 << 31, (1 << 31) - 1 } } do
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
    for _, x in ipairs{ 0.5, 2.0 ^ 63, 1 / 0, 0 / 0 } do
      for _, dtype in ipairs(numbers.sets.INTEGER) do
        fails("number has no integer representation", item, x, dtype)
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
  for x, row in pairs(PROMOTION) do
    for y, wanted in pairs(row) do
      it(x .. " and " .. y, function ()
        local a, b = tide.ones(2, x), tide.ones(2, y)
        assert.equal(wanted, (a * b).dtype)
        assert.equal(wanted, (b * a).dtype)
        assert.equal(wanted, a:maximum(b).dtype)
        local division = wanted == "float32" and "float32" or "float64"
        assert.equal(division, (a / b).dtype)
        assert.equal("bool", a:eq(b).dtype)
        assert.same({ true, true }, (a * b):eq(1):totable())
      end)
    end
  end

  for x, row in pairs(WITH_SCALAR) do
    it(x .. " and numbers of Lua", function ()
      local a = tide.ones(2, x)
      for _, z in ipairs{ a * 3, 3 * a } do
        assert.equal(row.integer, z.dtype)
        assert.equal(6, z:sum():item())
      end
      for _, z in ipairs{ a * 0.5, 0.5 * a } do
        assert.equal(row.float, z.dtype)
        assert.equal(1.0, z:sum():item())
      end
      for _, z in ipairs{ a * true, true * a, a:maximum(false) } do
        assert.equal(x, z.dtype)
        assert.equal(2, z:sum():item())
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
    local a = tide.ones(2, "uint8")
    for _, op in ipairs{ "add", "sub", "mul", "lt", "maximum", "band" } do
      blames(2, "number is out of range for uint8", tide[op], a, 256)
      blames(1, "number is out of range for uint8", tide[op], -1, a)
      blames(2, "number is out of range for int32", tide[op],
             a:astype "int32", 1 << 31)
    end
  end)
end)

end)
