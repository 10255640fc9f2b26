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
    helper.blames(2, "number is out of range for uint8: 257", tide.arange, 254,
                  258, 1, "uint8")
    helper.blames(1, "number is out of range for uint8: 300", tide.arange, 300,
                  302, 1, "uint8")
    helper.blames(2, "number is out of range for uint8: -1", tide.arange, 1,
                  -2, -1, "uint8")
    helper.blames(2, "has no integer representation", tide.arange,
                  math.maxinteger - 5, 0x1.8p63, 1 << 61, "int64")
    assert.same({ 254, 255 }, tide.arange(254, 256, 1, "uint8"):totable())
    assert.same({ -127, -128 }, tide.arange(-127, -129, -1, "int8"):totable())
  end)
end)

end)
