--[[
black_scholes.lua - prices of a million options, by a formula that is fused:
each element is read once, and nothing in between is written.

  lua5.4 examples/black_scholes.lua
]]
local tide = require "tide"

local OPTIONS <const> = 1000000

--- How likely a normal number is below x.
local function below (x)
  return ((x / 2 ^ 0.5):erf() + 1) / 2
end

--- Returns today's price of the right to buy at `strike` in so many years.
local function price (spot, strike, years, rate, sigma)
  local spread = sigma * years:sqrt()
  local d = ((spot / strike):log() + (rate + sigma ^ 2 / 2) * years) / spread
  return spot * below(d) - strike * (-rate * years):exp() * below(d - spread)
end

local call = tide.fuse(price, "call")

tide.random.seed(7)
local spot = tide.random.uniform(50, 150, OPTIONS)
local strike = tide.random.uniform(50, 150, OPTIONS)
local years = tide.random.uniform(0.1, 2, OPTIONS)
local rate <const>, sigma <const> = 0.03, 0.2

call(spot, strike, years, rate, sigma)               -- compiles it
tide.get_device():synchronize()
local seconds = tide.clock()
local calls = call(spot, strike, years, rate, sigma)
tide.get_device():synchronize()
print(("%d options in %.1f ms"):format(OPTIONS,
                                       (tide.clock() - seconds) * 1000))
print(calls:describe())

-- The same step by step, and one that books have.
local slowly = price(spot, strike, years, rate, sigma)
assert(tide.allclose(calls, slowly, 1e-9, 1e-9))
local hundred <const>, year <const> = tide.array{ 100. }, tide.array{ 1. }
local one = call(hundred, hundred, year, 0.05, 0.2):item()
assert(math.abs(one - 10.450584) < 1e-6)

-- No price is below what is sure, nor above the share itself.
local sure = spot - strike * (years * -rate):exp()
assert((calls - sure):min():item() > -1e-9)
assert((spot - calls):min():item() > 0)
