--[[
pipeline.lua FILE [STREAMS] [KIB] - statistics of a file's bytes, computed on
the device chunk by chunk, over one stream and then over several.

Each chunk is read into page-locked memory, copied to the device, reduced
(sum, sum of squares, minimum, maximum, count of newlines) and its five results
are copied back: all of it operations of a stream, the reading too. Chunk i
belongs to stream i modulo STREAMS (4); a stream's buffers are used again for
its next chunk, so the host waits for no more than the results of the chunk
that had them before, and the file may be larger than all memory there is. KIB
is a chunk's size (4096; 16384 on a GPU).

A stage takes from the event before it to the event after it, so the time that
it waits for a free core or copy engine counts. The first GiB is read three
times, and the best time counts; the rest of the file is read once.
]]
local tide = require "tide"

local NEWLINE = 10
local MAX_STREAMS = 64
local RUNS = 3                        -- of each kind, in turn,
local COMPARED = 1 << 30              -- over so many bytes at most
local WIDTH = 64                      -- of the timeline, in characters
local SHOWN = 3                       -- chunks per stream on the timeline
local STAGES = { "read", "copy in", "compute", "copy out" }
local MARKS = { "r", ">", "#", "<" }

--{{ the command line

local function fail (format, ...)
  io.stderr:write("pipeline: ", format:format(...), "\n")
  os.exit(1)
end

local function count (text, what, most)
  local n = math.tointeger(tonumber(text))
  if not n or n < 1 or n > most then
    fail("%s must be a whole number from 1 to %d, got '%s'", what, most, text)
  end
  return n
end

--- open(path) -> file; ends the program if it is no use.
local function open (path)
  if not path then
    fail "usage: lua5.4 examples/pipeline.lua FILE [STREAMS] [KIB]"
  end
  local ok, file = pcall(tide.open, path)
  if not ok then
    fail("cannot open %s", tostring(file):match "tide%.open: (.*)" or file)
  elseif file.size == 0 then
    fail("%s is empty: there is nothing to compute", path)
  end
  return file
end

--}}

