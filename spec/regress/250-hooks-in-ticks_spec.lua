--[[
A hook that stops the script ran in what a long wait calls now and then, for the
line of tide.progress: its error was taken for one of that, and the script went
on, without a line from then on.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local PRELUDE = [[
  local tide = require "tide"
  local T, system = tide.T, package.loaded["tide.system"]
  local s, ticks, key = tide.Stream{ non_blocking = true }, 0
  local function slow_tick ()
    for _ = 1, 10000 do end
    ticks = ticks + 1
    if ticks % 3 == 0 then T.release(key) end
  end
  system.tick(slow_tick)
  local function wait ()
    key = T.hold(s)
    s:synchronize()
  end
]]

local function runs (code)
  helper.child_on(kind, PRELUDE .. code)
end

describe("what long waits call #process", function ()
  it("has no hook of the program's", function ()
    runs [[
      local inside = 0
      debug.sethook(function ()
        local f = debug.getinfo(2, "f").func
        if f == slow_tick then inside = inside + 1 end
      end, "crl", 100)
      wait()
      debug.sethook()
      assert(ticks == 3 and inside == 0, inside)
    ]]
  end)

  it("is not what a hook stops, and goes on", function ()
    runs [[
      local stops = { [slow_tick] = true }
      debug.sethook(function ()
        if stops[debug.getinfo(2, "f").func] then error "too many" end
      end, "", 1000)
      wait()
      local function spin () while true do end end
      stops[spin] = true
      local ok, why = pcall(spin)
      debug.sethook()
      assert(not ok and why:find "too many", why)
      wait()
      assert(ticks == 6, ticks)
    ]]
  end)

  it("ends no wait by an error of its own", function ()
    runs [[
      system.tick(function ()
        ticks = ticks + 1
        T.release(key)
        error "mine"
      end)
      wait()
      assert(ticks == 1)
    ]]
  end)
end)

end)
