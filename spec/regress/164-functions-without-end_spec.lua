--[[
A host function that queued itself again came in between each attempt of a call
that waits before its last operation, and of one that waits until no stream
stands at a gate: both never returned.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local PRELUDE = [[
  local tide = require "tide"
  local s, a = tide.Stream{ non_blocking = true }, tide.ones(1000)
  local on = true
  local function try (fn, ...)
    local ok, err = pcall(fn, ...)
    assert(ok or err:find("CUDA_ERROR_NOT_PERMITTED", 1, true), err)
  end
]]

describe("a host function that queues itself #process", function ()
  it("does not keep calls that wait from returning", function ()
    helper.child_on(kind, PRELUDE .. [[
      local function tick ()
        if on then s:launch_host_func(tick) end
      end
      tick()
      local path = os.tmpname()
      try(s.with, s, function () return a:mask(a:gt(5)) end)
      local big = tide.ones(1 << 21)
      try(s.with, s, function () tide.save(path .. ".npy", big) end)
      os.remove(path)
      os.remove(path .. ".npy")
      on = false
      s:synchronize()
      assert(a:sum():item() == 1000)
    ]])
  end)

  it("does not keep what waits for all of them", function ()
    helper.child_on(kind, PRELUDE .. [[
      local function tick ()
        if not on then return end
        s:launch_host_func(tick)
        s:with(function () a:add_(1) end)
      end
      tick()
      for _ = 1, 3 do
        try(tide.capture, function () return tide.zeros(3) + 1 end)
      end
      on = false
      s:synchronize()
      local g, z = tide.capture(function () return tide.zeros(3) + 1 end)
      g:launch()
      assert(z[1] == 1)
    ]])
  end)
end)

end)
