--[[
A host function that ran because another one waited could wait for what the
other one's gate holds up: it hung.
]]
local tide = require "tide"
local helper = require "spec.helper"

helper.each_device(function ()

it("work held up by an outer host function is not waited for", function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local t <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  local message
  s:launch_host_func(function () t:synchronize() end)
  s:with(function () a:copy_from(h) end)
  t:launch_host_func(function ()
    message = select(2, pcall(function () h[1] = 5 end))
  end)
  s:synchronize()
  assert.is_truthy(tostring(message):find("CUDA_ERROR_NOT_PERMITTED", 1, true))
  assert.equal(0, a:sum():item())
end)

end)
