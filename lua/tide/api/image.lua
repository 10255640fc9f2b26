return {

args = { path = "string" },


[[
# Pictures

Arrays in PGM, PPM and PNG files.

## Purpose

To work on pictures, and to look at what was computed with the programs that show them. PGM (grey)
and PPM (colours) are a few words and the samples as they are, which every tool for pictures reads;
PNG is compressed, without loss, and may be transparent.

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
      what the file holds, on the current device: `{height, width}` of a grey picture,
      `{height, width, 3}` of colours, `{height, width, 4}` where something may be transparent;
      `uint8`, or `uint16` of more than 8 bits; the copy is queued on the current stream]],
    example = [[
path = os.tmpname()
tide.save_image(path, tide.array({ { 0, 255 } }, "uint8"), { format = "pgm" })
tide.load_image(path)[1]                --> [ 0 255]
os.remove(path)
]] },
  { "tide.save_image(path, a [, { format= }])",
    returns = "nil",
    args = {
      a = "Array | HostArray: `uint8` or `uint16`, of such a shape",
      format = [["pgm" | "ppm" | "pnm" | "png" = nil: what the path ends in; "pnm" is one of the ]]
        .. [[first two]],
    },
    text = "writes an Array or a HostArray as a picture",
    waits = "for all that is queued for it",
    raises = "for other dtypes and shapes, and for channels that the format has not",
    example = [[
path = os.tmpname()
tide.save_image(path, tide.ones({ 2, 3, 3 }, "uint8"), { format = "ppm" })
tide.load_image(path).shape             --> {2, 3, 3}
os.remove(path)
]] },
},

[[
## Rules

- What is read is told by the first bytes of a file, not by its name: PGM and PPM as samples or as
  text (P2, P3, P5, P6), and PNG of every kind. Of palettes and of fewer than 8 bits come 8 bits, of
  colours that are transparent a fourth channel, which grey ones with it get three more for. Black
  is 0, and white 255 or 65535, whatever the greatest value of a PGM or PPM file is. Otherwise
  samples are as they are in the file: gamma and colour profiles are not looked at.
- P5 and P6 are written, and PNG of 8 or 16 bits, without a palette.
- Floats are neither read nor written, as nobody can tell what white is: of numbers from 0 to 1 make
  `(a * 255):round():clip(0, 255):astype "uint8"`, and of a picture `a / 255`.
- Files are written as [`tide.save`](npy.md#rules) writes them: under another name first, so others
  never see half a picture, and a call that raises leaves what was there.
- PNG takes libpng 1.6, which is loaded with the first such picture: `libpng16.so.16`, of Debian's
  package `libpng16-16`, or what the environment variable `TIDE_LIBPNG` names. Without it PGM and
  PPM work, and PNG raises an error that says so.
- No more memory is asked for than what the bytes of a file can become.
- A host program can leave both out: [embedding.md](../embedding.md).

Errors: `tide.load_image: 'a.png': No such file or directory`, and the like;
`tide.load_image: 'a.png' cannot be read: ` and the reason: no such file, truncated, corrupt, or
what libpng says; `tide.save_image: 'a.png' cannot be written: ` and what libpng says. In a capture
`load_image` works: the graph keeps what was read. `save_image` raises, as it waits.
]]
}
