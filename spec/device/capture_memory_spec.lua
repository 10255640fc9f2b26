--[[
capture_memory_spec.lua - memory that a capture frees and has again: when it is
used twice, and when it must not be.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local new = helper.new_stream

helper.each_device(function ()

describe("memory in a capture", function ()
  local N, BYTES = 4096, 8 * 4096

  local function blocks () return tide.memory_stats().live // BYTES end

  -- 100 additions, each of which needs the one before alone.
  local function additions (x, drop)
    for _ = 1, 100 do
      local y = x + 1
      drop(x)
      x = y
    end
    return x
  end

  it("is had again once its array is closed", function ()
    local x = tide.zeros(N)
    local before = blocks()
    local g <close>, y = tide.capture(additions, x, function (a)
      if a ~= x then a:close() end
    end)
    assert.is_true(blocks() - before <= 4)
    x:fill(1)
    g:launch()
    x:fill(2)
    g:launch()
    assert.equal(102 * N, y:sum():item())
  end)

  it("... or left by a scope", function ()
    local x = tide.zeros(N)
    local before = blocks()
    local g <close>, y = tide.capture(function ()
      local y = x
      for _ = 1, 100 do
        local z = y
        y = tide.scope(function () return (z + 1) * 1 - 0 end)
        if z ~= x then z:close() end
      end
      return y
    end)
    assert.is_true(blocks() - before <= 4)
    g:launch()
    assert.equal(100 * N, y:sum():item())
  end)

  it("... or collected", function ()
    local x = tide.zeros(N)
    local before = blocks()
    local g <close>, y = tide.capture(additions, x, function ()
      collectgarbage()
    end)
    assert.is_true(blocks() - before <= 4)
    g:launch()
    assert.equal(100 * N, y:sum():item())
  end)

  it("is not had again if the graph reads what was in it", function ()
    local s <close> = new()
    local u <close> = new()
    local x, sum = tide.ones(N), nil
    s:begin_capture()
    s:with(function ()
      local made = tide.empty(N)
      u:with(function () made:fill(5) end)  -- at once: not of the graph
      sum = x + made
      made:close()
      local other = x * 2
      other:close()
      x:close()  -- was there before
      local third = tide.ones(N)
      third:close()
    end)
    local g <close> = s:end_capture()
    g:launch()
    g:launch()
    assert.equal(6 * N, sum:sum():item())
  end)

  it("is not had again by what could run beside those that used it", function ()
    local x = tide.ones(N)
    local before = blocks()
    local g <close>, results = tide.capture(function ()
      local results = {}
      for i = 1, 12 do
        local t = x * i
        results[i] = t:sum()
        t:close()
      end
      return results
    end)
    assert.equal(12, blocks() - before)
    assert.equal(12, select(2, g:debug_dot():gsub("mul", "")))
    g:launch():launch()
    for i = 1, 12 do assert.equal(i * N, results[i]:item()) end
  end)

  it("is had again by others, also of other streams, once much is spare",
     function ()
    local s <close> = new()
    local u <close> = new()
    local x, sums = tide.ones(N), {}
    s:begin_capture()
    u:wait_stream(s)
    local before = blocks()
    for i = 1, 100 do
      local on = i % 2 == 0 and s or u
      on:with(function ()
        local t = x * i
        sums[i] = t:sum()
        t:close()
      end)
    end
    assert.is_true(blocks() - before <= 17)
    s:wait_stream(u)
    local g <close> = s:end_capture()
    for _ = 1, 2 do
      g:launch()
      for i = 1, 100 do assert.equal(i * N, sums[i]:item()) end
    end
  end)

  it("of tide.empty is none that the graph writes", function ()
    local s <close> = new()
    local t <close> = new()
    local w, source = tide.ones(N), tide.full(N, 9.0)
    s:begin_capture()
    local e = s:with(function ()
      local a = w + 1
      local b = a + 1
      local c = b + 1
      local d = c + 1
      a:close()
      b:close()
      return tide.empty(N), d
    end)
    t:with(function () e:copy_from(source) end)  -- at once
    assert.is_false(t:is_capturing())
    local g <close> = s:end_capture()
    g:launch():launch()
    assert.equal(9 * N, e:sum():item())
  end)

  it("is had again before the capture runs out of it", function ()
    local x = tide.ones(N)
    tide.get_current_stream():synchronize()
    local function work ()
      for i = 1, 12 do
        local t = x + i
        t:sum()
        t:close()
      end
    end
    collectgarbage()
    tide.trim()
    tide.memory_limit(tide.memory_stats().reserved + 4 * BYTES)
    local ok, g = pcall(tide.capture, work)
    tide.memory_limit(0)
    assert(ok, g)
    g:close()
  end)

  it("of arrays that live is nobody else's", function ()
    local x = tide.ones(N)
    local g <close>, list = tide.capture(function ()
      local list = {}
      for i = 1, 20 do
        local t = x * i
        list[i] = t + 0
        local view = t[{ { 1, 2 } }]
        t:close()
        if i % 2 == 0 then list[i + 20] = view else view:close() end
      end
      return list
    end)
    g:launch()
    for i = 1, 20 do
      assert.equal(i * N, list[i]:sum():item())
      if i % 2 == 0 then assert.equal(2 * i, list[i + 20]:sum():item()) end
    end
  end)

  it("whose address was given away is not had again", function ()
    local x = tide.ones(N)
    tide.capture(function ()
      local t = x + 1
      local at = t.ptr
      t:close()
      assert.not_equal(at, (x + 2).ptr)
    end)
  end)
end)

end)
