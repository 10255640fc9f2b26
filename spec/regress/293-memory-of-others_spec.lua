--[[
A call looks for arrays to close among all that is on its stack, and took memory
of its own there for one if an array had left its class in it: `a:insert({}, 0)`
and `a:delete{}`, which write nothing there, then wrote past its end.

Lua 5.4.4, which is Debian's, wrote to a stack that it had freed when an await
in a loop was over, or a call with a file began again: it loses its stack where
lua_settop closes something that makes the stack move.
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
    test("is nobody else's: " .. name .. " #process", function ()
      local printed = helper.printed(
        ("embed/stale %s --ignore-lua --exclude-tags=slow,process " ..
         "spec/%s/%s_spec.lua"):format(busted(), room, name))
      assert.truthy(printed:find "\n%d+ passed, 0 failed, %d+ skipped\n$",
                    printed)
    end)
  end
end)
