return {

classes = { Array = "numbers on a device, n-dimensional" },

args = {
  n = "integer", indices = "integer | integer[] | Array", lo = "operand?", hi = "operand?",
  keepdims = "boolean = false: axes stay, with one element", key = "key", i = "integer",
  value = "element",
  base = "integer = 1: what the first index is: 0 where data come from elsewhere",
  mode = [[
    "clip" | "wrap" = nil: `"clip"`: an index out of range means the nearest element; `"wrap"`:
    the indices go round, 0 being before the first]],
  size = "integer = nil: as many as there shall be, so that nothing waits; also in captures",
},


[[
# Array

Numbers on a device: n-dimensional, of one dtype, of any strides.

## Purpose

An Array is a view of a block of device memory. Operations are queued on the current stream of the
array's device and return at once; whatever stream they run on, each comes after the operations
that it depends on.

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

Shapes are a number or a table of numbers; the dtype comes last and is optional. Every function
raises if the shape is negative or too large, the dtype unknown, or memory short (with figures).

A table is a list or has names, never both, here and in every call: `tide.zeros{3, dtype = "int8"}`
and `a:sum{2, keepdims = true}` raise, and say which name it is. Options are in a table of their
own: `a:sum(2, { keepdims = true })`, or `a:sum{ axis = 2, keepdims = true }`. The `n` of
`table.pack` may be there.
]],

{
  returns = "Array",
  { "tide.array(x [, dtype])",
    text = [[
      from a nested table, a number or a boolean, on the current device; or of a HostArray or
      an Array (copied), on its own. Integers make `int64`, other numbers the default dtype,
      booleans `bool`. An array of no axes may stand for a number, and counts with its dtype:
      `tide.array{ a:sum(), a:max() }`. Ragged tables raise]],
    waits = "if an array stands for a number",
    args = {
      x = "nested | element | Array | HostArray",
    },
    example = [[
a = tide.array({ { 1, 2 }, { 3, 4 } }, "float32")
a.shape                                 --> {2, 2}
a[2]                                    --> [3. 4.]
]] },
  { "tide.asarray(x [, dtype])",
    text = "the same, but an Array of that dtype is returned itself",
    waits = "if an array stands for a number",
    args = {
      x = "nested | element | Array | HostArray",
    },
    example = [[
a = tide.ones(3)
tide.asarray(a) == a                    --> true
]] },
  { "tide.empty(shape [, dtype])",
    text = "of the default dtype; the elements are whatever was there",
    example = [[tide.empty({ 2, 3 }, "int8").shape  --> {2, 3}]] },
  { "tide.zeros(shape [, dtype])",
    text = "all 0",
    example = "tide.zeros(3)  --> [0. 0. 0.]" },
  { "tide.ones(shape [, dtype])",
    text = "all 1",
    example = [=[tide.ones(3, "int32")  --> [1 1 1]]=] },
  { "tide.full(shape, value [, dtype])",
    text = "all `value`; its dtype by default",
    example = "tide.full(3, 2.5)  --> [2.5 2.5 2.5]" },
  { "tide.arange([start,] stop [, step] [, dtype])",
    text = [[
      from `start` (0) by `step` (1) up to, not including, `stop`; `int64` if all of these are
      integers, else the default dtype]],
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
      `n` numbers (50) evenly from `start` to `stop`, which is one of them unless
      `endpoint=false`; rounded down for integers. Complex ends give points of the line between
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
  { "tide.eye(n [, m] [, k] [, dtype])",
    text = [[
      `n` rows, `m` (`n`) columns: 1 where the column is the row + `k` (0), which may lie
      outside, else 0]],
    args = {
      m = "integer = n",
      k = "integer = 0",
    },
    example = "tide.eye(2)[2]  --> [0. 1.]" },
  { "tide.empty_like(a [, dtype])",
    text = "shape and dtype of `a`; whatever was there",
    example = "tide.empty_like(tide.ones(3)).shape  --> {3}" },
  { "tide.zeros_like(a [, dtype])",
    example = "tide.zeros_like(tide.ones(3))  --> [0. 0. 0.]",
    text = "all 0" },
  { "tide.ones_like(a [, dtype])",
    example = [=[tide.ones_like(tide.zeros(3), "int8")  --> [1 1 1]]=],
    text = "all 1" },
  { "tide.full_like(a, value [, dtype])",
    example = "tide.full_like(tide.zeros(3), 7)  --> [7. 7. 7.]",
    text = "all `value`" },
  { "tide.frombytes(str, dtype [, shape])",
    text = "elements from a string, in the machine's byte order; 1-d by default",
    args = {
      str = "string",
    },
    example = [=[tide.frombytes("abc", "uint8")  --> [97 98 99]]=] },
},

{
  { "tide.get_default_dtype()",
    text = [[the default dtype, that of floats: `"float64"` unless it was set]],
    returns = "dtype",
    example = "tide.get_default_dtype()  --> float64" },
  { "tide.set_default_dtype(dtype)",
    text = "sets it, for this `lua_State`, to a dtype of floats; returns the one before",
    returns = "dtype",
    example = [[
before = tide.set_default_dtype "float32"
tide.zeros(1).dtype                     --> float32
tide.set_default_dtype(before)
]] },
  { "tide.result_type(operand, ...)",
    text = [[
      the dtype that operands have in common: arrays, names of dtypes, and numbers, which never
      widen what is of their kind]],
    returns = "dtype",
    args = {
      operand = "Array | HostArray | dtype | number | boolean",
    },
    example = [[tide.result_type("int8", "uint8", 2.5)  --> float64]] },
  { "tide.can_cast(from, to [, casting])",
    text = [[
      whether it is a cast of that kind: `"safe"` if `to` has all numbers of `from`,
      `"same_kind"` if it also is one of floats to floats, say; `"no"` and `"equiv"` if they are
      the same, `"unsafe"` always]],
    returns = "boolean",
    args = {
      from = "dtype | Array | HostArray",
      to = "dtype | Array | HostArray",
      casting = [["no" | "equiv" | "safe" | "same_kind" | "unsafe" = "safe"]],
    },
    example = [[tide.can_cast("int32", "float32")       --> false]] },
  { "tide.finfo(dtype)",
    text = [[
      a table of what floats there are, as NumPy names it: `bits eps epsneg max min tiny
      smallest_normal smallest_subnormal resolution precision nmant nexp iexp machep negep minexp
      maxexp`, and `dtype`; of complex numbers, of their parts]],
    returns = "table",
    args = { dtype = "dtype | Array | HostArray" },
    raises = "of a dtype that has no floats",
    example = [[tide.finfo "float16".max                --> 65504.0]] },
  { "tide.iinfo(dtype)",
    text = [[
      a table of which integers there are: `bits min max`, and `dtype`. The greatest of `uint64`
      is -1, which has the same 64 bits, as its elements are in Lua]],
    returns = "table",
    args = { dtype = "dtype | Array | HostArray" },
    raises = "of a dtype that has no integers",
    example = [[tide.iinfo "int8".min                   --> -128]] },
},

[[
## Fields
]],

{
  columns = "type",
  { "a.shape",
    text = "lengths of the axes",
    type = "integer[]: table",
    example = "tide.ones{ 2, 3 }.shape  --> {2, 3}" },
  { "a.strides",
    text = "in elements; 0 where `a` is broadcast, negative where it is in reverse",
    type = "integer[]: table",
    example = "tide.ones{ 2, 3 }.strides  --> {3, 1}" },
  { "a.T",
    text = "a view with the axes in reverse",
    type = "Array",
    example = "tide.ones{ 2, 3 }.T.shape  --> {3, 2}" },
  { "a.mT",
    text = "a view with the last two axes in each other's place: its matrices, transposed",
    type = "Array",
    example = "tide.ones{ 4, 2, 3 }.mT.shape  --> {4, 3, 2}" },
  { "a.ndim",
    text = "number of axes",
    type = "integer",
    example = "tide.ones{ 2, 3 }.ndim  --> 2" },
  { "a.size",
    text = "number of elements",
    type = "integer",
    example = "tide.ones{ 2, 3 }.size  --> 6" },
  { "a.dtype",
    type = "dtype: string",
    example = "tide.ones(3).dtype  --> float64" },
  { "a.nbytes",
    text = "bytes of all elements: `size` times those of one",
    type = "integer",
    example = "tide.ones(3).nbytes  --> 24" },
  { "a.device",
    type = "Device",
    example = "tide.ones(3).device  --> host:0" },
  { "a.ptr",
    text = [[
      the address on the device; 0 without elements. Does not wait: work on the array may be
      under way]],
    type = "integer",
    example = "tide.ones(3).ptr ~= 0  --> true" },
  { "#a",
    type = "integer",
    text = "the length of the first axis",
    example = "#tide.ones{ 2, 3 }  --> 2" },
},

[[
`a.shape` and `a.strides` print as what they are: `{2, 3}`.

## Indexing

From 1, negative from the end, ranges inclusive. A key is an integer, or a table with one component
for each of the first axes: an integer, which drops the axis, or a range `{first, last, step}`, of
which nothing must be given; `{}` is the whole axis. Axes without a component stay whole. A negative
step goes back, by default from the end to the start.
]],

{
  { "a[i]",
    text = "a number of a 1-d array, else a view of that row",
    returns = "element | Array",
    waits = "for the number",
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a[2]                                    --> [3 4]
a[2][1]                                 --> 3
]] },
  { "a[{ i, j }]",
    text = "a number of a 2-d array, and so on",
    returns = "element | Array",
    waits = "for the number",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }[{ 2, 1 }]  --> 3" },
  { "a[{ {1, 10}, 3 }]", "a[{ {}, {1, -1, 2} }]", "a[{ {nil, nil, -1} }]",
    text = "views",
    returns = "Array",
    example = [[
a = tide.arange(10)
a[{ { 2, 4 } }]                         --> [1 2 3]
a[{ { nil, nil, -3 } }]                 --> [9 6 3 0]
]] },
  { "a[index]", "a[mask]",
    text = [[
      a new array: of an array of integers the rows at those indices, `a:take(index, 1)`; of a bool
      array the elements where it is true, `a:mask(mask)`, for whose number it waits]],
    returns = "Array",
    args = { index = "Array", mask = "Array" },
    waits = "for a mask",
    example = [[
a = tide.array{ 5, -6, 7 }
a[tide.array{ -1, 1 }]                  --> [7 5]
a[a:gt(0)]                              --> [5 7]
]] },
  { "a[key] = x",
    text = "writes a number, a table or an array, which is broadcast to that part",
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
      `a:put(index, x, 1)`, `a:put(mask, x)`: writes to the rows at those indices, of which equal
      ones get the last value; or to where the mask is true, in order. Neither waits]],
    args = { index = "Array", mask = "Array", x = "element | table | Array" },
    example = [[
a = tide.array{ 5, -6, 7 }
a[a:lt(0)] = 0
a[tide.array{ 1, 3 }] = tide.array{ 8, 9 }
a                                       --> [8 0 9]
]] },
  { "a:slice(first [, last [, step [, axis]]] [, { axis= }])",
    text = [[
      a view along one axis, the first by default; `last` is -1 by default, or 1 if `step` is
      negative]],
    returns = "Array",
    args = {
      first = "integer",
      last = "integer",
      step = "integer = 1",
      axis = "integer = 1",
    },
    example = "tide.arange(10):slice(2, 8, 3)  --> [1 4 7]" },
  { "a:select([axis,] i [, { axis= }])",
    text = "a view without the axis, by default the first; also of a 1-d array",
    returns = "Array",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:select(2, 1)  --> [1 3]" },
  { "for i, x in ipairs(a)",
    returns = "integer, element | Array: an index, and what is there",
    waits = "for a number",
    example = "for i, x in ipairs(tide.array{ 7 }) do print(i, x) end  --> 1 7",
    text = "what `a[i]` gives, to the end, a number at a time" },
  { "for i, x in pairs(a)",
    text = [[
      the same, in order; the numbers of a 1-d array are fetched at once, as they are then]],
    returns = "integer, element | Array: an index, and what is there",
    waits = "for the numbers of a 1-d array",
    example = "for i, x in pairs(tide.array{ 7 }) do print(i, x) end  --> 1 7" },
},

