--[[
kernel_units_spec.lua - the built-in kernels of an operation are loaded when one
of them is first used.
]]
local helper = require "spec.support.helper"
local apart = require "spec.support.apart"

helper.each_device(function (kind)

describe("built-in kernels", function ()
  it("are loaded by their first use, once", function ()
    apart(kind, function (tide, T, dev)
      dev:reset()
      local function loads (fn, ...)
        local before = T.calls "cuModuleLoadData"
        fn(...)
        return T.calls "cuModuleLoadData" - before
      end
      local x = tide.array{ 1.0, 2.0, 3.0 }
      local function add () return x + x end
      local function add_number () return x + 1 end
      assert(loads(add) == 1)
      assert(loads(add_number) == 0)  -- another kernel, of the same operation
      assert(loads(add) == 0)
      assert(loads(function () return x:sqrt() end) == 1)
      dev:reset()
      x = tide.array{ 1.0, 2.0, 3.0 }
      assert(loads(add) == 1)
    end)
  end)

  it("that cannot be loaded are tried again by the next call", function ()
    apart(kind, function (tide, T, dev, fails)
      dev:reset()
      local x = tide.array{ 1.0, 4.0, 9.0 }
      T.failcall(1, 2, "cuModuleLoadData")
      fails("cuModuleLoadData", x.sqrt, x)
      T.failcall(0)
      assert(x:sqrt()[3] == 3)
      T.failcall(1, 209, "cuModuleLoadData")
      fails("tide was built without kernels for this GPU", x.floor, x)
      T.failcall(0)
      assert(x:floor()[3] == 9)
    end)
  end)

  it("can be loaded while their stream captures", function ()
    apart(kind, function (tide, T, dev)
      for _, mode in ipairs{ "global", "thread_local", "relaxed" } do
        dev:reset()
        local x, y = tide.array{ 1.0, 4.0, 9.0 }
        local s = tide.Stream{ non_blocking = true }
        local before = T.calls "cuModuleLoadData"
        s:with(function ()
          s:begin_capture(mode)
          y = x:sqrt()
          local g <close> = s:end_capture()
          g:launch()
        end)
        assert(T.calls "cuModuleLoadData" == before + 1)
        assert(y[3] == 3, mode)
        s:close()
      end
    end)
  end)
end)

end)
