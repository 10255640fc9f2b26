--[[
s:with(fn) is behind no door. Where it was the first use of a device that could
not be opened before others' host functions had run, it began the call again
that an error had left, in a frame of the C stack that was gone.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("with, as the first use of a lua_State", function ()
  local function check (before)
    helper.program(kind, "several", ([[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      local t = tide.Stream{ non_blocking = true }
      local a, kept, started = tide.ones(10), {}, false
      t:launch_host_func(function ()
        for i = 1, 400 do  -- all that there are
          local ok, stream = pcall(tide.Stream, { non_blocking = true })
          if not ok then break end
          kept[i] = stream
        end
        start(1, %q)
        started = true
        sleep(0.2)
      end)
      s:launch_host_func(function () end)
      s:with(function () a:add_(1) end)
      sleep(0.05)
      repeat tide.poll() until started
      s:synchronize()
      finish()
      kept = nil
    ]]):format(before .. [[
      local tide = require "tide"
      local ran = tide.Stream.null:with(function () return "ran" end)
      assert(ran == "ran", ran)
    ]]))
  end

  helper.host_it("waits as other calls do #process", function () check "" end)

  helper.host_it("also after an error deep in the stack #process", function ()
    check [[
      local tide = require "tide"
      local function deep (n)
        if n > 0 then
          deep(n - 1)
        else
          pcall(tide.zeros, -1)
        end
        return n
      end
      deep(30)
    ]]
  end)
end)

end)
