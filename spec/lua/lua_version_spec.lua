--[[
lua_version_spec.lua - other versions of Lua are told which ones tide needs, by
each module that a program may load first. #process: see run.lua.
]]
local child = require "spec.support.child"

local FOLDERS <const> = "README.md docs/*.md docs/api/*.md"

--- The modules that the documentation loads, and some that it names.
local function entries ()
  local list <const> = { "tide.command", "tide.copas", "tide.cqueues" }
  local seen <const> = {}
  local text <close> = assert(io.popen("cat " .. FOLDERS))
  for name in text:read "a":gmatch "require *%(?[\"'](tide[%w_.]*)[\"']" do
    if not seen[name] then
      seen[name] = true
      list[#list + 1] = name
    end
  end
  return list
end

local function output (words)
  local pipe <close> = assert(io.popen(words .. " 2>&1"))
  return pipe:read "a"
end

local function is_there (lua)
  return output("command -v " .. lua) ~= ""
end

local function load_in (lua, name)
  return output(("env -u LUA_INIT LUA_PATH=%s LUA_CPATH=%s %s -e %s"):format(
    child.quote "lua/?.lua;lua/?/init.lua", child.quote(package.cpath), lua,
    child.quote(([[print(select(2, pcall(require, "%s")))]]):format(name))))
end

describe("another version of Lua #process", function ()
  local called <const> = { ["lua5.1"] = "Lua 5.1", ["lua5.2"] = "Lua 5.2",
                           ["lua5.3"] = "Lua 5.3", luajit = "LuaJIT " }
  for lua, version in pairs(called) do
    local test <const> = is_there(lua) and it or pending
    test(lua .. " reads each module that a program loads first", function ()
      local names <const> = entries()
      assert.is_true(#names > 6)
      for _, name in ipairs(names) do
        local text <const> = load_in(lua, name)
        assert.equal(1, (text:find("tide needs Lua 5.4.4 or later, or 5.5; " ..
                                   "this is " .. version, 1, true)),
                     name .. ": " .. text)
      end
    end)
  end
end)
