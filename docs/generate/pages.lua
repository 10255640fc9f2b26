--[[
pages.lua - converts a page of tide/api to Markdown, for docs/api: it copies the
text between the tables, and makes a row for each entry.
]]
local api = require "tide.api"

local pages = {}

--{{ cells

--- Returns text with line breaks as one line.
local function flow (text)
  return (text:gsub("^%s+", ""):gsub("%s+$", ""):gsub("%s*\n%s*", " "))
end

--- Returns text as a cell of a table.
local function cell (text)
  return (flow(text):gsub("|", "\\|"))
end

local function code (forms)
  local quoted = {}
  for i, form in ipairs(forms) do
    quoted[i] = "`" .. form .. "`"
  end
  return table.concat(quoted, ", ")
end

local function type_name (name, page)
  local class, known = api.classes()[name], api.words.types[name]
  if class and class.page ~= page then
    return ("[%s](%s.md)"):format(name, class.page.name)
  end
  return known and known[3] or name
end

--- Returns the cell of 'type' or 'returns': "number: milliseconds" becomes
-- "number, milliseconds", because it is a unit; other words replace the type.
local function type_cell (entry)
  local said = api.argument(entry.type or entry.returns or "")
  if not said.words then
    return (said.type:gsub("%a+", function (name)
      return type_name(name, entry.page)
    end):gsub(" | ", " or "))
  elseif said.type == "number" or said.type == "integer" then
    return said.type .. ", " .. said.words
  end
  return said.words
end

--- Tells whether a text has all the strings that an argument may be.
local function has_values (text, one)
  for value in one.type:gmatch '"[^"]+"' do
    if not text:find(value, 1, true) then return false end
  end
  return true
end

--- Tells whether the page says so outside of its tables.
local function is_explained (one, page)
  for _, block in ipairs(page) do
    if type(block) == "string" and has_values(block, one) then return true end
  end
  return false
end

--- Returns "`name` (default): words", with all values unless they are said.
local function argument_sentence (one, text)
  local words <const> = one.words and ": " .. flow(one.words) or ""
  local default = one.default ~= "nil" and one.default
  if not has_values(text .. words, one) then
    default = flow(one.type):gsub(" | ", ", "):gsub("(.*), ", "%1 or ") ..
              (default and "; " .. default .. " by default" or "")
  end
  return ("`%s`%s%s"):format(one.name, default and " (" .. default .. ")" or "",
                             words)
end

--- Returns the texts of the entry's own arguments, and of shared ones whose
-- values are said nowhere.
local function argument_sentences (entry)
  local list, seen, text = {}, {}, entry.text or ""
  for _, form in ipairs(entry.forms) do
    for _, param in ipairs(api.args(entry, form)) do
      for _, one in ipairs(param.fields or { param }) do
        local said <const> = has_values(text, one) or
                             is_explained(one, entry.page)
        if not seen[one.name] and (one.own and one.words or not said) then
          seen[one.name] = true
          list[#list + 1] = argument_sentence(one, text)
        end
      end
    end
  end
  return list
end

local function own (entry, key)
  return entry[key] ~= entry.group[key] and entry[key] or nil
end

local function add_sentence (list, word, said)
  if said == true then
    list[#list + 1] = word
  elseif said then
    list[#list + 1] = (list[1] and word or word:lower()) .. " " .. flow(said)
  end
end

--- Returns the last cell: the text, the arguments, the waits and the errors.
local function text_cell (entry)
  local list = { entry.text and flow(entry.text) }
  table.move(argument_sentences(entry), 1, 99, #list + 1, list)
  add_sentence(list, "Waits", own(entry, "waits"))
  add_sentence(list, "Raises", own(entry, "raises"))
  return (table.concat(list, ". "):gsub("([?:;])%. ", "%1 "))
end

--}}

local function row (cells)
  local line = "|"
  for _, text in ipairs(cells) do
    line = line .. (text == "" and " |" or " " .. cell(text) .. " |")
  end
  return line
end

local MIDDLE <const> = {
  returns = type_cell, type = type_cell,
  ["in place"] = function (entry)
    return entry.inplace and code{ entry.inplace } or ""
  end
}

--- Returns a table of plain rows, without entries.
local function plain (block)
  local lines = { row(block.head), "|" .. ("---|"):rep(#block.head) }
  for _, cells in ipairs(block) do
    lines[#lines + 1] = row(cells)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function rows (group)
  local middle = MIDDLE[group.columns]
  local lines = {
    row(middle and { "", group.columns, group.heading or "" } or
        { "", group.heading or "" }),
    middle and "|---|---|---|" or "|---|---|"
  }
  for _, entry in ipairs(group) do
    lines[#lines + 1] = row(middle and
      { code(entry), middle(entry), text_cell(entry) } or
      { code(entry), text_cell(entry) })
  end
  return table.concat(lines, "\n") .. "\n"
end

--- pages.markdown(page) -> its text.
function pages.markdown (page)
  local blocks = {}
  for i, block in ipairs(page) do
    blocks[i] = type(block) == "string" and block or
                block.head and plain(block) or rows(block)
  end
  return table.concat(blocks, "\n")
end

return pages
