---@meta tide

-- What an editor knows of tide. Made by docs/generate.lua of lua/tide/api.

---axes, from 1, negative ones from the end
---@alias tide.axes integer|integer[]

---what the elements are
---@alias tide.dtype "bool"|"int8"|"int16"|"int32"|"int64"|"uint8"|"uint16"|"uint32"|"uint64"|"float16"|"bfloat16"|"float32"|"float64"|"complex64"|"complex128"

---one element
---@alias tide.element number|boolean|tide.Complex

---an integer, or a table of integers and ranges { first, last, step }
---@alias tide.key integer|table

---which memory
---@alias tide.kind "device"|"pinned"

---a table of tables of numbers
---@alias tide.nested table

---an array or a number
---@alias tide.operand tide.Array|number|boolean|tide.Complex

---an address
---@alias tide.pointer integer|lightuserdata

---lengths of the axes
---@alias tide.shape integer|integer[]

---a Device, "host:0" or a number
---@alias tide.spec tide.Device|string|integer

---@class tide.options.axis
---@field axis? integer = 1

---@class tide.options.Array_select
---@field axis? integer

---@class tide.options.axis_out
---@field axis? integer
---@field out? tide.Array

---@class tide.options.Array_roll
---@field axis? integer|integer[]
---@field out? tide.Array

---@class tide.options.out
---@field out? tide.Array

---@class tide.options.mode_out_value
---@field mode? "constant"|"edge"|"reflect"|"symmetric"|"wrap" = "constant"
---@field out? tide.Array
---@field value? tide.element = 0

---@class tide.options.stream_versioned
---@field stream? tide.Stream|tide.pointer|boolean
---@field versioned? boolean = true

---@class tide.options.out_blocking
---@field out? tide.HostArray
---@field blocking? boolean = true

---@class tide.options.rtol_atol_equal_nan_out
---@field rtol? number = 1e-5
---@field atol? number = 1e-8
---@field equal_nan? boolean = false
---@field out? tide.Array

---@class tide.options.equal_nan
---@field equal_nan? boolean = false

---@class tide.options.rtol_atol_equal_nan
---@field rtol? number = 1e-5
---@field atol? number = 1e-8
---@field equal_nan? boolean = false

---@class tide.options.Array_modf
---@field out? table

---@class tide.options.base_size_fill
---@field base? integer = 1
---@field size? integer
---@field fill? integer = base - 1

---@class tide.options.nan_posinf_neginf_out
---@field nan? number = 0
---@field posinf? number
---@field neginf? number
---@field out? tide.Array

---@class tide.options.axis_base_mode_out
---@field axis? integer
---@field base? integer = 1
---@field mode? "clip"|"wrap"
---@field out? tide.Array

---@class tide.options.size_fill_out
---@field size? integer
---@field fill? tide.element = 0
---@field out? tide.Array

---@class tide.options.axis_base_mode
---@field axis? integer
---@field base? integer = 1
---@field mode? "clip"|"wrap"

---@class tide.options.Array_take_along_axis
---@field axis? integer = -1
---@field base? integer = 1
---@field mode? "clip"|"wrap"
---@field out? tide.Array

---@class tide.options.Array_put_along_axis
---@field axis? integer = -1
---@field base? integer = 1
---@field mode? "clip"|"wrap"

---@class tide.options.accumulate_out_tf32
---@field accumulate? "float32"|"float16" = "float32"
---@field out? tide.Array
---@field tf32? boolean = false

---@class tide.options.mode_out
---@field mode? "full"|"same"|"valid" = "full"
---@field out? tide.Array

---@class tide.options.Array_correlate
---@field mode? "full"|"same"|"valid" = "valid"
---@field out? tide.Array

---@class tide.options.dtype_out
---@field dtype? tide.dtype
---@field out? tide.Array

---@class tide.options.ord_axis_keepdims_out
---@field ord? number|"fro"
---@field axis? integer
---@field keepdims? boolean = false
---@field out? tide.Array

---@class tide.options.axis_out_descending
---@field axis? integer
---@field out? tide.Array
---@field descending? boolean = false

---@class tide.options.axis_largest
---@field axis? integer
---@field largest? boolean = true

---@class tide.options.Array_unique
---@field return_index? boolean = false
---@field return_inverse? boolean = false
---@field return_counts? boolean = false
---@field equal_nan? boolean = true
---@field size? integer
---@field fill? tide.element = 0

---@class tide.options.base_minlength_out_size
---@field base? integer = 1
---@field minlength? integer = 0
---@field out? tide.Array
---@field size? integer

---@class tide.options.density_range_weights
---@field density? boolean = false
---@field range? number[]
---@field weights? tide.Array

---@class tide.options.Array_histogram2d
---@field density? boolean = false
---@field range? table
---@field weights? tide.Array

---@class tide.options.descending_out_right
---@field descending? boolean = false
---@field out? tide.Array
---@field right? boolean = false

---@class tide.options.out_side_sorter
---@field out? tide.Array
---@field side? "left"|"right" = "left"
---@field sorter? tide.Array

---@class tide.options.invert_out
---@field invert? boolean = false
---@field out? tide.Array

---@class tide.options.left_out_period_right
---@field left? number
---@field out? tide.Array
---@field period? number
---@field right? number

---@class tide.options.axis_out_dtype_include_initial
---@field axis? integer
---@field out? tide.Array
---@field dtype? tide.dtype
---@field include_initial? boolean = false

---@class tide.options.axis_out_prepend_append
---@field axis? integer
---@field out? tide.Array
---@field prepend? tide.operand
---@field append? tide.operand

---@class tide.options.axis_dx_out
---@field axis? integer = -1
---@field dx? number = 1
---@field out? tide.Array

---@class tide.options.axis_out_keepdims_dtype
---@field axis? tide.axes
---@field out? tide.Array
---@field keepdims? boolean = false
---@field dtype? tide.dtype

---@class tide.options.Array_var
---@field axis? tide.axes
---@field out? tide.Array
---@field keepdims? boolean = false
---@field dtype? tide.dtype
---@field ddof? integer = 0

---@class tide.options.axis_out_keepdims
---@field axis? tide.axes
---@field out? tide.Array
---@field keepdims? boolean = false

---@class tide.options.axis_keepdims_method_out
---@field axis? tide.axes
---@field keepdims? boolean = false
---@field method? "linear"|"lower"|"higher"|"midpoint"|"nearest"|"hazen"|"weibull"|"median_unbiased"|"normal_unbiased"|"inverted_cdf"|"averaged_inverted_cdf"|"interpolated_inverted_cdf"|"closest_observation" = "linear"
---@field out? tide.Array

---@class tide.options.Array_percentile
---@field axis? tide.axes
---@field keepdims? boolean = false
---@field method? string = "linear"
---@field out? tide.Array

---@class tide.options.axis_out_keepdims_weights
---@field axis? tide.axes
---@field out? tide.Array
---@field keepdims? boolean = false
---@field weights? tide.Array

---@class tide.options.axis_out_keepdims_ddof
---@field axis? tide.axes
---@field out? tide.Array
---@field keepdims? boolean = false
---@field ddof? integer = 0

---@class tide.options.Array_cov
---@field rowvar? boolean = true
---@field bias? boolean = false
---@field ddof? integer
---@field fweights? tide.Array
---@field aweights? tide.Array
---@field dtype? tide.dtype
---@field out? tide.Array

---@class tide.options.rowvar_dtype_out
---@field rowvar? boolean = true
---@field dtype? tide.dtype
---@field out? tide.Array

---@class tide.options.Array_plot
---@field ascii? boolean
---@field bins? integer
---@field height? integer
---@field kind? "line"|"histogram"|"heat"
---@field string? boolean = false
---@field width? integer

---@class tide.options.op_out
---@field op? "sum"|"prod"|"max"|"min"|"avg" = "sum"
---@field out? tide.Array|tide.Array[]

---@class tide.options.Communicator_all_gather
---@field out? tide.Array|tide.Array[]

---@class tide.options.wait
---@field wait? boolean = true

---@class tide.options.replace
---@field replace? boolean = true

---@class tide.options.verbose
---@field verbose? boolean = false

---@class tide.options.RawKernel_launch
---@field grid integer|integer[]
---@field block integer|integer[]
---@field shared? integer = 0
---@field stream? tide.Stream
---@field args table

---@class tide.options.signature
---@field signature? string

---@class tide.options.params_out_body_name
---@field params string
---@field out string
---@field body string
---@field name? string

---@class tide.options.block_disable_timing_interprocess
---@field block? boolean = false
---@field disable_timing? boolean = false
---@field interprocess? boolean = false

---@class tide.options.options_signature
---@field options? string|string[]
---@field signature? string

---@class tide.options.options_name_expressions
---@field options? string|string[]
---@field name_expressions? string[]

---@class tide.options.ReductionKernel
---@field params string
---@field out string
---@field map string
---@field reduce string
---@field post? string
---@field identity string|number|nil
---@field name? string
---@field reduce_type? tide.dtype

---@class tide.options.null_ptds_non_blocking_priority
---@field null? boolean = false
---@field ptds? boolean = false
---@field non_blocking? boolean = false
---@field priority? integer = 0

---@class tide.options.timeout
---@field timeout? number = 300

---@class tide.options.dist_init
---@field timeout? number = 300
---@field device? tide.spec
---@field rank? integer
---@field size? integer
---@field local_rank? integer
---@field address? string
---@field file? string

---@class tide.options.endpoint
---@field endpoint? boolean = true

---@class tide.options.indexing_sparse_copy
---@field indexing? "xy"|"ij" = "xy"
---@field sparse? boolean = false
---@field copy? boolean = true

---@class tide.options.printoptions
---@field threshold? integer = 1000
---@field edgeitems? integer = 3
---@field precision? integer = 8
---@field linewidth? integer = 75
---@field suppress? boolean = false

---@class tide.options.base_mode
---@field base? integer = 1
---@field mode? "clip"|"wrap"

---@class tide.options.format
---@field format? "pgm"|"ppm"|"pnm"|"png"

---@class tide.options.base
---@field base? integer = 1

---numbers on a device, n-dimensional
---@class tide.Array
---@field shape integer[] lengths of the axes
---@field strides integer[] in elements; 0 where `a` is broadcast, negative where it is in reverse
---@field T tide.Array a view with the axes in reverse
---@field mT tide.Array a view with the last two axes in each other's place: its matrices, transposed
---@field ndim integer number of axes
---@field size integer number of elements
---@field dtype tide.dtype
---@field nbytes integer bytes of all elements: `size` times those of one
---@field device tide.Device
---@field ptr integer the address on the device; 0 without elements. Does not wait: work on the array may be under way
---@operator len: integer
---@field [integer|table] tide.element|tide.Array
---@operator add(tide.operand): tide.Array
---@operator sub(tide.operand): tide.Array
---@operator mul(tide.operand): tide.Array
---@operator div(tide.operand): tide.Array
---@operator idiv(tide.operand): tide.Array
---@operator mod(tide.operand): tide.Array
---@operator pow(tide.operand): tide.Array
---@operator band(tide.operand): tide.Array
---@operator bor(tide.operand): tide.Array
---@operator bxor(tide.operand): tide.Array
---@operator shl(tide.operand): tide.Array
---@operator shr(tide.operand): tide.Array
---@operator unm: tide.Array
---@operator bnot: tide.Array
local Array = {}

---a view along one axis, the first by default; `last` is -1 by default, or 1 if `step` is negative
---```lua
---tide.arange(10):slice(2, 8, 3)  --> [1 4 7]
---```
---@param first integer
---@param last? integer
---@param step? integer
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array
---@overload fun(self: tide.Array, first: integer, last?: integer, step?: integer, options?: tide.options.axis): tide.Array
---@overload fun(self: tide.Array, first: integer, last?: integer, options?: tide.options.axis): tide.Array
---@overload fun(self: tide.Array, first: integer, options?: tide.options.axis): tide.Array
function Array:slice(first, last, step, axis, options) end

---a view without the axis, by default the first; also of a 1-d array
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:select(2, 1)  --> [1 3]
---```
---@param axis integer from 1, negative ones from the end
---@param i integer
---@param options? tide.options.Array_select
---@return tide.Array
---@overload fun(self: tide.Array, i: integer, options?: tide.options.Array_select): tide.Array
function Array:select(axis, i, options) end

---as many elements, in the same order; one axis may be -1. A copy where no strides can say it
---```lua
---tide.arange(6):reshape(2, -1)[2]  --> [3 4 5]
---```
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function Array:reshape(shape, ...) end

---a new 1-d array
---```lua
---tide.ones{ 2, 3 }:flatten().shape  --> {6}
---```
---@return tide.Array
function Array:flatten() end

---the elements in order, 1-d; a copy where no stride can say it
---```lua
---tide.ones{ 2, 3 }:ravel().shape  --> {6}
---```
---@return tide.Array
function Array:ravel() end

---`a` itself if it is row-major without gaps, else a copy, which is
---```lua
---tide.ones{ 2, 3 }.T:contiguous().strides  --> {2, 1}
---```
---@return tide.Array
function Array:contiguous() end

---axes in reverse, or in that order
---```lua
---tide.ones{ 2, 3 }:transpose().shape  --> {3, 2}
---```
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function Array:transpose(axes, ...) end

---the same; the axes must be given
---```lua
---tide.ones{ 2, 3, 4 }:permute(3, 1, 2).shape  --> {4, 2, 3}
---```
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function Array:permute(axes, ...) end

---the last two axes in each other's place, as `a.mT`
---
---Raises of less than two axes.
---```lua
---tide.ones{ 4, 2, 3 }:matrix_transpose().shape  --> {4, 3, 2}
---```
---@return tide.Array
function Array:matrix_transpose() end

---these two in each other's place
---```lua
---tide.ones{ 2, 3, 4 }:swapaxes(1, 3).shape  --> {4, 3, 2}
---```
---@param axis integer from 1, negative ones from the end
---@param other integer an axis as well
---@return tide.Array
function Array:swapaxes(axis, other) end

---axes `from` become axes `to` of the result; the others stay in order
---```lua
---tide.ones{ 2, 3, 4 }:moveaxis(1, -1).shape  --> {3, 4, 2}
---```
---@param from integer|integer[] an axis, or several
---@param to integer|integer[] as many
---@return tide.Array
function Array:moveaxis(from, to) end

---turned `k` times by 90 degrees, from the first of two axes towards the second: the last column becomes the first row
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:rot90()[1]                            --> [2 4]
---a:rot90(-1)[1]                          --> [3 1]
---```
---@param k? integer back if negative
---@param axes? integer[]
---@return tide.Array
---@overload fun(self: tide.Array, axes?: integer[]): tide.Array
function Array:rot90(k, axes) end

---the elements whose column is the row + `k`, along the last axis of the result, of the matrices in two axes
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:diagonal()  --> [1 4]
---```
---@param k? integer
---@param axes? integer[]
---@return tide.Array
---@overload fun(self: tide.Array, axes?: integer[]): tide.Array
function Array:diagonal(k, axes) end

---without those axes, of one element; by default all such
---```lua
---tide.ones{ 2, 1, 3 }:squeeze().shape  --> {2, 3}
---```
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function Array:squeeze(axes, ...) end

---these axes of the result are new, of one element
---```lua
---tide.ones(3):expand_dims(2).shape  --> {3, 1}
---```
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function Array:expand_dims(axes, ...) end

---repeats `a` without copying it; cannot be written, nor can views of it
---```lua
---tide.arange(3):broadcast_to(2, 3)[2]  --> [0 1 2]
---```
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function Array:broadcast_to(shape, ...) end

---in reverse along those axes, by default all
---```lua
---tide.arange(3):flip()  --> [2 1 0]
---```
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function Array:flip(axes, ...) end

---the elements of `a`, then the values, along an axis; by default both as if they were 1-d. Numbers of Lua, in tables too, widen no dtype of their kind
---
---Waits if an array stands for a number in a table.
---```lua
---tide.arange(3):append{ 7, 8 }  --> [0 1 2 7 8]
---```
---@param values tide.operand|table
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, values: tide.operand|table, options?: tide.options.axis_out): tide.Array
function Array:append(values, axis, options) end

---`a` with values, cast to its dtype, before the element at the index; of a list of indices one of the values before each. Index `#a + 1` is behind the last one. By default as if `a` were 1-d
---
---Waits if an array stands for a number in a table.
---```lua
---tide.arange(3):insert(2, { 7, 8 })      --> [0 7 8 1 2]
---tide.arange(3):insert({ 1, -1 }, 9)     --> [9 0 1 9 2]
---```
---@param index integer|integer[]
---@param values tide.operand|table
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, index: integer|integer[], values: tide.operand|table, options?: tide.options.axis_out): tide.Array
function Array:insert(index, values, axis, options) end

---`a` without the element at the index, or those of a list; by default as if 1-d
---```lua
---tide.arange(5):delete{ 1, -1 }  --> [1 2 3]
---```
---@param index integer|integer[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, index: integer|integer[], options?: tide.options.axis_out): tide.Array
function Array:delete(index, axis, options) end

---views of `a` along an axis, the first by default: `parts` of one length; or, of a list of indices, one that begins at each of them and ends before the next, and before all these one from the start
---
---Raises if that many do not come out even.
---```lua
---tide.arange(6):split(3)[2]              --> [2 3]
---tide.arange(6):split{ 2, 5 }[2]         --> [1 2 3]
---```
---@param parts integer|integer[]
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(self: tide.Array, parts: integer|integer[], options?: tide.options.axis): tide.Array[]
function Array:split(parts, axis, options) end

---the same, where the first parts may be longer by one
---```lua
---tide.arange(5):array_split(2)[1]  --> [0 1 2]
---```
---@param parts integer|integer[]
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(self: tide.Array, parts: integer|integer[], options?: tide.options.axis): tide.Array[]
function Array:array_split(parts, axis, options) end

---the slices across an axis, the first by default, without it
---```lua
---x, y = table.unpack(tide.array{ { 1, 2 }, { 3, 4 } }:unstack(2))
---y                                       --> [2 4]
---```
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(self: tide.Array, options?: tide.options.axis): tide.Array[]
function Array:unstack(axis, options) end

---a new array, elements moved on by that many, from the end to the start; by default as if `a` were 1-d. Of lists, each axis by its own number
---```lua
---tide.arange(4):roll(1)  --> [3 0 1 2]
---```
---@param by integer|integer[]
---@param axis? integer|integer[]
---@param options? tide.options.Array_roll
---@return tide.Array
---@overload fun(self: tide.Array, by: integer|integer[], options?: tide.options.Array_roll): tide.Array
function Array:roll(by, axis, options) end

---a new array: `a` that often along each axis; a number is for the last
---```lua
---tide.arange(2):tile(2)  --> [0 1 0 1]
---```
---@param times integer|integer[]
---@param options? tide.options.out
---@return tide.Array
function Array:tile(times, options) end

---a new array: each element `n` times, next to each other; by default of `a` as 1-d. (NumPy's `repeat`, which is a word of Lua's)
---```lua
---tide.arange(2):repeat_each(2)  --> [0 0 1 1]
---```
---@param n integer
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, n: integer, options?: tide.options.axis_out): tide.Array
function Array:repeat_each(n, axis, options) end

---of a vector the matrix that has it as its diagonal of number `k`, and 0 elsewhere; of a matrix a view of that diagonal
---```lua
---tide.diag(tide.array{ 7, 8 })[2]  --> [0 8]
---```
---@param k? integer above the main one, or below it if negative
---@return tide.Array
function Array:diag(k) end

---the lower triangle of the matrices in the last two axes: 0 where the column is beyond the row + `k`
---```lua
---tide.ones{ 2, 2 }:tril()[1]  --> [1. 0.]
---```
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.out): tide.Array
function Array:tril(k, options) end

---the upper one: 0 where the column is before the row + `k`
---```lua
---tide.ones{ 2, 2 }:triu()[2]  --> [0. 1.]
---```
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.out): tide.Array
function Array:triu(k, options) end

---`a` with elements before and after: so many along each axis, a pair `{ before, after }` for all axes, or a list of such pairs, one for each
---
---Raises if an axis without elements is to be extended by any but a number.
---```lua
---tide.array{ 1, 2 }:pad(1)               --> [0 1 2 0]
---tide.arange(3):pad({ 2, 0 }, { mode = "reflect" }) --> [2 1 0 1 2]
---```
---@param width integer|table
---@param options? tide.options.mode_out_value
---@return tide.Array
function Array:pad(width, options) end

---for each index of `a`, an array of integers that count from 1, a row of `n` along a new last axis: 1 at that place, else 0. All 0 where there is no such place
---```lua
---tide.array{ 2, 1 }:one_hot(3)[1]  --> [0. 1. 0.]
---```
---@param n integer how many places
---@param dtype? tide.dtype the default dtype if left out
---@return tide.Array
function Array:one_hot(n, dtype) end

---until all is done that was queued on its memory; in a task of [`tide.run`](tasks.md) the others go on meanwhile
---
---Waits so long at most; runs host functions.
---
---Returns: true; nil and `"timeout"`.
---```lua
---(tide.ones(3) + 1):await()  --> true
---```
---@param seconds? number from 0 on; nil has no end
---@return boolean
function Array:await(seconds) end

---the one element
---
---Waits.
---
---Returns: number or boolean.
---```lua
---tide.array{ 7 }:item()  --> 7
---```
---@return tide.element
function Array:item() end

---Waits.
---
---Returns: nested tables.
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:totable()[2][1]  --> 3
---```
---@return tide.nested
function Array:totable() end

---the bytes of all elements
---
---Waits.
---```lua
---tide.full(3, 65, "uint8"):tobytes()  --> AAA
---```
---@return string
function Array:tobytes() end

---the elements for another library, without a copy: see [DLPack](dlpack.md). The memory stays until it is given back, from any thread, even after the Lua state was closed
---
---Waits if it is memory of the host: until nothing uses it, unless `stream=false`.
---
---Raises of an array that is not to be written, with `versioned=false`.
---
---Returns: a capsule.
---```lua
---tostring(tide.zeros(3):to_dlpack())  --> dltensor_versioned
---```
---@param options? tide.options.stream_versioned
---@return userdata
function Array:to_dlpack(options) end

---a new one or `out` (same shape and dtype)
---
---Waits unless `blocking=false`: then it returns at once, and reading it waits.
---```lua
---h = tide.arange(3):tohost{ blocking = false }
---h[3]                                    --> 2
---```
---@param options? tide.options.out_blocking
---@return tide.HostArray
function Array:tohost(options) end

---all elements of an Array or HostArray of the same shape and dtype, which may overlap, and be on [another device](device.md#notes); of a nested table of that shape; or a string with all its bytes
---```lua
---tide.zeros(3):copy_from{ 1, 2, 3 }  --> [1. 2. 3.]
---```
---@param x tide.Array|tide.HostArray|tide.nested|string
---@return tide.Array
function Array:copy_from(x) end

---the same elements on that device: `a` itself if it is there, else a new one
---
---Waits of a HostArray, and if that is a device of another kind.
---```lua
---a = tide.ones(3)
---a:to "host" == a                        --> true
---```
---@param device tide.spec
---@return tide.Array
function Array:to(device) end

---```lua
---tide.arange(3):copy()  --> [0 1 2]
---```
---@return tide.Array
function Array:copy() end

---C's conversion: of integers to smaller ones the low bits (300 is 44 as `int8`); of floats cut off, out of range the nearest, NaN 0; to bool `x ~= 0`
---```lua
---tide.array{ 1.7, -1.7, 0 }:astype "int32"  --> [ 1 -1  0]
---```
---@param dtype tide.dtype
---@return tide.Array
function Array:astype(dtype) end

---```lua
---tide.empty(3):fill(7)  --> [7. 7. 7.]
---```
---@param value tide.element
---@return tide.Array
function Array:fill(value) end

---frees it at once; work under way completes
---
---Raises if it is closed.
---```lua
---a = tide.ones(3)
---a:close()
---(pcall(a.sum, a))                       --> false
---```
function Array:close() end

---the sum
---```lua
---tide.array{ 1, 2 } + 10  --> [11 12]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:add(y, options) end

---the sum
---```lua
---tide.array{ 1, 2 } + 10  --> [11 12]
---```
---@param y tide.operand
---@return tide.Array
function Array:add_(y) end

---the difference
---```lua
---10 - tide.array{ 1, 2 }  --> [9 8]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:sub(y, options) end

---the difference
---```lua
---10 - tide.array{ 1, 2 }  --> [9 8]
---```
---@param y tide.operand
---@return tide.Array
function Array:sub_(y) end

---the product
---```lua
---a = tide.array{ 1, 2 }
---a * a                                   --> [1 4]
---a:mul_(10)                              --> [10 20]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:mul(y, options) end

---the product
---```lua
---a = tide.array{ 1, 2 }
---a * a                                   --> [1 4]
---a:mul_(10)                              --> [10 20]
---```
---@param y tide.operand
---@return tide.Array
function Array:mul_(y) end

---the quotient; integers make `float64`
---```lua
---tide.array{ 1, 2 } / 2  --> [0.5 1. ]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:div(y, options) end

---the quotient; integers make `float64`
---```lua
---tide.array{ 1, 2 } / 2  --> [0.5 1. ]
---```
---@param y tide.operand
---@return tide.Array
function Array:div_(y) end

---the quotient, rounded down; an integer over 0 is 0
---```lua
---tide.array{ 7, -7 } // 2  --> [ 3 -4]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:floordiv(y, options) end

---the quotient, rounded down; an integer over 0 is 0
---```lua
---tide.array{ 7, -7 } // 2  --> [ 3 -4]
---```
---@param y tide.operand
---@return tide.Array
function Array:floordiv_(y) end

---the rest of it; the sign of `y`
---```lua
---tide.array{ 7, -7 } % 4  --> [3 1]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:mod(y, options) end

---the rest of it; the sign of `y`
---```lua
---tide.array{ 7, -7 } % 4  --> [3 1]
---```
---@param y tide.operand
---@return tide.Array
function Array:mod_(y) end

---negative powers of integers are rounded towards 0; by a number 2, 3, 0.5 or -1 it is [the product, root or inverse](../numpy.md#results)
---```lua
---tide.array{ 2, 3 } ^ 2  --> [4 9]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:pow(y, options) end

