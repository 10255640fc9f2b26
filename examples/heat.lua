--[[
heat.lua - how heat spreads in a plate whose rim is kept cold: two steps, of one
array to another and back, are captured and launched again and again.

  lua5.4 examples/heat.lua
]]
local tide = require "tide"

local N <const> = 128                            -- points along a side, and rim
local SIDE <const> = 1 / (N - 1)                 -- between two of them
local STEP <const> = SIDE ^ 2 / 5                -- seconds: more is unstable
local LAUNCHES <const> = 1000

local x = (tide.linspace(0, 1, N) * math.pi):sin()
local plate = x:reshape(N, 1) * x:reshape(1, N)  -- warm in the middle
plate[1], plate[N] = 0, 0
plate[{ {}, 1 }], plate[{ {}, N }] = 0, 0
local first, other = plate:copy(), plate:copy()

--- The inner points of an array, moved by so many rows and columns: a view.
local function inner (a, down, right)
  return a[{ { 2 + down, N - 1 + down }, { 2 + right, N - 1 + right } }]
end

--- Each point goes towards its four neighbours.
local spread = tide.fuse(function (here, above, below, left, right)
  return here + (above + below + left + right - 4 * here) * (STEP / SIDE ^ 2)
end, "spread")

local function step (from, to)
  spread(inner(from, 0, 0), inner(from, -1, 0), inner(from, 1, 0),
         inner(from, 0, -1), inner(from, 0, 1), { out = inner(to, 0, 0) })
end

step(plate, other)                               -- compiles it
local graph <close> = tide.capture(function ()
  step(plate, other)
  step(other, plate)
end)
for _ = 1, LAUNCHES do graph:launch() end

plate:plot{ width = 60 }
local seconds = 2 * LAUNCHES * STEP
print(("after %.4f s: %.4f of %.4f are left in the middle"):format(seconds,
      plate[N // 2][N // 2], first[N // 2][N // 2]))

-- This form of warmth stays the same, and fades by a known law.
local exact = first * math.exp(-2 * math.pi ^ 2 * seconds)
assert(tide.allclose(plate, exact, 0, 1e-3))
