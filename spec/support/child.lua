--[[
child.lua - of the Lua that runs the specs, what those need that start another:
its program, and how it is told where tide is.
]]
local child = {}

local VERSION <const> = _VERSION:gsub("Lua (%d+)%.(%d+)", "%1_%2")

--- The program.
child.lua = os.getenv "LUA" or "lua5.4"

function child.quote (word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- paths([path, cpath]) -> words for env or a shell: the variables that say
-- where modules are, by default where they are for us.
function child.paths (path, cpath)
  return ("LUA_PATH_%s=%s LUA_CPATH_%s=%s"):format(
    VERSION, child.quote(path or package.path),
    VERSION, child.quote(cpath or package.cpath))
end

return child
