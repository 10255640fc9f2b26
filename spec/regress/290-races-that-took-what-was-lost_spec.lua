--[[
The losers of tide.race were cancelled in the turn of who had called it; one
that was ready by then had its own turn before, took a value of a queue or a
place of a semaphore, and nobody got it.
]]
local tide = require "tide"

--- Until then nobody has a turn.
local function busy (seconds)
  local til = tide.clock() + seconds
  while tide.clock() < til do end
end

it("who loses a race takes nothing, ready or not", function ()
  tide.run(function ()
    local q = tide.queue()
    tide.spawn(function () tide.sleep(0.002) q:put "v" end)
    tide.spawn(function () tide.sleep(0.001) busy(0.02) end)
    local which, value = tide.race{ function () return q:get() end,
                                    function () tide.sleep(0.004) end }
    tide.sleep(0.001)
    assert(which == 1 and value == "v" or which == 2 and q:get() == "v")

    local places = tide.semaphore(1)
    tide.spawn(function ()
      local _ <close> = places:acquire()
      tide.sleep(0.002)
    end)
    tide.sleep(0)
    tide.spawn(function () tide.sleep(0.001) busy(0.02) end)
    which = tide.race{ function () return places:acquire() end,
                       function () tide.sleep(0.004) end }
    if which == 2 then
      assert.equal(1, (tide.race{ function () return places:acquire() end,
                                  function () tide.sleep(1) end }))
    end

    local full = tide.queue(1):put(1)
    tide.spawn(function () tide.sleep(0.002) full:get() end)
    tide.spawn(function () tide.sleep(0.001) busy(0.02) end)
    which = tide.race{ function () full:put(2) end,
                       function () tide.sleep(0.004) end }
    tide.sleep(0.001)
    assert.equal(which == 1 and 1 or 0, #full)
  end)
end)

it("what is left when one of a list fails does nothing more", function ()
  tide.run(function ()
    local q, turn = tide.queue(), 0
    local raised, did
    local function now ()
      turn = turn + 1
      return turn
    end
    tide.spawn(function () tide.sleep(0.002) q:put "v" end)
    tide.spawn(function () tide.sleep(0.001) busy(0.02) end)
    assert(not pcall(tide.gather, {
      function () tide.sleep(0.004) raised = now() error "one" end,
      function () q:get() tide.sleep(0) did = now() end
    }))
    tide.sleep(0.001)
    assert(not did or did < raised)  -- a stalled machine may let it be first
  end)
end)
