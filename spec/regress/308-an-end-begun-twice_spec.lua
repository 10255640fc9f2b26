--[[
A communicator that was found to have failed as it was to end began its end
twice, on two threads: what the one freed the other used.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

describe("a communicator whose other rank has gone", function ()
  ranks_it("ends once #process", function ()
    local mode = ranks.processes(kind, 2)
    mode.variables = "TIDE_TEST_LANES=1"
    for _ = 1, 4 do
      ranks.works(kind, mode, [[
        local x = tide.ones(4)
        comm:all_reduce(x)
        if comm.rank == 0 then
          comm:all_reduce(x)
          tell()
        else
          told()
        end
      ]], kind == "cuda" and 5 or 20)
    end
  end)
end)

end)
