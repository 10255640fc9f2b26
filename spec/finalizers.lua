--[[
finalizers.lua - finalizers that run in the middle of a call, at the place one
wants: a pool of garbage that the collector is about to finalize. Between calls
it stands still.
]]
local finalizers = {}

-- After a cycle each step of the collector calls ten of the finalizers or some
-- tens, and with these parameters there is a step whenever Lua has allocated.
local POOL, FEW = 20000, 8000
local BATCH = 10

local left, before, act = 0, 0, nil

local garbage = { __gc = function ()
  left = left - 1
  before = before - 1
  if before == 0 and act then
    act()
  end
end }

--- Leaves the collector stopped, about to call finalizers.
local function fill ()
  collectgarbage()
  collectgarbage "stop"
  for _ = 1, POOL do
    setmetatable({}, garbage)
  end
  left = POOL
  collectgarbage("incremental", 100, 400, 13)
  while left == POOL do
    collectgarbage("step", 0)
  end
  collectgarbage("incremental", 100, 100, 1)
end

--- call(n, fn, ...) -> what fn(...) returns. When Lua allocates in it, a
-- finalizer calls 'what': the first time, or a later one, as n says.
function finalizers.call (n, what, fn, ...)
  act = nil
  if left < FEW then
    fill()
  end
  act, before = what, BATCH * (n - 1) + 1
  collectgarbage "restart"
  local returned = table.pack(pcall(fn, ...))
  collectgarbage "stop"
  act = nil
  assert(returned[1], returned[2])
  return table.unpack(returned, 2, returned.n)
end

--- The collector goes on as in any test.
function finalizers.restore ()
  act, left = nil, 0
  collectgarbage "restart"
  if os.getenv "TIDE_SPEC_GC" == "stress" then
    collectgarbage("incremental", 105, 400, 13)
  else
    collectgarbage("incremental", 200, 100, 13)
  end
  collectgarbage()
end

return finalizers
