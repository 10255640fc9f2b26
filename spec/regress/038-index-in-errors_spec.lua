--[[
038: h[{1, -9}] was said to be out of range with another index than the one
that was given: the one counted from the start.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("an index that is out of range is named as it was given", function ()
  local h = tide.HostArray{ 2, 3 }
  helper.fails("index -9 is out of range for axis 2 of 3 elements",
               function () return h[{ 1, -9 }] end)
  helper.fails("index -3 is out of range for axis 1 of 2 elements",
               function () h[{ -3, 1 }] = 1 end)
end)

end)
