--[[
ipc_spec.lua - tide.ipc: arrays and events between processes, on each device;
each test has a partner, another process, at the other end of a connection.
]]
local apart = require "spec.support.apart"
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local other = require "spec.support.partner"
local tide = require "tide"

local fails, badarg, T = helper.fails, helper.badarg, helper.T
local ipc = tide.ipc

local new_path, over = other.path, other.over

helper.each_device(function (kind)

local function partner (code) return other.start(kind, code) end

after_each(other.clean)

describe("a connection #process", function ()
  it("takes values of Lua", function ()
    local c <close>, finish = partner [[
      local list = table.pack(c:recv())
      c:send(list.n, table.unpack(list, 1, list.n))
      c:send()
      c:close()
    ]]
    local long = ("x\0y"):rep(20000)
    c:send(nil, true, false, 1, -2 ^ 53, 0.5, math.mininteger, "", long, nil)
    local got = table.pack(c:recv())
    assert.same({ 10, nil, true, false, 1, -2 ^ 53, 0.5, math.mininteger, "",
                  long, nil, n = 11 }, got)
    assert.equal("integer", math.type(got[5]))
    assert.equal(0, select("#", c:recv()))
    assert.equal(0, select("#", c:recv()))  -- closed
    assert.equal(0, select("#", c:recv()))
    assert.is_true(c:ready())
    over(finish)
  end)

  it("goes through messages in a generic for", function ()
    local c <close>, finish = partner [[
      for i = 1, 3 do c:send(i, -i) end
    ]]
    local got = {}
    for x, y in c.recv, c do got[#got + 1] = x - y end
    assert.same({ 2, 4, 6 }, got)
    over(finish)
  end)

  it("tells when something has come", function ()
    local c <close>, finish = partner [[
      c:recv()
      c:send(1)
      c:recv()
    ]]
    assert.is_false(c:ready())
    assert.is_false(c:ready(0.01))
    c:send(0)
    assert.is_true(c:ready(20))
    assert.is_true(c:ready())
    assert.equal(1, c:recv())
    assert.is_false(c:ready())
    assert.truthy(c.fd >= 0 and c.pid > 0)
    assert.truthy(tostring(c):find("to process " .. c.pid, 1, true))
    c:close()
    assert.equal("tide.Connection (closed)", tostring(c))
    fails("connection is closed", c.send, c, 1)
    fails("connection is closed", c.recv, c)
    fails("connection is closed", c.close, c)
    over(finish)
  end)

  it("says that the process at the other end has ended", function ()
    local c <close>, finish = partner "os.exit(0, false)"
    local pid = c.pid
    fails(("connection:recv: process %d, at the other end, has ended")
          :format(pid), c.recv, c)
    finish()
    fails("has ended", function () for _ = 1, 3 do c:send(1) end end)
  end)

  it("is no accident when the partner's Lua closes", function ()
    local c <close>, finish = partner "c:send(7)"
    assert.equal(7, c:recv())
    assert.equal(0, select("#", c:recv()))
    over(finish)
  end)

  it("can be listened for while somebody else keeps the folder", function ()
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    local there, enough = folder .. "/there", folder .. "/enough"
    assert(os.execute(([[flock %s sh -c 'touch %s; i=0
      while [ ! -e %s ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
      touch %s.gone' >/dev/null 2>&1 &]]):format(folder, there, enough,
                                                 enough)))
    local function is_there (path)
      return os.rename(path, path) ~= nil
    end
    local start = tide.clock()
    while not is_there(there) do
      assert(tide.clock() - start < 20, "no flock(1)")
      tide.sleep(0.01)
    end
    ipc.listen(folder .. "/socket"):close()
    assert.is_false(is_there(enough .. ".gone"))
    assert(os.execute("touch " .. enough))
    while not is_there(enough .. ".gone") do tide.sleep(0.01) end
    assert(os.execute("rm -r " .. folder))
  end)

  it("cannot be listened for where there is no folder", function ()
    fails("No such file or directory: there is no such folder", ipc.listen,
          other.path() .. "/socket")
  end)

  it("is not waited for in a host function, there or not", function ()
    local ours, theirs = other.pair()
    local stream <close>, said = tide.Stream{ non_blocking = true }, {}
    for _, sent in ipairs{ false, true } do
      if sent then ours:send(1) end
      stream:launch_host_func(function ()
        said[#said + 1] = select(2, pcall(theirs.ready, theirs, 0.01))
        said[#said + 1] = theirs:ready()
      end)
      stream:synchronize()
    end
    ours:close()
    theirs:close()
    for i = 1, 3, 2 do
      assert.matches("connection:ready: CUDA_ERROR_NOT_PERMITTED", said[i])
    end
    assert.is_false(said[2])
    assert.is_true(said[4])
  end)

  it("refuses what it cannot send, and sends nothing then", function ()
    local c <close>, finish = partner "print(c:recv())"
    local function refuses (n, text, ...)
      local list = table.pack(...)
      badarg(n, text, function () c:send(table.unpack(list, 1, list.n)) end)
    end
    refuses(2, "Array or Event expected, got table", 1, {})
    refuses(1, "other processes cannot map the memory of this array",
            tide.ones(3))
    refuses(1, "got tide.HostArray", tide.HostArray(3))
    refuses(1, "event was made without 'interprocess'", tide.Event())
    refuses(1, "a message holds at most", ("x"):rep(200000))
    local a = ipc.zeros(3)
    a:close()
    refuses(1, "array is closed", a)
    c:send "only this"
    assert.equal("only this\n", (finish()))
  end)

  it("is not for host functions", function ()
    local c <close>, finish = partner "c:recv()"
    tide.get_current_stream():launch_host_func(function ()
      fails("CUDA_ERROR_NOT_PERMITTED", c.send, c, 1)
      fails("CUDA_ERROR_NOT_PERMITTED", c.recv, c)
    end)
    tide.get_current_stream():synchronize()
    c:send(1)
    over(finish)
  end)

  it("is not for captures", function ()
    local c <close>, finish = partner "c:recv()"
    local s <close> = tide.Stream{ non_blocking = true }
    local a = ipc.zeros(3)
    s:with(function ()
      s:begin_capture()
      fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", c.send, c, a)
      s:end_capture():close()
    end)
    c:send(a)
    over(finish)
  end)
end)

describe("listen and connect", function ()
  it("name what is wrong with a path", function ()
    badarg(1, "string expected, got number", ipc.listen, 1)
    badarg(1, "path must be neither empty", ipc.listen, "")
    fails("/nowhere/x: No such file", ipc.listen, "/nowhere/x")
    fails("File name too long", ipc.listen, "/tmp/" .. ("x"):rep(200))
    fails("No such file", ipc.connect, "/nowhere/x")
    fails("No such file", ipc.connect, "/nowhere/x", 0.02)
    badarg(2, "seconds must not be negative", ipc.connect, "/nowhere/x", -1)
  end)

  it("leave no file behind, and nobody else's #process (#264)", function ()
    local path = new_path()
    local l <close> = ipc.listen(path)
    assert.equal(path, l.path)
    fails("Address already in use: somebody listens there", ipc.listen, path)
    assert.is_false(l:ready())
    l:close()
    assert.is_nil(io.open(path))
    fails("listener is closed", l.accept, l)
    assert(io.open(path, "w")):close()
    fails("File exists: it is no socket", ipc.listen, path)
    fails("it is no socket", ipc.connect, path)
    assert(os.remove(path))
  end)

  it("take the place of a socket that a process has left #process", function ()
    local path = new_path()
    local code = ("require 'tide'.ipc.listen(%q) os.exit(0, false)")
                 :format(path)
    assert(helper.child_on(kind, code) == "")
    local l <close> = ipc.listen(path)
    assert.is_false(l:ready())
  end)

  it("are for the user alone #process", function ()
    local l <close> = ipc.listen(new_path())
    local pipe <close> = io.popen("stat -c %a " .. l.path)
    assert.equal("600", pipe:read "l")
  end)
end)

describe("arrays of tide.ipc", function ()
  it("are in order between streams of one process, too", function ()
    local listener <close> = ipc.listen(new_path())
    local ours <close> = ipc.connect(listener.path)
    local theirs <close> = listener:accept()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    T.delays(5, 100)
    local a = ipc.zeros(3000, "int64")
    for i = 1, 300 do
      s:with(function ()
        a:add_(i)
        ours:send(a)
      end)
      t:with(function ()
        local b <close> = theirs:recv()
        assert.equal(a.ptr, b.ptr)
        b:sub_(1)
      end)
    end
    T.delays(0, 0)
    assert.equal(300 * 301 // 2 - 300, a[3000])
  end)

  it("are made like others", function ()
    assert.same({ 0, 0, 0 }, ipc.zeros(3, "int32"):totable())
    assert.equal("int32", ipc.zeros(3, "int32").dtype)
    assert.equal("{2, 3}", tostring(ipc.empty{ 2, 3 }.shape))
    assert.same({ { 1, 2 }, { 3, 4 } },
                ipc.array{ { 1, 2 }, { 3, 4 } }:totable())
    assert.equal(2.5, ipc.array(2.5):item())
    assert.same({ 1, 2 }, ipc.array(tide.array{ 1, 2 }, "float32"):totable())
    assert.equal(0, ipc.zeros{ 0, 3 }.size)
    badarg(2, "dtype expected", ipc.zeros, 3, 4)
    local a = ipc.zeros(5)
    assert.equal(10, (a + 2):sum():item())
    a:fill(1)
    assert.equal(5, a:sum():item())
  end)

  it("are the same memory in both processes #process", function ()
    local c <close>, finish = partner [[
      local a, b, t, e, s = c:recv()
      assert(tostring(b.shape) == "{3, 4}" and b.dtype == "float32")
      assert(t[{2, 3}] == b[{3, 2}] and e.size == 0 and s:item() == 4)
      assert(not pcall(a.add_, a, 1))          -- broadcast: read-only
      b:mul_(10)
      c:send(b[{2}], t)
      c:close()
    ]]
    local b = ipc.array(tide.arange(12, "float32"):reshape(3, 4))
    local whole = b[{ 1, 1 }]
    c:send(b[{ 1 }]:broadcast_to(3, 4), b, b.T, ipc.empty(0),
           b[{ { 2, 2 }, 1 }]:reshape{})
    local row, t = c:recv()
    assert.same({ 40, 50, 60, 70 }, row:totable())
    assert.equal(b.ptr, t.ptr)                 -- it came home
    assert.equal(110, b[{ 3, 4 }])
    assert.equal(0, whole)
    over(finish)
  end)

  it("are of no use after a reset, and their memory goes back #process",
     function ()
    apart(kind, function (lib, live, dev, refuses)
      dev:use()
      local before = live.live().shareables
      local a = lib.ipc.zeros(1000)
      local e = lib.Event{ interprocess = true, disable_timing = true }
      e:record():synchronize()
      dev:reset()
      refuses("device was reset", a.sum, a)
      refuses("device was reset", e.record, e)
      a:close()
      e:close()
      lib.ipc.zeros(10):close()
      dev:synchronize()
      lib.poll()
      assert(live.live().shareables == before)
    end)
  end)

  it("keep every dtype #process", function ()
    local c <close>, finish = partner [[
      for _ = 1, 15 do
        local a = c:recv()
        c:send(a.dtype, a)
      end
    ]]
    for dtype in ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 " ..
                  "float16 bfloat16 float32 float64 complex64 complex128")
                 :gmatch "%S+" do
      local a = ipc.zeros(3, dtype)
      c:send(a)
      local name, b = c:recv()
      assert.equal(dtype, name)
      assert.equal(dtype, b.dtype)
      b:close()
    end
    over(finish)
  end)

  it("are in order, whatever streams they are used on #process", function ()
    local c <close>, finish = partner [[
      tide.T.delays(7, 200)
      local s, t = tide.Stream{ non_blocking = true }, tide.Stream()
      for i = 1, 100 do
        local a = (i % 2 == 0 and s or t):with(function () return c:recv() end)
        s:with(function () a:mul_(3) end)
        t:with(function () a:sub_(1) end)
        ;(i % 3 == 0 and s or t):with(function () c:send(a) end)
      end
    ]]
    T.delays(9, 200)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream()
    local a, x = ipc.zeros(5000, "int64"), 0
    for i = 1, 100 do
      s:with(function () a:add_(i) end)
      x = (x + i) * 3 - 1
      ;(i % 2 == 0 and s or t):with(function () c:send(a) end)
      a = (i % 5 == 0 and s or t):with(function () return c:recv() end)
    end
    T.delays(0, 0)
    assert.equal(x, a[1])
    assert.equal(x, a[5000])
    over(finish)
  end)

  it("come before they are ready, and are waited for #process", function ()
    local c <close>, finish = partner [[
      local s = tide.Stream{ non_blocking = true }
      local a = ipc.zeros(1000)
      local e = tide.Event{ interprocess = true, disable_timing = true }
      local key = tide.T.hold(s)
      s:with(function ()
        a:add_(1)
        c:send(a, e:record())
        c:recv()
        tide.T.release(key)
        c:recv()
      end)
    ]]
    local a, e = c:recv()
    assert.is_false(e.done)
    local b = a + 1
    assert.truthy(tostring(e):find("pending", 1, true))
    c:send "go on"
    assert.equal(2, b[1000])
    e:synchronize()
    assert.is_true(e.done)
    c:send "enough"
    over(finish)
  end)

  it("go back when both have let them go #process", function ()
    local c <close>, finish = partner [[
      for _ = 1, 20 do
        local a = c:recv()
        a:add_(1)
        c:send(a)
        a:close()
      end
      collectgarbage()
      collectgarbage()
      tide.get_device():synchronize()
      tide.poll()
      print(tide.T.held().shareables)
    ]]
    for i = 1, 20 do
      local a <close> = ipc.zeros(100000 + i)
      c:send(a)
      local b <close> = c:recv()
      assert.equal(1, b[i])
    end
    assert.equal("0\n", (finish()))
  end)

  it("stay when the process that made them has ended #process", function ()
    local c <close>, finish = partner [[
      local a = ipc.array{ 1, 2, 3 }
      c:send(a)
      c:recv()
    ]]
    local a = c:recv()
    c:send(1)
    over(finish)
    assert.same({ 2, 3, 4 }, (a + 1):totable())
    a:add_(10)
    assert.equal(13, a[3])
  end)

  it("go round the words of a timeline #process", function ()
    local c <close>, finish = partner [[
      local a = ipc.zeros(10, "int64")
      for i = 1, 700 do
        a:add_(1)
        c:send(a)
      end
      c:recv()
    ]]
    local a
    for i = 1, 700 do
      a = c:recv()
      if i % 100 == 0 then assert.truthy(a[1] >= i) end
    end
    assert.equal(700, a[10])
    c:send(1)
    over(finish)
  end)
end)

describe("when the other process ends #process", function ()
  local HELD <const> = [[
    local s = tide.Stream{ non_blocking = true }
    local a = ipc.zeros(1000)
    local e = tide.Event{ interprocess = true, disable_timing = true }
    tide.get_device():synchronize()
    tide.T.hold(s)
    s:with(function ()
      a:add_(1)
      c:send(a, e:record())
    end)
    c:recv()
    die()
  ]]

  it("who waits for its work gets an error, and goes on", function ()
    local c <close>, finish = partner(HELD)
    local pid = c.pid
    local a, e = c:recv()
    local b = a + 1
    c:send(1)
    local err = fails(("process %d, whose work is waited for, ended before " ..
                       "that was done"):format(pid), b.item, b[{ { 1, 1 } }])
    assert.truthy(err:find("connection:recv: CUDA_ERROR_CONTEXT_IS_DESTROYED",
                           1, true))
    finish()
    assert.equal(1, b[1000] - a[1000])
    fails("which recorded it, ended before it was done", e.synchronize, e)
    fails("which recorded it", function () return e.done end)
    fails("has ended", c.recv, c)
  end)

  it("a stream that waits for its event gets it, too", function ()
    local c <close>, finish = partner(HELD)
    local a, e = c:recv()
    local s <close> = tide.Stream{ non_blocking = true }
    s:wait_event(e)
    c:send(1)
    fails("stream:wait_event: CUDA_ERROR_CONTEXT_IS_DESTROYED", s.synchronize,
          s)
    s:synchronize()
    finish()
    fails("CUDA_ERROR_CONTEXT_IS_DESTROYED", tide.get_device().synchronize,
          tide.get_device())
    a:close()
  end)

  it("what waits behind a host function gets it, too", function ()
    local c <close>, finish = partner(HELD)
    local a, e = c:recv()
    local s <close> = tide.Stream{ non_blocking = true }
    local b, ran = s:with(function () return tide.zeros(1000) end), false
    s:launch_host_func(function () ran = true end)
    s:wait_event(e)
    s:with(function () b:fill(7) end)
    assert.is_false(ran)
    c:send(1)
    finish()
    fails("stream:wait_event: CUDA_ERROR_CONTEXT_IS_DESTROYED", s.synchronize,
          s)
    assert.is_true(ran)
    s:synchronize()
    fails("CUDA_ERROR_CONTEXT_IS_DESTROYED", tide.get_device().synchronize,
          tide.get_device())
    assert.equal(7, b[1000])
    a:close()
  end)

  it("and nobody asks, closing says so", function ()
    local script = new_path()
    local f <close> = assert(io.open(script, "w"))
    f:write(other.CODE:format(script .. "s", HELD))
    f:close()
    local printed = helper.child_on(kind, ([[
      warn "@on"
      local tide = require "tide"
      local l <close> = tide.ipc.listen(%q)
      local p = io.popen("exec %s %s")
      local c = l:accept()
      local a = c:recv()
      c:send(1)
      p:close()
    ]]):format(script .. "s", child.lua, script))
    assert.truthy(printed:find("nobody asked for this error", 1, true), printed)
    assert.truthy(printed:find("whose work is waited for", 1, true), printed)
  end)
end)

describe("interprocess events", function ()
  it("are waited for as long as they are not done", function ()
    local listener <close> = ipc.listen(new_path())
    local ours <close> = ipc.connect(listener.path)
    local theirs <close> = listener:accept()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local a, b = tide.zeros(100), tide.zeros(100)
    tide.get_device():synchronize()
    local e = tide.Event{ interprocess = true, disable_timing = true }
    local key = T.hold(s)
    s:with(function () a:add_(1) end)
    e:record(s)
    ours:send(e)
    local f = theirs:recv()
    t:wait_event(f)
    t:with(function () b:add_(1) end)
    helper.spin(20)
    assert.is_false(f.done)
    assert.is_false(t.done)
    f:close()
    T.release(key)
    t:synchronize()
    assert.is_true(e.done)
    assert.equal(1, b[1])
  end)

  it("are waited for behind a host function, which is not run", function ()
    local ours, theirs = other.pair()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local a, b = ipc.zeros(100), tide.zeros(100)
    local e = tide.Event{ interprocess = true, disable_timing = true }
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function ()
      a:add_(1)
      e:record()
      ours:send(a, e)
    end)
    local ran, got = 0
    t:launch_host_func(function () ran = ran + 1 end)
    t:with(function ()
      local f
      got, f = theirs:recv()
      t:wait_event(f)
      f:close()
      b:copy_from(got)
    end)
    t:launch_host_func(function () ran = ran + 1 end)
    for _ = 1, 100 do tide.zeros(3):close() end
    assert.equal(0, ran)
    tide.poll()
    helper.spin(20)
    tide.poll()
    assert.equal(1, ran)
    e:record(tide.Stream.null)          -- a later recording changes nothing
    T.release(key)
    t:synchronize()
    assert.equal(2, ran)
    assert.equal(100, b:sum():item())
  end)

  it("raise in the next wait if that cannot be queued", function ()
    local ours, theirs = other.pair()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local e = tide.Event{ interprocess = true, disable_timing = true }
    tide.get_device():synchronize()
    local key = T.hold(s)
    e:record(s)
    ours:send(e)
    local f = theirs:recv()
    t:launch_host_func(function ()
      T.failcall(1, 701, "cuStreamWaitValue32")
    end)
    t:wait_event(f)
    fails("which came after a host function, could not be queued: " ..
          "cuStreamWaitValue32", t.synchronize, t)
    T.failcall(0)
    T.release(key)
    t:wait_event(f)
    t:synchronize()
    assert.is_true(f.done)
  end)

  it("are recorded by either process #process", function ()
    local c <close>, finish = partner [[
      local e = c:recv()
      assert(e.done and tostring(e):find "never recorded")
      assert(not pcall(e.synchronize, e))
      e:record()
      e:synchronize()
      c:send(e)
      c:recv()
      assert(e.done)
      local s = tide.Stream()
      s:wait_event(e)
      s:synchronize()
    ]]
    local e = tide.Event{ interprocess = true, disable_timing = true }
    c:send(e)
    local f = c:recv()
    assert.is_true(e.done)
    assert.truthy(tostring(e):find("done", 1, true))
    assert.is_true(f.done)
    e:synchronize()
    f:record():synchronize()
    tide.get_current_stream():wait_event(e)
    c:send(1)
    over(finish)
  end)

  it("work as others in their own process", function ()
    local e = tide.Event{ interprocess = true, disable_timing = true }
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(1000)
    for i = 1, 600 do
      a:add_(1)
      e:record()
      s:wait_event(e)
      if i % 200 == 0 then
        assert.equal(i, s:with(function () return a[1] end))
      end
    end
    e:synchronize()
    assert.is_true(e.done)
    e:close()
  end)

  it("are for no capture, as CUDA's are", function ()
    local e = tide.Event{ interprocess = true, disable_timing = true }
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(10)
    s:with(function ()
      s:begin_capture()
      a:add_(1)
      fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900): operation not " ..
            "permitted when stream is capturing: the event is an " ..
            "interprocess one", e.record, e)
      local g <close> = s:end_capture()
      g:launch()
    end)
    assert.equal(1, a[1])
    e:record():synchronize()
  end)
end)

end)