---negative powers of integers are rounded towards 0; by a number 2, 3, 0.5 or -1 it is [the product, root or inverse](../numpy.md#results)
---```lua
---tide.array{ 2, 3 } ^ 2  --> [4 9]
---```
---@param y tide.operand
---@return tide.Array
function Array:pow_(y) end

---the sign of `x`; an integer by 0 is 0
---```lua
---tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:fmod(y, options) end

---the sign of `x`; an integer by 0 is 0
---```lua
---tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]
---```
---@param y tide.operand
---@return tide.Array
function Array:fmod_(y) end

---the angle of the point (`y`, `x`); integers make `float64`
---```lua
---tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:atan2(y, options) end

---the angle of the point (`y`, `x`); integers make `float64`
---```lua
---tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]
---```
---@param y tide.operand
---@return tide.Array
function Array:atan2_(y) end

---likewise
---```lua
---tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:hypot(y, options) end

---likewise
---```lua
---tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]
---```
---@param y tide.operand
---@return tide.Array
function Array:hypot_(y) end

---likewise
---```lua
---tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:copysign(y, options) end

---likewise
---```lua
---tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]
---```
---@param y tide.operand
---@return tide.Array
function Array:copysign_(y) end

---log(exp(x) + exp(y)), which does not overflow; integers make `float64`
---```lua
---tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logaddexp(y, options) end

---log(exp(x) + exp(y)), which does not overflow; integers make `float64`
---```lua
---tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]
---```
---@param y tide.operand
---@return tide.Array
function Array:logaddexp_(y) end

---the same of base 2
---```lua
---tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logaddexp2(y, options) end

---the same of base 2
---```lua
---tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]
---```
---@param y tide.operand
---@return tide.Array
function Array:logaddexp2_(y) end

---x * 2^n, rounded once; `n` are integers, and the dtype is that of `x`
---```lua
---tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]
---```
---@param n tide.Array|integer
---@param options? tide.options.out
---@return tide.Array
function Array:ldexp(n, options) end

---x * 2^n, rounded once; `n` are integers, and the dtype is that of `x`
---```lua
---tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]
---```
---@param n tide.Array|integer
---@return tide.Array
function Array:ldexp_(n) end

---the next number of its dtype from `x` towards `y`
---```lua
---tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:nextafter(y, options) end

---the next number of its dtype from `x` towards `y`
---```lua
---tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]
---```
---@param y tide.operand
---@return tide.Array
function Array:nextafter_(y) end

---0 below 0, 1 above it, `y` where `x` is 0
---```lua
---tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:heaviside(y, options) end

---0 below 0, 1 above it, `y` where `x` is 0
---```lua
---tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]
---```
---@param y tide.operand
---@return tide.Array
function Array:heaviside_(y) end

---the greatest common divisor, of integers; without a sign
---```lua
---tide.array{ 12, -18 }:gcd(8)  --> [4 2]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:gcd(y, options) end

---the greatest common divisor, of integers; without a sign
---```lua
---tide.array{ 12, -18 }:gcd(8)  --> [4 2]
---```
---@param y tide.operand
---@return tide.Array
function Array:gcd_(y) end

---the least common multiple; likewise
---```lua
---tide.array{ 12, -18 }:lcm(8)  --> [24 72]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:lcm(y, options) end

---the least common multiple; likewise
---```lua
---tide.array{ 12, -18 }:lcm(8)  --> [24 72]
---```
---@param y tide.operand
---@return tide.Array
function Array:lcm_(y) end

---the greater one; NaN wins
---```lua
---tide.array{ 1, 5 }:maximum(3)  --> [3 5]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:maximum(y, options) end

---the greater one; NaN wins
---```lua
---tide.array{ 1, 5 }:maximum(3)  --> [3 5]
---```
---@param y tide.operand
---@return tide.Array
function Array:maximum_(y) end

---the lesser one; NaN wins
---```lua
---tide.array{ 1, 5 }:minimum(3)  --> [1 3]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:minimum(y, options) end

---the lesser one; NaN wins
---```lua
---tide.array{ 1, 5 }:minimum(3)  --> [1 3]
---```
---@param y tide.operand
---@return tide.Array
function Array:minimum_(y) end

---the greater one; NaN only of two
---```lua
---tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:fmax(y, options) end

---the greater one; NaN only of two
---```lua
---tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]
---```
---@param y tide.operand
---@return tide.Array
function Array:fmax_(y) end

---the lesser one; NaN only of two
---```lua
---tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:fmin(y, options) end

---the lesser one; NaN only of two
---```lua
---tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]
---```
---@param y tide.operand
---@return tide.Array
function Array:fmin_(y) end

---less; `bool`; in place for bool arrays
---```lua
---tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:lt(y, options) end

---less; `bool`; in place for bool arrays
---```lua
---tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]
---```
---@param y tide.operand
---@return tide.Array
function Array:lt_(y) end

---less or equal
---```lua
---tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:le(y, options) end

---less or equal
---```lua
---tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]
---```
---@param y tide.operand
---@return tide.Array
function Array:le_(y) end

---greater
---```lua
---tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:gt(y, options) end

---greater
---```lua
---tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:gt_(y) end

---greater or equal
---```lua
---tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:ge(y, options) end

---greater or equal
---```lua
---tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:ge_(y) end

---equal
---```lua
---tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:eq(y, options) end

---equal
---```lua
---tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]
---```
---@param y tide.operand
---@return tide.Array
function Array:eq_(y) end

---not equal
---```lua
---tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:ne(y, options) end

---not equal
---```lua
---tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:ne_(y) end

---bool and integers
---```lua
---tide.array{ 5, 6 } & 3  --> [1 2]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:band(y, options) end

---bool and integers
---```lua
---tide.array{ 5, 6 } & 3  --> [1 2]
---```
---@param y tide.operand
---@return tide.Array
function Array:band_(y) end

---likewise
---```lua
---tide.array{ 5, 6 } | 3  --> [7 7]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:bor(y, options) end

---likewise
---```lua
---tide.array{ 5, 6 } | 3  --> [7 7]
---```
---@param y tide.operand
---@return tide.Array
function Array:bor_(y) end

---likewise
---```lua
---tide.array{ 5, 6 } ~ 3  --> [6 5]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:bxor(y, options) end

---likewise
---```lua
---tide.array{ 5, 6 } ~ 3  --> [6 5]
---```
---@param y tide.operand
---@return tide.Array
function Array:bxor_(y) end

---integers, to the left
---```lua
---tide.array{ 5, 6 } << 1  --> [10 12]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:lshift(y, options) end

---integers, to the left
---```lua
---tide.array{ 5, 6 } << 1  --> [10 12]
---```
---@param y tide.operand
---@return tide.Array
function Array:lshift_(y) end

---integers, to the right; keeps the sign
---```lua
---tide.array{ 5, -6 } >> 1  --> [ 2 -3]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:rshift(y, options) end

---integers, to the right; keeps the sign
---```lua
---tide.array{ 5, -6 } >> 1  --> [ 2 -3]
---```
---@param y tide.operand
---@return tide.Array
function Array:rshift_(y) end

---`bool`, of whether they are 0; in place for bool arrays
---```lua
---tide.array{ 0, 2 }:logical_and(1)  --> [false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logical_and(y, options) end

---`bool`, of whether they are 0; in place for bool arrays
---```lua
---tide.array{ 0, 2 }:logical_and(1)  --> [false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:logical_and_(y) end

---likewise
---```lua
---tide.array{ 0, 2 }:logical_or(0)  --> [false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logical_or(y, options) end

---likewise
---```lua
---tide.array{ 0, 2 }:logical_or(0)  --> [false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:logical_or_(y) end

---likewise: one and not the other
---```lua
---tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logical_xor(y, options) end

---likewise: one and not the other
---```lua
---tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]
---```
---@param y tide.operand
---@return tide.Array
function Array:logical_xor_(y) end

---where they are equal, or `|a - b| <= atol + rtol * |b|`, `b` being finite: `bool`. It waits for nothing
---```lua
---tide.array{ 1., 2. }:isclose(1)  --> [ true false]
---```
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param rtol? number
---@param atol? number
---@param options? tide.options.rtol_atol_equal_nan_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array|number|boolean|table|tide.HostArray, rtol?: number, options?: tide.options.rtol_atol_equal_nan_out): tide.Array
---@overload fun(self: tide.Array, b: tide.Array|number|boolean|table|tide.HostArray, options?: tide.options.rtol_atol_equal_nan_out): tide.Array
function Array:isclose(b, rtol, atol, options) end

---whether they have one shape and equal elements; integers are compared exactly
---
---Waits for one byte.
---```lua
---tide.array_equal(tide.arange(3), { 0, 1, 2 })  --> true
---```
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param options? tide.options.equal_nan
---@return boolean
function Array:array_equal(b, options) end

---whether everywhere, once broadcast, they are equal or `|a - b| <= atol + rtol * |b|`, `b` being finite; `rtol` is 1e-5, `atol` 1e-8
---
---Waits for one byte.
---```lua
---a = tide.ones(3)
---a:allclose(a + 1e-9)                    --> true
---```
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param rtol? number
---@param atol? number
---@param options? tide.options.rtol_atol_equal_nan
---@return boolean
---@overload fun(self: tide.Array, b: tide.Array|number|boolean|table|tide.HostArray, rtol?: number, options?: tide.options.rtol_atol_equal_nan): boolean
---@overload fun(self: tide.Array, b: tide.Array|number|boolean|table|tide.HostArray, options?: tide.options.rtol_atol_equal_nan): boolean
function Array:allclose(b, rtol, atol, options) end

---with the other sign
---```lua
----tide.array{ 1, -2 }  --> [-1  2]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:neg(options) end

---with the other sign
---```lua
----tide.array{ 1, -2 }  --> [-1  2]
---```
---@return tide.Array
function Array:neg_() end

---without its sign; of complex numbers the modulus, a float
---```lua
---tide.array{ 1, -2 }:abs()  --> [1 2]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:abs(options) end

---without its sign; of complex numbers the modulus, a float
---```lua
---tide.array{ 1, -2 }:abs()  --> [1 2]
---```
---@return tide.Array
function Array:abs_() end

---x * x
---```lua
---tide.array{ 2, 3 }:square()  --> [4 9]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:square(options) end

---x * x
---```lua
---tide.array{ 2, 3 }:square()  --> [4 9]
---```
---@return tide.Array
function Array:square_() end

----1, 0 or 1; NaN of NaN
---```lua
---tide.array{ 5., -3., 0. }:sign()  --> [ 1. -1.  0.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sign(options) end

----1, 0 or 1; NaN of NaN
---```lua
---tide.array{ 5., -3., 0. }:sign()  --> [ 1. -1.  0.]
---```
---@return tide.Array
function Array:sign_() end

---1/x
---```lua
---tide.array{ 2, 4 }:reciprocal()  --> [0.5  0.25]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:reciprocal(options) end

---1/x
---```lua
---tide.array{ 2, 4 }:reciprocal()  --> [0.5  0.25]
---```
---@return tide.Array
function Array:reciprocal_() end

---the square root
---```lua
---tide.array{ 4, 9 }:sqrt()  --> [2. 3.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sqrt(options) end

---the square root
---```lua
---tide.array{ 4, 9 }:sqrt()  --> [2. 3.]
---```
---@return tide.Array
function Array:sqrt_() end

---1/sqrt(x)
---```lua
---tide.array{ 4, 16 }:rsqrt()  --> [0.5  0.25]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:rsqrt(options) end

---1/sqrt(x)
---```lua
---tide.array{ 4, 16 }:rsqrt()  --> [0.5  0.25]
---```
---@return tide.Array
function Array:rsqrt_() end

---the cube root
---```lua
---tide.array{ 8, 27 }:cbrt():round()  --> [2. 3.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:cbrt(options) end

---the cube root
---```lua
---tide.array{ 8, 27 }:cbrt():round()  --> [2. 3.]
---```
---@return tide.Array
function Array:cbrt_() end

---e to the power of x
---```lua
---tide.array{ 0, 1 }:exp()  --> [1.         2.71828183]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:exp(options) end

---e to the power of x
---```lua
---tide.array{ 0, 1 }:exp()  --> [1.         2.71828183]
---```
---@return tide.Array
function Array:exp_() end

---2 to the power of x
---```lua
---tide.array{ 1, 3 }:exp2()  --> [2. 8.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:exp2(options) end

---2 to the power of x
---```lua
---tide.array{ 1, 3 }:exp2()  --> [2. 8.]
---```
---@return tide.Array
function Array:exp2_() end

---exp(x) - 1, exact near 0
---```lua
---tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:expm1(options) end

---exp(x) - 1, exact near 0
---```lua
---tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]
---```
---@return tide.Array
function Array:expm1_() end

---the natural logarithm
---```lua
---tide.array{ 1, 10 }:log()  --> [0.         2.30258509]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log(options) end

---the natural logarithm
---```lua
---tide.array{ 1, 10 }:log()  --> [0.         2.30258509]
---```
---@return tide.Array
function Array:log_() end

---the logarithm of base 2
---```lua
---tide.array{ 1, 8 }:log2()  --> [0. 3.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log2(options) end

---the logarithm of base 2
---```lua
---tide.array{ 1, 8 }:log2()  --> [0. 3.]
---```
---@return tide.Array
function Array:log2_() end

---the logarithm of base 10
---```lua
---tide.array{ 1, 100 }:log10()  --> [0. 2.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log10(options) end

---the logarithm of base 10
---```lua
---tide.array{ 1, 100 }:log10()  --> [0. 2.]
---```
---@return tide.Array
function Array:log10_() end

---log(1 + x), exact near 0
---```lua
---tide.array{ 0., 1. }:log1p()  --> [0.         0.69314718]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log1p(options) end

---log(1 + x), exact near 0
---```lua
---tide.array{ 0., 1. }:log1p()  --> [0.         0.69314718]
---```
---@return tide.Array
function Array:log1p_() end

---the sine, of radians
---```lua
---tide.array{ 0, 1 }:sin()  --> [0.         0.84147098]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sin(options) end

---the sine, of radians
---```lua
---tide.array{ 0, 1 }:sin()  --> [0.         0.84147098]
---```
---@return tide.Array
function Array:sin_() end

---the cosine, of radians
---```lua
---tide.array{ 0, 1 }:cos()  --> [1.         0.54030231]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:cos(options) end

---the cosine, of radians
---```lua
---tide.array{ 0, 1 }:cos()  --> [1.         0.54030231]
---```
---@return tide.Array
function Array:cos_() end

---the tangent, of radians
---```lua
---tide.array{ 0, 1 }:tan()  --> [0.         1.55740772]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:tan(options) end

---the tangent, of radians
---```lua
---tide.array{ 0, 1 }:tan()  --> [0.         1.55740772]
---```
---@return tide.Array
function Array:tan_() end

---the arc sine, in radians
---```lua
---tide.array{ 0, 1 }:asin()  --> [0.         1.57079633]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:asin(options) end

---the arc sine, in radians
---```lua
---tide.array{ 0, 1 }:asin()  --> [0.         1.57079633]
---```
---@return tide.Array
function Array:asin_() end

---the arc cosine, in radians
---```lua
---tide.array{ 1, 0 }:acos()  --> [0.         1.57079633]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:acos(options) end

---the arc cosine, in radians
---```lua
---tide.array{ 1, 0 }:acos()  --> [0.         1.57079633]
---```
---@return tide.Array
function Array:acos_() end

---the arc tangent, in radians
---```lua
---tide.array{ 0, 1 }:atan()  --> [0.         0.78539816]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:atan(options) end

---the arc tangent, in radians
---```lua
---tide.array{ 0, 1 }:atan()  --> [0.         0.78539816]
---```
---@return tide.Array
function Array:atan_() end

---the hyperbolic sine
---```lua
---tide.array{ 0, 1 }:sinh()  --> [0.         1.17520119]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sinh(options) end

---the hyperbolic sine
---```lua
---tide.array{ 0, 1 }:sinh()  --> [0.         1.17520119]
---```
---@return tide.Array
function Array:sinh_() end

---the hyperbolic cosine
---```lua
---tide.array{ 0, 1 }:cosh()  --> [1.         1.54308063]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:cosh(options) end

---the hyperbolic cosine
---```lua
---tide.array{ 0, 1 }:cosh()  --> [1.         1.54308063]
---```
---@return tide.Array
function Array:cosh_() end

---the hyperbolic tangent
---```lua
---tide.array{ 0, 1 }:tanh()  --> [0.         0.76159416]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:tanh(options) end

---the hyperbolic tangent
---```lua
---tide.array{ 0, 1 }:tanh()  --> [0.         0.76159416]
---```
---@return tide.Array
function Array:tanh_() end

---the inverse of `sinh`
---```lua
---tide.array{ 0, 1 }:asinh()  --> [0.         0.88137359]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:asinh(options) end

---the inverse of `sinh`
---```lua
---tide.array{ 0, 1 }:asinh()  --> [0.         0.88137359]
---```
---@return tide.Array
function Array:asinh_() end

---the inverse of `cosh`
---```lua
---tide.array{ 1, 2 }:acosh()  --> [0.        1.3169579]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:acosh(options) end

---the inverse of `cosh`
---```lua
---tide.array{ 1, 2 }:acosh()  --> [0.        1.3169579]
---```
---@return tide.Array
function Array:acosh_() end

---the inverse of `tanh`
---```lua
---tide.array{ 0, 0.5 }:atanh()  --> [0.         0.54930614]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:atanh(options) end

---the inverse of `tanh`
---```lua
---tide.array{ 0, 0.5 }:atanh()  --> [0.         0.54930614]
---```
---@return tide.Array
function Array:atanh_() end

---the error function
---```lua
---tide.array{ 0., 1. }:erf()  --> [0.         0.84270079]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:erf(options) end

---the error function
---```lua
---tide.array{ 0., 1. }:erf()  --> [0.         0.84270079]
---```
---@return tide.Array
function Array:erf_() end

---1 - erf(x), exact far out
---```lua
---tide.array{ 0., 3. }:erfc()  --> [1.0000000e+00 2.2090497e-05]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:erfc(options) end

---1 - erf(x), exact far out
---```lua
---tide.array{ 0., 3. }:erfc()  --> [1.0000000e+00 2.2090497e-05]
---```
---@return tide.Array
function Array:erfc_() end

---the inverse of `erf`
---```lua
---tide.array{ 0., 0.5, 1. }:erfinv()  --> [0.         0.47693628        inf]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:erfinv(options) end

---the inverse of `erf`
---```lua
---tide.array{ 0., 0.5, 1. }:erfinv()  --> [0.         0.47693628        inf]
---```
---@return tide.Array
function Array:erfinv_() end

---the gamma function: of `n + 1` it is `n!`
---```lua
---tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:gamma(options) end

---the gamma function: of `n + 1` it is `n!`
---```lua
---tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]
---```
---@return tide.Array
function Array:gamma_() end

---the logarithm of its absolute value; right to digits of 1, not of the result, beside zeros below -2
---```lua
---tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:lgamma(options) end

---the logarithm of its absolute value; right to digits of 1, not of the result, beside zeros below -2
---```lua
---tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]
---```
---@return tide.Array
function Array:lgamma_() end

---sin(pi x) / (pi x); 1 of 0
---```lua
---tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sinc(options) end

---sin(pi x) / (pi x); 1 of 0
---```lua
---tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]
---```
---@return tide.Array
function Array:sinc_() end

---1 / (1 + exp(-x)), to all its digits where it is small
---```lua
---tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sigmoid(options) end

---1 / (1 + exp(-x)), to all its digits where it is small
---```lua
---tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]
---```
---@return tide.Array
function Array:sigmoid_() end

---log(1 + exp(x)), which does not overflow
---```lua
---tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:softplus(options) end

---log(1 + exp(x)), which does not overflow
---```lua
---tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]
---```
---@return tide.Array
function Array:softplus_() end

---of radians
---```lua
---tide.array{ math.pi }:degrees()  --> [180.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:degrees(options) end

---of radians
---```lua
---tide.array{ math.pi }:degrees()  --> [180.]
---```
---@return tide.Array
function Array:degrees_() end

---of degrees
---```lua
---tide.array{ 180 }:radians()  --> [3.14159265]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:radians(options) end

---of degrees
---```lua
---tide.array{ 180 }:radians()  --> [3.14159265]
---```
---@return tide.Array
function Array:radians_() end

---down to an integer
---```lua
---tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:floor(options) end

---down to an integer
---```lua
---tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]
---```
---@return tide.Array
function Array:floor_() end

---up to an integer
---```lua
---tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:ceil(options) end

---up to an integer
---```lua
---tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]
---```
---@return tide.Array
function Array:ceil_() end

---towards 0
---```lua
---tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:trunc(options) end

---towards 0
---```lua
---tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]
---```
---@return tide.Array
function Array:trunc_() end

---to the nearest integer, of two the even one. With decimals `x` is scaled, rounded and scaled back, as NumPy does
---```lua
---tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
---tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
---tide.array{ 155, 12 }:round(-1)         --> [160  10]
---```
---@param decimals? integer how many stay; those of integers if it is negative
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.out): tide.Array
function Array:round(decimals, options) end

---to the nearest integer, of two the even one. With decimals `x` is scaled, rounded and scaled back, as NumPy does
---```lua
---tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
---tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
---tide.array{ 155, 12 }:round(-1)         --> [160  10]
---```
---@param decimals integer how many stay; those of integers if it is negative
---@return tide.Array
function Array:round_(decimals) end

---every bit the other way; bool and integers
---```lua
---~tide.array{ 0, 5 }  --> [-1 -6]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:bnot(options) end

---every bit the other way; bool and integers
---```lua
---~tide.array{ 0, 5 }  --> [-1 -6]
---```
---@return tide.Array
function Array:bnot_() end

---whether it is 0; `bool`
---```lua
---tide.array{ 0, 5 }:logical_not()  --> [ true false]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:logical_not(options) end

---whether it is 0; `bool`
---```lua
---tide.array{ 0, 5 }:logical_not()  --> [ true false]
---```
---@return tide.Array
function Array:logical_not_() end

---+x, a copy
---```lua
---tide.array{ 1, -2 }:positive()  --> [ 1 -2]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:positive(options) end

---whether it has the sign, as -0.0 does and NaNs may; `bool`
---```lua
---tide.array{ 1., -0.0 }:signbit()  --> [false  true]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:signbit(options) end

---whether it has the sign, as -0.0 does and NaNs may; `bool`
---```lua
---tide.array{ 1., -0.0 }:signbit()  --> [false  true]
---```
---@return tide.Array
function Array:signbit_() end

---whether it is NaN; `bool`
---```lua
---tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:isnan(options) end

---whether it is NaN; `bool`
---```lua
---tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]
---```
---@return tide.Array
function Array:isnan_() end

