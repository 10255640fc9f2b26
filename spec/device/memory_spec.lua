--[[
memory_spec.lua - accounts, limits, trim. Memory that runs out is in
reclaim_spec.lua, the search for garbage before that in
gc_pressure_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails
local empty, stats = helper.limit, tide.memory_stats

local MB = 1 << 20
local new = helper.new_stream

--- bytes(n) -> an array of so many.
local function bytes (n)
  return tide.empty(n, "uint8")
end

local function pinned_bytes (n)
  return tide.HostArray(n, "uint8")
end

helper.each_device(function (kind)

after_each(function ()
  tide.Device(kind):use()
  tide.memory_limit(0)
  tide.memory_limit(0, "pinned")
end)

describe("memory_stats", function ()
  it("counts what is held, and what is kept", function ()
    empty(0)
    local base = stats().reserved
    local a = bytes(MB)
    local s = stats()
    assert.equal(MB, s.live)
    assert.equal(base + MB, s.reserved)
    assert.is_true(s.peak >= s.reserved)
    local v = a:slice(1, 10)
    assert.equal(MB, stats().live)
    a:close()
    assert.equal(MB, stats().live)
    v:close()
    assert.equal(0, stats().live)
    assert.equal(base + MB, stats().reserved)
    assert.equal(0, stats().limit)
    assert.equal("float", math.type(stats().collecting))
    assert.equal("integer", math.type(stats().collections))
  end)

  it("of page-locked memory, which the device's name too", function ()
    empty(0, "pinned")
    local h = pinned_bytes(MB)
    assert.equal(MB, stats("pinned").live)
    assert.equal(MB, stats().pinned)
    assert.is_true(stats("pinned").reserved >= MB)
    h:close()
    assert.equal(0, stats().pinned)
    assert.is_true(stats("pinned").reserved >= MB)
  end)

  it("peak begins anew with each limit that is set", function ()
    empty(0)
    bytes(4 * MB):close()
    assert.is_true(stats().peak >= 4 * MB)
    tide.trim()
    assert.is_true(stats().peak >= 4 * MB)
    tide.memory_limit(tide.memory_limit())
    assert.equal(stats().reserved, stats().peak)
    bytes(2 * MB):close()
    assert.equal(2 * MB, stats().peak)
  end)
end)

describe("reset_peak", function ()
  it("lets both peaks begin anew", function ()
    empty(0)
    tide.reset_peak()
    local base = stats().live
    local a, b = bytes(MB), bytes(2 * MB)
    a:close()
    b:close()
    bytes(MB):close()  -- memory that is there
    assert.equal(base, stats().live)
    assert.equal(base + 3 * MB, stats().peak_live)
    assert.is_true(stats().peak >= stats().peak_live)
    tide.trim()
    assert.equal(base + 3 * MB, stats().peak_live)
    tide.reset_peak()
    assert.equal(stats().live, stats().peak_live)
    assert.equal(stats().reserved, stats().peak)
    bytes(MB):close()
    assert.equal(base + MB, stats().peak_live)
    tide.memory_limit(tide.memory_limit())  -- as peak does
    assert.equal(base, stats().peak_live)
  end)

  it("is of one kind of memory", function ()
    empty(0)
    empty(0, "pinned")
    tide.reset_peak()
    tide.reset_peak "pinned"
    local base = stats("pinned").live
    bytes(MB):close()
    pinned_bytes(2 * MB):close()
    tide.reset_peak()
    assert.equal(stats().live, stats().peak_live)
    assert.equal(base + 2 * MB, stats("pinned").peak_live)
    fails("#1 to 'tide.reset_peak'", tide.reset_peak, "some")
  end)

  it("leaves the ring of page-locked memory out", function ()
    local a <close> = bytes(4 * MB)
    empty(0, "pinned")
    tide.reset_peak "pinned"
    local base = stats("pinned").live
    a:copy_from(("x"):rep(4 * MB))
    assert.equal(base, stats("pinned").peak_live)
  end)
end)

describe("many small blocks", function ()
  it("are had ahead, so that few of them are waited for", function ()
    local list, s = {}, new()
    tide.Device(kind):synchronize()
    local waits = helper.during("cuStreamWaitEvent", function ()
      tide.with_stream(s, function ()
        for i = 1, 300 do list[i] = tide.zeros(777, "uint8") end
      end)
    end)
    assert.is_true(waits < 60)
    assert.equal(300 * 1024, stats().live)
    for _, a in ipairs(list) do a:close() end
    s:close()
  end)

  it("but not past half of a limit", function ()
    empty(0)
    tide.memory_limit(MB)
    local list, most = {}, 0
    for i = 1, 600 do
      list[i] = bytes(1000)
      if i * 1024 > MB / 2 then
        assert.equal(i * 1024, stats().live)
        most = math.max(most, stats().reserved - stats().live)
      end
    end
    assert.is_true(most <= 31 * 1024)
    for i = 601, 1024 do list[i] = bytes(1000) end
    assert.equal(MB, stats().live)
    assert.equal(MB, stats().reserved)
    for _, a in ipairs(list) do a:close() end
  end)
end)

describe("large blocks", function ()
  it("are written to their ends, and given back", function ()
    for _, n in ipairs{ (4 << 20) - 512, 4 << 20, (4 << 20) + 1, 6 << 20,
                        (8 << 20) - 1 } do
      local a = tide.zeros(n, "uint8")
      a:add_(3)
      assert.equal(3 * n, a:sum():item())
      assert.same({ 3, 3 }, { a[1], a[n] })
      local h = a:tohost()
      assert.same({ 3, 3 }, { h[1], h[n] })
      a:close()
      h:close()
      assert.is_true(tide.trim() >= n)
    end
  end)
end)

describe("trim", function ()
  it("hands back what is kept and idle, and says how much", function ()
    empty(0)
    local a, h = bytes(MB), pinned_bytes(MB)
    a:close()
    h:close()
    tide.get_device():synchronize()
    local before = T.live()
    local freed = tide.trim()
    local after = T.live()
    assert.is_true(freed >= 2 * MB)
    assert.equal(0, stats().reserved)
    assert.equal(0, stats("pinned").reserved)
    assert.is_true(after.memory < before.memory)
    assert.is_true(after.pinned < before.pinned)
    assert.equal(0, tide.trim())
  end)

  it("leaves what is in use", function ()
    empty(0)
    local s <close> = new()
    local a = tide.full(1000, 3, "int64")
    local out = tide.zeros(1000, "int64")
    local b = tide.full(1000, 4, "int64")
    s:wait_stream(tide.Stream.null)
    local key = T.hold(s)
    s:with(function () out:add_(b) end)
    b:close()
    tide.trim()
    assert.is_true(stats().reserved > stats().live)
    T.release(key)
    assert.equal(4000, out:sum():item())
    assert.equal(3000, a:sum():item())
  end)

  it("is of one device if that is named #process", function ()
    assert.equal("true\n", helper.child([[
      local tide = require "tide"
      local one, other = tide.Device "host:0", tide.Device "host:1"
      local function kept (dev)
        return tide.with_device(dev, function ()
          return tide.memory_stats().reserved
        end)
      end
      for _, dev in ipairs{ one, other } do
        tide.with_device(dev, function ()
          tide.empty(1 << 20, "uint8"):close()
          dev:synchronize()
        end)
      end
      assert(tide.trim(other) >= 1 << 20 and kept(other) == 0)
      assert(kept(one) >= 1 << 20 and tide.trim "host:1" == 0)
      assert(tide.trim(one) >= 1 << 20 and kept(one) == 0)
      print(true)]], { TIDE_HOST_DEVICES = "2", TIDE_DEVICE = "host" }))
    fails("#1 to 'tide.trim'", tide.trim, "nonesuch")
    fails("tide.Device, integer or string expected", tide.trim, {})
  end)

  it("raises if the driver refuses", function ()
    empty(0)
    T.failcall(1, 999, "cuMemPoolTrimTo")
    fails("cuMemPoolTrimTo", tide.trim)
  end)
end)

describe("memory_limit", function ()
  it("gives the old one; 0 is none", function ()
    assert.equal(0, tide.memory_limit())
    assert.equal(0, tide.memory_limit(5 * MB))
    assert.equal(5 * MB, tide.memory_limit())
    assert.equal(5 * MB, stats().limit)
    assert.equal(5 * MB, tide.memory_limit(0))
    assert.equal(0, tide.memory_limit(nil, "pinned"))
    assert.equal(0, tide.memory_limit(MB, "pinned"))
    assert.equal(MB, tide.memory_limit(nil, "pinned"))
    assert.equal(0, tide.memory_limit(nil, "device"))
  end)

  it("may be a share of the memory", function ()
    local total = tide.get_device().total_memory
    tide.memory_limit "0.0000000001%"
    assert.equal(1, tide.memory_limit "50%")  -- 0 would be none
    assert.equal(total // 2, tide.memory_limit())
    tide.memory_limit "12.5%"
    assert.equal(total // 8, tide.memory_limit())
    tide.memory_limit "100%"
    assert.equal(total, tide.memory_limit())
    tide.memory_limit("50%", "pinned")
    assert.is_true(tide.memory_limit(nil, "pinned") > 0)
    for _, wrong in ipairs{ "0%", "101%", "-5%", "50", "%", "x", "50%%", "",
                            "nan%" } do
      fails("(bytes are a number, and a share is above 0% and at most " ..
            "100%, like '50%', got '" .. wrong .. "'", tide.memory_limit, wrong)
    end
    assert.equal(total, tide.memory_limit())
  end)

  it("may be a share before a device is open #process", function ()
    assert.equal("true\n", helper.child([[
      local tide = require "tide"
      tide.memory_limit "25%"
      print(tide.memory_limit() == tide.get_device().total_memory // 4)]]))
  end)

  it("refuses what is no limit", function ()
    fails("bad argument #1", tide.memory_limit, "much")
    fails("bad argument #1", tide.memory_limit, 1.5)
    fails("limit must not be negative", tide.memory_limit, -1)
    fails("bad argument #2", tide.memory_limit, 1, "paged")
    fails("bad argument #1", tide.memory_stats, "paged")
    fails("bad argument #1", tide.memory_stats, {})
    assert.equal(0, tide.memory_limit())
  end)

  it("is exact", function ()
    for _, n in ipairs{ MB, 512 * 1953, 512 * 12345 } do
      empty(n)
      local a = bytes(n)
      assert.equal(n, stats().reserved)
      fails("tide.memory_limit: CUDA_ERROR_OUT_OF_MEMORY (2)", bytes, 1)
      a:close()
      fails("tide.memory_limit: CUDA_ERROR_OUT_OF_MEMORY (2)", bytes, n + 1)
      bytes(n - 100):close()
      bytes(1):close()
      assert.equal(n, stats().peak)
    end
  end)

  it("holds whatever is asked for", function ()
    local random = helper.generator(7)
    local limit = 3 * MB
    for _, k in ipairs{ "device", "pinned" } do
      local make = (k == "device") and bytes or pinned_bytes
      empty(limit, k)
      local list, refused = {}, 0
      for _ = 1, 400 do
        local i = random(12)
        if list[i] then
          list[i]:close()
          list[i] = nil
        else
          local ok, got = pcall(make, random(MB))
          list[i] = ok and got or nil
          refused = refused + (ok and 0 or 1)
        end
        local s = stats(k)
        assert.is_true(s.live <= s.reserved and s.reserved <= limit)
        assert.is_true(s.peak <= limit)
      end
      assert.is_true(refused > 0)
      for _, a in pairs(list) do a:close() end
    end
  end)

  it("below what is held: that stays, no more comes", function ()
    empty(0)
    local a, b = bytes(2 * MB), bytes(MB)
    b:close()
    tide.get_device():synchronize()
    tide.memory_limit(MB)
    assert.equal(2 * MB, stats().reserved)
    fails("limit 1 MiB", bytes, 512)
    a:close()
    bytes(MB):close()
    assert.is_true(stats().reserved <= MB)
  end)

  it("is each device's own #process", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      local list = tide.devices()
      local function make () return tide.empty(1 << 20, "uint8") end
      local two = list[#list]
      tide.memory_limit(1 << 19)
      assert(not pcall(make))
      tide.with_device(two, function ()
        assert(tide.memory_limit() == 0)
        local a <close> = make()
        assert(tide.memory_stats().live == 1 << 20)
      end)
      assert(tide.memory_stats().live == 0)
      assert(tide.memory_stats().limit == 1 << 19)
    ]], { TIDE_HOST_DEVICES = "2" })
  end)

  it("may be set before the device is opened #process", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      assert(tide.memory_limit(1 << 20) == 0)
      assert(tide.memory_limit(1 << 20, "pinned") == 0)
      assert(tide.trim() == 0 and tide.memory_stats().reserved == 0)
      assert(tide.memory_limit() == 1 << 20)
      assert(not pcall(tide.HostArray, 1 << 20))
      assert(not pcall(tide.empty, 1 << 20))
      assert(tide.ones(4):sum():item() == 4)
    ]])
  end)
end)

describe("streams that take turns", function ()
  local x
  before_each(function () x = tide.ones(100000, "float32") end)
  after_each(function () x = nil end)

  it("use again what each has dropped (#224)", function ()
    local streams = { new(), new(), new() }
    local function work ()
      local list = {}
      for i = 1, 20 do list[i] = x * 2 end
      for i = 1, 20 do list[i]:close() end
    end
    -- Three rounds are under way at most; with new memory in each of these
    -- rounds it would be the memory of forty.
    local before = stats().reserved
    for round = 1, 60 do
      for _, s in ipairs(streams) do s:with(work) end
      if round % 3 == 0 then tide.get_device():synchronize() end
    end
    local more = stats().reserved - before
    assert.is_true(more < 4 * 60 * 2 * x.nbytes)  -- sizes are rounded up
  end)

  it("use again what another has dropped, once that has passed", function ()
    local s, t, most = new(), new(), nil
    for round = 1, 60 do
      local list = {}
      for i = 1, 20 do
        list[i] = s:with(function () return x * i end)
      end
      t:with(function ()
        for i = 1, 20 do
          list[i]:add_(1)
          list[i]:close()
        end
      end)
      t:synchronize()
      most = round == 5 and stats().reserved or most
    end
    assert.is_true(stats().reserved <= most)
  end)

  it("do not hide page-locked memory behind what stands", function ()
    local a, s, stands, list, most = tide.ones(1000), new(), new(), {}, nil
    stands:launch_host_func(function () end)
    for i = 1, 20 do
      list[i] = tide.HostArray(1000)
      stands:with(function () list[i]:copy_from(a) end)
    end
    for i = 1, 20 do list[i]:close() end
    for round = 1, 60 do
      local h <close> = tide.HostArray(1000)
      s:with(function () h:copy_from(a) end)
      h:close()
      while not s.done do end
      most = round == 10 and stats("pinned").reserved or most
    end
    assert.is_true(stats("pinned").reserved <= most)
    stands:synchronize()
  end)
end)

end)
