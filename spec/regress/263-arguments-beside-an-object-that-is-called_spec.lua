--[[
In a finalizer an argument error of a function that is behind no door
(stream:with) asked the call under way for its name; which, after an error, was
one that had ended: its memory on the C stack held anything. A crash, seen in a
soak on an H200.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

--- Where nothing shallow overwrites what is left there.
local function deep (n, fn)
  if n > 0 then
    pcall(deep, n - 1, fn)
  else
    fn()
  end
end

helper.each_device(function ()
  it("errors of functions without a door are their own", function ()
    local closed = tide.Stream()
    closed:close()
    local a = tide.zeros(10)
    local f = tide.fuse(function (x) return x * 2 end)
    f(a)
    local err
    deep(40, function () f(a, { output = 1 }) end)
    setmetatable({}, { __gc = function ()
      err = select(2, pcall(closed.with, closed, print))
    end })
    collectgarbage()
    assert.truthy(err:find("bad argument #1 to 'with' (stream is closed)", 1,
                           true), err)
  end)
end)
