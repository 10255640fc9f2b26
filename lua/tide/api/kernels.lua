return {

classes = {
  Fused = "a Lua function compiled into one kernel",
  ElementwiseKernel = "a kernel from C code for one element",
  ReductionKernel = "a reduction from C code for one element and for two values",
  RawKernel = "a kernel in CUDA C++",
  RawModule = "a CUDA C++ source with any number of kernels",
},

args = {
  name = "string", code = "string", params = "string", out = "string", body = "string",
  map = "string", reduce = "string", post = "string?", identity = "string | number | nil",
  reduce_type = "string?", signature = "string?",
},


[[
# Kernels

User-defined kernels: a Lua function as one kernel, C code for one element, or CUDA C++.

## Purpose

A kernel does in one pass over memory what the functions of [Array](array.md) do in several.
]],

{
  head = { "", "language", "runs on" },
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
The first use on a CUDA device compiles the kernel with NVRTC, a library of the CUDA toolkit that is
loaded then. The result is cached on disk (`TIDE_CACHE_DIR`, see [tide](tide.md#environment)) by
source, options, version of the compiler and architecture, and is found there the next time. The
built-in operations need neither.

`fuse`, `ElementwiseKernel` and `ReductionKernel` do not support `float16`, `bfloat16` and complex
numbers: they refuse arrays of these dtypes (`must be of another dtype`). Pass `x:astype "float32"`.

A kernel that is no longer referenced, and that no work or graph runs, is unloaded from the device.
The last 64 stay loaded, so that making the same kernel again is fast.

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
    text = "returns `fn` as a function that runs as one kernel",
    args = {
      name = "string: the name in graphs and errors",
    },
    example = [[
f = tide.fuse(function (x, y) return x * y + 8 end, "axpb")
f(tide.array{ 1., 2. }, 10)[2]          --> 28.0
]] },
  { "f(...)",
    "f(..., { out = z })",
    returns = "...: the results that `fn` would return",
    text = [[
      launches the kernel on the current stream of the arrays' device. The arguments are arrays and
      numbers: at least one array, at most as many as `fn` has parameters, and at most 14, with at
      most 6 results]],
    args = {
      ["..."] = "operand",
      out = [[
        Array | Array[] = nil: an array, or a list of arrays, for the results; it has their shapes
        and dtypes and may be an argument. Not allowed for reductions]],
    },
    example = [[
f = tide.fuse(function (x) return -x end)
f(tide.array{ 1., 2. })                 --> [-1. -2.]
z = tide.zeros(2)
f(tide.array{ 1., 2. }, { out = z }) == z --> true
]] },
  { "f.name",
    returns = "string",
    text = "the name",
    example = [[tide.fuse(function (x) return -x end, "minus").name  --> minus]] },
  { "tostring(f)",
    returns = "string",
    text = "formats the function: `tide.Fused: axpb`",
    example = [[
f = tide.fuse(function (x, y) return x * y + 8 end, "axpb")
tostring(f):match "%w+%.%w+"            --> tide.Fused
]] },
},

[=[
`fn` is called with symbols in place of the arguments, once for each combination of dtypes and of
strided or broadcast arguments (and again for a combination that 32 others have displaced). The
operations on the symbols are compiled. After that a call costs one launch, whatever the numbers and
shapes are. `fn` may use

- operators, comparisons (`x:lt(y)` …; Lua would turn `x < y` into a boolean), `tide.where`,
  `tide.clip`, and the functions and methods that work element by element, without `out`;
  `x:astype(dtype)`; `x.dtype`;
- its own numbers and booleans, which become part of the kernel. Other arrays must be arguments;
- a reduction of the value that it returns: `(x * y):sum()`. It is a separate launch after the
  kernel's.

The results equal those of the separate operations, with the same dtypes and the same rounding. The
kernel also computes expressions of numbers alone, such as `n * 2`, as int64 or float64. They are
converted to the dtype of an array as by `astype`, where an out-of-range number would otherwise be
an error. `if` and loops are evaluated while `fn` is called with symbols: they depend on numbers of
`fn` itself, never on elements. All other effects of `fn` happen only during that call.

All results have one shape: that of all arguments broadcast together. A reduced value has this shape
too: with `x` of shape 3 and `y` of shape 4x3, `(x * x):sum(), x * y` sums 12 elements, not 3.

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
  { "tide.ElementwiseKernel{ params=, out=, body=, name=, preamble=, options= }",
    returns = "ElementwiseKernel",
    args = {
      name = "string?",
      preamble = "string = nil: [definitions](#the-preamble) that `body` uses",
      options = [[
        string | string[] = nil: at most 16 options for the compiler, each a string: `"-DN=4"`,
        `"-use_fast_math"`. The host device ignores those that are not macros]],
    },
    text = "returns a kernel that evaluates `body` for each element",
    example = [[
k = tide.ElementwiseKernel{ params = "T x", out = "T y", body = "y = x * x" }
k(tide.array{ 1, 3 })[2]                --> 9
]] },
  { "tide.ElementwiseKernel(params, out, body [, name])",
    text = "as above, with positional arguments",
    returns = "ElementwiseKernel",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
k(tide.array{ 1, 3 })[2]                --> 9
]] },
  { "k(x, ...)",
    text = [[
      launches the kernel on the current stream of the arrays' device, with one argument for each of
      `params`: an array or a number]],
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
    text = "as above, and writes the results to arrays of yours",
    args = {
      x = "operand",
      ["..."] = "operand",
      z = "Array",
      out = "Array | Array[] = nil: an array, or a list of arrays",
      size = "integer = nil: the number of elements, if no array determines it",
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
  { "k.params", "k.out", "k.body", "k.name",
    type = "string",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
k.name                                  --> square
k.body                                  --> y = x * x
]] },
  { "k.preamble",
    type = "string?",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
k.preamble                              --> nil
]] },
  { "k.options",
    type = "string[]",
    text = "a copy of the list",
    example = [[
k = tide.ElementwiseKernel{ params = "T x", out = "T y", body = "y = N", options = "-DN=4" }
k.options[1]                            --> -DN=4
]] },
  { "tostring(k)",
    type = "string",
    text = "formats the kernel: `tide.ElementwiseKernel: square`",
    example = [[
k = tide.ElementwiseKernel("T x", "T y", "y = x * x", "square")
tostring(k):match "%w+%.%w+"            --> tide.ElementwiseKernel
]] },
},

