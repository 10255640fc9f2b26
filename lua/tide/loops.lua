--[[
loops.lua - coroutines that another event loop runs: the common part of
tide.luv, tide.cqueues, tide.copas and tide.loop. It does nothing before one of
them is loaded.

A coroutine that waits is parked with the runner of its loop. A runner is a
table that knows how a coroutine yields to the loop (park), how to make it ready
(waken), and how to have the pump called while any coroutine waits (park, idle).
The pump asks the device and the clock. It is called when the descriptor of
tide.pollfd() is readable, on any loop: all loops share one queue.

Each waiting coroutine has a key. For x:await() that is the number of a ticket,
and there is no other record of it here: await.c yields, and knows itself when
the wait is over. All other waits have a Waiter as their key.

runner:park(key, co, place) -> yield, value: the coroutine waits by calling
yield(value), or yield() if value is nil. It is in 'parked', by its key, until
it goes on. Coroutines with the same place, if they have one, are woken
together. runner:waken(key): makes it ready.
]]
local tide = require "tide"
local waiting = require "tide.waiting"

local core <const> = require "tide.scheduler"

local clock <const>, running <const>, yield <const> =
  tide.clock, coroutine.running, coroutine.yield
local traceback = debug and debug.traceback or function (_, err) return err end
local tickets <const>, TIMEOUT <const> = waiting.tickets, waiting.TIMEOUT

local heap <const> = {}  -- timers of waiting coroutines
local alarm              -- when the pump will be called for them, or nil
local finder             -- () -> the runner of the calling coroutine, or nil
local plain              -- the runner of all other coroutines, or nil

--{{ the clock

--- Sets the alarm for the next timer. An earlier alarm stays: the pump then
-- finds nothing.
local function set_alarm ()
  local first = heap[1]
  if first and (not alarm or first.at < alarm) then
    alarm = first.at
    core.set_alarm(alarm)
  end
end

--- Starts a timer that calls who:waken(what) after so many seconds; returns it,
-- or nil if it never fires.
local function start_timer (seconds, who, what)
  if not seconds or seconds == math.huge then return nil end
  local timer <const> = { at = clock() + seconds, who = who, what = what,
                          place = 0 }
  core.add_timer(heap, timer)
  set_alarm()
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
local RUNNER <const>, PARKED <const>, VALUE <const>, TIMER <const> = 2, 3, 4, 5
local JOINED <const> = 6  -- whether its __close has work to do

local loops <const> = {}

local Waiter <const> = { __name = "tide.Waiter" }
Waiter.__index = Waiter

--- Makes the coroutine ready; park() returns 'value' there.
function Waiter.waken (who, value)
  if not who[PARKED] then return end
  who[PARKED], who[VALUE] = false, value
  if who[TIMER] then stop_timer(who[TIMER]) end
  who[RUNNER]:waken(who)
end

local function leave (runner, key)
  local waits <const> = runner.waits - 1
  runner.parked[key], runner.waits = nil, waits
  if waits == 0 then runner:idle() end
end

--- Also for a coroutine that is closed while it waits, or that is garbage.
function Waiter.__close (who)
  who[PARKED] = false
  if who[TIMER] then stop_timer(who[TIMER]) end
  if who[JOINED] then
    who[JOINED] = false
    leave(who[RUNNER], who)
  end
end

Waiter.__gc = Waiter.__close

--- Returns a waiter for the calling coroutine.
function loops.waiter (runner)
  return setmetatable({ false, runner, false, false, false, false }, Waiter)
end

--- Waits to be woken, for so many seconds at most (nil and math.huge: no
-- timeout). Does not wait if over(what), if there is such a function. Returns
-- the value of waken(), or TIMEOUT.
function loops.park (waiter, seconds, over, what)
  local runner <const> = waiter[RUNNER]
  local who <close> = waiter
  who[PARKED], who[JOINED] = true, true
  runner.waits = runner.waits + 1
  who[TIMER] = start_timer(seconds, who, TIMEOUT) or false
  local wait <const>, value <const> = runner:park(who, running())
  if over and over(what) then return who[VALUE] end
  while who[PARKED] do  -- other code may resume the coroutine, too
    if value == nil then wait() else wait(value) end
  end
  return who[VALUE]
end

--}}

