--[[
While a host function waited, others ran that had nothing to do with what it
waited for, and failed since they needed what it held up itself. Now no other
one runs before it has returned.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

it("a host function does not start others", function ()
  local k <close> = tide.Stream{ non_blocking = true }
  local j <close> = tide.Stream{ non_blocking = true }
  local a = tide.zeros(4, "int64")
  local later = T.hold(j)
  local order = {}
  k:launch_host_func(function ()
    order[#order + 1] = "k"
    T.release(later)
    helper.spin(5)                               -- j's is due by now
    assert.equal(0, tide.poll())
    pcall(j.synchronize, j)
    pcall(a.item, a)
    j:with(function () a:add_(1) end)
    order[#order + 1] = "k again"
  end)
  j:launch_host_func(function () order[#order + 1] = "j" end)
  k:synchronize()
  j:synchronize()
  assert.same({ "k", "k again", "j" }, order)
  assert.equal(4, a:sum():item())
end)

end)
