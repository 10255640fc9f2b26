--[[
task_streams_spec.lua - the streams of tasks: which a task has, and what becomes
of it when the task ends, however that is.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails, T = helper.fails, helper.T
local new = helper.new_stream
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

helper.each_device(function (kind)

describe("the stream of a task", function ()
  it("is its own, another's, or the one that is current", function ()
    local s <close> = new()
    local function here_later ()
      sleep(0.001)
      return tide.get_current_stream()
    end
    run(function ()
      local here = tide.get_current_stream()
      local seen = tide.gather{
        spawn(here_later), spawn(here_later),
        spawn({ stream = s }, tide.get_current_stream),
        spawn({ stream = "inherit" }, tide.get_current_stream),
      }
      assert.is_true(seen[1] ~= seen[2] and seen[1] ~= here and
                     seen[2] ~= here)
      assert.is_true(seen[3] == s and seen[4] == here)
      assert.equal(kind, tostring(seen[1].device):match "^%a+")
    end)
  end)

  it("is inherited although its object is closed", function ()
    run(function ()
      local s, event = new():use(), nil
      local key = T.hold(s)
      s:close()
      spawn({ stream = "inherit" }, function ()
        event = tide.Event():record()
      end):await()
      assert.is_false(event.done)
      T.release(key)
      event:await()
      event:close()
    end)
  end)

  it("takes an error that nobody waited for along", function ()
    local x, left = tide.arange(5), {}
    local function take () left[1] = x:take(tide.array{ 9 }) end
    local function queue ()
      tide.get_current_stream():launch_host_func(function () error "late" end)
      left[1] = tide.ones(1)
    end
    for text, forget in pairs{ ["index 9 is out of range"] = take,
                               late = queue } do
      for _, seconds in ipairs{ 0, 0.01 } do
        run(function ()
          spawn(function () forget() sleep(seconds) end):await()
          for _ = 1, 3 do
            spawn(function ()
              local y = tide.ones(3)
              y:await()
              tide.get_current_stream():synchronize()
              return y[1]
            end):await()
          end
          fails(text, function () return left[1]:totable() end)
        end)
      end
    end
  end)

  it("is shared where there are very many", function ()
    local streams, n = {}, 0
    run(function ()
      for _ = 1, 100 do
        spawn(function ()
          local ptr = tide.get_current_stream().ptr
          n = n + (streams[ptr] and 0 or 1)
          streams[ptr] = true
          sleep(0.001)
        end)
      end
    end)
    assert.equal(32, n)
  end)

  it("may not capture when the task returns", function ()
    run(function ()
      local theirs
      local task = spawn(function ()
        theirs = tide.get_current_stream()
        theirs:begin_capture()
      end)
      fails("the task returned while its stream was capturing", task.await,
            task)
      local x = spawn(function ()
        assert.is_false(tide.get_current_stream():is_capturing())
        return tide.ones(3) + 1
      end):await()
      assert.equal(2, x[1])
      assert.is_false(theirs:is_capturing())
      assert.equal(0, T.held().captures)
    end)
  end)

  it("is not the next one's if it captures when the task fails", function ()
    run(function ()
      local began = tide.queue()
      local task = spawn(function ()
        began:put(tide.get_current_stream():begin_capture())
        sleep(10)
      end)
      local theirs = began:get()
      task:cancel()
      assert.equal(theirs, spawn(function ()
        assert.is_true(theirs ~= tide.get_current_stream())
        return theirs
      end):await())
      tide.ones(3)
      assert.equal(0, T.held().captures)
    end)
  end)

  it("is none that captures meanwhile", function ()
    run(function ()
      local s = spawn(tide.get_current_stream):await()
      s:begin_capture()
      assert.is_true(spawn(tide.get_current_stream):await() ~= s)
      s:end_capture()
    end)
  end)

  it("may be closed by it, or capture when it fails (#265)", function ()
    run(function ()
      for i = 1, 40 do
        local task = spawn(function ()
          local s = tide.get_current_stream()
          if i % 2 == 0 then return s:close() end
          s:begin_capture()
          error "in a capture"
        end)
        pcall(task.await, task)
        collectgarbage()
        assert.equal(3, spawn(function ()
          return tide.ones(3):sum():item()
        end):await())
      end
    end)
  end)

  it("goes back when the task fails or is cancelled (#270)", function ()
    local function count ()
      for _ = 1, 2 do
        collectgarbage()
        tide.poll()
      end
      return T.held().streams
    end
    run(function ()
      local before = count()
      for i = 1, 100 do
        local task = spawn(function ()
          if i % 2 == 0 then error "failed" end
          sleep(100)
        end)
        if i % 2 == 0 then pcall(task.await, task) end
        sleep(0)
        task:cancel()
      end
      assert.is_true(count() <= before + 2)
    end)
  end)
end)

end)
