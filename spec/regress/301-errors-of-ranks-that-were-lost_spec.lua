--[[
What has passed is forgotten, and so was what an operation of ranks had not
done: who came later, from another stream or to read a second time, or saved the
array, got the numbers of before and no error.
]]
local helper = require "spec.helper"
local ranks = require "spec.ranks"

--- lose(n) -> n lists of arrays, one for each rank of this process, that are
-- not reduced: one rank does not come to it, or no further.
local LOST <const> = [==[
local function split ()
  local colors = each(function () return 0 end)
  local made = comm:split(colors[2] and colors or 0)
  return colors[2] and made[1] or made
end

local function lose (n)
  local comms, arrays, streams, held = {}, {}, {}
  for i = 1, n do
    comms[i] = split()
    streams[i] = tide.Stream{ non_blocking = true }
    arrays[i] = each(function () return tide.ones(3) end)
  end
  if comm.rank == 1 then
    tide.sleep(TIMEOUT + 3)
    print "done"
    os.exit(true, true)
  end
  if comm.ranks[2] then
    held = tide.with_device(comm.devices[2], function ()
      return T.hold(tide.get_current_stream())
    end)
  end
  for i, x in ipairs(arrays) do
    streams[i]:with(function ()
      comms[i]:all_reduce(x[2] and x or x[1])
    end)
  end
  for i = 1, n do
    while not comms[i].error do tide.sleep(0.01) end
  end
  if held then T.release(held) end
  tide.sleep(0.05)
  return arrays, comms
end
]==]

helper.each_device(function (kind)

local TIMEOUT <const> = kind == "cuda" and 5 or 0.5

local function on_ranks (what, code)
  for _, mode in ipairs(ranks.modes(kind)) do
    if (mode.devices or mode.processes) == 2 then
      it(("%s, %s #process"):format(what, mode.name), function ()
        ranks.works(kind, mode, "local TIMEOUT = " .. TIMEOUT .. "\n" .. LOST ..
                                code, TIMEOUT)
      end)
    end
  end
end

describe("a failure that nobody was told of", function ()
  on_ranks("is an error of whoever waits next", [[
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
    local arrays = lose(#waits)
    for i, wait in ipairs(waits) do
      fails("other ranks have not come", wait, arrays[i][1])
    end
    os.remove(path)
    assert(tide.ones(3):sum():item() == 3)
    comm:close()
  ]])

  it("is a warning at the end #process", function ()
    if not ranks.modes(kind)[1] then
      pending "there is one GPU"
      return
    end
    local printed = ranks.run(kind, ranks.modes(kind)[1],
      "local TIMEOUT = " .. TIMEOUT .. "\n" .. LOST .. [[
      warn "@on"
      lose(1)
    ]], TIMEOUT)
    assert.matches("nobody asked for this error: rank %d of 2: other ranks " ..
                   "have not come", printed[1])
  end)
end)

end)
