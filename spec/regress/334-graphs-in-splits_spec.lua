--[[
A rank that waits in comm:split may launch a graph with operations of the
communicator, in a host function. Other ranks took it for one that will not come
to that operation, and all were told that they do not agree.
]]
local helper = require "spec.helper"
local ranks = require "spec.ranks"

helper.each_device(function (kind)

describe("a graph that is launched within a split #process", function ()
  for _, mode in ipairs(ranks.modes(kind)) do
    if mode.processes == 2 then
      it("by one rank, and by the other one behind it", function ()
        ranks.works(kind, mode, [[
          local x = tide.ones(4)
          local g = tide.capture(function () comm:all_reduce(x, "avg") end)
          local s = tide.Stream{ non_blocking = true }
          for i = 1, 60 do
            if comm.rank == 0 then
              s:launch_host_func(function () g:launch() end)
              local c = comm:split(0)
              s:synchronize()
              c:close()
            else
              comm:split(0):close()
              g:launch()
            end
            x:totable()
          end
        ]], 30)
      end)

      it("by both", function ()
        ranks.works(kind, mode, [[
          local x = tide.ones(4)
          local g = tide.capture(function () comm:all_reduce(x, "avg") end)
          local s = tide.Stream{ non_blocking = true }
          for i = 1, 60 do
            s:launch_host_func(function () g:launch() end)
            local t = tide.clock()
            while tide.clock() - t < 0.002 * (i % 3) do end
            local c = comm:split(0)
            s:synchronize()
            c:close()
            x:totable()
          end
        ]], 30)
      end)
    end
  end
end)

end)
