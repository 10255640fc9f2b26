--[[
A host access waits for all work that touches the elements, also for what host
functions queue meanwhile: one that queued itself and a copy again kept the
access from returning.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local PRELUDE = [[
  local tide = require "tide"
  local s, n = tide.Stream{ non_blocking = true }, 0
  local a, h = tide.ones(10), tide.HostArray(10)
  local on = true
  local function again ()
    n = n + 1
    if on then
      s:launch_host_func(again)
      s:with(function () h:copy_from(a) a:add_(1) end)
    end
  end
]]

describe("functions that queue copies again and again #process", function ()
  for call, what in pairs{
    ["h[1]"] = "hostarray index", ["h:totable()"] = "array:totable",
    ["h:fill(3)"] = "hostarray:fill", ["h:to_dlpack()"] = "to_dlpack"
  } do
    it("do not keep " .. call .. " from returning", function ()
      helper.child_on(kind, PRELUDE .. ([[
        again()
        local ok, why = pcall(function () return %s end)
        on = false
        assert(not ok and why:find("%s: CUDA_ERROR_NOT_PERMITTED", 1, true) and
               why:find "host functions or finalizers keep queueing", why)
        assert(n > 10000 and n < 10100, n)
        s:synchronize()
        assert(h[1] == n - 1, h[1])
      ]]):format(call, what))
    end)
  end

  it("are waited for if they were queued before, however many", function ()
    helper.child_on(kind, PRELUDE .. [[
      on = false
      for i = 1, 15000 do
        s:launch_host_func(again)
      end
      s:with(function () h:copy_from(a) end)
      assert(h[1] == 1 and n == 15000)
    ]])
  end)
end)

end)
