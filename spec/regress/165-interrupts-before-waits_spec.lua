--[[
Ctrl-C before a coroutine waited was never seen: lua.c sets its hook on the main
thread, and the wait took it for what had been there. And any error of a host
function that ended with "interrupted!" was taken for Ctrl-C.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function (kind)

describe("Ctrl-C", function ()
  it("just before a wait in a coroutine ends that #process", function ()
    local printed, ok, status = helper.child([[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      local function tick ()
        s:launch_host_func(tick)
      end
      local co = coroutine.wrap(function ()
        io.popen("kill -INT $PPID"):close()
        tick()
        tide.Stream.null:synchronize()
        while true do
          s:synchronize()
        end
      end)
      co()
    ]], { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.equal(1, status)
    assert.is_truthy(printed:find("interrupted!", 1, true), printed)
  end)

  it("is not what an error says", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    s:launch_host_func(function () error("download interrupted!", 0) end)
    fails("download interrupted!", s.synchronize, s)
    s:synchronize()
  end)
end)

end)
