--[[
sharing_spec.lua - streams' handles are used again; and host functions, which
the device never waits for, may make driver calls that wait for the device.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

--- calls(name, fn, ...) -> how often fn calls a driver entry.
local function calls (name, fn, ...)
  local before = T.calls(name)
  fn(...)
  return T.calls(name) - before
end

helper.each_device(function (kind)

describe("a stream's handle", function ()
  it("is used again once its work is done", function ()
    local s = new()
    s:record():synchronize()
    s:close()
    tide.Device(kind):synchronize()
    tide.poll()
    assert.equal(0, calls("cuStreamCreateWithPriority", function ()
      new():close()
    end))
  end)

  it("is not while its work is pending", function ()
    local s, t = new(), new()
    local key = T.hold(s)
    local ptr = s.ptr
    s:close()
    local u = new()
    assert.not_equal(ptr, u.ptr)
    T.release(key)
    t:close()
    u:close()
  end)

  it("is one of its own kind", function ()
    tide.Stream{ priority = -1 }:close()
    tide.Device(kind):synchronize()
    tide.poll()
    local s <close> = tide.Stream{ non_blocking = true, priority = -1 }
    local t <close> = new()
    assert.is_true(s.is_non_blocking and s.priority == -1)
    assert.is_true(t.is_non_blocking and t.priority == 0)
  end)

  it("is destroyed if its capture ended badly", function ()
    local s = new():begin_capture()
    s:with(function () tide.ones(3) end)
    T.failcall(1, 999, "cuStreamEndCapture")
    assert.is_false((pcall(s.end_capture, s)))
    T.failcall(0)
    s:close()
    tide.poll()
    for _ = 1, 3 do
      tide.with_stream(function (t)
        assert.is_false(t:is_capturing())
        assert.equal(3, tide.ones(3):sum():item())
      end)
    end
  end)

  it("has a flag that the device has seen, or another one (#152) #process",
     function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local null, n = tide.Stream.null, 0
      local a, b = tide.zeros(10, "int64"), tide.zeros(10, "int64")
      local function count () n = n + 1 end
      tide.T.delays(1, 5000)
      for i = 1, 50 do
        local s = tide.Stream()
        s:with(function () b:add_(1) end)
        s:launch_host_func(count)
        null:with(function () a:add_(1) end)  -- behind s
        s:close()
        while n < 2 * i - 1 do tide.poll() end
        local t = tide.Stream{ non_blocking = true }
        t:launch_host_func(count):synchronize()
        t:close()
      end
      tide.T.delays(1, 0)
      null:synchronize()
      print(n, a[1], b[1])
    ]])
    assert.equal("100\t50\t50\n", printed)
  end)
end)

describe("inside a host function with work behind it", function ()
  local s
  before_each(function () s = new() end)
  after_each(function () s:close() end)

  local function run (fn)
    s:launch_host_func(fn)
    s:record()
    s:synchronize()
  end

  it("any number of streams can be made", function ()
    local made = {}
    run(function ()
      for i = 1, 1000 do
        made[i] = tide.Stream{ non_blocking = i % 2 == 0 }
      end
    end)
    assert.equal(1000, #made)
    for _, t in ipairs(made) do
      t:record():synchronize()
      t:close()
    end
  end)

  it("a graph can be made", function ()
    local a, g = tide.zeros(3), nil
    run(function ()
      g = tide.capture(function () a:add_(1) end)
      g:launch()
      a:add_(1)
    end)
    g:launch()
    assert.equal(9, a:sum():item())
    g:close()
  end)

  it("a kernel never used before runs", function ()
    local a, b
    run(function ()
      a = (tide.ones(5, "uint8") * 3):sum()
      b = tide.full(4, 2, "float32"):astype "int32"
    end)
    assert.equal(15, a:item())
    assert.same({ 2, 2, 2, 2 }, b:totable())
  end)

  it("page-locked memory is freed", function ()
    local h = tide.HostArray(1 << 20)
    tide.get_device():synchronize()
    local freed
    run(function ()
      freed = calls("cuMemFreeHost", function ()
        h:close()
        T.trim()
      end)
    end)
    assert(freed >= 1, freed)
  end)
end)

describe("a stream that is held", function ()
  it("keeps page-locked memory from being freed, until it goes on", function ()
    local s <close> = new()
    T.trim()
    local key = T.hold(s)
    local h = tide.HostArray(5000)
    h:close()
    assert.equal(0, calls("cuMemFreeHost", T.trim))
    T.release(key)
    s:synchronize()
    tide.HostArray(6000):close()
    assert.is_true(calls("cuMemFreeHost", T.trim) >= 2)
  end)

  helper.host_it("keeps that of all devices: trim goes on (#60) #process",
  function ()
    assert.equal("ran\n", helper.child_on("host", [[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      tide.with_device(tide.Device "host:1", function ()
        tide.HostArray(1000):close()
      end)
      s:launch_host_func(print, "ran")
      tide.trim()
      s:synchronize()
      tide.trim()
    ]], { TIDE_HOST_DEVICES = "2" }))
  end)

  -- A capture needs that no stream stands.
  helper.host_it("goes on behind another device's function (#172) #process",
  function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local one, two = tide.Device "host:0", tide.Device "host:1"
      local function new (dev)
        return tide.with_device(dev, function ()
          return tide.Stream{ non_blocking = true }
        end)
      end
      for _ = 1, 20 do
        local t, u, ran = new(one), new(two), false
        t:launch_host_func(function () ran = true end)
        u:wait_event(t:record())
        u:synchronize()
        assert(ran)
        tide.with_device(two, function () tide.capture(function () end) end)
      end
      two:reset()
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)

end)
