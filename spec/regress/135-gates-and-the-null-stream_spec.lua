--[[
CUDA's legacy stream follows a wait for a flag only if there was other work on
that stream since the two met. Between a host function and its gate an event
could be recorded on the legacy stream, and so its next operation went ahead of
the gate: copies behind it read what the function had not written yet. Seen on
an H200; the host device does the same now.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

--- What is queued on 'last' after 'between' sees what a host function of
-- 'first' has written, with the legacy stream busy before it.
local function check (first, last, between)
  local busy <close> = tide.Stream()
  local h, y = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  local z = tide.zeros(4, "int64")
  h:fill(0)
  tide.get_device():synchronize()
  local key = T.hold(busy)
  busy:with(function () y:add_(1) end)
  tide.Stream.null:record()
  first:launch_host_func(function ()
    local from = tide.clock()
    while tide.clock() < from + 0.01 do end
    h:fill(5)
  end)
  between()
  last:with(function () z:copy_from(h) end)
  T.release(key)
  last:synchronize()
  assert.equal(20, z:sum():item())
  assert.equal(4, y:sum():item())
end

local function nothing () end

describe("what comes behind a host function's gate", function ()
  it("by way of the legacy stream", function ()
    local s <close> = tide.Stream()
    local t <close> = tide.Stream()
    for _ = 1, 5 do
      check(s, t, function () tide.Stream.null:record() end)
    end
  end)

  it("on the legacy stream", function ()
    local s <close> = tide.Stream()
    for _ = 1, 5 do
      check(s, tide.Stream.null, nothing)
    end
  end)

  it("on a blocking stream, of the legacy stream", function ()
    local s <close> = tide.Stream()
    for _ = 1, 5 do
      check(tide.Stream.null, s, nothing)
    end
  end)
end)

end)
