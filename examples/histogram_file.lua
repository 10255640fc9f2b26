--[[
histogram_file.lua [FILE] - how often each byte is in a file of any length.
Tasks on streams of their own read pieces and count them: while one is counted
others are read, and no more than these are ever in memory.

  lua5.4 examples/histogram_file.lua /usr/bin/python3
]]
local tide = require "tide"

local TASKS <const>, PIECE <const> = 4, 4 << 20   -- bytes

--- A file of random bytes, and how often each is in there.
local function new_file ()
  local path, counts = os.tmpname(), tide.zeros(256, "int64")
  local file <close> = tide.open(path, "w")
  for _ = 1, 5 do
    local bytes = (tide.random.normal(128, 30, 3000000, "float32"))
                  :clip(0, 255):astype "uint8"
    counts:add_(bytes:bincount{ base = 0, size = 256 })
    file:write(bytes)
  end
  return path, counts
end

--- Counts pieces number k, k + TASKS, k + 2 * TASKS ...
local function count (file, k)
  local bytes, sums = tide.empty(PIECE, "uint8"), tide.zeros(256, "int64")
  for first = (k - 1) * PIECE, file.size - 1, TASKS * PIECE do
    local piece = bytes:slice(1, math.min(PIECE, file.size - first))
    file:read(piece, first)                       -- queued, as all the rest
    sums:add_(piece:bincount{ base = 0, size = 256 })
  end
  sums:await()                                    -- others go on meanwhile
  return sums
end

local path, known = arg[1], nil
if not path then path, known = new_file() end
local file <close> = tide.open(path)
local size <const> = file.size

local seconds = tide.clock()
local counts = tide.run(function ()
  local tasks = {}
  for k = 1, TASKS do
    tasks[k] = tide.spawn({ stream = "own" }, count, file, k)
  end
  local sums = tide.zeros(256, "int64")
  for _, part in ipairs(tide.gather(tasks)) do sums:add_(part) end
  return sums
end)
assert(counts:sum():item() == size)
assert(not known or tide.array_equal(counts, known))
seconds = tide.clock() - seconds

counts:plot{ width = 72 }
print(("%d bytes, %.2f GB/s; most often byte %d, %d times"):format(size,
  size / seconds / 1e9, counts:argmax():item() - 1, counts:max():item()))
if known then os.remove(path) end
