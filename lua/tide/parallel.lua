--[[
parallel.lua - tide.parallel: runs a function on several devices concurrently,
in a task for each. Loaded at the first call.
]]
local arguments = require "tide.arguments"
local tide = require "tide"
local tasks = require "tide.tasks"

--- A task inherits the device that is current when it is made, so each begins
-- on its device.
local function spread (devices, fn)
  local list <const> = {}
  for i, dev in ipairs(devices) do
    list[i] = tide.with_device(dev, function ()
      return tasks.make("parallel on " .. tostring(dev), nil, fn, dev, i)
    end)
  end
  return tide.gather(list)
end

--- parallel(devices, fn) -> the list of the first results of fn(dev, i). The
-- first error cancels the others and is raised.
return function (list, fn)
  local devices <const> = arguments.check_devices(list, "parallel",
                                                  tide.Device)
  if tasks.inside() then
    return spread(devices, fn)
  end
  return tide.run(spread, devices, fn)
end
