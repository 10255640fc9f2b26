--
-- file.lua - a file to the device, GB/s: from the page cache, the same with the
-- five statistics of examples/pipeline.lua, and from the disk. By chunks of
-- 64 MiB over two streams, one of which copies while the other one computes
-- (16 MiB over four on the host device); TIDE_BENCH_FILE names the file, which
-- is only read. From the disk: its first GiB.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local path = os.getenv "TIDE_BENCH_FILE"
local CHUNK <const> = (harness.on_host() and 16 or 64) << 20
local STREAMS <const> = harness.on_host() and 4 or 2
local NEWLINE <const>, DISK <const> = 10, 1 << 30

local function lanes()
  local file = tide.open(path)
  local list = {}
  for i = 1, STREAMS do
    list[i] = { stream = tide.Stream{ non_blocking = true },
                bytes = tide.empty(math.min(CHUNK, file.size), "uint8"),
                home = tide.HostArray(5, "int64") }
  end
  return file, list
end

-- reads the first 'bytes' once; use(lane, x) queues the work on a chunk
local function read_all(file, bytes, list, use)
  for at = 0, bytes - 1, CHUNK do
    local lane = list[at // CHUNK % STREAMS + 1]
    local n = math.min(CHUNK, bytes - at)
    lane.stream:with(function ()
      local x = lane.bytes:slice(1, n)
      file:read(x, at)
      use(lane, x)
    end)
  end
end

local function statistics(lane, x)
  local wide <close> = x:astype "int32"
  local newlines <close> = x:eq(NEWLINE)
  local sum <close> = wide:sum()
  local squares <close> = wide:mul_(wide):sum()
  local low <close> = x:min()
  local high <close> = x:max()
  local count <close> = newlines:count_nonzero()
  for i, result in ipairs{ sum, squares, low, high, count } do
    result:reshape{ 1 }:astype "int64":tohost{ out = lane.home[{ {i, i} }],
                                  blocking = false }
  end
end

local function drop_from_cache()
  return os.execute(("dd of='%s' oflag=nocache conv=notrunc,fdatasync count=0"
    .. " 2>/dev/null"):format(path))
end

if not path then
  for _, key in ipairs{ "file_read", "main_job", "file_disk" } do
    harness.missing(key, "TIDE_BENCH_FILE names no file")
  end
  return
end

harness.with({ "file_read", "main_job", "file_disk" }, lanes,
             function (file, list)
  local function nothing() end
  local size, some = file.size, math.min(file.size, DISK)
  harness.rate("file_read", 1, size, function (n)
    for _ = 1, n do read_all(file, size, list, nothing) end
  end)
  harness.rate("main_job", 1, size, function (n)
    for _ = 1, n do read_all(file, size, list, statistics) end
  end)
  harness.rate("file_disk", 1, some, function (n)
    for _ = 1, n do
      assert(drop_from_cache(), "dd cannot drop the file from the page cache")
      read_all(file, some, list, nothing)
    end
  end)
end)
