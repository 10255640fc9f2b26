--[[
demo.lua - tide in three pictures: a formula as a loop in Lua, as operations on
arrays and as one fused kernel; a histogram of random numbers; work that
overlaps on four streams. `make demo` runs it; it needs no GPU.

  lua5.4 examples/demo.lua
]]
local tide = require "tide"

local N <const>, RUNS <const> = 1000000, 3
local STREAMS <const>, PIECES <const>, SIZE <const> = 4, 12, 50000
local WIDTH <const> = 60                         -- of a line, in characters

local device = tide.get_device()
print(("%s on %s (%s)\n"):format(tide._VERSION, device, device.name))

--{{ a formula

--- Returns the time of the fastest of some runs, in seconds, and its result.
local function fastest (fn, ...)
  local least, result = math.huge, nil
  for _ = 1, RUNS do
    local start = tide.clock()
    result = fn(...)
    device:synchronize()                         -- the work is only queued
    least = math.min(least, tide.clock() - start)
  end
  return least, result
end

local function by_loop (numbers)
  local exp, sin, result = math.exp, math.sin, {}
  for i = 1, #numbers do
    local x = numbers[i]
    result[i] = exp(-x * x / 2) * sin(3 * x) + 1
  end
  return result
end

local function by_arrays (x)
  return (-x * x / 2):exp() * (3 * x):sin() + 1
end

local x = tide.linspace(-4, 4, N)
local arrays_s, arrays = fastest(by_arrays, x)
local fused_s, fused = fastest(tide.fuse(by_arrays), x)
local loop_s, expected = fastest(by_loop, x:totable())
assert(tide.allclose(arrays, expected) and tide.allclose(fused, expected))

print(("exp(-x * x / 2) * sin(3 * x) + 1 for %d numbers:"):format(N))
print(("  a loop in Lua             %8.2f ms"):format(loop_s * 1e3))
for _, row in ipairs{ { "operations on arrays", arrays_s },
                      { "one kernel, by tide.fuse", fused_s } } do
  print(("  %-25s %8.2f ms, %.0f times as fast"):format(row[1], row[2] * 1e3,
                                                       loop_s / row[2]))
end

--}}

--{{ a histogram

print(("\n%d random numbers, normally distributed:"):format(N))
tide.random.normal(0, 1, N):plot{ kind = "histogram", bins = 11, width = 72 }

--}}

--{{ streams

--- Queues one piece of work on the stream s: copies numbers to the device and
-- their median back. Returns an event before it and an event behind it.
local function piece (s, from, into)
  local before = s:record()
  local numbers <close> = tide.empty(SIZE):copy_from(from)
  local median <close> = numbers:median()
  median:tohost{ out = into, blocking = false }
  return { before, s:record() }
end

local from, streams, medians = tide.random.uniform(SIZE):tohost(), {}, {}
for i = 1, STREAMS do
  streams[i] = tide.Stream{ non_blocking = true }
  medians[i] = tide.HostArray({})
  streams[i]:with(piece, from, medians[i])       -- the first run is a warm-up
end
device:synchronize()

local base, pieces = tide.Event():record(), {}
for i = 1, PIECES do                             -- each on the next stream
  local lane = (i - 1) % STREAMS + 1
  pieces[i] = streams[lane]:with(piece, from, medians[lane])
end
device:synchronize()

local last = 0
for _, times in ipairs(pieces) do
  for k = 1, 2 do times[k] = tide.get_elapsed_time(base, times[k]) end
  last = math.max(last, times[2])
end

print(("\n%d medians of %d numbers on %d streams, in %.2f ms:"):format(PIECES,
      SIZE, STREAMS, last))
for lane = 1, STREAMS do
  local line = {}
  for column = 1, WIDTH do line[column] = "." end
  for i = lane, PIECES, STREAMS do
    local first, past = table.unpack(pieces[i])
    for column = first / last * WIDTH // 1 + 1, past / last * WIDTH // 1 do
      line[math.tointeger(column)] = string.char(("a"):byte() + i - 1)
    end
  end
  print(("stream %d  |%s|"):format(lane, table.concat(line)))
end
print "(a is the first piece of work, b the second one, and so on)"

--}}
