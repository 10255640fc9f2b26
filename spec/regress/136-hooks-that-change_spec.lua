--[[
A hook that changed while a host function ran was taken for Ctrl-C: the wait
around it raised "interrupted!", also for a program's own way to stop a script.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a hook that a host function", function ()
  local function new ()
    return tide.Stream{ non_blocking = true }
  end

  it("sets does not end the wait", function ()
    local s, lines, a = new(), 0, tide.ones(3)
    s:launch_host_func(function ()
      debug.sethook(function () lines = lines + 1 end, "l")
    end)
    s:with(function () a:add_(1) end)
    local ok, err = pcall(function ()
      s:synchronize()
      return a:sum():item()
    end)
    debug.sethook()
    assert(ok, err)
    assert.equal(6, err)
    assert(lines > 0)
  end)

  it("removes does not end the wait", function ()
    local s = new()
    s:launch_host_func(debug.sethook)
    debug.sethook(function () end, "", 100000)
    local ok, err = pcall(s.synchronize, s)
    debug.sethook()
    assert(ok, err)
  end)

  it("is stopped by has its own message", function ()
    local s = new()
    s:launch_host_func(function ()
      while true do end
    end)
    debug.sethook(function ()
      debug.sethook()
      error "the script took too long"
    end, "", 10000)
    local ok, err = pcall(s.synchronize, s)
    debug.sethook()
    assert.is_false(ok)
    assert.is_truthy(err:find("the script took too long", 1, true), err)
    s:synchronize()
  end)
end)

end)
