--[[
A host function that became due before one queued earlier left the stream of
all host functions behind the earlier one's gate. What the earlier one queued
there came after what had been queued behind it, not before. Now there is one
order, that of calls: a function's are made when it runs.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

local function poll_until (done)
  repeat tide.poll() until done()
end

it("host functions are in order, whichever is due first", function ()
  local s <close> = new()
  local t <close> = new()
  local u <close> = new()
  local a, b = tide.zeros(1000, "int64"), tide.zeros(1000, "int64")
  local ran = false
  tide.get_device():synchronize()
  local key = T.hold(s)
  s:launch_host_func(function () a:add_(1) end)
  s:with(function () a:mul_(2) b:add_(3) end)
  t:launch_host_func(function () b:mul_(5) ran = true end)
  t:with(function () b:add_(7) end)
  u:with(function () b:add_(a) end)
  poll_until(function () return ran end)
  T.release(key)
  s:synchronize()
  assert.equal((3 + 7) * 5, b:max():item())
  assert.equal(1, a:min():item())
end)

it("they are when each is due before all that are queued earlier", function ()
  local n, order, keys = 4, {}, {}
  local streams, a = {}, tide.ones(1000, "int64")
  tide.get_device():synchronize()
  for i = 1, n do
    local s = new()
    streams[i], keys[i] = s, T.hold(s)
    s:launch_host_func(function () a:mul_(i) order[#order + 1] = i end)
    s:with(function () a:add_(i) end)
  end
  for i = n, 1, -1 do
    T.release(keys[i])
    poll_until(function () return order[#order] == i end)
  end
  assert.equal((1 + 1 + 2 + 3 + 4) * 4 * 3 * 2 * 1, a:max():item())
  assert.same({ 4, 3, 2, 1 }, order)
  for i = 1, n do
    streams[i]:close()
  end
end)

end)
