--[[
dist_faults_spec.lua - ranks that do not do the same, do not come, come late, or
die: every other one gets an error in time, and lives.

TIDE_SPEC_KILLS=n: so many ranks are killed, at random moments.
]]
local helper = require "spec.helper"
local ranks = require "spec.ranks"
local tide = require "tide"

local KILLS <const> = tonumber(os.getenv "TIDE_SPEC_KILLS") or 12

helper.each_device(function (kind)

local function processes (n)
  for _, mode in ipairs(ranks.modes(kind)) do
    if mode.processes == n then return mode end
  end
end

local function several (n, what, fn)
  it(what .. " #process", function ()
    local mode = processes(n)
    if mode then fn(mode) else pending "there is one GPU" end
  end)
end

describe("ranks that differ", function ()
  if kind == "cuda" then return end  -- NCCL does not look

  several(2, "are told who was where", function (mode)
    ranks.works(kind, mode, [[
      local x = tide.ones(4)
      comm:all_reduce(x)
      if comm.rank == 0 then
        comm:all_reduce(x, "max")              -- line 1
      else
        comm:broadcast(x, 0)                   -- line 2
      end
      local err = fails("ranks do not agree on operation 2", x.item,
                        x:slice(1, 1))
      assert(err:find "rank 0: all_reduce of 4 float64, max" and
             err:find "rank 1: broadcast of 4 float64" and
             err:find "command line%):%d+", err)
      err = fails("the communicator has failed", comm.all_reduce, comm, x)
      assert(err:find "ranks do not agree" and comm.error:find "do not agree")
      comm:close()
      assert(tide.ones(3):sum():item() == 3)   -- the process lives
    ]])
  end)

  several(3, "are found, whatever it is that differs", function (mode)
    ranks.works(kind, mode, [[
      local function call (c, r, n, t, op, root, what)
        local x = tide.zeros(n, t)
        if what == "all_reduce" then c:all_reduce(x, op)
        elseif what == "reduce" then c:reduce(x, root, op)
        elseif what == "broadcast" then c:broadcast(x, root)
        elseif what == "all_gather" then c:all_gather(x)
        elseif what == "reduce_scatter" then c:reduce_scatter(x, op)
        elseif what == "all_to_all" then c:all_to_all(x)
        elseif what == "gather" then c:gather(x, root)
        else c:barrier() end
        return x
      end
      local WHAT = { "all_reduce", "reduce", "broadcast", "all_gather",
                     "reduce_scatter", "all_to_all", "gather", "barrier" }
      local seed = 7
      local function draw (n)                  -- the same on all ranks
        seed = seed * 6364136223846793005 + 1442695040888963407
        return (seed >> 33) % n + 1
      end
      for i = 1, 60 do
        local c
        local n, t, op, root = 6 * draw(4), "float32", "sum", 0
        local what, odd = WHAT[draw(8)], draw(3) - 1
        local before, usual = draw(3) - 1, { n, t, op, root, what }
        local how = draw(4)
        local reduces = what:find "reduce"
        local rooted = what == "reduce" or what == "broadcast" or
                       what == "gather"
        if comm.rank == odd then
          if how == 1 and what ~= "barrier" then n = n + 6
          elseif how == 2 and what ~= "barrier" then t = "int32"
          elseif how == 3 and reduces then op = "max"
          elseif how == 3 and rooted then root = 1
          else what = WHAT[WHAT[1] == what and 3 or 1] end
        end
        local ok, err = pcall(function ()
          c = comm:split(0)  -- of the others, who may be on and have failed
          for _ = 1, before do call(c, c.rank, table.unpack(usual)) end
          call(c, c.rank, n, t, op, root, what)
          tide.get_current_stream():synchronize()
          c:barrier()
        end)
        assert(not ok and tostring(err):find "do not agree", i .. ": " ..
               tostring(err))
        if c then c:close() end
        comm:barrier()
      end
    ]], 30)
  end)

  several(3, "in a split of some, and in what others do", function (mode)
    ranks.works(kind, mode, [[
      local x = tide.ones(4)
      local others = {
        { "all_reduce of 4 float64, sum", function (c) c:all_reduce(x) end },
        { "broadcast of 4 float64 from rank 1", function (c)
          c:broadcast(x, 1)
        end },
        { "barrier", function (c) c:barrier() end },
        { "send of 4 float64 to rank 0", function (c) c:send(x, 0) end },
        { "recv of 4 float64 from rank 0 in a group", function (c)
          c:group(function () c:recv(x, 0) end)
        end },
        { "all_to_all of 3 float64", function (c)
          c:all_to_all(x:slice(1, 3))
        end },
        { "all_gather of 4 float64", function (c) c:all_gather(x) end },
      }
      for _, case in ipairs(others) do
        local text, other = case[1], case[2]
        local c = comm:split(0)
        c:barrier()
        x:fill(1)
        local start = tide.clock()
        local err = fails("do not agree on operation 2", function ()
          if c.rank == 0 then c:split(0) end
          other(c)
          tide.get_current_stream():synchronize()
          x:tobytes()
        end)
        assert(err:find("rank 0: split ((command line):", 1, true), err)
        assert(err:find(text, 1, true), err)
        assert(tide.clock() - start < 5, text)
        c:close()
        comm:barrier()
      end
      local c = comm:split(0)                  -- and in the other order
      if c.rank == 0 then c:all_reduce(x) end
      local err = fails("do not agree on operation 1", function ()
        if c.rank > 0 then c:split(c.rank) else x:tobytes() end
      end)
      assert(err:find("ranks 1 and 2: split", 1, true), err)
      c:close()
      comm:barrier()
    ]], 30)
  end)

  several(2, "only where they do", function (mode)
    ranks.works(kind, mode, [[
      for i = 1, 100 do                        -- splits next to operations
        local x = tide.zeros(i % 2 == 0 and 0 or 3)
        comm:all_reduce(x)
        local c = comm:split(0)
        comm:barrier()
        c:all_reduce(x)
        c:close()
        comm:all_reduce(x)
      end
      comm:barrier()
      assert(comm.error == nil)
    ]], 30)
  end)

  several(2, "at a barrier, which moves nothing", function (mode)
    ranks.works(kind, mode, [[
      local x = tide.ones(4)
      local err = fails("do not agree", function ()
        if comm.rank == 0 then comm:barrier() end
        comm:all_reduce(x)
        x:tobytes()
      end)
      assert(err:find("rank 0: barrier ((command line)", 1, true), err)
    ]])
  end)

  several(2, "in what they send, too", function (mode)
    ranks.works(kind, mode, [[
      local c = comm:split(0)
      local x = tide.zeros(c.rank == 0 and 4 or 5)
      if c.rank == 0 then c:send(x, 1) else c:recv(x, 0) end
      fails("do not agree", x.tobytes, x)
      c:close()
      c = comm:split(0)
      c:group(function ()
        if c.rank == 0 then c:send(x, 1) else c:recv(x, 0) end
      end)
      local err = fails("do not agree", x.tobytes, x)
      assert(not err:find("dist.lua", 1, true) and err:find "command line", err)
      assert(err:find("rank 0: send of 4 float64 to rank 1 in a group", 1, true)
             and err:find("rank 1: recv of 5 float64 from rank 0 in a group", 1,
                          true), err)
      c:close()
      for _, grouped in ipairs{ false, true } do  -- of as many bytes
        c = comm:split(0)
        x = tide.zeros(4, c.rank == 0 and "int64" or "float64")
        local function move ()
          if c.rank == 0 then c:send(x, 1) else c:recv(x, 0) end
        end
        if grouped then c:group(move) else move() end
        err = fails("do not agree", x.tobytes, x)
        assert(err:find "send of 4 int64" and err:find "recv of 4 float64", err)
        c:close()
      end
      c = comm:split(0)
      x = tide.zeros(4)
      if c.rank == 0 then c:send(x, 1) else c:all_reduce(x) end
      fails("do not agree", x.tobytes, x)
      c:close()
      comm:barrier()
    ]])
  end)
end)

describe("what does not come", function ()
  if kind == "cuda" then return end  -- NCCL does not say

  several(2, "is named by who waits for it", function (mode)
    ranks.works(kind, mode, [[
      local x = tide.zeros(4, "int16")
      local function lacks (text, fn)
        local c = comm:split(0)
        x:fill(0)                              -- it has been lost before
        if c.rank == 0 then
          fn(c)
          local err = fails("have not come within 2 s", x.tobytes, x)
          assert(err:find("waits for rank 1 in " .. text, 1, true) and
                 err:find "number %d+ %(%(command line%):%d+%)", err)
          tell(text)
        else
          told(text)
        end
        c:close()
      end
      lacks("recv of 4 int16 from rank 1, ", function (c) c:recv(x, 1) end)
      lacks("send of 2 int16 to rank 1 in a group, ", function (c)
        c:group(function () c:send(x:slice(1, 2), 1) end)
      end)
      lacks("gather ", function (c) x:copy_from(c:gather(x, 0):slice(1, 4)) end)
    ]], 2)
  end)
end)

describe("a rank that does not come", function ()
  several(3, "to a split is named, as that is", function (mode)
    if kind == "cuda" then return end  -- NCCL does not say
    ranks.works(kind, mode, [[
      if comm.rank == 0 then
        fails("not all ranks have come within 3 s: ranks 1 and 2 of 3 have " ..
              "not come to comm:split", comm.split, comm, 0)
        tell()
      else
        tide.sleep(1.5)
        told()
      end
    ]], 3)
  end)

  several(2, "to a split has it fail in time", function (mode)
    ranks.works(kind, mode, [[
      if comm.rank == 0 then
        local start = tide.clock()
        fails("not all ranks have come within 2 s", comm.split, comm, 0)
        assert(tide.clock() - start < 8)
        tell()
      else
        told()
      end
    ]], 2)
  end)

  --- Rank 0 calls all_reduce alone, and then 'code', which has its x; that
  -- takes as long as the timeout, and not much longer. GPUs may be shared.
  local function alone (mode, timeout, code)
    local late = timeout + 1.5
    if kind == "cuda" then timeout, late = 15, 40 end
    ranks.works(kind, mode, ([[
      local late = %g
      local x = tide.ones(4)
      comm:all_reduce(x)
      x:tobytes()
      if comm.rank == 1 then
        told()
      else
        local start = tide.clock()
        comm:all_reduce(x)
        local err = (function () %s end)()
        local took = tide.clock() - start
        tell()
        assert(took > TIMEOUT - 1 and took < late, took)
        assert(err:find("have not come within " .. TIMEOUT .. " s", 1, true),
               err)
        assert(err:find "rank 0 of 2" and err:find "command line", err)
        fails("the communicator has failed", comm.barrier, comm)
        comm:close()
        assert(tide.ones(3):sum():item() == 3)
      end
    ]]):format(late, code), timeout)
  end

  several(2, "is waited for no longer than the timeout", function (mode)
    alone(mode, 6, 'return fails("", x.tobytes, x)')
  end)

  several(2, "is noticed by who runs ahead of the device", function (mode)
    alone(mode, 3, [[
      return fails("", function ()
        for _ = 1, 5000 do x:add_(1) end
        x:tobytes()
      end)
    ]])
  end)

  several(2, "to the meeting is named", function (mode)
    local printed, well = ranks.run(kind, mode, "print 'met'", 20)
    assert(well[1] and well[2], printed[1] .. printed[2])
    local text = helper.child_on(kind, [[
      local tide = require "tide"
      local start = tide.clock()
      local ok, err = pcall(tide.dist.init, { rank = 0, size = 3,
        address = "127.0.0.1:" .. math.random(20000, 32000), timeout = 0.5 })
      assert(not ok and tide.clock() - start < 5)
      print(err)
      print(tide.ones(3):sum():item())
    ]])
    assert.matches("not all ranks have come within 0.5 s", text)
    if kind == "host" then
      assert.matches("ranks 1 and 2 of 3 have not come", text)
    end
    assert.matches("3.0\n$", text)
  end)

  several(3, "to the meeting is named by all that have", function ()
    local printed = ranks.run(kind, { processes = 3, meeting = "" }, [[
      local rank = os.getenv "RANK"
      if rank == "2" then return end
      print(select(2, pcall(tide.dist.init, {
        timeout = rank == "0" and 3 or 20 })))
    ]])
    if kind == "cuda" then  -- NCCL does not know who
      assert.matches("not all ranks have come within 3 s", printed[1])
      assert.not_matches("Communicator", printed[2])
      return
    end
    for r = 1, 2 do
      assert.matches("rank 2 of 3 has not come", printed[r])
    end
  end)

  -- NCCL says of this what it likes.
  several(2, "for want of descriptors says so", function ()
    if kind == "cuda" then return end
    for victim = 0, 1 do
      for left = 1, 7 do
        local mode = { processes = 2, files = 200, meeting = ([[
          local victim, left, open = %d, %d, {}
          tide.ones(3):sum():item()
          while tonumber(os.getenv "RANK") == victim do
            local file = io.open "/dev/null"
            if not file then break end
            open[#open + 1] = file
          end
          for _ = 1, left do
            if open[1] then table.remove(open):close() end
          end
          local start = tide.clock()
          local ok, err = pcall(tide.dist.init, {
            timeout = tonumber(os.getenv "RANK") == victim and 20 or 2 })
          print(ok, err, tide.clock() - start < 10)
        ]]):format(victim, left) }
        local printed = ranks.run(kind, mode, "")
        local text = printed[victim + 1]
        assert(text:find "^true" or text:find "Too many open files", text)
        assert(text:find "true\n$", text)
      end
    end
  end)

  several(2, "in time does no harm", function (mode)
    ranks.works(kind, mode, [[
      local x = tide.ones(4)
      for i = 1, 3 do
        if comm.rank == i % 2 then tide.sleep(0.3) end
        comm:all_reduce(x)
      end
      assert(x[1] == 8)
    ]], kind == "cuda" and 20 or 2)
  end)

  several(2, "does not end a wait for long work before it", function (mode)
    if kind == "cuda" then return end
    ranks.works(kind, mode, [[
      local s = tide.Stream{ non_blocking = true }
      s:use()
      local held = T.hold(s)
      local x = tide.ones(4)
      comm:all_reduce(x)
      tide.sleep(TIMEOUT + 0.2)
      assert(comm.error == nil)
      T.release(held)
      assert(x[1] == 2)
    ]], 2)
  end)
end)

describe("a rank that dies", function ()
  several(3, "is an error for the others, who meet anew", function (mode)
    local printed, well = ranks.run(kind, mode, [[
      local x = tide.ones(1000)
      comm:all_reduce(x)
      x:tobytes()
      if comm.rank == 1 then
        local file <close> = io.open "/proc/self/stat"
        os.execute("kill -9 " .. file:read "n")
      end
      local start = tide.clock()
      local err = fails("rank", function ()      -- it may be known by now
        comm:all_reduce(x)
        x:tobytes()
      end)
      assert(tide.clock() - start < 6, err)
      assert(comm.error)
      comm:close()
      local rank = comm and os.getenv "RANK" == "0" and 0 or 1
      local again = tide.dist.init{ rank = rank, size = 2, timeout = 20,
        address = ("%s-again:%s"):format(os.getenv "MASTER_ADDR",
                                         os.getenv "MASTER_PORT") }
      local y = tide.ones(3)
      again:all_reduce(y)
      assert(y[1] == 2)
      again:close()
      print("lived", err)
    ]], 5)
    assert.is_false(well[2])
    for _, r in ipairs{ 1, 3 } do
      assert(well[r] and printed[r]:find "lived", printed[r])
      assert(printed[r]:find "rank 1 has died", printed[r])
    end
  end)

  several(3, "at any moment leaves nobody waiting", function (mode)
    for i = 1, KILLS do
      local printed, well = ranks.run(kind, mode, ([[
        local victim, ms = %d, %d
        comm:barrier()                         -- who dies before is late
        if comm.rank == victim then
          local file <close> = io.open "/proc/self/stat"
          os.execute(("( sleep %%.3f; kill -9 %%d ) &"):format(ms / 1000,
                                                               file:read "n"))
        end
        local x, stop = tide.ones(50000, "float32"), tide.clock() + 10
        local ok, err = pcall(function ()
          while tide.clock() < stop do
            comm:all_reduce(x, "max")
            local y = comm:all_gather(x)
            comm:group(function ()
              comm:send(x, (comm.rank + 1) %% comm.size)
              comm:recv(x, (comm.rank - 1) %% comm.size)
            end)
            y:sum():item()
          end
        end)
        assert(not ok and err:find "died", tostring(err))
        comm:close()
        print("lived", tide.ones(3):sum():item())
      ]]):format(i % 3, (i * 7919) % 150), 5)
      for r = 1, 3 do
        if r - 1 == i % 3 then
          assert(not well[r])
        else
          assert(well[r] and printed[r]:find "lived\t3.0\n$",
                 i .. ": " .. printed[r])
        end
      end
    end
  end)

  several(2, "by an error of its own is noticed as well", function (mode)
    local printed, well = ranks.run(kind, mode, [[
      local x = tide.ones(10)
      comm:all_reduce(x)
      x:tobytes()
      if comm.rank == 1 then error "its own" end
      print(select(2, pcall(function ()
        comm:all_reduce(x)
        x:tobytes()
      end)))
    ]], 5)
    assert(well[1] and not well[2])
    assert.matches(kind == "host" and "rank 1" or "other ranks have not come",
                   printed[1])
    assert.matches("its own", printed[2])
  end)
end)

describe("a failure", function ()
  several(2, "that a call has told is told no more", function (mode)
    if kind == "cuda" then return end  -- it tells of it by the timeout alone
    local printed, well = ranks.run(kind, mode, [[
      local x = tide.ones(10)
      if comm.rank == 1 then
        told()
        local file <close> = io.open "/proc/self/stat"
        os.execute("kill -9 " .. file:read "n")
      end
      local s = tide.get_current_stream()
      local held = T.hold(s)
      comm:all_reduce(x)
      tell()
      for _ = 1, 500 do
        if comm.error then break end
        tide.sleep(0.01)
      end
      fails("rank 1", comm.barrier, comm)
      T.release(held)
      assert(tide.ones(3):sum():item() == 3)
      print "once"
    ]])
    assert(well[1], printed[1])
    assert.matches("once\n$", printed[1])
  end)
end)

describe("a program that ends", function ()
  several(2, "with work under way that others do not come to", function (mode)
    local start = tide.clock()
    ranks.run(kind, mode, [[
      local x = tide.ones(10)
      if comm.rank == 0 then
        comm:all_reduce(x)
        os.exit(true, true)
      else
        tide.sleep(2)
        os.exit(true)
      end
    ]], 6)
    assert(tide.clock() - start < 25)
  end)
end)

end)
