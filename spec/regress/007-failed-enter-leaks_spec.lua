--[[
When the context could not be entered, what was to be destroyed was forgotten:
a stream, a graph. And an operation that failed in a capture left its arrays
held for ever.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

helper.each_device(function ()

local function fail_enter ()
  T.failcall(1, 999, "cuCtxSetCurrent")
  pcall(tide.poll)
  assert.equal("cuCtxSetCurrent", T.failed())
  T.failcall(0)
end

it("a dropped stream goes another time", function ()
  local s = tide.Stream()
  tide.poll()
  debug.getmetatable(s).__close(s)  -- only drops it
  fail_enter()
  tide.poll()
  assert.equal(0, T.held().streams)
end)

it("a dropped graph goes another time", function ()
  local g = tide.capture(function () return tide.ones(4) end)
  tide.poll()
  debug.getmetatable(g).__close(g)
  fail_enter()
  tide.poll()
  assert.equal(0, T.held().graphs)
end)

it("a captured operation that fails holds nothing", function ()
  fails("cuLaunchKernel", tide.capture, function ()
    local a = tide.ones(4)
    T.failcall(1, 999, "cuLaunchKernel")
    return a + a
  end)
  T.failcall(0)
  collectgarbage()
  collectgarbage()
  assert.equal(0, T.held().bytes)
end)

end)
