--[[
A host function was refused page-locked memory that a blocking stream had used
before it, where the order between them was the null stream's, another blocking
stream had come in between, or a capture was open: the event that tells was
recorded when the function ran, behind what the stream had got meanwhile.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = tide.T

helper.each_device(function ()

local null = tide.Stream.null

--- m copies from a HostArray, and then stands at a shut stream when a function
-- writes there that 'follow(f, j, k)' has put behind the copy.
local function check (follow)
  local m <close> = tide.Stream()
  local j <close> = tide.Stream()
  local k <close> = tide.Stream{ non_blocking = true }
  local shut <close> = tide.Stream{ non_blocking = true }
  local h, y, x = tide.HostArray(4, "int64"), tide.zeros(4, "int64"),
                  tide.zeros(4)
  h:fill(0)
  tide.get_device():synchronize()
  m:with(function () y:copy_from(h) end)
  null:with(function () x:add_(1) end)
  local s = follow(function () h[1] = 5 end, j, k, x)
  local key = T.hold(shut)
  m:wait_stream(shut)
  local ok, err = pcall(s.synchronize, s)
  T.release(key)
  assert.is_true(ok, err)
  tide.get_device():synchronize()
  assert.same({ 5, 0 }, { h[1], y:sum():item() })
end

it("a function of a blocking stream", function ()
  check(function (f, j)
    return j:launch_host_func(f)
  end)
end)

it("a stream that waits for a blocking one", function ()
  check(function (f, j, k, x)
    j:with(function () x:add_(1) end)
    k:wait_stream(j)
    return k:launch_host_func(f)
  end)
end)

it("by an event", function ()
  check(function (f, j, k, x)
    j:with(function () x:add_(1) end)
    local e <close> = j:record()
    k:wait_event(e)
    return k:launch_host_func(f)
  end)
end)

it("while a capture is open", function ()
  check(function (f, j)
    local c <close> = tide.Stream{ non_blocking = true }
    c:begin_capture()
    j:launch_host_func(f)
    c:end_capture():close()
    return j
  end)
end)

end)
