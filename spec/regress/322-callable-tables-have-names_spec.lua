--[[
322: tide.Stream and tide.complex are tables that can be called, and behind
pcall their errors said "bad argument #1 to '?'", without a place.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

describe("322: tables that can be called", function ()
  local function message (...)
    local ok, err = pcall(...)
    assert.is_false(ok)
    return err
  end

  it("are named where Lua has no name for them", function ()
    helper.fails("bad argument #1 to 'Stream' (options table expected, " ..
                 "got number)", function () tide.Stream(3) end)
    assert.is_truthy(message(tide.Stream, 3):find(
      "^[^:]+:%d+: bad argument #1 to 'tide.Stream' %(options table"))
    assert.is_truthy(message(tide.Stream, nil, 3):find(
      "bad argument #2 to 'tide.Stream' (no value expected", 1, true))
    assert.is_truthy(message(tide.complex, 1, {}):find(
      "^[^:]+:%d+: bad argument #2 to 'tide.complex' %(number expected"))
    assert.is_truthy(message(tide.complex, 1, 2, 3):find(
      "bad argument #3 to 'tide.complex' (no value expected", 1, true))
  end)
end)
