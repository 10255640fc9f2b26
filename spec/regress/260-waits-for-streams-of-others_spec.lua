--[[
260: s:wait_stream(t) waited for what tide had queued on 't' itself. On a stream
of somebody else's that is mostly nothing, and what its owner had queued there
was not waited for: of such streams nobody but the driver knows where they end.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("a wait for a stream of somebody else's #process", function ()
  it("is for what its owner has queued", function ()
    helper.program(kind, "several", [[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      tide.get_device():synchronize()
      local key = tide.T.hold(s)
      run(1, ("PTR = %d"):format(s.ptr))
      run(1, [=[
        local tide = require "tide"
        t = tide.Stream{ non_blocking = true }
        t:wait_stream(tide.ExternalStream(PTR))
        assert(not t.done)
      ]=])
      tide.T.release(key)
      s:synchronize()
      run(1, "t:synchronize() assert(t.done)")
    ]])
  end)
end)

end)
