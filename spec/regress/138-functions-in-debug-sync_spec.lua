--[[
Under debug_sync, where the call whose work fails is to be the one that raises,
a host function ran in the call that queued it, but its error came with the
next wait.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("under debug_sync an error of a host function", function ()
  before_each(function () tide.debug_sync(true) end)
  after_each(function () tide.debug_sync(false) end)

  it("is raised by the call that queued it", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    fails("went wrong", s.launch_host_func, s, error, "went wrong")
    fails("went wrong", s.add_callback, s, function () error "went wrong" end)
    s:synchronize()
  end)

  it("is raised by the launch of its graph", function ()
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(error, "went wrong")
    end)
    local s <close> = tide.Stream{ non_blocking = true }
    fails("went wrong", g.launch, g, s)
    s:synchronize()
  end)
end)

end)