[[
An index out of range raises. `a[#a + 1]` alone is nil, since that is where `ipairs` asks whether
the array has ended; written to, it raises as well.

```lua
local tide = require "tide"

local a = tide.arange(12):reshape{ 3, 4 }
print(a[{ 2, -1 }], a[{ { 1, 2 }, 3 }][2])           --> 7	6
a[{ {}, { 1, -1, 2 } }] = tide.array{ { 10 }, { 20 }, { 30 } }
print(table.concat(a[2]:totable(), " "))             --> 20 5 20 7
print(table.concat(a:slice(-1, 1, -1, 2)[3]:totable(), " "))  --> 11 30 9 30
```

## Shapes

As functions `tide.reshape(a, shape)` and methods. Axes count from 1, negative ones from the end.
All but `flatten` give views, which share the memory of `a`, where strides can say it. Here a shape
and axes are a table, or stand one after the other: `a:reshape(3, 4)`, `a:flip(1, 2)`; axes may also
be the option `axis`: `a:flip{ axis = 2 }`.
]],

{
  returns = "Array",
  args = { shape = "shape..." },
  { "tide.reshape(a, shape)", "a:reshape(shape)",
    text = [[
      as many elements, in the same order; one axis may be -1. A copy where no strides can say
      it]],
    example = "tide.arange(6):reshape(2, -1)[2]  --> [3 4 5]" },
  { "tide.flatten(a)", "a:flatten()",
    text = "a new 1-d array",
    example = "tide.ones{ 2, 3 }:flatten().shape  --> {6}" },
  { "tide.ravel(a)", "a:ravel()",
    text = "the elements in order, 1-d; a copy where no stride can say it",
    example = "tide.ones{ 2, 3 }:ravel().shape  --> {6}" },
  { "tide.contiguous(a)", "a:contiguous()",
    text = "`a` itself if it is row-major without gaps, else a copy, which is",
    example = "tide.ones{ 2, 3 }.T:contiguous().strides  --> {2, 1}" },
  { "tide.transpose(a [, axes])", "a:transpose([axes])",
    text = "axes in reverse, or in that order",
    example = "tide.ones{ 2, 3 }:transpose().shape  --> {3, 2}" },
  { "tide.permute(a, axes)", "a:permute(axes)",
    text = "the same; the axes must be given",
    example = "tide.ones{ 2, 3, 4 }:permute(3, 1, 2).shape  --> {4, 2, 3}" },
  { "tide.matrix_transpose(a)", "a:matrix_transpose()",
    text = "the last two axes in each other's place, as `a.mT`",
    raises = "of less than two axes",
    example = "tide.ones{ 4, 2, 3 }:matrix_transpose().shape  --> {4, 3, 2}" },
  { "tide.swapaxes(a, axis, other)", "a:swapaxes(axis, other)",
    text = "these two in each other's place",
    args = { other = "integer: an axis as well" },
    example = "tide.ones{ 2, 3, 4 }:swapaxes(1, 3).shape  --> {4, 3, 2}" },
  { "tide.moveaxis(a, from, to)", "a:moveaxis(from, to)",
    text = "axes `from` become axes `to` of the result; the others stay in order",
    args = { from = "integer | integer[]: an axis, or several",
             to = "integer | integer[]: as many" },
    example = "tide.ones{ 2, 3, 4 }:moveaxis(1, -1).shape  --> {3, 4, 2}" },
  { "tide.rot90(a [, k] [, axes])", "a:rot90([k] [, axes])",
    text = [[
      turned `k` times by 90 degrees, from the first of two axes towards the second: the last
      column becomes the first row]],
    args = { k = "integer = 1: back if negative",
             axes = "integer[] = { 1, 2 }" },
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a:rot90()[1]                            --> [2 4]
a:rot90(-1)[1]                          --> [3 1]
]] },
  { "tide.diagonal(a [, k] [, axes])", "a:diagonal([k] [, axes])",
    text = [[
      the elements whose column is the row + `k`, along the last axis of the result, of the
      matrices in two axes]],
    args = { k = "integer = 0", axes = "integer[] = { 1, 2 }" },
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:diagonal()  --> [1 4]" },
  { "tide.squeeze(a [, axes])", "a:squeeze([axes])",
    text = "without those axes, of one element; by default all such",
    example = "tide.ones{ 2, 1, 3 }:squeeze().shape  --> {2, 3}" },
  { "tide.expand_dims(a, axes)", "a:expand_dims(axes)",
    text = "these axes of the result are new, of one element",
    example = "tide.ones(3):expand_dims(2).shape  --> {3, 1}" },
  { "tide.broadcast_to(a, shape)", "a:broadcast_to(shape)",
    text = "repeats `a` without copying it; cannot be written, nor can views of it",
    example = "tide.arange(3):broadcast_to(2, 3)[2]  --> [0 1 2]" },
  { "tide.broadcast_arrays(list)",
    returns = "Array...: as many as are in the list",
    args = { list = "Array[]" },
    text = "all in the shape that they have in common, likewise",
    example = [[
x, y = tide.broadcast_arrays{ tide.arange(3), tide.ones{ 2, 1 } }
x.shape, y.shape                        --> {2, 3}  {2, 3}
]] },
  { "tide.flip(a [, axes])", "a:flip([axes])",
    text = "in reverse along those axes, by default all",
    example = "tide.arange(3):flip()  --> [2 1 0]" },
},

[[
## Joining and splitting

What joins makes a new array, or writes to `out`; arrays are promoted to a common dtype. What splits
gives views.
]],

{
  returns = "Array",
  args = { list = "Array[]" },
  { "tide.concatenate(list [, axis] [, { axis=, out= }])",
    text = [[
      arrays one after the other along an axis, the first by default; promoted to a common
      dtype]],
    example = "tide.concatenate{ tide.arange(2), tide.arange(3) }  --> [0 1 0 1 2]",
    args = {
      list = "Array[]",
    } },
  { "tide.stack(list [, axis] [, { axis=, out= }])",
    text = "arrays of one shape along a new axis, the first by default",
    example = "tide.stack({ tide.arange(2), tide.arange(2) }, 2).shape  --> {2, 2}",
    args = {
      list = "Array[]",
    } },
  { "tide.vstack(list [, { out= }])",
    text = "one below the other: along the first axis; those of fewer than two are rows",
    example = "tide.vstack{ tide.arange(2), tide.ones{ 2, 2 } }.shape  --> {3, 2}" },
  { "tide.hstack(list [, { out= }])",
    text = [[
      side by side: along the second axis, or the only one; those without axes are elements]],
    example = "tide.hstack{ tide.arange(2), tide.array(7) }  --> [0 1 7]" },
  { "tide.column_stack(list [, { out= }])",
    text = "side by side: along the second axis; those of fewer than two are columns",
    example = "tide.column_stack{ tide.arange(2), tide.arange(2) }[2]  --> [1 1]" },
  { "tide.append(a, values [, axis] [, { axis=, out= }])", "a:append(values [, axis])",
    text = [[
      the elements of `a`, then the values, along an axis; by default both as if they were 1-d.
      Numbers of Lua, in tables too, widen no dtype of their kind]],
    args = { values = "operand | table" },
    waits = "if an array stands for a number in a table",
    example = "tide.arange(3):append{ 7, 8 }  --> [0 1 2 7 8]" },
  { "tide.insert(a, index, values [, axis] [, { axis=, out= }])",
    "a:insert(index, values [, axis])",
    text = [[
      `a` with values, cast to its dtype, before the element at the index; of a list of indices
      one of the values before each. Index `#a + 1` is behind the last one. By default as if `a`
      were 1-d]],
    args = { index = "integer | integer[]", values = "operand | table" },
    waits = "if an array stands for a number in a table",
    example = [[
tide.arange(3):insert(2, { 7, 8 })      --> [0 7 8 1 2]
tide.arange(3):insert({ 1, -1 }, 9)     --> [9 0 1 9 2]
]] },
  { "tide.delete(a, index [, axis] [, { axis=, out= }])", "a:delete(index [, axis])",
    text = "`a` without the element at the index, or those of a list; by default as if 1-d",
    args = { index = "integer | integer[]" },
    example = "tide.arange(5):delete{ 1, -1 }  --> [1 2 3]" },
  { "tide.split(a, parts [, axis] [, { axis= }])", "a:split(parts [, axis])",
    returns = "Array[]",
    text = [[
      views of `a` along an axis, the first by default: `parts` of one length; or, of a list of
      indices, one that begins at each of them and ends before the next, and before all these
      one from the start]],
    args = { parts = "integer | integer[]", axis = "integer = 1" },
    raises = "if that many do not come out even",
    example = [[
tide.arange(6):split(3)[2]              --> [2 3]
tide.arange(6):split{ 2, 5 }[2]         --> [1 2 3]
]] },
  { "tide.array_split(a, parts [, axis] [, { axis= }])", "a:array_split(parts [, axis])",
    returns = "Array[]",
    text = "the same, where the first parts may be longer by one",
    args = { parts = "integer | integer[]", axis = "integer = 1" },
    example = "tide.arange(5):array_split(2)[1]  --> [0 1 2]" },
  { "tide.unstack(a [, axis] [, { axis= }])", "a:unstack([axis])",
    returns = "Array[]",
    text = "the slices across an axis, the first by default, without it",
    args = { axis = "integer = 1" },
    example = [[
x, y = table.unpack(tide.array{ { 1, 2 }, { 3, 4 } }:unstack(2))
y                                       --> [2 4]
]] },
},

