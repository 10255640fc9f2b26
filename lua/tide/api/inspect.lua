return {

[[
# Looking at arrays

Summary statistics of an array, and plots as text.

## Purpose

They show the contents of a large array without fetching it: the device computes the figures, and
only these are copied to the host. Plots are text, for the prompt and for sessions over `ssh`.

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
      returns a table of `count`, `nans`, `mean`, `std`, `min`, `q25`, `median`, `q75`, `max` and
      `dtype`, which `tostring` and `print` show with a line for each: see [below](#figures)]],
    waits = "for the figures, once",
    raises = "for complex arrays",
    example = [[
d = tide.array({ 4, 1, 3 }, "int32"):describe()
d.min                                   --> 1
d.mean                                  --> 2.6666666666667
d["50%"]                                --> 3.0
]] },
  { "tide.plot(a [, { ascii=, bins=, height=, kind=, string=, width= }])", "a:plot()",
    returns = "string?: the plot with option `string`, else nothing",
    args = {
      kind = [["line" | "histogram" | "heat" = nil: "line" for one axis, "heat" for two]],
      width = "integer = nil: columns, from 20 on; by default those of the terminal, or 80",
      height = "integer = nil: lines; by default 11 for a line, and at most 24 for a heat map",
      bins = "integer = nil: the bins of a histogram; by default 10, or `height`",
      ascii = [[
        boolean = nil: uses ASCII only; by default true unless `LC_ALL`, `LC_CTYPE` or `LANG` say
        UTF-8]],
      string = "boolean = false: returns the plot instead of printing it",
    },
    text = "prints a plot of a real array, with [`print`](#pictures)",
    waits = "for the elements that it draws; for a histogram's range and counts",
    raises = "for complex arrays; if the kind does not take this number of axes",
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
  { "`count`", "the number of elements that are not NaN" },
  { "`nans`", "the number of NaNs, which no other figure includes" },
  { "`mean`", "the sum, as `float64`, divided by `count`" },
  { "`std`",
    [[the sample standard deviation, with divisor `count - 1` as in pandas]] },
  { "`min`, `max`",
    [[the minimum and the maximum; exact integers for integer dtypes. For `uint64` they are Lua
      integers with the same bits, as its elements are]] },
  { '`q25`, `median`, `q75`; `["25%"]`, `["50%"]`, `["75%"]`',
    "quartiles, interpolated as in `quantile`; floats" },
  { "`dtype`", "the dtype of the array; bools count as 0 and 1" },
},

[[
Undefined figures are NaN: all but the counts if there are no elements or only NaNs, and `std` of
one element. The array may have any shape. It is sorted once, in memory of its own size, and the
figures come from that copy, so they describe a single moment.

## Pictures

- `line`: the elements in order, connected. If there are more elements than columns, each column
  spans its minimum to its maximum, so no peak is lost. A NaN or an infinity is a gap.
- `histogram`: a bar for each bin between the minimum and the maximum, for any number of axes.
- `heat`: the mean of each cell of a matrix as a shade, with the scale below; `?` marks a cell
  without a number. It has colours on a terminal that supports them, unless `NO_COLOR` is set.

NaNs and infinities are ignored. If nothing else is left the plot is `no finite numbers`; without
elements it is `no elements`.

If a [host program](../embedding.md) leaves something out, tide does not query the terminal and uses
a width of 80. Both functions raise in a capture, because they wait.

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

Nothing else in tide uses luassert.
]]
}
