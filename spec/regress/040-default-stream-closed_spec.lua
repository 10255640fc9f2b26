--[[
A <close> variable that held tide.Stream.null or .ptds closed it for good: the
coroutine's current stream could not be used any more.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()
  describe("a default stream in a <close> variable", function ()
    it("is open afterwards", function ()
      for _, name in ipairs{ "null", "ptds" } do
        do
          local _ <close> = tide.Stream[name]
        end
        tide.Stream[name]:synchronize()
        assert.is_true(tide.Stream[name].done)
      end
      assert.equal(tide.Stream.null, tide.get_current_stream())
      assert.equal(4.0, tide.ones(4):sum():item())
    end)
  end)
end)
