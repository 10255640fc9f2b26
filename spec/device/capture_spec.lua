--[[
capture_spec.lua - captures: begin and end, fork and join, what is illegal and
leaves the capture valid, tide.capture.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

local UNSUPPORTED = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900)"
local new = helper.new_stream

helper.each_device(function ()

describe("begin_capture", function ()
  it("returns the stream; nothing runs until the launch", function ()
    local s <close> = new()
    local x = tide.zeros(4, "int64")
    assert.is_false(s:is_capturing())
    assert.equal(s, s:begin_capture())
    assert.is_true(s:is_capturing())
    s:with(function () x:add_(1) end)
    local g <close> = s:end_capture()
    assert.is_false(s:is_capturing())
    assert.equal(0, x:sum():item())
    g:launch()
    assert.equal(4, x:sum():item())
  end)

  it("takes the modes relaxed, thread_local and global", function ()
    for _, mode in ipairs{ "relaxed", "thread_local", "global" } do
      local s <close> = new()
      local x = tide.zeros(2, "int64")
      s:begin_capture(mode)
      s:with(function () x = x + tide.ones(2, "int64") end)  -- allocates
      local g <close> = s:end_capture()
      g:launch()
      assert.equal(2, x:sum():item())
    end
    local s <close> = new()
    fails("invalid option 'relax'", s.begin_capture, s, "relax")
    assert.is_false(s:is_capturing())
  end)

  it("is refused on the null stream, by name", function ()
    local null = tide.Stream.null
    local message = fails("stream:begin_capture: " .. UNSUPPORTED,
                          null.begin_capture, null)
    assert.is_truthy(message:find("null stream", 1, true))
    assert.is_false(null:is_capturing())
    null:synchronize()
  end)

  it("twice is an error that leaves the capture valid", function ()
    local s <close> = new()
    s:begin_capture()
    fails("CUDA_ERROR_ILLEGAL_STATE", s.begin_capture, s)
    s:end_capture():close()
  end)

  it("works on the per-thread stream", function ()
    local ptds = tide.Stream.ptds
    local x = tide.zeros(2, "int64")
    ptds:begin_capture()
    ptds:with(function () x:add_(3) end)
    local g <close> = ptds:end_capture()
    g:launch()
    assert.equal(6, x:sum():item())
  end)
end)

describe("end_capture", function ()
  it("of a capture that never began harms nothing", function ()
    local s <close> = new()
    fails("stream:end_capture: CUDA_ERROR_ILLEGAL_STATE (401)",
          s.end_capture, s)
    fails("CUDA_ERROR_ILLEGAL_STATE", tide.Stream.null.end_capture,
          tide.Stream.null)
    assert.equal(3, s:with(function () return tide.ones(3):sum() end):item())
  end)

  it("of an empty capture is a graph that does nothing", function ()
    local s <close> = new()
    local g <close> = s:begin_capture():end_capture()
    g:launch(s)
    s:synchronize()
    assert.equal("tide.Graph (0 nodes", tostring(g):sub(1, 19))
  end)

  it("on a stream that joined raises and leaves the capture", function ()
    local s <close> = new()
    local t <close> = new()
    s:begin_capture()
    t:wait_event(s:record())
    assert.is_true(t:is_capturing())
    fails("CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", t.end_capture, t)
    s:wait_event(t:record())
    s:end_capture():close()
    assert.is_false(t:is_capturing())
  end)

  it("with an unjoined branch raises; both streams are usable", function ()
    local s <close> = new()
    local t <close> = new()
    local x = tide.zeros(4, "int64")
    s:begin_capture()
    t:wait_event(s:record())
    t:with(function () x:add_(1) end)
    fails("CUDA_ERROR_STREAM_CAPTURE_UNJOINED (904)", s.end_capture, s)
    s:begin_capture()
    t:wait_stream(s)
    t:with(function () x:add_(1) end)
    fails("the stream that began the capture has not waited for " ..
          "'add_vs_i64' on another one", s.end_capture, s)
    for _, stream in ipairs{ s, t } do
      assert.is_false(stream:is_capturing())
      stream:with(function () x:add_(1) end)
      stream:synchronize()
    end
    assert.equal(8, x:sum():item())
  end)
end)

describe("fork and join", function ()
  it("by events", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = tide.ones(8, "int64"), tide.ones(8, "int64")
    s:begin_capture()
    s:with(function () a:add_(1) end)
    t:wait_event(s:record())
    t:with(function () b:mul_(10) end)
    s:with(function () a:mul_(3) end)
    s:wait_event(t:record())
    s:with(function () a:add_(b) end)
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(8 * 16, a:sum():item())
    g:launch()
    assert.equal(8 * (17 * 3 + 100), a:sum():item())
  end)

  it("by wait_stream", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.ones(8, "int64")
    s:begin_capture()
    t:wait_stream(s)
    assert.is_true(t:is_capturing())
    t:with(function () a:add_(4) end)
    s:wait_stream(t)
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(40, a:sum():item())
  end)

  it("by the automatic ordering, there and back", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.zeros(8, "int64")
    s:begin_capture()
    s:with(function () a:add_(1) end)
    t:with(function () a:mul_(10) end)  -- joins t
    assert.is_true(t:is_capturing())
    s:with(function () a:add_(2) end)   -- joins t's branch again
    local g <close> = s:end_capture()
    g:launch()
    g:launch()
    assert.equal(8 * 132, a:sum():item())
  end)

  it("a wide one over eight streams", function ()
    local s <close> = new()
    local list, arrays = {}, {}
    for i = 1, 8 do
      list[i], arrays[i] = new(), tide.ones(16, "int64")
    end
    local sum = tide.zeros(16, "int64")
    s:begin_capture()
    local fork = s:record()
    for i = 1, 8 do
      list[i]:wait_event(fork)
      list[i]:with(function () arrays[i]:mul_(i) end)
    end
    s:with(function ()
      for i = 1, 8 do
        sum:add_(arrays[i])  -- automatic join of each
      end
    end)
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(16 * 36, sum:sum():item())
    g:launch()
    assert.equal(16 * (36 + 204), sum:sum():item())
  end)

  it("streams that share nothing stay outside", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.ones(8, "int64")
    s:begin_capture()
    s:with(function () a:add_(1) end)
    local b = t:with(function () return tide.full(8, 5) end)
    assert.is_false(t:is_capturing())
    t:with(function () assert.equal(40, b:sum():item()) end)
    s:end_capture():close()
  end)

  it("a blocking stream that joins keeps what the null stream does (#267)",
     function ()
    for _, join in ipairs{
      function (s, b) b:wait_stream(s) end,
      function (s, b, y)
        s:with(function () y:add_(1) end)
        b:with(function () y:add_(1) end)
      end
    } do
      local null, x, y = tide.Stream.null, tide.zeros(64), tide.zeros(64)
      local s <close> = new()
      local b <close> = tide.Stream()
      local graph = tide.capture(function () x:add_(1) end)
      local graphs = T.live().graphs
      tide.get_device():synchronize()
      s:begin_capture()
      local key = T.hold(null)
      graph:launch(null)
      join(s, b, y)
      graph:close()
      tide.poll()
      local alive = T.live().graphs
      s:wait_stream(b)
      s:end_capture():close()
      T.release(key)
      assert.equal(graphs, alive)
      assert.equal(64, x:sum():item())
      tide.poll()
      assert.equal(graphs - 1, T.live().graphs)
    end
  end)
end)

describe("illegal in a capture, which stays valid:", function ()
  -- Each gets the capturing stream, an array it has captured, an event.
  local illegal = {
    ["stream:synchronize"] = function (s) s:synchronize() end,
    ["stream.done"] = function (s) return s.done end,
    ["device:synchronize"] = function () tide.get_device():synchronize() end,
    ["array:item"] = function (_, a) a:sum():item() end,
    ["array:totable"] = function (_, a) a:totable() end,
    ["array:tobytes"] = function (_, a) a:tobytes() end,
    ["array index"] = function (_, a) return a[1] end,
    ["array:tohost"] = function (_, a) a:tohost() end,
    ["stream:begin_capture"] = function ()
      tide.Stream.null:begin_capture()
    end,
    ["stream:close"] = function (s) s:close() end,
    ["graph:launch"] = function (s, _, _, g) g:launch(s) end,
    ["graph:upload"] = function (s, _, _, g) g:upload(s) end,
  }
  for call, fn in pairs(illegal) do
    it(call, function ()
      local s <close> = new()
      local a = tide.zeros(4, "int64")
      local other <close> = new():begin_capture():end_capture()
      s:begin_capture()
      local e = s:record()
      s:with(function ()
        a:add_(1)
        fails(call .. ": " .. UNSUPPORTED, fn, s, a, e, other)
        assert.is_true(s:is_capturing())
        a:add_(1)
      end)
      local g <close> = s:end_capture()
      g:launch()
      assert.equal(8, a:sum():item())
    end)
  end

  it("a captured event is not to be asked or waited for", function ()
    local s <close> = new()
    local t <close> = new()
    s:begin_capture()
    local e = s:record()
    fails("event:synchronize: CUDA_ERROR_CAPTURED_EVENT", e.synchronize, e)
    fails("event.done: CUDA_ERROR_CAPTURED_EVENT", function ()
      return e.done
    end)
    fails("CUDA_ERROR_CAPTURED_EVENT", tide.get_elapsed_time, e, e)
    assert.is_truthy(tostring(e):find("captured", 1, true))
    s:end_capture():close()
    fails("CUDA_ERROR_CAPTURED_EVENT", t.wait_event, t, e)
    e:record(t):synchronize()
    assert.is_true(e.done)
  end)

  it("an event from outside cannot be waited for", function ()
    local s <close> = new()
    local e = tide.Stream.null:record()
    s:begin_capture()
    fails("CUDA_ERROR_STREAM_CAPTURE_ISOLATION (905)", s.wait_event, s, e)
    s:end_capture():close()
  end)

  it("two captures cannot be merged", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.zeros(4, "int64")
    s:begin_capture()
    t:begin_capture()
    s:with(function () a:add_(1) end)
    fails("CUDA_ERROR_STREAM_CAPTURE_MERGE", t.wait_event, t, s:record())
    fails("CUDA_ERROR_STREAM_CAPTURE_MERGE", t.wait_stream, t, s)
    t:with(function ()
      fails("CUDA_ERROR_STREAM_CAPTURE_MERGE", a.add_, a, 1)
    end)
    t:end_capture():close()
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(4, a:sum():item())
  end)

  it("the null stream while a blocking stream captures", function ()
    local s <close> = tide.Stream()
    local null = tide.Stream.null
    local a = tide.zeros(4, "int64")
    s:begin_capture()
    for _, fn in ipairs{ null.synchronize, null.record,
                         function () return null.done end,
                         function () return tide.ones(2) end } do
      fails("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT (906)", fn, null)
    end
    s:with(function () a:add_(1) end)
    local g <close> = s:end_capture()
    null:synchronize()
    g:launch()
    assert.equal(4, a:sum():item())
  end)
end)

describe("capture", function ()
  it("returns the graph and fn's results", function ()
    local a = tide.ones(4, "int64")
    local g, b, n = tide.capture(function (x)
      assert.is_true(tide.get_current_stream():is_capturing())
      return a * x, x
    end, 7)
    assert.equal(tide.Stream.null, tide.get_current_stream())
    assert.equal(7, n)
    g:launch()
    assert.equal(28, b:sum():item())
  end)

  it("ends the capture when fn raises, traceback intact", function ()
    local inside
    local function culprit () error "oops" end
    local ok, trace = xpcall(tide.capture, debug.traceback, function ()
      inside = tide.get_current_stream()
      tide.ones(3)
      culprit()
    end)
    assert.is_false(ok)
    assert.is_truthy(trace:find("culprit", 1, true))
    assert.equal(0, T.held().captures)
    assert.equal("tide.Stream (closed)", tostring(inside))
    assert.equal(tide.Stream.null, tide.get_current_stream())
  end)

  it("ends it when the coroutine is closed", function ()
    local co = coroutine.create(function ()
      tide.capture(function ()
        tide.ones(3)
        coroutine.yield()
      end)
    end)
    assert(coroutine.resume(co))
    assert.equal(1, T.held().captures)
    tide.ones(3)  -- elsewhere work goes on
    assert.is_true(coroutine.close(co))
    assert.equal(0, T.held().captures)
  end)

  it("dropped half-way in a coroutine ends some day", function ()
    coroutine.wrap(function ()
      tide.capture(function ()
        tide.Stream.ptds:wait_stream(tide.get_current_stream())
        tide.get_current_stream():launch_host_func(print)
        coroutine.yield()
      end)
    end)()
    assert.equal(1, T.held().captures)
  end)

  it("wants a function", function ()
    assert.has_error(function () tide.capture(nil) end)
    assert.equal(0, T.held().captures)
  end)
end)

describe("garbage in a capture", function ()
  it("waits with its drivers calls until the end", function ()
    local s <close> = new()
    s:begin_capture()
    for _ = 1, 50 do
      s:record()
      new()
    end
    collectgarbage()
    collectgarbage()
    s:end_capture():close()
  end)

  it("keeps what the graph needs", function ()
    local s <close> = new()
    local sum = tide.zeros(4, "int64")
    s:begin_capture()
    s:with(function ()
      for i = 1, 10 do
        sum:add_(tide.full(4, i))
      end
    end)
    collectgarbage()
    collectgarbage()
    local g <close> = s:end_capture()
    g:launch()
    g:launch()
    assert.equal(4 * 110, sum:sum():item())
  end)
end)

describe("a stream beside a capture", function ()
  it("writes at once what the graph only reads", function ()
    local u <close> = new()
    local s <close> = new()
    local x, sum = tide.zeros(1), nil
    s:begin_capture()
    s:with(function () sum = x + 1 end)
    for _ = 1, 10 do
      u:with(function () x:add_(1) end)
    end
    assert.is_false(u:is_capturing())
    local g <close> = s:end_capture()
    assert.equal(10, x[1])
    g:launch()
    assert.equal(11, sum[1])
  end)

  it("keeps what it wrote when the capture is dropped", function ()
    local u <close> = new()
    local x = tide.zeros(1)
    pcall(tide.capture, function ()
      local _ = x + 1
      u:with(function () x:add_(1) end)
      error "in the middle"
    end)
    assert.equal(1, x[1])
  end)

  it("takes part from when it uses what the graph writes", function ()
    for _, use in ipairs{ function (_, x) return x + 1 end,
                          function (_, x) return x:fill(3) end } do
      local u <close> = new()
      local s <close> = new()
      local x = tide.zeros(1)
      s:begin_capture()
      s:with(function () x:add_(1) end)
      u:with(use, x)
      assert.is_true(u:is_capturing())
      s:wait_stream(u)
      s:end_capture():close()
      assert.equal(0, x[1])
    end
  end)

  it("belongs to its own graph where two read the same", function ()
    local a <close> = new()
    local b <close> = new()
    local x, y = tide.ones(1), nil
    a:begin_capture()
    b:begin_capture()
    a:with(function () y = x + 1 end)
    b:with(function () x:add_(1) end)
    local reads <close> = a:end_capture()
    local writes <close> = b:end_capture()
    writes:launch()
    reads:launch()
    assert.equal(3, y[1])
  end)
end)

describe("a finalizer in a capture", function ()
  it("queues its work on a stream apart", function ()
    local count, x = tide.zeros(1), tide.zeros(1)
    local s, device
    setmetatable({}, { __gc = function ()
      count:add_(1)
      s, device = tide.get_current_stream(), tide.get_device()
    end })
    local g <close> = tide.capture(function ()
      x:add_(1)
      collectgarbage()
      x:add_(1)
    end)
    assert.equal(1, count[1])
    assert.is_false(s:is_capturing())
    assert.equal(tide.get_device(), device)
    g:launch():launch()
    assert.equal(1, count[1])
    assert.equal(4, x[1])
  end)
end)

end)
