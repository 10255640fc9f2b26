--[[
Two host functions in a row of streams of two devices ran on one coroutine,
whose current device and stream were remembered from the first.
]]
local helper = require "spec.support.helper"

it("each host function's current device is its stream's #process", function ()
  local printed = helper.child_on("host", [[
    local tide = require "tide"
    for i = 0, 1 do
      tide.with_device(tide.Device("host:" .. i), function ()
        tide.Stream():launch_host_func(function ()
          print(tide.get_device(), tide.get_current_stream().device)
        end)
      end)
    end
    repeat until select(2, tide.T.due()) == 2  -- until both are due
    tide.poll()
  ]], { TIDE_HOST_DEVICES = "2" })
  local lines = {}
  for line in printed:gmatch "[^\n]+" do
    lines[#lines + 1] = line
  end
  table.sort(lines)
  assert.same({ "host:0\thost:0", "host:1\thost:1" }, lines)
end)
