--[[
waiting.lua - the waits for work of the device: tasks of tide.run (tasks.lua)
and coroutines of event loops (loops.lua), in one queue of tickets
(src/device/await.c).

Each waiter is a table with waken(who, value), which makes a coroutine ready,
but never resumes it at once. So any waiter may ask the device, and wake the
others. The coroutines of a loop share one waiter, their scheduler.
]]
local core <const> = require "tide.scheduler"  -- see await.c

local waiting <const> = {
  tickets = {},         -- number -> waiter
  TIMEOUT = {},         -- the value that wakes a waiter after its timeout
  run = false,          -- the run of runner.lua whose turn it is, or false
  turn = 0,             -- changes each time that some are woken
  looked = false,       -- (): called after the device was asked, to inform
                        -- coroutines of loops
}

local MOST <const>, tickets <const> = core.FOUND_MOST, waiting.tickets
local found <const>, left = {}, 0  -- numbers of the tickets to wake
for i = 1, MOST do found[i] = 0 end

--- Wakes the waiters found. If waking one raises, the next call continues
-- behind it.
local function wake_found ()
  waiting.turn = waiting.turn + 1
  while left > 0 do
    left = left - 1
    local id = found[left + 1]
    local who = tickets[id]
    if who then who:waken(id) end
  end
end

--- Asks the device, for so many seconds or until a ticket is found. Returns
-- whether there is nothing to wait for. name: the call of the program.
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
