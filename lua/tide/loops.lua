--[[
loops.lua - coroutines that another event loop runs: the common part of
tide.luv, tide.cqueues, tide.copas and tide.loop. It does nothing before one of
them is loaded.

A coroutine that waits is parked with the scheduler of its loop. A scheduler is
a table that knows how a coroutine yields to the loop (park), how to make it
ready (waken), and how to have the poll callback called while any coroutine
waits (park, idle). The poll callback asks the device and the clock. It is
called when the descriptor of tide.pollfd() is readable, on any loop: all loops
share one queue.

Each waiting coroutine has a key. For x:await() that is the number of a ticket,
and there is no other record of it here: await.c yields, and knows itself when
the wait is over. All other waits have a Waiter as their key.

scheduler:park(key, co, place) -> yield, value: the coroutine waits by calling
yield(value), or yield() if value is nil. It is in 'parked', by its key, until
it goes on. Coroutines with the same place, if they have one, are woken
together. scheduler:waken(key): makes it ready.
]]
local tide = require "tide"
local waiting = require "tide.waiting"

local core <const> = require "tide.scheduler"

local clock <const>, running <const>, yield <const> =
  tide.clock, coroutine.running, coroutine.yield
local traceback = debug and debug.traceback or function (_, err) return err end
local tickets <const>, TIMEOUT <const> = waiting.tickets, waiting.TIMEOUT

local heap <const> = {}  -- timers of waiting coroutines
local deadline           -- of the poll callback for them, or nil
local finder             -- () -> the scheduler of the calling coroutine, or nil
local plain              -- the scheduler of all other coroutines, or nil

--{{ the clock

--- Sets the deadline of the next timer. An earlier deadline stays: the poll
-- callback then finds nothing.
local function set_deadline ()
  local first = heap[1]
  if first and (not deadline or first.at < deadline) then
    deadline = first.at
    core.set_deadline(deadline)
  end
end

--- Starts a timer that calls who:waken(what) after so many seconds; returns it,
-- or nil if it never fires.
local function start_timer (seconds, who, what)
  if not seconds or seconds == math.huge then return nil end
  local timer <const> = { at = clock() + seconds, who = who, what = what,
                          place = 0 }
  core.add_timer(heap, timer)
  set_deadline()
  return timer
end

local function stop_timer (timer) core.remove_timer(heap, timer) end

local function fire_timers ()
  local now = heap[1] and clock()
  while heap[1] and heap[1].at <= now do
    local timer <const> = heap[1]
    stop_timer(timer)
    timer.who:waken(timer.what)
  end
end

--}}

--{{ waiters

-- The fields of a waiter, which is a list like a task. The first field is set
-- in a task only.
local LOOP <const>, PARKED <const>, VALUE <const>, TIMER <const> = 2, 3, 4, 5
local JOINED <const> = 6  -- whether its __close has work to do

local loops <const> = {}

local Waiter <const> = { __name = "tide.Waiter" }
Waiter.__index = Waiter

--- Makes the coroutine ready; park() returns 'value' there.
function Waiter.waken (who, value)
  if not who[PARKED] then return end
  who[PARKED], who[VALUE] = false, value
  if who[TIMER] then stop_timer(who[TIMER]) end
  who[LOOP]:waken(who)
end

local function leave (scheduler, key)
  local waits <const> = scheduler.waits - 1
  scheduler.parked[key], scheduler.waits = nil, waits
  if waits == 0 then scheduler:idle() end
end

--- Also for a coroutine that is closed while it waits, or that is garbage.
function Waiter.__close (who)
  who[PARKED] = false
  if who[TIMER] then stop_timer(who[TIMER]) end
  if who[JOINED] then
    who[JOINED] = false
    leave(who[LOOP], who)
  end
end

Waiter.__gc = Waiter.__close

--- Returns a waiter for the calling coroutine.
function loops.waiter (scheduler)
  return setmetatable({ false, scheduler, false, false, false, false }, Waiter)
end

--- Waits to be woken, for so many seconds at most (nil and math.huge: no
-- timeout). Does not wait if over(what), if there is such a function. Returns
-- the value of waken(), or TIMEOUT.
function loops.park (waiter, seconds, over, what)
  local scheduler <const> = waiter[LOOP]
  local who <close> = waiter
  who[PARKED], who[JOINED] = true, true
  scheduler.waits = scheduler.waits + 1
  who[TIMER] = start_timer(seconds, who, TIMEOUT) or false
  local wait <const>, value <const> = scheduler:park(who, running())
  if over and over(what) then return who[VALUE] end
  while who[PARKED] do  -- other code may resume the coroutine, too
    if value == nil then wait() else wait(value) end
  end
  return who[VALUE]
end

--}}

