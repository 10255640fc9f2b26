--[[
comm_spec.lua - communicators: what each is, splitting, ends; tide.comm.
]]
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"
local tide = require "tide"

local fails = helper.fails

helper.each_device(function (kind)

local on_ranks, alone_on_ranks = ranks.specs(kind)

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
    fails("#2 to 'split' (color expected, an integer from 0 to 2147483647",
          comm.split, comm, list(function () return -1 end))
    fails("got 2147483648)", comm.split, comm, list(function ()
      return 1 << 31
    end))
    if comm.ranks[2] then
      local colors = list(function () return 0 end)
      colors[#colors + 1] = 0
      fails(("a list of one color for each rank of this process, %d, " ..
             "expected, got %d"):format(#comm.ranks, #colors),
            comm.split, comm, colors)
      fails("a list of one key for each rank", comm.split, comm, nil, colors)
      fails("(field 'key' in a list of one color for each rank of this " ..
            "process)", comm.split, comm, { 0, false, key = 1 })
      fails("(field 'key' in a list of one color", comm.split, comm,
            { [2] = 0, key = 1 })
      local half = comm:split{ 0, false }
      assert(half[1].size == 1 and half[2] == false)
      half[1]:close()
    end
  ]])

  on_ranks("names its ranks as they are", [[
    local size = comm.size
    local colors, keys, names = {}, {}, {}
    for i, rank in ipairs(comm.ranks) do colors[i], keys[i] = 0, -rank end
    local made = comm:split(colors, keys)
    for i, rank in ipairs(made[1].ranks) do
      assert(rank == size - i)
      names[i] = rank
    end
    assert(tostring(made[1]) == ("tide.Communicator ranks %s of %d"):format(
      table.concat(names, ", "), size))
    assert(tostring(comm) == ("tide.Communicator ranks 0 to %d of %d"):format(
      size - 1, size))
  ]], "devices")

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
  ]], "processes")
end)

