return {

classes = { File = "an open file, whose bytes streams read and write" },

args = {
  path = "string",
},

objects = { f = "File" },


[[
# File

Bytes of files, read and written by streams.

## Purpose

`f:read(a)` and `f:write(a)` are operations like a copy: they are queued on the current stream,
return at once, and what uses the array afterwards comes behind them. Threads of tide read and write
the file, while the program goes on, other streams run, and the device copies what has been read.

## Example

```lua
local tide = require "tide"

local path = os.tmpname()
local out = tide.open(path, "w")
out:write(tide.arange(1000, "float32"))        -- queued: nothing waits
out:write(tide.ones(1000, "float32"))          -- where that one ends
out:close()                                    -- waits until both are done

local f <close> = tide.open(path)              -- the same file: behind them
local a, b = tide.empty(1000, "float32"), tide.empty(500, "float32")
f:read(a)                                      -- from its first byte on
f:read(b, 4 * 750)                             -- from byte 3000 on
print(f.size, a:sum():item(), b:sum():item())  --> 8000  499500.0  218875.0
os.remove(path)
```

A file of any length, piece by piece, the last of which may be shorter:

```lua
local tide = require "tide"

local path = os.tmpname()
tide.open(path, "w"):write(tide.arange(2500, "float32")):close()

local f <close>, sum = tide.open(path), tide.zeros(1)
local n, most = f.size // 4, 1000              -- numbers of 4 bytes
for first = 0, n - 1, most do
  local a <close> = tide.empty(math.min(most, n - first), "float32")
  f:read(a)                                    -- where the last one ended
  sum:add_(a:sum())
end
print(sum:item())                              --> 3123750.0
os.remove(path)
```

## Opening and closing
]],

{
  columns = "returns",
  { "tide.open(path [, mode])",
    returns = "File",
    args = {
      mode = [[
        string = "r": "r" to read; "w" to write what is made, or emptied; "r+" to read and write
        what is there]],
    },
    waits = 'if "w" empties a file that something queued before reads or writes',
    text = [[
      a file, a disk, `/dev/zero`; pipes and the like, which cannot be read from any byte on, are
      refused. A host function makes new files, and empties none]],
    example = [[
path = os.tmpname()
f = tide.open(path, "w")
f.size                                  --> 0
f:close()
os.remove(path)
]] },
  { "f:close{ wait= }",
    args = {
      wait = "boolean = true",
    },
    waits = "if something that this object is to write is not written yet; not with `wait = false`",
    text = [[
      closes the file, also where it raises. In a task and in a loop's coroutine others go on
      meanwhile. With `wait = false`, and when the object is collected, what was queued is done
      later all the same]],
    raises = [[
      if it is closed; the errors of what was to be written; in a host function, if there is
      something to wait for]],
    example = [[
path = os.tmpname()
f = tide.open(path)
f:close()
f                                       --> tide.File (closed)
os.remove(path)
]] },
  { "local _ <close> = f",
    waits = "if `f:close()` would",
    text = [[
      closed at the end of the block, as by `f:close()`; without waiting where an error ends the
      block, and in host functions and finalizers]],
    example = [[
path = os.tmpname()
do local f <close> = tide.open(path) end
os.remove(path)                         --> true
]] },
  { "tostring(f)",
    returns = "string",
    example = [[
path = os.tmpname()
f = tide.open(path)
tostring(f) == "tide.File (" .. path .. ", r)"  --> true
f:close()
os.remove(path)
]] },
},

[[
## Reading and writing
]],

{
  columns = "returns",
  args = {
    a = "Array | HostArray: without gaps",
    offset = [[
      integer = f.offset: the first byte of the file, counted from 0; where the last one of this
      object ended]],
  },
  { "f:read(a [, offset])",
    returns = "a",
    text = [[
      fills all of it with bytes of the file, as they are; of bools, whatever is not 0 is true]],
    raises = [[
      if the file has not so many bytes (nothing is queued then); in a capture]],
    example = [[
path = os.tmpname()
out = tide.open(path, "w"):write(tide.arange(6, "int32"))
f = tide.open(path)
f:read(tide.empty(3, "int32"), 4 * 2)   --> [2 3 4]
out:close() f:close()
os.remove(path)
]] },
  { "f:write(a [, offset])",
    returns = "f",
    text = [[
      its bytes, as they are; the file grows, and what nobody has written is zeros]],
    raises = "in a capture",
    example = [[
path = os.tmpname()
f = tide.open(path, "w")
f:write(tide.ones(3, "uint8"), 5)
f.size                                  --> 8
f:close()
os.remove(path)
]] },
},

[[
## Fields
]],

{
  columns = "type",
  { "f.size",
    type = "integer",
    text = [[
      how many bytes it has, or will have once all that was queued is written; what other programs
      append is seen. 0 where there is no end, as in `/dev/zero`]],
    example = [[
path = os.tmpname()
f = tide.open(path, "w"):write(tide.ones(10))
f.size                                  --> 80
f:close()
os.remove(path)
]] },
  { "f.offset",
    type = "integer",
    text = "where the next one begins that says nothing else",
    example = [[
path = os.tmpname()
f = tide.open(path, "w"):write(tide.ones(10))
f.offset                                --> 80
f:close()
os.remove(path)
]] },
  { "f.path",
    type = "string",
    text = "as it was given to `open`",
    example = [[
path = os.tmpname()
f = tide.open(path)
f.path == path                          --> true
f:close()
os.remove(path)
]] },
  { "f.mode",
    type = "string",
    example = [[
path = os.tmpname()
f = tide.open(path, "r+")
f.mode                                  --> r+
f:close()
os.remove(path)
]] },
},

[[
## Rules

- **Order.** An operation reads and writes the array as a kernel does, and the bytes of the file as
  if these were an array: reads and writes that overlap are done in the program's order, on whatever
  streams and by however many paths and objects the file was opened; those that do not are done side
  by side. What other programs do with the file, other Lua states, or `io` in this one, is not
  known.
- **Early.** Where a GPU's memory is filled, threads begin to read as soon as the call is made, into
  page-locked memory, up to 32 MiB ahead for each stream, and 128 MiB for all where they are not
  more than 32; unless a write that was queued before overlaps. The array is written at its place in
  the stream. Two streams that take turns are enough: one computes while the other one copies, and
  more of them share the same bus.
- **Done** means that the system has the data: `f:close()`, `s:synchronize()`, `a:await()` and the
  like wait for that, so that whatever opens the file next finds it. As with
  `io`, the data may reach the disk later. A program that ends closes its Lua state, which waits as
  well; but `os.exit(0)` leaves it open, and queued work is lost. Call `os.exit(0, true)`.
- **Errors** that are known at once are raised by the call: no such file, no permission, a range
  that the file does not have. Those that come later (a disk that is full, or fails; a file that got
  shorter) are raised by whoever waits for the stream, or for what comes behind, with the line of
  the call, the path and the byte: `main.lua:12: file:read: 'x.bin': it ended at byte 4096, and was
  longer before`. What could not be read is zeros then. The stream goes on; of several errors the
  oldest is raised, and the next one by the next wait. The Lua state reports
  [errors that nothing waits for](../errors.md#errors-that-nothing-waits-for) when it closes, which
  waits for what was queued.
- **An array with gaps** is no run of bytes: `f:write(a.T:copy())`, and `f:read(b)` followed by
  `a.T:copy_from(b)`. Rows of a matrix, and slices along the first axis, have none.
- A program may run ahead of its files by about 1 GiB for each stream, less where many streams use
  files; the next call waits then. A file that was closed has its descriptors until its work is
  done, so `tide.open` waits where there are 128 of these; files that are garbage are collected in
  time. Where there is no descriptor left it waits for such files too, and collects garbage, as
  `tide.load` and `tide.save` do.
- Pages that the system has in its cache are copied from there. What it has not is read past the
  cache (`O_DIRECT`) where the file system can, so it is not there for the next one either.
- Other processes may write to a file that is read. What is read then is up to them.
- In a [capture](graph.md) nothing is read or written, and `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`
  is raised. In a host function it works, and what it queues comes after all that was queued before.
- [`dev:reset()`](device.md) forgets what was queued on that device: a file is left as it is then.
- A child made by `fork` cannot use the files of its parent.
- Left out with `TIDE_FILES`: [embedding.md](../embedding.md).
]],

}