---with the other sign of the imaginary part; of real numbers themselves
---```lua
---tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:conj(options) end

---with the other sign of the imaginary part; of real numbers themselves
---```lua
---tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]
---```
---@return tide.Array
function Array:conj_() end

---the real part: a float of complex numbers; real ones themselves
---```lua
---tide.array{ tide.complex(1, 2) }:real()  --> [1.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:real(options) end

---the real part: a float of complex numbers; real ones themselves
---```lua
---tide.array{ tide.complex(1, 2) }:real()  --> [1.]
---```
---@return tide.Array
function Array:real_() end

---the imaginary part: likewise; 0 of real ones
---```lua
---tide.array{ tide.complex(1, 2) }:imag()  --> [2.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:imag(options) end

---the imaginary part: likewise; 0 of real ones
---```lua
---tide.array{ tide.complex(1, 2) }:imag()  --> [2.]
---```
---@return tide.Array
function Array:imag_() end

---whether it is infinite; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:isinf(options) end

---whether it is infinite; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]
---```
---@return tide.Array
function Array:isinf_() end

---whether it is neither infinite nor NaN; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:isfinite(options) end

---whether it is neither infinite nor NaN; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]
---```
---@return tide.Array
function Array:isfinite_() end

---the fraction and the whole number; both have the sign of `x`
---```lua
---fraction, whole = tide.array{ 1.5, -2.25 }:modf()
---fraction                                --> [ 0.5  -0.25]
---whole                                   --> [ 1. -2.]
---```
---@param options? tide.options.Array_modf
---@return tide.Array
---@return tide.Array
function Array:modf(options) end

---the mantissa, from 0.5 and below 1, and the exponent, an `int32`: `x` is `mantissa * 2^exponent`
---```lua
---mantissa, exponent = tide.array{ 8., 0.75 }:frexp()
---mantissa                                --> [0.5  0.75]
---exponent                                --> [4 0]
---```
---@param options? tide.options.Array_modf
---@return tide.Array
---@return tide.Array
function Array:frexp(options) end

---of `x` where `c` is not 0, else of `y`, each an array or a number
---```lua
---a = tide.array{ 1, -2, 3 }
---tide.where(a:gt(0), a, 0)               --> [1 0 3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:where(x, y, options) end

---for each axis the indices of the elements that are not 0, in order. `tide.where(a)` of one argument is the same
---
---Waits for their number, unless `size` says it.
---
---Returns: of int64, as many as there are axes.
---```lua
---a = tide.array{ { 0, 5 }, { 6, 0 } }
---i, j = a:nonzero()
---i                                       --> [1 2]
---j                                       --> [2 1]
---tide.nonzero(a[1], { size = 3 })        --> [2 0 0]
---```
---@param options? tide.options.base_size_fill
---@return tide.Array
function Array:nonzero(options) end

---not below `lo`, not above `hi`: numbers or arrays. Either may be nil; without both the result is a copy. NaN stays
---```lua
---tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]
---```
---@param lo? tide.operand
---@param hi? tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:clip(lo, hi, options) end

---not below `lo`, not above `hi`: numbers or arrays. Either may be nil; without both the result is a copy. NaN stays
---```lua
---tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]
---```
---@param lo tide.operand
---@param hi tide.operand
---@return tide.Array
function Array:clip_(lo, hi) end

---NaN and infinities become these numbers
---```lua
---tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]
---```
---@param nan? number
---@param posinf? number the greatest number of the dtype
---@param neginf? number the least one
---@param options? tide.options.nan_posinf_neginf_out
---@return tide.Array
---@overload fun(self: tide.Array, nan?: number, posinf?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(self: tide.Array, nan?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.nan_posinf_neginf_out): tide.Array
function Array:nan_to_num(nan, posinf, neginf, options) end

---NaN and infinities become these numbers
---```lua
---tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]
---```
---@param nan number
---@param posinf number the greatest number of the dtype
---@param neginf number the least one
---@return tide.Array
function Array:nan_to_num_(nan, posinf, neginf) end

---the elements at the indices or, along an axis, the slices; the result has the shape of the indices in place of the axis. Without an axis, of the flattened array. Indices count from 1, from the end if negative: an integer, a table or an array of integers. One out of range raises; in an array only the device sees it, and the error, which names the line of the call, comes from whoever waits next for the result or its stream
---```lua
---tide.array{ 10, 20, 30 }:take{ 3, 1, 1 }  --> [30 10 10]
---```
---@param indices integer|integer[]|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode_out
---@return tide.Array
---@overload fun(self: tide.Array, indices: integer|integer[]|tide.Array, options?: tide.options.axis_base_mode_out): tide.Array
function Array:take(indices, axis, options) end

---the elements for which the bool array `m` of the same shape is true, in order; with fewer axes, the slices of the last ones
---
---Waits for their number, unless `size` says it.
---```lua
---a = tide.array{ 1, -2, 3 }
---a:mask(a:gt(0))                         --> [1 3]
---a:mask(a:gt(0), { size = 3 })           --> [1 3 0]
---```
---@param m tide.Array
---@param options? tide.options.size_fill_out
---@return tide.Array
function Array:mask(m, options) end

---writes what `take` would read: the elements of the flattened array at the indices, with values one after the other, again from the first one if they are fewer; along an axis the slices, to which the values are broadcast. Of equal indices the last one wins. At a mask, those elements or slices where it is true, one after the other
---
---Waits if an array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; then nothing is written for it. As late, if there are values for a mask that is true more often, or less.
---
---Returns: `a`.
---```lua
---tide.zeros(4):put({ 2, -1, 2 }, { 5, 6, 7 })        --> [0. 7. 0. 6.]
---tide.zeros{ 2, 2 }:put({ 1 }, 3, 2)[2]              --> [3. 0.]
---```
---@param indices integer|integer[]|tide.Array or a bool array, without axis and options
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(self: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function Array:put(indices, values, axis, options) end

---for each index the element there, in its own line along the axis, the last one by default: `a:take_along_axis(a:argsort())` is sorted. Other axes broadcast
---
---Returns: of the shape of the indices.
---```lua
---a = tide.array{ { 3, 4 }, { 5, 6 } }
---a:take_along_axis{ { 2 }, { 1 } }:flatten()         --> [4 5]
---```
---@param indices table|tide.Array
---@param axis? integer
---@param options? tide.options.Array_take_along_axis
---@return tide.Array
---@overload fun(self: tide.Array, indices: table|tide.Array, options?: tide.options.Array_take_along_axis): tide.Array
function Array:take_along_axis(indices, axis, options) end

---writes what `take_along_axis` would read; of equal indices the last one wins
---
---Waits if an array stands for a number in a table.
---
---Returns: `a`.
---```lua
---a = tide.array{ { 3, 4 }, { 5, 6 } }
---a:put_along_axis(a:argmax(2, { keepdims = true }), 0)
---a:flatten()                             --> [3 0 5 0]
---```
---@param indices table|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer
---@param options? tide.options.Array_put_along_axis
---@return tide.Array
---@overload fun(self: tide.Array, indices: table|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.Array_put_along_axis): tide.Array
function Array:put_along_axis(indices, values, axis, options) end

---adds the values to what `take` would read: to the elements of the flattened array at the indices, or along an axis to the slices. Values are broadcast to that, and all of those with equal indices are added. Floats are added in float64 and rounded once, in the same order every time; integers wrap
---
---Waits if an array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; then nothing is added for it.
---
---Returns: `a`.
---```lua
---tide.zeros(3):scatter_add({ 1, 3, 1 }, { 5, 6, 7 }) --> [12. 0. 6.]
---tide.zeros(3, "int32"):scatter_add({ 1, 3, 1 }, 1)  --> [2 0 1]
---```
---@param indices integer|integer[]|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(self: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function Array:scatter_add(indices, values, axis, options) end

---the same with the least, or the greatest, of what is there and all that comes to it. NaN is either
---
---Waits if an array stands for a number in a table.
---
---Returns: `a`.
---```lua
---tide.full(2, 5):scatter_min({ 1, 2, 1 }, { 7, 4, 3 })  --> [3 4]
---```
---@param indices integer|integer[]|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(self: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function Array:scatter_min(indices, values, axis, options) end

---the same with the least, or the greatest, of what is there and all that comes to it. NaN is either
---
---Waits if an array stands for a number in a table.
---
---Returns: `a`.
---```lua
---tide.full(2, 5):scatter_min({ 1, 2, 1 }, { 7, 4, 3 })  --> [3 4]
---```
---@param indices integer|integer[]|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(self: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function Array:scatter_max(indices, values, axis, options) end

---of the matrices in the last two axes; the others are those of a batch and broadcast. A vector is a row on the left, a column on the right, and that axis is not in the result
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ 1, 1 })  --> [3 7]
---```
---@param b tide.Array
---@param options? tide.options.accumulate_out_tf32
---@return tide.Array
function Array:matmul(b, options) end

---of two vectors the sum of the products, of matrices `matmul`, with a 0-d array `mul`; else over the last axis of `a` and the last but one of `b`
---```lua
---tide.array{ 1, 2, 3 }:dot(tide.array{ 4, 5, 6 }):item()  --> 32
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:dot(b, options) end

---the sums of the products over the last axis of each; a 0-d array multiplies all elements
---
---Raises unless those axes have one length.
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:inner(tide.array{ 1, 1 })  --> [3 7]
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:inner(b, options) end

---each element of `a` times each of `b`: a row for each of `a`, whatever the shapes
---```lua
---tide.array{ 1, 2 }:outer(tide.array{ 3, 4 })[2]  --> [6 8]
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:outer(b, options) end

---the sums of the products over one axis of both, the last one by default; `a` is conjugated, and the other axes broadcast
---
---Raises unless those axes have one length.
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:vecdot(a)                             --> [ 5 25]
---a:vecdot(a, 1)                          --> [10 20]
---```
---@param b tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:vecdot(b, axis, options) end

---the sums of the products over the last `n` axes of `a` and the first of `b`; or over the axes in a table of two, each an axis or a list. The other axes of `a` come first
---
---Raises unless the axes that go together have one length.
---```lua
---a, b = tide.ones{ 2, 3, 4 }, tide.ones{ 4, 3, 5 }
---a:tensordot(b, 1).shape                 --> {2, 3, 3, 5}
---a:tensordot(b, { { 2, 3 }, { 2, 1 } })[1]  --> [12. 12. 12. 12. 12.]
---```
---@param b tide.Array
---@param n? integer|table how many axes, or { axes of a, axes of b }
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.out): tide.Array
function Array:tensordot(b, n, options) end

---`b` times each element of `a`, as blocks in its place
---```lua
---tide.eye(2, "int8"):kron(tide.array({ 1, 2 }, "int8"))[2]  --> [0 0 1 2]
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:kron(b, options) end

---the cross products of vectors of three along one axis of both, the last one by default; the other axes broadcast
---
---Raises unless that axis has three elements; of bools.
---```lua
---tide.array{ 1, 0, 0 }:cross(tide.array{ 0, 1, 0 })  --> [0 0 1]
---```
---@param b tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:cross(b, axis, options) end

---of vectors, the sums of `a[i - p] * b[p]`: for all places where they overlap (`"full"`), for as many as the longer one has (`"same"`), or for those where the shorter one lies inside (`"valid"`). Computed directly, in the dtype of both
---
---Raises unless both are vectors with elements.
---```lua
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 })  --> [1 3 5 3]
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 }, "valid")  --> [3 5]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" how far they overlap
---@param options? tide.options.mode_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.mode_out): tide.Array
function Array:convolve(b, mode, options) end

---of vectors, the sums of `a[i + p] * b[p]`, `b` conjugated
---
---Raises unless both are vectors with elements.
---```lua
---tide.array{ 1, 2, 3 }:correlate(tide.array{ 0, 1 })  --> [2 3]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" likewise
---@param options? tide.options.Array_correlate
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.Array_correlate): tide.Array
function Array:correlate(b, mode, options) end

---the same of matrices, as SciPy's: `"same"` is as large as `a`; around `a` there is 0
---
---Raises unless both are matrices with elements.
---```lua
---tide.ones({ 3, 3 }, "int8"):convolve2d(tide.ones({ 3, 3 }, "int8"), "same")[1]  --> [4 6 4]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" how far they overlap
---@param options? tide.options.mode_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.mode_out): tide.Array
function Array:convolve2d(b, mode, options) end

---the same of matrices, `b` conjugated
---
---Raises unless both are matrices with elements.
---```lua
---tide.eye(2):correlate2d(tide.array{ { 1, 2 }, { 3, 4 } }, "valid")[1]  --> [5.]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" how far they overlap
---@param options? tide.options.mode_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.mode_out): tide.Array
function Array:correlate2d(b, mode, options) end

---the sums of the diagonals that `diagonal` gives
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:trace():item()  --> 5
---```
---@param k? integer
---@param axes? integer[]
---@param options? tide.options.dtype_out
---@return tide.Array
---@overload fun(self: tide.Array, axes?: integer[], options?: tide.options.dtype_out): tide.Array
---@overload fun(self: tide.Array, k?: integer, options?: tide.options.dtype_out): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.dtype_out): tide.Array
function Array:trace(k, axes, options) end

---norms of vectors along one axis, of matrices along two axes (rows, columns); along three axes or more, the norm of all elements as a vector. Without axes the norm is that of `a`, and without an order that of all its elements. Orders of vectors: 2 (the default) is the root of the sum of squares, `math.huge` and `-math.huge` are the greatest and the least absolute value, 0 is the number of elements that are not 0, others are `sum(abs(x) ^ ord) ^ (1 / ord)`. Orders of matrices: `"fro"` (the default) is the root of the sum of squares; 1 and -1 are the greatest and the least sum of absolute values of a column, `math.huge` and `-math.huge` of a row. The result of floats has their dtype, that of complex numbers the dtype of their parts, others `float64`
---
---Raises of the norms of matrices that need singular values: 2, -2.
---```lua
---tide.array{ 3, 4 }:norm():item()        --> 5.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(1):item()  --> 6.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(math.huge, 2)  --> [2. 4.]
---```
---@param ord? number|"fro"
---@param axes? tide.axes
---@param options? tide.options.ord_axis_keepdims_out
---@return tide.Array
---@overload fun(self: tide.Array, axes?: tide.axes, options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(self: tide.Array, ord?: number|"fro", options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.ord_axis_keepdims_out): tide.Array
function Array:norm(ord, axes, options) end

---`exp(a)` over its sum along an axis, the last one by default; computed of what each element is below the greatest, so it does not overflow. Integers make `float64`
---
---Raises of complex numbers; of an array of no axes.
---```lua
---tide.array{ 0., 1000., 1000. }:softmax()  --> [0.  0.5 0.5]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:softmax(axis, options) end

---the logarithms of that, finite also where it is 0
---
---Raises of complex numbers; of an array of no axes.
---```lua
---tide.array{ 0., 1000. }:logsoftmax()  --> [-1000.     0.]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:logsoftmax(axis, options) end

---a sorted copy; along the last axis by default. NaN is greater than all else
---```lua
---tide.array{ 3, 1, 2 }:sort()            --> [1 2 3]
---tide.array{ 3, 1, 2 }:sort{ descending = true } --> [3 2 1]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function Array:sort(axis, options) end

---`int64`: the places, from 1, of the elements in order; of equal ones the first one first, also where the greatest comes first
---```lua
---tide.array{ 30, 10, 20 }:argsort()  --> [2 3 1]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function Array:argsort(axis, options) end

---the `k` greatest elements along the last axis or another one, the greatest first, and as `int64` their places, from 1; of equal ones the first one first. NaN is greater than all else
---```lua
---values, places = tide.array{ 3, 9, 5 }:topk(2)
---values                                  --> [9 5]
---places                                  --> [2 3]
---```
---@param k integer
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_largest
---@return tide.Array
---@return tide.Array
---@overload fun(self: tide.Array, k: integer, options?: tide.options.axis_largest): tide.Array, tide.Array
function Array:topk(k, axis, options) end

---the different elements of `a` in order, and as it is asked for: the places where each is first, from 1, in `a` as 1-d; in the shape of `a`, which of them each element is; how many there are of each
---
---Waits if there is no `size`: for their number.
---
---Returns: the values, then as many as are asked for, in the order of the options.
---```lua
---values, counts = tide.array{ 3, 1, 3 }:unique{ return_counts = true }
---values                                  --> [1 3]
---counts                                  --> [1 2]
---```
---@param options? tide.options.Array_unique
---@return tide.Array
function Array:unique(options) end

---the different elements in order; each NaN is one, here and in the next ones
---
---Waits for their number.
---```lua
---tide.array{ 3, 1, 3 }:unique_values()  --> [1 3]
---```
---@return tide.Array
function Array:unique_values() end

---these, and how many there are of each
---
---Waits for their number.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_counts())  --> [1 2]
---```
---@return tide.Array
---@return tide.Array
function Array:unique_counts() end

---these, and which of them each element is
---
---Waits for their number.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_inverse())  --> [2 1 2]
---```
---@return tide.Array
---@return tide.Array
function Array:unique_inverse() end

---these, where each is first, which of them each element is, how many there are of each
---
---Waits for their number.
---```lua
---values, places = tide.array{ 3, 1, 3 }:unique_all()
---places                                  --> [2 1]
---```
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@return tide.Array
function Array:unique_all() end

---how often each integer from `base` on is there, up to the greatest one, as `int64`; or what the weights of its elements come to, as `float64`
---
---Waits if there is no `size`: for the greatest element.
---
---Raises without `size`, if an element is below `base`.
---```lua
---tide.array{ 1, 3, 1 }:bincount()        --> [2 0 1]
---tide.array{ 0, 2, 0 }:bincount{ base = 0 } --> [2 0 1]
---```
---@param weights? tide.Array one for each element
---@param options? tide.options.base_minlength_out_size
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.base_minlength_out_size): tide.Array
function Array:bincount(weights, options) end

---how many elements are in each bin, as `int64`, or what their weights come to, in the dtype of these; and the edges. Each bin is from its first edge up to, not including, the next, the last one with its last
---```lua
---counts, edges = tide.array{ 1, 2, 2, 5 }:histogram(2)
---counts                                  --> [3 1]
---edges                                   --> [1. 3. 5.]
---```
---@param bins? integer|number[]|tide.Array how many bins of one width, or their edges, sorted
---@param options? tide.options.density_range_weights
---@return tide.Array
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.density_range_weights): tide.Array, tide.Array
function Array:histogram(bins, options) end

---how many points, whose first coordinates are in `a` and second ones in `b`, are in each cell: a row for each bin of `a`; the edges of both
---```lua
---counts = tide.array{ 1, 1, 2 }:histogram2d(tide.array{ 5, 6, 6 }, 2)
---counts[1]                               --> [1 1]
---```
---@param b tide.Array
---@param bins? integer|table|tide.Array as `histogram` has them, or a list of two
---@param options? tide.options.Array_histogram2d
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.Array_histogram2d): tide.Array, tide.Array, tide.Array
function Array:histogram2d(b, bins, options) end

---`int64`: the number of the bin that each element is in, from 1: of the last edge that is not above it. 0 below all edges
---```lua
---tide.array{ 0.5, 2, 9 }:digitize{ 1, 2, 3 }  --> [0 2 3]
---```
---@param edges number[]|tide.Array sorted
---@param options? tide.options.descending_out_right
---@return tide.Array
function Array:digitize(edges, options) end

---`int64`: before which element of `a`, which is sorted and has one axis, each of `v` is to be inserted so that it stays sorted; from 1
---```lua
---tide.array{ 10, 20, 20, 30 }:searchsorted{ 20, 99 } --> [2 5]
---tide.array{ 10, 20, 20, 30 }:searchsorted({ 20, 99 }, { side = "right" }) --> [4 5]
---```
---@param v tide.operand|table of any shape
---@param options? tide.options.out_side_sorter
---@return tide.Array
function Array:searchsorted(v, options) end

---`bool`: which elements are equal to one of `values`; a number is compared as by `eq`. NaN is equal to none
---```lua
---tide.array{ 1, 2, 3 }:isin{ 3, 1 }      --> [ true false true]
---tide.array{ 1, 2, 3 }:isin({ 3, 1 }, { invert = true })  --> [false  true false]
---```
---@param values tide.operand|table of any shape
---@param options? tide.options.invert_out
---@return tide.Array
function Array:isin(values, options) end

---for each element the number at that place of the line through points, as `float64`; beyond them that of the nearest one
---```lua
---tide.array{ 1.5, 9 }:interp({ 1, 2 }, { 10, 30 })  --> [20. 30.]
---```
---@param xs number[]|tide.Array where the points are, sorted
---@param ys number[]|tide.Array a number for each of them
---@param options? tide.options.left_out_period_right
---@return tide.Array
function Array:interp(xs, ys, options) end

---each element with all before it along the axis; without one, of the flattened array. dtypes as `sum`; floats are added in `float64`. The same result every time
---```lua
---tide.array{ 1, 2, 3 }:cumsum()          --> [1 3 6]
---tide.array{ 1, 2, 3 }:cumsum{ include_initial = true } --> [0 1 3 6]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function Array:cumsum(axis, options) end

---likewise the product
---```lua
---tide.array{ 1, 2, 3 }:cumprod()  --> [1 2 6]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function Array:cumprod(axis, options) end

---the greatest element up to each; the dtype of `a`. Behind a NaN all is NaN
---```lua
---tide.array{ 1, 3, 2 }:cummax()  --> [1 3 3]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:cummax(axis, options) end

---likewise the least one
---```lua
---tide.array{ 2, 3, 1 }:cummin()  --> [2 2 1]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:cummin(axis, options) end

---each element less the one before it, along the last axis by default; of bools, whether they differ
---```lua
---tide.array{ 1, 4, 9 }:diff()            --> [3 5]
---tide.array{ 1, 4, 9 }:diff{ prepend = 0 } --> [1 3 5]
---```
---@param n? integer how many times
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_prepend_append
---@return tide.Array
---@overload fun(self: tide.Array, axis?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(self: tide.Array, n?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_prepend_append): tide.Array
function Array:diff(n, axis, options) end

---the area under lines from each element to the next
---```lua
---tide.array{ 1, 2, 3 }:trapezoid():item()  --> 4.0
---```
---@param x? tide.Array where the elements were measured
---@param options? tide.options.axis_dx_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_dx_out): tide.Array
function Array:trapezoid(x, options) end

---the sum: `int64` of bool and signed integers, `uint64` of unsigned ones, else the dtype of `a`; floats are added in `float64`
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:sum():item()                          --> 10
---a:sum(1)                                --> [4 6]
---a:sum{ axis = 2, keepdims = true }.shape --> {2, 1}
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:sum(axis, options) end

---likewise the product
---```lua
---tide.array{ 2, 3, 4 }:prod():item()  --> 24
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:prod(axis, options) end

---the mean: the dtype of floats and complex numbers, else `float64`; NaN without elements
---```lua
---tide.array{ 1, 2 }:mean():item()  --> 1.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:mean(axis, options) end

---the mean of the squared distances from the mean
---```lua
---tide.array{ 1, 2, 3, 4 }:var():item()  --> 1.25
---```
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.Array_var): tide.Array
function Array:var(axis, options) end

---its root: the standard deviation
---```lua
---tide.array{ 1, 3 }:std():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.Array_var): tide.Array
function Array:std(axis, options) end

---the least element; NaN wins
---
---Raises without elements.
---```lua
---tide.array{ 3, 1, 2 }:min():item()  --> 1
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:min(axis, options) end

---the greatest; likewise
---
---Raises without elements.
---```lua
---tide.array{ 3, 1, 2 }:max():item()  --> 3
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:max(axis, options) end

---`int64`: where the least element is, from 1, the first of equals; along one axis, or in `a` as 1-d. NaN wins
---```lua
---tide.array{ 3, 1, 2 }:argmin():item()  --> 2
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:argmin(axis, options) end

---where the greatest is
---```lua
---tide.array{ 3, 1, 2 }:argmax():item()  --> 1
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:argmax(axis, options) end

---whether any element is not 0; `bool`
---```lua
---tide.array{ 0, 1 }:any():item()  --> true
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:any(axis, options) end

---whether no element is 0; `bool`
---```lua
---tide.array{ 0, 1 }:all():item()  --> false
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:all(axis, options) end

---how many elements are not 0; `int64`
---```lua
---tide.array{ 0, 1, 2 }:count_nonzero():item()  --> 2
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:count_nonzero(axis, options) end

---the element in the middle, or the mean of both; the dtype of floats, else `float64`; NaN where one is, or without elements
---```lua
---tide.array{ 3, 1, 2, 9 }:median():item()  --> 2.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:median(axis, options) end

---what a share `q` of the elements is not above, along an axis, several, or all of them; the dtype of floats, else `float64`, or that of `a` by methods that choose an element. NaN where one is
---
---Waits if `q` is an array.
---
---Raises without elements, where the result has no NaN.
---```lua
---a = tide.array{ 4, 1, 3, 2 }
---a:quantile(0.5):item()                  --> 2.5
---a:quantile({ 0, 1 }, { method = "lower" }) --> [1 4]
---```
---@param q number|number[]|tide.Array from 0 to 1; a list adds a first axis to the result
---@param axis? tide.axes
---@param options? tide.options.axis_keepdims_method_out
---@return tide.Array
---@overload fun(self: tide.Array, q: number|number[]|tide.Array, options?: tide.options.axis_keepdims_method_out): tide.Array
function Array:quantile(q, axis, options) end

---likewise by percent
---
---Waits if `q` is an array.
---
---Raises without elements, where the result has no NaN.
---```lua
---tide.array{ 4, 1, 3, 2 }:percentile(100):item()  --> 4.0
---```
---@param q number|number[]|tide.Array from 0 to 100
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(self: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function Array:percentile(q, axis, options) end

---the greatest element less the least
---
---Raises without elements.
---```lua
---tide.array{ 3, 1, 2 }:ptp():item()  --> 2
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:ptp(axis, options) end

---the mean, each element counting as much as its weight; NaN where the weights come to 0
---```lua
---tide.array{ 1, 3 }:average{ weights = tide.array{ 3, 1 } }:item()  --> 1.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_weights
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_weights): tide.Array
function Array:average(axis, options) end

---`sum` of what is no NaN; 0 if there is nothing else
---```lua
---tide.array{ 1, 0/0, 2 }:nansum():item()  --> 3.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:nansum(axis, options) end

---likewise `prod`; 1 if there is nothing else
---```lua
---tide.array{ 3, 0/0, 2 }:nanprod():item()  --> 6.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:nanprod(axis, options) end

---likewise `mean`; NaN if there is nothing else, here and in the next ones
---```lua
---tide.array{ 1, 0/0, 2 }:nanmean():item()  --> 1.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanmean(axis, options) end

---likewise `var`
---```lua
---tide.array{ 1, 0/0, 3 }:nanvar():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function Array:nanvar(axis, options) end

---likewise `std`
---```lua
---tide.array{ 1, 0/0, 3 }:nanstd():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function Array:nanstd(axis, options) end

---likewise `min`
---
---Raises without elements.
---```lua
---tide.array{ 1, 0/0, 3 }:nanmin():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanmin(axis, options) end

---likewise `max`
---
---Raises without elements.
---```lua
---tide.array{ 1, 0/0, 3 }:nanmax():item()  --> 3.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanmax(axis, options) end

---likewise `argmin`; of NaNs alone, the first place
---
---Raises without elements.
---```lua
---tide.array{ 0/0, 3, 1 }:nanargmin():item()  --> 3
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanargmin(axis, options) end

---likewise `argmax`
---
---Raises without elements.
---```lua
---tide.array{ 0/0, 3, 1 }:nanargmax():item()  --> 2
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanargmax(axis, options) end

---likewise `median`
---```lua
---tide.array{ 0/0, 3, 1 }:nanmedian():item()  --> 2.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanmedian(axis, options) end

---the covariances of variables, which are rows, of observations, which are columns; in `float64`, or `dtype`
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:cov()[1]                              --> [ 1. -1.]
---```
---@param y? tide.Array more variables
---@param options? tide.options.Array_cov
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.Array_cov): tide.Array
function Array:cov(y, options) end

