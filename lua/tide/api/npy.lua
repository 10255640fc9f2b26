return {

args = { path = "string" },


[[
# Files

Arrays in NumPy's `.npy` files.

## Purpose

For storing arrays, and for exchanging them with NumPy and other programs that read its files. A
file goes directly through page-locked memory: several threads read it while the device copies the
parts already read. On the host device they read into the array itself, if its stream has nothing
else to do.

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
      reads an array to the current device and closes the file; the copy is queued on the current
      stream]],
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
    waits = "for all work queued on it",
    example = [[
path = os.tmpname()
tide.save(path, tide.ones(3))
tide.load(path).dtype                   --> float64
os.remove(path)
]] },
},

[[
## Rules

- It reads versions 1.0 and 2.0 of the format, in C or Fortran order, little-endian, with all dtypes
  that tide and NumPy share. Fortran order is converted to C order on the device. It writes version
  1.0 in C order.
- Archives (`.npz`) are not supported: `unzip a.npz` extracts a file for each array.
- The name is used as given: no `.npy` is added to it.
- `save` writes to a file `tide-NUMBER-NUMBER.part` in the same folder, which then replaces the old
  file, with its owner, group and permissions. So other programs never see half a file, and a call
  that raises leaves the old one. A symbolic link is followed, even if its target does not exist
  yet.
- Only root can give files away. Otherwise a file of another user becomes the writer's; a group that
  the writer is not in loses its permissions. Hard links keep the old contents.
- Bytes after the data are ignored.
- `load` has read the file when it returns, so the file may be written or removed then. Writes that
  were queued to it by [`f:write`](file.md) may not be there yet: wait for them first.
- A file has the array's contents of a single moment. If a finalizer writes to the array between the
  pieces of a save, which are of 4 MiB, the save starts again.
- A host program can leave both out: [embedding.md](../embedding.md).

Errors: `tide.load: 'a.npy': No such file or directory`, and the like;
`tide.load: 'a.npy' cannot be read: ` and the reason: not an `.npy` file, truncated, corrupt,
big-endian, Python objects, a structured dtype, a dtype that tide does not have. Only regular files
are read and replaced. In a capture `load` works, and the graph keeps the loaded data. `save` raises
`CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
]],

}
