--[[
reentrancy_intruders.lua - for reentrancy_spec.lua: who does something in
the middle of a call. Each is a function (run, n): makes the call, where n says
which place of many is the intruder's; returns whether there was such a place.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"
local reentrancy = require "spec.whole.reentrancy"
local T = helper.T
local class_of = reentrancy.class_of


local intruders = {}
local new = helper.new_stream

local function nothing () end

--{{ host functions

local function await_due ()
  local start = tide.clock()
  while not T.due() do
    assert(tide.clock() - start < 5, "the function's turn does not come")
  end
end

--- Queues run.act on that stream, whose turn comes at once.
local function queue (run, s)
  run.must_not_wait = true
  s:launch_host_func(run.act)
  await_due()
end

local function made (run, x)
  run.made = run.made or {}
  run.made[#run.made + 1] = x
  return x
end

--- Makes the call; did the function run in it?
local function call (run)
  reentrancy.call(run)
  return run.acted
end

intruders["a function"] = function (run)
  queue(run, run.current)
  call(run)
end

-- Nothing more is kept: the call begins again before its first operation.
intruders["a function, and no room"] = function (run)
  local filler, a = made(run, new()), made(run, tide.ones(1))
  queue(run, run.current)
  filler:launch_host_func(nothing)
  filler:with(function () a:fill(2) end)
  T.limits(1)
  call(run)
end

-- Before its n-th operation.
intruders["a function, and no room behind it"] = function (run, n)
  queue(run, run.current)
  T.limits(T.kept().operations + n - 1)
  return call(run)
end

-- In the wait after an operation.
intruders["a function, and debug_sync"] = function (run)
  queue(run, made(run, new()))
  tide.debug_sync(true)
  call(run)
end

-- In the wait for memory.
intruders["a function, and no memory"] = function (run)
  run.scarce = true
  queue(run, run.current)
  for _, memory in ipairs{ "device", "pinned" } do
    tide.memory_limit(tide.memory_stats(memory).live + 1, memory)
  end
  call(run)
end

--{{ of another stream

local depend = {}

function depend.Array (s, a, source)
  s:with(function () a:copy_from(source) end)
end

depend.HostArray = depend.Array

function depend.Event (s, e) s:record(e) end
function depend.Graph (s, g) s:with(function () g:launch() end) end
function depend.Stream (s, t) t:wait_stream(s) end

--- All operands come after run.act, on another stream.
local function queue_before (run, s)
  local sources = {}
  for i, x in ipairs(run.operands) do
    if class_of(x) == "Array" then
      sources[i] = made(run, x:copy())
    elseif class_of(x) == "HostArray" then
      sources[i] = made(run, x:to(run.dev))
      run.hides = true  -- what the host writes there in run.act
    end
  end
  queue(run, s)
  for i, x in ipairs(run.operands) do
    depend[class_of(x)](s, x, sources[i])
  end
end

intruders["a function of another stream"] = function (run)
  queue_before(run, made(run, new()))
  call(run)
end

intruders["that, and no room"] = function (run)
  queue_before(run, made(run, new()))
  T.limits(1)
  call(run)
end

intruders["that, and no room behind it"] = function (run, n)
  queue_before(run, made(run, new()))
  T.limits(T.kept().operations + n - 1)
  return call(run)
end

-- The null stream follows all blocking ones.
intruders["a function before the null stream"] = function (run)
  queue_before(run, made(run, tide.Stream()))
  tide.Stream.null:use()
  T.limits(1)
  call(run)
end

--}}

--}}

--{{ finalizers

local function call_collecting (run, n)
  local fn = run.fn
  run.fn = function ()
    return finalizers.call(n, run.act, fn)
  end
  return call(run)
end

intruders["a finalizer"] = call_collecting

-- Each time that there is one: the call does not begin again for ever.
intruders["finalizers all the time"] = function (run)
  local fn = run.fn
  run.fn = function ()
    return finalizers.call(0, run.act_again, fn)
  end
  call(run)
end

intruders["a finalizer, behind a function"] = function (run, n)
  run.current:launch_host_func(nothing)
  await_due()
  return call_collecting(run, n)
end

--}}

--{{ hooks

local function call_hooked (run, n, mask, count)
  local fn = run.fn
  local function hook ()
    n = n - 1
    if n == 0 then
      debug.sethook()
      run.act()
    end
  end
  run.fn = function ()
    debug.sethook(hook, mask, count)
    local returned = table.pack(fn())
    debug.sethook()
    return table.unpack(returned, 1, returned.n)
  end
  reentrancy.call(run)
  debug.sethook()
  return run.acted
end

intruders["an instruction hook"] = function (run, n)
  return call_hooked(run, 2 * n, "", 1)
end

intruders["a hook of returns"] = function (run, n)
  return call_hooked(run, n, "r")
end

--- Before each call of the function; after the last one: all the orders.
function reentrancy.order (run, n)
  if not call_hooked(run, n, "c") then
    run.act()
    return false
  end
  return true
end

-- The message handler, of the n-th call of the driver that fails.
intruders["a message handler"] = function (run, n)
  local fn = run.fn
  run.fn = function ()
    T.failcall(n)
    local returned = table.pack(xpcall(fn, function (message)
      run.act()
      return message
    end))
    local failed = T.failed()
    T.failcall(0)
    run.reached = failed ~= nil
    assert(returned[1], returned[2])
    return table.unpack(returned, 2, returned.n)
  end
  reentrancy.call(run)
  return run.reached
end

--}}

return intruders
