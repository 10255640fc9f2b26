--[[
The error of a host function whose stream was closed went to whoever waited for
the next stream in the same place of tide's list, or for what came after that.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("an error stays with a stream that is no more", function ()
  local b = tide.Stream{ non_blocking = true }
  local c <close> = tide.Stream{ non_blocking = true }
  local x = tide.zeros(1)
  tide.get_device():synchronize()
  b:launch_host_func(error, "of b")
  c:launch_host_func(function () end)
  c:synchronize()                     -- runs both
  b:close()
  for _ = 1, 10 do
    assert.equal(0, x:sum():item())   -- the driver's stream is given back
    collectgarbage()
  end
  local new = {}
  for i = 1, 40 do
    new[i] = tide.Stream()
  end
  assert.equal(1, (x + 1):item())
  for i = 1, 40 do
    new[i]:synchronize()
    new[i]:close()
  end
  assert.error_matches(function () tide.get_device():synchronize() end, "of b")
end)

end)
