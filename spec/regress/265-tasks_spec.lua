--[[
265: what a reader found in tasks. A sleep where no task can yield, which left
its timer behind, and one that took others' tickets; values and errors that were
lost by cancelled getters and by awaits that had timed out; tasks of a run that
had ended, which were not over; finalizers between registering and parking;
lines that grew; items that began before a wrong one was seen; streams that
their task had closed, or failed on.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails, T = helper.fails, helper.T
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep
local new = helper.new_stream

helper.each_device(function ()

describe("tasks", function ()
  it("block where they cannot yield", function ()
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

  it("are woken whoever asks the device", function ()
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

  it("get what a cancelled one was woken for, in order", function ()
    run(function ()
      local q, small = tide.queue(), tide.queue(1)
      local one = spawn(function () return q:get() end)
      local two = spawn(function () return q:get() end)
      local three = spawn(function () return q:get() end)
      sleep(0)
      q:put "first":put "second"
      one:cancel()
      assert.equal("first", two:await(5))
      assert.equal("second", three:await(5))
      local getter = spawn(function () return small:get() end)
      sleep(0)
      small:put(1)
      local putter = spawn(function () small:put(2) end)
      sleep(0)
      assert.equal(1, getter:await())
      putter:await()
      assert.equal(1, #small)
      local a = spawn(function () small:put(3) end)
      local b = spawn(function () small:put(4) end)
      sleep(0)
      assert.equal(2, small:get())
      a:cancel()
      b:await()
      assert.equal(4, small:get())
    end)
  end)

  it("raise an error although an await of it has timed out", function ()
    fails("not lost", run, function ()
      local task = spawn(function () sleep(0.005) error "not lost" end)
      task:await(0.001)
      sleep(1)
    end)
  end)

  it("may be ended by a host function", function ()
    local s <close> = new()
    assert.equal("ok", run(function ()
      local q = tide.queue()
      local task = spawn(function () q:get() end)
      s:launch_host_func(function () task:cancel() end)
      return "ok"
    end))
  end)

  it("are over when their run has ended", function ()
    local q, task, seen = tide.queue(), nil, {}
    fails("enough", run, function ()
      task = spawn(function ()
        local got = q:get()
        seen[#seen + 1] = got
      end)
      local inner = spawn(sleep, 10)
      spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          seen[#seen + 1] = inner:cancel()
          run(function () q:put "kept" end)
        end })
        sleep(10)
      end)
      spawn(function () tide.gather{ inner } end)
      sleep(0)
      error "enough"
    end)
    assert.same({ false }, seen)
    assert.is_false(task:cancel())
    fails("was cancelled", task.await, task)
    run(function ()
      fails("was cancelled", task.await, task)
      assert.equal("kept", q:get())
    end)
  end)

  it("are found by finalizers as they are", function ()
    run(function ()
      for _ = 1, 50 do
        local other = spawn(sleep, 10)
        local main = spawn(function ()
          setmetatable({}, { __gc = function () other:cancel() end })
          for _ = 1, 20 do
            local _ = { {} }
          end
          return pcall(other.await, other, 5)
        end)
        collectgarbage "step"
        sleep(0)
        collectgarbage()
        other:cancel()
        local ok, why = main:await(5)
        assert.is_false(ok)
        assert.matches("was cancelled", why)
      end
    end)
  end)

  it("that give up waiting in a line leave nothing there", function ()
    run(function ()
      local q = tide.queue()
      for _ = 1, 200 do
        local task = spawn(function () q:get() end)
        sleep(0)
        task:cancel()
      end
      assert.is_false(q.getters.first or q.getters.last)
      for key in pairs(q.getters) do assert.is_string(key) end  -- no entry
    end)
  end)

  it("do not begin when another of their list is none", function ()
    run(function ()
      local began = false
      fails("item 2", tide.gather, { function () began = true end, 1 })
      sleep(0)
      assert.is_false(began)
    end)
  end)

  it("may close their stream, or fail in a capture on it", function ()
    run(function ()
      for i = 1, 40 do
        local task = spawn(function ()
          if i % 2 == 0 then
            tide.get_current_stream():close()
          else
            tide.get_current_stream():begin_capture()
            error "in a capture"
          end
        end)
        pcall(task.await, task)
        collectgarbage()
        assert.equal(3, spawn(function ()
          return tide.ones(3):sum():item()
        end):await())
      end
    end)
  end)

  it("that only sleep run no host functions in finalizers", function ()
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

  it("raise what a <close> raises on their way out", function ()
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
end)

end)
