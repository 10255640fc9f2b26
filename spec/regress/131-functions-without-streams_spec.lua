--[[
The current stream of a host function was one of its own, made when its turn
came if the one before was in use. While streams stood at gates none could be
made: with the stock of them used up the function never ran.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function (kind)

describe("host functions", function ()
  it("run when all streams are in use #process", function ()
    helper.program(kind, "limits", "streams=2", [[
      local tide = require "tide"
      local s, t = tide.Stream(), tide.Stream{ non_blocking = true }
      local ran = 0
      for _ = 1, 10 do
        s:launch_host_func(function () ran = ran + 1 end)
        t:launch_host_func(function () ran = ran + 1 end)
      end
      s:synchronize()
      t:synchronize()
      assert(ran == 20, ran)
    ]])
  end)

  it("run when those that are kept in stock are used up", function ()
    local first <close> = tide.Stream{ non_blocking = true }
    local second <close> = tide.Stream{ non_blocking = true }
    local all, ran = {}, {}
    first:launch_host_func(function ()  -- here, none can be made
      while #all < 200 and pcall(function ()
        all[#all + 1] = tide.Stream{ non_blocking = true }
      end) do end
      ran[#ran + 1] = "first"
      tide.get_current_stream():wait_stream(second)  -- stands, from now on
    end)
    first:record()
    second:wait_stream(first)
    second:launch_host_func(function () ran[#ran + 1] = "second" end)
    second:record()
    first:synchronize()
    second:synchronize()
    assert.same({ "first", "second" }, ran)
    for _, stream in ipairs(all) do
      stream:close()
    end
  end)

  it("run when the driver makes no streams", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local ran = 0
    s:launch_host_func(function () ran = ran + 1 end)
    T.failcall(1, 2, "cuStreamCreateWithPriority")
    s:synchronize()
    T.failcall(0)
    assert.equal(1, ran)
  end)
end)

end)
