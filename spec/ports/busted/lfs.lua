--[[
lfs.lua - of LuaFileSystem what busted asks, for a Lua whose packages are not
there: what kind of file something is, and where we are.
]]
local lfs = {}

local function quote (word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function output (command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "l"
end

--- attributes(path, "mode") -> "file", "directory" or nil.
function lfs.attributes (path, what)
  assert(what == "mode", "only the mode can be asked for")
  return output(("p=%s; if [ -d \"$p\" ]; then echo directory; " ..
                 "elif [ -f \"$p\" ]; then echo file; fi"):format(quote(path)))
end

lfs.symlinkattributes = lfs.attributes

function lfs.currentdir ()
  return output "pwd"
end

--- Only to where we are.
function lfs.chdir (path)
  assert(output("cd " .. quote(path) .. " && pwd -P") == output "pwd -P", path)
  return true
end

--- dir(path) -> an iterator of the names in it.
function lfs.dir (path)
  local pipe = assert(io.popen("ls -a " .. quote(path)))
  return function ()
    local name = pipe:read "l"
    if not name then
      pipe:close()
    end
    return name
  end
end

return lfs
