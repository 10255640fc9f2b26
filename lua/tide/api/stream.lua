return {

classes = { Stream = "a queue of work on a device" },

args = { arg = "any = nil" },

[[
# Stream

A queue of work on a device.

## Purpose

Work queued on one stream runs in order; different streams may run at the same time. Copies and
kernels go to the *current* stream, which belongs to the coroutine and the device. Every call
returns as soon as the work is queued, unless its description says that it waits. A stream holds
about a thousand unfinished operations; queueing more blocks until some have finished. This holds on
every device.

## Example

```lua
local tide = require "tide"

local s = tide.Stream{ non_blocking = true, priority = -1 }
local t = tide.Stream{ non_blocking = true }

local x = s:with(function () return tide.arange(1000) end)
local y = t:with(function () return x * 2 end) -- waits for s, on the device
do
  local _ <close> = s:scope()                  -- the same for a block
  y:add_(1)                                    -- and s for t
end

s:launch_host_func(print, "y is ready")        -- runs in s:synchronize()
s:synchronize()                                --> y is ready
print(y[1000])                                 --> 1999
```

## Making one
]],

{
  { "tide.Stream{ null=, ptds=, non_blocking=, priority= }",
    returns = "Stream",
    text = "returns a new stream of the current device; `tide.Stream()` has the default options",
    args = {
      non_blocking = "boolean = false: the stream does not synchronize with the null stream",
      priority = [[integer = 0: a lower number is more urgent; clamped to the range of the device
        (−5 to 0)]],
      null = "boolean = false: returns the singleton `tide.Stream.null`",
      ptds = "boolean = false: returns the singleton `tide.Stream.ptds`",
    },
    example = [[
s = tide.Stream{ non_blocking = true, priority = -1 }
s.is_non_blocking                       --> true
]] },
  { "tide.Stream.null",
    type = "Stream",
    text = "the legacy default stream of the current device",
    example = [[
tide.Stream.null.ptr                    --> 0
]] },
  { "tide.Stream.ptds",
    type = "Stream",
    text = "the per-thread default stream of the calling thread, on the current device",
    example = [[
tide.Stream.ptds.ptr                    --> 2
]] },
  { "tide.Stream.from_external(ptr [, keep])",
    returns = "Stream",
    text = [[
      wraps a `CUstream` of the current device that other code created; tide never destroys it. For
      the pointer of one of tide's own streams it returns that stream again, which then lives until
      both are closed]],
    args = {
      ptr = "pointer: an integer or a light userdata",
      keep = "any: a value that lives as long as the wrapper",
    },
    example = [[
s = tide.Stream()
tide.Stream.from_external(s.ptr, s) == s  --> true
]] },
  { "tide.ExternalStream(ptr [, device])",
    returns = "Stream",
    text = "as `from_external`, on a device given by number, spec or object",
    args = { ptr = "pointer" },
    example = [[
s = tide.Stream()
tide.ExternalStream(s.ptr, s.device) == s  --> true
]] },
},

[[
## Fields
]],

{
  columns = "type",
  { "s.ptr",
    type = "integer",
    text = "the `CUstream`; 0 and 2 for the singletons",
    waits = "if work on `s` is behind host functions; it runs them then",
    example = [[
tide.Stream().ptr ~= 0                  --> true
]] },
  { "s.device",
    type = "Device",
    text = "the device; for a singleton, the current device",
    example = [[
tide.Stream().device == tide.get_device()  --> true
]] },
  { "s.device_id",
    type = "integer",
    text = "the number of the device; −1 for the singletons",
    example = [[
tide.Stream.null.device_id              --> -1
]] },
  { "s.done",
    type = "boolean",
    text = [[
      tells whether all work on the stream has finished. Does not wait and runs no host functions,
      so a loop that waits for it must call `tide.poll()`]],
    example = [[
s = tide.Stream()
s:synchronize()
s.done                                  --> true
]] },
  { "s.is_non_blocking",
    type = "boolean",
    example = [[
tide.Stream().is_non_blocking           --> false
]] },
  { "s.priority",
    type = "integer",
    text = "the priority, after clamping",
    example = [[
tide.Stream{ priority = -1 }.priority   --> -1
]] },
},

[[
## Methods

### Being current
]],

{
  columns = "returns",
  { "s:use()",
    returns = "s",
    text = [[
      makes the stream and its device current from now on; inside a scope, until the scope ends]],
    example = [[
s = tide.Stream():use()
tide.get_current_stream() == s          --> true
tide.Stream.null:use()
]] },
  { "s:with(fn, ...)",
    returns = "...: what `fn` returns",
    text = "runs `fn(s, ...)` with `s` current, and returns its results; `fn` may yield",
    example = [[
s = tide.Stream()
s:with(function () return tide.ones(3) end):sum():item()  --> 3.0
]] },
  { "s:scope()",
    returns = "Scope",
    text = "makes the stream current until the scope closes: `local _ <close> = s:scope()`",
    example = [[
s = tide.Stream()
do
  local _ <close> = s:scope()
  print(tide.get_current_stream() == s) --> true
end
]] },
},

[[
### Order
]],

{
  columns = "returns",
  { "s:synchronize()",
    waits = "for all work that is on it now; runs host functions",
    raises = "while the stream captures",
    text = "waits until all work on the stream is done",
    example = [[
s = tide.Stream()
a = s:with(function () return tide.ones(3) end)
s:synchronize()
]] },
  { "s:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: the timeout, from 0 on; nil waits without end" },
    text = [[
      as `synchronize`, with a timeout; in a task of [`tide.run`](tasks.md) other tasks run
      meanwhile. Returns true, or nil and `"timeout"`]],
    waits = "for `seconds` at most; runs host functions",
    raises = "while the stream captures",
    example = "tide.Stream():await()                   --> true" },
  { "s:record([event])",
    returns = "Event",
    args = { event = "Event" },
    text = "records an event on the stream, a new one by default, and returns it",
    example = [[
e = tide.Stream():record()
e:synchronize()
e.done                                  --> true
]] },
  { "s:wait_event(e)",
    returns = "s",
    text = [[
      makes all later work on `s` wait for the latest recording of `e`. The host does not wait]],
    raises = "if `e` was never recorded",
    example = [[
s, t = tide.Stream(), tide.Stream()
t:wait_event(s:record()) == t           --> true
]] },
  { "s:wait_stream(t)",
    returns = "s",
    text = [[
      makes all later work on `s` wait for the work that is queued on `t` now. The host does not
      wait]],
    example = [[
s, t = tide.Stream(), tide.Stream()
s:wait_stream(t) == s                   --> true
]] },
},

