--[[
A device that failed is reset while a stream of it waits for another device's
host function. The host device waited for that stream, for ever; and the next
stream of that place in the table still had the other device's gate on its
list, so that who waited for it wrote to a list without room.
]]
local helper = require "spec.support.helper"

describe("a reset while another device is waited for #process", function ()
  it("ends, and new streams wait for nothing of before", function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local T, N = tide.T, 12
      local one, two = tide.Device "host:0", tide.Device "host:1"
      local function on (dev, fn) return tide.with_device(dev, fn) end
      local function stream () return tide.Stream{ non_blocking = true } end
      local g, list, ran = on(two, stream), {}, false
      on(one, function ()
        for i = 1, N do list[i] = stream() end
      end)
      local key = T.hold(g)
      g:launch_host_func(function () ran = true end)
      list[1]:wait_event(on(two, function ()
        return tide.Event():record(g)
      end))
      on(one, function () T.fault(list[2]) end)
      repeat until not pcall(list[2].synchronize, list[2])
      one:reset()
      for i = 1, N do list[i]:close() end
      tide.poll()
      local sum = on(one, function ()
        local x = tide.zeros(100)
        for i = 1, 2 * N do
          list[i] = stream()
          tide.with_stream(list[i], function () x:add_(1) end)
        end
        return x:sum():item()
      end)
      io.write(tostring(sum), " ", tostring(ran), " ")
      T.release(key)
      two:synchronize()
      print(ran)
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("2400.0 false true\n", printed)
  end)
end)
