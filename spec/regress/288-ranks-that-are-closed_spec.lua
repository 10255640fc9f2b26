--[[
comm:close() left the library's part of its ranks as it was, until something
else that was dropped had the Runtime look: the other ranks waited for it until
their timeout, and threads and descriptors piled up. A host function that closed
a communicator while comm:split or comm:close waited left them with ranks that
were gone.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

describe("a communicator that is closed", function ()
  it("is known to the others as such #process", function ()
    ranks.works("host", { processes = 2 }, [[
      comm:barrier()
      local x = tide.ones(3)
      if comm.rank == 1 then
        comm:close()
        for _ = 1, 300 do
          tide.sleep(0.01)
          x:add_(1)
        end
      else
        local start = tide.clock()
        fails("rank 1 has closed its communicator", function ()
          comm:barrier()
          comm:all_reduce(x)
          x:tobytes()
        end)
        assert(tide.clock() - start < 3)
      end
    ]], 30)
  end)

  it("leaves no threads, closed or dropped #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local function threads ()
        for line in io.lines "/proc/self/status" do
          local n = line:match "^Threads:%s*(%d+)"
          if n then return tonumber(n) end
        end
      end
      local function wait_for (most)
        for _ = 1, 1000 do
          if threads() <= most then break end
          tide.sleep(0.005)
          tide.get_device():synchronize()
        end
        assert(threads() <= most, threads())
      end
      local devices = { "host:0", "host:1" }
      for _, name in ipairs(devices) do tide.Device(name):synchronize() end
      tide.comm(devices):barrier()
      local before = threads() + 4
      for _ = 1, 30 do tide.comm(devices):close() end
      wait_for(before)
      for _ = 1, 30 do tide.comm(devices):barrier() end
      collectgarbage() collectgarbage()
      wait_for(before)
    ]], { TIDE_HOST_DEVICES = "2" })
  end)

  it("may be so where its split waits #process", function ()
    ranks.works("host", { processes = 2 }, [[
      if comm.rank == 0 then
        local s = tide.Stream{ non_blocking = true }
        s:launch_host_func(function ()
          local _ <close> = comm
          tell()
        end)
        fails("closed", comm.split, comm, 0)
      else
        told()
        fails("rank 0", function ()
          comm:split(0)
          comm:barrier()
          tide.get_device():synchronize()
        end)
      end
    ]], 5)
  end)
end)
