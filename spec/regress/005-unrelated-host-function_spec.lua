--[[
While a host function waited, others ran that had nothing to do with what it
waited for, and failed since they needed what it held up itself.
]]
local tide = require "tide"
local helper = require "spec.helper"
local T = helper.T

helper.each_device(function ()

it("a waiting host function does not start later ones", function ()
  local m <close> = tide.Stream{ non_blocking = true }
  local k <close> = tide.Stream{ non_blocking = true }
  local j <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  h:fill(1)
  tide.get_device():synchronize()
  local key, later = T.hold(m), T.hold(j)
  m:with(function () a:copy_from(h) end)
  local order = {}
  k:launch_host_func(function ()
    order[#order + 1] = "k"
    T.release(later)
    helper.spin(5)                               -- j's is due by now
    T.release(key)
    h[1] = 2                                     -- waits for m
    order[#order + 1] = "k again"
  end)
  k:with(function () h:copy_from(a) end)
  j:launch_host_func(function ()
    order[#order + 1] = "j"
    h[1] = h[1] + 1                              -- waits for k
  end)
  j:synchronize()
  k:synchronize()
  assert.same({ "k", "k again", "j" }, order)
  assert.equal(2, h[1])
end)

end)
