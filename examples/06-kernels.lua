--[[
06-kernels.lua - kernels of your own, as in CuPy's "User-Defined Kernels":
elementwise, reduction, fused, and raw CUDA C. The first three run on every
device; CUDA C needs a GPU, and is left out where there is none.

  lua5.4 examples/06-kernels.lua
]]
local tide = require "tide"

-- One line of C for every element. T is the dtype of what is passed.
local squared_diff = tide.ElementwiseKernel{
  params = "T x, T y", out = "T z",
  body = "z = (x - y) * (x - y)",
  name = "squared_diff"
}
local x = tide.arange(10, "float32"):reshape{ 2, 5 }
local y = tide.arange(5, "float32")
print(squared_diff(x, y))
print(squared_diff(x, 5))

-- 'raw' arrays are indexed by the body.
local add_reverse = tide.ElementwiseKernel(
  "T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]", "add_reverse")
print(add_reverse(y, y))

-- Map each element, join two values, make the result of the last one.
local l2norm = tide.ReductionKernel{
  params = "T x", out = "T y",
  map = "x * x", reduce = "a + b", post = "y = sqrt(a)", identity = "0",
  name = "l2norm"
}
print(l2norm(x, { axis = 2 }))

-- A Lua function of arrays as one kernel.
local fused = tide.fuse(function (a, b)
  return ((a - b) ^ 2):sum()
end, "squared_diff_sum")
print(fused(x, y):item())

-- CUDA C, checked against its own signature.
local my_add = tide.RawKernel([[
extern "C" __global__
void my_add(const float* x1, const float* x2, float* y) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  y[tid] = x1[tid] + x2[tid];
}
]], "my_add")
print(my_add)

if tide.get_device().kind == "cuda" then
  local x1 = tide.arange(25, "float32"):reshape{ 5, 5 }
  local x2 = tide.arange(25, "float32"):reshape{ 5, 5 }
  local sum = tide.zeros({ 5, 5 }, "float32")
  my_add(5, 5, x1, x2, sum)                    -- grid, block, arguments
  print(sum)
else
  print "(my_add is CUDA C: it needs a CUDA device)"
end
