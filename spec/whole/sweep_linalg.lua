--[[
sweep_linalg.lua - the part of sweep_calls.lua about tide.linalg: adds to its
table.
]]
local tide = require "tide"

return function (_, each)

--- Returns matrices that are not singular, whatever number others fill them
-- with but 0.
local function square () return tide.array{ { { 4. } }, { { 5. } } } end

local function close (...)
  for _, a in ipairs{ ... } do a:close() end
end

each("tide.linalg.*", "solve solve_triangular lstsq", function (_, name)
  local a, b = square(), tide.ones{ 1, 2 }
  return function () close(tide.linalg[name](a, b)) end
end)

each("tide.linalg.*", "cholesky cond det eig eigh eigvals eigvalsh expm inv " ..
     "lu matrix_rank norm pinv qr slogdet svd svdvals vector_norm trace",
     function (_, name)
  local a = square()
  return function () close(tide.linalg[name](a)) end
end)

each("tide.linalg.*", "matrix_norm", function (_, name)
  local a = square()
  return function () tide.linalg[name](a, { ord = "nuc" }):close() end
end)

each("tide.linalg.*", "matrix_power", function (_, name)
  local a = square()
  return function () tide.linalg[name](a, -3):close() end
end)

each("tide.linalg.*", "cross matmul outer tensordot vecdot", function (_, name)
  local a = tide.ones{ 3, 3 }
  return function () tide.linalg[name](a, a):close() end
end)

each("tide.linalg.*", "diagonal matrix_transpose", function (_, name)
  local a = square()
  return function () tide.linalg[name](a) end
end)

end
