--
-- pressure.lua - the cost of making Lua's collector see device memory: arrays
-- of 1 MiB are made and dropped under a limit of 64 MiB, beside an empty heap
-- and one of 500,000 live tables, in both modes of the collector. Counted:
-- pressure_*: us a round of `x = tide.empty(2^18, "float32") + 1`; collect_*:
-- the share of the time that collections took, in percent (goal: under 10);
-- closed: a round that closes its arrays, so nothing is collected. Each heap
-- and mode is a process of its own: `lua5.4 bench/pressure.lua`.
-- PRESSURE_ROUNDS (100000) is the number of rounds.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local rounds = tonumber(os.getenv "PRESSURE_ROUNDS") or 100000
local LIMIT = 64 << 20
local N = 1 << 18

local function row(key, value, unit)
  print(table.concat({ key, ("%.4g"):format(value), unit, "-", "-" }, "\t"))
end

local function timed(fn)
  harness.drain()
  local start = tide.clock()
  fn()
  harness.drain()
  return tide.clock() - start
end

local function dropping()
  local x
  for _ = 1, rounds do
    x = tide.empty(N, "float32") + 1
  end
  return x
end

local function closing()
  for _ = 1, rounds do
    local e <close> = tide.empty(N, "float32")
    local _ <close> = e + 1
  end
end

-- one heap and mode, in this process
local function part(mode, tables)
  local key = (mode == "generational" and "gen_" or "inc_") ..
              (tables > 0 and "huge" or "empty")
  local live = {}
  collectgarbage(mode)
  for i = 1, tables do
    live[i] = { i }
  end
  collectgarbage()
  for _ = 1, mode == "generational" and 3 or 0 do
    collectgarbage "step"  -- Lua's cost of making them is not counted
  end
  tide.memory_limit(LIMIT)
  local took = timed(dropping)
  local s = tide.memory_stats()
  assert(s.peak <= LIMIT, "peak above the limit")
  assert(#live == tables)
  row("pressure_" .. key, took / rounds * 1e6, "us")
  row("collect_" .. key, s.collecting / took * 100, "%")
  harness.note("%s: %d collections, %.3f s of %.2f s; peak %.1f MiB; " ..
               "mode at the end: %s", key, s.collections, s.collecting, took,
               s.peak / 2^20, collectgarbage("incremental"))
end

if arg[1] == "closed" then
  tide.memory_limit(LIMIT)
  row("pressure_closed", timed(closing) / rounds * 1e6, "us")
elseif arg[1] then
  part(arg[1], tonumber(arg[2]))
else
  local self = ("%q %q"):format(arg[-1] or "lua5.4", arg[0])
  local ok = os.execute(self .. " closed")
  for _, mode in ipairs{ "incremental", "generational" } do
    for _, tables in ipairs{ 0, 500000 } do
      ok = os.execute(("%s %s %d"):format(self, mode, tables)) and ok
    end
  end
  os.exit(ok and 0 or 1)
end
