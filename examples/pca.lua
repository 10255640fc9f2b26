--[[
pca.lua - principal components of a data matrix: which directions its rows vary
in, how much of the variance each explains, and the rows in fewer numbers.

  lua5.4 examples/pca.lua
]]
local tide = require "tide"
local linalg <const> = tide.linalg

local ROWS <const>, COLUMNS <const>, HIDDEN <const> = 5000, 12, 3
local NOISE <const> = 0.1

--- Returns rows that are mixtures of a few hidden numbers, with noise, and the
-- directions of the mixtures.
local function measure ()
  local random <const> = tide.random
  random.seed(2)
  local mixture <const> = random.normal{ HIDDEN, COLUMNS }
  local hidden <const> = random.multivariate_normal(
    tide.zeros(HIDDEN), tide.diag(tide.array{ 9., 4, 1 }), ROWS)
  local noise <const> = random.normal(0, NOISE, { ROWS, COLUMNS })
  return hidden:matmul(mixture) + 20 + noise, mixture
end

--- Returns the mean of the rows, the directions as rows, and the variance
-- along each.
local function components (rows)
  local mean <const> = rows:mean(1)
  local _, s <const>, directions <const> = linalg.svd(rows - mean, {
    full_matrices = false })
  return mean, directions, s ^ 2 / (rows.shape[1] - 1)
end

local rows <const>, mixture <const> = measure()
local mean <const>, directions <const>, variances <const> = components(rows)
local shares <const> = variances / variances:sum()

print "component   variance     share  together"
local together <const> = shares:cumsum()
for i = 1, HIDDEN + 1 do
  print(("%9d %10.4f %9.4f %9.4f"):format(i, variances[i], shares[i],
                                          together[i]))
end

-- the rows in HIDDEN numbers each, and back
local few <const> = directions:slice(1, HIDDEN)
local scores <const> = (rows - mean):matmul(few.T)
local error <const> = (scores:matmul(few) + mean - rows):std():item()
print(("%d columns as %d: off by %.4f"):format(COLUMNS, HIDDEN, error))

assert(error < NOISE, "a direction is missing")
assert(tide.allclose(scores.T:cov(), tide.diag(variances:slice(1, HIDDEN)),
                     1e-6, 1e-6))
local seen <const> = mixture:matmul(few.T):matmul(few)
assert((seen - mixture):abs():max():item() < 0.05, "other directions")
