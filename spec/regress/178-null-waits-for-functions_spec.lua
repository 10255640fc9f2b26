--[[
On an H200 kept busy by other processes, in four of some 60,000 random programs,
the null stream did before a host function of another stream what it was to do
after: an event wait was all that it had been told.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("the null stream", function ()
  local function held (s, h, x)
    s:with(function () h:copy_from(tide.full(64, 1.0)) end)
    s:launch_host_func(function () h:fill(x) end)
  end

  it("waits for the functions that it is told to wait for", function ()
    local null, h, z = tide.Stream.null, tide.HostArray(64), tide.zeros(64)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    for x = 2, 20 do
      held(s, h, x)
      null:wait_event(s:record())
      z:copy_from(h)
      null:wait_event(s:record())
      h:copy_from(tide.zeros(64))
      assert.equal(0, h[1])
      assert.equal(64 * x, z:sum():item())
    end
    held(s, h, 30)
    t:wait_stream(s)
    null:wait_stream(t)
    z:copy_from(h)
    assert.equal(64 * 30, z:sum():item())
  end)

  it("has room for what it waits for", function ()
    local null, x = tide.Stream.null, tide.zeros(3)
    local streams, ran = {}, 0
    local function fn () ran = ran + 1 end
    for i = 1, 4 do
      streams[i] = tide.Stream{ non_blocking = true }
    end
    for i = 1, 400 do
      local s = streams[i % 4 + 1]
      s:launch_host_func(fn)
      null:wait_stream(s)
    end
    assert.equal(0, ran)
    x:add_(1)
    assert.equal(3, x:sum():item())
    assert.equal(400, ran)
    for i = 1, 4 do streams[i]:close() end
  end)

  it("does so for each of them, and for graphs", function ()
    local null, h = tide.Stream.null, tide.HostArray(3)
    local streams, ran = {}, 0
    local g = tide.capture(function ()
      tide.get_current_stream():launch_host_func(function () ran = ran + 1 end)
    end)
    for i = 1, 3 do
      streams[i] = tide.Stream{ non_blocking = true }
      streams[i]:launch_host_func(function () h[i] = i end)
    end
    local x = tide.zeros(3)
    for i = 1, 3 do
      null:wait_stream(streams[i])
    end
    x:copy_from(h)
    assert.same({ 1.0, 2.0, 3.0 }, x:totable())
    g:launch(streams[1])
    null:wait_stream(streams[1])
    x:fill(7)
    assert.same({ 7.0, 7.0, 7.0 }, x:totable())
    assert.equal(1, ran)
    for i = 1, 3 do streams[i]:close() end
  end)
end)

end)
