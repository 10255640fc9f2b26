--[[
dist_spec.lua - communicators: the same programs with ranks that are devices of
one process, and with ranks that are processes, on host devices and on GPUs.
]]
local helper = require "spec.helper"
local ranks = require "spec.ranks"
local tide = require "tide"

helper.each_device(function (kind)

local modes = ranks.modes(kind)
for _, mode in ipairs(modes) do mode.add = ranks.series(kind, mode) end

--- The program on each kind of ranks there can be; 'only' (of a mode) chooses.
local function on_ranks (what, code, only)
  local any = false
  for _, mode in ipairs(modes) do
    if not only or only(mode) then
      any = true
      it(("%s, %s%s"):format(what, mode.name, ranks.tag), mode.add(code))
    end
  end
  if not any then
    it(what, function () pending "there is one GPU" end)
  end
end

--- One that has processes of its own, and may end them.
local function alone_on_ranks (what, code, only)
  for _, mode in ipairs(modes) do
    if not only or only(mode) then
      it(("%s, %s #process"):format(what, mode.name), function ()
        ranks.works(kind, mode, code)
      end)
    end
  end
end

local function one_rank (mode) return mode.processes end
local function some_ranks (mode) return mode.devices end

describe("communicators", function ()
  on_ranks("say who they are", [[
    assert(comm.size >= 2 and comm.rank == comm.ranks[1])
    assert(#comm.devices == #comm.ranks and comm.error == nil)
    for i, rank in ipairs(comm.ranks) do
      assert(rank == comm.rank + i - 1)
      assert(comm.devices[i].kind == tide.get_device().kind)
    end
    assert(tostring(comm):find "rank" and tostring(comm):find(comm.size))
    assert(comm.local_rank == comm.rank)
    fails("no field 'ranck'", function () return comm.ranck end)
    fails("in tide.Communicator; did you mean 'size'?", function ()
      return comm.world_size
    end)
    fails("#1 to 'barrier' (tide.Communicator expected, got no value; a " ..
          "method is called with ':')", function () comm.barrier() end)
    fails("#1 to 'group' (tide.Communicator expected, got function; a method",
          function () comm.group(print) end)
    comm:close()
    assert(tostring(comm) == "tide.Communicator (closed)")
    fails("communicator is closed", comm.close, comm)
    fails("communicator is closed", comm.barrier, comm)
    local err = fails("calling 'group' on bad self (communicator is closed)",
                      function () comm:group(print) end)
    assert(err:find "^%(command line%)", err)
    fails("communicator is closed", function () return comm.size end)
  ]])

  on_ranks("reduce in place, by every operation", [[
    local n = comm.size
    local expected = {
      sum = function (i) return n * i + n * (n - 1) / 2 end,
      avg = function (i) return i + (n - 1) / 2 end,
      max = function (i) return i + n - 1 end,
      min = function (i) return i end,
      prod = function (i)
        local p = 1
        for r = 0, n - 1 do p = p * (i + r) end
        return p
      end
    }
    for _, op in ipairs{ "sum", "avg", "max", "min", "prod" } do
      local f = expected[op]
      local x = each(function (r) return tide.arange(1, 6, "float64") + r end)
      assert(comm:all_reduce(x, op)[1] == x[1])
      local wanted = {}
      for i = 1, 5 do wanted[i] = f(i) end
      for _, a in ipairs(x) do is(a, wanted) end
    end
  ]])

  on_ranks("reduce every dtype there is a way for", [[
    local n = comm.size
    for _, t in ipairs{ "int8", "uint8", "int32", "uint32", "int64", "uint64",
                        "float16", "bfloat16", "float32", "float64" } do
      for _, size in ipairs{ 0, 1, 7, 1000 } do
        local x = each(function (r)
          return tide.full({ size }, r + 1, t)
        end)
        comm:all_reduce(x)
        for _, a in ipairs(x) do
          assert(a.dtype == t and a.size == size)
          assert(size == 0 or a[size] == n * (n + 1) / 2)
          assert(a:eq(n * (n + 1) // 2):all():item())
        end
      end
    end
    for _, t in ipairs{ "complex64", "complex128" } do
      local z = each(function (r)
        return tide.full({ 3 }, tide.complex(r, 1), t)
      end)
      comm:all_reduce(z)
      for _, a in ipairs(z) do
        assert(a[2].re == n * (n - 1) / 2 and a[2].im == n)
      end
      fails("there is no 'max' of " .. t, comm.all_reduce, comm, z, "max")
    end
    local b = each(function (r) return tide.array{ r == 0, true, false } end)
    comm:all_reduce(b, "max")
    for _, a in ipairs(b) do
      assert(a[1] == true and a[2] == true and a[3] == false)
    end
    b = each(function (r) return tide.array{ r == 0, true, false } end)
    comm:all_reduce(b, "min")
    for _, a in ipairs(b) do assert(a[1] == false and a[2] == true) end
    fails("there is no 'sum' of bool", comm.all_reduce, comm, b)
    fails("there is no 'sum' of int16", comm.all_reduce, comm,
          each(function () return tide.zeros(3, "int16") end))
  ]])

  on_ranks("NaN wins, infinities stay, integers wrap", [[
    local inf, nan = math.huge, 0 / 0
    local x = each(function (r)
      return tide.array({ r == 0 and nan or 1, r == 1 and nan or 1,
                          r == 0 and inf or 1 }, "float32")
    end)
    comm:all_reduce(x)
    for _, a in ipairs(x) do
      assert(a[1] ~= a[1] and a[2] ~= a[2] and a[3] == inf)
    end
    local k = each(function () return tide.full({ 2 }, 127, "int8") end)
    comm:all_reduce(k)
    local sum = 127 * comm.size & 0xFF
    for _, a in ipairs(k) do assert(a[1] & 0xFF == sum) end
  ]])

  on_ranks("out= leaves the operand as it is", [[
    local n = comm.size
    local x = each(function (r) return tide.full({ 4 }, r + 1.0) end)
    local z = each(function () return tide.zeros(4) end)
    assert(comm:all_reduce(x, { out = z, op = "sum" })[1] == z[1])
    for i, a in ipairs(x) do
      is(a, { comm.ranks[i] + 1, comm.ranks[i] + 1, comm.ranks[i] + 1,
              comm.ranks[i] + 1 })
      assert(z[i][4] == n * (n + 1) / 2)
    end
    x = each(function (r) return tide.full({ 4 }, r + 1.0) end)
    local some = each(function (r)
      return r == comm.rank and x[1] or tide.zeros(4)
    end)
    comm:all_reduce(x, { out = some })          -- the first one in place
    for i, a in ipairs(some) do
      assert(a[4] == n * (n + 1) / 2)
      assert(i == 1 or x[i][4] == comm.ranks[i] + 1)
    end
    fails("option 'out': shape 4 expected, got 3", comm.all_reduce, comm, x,
          { out = each(function () return tide.zeros(3) end) })
    fails("option 'out': dtype float64 expected, got int8", comm.all_reduce,
          comm, x, { out = each(function () return tide.zeros(4, "int8") end) })
    fails("option 'op' must be", comm.all_reduce, comm, x, { op = "mean" })
    fails("sum", comm.all_reduce, comm, x, "mean")
  ]])

  on_ranks("broadcast, reduce, gather, scatter have a root", [[
    local n = comm.size
    for root = 0, n - 1 do
      local x = each(function (r) return tide.full({ 3 }, r) end)
      comm:broadcast(x, root)
      for _, a in ipairs(x) do is(a, { root, root, root }) end

      x = each(function (r) return tide.full({ 2 }, r + 1) end)
      comm:reduce(x, root)
      for i, a in ipairs(x) do
        local r = comm.ranks[i]
        local wanted = r == root and n * (n + 1) // 2 or r + 1
        is(a, { wanted, wanted })
      end

      x = each(function (r) return tide.full({ 1, 2 }, r) end)
      local all, has_root = comm:gather(x, root), false
      for _, r in ipairs(comm.ranks) do has_root = has_root or r == root end
      assert(has_root == (all ~= nil))
      if all then
        assert(all.shape[1] == n and all.shape[2] == 2)
        for r = 1, n do assert(all[r][1] == r - 1) end
      end

      local whole
      each(function (r)
        if r == root then whole = tide.arange(2 * n, "int32") end
      end)
      local parts = comm:scatter(whole, root, {
        out = each(function () return tide.zeros(2, "int32") end) })
      for i, a in ipairs(parts) do
        local r = comm.ranks[i]
        is(a, { 2 * r, 2 * r + 1 })
      end
    end
    local size, all = 100000, nil               -- results within the operand
    local parts = each(function (r)
      if r ~= 0 then return tide.zeros(size, "int64") end
      all = tide.arange(size * n, "int64")
      return all:slice(size * (n - 1) + 1, size * n)
    end)
    for i, a in ipairs(comm:scatter(all, 0, { out = parts })) do
      assert(a[1] == size * comm.ranks[i] and a[size] == a[1] + size - 1)
    end
    parts = each(function (r)
      if r ~= 0 then return tide.full(size, r, "int64") end
      all = tide.zeros(size * n, "int64")
      return all:slice(size * (n - 1) + 1, size * n):fill(9)
    end)
    all = comm:gather(parts, 0, all and { out = all })
    if all then
      assert(all[1] == 9 and all[size] == 9)
      for r = 1, n - 1 do assert(all[size * (r + 1)] == r) end
    end
    local x = each(function () return tide.zeros(3) end)
    fails("#3 to 'broadcast' (root from 0 to " .. n - 1 .. " expected, got",
          comm.broadcast, comm, x, n)
    fails("root from 0 to", comm.broadcast, comm, x, -1)
    local last = n - 1
    local function lacks_root (call, args, ...)
      for _, root in ipairs{ {}, { "sum" }, { { root = 0 } }, { 0.5 } } do
        fails(("root expected, an integer from 0 to %d, got "):format(last),
              call, comm, (...), root[1])
      end
      fails("got no value; the arguments are " .. args, call, comm, (...))
    end
    lacks_root(comm.broadcast, "a, root", x)
    lacks_root(comm.reduce, "a, root [, op]", x)
    lacks_root(comm.gather, "a, root [, { out= }]", x)
    lacks_root(comm.scatter, "a, root [, { out= }]", x[1])
    fails("#3 to 'reduce' (root from 0 to", comm.reduce, comm, x, n)
    fails("#4 to 'reduce' (op expected, 'sum', 'prod', 'max', 'min' or " ..
          "'avg', got table; the arguments are a, root", comm.reduce, comm, x,
          0, { op = "sum" })
    fails("#3 to 'all_reduce' (op expected, 'sum', 'prod', 'max', 'min' or " ..
          "'avg', got 0; the arguments are a [, op]", comm.all_reduce, comm,
          x, 0)
  ]])

  on_ranks("all_gather, reduce_scatter, all_to_all go along the first axis", [[
    local n = comm.size
    local x = each(function (r) return tide.full({ 2, 3 }, r, "int16") end)
    for _, a in ipairs(comm:all_gather(x)) do
      assert(a.shape[1] == 2 * n and a.shape[2] == 3 and a.dtype == "int16")
      for r = 1, n do assert(a[2 * r][3] == r - 1) end
    end
    local scalars = comm:all_gather(each(function (r) return tide.array(r) end))
    for _, a in ipairs(scalars) do
      assert(a.size == n and a[n] == n - 1)
    end
    x = each(function (r) return tide.arange(2 * n, "float32") + r end)
    for i, a in ipairs(comm:reduce_scatter(x)) do
      local r, plus = comm.ranks[i], n * (n - 1) / 2
      is(a, { n * 2 * r + plus, n * (2 * r + 1) + plus })
    end
    x = each(function (r) return tide.arange(2 * n, "int64") + 100 * r end)
    for i, a in ipairs(comm:all_to_all(x)) do
      local r = comm.ranks[i]
      for from = 0, n - 1 do
        assert(a[2 * from + 1] == 100 * from + 2 * r)
        assert(a[2 * from + 2] == 100 * from + 2 * r + 1)
      end
    end
    local odd = each(function () return tide.zeros(2 * n + 1) end)
    fails("multiple of " .. n, comm.reduce_scatter, comm, odd)
    fails("multiple of " .. n, comm.all_to_all, comm, odd)
    fails("multiple of " .. n, comm.all_to_all, comm,
          each(function () return tide.array(1) end))
  ]])

  on_ranks("views go through copies, and overlaps are seen", [[
    local n = comm.size
    local m = each(function (r)
      return tide.arange(6, "float32"):reshape{ 2, 3 } + r
    end)
    local plus = n * (n - 1) / 2
    comm:all_reduce(each(function (r)
      return m[r - comm.rank + 1].T
    end))
    for _, a in ipairs(m) do
      is(a, { plus, n + plus, 2 * n + plus, 3 * n + plus, 4 * n + plus,
              5 * n + plus })
    end
    comm:broadcast(each(function (r)
      return m[r - comm.rank + 1][{ {}, { 1, 3, 2 } }]:fill(r)
    end), 0)
    for _, a in ipairs(m) do
      assert(a[1][1] == 0 and a[2][3] == 0 and a[1][2] == n + plus)
    end
    local x = each(function () return tide.arange(2 * n, "float32") end)
    comm:reduce_scatter(x, { out = each(function (r)
      return x[r - comm.rank + 1]:slice(2, 3)
    end) })
    for i, a in ipairs(x) do
      local r = comm.ranks[i]
      assert(a[2] == n * 2 * r and a[3] == n * (2 * r + 1))
    end
  ]])

  -- The recipe of docs/growing.md, of which docs_spec has one rank.
  on_ranks("parts that differ are gathered with padding", [[
    local file <close> = assert(io.open("docs/growing.md", "rb"))
    local code
    for block in file:read "a":gmatch "```lua\n(.-)```" do
      if block:find("tide.pad", 1, true) then code = block end
    end
    local dots
    code, dots = code:gsub("= tide%.dist%.init{.-}", "= ...")
    code = code:gsub("comm:close%(%)", "return tide.concatenate(parts)")
    assert(dots == 1)
    local all = assert(load(code))(comm)
    local i = 0
    for r = 0, comm.size - 1 do
      for k = 1, r + 3 do
        i = i + 1
        assert(all[i] == k)
      end
    end
    assert(all.size == i)
  ]], one_rank)

  on_ranks("arrays that do not fit are refused before anything is sent", [[
    local x = each(function () return tide.zeros(3) end)
    fails("tide.Array", comm.all_reduce, comm, 7)
    fails("tide.Array", comm.all_reduce, comm,
          each(function () return tide.HostArray(3) end))
    x[1]:close()
    fails("closed", comm.all_reduce, comm, x)
    if #comm.ranks > 1 then
      fails("a list of " .. #comm.ranks .. " arrays expected", comm.all_reduce,
            comm, { tide.zeros(3) })
      local y = each(function () return tide.zeros(3) end)
      fails("rank 0 is on", comm.all_reduce, comm, { y[2], y[1],
            table.unpack(y, 3) })
      y[2] = tide.with_device(comm.devices[2], function ()
        return tide.zeros(4)
      end)
      fails("arrays of one shape expected", comm.all_reduce, comm, y)
    end
    local z = each(function () return tide.broadcast_to(tide.zeros(1), 3) end)
    fails("writ", comm.all_reduce, comm, z)
    comm:barrier()                             -- it still works
  ]])

  on_ranks("large ones are whole", [[
    local n, size = comm.size, 3 * 1000 * 1000 + 1
    local x = each(function (r) return tide.arange(size, "int32") + r end)
    comm:all_reduce(x)
    for _, a in ipairs(x) do
      local wanted = tide.with_device(a.device, function ()
        return tide.arange(size, "int32") * n + n * (n - 1) // 2
      end)
      assert(tide.with_device(a.device, function ()
        return a:eq(wanted):all():item()
      end))
    end
    local all = comm:all_gather(each(function (r)
      return tide.full({ size }, r, "int8")
    end))
    for _, a in ipairs(all) do
      for r = 1, n do assert(a[r * size] == r - 1) end
    end
  ]])
end)

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
  ]], one_rank)

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
    assert(told[1]:find "must not wait", told[1])
    assert(told[2]:find(comm.ranks[2] and "go into one" or "must not wait"),
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
      fails(("#3 to 'send' (item 1: a rank from 0 to %d expected, got x")
            :format(last), comm.send, comm, a, { "x" })
      fails(("#3 to 'send' (rank expected, an integer from 0 to %d, got no " ..
             "value; the arguments are a, rank)"):format(last), comm.send,
            comm, a)
    end)
  ]], some_ranks)

  -- Nobody else has the other ends, so they are not waited for.
  on_ranks("of one process meet in one group", [[
    local a = each(function () return tide.zeros(3) end)
    local function of (rank)
      return each(function (r) return r == rank and a[r + 1] end)
    end
    local start = tide.clock()
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
    assert(tide.clock() - start < 5)
    comm:group(function ()                     -- it still works
      comm:recv(of(1), 0)
      comm:send(of(0), 1)
    end)
    comm:barrier()
  ]], function (mode) return mode.devices and kind == "host" end)
