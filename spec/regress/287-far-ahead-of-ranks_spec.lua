--[[
Who was far ahead of operations of ranks looked whether they had passed, on
their devices, and then queued with the context of the last one of those: its
events were another device's (CUDA_ERROR_INVALID_HANDLE), and freed twice.
]]
local ranks = require "spec.support.ranks"

it("far ahead of ranks a stream stays on its device #process", function ()
  ranks.works("host", { devices = 4 }, [[
    local x = each(function () return tide.zeros(100) end)
    local streams = each(function ()
      return tide.Stream{ non_blocking = true }
    end)
    for _ = 1, 60 do
      for _, s in ipairs(streams) do s:use() end
      for _, a in ipairs(x) do
        tide.with_device(a.device, function () a:add_(1) end)
      end
      comm:all_reduce(x, "max")
      for _, a in ipairs(x) do
        tide.with_device(a.device, function () a:mul_(2):sub_(a / 2) end)
      end
    end
    for _, a in ipairs(x) do assert(a:eq(a[1]):all():item()) end
  ]])
end)
