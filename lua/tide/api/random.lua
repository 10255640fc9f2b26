return {

classes = { Generator = "a random number generator with its own state" },

objects = { g = "Generator" },

args = {
  low = "number = 0", high = "number = 1", mean = "number = 0", std = "number = 1",
  shape = "shape?", dtype = "dtype?: the dtype, of floats",
},


[[
# Random numbers

Arrays of random numbers, drawn on the device.

## Purpose

Reproducible random numbers: they depend only on the seed and on the numbers drawn before. They are
bit for bit the same on every device, GPU or host, and on any stream.

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

`shape` comes first, then a dtype, then a table of options. Numbers that are not integers are
float64; they are float32 if requested, or if [`tide.set_default_dtype`](array.md) has set anything
but float64. `out=` is an array to fill, and determines the dtype; the shape may be nil then.

Parameters of `gamma`, `beta`, `poisson` and `binomial` may also be arrays, with one value for each
element. The shape may be omitted then; it is the shape to which they broadcast. The number of
trials of `binomial` has an integer dtype.
]],

{
  heading = "draws",
  returns = "Array",
  { "tide.random.seed([n])", "g:seed()",
    text = [[
      seeds the generator: all numbers drawn later, on every device, follow from the integer `n`.
      Without `n`, and in a program that sets no seed, the seed is random]],
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
    text = [[
      draws uniformly distributed numbers from the half-open interval from `low` (0) to `high` (1):
      float64, or float32]],
    example = [[
a = tide.random.uniform({ 2, 3 }, "float32")
a.shape                                 --> {2, 3}
(a:max():item() < 1)                    --> true
]] },
  { "tide.random.normal([mean, std,] shape [, dtype [, { out= }]])", "g:normal()",
    text = [[
      draws normally distributed numbers with mean `mean` (0) and standard deviation `std` (1):
      float64, or float32]],
    example = [[
tide.random.seed(1)
a = tide.random.normal(10, 0.1, 1000)
tide.allclose(a:mean(), 10, 0.01)       --> true
]] },
  { "tide.random.randint(low, high, shape [, dtype [, { out= }]])", "g:randint()",
    text = [[
      draws uniformly distributed integers from `low` to `high`, both included as in Lua's
      `math.random`: int64, or another integer dtype]],
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
    text = "draws exponentially distributed numbers with mean `scale`: float64, or float32",
    args = { scale = "number" },
    example = [[
tide.random.seed(1)
tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
]] },
  { "tide.random.gamma(k, scale [, shape [, dtype [, { out= }]]])", "g:gamma()",
    text = [[
      draws from a gamma distribution with shape `k` and scale `scale`; the mean is `scale * k`.
      With an integer `k` it is the time until the `k`th event: float64, or float32]],
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
      draws from a beta distribution, from 0 to 1; the mean is `a / (a + b)`. It is the distribution
      of a probability after `a - 1` successes and `b - 1` failures: float64, or float32]],
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
      draws from a Poisson distribution, the number of events with mean `lam`: int64, or another
      integer dtype, converted as by `astype`]],
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
      draws from a binomial distribution, the number of successes in `n` trials with probability
      `p`: int64, or another integer dtype, converted as by `astype`]],
    args = {
      n = "integer | Array: from 0 to 2^53",
      p = "number | Array: from 0 to 1",
      dtype = [[dtype = "int64"]],
    },
    example = [[
tide.random.binomial(10, 1, 3)          --> [10 10 10]
]] },
  { "tide.random.bernoulli(p, shape [, dtype])", "g:bernoulli()",
    text = "draws true with probability `p`, or 1 for another dtype",
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
      returns the integers from 1 to `x` in random order; or the slices of an array in random order,
      along the first axis by default]],
    args = {
      x = "integer | Array",
      axis = "integer = 1: the axis of an array",
    },
    example = [[
tide.random.permutation(5):sort()       --> [1 2 3 4 5]
]] },
  { "tide.random.shuffle(a [, axis])", "g:shuffle()",
    text = "shuffles the slices of `a` along an axis in place, and returns `a`",
    args = { axis = "integer = 1" },
    example = [[
a = tide.arange(5)
tide.random.shuffle(a) == a             --> true
a:sort()                                --> [0 1 2 3 4]
]] },
  { "tide.random.choice(x, shape [, { p=, replace= }])", "g:choice()",
    text = [[
      draws integers from 1 to `x`, or slices along the first axis of an array, with equal
      probability or those of `p`; with `replace=false` without repetition. Nothing waits for the
      numbers of an array `p`: if one is negative or not finite, or there are too few above 0, the
      next wait for the result raises]],
    args = {
      x = "integer | Array",
      shape = "shape",
      p = [[number[] | Array = nil: a probability for each; only their ratios count, they need not
        add up to 1]],
      replace = "boolean = true",
    },
    raises = "if `replace=false` and there are too few to choose from",
    example = [[
a = tide.random.choice(tide.array{ 10, 20 }, 100)
a:min():item() >= 10                    --> true
tide.random.choice(3, 3, { replace = false }):sum():item()  --> 6
tide.random.choice(3, 2, { p = { 0, 1, 0 } })     --> [2 2]
]] },
  { "tide.random.multivariate_normal(mean, cov [, shape] [, dtype] [, { method= }])",
    "g:multivariate_normal()",
    text = [[
      draws normally distributed vectors, along the last axis, with this mean and covariance:
      float64, or float32. A covariance that is not symmetric or has negative eigenvalues is not
      noticed, except by method `"cholesky"`, which raises at the next wait for the result unless
      the matrix is positive definite]],
    args = {
      mean = "Array: a vector",
      cov = "Array: a matrix",
      shape = "shape = {}: of the array of vectors",
      dtype = [[dtype = "float64"]],
      method = [["svd" | "eigh" | "cholesky" = "svd": the decomposition of the covariance]],
    },
    example = [[
tide.random.seed(1)
a = tide.random.multivariate_normal(tide.zeros(2), tide.array{ { 2., 1 }, { 1, 1 } }, 100000)
a.shape                                 --> {100000, 2}
tide.allclose(a.T:cov(), tide.array{ { 2., 1 }, { 1, 1 } }, 0, 0.1)  --> true
]] },
},

