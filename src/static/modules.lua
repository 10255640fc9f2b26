--[[
modules.lua OUT - writes a header with the Lua modules of lua/ as arrays of C:
texts[], one for each. make runs it for libtide.a: see static.c.
]]
local OUT <const> = arg[1]

--- lua/tide/init.lua -> tide; lua/tide/x.lua -> tide.x
local function name_of (path)
  return (path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", "")
              :gsub("/", "."))
end

local function read (path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local paths = {}
do
  local list <close> = assert(io.popen "find lua/tide -name '*.lua' | sort")
  for path in list:lines() do
    local at = path == "lua/tide/init.lua" and 1 or #paths + 1
    table.insert(paths, at, path)
  end
end
assert(paths[1] == "lua/tide/init.lua", "lua/tide/init.lua is not here")

local arrays, rows = {}, {}
for i, path in ipairs(paths) do
  local text, bytes = read(path), {}
  for at = 1, #text, 16 do
    bytes[#bytes + 1] = "  " .. table.concat({ text:byte(at, at + 15) }, ",")
  end
  arrays[i] = ("static const unsigned char text%d[] = {\n%s\n};\n"):format(
    i, table.concat(bytes, ",\n"))
  rows[i] = ('  {"%s", "@%s", text%d, sizeof text%d},\n'):format(
    name_of(path), path:sub(#"lua/" + 1), i, i)
end

local file <close> = assert(io.open(OUT, "w"))
file:write("/* Made by src/static/modules.lua. */\n", table.concat(arrays),
           "\nstatic const ModuleText texts[] = {\n", table.concat(rows),
           "};\n")
