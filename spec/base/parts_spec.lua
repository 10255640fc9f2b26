--[[
parts_spec.lua - tide's own Lua in programs whose sandbox has taken names away
after it was loaded, or functions of libraries: its parts are loaded all the
same, and work.
]]
local helper = require "spec.support.helper"

--- Runs calls of parts in a process, where 'take' takes names away.
local function check_calls (take)
  local printed, ok = helper.child([=[
      local tide = require "tide"
      local pcall, print, tostring = pcall, print, tostring
      ]=] .. take .. [=[
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
        function ()
          return tide.run(function ()
            return tide.gather{ function () return 5 end }
          end)
        end,
        function ()
          return #tide.parallel({ "host:0" }, function () return 5 end)
        end,
        function () return tide.progress(3, "x") ~= nil end,
        function () return tide.dist.launcher() end,
        function ()
          local ok, why = pcall(tide.lfilter, { 1 }, { 1 }, two, { axis = 7 })
          return not ok and why:find "axis 7 is out of range" and true
        end,
      }
      for i = 1, #calls do print(pcall(calls[i])) end
    ]=])
  assert.is_true(ok, printed)
  local _, n = printed:gsub("true\t", "")
  assert.equal(21, n, printed)
  assert.is_nil(printed:find("false", 1, true), printed)
end

describe("tide in a sandbox #process", function ()
  it("loads its parts without 'require' and others", function ()
    check_calls [=[
      require, package, debug, io, os, load, loadfile, dofile = nil
      select, type, getmetatable, error, setmetatable, next = nil
    ]=]
  end)

  it("works without functions of libraries", function ()
    check_calls [=[
      local find = string.find
      for _, lib in pairs{ string, table, coroutine, math, os, utf8, debug } do
        for name in pairs(lib) do lib[name] = nil end
      end
      io.open, io.write, io.read, io.lines, io.popen = nil
      getmetatable("").__index = { find = find }
    ]=]
  end)

  it("keeps its environment to itself", function ()
    local tide = require "tide"
    assert.has_error(function () return tide.environment end)
    assert.equal(require "tide.linalg", require "tide.linalg")
  end)
end)
