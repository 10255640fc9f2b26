--[[
Lua names a function that C has called after a module that it is found in: half
of the time that was tide.core, which no page has.
]]
local helper = require "spec.support.helper"

describe("a function that C has called #process", function ()
  it("is named after the module that was required", function ()
    for _ = 1, 8 do  -- the order of a table is another one each time
      local printed = helper.child [[
        local tide = require "tide"
        print(select(2, pcall(tide.full)))
        print(select(2, pcall(tide.random.uniform, "x")))
      ]]
      assert(printed:find("argument #2 to 'tide.full'", 1, true), printed)
      assert(printed:find("to 'tide.random.uniform'", 1, true), printed)
    end
  end)

  it("whose core can still be required", function ()
    helper.child_on("host", [[
      assert(require "tide" == require "tide.core")
    ]])
  end)
end)
