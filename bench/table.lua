--
-- table.lua - the figures of one bench/run, as Markdown.
--   lua5.4 bench/table.lua DIRECTORY
-- Every ratio is inverted if need be, so that more than 1 is worse for tide:
-- tide / other for times, other / tide for GB/s.
--
local directory = assert(arg[1], "usage: table.lua DIRECTORY")

-- key, description, and the goal of design.md 8:
--   limit = r      the ratio to the limit may be at most r
--   by = key       ... to that row of the limit instead of its own
--   least = us     or at most this much, whatever the limit says
--   peer = r       or the ratio to the better peer may be at most r
local ROWS = {
  { "launch3", "kernel launch, 3 pointers", limit = 1.15 },
  { "mul", "`x*y`, 1024, new result", limit = 1.25 },
  { "mul_inc", "... incremental collector", by = "mul" },
  { "mul8_eager", "`x*y+8` eager", limit = 2.6, by = "mul8_fused" },
  { "mul8_fused", "`x*y+8` fused", limit = 1.25 },
  { "sum1k", "`x:sum()`, 1024", limit = 1.5 },
  { "record", "event record, no timing", least = 0.20 },
  { "wait", "wait event", least = 0.20 },
  { "with_stream", "with_stream, empty", least = 0.25 },
  { "scope", "scope, empty" },
  { "current_stream", "current stream", least = 0.08 },
  { "new_event", "new + drop event", least = 0.4 },
  { "new_event_gc", "... dropped by the collector" },
  { "new_stream", "new + drop stream", least = 3.0 },
  { "new_stream_gc", "... dropped by the collector" },
  { "graph1", "graph launch, 1 node", limit = 1.1 },
  { "graph10", "graph launch, 10 nodes", limit = 1.1 },
  { "graph100", "graph launch, 100 nodes", limit = 1.1 },
  { "capture10", "capture 10 nodes, launch, drop" },
  { "graph_wide", "graph of 64 kernels of 20 us side by side" },
  { "graph_serial", "... one after the other" },
  { "empty4k", "empty array, 4 KiB", least = 0.45 },
  { "empty4k_gc", "... dropped by the collector" },
  { "dlpack", "DLPack tensor, out and in again" },
  { "launch_sync", "launch + synchronize", limit = 1.15 },
  { "cross", "launch, crossing streams" },
  { "hostfunc_sync", "host function + synchronize", least = 3 },
  { "hostfunc_work", "kernel, function, kernel, synchronize", limit = 1.15 },
  { "hostfunc_driver", "... beside cuLaunchHostFunc", limit = 0.45 },
  { "add_big", "`A+B`, 2^28", limit = 1 / 0.97 },
  { "add_big_new", "... new result, dropped", by = "add_big" },
  { "fused_big", "`A*B+8` fused, 2^28", limit = 1 / 0.97, by = "add_big" },
  { "sin_big", "`sin`, 2^28", limit = 1 / 0.95, by = "copy_big" },
  { "row_big", "row added to each, 2^14 x 2^14", limit = 1 / 0.93,
    by = "copy_big" },
  { "fused_row_big", "`(M + row) * column` fused, 2^14 x 2^14",
    limit = 1 / 0.9, by = "copy_big" },
  { "sum_big", "sum all, 2^28", limit = 1 / 0.95 },
  { "axis1_big", "sum along axis 1, 2^14 x 2^14", limit = 1 / 0.95,
    by = "sum_big" },
  { "axis2_big", "sum along axis 2, 2^14 x 2^14", limit = 1 / 0.95,
    by = "sum_big" },
  { "turned_big", "transposed copy, 2^14 x 2^14", limit = 1 / 0.80,
    by = "copy_big" },
  { "cumsum_26", "cumsum, 2^26", peer = 1 },
  { "sort_26", "sort, 2^26", peer = 1 },
  { "uniform_26", "uniform random, 2^26", peer = 1 },
  { "h2d_pinned", "host to device, page-locked", limit = 1 / 0.97 },
  { "h2d_pageable", "host to device, string", limit = 1 },
  { "d2h_pinned", "device to host, page-locked", limit = 1 / 0.95 },
  { "d2h_new", "device to host, new string" },
  { "ipc_number", "number to another process and back" },
  { "ipc_4k", "array, 4 KiB, to another process and back" },
  { "ipc_256m", "array, 256 MiB, to another process and back", least = 1000 },
  { "task", "task that does nothing" },
  { "await_10000", "... of 10,000 that wait for one event", least = 5 },
  { "job", "small job of one of 64 tasks", limit = 1 / 0.9 },
  { "job_graph", "... captured once by each", by = "job", limit = 1 / 0.9 },
  { "job_task", "... a task for each, with new memory", by = "job" },
  { "file_read", "file in the page cache to the device", limit = 1 / 0.85 },
  { "main_job", "... and five statistics of its bytes", limit = 1 / 0.85,
    by = "file_read" },
  { "file_disk", "file on the disk to the device", limit = 1 / 0.9 },
  { "start", "process start to end", least = 0.45 },
}

