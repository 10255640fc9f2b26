--[[
262: streams that host functions can have are made before the first stream
stands. If as many idle ones were kept as are at all, of another kind, each
was destroyed once it was made, and a function got an error for the second.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("streams that host functions can have #process", function ()
  it("are there after many others were closed", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local many = {}
      for i = 1, 140 do many[i] = tide.Stream{ non_blocking = true } end
      for i = 1, 140 do many[i]:close() end
      tide.poll()
      local s, x = tide.Stream{ non_blocking = true }, tide.ones(3)
      s:launch_host_func(function ()
        for _ = 1, 8 do tide.Stream() end
        print "ran"
      end)
      s:with(function () x:add_(1) end)
      s:synchronize()
    ]])
    assert.equal("ran\n", printed)
  end)
end)

end)