[[
### Host functions
]],

{
  columns = "returns",
  { "s:launch_host_func(fn, arg)",
    returns = "s",
    text = [[
      queues a call of `fn(arg)`. It runs when all work queued before is done; work queued after it
      on `s` starts when `fn` has returned]],
    example = [[
s = tide.Stream()
s:launch_host_func(print, "done")
s:synchronize()                         --> done
]] },
  { "s:add_callback(fn, arg)",
    returns = "s",
    text = [[
      as `launch_host_func`, called as `fn(s, status, arg)`. Status 0 means no error; `s` may be
      closed by then]],
    example = [[
s = tide.Stream()
s:add_callback(function (stream, status, arg) print(status, arg) end, "x")
s:synchronize()                         --> 0 x
]] },
},

[[
Host functions run in your Lua state, at *service points*: calls of tide that wait, or that need the
function to have run, and `tide.poll()`. They never run on another thread, in the middle of an
operation, or inside each other. While one runs, a stream of its own is current. Work behind a
function waits in a list until Lua has run the function, so the device never waits for Lua.

```lua
local tide = require "tide"

local s = tide.Stream{ non_blocking = true }
local h = tide.HostArray(4)
local a = tide.zeros(4)
s:launch_host_func(function ()
  h:fill(5)                                -- at its place: the copy below takes it
  a:add_(1)                                -- queued now: after all that was queued before
end)
s:with(function () a:copy_from(h) end)
s:synchronize()                            -- the function has run
print(a[1])                                --> 6.0
```

A function's work is queued at the moment of the call, like that of any statement. So it comes after
everything queued before, even after the work behind the function. A function must not wait: a call
that waits raises `CUDA_ERROR_NOT_PERMITTED`, even if there is nothing to wait for. A call that
[needs other functions to run first](../threads.md#calls-that-serve-first) raises the same error. An
error in the function is raised, with its traceback, by the next call that waits for its stream, for
work behind it or for the device, or by `tide.poll()`; its stream goes on. The page
[threads](../threads.md#host-functions) has the complete rule.

### Capture
]],

{
  columns = "returns",
  { "s:begin_capture([mode])",
    returns = "s",
    example = [[
a = tide.zeros(3)
s = tide.Stream{ non_blocking = true }
s:begin_capture()
s:with(function () a:add_(1) end)
s:end_capture():launch()
a[1]                                    --> 1.0
]],
    text = "starts a capture: until `end_capture`, work on the stream is recorded, not run",
    waits = "if work on `s` is behind host functions; it runs them then",
    args = {
      mode = [[
        "relaxed" | "thread_local" | "global" = "relaxed": the capture mode, as in CUDA: `"relaxed"`
        (the default), `"thread_local"`, `"global"`]],
    },
    raises = "for `tide.Stream.null`" },
  { "s:end_capture()",
    returns = "Graph",
    text = "ends the capture and returns its graph",
    example = [[
s = tide.Stream{ non_blocking = true }
s:begin_capture()
s:end_capture()                         --> tide.Graph (0 nodes, host:0)
]],
    raises = [[
      if no capture began on this stream, or if a stream that joined the capture was not waited
      for]] },
  { "s:is_capturing()",
    returns = "boolean",
    text = "tells whether the stream captures; true also for a stream that joined a capture",
    example = [[
tide.Stream():is_capturing()            --> false
]] },
},

[[
### End
]],

{
  columns = "returns",
  { "s:close()",
    text = "closes the stream; pending work completes",
    raises = "for a default stream, while it captures, and if it is closed",
    example = [[
s = tide.Stream()
s:close()
(pcall(s.close, s))                     --> false
]] },
  { "local _ <close> = s",
    text = [[
      closes the stream at the end of the block, without raising; a default stream stays open]],
    example = [[
do local s <close> = tide.Stream():use() end
tide.Stream.null:use()
]] },
  { "s == t",
    returns = "boolean",
    text = "tells whether both are the same driver stream on the same device",
    example = [[
s = tide.Stream()
s == tide.ExternalStream(s.ptr)         --> true
]] },
  { "tostring(s)",
    returns = "string",
    text = [[
      formats the stream, without waiting:
      `tide.Stream 0x55e0 (cuda:0, non-blocking, priority 0)`]],
    example = "tide.Stream.null  --> tide.Stream null (device -1)" },
},

[[
A stream that is collected, or leaves a `<close>` variable, is closed in the same way but without
raising; a default stream stays as it is. A capture that it had begun is discarded, and streams that
joined it go on as before. Closing the current stream leaves it current, because the driver's stream
lives until nothing uses it.

## Notes

- Arrays need no events: an operation waits, on the device, for the streams that wrote its operands
  or still use its result. `wait_event` and `wait_stream` are for work that tide does not see, and
  for timing.
- The null stream follows CUDA's rules on both kinds of device. Work on it waits for the work queued
  before on all blocking streams, and they wait for it. Non-blocking streams do neither.
- Work behind a host function does not begin before a service point. A program that queues a
  function and never waits must call `tide.poll()` now and then.
- Reading `s.ptr` runs the host functions that work on `s` comes after. Work that other code queues
  on a pointer read earlier is not ordered after functions queued since; read `s.ptr` again.
- A Lua state keeps a [limited number](../threads.md#calls-that-serve-first) of operations behind
  host functions.
]],

}
