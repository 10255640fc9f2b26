--[[
left_capture_spec.lua - captures in which driver calls fail, that are left by
errors or collected, or that are open for long: no stream is lost, and all that
is dropped is freed.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

helper.each_device(function (kind)

--- Streams, arrays and host arrays that take part in a capture that was left.
local ways = {
  ["left by an error"] = function (join)
    fails("left", tide.capture, function ()
      join(tide.get_current_stream())
      error "left"
    end)
  end,
  ["left with the block of its stream"] = function (join)
    local before, kept = tide.get_current_stream(), nil
    fails("left", function ()
      local s <close> = new()
      local _ <close> = s:scope()
      kept = s
      join(s:begin_capture())
      error "left"
    end)
    assert.equal(before, tide.get_current_stream())
    fails("stream is closed", kept.end_capture, kept)
  end,
  collected = function (join)
    local function begin ()
      local s = new():begin_capture()  -- held until all is in it
      join(s)
    end
    begin()
    collectgarbage()
  end
}

local uses = {
  ["an element is read"] = function (_, _, h) return h[1] end,
  ["an element is written"] = function (_, _, h) h[1] = 2 end,
  ["a HostArray is read"] = function (_, _, h) return h:totable() end,
  ["a HostArray is filled"] = function (_, _, h) h:fill(1) end,
  ["an array is read"] = function (_, a) return a:totable() end,
  ["an array is copied"] = function (_, a) return a:tohost() end,
  ["an array is written"] = function (_, a) a:mul_(2) end,
  ["a stream is asked"] = function (t) assert(not t:is_capturing()) end,
  ["a stream is asked whether it is done"] = function (t) return t.done end,
  ["a stream is waited for"] = function (t) t:synchronize() end,
  ["a stream is closed"] = function (t) t:close() end,
  ["a stream captures anew"] = function (t)
    t:begin_capture()
    t:end_capture():close()
  end,
  ["the device is waited for"] = function () tide.get_device():synchronize() end
}

for way, leave in pairs(ways) do
  describe("a capture that was " .. way, function ()
    for use, fn in pairs(uses) do
      it("is over when " .. use .. " (#134) (#150)", function ()
        local t, a, h = new(), tide.zeros(4), tide.HostArray(4)
        leave(function (s)
          t:wait_stream(s)
          t:with(function () a:add_(1) h:copy_from(a) end)
        end)
        fn(t, a, h)
        assert.equal(0, a:max():item())
      end)
    end
  end)
end

describe("captures that are dropped", function ()
  it("keep streams and functions for a while only (#101) (#108)", function ()
    local a = tide.zeros(4)
    local before = T.kept()
    for _ = 1, 1500 do
      local own = tide.zeros(4)
      local s = new():begin_capture()
      s:with(function () own:add_(1) end)
      s:launch_host_func(print)
      local t <close> = new()
      t:with(function () a:add_(1) end)
    end
    assert.equal(1500, a[4])
    local after = T.kept()
    assert(after.streams < before.streams + 200, after.streams)
    helper.settle()
    after = T.kept()
    assert(after.functions <= before.functions, after.functions)
  end)

  it("are told from those that are held", function ()
    local open, arrays = {}, {}
    for i = 1, 60 do
      open[i], arrays[i] = new():begin_capture(), tide.zeros(2)
      open[i]:with(function () arrays[i]:add_(i) end)
    end
    for i, s in ipairs(open) do
      local g <close> = s:end_capture()
      g:launch()
      assert.equal(i, arrays[i][2])
    end
  end)
end)

describe("what is dropped", function ()
  --- count() -> driver objects, bytes, structs.
  local function count ()
    collectgarbage()
    collectgarbage()
    tide.poll()
    local all = T.live()
    for name, n in pairs(T.kept()) do all["kept " .. name] = n end
    for _, memory in ipairs{ "device", "pinned" } do
      all["bytes, " .. memory] = tide.memory_stats(memory).live
    end
    return all
  end

  --- Checks that many calls of round(i) add no more than a few objects.
  local function stays (round)
    local before
    for i = 1, 600 do
      round(i)
      if i % 20 == 0 then collectgarbage() end
      if i == 100 then before = count() end
    end
    for name, n in pairs(count()) do
      local most = before[name] + (name:find "bytes" and 65536 or 20)
      assert(n <= most, ("%s: %d, then %d"):format(name, before[name], n))
    end
  end

  --- One object of each kind, used on a stream of its own and dropped.
  local function use_all ()
    local s <close> = new()
    local x <close> = tide.ones(1000)
    s:with(function () x:add_(1) end)
    s:record():close()
    local g <close> = tide.capture(function () x:add_(1) end)
    g:launch(s)
    s:launch_host_func(function () end)
    local h <close> = x:tohost()
    assert(h[1000] == 3)
    s:synchronize()
  end

  it("is freed while a capture is open (#133)", function ()
    local s <close> = new()
    local a = tide.zeros(1000)
    s:begin_capture()
    s:with(function () a:add_(1) end)
    stays(use_all)
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(1000, a:sum():item())
  end)

  it("is freed, too, of a captured operation that failed (#007)", function ()
    fails("cuLaunchKernel", tide.capture, function ()
      local a = tide.ones(4)
      T.failcall(1, 999, "cuLaunchKernel")
      return a + a
    end)
    T.failcall(0)
    collectgarbage()
    collectgarbage()
    assert.equal(0, T.held().bytes)
  end)
end)

describe("a stream whose capture cannot be ended", function ()
  it("is destroyed some day, whatever fails meanwhile (#069) #sweep",
     function ()
    tide.ones(3)
    for first = 1, 6 do
      for second = 1, 8 do
        local s = new():begin_capture()
        s:with(function () return tide.ones(3) + 1 end)
        T.failcall(first, 999)
        pcall(s.end_capture, s)
        T.failcall(second, 999)
        pcall(s.close, s)
        pcall(tide.poll)
        T.failcall(0)
        s = nil  -- luacheck: ignore
        helper.settle()
        assert.equal(0, T.held().streams, ("faults %d, %d"):format(first,
                                                                   second))
      end
    end
  end)

  it("captures no more if it is the thread's default one (#151)", function ()
    local a, s = tide.zeros(4), tide.Stream.ptds
    s:begin_capture():with(function () a:add_(1) end)
    T.failcall(1, 999, "cuStreamEndCapture")
    fails("cuStreamEndCapture", s.end_capture, s)
    assert.is_false(s:is_capturing())
    s:with(function () a:add_(1) end)
    s:synchronize()
    assert.equal(4, a:sum():item())
  end)

  for _, name in ipairs{ "cuStreamEndCapture", "cuCtxSetCurrent" } do
    it("does neither when " .. name .. " failed as its state closed #process",
       function () helper.program(kind, "states", "closing", name) end)
  end
end)

describe("a capture in which a driver call failed", function ()
  it("takes streams afterwards", function ()
    local s <close> = new()
    local t <close> = new()
    local x = tide.zeros(4)
    local function work () x:add_(1) end
    for _, call in ipairs{ "cuEventRecord", "cuStreamWaitEvent",
                           "cuStreamGetCaptureInfo", "cuLaunchKernel" } do
      s:begin_capture()
      s:with(work)
      T.failcall(1, 999, call)
      fails("CUDA_ERROR_UNKNOWN (999)", t.with, t, work)
      t:with(work)
      s:wait_stream(t)
      local g <close> = s:end_capture()
      x:fill(0)
      g:launch()
      assert.equal(2, x[1])
    end
  end)

  it("joins work of others at the second attempt", function ()
    for _, call in ipairs{ "cuGraphAddEmptyNode", "cuStreamGetCaptureInfo",
                           "cuStreamUpdateCaptureDependencies" } do
      local s <close> = new()
      local t <close> = new()
      local x, y = tide.zeros(4), tide.zeros(4)
      local function work () x:mul_(2) end
      assert.is_truthy(t.ptr)
      s:begin_capture()
      t:wait_stream(s)
      t:with(function () y:add_(1) end)
      s:with(function () x:add_(1) end)
      -- The driver's stream depends on more than tide has noted.
      T.failcall(1, 1, "cuLaunchKernel")
      fails("CUDA_ERROR_INVALID_VALUE", t.with, t, function ()
        return x + y
      end)
      T.failcall(1, 999, call)
      fails("CUDA_ERROR_UNKNOWN (999)", t.with, t, work)
      t:with(work)
      s:wait_stream(t)
      local g <close> = s:end_capture()
      g:launch()
      assert.equal(2, x[1])
    end
  end)

  it("knows what follows work of others, in wide graphs too", function ()
    local s <close> = new()
    local t <close> = new()
    local list, z = {}, tide.zeros(4)
    for i = 1, 16 do list[i] = tide.zeros(4) end
    assert.is_truthy(t.ptr)
    s:begin_capture()
    t:wait_stream(s)
    t:with(function () z:add_(1) end)
    s:with(function () for i = 1, 16 do list[i]:add_(1) end end)
    T.failcall(1, 1, "cuLaunchKernel")
    fails("CUDA_ERROR_INVALID_VALUE", t.with, t, function ()
      return list[3] + z
    end)
    t:with(function () list[1]:mul_(2) end)
    s:wait_stream(t)
    local g <close> = s:end_capture()
    local nodes, edges = 0, {}
    for a, b in g:debug_dot():gmatch "n(%d+) %-> n(%d+);" do
      edges[a .. ">" .. b] = true
    end
    for _ in g:debug_dot():gmatch "n%d+ %[" do nodes = nodes + 1 end
    assert.equal(19, nodes)            -- z, sixteen, work of others, mul
    assert.is_true(edges["18>19"])
    assert.is_nil(edges["3>18"])
  end)
end)

end)
