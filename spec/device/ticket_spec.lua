--[[
ticket_spec.lua - x:await([seconds]) outside of tasks, where it blocks, and
in coroutines that are never resumed. tasks_spec.lua has it in tasks.
]]
local apart = require "spec.support.apart"
local helper = require "spec.support.helper"
local other = require "spec.support.partner"
local tide = require "tide"

local fails, badarg, T = helper.fails, helper.badarg, helper.T
local new = helper.new_stream

helper.each_device(function (kind)

after_each(other.clean)

--- Objects that all wait for one stream, which stands until release() is
-- called.
local function held ()
  local s = new()
  local x, h = tide.ones(3), tide.HostArray(3)
  local g = tide.capture(function () x:add_(1) end)
  g:launch(s)  -- the driver may wait for the device in the first one
  s:synchronize()
  local key = T.hold(s)
  g:launch(s)
  s:with(function () h:copy_from(x) end)
  local list = { s, s:record(), x, h, g }
  return list, function () T.release(key) end
end

local function close (list)
  for _, object in ipairs(list) do object:close() end
end

describe("x:await", function ()
  it("is over when the work is", function ()
    local list, release = held()
    for _, object in ipairs(list) do
      assert.same({ nil, "timeout" }, { object:await(0) })
      assert.same({ nil, "timeout" }, { object:await(0.002) })
    end
    release()
    for _, object in ipairs(list) do
      assert.is_true(object:await())
      assert.is_true(object:await(0))
    end
    close(list)
  end)

  it("is over at once where there is nothing to wait for", function ()
    local s <close> = new()
    assert.is_true(s:await())
    assert.is_true(tide.zeros(0):await())
    assert.is_true(tide.HostArray(2):await(0))
    assert.is_true(tide.capture(function () end):await())
  end)

  it("runs host functions, and raises their errors once", function ()
    local s <close> = new()
    local ran = 0
    s:launch_host_func(function () ran = ran + 1 end)
    s:launch_host_func(function () error "of a function" end)
    fails("of a function", s.await, s)
    assert.equal(1, ran)
    assert.is_true(s:await())
  end)

  it("does not wait for what is queued later", function ()
    local s <close> = new()
    local e <close> = tide.Event():record(s)
    local key = T.hold(s)
    assert.is_true(e:await())
    assert.same({ nil, "timeout" }, { s:await(0) })
    T.release(key)
    s:synchronize()
  end)

  it("names what is wrong", function ()
    local s <close> = new()
    local e <close> = tide.Event()
    badarg(2, "seconds from 0 on expected", s.await, s, -1)
    badarg(2, "number expected, got string", s.await, s, "1")
    badarg(2, "seconds from 0 on expected", s.await, s, 0 / 0)
    badarg(1, "event was never recorded", e.await, e)
    local a = tide.ones(3)
    a:close()
    badarg(1, "closed", a.await, a)
    s:launch_host_func(function () s:await() end)
    fails("a host function must not wait", s.synchronize, s)
    s:begin_capture()
    fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", s.await, s)
    s:end_capture():close()
  end)

  it("raises once the device was reset, or has failed #process", function ()
    apart(kind, function (lib, TT, dev, refuses, recover)
      local s = lib.Stream{ non_blocking = true }
      local e = s:record()
      TT.fault(s)
      refuses("(700)", s.await, s)
      if recover() then refuses("device was reset", e.await, e) end
      assert(dev)
    end)
  end)

  it("waits for other processes' recordings #process", function ()
    local c <close>, finish = other.start(kind, [[
      local s = tide.Stream{ non_blocking = true }
      local e = tide.Event{ interprocess = true, disable_timing = true }
      tide.get_device():synchronize()
      local key = tide.T.hold(s)
      c:send(e:record(s))
      c:recv()
      tide.T.release(key)
      e:synchronize()
      c:send "done"
      c:recv()
    ]])
    local e <close> = c:recv()
    assert.same({ nil, "timeout" }, { e:await(0.002) })
    local got = tide.run(function ()
      local task = tide.spawn(function () return e:await() end)
      tide.sleep(0.002)
      c:send "go on"
      return task:await()
    end)
    assert.is_true(got)
    assert.equal("done", c:recv())
    c:send "end"
    other.over(finish)
  end)
end)

describe("a coroutine that waits", function ()
  it("blocks where nobody runs it", function ()
    local list, release = held()
    local got = coroutine.wrap(function () return list[1]:await(0.002) end)()
    assert.is_nil(got)
    release()
    coroutine.wrap(function ()
      for _, object in ipairs(list) do assert(object:await()) end
    end)()
    close(list)
  end)

  it("may be forgotten", function ()
    local list, release = held()
    tide.run(function ()
      local task = tide.spawn(function () list[1]:await() end)
      tide.sleep(0)
      task:cancel()
    end)
    for _ = 1, 3 do
      pcall(tide.run, function ()
        tide.spawn(function () list[3]:await() end)
        tide.sleep(0)
        error "enough"
      end)
    end
    collectgarbage()
    release()
    list[1]:synchronize()
    close(list)
  end)
end)

end)
