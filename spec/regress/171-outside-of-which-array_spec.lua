--[[
A kernel of a user that read or wrote outside of a raw array on the host device
failed without saying of which one, and where.
]]
local tide = require "tide"
local helper = require "spec.helper"
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
      local err = fails("an illegal memory access was encountered: " .. text,
                        dev.synchronize, dev)
      assert.is_truthy(err:find("\n  k on stream null", 1, true), err)
      assert.equal(700, tide.errorinfo(err).code)
      fails(text, tide.ones, 3)
      dev:reset()
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
    fails(("line 1 of kernel '%s' reads %s[9], and %s has 1 element\n")
          :format(("k"):rep(63), name, name), dev.synchronize, dev)
    dev:reset()
  end)

  helper.host_it("of a graph as well", function ()
    local dev = tide.get_device()
    local k = Kernel("raw T x, int64 at", "T z", "z = x[at]", "at")
    local x, at = tide.ones(3), tide.array({ 1 }, "int64")
    local g = tide.capture(function () return k(x, at) end)
    g:launch()
    dev:synchronize()
    at:copy_from{ 3 }
    g:launch()
    fails("line 1 of kernel 'at' reads x[3], and x has 3 elements",
          dev.synchronize, dev)
    dev:reset()
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
      dev:reset()
    end
  end)
end)

end)
