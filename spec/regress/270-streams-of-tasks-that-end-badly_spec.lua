--[[
270: a run kept the stream of each task that had failed or was cancelled until
its own end, so one that goes on for long ran out of streams.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local T = helper.T

helper.each_device(function ()

describe("streams of tasks that end badly", function ()
  local function count ()
    for _ = 1, 2 do
      collectgarbage()
      tide.poll()
    end
    return T.held().streams
  end

  it("go while the run goes on", function ()
    tide.run(function ()
      local before = count()
      for i = 1, 100 do
        local task = tide.spawn(function ()
          if i % 2 == 0 then error "failed" end
          tide.sleep(100)
        end)
        if i % 2 == 0 then pcall(task.await, task) end
        tide.sleep(0)
        task:cancel()
      end
      assert.is_true(count() <= before + 2)
    end)
  end)
end)

end)
