--[[
sweep_views.lua - the part of sweep_calls.lua about shapes and axes of arrays:
adds to its table.
]]
local tide = require "tide"

local function grid () return tide.full({ 2, 3 }, 3, "int32") end

-- The arguments of each function after the array.
local SHAPES = {
  append = { { 1, 2 } }, delete = { 2, 1 }, insert = { { 1, 2 }, 7 },
  broadcast_to = { { 4, 2, 3 } }, diagonal = { 1 }, expand_dims = { 1 },
  flatten = {}, flip = { 2 },
  matrix_transpose = {},
  moveaxis = { 1, 2 }, one_hot = { 3 }, permute = { { 2, 1 } }, ravel = {},
  reshape = { { 3, 2 } }, repeat_each = { 2 }, roll = { 2 }, rot90 = {},
  squeeze = {}, swapaxes = { 1, 2 }, tile = { 2 }, transpose = {},
  pad = { 1, { mode = "wrap" } }, tril = { 1 }, triu = {},
  var = { 1 }, std = { 2, { ddof = 1 } }, argmin = { 1 }, argmax = {}
}

-- Functions that return several arrays.
local PARTS = { array_split = { 2, 2 }, split = { { 2 } }, unstack = {} }

local function close_all (list)
  for _, a in ipairs(list) do
    a:close()
  end
end

return function (calls, each)

for name, arguments in pairs(SHAPES) do
  each("tide.*", name, function ()
    local a = tide.full({ 3, 2 }, 3, "int32").T
    return function () tide[name](a, table.unpack(arguments)):close() end
  end)
  each("Array:*", name, function ()
    local a = grid()
    return function () a[name](a, table.unpack(arguments)):close() end
  end)
end

for name, arguments in pairs(PARTS) do
  each("tide.*", name, function ()
    local a = grid()
    return function () close_all(tide[name](a, table.unpack(arguments))) end
  end)
  each("Array:*", name, function ()
    local a = grid()
    return function () close_all(a[name](a, table.unpack(arguments))) end
  end)
end

each("tide.*", "vstack hstack column_stack", function (_, name)
  local list = { grid(), grid().T:copy().T }
  return function () tide[name](list):close() end
end)

-- By counts repeat_each makes other driver calls than by a number.
for _, prefix in ipairs{ "tide.", "Array:" } do
  local by_number = calls[prefix .. "repeat_each"]
  calls[prefix .. "repeat_each"] = function ()
    local number = by_number()
    local a, counts = grid(), tide.array({ 2, 1 }, "uint8")
    local name = prefix == "tide." and tide.repeat_each or a.repeat_each
    return function ()
      number()
      name(a, { 2, 1 }, 1):close()
      name(a, counts, 1, { size = 3 }):close()
    end
  end
end

each("tide.*", "broadcast_arrays meshgrid", function (_, name)
  local a, b = grid()[1], grid().T:copy()[1][{ { 1, 1 } }]
  return function () close_all{ tide[name]{ a, b } } end
end)

each("tide.*", "indices", function ()
  return function () tide.indices({ 2, 3 }, "float32"):close() end
end)

-- diag of a matrix is a view, and contiguous of a contiguous array is itself.
for _, prefix in ipairs{ "tide.", "Array:" } do
  calls[prefix .. "diag"] = function ()
    local a, diag = grid(), prefix == "tide." and tide.diag or grid().diag
    local v = a[1]
    return function () close_all{ diag(v, 1), diag(a) } end
  end

  calls[prefix .. "contiguous"] = function ()
    local a, f = grid(), prefix == "tide." and tide.contiguous or
                         grid().contiguous
    local t = a.T
    return function () f(a) f(t):close() end
  end
end

each("tide.*", "concatenate stack", function (_, name)
  local list = { grid(), grid().T:copy() }
  list[2] = list[2].T
  return function () tide[name](list, 2):close() end
end)

-- In the second form the array is copied first.
each("tide.*", "sum", function (_, name)
  local a = tide.ones({ 2, 3, 2 }, "int32").T
  return function ()
    tide[name](a, 2):close()
    tide[name](a, { 1, 3 }, { dtype = "float32" }):close()
  end
end)

calls["Array.T"] = function ()
  local a = grid()
  return function () return a.T end
end

calls["HostArray.T"] = function ()
  local h = tide.HostArray{ 2, 3 }
  return function () return h.T end
end

calls["Array.mT"] = function ()
  local a = grid()
  return function () return a.mT end
end

calls["HostArray.mT"] = function ()
  local h = tide.HostArray{ 2, 3 }
  return function () return h.mT end
end

end
