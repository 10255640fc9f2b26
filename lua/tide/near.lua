--[[
near.lua - suggestions for a name without help: tide's own hints, names with
similar spelling, and entries whose text mentions it.
]]
local api = require "tide.api"
local arguments = require "tide.arguments"
local byte <const>, find <const>, format <const>, gmatch <const> =
  string.byte, string.find, string.format, string.gmatch
local gsub <const>, lower <const>, match <const>, sub <const> =
  string.gsub, string.lower, string.match, string.sub

local near = {}

local MOST <const> = 5  -- of each kind

--- The number of letters to add, remove, change or swap (optimal string
-- alignment).
local function distance (a, b)
  local rows = { [0] = {} }
  for j = 0, #b do rows[0][j] = j end
  for i = 1, #a do
    local last, row = rows[i - 1], { [0] = i }
    for j = 1, #b do
      local same = byte(a, i) == byte(b, j)
      row[j] = math.min(last[j] + 1, row[j - 1] + 1,
                        last[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and byte(a, i) == byte(b, j - 1) and
         byte(a, i - 1) == byte(b, j) then
        row[j] = math.min(row[j], rows[i - 2][j - 2] + 1)
      end
    end
    rows[i] = row
  end
  return rows[#a][#b]
end

--- Returns the names whose last word is nearest to that of name.
local function alike (name, names)
  local word = match(name, "[%w_]+$") or name
  local found, least = {}, #word < 7 and 1 or (#word + 1) // 4
  if #word < 2 or #word > 31 then
    return found
  end
  for _, candidate in ipairs(names) do
    local d = distance(lower(word), lower(match(candidate, "[%w_]+$")))
    if d < least then
      found, least = {}, d
    end
    if d == least and d < #word then
      found[#found + 1] = candidate
    end
  end
  return found
end

--- Returns the module's hint for a name of another library, such as
-- 'tide.absolute'.
local function of_module (word)
  local ok, message = arguments.try(function ()
    return require "tide"[word]
  end)
  local meant = not ok and match(tostring(message), "did you mean (.*)%?")
  return meant and gsub(meant, "^'(.*)'$", "tide.%1")
end

--- The names of a class's methods and fields.
local function members_of (class)
  local list = {}
  for _, name in ipairs(api.names()) do
    list[#list + 1] = match(name, "^" .. class .. "[.:](%a[%w_]*)$")
  end
  return list
end

--- Returns the hint of the error for that name on an object of a class.
local function of_class (class, word)
  local system <const> = arguments.system
  if not system then return nil end
  local meant, phrase = system.meaning("tide." .. class, word,
                                       members_of(class))
  local sign = meant and api.named(class .. "." .. meant) and "." or ":"
  return meant and (phrase and meant or class .. sign .. meant)
end

local function suggested (name)
  local word = match(name, "[%w_]+$")
  if not word then return {} end
  local found, seen, classes = { of_module(word) or nil }, {}, {}
  for class in pairs(api.classes()) do classes[#classes + 1] = class end
  table.sort(classes)
  for _, class in ipairs(found[1] and {} or classes) do
    local meant = of_class(class, word)
    if meant and not seen[meant] then
      seen[meant] = true
      found[#found + 1] = meant
    end
  end
  return found
end

--- Returns the entries whose text has all the words, each once. An operator is
-- written as in a program.
local function about (name)
  local found, seen = {}, {}
  for _, entry in ipairs(api.entries()) do
    local text, all = lower(entry.text or ""), find(name, "%a%a%a") ~= nil
    for word in gmatch(lower(name), "[%w_]+") do
      all = all and find(text, "%f[%w]" .. word) ~= nil
    end
    local form <const> = all and entry.forms[1]
    local said <const> = form and (form.kind == "metamethod" and form.form or
                                   form.name)
    if said and not seen[said] then
      seen[said] = true
      found[#found + 1] = said
    end
  end
  return found
end

local function add (lines, said, names)
  if names[1] then
    local more = #names > MOST and ", ..." or ""
    lines[#lines + 1] = said .. table.concat(names, ", ", 1,
                                             math.min(#names, MOST)) .. more
  end
end

--- near.message(name, names) -> a sentence with suggestions.
function near.message (name, names)
  local lines = { format("no help for '%s'", sub(name, 1, 40)) }
  local meant = suggested(name)
  local said = meant[1] and match(meant[1], "^; (.*)")  -- a phrase, not code
  lines[2] = said
  if not said then
    add(lines, "did you mean ", meant[1] and meant or alike(name, names))
  end
  add(lines, "spoken of in ", about(sub(name, 1, 40)))
  lines[2] = lines[2] or "tide.help() says what there is"
  return table.concat(lines, "; ")
end

return near
