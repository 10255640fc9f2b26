--[[
tide.inherit indexed whatever it got as a token.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("the token of inherit", function ()
  it("is what inherit gave", function ()
    helper.fails("tide.Current expected", tide.inherit, 5)
    helper.fails("tide.Current expected", tide.inherit, {})
    helper.fails("tide.Current expected", tide.inherit, tide.Stream.null)
  end)
end)

end)