--{{ whose a coroutine is

--- The keys are weak, so that unreachable waiters are collected.
local Weak <const> = { __mode = "k" }

--- Sets the common fields of all runners.
function loops.runner (fields, class)
  fields.waits, fields.parked = 0, setmetatable({}, Weak)
  return setmetatable(fields, class)
end

--- Sets the function that returns the runner of the calling coroutine, or nil.
function loops.set_finder (fn)
  finder = fn
end

--- Sets the runner of each coroutine that the finder does not know, from now
-- on.
function loops.set_plain (runner)
  if plain and plain.waits > 0 then  -- the new loop would not resume them
    error("another loop of tide's is loaded, in which coroutines wait: a " ..
          "program has one", 0)
  end
  plain = runner
end

--- Returns the runner of the calling coroutine; nil if no loop runs it, or if
-- it is in a task. The sleeper below repeats this code, to avoid the call.
function loops.here ()
  if not coroutine.isyieldable() then return nil end
  return finder and finder() or not waiting.run and plain or nil
end

local alarms <const> = {}  -- ticket number -> its timer

--- For x:await(): see await.c.
core.set_sleeper(function (co, id, seconds, place)
  local runner <const> = finder and finder() or not waiting.run and plain
  if not runner then return nil end
  tickets[id] = runner
  runner.waits = runner.waits + 1
  if seconds then alarms[id] = start_timer(seconds, runner, id) end
  return runner:park(id, co, not seconds and place)
end, function (id)
  local runner <const>, timer <const> = tickets[id], alarms[id]
  if not runner then return end
  tickets[id] = nil
  if timer then
    alarms[id] = nil
    stop_timer(timer)
  end
  return leave(runner, id)
end)

--}}

--{{ the pump

--- Wakes the coroutines whose work or timeout is over.
function loops.pump () waiting.look(0, "tide.poll") end

--- Called after the device was asked. That has taken the alert, which may have
-- been the alarm, or meant for a runner that is not running now.
function waiting.looked ()
  alarm = nil  -- it may have come slightly early
  fire_timers()
  set_alarm()
  if plain and (plain:wants_pump() or plain.queue and not plain.resumes and
                plain.first <= plain.last) then
    core.alert()
  end
end

--}}

--{{ pumps that are coroutines of a loop

local Pump <const> = { __close = function (pump) pump.runner.pumps = false end }

--- keep_pumping(runner, pump, wait, ...): calls wait(...) and pump(runner) in
-- turns while any coroutine waits.
function loops.keep_pumping (runner, pump, wait, ...)
  local _ <close> = setmetatable({ runner = runner }, Pump)
  while runner.waits > 0 do
    wait(...)
    pump(runner)
  end
end

--}}

--{{ runners that resume the coroutines themselves

local Plain <const> = { idle = function () end,
                        wants_pump = function () return false end }
Plain.__index = Plain

--- Queues a key. Outside of the pump, it also sets the alert.
function Plain:waken (key)
  local last <const> = self.last + 1
  self.last = last
  self.queue[last] = key
  if not self.resumes then core.alert() end
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
  if self.first <= self.last then core.alert() end
end }

--- Resumes the coroutines that are ready now. An error of one is raised, and
-- the others are resumed by the next call.
function Plain:pump ()
  if self.resumes then return loops.pump() end  -- called in one of them
  self.resumes = true
  local _ <close> = setmetatable({ self = self, run = waiting.run }, Turn)
  loops.pump()
  for _ = self.first, self.last do go_on(self) end
end

--- plain(fields) -> a runner whose pump resumes coroutines with go(co), which
-- is coroutine.resume unless 'fields' has another function.
function loops.plain (fields)
  loops.runner(fields, Plain)
  fields.resumes = false
  fields.queue, fields.first, fields.last = {}, 1, 0
  fields.go = fields.go or coroutine.resume
  return fields
end

--}}

--- From now on tide.pollfd() signals all waits, and tide.poll() wakes their
-- coroutines.
function loops.begin ()
  core.set_pump(function ()
    if plain and plain.pump then plain:pump() else loops.pump() end
  end)
end

return loops
