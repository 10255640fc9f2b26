--[[
dist_order_spec.lua - what operations of ranks come after, and what comes after
them: on streams, in tasks, captures and host functions.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"
local tide = require "tide"

helper.each_device(function (kind)

local on_ranks, alone_on_ranks = ranks.specs(kind)

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
  ]], "processes")

  on_ranks("return at once, and keep what they use", [[
    local s = each(function () return tide.Stream{ non_blocking = true } end)
    local held, x = {}, each(function (r) return tide.full({ 1000 }, r + 1) end)
    connect(comm, 1000, x[1].dtype)
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
  ]], "processes")

  on_ranks("several ranks of one process cannot be captured", [[
    local x = each(function () return tide.zeros(4) end)
    fails("several ranks of one process cannot be captured", tide.capture,
          function () comm:all_reduce(x) end)
    comm:all_reduce(x)
  ]], "devices")

  on_ranks("wait for host functions before them, and are none of theirs", [[
    local x = each(function () return tide.ones(4) end)
    local ran, s = {}, each(function ()
      return tide.Stream{ non_blocking = true }
    end)
    for i, stream in ipairs(s) do
      stream:launch_host_func(function () ran[i] = true end)
    end
    comm:all_reduce(x)
    for i, stream in ipairs(s) do
      assert(not ran[i])
      stream:with(function () x[i]:add_(1) end)
    end
    comm:all_reduce(x)
    for i, a in ipairs(x) do
      assert(ran[i] and a[4] == comm.size * (comm.size + 1))
      ran[i] = false
      tide.with_device(comm.devices[i], function ()
        tide.get_current_stream():launch_host_func(function ()
          ran[i] = true
        end)
      end)
    end
    comm:all_reduce(x)
    for i, a in ipairs(x) do
      assert(ran[i])
    end
    s[1]:launch_host_func(function () comm:all_reduce(x) end)
    fails("comm:all_reduce: CUDA_ERROR_NOT_PERMITTED (800): operation not " ..
          "permitted: an operation of ranks cannot be queued inside a host " ..
          "function", s[1].synchronize, s[1])
    comm:barrier()
  ]])

  -- NCCL ends one in calls that wait for the device, with the driver locked.
  ranks.test(kind)("end with their communicator beside functions (#297) " ..
                   "#process", function ()
    ranks.in_child(kind, [[
      local tide = require "tide"
      local devices, ran = { KIND .. ":0", KIND .. ":1" }, 0
      local s, other = tide.Stream{ non_blocking = true }, tide.Stream()
      for turn = 1, 12 do
        local comm = tide.comm(devices)
        local x = {}
        for i, name in ipairs(devices) do
          x[i] = tide.with_device(tide.Device(name), function ()
            return tide.ones(1 << 16)
          end)
        end
        comm:all_reduce(x)
        s:with(function ()
          s:launch_host_func(function () ran = ran + 1 end)
          x[1]:add_(1)                         -- so the stream stands there
          if turn % 2 == 0 then comm:close() end
          comm = nil
          collectgarbage()
          s:launch_host_func(function () ran = ran + 1 end)
          for _ = 1, 20 do x[1]:add_(1) end
        end)
        other:with(function ()
          local y = tide.zeros(1 << 10)
          for _ = 1, 50 do y:add_(1) end
          assert(y:sum():item() == 50 * 1024)
        end)
        assert(x[1][1] == 23 and x[2][1] == 2)
        assert(ran == 2 * turn)
      end
      print "done"
    ]])
  end)

  -- The device must have nothing to do for that end: no stream may stand then.
  alone_on_ranks("shut no stream while a communicator ends (#324)", [[
    local s, n = tide.Stream{ non_blocking = true }, comm.size
    local function ones () return each(function () return tide.ones(99) end) end
    local x = ones()
    comm:all_reduce(x)
    for turn = 1, 8 do
      local other, y = tide.comm(comm.devices), ones()
      other:all_reduce(y)
      for _, dev in ipairs(comm.devices) do dev:synchronize() end
      other:close()
      tide.poll()                              -- its end begins
      tide.sleep(turn % 4 * 0.001)
      local key = T.hold(s)
      comm:all_reduce(x)
      s:with(function () y[1]:add_(1) end)
      assert(not s.done)
      T.release(key)
      assert(y[1][1] == n + 1)
    end
    assert(x[1][1] == n ^ 9 and x[2][7] == n ^ 9)
  ]], "devices")

  on_ranks("stay on their devices, however far ahead (#287)", [[
    local x = each(function () return tide.zeros(100) end)
    local streams = each(function ()
      return tide.Stream{ non_blocking = true }
    end)
    for _ = 1, 60 do
      for _, s in ipairs(streams) do s:use() end
      for _, a in ipairs(x) do
        tide.with_device(a.device, function () a:add_(1) end)
      end
      comm:all_reduce(x, "max")
      for _, a in ipairs(x) do
        tide.with_device(a.device, function () a:mul_(2):sub_(a / 2) end)
      end
    end
    for _, a in ipairs(x) do assert(a:eq(a[1]):all():item()) end
  ]], "devices")
