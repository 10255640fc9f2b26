--
-- everyday.lua - everyday calls, us each, as listed in everyday.txt; peers.py
-- runs the same rows. On 2^24 elements (TIDE_BENCH_BITS), 2^20 on the host
-- device. Each call makes a new result, which is dropped.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local bits <const> = tonumber(os.getenv "TIDE_BENCH_BITS")
  or (harness.on_host() and 20 or 24)
local N <const> = 1 << bits
harness.note("2^%d elements", bits)

--- The operands of the calls.
local function arrays()
  local side, edge = 1 << bits // 2, 1 << bits // 3
  local x, y = tide.random.uniform(N, "float32"),
               tide.random.uniform(N, "float32")
  local m = x:slice(1, side * side):reshape(side, side)
  local r = tide.random.uniform(side):argsort()
  local u = x:slice(1, 1 << 20):astype "complex64"
  local a = x:slice(1, 1 << 18):reshape(512, 512) + 512 * tide.eye(512)
  return {
    u = u, o = u:reshape(1024, 1024), a = a, f = a + a.T,
    j = x:slice(1, 1 << 18):reshape(4096, 8, 8) + 8 * tide.eye(8),
    tide = tide, N = N, x = x, y = y, d = x:astype "float64",
    h = x:astype "float16", i = tide.random.randint(0, 999, N),
    b = x:lt(0.5), m = m, g = m:astype "float16", q = x:reshape(-1, 4),
    c = x:slice(1, edge ^ 3 // 1 | 0):reshape(edge, edge, edge),
    k = tide.zeros(N, "int64"), t10 = tide.zeros(1000, "float32"),
    e = tide.random.randint(1, 1000, N),
    z = x:copy(), n = m:copy(), s = m:argsort(), w = x:mask(x:lt(0.5)),
    p = y:argsort(), r = r, t = tide.random.randint(0, 999, 1000)
  }
end

harness.repeats = 7
local names <const>, env = harness.on_host() and "host_every_" or "every_"

--- As many calls as take about 10 ms. The first call loads what it needs.
local function calls_of(call)
  call()
  harness.drain()
  local start = harness.clock()
  call()
  call()
  harness.drain()
  return math.max(1, math.min(1000, 0.02 // (harness.clock() - start)))
end

for line in io.lines(here .. "everyday.txt") do
  local key, text = line:match "^([%w_]+) *| (.-) *|"
  if key then
    harness.with({ names .. key }, function ()
      env = env or arrays()
      return assert(load("return function () return " .. text .. " end",
                         text, "t", env))()
    end, function (call)
      harness.us(names .. key, calls_of(call) // 1 | 0, function (n)
        for _ = 1, n do local _ = call() end
      end)
    end)
  end
end
