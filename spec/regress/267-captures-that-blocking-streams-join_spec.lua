--[[
What the null stream had been given since a capture began had no event yet when
a blocking stream joined that, after which none can be recorded there. That the
driver refused to was taken for the answer that the work is over: graphs went
while they were being launched, code while it ran, memory of others was given
back to them.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = tide.T

helper.each_device(function ()

describe("a blocking stream that joins a capture", function ()
  --- The null stream gets work after the capture has begun, and stands.
  local function check (join)
    local null, x, y = tide.Stream.null, tide.zeros(64), tide.zeros(64)
    local s, b = tide.Stream{ non_blocking = true }, tide.Stream()
    local graph = tide.capture(function () x:add_(1) end)
    local graphs = T.live().graphs
    tide.get_device():synchronize()
    s:begin_capture()
    local key = T.hold(null)
    graph:launch(null)
    join(s, b, y)
    graph:close()
    tide.poll()
    local alive = T.live().graphs
    s:wait_stream(b)
    s:end_capture():close()
    T.release(key)
    assert.equal(graphs, alive)
    assert.equal(64, x:sum():item())
    tide.poll()
    assert.equal(graphs - 1, T.live().graphs)
  end

  it("keeps what the null stream launched before", function ()
    check(function (s, b) b:wait_stream(s) end)
  end)

  it("keeps it when it joins by what it uses", function ()
    check(function (s, b, y)
      s:with(function () y:add_(1) end)
      b:with(function () y:add_(1) end)
    end)
  end)
end)

end)
