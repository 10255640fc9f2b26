--[[
uint64_spec.lua - integers of Lua beside arrays of uint64: in every function
they are the integers of the same 64 bits, as in arrays. The functions are
found, so a new one is tried as well.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"

local TOP <const> = -1  -- 2^64 - 1
local NUMBERS = { -1, -2, math.mininteger, math.maxinteger, 0, 5 }

-- Functions that take a number as a count, a place, an axis, an exponent or a
-- seed, and an array as something else.
local NO_OPERANDS = {}
for name in ([[ldexp take take_along_axis put roll repeat_each tile split topk
               array_split percentile quantile]]):gmatch "%g+" do
  NO_OPERANDS[name] = true
end

local function elements ()
  return tide.array({ 1, 5, math.maxinteger, math.mininteger, -2, TOP },
                    "uint64")
end

local function is_same (x, y)
  if type(x) ~= "userdata" or type(y) ~= "userdata" then
    return x == y
  end
  return x.dtype == y.dtype and
         tide.array_equal(x, y, { equal_nan = true })
end

local N <const> = {}  -- stands for the number among arguments

--- differs(fn, number, ...) -> whether it makes a difference that the number is
-- one, and no array of uint64; and whether fn takes both.
local function differs (fn, number, ...)
  local with_number, with_array = table.pack(...), table.pack(...)
  for i = 1, with_number.n do
    if with_number[i] == N then
      with_number[i], with_array[i] = number, tide.array(number, "uint64")
    end
  end
  local ok, x = pcall(fn, table.unpack(with_number, 1, with_number.n))
  local fine, y = pcall(fn, table.unpack(with_array, 1, with_array.n))
  return ok and fine and not is_same(x, y), ok and fine
end

helper.each_device(function ()

describe("an integer beside uint64", function ()
  it("has the same 64 bits in every function", function ()
    local tried, wrong = 0, {}
    for _, export in ipairs(exports.list(tide)) do
      local name = export.name:match "^tide%.([%l_%d]+)$"
      local fn = name and not NO_OPERANDS[name] and tide[name]
      if type(fn) == "function" and pcall(fn, elements(), elements()) then
        for _, number in ipairs(NUMBERS) do
          for _, list in ipairs{ { elements(), N }, { N, elements() } } do
            local bad, both = differs(fn, number, table.unpack(list))
            tried = tried + (both and 1 or 0)
            if bad then
              wrong[#wrong + 1] = name .. " " .. number
            end
          end
        end
      end
    end
    assert.same({}, wrong)
    assert.is_true(tried > 300, tostring(tried))
  end)

  it("has them in tables", function ()
    local u = elements()
    for _, name in ipairs{ "isclose", "isin", "searchsorted", "allclose",
                           "array_equal" } do
      local list = { 5, -2, 7, 1, math.mininteger, TOP }
      assert.is_true(is_same(tide[name](u, tide.array(list, "uint64")),
                             tide[name](u, list)), name)
    end
  end)

  it("may be negative among edges", function ()
    assert.same({ 1, 2 }, elements():digitize{ -2, 5 }:unique():totable())
  end)

  it("has them in fused functions", function ()
    local u = elements()
    for _, name in ipairs{ "add", "div", "atan2", "hypot", "copysign", "lt",
                           "logaddexp", "nextafter", "heaviside", "isclose",
                           "maximum", "floordiv", "mod", "pow" } do
      for _, number in ipairs{ TOP, math.mininteger, 5 } do
        for _, fn in ipairs{ function (x) return tide[name](x, number) end,
                             function (x) return tide[name](number, x) end } do
          assert.is_true(is_same(fn(u), tide.fuse(fn)(u)), name)
        end
        local late = tide.fuse(function (x, n) return tide[name](x, n) end)
        assert.is_true(is_same(tide[name](u, number), late(u, number)), name)
      end
    end
  end)

  it("is negative as a float", function ()
    assert.same({ -1.0, -5.0 }, (elements() / -1.0):slice(1, 2):totable())
    assert.same({ 0.5, 2.5 }, tide.ldexp(elements(), -1):slice(1, 2):totable())
  end)

  it("begins and ends what counts", function ()
    local top = math.maxinteger
    assert.same({ top - 1, top, math.mininteger, math.mininteger + 1 },
                tide.arange(top - 1, math.mininteger + 2, 1, "uint64")
                  :totable())
    assert.same({ math.mininteger, top },
                tide.arange(math.mininteger, top - 1, -1, "uint64"):totable())
    assert.same({ -4, -3, -2 }, tide.arange(-4, -1, 1, "uint64"):totable())
    assert.same({ 2, 1, 0 }, tide.arange(2, -1, -1, "uint64"):totable())
    assert.equal(0, tide.arange(-1, 5, 1, "uint64").size)
    assert.same({ 0, math.mininteger, TOP },
                tide.linspace(0, TOP, 3, "uint64"):totable())
  end)
end)

describe("arange of small integers", function ()
  it("has room for both ends", function ()
    helper.badarg(2, "number is out of range for uint8: 257", tide.arange, 254,
                  258, 1, "uint8")
    helper.badarg(1, "number is out of range for uint8: 300", tide.arange, 300,
                  302, 1, "uint8")
    helper.badarg(2, "number is out of range for uint8: -1", tide.arange, 1,
                  -2, -1, "uint8")
    helper.badarg(2, "has no integer representation", tide.arange,
                  math.maxinteger - 5, 0x1.8p63, 1 << 61, "int64")
    assert.same({ 254, 255 }, tide.arange(254, 256, 1, "uint8"):totable())
    assert.same({ -127, -128 }, tide.arange(-127, -129, -1, "int8"):totable())
  end)
end)

describe("int64 with uint64", function ()
  local MIN, MAX = math.mininteger, math.maxinteger
  local SIGNED = { MIN, MIN + 1, -(1 << 53) - 1, -2, -1, 0, 1, 2,
                   (1 << 53) + 1, 1 << 62, MAX - 1, MAX }
  local UNSIGNED = { 0, 1, 2, 1 << 53, (1 << 53) + 1, (1 << 53) + 2, 1 << 62,
                     MAX - 1, MAX, MIN, MIN + 1, -2, -1 }  -- by their bits
  local OPS = {
    lt = function (c) return c < 0 end, le = function (c) return c <= 0 end,
    gt = function (c) return c > 0 end, ge = function (c) return c >= 0 end,
    eq = function (c) return c == 0 end, ne = function (c) return c ~= 0 end,
  }
  local xs, ys, orders = {}, {}, {}  -- of each with each
  for _, a in ipairs(SIGNED) do
    for _, b in ipairs(UNSIGNED) do
      local less = a < 0 or math.ult(a, b)
      xs[#xs + 1], ys[#ys + 1] = a, b
      orders[#orders + 1] = less and -1 or a == b and 0 or 1
    end
  end

  --- Checks what an operation gives of all pairs, or of them turned.
  local function check (name, z, turned)
    local got = z:flatten():totable()
    assert.equal("bool", z.dtype)
    assert.equal(#orders, #got)
    for i, c in ipairs(orders) do
      assert(OPS[name](turned and -c or c) == got[i],
             ("%s: %d, 0x%x"):format(name, xs[i], ys[i]))
    end
  end

  for name in pairs(OPS) do
    it("compares exactly (#088): " .. name, function ()
      local op = tide[name]
      local x, y = tide.array(xs, "int64"), tide.array(ys, "uint64")
      check(name, op(x, y))
      check(name, op(y, x), true)
      check(name, op(x, y, { out = tide.empty(#xs, "bool") }))
      local column = tide.array(SIGNED, "int64"):reshape{ #SIGNED, 1 }
      local row = tide.array(UNSIGNED, "uint64")
      check(name, op(column, row))
      check(name, op(row, column), true)
      check(name, op(x:flip(1), y:flip(1)):flip(1))
      local wide = tide.zeros({ #xs, 2 }, "uint64")
      wide:select(2, 2):copy_from(y)
      check(name, op(x, wide:select(2, 2)))
      local f = tide.fuse(function (a, b) return op(a, b) end)
      local ok, z = pcall(f, x, y)
      if ok then
        check(name, z)
        check(name, f(y, x), true)
      else  -- on a GPU without the compiler
        assert(z:find("NVRTC", 1, true), z)
      end
    end)
  end

  it("compares arrays of one element, of none, and smaller ones", function ()
    local big = tide.array({ MIN }, "uint64")   -- 2^63
    local x = tide.array({ MAX }, "int64")
    assert.is_true(x:squeeze():lt(big:squeeze()):item())
    assert.is_false(x:squeeze():eq(big):item())
    assert.equal(0, tide.zeros(0, "int64"):eq(tide.zeros(0, "uint64")).size)
    local z = tide.array({ -1, 5 }, "uint64")
    for _, dtype in ipairs{ "int8", "int16", "int32" } do
      local y = tide.array({ -1, 5 }, dtype)
      assert.same({ false, true }, y:eq(z):totable())
      assert.same({ true, false }, y:lt(z):totable())
      assert.same({ true, false }, z:gt(y):totable())
    end
  end)

  it("makes float64 of all else", function ()
    local x, y = tide.ones(2, "int64"), tide.ones(2, "uint64")
    assert.equal("float64", (x + y).dtype)
    assert.equal("float64", x:maximum(y).dtype)
    assert.is_true(tide.array({ 3 }, "uint64"):lt(3.5):item())
    helper.fails("is not defined for", function () return x & y end)
  end)
end)

end)
