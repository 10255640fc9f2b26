--[[
finalizers.lua - finalizers that run in the middle of a call, at the place one
wants: a pool of garbage that the collector is about to finalize. Between calls
it stands still.
]]
local collector = require "spec.support.collector"

local finalizers = {}

-- After a cycle each step of the collector calls ten of the finalizers or some
-- tens, and with these parameters there is a step whenever Lua has allocated.
local BATCH = 10
local POOL, MOST = 3000, 24000  -- at first, and later in a long test

local size, left, before, act = POOL, 0, 0, nil
local every = false

local garbage = { __gc = function ()
  left = left - 1
  before = before - 1
  if before == 0 and act then
    before = every and BATCH or before
    act()
  end
end }

--- Leaves the collector stopped, about to call finalizers.
local function fill ()
  collectgarbage()
  collectgarbage "stop"
  for _ = 1, size do
    setmetatable({}, garbage)
  end
  left = size
  collector.incremental(100, 100, 8)
  while left == size do
    collectgarbage("step", 0)
  end
  collector.incremental(100, 100, 1)
end

--- call(n, what, fn, ...) -> what fn(...) returns. When Lua allocates in it, a
-- finalizer calls 'what': the first time, or a later one, as n says; 0: always.
function finalizers.call (n, what, fn, ...)
  act, every = nil, n == 0
  if left < size // 2 then
    size = left > 0 and math.min(2 * size, MOST) or size
    fill()
  end
  act, before = what, BATCH * math.max(n - 1, 0) + 1
  collectgarbage "restart"
  local returned = table.pack(pcall(fn, ...))
  collectgarbage "stop"
  act = nil
  assert(returned[1], returned[2])
  return table.unpack(returned, 2, returned.n)
end

--- The collector goes on as in any test.
function finalizers.restore ()
  act, left, size = nil, 0, POOL
  collectgarbage "restart"
  if os.getenv "TIDE_SPEC_GC" == "stress" then
    collector.incremental(105, 400, 13)
  else
    collector.restore()
  end
end

return finalizers
