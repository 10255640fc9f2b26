return {

classes = { Complex = "a complex number as a value of Lua" },

args = { key = "integer", z = "Complex | number", w = "Complex | number" },


[[
# Complex

A complex number as a value of Lua: an element of a `complex64` or `complex128` array.

## Purpose

Elements of complex arrays are read as Complex, an immutable pair of floats. An array or an
operation that takes a number also takes a Complex.

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
    text = "returns `re + im*i`; `im` is 0 by default",
    returns = "Complex",
    args = {
      re = "number",
      im = "number = 0",
    },
    example = "tide.complex(1, 2)  --> 1+2j" },
  { "tide.complex.polar(r, angle)",
    text = "returns the number with absolute value `r` and an angle in radians",
    returns = "Complex",
    args = { r = "number", angle = "number" },
    example = "tide.complex.polar(2, 0)  --> 2+0j" },
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
  { "z + w", "z - w", "z * w", "z / w", "z ^ w", "-z",
    returns = "Complex",
    text = [[
      computes with two Complex, or with a Complex and a number; the result equals that of
      `complex128` arrays, to the bit]],
    example = [[
i = tide.complex(0, 1)
i * i                                   --> -1+0j
1 / i + 2                               --> 2-1j
]] },
  { "z + a", "z - a", "z * a", "z / a", "z ^ a",
    returns = "Array",
    text = "computes element by element, as an array and a number do",
    example = "tide.complex(0, 1) * tide.array{ 1., 2. }  --> [0.+1.j 0.+2.j]" },
  { "z == w",
    returns = "boolean",
    text = [[
      tells whether both parts are equal. A number of Lua is never equal to a Complex: compare with
      `tide.complex(x)`]],
    example = "tide.complex(1, 2) == tide.complex(1, 2)  --> true" },
  { "#z",
    returns = "integer",
    text = "always 2, so `table.unpack(z)` returns both parts",
    example = "table.unpack(tide.complex(1, 2))  --> 1.0 2.0" },
  { "tostring(z)",
    returns = "string",
    text = "formats both parts with `%.14g`, as Lua formats numbers: `1+2j`",
    example = "tostring(tide.complex(0, -1))  --> 0-1j" },
},

[[
## Functions

These functions take a Complex or a number; the results of `exp`, `log`, `sqrt`, `sin` and `cos`
equal those of `complex128` arrays, to the bit.
]],

{
  columns = "returns",
  { "tide.complex.abs(z)",
    returns = "float",
    text = "its absolute value",
    example = "tide.complex.abs(tide.complex(3, 4))  --> 5.0" },
  { "tide.complex.arg(z)",
    returns = "float",
    text = "its angle, from -pi to pi",
    example = "tide.complex.arg(tide.complex(0, 2)) == math.pi / 2  --> true" },
  { "tide.complex.conj(z)",
    returns = "Complex",
    text = "its complex conjugate",
    example = "tide.complex.conj(tide.complex(1, 2))  --> 1-2j" },
  { "tide.complex.exp(z)",
    returns = "Complex",
    text = "e to the power `z`",
    example = "tide.complex.exp(0)  --> 1+0j" },
  { "tide.complex.log(z)",
    returns = "Complex",
    text = "the natural logarithm; the branch cut is along the negative real axis",
    example = "tide.complex.log(1)  --> 0+0j" },
  { "tide.complex.sqrt(z)",
    returns = "Complex",
    text = "the square root with a nonnegative real part",
    example = "tide.complex.sqrt(-4)  --> 0+2j" },
  { "tide.complex.sin(z)",
    returns = "Complex",
    text = "the sine",
    example = "tide.complex.sin(0)  --> 0+0j" },
  { "tide.complex.cos(z)",
    returns = "Complex",
    text = "the cosine",
    example = "tide.complex.cos(0)  --> 1-0j" },
  { "tide.complex.tan(z)",
    returns = "Complex",
    text = "the tangent",
    example = "tide.complex.tan(0)  --> 0+0j" },
  { "tide.complex.asin(z)",
    returns = "Complex",
    text = "the arc sine",
    example = "tide.complex.asin(0)  --> 0+0j" },
  { "tide.complex.acos(z)",
    returns = "Complex",
    text = "the arc cosine",
    example = "tide.complex.acos(1)  --> 0-0j" },
  { "tide.complex.atan(z)",
    returns = "Complex",
    text = "the arc tangent",
    example = "tide.complex.atan(0)  --> 0+0j" },
  { "tide.complex.sinh(z)",
    returns = "Complex",
    text = "the hyperbolic sine",
    example = "tide.complex.sinh(0)  --> 0+0j" },
  { "tide.complex.cosh(z)",
    returns = "Complex",
    text = "the hyperbolic cosine",
    example = "tide.complex.cosh(0)  --> 1+0j" },
  { "tide.complex.tanh(z)",
    returns = "Complex",
    text = "the hyperbolic tangent",
    example = "tide.complex.tanh(0)  --> 0+0j" },
  { "tide.complex.asinh(z)",
    returns = "Complex",
    text = "the inverse of `sinh`",
    example = "tide.complex.asinh(0)  --> 0+0j" },
  { "tide.complex.acosh(z)",
    returns = "Complex",
    text = "the inverse of `cosh`",
    example = "tide.complex.acosh(1)  --> 0+0j" },
  { "tide.complex.atanh(z)",
    returns = "Complex",
    text = "the inverse of `tanh`",
    example = "tide.complex.atanh(0)  --> 0+0j" },
},

[[
## Notes

- A number, a Complex or a table `{ re =, im = }` may be an element of a nested table, a value to
  fill an array with, or an operand beside an array. For a single element (`a[i] = x`, `a:fill(x)`)
  a table `{ re, im }` is also accepted; in a nested table that is an axis.
- A Complex takes the precision of a float array: `complex64` with `float32`, `float16` and
  `bfloat16`, else `complex128`.
]],

}
