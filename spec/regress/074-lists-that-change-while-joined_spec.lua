--[[
concatenate and stack closed what they had converted for themselves: any array
that was not, or not any more, in the list. A finalizer that ran while they
asked for memory could take one out of it, and that one was closed.
]]
local tide = require "tide"
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a list that a finalizer empties while it is joined", function ()
  for _, name in ipairs{ "concatenate", "stack" } do
    it("by " .. name .. " leaves its arrays open #once #collector", function ()
      local a, b = tide.ones(3, "float32"), tide.ones(3, "float16")
      local during = 0
      for round = 1, 100 do
        local list, emptied = {}, false
        for i = 1, 200 do list[i] = i % 2 == 0 and a or b end
        collector.incremental(100 + round, 200, 8)
        collectgarbage()
        setmetatable({}, { __gc = function ()
          emptied = true
          for i = #list, 1, -1 do list[i] = nil end
        end })
        if not emptied then  -- the cycle ends in a while
          tide[name](list):close()
          during = during + (emptied and 1 or 0)
        end
        assert.same({ 1.0, 1.0, 1.0 }, a:totable())
        assert.same({ 1.0, 1.0, 1.0 }, b:totable())
      end
      assert.is_true(during > 0)
    end)
  end
end)

end)
