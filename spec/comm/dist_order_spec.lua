--[[
dist_order_spec.lua - what operations of ranks come after, and what comes after
them: on streams, in tasks, captures and host functions.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"
local tide = require "tide"

helper.each_device(function (kind)

local on_ranks = ranks.specs(kind)

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

  on_ranks("wait for host functions, and are none of theirs", [[
    local x = each(function () return tide.ones(4) end)
    local ran, s = {}, each(function () return tide.Stream() end)
    for i, stream in ipairs(s) do
      stream:launch_host_func(function () ran[i] = true end)
    end
    comm:all_reduce(x)
    for i in ipairs(s) do assert(ran[i]) end
    s[1]:launch_host_func(function () comm:all_reduce(x) end)
    fails("comm:all_reduce: CUDA_ERROR_NOT_PERMITTED (800): operation not " ..
          "permitted: an operation of ranks cannot be queued inside a host " ..
          "function", s[1].synchronize, s[1])
    comm:barrier()
  ]])

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
