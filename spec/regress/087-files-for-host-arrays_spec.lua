--[[
With files left out, h:readfrom and h:writeto still read and wrote files of
Lua's io that a host program had given to the script, whatever methods it had
left them. The host program is spec/embed/limits.c. #process: see run.lua.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("without files #process", function ()
  it("host arrays neither read nor write any", function ()
    helper.program(kind, "limits", "leave_out=4", [[
      local tide = require "tide"
      local h, f = tide.HostArray(4, "uint8"), io.tmpfile()
      for _, name in ipairs{ "readfrom", "writeto" } do
        local ok, err = pcall(h[name], h, f)
        assert(not ok and err:find("'" .. name .. "' is left out by the host",
                                   1, true), err)
      end
      assert(f:seek "end" == 0)
    ]])
  end)
end)

end)
