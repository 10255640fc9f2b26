--[[
capture.lua - tide.capture. init.lua loads it with the first call.
]]
local tide = require "tide"

local function finish (stream, ...)
  return stream:end_capture(), ...
end

--- capture(fn, ...) -> Graph, and what fn(...) returned.
-- Captures what fn queues on a fresh current stream. The capture ends on every
-- way out: return, error, coroutine.close; if not well, with its stream. fn may
-- yield.
return function (fn, ...)
  local stream <close> = tide.Stream{ non_blocking = true }
  local _ <close> = stream:scope()
  stream:begin_capture()
  return finish(stream, fn(...))
end
