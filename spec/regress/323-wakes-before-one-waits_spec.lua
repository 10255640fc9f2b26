--[[
A task that was woken after it had asked and before it was parked, by a
finalizer or a hook, slept on: until its time was over, or for ever. In
task:await(seconds) memory for the timer could run a finalizer there, in a
queue and a semaphore that of the place in the line.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

local STEPS <const> = 400  -- instructions; more than any of the calls has

--- Calls fn() after so many instructions of the coroutine that calls.
local function after (steps, fn)
  debug.sethook(function ()
    debug.sethook()
    fn()
  end, "", steps)
end

--- wait(begin, ...) in a task; what wakes it comes after so many instructions
-- of it, at the latest once it waits -> what the task returned.
local function woken (steps, wake, wait)
  local came = false
  local function come ()
    if came then return end
    came = true
    wake()
  end
  local task = spawn(function ()
    after(steps, come)
    local results = table.pack(pcall(wait))
    debug.sethook()
    return table.unpack(results)
  end)
  sleep(0)
  sleep(0)
  come()
  return task:await(10)
end

--- Once for each place in the call where it may come.
local function each (fn)
  for steps = 1, STEPS do
    run(fn, steps)
  end
end

helper.each_device(function ()

describe("what wakes a task that is about to wait", function ()
  it("may be the end of another one", function ()
    for _, seconds in ipairs{ false, 10, math.huge } do
      each(function (steps)
        local other = spawn(sleep, 60)
        local ok, err = woken(steps, function () other:cancel() end, function ()
          return other:await(seconds or nil)
        end)
        assert.is_false(ok)
        assert.matches("was cancelled", err)
      end)
    end
  end)

  it("may be one of several", function ()
    each(function (steps)
      local one, two = spawn(sleep, 60), spawn(sleep, 60)
      local ok, err = woken(steps, function () one:cancel() end, function ()
        return tide.gather{ two, one }
      end)
      assert.is_false(ok)
      assert.matches("was cancelled", err)
      one, two = spawn(sleep, 60), spawn(sleep, 60)
      ok = woken(steps, function () one:cancel() end, function ()
        return tide.race{ two, one }
      end)
      assert.is_false(ok)
    end)
  end)

  it("may be a value, room or the end of a queue", function ()
    each(function (steps)
      local q = tide.queue(1)
      local ok, value = woken(steps, function () q:put "it" end,
                              function () return q:get() end)
      assert.same({ true, "it" }, { ok, value })
      q:put "first"
      ok = woken(steps, function ()
        assert(#q == 1)
        q:get()
      end, function () q:put "second" end)
      assert.is_true(ok)
      assert.equal("second", q:get())
      q:put "third"
      ok, value = woken(steps, function () q:close() end,
                        function () q:put "fourth" end)
      assert.is_false(ok)
      assert.matches("closed", value)
      q = tide.queue()
      assert.same({ true }, { woken(steps, function () q:close() end,
                                    function () return q:get() end) })
    end)
  end)

  it("may be a place of a semaphore", function ()
    each(function (steps)
      local s = tide.semaphore(1)
      local place = s:acquire()
      local ok, own = woken(steps, function () place:release() end,
                            function () return s:acquire() end)
      assert.is_true(ok)
      own:release()
      assert.equal("tide.Semaphore: 1 of 1 free", tostring(s))
    end)
  end)

  it("may be a finalizer's doing", function ()
    run(function ()
      for _ = 1, 200 do
        local other, q = spawn(sleep, 60), tide.queue()
        local task = spawn(function ()
          setmetatable({}, { __gc = function () other:cancel() end })
          collectgarbage "step"
          return pcall(other.await, other, 10)
        end)
        local getter = spawn(function ()
          setmetatable({}, { __gc = function () q:put(1) end })
          collectgarbage "step"
          return q:get()
        end)
        sleep(0)
        collectgarbage()
        assert.is_false((task:await(5)))
        assert.equal(1, getter:await(5))
      end
    end)
  end)

  it("may come to a coroutine of a loop", function ()
    require "tide.loop"
    for steps = 1, STEPS do
      local q, got = tide.queue(), nil
      local came = false
      local function come ()
        if not came then q:put "it" end
        came = true
      end
      local co = coroutine.create(function ()
        after(steps, come)
        got = q:get()
        debug.sethook()
      end)
      assert(coroutine.resume(co))
      come()
      local til = tide.clock() + 10
      while not got and tide.clock() < til do tide.poll(0.01) end
      assert.equal("it", got)
    end
  end)
end)

end)
