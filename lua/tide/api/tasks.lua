return {

classes = {
  Task = "a coroutine of tide.run",
  Queue = "values on their way between tasks",
  Semaphore = "places that tasks take",
  Place = "a place of a semaphore that is taken",
},

args = {
  seconds = "number = nil: from 0 on; nil has no end",
},

objects = { task = "Task", q = "Queue", semaphore = "Semaphore", place = "Place" },


[[
# Tasks

Coroutines that wait for the device without blocking each other.

## Purpose

A program that waits for the device in one place has nothing to do with another. `tide.run` runs
tasks, which are coroutines that take turns on the one thread that Lua has: one that waits, for work
of the device by `x:await()`, for another task, for the clock, lets the others go on. Each that
is spawned has a stream of its own, the first one what is current, so what they queue runs side by
side on the device; what they share is in order all the same, as arrays are on any streams.

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
    returns = "any...: what `fn` returned",
    args = { ["..."] = "any: what `fn` is called with" },
    text = [[
      calls `fn(...)` as the first task, and returns once all tasks are over. The error of a task
      that nobody waits for ends the others, and is raised here with the task's name and
      traceback]],
    waits = "if no task can go on; runs host functions",
    raises = "inside a task; if all tasks wait for each other",
    example = "tide.run(function (a, b) return a + b end, 1, 2)  --> 3" },
  { "tide.spawn([options,] fn, ...)",
    returns = "Task",
    args = {
      ["..."] = "any: what `fn` is called with",
      options = [[
        table: `name`, for errors, and `stream`: a Stream, `"inherit"` (what is current here) or
        `"own"`, which is the default: one that no other task has, up to 32 for each device]],
    },
    text = "`fn(...)` begins once the tasks before it have had their turn",
    raises = "outside of `tide.run`",
    example = [[
one = tide.run(function ()
  return tide.spawn({ name = "one" }, function () return 1 end):await()
end)
one                                     --> 1
]] },
  { "tide.gather(list)",
    returns = "table: the first value of each",
    args = { list = "table: functions, tasks, or what has `await`" },
    text = [[
      waits for all of them, which go on at once. The first error cancels the others, and is
      raised; [errors of their `<close>`](#errors) come behind it]],
    waits = "if one is not over yet",
    example = [[
list = tide.run(function ()
  local x = tide.ones(3)
  return tide.gather{ x * 2, function () return "a" end }
end)
list[1], list[2]                        --> true   a
]] },
  { "tide.parallel(devices, fn)",
    returns = "table: the first value of each",
    args = {
      devices = "table: a list of devices and of specs, as `tide.devices()`",
      fn = "function: called with a device and its place in the list",
    },
    text = [[
      `fn(dev, i)` for each device, all at once: tasks in which `dev` is current, with a stream of
      its own. The first error cancels the others, and is raised. Also outside of `tide.run`]],
    waits = "if one is not over yet",
    example = [[
list = tide.parallel({ "host", "host" }, function (dev, i)
  return tide.full(3, i):sum():item()
end)
list[2]                                 --> 6
]] },
  { "tide.race(list)",
    returns = "integer, any...: the place of the first that is over, and what it returned",
    args = { list = "table: functions, tasks, or what has `await`" },
    text = [[
      waits for the first of them that is over. The others are cancelled at once: a
      task that has not had its turn by then takes nothing. An error of their `<close>`
      [is raised here](#errors)]],
    waits = "if none is over yet",
    raises = "the error of that one",
    example = [[
at, what = tide.run(function ()
  return tide.race{ function () tide.sleep(1) end, function () return "soon" end }
end)
at, what                                --> 2   soon
]] },
  { "tide.sleep(seconds)",
    args = { seconds = "number: from 0 on" },
    text = [[
      lets other tasks go on for so long. Outside of tasks it blocks, and runs host functions]],
    waits = "if no other task can go on",
    example = "tide.sleep(0.001)" },
},

[[
A task can wait in its own coroutine only: in one that it has made itself (a generator, a scope's
iterator) `x:await()` and `tide.sleep` block, as they do outside of `tide.run`, and what would wait
for other tasks raises. A plain `coroutine.yield()` in a task lets the others go first.

## Tasks
]],

{
  columns = "returns",
  { "task:await([seconds])",
    returns = 'any...: what it returned; nil and `"timeout"`',
    text = "lets others go on until it is over. Its error is raised",
    waits = "until the task is over, so long at most",
    raises = "if it was cancelled; outside of tasks, unless it is over",
    example = [[
what = tide.run(function ()
  return tide.spawn(function () return "done" end):await()
end)
what                                    --> done
]] },
  { "task:cancel()",
    returns = "boolean: was it still under way?",
    text = [[
      ends it, and closes what is open in it (`<close>`). What it has queued is done all the same]],
    raises = "in the task itself",
    example = [[
was = tide.run(function ()
  return tide.spawn(tide.sleep, 10):cancel()
end)
was                                     --> true
]] },
  { "local _ <close> = task",
    text = "cancelled at the end of the block, if it is not over",
    example = [[
tide.run(function ()
  local _ <close> = tide.spawn(tide.sleep, 10)
end)
]] },
  { "tostring(task)",
    text = "its name, where its function is, and its state",
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
  nobody waits for ends all tasks, and `tide.run` raises it. A task that is cancelled before it gets
  the error that it waited for does not count.
- The `<close>` of a task that is cancelled may raise. `task:cancel()` makes this the task's error.
  `tide.gather` and `tide.race` raise it for the tasks that they cancel, also if the race has a
  winner. `tide.run` raises it for the tasks that it ends.
- If an error is raised already, later ones are added to its text, after a line's end and `and: `.
  An error object that is no string stays as it is, and the later error becomes a warning.
- A task fails if it returns while its own stream captures. The capture is thrown away, and no other
  task gets the stream. Call `stream:end_capture()` in the task, or use `tide.capture`.
- A debug hook may raise anywhere, as Ctrl-C and instruction limits do. No value of a queue and no
  place of a semaphore is lost by it within tide, and no task is left waiting. It may raise before
  `place:close()` has done anything: `local place <close> = s:acquire()` is sure to give it back.

## Queues
]],

{
  columns = "returns",
  { "tide.queue([n])",
    returns = "Queue",
    args = { n = "integer = nil: values at most; nil has no end" },
    text = "values go through it in their order",
    example = "tide.queue(2)                           --> tide.Queue: 0 of 2" },
  { "q:put(value)",
    returns = "q",
    args = { value = "any: not nil" },
    text = "puts a value in, behind the others",
    waits = "while the queue is full",
    raises = "if it is closed, also meanwhile",
    example = "#tide.queue():put(1):put(2)             --> 2" },
  { "q:get()",
    returns = "any: the oldest value; nil once the queue is closed and empty",
    waits = "while it is empty",
    example = "tide.queue():put(1):get()               --> 1" },
  { "q()",
    returns = "any: as `get`",
    text = "so a generic `for` goes through what comes",
    waits = "while it is empty",
    example = [[
q = tide.queue():put "a":put "b"
q:close()
for value in q do print(value) end
]] },
  { "q:close()",
    text = [[
      nothing more is put into it; what is in it can still be had. Closing it again does nothing]],
    example = [[
q = tide.queue()
q:close()
q:get()                                 --> nil
]] },
  { "local _ <close> = q",
    text = "closed at the end of the block",
    example = "do local q <close> = tide.queue() end" },
  { "#q",
    returns = "integer",
    text = "how many values are in it",
    example = "#tide.queue():put(1)                    --> 1" },
  { "tostring(q)",
    text = "how many, of how many, and whether it is closed",
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
    text = "`n` tasks at once may be where only so many should",
    example = "tide.semaphore(2)                       --> tide.Semaphore: 2 of 2 free" },
  { "semaphore:acquire()",
    returns = "Place: to be closed",
    waits = "while there is none",
    example = [[
semaphore = tide.semaphore(2)
do
  local place <close> = semaphore:acquire()
  tostring(semaphore)                   --> tide.Semaphore: 1 of 2 free
end
]] },
  { "place:close()", "place:release()",
    text = "gives it back: the next who waits has it. A second time does nothing",
    example = [[
semaphore = tide.semaphore(1)
place = semaphore:acquire()
place:release()
semaphore                               --> tide.Semaphore: 1 of 1 free
]] },
  { "local _ <close> = place",
    text = "given back at the end of the block",
    example = "do local _ <close> = tide.semaphore(1):acquire() end" },
  { "tostring(place)",
    text = "whether it is closed",
    example = "tide.semaphore(1):acquire()             --> tide.Place" },
  { "tostring(semaphore)",
    text = "how many places are free",
    example = "tide.semaphore(1)                       --> tide.Semaphore: 1 of 1 free" },
},

[[
## Pitfalls

- A task that computes for long without waiting keeps the others waiting: there is one thread. So
  does one that queues more than [a stream takes](stream.md), about a thousand operations.
- `x:await()` returns at once if the work is already done, so a loop of small awaits lets no other
  task go on. `tide.sleep(0)` gives the others a turn.
- `synchronize`, `item`, `totable` and printing block all tasks. `x:await()` first, then they return
  at once.
- Small jobs, a few calls each again and again, take the host longer than the device. A task that
  captures its job once and awaits `graph:launch()` takes half as long as one that makes the calls.
- A task begins when those before it have had their turn, not inside `spawn`.
- An error in a task ends the others at once unless somebody waits for that task then, as `gather`
  and `race` do. Where some may fail, `tide.spawn(pcall, fn, ...)`: `task:await()` gives `true` and
  what `fn` returned, or `false` and the error.
- A timeout ends the wait, as `cancel` ends the task. What was queued is done all the same, and what
  is queued behind it waits for that.
- Waits for queues and semaphores have no timeout: `tide.race{ function () return q:get() end,
  function () tide.sleep(1) end }` has one. Its first result is 1 if a value has come, which is the
  second. Who does not get his turn takes nothing.
- Ctrl-C ends a wait. A task that computes notices nothing, as Lua looks for it in the main
  coroutine only; a second one ends the process.
]],

}
