--[[
A use of page-locked memory by another stream was forgotten when an operation
queued after a host function covered it; so the function did not see it. And
what was queued on unrelated streams meanwhile was not seen at all.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

helper.each_device(function ()

it("a host function sees uses that later work covers", function ()
  local m <close> = tide.Stream{ non_blocking = true }
  local k <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  local b = tide.zeros(4, "int64")
  h:fill(1)
  tide.get_device():synchronize()
  local key = T.hold(m)
  m:with(function () a:copy_from(h) end)
  k:launch_host_func(function ()
    fails("CUDA_ERROR_NOT_PERMITTED", h.fill, h, 7)  -- m's copy is on its way
    T.release(key)
  end)
  k:with(function () h:copy_from(b) end)         -- covers the use by m
  m:with(function () b:copy_from(h) end)         -- and m's own
  k:synchronize()
  assert.equal(4, a:sum():item())
end)

it("and work that does not wait for it", function ()
  local m <close> = tide.Stream{ non_blocking = true }
  local k <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(4, "int64"), tide.full(4, 3)
  tide.get_device():synchronize()
  local key
  k:launch_host_func(function ()
    fails("CUDA_ERROR_NOT_PERMITTED", function () return h[1] end)
    T.release(key)
  end)
  key = T.hold(m)
  m:with(function () h:copy_from(a) end)         -- queued later, elsewhere
  k:synchronize()
  assert.equal(3, h[1])
end)

end)
