--[[
parking.lua - how a task (tasks.lua) waits and is woken. A waiting task is
parked: it has yielded, and the code that ends its wait wakes it, which appends
it to the ready list. x:await() waits for work of the device: it calls our
scheduler hook (await.c) and yields as a parked task. A task that yields without
being parked lets the others run first.
]]
local tide = require "tide"
local core = require "tide.scheduler"
local loops = require "tide.loops"
local waiting = require "tide.waiting"

local clock <const> = tide.clock
local add_timer <const>, remove_timer <const> =
  core.add_timer, core.remove_timer
local running <const>, yield <const> = coroutine.running, coroutine.yield
local tickets <const> = waiting.tickets

local WAITING <const> = {}   -- the value that a parked task yields

-- Fields of a task; the others are in tasks.lua.
local CO <const>, RUN <const> = 1, 4
local PARKED <const>, VALUE <const> = 7, 8  -- the value that park() will return
local WAITS <const> = 9       -- the object of its wait: a task, or words
local TIMER <const>, TICKET <const> = 10, 11  -- that may wake it, or false

--- Resumes the run, if it has given its turn to its loop.
local function call_back (this)
  if this.waiter then this.waiter:waken(true) end
end

local function push_ready (task)
  local this <const> = task[RUN]
  local last <const> = this.last + 1
  this.ready[last] = task
  this.last = last
  if this.waiter then call_back(this) end
end

local function stop_timer (task)
  if task[TIMER] then
    remove_timer(task[RUN].timers, task[TIMER])
    task[TIMER] = false
  end
end

--- Replaces the timer of the task; nil removes it. The task refers to it before
-- the heap does, because a hook may raise in between.
local function set_timer (task, seconds)
  stop_timer(task)
  if not seconds then return end
  local timer <const> = { at = clock() + seconds, who = task, place = 0 }
  task[TIMER] = timer
  add_timer(task[RUN].timers, timer)
end

--- Drops the ticket of the task. If its wait has failed to begin, the number
-- may belong to another task.
local function forget_ticket (task)
  local id <const> = task[TICKET]
  if not id then return end
  task[TICKET] = false
  if tickets[id] == task then tickets[id] = nil end
end

--- Makes a parked task ready; park() returns 'value' there. After the end of
-- its run a task is not parked.
local function waken (task, value)
  if not task[PARKED] then return end
  push_ready(task)
  task[PARKED], task[VALUE] = false, value
  if task[TICKET] then forget_ticket(task) end
  if task[TIMER] then stop_timer(task) end
end

--- Returns the calling task; nil outside of the task's own coroutine, because
-- only that can yield to the scheduler.
local function current_task ()
  local this <const> = waiting.run
  local task <const> = this and this.current
  return task and running() == task[CO] and coroutine.isyieldable() and task or
         nil
end

--- Returns the calling task, or a waiter for the coroutine of a loop.
local function current (name)
  local who = current_task()
  if who then return who end
  local scheduler = loops.here()
  if scheduler then return loops.waiter(scheduler) end
  local hint <const> = not waiting.run and coroutine.isyieldable() and
                       "; or in one of an event loop, with require " ..
                       "\"tide.luv\" or the like" or ""
  error(("%s: called outside of a task: call it in the function that " ..
         "tide.run or tide.spawn calls, in its own coroutine%s"):format(name,
                                                                   hint), 3)
end

--- Waits to be woken, for so many seconds at most (nil and math.huge: no
-- timeout), and returns the value of waken(), or TIMEOUT. Does not wait if
-- over(what), if there is such a function: the wake-up may have come before the
-- task was parked, from a finalizer or a hook.
local function park (task, waits, seconds, over, what)
  if not task[CO] then return loops.park(task, seconds, over, what) end -- guest
  if seconds or task[TIMER] then
    set_timer(task, seconds ~= math.huge and seconds)
  end
  task[PARKED], task[VALUE], task[WAITS] = true, false, waits
  if over and over(what) and task[PARKED] then
    task[PARKED] = false
    stop_timer(task)
  else
    repeat yield(WAITING) until not task[PARKED]  -- other code may resume it,
                                                  -- too
  end
  local value = task[VALUE]
  task[WAITS], task[VALUE] = false, false
  return value
end

--- For x:await(), which yields the value that this returns: see await.c.
core.set_task_hook(function (id, seconds)
  local task <const> = waiting.run.current
  if seconds or task[TIMER] then set_timer(task, seconds) end
  if task[TICKET] then forget_ticket(task) end
  tickets[id] = task
  task[TICKET] = id
  task[PARKED], task[WAITS] = true, "the device"
  return WAITING
end)

--- Removes the task from all waits.
local function leave (task)
  task[PARKED] = false
  stop_timer(task)
  forget_ticket(task)
end

return {
  CO = CO, RUN = RUN, PARKED = PARKED, VALUE = VALUE, WAITS = WAITS,
  TIMER = TIMER, TICKET = TICKET, WAITING = WAITING,
  call_back = call_back, push_ready = push_ready, waken = waken,
  inside = current_task, current = current, park = park, leave = leave
}
