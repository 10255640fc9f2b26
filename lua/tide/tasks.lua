--[[
tasks.lua - the tasks of tide.run: coroutines that take turns on one thread,
each until it waits for something (waiting.lua). A waiting task has yielded
WAITING; a task that yields anything else lets the others run first. runner.lua
gives them their turns; gather.lua has tasks that wait for several others,
queues.lua has queues and semaphores between them.

Several runs may be active, in coroutines of an event loop. waiting.run is the
run whose turn it is, and each task refers to its own run. Coroutines of a loop
that are not tasks wait in the same queues.
]]
local arguments = require "tide.arguments"
local core = require "tide.scheduler"
local line = require "tide.line"
local streams = require "tide.task_streams"
local waiting = require "tide.waiting"
local find <const>, format <const> = string.find, string.format

local check_self <const>, check_end <const>, check_seconds <const> =
  arguments.check_self, arguments.check_end, arguments.check_seconds
local field <const> = arguments.field
local create <const>, resume <const>, origin <const> =
  core.create, core.resume, core.origin
local atomic <const>, join <const>, leave <const> =
  core.atomic, line.join, line.leave
local status <const> = coroutine.status
-- A host program may have removed them.
local warn <const> = warn
local getinfo = debug and debug.getinfo
local traceback = debug and debug.traceback or function () return "" end

local NOTHING <const> = { n = 0 }
local WAITING <const> = waiting.WAITING
local CAPTURES <const> = "the task returned while its stream was capturing: " ..
                         "stream:end_capture() comes first\nin %s"

-- The fields of a task, which is a list because that saves memory with ten
-- thousand tasks. It begins with those of a waiter.
local CO <const>, RUN <const> = waiting.CO, waiting.SCHEDULER
local READY <const> = 8       -- it will have its turn
local FN <const>, NAME <const> = 9, 10
local STATE <const> = 11      -- false, or its end: "done", "failed" or
                              -- "cancelled", with
local RESULTS <const> = 12    -- its results, or its error; or false
local WATCHERS <const> = 13   -- a line of watchers, notified at its end
local CAUGHT <const> = 14     -- its error is handled, or will be
local STREAM <const> = 15     -- to be given back: task_streams.lua
local OLDER <const>, NEWER <const> = 16, 17  -- its neighbours among unfinished
                                             -- tasks
local ORIGIN <const> = 18     -- where it was spawned, if its function has no
                              -- line of the program, or false
local BEGUN <const> = 19

local here <const>, waiter <const> = waiting.here, waiting.waiter
local park <const>, unpark <const>, waken <const> =
  waiting.park, waiting.unpark, waiting.waken

local Task <const> = { __name = "tide.Task" }

local methods <const> = {}

-- The fallbacks of the methods.
local defaults <const> = setmetatable({ waken = waken }, {
  __index = function (_, name)
    arguments.no_field("tide.Task", name, methods)
  end
})

Task.__index = setmetatable(methods, { __index = defaults })
arguments.refuse_fields(Task, methods)

--- Returns its name, and the line of its function, or the line that spawned it.
local function describe (task)
  local name <const> = math.type(task[NAME]) and "task " .. task[NAME] or
                       task[NAME]
  if task[ORIGIN] then return format("%s (%s)", name, task[ORIGIN]) end
  local fn <const> = task[FN]
  local info <const> = getinfo and type(fn) == "function" and getinfo(fn, "S")
  return not info and name or
         format("%s (%s:%d)", name, info.short_src, info.linedefined)
end

local function state_of (task)
  return task[STATE] or task == task[RUN].current and "running" or
         task[READY] and "ready" or "waiting"
end

function Task:__tostring ()
  return format("tide.Task: %s, %s", describe(self), state_of(self))
end

--- Resumes the run, if it has given its turn to its loop.
local function call_back (this)
  if this.waiter then this.waiter:waken(true) end
end

--- Puts the task in the list of those that are ready, where it is once.
local function push_ready (task)
  if task[READY] then return end
  local this <const> = task[RUN]
  local last <const> = this.last + 1
  this.ready[last] = task
  this.last, task[READY] = last, true
  if this.waiter then call_back(this) end
end

--- Returns the calling task, or nil.
local function current_task ()
  local scheduler <const> = here()
  return scheduler and scheduler.current or nil
end

--- Returns the calling task, or a waiter for the coroutine of a loop.
local function current (name)
  local scheduler <const> = here()
  if scheduler then return scheduler.current or waiter(scheduler) end
  local hint <const> = not waiting.run and coroutine.isyieldable() and
                       "; or in one of an event loop, with require " ..
                       "\"tide.luv\" or the like" or ""
  error(format("%s: called outside of a task: call it in the function that " ..
               "tide.run or tide.spawn calls, in its own coroutine%s", name,
                                                                   hint), 3)
end

--- Returns the position of a coroutine outside of tide's own Lua: "file:line",
-- or nil.
local function place (co, level)
  while true do
    local info = getinfo and getinfo(co, level, "Sl")
    if not info then return nil end
    if info.currentline > 0 and not find(info.source, "tide/[%l_]+%.lua$") then
      return format("%s:%d", info.short_src, info.currentline)
    end
    level = level + 1
  end