---these, divided by both standard deviations: from -1 to 1
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:corrcoef()[2]                         --> [-1.  1.]
---```
---@param y? tide.Array more variables
---@param options? tide.options.rowvar_dtype_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.rowvar_dtype_out): tide.Array
function Array:corrcoef(y, options) end

---a table of `count`, `nans`, `mean`, `std`, `min`, `q25`, `median`, `q75`, `max` and `dtype`, which `tostring` and `print` show with a line for each: see [below](#figures)
---
---Waits for the figures, once.
---
---Raises for complex arrays.
---```lua
---d = tide.array({ 4, 1, 3 }, "int32"):describe()
---d.min                                   --> 1
---d.mean                                  --> 2.6666666666667
---d["50%"]                                --> 3.0
---```
---@return table
function Array:describe() end

---prints a picture of the elements of a real array, with [`print`](#pictures)
---
---Waits for what is drawn; for a histogram's ends and counts.
---
---Raises for complex arrays; for other axes than a kind takes.
---
---Returns: the picture with option `string`, else nothing.
---```lua
---picture = tide.array{ 1, 2 }:plot{ kind = "histogram", bins = 2, width = 24, ascii = true,
---                                   string = true }
---picture                                 --> 1 to 1.5 |########## 1
---                                        --> 1.5 to 2 |########## 1
---```
---@param options? tide.options.Array_plot
---@return string
function Array:plot(options) end

---ranks that compute together, of which this process has one or some
---@class tide.Communicator
---@field rank integer of this process, from 0; the first of several
---@field size integer how many ranks there are
---@field local_rank integer among the processes of its machine, from 0
---@field ranks table those that this process has
---@field devices table and their devices
---@field error string why it has failed; nil: it works
local Communicator = {}

---of the ranks of one color, in the order of their keys; nil without a color. Lists of both if this process has several ranks, in which nil and false stand for none; what comes is a list as well, with false for a rank that takes no part. Where other ranks do something else, all are told so: at once on the host device, as long as no graph has operations of the communicator, else by the timeout
---
---Waits until all ranks have come.
---```lua
---comm = tide.comm{ "host" }
---comm:split(7).size                      --> 1
---```
---@param color? integer|integer[] from 0 to 2147483647; nil takes no part
---@param key? integer|integer[] the rank
---@return tide.Communicator
function Communicator:split(color, key) end

---other ranks that still use it get an error; the process goes on
---
---Waits for its operations that are under way.
---```lua
---comm = tide.comm{ "host" }
---comm:close()
---tostring(comm)                          --> tide.Communicator (closed)
---```
function Communicator:close() end

---`a`, reduced over all ranks element by element, in place
---```lua
---comm = tide.comm{ "host" }
---comm:all_reduce(tide.array{ 1, 2 }:to "host", "max")  --> [1 2]
---```
---@param a tide.Array|tide.Array[]
---@param op? "sum"|"prod"|"max"|"min"|"avg"
---@return tide.Array|tide.Array[]
---@overload fun(self: tide.Communicator, a: tide.Array|tide.Array[], options: tide.options.op_out): tide.Array|tide.Array[]
function Communicator:all_reduce(a, op) end

---`a`: the same, but at `root` only; the others keep theirs
---```lua
---comm = tide.comm{ "host" }
---comm:reduce(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param root integer a rank, from 0
---@param op? "sum"|"prod"|"max"|"min"|"avg"
---@return tide.Array|tide.Array[]
function Communicator:reduce(a, root, op) end

---`a`, with the elements that it has at `root`
---```lua
---comm = tide.comm{ "host" }
---comm:broadcast(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param root integer a rank, from 0
---@return tide.Array|tide.Array[]
function Communicator:broadcast(a, root) end

---those of all ranks, one after the other along the first axis
---```lua
---comm = tide.comm{ "host" }
---comm:all_gather(tide.zeros{ 2, 3 }:to "host").shape  --> {2, 3}
---```
---@param a tide.Array|tide.Array[]
---@param options? tide.options.Communicator_all_gather
---@return tide.Array|tide.Array[]
function Communicator:all_gather(a, options) end

---of `a`, reduced over all ranks, this rank's part along the first axis
---
---Raises if that is no multiple of `comm.size`.
---```lua
---comm = tide.comm{ "host" }
---comm:reduce_scatter(tide.ones(2):to "host")  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param op? "sum"|"prod"|"max"|"min"|"avg"
---@return tide.Array|tide.Array[]
---@overload fun(self: tide.Communicator, a: tide.Array|tide.Array[], options: tide.options.op_out): tide.Array|tide.Array[]
function Communicator:reduce_scatter(a, op) end

---part i of each rank's array, along the first axis, goes to rank i, which has them one after the other
---
---Raises if that axis is no multiple of `comm.size`.
---```lua
---comm = tide.comm{ "host" }
---comm:all_to_all(tide.ones(2):to "host")  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param options? tide.options.Communicator_all_gather
---@return tide.Array|tide.Array[]
function Communicator:all_to_all(a, options) end

---at `root` as `all_gather`, elsewhere nil; one array for all ranks of a process
---```lua
---comm = tide.comm{ "host" }
---comm:gather(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param root integer a rank, from 0
---@param options? tide.options.out
---@return tide.Array
function Communicator:gather(a, root, options) end

---this rank's part, along the first axis, of the array that `root` has: one, and a list of parts comes if this process has several ranks
---
---Raises if that axis is no multiple of `comm.size`.
---```lua
---comm = tide.comm{ "host" }
---comm:scatter(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array what `root` has; nil elsewhere
---@param root integer a rank, from 0
---@param options? tide.options.Communicator_all_gather
---@return tide.Array|tide.Array[]
function Communicator:scatter(a, root, options) end

---an operation of no elements, which cannot be captured, as it waits
---
---Waits until all ranks have come to it.
---```lua
---tide.comm{ "host" }:barrier()
---```
function Communicator:barrier() end

---`a`, to a rank that calls `recv` for it
---
---Raises in a process with several ranks, outside of `group`.
---```lua
---comm = tide.comm{ "host" }
---a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
---comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
---b[1]                                    --> 1.0
---```
---@param a tide.Array|tide.Array[]
---@param rank integer|integer[] from 0
---@return tide.Array|tide.Array[]
function Communicator:send(a, rank) end

---`a`, with the elements that the rank sends
---
---Raises in a process with several ranks, outside of `group`.
---```lua
---comm = tide.comm{ "host" }
---a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
---comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
---b[1]                                    --> 1.0
---```
---@param a tide.Array|tide.Array[]
---@param rank integer|integer[] from 0
---@return tide.Array|tide.Array[]
function Communicator:recv(a, rank) end

---calls `fn(...)`, and makes one operation of its sends and receives, which go on at the same time: ranks of a ring may all send first. Arrays may overlap: sends take the elements from before the group, and of two receives into the same memory the later one wins. Nothing else may be called on `comm` in it. Other coroutines, and host functions that run meanwhile, are not in it
---
---Returns: what `fn` returned.
---```lua
---comm = tide.comm{ "host" }
---a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
---comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
---b                                       --> [1. 1.]
---```
---@param fn function or an object that is called as one
---@param ... any what `fn` is called with
---@return any
function Communicator:group(fn, ...) end

---a complex number as a value of Lua
---@class tide.Complex
---@field re number the real part
---@field [integer|table] number
---@field im number the imaginary part
---@operator add(tide.Complex|number): tide.Complex
---@operator sub(tide.Complex|number): tide.Complex
---@operator mul(tide.Complex|number): tide.Complex
---@operator div(tide.Complex|number): tide.Complex
---@operator pow(tide.Complex|number): tide.Complex
---@operator unm: tide.Complex
---@operator add(tide.Array): tide.Array
---@operator sub(tide.Array): tide.Array
---@operator mul(tide.Array): tide.Array
---@operator div(tide.Array): tide.Array
---@operator pow(tide.Array): tide.Array
---@operator len: integer
local Complex = {}


---one end of a way between two processes
---@class tide.Connection
---@field fd integer for event loops: readable when `ready` is true
---@field pid integer the process at the other end
local Connection = {}

---one message with all the values, up to 127 KiB of text and 100 arrays. Arrays of `tide.ipc` and views of them; interprocess [events](event.md)
---
---Waits if the other end has many messages to take; runs host functions.
---
---Raises if the other end was closed or its process has ended; if an array is not of `tide.ipc`, or its current stream captures.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---other = listener:accept()
---conn:send("ones", tide.ipc.array{ 1, 1 })
---(select(2, other:recv()))                --> [1 1]
---```
---@param ... nil|boolean|number|string|tide.Array|tide.Event
function Connection:send(...) end

---the values of the next message; nothing, once the other end was closed, so that `for x in conn.recv, conn do` goes through all whose first value is not nil. Where it fails for want of memory or descriptors, nothing is lost: the message is there for the next call. One that this process cannot take at all, as it does not see the device, is given up
---
---Waits for a message, not for its arrays; runs host functions.
---
---Raises if the process at the other end has ended and has not closed it.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---other = listener:accept()
---other:send(1, nil, "x")
---conn:recv()                             --> 1   nil   x
---```
---@param before? any what a generic `for` passes; not looked at
---@return any
function Connection:recv(before) end

---would `recv` return at once?
---
---Waits so long for that at most.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---other = listener:accept()
---conn:ready()                            --> false
---other:send(1)
---conn:ready(1)                           --> true
---```
---@param seconds? number
---@return boolean
function Connection:ready(seconds) end

---what was received stays. The same when it is collected, and when the Lua state closes
---
---Raises if it is closed.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---other = listener:accept()
---conn:close()
---select("#", other:recv())               --> 0
---```
function Connection:close() end

---a GPU, or the host device
---@class tide.Device
---@field kind string `"cuda"` or `"host"`
---@field id integer its number among devices of its kind, from 0
---@field name string what it calls itself
---@field total_memory integer
---@field compute_capability string `"9.0"`; `"0.0"` on the host device
---@field attributes table CUDA's attributes: names in lower case without `CU_DEVICE_ATTRIBUTE_`, integer values (`multiprocessor_count`, `max_threads_per_block`, `warp_size` …). What the device does not know is left out
local Device = {}

---makes it current for this coroutine
---```lua
---tide.Device("host"):use()  --> host:0
---```
---@return tide.Device
function Device:use() end

---Waits for all work that this Lua state queued on it and for its null stream; runs host functions, and does not wait for what those queue meanwhile.
---
---Raises while a stream of it captures.
---```lua
---tide.get_device():synchronize()
---```
function Device:synchronize() end

---destroys all that this process has on the device, which then works again even if it had failed. Raises, and changes nothing, while a stream of it captures and in a host function; of those of other Lua states nothing is asked
---
---Waits for its work first, unless it has failed.
---```lua
---a = tide.ones(3)
---tide.get_device():reset()
---(pcall(a.sum, a))                       --> false
---```
---@return tide.Device
function Device:reset() end

---free and total bytes
---```lua
---free, total = tide.get_device():memory_info()
---free <= total                           --> true
---```
---@return integer
---@return integer
function Device:memory_info() end

---do copies to `dev` from `other` go from memory to memory; or false, and why they go by way of the host. That is tried, once, with a page that must arrive
---
---Waits if it has to be tried: for that page.
---```lua
---dev = tide.get_device()
---dev:can_access_peer(dev)                --> true
---```
---@param other tide.Device|string or a spec
---@return boolean
---@return string
function Device:can_access_peer(other) end

---a line of C for every element
---@class tide.ElementwiseKernel
---@overload fun(x: tide.operand, ...: tide.operand): any
---@overload fun(x: tide.operand, ...: any): any
---@field name string
---@field body string
local ElementwiseKernel = {}


---a point in the work of a stream
---@class tide.Event
---@field done boolean has what it recorded last finished? True if it never recorded, false while the recording is behind a host function that has not run. Does not wait, and runs no host functions: a loop that waits for it calls `tide.poll()`
---@field device tide.Device
---@field ptr integer the `CUevent`
local Event = {}

---marks this point of the stream (the current one of its device by default). Again: the older recording is forgotten
---```lua
---s = tide.Stream()
---e = tide.Event():record(s)
---e:synchronize()
---e.done                                  --> true
---```
---@param stream? tide.Stream
---@return tide.Event
function Event:record(stream) end

---Waits for it; runs host functions.
---
---Raises if it was never recorded.
---```lua
---e = tide.Event():record()
---e:synchronize()
---e.done                                  --> true
---```
function Event:synchronize() end

---as `synchronize`; in a task of [`tide.run`](tasks.md) the others go on meanwhile
---
---Waits so long at most; runs host functions.
---
---Raises if it was never recorded.
---
---Returns: true; nil and `"timeout"`.
---```lua
---tide.Event():record():await()           --> true
---```
---@param seconds? number from 0 on; nil has no end
---@return boolean
function Event:await(seconds) end

---waits that were queued keep what they saw
---
---Raises if it is closed.
---```lua
---e = tide.Event()
---e:close()
---(pcall(e.close, e))                     --> false
---```
function Event:close() end

---an open file, whose bytes streams read and write
---@class tide.File
---@field size integer how many bytes it has, or will have once all that was queued is written; what other programs append is seen. 0 where there is no end, as in `/dev/zero`
---@field offset integer where the next one begins that says nothing else
---@field path string as it was given to `open`
---@field mode string
local File = {}

---closes the file, also where it raises. In a task and in a loop's coroutine others go on meanwhile. With `wait = false`, and when the object is collected, what was queued is done later all the same
---
---Waits if something that this object is to write is not written yet; not with `wait = false`.
---
---Raises if it is closed; the errors of what was to be written; in a host function, if there is something to wait for.
---```lua
---path = os.tmpname()
---f = tide.open(path)
---f:close()
---f                                       --> tide.File (closed)
---os.remove(path)
---```
---@param options? tide.options.wait
function File:close(options) end

---fills all of it with bytes of the file, as they are; of bools, whatever is not 0 is true
---
---Raises if the file has not so many bytes (nothing is queued then); in a capture.
---```lua
---path = os.tmpname()
---out = tide.open(path, "w"):write(tide.arange(6, "int32"))
---f = tide.open(path)
---f:read(tide.empty(3, "int32"), 4 * 2)   --> [2 3 4]
---out:close() f:close()
---os.remove(path)
---```
---@param a tide.Array|tide.HostArray without gaps
---@param offset? integer the first byte of the file, counted from 0; where the last one of this object ended
---@return tide.Array
function File:read(a, offset) end

---its bytes, as they are; the file grows, and what nobody has written is zeros
---
---Raises in a capture.
---```lua
---path = os.tmpname()
---f = tide.open(path, "w")
---f:write(tide.ones(3, "uint8"), 5)
---f.size                                  --> 8
---f:close()
---os.remove(path)
---```
---@param a tide.Array|tide.HostArray without gaps
---@param offset? integer the first byte of the file, counted from 0; where the last one of this object ended
---@return tide.Fused
function File:write(a, offset) end

---a Lua function as one kernel
---@class tide.Fused
---@overload fun(...: tide.operand): any
---@overload fun(...: any): any
---@field name string
local Fused = {}


---a generator of random numbers of one's own
---@class tide.Generator
local Generator = {}

---all that is drawn later, on each device, follows from the integer `n`; returns nothing. Without `n`, and in a program that sets no seed, from one that nobody can guess
---```lua
---tide.random.seed(42)
---a = tide.random.uniform(3)
---tide.random.seed(42)
---tide.array_equal(a, tide.random.uniform(3)) --> true
---```
---@param n? integer
function Generator:seed(n) end

---numbers from `low` (0) to below `high` (1): float64, or float32
---```lua
---a = tide.random.uniform({ 2, 3 }, "float32")
---a.shape                                 --> {2, 3}
---(a:max():item() < 1)                    --> true
---```
---@param low number
---@param high number
---@param shape tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Generator, shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function Generator:uniform(low, high, shape, dtype, options) end

---normally distributed numbers, around `mean` (0) with standard deviation `std` (1): float64, or float32
---```lua
---tide.random.seed(1)
---a = tide.random.normal(10, 0.1, 1000)
---tide.allclose(a:mean(), 10, 0.01)       --> true
---```
---@param mean number
---@param std number
---@param shape tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Generator, shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function Generator:normal(mean, std, shape, dtype, options) end

---integers from `low` to `high`, both included as in Lua's `math.random`: int64, or another dtype of integers
---```lua
---a = tide.random.randint(1, 6, 100)
---a:min():item() >= 1                     --> true
---```
---@param low integer
---@param high integer
---@param shape tide.shape
---@param dtype? tide.dtype
---@param options? tide.options.out
---@return tide.Array
function Generator:randint(low, high, shape, dtype, options) end

---exponentially distributed numbers, `scale` on average: times between events, float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
---```
---@param scale number
---@param shape tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
function Generator:exponential(scale, shape, dtype, options) end

---numbers of a gamma distribution of shape `k`, `scale * k` on average: with an integer `k` the time until the `k`th event: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.gamma(2, 3, 100000):mean(), 6, 0.02)  --> true
---tide.random.gamma(tide.array{ 1, 2 }, 1).shape  --> {2}
---```
---@param k number|tide.Array from 0 on
---@param scale number|tide.Array from 0 on
---@param shape? tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
function Generator:gamma(k, scale, shape, dtype, options) end

---numbers from 0 to 1 of a beta distribution, `a / (a + b)` on average: what a share may be of which `a - 1` times was seen that it is, `b - 1` times that it is not: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.beta(2, 6, 100000):mean(), 0.25, 0.02)  --> true
---```
---@param a number|tide.Array above 0
---@param b number|tide.Array above 0
---@param shape? tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
function Generator:beta(a, b, shape, dtype, options) end

---how many events there are where there are `lam` on average: int64, or another dtype of integers, to which they are converted as by `astype`
---```lua
---tide.random.poisson(0, 3)               --> [0 0 0]
---tide.random.poisson(tide.array{ 1, 1000 }).shape  --> {2}
---```
---@param lam number|tide.Array from 0 to 2^62
---@param shape? tide.shape
---@param dtype? tide.dtype
---@param options? tide.options.out
---@return tide.Array
function Generator:poisson(lam, shape, dtype, options) end

---how many of `n` trials succeed, each with probability `p`: int64, or another dtype of integers, to which they are converted as by `astype`
---```lua
---tide.random.binomial(10, 1, 3)          --> [10 10 10]
---```
---@param n integer|tide.Array from 0 to 2^53
---@param p number|tide.Array from 0 to 1
---@param shape? tide.shape
---@param dtype? tide.dtype
---@param options? tide.options.out
---@return tide.Array
function Generator:binomial(n, p, shape, dtype, options) end

---true as often as the probability `p` says, or 1 of another dtype
---```lua
---tide.random.bernoulli(1, 3)             --> [true true true]
---```
---@param p number
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function Generator:bernoulli(p, shape, dtype) end

---the integers from 1 to `x`, each once, in any order; or the slices of an array along an axis, the first one by default
---```lua
---tide.random.permutation(5):sort()       --> [1 2 3 4 5]
---```
---@param x integer|tide.Array
---@param axis? integer of an array
---@return tide.Array
function Generator:permutation(x, axis) end

---`a` itself, whose slices along an axis are put in any order
---```lua
---a = tide.arange(5)
---tide.random.shuffle(a) == a             --> true
---a:sort()                                --> [0 1 2 3 4]
---```
---@param a tide.Array
---@param axis? integer
---@return tide.Array
function Generator:shuffle(a, axis) end

---integers from 1 to `x`, or elements of an array, slices of its first axis: all equally likely, none of them twice with `replace=false`
---
---Raises if there are less than that many.
---```lua
---a = tide.random.choice(tide.array{ 10, 20 }, 100)
---a:min():item() >= 10                    --> true
---tide.random.choice(3, 3, { replace = false }):sum():item()  --> 6
---```
---@param x integer|tide.Array
---@param shape tide.shape
---@param options? tide.options.replace
---@return tide.Array
function Generator:choice(x, shape, options) end

---it draws no more, and its memory is free: some bytes on each device that it drew on. Graphs that draw from it go on
---```lua
---g = tide.random.Generator(5)
---g:close()
---g                                       --> tide.Generator (closed)
---```
function Generator:close() end

---work that was captured, to be launched again and again
---@class tide.Graph
---@field device tide.Device
local Graph = {}

---queues the whole on a stream (the current one of its device by default)
---```lua
---a = tide.zeros(3)
---g = tide.capture(function () a:add_(1) end)
---g:launch():launch()
---a[1]                                    --> 2.0
---```
---@param stream? tide.Stream
---@return tide.Graph
function Graph:launch(stream) end

---until its latest launch is done; in a task of [`tide.run`](tasks.md) the others go on meanwhile
---
---Waits so long at most; runs host functions.
---
---Returns: true; nil and `"timeout"`.
---```lua
---g = tide.capture(function () end)
---g:launch():await()                      --> true
---```
---@param seconds? number from 0 on; nil has no end
---@return boolean
function Graph:await(seconds) end

---brings it to the device ahead of its first launch
---```lua
---g = tide.capture(function () end)
---g:upload():launch()                     --> tide.Graph (0 nodes, host:0)
---```
---@param stream? tide.Stream
---@return tide.Graph
function Graph:upload(stream) end

---from now on `g` does what `other` does, if they differ in arrays and numbers only. Otherwise `g` is as it was, and the string says why
---
---Returns: true; or false, string.
---```lua
---a, b = tide.ones(3), tide.zeros(3)
---g = tide.capture(function () a:fill(5) end)
---g:update(tide.capture(function () b:fill(7) end)) --> true
---g:launch()
---b[1]                                    --> 7.0
---```
---@param other tide.Graph
---@return boolean
---@return string
function Graph:update(other) end

---the nodes in the DOT language, with the names of kernels and the edges between them; what other edges imply is left out
---```lua
---tide.capture(function () end):debug_dot():match "%a+"  --> digraph
---```
---@param options? tide.options.verbose
---@return string
function Graph:debug_dot(options) end

---launches under way complete
---
---Raises if it is closed.
---```lua
---g = tide.capture(function () end)
---g:close()
---(pcall(g.launch, g))                    --> false
---```
function Graph:close() end

---numbers in page-locked memory of the host
---@class tide.HostArray
---@field shape integer[] lengths of the axes
---@field strides integer[] in elements
---@field mT tide.HostArray a view with the last two axes in each other's place
---@field T tide.HostArray a view with the axes in reverse
---@field ndim integer
---@field size integer number of elements
---@field dtype tide.dtype
---@field nbytes integer
---@field device tide.Device whose copies are fast
---@field ptr integer the address. Does not wait: a copy from or to it may be under way, so whoever goes by the address waits first
---@operator len: integer
---@field [integer|table] number|boolean|tide.Complex|tide.HostArray
local HostArray = {}

---the elements for another library, without a copy: see [DLPack](dlpack.md). The memory stays until it is given back, from any thread, even after the Lua state was closed
---
---Waits if it is memory of the host: until nothing uses it, unless `stream=false`.
---
---Raises of an array that is not to be written, with `versioned=false`.
---
---Returns: a capsule.
---```lua
---tostring(tide.HostArray(3):to_dlpack())  --> dltensor_versioned
---```
---@param options? tide.options.stream_versioned
---@return userdata
function HostArray:to_dlpack(options) end

---sets all elements
---
---Waits for the copies from and to it.
---```lua
---tide.HostArray(3):fill(7)[3]  --> 7.0
---```
---@param value tide.element
---@return tide.HostArray
function HostArray:fill(value) end

---all its bytes at once; for bool, what is not 0 is 1
---
---Waits for the copies from and to it.
---```lua
---tide.HostArray(3, "uint8"):set("abc")[1]  --> 97
---```
---@param string string
---@return tide.HostArray
function HostArray:set(string) end

---the elements of an Array or HostArray, queued on the current stream; or of a table or a string, as an Array's, but at once
---
---Waits if it is a table or a string, for the copies from and to it.
---```lua
---tide.HostArray(3):copy_from{ 1, 2, 3 }[2]  --> 2.0
---```
---@param x tide.Array|tide.HostArray|table|string
---@return tide.HostArray
function HostArray:copy_from(x) end

---from a file of Lua's `io`
---
---Waits for the copies from and to it.
---
---Returns: bytes read.
---```lua
---file = io.tmpfile()
---file:write("abc"); file:seek("set")
---h = tide.HostArray(3, "uint8")
---h:readfrom(file)                        --> 3
---h[3]                                    --> 99
---```
---@param file userdata a file of Lua's `io`
---@param bytes? integer
---@return integer?
---@return string?
---@return integer
function HostArray:readfrom(file, bytes) end

---into a file of Lua's `io`
---
---Waits for the copies to it.
---```lua
---file = io.tmpfile()
---tide.HostArray(3, "uint8"):fill(97):writeto(file)
---file:seek "set"
---file:read "a"                           --> aaa
---```
---@param file userdata a file of Lua's `io`
---@param bytes? integer
---@return tide.HostArray
function HostArray:writeto(file, bytes) end

---a new one with these elements on that device
---
---Waits for them.
---```lua
---tide.HostArray(3):to("host").device  --> host:0
---```
---@param device tide.spec
---@return tide.Array
function HostArray:to(device) end

---until the copies to and from it are done; in a task of [`tide.run`](tasks.md) the others go on meanwhile
---
---Waits so long at most; runs host functions.
---
---Returns: true; nil and `"timeout"`.
---```lua
---tide.ones(3):tohost{ blocking = false }:await()  --> true
---```
---@param seconds? number from 0 on; nil has no end
---@return boolean
function HostArray:await(seconds) end

---of an array of one element
---
---Waits for the copies to it.
---
---Returns: number or boolean.
---```lua
---tide.HostArray(1):item()  --> 0.0
---```
---@return number|boolean|tide.Complex
function HostArray:item() end

---Waits for the copies to it.
---
---Returns: nested tables.
---```lua
---tide.HostArray(2):totable()[1]  --> 0.0
---```
---@return tide.nested
function HostArray:totable() end

---the bytes of all elements
---
---Waits for the copies to it.
---```lua
---tide.HostArray(2, "int8"):fill(65):tobytes()  --> AA
---```
---@return string
function HostArray:tobytes() end

---copies under way complete
---
---Raises if it is closed.
---```lua
---h = tide.HostArray(3)
---h:close()
---(pcall(h.fill, h, 1))                   --> false
---```
function HostArray:close() end

---where other processes connect
---@class tide.Listener
---@field fd integer for event loops: readable when `ready` is true
---@field path string as it was given to `listen`
local Listener = {}

---that of the next process that connects
---
---Waits if none has yet; runs host functions.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---listener:accept().pid == conn.pid       --> true
---```
---@return tide.Connection
function Listener:accept() end

---would `accept` return at once?
---
---Waits so long for that at most.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---listener:ready()                        --> false
---```
---@param seconds? number
---@return boolean
function Listener:ready(seconds) end

---removes the socket; connections stay
---
---Raises if it is closed.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---listener:close()
---listener                                --> tide.Listener (closed)
---```
function Listener:close() end

---a place of a semaphore that is taken
---@class tide.Place
local Place = {}

---gives it back: the next who waits has it. A second time does nothing
---```lua
---semaphore = tide.semaphore(1)
---place = semaphore:acquire()
---place:release()
---semaphore                               --> tide.Semaphore: 1 of 1 free
---```
function Place:close() end

---gives it back: the next who waits has it. A second time does nothing
---```lua
---semaphore = tide.semaphore(1)
---place = semaphore:acquire()
---place:release()
---semaphore                               --> tide.Semaphore: 1 of 1 free
---```
function Place:release() end

---how much of what was queued is done
---@class tide.Progress
local Progress = {}

---what was queued on the current stream since the last time is `n` pieces
---
---Raises in a capture: count the launches of its graph.
---```lua
---p = tide.progress():add(2)
---```
---@param n? number from 0 on
---@return p
function Progress:add(n) end

---how many pieces are done by now
---```lua
---tide.progress():completed()             --> 0
---```
---@return number
function Progress:completed() end

---ends the line
---
---Waits for all that was counted.
---
---Raises if it is closed.
---```lua
---tide.progress():close()
---```
function Progress:close() end

---values on their way between tasks
---@class tide.Queue
---@overload fun(): any
---@operator len: integer
local Queue = {}

---puts a value in, behind the others
---
---Waits while the queue is full.
---
---Raises if it is closed, also meanwhile.
---```lua
---#tide.queue():put(1):put(2)             --> 2
---```
---@param value any not nil
---@return q
function Queue:put(value) end

---Waits while it is empty.
---
---Returns: the oldest value; nil once the queue is closed and empty.
---```lua
---tide.queue():put(1):get()               --> 1
---```
---@return any
function Queue:get() end

---nothing more is put into it; what is in it can still be had. Closing it again does nothing
---```lua
---q = tide.queue()
---q:close()
---q:get()                                 --> nil
---```
function Queue:close() end

---a kernel in CUDA C++
---@class tide.RawKernel
---@overload fun(grid: integer|integer[], block: integer|integer[], ...: tide.Array|number|boolean|string|lightuserdata): tide.RawKernel
---@field name string
---@field code string
---@field num_regs integer registers of a thread. This and all below: of the code for the current device, which is compiled if need be
---@field shared_size_bytes integer static shared memory of a block
---@field local_size_bytes integer local memory of a thread
---@field const_size_bytes integer constant memory
---@field max_threads_per_block integer what its registers allow
---@field binary_version integer 90: of compute capability 9.0
---@field ptx_version integer 90: of compute capability 9.0
local RawKernel = {}

---the same with the arguments in a table
---
---Returns: the kernel.
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
---if tide.get_device().kind == "cuda" then
---  y = tide.zeros(1, "float32")
---  k:launch{ grid = 1, block = 1, args = { y } }
---end
---```
---@param options? tide.options.RawKernel_launch
---@return tide.RawKernel
function RawKernel:launch(options) end

---compiles and loads it for the current device now
---
---Returns: the kernel.
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
---if tide.get_device().kind == "cuda" then
---  k:compile()
---end
---```
---@return tide.RawKernel
function RawKernel:compile() end

---a source with any number of kernels
---@class tide.RawModule
---@field code string
local RawModule = {}

---one of its kernels
---```lua
---m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
---m:get_function "f"                      --> tide.RawKernel: f(float *y)
---```
---@param name string
---@param options? tide.options.signature
---@return tide.RawKernel
function RawModule:get_function(name, options) end

---C for each element, and for two values
---@class tide.ReductionKernel
---@overload fun(x: tide.operand, ...: any): tide.Array
---@field name string
local ReductionKernel = {}


---what was current, to be put back
---@class tide.Scope
local Scope = {}

---the stream and the device that were current when it was opened are current again, and so are streams of other devices that `use` replaced since
---
---Raises if it is closed.
---```lua
---scope = tide.Stream():scope()
---scope:close()
---scope                                   --> tide.Scope (closed)
---```
function Scope:close() end

---places that tasks take
---@class tide.Semaphore
local Semaphore = {}

---Waits while there is none.
---
---Returns: to be closed.
---```lua
---semaphore = tide.semaphore(2)
---do
---  local place <close> = semaphore:acquire()
---  tostring(semaphore)                   --> tide.Semaphore: 1 of 2 free
---end
---```
---@return tide.Place
function Semaphore:acquire() end

---a queue of work on a device
---@class tide.Stream
---@field ptr integer the `CUstream`; 0 and 2 for the singletons
---@field device tide.Device of a singleton: the current one
---@field device_id integer its number; −1 for the singletons
---@field done boolean has all work on it finished? Does not wait, and runs no host functions: a loop that waits for it calls `tide.poll()`
---@field is_non_blocking boolean
---@field priority integer after clamping
local Stream = {}

---current from now on, and its device with it. Inside a scope: until its end
---```lua
---s = tide.Stream():use()
---tide.get_current_stream() == s          --> true
---tide.Stream.null:use()
---```
---@return tide.Stream
function Stream:use() end

---runs `fn(s, ...)` with `s` current; `fn` may yield
---
---Returns: what `fn` returns.
---```lua
---s = tide.Stream()
---s:with(function () return tide.ones(3) end):sum():item()  --> 3.0
---```
---@param fn function or an object that is called as one
---@param ... any
---@return any ...
function Stream:with(fn, ...) end

---`local _ <close> = s:scope()`: current to the end of the block
---```lua
---s = tide.Stream()
---do
---  local _ <close> = s:scope()
---  print(tide.get_current_stream() == s) --> true
---end
---```
---@return tide.Scope
function Stream:scope() end

---Waits for all work that is on it now; runs host functions.
---
---Raises while it captures.
---```lua
---s = tide.Stream()
---a = s:with(function () return tide.ones(3) end)
---s:synchronize()
---```
function Stream:synchronize() end

---as `synchronize`; in a task of [`tide.run`](tasks.md) the others go on meanwhile
---
---Waits so long at most; runs host functions.
---
---Raises while it captures.
---
---Returns: true; nil and `"timeout"`.
---```lua
---tide.Stream():await()                   --> true
---```
---@param seconds? number from 0 on; nil has no end
---@return boolean
function Stream:await(seconds) end

---marks this point; in a new event if none is given
---```lua
---e = tide.Stream():record()
---e:synchronize()
---e.done                                  --> true
---```
---@param event? tide.Event
---@return tide.Event
function Stream:record(event) end

---what is queued on `s` from now on comes after what `e` has recorded so far. The host does not wait
---
---Raises if `e` was never recorded.
---```lua
---s, t = tide.Stream(), tide.Stream()
---t:wait_event(s:record()) == t           --> true
---```
---@param e tide.Event
---@return tide.Stream
function Stream:wait_event(e) end

---what is queued on `s` from now on comes after all that is queued on `t` now
---```lua
---s, t = tide.Stream(), tide.Stream()
---s:wait_stream(t) == s                   --> true
---```
---@param t tide.Stream
---@return tide.Stream
function Stream:wait_stream(t) end

---calls `fn(arg)` when all work queued before is done; work queued after it on `s` starts when `fn` has returned
---```lua
---s = tide.Stream()
---s:launch_host_func(print, "done")
---s:synchronize()                         --> done
---```
---@param fn function or an object that is called as one
---@param arg any
---@return tide.Stream
function Stream:launch_host_func(fn, arg) end

---the same, called as `fn(s, status, arg)`; status 0: no error; `s` may be closed by then
---```lua
---s = tide.Stream()
---s:add_callback(function (stream, status, arg) print(status, arg) end, "x")
---s:synchronize()                         --> 0 x
---```
---@param fn function or an object that is called as one
---@param arg any
---@return tide.Stream
function Stream:add_callback(fn, arg) end

---from here to `end_capture` work is written down, not run
---
---Waits if work on `s` is behind host functions, which it runs then.
---
---Raises for `tide.Stream.null`.
---```lua
---a = tide.zeros(3)
---s = tide.Stream{ non_blocking = true }
---s:begin_capture()
---s:with(function () a:add_(1) end)
---s:end_capture():launch()
---a[1]                                    --> 1.0
---```
---@param mode? "relaxed"|"thread_local"|"global" as CUDA's: `"relaxed"` (the default), `"thread_local"`, `"global"`
---@return tide.Stream
function Stream:begin_capture(mode) end

---Raises if none began here, or if another stream that joined was not waited for.
---```lua
---s = tide.Stream{ non_blocking = true }
---s:begin_capture()
---s:end_capture()                         --> tide.Graph (0 nodes, host:0)
---```
---@return tide.Graph
function Stream:end_capture() end

---true as well on a stream that joined a capture
---```lua
---tide.Stream():is_capturing()            --> false
---```
---@return boolean
function Stream:is_capturing() end

---pending work completes
---
---Raises for a default stream, while it captures, and if it is closed.
---```lua
---s = tide.Stream()
---s:close()
---(pcall(s.close, s))                     --> false
---```
function Stream:close() end

---a coroutine of tide.run
---@class tide.Task
local Task = {}

---lets others go on until it is over. Its error is raised
---
---Waits until the task is over, so long at most.
---
---Raises if it was cancelled; outside of tasks, unless it is over.
---
---Returns: what it returned; nil and `"timeout"`.
---```lua
---what = tide.run(function ()
---  return tide.spawn(function () return "done" end):await()
---end)
---what                                    --> done
---```
---@param seconds? number from 0 on; nil has no end
---@return any
function Task:await(seconds) end

---ends it, and closes what is open in it (`<close>`). What it has queued is done all the same
---
---Raises in the task itself.
---
---Returns: was it still under way?.
---```lua
---was = tide.run(function ()
---  return tide.spawn(tide.sleep, 10):cancel()
---end)
---was                                     --> true
---```
---@return boolean
function Task:cancel() end

---@class tide
---@field _VERSION string `"tide 0.1.0"`
local tide = {}

---`0`, `"cuda"`, `"cuda:1"`, `"host"`, `"host:1"`; a Device is returned as it is; without an argument, the current one. A number counts CUDA devices, or host devices where there are none. Raises, and says why, if it cannot be had
---```lua
---tide.Device "host" == tide.Device "host:0"  --> true
---```
---@param spec? tide.spec
---@return tide.Device
function tide.Device(spec) end

---```lua
---k = tide.ElementwiseKernel{ params = "T x", out = "T y", body = "y = x * x" }
---k(tide.array{ 1, 3 })[2]                --> 9
---```
---@param options? tide.options.params_out_body_name
---@return tide.ElementwiseKernel
---@overload fun(params: string, out: string, body: string, name?: string): tide.ElementwiseKernel
function tide.ElementwiseKernel(options) end

---an event of the current device, all options false
---```lua
---e = tide.Event{ disable_timing = true }
---e.done                                  --> true
---```
---@param options? tide.options.block_disable_timing_interprocess
---@return tide.Event
function tide.Event(options) end

---the same on a device, by number, spec or object
---```lua
---s = tide.Stream()
---tide.ExternalStream(s.ptr, s.device) == s  --> true
---```
---@param ptr tide.pointer
---@param device? tide.spec
---@return tide.Stream
function tide.ExternalStream(ptr, device) end

---of the current device, all 0; of the default dtype
---```lua
---h = tide.HostArray({ 2, 3 }, "int8")
---h.nbytes                                --> 6
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.HostArray
function tide.HostArray(shape, dtype) end

---a raw address for a pointer parameter. tide orders nothing by it and does not keep what is there
---
---Returns: light userdata.
---```lua
---type(tide.Pointer(tide.ones(3).ptr))  --> userdata
---```
---@param address integer
---@return lightuserdata
function tide.Pointer(address) end

---the function `name` of a source; of a template, one of it: `"scale<float>"`
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
---k                                       --> tide.RawKernel: f(float *y)
---```
---@param code string
---@param name string
---@param options? tide.options.options_signature
---@return tide.RawKernel
function tide.RawKernel(code, name, options) end

---a source with any number of kernels, compiled once
---```lua
---m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
---m:get_function "f"                      --> tide.RawKernel: f(float *y)
---```
---@param code string
---@param options? tide.options.options_name_expressions
---@return tide.RawModule
function tide.RawModule(code, options) end

---without `post` the result is `a`; without `identity`, an expression or a number, an array without elements is refused
---```lua
---k = tide.ReductionKernel{
---  params = "T x", out = "T y", map = "x", reduce = "max(a, b)", name = "greatest"
---}
---k(tide.array{ 1, 3, 2 }):item()         --> 3
---```
---@param options? tide.options.ReductionKernel
---@return tide.ReductionKernel
---@overload fun(params: string, out: string, map: string, reduce: string, post: string, identity: string|number|nil, name: string, reduce_type: tide.dtype): tide.ReductionKernel
function tide.ReductionKernel(options) end

---a new stream of the current device; `tide.Stream()` is a plain one
---```lua
---s = tide.Stream{ non_blocking = true, priority = -1 }
---s.is_non_blocking                       --> true
---```
---@class tide.Stream.constructor
---@overload fun(options?: tide.options.null_ptds_non_blocking_priority): tide.Stream
tide.Stream = {}

---wraps a `CUstream` of the current device that somebody else made. Never destroyed by tide. The pointer of one of tide's own streams gives that stream once more, which then lives until both are closed
---```lua
---s = tide.Stream()
---tide.Stream.from_external(s.ptr, s) == s  --> true
---```
---@param ptr tide.pointer an integer or a light userdata
---@param keep? any any value, which lives as long as the wrapper
---@return tide.Stream
function tide.Stream.from_external(ptr, keep) end

---the legacy default stream of the current device
---@type tide.Stream
tide.Stream.null = nil

---the default stream of the calling thread, on the current device
---@type tide.Stream
tide.Stream.ptds = nil

---without its sign; of complex numbers the modulus, a float
---```lua
---tide.array{ 1, -2 }:abs()  --> [1 2]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.abs(x, options) end

---the arc cosine, in radians
---```lua
---tide.array{ 1, 0 }:acos()  --> [0.         1.57079633]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.acos(x, options) end

---the inverse of `cosh`
---```lua
---tide.array{ 1, 2 }:acosh()  --> [0.        1.3169579]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.acosh(x, options) end

---the sum
---```lua
---tide.array{ 1, 2 } + 10  --> [11 12]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.add(x, y, options) end

---whether no element is 0; `bool`
---```lua
---tide.array{ 0, 1 }:all():item()  --> false
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.all(a, axis, options) end

---whether everywhere, once broadcast, they are equal or `|a - b| <= atol + rtol * |b|`, `b` being finite; `rtol` is 1e-5, `atol` 1e-8
---
---Waits for one byte.
---```lua
---a = tide.ones(3)
---a:allclose(a + 1e-9)                    --> true
---```
---@param a tide.Array|number|boolean|table|tide.HostArray
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param rtol? number
---@param atol? number
---@param options? tide.options.rtol_atol_equal_nan
---@return boolean
---@overload fun(a: tide.Array|number|boolean|table|tide.HostArray, b: tide.Array|number|boolean|table|tide.HostArray, rtol?: number, options?: tide.options.rtol_atol_equal_nan): boolean
---@overload fun(a: tide.Array|number|boolean|table|tide.HostArray, b: tide.Array|number|boolean|table|tide.HostArray, options?: tide.options.rtol_atol_equal_nan): boolean
function tide.allclose(a, b, rtol, atol, options) end

---whether any element is not 0; `bool`
---```lua
---tide.array{ 0, 1 }:any():item()  --> true
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.any(a, axis, options) end

---the elements of `a`, then the values, along an axis; by default both as if they were 1-d. Numbers of Lua, in tables too, widen no dtype of their kind
---
---Waits if an array stands for a number in a table.
---```lua
---tide.arange(3):append{ 7, 8 }  --> [0 1 2 7 8]
---```
---@param a tide.Array
---@param values tide.operand|table
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, values: tide.operand|table, options?: tide.options.axis_out): tide.Array
function tide.append(a, values, axis, options) end

---from `start` (0) by `step` (1) up to, not including, `stop`; `int64` if all of these are integers, else the default dtype
---```lua
---tide.arange(5)                          --> [0 1 2 3 4]
---tide.arange(1, 2, 0.25)                 --> [1.   1.25 1.5  1.75]
---```
---@param start number
---@param stop number
---@param step? number
---@param dtype? tide.dtype
---@return tide.Array
---@overload fun(start: number, stop: number, dtype?: tide.dtype): tide.Array
---@overload fun(stop: number, step?: number, dtype?: tide.dtype): tide.Array
---@overload fun(stop: number, dtype?: tide.dtype): tide.Array
function tide.arange(start, stop, step, dtype) end

---where the greatest is
---```lua
---tide.array{ 3, 1, 2 }:argmax():item()  --> 1
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.argmax(a, axis, options) end

---`int64`: where the least element is, from 1, the first of equals; along one axis, or in `a` as 1-d. NaN wins
---```lua
---tide.array{ 3, 1, 2 }:argmin():item()  --> 2
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.argmin(a, axis, options) end

---`int64`: the places, from 1, of the elements in order; of equal ones the first one first, also where the greatest comes first
---```lua
---tide.array{ 30, 10, 20 }:argsort()  --> [2 3 1]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function tide.argsort(a, axis, options) end

---from a nested table, a number or a boolean, on the current device; or of a HostArray or an Array (copied), on its own. Integers make `int64`, other numbers the default dtype, booleans `bool`. An array of no axes may stand for a number, and counts with its dtype: `tide.array{ a:sum(), a:max() }`. Ragged tables raise
---
---Waits if an array stands for a number.
---```lua
---a = tide.array({ { 1, 2 }, { 3, 4 } }, "float32")
---a.shape                                 --> {2, 2}
---a[2]                                    --> [3. 4.]
---```
---@param x tide.nested|tide.element|tide.Array|tide.HostArray
---@param dtype? tide.dtype
---@return tide.Array
function tide.array(x, dtype) end

---whether they have one shape and equal elements; integers are compared exactly
---
---Waits for one byte.
---```lua
---tide.array_equal(tide.arange(3), { 0, 1, 2 })  --> true
---```
---@param a tide.Array|number|boolean|table|tide.HostArray
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param options? tide.options.equal_nan
---@return boolean
function tide.array_equal(a, b, options) end

---the same, where the first parts may be longer by one
---```lua
---tide.arange(5):array_split(2)[1]  --> [0 1 2]
---```
---@param a tide.Array
---@param parts integer|integer[]
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(a: tide.Array, parts: integer|integer[], options?: tide.options.axis): tide.Array[]
function tide.array_split(a, parts, axis, options) end

---the same, but an Array of that dtype is returned itself
---
---Waits if an array stands for a number.
---```lua
---a = tide.ones(3)
---tide.asarray(a) == a                    --> true
---```
---@param x tide.nested|tide.element|tide.Array|tide.HostArray
---@param dtype? tide.dtype
---@return tide.Array
function tide.asarray(x, dtype) end

---the arc sine, in radians
---```lua
---tide.array{ 0, 1 }:asin()  --> [0.         1.57079633]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.asin(x, options) end

---the inverse of `sinh`
---```lua
---tide.array{ 0, 1 }:asinh()  --> [0.         0.88137359]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.asinh(x, options) end

---C's conversion: of integers to smaller ones the low bits (300 is 44 as `int8`); of floats cut off, out of range the nearest, NaN 0; to bool `x ~= 0`
---```lua
---tide.array{ 1.7, -1.7, 0 }:astype "int32"  --> [ 1 -1  0]
---```
---@param a tide.Array
---@param dtype tide.dtype
---@return tide.Array
function tide.astype(a, dtype) end

---the arc tangent, in radians
---```lua
---tide.array{ 0, 1 }:atan()  --> [0.         0.78539816]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.atan(x, options) end

---the angle of the point (`y`, `x`); integers make `float64`
---```lua
---tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.atan2(x, y, options) end

---the inverse of `tanh`
---```lua
---tide.array{ 0, 0.5 }:atanh()  --> [0.         0.54930614]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.atanh(x, options) end

---the mean, each element counting as much as its weight; NaN where the weights come to 0
---```lua
---tide.array{ 1, 3 }:average{ weights = tide.array{ 3, 1 } }:item()  --> 1.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_weights
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_weights): tide.Array
function tide.average(a, axis, options) end