[[
**Parameters** are pairs of a type and a name, separated by commas. A type is a dtype (`float32`),
C's name of one (`int`, `unsigned char`), or a letter, which stands for the dtype of the arrays
passed for it; a number takes the type that the arrays give its letter. `i`, `n` and names that
begin or end with an underscore are reserved. A `raw` array is not iterated but indexed by the body,
from 0, as in `x[i + 1]`; `x.size()` is its number of elements. On the host device, slices in a
fused function are faster than such a body.

**Shapes** of the arrays that are not raw are broadcast, as in [operations](array.md#operations).
Here and in `fuse`, the launch reads broadcast arrays and views directly. Large transposed arrays,
and a fifth strided one, are copied first, because that is faster. Results that are not raw are as
if all operands were read first, even if they share memory. For raw results that share memory with a
raw or contiguous operand, see [below](#raw-results).

**The body** may use its parameters, `i` (the index of the element, from 0), `n` and `_ind.size()`
(the number of elements), variables, and on a CUDA device all of CUDA C++. The host device supports
this subset of C:
]],

{
  head = { "", "" },
  { "statements",
    [[declarations, also of arrays of up to 4096 elements (`T w[3] = { 1, 2, 1 };`), assignments
      (`=`, `+=` …, `++`, `--`), `if`, `for`, `while`, `break`, `continue`]] },
  { "operators",
    [[all of C's but `sizeof`, addresses, and pointers; casts as `(T)x`, `T(x)`,
      `static_cast<T>(x)`]] },
  { "functions of `math.h`, also with an `f` behind them",
    [[`acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor
      lgamma llrint llround log log10 log1p log2 lrint lround nearbyint rint round sin sinh sqrt
      tan tanh tgamma trunc`; `atan2 copysign fdim fmax fmin fmod hypot ldexp nextafter pow
      remainder`; `fma`]] },
  { "CUDA's functions, also with an `f` behind them",
    "`cospi erfinv exp10 normcdf rcbrt rsqrt sinpi`" },
  { "other functions",
    "`abs labs llabs min max isnan isinf isfinite signbit`" },
  { "atomic functions of an element of a raw result: `atomicAdd(&c[j], x)`",
    [[`atomicAdd atomicExch` of dtypes of 32 and 64 bits; `atomicAnd atomicMax atomicMin atomicOr
      atomicSub atomicXor` of integers among them]] },
  { "intrinsics of integers",
    [[`__brev __clz __ffs __popc`, also with `ll` behind them; `__mulhi __umulhi __mul64hi
      __umul64hi`]] },
  { "intrinsics of floats; here as precise as C's functions",
    [[`__cosf __exp10f __expf __fdividef __log10f __log2f __logf __powf __sinf __tanf`; `__fadd_rn
      __fdiv_rn __fmaf_rn __fmul_rn __frcp_rn __frsqrt_rn __fsqrt_rn __fsub_rn`; `__dadd_rn
      __ddiv_rn __dmul_rn __drcp_rn __dsqrt_rn __dsub_rn __fma_rn`]] },
  { "conversions",
    [[`__float2int_rd __float2int_rn __float2int_ru __float2int_rz __int2float_rn`;
      `__double_as_longlong __float_as_int __float_as_uint __int_as_float __longlong_as_double
      __uint_as_float`]] },
  { "constants, on a CUDA device macros",
    [[those of `limits.h` and `stdint.h` (`INT_MAX`); of `float.h`: `FLT_MAX FLT_MIN FLT_EPSILON
      DBL_MAX DBL_MIN DBL_EPSILON`; of `math.h`: `INFINITY NAN HUGE_VAL HUGE_VALF`, `M_PI` …]] },
  { "macros",
    "without arguments: `#define N 4`, and `\"-DN=4\"` among the `options`" },
},

[=[
Functions of `math.h` take integers as doubles, or as floats beside a float: `x * sqrt(2)`,
`pow(x, 2)`; `max` and `min` convert to C's common type. Floats of two types in one call may be
ambiguous for CUDA C++; the host device converts them as C does.
Unsupported code raises at the first call there, with line and column. The host device runs a body
block by block, 512 elements at a time for each operation. Branches and loops cost as much as their
longest element. From 262,144 elements on, all cores share the work, unless the body writes to a
raw array. A kernel without an end occupies the cores until it is stopped. There, an integer divided
by 0 gives 0, and a result that is never assigned is refused. An index out of range of an array
raises an [error](../errors.md#a-device-that-fails) at the next wait, which names the array, the
index and the line of the body. On a GPU each of these is undefined behaviour, as is a float out of
the range of the integer that it becomes; and a sum of a product may be rounded once there (the
option `-fmad=false` excludes that). On every device a result that is assigned only in a branch is
undefined for the other elements.

### Raw results

A raw array that the body writes to belongs in `out`. On a GPU the body runs for many `i` at the
same time. If it reads or writes for one `i` what it writes for another, the result is undefined
there, unless it uses atomic functions. On the host device there is an order:

- A body that only writes to its raw results does so statement by statement, for 512 elements at a
  time. The writes of a statement are in the order of `i`, so the last one counts.
- A body that also reads an array that it writes to, or an operand in the same memory, runs for one
  `i` after the other: `c[i] = c[i - 1] + x` makes running sums. `c[b] += 1` takes about 35 ns for
  each element then, and longer bodies more; otherwise it is 1 to 5 ns. If each `i` uses `c[i]`
  alone, the body stays fast.
- An atomic function takes elements in the order of `i`, does not slow the body, and returns what
  was there before.

So a body that counts uses an atomic function, and is correct on every device:

```lua
local tide = require "tide"

local count = tide.ElementwiseKernel("int32 b", "raw int32 counts", "atomicAdd(&counts[b], 1)")
local counts = tide.zeros(3, "int32")
count(tide.array({ 0, 2, 2, 0, 2 }, "int32"), { out = counts })
print(counts)                                  --> [2 0 3]
```

[`tide.bincount`](array.md#counting) and [`tide.scatter_add`](array.md#choosing) do such work
without a kernel of yours.

### The preamble

The preamble is placed before the kernel, behind the types of its letters. It defines functions and
constants that the body uses:

```lua
local tide = require "tide"

local soft = tide.ElementwiseKernel{
  params = "T x", out = "T y", body = "y = shrink(x) * SCALE",
  preamble = [[
    static const float EDGE = 0.5f;
    static __device__ T shrink (T x) {
      if (x > EDGE) return x - EDGE;
      if (x < -EDGE) return x + EDGE;
      return 0;
    }
  ]],
  options = "-DSCALE=2"
}
print(soft(tide.array({ -1, 0.25, 3 }, "float32"))) --> [-1.  0.  5.]
```

On a CUDA device it may be any CUDA C++; functions and variables without an execution space are the
device's, so `__device__` may be left out. On the host device it consists of macros, constants with
a value, and functions that return a number and take at most 8 numbers, by value or as `const T &`.
The host device has no recursion, overloads, templates, pointers, constant arrays, conditional
directives, or macros with arguments. It repeats the statements of a function at each call, and a
kernel may have at most 1000 steps: an operation is one, and so is the conversion of a value.

On every device a definition and a macro come before their use, a function may be declared before
it is defined, and functions that nothing calls must be correct, too. The host device ignores
`#include`. The macros of `options` are placed before the preamble.

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
]=],

{
  columns = "returns",
  objects = { k = "ReductionKernel" },
  { "tide.ReductionKernel{ params=, out=, map=, reduce=, post=, identity=, name=, reduce_type=, "
      .. "preamble=, options= }",
    returns = "ReductionKernel",
    text = [[
      returns a reduction kernel. Without `post` the result is `a`. `identity` is an expression or a
      number, which the type of `a` must have; without it an array without elements is refused]],
    args = {
      name = "string?",
      preamble = "string = nil: as for `tide.ElementwiseKernel`",
      options = "string | string[] = nil: as for `tide.ElementwiseKernel`",
    },
    example = [[
k = tide.ReductionKernel{
  params = "T x", out = "T y", map = "x", reduce = "max(a, b)", name = "greatest"
}
k(tide.array{ 1, 3, 2 }):item()         --> 3
]] },
  { "tide.ReductionKernel(params, out, map, reduce, post, identity, name, reduce_type)",
    returns = "ReductionKernel",
    text = "as above, with positional arguments",
    args = {
      name = "string?",
    },
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
k(tide.array{ 3., 4. }):item()          --> 5.0
]] },
  { "k(x, ... [, { axis=, keepdims=, out= }])",
    text = [[
      reduces all elements, or along an axis or a list of axes, from 1, negative ones from the
      end]],
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
  { "k.params", "k.out", "k.map", "k.reduce", "k.name",
    type = "string",
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
k.name                                  --> norm
k.map                                   --> x * x
]] },
  { "k.post", "k.reduce_type", "k.preamble",
    type = "string?",
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
k.post                                  --> y = sqrt(a)
k.reduce_type                           --> nil
]] },
  { "k.identity",
    type = "string | number | nil",
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm")
k.identity                              --> 0
]] },
  { "k.options",
    type = "string[]",
    text = "a copy of the list",
    example = [[
k = tide.ReductionKernel{ params = "T x", out = "T y", map = "x", reduce = "a + b" }
#k.options                              --> 0
]] },
  { "tostring(k)",
    type = "string",
    text = "formats the kernel: `tide.ReductionKernel: norm`",
    example = [[
k = tide.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
tostring(k):match "%w+%.%w+"            --> tide.ReductionKernel
]] },
},

