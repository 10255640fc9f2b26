--[[
reclaim_spec.lua - what happens when memory runs out: drain, synchronize,
collect, trim, the error; inside captures and host functions; when driver calls
fail meanwhile.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, during = helper.T, helper.fails, helper.during
local empty, stats = helper.limit, tide.memory_stats

local MB = 1 << 20
local new = helper.new_stream

--- bytes(n) -> an array of so many.
local function bytes (n)
  return tide.empty(n, "uint8")
end

local function pinned_bytes (n)
  return tide.HostArray(n, "uint8")
end

--- How often the host blocked in fn(...).
local function waits (fn, ...)
  local _, before = tide.sync_debug()
  fn(...)
  local _, after = tide.sync_debug()
  return after - before
end

local UNITS = { bytes = 1, KiB = 1 << 10, MiB = 1 << 20 }

--- The sizes that an error of the fallback steps gives, in bytes.
local function figures (message)
  local f = {}
  for name, value, unit in message:gmatch "([%l ]+) ([%d.]+) (%a+)" do
    f[name:gsub("^ ", "")] = tonumber(value) * UNITS[unit]
  end
  return f
end

helper.each_device(function (kind)

after_each(function ()
  tide.Device(kind):use()
  tide.memory_limit(0)
  tide.memory_limit(0, "pinned")
end)

describe("the fallback steps:", function ()
  it("first, what is idle goes back, without a wait", function ()
    empty(4 * MB)
    bytes(3 * MB):close()
    tide.get_device():synchronize()
    local a
    assert.equal(0, waits(function () a = bytes(2 * MB) end))
    assert.equal(2 * MB, stats().reserved)
    a:close()
  end)

  it("no more goes back than must", function ()
    empty(4 * MB)
    local list = {}
    for i = 1, 4 do list[i] = bytes(MB) end
    for i = 1, 4 do list[i]:close() end
    tide.get_device():synchronize()
    assert.equal(2, during("cuMemFreeAsync", bytes, 2 * MB))
  end)

  it("what a dropped graph held goes back", function ()
    empty(4 * MB)
    local g = tide.capture(function () bytes(3 * MB):fill(1) end)
    g:launch()
    tide.get_device():synchronize()
    debug.getmetatable(g).__close(g)  -- only drops it
    local a <close> = bytes(4 * MB)
    assert.equal(4 * MB, a.nbytes)
  end)

  it("what is busy is waited for; host functions run", function ()
    empty(4 * MB)
    local s <close> = new()
    local a, ran = bytes(3 * MB), 0
    s:launch_host_func(function () ran = ran + 1 end)
    s:with(function () a:fill(1) end)
    a:close()
    local b
    assert.is_true(waits(function () b = bytes(2 * MB) end) > 0)
    assert.equal(1, ran)
    b:close()
  end)

  it("what is busy on the same stream is used without a wait", function ()
    empty(4 * MB)
    local s <close> = new()
    s:use()
    local a = bytes(3 * MB)
    local key = T.hold(s)
    a:fill(1)
    local ptr = a.ptr
    a:close()
    assert.equal(0, waits(function () a = bytes(3 * MB) end))
    assert.equal(ptr, a.ptr)
    T.release(key)
  end)

  it("no block waits for another one's work", function ()
    empty(6 * MB)
    local s <close> = new()
    local t <close> = new()
    local out = tide.zeros(2 * MB, "uint8")
    local a, b = tide.full(2 * MB, 3, "uint8"), bytes(2 * MB)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () out:add_(a) end)
    t:launch_host_func(function () end)
    t:with(function () b:fill(9) end)
    a:close()
    b:close()
    local c = tide.full(MB + 512, 5, "uint8")  -- another class: b goes back
    assert.equal(5, c[1])
    assert.is_true(stats().reserved <= 6 * MB)
    T.release(key)
    assert.equal(6 * MB, out:sum():item())
  end)

  it("nor a dropped graph for another one's launch", function ()
    empty(6 * MB)
    local s <close> = new()
    local t <close> = new()
    local function fill () bytes(2 * MB):fill(1) end
    local g, h = tide.capture(fill), tide.capture(fill)
    tide.get_device():synchronize()
    local key = T.hold(s)
    g:launch(s)
    t:launch_host_func(function () end)
    h:launch(t)
    g:close()
    h:close()
    local a <close> = bytes(3 * MB)
    assert.is_true(#a == 3 * MB and not s.done)
    T.release(key)
  end)

  it("garbage is collected, also if the collector is stopped", function ()
    empty(4 * MB)
    collectgarbage "stop"
    for _ = 1, 50 do
      bytes(MB):fill(1)
    end
    local a <close> = bytes(4 * MB)
    collectgarbage "restart"
    assert.equal(a.nbytes, stats().live)
    assert.is_true(stats().peak <= 4 * MB)
  end)

  it("what garbage holds through a graph goes too", function ()
    empty(4 * MB)
    collectgarbage "stop"
    do
      local g = tide.capture(function () bytes(3 * MB):fill(1) end)
      g:launch()
    end
    local a <close> = bytes(4 * MB)
    collectgarbage "restart"
    assert.equal(4 * MB, a.nbytes)
  end)

  it("in a finalizer nothing is collected, and nothing breaks", function ()
    empty(4 * MB)
    local message, big
    local function finalize ()
      collectgarbage "stop"
      for _ = 1, 3 do bytes(MB) end
      big, message = pcall(bytes, 2 * MB)
      bytes(MB):close()
      collectgarbage "restart"
    end
    do
      local x = setmetatable({}, { __gc = finalize })
      assert.is_table(x)
    end
    collectgarbage()
    assert.is_false(big)
    assert.is_truthy(message:find("live 3 MiB", 1, true), message)
    bytes(2 * MB):close()
  end)

  it("what the pool keeps goes back before the error", function ()
    empty(MB)
    local a <close> = bytes(MB)
    assert.equal(1, during("cuMemPoolTrimTo", pcall, bytes, MB))
    assert.equal(MB, a.nbytes)
  end)

  it("what there can never be is not looked for", function ()
    empty(MB)
    assert.equal(0, during("cuMemPoolTrimTo", pcall, bytes, 2 * MB))
    assert.equal(0, during("cuMemPoolTrimTo", pcall, pinned_bytes, 1 << 45))
    fails("CUDA_ERROR_OUT_OF_MEMORY (2)", bytes, 1 << 45)
    fails("CUDA_ERROR_OUT_OF_MEMORY (2)", pinned_bytes, 1 << 45)
  end)

  it("the error has figures", function ()
    empty(8 * MB)
    local s <close> = new()
    local a, b, c = bytes(3 * MB), bytes(MB), bytes(2 * MB)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () b:fill(1) end)
    b:close()
    local err = fails("tide.memory_limit: CUDA_ERROR_OUT_OF_MEMORY (2): ",
                      bytes, 5 * MB)
    T.release(key)
    assert.same({ asked = 5 * MB, live = 5 * MB, reserved = 6 * MB,
                  free = 3 * MB, ["largest free"] = 2 * MB, limit = 8 * MB },
                figures(err:match "(asked.*)"))
    assert.equal("tide.memory_limit", tide.errorinfo(err).call)
    a:close()
    c:close()
  end)

  it("the error of page-locked memory says so", function ()
    empty(MB, "pinned")
    local h <close> = pinned_bytes(MB)
    local err = fails("of page-locked memory; live 1 MiB", pinned_bytes, 512)
    assert.is_truthy(err:find("limit 1 MiB", 1, true))
    assert.equal(MB, h.nbytes)
  end)

  it("page-locked garbage is collected", function ()
    empty(2 * MB, "pinned")
    for _ = 1, 20 do
      pinned_bytes(MB)
    end
    assert.is_true(stats("pinned").peak <= 2 * MB)
    local a = tide.ones(MB // 8)
    for _ = 1, 20 do
      assert.equal(MB, #a:tobytes())
    end
    assert.is_true(stats("pinned").peak <= 2 * MB)
  end)

  it("a wait that is forbidden raises, and loses nothing", function ()
    empty(4 * MB)
    local s <close> = new()
    local a = bytes(3 * MB)
    s:launch_host_func(function () end)
    s:with(function () a:fill(1) end)
    a:close()
    tide.sync_debug "error"
    fails("sync_debug: out of memory blocks", bytes, 2 * MB)
    tide.sync_debug "off"
    assert.equal(0, stats().live)
    bytes(2 * MB):close()
  end)

  it("the error of a host function waits for whoever asks its stream",
  function ()
    empty(4 * MB)
    local s <close> = new()
    local a = bytes(3 * MB)
    s:launch_host_func(error, "from below")
    s:with(function () a:fill(1) end)
    a:close()
    bytes(2 * MB):close()
    assert.equal(0, stats().live)
    fails("from below", s.synchronize, s)
  end)

  it("what Ctrl-C raises in a host function comes through, and loses nothing",
  function ()
    empty(4 * MB)
    local s <close> = new()
    local a = bytes(3 * MB)
    s:launch_host_func(error, "interrupted!")
    s:with(function () a:fill(1) end)
    a:close()
    fails("interrupted!", bytes, 2 * MB)
    assert.equal(0, stats().live)
    bytes(2 * MB):close()
  end)

  it("in a host function, not what waits for it", function ()
    empty(4 * MB)
    local s <close> = new()
    local a, ok, message = bytes(3 * MB), nil, nil
    s:launch_host_func(function ()
      ok, message = pcall(bytes, 2 * MB)
    end)
    s:with(function () a:fill(1) end)
    a:close()
    s:synchronize()
    assert.is_false(ok)
    assert.is_truthy(message:find("CUDA_ERROR_OUT_OF_MEMORY", 1, true))
    bytes(2 * MB):close()
  end)

  -- The device has to come to it first.
  helper.host_it("memory on its way back is waited for (#57) #process",
  function ()
    assert.equal("0\n", helper.child_on("host", [[
      local tide = require "tide"
      tide.T.delays(1, 20000)
      for _ = 1, 10 do
        tide.empty(16 << 20, "uint8"):close()
        tide.empty(3):close()
      end
      print(tide.memory_stats().live)
    ]], { TIDE_HOST_MEMORY = "16M" }))
  end)
end)

describe("inside a capture", function ()
  it("memory is waited for, and the capture stays valid", function ()
    empty(4 * MB)
    local s <close> = new()
    local a, x, ran = bytes(3 * MB), tide.zeros(4), false
    s:launch_host_func(function () ran = true end)
    s:with(function () a:fill(1) end)
    a:close()
    local g <close> = tide.capture(function ()
      local before = select(2, tide.sync_debug())
      bytes(2 * MB):close()
      assert.equal(before + 1, select(2, tide.sync_debug()))
      assert.is_true(ran)
      x:add_(1)
    end)
    g:launch()
    g:launch()
    assert.equal(8, x:sum():item())
  end)

  it("idle memory goes back and garbage is collected", function ()
    empty(4 * MB)
    bytes(3 * MB):close()
    tide.get_device():synchronize()
    collectgarbage "stop"
    local x = tide.zeros(4)
    local g <close> = tide.capture(function ()
      for _ = 1, 10 do bytes(2 * MB) end
      x:add_(1)
    end)
    collectgarbage "restart"
    g:launch()
    assert.equal(4, x:sum():item())
  end)

  it("what it allocates is pool memory, and the graph's until it is closed",
  function ()
    empty(4 * MB)
    local x = tide.zeros(MB, "uint8")
    local g
    assert.equal(1, during("cuMemAllocFromPoolAsync", function ()
      g = tide.capture(function ()
        local t <close> = x + 1
        x:copy_from(t)
      end)
    end))
    assert.equal(2 * MB, stats().live)
    g:launch()
    g:launch()
    assert.equal(2 * MB, x:sum():item())
    g:close()
    tide.poll()
    assert.is_true(stats().live < MB + MB // 2)
  end)
end)

describe("driver calls fail in the fallback steps #sweep", function ()
  local tasks = {}

  function tasks.device ()
    empty(6 * MB)
    local s <close> = new()
    local a, b = bytes(2 * MB), bytes(2 * MB)
    s:launch_host_func(function () end)
    s:with(function () a:fill(1) end)
    a:close()
    b:close()
    b = bytes(5 * MB)
    pcall(bytes, 2 * MB)
    b:close()
    return bytes(6 * MB):close()
  end

  function tasks.pinned ()
    empty(6 * MB, "pinned")
    local a, h = bytes(2 * MB), pinned_bytes(2 * MB)
    a:copy_from(h)
    h:close()
    pinned_bytes(3 * MB):close()
    return pinned_bytes(6 * MB):close()
  end

  for name, task in pairs(tasks) do
    for _, code in ipairs{ 2, 999 } do
      it(name .. ", code " .. code, function ()
        local n, failed = 0
        repeat
          n = n + 1
          T.failcall(n, code)
          local ok, err = pcall(task)
          failed = T.failed()
          T.failcall(0)
          assert(ok or tostring(err):find(failed, 1, true),
                 ("call %d, %s: %s"):format(n, failed, err))
          helper.settle()
          assert.is_nil(helper.leftovers())
          tide.Device(kind):use()
          tide.memory_limit(0)
          tide.memory_limit(0, "pinned")
          tide.trim()
          assert.equal(0, stats().reserved)
          assert.equal(0, T.live().memory)
          assert(n < 1000, "no end of calls")
        until not failed
        assert.is_true(n > 10)
      end)
    end
  end
end)

end)
