--[[
Comparisons of int64 with uint64 went by float64, in which 2^63 - 1 and 2^63 are
one number: they were equal, and neither was less.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local MIN, MAX = math.mininteger, math.maxinteger

-- Those of uint64 by their bits: from 2^63 on they are negative here.
local SIGNED = { MIN, MIN + 1, -(1 << 53) - 1, -2, -1, 0, 1, 2, (1 << 53) + 1,
                 1 << 62, MAX - 1, MAX }
local UNSIGNED = { 0, 1, 2, 1 << 53, (1 << 53) + 1, (1 << 53) + 2, 1 << 62,
                   MAX - 1, MAX, MIN, MIN + 1, -2, -1 }

-- x of int64, y of uint64: -1, 0 or 1.
local function order (x, y)
  return (x < 0 or math.ult(x, y)) and -1 or x == y and 0 or 1
end

local OPS = {
  lt = function (c) return c < 0 end, le = function (c) return c <= 0 end,
  gt = function (c) return c > 0 end, ge = function (c) return c >= 0 end,
  eq = function (c) return c == 0 end, ne = function (c) return c ~= 0 end,
}

--- Each of SIGNED with each of UNSIGNED, as two lists.
local function pairs_of_all ()
  local x, y = {}, {}
  for _, a in ipairs(SIGNED) do
    for _, b in ipairs(UNSIGNED) do
      x[#x + 1], y[#y + 1] = a, b
    end
  end
  return x, y
end

--- Is z what the operation gives of all pairs, or of them turned?
local function check (name, z, turned)
  local got = z:flatten():totable()
  local x, y = pairs_of_all()
  assert.equal("bool", z.dtype)
  assert.equal(#x, #got)
  for i, result in ipairs(got) do
    local c = order(x[i], y[i])
    assert(OPS[name](turned and -c or c) == result,
           ("%s%s: %d, 0x%x"):format(turned and "turned " or "", name, x[i],
                                     y[i]))
  end
end

helper.each_device(function ()

describe("int64 with uint64 compares", function ()
  for name in pairs(OPS) do
    it("exactly: " .. name, function ()
      local xs, ys = pairs_of_all()
      local x, y = tide.array(xs, "int64"), tide.array(ys, "uint64")
      check(name, x[name](x, y))
      check(name, y[name](y, x), true)
      check(name, tide[name](x, y, { out = tide.empty(#xs, "bool") }))
      -- broadcast, and so not dense
      local column = tide.array(SIGNED, "int64"):reshape{ #SIGNED, 1 }
      local row = tide.array(UNSIGNED, "uint64")
      check(name, column[name](column, row))
      check(name, row[name](row, column), true)
      -- views that go backwards, and every second one
      local back = x:flip(1)
      check(name, back[name](back, y:flip(1)):flip(1))
      local wide = tide.zeros({ #xs, 2 }, "uint64")
      wide:select(2, 2):copy_from(y)
      check(name, x[name](x, wide:select(2, 2)))
    end)

    it("exactly in fused functions: " .. name, function ()
      local xs, ys = pairs_of_all()
      local x, y = tide.array(xs, "int64"), tide.array(ys, "uint64")
      local f = tide.fuse(function (a, b) return a[name](a, b) end)
      local ok, z = pcall(f, x, y)
      if not ok then  -- on a GPU without the compiler
        assert(z:find("NVRTC", 1, true), z)
        return
      end
      check(name, z)
      check(name, f(y, x), true)
    end)
  end

  it("arrays of one element, of none, and of other signed integers", function ()
    local big = tide.array({ MIN }, "uint64")   -- 2^63
    local x = tide.array({ MAX }, "int64")
    assert.is_true(x:squeeze():lt(big:squeeze()):item())
    assert.is_false(x:squeeze():eq(big):item())
    assert.equal(0, tide.zeros(0, "int64"):eq(tide.zeros(0, "uint64")).size)
    for _, dtype in ipairs{ "int8", "int16", "int32" } do
      local y = tide.array({ -1, 5 }, dtype)
      local z = tide.array({ -1, 5 }, "uint64")
      assert.same({ false, true }, y:eq(z):totable())
      assert.same({ true, false }, y:lt(z):totable())
      assert.same({ true, false }, z:gt(y):totable())
    end
  end)

  it("and nothing else about them changes", function ()
    local x, y = tide.ones(2, "int64"), tide.ones(2, "uint64")
    assert.equal("float64", (x + y).dtype)
    assert.equal("float64", x:maximum(y).dtype)
    assert.is_true(tide.array({ -1 }, "uint64"):gt(1):item())
    assert.is_true(tide.array({ 3 }, "uint64"):lt(3.5):item())
    helper.fails("is not defined for", function ()
      return tide.array({ 1 }, "int64") & y
    end)
  end)
end)

end)
