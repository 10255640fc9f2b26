--[[
regression.lua - linear regression by least squares: coefficients, their
standard errors and t values, and the share of the variance that the model
explains; then the principal components of the same variables.

  lua5.4 examples/regression.lua
]]
local tide = require "tide"
local linalg <const> = tide.linalg

local N <const> = 20000
local NAMES <const> = { "constant", "age", "height", "noise" }
local TRUE <const> = tide.array{ 2., 0.5, -1.25, 0 }

tide.random.seed(1)
local age = tide.random.normal(0, 2, N, "float64")
local height = age * 0.6 + tide.random.normal(0, 1, N, "float64")
local x = tide.stack({ tide.ones(N), age, height,
                       tide.random.normal(0, 1, N, "float64") }, 2)
local y = x:matmul(TRUE) + tide.random.normal(0, 3, N, "float64")

--- Returns the coefficients of y = x b, their standard errors and R squared:
-- with x = q r, b solves r b = q' y, and the inverse of x' x is that of r times
-- its transpose.
local function regress (inputs, outputs)
  local n <const>, k <const> = inputs.shape[1], inputs.shape[2]
  local q <const>, r <const> = linalg.qr(inputs)
  local b <const> = linalg.solve_triangular(r, q.T:matmul(outputs))
  local rest <const> = outputs - inputs:matmul(b)
  local variance <const> = rest:dot(rest) / (n - k)
  local inverse <const> = linalg.solve_triangular(r, tide.eye(k))
  local off <const> = ((inverse ^ 2):sum(2) * variance):sqrt()
  return b, off, 1 - rest:var() / outputs:var()
end

local b, errors, share = regress(x, y)
print "              estimate   error        t"
for i, name in ipairs(NAMES) do
  local value <const>, off <const> = b[i], errors[i]
  print(("%-12s %9.4f %7.4f %8.2f"):format(name, value, off, value / off))
end
print(("R squared    %9.4f"):format(share:item()))

local off = ((b - TRUE):abs() / errors):max():item()
assert(off < 4, "a coefficient is far from the true one")
assert(tide.allclose(b, (linalg.lstsq(x, y))))

local variables = x:slice(2, 4, 1, 2)
local _, s, axes = linalg.svd(variables - variables:mean(1),
                              { full_matrices = false })
local parts = (s ^ 2 / (s ^ 2):sum()):totable()
print(("components   %9.4f %7.4f %8.4f"):format(table.unpack(parts)))
assert(tide.allclose(s ^ 2 / (N - 1),
                     linalg.eigvalsh(variables.T:cov()):flip()))
assert(tide.allclose(axes:matmul(axes.T), tide.eye(3)))
