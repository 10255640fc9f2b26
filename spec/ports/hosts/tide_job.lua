-- The work of a request: a stream, a host function, and a wait, in which a
-- server with an event loop serves others.
local tide = require "tide"

return function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local ran
  s:launch_host_func(function (v) ran = v end, 42)
  local y = s:with(function ()
    local x = tide.arange(1000)
    return (x * x):sum()
  end)
  y:await()
  s:await()
  return ("%.0f %s\n"):format(y:item(), ran)
end
