return {

classes = { Device = "a GPU, or the host device" },


[[
# Device

A GPU, or the host device.

## Purpose

`tide.devices()` lists them, `tide.Device(spec)` finds one. `cuda:N` is a GPU; `host:N` is this
machine's processor behind the same functions: streams that run at the same time on worker threads,
events with times, graphs. There is one object for each device, so devices compare with `==` and
may be keys of tables.

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
    text = "its number among devices of its kind, from 0",
    example = [[tide.Device("host").id  --> 0]] },
  { "dev.name",
    type = "string",
    text = "what it calls itself",
    example = "type(tide.get_device().name)  --> string" },
  { "dev.total_memory",
    type = "integer: bytes",
    example = "tide.get_device().total_memory > 0  --> true" },
  { "dev.compute_capability",
    type = "string",
    text = [[`"9.0"`; `"0.0"` on the host device]],
    example = [[tide.Device("host").compute_capability  --> 0.0]] },
  { "dev.attributes",
    type = "table",
    text = [[
      CUDA's attributes: names in lower case without `CU_DEVICE_ATTRIBUTE_`, integer values
      (`multiprocessor_count`, `max_threads_per_block`, `warp_size` …). What the device does
      not know is left out]],
    example = "tide.get_device().attributes.max_threads_per_block  --> 1024" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "dev:use()",
    returns = "dev",
    text = "makes it current for this coroutine",
    example = [[tide.Device("host"):use()  --> host:0]] },
  { "dev:synchronize()",
    waits = [[
      for all work that this Lua state queued on it and for its null stream; runs host functions,
      and does not wait for what those queue meanwhile]],
    raises = "while a stream of it captures",
    example = "tide.get_device():synchronize()" },
  { "dev:reset()",
    returns = "dev",
    text = [[
      destroys all that this process has on the device, which then works again even if it had
      failed. Raises, and changes nothing, while a stream of it captures and in a host function;
      of those of other Lua states nothing is asked]],
    waits = "for its work first, unless it has failed",
    example = [[
a = tide.ones(3)
tide.get_device():reset()
(pcall(a.sum, a))                       --> false
]] },
  { "dev:memory_info()",
    text = "free and total bytes",
    returns = "integer, integer",
    example = [[
free, total = tide.get_device():memory_info()
free <= total                           --> true
]] },
  { "dev:can_access_peer(other)",
    args = { other = "Device | string: or a spec" },
    returns = "boolean, string",
    text = [[
      do copies to `dev` from `other` go from memory to memory; or false, and why they go by way
      of the host. That is tried, once, with a page that must arrive]],
    waits = "if it has to be tried: for that page",
    example = [[
dev = tide.get_device()
dev:can_access_peer(dev)                --> true
]] },
  { "local _ <close> = dev",
    text = "is allowed and does nothing",
    example = "do local dev <close> = tide.get_device() end" },
  { "tostring(dev)",
    returns = "string",
    text = "`cuda:0`: a spec that `tide.Device` understands",
    example = [[tostring(tide.Device "host")  --> host:0]] },
},

[[
## Notes

- Both kinds may be used in one program. Operands of one operation must be on one device; the error
  says on which they are. `a:to(dev)`, `a:copy_from(b)` and `a[key] = b` take them across.
- Devices of one kind share events: a copy between two of them is queued on the current stream of
  the one that gets the elements, behind whoever uses them on the other, and nothing waits. It may
  be captured, also if the stream of one alone captures. Where the two do not reach each other's
  memory the bytes go through page-locked memory in pieces, on the current streams of both, and
  nothing waits either; a capture then needs both, and the null stream takes part in none. Devices
  of different kinds are ordered by waiting on the host.
- The first use of a device opens it: CUDA's primary context, the built-in kernels, a memory pool.
- `dev.total_memory` and the sizes of `memory_info` are the driver's. Memory that tide keeps for
  reuse counts as taken; [`tide.memory_stats`](memory.md) tells how much that is. On the host
  device they are `TIDE_HOST_MEMORY`, a limit that holds.
- What was made before `dev:reset()` — streams, events, graphs, arrays, host arrays — raises `device
  was reset` when it is used. It may be closed, and is freed without a word to the driver. A current
  stream of before must be replaced (`tide.Stream.null:use()`); scopes put back what was current, as
  ever. Host functions that had not run, and the work behind them, never will.
- A reset is one for all of the process. Other Lua states learn of it in their next call of tide:
  their old objects raise, and they open the device anew. No other thread may be inside a call on
  the device meanwhile. Other libraries of the process lose what they have on it as well, and what
  they got of tide by [DLPack](dlpack.md): they must be done with it. A host program can [leave it
  out](../embedding.md#limits).
]],

}
