--[[
collector.lua - the collector's parameters, in the words of Lua 5.4: 5.5 sets
each by a call of its own, counts its steps in bytes, and has percents for what
is done in them. Children have it by require.
]]
local collector = {}

local NAMES <const> = { "pause", "stepmul", "stepsize" }

-- The values that Lua 5.5 begins with; nil in 5.4.
local first
if not pcall(collectgarbage, "setpause", 200) then
  first = {}
  for i, name in ipairs(NAMES) do
    first[i] = collectgarbage("param", name)
  end
end

-- A step of fewer bytes does a whole cycle.
local LEAST <const> = string.packsize "j"

local function set (values)
  for i, name in ipairs(NAMES) do
    if values[i] then
      collectgarbage("param", name, values[i])
    end
  end
end

--- incremental([pause, stepmul, stepsize]): the mode and, where they are given,
-- its parameters; stepsize is the logarithm of bytes.
function collector.incremental (pause, stepmul, stepsize)
  if not first then
    collectgarbage("incremental", pause, stepmul, stepsize)
    return
  end
  collectgarbage "incremental"
  set{ pause or false, stepmul and stepmul * 100 or false,
       stepsize and math.max(1 << stepsize, LEAST) or false }
end

--- generational([minor, major]): likewise; percents.
function collector.generational (minor, major)
  if not first then
    collectgarbage("generational", minor, major)
    return
  end
  collectgarbage "generational"
  collectgarbage("param", "minormul", minor or -1)
  collectgarbage("param", "minormajor", major or -1)
end

--- Incremental, as Lua begins.
function collector.restore ()
  if first then
    collectgarbage "incremental"
    set(first)
  else
    collectgarbage("incremental", 200, 100, 13)
  end
end

return collector
