--[[
tide.array of a table with arrays as leaves had the one that it fetched on its
stack: a call that begins again closes what it has there and made itself, and so
one that a host function had put into the table meanwhile. And a leaf of uint64
above the integers of Lua was a negative number among floats.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("leaves that a host function makes meanwhile stay open", function ()
  local x = (tide.ones(300000) * 2):sum()
  local t = { 1, x }
  tide.get_current_stream():launch_host_func(function () t[1] = x * 1 end)
  t[2] = x + 1
  local a = tide.array(t):totable()
  assert.equal(600001, a[2])
  assert(a[1] == 1 or a[1] == 600000)
  tide.get_device():synchronize()
  assert.equal(600000, t[1]:item())
end)

it("leaves of uint64 are what they are", function ()
  local most = tide.full({}, -1, "uint64")
  assert.equal(2.0 ^ 64, tide.array({ 1, most })[2])
  assert.equal(2.0 ^ 64, tide.array({ most }, "float32")[1])
  assert.equal(2.0 ^ 64, tide.array({ most }, "complex128"):real()[1])
  assert.equal(-1, tide.array{ most }[1])  -- of all bits, as uint64
end)

end)
