return {

classes = {
  Communicator = "ranks that compute together, of which this process has one or some",
},

args = {
  a = "Array | Array[]",
  rank = "integer | integer[]: from 0",
  root = "integer: a rank, from 0",
  op = '"sum" | "prod" | "max" | "min" | "avg" = "sum"',
  timeout = "number = 300: seconds that other ranks have, and an operation",
},

objects = { comm = "Communicator" },


[[
# Several devices, several machines

Ranks that compute together: `all_reduce` and its kin, on GPUs by NCCL.

## Purpose

A program that outgrows its GPU is started once for each, by `mpirun`, `srun` or `torchrun`, and
each process works on its part; what one needs of the others goes by a communicator. Its operations
are operations like any other: on the current stream, in order with all that uses their arrays,
captured, awaited. On host devices the same program runs on any machine, as one process or as many,
and there is looked at closer: ranks that do not do the same are an error on all of them, which says
who was where, and not a program that stands still.

## Example

```lua
local tide = require "tide"

-- each rank is a process: mpirun -n 4 lua5.4 program.lua; alone it is the only one
local comm = tide.dist.init{ timeout = 30 }

local part = tide.arange(1, 5) * (comm.rank + 1)   -- on this rank's device
comm:all_reduce(part)                          -- queued; nobody waits
print(comm.rank, comm.size, part:sum():item()) --> 0   1   10
comm:close()
```

In one process, with several devices, each method takes a list, of an array for each rank:

```lua
local tide = require "tide"

local comm = tide.comm{ "host:0" }             -- or { "cuda:0", "cuda:1" }
local x = tide.with_device("host:0", function () return tide.ones(3) end)
comm:all_reduce{ x }
print(comm:all_gather({ x })[1])               --> [1. 1. 1.]
```

## Ranks that meet
]],

{
  columns = "returns",
  { "tide.dist.init{ timeout=, device=, rank=, size=, local_rank=, address=, file= }",
    returns = "Communicator",
    args = {
      timeout = "number = 300: seconds that ranks have to meet, and each operation to be over " ..
                "once this one has come to it",
      device = "spec?: its device; that of its local rank among those of the current one's " ..
               "kind; where those are fewer, ranks on host devices share one",
      rank = "integer?: from 0; what the launcher says",
      size = "integer?: how many there are; likewise",
      local_rank = "integer?: among the processes of its machine; likewise, or `rank`",
      address = 'string?: `"host:port"`, where rank 0 may listen; of the launcher',
      file = "string?: instead of an address, and before one, a file that all ranks see, and " ..
             "that is not there yet; what a rank 0 has left that died is replaced, which the " ..
             "others wait for, 10 s at most",
    },
    text = [[
      this process as one rank of those that a launcher has started: what torchrun, Slurm, Open MPI
      and MPICH set in the environment is read; without a launcher it is the only one. Its
      device is current afterwards]],
    waits = "until all ranks have come",
    raises = "if they do not, and says who",
    example = [[
comm = tide.dist.init{ device = "host" }
comm.size                               --> 1
]] },
  { "tide.comm(devices [, { timeout= }])",
    returns = "Communicator",
    args = {
      devices = "table: a list of devices and specs, of one kind, each once",
      timeout = "number = 300: seconds",
    },
    text = "a rank for each device, all in this process",
    waits = "until they have met",
    example = [[
comm = tide.comm{ "host" }
comm.ranks                              --> {0}
]] },
  { "tide.dist.launcher()",
    returns = "string?",
    text = [[`"torchrun"`, `"slurm"`, `"openmpi"`, `"mpich"`; nil: none has started this process]],
    example = "tide.dist.launcher()                    --> nil" },
  { "comm:split([color [, key]])",
    returns = "Communicator?",
    args = {
      color = "integer | integer[] = nil: from 0 to 2147483647; nil takes no part",
      key = "integer | integer[] = nil: the rank",
    },
    text = [[
      of the ranks of one color, in the order of their keys; nil without a color. Lists of both if
      this process has several ranks, in which nil and false stand for none; what comes is a list as
      well, with false for a rank that takes no part. Where other ranks do something else, all are
      told so: at once on the host device, as long as no graph has operations of the communicator,
      else by the timeout]],
    waits = "until all ranks have come",
    example = [[
comm = tide.comm{ "host" }
comm:split(7).size                      --> 1
]] },
  { "comm:close()",
    waits = "for its operations that are under way",
    text = "other ranks that still use it get an error; the process goes on",
    example = [[
comm = tide.comm{ "host" }
comm:close()
tostring(comm)                          --> tide.Communicator (closed)
]] },
  { "local _ <close> = comm",
    text = "closed at the end of the block, without a wait",
    example = 'do local comm <close> = tide.comm{ "host" } end' },
  { "tostring(comm)",
    returns = "string",
    text = "which rank of how many, on which device",
    example = 'tostring(tide.comm{ "host" })           --> tide.Communicator rank 0 of 1, host:0' },
},

[[
## Fields
]],

{
  columns = "type",
  { "comm.rank",
    type = "integer",
    text = "of this process, from 0; the first of several",
    example = 'tide.comm{ "host" }.rank                --> 0' },
  { "comm.size",
    type = "integer",
    text = "how many ranks there are",
    example = 'tide.comm{ "host" }.size                --> 1' },
  { "comm.local_rank",
    type = "integer",
    text = "among the processes of its machine, from 0",
    example = 'tide.comm{ "host" }.local_rank          --> 0' },
  { "comm.ranks",
    type = "table",
    text = "those that this process has",
    example = 'tide.comm{ "host" }.ranks               --> {0}' },
  { "comm.devices",
    type = "table",
    text = "and their devices",
    example = 'tide.comm{ "host" }.devices             --> {host:0}' },
  { "comm.error",
    type = "string?",
    text = "why it has failed; nil: it works",
    example = 'tide.comm{ "host" }.error               --> nil' },
},

[[
## Operations of all ranks

Each rank calls the same, in the same order, with arrays of one dtype and one size. The first axis
is the one along which ranks have their parts. `out` may overlap the operand, which is read first.
]],

{
  columns = "returns",
  { "comm:all_reduce(a [, op])", "comm:all_reduce(a, { op=, out= })",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: that is written to, in place of `a`" },
    text = "`a`, reduced over all ranks element by element, in place",
    example = [[
comm = tide.comm{ "host" }
comm:all_reduce(tide.array{ 1, 2 }:to "host", "max")  --> [1 2]
]] },
  { "comm:reduce(a, root [, op])",
    returns = "Array | Array[]",
    text = "`a`: the same, but at `root` only; the others keep theirs",
    example = [[
comm = tide.comm{ "host" }
comm:reduce(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:broadcast(a, root)",
    returns = "Array | Array[]",
    text = "`a`, with the elements that it has at `root`",
    example = [[
comm = tide.comm{ "host" }
comm:broadcast(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:all_gather(a [, { out= }])",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: that is written to" },
    text = "those of all ranks, one after the other along the first axis",
    example = [[
comm = tide.comm{ "host" }
comm:all_gather(tide.zeros{ 2, 3 }:to "host").shape  --> {2, 3}
]] },
  { "comm:reduce_scatter(a [, op])", "comm:reduce_scatter(a, { op=, out= })",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: that is written to" },
    text = "of `a`, reduced over all ranks, this rank's part along the first axis",
    raises = "if that is no multiple of `comm.size`",
    example = [[
comm = tide.comm{ "host" }
comm:reduce_scatter(tide.ones(2):to "host")  --> [1. 1.]
]] },
  { "comm:all_to_all(a [, { out= }])",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: that is written to" },
    text = [[
      part i of each rank's array, along the first axis, goes to rank i, which has them one after
      the other]],
    raises = "if that axis is no multiple of `comm.size`",
    example = [[
comm = tide.comm{ "host" }
comm:all_to_all(tide.ones(2):to "host")  --> [1. 1.]
]] },
  { "comm:gather(a, root [, { out= }])",
    returns = "Array?",
    args = { out = "Array?: at `root`, that is written to" },
    text = "at `root` as `all_gather`, elsewhere nil; one array for all ranks of a process",
    example = [[
comm = tide.comm{ "host" }
comm:gather(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:scatter(a, root [, { out= }])",
    returns = "Array | Array[]",
    args = {
      a = "Array?: what `root` has; nil elsewhere",
      out = "Array | Array[]?: that is written to; elsewhere it must be there",
    },
    text = [[
      this rank's part, along the first axis, of the array that `root` has: one, and a list of parts
      comes if this process has several ranks]],
    raises = "if that axis is no multiple of `comm.size`",
    example = [[
comm = tide.comm{ "host" }
comm:scatter(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:barrier()",
    text = "an operation of no elements, which cannot be captured, as it waits",
    waits = "until all ranks have come to it",
    example = 'tide.comm{ "host" }:barrier()' },
},

[[
## From rank to rank
]],

{
  columns = "returns",
  { "comm:send(a, rank)",
    returns = "Array | Array[]",
    text = "`a`, to a rank that calls `recv` for it",
    raises = "in a process with several ranks, outside of `group`",
    example = [[
comm = tide.comm{ "host" }
a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
b[1]                                    --> 1.0
]] },
  { "comm:recv(a, rank)",
    returns = "Array | Array[]",
    text = "`a`, with the elements that the rank sends",
    raises = "in a process with several ranks, outside of `group`",
    example = [[
comm = tide.comm{ "host" }
a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
b[1]                                    --> 1.0
]] },
  { "comm:group(fn, ...)",
    returns = "any...: what `fn` returned",
    args = { ["..."] = "any: what `fn` is called with" },
    text = [[
      calls `fn(...)`, and makes one operation of its sends and receives, which go on at the same
      time: ranks of a ring may all send first. Arrays may overlap: sends take the elements from
      before the group, and of two receives into the same memory the later one wins. Nothing else
      may be called on `comm` in it. Other coroutines, and host functions that run meanwhile, are
      not in it]],
    example = [[
comm = tide.comm{ "host" }
a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
b                                       --> [1. 1.]
]] },
},

[[
Where a process has several ranks, arrays come as a list, of one for each of its ranks in their
order; in sends and receives `false` stands for a rank that takes no part, and `rank` may be a list
as well. If it has all ranks, each send has its receive in the same group: on host devices one that
is alone is an error at once.

## Notes

- **Dtypes.** Whatever there is can be moved. What is reduced is what NCCL knows: of integers those
  of 8, 32 and 64 bits, all floats; of complex numbers sums and averages; of bool `max`, which is
  "or", and `min`, which is "and". The average of integers is their sum, which wraps as sums do,
  over the number of ranks, cut towards 0.
- **Views** that are not dense go through copies.
- **Same results.** On host devices the sum of each element is made in the order of ranks, so it is
  the same on all of them and each time. NCCL's are the same on all ranks; its averages of floats
  are sums times 1/n, of which the last bit may be another.
- **When a rank does not come**, is killed or does something else, every other one gets an error
  where it waits, no later than the timeout and a second: it names the operation, its line, and as
  far as that is known who is missing. It is raised by the wait that ends next, whatever that is
  for. Operations are counted as they are called: one that was captured once, however often its
  graph is launched. Time counts from when the device has come to the operation, so long kernels
  before it do not matter, and no earlier than when a wait, or another operation of ranks, first
  looks. The communicator has failed then, for good; the process lives, `comm:close()` works, and
  ranks that are left may meet anew.
- **What is not there.** The operations that were under way have not written what they were to, and
  what was computed of that meanwhile is as wrong. To read, await, print or save such an array is an
  error, each time, and so is an operation or a graph's launch that reads it, on whichever stream:
  `what all_reduce (train.lua:12) was to write is not there: rank 0 of 2: ...`. It is an array like
  any other again once all of that is overwritten by what does not read it: `fill`, `copy_from`, an
  `out=`, the receiving side of a `broadcast`. What was computed of arrays of several communicators
  counts as coming from all that was under way between the earliest and the latest of their
  operations. In another process, where it went by a communicator that lives, nobody knows of it.
- **A program that ends**, well or with an error, while an operation is under way does so once that
  is over: when the others have come, or the timeout has passed.
- **While an operation is under way** on a GPU nothing is done that would wait for the device inside
  of the driver, as loading a kernel or ending a capture may: such calls wait for it to pass, and
  raise in a host function. tide makes 32 non-blocking streams and 16 others before the first
  operation; making more waits. On host devices none of these calls waits.
- **Host functions** of the Lua state run before an operation is queued, so an operation cannot be
  queued inside one. A graph that has operations of ranks can be launched there.
- **The end** of a communicator of GPUs is made in the background, once it is closed or collected,
  what it had under way is done, and no stream of the process waits for another process: NCCL waits
  for the device then. Operations of ranks, and waits for other processes, that are queued meanwhile
  wait for the end. The ranks of one machine end together; if one keeps its communicator, these
  operations wait no longer than the timeout.
- **Captures** work with one rank in the process, on any stream but `tide.Stream.ptds`; ranks must
  capture and launch alike. A graph keeps the communicators that it has captured, if the program
  drops them; a launch raises once one of them is closed or has failed, until the graph is updated
  to another one.
- **The end of the program** waits for such ends: a second, where ranks are GPUs, or some where
  another rank of the machine goes on or its GPU has much to do, and half a minute at most.
- **NCCL** is `libnccl.so.2`, 2.18 or newer, or what the environment variable `TIDE_LIBNCCL` names;
  it is loaded with the first communicator of GPUs. Its own variables hold: `NCCL_DEBUG`,
  `NCCL_SOCKET_IFNAME` and the rest. For each communicator of several ranks it has three, which
  takes some 330 MiB more of each GPU (H100, NCCL 2.28) and makes small operations fast.
- **Addresses.** torchrun: the host in `MASTER_ADDR`, and the port after `MASTER_PORT`, where
  torchrun itself listens. The others do not say a port: one from 61440 on is made of the job's
  number. MPICH does not say where rank 0 is if there are several machines: `address=` does. Where
  some variables of a launcher are there and others are not, `init` is an error.
  Ranks on host devices are processes of one machine and one user, at most 256, and listen nowhere:
  the address is a name to them. For GPUs `init` has it in the environment, as `NCCL_COMM_ID`, until
  all ranks have come: other threads of a host program must not change the environment meanwhile.
]],

}
