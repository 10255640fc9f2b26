--[[
generate.lua - makes docs/api/*.md and library/tide.lua of the pages in
lua/tide/api. From the root of the tree:

  lua5.4 docs/generate.lua           writes what is not as it should be
  lua5.4 docs/generate.lua check     says what would be written, and fails
]]
package.path = "./?.lua;lua/?.lua;" .. package.path
local api = require "tide.api"
local pages = require "docs.generate.pages"
local stubs = require "docs.generate.stubs"

local checking = arg[1] == "check"

local function read (path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

local function write (path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

local wrong = 0

local function made (path, text)
  if read(path) == text then
    return
  end
  wrong = wrong + 1
  print(path .. (checking and " is not what lua/tide/api says: make docs" or
                 ""))
  if not checking then
    write(path, text)
  end
end

for _, page in ipairs(api.pages()) do
  made(("docs/api/%s.md"):format(page.name), pages.markdown(page))
end
made("library/tide.lua", stubs.text())
os.exit(not checking or wrong == 0)
