return {

args = { path = "string" },


[[
# Pictures

Arrays in PGM, PPM and PNG files.

## Purpose

For processing images, and for viewing results with image programs. PGM (grey) and PPM (colour) are
a short header and the raw samples, which every image tool reads. PNG has lossless compression and
may have transparency.

## Example

```lua
local tide = require "tide"

local path = os.tmpname()
local x = tide.linspace(0, 255, 256)
local grey = (x:reshape{ 1, 256 } * x:reshape{ 256, 1 } / 255):round():astype "uint8"
tide.save_image(path, grey, { format = "pgm" })

local a = tide.load_image(path)
print(a.shape[1], a.shape[2], a.dtype)         --> 256  256  uint8
print(a[256][256], tide.array_equal(a, grey))  --> 255  true
os.remove(path)
```

## Functions
]],

{
  columns = "returns",
  { "tide.load_image(path)",
    returns = "Array",
    text = [[
      reads an image to the current device. The shape is `{height, width}` for grey,
      `{height, width, 3}` for colour, `{height, width, 4}` with transparency; the dtype is `uint8`,
      or `uint16` for more than 8 bits. The copy is queued on the current stream]],
    example = [[
path = os.tmpname()
tide.save_image(path, tide.array({ { 0, 255 } }, "uint8"), { format = "pgm" })
tide.load_image(path)[1]                --> [ 0 255]
os.remove(path)
]] },
  { "tide.save_image(path, a [, { format= }])",
    returns = "nil",
    args = {
      a = "Array | HostArray: `uint8` or `uint16`, of one of these shapes",
      format = [["pgm" | "ppm" | "pnm" | "png" = nil: by default the extension of the path; "pnm" is
        one of the first two]],
    },
    text = "writes an Array or a HostArray as an image",
    waits = "for all work queued on it",
    raises = "for other dtypes and shapes, and for channels that the format does not support",
    example = [[
path = os.tmpname()
tide.save_image(path, tide.ones({ 2, 3, 3 }, "uint8"), { format = "ppm" })
tide.load_image(path).shape             --> {2, 3, 3}
os.remove(path)
]] },
},

[[
## Rules

- The first bytes of a file determine its format, not its name: PGM and PPM as samples or as text
  (P2, P3, P5, P6), and PNG of every kind. Palettes and fewer than 8 bits become 8 bits.
  Transparency of colour images becomes a fourth channel; grey images with transparency become four
  channels as well. Black is 0, and white 255 or 65535, whatever the maximum value of a PGM or PPM
  file is. Otherwise samples are as in the file: gamma and colour profiles are ignored.
- The written formats are P5, P6, and PNG of 8 or 16 bits without a palette.
- Float images are not supported, because their white level is undefined. Convert numbers from 0 to
  1 with `(a * 255):round():clip(0, 255):astype "uint8"`, and an image with `a / 255`.
- [`tide.resize`](array.md#products) changes the size of an image, for example
  `tide.resize(a, { 120, 160, 3 }):round():clip(0, 255):astype "uint8"`.
- Files are written as by [`tide.save`](npy.md#rules): under another name first. So other programs
  never see half an image, and a call that raises leaves the old file.
- PNG requires libpng 1.6, which is loaded at first use: `libpng16.so.16`, from Debian's package
  `libpng16-16`, or the library that the environment variable `TIDE_LIBPNG` names. Without it PGM
  and PPM work, and PNG raises an error that says so.
- Loading allocates no more memory than the bytes of the file can decode to.
- A host program can leave both out: [embedding.md](../embedding.md).

Errors: `tide.load_image: 'a.png': No such file or directory`, and the like;
`tide.load_image: 'a.png' cannot be read: ` and the reason: no such file, truncated, corrupt, or
what libpng says; `tide.save_image: 'a.png' cannot be written: ` and what libpng says. In a capture
`load_image` works: the graph keeps what was read. `save_image` raises, as it waits.
]]
}
