return {

classes = { HostArray = "numbers in page-locked memory of the host" },

args = { file = "userdata: a file of Lua's `io`" },


[[
# HostArray

Numbers in page-locked memory of the host; copies from and to it run at the link's full speed.

## Purpose

Copies between a HostArray and an Array are queued like other operations and overlap with other
work. Each access from Lua waits for the copies that use these elements, so it never sees a partial
copy.

## Example

```lua
local tide = require "tide"

local h = tide.HostArray(4, "float32")     -- zeros
h[1], h[{4}] = 1.5, 2
local a = tide.empty(4, "float32"):copy_from(h)
local back = (a * 2):tohost{ blocking = false }
print(back[1], back[4])                    --> 3.0	4.0
```

## Making one
]],

{
  { "tide.HostArray(shape [, dtype])",
    text = [[
      returns a HostArray of the current device, filled with 0; of the default dtype if none is
      given]],
    returns = "HostArray",
    example = [[
h = tide.HostArray({ 2, 3 }, "int8")
h.nbytes                                --> 6
]] },
  { "a:tohost()",
    text = "copies the elements of an Array",
    see = "Array:tohost" },
  { "tide.from_carray(x)",
    args = { x = "userdata: an array with `_capi_carray`, or a HostArray" },
    text = [[
      returns a HostArray over the elements of another C module's array, such as osch's carray,
      without a copy; that array must not change its length while the HostArray exists. A HostArray
      is returned as it is. Left out with `TIDE_POINTERS`]],
    returns = "HostArray",
    raises = "if its elements have no corresponding dtype",
    example = [[
h = tide.from_carray(tide.HostArray(3))
h.size                                  --> 3
]] },
},

[[
## Fields
]],

{
  columns = "type",
  { "h.shape",
    text = "the lengths of the axes",
    type = "integer[]: table",
    example = "tide.HostArray{ 2, 3 }.shape  --> {2, 3}" },
  { "h.strides",
    text = "the strides, in elements",
    type = "integer[]: table",
    example = "tide.HostArray{ 2, 3 }.strides  --> {3, 1}" },
  { "h.mT",
    text = "a view with the last two axes exchanged",
    type = "HostArray",
    example = "tide.HostArray{ 4, 2, 3 }.mT.shape  --> {4, 3, 2}" },
  { "h.T",
    text = "a view with the axes reversed",
    type = "HostArray",
    example = "tide.HostArray{ 2, 3 }.T.shape  --> {3, 2}" },
  { "h.ndim",
    type = "integer",
    example = "tide.HostArray{ 2, 3 }.ndim  --> 2" },
  { "h.size",
    text = "the number of elements",
    type = "integer",
    example = "tide.HostArray{ 2, 3 }.size  --> 6" },
  { "h.dtype",
    type = "dtype",
    example = "tide.HostArray(3).dtype  --> float64" },
  { "h.nbytes",
    type = "integer",
    example = "tide.HostArray(3).nbytes  --> 24" },
  { "h.device",
    text = "the device to which copies are fast",
    type = "Device",
    example = "tide.HostArray(3).device  --> host:0" },
  { "h.ptr",
    text = [[
      the address. Does not wait, so a copy from or to it may be under way; wait before you use the
      address]],
    type = "integer",
    example = "tide.HostArray(3).ptr ~= 0  --> true" },
},

[[
## Indexing
]],

{
  args = { i = "integer", key = "key" },
  { "#h",
    returns = "integer",
    text = "the length of the first axis",
    example = "#tide.HostArray{ 2, 3 }                 --> 2" },
  { "h[i]", "h[{i, j}]",
    returns = "number | boolean | Complex | HostArray",
    text = [[
      returns an element of a 1-d or 2-d array. With more axes, or with ranges as in
      `h[{ {first, last, step}, j }]`, returns a view; keys are those of
      [Array](array.md#indexing)]],
    waits = "for the copies to it",
    example = [[
h = tide.HostArray{ 2, 3 }
h[{ 1, 2 }]                             --> 0.0
h[1].shape                              --> {3}
]] },
  { "h[i] = x", "h[{i, j}] = x",
    text = [[
      sets an element, or broadcasts `x` to a part: numbers at once, arrays (and tables that are
      broadcast) by a copy on the current stream. An integer out of the dtype's range raises; a
      float too large for a float dtype becomes `inf`]],
    args = { x = "number | boolean | Complex | table | Array | HostArray" },
    waits = "for the copies from and to it",
    example = [[
h = tide.HostArray(3)
h[2] = 5
h                                       --> [0. 5. 0.]
]] },
  { "ipairs(h)", "pairs(h)",
    text = "iterates as [over an Array](array.md#indexing)",
    returns = "function: an iterator",
    waits = "for the copies to it",
    example = [[
for i, x in pairs(tide.HostArray(1)) do print(i, x) end  --> 1 0.0
]] },
},

[[
## Methods
]],

{
  columns = "returns",
  { "h:to_dlpack{ stream=, versioned= }",
    args = {
      stream = [[Stream | pointer | boolean = nil: the stream that uses the memory next; `false`
        omits synchronization]],
      versioned = "boolean = true: `false` for the struct before DLPack 1.0",
    },
    returns = "userdata: a capsule",
    text = [[
      exports the elements to another library without a copy: see [DLPack](dlpack.md). The memory
      stays until the library releases it, from any thread, even after the Lua state has closed]],
    waits = "if it is memory of the host: until nothing uses it, unless `stream=false`",
    raises = "if the array is read-only, with `versioned=false`",
    example = "tostring(tide.HostArray(3):to_dlpack())  --> dltensor_versioned" },
  { "h:fill(value)",
    returns = "h",
    args = {
      value = "element",
    },
    text = "sets all elements to `value`",
    waits = "for the copies from and to it",
    example = "tide.HostArray(3):fill(7)[3]  --> 7.0" },
  { "h:set(string)",
    returns = "h",
    text = "sets the bytes of all elements at once; for bool, every nonzero byte becomes 1",
    args = {
      string = "string",
    },
    waits = "for the copies from and to it",
    example = [[tide.HostArray(3, "uint8"):set("abc")[1]  --> 97]] },
  { "h:view(dtype)",
    returns = "HostArray",
    text = "returns a view of the same bytes as elements of another dtype",
    example = [[tide.HostArray(3, "float32"):view "uint8".shape  --> {12}]] },
  { "h:copy_from(x)",
    returns = "h",
    text = [[
      copies the elements of an Array or HostArray, queued on the current stream; or those of a
      table or a string, as for an Array, at once]],
    args = {
      x = "Array | HostArray | table | string",
    },
    waits = "if it is a table or a string, for the copies from and to it",
    example = "tide.HostArray(3):copy_from{ 1, 2, 3 }[2]  --> 2.0" },
  { "h:readfrom(file [, bytes])",
    text = "reads bytes from a file of Lua's `io` into the array",
    returns = "integer?, string?, integer?: the number of bytes read",
    args = {
      bytes = "integer",
    },
    waits = "for the copies from and to it",
    example = [[
file = io.tmpfile()
file:write("abc"); file:seek("set")
h = tide.HostArray(3, "uint8")
h:readfrom(file)                        --> 3
h[3]                                    --> 99
]] },
  { "h:writeto(file [, bytes])",
    returns = "h",
    args = {
      bytes = "integer",
    },
    text = "writes the bytes of the array to a file of Lua's `io`",
    waits = "for the copies to it",
    example = [[
file = io.tmpfile()
tide.HostArray(3, "uint8"):fill(97):writeto(file)
file:seek "set"
file:read "a"                           --> aaa
]] },
  { "h:to(device)",
    returns = "Array",
    text = "copies the elements to a new Array on that device",
    waits = "for the elements",
    example = [[tide.HostArray(3):to("host").device  --> host:0]] },
  { "h:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: the timeout, from 0 on; nil waits without end" },
    text = [[
      waits until the copies to and from it are done; in a task of [`tide.run`](tasks.md) other
      tasks run meanwhile. Returns true, or nil and `"timeout"`]],
    waits = "for `seconds` at most; runs host functions",
    example = "tide.ones(3):tohost{ blocking = false }:await()  --> true" },
  { "h:item()",
    text = "returns the only element of an array of size 1",
    returns = "number | boolean | Complex: number or boolean",
    waits = "for the copies to it",
    example = "tide.HostArray(1):item()  --> 0.0" },
  { "h:totable()",
    returns = "nested: nested tables",
    waits = "for the copies to it",
    example = "tide.HostArray(2):totable()[1]  --> 0.0" },
  { "h:tobytes()",
    returns = "string",
    text = "returns the bytes of all elements",
    waits = "for the copies to it",
    example = [[tide.HostArray(2, "int8"):fill(65):tobytes()  --> AA]] },
  { "h:close()",
    text = "closes the array; copies under way complete",
    raises = "if it is closed",
    example = [[
h = tide.HostArray(3)
h:close()
(pcall(h.fill, h, 1))                   --> false
]] },
  { "local _ <close> = h",
    text = "closes the array at the end of the block, without raising",
    example = "do local h <close> = tide.HostArray(3) end" },
  { "tostring(h)",
    returns = "string",
    text = "formats the array as [an Array](array.md#methods)",
    waits = "for the copies to it",
    example = [[tostring(tide.HostArray(1)):match "[^\n]+"  --> tide.HostArray 1 float64 host:0]] },
},

[[
If the file fails, `readfrom` and `writeto` return `nil`, a message and a code. A [host
program](../embedding.md#limits) can leave both out, along with `tide.save` and `tide.load`.

## Notes

- A host function reads and writes a HostArray at its own place in the stream: copies queued before
  it are done, and copies queued behind it on its stream come later. An access to elements that
  other unfinished work uses, or work that the function itself has queued, raises
  `CUDA_ERROR_NOT_PERMITTED`, because a host function must not wait. In a graph, all other
  operations come before or behind the function.
- tide does not know which elements a host function will write: wait for its stream before you read
  them.
- In a capture, the elements of a HostArray that takes part cannot be accessed.
]],

}
