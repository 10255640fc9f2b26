--[[
What a rank was in the middle of had failed for it if another one, which had
done that, closed its communicator or died meanwhile, and a third one said so,
before its own thread had seen that all it needed was there.
]]
local ranks = require "spec.support.ranks"

-- Rank 2 is slow: its threads but for the first get next to nothing of a
-- processor.
local PROGRAM <const> = [==[
local x, y = tide.ones(1), tide.ones(1)
comm:all_reduce(x)
assert(x[1] == 3)

local function slow_down ()
  local pid = io.open "/proc/self/stat":read "n"
  local status = io.open "/proc/self/status":read "a"
  local cpu = status:match "Cpus_allowed_list:%s*(%d+)"
  local busy = io.popen("taskset -c " .. cpu .. " timeout 60 " ..
    "sh -c 'while :; do :; done' >/dev/null & echo $!"):read "n"
  local command = "for t in $(ls /proc/PID/task); do test $t = PID || " ..
    "{ taskset -cp CPU $t; chrt -i -p 0 $t; }; done >/dev/null"
  os.execute((command:gsub("PID", pid):gsub("CPU", cpu)))
  return busy
end

local function run (work)
  if comm.rank == 2 then
    local busy = slow_down()
    local ok, err = pcall(function ()
      work()
      return y[1]
    end)
    os.execute("kill " .. busy)
    assert(ok and err == 3, err)
    return
  end
  work()
  assert(y[1] == 3)
  if comm.rank == 0 then  -- rank 1 has left by then, or rank 2 has, too
    fails("has closed its communicator or given up", function ()
      comm:all_reduce(x)
      return x[1]
    end)
  end
end
]==]

local function several (code)
  for _ = 1, 4 do
    ranks.works("host", { processes = 3 }, PROGRAM .. code)
  end
end

describe("a rank that is slow does what others have closed after", function ()
  it("in an operation #process", function ()
    several "run(function () comm:all_reduce(y) end)"
  end)

  it("in messages #process", function ()
    several [[
      run(function ()
        comm:group(function ()
          comm:send(x, (comm.rank + 1) % 3)
          comm:recv(y, (comm.rank - 1) % 3)
        end)
      end)
    ]]
  end)
end)
