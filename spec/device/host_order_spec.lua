--[[
host_order_spec.lua - host functions of several streams: the order of what they
queue and of what stands behind them, and which memory they may use.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

helper.each_device(function (kind)

local N <const> = 1 << 16

local function nothing () end

local function finish () tide.Device(kind):synchronize() end

local function zeros (n) return tide.zeros(n or 4, "int64") end

describe("the work of host functions", function ()
  it("comes behind all calls before, in either order (#058) (#062)", function ()
    for round = 1, 20 do
      local s <close> = new()
      local t <close> = new()
      local u <close> = new()
      local a, b = zeros(1000), zeros(1000)
      local ran, key = false, nil
      finish()
      if round % 2 == 0 then key = T.hold(s) end
      s:launch_host_func(function () a:add_(1) end)
      s:with(function () a:mul_(2) b:add_(3) end)
      t:launch_host_func(function () b:mul_(5) ran = true end)
      t:with(function () b:add_(7) end)
      u:with(function () b:add_(a) end)
      if key then
        repeat tide.poll() until ran
        T.release(key)
      end
      finish()
      assert.equal((3 + 7) * 5, b:max():item())
      assert.equal(1, a:min():item())
    end
  end)

  it("may be of their own stream, and of the null stream", function ()
    for _, s in ipairs{ new(), tide.Stream(), tide.Stream.null,
                        tide.Stream.ptds } do
      local t <close> = tide.Stream()
      local a = zeros(1000)
      s:launch_host_func(function ()
        s:with(function () a:add_(1) end)
        tide.Stream.null:with(function () a:add_(1) end)
      end)
      s:with(function () a:add_(1) end)
      t:wait_stream(s)
      t:with(function () a:mul_(1) a:add_(1) end)
      s:synchronize()
      assert.equal(4000, t:with(function () return a:sum():item() end))
    end
  end)

  it("is seen as a whole, and is before or behind another's (#126)", function ()
    for round = 1, 30 do
      local s <close> = new()
      local t <close> = new()
      local a, b, order, seen = zeros(N), zeros(N), "", nil
      s:launch_host_func(function ()
        order = order .. "s"
        for _ = 1, 8 do a:add_(1) b:add_(1) end
      end)
      t:launch_host_func(function ()
        order = order .. "t"
        b:mul_(2)
        a:mul_(2)
      end)
      t:with(function () seen = a - b end)
      s:synchronize()
      t:synchronize()
      local wanted = order == "st" and 16 or 8
      assert.same({ 0, 0, wanted, wanted, wanted },
                  { seen:max():item(), seen:min():item(), a:min():item(),
                    a:max():item(), b:min():item() }, "round " .. round)
    end
  end)

  it("may be on each other's streams, which may wait (#129)", function ()
    local s <close> = new()
    local t <close> = new()
    local a, n = zeros(1000), 0
    local function add () a:add_(1) end
    for _ = 1, 50 do
      s:launch_host_func(function () t:with(add) n = n + 1 end):with(add)
      t:launch_host_func(function () s:with(add) n = n + 1 end):with(add)
    end
    finish()
    assert.same({ 100, 200 }, { n, a:max():item() })
    s:launch_host_func(function () s:wait_stream(t) n = n + 1 end):record()
    t:launch_host_func(function () t:wait_stream(s) n = n + 1 end):record()
    finish()
    finish()
    assert.equal(102, n)
  end)
end)

describe("what comes behind a host function", function ()
  --- Work on 'last', queued after 'between', sees what a function of 'first'
  -- has written, while the legacy stream has other work before it.
  local function check (first, last, between)
    local busy <close> = tide.Stream()
    local h, y, z = tide.HostArray(4, "int64"), zeros(), zeros()
    h:fill(0)
    finish()
    local key = T.hold(busy)
    busy:with(function () y:add_(1) end)
    tide.Stream.null:record()
    first:launch_host_func(function ()
      helper.spin(10)
      h:fill(5)
    end)
    between()
    last:with(function () z:copy_from(h) end)
    T.release(key)
    last:synchronize()
    assert.same({ 20, 4 }, { z:sum():item(), y:sum():item() })
  end

  it("does so on the legacy stream, and by way of it (#135)", function ()
    local null, s <close> = tide.Stream.null, tide.Stream()
    local t <close> = tide.Stream()
    for _ = 1, 5 do
      check(s, t, function () null:record() end)
      check(s, null, nothing)
      check(null, s, nothing)
    end
  end)

  it("does so on the null stream, which was told to wait (#178)", function ()
    local null, h, z = tide.Stream.null, tide.HostArray(64), tide.zeros(64)
    local s <close> = new()
    local t <close> = new()
    local function held (x)
      s:with(function () h:copy_from(tide.full(64, 1.0)) end)
      s:launch_host_func(function () h:fill(x) end)
    end
    for x = 2, 20 do
      held(x)
      null:wait_event(s:record())
      z:copy_from(h)
      null:wait_event(s:record())
      h:copy_from(tide.zeros(64))
      assert.same({ 0, 64 * x }, { h[1], z:sum():item() })
    end
    held(30)
    t:wait_stream(s)
    null:wait_stream(t)
    z:copy_from(h)
    assert.equal(64 * 30, z:sum():item())
  end)

  it("does so there if it waits for many, and for graphs", function ()
    local null, h, x = tide.Stream.null, tide.HostArray(4), tide.zeros(4)
    local streams, ran = {}, 0
    local function count () ran = ran + 1 end
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(count)
    end)
    for i = 1, 4 do streams[i] = new() end
    for i = 1, 400 do
      null:wait_stream(streams[i % 4 + 1]:launch_host_func(count))
    end
    for i, s in ipairs(streams) do
      s:launch_host_func(function () h[i] = i end)
    end
    for _, s in ipairs(streams) do null:wait_stream(s) end
    assert.equal(0, ran)
    x:copy_from(h)
    assert.same({ 1, 2, 3, 4 }, x:totable())
    assert.equal(400, ran)
    g:launch(streams[1])
    null:wait_stream(streams[1])
    x:fill(7)
    assert.same({ 7, 7, 7, 7 }, x:totable())
    assert.equal(401, ran)
    for _, s in ipairs(streams) do s:close() end
  end)
end)

describe("a host function that uses what another stream has used", function ()
  local function check (m, k)
    local h, x, y, z = tide.HostArray(4, "int64"), zeros(), zeros(), zeros()
    h:fill(1)
    finish()
    m:with(function () y:copy_from(h) end)         -- m reads h
    k:wait_stream(m)
    k:launch_host_func(function () h[1] = 5 end)
    k:with(function () x:add_(1) end)
    m:with(function () z:add_(x) end)              -- m waits for k
    k:synchronize()
    assert.same({ 5, 4 }, { h[1], y:sum():item() })
  end

  it("runs if that waits for its own one later (#003)", function ()
    local m <close> = new()
    local k <close> = new()
    local blocking <close> = tide.Stream()
    check(m, k)
    check(tide.Stream.null, blocking)
    check(blocking, tide.Stream.null)
  end)

  it("runs if both wait by way of the null stream", function ()
    local m <close> = tide.Stream()
    local k <close> = tide.Stream()
    local h, y, z = tide.HostArray(4, "int64"), zeros(), zeros()
    h:fill(0)
    m:with(function () y:copy_from(h) end)
    tide.Stream.null:record()                      -- k's function is after m
    k:launch_host_func(function () h[1] = 5 end)
    local e <close> = tide.Stream.null:record()    -- and this copy after k
    m:with(function () z:copy_from(h) end)
    m:synchronize()
    assert.is_true(e.done)
    assert.same({ 0, 5 }, { y:sum():item(), z:sum():item() })
  end)
end)

describe("memory in a host function", function ()
  local g, h, s, x, y, memory

  before_each(function ()
    g, h, s = new(), new(), tide.Stream()
    x, y = tide.ones(12), tide.ones(12)
    memory = tide.HostArray(12)
    memory:fill(1)
    finish()
  end)

  after_each(function ()
    finish()
    g:close() h:close() s:close()
    x, y, memory = nil, nil, nil
  end)

  local function write () memory:fill(3) end

  --- Queues fn on a stream and work behind it, which 'follower' waits for.
  local function follow (stream, a, follower, fn)
    stream:launch_host_func(fn)
    stream:with(function () a:add_(1) end)
    follower:with(function () a:mul_(2) end)
  end

  local function read (stream, a)
    stream:with(function () a:copy_from(memory) end)
  end

  it("may be written where a read is behind it and others (#068)", function ()
    local t <close> = new()
    follow(g, x, s, write)
    local e <close> = s:record()
    follow(h, y, s, nothing)
    read(s, x)
    assert.same({ 36, 48 }, { x:sum():item(), y:sum():item() })
    memory:fill(1)
    follow(g, x, s, write)
    follow(h, y, s, nothing)
    t:with(function () y:add_(1) end)  -- waits for s
    read(t, y)
    assert.equal(36, y:sum():item())
    memory:fill(1)
    follow(g, x, s, write)
    s:record(e)
    follow(h, y, s, nothing)
    t:wait_event(e)
    read(t, y)
    assert.equal(36, y:sum():item())
  end)

  it("may be written where a read is behind the null stream's", function ()
    for _, pair in ipairs{ { s, tide.Stream.null }, { tide.Stream.null, s } } do
      memory:fill(1)
      follow(g, x, pair[1], write)
      read(pair[2], y)
      assert.equal(36, y:sum():item())
    end
  end)

  it("may be filled from tables where a copy stands behind it (#137)",
     function ()
    local u <close> = new()
    local m, z = tide.HostArray{ 3, 2 }, tide.zeros{ 3, 2 }
    for _, case in ipairs{
      { function () m:copy_from{ { 1, 4 }, { 2, 5 }, { 3, 6 } } end,
        { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
      { function () m.T:copy_from{ { 1, 2, 3 }, { 4, 5, 6 } } end,
        { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
      { function () m[1]:copy_from{ 7, 8 } end,
        { { 7, 8 }, { 9, 9 }, { 9, 9 } } }
    } do
      m:fill(9)
      u:launch_host_func(case[1]):with(function () z:copy_from(m) end)
      u:synchronize()
      assert.same(case[2], z:totable())
    end
  end)

  it("is refused if read behind another function alone (#002)", function ()
    local key = T.hold(h)  -- the other function does not run before
    follow(h, y, s, nothing)
    read(s, y)
    follow(g, x, s, function ()
      fails("CUDA_ERROR_NOT_PERMITTED", write)
    end)
    g:synchronize()
    T.release(key)
    assert.equal(12, y:sum():item())
  end)

  it("is refused while a use stands that later work covers (#004)", function ()
    local key = T.hold(h)
    read(h, x)
    g:launch_host_func(function ()
      fails("CUDA_ERROR_NOT_PERMITTED", write)     -- h's copy is on its way
      T.release(key)
    end)
    g:with(function () memory:copy_from(y) end)    -- covers the use by h
    read(h, y)                                     -- and h's own
    g:synchronize()
    assert.equal(12, x:sum():item())
  end)

  it("is refused while the function's own work stands, if it is kept",
     function ()
    for _, access in ipairs{ function (a) return a[1] end,
                             function (a) a[1] = 1 end } do
      g:launch_host_func(function ()
        h:launch_host_func(nothing)
        h:with(function () x:fill(9) end)
        local copy = x:tohost{ blocking = false }
        fails("work that the function has queued uses it", access, copy)
      end)
      finish()
      assert.equal(9, x:min():item())
    end
  end)

  it("is refused while later work of a stream apart stands", function ()
    local key
    g:launch_host_func(function ()
      fails("CUDA_ERROR_NOT_PERMITTED", function () return memory[1] end)
      T.release(key)
    end)
    key = T.hold(h)
    h:with(function () memory:copy_from(x:mul_(3)) end)
    g:synchronize()
    assert.equal(3, memory[1])
  end)
end)

end)
