--[[
A stream remembered only the gate that it got behind last. Inside the host
function of an earlier one, waiting for the stream took for ever; so did
waiting for the null stream behind a blocking one that stood at the function's
gate, and the other way round. Now functions do not wait; but what they may do
with memory goes by the same knowledge.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

describe("a host function and what is behind its gate", function ()
  local g, h, s, x, y, memory

  before_each(function ()
    g = tide.Stream{ non_blocking = true }
    h = tide.Stream{ non_blocking = true }
    s = tide.Stream()
    x, y = tide.ones(12), tide.ones(12)
    memory = tide.HostArray(12)
    memory:fill(1)
    tide.get_device():synchronize()
  end)

  after_each(function ()
    tide.get_device():synchronize()
    g:close() h:close() s:close()
    x, y, memory = nil, nil, nil
  end)

  -- Queues fn on 'g' and work behind it, for which 'follower' waits.
  local function follow (follower, fn)
    g:launch_host_func(fn)
    g:with(function () x:add_(1) end)
    follower:with(function () x:mul_(2) end)
  end

  -- The same on 'h', with 'y'.
  local function follow_another (follower, fn)
    h:launch_host_func(fn)
    h:with(function () y:add_(1) end)
    follower:with(function () y:mul_(2) end)
  end

  local function read (stream, a)
    stream:with(function () a:copy_from(memory) end)
  end

  local function write () memory:fill(3) end

  it("may write what is read there, whatever gate came later", function ()
    follow(s, write)
    follow_another(s, function () end)
    read(s, x)
    assert.equal(36, x:sum():item())
    assert.equal(48, y:sum():item())
  end)

  it("may write what is read behind three streams", function ()
    local t <close> = tide.Stream{ non_blocking = true }
    follow(s, write)
    follow_another(s, function () end)
    t:with(function () y:add_(1) end)  -- waits for s
    read(t, y)
    assert.equal(36, y:sum():item())
  end)

  it("may write what is read behind an event", function ()
    local t <close> = tide.Stream{ non_blocking = true }
    follow(s, write)
    local e <close> = s:record()
    follow_another(s, function () end)
    t:wait_event(e)
    read(t, y)
    assert.equal(36, y:sum():item())
  end)

  it("may write what is read behind the null stream's barrier", function ()
    for _, pair in ipairs{ { s, tide.Stream.null }, { tide.Stream.null, s } } do
      memory:fill(1)
      follow(pair[1], write)
      read(pair[2], y)
      assert.equal(36, y:sum():item())
    end
  end)

  it("may not write what is read behind another's alone", function ()
    local message
    local key = T.hold(h)  -- the other function does not run before
    follow_another(s, function () end)
    read(s, y)
    follow(g, function () message = select(2, pcall(write)) end)
    g:synchronize()
    T.release(key)
    assert.is_truthy(tostring(message):find("CUDA_ERROR_NOT_PERMITTED", 1,
                                            true), message)
    assert.equal(12, y:sum():item())
  end)
end)

end)
