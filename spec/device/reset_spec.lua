--[[
reset_spec.lua - dev:reset(): the device works again, after a fault too; what
was made before raises, can be closed, and is freed without a driver call.
]]
local helper = require "spec.support.helper"
local apart = require "spec.support.apart"

helper.each_device(function (kind)

describe("device:reset", function ()
  local function reset_it (name, fn)
    it(name, function () apart(kind, fn) end)
  end

  reset_it("makes a device that failed usable", function (tide, T, dev, fails,
                                                          recover)
    local s = tide.Stream()
    for _ = 1, 3 do
      T.fault(tide.Stream.null)
      fails("(700)", dev.synchronize, dev)
      if not recover() then return end
      assert(tide.arange(10):sum():item() == 45)
      local ran
      local t <close> = tide.Stream{ non_blocking = true }
      t:launch_host_func(function () ran = true end)
      t:synchronize()
      local g <close> = tide.capture(function () return tide.ones(3) * 2 end)
      g:launch()
      local h = tide.ones(5):tohost()
      assert(ran and h[5] == 1)
    end
    s:close()
  end)

  reset_it("works on a healthy device, and waits for its work", function (tide,
                                                                  _, dev)
    local s = tide.Stream{ non_blocking = true }
    local ran = 0
    local h = tide.HostArray(4)
    s:launch_host_func(function () ran = ran + 1 end)
    s:with(function () h:copy_from(tide.ones(4)) end)
    dev:reset():reset()
    assert(ran == 1)
    assert(tide.ones(4):sum():item() == 4)
  end)

  it("of a device that was never used does nothing #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local T, other = tide.T, tide.devices()[#tide.devices()]
      tide.ones(3)
      local before = T.calls()
      assert(other ~= tide.get_device() and other:reset() == other)
      print(T.calls() - before)
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("0\n", printed)
  end)

  reset_it("makes old objects raise", function (tide, _, dev, fails)
    local s, e, t = tide.Stream(), tide.Event(), tide.Stream()
    local a, h = tide.ones(8), tide.HostArray(8)
    local row = a:reshape{ 2, 4 }[1]
    local g = tide.capture(function () a:add_(1) end)
    local x = tide.ExternalStream(s.ptr)
    e:record(s)
    g:launch()
    dev:reset()
    local new, other = tide.ones(8), tide.Stream()
    local fresh = tide.HostArray(8)
    local calls = {
      function () return s.done end, function () return s.ptr end,
      function () return s.device_id end, function () s:use() end,
      function () s:synchronize() end, function () s:record() end,
      function () s:wait_stream(other) end,
      function () other:wait_stream(s) end,
      function () s:scope() end, function () s:with(print) end,
      function () s:begin_capture() end, function () s:end_capture() end,
      function () s:is_capturing() end, function () s:add_callback(print) end,
      function () s:launch_host_func(print) end, function () x:record() end,
      function () return e.done end, function () return e.ptr end,
      function () e:record() end, function () e:synchronize() end,
      function () other:wait_event(e) end, function () other:record(e) end,
      function () tide.get_elapsed_time(e, e) end,
      function () g:launch() end, function () g:upload() end,
      function () g:debug_dot() end, function () g:update(g) end,
      function () return a + 1 end, function () return new + a end,
      function () return a[1] end, function () a[1] = 2 end,
      function () return a.shape end, function () return #a end,
      function () return a:sum() end, function () return a:tohost() end,
      function () a:copy_from(new) end, function () new:copy_from(a) end,
      function () a:fill(1) end, function () return row + 1 end,
      function () return tide.add(new, new, { out = a }) end,
      function () return a:reshape(8) end, function () return tide.array(a) end,
      function () return h[1] end, function () h[1] = 2 end,
      function () h:fill(2) end, function () h:copy_from(new) end,
      function () new:copy_from(h) end, function () return h:totable() end,
      function () return new:tohost{ out = h } end,
      function () return tide.array(h) end, function () return h.ptr end,
    }
    for i, call in ipairs(calls) do
      local err = fails("device was reset", call)
      assert(not err:find("CUDA_ERROR", 1, true), i .. ": " .. err)
    end
    for _, old in ipairs{ s, t, e, g, a, h, row, x } do
      assert(tostring(old):find("device was reset", 1, true), tostring(old))
      old:close()
      fails("is closed", old.close, old)
    end
    assert(new:sum():item() == 8 and fresh[1] == 0)
  end)

  reset_it("frees what is old without a driver call", function (tide, T, dev,
                                                                _, recover)
    do
      local s, a, h = tide.Stream(), tide.ones(8), tide.HostArray(8)
      local g = tide.capture(function (t)
        a:add_(1)
        tide.get_current_stream():launch_host_func(print)
        return t
      end)
      local view = a:slice(2, 3)
      assert(s:record().device == dev and g and h and view)
      s:close()
      T.fault(tide.Stream.null)
      pcall(dev.synchronize, dev)
    end
    recover()
    local before = T.calls()
    collectgarbage()
    collectgarbage()
    tide.poll()
    assert(T.calls() == before, T.calls() - before)
    for name, n in pairs(T.held()) do
      assert(n == 0, name .. "=" .. n)
    end
  end)

  reset_it("forgets host functions that will not run", function (tide, T, _,
                                                            fails, recover)
    local s = tide.Stream{ non_blocking = true }
    local watch = setmetatable({}, { __mode = "v" })
    local function new (i)
      watch[i] = {}
      local x = watch[i]
      return function () return x end
    end
    T.fault(s)
    for i = 1, 5 do
      pcall(s.launch_host_func, s, new(i))
    end
    fails("(700)", s.synchronize, s)
    if not recover() then return end
    collectgarbage()
    collectgarbage()
    assert(next(watch) == nil and T.held().callbacks == 0)
    assert(tide.poll() == 0)
  end)

  reset_it("keeps scopes in order", function (tide, _, dev, fails)
    local outer = tide.get_current_stream()
    local s <close> = tide.Stream()
    local t <close> = tide.Stream()
    s:with(function ()
      t:with(function ()
        dev:reset()
        fails("the current stream is gone: device was reset", tide.ones, 3)
        assert(tide.get_current_stream() ~= outer)
      end)
      fails("device was reset", tide.ones, 3)
      tide.with_stream(function ()
        assert(tide.ones(3):sum():item() == 3)
      end)
      fails("device was reset", tide.ones, 3)
    end)
    assert(tide.get_current_stream() == outer)
    assert(tide.ones(3):sum():item() == 3)
  end)

  it("is refused in a finalizer, and no call is harmed #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local dev, refusals = tide.get_device(), 0
      local function arm ()
        setmetatable({}, { __gc = function ()
          local ok, err = pcall(dev.reset, dev)
          assert(not ok and err:find("called in a finalizer", 1, true), err)
          refusals = refusals + 1
        end })
      end
      local function new ()
        return tide.ones(8), tide.HostArray(8)
      end
      new()
      require "spec.support.collector".incremental(100, 1000, 8)
      for i = 1, 60 do
        local a, h = new()
        local calls = {
          function () return (a + i):sum():item() end,
          function () return a:slice(1, 4):totable() end,
          function () return tide.Stream():record():synchronize() end,
          function () h:copy_from(a) return h[1] end,
          function () return a:tohost():totable() end,
          function ()
            return tide.capture(function () a:add_(1) end):launch()
          end,
          function () return tostring(a), tostring(h) end,
        }
        for k, call in ipairs(calls) do
          if (i + k) % 7 == 0 then arm() end
          call()
        end
      end
      require "spec.support.collector".restore()
      collectgarbage()
      print(refusals > 10, tide.ones(8):sum():item())
    ]])
    assert.equal("true\t8.0\n", printed)
  end)

  reset_it("is refused in a capture", function (tide, _, dev, fails)
    local a = tide.ones(4)
    local s <close> = tide.Stream()
    s:begin_capture()
    s:with(function () a:add_(1) end)
    fails("device:reset: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900)",
          dev.reset, dev)
    local g <close> = s:end_capture()
    g:launch()
    assert(a:sum():item() == 8)
  end)

  reset_it("is refused in a host function", function (tide, _, dev)
    local s <close> = tide.Stream()
    local message
    s:launch_host_func(function ()
      message = select(2, pcall(dev.reset, dev))
    end)
    s:synchronize()
    assert(message:find("device:reset: CUDA_ERROR_NOT_PERMITTED (800)", 1,
                        true), message)
    assert(tide.ones(4):sum():item() == 4)
  end)

  reset_it("may fail at every call, and nothing is half done", function (tide,
                                                              T, dev)
    local function try (n, entry)
      local s, a, h = tide.Stream(), tide.ones(8), tide.HostArray(8)
      s:launch_host_func(function () end)
      T.failcall(n, 999, entry)
      local ok, err = pcall(dev.reset, dev)
      local failed = T.failed()
      T.failcall(0)
      assert(ok or err:find(failed, 1, true), err)
      local same, sum = pcall(function () return a:sum():item() end)
      assert(ok ~= same, n)
      assert(ok or sum == 8, sum)
      assert(select(2, pcall(h.fill, h, 1)) == h or ok)
      s:close()
      a:close()
      h:close()
      collectgarbage()
      collectgarbage()
      tide.poll()
      for name, left in pairs(T.held()) do
        assert(left == 0, n .. ": " .. name .. "=" .. left)
      end
      assert(tide.ones(3):sum():item() == 3)
      return failed
    end
    local n = 0
    repeat
      n = n + 1
    until not try(n)
    assert(n > 1)
    assert(try(1, "cuDevicePrimaryCtxReset") == "cuDevicePrimaryCtxReset")
  end)

  reset_it("may fail at every call after a fault", function (tide, T, dev, _,
                                                             recover)
    local n = 0
    repeat
      n = n + 1
      local s <close> = tide.Stream()
      T.fault(s)
      pcall(s.synchronize, s)
      T.failcall(n)
      local ok, err = pcall(dev.reset, dev)
      local failed = T.failed()
      T.failcall(0)
      assert(ok or err:find("(700)", 1, true) or
             err:find(tostring(failed), 1, true), err)
      if not recover() then return end
      assert(tide.ones(3):sum():item() == 3)
    until not failed
    assert(n > 1)
  end)

  it("renews the streams of TIDE_DEFAULT_STREAM=own #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local dev = tide.get_device()
      local a = tide.ones(3)
      local old = tide.get_current_stream()
      dev:reset()
      print(tide.ones(3):sum():item(), tide.get_current_stream() ~= old,
            tostring(old))
    ]], { TIDE_DEFAULT_STREAM = "own" })
    assert.equal("3.0\ttrue\ttide.Stream (device was reset)\n", printed)
  end)

  for _, task in ipairs{ "healthy", "failed", "functions", "threads" } do
    it("is one for all lua_States: " .. task .. " #process", function ()
      helper.program(kind, "resets", task)
    end)
  end

  it("leaves other devices alone #process", function ()
    local printed = helper.child_on(kind, ([[
      local tide = require "tide"
      local one, two = tide.Device "KIND:0", tide.Device "host:1"
      local a = tide.with_device(one, function () return tide.ones(4) end)
      local b = tide.with_device(two, function () return tide.ones(4) end)
      local s = tide.with_device(two, function () return tide.Stream() end)
      one:reset()
      print(b:sum():item(), s.done, (pcall(a.sum, a)))
      two:reset()
      print((pcall(b.sum, b)), (pcall(s.record, s)))
      print(tide.with_device(two, function ()
        return tide.ones(4):sum():item()
      end))
    ]]):gsub("KIND", kind, 1), { TIDE_HOST_DEVICES = "2" })
    assert.equal("4.0\ttrue\tfalse\nfalse\tfalse\n4.0\n", printed)
  end)

  it("ends while a stream waits for another device (#070) #process", function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local T, N = tide.T, 12
      local one, two = tide.Device "host:0", tide.Device "host:1"
      local function on (dev, fn) return tide.with_device(dev, fn) end
      local function stream () return tide.Stream{ non_blocking = true } end
      local g, list, ran = on(two, stream), {}, false
      on(one, function ()
        for i = 1, N do list[i] = stream() end
      end)
      local key = T.hold(g)
      g:launch_host_func(function () ran = true end)
      list[1]:wait_event(on(two, function ()
        return tide.Event():record(g)
      end))
      on(one, function () T.fault(list[2]) end)
      repeat until not pcall(list[2].synchronize, list[2])
      one:reset()
      for i = 1, N do list[i]:close() end
      tide.poll()
      local sum = on(one, function ()  -- new streams wait for nothing old
        local x = tide.zeros(100)
        for i = 1, 2 * N do
          list[i] = stream()
          list[i]:with(function () x:add_(1) end)
        end
        return x:sum():item()
      end)
      io.write(tostring(sum), " ", tostring(ran), " ")
      T.release(key)
      two:synchronize()
      print(ran)
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("2400.0 false true\n", printed)
  end)

  -- The threads of both reads have begun, one behind the other in one queue.
  helper.host_it("lets reads that are under way end in any order (#269) " ..
                 "#process", function ()
    local path = os.tmpname()
    helper.program(kind, "slowreads", ([[
      local tide = require "tide"
      local T, dev, path <const> = tide.T, tide.get_device(), %q
      local PIECE <const> = 256 << 10
      T.slots(true)
      do
        local f <close> = io.open(path, "wb")
        f:write(("x"):rep(2 * PIECE))
      end
      local f = tide.open(path)
      local faulty = tide.Stream{ non_blocking = true }
      local s = tide.Stream{ non_blocking = true }
      local a, b = tide.empty(PIECE, "uint8"), tide.empty(PIECE, "uint8")
      dev:synchronize()
      local key = T.hold(faulty)
      T.hold(s)
      T.fault(faulty)
      s:with(function ()
        f:read(a, 0)
        f:read(b, PIECE)
      end)
      T.release(key)
      local begun <const> = tide.clock() + 0.005
      repeat until tide.clock() >= begun
      dev:reset()
      local c = tide.empty(2 * PIECE, "uint8")
      f:read(c, 0)
      assert(c:sum():item() == 2 * PIECE * ("x"):byte())
    ]]):format(path))
    os.remove(path)
  end)
end)

end)
