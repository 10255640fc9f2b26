--[[
A capture that had been left, by an error or with its stream, was thrown away by
the next operation only: until then whatever had taken part in it was as in an
open capture, so that a HostArray could not be read, nor a stream be closed.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local new = helper.new_stream

helper.each_device(function ()

--- A capture in which t, a and h take part, and that nobody will end.
local ways = {
  ["an error left"] = function (t, a, h)
    assert.is_false(pcall(tide.capture, function ()
      t:wait_stream(tide.get_current_stream())
      t:with(function () a:add_(1) h:copy_from(a) end)
      error "left"
    end))
  end,
  ["was collected"] = function (t, a, h)
    local function begin ()
      local s = new():begin_capture()  -- held until all is in it
      t:wait_stream(s)
      t:with(function () a:add_(1) h:copy_from(a) end)
    end
    begin()
    collectgarbage()
  end
}

local uses = {
  ["an element is read"] = function (_, _, h) return h[1] end,
  ["an element is written"] = function (_, _, h) h[1] = 2 end,
  ["a HostArray is read"] = function (_, _, h) return h:totable() end,
  ["a HostArray is filled"] = function (_, _, h) h:fill(1) end,
  ["an array is read"] = function (_, a) return a:totable() end,
  ["an array is copied"] = function (_, a) return a:tohost() end,
  ["a stream is asked"] = function (t) assert(not t:is_capturing()) end,
  ["a stream is asked whether it is done"] = function (t) return t.done end,
  ["a stream is waited for"] = function (t) t:synchronize() end,
  ["a stream is closed"] = function (t) t:close() end,
  ["a stream captures anew"] = function (t)
    t:begin_capture()
    t:end_capture():close()
  end,
  ["the device is waited for"] = function () tide.get_device():synchronize() end
}

for way, leave in pairs(ways) do
  describe("a capture that " .. way .. " is over when", function ()
    for use, fn in pairs(uses) do
      it(use, function ()
        local t, a, h = new(), tide.zeros(4), tide.HostArray(4)
        leave(t, a, h)
        fn(t, a, h)
        assert.equal(0, a:max():item())
      end)
    end
  end)
end

end)
