return {

classes = {
  Connection = "one end of a connection between two processes",
  Listener = "a socket that accepts connections of other processes",
},

args = {
  path = "string: of a socket in the file system",
  seconds = "number = 0",
},


[[
# Processes

Arrays and events shared by several processes of a machine, without copies.

## Purpose

Two programs that use one device, such as a producer and a consumer, or a server and its workers,
connect by the name of a socket and send each other arrays. Both then have the same memory, on a GPU
as on the host device; sending 256 MiB takes no longer than sending 4 KiB. Work queued on an array
before it is sent comes before everything that the receiver does with it: the device waits, neither
program does.

## Example

```lua
local tide = require "tide"

local path = os.tmpname() .. ".sock"
local listener = tide.ipc.listen(path)

-- what another process does: here it is this one
local theirs = tide.ipc.connect(path)

local ours = listener:accept()
local a = tide.ipc.zeros{ 2, 3 }               -- memory that others can map
a:add_(1)
ours:send("ones", a)                           -- at once: the device is not waited for

local name, b = theirs:recv()
b:mul_(7)                                      -- behind what the sender queued
theirs:send(b)                                 -- and back
print(name, ours:recv():sum():item())          --> ones   42.0
theirs:close()
print(ours:recv())                             -->
```

## Arrays that others can map
]],

{
  { "tide.ipc.empty(shape [, dtype])",
    returns = "Array",
    text = "as `tide.empty`, in memory that other processes can map",
    example = "tide.ipc.empty{ 2, 3 }.shape            --> {2, 3}" },
  { "tide.ipc.zeros(shape [, dtype])",
    returns = "Array",
    text = "as `tide.zeros`, in such memory",
    example = 'tide.ipc.zeros(3, "int32")              --> [0 0 0]' },
  { "tide.ipc.array(x [, dtype])",
    args = { x = "Array | HostArray | nested | element" },
    returns = "Array",
    text = "as `tide.array`, in such memory; always copies",
    example = "tide.ipc.array{ 1, 2, 3 }               --> [1 2 3]" },
},

[[
Each array is an allocation of whole pages (2 MiB on a GPU), which takes some 0.2 ms, and holds one
or two file descriptors, so allocate once and send the arrays around. Views of them can be sent as
well; results of operations on them are ordinary arrays.

## Connecting
]],

{
  columns = "returns",
  { "tide.ipc.listen(path)",
    returns = "Listener",
    text = [[
      creates a socket with that name, which only programs of the same user can reach; replaces a
      stale one that a process left behind]],
    raises = "if another file has this name, or another process listens there",
    example = [[
path = os.tmpname() .. ".sock"
do local l <close> = tide.ipc.listen(path) end
io.open(path) == nil                    --> true
]] },
  { "tide.ipc.connect(path [, seconds])",
    returns = "Connection",
    text = "connects to the process that listens at that path",
    waits = "if no process listens there yet, for `seconds` at most",
    raises = "if no process listens then",
    example = '(pcall(tide.ipc.connect, "/nowhere"))   --> false' },
  { "listener:accept()",
    returns = "Connection",
    text = "returns the connection of the next process that connects",
    waits = "if none has yet; runs host functions",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
listener:accept().pid == conn.pid       --> true
]] },
  { "listener:ready([seconds])",
    returns = "boolean",
    text = "tells whether `accept` would return at once",
    waits = "for that, for `seconds` at most",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener:ready()                        --> false
]] },
  { "listener.fd",
    type = "integer",
    text = "the descriptor for event loops: readable when `ready` is true",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener.fd >= 0                        --> true
]] },
  { "listener.path",
    type = "string",
    text = "the path as given to `listen`",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener.path:match "%.sock$"           --> .sock
]] },
  { "listener:close()",
    text = "removes the socket; its connections stay open",
    raises = "if it is closed",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener:close()
listener                                --> tide.Listener (closed)
]] },
  { "local _ <close> = listener",
    text = "closes the listener at the end of the block, without raising",
    example = [[
path = os.tmpname() .. ".sock"
do local l <close> = tide.ipc.listen(path) end
io.open(path) == nil                    --> true
]] },
  { "tostring(listener)",
    returns = "string",
    example = [[
l = tide.ipc.listen(os.tmpname() .. ".sock")
tostring(l) == "tide.Listener (" .. l.path .. ")"  --> true
]] },
},

