--[[
cqueues_spec.lua - coroutines of cqueues' controllers.
]]
local loops = require "spec.support.loops"
local helper = require "spec.support.helper"
local tide = require "tide"

local T, new = helper.T, helper.new_stream

local CODE <const> = [[
require "tide.cqueues"
local controller = require "cqueues".new()
local function start (fn) controller:wrap(fn) end
local function loop () assert(controller:loop()) end
]]

local go, run, code = loops("cqueues", CODE)

if go then helper.each_device(function (kind)

describe("cqueues' controllers", function ()
  local cqueues = require "cqueues"

  it("share what is over", function ()
    local s <close> = new()
    local key, over = T.hold(s), 0
    local inner = cqueues.new()
    local outer = { wrap = function (_, fn) go(fn) end }
    for _, controller in ipairs{ inner, outer } do
      for _ = 1, 3 do
        controller:wrap(function ()
          assert(s:await())
          over = over + 1
        end)
      end
    end
    go(function () assert(inner:loop()) end)
    go(function () tide.sleep(0.002) T.release(key) end)
    run()
    assert.equal(6, over)
  end)

  it("wake those who wait for the same, each once it is over", function ()
    local first <close> = new()
    local second <close> = new()
    local keys = { T.hold(first), T.hold(second) }
    local events = { first:record(), second:record() }
    local over, late = { 0, 0 }, 0
    for i = 1, 200 do
      local event = 1 + i % 2
      go(function ()
        assert(events[event]:await())
        over[event] = over[event] + 1
      end)
    end
    go(function ()
      assert(not events[2]:await(0.001))
      late = late + 1
      assert(not second:await(0.001) and not first:await(0))
      late = late + 1
      T.release(keys[1])
      assert(events[1]:await())
      while over[1] < 100 do cqueues.sleep(0.001) end
      assert.same({ 100, 0 }, over)
      T.release(keys[2])
    end)
    run()
    assert.same({ 100, 100 }, over)
    assert.equal(2, late)
    events[1]:close()
    events[2]:close()
  end)

  it("wait beside what is cqueues' own", function ()
    local s <close> = new()
    local key, ticks, over = T.hold(s), 0, nil
    go(function () over = s:await() end)
    go(function ()
      while not over do
        cqueues.sleep(0.001)
        ticks = ticks + 1
        if ticks == 5 then T.release(key) end
      end
    end)
    run()
    assert.is_true(over and ticks >= 5)
  end)

  it("may be collected with who waits", function ()
    local s <close> = new()
    local key = T.hold(s)
    do
      local controller = cqueues.new()
      controller:wrap(function () s:await(50) end)
      assert(controller:step(0))
    end
    collectgarbage()
    collectgarbage()
    T.release(key)
    go(function () assert(s:await()) end)
    run()
  end)

  it("block where a coroutine is not theirs", function ()
    local s <close> = new()
    local over
    go(function ()
      s:with(function () return tide.ones(1e5) + 1 end)
      over = coroutine.wrap(function () return s:await() end)()
    end)
    run()
    assert.is_true(over)
  end)

  it("are interrupted by Ctrl-C #process", function ()
    local printed, ok = helper.child(([[
      local tide = require "tide"
      %s
      go(function () while true do tide.sleep(0.001) end end)
      KILL = io.popen "sleep 0.2; kill -INT $PPID"
      run()
    ]]):format(code), { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.matches("interrupted!", printed)
  end)

  it("may go on with a run within a task of another one (#330)", function ()
    --- A controller whose coroutine is in a run that goes on.
    local function began (fn)
      local loop = cqueues.new()
      loop:wrap(function () tide.run(fn) end)
      assert(loop:step(0))
      return loop
    end
    local ends = began(function () tide.sleep(0.02) end)
    assert.equal("fine", tide.run(function ()
      assert(ends:loop())
      tide.sleep(0.001)
      assert.equal(3, tide.spawn(function () return 3 end):await())
      return "fine"
    end))
    local over = false
    local turns = began(function ()
      for _ = 1, 3 do tide.sleep(0.005) end
      over = true
    end)
    tide.run(function ()
      for _ = 1, 50 do
        assert(turns:step(0.001))
        tide.sleep(0.001)
      end
    end)
    assert(turns:loop())
    assert.is_true(over)
  end)
end)

end) end
