--[[
unwritten_spec.lua - arrays that an operation of ranks was to write and has not:
each use of one raises, until something is written there.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

--- The beginning of each program. lost(fn): c has failed when it returns, and
-- with it what fn queues.
local LOST <const> = [==[
local c, s = split(comm), tide.Stream{ non_blocking = true }
connect(c, 3)

local function lost (fn)
  lose({ c }, fn)
  fails("other ranks have not come", tide.get_device().synchronize,
        tide.get_device())
  tide.get_device():synchronize()
end

--- The arrays of this process, as an operation takes them.
local function all (x) return x[2] and x or x[1] end

local function gone (fn, ...)
  local err = fails("was to write is not there: rank ", fn, ...)
  assert(err:find "what %S+ %(%(command line%):%d+%)", err)
  return err
end

local function ones (n)
  return each(function () return tide.ones(n or 3) end)
end
]==]

helper.each_device(function (kind)

local on_pairs = ranks.pairs(kind, kind == "cuda" and 5 or 2)

local function on_ranks (what, code) on_pairs(what, LOST .. code) end

describe("what ranks have not written", function ()
  on_ranks("is never read (#302)", [[
    local list = ones()
    local x, h = list[1], tide.HostArray(3)
    lost(function ()
      s:with(function ()
        c:all_reduce(all(list))
        x:tohost{ out = h, blocking = false }
      end)
    end)
    local path = os.tmpname()
    for _ = 1, 2 do
      gone(function () return x[1] end)
      gone(function () return x + 1 end)
      gone(function () return h[1] end)
      gone(x.item, x:slice(1, 1))
      gone(tide.save, path, x)
      for _, read in ipairs{ x.totable, x.tobytes, x.tohost, tostring, x.await,
                             x.copy, x.sum } do
        gone(read, x)
      end
      gone(x.add_, x, 1)
      gone(h.totable, h)
      gone(h.tobytes, h)
    end
    os.remove(path)
  ]])

  on_ranks("is told to every task", [[
    local x = ones()
    local told = 0
    lost(function () c:all_reduce(all(x)) end)
    tide.run(function ()
      local function look ()
        local ok, err = pcall(x[1].await, x[1])
        told = told + (ok and 0 or 1)
      end
      tide.gather{ look, look, look }
    end)
    assert(told == 3)
  ]])

  on_ranks("spoils what was computed of it", [[
    local x, other = ones(), tide.ones(3)
    local y, z, after
    lost(function ()
      c:all_reduce(all(x))
      y = x[1] * 2
      x[1]:mul_(3)
      z = y:sum()
      after = tide.ones(3)
    end)
    gone(function () return x[1][1] end)
    gone(function () return y[1] end)
    gone(z.item, z)
    assert(after[1] == 1 and other[2] == 1)
  ]])

  on_ranks("is there again once it is overwritten", [[
    local lists = {}
    for i = 1, 8 do lists[i] = ones() end
    lost(function ()
      for _, x in ipairs(lists) do c:all_reduce(all(x)) end
    end)
    local ways = {
      function (x) x:fill(5) end,
      function (x) x:copy_from(tide.full({ 3 }, 5.0)) end,
      function (x) x:copy_from{ 5, 5, 5 } end,
      function (x) x:copy_from(tide.full({ 3 }, 5.0):tobytes()) end,
      function (x) tide.add(tide.full({ 3 }, 2.0), 3, { out = x }) end,
      function (x) s:with(function () x:fill(5) end) end,
      function (x) x[{}] = 5 end,
    }
    for i, way in ipairs(ways) do
      local x = lists[i][1]
      gone(x.totable, x)
      way(x)
      is(x, { 5, 5, 5 })
    end
    local x = lists[8][1]
    x:slice(1, 2):fill(5)
    gone(x.totable, x)
    is(x:slice(1, 2), { 5, 5 })
    x[3] = 5
    is(x, { 5, 5, 5 })
  ]])

  on_ranks("does not outlive its memory", [[
    local x = ones(1000)
    connect(c, 1000)
    lost(function () c:all_reduce(all(x)) end)
    for _, a in ipairs(x) do a:close() end
    for _ = 1, 10 do assert(tide.empty(1000):mul_(0)[1] * 0 == 0) end
  ]])

  on_ranks("is asked for by a graph when that is launched", [[
    local x = ones()
    local y = tide.zeros(3)
    local reads = s:with(function ()
      return tide.capture(function () tide.add(x[1], 1, { out = y }) end)
    end)
    local writes = s:with(function ()
      return tide.capture(function ()
        x[1]:fill(7)
        tide.add(x[1], 1, { out = y })
      end)
    end)
    lost(function () c:all_reduce(all(x)) end)
    gone(reads.launch, reads)
    writes:launch()
    is(y, { 8, 8, 8 })
    reads:launch()
    is(x[1], { 7, 7, 7 })
  ]])

  on_ranks("is not taken by another communicator", [[
    local x = ones()
    lost(function () c:all_reduce(all(x)) end)
    if not x[2] then print "done" os.exit(true, true) end
    local again = tide.comm(comm.devices)
    gone(again.all_reduce, again, x)
    gone(again.broadcast, again, x, 1)
    tide.with_device(comm.devices[2], function () x[2]:fill(4) end)
    again:broadcast(x, 1)
    is(x[1], { 4, 4, 4 })
    again:all_reduce(x)
    is(x[2], { 8, 8, 8 })
  ]])

  on_ranks("may be a graph's behind a host function", [[
    local x, y, z = tide.ones(3), tide.ones(3), tide.ones(3)
    local graph = not comm.ranks[2] and s:with(function ()
      return tide.capture(function () c:all_reduce(x) end)
    end)
    lost(function ()
      s:with(function ()
        if not graph then return c:all_reduce(all(ones())) end
        tide.poll(0.02)                       -- no operation is under way
        s:launch_host_func(function () end)
        graph:launch()
        y:copy_from(x)
        z:fill(3)
        tide.poll()
      end)
    end)
    if graph then
      gone(x.totable, x)
      gone(y.totable, y)
    end
    assert(z[1] == 3 or not graph)
  ]])

  on_ranks("may be a graph's", [[
    if comm.ranks[2] or comm.devices[1].kind == "cuda" then
      print "done"
      os.exit(true, true)
    end
    local x, y = tide.ones(3), tide.zeros(3)
    local graph = s:with(function ()
      return tide.capture(function ()
        comm:all_reduce(x)
        tide.add(x, 1, { out = y })
      end)
    end)
    c = comm
    lost(function () graph:launch() end)
    gone(x.totable, x)
    gone(y.totable, y)
  ]])
end)

end)