--{{ the pipeline

--- Everything one stream needs, made once.
local function new_lane (bytes)
  local counts, ends = tide.empty(3, "int64"), tide.empty(2, "uint8")
  return {
    stream = tide.Stream{ non_blocking = true },
    input = tide.HostArray(bytes, "uint8"),
    bytes = tide.empty(bytes, "uint8"),
    counts = counts, counts_home = tide.HostArray(3, "int64"),
    ends = ends, ends_home = tide.HostArray(2, "uint8"),
    sum = counts:slice(1, 1), squares = counts:slice(2, 2),
    newlines = counts:slice(3, 3),
    min = ends:slice(1, 1), max = ends:slice(2, 2)
  }
end

--- Queues the reductions of x on the current stream. The arrays that are closed
-- here are still in use on the device; their memory is free after that, in
-- stream order.
local function compute (lane, x)
  local wide <close> = x:astype "int32"  -- a square needs more than a byte
  local is_newline <close> = x:eq(NEWLINE)
  wide:sum{ out = lane.sum }  -- int64; that of x would be uint64
  wide:mul_(wide):sum{ out = lane.squares }
  is_newline:count_nonzero{ out = lane.newlines }
  x:min{ out = lane.min }
  x:max{ out = lane.max }
end

--- Reads the results of a lane's chunk, and when its stages began and ended, in
-- ms since 'base': waits for the chunk, no more.
local function collect (lane, base)
  local chunk, counts, ends = lane.chunk, lane.counts_home, lane.ends_home
  if not chunk then return end
  chunk.events[#chunk.events]:synchronize()
  chunk.result = { sum = counts[1], squares = counts[2],
                   newlines = counts[3], min = ends[1], max = ends[2] }
  for k, event in ipairs(chunk.events) do
    chunk.at[k] = tide.get_elapsed_time(base, event)
    event:close()
  end
  chunk.events, lane.chunk = nil, nil
end

--- Queues the four stages of the n bytes from 'first' on.
local function start (lane, file, first, n)
  local chunk = { bytes = n, at = {} }
  lane.stream:with(function (s)
    local home <close> = lane.input[{ {1, n} }]
    local x <close> = lane.bytes:slice(1, n)
    local events = { s:record() }
    file:read(home, first)
    events[2] = s:record()
    x:copy_from(home)
    events[3] = s:record()
    compute(lane, x)
    events[4] = s:record()
    lane.counts:tohost{ out = lane.counts_home, blocking = false }
    lane.ends:tohost{ out = lane.ends_home, blocking = false }
    events[5] = s:record()
    chunk.events = events
  end)
  lane.chunk = chunk
  return chunk
end

--- run(file, size, streams, bytes [, progress]) -> chunks, seconds
local function run (file, size, streams, bytes, progress)
  local lanes, chunks = {}, {}
  for i = 1, streams do
    lanes[i] = new_lane(bytes)
  end
  local base = lanes[1].stream:record()
  base:synchronize()
  local clock = tide.clock()
  for first = 0, size - 1, bytes do
    local at = #chunks % streams + 1
    local lane = lanes[at]
    local n = math.min(bytes, size - first)
    collect(lane, base)
    local chunk = start(lane, file, first, n)
    chunk.lane = at
    chunks[#chunks + 1] = chunk
    if progress then
      lane.stream:with(function () progress:add(n / 1e6) end)
    end
  end
  for _, lane in ipairs(lanes) do
    collect(lane, base)
  end
  return chunks, tide.clock() - clock
end

--- The faster of two runs; there may be only the second.
local function better (a, a_seconds, b, b_seconds)
  if a and a_seconds <= b_seconds then
    return a, a_seconds
  end
  return b, b_seconds
end

--}}

--{{ is it right?

--- The same in plain Lua, for one string.
local function by_hand (text)
  local r = { sum = 0, squares = 0, min = 255, max = 0, newlines = 0 }
  for i = 1, #text do
    local b = text:byte(i)
    r.sum = r.sum + b
    r.squares = r.squares + b * b
    r.min = math.min(r.min, b)
    r.max = math.max(r.max, b)
    r.newlines = r.newlines + (b == NEWLINE and 1 or 0)
  end
  return r
end

local function same (a, b)
  for name, value in pairs(a) do
    if b[name] ~= value then
      return false
    end
  end
  return true
end

--- The results of all chunks as one.
local function total (chunks)
  local t = { sum = 0, squares = 0, min = 255, max = 0, newlines = 0 }
  for _, chunk in ipairs(chunks) do
    local r = chunk.result
    t.sum, t.squares = t.sum + r.sum, t.squares + r.squares
    t.newlines = t.newlines + r.newlines
    t.min, t.max = math.min(t.min, r.min), math.max(t.max, r.max)
  end
  return t
end

--- Checks the first and the last chunk against plain Lua.
local function check (path, chunks, bytes)
  local file <close> = assert(io.open(path, "rb"))
  for _, i in ipairs{ 1, #chunks } do
    file:seek("set", (i - 1) * bytes)
    local expected = by_hand(file:read(chunks[i].bytes))
    if not same(expected, chunks[i].result) then
      fail("chunk %d is wrong", i)
    end
  end
end

--}}

--{{ what it took

local function amount (bytes)
  return bytes < 1e5 and ("%d bytes"):format(bytes)
                      or ("%.2f MB"):format(bytes / 1e6)
end

--- Milliseconds of stage k: between two moments of the chunk.
local function took (chunk, k) return chunk.at[k + 1] - chunk.at[k] end

local function median (chunks, k)
  local list = {}
  for i, chunk in ipairs(chunks) do
    list[i] = took(chunk, k)
  end
  table.sort(list)
  return list[(#list + 1) // 2]
end

local function row (name, value)
  local cells = { ("%-8s"):format(name) }
  for k in ipairs(STAGES) do
    cells[k + 1] = ("%9.3f"):format(value(k))
  end
  print(table.concat(cells, " "))
end

local function print_table (chunks)
  print(("%-8s %9s %9s %9s %9s"):format("ms", table.unpack(STAGES)))
  for i = 1, math.min(4, #chunks) do
    row("chunk " .. i, function (k) return took(chunks[i], k) end)
  end
  row("median", function (k) return median(chunks, k) end)
end

--- Draws the first chunks, a line for each stream.
local function print_timeline (chunks, streams)
  local shown = math.min(#chunks, SHOWN * streams)
  local last = 0
  for i = 1, shown do
    last = math.max(last, chunks[i].at[5])
  end
  local lines = {}
  for lane = 1, streams do
    lines[lane] = {}
    for x = 1, WIDTH do lines[lane][x] = "." end
  end
  local function draw (line, mark, from, to)
    local x1 = math.floor(from / last * WIDTH) + 1
    local x2 = math.max(x1, math.floor(to / last * WIDTH))
    for x = x1, math.min(x2, WIDTH) do line[x] = mark end
  end
  for i = 1, shown do
    local chunk = chunks[i]
    for _, k in ipairs{ 3, 1, 2, 4 } do  -- the short ones over the long
      draw(lines[chunk.lane], MARKS[k], chunk.at[k], chunk.at[k + 1])
    end
  end
  for lane = 1, streams do
    print(("%-9s |%s|"):format("stream " .. lane, table.concat(lines[lane])))
  end
  print(("%-9s  0 %" .. WIDTH - 2 .. "s"):format("", ("%.2f ms"):format(last)))
end

--- How long all stages together took, over the wall time.
local function overlap (chunks, seconds)
  local sum = 0
  for _, chunk in ipairs(chunks) do
    for k in ipairs(STAGES) do sum = sum + took(chunk, k) end
  end
  return sum / 1e3 / seconds
end

--}}

local path = arg[1]
local file <close> = open(path)
local size, on_gpu = file.size, tide.get_device().kind == "cuda"
local streams = count(arg[2] or "4", "the number of streams", MAX_STREAMS)
local bytes = count(arg[3] or (on_gpu and "16384" or "4096"),
                    "the size of a chunk in KiB", 2^20) << 10
local compared = math.min(size, COMPARED)
bytes = math.min(bytes, size)

print(("%s: %s in chunks of %s, on %s (%s)"):format(path, amount(size),
  amount(bytes), tide.get_device(), tide.get_device().name))
local one, one_s, many, many_s
run(file, math.min(size, 2 * streams * bytes), streams, bytes)  -- warm up
for _ = 1, RUNS do
  one, one_s = better(one, one_s, run(file, compared, 1, bytes))
  many, many_s = better(many, many_s, run(file, compared, streams, bytes))
end

local all = many
if compared < size then
  local progress <close> = tide.progress(size / 1e6, "MB")
  all = run(file, size, streams, bytes, progress)
else
  assert(same(total(one), total(many)), "one stream and several disagree")
end
check(path, all, bytes)
local t = total(all)
print(("sum %d, squares %d, least %d, greatest %d, newlines %d"):format(
  t.sum, t.squares, t.min, t.max, t.newlines))
print(("%s agree%s with plain Lua\n"):format(
  #all > 1 and ("the first and last of %d chunks"):format(#all) or
  "the only chunk", #all > 1 and "" or "s"))

print_table(many)
print "\nr read   > copy in   # compute   < copy out   . idle"
print_timeline(many, streams)
print(("\n%-8s %9s %9s   %s"):format("streams", "ms", "GB/s",
                                   "all stages / wall time"))
for _, r in ipairs{ { 1, one, one_s }, { streams, many, many_s } } do
  print(("%-8d %9.1f %9.2f   %.2f"):format(r[1], r[3] * 1e3,
        compared / r[3] / 1e9, overlap(r[2], r[3])))
end
print(#many == 1 and "one chunk: there is nothing to overlap" or
  ("%d streams: %.2f times as fast as one"):format(streams, one_s / many_s))
