--[[
At the foot of a coroutine a call in return leaves no line of the program's:
the library's own was named.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

helper.each_device(function (kind)

local function message_of (fn)
  local ok, err = pcall(coroutine.wrap(fn))
  assert.is_false(ok)
  return err
end

describe("an error of Lua of the library's", function ()
  it("has the line of whoever called it, or none", function ()
    local options <const> = { timout = 3 }
    local function call () tide.comm({ kind }, options) end
    assert.matches("^[^\n]-314[^\n]-:%d+: bad argument #2 to 'comm'",
                   message_of(call))
    local function give () return tide.comm({ kind }, options) end
    assert.matches("^bad argument #2 to 'comm'", message_of(give))
    assert.matches("^bad argument #1 to 'comm'", message_of(function ()
      return tide.comm{ kind, kind }
    end))
    local text = message_of(function ()
      return tide.capture(function () tide.ones(2):await() end)
    end)
    assert.matches("314[^\n]-:%d+: array:await: ", text)
    assert.is_nil(text:find("init.lua", 1, true))
  end)
end)

end)
