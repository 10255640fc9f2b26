--[[
02-events.lua - events: time between two points, and order between streams.
]]
local tide = require "tide"

local a, b = tide.arange(10), tide.arange(10)

-- 1. Two events around some work, on the current stream.
local e1 = tide.Event():record()
a = b * a + 8
local e2 = tide.get_current_stream():record()

-- 2. All later work of s comes after e2. The host does not wait.
local s = tide.Stream{ non_blocking = true }
s:wait_event(e2)
local copy = s:with(function ()
  return a:tohost()                          -- device to host, on s
end)
assert(copy[1] == 8 and copy[10] == 89)      -- 9 * 9 + 8
print("copied:", table.concat(a:totable(), " "))

-- 3. Time: only what lies between the events, not the copy.
e2:synchronize()
local ms = tide.get_elapsed_time(e1, e2)
assert(ms >= 0 and e1.done and e2.done)
print(("b * a + 8 took %.3f ms on %s"):format(ms, tide.get_device()))

-- 4. Arrays need no events: tide knows who wrote them and lets the reader wait.
local t = tide.Stream{ non_blocking = true }
local sums = {}
for i = 1, 100 do
  local stream = i % 2 == 0 and s or t       -- to and fro
  stream:with(function () a = a + 1 end)
  sums[i] = a:sum()
end
for i = 1, 100 do
  assert(sums[i]:item() == 365 + 10 * i)     -- 365: the sum before
end
print "100 steps over two streams, each after the one before"
