--[[
show.lua - formats results for the prompt: strings with quotes, tables with
their contents, everything else by its own tostring. Large values are cut.
]]
local own = require "tide.repl.own"

local show = {}

show.depth = 4      -- depth of nested tables
show.items = 60     -- of one table
show.length = 1000  -- of one string, in bytes

local ESCAPES <const> = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r",
                          ["\\"] = "\\\\", ["\""] = "\\\"" }

local function escape (c)
  return ESCAPES[c] or ("\\%03d"):format(c:byte())
end

--- Shows bytes that are not UTF-8 by number.
local function escape_bytes (s)
  local parts, at = {}, 1
  while at <= #s do
    local _, bad = utf8.len(s, at)
    parts[#parts + 1] = s:sub(at, (bad or #s + 1) - 1)
    if not bad then break end
    parts[#parts + 1] = escape(s:sub(bad, bad))
    at = bad + 1
  end
  return table.concat(parts)
end

function show.string (s)
  local cut = #s > show.length
  local head = cut and s:sub(1, show.length) or s
  local text = '"' .. escape_bytes(head:gsub('[%c"\\\127]', escape)) .. '"'
  return cut and ("%s... (%d bytes)"):format(text, #s) or text
end

local function name_of (value)
  local meta = debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name or nil
end

--- Calls tostring. If it fails, the other values are still shown; Ctrl-C is
-- passed on.
local function own_text (value)
  local ok, text = pcall(tostring, value)
  if ok then return text end
  text = own.text(tostring(text))
  if text:find "interrupted!" then error(text, 0) end
  return ("%s (tostring: %s)"):format(name_of(value) or type(value), text)
end

--- Shows a function by its position, which is more useful than its address.
local function function_text (f)
  local info = debug.getinfo(f, "S")
  if info.what == "C" then
    return own_text(f)
  end
  return ("function: %s:%d"):format(info.short_src, info.linedefined)
end

--{{ tables

local ORDER <const> = { number = 1, string = 2, boolean = 3 }

local function before (a, b)
  local x, y = ORDER[type(a)] or 4, ORDER[type(b)] or 4
  if x ~= y then return x < y end
  if x <= 2 then return a < b end
  return tostring(a) < tostring(b)
end

--- Returns the keys of a table except 1 to n, sorted.
local function other_keys (t, n)
  local keys = {}
  for key in next, t do
    if math.type(key) ~= "integer" or key < 1 or key > n then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, before)
  return keys
end

local function key_text (key, state)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then
    return key
  end
  return "[" .. state.value(key, state.depth) .. "]"
end

--- Returns the items of a table as texts, up to the limit.
local function items_of (t, depth, state)
  local list, n = {}, rawlen(t)
  for i = 1, math.min(n, show.items) do
    list[i] = state.value(rawget(t, i), depth + 1)
  end
  local keys = other_keys(t, n)
  local room = show.items - #list
  for i = 1, math.min(#keys, room) do
    local key = keys[i]
    list[#list + 1] = key_text(key, state) .. " = " ..
                      state.value(rawget(t, key), depth + 1)
  end
  local more = n + #keys - #list
  if more > 0 then
    list[#list + 1] = ("... %d more"):format(more)
  end
  return list
end

--- Joins items side by side if they fit, else one below the other.
local function lay_out (items, depth, width)
  if #items == 0 then return "{}" end
  local line = "{ " .. table.concat(items, ", ") .. " }"
  if #line + 2 * depth <= width and not line:find("\n", 1, true) then
    return line
  end
  local indent = ("  "):rep(depth + 1)
  return "{\n" .. indent .. table.concat(items, ",\n" .. indent) .. "\n" ..
         ("  "):rep(depth) .. "}"
end

local function is_plain (t)
  local meta = debug.getmetatable(t)
  return type(meta) ~= "table" or rawget(meta, "__tostring") == nil
end

local function table_text (t, depth, state)
  if not is_plain(t) then return own_text(t) end
  if state.open[t] then return "{...}" end
  if depth > show.depth then return next(t) == nil and "{}" or "{...}" end
  state.open[t] = true
  local text = lay_out(items_of(t, depth, state), depth, state.width)
  state.open[t] = nil
  return text
end

--}}

--- value(x [, width]) -> its text; 'width': of the terminal.
function show.value (x, width)
  local state = { open = {}, width = width or 79, depth = show.depth }
  function state.value (value, depth)
    local kind = type(value)
    if kind == "string" then return show.string(value) end
    if kind == "table" then return table_text(value, depth, state) end
    if kind == "function" then return function_text(value) end
    local text = own_text(value)
    return depth == 0 and text or
           (text:gsub("\n", "\n" .. ("  "):rep(depth)))
  end
  return state.value(x, 0)
end

--- values(width, ...) -> all values as text: in one line, unless one has
-- several lines.
function show.values (width, ...)
  local texts, long = {}, false
  for i = 1, select("#", ...) do
    texts[i] = show.value((select(i, ...)), width)
    long = long or texts[i]:find("\n", 1, true) ~= nil
  end
  return table.concat(texts, long and "\n" or "\t")
end

return show
