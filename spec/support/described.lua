--[[
described.lua - what lua/tide/api has to describe, and what it does, for the
specs that compare the two.
]]
local tide = require "tide"
local api = require "tide.api"
local assert = require "luassert"
local exports = require "spec.checks.exports"

local described = {}

--- Classes that scripts do not meet, or whose members belong to another class.
described.INTERNAL = {
  ArrayScope = true, Code = true, Current = true,
  Symbol = true, T = true
}

-- Every class has these; the pages speak of the first two where they are for
-- more than names.
described.EVERYWHERE = { __index = true, __newindex = true, __gc = true }

--- A class that is made in Lua, of which class.c knows nothing, by one of its
-- objects.
local function add_class (found, class, object)
  local meta = debug.getmetatable(object)
  local index = meta.__index
  local function add (name, call)
    found[name] = { name = name, class = class, call = call }
  end
  if type(index) == "function" then
    index = select(2, debug.getupvalue(index, 1))
  end
  for name, method in pairs(index) do
    if type(method) == "function" then
      add(("%s:%s"):format(class, name), method)
    end
  end
  for name, method in pairs(meta) do
    if type(method) == "function" and not described.EVERYWHERE[name] then
      add(("%s.%s"):format(class, name), method)
    end
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
  add_class(found, "Progress", tide.progress())
  add_class(found, "Queue", tide.queue())
  add_class(found, "Semaphore", tide.semaphore(1))
  add_class(found, "Place", tide.semaphore(1):acquire())
  add_class(found, "Task", tide.run(function ()
    return tide.spawn(tide.clock)
  end))
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
