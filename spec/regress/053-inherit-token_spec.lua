--[[
tide.inherit indexed whatever it got as a token.
]]
local tide = require "tide"
local helper = require "spec.helper"

helper.each_device(function ()

describe("the token of inherit", function ()
  it("is a table that inherit gave", function ()
    helper.fails("table expected", tide.inherit, 5)
    helper.fails("tide.Device", tide.inherit, {})
  end)
end)

end)
