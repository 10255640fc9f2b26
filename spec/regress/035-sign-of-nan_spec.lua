--[[
035: tostring showed -nan or nan, as the device's division made it.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("NaN prints as nan", function ()
  local text = tostring(tide.zeros(2, "float32") / 0)
  assert.equal("[nan nan]", text:match "\n(.*)")
  local minus = tide.frombytes(("<d"):pack(-(0 / 0)), "float64")
  local plus = tide.frombytes(("<d"):pack(0 / 0), "float64")
  assert.equal(tostring(plus), tostring(minus))
  assert.equal("nan", tostring(plus:reshape({})):match "\n(.*)")
end)

end)
