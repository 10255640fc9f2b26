--[[
065: tide.eye refused diagonals that are not in the array, where its page and
NumPy give 0 everywhere.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("eye is 0 where the diagonal is outside", function ()
  for _, k in ipairs{ 3, 5, -2, -9, math.maxinteger, math.mininteger } do
    local a = tide.eye(2, 3, k, "int32")
    assert.same({ { 0, 0, 0 }, { 0, 0, 0 } }, a:totable())
  end
  assert.same({ 0, 3 }, tide.eye(0, 3, -1).shape)
  assert.same({ { 0, 0, 1 }, { 0, 0, 0 } }, tide.eye(2, 3, 2):totable())
  assert.same({ { 0, 0, 0 }, { 1, 0, 0 } }, tide.eye(2, 3, -1):totable())
end)

end)
