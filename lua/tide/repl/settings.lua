--[[
settings.lua - the table `prompt` of a session, with the user's settings. An
unknown name or an invalid value is an error.
]]
local BEHIND = require "tide.repl.complete".BEHIND
local show = require "tide.repl.show"

local LIMITS <const> = { depth = true, items = true, length = true }

local function check_limit (name, value)
  if math.type(value) ~= "integer" or value < 1 then
    error(("prompt.%s must be an integer from 1 on, got %s"):format(
      name, show.value(value)), 3)
  end
end

local function check_flag (name, value)
  if type(value) ~= "boolean" then
    error(("prompt.%s must be true or false, got %s"):format(
      name, show.value(value)), 3)
  end
end

--- new{ times =, colour = } -> the table. It also has the limits of show.lua,
-- and sets them there.
return function (flags)
  local function known (name)
    if flags[name] == nil and not LIMITS[name] then
      error(("prompt has no '%s'; it has: colour, depth, items, length, times")
            :format(tostring(name)), 3)
    end
  end
  return setmetatable({}, {
    [BEHIND] = { flags, LIMITS },
    __index = function (_, name)
      known(name)
      if LIMITS[name] then return show[name] end
      return flags[name]
    end,
    __newindex = function (_, name, value)
      known(name)
      if LIMITS[name] then
        check_limit(name, value)
        show[name] = value
      else
        check_flag(name, value)
        flags[name] = value
      end
    end,
    __tostring = function ()
      local all = {}
      for name in pairs(LIMITS) do all[name] = show[name] end
      for name, value in pairs(flags) do all[name] = value end
      return "prompt " .. show.value(all)
    end
  })
end
