--[[
files.lua - files of a test, and the ways that their bytes go: straight between
file and memory, and through slots of page-locked memory, as a GPU's memory
needs it (T.slots: the host device's as well).
]]
local busted = require "busted"
local helper = require "spec.support.helper"
local tide = require "tide"

local T = helper.T
local files, made = {}, {}

--- own(name): that file is removed after the test.
function files.own (name) made[#made + 1] = name end

--- path([bytes]) -> that of a new file with these bytes in it.
function files.path (bytes)
  local name = os.tmpname()
  files.own(name)
  local file <close> = assert(io.open(name, "wb"))
  file:write(bytes or "")
  return name
end

function files.contents (name)
  local file <close> = assert(io.open(name, "rb"))
  return file:read "a"
end

local function remove_made ()
  T.slots(false)
  for i = #made, 1, -1 do
    os.remove(made[i])
    made[i] = nil
  end
end

--- noise(n) -> so many bytes, the same every time.
function files.noise (n)
  return tide.arange((n + 7) // 8, "int64"):mul_(0x9E3779B97F4A7C15)
             :tobytes():sub(1, n)
end

--- Waits, for 10 s at most, until fn() is true.
function files.eventually (fn)
  local start = tide.clock()
  while not fn() do
    assert(tide.clock() - start < 10, "it does not come")
  end
end

--- use_slots(slots): inside of a describe, that way in each of its tests.
function files.use_slots (slots)
  busted.before_each(function () T.slots(slots) end)
  busted.after_each(remove_made)
end

--- each_way(fn): describes fn(slots) both ways.
function files.each_way (fn)
  for _, slots in ipairs{ false, true } do
    busted.describe(slots and "by slots: " or "straight: ", function ()
      files.use_slots(slots)
      fn(slots)
    end)
  end
end

return files
