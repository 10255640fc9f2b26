--[[
Of each size class, eight free blocks were looked at, those that were dropped
last first: two streams that took turns and dropped more than that each found
the other's only, which were busy, and got new memory for ever.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("streams that take turns", function ()
  local function new () return tide.Stream{ non_blocking = true } end

  local function turns (memory, make)
    local streams, size = { new(), new(), new() }, 0
    local function work ()
      local list = {}
      for i = 1, 20 do list[i] = make() end
      size = list[1].nbytes
      for i = 1, 20 do list[i]:close() end
    end
    -- How far the device is behind says how much is in use: three rounds at
    -- most. With new memory in each round that has one before it which is not
    -- over, it would be that of forty.
    local before = tide.memory_stats(memory).reserved
    for round = 1, 60 do
      for _, s in ipairs(streams) do s:with(work) end
      if round % 3 == 0 then tide.get_device():synchronize() end
    end
    local more = tide.memory_stats(memory).reserved - before
    assert.is_true(more < 4 * 60 * 2 * size)  -- sizes are rounded up
    for _, s in ipairs(streams) do s:close() end
  end

  it("use again what each has dropped", function ()
    local x = tide.ones(100000, "float32")
    turns("device", function () return x * 2 end)
  end)

  it("use again what another has dropped, once that has passed", function ()
    local x, s, t = tide.ones(100000, "float32"), new(), new()
    local most
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
      if round == 5 then
        most = tide.memory_stats().reserved
      end
    end
    assert.is_true(tide.memory_stats().reserved <= most)
  end)

  it("do not hide page-locked memory behind what stands", function ()
    local x, stands, most = tide.ones(1000), new(), nil
    local list = {}
    stands:launch_host_func(function () end)
    for i = 1, 20 do
      list[i] = tide.HostArray(1000)
      stands:with(function () list[i]:copy_from(x) end)
    end
    for i = 1, 20 do list[i]:close() end
    local s = new()
    for round = 1, 60 do
      local h = tide.HostArray(1000)
      s:with(function () h:copy_from(x) end)
      h:close()
      while not s.done do end
      if round == 10 then
        most = tide.memory_stats("pinned").reserved
      end
    end
    assert.is_true(tide.memory_stats("pinned").reserved <= most)
    stands:synchronize()
  end)
end)

end)
