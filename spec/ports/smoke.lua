--[[
smoke.lua - does this build of tide work? Run by the Lua it is for, from
anywhere, once for each place it was installed to.
]]
local tide = require "tide"

local x = tide.arange(1000) * 1.0
local s, t = tide.Stream{ non_blocking = true }, tide.Stream()
local a = s:with(function () return (x * x + 8):sum() end)
local b = t:with(function () return x:exp():log() end)
assert(a:item() == 332841500, a:item())
assert((b - x):slice(1, 51):abs():max():item() < 1e-9)
assert(tide.sort(x * -1)[1] == -999)
assert(tide.matmul(x:reshape{ 10, 100 }, x:reshape{ 100, 10 })[{ 1, 1 }] ==
       3283500)
local n = 0
s:launch_host_func(function () n = n + 1 end)
s:synchronize()
local graph, y = tide.capture(function () return x + 1 end)
x:fill(4)
graph:launch()
assert(y[1000] == 5 and n == 1)
local k = tide.ElementwiseKernel("T x", "T z", "z = x > 2 ? x : -x", "pick")
assert(k(x):sum():item() == 4000)
print(tide._VERSION, _VERSION, tide.get_device())
