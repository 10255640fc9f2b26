--[[
The host functions of a capture that nobody ended stayed with the Lua state:
one more for each such capture.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

describe("captures that nobody ends", function ()
  it("leave nothing of their host functions", function ()
    local function abandon ()
      local s = tide.Stream{ non_blocking = true }:begin_capture()
      for _ = 1, 20 do
        s:launch_host_func(print)
      end
    end
    local before = T.kept().functions
    for _ = 1, 10 do
      abandon()
      helper.settle()
    end
    assert(T.kept().functions <= before, T.kept().functions)
  end)
end)

end)