end)

describe("operations of ranks", function ()
  on_ranks("are ordered by what they use, on whichever streams", [[
    local n = comm.size
    local x = each(function () return tide.zeros(100) end)
    local streams = each(function ()
      return { tide.Stream{ non_blocking = true },
               tide.Stream{ non_blocking = true } }
    end)
    for i = 1, 20 do
      local function use (k, fn)
        local open = {}
        for r, s in ipairs(streams) do s[k]:use() end
        fn()
        for r in ipairs(streams) do
          tide.with_device(comm.devices[r], function () end)
        end
      end
      use(i % 2 + 1, function ()
        for _, a in ipairs(x) do
          tide.with_device(a.device, function () a:add_(1) end)
        end
        comm:all_reduce(x, "max")
        for _, a in ipairs(x) do
          tide.with_device(a.device, function () a:mul_(2):sub_(a / 2) end)
        end
      end)
    end
    for _, a in ipairs(x) do
      local first = a[1]
      assert(first > 0 and a:eq(first):all():item())
    end
  ]])

  on_ranks("on each thread's default stream are where it is", [[
    local n, N = comm.size, 1 << 14
    for _, stream in ipairs(each(function () return tide.Stream.ptds end)) do
      stream:use()
    end
    for turn = 1, 3 do
      local x = each(function (r)
        return tide.full({ N }, r + turn, "float64")
      end)
      for _, a in ipairs(x) do a:mul_(2) end
      comm:all_reduce(x)
      local sum = n * (n - 1) + 2 * turn * n
      for i, a in ipairs(x) do
        tide.with_device(comm.devices[i], function ()
          local done = tide.Stream.ptds:record()
          done:synchronize()                   -- it is behind the operation
          assert((a - sum):eq(0):all():item())
        end)
      end
      local to, from, got = {}, {}, {}
      for i, r in ipairs(comm.ranks) do
        to[i], from[i] = (r + 1) % n, (r - 1) % n
        got[i] = tide.with_device(comm.devices[i], function ()
          return tide.full({ N }, -1, "float64")  -- what recv writes over
        end)
        x[i]:add_(r)
      end
      comm:group(function ()
        comm:send(x, to)
        comm:recv(got, from)
      end)
      for i, a in ipairs(got) do
        tide.with_device(comm.devices[i], function ()
          local z = tide.empty(N)
          z:copy_from(a)
          assert((z - sum - from[i]):eq(0):all():item())
        end)
      end
    end
    comm:barrier()
  ]])

  on_ranks("cannot be captured on each thread's default stream", [[
    local x = tide.ones(4)
    local s = tide.Stream.ptds
    s:use()
    s:begin_capture()
    fails("on Stream.ptds operations of a communicator cannot be captured",
          comm.all_reduce, comm, x)
    s:end_capture()
    comm:all_reduce(x)
    assert(x[4] == comm.size)
  ]], one_rank)

  on_ranks("return at once, and keep what they use", [[
    local s = each(function () return tide.Stream{ non_blocking = true } end)
    local held, x = {}, each(function (r) return tide.full({ 1000 }, r + 1) end)
    for i, stream in ipairs(s) do
      held[i] = T.hold(stream)
      stream:use()
    end
    comm:all_reduce(x)
    local y = each(function (r) return x[r - comm.rank + 1] * 2 end)
    for _, a in ipairs(x) do a:close() end
    x = nil
    collectgarbage()
    for i, stream in ipairs(s) do
      assert(not stream.done)
      T.release(held[i])
    end
    for _, a in ipairs(y) do
      assert(a[1000] == comm.size * (comm.size + 1))
    end
  ]])

  on_ranks("are awaited by tasks", [[
    tide.run(function ()
      local ticks = 0
      local task = tide.spawn(function ()
        local x = each(function (r) return tide.full({ 10 }, r) end)
        comm:all_reduce(x)
        for _, a in ipairs(x) do assert(a:await()) end
        return x
      end)
      tide.spawn(function () ticks = ticks + 1 end)
      local x = task:await()
      assert(x[1][1] == comm.size * (comm.size - 1) / 2 and ticks == 1)
    end)
  ]])

  on_ranks("can be captured, and replayed", [[
    local x, z = tide.full({ 4 }, 1), tide.zeros(4 * comm.size, "int64")
    local graph = tide.capture(function ()
      comm:all_reduce(x)
      comm:all_gather(x, { out = z })
      comm:group(function ()
        comm:send(x, (comm.rank + 1) % comm.size)
        comm:recv(x, (comm.rank - 1) % comm.size)
      end)
    end)
    for i = 1, 5 do
      graph:launch()
      assert(x[1] == comm.size ^ i and z[4 * comm.size] == comm.size ^ i)
    end
    comm:all_reduce(x)
    assert(x[4] == comm.size ^ 6)
    assert(graph:debug_dot{ verbose = true }:find "all_reduce")
  ]], one_rank)

  on_ranks("several ranks of one process cannot be captured", [[
    local x = each(function () return tide.zeros(4) end)
    fails("several ranks of one process cannot be captured", tide.capture,
          function () comm:all_reduce(x) end)
    comm:all_reduce(x)
  ]], some_ranks)

  on_ranks("wait for host functions, and are none of theirs", [[
    local x = each(function () return tide.ones(4) end)
    local ran, s = {}, each(function () return tide.Stream() end)
    for i, stream in ipairs(s) do
      stream:launch_host_func(function () ran[i] = true end)
    end
    comm:all_reduce(x)
    for i in ipairs(s) do assert(ran[i]) end
    s[1]:launch_host_func(function () comm:all_reduce(x) end)
    fails("host function must not wait", s[1].synchronize, s[1])
    comm:barrier()
  ]])
end)

