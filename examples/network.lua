--[[
network.lua - a network of two layers learns which points are in a ring. A step,
forward and back, is captured once and launched a thousand times.

  lua5.4 examples/network.lua
]]
local tide = require "tide"

local POINTS <const>, HIDDEN <const>, STEPS <const> = 512, 32, 1000
local RATE <const> = 1.0

tide.random.seed(3)
local x = tide.random.uniform(-1, 1, { POINTS, 2 }, "float32")
local radius = (x * x):sum(2, { keepdims = true }):sqrt()
local wanted = (radius:gt(0.4) & radius:lt(0.8)):astype "float32"

local w1 = tide.random.normal(0, 2, { 2, HIDDEN }, "float32")
local b1 = tide.random.normal(0, 1, HIDDEN, "float32")
local w2 = tide.random.normal(0, 0.3, { HIDDEN, 1 }, "float32")
local b2 = tide.zeros(1, "float32")
local loss = tide.zeros({}, "float32")

local function forward ()
  local hidden = (x:matmul(w1) + b1):tanh()
  return hidden, (hidden:matmul(w2) + b2):sigmoid()
end

--- p = p - RATE * gradient, in the memory of p.
local function descend (p, gradient)
  p:sub_(gradient * RATE)
end

local function step ()
  local hidden, said = forward()
  local p = said:clip(1e-6, 1 - 1e-6)
  tide.mean(wanted * p:log() + (1 - wanted) * (1 - p):log(), { out = loss })
  local d2 = (said - wanted) / POINTS
  local d1 = d2:matmul(w2.T) * (1 - hidden * hidden)
  descend(w2, hidden.T:matmul(d2))
  descend(b2, d2:sum(1))
  descend(w1, x.T:matmul(d1))
  descend(b1, d1:sum(1))
end

local graph <close> = tide.capture(step)   -- nothing has run yet
local losses = {}
for i = 1, STEPS do
  graph:launch()
  if i % 20 == 1 then losses[#losses + 1] = -loss:item() end
end

local _, said = forward()
local right = said:gt(0.5):eq(wanted:gt(0.5)):astype "float32":mean():item()
tide.array(losses):plot{ width = 60 }
print(("loss %.3f to %.3f, %.1f %% right"):format(losses[1], losses[#losses],
                                                 100 * right))
assert(losses[#losses] < losses[1] / 3 and right > 0.95)
