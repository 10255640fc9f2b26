--[[
power_spec.lua - powers by numbers that are products, roots and inverses: the
same, bit for bit, wherever they are written and however the operands lie.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"

local INTEGERS = { "int8", "int16", "int32", "int64", "uint8", "uint16",
                   "uint32", "uint64" }
local FLOATS = { "float16", "bfloat16", "float32", "float64" }
local COMPLEX = { "complex64", "complex128" }
local inf, nan = math.huge, 0 / 0

--- The operations that x ^ y is made of, by y.
local RULES = {
  [2] = function (x) return x * x end,
  [3] = function (x) return x * x * x end,
  [0.5] = function (x) return tide.sqrt(x) end,
  [-1] = function (x) return 1 / x end
}

local function same (wanted, got, ...)
  assert.equal(wanted.dtype, got.dtype)
  assert.same(wanted.shape, got.shape)
  assert(wanted:tobytes() == got:tobytes(), table.concat({ ... }, " "))
end

--- Returns the required value of x ^ y: floats of 16 bits are rounded once.
local function wanted (x, y)
  if x.dtype:find "float16" then
    return RULES[y](x:astype "float32"):astype(x.dtype)
  end
  return RULES[y](x)
end

--- Complex numbers are any two floats.
local PARTS = { complex64 = "float32", complex128 = "float64" }
local function random (dtype, n)
  local part = PARTS[dtype] or dtype
  local list = numbers.random(part, PARTS[dtype] and 2 * n or n,
                              helper.generator(31))
  return tide.frombytes(numbers.pack(list, part), dtype)
end

--- check(x, y) for the floats and complex numbers with all of them, for
-- integers with products.
local function each_power (check)
  for _, list in ipairs{ INTEGERS, FLOATS, COMPLEX } do
    for _, dtype in ipairs(list) do
      for y in pairs(RULES) do
        if list ~= INTEGERS or y > 1 then
          check(random(dtype, 1000), y)
        end
      end
    end
  end
end

helper.each_device(function ()

describe("powers by numbers", function ()
  it("are products, roots and inverses", function ()
    each_power(function (x, y)
      local z = wanted(x, y)
      same(z, x ^ y, x.dtype, y)
      same(z, tide.pow(x, y), x.dtype, y, "pow")
      same(z, x:pow(y), x.dtype, y, "method")
    end)
  end)

  it("are so in place, into others, and into their operand", function ()
    each_power(function (x, y)
      local z, out = wanted(x, y), tide.zeros(x.shape, x.dtype)
      assert.equal(out, tide.pow(x, y, { out = out }))
      same(z, out, x.dtype, y, "out")
      local own = x:copy()
      tide.pow(own, y, { out = own })
      same(z, own, x.dtype, y, "own")
      own = x:copy()
      assert.equal(own, own:pow_(y))
      same(z, own, x.dtype, y, "in place")
    end)
  end)

  it("are so of views, and where views overlap", function ()
    each_power(function (x, y)
      local a = x:reshape{ 20, 50 }
      local z = wanted(a.T:copy(), y)
      same(z, a.T ^ y, x.dtype, y, "turned")
      local out = tide.zeros({ 50, 40 }, x.dtype)[{ {}, { 1, 40, 2 } }]
      tide.pow(a.T, y, { out = out })
      same(z, out:copy(), x.dtype, y, "into a view")
      local b = x:copy()
      tide.pow(b:slice(1, 500), y, { out = b:slice(101, 600) })
      same(wanted(x:slice(1, 500), y), b:slice(101, 600):copy(), x.dtype, y)
    end)
  end)

  it("take the dtype of the number: int32 ^ 2.0 is float64", function ()
    local x = tide.array({ 3, -2, 0, 100000 }, "int32")
    assert.same({ 9, 4, 0, 1410065408 }, (x ^ 2):totable())
    assert.equal("int32", (x ^ 3).dtype)
    for _, y in ipairs{ 2.0, 3.0, 0.5, -1.0 } do
      same(wanted(x:astype "float64", y), x ^ y, y)
      helper.fails("must have dtype float64, has int32", x.pow, x, y,
                   { out = x })
      helper.fails("does not fit into int32", x.pow_, x, y)
    end
    assert.same({ 1, -1, 0, 0 },
                (tide.array{ 1, -1, 2, 0 } ^ -1):totable())
    helper.fails("out of range", function ()
      return tide.array({ 1 }, "uint8") ^ -1
    end)
  end)

  it("are not defined where powers are not", function ()
    local x = tide.array{ true, false }
    helper.fails("not defined for bool", function () return x ^ true end)
  end)

  it("have the zeros and infinities of what they are", function ()
    for _, dtype in ipairs(FLOATS) do
      local x = tide.array({ 0.0, -0.0, inf, -inf, nan }, dtype)
      local function texts (a)
        local list = {}
        for i, v in ipairs(a:totable()) do
          list[i] = v ~= v and "nan" or tostring(v)
        end
        return table.concat(list, " ")
      end
      assert.equal("0.0 0.0 inf inf nan", texts(x ^ 2))
      assert.equal("0.0 -0.0 inf -inf nan", texts(x ^ 3))
      assert.equal("0.0 -0.0 inf nan nan", texts(x ^ 0.5))
      assert.equal("inf -inf 0.0 -0.0 nan", texts(x ^ -1))
      -- of arrays they are those of pow
      assert.equal("0.0 0.0 inf inf nan",
                   texts(x ^ tide.full(5, 0.5, dtype)))
    end
  end)

  it("of exponents that are arrays or others are powers", function ()
    local x = tide.array{ 4.0, 9.0 }
    local y = x ^ tide.array{ 2.0, 0.5 }  -- CUDA's pow is not exact
    helper.array_near(y, { 16.0, 3.0 }, 1e-14)
    assert.same({ 256.0, 6561.0 }, (x ^ 4):totable())
    assert.same({ 8.0, 4.0 }, (2 ^ tide.array{ 3.0, 2.0 }):totable())
    assert.same({ 1.0, 1.0 }, (x ^ 0):totable())
  end)

  it("are the same in fused functions", function ()
    for _, dtype in ipairs{ "int8", "int64", "uint16", "float32",
                            "float64" } do
      local x = random(dtype, 1000)
      for y in pairs(RULES) do
        if dtype:find "float" or y > 1 then
          local f = tide.fuse(function (v) return v ^ y end)
          same(x ^ y, f(x), dtype, y)
        end
        local f = tide.fuse(function (v) return v ^ (y + 0.0) end)
        same(x ^ (y + 0.0), f(x), dtype, y)
      end
    end
  end)
end)

end)
