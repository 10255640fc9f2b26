--[[
runner.lua - tide.run: gives tasks (tasks.lua) their turns until all have
finished, and waits for the device and the clock while none is ready. init.lua
loads it at the first run.

If an event loop runs the coroutine that calls tide.run (loops.lua), the run
gives its turn to the loop while no task is ready, and other runs may have
theirs.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local core = require "tide.scheduler"
local streams = require "tide.task_streams"
local tasks = require "tide.tasks"
local waiting = require "tide.waiting"
local format <const> = string.format

local clock <const> = tide.clock
local running <const>, status <const> = coroutine.running, coroutine.status
-- A host program may have removed them.
local warn <const> = warn
local getinfo = debug and debug.getinfo

local CO <const>, PARKED <const>, VALUE <const>, WAITS <const>,
  TIMER <const> =
  waiting.CO, waiting.PARKED, waiting.VALUE, waiting.WAITS, waiting.TIMER
local Task <const>, STATE <const>, RESULTS <const>, CAUGHT <const>,
  WATCHERS <const>, OLDER <const>, NEWER <const>, NOTHING <const> =
  tasks.Task, tasks.STATE, tasks.RESULTS, tasks.CAUGHT,
  tasks.WATCHERS, tasks.OLDER, tasks.NEWER, tasks.NOTHING
local new_task <const>, step <const>, push_ready <const>, finish <const>,
  call_watchers <const>, join_errors <const>, outcome <const> =
  tasks.spawn, tasks.step, tasks.push_ready, tasks.finish,
  tasks.call_watchers, tasks.join_errors, tasks.outcome
local describe <const>, explain <const>, place <const> =
  tasks.describe, tasks.explain, tasks.place
local park <const>, take_turns <const>, stop_timer <const> =
  waiting.park, waiting.take_turns, core.stop_timer
local yield <const> = coroutine.yield

local LOOK_SECONDS <const> = 50e-6  -- how often the device is asked while tasks
                                    -- are ready
local TURN_SECONDS <const> = 1e-3  -- how often the loop gets its turn

local runner <const> = { spawn = new_task }

--- Asks the device, and waits for it if there is nothing else to do. Returns
-- whether there is nothing to wait for.
local function look (seconds, name)
  local idle = waiting.look(seconds, name or "tide.run")
  if waiting.run then waiting.run.looked = clock() end
  return idle
end

--- A run is the scheduler of its tasks. A key is the number of an x:await(), or
-- a task that waits for something else.
local function park_task (this, id)
  local task <const> = this.current
  this.parked[id], task[WAITS] = task, "the device"
  return yield, waiting.WAITING
end

local function waken_task (this, key)
  return push_ready(this.parked[key] or key)
end

--- Gives the turn to the loop until there is something to do here, or for so
-- many seconds. The loop may never return it: then close_run cleans up.
local function give_turn (this, seconds)
  local waiter <const> = waiting.waiter(this.loop)
  this.waiter = waiter
  waiting.run = this.around
  park(waiter, "tasks", seconds)
  this.around = waiting.run
  waiting.run = this
  this.waiter, this.gave = false, clock()
end

local function name_waiting ()
  local MOST <const> = 8
  local list, n = {}, 0
  local task = waiting.run.newest
  while task do
    n = n + 1
    if n <= MOST then
      local what <const>, at <const> = task[WAITS], place(task[CO], 0)
      list[n] = format("%s waits for %s%s", describe(task),
        getmetatable(what) == Task and describe(what) or what or "?",
        at and " at " .. at or "")  -- missing behind a tail call
    end
    task = task[OLDER]
  end
  if n > MOST then list[MOST + 1] = format("... and %d more", n - MOST) end
  return table.concat(list, "\n")
end

--- Tells whether no task is ready, and one is not over.
local function is_stuck (this)
  return this.last == 0 and this.newest and not this.failed
end

--- Tells whether a task waits for the clock.
local function is_timed (this)
  local task = this.newest
  while task and not task[TIMER] do task = task[OLDER] end
  return task
end

--- Finishes tasks whose coroutines are dead; returns whether there were any.
local function end_dead (this)
  local any, task = false, this.newest
  while task do
    local older <const> = task[OLDER]
    if status(task[CO]) == "dead" then
      any = true
      finish(task, "cancelled", NOTHING)
    end
    task = older
  end
  return any
end

local function wait (this)
  if this.loop then
    look(0)
    if is_stuck(this) then give_turn(this) end
  elseif look() and is_stuck(this) then
    if is_timed(this) then
      look(math.huge)
    elseif not end_dead(this) then
      error("tide.run: all tasks wait for each other:\n" .. name_waiting(), 0)
    end
  end
end

local function turn (this)
  if this.last == 0 then
    wait(this)
  elseif clock() - this.looked > LOOK_SECONDS then
    look(0)
  end
  take_turns(this, step)
  if this.loop and clock() - this.gave > TURN_SECONDS then
    give_turn(this, 0)
  end
end

--- Unlinks the tasks that were closed at the end of the run, from this task on.
-- Returns 'err', followed by the errors that their <close> raised.
local function join_closed (task, err)
  while task do
    if task[STATE] == "failed" then
      err = join_errors(err, explain(task, rawget(task, VALUE),
                                     "in a <close> at the end of tide.run"))
    end
    local older <const> = task[OLDER]
    task[OLDER], task[NEWER] = false, false
    task = older
  end
  return err
end

--- Ends the run, with or without an error: closes all of its tasks. It must not
-- fail, even without memory. Raises the errors of the tasks' <close>.
local close_run <const> = core.atomic(function (self, first)
  if waiting.run == self then waiting.run = self.around end
  self.waiter, self.around, self.failed = false, false, self.failed or true
  local newest <const> = self.newest
  local left = newest
  while left do
    left[STATE], left[RESULTS], left[CAUGHT] = "cancelled", NOTHING, true
    left[PARKED] = false
    left = left[OLDER]
  end
  left, self.newest = newest, false
  while left do
    local could <const>, ok <const>, closed <const> =
      pcall(coroutine.close, left[CO])
    if left[TIMER] then pcall(stop_timer, left, TIMER) end
    if could and not ok then left[STATE], left[VALUE] = "failed", closed end
    left = left[OLDER]
  end
  -- Remaining watchers belong to another run or a loop, because the watchers of
  -- this run are over.
  left = newest
  while left do
    if left[WATCHERS] then pcall(call_watchers, left, left[WATCHERS]) end
    left = left[OLDER]
  end
  local err <const> = self.more and join_errors(first, self.more) or first
  local raised <const> = join_closed(newest, err)
  if raised ~= first then error(raised, 0) end
end)

local Run <const> = { __close = close_run }
local Pools <const> = { __close = streams.close }

--- Tells whether the current run goes on. If a hook raises while Lua calls the
-- __close of a run, the run stays behind.
local function is_under_way ()
  local co <const> = waiting.run.co
  if co ~= running() then return status(co) ~= "dead" end
  local level = 3
  local info = getinfo and getinfo(level, "f")
  while info and info.func ~= runner.run do
    level = level + 1
    info = getinfo(level, "f")
  end
  return not getinfo or info ~= nil
end

function runner.run (fn, ...)
  if waiting.run and is_under_way() then
    error("tide.run: there is one under way: tide.spawn(fn) starts a task " ..
          "in it", 2)
  elseif waiting.run then
    local left <const> = waiting.run
    local ok <const>, err <const> = arguments.try(close_run, left)
    streams.close(left.streams)
    if not ok and warn then warn("tide.run: ", tostring(err)) end
  end
  local pools <close> = setmetatable({}, Pools)
  local this <close> = waiting.scheduler(waiting.lists{
    park = park_task, waken = waken_task, idle = false,
    newest = false, streams = pools, count = 0, looked = 0, failed = false,
    more = nil, current = false,
    around = false,  -- the outer run, if a task of one resumed this coroutine
    loop = waiting.here(), waiter = false, gave = clock(), co = running()
  }, Run)
  waiting.run = this
  local main <const> = new_task("main", "inherit", fn, ...)
  while this.newest and not this.failed do turn(this) end
  if this.failed then outcome(this.failed) end
  return outcome(main)
end

--- sleep(seconds): other tasks run meanwhile; outside of tasks it blocks.
function runner.sleep (seconds)
  arguments.check_seconds(seconds, 1, "sleep")
  local scheduler <const> = waiting.here()
  if scheduler and scheduler.current and seconds == 0 then
    yield()  -- the others run first
    return
  elseif scheduler then
    park(waiting.waiter(scheduler), "the clock", seconds)
    return
  end
  local til <const> = clock() + seconds
  repeat
    local left <const> = math.min(til - clock(), 3600)  -- huge: look in steps
    if left > 0 then look(left, "tide.sleep") end
  until left <= 0
end

return runner
