--[[
host_function_spec.lua - Lua functions on streams: launch_host_func,
add_callback, poll. They run on the Lua thread, at service points, and hold
their stream.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, expect = helper.T, helper.fails, helper.expect
local new = helper.new_stream

helper.each_device(function (kind)

describe("launch_host_func", function ()
  it("runs in waits of no time, too, if it was queued before", function ()
    local s <close> = helper.new_stream()
    local ran, rounds = 0, 0
    local function again ()
      ran = ran + 1
      s:launch_host_func(again)
    end
    s:launch_host_func(again)
    while ran < 3 do
      s:await(0)
      rounds = rounds + 1
      assert(rounds < 1e6)
    end
    again = function () end
    s:synchronize()
  end)

  it("calls fn(arg) once, before synchronize returns", function ()
    local s <close> = new()
    local got
    assert.equal(s, s:launch_host_func(expect(function (...)
      got = table.pack(...)
    end, 1), "arg"))
    s:synchronize()
    assert.same({ "arg", n = 1 }, got)
  end)

  it("passes nil if there is no argument", function ()
    local s <close> = new()
    local n
    s:launch_host_func(function (...) n = select("#", ...) end)
    s:synchronize()
    assert.equal(1, n)
  end)

  it("keeps function and argument alive", function ()
    local s <close> = new()
    local seen
    s:launch_host_func(function (t) seen = t.x end, { x = 5 })
    collectgarbage()
    collectgarbage()
    s:synchronize()
    assert.equal(5, seen)
  end)

  it("runs at a service point only, never behind Lua's back", function ()
    local s <close> = new()
    local ran = false
    s:launch_host_func(function () ran = true end)
    helper.spin(5)
    assert.is_false(ran)
    assert.is_false(s.done)
    s:synchronize()
    assert.is_true(ran)
  end)

  it("waits for the work before it", function ()
    local s <close> = new()
    local key = T.hold(s)
    local ran = false
    s:launch_host_func(function () ran = true end)
    tide.poll()
    assert.is_false(ran)
    T.release(key)
    s:synchronize()
    assert.is_true(ran)
  end)

  it("holds the work after it", function ()
    local s <close> = new()
    s:launch_host_func(function () end)
    local e <close> = s:record()
    helper.spin(2)
    assert.is_false(e.done)
    e:synchronize()
    assert.is_true(e.done)
  end)

  for _, which in ipairs{ "a stream", "the null stream", "ptds" } do
    it("a hundred run in order on " .. which, function ()
      local s = which == "ptds" and tide.Stream.ptds or
                which == "a stream" and new() or tide.Stream.null
      local order = {}
      for i = 1, 100 do
        s:launch_host_func(function (k) order[#order + 1] = k end, i)
      end
      s:synchronize()
      assert.equal(100, #order)
      for i = 1, 100 do
        assert.equal(i, order[i])
      end
    end)
  end

  it("a hundred on each of twelve streams", function ()
    local streams, counts = {}, {}
    for k = 1, 12 do
      streams[k], counts[k] = new(), 0
    end
    for i = 1, 100 do
      for k = 1, 12 do
        streams[k]:launch_host_func(function ()
          counts[k] = counts[k] + 1
          assert(counts[k] == i)
        end)
      end
    end
    for k = 1, 12 do
      streams[k]:synchronize()
      assert.equal(100, counts[k])
    end
  end)

  -- Under compute-sanitizer a launch behind a gate does not return.
  it("many launches behind a gate do not block for ever #held", function ()
    local s <close> = new()
    local a = tide.zeros(16, "int64")
    local ran = false
    s:with(function ()
      s:launch_host_func(function () ran = true end)
      for _ = 1, 2000 do
        a:add_(1)
      end
    end)
    assert.equal(2000, a[1])
    assert.is_true(ran)
  end)

  it("fills page-locked memory that the next copy reads", function ()
    local s <close> = new()
    local h = tide.HostArray(100, "int64")
    local a = tide.zeros(100, "int64")
    s:with(function ()
      s:launch_host_func(function ()
        for i = 1, 100 do
          h[i] = i
        end
      end)
      a:copy_from(h)
    end)
    assert.equal(5050, a:sum():item())
  end)

  it("wants an open stream and a function", function ()
    local s <close> = new()
    fails("function expected", s.launch_host_func, s)
    fails("function expected", s.launch_host_func, s, 1)
    fails("function expected", s.add_callback, s, {})
    fails("tide.Stream expected", s.launch_host_func, 1, print)
    s:close()
    fails("stream is closed", s.launch_host_func, s, print)
    fails("stream is closed", s.add_callback, s, print)
    assert.equal(0, T.held().callbacks)
  end)

  it("works on a stream that is closed before it runs", function ()
    local s = new()
    local ran = 0
    s:launch_host_func(function () ran = ran + 1 end)
    s:close()
    tide.Device(kind):synchronize()
    assert.equal(1, ran)
  end)
end)

describe("add_callback", function ()
  it("calls fn(s, status, arg)", function ()
    local s <close> = new()
    local got
    s:add_callback(expect(function (...) got = table.pack(...) end, 1), "x")
    s:synchronize()
    assert.equal(3, got.n)
    assert.is_true(rawequal(s, got[1]))
    assert.equal(0, got[2])
    assert.equal("x", got[3])
  end)

  it("on the null stream gets the null stream", function ()
    local got
    tide.Stream.null:add_callback(function (s) got = s end)
    tide.Stream.null:synchronize()
    assert.equal(tide.Stream.null, got)
  end)
end)

describe("inside a host function", function ()
  it("the current stream is non-blocking and not its own", function ()
    local s <close> = new()
    local inside
    s:use()
    s:launch_host_func(function () inside = tide.get_current_stream() end)
    s:synchronize()
    assert.is_true(inside.is_non_blocking)
    assert.is_false(inside == s)
    assert.equal(s, tide.get_current_stream())
  end)

  it("device and use are as in a new coroutine", function ()
    local s <close> = new()
    local t <close> = new()
    local dev
    s:launch_host_func(function ()
      dev = tide.get_device()
      t:use()
    end)
    s:synchronize()
    assert.equal(tide.Device(kind), dev)
    assert.equal(tide.Stream.null, tide.get_current_stream())
    local again
    s:launch_host_func(function () again = tide.get_current_stream() end)
    s:synchronize()
    assert.is_false(again == t)
  end)

  it("no call that waits is permitted, if there is work or not", function ()
    local s <close> = new()
    local t <close> = new()
    local a = t:with(function () return tide.ones(4) end)
    local e <close> = t:record()
    tide.Device(kind):synchronize()
    local waits = {
      ["stream:synchronize"] = function () t:synchronize() end,
      ["event:synchronize"] = function () e:synchronize() end,
      ["device:synchronize"] = function () tide.Device(kind):synchronize() end,
      ["index"] = function () return a[1] end,
      ["item"] = function () return a:sum():item() end,
      ["totable"] = function () a:totable() end,
      ["tobytes"] = function () a:tobytes() end,
      ["tohost"] = function () a:tohost() end,
      ["reset"] = function () tide.Device(kind):reset() end,
      ["describe"] = function () a:describe() end,
      ["plot"] = function () a:plot{ string = true } end,
      ["group"] = function () tide.group(a) end,
      ["lfilter"] = function () tide.lfilter(a, { 1 }, a) end,
      ["expm"] = function () tide.linalg.expm(a:reshape(2, 2)) end,
    }
    local messages = {}
    s:launch_host_func(function ()
      for name, fn in pairs(waits) do
        messages[name] = select(2, pcall(fn))
      end
    end)
    s:synchronize()
    for name in pairs(waits) do
      assert.is_truthy(tostring(messages[name]):find(
        "CUDA_ERROR_NOT_PERMITTED (800)", 1, true),
        name .. ": " .. tostring(messages[name]))
    end
  end)

  it("the refusal says what to do instead", function ()
    local s <close> = new()
    local message
    s:launch_host_func(function ()
      message = select(2, pcall(s.synchronize, s))
    end)
    s:synchronize()
    assert.is_truthy(message:find("stream:synchronize: CUDA_ERROR_NOT_PERMITTED"
      .. " (800): operation not permitted: a host function must not wait: "
      .. "queue what comes next", 1, true), message)
  end)

  it("the refusal has the name of what was called", function ()
    local s <close> = new()
    local calls = {
      ["tide.sleep"] = function () tide.sleep(60) end,
      ["tide.run"] = function () tide.run(tide.sleep, 60) end,
      ["tide.poll"] = function () tide.poll(60) end,
      [": describe"] = function () tide.zeros(3):describe() end,
      [": plot"] = function () tide.plot(tide.zeros(3), { string = true }) end,
      [": group"] = function () tide.group(tide.zeros(3)) end,
      [": lfilter"] = function ()
        tide.lfilter(tide.ones(1), { 1 }, tide.zeros(3))
      end,
      [": expm"] = function () tide.linalg.expm(tide.eye(2)) end,
    }
    for name, fn in pairs(calls) do
      s:launch_host_func(fn)
      fails(name .. ": CUDA_ERROR_NOT_PERMITTED", s.synchronize, s)
    end
  end)

  it("an event of its own stream queued later cannot be awaited", function ()
    local s <close> = new()
    local e = tide.Event()
    local message
    s:launch_host_func(function ()
      message = select(2, pcall(e.synchronize, e))
    end)
    s:record(e)
    s:synchronize()
    assert.is_truthy(tostring(message):find("CUDA_ERROR_NOT_PERMITTED", 1,
                                            true), tostring(message))
  end)

  it("tostring of an array shows what needs no wait", function ()
    local s <close> = new()
    local a = tide.zeros({ 2, 3 }, "int16")
    local text
    s:launch_host_func(function () text = tostring(a) end)
    s:synchronize()
    assert.is_truthy(text:find("int16", 1, true), text)
    assert.is_nil(text:find("0 0", 1, true), text)
  end)

  it("all that only queues works as ever", function ()
    local s <close> = new()
    local a = tide.arange(10)
    local sum
    s:launch_host_func(function () sum = (a * 2):sum() end)
    s:synchronize()
    assert.equal(90, sum:item())
  end)

  it("others may be queued, also on its own stream", function ()
    local s <close> = new()
    local t <close> = new()
    local order = {}
    local function note (x) order[#order + 1] = x end
    s:launch_host_func(function ()
      note(1)
      t:launch_host_func(note, 3)
      note(2)
      s:wait_event(t:record())
      s:launch_host_func(note, 4)
    end)
    tide.Device(kind):synchronize()
    tide.Device(kind):synchronize()
    assert.same({ 1, 2, 3, 4 }, order)
  end)

  it("they queue one another, however often", function ()
    local s <close> = new()
    local depth = 0
    local function down (n)
      depth = n
      if n < 300 then
        s:launch_host_func(down, n + 1)
      end
    end
    s:launch_host_func(down, 1)
    while depth < 300 do
      s:synchronize()
    end
    assert.equal(300, depth)
  end)

  it("what it queues comes behind all calls before", function ()
    local s <close> = new()
    local a = s:with(function () return tide.zeros(4, "int64") end)
    s:launch_host_func(function () a:fill(5) end)
    s:with(function () a:add_(1) end)  -- called first
    assert.same({ 1, 1, 1, 1 }, a:totable())
    assert.same({ 5, 5, 5, 5 }, a:totable())
  end)
end)

describe("an error in a host function", function ()
  it("comes out of the service point, with its traceback", function ()
    local s <close> = new()
    local function culprit () error "in the callback" end
    s:launch_host_func(function () culprit() end)
    local message = fails("in the callback", s.synchronize, s)
    assert.is_truthy(message:find("_spec.lua:%d+: in the callback"))
    assert.is_truthy(message:find("stack traceback:", 1, true))
    assert.is_truthy(message:find("culprit", 1, true), message)
  end)

  it("opens the gate all the same", function ()
    local s <close> = new()
    local ran = false
    s:launch_host_func(error, "first")
    s:launch_host_func(function () ran = true end)
    fails("first", s.synchronize, s)
    s:synchronize()
    assert.is_true(ran)
  end)

  it("each is raised, one at a time", function ()
    local s <close> = new()
    for i = 1, 3 do
      s:launch_host_func(error, "number " .. i)
    end
    for i = 1, 3 do
      fails("number " .. i, s.synchronize, s)
    end
    s:synchronize()
  end)

  it("is the error object if that is no string", function ()
    local s <close> = new()
    local object = {}
    s:launch_host_func(error, object)
    local ok, err = pcall(s.synchronize, s)
    assert.is_false(ok)
    assert.is_true(rawequal(object, err))
  end)

  it("comes out of poll as well", function ()
    local s <close> = new()
    s:launch_host_func(error, "polled")
    local ok, err
    repeat
      ok, err = pcall(tide.poll)
    until not ok
    assert.is_truthy(tostring(err):find("polled", 1, true))
  end)

  it("yield across it is such an error", function ()
    local s <close> = new()
    s:launch_host_func(coroutine.yield)
    local ok, err = pcall(s.synchronize, s)
    assert.is_false(ok)
    assert.is_truthy(tostring(err):find("yield", 1, true), tostring(err))
  end)
end)

describe("poll", function ()
  it("runs what is due and says how many", function ()
    local s <close> = new()
    local ran, n = 0, 0
    for _ = 1, 5 do
      s:launch_host_func(function () ran = ran + 1 end)
    end
    while n < 5 do
      n = n + tide.poll()
    end
    assert.equal(5, ran)
    assert.equal(0, tide.poll())
  end)

  it("never blocks", function ()
    local s <close> = new()
    local key = T.hold(s)
    s:launch_host_func(function () end)
    local _, waits = tide.sync_debug()
    assert.equal(0, tide.poll())
    assert.equal(waits, select(2, tide.sync_debug()))
    T.release(key)
    s:synchronize()
  end)
end)

end)
