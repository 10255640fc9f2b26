--[[
Communicators that were dropped and not collected kept their descriptors, of
which Lua's collector sees nothing, until there were no more.
]]
local helper = require "spec.support.helper"

describe("communicators that are dropped", function ()
  it("end before descriptors run out #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local function check ()
        local ls <close> = io.popen "ls /proc/$PPID/fd | wc -l"
        local n = ls:read "n"
        assert(n < 200, n)
      end
      for i = 1, 120 do
        tide.comm{ "host:0", "host:1" }:barrier()
        if i % 30 == 0 then check() end
      end
      local comm = tide.comm{ "host:0", "host:1" }
      for i = 1, 120 do
        comm:split{ 0, 0 }
        if i % 30 == 0 then check() end
      end
      comm:barrier()
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)
