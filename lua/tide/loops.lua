--[[
loops.lua - coroutines that somebody else's event loop runs: what tide.luv,
tide.cqueues, tide.copas and tide.loop have in common. None of it does anything
before one of those is loaded.

A coroutine that waits has a waiter, and is parked with the runner of its loop:
a table that knows how a coroutine yields to it (park), how one that may go on
is told so (resume), and what it takes that the pump is called as long as
anybody waits (park, idle). The pump asks the device and the clock. It is called
when the descriptor of tide.pollfd() is readable, on any loop: all of them share
one queue.

runner:park(waiter) -> yield, value: by yield(value) the coroutine waits; there
is no value if that is nil.
]]
local tide = require "tide"
local timers = require "tide.timers"
local waiting = require "tide.waiting"

local core <const> = require "tide.scheduler"

local clock <const>, running <const>, yield <const> =
  tide.clock, coroutine.running, coroutine.yield
local traceback = debug and debug.traceback or function (_, err) return err end
local tickets <const>, TIMEOUT <const> = waiting.tickets, waiting.TIMEOUT

local heap <const> = {}  -- timers of those that wait
local alarm              -- when the pump will be called for them, or nil
local finders <const> = {}  -- () -> the runner of the coroutine that calls, nil
local plain              -- the runner of coroutines that nobody else knows, nil

--{{ waiters

-- The fields of a waiter, which is a list as a task is. The first is what a
-- task has and a waiter has not.
local RUNNER <const>, PARKED <const>, VALUE <const>, TIMER <const> = 2, 3, 4, 5
local TICKET <const>, ID <const> = 6, 7  -- of x:await(), or false
local OVER <const> = 8        -- not parked yet, or not any more
local CO <const> = 9          -- or what its runner wakes it by

local loops <const> = { CO = CO }

local Waiter <const> = { __name = "tide.Waiter" }
Waiter.__index = Waiter

--- An earlier alarm stays: then the pump finds nothing.
local function set_alarm ()
  local first = heap[1]
  if first and (not alarm or first.at < alarm) then
    alarm = first.at
    core.set_alarm(alarm)
  end
end

local function stop_timer (who)
  if who[TIMER] then
    timers.remove(heap, who[TIMER])
    who[TIMER] = false
  end
end

local function start_timer (who, seconds)
  local timer <const> = { at = clock() + seconds, who = who, place = 0 }
  timers.add(heap, timer)
  who[TIMER] = timer
  set_alarm()
end

--- It goes on later, and park() returns 'value' there.
function Waiter.waken (who, value)
  if not who[PARKED] then return end
  who[PARKED], who[VALUE] = false, value
  if who[TIMER] then stop_timer(who) end
  return who[RUNNER]:resume(who)
end

--- Also of a coroutine that is closed where it waits.
function Waiter.__close (who)
  if who[OVER] then return end
  local runner <const> = who[RUNNER]
  who[OVER] = true
  if who[ID] then tickets[who[ID]] = nil end
  if who[PARKED] then
    who[PARKED] = false
    stop_timer(who)
    if who[TICKET] then core.drop(who[TICKET]) end
  end
  runner.waits = runner.waits - 1
  if runner.waits == 0 then runner:idle() end
end

--- One for the coroutine that calls, or 'co'.
function loops.waiter (runner, co)
  return setmetatable({
    false, runner, false, false, false, false, false, true, co or running()
  }, Waiter)
end

--- From here on its __close is needed -> yield, value: see the head.
local function begin (who, ticket, id, seconds)
  local runner <const> = who[RUNNER]
  who[PARKED], who[OVER] = true, false
  runner.waits = runner.waits + 1
  if id then
    who[TICKET] = ticket
    tickets[id] = who
    who[ID] = id
  end
  if seconds and seconds < math.huge then start_timer(who, seconds) end
  return runner:park(who)
end

--- Waits to be woken, for so many seconds at most (nil, math.huge: no end) ->
-- what waken() was given, or TIMEOUT.
function loops.park (waiter, seconds)
  local who <close> = waiter
  local leave <const>, value <const> = begin(who, nil, nil, seconds)
  while who[PARKED] do  -- others may resume the coroutine as well
    if value == nil then leave() else leave(value) end
  end
  return who[VALUE]
end

--}}

