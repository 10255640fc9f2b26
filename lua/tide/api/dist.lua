return {

classes = {
  Communicator = "ranks that compute together; this process has one or several",
},

args = {
  a = "Array | Array[]",
  rank = "integer | integer[]: from 0",
  root = "integer: a rank, from 0",
  op = '"sum" | "prod" | "max" | "min" | "avg" = "sum"',
  timeout = "number = 300: the timeout for other ranks and for each operation, in seconds",
},

objects = { comm = "Communicator" },


[[
# Several devices, several machines

Ranks that compute together: `all_reduce` and other collectives, on GPUs by NCCL.

## Purpose

A program that outgrows its GPU is started once for each GPU, by `mpirun`, `srun` or `torchrun`.
Each process works on its part, and they exchange data through a communicator. Its operations are
like any other: on the current stream, ordered with everything that uses their arrays, capturable,
awaitable. On host devices the same program runs on any machine, as one process or as many, and with
stricter checks: ranks that call different operations get an error on all of them, which names the
operation of each rank, instead of a hang.

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

In one process with several devices, each method takes a list with an array for each rank:

```lua
local tide = require "tide"

local comm = tide.comm{ "host:0" }             -- or { "cuda:0", "cuda:1" }
local x = tide.with_device("host:0", function () return tide.ones(3) end)
comm:all_reduce{ x }
print(comm:all_gather({ x })[1])               --> [1. 1. 1.]
```

## Creating communicators
]],

{
  columns = "returns",
  { "tide.dist.init{ timeout=, device=, rank=, size=, local_rank=, address=, file= }",
    returns = "Communicator",
    args = {
      timeout = [[number = 300: the timeout in seconds for all ranks to join, and for each operation
        to finish once this rank has reached it]],
      device = [[spec?: its device; by default that of its local rank among the devices of the
        current kind; host devices are shared if there are fewer]],
      rank = "integer?: from 0; by default from the launcher",
      size = "integer?: the number of ranks; by default from the launcher",
      local_rank = [[integer?: the rank among the processes of its machine; by default from the
        launcher, or `rank`]],
      address = [[string?: `"host:port"`, where rank 0 can listen; by default from the launcher]],
      file = [[string?: a path that all ranks see, in place of an address (it takes precedence),
        where no file exists yet. A file left by a rank 0 that died is replaced; the other ranks
        wait for that, 10 s at most]],
    },
    text = [[
      joins this process as one rank of those that a launcher has started; reads the environment
      variables of torchrun, Slurm, Open MPI and MPICH. Without a launcher this process is the only
      rank. Makes its device current]],
    waits = "until all ranks have joined",
    raises = "if a rank does not join; the error names it",
    example = [[
comm = tide.dist.init{ device = "host" }
comm.size                               --> 1
]] },
  { "tide.comm(devices [, { timeout= }])",
    returns = "Communicator",
    args = {
      devices = "table: a list of distinct devices and specs, of one kind",
      timeout = "number = 300: seconds",
    },
    text = "creates a communicator with a rank for each device, all in this process",
    waits = "until they have joined",
    example = [[
comm = tide.comm{ "host" }
comm.ranks                              --> {0}
]] },
  { "tide.dist.launcher()",
    returns = "string?",
    text = [[
      returns the launcher of this process: `"torchrun"`, `"slurm"`, `"openmpi"`, `"mpich"`, or
      nil]],
    example = "tide.dist.launcher()                    --> nil" },
  { "comm:split([color [, key]])",
    returns = "Communicator?",
    args = {
      color = "integer | integer[] = nil: from 0 to 2147483647; nil does not take part",
      key = "integer | integer[] = nil: the rank",
    },
    text = [[
      splits the communicator into one for each color, with ranks in the order of their keys;
      returns nil without a color. If this process has several ranks, both are lists, in which nil
      and false mean none; the result is also a list, with false for a rank without a color. If
      other ranks call something else, all ranks get an error: at once on the host device, as long
      as no graph has operations of the communicator, else after the timeout]],
    waits = "until all ranks have called it",
    example = [[
comm = tide.comm{ "host" }
comm:split(7).size                      --> 1
]] },
  { "comm:close()",
    waits = "for its unfinished operations",
    text = [[
      closes the communicator; other ranks that still use it get an error, and the process goes
      on]],
    example = [[
comm = tide.comm{ "host" }
comm:close()
tostring(comm)                          --> tide.Communicator (closed)
]] },
  { "local _ <close> = comm",
    text = "closes the communicator at the end of the block, without waiting",
    example = 'do local comm <close> = tide.comm{ "host" } end' },
  { "tostring(comm)",
    returns = "string",
    text = "formats the communicator with its rank, size and device",
    example = 'tostring(tide.comm{ "host" })           --> tide.Communicator rank 0 of 1, host:0' },
},

[[
## Fields
]],

{
  columns = "type",
  { "comm.rank",
    type = "integer",
    text = "the rank of this process, from 0; the first one if it has several",
    example = 'tide.comm{ "host" }.rank                --> 0' },
  { "comm.size",
    type = "integer",
    text = "the number of ranks",
    example = 'tide.comm{ "host" }.size                --> 1' },
  { "comm.local_rank",
    type = "integer",
    text = "the rank among the processes of its machine, from 0",
    example = 'tide.comm{ "host" }.local_rank          --> 0' },
  { "comm.ranks",
    type = "table",
    text = "the ranks of this process",
    example = 'tide.comm{ "host" }.ranks               --> {0}' },
  { "comm.devices",
    type = "table",
    text = "the devices of these ranks",
    example = 'tide.comm{ "host" }.devices             --> {host:0}' },
  { "comm.error",
    type = "string?",
    text = "the reason why the communicator has failed; nil while it works",
    example = 'tide.comm{ "host" }.error               --> nil' },
},

[[
## Collectives

All ranks call the same operations in the same order, with arrays of one dtype and one size. Parts
of ranks are along the first axis. `out` may overlap the operand, which is read first.
]],

{
  columns = "returns",
  { "comm:all_reduce(a [, op])", "comm:all_reduce(a, { op=, out= })",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: written to, in place of `a`" },
    text = "reduces `a` over all ranks, element by element, in place; returns it",
    example = [[
comm = tide.comm{ "host" }
comm:all_reduce(tide.array{ 1, 2 }:to "host", "max")  --> [1 2]
]] },
  { "comm:reduce(a, root [, op])",
    returns = "Array | Array[]",
    text = "reduces `a` as `all_reduce` does, but only at `root`; the other ranks keep their `a`",
    example = [[
comm = tide.comm{ "host" }
comm:reduce(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:broadcast(a, root)",
    returns = "Array | Array[]",
    text = "copies the elements of `a` at `root` to `a` of every rank; returns it",
    example = [[
comm = tide.comm{ "host" }
comm:broadcast(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:all_gather(a [, { out= }])",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: written to" },
    text = "concatenates the arrays of all ranks along the first axis, on every rank",
    example = [[
comm = tide.comm{ "host" }
comm:all_gather(tide.zeros{ 2, 3 }:to "host").shape  --> {2, 3}
]] },
  { "comm:reduce_scatter(a [, op])", "comm:reduce_scatter(a, { op=, out= })",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: written to" },
    text = "reduces `a` over all ranks; returns this rank's part along the first axis",
    raises = "if the length of that axis is not a multiple of `comm.size`",
    example = [[
comm = tide.comm{ "host" }
comm:reduce_scatter(tide.ones(2):to "host")  --> [1. 1.]
]] },
  { "comm:all_to_all(a [, { out= }])",
    returns = "Array | Array[]",
    args = { out = "Array | Array[]?: written to" },
    text = [[
      sends part i of each rank's array, along the first axis, to rank i, which concatenates the
      parts that it gets]],
    raises = "if the length of that axis is not a multiple of `comm.size`",
    example = [[
comm = tide.comm{ "host" }
comm:all_to_all(tide.ones(2):to "host")  --> [1. 1.]
]] },
  { "comm:gather(a, root [, { out= }])",
    returns = "Array?",
    args = { out = "Array?: written to, at `root`" },
    text = [[
      as `all_gather`, at `root` only; returns nil elsewhere. The result is one array for all ranks
      of a process]],
    example = [[
comm = tide.comm{ "host" }
comm:gather(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:scatter(a, root [, { out= }])",
    returns = "Array | Array[]",
    args = {
      a = "Array?: the array at `root`; nil elsewhere",
      out = "Array | Array[]?: written to; required elsewhere than at `root`",
    },
    text = [[
      returns this rank's part, along the first axis, of the array at `root`; a list of parts if
      this process has several ranks]],
    raises = "if the length of that axis is not a multiple of `comm.size`",
    example = [[
comm = tide.comm{ "host" }
comm:scatter(tide.ones(2):to "host", 0)  --> [1. 1.]
]] },
  { "comm:barrier()",
    text = "synchronizes all ranks; cannot be captured, because it waits",
    waits = "until all ranks have called it",
    example = 'tide.comm{ "host" }:barrier()' },
},

[[
## Sends and receives
]],

{
  columns = "returns",
  { "comm:send(a, rank)",
    returns = "Array | Array[]",
    text = "sends `a` to a rank, which must call `recv`; returns `a`",
    raises = "in a process with several ranks, outside of `group`",
    example = [[
comm = tide.comm{ "host" }
a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
b[1]                                    --> 1.0
]] },
  { "comm:recv(a, rank)",
    returns = "Array | Array[]",
    text = "receives the elements that a rank sends into `a`; returns `a`",
    raises = "in a process with several ranks, outside of `group`",
    example = [[
comm = tide.comm{ "host" }
a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
b[1]                                    --> 1.0
]] },
  { "comm:group(fn, ...)",
    returns = "any...: the results of `fn`",
    args = { ["..."] = "any: the arguments of `fn`" },
    text = [[
      calls `fn(...)` and combines its sends and receives into one operation, in which they run
      concurrently: the ranks of a ring may all send first. Arrays may overlap: sends use the
      elements from before the group, and of two receives into the same memory the later one wins.
      No other operation of `comm` may be called in it. Other coroutines, and host functions that
      run meanwhile, are not part of it]],
    example = [[
comm = tide.comm{ "host" }
a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
b                                       --> [1. 1.]
]] },
},

[[
If a process has several ranks, arrays are passed as a list, one for each of its ranks in their
order. In sends and receives `false` stands for a rank that does not take part, and `rank` may also
be a list. If the process has all ranks, each send must have its receive in the same group; on host
devices an unmatched one raises at once.

## Notes

- **Dtypes.** Data of all dtypes can be moved. Reductions support the dtypes of NCCL: integers of 8,
  32 and 64 bits, and all floats; for complex numbers sums and averages; for bool `max`, which is
  "or", and `min`, which is "and". The average of integers is their sum, which wraps as sums do,
  divided by the number of ranks and truncated.
- **Views** that are not contiguous go through copies.
- **Same results.** On host devices each element is summed in the order of ranks, so the sum is the
  same on all ranks and each time. NCCL's results are the same on all ranks; its averages of floats
  are sums times 1/n, so the last bit may differ.
- **When a rank does not take part**, because it was killed or calls something else, every other
  rank gets an error where it waits, at most a second after the timeout. The error names the
  operation, its line, and the missing ranks as far as they are known. The next wait that ends
  raises it, whatever it waits for. Operations are counted as they are called: a captured one counts
  once, however often its graph is launched. The timeout starts when the device has reached the
  operation, so long kernels before it do not count; it starts no earlier than the next wait or
  operation of ranks. The communicator has then failed permanently. The process lives,
  `comm:close()` works, and the remaining ranks may create a new communicator.
- **Lost results.** Operations that were unfinished at a failure have not written their results, and
  everything computed from them meanwhile is wrong too. Reading, awaiting, printing or saving such
  an array raises each time. So does an operation or a graph launch that reads it, on any stream:
  `what all_reduce (train.lua:12) was to write is not there: rank 0 of 2: ...`. The array becomes
  usable again once all of it is overwritten with other data, by `fill`, `copy_from`, an `out=`, or
  the receiving side of a `broadcast`. A result computed from arrays of several communicators counts
  as depending on everything that was unfinished between the earliest and the latest of their
  operations. Another process that received the data through a communicator that still works does
  not know that it is lost.
- **A program that ends**, normally or with an error, while an operation is unfinished ends once
  that is over: when the other ranks have called it, or after the timeout.
- **While an operation is running** on a GPU, tide makes no driver call that would wait for the
  device inside the driver, such as loading a kernel or ending a capture. These calls wait for the
  operation, and raise in a host function. tide makes 32 non-blocking streams and 16 others before
  the first operation; making more waits. On host devices none of these calls waits.
- **Host functions** that an operation of ranks comes after run before it is queued. A host function
  cannot queue one; it can launch a graph that has some.
- **The end** of a communicator of GPUs runs in the background. It starts once the communicator is
  closed or collected, its operations are done, and no stream of the process waits for another
  process, because NCCL waits for the device then. Operations of ranks, and waits for other
  processes, that are queued meanwhile wait for the end. The ranks of one machine end together. If
  one keeps its communicator, these operations wait no longer than the timeout.
- **Captures** work with one rank in the process, on any stream but `tide.Stream.ptds`; all ranks
  must capture and launch alike. A graph keeps its communicators alive. A launch raises once one of
  them is closed or has failed, until the graph is updated to another one.
- **The end of the program** waits for these ends: a second, if the ranks are GPUs, or a few if
  another rank of the machine goes on or its GPU is busy, and half a minute at most.
- **NCCL** is `libnccl.so.2`, 2.18 or newer, or the library that the environment variable
  `TIDE_LIBNCCL` names. It is loaded with the first communicator of GPUs. Its own variables apply:
  `NCCL_DEBUG`, `NCCL_SOCKET_IFNAME` and the rest. tide makes three NCCL communicators for each
  communicator of several ranks. That takes some 330 MiB more of each GPU (H100, NCCL 2.28) and
  makes small operations fast.
- **Addresses.** With torchrun, the address is the host in `MASTER_ADDR` and the port after
  `MASTER_PORT`, because torchrun itself listens on that one. The other launchers give no port: tide
  derives one, from 61440 on, from the job number. MPICH does not say where rank 0 is if there are
  several machines: use `address=`. If only some variables of a launcher are set, `init` raises.
  Ranks on host devices are processes of one machine and one user, at most 256, and listen nowhere:
  the address is only a name to them. For GPUs `init` sets the address in the environment, as
  `NCCL_COMM_ID`, until all ranks have joined: other threads of a host program must not change the
  environment meanwhile.
]],

}
