--[[
topk and lexsort asked for memory for each row of an array that has rows of no
elements, of which there may be any number.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("rows of 0 elements", function ()
  it("need no memory, however many they are", function ()
    local a = tide.zeros{ 1 << 40, 0 }
    for _, x in ipairs{ a, a:astype "int8" } do
      local z, at = x:topk(0)
      assert.same({ 1 << 40, 0 }, z.shape)
      assert.same({ 1 << 40, 0 }, at.shape)
      assert.equal(x.dtype, z.dtype)
      assert.equal("int64", at.dtype)
    end
    assert.same({ 1 << 40, 0 }, tide.lexsort{ a, a }.shape)
    assert.same({ 0, 1 << 40 }, (a.T:topk(0, 1)).shape)
  end)

  it("are what is left where none is wanted", function ()
    local z, at = tide.ones{ 3, 4 }:topk(0)
    assert.same({ 3, 0 }, z.shape)
    assert.same({ 3, 0 }, at.shape)
  end)
end)

end)
