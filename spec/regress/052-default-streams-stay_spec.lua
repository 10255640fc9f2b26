--[[
`local s <close> = tide.Stream.null` closed the default stream for good.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a default stream", function ()
  for _, name in ipairs{ "null", "ptds" } do
    it("is open after it was in a <close> variable: " .. name, function ()
      do
        local _ <close> = tide.Stream[name]
      end
      tide.Stream[name]:synchronize()
      assert.is_true(tide.Stream[name].done)
      helper.fails("default stream", tide.Stream[name].close,
                   tide.Stream[name])
    end)
  end
end)

end)