---bool and integers
---```lua
---tide.array{ 5, 6 } & 3  --> [1 2]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.band(x, y, options) end

---how often each integer from `base` on is there, up to the greatest one, as `int64`; or what the weights of its elements come to, as `float64`
---
---Waits if there is no `size`: for the greatest element.
---
---Raises without `size`, if an element is below `base`.
---```lua
---tide.array{ 1, 3, 1 }:bincount()        --> [2 0 1]
---tide.array{ 0, 2, 0 }:bincount{ base = 0 } --> [2 0 1]
---```
---@param a tide.Array
---@param weights? tide.Array one for each element
---@param options? tide.options.base_minlength_out_size
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.base_minlength_out_size): tide.Array
function tide.bincount(a, weights, options) end

---every bit the other way; bool and integers
---```lua
---~tide.array{ 0, 5 }  --> [-1 -6]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.bnot(x, options) end

---likewise
---```lua
---tide.array{ 5, 6 } | 3  --> [7 7]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.bor(x, y, options) end

---all in the shape that they have in common, likewise
---
---Returns: as many as are in the list.
---```lua
---x, y = tide.broadcast_arrays{ tide.arange(3), tide.ones{ 2, 1 } }
---x.shape, y.shape                        --> {2, 3}  {2, 3}
---```
---@param list tide.Array[]
---@return tide.Array
function tide.broadcast_arrays(list) end

---repeats `a` without copying it; cannot be written, nor can views of it
---```lua
---tide.arange(3):broadcast_to(2, 3)[2]  --> [0 1 2]
---```
---@param a tide.Array
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function tide.broadcast_to(a, shape, ...) end

---likewise
---```lua
---tide.array{ 5, 6 } ~ 3  --> [6 5]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.bxor(x, y, options) end

---whether it is a cast of that kind: `"safe"` if `to` has all numbers of `from`, `"same_kind"` if it also is one of floats to floats, say; `"no"` and `"equiv"` if they are the same, `"unsafe"` always
---```lua
---tide.can_cast("int32", "float32")       --> false
---```
---@param from tide.dtype|tide.Array|tide.HostArray
---@param to tide.dtype|tide.Array|tide.HostArray
---@param casting? "no"|"equiv"|"safe"|"same_kind"|"unsafe"
---@return boolean
function tide.can_cast(from, to, casting) end

---captures what `fn(...)` queues on a new non-blocking stream. Returns the graph and what `fn` returned. On an error the capture is dropped and the error passes through. `fn` may yield
---
---Returns: the graph, then what `fn` returned.
---```lua
---a = tide.zeros(3)
---g, b = tide.capture(function () a:add_(1); return a * 10 end)
---g:launch()
---b[1]                                    --> 10.0
---```
---@param fn function or an object that is called as one
---@param ... any
---@return tide.Graph
---@return any ...
function tide.capture(fn, ...) end

---the cube root
---```lua
---tide.array{ 8, 27 }:cbrt():round()  --> [2. 3.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.cbrt(x, options) end

---up to an integer
---```lua
---tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.ceil(x, options) end

---not below `lo`, not above `hi`: numbers or arrays. Either may be nil; without both the result is a copy. NaN stays
---```lua
---tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]
---```
---@param a tide.Array
---@param lo? tide.operand
---@param hi? tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.clip(a, lo, hi, options) end

---a clock that never goes back, from an arbitrary moment
---
---Returns: seconds.
---```lua
---start = tide.clock()
---tide.clock() >= start                   --> true
---```
---@return number
function tide.clock() end

---side by side: along the second axis; those of fewer than two are columns
---```lua
---tide.column_stack{ tide.arange(2), tide.arange(2) }[2]  --> [1 1]
---```
---@param list tide.Array[]
---@param options? tide.options.out
---@return tide.Array
function tide.column_stack(list, options) end

---a rank for each device, all in this process
---
---Waits until they have met.
---```lua
---comm = tide.comm{ "host" }
---comm.ranks                              --> {0}
---```
---@param devices table a list of devices and specs, of one kind, each once
---@param options? tide.options.timeout
---@return tide.Communicator
function tide.comm(devices, options) end

---`im` is 0 by default
---```lua
---tide.complex(1, 2)  --> 1+2j
---```
---@class tide.complex.constructor
---@overload fun(re: number, im?: number): tide.Complex
tide.complex = {}

---its absolute value
---```lua
---tide.complex.abs(tide.complex(3, 4))  --> 5.0
---```
---@param z tide.Complex|number
---@return number
function tide.complex.abs(z) end

---the angle with that cosine
---```lua
---tide.complex.acos(1)  --> 0-0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.acos(z) end

---the inverse of `cosh`
---```lua
---tide.complex.acosh(1)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.acosh(z) end

---its angle, from -pi to pi
---```lua
---tide.complex.arg(tide.complex(0, 2)) == math.pi / 2  --> true
---```
---@param z tide.Complex|number
---@return number
function tide.complex.arg(z) end

