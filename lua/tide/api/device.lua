return {

classes = { Device = "a GPU, or the host device" },


[[
# Device

A GPU, or the host device.

## Purpose

`tide.devices()` lists the devices, `tide.Device(spec)` finds one. `cuda:N` is a GPU; `host:N` is
this machine's processor behind the same functions: streams that run concurrently on worker threads,
events with times, graphs. Each device has one object, so devices compare with `==` and may be keys
of tables.

## Example

```lua
local tide = require "tide"

local dev = tide.Device "host"
print(dev, dev.kind, dev.id)                   --> host:0  host  0

local x = tide.with_device(dev, function ()
  return tide.ones(1000)                       -- lives on host:0
end)
assert(x.device == dev)

local free, total = dev:memory_info()
print(("%.1f of %.1f GB are free"):format(free / 1e9, total / 1e9))
dev:synchronize()
```

## Fields
]],

{
  columns = "type",
  { "dev.kind",
    type = "string",
    text = [[`"cuda"` or `"host"`]],
    example = [[tide.Device("host").kind  --> host]] },
  { "dev.id",
    type = "integer",
    text = "its number among the devices of its kind, from 0",
    example = [[tide.Device("host").id  --> 0]] },
  { "dev.name",
    type = "string",
    text = "its name",
    example = "type(tide.get_device().name)  --> string" },
  { "dev.total_memory",
    type = "integer: bytes",
    text = "the memory of the device",
    example = "tide.get_device().total_memory > 0  --> true" },
  { "dev.compute_capability",
    type = "string",
    text = [[CUDA's compute capability, such as `"9.0"`; `"0.0"` on the host device]],
    example = [[tide.Device("host").compute_capability  --> 0.0]] },
  { "dev.attributes",
    type = "table",
    text = [[
      CUDA's attributes: names in lower case without `CU_DEVICE_ATTRIBUTE_`, integer values
      (`multiprocessor_count`, `max_threads_per_block`, `warp_size` …). Attributes that the device
      does not know are missing]],
    example = "tide.get_device().attributes.max_threads_per_block  --> 1024" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "dev:use()",
    returns = "dev",
    text = "makes the device current for this coroutine",
    example = [[tide.Device("host"):use()  --> host:0]] },
  { "dev:synchronize()",
    waits = [[
      for all work that this Lua state queued on it and for its null stream; runs host functions,
      and does not wait for work that they queue meanwhile]],
    raises = "while one of its streams captures",
    text = "waits until all work on the device is done",
    example = "tide.get_device():synchronize()" },
  { "dev:reset()",
    returns = "dev",
    text = [[
      destroys everything that this process has on the device, which then works again even if it had
      failed. Raises, and changes nothing, while one of its streams captures and in a host function.
      Streams of other Lua states are not checked]],
    waits = "for its work first, unless it has failed",
    example = [[
a = tide.ones(3)
tide.get_device():reset()
(pcall(a.sum, a))                       --> false
]] },
  { "dev:memory_info()",
    text = "returns the free and the total bytes",
    returns = "integer, integer",
    example = [[
free, total = tide.get_device():memory_info()
free <= total                           --> true
]] },
  { "dev:can_access_peer(other)",
    args = { other = "Device | string: or a spec" },
    returns = "boolean, string",
    text = [[
      tells whether copies to `dev` from `other` go directly between their memories; if not, also
      returns why they go through the host. The first call tests it with a page that must arrive]],
    waits = "if it has to be tested: for that page",
    example = [[
dev = tide.get_device()
dev:can_access_peer(dev)                --> true
]] },
  { "local _ <close> = dev",
    text = "is allowed and has no effect",
    example = "do local dev <close> = tide.get_device() end" },
  { "tostring(dev)",
    returns = "string",
    text = "returns a spec that `tide.Device` understands: `cuda:0`",
    example = [[tostring(tide.Device "host")  --> host:0]] },
},

[[
## Notes

- One program may use both kinds. All operands must be on one device; the error names the devices.
  `a:to(dev)`, `a:copy_from(b)` and `a[key] = b` copy between devices.
- Devices of one kind share events. A copy between two of them is queued on the current stream of
  the destination, behind the work that uses the elements on the source, and nothing waits. It may
  be captured, even if only one of the two streams captures. If the devices cannot access each
  other's memory, the bytes go through page-locked memory in pieces, on the current streams of both,
  and nothing waits either; a capture then needs both streams, and cannot include the null stream.
  Between devices of different kinds, the host waits.
- The first use of a device opens it: CUDA's primary context, the built-in kernels, a memory pool.
- `dev.total_memory` and the sizes of `memory_info` come from the driver. Memory that tide keeps for
  reuse counts as used; [`tide.memory_stats`](memory.md) reports it. On the host device the total is
  `TIDE_HOST_MEMORY`, an enforced limit.
- Objects made before `dev:reset()` (streams, events, graphs, arrays, host arrays) raise
  `device was reset` when used. They may be closed, and are freed without a driver call. Replace a
  current stream from before the reset (`tide.Stream.null:use()`); scopes restore the previous
  stream as usual. Host functions that had not run, and the work behind them, never run.
- A reset affects the whole process. Other Lua states notice it in their next call of tide: their
  old objects raise, and they open the device anew. No other thread may be inside a call on the
  device meanwhile. Other libraries of the process also lose everything on the device, including
  memory that they got from tide by [DLPack](dlpack.md), so they must not use it any more. A host
  program can [leave it out](../embedding.md#limits).
]],

}
