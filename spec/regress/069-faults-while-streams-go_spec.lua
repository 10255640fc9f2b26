--[[
A stream whose capture could not be ended is destroyed when it is dropped, as
nobody else can use it. Where the driver could not be reached at that moment,
its handle was forgotten and lived for ever. Found by the fuzzer.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

--- A stream goes whose capture failed to end at that call of the driver, while
-- another call fails.
local function drop_stream (first, second)
  local s = tide.Stream{ non_blocking = true }
  s:begin_capture()
  s:with(function () return tide.ones(3) + 1 end)
  T.failcall(first, 999)
  pcall(s.end_capture, s)
  T.failcall(second, 999)
  pcall(s.close, s)
  pcall(tide.poll)
  T.failcall(0)
end

describe("a stream whose capture cannot be ended #sweep", function ()
  it("is destroyed, sooner or later, whatever fails meanwhile", function ()
    tide.ones(3)
    for first = 1, 6 do
      for second = 1, 8 do
        drop_stream(first, second)
        helper.settle()
        assert.equal(0, T.held().streams, ("faults %d, %d"):format(first,
                                                                   second))
      end
    end
  end)
end)

end)