end)

end)

-- A copy puts it back into a view that is not dense, and may have to wait.
describe("the result of an operation of ranks", function ()
  for ahead = 0, 2 do
    it("is put back far ahead, by " .. ahead .. " (#305) #process", function ()
      ranks.works("host", { processes = 2 }, ([[
        comm:barrier()
        if comm.rank == 1 then tide.sleep(0.5) end
        local base, other = tide.ones(6), tide.zeros(1)
        local x = base:slice(1, -1, 2)
        comm:all_reduce(other)
        for _ = 1, %d do other:add_(1) end
        for _ = 1, 150 do
          comm:all_reduce(x)
          x:mul_(0.5)
        end
        comm:barrier()
        is(base, { 1, 1, 1, 1, 1, 1 })
      ]]):format(ahead), 10)
    end)
  end

  it("is put back once, whatever finalizers do #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local comm = tide.comm{ "host:0", "host:1" }
      local x, y, other = {}, {}, tide.zeros(1)
      local ran = 0
      local function leave ()
        setmetatable({}, { __gc = function ()
          ran = ran + 1
          other:add_(1)
        end })
      end
      for i = 1, 2 do
        tide.with_device("host:" .. i - 1, function ()
          x[i] = tide.ones(4)
          y[i] = tide.ones(8):slice(1, -1, 2)
        end)
      end
      collectgarbage("incremental", 1, 1000)
      for _ = 1, 200 do
        leave()
        comm:all_to_all(x, { out = x })
        leave()
        comm:all_reduce{ x[1], y[2] }
        for _, a in ipairs{ x[1], y[2] } do
          tide.with_device(a.device, function () a:mul_(0.5) end)
        end
      end
      collectgarbage()
      assert(ran > 100)
      for _, a in ipairs{ x[1], y[2], x[2] } do
        for _, v in ipairs(a:totable()) do assert(v == 1) end
      end
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)

it("functions queue far ahead of other ranks (#307) #process", function ()
  ranks.works("host", { processes = 2 }, [[
    local x, y, ran = tide.ones(1), tide.zeros(1), 0
    local s = tide.Stream{ non_blocking = true }
    local function add ()
      for _ = 1, 20 do y:add_(1) end
      ran = ran + 1
    end
    local function leave () setmetatable({}, { __gc = add }) end
    comm:barrier()
    if comm.rank == 1 then tide.sleep(1) end
    comm:all_reduce(x)
    for _ = 1, 390 do y:add_(1) end
    s:launch_host_func(add)
    s:synchronize()
    leave()
    collectgarbage()
    assert(ran == 2 and y[1] == 430 and x[1] == 2)
  ]], 10)
end)

describe("while an operation of ranks is under way", function ()
  local function works (code)
    return function () ranks.works("host", { processes = 2 }, code, 10) end
  end

  it("its stream may capture (#284)", function ()
    local comm = tide.comm{ "host" }
    tide.Device "host":use()
    local x, s = tide.ones(1000), tide.Stream{ non_blocking = true }
    s:with(function ()
      for _ = 1, 20 do comm:all_reduce(x) end
      s:begin_capture()
      x:add_(1)
      local graph = s:end_capture()
      graph:launch()
    end)
    assert.equal(2, x[1000])
    comm:close()
  end)

  it("of another lua_State it is not waited for (#284) #process", function ()
    helper.program("host", "ranks")
  end)

  it("tasks begin, which may send what its end takes (#303) #process", works [[
    local work, answers = comm:split(0), comm:split(0)
    if comm.rank == 1 then
      local w = work:recv(tide.zeros(1), 0)
      answers:send(w * 2, 0)
    else
      local a = tide.zeros(1)
      tide.run(function ()
        tide.gather{
          function () answers:recv(a, 1):await() end,
          function () work:send(tide.full(1, 5.0), 1):await() end
        }
      end)
      assert(a[1] == 10)
    end
  ]])

  it("streams, graphs and kernels are made (#303) #process", works [[
    local x, y = tide.ones(1), tide.ones(4)
    local more = {}
    local function use ()
      for i = 1, 100 do more[i] = tide.Stream{ non_blocking = true } end
      y:copy_from(tide.fuse(function (a) return a * 2 + 1 end)(y))
      tide.capture(function () y:add_(1) end):launch()
      return y[4]
    end
    if comm.rank == 1 then
      told()
      comm:send(x, 0)
    else
      local s = tide.Stream{ non_blocking = true }
      s:with(function () comm:recv(x, 1) end)
      assert(use() == 4)
      tell()
    end
  ]])
end)
