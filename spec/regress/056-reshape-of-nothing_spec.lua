--[[
reshape of an array without elements to a shape with some took hold of a block
that is not there, before it compared the sizes: a null pointer.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("reshape", function ()
  it("of no elements to some is refused", function ()
    local a = tide.zeros{ 0, 3 }
    helper.fails("another number of elements", a.reshape, a, 3)
    assert.same({ 3, 0 }, a:reshape{ 3, 0 }.shape)
  end)
end)

end)
