--[[
stale_spec.lua - a call finds on its stack none of the classes that an earlier
call has left there. The host program spec/embed/stale.c fills the memory that
Lua gives, and runs specs. #process: see run.lua.
]]
local helper = require "spec.support.helper"

local function busted ()
  local pipe <close> = io.popen "command -v busted"
  return os.getenv "BUSTED" or pipe:read()
end

describe("memory of a call's own", function ()
  if helper.variant ~= "testing" then
    return  -- a sanitizer's runtime has to be there before the program
  end
  local LOOPS = { luv = true, cqueues = true, copas = true }
  for room, name in ("ops/insert array/npy array/image lua/luv " ..
                     "lua/cqueues lua/copas"):gmatch "(%a+)/(%a+)" do
    local test = LOOPS[name] and not pcall(require, name) and pending or it
    test("has no array in it (#293): " .. name .. " #process", function ()
      local printed = helper.printed(
        ("embed/stale %s --ignore-lua --exclude-tags=slow,process " ..
         "spec/%s/%s_spec.lua"):format(busted(), room, name))
      assert.truthy(printed:find "\n%d+ passed, 0 failed, %d+ skipped\n$",
                    printed)
    end)
  end
end)
