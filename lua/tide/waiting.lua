--[[
waiting.lua - how coroutines wait for work of the device, for the clock and for
each other, whatever runs them.

A scheduler runs coroutines: the tasks of a run (runner.lua), or the coroutines
of an event loop (loops.lua). It has

  parked: key -> what it resumes, while that waits. The key is the number of a
    wait, for x:await(), or a waiter.
  waits: how many coroutines wait
  park(self, key, co, place) -> yield, value: 'co' waits by yield(value), or by
    yield() if value is nil. Coroutines with the same place, if they have one,
    are woken together.
  waken(self, key): makes ready what waits by the key, but never resumes it at
    once. So any scheduler may ask the device, and wake the others.
  idle(self), or nil: no coroutine waits any more

For x:await() there is no other record here: await.c yields, and knows itself
when the wait is over. For all other waits there is a waiter: a task, or one
that is made for the wait of a loop's coroutine.
]]
local core <const> = require "tide.scheduler"  -- see scheduler.c

local running <const>, isyieldable <const>, yield <const> =
  coroutine.running, coroutine.isyieldable, coroutine.yield
local start_timer <const>, stop_timer <const>, timer_runs <const> =
  core.start_timer, core.stop_timer, core.timer_runs

local waiting <const> = {
  tickets = core.tickets,  -- number of a wait -> its scheduler, or a waiter
  run = false,             -- the run whose turn it is, or false
  turn = 0,                -- changes each time that some are woken
  WAITING = {}             -- the value that a waiting task yields
}

local tickets <const>, WAITING <const> = waiting.tickets, waiting.WAITING
local finder  -- () -> the scheduler of the calling coroutine, or nil
local plain   -- the scheduler of all other coroutines, or nil

--{{ schedulers

--- The keys are weak, so that unreachable waiters are collected.
local Weak <const> = { __mode = "k" }

--- Sets the fields that all schedulers have.
function waiting.scheduler (fields, class)
  fields.waits, fields.parked = 0, setmetatable({}, Weak)
  return setmetatable(fields, class)
end

--- Sets the function that returns the scheduler of the calling coroutine, or
-- nil.
function waiting.set_finder (fn)
  finder = fn
end

--- Sets the scheduler of each coroutine that the finder does not know, from now
-- on.
function waiting.set_plain (scheduler)
  if plain and plain.waits > 0 then  -- the new loop would not resume them
    error("another loop of tide's is loaded, in which coroutines wait: a " ..
          "program has one", 0)
  end
  plain = scheduler
end

function waiting.plain () return plain end

local function leave (scheduler, key)
  local waits <const> = scheduler.waits - 1
  scheduler.parked[key], scheduler.waits = nil, waits
  if waits == 0 and scheduler.idle then scheduler:idle() end
end

--- For x:await(): see await.c.
core.set_hook(function (co, id, in_task, place)
  local run <const> = waiting.run
  local scheduler <const> = in_task and run or finder and finder() or
                            not run and plain
  if not scheduler then return nil end
  tickets[id] = scheduler
  scheduler.waits = scheduler.waits + 1
  return scheduler:park(id, co, place)
end, leave)

--}}

