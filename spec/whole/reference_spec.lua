--[[
reference_spec.lua - the programs of CuPy's pages on streams, events and
graphs, line by line in Lua. cupy.asnumpy is tohost; `with s:` is a scope.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local a_np = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }

helper.each_device(function ()

describe("Accessing CUDA Functionalities", function ()
  it("with s", function ()
    local a_cp, b_cp
    local s = tide.Stream()
    do
      local _ <close> = s:scope()
      a_cp = tide.asarray(a_np)  -- H2D transfer on stream s
      b_cp = tide.sum(a_cp)      -- kernel launched on stream s
      assert(s == tide.get_current_stream())
    end
    assert(tide.get_current_stream() == tide.Stream.null)
    assert.equal(45, b_cp:item())
    assert.same(a_np, a_cp:totable())
  end)

  it("s.use()", function ()
    local b_cp = tide.asarray(a_np):sum()
    local s = tide.Stream()
    s:use()  -- any subsequent operations are done on stream s
    local b_np = b_cp:tohost()
    assert(s == tide.get_current_stream())
    tide.Stream.null:use()  -- fall back to the default (null) stream
    assert(tide.Stream.null == tide.get_current_stream())
    assert.equal(45, b_np:item())
    assert.is_truthy(tostring(tide.Stream.null):find("device -1", 1, true))
  end)

  it("events: timing and order", function ()
    local a_cp = tide.asarray(a_np)
    local b_cp = a_cp:sum()
    -- CuPy broadcasts b_cp; until tide does, it is an array of the same shape
    b_cp = tide.full(10, b_cp:item())
    local e1 = tide.Event()
    e1:record()
    a_cp = b_cp * a_cp + 8
    local e2 = tide.get_current_stream():record()

    local s2 = tide.Stream()  -- set up a stream order
    s2:wait_event(e2)
    local result
    do
      local _ <close> = s2:scope()
      -- a_cp is guaranteed updated when this copy (on s2) starts
      result = a_cp:tohost()
    end

    e2:synchronize()
    local t = tide.get_elapsed_time(e1, e2)  -- the compute time only
    assert.is_true(t >= 0)
    for i = 0, 9 do
      assert.equal(45 * i + 8, result[i + 1])
    end
  end)
end)

describe("CUDA Streams (tutorial)", function ()
  it("the scope, then use, then back", function ()
    local s = tide.Stream()
    local b_cp
    tide.with_stream(s, function ()
      local a_cp = tide.asarray(a_np)
      b_cp = tide.sum(a_cp)
    end)
    s:use()
    local b_np = b_cp:tohost()
    assert(s == tide.get_current_stream())
    tide.Stream.null:use()
    assert.has_error(function ()
      assert(s == tide.get_current_stream())  -- run fails, as it should
    end)
    assert.equal(45, b_np:item())
  end)
end)

describe("CUDA Events (tutorial)", function ()
  it("the null stream waits for an event", function ()
    local a_cp = tide.arange(10)
    local b_cp = tide.arange(10)
    local e1 = tide.Event()
    e1:record()
    a_cp = b_cp * a_cp + 8
    local e2 = tide.get_current_stream():record()
    local s = tide.Stream.null
    s:wait_event(e2)
    local result = tide.with_stream(s, function () return a_cp:tohost() end)
    e2:synchronize()
    local t = tide.get_elapsed_time(e1, e2)
    assert.equal("number", type(t))
    assert.is_true(t >= 0)
    for i = 0, 9 do
      assert.equal(i * i + 8, result[i + 1])
    end
  end)
end)

describe("cupy.cuda.Stream", function ()
  it("begin_capture's example", function ()
    local x = tide.zeros(4, "int64")
    -- create a non-blocking stream for the purpose of capturing
    local s1 = tide.Stream{ non_blocking = true }
    local g
    do
      local _ <close> = s1:scope()
      s1:begin_capture()
      x:add_(1)
      g = s1:end_capture()
    end
    -- the returned graph can be launched on any stream (including s1)
    g:launch(s1)
    s1:synchronize()
    assert.equal(4, x:sum():item())
    local s2 = tide.Stream()
    do
      local _ <close> = s2:scope()
      g:launch()
    end
    s2:synchronize()
    assert.equal(8, x:sum():item())
  end)

  it("has a counterpart of every method and attribute", function ()
    local s <close> = tide.Stream{ null = false, non_blocking = true,
                                   ptds = false, priority = 0 }
    for _, name in ipairs{ "add_callback", "begin_capture", "end_capture",
                           "is_capturing", "launch_host_func", "record",
                           "synchronize", "use", "wait_event" } do
      assert.equal("function", type(s[name]))
    end
    assert.is_true(s.done)
    assert.is_true(s.is_non_blocking)
    assert.equal(0, s.priority)
    assert.equal("number", type(s.ptr))
    assert.equal(0, s.device_id)
    assert.equal(-1, tide.Stream.null.device_id)
    assert.equal(-1, tide.Stream.ptds.device_id)
  end)

  it("add_callback: stream, error status, user data", function ()
    local s <close> = tide.Stream()
    local got
    s:add_callback(function (...) got = { ... } end, "data")
    s:synchronize()
    assert.is_true(got[1] == s)
    assert.equal(0, got[2])
    assert.equal("data", got[3])
  end)
end)

end)
