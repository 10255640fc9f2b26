--[[
clip between two numbers that make float16 of integers, as the default dtype can
be, took the first bound for one of the integers: -1 was the greatest uint64.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("clip with a half as the default dtype", function ()
  after_each(function () tide.set_default_dtype "float64" end)

  for _, default in ipairs{ "float16", "bfloat16", "float32" } do
    it("promotes by both bounds first, to " .. default, function ()
      local x = tide.array({ 1, 2, 3 }, "uint64")
      tide.set_default_dtype(default)
      local z = x:clip(-1, 2.5)
      assert.equal(default, z.dtype)
      assert.same({ 1.0, 2.0, 2.5 }, z:totable())
      assert.same({ 2.0, 2.0, 2.5 }, x:clip(2, 2.5):totable())
      local out = tide.zeros(3, default)
      assert.equal(out, x:clip(-1, 2.5, { out = out }))
      assert.same({ 1.0, 2.0, 2.5 }, out:totable())
      local same = z:clip(1.5, 2)
      assert.same({ 1.5, 2.0, 2.0 }, same:totable())
      assert.same({ 1.0, 2.0, 2.5 }, z:totable())
    end)
  end
end)

end)
