--[[
host.lua - the kernels of the host device: for each operation a C file of plain
functions, one for each CUDA kernel, of the same name; and host_kernels.c, the
table of all: see host_table.lua. The headers that they share are in
src/rt/host/kernels/.
]]
local folds <const> = require "kernels.generate.host_folds"
local maps <const> = require "kernels.generate.host_maps"
local model <const> = require "kernels.generate.model"
local scans <const> = require "kernels.generate.host_scans"
local source <const>, types <const> = model.source, model.types

local HEADERS <const> = {
  binary = { "strided.h", "divide.h" }, unary = { "strided.h" },
  reductions = { "folds.h" }, finds = { "folds.h" }, scans = { "scan.h" }
}

--- Returns the text of a unit, or nil if the unit is written by hand.
local function unit_c (unit)
  local includes, texts = {}, {}
  local function include (name)
    if not includes[name] then
      includes[name] = true
      includes[#includes + 1] = ('#include "rt/host/kernels/%s"'):format(name)
    end
  end
  include "loops.h"
  for _, item in ipairs(unit.items) do
    local kind, op = item[1], item[2]
    local write = maps[kind] or folds[kind] or scans[kind]
    if write then
      for _, name in ipairs(HEADERS[kind] or {}) do include(name) end
      for _, text in ipairs(write(op)) do texts[#texts + 1] = text end
    end
  end
  return texts[1] and table.concat(includes, "\n") .. "\n\n" ..
         table.concat(texts, "\n")
end

local FOLDER <const> = "src/rt/host/kernels/"
local files = {
  { FOLDER .. "host_kernels.c", require "kernels.generate.host_table" }
}
for _, unit in ipairs(model.units()) do
  local text = unit_c(unit)
  if text then
    files[#files + 1] = { FOLDER .. unit.name .. ".c", text }
  end
end

--- The list of types for matmul.c, which is written by hand.
local matmul = {}
for i, s in ipairs(model.own(source.matmul)) do
  matmul[i] = ("MATMUL(%s, %s)"):format(s, types[s].read_as)
end
files[#files + 1] = { FOLDER .. "matmul.def", table.concat(matmul, "\n") }

return files
