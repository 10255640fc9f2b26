--[[
031: frombytes made page-locked memory for the shape before it compared that
with the string, and blamed argument 3 for a shape nobody gave.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local blames = helper.blames

helper.each_device(function ()

it("frombytes checks the length of the string first", function ()
  local calls = helper.during("cuMemHostAlloc", function ()
    blames(3, "the string's length", tide.frombytes, "abc", "float64", 1e12)
    blames(3, "the string's length", tide.frombytes, "abcdefgh",
           "float64", { 1 << 62, 1 << 62 })
    blames(1, "the string's length", tide.frombytes, "abc", "int32")
  end)
  assert.equal(0, calls)
  assert.equal(0, tide.frombytes("", "int32", { 0, 7 }).size)
end)

end)
