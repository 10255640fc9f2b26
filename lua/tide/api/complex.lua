return {

classes = { Complex = "a complex number as a value of Lua" },

args = { key = "integer" },


[[
# Complex

A complex number as a value of Lua: what an element of a `complex64` or `complex128` array is.

## Purpose

Elements of complex arrays are read as Complex, which has two floats and does not change. Where an
array or an operation takes a number it takes a Complex too.

## Example

```lua
local tide = require "tide"

local i = tide.complex(0, 1)
local a = tide.array({ 3, i, { re = 1, im = -2 } }, "complex64")
print((a * i)[1], a[3].im, a[2] == i)      --> 0+3j	-2.0	true
a[1] = { 5, 6 }
print(table.unpack(a[1]))                  --> 5.0	6.0
print(a:abs().dtype)                       --> float32
```

## Making one
]],

{
  { "tide.complex(re [, im])",
    text = "`im` is 0 by default",
    returns = "Complex",
    args = {
      re = "number",
      im = "number = 0",
    },
    example = "tide.complex(1, 2)  --> 1+2j" },
},

[[
## Fields
]],

{
  columns = "type",
  { "z.re",
    "z[1]",
    type = "float",
    text = "the real part",
    example = [[
z = tide.complex(1, 2)
z.re                                    --> 1.0
z[1]                                    --> 1.0
]] },
  { "z.im", "z[2]",
    type = "float",
    text = "the imaginary part",
    example = [[
z = tide.complex(1, 2)
z.im                                    --> 2.0
z[2]                                    --> 2.0
]] },
},

[[
## Operators
]],

{
  columns = "returns",
  { "z + a", "z - a", "z * a", "z / a", "z ^ a",
    returns = "Array",
    text = "as of an array and a number; `z * w` and `z + 1` raise",
    example = "tide.complex(0, 1) * tide.array{ 1., 2. }  --> [0.+1.j 0.+2.j]" },
  { "z == w",
    returns = "boolean",
    text = "whether both parts are equal",
    example = "tide.complex(1, 2) == tide.complex(1, 2)  --> true" },
  { "#z",
    returns = "integer",
    text = "2: `table.unpack(z)` gives both parts",
    example = "table.unpack(tide.complex(1, 2))  --> 1.0 2.0" },
  { "tostring(z)",
    returns = "string",
    text = "as in NumPy, `1+2j`",
    example = "tostring(tide.complex(0, -1))  --> 0-1j" },
},

[[
## Notes

- A number, a Complex or a table `{ re =, im = }` may be an element of a nested table, a value to
  fill an array with, or an operand beside an array. Where one element is written (`a[i] = x`,
  `a:fill(x)`) a table `{ re, im }` will do as well; in a nested table that is an axis.
- A Complex takes the precision of an array of floats: `complex64` of `float32`, `float16` and
  `bfloat16`, else `complex128`.
]],

}
