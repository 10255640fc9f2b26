--[[
A kernel of one's own kept what it had made for each combination of dtypes, and
looked through all of them in each call. Now it keeps those used last.
]]
local tide = require "tide"
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"

local DTYPES = { "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
                 "uint64", "float32", "float64", "bool" }

helper.each_device(function (kind)
if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("generated kernels need NVRTC on " .. kind)
  return
end

-- On CUDA each combination is compiled.
local NARROW = kind == "cuda" and 7 or #DTYPES

local function each_pair (fn)
  for i = 1, NARROW do
    for k = 1, NARROW do
      fn(DTYPES[i], DTYPES[k])
    end
  end
end

local function kilobytes ()
  collectgarbage()
  collectgarbage()
  return collectgarbage "count"
end

local function stays_small (call)
  local twice = 2 * NARROW * NARROW
  local before, n = kilobytes(), 0
  for _ = 1, 2 do
    each_pair(function (s, t)
      n = n + call(tide.ones(3, s), tide.ones(3, t))
    end)
  end
  assert.equal(twice, n)
  local grown = kilobytes() - before
  assert(grown < 800, grown)
end

describe("a kernel that meets many combinations of dtypes", function ()
  it("keeps some: a fused function", function ()
    local f = tide.fuse(function (x, y) return x:mul(y) end)
    stays_small(function (x, y) return f(x, y):astype("float64")[3] // 1 end)
    assert.same({ 2, 4 }, f(tide.array{ 1, 2 }, tide.array{ 2, 2 }):totable())
  end)

  it("keeps some: an ElementwiseKernel", function ()
    local k = tide.ElementwiseKernel("T x, U y", "int64 z", "z = x * y", "k")
    stays_small(function (x, y) return k(x, y)[3] end)
  end)

  it("keeps some: a ReductionKernel", function ()
    local k = tide.ReductionKernel("T x, U y", "int64 z", "x * y", "a + b", nil,
                                   0)
    stays_small(function (x, y) return k(x, y):item() // 3 end)
  end)

  it("keeps the one that runs while others take its place", function ()
    local f = tide.fuse(function (x, y)
      return x + y, x - y, x * y, x + 1, x + 2, x + 3
    end)
    local x, y = tide.ones(3, "int16"), tide.ones(3, "int32")
    local finalized = 0
    local function finalize ()
      each_pair(function (t, u)
        if t ~= "bool" and u ~= "bool" then
          f(tide.ones(3, t), tide.ones(3, u))
        end
      end)
      finalized = finalized + 1
    end
    collector.incremental(100, 400)
    for _ = 1, 40 do
      setmetatable({}, { __gc = finalize })
      for _ = 1, 20 do
        local a, _, _, _, _, b = f(x, y)
        assert(a[3] == 2 and b[3] == 4)
      end
    end
    collector.restore()
    assert(finalized > 2, finalized)
  end)
end)

end)
