--[[
Comparing integers with a number that their dtype does not have is exact: all
of uint8 is greater than -1. In a fused function it was an error, and a number
made of an argument there, as in x:lt(n + 1), was cut to the dtype.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local COMPARISONS = { "lt", "le", "gt", "ge", "eq", "ne" }

-- These are no arguments of a fused function: float32 becomes them in it.
local HALVES = { float16 = true, bfloat16 = true }

-- dtype -> its least and greatest integer
local BORDERS = {
  bool = { 0, 1 },
  int8 = { -128, 127 }, int16 = { -32768, 32767 },
  int32 = { -2^31 | 0, (1 << 31) - 1 },
  int64 = { math.mininteger, math.maxinteger },
  uint8 = { 0, 255 }, uint16 = { 0, 65535 }, uint32 = { 0, (1 << 32) - 1 },
  uint64 = { 0, -1 },
  float16 = { -65504, 65504 }, bfloat16 = { -1024, 1024 },
  float32 = { -2^24 | 0, 2^24 | 0 }, float64 = { -2^53 | 0, 2^53 | 0 },
}

local NUMBERS = { 0, 1, -1, 0.5, -0.5, 254.5, 1e300, -1e300, 1 / 0, -1 / 0,
                  0 / 0, true, false }
for _, border in pairs(BORDERS) do
  for _, at in ipairs(border) do
    for d = -1, 1 do NUMBERS[#NUMBERS + 1] = at + d end
    NUMBERS[#NUMBERS + 1] = at + 0.0
  end
end

local function elements (dtype)
  local low, high = table.unpack(BORDERS[dtype])
  return tide.array(dtype == "bool" and { false, true } or
                    { low, low + 1, 0, 1, high - 1, high },
                    HALVES[dtype] and "float32" or dtype)
end

local function comparing (fn, dtype)
  return not HALVES[dtype] and fn or
         function (x, n) return fn(x:astype(dtype), n) end
end

--- All comparisons of x with n, and of n with x.
local function compare (x, n)
  local found = {}
  for _, name in ipairs(COMPARISONS) do
    found[#found + 1] = x[name](x, n)
  end
  return table.unpack(found)
end

local function compare_turned (x, n)
  local found = {}
  for _, name in ipairs(COMPARISONS) do
    found[#found + 1] = tide[name](n, x)
  end
  return table.unpack(found)
end

helper.each_device(function (kind)
if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("tide.fuse needs NVRTC on " .. kind)
  return
end

--- Are these the same: a list of what was found, or no results at all?
local function same (expected, got, what)
  assert.equal(expected[1], got[1], what .. tostring(got[2]))
  for i = 2, expected[1] and expected.n or 0 do
    assert.equal(expected[i].dtype, got[i].dtype, what)
    assert.same(expected[i]:totable(), got[i]:totable(), what)
  end
end

describe("a number beside the fused comparison's dtype", function ()
  for dtype in pairs(BORDERS) do
    for turned, plain in pairs{ [""] = compare,
                                [", turned"] = compare_turned } do
      local fn = comparing(plain, dtype)

      it("compares with " .. dtype .. turned, function ()
        local x = elements(dtype)
        local late = tide.fuse(fn)
        for i, n in ipairs(NUMBERS) do
          local expected = table.pack(pcall(fn, x, n))
          local what = dtype .. " with " .. tostring(n) .. ": "
          if kind == "host" or i % 30 == 3 then  -- a kernel for each number
            local now = tide.fuse(function (a) return fn(a, n) end)
            same(expected, table.pack(pcall(now, x)), what)
          end
          same(expected, table.pack(pcall(late, x, n)), what .. "late: ")
        end
      end)
    end
  end

  it("may be made of arguments", function ()
    local x = tide.array({ 0, 44, 45, 255 }, "uint8")
    local f = tide.fuse(function (a, n) return a:lt(n + 1), a:ne(-n) end)
    local less, other = f(x, 300)
    assert.same({ true, true, true, true }, less:totable())
    assert.same({ true, true, true, true }, other:totable())
  end)

  it("leaves an array of truth, which goes on as one", function ()
    local function fn (x)
      local all = x:lt(300)
      return all & x:gt(-1), ~all, all:astype "float32" + 1,
             tide.where(all, x, 0), tide.where(all, 1, 2) + x, all:sum()
    end
    local x = tide.array({ 0, 5, 255 }, "uint8")
    same(table.pack(true, fn(x)), table.pack(true, tide.fuse(fn)(x)), "")
  end)
end)

end)