[=[
Parameters, types, shapes, the subset of C and the preamble are those of
[ElementwiseKernel](#elementwisekernel). `map` and `reduce` are expressions; `post` consists of
statements and assigns the result. `post` and `identity` also see the parameters that are given a
number, as in `"z = a / m"`; those that are given an array are visible in `map` alone. `a` and `b`
have the type of the result, or `reduce_type`: a dtype, C's name of one, or a letter of the
parameters. With `"float64"` or `"double"`, sums of float32 are more exact. The order of combination
is unspecified and differs between devices, so `reduce` must be associative and commutative.

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

Raw kernels are CUDA C++, so the host device refuses to run them, with an error that says so.

### Making one
]=],

{
  columns = "returns",
  { "tide.RawKernel(code, name [, { options=, signature= }])",
    returns = "RawKernel",
    text = [[
      returns the kernel `name` of a CUDA C++ source; for a template, an instance:
      `"scale<float>"`. The source may be compiled already: PTX, or the bytes of a cubin or fatbin
      file. Then `signature` is needed, and there are no `options`]],
    args = {
      options = [[
        string | string[] = nil: options for the compiler: `"-DN=4"`, `"-use_fast_math"`]],
      signature = [[
        string = nil: the parameters, if they cannot be read from the source (macros, types behind a
        `typedef`): `"const float *, int n, bytes[24]"`. `bytes[n]` is a struct of that size]],
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
k                                       --> tide.RawKernel: f(float *y)
]] },
  { "tide.Pointer(address)",
    text = [[
      wraps a raw address for a pointer parameter. tide does not order work by it and does not keep
      its memory alive]],
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
      launches the kernel on the current stream of the arrays' device. `grid` and `block` are a
      number, or a table of up to three]],
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
    text = "as `k(...)`, with the arguments in a table",
    args = {
      args = "table",
      stream = "Stream = nil",
      shared = "integer = 0: bytes of dynamic shared memory, also above 48 KB",
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  y = tide.zeros(1, "float32")
  k:launch{ grid = 1, block = 1, args = { y } }
end
]] },
  { "k:compile([{ log= }])",
    text = [[
      compiles and loads the kernel for the current device now. With `log`, it is compiled even if
      it is loaded already, and the compiler's messages come back as well]],
    returns = "k, string?: the kernel; only with `log`, warnings and other messages",
    args = {
      log = "boolean = false",
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { int n; y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(select(2, k:compile{ log = true }))
end
]] },
  { "k:max_active_blocks_per_multiprocessor(threads [, shared])",
    text = [[
      returns the number of blocks of `threads` threads that a multiprocessor of the current device
      can run at a time: `cuOccupancyMaxActiveBlocksPerMultiprocessor`]],
    returns = "integer",
    args = {
      threads = "integer: per block",
      shared = "integer = 0: bytes of dynamic shared memory per block",
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k:max_active_blocks_per_multiprocessor(256))
end
]] },
  { "k:max_potential_block_size([shared [, limit]])",
    text = [[
      returns the block size with which the most threads run at a time on the current device, and
      the smallest grid of such blocks that fills the device: `cuOccupancyMaxPotentialBlockSize`]],
    returns = "integer, integer: threads per block, and blocks",
    args = {
      shared = "integer = 0: bytes of dynamic shared memory per block",
      limit = "integer = 0: the most threads per block; 0: as many as the kernel can have",
    },
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  local block, grid = k:max_potential_block_size()
  print(block, grid)
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
  { "k.options",
    type = "string[]",
    text = "a copy of the list",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = N; }", "f", { options = "-DN=4" })
k.options[1]                            --> -DN=4
]] },
  { "k.num_regs",
    type = "integer",
    text = [[
      registers per thread. This field and those below describe the code for the current device, and
      compile it if necessary]],
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.num_regs)
end
]] },
  { "k.shared_size_bytes",
    type = "integer",
    text = "static shared memory per block",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.shared_size_bytes)
