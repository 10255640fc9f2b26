--[[
What has passed is forgotten, and so was what an operation of ranks had not
done: who came later, from another stream or to read a second time, or saved the
array, got the numbers of before and no error.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

--- lost(n) -> n lists of arrays, one for each rank of this process, that are
-- not reduced, by as many communicators.
local LOST <const> = [==[
local function lost (n)
  local comms, arrays = {}, {}
  for i = 1, n do
    comms[i] = split(comm)
    connect(comms[i], 3)
    arrays[i] = each(function () return tide.ones(3) end)
  end
  lose(comms, function ()
    for i, x in ipairs(arrays) do
      tide.Stream{ non_blocking = true }:with(function ()
        comms[i]:all_reduce(x[2] and x or x[1])
      end)
    end
  end)
  tide.sleep(0.05)
  return arrays
end
]==]

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

local TIMEOUT <const> = kind == "cuda" and 5 or 2
local on_pairs = ranks.pairs(kind, TIMEOUT)

describe("a failure that nobody was told of", function ()
  on_pairs("is an error of whoever waits next", LOST .. [[
    local path = os.tmpname()
    local waits = {
      function (x) return x[1] end,
      function (x) return x:totable() end,
      function (x) tide.save(path, x) end,
      tostring,
      function (x) return (x + 1)[1] end,
      function (x) x:await() end,
      function () tide.run(function () tide.ones(1):await() end) end,
      function () tide.Stream():synchronize() end,
      function () tide.Event():record():synchronize() end,
      function () comm.devices[1]:synchronize() end,
      function () return tide.ones(3):sum():item() end,
      function () tide.poll() end
    }
    local arrays = lost(#waits)
    for i, wait in ipairs(waits) do
      fails("other ranks have not come", wait, arrays[i][1])
    end
    os.remove(path)
    assert(tide.ones(3):sum():item() == 3)
    comm:close()
  ]])

  ranks_it("is a warning at the end #process", function ()
    local printed = ranks.run(kind, ranks.modes(kind)[1],
      LOST .. "warn '@on' lost(1)", TIMEOUT)
    assert.matches("nobody asked for this error: rank %d of 2: .*other " ..
                   "ranks have not come", printed[1])
  end)
end)

end)
