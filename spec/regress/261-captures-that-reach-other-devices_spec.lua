--[[
261: dev:synchronize() raises while a stream of the device captures; it looked
only for captures that began there, and not for streams that had joined one of
another device.
]]
local helper = require "spec.support.helper"

helper.each_device(function ()

helper.host_it("a device with a stream in a capture is not waited for " ..
               "#process", function ()
  local printed = helper.child_on("host", [[
    local tide = require "tide"
    local s = tide.Stream{ non_blocking = true }
    local other = tide.Device "host:1"
    local t = tide.with_device(other, function ()
      return tide.Stream{ non_blocking = true }
    end)
    s:begin_capture()
    t:wait_stream(s)
    local ok, message = pcall(other.synchronize, other)
    print(ok, tide.errorinfo(message).name)
    s:wait_stream(t)
    s:end_capture()
    other:synchronize()
  ]], { TIDE_HOST_DEVICES = "2" })
  assert.equal("false\tCUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED\n", printed)
end)

end)
