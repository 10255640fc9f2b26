--[[
dist_differ_spec.lua - ranks that do not do the same: on the host device all are
told who was where, for every operation and whatever it is that differs.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

local function several (...) ranks.several(kind, ...) end

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
        local err = fails("do not agree on operation 2", function ()
          if c.rank == 0 then c:split(0) end
          other(c)
          tide.get_current_stream():synchronize()
          x:tobytes()
        end)
        assert(err:find("rank 0: split ((command line):", 1, true), err)
        assert(err:find(text, 1, true), err)
        c:close()
        comm:barrier()
      end
      local c = comm:split(0)                  -- and in the other order
      if c.rank == 0 then c:all_reduce(x) end
      local err = fails("do not agree on operation 1", function ()
        if c.rank > 0 then c:split(c.rank) else x:tobytes() end
      end)
      assert(err:find "ranks? [12][^;]*: split", err)  -- one may be late
      c:close()
      comm:barrier()
    ]], 300)
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

end)
