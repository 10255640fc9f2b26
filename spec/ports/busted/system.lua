-- system.lua - of LuaSystem what busted asks: clocks and sleep. As lfs.lua.
local clock = require "tide".clock

return {
  gettime = clock,
  monotime = clock,
  sleep = function (s)
    os.execute("sleep " .. s)
  end
}
