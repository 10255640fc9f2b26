--[[
sweep_counting.lua - the part of sweep_calls.lua about counting, places in
sorted arrays, and figures of many elements: adds to its table.
]]
local tide = require "tide"

local function grid ()
  return tide.array({ { 1, 3, 2 }, { 2, 2, 5 } }, "int32")
end

-- What each takes after the array; what is a function makes that.
local CALLS = {
  ptp = { 1 }, diff = { 2 }, trapezoid = {},
  average = function ()
    return { 2, { weights = tide.array{ 1., 2., 3. } } }
  end,
  cov = function () return { { fweights = tide.array{ 1, 2, 1 } } } end,
  corrcoef = {}
}

local function close_all (...)
  for _, a in ipairs{ ... } do
    if type(a) == "userdata" then
      a:close()
    end
  end
end

return function (_, each)

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

end
