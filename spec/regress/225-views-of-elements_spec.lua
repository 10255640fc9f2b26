--[[
What a[i] and a[key] = x look at is a view, and it was left to the collector:
until then it held the memory of an array that the program had closed. #once: an
attempt that is given up leaves its views to the collector still.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("an element that was read or written #once", function ()
  local function stays (kind, use)
    collectgarbage()
    collectgarbage()
    collectgarbage "stop"
    local before = tide.memory_stats(kind).live
    for _ = 1, 10 do use() end
    local after = tide.memory_stats(kind).live
    collectgarbage "restart"
    assert.equal(before, after)
  end

  it("holds no memory of an Array", function ()
    stays("device", function ()
      local a = tide.zeros{ 100, 100 }
      a[{ 1, 2 }] = 3
      a[2] = 4
      a[{ {}, 3 }] = { 5 }
      assert.equal(3, a[{ 1, 2 }])
      a:close()
    end)
  end)

  it("holds no memory of a HostArray", function ()
    stays("pinned", function ()
      local h = tide.HostArray{ 100, 100 }
      h[{ 1, 2 }] = 3
      h[2] = 4
      h[{ {}, 3 }] = tide.asarray(5)
      assert.equal(3, h[{ 1, 2 }])
      tide.get_current_stream():synchronize()
      h:close()
    end)
  end)
end)

end)
