--[[
A host function that ran because another one waited could wait for what the
other one's gate holds up: it hung. Now none waits, and what it may not touch
is refused.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

it("host functions neither wait nor touch what another one holds up",
function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local t <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  local waits, writes
  local key = T.hold(s)
  s:launch_host_func(function ()
    waits = select(2, pcall(t.synchronize, t))
  end)
  s:with(function () a:copy_from(h) end)
  t:launch_host_func(function ()
    writes = select(2, pcall(function () h[1] = 5 end))
  end)
  t:synchronize()
  assert.is_truthy(tostring(writes):find("CUDA_ERROR_NOT_PERMITTED", 1, true))
  T.release(key)
  s:synchronize()
  assert.is_truthy(tostring(waits):find("CUDA_ERROR_NOT_PERMITTED", 1, true))
  assert.equal(0, a:sum():item())
end)

end)
