--[[
parts_spec.lua - tide's own Lua in programs whose sandbox has taken names away
after it was loaded: its parts are loaded all the same.
]]
local helper = require "spec.support.helper"

describe("tide in a sandbox #process", function ()
  it("loads its parts without 'require' and others", function ()
    local printed, ok = helper.child[=[
      local tide = require "tide"
      local pcall, print, tostring = pcall, print, tostring
      require, package, debug, io, os, load, loadfile, dofile = nil
      select, type, getmetatable, error, setmetatable, next = nil
      local two <const> = tide.arange(4) * 1.0
      local calls <const> = {
        function () return tide.run(function () return 1 end) end,
        function () return tide.linalg.det(tide.eye(2)):item() end,
        function () return #tide.group(two, two, { "sum" }) end,
        function () return tide.describe(two).count end,
        function () return tide.polyfit(two, two, 1).size end,
        function () return tide.lfilter({ 1 }, { 1, 0.5 }, two).size end,
        function () return tide.median_filter(two, 3).size end,
        function () return tide.gaussian_filter(two, 1).size end,
        function () return tide.resize(tide.ones{ 2, 2 }, { 4, 4 }).size end,
        function () return tide.plot(two), 1 end,
        function () return tostring(tide.queue()) end,
        function () return tostring(tide.semaphore(1)) end,
        function () return #tide.help "sum" > 9 end,
        function () return tide.dist.launcher() end,
        function () return tide.random.multivariate_normal ~= nil end,
        function ()
          return tide.run(function ()
            return tide.race{ function () return 5 end }
          end)
        end,
      }
      for i = 1, #calls do print(pcall(calls[i])) end
    ]=]
    assert.is_true(ok, printed)
    local _, n = printed:gsub("true\t", "")
    assert.equal(16, n, printed)
    assert.is_nil(printed:find("false", 1, true), printed)
  end)

  it("keeps its environment to itself", function ()
    local tide = require "tide"
    assert.has_error(function () return tide.environment end)
    assert.equal(require "tide.linalg", require "tide.linalg")
  end)
end)