-- host device: key, description
local HOST = {
  { "host_add_24", "`x+y`, 2^24" },
  { "host_add_cold_24", "`x+y`, 2^24, eight kept" },
  { "host_mul8_24", "`x*y+8`, 2^24" },
  { "host_div_24", "`x/y`, 2^24" },
  { "host_exp_24", "`exp(x)`, 2^24" },
  { "host_square_24", "`x ^ 2`, 2^24" },
  { "host_root_24", "`x ^ 0.5`, 2^24" },
  { "host_fused_24", "`(M + row) * column` fused, 2^12 x 2^12" },
  { "host_sum_24", "sum, 2^24" },
  { "host_argmax_24", "argmax, 2^24" },
  { "host_cast_24", "to float64, 2^24" },
  { "host_copy_24", "copy, 2^24" },
  { "host_load_24", "load an `.npy` file, 2^24" },
  { "host_save_24", "save one, 2^24" },
  { "host_turned_24", "`x.T:square()`, 2^12 x 2^12" },
  { "host_permuted_24", "max along an axis of a permuted array" },
  { "host_matvec_24", "matrix @ vector, 2^12 x 2^12" },
  { "host_vecmat_24", "vector @ matrix, 2^12 x 2^12" },
  { "host_tiny_100k", "100,000 products of 3 x 3" },
  { "host_mul_1k", "`x*y`, 1024" },
  { "host_sum_1k", "sum, 1024" },
  { "host_item_1k", "`(x*y):sum():item()`, 1024" },
}

-- live objects: key, description, and the row beyond which it must not grow
local ALIVE = {
  { "mul_s10", "`x*y`, 10 streams", "mul_s1" },
  { "mul_s1000", "`x*y`, 1000 streams", "mul_s1" },
  { "cross_s1000", "two streams in turn, 1000 alive", "cross_s10" },
  { "ring_s1000", "1000 streams in turn", "ring_s10" },
  { "mul_a100000", "`x*y`, 1e5 arrays", "mul_a1" },
  { "record_e100000", "record, 1e5 events", "record_e1" },
  { "mul_c10000", "`x*y`, 1e4 coroutines", "mul_c1" },
}
local GROWTH = 1.2  -- the most that does not count as growth

local remarks = {}

-- The better of two readings of a row; it keeps the worst of all as well.
local function merge(old, new)
  if not old then return new end
  local later = (new.value < old.value) == (new.unit ~= "GB/s")
  local best = later and new or old
  local other = later and old or new
  best.worst = (best.unit == "GB/s" and math.min or math.max)(
    old.worst, new.worst, other.value)
  return best
end

