--[[
With pointers left out, the texts of streams and events still told the addresses
of their handles, and so did the message when a device fails. The host program
is spec/embed/limits.c. #process: see run.lua.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("without pointers #process", function ()
  it("texts of streams and events tell no address", function ()
    helper.program(kind, "limits", "leave_out=1", [[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      local name = tostring(tide.get_device())
      assert(tostring(s) == ("tide.Stream (%s, non-blocking, priority 0)")
             :format(name), tostring(s))
      assert(tostring(tide.Event()):find("tide.Event (" .. name, 1, true))
    ]])
  end)

  helper.host_it("messages of failed devices tell none", function ()
    local CODE = [[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      tide.T.fault(s)
      local ok, err = pcall(s.synchronize, s)
      assert(not ok and err:find("on stream " .. PATTERN), err)
    ]]
    helper.program(kind, "limits", "leave_out=1", "PATTERN = '#%d+,'" .. CODE)
    helper.program(kind, "limits", "PATTERN = '0x%x+,'" .. CODE)
  end)
end)

end)
