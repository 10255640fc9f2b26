--[[
sweep_places.lua - the part of sweep_calls.lua about elements by their places:
where, take, put, mask and their like; adds to its table.
]]
local tide = require "tide"

local function ints () return tide.full(6, 3, "int32") end

local function flags () return ints():gt(2) end

return function (calls, each)

calls["tide.where"] = function ()
  local a, c = ints(), flags()
  return function () tide.where(c, a, 2.5):close() end
end

calls["Array:where"] = function ()
  local c = ints()
  return function () c:where(1, 2):close() end
end

calls["tide.take"] = function ()
  local a = ints()
  return function () tide.take(a, { 1, -1 }):close() end
end

calls["Array:take"] = function ()
  local a = ints()
  return function () a:take(a, 1):close() end
end

-- Indices and a mask, as arrays and as tables; targets have gaps.
local WRITES <const> = {
  put = { function (a, at) return { a, at, { 1, 2 } } end,
          function (a) return { a, a:gt(2), 5 } end,
          function (a) return { a, { 1, -1 }, a:copy() } end },
  put_along_axis = { function (a, at) return { a, at, at } end },
  scatter_add = { function (a)
                    return { a:astype "float32":slice(1, -1, 2),
                             tide.arange(100) % 2 + 1, 1 }
                  end,
                  function (a) return { a, { 1, -1 }, { 3, 4 } } end },
  scatter_min = { function (a, at) return { a, at, at } end,
                  function (a) return { a, { 1, -1 }, 1 } end },
  scatter_max = { function (a, at) return { a, at, at } end,
                  function (a) return { a, { 1, -1 }, 1 } end }
}

for name, ways in pairs(WRITES) do
  for i, way in ipairs(ways) do
    each(i == 1 and "tide.*" or "Array:*", name, function ()
      local a = tide.full({ 6 }, 3, "int32"):slice(1, -1, 2)
      local given = way(a, tide.array{ 1, 3, 1 })
      return function () tide[name](table.unpack(given)) end
    end)
  end
end

calls["Array:put_along_axis"] = function ()
  local a = ints()
  return function () a:put_along_axis({ 1, 2 }, 7) end
end

each("tide.*", "take_along_axis", function ()
  local a = ints()
  return function () tide.take_along_axis(a, { 1 }, { base = 0 }):close() end
end)

calls["Array:take_along_axis"] = function ()
  local a = ints()
  return function () a:take_along_axis(a, 1):close() end
end

each("tide.*", "nonzero", function ()
  local a = tide.full({ 2, 2 }, 3, "int32")
  return function ()
    local i, j = tide.nonzero(a)
    i:close()
    j:close()
  end
end)

calls["Array:nonzero"] = function ()
  local a = ints()
  return function () a:nonzero{ base = 0 }:close() end
end

each("tide.*", "argwhere", function ()
  local a = tide.full({ 2, 2 }, 3, "int32")
  return function () tide.argwhere(a):close() end
end)

calls["Array:argwhere"] = function ()
  local a = ints()
  return function () a:argwhere{ base = 0 }:close() end
end

each("tide.*", "unravel_index", function ()
  return function ()
    local i, j = tide.unravel_index({ 1, 4 }, { 2, 2 })
    i:close()
    j:close()
  end
end)

each("tide.*", "ravel_multi_index", function ()
  local i = tide.array{ 1, 2 }
  return function () tide.ravel_multi_index({ i, { 1 } }, { 2, 2 }):close() end
end)

calls["tide.mask"] = function ()
  local a, m = ints(), flags()
  return function () tide.mask(a, m):close() end
end

calls["Array:mask"] = function ()
  local a, m = tide.ones{ 6, 2 }, flags()
  return function () a:mask(m):close() end
end

end