-- { key = { value =, unit =, worst = } }; adds notes and reasons to the
-- remarks, once each
local function read(name)
  local rows, void, said = {}, {}, {}
  local function remark(text)
    remarks[#remarks + 1] = not said[text] and text or nil
    said[text] = true
  end
  local file = io.open(directory .. "/" .. name .. ".tsv")
  if not file then
    return rows
  end
  for line in file:lines() do
    local key, value, unit, rest = line:match("^(%S+)\t(%S+)\t(%S+)\t?(.*)")
    if line:sub(1, 1) == "#" then
      remark(name .. ": " .. line:sub(3))
    elseif key and value == "-" then
      void[key] = true
      remark(("%s: no `%s`: %s"):format(name, key, rest))
    elseif key then
      value = tonumber(value)
      rows[key] = merge(rows[key],
                        { value = value, unit = unit, worst = value })
    end
  end
  file:close()
  for key in pairs(void) do  -- no figure stands on a wrong result
    rows[key] = nil
  end
  return rows
end

local limit = read("limit")
local tide, host = read("tide"), read("host")
local cupy, torch, numpy = read("cupy"), read("torch"), read("numpy")

-- goals are for a GPU: they are not judged if tide had none
local on_gpu = false
for _, remark in ipairs(remarks) do
  on_gpu = on_gpu or remark:find("^tide: .* on cuda:") ~= nil
end

local function show(row)
  if not row then return "-" end
  local v = row.value
  local format = v >= 1000 and "%.0f" or v >= 10 and "%.1f"
    or v >= 1 and "%.2f" or "%.3f"
  return format:format(v)
end

-- how much worse a is than b; nil if either is missing
local function worse(a, b)
  if not a or not b then return nil end
  return a.unit == "GB/s" and b.value / a.value or a.value / b.value
end

local function ratio(r)
  return r and ("%.2f"):format(r) or "-"
end

local function best(a, b)
  if not a or not b then return a or b end
  return worse(a, b) <= 1 and a or b
end

local function verdict(reached)
  if reached == nil then return "-" end
  return reached and "yes" or "**no**"
end

-- the goal of a row as text, and whether the figure reaches it (nil: unknown)
local function goal(spec, own, base, peer)
  if spec.least then
    local judged = on_gpu and own or nil
    return ("<= %g"):format(spec.least), judged and own.value <= spec.least
  elseif spec.limit then
    local r, text = on_gpu and worse(own, base) or nil, "<= %.2f x limit"
    return text:format(spec.limit), r and r <= spec.limit
  elseif spec.peer then
    local r, text = on_gpu and worse(own, peer) or nil, "<= %.2f x best peer"
    return text:format(spec.peer), r and r <= spec.peer
  end
  return ""
end

local function out(...)
  print("| " .. table.concat({ ... }, " | ") .. " |")
end

local function machine()
  local file = io.open(directory .. "/machine.txt")
  if not file then return end
  for line in file:lines() do
    print("- " .. line:gsub("^# ", ""))
  end
  file:close()
  print()
end

local reached, missed, unknown = 0, 0, 0

local function row(spec)
  local key, what = spec[1], spec[2]
  local own, base = tide[key], limit[spec.by or key]
  local peer = best(cupy[key], torch[key])
  local text, ok = goal(spec, own, base, peer)
  local unit = (own or base or cupy[key] or torch[key] or { unit = "" }).unit
  if text ~= "" then
    if ok then reached = reached + 1
    elseif ok == false then missed = missed + 1
    else unknown = unknown + 1 end
  end
  out(what, unit, show(base), show(own), show(cupy[key]),
      show(torch[key]), ratio(worse(own, base)),
      ratio(worse(own, peer)), text,
      text == "" and "" or verdict(ok))
end

-- rows whose readings of the limit differ by more than 5 %
local function noise()
  local names = {}
  for _, spec in ipairs(ROWS) do
    local a = limit[spec[1]]
    if a and math.abs(a.worst / a.value - 1) > 0.05 then
      names[#names + 1] = ("`%s` %s to %s"):format(
        spec[1], show(a), show{ value = a.worst })
    end
  end
  if next(limit) then
    print(("\nSmall calls taken in three turns, of which the best counts; " ..
      "readings of the\nlimit more than 5 %% apart: %s."):format(
      #names > 0 and table.concat(names, ", ") or "none"))
  end
end

machine()
print("Ratios above 1 are worse for tide; those of GB/s are turned for that.\n")
if next(tide) and not on_gpu then
  print("tide ran on the host device: the goals are not judged.\n")
end
out("row", "unit", "limit", "tide", "CuPy", "PyTorch", "to limit",
    "to best peer", "goal", "reached")
out("---", "---", "--:", "--:", "--:", "--:", "--:", "--:", "---", "---")
for _, spec in ipairs(ROWS) do
  row(spec)
end
print(("\nGoals: %d reached, %d missed, %d without a figure."):format(
  reached, missed, unknown))
noise()

print("\nHost device beside NumPy; the goal is a ratio of at most 1.\n")
out("row", "unit", "tide", "NumPy", "ratio", "reached")
out("---", "---", "--:", "--:", "--:", "---")
for _, spec in ipairs(HOST) do
  local own, peer = host[spec[1]], numpy[spec[1]]
  local r = worse(own, peer)
  out(spec[2], (own or peer or { unit = "" }).unit, show(own), show(peer),
      ratio(r), verdict(r and r <= 1))
end

--- Rows of everyday.txt: key, the call.
local function everyday()
  local list = {}
  for line in io.lines((arg[0]:match("^.*/") or "./") .. "everyday.txt") do
    local key, call = line:match("^([%w_]+) *| (.-) *|")
    if key then list[#list + 1] = { key, call } end
  end
  return list
end

print [[

Everyday calls, each with a new result (everyday.txt), us; on the host device
2^20 elements, else 2^24. The goal is at most 1.05 times the better peer, there
NumPy.
]]
out("call", "tide", "CuPy", "PyTorch", "to best peer", "reached", "host",
    "NumPy", "ratio", "reached")
out("---", "--:", "--:", "--:", "--:", "---", "--:", "--:", "--:", "---")
for _, spec in ipairs(everyday()) do
  local key, host_key = "every_" .. spec[1], "host_every_" .. spec[1]
  local r = worse(tide[key], best(cupy[key], torch[key]))
  local h = worse(host[host_key], numpy[host_key])
  out("`" .. spec[2] .. "`", show(tide[key]), show(cupy[key]), show(torch[key]),
      ratio(r), verdict(r and r <= 1.05), show(host[host_key]),
      show(numpy[host_key]), ratio(h), verdict(h and h <= 1.05))
end

print(("\nWhile much is alive, us; the goal is a growth of at most %g, or %g"
  .. "\ntimes the limit program's.\n"):format(GROWTH, GROWTH))
out("row", "few", "many", "growth", "the limit's", "reached")
out("---", "--:", "--:", "--:", "--:", "---")
for _, spec in ipairs(ALIVE) do
  local few, many = tide[spec[3]], tide[spec[1]]
  local r, own = worse(many, few), worse(limit[spec[1]], limit[spec[3]])
  out(spec[2], show(few), show(many), ratio(r), ratio(own),
      verdict(r and r <= GROWTH * math.max(1, own or 1)))
end

if #remarks > 0 then
  print("\nRemarks:\n")
  for _, remark in ipairs(remarks) do
    print("- " .. remark)
  end
end
