--
-- await.lua - tasks, us each: one that does nothing; 10,000 that wait for one
-- event at once; small jobs, which copy in, compute twice and copy out, of 64
-- tasks that each run one after the other; the same replayed as graphs; and
-- with a task for each job, 64 at a time. Then, for tide.run and each installed
-- event loop: as many coroutines that do nothing, and that wait at once; a
-- kernel and the wait for it, beside a wait that spins; and how late ticks of
-- 1 ms are while another coroutine waits for 1 s.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

harness.us("task", 10000, function (n)
  tide.run(function ()
    for _ = 1, n do tide.spawn(function () end) end
  end)
end)

-- Lua's own time to suspend and resume so many coroutines.
harness.us("coroutine", 10000, function (n)
  local list = {}
  for i = 1, n do
    list[i] = coroutine.create(function () coroutine.yield() end)
    coroutine.resume(list[i])
  end
  for i = 1, n do coroutine.resume(list[i]) end
end)

local apart <const> = { non_blocking = true }
local s, event = tide.Stream(apart), tide.Event{ disable_timing = true }

-- The event is behind a host function, which the scheduler runs once all wait.
harness.us("await_10000", 10000, function (n)
  tide.run(function ()
    local inherit <const> = { stream = "inherit" }
    s:launch_host_func(function () end)
    event:record(s)
    for _ = 1, n do
      tide.spawn(inherit, function () event:await() end)
    end
  end)
end)

local TASKS <const>, N <const> = 64, 1024

-- Each has memory of its own, as each of the limit program's streams has.
local function worker (jobs)
  local h, x = tide.HostArray(N, "float32"):fill(1), tide.empty(N, "float32")
  local y = tide.empty(N, "float32")
  local into, home <const> = { out = y }, { out = h, blocking = false }
  for _ = 1, jobs do
    x:copy_from(h)
    tide.mul(x, x, into)
    tide.add(y, 8, into)
    y:tohost(home)
    h:await()
  end
  harness.same(h[N] == 9 or jobs > 1, true, "1*1 + 8")
end

harness.us("job", 31 * TASKS, function (n)
  tide.run(function ()
    for _ = 1, TASKS do tide.spawn(worker, n // TASKS) end
  end)
end)

-- The same four operations, captured once by each task.
local function replayer (jobs)
  local h, x = tide.HostArray(N, "float32"):fill(1), tide.empty(N, "float32")
  local y = tide.empty(N, "float32")
  local graph <close> = tide.capture(function ()
    x:copy_from(h)
    tide.add(tide.mul(x, x, { out = y }), 8, { out = y })
    y:tohost{ out = h, blocking = false }
  end)
  for _ = 1, jobs do
    graph:launch():await()
  end
  harness.same(h[N] == 9 or jobs > 1, true, "1*1 + 8")
end

harness.us("job_graph", 31 * TASKS, function (n)
  tide.run(function ()
    for _ = 1, TASKS do tide.spawn(replayer, n // TASKS) end
  end)
end)

-- A task for each job, which makes and closes all that it needs.
local function job (room)
  local _ <close> = room:acquire()
  local h = tide.HostArray(N, "float32")
  local x = tide.array(h)
  local y = x * 2 + 1
  y:tohost{ out = h, blocking = false }
  h:await()
  for _, object in ipairs{ x, y, h } do object:close() end
end

harness.us("job_task", 2000, function (n)
  tide.run(function ()
    local room = tide.semaphore(TASKS)
    for _ = 1, n do tide.spawn(job, room) end
  end)
end)

--{{ loops

local loops = dofile(here .. "loops.lua")

local x = tide.ones({ harness.on_host() and 1 << 18 or 1 << 24 }, "float32")

local function add() x:add_(1) end

local function work() s:with(add) end

-- work for a second, as far as one knows
local function queue_second()
  local n, start = 0, harness.clock()
  repeat
    work()
    s:synchronize()
    n = n + 1
  until harness.clock() - start > 0.1
  for _ = 1, 10 * n do work() end
end

local function ticks(go, run)
  local late, over = {}, false
  queue_second()
  go(function ()
    s:await()
    over = true
  end)
  go(function ()
    while not over do
      local start = harness.clock()
      tide.sleep(0.001)
      late[#late + 1] = (harness.clock() - start - 0.001) * 1e6
    end
  end)
  run()
  return late
end

harness.us("wake_spin", 100, function (n)
  for _ = 1, n do
    work()
    s:synchronize()
  end
end)

loops(function (name, go, run)
  harness.us("start_" .. name, 10000, function (n)
    for _ = 1, n do go(function () end) end
    run()
  end)
  harness.us("await_" .. name, 10000, function (n)
    s:launch_host_func(function () end)
    event:record(s)
    for _ = 1, n do go(function () event:await() end) end
    run()
  end)
  harness.us("wake_" .. name, 100, function (n)
    go(function ()
      for _ = 1, n do
        work()
        s:await()
      end
    end)
    run()
  end)
  harness.figures("late_" .. name, "us", ticks, go, run)
end, function (name, why)
  for _, row in ipairs{ "start_", "await_", "wake_", "late_" } do
    harness.missing(row .. name, why)
  end
end)

--}}
