--[[
tasks_woken_spec.lua - what wakes a task that waits or is about to: at whatever
instruction of the wait that comes, and whoever resumes the task otherwise.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails, T = helper.fails, helper.T
local new = helper.new_stream
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

local STEPS <const> = 400  -- instructions; more than any of the calls has

--- Calls fn() after so many instructions of the coroutine that calls.
local function after (steps, fn)
  debug.sethook(function ()
    debug.sethook()
    fn()
  end, "", steps)
end

--- Calls wait() in a task. wake() comes after so many instructions of it, at
-- the latest once the task waits -> what the task returned.
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

--- Calls fn once for each place in the call where the wake-up may come.
local function each (fn)
  for steps = 1, STEPS do
    run(fn, steps)
  end
end

helper.each_device(function ()

describe("a task that is about to wait is woken", function ()
  it("by the end of another one (#323)", function ()
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

  it("by one of several (#323)", function ()
    for _, name in ipairs{ "gather", "race" } do
      each(function (steps)
        local one, two = spawn(sleep, 60), spawn(sleep, 60)
        local ok, err = woken(steps, function () one:cancel() end, function ()
          return tide[name]{ two, one }
        end)
        assert.is_false(ok)
        assert.matches("was cancelled", err)
      end)
    end
  end)

  it("by a value, room or the end of a queue (#323)", function ()
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

  it("by a place of a semaphore (#323)", function ()
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

  it("by a finalizer (#323)", function ()
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

  it("in a coroutine of a loop as well (#323)", function ()
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

describe("a task that waits", function ()
  it("blocks where it cannot yield (#265)", function ()
    run(function ()
      local q = tide.queue()
      string.gsub("x", ".", function () sleep(0.002) end)
      assert.is_false(pcall(string.gsub, "x", ".", function () q:get() end))
      sleep(0.005)
      local bad = spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          sleep(0.001)
        end })
        error "after a sleep"
      end)
      fails("after a sleep", bad.await, bad)
    end)
  end)

  it("is woken though another coroutine asks the device (#265)", function ()
    local s <close> = new()
    s:synchronize()
    local key = T.hold(s)
    run(function ()
      local task = spawn(function () s:await() return "awake" end)
      sleep(0)
      T.release(key)
      coroutine.wrap(function () sleep(0.01) end)()
      assert.equal("awake", task:await(5))
    end)
  end)

  it("waits on if another coroutine resumes it (#272)", function ()
    --- Resumes the task where it waits, then calls wake -> what fn returned.
    local function resume_early (fn, wake)
      return run(function ()
        local co
        local task = spawn(function ()
          co = coroutine.running()
          return fn()
        end)
        sleep(0)
        assert.is_true(coroutine.resume(co))
        assert.equal("suspended", coroutine.status(co))
        wake()
        return task:await()
      end)
    end
    local s <close>, q = new(), tide.queue()
    local key = T.hold(s)
    assert.is_true(resume_early(function () return s:await(20) end,
                                function () T.release(key) end))
    local seconds = tide.clock()
    resume_early(function () sleep(0.02) end, function () end)
    assert.is_true(tide.clock() - seconds >= 0.02)
    assert.equal(1, resume_early(function () return q:get() end,
                                 function () q:put(1) end))
  end)
end)

end)
