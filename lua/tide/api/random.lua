return {

args = {
  low = "number = 0", high = "number = 1", mean = "number = 0", std = "number = 1",
  shape = "shape?", dtype = 'dtype = "float64"',
},


[[
# Random numbers

Arrays of random numbers, drawn on the device.

## Purpose

Numbers that a program can have again: they follow from the seed and from how many were drawn
before, and are the same, bit for bit, on each device, GPU or host, and whatever the stream.

## Example

```lua
local tide = require "tide"

tide.random.seed(42)
local x = tide.random.uniform(5, "float32")    -- from 0 to below 1
local noise = tide.random.normal(0, 0.1, { 2, 3 })
local dice = tide.random.randint(1, 6, 10)     -- 1 and 6 are possible, as in math.random
print(dice:min():item() >= 1, dice:max():item() <= 6)  --> true  true

tide.random.seed(42)
print(tide.random.uniform(5, "float32")[1] == x[1])    --> true

local g = tide.capture(function ()             -- each launch draws other numbers
  tide.random.uniform(nil, nil, { out = x })
end)
g:launch()
local first = x[1]
g:launch()
print(x[1] ~= first)                           --> true
```

## Functions

`shape`, then a dtype, then a table of options. `out=` is an array to be filled, whose dtype it is;
the shape may be nil then.
]],

{
  heading = "draws",
  returns = "Array",
  { "tide.random.seed([n])",
    text = [[
      returns nothing: all that is drawn later, on each device, follows from the integer `n`.
      Without `n`, and in a program that sets no seed, from one that nobody can guess]],
    returns = "nil",
    args = {
      n = "integer",
    },
    example = [[
tide.random.seed(42)
a = tide.random.uniform(3)
tide.random.seed(42)
tide.array_equal(a, tide.random.uniform(3)) --> true
]] },
  { "tide.random.uniform([low, high,] shape [, dtype [, { out= }]])",
    text = "numbers from `low` (0) to below `high` (1): float64, or float32",
    example = [[
a = tide.random.uniform({ 2, 3 }, "float32")
a.shape                                 --> {2, 3}
(a:max():item() < 1)                    --> true
]] },
  { "tide.random.normal([mean, std,] shape [, dtype [, { out= }]])",
    text = [[
      normally distributed numbers, around `mean` (0) with standard deviation `std` (1):
      float64, or float32]],
    example = [[
tide.random.seed(1)
a = tide.random.normal(10, 0.1, 1000)
tide.allclose(a:mean(), 10, 0.01)       --> true
]] },
  { "tide.random.randint(low, high, shape [, dtype [, { out= }]])",
    text = [[
      integers from `low` to `high`, both included as in Lua's `math.random`: int64, or
      another dtype of integers]],
    args = {
      low = "integer",
      high = "integer",
      dtype = [[dtype = "int64"]],
    },
    example = [[
a = tide.random.randint(1, 6, 100)
a:min():item() >= 1                     --> true
]] },
  { "tide.random.exponential(scale, shape [, dtype [, { out= }]])",
    text = [[
      exponentially distributed numbers, `scale` on average: times between events, float64, or
      float32]],
    args = { scale = "number" },
    example = [[
tide.random.seed(1)
tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
]] },
  { "tide.random.bernoulli(p, shape [, dtype])",
    text = "true as often as the probability `p` says, or 1 of another dtype",
    args = {
      p = "number",
      shape = "shape",
      dtype = [[dtype = "bool"]],
    },
    example = [[
tide.random.bernoulli(1, 3)             --> [true true true]
]] },
  { "tide.random.permutation(x [, axis])",
    text = [[
      the integers from 1 to `x`, each once, in any order; or the slices of an array along an axis,
      the first one by default]],
    args = {
      x = "integer | Array",
      axis = "integer = 1: of an array",
    },
    example = [[
tide.random.permutation(5):sort()       --> [1 2 3 4 5]
]] },
  { "tide.random.shuffle(a [, axis])",
    text = "`a` itself, whose slices along an axis are put in any order",
    args = { axis = "integer = 1" },
    example = [[
a = tide.arange(5)
tide.random.shuffle(a) == a             --> true
a:sort()                                --> [0 1 2 3 4]
]] },
  { "tide.random.choice(x, shape [, { replace= }])",
    text = [[
      integers from 1 to `x`, or elements of an array, slices of its first axis: all equally likely,
      none of them twice with `replace=false`]],
    args = {
      x = "integer | Array",
      shape = "shape",
      replace = "boolean = true",
    },
    raises = "if there are less than that many",
    example = [[
a = tide.random.choice(tide.array{ 10, 20 }, 100)
a:min():item() >= 10                    --> true
tide.random.choice(3, 3, { replace = false }):sum():item()  --> 6
]] },
},

[[
## Rules

- Each device has one generator for each Lua state: a key, which is the seed, and a counter in its
  memory. Whatever draws numbers reads and writes it, so calls on different streams take their turns
  in the order of the program.
- A graph takes numbers from where the counter is when it runs. `seed` makes it start again as well;
  it raises while a capture is open that has drawn some.
- A call on another stream while such a capture is open becomes part of it, as with any memory that
  a capture writes.
- Two devices with one seed draw the same numbers.
- Equal seeds promise equal numbers to programs that draw the same in the same order: the same calls
  with the same sizes and dtypes since the seed. The numbers depend neither on the machine nor on
  streams. How many are drawn at once does matter: `uniform(6)` need not give what `uniform(3)`
  gives twice.
- After [`dev:reset()`](device.md) other numbers come than before, but the same ones each time.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011), which passes TestU01's
BigCrush. `uniform` has 24 random bits for float32 and 53 for float64; `normal` turns two such
numbers into two by Box and Muller's formula, computed in float64, and `exponential` takes the
logarithm of one, of 32 bits for float32; the share of each integer is off
by less than 2^-64. It is no generator for secrets.

Errors: `bad argument #2 to 'uniform' (high is less than low)`, a shape, dtype or `out` that does
not fit. `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`: see above.
]],

}
