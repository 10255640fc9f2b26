--[[
NCCL ends a communicator on a thread, in calls that wait until the device has
nothing to do, with the driver's locks held. A stream stood at a host function
meanwhile, whose thread was to queue something first: for ever. Found on two
H200s by the soak of ranks, with the same program that passes there now.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

--- Communicators end, closed or collected, while functions are on their way.
local program = [[
  local tide = require "tide"
  local devices, ran = { KIND .. ":0", KIND .. ":1" }, 0
  local s, other = tide.Stream{ non_blocking = true }, tide.Stream()
  for turn = 1, 12 do
    local comm = tide.comm(devices)
    local x = {}
    for i, name in ipairs(devices) do
      x[i] = tide.with_device(tide.Device(name), function ()
        return tide.ones(1 << 16)
      end)
    end
    comm:all_reduce(x)
    s:with(function ()
      s:launch_host_func(function () ran = ran + 1 end)
      x[1]:add_(1)                         -- so the stream stands there
      if turn % 2 == 0 then comm:close() end
      comm = nil
      collectgarbage()
      s:launch_host_func(function () ran = ran + 1 end)
      for _ = 1, 20 do x[1]:add_(1) end
    end)
    other:with(function ()
      local y = tide.zeros(1 << 10)
      for _ = 1, 50 do y:add_(1) end
      assert(y:sum():item() == 50 * 1024)
    end)
    assert(x[1][1] == 23 and x[2][1] == 2)
    assert(ran == 2 * turn)
  end
  print "done"
]]

ranks_it("an end of a communicator meets no host function #process", function ()
  ranks.in_child(kind, program)
end)

end)
