--[[
A function that was traced resumed a coroutine that called tide.poll; what the
library then held for the Lua that runs was that coroutine, which was collected:
the next error was raised there.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a coroutine that has called tide and is gone", function ()
  it("is of no importance to the call around it", function ()
    local a = tide.arange(1000)
    for _ = 1, 20 do
      local f = tide.fuse(function (x)
        coroutine.wrap(function ()
          tide.poll()
          tide.ones(3)
          coroutine.yield()
        end)()
        collectgarbage()
        collectgarbage()
        return x + 1
      end)
      local s <close> = tide.Stream{ non_blocking = true }
      s:launch_host_func(function () collectgarbage() end)
      assert.equal(500500, s:with(function ()
        return f(a):sum():item()
      end))
      helper.fails("bad argument", tide.ones, -1)
    end
  end)

  it("is of no importance to an error of the traced function", function ()
    local a = tide.arange(10)
    for _ = 1, 20 do
      local f = tide.fuse(function ()
        coroutine.wrap(function () tide.poll() end)()
        collectgarbage()
        error "raised"
      end)
      helper.fails("raised", f, a)
      assert.equal(45, a:sum():item())
    end
  end)

  it("is of no importance to a host function", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    for _ = 1, 20 do
      s:launch_host_func(function ()
        coroutine.wrap(function () tide.poll() coroutine.yield() end)()
        collectgarbage()
        error "raised"
      end)
      helper.fails("raised", s.synchronize, s)
    end
  end)
end)

end)
