--[[
kept_spec.lua - work behind host functions is kept in lists until these have run
(src/rt/queue/kept.c): what is kept, and in which order it goes out. Nothing of
it reaches the device before, and no call of a function blocks. How much it may
be: kept_bound_spec.lua. Its errors: kept_errors_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

helper.each_device(function (kind)

local function nothing () end

local function make (n)
  local list = {}
  for i = 1, n do
    list[i] = new()
  end
  return list
end

local function close (list)
  for _, s in ipairs(list) do
    s:close()
  end
end

local function kept () return T.kept().operations end

local function finish () tide.Device(kind):synchronize() end

describe("behind a host function", function ()
  it("all is kept, and no function runs", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b, h = tide.zeros(8), tide.ones(8), tide.HostArray(8)
    local e, g = tide.Event(), tide.capture(function () a:add_(1) end)
    finish()
    local ran = false
    s:launch_host_func(function () ran = true end)
    s:with(function ()
      a:add_(2)
      h:copy_from(a)
      g:launch()
    end)
    s:record(e)
    t:wait_event(e)
    t:with(function () b:copy_from(a) end)
    assert.is_false(ran)
    assert.is_true(kept() >= 7, kept())
    assert.is_false(e.done)
    t:synchronize()
    assert.is_true(ran and e.done)
    assert.equal(0, kept())
    assert.same({ 24, 16 }, { b:sum():item(), tide.array(h):sum():item() })
    g:close()
  end)

  for name, queue in pairs{
    cuLaunchKernel = function (_, a) a:add_(1) end,
    cuGraphLaunch = function (_, _, _, g) g:launch() end,
    cuEventRecord = function (s, _, e) s:record(e) end,
  } do
    it("no " .. name .. " is called", function ()
      local s <close>, a, e = new(), tide.zeros(8), tide.Event()
      local g <close> = tide.capture(function () a:add_(1) end)
      s:with(queue, a, e, g)
      finish()
      s:launch_host_func(nothing)
      assert.equal(0, helper.during(name, function ()
        s:with(queue, a, e, g)
      end))
      finish()
      assert.equal(0, kept())
    end)
  end

  it("an event is not done while its recording is kept", function ()
    local s <close> = new()
    local e = s:record()
    e:synchronize()
    s:launch_host_func(nothing)
    s:record(e)
    helper.spin(2)
    assert.is_false(e.done)
    tide.poll()
    e:synchronize()
    assert.is_true(e.done)
  end)

  it("an event that is recorded elsewhere meanwhile is that one", function ()
    local s <close> = new()
    local t <close> = new()
    local e = tide.Event()
    s:launch_host_func(function () end)
    s:record(e)
    t:record(e)
    t:synchronize()
    assert.is_true(e.done)
    s:synchronize()
    assert.is_true(e.done)
  end)

  it("files are written and read", function ()
    local path = os.tmpname()
    do
      local s <close> = new()
      local f <close> = tide.open(path, "r+")
      local h, a = tide.HostArray(1000), tide.zeros(1000)
      local b, ran = tide.zeros(1000), false
      s:launch_host_func(function () h:fill(7) ran = true end)
      s:with(function ()
        a:copy_from(h)
        f:write(a, 0)
        a:fill(0)
        f:read(b, 0)
      end)
      assert.is_false(ran)
      s:synchronize()
      assert.same({ 7000, 0 }, { b:sum():item(), a:sum():item() })
      assert.equal(8000, f.size)
    end
    os.remove(path)
  end)

  it("page-locked and other memory read one file in turn", function ()
    local path = os.tmpname()
    local out = assert(io.open(path, "w"))
    out:write(("x"):rep(3 << 20)):close()
    for _, slots in ipairs{ false, true } do
      T.slots(slots)
      local s <close> = new()
      local f <close> = tide.open(path)
      local h = tide.HostArray(3 << 20, "uint8")
      local a = tide.zeros(3 << 20, "uint8")
      s:launch_host_func(nothing)
      s:with(function ()
        f:read(h, 0)
        f:read(a, 0)
      end)
      s:synchronize()
      assert.is_true(a:tobytes() == h:tobytes())
    end
    T.slots(false)
    os.remove(path)
  end)

  it("a decomposition is kept like a kernel", function ()
    local s <close> = new()
    local a, ran = tide.array{ { 4., 2 }, { 2, 3 } }, false
    tide.linalg.cholesky(a)
    finish()
    s:launch_host_func(function () ran = true end)
    local x = s:with(function () return tide.linalg.cholesky(a:add_(a)) end)
    assert.is_false(ran)
    s:synchronize()
    assert.is_true(ran)
    assert.near(math.sqrt(8), x[1][1], 1e-12)
    assert.near(math.sqrt(2), x[2][1], 1e-12)
    assert.near(2, x[2][2], 1e-12)
  end)

  it("the null stream and blocking streams keep the order of calls",
     function ()
    local null, h, k = tide.Stream.null, tide.HostArray(64), tide.HostArray(64)
    local s <close> = tide.Stream()
    local t <close> = tide.Stream()
    local order = {}
    local function say (what)
      return function () order[#order + 1] = what end
    end
    for round = 1, 20 do
      order = {}
      local a = tide.zeros(64)
      s:launch_host_func(function () h:fill(round) say "s" () end)
      s:with(function () a:copy_from(h) end)
      null:launch_host_func(say "null")
      t:launch_host_func(say "t")
      t:with(function () k:copy_from(a) end)
      null:with(function () a:fill(-1) end)
      t:synchronize()
      assert.same({ "s", "null", "t" }, order)
      assert.same({ round, -1 }, { k[64], a[1] })
    end
  end)
end)

describe("host functions", function ()
  it("may be on a thousand streams, with work behind each", function ()
    local n = 1000
    local streams, order = make(n), {}
    local a = tide.zeros(4, "int64")
    finish()
    for i, s in ipairs(streams) do
      s:launch_host_func(function () order[#order + 1] = i end)
      s:with(function () a:add_(1) end)
    end
    assert.equal(0, #order)
    assert.equal(2 * n, kept())
    finish()
    assert.equal(n, #order)
    table.sort(order)
    assert.same({ 1, n }, { order[1], order[n] })
    assert.equal(n, a[4])
    close(streams)
  end)

  it("may be ten thousand in a row, with work between", function ()
    local s <close>, n = new(), 10000
    local a, order = tide.zeros(4, "int64"), true
    local ran = 0
    s:with(function ()
      for i = 1, n do
        s:launch_host_func(function ()
          ran = ran + 1
          order = order and ran == i
        end)
        a:add_(1)
      end
    end)
    assert.equal(0, ran)
    s:synchronize()
    assert.is_true(order)
    assert.same({ n, n }, { ran, a[1] })
  end)

  it("may be a thousand in one graph", function ()
    local s <close>, n, ran = new(), 1000, 0
    local a = tide.zeros(4, "int64")
    local seen = tide.HostArray(4, "int64")
    local right = true
    local g <close> = tide.capture(function ()
      for i = 1, n do
        a:add_(1)
        seen:copy_from(a)
        tide.get_current_stream():launch_host_func(function ()
          ran = ran + 1
          right = right and seen[4] == (ran - 1) // n * n + i
        end)
      end
    end)
    for _ = 1, 3 do
      g:launch(s)
    end
    assert.equal(0, ran)
    s:synchronize()
    assert.is_true(right)
    assert.same({ 3 * n, 3 * n }, { ran, a[1] })
  end)

  it("keep the graph that is launched behind them", function ()
    local s <close> = new()
    local t <close> = new()
    local g = tide.capture(function () end)
    local ran = false
    s:launch_host_func(function () ran = true end)
    g:launch(s)
    g:launch(t)  -- nothing but the graph itself orders the two
    g:close()
    for _ = 1, 1000 do
      tide.ones(3):close()
      assert.is_false(ran)
    end
    t:synchronize()
    assert.is_true(ran)
    s:synchronize()
  end)

  it("come after what a launch does, as the first one of a graph", function ()
    local s <close> = new()
    local t <close> = new()
    local a, h, x = tide.full(8, 7.0), tide.HostArray(8), tide.zeros(8)
    local seen, key
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(function () seen = h[1] end)
      x:copy_from(h)
    end)
    tide.get_device():synchronize()
    key = T.hold(t)
    t:with(function () h:copy_from(a) end)
    g:launch(s)
    tide.poll()
    assert.is_nil(seen)
    T.release(key)
    s:synchronize()
    assert.same({ 7, 7 }, { seen, x[8] })
  end)

  it("may each have one in a graph, and others behind them", function ()
    local n = 20
    local streams, graphs, ran = make(2 * n), {}, 0
    local a = tide.zeros(1000, "int64")
    for i = 1, n do
      graphs[i] = streams[i]:begin_capture()
        :launch_host_func(function () ran = ran + 1 end):end_capture()
    end
    for i, g in ipairs(graphs) do
      g:launch(streams[i])
      streams[i]:with(function () a:add_(1) end)
      streams[i + n]:wait_stream(streams[i])
      streams[i + n]:with(function () a:add_(1) end)
    end
    assert.equal(2 * n, a:min():item())
    assert.equal(n, ran)
    close(streams)
  end)

  it("may wait by events, and by the legacy stream's order", function ()
    local s, n = tide.Stream(), 0
    local streams = {}
    for i = 1, 20 do
      streams[i] = tide.Stream()
    end
    local sum
    s:launch_host_func(function ()
      n = n + 1
      sum = tide.ones(10):sum()
    end)
    local e = s:record()
    for i, t in ipairs(streams) do
      if i % 2 == 0 then
        t:wait_event(e)
      else
        tide.Stream.null:record()
      end
      t:with(function () tide.ones(3) end)
    end
    for _, t in ipairs(streams) do
      t:synchronize()
    end
    assert.equal(1, n)
    assert.equal(10, sum:item())
    close(streams)
    s:close()
  end)

  it("use streams of their own while others are kept", function ()
    local streams, done = make(20), 0
    local a = tide.zeros(100, "int64")
    for i, s in ipairs(streams) do
      s:launch_host_func(function ()
        local t <close> = new()
        t:with(function () a:add_(1) end)
        done = done + 1
      end)
      repeat until select(2, T.due()) == i - done
      s:with(function () a:add_(1) end)
      if i % 4 == 0 then
        tide.poll()
      end
    end
    finish()
    assert.equal(40, a:max():item())
    assert.equal(20, done)
    close(streams)
  end)

  -- With a copy behind it, whose memory it closes.
  for name, act in pairs{
    closes = function (h, k) h:close() k:close() end,
    trims = function (h, k) h:close() k:close() tide.trim() T.trim() end,
    ["makes streams"] = function ()
      for i = 1, 100 do
        tide.Stream{ non_blocking = i % 2 == 0 }:close()
      end
    end,
    ["captures"] = function ()
      local a = tide.zeros(3)
      local g <close> = tide.capture(function () a:add_(1) end)
      g:launch()
    end,
    ["loads kernels"] = function ()
      tide.ones(3, "int8"):cumprod()
      tide.full({ 2, 2 }, 2, "uint16"):flip()
    end,
    ["makes page-locked memory"] = function ()
      for i = 1, 20 do
        tide.HostArray(i * 10000):close()
      end
      tide.trim()
    end,
    ["is refused a reset"] = function ()
      fails("CUDA_ERROR_NOT_PERMITTED", tide.get_device().reset,
            tide.get_device())
    end,
  } do
    it("do not block where one " .. name, function ()
      local s <close> = new()
      local h, k = tide.HostArray(1 << 14), tide.HostArray(1 << 14)
      local a = tide.ones(1 << 14)
      local ran
      k:fill(3)
      s:launch_host_func(function ()
        act(h, k)
        ran = true
      end)
      s:with(function ()
        a:copy_from(k)
        h:copy_from(a)
      end)
      s:synchronize()
      assert.is_true(ran)
      assert.equal(3 << 14, a:sum():item())
    end)
  end

  helper.host_it("are in order across two devices #process", function ()
    assert.equal("ok\n", helper.child_on("host", [[
      local tide = require "tide"
      local one, two = tide.Device "host:0", tide.Device "host:1"
      local function on (dev, fn) return tide.with_device(dev, fn) end
      local s = on(one, function () return tide.Stream() end)
      local t = on(two, function () return tide.Stream() end)
      local a = on(one, function () return tide.zeros(100, "int64") end)
      local b = on(two, function () return tide.zeros(100, "int64") end)
      local order, h = {}, tide.HostArray(100, "int64")
      for i = 1, 50 do
        s:launch_host_func(function ()
          order[#order + 1] = "s"
          h:fill(i)
        end)
        s:with(function () a:copy_from(h) end)
        t:wait_stream(s)
        t:with(function () b:copy_from(a) b:mul_(2) end)
        t:launch_host_func(function () order[#order + 1] = "t" end)
        s:wait_event(t:record())
        if i % 7 == 0 then
          assert(b:sum():item() == 200 * i)
        end
      end
      s:synchronize()
      t:synchronize()
      assert(table.concat(order) == ("st"):rep(50))
      assert(b:sum():item() == 10000)
      print "ok"
    ]], { TIDE_HOST_DEVICES = "2" }))
  end)

  it("wake an event loop when a long kernel before them is done", function ()
    local s <close> = new()
    local a = tide.ones(1 << 20)
    local ran = false
    s:with(function ()
      for _ = 1, 20 do
        a:sin_()
      end
      s:launch_host_func(function () ran = true end)
      a:fill(2)
    end)
    local fd = tide.pollfd()
    assert.is_true(fd >= 0)
    local from = tide.clock()
    while not ran do
      tide.poll()
      tide.sleep(0.001)
      assert(tide.clock() < from + 60)
    end
    assert.equal(2, a[1])
  end)

  it("wake the tasks that wait for what comes behind", function ()
    local s <close> = new()
    local a, n = tide.ones(1 << 18), 0
    tide.run(function ()
      for _ = 1, 20 do
        tide.spawn(function ()
          s:with(function ()
            a:sin_()
            s:launch_host_func(function () n = n + 1 end)
            a:fill(2)
          end)
          s:record():await()
          assert(n > 0)
        end)
      end
    end)
    assert.equal(20, n)
  end)

  it("are of all states together without end #process", function ()
    helper.program(kind, "states", "kept")
  end)
end)

end)
