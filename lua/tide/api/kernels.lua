return {

classes = {
  Fused = "a Lua function as one kernel",
  ElementwiseKernel = "a line of C for every element",
  ReductionKernel = "C for each element, and for two values",
  RawKernel = "a kernel in CUDA C++",
  RawModule = "a source with any number of kernels",
},

args = {
  name = "string", code = "string", params = "string", out = "string", body = "string",
  map = "string", reduce = "string", post = "string?", identity = "string | number | nil",
  reduce_type = "dtype?", signature = "string?",
},


[[
# Kernels

Kernels of yours: a Lua function as one kernel, a line of C for every element, or CUDA C.

## Purpose

What the functions of [Array](array.md) do not do in one pass over memory, a kernel does.
]],

{
  head = { "", "in what language", "runs on" },
  { "[`tide.fuse`](#fuse)",
    "Lua",
    "every device" },
  { "[`tide.ElementwiseKernel`](#elementwisekernel)",
    "C, for one element",
    "every device" },
  { "[`tide.ReductionKernel`](#reductionkernel)",
    "C, for one element and for two values",
    "every device" },
  { "[`tide.RawKernel`](#rawkernel), [`tide.RawModule`](#rawmodule)",
    "CUDA C++",
    "CUDA devices" },
},

[[
The first use on a CUDA device compiles a kernel with NVRTC, a library of the CUDA toolkit that is
loaded then; what it made is kept on disk (`TIDE_CACHE_DIR`, see [tide](tide.md#environment)) and
found there the next time, by source, options, version of the compiler and architecture. The
built-in operations need neither.

`fuse`, `ElementwiseKernel` and `ReductionKernel` do not compute with `float16`, `bfloat16` and
complex numbers: arrays of them are refused (`must be of another dtype`). Give them
`x:astype "float32"`.

A kernel that nobody has any more, and that no work or graph runs, leaves the device; the last 64
stay loaded, for who makes the same one again.

## fuse

```lua
local tide = require "tide"

local f = tide.fuse(function (x, y)
  return tide.where(x:gt(2), x * y + 8, -x)
end)
local x = tide.array({ 1, 2, 3 }, "float32")
print(f(x, 10)[3])                             --> 38.0

local norm = tide.fuse(function (x) return (x * x):sum() end)
print(norm(x):item())                          --> 14.0
```
]],

{
  columns = "returns",
  { "tide.fuse(fn [, name])",
    returns = "Fused",
    text = "`fn` as one kernel",
    args = {
      name = "string: what graphs and errors call it",
    },
    example = [[
f = tide.fuse(function (x, y) return x * y + 8 end, "axpb")
f(tide.array{ 1., 2. }, 10)[2]          --> 28.0
]] },
  { "f(...)",
    "f(..., { out = z })",
    returns = "...: what `fn` would return",
    text = [[
      arguments: arrays, and numbers, one array at least, and no more than `fn` has parameters,
      14 at most, with 6 results; on the current stream of the arrays' device]],
    args = {
      ["..."] = "operand",
      out = [[
        Array | Array[] = nil: arrays of yours for the results, one or a list; they have the
        results' shapes and dtypes, may be arguments, and are not for reductions]],
    },
    example = [[
f = tide.fuse(function (x) return -x end)
f(tide.array{ 1., 2. })                 --> [-1. -2.]
z = tide.zeros(2)
f(tide.array{ 1., 2. }, { out = z }) == z --> true
]] },
  { "f.name",
    returns = "string",
    example = [[tide.fuse(function (x) return -x end, "minus").name  --> minus]] },
  { "tostring(f)",
    returns = "string",
    text = "`tide.Fused: axpb`",
    example = [[
f = tide.fuse(function (x, y) return x * y + 8 end, "axpb")
tostring(f):match "%w+%.%w+"            --> tide.Fused
]] },
},

[=[
`fn` is called once for each combination of dtypes and of which arguments are strided or broadcast
(again for one that 32 others came after), with symbols in place of the arguments, and what it does
to them is compiled; after that a call costs one launch, whatever the numbers and shapes are. It may
use

- operators, comparisons (`x:lt(y)` …; Lua would make a boolean of `x < y`), `tide.where`,
  `tide.clip`, and the functions and methods that work element by element, without `out`;
  `x:astype(dtype)`; `x.dtype`;
- numbers and booleans of its own, which become part of the kernel. Other arrays must be arguments;
- a reduction of what it returns: `(x * y):sum()`. It is a launch of its own, after the kernel's.

The results are those of the operations one by one: the same dtypes, the same rounding. What `fn`
makes of numbers alone, as `n * 2`, is made by the kernel too, as int64 or float64; it takes the
dtype of an array as `astype` does, where a number out of its range would be an error. `if` and
loops are decided while it is called with symbols: by numbers that `fn` has itself, never by
elements. What else `fn` does, it does only then.

All results have one shape, that of all arguments broadcast together, and so has what is reduced: of
`x` with shape 3 and `y` with shape 4x3, `(x * x):sum(), x * y` adds up 12 elements, not 3.

## ElementwiseKernel

```lua
local tide = require "tide"

local squared_diff = tide.ElementwiseKernel{
  params = "T x, T y", out = "T z",
  body = "z = (x - y) * (x - y)",
  name = "squared_diff"
}
local x = tide.array({ 1, 2, 3 }, "float32")
print(squared_diff(x, 5)[1])                   --> 16.0

-- 'raw' arrays are indexed by the body itself; i is the element's own index
local smooth = tide.ElementwiseKernel("raw T x", "T y", [[
  y = x[i];
  if (i > 0 && i < n - 1)
    y = (x[i - 1] + x[i] + x[i + 1]) / 3;
]], "smooth")
print(smooth(x, { size = 3 })[2])              --> 2.0
```
]=],

{
  columns = "returns",
  objects = { k = "ElementwiseKernel" },
  { "tide.ElementwiseKernel{ params=, out=, body=, name= }",
    returns = "ElementwiseKernel",
    args = {
      name = "string?",
    },
    example = [[
k = tide.ElementwiseKernel{ params = "T x", out = "T y", body = "y = x * x" }
k(tide.array{ 1, 3 })[2]                --> 9
]] },
  { "tide.ElementwiseKernel(params, out, body [, name])",
    text = "the same",
    returns = "ElementwiseKernel",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
k(tide.array{ 1, 3 })[2]                --> 9
]] },
  { "k(x, ...)",
    text = [[
      on the current stream of the arrays' device; one argument for each of `params`: an array
      or a number]],
    returns = "...: the results",
    args = {
      x = "operand",
      ["..."] = "operand",
    },
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
k(tide.array{ 1, 2 })                   --> [1 4]
]] },
  { "k(x, ..., z, ...)", "k(x, ..., { out = z, size = n })",
    returns = "...: the results",
    text = "into arrays of yours",
    args = {
      x = "operand",
      ["..."] = "operand",
      z = "Array",
      out = "Array | Array[] = nil: is one, or a list",
      size = "integer = nil: how many elements, where no array says it",
    },
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
z = tide.zeros(2)
k(tide.array{ 1., 2. }, z)              --> [1. 4.]
k(tide.array{ 3., 4. }, { out = z }) == z --> true
]] },
},

{
  columns = "type",
  objects = { k = "ElementwiseKernel" },
  { "k.name", "k.body",
    type = "string",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
k.name                                  --> square
k.body                                  --> y = x * x
]] },
  { "tostring(k)",
    type = "string",
    text = "`tide.ElementwiseKernel: square`",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
tostring(k):match "%w+%.%w+"            --> tide.ElementwiseKernel
]] },
},

