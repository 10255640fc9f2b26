--[[
longlived_spec.lua - a program that goes on for long: whatever it makes ever new
ones of, memory, driver objects and what the library keeps to itself stay what
they were when it had gone on for a while.

TIDE_SPEC_SCALE=n     so many times the operations: 1 is a second a test; 100 is
                      a million operations in most (TIDE_SPEC_SECONDS, too)
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

-- Sanitizers keep what is freed, and take ten times as long; so does a
-- collector that runs all the time.
local SLOW = helper.variant ~= "testing" or os.getenv "TIDE_SPEC_GC" == "stress"
local SCALE = tonumber(os.getenv "TIDE_SPEC_SCALE" or 1) / (SLOW and 10 or 1)

local MIB = 1 << 20

--{{ what there is

--- Resident memory in bytes, or nil where the system does not tell it.
local function resident ()
  local file <close> = io.open "/proc/self/statm"
  local pages = file and file:read "a":match "^%d+ (%d+)"
  return pages and tonumber(pages) * 4096
end

local function settle ()
  for _ = 1, 3 do
    collectgarbage()
    collectgarbage()
    tide.get_device():synchronize()
    tide.poll()
  end
end

--- count() -> everything that could grow, by name, once all work has settled.
local function count ()
  settle()
  local all = { ["Lua's KiB"] = collectgarbage "count" // 1 }
  for name, n in pairs(T.live()) do
    all["driver's " .. name] = n
  end
  for name, n in pairs(T.kept()) do
    all["kept " .. name] = n
  end
  for _, kind in ipairs{ "device", "pinned" } do
    all["bytes live, " .. kind] = tide.memory_stats(kind).live
    all["bytes reserved, " .. kind] = tide.memory_stats(kind).reserved
  end
  all.resident = not SLOW and resident() or nil
  return all
end

-- Growth that chance may cause; the other counts stay as they are.
local SLACK = {
  ["Lua's KiB"] = 256, resident = 8 * MIB,
  ["bytes reserved, device"] = MIB, ["bytes reserved, pinned"] = MIB,
  ["driver's modules"] = 16, ["kept names"] = 24
}

-- These counts depend on how much garbage there was at once, which varies.
local BY_GARBAGE = { ["kept streams"] = true, ["kept nodes"] = true,
                     ["driver's events"] = true, ["driver's streams"] = true,
                     ["driver's memory"] = true, ["driver's pinned"] = true,
                     ["bytes reserved, device"] = true,
                     ["bytes reserved, pinned"] = true }

local function compare (before, after)
  local grown = {}
  for name, n in pairs(after) do
    local most = before[name] + (SLACK[name] or 0)
    if BY_GARBAGE[name] then
      most = most + before[name] + 100
    end
    if n > most then
      grown[#grown + 1] = ("%s: %d, then %d"):format(name, before[name], n)
    end
  end
  table.sort(grown)
  assert(not grown[1], table.concat(grown, "\n"))
end

--- stays(n, fn): calls fn(i) for ever new i; after n calls, n more add nothing.
-- Resident memory may grow once, because the freed memory that the C library
-- keeps changes in steps; a leak grows again.
local function stays (n, fn)
  n = math.max(20, math.floor(n * SCALE))
  local i = 0
  local function more ()
    for _ = 1, n do
      i = i + 1
      fn(i)
    end
    return count()
  end
  local before, after = more(), more()
  if after.resident and after.resident > before.resident + SLACK.resident then
    before.resident = after.resident
    after = more()
  end
  compare(before, after)
end

--}}

local function nothing () end

helper.each_device(function (kind)

local function goes_on (name, n, make)
  it(name .. " may come and go for ever", function ()
    stays(kind == "cuda" and n // 4 or n, make())
  end)
end

-- Closed or left to the collector, by turns.
local function done_with (object, i)
  if i % 2 == 0 then
    object:close()
  end
end

describe("a program that goes on for long:", function ()
  goes_on("streams", 20000, function ()
    local a = tide.zeros(16)
    return function (i)
      local s = tide.Stream{ non_blocking = i % 3 == 0, priority = -(i % 2) }
      s:with(function () a:add_(1) end)
      done_with(s, i)
    end
  end)

  goes_on("streams that wait for each other", 10000, function ()
    local last, list = new(), {}
    for i = 1, 100 do
      list[i] = new()
    end
    return function (i)
      local s, t = list[i % 100 + 1], list[i * 7 % 100 + 1]
      s:with(function () return tide.zeros(4) end)
      t:wait_stream(s):wait_event(s:record())
      last:wait_stream(t)
      if i % 10 == 0 then
        list[i % 100 + 1] = new()
      end
    end
  end)

  goes_on("events", 30000, function ()
    local s = new()
    return function (i)
      local e = tide.Event{ disable_timing = i % 3 == 0, block = i % 5 == 0 }
      e:record(s)
      tide.Stream.null:wait_event(e)
      done_with(e, i)
    end
  end)

  goes_on("coroutines", 10000, function ()
    return function (i)
      local co = coroutine.create(function ()
        local s <close> = new()
        tide.with_stream(s, function ()
          coroutine.yield(tide.get_current_stream())
          return tide.ones(3)
        end)
      end)
      assert(coroutine.resume(co))
      if i % 3 > 0 then
        assert(coroutine.resume(co))
      elseif i % 2 == 0 then
        assert(coroutine.close(co))
      end
    end
  end)

  goes_on("tasks", 10000, function ()
    local x, places = tide.zeros(16), tide.semaphore(3)
    local ends = {
      function (task) task:cancel() end,
      function (task) task:await() end,
      function (task) task:await(0) end,
      function (task) tide.race{ task, function () tide.sleep(0) end } end,
      function (task) tide.gather{ task, x } end,
      function (task) assert(not pcall(task.await, task)) end,
      nothing
    }
    local function work (i, q)
      local place <close> = places:acquire()
      x:add_(1)
      if i % 3 == 0 then x:await(i % 2 == 0 and 1e-6 or nil) end
      if i % 5 == 0 then tide.get_current_stream():record():await() end
      q:put(i)
      if i % #ends == 5 then error("stop", 0) end
      return place
    end
    local function program (i)
      local q <close>, list = tide.queue(4), {}
      local consumer = tide.spawn(function ()
        for value in q do assert(value) end
      end)
      for k = 0, 9 do
        list[k] = tide.spawn(work, i + k, q)
        ends[(i + k) % #ends + 1](list[k])
      end
      for k = 0, 9 do pcall(list[k].await, list[k]) end
      consumer:cancel()
    end
    return function (i)
      if i % 10 == 0 then tide.run(program, i // 10) end
    end
  end)

  goes_on("waits of tasks that never end", 20000, function ()
    local task, events, s = nil, tide.queue(), new()
    local function program (n)
      local standing = tide.spawn(function () events:get() end)
      for i = 1, n do
        s:await()
        assert(select(2, standing:await(0)) == "timeout")
        task = tide.spawn({ stream = "inherit" }, coroutine.yield)
        task:await()
        if i % 10 == 0 then tide.zeros(4):await() end
      end
      standing:cancel()
    end
    return function (i)
      if i % 1000 == 0 then tide.run(program, 1000) end
    end
  end)

  goes_on("errors", 20000, function ()
    local a, s = tide.zeros(4), new()
    local calls = {
      function () a:reshape(3) end, function () return a[7] end,
      function () return a + tide.ones(3) end, function () s:nothing() end,
      function () return tide.zeros(3, "float31") end,
      function () tide.Stream{ prioritaet = 1 } end,
      function () tide.capture(function () error "stop" end) end,
      function () tide.with_stream(s, error, "stop") end,
      function () tide.fuse(function () error "stop" end)(a) end,
      function ()
        s:launch_host_func(error, "stop")
        s:synchronize()
      end
    }
    return function (i)
      local ok, err = pcall(calls[i % #calls + 1])
      assert(not ok and err)
    end
  end)

  goes_on("host functions", 4000, function ()
    local s, t, ran = new(), new(), 0
    local function run () ran = ran + 1 end
    return function (i)
      s:launch_host_func(run)
      if i % 3 == 0 then
        t:wait_stream(s):add_callback(run)
      end
      if i % 10 == 0 then
        (i % 20 == 0 and s or t):synchronize()
      end
      if i % 100 == 0 then
        s = new()
      end
    end
  end)

  goes_on("captures and graphs", 2000, function ()
    local a, ran = tide.zeros(16), 0
    local function capture (n)
      return (tide.capture(function ()
        for _ = 1, n do
          a:add_(1)
        end
        tide.get_current_stream():launch_host_func(function ()
          ran = ran + 1
        end)
      end))
    end
    return function (i)
      local g = capture(2)
      g:launch()
      if i % 4 == 0 then
        g:update(capture(2))
        g:launch()
      elseif i % 4 == 1 then  -- a capture that never ends
        local s, own = new():begin_capture(), tide.zeros(4)
        s:with(function () own:add_(1) end)
        s:launch_host_func(nothing)
      end
      tide.Stream.null:synchronize()
      done_with(g, i)
    end
  end)

  goes_on("arrays", 20000, function ()
    local dtypes = { "float32", "int64", "uint8", "complex64" }
    return function (i)
      local a = tide.ones(i % 1000 + 1, dtypes[i % 4 + 1])
      local b = a + a
      local h = i % 10 == 0 and b:tohost()
      done_with(a, i)
      done_with(b, i // 2)
      if h then
        done_with(h, i // 20)
      end
    end
  end)

  goes_on("names of chunks", 20000, function ()
    local a = tide.zeros(4)
    local g = tide.capture(function () a:add_(1) end)
    local streams = { new(), new(), tide.Stream.null }
    return function (i)  -- a launch of a graph notes its line
      local s = streams[i % 3 + 1]
      load("local s, g = ... g:launch(s)", ("=chunk %d"):format(i))(s, g)
    end
  end)
end)

if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("generated kernels need NVRTC on " .. kind)
  return
end

local KERNELS = kind == "cuda" and 400 or 2000

describe("a program that goes on for long, with its own kernels:", function ()
  goes_on("fused functions with ever new constants", KERNELS, function ()
    local x = tide.ones(8)
    return function (i)
      local f = tide.fuse(function (a) return a * i + 1 end, "times" .. i)
      assert(i % 100 > 0 or f(x)[1] == i + 1)
      f(x)
    end
  end)

  goes_on("kernels of ever new texts", KERNELS, function ()
    local x = tide.ones(8)
    return function (i)
      local e = tide.ElementwiseKernel("T x", "T z", ("z = x + %d;"):format(i),
                                       "plus" .. i)
      local r = tide.ReductionKernel("T x", "T z", ("x + %d"):format(i),
                                     "a + b", nil, 0, "sum" .. i)
      local z, sum = e(x), r(x)
      if i % 100 == 0 then
        assert(z[8] == 1 + i and sum:item() == 8 * (1 + i))
      end
    end
  end)

  goes_on("RawKernels", 5000, function ()
    return function (i)
      local source = ('extern "C" __global__ void f%d (int *x) {}'):format(i)
      local m = tide.RawModule(source)
      assert(m:get_function("f" .. i).name == "f" .. i)
      assert(tostring(tide.RawKernel(source, "f" .. i)):find("f" .. i .. "(int",
                                                             1, true))
    end
  end)

  goes_on("graphs of kernels with ever new constants", KERNELS // 2, function ()
    local x = tide.ones(8)
    return function (i)
      local f = tide.fuse(function (a) return a - i end)
      f(x)
      local g = tide.capture(function () return f(x) end)
      g:launch()
      done_with(g, i)
    end
  end)
end)

end)
