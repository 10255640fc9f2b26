--[[
exchange_spec.lua - sends, receives, and groups of them.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"
local tide = require "tide"

helper.each_device(function (kind)

local on_ranks = ranks.specs(kind)

describe("sends and receives", function ()
  on_ranks("meet in their order", [[
    if comm.rank == 0 then
      comm:send(tide.arange(5), 1)
      comm:send(tide.full({ 2, 2 }, 7, "bool"), 1)
    elseif comm.rank == 1 then
      is(comm:recv(tide.zeros(5, "int64"), 0), { 0, 1, 2, 3, 4 })
      assert(comm:recv(tide.zeros({ 2, 2 }, "bool"), 0)[2][2] == true)
    end
    comm:barrier()
  ]], "processes")

  on_ranks("in a group all of a ring may send first", [[
    local n = comm.size
    local a = each(function (r) return tide.full({ 1000 }, r, "float32") end)
    local b = each(function () return tide.zeros(1000, "float32") end)
    local c = each(function () return tide.zeros({ 10, 200 }, "float32")
                                      [{ {}, { 1, 200, 2 } }] end)
    local right, left = {}, {}
    for i, r in ipairs(comm.ranks) do
      right[i], left[i] = (r + 1) % n, (r - 1) % n
    end
    local got = comm:group(function (x)
      comm:send(a, right)
      comm:recv(b, left)
      comm:send(a, left)
      comm:recv(each(function (r) return c[r - comm.rank + 1] end), right)
      return x
    end, "x")
    assert(got == "x")
    for i, r in ipairs(comm.ranks) do
      assert(b[i][1] == (r - 1) % n and b[i][1000] == (r - 1) % n)
      assert(c[i][10][100] == (r + 1) % n)
    end
  ]])

  on_ranks("a group may be of some ranks, and of one that sends to itself", [[
    local a = each(function (r) return tide.full({ 3 }, r + 5) end)
    local b = each(function () return tide.zeros(3, "int64") end)
    local none = each(function () return false end)
    comm:group(function ()
      local some, others = each(function () return false end), none
      for i, r in ipairs(comm.ranks) do
        if r == 0 then some[i] = a[i] end
      end
      comm:send(some, 1)
      local get = each(function () return false end)
      for i, r in ipairs(comm.ranks) do
        if r == 1 then get[i] = b[i] end
      end
      comm:recv(get, 0)
    end)
    for i, r in ipairs(comm.ranks) do
      assert(b[i][1] == (r == 1 and 5 or 0))
    end
    comm:group(function ()
      comm:send(a, comm.ranks)
      comm:recv(b, comm.ranks)
    end)
    for i, r in ipairs(comm.ranks) do assert(b[i][3] == r + 5) end
    comm:group(function () end)
  ]])

  on_ranks("a group that ends badly is forgotten", [[
    local a = each(function (r) return tide.zeros(3) end)
    fails("it failed", comm.group, comm, function ()
      comm:send(a, comm.ranks)
      error "it failed"
    end)
    fails("comm:all_reduce: in comm:group there are only sends and receives",
          comm.group, comm, function () comm:all_reduce(a) end)
    fails("a group of this communicator is open", comm.group, comm, function ()
      comm:group(function () end)
    end)
    fails("#1 to 'group' (function expected, got no value)", comm.group,
          comm)
    fails("#1 to 'group' (function expected, got number)", comm.group, comm, 3)
    local co = coroutine.create(function ()     -- one that nobody goes on with
      comm:group(function () coroutine.yield() end)
    end)
    assert(coroutine.resume(co))
    fails("rank", comm.send, comm, a[1], comm.size)
    co = nil
    collectgarbage() collectgarbage()
    fails("rank", comm.send, comm, a[1], comm.size)
    comm:all_reduce(a)
    comm:barrier()
  ]])

  on_ranks("a group is its coroutine's: to others nothing is different", [[
    local n = comm.size
    local rights = each(function (r) return (r + 1) % n end)
    local lefts = each(function (r) return (r - 1) % n end)
    local function ring (i)
      local a = each(function (r) return tide.full(3, 10.0 * i + r) end)
      local got = each(function () return tide.zeros(3) end)
      comm:group(function ()
        comm:send(a, rights)
        coroutine.yield()
        comm:recv(got, lefts)
        coroutine.yield()
      end)
      for k, left in ipairs(lefts) do
        local x = 10 * i + left
        is(got[k], { x, x, x })
      end
    end
    local list = {}
    for i = 1, 3 do
      list[i] = coroutine.create(function ()
        comm.devices[1]:use()
        ring(i)
      end)
    end
    local turns = { 1, 2, 3, 2, 1, 3, 3, 1, 2 }
    for k, i in ipairs(turns) do
      assert(coroutine.resume(list[i]))
      if k < #turns then
        comm:barrier()
        local x = each(function () return tide.ones(2) end)
        comm:all_reduce(x)
        for _, y in ipairs(x) do is(y, { n, n }) end
      end
    end
    for i = 1, 3 do assert(coroutine.status(list[i]) == "dead") end
  ]])

  on_ranks("a host function that runs while one is open is not in it", [[
    local a = each(function () return tide.ones(4) end)
    local b = each(function () return tide.ones(4) end)
    local ran, told = false, {}
    comm:group(function ()
      tide.get_current_stream():launch_host_func(function ()
        told[1] = select(2, pcall(comm.all_reduce, comm, b))
        told[2] = select(2, pcall(comm.send, comm, b, comm.ranks))
        comm:group(function () end)
        ran = true
      end)
      comm:send(a, comm.ranks)
      while not ran do tide.poll(0.01) end
      comm:recv(a, comm.ranks)
    end)
    assert(told[1]:find "ranks cannot be queued inside a host function",
           told[1])
    assert(told[2]:find(comm.ranks[2] and "go into one" or "receives none"),
           told[2])
  ]])

  on_ranks("of several ranks they want a group", [[
    local a = each(function () return tide.zeros(3) end)
    fails("comm:send: of several ranks of one process a send and its " ..
          "receive go into one comm:group", comm.send, comm, a, 0)
    fails("comm:recv: of several ranks", comm.recv, comm, a, 0)
    local last = comm.size - 1
    comm:group(function ()
      fails(("#2 to 'send' (a list of %d expected: an array, or false, for " ..
             "each rank"):format(last + 1), comm.send, comm, { a[1] }, 0)
      local named = table.move(a, 1, #a, 1, { [0] = a[1] })
      fails("#2 to 'send' (index 0 apart from the others in a list of arrays)",
            comm.send, comm, named, 0)
      fails(("#3 to 'send' (item 1: a rank from 0 to %d expected, got x")
            :format(last), comm.send, comm, a, { "x" })
      fails(("#3 to 'send' (rank expected, an integer from 0 to %d, got no " ..
             "value; the arguments are a, rank)"):format(last), comm.send,
            comm, a)
    end)
  ]], "devices")

  on_ranks("to the own rank meet in one group", [[
    local a, b = tide.ones(3), tide.zeros(3)
    local function fn () comm:send(a, comm.rank) end
    fails("comm:send: rank " .. comm.rank .. " sends 1 array to rank " ..
          comm.rank .. " (", fn)
    fails("which receives none: in one process", comm.group, comm, fn)
    comm:group(function ()
      comm:send(a, comm.rank)
      comm:recv(b, comm.rank)
    end)
    assert(b[3] == 1)
  ]], "processes")

  on_ranks("of arrays without elements are some, too (#300)", [[
    local size = comm.size
    local function list (fn)
      local all = each(fn)
      return all[2] and all or all[1]
    end
    local to = list(function (r) return (r + 1) % size end)
    local from = list(function (r) return (r - 1) % size end)
    for _, shape in ipairs{ { 0 }, { 3, 0 }, { 0, 2 } } do
      local a = list(function () return tide.ones(shape) end)
      local b = list(function () return tide.zeros(shape).T end)
      local c, d = list(function (r) return tide.full(2, r, "float64") end),
                   list(function () return tide.zeros(2) end)
      comm:group(function ()
        assert(comm:send(a, to) == a)
        assert(comm:recv(b, from) == b)
      end)
      comm:group(function ()
        comm:send(a, to) comm:send(c, to)
        comm:recv(b, from) comm:recv(d, from)
      end)
      for i, r in ipairs(comm.ranks) do
        local got = size > #comm.ranks and d or d[i]
        is(got, { (r - 1) % size, (r - 1) % size })
      end
    end
  ]])

  on_ranks("of an array without elements outside of a group (#300)", [[
    local x = tide.zeros(0)
    if comm.rank == 0 then comm:send(x, 1) elseif comm.rank == 1 then
      comm:recv(x, 0)
    end
    comm:barrier()
  ]], "processes")

  it("say that an array was closed meanwhile, empty or not (#300)", function ()
    local comm <close> = tide.comm{ tide.get_device() }
    for _, n in ipairs{ 0, 3 } do
      local x, y = tide.ones(n), tide.ones(n)
      helper.fails("rank 0 sends was closed meanwhile", comm.group, comm,
                   function ()
        comm:send(x, 0)
        comm:recv(y, 0)
        x:close()
      end)
    end
  end)

  if kind == "cuda" then return end  -- NCCL does not look

  -- No other process has the other ends, so they are not waited for.
  on_ranks("of one process meet in one group", [[
    local a = each(function () return tide.zeros(3) end)
    local function of (rank)
      return each(function (r) return r == rank and a[r + 1] end)
    end
    local function unmet (text, fn)
      local err = fails(text, comm.group, comm, fn)
      assert(err:find("command line%):%d+: comm:group: rank %d"), err)
      assert(err:find("rank %d %(%(command line%):%d+%), which"), err)
    end
    unmet("rank 0 sends 1 array to rank 1 (", function ()
      comm:send(of(0), 1)
    end)
    unmet("rank 1 receives 1 array from rank 0 (", function ()
      comm:recv(of(1), 0)
    end)
    unmet("which receives 1 array: in one process", function ()
      comm:send(of(0), 1)
      comm:send(of(0), 1)
      comm:recv(of(1), 0)
    end)
    unmet("which receives none: in one process", function ()
      comm:send(of(0), 1)
      comm:recv(of(0), 1)
    end)
    comm:group(function ()                     -- it still works
      comm:recv(of(1), 0)
      comm:send(of(0), 1)
    end)
    comm:barrier()
  ]], "devices")
end)

end)

describe("a group of many sends and receives #process", function ()
  it("takes no time that grows with their square (#320)", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local N <const> = 8000
      local comm = tide.comm({ "host:0", "host:1" }, { timeout = 20 })
      local function each (fn)
        local list = {}
        for i, dev in ipairs(comm.devices) do
          dev:use()
          list[i] = fn(i)
        end
        return list
      end
      local from = each(function (i)
        return tide.arange(N, "float64") + i * N
      end)
      local to = each(function () return tide.zeros(N) end)
      comm:group(function ()
        for i = 1, N do
          local function at (x) return x:slice(i, i) end
          comm:send({ at(from[1]), at(from[2]) }, { 1, 0 })
          comm:recv({ at(to[1]), at(to[2]) }, { 1, 0 })
        end
      end)
      local start = os.clock()  -- what other programs take is not in it
      each(function (i)
        assert(to[i][1] == (3 - i) * N and to[i][-1] == (4 - i) * N - 1)
        assert((to[i]:diff() - 1):abs():max():item() == 0)
      end)
      local took = os.clock() - start
      assert(took < 2, took)
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)
