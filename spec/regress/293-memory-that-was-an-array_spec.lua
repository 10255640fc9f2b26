--[[
A call looks for arrays to close among all that is on its stack, and took memory
of its own there for one if an array had left its class in it: `a:insert({}, 0)`
and `a:delete{}`, which write nothing there, then wrote past its end.
]]
local helper = require "spec.helper"

local function busted ()
  local pipe <close> = io.popen "command -v busted"
  return os.getenv "BUSTED" or pipe:read()
end

describe("memory of a call's own", function ()
  if helper.variant ~= "testing" then
    return  -- a sanitizer's runtime has to be there before the program
  end
  for name in ("insert hostarray npy image transfer graph"):gmatch "%a+" do
    it("is no array, whatever it was: " .. name .. " #process", function ()
      local printed = helper.printed(
        ("embed/stale %s --ignore-lua --exclude-tags=slow,process " ..
         "spec/%s_spec.lua"):format(busted(), name))
      assert.truthy(printed:find "\n%d+ passed, 0 failed, %d+ skipped\n$",
                    printed)
    end)
  end
end)
