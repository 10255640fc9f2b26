--[[
wait_stream did not count as an operation of the stream that waits: a stream
that waited for that one was not held, and a new stream that took its place
after it was closed was thought to have waited already.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

it("whoever waits for the stream that waits is held as well", function ()
  local s <close> = new()
  local t <close> = new()
  local u <close> = new()
  local key = T.hold(t)
  s:wait_stream(t)
  u:wait_stream(s)
  assert.is_false(u.done)
  T.release(key)
  u:synchronize()
end)

it("a stream in the place of a closed one has waited for nobody", function ()
  local t <close> = new()
  local a = tide.zeros(4, "int64")
  tide.get_device():synchronize()
  local key = T.hold(t)
  t:with(function () a:fill(1) end)
  for _ = 1, 10 do
    local s = new()
    s:wait_stream(t)
    s:close()
    tide.poll()
  end
  local s <close> = new()
  local sum = s:with(function () return a:sum() end)
  assert.is_false(s.done)
  T.release(key)
  assert.equal(4, sum:item())
end)

end)
