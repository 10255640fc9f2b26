--[[
allocations_spec.lua - the allocator of a lua_State fails, at every point there
is. The host program is spec/embed/allocations.c. On a GPU a state takes long to
open, so the tasks are in parts, a process each: see helper.is_mine.
]]
local helper = require "spec.support.helper"

local TASKS <const> = { "require", "streams", "arrays", "callbacks", "graphs",
                        "coroutines", "tasks", "loops", "kernels" }

helper.each_device(function (kind)

describe("an allocator that fails at every point #process", function ()
  for i, task in ipairs(TASKS) do
    if helper.is_mine(i) then
      it("is an error and no more: " .. task .. " #slow", function ()
        helper.program(kind, "allocations", task)
      end)
    end
  end
end)

end)
