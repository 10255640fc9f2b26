--[[
host_access_spec.lua - a host function reads and writes page-locked memory where
the work that has used it came before. Only work beside it refuses the access.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

local null = tide.Stream.null

describe("a host function behind work on a blocking stream", function ()
  -- The order is the null stream's: no wait was asked for.
  for name, follow in pairs{
    ["on the null stream"] = { false, function (f)
      null:launch_host_func(f)
    end },
    ["after work of the null stream"] = { false, function (f, k)
      local x = tide.zeros(4)
      null:with(function () x:add_(1) end)
      k:launch_host_func(f)
    end },
    ["after an event of the null stream"] = { false, function (f, k)
      local _ <close> = null:record()
      k:launch_host_func(f)
    end },
    ["on a stream that waits for the null stream"] = { true, function (f, k)
      k:wait_stream(null)
      k:launch_host_func(f)
    end },
    ["in a graph"] = { false, function (f, k)
      local g <close> = tide.capture(function ()
        tide.get_current_stream():launch_host_func(f)
      end)
      local _ <close> = null:record()
      g:launch(k)
      k:synchronize()
    end },
  } do
    it("writes what that reads (#167): " .. name, function ()
      for i = 1, 8 do
        local m <close> = tide.Stream()
        local k <close> = tide.Stream{ non_blocking = follow[1] }
        local h, y = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
        h:fill(0)
        tide.get_device():synchronize()
        T.delays(i, 2000)
        m:with(function () y:copy_from(h) end)
        follow[2](function () h[1] = 5 end, k)
        local _ <close> = null:record()
        tide.get_device():synchronize()
        assert.same({ 5, 0 }, { h[1], y:sum():item() })
        T.delays(0, 0)
      end
    end)
  end

  -- The stream has got other work, which stands, when the function runs.
  for name, follow in pairs{
    ["on another one"] = function (f, j) return j:launch_host_func(f) end,
    ["on a stream that waits for another one"] = function (f, j, k, x)
      j:with(function () x:add_(1) end)
      return k:wait_stream(j):launch_host_func(f)
    end,
    ["by an event"] = function (f, j, k, x)
      j:with(function () x:add_(1) end)
      local e <close> = j:record()
      return k:wait_event(e):launch_host_func(f)
    end,
    ["while a capture is open"] = function (f, j)
      local c <close> = new()
      c:begin_capture()
      j:launch_host_func(f)
      c:end_capture():close()
      return j
    end,
  } do
    it("writes what that has read (#174): " .. name, function ()
      local m <close> = tide.Stream()
      local j <close> = tide.Stream()
      local k <close> = new()
      local shut <close> = new()
      local h, y = tide.HostArray(4, "int64"), tide.zeros(4, "int64")
      local x = tide.zeros(4)
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
    end)
  end
end)

describe("a host function beside work that uses other elements", function ()
  local function copy (h, a, i)
    a[{ { i, i } }]:copy_from(h[{ { i, i } }])
  end

  for name, use in pairs{
    ["of a graph"] = function (h, a)
      local g <close> = tide.capture(function ()
        copy(h, a, 1)
        copy(h, a, 100)
      end)
      g:launch()
    end,
    ["many of them"] = function (h, a)
      for i = 1, 100, 2 do
        if i ~= 49 and i ~= 51 then copy(h, a, i) end
      end
    end,
  } do
    it("writes its own (#176): " .. name, function ()
      local s <close> = new()
      local k <close> = new()
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
    end)
  end
end)

end)
