--
-- ranks.lua - two GPUs by tide:
--
--   lua5.4 bench/ranks.lua peers    one process: copies between them, and work
--                                   on both from one thread
--   lua5.4 bench/ranks.lua ranks    one rank of those that a launcher started
--   lua5.4 bench/ranks.lua comm     one process with a rank on each
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide
local part = arg[1] or "peers"
local MOST = harness.on_host() and 1 << 20 or 1 << 28    -- float32 elements

local function on (dev, fn, ...)
  return tide.with_device(dev, function (_, ...) return fn(...) end, ...)
end

local function copies (x, y)
  local function pair (n)
    local a = on(x, tide.arange, n, "float32")
    local b = on(y, tide.zeros, n, "float32")
    b:copy_from(a)
    harness.same(b[n], a[n], "copy_from")
    return a, b
  end
  y:use()
  local a, b = pair(MOST // 4)
  harness.rate("peer_256m", 50, MOST, function (n)
    for _ = 1, n do b:copy_from(a) end
  end)
  harness.us("peer_to_256m", 20, function (n)
    for _ = 1, n do a:to(y):close() end
  end)
  a, b = pair(1 << 18)
  harness.us("peer_1m", 500, function (n)
    for _ = 1, n do b:copy_from(a) end
  end)
  a, b = pair(1024)
  harness.us("peer_4k", 2000, function (n)
    for _ = 1, n do b:copy_from(a) end
  end)
end

-- A piece of work on one device, and that piece on each of two. The ratio is
-- the number of devices that the two are worth.
local function both (devices)
  local n = MOST // 16
  local function work (dev)
    return tide.with_device(dev, function ()
      local a, z = tide.ones(n, "float32"), tide.zeros(n, "float32")
      return function () tide.sin(a, { out = z }) end
    end)
  end
  local function wait ()
    for _, dev in ipairs(devices) do dev:synchronize() end
  end
  local first, second = work(devices[1]), work(devices[2])
  local function seconds (loop)
    loop(200)
    wait()
    local start = harness.clock()
    loop(200)
    wait()
    return harness.clock() - start
  end
  harness.figures("two_devices", "x", function ()
    local list = {}
    for i = 1, 9 do
      local one = seconds(function (k) for _ = 1, k do first() end end)
      local two = seconds(function (k)
        for _ = 1, k do first(); second() end
      end)
      list[i] = 2 * one / two
    end
    return list
  end)
end

local function reductions (comm, arrays)
  local x = arrays(MOST)
  comm:all_reduce(x)
  harness.rate("reduce_1g", 5, 4 * MOST, function (n)
    for _ = 1, n do comm:all_reduce(x) end
  end)
  x = arrays(1 << 18)
  harness.us("reduce_1m", 500, function (n)
    for _ = 1, n do comm:all_reduce(x) end
  end)
  x = arrays(2)
  harness.us("reduce_8", 2000, function (n)
    for _ = 1, n do comm:all_reduce(x) end
  end)
end

if part == "peers" then
  local devices = tide.devices(tide.get_device().kind)
  copies(devices[1], devices[2])
  both(devices)
elseif part == "comm" then
  local comm = tide.comm(tide.devices(tide.get_device().kind))
  reductions(comm, function (n)
    local list = {}
    for i, dev in ipairs(comm.devices) do
      list[i] = on(dev, tide.zeros, n, "float32")
    end
    return list
  end)
else
  local comm = tide.dist.init()
  if comm.rank > 0 then io.output "/dev/null" end
  tide.Stream{ non_blocking = true }:use()
  -- others must make as many calls: no rows that run for a time
  harness.warm = 0
  reductions(comm, function (n) return tide.zeros(n, "float32") end)
  comm:barrier()
end
