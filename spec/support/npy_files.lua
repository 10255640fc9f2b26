--[[
npy_files.lua - files that specs of NumPy's formats write, and remove: names
that begin alike, forged headers.
]]
local busted = require "busted"

local files = {}

local function read (path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function write (path, bytes)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(bytes))
end

local function lines (command)
  local list, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do
    list[#list + 1] = line
  end
  return list, pipe:close()
end

local base, used  -- what all names begin with; those to be removed

--- path(name) -> where a test may write
local function path (name)
  used[name] = true
  return base .. name
end

--- The names that are there (by the shell: for tests marked #process).
local function there ()
  local names = {}
  for _, name in ipairs(lines(("ls -d %s?* 2>/dev/null"):format(base))) do
    names[#names + 1] = name:sub(#base + 1)
  end
  return table.concat(names, " ")
end

--- A folder for programs.
local function folder ()
  assert(os.execute("mkdir " .. path "folder"))
  return path "folder"
end

--- A file with that text as its header.
local function forged (text, data, version)
  local header = text .. (" "):rep(-(#text + 11) % 64) .. "\n"
  local bytes = "\x93NUMPY" .. (version or "\1\0") ..
                string.pack("<s2", header) .. (data or "")
  write(path "forged.npy", bytes)
  return path "forged.npy"
end

--- The dictionary of a header: dtype, order, shape.
files.DICT = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"

--- Inside each_device: each test begins without files, and leaves none.
function files.around_each ()
  busted.before_each(function ()
    base, used = os.tmpname(), {}
  end)

  busted.after_each(function ()
    if used.folder then
      os.execute("rm -rf " .. path "folder")
    end
    for name in pairs(used) do
      os.remove(path(name))
    end
    os.remove(base)
  end)
end

files.read, files.write, files.lines = read, write, lines
files.path, files.there, files.folder = path, there, folder
files.forged = forged

return files
