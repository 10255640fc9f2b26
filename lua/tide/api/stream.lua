return {

classes = { Stream = "a queue of work on a device" },

args = { arg = "any = nil" },

[[
# Stream

A queue of work on a device.

## Purpose

What is queued on one stream runs in order; different streams may run at the same time. Copies and
kernels go to the *current* stream, which belongs to the coroutine and the device. Every call
returns as soon as the work is queued, unless it says that it waits. A stream takes about a thousand
operations that are not done; who queues more waits for some of them, on every device.

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
    text = "a new stream of the current device; `tide.Stream()` is a plain one",
    args = {
      non_blocking = "boolean = false: it and the null stream do not wait for each other",
      priority = [[integer = 0: integer, lower is more urgent, clamped to what the device has
        (−5 to 0)]],
      null = "boolean = false: the singleton `tide.Stream.null`",
      ptds = "boolean = false: the singleton `tide.Stream.ptds`",
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
    text = "the default stream of the calling thread, on the current device",
    example = [[
tide.Stream.ptds.ptr                    --> 2
]] },
  { "tide.Stream.from_external(ptr [, keep])",
    returns = "Stream",
    text = [[
      wraps a `CUstream` of the current device that somebody else made. Never destroyed by tide.
      The pointer of one of tide's own streams gives that stream once more, which then lives
      until both are closed]],
    args = {
      ptr = "pointer: an integer or a light userdata",
      keep = "any: any value, which lives as long as the wrapper",
    },
    example = [[
s = tide.Stream()
tide.Stream.from_external(s.ptr, s) == s  --> true
]] },
  { "tide.ExternalStream(ptr [, device])",
    returns = "Stream",
    text = "the same on a device, by number, spec or object",
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
    waits = "if work on `s` is behind host functions, which it runs then",
    example = [[
tide.Stream().ptr ~= 0                  --> true
]] },
  { "s.device",
    type = "Device",
    text = "of a singleton: the current one",
    example = [[
tide.Stream().device == tide.get_device()  --> true
]] },
  { "s.device_id",
    type = "integer",
    text = "its number; −1 for the singletons",
    example = [[
tide.Stream.null.device_id              --> -1
]] },
  { "s.done",
    type = "boolean",
    text = [[
      has all work on it finished? Does not wait, and runs no host functions: a loop that
      waits for it calls `tide.poll()`]],
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
    text = "after clamping",
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
    text = "current from now on, and its device with it. Inside a scope: until its end",
    example = [[
s = tide.Stream():use()
tide.get_current_stream() == s          --> true
tide.Stream.null:use()
]] },
  { "s:with(fn, ...)",
    returns = "...: what `fn` returns",
    text = "runs `fn(s, ...)` with `s` current; `fn` may yield",
    example = [[
s = tide.Stream()
s:with(function () return tide.ones(3) end):sum():item()  --> 3.0
]] },
  { "s:scope()",
    returns = "Scope",
    text = "`local _ <close> = s:scope()`: current to the end of the block",
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
    raises = "while it captures",
    example = [[
s = tide.Stream()
a = s:with(function () return tide.ones(3) end)
s:synchronize()
]] },
  { "s:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: from 0 on; nil has no end" },
    text = "as `synchronize`; in a task of [`tide.run`](tasks.md) the others go on meanwhile",
    waits = "so long at most; runs host functions",
    raises = "while it captures",
    example = "tide.Stream():await()                   --> true" },
  { "s:record([event])",
    returns = "Event",
    args = { event = "Event" },
    text = "marks this point; in a new event if none is given",
    example = [[
e = tide.Stream():record()
e:synchronize()
e.done                                  --> true
]] },
  { "s:wait_event(e)",
    returns = "s",
    text = [[
      what is queued on `s` from now on comes after what `e` has recorded so far. The host
      does not wait]],
    raises = "if `e` was never recorded",
    example = [[
s, t = tide.Stream(), tide.Stream()
t:wait_event(s:record()) == t           --> true
]] },
  { "s:wait_stream(t)",
    returns = "s",
    text = "what is queued on `s` from now on comes after all that is queued on `t` now",
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
      calls `fn(arg)` when all work queued before is done; work queued after it on `s` starts
      when `fn` has returned]],
    example = [[
s = tide.Stream()
s:launch_host_func(print, "done")
s:synchronize()                         --> done
]] },
  { "s:add_callback(fn, arg)",
    returns = "s",
    text = [[
      the same, called as `fn(s, status, arg)`; status 0: no error; `s` may be closed by then]],
    example = [[
s = tide.Stream()
s:add_callback(function (stream, status, arg) print(status, arg) end, "x")
s:synchronize()                         --> 0 x
]] },
},

