--[[
A task that was over still knew its neighbours in the list of those that are
not. These knew theirs, and so on: whoever kept one task kept all that began
after it, and what they had returned.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a task that is over", function ()
  it("keeps no others", function ()
    tide.run(function ()
      local function sleep_twice ()
        tide.sleep(0)
        tide.sleep(0)
      end
      local others = setmetatable({}, { __mode = "k" })
      local kept = tide.spawn(sleep_twice)
      for _ = 1, 100 do
        others[tide.spawn(sleep_twice)] = true
        tide.sleep(0)
      end
      for _ = 1, 3 do tide.sleep(0) end
      collectgarbage()
      collectgarbage()
      assert.is_nil(next(others))
      kept:await()
    end)
  end)
end)

end)
