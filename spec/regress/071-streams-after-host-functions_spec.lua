--[[
Host functions run on coroutines that are kept, and what was current on one when
a function ended stayed current there until the next function: a stream lived as
long. Found by the fuzzer.
]]
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

local function held ()
  helper.settle()
  return T.held().streams
end

describe("after a host function", function ()
  it("the stream that it made current is free", function ()
    local base <close> = new()
    base:launch_host_func(function ()
      new():use()
    end)
    base:synchronize()
    assert.equal(1, held())  -- base
  end)

  it("and after one that raised", function ()
    local base <close> = new()
    base:launch_host_func(function ()
      new():use()
      error("raised", 0)
    end)
    assert.has_error(function () base:synchronize() end)
    assert.equal(1, held())  -- base
  end)

  it("and after one that left a scope open", function ()
    local base <close> = new()
    local function run ()
      local token
      base:launch_host_func(function ()
        token = new():scope()
        new():use()
      end)
      base:synchronize()
      token:close()
    end
    run()
    assert.equal(1, held())  -- base
  end)

  it("and after one that another one has queued", function ()
    local base <close> = new()
    local other = new()
    base:launch_host_func(function ()
      other:launch_host_func(function ()
        new():use()
      end)
    end)
    base:synchronize()
    other:synchronize()
    other:close()
    assert.equal(1, held())  -- base
  end)
end)

end)
