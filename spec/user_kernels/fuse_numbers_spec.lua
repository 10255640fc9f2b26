--[[
fuse_numbers_spec.lua - numbers beside the arrays of a fused function: the same
as in the operations one by one, for every dtype and default dtype.
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

--- Checks that a fused function raised, or returned, what its operations do.
local function same (expected, got, what)
  assert.equal(expected[1], got[1], what .. tostring(got[2]))
  for i = 2, expected[1] and expected.n or 0 do
    assert.equal(expected[i].dtype, got[i].dtype, what)
    assert.equal(expected[i]:tobytes(), got[i]:tobytes(), what)
  end
end

helper.each_device(function (kind)
if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("tide.fuse needs NVRTC on " .. kind)
  return
end

describe("a number beside the fused comparison's dtype", function ()
  for dtype, border in pairs(BORDERS) do
    for _, turned in ipairs{ false, true } do
      --- All comparisons of x with n, or of n with x.
      local function compare (x, n)
        local found = {}
        x = HALVES[dtype] and x:astype(dtype) or x
        for i, name in ipairs(COMPARISONS) do
          found[i] = turned and tide[name](n, x) or x[name](x, n)
        end
        return table.unpack(found)
      end

      local how = dtype .. (turned and ", turned" or "")
      it("compares exactly (#211): " .. how, function ()
        local low, high = table.unpack(border)
        local x = tide.array(dtype == "bool" and { false, true } or
                             { low, low + 1, 0, 1, high - 1, high },
                             HALVES[dtype] and "float32" or dtype)
        local late = tide.fuse(compare)
        for i, n in ipairs(NUMBERS) do
          local expected = table.pack(pcall(compare, x, n))
          local what = dtype .. " with " .. tostring(n) .. ": "
          if kind == "host" or i % 30 == 3 then  -- a kernel for each number
            local now = tide.fuse(function (a) return compare(a, n) end)
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

describe("numbers in a fused function", function ()
  after_each(function () tide.set_default_dtype "float64" end)

  --- One fused function of x and n, for some dtypes and default dtypes: each
  -- pair is a kernel, which takes its time on a GPU.
  local function check (fn, n, list, dtypes, defaults)
    local f = tide.fuse(fn)
    n = debug.getinfo(fn, "u").nparams > 1 and n or nil
    for default in defaults:gmatch "%S+" do
      tide.set_default_dtype(default)
      for dtype in dtypes:gmatch "%S+" do
        local x = tide.array(list, "int64"):astype(dtype)
        same(table.pack(pcall(fn, x, n)), table.pack(pcall(f, x, n)),
             default .. ", " .. dtype .. ": ")
      end
    end
  end

  for i, fn in ipairs{
    function (x) return x + 0.1, x * 1e300 end,
    function (x, n) return x + n, x - n * 0.1 end,
    function (x) return x:clip(0.1, 0.7), x:gt(0.1) end,
    function (x) return tide.where(x, 0.1, 7), tide.where(x, 0.1, 0.7) end,
    function (x) return tide.where(x, 7, x), tide.where(x, x, 0.1) end,
    function (x) return x:atan2(-1.0), x // -1.0 end,
  } do
    it("follow the default dtype of the call (#212), number " .. i, function ()
      check(fn, 0.3, { 0, 1, 0, 65535 }, "bool uint16 int32 float32 float64",
            "float64 float32 float16")
    end)
  end

  for i, fn in ipairs{
    function (x) return x:clip(-129, 255.0) end,
    function (x) return x:clip(0.5, 100) end,
    function (x) return x:clip(1e300, -1) end,
    function (x) return x:clip(2, 1), x:clip(nil, 0.5), x:clip(true, 3) end,
    function (x, n) return x:clip(n, 2.5) end,
    function (x) return x:clip() end,
    function (x) return x:clip(300, 400) end,
    function (x) return x:conj(), x:real(), x:imag(), x:imag() + x end,
  } do
    it("are bounds by both of which clip promotes (#213), number " .. i,
       function ()
      check(fn, -300, { 0, 1, 2, 100 },
            "bool int8 int32 int64 uint8 uint64 float32 float64", "float64")
    end)
  end
end)

end)
