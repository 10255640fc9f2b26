--[[
With debug_sync, a call that queues several operations waits after each. What
such a wait calls now and then, for the line of tide.progress, counted as calls
of others that came in between: on a slow device the call began again for ever.
]]
local helper = require "spec.support.helper"

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
  local CHANGES <const> = {
    ["finalizers that come with it"] = [[
      setmetatable({}, { __gc = function () a:add_(1) end })
      collectgarbage()
    ]],
    ["what else it calls"] = "a:add_(1)"
  }

  for what, change in pairs(CHANGES) do
    it("does not hide " .. what, function ()
      runs(([[
        local first
        system.tick(function ()
          ticks = ticks + 1
          if first then %s end
          first = false
        end)
        for i = 1, 4 do
          first = true
          local b = rolled()
          for k = 2, #b do assert(b[k] == b[1], b[k]) end
        end
        assert(ticks > 0 and a[1] > 0)
      ]]):format(change))
    end)
  end
end)
