return {

classes = { Event = "a point in the work of a stream" },

[[
# Event

A point in the work of a stream.

## Purpose

An event recorded on a stream is *done* when all work queued there before has finished. Events
measure time on the device, let one stream wait for a point of another, and let the host wait for
that point and no more.

## Example

```lua
local tide = require "tide"

local x = tide.arange(1000000, "float32")
local e1 = tide.Event():record()               -- on the current stream
local y = x * x + 8
local e2 = tide.get_current_stream():record()  -- a new event

local s = tide.Stream{ non_blocking = true }
s:wait_event(e2)                               -- the device waits, not Lua
local h = s:with(function () return y:tohost{ blocking = false } end)

e2:synchronize()                               -- now Lua waits, for y
print(("%.3f ms"):format(tide.get_elapsed_time(e1, e2)))
print(h[3])                                    --> 12.0
```

## Making one
]],

{
  { "tide.Event{ block=, disable_timing=, interprocess= }",
    returns = "Event",
    text = "an event of the current device, all options false",
    args = {
      disable_timing = "boolean = false: cheaper, no times",
      block = "boolean = false: CUDA's flag of that name",
      interprocess = [[
        boolean = false: other processes may have it (`tide.ipc`); needs `disable_timing`]],
    },
    example = [[
e = tide.Event{ disable_timing = true }
e.done                                  --> true
]] },
  { "s:record()", see = "Stream:record", text = "a plain event, recorded" },
},

[[
## Fields
]],

{
  columns = "type",
  { "e.done",
    type = "boolean",
    text = [[
      has what it recorded last finished? True if it never recorded, false while the recording is
      behind a host function that has not run. Does not wait, and runs no
      host functions: a loop that waits for it calls `tide.poll()`]],
    example = [[
e = tide.Event()
e.done                                  --> true
]] },
  { "e.device",
    type = "Device",
    example = "tide.Event().device == tide.get_device()  --> true" },
  { "e.ptr",
    type = "integer",
    text = "the `CUevent`",
    waits = "if the recording is behind host functions, which it runs then",
    example = "tide.Event().ptr ~= 0                   --> true" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "e:record([stream])",
    returns = "e",
    text = [[
      marks this point of the stream (the current one of its device by default). Again: the
      older recording is forgotten]],
    args = { stream = "Stream" },
    example = [[
s = tide.Stream()
e = tide.Event():record(s)
e:synchronize()
e.done                                  --> true
]] },
  { "e:synchronize()",
    waits = "for it; runs host functions",
    raises = "if it was never recorded",
    example = [[
e = tide.Event():record()
e:synchronize()
e.done                                  --> true
]] },
  { "e:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: from 0 on; nil has no end" },
    text = "as `synchronize`; in a task of [`tide.run`](tasks.md) the others go on meanwhile",
    waits = "so long at most; runs host functions",
    raises = "if it was never recorded",
    example = "tide.Event():record():await()           --> true" },
  { "e:close()",
    text = "waits that were queued keep what they saw",
    raises = "if it is closed",
    example = [[
e = tide.Event()
e:close()
(pcall(e.close, e))                     --> false
]] },
  { "local _ <close> = e",
    text = "closed at the end of the block, silently",
    example = [[
do local e <close> = tide.Event():record() end
]] },
  { "tostring(e)",
    returns = "string",
    text = "never waits: `tide.Event 0x55e0 (cuda:0, done)`",
    example = [[
tostring(tide.Event()):match "%(.*%)"   --> (host:0, never recorded)
]] },
},

[[
`tide.get_elapsed_time(e1, e2)` gives the milliseconds between two events.

## Notes

- A wait holds the recording that it saw: recording the event again does not move it.
- CUDA lets a stream wait for an event that was never recorded, and the wait does nothing. Here it
  raises `event was never recorded`.
- An event recorded while a stream captures is a point of the graph and not of time: it may be
  waited for in that capture, and everything else raises `CUDA_ERROR_CAPTURED_EVENT`.
- An interprocess event goes to other processes by [tide.ipc](ipc.md), and each of them records it
  and waits for it. It cannot be recorded in a capture, as CUDA's cannot. Its `e.ptr` is an ordinary
  CUDA event, which `cuIpcGetEventHandle` refuses: recordings of several streams are done in any
  order, while of CUDA's own each waits for the one before.
- Times are the device's own, about half a microsecond apart at best on a GPU.
]],

}
