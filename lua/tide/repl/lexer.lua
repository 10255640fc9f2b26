--[[
lexer.lua - the tokens of Lua, as far as the prompt needs them: names, brackets,
strings, comments, and the state at the end of a line. It never fails: an
unfinished token extends to the end.
]]
local lexer = {}

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local
               nil not or repeat return then true until while]]):gmatch "%a+" do
  KEYWORDS[word] = true
end

lexer.keywords = KEYWORDS

--- Returns the end of a long bracket that opens at 'at', or nil.
local function long_end (source, at)
  local level = source:match("^%[(=*)%[", at)
  if level then
    local _, stop = source:find("]" .. level .. "]", at + 2 + #level, true)
    return stop or #source
  end
end

local function string_end (source, at)
  local quote, i = source:sub(at, at), at + 1
  while i <= #source do
    local c = source:sub(i, i)
    if c == quote or c == "\n" then return i end
    if c == "\\" then
      local _, blank = source:find("^z%s*", i + 1)
      i = blank or i + 1
    end
    i = i + 1
  end
  return #source
end

local function comment_end (source, at)
  return long_end(source, at + 2) or
         (source:find("\n", at, true) or #source + 1) - 1
end

--- Returns the kind and the end of the token at 'at', where there is no blank.
local function token (source, at)
  local c = source:sub(at, at)
  if c:find "[%a_]" then
    local _, stop = source:find("^[%w_]+", at)
    return KEYWORDS[source:sub(at, stop)] and "keyword" or "name", stop
  elseif source:find("^%.?%d", at) then
    local _, stop = source:find("^[%w_.]+", at)
    local _, signed = source:find("^[%w_.]-[eEpP][+-]%w+", at)
    return "number", math.max(stop, signed or 0)
  elseif c == '"' or c == "'" then
    return "string", string_end(source, at)
  elseif source:find("^%-%-", at) then
    return "comment", comment_end(source, at)
  end
  local long = long_end(source, at)
  if long then return "string", long end
  local _, stop = source:find("^%.%.%.?", at)
  if not stop then _, stop = source:find("^[=~<>:/]?[=:<>/]", at) end
  return "sign", stop or at
end

--- tokens(source) -> a list of { kind =, text =, from =, to = } without
-- comments. Kinds: keyword, name, number, string, sign. The second result tells
-- whether the end is inside a string or a comment.
function lexer.tokens (source)
  local list, at, inside = {}, 1, false
  while true do
    at = source:find("%S", at)
    if not at then return list, inside end
    local kind, to = token(source, at)
    local text = source:sub(at, to)
    if kind ~= "comment" then
      list[#list + 1] = { kind = kind, text = text, from = at, to = to }
    end
    inside = to == #source and
             (kind == "comment" or
              kind == "string" and not load("return" .. text))
    at = to + 1
  end
end

return lexer
