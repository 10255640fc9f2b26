--[[
sticky_spec.lua - a device that fails: the error says what may have done it,
every later call says the same, other devices go on, nothing leaks; debug_sync
finds the call.
]]
local lib = require "tide"  -- tests have a "tide" of their own
local helper = require "spec.support.helper"
local apart = require "spec.support.apart"

helper.each_device(function (kind)

describe("a fault", function ()
  local function fault_it (name, fn)
    it(name, function () apart(kind, fn) end)
  end

  fault_it("names code, operation, stream and line", function (tide, T, dev)
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.ones(8)
    dev:synchronize()
    local line = debug.getinfo(1, "l").currentline + 1
    s:with(function () T.fault(s) end)
    local ok, err = pcall(function ()
      local b = a + 1
      s:synchronize()
      return b:sum():item()
    end)
    assert(not ok)
    assert(err:find("CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory " ..
                    "access was encountered\n", 1, true), err)
    assert(err:find("^[^\n]*%.lua:%d+: cu%u%w+: CUDA_ERROR"), err)
    assert(err:find(("\n  fault_i64 on stream 0x%%x+, [^\n]*%%.lua:%d")
                    :format(line)), err)
    local info = tide.errorinfo(err)
    assert(info.name == "CUDA_ERROR_ILLEGAL_ADDRESS" and info.code == 700)
    assert(info.call:find "^cu%u")
  end)

  fault_it("lists what was not known to be done, the most suspect first",
           function (tide, T, _, fails)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local a, b
    s:with(function ()
      a = tide.ones(8, "float32")
      b = tide.HostArray(8, "float32")
      s:synchronize()  -- fill is known to be done
    end)
    local key = T.hold(s)
    t:with(function () return tide.arange(4) end)
    s:with(function ()
      b:copy_from(a)
      a:add_(1)
      T.fault(s)
    end)
    T.release(key)
    local err = fails("(700)", s.synchronize, s)
    local order = {}
    for name in err:gmatch "\n  (%S+) on stream" do
      order[#order + 1] = name
    end
    assert(order[1] == "fault_i64", err)
    assert(not err:find("fill_f32", 1, true), err)
    assert(err:find("arange_i64", 1, true) < err:find("add_vs_f32", 1, true),
           err)
    assert(order[#order]:find "copy", err)
  end)

  fault_it("of a loop names its places once", function (tide, T, dev, fails)
    local a = tide.ones(8)
    dev:synchronize()
    local key = T.hold(tide.Stream.null)
    for _ = 1, 40 do
      a:add_(1)
      a:mul_(2)
    end
    T.fault(tide.Stream.null)
    T.release(key)
    local err = fails("(700)", function () return a:sum():item() end)
    assert(select(2, err:gsub("add_vs_f64 on stream null", "")) == 1, err)
    assert(select(2, err:gsub("mul_vs_f64 on stream null", "")) == 1, err)
  end)

  fault_it("of a program with thousands of chunks names those it can",
           function (tide, T, dev, fails)
    local a = tide.ones(8)
    local s <close> = tide.Stream{ non_blocking = true }
    for i = 1, 1500 do
      load("local a = ... a:add_(1)", "=chunk" .. i)(a)
    end
    dev:synchronize()
    load("local T, s = ... T.fault(s)", "=chunk7")(T, s)
    local err = fails("fault_i64 on stream", s.synchronize, s)
    assert(err:find("chunk7:1", 1, true), err)
  end)

  fault_it("is the same in every later call", function (tide, T, dev, fails)
    local s, e = tide.Stream(), tide.Event()
    local a, h = tide.ones(8), tide.HostArray(8)
    local g = tide.capture(function () a:add_(1) end)
    dev:synchronize()
    T.fault(s)
    local first = fails("fault_i64", s.synchronize, s)
    first = first:match "cu%u.*"
    local calls = {
      function () return s.done end, function () s:record() end,
      function () s:synchronize() end, function () s:wait_event(e:record()) end,
      function () s:begin_capture() end, function () return tide.Stream() end,
      function () return tide.Event() end, function () e:record() end,
      function () return a + 1 end, function () return a[1] end,
      function () return a:totable() end, function () h:copy_from(a) end,
      function () return a:tohost() end, function () a:copy_from(h) end,
      function () return tide.zeros(5) end, function () g:launch() end,
      function () g:upload() end, function () dev:synchronize() end,
      function () dev:memory_info() end, function () dev:use() end,
      function () s:launch_host_func(print) end,
      function () tide.capture(function () end) end,
      function () tide.with_stream(function () end) end,
    }
    for i, call in ipairs(calls) do
      local err = fails("(700)", call)
      assert(err:match "cu%u.*" == first, i .. ": " .. err)
    end
    for _, x in ipairs{ s, e, g } do
      assert(type(tostring(x)) == "string")
      x:close()
    end
    a:close()
    h:close()
    tide.poll()
  end)

  fault_it("leaves what is known and what is in page-locked memory",
           function (tide, T, dev, fails)
    local h = tide.ones(4):tohost()
    T.fault(tide.Stream.null)
    fails("(700)", dev.synchronize, dev)
    assert(h[1] == 1 and #h == 4 and h.dtype == "float64")
    assert(dev.name and dev.total_memory > 0 and tostring(dev))
    h:close()
  end)

  fault_it("lets finalizers, close and scopes be", function (tide, T, dev,
                                                             fails)
    local s = tide.Stream()
    local outer = tide.get_current_stream()
    local err = fails("(700)", function ()
      local _ <close> = s:scope()
      local a <close> = tide.ones(8)
      local e <close> = s:record()
      local t <close> = tide.Stream()
      T.fault(s)
      s:synchronize()
      return a, e, t
    end)
    assert(err:find("fault_i64", 1, true), err)
    assert(tide.get_current_stream() == outer)
    fails("(700)", tide.with_stream, s, function () tide.ones(3) end)
    assert(tide.get_current_stream() == outer)
    s:close()
    collectgarbage()
    collectgarbage()
    tide.poll()
    assert(dev == tide.get_device())
    for name, n in pairs(T.held()) do
      assert(n == 0, name .. "=" .. n)
    end
  end)

  fault_it("in a graph names the launch", function (tide, T, dev, fails)
    local a = tide.ones(8)
    local s <close> = tide.Stream{ non_blocking = true }
    s:begin_capture()
    s:with(function () a:add_(1) end)
    T.fault(s)
    local g <close> = s:end_capture()
    dev:synchronize()
    local line = debug.getinfo(1, "l").currentline + 1
    g:launch(s)
    local err = fails("graph:launch on stream 0x", s.synchronize, s)
    assert(err:find(":" .. line, 1, true), err)
  end)

  fault_it("keeps host functions behind it from running", function (tide, T,
                                                                    _, fails)
    local s <close> = tide.Stream{ non_blocking = true }
    local ran = 0
    s:launch_host_func(function () ran = ran + 1 end)
    s:synchronize()
    T.fault(s)
    pcall(s.launch_host_func, s, function () ran = ran + 1 end)
    fails("(700)", s.synchronize, s)
    pcall(s.synchronize, s)
    assert(ran == 1)
  end)

  fault_it("in a capture can end it", function (tide, T, _, fails)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    s:begin_capture()
    T.fault(t)
    fails("(700)", t.synchronize, t)
    fails("(700)", s.end_capture, s)
    assert(not s:is_capturing())
  end)

  it("on one device leaves the others alone #process", function ()
    local printed = helper.child(([[
      local tide = require "tide"
      local T, bad, good = tide.T, tide.Device "KIND:0", tide.Device "host:1"
      bad:use()
      local a = tide.ones(8)
      local held = tide.with_device(good, function () return tide.ones(8) end)
      local s = tide.Stream()
      T.fault(s)
      print(pcall(s.synchronize, s))
      s:close()
      a = nil
      tide.with_device(good, function ()
        local t <close> = tide.Stream{ non_blocking = true }
        local ran
        t:launch_host_func(function () ran = true end)
        t:synchronize()
        for i = 1, 50 do
          held = held + tide.ones(8)
          collectgarbage()
        end
        print(ran, held:sum():item(), good:memory_info() > 0)
      end)
      print(select(2, pcall(tide.ones, 3)):match "%w+:%d cannot be used")
    ]]):gsub("KIND", kind, 1),
      { TIDE_HOST_DEVICES = "2", TIDE_DEVICE = kind })
    assert.is_truthy(printed:find("\ntrue\t408.0\ttrue\n" .. kind ..
                                  ":0 cannot be used\n"), printed)
  end)

  it("that nobody gets over still ends the process well #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local s = tide.Stream()
      local a = tide.ones(100)
      s:launch_host_func(function () end)
      tide.T.fault(s)
      pcall(s.launch_host_func, s, print, 1)
      pcall(s.synchronize, s)
      pcall(s.begin_capture, s)
      watch = setmetatable({}, { __gc = function ()
        pcall(a.sum, a)
        print "end"
      end })
    ]])
    assert.is_truthy(printed:find("^end\ntide: a host function " ..
                                  "never ran, queued at [^\n]*\n$"), printed)
  end)

  it("leaves no driver object alive #process", function ()
    local printed = helper.child_on(kind, [[
      local live
      last = setmetatable({}, { __gc = function ()  -- after all of tide
        for name, n in pairs(live()) do
          if n ~= 0 then print(name, n) end
        end
        print "end"
      end })
      local tide = require "tide"
      live = tide.T.live
      local s, a, h = tide.Stream(), tide.ones(100), tide.HostArray(4)
      local g = tide.capture(function () return a * 2 end)
      tide.T.fault(s)
      print(pcall(s.synchronize, s))
      print(g, #h)
    ]])
    assert.is_truthy(printed:find "Graph.*\nend\n$", printed)
    assert.is_falsy(printed:find "\n%l+\t%-?%d+\n", printed)
  end)
end)

describe("a lost device", function ()
  for _, code in ipairs{ 46, 214, 719, 999 } do
    it("is one whose every call fails: code " .. code, function ()
      -- string.dump keeps no upvalues
      local body = load(([[
        local tide, T, dev, fails = ...
        local CODE = %d
        local s, a = tide.Stream{ non_blocking = true }, tide.ones(8)
        dev:synchronize()
        a:add_(1)
        local code = ("(%%d)"):format(CODE)
        T.lose(dev, CODE)
        local err = fails(code, s.synchronize, s)
        assert(err:find("add_vs_f64", 1, true), err)
        assert(fails(code, tide.ones, 8):match "cu%%u.*" ==
               err:match "cu%%u.*")
        fails(code, dev.reset, dev)  -- it is still lost
        fails(code, tide.ones, 8)
        fails("device was reset", s.record, s)
        fails("device was reset", a.sum, a)
        T.lose(dev, 0)
        assert(tide.ones(8):sum():item() == 8)
        s, a = nil, nil
      ]]):format(code), "=lost")
      apart(kind, body)
    end)
  end

  it("is not one whose one call fails", function ()
    local s <close> = lib.Stream{ non_blocking = true }
    helper.T.failcall(1, 700, "cuEventRecord")
    local err = helper.fails("(700)", s.record, s)
    assert.is_falsy(err:find("of no use", 1, true))
    s:record():synchronize()
  end)
end)

describe("debug_sync", function ()
  after_each(function () lib.debug_sync(false) end)

  it("gives the old value, and wants a boolean", function ()
    assert.is_false(lib.debug_sync())
    assert.is_false(lib.debug_sync(true))
    assert.is_true(lib.debug_sync())
    assert.is_true(lib.debug_sync(false))
    helper.fails("boolean expected", lib.debug_sync, 1)
  end)

  it("waits for each operation", function ()
    lib.debug_sync(true)
    local s <close> = lib.Stream{ non_blocking = true }
    local ran = 0
    local e <close> = lib.Event()
    s:with(function ()
      local a = lib.ones(4)
      assert.is_true(s.done)
      s:launch_host_func(function ()
        ran = ran + 1
        lib.ones(3):add_(1)
      end)
      assert.equal(1, ran)
      a:add_(2)
      e:record()
      assert.is_true(s.done and e.done)
    end)
  end)

  it("is no wait that sync_debug sees", function ()
    lib.debug_sync(true)
    lib.sync_debug "error"
    local s <close> = lib.Stream{ non_blocking = true }
    local key = helper.T.hold(s)
    helper.T.release(key)
    s:with(function () lib.ones(4):add_(1) end)
    lib.sync_debug "off"
  end)

  it("waits for nothing in a capture", function ()
    lib.debug_sync(true)
    local a = lib.zeros(4)
    local g <close> = lib.capture(function ()
      a:add_(1)
      lib.get_current_stream():launch_host_func(function () end)
      a:add_(1)
    end)
    assert.equal(0, a:sum():item())
    g:launch()
    assert.equal(8, a:sum():item())
  end)

  it("makes the guilty call raise, by line", function ()
    apart(kind, function (tide, T)
      tide.debug_sync(true)
      local s <close> = tide.Stream{ non_blocking = true }
      local a = tide.ones(8)
      local line = debug.getinfo(1, "l").currentline + 1
      local ok, err = pcall(function () T.fault(s) end)
      tide.debug_sync(false)
      assert(not ok)
      assert(err:find("^[^\n]*:" .. line .. ": cuLaunchKernel: CUDA_ERROR_" ..
                      "ILLEGAL_ADDRESS %(700%): "), err)
      assert(select(2, err:gsub("\n  %S+ on stream", "")) == 1, err)
      a:close()
    end)
  end)
end)

end)
