--[[
kmeans.lua - k-means: points of four clouds go to the nearest of four centres,
each centre to the middle of its points, until no point changes.

  lua5.4 examples/kmeans.lua
]]
local tide = require "tide"

local POINTS <const>, CLOUDS <const> = 100000, 4
local MIDDLES <const> = { { -5, -5 }, { -5, 5 }, { 5, -5 }, { 5, 5 } }

tide.random.seed(1)
local cloud = tide.random.randint(1, CLOUDS, POINTS)
local points = tide.array(MIDDLES, "float32"):take(cloud, 1) +
               tide.random.normal(0, 1, { POINTS, 2 }, "float32")

--- The squares of the distances of all points from each centre: a row a point.
local distances = tide.fuse(function (p, c)
  return ((p - c) ^ 2):sum(3)
end, "distances")

local function squares (centres)
  return distances(points:reshape(POINTS, 1, 2), centres)
end

--- Centres to begin with: a point, and each time the one farthest from all.
local function spread ()
  local centres = points:slice(1, 1)
  while #centres < CLOUDS do
    local far = squares(centres):min(2):argmax():item()
    centres = tide.concatenate{ centres, points:slice(far, far) }
  end
  return centres
end

local centres, nearest, rounds = spread(), tide.zeros(POINTS, "int64"), 0
repeat
  local before = nearest
  nearest = squares(centres):argmin(2)                  -- from 1 to CLOUDS
  local count = nearest:bincount{ size = CLOUDS }
  local sums = tide.zeros({ CLOUDS, 2 }, "float32")
  sums:scatter_add(nearest, points, 1)
  centres = sums / count:reshape(CLOUDS, 1):astype "float32"
  rounds = rounds + 1
until tide.array_equal(nearest, before)

local near = centres:round()                  -- in the order of MIDDLES
centres = centres:take(tide.lexsort{ near[{ {}, 2 }], near[{ {}, 1 }] }, 1)
print(("%d points, %d rounds, centres:"):format(POINTS, rounds))
print(centres)
assert(tide.allclose(centres, tide.array(MIDDLES, "float32"), 0, 0.05))
