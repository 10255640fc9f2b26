-- 08-processes.lua - two programs and one array: a worker in a process of its
-- own squares what it is sent, in place.
local tide = require "tide"

-- The worker: this file, started with the path of a socket.
if arg[1] then
  local boss = tide.ipc.connect(arg[1], 10)
  for what, x in boss.recv, boss do          -- ends when the boss closes
    x:mul_(x)                                -- behind what the boss has queued
    boss:send(what .. " squared", x)
    x:close()
  end
  return
end

local path = os.tmpname()
os.remove(path)
local listener = tide.ipc.listen(path)
local command = ("%s '%s' '%s'"):format(arg[-1] or "lua5.4", arg[0], path)
local process = io.popen(command, "w")
assert(listener:ready(10), "the worker did not come")
local worker = listener:accept()
print("connected:", worker.pid > 0)

-- 1. The memory is the same in both; neither program waits for the device.
local x = tide.ipc.array(tide.arange(5))
worker:send("0 to 4", x)
local what, y = worker:recv()
print(what, table.concat(y:totable(), " "))
assert(y.ptr == x.ptr and x[5] == 16)

-- 2. Order goes along: each adds behind the other.
for _ = 1, 3 do
  x:fill(2)
  worker:send("twos", x)
  worker:recv()
  x:add_(1)
end
print("in order:", x[1])
assert(x[1] == 5)

-- 3. A worker that ends is an error, not a wait for ever.
worker:close()
process:close()
listener:close()
local ok, message = pcall(tide.ipc.connect, path)
assert(not ok)
print("raised:", tostring(message):match ": ([^:]+)$")
