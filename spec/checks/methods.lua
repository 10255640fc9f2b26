--[[
methods.lua FILE... - a check of tide's own Lua: no method of a string is called
there, as in s:find(x), because a sandbox may have changed the metatable that
all strings share. `make check` runs it over lua/tide, but for the prompt, which
is a program of its own.
]]
local PROMPT <const> = { ["repl.lua"] = true, ["command.lua"] = true }
local METHODS <const> = {}
for name in pairs(string) do METHODS[name] = true end

--- Returns Lua without what is between quotes, and without comments.
local function plain (text)
  return (text:gsub("%-%-%[(=*)%[.-%]%1%]", "")
              :gsub("\\.", ""):gsub('"[^"\n]*"', '""'):gsub("%-%-[^\n]*", ""))
end

local wrong, count = {}, 0
for _, path in ipairs(arg) do
  local file <close> = assert(io.open(path))
  local lines = plain(file:read "a")
  for name in lines:gmatch "[%w_%)%]\"]%s*:%s*([%a_][%w_]*)%s*[%(\"'{%[]" do
    if METHODS[name] and not PROMPT[path:match "[^/]+$"] then
      wrong[#wrong + 1] = ("%s: %s is called as a method; call string.%s")
                          :format(path, name, name)
    end
  end
  count = count + 1
end
print(("%d files of Lua"):format(count))
for _, line in ipairs(wrong) do print(line) end
os.exit(#wrong == 0)
