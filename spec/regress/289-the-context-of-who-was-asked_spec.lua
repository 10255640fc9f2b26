--[[
An array that many streams use forgets uses that are over, one in sixteen
operations; to ask a stream of another device entered that one, and what came
next was launched there: CUDA_ERROR_INVALID_HANDLE. Found by the soak of ranks.
]]
local helper = require "spec.support.helper"

it("who asks another device whether it is done goes on here #process",
function ()
  local printed = helper.child_on("host", [[
    local tide = require "tide"
    local T = tide.T
    local other = tide.Device "host:1"
    local x, held = tide.ones(1 << 12), {}
    for i = 1, 12 do
      local s = tide.Stream{ non_blocking = true }
      held[i] = T.hold(s)
      s:with(function () return x + 1 end)
    end
    tide.Stream.ptds:with(function ()
      for k = 1, 1000 do
        local _ = x:to(other)
        assert((x + k).size == x.size)
      end
    end)
    for i = 1, 12 do T.release(held[i]) end
    print "ok"
  ]], { TIDE_HOST_DEVICES = "2" })
  assert.equal("ok\n", printed)
end)
