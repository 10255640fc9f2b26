--[[
Memory that went back to the driver is free once the device has come to it: an
allocation that was tried again before that failed, though nothing was in use.
]]
local helper = require "spec.support.helper"

helper.each_device(function ()

helper.host_it("memory on its way back is waited for #process", function ()
  local printed = helper.child_on("host", [[
    local tide = require "tide"
    tide.T.delays(1, 20000)
    for _ = 1, 10 do
      tide.empty(16 << 20, "uint8"):close()
      tide.empty(3):close()
    end
    print(tide.memory_stats().live)
  ]], { TIDE_HOST_MEMORY = "16M" })
  assert.equal("0\n", printed)
end)

end)
