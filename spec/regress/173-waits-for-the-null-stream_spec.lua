--[[
wait_stream went past what other operations come after while host functions are
on their way: who waited for the null stream, or waited as it, overtook those of
blocking streams.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local null = tide.Stream.null

--- What a host function of a blocking stream reads, that 'follow(s, copy)' lets
-- a copy come after.
local function read_before (follow)
  local b <close> = tide.Stream()
  local s <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(1), tide.full(1, 7.0)
  tide.get_device():synchronize()
  local got
  b:launch_host_func(function () got = h[1] end)
  follow(s, function () h:copy_from(a) end)
  tide.get_device():synchronize()
  assert.equal(7, h[1])
  return got
end

it("another stream waits for the null stream", function ()
  assert.equal(0, read_before(function (s, copy)
    s:wait_stream(null)
    s:with(copy)
  end))
end)

it("a blocking stream waits for the null stream", function ()
  assert.equal(0, read_before(function (_, copy)
    local j <close> = tide.Stream()
    j:wait_stream(null)
    j:with(copy)
  end))
end)

it("the null stream waits for another", function ()
  local n <close> = tide.Stream{ non_blocking = true }
  local j <close> = tide.Stream()
  local h, a = tide.HostArray(1), tide.full(1, 7.0)
  tide.get_device():synchronize()
  local got
  n:launch_host_func(function () got = h[1] end)
  null:wait_stream(n)
  j:with(function () h:copy_from(a) end)
  tide.get_device():synchronize()
  assert.equal(0, got)
  assert.equal(7, h[1])
end)

it("errors come with it", function ()
  local b <close> = tide.Stream()
  local s <close> = tide.Stream{ non_blocking = true }
  b:launch_host_func(error, "of b")
  s:wait_stream(null)
  assert.error_matches(function () s:synchronize() end, "of b")
end)

end)