[[
They run in your Lua state, at *service points*: calls of tide that wait, or that cannot go on
before one has run, and `tide.poll()`. Never on another thread, never in the middle of an operation,
never inside each other. Current in them is a stream of their own. Work behind a function waits in a
list until Lua has run it, so the device never waits for Lua.

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

What a function queues is queued at that moment, like any statement's work, and so comes after
everything queued before it, the work behind the function too. A function must not wait: a call that
waits raises `CUDA_ERROR_NOT_PERMITTED`, whether or not there is something to wait for. A call that
[other functions must run before](../threads.md#calls-that-serve-first) raises the same error. An
error in the function is raised, with its traceback, by the next call that waits for its stream, for
work behind it or for the device, or by `tide.poll()`; its stream goes on. The whole rule is on one
page: [threads](../threads.md#host-functions).

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
    text = "from here to `end_capture` work is written down, not run",
    waits = "if work on `s` is behind host functions, which it runs then",
    args = {
      mode = [[
        "relaxed" | "thread_local" | "global" = "relaxed": as CUDA's: `"relaxed"` (the default),
        `"thread_local"`, `"global"`]],
    },
    raises = "for `tide.Stream.null`" },
  { "s:end_capture()",
    returns = "Graph",
    example = [[
s = tide.Stream{ non_blocking = true }
s:begin_capture()
s:end_capture()                         --> tide.Graph (0 nodes, host:0)
]],
    raises = "if none began here, or if another stream that joined was not waited for" },
  { "s:is_capturing()",
    returns = "boolean",
    text = "true as well on a stream that joined a capture",
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
    text = "pending work completes",
    raises = "for a default stream, while it captures, and if it is closed",
    example = [[
s = tide.Stream()
s:close()
(pcall(s.close, s))                     --> false
]] },
  { "local _ <close> = s",
    text = "closed at the end of the block, silently, and never a default stream",
    example = [[
do local s <close> = tide.Stream():use() end
tide.Stream.null:use()
]] },
  { "s == t",
    returns = "boolean",
    text = "the same driver stream on the same device",
    example = [[
s = tide.Stream()
s == tide.ExternalStream(s.ptr)         --> true
]] },
  { "tostring(s)",
    returns = "string",
    text = "never waits: `tide.Stream 0x55e0 (cuda:0, non-blocking, priority 0)`",
    example = "tide.Stream.null  --> tide.Stream null (device -1)" },
},

[[
A stream that is collected, or leaves a `<close>` variable, is closed the same way but silently; a
default stream stays as it is. A capture that it had begun is thrown away: streams that joined go on
as before. Closing the current stream leaves it current: the driver's stream lives until nothing
uses it.

## Notes

- Arrays need no events: an operation waits, on the device, for the streams that wrote what it
  reads or still use what it writes. `wait_event` and `wait_stream` are for work that tide does not
  see, and for timing.
- Null stream rules are CUDA's on both kinds of device: work on the null stream waits for the work
  queued before it on all blocking streams, and the other way round. Non-blocking streams do
  neither.
- Work behind a host function does not begin before a service point. A program that queues a
  function and then waits for nothing calls `tide.poll()` now and then.
- Taking `s.ptr` runs the host functions that work on `s` comes after. Work that others queue on a
  pointer taken earlier is not ordered after functions queued since: take `s.ptr` again.
- A Lua state keeps a [limited number](../threads.md#calls-that-serve-first) of operations behind
  host functions.
]],

}
