--[[
sweep_random.lua - the part of sweep_calls.lua about tide.random: adds to its
table.
]]
local tide = require "tide"

return function (calls, each)

each("tide.random.*", "uniform normal", function (_, name)
  local a = tide.zeros(4, "float32")
  return function ()
    tide.random[name]({ 2, 3 }, "float32"):close()
    tide.random[name](nil, nil, { out = a })
  end
end)

calls["tide.random.randint"] = function ()
  return function () tide.random.randint(1, 6, 5):close() end
end

each("tide.random.*", "exponential bernoulli", function (_, name)
  return function () tide.random[name](0.5, 1000, "float32"):close() end
end)

each("tide.random.*", "permutation shuffle", function (_, name)
  local a = tide.ones({ 40, 3 }, "int32")
  return function ()
    local z = tide.random[name](a)
    if z ~= a then z:close() end
  end
end)

calls["tide.random.choice"] = function ()
  local a, p = tide.ones(40, "int32"), tide.arange(1, 41, "float32")
  return function ()
    tide.random.choice(a, { 2, 3 }):close()
    tide.random.choice(a, 7, { replace = false }):close()
    tide.random.choice(#a, 7, { p = p }):close()
    tide.random.choice(a, 7, { p = p, replace = false }):close()
  end
end

calls["tide.random.multivariate_normal"] = function ()
  local mean, cov = tide.zeros(2), tide.eye(2)
  return function ()
    tide.random.multivariate_normal(mean, cov, 3, "float32"):close()
    tide.random.multivariate_normal(mean, cov, {}, { method = "eigh" }):close()
  end
end

calls["Generator:multivariate_normal"] = function ()
  local g, mean, cov = tide.random.Generator(1), tide.zeros(2), tide.eye(2)
  return function () g:multivariate_normal(mean, cov):close() end
end

calls["tide.random.seed"] = function ()
  tide.random.uniform(1)
  return function () tide.random.seed(1) end
end

-- The numbers that each is called with, and arrays of them.
local PARAMETERS <const> = { gamma = { 2, 3 }, beta = { 0.5, 0.5 },
                             poisson = { 20 }, binomial = { 100, 0.5 } }

each("tide.random.*", "gamma beta poisson binomial", function (_, name)
  local numbers <const> = PARAMETERS[name]
  local dtype <const> = #numbers == 1 and "int16" or
                        name == "binomial" and "int8" or "float32"
  local arrays <const> = {}
  for i, x in ipairs(numbers) do
    arrays[i] = tide.full({ 3 }, x, math.type(x) == "integer" and "int32" or
                          "float64")
  end
  return function ()
    local own <const> = table.move(numbers, 1, #numbers, 1, {})
    own[#own + 1], own[#own + 2] = { 2, 3 }, dtype
    tide.random[name](table.unpack(own)):close()
    tide.random[name](table.unpack(arrays)):close()
  end
end)

-- The functions of the module with a generator before their arguments.
for name in ([[uniform normal randint exponential bernoulli permutation shuffle
               choice gamma beta poisson binomial]]):gmatch "%a+" do
  local ARGUMENTS <const> = {
    uniform = { 3 }, normal = { 3 }, randint = { 1, 6, 3 },
    exponential = { 1, 3 }, bernoulli = { 0.5, 3 }, permutation = { 3 },
    choice = { 3, 3 }
  }
  calls["Generator:" .. name] = function ()
    local g, a = tide.random.Generator(1), tide.ones(4)
    local arguments <const> = ARGUMENTS[name] or
                              name == "shuffle" and { a } or
                              { PARAMETERS[name][1], PARAMETERS[name][2] or 3,
                                PARAMETERS[name][2] and 3 or nil }
    return function ()
      local z = g[name](g, table.unpack(arguments))
      if z ~= a then z:close() end
    end
  end
end

calls["Generator:seed"] = function ()
  local g = tide.random.Generator(1)
  g:uniform(1)
  return function () g:seed(2) end
end

calls["tide.random.Generator"] = function ()
  return function ()
    local g <close> = tide.random.Generator(1)
    g:uniform(1):close()
  end
end
calls["Generator:close"] = function ()
  return function ()
    local g = tide.random.Generator()
    g:uniform(1):close()
    g:close()
  end
end
for _, name in ipairs{ "__gc", "__close" } do
  calls["Generator." .. name] = calls["tide.random.Generator"]
end

calls["Generator.__tostring"] = function ()
  local g = tide.random.Generator(1)
  return function () return tostring(g) end
end
calls["Generator.__index"] = function ()
  local g = tide.random.Generator(1)
  return function () return g.seed end
end
calls["Generator.__newindex"] = function ()
  local g = tide.random.Generator(1)
  return function () return not pcall(function () g.seed = 1 end) end
end

end
