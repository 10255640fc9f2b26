--[[
The generational mode, given back between two bursts of allocations, was taken
again in the next one, each time: what it takes to change it is twice as much
after each giving back.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("bursts #process #collector", function ()
  it("do not change the collector's mode for ever", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local MB = 1 << 20
      local live = {}
      local t = 0
      local function pass (s)  -- nothing else makes time pass
        t = t + s
        tide.T.clock(t, 1e-3)
      end
      pass(1)
      collectgarbage "incremental"
      for i = 1, 10000 do live[i] = { i } end
      tide.memory_limit(8 * MB)
      local function burst (n)
        for _ = 1, n do tide.empty(MB, "uint8") end
      end
      local function mode ()
        local was = collectgarbage "incremental"
        collectgarbage(was)
        return was
      end
      burst(200)
      local first, pause = mode(), 0.05
      repeat
        burst(48)
        pass(pause)
        pause = pause * 2
      until mode() == "incremental" or pause > 20
      print(first, mode())
    ]])
    assert.equal("generational\tincremental\n", printed)
  end)
end)

end)
