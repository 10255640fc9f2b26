--
-- stream.lua - streams, events and host functions, microseconds per call.
-- Counted: one driver call a call (new_*: a make and a drop, new_*_gc with the
-- drop left to Lua's collector; cross: a launch, and the record and wait that
-- the library inserts; hostfunc_sync: queued, run and waited for).
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local s = tide.Stream{ non_blocking = true }
local t = tide.Stream{ non_blocking = true }

local e = tide.Event{ disable_timing = true }
harness.us("record", 20000, function (n)
  for _ = 1, n do e:record(s) end
end)
harness.us("wait", 20000, function (n)
  for _ = 1, n do t:wait_event(e) end
end)

local with_stream, current = tide.with_stream, tide.get_current_stream
local function nothing() end
harness.us("with_stream", 20000, function (n)
  for _ = 1, n do with_stream(s, nothing) end
end)
harness.us("scope", 20000, function (n)
  for _ = 1, n do
    local _ <close> = s:scope()
  end
end)
harness.us("current_stream", 20000, function (n)
  for _ = 1, n do current() end
end)

local Event, Stream = tide.Event, tide.Stream
local untimed, apart = { disable_timing = true }, { non_blocking = true }
harness.us("new_event", 20000, function (n)
  for _ = 1, n do Event(untimed):close() end
end)
harness.us("new_event_gc", 20000, function (n)
  for _ = 1, n do Event(untimed) end
end)
harness.us("new_stream", 2000, function (n)
  for _ = 1, n do Stream(apart):close() end
end)
harness.us("new_stream_gc", 2000, function (n)
  for _ = 1, n do Stream(apart) end
end)

-- one z, written on two streams in turn: the library orders the writes
harness.with({ "cross" }, function () return harness.into("mul") end,
function (mul)
  local x, z = tide.ones({ 1024 }, "float32"), tide.ones({ 1024 }, "float32")
  local into, streams = { out = z }, { s, t }
  local before = current()
  harness.us("cross", 2000, function (n)
    for i = 1, n do
      streams[i % 2 + 1]:use()
      mul(x, x, into)
    end
    before:use()
  end)
end)

for _, key in ipairs{ "hostfunc_work", "hostfunc_driver" } do
  harness.with({ key }, function () return harness.into("mul") end,
  function (mul)
    local x, z = tide.ones({ 1024 }, "float32"), tide.ones({ 1024 }, "float32")
    local before, into, ran = current(), { out = z }, 0
    local function count() ran = ran + 1 end
    s:use()
    harness.us(key, 1000, function (n)
      for _ = 1, n do
        mul(x, x, into)
        s:launch_host_func(count)
        mul(x, x, into)
        s:synchronize()
      end
    end)
    before:use()
    harness.same(ran, 1000 * (harness.repeats + 1), "host functions run")
  end)
end

harness.with({ "hostfunc_sync" }, function () return 0 end, function (ran)
  local function count() ran = ran + 1 end
  harness.us("hostfunc_sync", 1000, function (n)
    for _ = 1, n do
      s:launch_host_func(count)
      s:synchronize()
    end
  end)
  harness.same(ran, 1000 * (harness.repeats + 1), "host functions run")
end)
