-- 09-tasks.lua - a thousand tasks on eight streams: each copies its part in,
-- works on it and copies the result out, and waits without blocking the others.
local tide = require "tide"

local TASKS <const>, STREAMS <const>, N <const> = 1000, 8, 4096

local function work (stream, k)
  local part = tide.HostArray(N, "float32"):fill(k)
  local x = tide.array(part)
  local y = (x * 2 + 1):tohost{ blocking = false }
  y:await()                                    -- 999 others go on meanwhile
  assert(y[1] == 2 * k + 1 and y[N] == 2 * k + 1)
  return stream
end

local most, now, sum = 0, 0, 0
local seconds = tide.clock()

tide.run(function ()
  local streams = {}
  for i = 1, STREAMS do streams[i] = tide.Stream{ non_blocking = true } end
  local room = tide.semaphore(64)              -- so many have memory at once
  local done = tide.queue()
  for k = 1, TASKS do
    tide.spawn({ name = "part " .. k, stream = streams[k % STREAMS + 1] },
               function ()
      local _ <close> = room:acquire()
      now = now + 1
      most = math.max(most, now)
      work(tide.get_current_stream(), k)
      now = now - 1
      done:put(k)
    end)
  end
  for _ = 1, TASKS do sum = sum + done:get() end
end)

print("all parts are done:", sum == TASKS * (TASKS + 1) // 2)
print("at once:", most > 1 and most <= 64)
io.stderr:write(("%d tasks in %.0f ms\n"):format(
  TASKS, (tide.clock() - seconds) * 1000))