end

--- The body of a task with a stream of its own; below, with a given stream.
local function begin_own (task, pool, fn, ...)
  task[STREAM] = streams.use(pool) or false
  return fn(...)
end

local function begin_with (stream, fn, ...)
  local device <const>, err = field(stream, "device")
  if not device then error("tide.spawn: " .. err, 0) end
  stream:use()
  return fn(...)
end

--- The list of unfinished tasks, the newest first.
local function link (this, task)
  local newest <const> = this.newest
  task[OLDER] = newest
  if newest then newest[NEWER] = task end
  this.newest = task
end

local function unlink (this, task)
  local older <const>, newer <const> = task[OLDER], task[NEWER]
  if newer then
    newer[OLDER] = older
  elseif this.newest == task then
    this.newest = older
  end
  if older then older[NEWER] = newer end
  task[OLDER], task[NEWER] = false, false
end

local function begin (task)
  push_ready(task)  -- may run out of memory
  task[BEGUN] = true
  link(task[RUN], task)
  return task
end

local begin_one <const> = atomic(begin)

--- Begins the tasks of the list that have not begun, all of them or none. The
-- caller handles their errors.
local begin_all <const> = atomic(function (list)
  for i = 1, #list do
    local task <const> = list[i]
    task[CAUGHT] = true
    if not task[BEGUN] then begin(task) end
  end
end)

--- Makes a task without beginning it. stream: a Stream, "inherit" or "own"; nil
-- means "own".
local function make_task (name, stream, fn, ...)
  local this <const> = waiting.run
  if not this then error("tide.spawn: called outside of tide.run", 3) end
  local n <const> = this.count + 1
  this.count = n
  local task <const> = setmetatable({
    false, this, false, false, false, false, false, false, fn, name or n, false,
    false, false, false, false, false, false, origin(fn), false
  }, Task)
  if stream == "inherit" then
    task[CO] = create(true, fn, ...)
  elseif stream and stream ~= "own" then
    task[CO] = create(false, begin_with, stream, fn, ...)
  else
    local pool <const> = streams.here(this.streams)
    task[CO] = create(false, begin_own, task, pool, fn, ...)
  end
  return task
end

local function new_task (...) return begin_one(make_task(...)) end

--- Joins the first error with a later one that nothing else will report: as one
-- text, or, if the first is not a string, with the later one as a warning.
local function join_errors (first, more)
  if first == nil then return more end
  local text <const> = type(more) == "string" and more or
                       format("(error object is a %s value)", type(more))
  if type(first) == "string" then return first .. "\nand: " .. text end
  if more ~= nil and warn then
    warn("tide: nobody asked for this error: ", text)
  end
  return first
end

-- The fields of a watcher, behind those of line.lua.
local LINE <const>, TASK <const>, NOTIFY <const>, NOTIFIED <const> =
  line.LINE, 4, 5, 6

--- Notifies each watcher once. Notified watchers stand behind the others, until
-- their scopes end.
local function call_watchers (task, watchers)
  while watchers.first and not watchers.first[NOTIFIED] do
    local watcher <const> = watchers.first
    leave(watcher)
    watcher[NOTIFIED] = true
    join(watchers, watcher)
    watcher[NOTIFY](task)
  end
end

--- Ends the run of a failed task with its error, unless the error is handled.
-- Errors of further tasks are added to the first.
local function report (task)
  local this <const> = task[RUN]
  if task[CAUGHT] or this.failed == task then return end
  if this.failed then
    task[CAUGHT] = true
    this.more = join_errors(this.more, task[RESULTS][1])
  else
    this.failed = task
    if this.waiter then call_back(this) end
  end
end

--- Gives its stream back; returns whether a capture had begun on it, which is
-- discarded.
local function give_back (task, whole)
  local stream <const> = task[STREAM]
  task[STREAM] = false
  return streams.give_back(stream, whole)
end

--- Ends the task: 'state' is "done", "failed" or "cancelled". It may have ended
-- already, because a finalizer has cancelled it since it returned; or partly,
-- because a hook raised here.
local function finish (task, state, results)
  local this <const> = task[RUN]
  if task[STREAM] and give_back(task, state == "done") and
     state == "done" then
    state, results = "failed", { format(CAPTURES, describe(task)) }
  end
  if not task[RESULTS] then
    task[STATE], task[RESULTS] = state, results
  end
  local watchers <const> = task[WATCHERS]
  if state == "failed" and not watchers then report(task) end
  if this.waiter then call_back(this) end
  if watchers then call_watchers(task, watchers) end
  unlink(this, task)  -- last, because end_dead searches linked tasks
end

--- A watcher stands in the line of a task, or in none, until its scope ends.
-- The last watcher may have been notified of an error, and cancelled before
-- its turn; then the error is reported here.
local Watcher <const> = { __close = atomic(function (watcher)
  local task <const>, watchers <const> = watcher[TASK], watcher[LINE]
  leave(watcher)
  if watchers and not watchers.first and task[WATCHERS] == watchers then
    task[WATCHERS] = false
    if task[STATE] == "failed" then report(task) end
  end
end) }

