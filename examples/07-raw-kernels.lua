--[[
07-raw-kernels.lua - a kernel in CUDA C, as in CuPy's "User-Defined Kernels". It
needs a GPU, and is only made where there is none.

  lua5.4 examples/07-raw-kernels.lua
]]
local tide = require "tide"

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
