--[[
A stream that waited at a host function of another device's stream stood there
for ever, by tide's account, when the function had run: what wants nobody to
stand, as a capture does, never returned.
]]
local helper = require "spec.support.helper"

it("a stream goes on behind another device's function #process", function ()
  helper.child_on("host", [[
    local tide = require "tide"
    local one, two = tide.Device "host:0", tide.Device "host:1"
    local function new (dev)
      return tide.with_device(dev, function ()
        return tide.Stream{ non_blocking = true }
      end)
    end
    for _ = 1, 20 do
      local t, u, ran = new(one), new(two), false
      t:launch_host_func(function () ran = true end)
      u:wait_event(t:record())
      u:synchronize()
      assert(ran)
      tide.with_device(two, function () tide.capture(function () end) end)
    end
    two:reset()
  ]], { TIDE_HOST_DEVICES = "2" })
end)
