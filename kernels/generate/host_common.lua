--[[
host_common.lua - shared by the templates of the host device's kernels.
]]
local fill <const> = require "kernels.generate.template"
local model <const> = require "kernels.generate.model"
local types <const> = model.types

--- The values of all templates for type s: T is the type of an element, R the
-- type by which it is read, C the type of the computation.
local function values (s)
  local t = types[s]
  return { s = s, T = t.ctype, R = t.read_as, C = types[t.calc].ctype }
end

local PARAMS <const> =
  "(void **params, const unsigned grid[3],\n" ..
  "    const unsigned block[3])"

--- expand(template, values) -> the text; $PARAMS are the parameters of a twin.
local function expand (template, with)
  with.PARAMS = PARAMS
  return fill(template, with)
end

return { values = values, expand = expand }
