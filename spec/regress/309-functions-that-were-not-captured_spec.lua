--[[
A host function that a capture could not take, as a call of the driver failed,
was waited for by each launch of the graph.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = tide.T

helper.each_device(function ()

describe("a graph", function ()
  it("does not wait for functions that it has not", function ()
    local s = helper.new_stream()
    for n = 1, 20 do
      local ran, failed = 0, false
      s:begin_capture()
      local took = s:with(function ()
        T.failcall(n)
        local ok = pcall(s.launch_host_func, s, function () ran = ran + 1 end)
        failed = T.failed()
        T.failcall(0)
        return ok
      end)
      local ok, graph = pcall(s.end_capture, s)
      if ok then
        graph:launch(s)
        assert.is_true(s:await(10))
        assert.equal(took and 1 or 0, ran)
        graph:close()
      end
      if not failed then break end
    end
    s:close()
  end)
end)

end)
