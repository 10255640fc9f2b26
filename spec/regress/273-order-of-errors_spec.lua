--[[
273: errors that threads find in files, and kernels in indices, came out the
newest first, what followed from another before that one, and behind those of
host functions that had been queued later.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails, T = helper.fails, helper.T

helper.each_device(function ()

describe("errors of one stream", function ()
  it("come one at a time, the oldest first", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local full <close> = tide.open("/dev/full", "w")
    local a = tide.ones(10, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function ()
      for _ = 1, 3 do full:write(a) end
    end)
    s:launch_host_func(function () error "of a function" end)
    s:with(function () full:write(a) end)
    T.release(key)
    for _, why in ipairs{ "at byte 0", "at byte 10", "at byte 20",
                          "of a function", "at byte 30" } do
      fails(why, s.synchronize, s)
    end
    s:synchronize()
  end)
end)

end)
