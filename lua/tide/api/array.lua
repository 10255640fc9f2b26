return {

classes = { Array = "numbers on a device, n-dimensional" },

args = {
  n = "integer", indices = "integer | integer[] | Array", lo = "operand?", hi = "operand?",
  keepdims = "boolean = false: reduced axes stay, with length 1", key = "key", i = "integer",
  value = "element",
  base = "integer = 1: the index of the first element; 0 for data from other languages",
  mode = [[
    "clip" | "wrap" = nil: `"clip"`: an index out of range selects the nearest element; `"wrap"`:
    indices wrap around; from 1 both 0 and -1 are the last]],
  size = "integer = nil: the number of results; nothing waits then, so captures work",
},


[[
# Array

Numbers on a device: an n-dimensional array of one dtype, with any strides.

## Purpose

An Array is a view of a block of device memory. Operations are queued on the current stream of the
array's device and return at once. On any stream, an operation runs after the operations that it
depends on.

dtypes: `bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64
complex64 complex128`. See [Numbers](#numbers).

## Example

```lua
local tide = require "tide"

local x = tide.array({ { 1, 2, 3 }, { 4, 5, 6 } }, "float32")
local y = x * x + 8
y[1] = 0                           -- the first row
print(y:sum():item())              --> 101.0
print(y[2][3], #y, y.dtype)        --> 44.0	2	float32
```

## Making one

A shape is a number or a table of numbers; the dtype comes last and is optional. Every function
raises if the shape is negative or too large, if the dtype is unknown, or if memory is short (with
figures).

A table argument is either a list or has names, never both: `tide.zeros{3, dtype = "int8"}` and
`a:sum{2, keepdims = true}` raise, and the error names the offending name. This holds for every call
of tide. Options go into a table of their own: `a:sum(2, { keepdims = true })`, or
`a:sum{ axis = 2, keepdims = true }`. The `n` of `table.pack` is allowed.
]],

{
  returns = "Array",
  { "tide.array(x [, dtype])",
    text = [[
      returns a new array with the elements of a nested table, a number or a boolean, on the current
      device; or a copy of a HostArray or an Array, on its own device. Integers make `int64`, other
      numbers the default dtype, booleans `bool`. In a table, a 0-d array counts as a number of its
      dtype: `tide.array{ a:sum(), a:max() }`. Ragged tables raise]],
    waits = "if a 0-d array stands for a number",
    args = {
      x = "nested | element | Array | HostArray",
    },
    example = [[
a = tide.array({ { 1, 2 }, { 3, 4 } }, "float32")
a.shape                                 --> {2, 2}
a[2]                                    --> [3. 4.]
]] },
  { "tide.asarray(x [, dtype])",
    text = "as `tide.array`, but an Array that has the dtype already is returned itself",
    waits = "if a 0-d array stands for a number",
    args = {
      x = "nested | element | Array | HostArray",
    },
    example = [[
a = tide.ones(3)
tide.asarray(a) == a                    --> true
]] },
  { "tide.empty(shape [, dtype])",
    text = "returns an uninitialized array, of the default dtype if none is given; a bool is false",
    example = [[tide.empty({ 2, 3 }, "int8").shape  --> {2, 3}]] },
  { "tide.zeros(shape [, dtype])",
    text = "returns an array filled with 0",
    example = "tide.zeros(3)  --> [0. 0. 0.]" },
  { "tide.ones(shape [, dtype])",
    text = "returns an array filled with 1",
    example = [=[tide.ones(3, "int32")  --> [1 1 1]]=] },
  { "tide.full(shape, value [, dtype])",
    text = "returns an array filled with `value`; the dtype is that of `value` by default",
    example = "tide.full(3, 2.5)  --> [2.5 2.5 2.5]" },
  { "tide.arange([start,] stop [, step] [, dtype])",
    text = [[
      returns the numbers of the half-open interval from `start` (0) to `stop`, spaced by `step`
      (1); the dtype is `int64` if all arguments are integers, else the default dtype]],
    args = {
      start = "number = 0",
      stop = "number",
      step = "number = 1",
    },
    example = [[
tide.arange(5)                          --> [0 1 2 3 4]
tide.arange(1, 2, 0.25)                 --> [1.   1.25 1.5  1.75]
]] },
  { "tide.linspace(start, stop [, n] [, dtype] [, { endpoint= }])",
    text = [[
      returns `n` numbers (50) spaced evenly from `start` to `stop`. `stop` is included unless
      `endpoint=false`. Integer dtypes round down. Complex ends give points on the line between
      them, as `complex128`]],
    args = {
      start = "number | Complex",
      stop = "number | Complex",
      n = "integer = 50",
      endpoint = "boolean = true",
    },
    example = [[
tide.linspace(0, 1, 5)                  --> [0.   0.25 0.5  0.75 1.  ]
tide.linspace(0, 1, 4, { endpoint = false }) --> [0.   0.25 0.5  0.75]
]] },
  { "tide.logspace(start, stop [, n] [, dtype] [, { base=, endpoint= }])",
    text = [[
      returns the powers of `base` whose exponents are `linspace(start, stop, n)`. Integer dtypes
      round towards 0]],
    args = {
      start = "number",
      stop = "number",
      n = "integer = 50",
      base = "number = 10",
      endpoint = "boolean = true",
    },
    example = [[
tide.logspace(0, 3, 4)                  --> [   1.   10.  100. 1000.]
tide.logspace(0, 3, 4, { base = 2 })    --> [1. 2. 4. 8.]
]] },
  { "tide.geomspace(start, stop [, n] [, dtype] [, { endpoint= }])",
    text = [[
      returns `n` numbers (50) from `start` to `stop`, each the same multiple of the one before it.
      Integer dtypes round towards 0]],
    args = {
      start = "number",
      stop = "number: of the same sign as `start`",
      n = "integer = 50",
      endpoint = "boolean = true",
    },
    raises = "if an end is 0, or their signs differ",
    example = "tide.geomspace(1, 1000, 4)  --> [   1.   10.  100. 1000.]" },
  { "tide.eye(n [, m] [, k] [, dtype])",
    text = [[
      returns a matrix with `n` rows and `m` columns (`n`) that has 1 on diagonal `k` (0) and 0
      elsewhere. In diagonal `k` the column is the row plus `k`; it may lie outside the matrix]],
    args = {
      m = "integer = n",
      k = "integer = 0",
    },
    example = "tide.eye(2)[2]  --> [0. 1.]" },
  { "tide.empty_like(a [, dtype])",
    text = "returns an uninitialized array with the shape and dtype of `a`; a bool is false",
    example = "tide.empty_like(tide.ones(3)).shape  --> {3}" },
  { "tide.zeros_like(a [, dtype])",
    example = "tide.zeros_like(tide.ones(3))  --> [0. 0. 0.]",
    text = "returns an array filled with 0, with the shape and dtype of `a`" },
  { "tide.ones_like(a [, dtype])",
    example = [=[tide.ones_like(tide.zeros(3), "int8")  --> [1 1 1]]=],
    text = "returns an array filled with 1, with the shape and dtype of `a`" },
  { "tide.full_like(a, value [, dtype])",
    example = "tide.full_like(tide.zeros(3), 7)  --> [7. 7. 7.]",
    text = "returns an array filled with `value`, with the shape and dtype of `a`" },
  { "tide.frombytes(str, dtype [, shape])",
    text = [[
      returns an array with the elements that the bytes of a string encode, in the machine's byte
      order; 1-d by default]],
    args = {
      str = "string",
    },
    example = [=[tide.frombytes("abc", "uint8")  --> [97 98 99]]=] },
},

{
  { "tide.get_default_dtype()",
    text = [[returns the default dtype of floats: `"float64"` unless it was set]],
    returns = "dtype",
    example = "tide.get_default_dtype()  --> float64" },
  { "tide.set_default_dtype(dtype)",
    text = [[
      sets the default dtype, for this `lua_State`, to a dtype of floats; returns the previous
      one. A function that takes a table or a number in place of one of two arrays reads its floats
      in the default dtype or that of the other array, whichever is wider]],
    returns = "dtype",
    example = [[
before = tide.set_default_dtype "float32"
tide.zeros(1).dtype                     --> float32
tide.set_default_dtype(before)
]] },
  { "tide.result_type(operand, ...)",
    text = [[
      returns the dtype to which the operands are promoted. Operands are arrays, names of dtypes,
      and numbers; a number never widens a dtype of its own kind]],
    returns = "dtype",
    args = {
      operand = "Array | HostArray | dtype | number | boolean",
    },
    example = [[tide.result_type("int8", "uint8", 2.5)  --> float64]] },
  { "tide.can_cast(from, to [, casting])",
    text = [[
      tells whether the casting rule allows the cast. `"safe"`: `to` represents all numbers of
      `from`. `"same_kind"`: also casts within a kind, such as floats to floats. `"no"` and
      `"equiv"`: the dtypes are equal. `"unsafe"`: always]],
    returns = "boolean",
    args = {
      from = "dtype | Array | HostArray",
      to = "dtype | Array | HostArray",
      casting = [["no" | "equiv" | "safe" | "same_kind" | "unsafe" = "safe"]],
    },
    example = [[tide.can_cast("int32", "float32")       --> false]] },
  { "tide.finfo(dtype)",
    text = [[
      returns a table of the limits of a float dtype, with NumPy's names: `bits eps epsneg max min
      tiny smallest_normal smallest_subnormal resolution precision nmant nexp iexp machep negep
      minexp maxexp`, and `dtype`. For complex dtypes it describes the parts]],
    returns = "table",
    args = { dtype = "dtype | Array | HostArray" },
    raises = "if the dtype has no floats",
    example = [[tide.finfo "float16".max                --> 65504.0]] },
  { "tide.iinfo(dtype)",
    text = [[
      returns a table of the limits of an integer dtype: `bits min max`, and `dtype`. The `max` of
      `uint64` is -1, the Lua integer with the same 64 bits]],
    returns = "table",
    args = { dtype = "dtype | Array | HostArray" },
    raises = "if the dtype has no integers",
    example = [[tide.iinfo "int8".min                   --> -128]] },
  { "tide.isdtype(dtype, kind)",
    text = [[
      tells whether the dtype is of that kind, or of one of a list of kinds. Kinds are the array API
      standard's: `"bool"`, `"signed integer"`, `"unsigned integer"`, `"integral"`,
      `"real floating"`, `"complex floating"`, `"numeric"` (all but bool), and each dtype]],
    returns = "boolean",
    args = { dtype = "dtype | Array | HostArray", kind = "string | string[]" },
    example = [[
tide.isdtype("float32", "real floating")          --> true
tide.isdtype("int8", { "bool", "integral" })      --> true
]] },
},

[[
## Fields
]],

{
  columns = "type",
  { "a.shape",
    text = "the lengths of the axes",
    type = "integer[]: table",
    example = "tide.ones{ 2, 3 }.shape  --> {2, 3}" },
  { "a.strides",
    text = "the strides, in elements; 0 along broadcast axes, negative along reversed ones",
    type = "integer[]: table",
    example = "tide.ones{ 2, 3 }.strides  --> {3, 1}" },
  { "a.T",
    text = "a view with the axes reversed",
    type = "Array",
    example = "tide.ones{ 2, 3 }.T.shape  --> {3, 2}" },
  { "a.mT",
    text = "a view with the last two axes exchanged, that is, with each matrix transposed",
    type = "Array",
    example = "tide.ones{ 4, 2, 3 }.mT.shape  --> {4, 3, 2}" },
  { "a.ndim",
    text = "the number of axes",
    type = "integer",
    example = "tide.ones{ 2, 3 }.ndim  --> 2" },
  { "a.size",
    text = "the number of elements",
    type = "integer",
    example = "tide.ones{ 2, 3 }.size  --> 6" },
  { "a.dtype",
    type = "dtype: string",
    example = "tide.ones(3).dtype  --> float64" },
  { "a.nbytes",
    text = "the bytes of all elements: `size` times the bytes of one element",
    type = "integer",
    example = "tide.ones(3).nbytes  --> 24" },
  { "a.device",
    type = "Device",
    example = "tide.ones(3).device  --> host:0" },
  { "a.ptr",
    text = [[
      the address on the device; 0 for an array without elements. Does not wait, so work on the
      array may be under way]],
    type = "integer",
    example = "tide.ones(3).ptr ~= 0  --> true" },
  { "#a",
    type = "integer",
    text = "the length of the first axis",
    example = "#tide.ones{ 2, 3 }  --> 2" },
},

[[
`a.shape` and `a.strides` print their numbers: `{2, 3}`.

## Indexing

Indices count from 1, and negative ones count from the end. Ranges include both ends. A key is an
integer, or a table with one component for each of the first axes. A component is an integer, which
drops the axis, or a range `{first, last, step}`. All three parts of a range are optional, so `{}`
selects the whole axis. Axes without a component stay whole. A negative step goes backwards, by
default from the end to the start.
]],

{
  { "a[i]",
    text = "returns an element of a 1-d array, or a view of row `i` of any other array",
    returns = "element | Array",
    waits = "for the element",
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a[2]                                    --> [3 4]
a[2][1]                                 --> 3
]] },
  { "a[{ i, j }]",
    text = "returns an element of a 2-d array, and likewise for more axes",
    returns = "element | Array",
    waits = "for the element",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }[{ 2, 1 }]  --> 3" },
  { "a[{ {1, 10}, 3 }]", "a[{ {}, {1, -1, 2} }]", "a[{ {nil, nil, -1} }]",
    text = "returns a view of that part",
    returns = "Array",
    example = [[
a = tide.arange(10)
a[{ { 2, 4 } }]                         --> [1 2 3]
a[{ { nil, nil, -3 } }]                 --> [9 6 3 0]
]] },
  { "a[index]", "a[mask]",
    text = [[
      returns a new array. With an array of integers: the rows at these indices, as
      `a:take(index, 1)`. With a bool array: the elements where it is true, as `a:mask(mask)`]],
    returns = "Array",
    args = { index = "Array", mask = "Array" },
    waits = "for the number of elements that a mask selects",
    example = [[
a = tide.array{ 5, -6, 7 }
a[tide.array{ -1, 1 }]                  --> [7 5]
a[a:gt(0)]                              --> [5 7]
]] },
  { "a[key] = x",
    text = "writes a number, a table or an array, which is broadcast to the selected part",
    args = {
      x = "element | table | Array",
    },
    example = [[
a = tide.zeros(4)
a[2] = 5
a[{ { 3, 4 } }] = tide.array{ 1, 2 }
a                                       --> [0. 5. 1. 2.]
]] },
  { "a[index] = x", "a[mask] = x",
    text = [[
      writes to the rows at these indices, as `a:put(index, x, 1)`, or to the elements where the
      mask is true, in order, as `a:put(mask, x)`. Where an index is repeated, its last value wins.
      Neither waits]],
    args = { index = "Array", mask = "Array", x = "element | table | Array" },
    example = [[
a = tide.array{ 5, -6, 7 }
a[a:lt(0)] = 0
a[tide.array{ 1, 3 }] = tide.array{ 8, 9 }
a                                       --> [8 0 9]
]] },
  { "a:slice(first [, last [, step [, axis]]] [, { axis= }])",
    text = [[
      returns a view of a range along one axis, the first by default; `last` is -1 by default, or 1
      if `step` is negative]],
    returns = "Array",
    args = {
      first = "integer",
      last = "integer",
      step = "integer = 1",
      axis = "integer = 1",
    },
    example = "tide.arange(10):slice(2, 8, 3)  --> [1 4 7]" },
  { "a:select([axis,] i [, { axis= }])",
    text = [[
      returns a view of index `i` along an axis, the first by default, without this axis; of a 1-d
      array a 0-d view]],
    returns = "Array",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:select(2, 1)  --> [1 3]" },
  { "for i, x in ipairs(a)",
    returns = "integer, element | Array: the index, and `a[i]`",
    waits = "for each number",
    example = "for i, x in ipairs(tide.array{ 7 }) do print(i, x) end  --> 1 7",
    text = "iterates over `a[i]` to the end, and fetches one number at a time" },
  { "for i, x in pairs(a)",
    text = [[
      iterates over `a[i]` in order. The numbers of a 1-d array are fetched once, before the loop]],
    returns = "integer, element | Array: the index, and `a[i]`",
    waits = "for the numbers of a 1-d array",
    example = "for i, x in pairs(tide.array{ 7 }) do print(i, x) end  --> 1 7" },
},

[[
An index out of range raises. Only reading `a[#a + 1]` returns nil, because `ipairs` uses it to find
the end of the array; writing to it raises.

```lua
local tide = require "tide"

local a = tide.arange(12):reshape{ 3, 4 }
print(a[{ 2, -1 }], a[{ { 1, 2 }, 3 }][2])           --> 7	6
a[{ {}, { 1, -1, 2 } }] = tide.array{ { 10 }, { 20 }, { 30 } }
print(table.concat(a[2]:totable(), " "))             --> 20 5 20 7
print(table.concat(a:slice(-1, 1, -1, 2)[3]:totable(), " "))  --> 11 30 9 30
```

## Shapes

Each is a function, `tide.reshape(a, shape)`, and a method. Axes count from 1, negative ones from
the end. All but `flatten` return views, which share the memory of `a`, where strides can describe
the result. A shape and axes are a table here, or stand one after the other: `a:reshape(3, 4)`,
`a:flip(1, 2)`. Axes may also be the option `axis`: `a:flip{ axis = 2 }`.
]],

{
  returns = "Array",
  args = { shape = "shape..." },
  { "tide.reshape(a, shape)", "a:reshape(shape)",
    text = [[
      returns the same elements, in the same order, in another shape. One axis may be -1, which
      means the remaining length. Copies if no strides describe the result]],
    example = "tide.arange(6):reshape(2, -1)[2]  --> [3 4 5]" },
  { "tide.flatten(a)", "a:flatten()",
    text = "returns a new 1-d array with all elements in order",
    example = "tide.ones{ 2, 3 }:flatten().shape  --> {6}" },
  { "tide.ravel(a)", "a:ravel()",
    text = "returns all elements in order as a 1-d array; copies if no stride describes the result",
    example = "tide.ones{ 2, 3 }:ravel().shape  --> {6}" },
  { "tide.contiguous(a)", "a:contiguous()",
    text = "returns `a` itself if it is contiguous in row-major order, else a contiguous copy",
    example = "tide.ones{ 2, 3 }.T:contiguous().strides  --> {2, 1}" },
  { "tide.view(a, dtype)", "a:view(dtype)",
    returns = "Array | HostArray: of the class of `a`",
    args = { a = "Array | HostArray", dtype = "dtype" },
    raises = [[if the last axis is not contiguous or its bytes are no whole elements of another
      size, or the address is not a multiple of that size]],
    text = [[
      returns a view of the same bytes as elements of another dtype. If their size differs, the last
      axis gets longer or shorter, as in NumPy. There are no views as bool, because bools have no
      bytes but 0 and 1; write no others into a view of bools]],
    example = [[
tide.ones(1, "float32"):view "uint32"   --> [1065353216]
tide.ones({ 2, 3 }, "float32"):view "uint8".shape  --> {2, 12}
]] },
  { "tide.transpose(a [, axes])", "a:transpose([axes])",
    text = "returns a view with the axes reversed, or in the given order",
    example = "tide.ones{ 2, 3 }:transpose().shape  --> {3, 2}" },
  { "tide.permute(a, axes)", "a:permute(axes)",
    text = "as `transpose`, with `axes` required",
    example = "tide.ones{ 2, 3, 4 }:permute(3, 1, 2).shape  --> {4, 2, 3}" },
  { "tide.matrix_transpose(a)", "a:matrix_transpose()",
    text = "returns a view with the last two axes exchanged, as `a.mT`",
    raises = "if the array has less than two axes",
    example = "tide.ones{ 4, 2, 3 }:matrix_transpose().shape  --> {4, 3, 2}" },
  { "tide.swapaxes(a, axis, other)", "a:swapaxes(axis, other)",
    text = "returns a view with these two axes exchanged",
    args = { other = "integer: the other axis" },
    example = "tide.ones{ 2, 3, 4 }:swapaxes(1, 3).shape  --> {4, 3, 2}" },
  { "tide.moveaxis(a, from, to)", "a:moveaxis(from, to)",
    text = "returns a view in which axes `from` of `a` are axes `to`; the other axes stay in order",
    args = { from = "integer | integer[]: an axis, or several",
             to = "integer | integer[]: as many as in `from`" },
    example = "tide.ones{ 2, 3, 4 }:moveaxis(1, -1).shape  --> {3, 4, 2}" },
  { "tide.rot90(a [, k] [, axes])", "a:rot90([k] [, axes])",
    text = [[
      returns a view rotated `k` times by 90 degrees, from the first of two axes towards the second:
      the last column becomes the first row]],
    args = { k = "integer = 1: the number of rotations; negative ones go back",
             axes = "integer[] = { 1, 2 }" },
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a:rot90()[1]                            --> [2 4]
a:rot90(-1)[1]                          --> [3 1]
]] },
  { "tide.diagonal(a [, k] [, axes])", "a:diagonal([k] [, axes])",
    text = [[
      returns diagonal `k` of the matrices in two axes, along the last axis of the result. In
      diagonal `k` the column is the row plus `k`]],
    args = { k = "integer = 0", axes = "integer[] = { 1, 2 }" },
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:diagonal()  --> [1 4]" },
  { "tide.squeeze(a [, axes])", "a:squeeze([axes])",
    text = "removes these axes, which must have length 1; by default every axis of length 1",
    example = "tide.ones{ 2, 1, 3 }:squeeze().shape  --> {2, 3}" },
  { "tide.expand_dims(a, axes)", "a:expand_dims(axes)",
    text = "adds axes of length 1, which are axes `axes` of the result",
    example = "tide.ones(3):expand_dims(2).shape  --> {3, 1}" },
  { "tide.broadcast_to(a, shape)", "a:broadcast_to(shape)",
    text = [[
      returns a read-only view of `a` that is broadcast to the shape; views of it are read-only
      too]],
    example = "tide.arange(3):broadcast_to(2, 3)[2]  --> [0 1 2]" },
  { "tide.broadcast_arrays(list)",
    returns = "Array...: as many as in the list",
    args = { list = "Array[]" },
    text = [[
      broadcasts all arrays to their common shape, and returns read-only views as several results]],
    example = [[
x, y = tide.broadcast_arrays{ tide.arange(3), tide.ones{ 2, 1 } }
x.shape, y.shape                        --> {2, 3}  {2, 3}
]] },
  { "tide.broadcast_shapes(...)",
    returns = "integer[]: table",
    args = { ["..."] = "shape" },
    text = "returns the shape to which arrays of these shapes broadcast",
    example = "tide.broadcast_shapes(3, { 2, 1 })  --> {2, 3}" },
  { "tide.flip(a [, axes])", "a:flip([axes])",
    text = "returns a view with the elements reversed along these axes; by default along all axes",
    example = "tide.arange(3):flip()  --> [2 1 0]" },
},

[[
## Joining and splitting

Functions that join make a new array, or write to `out`; arrays are promoted to a common dtype.
Functions that split return views.
]],

{
  returns = "Array",
  args = { list = "Array[]" },
  { "tide.concatenate(list [, axis] [, { axis=, out= }])",
    text = [[
      joins arrays along an existing axis, the first by default; promotes them to a common dtype]],
    example = "tide.concatenate{ tide.arange(2), tide.arange(3) }  --> [0 1 0 1 2]",
    args = {
      list = "Array[]",
    } },
  { "tide.stack(list [, axis] [, { axis=, out= }])",
    text = "joins arrays of one shape along a new axis, the first by default",
    example = "tide.stack({ tide.arange(2), tide.arange(2) }, 2).shape  --> {2, 2}",
    args = {
      list = "Array[]",
    } },
  { "tide.vstack(list [, { out= }])",
    text = "joins arrays along the first axis; arrays with fewer than two axes count as rows",
    example = "tide.vstack{ tide.arange(2), tide.ones{ 2, 2 } }.shape  --> {3, 2}" },
  { "tide.hstack(list [, { out= }])",
    text = [[
      joins arrays along the second axis, or along the only one; 0-d arrays count as 1-d arrays of
      one element]],
    example = "tide.hstack{ tide.arange(2), tide.array(7) }  --> [0 1 7]" },
  { "tide.column_stack(list [, { out= }])",
    text = "joins arrays along the second axis; arrays with fewer than two axes count as columns",
    example = "tide.column_stack{ tide.arange(2), tide.arange(2) }[2]  --> [1 1]" },
  { "tide.append(a, values [, axis] [, { axis=, out= }])", "a:append(values [, axis])",
    text = [[
      returns the elements of `a` followed by the values, along an axis; without an axis both are
      flattened. A number of Lua, in a table too, widens no dtype of its kind]],
    args = { values = "operand | table" },
    waits = "if a 0-d array stands for a number in a table",
    example = "tide.arange(3):append{ 7, 8 }  --> [0 1 2 7 8]" },
  { "tide.insert(a, index, values [, axis] [, { axis=, out= }])",
    "a:insert(index, values [, axis])",
    text = [[
      returns a copy of `a` with the values, cast to its dtype, inserted before the index. With a
      list of indices, one value goes before each. Index `#a + 1` means behind the last element.
      Without an axis `a` is flattened]],
    args = { index = "integer | integer[]", values = "operand | table" },
    waits = "if a 0-d array stands for a number in a table",
    example = [[
tide.arange(3):insert(2, { 7, 8 })      --> [0 7 8 1 2]
tide.arange(3):insert({ 1, -1 }, 9)     --> [9 0 1 9 2]
]] },
  { "tide.delete(a, index [, axis] [, { axis=, out= }])", "a:delete(index [, axis])",
    text = [[
      returns a copy of `a` without the element at the index, or at each index of a list; without an
      axis `a` is flattened]],
    args = { index = "integer | integer[]" },
    example = "tide.arange(5):delete{ 1, -1 }  --> [1 2 3]" },
  { "tide.split(a, parts [, axis] [, { axis= }])", "a:split(parts [, axis])",
    returns = "Array[]",
    text = [[
      returns a list of views of `a` along an axis, the first by default. With a number: `parts`
      views of equal length. With a list of indices: one view that begins at the start, and one that
      begins at each index; each view ends before the next one]],
    args = { parts = "integer | integer[]", axis = "integer = 1" },
    raises = "if the axis cannot be divided equally",
    example = [[
tide.arange(6):split(3)[2]              --> [2 3]
tide.arange(6):split{ 2, 5 }[2]         --> [1 2 3]
]] },
  { "tide.array_split(a, parts [, axis] [, { axis= }])", "a:array_split(parts [, axis])",
    returns = "Array[]",
    text = "as `split`, but the first views may be longer by one element",
    args = { parts = "integer | integer[]", axis = "integer = 1" },
    example = "tide.arange(5):array_split(2)[1]  --> [0 1 2]" },
  { "tide.unstack(a [, axis] [, { axis= }])", "a:unstack([axis])",
    returns = "Array[]",
    text = "returns a list of the slices along an axis, the first by default, without this axis",
    args = { axis = "integer = 1" },
    example = [[
x, y = table.unpack(tide.array{ { 1, 2 }, { 3, 4 } }:unstack(2))
y                                       --> [2 4]
]] },
},

[[
## Rearranging

These functions return new arrays with elements of others.
]],

{
  returns = "Array",
  { "tide.roll(a, by [, axis] [, { axis=, out= }])", "a:roll(by [, axis])",
    text = [[
      returns a new array with the elements shifted by `by` positions along an axis; elements beyond
      the end reappear at the start. Without an axis `a` is flattened. With lists, each axis has its
      own shift]],
    example = "tide.arange(4):roll(1)  --> [3 0 1 2]",
    args = {
      by = "integer | integer[]",
      axis = "integer | integer[] = nil",
    } },
  { "tide.tile(a, times [, { out= }])", "a:tile(times)",
    text = [[
      returns a new array that repeats `a` `times` times along each axis; a single number applies to
      the last axis]],
    example = "tide.arange(2):tile(2)  --> [0 1 0 1]",
    args = {
      times = "integer | integer[]",
    } },
  { "tide.repeat_each(a, n [, axis] [, { axis=, out=, size= }])", "a:repeat_each(n [, axis])",
    text = [[
      returns a new array with each element repeated `n` times; without an axis `a` is flattened.
      `n` may be counts: a table or an array of integers, one for each element or, with an axis, for
      each slice. It is NumPy's `repeat`, which is a keyword of Lua]],
    args = {
      n = "integer | integer[] | Array",
      size = [[integer: the total of an array of counts, which is not waited for then; more repeat
        the last element, and negative counts are 0]],
    },
    waits = "if `n` is an array and there is no `size`: for its total",
    example = [[
tide.arange(2):repeat_each(2)           --> [0 0 1 1]
tide.arange(3):repeat_each{ 2, 0, 1 }   --> [0 0 2]
]] },
  { "tide.diag(a [, k])", "a:diag([k])",
    text = [[
      of a vector, returns a matrix with the vector on diagonal `k` and 0 elsewhere; of a matrix,
      returns a view of diagonal `k`]],
    args = { k = [[integer = 0: the diagonal; above the main one if positive, below it if
      negative]] },
    example = "tide.diag(tide.array{ 7, 8 })[2]  --> [0 8]" },
  { "tide.tril(a [, k] [, { out= }])", "a:tril([k])",
    text = [[
      returns the lower triangle of the matrices in the last two axes: elements above diagonal `k`
      are 0. A vector stands for the matrix whose rows it is]],
    args = { k = "integer = 0" },
    example = "tide.ones{ 2, 2 }:tril()[1]  --> [1. 0.]" },
  { "tide.triu(a [, k] [, { out= }])", "a:triu([k])",
    text = "returns the upper triangle of these matrices: elements below diagonal `k` are 0",
    args = { k = "integer = 0" },
    example = "tide.ones{ 2, 2 }:triu()[2]  --> [0. 1.]" },
  { "tide.pad(a, width [, { mode=, out=, value= }])", "a:pad(width)",
    text = [[
      returns a copy of `a` with elements added before and after. `width` is a number for all axes,
      a pair `{ before, after }` for all axes, or a list of pairs, one for each axis]],
    args = {
      width = "integer | table",
      mode = [[
        "constant" | "edge" | "reflect" | "symmetric" | "wrap" = "constant": `"constant"`: one
        number; `"edge"`: the outermost elements; `"reflect"`: `a` mirrored without repeating its
        ends; `"symmetric"`: `a` mirrored with its ends repeated; `"wrap"`: `a` repeated]],
      value = "element = 0: the number of mode `constant`",
    },
    raises = "if an axis without elements is extended in a mode other than `constant`",
    example = [[
tide.array{ 1, 2 }:pad(1)               --> [0 1 2 0]
tide.arange(3):pad({ 2, 0 }, { mode = "reflect" }) --> [2 1 0 1 2]
]] },
  { "tide.one_hot(a, n [, dtype])", "a:one_hot(n [, dtype])",
    text = [[
      encodes each index of an array of integers, from 1, as a row of length `n` along a new last
      axis: 1 at the index, else 0. An index out of range gives a row of 0]],
    args = { n = "integer: the row length", dtype = "dtype: the default dtype if left out" },
    example = "tide.array{ 2, 1 }:one_hot(3)[1]  --> [0. 1. 0.]" },
  { "tide.meshgrid(list [, { indexing=, sparse=, copy= }])",
    returns = "Array...: as many as in the list",
    text = [[
      returns coordinate arrays of a grid as several results: one for each 1-d array of the list,
      whose elements run along one axis. By default the first runs along the second axis and the
      second along the first]],
    args = { list = "Array[]",
             indexing = [["xy" | "ij" = "xy": `"ij"`: array number `i` runs along axis `i`]],
             sparse = "boolean = false: the other axes have length 1",
             copy = "boolean = true: `false` for read-only views" },
    example = [[
x, y = tide.meshgrid{ tide.arange(3), tide.arange(2) }
x[2]                                    --> [0 1 2]
y[2]                                    --> [1 1 1]
]] },
  { "tide.indices(shape [, dtype])",
    text = [[
      returns the indices of all elements of that shape, from 1: slice `i` of the first axis has the
      indices along axis `i`]],
    args = { shape = "shape", dtype = 'dtype = "int64"' },
    example = "tide.indices{ 2, 3 }[2][1]  --> [1 2 3]" },
},

[[
## Methods
]],

{
  columns = "returns",
  { "a:await([seconds])",
    returns = 'boolean: true; nil and `"timeout"`',
    args = { seconds = "number = nil: the timeout, from 0 on; nil waits without end" },
    text = [[
      waits until all work that was queued on its memory is done; in a task of
      [`tide.run`](tasks.md) other tasks run meanwhile. Returns true, or nil and `"timeout"`]],
    waits = "for `seconds` at most; runs host functions",
    example = "(tide.ones(3) + 1):await()  --> true" },
  { "a:item()",
    text = "returns the only element of an array of size 1",
    waits = true,
    returns = "element: number or boolean",
    example = "tide.array{ 7 }:item()  --> 7" },
  { "a:totable()",
    waits = true,
    returns = "nested: nested tables",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:totable()[2][1]  --> 3" },
  { "a:tobytes()",
    returns = "string",
    text = "returns the bytes of all elements",
    waits = true,
    example = [[tide.full(3, 65, "uint8"):tobytes()  --> AAA]] },
  { "a:to_dlpack{ stream=, versioned= }",
    args = {
      stream = [[Stream | pointer | boolean = nil: the stream that uses the memory next; `false`
        omits synchronization]],
      versioned = "boolean = true: `false` for the struct before DLPack 1.0",
    },
    returns = "userdata: a capsule",
    text = [[
      exports the elements to another library without a copy: see [DLPack](dlpack.md). The memory
      stays until the library releases it, from any thread, even after the Lua state has closed]],
    waits = "if it is memory of the host: until nothing uses it, unless `stream=false`",
    raises = "if the array is read-only, with `versioned=false`",
    example = "tostring(tide.zeros(3):to_dlpack())  --> dltensor_versioned" },
  { "a:tohost{ out=, blocking= }",
    returns = "HostArray",
    text = "copies the elements to a new HostArray, or to `out` (of the same shape and dtype)",
    args = {
      out = "HostArray?",
      blocking = "boolean = true",
    },
    waits = "unless `blocking=false`: then it returns at once, and reading the result waits",
    example = [[
h = tide.arange(3):tohost{ blocking = false }
h[3]                                    --> 2
]] },
  { "a:copy_from(x)",
    returns = "a",
    text = [[
      copies all elements from an Array or HostArray of the same shape and dtype, which may overlap
      and may be on [another device](device.md#notes); from a nested table, which is broadcast; or
      from a string with the bytes of all elements]],
    args = {
      x = "Array | HostArray | nested | string",
    },
    example = "tide.zeros(3):copy_from{ 1, 2, 3 }  --> [1. 2. 3.]" },
  { "a:to(device)",
    returns = "Array",
    text = "returns the elements on that device: `a` itself if it is there already, else a copy",
    waits = "of a HostArray, and if that is a device of another kind",
    example = [[
a = tide.ones(3)
a:to "host" == a                        --> true
]] },
  { "tide.copy(a)",
    "a:copy()",
    returns = "Array",
    text = "returns a copy",
    example = "tide.arange(3):copy()  --> [0 1 2]" },
  { "tide.astype(a, dtype)",
    "a:astype(dtype)",
    returns = "Array",
    text = [[
      converts the elements as C does. Integers to smaller integers keep the low bits (300 is 44 as
      `int8`). Floats to integers are truncated; out of range they become the nearest integer, and
      NaN becomes 0. To bool: `x ~= 0`]],
    example = [=[tide.array{ 1.7, -1.7, 0 }:astype "int32"  --> [ 1 -1  0]]=] },
  { "tide.fill(a, value)",
    "a:fill(value)",
    returns = "a",
    text = "sets all elements to `value`",
    example = "tide.empty(3):fill(7)  --> [7. 7. 7.]" },
  { "a:close()",
    text = "frees the array at once; work under way completes",
    raises = "if it is closed",
    example = [[
a = tide.ones(3)
a:close()
(pcall(a.sum, a))                       --> false
]] },
  { "local _ <close> = a",
    text = "closes the array at the end of the block, without raising",
    example = "do local a <close> = tide.ones(3) end" },
  { "tostring(a)",
    returns = "string",
    text = [[
      formats the array as NumPy does, and fetches only the elements that it shows. Above 1000
      elements it shows three at each end of a long axis; [`tide.printoptions`](tide.md#printing)
      changes both. Returns the header alone in a capture]],
    raises = "the errors of host functions and kernels that the elements come after",
    waits = "for the elements that it shows",
    example = [[
tide.arange(3)                          --> tide.Array 3 int64 host:0
                                        --> [0 1 2]
]] },
  { "a:describe()",
    returns = "table",
    text = "returns the count, the mean, quartiles and more: [Looking at arrays](inspect.md)",
    see = "Array:describe" },
  { "a:plot()",
    returns = "string?: with option `string`, else nothing",
    text = "prints a line, a histogram or a heat map as text: [Looking at arrays](inspect.md)",
    see = "Array:plot" },
},

[[
`==` compares identity, not elements.

## Operations

Each is a function, `tide.add(x, y [, { out= }])`, and a method, `x:add(y)`, and an operator where
Lua has one. One operand may be a number or boolean, which never widens an array of its own kind.
All arrays must be on one device, and NumPy 2's promotion decides the dtype. Shapes are broadcast:
axes are matched from the last one, and a missing axis or an axis of length 1 is repeated. `out` has
the shape and dtype of the result. It may be an operand or overlap one, because operands are read
first then.
]],

{
  columns = "in place",
  also = "[, { out= }]",
  returns = "Array",
  { "tide.add(x, y)", "x:add(y)", "x + y",
    inplace = "x:add_(y)",
    example = "tide.array{ 1, 2 } + 10  --> [11 12]",
    text = "the sum" },
  { "tide.sub(x, y)", "x:sub(y)", "x - y",
    inplace = "x:sub_(y)",
    example = "10 - tide.array{ 1, 2 }  --> [9 8]",
    text = "the difference" },
  { "tide.mul(x, y)", "x:mul(y)", "x * y",
    inplace = "x:mul_(y)",
    example = [[
a = tide.array{ 1, 2 }
a * a                                   --> [1 4]
a:mul_(10)                              --> [10 20]
]],
    text = "the product" },
  { "tide.div(x, y)", "x:div(y)", "x / y",
    inplace = "x:div_(y)",
    example = "tide.array{ 1, 2 } / 2  --> [0.5 1. ]",
    text = "the quotient; integers make `float64`" },
  { "tide.floordiv(x, y)", "x:floordiv(y)", "x // y",
    inplace = "x:floordiv_(y)",
    example = "tide.array{ 7, -7 } // 2  --> [ 3 -4]",
    text = "the quotient, rounded down; an integer divided by 0 gives 0" },
  { "tide.mod(x, y)", "x:mod(y)", "x % y",
    inplace = "x:mod_(y)",
    example = "tide.array{ 7, -7 } % 4  --> [3 1]",
    text = "the remainder of `floordiv`, with the sign of `y`" },
  { "tide.pow(x, y)", "x:pow(y)", "x ^ y",
    inplace = "x:pow_(y)",
    text = [[
      `x` to the power `y`. Negative powers of integers are truncated. Exponents 2, 3, 0.5 and -1
      given as numbers are computed as [products, roots or reciprocals](../numpy.md#results)]],
    example = "tide.array{ 2, 3 } ^ 2  --> [4 9]" },
  { "tide.fmod(x, y)", "x:fmod(y)",
    inplace = "x:fmod_(y)",
    text = [[
      the remainder of truncated division, with the sign of `x`; an integer divided by 0 gives 0]],
    example = "tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]" },
  { "tide.atan2(x, y)", "x:atan2(y)",
    inplace = "x:atan2_(y)",
    text = "the angle of the point (`y`, `x`), in radians; integers make `float64`",
    example = "tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]" },
  { "tide.hypot(x, y)", "x:hypot(y)",
    inplace = "x:hypot_(y)",
    text = "sqrt(x^2 + y^2); integers make `float64`",
    example = "tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]" },
  { "tide.copysign(x, y)", "x:copysign(y)",
    inplace = "x:copysign_(y)",
    text = "the magnitude of `x` with the sign of `y`; integers make `float64`",
    example = "tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]" },
  { "tide.logaddexp(x, y)", "x:logaddexp(y)",
    inplace = "x:logaddexp_(y)",
    text = "log(exp(x) + exp(y)), without overflow; integers make `float64`",
    example = "tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]" },
  { "tide.logaddexp2(x, y)", "x:logaddexp2(y)",
    inplace = "x:logaddexp2_(y)",
    text = "log2(2^x + 2^y), without overflow; integers make `float64`",
    example = "tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]" },
  { "tide.ldexp(x, n)", "x:ldexp(n)",
    inplace = "x:ldexp_(n)",
    args = { n = "Array | integer" },
    text = "x * 2^n, rounded once; `n` is of integers, and the result has the dtype of `x`",
    example = "tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]" },
  { "tide.nextafter(x, y)", "x:nextafter(y)",
    inplace = "x:nextafter_(y)",
    text = "the next representable number of the dtype, from `x` towards `y`",
    example = "tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]" },
  { "tide.heaviside(x, y)", "x:heaviside(y)",
    inplace = "x:heaviside_(y)",
    text = "0 where `x` is negative, 1 where it is positive, `y` where it is 0",
    example = "tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]" },
  { "tide.gcd(x, y)", "x:gcd(y)",
    inplace = "x:gcd_(y)",
    text = "the greatest common divisor of integers, without a sign",
    example = "tide.array{ 12, -18 }:gcd(8)  --> [4 2]" },
  { "tide.lcm(x, y)", "x:lcm(y)",
    inplace = "x:lcm_(y)",
    text = "the least common multiple of integers, without a sign",
    example = "tide.array{ 12, -18 }:lcm(8)  --> [24 72]" },
  { "tide.maximum(x, y)", "x:maximum(y)",
    inplace = "x:maximum_(y)",
    example = "tide.array{ 1, 5 }:maximum(3)  --> [3 5]",
    text = "the greater of the two; propagates NaN" },
  { "tide.minimum(x, y)", "x:minimum(y)",
    inplace = "x:minimum_(y)",
    example = "tide.array{ 1, 5 }:minimum(3)  --> [1 3]",
    text = "the lesser of the two; propagates NaN" },
  { "tide.fmax(x, y)", "x:fmax(y)",
    inplace = "x:fmax_(y)",
    example = "tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]",
    text = "the greater of the two; ignores NaN unless both are NaN" },
  { "tide.fmin(x, y)", "x:fmin(y)",
    inplace = "x:fmin_(y)",
    example = "tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]",
    text = "the lesser of the two; ignores NaN unless both are NaN" },
  { "tide.lt(x, y)", "x:lt(y)",
    inplace = "x:lt_(y)",
    example = "tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]",
    text = "x < y, as `bool`; in place for bool arrays only" },
  { "tide.le(x, y)", "x:le(y)",
    inplace = "x:le_(y)",
    example = "tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]",
    text = "x <= y, likewise" },
  { "tide.gt(x, y)", "x:gt(y)",
    inplace = "x:gt_(y)",
    example = "tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]",
    text = "x > y, likewise" },
  { "tide.ge(x, y)", "x:ge(y)",
    inplace = "x:ge_(y)",
    example = "tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]",
    text = "x >= y, likewise" },
  { "tide.eq(x, y)", "x:eq(y)",
    inplace = "x:eq_(y)",
    example = "tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]",
    text = "x == y, likewise" },
  { "tide.ne(x, y)", "x:ne(y)",
    inplace = "x:ne_(y)",
    example = "tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]",
    text = "x ~= y, likewise" },
  { "tide.band(x, y)", "x:band(y)", "x & y",
    inplace = "x:band_(y)",
    text = "bitwise and, of bools and integers",
    example = "tide.array{ 5, 6 } & 3  --> [1 2]" },
  { "tide.bor(x, y)", "x:bor(y)", "x | y",
    inplace = "x:bor_(y)",
    example = "tide.array{ 5, 6 } | 3  --> [7 7]",
    text = "bitwise or, of bools and integers" },
  { "tide.bxor(x, y)", "x:bxor(y)", "x ~ y",
    inplace = "x:bxor_(y)",
    example = "tide.array{ 5, 6 } ~ 3  --> [6 5]",
    text = "bitwise exclusive or, of bools and integers" },
  { "tide.lshift(x, y)", "x:lshift(y)", "x << y",
    inplace = "x:lshift_(y)",
    example = "tide.array{ 5, 6 } << 1  --> [10 12]",
    text = "shifts integers to the left" },
  { "tide.rshift(x, y)", "x:rshift(y)", "x >> y",
    inplace = "x:rshift_(y)",
    example = "tide.array{ 5, -6 } >> 1  --> [ 2 -3]",
    text = "shifts integers to the right, keeping the sign" },
  { "tide.logical_and(x, y)", "x:logical_and(y)",
    inplace = "x:logical_and_(y)",
    text = "logical and, where 0 is false; the result is `bool`; in place for bool arrays only",
    example = "tide.array{ 0, 2 }:logical_and(1)  --> [false  true]" },
  { "tide.logical_or(x, y)", "x:logical_or(y)",
    inplace = "x:logical_or_(y)",
    example = "tide.array{ 0, 2 }:logical_or(0)  --> [false  true]",
    text = "logical or, likewise" },
  { "tide.logical_xor(x, y)", "x:logical_xor(y)",
    inplace = "x:logical_xor_(y)",
    example = "tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]",
    text = "logical exclusive or, likewise" },
},

{
  returns = "Array",
  { "tide.isclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan=, out= }])", "a:isclose(b)",
    text = [[
      tells for each element whether `a` and `b` are equal, or `|a - b| <= atol + rtol * |b|` with
      finite `b`, as `bool`. Does not wait]],
    args = {
      a = "Array | number | boolean | table | HostArray",
      b = "Array | number | boolean | table | HostArray",
      rtol = "number = 1e-5",
      atol = "number = 1e-8",
      equal_nan = "boolean = false: whether NaN is close to NaN",
    },
    example = "tide.array{ 1., 2. }:isclose(1)  --> [ true false]" },
},

[[
**A comparison is an array, and any array is true in Lua**, also a 0-d one that holds `false`:
`if a:eq(b):all() then` always takes the branch. Write `a:eq(b):all():item()`, or call one of the
functions below, which return booleans of Lua. They wait, for one byte.
]],

{
  columns = "returns",
  { "tide.array_equal(a, b [, { equal_nan= }])", "a:array_equal(b)",
    returns = "boolean",
    args = {
      a = "Array | number | boolean | table | HostArray",
      b = "Array | number | boolean | table | HostArray",
      equal_nan = "boolean = false: whether NaN is equal to NaN",
    },
    text = [[
      tells whether both have the same shape and equal elements; integers are compared exactly]],
    waits = "for one byte",
    example = "tide.array_equal(tide.arange(3), { 0, 1, 2 })  --> true" },
  { "tide.allclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan= }])", "a:allclose(b)",
    returns = "boolean",
    text = [[
      tells whether all elements, once broadcast, are equal or satisfy
      `|a - b| <= atol + rtol * |b|` with finite `b`; `rtol` is 1e-5, `atol` 1e-8]],
    args = {
      a = "Array | number | boolean | table | HostArray",
      b = "Array | number | boolean | table | HostArray",
      rtol = "number = 1e-5",
      atol = "number = 1e-8",
      equal_nan = "boolean = false",
    },
    waits = "for one byte",
    example = [[
a = tide.ones(3)
a:allclose(a + 1e-9)                    --> true
]] },
  { "x < y", "x <= y",
    text = "not available: use `x:lt(y)` and `x:le(y)`",
    raises = "always, because Lua converts the result of a comparison to one boolean",
    example = "(pcall(function () return tide.ones(3) < 2 end))  --> false" },
},

[[
One of the operands may also be a number; in `isclose`, `array_equal` and `allclose` also a table or
a HostArray.

The functions below take one array. Functions of floats make `float64` of integers; functions that
round return integers unchanged. In place the result must have the dtype of `x`.
]],

{
  columns = "in place",
  also = "[, { out= }]",
  returns = "Array",
  { "tide.neg(x)", "x:neg()", "-x",
    inplace = "x:neg_()",
    example = "-tide.array{ 1, -2 }  --> [-1  2]",
    text = "-x" },
  { "tide.abs(x)", "x:abs()",
    inplace = "x:abs_()",
    example = "tide.array{ 1, -2 }:abs()  --> [1 2]",
    text = "the absolute value; of complex numbers the modulus, which is a float" },
  { "tide.square(x)", "x:square()",
    inplace = "x:square_()",
    example = "tide.array{ 2, 3 }:square()  --> [4 9]",
    text = "x * x" },
  { "tide.sign(x)", "x:sign()",
    inplace = "x:sign_()",
    text = "-1, 0 or 1; NaN for NaN",
    example = "tide.array{ 5., -3., 0. }:sign()  --> [ 1. -1.  0.]" },
  { "tide.reciprocal(x)", "x:reciprocal()",
    inplace = "x:reciprocal_()",
    text = "1/x",
    example = "tide.array{ 2, 4 }:reciprocal()  --> [0.5  0.25]" },
  { "tide.sqrt(x)", "x:sqrt()",
    inplace = "x:sqrt_()",
    example = "tide.array{ 4, 9 }:sqrt()  --> [2. 3.]",
    text = "the square root" },
  { "tide.rsqrt(x)", "x:rsqrt()",
    inplace = "x:rsqrt_()",
    text = "1/sqrt(x)",
    example = "tide.array{ 4, 16 }:rsqrt()  --> [0.5  0.25]" },
  { "tide.cbrt(x)", "x:cbrt()",
    inplace = "x:cbrt_()",
    example = "tide.array{ 8, 27 }:cbrt():round()  --> [2. 3.]",
    text = "the cube root" },
  { "tide.exp(x)", "x:exp()",
    inplace = "x:exp_()",
    example = "tide.array{ 0, 1 }:exp()  --> [1.         2.71828183]",
    text = "e to the power of x" },
  { "tide.exp2(x)", "x:exp2()",
    inplace = "x:exp2_()",
    example = "tide.array{ 1, 3 }:exp2()  --> [2. 8.]",
    text = "2 to the power of x" },
  { "tide.expm1(x)", "x:expm1()",
    inplace = "x:expm1_()",
    text = "exp(x) - 1, accurate near 0",
    example = "tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]" },
  { "tide.log(x)", "x:log()",
    inplace = "x:log_()",
    example = "tide.array{ 1, 10 }:log()  --> [0.         2.30258509]",
    text = "the natural logarithm" },
  { "tide.log2(x)", "x:log2()",
    inplace = "x:log2_()",
    example = "tide.array{ 1, 8 }:log2()  --> [0. 3.]",
    text = "the base-2 logarithm" },
  { "tide.log10(x)", "x:log10()",
    inplace = "x:log10_()",
    example = "tide.array{ 1, 100 }:log10()  --> [0. 2.]",
    text = "the base-10 logarithm" },
  { "tide.log1p(x)", "x:log1p()",
    inplace = "x:log1p_()",
    text = "log(1 + x), accurate near 0",
    example = "tide.array{ 0., 1. }:log1p()  --> [0.         0.69314718]" },
  { "tide.sin(x)", "x:sin()",
    inplace = "x:sin_()",
    example = "tide.array{ 0, 1 }:sin()  --> [0.         0.84147098]",
    text = "the sine, of radians" },
  { "tide.cos(x)", "x:cos()",
    inplace = "x:cos_()",
    example = "tide.array{ 0, 1 }:cos()  --> [1.         0.54030231]",
    text = "the cosine, of radians" },
  { "tide.tan(x)", "x:tan()",
    inplace = "x:tan_()",
    example = "tide.array{ 0, 1 }:tan()  --> [0.         1.55740772]",
    text = "the tangent, of radians" },
  { "tide.asin(x)", "x:asin()",
    inplace = "x:asin_()",
    example = "tide.array{ 0, 1 }:asin()  --> [0.         1.57079633]",
    text = "the arc sine, in radians" },
  { "tide.acos(x)", "x:acos()",
    inplace = "x:acos_()",
    example = "tide.array{ 1, 0 }:acos()  --> [0.         1.57079633]",
    text = "the arc cosine, in radians" },
  { "tide.atan(x)", "x:atan()",
    inplace = "x:atan_()",
    example = "tide.array{ 0, 1 }:atan()  --> [0.         0.78539816]",
    text = "the arc tangent, in radians" },
  { "tide.sinh(x)", "x:sinh()",
    inplace = "x:sinh_()",
    example = "tide.array{ 0, 1 }:sinh()  --> [0.         1.17520119]",
    text = "the hyperbolic sine" },
  { "tide.cosh(x)", "x:cosh()",
    inplace = "x:cosh_()",
    example = "tide.array{ 0, 1 }:cosh()  --> [1.         1.54308063]",
    text = "the hyperbolic cosine" },
  { "tide.tanh(x)", "x:tanh()",
    inplace = "x:tanh_()",
    example = "tide.array{ 0, 1 }:tanh()  --> [0.         0.76159416]",
    text = "the hyperbolic tangent" },
  { "tide.asinh(x)", "x:asinh()",
    inplace = "x:asinh_()",
    example = "tide.array{ 0, 1 }:asinh()  --> [0.         0.88137359]",
    text = "the inverse of `sinh`" },
  { "tide.acosh(x)", "x:acosh()",
    inplace = "x:acosh_()",
    example = "tide.array{ 1, 2 }:acosh()  --> [0.        1.3169579]",
    text = "the inverse of `cosh`" },
  { "tide.atanh(x)", "x:atanh()",
    inplace = "x:atanh_()",
    example = "tide.array{ 0, 0.5 }:atanh()  --> [0.         0.54930614]",
    text = "the inverse of `tanh`" },
  { "tide.erf(x)", "x:erf()",
    inplace = "x:erf_()",
    text = "the error function",
    example = "tide.array{ 0., 1. }:erf()  --> [0.         0.84270079]" },
  { "tide.erfc(x)", "x:erfc()",
    inplace = "x:erfc_()",
    text = "1 - erf(x), accurate for large `x`",
    example = "tide.array{ 0., 3. }:erfc()  --> [1.0000000e+00 2.2090497e-05]" },
  { "tide.erfinv(x)", "x:erfinv()",
    inplace = "x:erfinv_()",
    text = "the inverse of `erf`",
    example = "tide.array{ 0., 0.5, 1. }:erfinv()  --> [0.         0.47693628        inf]" },
  { "tide.gamma(x)", "x:gamma()",
    inplace = "x:gamma_()",
    text = "the gamma function; `gamma(n + 1)` is `n!`",
    example = "tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]" },
  { "tide.lgamma(x)", "x:lgamma()",
    inplace = "x:lgamma_()",
    text = [[
      the logarithm of the absolute value of the gamma function. Near its zeros below -2 the
      absolute error is small, not the relative one]],
    example = "tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]" },
  { "tide.sinc(x)", "x:sinc()",
    inplace = "x:sinc_()",
    text = "sin(pi x) / (pi x), and 1 for 0",
    example = "tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]" },
  { "tide.sigmoid(x)", "x:sigmoid()",
    inplace = "x:sigmoid_()",
    text = "1 / (1 + exp(-x)), with full precision where it is small",
    example = "tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]" },
  { "tide.softplus(x)", "x:softplus()",
    inplace = "x:softplus_()",
    text = "log(1 + exp(x)), without overflow",
    example = "tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]" },
  { "tide.relu(x)", "x:relu()",
    inplace = "x:relu_()",
    text = "the element, or 0 if it is not greater; NaN stays NaN",
    example = "tide.array{ -2, 3 }:relu()  --> [0 3]" },
  { "tide.degrees(x)", "x:degrees()",
    inplace = "x:degrees_()",
    text = "converts radians to degrees",
    example = "tide.array{ math.pi }:degrees()  --> [180.]" },
  { "tide.radians(x)", "x:radians()",
    inplace = "x:radians_()",
    text = "converts degrees to radians",
    example = "tide.array{ 180 }:radians()  --> [3.14159265]" },
  { "tide.floor(x)", "x:floor()",
    inplace = "x:floor_()",
    example = "tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]",
    text = "rounds down" },
  { "tide.ceil(x)", "x:ceil()",
    inplace = "x:ceil_()",
    example = "tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]",
    text = "rounds up" },
  { "tide.trunc(x)", "x:trunc()",
    inplace = "x:trunc_()",
    text = "rounds towards 0",
    example = "tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]" },
  { "tide.round(x [, decimals])", "x:round(decimals)",
    inplace = "x:round_(decimals)",
    args = { decimals = [[integer = nil: the number of decimals to keep; negative ones round to
      tens, hundreds and so on]] },
    text = [[
      rounds to the nearest integer, ties to even. With `decimals`, `x` is scaled, rounded and
      scaled back, as in NumPy]],
    example = [[
tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
tide.array{ 155, 12 }:round(-1)         --> [160  10]
]] },
  { "tide.bnot(x)", "x:bnot()", "~x",
    inplace = "x:bnot_()",
    example = "~tide.array{ 0, 5 }  --> [-1 -6]",
    text = "bitwise not, of bools and integers" },
  { "tide.logical_not(x)", "x:logical_not()",
    inplace = "x:logical_not_()",
    example = "tide.array{ 0, 5 }:logical_not()  --> [ true false]",
    text = "true where `x` is 0; `bool`" },
  { "tide.positive(x)", "x:positive()",
    text = "+x, as a copy",
    example = "tide.array{ 1, -2 }:positive()  --> [ 1 -2]" },
  { "tide.signbit(x)", "x:signbit()",
    inplace = "x:signbit_()",
    text = "true where the sign bit is set, as in -0.0 and in some NaNs; `bool`",
    example = "tide.array{ 1., -0.0 }:signbit()  --> [false  true]" },
  { "tide.isnan(x)", "x:isnan()",
    inplace = "x:isnan_()",
    example = "tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]",
    text = "true where `x` is NaN; `bool`" },
  { "tide.conj(x)", "x:conj()",
    inplace = "x:conj_()",
    example = "tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]",
    text = "the complex conjugate; real numbers stay as they are" },
  { "tide.real(x)", "x:real()",
    inplace = "x:real_()",
    example = "tide.array{ tide.complex(1, 2) }:real()  --> [1.]",
    text = "the real part, a float; real numbers stay as they are" },
  { "tide.imag(x)", "x:imag()",
    inplace = "x:imag_()",
    example = "tide.array{ tide.complex(1, 2) }:imag()  --> [2.]",
    text = "the imaginary part, a float; 0 for real numbers" },
  { "tide.isinf(x)", "x:isinf()",
    inplace = "x:isinf_()",
    example = "tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]",
    text = "true where `x` is infinite; `bool`" },
  { "tide.isfinite(x)", "x:isfinite()",
    inplace = "x:isfinite_()",
    example = "tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]",
    text = "true where `x` is neither infinite nor NaN; `bool`" },
},

[[
Functions with two results take a list of two arrays as `out`.
]],

{
  also = "[, { out= }]",
  returns = "Array, Array",
  args = { out = "table: a list of two Arrays" },
  { "tide.modf(x)", "x:modf()",
    text = "returns the fractional and the integral part; both have the sign of `x`",
    example = [[
fraction, whole = tide.array{ 1.5, -2.25 }:modf()
fraction                                --> [ 0.5  -0.25]
whole                                   --> [ 1. -2.]
]] },
  { "tide.frexp(x)", "x:frexp()",
    text = [[
      returns the mantissa, in the half-open interval from 0.5 to 1, and the exponent, an `int32`:
      `x` is `mantissa * 2^exponent`]],
    example = [[
mantissa, exponent = tide.array{ 8., 0.75 }:frexp()
mantissa                                --> [0.5  0.75]
exponent                                --> [4 0]
]] },
},

[[
On the host device, functions such as `exp`, `sin` and `pow` are accurate to 4 units in the last
place: they are glibc's vectorized functions, as in NumPy. The others, and those of complex numbers,
have the accuracy of the C library and of CUDA. On one device, equal numbers have equal results,
wherever in an array they are.

## Choosing
]],

{
  columns = "in place",
  { "tide.where(c, x, y [, { out= }])", "c:where(x, y)",
    text = [[
      selects from `x` where `c` is not 0, else from `y`; each is an array or a number, but one of
      `x` and `y` is an array if `c` is none]],
    returns = "Array",
    example = [[
a = tide.array{ 1, -2, 3 }
tide.where(a:gt(0), a, 0)               --> [1 0 3]
]] },
  { "tide.nonzero(a [, { base=, size=, fill= }])", "a:nonzero()",
    text = [[
      returns, for each axis, the indices of the elements that are not 0, in order. `tide.where(a)`
      with one argument does the same]],
    returns = "Array...: of int64, one for each axis",
    args = { fill = "integer = nil: fills the results up to `size`; by default `base - 1`" },
    raises = "for an array without axes",
    waits = "for the number of elements, unless `size` gives it",
    example = [[
a = tide.array{ { 0, 5 }, { 6, 0 } }
i, j = a:nonzero()
i                                       --> [1 2]
j                                       --> [2 1]
tide.nonzero(a[1], { size = 3 })        --> [2 0 0]
]] },
  { "tide.argwhere(a [, { base=, size=, fill= }])", "a:argwhere()",
    text = [[
      returns a matrix with a row for each element that is not 0, in order: its indices along every
      axis]],
    returns = "Array: of int64",
    args = { fill = "integer = nil: fills the rows up to `size`; by default `base - 1`" },
    raises = "for an array without axes",
    waits = "for the number of elements, unless `size` gives it",
    example = "tide.array{ { 0, 5 }, { 6, 0 } }:argwhere()[2]  --> [2 1]" },
  { "tide.clip(a [, lo [, hi [, { out= }]]])", "a:clip(lo, hi)",
    inplace = "a:clip_(lo, hi)",
    text = [[
      limits the elements to the interval from `lo` to `hi`, which are numbers or arrays. Either may
      be nil; without both the result is a copy. NaN stays NaN]],
    returns = "Array",
    example = "tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]" },
  { "tide.nan_to_num(x [, nan [, posinf [, neginf]]] [, { nan=, posinf=, neginf=, out= }])",
    "x:nan_to_num(nan, posinf, neginf)",
    inplace = "x:nan_to_num_(nan, posinf, neginf)",
    text = "replaces NaN and infinities by these numbers",
    returns = "Array",
    args = {
      nan = "number = 0",
      posinf = "number = nil: the greatest finite number of the dtype",
      neginf = "number = nil: the least finite number of the dtype",
    },
    example = "tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]" },
  { "tide.take(a, indices [, axis] [, { axis=, base=, mode=, out= }])", "a:take(indices)",
    returns = "Array",
    example = "tide.array{ 10, 20, 30 }:take{ 3, 1, 1 }  --> [30 10 10]",
    text = [[
      returns the elements at the indices, or the slices along an axis. The shape of the indices
      replaces the axis; without an axis, `a` is flattened. Indices are an integer, a table or an
      array of integers; they count from 1, and negative ones from the end. An index out of range
      raises. In an array of indices only the device detects it; then the next wait for the result
      or its stream raises the error, which names the line of the call]] },
  { "tide.mask(a, m [, { size=, fill=, out= }])", "a:mask(m)",
    returns = "Array",
    example = [[
a = tide.array{ 1, -2, 3 }
a:mask(a:gt(0))                         --> [1 3]
a:mask(a:gt(0), { size = 3 })           --> [1 3 0]
]],
    args = {
      m = "Array", fill = "element = 0: the value that fills the result up to `size`",
    },
    waits = "for the number of elements, unless `size` gives it",
    text = [[
      returns the elements where the bool array `m`, of the same shape, is true, in order. If `m`
      has fewer axes, it selects slices along the remaining axes]] },
  { "tide.put(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:put(indices, values)",
    returns = "Array: `a`",
    args = {
      indices = "integer | integer[] | Array: or a bool array, without axis and options",
      values = "element | table | Array",
    },
    waits = "if a 0-d array stands for a number in a table",
    raises = [[
      if an index is out of range, as `take` does; nothing is written for this index. A mask with
      more or fewer true elements than values raises equally late]],
    text = [[
      writes to the elements that `take` would read. Without an axis, `a` is flattened and the
      values are written in order, starting again from the first if there are fewer values than
      indices. With an axis, the values are broadcast to the slices. Where an index is repeated, its
      last value wins. With a mask, the elements or slices where it is true are written in order]],
    example = [[
tide.zeros(4):put({ 2, -1, 2 }, { 5, 6, 7 })        --> [0. 7. 0. 6.]
tide.zeros{ 2, 2 }:put({ 1 }, 3, 2)[2]              --> [3. 0.]
]] },
  { "tide.take_along_axis(a, indices [, axis] [, { axis=, base=, mode=, out= }])",
    "a:take_along_axis(indices)",
    returns = "Array: of the shape of the indices",
    text = [[
      returns, for each index, the element at this index along the axis, the last one by default;
      `a:take_along_axis(a:argsort())` is sorted. The other axes are broadcast]],
    args = { indices = "table | Array", axis = "integer = -1" },
    example = [[
a = tide.array{ { 3, 4 }, { 5, 6 } }
a:take_along_axis{ { 2 }, { 1 } }:flatten()         --> [4 5]
]] },
  { "tide.put_along_axis(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:put_along_axis(indices, values)",
    returns = "Array: `a`",
    text = [[
      writes to the elements that `take_along_axis` would read; where an index is repeated, its last
      value wins]],
    args = { indices = "table | Array", values = "element | table | Array",
             axis = "integer = -1" },
    waits = "if a 0-d array stands for a number in a table",
    example = [[
a = tide.array{ { 3, 4 }, { 5, 6 } }
a:put_along_axis(a:argmax(2, { keepdims = true }), 0)
a:flatten()                             --> [3 0 5 0]
]] },
  { "tide.scatter_add(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:scatter_add(indices, values)",
    returns = "Array: `a`",
    text = [[
      adds the values to the elements that `take` would read: elements of the flattened array, or
      slices along an axis. Values are broadcast, and all values for a repeated index are added.
      Floats are added in float64 and rounded once, in the same order every time; integers wrap.
      Values are cast to the dtype of `a`, within its kind]],
    args = { values = "element | table | Array" },
    waits = "if a 0-d array stands for a number in a table",
    raises = [[
      if an index is out of range, as `take` does; nothing is added for this index. If an array of
      values has a higher kind than `a`: integers beside bool, floats beside integers, complex
      numbers beside floats]],
    example = [[
tide.zeros(3):scatter_add({ 1, 3, 1 }, { 5, 6, 7 }) --> [12. 0. 6.]
tide.zeros(3, "int32"):scatter_add({ 1, 3, 1 }, 1)  --> [2 0 1]
]] },
  { "tide.scatter_min(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:scatter_min(indices, values)",
    "tide.scatter_max(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:scatter_max(indices, values)",
    returns = "Array: `a`",
    text = "as `scatter_add`, with the minimum or maximum in place of the sum. NaN counts as both",
    args = { values = "element | table | Array" },
    waits = "if a 0-d array stands for a number in a table",
    example = "tide.full(2, 5):scatter_min({ 1, 2, 1 }, { 7, 4, 3 })  --> [3 4]" },
  { "tide.unravel_index(indices, shape [, { base= }])",
    returns = "Array...: of int64, one for each axis of the shape",
    text = [[
      converts indices into the flattened array of that shape, as `argmax` returns them, to indices
      for each axis, which are several results]],
    example = [[
i, j = tide.unravel_index({ 2, 6 }, { 2, 3 })
i                                       --> [1 2]
j                                       --> [2 3]
]] },
  { "tide.ravel_multi_index(list, shape [, { base=, mode= }])",
    returns = "Array: of int64",
    text = "converts a list of indices for each axis to indices into the flattened array",
    args = { list = "table" },
    example = "tide.ravel_multi_index({ { 1, 2 }, { 2, 3 } }, { 2, 3 })  --> [2 6]" },
},

[[
## Products
]],

{
  returns = "Array",
  { "tide.matmul(a, b [, { accumulate=, out=, tf32= }])", "a:matmul(b)",
    text = [[
      the product of the matrices in the last two axes; the other axes are batch axes and are
      broadcast. A vector is a row on the left and a column on the right, and its axis is not in the
      result]],
    args = {
      accumulate = [["float32" | "float16" = "float32": the accumulator for products of `float16`.
        `"float16"` uses cuBLAS where that is faster; sums above 65504 then become infinite.
        Products of `bfloat16` accumulate in `float32`]],
      tf32 = [[boolean = false: allows TF32 (10 bits of mantissa) for products of `float32` where
        that is faster]]
    },
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ 1, 1 })  --> [3 7]" },
  { "tide.dot(a, b [, { out= }])", "a:dot(b)",
    text = [[
      of two vectors, the inner product; of matrices, as `matmul`; with a 0-d array, as `mul`; else
      the sum of products over the last axis of `a` and the second-to-last of `b`]],
    example = "tide.array{ 1, 2, 3 }:dot(tide.array{ 4, 5, 6 }):item()  --> 32" },
  { "tide.inner(a, b [, { out= }])", "a:inner(b)",
    text = "the sum of products over the last axis of both; a 0-d array multiplies all elements",
    raises = "if these axes differ in length",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:inner(tide.array{ 1, 1 })  --> [3 7]" },
  { "tide.outer(a, b [, { out= }])", "a:outer(b)",
    text = [[
      the outer product: each element of the flattened `a` times each of the flattened `b`, with a
      row for each element of `a`]],
    example = [[
tide.array{ 1, 2 }:outer(tide.array{ 3, 4 })[2]  --> [6 8]
]] },
  { "tide.vecdot(a, b [, axis] [, { axis=, out= }])", "a:vecdot(b [, axis])",
    text = [[
      the sum of products over one axis of both, the last one by default; `a` is conjugated, and the
      other axes are broadcast]],
    raises = "if these axes differ in length",
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a:vecdot(a)                             --> [ 5 25]
a:vecdot(a, 1)                          --> [10 20]
]] },
  { "tide.tensordot(a, b [, n] [, { out= }])", "a:tensordot(b [, n])",
    args = { n = "integer | table = 2: the number of axes, or { axes of a, axes of b }" },
    text = [[
      the sum of products over the last `n` axes of `a` and the first `n` of `b`; or over the axes
      in a table of two, each an axis or a list. The other axes of `a` come first in the result]],
    raises = "if paired axes differ in length",
    example = [[
a, b = tide.ones{ 2, 3, 4 }, tide.ones{ 4, 3, 5 }
a:tensordot(b, 1).shape                 --> {2, 3, 3, 5}
a:tensordot(b, { { 2, 3 }, { 2, 1 } })[1]  --> [12. 12. 12. 12. 12.]
]] },
  { "tide.einsum(text, a, ...)",
    args = { text = "string", ["..."] = "Array | table: one array for each operand; { out= }" },
    text = [[
      evaluates Einstein's summation as NumPy does. The text has a letter for each axis of each
      array, commas between arrays, and the letters of the result after `->`. Axes with the same
      letter are paired; letters that are missing from the result are summed. Without `->` the
      result has the letters that occur once, in alphabetical order. A letter twice in one array
      selects its diagonal; `...` stands for broadcast axes. Three arrays or more are multiplied in
      the cheapest order (of up to 6; beyond that, chosen step by step), which is cached for the
      text and the shapes. The result is a new array of the promoted dtype]],
    raises = [[
      if the text does not match the arrays, or paired axes differ in length (length 1 is
      broadcast)]],
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
tide.einsum("ij,jk->ik", a, a)[1]       --> [ 7 10]
tide.einsum("ii", a):item()             --> 5
tide.einsum("...i,i->...", a, tide.array{ 1, 10 })  --> [21 43]
]] },
  { "tide.kron(a, b [, { out= }])", "a:kron(b)",
    text = "the Kronecker product: blocks of `b` times each element of `a`",
    example = [[
tide.eye(2, "int8"):kron(tide.array({ 1, 2 }, "int8"))[2]  --> [0 0 1 2]
]] },
  { "tide.cross(a, b [, axis] [, { axis=, out= }])", "a:cross(b [, axis])",
    text = [[
      the cross product of 3-vectors along one axis of both, the last one by default; the other axes
      are broadcast]],
    raises = "if that axis does not have 3 elements; for bools",
    example = "tide.array{ 1, 0, 0 }:cross(tide.array{ 0, 1, 0 })  --> [0 0 1]" },
  { "tide.convolve(a, b [, mode] [, { method=, mode=, out= }])", "a:convolve(b [, mode])",
    args = {
      mode = [["full" | "same" | "valid" = "full": the positions to compute]],
      method = [["auto" | "direct" | "fft" = "auto": how to compute the sums]],
    },
    text = [[
      the convolution of two vectors, the sums of `a[i - p] * b[p]`. `"full"`: all positions where
      they overlap; `"same"`: as many as the longer vector has; `"valid"`: where the shorter one
      lies fully inside. It is computed in the common dtype: `"direct"` as the sums, `"fft"` by
      Fourier transforms. `"auto"` takes transforms for floats and complex numbers if the sums have
      at least 2^20 products, and at least `20 * L * log2(L)` for `L = #a + #b - 1`. On a GPU with
      cuFFT it takes them if the shorter vector has `m >= 256` elements and `m` times the number of
      results (2^17 if there are fewer) is at least 2^28. The error of transforms is relative to the
      largest sum, so small sums lose digits, and a NaN or an infinity reaches every element.
      `"direct"` avoids both]],
    raises = [[
      if an argument is not a vector or has no elements, or for method `"fft"` of integers]],
    example = [[
tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 })  --> [1 3 5 3]
tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 }, "valid")  --> [3 5]
]] },
  { "tide.correlate(a, b [, mode] [, { method=, mode=, out= }])", "a:correlate(b [, mode])",
    args = {
      mode = [["full" | "same" | "valid" = "valid": as for `convolve`]],
      method = [["auto" | "direct" | "fft" = "auto": as for `convolve`]],
    },
    text = [[
      the cross-correlation of two vectors, the sums of `a[i + p] * b[p]`, with `b` conjugated]],
    raises = "if an argument is not a vector or has no elements",
    example = "tide.array{ 1, 2, 3 }:correlate(tide.array{ 0, 1 })  --> [2 3]" },
  { "tide.convolve2d(a, b [, mode] [, { method=, mode=, out= }])", "a:convolve2d(b [, mode])",
    args = {
      mode = [["full" | "same" | "valid" = "full": the positions to compute]],
      method = [["auto" | "direct" | "fft" = "auto": as for `convolve`]],
    },
    text = [[
      the convolution of two matrices, as in SciPy: `"same"` has the shape of `a`; outside of `a`
      the elements are 0]],
    raises = "if an argument is not a matrix or has no elements",
    example = [[
tide.ones({ 3, 3 }, "int8"):convolve2d(tide.ones({ 3, 3 }, "int8"), "same")[1]  --> [4 6 4]
]] },
  { "tide.correlate2d(a, b [, mode] [, { method=, mode=, out= }])", "a:correlate2d(b [, mode])",
    args = {
      mode = [["full" | "same" | "valid" = "full": the positions to compute]],
      method = [["auto" | "direct" | "fft" = "auto": as for `convolve`]],
    },
    text = "the cross-correlation of two matrices, with `b` conjugated",
    raises = "if an argument is not a matrix or has no elements",
    example = [[
tide.eye(2):correlate2d(tide.array{ { 1, 2 }, { 3, 4 } }, "valid")[1]  --> [5.]
]] },
  { "tide.lfilter(b, a, x [, { axis=, zi= }])",
    returns = "Array, Array?",
    waits = "if coefficients are in arrays",
    args = {
      b = "number[] | Array | HostArray: the coefficients of the numerator, real numbers",
      a = "number[] | Array | HostArray: those of the denominator; all are divided by its first",
      x = "Array: the signals",
      zi = "Array? = nil: the first states, as many along the axis as the order of the filter",
    },
    text = [[
      sends signals along an axis, the last by default, through a recursive filter, as SciPy's
      signal.lfilter does: the sums of `b[k] * x[i - k + 1]` minus those of `a[k] * y[i - k + 1]`
      for earlier `y`. With `zi` it returns the last states as well, of float64 or complex128, for
      the next part of a signal.
      It computes in float64 or complex128, one element of a signal after the other, in the
      transposed direct form II. A single long recursive signal is slow on a GPU, where each signal
      has one thread. Coefficients in an array have one axis, and the call waits for them. The
      result has the dtype of `x`; of integers and bools the default dtype of floats]],
    raises = [[
      if the first coefficient of `a` is 0; if a coefficient is not a finite real number; while the
      stream captures, if coefficients are in an Array]],
    example = [[
tide.lfilter({ 1 }, { 1, -0.5 }, tide.array{ 1, 0, 0 })  --> [1.   0.5  0.25]
]] },
  { "tide.gaussian_filter(a, sigma [, { cval=, mode=, order=, radius=, truncate= }])",
    returns = "Array",
    args = {
      sigma = "number | number[]: the standard deviation, along all axes or along each",
      cval = "number = 0: the number outside of `a` in mode `constant`",
      mode = [["reflect" | "constant" | "nearest" | "mirror" | "wrap" = "reflect": how `a` continues
        outside, by SciPy's names: `"reflect"` repeats its ends, `"mirror"` does not]],
      order = "integer | integer[] = 0: the derivative of the Gaussian, along all axes or each",
      radius = "integer | integer[] = nil: of the window; by default `truncate * sigma`, rounded",
      truncate = "number = 4: the radius of the window, in standard deviations",
    },
    text = [[
      returns `a` smoothed along each axis by a Gaussian, as SciPy's ndimage does. The result has
      the dtype of `a`; of integers and bools the default dtype of floats. Sums are in that dtype
      (of `float16` and `bfloat16` in `float32`), where SciPy's are in `float64`]],
    example = [[
a = tide.array{ 0., 0, 1, 0, 0 }
tide.gaussian_filter(a, 0.5):round(2)   --> [0.   0.11 0.79 0.11 0.  ]
]] },
  { "tide.median_filter(a, size [, { cval=, mode= }])",
    returns = "Array",
    args = {
      size = "integer | integer[]: the length of the window, along all axes or a list for each",
      cval = "number = 0: as for `gaussian_filter`",
      mode = [["reflect" | "constant" | "nearest" | "mirror" | "wrap" = "reflect": as for
        `gaussian_filter`]],
    },
    text = [[
      returns the median of the window around each element, as SciPy's ndimage does: the upper one
      if the window has an even number of elements. Memory and time grow with the elements of the
      window times those of `a`: 99 x 99 on 200 x 200 takes 2 GB and half a minute on the host
      device]],
    raises = "if `a` is complex, or for windows of more than 16384 elements",
    example = "tide.median_filter(tide.array{ 1, 2, 90, 4, 5 }, 3)  --> [1 2 4 5 5]" },
  { "tide.resize(a, shape [, { antialias=, method= }])",
    returns = "Array",
    args = {
      shape = "integer[]: a size for each axis of `a`, channels and batches included",
      antialias = [[boolean = true: widens the windows along axes that shrink, so that all elements
        count; without effect on `"nearest"`]],
      method = [["nearest" | "linear" | "cubic" | "lanczos3" = "linear": the weights of a window:
        the nearest element alone, a triangle, Keys' cubic with a = -0.5, or Lanczos' kernel of
        radius 3]],
    },
    text = [[
      returns a picture, or another array, with another number of elements along each axis, as
      jax.image.resize does. Elements are cells of equal length, and those of the result cover the
      same length: sampling is at half-pixel centres. Each element of the result is a mean of the
      elements around its centre. Weights outside of `a` are 0, and the others are divided by their
      sum. Axes of unchanged size are left alone. The result has the dtype of `a`; of integers and
      bools the default dtype of floats, except with `"nearest"`, which copies elements. `"cubic"`
      and `"lanczos3"` can exceed the range of the elements]],
    raises = "if an axis without elements should get some",
    example = [[
tide.resize(tide.array{ 1, 2, 3, 4 }, { 8 })  --> [1.   1.25 1.75 2.25 2.75 3.25 3.75 4.  ]
picture = tide.ones({ 480, 640, 3 }, "uint8")
small = tide.resize(picture, { 120, 160, 3 }):round():clip(0, 255):astype "uint8"
small.shape                             --> {120, 160, 3}
]] },
  { "tide.trace(a [, k] [, axes] [, { dtype=, out= }])", "a:trace(k, axes)",
    args = {
      k = "integer = 0",
      axes = "integer[] = {1, 2}",
    },
    text = "the sum along the diagonals that `diagonal` returns",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:trace():item()  --> 5" },
  { "tide.norm(a [, ord] [, axes] [, { ord=, axis=, keepdims=, out= }])", "a:norm(ord, axes)",
    args = {
      ord = 'number | "fro" | "nuc" = nil',
      axes = "axes",
    },
    text = [[
      the norm of vectors along one axis, or of matrices along two axes (rows, columns); along three
      axes or more, the norm of all elements as a vector. Without axes it is the norm of `a`;
      without an order as well, that of all elements as a vector. Orders of vectors: 2 (the default)
      is the root of the sum of squares; `math.huge` and `-math.huge` are the greatest and the least
      absolute value; 0 is the number of elements that are not 0; any other is
      `sum(abs(x) ^ ord) ^ (1 / ord)`. Orders of matrices: `"fro"` (the default) is the root of the
      sum of squares; 1 and -1 are the greatest and the least sum of absolute values of a column,
      `math.huge` and `-math.huge` those of a row; 2 and -2 are the greatest and the least singular
      value, `"nuc"` is their sum. Floats keep their dtype, complex numbers give the
      dtype of their parts, others `float64`]],
    example = [[
tide.array{ 3, 4 }:norm():item()        --> 5.0
tide.array{ { 1, -2 }, { 3, 4 } }:norm(1):item()  --> 6.0
tide.array{ { 1, -2 }, { 3, 4 } }:norm(math.huge, 2)  --> [2. 4.]
]] },
  { "tide.softmax(a [, axis] [, { axis=, out= }])", "a:softmax([axis])",
    text = [[
      `exp(a)` divided by its sum along an axis, the last one by default. It subtracts the greatest
      element first, so it does not overflow. Integers make `float64`]],
    raises = "for complex numbers; for a 0-d array",
    example = "tide.array{ 0., 1000., 1000. }:softmax()  --> [0.  0.5 0.5]" },
  { "tide.logsoftmax(a [, axis] [, { axis=, out= }])", "a:logsoftmax([axis])",
    text = "the logarithm of `softmax`, finite also where `softmax` is 0",
    raises = "for complex numbers; for a 0-d array",
    example = "tide.array{ 0., 1000. }:logsoftmax()  --> [-1000.     0.]" },
},

[[
The dtype is that of `a * b`; integers wrap around. Products of floats use the full precision of
their dtype; only an explicit option allows TF32. Products of 16-bit floats accumulate in `float32`
and are rounded once. On a GPU, large products use cuBLAS, if it is installed and no host function
is waiting to run on the device; it gets a workspace of up to 32 MiB (`TIDE_LIBCUBLAS` names the
library, or is `none`). On the host device, matrices with 17 rows and columns or more use OpenBLAS
or BLIS where one is installed; `TIDE_BLAS` names another library with `cblas_sgemm`, or is `none`.
Tide's own products are summed in one order, whatever the shape and the number of threads.
Multiplying the transpose of a matrix by a vector copies nothing.

## Sorting
]],

{
  returns = "Array",
  { "tide.sort(a [, axis] [, { axis=, out=, descending= }])", "a:sort()",
    text = [[
      returns a sorted copy, along the last axis by default. NaN sorts after all other values]],
    args = { descending = "boolean = false: sorts from the greatest to the least" },
    example = [[
tide.array{ 3, 1, 2 }:sort()            --> [1 2 3]
tide.array{ 3, 1, 2 }:sort{ descending = true } --> [3 2 1]
]] },
  { "tide.argsort(a [, axis] [, { axis=, out=, descending= }])", "a:argsort()",
    text = [[
      returns the indices that sort the array, from 1, as `int64`. The sort is stable, also in
      descending order]],
    args = { descending = "boolean = false" },
    example = "tide.array{ 30, 10, 20 }:argsort()  --> [2 3 1]" },
  { "tide.partition(a, place [, axis] [, { axis=, out= }])", "a:partition(place)",
    text = [[
      returns a copy in which the element at each place, along the last axis by default, is the one
      that sorting puts there. No element before it is greater, and none behind it is less; their
      order is unspecified]],
    args = { place = "integer | integer[]: from 1, negative ones from the end" },
    example = "tide.array{ 3, 9, 5 }:partition(2)[2]  --> 5" },
  { "tide.argpartition(a, place [, axis] [, { axis=, out= }])", "a:argpartition(place)",
    text = "returns the indices, from 1, of the elements of a partition, as `int64`",
    args = { place = "integer | integer[]: as in `partition`" },
    example = "tide.array{ 30, 10, 20 }:argpartition(1)[1]  --> 2" },
},

{
  { "tide.topk(a, k [, axis] [, { axis=, largest= }])", "a:topk(k)",
    text = [[
      returns the `k` greatest elements along an axis, the last one by default, in descending order,
      and their indices, from 1, as `int64`. Equal elements keep their order. NaN counts as the
      greatest]],
    returns = "Array, Array",
    args = { k = "integer", largest = "boolean = true: `false` returns the least elements" },
    example = [[
values, places = tide.array{ 3, 9, 5 }:topk(2)
values                                  --> [9 5]
places                                  --> [2 3]
]] },
  { "tide.lexsort(list [, axis] [, { axis=, out= }])",
    text = [[
      returns the indices that sort by several keys, as `int64`. The keys are arrays of one shape;
      the last one is the primary key, and each earlier one decides among equal elements. Sorts
      along the last axis by default]],
    returns = "Array",
    args = { list = "Array[]" },
    example = "tide.lexsort{ tide.array{ 2, 1, 3 }, tide.array{ 5, 5, 4 } }  --> [3 2 1]" },
  { "tide.unique(a [, { axis=, return_index=, return_inverse=, return_counts=, equal_nan=, " ..
    "size=, fill= }])", "a:unique()",
    text = [[
      returns the unique elements of `a`, sorted, and on request: the index of the first occurrence
      of each, from 1, in the flattened `a`; for each element of `a`, in its shape, the index of its
      value; the number of occurrences of each. With an axis, it compares the slices across that
      axis instead, and sorts them by their first elements, then by their second ones, and so on;
      the indices are those of slices]],
    waits = "if `size` is missing: for the number of elements",
    returns = "Array...: the values, then the requested arrays, in the order of the options",
    args = {
      axis = "integer?: compares slices across this axis",
      return_index = "boolean = false", return_inverse = "boolean = false",
      return_counts = "boolean = false",
      equal_nan = "boolean = true: whether all NaNs are one element",
      size = "integer?: the number of results, whatever `a` has",
      fill = [[element = 0: the value that fills the values up to `size`; the other results are
        filled with 0]],
    },
    example = [[
values, counts = tide.array{ 3, 1, 3 }:unique{ return_counts = true }
values                                  --> [1 3]
counts                                  --> [1 2]
#tide.array{ { 1, 2 }, { 0, 5 }, { 1, 2 } }:unique{ axis = 1 } --> 2
]] },
  { "tide.unique_values(a)", "a:unique_values()",
    text = [[
      returns the unique elements, sorted; here and in the functions below each NaN is unique]],
    waits = "for the number of elements", returns = "Array",
    example = "tide.array{ 3, 1, 3 }:unique_values()  --> [1 3]" },
  { "tide.unique_counts(a)", "a:unique_counts()",
    text = "returns the unique elements and the number of occurrences of each",
    waits = "for the number of elements", returns = "Array, Array",
    example = "select(2, tide.array{ 3, 1, 3 }:unique_counts())  --> [1 2]" },
  { "tide.unique_inverse(a)", "a:unique_inverse()",
    text = "returns the unique elements and, for each element of `a`, the index of its value",
    waits = "for the number of elements", returns = "Array, Array",
    example = "select(2, tide.array{ 3, 1, 3 }:unique_inverse())  --> [2 1 2]" },
  { "tide.unique_all(a)", "a:unique_all()",
    text = [[
      returns the unique elements, the index of the first occurrence of each, the index of the value
      of each element of `a`, and the number of occurrences of each]],
    waits = "for the number of elements", returns = "Array, Array, Array, Array",
    example = [[
values, places = tide.array{ 3, 1, 3 }:unique_all()
places                                  --> [2 1]
]] },
  { "tide.union1d(a, b [, { size=, fill= }])", "a:union1d(b)",
    text = [[
      returns the unique elements of `a` and `b` together, sorted, in their common dtype; here and
      in the functions below, of any shape]],
    waits = "if `size` is missing: for the number of elements", returns = "Array",
    args = {
      a = "operand | table", b = "operand | table",
      size = "integer?: the number of results, whatever the arrays have",
      fill = "element = 0: the value that fills the result up to `size`",
    },
    example = "tide.array{ 3, 1, 3 }:union1d{ 2, 3 }  --> [1 2 3]" },
  { "tide.intersect1d(a, b [, { assume_unique=, return_indices=, size=, fill= }])",
    "a:intersect1d(b)",
    text = [[
      returns the unique elements that are in both `a` and `b`, sorted, in their common dtype, and
      on request: the index of the first occurrence of each, from 1, in the flattened `a` and in the
      flattened `b`. NaN equals nothing]],
    waits = "if `size` is missing: for the number of elements",
    returns = "Array...: the values, then the indices",
    args = {
      a = "operand | table", b = "operand | table",
      assume_unique = "boolean = false: neither array has an element twice, which saves time",
      return_indices = "boolean = false",
      size = "integer?: the number of results, whatever the arrays have",
      fill = "element = 0: the value that fills the values up to `size`; 0 fills the indices",
    },
    example = "tide.array{ 3, 1, 3, 2 }:intersect1d{ 2, 3 }  --> [2 3]" },
  { "tide.setdiff1d(a, b [, { assume_unique=, size=, fill= }])", "a:setdiff1d(b)",
    text = "returns the unique elements of `a` that are not in `b`, sorted",
    waits = "if `size` is missing: for the number of elements", returns = "Array",
    args = {
      a = "operand | table", b = "operand | table",
      assume_unique = "boolean = false: leaves the elements of `a` in their order",
      size = "integer?: the number of results, whatever the arrays have",
      fill = "element = 0: the value that fills the result up to `size`",
    },
    example = "tide.array{ 3, 1, 3, 2 }:setdiff1d{ 2 }  --> [1 3]" },
},

[[
## Counting

A function whose result has an unknown length waits for it, unless you give a `size`. Sums of
weights are the same every time.
]],

{
  { "tide.bincount(a [, weights] [, { base=, minlength=, out=, size= }])", "a:bincount()",
    text = [[
      counts the occurrences of each integer from `base` to the greatest element, as `int64`; with
      weights, sums the weights of its elements, as `float64`]],
    waits = "if there is no `size`: for the greatest element",
    raises = "without `size`, if an element is below `base`",
    returns = "Array",
    args = {
      weights = "Array?: one for each element",
      base = "integer = 1: the integer that the first element of the result counts, from 0 to 2^30",
      minlength = "integer = 0: the least length of the result",
      size = [[integer?: the length of the result, whatever `a` has; greater integers are not
        counted]],
    },
    example = [[
tide.array{ 1, 3, 1 }:bincount()        --> [2 0 1]
tide.array{ 0, 2, 0 }:bincount{ base = 0 } --> [2 0 1]
]] },
  { "tide.group(keys [, values, functions [, { ddof= }]])",
    text = [[
      computes functions of the values of each group, where a group is the elements with equal keys.
      Returns the unique keys, sorted, and a table with an array for each function. Keys are a 1-d
      array, or a list of such arrays: then the keys of a group are equal in all of them, and the
      keys are returned as a list. All NaNs are one key]],
    waits = "for the number of groups",
    returns = "Array | table, table",
    args = {
      keys = "Array | table: the keys, or a list of arrays of keys",
      values = "Array?: with as many elements as there are keys, along the first axis",
      functions = [[string[] = nil: `all any count first last max mean median min std sum var`.
        `first` and `last` are by index; `count` includes NaNs, and the others propagate them. They
        must be given with `values`; without both the function is `count`]],
      ddof = "number = 0: delta degrees of freedom of `std` and `var`",
    },
    example = [[
keys, out = tide.group(tide.array{ 3, 1, 3 }, tide.array{ 4, 5, 8 }, { "mean", "max" })
keys                                    --> [1 3]
out.mean                                --> [5. 6.]
out.max                                 --> [5 8]
]] },
  { "tide.histogram(a [, bins] [, { density=, range=, weights= }])", "a:histogram()",
    text = [[
      counts the elements in each bin, as `int64`, or sums their weights, in the dtype of the
      weights; returns the counts and the bin edges. Bins are half-open; the last one includes its
      right edge]],
    returns = "Array, Array",
    args = {
      bins = [[integer | number[] | Array = 10: the number of bins of equal width, or sorted bin
        edges]],
      range = [[number[] = nil: the left edge of the first bin and the right edge of the last one;
        by default the least and the greatest element]],
      weights = "Array?: one for each element",
      density = "boolean = false: divides each count by the bin width and by the sum of all",
    },
    example = [[
counts, edges = tide.array{ 1, 2, 2, 5 }:histogram(2)
counts                                  --> [3 1]
edges                                   --> [1. 3. 5.]
]] },
  { "tide.histogram2d(a, b [, bins] [, { density=, range=, weights= }])", "a:histogram2d(b)",
    text = [[
      counts the points with coordinates (`a`, `b`) in each cell of a grid, with a row for each bin
      of `a`; returns the counts and the bin edges of both]],
    returns = "Array, Array, Array",
    args = {
      bins = "integer | table | Array = 10: as in `histogram`, or a list of two",
      range = "table = nil: a list of two ranges",
      weights = "Array?: one for each point",
      density = "boolean = false: divides each count by the area of its cell and by the sum of all",
    },
    example = [[
counts = tide.array{ 1, 1, 2 }:histogram2d(tide.array{ 5, 6, 6 }, 2)
counts[1]                               --> [1 1]
]] },
  { "tide.digitize(a, edges [, { descending=, out=, right= }])", "a:digitize(edges)",
    text = [[
      returns the index of the bin of each element, from 1, as `int64`: the index of the last edge
      that is not above the element. 0 means below all edges]],
    returns = "Array",
    args = {
      edges = "number[] | Array: sorted",
      descending = "boolean = false: whether the edges are in descending order",
      right = "boolean = false: bins include their right edge instead of the left one",
    },
    example = "tide.array{ 0.5, 2, 9 }:digitize{ 1, 2, 3 }  --> [0 2 3]" },
  { "tide.searchsorted(a, v [, { out=, side=, sorter= }])", "a:searchsorted(v)",
    text = [[
      returns, for each element of `v`, the index, from 1, before which inserting it keeps `a`
      sorted, as `int64`; `a` is sorted and 1-d]],
    returns = "Array",
    args = {
      v = "operand | table: of any shape",
      side = [["left" | "right" = "left": before equal elements, or behind them]],
      sorter = "Array?: `a:argsort()`, if `a` itself is not sorted",
    },
    example = [[
tide.array{ 10, 20, 20, 30 }:searchsorted{ 20, 99 } --> [2 5]
tide.array{ 10, 20, 20, 30 }:searchsorted({ 20, 99 }, { side = "right" }) --> [4 5]
]] },
  { "tide.isin(a, values [, { invert=, out= }])", "a:isin(values)",
    text = [[
      tells for each element of `a` whether it is equal to one of `values`, as `bool`; a number is
      compared as by `eq`. NaN equals nothing]],
    returns = "Array",
    args = {
      values = "operand | table: of any shape",
      invert = "boolean = false: inverts the result",
    },
    example = [[
tide.array{ 1, 2, 3 }:isin{ 3, 1 }      --> [ true false true]
tide.array{ 1, 2, 3 }:isin({ 3, 1 }, { invert = true })  --> [false  true false]
]] },
  { "tide.interp(a, xs, ys [, { left=, out=, period=, right= }])", "a:interp(xs, ys)",
    text = [[
      linear interpolation at each element, through the points (`xs`, `ys`), as `float64`; outside
      of the points, the value of the nearest point]],
    returns = "Array",
    args = {
      xs = "number[] | Array: the x coordinates, sorted",
      ys = "number[] | Array: the y coordinates, one for each of `xs`",
      left = "number?: the value before the first point",
      right = "number?: the value behind the last point",
      period = "number?: the period of the x coordinates; the points need not be sorted then",
    },
    example = "tide.array{ 1.5, 9 }:interp({ 1, 2 }, { 10, 30 })  --> [20. 30.]" },
},

[[
## Cumulative functions
]],

{
  { "tide.cumsum(a [, axis] [, { axis=, out=, dtype=, include_initial= }])", "a:cumsum()",
    args = {
      dtype = "dtype?: the dtype of the result; elements are converted to it first",
      include_initial = "boolean = false: whether the result starts with 0",
    },
    text = [[
      the cumulative sum along an axis; without one, of the flattened array. dtypes are those of
      `sum`; floats are added in `float64`. The result is the same every time]],
    returns = "Array",
    example = [[
tide.array{ 1, 2, 3 }:cumsum()          --> [1 3 6]
tide.array{ 1, 2, 3 }:cumsum{ include_initial = true } --> [0 1 3 6]
]] },
  { "tide.cumprod(a [, axis] [, { axis=, out=, dtype=, include_initial= }])", "a:cumprod()",
    args = {
      dtype = "dtype?: the dtype of the result; elements are converted to it first",
      include_initial = "boolean = false: whether the result starts with 1",
    },
    returns = "Array",
    example = "tide.array{ 1, 2, 3 }:cumprod()  --> [1 2 6]",
    text = [[
      the cumulative product, likewise. Products of parts are multiplied in the end: where such a
      product leaves the range of its dtype, results behind it are infinite, NaN or 0, even if the
      whole product is not]] },
  { "tide.cummax(a [, axis] [, { axis=, out= }])", "a:cummax()",
    returns = "Array",
    example = "tide.array{ 1, 3, 2 }:cummax()  --> [1 3 3]",
    text = [[
      the cumulative maximum, of the dtype of `a`. From the first NaN on, the result is NaN]] },
  { "tide.cummin(a [, axis] [, { axis=, out= }])", "a:cummin()",
    returns = "Array",
    example = "tide.array{ 2, 3, 1 }:cummin()  --> [2 2 1]",
    text = "the cumulative minimum, likewise" },
  { "tide.diff(a [, n] [, axis] [, { axis=, out=, prepend=, append= }])", "a:diff()",
    returns = "Array",
    args = {
      n = "integer = 1: how many times to apply it",
      prepend = "operand?: an array or a number to put before the elements along the axis",
      append = "operand?: an array or a number to put behind them",
    },
    text = [[
      the difference of each element and the one before it, along the last axis by default; for
      bools, whether they differ]],
    example = [[
tide.array{ 1, 4, 9 }:diff()            --> [3 5]
tide.array{ 1, 4, 9 }:diff{ prepend = 0 } --> [1 3 5]
]] },
  { "tide.trapezoid(a [, x] [, { axis=, dx=, out= }])", "a:trapezoid()",
    returns = "Array",
    args = {
      x = "Array?: the sample points",
      dx = "number = 1: the spacing of the sample points, without `x`",
      axis = "integer = -1: from 1, negative ones from the end",
    },
    text = "integrates by the trapezoidal rule",
    example = "tide.array{ 1, 2, 3 }:trapezoid():item()  --> 4.0" },
  { "tide.gradient(a [, spacing] [, { axis=, edge_order= }])", "a:gradient()",
    returns = "Array...: one for each axis",
    args = {
      spacing = [[number | Array | table = 1: the distance of neighbours, or their coordinates, with
        one axis; a list has one of these for each axis]],
      axis = "axes = nil: by default all axes, in order",
      edge_order = "integer = 1: 2 computes the ends from three elements instead of two",
    },
    text = [[
      the slope at each element along each axis, as several results: from both neighbours, at the
      ends from one. Floats and complex numbers keep their dtype, others make `float64`]],
    raises = "for an array without axes, and for an axis of fewer than `edge_order + 1` elements",
    example = [[
tide.array{ 1, 4, 9, 16 }:gradient()    --> [3. 4. 6. 7.]
tide.array{ 1, 4, 9 }:gradient(tide.array{ 0, 1, 3 }) --> [3.         2.83333333 2.5       ]
]] },
  { "tide.polyval(a, x [, { out= }])", "a:polyval(x)",
    returns = "Array",
    args = {
      a = "Array | number[]: the coefficients, that of the highest power first",
      x = "operand | table: the points",
    },
    text = [[
      the value of a polynomial at each point, in the common dtype; numbers and tables do not widen
      an array of floats]],
    example = "tide.polyval({ 3, 0, 1 }, tide.array{ 1, 2 })  --> [ 4 13]" },
  { "tide.polyfit(x, y, degree [, { rcond=, w= }])",
    returns = "Array",
    args = {
      x = "Array: a vector of points",
      y = "Array: a value for each point, or a row of values for several polynomials",
      degree = "integer: from 0 on",
      rcond = [[number? = nil: singular values that are smaller than this share of the largest one
        count as 0; by default the rounding error for so many points]],
      w = "Array? = nil: a weight for each point, 1 / sigma for errors with deviation sigma",
    },
    text = [[
      returns the coefficients of the polynomial of this degree that is closest to the points by
      least squares, that of the highest power first, as float64 or complex128]],
    raises = "if there are no points",
    example = [[
x = tide.array{ 0, 1, 2, 3 }
c = tide.polyfit(x, x * x + 2, 2)
tide.allclose(c, tide.array{ 1, 0, 2 }, 0, 1e-9)  --> true
]] },
},

[[
## Reductions

Each is called as `a:sum([axis | {axes}] [, options])`. It reduces one axis, several, or by default
all of them, which gives a 0-d array. Options: `axis`, in place of the argument; `out`; `keepdims`,
which keeps reduced axes with length 1; `dtype`, for `sum prod mean var std`. Results are the same
every time.
]],

{
  also = "[, axis] [, { axis=, out=, keepdims= }]",
  returns = "Array",
  args = { axis = "axes = nil", dtype = "dtype?" },
  { "tide.sum(a)", "a:sum()",
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a:sum():item()                          --> 10
a:sum(1)                                --> [4 6]
a:sum{ axis = 2, keepdims = true }.shape --> {2, 1}
]],
    text = [[
      the sum. The dtype is `int64` for bools and signed integers, `uint64` for unsigned integers,
      else that of `a`; floats are added in `float64`]],
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]" },
  { "tide.prod(a)", "a:prod()",
    example = "tide.array{ 2, 3, 4 }:prod():item()  --> 24",
    text = [[
      the product, with the dtypes of `sum`. Products of parts are multiplied in the end, as for
      `cumprod`]],
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]" },
  { "tide.mean(a)", "a:mean()",
    example = "tide.array{ 1, 2 }:mean():item()  --> 1.5",
    text = [[
      the mean, in the dtype of floats and complex numbers, else in `float64`; NaN without
      elements]],
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]" },
  { "tide.var(a)", "a:var()",
    example = "tide.array{ 1, 2, 3, 4 }:var():item()  --> 1.25",
    text = "the variance: the mean of the squared deviations from the mean",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype=, ddof= }]",
    args = {
      ddof = [[integer = 0: delta degrees of freedom: the divisor is the number of elements minus
        `ddof`]],
    } },
  { "tide.std(a)", "a:std()",
    example = "tide.array{ 1, 3 }:std():item()  --> 1.0",
    text = "the standard deviation: the root of the variance",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype=, ddof= }]",
    args = {
      ddof = "integer = 0",
    } },
  { "tide.min(a)", "a:min()",
    example = "tide.array{ 3, 1, 2 }:min():item()  --> 1",
    text = "the minimum; propagates NaN",
    raises = "without elements" },
  { "tide.max(a)", "a:max()",
    example = "tide.array{ 3, 1, 2 }:max():item()  --> 3",
    text = "the maximum; propagates NaN",
    raises = "without elements" },
  { "tide.argmin(a)", "a:argmin()",
    text = [[
      the index of the minimum, from 1, as `int64`; of equal elements the first. Along one axis, or
      in the flattened `a`. NaN counts as the minimum]],
    example = "tide.array{ 3, 1, 2 }:argmin():item()  --> 2" },
  { "tide.argmax(a)", "a:argmax()",
    text = "the index of the maximum, likewise",
    example = "tide.array{ 3, 1, 2 }:argmax():item()  --> 1" },
  { "tide.any(a)", "a:any()",
    example = "tide.array{ 0, 1 }:any():item()  --> true",
    text = "tells whether any element is not 0, as `bool`" },
  { "tide.all(a)", "a:all()",
    example = "tide.array{ 0, 1 }:all():item()  --> false",
    text = "tells whether no element is 0, as `bool`" },
  { "tide.count_nonzero(a)", "a:count_nonzero()",
    example = "tide.array{ 0, 1, 2 }:count_nonzero():item()  --> 2",
    text = "the number of elements that are not 0, as `int64`" },
  { "tide.median(a)", "a:median()",
    example = "tide.array{ 3, 1, 2, 9 }:median():item()  --> 2.5",
    text = [[
      the median: the middle element, or the mean of the two middle elements, in the dtype of
      floats, else in `float64`. NaN if any element is NaN, or without elements]] },
  { "tide.quantile(a, q [, axis] [, { axis=, keepdims=, method=, out= }])", "a:quantile(q)",
    also = "",
    args = {
      q = "number | number[] | Array: from 0 to 1; a list adds a first axis to the result",
      method = [["linear" | "lower" | "higher" | "midpoint" | "nearest" | "hazen" | "weibull" | ]]
        .. [["median_unbiased" | "normal_unbiased" | "inverted_cdf" | "averaged_inverted_cdf" | ]]
        .. [["interpolated_inverted_cdf" | "closest_observation" = "linear": the interpolation ]]
        .. [[between elements, as in NumPy]],
    },
    text = [[
      the value below which a fraction `q` of the elements lies, along an axis, several, or all of
      them. The dtype is that of floats, else `float64`; methods that select an element keep the
      dtype of `a`. NaN if any element is NaN]],
    waits = "if `q` is an array",
    raises = "without elements, if the dtype of the result has no NaN",
    example = [[
a = tide.array{ 4, 1, 3, 2 }
a:quantile(0.5):item()                  --> 2.5
a:quantile({ 0, 1 }, { method = "lower" }) --> [1 4]
]] },
  { "tide.percentile(a, q [, axis] [, { axis=, keepdims=, method=, out= }])",
    "a:percentile(q)",
    also = "",
    args = { q = "number | number[] | Array: from 0 to 100", method = 'string = "linear"' },
    text = "as `quantile`, with `q` in percent",
    waits = "if `q` is an array",
    raises = "without elements, if the dtype of the result has no NaN",
    example = "tide.array{ 4, 1, 3, 2 }:percentile(100):item()  --> 4.0" },
  { "tide.nanquantile(a, q [, axis] [, { axis=, keepdims=, method=, out= }])",
    "a:nanquantile(q)",
    also = "",
    args = { q = "number | number[] | Array: from 0 to 1", method = 'string = "linear"' },
    text = "`quantile` without the NaNs; NaN if nothing else is left",
    waits = "if `q` is an array",
    raises = "without elements, if the dtype of the result has no NaN",
    example = "tide.array{ 4, 0/0, 3, 2 }:nanquantile(0.5):item()  --> 3.0" },
  { "tide.nanpercentile(a, q [, axis] [, { axis=, keepdims=, method=, out= }])",
    "a:nanpercentile(q)",
    also = "",
    args = { q = "number | number[] | Array: from 0 to 100", method = 'string = "linear"' },
    text = "as `nanquantile`, with `q` in percent",
    waits = "if `q` is an array",
    raises = "without elements, if the dtype of the result has no NaN",
    example = "tide.array{ 4, 0/0, 3, 2 }:nanpercentile(100):item()  --> 4.0" },
  { "tide.logsumexp(a)", "a:logsumexp()",
    example = "tide.array{ 1000, 1000 }:logsumexp():item()  --> 1000.6931471806",
    text = [[
      the logarithm of the sum of `exp(a)`, without overflow; -inf without elements. Integers make
      `float64`]],
    raises = "for complex numbers" },
  { "tide.ptp(a)", "a:ptp()",
    example = "tide.array{ 3, 1, 2 }:ptp():item()  --> 2",
    text = "the range: the maximum minus the minimum",
    raises = "without elements" },
  { "tide.average(a)", "a:average()",
    example = "tide.array{ 1, 3 }:average{ weights = tide.array{ 3, 1 } }:item()  --> 1.5",
    text = "the weighted mean; NaN if the weights sum to 0",
    also = "[, axis] [, { axis=, out=, keepdims=, weights= }]",
    args = {
      weights = "Array?: of the shape of `a`, or one for each position along the one reduced axis",
    } },
  { "tide.nansum(a)", "a:nansum()",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]",
    example = "tide.array{ 1, 0/0, 2 }:nansum():item()  --> 3.0",
    text = "`sum` without the NaNs; 0 if nothing else is left" },
  { "tide.nanprod(a)", "a:nanprod()",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]",
    example = "tide.array{ 3, 0/0, 2 }:nanprod():item()  --> 6.0",
    text = "`prod` without the NaNs; 1 if nothing else is left" },
  { "tide.nanmean(a)", "a:nanmean()",
    example = "tide.array{ 1, 0/0, 2 }:nanmean():item()  --> 1.5",
    text = "`mean` without the NaNs; here and below, NaN if nothing else is left" },
  { "tide.nanvar(a)", "a:nanvar()",
    also = "[, axis] [, { axis=, out=, keepdims=, ddof= }]",
    args = { ddof = "integer = 0" },
    example = "tide.array{ 1, 0/0, 3 }:nanvar():item()  --> 1.0",
    text = "`var` without the NaNs" },
  { "tide.nanstd(a)", "a:nanstd()",
    also = "[, axis] [, { axis=, out=, keepdims=, ddof= }]",
    args = { ddof = "integer = 0" },
    example = "tide.array{ 1, 0/0, 3 }:nanstd():item()  --> 1.0",
    text = "`std` without the NaNs" },
  { "tide.nanmin(a)", "a:nanmin()",
    raises = "without elements",
    example = "tide.array{ 1, 0/0, 3 }:nanmin():item()  --> 1.0",
    text = "`min` without the NaNs" },
  { "tide.nanmax(a)", "a:nanmax()",
    raises = "without elements",
    example = "tide.array{ 1, 0/0, 3 }:nanmax():item()  --> 3.0",
    text = "`max` without the NaNs" },
  { "tide.nanargmin(a)", "a:nanargmin()",
    raises = "without elements",
    example = "tide.array{ 0/0, 3, 1 }:nanargmin():item()  --> 3",
    text = "`argmin` without the NaNs; the first index if all are NaN" },
  { "tide.nanargmax(a)", "a:nanargmax()",
    raises = "without elements",
    example = "tide.array{ 0/0, 3, 1 }:nanargmax():item()  --> 2",
    text = "`argmax` without the NaNs; the first index if all are NaN" },
  { "tide.nanmedian(a)", "a:nanmedian()",
    example = "tide.array{ 0/0, 3, 1 }:nanmedian():item()  --> 2.0",
    text = "`median` without the NaNs" },
  { "tide.cov(a [, y] [, { rowvar=, bias=, ddof=, fweights=, aweights=, dtype=, out= }])",
    "a:cov()",
    also = "",
    args = {
      a = "Array: of at most two axes", y = "Array?: additional variables",
      rowvar = "boolean = true: each row is a variable, else each column",
      bias = "boolean = false: divides by the number of observations instead of by one less",
      ddof = "integer?: delta degrees of freedom; overrides `bias`",
      fweights = "Array?: frequency weights: how often each observation occurred",
      aweights = "Array?: the weight of each observation",
    },
    text = [[
      the covariance matrix of variables (rows) over observations (columns), in `float64` or
      `dtype`]],
    example = [[
a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
a:cov()[1]                              --> [ 1. -1.]
]] },
  { "tide.corrcoef(a [, y] [, { rowvar=, dtype=, out= }])", "a:corrcoef()",
    also = "",
    args = { a = "Array: of at most two axes", y = "Array?: additional variables",
             rowvar = "boolean = true: each row is a variable" },
    text = [[
      the correlation coefficients, from -1 to 1: covariances divided by both standard deviations]],
    example = [[
a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
a:corrcoef()[2]                         --> [-1.  1.]
]] },
},

[[
```lua
local tide = require "tide"

local x = tide.array({ { 1, 2, 3 }, { 4, 5, 9 } }, "float32")
local y = (x - x:mean(2, { keepdims = true })) / x:std(2, { keepdims = true })
print(x:sum(1)[3], x:max{ 1, 2 }:item(), x:argmax(2)[2])  --> 12.0	9.0	3
print(y.shape[1], y.shape[2])                             --> 2	3
```

## Numbers

The rules are NumPy 2's.

- **Two arrays** are promoted to the smallest dtype that represents all numbers of both, or to
  `float64`: `int8` and `uint8` make `int16`, `int32` and `float32` make `float64`, and so do
  `int64` and `uint64`. bool is the lowest. Comparisons of signed integers with `uint64` are exact,
  without `float64`.
- **A number or boolean of Lua** never widens an array of its kind (boolean, integer, float) or of a
  higher one. A float turns an array of integers or bools into the default dtype; an integer turns
  an array of bools into `int64`. An integer that the array's dtype cannot represent raises, except
  in comparisons: `tide.zeros(3, "uint8"):lt(300)` is true everywhere.
- `/` makes `float64` of integers; `//` rounds down, `%` has the sign of the divisor. Integers wrap
  around. `maximum`, `minimum`, `max` and `min` propagate NaN.
- **float16 and bfloat16** are computed in `float32` and rounded once for each operation, to
  nearest, ties to even. Sums accumulate in `float64`, those of `matmul` in `float32`; the products
  in `matmul` and `dot` are `float32`. Less common operations on them (`//`, `%`, `^`, most
  functions) take three launches instead of one. NumPy has no bfloat16; here it follows the rule of
  float16. With `int8` and `uint8`, whose numbers it represents, it stays bfloat16; with 16-bit
  integers and `float16` it makes `float32`, with larger integers `float64`.
- **complex64 and complex128** have `+ - * / ^`, `eq`, `ne`, `neg`, `abs`, `square`, `sqrt`, `exp`,
  `log`, `sin`, `cos`, `conj`, `real`, `imag`, `isnan`, `logical_not`, `sum`, `prod`, `mean`, `any`,
  `all`, `count_nonzero`, `matmul` and `dot`. `matmul` and `dot` do not conjugate. Functions that
  need an order raise. `complex64` is computed in `float32`, its functions and sums in `complex128`.
  A cast to a real dtype drops the imaginary part. Elements are [Complex](complex.md).
- **uint64**: Lua has no unsigned integers, so an element is the Lua integer with the same 64 bits,
  as for `math.ult` and for `%u` in C. An element above `math.maxinteger` reads as a negative
  number, and a negative number is written as such an element. `tostring` shows them unsigned.
  Floats from 0 up to 2^64 can be written too. The rule holds for numbers beside an array of
  `uint64`, in every function, and in `arange` and `linspace`: the integer -1 is 2^64 - 1, and the
  float -1.0 is negative. NumPy raises an `OverflowError` for the integer. The edges of `digitize`
  and `histogram` and the points of `interp` may be negative. So may the stop of an `arange` that
  counts down from 0 or more: `tide.arange(2, -1, -1, "uint64")` is 2, 1, 0.

## Notes

- The result of an operation is row-major, whatever its operands are. Views with other strides are
  slower to read, so copy a view that you read often with `:copy()`.
- Comparisons are methods, because Lua turns the result of `<` into a boolean; `if` takes [any array
  for true](#operations).
- [Memory](memory.md) says when memory is freed and how to limit it.
- A view keeps the memory of its array. Two streams may use disjoint views at the same time.
- Blocking reads (`item`, `totable`, `tobytes`, `a[i]` of a number, `pairs` of a 1-d array,
  `tohost`, `allclose`, `array_equal`) raise in a capture.

## Differences from NumPy

[docs/numpy.md](../numpy.md) lists all known differences; otherwise results are those of NumPy 2.
]],

}