---the angle with that sine
---```lua
---tide.complex.asin(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.asin(z) end

---the inverse of `sinh`
---```lua
---tide.complex.asinh(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.asinh(z) end

---the angle with that tangent
---```lua
---tide.complex.atan(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.atan(z) end

---the inverse of `tanh`
---```lua
---tide.complex.atanh(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.atanh(z) end

---with the other sign of the imaginary part
---```lua
---tide.complex.conj(tide.complex(1, 2))  --> 1-2j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.conj(z) end

---the cosine
---```lua
---tide.complex.cos(0)  --> 1-0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.cos(z) end

---the hyperbolic cosine
---```lua
---tide.complex.cosh(0)  --> 1+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.cosh(z) end

---e to that power
---```lua
---tide.complex.exp(0)  --> 1+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.exp(z) end

---the natural logarithm; the cut is along the negative axis
---```lua
---tide.complex.log(1)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.log(z) end

---that of absolute value `r` and an angle in radians
---```lua
---tide.complex.polar(2, 0)  --> 2+0j
---```
---@param r number
---@param angle number
---@return tide.Complex
function tide.complex.polar(r, angle) end

---the sine
---```lua
---tide.complex.sin(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.sin(z) end

---the hyperbolic sine
---```lua
---tide.complex.sinh(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.sinh(z) end

---the root with a real part from 0
---```lua
---tide.complex.sqrt(-4)  --> 0+2j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.sqrt(z) end

---the tangent
---```lua
---tide.complex.tan(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.tan(z) end

---the hyperbolic tangent
---```lua
---tide.complex.tanh(0)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.tanh(z) end

---arrays one after the other along an axis, the first by default; promoted to a common dtype
---```lua
---tide.concatenate{ tide.arange(2), tide.arange(3) }  --> [0 1 0 1 2]
---```
---@param list tide.Array[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(list: tide.Array[], options?: tide.options.axis_out): tide.Array
function tide.concatenate(list, axis, options) end

---with the other sign of the imaginary part; of real numbers themselves
---```lua
---tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.conj(x, options) end

---`a` itself if it is row-major without gaps, else a copy, which is
---```lua
---tide.ones{ 2, 3 }.T:contiguous().strides  --> {2, 1}
---```
---@param a tide.Array
---@return tide.Array
function tide.contiguous(a) end

---of vectors, the sums of `a[i - p] * b[p]`: for all places where they overlap (`"full"`), for as many as the longer one has (`"same"`), or for those where the shorter one lies inside (`"valid"`). Computed directly, in the dtype of both
---
---Raises unless both are vectors with elements.
---```lua
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 })  --> [1 3 5 3]
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 }, "valid")  --> [3 5]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" how far they overlap
---@param options? tide.options.mode_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.mode_out): tide.Array
function tide.convolve(a, b, mode, options) end

---the same of matrices, as SciPy's: `"same"` is as large as `a`; around `a` there is 0
---
---Raises unless both are matrices with elements.
---```lua
---tide.ones({ 3, 3 }, "int8"):convolve2d(tide.ones({ 3, 3 }, "int8"), "same")[1]  --> [4 6 4]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" how far they overlap
---@param options? tide.options.mode_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.mode_out): tide.Array
function tide.convolve2d(a, b, mode, options) end

---```lua
---tide.arange(3):copy()  --> [0 1 2]
---```
---@param a tide.Array
---@return tide.Array
function tide.copy(a) end

---likewise
---```lua
---tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.copysign(x, y, options) end

---these, divided by both standard deviations: from -1 to 1
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:corrcoef()[2]                         --> [-1.  1.]
---```
---@param a tide.Array of two axes at most
---@param y? tide.Array more variables
---@param options? tide.options.rowvar_dtype_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.rowvar_dtype_out): tide.Array
function tide.corrcoef(a, y, options) end

---of vectors, the sums of `a[i + p] * b[p]`, `b` conjugated
---
---Raises unless both are vectors with elements.
---```lua
---tide.array{ 1, 2, 3 }:correlate(tide.array{ 0, 1 })  --> [2 3]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" likewise
---@param options? tide.options.Array_correlate
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.Array_correlate): tide.Array
function tide.correlate(a, b, mode, options) end

---the same of matrices, `b` conjugated
---
---Raises unless both are matrices with elements.
---```lua
---tide.eye(2):correlate2d(tide.array{ { 1, 2 }, { 3, 4 } }, "valid")[1]  --> [5.]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" how far they overlap
---@param options? tide.options.mode_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.mode_out): tide.Array
function tide.correlate2d(a, b, mode, options) end

---the cosine, of radians
---```lua
---tide.array{ 0, 1 }:cos()  --> [1.         0.54030231]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.cos(x, options) end

---the hyperbolic cosine
---```lua
---tide.array{ 0, 1 }:cosh()  --> [1.         1.54308063]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.cosh(x, options) end

---how many elements are not 0; `int64`
---```lua
---tide.array{ 0, 1, 2 }:count_nonzero():item()  --> 2
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.count_nonzero(a, axis, options) end

---the covariances of variables, which are rows, of observations, which are columns; in `float64`, or `dtype`
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:cov()[1]                              --> [ 1. -1.]
---```
---@param a tide.Array of two axes at most
---@param y? tide.Array more variables
---@param options? tide.options.Array_cov
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.Array_cov): tide.Array
function tide.cov(a, y, options) end

---the cross products of vectors of three along one axis of both, the last one by default; the other axes broadcast
---
---Raises unless that axis has three elements; of bools.
---```lua
---tide.array{ 1, 0, 0 }:cross(tide.array{ 0, 1, 0 })  --> [0 0 1]
---```
---@param a tide.Array
---@param b tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.cross(a, b, axis, options) end

---the greatest element up to each; the dtype of `a`. Behind a NaN all is NaN
---```lua
---tide.array{ 1, 3, 2 }:cummax()  --> [1 3 3]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.cummax(a, axis, options) end

---likewise the least one
---```lua
---tide.array{ 2, 3, 1 }:cummin()  --> [2 2 1]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.cummin(a, axis, options) end

---likewise the product
---```lua
---tide.array{ 1, 2, 3 }:cumprod()  --> [1 2 6]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function tide.cumprod(a, axis, options) end

---each element with all before it along the axis; without one, of the flattened array. dtypes as `sum`; floats are added in `float64`. The same result every time
---```lua
---tide.array{ 1, 2, 3 }:cumsum()          --> [1 3 6]
---tide.array{ 1, 2, 3 }:cumsum{ include_initial = true } --> [0 1 3 6]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function tide.cumsum(a, axis, options) end

---whether it was on until now. While on, each call waits until the operation that it queued is done, so that the call whose work fails is the one that raises: see [errors](../errors.md#a-device-that-fails). Nothing is waited for in a capture, nor in a host function for what waits for it. For this Lua state only
---```lua
---tide.debug_sync()  --> false
---```
---@param on? boolean
---@return boolean
function tide.debug_sync(on) end

---of radians
---```lua
---tide.array{ math.pi }:degrees()  --> [180.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.degrees(x, options) end

---`a` without the element at the index, or those of a list; by default as if 1-d
---```lua
---tide.arange(5):delete{ 1, -1 }  --> [1 2 3]
---```
---@param a tide.Array
---@param index integer|integer[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, index: integer|integer[], options?: tide.options.axis_out): tide.Array
function tide.delete(a, index, axis, options) end

---a table of `count`, `nans`, `mean`, `std`, `min`, `q25`, `median`, `q75`, `max` and `dtype`, which `tostring` and `print` show with a line for each: see [below](#figures)
---
---Waits for the figures, once.
---
---Raises for complex arrays.
---```lua
---d = tide.array({ 4, 1, 3 }, "int32"):describe()
---d.min                                   --> 1
---d.mean                                  --> 2.6666666666667
---d["50%"]                                --> 3.0
---```
---@param a tide.Array
---@return table
function tide.describe(a) end

---all that work: CUDA's first, then the host's; prints as `{cuda:0, host:0}`
---
---Returns: list of Device.
---```lua
---tide.devices()[#tide.devices()]  --> host:0
---```
---@param kind? "cuda"|"host" which
---@return tide.Device[]
function tide.devices(kind) end

---of a vector the matrix that has it as its diagonal of number `k`, and 0 elsewhere; of a matrix a view of that diagonal
---```lua
---tide.diag(tide.array{ 7, 8 })[2]  --> [0 8]
---```
---@param a tide.Array
---@param k? integer above the main one, or below it if negative
---@return tide.Array
function tide.diag(a, k) end

---the elements whose column is the row + `k`, along the last axis of the result, of the matrices in two axes
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:diagonal()  --> [1 4]
---```
---@param a tide.Array
---@param k? integer
---@param axes? integer[]
---@return tide.Array
---@overload fun(a: tide.Array, axes?: integer[]): tide.Array
function tide.diagonal(a, k, axes) end

---each element less the one before it, along the last axis by default; of bools, whether they differ
---```lua
---tide.array{ 1, 4, 9 }:diff()            --> [3 5]
---tide.array{ 1, 4, 9 }:diff{ prepend = 0 } --> [1 3 5]
---```
---@param a tide.Array
---@param n? integer how many times
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_prepend_append
---@return tide.Array
---@overload fun(a: tide.Array, axis?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(a: tide.Array, n?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_prepend_append): tide.Array
function tide.diff(a, n, axis, options) end

---`int64`: the number of the bin that each element is in, from 1: of the last edge that is not above it. 0 below all edges
---```lua
---tide.array{ 0.5, 2, 9 }:digitize{ 1, 2, 3 }  --> [0 2 3]
---```
---@param a tide.Array
---@param edges number[]|tide.Array sorted
---@param options? tide.options.descending_out_right
---@return tide.Array
function tide.digitize(a, edges, options) end

tide.dist = {}

---this process as one rank of those that a launcher has started: what torchrun, Slurm, Open MPI and MPICH set in the environment is read; without a launcher it is the only one. Its device is current afterwards
---
---Waits until all ranks have come.
---
---Raises if they do not, and says who.
---```lua
---comm = tide.dist.init{ device = "host" }
---comm.size                               --> 1
---```
---@param options? tide.options.dist_init
---@return tide.Communicator
function tide.dist.init(options) end

---`"torchrun"`, `"slurm"`, `"openmpi"`, `"mpich"`; nil: none has started this process
---```lua
---tide.dist.launcher()                    --> nil
---```
---@return string
function tide.dist.launcher() end

---the quotient; integers make `float64`
---```lua
---tide.array{ 1, 2 } / 2  --> [0.5 1. ]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.div(x, y, options) end

---of two vectors the sum of the products, of matrices `matmul`, with a 0-d array `mul`; else over the last axis of `a` and the last but one of `b`
---```lua
---tide.array{ 1, 2, 3 }:dot(tide.array{ 4, 5, 6 }):item()  --> 32
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.dot(a, b, options) end

---Einstein's sum, as NumPy's: a letter for each axis of each array, with commas between arrays, and after `->` those of the result. Axes of one letter go together; what the result has not is summed. Without `->` the result has the letters that are there once, in order; a letter twice in one array is its diagonal, `...` stands for axes that broadcast. Three arrays or more are multiplied in the cheapest order (of up to 6; then step by step), which is kept for the text and the shapes. A new array, of the dtype of all
---
---Raises if the text does not fit, or axes that go together have other lengths (1 broadcasts).
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---tide.einsum("ij,jk->ik", a, a)[1]       --> [ 7 10]
---tide.einsum("ii", a):item()             --> 5
---tide.einsum("...i,i->...", a, tide.array{ 1, 10 })  --> [21 43]
---```
---@param text string
---@param a tide.Array
---@param ... tide.Array|table as many as the text is about; { out= }
---@return tide.Array
function tide.einsum(text, a, ...) end

---of the default dtype; the elements are whatever was there
---```lua
---tide.empty({ 2, 3 }, "int8").shape  --> {2, 3}
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.empty(shape, dtype) end

---shape and dtype of `a`; whatever was there
---```lua
---tide.empty_like(tide.ones(3)).shape  --> {3}
---```
---@param a tide.Array
---@param dtype? tide.dtype
---@return tide.Array
function tide.empty_like(a, dtype) end

---equal
---```lua
---tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.eq(x, y, options) end

---the error function
---```lua
---tide.array{ 0., 1. }:erf()  --> [0.         0.84270079]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.erf(x, options) end

---1 - erf(x), exact far out
---```lua
---tide.array{ 0., 3. }:erfc()  --> [1.0000000e+00 2.2090497e-05]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.erfc(x, options) end

---the inverse of `erf`
---```lua
---tide.array{ 0., 0.5, 1. }:erfinv()  --> [0.         0.47693628        inf]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.erfinv(x, options) end

---`{ call =, name =, code = }` of a driver's error message: see [errors](../errors.md). An error of a host function has `stream =` and `queued =` as well, as in the message; its `call` is `"host function"` unless the function met a driver's error. Returns nil for any other value: tide's other errors, errors of Lua, values that are no strings
---
---Returns: table or nil.
---```lua
---ok, err = pcall(tide.zeros, 2^46)
---tide.errorinfo(err).name                --> CUDA_ERROR_OUT_OF_MEMORY
---```
---@param err any
---@return table
function tide.errorinfo(err) end

---e to the power of x
---```lua
---tide.array{ 0, 1 }:exp()  --> [1.         2.71828183]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.exp(x, options) end

---2 to the power of x
---```lua
---tide.array{ 1, 3 }:exp2()  --> [2. 8.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.exp2(x, options) end

---these axes of the result are new, of one element
---```lua
---tide.ones(3):expand_dims(2).shape  --> {3, 1}
---```
---@param a tide.Array
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function tide.expand_dims(a, axes, ...) end

---exp(x) - 1, exact near 0
---```lua
---tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.expm1(x, options) end

---`n` rows, `m` (`n`) columns: 1 where the column is the row + `k` (0), which may lie outside, else 0
---```lua
---tide.eye(2)[2]  --> [0. 1.]
---```
---@param n integer
---@param m? integer
---@param k? integer
---@param dtype? tide.dtype
---@return tide.Array
---@overload fun(n: integer, k?: integer, dtype?: tide.dtype): tide.Array
---@overload fun(n: integer, m?: integer, dtype?: tide.dtype): tide.Array
---@overload fun(n: integer, dtype?: tide.dtype): tide.Array
function tide.eye(n, m, k, dtype) end

---```lua
---tide.empty(3):fill(7)  --> [7. 7. 7.]
---```
---@param a tide.Array
---@param value tide.element
---@return tide.Array
function tide.fill(a, value) end

---a table of what floats there are, as NumPy names it: `bits eps epsneg max min tiny smallest_normal smallest_subnormal resolution precision nmant nexp iexp machep negep minexp maxexp`, and `dtype`; of complex numbers, of their parts
---
---Raises of a dtype that has no floats.
---```lua
---tide.finfo "float16".max                --> 65504.0
---```
---@param dtype tide.dtype|tide.Array|tide.HostArray
---@return table
function tide.finfo(dtype) end

---a new 1-d array
---```lua
---tide.ones{ 2, 3 }:flatten().shape  --> {6}
---```
---@param a tide.Array
---@return tide.Array
function tide.flatten(a) end

---in reverse along those axes, by default all
---```lua
---tide.arange(3):flip()  --> [2 1 0]
---```
---@param a tide.Array
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function tide.flip(a, axes, ...) end

---down to an integer
---```lua
---tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.floor(x, options) end

---the quotient, rounded down; an integer over 0 is 0
---```lua
---tide.array{ 7, -7 } // 2  --> [ 3 -4]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.floordiv(x, y, options) end

---the greater one; NaN only of two
---```lua
---tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.fmax(x, y, options) end

---the lesser one; NaN only of two
---```lua
---tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.fmin(x, y, options) end

---the sign of `x`; an integer by 0 is 0
---```lua
---tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.fmod(x, y, options) end

---the mantissa, from 0.5 and below 1, and the exponent, an `int32`: `x` is `mantissa * 2^exponent`
---```lua
---mantissa, exponent = tide.array{ 8., 0.75 }:frexp()
---mantissa                                --> [0.5  0.75]
---exponent                                --> [4 0]
---```
---@param x tide.operand
---@param options? tide.options.Array_modf
---@return tide.Array
---@return tide.Array
function tide.frexp(x, options) end

---over the elements of another C module's array, such as osch's carray, without a copy; that must not change its length as long as there is the HostArray. A HostArray is itself. Left out with `TIDE_POINTERS`
---
---Raises if its elements have no dtype here.
---```lua
---h = tide.from_carray(tide.HostArray(3))
---h.size                                  --> 3
---```
---@param x userdata an array with `_capi_carray`, or a HostArray
---@return tide.HostArray
function tide.from_carray(x) end

---an array over them, a HostArray if CUDA has page-locked the memory. From now on the tensor is tide's, and its deleter is called when nothing uses it any more
---
---Raises if the capsule was taken already, or its dtype or device is not known here.
---```lua
---tide.from_dlpack(tide.arange(3):to_dlpack())  --> [0 1 2]
---```
---@param x userdata|lightuserdata a capsule, or the struct's address as light userdata
---@param options? tide.options.stream_versioned
---@return tide.Array|tide.HostArray
function tide.from_dlpack(x, options) end

---elements from a string, in the machine's byte order; 1-d by default
---```lua
---tide.frombytes("abc", "uint8")  --> [97 98 99]
---```
---@param str string
---@param dtype tide.dtype
---@param shape? tide.shape
---@return tide.Array
function tide.frombytes(str, dtype, shape) end

---all `value`; its dtype by default
---```lua
---tide.full(3, 2.5)  --> [2.5 2.5 2.5]
---```
---@param shape tide.shape
---@param value tide.element
---@param dtype? tide.dtype
---@return tide.Array
function tide.full(shape, value, dtype) end

---all `value`
---```lua
---tide.full_like(tide.zeros(3), 7)  --> [7. 7. 7.]
---```
---@param a tide.Array
---@param value tide.element
---@param dtype? tide.dtype
---@return tide.Array
function tide.full_like(a, value, dtype) end

---`fn` as one kernel
---```lua
---f = tide.fuse(function (x, y) return x * y + 8 end, "axpb")
---f(tide.array{ 1., 2. }, 10)[2]          --> 28.0
---```
---@param fn function or an object that is called as one
---@param name? string what graphs and errors call it
---@return tide.Fused
function tide.fuse(fn, name) end

---the gamma function: of `n + 1` it is `n!`
---```lua
---tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.gamma(x, options) end

---waits for all of them, which go on at once. The first error cancels the others, and is raised; [errors of their `<close>`](#errors) come behind it
---
---Waits if one is not over yet.
---
---Returns: the first value of each.
---```lua
---list = tide.run(function ()
---  local x = tide.ones(3)
---  return tide.gather{ x * 2, function () return "a" end }
---end)
---list[1], list[2]                        --> true   a
---```
---@param list table functions, tasks, or what has `await`
---@return table
function tide.gather(list) end

---the greatest common divisor, of integers; without a sign
---```lua
---tide.array{ 12, -18 }:gcd(8)  --> [4 2]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.gcd(x, y, options) end

---greater or equal
---```lua
---tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.ge(x, y, options) end

---the stream that is current for this coroutine on that device (the current one by default)
---```lua
---tide.get_current_stream()  --> tide.Stream null (device -1)
---```
---@param device? tide.spec
---@return tide.Stream
function tide.get_current_stream(device) end

---the default dtype, that of floats: `"float64"` unless it was set
---```lua
---tide.get_default_dtype()  --> float64
---```
---@return tide.dtype
function tide.get_default_dtype() end

---the current device of this coroutine
---```lua
---tide.get_device()  --> host:0
---```
---@return tide.Device
function tide.get_device() end

---from one recorded event to another
---
---Raises if one is without timing, was never recorded, or has not finished.
---
---Returns: milliseconds.
---```lua
---e1 = tide.Event():record()
---e2 = tide.Event():record()
---e2:synchronize()
---tide.get_elapsed_time(e1, e2) >= 0      --> true
---```
---@param e1 tide.Event
---@param e2 tide.Event
---@return number
function tide.get_elapsed_time(e1, e2) end

---greater
---```lua
---tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.gt(x, y, options) end

---0 below 0, 1 above it, `y` where `x` is 0
---```lua
---tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.heaviside(x, y, options) end

---what these pages say of a function, a method, a field, an operator, a type or a page, by any of its names (`"zeros"`, `"tide.zeros"`, `"Array.sum"`, `"a:sum"`, `"+"`, `"events"`), of a function of tide, or of the type of an object. Of anything else: what comes near. At a prompt it is shown: `> tide.help "sum"`
---```lua
---tide.help "tide.clock":match "[^\n]+"    --> tide.clock() -> number
---```
---@param what? any
---@return string
function tide.help(what) end

---how many elements are in each bin, as `int64`, or what their weights come to, in the dtype of these; and the edges. Each bin is from its first edge up to, not including, the next, the last one with its last
---```lua
---counts, edges = tide.array{ 1, 2, 2, 5 }:histogram(2)
---counts                                  --> [3 1]
---edges                                   --> [1. 3. 5.]
---```
---@param a tide.Array
---@param bins? integer|number[]|tide.Array how many bins of one width, or their edges, sorted
---@param options? tide.options.density_range_weights
---@return tide.Array
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.density_range_weights): tide.Array, tide.Array
function tide.histogram(a, bins, options) end

---how many points, whose first coordinates are in `a` and second ones in `b`, are in each cell: a row for each bin of `a`; the edges of both
---```lua
---counts = tide.array{ 1, 1, 2 }:histogram2d(tide.array{ 5, 6, 6 }, 2)
---counts[1]                               --> [1 1]
---```
---@param a tide.Array
---@param b tide.Array
---@param bins? integer|table|tide.Array as `histogram` has them, or a list of two
---@param options? tide.options.Array_histogram2d
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.Array_histogram2d): tide.Array, tide.Array, tide.Array
function tide.histogram2d(a, b, bins, options) end

---side by side: along the second axis, or the only one; those without axes are elements
---```lua
---tide.hstack{ tide.arange(2), tide.array(7) }  --> [0 1 7]
---```
---@param list tide.Array[]
---@param options? tide.options.out
---@return tide.Array
function tide.hstack(list, options) end

---likewise
---```lua
---tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.hypot(x, y, options) end

---a table of which integers there are: `bits min max`, and `dtype`. The greatest of `uint64` is -1, which has the same 64 bits, as its elements are in Lua
---
---Raises of a dtype that has no integers.
---```lua
---tide.iinfo "int8".min                   --> -128
---```
---@param dtype tide.dtype|tide.Array|tide.HostArray
---@return table
function tide.iinfo(dtype) end

---the imaginary part: likewise; 0 of real ones
---```lua
---tide.array{ tide.complex(1, 2) }:imag()  --> [2.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.imag(x, options) end

---for each axis the index along it, from 1, of every element of that shape; the first axis of the result says of which
---```lua
---tide.indices{ 2, 3 }[2][1]  --> [1 2 3]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.indices(shape, dtype) end

---what is current here; the first half of `tide.wrap`, for schedulers that make coroutines themselves
---
---Returns: token.
---```lua
---token = tide.inherit()
---f = coroutine.wrap(function () tide.inherit(token); return tide.get_device() end)
---f()                                     --> host:0
---```
---@return userdata
---@overload fun(token: userdata)
function tide.inherit() end

---the sums of the products over the last axis of each; a 0-d array multiplies all elements
---
---Raises unless those axes have one length.
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:inner(tide.array{ 1, 1 })  --> [3 7]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.inner(a, b, options) end

---`a` with values, cast to its dtype, before the element at the index; of a list of indices one of the values before each. Index `#a + 1` is behind the last one. By default as if `a` were 1-d
---
---Waits if an array stands for a number in a table.
---```lua
---tide.arange(3):insert(2, { 7, 8 })      --> [0 7 8 1 2]
---tide.arange(3):insert({ 1, -1 }, 9)     --> [9 0 1 9 2]
---```
---@param a tide.Array
---@param index integer|integer[]
---@param values tide.operand|table
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, index: integer|integer[], values: tide.operand|table, options?: tide.options.axis_out): tide.Array
function tide.insert(a, index, values, axis, options) end

---for each element the number at that place of the line through points, as `float64`; beyond them that of the nearest one
---```lua
---tide.array{ 1.5, 9 }:interp({ 1, 2 }, { 10, 30 })  --> [20. 30.]
---```
---@param a tide.Array
---@param xs number[]|tide.Array where the points are, sorted
---@param ys number[]|tide.Array a number for each of them
---@param options? tide.options.left_out_period_right
---@return tide.Array
function tide.interp(a, xs, ys, options) end

tide.ipc = {}

---as `tide.array`: a copy
---```lua
---tide.ipc.array{ 1, 2, 3 }               --> [1 2 3]
---```
---@param x tide.Array|tide.HostArray|tide.nested|tide.element
---@param dtype? tide.dtype
---@return tide.Array
function tide.ipc.array(x, dtype) end

---to who listens at that path
---
---Waits if nobody listens there yet, so long.
---
---Raises if there is none then.
---```lua
---(pcall(tide.ipc.connect, "/nowhere"))   --> false
---```
---@param path string of a socket in the file system
---@param seconds? number
---@return tide.Connection
function tide.ipc.connect(path, seconds) end

---as `tide.empty`, in memory of its own
---```lua
---tide.ipc.empty{ 2, 3 }.shape            --> {2, 3}
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.ipc.empty(shape, dtype) end

---a socket of that name, which only programs of the same user can reach; one that a process has left behind is replaced
---
---Raises if there is another file, or somebody listens there.
---```lua
---path = os.tmpname() .. ".sock"
---do local l <close> = tide.ipc.listen(path) end
---io.open(path) == nil                    --> true
---```
---@param path string of a socket in the file system
---@return tide.Listener
function tide.ipc.listen(path) end

---as `tide.zeros`
---```lua
---tide.ipc.zeros(3, "int32")              --> [0 0 0]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.ipc.zeros(shape, dtype) end

---where they are equal, or `|a - b| <= atol + rtol * |b|`, `b` being finite: `bool`. It waits for nothing
---```lua
---tide.array{ 1., 2. }:isclose(1)  --> [ true false]
---```
---@param a tide.Array|number|boolean|table|tide.HostArray
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param rtol? number
---@param atol? number
---@param options? tide.options.rtol_atol_equal_nan_out
---@return tide.Array
---@overload fun(a: tide.Array|number|boolean|table|tide.HostArray, b: tide.Array|number|boolean|table|tide.HostArray, rtol?: number, options?: tide.options.rtol_atol_equal_nan_out): tide.Array
---@overload fun(a: tide.Array|number|boolean|table|tide.HostArray, b: tide.Array|number|boolean|table|tide.HostArray, options?: tide.options.rtol_atol_equal_nan_out): tide.Array
function tide.isclose(a, b, rtol, atol, options) end

---whether it is neither infinite nor NaN; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.isfinite(x, options) end

---`bool`: which elements are equal to one of `values`; a number is compared as by `eq`. NaN is equal to none
---```lua
---tide.array{ 1, 2, 3 }:isin{ 3, 1 }      --> [ true false true]
---tide.array{ 1, 2, 3 }:isin({ 3, 1 }, { invert = true })  --> [false  true false]
---```
---@param a tide.Array
---@param values tide.operand|table of any shape
---@param options? tide.options.invert_out
---@return tide.Array
function tide.isin(a, values, options) end

---whether it is infinite; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.isinf(x, options) end

---whether it is NaN; `bool`
---```lua
---tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.isnan(x, options) end

---`b` times each element of `a`, as blocks in its place
---```lua
---tide.eye(2, "int8"):kron(tide.array({ 1, 2 }, "int8"))[2]  --> [0 0 1 2]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.kron(a, b, options) end

---the least common multiple; likewise
---```lua
---tide.array{ 12, -18 }:lcm(8)  --> [24 72]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lcm(x, y, options) end

---x * 2^n, rounded once; `n` are integers, and the dtype is that of `x`
---```lua
---tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]
---```
---@param x tide.operand
---@param n tide.Array|integer
---@param options? tide.options.out
---@return tide.Array
function tide.ldexp(x, n, options) end

---less or equal
---```lua
---tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.le(x, y, options) end

