--[[
Random numbers of few bits are drawn wide, and cast: the second operation must
go through once the first has, or the call would begin again and draw others.
Where there was room behind a host function for the first alone, the cast did
not go through.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

describe("what is drawn behind a function without room", function ()
  after_each(function () T.limits() end)

  local function draw ()
    local a <close> = tide.random.poisson(20, 6, "int16")
    return a:tohost{ blocking = false }
  end

  it("is drawn once", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local long <close> = tide.ones(1 << 22)
    tide.random.seed(7)
    local wanted = draw():totable()
    for room = 1, 4 do
      tide.random.seed(7)
      local drawn
      s:with(function ()
        for _ = 1, 10 do long:sin_() end
        s:launch_host_func(function () end)
        T.limits(room)
        drawn = draw()
      end)
      assert.same(wanted, drawn:totable())
    end
  end)
end)

end)
