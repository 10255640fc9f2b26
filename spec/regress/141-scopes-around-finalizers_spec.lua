--[[
What a finalizer made belonged to the scope that happened to be open where Lua
called it, and was closed at its end.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

--- Calls fn in a finalizer.
local function finalize (fn)
  setmetatable({}, { __gc = fn })
  collectgarbage()
  collectgarbage()
end

describe("a finalizer that runs in a scope", function ()
  it("makes arrays that stay", function ()
    local kept, own
    tide.scope(function ()
      own = tide.ones(3)
      finalize(function () kept = tide.full(3, 2) end)
    end)
    assert.same({ 2, 2, 2 }, kept:totable())
    helper.fails("closed", own.totable, own)
  end)

  it("has scopes of its own", function ()
    local closed, result, kept, own
    tide.scope(function ()
      finalize(function ()
        result = tide.scope(function ()
          closed = tide.ones(3)
          return closed + 1
        end)
        kept = tide.ones(3)
      end)
      own = tide.ones(3)
    end)
    assert.same({ 2, 2, 2 }, result:totable())
    assert.same({ 1, 1, 1 }, kept:totable())
    helper.fails("closed", closed.totable, closed)
    helper.fails("closed", own.totable, own)
  end)
end)

end)
