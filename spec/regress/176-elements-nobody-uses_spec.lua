--[[
A host function was refused elements of a HostArray that no other work used: of
a graph the range from the first to the last that it used counted, and so it did
for a stream after some 24 uses.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = tide.T

helper.each_device(function ()

--- While work that 'use(h, a)' queues is under way, a function writes h[50].
local function check (use)
  local s <close> = tide.Stream{ non_blocking = true }
  local k <close> = tide.Stream{ non_blocking = true }
  local h, a = tide.HostArray(100, "int64"), tide.zeros(100, "int64")
  tide.get_device():synchronize()
  local key = T.hold(s)
  s:with(function () use(h, a) end)
  k:launch_host_func(function () h[50] = 7 end)
  local ok, err = pcall(k.synchronize, k)
  T.release(key)
  assert.is_true(ok, err)
  tide.get_device():synchronize()
  assert.equal(7, h[50])
end

local function copy (h, a, i)
  a[{ { i, i } }]:copy_from(h[{ { i, i } }])
end

it("a graph that uses others", function ()
  check(function (h, a)
    local g <close> = tide.capture(function ()
      copy(h, a, 1)
      copy(h, a, 100)
    end)
    g:launch()
  end)
end)

it("many uses of others", function ()
  check(function (h, a)
    for i = 1, 100, 2 do
      if i ~= 49 and i ~= 51 then
        copy(h, a, i)
      end
    end
  end)
end)

end)
