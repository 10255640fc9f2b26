return {

args = { path = "string" },


[[
# Files

Arrays in NumPy's `.npy` files.

## Purpose

To keep arrays, and to exchange them with NumPy and whatever else reads its files. A file goes
straight through page-locked memory: several threads read it while the device takes what they have
read. On the host device they read it into the array itself, if its stream has nothing else to do.

## Example

```lua
local tide = require "tide"

local path = os.tmpname()
tide.save(path, tide.arange(6):reshape{ 2, 3 })
local a = tide.load(path)                      -- numpy.load(path) does the same
print(a.dtype, a.shape[1], a.shape[2], a:sum():item())  --> int64  2  3  15
os.remove(path)
```

## Functions
]],

{
  columns = "returns",
  { "tide.load(path)",
    returns = "Array",
    text = [[
      what the file holds, on the current device; the copy is queued on the current stream,
      the file is closed]],
    example = [[
path = os.tmpname()
tide.save(path, tide.arange(3))
tide.load(path)                         --> [0 1 2]
os.remove(path)
]] },
  { "tide.save(path, a)",
    args = {
      a = "Array | HostArray",
    },
    text = "writes an Array or a HostArray",
    waits = "for all that is queued for it",
    example = [[
path = os.tmpname()
tide.save(path, tide.ones(3))
tide.load(path).dtype                   --> float64
os.remove(path)
]] },
},

[[
## Rules

- Versions 1.0 and 2.0 of the format, in C's or Fortran's order, of all dtypes that tide and NumPy
  share, little-endian. Fortran's order becomes C's, on the device. Version 1.0 in C's order is
  written.
- Archives (`.npz`) are neither read nor written: `unzip a.npz` gives a file for each array.
- The name is as it is given: no `.npy` is added to it.
- `save` writes to a file `tide-NUMBER-NUMBER.part` beside it, which then takes the place of what
  was there, with its owner, group and permissions. So others never see half a file, and a call that
  raises leaves what was there. A symbolic link is followed, also to where there is no file yet.
- Only root can give files away. Otherwise a file of another user becomes the writer's; a group that
  the writer is not in loses its rights. Hard links keep the old contents.
- What comes after the data is not looked at.
- `load` has read the file when it returns, so it may be written or removed then. What was queued to
  be written to it ([`f:write`](file.md)) may not be there yet: wait for that first.
- A file has the array as it was at one moment: should a finalizer write to the array between the
  pieces of a save, which are of 4 MiB, the save begins again.
- A host program can leave both out: [embedding.md](../embedding.md).

Errors: `tide.load: 'a.npy': No such file or directory`, and the like;
`tide.load: 'a.npy' cannot be read: ` and the reason: no `.npy` file, truncated, corrupt,
big-endian, Python objects, a structured dtype, a dtype that tide has not. Only regular files are
read and replaced. In a capture `load` works: the graph keeps what was read. `save` raises
`CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
]],

}
