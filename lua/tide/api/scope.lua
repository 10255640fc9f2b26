return {

classes = { Scope = "the stream and device to restore when a block ends" },


[[
# Scope

A Scope restores the stream and the device that were current before it.

## Purpose

A scope makes a stream current for a block of code, or between two functions that belong together,
and leaves no trace. Where a single function is enough, [`tide.with_stream`](tide.md) is shorter.

## Example

```lua
local tide = require "tide"

local s = tide.Stream{ non_blocking = true }
do
  local _ <close> = s:scope()
  assert(tide.get_current_stream() == s)
end
print(tide.get_current_stream())               --> tide.Stream null (device -1)

local scope = s:scope()                        -- without a block
local x = tide.ones(3)
scope:close()
print(scope, x[1])                             --> tide.Scope (closed)  1.0
```

## Making one
]],

{
  { "s:scope()",
    text = "makes the stream `s` and its device current, for the running coroutine",
    see = "Stream:scope" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "scope:close()",
    text = [[
      restores the stream and the device that were current when the scope was opened, and the
      streams of other devices that `use` replaced since]],
    raises = "if it is closed",
    example = [[
scope = tide.Stream():scope()
scope:close()
scope                                   --> tide.Scope (closed)
]] },
  { "local _ <close> = scope",
    text = "closes the scope at the end of the block, without raising",
    example = "do local _ <close> = tide.Stream():scope() end" },
  { "tostring(scope)",
    returns = "string",
    text = "formats the scope: `tide.Scope (open)`",
    example = [[
do
  local scope <close> = tide.Stream():scope()
  print(scope)                          --> tide.Scope (open)
end
]] },
},

[[
## Notes

- Scopes nest. Closing a scope also closes the scopes opened inside it, in the same coroutine, that
  are still open.
- The collector does not close a lost scope: its stream stays current until `use`, or until the end
  of an enclosing scope. The collector reports the scope, and where it was opened, as
  [`tide.unhandled_errors`](tide.md) chooses. A block of a coroutine that is left suspended is not
  reported.
- `tide.scope`, which closes arrays, is a different function: see [Memory](memory.md).
]],

}
