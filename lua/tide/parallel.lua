--[[
parallel.lua - tide.parallel: a function on several devices at once, by a task
for each. Loaded with the first call.
]]
local tide = require "tide"
local tasks = require "tide.tasks"

--- The devices of a list of devices and specs, all found before one is used.
local function devices_of (list)
  if type(list) ~= "table" then
    error(("bad argument #1 to 'parallel' (list of devices expected, got " ..
           "%s)"):format(list == nil and "no value" or type(list)), 3)
  end
  local devices <const> = {}
  for i = 1, #list do
    local ok, dev = pcall(tide.Device, list[i])
    if not ok then
      error(("bad argument #1 to 'parallel' (item %d: %s)"):format(i,
            tostring(dev):gsub("^.-:%d+: ", "")), 3)
    end
    devices[i] = dev
  end
  return devices
end

--- spawn takes what is current, so each task begins on its device.
local function spread (devices, fn)
  local list <const> = {}
  for i, dev in ipairs(devices) do
    list[i] = tide.with_device(dev, function ()
      local name <const> = "parallel on " .. tostring(dev)
      return tide.spawn({ name = name }, fn, dev, i)
    end)
  end
  return tide.gather(list)
end

--- parallel(devices, fn) -> the list of what fn(dev, i) returned, the first
-- value of each. The first error cancels the others, and is raised.
return function (list, fn)
  local devices <const> = devices_of(list)
  if tasks.inside() then
    return spread(devices, fn)
  end
  return tide.run(spread, devices, fn)
end
