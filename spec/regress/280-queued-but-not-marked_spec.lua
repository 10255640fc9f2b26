--[[
An operation is queued, and then the event that would mark it cannot be had: the
call raises the driver's error. The check that goes with it was dropped, though
the operation was on its way. Nobody heard of an index out of range, or of a
file that is too short, and the word that the kernel sets was lent to the next
one while it could still be set.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, T = helper.fails, helper.T

local BYTES <const> = 4096

helper.each_device(function ()

describe("what is queued when its mark fails", function ()
  local s <const> = tide.Stream.ptds  -- it is marked at once

  after_each(function () T.failcall(0) end)

  --- Runs fn on the stream, and makes the mark behind its work fail; the work
  -- begins once 'meanwhile' was called.
  local function without_a_mark (fn, meanwhile)
    local key = T.hold(s)
    local ok, message = pcall(s.with, s, function ()
      T.failcall(1, 999, "cuEventRecord")
      fn()
    end)
    local failed = T.failed()
    T.failcall(0)
    if meanwhile then
      meanwhile()
    end
    T.release(key)
    assert.is_false(ok)
    assert.matches("cuEventRecord", message)
    assert.equal("cuEventRecord", failed)
  end

  it("has its indices checked", function ()
    local a, index = tide.zeros(4), tide.array({ 2, 9 }, "int64")
    local out = tide.zeros(2)
    tide.Stream.null:synchronize()
    without_a_mark(function () a:take(index, { out = out }) end)
    fails("index 9 is out of range", s.synchronize, s)
    s:synchronize()
  end)

  it("is told of a file that is too short", function ()
    local path = os.tmpname()
    local file <close> = assert(io.open(path, "wb"))
    file:write(("x"):rep(BYTES))
    file:flush()
    local f <close> = tide.open(path)
    local h = tide.HostArray(BYTES, "uint8")
    without_a_mark(function () f:read(h) end,
                   function () io.open(path, "wb"):close() end)
    fails("it ended", s.synchronize, s)
    os.remove(path)
  end)
end)

end)
