return {

classes = { Generator = "a generator of random numbers of one's own" },

objects = { g = "Generator" },

args = {
  low = "number = 0", high = "number = 1", mean = "number = 0", std = "number = 1",
  shape = "shape?", dtype = "dtype?: that of floats",
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

local own = tide.random.Generator(7)           -- nobody else draws from it
local counts = own:poisson(3.5, { 100, 100 }, "int32")
own:seed(7)
print(tide.array_equal(counts, own:poisson(3.5, { 100, 100 }, "int32")))  --> true
```

## Functions

`shape`, then a dtype, then a table of options. Numbers that are not whole are float64, or float32
if that was asked for, or if [`tide.set_default_dtype`](array.md) has set anything but float64.
`out=` is an array to be filled, whose dtype it is; the shape may be nil then.

Parameters of `gamma`, `beta`, `poisson` and `binomial` may be arrays as well, with one for each
element; then the shape may be left out, and is theirs: that to which they broadcast. Those of
`binomial` that say how many trials there are have a dtype of integers.
]],

{
  heading = "draws",
  returns = "Array",
  { "tide.random.seed([n])", "g:seed()",
    text = [[
      all that is drawn later, on each device, follows from the integer `n`; returns nothing.
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
  { "tide.random.uniform([low, high,] shape [, dtype [, { out= }]])", "g:uniform()",
    text = "numbers from `low` (0) to below `high` (1): float64, or float32",
    example = [[
a = tide.random.uniform({ 2, 3 }, "float32")
a.shape                                 --> {2, 3}
(a:max():item() < 1)                    --> true
]] },
  { "tide.random.normal([mean, std,] shape [, dtype [, { out= }]])", "g:normal()",
    text = [[
      normally distributed numbers, around `mean` (0) with standard deviation `std` (1):
      float64, or float32]],
    example = [[
tide.random.seed(1)
a = tide.random.normal(10, 0.1, 1000)
tide.allclose(a:mean(), 10, 0.01)       --> true
]] },
  { "tide.random.randint(low, high, shape [, dtype [, { out= }]])", "g:randint()",
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
  { "tide.random.exponential(scale, shape [, dtype [, { out= }]])", "g:exponential()",
    text = [[
      exponentially distributed numbers, `scale` on average: times between events, float64, or
      float32]],
    args = { scale = "number" },
    example = [[
tide.random.seed(1)
tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
]] },
  { "tide.random.gamma(k, scale [, shape [, dtype [, { out= }]]])", "g:gamma()",
    text = [[
      numbers of a gamma distribution of shape `k`, `scale * k` on average: with an integer `k` the
      time until the `k`th event: float64, or float32]],
    args = {
      k = "number | Array: from 0 on",
      scale = "number | Array: from 0 on",
    },
    example = [[
tide.random.seed(1)
tide.allclose(tide.random.gamma(2, 3, 100000):mean(), 6, 0.02)  --> true
tide.random.gamma(tide.array{ 1, 2 }, 1).shape  --> {2}
]] },
  { "tide.random.beta(a, b [, shape [, dtype [, { out= }]]])", "g:beta()",
    text = [[
      numbers from 0 to 1 of a beta distribution, `a / (a + b)` on average: what a share may be of
      which `a - 1` times was seen that it is, `b - 1` times that it is not: float64, or float32]],
    args = {
      a = "number | Array: above 0",
      b = "number | Array: above 0",
    },
    example = [[
tide.random.seed(1)
tide.allclose(tide.random.beta(2, 6, 100000):mean(), 0.25, 0.02)  --> true
]] },
  { "tide.random.poisson(lam [, shape [, dtype [, { out= }]]])", "g:poisson()",
    text = [[
      how many events there are where there are `lam` on average: int64, or another dtype of
      integers, to which they are converted as by `astype`]],
    args = {
      lam = "number | Array: from 0 to 2^62",
      dtype = [[dtype = "int64"]],
    },
    example = [[
tide.random.poisson(0, 3)               --> [0 0 0]
tide.random.poisson(tide.array{ 1, 1000 }).shape  --> {2}
]] },
  { "tide.random.binomial(n, p [, shape [, dtype [, { out= }]]])", "g:binomial()",
    text = [[
      how many of `n` trials succeed, each with probability `p`: int64, or another dtype of
      integers, to which they are converted as by `astype`]],
    args = {
      n = "integer | Array: from 0 to 2^53",
      p = "number | Array: from 0 to 1",
      dtype = [[dtype = "int64"]],
    },
    example = [[
tide.random.binomial(10, 1, 3)          --> [10 10 10]
]] },
  { "tide.random.bernoulli(p, shape [, dtype])", "g:bernoulli()",
    text = "true as often as the probability `p` says, or 1 of another dtype",
    args = {
      p = "number",
      shape = "shape",
      dtype = [[dtype = "bool"]],
    },
    example = [[
tide.random.bernoulli(1, 3)             --> [true true true]
]] },
  { "tide.random.permutation(x [, axis])", "g:permutation()",
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
  { "tide.random.shuffle(a [, axis])", "g:shuffle()",
    text = "`a` itself, whose slices along an axis are put in any order",
    args = { axis = "integer = 1" },
    example = [[
a = tide.arange(5)
tide.random.shuffle(a) == a             --> true
a:sort()                                --> [0 1 2 3 4]
]] },
  { "tide.random.choice(x, shape [, { replace= }])", "g:choice()",
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
## Generators of one's own

Their numbers follow from their own seed and from what was drawn from them, whatever else draws
numbers meanwhile. `g` draws all that is above, `g:uniform(...)` as `tide.random.uniform(...)`: the
functions of `tide.random` draw from a generator that all share. With equal seeds both have the same
numbers.
]],

{
  columns = "returns",
  { "tide.random.Generator([seed])",
    returns = "Generator",
    text = "a generator with that seed, an integer; without one with a seed that nobody can guess",
    args = { seed = "integer" },
    example = [[
g = tide.random.Generator(5)
a = g:uniform(3)
tide.random.seed(5)
tide.array_equal(a, tide.random.uniform(3))  --> true
]] },
  { "g:close()",
    text = [[
      it draws no more, and its memory is free: some bytes on each device that it drew on. Graphs
      that draw from it go on]],
    returns = "nil",
    example = [[
g = tide.random.Generator(5)
g:close()
g                                       --> tide.Generator (closed)
]] },
  { "local _ <close> = g",
    text = "closes it on every way out of the block",
    returns = "nil",
    example = [[
do local g <close> = tide.random.Generator(5) end
]] },
  { "tostring(g)",
    returns = "string",
    text = "with its seed",
    example = "tide.random.Generator(5)                --> tide.Generator (seed 5)" },
},

[[
## Rules

- A generator has on each device a key, which is the seed, and a counter in the device's memory; one
  generator is for all of a Lua state that have none of their own. Whatever draws numbers reads and
  writes that memory, so calls on different streams take their turns in the order of the program.
- A graph takes numbers from where the counter is when it runs. `seed` makes it start again as well;
  it raises while a capture is open that has drawn some.
- A call on another stream while such a capture is open becomes part of it, as with any memory that
  a capture writes.
- Two devices with one seed draw the same numbers.
- Equal seeds promise equal numbers to programs that draw the same in the same order: the same calls
  with the same sizes and dtypes since the seed. The numbers depend neither on the machine nor on
  streams. How many are drawn at once does matter: `uniform(6)` need not give what `uniform(3)`
  gives twice.
- Elements of parameters that are arrays are not looked at before. Where they make no sense, as a
  negative `lam`, the number is NaN, or -1 among integers, which is the greatest one of dtypes
  without a sign.
- After [`dev:reset()`](device.md) other numbers come than before, but the same ones each time.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011), which passes TestU01's
BigCrush: each value of its counter gives four words of 32 bits. `uniform` has 24 random bits for
float32 and 53 for float64. `normal` turns two numbers into two by Box and Muller's formula, and
`exponential` takes the logarithm of one; these are of 32 bits for float32, of 53 for float64.
`gamma` is by Marsaglia and Tsang (2000), `beta` by Jöhnk (1964) where both parameters are at most 1
and else by two of `gamma`. `poisson` from 10 on, and `binomial` from 10 on average, are by
Hörmann's transformed rejection (1993) with Loader's probabilities (2000), and below by adding up
probabilities.

- `normal`, `exponential` and `gamma` of float32 are computed in float32, all else in float64.
  Normal numbers of mean 0 and deviation 1, and exponential ones of scale 1, are within four units
  of the last place of what their formulas give; `mean + std * x` is rounded as float32 rounds.
  Those of float32 are up to `6.77 * std` from the mean, and up to `22.9 * scale`; those of float64
  up to `8.66 * std`, and `37.5 * scale`.
- Integers have 64 random bits each where up to 2^32 different ones are possible (`high - low` below
  2^32), the same in every dtype, and 128 where there are more. The share of each is off by less
  than 2^-64; of up to 2^32 of them, that is less than 2^-32 of the share itself.
- A value of the counter gives four numbers of float32 or two of float64 (`uniform`, `normal`,
  `exponential`), two integers, or one where there are more than 2^32 different ones. Each call
  begins with the next value. Elements of `gamma`, `beta`, `poisson` and `binomial` have a value
  each, with as many words as they take, which are nobody else's.
- Up to 1024 elements are permuted by sorting random integers: all orders are equally likely. Of
  more, where each goes is computed from its place, by a Feistel network of twelve rounds (Black and
  Rogaway, 2002), keyed with six values of the counter. So `choice(n, k, { replace = false })` takes
  what k elements take, however large n is, up to 2^46.

It is no generator for secrets.

Errors: `bad argument #2 to 'uniform' (high is less than low)`, a shape, dtype or `out` that does
not fit. `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`: see above.
]],

}
