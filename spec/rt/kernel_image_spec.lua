--[[
kernel_image_spec.lua - the built-in kernels of a device: one image, which is
loaded when the device is opened.
]]
local helper = require "spec.support.helper"
local apart = require "spec.support.apart"

helper.each_device(function (kind)

describe("the image of built-in kernels", function ()
  it("is loaded once, so that no later call waits for that", function ()
    apart(kind, function (tide, T, dev)
      dev:reset()
      local before = T.calls "cuModuleLoadData"
      local x = tide.array{ 1.0, 4.0, 9.0 }
      assert(T.calls "cuModuleLoadData" == before + 1)
      assert((x:sqrt() + x:floor():sum())[3] == 17)
      assert(T.calls "cuModuleLoadData" == before + 1)
    end)
  end)

  it("that cannot be loaded is loaded by the next call", function ()
    apart(kind, function (tide, T, dev, fails)
      dev:reset()
      T.failcall(1, 2, "cuModuleLoadData")
      fails("cuModuleLoadData", tide.ones, 3)
      T.failcall(1, 222, "cuModuleLoadData")
      fails("tide was built without kernels for this GPU", tide.ones, 3)
      T.failcall(0)
      assert(tide.ones(3)[3] == 1)
    end)
  end)
end)

end)
