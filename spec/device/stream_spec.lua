--[[
stream_spec.lua - streams: making, fields, order, the legacy rules, closing.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

helper.each_device(function (kind)

describe("Stream", function ()
  it("is a plain new stream by default", function ()
    local s <close> = tide.Stream()
    assert.is_false(s.is_non_blocking)
    assert.equal(0, s.priority)
    assert.equal(0, s.device_id)
    assert.equal(kind, s.device.kind)
  end)

  it("takes non_blocking and priority", function ()
    local s <close> = tide.Stream{ non_blocking = true, priority = -1 }
    assert.is_true(s.is_non_blocking)
    assert.equal(-1, s.priority)
  end)

  it("clamps priorities that are out of range", function ()
    local high <close> = tide.Stream{ priority = -1000000 }
    local low <close> = tide.Stream{ priority = 1000000 }
    assert.is_true(high.priority < 0 and high.priority > -100)
    assert.equal(0, low.priority)
  end)

  it("returns the singletons for null and ptds", function ()
    assert.equal(tide.Stream.null, tide.Stream{ null = true })
    assert.equal(tide.Stream.ptds, tide.Stream{ ptds = true })
    assert.equal(tide.Stream.ptds, tide.Stream{ null = false, ptds = true })
  end)

  it("names unknown and wrong options", function ()
    fails("unknown option 'prioirty'; did you mean 'priority'?",
          tide.Stream, { prioirty = 1 })
    fails("option 'priority' must be an integer, got string",
          tide.Stream, { priority = "high" })
    fails("option 'non_blocking' must be a boolean, got number",
          tide.Stream, { non_blocking = 1 })
    fails("table expected", tide.Stream, 5)
    fails("'null' and 'ptds' go with no other option", tide.Stream,
          { null = true, non_blocking = true })
    fails("'null' and 'ptds' go with no other option", tide.Stream,
          { null = true, ptds = true })
    assert.equal(tide.Stream.null, tide.Stream{ null = true, priority = 0 })
  end)
end)

describe("the singletons", function ()
  it("have device -1 and the handles 0 and 2", function ()
    assert.equal(-1, tide.Stream.null.device_id)
    assert.equal(-1, tide.Stream.ptds.device_id)
    assert.equal(0, tide.Stream.null.ptr)
    assert.equal(2, tide.Stream.ptds.ptr)
    assert.equal("tide.Stream null (device -1)", tostring(tide.Stream.null))
  end)

  it("work like streams", function ()
    for _, s in ipairs{ tide.Stream.null, tide.Stream.ptds } do
      s:synchronize()
      assert.is_true(s.done)
      local e <close> = s:record()
      e:synchronize()
      assert.is_true(e.done)
    end
  end)

  it("cannot be closed", function ()
    fails("a default stream cannot be closed", tide.Stream.null.close,
          tide.Stream.null)
    assert.is_true(tide.Stream.null.done)
  end)
end)

describe("fields", function ()
  it("say no to unknown names, with the nearest one", function ()
    local s <close> = tide.Stream()
    fails("no field 'dnoe' in tide.Stream; did you mean 'done'?",
          function () return s.dnoe end)
    fails("no field 'xyzzy' in tide.Stream", function () return s.xyzzy end)
    fails("field 'priority' of tide.Stream cannot be set",
          function () s.priority = 1 end)
    fails("cannot index a tide.Stream with a number",
          function () return s[1] end)
  end)

  it("done says whether work is left", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    assert.is_false(s.done)
    T.release(key)
    s:synchronize()
    assert.is_true(s.done)
  end)
end)

describe("equality", function ()
  it("is the same handle on the same device", function ()
    local s <close> = tide.Stream()
    local t <close> = tide.Stream()
    local again <close> = tide.Stream.from_external(s.ptr)
    assert.is_true(s == again)
    assert.is_false(s == t)
    assert.is_false(tide.Stream.null == tide.Stream.ptds)
  end)
end)

describe("from_external", function ()
  it("wraps a stream and never destroys it", function ()
    local s <close> = tide.Stream{ non_blocking = true, priority = -1 }
    local e = tide.Stream.from_external(s.ptr)
    assert.is_true(e.is_non_blocking)
    assert.equal(-1, e.priority)
    local x = e:with(function () return tide.arange(10) + 1 end)
    assert.equal(55, x:sum():item())
    e:close()
    s:synchronize()
    assert.is_true(s.done)
  end)

  it("of a handle whose stream is closed is refused", function ()
    local s, t = tide.Stream(), tide.Stream{ non_blocking = true }
    local key = helper.T.hold(s)
    local handles = { s.ptr, t.ptr }
    s:close()
    t:close()
    for _, handle in ipairs(handles) do
      fails("CUDA_ERROR_INVALID_HANDLE (400)", tide.ExternalStream, handle)
    end
    helper.T.release(key)
    tide.get_device():synchronize()
    for _, handle in ipairs(handles) do
      fails("the stream is closed", tide.Stream.from_external, handle)
    end
  end)

  it("knows a stream by either name", function ()
    local s = tide.Stream{ non_blocking = true }
    local e = tide.ExternalStream(s.ptr)
    local message
    s:launch_host_func(function ()
      message = select(2, pcall(e.synchronize, e))
    end)
    s:close()
    e:synchronize()
    assert.is_truthy(message:find("must not wait", 1, true))
    e:launch_host_func(function () message = "ran" end)
    e:close()
    tide.get_device():synchronize()
    assert.equal("ran", message)
  end)

  it("keeps its second argument alive", function ()
    local s <close> = tide.Stream()
    local weak = setmetatable({ {} }, { __mode = "v" })
    local e = tide.Stream.from_external(s.ptr, weak[1])
    collectgarbage()
    assert.is_table(weak[1])
    e:close()
    e = nil  -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
  end)

  it("knows the default streams", function ()
    assert.equal(tide.Stream.null, tide.Stream.from_external(0))
    assert.equal(tide.Stream.null, tide.ExternalStream(1))
    assert.equal(tide.Stream.ptds, tide.ExternalStream(2, 0))
  end)

  it("wants a pointer", function ()
    fails("integer or light userdata expected, got string",
          tide.Stream.from_external, "x")
    fails("there is no device", tide.ExternalStream, 0, 99)
  end)

  it("refuses what is no stream, on the host device", function ()
    if kind == "host" then  -- CUDA's driver would fall over it
      fails("cuStreamGetCtx: CUDA_ERROR_INVALID_HANDLE",
            tide.Stream.from_external, 12345)
    end
  end)
end)

describe("use", function ()
  it("makes the stream current and returns it", function ()
    local s <close> = tide.Stream()
    assert.equal(s, s:use())
    assert.equal(s, tide.get_current_stream())
    tide.Stream.null:use()
    assert.equal(tide.Stream.null, tide.get_current_stream())
  end)
end)

describe("record and wait_event", function ()
  it("hold one stream until the other is there", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    local e <close> = s:record()
    assert.equal(t, t:wait_event(e))
    local f <close> = t:record()
    assert.is_false(f.done)
    T.release(key)
    f:synchronize()
    assert.is_true(e.done)
  end)

  it("record into a given event and return it", function ()
    local s <close> = tide.Stream()
    local e <close> = tide.Event()
    assert.equal(e, s:record(e))
    e:synchronize()
  end)

  it("refuse what is no event, closed or never recorded", function ()
    local s <close> = tide.Stream()
    local e = tide.Event()
    fails("event was never recorded", s.wait_event, s, e)
    fails("tide.Event expected, got no value", s.wait_event, s)
    fails("tide.Event expected, got tide.Stream", s.wait_event, s, s)
    e:close()
    fails("event is closed", s.wait_event, s, e)
    fails("event is closed", s.record, s, e)
  end)
end)

describe("wait_stream", function ()
  it("waits for all that the other holds now", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    t:wait_stream(s)
    local e <close> = t:record()
    assert.is_false(e.done)
    T.release(key)
    e:synchronize()
  end)

  it("does nothing for the stream itself", function ()
    local s <close> = tide.Stream()
    assert.equal(s, s:wait_stream(s))
    fails("tide.Stream expected, got number", s.wait_stream, s, 1)
  end)

  it("holds streams that wait for the one that waits, too (#006)", function ()
    local s <close> = helper.new_stream()
    local t <close> = helper.new_stream()
    local u <close> = helper.new_stream()
    local key = T.hold(t)
    s:wait_stream(t)
    u:wait_stream(s)
    assert.is_false(u.done)
    T.release(key)
    u:synchronize()
  end)

  it("of a closed stream is not that of the next in its place", function ()
    local t <close> = helper.new_stream()
    local a = tide.zeros(4, "int64")
    tide.get_device():synchronize()
    local key = T.hold(t)
    t:with(function () a:fill(1) end)
    for _ = 1, 10 do
      local s <close> = helper.new_stream()
      s:wait_stream(t)
      s:close()
      tide.poll()
    end
    local s <close> = helper.new_stream()
    local sum = s:with(function () return a:sum() end)
    assert.is_false(s.done)
    T.release(key)
    assert.equal(4, sum:item())
  end)

  -- A host function of a blocking stream reads before the copy writes.
  for name, follow in pairs{
    ["a stream waits for the null stream"] = function (_, copy)
      local s <close> = tide.Stream{ non_blocking = true }
      s:wait_stream(tide.Stream.null):with(copy)
    end,
    ["a blocking stream waits for it"] = function (_, copy)
      local s <close> = tide.Stream()
      s:wait_stream(tide.Stream.null):with(copy)
    end,
    ["the null stream waits for it"] = function (s, copy)
      local j <close> = tide.Stream()
      tide.Stream.null:wait_stream(s)
      j:with(copy)
    end,
  } do
    it("follows the legacy rules past host functions (#173): " .. name,
    function ()
      local s <close> = tide.Stream{
        non_blocking = name == "the null stream waits for it" }
      local h, a, got = tide.HostArray(1), tide.full(1, 7.0), nil
      tide.get_device():synchronize()
      s:launch_host_func(function () got = h[1] end)
      follow(s, function () h:copy_from(a) end)
      tide.get_device():synchronize()
      assert.same({ 0, 7 }, { got, h[1] })
    end)
  end

  it("brings the errors of streams that the null stream follows", function ()
    local b <close> = tide.Stream()
    local s <close> = tide.Stream{ non_blocking = true }
    b:launch_host_func(error, "of b")
    s:wait_stream(tide.Stream.null)
    fails("of b", s.synchronize, s)
  end)
end)

describe("synchronize", function ()
  it("enters the context once, however often it asks", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    s:use()
    local x = tide.arange(2 ^ 21, "float32")
    for _ = 1, 10 do x = x:sort() end
    local entered, asked = T.calls "cuCtxSetCurrent", T.calls "cuEventQuery"
    s:synchronize()
    entered = T.calls "cuCtxSetCurrent" - entered
    asked = T.calls "cuEventQuery" - asked
    assert(entered <= 4, entered)
    assert(asked > 10, asked)
    tide.Stream.null:use()
  end)
end)

describe("the legacy rules", function ()
  it("the null stream waits for blocking streams", function ()
    local s <close> = tide.Stream()
    s:record()  -- a hold alone is no work that the null stream follows
    local key = T.hold(s)
    local e <close> = tide.Stream.null:record()
    assert.is_false(e.done)
    T.release(key)
    e:synchronize()
  end)

  it("blocking streams wait for the null stream", function ()
    local s <close> = tide.Stream()
    local key = T.hold(tide.Stream.null)
    local e <close> = s:record()
    assert.is_false(e.done)
    T.release(key)
    e:synchronize()
  end)

  it("non-blocking streams do neither", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(tide.Stream.null)
    local e <close> = s:record()
    e:synchronize()
    T.release(key)
    key = T.hold(s)
    local f <close> = tide.Stream.null:record()
    f:synchronize()
    T.release(key)
  end)
end)

describe("close", function ()
  it("lets pending work complete", function ()
    local s = tide.Stream{ non_blocking = true }
    local x = s:with(function () return tide.arange(1000) * 2 end)
    s:close()
    assert.equal(999000, x:sum():item())
  end)

  it("makes every use raise, and tostring say so", function ()
    local s = tide.Stream()
    s:close()
    assert.equal("tide.Stream (closed)", tostring(s))
    for _, name in ipairs{ "use", "synchronize", "record", "scope",
                           "begin_capture", "end_capture", "is_capturing",
                           "close" } do
      fails("stream is closed", s[name], s)
    end
    fails("stream is closed", tide.with_stream, s, print)
    fails("stream is closed", function () return s.done end)
  end)

  it("is silent from __close after an explicit close", function ()
    local s <close> = tide.Stream()
    s:close()
  end)

  it("leaves a current stream at work until it is current no more", function ()
    local s = tide.Stream{ non_blocking = true }
    s:use()
    s:close()
    assert.equal(45, tide.arange(10):sum():item())
    assert.equal(1, T.held().streams)
    tide.Stream.null:use()
    tide.poll()
    assert.equal(0, T.held().streams)
  end)

  it("is refused while capturing", function ()
    local s <close> = tide.Stream()
    s:begin_capture()
    fails("stream:close: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900)",
          s.close, s)
    s:end_capture():close()
  end)

  it("is not done because an event could not be recorded (#055)", function ()
    local s, t <close> = helper.new_stream(), helper.new_stream()
    local a = s:with(function () return tide.full(1000, 1, "int32") end)
    t:with(function () tide.full(10, 1, "int32"):sum():item() end)
    s:synchronize()
    local key = T.hold(s)
    s:with(function () a:fill(7) end)
    T.failcall(1, 999, "cuEventRecord")
    s:close()
    T.failcall(0)
    a:close()
    local b = t:with(function () return tide.full(1000, 2, "int32") end)
    T.release(key)
    tide.get_device():synchronize()
    assert.equal(2000, b:sum():item())
  end)
end)

it("many streams need few threads and no time", function ()
  local list = {}
  for i = 1, 2000 do
    list[i] = tide.Stream{ non_blocking = true }
  end
  local x = tide.ones(8, "int64")
  for i = 1, 2000, 100 do
    x = list[i]:with(function () return x + 1 end)
  end
  assert.equal(168, x:sum():item())
  for _, s in ipairs(list) do
    s:close()
  end
end)

end)
