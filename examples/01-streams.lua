--[[
01-streams.lua - the current stream: scopes, functions, and `use`.
]]
local tide = require "tide"

local before = tide.get_current_stream()     -- the default stream
local numbers = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }
local s = tide.Stream{ non_blocking = true }
local a, sum

-- 1. A block. Copies and kernels in it go to s, in the order written.
do
  local _ <close> = s:scope()
  a = tide.asarray(numbers)                  -- host to device, on s
  sum = a:sum()                              -- a kernel, on s
  assert(tide.get_current_stream() == s)
end
assert(tide.get_current_stream() == before)  -- as it was
assert(sum:item() == 45)                     -- waits for what it needs
print("scope:       the sum is", sum:item())

-- 2. A function: it gets the stream, and what it returns is returned.
local doubled = tide.with_stream(s, function (stream)
  assert(stream == s and tide.get_current_stream() == s)
  return a * 2
end)
print("with_stream: doubled  ", table.concat(doubled:totable(), " "))

-- 3. An error passes through, and the old stream is current again.
local ok, message = pcall(tide.with_stream, s, function ()
  error("gave up", 0)
end)
assert(not ok and message == "gave up")
assert(tide.get_current_stream() == before)
print("error:       caught   ", message)

-- 4. `use` stays until something else is used.
s:use()
assert(tide.get_current_stream() == s)
print("use:         largest  ", (a + 1):max():item())
before:use()
assert(tide.get_current_stream() == before)
