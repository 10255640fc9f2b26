--[[
host_table.lua - host_kernels.c: the table of the host device's kernels, and the
functions that measure their launches, made from the rules of kernels/parts.lua.
]]
local model <const> = require "kernels.generate.model"
local fill <const> = require "kernels.generate.template".fill

--- Returns the declarations of a rule's sizes, from argument 'first' on. Raises
-- if the kernel has no such arguments.
local function declare (k, rule, first)
  local lines, i = {}, 0
  for size in rule[1]:gmatch "%S+" do
    local letter = k.args:sub(first + i, first + i)
    assert(letter == (size == "g" and "g" or "n") or size == "_",
           ("%s: no argument is '%s' of rule '%s' in kernels/parts.lua"):format(
             k.name, size, k.parts))
    if size == "g" then
      lines[#lines + 1] = ("  const Geometry *g = params[%d];\n"):format(i)
    elseif size ~= "_" then
      lines[#lines + 1] = ("  PARAM(%d, size_t, %s);\n"):format(i, size)
    end
    i = i + 1
  end
  return table.concat(lines)
end

local MEASURE <const> = [[
static void $name (void **params, size_t *work, size_t *units) {
$sizes  *work = $work;
  $units;
}
]]

local measures, written = {}, {}  -- texts of functions, and their names

--- Returns the function that measures a kernel's launches, or "NULL", and the
-- number of its first parameter.
local function measure (k)
  local rule = model.source.parts[k.parts]
  assert(rule, k.name .. ": its row names no rule of kernels/parts.lua")
  if not rule[1] then return "NULL", 0 end
  local function of_type (text)
    return (text:gsub("%f[%w]T%f[%W]", "t_" .. (k.T or "")))
  end
  local work = of_type(rule[2])
  local name = "parts_" .. k.parts .. (work ~= rule[2] and "_" .. k.T or "")
  local first = k.args:find "[ng]" or #k.args + 1
  local sizes = declare(k, rule, first)
  if not written[name] then
    written[name] = true
    measures[#measures + 1] = fill(MEASURE, {
      name = name, sizes = sizes, work = work,
      units = rule[3] and "*units = " .. of_type(rule[3]) or "(void)units"
    })
  end
  return name, first - 1
end

local declared, rows = {}, {}
for i, k in ipairs(model.kernels) do
  local run, first, parts = "NULL", 0, "NULL"
  if k.only ~= "cuda" then
    run, parts, first = k.name, measure(k)
    declared[#declared + 1] = ("HOST_KERNEL(%s);"):format(k.name)
  end
  rows[i] = ('  {"%s", "%s", %s, %s, %d, %s},'):format(
    k.name, k.args, k.each, run, first, parts)
end

local TABLE <const> = [[
#include "rt/host/kernels/host_kernels.h"

#include "kernels/types.h"
#include "rt/host/kernels/count.h"
#include "rt/host/kernels/folds.h"
#include "rt/host/kernels/matmul.h"
#include "rt/host/kernels/rows.h"
#include "rt/host/kernels/scan.h"
#include "rt/host/kernels/strided.h"
#include "rt/host/kernels/transpose.h"
#include "rt/kernels/fft.h"

$declared

$measures
/* In the order of their ids. */
const HostKernel host_kernel_table[] = {
$rows
};

const int host_kernel_count =
    sizeof(host_kernel_table) / sizeof(host_kernel_table[0]);
]]

return fill(TABLE, { declared = table.concat(declared, "\n"),
                     measures = table.concat(measures, "\n"),
                     rows = table.concat(rows, "\n") })
