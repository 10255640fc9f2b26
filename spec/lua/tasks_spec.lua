--[[
tasks_spec.lua - tasks, on each device. tide.gather and tide.race are in
gather_spec.lua, streams in task_streams_spec.lua, tide.run in
tasks_run_spec.lua, and what wakes a task in tasks_woken_spec.lua.
]]
local apart = require "spec.support.apart"
local helper = require "spec.support.helper"
local tide = require "tide"
local NEWER <const> = require "tide.line".NEWER

local fails, T = helper.fails, helper.T
local new, counted = helper.new_stream, helper.counted
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep
local tickets = require "tide.waiting".tickets

helper.each_device(function (kind)

describe("a task", function ()
  it("lets others go on while it waits for the device", function ()
    local s <close> = new()
    s:synchronize()
    local key, turns = T.hold(s), 0
    run(function ()
      local waiter = spawn(function () return s:await() end)
      local ticker = spawn(function ()
        while true do
          sleep(0.001)
          turns = turns + 1
        end
      end)
      spawn(function ()
        while turns < 5 do sleep(0) end
        T.release(key)
      end)
      assert.is_true(waiter:await())
      ticker:cancel()
    end)
    assert.is_true(turns >= 5)
  end)

  it("has no timeout where the work is over by then", function ()
    local a <close>, got = new(), {}
    local b <close> = new()
    local c <close> = new()
    local ka, kb, kc = T.hold(a), T.hold(b), T.hold(c)
    run(function ()
      for i, s in ipairs{ a, b, c } do
        spawn(function () got[i] = { s:await(0.001) } end)
      end
      sleep(0)
      T.release(ka)
      T.release(kc)
      a:synchronize()
      c:synchronize()
      local late = tide.clock() + 0.002
      repeat until tide.clock() > late
    end)
    T.release(kb)
    assert.same({ { true }, { nil, "timeout" }, { true } }, got)
  end)

  it("goes on where a wait has failed, wherever it was", function ()
    local s <close> = new()
    --- A hook raises at the nth line of tide's in a wait -> was there one?
    local function fail (nth)
      local n, hit = 0, false
      local function step ()
        local source = debug.getinfo(2, "S").source
        local file = source:match "tide/(%l+)%.lua$"
        if file ~= "tasks" and file ~= "waiting" and file ~= "runner" then
          return
        end
        n = n + 1
        if n < nth then return end
        debug.sethook()
        hit = true
        error("enough", 0)
      end
      assert.is_true(run(function ()
        return spawn(function ()
          debug.sethook(step, "l")
          pcall(sleep, 0.0005)
          debug.sethook()
          coroutine.yield()
          local key = T.hold(s)
          spawn(function ()
            sleep(0.001)
            T.release(key)
          end)
          return s:await()
        end):await()
      end))
      return hit
    end
    local n = 0
    repeat n = n + 1 until not fail(n)
    assert.is_true(n > 10)
  end)

  it("is woken in the order of the work", function ()
    local s <close>, order = new(), {}
    s:synchronize()
    local key = T.hold(s)
    run(function ()
      for i = 1, 20 do
        spawn({ stream = s }, function ()
          tide.ones(3)
          s:await()
          order[#order + 1] = i
        end)
      end
      sleep(0)
      T.release(key)
    end)
    for i = 1, 20 do assert.equal(i, order[i]) end
  end)

  it("has a number while it waits, which others have later", function ()
    local s <close>, most = new(), 0
    run(function ()
      for _ = 1, 40 do
        local key = T.hold(s)
        local two = { spawn(s.await, s), spawn(s.await, s) }
        sleep(0)
        for number in pairs(tickets) do most = math.max(most, number) end
        T.release(key)
        tide.gather(two)
      end
    end)
    assert.is_true(most > 0 and most < 40)
    assert.is_nil(next(tickets))
  end)

  it("sleeps on where the number was another's, for the rest of its time",
     function ()
    local s <close>, got = new(), {}
    local key = T.hold(s)
    run(function ()
      for i, seconds in ipairs{ math.huge, 0.01 } do
        spawn(function () got[i] = { s:await(seconds) } end)
      end
      for _ = 1, 3 do
        sleep(0)
        for number, task in pairs(tickets) do task:waken(number) end
      end
      assert.is_nil(got[1])
      local late = tide.clock() + 1
      repeat sleep(0.002) until got[2] or tide.clock() > late
      T.release(key)
    end)
    assert.same({ { true }, { nil, "timeout" } }, got)
  end)

  it("sleeps on where the number of its timer was another's", function ()
    local seconds = tide.clock()
    run(function ()
      local task, queue = spawn(sleep, 0.02), tide.queue()
      local getter <close> = spawn(queue.get, queue)
      local late = spawn(getter.await, getter, 0.02)
      for _ = 1, 3 do
        sleep(0)
        for number, who in pairs(tickets) do who:waken(number) end
      end
      task:await()
      assert.same({ nil, "timeout" }, { late:await() })
      assert.is_true(tide.clock() - seconds >= 0.02)
    end)
  end)

  it("is in order with others on what they share", function ()
    local a = tide.zeros(1000)
    run(function ()
      for _ = 1, 50 do
        spawn(function ()
          for _ = 1, 10 do
            a:add_(1)
            a:await()
          end
        end)
      end
    end)
    assert.equal(500, a[1000])
  end)

  it("returns and raises to who awaits it", function ()
    run(function ()
      local task = spawn(function () return 1, nil, 3 end)
      assert.same({ 1, nil, 3 }, { task:await() })
      assert.same({ 1, nil, 3 }, { task:await(0) })
      local bad = spawn(function () error "no" end)
      fails("no", bad.await, bad)
      fails("no", bad.await, bad)
      local slow = spawn(function () sleep(0.05) return "late" end)
      assert.same({ nil, "timeout" }, { slow:await(0.001) })
      assert.equal("late", slow:await())
      fails("cannot wait for itself", function ()
        local me
        me = spawn(function () me:await() end)
        me:await()
      end)
    end)
  end)

  it("is cancelled, wherever it waits", function ()
    local s <close> = new()
    s:synchronize()
    local key, open = T.hold(s), {}
    local q, full, semaphore = tide.queue(), tide.queue(1):put(1),
                               tide.semaphore(1)
    run(function ()
      local place <close> = semaphore:acquire()
      local other = spawn(sleep, 10)
      local waits = {
        function () s:await() end, function () s:await(10) end,
        function () sleep(10) end, function () q:get() end,
        function () full:put(2) end, function () semaphore:acquire() end,
        function () other:await() end, function () tide.gather{ other } end,
        function () tide.race{ function () sleep(10) end } end,
        function () while true do coroutine.yield() end end,
      }
      for i, wait in ipairs(waits) do
        for turns = 0, 3 do
          if i == 8 then other = spawn(sleep, 10) end  -- the last one is gone
          local task = spawn(function ()
            local _ <close> = counted(open)
            wait()
          end)
          for _ = 1, turns do sleep(0) end
          assert.is_true(task:cancel())
          assert.is_false(task:cancel())
          fails("was cancelled", task.await, task)
          assert.equal(0, open.n or 0)
        end
      end
      if tostring(other):find "ready" or tostring(other):find "waiting" then
        other:cancel()
      end
      assert.equal(1, #full)
      assert.is_true(place ~= nil)
    end)
    assert.equal("tide.Semaphore: 1 of 1 free", tostring(semaphore))
    T.release(key)
    s:synchronize()
  end)

  it("does not lose what it was given when it is cancelled", function ()
    run(function ()
      local q, semaphore = tide.queue(), tide.semaphore(1)
      local getter = spawn(function () q:get() end)
      local place = semaphore:acquire()
      local taker = spawn(function () semaphore:acquire() end)
      sleep(0)
      q:put "value"
      place:release()
      getter:cancel()
      taker:cancel()
      assert.equal("value", q:get())
      assert.equal("tide.Semaphore: 1 of 1 free", tostring(semaphore))
    end)
  end)

  it("may be cancelled by one that it gathers", function ()
    run(function ()
      local parent
      local ended
      parent = spawn(function ()
        tide.gather{ function ()
          parent:cancel()
          sleep(0)
          ended = true
        end }
      end)
      fails("was cancelled", parent.await, parent)
      sleep(0)
      sleep(0)
      assert.is_true(ended)
    end)
  end)

  it("is waited for again and again, and keeps nothing of it", function ()
    run(function ()
      local q = tide.queue()
      local slow = spawn(function () return q:get() end)
      for _ = 1, 3 do
        assert.same({ nil, "timeout" }, { slow:await(0.0005) })
        for i = 1, #slow do  -- a list of functions to be called
          local field = slow[i]
          assert.is_false(type(field) == "table" and
                          type(rawget(field, 1)) == "function")
        end
      end
      q:put "late"
      assert.equal("late", slow:await())
      assert.is_true(spawn(sleep, 0):await(math.huge) == nil)
    end)
  end)

  it("keeps nobody who gave up behind one that waits", function ()
    run(function ()
      local q, most = tide.queue(), 0
      local slow = spawn(function () return q:get() end)
      local function wait () return slow:await() end
      local patient, before = spawn(wait), nil
      for _ = 1, 100 do
        local task = spawn(wait)
        sleep(0)
        if before then before:cancel() end
        before = task
        local n = 0
        for i = 1, #slow do  -- the line is one of its fields
          local field = slow[i]
          local one = type(field) == "table" and rawget(field, "first")
          while one do
            n, one = n + 1, one[NEWER]
          end
        end
        most = math.max(most, n)
      end
      assert.equal(2, most)
      before:cancel()
      q:put "late"
      assert.equal("late", patient:await())
    end)
  end)

  it("says what its <close> raises while it is cancelled", function ()
    run(function ()
      local task = spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          error "in close"
        end })
        sleep(10)
      end)
      sleep(0)
      local keep = spawn(function () fails("in close", task.await, task) end)
      sleep(0)
      task:cancel()
      keep:await()
    end)
  end)

  it("cannot cancel itself; the end of a scope can", function ()
    run(function ()
      local me
      me = spawn(function () fails("cannot cancel itself", me.cancel, me) end)
      me:await()
      local inner
      do
        local task <close> = spawn(sleep, 10)
        inner = task
      end
      fails("was cancelled", inner.await, inner)
    end)
  end)

  it("gets the error of a device that fails, as all others do #process",
     function ()
    apart(kind, function (lib, TT, _, _, recover)
      local s = lib.Stream{ non_blocking = true }
      local key, caught = TT.hold(s), 0
      TT.fault(s)
      lib.run(function ()
        for _ = 1, 100 do
          lib.spawn({ stream = s }, function ()
            local ok, err = pcall(s.await, s)
            assert(not ok and err:find("(700)", 1, true), err)
            caught = caught + 1
          end)
        end
        lib.sleep(0)
        TT.release(key)
      end)
      assert(caught == 100, caught)
      recover()
    end)
  end)

  it("gets an error when the device is reset #process", function ()
    apart(kind, function (lib, TT, dev)
      dev:use()
      local s = lib.Stream{ non_blocking = true }
      local key = TT.hold(s)
      lib.run(function ()
        local task = lib.spawn({ stream = "inherit" }, function ()
          local ok, err = pcall(s.await, s)
          assert(not ok and err:find("device was reset", 1, true), err)
          return "seen"
        end)
        lib.sleep(0)
        TT.release(key)
        dev:reset()
        assert(task:await() == "seen")
      end)
    end)
  end)

  it("raises what its <close> raises instead of its error (#265)", function ()
    run(function ()
      local task = spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          error "instead"
        end })
        error "first"
      end)
      fails("instead", task.await, task)
    end)
  end)

  it("may be in the scope of a task that it cancels (#271)", function ()
    run(function ()
      local first, second
      first = spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          second:cancel()
        end })
        sleep(10)
      end)
      second = spawn(function ()
        local _ <close> = first
        sleep(10)
      end)
      sleep(0)
      assert.is_true(first:cancel())
      for _, task in ipairs{ first, second } do
        fails("was cancelled", task.await, task)
      end
    end)
  end)

  it("runs no host functions where a finalizer only sleeps (#265)",
     function ()
    local s <close> = new()
    local inside, ran = false, nil
    s:launch_host_func(function () ran = inside end)
    setmetatable({}, { __gc = function ()
      inside = true
      sleep(0.001)
      inside = false
    end })
    collectgarbage()
    s:synchronize()
    assert.is_false(ran)
  end)

  it("keeps no others alive once it has ended (#286)", function ()
    run(function ()
      local function sleep_twice ()
        sleep(0)
        sleep(0)
      end
      local others = setmetatable({}, { __mode = "k" })
      local kept = spawn(sleep_twice)
      for _ = 1, 100 do
        others[spawn(sleep_twice)] = true
        sleep(0)
      end
      for _ = 1, 3 do sleep(0) end
      collectgarbage()
      collectgarbage()
      assert.is_nil(next(others))
      kept:await()
    end)
  end)
end)

end)