[[
**Parameters** are a type and a name each, with commas between. A type is a dtype (`float32`), C's
name of one (`int`, `unsigned char`), or a letter, which stands for the dtype of the arrays that are
passed for it; a number takes the type that the arrays give its letter. `i`, `n` and names with an
underscore at an end are taken. `raw` before it: the array is not walked through but indexed, from
0, as in `x[i + 1]`; `x.size()` is how many elements it has. Slices in a fused function are faster
than such a body on the host device.

**Shapes** of the arrays that are not raw are broadcast, as in [operations](array.md#operations).
Here and in `fuse` such arrays, and parts of arrays, are read in the one launch; what is large and
transposed is copied first, which is faster, and so is a fifth one. A raw result may be in the
memory of an operand that is dense only if the body has read what it overwrites.

**The body** may use its parameters, `i` (the index of the element, from 0), `n` and `_ind.size()`
(how many there are), variables, and all of CUDA C++ on a CUDA device. The host device reads this
part of C:
]],

{
  head = { "", "" },
  { "statements",
    [[declarations, assignments (`=`, `+=` …, `++`, `--`), `if`, `for`, `while`, `break`,
      `continue`]] },
  { "operators",
    [[all of C's but `sizeof`, addresses, and pointers; casts as `(T)x`, `T(x)`,
      `static_cast<T>(x)`]] },
  { "functions of `math.h`, also with an `f` behind them",
    [[`acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor
      lgamma log log10 log1p log2 rint round sin sinh sqrt tan tanh tgamma trunc`; `atan2
      copysign fdim fmax fmin fmod hypot pow`]] },
  { "other functions",
    "`rsqrt abs llabs min max isnan isinf isfinite finite`" },
},

[[
What it cannot read raises at the first call there, with line and column. It runs a body block by
block, 512 elements at a time for each operation; branches and loops cost what their longest element
costs. All cores share what is long (from 262,144 elements on), and a kernel without an end keeps
them until it is stopped; but for a body that writes to a raw array, which is done in the order of
`i`. An integer divided by 0 gives 0 there, a result to which nothing is assigned is refused, and
reading or writing a raw array outside of its elements raises an
[error](../errors.md#a-device-that-fails) at the next wait, which names the array, the index and the
line of the body; on a GPU the result of each is undefined.

## ReductionKernel

```lua
local tide = require "tide"

local norm = tide.ReductionKernel{
  params = "T x", out = "T y",
  map = "x * x",           -- of each element
  reduce = "a + b",        -- of two values
  post = "y = sqrt(a)",    -- of the last one
  identity = "0",          -- of none
  name = "norm"
}
local x = tide.array{ { 3., 4. }, { 5., 12. } }
print(norm(x, { axis = 2 })[2])                --> 13.0
```
]],

{
  columns = "returns",
  objects = { k = "ReductionKernel" },
  { "tide.ReductionKernel{ params=, out=, map=, reduce=, post=, identity=, name=, reduce_type= }",
    returns = "ReductionKernel",
    text = [[
      without `post` the result is `a`; without `identity`, an expression or a number, an
      array without elements is refused]],
    args = {
      name = "string?",
    },
    example = [[
k = tide.ReductionKernel{
  params = "T x", out = "T y", map = "x", reduce = "max(a, b)", name = "greatest"
}
k(tide.array{ 1, 3, 2 }):item()         --> 3
]] },
  { "tide.ReductionKernel(params, out, map, reduce, post, identity, name, reduce_type)",
    returns = "ReductionKernel",
    text = "the same",
    args = {
      name = "string?",
    },
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
k(tide.array{ 3., 4. }):item()          --> 5.0
]] },
  { "k(x, ... [, { axis=, keepdims=, out= }])",
    text = [[
      of all elements, or along an axis or a list of them, from 1, negative from the end]],
    returns = "Array: the result",
    args = {
      x = "operand",
      ["..."] = "operand",
      axis = "axes = nil",
      keepdims = "boolean = false",
      out = "Array?",
    },
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
k(tide.array{ { 3., 4. }, { 5., 12. } }, { axis = 2 }) --> [ 5. 13.]
]] },
},

