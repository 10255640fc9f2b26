--[[
061: products of matrices without columns and without rows, and folds along axes
without elements, were computed from places beside a null pointer, which is
undefined in C. For UndefinedBehaviorSanitizer.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("the product over an axis without elements is 0", function ()
  for _, dtype in ipairs{ "float64", "float32", "int32" } do
    local a, b = tide.empty({ 2, 0 }, dtype), tide.empty({ 0, 3 }, dtype)
    assert.same({ { 0, 0, 0 }, { 0, 0, 0 } }, tide.matmul(a, b):totable())
    local c = tide.matmul(tide.empty({ 4, 2, 0 }, dtype), b)
    assert.same({ 4, 2, 3 }, c.shape)
    assert.equal(0, c:count_nonzero():item())
  end
end)

it("the sum along an axis without elements is 0", function ()
  for _, dtype in ipairs{ "float64", "float32", "int32", "bool" } do
    assert.same({ 0, 0 }, tide.empty({ 2, 0 }, dtype):sum(2):totable())
    assert.same({ 1, 1, 1 }, tide.empty({ 0, 3 }, dtype):prod(1):totable())
    assert.equal(0, tide.empty({ 0, 3 }, dtype):count_nonzero():item())
  end
end)

end)
