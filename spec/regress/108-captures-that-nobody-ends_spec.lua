--[[
A program that again and again left captures to the collector never had a moment
without one, and while a capture is open nothing is freed: streams, graphs and
events of all that it did were kept, for as long as it ran.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

describe("captures that nobody ends", function ()
  it("keep streams and graphs for a while only", function ()
    local a = tide.zeros(4)
    local before = T.kept().streams
    for _ = 1, 1500 do
      local own = tide.zeros(4)
      local s = new():begin_capture()
      s:with(function () own:add_(1) end)
      local t <close> = new()
      t:with(function () a:add_(1) end)
    end
    assert.equal(1500, a[4])
    assert(T.kept().streams < before + 200, T.kept().streams)
  end)

  it("are told from those that somebody has", function ()
    local open, arrays = {}, {}
    for i = 1, 60 do
      open[i], arrays[i] = new():begin_capture(), tide.zeros(2)
      open[i]:with(function () arrays[i]:add_(i) end)
    end
    for i, s in ipairs(open) do
      local g <close> = s:end_capture()
      g:launch()
      assert.equal(i, arrays[i][2])
    end
  end)
end)

end)
