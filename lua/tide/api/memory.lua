return {

args = { kind = 'kind = "device"' },


[[
# Memory

How much memory arrays use, how to limit it, and when it is freed.

## Purpose

Lua collects garbage when *its own* heap grows. An array is a few dozen bytes there and may be
gigabytes on the device. So tide runs the collector when device memory requires it, keeps freed
memory for the next array, and offers ways to free at once: `a:close()`, `local a <close>`,
`tide.scope`.

## Example

```lua
local tide = require "tide"

tide.memory_limit(64 << 20)                    -- 64 MiB, and no more
local x
for _ = 1, 1000 do
  x = tide.empty(1 << 18, "float32") + 1       -- 2 MiB of garbage a round
end
assert(tide.memory_stats().peak <= 64 << 20)

local norm = tide.scope(function (v)
  local squares = v * v                        -- freed at the end
  return squares:sum():sqrt()                  -- the result is kept
end, tide.ones(1000))
print(norm:item() > 31.6)                      --> true
tide.memory_limit(0)
print(tide.trim() > 0)                         --> true
```

## Functions

Sizes are in bytes. There are two kinds of memory: `"device"` (the default), and `"pinned"`, the
page-locked memory of [HostArrays](hostarray.md), which tide also uses briefly when it fetches or
uploads elements. Strings and files of more than 64 KiB go to the device through a staging buffer
of page-locked memory, 32 MiB at most, which is kept for reuse. When all of it is busy the call
waits, and `sync_debug` reports it before anything is queued. Each Lua state has its own accounts
for each device; these functions refer to the current device. Page-locked memory counts for the
device that was current when it was allocated.
]],

{
  columns = "returns",
  { "tide.memory_stats([kind])",
    text = "returns a table of the figures below, which prints readably",
    returns = "table",
    example = [[
a = tide.ones(1000)
tide.memory_stats().live >= 8000        --> true
]] },
  { "tide.memory_limit([bytes [, kind]])",
    returns = "integer",
    text = [[
      returns the limit until now; 0 means no limit. `bytes` sets a new limit, where 0 removes it
      (that of the [host program](../embedding.md) stays); nil leaves it unchanged. `"50%"` is that
      share of the device's memory, or with `"pinned"` of the machine's. Idle memory
      beyond the limit is released at once. Memory in use stays, and allocations fail until the
      limit is met]],
    args = {
      bytes = [[integer | string = nil: bytes, or a share, like `"50%"`]],
    },
    example = [[
before = tide.memory_limit(64 << 20)
tide.memory_limit(before)               --> 67108864
]] },
  { "tide.reset_peak([kind])",
    text = "starts `peak` and `peak_live` anew, from what is reserved and live now",
    returns = "nil",
    example = [[
tide.zeros(2^20 | 0):close()
peak = tide.memory_stats().peak_live
tide.reset_peak()
tide.memory_stats().peak_live < peak  --> true
]] },
  { "tide.trim([device])",
    args = { device = "Device | string = nil: or a spec; by default all devices" },
    text = [[
      releases idle memory that is kept for reuse, of both kinds, to the driver; returns its bytes.
      The host device frees it, and asks the C library to return free pages to the system; pages
      that small live blocks share with freed ones stay]],
    returns = "integer",
    example = "tide.trim() >= 0  --> true" },
  { "tide.scope(fn, ...)",
    text = [[
      calls `fn(...)` and closes the arrays made meanwhile that it does not return: see
      [below](memory.md#scopes)]],
    returns = "...: what `fn` returns",
    example = [[
sum = tide.scope(function (a) return (a * a):sum() end, tide.ones(3))
sum:item()                              --> 3.0
]] },
},


{
  head = { "`tide.memory_stats()`", "" },
  { "`live`",
    "memory of arrays, graphs and open captures, including garbage not yet collected" },
  { "`reserved`",
    "memory obtained from the driver: `live`, and memory kept for reuse" },
  { "`peak`",
    [[the maximum of `reserved` since the limit was last set, since `reset_peak`, or since the
      start]] },
  { "`peak_live`",
    "the maximum of `live` since then" },
  { "`limit`",
    "the limit; 0 means none" },
  { "`pinned`",
    "`live`, for page-locked memory" },
  { "`collections`, `collecting`",
    [[how often tide ran the collector to free memory, for any device, and the seconds that this
      took]] },
},

[[
If sizes vary, `reserved` may be many times `live`. Limit it with `tide.memory_limit(bytes)`, or
call `tide.trim()` after `synchronize`.

`reserved` counts blocks. Their sizes are rounded up by an eighth at most, or only to 512 bytes
where an eighth would exceed the limit. It never exceeds the limit. CUDA's driver takes memory in
pieces of its own (2 MiB and more), so other programs may see slightly more in use.

## Scopes

`tide.scope(fn, ...)` closes every Array and HostArray, views included, that **its coroutine** made
while `fn` ran, except

- the results of `fn`,
- arrays in tables among the results, and in tables within them, to any depth, as keys or values
  (raw: no metamethods).

All others are closed, including arrays held only by a metatable, a function's upvalues, a
coroutine, or a variable outside. A returned view keeps the memory of its array, though the array is
closed. A Graph keeps the memory that it needs.

It closes them on every exit: return, error (which passes through unchanged, with its traceback),
and `coroutine.close`. `fn` may yield; arrays that other coroutines, host functions and finalizers
make meanwhile are not closed. In nested scopes, results of the inner scope belong to the outer one.
Arrays may be closed inside, and are collected as usual. If a coroutine is never resumed, the
collector frees its arrays.

## When memory is short

If neither the kept memory nor the driver (or the limit) can serve an allocation, tide takes these
steps and stops at the first one that helps:

1. **drain** dropped references; release idle memory that was kept;
2. **synchronize**: wait until the first kept block becomes idle. Host functions run meanwhile;
3. **collect**: one step of Lua's collector, then a full collection; then wait as before, also for
   launches of graphs that are garbage;
4. **trim** the driver's memory pool;
5. raise the error:

```
tide.memory_limit: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory: asked 5 MiB; live 5 MiB,
reserved 6 MiB, free 3 MiB, largest free 2 MiB, limit 8 MiB
```

It names the limit or function that refused: `tide.memory_limit`, `cuMemAllocFromPoolAsync` or
`cuMemHostAlloc`, or the `host` device. `free` is memory that is not live, and `largest free` its
biggest piece. Without a limit, `total` is the memory of the device.

Tide does not wait for work queued in a capture. In a host function and in a finalizer (`__gc`) it
does not wait for work behind a host function. In a finalizer the collector cannot run.

## When garbage is collected

The collector does one step when `live` has grown by a quarter of the limit, or without a limit by a
sixteenth of the memory. The growth is capped at 64 MiB, or at 4 MiB on the host device. A full
collection runs when `live` exceeds its minimum since the last full collection by the same amount
(by 32 MiB on the host device). Both are capped to a few percent of the time, and come later while
most memory is in use; beside a big Lua heap much more is garbage then, but without a limit never
more than a quarter of the memory. Programs that close their arrays cause neither.

On the host device, a step frees the garbage of one loop iteration before the next. The next
iteration then reuses a block that is still in the processor's cache.

Tide also runs a step for every 1024 additional arrays, up to 8192 while they are in use or where a
step takes long, as beside thousands of coroutines. Otherwise Lua would rarely look for garbage
beside a big heap, and each new array would need new memory.

A full collection traverses the whole Lua heap, and each step of the incremental mode a part of it.
When memory is so short that collections would follow each other, tide switches Lua to its
**generational mode**, whose young collections take a few us beside any heap. It switches back when
full collections would be cheap. If you switch back to `collectgarbage "incremental"` yourself, tide
does not switch again.

`collectgarbage "stop"` is respected until memory runs out.

## Notes

- The memory of a closed array is reused at once on the stream that used it last, and on other
  streams once that stream has passed its last use; never earlier.
- A finalizer or a host function may close an array while tide looks for memory for a result. The
  operation then starts again. If the array was an operand, the operation raises as if it had been
  closed before.
- Memory that a capture allocates is ordinary memory, which belongs to the graph until the graph is
  closed.
]],

}
