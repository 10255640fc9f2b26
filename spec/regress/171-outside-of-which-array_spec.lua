--[[
A kernel of a user that read or wrote outside of a raw array on the host device
failed without saying of which one, and where.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

local Kernel = tide.ElementwiseKernel

helper.each_device(function ()

describe("the error of a kernel that goes outside of an array", function ()
  helper.host_it("names array, index and line", function ()
    local dev = tide.get_device()
    local function outside (text, body, size, ...)
      local k = Kernel("raw T x", "raw T y, T z", body, "k")
      local y = tide.zeros(2)
      k(tide.ones(3), y, tide.zeros(size or 1), ...)
      local err = fails(text, dev.synchronize, dev)
      assert.matches("^%S-:%d+: k: line ", err)
      assert.equal(3, tide.ones(3):sum():item())
      dev:synchronize()
    end
    outside("line 1 of kernel 'k' reads x[3], and x has 3 elements", "z = x[3]")
    outside("line 2 of kernel 'k' reads x[-1], and x has 3 elements",
            "if (i == 2)\n  z = 2 * x[i - 3];", 3)
    outside("line 3 of kernel 'k' writes y[2], and y has 2 elements",
            "\n\ny[\n2] = x[0]")
    outside("line 1 of kernel 'k' writes y[-1], and y has 2 elements",
            "for (int j = 1; ; j -= 2) y[j] = 3")
    outside("line 2 of kernel 'k' reads y[1000]", "z = x[0];\ny[1000]++")
    outside("line 1 of kernel 'k' reads x[1234567890123]",
            "y[0] = x[x[1] > 0 && x[2] > 0 ? 1234567890123LL : 0]")
    outside("line 1 of kernel 'k' reads x[600], and x has 3 elements",
            "z = x[i < 600 ? 0 : i]", 2000)
    local name = ("n"):rep(31)
    local many = Kernel("raw T " .. name .. ", raw T b", "T z",
                        "z = b[0] + " .. name .. "[9]", ("k"):rep(100))
    many(tide.ones(1), tide.ones(2), { size = 1 })
    fails(("line 1 of kernel '%s' reads %s[9], and %s has 1 element")
          :format(("k"):rep(63), name, name), dev.synchronize, dev)
  end)

  helper.host_it("of a graph as well", function ()
    local dev = tide.get_device()
    local k = Kernel("raw T x, int64 at", "T z", "z = x[at]", "at")
    local x, at = tide.ones(3), tide.array({ 1 }, "int64")
    local g = tide.capture(function () return k(x, at) end)
    g:launch()
    dev:synchronize()
    for _ = 1, 2 do
      at:copy_from{ 3 }
      g:launch()
      fails("line 1 of kernel 'at' reads x[3], and x has 3 elements",
            dev.synchronize, dev)
      at:copy_from{ 2 }
      g:launch()
      dev:synchronize()
    end
  end)

  helper.host_it("of a reduction as well", function ()
    local dev = tide.get_device()
    local k = tide.ReductionKernel{
      params = "T x, raw T y", out = "T z", map = "x +\ny[int(x)]",
      reduce = "a + b", name = "k"
    }
    assert.equal(8, k(tide.array{ 0, 2 }, tide.full(3, 3)):item())
    for at, text in pairs{ [3] = "y[3]", [-2] = "y[-2]" } do
      k(tide.array{ 0, at, 2 }, tide.full(3, 3))
      fails("line 2 of kernel 'k' reads " .. text .. ", and y has 3 elements",
            dev.synchronize, dev)
      dev:synchronize()
    end
  end)

  helper.host_it("goes along to who waits for the result, once", function ()
    local s, t = helper.new_stream(), helper.new_stream()
    local k = Kernel("raw T x", "T z", "z = x[i + 1]", "k")
    local z = s:with(function () return k(tide.ones(3), { size = 3 }) end)
    t:launch_host_func(function () end)
    t:synchronize()
    fails("reads x[3]", function () return (z + 1):totable() end)
    s:synchronize()
    z = k(tide.ones(4), { size = 3 })
    assert.same({ 1, 1, 1 }, z:totable())
  end)

  helper.host_it("ends the device with TIDE_HOST_FAULTS=sticky #process",
                 function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local dev = tide.get_device()
      local k = tide.ElementwiseKernel("raw T x", "T z", "z = x[3]", "k")
      k(tide.ones(3), { size = 1 })
      local _, err = pcall(dev.synchronize, dev)
      assert(err:find("an illegal memory access was encountered: line 1 of " ..
                      "kernel 'k' reads x[3], and x has 3 elements", 1, true))
      assert(err:find("\n  k on stream null", 1, true))
      assert(tide.errorinfo(err).code == 700)
      assert(not pcall(tide.ones, 3))
      dev:reset()
      print(tide.ones(3):sum():item())
    ]], { TIDE_HOST_FAULTS = "sticky" })
    assert.equal("3.0\n", printed)
  end)
end)

end)
