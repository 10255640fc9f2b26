--[[
All host functions share a stream, for what they queue where none is current. It
could join a capture, or begin one: then the work of all later functions was
captured by somebody who could not even end it.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("the stream of host functions", function ()
  local function new ()
    return tide.Stream{ non_blocking = true }
  end

  it("joins no capture", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b, refused = tide.zeros(1), tide.zeros(1), nil
    s:begin_capture()
    s:with(function () a:add_(1) end)
    t:launch_host_func(function ()
      refused = select(2, pcall(a.add_, a, 1))
    end)
    t:synchronize()
    assert.is_truthy(refused:find("takes no part in captures", 1, true))
    t:launch_host_func(function () b:add_(1) end)
    t:synchronize()
    assert.equal(1, b[1])
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(1, a[1])
  end)

  it("begins none", function ()
    local t <close> = new()
    local b = tide.zeros(1)
    t:launch_host_func(function ()
      tide.get_current_stream():begin_capture()
    end)
    fails("takes no part in captures", t.synchronize, t)
    t:launch_host_func(function () b:add_(1) end)
    t:synchronize()
    assert.equal(1, b[1])
  end)
end)

end)
