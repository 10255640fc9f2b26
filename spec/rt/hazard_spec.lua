--[[
hazard_spec.lua - ordering by what operations read and write: waits are put on
the device, only where streams cross, once per crossing; freed memory waits for
its last uses.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

local function waits (fn, ...)
  return helper.during("cuStreamWaitEvent", fn, ...)
end

local function blocked (fn, ...)
  local _, before = tide.sync_debug()
  fn(...)
  local _, after = tide.sync_debug()
  return after - before
end

--- ready(array) -> array, with the work that made it done and known so.
local function ready (array)
  array:sum():item()
  tide.get_device():synchronize()
  return array
end

helper.each_device(function (kind)

describe("waits are counted:", function ()
  it("none while one stream is used", function ()
    local s <close> = new()
    s:with(function ()
      local a, b = ready(tide.ones(64)), ready(tide.ones(64))
      assert.equal(0, waits(function ()
        for _ = 1, 100 do
          a:add_(b)
          b:copy_from(a)
          b:fill(1)
          local e = s:record()
          s:wait_event(e)
          s:wait_stream(s)
        end
      end))
      assert.equal(101 * 64, a:sum():item())
    end)
  end)

  it("one per crossing, however much follows", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = ready(tide.ones(64)), ready(tide.ones(64))
    local key = T.hold(s)
    s:with(function () a:add_(1) end)
    assert.equal(1, waits(t.with, t, function ()
      b:add_(a)
      b:add_(a)
      a:mul_(2)
      b:mul_(a)
    end))
    assert.equal(1, waits(s.with, s, function ()
      a:add_(b)
      b:add_(a)
    end))
    T.release(key)
    assert.equal(64 * (4 + 20), a:sum():item())
  end)

  it("none for two readers on two streams", function ()
    local s <close> = new()
    local t <close> = new()
    local a = ready(tide.ones(64))
    s:with(function () ready(tide.ones(1)) end)
    t:with(function () ready(tide.ones(1)) end)
    local b, c = ready(tide.zeros(64)), ready(tide.zeros(64))
    local key = T.hold(s)
    s:with(function () b:add_(a) end)
    assert.equal(0, waits(t.with, t, function () c:add_(a) end))
    t:synchronize()
    assert.is_false(s.done)
    T.release(key)
    assert.equal(128, b:sum():item() + c:sum():item())
  end)

  it("a wait covers all that was queued before it", function ()
    local s <close> = new()
    local t <close> = new()
    local list = {}
    for i = 1, 20 do
      list[i] = ready(tide.ones(8))
    end
    local sum = ready(tide.zeros(8))
    local key = T.hold(s)
    s:with(function ()
      for i = 1, 20 do
        list[i]:add_(i)
      end
    end)
    assert.equal(1, waits(t.with, t, function ()
      for i = 20, 1, -1 do
        sum:add_(list[i])
      end
    end))
    T.release(key)
    assert.equal(8 * 230, sum:sum():item())
  end)

  it("none for work that is known done", function ()
    local s <close> = new()
    local t <close> = new()
    local a = ready(tide.ones(64))
    s:with(function () a:add_(1) end)
    s:synchronize()
    assert.equal(0, waits(t.with, t, function () a:add_(1) end))
    assert.equal(192, a:sum():item())
  end)
end)

describe("the host never waits for order", function ()
  it("however streams cross", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = ready(tide.ones(64)), ready(tide.ones(64))
    local key = T.hold(s)
    assert.equal(0, blocked(function ()
      for _ = 1, 20 do
        s:with(function () a:add_(b) end)
        t:with(function () b:add_(a) end)
        tide.Stream.null:with(function () a:sub_(1) end)
      end
    end))
    T.release(key)
    a:sum():item()
  end)
end)

describe("each kind of dependence holds on the device:", function ()
  local cases = {
    ["a read after a write"] = function (s, t, a, b)
      s:with(function () a:fill(5) end)
      return t:with(function () b:copy_from(a) end), b, 5
    end,
    ["a write after a read"] = function (s, t, a, b)
      s:with(function () b:copy_from(a) end)
      return t:with(function () a:fill(7) end), b, 1
    end,
    ["a write after a write"] = function (s, t, a)
      s:with(function () a:fill(5) end)
      return t:with(function () a:fill(7) end), a, 7
    end,
    ["a host array copied to"] = function (s, t, a, b)
      local h = s:with(function ()
        return a:add_(2):tohost{ blocking = false }
      end)
      return t:with(function () b:copy_from(h) end), b, 3
    end,
    ["a chain over three streams"] = function (s, t, a, b)
      local u <close> = new()
      s:with(function () a:fill(5) end)
      u:with(function () a:add_(1) end)
      return t:with(function () b:copy_from(a) end), b, 6
    end,
  }
  for name, case in pairs(cases) do
    it(name, function ()
      local s <close> = new()
      local t <close> = new()
      local a, b = ready(tide.ones(16)), ready(tide.zeros(16))
      local key = T.hold(s)
      local _, result, value = case(s, t, a, b)
      assert.is_false(t.done)
      T.release(key)
      t:synchronize()
      assert.equal(16 * value, result:sum():item())
    end)
  end
end)

describe("views", function ()
  it("disjoint halves on two streams overlap", function ()
    local s <close> = new()
    local t <close> = new()
    local a = ready(tide.zeros(100, "int64"))
    local left, right = a:slice(1, 50), a:slice(51)
    local key = T.hold(s)
    s:with(function () left:add_(1) end)
    assert.equal(0, waits(t.with, t, function () right:add_(2) end))
    t:synchronize()
    assert.is_false(s.done)
    T.release(key)
    assert.equal(150, a:sum():item())
  end)

  it("overlapping by one element wait", function ()
    local s <close> = new()
    local t <close> = new()
    local a = ready(tide.zeros(100, "int64"))
    local key = T.hold(s)
    s:with(function () a:slice(1, 51):add_(1) end)
    assert.equal(1, waits(t.with, t, function () a:slice(51):add_(2) end))
    assert.is_false(t.done)
    T.release(key)
    assert.equal(151, a:sum():item())
  end)

  it("the whole waits for both halves", function ()
    local s <close> = new()
    local t <close> = new()
    local a = ready(tide.zeros(100, "int64"))
    local k1, k2 = T.hold(s), T.hold(t)
    s:with(function () a:slice(1, 50):add_(1) end)
    t:with(function () a:slice(51):add_(2) end)
    local sum = a:sum()
    assert.is_false(tide.Stream.null.done)
    T.release(k2)
    t:synchronize()
    assert.is_false(tide.Stream.null.done)
    T.release(k1)
    assert.equal(150, sum:item())
  end)

  it("many small ones stay correct, and marks stay few", function ()
    local streams = { new(), new(), new(), new() }
    local a = ready(tide.zeros(1000, "int64"))
    for i = 1, 1000 do
      streams[i % 4 + 1]:with(function () a:slice(i, i):add_(i) end)
      assert.is_true(T.marks(a) <= 64)
    end
    assert.equal(500500, a:sum():item())
  end)

  it("what many streams read again and again, a write waits for", function ()
    local x = ready(tide.ones(100, "int64"))
    local streams, sums, keys = {}, {}, {}
    for i = 1, 40 do
      streams[i], sums[i] = new(), ready(tide.zeros(100, "int64"))
    end
    for i = 20, 40, 20 do keys[i] = T.hold(streams[i]) end
    for _ = 1, 50 do
      for i, s in ipairs(streams) do
        s:with(function () sums[i]:add_(x) end)
      end
      assert.is_true(T.marks(x) <= 200)
    end
    local t <close> = new()
    t:with(function () x:mul_(7) end)
    assert.is_false(t.done)
    for _, key in pairs(keys) do T.release(key) end
    assert.equal(700, x:sum():item())
    for i, s in ipairs(streams) do
      assert.equal(50 * 100, sums[i]:sum():item())
      s:close()
    end
  end)

  it("of one block have room for the marks of each (#37)", function ()
    for n = 2, 40 do
      local a = tide.arange(1, n + 1)
      for i = 1, n - 1 do
        a:slice(i, i):copy_from(a:slice(i + 1, i + 1))
      end
      a:slice(1, 1):add_(a:slice(n))
      a:sum{ out = a:slice(n):reshape{} }
      assert.equal(n + 2, a[1])
      assert.equal(n * (n + 1) // 2 - 1 + 2 * n, a[n])
    end
    local streams, a = {}, tide.arange(0, 60)
    for k = 1, 30 do
      streams[k] = new()
      streams[k]:with(function ()
        local x, y = a:slice(2 * k - 1, 2 * k - 1), a:slice(2 * k, 2 * k)
        tide.add(x, y, { out = x })
        tide.sub(x, y, { out = y })
      end)
    end
    for i, x in ipairs(a:totable()) do
      assert.equal(i % 2 == 1 and 2 * i - 1 or i - 2, x)
    end
    a = tide.arange(1, 11)
    local g <close> = tide.capture(function ()
      for i = 1, 9 do
        a:slice(i, i):copy_from(a:slice(i + 1, i + 1))
      end
    end)
    for _ = 1, 3 do g:launch() end
    assert.same({ 4, 5, 6, 7, 8, 9, 10, 10, 10, 10 }, a:totable())
  end)
end)

describe("freed memory", function ()
  it("is not used again before its last use has passed", function ()
    local s <close> = new()
    local t <close> = new()
    local size = 123457
    local a, b = ready(tide.ones(size)), ready(tide.zeros(size))
    local key = T.hold(s)
    s:with(function () b:copy_from(a) end)
    local where = a.ptr
    a:close()
    local c = t:with(function () return tide.full(size, 9) end)
    assert.are_not.equal(where, c.ptr)
    t:synchronize()
    T.release(key)
    assert.equal(size, b:sum():item())
  end)

  it("is used again at once on the stream that used it last", function ()
    local s <close> = new()
    s:with(function ()
      local a = tide.ones(54321)
      local where = a.ptr
      local key = T.hold(s)
      local b = a + 1
      a:close()
      local c = tide.full(54321, 3)
      assert.equal(where, c.ptr)
      T.release(key)
      assert.equal(2 * 54321, b:sum():item())
      assert.equal(3 * 54321, c:sum():item())
    end)
  end)

  it("page-locked memory too waits for copies", function ()
    local s <close> = new()
    local a = ready(tide.zeros(1000, "int64"))
    local h = tide.HostArray(1000, "int64")
    h:fill(4)
    local key = T.hold(s)
    s:with(function () a:copy_from(h) end)
    h:close()
    local k = tide.HostArray(1000, "int64")
    k:fill(99)
    T.release(key)
    assert.equal(4000, a:sum():item())
  end)

  it("of dropped arrays comes back", function ()
    for _ = 1, 200 do
      tide.ones(100000)
    end
    collectgarbage()
    collectgarbage()
    assert.equal(0, T.held().bytes)
  end)
end)

describe("a HostArray never shows what a copy is still writing", function ()
  it("reading waits for the copy", function ()
    local s <close> = new()
    local a = ready(tide.ones(1 << 20, "int64"))
    local h = s:with(function ()
      a:add_(41)
      return a:tohost{ blocking = false }
    end)
    assert.equal(42, h[1 << 20])
    assert.equal(42, h[1])
  end)

  it("writing waits for the copy that reads", function ()
    local s <close> = new()
    local a = ready(tide.zeros(1 << 20, "int64"))
    local h = tide.HostArray(1 << 20, "int64")
    h:fill(1)
    s:with(function () a:copy_from(h) end)
    h[1 << 20] = 1000
    h:fill(1000)
    assert.equal(1 << 20, a:sum():item())
  end)

  it("host functions queued before run meanwhile", function ()
    local s <close> = new()
    local h = tide.HostArray(4, "int64")
    local a = ready(tide.zeros(4, "int64"))
    local ran = false
    s:with(function ()
      s:launch_host_func(function () ran = true end)
      a:add_(3)
      h:copy_from(a)
    end)
    assert.equal(3, h[2])
    assert.is_true(ran)
  end)

  it("nor what host functions copy to it meanwhile (#127)", function ()
    local function uniform (list)
      for i = 2, #list do
        if list[i] ~= list[1] then
          error(("%s at 1, %s at %d"):format(list[1], list[i], i))
        end
      end
      return list[1]
    end
    local N <const> = 1 << 16
    local s <close> = new()
    local h = tide.HostArray(N, "int32")
    local arrays = { tide.full(N, 1, "int32"), tide.full(N, 2, "int32") }
    h:fill(0)
    for round = 1, 60 do
      local function copy () h:copy_from(arrays[round % 2 + 1]) end
      s:launch_host_func(copy)
      tide.poll()
      local x = uniform(h:totable())
      assert.is_true(x >= 0 and x <= 3)
      s:launch_host_func(copy)
      h:fill(3)
      x = uniform(h:totable())
      assert.is_true(x >= 1 and x <= 3)
      s:synchronize()
    end
  end)

  it("nor what finalizers copy to it meanwhile #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local N = 1 << 16
      local h = tide.HostArray({ N // 16, 16 }, "int32")
      local arrays = { tide.full({ N // 16, 16 }, 1, "int32"),
                       tide.full({ N // 16, 16 }, 2, "int32") }
      local queued = 0
      local function arm ()
        setmetatable({}, { __gc = function ()
          queued = queued + 1
          h:copy_from(arrays[queued % 2 + 1])
          arm()
        end })
      end
      h:fill(0)
      arm()
      require "spec.support.collector".incremental(120, 400, 11)
      for _ = 1, 8 do
        local t = h:totable()
        for _, row in ipairs(t) do
          for k = 1, 16 do
            assert(row[k] == t[1][1], "torn: totable")
          end
        end
        local bytes = h.T:tobytes()
        assert(bytes == bytes:sub(1, 4):rep(N), "torn: tobytes")
        h:fill(3)
      end
      print(queued > 10)
    ]])
    assert.equal("true\n", printed)
  end)
end)

-- A stream remembers how far it has waited for the others, but not for all.
describe("a stream that has met many", function ()
  it("has no more memory where there are more (#100) #process", function ()
    assert.equal("true\n", helper.child_on(kind, [[
      local tide = require "tide"
      local T, list = tide.T, {}
      local function resident ()
        local file <close> = io.open "/proc/self/statm"
        return 4 * tonumber(file:read("a"):match "%d+ (%d+)")  -- KiB
      end
      for i = 1, 6000 do list[i] = tide.Stream{ non_blocking = true } end
      local key = T.hold(list[1])
      local before = resident()
      for i = 2, #list do list[i]:wait_stream(list[1]) end
      local grown = resident() - before
      T.release(key)
      print(grown < 100 * 1024 or grown)
    ]]))
  end)

  it("is in order with each", function ()
    T.delays(1, 200)
    local sum, writers, reader = tide.zeros(1, "int64"), {}, new()
    for i = 1, 200 do
      writers[i] = { new(), tide.zeros(1, "int64") }
    end
    for round = 1, 5 do
      for i, writer in ipairs(writers) do
        writer[1]:with(function () writer[2]:fill(i * round) end)
      end
      reader:with(function ()
        for _ = 1, 2 do
          for _, writer in ipairs(writers) do sum:add_(writer[2]) end
        end
      end)
    end
    assert.equal(15 * 2 * 200 * 201 // 2, sum:sum():item())
    T.delays(0, 0)
  end)

  it("waits once for each", function ()
    local s, arrays, keys = new(), {}, {}
    for i = 1, 12 do arrays[i] = ready(tide.zeros(4)) end
    for i = 1, 12 do
      local t = new()
      keys[i] = T.hold(t)
      t:with(function () arrays[i]:fill(i) end)
    end
    local function read ()
      s:with(function ()
        for _, a in ipairs(arrays) do
          local _ <close> = a + 1
        end
      end)
    end
    read()
    assert.equal(0, waits(read))
    for _, key in ipairs(keys) do T.release(key) end
  end)
end)

end)
