--[[
states_spec.lua - several lua_States, threads, and allocators that fail. The
host programs are spec/embed/states.c and allocations.c. #process: see run.lua,
which runs some of this under ThreadSanitizer by itself.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local function states (...) helper.program(kind, "states", ...) end

describe("lua_States #process", function ()
  it("on two threads at once", function () states("threads", 2) end)

  it("on eight threads at once", function () states("threads", 8) end)

  it("on four threads, with kernels that come and go", function ()
    states("kernels", 4)
  end)

  it("closed with work pending", function () states "pending" end)

  it("closed while another one of the thread has functions to run", function ()
    states("pending", "both")
  end)

  it("moved from thread to thread", function () states "move" end)

  it("with captures of each mode: on the move, and beside others", function ()
    states "captures"
  end)

  it("each have a sync_debug of their own", function () states "debug" end)

  for _, task in ipairs{ "require", "streams", "arrays", "callbacks",
                         "graphs", "coroutines", "kernels" } do
    it("with an allocator that fails at every point: " .. task .. " #slow",
       function () helper.program(kind, "allocations", task) end)
  end
end)

end)
