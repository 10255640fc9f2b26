--[[
A scope that had ended kept the stream that was current before it: with_stream's
own one, which is used again, and one that was closed before a scope inside it.
(The house is empty after each test, or it fails.)
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local new = helper.new_stream

local function close (object)
  local _ <close> = object
end

helper.each_device(function ()

describe("a scope that has ended", function ()
  it("keeps nothing alive until with_stream is called again", function ()
    new():use()
    tide.with_stream(function () end)
    tide.Stream.null:use()
  end)

  it("keeps nothing alive that was closed before what is inside", function ()
    new():use()
    local outer = new():scope()
    local middle = new():scope()
    local inner = new():scope()
    close(middle)
    close(outer)
    close(inner)
    tide.Stream.null:use()
    close(new():scope())
    assert.equal(tide.Stream.null, tide.get_current_stream())
  end)
end)

end)
