--[[
locals.lua - the meaning of `local` at the top level of the prompt. A session
reads as one long program, so a local variable lives until the session ends, and
so does one with <close>: the keyword is removed and the session owns the name.
Functions and blocks are not changed.
]]
local lexer = require "tide.repl.lexer"

local OPENS <const> = { ["do"] = 1, ["function"] = 1, ["if"] = 1,
                        ["repeat"] = 1, ["end"] = -1, ["until"] = -1 }

--- Reads `name <attribute>, name ...` from token i on; adds the parts to
-- remove. Returns the index of the token behind it.
local function read_names (tokens, i, found, cuts)
  while tokens[i] and tokens[i].kind == "name" do
    local name = tokens[i].text
    found.names[#found.names + 1] = name
    i = i + 1
    if tokens[i] and tokens[i].text == "<" then
      if tokens[i + 1].text == "close" then
        found.closing[#found.closing + 1] = name
      end
      cuts[#cuts + 1] = { from = tokens[i].from, to = tokens[i + 2].to }
      i = i + 3
    end
    if not (tokens[i] and tokens[i].text == ",") then break end
    i = i + 1
  end
  return i
end

--- Handles one `local`, token i.
local function read_local (tokens, i, found, cuts)
  cuts[#cuts + 1] = { from = tokens[i].from, to = tokens[i].to }
  if tokens[i + 1].text == "function" then
    found.names[#found.names + 1] = tokens[i + 2].text
    return
  end
  local after = read_names(tokens, i + 1, found, cuts)
  if not (tokens[after] and tokens[after].text == "=") then
    local at = tokens[after - 1].to
    cuts[#cuts + 1] = { from = at + 1, to = at, text = " = nil" }
  end
end

--- Applies the cuts, which are in order. Blanks replace them, so that columns
-- stay.
local function cut (source, cuts)
  local parts, at = {}, 1
  for _, c in ipairs(cuts) do
    parts[#parts + 1] = source:sub(at, c.from - 1)
    parts[#parts + 1] = c.text or (" "):rep(c.to - c.from + 1)
    at = c.to + 1
  end
  parts[#parts + 1] = source:sub(at)
  return table.concat(parts)
end

--- raise(source) -> the source of a valid chunk, without the `local`s of its
-- top level; and { names =, closing = }: the lists of their names.
return function (source)
  local tokens = lexer.tokens(source)
  local found, cuts, depth = { names = {}, closing = {} }, {}, 0
  for i, t in ipairs(tokens) do
    if t.kind == "keyword" then
      depth = depth + (OPENS[t.text] or 0)
      if t.text == "local" and depth == 0 then
        read_local(tokens, i, found, cuts)
      end
    end
  end
  return cut(source, cuts), found
end