[[
## Generators

A generator has its own seed and state, whatever else draws numbers meanwhile. It has all functions
above as methods: `g:uniform(...)` corresponds to `tide.random.uniform(...)`. The functions of
`tide.random` draw from one shared generator. Equal seeds give equal numbers in both.
]],

{
  columns = "returns",
  { "tide.random.Generator([seed])",
    returns = "Generator",
    text = "returns a generator with that seed, an integer; by default with a random seed",
    args = { seed = "integer" },
    example = [[
g = tide.random.Generator(5)
a = g:uniform(3)
tide.random.seed(5)
tide.array_equal(a, tide.random.uniform(3))  --> true
]] },
  { "g:close()",
    text = [[
      closes the generator and frees its memory, some bytes on each device that it was used on.
      Graphs that draw from it still work]],
    returns = "nil",
    example = [[
g = tide.random.Generator(5)
g:close()
g                                       --> tide.Generator (closed)
]] },
  { "local _ <close> = g",
    text = "closes the generator on every exit of the block",
    returns = "nil",
    example = [[
do local g <close> = tide.random.Generator(5) end
]] },
  { "tostring(g)",
    returns = "string",
    text = "formats the generator with its seed",
    example = "tide.random.Generator(5)                --> tide.Generator (seed 5)" },
},

[[
## Rules

- On each device, a generator has a key, which is the seed, and a counter in the device's memory.
  All calls of a Lua state without a generator of their own share one. Every draw reads and writes
  that memory, so calls on different streams are ordered as in the program.
- A graph draws from the position of the counter at the time of each launch. `seed` resets it for
  graphs too; it raises while a capture is open that has drawn numbers.
- While such a capture is open, a draw on another stream joins it, as with any memory that a capture
  writes.
- Two devices with one seed draw the same numbers.
- Equal seeds give equal numbers to programs that draw in the same order: the same calls with the
  same sizes and dtypes since the seed. The numbers depend neither on the machine nor on streams.
  But they depend on the size of each draw: `uniform(6)` need not equal two draws of `uniform(3)`.
- Elements of array parameters are not checked in advance. For an invalid one, such as a negative
  `lam`, the result is NaN, or -1 for integers, which is the greatest number of unsigned dtypes.
- After [`dev:reset()`](device.md) the sequence differs from the one before, but is the same each
  time.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011), which passes TestU01's
BigCrush: each value of its counter gives four words of 32 bits. `uniform` has 24 random bits for
float32 and 53 for float64. `normal` turns two numbers into two by the Box-Muller transform, and
`exponential` takes the logarithm of one; these numbers have 32 bits for float32 and 53 for float64.
`gamma` uses the method of Marsaglia and Tsang (2000); `beta` that of Jöhnk (1964) if both
parameters are at most 1, else two draws of `gamma`. `poisson` from 10 on, and `binomial` from a
mean of 10 on, use Hörmann's transformed rejection (1993) with Loader's probabilities (2000). Below,
they add up probabilities.

- `normal`, `exponential` and `gamma` of float32 are computed in float32, all else in float64.
  Normal numbers of mean 0 and standard deviation 1, and exponential ones of scale 1, are within
  four units in the last place of their formulas; `mean + std * x` is rounded as float32 rounds. In
  float32 the numbers are at most `6.77 * std` from the mean, or at most `22.9 * scale`; in float64
  at most `8.66 * std`, or `37.5 * scale`.
- Integers use 64 random bits each if at most 2^32 different ones are possible (`high - low` below
  2^32), the same in every dtype, and 128 if there are more. The probability of each is off by less
  than 2^-64; with up to 2^32 of them, that is a relative error below 2^-32.
- A value of the counter gives four numbers of float32 or two of float64 (`uniform`, `normal`,
  `exponential`), and two integers, or one if more than 2^32 different ones are possible. Each call
  begins with the next value. Each element of `gamma`, `beta`, `poisson` and `binomial` has a
  counter value of its own, with as many words as it needs, which no other element uses.
- Up to 1024 elements are permuted by sorting random integers: all orders are equally likely. Beyond
  that, the new position of each is computed by a Feistel network of twelve rounds (Black and
  Rogaway, 2002), keyed with six values of the counter. So `choice(n, k, { replace = false })` costs
  as much as k elements, however large n is, up to 2^46.

It is not cryptographically secure.

Errors: `bad argument #2 to 'uniform' (high is less than low)`; a shape, dtype or `out` that does
not match; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`, as described above.
]],

}
