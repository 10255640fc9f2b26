--[[
06-kernels.lua - kernels of your own, as in CuPy's "User-Defined Kernels":
elementwise, reduction, fused. They run on every device; for raw CUDA C see
07-raw-kernels.lua.

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
