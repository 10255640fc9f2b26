--[[
A host function, or a finalizer, that queued something 400 operations after one
that other ranks had not come to was told that it must not wait.
]]
local ranks = require "spec.support.ranks"

it("functions queue what they have far ahead of ranks #process", function ()
  ranks.works("host", { processes = 2 }, [[
    local x, y, ran = tide.ones(1), tide.zeros(1), 0
    local s = tide.Stream{ non_blocking = true }
    local function add ()
      for _ = 1, 20 do y:add_(1) end
      ran = ran + 1
    end
    local function leave () setmetatable({}, { __gc = add }) end
    comm:barrier()
    if comm.rank == 1 then tide.sleep(1) end
    comm:all_reduce(x)
    for _ = 1, 390 do y:add_(1) end
    s:launch_host_func(add)
    s:synchronize()
    leave()
    collectgarbage()
    assert(ran == 2 and y[1] == 430 and x[1] == 2)
  ]], 10)
end)