describe("splitting", function ()
  on_ranks("by colors, in the order of keys", [[
    local n = comm.size
    local function list (fn)
      local t = {}
      for i, r in ipairs(comm.ranks) do t[i] = fn(r) end
      return #t > 1 and t or t[1]
    end
    local all = comm:split(list(function () return 0 end),
                           list(function (r) return -r end))
    if type(all) == "table" then
      assert(all[1] == all[2])
      all = all[1]
    end
    assert(all.size == n)
    for i, r in ipairs(all.ranks) do assert(r == n - 1 - comm.ranks[i]) end
    local x = each_of(all, function (r) return tide.full({ 2 }, r) end)
    comm:broadcast(x, 0)
    for _, a in ipairs(x) do assert(a[1] == n - 1) end
    all:close()

    local own = comm:split(list(function (r) return r + 3 end))
    for i, c in ipairs(type(own) == "table" and own or { own }) do
      assert(c.size == 1 and c.rank == 0)
      local a = tide.with_device(c.devices[1], function ()
        return tide.full({ 2 }, i)
      end)
      c:all_reduce(a)
      assert(a[1] == i)
      c:close()
    end
    comm:barrier()
    fails("#3 to 'split' (key expected, an integer", comm.split, comm,
          list(function () return 0 end), list(function () return 1.5 end))
    fails("#2 to 'split' (color expected, an integer from 0 on", comm.split,
          comm, list(function () return -1 end))
  ]])

  on_ranks("without a color takes no part", [[
    local some = comm:split(comm.rank > 0 and 1 or nil)
    assert((some == nil) == (comm.rank == 0))
    if some then
      assert(some.size == comm.size - 1 and some.rank == comm.rank - 1)
      local x = tide.ones(3)
      some:all_reduce(x)
      assert(x[1] == some.size)
    end
    comm:barrier()
  ]], one_rank)
end)

