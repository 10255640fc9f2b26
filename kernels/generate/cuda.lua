--[[
cuda.lua - the CUDA kernels: for each operation a .cu file of functors, and of
kernels that pass them to the templates of kernels/*.cuh, which do the work
(cuda_maps.lua, cuda_folds.lua). Each file is compiled alone, as those by hand.
]]
local folds <const> = require "kernels.generate.cuda_folds"
local maps <const> = require "kernels.generate.cuda_maps"
local model <const> = require "kernels.generate.model"

local HEADERS <const> = {
  binary = { "elementwise.cuh", "strided.cuh" },
  unary = { "elementwise.cuh", "strided.cuh" },
  casts = { "elementwise.cuh" }, fill = { "elementwise.cuh" },
  copy = { "strided.cuh" }, arange = { "elementwise.cuh" },
  clip = { "elementwise.cuh" }, nan_to_num = { "elementwise.cuh" },
  round_to = { "elementwise.cuh" }, isclose = { "elementwise.cuh" },
  reductions = { "reduce.cuh", "axis.cuh" },
  finds = { "axis.cuh" }, scans = { "scan.cuh" }, matmul = { "matmul.cuh" }
}

-- Puts the beginning of all kernels into each: see kernels/common.cuh.
local function begin_kernels (text)
  return (text:gsub('(extern "C" __global__[^{]*{\n)',
                    "%1  after_previous();\n"))
end

local function unit_cu (unit)
  local includes, texts = {}, {}
  for _, item in ipairs(unit.items) do
    local kind, op = item[1], item[2]
    for _, name in ipairs(HEADERS[kind]) do
      if not includes[name] then
        includes[name] = true
        includes[#includes + 1] = ('#include "kernels/%s"\n'):format(name)
      end
    end
    for _, text in ipairs((maps[kind] or folds[kind])(op)) do
      texts[#texts + 1] = begin_kernels(text)
    end
  end
  return table.concat(includes) .. "\n" .. table.concat(texts, "\n")
end

local files = {}
for i, unit in ipairs(model.units()) do
  files[i] = { "kernels/" .. unit.name .. ".cu", unit_cu(unit) }
end

return files
