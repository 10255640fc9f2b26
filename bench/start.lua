--
-- start.lua - one result from a cold start; bench/run times the process.
-- Counted: lua, require, context, the kernels, two launches, one number back.
--
local tide = require "tide"
local x = tide.arange(1024, "float32")
local sum = (x * x):sum():item()
assert(math.abs(sum - 357389824) < 1e4, sum)
