--[[
across_spec.lua - elements from one device to another, and what else is about
several devices: on 2 and 4 host devices, and on the GPUs there are.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local PRELUDE <const> = [[
  local tide = require "tide"
  local T = tide.T
  local devs = {}
  for _, dev in ipairs(tide.devices()) do
    if dev.kind == KIND then devs[#devs + 1] = dev end
  end
  local x, y = devs[1], devs[2]

  local function on (dev, fn, ...)
    return tide.with_device(dev, function (_, ...) return fn(...) end, ...)
  end
  local function live (dev) return on(dev, tide.memory_stats).live end

  local function fails (text, fn, ...)
    local ok, err = pcall(fn, ...)
    assert(not ok and tostring(err):find(text, 1, true), tostring(err))
    return err
  end

  local function same (a, b)
    assert(a.dtype == b.dtype)
    assert(table.concat(a.shape, " ") == table.concat(b.shape, " "))
    assert(a:tobytes() == b:tobytes())
  end

  local WAYS = { "on", "severed", "silent" }
]]

local function count (kind)
  local n = 0
  for _, dev in ipairs(tide.devices()) do
    n = n + (dev.kind == kind and 1 or 0)
  end
  return n
end

--- Runs it in a process with 2 and with 4 host devices, or with all GPUs.
local function on_several (kind, code)
  code = "local KIND = '" .. kind .. "'\n" .. PRELUDE .. code ..
         "\nprint 'done'"
  for _, n in ipairs(kind == "host" and { 2, 4 } or { 0 }) do
    local env = n > 0 and { TIDE_HOST_DEVICES = tostring(n) }
    assert.equal("done\n", helper.child_on(kind, code, env))
  end
end

helper.each_device(function (kind)

local function several (what, code)
  it(what .. " #process", function ()
    if kind == "cuda" and count "cuda" < 2 then
      pending "there is one GPU"
    else
      on_several(kind, code)
    end
  end)
end

describe("between devices", function ()
  several("arrays of every shape and dtype go, both ways", [[
    for _, way in ipairs(WAYS) do
      T.peers(way)
      local m = tide.arange(24, "int16"):reshape{ 2, 3, 4 }
      for _, a in ipairs{ m, m.T, m:slice(2), m[{ {}, { 1, 3, 2 } }],
                          m:flip(), tide.array(true), tide.ones{ 2, 0 },
                          tide.ones(100000), tide.full({ 3 }, 2, "complex64"),
                          tide.zeros(3, "bfloat16"),
                          tide.broadcast_to(m:slice(1, 1), { 5, 3, 4 }),
                          m:tohost(), m.T:tohost(), m:tohost().T } do
        for i = 2, #devs do
          local b = a:to(devs[i])
          assert(b.device == devs[i] and a.device == x)
          same(b, a)
          local c = b:to(x)
          assert(c.device == x)
          same(c, a)
          assert(b:to(devs[i]) == b)
        end
      end
    end
  ]])

  several("copy_from and a[key] = b take them across, views too", [[
    for _, way in ipairs(WAYS) do
      T.peers(way)
      local a = tide.zeros({ 4, 6 }, "float32")
      local b = on(y, tide.arange, 24, "float32"):reshape{ 4, 6 }
      same(a:copy_from(b), b)
      a:fill(0)[{ {}, { 1, 6, 2 } }] = b[{ {}, { 2, 6, 2 } }]
      for i = 1, 4 do
        for k = 1, 6 do
          assert(a[i][k] == (k % 2 == 1 and (i - 1) * 6 + k or 0))
        end
      end
      a[{}] = b[2]                             -- broadcast
      for i = 1, 4 do same(a[i], b[2]) end
      a.T:copy_from(b.T)
      same(a, b)
      a[1] = on(y, tide.arange, 6, "int64")    -- cast
      assert(a[1][6] == 5)
      fails("dtype float32 expected, got int64", a.copy_from, a,
            on(y, tide.zeros, { 4, 6 }, "int64"))
      fails("shape 4x6 expected, got 6", a.copy_from, a, b[1])
    end
  ]])

  several("HostArrays are of a device, and go to the others", [[
    for _, way in ipairs(WAYS) do
      T.peers(way)
      local h = tide.HostArray({ 2, 3 }, "int32"):copy_from{
        { 1, 2, 3 }, { 4, 5, 6 } }
      local b = on(y, tide.zeros, { 2, 3 }, "int32"):copy_from(h)
      same(b, h)
      same(on(y, tide.zeros, { 3, 2 }, "int32"):copy_from(h.T), h.T)
      b:mul_(10)
      local k = b.T:tohost{ out = tide.HostArray({ 3, 2 }, "int32") }
      assert(k.device == x and k[1][2] == 40)
      h:copy_from(b)
      assert(h[2][3] == 60)
      h[1] = b[2]
      assert(h[1][1] == 40)
    end
  ]])

  several("large ones are whole, in pieces or not", [[
    for _, way in ipairs(WAYS) do
      T.peers(way)
      local a = tide.arange((41 << 20) // 4 + 3, "int32")
      local b = a:to(y):add_(1):to(x)
      assert((b - a):eq(1):all():item())
    end
  ]])

  several("who uses them on either side is waited for, on the device", [[
    for _, way in ipairs(WAYS) do
      T.peers(way)
      local a = tide.zeros(1000)
      a:to(y)                                  -- the way is known
      local s = tide.Stream{ non_blocking = true }
      local held = T.hold(s)
      local b, c
      s:with(function () a:add_(1) end)
      local r = on(y, tide.Stream, { non_blocking = true })
      r:with(function ()
        b = a:to(y)                            -- returns at once
        c = b * 2
      end)
      a:add_(1)                                -- waits for the copy
      assert(r.done == false and s.done == false)
      T.release(held)
      assert(c[1] == 2 and a[1] == 2 and b[1] == 1)
    end
  ]])

  several("a copy may be captured, and is replayed", [[
    for _, way in ipairs(WAYS) do
      T.peers(way)
      local a, b = tide.zeros(5), on(y, tide.zeros, 5)
      b:copy_from(a)                           -- the way is known
      local s = on(y, tide.Stream, { non_blocking = true })
      local graph = tide.capture(function ()
        a:add_(1)
        if way == "on" then
          b:copy_from(a)                       -- by the stream that captures
        else
          s:with(function () b:copy_from(a) end)
          tide.get_current_stream():wait_stream(s)
        end
      end)
      for i = 1, 3 do
        graph:launch()
        assert(b[5] == i)
      end
      local back = tide.capture(function ()
        a:copy_from(s:with(function () return b * 10 end))
      end)
      back:launch()
      assert(a[1] == 30)
    end
  ]])

  several("the first copy may be one that is captured", [[
    local a, b = tide.zeros(5), on(y, tide.zeros, 5)
    local graph = tide.capture(function () b:copy_from(a:add_(1)) end)
    graph:launch()
    assert(b[5] == 1)
  ]])

  several("the first copy may be a host function's", [[
    local a, b = tide.ones(5), on(y, tide.zeros, 5)
    local s = tide.Stream{ non_blocking = true }
    s:launch_host_func(function () b:copy_from(a) end)
    s:synchronize()
    assert(b[5] == 1)
  ]])

  several("can_access_peer tries it, once, and says why not", [[
    assert(x:can_access_peer(x) == true)
    local before = T.calls "cuMemPoolSetAccess"
    assert(x:can_access_peer(y) == true and y:can_access_peer(x) == true)
    assert(x:can_access_peer(tostring(y)))
    assert(T.calls "cuMemPoolSetAccess" == before + 2)
    local function far (way, text)
      T.peers(way)
      local ok, why = x:can_access_peer(y)
      assert(ok == false and why:find(text, 1, true), why)
    end
    far("severed", "no peer access")
    far("silent", "do not arrive")
    T.peers()
    T.failcall(1, 801, "cuMemPoolSetAccess")
    local ok, why = x:can_access_peer(y)
    assert(ok == false and why:find "no access to the pool", why)
    fails("there is no device", x.can_access_peer, x, 7)
    fails("host function must not wait", function ()
      local s = tide.Stream{ non_blocking = true }
      s:launch_host_func(function () y:can_access_peer(x) end)
      s:synchronize()
    end)
  ]])

  several("each driver call may fail: nothing is lost, and it works then", [[
    local a = tide.arange(9)
    for n = 1, 100 do
      T.peers()
      T.failcall(n, 999)
      local ok, b = pcall(a.to, a, y)
      local failed = T.failed()
      T.failcall(0)
      same(a:to(y), a)
      if not failed then break end
      assert(n < 100)
      collectgarbage()
    end
  ]])

  several("what was copied from a device lives on when that is reset", [[
    local a = on(y, tide.arange, 5)
    local b = a:to(x)
    y:reset()
    assert(b[5] == 4)
    fails("device was reset", a.to, a, x)
    same(on(y, tide.arange, 5):to(x), b)
  ]])
end)

describe("several devices", function ()
  several("an operation with arrays of two says which", [[
    local a, b = tide.ones(3), on(y, tide.ones, 3)
    local err = fails("arrays are on different devices", function ()
      return a + b
    end)
    assert(err:find(tostring(x), 1, true) and err:find(tostring(y), 1, true))
  ]])

  several("events are waited for on another device", [[
    local s = tide.Stream{ non_blocking = true }
    local r = on(y, tide.Stream, { non_blocking = true })
    local held = T.hold(s)
    local event = s:record()
    r:wait_event(event)
    local b = r:with(function () return tide.ones(3) end)
    assert(not r.done)
    T.release(held)
    r:synchronize()
    assert(event.done and b.device == y)
    s:wait_stream(r)
    s:synchronize()
  ]])

  several("memory and its limit are each device's own", [[
    local before = live(x)
    local a = on(y, tide.zeros, 1 << 20)
    assert(live(x) == before)
    assert(live(y) >= 4 << 20)
    on(y, tide.memory_limit, 1 << 20)
    fails("out of memory", on, y, tide.zeros, 1 << 24)
    fails("out of memory", function () return tide.zeros(1 << 24):to(y) end)
    on(y, tide.memory_limit, nil)
  ]])

  helper.host_it("leave a call on its own one that asks another whether it " ..
                 "is done (#289) #process", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      local T = tide.T
      local other = tide.Device "host:1"
      local x, held = tide.ones(1 << 12), {}
      for i = 1, 12 do  -- of many uses, those that are over are forgotten
        local s = tide.Stream{ non_blocking = true }
        held[i] = T.hold(s)
        s:with(function () return x + 1 end)
      end
      tide.Stream.ptds:with(function ()
        for k = 1, 1000 do
          local _ = x:to(other)
          assert((x + k).size == x.size)
        end
      end)
      for i = 1, 12 do T.release(held[i]) end
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)

describe("tide.parallel", function ()
  several("runs on all, and gives a list of what came", [[
    local got = tide.parallel(devs, function (dev, i)
      assert(tide.get_device() == dev)
      local a = tide.full(3, i)
      assert(a.device == dev)
      a:await()
      return a, "not this"
    end)
    assert(#got == #devs)
    for i, a in ipairs(got) do
      assert(a.device == devs[i] and a[1] == i)
    end
    assert(tide.get_device() == x)
  ]])

  several("each has a stream of its own, inside of tide.run too", [[
    tide.run(function ()
      local streams = tide.parallel({ x, y, tostring(x) }, function ()
        local s = tide.get_current_stream()
        tide.sleep(0)
        assert(tide.get_current_stream() == s)
        return s
      end)
      assert(streams[1].device == x and streams[2].device == y)
      assert(streams[1] ~= streams[3])
    end)
  ]])

  several("an error ends the others, and names where", [[
    local over = 0
    local err = fails("it failed", tide.parallel, devs, function (_, i)
      local _ <close> = setmetatable({}, { __close = function ()
        over = over + 1
      end })
      tide.sleep(0)  -- all have begun
      if i == 2 then error "it failed" end
      tide.sleep(60)
    end)
    assert(err:find("parallel on " .. tostring(y), 1, true), err)
    assert(over == #devs)
  ]])
end)

describe("tide.parallel", function ()
  it("wants a list of devices and a function", function ()
    helper.fails("bad argument #1 to 'parallel' (list of devices expected, " ..
                 "got number)", tide.parallel, 1, print)
    helper.fails("bad argument #1 to 'parallel' (item 2: ", tide.parallel,
                 { kind, "gpu:1" }, print)
    helper.fails("bad argument #2 to 'parallel' (function expected, got no " ..
                 "value)", tide.parallel, { kind })
    assert.same({ n = 0 }, tide.parallel({}, print))
  end)
end)

end)
