--[[
03-capture.lua - a graph: capture work once, replay it on any stream.
]]
local tide = require "tide"

-- 1. Between begin and end nothing runs: the work is written down.
local x = tide.zeros(4, "float32")
local s1 = tide.Stream{ non_blocking = true }
local g = s1:with(function ()
  s1:begin_capture()
  x:add_(1)
  return s1:end_capture()
end)
assert(x:sum():item() == 0)

-- 2. Launched on the stream that captured it, and on another one.
g:launch(s1)
s1:synchronize()
assert(x[1] == 1)
local s2 = tide.Stream()
s2:with(function ()
  g:launch()                                 -- on the current stream
end)
s2:synchronize()
assert(x[1] == 2)
print("launched twice:", table.concat(x:totable(), " "))

-- 3. tide.capture finds a stream, and ends the capture on any way out. A graph
-- is ordered like any other operation, and owns what it uses: y is drawn anew
-- from x by each launch.
local tenfold, y = tide.capture(function ()
  return x * 10
end)
for i = 3, 5 do
  x:add_(1)
  tenfold:launch()
  assert(y[1] == 10 * i)
end
print("x is", x[1], "and y is", y[1])

-- 4. A call that cannot be captured raises and does no harm.
local ok, message = pcall(tide.capture, function ()
  return (x + 1):sum():item()                -- would have to wait
end)
assert(not ok and not s1:is_capturing())
print("refused:", tide.errorinfo(message).name)
print(tenfold:debug_dot())
