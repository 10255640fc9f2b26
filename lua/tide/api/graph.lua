return {

classes = { Graph = "work that was captured, to be launched again and again" },

args = { stream = "Stream" },


[[
# Graph

Work that was captured, to be launched again and again.

## Purpose

A launch of a graph costs one call, however many operations are in it. A graph is made by capturing
them as the program queues them; nothing runs meanwhile.

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

Fork and join over two streams. Waits for arrays are found while capturing, too. A stream takes part
from when it waits for one that does: for the stream, for an event that was recorded there, or for
an array that the graph writes. What is queued before on another stream runs at once, and the graph
has its result, not the operation:

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
      captures what `fn(...)` queues on a new non-blocking stream. Returns the graph and what
      `fn` returned. On an error the capture is dropped and the error passes through. `fn` may
      yield]],
    returns = "Graph, ...: the graph, then what `fn` returned",
    example = [[
a = tide.zeros(3)
g, b = tide.capture(function () a:add_(1); return a * 10 end)
g:launch()
b[1]                                    --> 10.0
]] },
  { "s:begin_capture([mode])", "s:end_capture()",
    text = "the same by hand, on a stream of yours",
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
    text = "queues the whole on a stream (the current one of its device by default)",
    example = [[
a = tide.zeros(3)
g = tide.capture(function () a:add_(1) end)
g:launch():launch()
a[1]                                    --> 2.0
]] },
  { "g:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: from 0 on; nil has no end" },
    text = [[
      until its latest launch is done; in a task of [`tide.run`](tasks.md) the others go on
      meanwhile]],
    waits = "so long at most; runs host functions",
    example = [[
g = tide.capture(function () end)
g:launch():await()                      --> true
]] },
  { "g:upload([stream])",
    returns = "g",
    text = "brings it to the device ahead of its first launch",
    example = [[
g = tide.capture(function () end)
g:upload():launch()                     --> tide.Graph (0 nodes, host:0)
]] },
  { "g:update(other)",
    text = [[
      from now on `g` does what `other` does, if they differ in arrays and numbers only.
      Otherwise `g` is as it was, and the string says why]],
    returns = "boolean, string?: true; or false, string",
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
      the nodes in the DOT language, with the names of kernels and the edges between them; what
      other edges imply is left out]],
    example = [[tide.capture(function () end):debug_dot():match "%a+"  --> digraph]] },
  { "g:close()",
    text = "launches under way complete",
    raises = "if it is closed",
    example = [[
g = tide.capture(function () end)
g:close()
(pcall(g.launch, g))                    --> false
]] },
  { "local _ <close> = g",
    text = "closed at the end of the block, silently",
    example = "do local g <close> = tide.capture(function () end) end" },
  { "tostring(g)",
    returns = "string",
    text = "`tide.Graph (2 nodes, cuda:0)`",
    example = "tostring(tide.capture(function () end))  --> tide.Graph (0 nodes, host:0)" },
},

[[
## Notes

- A graph keeps what it uses: arrays, kernels, page-locked memory, communicators, Lua functions. So
  does each launch, until it has finished. Drop your own references as you like.
- A launch is ordered like any other operation: after whoever wrote what it reads, on whatever
  stream, and before whoever comes next.
- Arrays made while capturing are ordinary memory. Each launch writes the same ones: `y` above holds
  the result of the last launch. Before the first one nothing has run, and `y` holds whatever was in
  its memory.
- An operation of a graph follows those that it shares memory with, if one of the two writes it, and
  what its stream has waited for: events and other streams. The order of calls on a stream adds
  nothing to that, so independent operations run at the same time, up to 16 of them.
- Some operations keep the order of their stream, because tide does not see all that they use:
  kernels that get a `tide.Pointer` or have `__device__` variables, work of a host program,
  operations of ranks, and everything on a stream that others can queue work on (`s.ptr` was read, it
  is a per-thread default stream, or it is not tide's).
- An array that is made and closed in a capture, or left by a [scope](scope.md), or collected, gives
  its memory to later operations of the capture, which then follow those that used it. Memory of
  1 MiB and more is given at once, and so is any where each operation of a stream needs the result
  of the one before. Of smaller sizes up to 2 MiB (16 blocks at most) are left alone first, so that
  independent operations stay independent. `x.ptr` keeps memory out of this.
- A graph has what is queued on streams that take part. Work on another stream runs at once, also
  within `tide.capture`: [tasks](tasks.md) have streams of their own.
- Another stream that writes what a graph only reads takes no part in the capture: the write happens
  at once, and later launches come after it. Work that a finalizer queues is never part of a
  capture; a finalizer that uses what the graph writes gets an error, which Lua warns of.
- A host function of a graph is queued on the stream that captures:
  `tide.get_current_stream():launch_host_func(fn)`.
- A host function cuts the capture. It comes after all that the capture has recorded so far, on all
  its streams, and before all that comes next. Streams that do nothing after it need not be joined.
- Host functions run again with each launch. Launches of such a graph do not overlap each other. A
  [host function](stream.md#host-functions) may launch the graph that it is in: that is the next
  launch. For other code, a graph with host functions has no driver handle.
- Illegal in a capture, and refused before the driver hears of it, so that the capture stays good:
  `synchronize`, `done`, reading elements, launching another graph, closing the stream. The error
  names the call and `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
- A capture whose stream is collected, or leaves a `<close>` variable, is thrown away.
]],

}
