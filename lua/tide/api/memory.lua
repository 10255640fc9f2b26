return {

args = { kind = 'kind = "device"' },


[[
# Memory

How much arrays take, how much they may take, and when it is freed.

## Purpose

Lua collects garbage when *its* heap grows; an array is a few dozen bytes there and may be gigabytes
on the device. So tide runs the collector when device memory calls for it, keeps what is freed for
the next array, and has ways to free at once: `a:close()`, `local a <close>`, `tide.scope`.

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
page-locked memory of [HostArrays](hostarray.md), which tide also takes for a moment where elements
are fetched or uploaded. Strings and files of more than 64 KiB go to the device through a ring of
page-locked pieces, 32 MiB at most, which is kept for reuse. Where all of it is busy the call waits,
and `sync_debug` is told before anything is queued. Each Lua state has its own accounts, for each
device; these functions mean the current device (page-locked memory counts for the device that was
current when it was made).
]],

{
  columns = "returns",
  { "tide.memory_stats([kind])",
    text = "the figures below; prints as what they are",
    returns = "table",
    example = [[
a = tide.ones(1000)
tide.memory_stats().live >= 8000        --> true
]] },
  { "tide.memory_limit([bytes [, kind]])",
    returns = "integer",
    text = [[
      the limit until now, 0: none. `bytes` sets a new one, 0 none (but that of a [host
      program](../embedding.md)); nil leaves it. What is idle beyond it goes back at once;
      what is in use stays, and no more comes until it fits]],
    args = {
      bytes = "integer = nil",
    },
    example = [[
before = tide.memory_limit(64 << 20)
tide.memory_limit(before)               --> 67108864
]] },
  { "tide.trim()",
    text = [[
      hands what is kept for reuse and idle back to the drivers, of both kinds and all
      devices; how much that was. The host device frees it, and asks the C library to give its free
      pages back; pages that small live blocks share with freed ones stay]],
    returns = "integer",
    example = "tide.trim() >= 0  --> true" },
  { "tide.scope(fn, ...)",
    text = [[
      calls `fn(...)`; closes the arrays made meanwhile that are not returned: see below]],
    returns = "...: what `fn` returns",
    example = [[
sum = tide.scope(function (a) return (a * a):sum() end, tide.ones(3))
sum:item()                              --> 3.0
]] },
},


{
  head = { "`tide.memory_stats()`", "" },
  { "`live`",
    "in arrays, graphs and open captures, also those that are garbage by now" },
  { "`reserved`",
    "got from the driver: `live`, and what is kept for reuse" },
  { "`peak`",
    "the most `reserved` has been since the limit was last set, or from the start" },
  { "`limit`",
    "0: none" },
  { "`pinned`",
    "`live` of the page-locked memory" },
  { "`collections`, `collecting`",
    [[how often the collector was run for the sake of memory, on whatever device, and the
      seconds of work that took]] },
},

[[
Where sizes vary, `reserved` may be many times the memory that live arrays take. Limit it with
`tide.memory_limit(bytes)`, or call `tide.trim()` after `synchronize`.

`reserved` counts blocks, whose sizes are rounded up, by an eighth at most; where that would be too
much for the limit, to 512 bytes. It never passes the limit. CUDA's driver takes memory in pieces of
its own (2 MiB and more), so other programs may see a little more in use.

## Scopes

`tide.scope(fn, ...)` closes every Array and HostArray, views included, that **its coroutine** made
while `fn` ran, except

- those among the results of `fn`,
- those in tables among the results and in tables there, to any depth, as keys or values (raw: no
  metamethods).

That is all: what only a metatable, a function's upvalues, a coroutine, or a variable outside holds
is closed. A view that is returned keeps the memory of its array, though the array is closed. A
Graph keeps the memory that it needs.

It closes on every way out: return, error (which passes through unchanged, with its traceback),
`coroutine.close`. `fn` may yield; what other coroutines, host functions and finalizers make
meanwhile is theirs. In nested scopes, what the inner one returns belongs to the outer one. Arrays
may be closed inside, and are collected as ever. A coroutine that is never resumed leaves its arrays
to the collector.

## When there is no more

An allocation that neither the kept memory nor the driver (or the limit) can serve climbs a ladder,
and stops at the first rung that helps:

1. **drain** what was dropped; hand back what is kept and idle;
2. **synchronize**: wait until something kept gets idle, whichever is first. Host functions run
   meanwhile;
3. **collect**: one step of Lua's collector, then all garbage; wait as before, also for the
   launches of graphs that nobody has any more;
4. **trim** what the driver's pool keeps;
5. the error:

```
tide.memory_limit: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory: asked 5 MiB; live 5 MiB,
reserved 6 MiB, free 3 MiB, largest free 2 MiB, limit 8 MiB
```

It names who refused: `tide.memory_limit`, `cuMemAllocFromPoolAsync` or `cuMemHostAlloc`,
or the `host` device. `free` is what is not live, `largest free` the biggest piece of it; without a
limit `total` is what there is.

What a capture has queued is not waited for. In a host function and in a finalizer (`__gc`), what
waits for a host function is not waited for. In a finalizer the collector cannot run.

## When garbage is collected

Once `live` has grown by a quarter of the limit (without one, a sixteenth of the memory there is),
but at most by 64 MiB, or by 4 MiB on the host device, the collector does one step. Once more is
held than the least since its last full collection by as much (by 32 MiB on the host device), all of
it is run. Both are capped to a few percent of the time, and come later where what is held is in
use. Programs that close their arrays see none.

On the host device a step finds what a loop drops before the next round, which so has its block
again, and the processor's cache still has that.

A step is run as well whenever 1024 more arrays are held, up to 8192 where they are in use: beside a
big heap Lua would look for garbage seldom, and each new array would need new memory.

A full collection looks at the whole Lua heap, and each step of the incremental mode at a part of
it. Where memory is short, so that they would come one after the other, tide switches Lua to its
**generational mode**, whose young collections take a few us beside any heap, and back once full
ones would be cheap. If you switch back to `collectgarbage "incremental"` yourself, tide does not do
it again.

`collectgarbage "stop"` is respected until memory runs out.

## Notes

- Memory of a closed array is used again at once on the stream that used it last, and on others once
  that has passed; never earlier.
- A finalizer or a host function may close an array while memory for a result is being looked for.
  The operation then begins again; if that was an operand, it raises as if it had been closed
  before.
- Memory that a capture allocates is ordinary memory, and the graph's until that is closed.
]],

}
