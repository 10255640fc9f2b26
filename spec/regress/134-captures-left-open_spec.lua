--[[
A capture that was left by an error, or whose stream went out of its block,
stayed open: the stream could not be used or closed any more, and nothing that
was dropped meanwhile was freed.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, new = helper.fails, helper.new_stream

helper.each_device(function ()

describe("a capture that was left", function ()
  it("by an error, ends with the block of its stream", function ()
    local a = tide.zeros(10)
    local kept
    assert.has_error(function ()
      local s <close> = new()
      kept = s
      s:begin_capture()
      s:with(function () a:add_(1) end)
      error "stop"
    end)
    fails("stream is closed", kept.end_capture, kept)
    a:add_(2)  -- not captured, and what the capture used is free
    assert.equal(20, a:sum():item())
  end)

  it("with streams that joined it, gives them back", function ()
    local a, t = tide.zeros(10), new()
    pcall(function ()
      local s <close> = new()
      s:begin_capture()
      t:wait_stream(s)
      t:with(function () a:add_(1) end)
      error "stop"
    end)
    t:with(function () a:add_(1) end)
    assert.is_false(t:is_capturing())
    t:synchronize()
    assert.equal(10, a:sum():item())
    t:close()
  end)

  it("to the collector, ends as well", function ()
    local a, t <close> = tide.zeros(10), new()
    do
      local s = new():begin_capture()
      t:wait_event(s:record())
      t:with(function () a:add_(1) end)
    end
    collectgarbage()
    collectgarbage()
    tide.poll()
    assert.is_false(t:is_capturing())
    t:with(function () a:add_(1) end)
    t:synchronize()
    assert.equal(1, a[10])
  end)

  it("while it is current, leaves the stream before it current", function ()
    local before = tide.get_current_stream()
    pcall(function ()
      local s <close> = new()
      local _ <close> = s:scope()
      s:begin_capture()
      error "stop"
    end)
    assert.equal(before, tide.get_current_stream())
    assert.equal(3, tide.ones(3):sum():item())
  end)

  it("by tide.capture's function, too", function ()
    local a = tide.zeros(10)
    for _ = 1, 20 do
      assert.has_error(function ()
        tide.capture(function ()
          a:add_(1)
          error "stop"
        end)
      end)
    end
    a:add_(1)
    assert.equal(10, a:sum():item())
  end)
end)

end)
