--[[
A process that was forked in a wait of tide.save cannot go on, and removed the
file that its parent was about to finish.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("a file that is being saved", function ()
  helper.host_it("stays when a child ends #process", function ()
    local path = os.tmpname()
    helper.program(kind, "several", ([[
      local tide = require "tide"
      local s, a = tide.Stream{ non_blocking = true }, tide.ones(1000)
      local child
      s:launch_host_func(function () child = fork() end)
      s:with(function () a:add_(1) end)
      local ok, why = pcall(tide.save, %q, a)
      if child == 0 then
        leave(ok and 1 or 0)
      end
      assert(ok, why)
      assert(wait(child) == 0)
      assert(tide.load(%q):sum():item() == 2000)
    ]]):format(path, path))
    os.remove(path)
  end)
end)

end)
