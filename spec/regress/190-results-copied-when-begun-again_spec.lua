--[[
A kernel of a user's whose results overlap its operands writes to memory
of its own, which is copied to the results. The copies were operations like any
others: where the call began again at the second one, the first had changed what
the kernel read then.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function (kind)
local function usable ()
  return (pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)))
end
if not usable() then
  pending("kernels of text need NVRTC on " .. kind)
  return
end

local function swapped (name, swap)
  it("are whole, " .. name, function ()
    for n = 1, 6 do
      local base = tide.arange(3000)
      local x, y = base[{ { 1, 1000 } }], base[{ { 1001, 2000 } }]
      local z, w = base[{ { 3, 1002 } }], base[{ { 1005, 2004 } }]
      local first, second = x:copy(), y:copy()
      T.again(n)
      local ok, why = pcall(swap, x, y, { out = { z, w } })
      T.again(tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0))
      assert(ok, why)
      assert.is_true(z:eq(second):all():item(), n)
      assert.is_true(w:eq(first):all():item(), n)
    end
  end)
end

describe("results that overlap operands", function ()
  swapped("ElementwiseKernel", tide.ElementwiseKernel(
          "T x, T y", "T z, T w", "z = y; w = x;", "swap"))
  swapped("fuse", tide.fuse(function (x, y) return y, x end))
end)
end)
