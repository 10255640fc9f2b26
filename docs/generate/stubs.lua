--[[
stubs.lua - makes library/tide.lua from lua/tide/api. LuaLS and EmmyLua read the
file for names and types; it is never run.
]]
local api = require "tide.api"
local signature = require "tide.signature"

local stubs = {}

local HEAD <const> = [[
---@meta tide

-- What an editor knows of tide. Made by docs/generate.lua of lua/tide/api.

]]

--{{ types

--- Returns LuaCATS's name of one type; letters stand for objects of the pages.
local function atom (name, entry)
  local base, rest = name:match "^([%a_]+)(.*)$"
  if not base then
    return name
  end
  local letters = entry and entry.group and entry.group.objects or {}
  local class = letters[base] or api.words.objects[base]
  if api.classes()[base] or api.words.types[base] then
    return "tide." .. base .. rest
  elseif class then
    return "tide." .. class .. rest
  end
  return (base == "float" and "number" or base) .. rest
end

--- type_of("Array | number[]") -> "tide.Array|number[]".
local function type_of (text, entry)
  local list = {}
  for one in (text .. "|"):gmatch "%s*(.-)%s*|" do
    list[#list + 1] = atom(one, entry)
  end
  return table.concat(list, "|")
end

--- Returns the types of the results of a call.
local function results (entry, form)
  local text = form.inplace and form.owner or entry.returns or entry.type
  local list = {}
  if not text or text == "nil" then
    return list
  end
  for one in (api.argument(text).type .. ","):gmatch "%s*(.-)%s*," do
    list[#list + 1] = one == "..." and "any ..." or type_of(one, entry)
  end
  return list
end

--}}

--{{ options

--- The classes for the options of calls: equal fields share a class.
local options = { list = {}, by_text = {}, by_name = {} }

local function field_lines (param)
  local lines = {}
  for i, one in ipairs(param.fields) do
    lines[i] = ("---@field %s%s %s%s"):format(one.name,
      one.optional and "?" or "", type_of(one.type),
      one.default and " = " .. one.default or "")
  end
  return table.concat(lines, "\n")
end

--- Adds a class, named by its fields or else by its function.
local function new_options (param, form, text)
  local names = {}
  for i, one in ipairs(param.fields) do names[i] = one.name end
  local name = "tide.options." .. table.concat(names, "_")
  if #names > 4 or options.by_name[name] then
    name = "tide.options." .. form.name:gsub("^tide%.", ""):gsub("%W+", "_")
  end
  assert(not options.by_name[name], name)
  options.by_name[name], options.by_text[text] = true, name
  options.list[#options.list + 1] = ("---@class %s\n%s\n"):format(name, text)
  return name
end

local function options_type (param, form)
  local text = field_lines(param)
  return options.by_text[text] or new_options(param, form, text)
end

--}}

--{{ functions

local function one_line (text)
  return (text:gsub("^%s+", ""):gsub("%s+$", ""):gsub("%s+", " "))
end

local function indent (text, mark)
  return (text:gsub("\n$", ""):gsub("[^\n]*", mark .. "%0"))
end

--- Returns the texts of an entry as comments.
local function comments (entry)
  local lines = { entry.text and "---" .. one_line(entry.text) }
  local more = entry.returns and api.argument(entry.returns).words
  if entry.waits then
    lines[#lines + 1] = "---" .. (lines[1] and "\n---" or "") .. "Waits" ..
      (entry.waits == true and "" or " " .. one_line(entry.waits)) .. "."
  end
  lines[#lines + 1] = entry.raises and (lines[1] and "---\n" or "") ..
                      "---Raises " .. one_line(entry.raises) .. "." or nil
  lines[#lines + 1] = more and "---\n---Returns: " .. one_line(more) .. "." or
                      nil
  lines[#lines + 1] = "---```lua\n" .. indent(entry.example, "---") ..
                      "\n---```"
  return table.concat(lines, "\n") .. "\n"
end

local function type_of_parameter (described, entry, form)
  if described.fields then
    return options_type(described, form)
  end
  return type_of(described.type, entry)
end

--- Returns fun(...) for one way to call it, for an overload.
local function function_type (entry, form, way, described, object)
  local list = { object }
  for i, param in ipairs(way) do
    local one = described[param.name]
    if param.name == "..." then  -- with all that comes behind
      list[#list + 1] = "...: " .. (way[i + 1] and "any" or
                                    type_of(one.type, entry))
      break
    end
    list[#list + 1] = ("%s%s: %s"):format(param.name,
      param.optional and "?" or "", type_of_parameter(one, entry, form))
    list[#list + 1] = one.spread and "...: integer" or nil
  end
  local gives = results(entry, form)
  return ("fun(%s)%s"):format(table.concat(list, ", "),
    gives[1] and ": " .. table.concat(gives, ", "):gsub("any %.%.%.", "any")
    or "")
end

local function describe (entry, form)
  local described = {}
  for _, param in ipairs(api.args(entry, form)) do
    described[param.name] = param
  end
  return described
end

local function object_of (form)
  return form.kind == "method" and "self: tide." .. form.class or nil
end

--- Returns all ways to call a name except the first, as distinct overloads.
local function overloads (entries, name)
  local lines, seen, first = {}, {}, true
  for _, entry in ipairs(entries) do
    for _, form in ipairs(entry.forms) do
      if form.name == name and form.params then
        local described = describe(entry, form)
        for _, way in ipairs(signature.ways(form.params)) do
          local text = function_type(entry, form, way, described,
                                     object_of(form))
          if not first and not seen[text] then
            lines[#lines + 1] = "---@overload " .. text
          end
          first, seen[text] = false, true
        end
      end
    end
  end
  return lines
end

local function add_parameters (lines, entry, form, way, described)
  local names = {}
  for _, param in ipairs(way) do
    local one = described[param.name]
    names[#names + 1] = param.name
    lines[#lines + 1] = ("---@param %s%s %s%s"):format(param.name,
      param.optional and param.name ~= "..." and "?" or "",
      type_of_parameter(one, entry, form),
      one.words and " " .. one_line(one.words) or "")
    if one.spread then
      names[#names + 1] = "..."
      lines[#lines + 1] = "---@param ... integer"
    end
  end
  return table.concat(names, ", ")
end

local function head_of (name, form)
  if form.class then
    return form.class .. ":" .. form.key
  end
  return name
end

--- Returns the stub of a function or method: its first form in full, all others
-- as overloads.
local function function_stub (name)
  local entries = api.named(name)
  local entry, form = entries[1], nil
  for _, one in ipairs(entry.forms) do
    form = form or one.name == name and one or nil
  end
  local lines = {}
  local way = signature.ways(form.params)[1]
  local names = add_parameters(lines, entry, form, way, describe(entry, form))
  for _, gives in ipairs(results(entry, form)) do
    lines[#lines + 1] = "---@return " .. gives
  end
  table.move(overloads(entries, name), 1, 99, #lines + 1, lines)
  lines[#lines + 1] = ("function %s(%s) end\n"):format(head_of(name, form),
                                                      names)
  return comments(entry) .. table.concat(lines, "\n")
end

--}}

--{{ classes

local OPERATORS <const> = {
  __add = "add", __sub = "sub", __mul = "mul", __div = "div",
  __idiv = "idiv", __mod = "mod", __pow = "pow", __band = "band",
  __bor = "bor", __bxor = "bxor", __shl = "shl", __shr = "shr",
  __unm = "unm", __bnot = "bnot", __len = "len"
}

--- Returns the forms of a class with their entries, in the order of the pages.
local function members (class)
  local list = {}
  for _, entry in ipairs(api.entries()) do
    for _, form in ipairs(entry.forms) do
      if form.class == class then
        list[#list + 1] = { entry, form }
      end
    end
  end
  return list
end

local function field_line (entry, form)
  local said = entry.text and " " .. one_line(entry.text) or ""
  return ("---@field %s %s%s"):format(form.key,
    type_of(api.argument(entry.type or entry.returns).type, entry), said)
end

--- An operator of an object and a number has the type of that of two objects.
local function operator_line (entry, form)
  local operator, gives = OPERATORS[form.key], results(entry, form)[1]
  local described = describe(entry, form)
  local other = form.params and described[form.params[1].name]
  if operator and gives then
    return ("---@operator %s%s: %s"):format(operator, other and
      "(" .. type_of(other.type, entry) .. ")" or "", gives)
  end
end

local function call_line (entry, form)
  local way = signature.ways(form.params)[1]
  return "---@overload " .. function_type(entry, form, way,
                                          describe(entry, form))
end

local function index_line (entry)
  return "---@field [integer|table] " ..
         type_of(api.argument(entry.returns or entry.type).type, entry)
end

local function member_line (entry, form)
  if form.kind == "field" then
    return field_line(entry, form)
  elseif form.key == "__call" then
    return call_line(entry, form)
  elseif form.key == "__index" and (entry.returns or entry.type) then
    return index_line(entry), "__index"
  end
  return form.kind == "metamethod" and operator_line(entry, form) or nil
end

local function class_stub (class, text)
  local lines, seen, methods, indexed = {}, {}, {}, false
  for _, member in ipairs(members(class)) do
    local entry, form = table.unpack(member)
    local line, index = member_line(entry, form)
    if line and not seen[line] and not (index and indexed) then
      lines[#lines + 1], seen[line] = line, true
      indexed = indexed or index ~= nil
    end
    if form.kind == "method" and not seen[form.name] then
      methods[#methods + 1], seen[form.name] = function_stub(form.name), true
    end
  end
  return ("---%s\n---@class tide.%s\n%s\nlocal %s = {}\n\n%s"):format(text,
    class, table.concat(lines, "\n"), class,
    table.concat(methods, "\n")):gsub("\n\nlocal", "\nlocal")
end

local function sorted_keys (t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

local function class_stubs ()
  local list, classes = {}, api.classes()
  for i, class in ipairs(sorted_keys(classes)) do
    list[i] = class_stub(class, classes[class].text)
  end
  return table.concat(list, "\n")
end

--}}

--{{ the module

local function aliases ()
  local list = {}
  for i, name in ipairs(sorted_keys(api.words.types)) do
    local kind, said = table.unpack(api.words.types[name])
    list[i] = ("---%s\n---@alias tide.%s %s\n"):format(said, name,
                                                       kind:gsub(" | ", "|"))
  end
  return table.concat(list, "\n")
end

--- Returns the stub of a table of the module, such as tide.random; tide.Stream
-- can be called as well.
local function table_stub (name)
  local entries = api.named(name)
  if not entries then
    return name .. " = {}\n"
  end
  local entry, form = entries[1], entries[1].forms[1]
  return ("%s---@class tide.%s.constructor\n%s\n%s = {}\n"):format(
    comments(entry), name:match "%w+$", call_line(entry, form), name)
end

local function tables_of (names)
  local found = {}
  for _, name in ipairs(names) do
    local owner = name:match "^(tide%..*)%.[%w_]+$"
    found[owner or ""] = true
  end
  return found
end

local function module_stubs ()
  local fields, functions, done = {}, {}, {}
  local tables = tables_of(api.names())
  for _, name in ipairs(api.names()) do
    local owner, key = name:match "^(tide.*)%.([%w_]+)$"
    local kind = owner and api.named(name)[1].forms[1].kind
    local entry = owner and api.named(name)[1]
    if tables[owner] and not done[owner] then
      done[owner] = true
      functions[#functions + 1] = table_stub(owner)
    end
    if tables[name] then
      done[name] = true
      functions[#functions + 1] = table_stub(name)
    elseif owner == "tide" and kind == "field" then
      fields[#fields + 1] = field_line(entry, { key = key })
    elseif kind == "field" then
      functions[#functions + 1] = ("---%s\n---@type %s\n%s = nil\n"):format(
        one_line(entry.text), type_of(entry.type), name)
    elseif owner then
      functions[#functions + 1] = function_stub(name)
    end
  end
  return table.concat(fields, "\n"), functions
end

--}}

--- stubs.text() -> library/tide.lua.
function stubs.text ()
  local classes = class_stubs()
  local fields, functions = module_stubs()
  return HEAD .. aliases() .. "\n" .. table.concat(options.list, "\n") ..
         "\n" .. classes .. "\n---@class tide\n" .. fields ..
         "\nlocal tide = {}\n\n" .. table.concat(functions, "\n") ..
         "\nreturn tide\n"
end

return stubs
