-- 05-host-functions.lua - Lua functions in the order of a stream.
local tide = require "tide"

local s = tide.Stream{ non_blocking = true }:use()

-- 1. It runs after all that was queued before; what follows waits for it.
-- Here it fills page-locked memory that the next copy reads.
local x = tide.zeros(3, "float64")
local h = tide.HostArray(3, "float64")
s:launch_host_func(function (first)
  for i = 1, 3 do
    h[i] = first + i
  end
end, 10)
x:copy_from(h)
print("filled on the way:", table.concat(x:totable(), " "))
assert(x[1] == 11 and x[3] == 13)

-- 2. Functions of a stream run in order, while the program waits for it.
local order = {}
for i = 1, 5 do
  s:launch_host_func(function (n) order[#order + 1] = n end, i)
end
assert(#order == 0)                          -- no call has waited yet
s:synchronize()
print("in order:", table.concat(order, " "))
assert(table.concat(order) == "12345")

-- 3. add_callback also tells the stream and a status (0: no error).
s:add_callback(function (stream, status, arg)
  print("callback:", stream == s, status, arg)
end, "my argument")
s:synchronize()

-- 4. An error comes out where the program waits; the stream goes on.
s:launch_host_func(function () error "no luck" end)
local ok, message = pcall(s.synchronize, s)
assert(not ok)
print("raised:", tostring(message):match "[^\n]*")
assert((x + 1):sum():item() == 39)

-- 5. In a graph they run again with each launch.
local count = 0
local g = tide.capture(function ()
  tide.get_current_stream():launch_host_func(function () count = count + 1 end)
end)
g:launch():launch():launch()
s:synchronize()
print("launched three times, ran", count)
assert(count == 3)
