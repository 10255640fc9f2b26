--[[
host_common.lua - what the templates of the host device's kernels share.
]]
local fill <const> = require "kernels.generate.template"
local model <const> = require "kernels.generate.model"
local types <const> = model.types

--- What templates about type s begin with: T is the type of an element, R what
-- it is read as, C what is computed with.
local function values (s)
  local t = types[s]
  return { s = s, T = t.ctype, R = t.read_as, C = types[t.calc].ctype }
end

local PARAMS <const> =
  "(void **params, const unsigned grid[3],\n" ..
  "    const unsigned block[3])"

--- expand(template, values) -> the text; $PARAMS is the parameters of a twin.
local function expand (template, with)
  with.PARAMS = PARAMS
  return fill(template, with)
end

return { values = values, expand = expand }
