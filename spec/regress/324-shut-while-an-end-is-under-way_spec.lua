--[[
A stream that waited for another process, or that a spec held, stood there
though a communicator was coming to its end, for which the device must have
nothing to do; and the thread that was to go on, so that it would pass, waited
for the lock of that. Host functions had waited for such ends before (297).
Found on two H200s, in every second run of dist_order.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

local program = [[
  local tide = require "tide"
  local T = tide.T
  local devices = { tide.Device(KIND .. ":0"), tide.Device(KIND .. ":1") }
  local s = tide.Stream{ non_blocking = true }
  local function on_each (fn)
    local list = {}
    for i, dev in ipairs(devices) do list[i] = tide.with_device(dev, fn) end
    return list
  end
  local comm = tide.comm(devices, { timeout = 5 })
  local x = on_each(function () return tide.ones(1 << 10) end)
  comm:all_reduce(x)
  for turn = 1, 8 do
    local other = tide.comm(devices)
    local y = on_each(function () return tide.ones(1 << 10) end)
    other:all_reduce(y)
    devices[1]:synchronize()
    devices[2]:synchronize()
    other:close()
    tide.poll()                            -- its end begins
    tide.sleep(turn % 4 * 0.001)
    local key = T.hold(s)
    comm:all_reduce(x)
    s:with(function () y[1]:add_(1) end)
    assert(not s.done)
    T.release(key)
    assert(y[1][1] == 3)
  end
  assert(x[1][1] == 2 ^ 9 and x[2][7] == 2 ^ 9)
  print "done"
]]

ranks_it("a stream is not shut while a communicator ends #process", function ()
  ranks.in_child(kind, program)
end)

end)
