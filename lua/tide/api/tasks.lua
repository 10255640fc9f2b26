return {

classes = {
  Task = "a coroutine of tide.run",
  Queue = "a queue of values between tasks",
  Semaphore = "a limit on the number of tasks that enter at once",
  Place = "an acquired place of a semaphore",
},

args = {
  seconds = "number = nil: from 0 on; nil has no end",
},

objects = { task = "Task", q = "Queue", semaphore = "Semaphore", place = "Place" },


[[
# Tasks

Coroutines that wait for the device without blocking each other.

## Purpose

A program that waits for the device in one place can do nothing else meanwhile. `tide.run` runs
tasks: coroutines that take turns on the one thread that Lua has. While a task waits (for work of
the device by `x:await()`, for another task, for a timer), the other tasks run. Each spawned task
has a stream of its own, and the first task uses the current one, so their work runs concurrently on
the device. Work on shared arrays is ordered automatically, as on any streams.

## Example

```lua
local tide = require "tide"

local function smooth (name, n)
  local x = tide.random.uniform(0, 1, { n })
  for _ = 1, 10 do
    x = (x + x:roll(1) + x:roll(-1)) / 3
  end
  x:await()                                    -- the others go on
  return ("%s: %.1f"):format(name, x:mean():item())
end

local lines = tide.run(function ()
  local task = tide.spawn(smooth, "in the background", 1e5)
  local both = tide.gather{
    function () return smooth("first", 1e6) end,
    function () return smooth("second", 1e4) end,
  }
  both[3] = task:await()
  return both
end)
print(table.concat(lines, ", "))               --> first: 0.5, second: 0.5, in the background: 0.5
```

## Running tasks
]],

{
  columns = "returns",
  { "tide.run(fn, ...)",
    returns = "any...: the results of `fn`",
    args = { ["..."] = "any: the arguments of `fn`" },
    text = [[
      calls `fn(...)` as the first task, and returns when all tasks have finished. An error in a
      task that nothing waits for ends the others, and `tide.run` raises it with the task's name and
      traceback]],
    waits = "if no task can go on; runs host functions",
    raises = "inside a task; if all tasks wait for each other",
    example = "tide.run(function (a, b) return a + b end, 1, 2)  --> 3" },
  { "tide.spawn([options,] fn, ...)",
    returns = "Task",
    args = {
      ["..."] = "any: the arguments of `fn`",
      options = [[
        table: `name`, for errors, and `stream`: a Stream, `"inherit"` (the current stream) or
        `"own"` (the default: a stream that no other task has, up to 32 for each device)]],
    },
    text = [[
      starts `fn(...)` as a new task, which begins after the tasks before it have had their turn;
      returns the task]],
    raises = "outside of `tide.run`",
    example = [[
one = tide.run(function ()
  return tide.spawn({ name = "one" }, function () return 1 end):await()
end)
one                                     --> 1
]] },
  { "tide.gather(list)",
    returns = "table: the first result of each",
    args = { list = "table: functions, tasks, or objects with `await`" },
    text = [[
      waits for all of them, which run concurrently. The first error cancels the others and is
      raised; [errors of their `<close>`](#errors) are added to it]],
    waits = "unless all have finished",
    example = [[
list = tide.run(function ()
  local x = tide.ones(3)
  return tide.gather{ x * 2, function () return "a" end }
end)
list[1], list[2]                        --> true   a
]] },
  { "tide.parallel(devices, fn)",
    returns = "table: the first result of each",
    args = {
      devices = "table: a list of devices and of specs, such as `tide.devices()`",
      fn = "function: called with a device and its index in the list",
    },
    text = [[
      runs `fn(dev, i)` for each device concurrently, in tasks in which `dev` is current, with a
      stream of its own. The first error cancels the others and is raised. Works outside of
      `tide.run` too]],
    waits = "unless all have finished",
    example = [[
list = tide.parallel({ "host", "host" }, function (dev, i)
  return tide.full(3, i):sum():item()
end)
list[2]                                 --> 6
]] },
  { "tide.race(list)",
    returns = "integer, any...: the index of the first to finish, and its results",
    args = { list = "table: functions, tasks, or objects with `await`" },
    text = [[
      waits for the first of them to finish, and cancels the others at once: a task that has not had
      its turn by then takes nothing. Errors of their `<close>` are [raised here](#errors)]],
    waits = "unless one has finished",
    raises = "the error of the first to finish",
    example = [[
at, what = tide.run(function ()
  return tide.race{ function () tide.sleep(1) end, function () return "soon" end }
end)
at, what                                --> 2   soon
]] },
  { "tide.sleep(seconds)",
    args = { seconds = "number: from 0 on" },
    text = [[
      lets other tasks run for that time. Outside of tasks it blocks, and runs host functions]],
    waits = "if no other task can go on",
    example = "tide.sleep(0.001)" },
},

[[
A task can wait only in its own coroutine. In a coroutine that a task has created (a generator, a
scope's iterator), `x:await()` and `tide.sleep` block, as they do outside of `tide.run`, and waiting
for other tasks raises. A plain `coroutine.yield()` in a task lets the other tasks run first.

## Tasks
]],

{
  columns = "returns",
  { "task:await([seconds])",
    returns = [[any...: the results of the task; nil and `"timeout"`]],
    text = "lets others go on until it has finished, and returns its results. Raises its error",
    waits = "until the task has finished, for `seconds` at most",
    raises = "if the task was cancelled; outside of tasks, unless the task has finished",
    example = [[
what = tide.run(function ()
  return tide.spawn(function () return "done" end):await()
end)
what                                    --> done
]] },
  { "task:cancel()",
    returns = "boolean: whether it was still running",
    text = [[
      ends the task, and closes its open `<close>` variables. Work that it has queued still
      completes]],
    raises = "in the task itself",
    example = [[
was = tide.run(function ()
  return tide.spawn(tide.sleep, 10):cancel()
end)
was                                     --> true
]] },
  { "local _ <close> = task",
    text = "cancels the task at the end of the block, unless it has finished",
    example = [[
tide.run(function ()
  local _ <close> = tide.spawn(tide.sleep, 10)
end)
]] },
  { "tostring(task)",
    text = "returns its name, the source line of its function, and its state",
    example = [[
text = tide.run(function ()
  local task = tide.spawn({ name = "one" }, function () end)
  task:await()
  return tostring(task)
end)
text:match "one", text:match "%a+$"     --> one   done
]] },
},

[[
## Errors

- `task:await()`, `tide.gather` and `tide.race` raise the error of a task. An error of a task that
  nothing waits for ends all tasks, and `tide.run` raises it. A waiting task that is cancelled
  before it receives the error does not count.
- A `<close>` variable of a cancelled task may raise. `task:cancel()` makes this the task's error.
  `tide.gather` and `tide.race` raise it for the tasks that they cancel, even if the race has a
  winner. `tide.run` raises it for the tasks that it ends.
- Later errors are added to the text of the first one, after a newline and `and: `. If the first
  error is not a string, it stays as it is, and the later error becomes a warning.
- An error that the device finds, as of an index, belongs to a stream. If a task ends without a wait
  for its own stream, and that has such an error or functions that have not run, no other task gets
  the stream. Waits for the arrays that the error concerns raise it, or else it is reported when the
  state closes.
- A task fails if it returns while its own stream captures. The capture is discarded, and no other
  task gets the stream. Call `stream:end_capture()` in the task, or use `tide.capture`.
- A debug hook may raise anywhere, as Ctrl-C and instruction limits do. Within tide, this loses no
  value of a queue and no place of a semaphore, and leaves no task waiting. The hook may raise
  before `place:close()` has done anything; `local place <close> = s:acquire()` always releases the
  place.

## Queues
]],

{
  columns = "returns",
  { "tide.queue([n])",
    returns = "Queue",
    args = { n = "integer = nil: the capacity; nil means unlimited" },
    text = "returns a first-in, first-out queue",
    example = "tide.queue(2)                           --> tide.Queue: 0 of 2" },
  { "q:put(value)",
    returns = "q",
    args = { value = "any: not nil" },
    text = "appends a value",
    waits = "while the queue is full",
    raises = "if the queue is closed, also while waiting",
    example = "#tide.queue():put(1):put(2)             --> 2" },
  { "q:get()",
    returns = "any: the oldest value; nil once the queue is closed and empty",
    waits = "while it is empty",
    text = "removes and returns the oldest value",
    example = "tide.queue():put(1):get()               --> 1" },
  { "q()",
    returns = "any: as `get`",
    text = "as `get`, so that a generic `for` iterates over the values",
    waits = "while it is empty",
    example = [[
q = tide.queue():put "a":put "b"
q:close()
for value in q do print(value) end
]] },
  { "q:close()",
    text = [[
      closes the queue: it accepts no more values, and values already in it can still be taken.
      Closing it again does nothing]],
    example = [[
q = tide.queue()
q:close()
q:get()                                 --> nil
]] },
  { "local _ <close> = q",
    text = "closes the queue at the end of the block",
    example = "do local q <close> = tide.queue() end" },
  { "#q",
    returns = "integer",
    text = "the number of values in the queue",
    example = "#tide.queue():put(1)                    --> 1" },
  { "tostring(q)",
    text = "returns the number of values, the capacity, and whether it is closed",
    example = "tide.queue(2):put(1)                    --> tide.Queue: 1 of 2" },
},

[[
## Semaphores
]],

{
  columns = "returns",
  { "tide.semaphore(n)",
    returns = "Semaphore",
    args = { n = "integer: from 1 on" },
    text = "returns a semaphore with `n` places: at most `n` tasks hold one at a time",
    example = "tide.semaphore(2)                       --> tide.Semaphore: 2 of 2 free" },
  { "semaphore:acquire()",
    returns = "Place: must be closed",
    waits = "while no place is free",
    text = "takes a place",
    example = [[
semaphore = tide.semaphore(2)
do
  local place <close> = semaphore:acquire()
  tostring(semaphore)                   --> tide.Semaphore: 1 of 2 free
end
]] },
  { "place:close()", "place:release()",
    text = "releases the place to the next waiting task. A second call does nothing",
    example = [[
semaphore = tide.semaphore(1)
place = semaphore:acquire()
place:release()
semaphore                               --> tide.Semaphore: 1 of 1 free
]] },
  { "local _ <close> = place",
    text = "releases the place at the end of the block",
    example = "do local _ <close> = tide.semaphore(1):acquire() end" },
  { "tostring(place)",
    text = "tells whether the place is closed",
    example = "tide.semaphore(1):acquire()             --> tide.Place" },
  { "tostring(semaphore)",
    text = "returns the number of free places",
    example = "tide.semaphore(1)                       --> tide.Semaphore: 1 of 1 free" },
},

[[
## Pitfalls

- A task that computes for long without waiting blocks the other tasks, because there is only one
  thread. So does a task that queues more than [a stream holds](stream.md), about a thousand
  operations.
- `x:await()` returns at once if the work is already done, so a loop of short awaits may never let
  another task run. `tide.sleep(0)` gives the others a turn.
- `synchronize`, `item`, `totable` and printing block all tasks. Call `x:await()` first; then they
  return at once.
- Repeated small jobs of a few calls each take the host longer than the device. A task that captures
  its job once and awaits `graph:launch()` takes half as long as one that makes the calls.
- A task begins when the tasks before it have had their turn, not inside `spawn`.
- An error in a task ends the others at once, unless something waits for that task then, as `gather`
  and `race` do. If a task may fail, use `tide.spawn(pcall, fn, ...)`: `task:await()` then returns
  `true` and the results of `fn`, or `false` and the error.
- A timeout ends only the wait, and `cancel` ends only the task. Queued work still completes, and
  work queued behind it waits for it.
- Waits for queues and semaphores have no timeout. Use `tide.race{ function () return q:get() end,
  function () tide.sleep(1) end }`: its first result is 1 if a value has come, and the second is the
  value. A task that loses the race takes nothing.
- Ctrl-C ends a wait. A computing task does not notice it, because Lua checks for it only in the
  main coroutine; a second Ctrl-C ends the process.
]],

}
