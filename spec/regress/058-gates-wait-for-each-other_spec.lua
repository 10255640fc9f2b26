--[[
Host functions whose work touched what later operations touch held their gates
until it was done. While one's work was waited for the next function ran on top
of it, and its work waited for the first one's gate: for ever. The same where a
host function queued on a stream that waits for the function. Now what they
queue comes behind all that was queued before.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local new = helper.new_stream

helper.each_device(function ()

it("a host function may end while the next one's work waits for it", function ()
  for _ = 1, 20 do
    local s <close> = new()
    local t <close> = new()
    local u <close> = new()
    local a, b = tide.zeros(1000, "int64"), tide.zeros(1000, "int64")
    s:launch_host_func(function () a:add_(1) end)
    s:with(function () a:mul_(2) b:add_(3) end)
    t:launch_host_func(function () b:mul_(5) end)
    t:with(function () b:add_(7) end)
    u:with(function () b:add_(a) end)
    tide.get_device():synchronize()
    tide.poll()
    assert.equal((3 + 7) * 5, b:max():item())
    assert.equal(1, a:min():item())
  end
end)

it("a host function may queue behind itself what others touch too", function ()
  for _, s in ipairs{ new(), tide.Stream(), tide.Stream.null,
                      tide.Stream.ptds } do
    local t = tide.Stream()
    local a = tide.zeros(1000, "int64")
    s:launch_host_func(function ()
      s:with(function () a:add_(1) end)
      tide.Stream.null:with(function () a:add_(1) end)
    end)
    s:with(function () a:add_(1) end)
    t:wait_stream(s)
    t:with(function () a:mul_(1) a:add_(1) end)
    s:synchronize()
    assert.equal(4, t:with(function () return a:sum():item() end) // 1000)
    t:close()
  end
end)

end)
