--
-- host.lua - the built-in host device; peers.py runs the same rows in NumPy.
-- Counted: host_*_24 move the bytes of 2^24 float32 arrays (add: 12 bytes an
-- element, exp: 8, sum and argmax: 4, cast to float64: 12, copy: 8,
-- load and save of an .npy file in the page cache: 4), GB/s;
-- host_*_1k are microseconds a call on 1024 elements with a new result.
-- Run with TIDE_DEVICE=host.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

assert(harness.on_host(), "host.lua wants TIDE_DEVICE=host")

local N = 1 << 24
local x, y = tide.ones({ N }, "float32"), tide.ones({ N }, "float32")

-- a new result a call, closed at once
local function rate(key, bytes, f)
  harness.rate(key, 4, bytes * N, function (n)
    for _ = 1, n do f():close() end
  end)
end

rate("host_add_24", 12.0, function () return x + y end)
-- into memory that is new from the system
harness.rate("host_add_cold_24", 1, 8 * 12.0 * N, function ()
  local kept = {}
  for i = 1, 8 do kept[i] = x + y end
  harness.drain()
  for i = 1, 8 do kept[i]:close() end
  tide.trim()
end)
rate("host_mul8_24", 20.0, function () return x * y + 8 end)
rate("host_div_24", 12.0, function () return x / y end)
rate("host_exp_24", 8.0, function () return x:exp() end)
rate("host_square_24", 8.0, function () return x ^ 2 end)
rate("host_root_24", 8.0, function () return x ^ 0.5 end)
rate("host_sum_24", 4.0, function () return x:sum() end)
rate("host_argmax_24", 4.0, function () return x:argmax() end)
rate("host_cast_24", 12.0, function () return x:astype("float64") end)
local path = os.tmpname()
tide.save(path, x)
rate("host_load_24", 4.0, function () return tide.load(path) end)
harness.rate("host_save_24", 4, 4.0 * N, function (n)
  for _ = 1, n do tide.save(path, x) end
end)
os.remove(path)
rate("host_copy_24", 8.0, function () return x:copy() end)

local m = tide.ones({ 4096, 4096 }, "float32")
local v = tide.ones({ 4096 }, "float32")
local row, column = v * 2, v:reshape(4096, 1)
local fused = tide.fuse(function (p, q, w) return (p + q) * w end)
rate("host_fused_24", 8.0, function () return fused(m, row, column) end)
rate("host_turned_24", 8.0, function () return m.T:square() end)
local cube = tide.ones({ 64, 512, 512 }, "float32"):transpose{ 3, 1, 2 }
rate("host_permuted_24", 4.0, function () return cube:max(3) end)
rate("host_matvec_24", 4.0, function () return m:matmul(v) end)
rate("host_vecmat_24", 4.0, function () return v:matmul(m) end)
local tiny = tide.ones({ 100000, 3, 3 }, "float32")
harness.us("host_tiny_100k", 10, function (n)
  for _ = 1, n do tiny:matmul(tiny):close() end
end)

local a, b = tide.ones({ 1024 }, "float32"), tide.ones({ 1024 }, "float32")
harness.us("host_mul_1k", 10000, function (n)
  for _ = 1, n do local _ = a * b end
end)
harness.us("host_sum_1k", 10000, function (n)
  for _ = 1, n do a:sum() end
end)
harness.us("host_item_1k", 1000, function (n)
  for _ = 1, n do (a * b):sum():item() end
end)
