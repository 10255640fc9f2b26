--
-- await.lua - tasks, us each: one that does nothing, 10,000 that wait for one
-- event at once, and 64 at a time that copy in, compute twice and copy out.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

harness.us("task", 10000, function (n)
  tide.run(function ()
    for _ = 1, n do tide.spawn(function () end) end
  end)
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

local function job (room)
  local _ <close> = room:acquire()
  local h = tide.HostArray(1024, "float32")
  local x = tide.array(h)
  local y = x * 2 + 1
  y:tohost{ out = h, blocking = false }
  h:await()
  for _, object in ipairs{ x, y, h } do object:close() end
end

harness.us("job", 2000, function (n)
  tide.run(function ()
    local room = tide.semaphore(64)
    for _ = 1, n do tide.spawn(job, room) end
  end)
end)
