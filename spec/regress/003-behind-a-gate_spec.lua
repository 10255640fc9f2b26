--[[
A host function that used what work of another stream had used before it hung if
that stream, later on, waited for the function's own: the event it asked for was
recorded behind the gate.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local function check (m, k)
  local h, x = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  local y, z = tide.zeros(4, "int64"), tide.zeros(4, "int64")
  h:fill(1)
  tide.get_device():synchronize()
  m:with(function () y:copy_from(h) end)         -- m reads h
  k:wait_stream(m)
  k:launch_host_func(function () h[1] = 5 end)
  k:with(function () x:add_(1) end)
  m:with(function () z:add_(x) end)              -- m waits for k
  k:synchronize()
  assert.equal(5, h[1])
  assert.equal(4, y:sum():item())
end

it("two streams", function ()
  local m <close> = tide.Stream{ non_blocking = true }
  local k <close> = tide.Stream{ non_blocking = true }
  check(m, k)
end)

it("the null stream and a blocking one", function ()
  local k <close> = tide.Stream()
  check(tide.Stream.null, k)
  check(k, tide.Stream.null)
end)

it("two blocking streams, by way of the null stream", function ()
  local m <close> = tide.Stream()
  local k <close> = tide.Stream()
  local h, y = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
  local z = tide.zeros(4, "int64")
  h:fill(0)
  m:with(function () y:copy_from(h) end)
  tide.Stream.null:record()                      -- k's function comes after m
  k:launch_host_func(function () h[1] = 5 end)
  local e <close> = tide.Stream.null:record()    -- and this copy after k
  m:with(function () z:copy_from(h) end)
  m:synchronize()
  assert.is_true(e.done)
  assert.equal(0, y:sum():item())
  assert.equal(5, z:sum():item())
end)

end)
