--
-- hazard.lua - checks that costs do not grow with the number of live objects.
-- Counted: one kernel on 1024 float32 a call (events_*: one record), while
-- 1 to 1000 streams, 1e5 arrays, 1e5 events or 1e4 coroutines are alive.
-- mul_*: a new result on one stream. cross_*: two streams write one array in
-- turn. ring_*: all streams write it in turn, so every call crosses.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local x = tide.ones({ 1024 }, "float32")
local current = tide.get_current_stream

local function mul_row(key)
  harness.us(key, 10000, function (n)
    for _ = 1, n do local _ = x * x end
  end)
end

-- makes 'count' streams, each of which has done some work
local function streams(count)
  local list = {}
  for i = 1, count do
    list[i] = tide.Stream{ non_blocking = true }
    tide.with_stream(list[i], function () return x * x end)
  end
  harness.drain()
  return list
end

-- writes z on list[1..turn] in turn
local function turns_row(key, mul, list, turn)
  local into, before = { out = tide.zeros({ 1024 }, "float32") }, current()
  harness.us(key, 20000, function (n)
    for i = 1, n do
      list[i % turn + 1]:use()
      mul(x, x, into)
    end
    before:use()
  end)
end

local into_found, mul = pcall(harness.into, "mul")

for _, count in ipairs{ 1, 10, 1000 } do
  local suffix = "_s" .. count
  harness.with({ "mul" .. suffix }, function () return streams(count) end,
  function (list)
    tide.with_stream(list[1], function () mul_row("mul" .. suffix) end)
    if not into_found then
      harness.missing("cross" .. suffix, mul)
      harness.missing("ring" .. suffix, mul)
    elseif count > 1 then
      turns_row("cross" .. suffix, mul, list, 2)
      turns_row("ring" .. suffix, mul, list, count)
    end
    for _, s in ipairs(list) do s:close() end
  end)
end

-- A row while 'count' objects made by make(i) are alive.
local function crowd(key, counts, make, take)
  for _, count in ipairs(counts) do
    local name = ("%s%d"):format(key, count)
    harness.with({ name }, function ()
      local list = {}
      for i = 1, count do list[i] = make(i) end
      return list
    end, function (list)
      take(name)
      assert(#list == count)  -- alive until here
    end)
    collectgarbage()
  end
end

crowd("mul_a", { 1, 100000 }, function ()
  return tide.empty(16, "float32")
end, mul_row)

crowd("record_e", { 1, 100000 }, function ()
  return tide.Event{ disable_timing = true }:record()
end, function (key)
  local e, s = tide.Event{ disable_timing = true }, current()
  harness.us(key, 20000, function (n)
    for _ = 1, n do e:record(s) end
  end)
end)

-- coroutines that have each asked for their current stream and wait
crowd("mul_c", { 1, 10000 }, function ()
  local co = coroutine.create(function ()
    coroutine.yield(current())
  end)
  assert(coroutine.resume(co))
  return co
end, mul_row)
