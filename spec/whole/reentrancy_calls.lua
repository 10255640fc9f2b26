--[[
reentrancy_calls.lua - for reentrancy_spec.lua: adds to the calls that it
makes those in which tide calls back, where the intruder is called; and makes
each call where such a one runs.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local reentrancy = require "spec.whole.reentrancy"

local inside, within = {}, {}
local close = reentrancy.close.Array

local function new () return tide.Stream{ non_blocking = true } end

local function ints () return tide.full(6, 3, "int32") end

--{{ inside: the intruder is called back

inside["Stream:with"] = function (_, act)
  local s, a = new(), ints()
  return function ()
    return s:with(function () act() return a:add(1) end)
  end
end

inside["tide.with_stream"] = function (_, act)
  local a = ints()
  return function ()
    return tide.with_stream(function () act() return a:add(1) end)
  end
end

inside["tide.with_device"] = function (dev, act)
  local a = ints()
  return function ()
    return tide.with_device(dev, function () act() return a:add(1) end)
  end
end

inside["tide.scope"] = function (_, act)
  local a = ints()
  return function ()
    return tide.scope(function ()
      local b = a:add(1)
      act()
      return b:add(a)
    end)
  end
end

inside["tide.wrap"] = function (_, act)
  local a = ints()
  return function ()
    return tide.wrap(function () act() return a:add(1) end)()
  end
end

inside["tide.capture"] = function (_, act)
  local a, b = ints(), ints()
  return function ()
    local g = tide.capture(function ()
      a:add_(b)
      act()
      b:add_(a)
    end)
    g:launch()
    g:close()
  end
end

inside["tide.fuse"] = function (_, act)
  local a, b = ints(), ints()
  return function ()
    return tide.fuse(function (x, y)
      local z = x * y
      act()
      return z + y
    end)(a, b)
  end
end

inside["tide.fuse with sum"] = function (_, act)
  local a, b = tide.ones{ 3, 4 }, tide.ones(4)
  return function ()
    return tide.fuse(function (x, y)
      local z = (x * y):sum(1)
      act()
      return z + 1
    end)(a, b)
  end
end

inside["tide.fuse in one another"] = function (_, act)
  local a, b = ints(), ints()
  return function ()
    return tide.fuse(function (x, y)
      pcall(tide.fuse(function (z) act() return z + 1 end), b)
      return x + y
    end)(a, b)
  end
end

inside["a coroutine in a traced function"] = function (_, act)
  local a = ints()
  return function ()
    return tide.fuse(function (x)
      coroutine.wrap(function () act() coroutine.yield() end)()
      return x + 1
    end)(a)
  end
end

local function speaking (act)
  return setmetatable({}, {
    __tostring = function () act() return "x" end,
    __index = function () act() end,
    __len = function () act() return 2 end,
    __name = "speaking"
  })
end

inside["Array.__index, of what speaks"] = function (_, act)
  local a, key = ints(), speaking(act)
  return function () return pcall(function () return a[key] end) end
end

for _, name in ipairs{ "array", "zeros", "HostArray", "Stream", "concatenate",
                       "full_like" } do
  inside["tide." .. name .. ", of what speaks"] = function (_, act)
    local a, what = ints(), speaking(act)
    return function () return (pcall(tide[name], what, a)) end
  end
end

for _, name in ipairs{ "sum", "take", "copy_from", "fill", "reshape", "tohost",
                       "where" } do
  inside["Array:" .. name .. ", of what speaks"] = function (_, act)
    local a, what = ints(), speaking(act)
    return function () return (pcall(a[name], a, what)) end
  end
end

inside["RawKernel.__call, of what speaks"] = function (_, act)
  local k = tide.RawKernel([[extern "C" __global__ void f (int n) {}]], "f")
  local a, what = ints(), speaking(act)
  return function () return (pcall(k, 1, 1, a, what)) end
end

inside["an error that speaks"] = function (_, act)
  local s, a, what = new(), ints(), speaking(act)
  return function ()
    s:launch_host_func(function () error(what) end)
    s:with(function () a:add_(1) end)
    return (pcall(s.synchronize, s))
  end
end

--}}

--{{ within: any call where tide has called back

--- Calls fn in 'how', and returns what it does.
local function call_in (how, fn)
  local returned
  how(function () returned = table.pack(pcall(fn)) end)
  assert(returned, "it was not called")
  assert(returned[1], returned[2])
  return table.unpack(returned, 2, returned.n)
end

within["a traced function"] = function (_, fn)
  local a <close> = tide.ones(4)
  close(tide.fuse(function (x) fn() return x + 1 end)(a))
end

within["a host function"] = function (_, fn)
  local s <close> = new()
  s:launch_host_func(fn)
  s:synchronize()
end

within["a host function that a call needs"] = function (run, fn)
  local a <close> = tide.zeros(4)
  local b <close> = tide.ones(4)
  run.current:launch_host_func(fn)
  local flags <close> = b:gt(0)
  close(tide.mask(a, flags))
end

within["a finalizer"] = function (_, fn)
  local a <close> = tide.ones(4)
  local called = false
  finalizers.call(1, function () called = true fn() end, function ()
    for _ = 1, 3 do
      local b <close> = a + 1
      local _ <close> = b:tohost()
      b:totable()
    end
  end)
  assert(called)
end

within["a finalizer of a traced function"] = function (_, fn)
  local a <close> = tide.ones(4)
  close(tide.fuse(function (x)
    finalizers.call(1, fn, function () x = x * 2 + 1 end)
    return x
  end)(a))
end

within["a capture"] = function (_, fn) tide.capture(fn):close() end

--}}

for name, make in pairs(inside) do
  reentrancy.calls["inside " .. name] = make
end

local backs = { inside = inside, within = within }

--- Intruders: makes the call, which calls back; makes the call in there.
function backs.call_inside (run) reentrancy.call(run) end

function backs.call_within (run, where)
  local fn = run.fn
  run.fn = function ()
    return call_in(function (f) within[where](run, f) end, fn)
  end
  reentrancy.call(run)
end

return backs
