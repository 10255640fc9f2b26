--[[
What was computed of a lost operation's result and of an earlier one's counted
as coming from the earlier alone. A root's own elements counted as lost with its
broadcast, and those of the others with their reduce; what was done before a
graph's launch, and the launch, with an operation behind it.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

local PRELUDE <const> = [==[
local dev = tide.get_device()
local function fail () fails("rank 0 of 2: ", dev.synchronize, dev) end
local function gone (x)
  fails("was to write is not there", function () return x[1] end)
end
connect(comm, 4)
]==]

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

local function on_rank_0 (what, code)
  ranks_it(what .. " #process", function ()
    ranks.works(kind, ranks.processes(kind, 2), PRELUDE .. code,
                kind == "cuda" and 5 or 20)
  end)
end

describe("an operation that is lost", function ()
  on_rank_0("is in what was computed of it and of an earlier one", [[
    local a, b = tide.ones(4), tide.ones(4)
    comm:all_reduce(a)
    if comm.rank == 1 then
      assert(a[1] == 2)
      told()
    else
      os.execute "sleep 0.2"  -- it is done, which nobody has noticed
      comm:all_reduce(b)
      local z = tide.zeros(4)
      local all = { b, a + b, b + a, z:add_(b):add_(a) }
      tell()
      fail()
      for _, x in ipairs(all) do gone(x) end
      assert(a[1] == 2)
    end
  ]])

  on_rank_0("leaves what its rank was to keep", [[
    if comm.rank == 0 then
      local w, v, u = tide.arange(4), tide.arange(4), tide.arange(8)
      local x, y = tide.ones(4), tide.ones(4)
      comm:broadcast(w, 0)
      comm:broadcast(u[{ {1, 8, 2} }], 0)
      comm:reduce(v, 1)
      comm:broadcast(x, 1)
      comm:reduce(y, 0)
      tell()
      fail()
      assert(w:sum():item() == 6 and v:sum():item() == 6)
      assert(u:sum():item() == 28)
      gone(x)
      gone(y)
    else
      told()
    end
  ]])

  on_rank_0("is not what was done before it", [[
    local x, y, z = tide.ones(4), tide.ones(4), tide.ones(4)
    local s = tide.Stream{ non_blocking = true }
    local graph = s:with(function ()
      s:begin_capture()
      comm:all_reduce(y)
      comm:all_reduce(y)
      return s:end_capture()
    end)
    comm:all_reduce(x)
    graph:launch()
    graph:launch()
    if comm.rank == 1 then
      assert(y[1] == 16)
      told()
    else
      os.execute "sleep 0.2"
      comm:all_reduce(z)
      tell()
      fail()
      assert(x[1] == 2 and y[1] == 16)
      gone(z)
    end
    graph:close()
  ]])
end)

end)
