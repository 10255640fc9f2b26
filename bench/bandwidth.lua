--
-- bandwidth.lua - big arrays, GB/s of device memory.
-- Counted: add_big reads two arrays and writes one, 12 bytes an element;
-- sum_big reads one, 4 bytes an element. 2^28 float32 each (TIDE_BENCH_BITS;
-- 2^22 on the host device, where only host.lua's figures mean anything).
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local bits = tonumber(os.getenv("TIDE_BENCH_BITS"))
  or (harness.on_host() and 22 or 28)
local N = 1 << bits
harness.note("2^%d elements", bits)

local function arrays()
  return tide.arange(N, "float32"), tide.arange(N, "float32")
end

harness.with({ "add_big", "sum_big" }, arrays, function (a, b)
  local found, add = pcall(harness.into, "add")
  if found then
    local c = tide.zeros({ N }, "float32")
    local into = { out = c }
    harness.rate("add_big", 20, 12.0 * N, function (n)
      for _ = 1, n do add(a, b, into) end
    end)
    harness.same(c[2], 2.0, "a+b")
  else
    harness.note("add_big: new results, closed at once: %s", add)
    harness.rate("add_big", 20, 12.0 * N, function (n)
      for _ = 1, n do (a + b):close() end
    end)
  end
  harness.rate("sum_big", 20, 4.0 * N, function (n)
    for _ = 1, n do a:sum() end
  end)
end)

-- new results dropped, so that the collector must see device bytes
harness.with({ "add_big_new" }, arrays, function (a, b)
  harness.rate("add_big_new", 20, 12.0 * N, function (n)
    for _ = 1, n do local _ = a + b end
  end)
end)
