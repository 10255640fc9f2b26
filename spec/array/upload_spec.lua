--[[
upload_spec.lua - strings to the device through the staging buffer: each byte
arrives, whatever is in the way, and nothing is kept. The host device can do
without slots, but uses them here (T.slots), except at the end.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, during = helper.T, helper.fails, helper.during

local KB, MB = 1 << 10, 1 << 20
local SLOT, SLOTS = 2 * MB, 16
local new = helper.new_stream

-- a string in which no piece is like its neighbours
local function text (n, seed)
  local x, parts = seed or 1, {}
  for i = 1, (n + 8191) // 8192 do
    x = x * 6364136223846793005 + 1442695040888963407
    parts[i] = string.pack("<i8", x):rep(1024)
  end
  return table.concat(parts):sub(1, n)
end

local function stats ()
  return tide.memory_stats "pinned"
end

helper.each_device(function (kind)

before_each(function () T.slots(true) end)

after_each(function ()
  T.slots(false)
  tide.memory_limit(0, "pinned")
end)

describe("a string", function ()
  it("of any length arrives", function ()
    for _, n in ipairs{ 1, 64 * KB - 1, 64 * KB, 64 * KB + 1, SLOT - 1, SLOT,
                        SLOT + 1, 5 * SLOT + 12345 } do
      local s = text(n, n)
      local a <close> = tide.frombytes(s, "uint8")
      assert.is_true(a:tobytes() == s)
      local b <close> = tide.zeros(n + 2, "uint8")
      b:slice(2, n + 1):copy_from(s)
      assert.is_true(b:tobytes() == "\0" .. s .. "\0")
    end
  end)

  it("longer than the ring does, again and again", function ()
    local n = SLOTS * SLOT + 3 * SLOT + 7
    local a <close> = tide.empty(n, "uint8")
    for i = 1, 2 do
      local s = text(n, i)
      a:copy_from(s)
      assert.is_true(a:tobytes() == s)
    end
  end)

  it("becomes truth where it is of bools", function ()
    for _, n in ipairs{ 300, 3 * SLOT } do
      local a <close> = tide.frombytes(("\0\2\1\255"):rep(n // 4), "bool")
      assert.is_true(a:tobytes() == ("\0\1\1\1"):rep(n // 4))
    end
  end)

  it("may be garbage at once", function ()
    local s <close> = new()
    local key = T.hold(s)
    local a
    s:with(function () a = tide.frombytes(("a"):rep(3 * SLOT), "uint8") end)
    collectgarbage()
    collectgarbage()
    local other = ("b"):rep(3 * SLOT)
    assert.is_false(s.done)
    T.release(key)
    assert.equal(3 * SLOT * 97, a:sum():item())
    assert.equal(#other, a.size)
  end)

  it("waits for what used the array before, and is waited for", function ()
    local s <close> = new()
    local t <close> = new()
    local n = 3 * SLOT
    local a, b = tide.zeros(n, "uint8"), nil
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () b = a + 1 end)
    t:with(function () a:copy_from(("c"):rep(n)) end)
    assert.is_false(t.done)
    T.release(key)
    assert.equal(n, b:sum():item())
    assert.equal(99 * n, a:sum():item())
  end)

  it("has as many bytes as the array", function ()
    for _, a in ipairs{ tide.full(4, 3, "int32"), tide.HostArray(4, "int32")
                        :fill(3) } do
      for _, s in ipairs{ "", ("x"):rep(15), ("x"):rep(17) } do
        helper.badarg(1, "string of 16 bytes expected, got " .. #s,
                      function () a:copy_from(s) end)
      end
      assert.equal(3, a[4])
      assert.equal(a, a:copy_from(("\1\0\0\0"):rep(4)))
      assert.same({ 1, 1, 1, 1 }, a:totable())
    end
  end)
end)

describe("a table", function ()
  it("is copied if it has the shape", function ()
    for _, a in ipairs{ tide.zeros{ 2, 2 }, tide.HostArray{ 2, 2 } } do
      assert.equal(a, a:copy_from{ { 1, 2 }, { 3, 4 } })
      assert.same({ { 1, 2 }, { 3, 4 } }, a:totable())
      fails("ragged table", a.copy_from, a, { { 5, 6 }, { 7 } })
      fails("shape 4 cannot be broadcast to 2x2", a.copy_from, a,
            { 5, 6, 7, 8 })
      assert.same({ { 1, 2 }, { 3, 4 } }, a:totable())
    end
  end)
end)

describe("page-locked memory", function ()
  it("of the ring is made once, is nobody's, and goes", function ()
    tide.frombytes(text(3 * SLOT), "uint8"):close()
    tide.get_device():synchronize()
    local s = text(SLOT)
    assert.equal(0, during("cuMemHostAlloc", function ()
      for _ = 1, 20 do
        tide.frombytes(s, "uint8"):close()
        tide.get_device():synchronize()
      end
    end))
    assert.equal(0, stats().live)
    assert.is_true(stats().reserved >= SLOT)
    collectgarbage()
    assert.is_true(tide.trim() >= SLOT)
    assert.equal(0, stats().reserved)
  end)

  it("of what is read is used again", function ()
    local a = tide.frombytes(text(MB), "float64")
    a:tobytes()
    collectgarbage "stop"
    local calls = during("cuMemHostAlloc", function ()
      for _ = 1, 5 do
        a:tobytes()
        a:totable()
        a:slice(1, 1):item()
        a[2] = a[1]
        a:slice(1, 3):copy_from{ 1, 2, 3 }
      end
    end)
    collectgarbage "restart"
    -- a piece of each size, and what a copy under way may hold
    assert.is_true(calls <= 4, calls)
    assert.equal(0, stats().live)
  end)

  it("that is done is found behind what is not", function ()
    local s <close> = new()
    local function upload (n)
      s:with(function ()
        for _ = 1, n do
          tide.frombytes(("x"):rep(100), "uint8"):close()
        end
      end)
    end
    local key = T.hold(s)
    upload(30)
    T.release(key)
    s:synchronize()
    key = T.hold(s)
    assert.equal(0, during("cuMemHostAlloc", upload, 30))
    T.release(key)
  end)

  it("keeps to the limit, in smaller pieces", function ()
    local s = text(5 * MB)
    for _, limit in ipairs{ 3 * MB, MB, 64 * KB } do
      helper.limit(limit, "pinned")
      local a <close> = tide.frombytes(s, "uint8")
      assert.is_true(stats().peak <= limit)
      tide.memory_limit(0, "pinned")
      assert.is_true(a:tobytes() == s)
    end
  end)

  it("is looked for in garbage", function ()
    helper.limit(MB, "pinned")
    local s = text(2 * MB)
    for _ = 1, 3 do
      tide.HostArray(MB, "uint8")
      tide.frombytes(s, "uint8"):close()
    end
  end)

  it("that cannot be had is an error, and the array stays", function ()
    local a <close> = tide.full(MB, 7, "uint8")
    helper.limit(60 * KB, "pinned")
    fails("asked 64 KiB of page-locked memory", a.copy_from, a,
          text(MB))
    fails("asked 64 KiB of page-locked memory", tide.frombytes, text(MB),
          "uint8")
    tide.memory_limit(0, "pinned")
    assert.equal(7 * MB, a:sum():item())
  end)

  it("comes back after the limit is gone", function ()
    helper.limit(64 * KB, "pinned")
    tide.frombytes(text(SLOT), "uint8"):close()
    tide.memory_limit(0, "pinned")
    tide.frombytes(text(SLOT), "uint8"):close()
    assert.is_true(stats().reserved >= SLOT)
  end)
end)

describe("where host functions are on their way", function ()
  local n = (SLOTS + 2) * SLOT

  it("what the ring has no room for is kept as well", function ()
    local s <close> = new()
    local data, ran = text(n), 0
    local a <close> = tide.zeros(n, "uint8")
    s:launch_host_func(function () ran = ran + 1 end)
    s:with(function () a:copy_from(data) end)
    assert.equal(0, ran)
    assert.is_true(a:tobytes() == data)
    assert.equal(1, ran)
  end)

  it("one may copy as much itself", function ()
    local s <close> = new()
    local data, b = text(n), nil
    local a <close> = tide.zeros(n, "uint8")
    s:launch_host_func(function ()
      b = tide.frombytes(data, "uint8")
      a:fill(1)
    end)
    s:with(function () a:copy_from(data) end)
    assert.is_true(a:tobytes() == data)
    assert.is_true(b:tobytes() == data)
    b:close()
  end)

  it("the error of one waits for who reads, and the copy is whole", function ()
    local s <close> = new()
    local data = text(n)
    local a <close> = tide.zeros(n, "uint8")
    s:launch_host_func(function () error("spring tide", 0) end)
    s:with(function () a:copy_from(data) end)
    fails("spring tide", a.tobytes, a)
    assert.is_true(a:tobytes() == data)
  end)

  it("one may close the array that is copied to", function ()
    local s <close> = new()
    local data = text(n)
    local a = tide.zeros(n, "uint8")
    s:launch_host_func(function () a:close() end)
    s:with(function () a:copy_from(data) end)
    s:synchronize()
    fails("array is closed", a.sum, a)
    local b <close> = tide.zeros(n, "uint8")
    assert.equal(0, b:sum():item())
  end)
end)

it("a wait is announced before anything is queued", function ()
  local n = (SLOTS + 1) * SLOT
  local data = ("x"):rep(n)
  local a <close> = tide.zeros(n, "uint8")
  local b <close> = tide.zeros(SLOT, "uint8")
  tide.get_device():synchronize()
  tide.sync_debug "error"
  fails("array:copy_from blocks", a.copy_from, a, data)
  b:copy_from(data:sub(1, SLOT))
  tide.sync_debug "off"
  assert.equal(0, a:sum():item())
  assert.equal(SLOT * 120, b:sum():item())
end)

describe("a graph", function ()
  it("keeps the bytes it copies", function ()
    local data = text(3 * SLOT)
    local a <close> = tide.zeros(#data, "uint8")
    local g <close> = tide.capture(function () a:copy_from(data) end)
    data = nil
    collectgarbage()
    for _ = 1, 2 do
      a:fill(0)
      g:launch()
      assert.is_true(a:tobytes() == text(3 * SLOT))
    end
  end)
end)

it("whatever driver call fails, nothing is lost", function ()
  local data = text(3 * SLOT + 5)
  local a <close> = tide.zeros(#data, "uint8")
  a:tobytes()
  for n = 1, 200 do
    helper.settle()
    tide.trim()
    T.failcall(n, 999)
    local ok, err = pcall(a.copy_from, a, data)
    local failed = T.failed()
    T.failcall(0)
    assert.equal(0, stats().live)
    if not failed then
      assert.is_true(ok, err)
      assert.is_true(a:tobytes() == data)
      return
    end
    tide.Device(kind):use()
    assert.is_true(ok or err:find "999" ~= nil, err)
  end
  error "no end"
end)

-- The host device can also copy without slots, where a copy would begin at
-- once.
describe("without slots", function ()
  local n = 3 * SLOT + 5

  before_each(function ()
    T.slots(false)
    tide.get_device():synchronize()
    tide.trim()
    tide.ones(1):item()  -- page-locked memory for results is there
  end)

  --- stays(fn): no page-locked memory is asked for in fn.
  local function stays (fn)
    local before = stats().reserved
    fn()
    assert.equal(before, stats().reserved)
  end

  local function by_slots (fn)
    local before = stats().reserved
    fn()
    assert.is_true(stats().reserved > before)
  end

  helper.host_it("a string of any length arrives", function ()
    stays(function ()
      for _, k in ipairs{ 64 * KB + 1, SLOT - 1, SLOT, SLOT + 1, n } do
        local data = text(k)
        local a <close> = tide.frombytes(data, "uint8")
        local b <close> = tide.zeros(k + 2, "uint8")
        tide.get_device():synchronize()
        b:slice(2, k + 1):copy_from(data)
        assert.is_true(a:array_equal(b:slice(2, k + 1)))
        assert.equal(0, b:slice(1, 1):item() + b:slice(k + 2, k + 2):item())
      end
    end)
  end)

  helper.host_it("so do bools", function ()
    stays(function ()
      local a <close> = tide.frombytes(("\0\1\2\255"):rep(n // 4), "bool")
      assert.equal(n // 4 * 3, a:count_nonzero():item())
    end)
  end)

  helper.host_it("not behind what its stream has to do", function ()
    local s <close> = new()
    local a <close> = tide.zeros(n, "uint8")
    local b <close> = tide.zeros(n, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(s)
    by_slots(function ()
      s:with(function () a:copy_from(text(n)) end)
    end)
    T.release(key)
    local ran
    s:launch_host_func(function () ran = true end)
    s:with(function () b:copy_from(text(n)) end)
    assert.is_nil(ran)
    assert.is_true(a:tobytes() == text(n) and b:tobytes() == text(n))
  end)

  helper.host_it("not into what another stream reads", function ()
    local s <close> = new()
    local t <close> = new()
    local a <close> = tide.full(n, 7, "uint8")
    local b <close> = tide.zeros(n, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(t)
    t:with(function () b:copy_from(a) end)
    by_slots(function ()
      s:with(function () a:copy_from(text(n)) end)
    end)
    T.release(key)
    assert.equal(7 * n, b:sum():item())
    assert.is_true(a:tobytes() == text(n))
  end)

  helper.host_it("the next one follows, on whatever stream", function ()
    local s <close> = new()
    local t <close> = new()
    local data, a, b = text(n)
    stays(function ()
      a = s:with(function () return tide.frombytes(data, "uint8") end)
      b = t:with(function () return a + 1 end)
    end)
    s:with(function () a:copy_from(text(n, 5)) end)
    assert.is_true((b - 1):tobytes() == data)
    assert.is_true(a:tobytes() == text(n, 5))
  end)

  helper.host_it("whatever driver call fails", function ()
    local data = text(n)
    for k = 1, 50 do
      T.failcall(k, 999)
      local ok, a = pcall(tide.frombytes, data, "uint8")
      local failed = T.failed()
      T.failcall(0)
      if ok then assert.is_true(a:tobytes() == data) end
      if not failed then return end
    end
    error "no end"
  end)
end)

it("programs end in the middle of it #process", function ()
  local code = [[
    local tide = require "tide"
    local data = ("x"):rep(40 << 20)
    local s = tide.Stream{ non_blocking = true }
    local a = tide.zeros(#data, "uint8")
    s:launch_host_func(function () print "now" os.exit(true, true) end)
    s:with(function () a:copy_from(data) end)
    s:synchronize()
  ]]
  assert.equal("now\n", helper.child_on(kind, code))
end)

-- The last copy is queued, and there is no event behind it.
it("is done in spite of memory that is short for its last event (#166)",
function ()
  local data <const> = text(100000)
  tide.frombytes(data, "uint8"):close()
  for n = 1, 30 do
    T.failcall(n, 2)
    local ok, a = pcall(tide.frombytes, data, "uint8")
    T.failcall(0)
    if ok then assert.is_true(a:tobytes() == data) end
    tide.get_device():synchronize()
  end
end)

end)
