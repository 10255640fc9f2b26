--[[
template.lua - fill(template, values): the text with $name, or ${name} where a
letter follows, replaced by values.name. A name without a value is an error.
]]
local function fill (template, values)
  local function value_of (name)
    local value = values[name]
    if value == nil then
      error(("no value for $%s in the template:\n%s"):format(name, template))
    end
    return tostring(value)
  end
  return (template:gsub("%${([%w_]+)}", value_of):gsub("%$([%w_]+)", value_of))
end

return fill
