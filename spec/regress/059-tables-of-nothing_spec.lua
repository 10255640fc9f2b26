--[[
059: the table of an array with an axis of 0 elements was made from a place
beside a null pointer, which is undefined in C. For UndefinedBehaviorSanitizer.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("an array without elements is a table of empty ones", function ()
  assert.same({ {}, {} }, tide.zeros{ 2, 0 }:totable())
  assert.same({}, tide.zeros{ 0, 2 }:totable())
  assert.same({ {}, {}, {} }, tide.HostArray{ 3, 0 }:totable())
end)

end)