describe("a communicator", function ()
  on_ranks("is one of many, and may be made again and again", [[
    local devices = comm.devices
    for i = 1, 20 do
      local c = comm:split(#comm.ranks > 1 and each(function () return 1 end)
                           or 1)
      c = type(c) == "table" and c[1] or c
      local x = each_of(c, function () return tide.full({ 3 }, 1) end)
      local y = each(function () return tide.full({ 3 }, 1) end)
      c:all_reduce(x)
      comm:all_reduce(y)
      assert(x[1][1] == comm.size and y[1][1] == comm.size)
      if i % 2 == 0 then c:close() end
      c = nil
      collectgarbage()
    end
  ]])

  alone_on_ranks("dies with the lua_State, work under way or not", [[
    local x = each(function () return tide.ones(100000) end)
    for _ = 1, 10 do comm:all_reduce(x) end
  ]])

  alone_on_ranks("is gone with a reset of its device", [[
    local x = each(function () return tide.ones(10) end)
    comm:all_reduce(x)
    comm:barrier()
    comm.devices[1]:reset()
    fails("reset", comm.barrier, comm)
  ]], function (mode) return mode.devices and kind == "host" end)
end)

describe("tide.comm", function ()
  it("wants devices of one kind, each once", function ()
    local fails = helper.fails
    fails("list of devices expected, got number", tide.comm, 1)
    fails("list of devices expected, got none", tide.comm, {})
    fails(("#1 to 'comm' (item 2 is %s:0, as item 1: each rank has a device " ..
           "of its own)"):format(kind), tide.comm, { kind, kind })
    fails("#1 to 'comm' (item 2: no device is called 'x'", tide.comm,
          { kind, "x" })
    fails("#1 to 'comm' (item 1: tide.Device, integer or string expected",
          tide.comm, { {} })
    fails("#2 to 'comm' (options table expected, as { timeout = 30 }, got " ..
          "number)", tide.comm, { kind }, 3)
    fails("#2 to 'comm' (unknown option 'timeuot'; did you mean 'timeout'?)",
          tide.comm, { kind }, { timeuot = 1 })
    fails("unknown option 'size': 'timeout' expected", tide.comm, { kind },
          { size = 1 })
    fails("option 'timeout' must be a number, got string", tide.comm, { kind },
          { timeout = "1" })
    fails("option 'timeout' must be seconds, more than 0", tide.comm, { kind },
          { timeout = 0.0 })
    if kind == "cuda" then
      fails("devices of one kind expected, got cuda:0 and host:0", tide.comm,
            { "cuda", "host" })
    end
  end)
end)