[[
## Rearranging

New arrays with the elements of others.
]],

{
  returns = "Array",
  { "tide.roll(a, by [, axis] [, { axis=, out= }])", "a:roll(by [, axis])",
    text = [[
      a new array, elements moved on by that many, from the end to the start; by default as if
      `a` were 1-d. Of lists, each axis by its own number]],
    example = "tide.arange(4):roll(1)  --> [3 0 1 2]",
    args = {
      by = "integer | integer[]",
      axis = "integer | integer[] = nil",
    } },
  { "tide.tile(a, times [, { out= }])", "a:tile(times)",
    text = "a new array: `a` that often along each axis; a number is for the last",
    example = "tide.arange(2):tile(2)  --> [0 1 0 1]",
    args = {
      times = "integer | integer[]",
    } },
  { "tide.repeat_each(a, n [, axis] [, { axis=, out= }])", "a:repeat_each(n [, axis])",
    text = [[
      a new array: each element `n` times, next to each other; by default of `a` as 1-d.
      (NumPy's `repeat`, which is a word of Lua's)]],
    example = "tide.arange(2):repeat_each(2)  --> [0 0 1 1]" },
  { "tide.diag(a [, k])", "a:diag([k])",
    text = [[
      of a vector the matrix that has it as its diagonal of number `k`, and 0 elsewhere; of a
      matrix a view of that diagonal]],
    args = { k = "integer = 0: above the main one, or below it if negative" },
    example = "tide.diag(tide.array{ 7, 8 })[2]  --> [0 8]" },
  { "tide.tril(a [, k] [, { out= }])", "a:tril([k])",
    text = [[
      the lower triangle of the matrices in the last two axes: 0 where the column is beyond the
      row + `k`]],
    args = { k = "integer = 0" },
    example = "tide.ones{ 2, 2 }:tril()[1]  --> [1. 0.]" },
  { "tide.triu(a [, k] [, { out= }])", "a:triu([k])",
    text = "the upper one: 0 where the column is before the row + `k`",
    args = { k = "integer = 0" },
    example = "tide.ones{ 2, 2 }:triu()[2]  --> [0. 1.]" },
  { "tide.pad(a, width [, { mode=, out=, value= }])", "a:pad(width)",
    text = [[
      `a` with elements before and after: so many along each axis, a pair
      `{ before, after }` for all axes, or a list of such pairs, one for each]],
    args = {
      width = "integer | table",
      mode = [[
        "constant" | "edge" | "reflect" | "symmetric" | "wrap" = "constant": which: a number;
        the last ones of `a`; `a` backwards, its ends once or twice; `a` again and again]],
      value = "element = 0: the number of mode `constant`",
    },
    raises = "if an axis without elements is to be extended by any but a number",
    example = [[
tide.array{ 1, 2 }:pad(1)               --> [0 1 2 0]
tide.arange(3):pad({ 2, 0 }, { mode = "reflect" }) --> [2 1 0 1 2]
]] },
  { "tide.one_hot(a, n [, dtype])", "a:one_hot(n [, dtype])",
    text = [[
      for each index of `a`, an array of integers that count from 1, a row of `n` along a new
      last axis: 1 at that place, else 0. All 0 where there is no such place]],
    args = { n = "integer: how many places", dtype = "dtype: the default dtype if left out" },
    example = "tide.array{ 2, 1 }:one_hot(3)[1]  --> [0. 1. 0.]" },
  { "tide.meshgrid(list [, { indexing=, sparse=, copy= }])",
    returns = "Array...: as many as are in the list",
    text = [[
      for each array one of an axis for all of them, along which its elements go. The first goes
      along the second axis and the second along the first one]],
    args = { list = "Array[]",
             indexing = '"xy" | "ij" = "xy": `"ij"`: each along the axis of its number',
             sparse = "boolean = false: the other axes have one element",
             copy = "boolean = true: `false` for views, which cannot be written" },
    example = [[
x, y = tide.meshgrid{ tide.arange(3), tide.arange(2) }
x[2]                                    --> [0 1 2]
y[2]                                    --> [1 1 1]
]] },
  { "tide.indices(shape [, dtype])",
    text = [[
      for each axis the index along it, from 1, of every element of that shape; the first axis
      of the result says of which]],
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
    args = { seconds = "number = nil: from 0 on; nil has no end" },
    text = [[
      until all is done that was queued on its memory; in a task of [`tide.run`](tasks.md) the
      others go on meanwhile]],
    waits = "so long at most; runs host functions",
    example = "(tide.ones(3) + 1):await()  --> true" },
  { "a:item()",
    text = "the one element",
    waits = true,
    returns = "element: number or boolean",
    example = "tide.array{ 7 }:item()  --> 7" },
  { "a:totable()",
    waits = true,
    returns = "nested: nested tables",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:totable()[2][1]  --> 3" },
  { "a:tobytes()",
    returns = "string",
    text = "the bytes of all elements",
    waits = true,
    example = [[tide.full(3, 65, "uint8"):tobytes()  --> AAA]] },
  { "a:to_dlpack{ stream=, versioned= }",
    args = {
      stream = "Stream | pointer | boolean = nil: on which it is used; `false`: nobody waits",
      versioned = "boolean = true: `false` for the form of before DLPack 1.0",
    },
    returns = "userdata: a capsule",
    text = [[
      the elements for another library, without a copy: see [DLPack](dlpack.md). The memory stays
      until it is given back, from any thread, even after the Lua state was closed]],
    waits = "if it is memory of the host: until nothing uses it, unless `stream=false`",
    raises = "of an array that is not to be written, with `versioned=false`",
    example = "tostring(tide.zeros(3):to_dlpack())  --> dltensor_versioned" },
  { "a:tohost{ out=, blocking= }",
    returns = "HostArray",
    text = "a new one or `out` (same shape and dtype)",
    args = {
      out = "HostArray?",
      blocking = "boolean = true",
    },
    waits = "unless `blocking=false`: then it returns at once, and reading it waits",
    example = [[
h = tide.arange(3):tohost{ blocking = false }
h[3]                                    --> 2
]] },
  { "a:copy_from(x)",
    returns = "a",
    text = [[
      all elements of an Array or HostArray of the same shape and dtype, which may overlap, and
      be on [another device](device.md#notes); of a nested table of that shape; or a string with
      all its bytes]],
    args = {
      x = "Array | HostArray | nested | string",
    },
    example = "tide.zeros(3):copy_from{ 1, 2, 3 }  --> [1. 2. 3.]" },
  { "a:to(device)",
    returns = "Array",
    text = "the same elements on that device: `a` itself if it is there, else a new one",
    waits = "of a HostArray, and if that is a device of another kind",
    example = [[
a = tide.ones(3)
a:to "host" == a                        --> true
]] },
  { "tide.copy(a)",
    "a:copy()",
    returns = "Array",
    example = "tide.arange(3):copy()  --> [0 1 2]" },
  { "tide.astype(a, dtype)",
    "a:astype(dtype)",
    returns = "Array",
    text = [[
      C's conversion: of integers to smaller ones the low bits (300 is 44 as `int8`); of
      floats cut off, out of range the nearest, NaN 0; to bool `x ~= 0`]],
    example = [=[tide.array{ 1.7, -1.7, 0 }:astype "int32"  --> [ 1 -1  0]]=] },
  { "tide.fill(a, value)",
    "a:fill(value)",
    returns = "a",
    example = "tide.empty(3):fill(7)  --> [7. 7. 7.]" },
  { "a:close()",
    text = "frees it at once; work under way completes",
    raises = "if it is closed",
    example = [[
a = tide.ones(3)
a:close()
(pcall(a.sum, a))                       --> false
]] },
  { "local _ <close> = a",
    text = "closed at the end of the block, silently",
    example = "do local a <close> = tide.ones(3) end" },
  { "tostring(a)",
    returns = "string",
    text = [[
      is laid out as NumPy's, and fetches what it shows: of more than 1000 elements three at
      each end of a long axis, or what [`tide.printoptions`](tide.md#printing) says. In a
      capture, or when values cannot be had, it is the header alone]],
    waits = "for what it shows",
    example = [[
tide.arange(3)                          --> tide.Array 3 int64 host:0
                                        --> [0 1 2]
]] },
  { "a:describe()",
    returns = "table",
    text = "count, mean, quartiles and so on: [Looking at arrays](inspect.md)",
    see = "Array:describe" },
  { "a:plot()",
    returns = "string?: with option `string`, else nothing",
    text = "prints a line, a histogram or a heat map in letters: [the same page](inspect.md)",
    see = "Array:plot" },
},

[[
`==` is identity.

## Operations

As functions `tide.add(x, y [, { out= }])`, as methods `x:add(y)`, and where Lua has one as
operators. One operand may be a number or boolean, which never widens an array of its own kind; two
arrays are on one device, and NumPy 2's promotion decides the dtype. Their shapes are broadcast:
axes are matched from the last one, and one that is missing or has one element is repeated. `out`
has the result's shape and dtype. It may be an operand, or overlap one, which is read first then.
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
    text = "the quotient, rounded down; an integer over 0 is 0" },
  { "tide.mod(x, y)", "x:mod(y)", "x % y",
    inplace = "x:mod_(y)",
    example = "tide.array{ 7, -7 } % 4  --> [3 1]",
    text = "the rest of it; the sign of `y`" },
  { "tide.pow(x, y)", "x:pow(y)", "x ^ y",
    inplace = "x:pow_(y)",
    text = [[
      negative powers of integers are rounded towards 0; by a number 2, 3, 0.5 or -1 it is
      [the product, root or inverse](../numpy.md#results)]],
    example = "tide.array{ 2, 3 } ^ 2  --> [4 9]" },
  { "tide.fmod(x, y)", "x:fmod(y)",
    inplace = "x:fmod_(y)",
    text = "the sign of `x`; an integer by 0 is 0",
    example = "tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]" },
  { "tide.atan2(x, y)", "x:atan2(y)",
    inplace = "x:atan2_(y)",
    text = "the angle of the point (`y`, `x`); integers make `float64`",
    example = "tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]" },
  { "tide.hypot(x, y)", "x:hypot(y)",
    inplace = "x:hypot_(y)",
    text = "likewise",
    example = "tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]" },
  { "tide.copysign(x, y)", "x:copysign(y)",
    inplace = "x:copysign_(y)",
    text = "likewise",
    example = "tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]" },
  { "tide.logaddexp(x, y)", "x:logaddexp(y)",
    inplace = "x:logaddexp_(y)",
    text = "log(exp(x) + exp(y)), which does not overflow; integers make `float64`",
    example = "tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]" },
  { "tide.logaddexp2(x, y)", "x:logaddexp2(y)",
    inplace = "x:logaddexp2_(y)",
    text = "the same of base 2",
    example = "tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]" },
  { "tide.ldexp(x, n)", "x:ldexp(n)",
    inplace = "x:ldexp_(n)",
    args = { n = "Array | integer" },
    text = "x * 2^n, rounded once; `n` are integers, and the dtype is that of `x`",
    example = "tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]" },
  { "tide.nextafter(x, y)", "x:nextafter(y)",
    inplace = "x:nextafter_(y)",
    text = "the next number of its dtype from `x` towards `y`",
    example = "tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]" },
  { "tide.heaviside(x, y)", "x:heaviside(y)",
    inplace = "x:heaviside_(y)",
    text = "0 below 0, 1 above it, `y` where `x` is 0",
    example = "tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]" },
  { "tide.gcd(x, y)", "x:gcd(y)",
    inplace = "x:gcd_(y)",
    text = "the greatest common divisor, of integers; without a sign",
    example = "tide.array{ 12, -18 }:gcd(8)  --> [4 2]" },
  { "tide.lcm(x, y)", "x:lcm(y)",
    inplace = "x:lcm_(y)",
    text = "the least common multiple; likewise",
    example = "tide.array{ 12, -18 }:lcm(8)  --> [24 72]" },
  { "tide.maximum(x, y)", "x:maximum(y)",
    inplace = "x:maximum_(y)",
    example = "tide.array{ 1, 5 }:maximum(3)  --> [3 5]",
    text = "the greater one; NaN wins" },
  { "tide.minimum(x, y)", "x:minimum(y)",
    inplace = "x:minimum_(y)",
    example = "tide.array{ 1, 5 }:minimum(3)  --> [1 3]",
    text = "the lesser one; NaN wins" },
  { "tide.fmax(x, y)", "x:fmax(y)",
    inplace = "x:fmax_(y)",
    example = "tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]",
    text = "the greater one; NaN only of two" },
  { "tide.fmin(x, y)", "x:fmin(y)",
    inplace = "x:fmin_(y)",
    example = "tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]",
    text = "the lesser one; NaN only of two" },
  { "tide.lt(x, y)", "x:lt(y)",
    inplace = "x:lt_(y)",
    example = "tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]",
    text = "less; `bool`; in place for bool arrays" },
  { "tide.le(x, y)", "x:le(y)",
    inplace = "x:le_(y)",
    example = "tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]",
    text = "less or equal" },
  { "tide.gt(x, y)", "x:gt(y)",
    inplace = "x:gt_(y)",
    example = "tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]",
    text = "greater" },
  { "tide.ge(x, y)", "x:ge(y)",
    inplace = "x:ge_(y)",
    example = "tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]",
    text = "greater or equal" },
  { "tide.eq(x, y)", "x:eq(y)",
    inplace = "x:eq_(y)",
    example = "tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]",
    text = "equal" },
  { "tide.ne(x, y)", "x:ne(y)",
    inplace = "x:ne_(y)",
    example = "tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]",
    text = "not equal" },
  { "tide.band(x, y)", "x:band(y)", "x & y",
    inplace = "x:band_(y)",
    text = "bool and integers",
    example = "tide.array{ 5, 6 } & 3  --> [1 2]" },
  { "tide.bor(x, y)", "x:bor(y)", "x | y",
    inplace = "x:bor_(y)",
    example = "tide.array{ 5, 6 } | 3  --> [7 7]",
    text = "likewise" },
  { "tide.bxor(x, y)", "x:bxor(y)", "x ~ y",
    inplace = "x:bxor_(y)",
    example = "tide.array{ 5, 6 } ~ 3  --> [6 5]",
    text = "likewise" },
  { "tide.lshift(x, y)", "x:lshift(y)", "x << y",
    inplace = "x:lshift_(y)",
    example = "tide.array{ 5, 6 } << 1  --> [10 12]",
    text = "integers, to the left" },
  { "tide.rshift(x, y)", "x:rshift(y)", "x >> y",
    inplace = "x:rshift_(y)",
    example = "tide.array{ 5, -6 } >> 1  --> [ 2 -3]",
    text = "integers, to the right; keeps the sign" },
  { "tide.logical_and(x, y)", "x:logical_and(y)",
    inplace = "x:logical_and_(y)",
    text = "`bool`, of whether they are 0; in place for bool arrays",
    example = "tide.array{ 0, 2 }:logical_and(1)  --> [false  true]" },
  { "tide.logical_or(x, y)", "x:logical_or(y)",
    inplace = "x:logical_or_(y)",
    example = "tide.array{ 0, 2 }:logical_or(0)  --> [false  true]",
    text = "likewise" },
  { "tide.logical_xor(x, y)", "x:logical_xor(y)",
    inplace = "x:logical_xor_(y)",
    example = "tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]",
    text = "likewise: one and not the other" },
},

{
  returns = "Array",
  { "tide.isclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan=, out= }])", "a:isclose(b)",
    text = [[
      where they are equal, or `|a - b| <= atol + rtol * |b|`, `b` being finite: `bool`. It waits
      for nothing]],
    args = {
      a = "Array | number | boolean | table | HostArray",
      b = "Array | number | boolean | table | HostArray",
      rtol = "number = 1e-5",
      atol = "number = 1e-8",
      equal_nan = "boolean = false: NaN is near NaN",
    },
    example = "tide.array{ 1., 2. }:isclose(1)  --> [ true false]" },
},

[[
**A comparison is an array, and any array is true in Lua**, also a 0-d one that holds `false`:
`if a:eq(b):all() then` always goes in. Write `a:eq(b):all():item()`, or one of these, which are
booleans of Lua. They wait, for one byte.
]],

{
  columns = "returns",
  { "tide.array_equal(a, b [, { equal_nan= }])", "a:array_equal(b)",
    returns = "boolean",
    args = {
      a = "Array | number | boolean | table | HostArray",
      b = "Array | number | boolean | table | HostArray",
      equal_nan = "boolean = false: NaN is equal to NaN",
    },
    text = "whether they have one shape and equal elements; integers are compared exactly",
    waits = "for one byte",
    example = "tide.array_equal(tide.arange(3), { 0, 1, 2 })  --> true" },
  { "tide.allclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan= }])", "a:allclose(b)",
    returns = "boolean",
    text = [[
      whether everywhere, once broadcast, they are equal or `|a - b| <= atol + rtol * |b|`,
      `b` being finite; `rtol` is 1e-5, `atol` 1e-8]],
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
    text = "are not these: `x:lt(y)`, `x:le(y)`",
    raises = "always, as Lua makes one boolean of it",
    example = "(pcall(function () return tide.ones(3) < 2 end))  --> false" },
},

[[
Either may also be a number, a table or a HostArray.

Of one array; functions of floats make `float64` of integers, those that round leave them as they
are. In place the result must have the dtype of `x`.
]],

{
  columns = "in place",
  also = "[, { out= }]",
  returns = "Array",
  { "tide.neg(x)", "x:neg()", "-x",
    inplace = "x:neg_()",
    example = "-tide.array{ 1, -2 }  --> [-1  2]",
    text = "with the other sign" },
  { "tide.abs(x)", "x:abs()",
    inplace = "x:abs_()",
    example = "tide.array{ 1, -2 }:abs()  --> [1 2]",
    text = "without its sign; of complex numbers the modulus, a float" },
  { "tide.square(x)", "x:square()",
    inplace = "x:square_()",
    example = "tide.array{ 2, 3 }:square()  --> [4 9]",
    text = "x * x" },
  { "tide.sign(x)", "x:sign()",
    inplace = "x:sign_()",
    text = "-1, 0 or 1; NaN of NaN",
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
    text = "exp(x) - 1, exact near 0",
    example = "tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]" },
  { "tide.log(x)", "x:log()",
    inplace = "x:log_()",
    example = "tide.array{ 1, 10 }:log()  --> [0.         2.30258509]",
    text = "the natural logarithm" },
  { "tide.log2(x)", "x:log2()",
    inplace = "x:log2_()",
    example = "tide.array{ 1, 8 }:log2()  --> [0. 3.]",
    text = "the logarithm of base 2" },
  { "tide.log10(x)", "x:log10()",
    inplace = "x:log10_()",
    example = "tide.array{ 1, 100 }:log10()  --> [0. 2.]",
    text = "the logarithm of base 10" },
  { "tide.log1p(x)", "x:log1p()",
    inplace = "x:log1p_()",
    text = "log(1 + x), exact near 0",
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
    text = "1 - erf(x), exact far out",
    example = "tide.array{ 0., 3. }:erfc()  --> [1.0000000e+00 2.2090497e-05]" },
  { "tide.erfinv(x)", "x:erfinv()",
    inplace = "x:erfinv_()",
    text = "the inverse of `erf`",
    example = "tide.array{ 0., 0.5, 1. }:erfinv()  --> [0.         0.47693628        inf]" },
  { "tide.gamma(x)", "x:gamma()",
    inplace = "x:gamma_()",
    text = "the gamma function: of `n + 1` it is `n!`",
    example = "tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]" },
  { "tide.lgamma(x)", "x:lgamma()",
    inplace = "x:lgamma_()",
    text = [[
      the logarithm of its absolute value; right to digits of 1, not of the result, beside zeros
      below -2]],
    example = "tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]" },
  { "tide.sinc(x)", "x:sinc()",
    inplace = "x:sinc_()",
    text = "sin(pi x) / (pi x); 1 of 0",
    example = "tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]" },
  { "tide.sigmoid(x)", "x:sigmoid()",
    inplace = "x:sigmoid_()",
    text = "1 / (1 + exp(-x)), to all its digits where it is small",
    example = "tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]" },
  { "tide.softplus(x)", "x:softplus()",
    inplace = "x:softplus_()",
    text = "log(1 + exp(x)), which does not overflow",
    example = "tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]" },
  { "tide.degrees(x)", "x:degrees()",
    inplace = "x:degrees_()",
    text = "of radians",
    example = "tide.array{ math.pi }:degrees()  --> [180.]" },
  { "tide.radians(x)", "x:radians()",
    inplace = "x:radians_()",
    text = "of degrees",
    example = "tide.array{ 180 }:radians()  --> [3.14159265]" },
  { "tide.floor(x)", "x:floor()",
    inplace = "x:floor_()",
    example = "tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]",
    text = "down to an integer" },
  { "tide.ceil(x)", "x:ceil()",
    inplace = "x:ceil_()",
    example = "tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]",
    text = "up to an integer" },
  { "tide.trunc(x)", "x:trunc()",
    inplace = "x:trunc_()",
    text = "towards 0",
    example = "tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]" },
  { "tide.round(x [, decimals])", "x:round(decimals)",
    inplace = "x:round_(decimals)",
    args = { decimals = "integer = nil: how many stay; those of integers if it is negative" },
    text = [[
      to the nearest integer, of two the even one. With decimals `x` is scaled, rounded and scaled
      back, as NumPy does]],
    example = [[
tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
tide.array{ 155, 12 }:round(-1)         --> [160  10]
]] },
  { "tide.bnot(x)", "x:bnot()", "~x",
    inplace = "x:bnot_()",
    example = "~tide.array{ 0, 5 }  --> [-1 -6]",
    text = "every bit the other way; bool and integers" },
  { "tide.logical_not(x)", "x:logical_not()",
    inplace = "x:logical_not_()",
    example = "tide.array{ 0, 5 }:logical_not()  --> [ true false]",
    text = "whether it is 0; `bool`" },
  { "tide.positive(x)", "x:positive()",
    text = "+x, a copy",
    example = "tide.array{ 1, -2 }:positive()  --> [ 1 -2]" },
  { "tide.signbit(x)", "x:signbit()",
    inplace = "x:signbit_()",
    text = "whether it has the sign, as -0.0 does and NaNs may; `bool`",
    example = "tide.array{ 1., -0.0 }:signbit()  --> [false  true]" },
  { "tide.isnan(x)", "x:isnan()",
    inplace = "x:isnan_()",
    example = "tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]",
    text = "whether it is NaN; `bool`" },
  { "tide.conj(x)", "x:conj()",
    inplace = "x:conj_()",
    example = "tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]",
    text = "with the other sign of the imaginary part; of real numbers themselves" },
  { "tide.real(x)", "x:real()",
    inplace = "x:real_()",
    example = "tide.array{ tide.complex(1, 2) }:real()  --> [1.]",
    text = "the real part: a float of complex numbers; real ones themselves" },
  { "tide.imag(x)", "x:imag()",
    inplace = "x:imag_()",
    example = "tide.array{ tide.complex(1, 2) }:imag()  --> [2.]",
    text = "the imaginary part: likewise; 0 of real ones" },
  { "tide.isinf(x)", "x:isinf()",
    inplace = "x:isinf_()",
    example = "tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]",
    text = "whether it is infinite; `bool`" },
  { "tide.isfinite(x)", "x:isfinite()",
    inplace = "x:isfinite_()",
    example = "tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]",
    text = "whether it is neither infinite nor NaN; `bool`" },
},

[[
Functions with two results take a list of two arrays as `out`.
]],

{
  also = "[, { out= }]",
  returns = "Array, Array",
  args = { out = "table: a list of two Arrays" },
  { "tide.modf(x)", "x:modf()",
    text = "the fraction and the whole number; both have the sign of `x`",
    example = [[
fraction, whole = tide.array{ 1.5, -2.25 }:modf()
fraction                                --> [ 0.5  -0.25]
whole                                   --> [ 1. -2.]
]] },
  { "tide.frexp(x)", "x:frexp()",
    text = [[
      the mantissa, from 0.5 and below 1, and the exponent, an `int32`: `x` is
      `mantissa * 2^exponent`]],
    example = [[
mantissa, exponent = tide.array{ 8., 0.75 }:frexp()
mantissa                                --> [0.5  0.75]
exponent                                --> [4 0]
]] },
},

[[
On the host device functions such as `exp`, `sin` and `pow` are right to 4 units in the last place
(those of glibc that take several numbers at once, as NumPy's do); the others, and those of complex
numbers, are those of the C library and of CUDA. Equal numbers have equal results on one device,
wherever in an array they are.

## Choosing
]],

{
  columns = "in place",
  { "tide.where(c, x, y [, { out= }])", "c:where(x, y)",
    text = "of `x` where `c` is not 0, else of `y`, each an array or a number",
    returns = "Array",
    example = [[
a = tide.array{ 1, -2, 3 }
tide.where(a:gt(0), a, 0)               --> [1 0 3]
]] },
  { "tide.nonzero(a [, { base=, size=, fill= }])", "a:nonzero()",
    text = [[
      for each axis the indices of the elements that are not 0, in order. `tide.where(a)` of one
      argument is the same]],
    returns = "Array...: of int64, as many as there are axes",
    args = { fill = "integer = base - 1: the index behind the last one, up to `size`" },
    waits = "for their number, unless `size` says it",
    example = [[
a = tide.array{ { 0, 5 }, { 6, 0 } }
i, j = a:nonzero()
i                                       --> [1 2]
j                                       --> [2 1]
tide.nonzero(a[1], { size = 3 })        --> [2 0 0]
]] },
  { "tide.clip(a [, lo [, hi [, { out= }]]])", "a:clip(lo, hi)",
    inplace = "a:clip_(lo, hi)",
    text = [[
      not below `lo`, not above `hi`: numbers or arrays. Either may be nil; without both the result
      is a copy. NaN stays]],
    returns = "Array",
    example = "tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]" },
  { "tide.nan_to_num(x [, nan [, posinf [, neginf]]] [, { nan=, posinf=, neginf=, out= }])",
    "x:nan_to_num(nan, posinf, neginf)",
    inplace = "x:nan_to_num_(nan, posinf, neginf)",
    text = "NaN and infinities become these numbers",
    returns = "Array",
    args = {
      nan = "number = 0",
      posinf = "number = nil: the greatest number of the dtype",
      neginf = "number = nil: the least one",
    },
    example = "tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]" },
  { "tide.take(a, indices [, axis] [, { axis=, base=, mode=, out= }])", "a:take(indices)",
    returns = "Array",
    example = "tide.array{ 10, 20, 30 }:take{ 3, 1, 1 }  --> [30 10 10]",
    text = [[
      the elements at the indices or, along an axis, the slices; the result has the shape of the
      indices in place of the axis. Without an axis, of the flattened array. Indices count from
      1, from the end if negative: an integer, a table or an array of integers. One out of range
      raises; in an array only the device sees it, and the error, which names the line of the
      call, comes from whoever waits next for the result or its stream]] },
  { "tide.mask(a, m [, { size=, fill=, out= }])", "a:mask(m)",
    returns = "Array",
    example = [[
a = tide.array{ 1, -2, 3 }
a:mask(a:gt(0))                         --> [1 3]
a:mask(a:gt(0), { size = 3 })           --> [1 3 0]
]],
    args = {
      m = "Array", fill = "element = 0: what is behind the last one, up to `size`",
    },
    waits = "for their number, unless `size` says it",
    text = [[
      the elements for which the bool array `m` of the same shape is true, in order; with fewer
      axes, the slices of the last ones]] },
  { "tide.put(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:put(indices, values)",
    returns = "Array: `a`",
    args = {
      indices = "integer | integer[] | Array: or a bool array, without axis and options",
      values = "element | table | Array",
    },
    waits = "if an array stands for a number in a table",
    raises = [[
      if an index is out of range, as `take` does; then nothing is written for it. As late, if there
      are values for a mask that is true more often, or less]],
    text = [[
      writes what `take` would read: the elements of the flattened array at the indices, with values
      one after the other, again from the first one if they are fewer; along an axis the slices,
      to which the values are broadcast. Of equal indices the last one wins. At a mask, those
      elements or slices where it is true, one after the other]],
    example = [[
tide.zeros(4):put({ 2, -1, 2 }, { 5, 6, 7 })        --> [0. 7. 0. 6.]
tide.zeros{ 2, 2 }:put({ 1 }, 3, 2)[2]              --> [3. 0.]
]] },
  { "tide.take_along_axis(a, indices [, axis] [, { axis=, base=, mode=, out= }])",
    "a:take_along_axis(indices)",
    returns = "Array: of the shape of the indices",
    text = [[
      for each index the element there, in its own line along the axis, the last one by default:
      `a:take_along_axis(a:argsort())` is sorted. Other axes broadcast]],
    args = { indices = "table | Array", axis = "integer = -1" },
    example = [[
a = tide.array{ { 3, 4 }, { 5, 6 } }
a:take_along_axis{ { 2 }, { 1 } }:flatten()         --> [4 5]
]] },
  { "tide.put_along_axis(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:put_along_axis(indices, values)",
    returns = "Array: `a`",
    text = "writes what `take_along_axis` would read; of equal indices the last one wins",
    args = { indices = "table | Array", values = "element | table | Array",
             axis = "integer = -1" },
    waits = "if an array stands for a number in a table",
    example = [[
a = tide.array{ { 3, 4 }, { 5, 6 } }
a:put_along_axis(a:argmax(2, { keepdims = true }), 0)
a:flatten()                             --> [3 0 5 0]
]] },
  { "tide.scatter_add(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:scatter_add(indices, values)",
    returns = "Array: `a`",
    text = [[
      adds the values to what `take` would read: to the elements of the flattened array at the
      indices, or along an axis to the slices. Values are broadcast to that, and all of those with
      equal indices are added. Floats are added in float64 and rounded once, in the same order
      every time; integers wrap]],
    args = { values = "element | table | Array" },
    waits = "if an array stands for a number in a table",
    raises = "if an index is out of range, as `take` does; then nothing is added for it",
    example = [[
tide.zeros(3):scatter_add({ 1, 3, 1 }, { 5, 6, 7 }) --> [12. 0. 6.]
tide.zeros(3, "int32"):scatter_add({ 1, 3, 1 }, 1)  --> [2 0 1]
]] },
  { "tide.scatter_min(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:scatter_min(indices, values)",
    "tide.scatter_max(a, indices, values [, axis] [, { axis=, base=, mode= }])",
    "a:scatter_max(indices, values)",
    returns = "Array: `a`",
    text = [[
      the same with the least, or the greatest, of what is there and all that comes to it. NaN is
      either]],
    args = { values = "element | table | Array" },
    waits = "if an array stands for a number in a table",
    example = "tide.full(2, 5):scatter_min({ 1, 2, 1 }, { 7, 4, 3 })  --> [3 4]" },
  { "tide.unravel_index(indices, shape [, { base= }])",
    returns = "Array...: of int64, as many as the shape has axes",
    text = [[
      for each axis the indices of those elements of the flattened array of that shape, as `argmax`
      gives them]],
    example = [[
i, j = tide.unravel_index({ 2, 6 }, { 2, 3 })
i                                       --> [1 2]
j                                       --> [2 3]
]] },
  { "tide.ravel_multi_index(list, shape [, { base=, mode= }])",
    returns = "Array: of int64",
    text = "the other way round: of a list with indices for each axis those of the flattened array",
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
      of the matrices in the last two axes; the others are those of a batch and broadcast. A
      vector is a row on the left, a column on the right, and that axis is not in the result]],
    args = {
      accumulate = [["float32" | "float16" = "float32": as what products of `float16` may be
        added: by cuBLAS, where that is faster, and sums of more than 65504 are infinite then; those
        of `bfloat16` are added as `float32`]],
      tf32 = "boolean = false: products of `float32` may be of 10 binary digits, if that is faster"
    },
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ 1, 1 })  --> [3 7]" },
  { "tide.dot(a, b [, { out= }])", "a:dot(b)",
    text = [[
      of two vectors the sum of the products, of matrices `matmul`, with a 0-d array `mul`;
      else over the last axis of `a` and the last but one of `b`]],
    example = "tide.array{ 1, 2, 3 }:dot(tide.array{ 4, 5, 6 }):item()  --> 32" },
  { "tide.inner(a, b [, { out= }])", "a:inner(b)",
    text = [[
      the sums of the products over the last axis of each; a 0-d array multiplies all elements]],
    raises = "unless those axes have one length",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:inner(tide.array{ 1, 1 })  --> [3 7]" },
  { "tide.outer(a, b [, { out= }])", "a:outer(b)",
    text = "each element of `a` times each of `b`: a row for each of `a`, whatever the shapes",
    example = [[
tide.array{ 1, 2 }:outer(tide.array{ 3, 4 })[2]  --> [6 8]
]] },
  { "tide.vecdot(a, b [, axis] [, { axis=, out= }])", "a:vecdot(b [, axis])",
    text = [[
      the sums of the products over one axis of both, the last one by default; `a` is conjugated,
      and the other axes broadcast]],
    raises = "unless those axes have one length",
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
a:vecdot(a)                             --> [ 5 25]
a:vecdot(a, 1)                          --> [10 20]
]] },
  { "tide.tensordot(a, b [, n] [, { out= }])", "a:tensordot(b [, n])",
    args = { n = "integer | table = 2: how many axes, or { axes of a, axes of b }" },
    text = [[
      the sums of the products over the last `n` axes of `a` and the first of `b`; or over the
      axes in a table of two, each an axis or a list. The other axes of `a` come first]],
    raises = "unless the axes that go together have one length",
    example = [[
a, b = tide.ones{ 2, 3, 4 }, tide.ones{ 4, 3, 5 }
a:tensordot(b, 1).shape                 --> {2, 3, 3, 5}
a:tensordot(b, { { 2, 3 }, { 2, 1 } })[1]  --> [12. 12. 12. 12. 12.]
]] },
  { "tide.einsum(text, a, ...)",
    args = { text = "string", ["..."] = "Array | table: as many as the text is about; { out= }" },
    text = [[
      Einstein's sum, as NumPy's: a letter for each axis of each array, with commas between
      arrays, and after `->` those of the result. Axes of one letter go together; what the result
      has not is summed. Without `->` the result has the letters that are there once, in order; a
      letter twice in one array is its diagonal, `...` stands for axes that broadcast. Three arrays
      or more are multiplied in the cheapest order (of up to 6; then step by step), which is kept
      for the text and the shapes. A new array, of the dtype of all]],
    raises = "if the text does not fit, or axes that go together have other lengths (1 broadcasts)",
    example = [[
a = tide.array{ { 1, 2 }, { 3, 4 } }
tide.einsum("ij,jk->ik", a, a)[1]       --> [ 7 10]
tide.einsum("ii", a):item()             --> 5
tide.einsum("...i,i->...", a, tide.array{ 1, 10 })  --> [21 43]
]] },
  { "tide.kron(a, b [, { out= }])", "a:kron(b)",
    text = "`b` times each element of `a`, as blocks in its place",
    example = [[
tide.eye(2, "int8"):kron(tide.array({ 1, 2 }, "int8"))[2]  --> [0 0 1 2]
]] },
  { "tide.cross(a, b [, axis] [, { axis=, out= }])", "a:cross(b [, axis])",
    text = [[
      the cross products of vectors of three along one axis of both, the last one by default; the
      other axes broadcast]],
    raises = "unless that axis has three elements; of bools",
    example = "tide.array{ 1, 0, 0 }:cross(tide.array{ 0, 1, 0 })  --> [0 0 1]" },
  { "tide.convolve(a, b [, mode] [, { mode=, out= }])", "a:convolve(b [, mode])",
    args = { mode = '"full" | "same" | "valid" = "full": how far they overlap' },
    text = [[
      of vectors, the sums of `a[i - p] * b[p]`: for all places where they overlap (`"full"`), for
      as many as the longer one has (`"same"`), or for those where the shorter one lies inside
      (`"valid"`). Computed directly, in the dtype of both]],
    raises = "unless both are vectors with elements",
    example = [[
tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 })  --> [1 3 5 3]
tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 }, "valid")  --> [3 5]
]] },
  { "tide.correlate(a, b [, mode] [, { mode=, out= }])", "a:correlate(b [, mode])",
    args = { mode = '"full" | "same" | "valid" = "valid": likewise' },
    text = "of vectors, the sums of `a[i + p] * b[p]`, `b` conjugated",
    raises = "unless both are vectors with elements",
    example = "tide.array{ 1, 2, 3 }:correlate(tide.array{ 0, 1 })  --> [2 3]" },
  { "tide.convolve2d(a, b [, mode] [, { mode=, out= }])", "a:convolve2d(b [, mode])",
    args = { mode = '"full" | "same" | "valid" = "full": how far they overlap' },
    text = [[
      the same of matrices, as SciPy's: `"same"` is as large as `a`; around `a` there is 0]],
    raises = "unless both are matrices with elements",
    example = [[
tide.ones({ 3, 3 }, "int8"):convolve2d(tide.ones({ 3, 3 }, "int8"), "same")[1]  --> [4 6 4]
]] },
  { "tide.correlate2d(a, b [, mode] [, { mode=, out= }])", "a:correlate2d(b [, mode])",
    args = { mode = '"full" | "same" | "valid" = "full": how far they overlap' },
    text = "the same of matrices, `b` conjugated",
    raises = "unless both are matrices with elements",
    example = [[
tide.eye(2):correlate2d(tide.array{ { 1, 2 }, { 3, 4 } }, "valid")[1]  --> [5.]
]] },
  { "tide.trace(a [, k] [, axes] [, { dtype=, out= }])", "a:trace(k, axes)",
    args = {
      k = "integer = 0",
      axes = "integer[] = {1, 2}",
    },
    text = "the sums of the diagonals that `diagonal` gives",
    example = "tide.array{ { 1, 2 }, { 3, 4 } }:trace():item()  --> 5" },
  { "tide.norm(a [, ord] [, axes] [, { ord=, axis=, keepdims=, out= }])", "a:norm(ord, axes)",
    args = {
      ord = 'number | "fro" = nil',
      axes = "axes",
    },
    text = [[
      norms of vectors along one axis, of matrices along two axes (rows, columns); along three axes
      or more, the norm of all elements as a vector. Without axes the norm is that of `a`, and
      without an order that of all its elements. Orders of vectors: 2 (the default) is the root of
      the sum of squares, `math.huge` and `-math.huge` are the greatest and the least absolute
      value, 0 is the number of elements that are not 0, others are
      `sum(abs(x) ^ ord) ^ (1 / ord)`. Orders of matrices: `"fro"` (the default) is the root of the
      sum of squares; 1 and -1 are the greatest and the least sum of absolute values of a column,
      `math.huge` and `-math.huge` of a row. The result of floats has their dtype, that of complex
      numbers the dtype of their parts, others `float64`]],
    raises = "of the norms of matrices that need singular values: 2, -2",
    example = [[
tide.array{ 3, 4 }:norm():item()        --> 5.0
tide.array{ { 1, -2 }, { 3, 4 } }:norm(1):item()  --> 6.0
tide.array{ { 1, -2 }, { 3, 4 } }:norm(math.huge, 2)  --> [2. 4.]
]] },
  { "tide.softmax(a [, axis] [, { axis=, out= }])", "a:softmax([axis])",
    text = [[
      `exp(a)` over its sum along an axis, the last one by default; computed of what each element
      is below the greatest, so it does not overflow. Integers make `float64`]],
    raises = "of complex numbers; of an array of no axes",
    example = "tide.array{ 0., 1000., 1000. }:softmax()  --> [0.  0.5 0.5]" },
  { "tide.logsoftmax(a [, axis] [, { axis=, out= }])", "a:logsoftmax([axis])",
    text = "the logarithms of that, finite also where it is 0",
    raises = "of complex numbers; of an array of no axes",
    example = "tide.array{ 0., 1000. }:logsoftmax()  --> [-1000.     0.]" },
},

[[
The dtype is that of `a * b`; integers wrap around. Products of floats are computed with all the
digits of their dtype, in TF32 only where a call says so, and those of 16 bits are added up as
`float32` and rounded once. On a GPU large ones are cuBLAS's, if it is installed and no host
function is waiting to run on the device; it gets up to 32 MiB to work in (`TIDE_LIBCUBLAS` names
the library, or is `none`). On the host device matrices of 17 rows and columns or more are
multiplied by an OpenBLAS or BLIS where one is installed; `TIDE_BLAS` names another library with
`cblas_sgemm`, or is `none`. What it does itself is added up in one order, whatever the shape and
however many threads there are. The transpose of a matrix is not copied to be multiplied by a
vector.

## Sorting
]],

{
  returns = "Array",
  { "tide.sort(a [, axis] [, { axis=, out=, descending= }])", "a:sort()",
    text = "a sorted copy; along the last axis by default. NaN is greater than all else",
    args = { descending = "boolean = false: the greatest comes first" },
    example = [[
tide.array{ 3, 1, 2 }:sort()            --> [1 2 3]
tide.array{ 3, 1, 2 }:sort{ descending = true } --> [3 2 1]
]] },
  { "tide.argsort(a [, axis] [, { axis=, out=, descending= }])", "a:argsort()",
    text = [[
      `int64`: the places, from 1, of the elements in order; of equal ones the first one first,
      also where the greatest comes first]],
    args = { descending = "boolean = false" },
    example = "tide.array{ 30, 10, 20 }:argsort()  --> [2 3 1]" },
},

{
  { "tide.topk(a, k [, axis] [, { axis=, largest= }])", "a:topk(k)",
    text = [[
      the `k` greatest elements along the last axis or another one, the greatest first, and as
      `int64` their places, from 1; of equal ones the first one first. NaN is greater than all
      else]],
    returns = "Array, Array",
    args = { k = "integer", largest = "boolean = true: `false` for the least ones" },
    example = [[
values, places = tide.array{ 3, 9, 5 }:topk(2)
values                                  --> [9 5]
places                                  --> [2 3]
]] },
  { "tide.lexsort(list [, axis] [, { axis=, out= }])",
    text = [[
      `int64`: in which order elements are by several arrays of one shape: by the last one, where
      that has equal ones by the one before it, and so on; along the last axis]],
    returns = "Array",
    args = { list = "Array[]" },
    example = "tide.lexsort{ tide.array{ 2, 1, 3 }, tide.array{ 5, 5, 4 } }  --> [3 2 1]" },
  { "tide.unique(a [, { return_index=, return_inverse=, return_counts=, equal_nan=, size=, " ..
    "fill= }])", "a:unique()",
    text = [[
      the different elements of `a` in order, and as it is asked for: the places where each is
      first, from 1, in `a` as 1-d; in the shape of `a`, which of them each element is; how many
      there are of each]],
    waits = "if there is no `size`: for their number",
    returns = "Array...: the values, then as many as are asked for, in the order of the options",
    args = {
      return_index = "boolean = false", return_inverse = "boolean = false",
      return_counts = "boolean = false",
      equal_nan = "boolean = true: all NaNs are one element",
      size = "integer?: so many results, whatever there is in `a`",
      fill = "element = 0: what stands behind the values if there are fewer; else it is 0",
    },
    example = [[
values, counts = tide.array{ 3, 1, 3 }:unique{ return_counts = true }
values                                  --> [1 3]
counts                                  --> [1 2]
]] },
  { "tide.unique_values(a)", "a:unique_values()",
    text = "the different elements in order; each NaN is one, here and in the next ones",
    waits = "for their number", returns = "Array",
    example = "tide.array{ 3, 1, 3 }:unique_values()  --> [1 3]" },
  { "tide.unique_counts(a)", "a:unique_counts()",
    text = "these, and how many there are of each",
    waits = "for their number", returns = "Array, Array",
    example = "select(2, tide.array{ 3, 1, 3 }:unique_counts())  --> [1 2]" },
  { "tide.unique_inverse(a)", "a:unique_inverse()",
    text = "these, and which of them each element is",
    waits = "for their number", returns = "Array, Array",
    example = "select(2, tide.array{ 3, 1, 3 }:unique_inverse())  --> [2 1 2]" },
  { "tide.unique_all(a)", "a:unique_all()",
    text = "these, where each is first, which of them each element is, how many there are of each",
    waits = "for their number", returns = "Array, Array, Array, Array",
    example = [[
values, places = tide.array{ 3, 1, 3 }:unique_all()
places                                  --> [2 1]
]] },
},

[[
## Counting

Results of unknown length wait for it, or are given a `size`. Sums of weights are the same every
time.
]],

{
  { "tide.bincount(a [, weights] [, { base=, minlength=, out=, size= }])", "a:bincount()",
    text = [[
      how often each integer from `base` on is there, up to the greatest one, as `int64`; or what
      the weights of its elements come to, as `float64`]],
    waits = "if there is no `size`: for the greatest element",
    raises = "without `size`, if an element is below `base`",
    returns = "Array",
    args = {
      weights = "Array?: one for each element",
      base = "integer = 1: what the first element of the result counts, from 0 to 2^30",
      minlength = "integer = 0: the result has as many elements, or more",
      size = "integer?: as many, whatever is in `a`; what is beyond is not counted",
    },
    example = [[
tide.array{ 1, 3, 1 }:bincount()        --> [2 0 1]
tide.array{ 0, 2, 0 }:bincount{ base = 0 } --> [2 0 1]
]] },
  { "tide.histogram(a [, bins] [, { density=, range=, weights= }])", "a:histogram()",
    text = [[
      how many elements are in each bin, as `int64`, or what their weights come to, in the dtype of
      these; and the edges. Each bin is from its first edge up to, not including, the next, the
      last one with its last]],
    returns = "Array, Array",
    args = {
      bins = "integer | number[] | Array = 10: how many bins of one width, or their edges, sorted",
      range = "number[] = nil: where the first bin begins and the last one ends; the least and " ..
              "the greatest element if left out",
      weights = "Array?: one for each element",
      density = "boolean = false: divided by the width of the bin and by the sum of all",
    },
    example = [[
counts, edges = tide.array{ 1, 2, 2, 5 }:histogram(2)
counts                                  --> [3 1]
edges                                   --> [1. 3. 5.]
]] },
  { "tide.histogram2d(a, b [, bins] [, { density=, range=, weights= }])", "a:histogram2d(b)",
    text = [[
      how many points, whose first coordinates are in `a` and second ones in `b`, are in each cell:
      a row for each bin of `a`; the edges of both]],
    returns = "Array, Array, Array",
    args = {
      bins = "integer | table | Array = 10: as `histogram` has them, or a list of two",
      range = "table = nil: a list of two ranges",
      weights = "Array?: one for each point",
      density = "boolean = false: divided by the area of the cell and by the sum of all",
    },
    example = [[
counts = tide.array{ 1, 1, 2 }:histogram2d(tide.array{ 5, 6, 6 }, 2)
counts[1]                               --> [1 1]
]] },
  { "tide.digitize(a, edges [, { descending=, out=, right= }])", "a:digitize(edges)",
    text = [[
      `int64`: the number of the bin that each element is in, from 1: of the last edge that is not
      above it. 0 below all edges]],
    returns = "Array",
    args = {
      edges = "number[] | Array: sorted",
      descending = "boolean = false: the greatest edge is the first",
      right = "boolean = false: an element that is on an edge is in the bin before it",
    },
    example = "tide.array{ 0.5, 2, 9 }:digitize{ 1, 2, 3 }  --> [0 2 3]" },
  { "tide.searchsorted(a, v [, { out=, side=, sorter= }])", "a:searchsorted(v)",
    text = [[
      `int64`: before which element of `a`, which is sorted and has one axis, each of `v` is to be
      inserted so that it stays sorted; from 1]],
    returns = "Array",
    args = {
      v = "operand | table: of any shape",
      side = [["left" | "right" = "left": before what is equal, or behind it]],
      sorter = "Array?: `a:argsort()`, if `a` is not sorted itself",
    },
    example = [[
tide.array{ 10, 20, 20, 30 }:searchsorted{ 20, 99 } --> [2 5]
tide.array{ 10, 20, 20, 30 }:searchsorted({ 20, 99 }, { side = "right" }) --> [4 5]
]] },
  { "tide.isin(a, values [, { invert=, out= }])", "a:isin(values)",
    text = [[
      `bool`: which elements are equal to one of `values`; a number is compared as by `eq`. NaN is
      equal to none]],
    returns = "Array",
    args = {
      values = "operand | table: of any shape",
      invert = "boolean = false: which are equal to none",
    },
    example = [[
tide.array{ 1, 2, 3 }:isin{ 3, 1 }      --> [ true false true]
tide.array{ 1, 2, 3 }:isin({ 3, 1 }, { invert = true })  --> [false  true false]
]] },
  { "tide.interp(a, xs, ys [, { left=, out=, period=, right= }])", "a:interp(xs, ys)",
    text = [[
      for each element the number at that place of the line through points, as `float64`; beyond
      them that of the nearest one]],
    returns = "Array",
    args = {
      xs = "number[] | Array: where the points are, sorted",
      ys = "number[] | Array: a number for each of them",
      left = "number?: the number before the first point",
      right = "number?: the number behind the last one",
      period = "number?: the line repeats so; the points need no order then",
    },
    example = "tide.array{ 1.5, 9 }:interp({ 1, 2 }, { 10, 30 })  --> [20. 30.]" },
},

[[
## Running folds
]],

{
  { "tide.cumsum(a [, axis] [, { axis=, out=, dtype=, include_initial= }])", "a:cumsum()",
    args = {
      dtype = "dtype?: of the result; the elements are converted to it first",
      include_initial = "boolean = false: whether 0 stands before the first element",
    },
    text = [[
      each element with all before it along the axis; without one, of the flattened array.
      dtypes as `sum`; floats are added in `float64`. The same result every time]],
    returns = "Array",
    example = [[
tide.array{ 1, 2, 3 }:cumsum()          --> [1 3 6]
tide.array{ 1, 2, 3 }:cumsum{ include_initial = true } --> [0 1 3 6]
]] },
  { "tide.cumprod(a [, axis] [, { axis=, out=, dtype=, include_initial= }])", "a:cumprod()",
    args = {
      dtype = "dtype?: of the result; the elements are converted to it first",
      include_initial = "boolean = false: whether 1 stands before the first element",
    },
    returns = "Array",
    example = "tide.array{ 1, 2, 3 }:cumprod()  --> [1 2 6]",
    text = "likewise the product" },
  { "tide.cummax(a [, axis] [, { axis=, out= }])", "a:cummax()",
    returns = "Array",
    example = "tide.array{ 1, 3, 2 }:cummax()  --> [1 3 3]",
    text = "the greatest element up to each; the dtype of `a`. Behind a NaN all is NaN" },
  { "tide.cummin(a [, axis] [, { axis=, out= }])", "a:cummin()",
    returns = "Array",
    example = "tide.array{ 2, 3, 1 }:cummin()  --> [2 2 1]",
    text = "likewise the least one" },
  { "tide.diff(a [, n] [, axis] [, { axis=, out=, prepend=, append= }])", "a:diff()",
    returns = "Array",
    args = {
      n = "integer = 1: how many times",
      prepend = "operand?: what comes before the elements along the axis: an array, or a number",
      append = "operand?: what comes after them",
    },
    text = [[
      each element less the one before it, along the last axis by default; of bools, whether they
      differ]],
    example = [[
tide.array{ 1, 4, 9 }:diff()            --> [3 5]
tide.array{ 1, 4, 9 }:diff{ prepend = 0 } --> [1 3 5]
]] },
  { "tide.trapezoid(a [, x] [, { axis=, dx=, out= }])", "a:trapezoid()",
    returns = "Array",
    args = {
      x = "Array?: where the elements were measured",
      dx = "number = 1: how far apart, without `x`",
      axis = "integer = -1: from 1, negative ones from the end",
    },
    text = "the area under lines from each element to the next",
    example = "tide.array{ 1, 2, 3 }:trapezoid():item()  --> 4.0" },
},

[[
## Reductions

`a:sum([axis | {axes}] [, options])`, and the same for the others: along an axis, several, or all of
them by default, which gives a 0-d array. Options: `axis`, instead of the argument; `out`;
`keepdims`, axes stay with one element; `dtype`, for `sum prod mean var std`. The same result every
time.
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
      the sum: `int64` of bool and signed integers, `uint64` of unsigned ones, else the dtype of
      `a`; floats are added in `float64`]],
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]" },
  { "tide.prod(a)", "a:prod()",
    example = "tide.array{ 2, 3, 4 }:prod():item()  --> 24",
    text = "likewise the product",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]" },
  { "tide.mean(a)", "a:mean()",
    example = "tide.array{ 1, 2 }:mean():item()  --> 1.5",
    text = [[
      the mean: the dtype of floats and complex numbers, else `float64`; NaN without elements]],
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]" },
  { "tide.var(a)", "a:var()",
    example = "tide.array{ 1, 2, 3, 4 }:var():item()  --> 1.25",
    text = "the mean of the squared distances from the mean",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype=, ddof= }]",
    args = {
      ddof = "integer = 0: `1` divides by one less than the number of elements",
    } },
  { "tide.std(a)", "a:std()",
    example = "tide.array{ 1, 3 }:std():item()  --> 1.0",
    text = "its root: the standard deviation",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype=, ddof= }]",
    args = {
      ddof = "integer = 0",
    } },
  { "tide.min(a)", "a:min()",
    example = "tide.array{ 3, 1, 2 }:min():item()  --> 1",
    text = "the least element; NaN wins",
    raises = "without elements" },
  { "tide.max(a)", "a:max()",
    example = "tide.array{ 3, 1, 2 }:max():item()  --> 3",
    text = "the greatest; likewise",
    raises = "without elements" },
  { "tide.argmin(a)", "a:argmin()",
    text = [[
      `int64`: where the least element is, from 1, the first of equals; along one axis, or in
      `a` as 1-d. NaN wins]],
    example = "tide.array{ 3, 1, 2 }:argmin():item()  --> 2" },
  { "tide.argmax(a)", "a:argmax()",
    text = "where the greatest is",
    example = "tide.array{ 3, 1, 2 }:argmax():item()  --> 1" },
  { "tide.any(a)", "a:any()",
    example = "tide.array{ 0, 1 }:any():item()  --> true",
    text = "whether any element is not 0; `bool`" },
  { "tide.all(a)", "a:all()",
    example = "tide.array{ 0, 1 }:all():item()  --> false",
    text = "whether no element is 0; `bool`" },
  { "tide.count_nonzero(a)", "a:count_nonzero()",
    example = "tide.array{ 0, 1, 2 }:count_nonzero():item()  --> 2",
    text = "how many elements are not 0; `int64`" },
  { "tide.median(a)", "a:median()",
    example = "tide.array{ 3, 1, 2, 9 }:median():item()  --> 2.5",
    text = [[
      the element in the middle, or the mean of both; the dtype of floats, else `float64`; NaN
      where one is, or without elements]] },
  { "tide.quantile(a, q [, axis] [, { axis=, keepdims=, method=, out= }])", "a:quantile(q)",
    also = "",
    args = {
      q = "number | number[] | Array: from 0 to 1; a list adds a first axis to the result",
      method = [["linear" | "lower" | "higher" | "midpoint" | "nearest" | "hazen" | "weibull" | ]]
        .. [["median_unbiased" | "normal_unbiased" | "inverted_cdf" | "averaged_inverted_cdf" | ]]
        .. [["interpolated_inverted_cdf" | "closest_observation" = "linear": what is between ]]
        .. [[elements, as in NumPy]],
    },
    text = [[
      what a share `q` of the elements is not above, along an axis, several, or all of them; the
      dtype of floats, else `float64`, or that of `a` by methods that choose an element. NaN where
      one is]],
    waits = "if `q` is an array",
    raises = "without elements, where the result has no NaN",
    example = [[
a = tide.array{ 4, 1, 3, 2 }
a:quantile(0.5):item()                  --> 2.5
a:quantile({ 0, 1 }, { method = "lower" }) --> [1 4]
]] },
  { "tide.percentile(a, q [, axis] [, { axis=, keepdims=, method=, out= }])",
    "a:percentile(q)",
    also = "",
    args = { q = "number | number[] | Array: from 0 to 100", method = 'string = "linear"' },
    text = "likewise by percent",
    waits = "if `q` is an array",
    raises = "without elements, where the result has no NaN",
    example = "tide.array{ 4, 1, 3, 2 }:percentile(100):item()  --> 4.0" },
  { "tide.ptp(a)", "a:ptp()",
    example = "tide.array{ 3, 1, 2 }:ptp():item()  --> 2",
    text = "the greatest element less the least",
    raises = "without elements" },
  { "tide.average(a)", "a:average()",
    example = "tide.array{ 1, 3 }:average{ weights = tide.array{ 3, 1 } }:item()  --> 1.5",
    text = [[
      the mean, each element counting as much as its weight; NaN where the weights come to 0]],
    also = "[, axis] [, { axis=, out=, keepdims=, weights= }]",
    args = {
      weights = "Array?: of the shape of `a`, or for each place along the one axis that goes",
    } },
  { "tide.nansum(a)", "a:nansum()",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]",
    example = "tide.array{ 1, 0/0, 2 }:nansum():item()  --> 3.0",
    text = "`sum` of what is no NaN; 0 if there is nothing else" },
  { "tide.nanprod(a)", "a:nanprod()",
    also = "[, axis] [, { axis=, out=, keepdims=, dtype= }]",
    example = "tide.array{ 3, 0/0, 2 }:nanprod():item()  --> 6.0",
    text = "likewise `prod`; 1 if there is nothing else" },
  { "tide.nanmean(a)", "a:nanmean()",
    example = "tide.array{ 1, 0/0, 2 }:nanmean():item()  --> 1.5",
    text = "likewise `mean`; NaN if there is nothing else, here and in the next ones" },
  { "tide.nanvar(a)", "a:nanvar()",
    also = "[, axis] [, { axis=, out=, keepdims=, ddof= }]",
    args = { ddof = "integer = 0" },
    example = "tide.array{ 1, 0/0, 3 }:nanvar():item()  --> 1.0",
    text = "likewise `var`" },
  { "tide.nanstd(a)", "a:nanstd()",
    also = "[, axis] [, { axis=, out=, keepdims=, ddof= }]",
    args = { ddof = "integer = 0" },
    example = "tide.array{ 1, 0/0, 3 }:nanstd():item()  --> 1.0",
    text = "likewise `std`" },
  { "tide.nanmin(a)", "a:nanmin()",
    raises = "without elements",
    example = "tide.array{ 1, 0/0, 3 }:nanmin():item()  --> 1.0",
    text = "likewise `min`" },
  { "tide.nanmax(a)", "a:nanmax()",
    raises = "without elements",
    example = "tide.array{ 1, 0/0, 3 }:nanmax():item()  --> 3.0",
    text = "likewise `max`" },
  { "tide.nanargmin(a)", "a:nanargmin()",
    raises = "without elements",
    example = "tide.array{ 0/0, 3, 1 }:nanargmin():item()  --> 3",
    text = "likewise `argmin`; of NaNs alone, the first place" },
  { "tide.nanargmax(a)", "a:nanargmax()",
    raises = "without elements",
    example = "tide.array{ 0/0, 3, 1 }:nanargmax():item()  --> 2",
    text = "likewise `argmax`" },
  { "tide.nanmedian(a)", "a:nanmedian()",
    example = "tide.array{ 0/0, 3, 1 }:nanmedian():item()  --> 2.0",
    text = "likewise `median`" },
  { "tide.cov(a [, y] [, { rowvar=, bias=, ddof=, fweights=, aweights=, dtype=, out= }])",
    "a:cov()",
    also = "",
    args = {
      a = "Array: of two axes at most", y = "Array?: more variables",
      rowvar = "boolean = true: each row is a variable, else each column",
      bias = "boolean = false: `true` divides by the number of observations, not by one less",
      ddof = "integer?: divides by so many less, whatever `bias` is",
      fweights = "Array?: how often there was each observation",
      aweights = "Array?: how much each one counts",
    },
    text = [[
      the covariances of variables, which are rows, of observations, which are columns; in
      `float64`, or `dtype`]],
    example = [[
a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
a:cov()[1]                              --> [ 1. -1.]
]] },
  { "tide.corrcoef(a [, y] [, { rowvar=, dtype=, out= }])", "a:corrcoef()",
    also = "",
    args = { a = "Array: of two axes at most", y = "Array?: more variables",
             rowvar = "boolean = true: each row is a variable" },
    text = "these, divided by both standard deviations: from -1 to 1",
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

- **Two arrays** take the smallest dtype that has all numbers of both, or `float64`: `int8` and
  `uint8` make `int16`, `int32` and `float32` make `float64`, and so do `int64` and `uint64`. bool
  is the lowest. Comparisons of signed integers with `uint64` are exact, without `float64`.
- **A number or boolean of Lua** never widens an array of its kind (boolean, integer, float) or of
  a higher one. A float makes the default dtype of an array of integers or bools, an integer `int64`
  of one of bools. An integer that the array's dtype does not have raises, except in
  comparisons: `tide.zeros(3, "uint8"):lt(300)` is true everywhere.
- `/` makes `float64` of integers; `//` rounds down, `%` has the sign of the divisor. Integers wrap
  around. In `maximum`, `minimum`, `max` and `min` NaN wins.
- **float16 and bfloat16** are computed in `float32` and rounded once for each operation, to
  nearest, ties to even; sums are added in `float64`, those of `matmul` in `float32`, and their
  products, and those of `dot`, are `float32`. What is rarer with them (`//`, `%`, `^`, most
  functions) takes three launches instead of one. NumPy has no bfloat16; here it goes by the rule of
  float16: with `int8` and `uint8`, whose numbers it has, it stays bfloat16; 16-bit integers and
  `float16` make `float32`, larger integers `float64`.
- **complex64 and complex128** have `+ - * / ^`, `eq`, `ne`, `neg`, `abs`, `square`, `sqrt`, `exp`,
  `log`, `sin`, `cos`, `conj`, `real`, `imag`, `isnan`, `logical_not`, `sum`, `prod`, `mean`, `any`,
  `all`, `count_nonzero`, `matmul` and `dot`, which conjugate nothing; what needs an order raises.
  `complex64` is computed as `float32`, its functions and sums as `complex128`. Cast to a real dtype
  they lose the imaginary part. Elements are [Complex](complex.md).
- **uint64**: Lua has no such integers. Elements are its integers of the same 64 bits, as for
  `math.ult` and `%u` in C: what is above `math.maxinteger` is read as a negative number, and a
  negative number is written as what is above. `tostring` shows them unsigned. Floats from 0 up to
  2^64 can be written too. The rule is the same beside an array of `uint64`, in every function, and
  in `arange` and `linspace`: the integer -1 is 2^64 - 1, and the float -1.0 is negative. NumPy
  raises an `OverflowError` for the integer. The edges of `digitize` and `histogram` and the points
  of `interp` may be negative, and so may the stop of an `arange` that counts down from 0 or more:
  `tide.arange(2, -1, -1, "uint64")` is 2, 1, 0.

## Notes

- The result of an operation is row-major, whatever its operands are. Views of other strides cost
  more to read: a `:copy()` of one that is used often is worth it.
- Comparisons are methods: Lua turns the result of `<` into a boolean, and `if` takes
  [any array for true](#operations).
- When memory is freed, and how much there may be: [Memory](memory.md).
- A view keeps the memory of its array. Disjoint views may be used on two streams at a time.
- Blocking reads (`item`, `totable`, `tobytes`, `a[i]` of a number, `pairs` of a 1-d array,
  `tohost`, `allclose`, `array_equal`) raise in a capture.

## Differences from NumPy

[docs/numpy.md](../numpy.md) has all that are known; results are those of NumPy 2 else.
]],

}
