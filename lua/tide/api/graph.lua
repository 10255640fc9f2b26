return {

classes = { Graph = "captured work that can be launched repeatedly" },

args = { stream = "Stream" },


[[
# Graph

Captured work that can be launched repeatedly.

## Purpose

Launching a graph costs one call, however many operations it has. A graph is made by capturing
operations as the program queues them; nothing runs meanwhile.

## Example

```lua
local tide = require "tide"

local x = tide.zeros(4)
local g, y = tide.capture(function ()
  x:add_(1)
  return x * x
end)
print(g)                                       --> tide.Graph (2 nodes, host:0)

for _ = 1, 3 do
  g:launch()
end
print(y[1])                                    --> 9.0

print(g:debug_dot())                           -- add_vs_f64, mul_vv_f64
```

The next example forks and joins two streams. Dependencies through arrays are found while capturing,
too. A stream joins a capture when it waits for a stream of the capture, for an event recorded
there, or for an array that the graph writes. Work queued earlier on another stream runs at once;
the graph uses its result and does not contain the operation:

```lua
local tide = require "tide"

local s = tide.Stream{ non_blocking = true }
local t = tide.Stream{ non_blocking = true }
local x = tide.ones(1000)
local a, b, c

s:begin_capture()
s:with(function () a = x + 1 end)
t:wait_stream(s)                               -- t joins the capture
t:with(function () b = x * 10 end)             -- beside what s does
s:with(function () c = a + b end)              -- after both
local g = s:end_capture()

g:launch(t)
print(c[1])                                    --> 12.0
```

## Making one
]],

{
  { "tide.capture(fn, ...)",
    text = [[
      captures the work that `fn(...)` queues on a new non-blocking stream; returns the graph and
      the results of `fn`. If `fn` raises, the capture is discarded and the error passes through.
      `fn` may yield]],
    returns = "Graph, ...: the graph, then the results of `fn`",
    example = [[
a = tide.zeros(3)
g, b = tide.capture(function () a:add_(1); return a * 10 end)
g:launch()
b[1]                                    --> 10.0
]] },
  { "s:begin_capture([mode])", "s:end_capture()",
    text = "captures by hand, on a stream of yours",
    see = "Stream:begin_capture" },
},

[[
## Fields
]],

{
  columns = "type",
  { "g.device",
    type = "Device",
    example = "tide.capture(function () end).device  --> host:0" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "g:launch([stream])",
    returns = "g",
    text = "queues a launch of the graph on a stream, by default the current one of its device",
    example = [[
a = tide.zeros(3)
g = tide.capture(function () a:add_(1) end)
g:launch():launch()
a[1]                                    --> 2.0
]] },
  { "g:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: the timeout, from 0 on; nil waits without end" },
    text = [[
      waits until the latest launch is done; in a task of [`tide.run`](tasks.md) other tasks run
      meanwhile. Returns true, or nil and `"timeout"`]],
    waits = "for `seconds` at most; runs host functions",
    example = [[
g = tide.capture(function () end)
g:launch():await()                      --> true
]] },
  { "g:upload([stream])",
    returns = "g",
    text = "uploads the graph to the device ahead of its first launch",
    example = [[
g = tide.capture(function () end)
g:upload():launch()                     --> tide.Graph (0 nodes, host:0)
]] },
  { "g:update(other)",
    text = [[
      makes `g` do what `other` does, if both have nodes of the same types with the same edges, and
      returns true. Arrays, numbers and kernels may differ. Edges depend on which operations share
      arrays. Otherwise returns false and the reason, and leaves `g` unchanged]],
    returns = "boolean, string?: true; or false and the reason",
    args = {
      other = "Graph",
    },
    example = [[
a, b = tide.ones(3), tide.zeros(3)
g = tide.capture(function () a:fill(5) end)
g:update(tide.capture(function () b:fill(7) end)) --> true
g:launch()
b[1]                                    --> 7.0
]] },
  { "g:debug_dot{ verbose= }",
    returns = "string",
    args = {
      verbose = "boolean = false: adds sizes",
    },
    text = [[
      returns the graph in the DOT language: its nodes, with the names of kernels, and its edges.
      Edges implied by others are left out]],
    example = [[tide.capture(function () end):debug_dot():match "%a+"  --> digraph]] },
  { "g:close()",
    text = "closes the graph; launches under way complete",
    raises = "if it is closed",
    example = [[
g = tide.capture(function () end)
g:close()
(pcall(g.launch, g))                    --> false
]] },
  { "local _ <close> = g",
    text = "closes the graph at the end of the block, without raising",
    example = "do local g <close> = tide.capture(function () end) end" },
  { "tostring(g)",
    returns = "string",
    text = "formats the graph: `tide.Graph (2 nodes, cuda:0)`",
    example = "tostring(tide.capture(function () end))  --> tide.Graph (0 nodes, host:0)" },
},

[[
## Notes

- A graph keeps a reference to everything that it uses: arrays, kernels, page-locked memory,
  communicators, Lua functions. So does each launch until it has finished, so you may drop your own
  references.
- A launch is ordered like any other operation, on any stream: after the work that wrote its inputs,
  and before later work that uses its arrays.
- Arrays made while capturing are ordinary memory, and each launch writes to the same ones: `y`
  above holds the result of the last launch. Before the first launch `y` is uninitialized.
- An operation of a graph depends on the operations that it shares memory with, if one of the two
  writes it, and on the events and streams that its stream has waited for. The order of calls on a
  stream adds no dependency, so up to 16 independent operations run at the same time.
- Some operations keep the order of their stream, because tide does not see all memory that they
  use. These are kernels that get a `tide.Pointer` or have `__device__` variables, work that a host
  program queues, and operations of ranks. The same holds for everything on a stream that other code
  can queue work on: its `s.ptr` was read, it is a per-thread default stream, or it is not tide's.
- An array that is made in a capture and then closed there, left by a [scope](scope.md) or collected
  gives its memory to later operations of the capture. These then depend on the operations that used
  it. Memory of 1 MiB and more is reused at once, and so is any memory if each operation of a stream
  needs the result of the previous one. Otherwise up to 2 MiB of each smaller size (16 blocks at
  most) are left unused first, so that independent operations stay independent. Reading `x.ptr`
  excludes the memory from reuse.
- A graph contains the work on streams that join the capture. Work on another stream runs at once,
  also within `tide.capture`: [tasks](tasks.md) have streams of their own.
- Another stream that writes memory which a graph only reads does not join the capture: the write
  happens at once, and later launches come after it. Work that a finalizer queues is never part of a
  capture. A finalizer that uses memory which the graph writes gets an error, and Lua warns of it.
- To put a host function into a graph, queue it on the stream that captures:
  `tide.get_current_stream():launch_host_func(fn)`.
- A host function splits the capture. It comes after everything captured so far, on all streams, and
  before everything captured later. Streams without work after it need not be joined.
- Host functions run again at each launch. Launches of a graph with host functions do not overlap. A
  [host function](stream.md#host-functions) may launch its own graph: that is the next launch. A
  graph with host functions has no driver handle for other code.
- Illegal in a capture are `synchronize`, `done`, reading elements, launching another graph, and
  closing the stream. Tide refuses these calls before they reach the driver, so the capture stays
  valid. The error names the call and `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
- A capture is discarded when its stream is collected or leaves a `<close>` variable.
]],

}
