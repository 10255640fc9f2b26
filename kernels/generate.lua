--[[
generate.lua FOLDER - writes the sources that are made of kernels/table.lua into
a folder, as a second tree of sources. make runs it: lua5.4 kernels/generate.lua
build/generated

A file whose text is unchanged is not written, so that nothing is compiled again
for it. files.mk, which lists all files, is always written: its age tells make
when the generator ran.
]]
local FOLDER <const> = assert(arg[1], "usage: generate.lua FOLDER")

package.path = "./?.lua;" .. package.path

local HEAD <const> =
  "/* %s - made by kernels/generate.lua from kernels/table.lua. */\n"

local function read (path)
  local file <close> = io.open(path)
  return file and file:read "a"
end

local function write (path, text)
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(text))
end

local files = {}
for _, writer in ipairs{ "tables", "host", "cuda" } do
  for _, file in ipairs(require("kernels.generate." .. writer)) do
    files[#files + 1] = { path = file[1], text = HEAD:format(
      file[1]:match "[^/]+$") .. file[2]:gsub("\n*$", "\n") }
  end
end

local folders = {}
for _, file in ipairs(files) do
  -- make would prefer that file
  assert(not read(file.path), file.path .. " is there, written by hand")
  folders[FOLDER .. "/" .. file.path:match "^(.*)/"] = true
end
for folder in pairs(folders) do
  assert(os.execute(("mkdir -p '%s'"):format(folder)))
end

local names, made = {}, {}
for i, file in ipairs(files) do
  local path = FOLDER .. "/" .. file.path
  if read(path) ~= file.text then
    write(path, file.text)
  end
  names[i], made[file.path] = file.path, true
end

-- Removes files that an earlier table had and this one has not.
local LIST <const> = FOLDER .. "/files.mk"
for name in (read(LIST) or ""):gmatch "[^%s\\=]+%.%w+" do
  if not made[name] then
    os.remove(FOLDER .. "/" .. name)
  end
end
write(LIST, "GENERATED = \\\n  " .. table.concat(names, " \\\n  ") .. "\n")
