--[[
Another lua_State of the thread may reset the device in a host function: when
that had run, its flag was set in memory that was gone.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("a device that a host function has reset by another state", function ()
  local function check (wait)
    helper.program(kind, "several", ([[
      local tide = require "tide"
      run(1, "require 'tide'.ones(10):sum():item()")
      local s, a = tide.Stream{ non_blocking = true }, tide.ones(10)
      s:launch_host_func(function ()
        run(1, "require 'tide'.get_device():reset()")
      end)
      %s
      assert(not pcall(a.add_, a, 1))
      assert(tide.ones(7):sum():item() == 7)
    ]]):format(wait))
  end

  helper.host_it("is noticed after a wait #process", function ()
    check "pcall(s.synchronize, s)"
  end)

  helper.host_it("is noticed after poll #process", function ()
    check "while tide.poll() == 0 do end"
  end)
end)

end)
