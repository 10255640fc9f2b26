--[[
What is made of another function said that one's name, which the program had
not written: 'var' is not defined, said std.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("an error of what is made of others", function ()
  it("has the name that was called", function ()
    local c = tide.ones(4):astype "complex64"
    for _, name in ipairs{ "std", "var", "nanstd", "nanvar", "ptp", "nanmax",
                           "nanmin", "nanargmax", "nanargmin", "unique",
                           "unique_counts", "unique_all", "unique_inverse",
                           "unique_values" } do
      fails(("'%s' is not defined for complex64 arrays"):format(name),
            tide[name], c)
    end
    fails("'ptp' is not defined for bool arrays", tide.ptp,
          tide.array{ true, false })
  end)
end)

end)
