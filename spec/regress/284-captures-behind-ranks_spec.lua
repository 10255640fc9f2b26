--[[
A stream captured while an operation of ranks was under way on it: nobody could
ask whether that had passed, as there was no mark behind it, and the end of the
capture, which makes a graph, waited for it for ever. What another lua_State
had under way was waited for in the same way, and only that one notices its end.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

describe("operations of ranks under way", function ()
  it("pass while their stream captures", function ()
    local comm = tide.comm{ "host" }
    tide.Device "host":use()
    local x, s = tide.ones(1000), tide.Stream{ non_blocking = true }
    s:with(function ()
      for _ = 1, 20 do comm:all_reduce(x) end
      s:begin_capture()
      x:add_(1)
      local graph = s:end_capture()
      graph:launch()
    end)
    assert.equal(2, x[1000])
    comm:close()
  end)

  it("of another lua_State are nothing to wait for #process", function ()
    helper.program("host", "ranks")
  end)
end)