{
  columns = "type",
  objects = { k = "ReductionKernel" },
  { "k.name",
    type = "string",
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
k.name                                  --> norm
]] },
  { "tostring(k)",
    type = "string",
    text = "`tide.ReductionKernel: norm`",
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
tostring(k):match "%w+%.%w+"            --> tide.ReductionKernel
]] },
},

[=[
Parameters, types, shapes and the part of C are those of [ElementwiseKernel](#elementwisekernel).
`map` and `reduce` are expressions, `post` may be statements. `a` and `b` have the type of the
result, or `reduce_type`, a dtype. In which order values are joined is not said, and differs between
devices: it should not matter.

## RawKernel

```lua
local tide = require "tide"

local saxpy = tide.RawKernel([[
extern "C" __global__ void saxpy (float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
]], "saxpy")
print(saxpy)        --> tide.RawKernel: saxpy(float a, const float *x, float *y, int n)

if tide.get_device().kind == "cuda" then
  local n = 1000
  local x, y = tide.ones(n, "float32"), tide.zeros(n, "float32")
  saxpy((n + 255) // 256, 256, 2, x, y, n)
  print(y[1])                                  --> 2.0
end
```

A kernel is CUDA C, so the host device refuses to run it, with an error that says so.

### Making one
]=],

{
  columns = "returns",
  { "tide.RawKernel(code, name [, { options=, signature= }])",
    returns = "RawKernel",
    text = [[the function `name` of a source; of a template, one of it: `"scale<float>"`]],
    args = {
      options = [[
        string | string[] = nil: a string or a list of strings for the compiler: `"-DN=4"`,
        `"-use_fast_math"`]],
      signature = [[
        string = nil: the parameters, where they cannot be read from the source (macros, types
        behind a `typedef`): `"const float *, int n, bytes[24]"`. `bytes[n]` is a struct of that
        size]],
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
k                                       --> tide.RawKernel: f(float *y)
]] },
  { "tide.Pointer(address)",
    text = [[
      a raw address for a pointer parameter. tide orders nothing by it and does not keep what
      is there]],
    returns = "lightuserdata: light userdata",
    args = {
      address = "integer",
    },
    example = "type(tide.Pointer(tide.ones(3).ptr))  --> userdata" },
},

