--[[
words.lua - finds sentences of comments and prose whose subject is a riddle:
those that begin with What, Who, Of, Such and the like, and some phrases.

  lua5.4 spec/checks/words.lua          all files, and a count for each folder
  lua5.4 spec/checks/words.lua clean    the folders of CLEAN alone: `make check`

It reads the comments of C, CUDA and Lua, the long strings of lua/tide/api, and
Markdown without code. It joins the lines of a comment, because a sentence may
begin at the end of one. It exits with 1 if it finds anything.
]]

-- Folders, or files, without findings.
local CLEAN <const> = {
  "src", "include", "kernels", "lua", "docs", "examples", "bench", "spec",
  ".github", "README.md", "SECURITY.md", "CONTRIBUTING.md"
}

-- Sentences that may stay: at most ten.
local EXCEPTIONS <const> = {
}

local BEGINNINGS <const> = {
  What = true, Who = true, Whose = true, Whoever = true, Of = true,
  Such = true, Those = true, None = true, Nobody = true, As = "^ is%f[%W]"
}

local PHRASES <const> = {
  "%f[%w]nobody%f[%W]", "%f[%w]none is there%f[%W]",
  "%f[%w]as is[.,;:!?)]", "%f[%w]as is$"
}

-- Generated files, and records of the past.
local LEFT_OUT <const> = {
  "docs/api", "library/tide.lua", "CHANGELOG.md",
  "spec/checks/words.lua"  -- it names the words
}

local found, counts = 0, {}

