--[[
A closed stream whose last event could not be recorded was taken for done, so
memory that its work was still to use went to others.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

describe("a closed stream", function ()
  it("is not done because an event could not be recorded", function ()
    local s = tide.Stream{ non_blocking = true }
    local a = s:with(function () return tide.full(1000, 1, "int32") end)
    local t = tide.Stream{ non_blocking = true }
    t:with(function () tide.full(10, 1, "int32"):sum():item() end)
    s:synchronize()
    local key = T.hold(s)
    s:with(function () a:fill(7) end)
    T.failcall(1, 999, "cuEventRecord")
    s:close()
    T.failcall(0)
    a:close()
    local b = t:with(function () return tide.full(1000, 2, "int32") end)
    T.release(key)
    tide.get_device():synchronize()
    assert.equal(2000, b:sum():item())
  end)
end)

end)
