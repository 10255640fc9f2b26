--[[
template.lua - texts with names in them, which stand for values.
]]
local model <const> = require "kernels.generate.model"
local types <const> = model.types

-- The parameters of a host kernel.
local PARAMS <const> =
  "(void **params, const unsigned grid[3],\n" ..
  "    const unsigned block[3])"

--- fill(text, values) -> the text with $name, or ${name} where a letter
-- follows, replaced by values.name. A name without a value is an error.
local function fill (text, values)
  local function value_of (name)
    local value = name == "PARAMS" and PARAMS or values[name]
    if value == nil then
      error(("no value for $%s in the template:\n%s"):format(name, text))
    end
    return tostring(value)
  end
  return (text:gsub("%${([%w_]+)}", value_of):gsub("%$([%w_]+)", value_of))
end

--- values(s) -> the values of all templates for type s: T is the type of an
-- element, R the type by which the host device reads it, C the type of the
-- computation.
local function values (s)
  local t = types[s]
  return { s = s, T = t.ctype, R = t.read_as, C = types[t.calc].ctype }
end

return { fill = fill, values = values }
