--
-- ipc.lua - messages between two processes and back, us: a number, which shows
-- the time of the sockets and the system; an array of 4 KiB and one of 256 MiB
-- (TIDE_BENCH_COPY_MIB; 16 on the host device), each ordered between the
-- streams of both. The partner is this file, started with a path.
--
local here = arg[0]:match("^.*/") or "./"

if arg[1] then
  local c = require "tide".ipc.connect(arg[1], 30)
  local held  -- keeps a value, as a program that works on it does
  for x in c.recv, c do
    held = type(x) == "userdata" and x or held
    c:send(x)
  end
  return held
end

local harness = dofile(here .. "harness.lua")
local tide = harness.tide
local mib = tonumber(os.getenv("TIDE_BENCH_COPY_MIB"))
  or (harness.on_host() and 16 or 256)

local path = os.tmpname()
os.remove(path)
local listener = tide.ipc.listen(path)
-- its finalizer waits for the partner's end
local partner = io.popen(("%s %s %s"):format(os.getenv "LUA" or "lua5.4",
                                             arg[0], path), "w")
if not listener:ready(30) then
  for _, key in ipairs{ "ipc_number", "ipc_4k", "ipc_256m" } do
    harness.missing(key, "the other process did not come")
  end
  return
end
local c = listener:accept()

local function row(key, x)
  local function there_and_back(n)
    for _ = 1, n do
      c:send(x)
      c:recv():close()
    end
  end
  harness.us(key, 200, there_and_back)
end

local function number_row()
  harness.us("ipc_number", 200, function (n)
    for i = 1, n do
      c:send(i)
      c:recv()
    end
  end)
end

number_row()
for key, bytes in pairs{ ipc_4k = 4096, ipc_256m = mib << 20 } do
  harness.with({ key }, function ()
    local a = tide.ipc.zeros(bytes // 4, "float32")
    c:send(a)
    local b <close> = c:recv()
    harness.same(b.ptr, a.ptr, "the memory")
    return a
  end, function (a) row(key, a) end)
end

c:close()
partner:close()
