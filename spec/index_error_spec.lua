--[[
index_error_spec.lua - errors that only kernels can find, as they alone see the
elements: who is told, and when.
]]
local tide = require "tide"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local T, fails = helper.T, helper.fails

local DTYPES = numbers.dtypes

helper.each_device(function (kind)

describe("an index on the device that is out of range", function ()
  local function line () return debug.getinfo(2, "l").currentline end

  --- bad() -> what cannot be right, and what its error says.
  local function bad (a)
    local z = a:take(tide.array{ 1, 9 }) local at = line()
    return z, ("index_error_spec.lua:%d: take: an index is out of range for " ..
               "an axis of %d elements"):format(at, a.size)
  end

  it("is an error of whoever waits for the result, once", function ()
    for _, wait in ipairs{
      function (z) return z:totable() end,
      function (z) return z[1] end,
      function (z) return (z + 1):sum():item() end,
      function (z) return z:tohost() end,
      function () tide.get_current_stream():synchronize() end,
      function () tide.get_current_stream():record():synchronize() end,
      function (z) z.device:synchronize() end,
    } do
      local z, text = bad(tide.arange(3))
      fails(text, wait, z)
      assert.same({ 0, 2 }, z:totable())
    end
  end)

  it("is no matter of others, and waits for nothing", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local other <close> = tide.Stream{ non_blocking = true }
    local a, b = tide.arange(3), tide.arange(3)
    tide.get_device():synchronize()
    local _, waits = tide.sync_debug()
    local z, text = s:with(function () return bad(a) end)
    assert.equal(waits, select(2, tide.sync_debug()))
    other:with(function () assert.equal(3, b:sum():item()) end)
    other:synchronize()
    fails(text, s.synchronize, s)
    s:synchronize()
    assert.same({ 0, 2 }, z:totable())
  end)

  it("goes along to the streams that wait for it", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local other <close> = tide.Stream{ non_blocking = true }
    local z, text = s:with(function () return bad(tide.arange(3)) end)
    local y = other:with(function () return z * 2 end)
    fails(text, function ()
      other:with(function () return y:totable() end)
    end)
    assert.same({ 0, 4 }, y:totable())
  end)

  it("is found along axes, for all widths", function ()
    for _, dtype in ipairs(DTYPES) do
      local a = tide.ones({ 2, 3 }, dtype)
      for _, at in ipairs{ 0, 4, -4 } do
        local z = a:take(tide.array{ 1, at }, 2)
        fails("axis of 3 elements", z.totable, z)
      end
      local z = a:take(tide.array{ 1, -1, 3, -3 }, 2)
      assert.same({ 2, 4 }, z.shape)
      z:totable()
    end
  end)

  it("of a graph is one of each launch", function ()
    local a, at = tide.arange(3), tide.array{ 1, 2 }
    local g, z = tide.capture(function () return a:take(at) end)
    for _ = 1, 2 do
      at:copy_from{ 1, 9 }
      g:launch()
      fails("an index is out of range for an axis of 3", z.totable, z)
      at:copy_from{ 3, 1 }
      g:launch()
      assert.same({ 2, 0 }, z:totable())
    end
    for _ = 1, 5 do
      g, z = tide.capture(function () return a:take(at) end)
      g:launch()
    end
    assert.same({ 2, 0 }, z:totable())
  end)

  it("is noticed by the call itself with debug_sync", function ()
    tide.debug_sync(true)
    fails("an index is out of range", bad, tide.arange(3))
    tide.debug_sync(false)
    assert.equal(3, tide.arange(3):sum():item())
  end)

  it("costs a word, which comes back", function ()
    local a, at = tide.arange(1000), tide.arange(1, 1001)
    local z
    for _ = 1, 3000 do
      z = a:take(at)
    end
    assert.same(a:totable(), z:totable())
    assert.is_true(T.held().pinned == 0)
  end)

  it("that nobody asked for is told at the end #process", function ()
    local printed = helper.child_on(kind, [[
      warn "@on"
      local tide = require "tide"
      local a, at = tide.arange(3), tide.array{ 1, 2 }
      tide.get_device():synchronize()
      a:take(at + 7)
      local g = tide.capture(function () return a:take(at) end)
      at:copy_from{ 0, 0 }
      g:launch()
      local s = tide.get_current_stream()
      repeat until s.done
    ]])
    local text = "nobody asked for this error: (command line):%d:" ..
                 " take: an index is out of range for an axis of 3 elements\n"
    assert.is_truthy(printed:find(text:format(5), 1, true), printed)
    assert.is_truthy(printed:find(text:format(6), 1, true), printed)
  end)
end)

end)
