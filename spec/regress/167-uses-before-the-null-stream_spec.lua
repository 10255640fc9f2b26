--[[
A host function that came after another stream's use of its memory by way of the
null stream was refused if it ran at once: the event that it asked for was one
that nobody had waited for, and not yet there.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = tide.T

helper.each_device(function ()

local null = tide.Stream.null

--- Copies from a HostArray on a blocking stream, then lets 'follow(f, k)' queue
-- f, which writes there, on a stream that comes after: k or the null stream.
local function check (non_blocking, follow)
  for i = 1, 8 do
    local m <close> = tide.Stream()
    local k <close> = tide.Stream{ non_blocking = non_blocking }
    local h, y = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
    h:fill(0)
    tide.get_device():synchronize()
    T.delays(i, 2000)
    m:with(function () y:copy_from(h) end)
    follow(function () h[1] = 5 end, k)
    local _ <close> = null:record()
    tide.get_device():synchronize()
    assert.same({ 5, 0 }, { h[1], y:sum():item() })
    T.delays(0, 0)
  end
end

it("a function of the null stream", function ()
  check(false, function (f) null:launch_host_func(f) end)
end)

it("after work of the null stream", function ()
  check(false, function (f, k)
    local x = tide.zeros(4)
    null:with(function () x:add_(1) end)
    k:launch_host_func(f)
  end)
end)

it("after an event of the null stream", function ()
  check(false, function (f, k)
    local _ <close> = null:record()
    k:launch_host_func(f)
  end)
end)

it("a stream that waits for the null stream", function ()
  check(true, function (f, k)
    k:wait_stream(null)
    k:launch_host_func(f)
  end)
end)

it("a graph", function ()
  check(false, function (f, k)
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(f)
    end)
    local _ <close> = null:record()
    g:launch(k)
    k:synchronize()
  end)
end)

end)
