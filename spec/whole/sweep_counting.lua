--[[
sweep_counting.lua - the part of sweep_calls.lua about counting, places in
sorted arrays, and figures of many elements: adds to its table.
]]
local tide = require "tide"

local function grid ()
  return tide.array({ { 1, 3, 2 }, { 2, 2, 5 } }, "int32")
end

-- The arguments after the array, or a function that makes them.
local CALLS = {
  gradient = { { axis = 2, edge_order = 2 } },
  ptp = { 1 }, diff = { 2 }, trapezoid = {},
  average = function ()
    return { 2, { weights = tide.array{ 1., 2., 3. } } }
  end,
  cov = function () return { { fweights = tide.array{ 1, 2, 1 } } } end,
  corrcoef = {}, median = { 1 }, percentile = { 30, 2 },
  quantile = { { 0.5, 1 }, { method = "lower" } }, topk = { 2 },
  partition = { 2 }, argpartition = { 2, { axis = 1 } },
  unique = { { return_inverse = true, return_counts = true } },
  unique_values = {}, unique_counts = {}, unique_inverse = {}, unique_all = {},
  digitize = { { 1, 2 } }, interp = { { 1, 2 }, { 3, 4 } },
  histogram = function () return { 3, { weights = grid() } } end,
  describe = {}, plot = { { string = true } },
  bincount = { { size = 4 } }, histogram2d = function () return { grid() } end
}

local function close_all (...)
  for _, a in ipairs{ ... } do
    if type(a) == "userdata" then
      a:close()
    end
  end
end

return function (_, each)

for _, prefix in ipairs{ "tide.*", "Array:*" } do
  each(prefix, "searchsorted", function ()
    local a = grid()[1]
    local f = prefix == "tide.*" and tide.searchsorted or a.searchsorted
    local order = tide.arange(1, 4)
    return function () f(a, { 2, 3 }, { sorter = order }):close() end
  end)
end

for _, prefix in ipairs{ "tide.*", "Array:*" } do
  each(prefix, "isin", function ()
    local a, c = grid(), grid():astype "complex64"
    local u = tide.array({ 1, 2 }, "uint64")
    local f = prefix == "tide.*" and tide.isin or a.isin
    return function ()
      f(a, { 2, 3 }):close()
      f(a, u, { invert = true }):close()
      f(c, u):close()
    end
  end)
end

for _, prefix in ipairs{ "tide.*", "Array:*" } do
  each(prefix, "nanquantile nanpercentile", function (_, name)
    local a = tide.array{ { 1, 0 / 0, 3 }, { 2, 0 / 0, 5 } }
    local f = prefix == "tide.*" and tide[name] or a[name]
    return function () f(a, { 0.5, 1 }, 2):close() end
  end)
  each(prefix, "union1d intersect1d setdiff1d", function (_, name)
    local a, b = grid(), tide.array{ 2, 9 }
    local f = prefix == "tide.*" and tide[name] or a[name]
    return function () f(a, b):close() end
  end)
  each(prefix, "polyval", function ()
    local p, x = tide.array{ 1, 2, 3 }, grid()
    local f = prefix == "tide.*" and tide.polyval or p.polyval
    return function () f(p, x):close() end
  end)
end

each("tide.*", "polyfit", function (_, name)
  local x, y, w = tide.arange(5), tide.ones(5, "float32"), tide.ones(5)
  return function () tide[name](x, y, 2, { w = w }):close() end
end)

each("tide.*", "lfilter", function (_, name)
  local x, zi = tide.ones({ 3, 40 }, "float32").T, tide.ones{ 2, 3 }
  local b = tide.array{ 1, 2, 1 }
  return function ()
    close_all(tide[name](b, { 2, 0.5 }, x, { axis = 1, zi = zi }))
    close_all(tide[name](b, { 2 }, x, { axis = 1, zi = zi }))
  end
end)

each("tide.*", "gaussian_filter median_filter", function (_, name)
  local a = tide.ones({ 3, 4 }, "float32").T
  return function () tide[name](a, 2, { mode = "wrap" }):close() end
end)

each("tide.*", "resize", function (_, name)
  local a = tide.ones({ 3, 4 }, "uint8").T
  return function ()
    tide[name](a, { 2, 5 }, { method = "lanczos3" }):close()
    tide[name](a, { 2, 5 }, { method = "nearest" }):close()
  end
end)

each("tide.*", "group", function (_, name)
  local keys, values = tide.array{ 3, 1, 3 }, tide.ones({ 3, 2 })
  return function ()
    local found, out = tide[name]({ keys, keys }, values,
                                  { "mean", "max", "last", "median", "any" })
    close_all(table.unpack(found))
    for _, a in pairs(out) do a:close() end
  end
end)

each("tide.*", "lexsort", function ()
  local list = { grid(), grid() }
  return function () tide.lexsort(list):close() end
end)

for _, prefix in ipairs{ "tide.*", "Array:*" } do
  each(prefix, "nansum nanprod nanmean nanvar nanstd nanmin nanmax nanargmin" ..
       " nanargmax nanmedian", function (_, name)
    local a = tide.array{ { 1, 0 / 0, 3 }, { 2, 0 / 0, 5 } }
    local f = prefix == "tide.*" and tide[name] or a[name]
    return function () f(a, 2):close() end
  end)
end

for name, arguments in pairs(CALLS) do
  for _, prefix in ipairs{ "tide.*", "Array:*" } do
    each(prefix, name, function ()
      local a = grid()
      local args = type(arguments) == "function" and arguments() or arguments
      local f = prefix == "tide.*" and tide[name] or a[name]
      return function () close_all(f(a, table.unpack(args))) end
    end)
  end
end

each("tide.*", "unique", function ()
  local a = grid()
  return function ()
    close_all(tide.unique(a, { axis = 2, return_inverse = true, size = 3 }))
  end
end)

end