--{{ the scheduler of a coroutine

--- The keys are weak, so that unreachable waiters are collected.
local Weak <const> = { __mode = "k" }

--- Sets the common fields of all schedulers.
function loops.scheduler (fields, class)
  fields.waits, fields.parked = 0, setmetatable({}, Weak)
  return setmetatable(fields, class)
end

--- Sets the function that returns the scheduler of the calling coroutine, or
-- nil.
function loops.set_finder (fn)
  finder = fn
end

--- Sets the scheduler of each coroutine that the finder does not know, from now
-- on.
function loops.set_plain (scheduler)
  if plain and plain.waits > 0 then  -- the new loop would not resume them
    error("another loop of tide's is loaded, in which coroutines wait: a " ..
          "program has one", 0)
  end
  plain = scheduler
end

--- Returns the scheduler of the calling coroutine; nil if no loop runs it, or
-- if it is in a task. The hook below repeats this code, to avoid the call.
function loops.here ()
  if not coroutine.isyieldable() then return nil end
  return finder and finder() or not waiting.run and plain or nil
end

local timers <const> = {}  -- ticket number -> its timer

--- For x:await(): see await.c.
core.set_loop_hook(function (co, id, seconds, place)
  local scheduler <const> = finder and finder() or not waiting.run and plain
  if not scheduler then return nil end
  tickets[id] = scheduler
  scheduler.waits = scheduler.waits + 1
  if seconds then timers[id] = start_timer(seconds, scheduler, id) end
  return scheduler:park(id, co, not seconds and place)
end, function (id)
  local scheduler <const>, timer <const> = tickets[id], timers[id]
  if not scheduler then return end
  tickets[id] = nil
  if timer then
    timers[id] = nil
    stop_timer(timer)
  end
  return leave(scheduler, id)
end)

--}}

--{{ the poll callback

--- Wakes the coroutines whose work or timeout is over.
function loops.poll () waiting.look(0, "tide.poll") end

--- Called after the device was asked. That has taken the wakeup, which may have
-- been the deadline's, or meant for a scheduler that is not running now.
function waiting.looked ()
  deadline = nil  -- it may have come slightly early
  fire_timers()
  set_deadline()
  if plain and (plain:wants_poll() or plain.queue and not plain.resumes and
                plain.first <= plain.last) then
    core.post_wakeup()
  end
end

--}}

--{{ poll callbacks in coroutines of a loop

local Polling <const> = {
  __close = function (this) this.scheduler.polls = false end
}

--- keep_polling(scheduler, poll, wait, ...): calls wait(...) and
-- poll(scheduler) in turns while any coroutine waits.
function loops.keep_polling (scheduler, poll, wait, ...)
  local _ <close> = setmetatable({ scheduler = scheduler }, Polling)
  while scheduler.waits > 0 do
    wait(...)
    poll(scheduler)
  end
end

--}}

--{{ schedulers that resume the coroutines themselves

local Plain <const> = { idle = function () end,
                        wants_poll = function () return false end }
Plain.__index = Plain

--- Queues a key. Outside of the poll callback, it also posts a wakeup.
function Plain:waken (key)
  local last <const> = self.last + 1
  self.last = last
  self.queue[last] = key
  if not self.resumes then core.post_wakeup() end
end

function Plain:park (key, co)
  self.parked[key] = co
  return yield
end

--- Resumes the next coroutine of the queue. It is skipped if it was closed
-- since it was woken, or if other code has resumed it. Coroutines of a loop
-- never run as part of a task's run, so 'run' is reset.
local function go_on (self)
  local first <const>, queue <const> = self.first, self.queue
  local co <const> = self.parked[queue[first]]
  queue[first] = nil
  self.first = first + 1
  if not co then return end
  if waiting.run then waiting.run = false end
  local ok, err = self.go(co)
  if not ok then
    error(type(err) == "string" and traceback(co, err) or err, 0)
  end
end

local Turn <const> = { __close = function (turn)
  local self <const> = turn.self
  self.resumes = false
  if turn.run ~= waiting.run then waiting.run = turn.run end
  if self.first <= self.last then core.post_wakeup() end
end }

--- Resumes the coroutines that are ready now. An error of one is raised, and
-- the others are resumed by the next call.
function Plain:poll ()
  if self.resumes then return loops.poll() end  -- called in one of them
  self.resumes = true
  local _ <close> = setmetatable({ self = self, run = waiting.run }, Turn)
  loops.poll()
  for _ = self.first, self.last do go_on(self) end
end

--- plain(fields) -> a scheduler whose poll callback resumes coroutines with
-- go(co), which is coroutine.resume unless 'fields' has another function.
function loops.plain (fields)
  loops.scheduler(fields, Plain)
  fields.resumes = false
  fields.queue, fields.first, fields.last = {}, 1, 0
  fields.go = fields.go or coroutine.resume
  return fields
end

--}}

--- From now on tide.pollfd() signals all waits, and tide.poll() wakes their
-- coroutines.
function loops.begin ()
  core.set_poll_callback(function ()
    if plain and plain.poll then plain:poll() else loops.poll() end
  end)
end

return loops