describe("a communicator", function ()
  on_ranks("says who it is", [[
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

  if kind == "cuda" then return end

  alone_on_ranks("is gone with a reset of its device", [[
    local x = each(function () return tide.ones(10) end)
    comm:all_reduce(x)
    comm:barrier()
    comm.devices[1]:reset()
    fails("reset", comm.barrier, comm)
  ]], "devices")
end)

describe("tide.comm", function ()
  it("wants devices of one kind, each once", function ()
    fails("list of devices expected, got number", tide.comm, 1)
    fails("list of devices expected, got none", tide.comm, {})
    fails("#1 to 'comm' (field 'timeout' in a list of devices; options are " ..
          "a table of their own)", tide.comm, { kind, timeout = 3 })
    fails("#1 to 'parallel' (field 'timeout' in a list of devices)",
          tide.parallel, { kind, timeout = 3 }, print)
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

-- Each call looks for memory, because 'big' has all that there is: what it runs
-- meanwhile closes its communicator.
describe("a communicator that its own call closes", function ()
  local N <const> = 1 << 17
  local comm, x, rows, big

  before_each(function ()
    collectgarbage()
    tide.get_device():synchronize()
    tide.trim()
    comm = tide.comm({ tide.get_device() }, { timeout = 30 })
    x, rows = tide.ones(N), tide.ones{ 2, N // 2 }:transpose()
    big = tide.ones(2 * N)
    tide.get_device():synchronize()
    tide.memory_limit(tide.memory_stats().reserved)
  end)

  after_each(function ()
    collectgarbage "restart"
    tide.memory_limit(0)
    if pcall(function () return comm.size end) then comm:close() end
    comm, x, rows, big = nil, nil, nil, nil
  end)

  local CALLS <const> = {
    all_gather = function () return comm:all_gather(x) end,
    all_reduce = function () return comm:all_reduce(rows) end,
    all_to_all = function () return comm:all_to_all(rows) end,
    broadcast = function () return comm:broadcast(rows, 0) end,
    gather = function () return comm:gather(x, 0) end,
    reduce = function () return comm:reduce(rows, 0) end,
    reduce_scatter = function () return comm:reduce_scatter(rows) end,
    scatter = function () return comm:scatter(rows, 0) end,
    group = function ()
      return comm:group(function () comm:send(rows, 0) comm:recv(rows, 0) end)
    end
  }

  for name, call in pairs(CALLS) do
    it("raises in " .. name .. ", closed by a finalizer (#298)", function ()
      collectgarbage "stop"
      local function close ()
        local _ <close> = comm
        big:close()
      end
      assert.is_table(setmetatable({}, { __gc = close }))
      fails("communicator is closed", call)
      fails("communicator is closed", call)
    end)

    it("raises in " .. name .. ", closed by a host function", function ()
      local s <close> = helper.new_stream()
      local function close () local _ <close> = comm end
      s:with(function ()
        s:launch_host_func(close)
        big:add_(1)
      end)
      big:close()
      fails("communicator is closed", call)
    end)
  end
end)

describe("a communicator", function ()
  ranks.test(kind)("fails while its call looks for memory #process", function ()
    local timeout = kind == "cuda" and 5 or 2  -- NCCL takes long to meet
    ranks.works(kind, ranks.processes(kind, 2), [[
      connect(comm, 1)
      if comm.rank == 0 then
        local x, y, big = tide.ones(1), tide.ones(1 << 17),
                          tide.ones(1 << 18)
        local s = tide.Stream{ non_blocking = true }
        tide.get_device():synchronize()
        tide.memory_limit(tide.memory_stats().reserved)
        comm:all_reduce(x)
        s:with(function ()
          s:launch_host_func(function ()
            local til = tide.clock() + 2 * TIMEOUT
            repeat until tide.clock() >= til
          end)
          big:add_(1)
        end)
        big:close()
        fails("other ranks have not come", function ()
          comm:all_gather(y):await()  -- noticed there, or behind it
        end)
        tell()
      else
        told()
      end
    ]], timeout)
  end)
end)

end)

describe("arrays of one group that overlap #process", function ()
  local PRELUDE = [[
    local tide = require "tide"
    local D = {}
    for _, dev in ipairs(tide.devices()) do
      if dev.kind == "host" then D[#D + 1] = "host:" .. #D end
    end
    local n <const> = #D
    local c <close> = tide.comm(D, { timeout = 20 })
    local to, from = {}, {}
    for i = 1, n do to[i], from[i] = i % n, (i - 2) % n end
    local function each (fn)
      local list = {}
      for i = 1, n do
        list[i] = tide.with_device(D[i], function () return fn(i) end)
      end
      return list
    end
  ]]

  local function on_three (what, code)
    it(what, function ()
      helper.child_on("host", PRELUDE .. code, { TIDE_HOST_DEVICES = "3" })
    end)
  end

  on_three("are sent as they were before it", [[
    for _, size in ipairs{ 3, 1000 } do
      for _ = 1, 50 do
        local x = each(function (i) return tide.full(size, i) end)
        c:group(function () c:send(x, to) c:recv(x, from) end)
        for i = 1, n do
          local want = from[i] + 1
          assert(x[i][1] == want and x[i][-1] == want)
        end
      end
    end
  ]])

  on_three("may do so in part", [[
    for _ = 1, 50 do
      local x = each(function (i) return tide.arange(1000) + 1000 * i end)
      c:group(function ()
        c:send(each(function (i) return x[i]:slice(1, 900) end), to)
        c:recv(each(function (i) return x[i]:slice(101, 1000) end), from)
      end)
      for i = 1, n do
        local moved = tide.with_device(D[i], function ()
          return tide.arange(900) + 1000 * (from[i] + 1)
        end)
        assert(tide.array_equal(x[i]:slice(101, 1000), moved))
        assert(x[i][100] == 99 + 1000 * i)
      end
    end
  ]])

  on_three("hold what the later receive brings", [[
    for _ = 1, 50 do
      local one = each(function (i) return tide.full(100, i, "float64") end)
      local two = each(function (i)
        return tide.full(100, 10 * i, "float64")
      end)
      local x = each(function () return tide.zeros(150) end)
      c:group(function ()
        c:send(one, to)
        c:send(two, to)
        c:recv(each(function (i) return x[i]:slice(1, 100) end), from)
        c:recv(each(function (i) return x[i]:slice(51, 150) end), from)
      end)
      for i = 1, n do
        local k = from[i] + 1
        assert(x[i][50] == k and x[i][51] == 10 * k and x[i][150] == 10 * k)
      end
    end
  ]])
end)

describe("a communicator of host devices #process", function ()
  it("that is closed is known to its other ranks as such (#288)", function ()
    ranks.works("host", { processes = 2 }, [[
      comm:barrier()
      local x = tide.ones(3)
      if comm.rank == 1 then
        comm:close()
        for _ = 1, 10 do
          tide.sleep(0.01)
          x:add_(1)
        end
        told()
      else
        fails("rank 1 has closed its communicator", function ()
          comm:barrier()
          comm:all_reduce(x)
          x:tobytes()
        end)
        tell()
      end
    ]], 300)
  end)

  it("may be closed where its split waits (#288)", function ()
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

  it("leaves no threads and descriptors, closed or dropped (#288 #304)",
     function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local devices = { "host:0", "host:1" }
      local function check ()
        local ls <close> = io.popen "ls /proc/$PPID/fd | wc -l"
        local n = ls:read "n"
        assert(n < 200, n)
      end
      local function threads ()
        local file <close> = io.open "/proc/self/status"
        return tonumber(file:read "a":match "\nThreads:%s*(%d+)")
      end
      local function wait_for (most)
        for _ = 1, 1000 do
          if threads() <= most then break end
          tide.sleep(0.005)
          tide.get_device():synchronize()
        end
        assert(threads() <= most, threads())
      end
      for _, name in ipairs(devices) do tide.Device(name):synchronize() end
      local comm = tide.comm(devices)
      comm:barrier()
      local before = threads() + 4
      for _ = 1, 30 do tide.comm(devices):close() end
      wait_for(before)
      for i = 1, 120 do
        tide.comm(devices):barrier()
        if i % 30 == 0 then check() end
      end
      for i = 1, 120 do
        comm:split{ 0, 0 }
        if i % 30 == 0 then check() end
      end
      comm:barrier()
      collectgarbage() collectgarbage()
      wait_for(before)
    ]], { TIDE_HOST_DEVICES = "2" })
  end)

  it("needs few descriptors, or says that there are too few (#318)",
     function ()
    local function run (files, devices)
      local pipe <close> = io.popen(("ulimit -n %d; exec env " ..
        "TIDE_HOST_DEVICES=%d TIDE_DEVICE=host %s timeout 60 %s -e %s 2>&1")
        :format(files, devices, child.paths(), child.lua, child.quote(([[
          local tide = require "tide"
          local names = {}
          for i = 1, %d do names[i] = "host:" .. i - 1 end
          local comm <close> = tide.comm(names, { timeout = 5 })
          local list = {}
          for i, dev in ipairs(comm.devices) do
            dev:use()
            list[i] = tide.ones(4)
          end
          comm:all_reduce(list)
          print(list[1][1] == #names)
        ]]):format(devices))))
      return pipe:read "a"
    end
    assert.equal("true\n", run(32, 2))
    assert.equal("true\n", run(40, 4))
    assert.matches("Too many open files", run(32, 16))
  end)
end)
