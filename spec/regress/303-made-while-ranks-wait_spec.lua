--[[
To make a stream, to end a capture, to use a fused kernel for the first time
waited for operations of ranks under way, with all tasks: one that would have
sent what the other rank waits for did not come to it.
]]
local ranks = require "spec.support.ranks"

local function works (code)
  return function () ranks.works("host", { processes = 2 }, code, 10) end
end

describe("while an operation of ranks is under way", function ()
  it("tasks begin and go on #process", works [[
    comm:barrier()
    if comm.rank == 1 then told() end
    comm:all_reduce(tide.ones(1))
    if comm.rank == 0 then
      tide.run(function ()
        tide.spawn(function () tide.sleep(0.1) end)
        tide.sleep(0.1)
        tell()
      end)
    end
  ]])

  it("another task may send what its end takes #process", works [[
    local work, answers = comm:split(0), comm:split(0)
    if comm.rank == 1 then
      local w = work:recv(tide.zeros(1), 0)
      answers:send(w * 2, 0)
    else
      local a = tide.zeros(1)
      tide.run(function ()
        tide.gather{
          function () answers:recv(a, 1):await() end,
          function () work:send(tide.full(1, 5.0), 1):await() end
        }
      end)
      assert(a[1] == 10)
    end
  ]])

  it("streams, graphs and kernels are made #process", works [[
    local x, y = tide.ones(1), tide.ones(4)
    local more = {}
    local function use ()
      for i = 1, 100 do more[i] = tide.Stream{ non_blocking = true } end
      y:copy_from(tide.fuse(function (a) return a * 2 + 1 end)(y))
      tide.capture(function () y:add_(1) end):launch()
      return y[4]
    end
    if comm.rank == 1 then
      told()
      comm:send(x, 0)
    else
      local s = tide.Stream{ non_blocking = true }
      s:with(function () comm:recv(x, 1) end)
      assert(use() == 4)
      tell()
    end
  ]])
end)
