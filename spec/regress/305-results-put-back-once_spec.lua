--[[
What was reduced into a view that is not dense is put back by a copy. Where that
had to wait, as the program was far ahead of ranks that had not come, or where a
finalizer had queued something since, the call began again, and with it the
operation, which other ranks had once.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

describe("the result of an operation of ranks", function ()
  for ahead = 0, 2 do
    it("is put back far ahead, by " .. ahead .. " #process", function ()
      ranks.works("host", { processes = 2 }, ([[
        comm:barrier()
        if comm.rank == 1 then tide.sleep(0.5) end
        local base, other = tide.ones(6), tide.zeros(1)
        local x = base:slice(1, -1, 2)
        comm:all_reduce(other)
        for _ = 1, %d do other:add_(1) end
        for _ = 1, 150 do
          comm:all_reduce(x)
          x:mul_(0.5)
        end
        comm:barrier()
        is(base, { 1, 1, 1, 1, 1, 1 })
      ]]):format(ahead), 10)
    end)
  end

  it("is put back once, whatever finalizers do #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local comm = tide.comm{ "host:0", "host:1" }
      local x, y, other = {}, {}, tide.zeros(1)
      local ran = 0
      local function leave ()
        setmetatable({}, { __gc = function ()
          ran = ran + 1
          other:add_(1)
        end })
      end
      for i = 1, 2 do
        tide.with_device("host:" .. i - 1, function ()
          x[i] = tide.ones(4)
          y[i] = tide.ones(8):slice(1, -1, 2)
        end)
      end
      collectgarbage("incremental", 1, 1000)
      for _ = 1, 200 do
        leave()
        comm:all_to_all(x, { out = x })
        leave()
        comm:all_reduce{ x[1], y[2] }
        for _, a in ipairs{ x[1], y[2] } do
          tide.with_device(a.device, function () a:mul_(0.5) end)
        end
      end
      collectgarbage()
      assert(ran > 100)
      for _, a in ipairs{ x[1], y[2], x[2] } do
        for _, v in ipairs(a:totable()) do assert(v == 1) end
      end
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)
