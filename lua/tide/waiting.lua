--[[
waiting.lua - who sleeps until work of the device is over: tasks of tide.run
(tasks.lua) and coroutines of event loops (loops.lua), in one queue of tickets
(src/device/ticket.c).

Each is a table with waken(who, value), which has it go on later, never at once:
so anybody may ask the device, and whoever is found hears of it.
]]
local core <const> = require "tide.scheduler"  -- see ticket.c

local waiting <const> = {
  tickets = {},         -- number -> who
  TIMEOUT = {},         -- the value that wakes one whose time was over
  task_sleeper = false, -- () -> a function that sleeps, or nil: of tasks,
  loop_sleeper = false, -- of coroutines of loops
  looked = false,       -- (): the device was asked, and coroutines of loops may
                        -- have to be told
}

--- Asks the device, for so many seconds or until somebody is found -> is there
-- nothing to wait for?
function waiting.look (seconds)
  local id, idle = core.next_over(seconds)
  while id do
    local who = waiting.tickets[id]
    if who then who:waken(true) end
    id = core.next_over(0)
  end
  if waiting.looked then waiting.looked() end
  return idle
end

core.set_sleeper(function ()
  return waiting.task_sleeper and waiting.task_sleeper() or
         waiting.loop_sleeper and waiting.loop_sleeper() or nil
end)

return waiting
