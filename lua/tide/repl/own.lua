--[[
own.lua - what in an error is the prompt's own, or tide's, and is left out: a
user who reads it has written none of these lines.
]]
local own = {}

local FILE <const> = "tide/repl[%w_/]*%.lua"
local PLACE <const> = "^[^\n:]*" .. FILE .. ":%d+: "

-- In which tide's Lua files are: "@/usr/share/lua/5.4/tide/".
local FOLDER <const> = debug.getinfo(1, "S").source:match "^.*tide/" or
                       "=?"  -- without debug information all have that

--- is(source) -> is a function of that source, as debug.getinfo has it, ours?
function own.is (source)
  return source:sub(1, #FOLDER) == FOLDER
end

--- The lines of a traceback that come before ours: what is below these has
-- started the prompt. What C functions we have called says nothing.
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

--- text(message) -> without the places and the functions that are ours.
function own.text (message)
  local head, trace = message:match "^(.-)\nstack traceback:\n(.*)$"
  return (head or message):gsub(PLACE, "") .. (trace and cut(trace) or "")
end

return own