[[
## Connection
]],

{
  columns = "returns",
  { "conn:send(...)",
    args = { ["..."] = "nil | boolean | number | string | Array | Event" },
    text = [[
      sends one message with all the values: up to 127 KiB of text and 100 arrays. Arrays must be of
      `tide.ipc` or views of such arrays; [events](event.md) must be interprocess events]],
    waits = "if many messages wait for the receiver; runs host functions",
    raises = [[
      if the other end was closed or its process has ended; if an array is not of `tide.ipc`, or its
      current stream captures]],
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn:send("ones", tide.ipc.array{ 1, 1 })
(select(2, other:recv()))                --> [1 1]
]] },
  { "conn:recv([before])",
    args = { before = "any: what a generic `for` passes; ignored" },
    returns = "any...",
    text = [[
      returns the values of the next message; nothing, once the other end was closed, so
      `for x in conn.recv, conn do` iterates over all messages whose first value is not nil. If it
      fails for lack of memory or descriptors, the message stays for the next call. A message that
      this process cannot receive at all, because it does not see the device, is dropped]],
    waits = "for a message, not for its arrays; runs host functions",
    raises = "if the process at the other end has ended without closing it",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
other:send(1, nil, "x")
conn:recv()                             --> 1   nil   x
]] },
  { "conn:ready([seconds])",
    returns = "boolean",
    text = "tells whether `recv` would return at once",
    waits = "for that, for `seconds` at most",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn:ready()                            --> false
other:send(1)
conn:ready(1)                           --> true
]] },
  { "conn.fd",
    type = "integer",
    text = "the descriptor for event loops: readable when `ready` is true",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn.fd ~= other.fd                     --> true
]] },
  { "conn.pid",
    type = "integer",
    text = "the id of the process at the other end",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn.pid == other.pid                   --> true
]] },
  { "conn:close()",
    text = [[
      closes the connection; received arrays stay. Collecting it, and closing the Lua state, do the
      same]],
    raises = "if it is closed",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn:close()
select("#", other:recv())               --> 0
]] },
  { "local _ <close> = conn",
    text = "closes the connection at the end of the block, without raising",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
do local c <close> = conn end
select("#", other:recv())               --> 0
]] },
  { "tostring(conn)",
    returns = "string",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
tostring(conn) == "tide.Connection (to process " .. conn.pid .. ")"  --> true
]] },
},

[[
## Rules

- **Order is defined by sending.** The receiver's use of an array comes after the work that the
  sender had queued on it when it called `send`, on any streams of both. Work that the sender queues
  later is not ordered with the receiver. So a worker reports that it has finished with an array by
  sending *that array*, `conn:send(a)`, or an event. A word, `conn:send "done"`, arrives when its
  work is queued, not when it is done.
- **Memory is shared** and is freed when the last process has closed it. A process that receives it
  twice, and the sender when it returns, get another array with the same memory (`a.ptr`).
- **Events** are made by `tide.Event{ interprocess = true, disable_timing = true }` and sent. From
  then on every process that has them can record them and wait for them (`s:wait_event(e)`,
  `e:synchronize()`, `e.done`). A wait is for the latest recording at that moment.
- **A process that ends** without closing its Lua state, killed or by `os.exit(1)`, is an error for
  the others. `recv` and `send` raise, and so does each wait for its unfinished work
  (`CUDA_ERROR_CONTEXT_IS_DESTROYED (709): process 4711, whose work is waited for, ended before that
  was done`). Streams that wait for it go on; arrays stay as the process left them.
- Closing a Lua state, also after an error, waits for its queued work and closes its connections. A
  worker that may fail should therefore send a final message to confirm success.
- An event has at most 256 unfinished recordings, of all processes: the next one waits, on the
  device, for the oldest.
- Both processes need the same device (a GPU is identified by its UUID), and must be programs of one
  user on one machine. GPUs need Linux, and exportable memory (not WSL 2).
- Recording an interprocess event behind host functions runs these first, and so does sending an
  array.
- Host functions must not send or receive, because they must not wait. A process should not send
  itself more messages than the connection buffers.
- A child made by `fork` cannot use the connections of its parent.
- Memory of `tide.ipc` is not in `memory_stats`, and neither is memory of other processes; a limit
  of the host program counts it.
- Left out with `TIDE_FILES`.
]],

}
