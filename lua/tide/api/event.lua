return {

classes = { Event = "a point in the work of a stream" },

[[
# Event

A point in the work of a stream.

## Purpose

An event recorded on a stream is *done* when all work queued there before has finished. Events
measure time on the device. They let one stream, or the host, wait for a point of another stream and
no further.

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
    text = "returns a new event of the current device; all options are false by default",
    args = {
      disable_timing = "boolean = false: the event is cheaper and measures no times",
      block = "boolean = false: CUDA's blocking synchronization flag",
      interprocess = [[
        boolean = false: the event can be sent to other processes (`tide.ipc`); requires
        `disable_timing`]],
    },
    example = [[
e = tide.Event{ disable_timing = true }
e.done                                  --> true
]] },
  { "s:record()", see = "Stream:record", text = "records a new event with the default options" },
},

[[
## Fields
]],

{
  columns = "type",
  { "e.done",
    type = "boolean",
    text = [[
      tells whether its latest recording has finished: true if it was never recorded, false while
      the recording is behind a host function that has not run. Does not wait and runs no host
      functions, so a loop that waits for it must call `tide.poll()`]],
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
    waits = "if the recording is behind host functions; it runs them then",
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
      records the event on a stream, by default the current one of its device; replaces the previous
      recording]],
    args = { stream = "Stream" },
    example = [[
s = tide.Stream()
e = tide.Event():record(s)
e:synchronize()
e.done                                  --> true
]] },
  { "e:synchronize()",
    waits = "for the event; runs host functions",
    raises = "if it was never recorded",
    text = "waits until the event is done",
    example = [[
e = tide.Event():record()
e:synchronize()
e.done                                  --> true
]] },
  { "e:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: the timeout, from 0 on; nil waits without end" },
    text = [[
      as `synchronize`, with a timeout; in a task of [`tide.run`](tasks.md) other tasks run
      meanwhile. Returns true, or nil and `"timeout"`]],
    waits = "for `seconds` at most; runs host functions",
    raises = "if it was never recorded",
    example = "tide.Event():record():await()           --> true" },
  { "e:close()",
    text = "closes the event; queued waits keep their recording",
    raises = "if it is closed",
    example = [[
e = tide.Event()
e:close()
(pcall(e.close, e))                     --> false
]] },
  { "local _ <close> = e",
    text = "closes the event at the end of the block, without raising",
    example = [[
do local e <close> = tide.Event():record() end
]] },
  { "tostring(e)",
    returns = "string",
    text = "formats the event, without waiting: `tide.Event 0x55e0 (cuda:0, done)`",
    example = [[
tostring(tide.Event()):match "%(.*%)"   --> (host:0, never recorded)
]] },
},

[[
`tide.get_elapsed_time(e1, e2)` returns the milliseconds between two events.

## Notes

- A wait is for the recording at the time of the call; recording the event again does not change it.
- CUDA lets a stream wait for an event that was never recorded, without effect. Here it raises
  `event was never recorded`.
- An event recorded while a stream captures is a point of the graph, not of time. Other streams may
  wait for it in that capture; any other use raises `CUDA_ERROR_CAPTURED_EVENT`.
- An interprocess event is sent to other processes by [tide.ipc](ipc.md), and each of them records
  it and waits for it. As in CUDA, it cannot be recorded in a capture. Its `e.ptr` is an ordinary
  CUDA event, which `cuIpcGetEventHandle` refuses: tide completes recordings on several streams in
  any order, while each of CUDA's interprocess recordings waits for the previous one.
- Times are measured on the device; on a GPU their resolution is about half a microsecond at best.
]],

}
