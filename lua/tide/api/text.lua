return {

args = { path = "string" },


[[
# Text files

Arrays in text files: columns of numbers, with blanks, commas or other characters between them.

## Purpose

For tables that other programs write and read, like CSV files. Several threads parse a file into
page-locked memory, and the copy to the device is queued on the current stream. For arrays that only
tide and NumPy read, [`.npy` files](npy.md) are smaller and faster.

## Example

```lua
local tide = require "tide"

local path = os.tmpname()
local file <close> = assert(io.open(path, "w"))
file:write("city,year,mean\n1,2023,11.5\n2,2023,9\n1,2024,12\n"):flush()

local columns, names = tide.loadtxt(path, { delimiter = ",", names = true })
print(table.concat(names, " "), columns.mean.size)  --> city year mean  3
local a = tide.loadtxt(path, { delimiter = ",", skiprows = 1, usecols = { 2, 1 }, dtype = "int64" })
print(a.shape[1], a.shape[2], a[{ 2, 2 }])     --> 3  2  2
os.remove(path)
```

## Functions
]],

{
  columns = "returns",
  { [[tide.loadtxt(path [, { delimiter=, quote=, comments=, skiprows=, max_rows=, usecols=, dtype=,
      missing=, names= }])]],
    returns = "any, string[]?",
    args = {
      delimiter = "string = nil: the character between fields; by default any number of blanks",
      quote = [[string | boolean = nil: the character around fields that may contain the delimiter;
        by default `"` where there is a delimiter]],
      comments = [[string | boolean = "#": one or more characters that begin a comment, which goes
        to the end of its line; false: there are no comments]],
      skiprows = "integer = 0: lines to skip first, with comments and blank lines",
      max_rows = "integer = nil: rows to read at most",
      usecols = [[integer | any[] = nil: columns to read, from 1, negative ones from the end, in
        this order; also names of the header]],
      dtype = "dtype = nil: by default that of [tide.get_default_dtype](array.md)",
      missing = "element = nil: the value of fields that are empty or cannot be read",
      names = [[boolean | string[] = nil: true: the first line, after skipped ones, is a header; or
        the names of the columns that are read]],
    },
    text = [[
      reads a table of numbers to the current device: a 2-d array of its rows. With `names` it
      returns a table of 1-d arrays, one for each column by its name, and the list of names]],
    raises = [[if a field cannot be read, and for rows of different length; the error names line and
      column]],
    example = [[
path = os.tmpname()
tide.savetxt(path, tide.arange(6):reshape{ 2, 3 })
tide.loadtxt(path, { usecols = { 1, -1 } })[2]  --> [3. 5.]
os.remove(path)
]] },
  { "tide.savetxt(path, a [, { delimiter=, fmt=, header=, footer=, comments= }])",
    returns = "nil",
    args = {
      a = "Array | HostArray: with one or two axes",
      delimiter = [[string = " ": between the numbers of a row]],
      fmt = [[string | string[] = nil: a format of C for one number, as `"%.3f"` or `"%5d"`, with
        text around it; or a list with one for each column; by default the fewest digits that are
        read back as the same number]],
      header = [[string = "": written in front, each line behind the mark of a comment; nothing if
        it is empty]],
      footer = [[string = "": likewise, written at the end]],
      comments = [[string = "# ": the mark; `""` for a header of names]],
    },
    text = "writes a line for each row; those of a 1-d array have one number",
    waits = "for all work queued on it",
    example = [[
path = os.tmpname()
tide.savetxt(path, tide.array{ 0.5, 2 }, { fmt = "%.2f" })
tide.loadtxt(path).shape                --> {2, 1}
os.remove(path)
]] },
},

[[
## Rules

- The result is always 2-d, as with NumPy's `ndmin = 2`: a file with one column gives `{n, 1}`.
- Numbers are decimal, with an optional sign, point and exponent, or `inf`, `infinity`, `nan`, in
  any case. Floats are rounded to the nearest (`float16` and `bfloat16` by way of `float64`), and
  the decimal point is a point in any locale. Integers are exact, without point or exponent; one
  that is out of range for the dtype is an error, with `missing` as well. Complex numbers are
  written `1+2j` or `(1+2j)`, bools `true`, `false` (in any case) or an integer.
- Blanks around fields, blank lines, and a byte order mark of UTF-8 are ignored. Lines end in LF or
  CR LF.
- A field in quotes has no line breaks; a doubled quote in it stands for one. A quote without its
  partner is an ordinary character.
- `usecols` allows rows with more columns than are read. Without it, or with negative columns, all
  rows have as many columns as the first, or as the header.
- A header may be a comment, `# x y`. With `names`, a file without rows gives arrays without
  elements; otherwise it is an error.
- While `loadtxt` works, the whole file is in memory, and all values are in page-locked memory.
  Ctrl-C, a hook or the host program ends the call between parts of 8 MiB.
- `savetxt` writes complex numbers as `1+2j`, with the format for both parts, and bools as 1 and 0.
  Formats `d i o u x X` write floats without their fraction. Files are replaced as by
  [`tide.save`](npy.md#rules).
- A host program can leave both out: [embedding.md](../embedding.md).

Errors: `tide.loadtxt: 'a.csv': ` and `No such file or directory`, and the like; `it has no rows`;
`line 17 has 4 columns, 3 expected`; `line 17, column 2: 'abc' is no number`. Only regular files are
read and replaced. In a capture `loadtxt` works, and the graph keeps the loaded data. `savetxt`
raises `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
]],

}
