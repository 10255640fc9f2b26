--[[
witness_spec.lua - all that conflicts is in order by what the driver was told
alone (src/rt/testing/witness.c): a wait that the witness does not see is
missed, whatever the results are. spec/soak/program.lua has it look on as well.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = tide.T

helper.each_device(function (kind)

if kind ~= "host" then return end  -- it leaves CUDA alone

describe("a witness of driver calls", function ()
  --- Runs fn(s, t, x, h) while stream s stands, with wait number 'blind'
  -- unseen: how many pairs are in no order, and one of them.
  local function see (fn, blind)
    local s, t = tide.Stream{ non_blocking = true }, tide.Stream()
    local x, h = tide.ones(64, "int64"), tide.HostArray(64, "int64")
    tide.get_device():synchronize()
    T.witness(true, blind)
    local key = T.hold(s)
    fn(s, t, x, h)
    T.release(key)
    tide.get_device():synchronize()
    local compared, bad, complaint = T.witness(false)
    assert(compared > 0)
    return bad, complaint
  end

  --- All is in order; without that wait something is in none.
  local function check (wait, fn, pattern)
    assert.same({ 0, "" }, { see(fn) })
    local bad, complaint = see(fn, wait)
    assert(bad > 0)
    assert.matches(pattern, complaint)
  end

  it("misses a read that does not wait for a write", function ()
    check(1, function (s, t, x, h)
      s:with(function () x:add_(1) end)
      t:with(function () h:copy_from(x) end)
    end, "'add.*', which writes .*, and 'copy', which reads")
  end)

  it("misses a write that does not wait for a read", function ()
    check(1, function (s, t, x, h)
      s:with(function () h:copy_from(x) end)
      t:with(function () x:fill(3) end)
    end, "'copy', which reads .*, and '.*', which writes")
  end)

  it("misses them in captures", function ()
    check(2, function (_, t, x)  -- not that for the origin
      tide.capture(function ()
        local origin = tide.get_current_stream()
        t:wait_stream(origin)
        x:add_(1)
        t:with(function () x:add_(2) end)
        origin:wait_stream(t)
      end)
    end, "'add.*', which writes .*, and 'add.*', which")
  end)

  it("misses one among what a function kept back", function ()
    check(1, function (s, t, x, h)
      s:launch_host_func(function () end)
      s:with(function () x:add_(1) end)
      t:with(function () h:copy_from(x) end)
    end, "'add.*', which writes .*, and 'copy', which reads")
  end)

  it("knows that work comes behind functions", function ()
    assert.same({ 0, "" }, { see(function (s, t, x, h)
      s:launch_host_func(function () h:fill(7) end)
      s:with(function () x:copy_from(h) end)
      t:wait_stream(s)
      t:launch_host_func(function () h:fill(9) end)
      t:with(function () x:copy_from(h) end)
    end) })
  end)

  it("knows what the host has waited for", function ()
    assert.same({ 0, "" }, { see(function (_, t, x, h)
      t:with(function () h:copy_from(x) end)
      t:synchronize()
      h[1] = 5
      t:with(function () h:fill(1) x:fill(1) end)
    end) })
  end)
end)

end)
