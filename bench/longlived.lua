--
-- longlived.lua - checks that costs and memory do not grow with the number of
-- objects made so far: streams, events, coroutines, errors, host functions,
-- graphs, kernels with ever new constants, chunks with ever new names.
-- Counted: us an operation, in the first hundredth of them and in the last one
-- (followed by the minimum and maximum of the hundred); rss_*: growth of
-- resident memory from the first hundredth to the last, in KiB. LONGLIVED_CALLS
-- (100000) is the number; for kernels and graphs a tenth of it.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local calls = tonumber(os.getenv "LONGLIVED_CALLS") or 100000

local function line(key, unit, ...)
  local words = { key }
  for i, x in ipairs{ ... } do
    words[#words + 1] = ("%.4g"):format(x)
    words[#words + 1] = i == 1 and unit or nil
  end
  print(table.concat(words, "\t"))
  io.flush()
end

-- resident memory in KiB; 0 if the system does not say
local function resident()
  local file <close> = io.open "/proc/self/statm"
  local pages = file and file:read "a":match "^%d+ (%d+)"
  return pages and tonumber(pages) * 4 or 0
end

-- us an operation for each hundredth of n, and the growth of memory; preceded
-- by one that does not count
local function ages(n, fn)
  local part, times, memory = n // 100, {}, nil
  for k = 0, 100 do
    local start = tide.clock()
    for i = k * part + 1, (k + 1) * part do
      fn(i)
    end
    harness.drain()
    times[k] = (tide.clock() - start) / part * 1e6
    memory = memory or (k == 1 and resident())
  end
  return times, resident() - memory
end

-- Prints rows for the operations of make() -> fn(i); reports an error.
local function take(key, n, make)
  collectgarbage()
  local done, times, grown = pcall(function () return ages(n, make()) end)
  if not done then
    return harness.missing(key .. "_first", times)
  end
  local least, most = math.huge, 0
  for k = 1, 100 do
    least, most = math.min(least, times[k]), math.max(most, times[k])
  end
  line(key .. "_first", "us", times[1], least, most)
  line(key .. "_last", "us", times[100], least, most)
  line("rss_" .. key, "KiB", grown, grown, grown)
end

local function new() return tide.Stream{ non_blocking = true } end

local x = tide.ones({ 1024 }, "float32")

take("stream", calls, function ()
  return function ()
    local s <close> = new()
    s:with(function () return x + 1 end)
  end
end)

take("stream_dropped", calls, function ()
  return function ()
    new():with(function () return x + 1 end)
  end
end)

-- each waits for an event that it has not met lately
take("crossing", calls, function ()
  local list, z = {}, tide.zeros({ 1024 }, "float32")
  for i = 1, 1000 do list[i] = new() end
  return function (i)
    local s = list[i * 7 % 1000 + 1]
    s:with(function () return z:add_(1) end)
    list[i % 1000 + 1]:wait_stream(s)
  end
end)

take("event", calls, function ()
  return function () tide.Event{ disable_timing = true }:record() end
end)

take("coroutine", calls, function ()
  return function ()
    coroutine.wrap(function () coroutine.yield(tide.get_current_stream()) end)()
  end
end)

take("error", calls, function ()
  local function wrong(i) return x:reshape(i + 1024) end
  return function (i) assert(not pcall(wrong, i)) end
end)

take("hostfunc", calls // 10, function ()
  local s, ran = new(), 0
  return function ()
    s:launch_host_func(function () ran = ran + 1 end)
    s:synchronize()
  end
end)

take("graph", calls // 10, function ()
  return function ()
    local g = tide.capture(function () return x + 1 end)
    g:launch():close()
  end
end)

take("array", calls, function ()
  return function (i) return tide.empty(i % 1000 + 1, "float32") + 1 end
end)

take("chunk", calls, function ()
  local code = "local x = ... return x + 1"
  return function (i) load(code, "=chunk " .. i)(x) end
end)

take("fused", calls // 10, function ()
  return function (i)
    tide.fuse(function (a) return a * i + 1 end, "times" .. i)(x)
  end
end)

take("fused_again", calls // 10, function ()
  return function (i)
    tide.fuse(function (a) return a * (i % 50) - 1 end)(x)
  end
end)

take("elementwise", calls // 10, function ()
  return function (i)
    tide.ElementwiseKernel("T x", "T z", "z = x + " .. i, "plus" .. i)(x)
  end
end)
