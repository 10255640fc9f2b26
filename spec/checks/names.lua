--[[
names.lua HEADER... - a check of tide's own headers: a function that crosses
files begins with the word of the header that declares it, as block_drop of
block.h. `make check` runs it over src/.

The word is the header's name, without a final "s" if it likes. Two headers do
not have the same word. Functions that open a room are open_ and what they open.
Names that another library gives are left alone: those of CUDA and NCCL that the
host device has, and luaopen_ of Lua.
]]
local wrong, owner = {}, {}

local function complain (format, ...)
  wrong[#wrong + 1] = format:format(...)
end

--- The words of a header: handles.h has handles_ and handle_.
local function words_of (path)
  local name = path:match "([^/]+)%.h$"
  local list = { name, (name:gsub("s$", "")), (name:gsub("ies$", "y")) }
  return list
end

local function begins_with (name, word)
  return name:sub(1, #word + 1) == word .. "_"
end

local function is_foreign (name)
  return name:find "^luaopen_" or name:find "^open_" or
         name:find "^host_cu" or name:find "^host_nccl"
end

local function fits (name, words)
  for _, word in ipairs(words) do
    if begins_with(name, word) then return true end
  end
  return is_foreign(name)
end

--- Yields the names of the functions that a header declares or defines.
local function functions_of (text)
  text = text:gsub("/%*.-%*/", ""):gsub("\\\n", " "):gsub("\n#[^\n]*", "\n")
  text = ("\n" .. text):gsub("\ntypedef [^\n]*", "\n")
  return text:gmatch "\n[%a_][%w_ %*]-[ %*]([a-z][%w_]*) %("
end

local count = 0
for _, path in ipairs(arg) do
  local file <close> = assert(io.open(path))
  local words = words_of(path)
  if path:find "openers%.h$" == nil then
    if owner[words[1]] then
      complain("%s: %s has the same word", path, owner[words[1]])
    end
    owner[words[1]] = path
  end
  for name in functions_of(file:read "a") do
    count = count + 1
    if not fits(name, words) then
      complain("%s: %s does not begin with %s_", path, name, words[2])
    end
  end
end

print(("%d functions in %d headers"):format(count, #arg))
for _, line in ipairs(wrong) do print(line) end
os.exit(#wrong == 0)
