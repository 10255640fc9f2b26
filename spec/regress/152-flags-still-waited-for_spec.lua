--[[
A gate that the device held for the null stream's sake was no operation of its
stream: as soon as its host function had run the stream counted as done, and its
flag went to the next stream, which cleared it. If the device had not looked yet
it waited for ever, and so did all that came after.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

it("a flag is not used again before the device has seen it #process",
function ()
  local printed = helper.child_on(kind, [[
    local tide = require "tide"
    local null, n = tide.Stream.null, 0
    local a, b = tide.zeros(10, "int64"), tide.zeros(10, "int64")
    local function count () n = n + 1 end
    tide.T.delays(1, 5000)
    for i = 1, 50 do
      local s = tide.Stream()
      s:with(function () b:add_(1) end)
      s:launch_host_func(count)
      null:with(function () a:add_(1) end)  -- behind s
      s:close()
      while n < 2 * i - 1 do tide.poll() end
      local t = tide.Stream{ non_blocking = true }
      t:launch_host_func(count):synchronize()
      t:close()
    end
    tide.T.delays(1, 0)
    null:synchronize()
    print(n, a[1], b[1])
  ]])
  assert.equal("100\t50\t50\n", printed)
end)

end)