end)

describe("tide.dist.init", function ()
  local fails = helper.fails

  it("checks its options", function ()
    fails("options table expected, as { timeout = 30 }, got number",
          tide.dist.init, 3)
    fails("unknown option 'ranks'; did you mean 'rank'?", tide.dist.init,
          { ranks = 3 })
    fails("options must have names, as in { timeout = ... }", tide.dist.init,
          { 3 })
    fails("option 'rank' must be an integer, got string", tide.dist.init,
          { rank = "0" })
    fails("options 'rank', 'size' and 'address' or 'file' belong together: " ..
          "there is no 'size'", tide.dist.init, { rank = 0 })
    fails("there is no 'address', or 'file'", tide.dist.init,
          { rank = 0, size = 2 })
    fails("option 'local_rank' must be from 0 on, got -1", tide.dist.init,
          { local_rank = -1 })
    fails("#1 to 'init' (option 'device': no device is called 'x'",
          tide.dist.init, { device = "x" })
    fails("#1 to 'init' (option 'device': tide.Device, integer or string",
          tide.dist.init, { device = {} })
    fails("tide.dist.init: option 'file': /nowhere/id.new: No such file",
          tide.dist.init, { rank = 0, size = 2, file = "/nowhere/id",
                            device = "host" })
    fails("rank from 0 to size - 1 expected, got 2 of 2", tide.dist.init,
          { rank = 2, size = 2, address = "localhost:1" })
    fails("size from 1 to 2147483647 expected, got 4294967297", tide.dist.init,
          { rank = 0, size = (1 << 32) + 1, address = "localhost:1" })
    fails("rank from 0 to size - 1 expected, got 4294967296 of 2",
          tide.dist.init, { rank = 1 << 32, size = 2, address = "x:1" })
    for _, address in ipairs{ "", ("x"):rep(101), "a\0b:1" } do
      fails("option 'address' must be", tide.dist.init,
            { rank = 0, size = 2, address = address })
    end
  end)

  it("knows the names of others", function ()
    for name, text in pairs{
      world_size = "; did you mean 'size'?",
      nranks = "; did you mean 'size'?",
      device_id = "; did you mean 'device'?",
      master_addr = "; did you mean 'address', as \"host:port\"?",
      MASTER_PORT = "; did you mean 'address', as \"host:port\"?",
      backend = ": ranks on GPUs have NCCL, those on host devices its twin",
      init_method = ": what a launcher has set is read; without one"
    } do
      fails(("bad argument #1 to 'init' (unknown option '%s'%s"):format(name,
            text), tide.dist.init, { [name] = 1 })
    end
    for name, text in pairs{ all_reduce = "comm:all_reduce(a)",
                             get_world_size = "comm.size", rank = "comm.rank",
                             init_process_group = "'init'" } do
      fails(("no field '%s' in tide.dist; did you mean %s?"):format(name, text),
            function () return tide.dist[name] end)
    end
  end)

  it("is a function of a module, as launcher is", function ()
    for _, name in ipairs{ "init", "launcher" } do
      local chunk = assert(load("local d = ... d:" .. name .. "{}", "=chunk"))
      local message = fails(("calling '%s' on bad self (a function of a " ..
                             "module is called with '.')"):format(name),
                            chunk, tide.dist)
      assert.matches("^chunk:1: ", message)
    end
  end)

  it("says how many ranks there may be", function ()
    local message = fails("on host devices there are at most 256 ranks, and " ..
                          "size is 257", function ()
      local _ = tide.dist.init{ rank = 0, size = 257, address = "x:1",
                                device = "host" }
    end)
    assert.matches("^spec/dist_spec.lua:%d+: tide.dist.init: ", message)
  end)

  it("is of one rank without a launcher #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      assert(tide.dist.launcher() == nil)
      local comm = tide.dist.init()
      assert(comm.size == 1 and comm.rank == 0 and comm.local_rank == 0)
      local x = tide.ones(3)
      assert(comm:all_reduce(x) == x and x[1] == 1)
      assert(comm:all_gather(x).size == 3)
      comm:barrier()
    ]])
  end)

  it("leaves no file, and takes no other one for its own #process", function ()
    local path = os.tmpname()
    helper.child_on("host", ([[
      local tide, path = require "tide", %q
      local file <close> = io.open(path, "w")
      file:write "something else"
      file:flush()
      local ok, err = pcall(tide.dist.init, { rank = 1, size = 2, file = path,
                                              timeout = 1 })
      assert(not ok and err:find("option 'file': " .. path .. " is not what " ..
                                 "rank 0 writes", 1, true), err)
      ok, err = pcall(tide.dist.init, { rank = 0, size = 2, file = path,
                                        timeout = 0.2 })
      assert(not ok and err:find("has not come", 1, true), err)
      assert(not io.open(path))
    ]]):format(path))
    os.remove(path)
  end)

  it("leaves the environment as it was #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local core, meets = require "tide.communicators", 0
      local meet = core.meet
      function core.meet (...)
        meets = meets + 1
        assert(os.getenv "NCCL_COMM_ID" == nil)  -- NCCL alone reads it there
        return meet(...)
      end
      local ok, err = pcall(tide.dist.init, { rank = 0, size = 2,
        address = "x:1", timeout = 0.2 })
      assert(not ok and err:find("rank 1 of 2 has not come", 1, true), err)
      assert(meets == 1 and os.getenv "NCCL_COMM_ID" == nil)
    ]])
  end)

  -- It would be the only rank otherwise, as often as there are processes.
  it("does not take what is half set for no launcher #process", function ()
    local function says (text, env)
      local printed = helper.child([[
        local tide = require "tide"
        assert(tide.dist.launcher() == nil)
        print(select(2, pcall(tide.dist.init)))
        print(tide.dist.init{ rank = 0, size = 1, address = "x:1" }.size)
      ]], env)
      assert(printed:find(text, 1, true) and printed:find "1\n$", printed)
    end
    local function env (t)
      local all = { TIDE_DEVICE = "host", RANK = "0", WORLD_SIZE = "2",
                    MASTER_ADDR = "node7", MASTER_PORT = "29500" }
      for name, value in pairs(t) do all[name] = value or nil end
      return all
    end
    says("belong together: there is no MASTER_ADDR",
         env{ MASTER_ADDR = false })
    says("belong together: there is no RANK", env{ RANK = false })
    says("WORLD_SIZE must be an integer, got 'two'", env{ WORLD_SIZE = "two" })
    says("MASTER_PORT must be an integer, got ''", env{ MASTER_PORT = "" })
  end)

  --- What launchers say: { environment }, { what is expected }.
  local function says (name, env, wanted)
    it("reads what " .. name .. " sets #process", function ()
      local printed = helper.child([[
        package.path = "lua/?.lua;" .. package.path
        local name, at = require "tide.launchers" ()
        print(name, at.rank, at.size, at.local_rank, at.address)
      ]], env)
      assert.matches("^" .. name .. "\t" .. wanted .. "\n$", printed)
    end)
  end

  says("torchrun", { RANK = "3", WORLD_SIZE = "8", LOCAL_RANK = "1",
                     MASTER_ADDR = "node7", MASTER_PORT = "29500" },
       "3\t8\t1\tnode7:29501")
  says("slurm", { SLURM_PROCID = "5", SLURM_NTASKS = "16",
                  SLURM_LOCALID = "1", SLURM_STEP_ID = "0",
                  SLURM_STEP_NODELIST = "node[07-09,12],other",
                  SLURM_JOB_ID = "4097" }, "5\t16\t1\tnode07:61441")
  says("slurm", { SLURM_PROCID = "0", SLURM_NTASKS = "2",
                  SLURM_LOCALID = "0", SLURM_STEP_ID = "2",
                  SLURM_STEP_NODELIST = "alone", SLURM_JOB_ID = "8" },
       "0\t2\t0\talone:61450")
  says("openmpi", { OMPI_COMM_WORLD_RANK = "1", OMPI_COMM_WORLD_SIZE = "4",
                    OMPI_COMM_WORLD_LOCAL_RANK = "1",
                    OMPI_COMM_WORLD_LOCAL_SIZE = "2",
                    OMPI_MCA_orte_hnp_uri =
                      "4096.0;tcp://10.1.2.3,192.168.0.1:41234" },
       "1\t4\t1\t10.1.2.3:61440")
  says("mpich", { PMI_RANK = "1", PMI_SIZE = "4", MPI_LOCALRANKID = "1",
                  MPI_LOCALNRANKS = "2", PMI_PORT = "head:1234" },
       "1\t4\t1\thead:%d+")
  says("mpich", { PMI_RANK = "0", PMI_SIZE = "2", MPI_LOCALRANKID = "0",
                  MPI_LOCALNRANKS = "2" }, "0\t2\t0\t127.0.0.1:%d+")
end)
