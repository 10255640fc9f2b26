return {

args = { path = "string" },


[[
# Files

Arrays in NumPy's files: `.npy`, and archives of several arrays with names, `.npz`.

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
  { "tide.load(path [, name])",
    returns = "Array | table",
    args = { name = "string?: of one array of an archive" },
    text = [[
      reads an array to the current device and closes the file; the copy is queued on the current
      stream. Reads all arrays of an archive (`.npz`), to a table by name, or only the named one]],
    example = [[
path = os.tmpname()
tide.save(path, tide.arange(3))
tide.load(path)                         --> [0 1 2]
os.remove(path)
]] },
  { "tide.save(path, a [, { compressed= }])",
    args = {
      a = "Array | HostArray | table",
      compressed = "boolean = false: of an archive, whether zlib compresses it",
    },
    text = [[
      writes an Array or a HostArray; if the path ends in `.npz`, an archive of the arrays of a
      table, with their keys as names, as `numpy.savez` and `savez_compressed` do]],
    waits = "for all work queued on it",
    example = [[
path = os.tmpname() .. ".npz"
tide.save(path, { x = tide.ones(3), y = tide.arange(2) }, { compressed = true })
tide.load(path).x.dtype                 --> float64
tide.load(path, "y")                    --> [0 1]
os.remove(path)
]] },
},

[[
## Rules

- It reads versions 1.0 and 2.0 of the format, in C or Fortran order, little-endian, with all dtypes
  that tide and NumPy share. Fortran order is converted to C order on the device. It writes version
  1.0 in C order.
- The path is used as given: no `.npy` or `.npz` is added to it.
- An archive is a zip file with a file `NAME.npy` for each array, sorted by name; names may have a
  "/". Large archives are zip64. `load` recognizes an archive by its contents, checks the CRC-32 of
  each array that it reads, and returns `NAME` for a file `NAME.npy`, and the whole name for another
  file. It reads a single array without reading the others.
- Compressed arrays need zlib: `libz.so.1`, or the library that the environment variable `TIDE_LIBZ`
  names. One thread at a time inflates them, into the same page-locked memory. Stored arrays need no
  library, and load several times faster.
- The names of an archive that is written must be strings of UTF-8 without zero bytes.
- `save` writes to a file `tide-NUMBER-NUMBER.part` in the same folder, which then replaces the old
  file, with its owner, group and permissions. So other programs never see half a file, and a call
  that raises leaves the old one. A symbolic link is followed, even if its target does not exist
  yet.
- Only root can give files away. Otherwise a file of another user becomes the writer's; a group that
  the writer is not in loses its permissions. Hard links keep the old contents.
- Bytes after the data are ignored; in an archive they are an error.
- `load` has read the file when it returns, so the file may be written or removed then. Writes that
  were queued to it by [`f:write`](file.md) may not be there yet: wait for them first.
- A file has the array's contents of a single moment. If a finalizer writes to the array between the
  pieces of a save, which are of 4 MiB, the save starts again.
- A host program can leave both out: [embedding.md](../embedding.md).

Errors: `tide.load: 'a.npy': No such file or directory`, and the like;
`tide.load: 'a.npy' cannot be read: ` and the reason: not an `.npy` file, truncated, corrupt,
big-endian, Python objects, a structured dtype, a dtype that tide does not have. Errors about one
array of an archive begin with `tide.load: 'a.npz', array 'x' cannot be read: `; further reasons are
a wrong CRC-32, encryption, another method of compression, and a missing zlib. Only regular files
are read and replaced. In a capture `load` works, and the graph keeps the loaded data. `save` raises
`CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
]],

}
