--[[
own.lua - removes the prompt's and tide's own frames and positions from errors,
because the reader has not written these lines.
]]
local own = {}

local FILE <const> = "tide/repl[%w_/]*%.lua"
local PLACE <const> = "^[^\n:]*" .. FILE .. ":%d+: "

-- The folder of tide's Lua files: "@/usr/share/lua/5.4/tide/".
local FOLDER <const> = debug.getinfo(1, "S").source:match "^.*tide/" or
                       "=?"  -- the source of all functions without debug
                             -- information

--- is(source) -> whether a function with that source, as in debug.getinfo, is
-- ours.
function own.is (source)
  return source:sub(1, #FOLDER) == FOLDER
end

--- Returns the lines of a traceback above our first frame; the frames below it
-- started the prompt. Also removes C functions that we called.
local function cut (trace)
  local kept, found = {}, false
  for line in trace:gmatch "[^\n]+" do
    found = found or line:find("'tide.system.call'", 1, true) or
            line:find(FILE .. ":%d+: in ")
    if not found then kept[#kept + 1] = line end
  end
  while found and kept[1] and kept[#kept]:find "^%s*%[C%]" do
    kept[#kept] = nil
  end
  return kept[1] and "\nstack traceback:\n" .. table.concat(kept, "\n") or ""
end

--- text(message) -> the message without our positions and functions.
function own.text (message)
  local head, trace = message:match "^(.-)\nstack traceback:\n(.*)$"
  return (head or message):gsub(PLACE, "") .. (trace and cut(trace) or "")
end

return own
