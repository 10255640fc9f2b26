--[[
event_spec.lua - events: options, recording, waiting, time.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

helper.each_device(function ()

describe("Event", function ()
  it("takes block, disable_timing and interprocess", function ()
    tide.Event():close()
    tide.Event{ block = true }:close()
    tide.Event{ disable_timing = true, interprocess = true }:close()
  end)

  it("refuses interprocess with timing, and unknown options", function ()
    fails("option 'interprocess' needs 'disable_timing'", tide.Event,
          { interprocess = true })
    fails("unknown option 'blok'; did you mean 'block'?", tide.Event,
          { blok = true })
  end)

  it("has a handle, a device and a text", function ()
    local e <close> = tide.Event()
    assert.not_equal(0, e.ptr)
    assert.equal(tide.get_device(), e.device)
    assert.is_truthy(tostring(e):find("never recorded", 1, true))
    e:record():synchronize()
    assert.is_truthy(tostring(e):find("done", 1, true))
    fails("no field 'ellapsed' in tide.Event", function ()
      return e.ellapsed
    end)
  end)
end)

describe("record", function ()
  it("takes the current stream by default and returns the event", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local e <close> = tide.Event()
    local key = T.hold(s)
    s:with(function () assert.equal(e, e:record()) end)
    assert.is_false(e.done)
    T.release(key)
    e:synchronize()
    assert.is_true(e.done)
  end)

  it("is done when nothing was recorded", function ()
    local e <close> = tide.Event()
    assert.is_true(e.done)
  end)

  it("again does not change what a wait saw", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local u <close> = tide.Stream{ non_blocking = true }
    local e <close> = s:record()
    t:wait_event(e)
    local key = T.hold(u)
    u:record(e)           -- t waits for the first recording only
    local f <close> = t:record()
    f:synchronize()
    assert.is_false(e.done)
    T.release(key)
  end)
end)

describe("synchronize", function ()
  it("raises if nothing was recorded", function ()
    local e <close> = tide.Event()
    fails("event was never recorded", e.synchronize, e)
  end)

  it("waits for the event and not for what came later", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local e <close> = s:record()
    local key = T.hold(s)
    e:synchronize()
    T.release(key)
  end)
end)

describe("get_elapsed_time", function ()
  it("is the time between two events in milliseconds", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a <close> = tide.Event()
    local b <close> = tide.Event()
    s:record(a)
    local key = T.hold(s)
    s:record(b)
    a:synchronize()
    local t = tide.clock()
    while tide.clock() - t < 0.02 do end
    T.release(key)
    b:synchronize()
    local ms = tide.get_elapsed_time(a, b)
    assert.is_true(ms > 15 and ms < 60000, tostring(ms))
    assert.is_true(tide.get_elapsed_time(b, a) < 0)
  end)

  it("says what is wrong with an event", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a <close> = s:record()
    local untimed <close> = tide.Event{ disable_timing = true }:record(s)
    local never <close> = tide.Event()
    a:synchronize()
    fails("(event was never recorded)",
          tide.get_elapsed_time, a, never)
    fails("(event was made with disable_timing)",
          tide.get_elapsed_time, untimed, a)
    local key = T.hold(s)
    local b <close> = s:record()
    fails("(event has not finished yet: synchronize first)",
          tide.get_elapsed_time, a, b)
    T.release(key)
    fails("tide.Event expected", tide.get_elapsed_time, a, 1)
  end)
end)

describe("close", function ()
  it("makes every use raise", function ()
    local e = tide.Event():record()
    e:close()
    assert.equal("tide.Event (closed)", tostring(e))
    fails("event is closed", e.record, e)
    fails("event is closed", e.synchronize, e)
    fails("event is closed", function () return e.done end)
    fails("event is closed", e.close, e)
  end)

  it("does not disturb waits on it", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    local e = s:record()
    t:wait_event(e)
    e:close()
    local f <close> = t:record()
    assert.is_false(f.done)
    T.release(key)
    f:synchronize()
  end)
end)

it("ten thousand events are collected", function ()
  for _ = 1, 10000 do
    tide.Event():record()
  end
end)

end)