--{{ waiters

-- The fields of a waiter, which is a list; tasks.lua has those of a task.
local CO <const> = 1          -- the coroutine of a task; else false
local SCHEDULER <const>, PARKED <const> = 2, 3
local VALUE <const> = 4       -- what has woken it
local WAITS <const> = 5       -- the object of its wait: a task, or words
local TIMER <const> = 6       -- the number of its timer, or false
local JOINED <const> = 7      -- its scheduler counts it

local Waiter <const> = { __name = "tide.Waiter" }
Waiter.__index = Waiter

--- Returns the scheduler of the calling coroutine, which for a task is its run;
-- nil if the coroutine can only block. Only the task's own coroutine can yield
-- to its run.
function waiting.here ()
  if not isyieldable() then return nil end
  local run <const> = waiting.run
  local task <const> = run and run.current
  if task and running() == task[CO] then return run end
  return finder and finder() or not run and plain or nil
end

--- Returns a waiter for the calling coroutine: the task, if it is one.
function waiting.waiter (scheduler)
  return scheduler.current or
         setmetatable({ false, scheduler, false, false, false, false, false },
                      Waiter)
end

--- Makes a parked waiter ready. value: true, or the number of its timer. As
-- numbers are reused, that may be another's. A waiter that is not parked has a
-- timer if its wait could not be ended for lack of memory.
function waiting.waken (who, value)
  if value ~= true and timer_runs(who, TIMER) then return end
  if who[PARKED] then
    who[SCHEDULER]:waken(who)
    who[PARKED], who[VALUE] = false, value
  end
  if who[TIMER] then stop_timer(who, TIMER) end
end

Waiter.waken = waiting.waken

--- Ends the wait, if there is one. Also for a coroutine that is closed while it
-- waits, or that is garbage.
local function unpark (who)
  who[PARKED], who[WAITS] = false, false
  if who[TIMER] then stop_timer(who, TIMER) end
  if who[JOINED] then
    who[JOINED] = false
    leave(who[SCHEDULER], who)
  end
end

Waiter.__close, Waiter.__gc = unpark, unpark
waiting.unpark = unpark

--- Yields to a loop until woken, which leaves the loop however that ends.
local function yield_to_loop (who)
  local scheduler <const> = who[SCHEDULER]
  local _ <close> = who
  who[JOINED] = true
  scheduler.waits = scheduler.waits + 1
  local wait <const>, value <const> = scheduler:park(who, running())
  while who[PARKED] do  -- other code may resume the coroutine, too
    if value then wait(value) else wait() end
  end
end

--- Waits to be woken, for so many seconds at most (nil and math.huge: no
-- timeout). Returns whether waken(who, true) came in time. Does not wait if
-- over(what), if there is such a function: the wake-up may have come before the
-- waiter was parked, from a finalizer or a hook. 'waits': see WAITS.
function waiting.park (who, waits, seconds, over, what)
  who[PARKED], who[VALUE], who[WAITS] = true, false, waits
  if seconds or who[TIMER] then
    start_timer(who, TIMER, seconds or math.huge)
  end
  if not over or not over(what) then
    if not who[CO] then yield_to_loop(who) end
    while who[PARKED] do yield(WAITING) end
  end
  who[PARKED], who[WAITS] = false, false
  if who[TIMER] then stop_timer(who, TIMER) end
  return who[VALUE] == true
end

waiting.CO, waiting.SCHEDULER, waiting.PARKED, waiting.VALUE, waiting.WAITS,
  waiting.TIMER =
  CO, SCHEDULER, PARKED, VALUE, WAITS, TIMER

--}}

--{{ asking the device and the clock

local MOST <const> = core.FOUND_MOST
local found <const>, left = {}, 0  -- numbers of the waits to end
for i = 1, MOST do found[i] = 0 end

--- Wakes what was found. If waking one raises, the next call begins with it, as
-- its wait is not found again.
local function wake_found ()
  waiting.turn = waiting.turn + 1
  while left > 0 do
    local id <const> = found[left]
    local who <const> = tickets[id]
    if who then who:waken(id) end
    left = left - 1
  end
end

--- Asks the device and the clock, for so many seconds or until a wait is found.
-- Returns whether there is no work to wait for. name: the call of the program.
-- The device was asked for all loops, and that has taken the wakeup, which may
-- have been meant for a loop that is not running now.
function waiting.look (seconds, name)
  local n, idle
  repeat
    wake_found()
    idle, n = core.next_over(seconds, name, found)
    left, seconds = n, 0
  until n < MOST
  wake_found()
  if plain and plain:wants_poll() then core.post_wakeup() end
  return idle
end

--}}

--{{ lists of what is ready

--- Sets the fields of a scheduler that resumes its coroutines itself: 'ready',
-- a list of 'last' keys, and 'now', whose keys have their turn, from 'at' to
-- 'most'.
function waiting.lists (fields)
  fields.ready, fields.last = {}, 0
  fields.now, fields.at, fields.most = {}, 1, 0
  return fields
end

function waiting.is_ready (self)
  return self.last > 0 or self.at <= self.most
end

--- Calls go(self, key) for each key that is ready now. If one raises, the next
-- call continues behind it.
function waiting.take_turns (self, go)
  if self.at > self.most then
    self.now, self.ready = self.ready, self.now
    self.at, self.most, self.last = 1, self.last, 0
  end
  local now <const> = self.now
  for at = self.at, self.most do
    local key <const> = now[at]
    now[at], self.at = nil, at + 1
    go(self, key)
  end
end

--}}

return waiting
