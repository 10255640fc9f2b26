--[[
graph_functions_spec.lua - host functions in graphs: when they run, what they
see of the work on all branches, and graphs that they launch.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, expect = helper.T, helper.fails, helper.expect
local new = helper.new_stream

helper.each_device(function ()

describe("host functions in a graph", function ()
  it("run once for each launch, in order with its work", function ()
    local s <close> = new()
    local h = tide.HostArray(4, "int64")
    local a, sum = tide.zeros(4, "int64"), tide.zeros(4, "int64")
    local n = 0
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(function ()
        n = n + 1
        for i = 1, 4 do
          h[i] = n * i
        end
      end)
      a:copy_from(h)
      sum:add_(a)
    end)
    assert.equal(0, n)
    g:launch(s)
    g:launch(s)
    s:synchronize()
    assert.equal(2, n)
    assert.same({ 2, 4, 6, 8 }, a:totable())
    assert.same({ 3, 6, 9, 12 }, sum:totable())
  end)

  it("get their arguments with add_callback", function ()
    local s <close> = new()
    local got
    local g <close> = tide.capture(function ()
      tide.get_current_stream():add_callback(expect(function (...)
        got = { select("#", ...), select(2, ...) }
      end, 2), "arg")
    end)
    g:launch(s)
    g:launch(s)
    s:synchronize()
    assert.same({ 3, 0, "arg" }, got)
  end)

  it("twenty in one graph, ten launches on two streams", function ()
    local s <close> = new()
    local t <close> = new()
    local order = {}
    local g <close> = tide.capture(function ()
      local stream = tide.get_current_stream()
      for i = 1, 20 do
        stream:launch_host_func(function () order[#order + 1] = i end)
      end
    end)
    for _ = 1, 5 do
      g:launch(s)
      g:launch(t)
    end
    s:synchronize()
    t:synchronize()
    assert.equal(200, #order)
    for i = 1, 200 do
      assert.equal((i - 1) % 20 + 1, order[i])
    end
  end)

  it("an error in one comes out, and the graph goes on", function ()
    local s <close> = new()
    local a = tide.zeros(2, "int64")
    local bad = true
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(function ()
        if bad then
          error "first time"
        end
      end)
      a:add_(1)
    end)
    g:launch(s)
    fails("first time", s.synchronize, s)
    bad = false
    g:launch(s)
    s:synchronize()
    assert.equal(4, a:sum():item())
  end)

  it("may not wait for their own launch", function ()
    local s <close> = new()
    local message
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(function ()
        message = select(2, pcall(s.synchronize, s))
      end)
    end)
    g:launch(s)
    s:synchronize()
    assert.is_truthy(tostring(message):find("CUDA_ERROR_NOT_PERMITTED", 1,
                                            true), tostring(message))
  end)

  it("that were captured and thrown away are forgotten", function ()
    pcall(tide.capture, function ()
      tide.get_current_stream():launch_host_func(print)
      error "no"
    end)
    local s <close> = new()
    local t <close> = new()
    s:begin_capture()
    t:wait_event(s:record())
    t:launch_host_func(print)
    t:with(function () tide.zeros(3) end)
    fails("UNJOINED", s.end_capture, s)
  end)

  it("join the branches of their graph", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = tide.zeros(4, "int64"), tide.zeros(4, "int64")
    local seen = {}
    s:begin_capture()
    t:wait_event(s:record())
    t:with(function () a:add_(1) end)
    t:launch_host_func(function () seen[#seen + 1] = "t" end)
    s:with(function () b:copy_from(a) end)
    s:launch_host_func(function () seen[#seen + 1] = "s" end)
    local g <close> = s:end_capture()
    for _ = 1, 3 do
      g:launch(s)
    end
    s:synchronize()
    assert.equal("tststs", table.concat(seen))
    assert.same({ 12, 12 }, { a:sum():item(), b:sum():item() })
  end)
end)

describe("a host function in a branch of a graph", function ()
  local N <const> = 1 << 16

  --- A graph: 'a' to 'h' on one branch, use(h) in a host function of another;
  -- 'first' says which of the two the other waits for, if any.
  local function make (a, h, use, first)
    local s <close> = new()
    local t <close> = new()
    s:begin_capture()
    t:wait_stream(s)
    if first == "function" then
      t:launch_host_func(use)
      s:wait_stream(t)
    end
    s:with(function () a:add_(1) h:copy_from(a) end)
    if first == "copy" then t:wait_stream(s) end
    if first ~= "function" then t:launch_host_func(use) end
    s:wait_stream(t)
    return s:end_capture()
  end

  local function memory ()
    return tide.zeros(N, "int64"), tide.HostArray(N, "int64")
  end

  it("writes what another branch has written before (#128)", function ()
    for _, use in ipairs{ function (h) h[N] = -h[N] end,
                          function (h) h:fill(-h[N]) end } do
      local a, h = memory()
      local n = 0
      local g <close> = make(a, h, function () n = n + 1 use(h) end)
      for i = 1, 20 do
        g:launch()
        tide.Stream.null:synchronize()
        assert.same({ i, -i }, { n, h[N] })
      end
    end
  end)

  it("reads what was copied before, waited for or not", function ()
    for _, first in ipairs{ "none", "copy" } do
      local a, h = memory()
      local seen, wanted = {}, {}
      local g <close> = make(a, h, function () seen[#seen + 1] = h[N] end,
                             first)
      for i = 1, 20 do
        g:launch()
        wanted[i] = i
      end
      tide.Stream.null:synchronize()
      assert.same(wanted, seen)
    end
  end)

  it("writes what is copied to after it", function ()
    local a, h = memory()
    local before
    local g <close> = make(a, h, function ()
      before = h[N]
      h:fill(1000)
    end, "function")
    for i = 1, 20 do
      g:launch()
      tide.Stream.null:synchronize()
      assert.same({ i, i - 1 }, { h[1], before })
    end
  end)
end)

describe("a graph that its own host function launches", function ()
  it("runs again, there or elsewhere, until it is closed (#129)", function ()
    local s <close> = new()
    local t <close> = new()
    local a, n, g = tide.zeros(1000), 0, nil
    local function again ()
      n = n + 1
      if n < 30 then
        g:launch(n % 3 == 0 and t or s)
      else
        g:close()
      end
    end
    g = tide.capture(function ()
      a:add_(1)
      tide.get_current_stream():launch_host_func(again)
      a:add_(1)
    end)
    g:launch(s)
    while n < 30 do tide.get_device():synchronize() end
    fails("graph is closed", g.launch, g)
    assert.equal(60, a:max():item())
  end)
end)

describe("a graph that was updated from one that is under way", function ()
  local held, key, a, b, ran, streams

  before_each(function () ran, streams = {}, {} end)

  after_each(function ()
    for _, s in ipairs(streams) do s:close() end
    a, b, held, streams = nil, nil, nil, nil
    collectgarbage()
  end)

  local function new_stream ()
    streams[#streams + 1] = new()
    return streams[#streams]
  end

  local function graph_of (name)
    return tide.capture(function ()
      tide.get_current_stream():launch_host_func(function ()
        ran[#ran + 1] = name
      end)
    end)
  end

  --- b under way behind 'held', then a done and updated from b.
  local function prepare (before)
    a, b = graph_of "a", graph_of "b"
    held = new_stream()
    tide.get_device():synchronize()
    key = T.hold(held)
    if before then held:with(before) end
    b:launch(held)
    a:launch(new_stream()):await()
    assert.is_true(a:update(b))
  end

  it("is launched behind that (#266)", function ()
    local x = tide.zeros(64, "int64")
    prepare(function () x:add_(1) end)
    a:launch(new_stream())
    for _ = 1, 20 do
      tide.poll()
      tide.sleep(1e-3)
    end
    assert.same({ "a" }, ran)
    new_stream():with(function () x:mul_(10) end)
    T.release(key)
    tide.get_device():synchronize()
    assert.equal(10, x[1])
    assert.same({ "a", "b", "b" }, ran)
  end)

  it("may be closed before that has run", function ()
    prepare()
    a:close()
    b:close()
    a, b = nil, nil
    for _ = 1, 4 do
      collectgarbage()
      tide.poll()
    end
    T.release(key)
    tide.get_device():synchronize()
    assert.same({ "a", "b" }, ran)
  end)
end)

describe("a host function that a capture could not take", function ()
  it("is waited for by no launch (#309)", function ()
    local s <close> = new()
    for n = 1, 20 do
      local ran, failed = 0, nil
      s:begin_capture()
      local took = s:with(function ()
        T.failcall(n)
        local ok = pcall(s.launch_host_func, s, function () ran = ran + 1 end)
        failed = T.failed()
        T.failcall(0)
        return ok
      end)
      local ok, graph = pcall(s.end_capture, s)
      if ok then
        graph:launch(s)
        assert.is_true(s:await(10))
        assert.equal(took and 1 or 0, ran)
        graph:close()
      end
      if not failed then break end
    end
  end)
end)

end)
