--[[
tide.fuse makes code for the device, and was there with TIDE_KERNELS left out.
dev:reset() takes the arrays of all Lua states of the process, and no group left
it out; it is in TIDE_RESET now. The host program is spec/embed/limits.c.
#process: see run.lua.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("left out #process", function ()
  it("with kernels is tide.fuse", function ()
    helper.program(kind, "limits", "leave_out=2", [[
      local tide = require "tide"
      local ok, err = pcall(tide.fuse, function (x) return x end)
      assert(not ok and err:find("'fuse' is left out by the host program", 1,
                                 true), err)
      tide.ones(3)
      tide.get_device():reset()
      assert(tide.ones(3):sum():item() == 3)
    ]])
  end)

  it("with resets is dev:reset", function ()
    helper.program(kind, "limits", "leave_out=8", [[
      local tide = require "tide"
      local a, dev = tide.ones(3), tide.get_device()
      local ok, err = pcall(dev.reset, dev)
      assert(not ok and err:find("'reset' is left out by the host program", 1,
                                 true), err)
      assert(a:sum():item() == 3)
      assert(tide.fuse(function (x) return x * 2 end)(a):sum():item() == 6)
    ]])
  end)
end)

end)
