--[[
complete.lua - completions at the prompt: names, fields and methods, options in
braces, topics of help. It inspects values without running their code: it calls
no metamethod and reads no field of an object.
]]
local lexer = require "tide.repl.lexer"

local complete = {}

--{{ members

-- A metatable has under this key the list of tables that its __index, a
-- function, searches in order.
complete.BEHIND = {}

local DEEPEST <const> = 10  -- levels of tables

--- Returns the tables in which Lua looks up a field that a value lacks.
local function behind (value)
  local meta = debug.getmetatable(value)
  if type(meta) ~= "table" then return {} end
  local index = rawget(meta, "__index")
  return rawget(meta, complete.BEHIND) or
         type(index) == "table" and { index } or {}
end

--- Returns the first result of fn() for a value and the tables behind it.
local function search (value, fn, depth)
  depth = depth or 1
  local found = fn(value)
  if found ~= nil or depth == DEEPEST then return found end
  for _, t in ipairs(behind(value)) do
    found = search(t, fn, depth + 1)
    if found ~= nil then return found end
  end
end

--- Returns the methods and fields of an object of tide, which are hidden from
-- scripts: class.c keeps them in upvalues of __index. Returns nothing for other
-- values.
local function class_members (meta)
  local name, index = rawget(meta, "__name"), rawget(meta, "__index")
  if type(name) == "string" and name:find "^tide%." and
     type(index) == "function" then
    local _, methods = debug.getupvalue(index, 2)
    local _, fields = debug.getupvalue(index, 3)
    if type(methods) == "table" and type(fields) == "table" then
      return methods, fields
    end
  end
end

complete.class_members = class_members

local function add_keys (t, only, into)
  for key, value in next, t do
    if type(key) == "string" and key:find "^[%a_][%w_]*$" and
       (not only or type(value) == only) then
      into[key] = true
    end
  end
end

--- Adds the members of a value after '.' or ':' to a set of names.
local function members_of (value, sign)
  local set, only = {}, sign == ":" and "function" or nil
  search(value, function (t)
    if type(t) == "table" then
      add_keys(t, only, set)
    end
    local meta = debug.getmetatable(t)
    local methods, fields = nil, nil
    if type(meta) == "table" then methods, fields = class_members(meta) end
    if methods then
      add_keys(sign == ":" and methods or fields, nil, set)
      return true
    end
  end)
  return set
end

local function member (value, name)
  return search(value, function (t)
    if type(t) == "table" then return rawget(t, name) end
  end)
end

complete.member = member

--- Returns the value of "a.b.c" without running any code; or nil.
function complete.value (env, path)
  local value = env
  for name in path:gmatch "[^.]+" do
    value = member(value, name)
    if value == nil then return nil end
  end
  return value
end

--}}

--{{ options

--- Returns the token that is called with the innermost open brace, if an option
-- may stand at the end: "tide.Stream" in `tide.Stream{ block`.
local function open_brace (tokens)
  local stack = {}
  for i, t in ipairs(tokens) do
    if t.text == "{" or t.text == "(" or t.text == "[" then
      stack[#stack + 1] = { sign = t.text, at = i }
    elseif t.text == "}" or t.text == ")" or t.text == "]" then
      stack[#stack] = nil
    end
  end
  local top = stack[#stack]
  local last = tokens[#tokens]
  if top and top.sign == "{" and (last.text == "{" or last.text == ",") then
    local outer = stack[#stack - 1]
    local function called (at)
      local before = tokens[at - 1]
      return before and before.kind == "name" and at - 1
    end
    return called(top.at) or
           outer and outer.sign == "(" and called(outer.at)
  end
end

--- Returns the chain of names that ends with token i.
local function chain_text (tokens, i)
  local text = tokens[i].text
  while tokens[i - 2] and tokens[i - 2].kind == "name" and
        (tokens[i - 1].text == "." or tokens[i - 1].text == ":") do
    text = tokens[i - 2].text .. tokens[i - 1].text .. text
    i = i - 2
  end
  return text
end

--- Returns the options of the function that a chain of names calls, with ` =`.
local function options_of (name, env, help)
  local set = {}
  for option in pairs(help.options(name, env)) do
    set[option .. " ="] = true
  end
  return set
end

--}}

--- Returns the names of a set that begin with 'word', sorted. Names that begin
-- with '_' only appear if the word does.
local function matching (set, word)
  local list = {}
  for name in pairs(set) do
    if name:sub(1, #word) == word and
       (word ~= "" or name:sub(1, 1) ~= "_") then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

local function all_names (env)
  local set = {}
  for word in pairs(lexer.keywords) do set[word] = true end
  for name in pairs(members_of(env, ".")) do set[name] = true end
  return set
end

local function is_object (value)
  local meta = debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name:find "^tide%." ~= nil
end

--- Completes topics after '?'. For a variable with an object of tide, these
-- include its members.
local function topics (line, env, help)
  local word = line:match "^%s*%?%s*(.*)$"
  local path, sign = word:match "^([%a_][%w_.]*)([.:])[%w_]*$"
  local value = path and complete.value(env, path)
  local set = {}
  for _, name in ipairs(help.names()) do set[name] = true end
  if is_object(value) then
    for name in pairs(members_of(value, sign)) do
      set[path .. sign .. name] = true
    end
  elseif not path then
    add_keys(env, nil, set)
  end
  return #line - #word + 1, matching(set, word)
end

--- complete(line, env, help) -> the position of the word, and its completions,
-- sorted. 'line': up to the cursor; 'help': { names =, options = }.
function complete.complete (line, env, help)
  if line:find "^%s*%?" then
    return topics(line, env, help)
  end
  local before, word = line:match "^(.-)([%a_]?[%w_]*)$"
  local tokens, inside = lexer.tokens(before)
  if inside or line:find "%.%.[%w_]*$" then return #line + 1, {} end
  local sign = before:match "([.:])$"
  if sign then
    local path = before:match "([%a_][%w_.]*)[.:]$"
    local value = complete.value(env, path or "?")
    return #before + 1, value ~= nil and
           matching(members_of(value, sign), word) or {}
  end
  local called = open_brace(tokens)
  local set = called and options_of(chain_text(tokens, called), env,
                                              help)
  local list = set and matching(set, word) or {}
  if #list == 0 or word ~= "" then
    table.move(matching(all_names(env), word), 1, 1000, #list + 1, list)
  end
  return #before + 1, list
end

return complete
