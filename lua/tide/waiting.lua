--[[
waiting.lua - who sleeps until work of the device is over: tasks of tide.run
(tasks.lua) and coroutines of event loops (loops.lua), in one queue of tickets
(src/device/ticket.c).

Each is a table with waken(who, value), which has it go on later, never at once:
so anybody may ask the device, and whoever is found hears of it. The coroutines
of a loop have one together, their runner.
]]
local core <const> = require "tide.scheduler"  -- see ticket.c

local waiting <const> = {
  tickets = {},         -- number -> who
  TIMEOUT = {},         -- the value that wakes one whose time was over
  run = false,          -- that of runner.lua whose turn it is, or false
  turn = 0,             -- another one each time that some are woken
  looked = false,       -- (): the device was asked, and coroutines of loops may
                        -- have to be told
}

local MOST <const>, tickets <const> = core.FOUND_MOST, waiting.tickets
local found <const>, left = {}, 0  -- numbers of those that are to be woken
for i = 1, MOST do found[i] = 0 end

--- What cannot wake one is not in the way of the others: the next call goes on.
local function wake_found ()
  waiting.turn = waiting.turn + 1
  while left > 0 do
    left = left - 1
    local id = found[left + 1]
    local who = tickets[id]
    if who then who:waken(id) end
  end
end

--- Asks the device, for so many seconds or until somebody is found -> is there
-- nothing to wait for? name: what the program has called.
function waiting.look (seconds, name)
  local n, idle
  repeat
    wake_found()
    idle, n = core.next_over(seconds, name, found)
    left, seconds = n, 0
  until n < MOST
  wake_found()
  if waiting.looked then waiting.looked() end
  return idle
end

return waiting
