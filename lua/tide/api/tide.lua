return {

classes = { Progress = "a progress bar that counts completed work" },

args = { spec = "spec" },

objects = { p = "Progress" },


[[
# tide

The module: what `require "tide"` returns.

## Purpose

Loading it calls no driver and starts no thread; the first function that needs a device does. It
sets no global variable. The types have pages of their own: [Device](device.md),
[Stream](stream.md), [Scope](scope.md), [Event](event.md), [Graph](graph.md), [Array](array.md),
[HostArray](hostarray.md), [Complex](complex.md); user-defined kernels are on the page
[Kernels](kernels.md). The functions that make and combine arrays (`tide.zeros`, `tide.add` …) are
on the page of Array; those about memory (`tide.memory_limit`, `tide.scope` …) on that of
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
      makes streams when called; has the fields `null`, `ptds` and `from_external`: see
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
    args = { kind = [["cuda" | "host" = nil: the kind of device]] },
    text = [[
      returns all working devices, CUDA's first, then the host's; prints as `{cuda:0, host:0}`]],
    returns = "Device[]: list of Device",
    example = "tide.devices()[#tide.devices()]  --> host:0" },
  { "tide.Device([spec])",
    returns = "Device",
    text = [[
      returns a device. `spec` is `0`, `"cuda"`, `"cuda:1"`, `"host"`, `"host:1"`, or a Device,
      which is returned as it is; by default the current device. A number counts CUDA devices, or
      host devices if there are none. Raises with the reason if the device is not available]],
    args = {
      spec = "spec",
    },
    example = [[tide.Device "host" == tide.Device "host:0"  --> true]] },
  { "tide.get_device()",
    returns = "Device",
    text = "returns the current device of this coroutine",
    example = "tide.get_device()  --> host:0" },
  { "tide.with_device(dev, fn, ...)",
    text = [[
      runs `fn(dev, ...)` with `dev` current, and returns its results; `fn` may yield. `dev` may be
      a spec]],
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
    text = "returns a new stream; options on the page of [Stream](stream.md)",
    see = "tide.Stream" },
  { "tide.ExternalStream(ptr [, device])",
    returns = "Stream",
    text = "wraps a stream that other code created",
    see = "tide.ExternalStream" },
  { "tide.Event{ ... }",
    returns = "Event",
    text = "returns a new event; options on the page of [Event](event.md)",
    see = "tide.Event" },
  { "tide.get_current_stream([device])",
    returns = "Stream",
    text = [[
      returns the current stream of this coroutine on that device, by default on the current one]],
    example = "tide.get_current_stream()  --> tide.Stream null (device -1)" },
  { "tide.with_stream(s, fn, ...)",
    text = "runs `fn(s, ...)` with `s` current, and returns its results",
    returns = "...: what `fn` returns",
    example = [[
s = tide.Stream()
tide.with_stream(s, function () return tide.get_current_stream() end) == s  --> true
]] },
  { "tide.with_stream(fn, ...)",
    text = "as above, on a new non-blocking stream that is closed afterwards",
    returns = "...: what `fn` returns",
    example = "tide.with_stream(function (s) return s.is_non_blocking end)  --> true" },
  { "tide.get_elapsed_time(e1, e2)",
    text = "returns the time from one recorded event to another",
    raises = "if an event has timing disabled, was never recorded, or has not finished",
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
    text = "captures the work that `fn` queues: see [Graph](graph.md)",
    see = "tide.capture",
    returns = "Graph, ...: Graph, then what `fn` returns" },
  { "tide.wrap(fn)",
    text = "as `coroutine.wrap`, but the coroutine inherits the current device and stream",
    returns = "function",
    example = [[
s = tide.Stream():use()
f = tide.wrap(function () return tide.get_current_stream() == s end)
tide.Stream.null:use()
f()                                     --> true
]] },
  { "tide.inherit()",
    text = [[
      returns a token for the current device and stream: the first half of `tide.wrap`, for
      schedulers that create coroutines themselves]],
    returns = "userdata: token",
    example = [[
token = tide.inherit()
f = coroutine.wrap(function () tide.inherit(token); return tide.get_device() end)
f()                                     --> host:0
]] },
  { "tide.inherit(token)",
    text = "makes the device and stream of the token current for this coroutine",
    args = {
      token = "userdata",
    },
    example = "tide.inherit(tide.inherit())" },
},

[[
However `with_stream`, `with_device` and `capture` end (return, error, `coroutine.close`), they
restore the previous device and stream. An error passes through unchanged.

### Waiting
]],

{
  columns = "returns",
  { "tide.poll([seconds])",
    returns = "integer: the number of host functions it ran",
    text = [[
      runs the [host functions](stream.md#host-functions) that are due, resumes
      [coroutines](loops.md) whose waits are over, and frees dropped objects. Without `seconds` it
      never waits; with `seconds` it waits up to that time until there is something to do]],
    args = { seconds = "number = 0: from 0 on" },
    raises = "with `seconds`, in a host function",
    example = "tide.poll()  --> 0" },
  { "tide.pollfd()",
    returns = "integer: a file descriptor",
    text = [[
      returns a descriptor for [event loops](loops.md), which is readable when `tide.poll()` has
      something to do. It is the same each time; do not read from it or close it]],
    example = "tide.pollfd() > 0  --> true" },
  { "tide.debug_sync([on])",
    returns = "boolean",
    text = [[
      turns synchronous mode on or off for this Lua state; returns the previous setting. While it is
      on, each call waits until its operation is done, so the call whose work fails is the one that
      raises: see [errors](../errors.md#a-device-that-fails). Captures do not wait, and host
      functions do not wait for work behind them]],
    args = {
      on = "boolean",
    },
    example = "tide.debug_sync()  --> false" },
  { "tide.host_threads([n])",
    text = [[
      returns how many workers may share one launch of the host device; `n`, from 1 to 64, sets it
      for the whole process: launches that begin from now on use no more. Streams still run beside
      each other. An OpenBLAS that the host device uses gets no more threads either. See [How
      fast](../how-fast.md#threads-of-the-host-device)]],
    returns = "integer: the number until now",
    args = { n = "integer" },
    example = [[
before = tide.host_threads(1)
tide.host_threads(before)               --> 1
]] },
  { "tide.sync_debug([mode])",
    text = [[
      sets the mode in which waits of the host are reported; returns the previous mode and the
      number of waits so far. Modes: `"off"`; `"warn"`: each wait reports its line through Lua's
      `warn`; `"error"`: each wait raises. A wait with nothing left to wait for is not reported,
      because the host device does small work immediately]],
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
    text = "returns a monotonic time, from an arbitrary start",
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
      sets the mode in which unhandled errors are reported; returns the previous mode. When the Lua
      state closes, it reports the errors that nothing has waited for, and the host functions that
      never ran. A [scope](scope.md) that was never closed is reported when the collector finds it.
      Modes: `"stderr"` (the default, or the value of `TIDE_UNHANDLED_ERRORS`), `"warn"` (through
      Lua's `warn`), `"off"`. After such a report the command `tide` exits with a nonzero status,
      unless the program called `os.exit`: then the status is the one given to `os.exit`]],
    returns = "string",
    args = {
      mode = [["stderr" | "warn" | "off"]],
    },
    example = [[tide.unhandled_errors()  --> stderr]] },
  { "tide.errorinfo(err)",
    text = [[
      returns `{ call =, name =, code = }` of a driver's error message: see [errors](../errors.md).
      An error of a host function also has `stream =` and `queued =`, as in the message; its `call`
      is `"host function"` unless the function itself got a driver's error. Returns nil for any
      other value: other errors of tide, errors of Lua, values that are not strings]],
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
      sets how arrays print, for this Lua state; options that are not given stay. Returns the
      previous options, which can be passed to it again]],
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
The options are NumPy's. Arrays with more than `threshold` (1000) elements show, and fetch, only
`edgeitems` (3) at each end of a long axis. Floats have the fewest digits that identify them, with
at most `precision` (8) behind the point. They have an exponent if the largest is 10^8 or more, the
smallest is less than 0.0001, or one is more than 1000 times another; `suppress` (false) disables
this for small numbers. Lines end at `linewidth` (75).

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
    text = [[
      returns the text of these pages about a function, a method, a field, an operator, a type or a
      page, by any of its names (`"zeros"`, `"tide.zeros"`, `"Array.sum"`, `"a:sum"`, `"+"`,
      `"events"`); or about a function of tide, or the type of an object. For an unknown name it
      suggests similar ones. At a prompt: `> tide.help "sum"`]],
    args = { what = "any = nil" },
    example = [=[
tide.help "tide.clock":match "[^\n]+"    --> tide.clock() -> number
]=] },
  { "tide.progress([total] [, label])",
    text = [[
      counts completed work on the last line of a terminal, with the rate and the remaining time; if
      stderr is not a terminal it prints nothing. See [the prompt](../prompt.md#progress)]],
    args = {
      total = "number?: the number of pieces, from 0 on; without it there is no bar",
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
    text = "counts the work queued on the current stream since the last call as `n` pieces",
    args = { n = "number = 1: from 0 on" },
    returns = "p",
    raises = "in a capture: count the launches of its graph",
    example = "p = tide.progress():add(2)" },
  { "p:completed()",
    text = "returns the number of completed pieces",
    returns = "number",
    example = "tide.progress():completed()             --> 0" },
  { "p:close()",
    text = "ends the progress line",
    waits = "for all counted work",
    raises = "if it is closed",
    example = "tide.progress():close()" },
  { "local _ <close> = p",
    text = "closes it at the end of the block; after an error without waiting",
    waits = "for all counted work",
    example = "do local p <close> = tide.progress() end" },
  { "tostring(p)",
    text = "returns the progress line, or `tide.Progress (closed)`",
    example = [[
p = tide.progress()
p:close()
tostring(p)                             --> tide.Progress (closed)
]] },
},

[[
## Environment

Each variable is read once, when first needed; an empty one counts as unset. A wrong value raises in
the line where the device is first used: `TIDE_HOST_DEVICES must be an integer from 1 to 64, got
'65'`. `require "tide"` raises for a wrong `TIDE_DEFAULT_STREAM` or `TIDE_UNHANDLED_ERRORS`.
]],

{
  head = { "", "" },
  { "`TIDE_DEVICE`",
    [[the default device: `auto` (the default: `cuda:0` if it works, else `host:0`) or any spec
      of `tide.Device`. An unavailable device is an error that gives the reason]] },
  { "`TIDE_DEFAULT_STREAM`",
    [[the current stream of a coroutine that has chosen none: `null` (the default), `ptds`, or
      `own`: a stream of its own for each coroutine and device]] },
  { "`TIDE_UNHANDLED_ERRORS`",
    [[where unhandled errors are reported: `stderr` (the default), `warn` or
      `off`; see `tide.unhandled_errors`. `require "tide"` raises if it is anything else]] },
  { "`TIDE_HOST_DEVICES`",
    "the number of host devices, from 1 to 64 (1)" },
  { "`TIDE_HOST_THREADS`",
    [[how many workers share one launch of the host device, from 1 to 64, until `tide.host_threads`
      changes it (one for each core)]] },
  { "`TIDE_HOST_MEMORY`",
    [[memory of each host device, in bytes, with a unit: `512K`, `10M`, `1.5G`, or as a share of
      the default: `50%` (the memory of the machine, or the limit of `setrlimit` when the first
      device is used; later changes of that limit have no effect)]] },
  { "`TIDE_HOST_DELAYS`",
    [[`seed:microseconds`: the host device waits at random before each job, up to this time. For
      testing]] },
  { "`TIDE_HOST_FAULTS`",
    [[the effect of an index out of range in a raw parameter of a kernel on the host device: `raise`
      (the default): the next wait after the kernel raises; `sticky`: the device fails until its
      reset, as a GPU does]] },
  { "`TIDE_BLAS`",
    [[the library with `cblas_sgemm` for products of floats on the host device, or `none`; a named
      library is loaded with the device (OpenBLAS or BLIS where installed, else tide's own
      loops). Its LAPACK serves [tide.linalg](linalg.md); if it has none, `liblapack.so.3` does,
      where it is installed]] },
  { "`TIDE_LIBCUBLAS`",
    [[the cuBLAS library, for large products of floats on a GPU, or `none` (`libcublas.so.13`,
      `.12`, or the one in `/usr/local/cuda/lib64`; otherwise tide's own kernel)]] },
  { "`TIDE_LIBCUDA`",
    "the CUDA driver library (`libcuda.so.1`)" },
  { "`TIDE_LIBCUFFT`",
    [[the cuFFT library, for [Fourier transforms](fft.md) on a GPU, or `none` (`libcufft.so.12`,
      `.11`, or the one in `/usr/local/cuda/lib64`)]] },
  { "`TIDE_LIBCUSOLVER`",
    [[the cuSOLVER library, for [tide.linalg](linalg.md) on a GPU, or `none` (`libcusolver.so.12`,
      `.11`, or the one in `/usr/local/cuda/lib64`)]] },
  { "`TIDE_LIBNCCL`",
    "NCCL, for [ranks](dist.md) on GPUs (`libnccl.so.2`)" },
  { "`TIDE_LIBNVRTC`",
    [[the library that compiles [your kernels](kernels.md) (`libnvrtc.so.13`, `.12` or any,
      in the loader's path, `$CUDA_HOME/lib64` or `/usr/local/cuda/lib64`)]] },
  { "`TIDE_LIBPNG`",
    "the library for [PNG](image.md) (`libpng16.so.16`)" },
  { "`TIDE_LIBZ`",
    "zlib, for [compressed archives](npy.md) (`libz.so.1`)" },
  { "`TIDE_CACHE_DIR`",
    [[the folder for compiled kernels; empty: none (`$XDG_CACHE_HOME/tide`, or
      `~/.cache/tide`). [Which files it trusts](kernels.md#the-cache-on-disk)]] },
  { "`TIDE_CACHE_SIZE`",
    "the maximum size of this folder in MiB (256); 0: nothing is kept" },
},

[[
## Notes

- Every option, field and method is checked: `tide.Stream{ prioirty = 1 }` raises
  `unknown option 'prioirty'; did you mean 'priority'?`.
- A new coroutine does not inherit the current device and stream, because Lua does not tell a
  library which coroutine created it. `tide.wrap` passes them on.
]],

}
