return {

[[
# Looking at arrays

The figures of an array at a glance, and its picture in letters.

## Purpose

To see what is in a large array without fetching it: the device computes what is shown, and only
that is copied to the host. At the prompt and over `ssh` there is no other window to draw in.

## Example

```lua
local tide = require "tide"

local x = tide.array{ 1, 2, 0/0, 4, 10 }
local d = x:describe()
print(d.count, d.nans, d.median, d["75%"])     --> 4  1  3.0  5.5
print(d)                                       -- a line for each figure

local t = tide.linspace(0, 12, 100000)
t:sin():plot()                                 -- a line, as wide as the terminal
t:sin():plot{ kind = "histogram", bins = 8 }
t:reshape{ 250, 400 }:sin():plot{ width = 60, ascii = true }
```

The second one prints

```
count   4
nans    1
mean    4.250000
std     4.031129
min     1.000000
25%     1.750000
50%     3.000000
75%     5.500000
max    10.000000
dtype  float64
```

## Functions
]],

{
  columns = "returns",
  { "tide.describe(a)", "a:describe()",
    returns = "table",
    text = [[
      a table of `count`, `nans`, `mean`, `std`, `min`, `q25`, `median`, `q75`, `max` and `dtype`,
      which `tostring` and `print` show with a line for each: see [below](#figures)]],
    waits = "for the figures, once",
    raises = "for complex arrays",
    example = [[
d = tide.array({ 4, 1, 3 }, "int32"):describe()
d.min                                   --> 1
d.mean                                  --> 2.6666666666667
d["50%"]                                --> 3.0
]] },
  { "tide.plot(a [, { ascii=, bins=, height=, kind=, string=, width= }])", "a:plot()",
    returns = "string?: the picture with option `string`, else nothing",
    args = {
      kind = [["line" | "histogram" | "heat" = nil: "line" for one axis, "heat" for two]],
      width = "integer = nil: letters in a line, from 20 on; the terminal's, or 80",
      height = "integer = nil: lines; 11 of a line, 24 of a heat map at most",
      bins = "integer = nil: of a histogram; 10, or `height`",
      ascii = [[
        boolean = nil: no letters but ASCII; true where `LC_ALL`, `LC_CTYPE` or `LANG` do not
        say UTF-8]],
      string = "boolean = false: the picture is returned, and not printed",
    },
    text = [[
      prints a picture of the elements of a real array, with [`print`](#pictures)]],
    waits = "for what is drawn; for a histogram's ends and counts",
    raises = "for complex arrays; for other axes than a kind takes",
    example = [[
picture = tide.array{ 1, 2 }:plot{ kind = "histogram", bins = 2, width = 24, ascii = true,
                                   string = true }
picture                                 --> 1 to 1.5 |########## 1
                                        --> 1.5 to 2 |########## 1
]] },
},

[[
## Figures
]],

{
  head = { "field", "" },
  { "`count`", "how many elements are no NaN" },
  { "`nans`", "how many are; no other figure counts them in" },
  { "`mean`", "the sum, as `float64`, divided by `count`" },
  { "`std`",
    [[the standard deviation of a sample, divided by `count - 1`, as pandas has it]] },
  { "`min`, `max`",
    [[the least and the greatest; of integers they are integers, exactly, of `uint64` Lua's
      integers of the same bits, as its elements are]] },
  { '`q25`, `median`, `q75`; `["25%"]`, `["50%"]`, `["75%"]`',
    "quartiles, between two elements as `quantile` reads them; floats" },
  { "`dtype`", "that of the array; bools are described as 0 and 1" },
},

[[
Where there is nothing to tell they are NaN: all but the counts without elements or of NaNs alone,
`std` of one element. The array has any shape. It is sorted once, in memory of its own size, and the
figures come from that copy, so they are those of one moment.

## Pictures

- `line`: the elements in order, joined. Where there are more than columns, each column goes from
  its least to its greatest element, so no peak is lost. A NaN or an infinity is a gap.
- `histogram`: a bar for each bin between the least and the greatest element, of any number of axes.
- `heat`: the mean of each cell of a matrix by shades, with the scale below; `?` where a cell has no
  number. On a terminal that has colours it is coloured, unless `NO_COLOR` is set.

NaNs and infinities are left out: `no finite numbers` where there is nothing else, `no elements`
where there are none.

Where a [host program](../embedding.md) leaves something out, the terminal is not asked for its
width, which is 80 then. In a capture both raise, as they wait.

## Tests

`require "tide.luassert"` adds two assertions to
[luassert](https://github.com/lunarmodules/luassert), which busted uses. Both take arrays, tables,
numbers and HostArrays, need equal shapes, and count NaN as equal to NaN. A failure names the
number of elements that differ, the first of them, and both arrays.

```
require "tide.luassert"
assert.arrays_equal({ 0, 1, 2 }, tide.arange(3))
assert.arrays_near({ 0.1 }, tide.array{ 0.1 } * (1 + 1e-9))
assert.arrays_near(expected, actual, 1e-3, 1e-6)  -- rtol, atol
assert.are_not.arrays_equal({ 0, 1 }, tide.arange(3))
```

tide needs luassert for nothing else.
]]
}
