--[[
Functions that are made of others looked their methods up as Lua does, where
hooks run: what a hook called, and what it left behind when it failed, was taken
for the call around it. So a call said "array was closed meanwhile" of arrays
that nobody had closed, or went back to a call that was over and crashed. And a
field that such a function read made it forget that it was a call at all.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local CALLS <const> = {
  dot = function (a, b) return a:dot(b) end,
  std = function (a, b) return (a - b):std() end,
  cov = function (a, b) return a:cov(b) end,
  trapezoid = function (a, b) return a:trapezoid(b) end,
  isclose = function (a, b) return a:isclose(b) end,
  histogram = function (a) return (a:histogram(3)) end,
  unique = function (a) return select(2, a:unique{ return_inverse = true }) end,
  round = function (a) return a:round(2) end,
  clip = function (a, b) return a:clip(b, 3) end,
  ["a[mask]"] = function (a, b) return a[b:gt(1)] end,
  one_hot = function () return tide.array{ 1, 2 }:one_hot(3) end,
  norm = function (a, b) return (a + b):norm() end,
  einsum = function (a, b) return tide.einsum("i,j->ij", a, b) end
}

helper.each_device(function ()

describe("a hook that fails", function ()
  local function intrude ()
    helper.fails("bad argument", tide.ones, -1)
    tide.ones(2):close()
    helper.fails("bad argument", tide.ones, -1)
  end

  --- The call, and whether its hook was run at the n-th return.
  local function hooked (call, n, a, b)
    local i = 0
    debug.sethook(function ()
      i = i + 1
      if i == n then
        debug.sethook()
        intrude()
      end
    end, "r")
    local ok, result = pcall(call, a, b)
    debug.sethook()
    assert(ok, result)
    return result, i >= n
  end

  for name, call in pairs(CALLS) do
    it("does no harm wherever it runs in " .. name, function ()
      local a, b = tide.array{ 1, 2, 3. }, tide.array{ 3, 4, 1. }
      local wanted = call(a, b):totable()
      local n, more = 0, true
      while more do
        n = n + 1
        local result
        result, more = hooked(call, n, a, b)
        assert.same(wanted, result:totable())
      end
      assert.is_true(n > 3)
    end)
  end
end)

end)
