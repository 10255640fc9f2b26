--[[
task_streams.lua - the streams that tasks have of their own (tasks.lua): up to
STREAMS for each device. A task takes a free stream when it begins, and gives it
back when it ends; beyond STREAMS, tasks share streams.

There is a pool for each device. An entry is a stream with its token, by which a
coroutine makes it current (tide.inherit).
]]
local tide = require "tide"
local core = require "tide.scheduler"

local inherit <const> = tide.inherit
local is_free <const>, abandon <const> = core.is_free, core.abandon

local STREAMS <const> = 32

local streams <const> = {}

--- Returns the pool of the current device, in a table of pools by device.
function streams.here (pools)
  local device <const> = tide.get_device()
  local pool = pools[device]
  if not pool then
    pool = { device = device, idle = {}, all = {}, turn = 0 }
    pools[device] = pool
  end
  return pool
end

local function forget (entry)
  local all <const> = entry.pool.all
  for i = 1, #all do
    if all[i] == entry then
      table.remove(all, i)
      return
    end
  end
end

--- Makes the stream of an entry current; returns false if it is closed,
-- captures, or has errors.
local function use (entry)
  if is_free(entry.stream) then
    inherit(entry.token)
    return true
  end
  forget(entry)
  return false
end

local function use_idle (pool)
  local idle <const> = pool.idle
  while #idle > 0 do
    local entry = table.remove(idle)
    if use(entry) then return entry end
  end
end

--- Makes a shared stream current and returns its entry; false if there are too
-- few.
local function use_shared (pool)
  if #pool.all < STREAMS then return false end
  pool.turn = pool.turn % #pool.all + 1
  return use(pool.all[pool.turn])
end

local function use_new (pool)
  pool.device:use()
  local stream <const> = tide.Stream{ non_blocking = true }
  local entry <const> = { stream = stream, pool = pool, token = false }
  pool.all[#pool.all + 1] = entry
  stream:use()
  entry.token = inherit()
  return entry
end

--- Makes a stream current for the calling coroutine; returns the entry to give
-- back, or nil.
function streams.use (pool)
  local entry <const> = use_idle(pool)
  if entry or use_shared(pool) then return entry end
  return use_new(pool)
end

--- Makes the stream available to other tasks, unless its task has failed. Ends
-- a capture that began on it, and returns whether there was one.
function streams.give_back (entry, whole)
  local captured <const> = abandon(entry.stream)
  if whole then
    local idle <const> = entry.pool.idle
    idle[#idle + 1] = entry
  else
    forget(entry)
  end
  return captured
end

--- Closes all streams. It must not fail, even without memory.
function streams.close (pools)
  for _, pool in next, pools do
    for i = 1, #pool.all do
      local stream <const> = pool.all[i].stream
      pcall(stream.close, stream)  -- raises if it captures
    end
  end
end

return streams