local function is_in (path, list)
  for _, name in ipairs(list) do
    if path == name or path:sub(1, #name + 1) == name .. "/" then
      return true
    end
  end
  return false
end

--{{ sentences. A unit is a list of lines, each with its number and text

local function report (path, line, sentence)
  for _, exception in ipairs(EXCEPTIONS) do
    if sentence:find(exception, 1, true) then return end
  end
  local folder = path:match "^(.*)/" or "."
  found, counts[folder] = found + 1, (counts[folder] or 0) + 1
  print(("%s:%d: %s"):format(path, line, sentence))
end

--- Returns the sentence of 'text' that has position 'at'.
local function sentence_at (text, at)
  local from = 1
  for e in text:sub(1, at - 1):gmatch "[.!?]%s+()" do from = e end
  local sentence = text:sub(from)
  return (sentence:match "^(.-[.!?])%f[%s\0]" or sentence):match "^%s*(.*)$"
end

--- Tells whether a sentence, or a part of one behind a colon, begins at 'at'.
local function begins (text, at)
  local before = text:sub(1, at - 1):gsub("[\"'`(%[*_]+$", "")
  return before:find "^%s*$" or before:find "[.:;!?][\"')%]*_]*%s+$"
end

local function check_text (path, text, line_of)
  for at, word, rest in text:gmatch "()%f[%w](%u%l+)%f[%W]()" do
    local how = BEGINNINGS[word]
    if how and begins(text, at) and
       (how == true or text:sub(rest):find(how)) then
      report(path, line_of(at), sentence_at(text, at))
    end
  end
  local lower = text:lower()
  for _, phrase in ipairs(PHRASES) do
    for at in lower:gmatch("()" .. phrase) do
      if not (begins(text, at) and text:sub(at, at):find "%u") then
        report(path, line_of(at), sentence_at(text, at))
      end
    end
  end
end

local function check (path, unit)
  local starts, text = {}, ""
  for i, line in ipairs(unit) do
    starts[i] = #text + 1
    text = text .. line.text .. " "
  end
  check_text(path, text:gsub("%s+$", ""), function (at)
    local i = #starts
    while starts[i] > at do i = i - 1 end
    return unit[i].number
  end)
end

local function is_item (text)
  return text:find "^%s*[-*+] " or text:find "^%s*%d+%. "
end

--- Checks lines: blank ones and list items divide them into units.
local function check_lines (path, lines)
  local unit = {}
  for _, line in ipairs(lines) do
    if line.text:find "^%s*$" or is_item(line.text) then
      check(path, unit)
      unit = {}
    end
    line.text = line.text:gsub("^%s*[-*+>#%d.]*%s+", "")
    unit[#unit + 1] = line
  end
  check(path, unit)
end

--}}

--{{ Markdown

local function cells_of (line, lines)
  for cell in line.text:gmatch "[^|]+" do
    lines[#lines + 1] = { number = line.number, text = "" }
    lines[#lines + 1] = { number = line.number, text = " " .. cell }
  end
end

--- Returns a code span in a form in which nothing is found.
local function hide (code)
  return (code:lower():gsub("|", "/"):gsub("nobody", "no-body"))
end

local function check_markdown (path, text, number)
  local lines, fenced = {}, false
  for row in (text .. "\n"):gmatch "(.-)\n" do
    local line = { number = number, text = row:gsub("`[^`]*`", hide) }
    if row:find "^%s*```" or row:find "^%s*~~~" then
      fenced = not fenced
    elseif not fenced and row:find "^%s*|" then
      cells_of(line, lines)
    elseif not fenced then
      lines[#lines + 1] = line
    end
    number = number + 1
  end
  check_lines(path, lines)
end

--}}

--{{ comments

local function count_lines (text)
  return select(2, text:gsub("\n", ""))
end

--- Checks one comment of several lines, whose markers 'strip' removes.
local function check_comment (path, text, number, strip)
  local lines = {}
  for row in (text .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = { number = number, text = " " .. strip(row) }
    number = number + 1
  end
  check_lines(path, lines)
end

--- Returns the end of the string whose quote is at 'at'.
local function skip_string (text, at)
  local quote, i = text:sub(at, at), at + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == quote or c == "\n" then return i + 1 end
    i = i + (c == "\\" and 2 or 1)
  end
  return i
end

--- Line comments: adjacent ones in the same column are joined.
local Below <const> = {}
Below.__index = Below

local function new_below (path)
  return setmetatable({ path = path, lines = {} }, Below)
end

function Below:flush ()
  check_lines(self.path, self.lines)
  self.lines = {}
end

function Below:add (number, column, text, alone)
  local last = self.lines[#self.lines]
  local joins = last and alone and last.number == number - 1 and
                last.column == column
  if not joins then self:flush() end
  self.lines[#self.lines + 1] = { number = number, column = column,
                                  text = " " .. text }
end

local function place_of (text, at)
  local before = text:sub(1, at - 1):match "[^\n]*$"
  return #before, before:find "^%s*$" ~= nil
end

local function check_c (path, text)
  local at, number, counted = 1, 1, 1
  local below = new_below(path)
  while true do
    at = text:find("[\"'/]", at)
    if not at then break end
    number, counted = number + count_lines(text:sub(counted, at - 1)), at
    local two = text:sub(at, at + 1)
    if two == "/*" then
      local stop = text:find("*/", at + 2, true) or #text
      check_comment(path, text:sub(at + 2, stop - 1), number, function (row)
        return (row:gsub("^%s*%*+%f[%s\0]", ""))
      end)
      at = stop + 2
    elseif two == "//" then
      local column, alone = place_of(text, at)
      local stop = text:find("\n", at, true) or #text + 1
      below:add(number, column, text:sub(at + 2, stop - 1), alone)
      at = stop
    elseif two:sub(1, 1) == "/" then
      at = at + 1
    else
      at = skip_string(text, at)
    end
  end
  below:flush()
end

local function same (row) return row end

local function check_lua (path, text)
  local at, number, counted = 1, 1, 1
  local below, prose = new_below(path), is_in(path, { "lua/tide/api" })
  while true do
    at = text:find("[\"'%-%[]", at)
    if not at then break end
    number, counted = number + count_lines(text:sub(counted, at - 1)), at
    local dashes = text:match("^%-%-+", at)
    local level = text:match("^%[(=*)%[", at + (dashes and 2 or 0))
    if level and (not dashes or dashes == "--") then
      local from = text:find("[", at + (dashes and 2 or 0) + 1, true) + 1
      local stop = text:find("]" .. level .. "]", from, true) or #text
      local inside = text:sub(from, stop - 1)
      if dashes then
        check_comment(path, inside, number, same)
      elseif prose then
        check_markdown(path, inside, number)
      end
      at = stop + #level + 2
    elseif dashes then
      local column, alone = place_of(text, at)
      local stop = text:find("\n", at, true) or #text + 1
      below:add(number, column, text:sub(at + #dashes, stop - 1), alone)
      at = stop
    elseif text:find("^[\"']", at) then
      at = skip_string(text, at)
    else
      at = at + 1
    end
  end
  below:flush()
end

--}}

local CHECKS <const> = {
  c = check_c, h = check_c, cu = check_c, cuh = check_c, lua = check_lua,
  md = function (path, text) check_markdown(path, text, 1) end
}

local only_clean = (arg[1] == "clean")

local function check_file (path)
  if is_in(path, LEFT_OUT) or (only_clean and not is_in(path, CLEAN)) then
    return
  end
  local file <close> = io.open(path)
  if file then  -- else it is deleted, but not yet in git
    CHECKS[path:match "[^.]+$"](path, file:read "a")
  end
end

local list <close> = assert(io.popen(
  "git ls-files '*.c' '*.h' '*.cu' '*.cuh' '*.lua' '*.md'"))
for path in list:lines() do check_file(path) end

if not only_clean then
  local folders = {}
  for folder in pairs(counts) do folders[#folders + 1] = folder end
  table.sort(folders)
  for _, folder in ipairs(folders) do
    print(("%6d  %s"):format(counts[folder], folder))
  end
end
os.exit(found == 0)
