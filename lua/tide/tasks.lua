--[[
tasks.lua - tide.run and what goes on in it: tasks, which are coroutines that
take turns on one thread, each until it waits for something. init.lua loads it
with the first one; queues and semaphores between them are in queues.lua.

A task that waits is parked: it has yielded PARKED, and whoever has what it
waits for wakes it, which puts it at the end of those that are ready. Work of
the device is waited for by x:await(), which asks for our sleeper (waiting.lua)
and comes back here as a parked task.

Where a loop runs the coroutine that calls tide.run (loops.lua), the run gives
its turn to the loop when no task can go on, and others may have theirs. So
'run' is the one whose turn it is, and a task knows its own. Coroutines of a
loop that are no tasks wait in the same queues, as guests.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local loops = require "tide.loops"
local timers = require "tide.timers"
local waiting = require "tide.waiting"

local check_self <const>, check_end <const>, check_seconds <const> =
  arguments.check_self, arguments.check_end, arguments.check_seconds
local clock, inherit = tide.clock, tide.inherit
local create, running, resume = coroutine.create, coroutine.running,
                                coroutine.resume
local status, yield = coroutine.status, coroutine.yield
local unpack = table.unpack
-- A host program may have taken them away.
local getinfo = debug and debug.getinfo
local traceback = debug and debug.traceback or function () return "" end

local STREAMS <const> = 32      -- of tasks, for each device; more share them
local LOOK_SECONDS <const> = 50e-6  -- while tasks are ready: how often the
                                    -- device is asked for others
local TURN_SECONDS <const> = 1e-3  -- and how often the loop has its turn
local PARKED <const> = {}
local WEAK <const> = { __mode = "k" }  -- a stream may be dropped meanwhile
local NOTHING <const> = { n = 0 }
local TIMEOUT <const> = waiting.TIMEOUT

local run  -- the one whose turn it is, or nil

--- Makes another one current -> which it was.
function waiting.swap_run (other)
  local before = run
  run = other
  return before
end

--{{ parking

--- The run goes on, if it has given its turn to its loop.
local function call_back (this)
  if this.waiter then this.waiter:waken(true) end
end

local function push_ready (task)
  local this = task.run
  this.ready[this.last + 1] = task
  this.last = this.last + 1
  call_back(this)
end

local function stop_timer (task)
  if task.timer then
    timers.remove(task.run.timers, task.timer)
    task.timer = false
  end
end

--- Makes a parked task ready; park() returns 'value' there. Once its run is
-- over it is not parked.
local function waken (task, value)
  if not task.parked then return end
  push_ready(task)
  task.parked, task.value = false, value
  stop_timer(task)
end

--- The task that calls, which must be one's own coroutine: only that can yield
-- to the scheduler. Else nil.
local function current_task ()
  local task = run and run.current
  return task and running() == task.co and coroutine.isyieldable() and task or
         nil
end

--- The task that calls, or a waiter for the coroutine of a loop.
local function current (name)
  local who = current_task()
  if who then return who end
  local runner = loops.here()
  if runner then return loops.waiter(runner) end
  local hint <const> = not run and coroutine.isyieldable() and
                       "; of an event loop, with require \"tide.luv\" or " ..
                       "the like" or ""
  error(("%s: called outside of a task: only what tide.run and tide.spawn " ..
         "call can wait, in its own coroutine%s"):format(name, hint), 3)
end

--- Waits to be woken, for so many seconds at most (nil, math.huge: no end) ->
-- what waken() was given, or TIMEOUT.
local function park (task, waits, seconds)
  if not task.co then return loops.park(task, seconds) end  -- a guest
  local timer = seconds and seconds < math.huge and
                { at = clock() + seconds, who = task, place = 0 }
  task.parked, task.waits = true, waits
  if timer then
    task.timer = timer
    timers.add(task.run.timers, timer)
  end
  repeat yield(PARKED) until not task.parked  -- others may resume it as well
  task.waits = false
  local value = task.value
  task.value = false
  return value
end

--- Its ticket is nothing to it any more.
local function forget_ticket (task)
  if task.ticket then
    waiting.tickets[task.ticket] = nil
    task.ticket = false
  end
end

--- Of x:await(), with the door left: see ticket.c.
local function sleep (ticket, id, seconds)
  local _ <close> = ticket
  local task = run.current
  task.ticket = id
  waiting.tickets[id] = task
  local value = park(task, "the device", seconds)
  forget_ticket(task)
  return value ~= TIMEOUT
end

function waiting.task_sleeper ()
  local task = run and run.current
  return task and running() == task.co and sleep or nil
end

--}}

--{{ streams of tasks

local Pool <const> = {}

local function streams_here ()
  local device = tide.get_device()
  local pool = run.streams[device]
  if not pool then
    pool = setmetatable({ device = device, idle = {}, all = {}, turn = 0 },
                        Pool)
    run.streams[device] = pool
  end
  return pool
end

local function forget_stream (pool, stream)
  for i = 1, #pool.all do
    if pool.all[i] == stream then
      table.remove(pool.all, i)
      return
    end
  end
end

--- One that nobody has, made current; a task may have closed it.
local function use_idle (pool)
  local stream = table.remove(pool.idle)
  while stream and not pcall(stream.use, stream) do
    forget_stream(pool, stream)
    stream = table.remove(pool.idle)
  end
  return stream
end

--- Makes a stream of its own current; once there are many, one that others have
-- as well.
local function use_stream (task, pool)
  local stream = use_idle(pool)
  if not stream and #pool.all >= STREAMS then
    pool.turn = pool.turn % #pool.all + 1
    stream = pool.all[pool.turn]
    if pcall(stream.use, stream) then return end
    forget_stream(pool, stream)
    stream = nil
  end
  if not stream then
    pool.device:use()
    stream = tide.Stream{ non_blocking = true }
    pool.all[#pool.all + 1] = stream
    stream:use()
  end
  task.stream = stream
  run.pools[stream] = pool
end

--- One of a task that has failed may be in the middle of anything: a capture.
local function give_stream_back (task)
  local stream <const> = task.stream
  if not stream then return end
  local pool <const> = task.run.pools[stream]
  if task.state == "done" then
    pool.idle[#pool.idle + 1] = stream
  else
    forget_stream(pool, stream)
  end
  task.stream = false
end

--}}

--{{ tasks

local Task <const> = { __name = "tide.Task" }

-- What they have unless they say otherwise, behind their methods.
local defaults <const> = setmetatable({
  waits = false, older = false, newer = false, caught = false, stream = false,
  waken = waken
}, { __index = function (_, name)
  error(("no field '%s' in tide.Task, which has await and cancel"):format(
    name), 2)
end })

local methods <const> = setmetatable({}, { __index = defaults })
Task.__index = methods

--- Its name, and where its function is.
local function describe (task)
  local name <const> = math.type(task.name) and "task " .. task.name or
                       task.name
  local info <const> = getinfo and getinfo(task.fn, "S")
  return not info and name or
         ("%s (%s:%d)"):format(name, info.short_src, info.linedefined)
end

function Task:__tostring ()
  return ("tide.Task: %s, %s"):format(describe(self), self.state)
end

--- Where a coroutine is, outside of tide's own Lua: "file:line", or nil.
local function place (co, level)
  while true do
    local info = getinfo and getinfo(co, level, "Sl")
    if not info then return nil end
    if info.currentline > 0 and not info.source:find "tide/%l+%.lua$" then
      return ("%s:%d"):format(info.short_src, info.currentline)
    end
    level = level + 1
  end
end

--- The body of a task, in its coroutine: with the stream that it wants, or what
-- was current where it was spawned.
local function begin (task, wanted, ...)
  if getmetatable(wanted) == Pool then
    use_stream(task, wanted)
  elseif getmetatable(wanted) == "tide.Stream" then
    wanted:use()
  else
    inherit(wanted)
  end
  return task.fn(...)
end

--- All that are not over, the newest first.
local function link (task)
  task.older = run.newest
  if run.newest then run.newest.newer = task end
  run.newest = task
end

local function unlink (self, task)
  if task.newer then
    task.newer.older = task.older
  else
    self.newest = task.older
  end
  if task.older then task.older.newer = task.newer end
end

-- There is room for 16 fields: more would take another table.
local function new_task (name, stream, fn, ...)
  local n <const> = run.count + 1
  run.count = n
  local task <const> = setmetatable({
    co = create(begin), fn = fn, name = name or n, run = run,
    args = select("#", ...) > 0 and { n = select("#", ...), ... } or NOTHING,
    value = stream == "inherit" and inherit() or stream or streams_here(),
    -- what close_run sets, which must not need memory
    state = "ready", results = false, parked = false, timer = false,
    ticket = false, watchers = false
  }, Task)
  link(task)
  push_ready(task)
  return task
end

--- The task is over: 'state' is "done", "failed" or "cancelled"; then what it
-- returned, or its error.
local function finish (task, state, ...)
  local this <const> = task.run
  task.state = state
  task.results = select("#", ...) > 0 and table.pack(...) or NOTHING
  unlink(this, task)
  give_stream_back(task)
  local watchers <const> = task.watchers
  if state == "failed" and not watchers and not task.caught then
    this.failed = this.failed or task
  end
  call_back(this)
  task.watchers = false
  for i = 1, watchers and #watchers or 0 do
    if watchers[i] then watchers[i](task) end
  end
end

--- fn(task) is called once it is over -> its place among the watchers.
local function add_watcher (task, fn)
  task.watchers = task.watchers or {}
  table.insert(task.watchers, fn)
  return #task.watchers
end

--- Its error, with its name and where it happened; what is no string stays.
local function explain (task, err, trace)
  if type(err) ~= "string" then return err end
  return ("%s\nin %s\n%s"):format(err, describe(task), trace)
end

local function ended (task, ok, ...)
  if ok and ... == PARKED then return end
  local co <const> = task.co
  if status(co) ~= "dead" then  -- a plain yield: others first
    push_ready(task)
  elseif ok then
    finish(task, "done", ...)
  else
    local trace <const> = traceback(co)
    local _, err = coroutine.close(co)  -- that of a <close> comes instead
    if err == nil then err = ... end
    finish(task, "failed", explain(task, err, trace))
  end
end

local function step (task)
  run.current = task
  task.state = "running"
  if task.args then
    local args <const>, wanted <const> = task.args, task.value
    task.args, task.value = false, false
    ended(task, resume(task.co, task, wanted, unpack(args, 1, args.n)))
  else
    ended(task, resume(task.co))
  end
  run.current = false
  if task.state == "running" then task.state = "waiting" end
end

--- What became of it, as its own return or error.
local function outcome (task)
  local results <const> = task.results
  if task.state == "done" then
    return table.unpack(results, 1, results.n)
  elseif task.state == "failed" then
    error(results[1], 0)
  end
  error(describe(task) .. " was cancelled", 0)
end

local function is_over (task) return task.results ~= false end

--- Not where it runs, nor where it is what cancels or closes us.
local function may_cancel (task)
  return not is_over(task) and status(task.co) == "suspended"
end

--- task:await([seconds]) -> what it returned; raises its error. nil and
-- "timeout" once so many seconds are over.
function methods:await (seconds, extra)
  check_self(self, Task, "await")
  if seconds ~= nil then check_seconds(seconds, 1, "await") end
  check_end(extra, 2, "await")
  if is_over(self) then return outcome(self) end
  local me <const> = current "task:await"
  if self == me then
    error("task:await: a task cannot wait for itself", 2)
  end
  local at <const> = add_watcher(self, function () me:waken(true) end)
  local _ <close> = setmetatable({}, { __close = function ()
    local watchers <const> = self.watchers
    if watchers then watchers[at] = false end
    while watchers and watchers[#watchers] == false do
      watchers[#watchers] = nil
    end
    if watchers and #watchers == 0 then self.watchers = false end
  end})
  if not is_over(self) and park(me, self, seconds) == TIMEOUT then
    return nil, "timeout"
  end
  return outcome(self)
end

local function drop (task)
  task.parked, task.args = false, false
  stop_timer(task)
  forget_ticket(task)
end

--- task:cancel() -> was it still under way? Closes what is open in it.
function methods:cancel (extra)
  check_self(self, Task, "cancel")
  check_end(extra, 1, "cancel")
  if is_over(self) then return false end
  if not may_cancel(self) then
    error("task:cancel: a task cannot cancel itself: return, or raise", 2)
  end
  drop(self)
  local ok, err = coroutine.close(self.co)
  if ok then
    finish(self, "cancelled")
  else
    finish(self, "failed", explain(self, err, "in a <close> while it was " ..
                                              "cancelled"))
  end
  return true
end

function Task:__close ()
  if may_cancel(self) then self:cancel() end
end

--}}

--{{ the loop

local function fire_timers ()
  local heap <const> = run.timers
  local now = #heap > 0 and clock()
  while heap[1] and heap[1].at <= now do
    heap[1].who:waken(TIMEOUT)
  end
end

--- Asks the device, and waits for it if there is nothing else to do -> is there
-- nothing to wait for?
local function look (seconds, name)
  local idle = waiting.look(seconds, name or "tide.run")
  if run then run.looked = clock() end
  return idle
end

--- The loop goes on with others until there is something to do here. It may
-- never come back: then close_run does.
local function give_turn (seconds)
  local this <const> = run
  local waiter <const> = loops.waiter(this.runner)
  this.waiter = waiter
  run = nil
  loops.park(waiter, seconds)
  run = this
  this.waiter, this.gave = false, clock()
end

local function name_waiting ()
  local MOST <const> = 8
  local list, n = {}, 0
  local task = run.newest
  while task do
    n = n + 1
    if n <= MOST then
      local what <const> = task.waits
      list[n] = ("%s waits for %s at %s"):format(describe(task),
        getmetatable(what) == Task and describe(what) or what or "?",
        place(task.co, 0) or "?")
    end
    task = task.older
  end
  if n > MOST then list[MOST + 1] = ("... and %d more"):format(n - MOST) end
  return table.concat(list, "\n")
end

local function is_stuck ()
  return run.first > run.last and run.newest and not run.failed
end

local function wait ()
  local first = run.timers[1]
  local seconds = first and math.max(0, first.at - clock())
  if run.runner then
    look(0)
    if is_stuck() then give_turn(seconds) end
    return
  end
  local idle = look(seconds)
  if idle and not first and is_stuck() then
    error("tide.run: all tasks wait for each other:\n" .. name_waiting(), 0)
  end
end

local function turn ()
  if run.first > run.last then
    wait()
  elseif clock() - run.looked > LOOK_SECONDS then
    look(0)
  end
  fire_timers()
  for _ = run.first, run.last do  -- those that are ready now
    local task = run.ready[run.first]
    run.ready[run.first] = nil
    run.first = run.first + 1
    if not is_over(task) then step(task) end
    if run.failed then break end
  end
  if run.runner and clock() - run.gave > TURN_SECONDS then give_turn(0) end
end

--- However it ends, nothing of it goes on; and this must not fail, whatever is
-- short.
local function close_run (self)
  if run == self then run = nil end
  self.waiter = false
  local left = self.newest
  while left do
    if left.ticket then waiting.tickets[left.ticket] = nil end
    left.state, left.results = "cancelled", NOTHING
    left.parked, left.timer, left.ticket = false, false, false
    left.watchers, left.args = false, false
    left = left.older
  end
  -- Not by unlink: a hook of the program's may have raised in one.
  left, self.newest = self.newest, false
  while left do
    local task = left
    left, task.older = task.older, false
    pcall(coroutine.close, task.co)
  end
  for _, pool in next, self.streams do
    for i = 1, #pool.all do pcall(pool.all[i].close, pool.all[i]) end
  end
end

local Run <const> = { __close = close_run }

local tasks <const> = {}

--- Is somebody in the run that is there? A hook that raises as its __close is
-- called leaves it behind.
local function is_under_way ()
  if run.co ~= running() then return status(run.co) ~= "dead" end
  local level = 3
  local info = getinfo and getinfo(level, "f")
  while info and info.func ~= tasks.run do
    level = level + 1
    info = getinfo(level, "f")
  end
  return not getinfo or info ~= nil
end

function tasks.run (fn, ...)
  if run and is_under_way() then
    error("tide.run: there is one under way: tide.spawn(fn) starts a task " ..
          "in it", 2)
  elseif run then
    close_run(run)
  end
  local this <close> = setmetatable({
    ready = {}, first = 1, last = 0, timers = {}, newest = false,
    streams = {}, pools = setmetatable({}, WEAK),  -- of each device; stream
    count = 0, looked = 0, failed = false, current = false,
    runner = loops.here(), waiter = false, gave = clock(), co = running()
  }, Run)
  run = this
  local main <const> = new_task("main", "inherit", fn, ...)
  while run.newest and not run.failed do
    turn()
  end
  if run.failed then outcome(run.failed) end
  return outcome(main)
end

--- spawn([options,] fn, ...) -> Task: { name =, stream = a Stream, "inherit" or
-- "own" }.
function tasks.spawn (options, fn, ...)
  if not run then
    error("tide.spawn: called outside of tide.run", 2)
  end
  local stream <const> = options.stream
  return new_task(options.name, stream ~= "own" and stream, fn, ...)
end

--}}

--{{ several at once

--- What may be waited for: checked, before any of the list begins.
local function check_item (x, i, name, me)
  if x == me then
    error("tide." .. name .. ": a task cannot wait for itself", 4)
  end
  if getmetatable(x) == Task or type(x) == "function" then return end
  local ok, await = pcall(function () return x.await end)
  if not ok or type(await) ~= "function" then
    error(("bad argument #1 to '%s' (item %d: a function, a Task or what " ..
           "has await() expected, got %s)"):format(name, i, type(x)), 4)
  end
end

local function as_task (x)
  if getmetatable(x) == Task then return x end
  if type(x) == "function" then return new_task(nil, nil, x) end
  return new_task(nil, "inherit", function () return x:await() end)
end

--- What has a name would be left out in silence; the n of table.pack may be
-- there.
local function check_list (list, name)
  if type(list) ~= "table" or getmetatable(list) == Task then
    error(("bad argument #1 to '%s' (list expected, got %s)"):format(
      name, list == nil and "no value" or type(list)), 3)
  end
  for key in pairs(list) do
    if type(key) == "string" and key ~= "n" then
      error(("bad argument #1 to '%s' (field '%s' in a list of what is " ..
             "waited for, which has no names)"):format(name, key), 3)
    end
  end
end

--- Tasks to be waited for are those of a run.
local function current_in_run (name)
  return current_task() or
         error(name .. ": called outside of a task: only what tide.run and " ..
               "tide.spawn call can wait, in its own coroutine", 3)
end

local function as_tasks (list, name, me)
  local all <const>, n <const> = {}, #list
  for i = 1, n do check_item(list[i], i, name, me) end
  for i = 1, n do
    all[i] = as_task(list[i])
    all[i].caught = true
  end
  return all
end

--- Those that are left when the scope ends are cancelled; but for one that has
-- cancelled us.
local Rest <const> = { __close = function (all)
  for i = 1, #all do
    if may_cancel(all[i]) then all[i]:cancel() end
  end
end }

--- Parks until done(task) has said so of one that is over, or of all together.
local function watch (me, all, waits, done)
  local enough = false
  for i = 1, #all do
    if is_over(all[i]) then
      enough = done(all[i], i) or enough
    else
      add_watcher(all[i], function (task)
        if done(task, i) then
          enough = true
          me:waken(true)
        end
      end)
    end
  end
  if not enough then park(me, waits) end
end

--- gather(list) -> the list of what they returned, the first value of each. The
-- first error is raised, and the others are cancelled.
function tasks.gather (list)
  check_list(list, "gather")
  local me <const> = current_in_run "tide.gather"
  local all <close> = setmetatable(as_tasks(list, "gather", me), Rest)
  local left, failed = #all, nil
  if left > 0 then
    watch(me, all, "tasks", function (task)
      left = left - 1
      if task.state ~= "done" then failed = failed or task end
      return left == 0 or failed
    end)
  end
  if failed then outcome(failed) end
  local results <const> = { n = #all }
  for i = 1, #all do
    results[i] = all[i].results[1]
  end
  return results
end

--- race(list) -> the place of the first that is over, and what it returned; or
-- raises its error. The others are cancelled.
function tasks.race (list)
  check_list(list, "race")
  if #list == 0 then
    error("bad argument #1 to 'race' (an empty list has no first)", 2)
  end
  local me <const> = current_in_run "tide.race"
  local all <close> = setmetatable(as_tasks(list, "race", me), Rest)
  local first
  watch(me, all, "tasks", function (_, i)
    first = first or i
    return true
  end)
  return first, outcome(all[first])
end

--- sleep(seconds): others go on meanwhile; outside of tasks it blocks.
function tasks.sleep (seconds)
  check_seconds(seconds, 1, "sleep")
  local task = current_task()
  local runner = not task and loops.here()
  if task and seconds == 0 then
    yield()  -- others first
    return
  elseif task or runner then
    park(task or loops.waiter(runner), "the clock", seconds)
    return
  end
  local til <const> = clock() + seconds
  repeat
    local left <const> = math.min(til - clock(), 3600)  -- huge: it has an end
    if left > 0 then look(left, "tide.sleep") end
  until left <= 0
end

--}}

--- For queues.lua, and parallel.lua: the task that calls, or nil.
tasks.current, tasks.park, tasks.inside = current, park, current_task

return tasks
