--[[
What was computed of two communicators' arrays was known to come from the latest
operation alone. Where the earlier one's communicator failed, and the other one
went on, the result was there, as wrong as it was: as 3 where 4 was right, or an
error.
]]
local helper = require "spec.support.helper"

local PRELUDE <const> = [[
  local tide = require "tide"
  local T = tide.T
  local function on (i, fn, ...)
    local list = { ... }
    return tide.with_device("host:" .. i, function ()
      return fn(table.unpack(list))
    end)
  end
  local function ones (i) return on(i, tide.ones, 3) end
  local first = tide.comm({ "host:0", "host:1" }, { timeout = 2 })
  local second = tide.comm{ "host:0", "host:2" }
  local x, y, there = { ones(0), ones(1) }, { ones(0), ones(2) }, ones(0)

  --- first fails in what fn queues.
  local function fail (fn)
    local held = on(1, function () return T.hold(tide.get_current_stream()) end)
    fn()
    while not first.error do tide.sleep(0.01) end
    T.release(held)
  end

  local function gone (a)
    for _ = 1, 2 do
      local ok, err = pcall(a.totable, a)
      assert(not ok and err:find("what all_reduce (", 1, true), err)
    end
  end
]]

local function works (code)
  return function ()
    helper.child_on("host", PRELUDE .. code, { TIDE_HOST_DEVICES = "3" })
  end
end

describe("what comes from two communicators", function ()
  it("is lost with the one that fails #process", works [[
    local sum, both = nil, on(0, tide.zeros, 6)
    local s = on(0, tide.Stream, { non_blocking = true })
    fail(function ()
      first:all_reduce(x)
      s:with(function ()
        second:all_reduce(y)
        s:synchronize()
        there:add_(y[1])
      end)
      sum = x[1] + y[1]
      both:slice(1, 3):copy_from(x[1])
      both:slice(4, 6):copy_from(y[1])
    end)
    gone(x[1])
    gone(sum)
    gone(both)
    assert(y[1][1] == 2 and there[1] == 3)
  ]])

  it("is lost if the other one has taken it #process", works [[
    local copy
    fail(function ()
      first:all_reduce(x)
      second:all_reduce{ x[1], y[2] }
      copy = y[2] * 2
      second:all_reduce(y)
    end)
    gone(x[1])
    gone(y[2])
    gone(copy)
    gone(y[1])
    on(2, function () y[2]:fill(4) end)
    y[1]:fill(4)
    second:all_reduce(y)
    assert(y[1][1] == 8 and y[2][1] == 8)
  ]])
end)
