--[[
standing_spec.lua - a device has few queues, and each stream that stands at a
gate occupies one: see src/rt/wait/standing.c. On CUDA each of these would stand
for ever with one more.
]]
local tide = require "tide"
local helper = require "spec.helper"
local T, new = helper.T, helper.new_stream

local STREAMS = 20

helper.each_device(function (kind)

local function make (n)
  local list = {}
  for i = 1, n do
    list[i] = new()
  end
  return list
end

local function close (list)
  for _, s in ipairs(list) do
    s:close()
  end
end

describe("streams behind gates", function ()
  it("may be many that wait for a function with work of its own", function ()
    local streams = make(STREAMS)
    local s <close> = new()
    local a, sums = tide.zeros(1000, "int64"), {}
    local inside
    s:launch_host_func(function () inside = tide.full(1000, 3):sum() end)
    s:with(function () a:add_(1) end)
    for i, t in ipairs(streams) do
      sums[i] = t:with(function () return (a * i):sum() end)
    end
    for i = 1, STREAMS do
      assert.equal(1000 * i, sums[i]:item())
    end
    assert.equal(3000, inside:item())
    close(streams)
  end)

  it("may each have one", function ()
    local streams, order = make(STREAMS), {}
    local a, b = tide.zeros(10, "int64"), tide.zeros(10, "int64")
    for i, s in ipairs(streams) do
      s:launch_host_func(function ()
        order[#order + 1] = i
        b:add_(1)
      end)
      s:with(function () a:mul_(2):add_(1) end)
    end
    tide.Device(kind):synchronize()
    assert.equal((1 << STREAMS) - 1, a:max():item())
    assert.equal(STREAMS, b:max():item())
    table.sort(order)
    for i = 1, STREAMS do
      assert.equal(i, order[i])
    end
    close(streams)
  end)

  it("may each have one in a graph, and others behind them", function ()
    local streams, graphs, n = make(STREAMS), {}, 0
    local a = tide.zeros(1000, "int64")
    for i = 1, STREAMS // 2 do
      graphs[i] = streams[i]:begin_capture()
        :launch_host_func(function () n = n + 1 end):end_capture()
    end
    for i, g in ipairs(graphs) do
      g:launch(streams[i])
      streams[i]:with(function () a:add_(1) end)
      streams[i + STREAMS // 2]:wait_stream(streams[i])
      streams[i + STREAMS // 2]:with(function () a:add_(1) end)
    end
    assert.equal(STREAMS, a:min():item())
    assert.equal(STREAMS // 2, n)
    close(streams)
  end)

  it("may wait by events, and by the legacy stream's order", function ()
    local s, n = tide.Stream(), 0
    local streams = {}
    for i = 1, STREAMS do
      streams[i] = tide.Stream()
    end
    local sum
    s:launch_host_func(function ()
      n = n + 1
      sum = tide.ones(10):sum()
    end)
    local e = s:record()
    for i, t in ipairs(streams) do
      if i % 2 == 0 then
        t:wait_event(e)
      else
        tide.Stream.null:record()
      end
      t:with(function () tide.ones(3) end)
    end
    for _, t in ipairs(streams) do
      t:synchronize()
    end
    assert.equal(1, n)
    assert.equal(10, sum:item())
    close(streams)
    s:close()
  end)

  -- Each function finds the streams of the others behind gates. They run in
  -- their order, as the turn of each has come before the next one is queued.
  it("may be entered inside host functions", function ()
    local streams, done = make(STREAMS), 0
    local a = tide.zeros(100, "int64")
    for i, s in ipairs(streams) do
      s:launch_host_func(function ()
        local t <close> = new()
        t:with(function () a:add_(1) end)
        done = done + 1
      end)
      repeat until select(2, T.posted()) == i - done
      s:with(function () a:add_(1) end)
      if i % 4 == 0 then
        tide.poll()
      end
    end
    tide.Device(kind):synchronize()
    assert.equal(2 * STREAMS, a:max():item())
    assert.equal(STREAMS, done)
    close(streams)
  end)

  it("are fewer with fewer CUDA_DEVICE_MAX_CONNECTIONS #process", function ()
    for connections, places in pairs{ ["4"] = 1, ["6"] = 3, ["32"] = 5,
                                      ["many"] = 5, ["-1"] = 5 } do
      local printed = helper.child_on(kind, [[
        local tide = require "tide"
        local streams, n = {}, 0
        for i = 1, 6 do
          streams[i] = tide.Stream{ non_blocking = true }
          local _, before = tide.sync_debug()
          streams[i]:launch_host_func(function () n = n + 1 end):record()
          if select(2, tide.sync_debug()) > before then
            print(i - 1)
            break
          end
        end
        tide.get_device():synchronize()
      ]], { CUDA_DEVICE_MAX_CONNECTIONS = connections })
      assert.equal(places .. "\n", printed)
    end
  end)

  it("are counted for all states together #process", function ()
    helper.program(kind, "states", "standing")
  end)
end)

end)
