return {

classes = { Scope = "what was current, to be put back" },


[[
# Scope

What was current, to be put back.

## Purpose

A block of code, or two functions that belong together, make a stream current and leave no trace.
Where one function will do, [`tide.with_stream`](tide.md) is shorter.

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
    text = "makes the stream `s` current, and its device, for the coroutine that runs",
    see = "Stream:scope" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "scope:close()",
    text = [[
      the stream and the device that were current when it was opened are current again, and so
      are streams of other devices that `use` replaced since]],
    raises = "if it is closed",
    example = [[
scope = tide.Stream():scope()
scope:close()
scope                                   --> tide.Scope (closed)
]] },
  { "local _ <close> = scope",
    text = "closed at the end of the block, the same way but silently",
    example = "do local _ <close> = tide.Stream():scope() end" },
  { "tostring(scope)",
    returns = "string",
    text = "`tide.Scope (open)`",
    example = [[
do
  local scope <close> = tide.Stream():scope()
  print(scope)                          --> tide.Scope (open)
end
]] },
},

[[
## Notes

- Scopes nest. Closing one closes those opened inside it, in the same coroutine, that are still
  open.
- The collector does not close a lost scope: what it made current stays until `use` or the end of a
  scope around it. The collector reports the scope, and where it was opened, as
  [`tide.unhandled_errors`](tide.md) chooses. A block of a coroutine that is left suspended is not
  reported.
- `tide.scope`, which closes arrays, is another thing: see [Memory](memory.md).
]],

}
