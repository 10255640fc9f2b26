--[[
A fused call looked up the current stream before it traced its function, which
may make another one current and free the first: the kernel was queued on
whatever stream had got its struct.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a function that changes the current stream while traced", function ()
  it("is queued there", function ()
    local x = tide.arange(8, "float32")
    local s, t = tide.Stream{ non_blocking = true }, nil
    s:use()
    local f = tide.fuse(function (v)
      tide.Stream.null:use()
      if s then
        s:close()
        s = nil
      end
      collectgarbage()
      tide.poll()
      t = tide.Stream{ non_blocking = true }:begin_capture()
      return v + 1
    end)
    local z = f(x)
    local g <close> = t:end_capture()
    assert.equal("0 nodes", tostring(g):match("%d+ nodes?"))
    assert.equal(8, z[8])
    t:close()
  end)
end)

end)