end
]] },
  { "k.local_size_bytes",
    type = "integer",
    text = "local memory per thread",
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
    text = "the maximum number of threads per block, given its registers",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.max_threads_per_block)
end
]] },
  { "k.binary_version",
    "k.ptx_version",
    type = "integer",
    text = "90 means compute capability 9.0",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
if tide.get_device().kind == "cuda" then
  print(k.binary_version, k.ptx_version)
end
]] },
  { "tostring(k)",
    type = "string",
    text = "formats its signature: `tide.RawKernel: f(float *y)`",
    example = [[
k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
tostring(k)                             --> tide.RawKernel: f(float *y)
]] },
},

[[
### Arguments

The signature is read from the source when the kernel is made, and each launch is checked against
it. A mismatch raises, and the error names the argument.
]],

{
  head = { "parameter", "argument" },
  { "`const float *`, `double *` …",
    [[an array of that dtype: `int *` takes int32, `unsigned char *` uint8, `float2 *`
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
A launch is an operation like any other. An array behind a pointer to `const` is read; any other is
read and written. On any stream, the launch comes after the work that wrote the arrays that it
reads, and after the work that used the arrays that it writes. A graph that captures it owns its
arrays and its code.

## RawModule
]],

{
  columns = "returns",
  { "tide.RawModule(code [, { options=, name_expressions= }])",
    returns = "RawModule",
    text = "returns a source with any number of kernels, compiled once; or compiled code, as above",
    args = {
      options = "string | string[] = nil: as for `tide.RawKernel`",
      name_expressions = [[
        string[] = nil: the template instances to compile: `{ "scale<float>", "scale<double>" }`]],
    },
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
m:get_function "f"                      --> tide.RawKernel: f(float *y)
]] },
},

