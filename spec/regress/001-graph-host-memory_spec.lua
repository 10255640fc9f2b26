--[[
A host function in a graph was refused the page-locked memory that its own
graph copies from: the launch's accesses counted as work to wait for.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("a graph's host function fills what the graph then reads", function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(2, "int64"), tide.zeros(2, "int64")
  local g <close> = tide.capture(function ()
    tide.get_current_stream():launch_host_func(function ()
      h[1], h[2] = h[1] + 1, h[1] + 10
    end)
    a:copy_from(h)
  end)
  for i = 1, 3 do
    g:launch(s)
    s:synchronize()
    assert.same({ i, i - 1 + 10 }, a:totable())
  end
end)

end)
