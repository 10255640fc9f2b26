return {

classes = {
  Connection = "one end of a way between two processes",
  Listener = "where other processes connect",
},

args = {
  path = "string: of a socket in the file system",
  seconds = "number = 0",
},


[[
# Processes

Arrays and events for several processes of a machine, without copies.

## Purpose

Two programs that use one device, a producer and a consumer, a server and its workers: they connect
by the name of a socket, and send each other arrays. Both have the same memory then, on a GPU as on
the host device; 256 MiB take no longer than 4 KiB. What was queued on an array before it is sent
comes before all that the receiver does with it: the device waits, neither program does.

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
    text = "as `tide.empty`, in memory of its own",
    example = "tide.ipc.empty{ 2, 3 }.shape            --> {2, 3}" },
  { "tide.ipc.zeros(shape [, dtype])",
    returns = "Array",
    text = "as `tide.zeros`",
    example = 'tide.ipc.zeros(3, "int32")              --> [0 0 0]' },
  { "tide.ipc.array(x [, dtype])",
    args = { x = "Array | HostArray | nested | element" },
    returns = "Array",
    text = "as `tide.array`: a copy",
    example = "tide.ipc.array{ 1, 2, 3 }               --> [1 2 3]" },
},

[[
Each is an allocation of whole pages (2 MiB on a GPU), which takes some 0.2 ms, and has a file
descriptor or two: make them once, and hand them round. Views of them can be sent as well, and what
operations make of them is as ever.

## Connecting
]],

{
  columns = "returns",
  { "tide.ipc.listen(path)",
    returns = "Listener",
    text = [[
      a socket of that name, which only programs of the same user can reach; one that a process has
      left behind is replaced]],
    raises = "if there is another file, or somebody listens there",
    example = [[
path = os.tmpname() .. ".sock"
do local l <close> = tide.ipc.listen(path) end
io.open(path) == nil                    --> true
]] },
  { "tide.ipc.connect(path [, seconds])",
    returns = "Connection",
    text = "to who listens at that path",
    waits = "if nobody listens there yet, so long",
    raises = "if there is none then",
    example = '(pcall(tide.ipc.connect, "/nowhere"))   --> false' },
  { "listener:accept()",
    returns = "Connection",
    text = "that of the next process that connects",
    waits = "if none has yet; runs host functions",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
listener:accept().pid == conn.pid       --> true
]] },
  { "listener:ready([seconds])",
    returns = "boolean",
    text = "would `accept` return at once?",
    waits = "so long for that at most",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener:ready()                        --> false
]] },
  { "listener.fd",
    type = "integer",
    text = "for event loops: readable when `ready` is true",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener.fd >= 0                        --> true
]] },
  { "listener.path",
    type = "string",
    text = "as it was given to `listen`",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener.path:match "%.sock$"           --> .sock
]] },
  { "listener:close()",
    text = "removes the socket; connections stay",
    raises = "if it is closed",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
listener:close()
listener                                --> tide.Listener (closed)
]] },
  { "local _ <close> = listener",
    text = "closed at the end of the block, silently",
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
      one message with all the values, up to 127 KiB of text and 100 arrays. Arrays of `tide.ipc`
      and views of them; interprocess [events](event.md)]],
    waits = "if the other end has many messages to take; runs host functions",
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
    args = { before = "any: what a generic `for` passes; not looked at" },
    returns = "any...",
    text = [[
      the values of the next message; nothing, once the other end was closed, so that
      `for x in conn.recv, conn do` goes through all whose first value is not nil. Where it fails
      for want of memory or descriptors, nothing is lost: the message is there for the next call.
      One that this process cannot take at all, as it does not see the device, is given up]],
    waits = "for a message, not for its arrays; runs host functions",
    raises = "if the process at the other end has ended and has not closed it",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
other:send(1, nil, "x")
conn:recv()                             --> 1   nil   x
]] },
  { "conn:ready([seconds])",
    returns = "boolean",
    text = "would `recv` return at once?",
    waits = "so long for that at most",
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
    text = "for event loops: readable when `ready` is true",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn.fd ~= other.fd                     --> true
]] },
  { "conn.pid",
    type = "integer",
    text = "the process at the other end",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn.pid == other.pid                   --> true
]] },
  { "conn:close()",
    text = [[
      what was received stays. The same when it is collected, and when the Lua state closes]],
    raises = "if it is closed",
    example = [[
listener = tide.ipc.listen(os.tmpname() .. ".sock")
conn = tide.ipc.connect(listener.path)
other = listener:accept()
conn:close()
select("#", other:recv())               --> 0
]] },
  { "local _ <close> = conn",
    text = "closed at the end of the block, silently",
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

- **Order is where things are handed over.** The receiver's use of an array comes after what the
  sender had queued on it when it called `send`, whatever the streams of both. What the sender
  queues later is in no order with the receiver. So a worker says that it has done with an array by
  sending *that array*, `conn:send(a)`, and not with a word, `conn:send "done"`, which comes when
  its work is queued; or it sends an event.
- **Memory belongs to all who have it**, and goes when the last one has closed it. Whoever gets it
  twice, and the sender when it comes home, gets another array with the same memory (`a.ptr`).
- **Events** are made by `tide.Event{ interprocess = true, disable_timing = true }`, sent, and from
  then on recorded and waited for (`s:wait_event(e)`, `e:synchronize()`, `e.done`) by every process
  that has them. A wait is for the latest recording at that moment.
- **A process that ends** without closing its Lua state, killed or by `os.exit(1)`, is an error for
  the others: of `recv` and `send`, and of whoever waits for work that it had not done
  (`CUDA_ERROR_CONTEXT_IS_DESTROYED (709): process 4711, whose work is waited for, ended before that
  was done`). Streams that wait for it go on; arrays stay as it left them.
- Lua that closes, also after an error, waits for what it has queued, and its connections are
  closed: a worker that may fail says at the end that it has not.
- An event has 256 recordings under way at most, of all processes: the next one waits, on the
  device, for the oldest.
- Both need the same device (a GPU is known by its UUID), and programs of one user on one machine.
  GPUs need Linux, and memory that can be exported (not WSL 2).
- To record an interprocess event, or wait for one, behind host functions first runs these.
- Host functions must not send or receive: they must not wait. Nor should a process send itself
  more than it takes at a time.
- A child made by `fork` has no part in the connections of its parent.
- Memory of `tide.ipc` is in `memory_stats` as little as that of others; a limit of the host program
  counts it.
- Left out with `TIDE_FILES`.
]],

}