{
  columns = "returns",
  { "m:get_function(name [, { signature= }])",
    text = "returns one of its kernels",
    returns = "RawKernel",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
m:get_function "f"                      --> tide.RawKernel: f(float *y)
]] },
  { "m:get_global(name [, dtype])",
    text = [[
      returns a 1-d array over the memory of a variable of the source, `__device__` or
      `__constant__`, on the current device. Modules of the same source and options share it. While
      there are such arrays, a launch of any kernel of the module comes after their operations that
      were called before, and before those called later, on any stream. A `static` variable, or one
      of a namespace, is found by a name expression: `"&n::x"`]],
    returns = "Array",
    args = {
      dtype = "dtype = uint8: of its elements",
    },
    example = [[
m = tide.RawModule [=[
__constant__ float step;
extern "C" __global__ void f (float *y) { y[0] += step; }
]=]
if tide.get_device().kind == "cuda" then
  local y = tide.zeros(1, "float32")
  m:get_global("step", "float32"):fill(0.5)
  m:get_function "f"(1, 1, y)
  print(y[1])
end
]] },
  { "m.code",
    type = "string",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
#m.code                                 --> 42
]] },
  { "m.options",
    type = "string[]",
    text = "a copy of the list",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = N; }", { options = "-DN=4" })
m.options[1]                            --> -DN=4
]] },
  { "tostring(m)",
    returns = "string",
    text = "formats the module: `tide.RawModule`",
    example = [[
m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
tostring(m):match "%w+%.%w+"            --> tide.RawModule
]] },
},

