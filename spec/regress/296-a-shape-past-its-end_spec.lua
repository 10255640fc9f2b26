--[[
topk of a long row copied a whole shape from an array that had one axis: past
the end of the array, and of the heap where it lay there.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("topk of a long row", function ()
  it("reads as many axes as there are", function ()
    local x, keep = tide.arange(2049), {}
    for i = 1, 3000 do
      keep[i] = x:topk(1)
      x:topk(1)
    end
    for i = 1, 3000, 500 do
      assert.equal(2048, keep[i]:item())
    end
  end)

  it("is refused by its name", function ()
    for _, n in ipairs{ 3, 3000 } do
      helper.blames(1, "'topk' is not defined for complex64 arrays", tide.topk,
                    tide.zeros(n, "complex64"), 1)
    end
  end)
end)

end)