--{{ whose a coroutine is

--- find() -> the runner of the coroutine that calls, or nil.
function loops.add_finder (find)
  finders[#finders + 1] = find
end

--- Whose runner that is: of each coroutine that no finder knows, from now on.
function loops.set_plain (runner)
  plain = runner
end

--- The runner of the coroutine that calls, which can yield; or nil: it is none
-- of a loop.
local function find ()
  for i = 1, #finders do
    local runner = finders[i]()
    if runner then return runner end
  end
  local before = plain and waiting.swap_run and waiting.swap_run()
  if before then
    waiting.swap_run(before)
    return nil  -- a coroutine in a task, which is no loop's
  end
  return plain
end

--- The same, for whatever calls.
function loops.here ()
  return coroutine.isyieldable() and find() or nil
end

--- Of x:await(): see ticket.c.
core.set_sleeper(function (co)
  local runner <const> = find()
  if runner then return begin, loops.waiter(runner, co) end
end)

--}}

--{{ the pump

--- Wakes those whose work, or time, is over.
function loops.pump () waiting.look(0, "tide.poll") end

--- Whoever has asked the device has taken the alert, which may have been the
-- alarm, or for a runner that does not run now.
function waiting.looked ()
  local now = heap[1] and clock()
  alarm = nil  -- it may have been due a little early
  while heap[1] and heap[1].at <= now do
    heap[1].who:waken(TIMEOUT)
  end
  set_alarm()
  if plain and (plain:wants_pump() or plain.queue and not plain.resumes and
                plain.first <= plain.last) then
    core.alert()
  end
end

--}}

--{{ runners that resume the coroutines themselves

local Plain <const> = { idle = function () end,
                        wants_pump = function () return false end }
Plain.__index = Plain

--- Others than the pump's tell it that there is somebody.
function Plain:resume (who)
  local last <const> = self.last + 1
  self.last = last
  self.queue[last] = who
  if not self.resumes then core.alert() end
end

function Plain.park () return yield end

--- One that was closed since it was woken, or has gone on as another resumed
-- it, has nothing to wait for any more. Coroutines of tasks are none of ours,
-- and the other way round.
local function go_on (self)
  local first <const>, queue <const> = self.first, self.queue
  local who <const>, swap <const> = queue[first], waiting.swap_run
  queue[first] = nil
  self.first = first + 1
  if who[OVER] then return end
  local co <const> = who[CO]
  if swap then swap() end
  local ok, err = self.go(co)
  if not ok then
    error(type(err) == "string" and traceback(co, err) or err, 0)
  end
end

local Turn <const> = { __close = function (turn)
  local self <const> = turn.self
  self.resumes = false
  if turn.swap then turn.swap(turn.run) end
  if self.first <= self.last then core.alert() end
end }

--- Resumes those that are ready now. The error of one is raised, and the others
-- have their turn with the next call.
function Plain:pump ()
  if self.resumes then return loops.pump() end  -- in one of them
  self.resumes = true
  local turn <close> = setmetatable({
    self = self, swap = false, run = nil
  }, Turn)
  loops.pump()
  if waiting.swap_run then
    turn.swap, turn.run = waiting.swap_run, waiting.swap_run()
  end
  for _ = self.first, self.last do go_on(self) end
end

--- plain(fields) -> a runner whose pump resumes coroutines: by go(co), which is
-- coroutine.resume unless 'fields' has another.
function loops.plain (fields)
  fields.waits, fields.resumes = 0, false
  fields.queue, fields.first, fields.last = {}, 1, 0
  fields.go = fields.go or coroutine.resume
  return setmetatable(fields, Plain)
end

--}}

--- Loads a library that tide does not need itself.
function loops.require (name, hint)
  local ok, lib = pcall(require, name)
  if ok then return lib end
  error(("tide.%s needs %s: %s\n%s"):format(name, name, hint, tostring(lib)), 0)
end

--- From now on tide.pollfd() is for all that waits, and tide.poll() wakes it.
function loops.begin ()
  core.set_pump(function ()
    if plain and plain.pump then plain:pump() else loops.pump() end
  end)
end

return loops
