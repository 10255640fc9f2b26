--[[
described.lua - what lua/tide/api has to describe, and what it does, for the
specs that compare the two.
]]
local tide = require "tide"
local api = require "tide.api"
local assert = require "luassert"
local exports = require "spec.exports"

local described = {}

--- Classes that scripts do not meet; those whose members are another's.
described.INTERNAL = {
  ArrayScope = true, Code = true, Current = true,
  Symbol = true, T = true
}

-- Every class has these; the pages speak of the first two where they are for
-- more than names.
described.EVERYWHERE = { __index = true, __newindex = true, __gc = true }

--- The class that is made in Lua: class.c knows nothing of it.
local function add_progress (found)
  local meta = debug.getmetatable(tide.progress())
  local function add (name, call)
    found[name] = { name = name, class = "Progress", call = call }
  end
  for name, method in pairs(meta.__index) do
    add("Progress:" .. name, method)
  end
  for _, name in ipairs{ "__close", "__tostring" } do
    add("Progress." .. name, meta[name])
  end
end

--- described.exported() -> { [name] = export } of all that needs an entry.
function described.exported ()
  local found = {}
  for _, export in ipairs(exports.list(tide)) do
    local last = export.name:match "[%w_]+$"
    if not described.INTERNAL[export.class or ""] and
       not described.EVERYWHERE[last] and
       not export.name:find "^tide%.T%f[%W]" then
      found[export.name] = export
    end
  end
  add_progress(found)
  return found
end

--- Entries that describe something, in the order of the pages.
function described.entries ()
  local found = {}
  for _, entry in ipairs(api.entries()) do
    found[#found + 1] = not entry.see and entry or nil
  end
  return found
end

function described.forms ()
  local at, list = 0, {}
  for _, entry in ipairs(described.entries()) do
    for _, form in ipairs(entry.forms) do
      list[#list + 1] = { entry, form }
    end
  end
  return function ()
    at = at + 1
    if list[at] then
      return table.unpack(list[at])
    end
  end
end

--- described.none(list): nothing may be in it.
function described.none (list)
  table.sort(list)
  assert.are.equal("", table.concat(list, "\n"))
end

return described
