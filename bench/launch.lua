--
-- launch.lua - small launches: 1024 float32, microseconds per call.
-- Counted: one kernel a call (mul8_eager: two; empty4k: an allocation and a
-- free). New results are dropped, and the figure includes the work of Lua's
-- collector for them; only empty4k closes its array at once.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local N = 1024
local x = tide.arange(N, "float32")
local y = tide.arange(N, "float32")
local z = tide.zeros({ N }, "float32")

local SOURCE = [[
extern "C" __global__ void mul3(const float *x, const float *y, float *z) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1024) z[i] = x[i] * y[i];
}]]

-- z = x*y with three pointers: a RawKernel if there is one, else out=
local function launcher()
  local raw = harness.field(tide, "RawKernel")
  local made, kernel = pcall(function ()
    return raw(SOURCE, "mul3"):compile()
  end)
  if raw and made then
    harness.note("launch3: RawKernel")
    return function (n)
      for _ = 1, n do kernel(4, 256, x, y, z) end
    end
  end
  harness.note("launch3: tide.mul with out=, no RawKernel here")
  local mul, into = harness.into("mul"), { out = z }
  return function (n)
    for _ = 1, n do mul(x, y, into) end
  end
end

harness.with({ "launch3", "launch_sync" }, launcher, function (launch)
  launch(1)
  harness.same(z:totable()[N], 1023.0 * 1023.0, "x*y")
  harness.us("launch3", 2000, launch)
  local stream = tide.get_current_stream()
  harness.us("launch_sync", 1000, function (n)
    for _ = 1, n do
      launch(1)
      stream:synchronize()
    end
  end)
end)

harness.with({ "mul", "mul_inc" }, function ()
  harness.same((x * y):totable()[N], 1023.0 * 1023.0, "x*y")
  return function (n)
    for _ = 1, n do local _ = x * y end
  end
end, function (mul)
  harness.us("mul", 10000, mul)
  local mode = collectgarbage("incremental")
  harness.us("mul_inc", 10000, mul)
  collectgarbage(mode)
end)

harness.us("mul8_eager", 10000, function (n)
  for _ = 1, n do local _ = x * y + 8 end
end)

local function fused()
  local fuse = harness.field(tide, "fuse")
  assert(fuse, "tide.fuse is missing")
  local f = fuse(function (a, b) return a * b + 8 end)
  harness.same(f(x, y):totable()[2], 9.0, "x*y+8")
  return f
end

harness.with({ "mul8_fused" }, fused, function (f)
  harness.us("mul8_fused", 10000, function (n)
    for _ = 1, n do f(x, y) end
  end)
end)

harness.with({ "sum1k" }, function ()
  harness.same(x:sum():item(), 1023 * 512.0, "sum")
end, function ()
  harness.us("sum1k", 10000, function (n)
    for _ = 1, n do x:sum() end
  end)
end)

local empty = tide.empty
harness.us("empty4k", 10000, function (n)
  for _ = 1, n do empty(1024, "float32"):close() end
end)
harness.us("empty4k_gc", 10000, function (n)
  for _ = 1, n do empty(1024, "float32") end
end)

local share, take = x.to_dlpack, tide.from_dlpack
harness.with({ "dlpack" }, function ()
  local b = take(share(x))
  harness.same(b.ptr, x.ptr, "the memory")
  b:close()
end, function ()
  harness.us("dlpack", 10000, function (n)
    for _ = 1, n do take(share(x)) end
  end)
end)
