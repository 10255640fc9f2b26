--[[
A hook that raises, as a host program's that stops a script, may do so between
any two lines of tide's own Lua. In the middle of the list of tasks it left a
place from which the end of tide.run never went on; where tide.run ends it left
a run that nobody was in, and there was no other ever after.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a hook that raises in tide.run", function ()
  local function program ()
    local t = tide.spawn(function () tide.sleep(0.0001) end)
    local u = tide.spawn(function () return 1 end)
    t:await()
    return u:await()
  end

  --- Runs it with a hook that raises at the nth event of tide's own Lua -> was
  -- there one?
  local function stop (event, nth)
    local n, hit = 0, false
    debug.sethook(function ()
      local source = debug.getinfo(2, "S").source
      if not (source:find "tide/tasks%.lua$" or
              source:find "tide/runner%.lua$" or
              source:find "tide/parking%.lua$") then return end
      n = n + 1
      if n < nth then return end
      debug.sethook()
      hit = true
      error("enough", 0)
    end, event)
    local ok, err = pcall(tide.run, program)
    debug.sethook()
    if hit and not ok then assert.equal("enough", err) end
    return hit
  end

  for event, what in pairs{ l = "line", c = "call", r = "return" } do
    it("leaves nothing behind, at whatever " .. what, function ()
      local n = 0
      repeat
        n = n + 1
        local hit = stop(event, n)
        assert.equal(1, tide.run(program))
      until not hit
      assert.is_true(n > 20)
    end)
  end
end)

end)
