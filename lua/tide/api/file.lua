return {

classes = { File = "an open file that streams read and write" },

args = {
  path = "string",
},

objects = { f = "File" },


[[
# File

Bytes of files, read and written by streams.

## Purpose

`f:read(a)` and `f:write(a)` are operations like a copy: they are queued on the current stream and
return at once, and later uses of the array come behind them. Threads of tide read and write the
file while the program goes on, other streams run, and the device copies the data already read.

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

The next example reads a file of any length in pieces, of which the last may be shorter:

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
        string = "r": "r" reads; "w" creates or empties the file and writes; "r+" reads and writes
        an existing file]],
    },
    waits = [[if "w" empties a file that queued operations read or write]],
    text = [[
      opens a regular file, a disk or `/dev/zero`. Files without random access, such as pipes, are
      refused. In a host function it can create files, but cannot empty them]],
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
    waits = "if writes of this object are not done yet; not with `wait = false`",
    text = [[
      closes the file, even if it raises. In a task and in a coroutine of an event loop, others run
      meanwhile. With `wait = false`, and when the object is collected, queued operations still
      complete later]],
    raises = [[
      if it is closed; the errors of its writes; in a host function, if there is something
      to wait for]],
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
      closes the file at the end of the block, as by `f:close()`; without waiting if an error ends
      the block, and in host functions and finalizers]],
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
      integer = f.offset: the position in the file, in bytes from 0; by default where the last
      operation of this object ended]],
  },
  { "f:read(a [, offset])",
    returns = "a",
    text = "fills the array with raw bytes of the file; for bools, every nonzero byte is true",
    raises = "if the file has too few bytes (nothing is queued then); in a capture",
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
    text = "writes the raw bytes of the array. The file grows as needed, and gaps are zeros",
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
      the size of the file in bytes, once all queued writes are done; includes data that other
      programs append. 0 for a file without an end, such as `/dev/zero`]],
    example = [[
path = os.tmpname()
f = tide.open(path, "w"):write(tide.ones(10))
f.size                                  --> 80
f:close()
os.remove(path)
]] },
  { "f.offset",
    type = "integer",
    text = "the default offset of the next read or write",
    example = [[
path = os.tmpname()
f = tide.open(path, "w"):write(tide.ones(10))
f.offset                                --> 80
f:close()
os.remove(path)
]] },
  { "f.path",
    type = "string",
    text = "the path as given to `open`",
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

- **Order.** An operation accesses the array as a kernel does, and the bytes of the file as if they
  were an array. Overlapping reads and writes happen in the program's order, on any streams and
  through any paths and objects of the file; others run concurrently. tide does not see accesses by
  other programs, by other Lua states, or by `io` in this one.
- **Read-ahead.** When a read fills a GPU's memory, threads start reading as soon as the call is
  made, unless an earlier queued write overlaps. They read into page-locked memory, up to 32 MiB
  ahead for each stream, and 128 MiB for all streams if there are at most 32. The array is written
  at its place in the stream. Two alternating streams are enough: one computes while the other
  copies, and more share the same bus.
- **Done** means that the system has the data. `f:close()`, `s:synchronize()`, `a:await()` and the
  like wait for that, so whatever opens the file next finds the data. As with `io`, the data may
  reach the disk later. A program that ends closes its Lua state, which waits as well. But
  `os.exit(0)` leaves the state open, and queued work is lost: call `os.exit(0, true)`.
- **Errors** that are known at once are raised by the call: a missing file, missing permission, a
  range that the file does not have. Later errors (a disk that is full or fails; a file that became
  shorter) are raised by the next wait for the stream, or for work behind the operation, with the
  line of the call, the path and the byte: `main.lua:12: file:read: 'x.bin': it ended at byte 4096,
  and was longer before`. Elements that could not be read are zeros then. The stream goes on; of
  several errors the oldest is raised, and the next one by the next wait. The Lua state reports
  [errors that nothing waits for](../errors.md#errors-that-nothing-waits-for) when it closes, which
  waits for queued operations.
- **An array with gaps** is not contiguous, so it cannot be read or written directly: use
  `f:write(a.T:copy())`, and `f:read(b)` followed by `a.T:copy_from(b)`. Rows of a matrix, and
  slices along the first axis, have no gaps.
- A program may run ahead of its files by about 1 GiB for each stream, less if many streams use
  files; then the next call waits. A closed file keeps its descriptors until its work is done, so
  `tide.open` waits when there are 128 such files. Garbage files are collected in time. When no
  descriptor is left, `tide.open` waits for closed files and collects garbage, as `tide.load` and
  `tide.save` do.
- Data in the system's page cache is copied from there. Other data is read past the cache
  (`O_DIRECT`) where the file system can, so it is not in the cache for later readers either.
- Other processes may write to a file that is being read; the data read is unspecified then.
- In a [capture](graph.md) nothing is read or written, and `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`
  is raised. It works in a host function, and comes after all work queued before.
- [`dev:reset()`](device.md) waits for the device's reads and writes. If the device has failed, the
  rest is discarded, and the file keeps the state that it has then.
- A child made by `fork` cannot use the files of its parent.
- Left out with `TIDE_FILES`: [embedding.md](../embedding.md).
]],

}
