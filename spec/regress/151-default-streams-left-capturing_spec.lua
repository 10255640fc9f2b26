--[[
A driver call that failed where a capture was to end left the thread's default
stream capturing, of which the library knew nothing any more: all that was
queued there was lost in it, in this lua_State and in the next of the thread.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function (kind)

local function check ()
  local a, s = tide.zeros(4), tide.Stream.ptds
  assert.is_false(s:is_capturing())
  s:with(function () a:add_(1) end)
  s:synchronize()
  assert.equal(4, a:sum():item())
end

local function begin ()
  local a = tide.zeros(4)
  tide.Stream.ptds:begin_capture():with(function () a:add_(1) end)
end

describe("the thread's default stream does not capture any more", function ()
  it("when the end of a capture failed", function ()
    begin()
    T.failcall(1, 999, "cuStreamEndCapture")
    helper.fails("cuStreamEndCapture", tide.Stream.ptds.end_capture,
                 tide.Stream.ptds)
    check()
  end)

  for _, name in ipairs{ "cuStreamEndCapture", "cuCtxSetCurrent" } do
    it("when " .. name .. " failed as its state closed #process", function ()
      helper.program(kind, "states", "closing", name)
    end)
  end
end)

end)
