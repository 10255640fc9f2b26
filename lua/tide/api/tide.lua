return {

classes = { Progress = "how much of what was queued is done" },

args = { spec = "spec" },

objects = { p = "Progress" },


[[
# tide

The module: what `require "tide"` returns.

## Purpose

Loading it calls no driver and starts no thread; the first function that needs a device does. It
sets no global. The types have pages of their own: [Device](device.md), [Stream](stream.md),
[Scope](scope.md), [Event](event.md), [Graph](graph.md), [Array](array.md),
[HostArray](hostarray.md), [Complex](complex.md); kernels of yours are on that of
[Kernels](kernels.md). The functions that make and combine arrays (`tide.zeros`, `tide.add` …)
are on the page of Array; those about memory (`tide.memory_limit`, `tide.scope` …) on that of
[Memory](memory.md).

## Example

```lua
local tide = require "tide"

for i, device in ipairs(tide.devices()) do
  print(i, device, device.name)
end

local s = tide.Stream{ non_blocking = true }
local y = tide.with_stream(s, function ()
  return tide.arange(5) * 10
end)
print(y:sum():item())                          --> 100
```

## Fields
]],

{
  { "tide._VERSION",
    text = [[`"tide 0.1.0"`]],
    type = "string",
    example = [[tide._VERSION:match "%a+"  --> tide]] },
  { "tide.Stream",
    text = [[
      makes streams when called; holds `null`, `ptds`, `from_external`: see
      [Stream](stream.md)]],
    see = "tide.Stream" },
},

[[
## Functions

### Devices
]],

{
  columns = "returns",
  { "tide.devices([kind])",
    args = { kind = '"cuda" | "host" = nil: which' },
    text = "all that work: CUDA's first, then the host's; prints as `{cuda:0, host:0}`",
    returns = "Device[]: list of Device",
    example = "tide.devices()[#tide.devices()]  --> host:0" },
  { "tide.Device([spec])",
    returns = "Device",
    text = [[
      `0`, `"cuda"`, `"cuda:1"`, `"host"`, `"host:1"`; a Device is returned as it is; without an
      argument, the current one. A number
      counts CUDA devices, or host devices where there are none. Raises, and says why, if it
      cannot be had]],
    args = {
      spec = "spec",
    },
    example = [[tide.Device "host" == tide.Device "host:0"  --> true]] },
  { "tide.get_device()",
    returns = "Device",
    text = "the current device of this coroutine",
    example = "tide.get_device()  --> host:0" },
  { "tide.with_device(dev, fn, ...)",
    text = "runs `fn(dev, ...)` with `dev` current; `fn` may yield. `dev` may be a spec",
    returns = "...: what `fn` returns",
    example = [[tide.with_device("host", function (dev) return dev.kind end)  --> host]] },
},

[[
### Streams and events
]],

{
  columns = "returns",
  { "tide.Stream{ ... }",
    returns = "Stream",
    text = "a new stream; options on the page of [Stream](stream.md)",
    see = "tide.Stream" },
  { "tide.ExternalStream(ptr [, device])",
    returns = "Stream",
    text = "wraps a stream made by somebody else",
    see = "tide.ExternalStream" },
  { "tide.Event{ ... }",
    returns = "Event",
    text = "a new event; options on the page of [Event](event.md)",
    see = "tide.Event" },
  { "tide.get_current_stream([device])",
    returns = "Stream",
    text = [[
      the stream that is current for this coroutine on that device (the current one by
      default)]],
    example = "tide.get_current_stream()  --> tide.Stream null (device -1)" },
  { "tide.with_stream(s, fn, ...)",
    text = "runs `fn(s, ...)` with `s` current",
    returns = "...: what `fn` returns",
    example = [[
s = tide.Stream()
tide.with_stream(s, function () return tide.get_current_stream() end) == s  --> true
]] },
  { "tide.with_stream(fn, ...)",
    text = "the same on a new non-blocking stream that is closed afterwards",
    returns = "...: what `fn` returns",
    example = "tide.with_stream(function (s) return s.is_non_blocking end)  --> true" },
  { "tide.get_elapsed_time(e1, e2)",
    text = "from one recorded event to another",
    raises = "if one is without timing, was never recorded, or has not finished",
    returns = "number: milliseconds",
    args = {
      e1 = "Event",
      e2 = "Event",
    },
    example = [[
e1 = tide.Event():record()
e2 = tide.Event():record()
e2:synchronize()
tide.get_elapsed_time(e1, e2) >= 0      --> true
]] },
  { "tide.capture(fn, ...)",
    text = "captures what `fn` queues: see [Graph](graph.md)",
    see = "tide.capture",
    returns = "Graph, ...: Graph, then what `fn` returns" },
  { "tide.wrap(fn)",
    text = [[
      as `coroutine.wrap`, but the coroutine starts with the device and the stream that are
      current here]],
    returns = "function",
    example = [[
s = tide.Stream():use()
f = tide.wrap(function () return tide.get_current_stream() == s end)
tide.Stream.null:use()
f()                                     --> true
]] },
  { "tide.inherit()",
    text = [[
      what is current here; the first half of `tide.wrap`, for schedulers that make coroutines
      themselves]],
    returns = "userdata: token",
    example = [[
token = tide.inherit()
f = coroutine.wrap(function () tide.inherit(token); return tide.get_device() end)
f()                                     --> host:0
]] },
  { "tide.inherit(token)",
    text = "makes current for this coroutine what was current there",
    args = {
      token = "userdata",
    },
    example = "tide.inherit(tide.inherit())" },
},

[[
Whatever way `with_stream`, `with_device` and `capture` end — return, error, `coroutine.close` —
what was current before is current again. An error passes through unchanged.

### Waiting
]],

{
  columns = "returns",
  { "tide.poll([seconds])",
    returns = "integer: how many host functions it ran",
    text = [[
      runs the [host functions](stream.md#host-functions) that are due, resumes
      [coroutines](loops.md) whose waits are over and frees what was dropped. It never waits, or,
      if there is nothing to do, for so many `seconds` until there is]],
    args = { seconds = "number = 0: from 0 on" },
    raises = "with `seconds`, in a host function",
    example = "tide.poll()  --> 0" },
  { "tide.pollfd()",
    returns = "integer: a descriptor",
    text = [[
      for [event loops](loops.md): readable when `tide.poll()` has something to do. It is the same
      one each time; do not read it, nor close it]],
    example = "tide.pollfd() > 0  --> true" },
  { "tide.debug_sync([on])",
    returns = "boolean",
    text = [[
      whether it was on until now. While on, each call waits until the operation that it
      queued is done, so that the call whose work fails is the one that raises: see
      [errors](../errors.md#a-device-that-fails). Nothing is waited for in a capture, nor in a
      host function for what waits for it. For this Lua state only]],
    args = {
      on = "boolean",
    },
    example = "tide.debug_sync()  --> false" },
  { "tide.sync_debug([mode])",
    text = [[
      the mode until now, and how often the host has waited so far. Modes: `"off"`, `"warn"`
      (each wait says where through Lua's `warn`), `"error"` (each wait raises). Where nothing
      is left to wait for, none is seen: the host device does little work on the spot]],
    returns = "string, integer",
    args = {
      mode = [["off" | "warn" | "error"]],
    },
    example = [[
before = tide.sync_debug "error"
pcall(tide.get_device)
tide.sync_debug(before)
]] },
  { "tide.clock()",
    text = "a clock that never goes back, from an arbitrary moment",
    returns = "number: seconds",
    example = [[
start = tide.clock()
tide.clock() >= start                   --> true
]] },
},

[[
### Errors
]],

{
  columns = "returns",
  { "tide.unhandled_errors([mode])",
    text = [[
      the mode until now. When the Lua state closes, it reports the errors that nothing has waited
      for, and the host functions that never ran. A [scope](scope.md) that was never closed is
      reported when the collector finds it. Modes: `"stderr"` (the default, or what
      `TIDE_UNHANDLED_ERRORS` says), `"warn"` (through Lua's `warn`), `"off"`. The command
      `tide` exits with a status that is not 0 after such a report, unless the program called
      `os.exit`: then the status is the one given to `os.exit`]],
    returns = "string",
    args = {
      mode = [["stderr" | "warn" | "off"]],
    },
    example = [[tide.unhandled_errors()  --> stderr]] },
  { "tide.errorinfo(err)",
    text = [[
      `{ call =, name =, code = }` of a driver's error message: see [errors](../errors.md). An
      error of a host function has `stream =` and `queued =` as well, as in the message; its
      `call` is `"host function"` unless the function met a driver's error. Returns nil for any
      other value: tide's other errors, errors of Lua, values that are no strings]],
    returns = "table?: table or nil",
    args = {
      err = "any",
    },
    example = [[
ok, err = pcall(tide.zeros, 2^46)
tide.errorinfo(err).name                --> CUDA_ERROR_OUT_OF_MEMORY
]] },
},

[[
### Printing
]],

{
  columns = "returns",
  { "tide.printoptions([{ threshold=, edgeitems=, precision=, linewidth=, suppress= }])",
    text = [[
      how arrays print, for this Lua state; what is not named stays. Those until now, which
      can be given back]],
    returns = "table",
    args = {
      threshold = "integer = 1000",
      edgeitems = "integer = 3",
      precision = "integer = 8",
      linewidth = "integer = 75",
      suppress = "boolean = false",
    },
    example = [[
before = tide.printoptions{ precision = 3 }
tide.array{ 1 / 3 }                     --> [0.333]
tide.printoptions(before)
]] },
},

[[
The options are NumPy's. Of arrays with more elements than `threshold` (1000) only `edgeitems` (3)
at each end of a long axis are shown, and fetched. Floats have the fewest digits that mean them, at
most `precision` (8) behind the point; an exponent where the largest is 10^8 or more, the smallest
less than 0.0001, or one more than 1000 times the other, unless `suppress` (false) leaves the small
ones without. Lines end at `linewidth` (75).

```lua
local tide = require "tide"

local before = tide.printoptions{ precision = 3, suppress = true }
print(tide.array{ 1 / 3, 1e-5, 2 })
tide.printoptions(before)
print(tide.array{ 1 / 3, 1e-5, 2 })
print(tide.zeros{ 0, 3 }.shape)
```

```text
tide.Array 3 float64 host:0
[0.333 0.    2.   ]
tide.Array 3 float64 host:0
[3.33333333e-01 1.00000000e-05 2.00000000e+00]
{0, 3}
```

### Help
]],

{
  columns = "returns",
  { "tide.help([what])",
    returns = "string",
    text = [=[
      what these pages say of a function, a method, a field, an operator, a type or a page, by any
      of its names (`"zeros"`, `"tide.zeros"`, `"Array.sum"`, `"a:sum"`, `"+"`, `"events"`), of a
      function of tide, or of the type of an object. Of anything else: what comes near. At a prompt
      it is shown: `> tide.help "sum"`]=],
    args = { what = "any = nil" },
    example = [=[
tide.help "tide.clock":match "[^\n]+"    --> tide.clock() -> number
]=] },
  { "tide.progress([total] [, label])",
    text = [[
      counts completed work on the last line of a terminal, with rate and time left; off one it
      prints nothing. See [the prompt](../prompt.md#progress)]],
    args = {
      total = "number?: of pieces, from 0 on; without it there is no bar",
      label = "string?",
    },
    returns = "Progress",
    example = [[
p = tide.progress(3, "frames")
for i = 1, 3 do tide.ones(10):add_(i) p:add() end
tide.get_device():synchronize()
p:completed()                           --> 3
p:close()
]] },
  { "p:add([n])",
    text = "what was queued on the current stream since the last time is `n` pieces",
    args = { n = "number = 1: from 0 on" },
    returns = "p",
    raises = "in a capture: count the launches of its graph",
    example = "p = tide.progress():add(2)" },
  { "p:completed()",
    text = "how many pieces are done by now",
    returns = "number",
    example = "tide.progress():completed()             --> 0" },
  { "p:close()",
    text = "ends the line",
    waits = "for all that was counted",
    raises = "if it is closed",
    example = "tide.progress():close()" },
  { "local _ <close> = p",
    text = "closed at the end of the block; after an error it does not wait",
    waits = "for all that was counted",
    example = "do local p <close> = tide.progress() end" },
  { "tostring(p)",
    text = "the line, or `tide.Progress (closed)`",
    example = [[
p = tide.progress()
p:close()
tostring(p)                             --> tide.Progress (closed)
]] },
},

[[
## Environment

Read once, when first needed; empty is as good as not set. A wrong value raises in the line where
the device is first used: `TIDE_HOST_DEVICES must be an integer from 1 to 64, got '65'`.
`require "tide"` raises for a wrong `TIDE_DEFAULT_STREAM` or `TIDE_UNHANDLED_ERRORS`.
]],

{
  head = { "", "" },
  { "`TIDE_DEVICE`",
    [[the default device: `auto` (the default: `cuda:0` if it works, else `host:0`) or any spec
      of `tide.Device`. What cannot be had is an error that says why]] },
  { "`TIDE_DEFAULT_STREAM`",
    [[what is current in a coroutine that has chosen nothing: `null` (the default), `ptds`, or
      `own`: a stream of its own for each coroutine and device]] },
  { "`TIDE_UNHANDLED_ERRORS`",
    [[where errors are reported that nothing has waited for: `stderr` (the default), `warn` or
      `off`; see `tide.unhandled_errors`. `require "tide"` raises if it is anything else]] },
  { "`TIDE_HOST_DEVICES`",
    "how many host devices there are, from 1 to 64 (1)" },
  { "`TIDE_HOST_MEMORY`",
    [[memory of each host device, in bytes, or with a unit: `512K`, `10M`, `1.5G` (what the
      machine has, or what `setrlimit` leaves of it when the first device is used; later changes
      of that limit do not count)]] },
  { "`TIDE_HOST_DELAYS`",
    [[`seed:microseconds`: the host device waits at random before each job, up to so long. For
      testing]] },
  { "`TIDE_HOST_FAULTS`",
    [[what an index out of range in a raw parameter of a kernel does on the host device: `raise`
      (the default), an error of the next wait that comes after the kernel; `sticky`, the end of
      the device until its reset, as on a GPU]] },
  { "`TIDE_BLAS`",
    [[the library for products of floats on the host device, one with `cblas_sgemm`, or `none`;
      one that is named is loaded with the device (OpenBLAS or BLIS where installed, else tide's
      own loops)]] },
  { "`TIDE_LIBCUBLAS`",
    [[the cuBLAS library, for large products of floats on a GPU, or `none` (`libcublas.so.13`,
      `.12`, or that in `/usr/local/cuda/lib64`; where there is none, tide's own kernel)]] },
  { "`TIDE_LIBCUDA`",
    "the CUDA driver library (`libcuda.so.1`)" },
  { "`TIDE_LIBNCCL`",
    "NCCL, for [ranks](dist.md) on GPUs (`libnccl.so.2`)" },
  { "`TIDE_LIBNVRTC`",
    [[the library that compiles [kernels of yours](kernels.md) (`libnvrtc.so.13`, `.12` or any,
      in the loader's path, `$CUDA_HOME/lib64` or `/usr/local/cuda/lib64`)]] },
  { "`TIDE_LIBPNG`",
    "the library for [PNG](image.md) (`libpng16.so.16`)" },
  { "`TIDE_CACHE_DIR`",
    [[where what it compiled is kept; empty: nowhere (`$XDG_CACHE_HOME/tide`, or
      `~/.cache/tide`). [Which files it trusts](kernels.md#the-cache-on-disk)]] },
  { "`TIDE_CACHE_SIZE`",
    "how many MiB may be kept there (256); 0: nothing" },
},

[[
## Notes

- Every option is checked: `tide.Stream{ prioirty = 1 }` raises `unknown option 'prioirty'; did you
  mean 'priority'?`. So is every field and method.
- A new coroutine does not inherit the current device and stream, since Lua does not tell a library
  who made it. `tide.wrap` does.
]],

}
