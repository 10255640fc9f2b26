--[[
host_error_spec.lua - errors of host functions: who gets them, and when.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, new = helper.fails, helper.new_stream

helper.each_device(function (kind)

local function fail (s, message)
  s:launch_host_func(error, message or "went wrong")
end

describe("an error of a host function", function ()
  it("is raised by a wait for its stream, once", function ()
    local s = new()
    fail(s)
    fails("went wrong", s.synchronize, s)
    s:synchronize()
  end)

  it("says which stream, who queued it, and where it was", function ()
    local s = new()
    fail(s)
    local _, message = pcall(s.synchronize, s)
    assert.is_truthy(message:find "^host function of stream 0x%x+, queued at ")
    assert.is_truthy(message:find("host_error_spec.lua:%d+: went wrong\n"))
    assert.is_truthy(message:find("\nstack traceback:\n", 1, true))
  end)

  it("is all of a string", function ()
    local s = new()
    s:launch_host_func(function () error("a\0b", 0) end)
    local _, message = pcall(s.synchronize, s)
    assert.truthy(message:find(": a\0b\n", 1, true))
  end)

  it("is any value", function ()
    local s, value = new(), {}
    fail(s, value)
    local ok, err = pcall(s.synchronize, s)
    assert.is_false(ok)
    assert.equal(value, err)
  end)

  it("is that of a stream which waits for it, also if it is nil", function ()
    for _, value in ipairs{ "text", false, "nil" } do
      local s, t, u = new(), new(), new()
      s:launch_host_func(function ()
        if value == "nil" then error(nil) end
        error(value, 0)
      end)
      u:launch_host_func(function () end)
      u:synchronize()
      t:wait_stream(s)
      assert.is_false(pcall(t.synchronize, t))
      s:close()
      new():synchronize()
    end
  end)

  it("is not another stream's", function ()
    local s, t = new(), new()
    fail(s)
    s:record()
    t:launch_host_func(function () end)
    t:synchronize()
    fails("went wrong", s.synchronize, s)
  end)

  it("is that of a stream which waits for it", function ()
    local s, t, u = new(), new(), new()
    fail(s)
    t:wait_stream(s)
    u:wait_event(t:record())
    fails("went wrong", u.synchronize, u)
    s:synchronize()
    t:synchronize()
  end)

  it("is that of an event behind it, not of one before", function ()
    local s = new()
    local before = s:record()
    fail(s)
    local behind = s:record()
    before:synchronize()
    fails("went wrong", behind.synchronize, behind)
  end)

  it("is that of the null stream, if it is of a blocking one", function ()
    local s = tide.Stream()
    fail(s)
    fails("went wrong", tide.Stream.null.synchronize, tide.Stream.null)
    s:synchronize()
  end)

  it("is raised by who reads what comes behind it", function ()
    local s, a = new(), tide.zeros(4)
    fail(s)
    s:with(function () a:add_(1) end)
    fails("went wrong", a.totable, a)
    assert.same({ 1, 1, 1, 1 }, a:totable())
  end)

  it("is raised by a wait for the device, and by poll", function ()
    local s, dev = new(), tide.get_device()
    fail(s, "the first")
    fails("the first", dev.synchronize, dev)
    fail(s, "the second")
    fails("the second", function ()
      while true do
        tide.poll()
      end
    end)
    s:synchronize()
  end)

  it("comes one at a time, the oldest first", function ()
    local s = new()
    for i = 1, 5 do
      fail(s, "number " .. i)
    end
    for i = 1, 5 do
      fails("number " .. i, s.synchronize, s)
    end
    s:synchronize()
  end)

  it("does not stop what comes behind it", function ()
    local s, a, ran = new(), tide.zeros(4), 0
    fail(s)
    s:with(function () a:add_(1) end)
    s:launch_host_func(function () ran = ran + 1 end)
    fails("went wrong", s.synchronize, s)
    s:synchronize()
    assert.equal(1, ran)
    assert.equal(4, a:sum():item())
  end)

  it("of a graph comes with each launch", function ()
    local s = new()
    local g <close> = tide.capture(function ()
      fail(tide.get_current_stream())
    end)
    for _ = 1, 3 do
      g:launch(s)
      fails("went wrong", s.synchronize, s)
    end
    s:synchronize()
  end)

  -- The bounds of kept errors: the streams of others never use them up.
  describe("among many that nobody asked for", function ()
    --- Leaves n errors on each of the streams, and waits for none of these.
    local function leave (n, ...)
      local other, left, streams = new(), 0, { ... }
      for _, s in ipairs(streams) do
        for i = 1, n do
          s:launch_host_func(function ()
            left = left + 1
            error("theirs " .. i)
          end)
        end
      end
      while left < n * #streams do
        other:launch_host_func(function () end)
        other:synchronize()
      end
    end

    local function ask_all (wait, ...)
      local told = {}
      while true do
        local ok, err = pcall(wait, ...)
        if ok then return told end
        told[#told + 1] = err
      end
    end

    it("is raised, whatever kind it is of", function ()
      local noisy, s = new(), new()
      leave(300, noisy)
      for _ = 1, 40 do
        fail(s)
        fails("went wrong", s.synchronize, s)
      end
      s:with(function ()
        local z = tide.arange(10):take(tide.array{ 99 })
        fails("out of range", z.item, z)
      end)
      ask_all(noisy.synchronize, noisy)
    end)

    it("is raised in a stream of its own for each", function ()
      local streams = {}
      for i = 1, 150 do streams[i] = new() end
      leave(1, table.unpack(streams))
      for _, s in ipairs(streams) do
        fails("theirs 1", s.synchronize, s)
        s:synchronize()
      end
    end)

    it("counts with the last one kept of its stream", function ()
      local noisy = new()
      leave(300, noisy)
      local told = ask_all(noisy.synchronize, noisy)
      local more = told[#told]:match "%((%d+) more errors .- not kept%)"
      assert.equal(300, #told + tonumber(more))
      for i = 1, #told do
        assert.matches("theirs " .. i .. "\n", told[i])
      end
      fail(noisy)
      fails("went wrong", noisy.synchronize, noisy)
    end)

    it("is the device's, if its stream is closed long since", function ()
      local s, dev = new(), tide.get_device()
      for _ = 1, 250 do
        local closed <close> = new()
        leave(1, closed)
      end
      s:synchronize()
      local told = ask_all(dev.synchronize, dev)
      local more = told[1]:match "%((%d+) more errors .- not kept%)"
      assert.equal(250, #told + tonumber(more))
    end)
  end)

  it("that nobody asked for is told at the end #process", function ()
    local printed = helper.child_on(kind, [[
      warn "@on"
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      for i = 1, 300 do
        s:launch_host_func(error, "number " .. i)
      end
      pcall(s.synchronize, s)
      for i = 2, 20 do
        local ok, err = pcall(s.synchronize, s)
        assert(not ok and err:find("number " .. i, 1, true))
      end
    ]])
    assert.is_truthy(printed:find "queued at %(command line%):5: number 21\n")
    assert.is_truthy(printed:find("number 28\n", 1, true))
    assert.is_falsy(printed:find("number 29\n", 1, true))
    assert.is_truthy(printed:find "further reports of this kind: 272\n$")
  end)

  it("counts those that were raised without the number of others #process",
     function ()
    local printed = helper.child_on(kind, [[
      warn "@on"
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      for i = 1, 40 do s:launch_host_func(function () error{ i } end) end
      for i = 1, 32 do
        local ok, err = pcall(s.synchronize, s)
        assert(not ok and err[1] == i)
      end
      s:synchronize()
    ]])
    assert.is_truthy(printed:find "further reports of this kind: 8\n$")
  end)

  it("is the oldest of all that an array was used by", function ()
    local s <close> = new()
    local t <close> = new()
    local u <close> = new()
    local a, h = tide.zeros(16), tide.HostArray(16, "float64")
    local function add () a:add_(1) end
    local function copy () h:copy_from(a) end
    for _, use in ipairs{ add, copy } do
      local x = use == add and a or h
      s:launch_host_func(error, "first")
      t:launch_host_func(error, "second")
      t:with(use)
      u:launch_host_func(type, 1)
      s:with(use)
      fails("first", x.await, x)
      fails("second", x.await, x)
      x:await()
    end
  end)

  it("is that of an array which many have read since", function ()
    for readers = 0, 8, 2 do
      local s <close> = new()
      local a = tide.zeros(3, "int64")
      s:with(function ()
        a:copy_from(tide.arange(3):take(tide.array({ 1, 9, 2 }, "int64")))
      end)
      while not s.done do tide.sleep(1e-3) end
      local results = {}
      for i = 1, readers do
        results[i] = new():with(function () return a + 1 end)
      end
      fails("take: index 9 is out of range", a.tohost, a)
      assert.equal(readers, #results)
    end
  end)

  it("stays a number if it is one", function ()
    local s <close> = new()
    for _, value in ipairs{ 42, 4.5 } do
      s:launch_host_func(error, value)
      local ok, err = pcall(s.synchronize, s)
      assert.is_false(ok)
      assert.equal(value, err)
    end
  end)

  it("is raised by the call that queues it, under debug_sync (#138)",
     function ()
    local s <close> = new()
    local g <close> = tide.capture(function ()
      fail(tide.get_current_stream())
    end)
    finally(function () tide.debug_sync(false) end)
    tide.debug_sync(true)
    fails("went wrong", fail, s)
    fails("went wrong", s.add_callback, s, function () error "went wrong" end)
    fails("went wrong", g.launch, g, s)
    s:synchronize()
  end)

  it("is not raised in another function, which reads behind it (#163)",
  function ()
    local s, a, h = new(), tide.zeros(1), tide.HostArray(1)
    fail(s)
    s:with(function () a:copy_from(h) end)
    s:launch_host_func(function () h:fill(7) end)
    s:with(function () a:copy_from(h) end)
    fails("went wrong", s.synchronize, s)
    s:synchronize()
    assert.equal(7, a[1])
  end)

  it("is that of a stream which waits for it when it is there", function ()
    local s, t, u = new(), new(), new()
    for _, wait in ipairs{ t.wait_stream, function (to, from)
      to:wait_event(from:record())
    end } do
      fail(s)
      u:launch_host_func(function () end)
      u:synchronize()  -- in which s's function may run
      helper.spin(5)
      u:launch_host_func(function () end)
      u:synchronize()
      wait(t, s)
      fails("went wrong", t.synchronize, t)
      s:synchronize()
    end
  end)

  it("is no Ctrl-C if it says so (#165)", function ()
    local s = new()
    s:launch_host_func(function () error("download interrupted!", 0) end)
    fails("download interrupted!", s.synchronize, s)
    s:synchronize()
  end)

  it("is not that of what came before it on a stream that it is on later",
     function ()
    local a, b, c, event = new(), new(), new(), tide.Event()
    local x, y, z = tide.zeros(4), tide.zeros(4), tide.zeros(4)
    tide.get_device():synchronize()
    event:record(c)
    fail(c)
    a:launch_host_func(function () end)
    c:with(function () y:fill(1) end)
    a:wait_event(event)                 -- before the error
    a:with(function () z:fill(1) end)
    b:with(function () z:fill(2) end)   -- after that of a
    a:with(function () y:copy_from(x) end)  -- a comes after the error from here
    b:synchronize()
    fails("went wrong", a.synchronize, a)
    tide.get_device():synchronize()
  end)

  -- Streams whose operations are, again and again, after more of each other.
  it("is found by a wait for anything after it, but by none before", function ()
    local a, b, events = new(), new(), {}
    for i = 1, 30 do
      fail(a, ("error %d of 30"):format(i))
      events[i] = { tide.Event(), tide.Event() }
      events[i][1]:record(a)
      b:wait_event(events[i][1])
      events[i][2]:record(b)
    end
    local last <const> = events[30][2]
    for i = 1, 30 do
      fails(("error %d of 30"):format(i), last.synchronize, last)
    end
    last:synchronize()
    a:synchronize()
    b:synchronize()
  end)

  -- Others come in the closed stream's place in tide's list.
  it("is not that of later streams if its own is closed (#177)", function ()
    local b, c, x, later = new(), new(), tide.zeros(1), {}
    tide.get_device():synchronize()
    fail(b)
    c:launch_host_func(function () end)
    c:synchronize()                     -- runs both
    b:close()
    for _ = 1, 10 do
      assert.equal(0, x:sum():item())   -- the driver's stream is given back
      collectgarbage()
    end
    for i = 1, 40 do later[i] = tide.Stream() end
    assert.equal(1, (x + 1):item())
    for i = 1, 40 do
      later[i]:synchronize()
      later[i]:close()
    end
    local dev = tide.get_device()
    fails("went wrong", dev.synchronize, dev)
  end)
end)

end)
