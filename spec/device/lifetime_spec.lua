--[[
lifetime_spec.lua - what ends when: collection in mid-flight, and ends of the
process with work pending (#process: see run.lua).
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

local function collect ()
  collectgarbage()
  collectgarbage()
end

helper.each_device(function (kind)

describe("dropped in mid-flight:", function ()
  it("a stream with work and a host function", function ()
    local a, ran = tide.zeros(4, "int64"), 0
    local key
    do
      local s = new()
      key = T.hold(s)
      s:with(function () a:add_(2) end)
      s:launch_host_func(function () ran = ran + 1 end)
      s:with(function () a:mul_(10) end)
    end
    collect()
    tide.poll()
    T.release(key)
    assert.equal(80, a:sum():item())
    assert.equal(1, ran)
  end)

  it("arrays that a held stream still reads", function ()
    local s <close> = new()
    local out = tide.zeros(1000, "int64")
    local key = T.hold(s)
    s:with(function ()
      for i = 1, 50 do
        out:add_(tide.full(1000, i))
      end
    end)
    collect()
    local noise = {}
    for i = 1, 50 do
      noise[i] = tide.full(1000, -1)
    end
    assert.equal(50, #noise)
    T.release(key)
    assert.equal(1275000, out:sum():item())
  end)

  it("an event somebody waits for", function ()
    local s <close> = new()
    local t <close> = new()
    local key = T.hold(s)
    t:wait_event(s:record())
    collect()
    tide.poll()
    for _ = 1, 100 do  -- its handle may be used for others
      tide.Stream.null:record()
    end
    local e <close> = t:record()
    assert.is_false(e.done)
    T.release(key)
    e:synchronize()
  end)

  it("a graph that is replaying", function ()
    local s <close> = new()
    local out = tide.zeros(100, "int64")
    local key = T.hold(s)
    do
      local g = tide.capture(function ()
        out:add_(tide.full(100, 3))
      end)
      for _ = 1, 10 do
        g:launch(s)
      end
    end
    collect()
    tide.poll()
    T.release(key)
    assert.equal(3000, out:sum():item())
  end)

  it("a capturing stream", function ()
    do
      local s = new():begin_capture()
      s:with(function () tide.ones(5) end)
      s:launch_host_func(print)
    end
    collect()
    tide.poll()
    assert.equal(0, T.held().captures)
  end)

  it("everything at once, many times over", function ()
    local pick = helper.generator(99)
    local keep = {}
    for i = 1, 300 do
      local s = new()
      local a = s:with(function () return tide.full(64, i) * 2 end)
      local e = s:record()
      local g = tide.capture(function () a:add_(1) end)
      g:launch(s)
      s:launch_host_func(function () return a.size end)
      local all = { s, a, e, g }
      keep[pick(20)] = all[pick(4)]
      assert.is_true(next(keep) ~= nil)
      if pick(30) == 1 then
        collectgarbage()
      end
    end
    tide.Device(kind):synchronize()
  end)

  it("streams and graphs, though a driver call fails then (#007)", function ()
    for what, make in pairs{
      streams = new,
      graphs = function ()
        return (tide.capture(function () return tide.ones(4) end))
      end
    } do
      local x = make()
      tide.poll()
      debug.getmetatable(x).__close(x)  -- only drops it
      T.failcall(1, 999, "cuCtxSetCurrent")
      pcall(tide.poll)
      assert.equal("cuCtxSetCurrent", T.failed())
      T.failcall(0)
      tide.poll()
      assert.equal(0, T.held()[what])
    end
  end)

  -- The driver's answer about its event is an error, once.
  for name, make in pairs{
    ["a graph"] = function (a)
      return (tide.capture(function () a:add_(1) end))
    end,
    ["a kernel"] = function ()
      return tide.fuse(function (x) return x + 3 end)
    end,
  } do
    it(name .. " whose query fails (#109)", function ()
      local graph = name == "a graph"
      local a = tide.zeros(4)
      local function count ()
        return graph and T.live().graphs or T.kept().codes
      end
      local function use ()
        local x = make(a)
        if graph then x:launch() else x(a) end
      end
      if not pcall(use) then return end  -- no NVRTC
      tide.get_device():synchronize()
      collect()
      tide.poll()
      local s <close>, before = new(), count()
      local key = T.hold(s)
      s:with(use)
      collect()
      T.failcall(1, 999, "cuEventQuery")
      tide.poll()
      local failed, left = T.failed(), count()
      T.failcall(0)
      T.release(key)
      s:synchronize()
      collect()
      tide.poll()
      assert.same({ "cuEventQuery", before + 1, before },
                  { failed, left, count() })
    end)
  end
end)

describe("what an operation makes for itself", function ()
  it("goes with it, not when the collector comes", function ()
    local a, b = tide.arange(600, "int32"), tide.arange(600):eq(3)
    local f, h = a:astype "float32", a:astype "float16"
    local c, one = a:astype "complex64", tide.ones(1, "float16")
    local t, tf = a:broadcast_to{ 5, 600 }.T, f:broadcast_to{ 5, 600 }.T
    local m = tide.ones({ 20, 30 }, "float32")
    local n = m:astype "int32"
    local at, out = tide.array{ 1, 3 }, tide.zeros(1200, "float32")
    local every = out[{ { 1, 1200, 2 } }]
    local row, nought = tide.ones(5, "float32"), tide.zeros({}, "float32")
    local add = tide.ElementwiseKernel("T x, U y", "T z", "z = x + y", "add")
    local dot = tide.ReductionKernel("T x, T y", "T z", "x * y", "a + b",
                                     "z = a", "0", "dot")
    local both = tide.fuse(function (x, y) return (x - y):sum(1), x * y end)
    local makes = {
      function () return a / 2 end,
      function () return t + 1.5 end,
      function () return a + one end,
      function () return c * a end,
      function () return f:add(f, { out = every }) end,
      function () return a:gt(2.5) end,
      function () return a:sin() end,
      function () return a:isnan() end,
      function () return c:abs() end,
      function () return a:logical_and(a) end,
      function () return t:astype "float64" end,
      function () return a:astype "bfloat16" end,
      function () return tide.where(t, 1, 2) end,
      function () return tide.where(b, a, f) end,
      function () return t:clip(1, 3) end,
      function () return a:clip(f, a) end,
      function () return t:sum() end,
      function () return t:sum(1) end,
      function () return tf:sum(2) end,
      function () return h:prod() end,
      function () return t:max() end,
      function () return t:all(1) end,
      function () return a:mean() end,
      function () return tf:mean(1) end,
      function () return h:var() end,
      function () return t:std(2) end,
      function () return t:argmax(1) end,
      function () return h:argmin() end,
      function () return tf:cumsum(2) end,
      function () return h:cumprod() end,
      function () return tf:sort(1) end,
      function () return f:argsort() end,
      function () return tf:take(at, 1) end,
      function () return f:mask(b) end,
      function () return m:matmul(n.T) end,
      function () return m.T:dot(n) end,
      function () return f:dot(a) end,
      function () return tide.concatenate{ a, f } end,
      function () return tide.stack{ a, f } end,
      function () return a:tile(3) end,
      function () return a:repeat_each(3) end,
      function () return t:roll(1) end,
      function () return t:reshape(3000) end,
      function () return t:flatten() end,
      function () return add(tf, row) end,
      function () return add(f, f, { out = every }) end,
      function () return dot(tf, row, { axis = 1 }) end,
      function () return dot(f, f) end,
      function () return dot(every, f, { out = nought }) end,
      function () return both(tf, row) end,
      function () return both(f, 2) end,
    }
    for _, make in ipairs(makes) do  -- each device's own come with the first
      make()
    end
    collect()
    collectgarbage "stop"
    finally(function () collectgarbage "restart" end)
    local before = tide.memory_stats().live
    for i, make in ipairs(makes) do
      for _, z in ipairs{ make() } do
        if z ~= every and z ~= nought then z:close() end
      end
      assert.equal(before, tide.memory_stats().live, "of " .. i)
    end
  end)
end)

describe("a closed stream that is current", function ()
  it("works on; others raise", function ()
    local s = new():use()
    local key = T.hold(s)
    s:close()
    local a = tide.ones(4)
    fails("stream is closed", s.synchronize, s)
    assert.equal("tide.Stream (closed)", tostring(tide.get_current_stream()))
    T.release(key)
    assert.equal(4, a:sum():item())
  end)
end)

describe("the end of the process #process", function ()
  local WORK = [[
    local tide = require "tide"
    local s, t = tide.Stream{ non_blocking = true }, tide.Stream()
    local a, h = tide.zeros(100000), tide.HostArray(100000)
    local g = tide.capture(function ()
      a:add_(1)
      tide.get_current_stream():launch_host_func(error, "must not run")
      h:copy_from(a)
    end)
    for _ = 1, 5 do
      s:launch_host_func(error, "must not run")
      g:launch(s)
      t:wait_stream(s)
      t:with(function () a = a + 1 end)
      tide.Stream.null:launch_host_func(error, "must not run")
    end
  ]]

  -- The state is closed: ten functions have not run, and eight are named.
  local function ends (code, wanted, left_open)
    local printed, ok, status = helper.child(WORK .. code,
                                             { TIDE_DEVICE = kind })
    local rest, warnings = printed:gsub("tide: a host function " ..
      "never ran, queued at %b():%d+\n", "")
    assert.equal(left_open and "" or
                 "tide: further reports of this kind: 2\n", rest)
    assert.equal(left_open and 0 or 8, warnings)
    assert.equal(wanted == 0, ok)
    assert.equal(wanted, status)
  end

  it("lua_close with work pending runs dry", function () ends("", 0) end)

  it("os.exit without closing the state", function ()
    ends("os.exit(3)", 3, true)
  end)

  it("os.exit that closes the state", function ()
    ends("os.exit(4, true)", 4)
  end)

  it("os.exit inside a host function", function ()
    local code = [[
      local tide = require "tide"
      local s = tide.Stream()
      s:launch_host_func(os.exit, %s)
      s:launch_host_func(error, "must not run")
      s:synchronize()
    ]]
    local printed, _, status = helper.child(code:format "6",
                                            { TIDE_DEVICE = kind })
    assert.same({ "", 6 }, { printed, status })
  end)

  it("an open capture", function ()
    ends("local u = tide.Stream{ non_blocking = true } " ..
         "u:begin_capture() u:launch_host_func(print) " ..
         "tide.Stream{ non_blocking = true }:begin_capture('global')", 0)
  end)

  it("closed from a coroutine, and in a scope", function ()
    ends("coroutine.wrap(function () local _ <close> = s:scope() " ..
         "os.exit(5, true) end)()", 5)
  end)

  it("finalizers of others find tide closed, not crashed", function ()
    local printed = helper.child_on(kind, [[
      -- Older than tide, so it runs after tide's own.
      OLD = setmetatable({}, { __gc = function ()
        local ok, err = pcall(TIDE.ones, 3)
        print(ok, err)
      end })
      TIDE = require "tide"
      STREAM = TIDE.Stream()
      -- Younger: tide still works.
      YOUNG = setmetatable({}, { __gc = function ()
        print(TIDE.ones(3):sum():item())
      end })
    ]])
    assert.is_truthy(printed:find("^3%.0\nfalse\t.*tide is closed"), printed)
  end)

  it("after fork the child gets an error and ends in peace", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      assert(tide.ones(10):sum():item() == 10)
      local pipe = io.popen("true")  -- a fork, of a child that execs
      pipe:close()
      assert(tide.ones(10):sum():item() == 10)
      print "fine"
    ]])
    assert.equal("fine\n", printed)
  end)
end)

describe("Ctrl-C #process", function ()
  local PRELUDE = [[
    local tide = require "tide"
    local T = tide.T
    local s = tide.Stream{ non_blocking = true }
    s:synchronize()
    local function interrupt ()  -- the next wait, which runs the function
      tide.Stream{ non_blocking = true }:launch_host_func(function ()
        KILL = io.popen "sleep 0.2; kill -INT $PPID"
      end)
    end
  ]]

  it("during a wait raises interrupted!, and all goes on", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      local key = T.hold(s)
      interrupt()
      local ok, err = pcall(s.synchronize, s)
      T.release(key)
      assert(not ok)
      print(err)
      s:synchronize()
      print(tide.ones(3):sum():item())
    ]])
    assert.is_truthy(printed:find("interrupted!", 1, true), printed)
    assert.is_truthy(printed:find("\n3.0\n", 1, true), printed)
  end)

  it("uncaught ends the program as it ends any", function ()
    local printed, ok, status = helper.child(PRELUDE .. [[
      local key = T.hold(s)
      local _ <close> = setmetatable({}, { __close = function ()
        T.release(key)
      end })
      interrupt()
      s:record():synchronize()
    ]], { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.equal(1, status)
    assert.is_truthy(printed:find("interrupted!", 1, true), printed)
    assert.is_truthy(printed:find("stack traceback", 1, true), printed)
  end)

  it("ends a graph that launches itself again and again (#129)", function ()
    local printed, ok, status = helper.child(PRELUDE .. [[
      local g, n
      n = 0
      g = tide.capture(function ()
        tide.get_current_stream():launch_host_func(function ()
          n = n + 1
          g:launch(s)
          if n == 5 then io.popen("kill -INT $PPID"):close() end
        end)
      end)
      g:launch(s)
      while true do s:synchronize() end
    ]], { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.equal(1, status)
    assert.is_truthy(printed:find("interrupted!", 1, true), printed)
  end)

  -- Lua's own program sets its hook on the main thread.
  it("just before a wait in a coroutine ends that (#165)", function ()
    local printed, ok, status = helper.child([[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      local function tick () s:launch_host_func(tick) end
      coroutine.wrap(function ()
        io.popen("kill -INT $PPID"):close()
        tick()
        tide.Stream.null:synchronize()
        while true do s:synchronize() end
      end)()
    ]], { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.equal(1, status)
    assert.is_truthy(printed:find("interrupted!", 1, true), printed)
  end)
end)

end)
