--
-- bandwidth.lua - big arrays, GB/s of device memory.
-- Counted: bytes that must be read and written once. add_big and fused_big read
-- two arrays and write one, 12 bytes an element; sin_big, rows and turned_big
-- 8; sums 4. 2^28 float32 each (TIDE_BENCH_BITS; 2^22 on the host device, where
-- only host.lua's figures are meaningful).
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

harness.with({ "fused_big", "sin_big" }, arrays, function (a, b)
  local into = { out = tide.zeros(N, "float32") }
  local f = tide.fuse(function (x, y) return x * y + 8 end)
  harness.rate("fused_big", 20, 12.0 * N, function (n)
    for _ = 1, n do f(a, b):close() end
  end)
  harness.same(f(a, b)[3], 12.0, "a*b+8")
  a:mod_(1024):mul_(0.25)  -- as the peers do: larger values take longer
  harness.rate("sin_big", 20, 8.0 * N, function (n)
    for _ = 1, n do tide.sin(a, into) end
  end)
  assert(math.abs(into.out[2] - math.sin(0.25)) < 1e-6, "sin")
end)

-- a square matrix: a row added to each row, sums along each axis, turned
local side = 1 << bits // 2

local function matrices()
  local z = tide.zeros({ side, side }, "float32")
  return z + tide.arange(side, "float32") % 1024, z
end

harness.with({ "row_big", "fused_row_big", "axis1_big", "axis2_big",
               "turned_big" }, matrices, function (m, z)
  local row, into = tide.arange(side, "float32"), { out = z }
  local column = tide.arange(side, "float32"):reshape(side, 1)
  local f = tide.fuse(function (x, y, w) return (x + y) * w end)
  harness.rate("row_big", 20, 8.0 * side * side, function (n)
    for _ = 1, n do tide.add(m, row, into) end
  end)
  harness.same(z[2][3], 4.0, "m + row")
  harness.rate("fused_row_big", 20, 8.0 * side * side, function (n)
    for _ = 1, n do f(m, row, column, into) end
  end)
  harness.same(z[3][3], 8.0, "(m + row) * column")
  for axis = 1, 2 do
    harness.rate(("axis%d_big"):format(axis), 20, 4.0 * side * side,
                 function (n)
      for _ = 1, n do m:sum(axis) end
    end)
  end
  harness.same(m:sum(1)[2], 1.0 * side, "sum of axis 1")
  harness.rate("turned_big", 20, 8.0 * side * side, function (n)
    for _ = 1, n do z:copy_from(m.T) end
  end)
  harness.same(z[2][1], 1.0, "m.T")
end)

-- 2^26 elements, microseconds a call
local MANY = 1 << bits - 2

harness.with({ "cumsum_26", "sort_26", "uniform_26" }, function ()
  return tide.random.uniform(MANY, "float32")
end, function (x)
  local into = { out = tide.zeros(MANY, "float32") }
  harness.us("cumsum_26", 5, function (n)
    for _ = 1, n do x:cumsum(nil, into) end
  end)
  harness.us("sort_26", 3, function (n)
    for _ = 1, n do x:sort() end
  end)
  harness.us("uniform_26", 10, function (n)
    for _ = 1, n do tide.random.uniform(nil, nil, into) end
  end)
end)