--- Has the watcher notified at the end of the task. If a finalizer has
-- cancelled the task by now, nothing is called.
local watch <const> = atomic(function (watcher)
  local task <const> = watcher[TASK]
  if task[RESULTS] then return end
  local watchers <const> = task[WATCHERS] or line.new()
  join(watchers, watcher)
  task[WATCHERS] = watchers
end)

--- notify: a function, or nil to set it later.
local function new_watcher (task, notify)
  return setmetatable({ false, false, false, task, notify, false }, Watcher)
end

--- Adds the task's name and position to its error; other values than strings
-- stay.
local function explain (task, err, trace)
  if type(err) ~= "string" then return err end
  return format("%s\nin %s\n%s", err, describe(task), trace)
end

local function fail (task, err)
  local co <const> = task[CO]
  local trace <const> = traceback(co)
  local _, closed = coroutine.close(co)  -- an error of a <close> replaces it
  if closed ~= nil then err = closed end
  finish(task, "failed", { explain(task, err, trace) })
end

--- Gives the task its turn, unless it is over. resume() returns true if it has
-- returned, false if it has yielded 'what', nil if it has failed, and "dead" if
-- a hook raised while it was being cancelled.
local function step (this, task)
  local co <const> = task[CO]
  task[READY] = false
  if task[RESULTS] or this.failed then return end
  this.current = task
  local over <const>, what <const> = resume(co)
  this.current = false
  if over == "dead" then
    finish(task, "cancelled", NOTHING)
  elseif over then
    finish(task, "done", what or NOTHING)
  elseif over == false or status(co) ~= "dead" then
    if what ~= WAITING then push_ready(task) end
  else
    fail(task, what)
  end
end

--- Returns its results, or raises its error.
local function outcome (task)
  local results <const> = task[RESULTS]
  if task[STATE] == "done" then
    return table.unpack(results, 1, results.n)
  elseif task[STATE] == "failed" then
    task[CAUGHT] = true
    error(results[1], 0)
  end
  error(describe(task) .. " was cancelled", 0)
end

local function is_over (task) return task[RESULTS] ~= false end

--- Tells whether it can be cancelled: it is not running, nor cancelling or
-- closing the caller. It is dead if a hook raised before its end was noted.
local function may_cancel (task)
  local now <const> = status(task[CO])
  return not is_over(task) and (now == "suspended" or now == "dead")
end

--- task:await([seconds]) -> its results; raises its error. Returns nil and
-- "timeout" after so many seconds.
function methods:await (seconds, extra)
  check_self(self, Task, "await")
  if seconds ~= nil then check_seconds(seconds, 1, "await") end
  check_end(extra, 2, "await")
  if is_over(self) then return outcome(self) end
  local me <const> = current "task:await"
  if self == me then
    error("task:await: a task cannot wait for itself", 2)
  end
  local watcher <close> = new_watcher(self, function () me:waken(true) end)
  watch(watcher)
  if not park(me, self, seconds, is_over, self) and not is_over(self) then
    return nil, "timeout"
  end
  return outcome(self)
end

local cancel <const> = atomic(function (task)
  local ok <const>, err <const> = coroutine.close(task[CO])
  unpark(task)
  if is_over(task) then return true end  -- one of its <close> has ended it
  if ok then
    finish(task, "cancelled", NOTHING)
  else
    finish(task, "failed", { explain(task, err, "in a <close> while it was " ..
                                                "cancelled") })
  end
  return true
end)

--- task:cancel() -> whether it was still running. Closes its <close> variables.
function methods:cancel (extra)
  check_self(self, Task, "cancel")
  check_end(extra, 1, "cancel")
  if is_over(self) then return false end
  if not may_cancel(self) then
    error("task:cancel: a task cannot cancel itself: return, or raise", 2)
  end
  return cancel(self)
end

function Task:__close ()
  if may_cancel(self) then self:cancel() end
end

--}}

--- For gather.lua, queues.lua, and parallel.lua.
local tasks <const> = { current = current, inside = current_task }

--- For gather.lua and parallel.lua.
tasks.Task, tasks.STATE, tasks.RESULTS, tasks.CAUGHT, tasks.make,
  tasks.begin = Task, STATE, RESULTS, CAUGHT, make_task, begin_all
tasks.is_over, tasks.may_cancel, tasks.outcome, tasks.join_errors =
  is_over, may_cancel, outcome, join_errors
tasks.watch, tasks.new_watcher, tasks.Watcher = watch, new_watcher, Watcher

--- For runner.lua.
tasks.WATCHERS, tasks.OLDER, tasks.NEWER = WATCHERS, OLDER, NEWER
tasks.spawn, tasks.step, tasks.push_ready, tasks.finish, tasks.call_watchers =
  new_task, step, push_ready, finish, call_watchers
tasks.describe, tasks.explain, tasks.place, tasks.NOTHING =
  describe, explain, place, NOTHING

return tasks
