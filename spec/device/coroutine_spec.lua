--[[
coroutine_spec.lua - the current stream belongs to the coroutine; tide.wrap.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"

local T = helper.T
local current = tide.get_current_stream
local new = helper.new_stream

helper.each_device(function (kind)

describe("coroutines", function ()
  it("start with the default stream, not their creator's", function ()
    local s <close> = new():use()
    assert.equal(tide.Stream.null, coroutine.wrap(current)())
    assert.equal(s, current())
  end)

  it("never see each other's use", function ()
    local s <close> = new()
    local t <close> = new()
    local co = coroutine.wrap(function ()
      s:use()
      coroutine.yield()
      return current()
    end)
    co()
    assert.equal(tide.Stream.null, current())
    t:use()
    assert.equal(s, co())
    assert.equal(t, current())
  end)

  it("coroutine.close restores, and closes the scope's stream", function ()
    local inside, was, after
    local co = coroutine.create(function ()
      local _ <close> = setmetatable({}, { __close = function ()
        after = current()
      end })
      was = current()
      tide.with_stream(function (s)
        inside = s
        coroutine.yield()
      end)
    end)
    coroutine.resume(co)
    assert.equal(tide.Stream.null, current())
    assert.is_true(coroutine.close(co))
    assert.equal("tide.Stream (closed)", tostring(inside))
    assert.equal(was, after)
  end)

  it("dropped in a scope let its stream go", function ()
    for _ = 1, 100 do
      local co = coroutine.wrap(function ()
        tide.with_stream(new(), coroutine.yield)
      end)
      co()
    end
  end)

  -- tide keeps nothing of the latest coroutine that keeps it from collection.
  it("are collected, whatever they did last, and so is what they had",
  function ()
    local x, uses = tide.zeros(4), {}
    function uses.array () return tide.ones(3) end
    function uses.capture () tide.capture(coroutine.yield) end
    function uses.scope () tide.scope(coroutine.yield) end
    function uses.stream () tide.with_stream(new(), coroutine.yield) end
    function uses.error () pcall(x.reshape, x, 3) end
    function uses.fuse () return tide.fuse(function (a) return a + 1 end) end
    function uses.wrap () return tide.wrap(function () end) end
    function uses.callback ()
      local s <close> = new()
      s:launch_host_func(function () x:add_(1) end)
      s:synchronize()
    end
    for name, use in pairs(uses) do
      local weak = setmetatable({}, { __mode = "k" })
      local function start ()
        local co = coroutine.create(function ()
          local had = { tide.zeros(4), use() }
          coroutine.yield()
          return had
        end)
        weak[co] = true
        assert(coroutine.resume(co))
      end
      start()
      for _ = 1, 4 do collectgarbage() end
      assert.is_nil(next(weak), name)
    end
    assert.is_false(tide.get_current_stream():is_capturing())
  end)

  it("a hundred interleave nested scopes with use inside", function ()
    local streams, pick = {}, helper.generator(7)
    for i = 1, 8 do
      streams[i] = new()
    end
    local function nest (depth)
      local before = current()
      local s = streams[pick(8)]
      tide.with_stream(s, function ()
        assert.equal(s, current())
        coroutine.yield()
        assert.equal(s, current())
        local other = streams[pick(8)]:use()
        coroutine.yield()
        assert.equal(other, current())
        if depth < 5 then
          nest(depth + 1)
          assert.equal(other, current())
        end
        if pick(10) == 1 then
          error "on purpose"
        end
      end)
      assert.equal(before, current())
    end
    local live = {}
    for i = 1, 100 do
      live[i] = coroutine.create(function ()
        pcall(nest, 1)
        assert.equal(tide.Stream.null, current())
      end)
    end
    while #live > 0 do
      local i = pick(#live)
      local co = live[i]
      if pick(40) == 1 and coroutine.status(co) == "suspended" then
        coroutine.close(co)
      else
        assert(coroutine.resume(co))
      end
      if coroutine.status(co) == "dead" then
        table.remove(live, i)
      end
      assert.equal(tide.Stream.null, current())
    end
    for _, s in ipairs(streams) do
      s:close()
    end
  end)

  it("compute each on a stream of its own", function ()
    local live, sums = {}, {}
    for i = 1, 20 do
      live[i] = coroutine.wrap(function ()
        tide.with_stream(function ()
          local x = tide.zeros(100, "int64")
          for _ = 1, i do
            x = x + i
            coroutine.yield()
          end
          sums[i] = x:sum():item()
        end)
        return true
      end)
    end
    local left = 20
    while left > 0 do
      for i = 1, 20 do
        if live[i] and live[i]() then
          live[i] = nil
          left = left - 1
        end
      end
    end
    for i = 1, 20 do
      assert.equal(100 * i * i, sums[i])
    end
  end)

  -- Tide remembers the Lua thread that called it last.
  it("that have called tide and are gone leave the call around (#123)",
  function ()
    local a = tide.arange(1000)
    local s <close> = new()
    local function pass ()
      coroutine.wrap(function ()
        tide.poll()
        tide.ones(3)
        coroutine.yield()
      end)()
      collectgarbage()
      collectgarbage()
    end
    for _ = 1, 20 do
      s:launch_host_func(function () collectgarbage() end)
      assert.equal(500500, s:with(function ()
        return tide.fuse(function (x) pass() return x + 1 end)(a):sum():item()
      end))
      helper.fails("bad argument", tide.ones, -1)
      local function raise () pass() error "raised" end
      helper.fails("raised", tide.fuse(raise), a)
      s:launch_host_func(raise)
      helper.fails("raised", s.synchronize, s)
      assert.equal(499500, a:sum():item())
    end
  end)
end)

describe("wrap", function ()
  it("makes a coroutine that inherits device and stream", function ()
    local s <close> = new():use()
    local fn = tide.wrap(function (x)
      assert.equal(s, current())
      assert.equal(kind, tide.get_device().kind)
      local y = coroutine.yield(x + 1)
      tide.Stream.null:use()
      return y
    end)
    tide.Stream.null:use()
    assert.equal(2, fn(1))
    assert.equal(5, fn(5))
    assert.equal(tide.Stream.null, current())
  end)

  it("is not changed by others that inherit the same", function ()
    local s <close> = new():use()
    local other <close> = new()
    local function begin () return tide.wrap(function (fn)
      fn()
      coroutine.yield()
      return current()
    end) end
    local uses, scopes, plain = begin(), begin(), begin()
    local restored = begin()
    tide.Stream.null:use()
    uses(function () other:use() end)
    local inner
    scopes(function () other:with(function () inner = current() end) end)
    plain(function () end)
    restored(function () local _ <close> = other:scope() end)
    assert.equal(other, inner)
    assert.equal(other, uses())
    assert.equal(s, scopes())
    assert.equal(s, plain())
    assert.equal(s, restored())
    assert.equal(tide.Stream.null, current())
  end)

  it("is the device's own stream on other devices", function ()
    local s <close> = new():use()
    for _, device in ipairs(tide.devices()) do
      local fn = tide.wrap(function ()
        local there = tide.get_current_stream(device)
        return there, there == tide.get_current_stream(device), current()
      end)
      local there, same, here = fn()
      assert.equal(device == tide.get_device(), there == s)
      assert.is_true(same)
      assert.equal(s, here)
    end
  end)

  it("keeps the inherited stream although its object is closed", function ()
    local s = new():use()
    local fn = tide.wrap(function ()
      coroutine.yield()
      return tide.ones(4):sum():item()
    end)
    fn()
    tide.Stream.null:use()
    s:close()
    assert.equal(4, fn())
  end)

  it("keeps it as well where something is chosen then", function ()
    local s = new():use()
    local fn = tide.wrap(function ()
      coroutine.yield()
      return tide.scope(function () return tide.Event():record() end)
    end)
    fn()
    tide.Stream.null:use()
    local key = T.hold(s)
    s:close()
    local event <close> = fn()
    assert.is_false(event.done)
    T.release(key)
    event:synchronize()
  end)
end)

describe("inherit", function ()
  it("is of the stream that is held, though its object is closed", function ()
    local token
    coroutine.wrap(function ()
      local s = new():use()
      s:close()
      token = tide.inherit()
    end)()
    helper.fails("#1 to 'tide.inherit' (stream is closed)", tide.inherit, token)
  end)

  it("is not of what was current before a finalizer chose", function ()
    local s <close> = new()
    local other <close> = new()
    for n = 1, 3 do
      s:use()
      finalizers.call(n, function () other:use() end, tide.inherit)
      local here = current()
      assert.equal(here, tide.wrap(current)())
    end
    finalizers.restore()
  end)

  it("takes a token of its own, and nothing else (#53)", function ()
    for _, wrong in ipairs{ 5, {}, tide.Stream.null } do
      helper.fails("tide.Current expected", tide.inherit, wrong)
    end
  end)
end)

end)
