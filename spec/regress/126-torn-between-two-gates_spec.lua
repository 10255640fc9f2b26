--[[
What a host function queued was put before what stood behind its gate; but where
the gate of another stream held later work as well, that went between, and half
of it was seen. Now what a function queues comes behind all that was queued
before it ran.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local N = 1 << 16
local new = helper.new_stream

it("a function's work is done as a whole, where others have gates", function ()
  for round = 1, 30 do
    local s <close> = new()
    local t <close> = new()
    local a, b = tide.zeros(N, "int64"), tide.zeros(N, "int64")
    local seen
    -- Whoever looks sees both with the same number of steps behind them.
    s:launch_host_func(function ()
      for _ = 1, 8 do
        a:add_(1)
        b:add_(1)
      end
    end)
    t:launch_host_func(function () end)
    t:with(function () seen = a - b end)
    s:synchronize()
    t:synchronize()
    assert.equal(0, seen:max():item(), "round " .. round)
    assert.equal(0, seen:min():item(), "round " .. round)
    assert.equal(8, a:min():item())
  end
end)

it("and not undone by what was queued before it", function ()
  for round = 1, 30 do
    local s <close> = new()
    local t <close> = new()
    local a = tide.zeros(N, "int64")
    s:launch_host_func(function () a:add_(1) a:mul_(2) end)
    t:launch_host_func(function () end)
    t:with(function () a:fill(5) end)
    s:with(function () a:add_(1) end)
    tide.get_device():synchronize()
    assert.equal(14, a:max():item(), "round " .. round)  -- (5 + 1 + 1) * 2
    assert.equal(14, a:min():item(), "round " .. round)
  end
end)

it("two functions of two streams are one after the other", function ()
  for _ = 1, 30 do
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local a, b = tide.zeros(N, "int64"), tide.zeros(N, "int64")
    local order = {}
    s:launch_host_func(function ()
      order[#order + 1] = "s"
      a:add_(1) b:add_(1) a:mul_(2) b:mul_(2)
    end)
    t:launch_host_func(function ()
      order[#order + 1] = "t"
      b:add_(5) a:add_(5)
    end)
    s:with(function () a:add_(0) end)
    t:with(function () b:add_(0) end)
    tide.get_device():synchronize()
    local wanted = table.concat(order) == "st" and 7 or 12
    assert.equal(wanted, a:max():item())
    assert.equal(wanted, b:min():item())
  end
end)

end)
