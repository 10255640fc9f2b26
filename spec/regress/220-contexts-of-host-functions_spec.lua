--[[
A wait enters the context once, and what a host function did meanwhile, in
another lua_State of the thread, was not looked for: its next memory was of the
other's device.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("a host function that runs another lua_State", function ()
  helper.host_it("has its own device afterwards #process", function ()
    helper.program_in({ TIDE_HOST_DEVICES = 2 }, kind, "several", [[
      local tide = require "tide"
      tide.Device "host:0":use()
      run(1, "tide = require 'tide'; tide.Device 'host:1':use(); " ..
             "x = tide.ones(10)")
      local s, h = tide.Stream{ non_blocking = true }, nil
      s:launch_host_func(function ()
        tide.Event()
        run(1, "y = tide.ones(10000000)")
        h = tide.HostArray(1 << 22)
      end)
      s:synchronize()
      run(1, "tide.Device 'host:1':reset()")
      h:fill(3)
      assert(h[5] == 3 and tide.asarray(h):sum():item() == 3 << 22)
    ]])
  end)
end)

end)
