-- A request of lighttpd's: a stream, a host function, a wait.
-- luacheck: globals lighty
local tide = require "tide"

local s <close> = tide.Stream{ non_blocking = true }
local ran
s:launch_host_func(function (v) ran = v end, 42)
local y = s:with(function ()
  local x = tide.arange(1000)
  return (x * x):sum()
end)
y:await()
s:synchronize()
lighty.r.resp_body.set(("%.0f %s\n"):format(y:item(), ran))
return 200
