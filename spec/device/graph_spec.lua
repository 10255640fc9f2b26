--[[
graph_spec.lua - graphs: launch, upload, update, close; a graph owns what it
captured, and a launch is an operation like any other.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, expect = helper.T, helper.fails, helper.expect
local new = helper.new_stream

helper.each_device(function (kind)

describe("launch", function ()
  it("runs on the current stream and returns the graph", function ()
    local s <close> = new()
    local a = tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    tide.Stream.null:synchronize()
    local key = T.hold(s)
    s:with(function () assert.equal(g, g:launch()) end)
    assert.is_false(s.done)
    assert.is_true(tide.Stream.null.done)
    T.release(key)
    assert.equal(4, a:sum():item())
  end)

  it("runs on any stream, the null stream too", function ()
    local s <close> = new()
    local t <close> = tide.Stream()
    local a = tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    for _, x in ipairs{ s, t, tide.Stream.null, tide.Stream.ptds } do
      g:launch(x)
    end
    assert.equal(16, a:sum():item())
  end)

  it("a hundred times in a row adds up", function ()
    local s <close> = new()
    local a = tide.zeros(64, "int64")
    local g <close> = tide.capture(function () a:add_(1) a:mul_(1) end)
    for _ = 1, 100 do
      g:launch(s)
    end
    assert.equal(6400, a:sum():item())
  end)

  it("comes after whoever wrote its arrays, on whatever stream", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.zeros(4, "int64")
    local g <close>, c = tide.capture(function () return a * 2 end)
    local key = T.hold(s)
    s:with(function () a:fill(21) end)
    g:launch(t)
    assert.is_false(t.done)
    local b = s:with(function () return c + 0 end)
    T.release(key)
    assert.equal(168, b:sum():item())
  end)

  it("is waited for by whoever uses its arrays next", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(5) end)
    local key = T.hold(s)
    g:launch(s)
    t:with(function () a:mul_(2) end)
    assert.is_false(t.done)
    T.release(key)
    assert.equal(40, a:sum():item())
  end)

  it("orders launches on two streams by the arrays they share", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.ones(4, "int64")
    local double <close> = tide.capture(function () a:mul_(2) end)
    local inc <close> = tide.capture(function () a:add_(1) end)
    for _ = 1, 10 do
      double:launch(s)
      inc:launch(t)
    end
    assert.equal(4 * (2 ^ 11 - 1), a:sum():item())
  end)

  it("wants a stream", function ()
    local g <close> = tide.capture(function () end)
    local s = new()
    s:close()
    fails("stream is closed", g.launch, g, s)
  end)

  -- The last kernels of a launch still run when the next one is queued.
  it("keeps nothing of launches that have passed (#107)", function ()
    local a = tide.zeros(kind == "cuda" and 1 << 24 or 1 << 19)
    local b = tide.zeros(4, "int64")
    local s, ran, sum = new(), 0, 0
    local g <close> = tide.capture(function ()
      b:add_(1)
      tide.get_current_stream():launch_host_func(function () ran = ran + 1 end)
      b:add_(1)
      tide.get_current_stream():launch_host_func(function ()
        sum = sum + ran
      end)
      a:sin{ out = a }
      a:sin{ out = a }
    end)
    local rounds <const> = 300
    for i = 1, rounds do
      g:launch(s)
      while sum < i * (i + 1) // 2 do tide.poll() end
    end
    local kept = T.kept().operations
    s:synchronize()
    assert.same({ rounds, 2 * rounds, 0 }, { ran, b[4], kept })
  end)
end)

describe("a graph owns what it uses:", function ()
  it("replay after its arrays were dropped and collected", function ()
    local out = tide.zeros(1000, "int64")
    local g <close> = (function ()
      local a, b = tide.arange(1000), tide.ones(1000, "int64")
      return (tide.capture(function ()
        local c = a + b
        out:add_(c * 2)
        b:add_(1)
      end))
    end)()
    for _ = 1, 3 do
      collectgarbage()
    end
    local noise = {}
    for i = 1, 20 do
      noise[i] = tide.full(1000, -i)  -- would land in memory set free
    end
    assert.equal(-20000, noise[20]:sum():item())
    local base, wanted = 499500, 0
    for k = 1, 5 do
      g:launch()
      wanted = wanted + 2 * (base + 1000 * k)
      assert.equal(wanted, out:sum():item())
    end
  end)

  it("closed arrays and host arrays too", function ()
    local s <close> = new()
    local h, a = tide.HostArray(8, "int64"), tide.zeros(8, "int64")
    local b = tide.zeros(8, "int64")
    h:fill(3)
    local g <close> = tide.capture(function ()
      a:copy_from(h)
      b:add_(a)
    end)
    h:close()
    a:close()
    g:launch(s)
    g:launch(s)
    assert.equal(48, b:sum():item())
  end)

  it("a launch in flight too, when the graph is closed", function ()
    local s <close> = new()
    local out = tide.zeros(8, "int64")
    local g = tide.capture(function () out:add_(tide.ones(8, "int64")) end)
    local key = T.hold(s)
    g:launch(s)
    g:close()
    tide.poll()
    T.release(key)
    assert.equal(8, out:sum():item())
  end)

  it("its host functions too, when it is dropped in flight", function ()
    local s <close> = new()
    local key = T.hold(s)
    do
      local g = tide.capture(function ()
        tide.get_current_stream():launch_host_func(expect(function (x)
          assert.equal("kept", x.text)
        end, 2), { text = "kept" })
      end)
      g:launch(s)
      g:launch(s)
    end
    collectgarbage()
    collectgarbage()
    tide.poll()
    T.release(key)
    s:synchronize()
  end)

  it("may be dropped and updated behind a host function (#066)", function ()
    local s <close> = new()
    local a, ran = tide.zeros(100), false
    local g = tide.capture(function () a:add_(1) end)
    local h = tide.capture(function () a:add_(2) end)
    s:launch_host_func(function () ran = true end)
    g:launch(s)
    g:update(h)
    g:launch(s)
    g:close()
    h:close()
    assert.equal(3, tide.ones(3):sum():item())  -- drops what it can
    assert.equal(300, a:sum():item())
    assert.is_true(ran)
  end)
end)

describe("upload", function ()
  it("returns the graph and changes nothing", function ()
    local s <close> = new()
    local a = tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    assert.equal(g, g:upload(s))
    assert.equal(g, g:upload())
    s:synchronize()
    assert.equal(0, a:sum():item())
    g:launch(s)
    assert.equal(4, a:sum():item())
    fails("tide.Stream expected", g.upload, g, 1)
  end)
end)

describe("update", function ()
  it("makes a graph do what another does", function ()
    local a, b = tide.zeros(4, "int64"), tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    do
      local other <close> = tide.capture(function () b:add_(10) end)
      assert.same({ true }, { g:update(other) })
    end
    collectgarbage()
    g:launch()
    assert.equal(0, a:sum():item())
    assert.equal(40, b:sum():item())
  end)

  it("may change kernels, also for those of other code", function ()
    local a = tide.ones(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    local other <close> = tide.capture(function () a:mul_(5) end)
    assert.same({ true }, { g:update(other) })
    g:launch()
    assert.equal(20, a:sum():item())
    local function scaled (by)
      local k = tide.ElementwiseKernel{ params = "T x", out = "T y",
                                        body = "y = x * SCALE",
                                        preamble = "#define SCALE " .. by }
      return tide.capture(function () k(a, a) end)
    end
    local ok, third = pcall(scaled, 3)
    if not ok then return assert(third:find("NVRTC", 1, true), third) end
    local fourth = scaled(4)
    assert.same({ true }, { third:update(fourth) })
    fourth:close()
    third:launch()
    assert.equal(80, a:sum():item())
    third:close()
  end)

  it("takes over what the other owns, and its hazards", function ()
    local s <close> = new()
    local t <close> = new()
    local out = tide.zeros(4, "int64")
    local g <close> = tide.capture(function () out:add_(1) end)
    local b = tide.ones(4, "int64")
    local other <close> = tide.capture(function () b:add_(1) end)
    assert.is_true(g:update(other))
    local key = T.hold(s)
    g:launch(s)
    t:with(function () b:mul_(5) end)
    assert.is_false(t.done)
    t:with(function () out:add_(0) end)
    T.release(key)
    assert.equal(40, b:sum():item())
  end)

  it("with another shape is false and a reason; g is as it was", function ()
    local a = tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    local other <close> = tide.capture(function () a:add_(1) a:mul_(3) end)
    local ok, reason = g:update(other)
    assert.is_false(ok)
    assert.equal("string", type(reason))
    assert.is_true(#reason > 0)
    g:launch()
    assert.equal(4, a:sum():item())
    other:launch()
    assert.equal(24, a:sum():item())
  end)

  it("may happen while the graph runs", function ()
    local s <close> = new()
    local a, b = tide.zeros(4, "int64"), tide.zeros(4, "int64")
    local g <close> = tide.capture(function () a:add_(1) end)
    local other <close> = tide.capture(function () b:add_(1) end)
    local key = T.hold(s)
    g:launch(s)
    assert.is_true(g:update(other))
    g:launch(s)
    T.release(key)
    s:synchronize()
    assert.equal(4, a:sum():item())
    assert.equal(4, b:sum():item())
  end)

  it("wants a graph that is open", function ()
    local g <close> = tide.capture(function () end)
    local closed = tide.capture(function () end)
    closed:close()
    fails("tide.Graph expected", g.update, g, 1)
    fails("tide.Graph expected", g.update, g)
    fails("graph is closed", g.update, g, closed)
    fails("graph is closed", closed.update, closed, g)
  end)
end)

describe("close", function ()
  it("makes every use raise, and tostring say so", function ()
    local g = tide.capture(function () end)
    assert.equal(kind, g.device.kind)
    fails("no field 'lanch' in tide.Graph; did you mean 'launch'?",
          function () return g.lanch end)
    g:close()
    assert.equal("tide.Graph (closed)", tostring(g))
    for _, name in ipairs{ "launch", "upload", "update", "debug_dot",
                           "close" } do
      fails("graph is closed", g[name], g)
    end
    fails("graph is closed", function () return g.device end)
  end)
end)

end)
