--[[
The node of a host function in a capture that nobody ended went to those that
streams use again, which had not lent it: one more for each such capture.
]]
local helper = require "spec.helper"

helper.each_device(function (kind)

describe("captures that nobody ends #process", function ()
  it("leave nothing of their host functions", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local function resident ()
        collectgarbage()
        collectgarbage()
        tide.poll()
        local file <close> = io.open "/proc/self/statm"
        return 4 * tonumber(file:read("a"):match "%d+ (%d+)")  -- KiB
      end
      local function abandon (n)
        for _ = 1, n do
          local s = tide.Stream{ non_blocking = true }
          s:begin_capture()
          for _ = 1, 20 do s:launch_host_func(print) end
          s = nil
          collectgarbage()
          collectgarbage()
          tide.poll()
        end
      end
      abandon(200)
      local before = resident()
      abandon(2000)
      local grown = resident() - before
      print(grown < 2000 or grown)
    ]])
    assert.equal("true\n", printed)
  end)
end)

end)