[[
### Methods
]],

{
  columns = "returns",
  objects = { k = "RawKernel" },
  args = { grid = "integer | integer[]", block = "integer | integer[]" },
  { "k(grid, block, ...)",
    returns = "k: the kernel",
    text = [[
      launches it on the current stream of the arrays' device. `grid` and `block`: a number, or
      a table of up to three]],
    args = {
      ["..."] = "Array | number | boolean | string | lightuserdata",
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  y = tide.zeros(1, "float32")
  k(1, 1, y)
end
]] },
  { "k:launch{ grid=, block=, shared=, stream=, args= }",
    returns = "k: the kernel",
    text = "the same with the arguments in a table",
    args = {
      args = "table",
      stream = "Stream = nil",
      shared = "integer = 0: bytes of dynamic shared memory, also beyond 48 KB",
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  y = tide.zeros(1, "float32")
  k:launch{ grid = 1, block = 1, args = { y } }
end
]] },
  { "k:compile()",
    text = "compiles and loads it for the current device now",
    returns = "k: the kernel",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  k:compile()
end
]] },
},

[[
### Fields
]],

{
  columns = "type",
  objects = { k = "RawKernel" },
  { "k.name", "k.code",
    type = "string",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
k.name                                  --> f
]] },
  { "k.num_regs",
    type = "integer",
    text = [[
      registers of a thread. This and all below: of the code for the current device, which is
      compiled if need be]],
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.num_regs)
end
]] },
  { "k.shared_size_bytes",
    type = "integer",
    text = "static shared memory of a block",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.shared_size_bytes)
end
]] },
  { "k.local_size_bytes",
    type = "integer",
    text = "local memory of a thread",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.local_size_bytes)
end
]] },
  { "k.const_size_bytes",
    type = "integer",
    text = "constant memory",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.const_size_bytes)
end
]] },
  { "k.max_threads_per_block",
    type = "integer",
    text = "what its registers allow",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.max_threads_per_block)
end
]] },
  { "k.binary_version",
    "k.ptx_version",
    type = "integer",
    text = "90: of compute capability 9.0",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.binary_version, k.ptx_version)
end
]] },
  { "tostring(k)",
    type = "string",
    text = "its signature: `tide.RawKernel: f(float *y)`",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
tostring(k)                             --> tide.RawKernel: f(float *y)
]] },
},

[[
### Arguments

The signature is read from the source when the kernel is made, and each launch is checked against
it. What does not fit raises, and names the argument.
]],

