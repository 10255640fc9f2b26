--[[
A call that found no room behind a host function ran that inside, in the middle
of the operation. What the function closed, an event, an array, a
graph or a HostArray, was used all the same: a crash. Now the call begins again.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

local N = 1 << 16

--- Calls fn(s) until the function of s that closes 'object' has run inside;
-- then, or soon after, fn says that it is closed.
local function close_inside (object, fn)
  local s <close> = tide.Stream{ non_blocking = true }
  local spare <close> = tide.Stream{ non_blocking = true }
  local ran = false
  tide.get_device():synchronize()
  s:launch_host_func(function ()
    ran = true
    object:close()
    tide.poll()
    tide.trim()
    T.trim()
    spare:with(function () tide.zeros(N, "uint8") end)
  end)
  T.limits(100)
  local ok, message
  for _ = 1, 2000 do
    ok, message = pcall(s.with, s, fn, s)
    if not ok then break end
  end
  T.limits()
  assert.is_true(ran)
  assert.is_false(ok)
  assert.is_truthy(message:find("closed", 1, true), message)
  tide.get_device():synchronize()
end

describe("a host function that closes inside a call", function ()
  it("the event that is recorded", function ()
    local e = tide.Event()
    close_inside(e, function (s) s:record(e) end)
  end)

  it("the event that is waited for", function ()
    local t <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(N)
    local e = tide.Event()
    close_inside(e, function (s)
      t:with(function () a:add_(1) end)
      t:record(e)
      s:wait_event(e)
    end)
  end)

  for name, operate in pairs{
    ["an operand"] = function (x, y) return x + y end,
    ["what it writes"] = function (x) x:add_(1) end,
    ["what is summed"] = function (x) return x:sum() end,
    ["what is copied from"] = function (x, y) y:copy_from(x) end,
    ["what is copied to"] = function (x, y) x:copy_from(y) end,
    ["what is sorted"] = function (x) return x:sort() end,
    ["what is cast"] = function (x, y) return (x:astype "int64" + y) end,
    ["what is joined"] = function (x, y) return tide.concatenate{ y, x } end,
  } do
    it(name, function ()
      local x, y = tide.ones(N, "float32"), tide.ones(N, "float32")
      close_inside(x, function () operate(x, y) end)
      assert.equal(N, (y * 0 + 1):sum():item())
    end)
  end

  it("the HostArray that is copied from, or to", function ()
    local a = tide.ones(N)
    for _, copy in ipairs{ function (h) a:copy_from(h) end,
                           function (h) h:copy_from(a) end } do
      local h = tide.HostArray(N)
      close_inside(h, function () copy(h) end)
    end
  end)

  it("the array that text is copied to", function ()
    local a = tide.zeros(1000, "uint8")
    local text = ("x"):rep(1000)
    close_inside(a, function () a:copy_from(text) end)
  end)

  it("the argument of a kernel", function ()
    local a = tide.zeros(100)
    local k = tide.ElementwiseKernel("T x", "T y", "y = x + 1", "next")
    close_inside(a, function () k(a) end)
  end)

  it("the graph that is launched, and its arrays", function ()
    local a = tide.zeros(N)
    local g = tide.capture(function () a:add_(1) a:mul_(1) end)
    a:close()
    a = nil
    close_inside(g, function () g:launch() end)
  end)
end)

end)
