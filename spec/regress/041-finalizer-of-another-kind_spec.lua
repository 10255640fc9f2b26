--[[
getmetatable(x).__gc took whatever it was given for an object of its class: a
number or a file crashed the process.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()
  describe("a finalizer", function ()
    it("wants its own kind of object", function ()
      local s <close> = tide.Stream()
      local e <close> = tide.Event()
      local g <close> = tide.capture(function () end)
      local scope <close> = s:scope()
      for x, class in pairs{ [s] = "Stream", [e] = "Event", [g] = "Graph",
                             [scope] = "Scope" } do
        local meta = debug.getmetatable(x)
        for _, wrong in ipairs{ 1, io.stdout, tide.get_device() } do
          fails("tide." .. class .. " expected", meta.__close, wrong)
          fails("tide." .. class .. " expected", meta.__gc or meta.__close,
                wrong)
        end
      end
    end)
  end)
end)