---`int64`: in which order elements are by several arrays of one shape: by the last one, where that has equal ones by the one before it, and so on; along the last axis
---```lua
---tide.lexsort{ tide.array{ 2, 1, 3 }, tide.array{ 5, 5, 4 } }  --> [3 2 1]
---```
---@param list tide.Array[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(list: tide.Array[], options?: tide.options.axis_out): tide.Array
function tide.lexsort(list, axis, options) end

---the logarithm of its absolute value; right to digits of 1, not of the result, beside zeros below -2
---```lua
---tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lgamma(x, options) end

---`n` numbers (50) evenly from `start` to `stop`, which is one of them unless `endpoint=false`; rounded down for integers. Complex ends give points of the line between them, as `complex128`
---```lua
---tide.linspace(0, 1, 5)                  --> [0.   0.25 0.5  0.75 1.  ]
---tide.linspace(0, 1, 4, { endpoint = false }) --> [0.   0.25 0.5  0.75]
---```
---@param start number|tide.Complex
---@param stop number|tide.Complex
---@param n? integer
---@param dtype? tide.dtype
---@param options? tide.options.endpoint
---@return tide.Array
---@overload fun(start: number|tide.Complex, stop: number|tide.Complex, dtype?: tide.dtype, options?: tide.options.endpoint): tide.Array
---@overload fun(start: number|tide.Complex, stop: number|tide.Complex, n?: integer, options?: tide.options.endpoint): tide.Array
---@overload fun(start: number|tide.Complex, stop: number|tide.Complex, options?: tide.options.endpoint): tide.Array
function tide.linspace(start, stop, n, dtype, options) end

---what the file holds, on the current device; the copy is queued on the current stream, the file is closed
---```lua
---path = os.tmpname()
---tide.save(path, tide.arange(3))
---tide.load(path)                         --> [0 1 2]
---os.remove(path)
---```
---@param path string
---@return tide.Array
function tide.load(path) end

---what the file holds, on the current device: `{height, width}` of a grey picture, `{height, width, 3}` of colours, `{height, width, 4}` where something may be transparent; `uint8`, or `uint16` of more than 8 bits; the copy is queued on the current stream
---```lua
---path = os.tmpname()
---tide.save_image(path, tide.array({ { 0, 255 } }, "uint8"), { format = "pgm" })
---tide.load_image(path)[1]                --> [ 0 255]
---os.remove(path)
---```
---@param path string
---@return tide.Array
function tide.load_image(path) end

---the natural logarithm
---```lua
---tide.array{ 1, 10 }:log()  --> [0.         2.30258509]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log(x, options) end

---the logarithm of base 10
---```lua
---tide.array{ 1, 100 }:log10()  --> [0. 2.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log10(x, options) end

---log(1 + x), exact near 0
---```lua
---tide.array{ 0., 1. }:log1p()  --> [0.         0.69314718]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log1p(x, options) end

---the logarithm of base 2
---```lua
---tide.array{ 1, 8 }:log2()  --> [0. 3.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log2(x, options) end

---log(exp(x) + exp(y)), which does not overflow; integers make `float64`
---```lua
---tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logaddexp(x, y, options) end

---the same of base 2
---```lua
---tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logaddexp2(x, y, options) end

---`bool`, of whether they are 0; in place for bool arrays
---```lua
---tide.array{ 0, 2 }:logical_and(1)  --> [false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_and(x, y, options) end

---whether it is 0; `bool`
---```lua
---tide.array{ 0, 5 }:logical_not()  --> [ true false]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_not(x, options) end

---likewise
---```lua
---tide.array{ 0, 2 }:logical_or(0)  --> [false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_or(x, y, options) end

---likewise: one and not the other
---```lua
---tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_xor(x, y, options) end

---the logarithms of that, finite also where it is 0
---
---Raises of complex numbers; of an array of no axes.
---```lua
---tide.array{ 0., 1000. }:logsoftmax()  --> [-1000.     0.]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.logsoftmax(a, axis, options) end

---integers, to the left
---```lua
---tide.array{ 5, 6 } << 1  --> [10 12]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lshift(x, y, options) end

---less; `bool`; in place for bool arrays
---```lua
---tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lt(x, y, options) end

---the elements for which the bool array `m` of the same shape is true, in order; with fewer axes, the slices of the last ones
---
---Waits for their number, unless `size` says it.
---```lua
---a = tide.array{ 1, -2, 3 }
---a:mask(a:gt(0))                         --> [1 3]
---a:mask(a:gt(0), { size = 3 })           --> [1 3 0]
---```
---@param a tide.Array
---@param m tide.Array
---@param options? tide.options.size_fill_out
---@return tide.Array
function tide.mask(a, m, options) end

---of the matrices in the last two axes; the others are those of a batch and broadcast. A vector is a row on the left, a column on the right, and that axis is not in the result
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ 1, 1 })  --> [3 7]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.accumulate_out_tf32
---@return tide.Array
function tide.matmul(a, b, options) end

---the last two axes in each other's place, as `a.mT`
---
---Raises of less than two axes.
---```lua
---tide.ones{ 4, 2, 3 }:matrix_transpose().shape  --> {4, 3, 2}
---```
---@param a tide.Array
---@return tide.Array
function tide.matrix_transpose(a) end

---the greatest; likewise
---
---Raises without elements.
---```lua
---tide.array{ 3, 1, 2 }:max():item()  --> 3
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.max(a, axis, options) end

---the greater one; NaN wins
---```lua
---tide.array{ 1, 5 }:maximum(3)  --> [3 5]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.maximum(x, y, options) end

---the mean: the dtype of floats and complex numbers, else `float64`; NaN without elements
---```lua
---tide.array{ 1, 2 }:mean():item()  --> 1.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.mean(a, axis, options) end

---the element in the middle, or the mean of both; the dtype of floats, else `float64`; NaN where one is, or without elements
---```lua
---tide.array{ 3, 1, 2, 9 }:median():item()  --> 2.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.median(a, axis, options) end

---the limit until now, 0: none. `bytes` sets a new one, 0 none (but that of a [host program](../embedding.md)); nil leaves it. What is idle beyond it goes back at once; what is in use stays, and no more comes until it fits
---```lua
---before = tide.memory_limit(64 << 20)
---tide.memory_limit(before)               --> 67108864
---```
---@param bytes? integer
---@param kind? tide.kind
---@return integer
function tide.memory_limit(bytes, kind) end

---the figures below; prints as what they are
---```lua
---a = tide.ones(1000)
---tide.memory_stats().live >= 8000        --> true
---```
---@param kind? tide.kind
---@return table
function tide.memory_stats(kind) end

---for each array one of an axis for all of them, along which its elements go. The first goes along the second axis and the second along the first one
---
---Returns: as many as are in the list.
---```lua
---x, y = tide.meshgrid{ tide.arange(3), tide.arange(2) }
---x[2]                                    --> [0 1 2]
---y[2]                                    --> [1 1 1]
---```
---@param list tide.Array[]
---@param options? tide.options.indexing_sparse_copy
---@return tide.Array
function tide.meshgrid(list, options) end

---the least element; NaN wins
---
---Raises without elements.
---```lua
---tide.array{ 3, 1, 2 }:min():item()  --> 1
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.min(a, axis, options) end

---the lesser one; NaN wins
---```lua
---tide.array{ 1, 5 }:minimum(3)  --> [1 3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.minimum(x, y, options) end

---the rest of it; the sign of `y`
---```lua
---tide.array{ 7, -7 } % 4  --> [3 1]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.mod(x, y, options) end

---the fraction and the whole number; both have the sign of `x`
---```lua
---fraction, whole = tide.array{ 1.5, -2.25 }:modf()
---fraction                                --> [ 0.5  -0.25]
---whole                                   --> [ 1. -2.]
---```
---@param x tide.operand
---@param options? tide.options.Array_modf
---@return tide.Array
---@return tide.Array
function tide.modf(x, options) end

---axes `from` become axes `to` of the result; the others stay in order
---```lua
---tide.ones{ 2, 3, 4 }:moveaxis(1, -1).shape  --> {3, 4, 2}
---```
---@param a tide.Array
---@param from integer|integer[] an axis, or several
---@param to integer|integer[] as many
---@return tide.Array
function tide.moveaxis(a, from, to) end

---the product
---```lua
---a = tide.array{ 1, 2 }
---a * a                                   --> [1 4]
---a:mul_(10)                              --> [10 20]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.mul(x, y, options) end

---NaN and infinities become these numbers
---```lua
---tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]
---```
---@param x tide.operand
---@param nan? number
---@param posinf? number the greatest number of the dtype
---@param neginf? number the least one
---@param options? tide.options.nan_posinf_neginf_out
---@return tide.Array
---@overload fun(x: tide.operand, nan?: number, posinf?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(x: tide.operand, nan?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(x: tide.operand, options?: tide.options.nan_posinf_neginf_out): tide.Array
function tide.nan_to_num(x, nan, posinf, neginf, options) end

---likewise `argmax`
---
---Raises without elements.
---```lua
---tide.array{ 0/0, 3, 1 }:nanargmax():item()  --> 2
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanargmax(a, axis, options) end

---likewise `argmin`; of NaNs alone, the first place
---
---Raises without elements.
---```lua
---tide.array{ 0/0, 3, 1 }:nanargmin():item()  --> 3
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanargmin(a, axis, options) end

---likewise `max`
---
---Raises without elements.
---```lua
---tide.array{ 1, 0/0, 3 }:nanmax():item()  --> 3.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanmax(a, axis, options) end

---likewise `mean`; NaN if there is nothing else, here and in the next ones
---```lua
---tide.array{ 1, 0/0, 2 }:nanmean():item()  --> 1.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanmean(a, axis, options) end

---likewise `median`
---```lua
---tide.array{ 0/0, 3, 1 }:nanmedian():item()  --> 2.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanmedian(a, axis, options) end

---likewise `min`
---
---Raises without elements.
---```lua
---tide.array{ 1, 0/0, 3 }:nanmin():item()  --> 1.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanmin(a, axis, options) end

---likewise `prod`; 1 if there is nothing else
---```lua
---tide.array{ 3, 0/0, 2 }:nanprod():item()  --> 6.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.nanprod(a, axis, options) end

---likewise `std`
---```lua
---tide.array{ 1, 0/0, 3 }:nanstd():item()  --> 1.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function tide.nanstd(a, axis, options) end

---`sum` of what is no NaN; 0 if there is nothing else
---```lua
---tide.array{ 1, 0/0, 2 }:nansum():item()  --> 3.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.nansum(a, axis, options) end

---likewise `var`
---```lua
---tide.array{ 1, 0/0, 3 }:nanvar():item()  --> 1.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function tide.nanvar(a, axis, options) end

---not equal
---```lua
---tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.ne(x, y, options) end

---with the other sign
---```lua
----tide.array{ 1, -2 }  --> [-1  2]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.neg(x, options) end

---the next number of its dtype from `x` towards `y`
---```lua
---tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.nextafter(x, y, options) end

---for each axis the indices of the elements that are not 0, in order. `tide.where(a)` of one argument is the same
---
---Waits for their number, unless `size` says it.
---
---Returns: of int64, as many as there are axes.
---```lua
---a = tide.array{ { 0, 5 }, { 6, 0 } }
---i, j = a:nonzero()
---i                                       --> [1 2]
---j                                       --> [2 1]
---tide.nonzero(a[1], { size = 3 })        --> [2 0 0]
---```
---@param a tide.Array
---@param options? tide.options.base_size_fill
---@return tide.Array
function tide.nonzero(a, options) end

---norms of vectors along one axis, of matrices along two axes (rows, columns); along three axes or more, the norm of all elements as a vector. Without axes the norm is that of `a`, and without an order that of all its elements. Orders of vectors: 2 (the default) is the root of the sum of squares, `math.huge` and `-math.huge` are the greatest and the least absolute value, 0 is the number of elements that are not 0, others are `sum(abs(x) ^ ord) ^ (1 / ord)`. Orders of matrices: `"fro"` (the default) is the root of the sum of squares; 1 and -1 are the greatest and the least sum of absolute values of a column, `math.huge` and `-math.huge` of a row. The result of floats has their dtype, that of complex numbers the dtype of their parts, others `float64`
---
---Raises of the norms of matrices that need singular values: 2, -2.
---```lua
---tide.array{ 3, 4 }:norm():item()        --> 5.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(1):item()  --> 6.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(math.huge, 2)  --> [2. 4.]
---```
---@param a tide.Array
---@param ord? number|"fro"
---@param axes? tide.axes
---@param options? tide.options.ord_axis_keepdims_out
---@return tide.Array
---@overload fun(a: tide.Array, axes?: tide.axes, options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(a: tide.Array, ord?: number|"fro", options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(a: tide.Array, options?: tide.options.ord_axis_keepdims_out): tide.Array
function tide.norm(a, ord, axes, options) end

---for each index of `a`, an array of integers that count from 1, a row of `n` along a new last axis: 1 at that place, else 0. All 0 where there is no such place
---```lua
---tide.array{ 2, 1 }:one_hot(3)[1]  --> [0. 1. 0.]
---```
---@param a tide.Array
---@param n integer how many places
---@param dtype? tide.dtype the default dtype if left out
---@return tide.Array
function tide.one_hot(a, n, dtype) end

---all 1
---```lua
---tide.ones(3, "int32")  --> [1 1 1]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.ones(shape, dtype) end

---all 1
---```lua
---tide.ones_like(tide.zeros(3), "int8")  --> [1 1 1]
---```
---@param a tide.Array
---@param dtype? tide.dtype
---@return tide.Array
function tide.ones_like(a, dtype) end

---a file, a disk, `/dev/zero`; pipes and the like, which cannot be read from any byte on, are refused. A host function makes new files, and empties none
---
---Waits if "w" empties a file that something queued before reads or writes.
---```lua
---path = os.tmpname()
---f = tide.open(path, "w")
---f.size                                  --> 0
---f:close()
---os.remove(path)
---```
---@param path string
---@param mode? string "r" to read; "w" to write what is made, or emptied; "r+" to read and write what is there
---@return tide.File
function tide.open(path, mode) end

---each element of `a` times each of `b`: a row for each of `a`, whatever the shapes
---```lua
---tide.array{ 1, 2 }:outer(tide.array{ 3, 4 })[2]  --> [6 8]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.outer(a, b, options) end

---`a` with elements before and after: so many along each axis, a pair `{ before, after }` for all axes, or a list of such pairs, one for each
---
---Raises if an axis without elements is to be extended by any but a number.
---```lua
---tide.array{ 1, 2 }:pad(1)               --> [0 1 2 0]
---tide.arange(3):pad({ 2, 0 }, { mode = "reflect" }) --> [2 1 0 1 2]
---```
---@param a tide.Array
---@param width integer|table
---@param options? tide.options.mode_out_value
---@return tide.Array
function tide.pad(a, width, options) end

---`fn(dev, i)` for each device, all at once: tasks in which `dev` is current, with a stream of its own. The first error cancels the others, and is raised. Also outside of `tide.run`
---
---Waits if one is not over yet.
---
---Returns: the first value of each.
---```lua
---list = tide.parallel({ "host", "host" }, function (dev, i)
---  return tide.full(3, i):sum():item()
---end)
---list[2]                                 --> 6
---```
---@param devices table a list of devices and of specs, as `tide.devices()`
---@param fn function called with a device and its place in the list
---@return table
function tide.parallel(devices, fn) end

---likewise by percent
---
---Waits if `q` is an array.
---
---Raises without elements, where the result has no NaN.
---```lua
---tide.array{ 4, 1, 3, 2 }:percentile(100):item()  --> 4.0
---```
---@param a tide.Array
---@param q number|number[]|tide.Array from 0 to 100
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(a: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function tide.percentile(a, q, axis, options) end

---the same; the axes must be given
---```lua
---tide.ones{ 2, 3, 4 }:permute(3, 1, 2).shape  --> {4, 2, 3}
---```
---@param a tide.Array
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function tide.permute(a, axes, ...) end

---prints a picture of the elements of a real array, with [`print`](#pictures)
---
---Waits for what is drawn; for a histogram's ends and counts.
---
---Raises for complex arrays; for other axes than a kind takes.
---
---Returns: the picture with option `string`, else nothing.
---```lua
---picture = tide.array{ 1, 2 }:plot{ kind = "histogram", bins = 2, width = 24, ascii = true,
---                                   string = true }
---picture                                 --> 1 to 1.5 |########## 1
---                                        --> 1.5 to 2 |########## 1
---```
---@param a tide.Array
---@param options? tide.options.Array_plot
---@return string
function tide.plot(a, options) end

---runs the [host functions](stream.md#host-functions) that are due, resumes [coroutines](loops.md) whose waits are over and frees what was dropped. It never waits, or, if there is nothing to do, for so many `seconds` until there is
---
---Raises with `seconds`, in a host function.
---
---Returns: how many host functions it ran.
---```lua
---tide.poll()  --> 0
---```
---@param seconds? number from 0 on
---@return integer
function tide.poll(seconds) end

---for [event loops](loops.md): readable when `tide.poll()` has something to do. It is the same one each time; do not read it, nor close it
---
---Returns: a descriptor.
---```lua
---tide.pollfd() > 0  --> true
---```
---@return integer
function tide.pollfd() end

---+x, a copy
---```lua
---tide.array{ 1, -2 }:positive()  --> [ 1 -2]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.positive(x, options) end

---negative powers of integers are rounded towards 0; by a number 2, 3, 0.5 or -1 it is [the product, root or inverse](../numpy.md#results)
---```lua
---tide.array{ 2, 3 } ^ 2  --> [4 9]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.pow(x, y, options) end

---how arrays print, for this Lua state; what is not named stays. Those until now, which can be given back
---```lua
---before = tide.printoptions{ precision = 3 }
---tide.array{ 1 / 3 }                     --> [0.333]
---tide.printoptions(before)
---```
---@param options? tide.options.printoptions
---@return table
function tide.printoptions(options) end

---likewise the product
---```lua
---tide.array{ 2, 3, 4 }:prod():item()  --> 24
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.prod(a, axis, options) end

---counts completed work on the last line of a terminal, with rate and time left; off one it prints nothing. See [the prompt](../prompt.md#progress)
---```lua
---p = tide.progress(3, "frames")
---for i = 1, 3 do tide.ones(10):add_(i) p:add() end
---tide.get_device():synchronize()
---p:completed()                           --> 3
---p:close()
---```
---@param total? number of pieces, from 0 on; without it there is no bar
---@param label? string
---@return tide.Progress
---@overload fun(label?: string): tide.Progress
function tide.progress(total, label) end

---the greatest element less the least
---
---Raises without elements.
---```lua
---tide.array{ 3, 1, 2 }:ptp():item()  --> 2
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.ptp(a, axis, options) end

---writes what `take` would read: the elements of the flattened array at the indices, with values one after the other, again from the first one if they are fewer; along an axis the slices, to which the values are broadcast. Of equal indices the last one wins. At a mask, those elements or slices where it is true, one after the other
---
---Waits if an array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; then nothing is written for it. As late, if there are values for a mask that is true more often, or less.
---
---Returns: `a`.
---```lua
---tide.zeros(4):put({ 2, -1, 2 }, { 5, 6, 7 })        --> [0. 7. 0. 6.]
---tide.zeros{ 2, 2 }:put({ 1 }, 3, 2)[2]              --> [3. 0.]
---```
---@param a tide.Array
---@param indices integer|integer[]|tide.Array or a bool array, without axis and options
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(a: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function tide.put(a, indices, values, axis, options) end

---writes what `take_along_axis` would read; of equal indices the last one wins
---
---Waits if an array stands for a number in a table.
---
---Returns: `a`.
---```lua
---a = tide.array{ { 3, 4 }, { 5, 6 } }
---a:put_along_axis(a:argmax(2, { keepdims = true }), 0)
---a:flatten()                             --> [3 0 5 0]
---```
---@param a tide.Array
---@param indices table|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer
---@param options? tide.options.Array_put_along_axis
---@return tide.Array
---@overload fun(a: tide.Array, indices: table|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.Array_put_along_axis): tide.Array
function tide.put_along_axis(a, indices, values, axis, options) end

---what a share `q` of the elements is not above, along an axis, several, or all of them; the dtype of floats, else `float64`, or that of `a` by methods that choose an element. NaN where one is
---
---Waits if `q` is an array.
---
---Raises without elements, where the result has no NaN.
---```lua
---a = tide.array{ 4, 1, 3, 2 }
---a:quantile(0.5):item()                  --> 2.5
---a:quantile({ 0, 1 }, { method = "lower" }) --> [1 4]
---```
---@param a tide.Array
---@param q number|number[]|tide.Array from 0 to 1; a list adds a first axis to the result
---@param axis? tide.axes
---@param options? tide.options.axis_keepdims_method_out
---@return tide.Array
---@overload fun(a: tide.Array, q: number|number[]|tide.Array, options?: tide.options.axis_keepdims_method_out): tide.Array
function tide.quantile(a, q, axis, options) end

---values go through it in their order
---```lua
---tide.queue(2)                           --> tide.Queue: 0 of 2
---```
---@param n? integer values at most; nil has no end
---@return tide.Queue
function tide.queue(n) end

---waits for the first of them that is over. The others are cancelled at once: a task that has not had its turn by then takes nothing. An error of their `<close>` [is raised here](#errors)
---
---Waits if none is over yet.
---
---Raises the error of that one.
---
---Returns: the place of the first that is over, and what it returned.
---```lua
---at, what = tide.run(function ()
---  return tide.race{ function () tide.sleep(1) end, function () return "soon" end }
---end)
---at, what                                --> 2   soon
---```
---@param list table functions, tasks, or what has `await`
---@return integer
---@return any
function tide.race(list) end

---of degrees
---```lua
---tide.array{ 180 }:radians()  --> [3.14159265]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.radians(x, options) end

tide.random = {}

---a generator with that seed, an integer; without one with a seed that nobody can guess
---```lua
---g = tide.random.Generator(5)
---a = g:uniform(3)
---tide.random.seed(5)
---tide.array_equal(a, tide.random.uniform(3))  --> true
---```
---@param seed? integer
---@return tide.Generator
function tide.random.Generator(seed) end

---true as often as the probability `p` says, or 1 of another dtype
---```lua
---tide.random.bernoulli(1, 3)             --> [true true true]
---```
---@param p number
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.random.bernoulli(p, shape, dtype) end

---numbers from 0 to 1 of a beta distribution, `a / (a + b)` on average: what a share may be of which `a - 1` times was seen that it is, `b - 1` times that it is not: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.beta(2, 6, 100000):mean(), 0.25, 0.02)  --> true
---```
---@param a number|tide.Array above 0
---@param b number|tide.Array above 0
---@param shape? tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
function tide.random.beta(a, b, shape, dtype, options) end

---how many of `n` trials succeed, each with probability `p`: int64, or another dtype of integers, to which they are converted as by `astype`
---```lua
---tide.random.binomial(10, 1, 3)          --> [10 10 10]
---```
---@param n integer|tide.Array from 0 to 2^53
---@param p number|tide.Array from 0 to 1
---@param shape? tide.shape
---@param dtype? tide.dtype
---@param options? tide.options.out
---@return tide.Array
function tide.random.binomial(n, p, shape, dtype, options) end

---integers from 1 to `x`, or elements of an array, slices of its first axis: all equally likely, none of them twice with `replace=false`
---
---Raises if there are less than that many.
---```lua
---a = tide.random.choice(tide.array{ 10, 20 }, 100)
---a:min():item() >= 10                    --> true
---tide.random.choice(3, 3, { replace = false }):sum():item()  --> 6
---```
---@param x integer|tide.Array
---@param shape tide.shape
---@param options? tide.options.replace
---@return tide.Array
function tide.random.choice(x, shape, options) end

---exponentially distributed numbers, `scale` on average: times between events, float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
---```
---@param scale number
---@param shape tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
function tide.random.exponential(scale, shape, dtype, options) end

---numbers of a gamma distribution of shape `k`, `scale * k` on average: with an integer `k` the time until the `k`th event: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.gamma(2, 3, 100000):mean(), 6, 0.02)  --> true
---tide.random.gamma(tide.array{ 1, 2 }, 1).shape  --> {2}
---```
---@param k number|tide.Array from 0 on
---@param scale number|tide.Array from 0 on
---@param shape? tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
function tide.random.gamma(k, scale, shape, dtype, options) end

---normally distributed numbers, around `mean` (0) with standard deviation `std` (1): float64, or float32
---```lua
---tide.random.seed(1)
---a = tide.random.normal(10, 0.1, 1000)
---tide.allclose(a:mean(), 10, 0.01)       --> true
---```
---@param mean number
---@param std number
---@param shape tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function tide.random.normal(mean, std, shape, dtype, options) end

---the integers from 1 to `x`, each once, in any order; or the slices of an array along an axis, the first one by default
---```lua
---tide.random.permutation(5):sort()       --> [1 2 3 4 5]
---```
---@param x integer|tide.Array
---@param axis? integer of an array
---@return tide.Array
function tide.random.permutation(x, axis) end

---how many events there are where there are `lam` on average: int64, or another dtype of integers, to which they are converted as by `astype`
---```lua
---tide.random.poisson(0, 3)               --> [0 0 0]
---tide.random.poisson(tide.array{ 1, 1000 }).shape  --> {2}
---```
---@param lam number|tide.Array from 0 to 2^62
---@param shape? tide.shape
---@param dtype? tide.dtype
---@param options? tide.options.out
---@return tide.Array
function tide.random.poisson(lam, shape, dtype, options) end

---integers from `low` to `high`, both included as in Lua's `math.random`: int64, or another dtype of integers
---```lua
---a = tide.random.randint(1, 6, 100)
---a:min():item() >= 1                     --> true
---```
---@param low integer
---@param high integer
---@param shape tide.shape
---@param dtype? tide.dtype
---@param options? tide.options.out
---@return tide.Array
function tide.random.randint(low, high, shape, dtype, options) end

---all that is drawn later, on each device, follows from the integer `n`; returns nothing. Without `n`, and in a program that sets no seed, from one that nobody can guess
---```lua
---tide.random.seed(42)
---a = tide.random.uniform(3)
---tide.random.seed(42)
---tide.array_equal(a, tide.random.uniform(3)) --> true
---```
---@param n? integer
function tide.random.seed(n) end

---`a` itself, whose slices along an axis are put in any order
---```lua
---a = tide.arange(5)
---tide.random.shuffle(a) == a             --> true
---a:sort()                                --> [0 1 2 3 4]
---```
---@param a tide.Array
---@param axis? integer
---@return tide.Array
function tide.random.shuffle(a, axis) end

---numbers from `low` (0) to below `high` (1): float64, or float32
---```lua
---a = tide.random.uniform({ 2, 3 }, "float32")
---a.shape                                 --> {2, 3}
---(a:max():item() < 1)                    --> true
---```
---@param low number
---@param high number
---@param shape tide.shape
---@param dtype? tide.dtype that of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function tide.random.uniform(low, high, shape, dtype, options) end

---the elements in order, 1-d; a copy where no stride can say it
---```lua
---tide.ones{ 2, 3 }:ravel().shape  --> {6}
---```
---@param a tide.Array
---@return tide.Array
function tide.ravel(a) end

---the other way round: of a list with indices for each axis those of the flattened array
---
---Returns: of int64.
---```lua
---tide.ravel_multi_index({ { 1, 2 }, { 2, 3 } }, { 2, 3 })  --> [2 6]
---```
---@param list table
---@param shape tide.shape
---@param options? tide.options.base_mode
---@return tide.Array
function tide.ravel_multi_index(list, shape, options) end

---the real part: a float of complex numbers; real ones themselves
---```lua
---tide.array{ tide.complex(1, 2) }:real()  --> [1.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.real(x, options) end

---1/x
---```lua
---tide.array{ 2, 4 }:reciprocal()  --> [0.5  0.25]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.reciprocal(x, options) end

---a new array: each element `n` times, next to each other; by default of `a` as 1-d. (NumPy's `repeat`, which is a word of Lua's)
---```lua
---tide.arange(2):repeat_each(2)  --> [0 0 1 1]
---```
---@param a tide.Array
---@param n integer
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, n: integer, options?: tide.options.axis_out): tide.Array
function tide.repeat_each(a, n, axis, options) end

---as many elements, in the same order; one axis may be -1. A copy where no strides can say it
---```lua
---tide.arange(6):reshape(2, -1)[2]  --> [3 4 5]
---```
---@param a tide.Array
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function tide.reshape(a, shape, ...) end

---the dtype that operands have in common: arrays, names of dtypes, and numbers, which never widen what is of their kind
---```lua
---tide.result_type("int8", "uint8", 2.5)  --> float64
---```
---@param operand tide.Array|tide.HostArray|tide.dtype|number|boolean
---@param ... any
---@return tide.dtype
function tide.result_type(operand, ...) end

---a new array, elements moved on by that many, from the end to the start; by default as if `a` were 1-d. Of lists, each axis by its own number
---```lua
---tide.arange(4):roll(1)  --> [3 0 1 2]
---```
---@param a tide.Array
---@param by integer|integer[]
---@param axis? integer|integer[]
---@param options? tide.options.Array_roll
---@return tide.Array
---@overload fun(a: tide.Array, by: integer|integer[], options?: tide.options.Array_roll): tide.Array
function tide.roll(a, by, axis, options) end

---turned `k` times by 90 degrees, from the first of two axes towards the second: the last column becomes the first row
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:rot90()[1]                            --> [2 4]
---a:rot90(-1)[1]                          --> [3 1]
---```
---@param a tide.Array
---@param k? integer back if negative
---@param axes? integer[]
---@return tide.Array
---@overload fun(a: tide.Array, axes?: integer[]): tide.Array
function tide.rot90(a, k, axes) end

---to the nearest integer, of two the even one. With decimals `x` is scaled, rounded and scaled back, as NumPy does
---```lua
---tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
---tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
---tide.array{ 155, 12 }:round(-1)         --> [160  10]
---```
---@param x tide.operand
---@param decimals? integer how many stay; those of integers if it is negative
---@param options? tide.options.out
---@return tide.Array
---@overload fun(x: tide.operand, options?: tide.options.out): tide.Array
function tide.round(x, decimals, options) end

---integers, to the right; keeps the sign
---```lua
---tide.array{ 5, -6 } >> 1  --> [ 2 -3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.rshift(x, y, options) end

---1/sqrt(x)
---```lua
---tide.array{ 4, 16 }:rsqrt()  --> [0.5  0.25]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.rsqrt(x, options) end

---calls `fn(...)` as the first task, and returns once all tasks are over. The error of a task that nobody waits for ends the others, and is raised here with the task's name and traceback
---
---Waits if no task can go on; runs host functions.
---
---Raises inside a task; if all tasks wait for each other.
---
---Returns: what `fn` returned.
---```lua
---tide.run(function (a, b) return a + b end, 1, 2)  --> 3
---```
---@param fn function or an object that is called as one
---@param ... any what `fn` is called with
---@return any
function tide.run(fn, ...) end

---writes an Array or a HostArray
---
---Waits for all that is queued for it.
---```lua
---path = os.tmpname()
---tide.save(path, tide.ones(3))
---tide.load(path).dtype                   --> float64
---os.remove(path)
---```
---@param path string
---@param a tide.Array|tide.HostArray
function tide.save(path, a) end

---writes an Array or a HostArray as a picture
---
---Waits for all that is queued for it.
---
---Raises for other dtypes and shapes, and for channels that the format has not.
---```lua
---path = os.tmpname()
---tide.save_image(path, tide.ones({ 2, 3, 3 }, "uint8"), { format = "ppm" })
---tide.load_image(path).shape             --> {2, 3, 3}
---os.remove(path)
---```
---@param path string
---@param a tide.Array|tide.HostArray `uint8` or `uint16`, of such a shape
---@param options? tide.options.format
function tide.save_image(path, a, options) end

---adds the values to what `take` would read: to the elements of the flattened array at the indices, or along an axis to the slices. Values are broadcast to that, and all of those with equal indices are added. Floats are added in float64 and rounded once, in the same order every time; integers wrap
---
---Waits if an array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; then nothing is added for it.
---
---Returns: `a`.
---```lua
---tide.zeros(3):scatter_add({ 1, 3, 1 }, { 5, 6, 7 }) --> [12. 0. 6.]
---tide.zeros(3, "int32"):scatter_add({ 1, 3, 1 }, 1)  --> [2 0 1]
---```
---@param a tide.Array
---@param indices integer|integer[]|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(a: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function tide.scatter_add(a, indices, values, axis, options) end

---the same with the least, or the greatest, of what is there and all that comes to it. NaN is either
---
---Waits if an array stands for a number in a table.
---
---Returns: `a`.
---```lua
---tide.full(2, 5):scatter_min({ 1, 2, 1 }, { 7, 4, 3 })  --> [3 4]
---```
---@param a tide.Array
---@param indices integer|integer[]|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(a: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function tide.scatter_max(a, indices, values, axis, options) end

---the same with the least, or the greatest, of what is there and all that comes to it. NaN is either
---
---Waits if an array stands for a number in a table.
---
---Returns: `a`.
---```lua
---tide.full(2, 5):scatter_min({ 1, 2, 1 }, { 7, 4, 3 })  --> [3 4]
---```
---@param a tide.Array
---@param indices integer|integer[]|tide.Array
---@param values tide.element|table|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode
---@return tide.Array
---@overload fun(a: tide.Array, indices: integer|integer[]|tide.Array, values: tide.element|table|tide.Array, options?: tide.options.axis_base_mode): tide.Array
function tide.scatter_min(a, indices, values, axis, options) end

---calls `fn(...)`; closes the arrays made meanwhile that are not returned: see below
---
---Returns: what `fn` returns.
---```lua
---sum = tide.scope(function (a) return (a * a):sum() end, tide.ones(3))
---sum:item()                              --> 3.0
---```
---@param fn function or an object that is called as one
---@param ... any
---@return any ...
function tide.scope(fn, ...) end

---`int64`: before which element of `a`, which is sorted and has one axis, each of `v` is to be inserted so that it stays sorted; from 1
---```lua
---tide.array{ 10, 20, 20, 30 }:searchsorted{ 20, 99 } --> [2 5]
---tide.array{ 10, 20, 20, 30 }:searchsorted({ 20, 99 }, { side = "right" }) --> [4 5]
---```
---@param a tide.Array
---@param v tide.operand|table of any shape
---@param options? tide.options.out_side_sorter
---@return tide.Array
function tide.searchsorted(a, v, options) end

---`n` tasks at once may be where only so many should
---```lua
---tide.semaphore(2)                       --> tide.Semaphore: 2 of 2 free
---```
---@param n integer from 1 on
---@return tide.Semaphore
function tide.semaphore(n) end

---sets it, for this `lua_State`, to a dtype of floats; returns the one before
---```lua
---before = tide.set_default_dtype "float32"
---tide.zeros(1).dtype                     --> float32
---tide.set_default_dtype(before)
---```
---@param dtype tide.dtype
---@return tide.dtype
function tide.set_default_dtype(dtype) end

---1 / (1 + exp(-x)), to all its digits where it is small
---```lua
---tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sigmoid(x, options) end

----1, 0 or 1; NaN of NaN
---```lua
---tide.array{ 5., -3., 0. }:sign()  --> [ 1. -1.  0.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sign(x, options) end

---whether it has the sign, as -0.0 does and NaNs may; `bool`
---```lua
---tide.array{ 1., -0.0 }:signbit()  --> [false  true]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.signbit(x, options) end

---the sine, of radians
---```lua
---tide.array{ 0, 1 }:sin()  --> [0.         0.84147098]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sin(x, options) end

---sin(pi x) / (pi x); 1 of 0
---```lua
---tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sinc(x, options) end

---the hyperbolic sine
---```lua
---tide.array{ 0, 1 }:sinh()  --> [0.         1.17520119]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sinh(x, options) end

---lets other tasks go on for so long. Outside of tasks it blocks, and runs host functions
---
---Waits if no other task can go on.
---```lua
---tide.sleep(0.001)
---```
---@param seconds number from 0 on
function tide.sleep(seconds) end

---`exp(a)` over its sum along an axis, the last one by default; computed of what each element is below the greatest, so it does not overflow. Integers make `float64`
---
---Raises of complex numbers; of an array of no axes.
---```lua
---tide.array{ 0., 1000., 1000. }:softmax()  --> [0.  0.5 0.5]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.softmax(a, axis, options) end

---log(1 + exp(x)), which does not overflow
---```lua
---tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.softplus(x, options) end

---a sorted copy; along the last axis by default. NaN is greater than all else
---```lua
---tide.array{ 3, 1, 2 }:sort()            --> [1 2 3]
---tide.array{ 3, 1, 2 }:sort{ descending = true } --> [3 2 1]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function tide.sort(a, axis, options) end

---`fn(...)` begins once the tasks before it have had their turn
---
---Raises outside of `tide.run`.
---```lua
---one = tide.run(function ()
---  return tide.spawn({ name = "one" }, function () return 1 end):await()
---end)
---one                                     --> 1
---```
---@param options table `name`, for errors, and `stream`: a Stream, `"inherit"` (what is current here) or `"own"`, which is the default: one that no other task has, up to 32 for each device
---@param fn function or an object that is called as one
---@param ... any what `fn` is called with
---@return tide.Task
---@overload fun(fn: function, ...: any): tide.Task
function tide.spawn(options, fn, ...) end

---views of `a` along an axis, the first by default: `parts` of one length; or, of a list of indices, one that begins at each of them and ends before the next, and before all these one from the start
---
---Raises if that many do not come out even.
---```lua
---tide.arange(6):split(3)[2]              --> [2 3]
---tide.arange(6):split{ 2, 5 }[2]         --> [1 2 3]
---```
---@param a tide.Array
---@param parts integer|integer[]
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(a: tide.Array, parts: integer|integer[], options?: tide.options.axis): tide.Array[]
function tide.split(a, parts, axis, options) end

---the square root
---```lua
---tide.array{ 4, 9 }:sqrt()  --> [2. 3.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sqrt(x, options) end

---x * x
---```lua
---tide.array{ 2, 3 }:square()  --> [4 9]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.square(x, options) end

---without those axes, of one element; by default all such
---```lua
---tide.ones{ 2, 1, 3 }:squeeze().shape  --> {2, 3}
---```
---@param a tide.Array
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function tide.squeeze(a, axes, ...) end

---arrays of one shape along a new axis, the first by default
---```lua
---tide.stack({ tide.arange(2), tide.arange(2) }, 2).shape  --> {2, 2}
---```
---@param list tide.Array[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(list: tide.Array[], options?: tide.options.axis_out): tide.Array
function tide.stack(list, axis, options) end

---its root: the standard deviation
---```lua
---tide.array{ 1, 3 }:std():item()  --> 1.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.Array_var): tide.Array
function tide.std(a, axis, options) end

---the difference
---```lua
---10 - tide.array{ 1, 2 }  --> [9 8]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sub(x, y, options) end

---the sum: `int64` of bool and signed integers, `uint64` of unsigned ones, else the dtype of `a`; floats are added in `float64`
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:sum():item()                          --> 10
---a:sum(1)                                --> [4 6]
---a:sum{ axis = 2, keepdims = true }.shape --> {2, 1}
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.sum(a, axis, options) end

---these two in each other's place
---```lua
---tide.ones{ 2, 3, 4 }:swapaxes(1, 3).shape  --> {4, 3, 2}
---```
---@param a tide.Array
---@param axis integer from 1, negative ones from the end
---@param other integer an axis as well
---@return tide.Array
function tide.swapaxes(a, axis, other) end

---the mode until now, and how often the host has waited so far. Modes: `"off"`, `"warn"` (each wait says where through Lua's `warn`), `"error"` (each wait raises). Where nothing is left to wait for, none is seen: the host device does little work on the spot
---```lua
---before = tide.sync_debug "error"
---pcall(tide.get_device)
---tide.sync_debug(before)
---```
---@param mode? "off"|"warn"|"error"
---@return string
---@return integer
function tide.sync_debug(mode) end

---the elements at the indices or, along an axis, the slices; the result has the shape of the indices in place of the axis. Without an axis, of the flattened array. Indices count from 1, from the end if negative: an integer, a table or an array of integers. One out of range raises; in an array only the device sees it, and the error, which names the line of the call, comes from whoever waits next for the result or its stream
---```lua
---tide.array{ 10, 20, 30 }:take{ 3, 1, 1 }  --> [30 10 10]
---```
---@param a tide.Array
---@param indices integer|integer[]|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode_out
---@return tide.Array
---@overload fun(a: tide.Array, indices: integer|integer[]|tide.Array, options?: tide.options.axis_base_mode_out): tide.Array
function tide.take(a, indices, axis, options) end

---for each index the element there, in its own line along the axis, the last one by default: `a:take_along_axis(a:argsort())` is sorted. Other axes broadcast
---
---Returns: of the shape of the indices.
---```lua
---a = tide.array{ { 3, 4 }, { 5, 6 } }
---a:take_along_axis{ { 2 }, { 1 } }:flatten()         --> [4 5]
---```
---@param a tide.Array
---@param indices table|tide.Array
---@param axis? integer
---@param options? tide.options.Array_take_along_axis
---@return tide.Array
---@overload fun(a: tide.Array, indices: table|tide.Array, options?: tide.options.Array_take_along_axis): tide.Array
function tide.take_along_axis(a, indices, axis, options) end

---the tangent, of radians
---```lua
---tide.array{ 0, 1 }:tan()  --> [0.         1.55740772]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.tan(x, options) end

---the hyperbolic tangent
---```lua
---tide.array{ 0, 1 }:tanh()  --> [0.         0.76159416]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.tanh(x, options) end

---the sums of the products over the last `n` axes of `a` and the first of `b`; or over the axes in a table of two, each an axis or a list. The other axes of `a` come first
---
---Raises unless the axes that go together have one length.
---```lua
---a, b = tide.ones{ 2, 3, 4 }, tide.ones{ 4, 3, 5 }
---a:tensordot(b, 1).shape                 --> {2, 3, 3, 5}
---a:tensordot(b, { { 2, 3 }, { 2, 1 } })[1]  --> [12. 12. 12. 12. 12.]
---```
---@param a tide.Array
---@param b tide.Array
---@param n? integer|table how many axes, or { axes of a, axes of b }
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.out): tide.Array
function tide.tensordot(a, b, n, options) end

---a new array: `a` that often along each axis; a number is for the last
---```lua
---tide.arange(2):tile(2)  --> [0 1 0 1]
---```
---@param a tide.Array
---@param times integer|integer[]
---@param options? tide.options.out
---@return tide.Array
function tide.tile(a, times, options) end

---the `k` greatest elements along the last axis or another one, the greatest first, and as `int64` their places, from 1; of equal ones the first one first. NaN is greater than all else
---```lua
---values, places = tide.array{ 3, 9, 5 }:topk(2)
---values                                  --> [9 5]
---places                                  --> [2 3]
---```
---@param a tide.Array
---@param k integer
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_largest
---@return tide.Array
---@return tide.Array
---@overload fun(a: tide.Array, k: integer, options?: tide.options.axis_largest): tide.Array, tide.Array
function tide.topk(a, k, axis, options) end

---the sums of the diagonals that `diagonal` gives
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:trace():item()  --> 5
---```
---@param a tide.Array
---@param k? integer
---@param axes? integer[]
---@param options? tide.options.dtype_out
---@return tide.Array
---@overload fun(a: tide.Array, axes?: integer[], options?: tide.options.dtype_out): tide.Array
---@overload fun(a: tide.Array, k?: integer, options?: tide.options.dtype_out): tide.Array
---@overload fun(a: tide.Array, options?: tide.options.dtype_out): tide.Array
function tide.trace(a, k, axes, options) end

---axes in reverse, or in that order
---```lua
---tide.ones{ 2, 3 }:transpose().shape  --> {3, 2}
---```
---@param a tide.Array
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function tide.transpose(a, axes, ...) end

---the area under lines from each element to the next
---```lua
---tide.array{ 1, 2, 3 }:trapezoid():item()  --> 4.0
---```
---@param a tide.Array
---@param x? tide.Array where the elements were measured
---@param options? tide.options.axis_dx_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_dx_out): tide.Array
function tide.trapezoid(a, x, options) end

---the lower triangle of the matrices in the last two axes: 0 where the column is beyond the row + `k`
---```lua
---tide.ones{ 2, 2 }:tril()[1]  --> [1. 0.]
---```
---@param a tide.Array
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.out): tide.Array
function tide.tril(a, k, options) end

---hands what is kept for reuse and idle back to the drivers, of both kinds and all devices; how much that was. The host device frees it, and asks the C library to give its free pages back; pages that small live blocks share with freed ones stay
---```lua
---tide.trim() >= 0  --> true
---```
---@return integer
function tide.trim() end

---the upper one: 0 where the column is before the row + `k`
---```lua
---tide.ones{ 2, 2 }:triu()[2]  --> [0. 1.]
---```
---@param a tide.Array
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.out): tide.Array
function tide.triu(a, k, options) end

---towards 0
---```lua
---tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.trunc(x, options) end

---the mode until now. When the Lua state closes, it reports the errors that nothing has waited for, and the host functions that never ran. A [scope](scope.md) that was never closed is reported when the collector finds it. Modes: `"stderr"` (the default, or what `TIDE_UNHANDLED_ERRORS` says), `"warn"` (through Lua's `warn`), `"off"`. The command `tide` exits with a status that is not 0 after such a report, unless the program called `os.exit`: then the status is the one given to `os.exit`
---```lua
---tide.unhandled_errors()  --> stderr
---```
---@param mode? "stderr"|"warn"|"off"
---@return string
function tide.unhandled_errors(mode) end

---the different elements of `a` in order, and as it is asked for: the places where each is first, from 1, in `a` as 1-d; in the shape of `a`, which of them each element is; how many there are of each
---
---Waits if there is no `size`: for their number.
---
---Returns: the values, then as many as are asked for, in the order of the options.
---```lua
---values, counts = tide.array{ 3, 1, 3 }:unique{ return_counts = true }
---values                                  --> [1 3]
---counts                                  --> [1 2]
---```
---@param a tide.Array
---@param options? tide.options.Array_unique
---@return tide.Array
function tide.unique(a, options) end

---these, where each is first, which of them each element is, how many there are of each
---
---Waits for their number.
---```lua
---values, places = tide.array{ 3, 1, 3 }:unique_all()
---places                                  --> [2 1]
---```
---@param a tide.Array
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@return tide.Array
function tide.unique_all(a) end

---these, and how many there are of each
---
---Waits for their number.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_counts())  --> [1 2]
---```
---@param a tide.Array
---@return tide.Array
---@return tide.Array
function tide.unique_counts(a) end

---these, and which of them each element is
---
---Waits for their number.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_inverse())  --> [2 1 2]
---```
---@param a tide.Array
---@return tide.Array
---@return tide.Array
function tide.unique_inverse(a) end

---the different elements in order; each NaN is one, here and in the next ones
---
---Waits for their number.
---```lua
---tide.array{ 3, 1, 3 }:unique_values()  --> [1 3]
---```
---@param a tide.Array
---@return tide.Array
function tide.unique_values(a) end

---for each axis the indices of those elements of the flattened array of that shape, as `argmax` gives them
---
---Returns: of int64, as many as the shape has axes.
---```lua
---i, j = tide.unravel_index({ 2, 6 }, { 2, 3 })
---i                                       --> [1 2]
---j                                       --> [2 3]
---```
---@param indices integer|integer[]|tide.Array
---@param shape tide.shape
---@param options? tide.options.base
---@return tide.Array
function tide.unravel_index(indices, shape, options) end

---the slices across an axis, the first by default, without it
---```lua
---x, y = table.unpack(tide.array{ { 1, 2 }, { 3, 4 } }:unstack(2))
---y                                       --> [2 4]
---```
---@param a tide.Array
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(a: tide.Array, options?: tide.options.axis): tide.Array[]
function tide.unstack(a, axis, options) end

---the mean of the squared distances from the mean
---```lua
---tide.array{ 1, 2, 3, 4 }:var():item()  --> 1.25
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.Array_var): tide.Array
function tide.var(a, axis, options) end

---the sums of the products over one axis of both, the last one by default; `a` is conjugated, and the other axes broadcast
---
---Raises unless those axes have one length.
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:vecdot(a)                             --> [ 5 25]
---a:vecdot(a, 1)                          --> [10 20]
---```
---@param a tide.Array
---@param b tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.vecdot(a, b, axis, options) end

---one below the other: along the first axis; those of fewer than two are rows
---```lua
---tide.vstack{ tide.arange(2), tide.ones{ 2, 2 } }.shape  --> {3, 2}
---```
---@param list tide.Array[]
---@param options? tide.options.out
---@return tide.Array
function tide.vstack(list, options) end

---of `x` where `c` is not 0, else of `y`, each an array or a number
---```lua
---a = tide.array{ 1, -2, 3 }
---tide.where(a:gt(0), a, 0)               --> [1 0 3]
---```
---@param c tide.Array
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.where(c, x, y, options) end

---runs `fn(dev, ...)` with `dev` current; `fn` may yield. `dev` may be a spec
---
---Returns: what `fn` returns.
---```lua
---tide.with_device("host", function (dev) return dev.kind end)  --> host
---```
---@param dev tide.spec
---@param fn function or an object that is called as one
---@param ... any
---@return any ...
function tide.with_device(dev, fn, ...) end

---runs `fn(s, ...)` with `s` current
---
---Returns: what `fn` returns.
---```lua
---s = tide.Stream()
---tide.with_stream(s, function () return tide.get_current_stream() end) == s  --> true
---```
---@param s tide.Stream
---@param fn function or an object that is called as one
---@param ... any
---@return any ...
---@overload fun(fn: function, ...: any): any
function tide.with_stream(s, fn, ...) end

---as `coroutine.wrap`, but the coroutine starts with the device and the stream that are current here
---```lua
---s = tide.Stream():use()
---f = tide.wrap(function () return tide.get_current_stream() == s end)
---tide.Stream.null:use()
---f()                                     --> true
---```
---@param fn function or an object that is called as one
---@return function
function tide.wrap(fn) end

---all 0
---```lua
---tide.zeros(3)  --> [0. 0. 0.]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.zeros(shape, dtype) end

---all 0
---```lua
---tide.zeros_like(tide.ones(3))  --> [0. 0. 0.]
---```
---@param a tide.Array
---@param dtype? tide.dtype
---@return tide.Array
function tide.zeros_like(a, dtype) end

return tide
