--[[
060: to free page-locked memory waits for all devices; gates were counted for
its own alone. So tide.trim() stood for ever while a host function of another
device was due, which the same thread was to run.
]]
local helper = require "spec.support.helper"

helper.each_device(function ()

helper.host_it("page-locked memory waits for the gates of all devices #process",
function ()
  local printed = helper.child_on("host", [[
    local tide = require "tide"
    local s = tide.Stream{ non_blocking = true }
    tide.with_device(tide.Device "host:1", function ()
      tide.HostArray(1000):close()
    end)
    s:launch_host_func(print, "ran")
    tide.trim()
    s:synchronize()
    tide.trim()
  ]], { TIDE_HOST_DEVICES = "2" })
  assert.equal("ran\n", printed)
end)

end)