[[
## The cache on disk

Compiled code runs with all rights of the process. Therefore the folder, and each file in it, is
trusted only if it belongs to the user of the process, or to root, and neither its group nor others
can write to it. A file must not be a symbolic link either. Untrusted files are ignored silently:
kernels are compiled again. tide makes the folder, and those above it, for the user alone (0700).

Files are named by content and never changed. Together they take at most `TIDE_CACHE_SIZE` MiB: a
process that adds a file removes the least recently used ones (the time of the last use is the time
of modification). Any number of processes may use one folder, and it may be removed at any time.
Scripts of a [host program](../embedding.md#limits) that have no access to files add none.

## Kernels that do not end

A GPU cannot stop a kernel: one without an end runs until the process ends. Ctrl-C ends the wait for
it, not the kernel. On the host device Ctrl-C ends both. Running kernels have a quarter of a second
to finish. A kernel that does not finish is stopped; the error names it, and its results are
incomplete. tide's own kernels that run in parts, such as the product of two large matrices, are
stopped too: they end after the parts that have begun. Everything else goes on, including work
queued behind it.

```
train.lua:31: interrupted! kernel 'collatz' did not end and was stopped: what it writes is not whole
```

This applies to kernels of the Lua state that waited. Kernels that run when a Lua state closes are
stopped at once if nothing can read their results: no file, rank, other process or
[DLPack](dlpack.md) consumer. So are kernels on a device that fails or is reset.

## Notes

- `extern "C"` is needed only for kernels that macros make: these are found by their symbol.
- Errors contain the compiler's messages, with the lines of your source.
- A view is passed as the address of its first element; the kernel does not know its shape.
- The C headers `stdint.h`, `stddef.h`, `stdbool.h`, `math.h`, `float.h` and `limits.h` are built
  in: types and constants. CUDA's headers (`cuda_fp16.h` …) are found in `CUDA_HOME` or
  `/usr/local/cuda`. If a host program [leaves files out](../embedding.md#limits), only the built-in
  headers can be included.
- Loading code on a GPU waits while an operation of [ranks](dist.md) is running there; in a host
  function it raises `CUDA_ERROR_NOT_PERMITTED` then.
- With drivers before CUDA 12.4, a kernel launch behind a [host function](stream.md#host-functions)
  runs that function first; in a host function it raises.
- All Lua states of the process share loaded code, which stays until the last of them ends.
]],

}
