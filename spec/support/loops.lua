--[[
loops.lua - what is true of coroutines on every event loop. loops(name, code,
closes) describes it on each device, with two functions that 'code' defines:
start(fn) starts a coroutine of the loop, loop() returns once all are over.
'closes': may one coroutine close another one? Returns go and run, which are
the same, but that run() raises what one has raised, and their text; or nil
where the library is missing.
]]
local assert = require "luassert"
local busted = require "busted"
local apart = require "spec.support.apart"
local helper = require "spec.support.helper"
local tide = require "tide"

local describe, it = busted.describe, busted.it
local fails, T, new = helper.fails, helper.T, helper.new_stream
local counted = helper.counted

local GO_AND_RUN <const> = [[
local failed
local function go (fn)
  start(function ()
    local ok, err = pcall(fn)
    if not ok then failed = failed or err end
  end)
end
local function run ()
  loop()
  local err = failed
  failed = nil
  if err then error(err, 0) end
end
]]

local function common (kind, go, run, code, closes)
  local function close_it (name, fn)
    if closes then it(name, fn) end
  end

  describe("x:await", function ()
    it("lets others go on, until the work is done", function ()
      local s <close> = new()
      local x, h = tide.ones(3), tide.HostArray(3)
      local g = tide.capture(function () x:add_(1) end)
      g:launch(s)  -- the driver may wait for the device in the first one
      s:synchronize()
      local key = T.hold(s)
      g:launch(s)
      s:with(function () h:copy_from(x) end)
      local objects <const> = { s, s:record(), x, h, g }
      local over, ticks = 0, 0
      for _, object in ipairs(objects) do
        go(function ()
          assert.is_true(object:await())
          over = over + 1
        end)
      end
      go(function ()
        while over < #objects do
          tide.sleep(0.001)
          ticks = ticks + 1
          if ticks == 10 then
            assert.equal(0, over)
            T.release(key)
          end
        end
      end)
      run()
      assert.equal(#objects, over)
      assert.is_true(ticks >= 10)
    end)

    it("returns at once what is over, and nil after its time", function ()
      local s <close> = new()
      local key = T.hold(s)
      local results, seconds = {}, tide.clock()
      go(function ()
        results[1] = tide.ones(3):await()
        results[2] = table.pack(s:await(0))
        results[3] = table.pack(s:await(0.02))
        results[4] = tide.clock() - seconds
      end)
      run()
      assert.is_true(results[1])
      for i = 2, 3 do
        assert.same({ nil, "timeout", n = 2 }, results[i])
      end
      assert.is_true(results[4] >= 0.02 and results[4] < 5)
      go(function () results[5] = s:await(20) end)
      go(function () T.release(key) end)
      run()
      assert.is_true(results[5])
    end)

    it("is for an event that is recorded again or closed meanwhile", function ()
      local s <close> = new()
      local t <close> = new()
      local e <close> = tide.Event()
      local f = tide.Event()
      local key, other = T.hold(s), T.hold(t)
      e:record(s)
      f:record(s)
      local over = 0
      for _, event in ipairs{ e, f } do
        go(function ()
          assert.is_true(event:await(20))
          over = over + 1
        end)
      end
      go(function ()
        tide.sleep(0.002)
        e:record(t)  -- which stands until the end
        f:close()
        T.release(key)
        while over < 2 do tide.sleep(0.001) end
        T.release(other)
      end)
      run()
      assert.equal(2, over)
      t:synchronize()
    end)

    it("raises what host functions raise, which run meanwhile", function ()
      local s <close> = new()
      local ran = 0
      go(function ()
        s:launch_host_func(function () ran = ran + 1 end)
        s:launch_host_func(function () error "of a function" end)
        fails("of a function", s.await, s)
        assert.is_true(s:await())
        assert.equal(1, ran)
        ran = ran + 1
      end)
      run()
      assert.equal(2, ran)
    end)

    it("waits in each coroutine for what is its own", function ()
      local over = 0
      for i = 1, 20 do
        go(function ()
          local s <close> = new()
          s:use()
          local x = tide.full(100, i)
          for _ = 1, 5 do
            x:add_(1)
            assert.is_true(x:await())
          end
          assert.equal((i + 5) * 100, x:sum():item())
          over = over + 1
          tide.Stream.null:use()
        end)
      end
      run()
      assert.equal(20, over)
    end)

    close_it("drops its ticket where the coroutine is closed", function ()
      local s <close> = new()
      local open, key = {}, T.hold(s)
      local co
      go(function ()
        co = coroutine.running()
        local _ <close> = counted(open)
        s:await()
        error "it went on"
      end)
      go(function ()
        tide.sleep(0.002)
        assert.equal(1, open.n)
        assert.is_true(coroutine.close(co))
        assert.equal(0, open.n)
        T.release(key)
        assert.is_true(s:await())
      end)
      run()
      s:synchronize()
    end)

    it("is there for ten thousand at once", function ()
      local s <close> = new()
      local e <close> = tide.Event{ disable_timing = true }
      local key = T.hold(s)
      e:record(s)
      local over = 0
      for _ = 1, 10000 do
        go(function ()
          e:await()
          over = over + 1
        end)
      end
      go(function ()
        tide.sleep(0.001)
        assert.equal(0, over)
        T.release(key)
      end)
      run()
      assert.equal(10000, over)
    end)

    it("counts as no wait", function ()
      local s <close> = new()
      local over
      tide.sync_debug "error"
      go(function ()
        s:with(function () return tide.ones(1e6) + 1 end)
        s:await()
        over = true
      end)
      run()
      tide.sync_debug "off"
      assert.is_true(over)
    end)

    it("gives a fault to all who wait", function ()
      apart(kind, load(([[
        local tide, T, dev, fails, recover = ...
        %s
        dev:use()
        local s = tide.Stream{ non_blocking = true }
        local key = T.hold(s)
        T.fault(s)
        local caught = 0
        for _ = 1, 100 do
          go(function ()
            local err = fails("(700)", s.await, s)
            caught = caught + 1
          end)
        end
        go(function () tide.sleep(0.001) T.release(key) end)
        run()
        assert(caught == 100, caught)
        recover()
      ]]):format(code)))
    end)

    it("gives an error to all who wait when the device is reset", function ()
      apart(kind, load(([[
        local tide, T, dev, fails = ...
        %s
        dev:use()
        local s = tide.Stream{ non_blocking = true }
        local key = T.hold(s)
        local seen
        go(function ()
          fails("device was reset", s.await, s)
          seen = true
        end)
        go(function ()
          tide.sleep(0.001)
          T.release(key)
          dev:reset()
        end)
        run()
        assert(seen)
      ]]):format(code)))
    end)
  end)

  describe("between its coroutines", function ()
    it("tide.sleep, queues and semaphores wait", function ()
      local q, room, got = tide.queue(1), tide.semaphore(1), {}
      go(function ()
        for i = 1, 5 do q:put(i) end
        q:close()
      end)
      go(function ()
        for value in q do
          local _ <close> = room:acquire()
          tide.sleep(0.001)
          got[#got + 1] = value
        end
      end)
      go(function ()
        local _ <close> = room:acquire()
        tide.sleep(0.002)
        got.third = true
      end)
      run()
      assert.same({ 1, 2, 3, 4, 5, third = true }, got)
    end)

    it("host functions wake who waits in a queue", function ()
      local s <close> = new()
      local q, got = tide.queue(), nil
      go(function ()
        s:launch_host_func(function () q:put "from a function" end)
        got = q:get()
      end)
      go(function () s:await() end)
      run()
      assert.equal("from a function", got)
    end)

    it("tide.run gives others their turn", function ()
      local s <close> = new()
      local key, order = T.hold(s), {}
      for i = 1, 2 do
        go(function ()
          local sum = tide.run(function (n)
            local tasks = {}
            for k = 1, n do
              tasks[k] = function ()
                s:await()
                tide.sleep(0.001)
                return k
              end
            end
            local list = tide.gather(tasks)
            return list[1] + list[n]
          end, 10 * i)
          assert.equal(1 + 10 * i, sum)
          order[#order + 1] = "run"
        end)
      end
      go(function ()
        for _ = 1, 5 do tide.sleep(0.001) end
        order[#order + 1] = "tick"
        T.release(key)
      end)
      run()
      assert.same({ "tick", "run", "run" }, order)
    end)

    it("a run whose tasks are never done gives turns as well", function ()
      local stop, ticks = false, 0
      go(function ()
        tide.run(function ()
          while not stop do coroutine.yield() end
        end)
      end)
      go(function ()
        for _ = 1, 5 do
          tide.sleep(0.001)
          ticks = ticks + 1
        end
        stop = true
      end)
      run()
      assert.equal(5, ticks)
    end)

    it("queues and tasks of two runs meet", function ()
      local q, got = tide.queue(1), {}
      local task
      go(function ()
        tide.run(function ()
          task = tide.spawn(function ()
            tide.sleep(0.005)
            for i = 1, 3 do q:put(i) end
            q:close()
            return "all"
          end)
        end)
      end)
      go(function ()
        tide.run(function ()
          for value in q do got[#got + 1] = value end
        end)
      end)
      go(function ()
        while not task do tide.sleep(0.001) end
        got.task = task:await()
      end)
      run()
      assert.same({ 1, 2, 3, task = "all" }, got)
    end)

    close_it("a run that is closed ends its tasks", function ()
      local open, co = {}, nil
      go(function ()
        co = coroutine.running()
        tide.run(function ()
          tide.spawn(function ()
            local _ <close> = counted(open)
            tide.sleep(20)
          end)
          local _ <close> = counted(open)
          tide.sleep(20)
        end)
      end)
      go(function ()
        tide.sleep(0.005)
        assert.equal(2, open.n)
        assert.is_true(coroutine.close(co))
        assert.equal(0, open.n)
      end)
      run()
    end)

    it("what needs tasks says so", function ()
      local seen
      go(function ()
        fails("tide.spawn: called outside of tide.run", tide.spawn, print)
        fails("tide.gather: called outside of a task", tide.gather, {})
        tide.run(function ()
          fails("tide.run: there is one under way", tide.run, print)
        end)
        seen = true
      end)
      run()
      assert.is_true(seen)
    end)
  end)

  describe("the end", function ()
    it("of a state with who waits is quiet #process", function ()
      for _, last in ipairs{ "", "os.exit(true, true)" } do
        local printed = helper.child_on(kind, ([[
          local tide = require "tide"
          %s
          local s = tide.Stream{ non_blocking = true }
          s:launch_host_func(function () end)
          for i = 1, 10 do
            go(function () s:await(i > 5 and 100 or nil) end)
          end
          go(function () tide.run(function () tide.sleep(100) end) end)
          print "end"
          %s
        ]]):format(code, last))
        assert.matches("^end\n", printed)
      end
    end)
  end)
end

return function (name, code, closes)
  local ok, why = pcall(require, "tide." .. name)
  if not ok then
    assert(tostring(why):find("needs " .. name, 1, true), why)
    busted.pending(("tide.%s (%s)"):format(name, tostring(why):match "[^\n]*"))
    return
  end
  code = code .. GO_AND_RUN
  local go, run = assert(load(code .. "return go, run"))()
  helper.each_device(function (kind)
    describe("tide." .. name, function ()
      common(kind, go, run, code, closes)
    end)
  end)
  return go, run, code
end
