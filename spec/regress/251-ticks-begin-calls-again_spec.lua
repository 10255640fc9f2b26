--[[
With debug_sync, a call that queues several operations waits after each. What
such a wait calls now and then, for the line of tide.progress, counted as calls
of others that came in between: on a slow device the call began again for ever.
]]
local helper = require "spec.helper"

-- The operations take longer than a tick.
local function runs (code)
  helper.child_on("host", [[
    local tide = require "tide"
    local system, ticks = package.loaded["tide.system"], 0
    local a = tide.zeros(12)
    local function rolled ()
      tide.debug_sync(true)
      local b = tide.roll(a, 3)
      tide.debug_sync(false)
      return b:totable()
    end
  ]] .. code, { TIDE_HOST_DELAYS = "1:400000" })
end

describe("what long waits call #process", function ()
  it("does not have the call begin again", function ()
    runs [[
      local p = tide.progress(10)
      p:add()
      system.tick(function ()
        ticks = ticks + 1
        p:completed()
      end)
      for _ = 1, 3 do rolled() end
      assert(ticks > 0)
    ]]
  end)

  -- A roll is two copies: all of 'a' is read at one time.
  it("brings finalizers, which do have it begin again", function ()
    runs [[
      collectgarbage "generational"
      local finalized = 0
      system.tick(function ()
        setmetatable({}, { __gc = function ()
          finalized = finalized + 1
          a:add_(1)
        end })
      end)
      for _ = 1, 3 do
        local b = rolled()
        for i = 2, #b do assert(b[i] == b[1], b[i]) end
      end
      assert(finalized > 0)
    ]]
  end)
end)
