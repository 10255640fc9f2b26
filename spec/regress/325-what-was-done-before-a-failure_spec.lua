--[[
What a rank was in the middle of had failed for it if another one, which had
done that, closed its communicator or died meanwhile, and a third one said so,
before its own thread had seen that all it needed was there.
]]
local ranks = require "spec.ranks"

describe("a rank that is slow", function ()
  -- Its threads but for the first get next to nothing of a processor.
  it("does what the others have done and closed after #process", function ()
    for _ = 1, 4 do
      ranks.works("host", { processes = 3 }, [[
        local x, y = tide.ones(1), tide.ones(1)
        comm:all_reduce(x)
        assert(x[1] == 3)
        if comm.rank == 2 then
          local pid = io.open "/proc/self/stat":read "n"
          local cpu = io.open "/proc/self/status":read "a"
                      :match "Cpus_allowed_list:%s*(%d+)"
          local busy = io.popen("taskset -c " .. cpu .. " timeout 60 " ..
            "sh -c 'while :; do :; done' >/dev/null & echo $!"):read "n"
          os.execute((("for t in $(ls /proc/PID/task); do test $t = PID || " ..
            "{ taskset -cp CPU $t; chrt -i -p 0 $t; }; done >/dev/null")
            :gsub("PID", pid):gsub("CPU", cpu)))
          local ok, err = pcall(function ()
            comm:all_reduce(y)
            return y[1]
          end)
          os.execute("kill " .. busy)
          assert(ok and err == 3, err)
        else
          comm:all_reduce(y)
          assert(y[1] == 3)
          if comm.rank == 0 then fails("rank 1", function ()
            comm:all_reduce(x)
            return x[1]
          end) end
        end
      ]])
    end
  end)
end)