{
  head = { "parameter", "argument" },
  { "`const float *`, `double *` …",
    [[an array of that dtype: `int *` wants int32, `unsigned char *` uint8, `float2 *`
      complex64. A pointer to `void`, or to a type that tide does not know, takes arrays of any
      dtype. Or a `tide.Pointer`]] },
  { "`int`, `unsigned char`, `size_t` …",
    "an integer in its range" },
  { "`float`, `double`",
    "a number" },
  { "`bool`",
    "a boolean" },
  { "a struct",
    "a string of its bytes, as `string.pack` makes it" },
},

[[
A launch is an operation like any other. An array behind a pointer to `const` is read, any other is
read and written: the launch is ordered, on whatever streams, after those who wrote what it reads
and who used what it writes; a graph that captures it owns its arrays and its code.

## RawModule
]],

{
  columns = "returns",
  { "tide.RawModule(code [, { options=, name_expressions= }])",
    returns = "RawModule",
    text = "a source with any number of kernels, compiled once",
    args = {
      options = "string | string[] = nil: as above",
      name_expressions = [[
        string[] = nil: the instances of templates that are wanted: `{ "scale<float>",
        "scale<double>" }`]],
    },
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
m:get_function "f"                      --> tide.RawKernel: f(float *y)
]] },
},

{
  columns = "returns",
  { "m:get_function(name [, { signature= }])",
    text = "one of its kernels",
    returns = "RawKernel",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
m:get_function "f"                      --> tide.RawKernel: f(float *y)
]] },
  { "m.code",
    type = "string",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
#m.code                                 --> 42
]] },
  { "tostring(m)",
    returns = "string",
    text = "`tide.RawModule`",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
tostring(m):match "%w+%.%w+"            --> tide.RawModule
]] },
},

[[
## What is kept on disk

Compiled code runs with all rights of the process, so the folder, and each file in it, is believed
only if it belongs to the user of the process, or to root, and neither its group nor others can
write to it; a file must not be a symbolic link either. What is not believed is as if it were not
there: kernels are compiled, and nothing is said. tide makes the folder, and those above it, for the
user alone (0700).

Files are named by content and never changed. All together they have at most `TIDE_CACHE_SIZE` MiB:
a process that adds one removes those whose last use, which is their time of modification, is the
longest ago. Any number of processes may use one folder, and it may be removed at any time. Files of
a [host program's](../embedding.md#limits) scripts that have no access to files are not added.

## Kernels that do not end

A GPU runs a kernel to its end, and one that has none until the process ends: Ctrl-C ends the wait
for it, not the kernel. On the host device Ctrl-C ends both. What runs then has a quarter of a
second to end by itself; a kernel that does not is stopped, the error says which, and what it writes
is not whole. So are tide's own kernels that are done in parts, as the product of two large matrices
is: they end after the parts that have begun. Everything else goes on, also what is queued behind it.

```
train.lua:31: interrupted! kernel 'collatz' did not end and was stopped: what it writes is not whole
```

That is for the kernels of the Lua state that waited. What runs when a Lua state closes is stopped
at once, as nobody will see what it makes, and so is what runs on a device that fails or is reset.

## Notes

- `extern "C"` is not needed, but for kernels that macros make: these are found by their symbol.
- Messages of the compiler come in the error, with the lines of your source.
- A view is passed as the address of its first element; the kernel sees nothing of its shape.
- Of C's headers, `stdint.h`, `stddef.h`, `stdbool.h` and `math.h` are built in; those of CUDA
  (`cuda_fp16.h` …) are found where `CUDA_HOME` or `/usr/local/cuda` has them. A host program may
  [leave files out](../embedding.md#limits); then only the former can be included.
- Loading code on a GPU waits while an operation of [ranks](dist.md) is under way there; in a host
  function it raises `CUDA_ERROR_NOT_PERMITTED` then.
- With drivers before CUDA 12.4 a kernel launch behind a [host function](stream.md#host-functions)
  first runs that function; in a host function it raises.
- Loaded code is shared by all Lua states of the process, and stays until the last of them ends.
]],

}
