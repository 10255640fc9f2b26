--[[
An operation of ranks that was the last of its program, and failed while the
Lua state waited for it to close, failed without a word. A rank that had closed
its communicator was named without the operation that it had not come to.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

describe("what fails while the state closes", function ()
  ranks_it("is a warning, with its operation and line #process", function ()
    local mode = ranks.processes(kind, 2)
    for _, late in ipairs{ "told()", "os.execute 'sleep 6'" } do
      local printed, well = ranks.run(kind, mode, [[
        warn "@on"
        local x = tide.ones(4)
        connect(comm, 4)
        if comm.rank == 0 then
          comm:all_reduce(x)
          tell()
        else
          ]] .. late .. [[
        end
      ]], 4)
      assert.is_true(well[1] and well[2], table.concat(printed, "; "))
      assert.matches("nobody asked for this error: rank 0 of 2: " ..
                     ".*all_reduce.*%(.-:%d+%)", printed[1])
    end
  end)
end)

end)
