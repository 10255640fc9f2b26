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

---@class tide.options.axis_out_size
---@field axis? integer
---@field out? tide.Array
---@field size? integer

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
---@field fill? integer

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

---@class tide.options.method_mode_out
---@field method? "auto"|"direct"|"fft" = "auto"
---@field mode? "full"|"same"|"valid" = "full"
---@field out? tide.Array

---@class tide.options.Array_correlate
---@field method? "auto"|"direct"|"fft" = "auto"
---@field mode? "full"|"same"|"valid" = "valid"
---@field out? tide.Array

---@class tide.options.dtype_out
---@field dtype? tide.dtype
---@field out? tide.Array

---@class tide.options.ord_axis_keepdims_out
---@field ord? number|"fro"|"nuc"
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
---@field axis? integer
---@field return_index? boolean = false
---@field return_inverse? boolean = false
---@field return_counts? boolean = false
---@field equal_nan? boolean = true
---@field size? integer
---@field fill? tide.element = 0

---@class tide.options.size_fill
---@field size? integer
---@field fill? tide.element = 0

---@class tide.options.assume_unique_return_indices_size_fill
---@field assume_unique? boolean = false
---@field return_indices? boolean = false
---@field size? integer
---@field fill? tide.element = 0

---@class tide.options.assume_unique_size_fill
---@field assume_unique? boolean = false
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

---@class tide.options.axis_edge_order
---@field axis? tide.axes
---@field edge_order? integer = 1

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

---@class tide.options.p_replace
---@field p? number[]|tide.Array
---@field replace? boolean = true

---@class tide.options.method
---@field method? "svd"|"eigh"|"cholesky" = "svd"

---@class tide.options.verbose
---@field verbose? boolean = false

---@class tide.options.RawKernel_launch
---@field grid integer|integer[]
---@field block integer|integer[]
---@field shared? integer = 0
---@field stream? tide.Stream
---@field args table

---@class tide.options.log
---@field log? boolean = false

---@class tide.options.signature
---@field signature? string

---@class tide.options.ElementwiseKernel
---@field params string
---@field out string
---@field body string
---@field name? string
---@field preamble? string
---@field options? string|string[]

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
---@field reduce_type? string
---@field preamble? string
---@field options? string|string[]

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

---@class tide.options.axis_n_norm_out
---@field axis? integer = -1
---@field n? integer
---@field norm? "backward"|"ortho"|"forward" = "backward"
---@field out? tide.Array

---@class tide.options.axes_norm_out_s
---@field axes? integer|integer[]
---@field norm? "backward"|"ortho"|"forward" = "backward"
---@field out? tide.Array
---@field s? integer[]

---@class tide.options.axes_out
---@field axes? integer|integer[]
---@field out? tide.Array

---@class tide.options.gaussian_filter
---@field cval? number = 0
---@field mode? "reflect"|"constant"|"nearest"|"mirror"|"wrap" = "reflect"
---@field order? integer|integer[] = 0
---@field radius? integer|integer[]
---@field truncate? number = 4

---@class tide.options.endpoint
---@field endpoint? boolean = true

---@class tide.options.ddof
---@field ddof? number = 0

---@class tide.options.axis_zi
---@field axis? integer
---@field zi? tide.Array

---@class tide.options.out_upper
---@field out? tide.Array
---@field upper? boolean = false

---@class tide.options.linalg_cross
---@field axis? integer = -1
---@field out? tide.Array

---@class tide.options.uplo
---@field uplo? "L"|"U" = "L"

---@class tide.options.out_uplo
---@field out? tide.Array
---@field uplo? "L"|"U" = "L"

---@class tide.options.rtol
---@field rtol? number

---@class tide.options.keepdims_ord_out
---@field keepdims? boolean = false
---@field ord? number|"fro"|"nuc" = "fro"
---@field out? tide.Array

---@class tide.options.hermitian_out_rtol
---@field hermitian? boolean = false
---@field out? tide.Array
---@field rtol? number

---@class tide.options.linalg_norm
---@field ord? number|"fro"|"nuc"
---@field axis? integer = -1
---@field keepdims? boolean = false
---@field out? tide.Array

---@class tide.options.mode
---@field mode? "reduced"|"complete"|"r" = "reduced"

---@class tide.options.lower_out_trans_unit_diagonal
---@field lower? boolean = false
---@field out? tide.Array
---@field trans? "N"|"T"|"C" = "N"
---@field unit_diagonal? boolean = false

---@class tide.options.full_matrices
---@field full_matrices? boolean = true

---@class tide.options.axis_keepdims_ord_out
---@field axis? tide.axes
---@field keepdims? boolean = false
---@field ord? number = 2
---@field out? tide.Array

---@class tide.options.loadtxt
---@field delimiter? string
---@field quote? string|boolean
---@field comments? string|boolean = "#"
---@field skiprows? integer = 0
---@field max_rows? integer
---@field usecols? integer|any[]
---@field dtype? tide.dtype
---@field missing? tide.element
---@field names? boolean|string[]

---@class tide.options.base_endpoint
---@field base? number = 10
---@field endpoint? boolean = true

---@class tide.options.cval_mode
---@field cval? number = 0
---@field mode? "reflect"|"constant"|"nearest"|"mirror"|"wrap" = "reflect"

---@class tide.options.indexing_sparse_copy
---@field indexing? "xy"|"ij" = "xy"
---@field sparse? boolean = false
---@field copy? boolean = true

---@class tide.options.rcond_w
---@field rcond? number
---@field w? tide.Array

---@class tide.options.printoptions
---@field threshold? integer = 1000
---@field edgeitems? integer = 3
---@field precision? integer = 8
---@field linewidth? integer = 75
---@field suppress? boolean = false

---@class tide.options.base_mode
---@field base? integer = 1
---@field mode? "clip"|"wrap"

---@class tide.options.antialias_method
---@field antialias? boolean = true
---@field method? "nearest"|"linear"|"cubic"|"lanczos3" = "linear"

---@class tide.options.compressed
---@field compressed? boolean = false

---@class tide.options.format
---@field format? "pgm"|"ppm"|"pnm"|"png"

---@class tide.options.savetxt
---@field delimiter? string = " "
---@field fmt? string|string[]
---@field header? string = ""
---@field footer? string = ""
---@field comments? string = "# "

---@class tide.options.base
---@field base? integer = 1

---numbers on a device, n-dimensional
---@class tide.Array
---@field shape integer[] the lengths of the axes
---@field strides integer[] the strides, in elements; 0 along broadcast axes, negative along reversed ones
---@field T tide.Array a view with the axes reversed
---@field mT tide.Array a view with the last two axes exchanged, that is, with each matrix transposed
---@field ndim integer the number of axes
---@field size integer the number of elements
---@field dtype tide.dtype
---@field nbytes integer the bytes of all elements: `size` times the bytes of one element
---@field device tide.Device
---@field ptr integer the address on the device; 0 for an array without elements. Does not wait, so work on the array may be under way
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

---returns a view of a range along one axis, the first by default; `last` is -1 by default, or 1 if `step` is negative
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

---returns a view of index `i` along an axis, the first by default, without this axis; of a 1-d array a 0-d view
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:select(2, 1)  --> [1 3]
---```
---@param axis integer from 1, negative ones from the end
---@param i integer
---@param options? tide.options.Array_select
---@return tide.Array
---@overload fun(self: tide.Array, i: integer, options?: tide.options.Array_select): tide.Array
function Array:select(axis, i, options) end

---returns the same elements, in the same order, in another shape. One axis may be -1, which means the remaining length. Copies if no strides describe the result
---```lua
---tide.arange(6):reshape(2, -1)[2]  --> [3 4 5]
---```
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function Array:reshape(shape, ...) end

---returns a new 1-d array with all elements in order
---```lua
---tide.ones{ 2, 3 }:flatten().shape  --> {6}
---```
---@return tide.Array
function Array:flatten() end

---returns all elements in order as a 1-d array; copies if no stride describes the result
---```lua
---tide.ones{ 2, 3 }:ravel().shape  --> {6}
---```
---@return tide.Array
function Array:ravel() end

---returns `a` itself if it is contiguous in row-major order, else a contiguous copy
---```lua
---tide.ones{ 2, 3 }.T:contiguous().strides  --> {2, 1}
---```
---@return tide.Array
function Array:contiguous() end

---returns a view of the same bytes as elements of another dtype. If their size differs, the last axis gets longer or shorter, as in NumPy. There are no views as bool, because bools have no bytes but 0 and 1; write no others into a view of bools
---
---Raises if the last axis is not contiguous or its bytes are no whole elements of another size, or the address is not a multiple of that size.
---
---Returns: of the class of `a`.
---```lua
---tide.ones(1, "float32"):view "uint32"   --> [1065353216]
---tide.ones({ 2, 3 }, "float32"):view "uint8".shape  --> {2, 12}
---```
---@param dtype tide.dtype
---@return tide.Array|tide.HostArray
function Array:view(dtype) end

---returns a view with the axes reversed, or in the given order
---```lua
---tide.ones{ 2, 3 }:transpose().shape  --> {3, 2}
---```
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function Array:transpose(axes, ...) end

---as `transpose`, with `axes` required
---```lua
---tide.ones{ 2, 3, 4 }:permute(3, 1, 2).shape  --> {4, 2, 3}
---```
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function Array:permute(axes, ...) end

---returns a view with the last two axes exchanged, as `a.mT`
---
---Raises if the array has less than two axes.
---```lua
---tide.ones{ 4, 2, 3 }:matrix_transpose().shape  --> {4, 3, 2}
---```
---@return tide.Array
function Array:matrix_transpose() end

---returns a view with these two axes exchanged
---```lua
---tide.ones{ 2, 3, 4 }:swapaxes(1, 3).shape  --> {4, 3, 2}
---```
---@param axis integer from 1, negative ones from the end
---@param other integer the other axis
---@return tide.Array
function Array:swapaxes(axis, other) end

---returns a view in which axes `from` of `a` are axes `to`; the other axes stay in order
---```lua
---tide.ones{ 2, 3, 4 }:moveaxis(1, -1).shape  --> {3, 4, 2}
---```
---@param from integer|integer[] an axis, or several
---@param to integer|integer[] as many as in `from`
---@return tide.Array
function Array:moveaxis(from, to) end

---returns a view rotated `k` times by 90 degrees, from the first of two axes towards the second: the last column becomes the first row
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:rot90()[1]                            --> [2 4]
---a:rot90(-1)[1]                          --> [3 1]
---```
---@param k? integer the number of rotations; negative ones go back
---@param axes? integer[]
---@return tide.Array
---@overload fun(self: tide.Array, axes?: integer[]): tide.Array
function Array:rot90(k, axes) end

---returns diagonal `k` of the matrices in two axes, along the last axis of the result. In diagonal `k` the column is the row plus `k`
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:diagonal()  --> [1 4]
---```
---@param k? integer
---@param axes? integer[]
---@return tide.Array
---@overload fun(self: tide.Array, axes?: integer[]): tide.Array
function Array:diagonal(k, axes) end

---removes these axes, which must have length 1; by default every axis of length 1
---```lua
---tide.ones{ 2, 1, 3 }:squeeze().shape  --> {2, 3}
---```
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function Array:squeeze(axes, ...) end

---adds axes of length 1, which are axes `axes` of the result
---```lua
---tide.ones(3):expand_dims(2).shape  --> {3, 1}
---```
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function Array:expand_dims(axes, ...) end

---returns a read-only view of `a` that is broadcast to the shape; views of it are read-only too
---```lua
---tide.arange(3):broadcast_to(2, 3)[2]  --> [0 1 2]
---```
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function Array:broadcast_to(shape, ...) end

---returns a view with the elements reversed along these axes; by default along all axes
---```lua
---tide.arange(3):flip()  --> [2 1 0]
---```
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function Array:flip(axes, ...) end

---returns the elements of `a` followed by the values, along an axis; without an axis both are flattened. A number of Lua, in a table too, widens no dtype of its kind
---
---Waits if a 0-d array stands for a number in a table.
---```lua
---tide.arange(3):append{ 7, 8 }  --> [0 1 2 7 8]
---```
---@param values tide.operand|table
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, values: tide.operand|table, options?: tide.options.axis_out): tide.Array
function Array:append(values, axis, options) end

---returns a copy of `a` with the values, cast to its dtype, inserted before the index. With a list of indices, one value goes before each. Index `#a + 1` means behind the last element. Without an axis `a` is flattened
---
---Waits if a 0-d array stands for a number in a table.
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

---returns a copy of `a` without the element at the index, or at each index of a list; without an axis `a` is flattened
---```lua
---tide.arange(5):delete{ 1, -1 }  --> [1 2 3]
---```
---@param index integer|integer[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, index: integer|integer[], options?: tide.options.axis_out): tide.Array
function Array:delete(index, axis, options) end

---returns a list of views of `a` along an axis, the first by default. With a number: `parts` views of equal length. With a list of indices: one view that begins at the start, and one that begins at each index; each view ends before the next one
---
---Raises if the axis cannot be divided equally.
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

---as `split`, but the first views may be longer by one element
---```lua
---tide.arange(5):array_split(2)[1]  --> [0 1 2]
---```
---@param parts integer|integer[]
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(self: tide.Array, parts: integer|integer[], options?: tide.options.axis): tide.Array[]
function Array:array_split(parts, axis, options) end

---returns a list of the slices along an axis, the first by default, without this axis
---```lua
---x, y = table.unpack(tide.array{ { 1, 2 }, { 3, 4 } }:unstack(2))
---y                                       --> [2 4]
---```
---@param axis? integer
---@param options? tide.options.axis
---@return tide.Array[]
---@overload fun(self: tide.Array, options?: tide.options.axis): tide.Array[]
function Array:unstack(axis, options) end

---returns a new array with the elements shifted by `by` positions along an axis; elements beyond the end reappear at the start. Without an axis `a` is flattened. With lists, each axis has its own shift
---```lua
---tide.arange(4):roll(1)  --> [3 0 1 2]
---```
---@param by integer|integer[]
---@param axis? integer|integer[]
---@param options? tide.options.Array_roll
---@return tide.Array
---@overload fun(self: tide.Array, by: integer|integer[], options?: tide.options.Array_roll): tide.Array
function Array:roll(by, axis, options) end

---returns a new array that repeats `a` `times` times along each axis; a single number applies to the last axis
---```lua
---tide.arange(2):tile(2)  --> [0 1 0 1]
---```
---@param times integer|integer[]
---@param options? tide.options.out
---@return tide.Array
function Array:tile(times, options) end

---returns a new array with each element repeated `n` times; without an axis `a` is flattened. `n` may be counts: a table or an array of integers, one for each element or, with an axis, for each slice. It is NumPy's `repeat`, which is a keyword of Lua
---
---Waits if `n` is an array and there is no `size`: for its total.
---```lua
---tide.arange(2):repeat_each(2)           --> [0 0 1 1]
---tide.arange(3):repeat_each{ 2, 0, 1 }   --> [0 0 2]
---```
---@param n integer|integer[]|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_size
---@return tide.Array
---@overload fun(self: tide.Array, n: integer|integer[]|tide.Array, options?: tide.options.axis_out_size): tide.Array
function Array:repeat_each(n, axis, options) end

---of a vector, returns a matrix with the vector on diagonal `k` and 0 elsewhere; of a matrix, returns a view of diagonal `k`
---```lua
---tide.diag(tide.array{ 7, 8 })[2]  --> [0 8]
---```
---@param k? integer the diagonal; above the main one if positive, below it if negative
---@return tide.Array
function Array:diag(k) end

---returns the lower triangle of the matrices in the last two axes: elements above diagonal `k` are 0. A vector stands for the matrix whose rows it is
---```lua
---tide.ones{ 2, 2 }:tril()[1]  --> [1. 0.]
---```
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.out): tide.Array
function Array:tril(k, options) end

---returns the upper triangle of these matrices: elements below diagonal `k` are 0
---```lua
---tide.ones{ 2, 2 }:triu()[2]  --> [0. 1.]
---```
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.out): tide.Array
function Array:triu(k, options) end

---returns a copy of `a` with elements added before and after. `width` is a number for all axes, a pair `{ before, after }` for all axes, or a list of pairs, one for each axis
---
---Raises if an axis without elements is extended in a mode other than `constant`.
---```lua
---tide.array{ 1, 2 }:pad(1)               --> [0 1 2 0]
---tide.arange(3):pad({ 2, 0 }, { mode = "reflect" }) --> [2 1 0 1 2]
---```
---@param width integer|table
---@param options? tide.options.mode_out_value
---@return tide.Array
function Array:pad(width, options) end

---encodes each index of an array of integers, from 1, as a row of length `n` along a new last axis: 1 at the index, else 0. An index out of range gives a row of 0
---```lua
---tide.array{ 2, 1 }:one_hot(3)[1]  --> [0. 1. 0.]
---```
---@param n integer the row length
---@param dtype? tide.dtype the default dtype if left out
---@return tide.Array
function Array:one_hot(n, dtype) end

---waits until all work that was queued on its memory is done; in a task of [`tide.run`](tasks.md) other tasks run meanwhile. Returns true, or nil and `"timeout"`
---
---Waits for `seconds` at most; runs host functions.
---
---Returns: true; nil and `"timeout"`.
---```lua
---(tide.ones(3) + 1):await()  --> true
---```
---@param seconds? number the timeout, from 0 on; nil waits without end
---@return boolean
function Array:await(seconds) end

---returns the only element of an array of size 1
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

---returns the bytes of all elements
---
---Waits.
---```lua
---tide.full(3, 65, "uint8"):tobytes()  --> AAA
---```
---@return string
function Array:tobytes() end

---exports the elements to another library without a copy: see [DLPack](dlpack.md). The memory stays until the library releases it, from any thread, even after the Lua state has closed
---
---Waits if it is memory of the host: until nothing uses it, unless `stream=false`.
---
---Raises if the array is read-only, with `versioned=false`.
---
---Returns: a capsule.
---```lua
---tostring(tide.zeros(3):to_dlpack())  --> dltensor_versioned
---```
---@param options? tide.options.stream_versioned
---@return userdata
function Array:to_dlpack(options) end

---copies the elements to a new HostArray, or to `out` (of the same shape and dtype)
---
---Waits unless `blocking=false`: then it returns at once, and reading the result waits.
---```lua
---h = tide.arange(3):tohost{ blocking = false }
---h[3]                                    --> 2
---```
---@param options? tide.options.out_blocking
---@return tide.HostArray
function Array:tohost(options) end

---copies all elements from an Array or HostArray of the same shape and dtype, which may overlap and may be on [another device](device.md#notes); from a nested table, which is broadcast; or from a string with the bytes of all elements
---```lua
---tide.zeros(3):copy_from{ 1, 2, 3 }  --> [1. 2. 3.]
---```
---@param x tide.Array|tide.HostArray|tide.nested|string
---@return tide.Array
function Array:copy_from(x) end

---returns the elements on that device: `a` itself if it is there already, else a copy
---
---Waits of a HostArray, and if that is a device of another kind.
---```lua
---a = tide.ones(3)
---a:to "host" == a                        --> true
---```
---@param device tide.spec
---@return tide.Array
function Array:to(device) end

---returns a copy
---```lua
---tide.arange(3):copy()  --> [0 1 2]
---```
---@return tide.Array
function Array:copy() end

---converts the elements as C does. Integers to smaller integers keep the low bits (300 is 44 as `int8`). Floats to integers are truncated; out of range they become the nearest integer, and NaN becomes 0. To bool: `x ~= 0`
---```lua
---tide.array{ 1.7, -1.7, 0 }:astype "int32"  --> [ 1 -1  0]
---```
---@param dtype tide.dtype
---@return tide.Array
function Array:astype(dtype) end

---sets all elements to `value`
---```lua
---tide.empty(3):fill(7)  --> [7. 7. 7.]
---```
---@param value tide.element
---@return tide.Array
function Array:fill(value) end

---frees the array at once; work under way completes
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

---the quotient, rounded down; an integer divided by 0 gives 0
---```lua
---tide.array{ 7, -7 } // 2  --> [ 3 -4]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:floordiv(y, options) end

---the quotient, rounded down; an integer divided by 0 gives 0
---```lua
---tide.array{ 7, -7 } // 2  --> [ 3 -4]
---```
---@param y tide.operand
---@return tide.Array
function Array:floordiv_(y) end

---the remainder of `floordiv`, with the sign of `y`
---```lua
---tide.array{ 7, -7 } % 4  --> [3 1]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:mod(y, options) end

---the remainder of `floordiv`, with the sign of `y`
---```lua
---tide.array{ 7, -7 } % 4  --> [3 1]
---```
---@param y tide.operand
---@return tide.Array
function Array:mod_(y) end

---`x` to the power `y`. Negative powers of integers are truncated. Exponents 2, 3, 0.5 and -1 given as numbers are computed as [products, roots or reciprocals](../numpy.md#results)
---```lua
---tide.array{ 2, 3 } ^ 2  --> [4 9]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:pow(y, options) end

---`x` to the power `y`. Negative powers of integers are truncated. Exponents 2, 3, 0.5 and -1 given as numbers are computed as [products, roots or reciprocals](../numpy.md#results)
---```lua
---tide.array{ 2, 3 } ^ 2  --> [4 9]
---```
---@param y tide.operand
---@return tide.Array
function Array:pow_(y) end

---the remainder of truncated division, with the sign of `x`; an integer divided by 0 gives 0
---```lua
---tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:fmod(y, options) end

---the remainder of truncated division, with the sign of `x`; an integer divided by 0 gives 0
---```lua
---tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]
---```
---@param y tide.operand
---@return tide.Array
function Array:fmod_(y) end

---the angle of the point (`y`, `x`), in radians; integers make `float64`
---```lua
---tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:atan2(y, options) end

---the angle of the point (`y`, `x`), in radians; integers make `float64`
---```lua
---tide.array{ 0., 1. }:atan2(1)  --> [0.         0.78539816]
---```
---@param y tide.operand
---@return tide.Array
function Array:atan2_(y) end

---sqrt(x^2 + y^2); integers make `float64`
---```lua
---tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:hypot(y, options) end

---sqrt(x^2 + y^2); integers make `float64`
---```lua
---tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]
---```
---@param y tide.operand
---@return tide.Array
function Array:hypot_(y) end

---the magnitude of `x` with the sign of `y`; integers make `float64`
---```lua
---tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:copysign(y, options) end

---the magnitude of `x` with the sign of `y`; integers make `float64`
---```lua
---tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]
---```
---@param y tide.operand
---@return tide.Array
function Array:copysign_(y) end

---log(exp(x) + exp(y)), without overflow; integers make `float64`
---```lua
---tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logaddexp(y, options) end

---log(exp(x) + exp(y)), without overflow; integers make `float64`
---```lua
---tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]
---```
---@param y tide.operand
---@return tide.Array
function Array:logaddexp_(y) end

---log2(2^x + 2^y), without overflow; integers make `float64`
---```lua
---tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logaddexp2(y, options) end

---log2(2^x + 2^y), without overflow; integers make `float64`
---```lua
---tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]
---```
---@param y tide.operand
---@return tide.Array
function Array:logaddexp2_(y) end

---x * 2^n, rounded once; `n` is of integers, and the result has the dtype of `x`
---```lua
---tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]
---```
---@param n tide.Array|integer
---@param options? tide.options.out
---@return tide.Array
function Array:ldexp(n, options) end

---x * 2^n, rounded once; `n` is of integers, and the result has the dtype of `x`
---```lua
---tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]
---```
---@param n tide.Array|integer
---@return tide.Array
function Array:ldexp_(n) end

---the next representable number of the dtype, from `x` towards `y`
---```lua
---tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:nextafter(y, options) end

---the next representable number of the dtype, from `x` towards `y`
---```lua
---tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]
---```
---@param y tide.operand
---@return tide.Array
function Array:nextafter_(y) end

---0 where `x` is negative, 1 where it is positive, `y` where it is 0
---```lua
---tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:heaviside(y, options) end

---0 where `x` is negative, 1 where it is positive, `y` where it is 0
---```lua
---tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]
---```
---@param y tide.operand
---@return tide.Array
function Array:heaviside_(y) end

---the greatest common divisor of integers, without a sign
---```lua
---tide.array{ 12, -18 }:gcd(8)  --> [4 2]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:gcd(y, options) end

---the greatest common divisor of integers, without a sign
---```lua
---tide.array{ 12, -18 }:gcd(8)  --> [4 2]
---```
---@param y tide.operand
---@return tide.Array
function Array:gcd_(y) end

---the least common multiple of integers, without a sign
---```lua
---tide.array{ 12, -18 }:lcm(8)  --> [24 72]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:lcm(y, options) end

---the least common multiple of integers, without a sign
---```lua
---tide.array{ 12, -18 }:lcm(8)  --> [24 72]
---```
---@param y tide.operand
---@return tide.Array
function Array:lcm_(y) end

---the greater of the two; propagates NaN
---```lua
---tide.array{ 1, 5 }:maximum(3)  --> [3 5]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:maximum(y, options) end

---the greater of the two; propagates NaN
---```lua
---tide.array{ 1, 5 }:maximum(3)  --> [3 5]
---```
---@param y tide.operand
---@return tide.Array
function Array:maximum_(y) end

---the lesser of the two; propagates NaN
---```lua
---tide.array{ 1, 5 }:minimum(3)  --> [1 3]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:minimum(y, options) end

---the lesser of the two; propagates NaN
---```lua
---tide.array{ 1, 5 }:minimum(3)  --> [1 3]
---```
---@param y tide.operand
---@return tide.Array
function Array:minimum_(y) end

---the greater of the two; ignores NaN unless both are NaN
---```lua
---tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:fmax(y, options) end

---the greater of the two; ignores NaN unless both are NaN
---```lua
---tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]
---```
---@param y tide.operand
---@return tide.Array
function Array:fmax_(y) end

---the lesser of the two; ignores NaN unless both are NaN
---```lua
---tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:fmin(y, options) end

---the lesser of the two; ignores NaN unless both are NaN
---```lua
---tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]
---```
---@param y tide.operand
---@return tide.Array
function Array:fmin_(y) end

---x < y, as `bool`; in place for bool arrays only
---```lua
---tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:lt(y, options) end

---x < y, as `bool`; in place for bool arrays only
---```lua
---tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]
---```
---@param y tide.operand
---@return tide.Array
function Array:lt_(y) end

---x <= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:le(y, options) end

---x <= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]
---```
---@param y tide.operand
---@return tide.Array
function Array:le_(y) end

---x > y, likewise
---```lua
---tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:gt(y, options) end

---x > y, likewise
---```lua
---tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:gt_(y) end

---x >= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:ge(y, options) end

---x >= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:ge_(y) end

---x == y, likewise
---```lua
---tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:eq(y, options) end

---x == y, likewise
---```lua
---tide.array{ 1, 2, 3 }:eq(2)  --> [false  true false]
---```
---@param y tide.operand
---@return tide.Array
function Array:eq_(y) end

---x ~= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:ne(y, options) end

---x ~= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:ne_(y) end

---bitwise and, of bools and integers
---```lua
---tide.array{ 5, 6 } & 3  --> [1 2]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:band(y, options) end

---bitwise and, of bools and integers
---```lua
---tide.array{ 5, 6 } & 3  --> [1 2]
---```
---@param y tide.operand
---@return tide.Array
function Array:band_(y) end

---bitwise or, of bools and integers
---```lua
---tide.array{ 5, 6 } | 3  --> [7 7]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:bor(y, options) end

---bitwise or, of bools and integers
---```lua
---tide.array{ 5, 6 } | 3  --> [7 7]
---```
---@param y tide.operand
---@return tide.Array
function Array:bor_(y) end

---bitwise exclusive or, of bools and integers
---```lua
---tide.array{ 5, 6 } ~ 3  --> [6 5]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:bxor(y, options) end

---bitwise exclusive or, of bools and integers
---```lua
---tide.array{ 5, 6 } ~ 3  --> [6 5]
---```
---@param y tide.operand
---@return tide.Array
function Array:bxor_(y) end

---shifts integers to the left
---```lua
---tide.array{ 5, 6 } << 1  --> [10 12]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:lshift(y, options) end

---shifts integers to the left
---```lua
---tide.array{ 5, 6 } << 1  --> [10 12]
---```
---@param y tide.operand
---@return tide.Array
function Array:lshift_(y) end

---shifts integers to the right, keeping the sign
---```lua
---tide.array{ 5, -6 } >> 1  --> [ 2 -3]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:rshift(y, options) end

---shifts integers to the right, keeping the sign
---```lua
---tide.array{ 5, -6 } >> 1  --> [ 2 -3]
---```
---@param y tide.operand
---@return tide.Array
function Array:rshift_(y) end

---logical and, where 0 is false; the result is `bool`; in place for bool arrays only
---```lua
---tide.array{ 0, 2 }:logical_and(1)  --> [false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logical_and(y, options) end

---logical and, where 0 is false; the result is `bool`; in place for bool arrays only
---```lua
---tide.array{ 0, 2 }:logical_and(1)  --> [false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:logical_and_(y) end

---logical or, likewise
---```lua
---tide.array{ 0, 2 }:logical_or(0)  --> [false  true]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logical_or(y, options) end

---logical or, likewise
---```lua
---tide.array{ 0, 2 }:logical_or(0)  --> [false  true]
---```
---@param y tide.operand
---@return tide.Array
function Array:logical_or_(y) end

---logical exclusive or, likewise
---```lua
---tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]
---```
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:logical_xor(y, options) end

---logical exclusive or, likewise
---```lua
---tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]
---```
---@param y tide.operand
---@return tide.Array
function Array:logical_xor_(y) end

---tells for each element whether `a` and `b` are equal, or `|a - b| <= atol + rtol * |b|` with finite `b`, as `bool`. Does not wait
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

---tells whether both have the same shape and equal elements; integers are compared exactly
---
---Waits for one byte.
---```lua
---tide.array_equal(tide.arange(3), { 0, 1, 2 })  --> true
---```
---@param b tide.Array|number|boolean|table|tide.HostArray
---@param options? tide.options.equal_nan
---@return boolean
function Array:array_equal(b, options) end

---tells whether all elements, once broadcast, are equal or satisfy `|a - b| <= atol + rtol * |b|` with finite `b`; `rtol` is 1e-5, `atol` 1e-8
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

----x
---```lua
----tide.array{ 1, -2 }  --> [-1  2]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:neg(options) end

----x
---```lua
----tide.array{ 1, -2 }  --> [-1  2]
---```
---@return tide.Array
function Array:neg_() end

---the absolute value; of complex numbers the modulus, which is a float
---```lua
---tide.array{ 1, -2 }:abs()  --> [1 2]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:abs(options) end

---the absolute value; of complex numbers the modulus, which is a float
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

----1, 0 or 1; NaN for NaN
---```lua
---tide.array{ 5., -3., 0. }:sign()  --> [ 1. -1.  0.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sign(options) end

----1, 0 or 1; NaN for NaN
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

---exp(x) - 1, accurate near 0
---```lua
---tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:expm1(options) end

---exp(x) - 1, accurate near 0
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

---the base-2 logarithm
---```lua
---tide.array{ 1, 8 }:log2()  --> [0. 3.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log2(options) end

---the base-2 logarithm
---```lua
---tide.array{ 1, 8 }:log2()  --> [0. 3.]
---```
---@return tide.Array
function Array:log2_() end

---the base-10 logarithm
---```lua
---tide.array{ 1, 100 }:log10()  --> [0. 2.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log10(options) end

---the base-10 logarithm
---```lua
---tide.array{ 1, 100 }:log10()  --> [0. 2.]
---```
---@return tide.Array
function Array:log10_() end

---log(1 + x), accurate near 0
---```lua
---tide.array{ 0., 1. }:log1p()  --> [0.         0.69314718]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:log1p(options) end

---log(1 + x), accurate near 0
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

---1 - erf(x), accurate for large `x`
---```lua
---tide.array{ 0., 3. }:erfc()  --> [1.0000000e+00 2.2090497e-05]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:erfc(options) end

---1 - erf(x), accurate for large `x`
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

---the gamma function; `gamma(n + 1)` is `n!`
---```lua
---tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:gamma(options) end

---the gamma function; `gamma(n + 1)` is `n!`
---```lua
---tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]
---```
---@return tide.Array
function Array:gamma_() end

---the logarithm of the absolute value of the gamma function. Near its zeros below -2 the absolute error is small, not the relative one
---```lua
---tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:lgamma(options) end

---the logarithm of the absolute value of the gamma function. Near its zeros below -2 the absolute error is small, not the relative one
---```lua
---tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]
---```
---@return tide.Array
function Array:lgamma_() end

---sin(pi x) / (pi x), and 1 for 0
---```lua
---tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sinc(options) end

---sin(pi x) / (pi x), and 1 for 0
---```lua
---tide.array{ 0., 0.5 }:sinc()  --> [1.         0.63661977]
---```
---@return tide.Array
function Array:sinc_() end

---1 / (1 + exp(-x)), with full precision where it is small
---```lua
---tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:sigmoid(options) end

---1 / (1 + exp(-x)), with full precision where it is small
---```lua
---tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]
---```
---@return tide.Array
function Array:sigmoid_() end

---log(1 + exp(x)), without overflow
---```lua
---tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:softplus(options) end

---log(1 + exp(x)), without overflow
---```lua
---tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]
---```
---@return tide.Array
function Array:softplus_() end

---the element, or 0 if it is not greater; NaN stays NaN
---```lua
---tide.array{ -2, 3 }:relu()  --> [0 3]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:relu(options) end

---the element, or 0 if it is not greater; NaN stays NaN
---```lua
---tide.array{ -2, 3 }:relu()  --> [0 3]
---```
---@return tide.Array
function Array:relu_() end

---converts radians to degrees
---```lua
---tide.array{ math.pi }:degrees()  --> [180.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:degrees(options) end

---converts radians to degrees
---```lua
---tide.array{ math.pi }:degrees()  --> [180.]
---```
---@return tide.Array
function Array:degrees_() end

---converts degrees to radians
---```lua
---tide.array{ 180 }:radians()  --> [3.14159265]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:radians(options) end

---converts degrees to radians
---```lua
---tide.array{ 180 }:radians()  --> [3.14159265]
---```
---@return tide.Array
function Array:radians_() end

---rounds down
---```lua
---tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:floor(options) end

---rounds down
---```lua
---tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]
---```
---@return tide.Array
function Array:floor_() end

---rounds up
---```lua
---tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:ceil(options) end

---rounds up
---```lua
---tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]
---```
---@return tide.Array
function Array:ceil_() end

---rounds towards 0
---```lua
---tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:trunc(options) end

---rounds towards 0
---```lua
---tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]
---```
---@return tide.Array
function Array:trunc_() end

---rounds to the nearest integer, ties to even. With `decimals`, `x` is scaled, rounded and scaled back, as in NumPy
---```lua
---tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
---tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
---tide.array{ 155, 12 }:round(-1)         --> [160  10]
---```
---@param decimals? integer the number of decimals to keep; negative ones round to tens, hundreds and so on
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.out): tide.Array
function Array:round(decimals, options) end

---rounds to the nearest integer, ties to even. With `decimals`, `x` is scaled, rounded and scaled back, as in NumPy
---```lua
---tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
---tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
---tide.array{ 155, 12 }:round(-1)         --> [160  10]
---```
---@param decimals integer the number of decimals to keep; negative ones round to tens, hundreds and so on
---@return tide.Array
function Array:round_(decimals) end

---bitwise not, of bools and integers
---```lua
---~tide.array{ 0, 5 }  --> [-1 -6]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:bnot(options) end

---bitwise not, of bools and integers
---```lua
---~tide.array{ 0, 5 }  --> [-1 -6]
---```
---@return tide.Array
function Array:bnot_() end

---true where `x` is 0; `bool`
---```lua
---tide.array{ 0, 5 }:logical_not()  --> [ true false]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:logical_not(options) end

---true where `x` is 0; `bool`
---```lua
---tide.array{ 0, 5 }:logical_not()  --> [ true false]
---```
---@return tide.Array
function Array:logical_not_() end

---+x, as a copy
---```lua
---tide.array{ 1, -2 }:positive()  --> [ 1 -2]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:positive(options) end

---true where the sign bit is set, as in -0.0 and in some NaNs; `bool`
---```lua
---tide.array{ 1., -0.0 }:signbit()  --> [false  true]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:signbit(options) end

---true where the sign bit is set, as in -0.0 and in some NaNs; `bool`
---```lua
---tide.array{ 1., -0.0 }:signbit()  --> [false  true]
---```
---@return tide.Array
function Array:signbit_() end

---true where `x` is NaN; `bool`
---```lua
---tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:isnan(options) end

---true where `x` is NaN; `bool`
---```lua
---tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]
---```
---@return tide.Array
function Array:isnan_() end

---the complex conjugate; real numbers stay as they are
---```lua
---tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:conj(options) end

---the complex conjugate; real numbers stay as they are
---```lua
---tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]
---```
---@return tide.Array
function Array:conj_() end

---the real part, a float; real numbers stay as they are
---```lua
---tide.array{ tide.complex(1, 2) }:real()  --> [1.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:real(options) end

---the real part, a float; real numbers stay as they are
---```lua
---tide.array{ tide.complex(1, 2) }:real()  --> [1.]
---```
---@return tide.Array
function Array:real_() end

---the imaginary part, a float; 0 for real numbers
---```lua
---tide.array{ tide.complex(1, 2) }:imag()  --> [2.]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:imag(options) end

---the imaginary part, a float; 0 for real numbers
---```lua
---tide.array{ tide.complex(1, 2) }:imag()  --> [2.]
---```
---@return tide.Array
function Array:imag_() end

---true where `x` is infinite; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:isinf(options) end

---true where `x` is infinite; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]
---```
---@return tide.Array
function Array:isinf_() end

---true where `x` is neither infinite nor NaN; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]
---```
---@param options? tide.options.out
---@return tide.Array
function Array:isfinite(options) end

---true where `x` is neither infinite nor NaN; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]
---```
---@return tide.Array
function Array:isfinite_() end

---returns the fractional and the integral part; both have the sign of `x`
---```lua
---fraction, whole = tide.array{ 1.5, -2.25 }:modf()
---fraction                                --> [ 0.5  -0.25]
---whole                                   --> [ 1. -2.]
---```
---@param options? tide.options.Array_modf
---@return tide.Array
---@return tide.Array
function Array:modf(options) end

---returns the mantissa, in the half-open interval from 0.5 to 1, and the exponent, an `int32`: `x` is `mantissa * 2^exponent`
---```lua
---mantissa, exponent = tide.array{ 8., 0.75 }:frexp()
---mantissa                                --> [0.5  0.75]
---exponent                                --> [4 0]
---```
---@param options? tide.options.Array_modf
---@return tide.Array
---@return tide.Array
function Array:frexp(options) end

---selects from `x` where `c` is not 0, else from `y`; each is an array or a number, but one of `x` and `y` is an array if `c` is none
---```lua
---a = tide.array{ 1, -2, 3 }
---tide.where(a:gt(0), a, 0)               --> [1 0 3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:where(x, y, options) end

---returns, for each axis, the indices of the elements that are not 0, in order. `tide.where(a)` with one argument does the same
---
---Waits for the number of elements, unless `size` gives it.
---
---Raises for an array without axes.
---
---Returns: of int64, one for each axis.
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

---returns a matrix with a row for each element that is not 0, in order: its indices along every axis
---
---Waits for the number of elements, unless `size` gives it.
---
---Raises for an array without axes.
---
---Returns: of int64.
---```lua
---tide.array{ { 0, 5 }, { 6, 0 } }:argwhere()[2]  --> [2 1]
---```
---@param options? tide.options.base_size_fill
---@return tide.Array
function Array:argwhere(options) end

---limits the elements to the interval from `lo` to `hi`, which are numbers or arrays. Either may be nil; without both the result is a copy. NaN stays NaN
---```lua
---tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]
---```
---@param lo? tide.operand
---@param hi? tide.operand
---@param options? tide.options.out
---@return tide.Array
function Array:clip(lo, hi, options) end

---limits the elements to the interval from `lo` to `hi`, which are numbers or arrays. Either may be nil; without both the result is a copy. NaN stays NaN
---```lua
---tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]
---```
---@param lo tide.operand
---@param hi tide.operand
---@return tide.Array
function Array:clip_(lo, hi) end

---replaces NaN and infinities by these numbers
---```lua
---tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]
---```
---@param nan? number
---@param posinf? number the greatest finite number of the dtype
---@param neginf? number the least finite number of the dtype
---@param options? tide.options.nan_posinf_neginf_out
---@return tide.Array
---@overload fun(self: tide.Array, nan?: number, posinf?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(self: tide.Array, nan?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.nan_posinf_neginf_out): tide.Array
function Array:nan_to_num(nan, posinf, neginf, options) end

---replaces NaN and infinities by these numbers
---```lua
---tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]
---```
---@param nan number
---@param posinf number the greatest finite number of the dtype
---@param neginf number the least finite number of the dtype
---@return tide.Array
function Array:nan_to_num_(nan, posinf, neginf) end

---returns the elements at the indices, or the slices along an axis. The shape of the indices replaces the axis; without an axis, `a` is flattened. Indices are an integer, a table or an array of integers; they count from 1, and negative ones from the end. An index out of range raises. In an array of indices only the device detects it; then the next wait for the result or its stream raises the error, which names the line of the call
---```lua
---tide.array{ 10, 20, 30 }:take{ 3, 1, 1 }  --> [30 10 10]
---```
---@param indices integer|integer[]|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_base_mode_out
---@return tide.Array
---@overload fun(self: tide.Array, indices: integer|integer[]|tide.Array, options?: tide.options.axis_base_mode_out): tide.Array
function Array:take(indices, axis, options) end

---returns the elements where the bool array `m`, of the same shape, is true, in order. If `m` has fewer axes, it selects slices along the remaining axes
---
---Waits for the number of elements, unless `size` gives it.
---```lua
---a = tide.array{ 1, -2, 3 }
---a:mask(a:gt(0))                         --> [1 3]
---a:mask(a:gt(0), { size = 3 })           --> [1 3 0]
---```
---@param m tide.Array
---@param options? tide.options.size_fill_out
---@return tide.Array
function Array:mask(m, options) end

---writes to the elements that `take` would read. Without an axis, `a` is flattened and the values are written in order, starting again from the first if there are fewer values than indices. With an axis, the values are broadcast to the slices. Where an index is repeated, its last value wins. With a mask, the elements or slices where it is true are written in order
---
---Waits if a 0-d array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; nothing is written for this index. A mask with more or fewer true elements than values raises equally late.
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

---returns, for each index, the element at this index along the axis, the last one by default; `a:take_along_axis(a:argsort())` is sorted. The other axes are broadcast
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

---writes to the elements that `take_along_axis` would read; where an index is repeated, its last value wins
---
---Waits if a 0-d array stands for a number in a table.
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

---adds the values to the elements that `take` would read: elements of the flattened array, or slices along an axis. Values are broadcast, and all values for a repeated index are added. Floats are added in float64 and rounded once, in the same order every time; integers wrap. Values are cast to the dtype of `a`, within its kind
---
---Waits if a 0-d array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; nothing is added for this index. If an array of values has a higher kind than `a`: integers beside bool, floats beside integers, complex numbers beside floats.
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

---as `scatter_add`, with the minimum or maximum in place of the sum. NaN counts as both
---
---Waits if a 0-d array stands for a number in a table.
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

---as `scatter_add`, with the minimum or maximum in place of the sum. NaN counts as both
---
---Waits if a 0-d array stands for a number in a table.
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

---the product of the matrices in the last two axes; the other axes are batch axes and are broadcast. A vector is a row on the left and a column on the right, and its axis is not in the result
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ 1, 1 })  --> [3 7]
---```
---@param b tide.Array
---@param options? tide.options.accumulate_out_tf32
---@return tide.Array
function Array:matmul(b, options) end

---of two vectors, the inner product; of matrices, as `matmul`; with a 0-d array, as `mul`; else the sum of products over the last axis of `a` and the second-to-last of `b`
---```lua
---tide.array{ 1, 2, 3 }:dot(tide.array{ 4, 5, 6 }):item()  --> 32
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:dot(b, options) end

---the sum of products over the last axis of both; a 0-d array multiplies all elements
---
---Raises if these axes differ in length.
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:inner(tide.array{ 1, 1 })  --> [3 7]
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:inner(b, options) end

---the outer product: each element of the flattened `a` times each of the flattened `b`, with a row for each element of `a`
---```lua
---tide.array{ 1, 2 }:outer(tide.array{ 3, 4 })[2]  --> [6 8]
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:outer(b, options) end

---the sum of products over one axis of both, the last one by default; `a` is conjugated, and the other axes are broadcast
---
---Raises if these axes differ in length.
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

---the sum of products over the last `n` axes of `a` and the first `n` of `b`; or over the axes in a table of two, each an axis or a list. The other axes of `a` come first in the result
---
---Raises if paired axes differ in length.
---```lua
---a, b = tide.ones{ 2, 3, 4 }, tide.ones{ 4, 3, 5 }
---a:tensordot(b, 1).shape                 --> {2, 3, 3, 5}
---a:tensordot(b, { { 2, 3 }, { 2, 1 } })[1]  --> [12. 12. 12. 12. 12.]
---```
---@param b tide.Array
---@param n? integer|table the number of axes, or { axes of a, axes of b }
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.out): tide.Array
function Array:tensordot(b, n, options) end

---the Kronecker product: blocks of `b` times each element of `a`
---```lua
---tide.eye(2, "int8"):kron(tide.array({ 1, 2 }, "int8"))[2]  --> [0 0 1 2]
---```
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function Array:kron(b, options) end

---the cross product of 3-vectors along one axis of both, the last one by default; the other axes are broadcast
---
---Raises if that axis does not have 3 elements; for bools.
---```lua
---tide.array{ 1, 0, 0 }:cross(tide.array{ 0, 1, 0 })  --> [0 0 1]
---```
---@param b tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:cross(b, axis, options) end

---the convolution of two vectors, the sums of `a[i - p] * b[p]`. `"full"`: all positions where they overlap; `"same"`: as many as the longer vector has; `"valid"`: where the shorter one lies fully inside. It is computed in the common dtype: `"direct"` as the sums, `"fft"` by Fourier transforms. `"auto"` takes transforms for floats and complex numbers if the sums have at least 2^20 products, and at least `20 * L * log2(L)` for `L = #a + #b - 1`. On a GPU with cuFFT it takes them if the shorter vector has `m >= 256` elements and `m` times the number of results (2^17 if there are fewer) is at least 2^28. The error of transforms is relative to the largest sum, so small sums lose digits, and a NaN or an infinity reaches every element. `"direct"` avoids both
---
---Raises if an argument is not a vector or has no elements, or for method `"fft"` of integers.
---```lua
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 })  --> [1 3 5 3]
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 }, "valid")  --> [3 5]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" the positions to compute
---@param options? tide.options.method_mode_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.method_mode_out): tide.Array
function Array:convolve(b, mode, options) end

---the cross-correlation of two vectors, the sums of `a[i + p] * b[p]`, with `b` conjugated
---
---Raises if an argument is not a vector or has no elements.
---```lua
---tide.array{ 1, 2, 3 }:correlate(tide.array{ 0, 1 })  --> [2 3]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" as for `convolve`
---@param options? tide.options.Array_correlate
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.Array_correlate): tide.Array
function Array:correlate(b, mode, options) end

---the convolution of two matrices, as in SciPy: `"same"` has the shape of `a`; outside of `a` the elements are 0
---
---Raises if an argument is not a matrix or has no elements.
---```lua
---tide.ones({ 3, 3 }, "int8"):convolve2d(tide.ones({ 3, 3 }, "int8"), "same")[1]  --> [4 6 4]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" the positions to compute
---@param options? tide.options.method_mode_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.method_mode_out): tide.Array
function Array:convolve2d(b, mode, options) end

---the cross-correlation of two matrices, with `b` conjugated
---
---Raises if an argument is not a matrix or has no elements.
---```lua
---tide.eye(2):correlate2d(tide.array{ { 1, 2 }, { 3, 4 } }, "valid")[1]  --> [5.]
---```
---@param b tide.Array
---@param mode? "full"|"same"|"valid" the positions to compute
---@param options? tide.options.method_mode_out
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.method_mode_out): tide.Array
function Array:correlate2d(b, mode, options) end

---the sum along the diagonals that `diagonal` returns
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

---the norm of vectors along one axis, or of matrices along two axes (rows, columns); along three axes or more, the norm of all elements as a vector. Without axes it is the norm of `a`; without an order as well, that of all elements as a vector. Orders of vectors: 2 (the default) is the root of the sum of squares; `math.huge` and `-math.huge` are the greatest and the least absolute value; 0 is the number of elements that are not 0; any other is `sum(abs(x) ^ ord) ^ (1 / ord)`. Orders of matrices: `"fro"` (the default) is the root of the sum of squares; 1 and -1 are the greatest and the least sum of absolute values of a column, `math.huge` and `-math.huge` those of a row; 2 and -2 are the greatest and the least singular value, `"nuc"` is their sum. Floats keep their dtype, complex numbers give the dtype of their parts, others `float64`
---```lua
---tide.array{ 3, 4 }:norm():item()        --> 5.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(1):item()  --> 6.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(math.huge, 2)  --> [2. 4.]
---```
---@param ord? number|"fro"|"nuc"
---@param axes? tide.axes
---@param options? tide.options.ord_axis_keepdims_out
---@return tide.Array
---@overload fun(self: tide.Array, axes?: tide.axes, options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(self: tide.Array, ord?: number|"fro"|"nuc", options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.ord_axis_keepdims_out): tide.Array
function Array:norm(ord, axes, options) end

---`exp(a)` divided by its sum along an axis, the last one by default. It subtracts the greatest element first, so it does not overflow. Integers make `float64`
---
---Raises for complex numbers; for a 0-d array.
---```lua
---tide.array{ 0., 1000., 1000. }:softmax()  --> [0.  0.5 0.5]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:softmax(axis, options) end

---the logarithm of `softmax`, finite also where `softmax` is 0
---
---Raises for complex numbers; for a 0-d array.
---```lua
---tide.array{ 0., 1000. }:logsoftmax()  --> [-1000.     0.]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:logsoftmax(axis, options) end

---returns a sorted copy, along the last axis by default. NaN sorts after all other values
---```lua
---tide.array{ 3, 1, 2 }:sort()            --> [1 2 3]
---tide.array{ 3, 1, 2 }:sort{ descending = true } --> [3 2 1]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function Array:sort(axis, options) end

---returns the indices that sort the array, from 1, as `int64`. The sort is stable, also in descending order
---```lua
---tide.array{ 30, 10, 20 }:argsort()  --> [2 3 1]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function Array:argsort(axis, options) end

---returns a copy in which the element at each place, along the last axis by default, is the one that sorting puts there. No element before it is greater, and none behind it is less; their order is unspecified
---```lua
---tide.array{ 3, 9, 5 }:partition(2)[2]  --> 5
---```
---@param place integer|integer[] from 1, negative ones from the end
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, place: integer|integer[], options?: tide.options.axis_out): tide.Array
function Array:partition(place, axis, options) end

---returns the indices, from 1, of the elements of a partition, as `int64`
---```lua
---tide.array{ 30, 10, 20 }:argpartition(1)[1]  --> 2
---```
---@param place integer|integer[] as in `partition`
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, place: integer|integer[], options?: tide.options.axis_out): tide.Array
function Array:argpartition(place, axis, options) end

---returns the `k` greatest elements along an axis, the last one by default, in descending order, and their indices, from 1, as `int64`. Equal elements keep their order. NaN counts as the greatest
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

---returns the unique elements of `a`, sorted, and on request: the index of the first occurrence of each, from 1, in the flattened `a`; for each element of `a`, in its shape, the index of its value; the number of occurrences of each. With an axis, it compares the slices across that axis instead, and sorts them by their first elements, then by their second ones, and so on; the indices are those of slices
---
---Waits if `size` is missing: for the number of elements.
---
---Returns: the values, then the requested arrays, in the order of the options.
---```lua
---values, counts = tide.array{ 3, 1, 3 }:unique{ return_counts = true }
---values                                  --> [1 3]
---counts                                  --> [1 2]
---#tide.array{ { 1, 2 }, { 0, 5 }, { 1, 2 } }:unique{ axis = 1 } --> 2
---```
---@param options? tide.options.Array_unique
---@return tide.Array
function Array:unique(options) end

---returns the unique elements, sorted; here and in the functions below each NaN is unique
---
---Waits for the number of elements.
---```lua
---tide.array{ 3, 1, 3 }:unique_values()  --> [1 3]
---```
---@return tide.Array
function Array:unique_values() end

---returns the unique elements and the number of occurrences of each
---
---Waits for the number of elements.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_counts())  --> [1 2]
---```
---@return tide.Array
---@return tide.Array
function Array:unique_counts() end

---returns the unique elements and, for each element of `a`, the index of its value
---
---Waits for the number of elements.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_inverse())  --> [2 1 2]
---```
---@return tide.Array
---@return tide.Array
function Array:unique_inverse() end

---returns the unique elements, the index of the first occurrence of each, the index of the value of each element of `a`, and the number of occurrences of each
---
---Waits for the number of elements.
---```lua
---values, places = tide.array{ 3, 1, 3 }:unique_all()
---places                                  --> [2 1]
---```
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@return tide.Array
function Array:unique_all() end

---returns the unique elements of `a` and `b` together, sorted, in their common dtype; here and in the functions below, of any shape
---
---Waits if `size` is missing: for the number of elements.
---```lua
---tide.array{ 3, 1, 3 }:union1d{ 2, 3 }  --> [1 2 3]
---```
---@param b tide.operand|table
---@param options? tide.options.size_fill
---@return tide.Array
function Array:union1d(b, options) end

---returns the unique elements that are in both `a` and `b`, sorted, in their common dtype, and on request: the index of the first occurrence of each, from 1, in the flattened `a` and in the flattened `b`. NaN equals nothing
---
---Waits if `size` is missing: for the number of elements.
---
---Returns: the values, then the indices.
---```lua
---tide.array{ 3, 1, 3, 2 }:intersect1d{ 2, 3 }  --> [2 3]
---```
---@param b tide.operand|table
---@param options? tide.options.assume_unique_return_indices_size_fill
---@return tide.Array
function Array:intersect1d(b, options) end

---returns the unique elements of `a` that are not in `b`, sorted
---
---Waits if `size` is missing: for the number of elements.
---```lua
---tide.array{ 3, 1, 3, 2 }:setdiff1d{ 2 }  --> [1 3]
---```
---@param b tide.operand|table
---@param options? tide.options.assume_unique_size_fill
---@return tide.Array
function Array:setdiff1d(b, options) end

---counts the occurrences of each integer from `base` to the greatest element, as `int64`; with weights, sums the weights of its elements, as `float64`
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

---counts the elements in each bin, as `int64`, or sums their weights, in the dtype of the weights; returns the counts and the bin edges. Bins are half-open; the last one includes its right edge
---```lua
---counts, edges = tide.array{ 1, 2, 2, 5 }:histogram(2)
---counts                                  --> [3 1]
---edges                                   --> [1. 3. 5.]
---```
---@param bins? integer|number[]|tide.Array the number of bins of equal width, or sorted bin edges
---@param options? tide.options.density_range_weights
---@return tide.Array
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.density_range_weights): tide.Array, tide.Array
function Array:histogram(bins, options) end

---counts the points with coordinates (`a`, `b`) in each cell of a grid, with a row for each bin of `a`; returns the counts and the bin edges of both
---```lua
---counts = tide.array{ 1, 1, 2 }:histogram2d(tide.array{ 5, 6, 6 }, 2)
---counts[1]                               --> [1 1]
---```
---@param b tide.Array
---@param bins? integer|table|tide.Array as in `histogram`, or a list of two
---@param options? tide.options.Array_histogram2d
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@overload fun(self: tide.Array, b: tide.Array, options?: tide.options.Array_histogram2d): tide.Array, tide.Array, tide.Array
function Array:histogram2d(b, bins, options) end

---returns the index of the bin of each element, from 1, as `int64`: the index of the last edge that is not above the element. 0 means below all edges
---```lua
---tide.array{ 0.5, 2, 9 }:digitize{ 1, 2, 3 }  --> [0 2 3]
---```
---@param edges number[]|tide.Array sorted
---@param options? tide.options.descending_out_right
---@return tide.Array
function Array:digitize(edges, options) end

---returns, for each element of `v`, the index, from 1, before which inserting it keeps `a` sorted, as `int64`; `a` is sorted and 1-d
---```lua
---tide.array{ 10, 20, 20, 30 }:searchsorted{ 20, 99 } --> [2 5]
---tide.array{ 10, 20, 20, 30 }:searchsorted({ 20, 99 }, { side = "right" }) --> [4 5]
---```
---@param v tide.operand|table of any shape
---@param options? tide.options.out_side_sorter
---@return tide.Array
function Array:searchsorted(v, options) end

---tells for each element of `a` whether it is equal to one of `values`, as `bool`; a number is compared as by `eq`. NaN equals nothing
---```lua
---tide.array{ 1, 2, 3 }:isin{ 3, 1 }      --> [ true false true]
---tide.array{ 1, 2, 3 }:isin({ 3, 1 }, { invert = true })  --> [false  true false]
---```
---@param values tide.operand|table of any shape
---@param options? tide.options.invert_out
---@return tide.Array
function Array:isin(values, options) end

---linear interpolation at each element, through the points (`xs`, `ys`), as `float64`; outside of the points, the value of the nearest point
---```lua
---tide.array{ 1.5, 9 }:interp({ 1, 2 }, { 10, 30 })  --> [20. 30.]
---```
---@param xs number[]|tide.Array the x coordinates, sorted
---@param ys number[]|tide.Array the y coordinates, one for each of `xs`
---@param options? tide.options.left_out_period_right
---@return tide.Array
function Array:interp(xs, ys, options) end

---the cumulative sum along an axis; without one, of the flattened array. dtypes are those of `sum`; floats are added in `float64`. The result is the same every time
---```lua
---tide.array{ 1, 2, 3 }:cumsum()          --> [1 3 6]
---tide.array{ 1, 2, 3 }:cumsum{ include_initial = true } --> [0 1 3 6]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function Array:cumsum(axis, options) end

---the cumulative product, likewise. Products of parts are multiplied in the end: where such a product leaves the range of its dtype, results behind it are infinite, NaN or 0, even if the whole product is not
---```lua
---tide.array{ 1, 2, 3 }:cumprod()  --> [1 2 6]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function Array:cumprod(axis, options) end

---the cumulative maximum, of the dtype of `a`. From the first NaN on, the result is NaN
---```lua
---tide.array{ 1, 3, 2 }:cummax()  --> [1 3 3]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:cummax(axis, options) end

---the cumulative minimum, likewise
---```lua
---tide.array{ 2, 3, 1 }:cummin()  --> [2 2 1]
---```
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out): tide.Array
function Array:cummin(axis, options) end

---the difference of each element and the one before it, along the last axis by default; for bools, whether they differ
---```lua
---tide.array{ 1, 4, 9 }:diff()            --> [3 5]
---tide.array{ 1, 4, 9 }:diff{ prepend = 0 } --> [1 3 5]
---```
---@param n? integer how many times to apply it
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_prepend_append
---@return tide.Array
---@overload fun(self: tide.Array, axis?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(self: tide.Array, n?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_prepend_append): tide.Array
function Array:diff(n, axis, options) end

---integrates by the trapezoidal rule
---```lua
---tide.array{ 1, 2, 3 }:trapezoid():item()  --> 4.0
---```
---@param x? tide.Array the sample points
---@param options? tide.options.axis_dx_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_dx_out): tide.Array
function Array:trapezoid(x, options) end

---the slope at each element along each axis, as several results: from both neighbours, at the ends from one. Floats and complex numbers keep their dtype, others make `float64`
---
---Raises for an array without axes, and for an axis of fewer than `edge_order + 1` elements.
---
---Returns: one for each axis.
---```lua
---tide.array{ 1, 4, 9, 16 }:gradient()    --> [3. 4. 6. 7.]
---tide.array{ 1, 4, 9 }:gradient(tide.array{ 0, 1, 3 }) --> [3.         2.83333333 2.5       ]
---```
---@param spacing? number|tide.Array|table the distance of neighbours, or their coordinates, with one axis; a list has one of these for each axis
---@param options? tide.options.axis_edge_order
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_edge_order): tide.Array
function Array:gradient(spacing, options) end

---the value of a polynomial at each point, in the common dtype; numbers and tables do not widen an array of floats
---```lua
---tide.polyval({ 3, 0, 1 }, tide.array{ 1, 2 })  --> [ 4 13]
---```
---@param x tide.operand|table the points
---@param options? tide.options.out
---@return tide.Array
function Array:polyval(x, options) end

---the sum. The dtype is `int64` for bools and signed integers, `uint64` for unsigned integers, else that of `a`; floats are added in `float64`
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

---the product, with the dtypes of `sum`. Products of parts are multiplied in the end, as for `cumprod`
---```lua
---tide.array{ 2, 3, 4 }:prod():item()  --> 24
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:prod(axis, options) end

---the mean, in the dtype of floats and complex numbers, else in `float64`; NaN without elements
---```lua
---tide.array{ 1, 2 }:mean():item()  --> 1.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:mean(axis, options) end

---the variance: the mean of the squared deviations from the mean
---```lua
---tide.array{ 1, 2, 3, 4 }:var():item()  --> 1.25
---```
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.Array_var): tide.Array
function Array:var(axis, options) end

---the standard deviation: the root of the variance
---```lua
---tide.array{ 1, 3 }:std():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.Array_var): tide.Array
function Array:std(axis, options) end

---the minimum; propagates NaN
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

---the maximum; propagates NaN
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

---the index of the minimum, from 1, as `int64`; of equal elements the first. Along one axis, or in the flattened `a`. NaN counts as the minimum
---```lua
---tide.array{ 3, 1, 2 }:argmin():item()  --> 2
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:argmin(axis, options) end

---the index of the maximum, likewise
---```lua
---tide.array{ 3, 1, 2 }:argmax():item()  --> 1
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:argmax(axis, options) end

---tells whether any element is not 0, as `bool`
---```lua
---tide.array{ 0, 1 }:any():item()  --> true
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:any(axis, options) end

---tells whether no element is 0, as `bool`
---```lua
---tide.array{ 0, 1 }:all():item()  --> false
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:all(axis, options) end

---the number of elements that are not 0, as `int64`
---```lua
---tide.array{ 0, 1, 2 }:count_nonzero():item()  --> 2
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:count_nonzero(axis, options) end

---the median: the middle element, or the mean of the two middle elements, in the dtype of floats, else in `float64`. NaN if any element is NaN, or without elements
---```lua
---tide.array{ 3, 1, 2, 9 }:median():item()  --> 2.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:median(axis, options) end

---the value below which a fraction `q` of the elements lies, along an axis, several, or all of them. The dtype is that of floats, else `float64`; methods that select an element keep the dtype of `a`. NaN if any element is NaN
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
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

---as `quantile`, with `q` in percent
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
---```lua
---tide.array{ 4, 1, 3, 2 }:percentile(100):item()  --> 4.0
---```
---@param q number|number[]|tide.Array from 0 to 100
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(self: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function Array:percentile(q, axis, options) end

---`quantile` without the NaNs; NaN if nothing else is left
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
---```lua
---tide.array{ 4, 0/0, 3, 2 }:nanquantile(0.5):item()  --> 3.0
---```
---@param q number|number[]|tide.Array from 0 to 1
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(self: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function Array:nanquantile(q, axis, options) end

---as `nanquantile`, with `q` in percent
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
---```lua
---tide.array{ 4, 0/0, 3, 2 }:nanpercentile(100):item()  --> 4.0
---```
---@param q number|number[]|tide.Array from 0 to 100
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(self: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function Array:nanpercentile(q, axis, options) end

---the logarithm of the sum of `exp(a)`, without overflow; -inf without elements. Integers make `float64`
---
---Raises for complex numbers.
---```lua
---tide.array{ 1000, 1000 }:logsumexp():item()  --> 1000.6931471806
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:logsumexp(axis, options) end

---the range: the maximum minus the minimum
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

---the weighted mean; NaN if the weights sum to 0
---```lua
---tide.array{ 1, 3 }:average{ weights = tide.array{ 3, 1 } }:item()  --> 1.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_weights
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_weights): tide.Array
function Array:average(axis, options) end

---`sum` without the NaNs; 0 if nothing else is left
---```lua
---tide.array{ 1, 0/0, 2 }:nansum():item()  --> 3.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:nansum(axis, options) end

---`prod` without the NaNs; 1 if nothing else is left
---```lua
---tide.array{ 3, 0/0, 2 }:nanprod():item()  --> 6.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function Array:nanprod(axis, options) end

---`mean` without the NaNs; here and below, NaN if nothing else is left
---```lua
---tide.array{ 1, 0/0, 2 }:nanmean():item()  --> 1.5
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanmean(axis, options) end

---`var` without the NaNs
---```lua
---tide.array{ 1, 0/0, 3 }:nanvar():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function Array:nanvar(axis, options) end

---`std` without the NaNs
---```lua
---tide.array{ 1, 0/0, 3 }:nanstd():item()  --> 1.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function Array:nanstd(axis, options) end

---`min` without the NaNs
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

---`max` without the NaNs
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

---`argmin` without the NaNs; the first index if all are NaN
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

---`argmax` without the NaNs; the first index if all are NaN
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

---`median` without the NaNs
---```lua
---tide.array{ 0/0, 3, 1 }:nanmedian():item()  --> 2.0
---```
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function Array:nanmedian(axis, options) end

---the covariance matrix of variables (rows) over observations (columns), in `float64` or `dtype`
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:cov()[1]                              --> [ 1. -1.]
---```
---@param y? tide.Array additional variables
---@param options? tide.options.Array_cov
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.Array_cov): tide.Array
function Array:cov(y, options) end

---the correlation coefficients, from -1 to 1: covariances divided by both standard deviations
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:corrcoef()[2]                         --> [-1.  1.]
---```
---@param y? tide.Array additional variables
---@param options? tide.options.rowvar_dtype_out
---@return tide.Array
---@overload fun(self: tide.Array, options?: tide.options.rowvar_dtype_out): tide.Array
function Array:corrcoef(y, options) end

---returns a table of `count`, `nans`, `mean`, `std`, `min`, `q25`, `median`, `q75`, `max` and `dtype`, which `tostring` and `print` show with a line for each: see [below](#figures)
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

---prints a plot of a real array, with [`print`](#pictures)
---
---Waits for the elements that it draws; for a histogram's range and counts.
---
---Raises for complex arrays; if the kind does not take this number of axes.
---
---Returns: the plot with option `string`, else nothing.
---```lua
---picture = tide.array{ 1, 2 }:plot{ kind = "histogram", bins = 2, width = 24, ascii = true,
---                                   string = true }
---picture                                 --> 1 to 1.5 |########## 1
---                                        --> 1.5 to 2 |########## 1
---```
---@param options? tide.options.Array_plot
---@return string
function Array:plot(options) end

---ranks that compute together; this process has one or several
---@class tide.Communicator
---@field rank integer the rank of this process, from 0; the first one if it has several
---@field size integer the number of ranks
---@field local_rank integer the rank among the processes of its machine, from 0
---@field ranks table the ranks of this process
---@field devices table the devices of these ranks
---@field error string the reason why the communicator has failed; nil while it works
local Communicator = {}

---splits the communicator into one for each color, with ranks in the order of their keys; returns nil without a color. If this process has several ranks, both are lists, in which nil and false mean none; the result is also a list, with false for a rank without a color. If other ranks call something else, all ranks get an error: at once on the host device, as long as no graph has operations of the communicator, else after the timeout
---
---Waits until all ranks have called it.
---```lua
---comm = tide.comm{ "host" }
---comm:split(7).size                      --> 1
---```
---@param color? integer|integer[] from 0 to 2147483647; nil does not take part
---@param key? integer|integer[] the rank
---@return tide.Communicator
function Communicator:split(color, key) end

---closes the communicator; other ranks that still use it get an error, and the process goes on
---
---Waits for its unfinished operations.
---```lua
---comm = tide.comm{ "host" }
---comm:close()
---tostring(comm)                          --> tide.Communicator (closed)
---```
function Communicator:close() end

---reduces `a` over all ranks, element by element, in place; returns it
---```lua
---comm = tide.comm{ "host" }
---comm:all_reduce(tide.array{ 1, 2 }:to "host", "max")  --> [1 2]
---```
---@param a tide.Array|tide.Array[]
---@param op? "sum"|"prod"|"max"|"min"|"avg"
---@return tide.Array|tide.Array[]
---@overload fun(self: tide.Communicator, a: tide.Array|tide.Array[], options: tide.options.op_out): tide.Array|tide.Array[]
function Communicator:all_reduce(a, op) end

---reduces `a` as `all_reduce` does, but only at `root`; the other ranks keep their `a`
---```lua
---comm = tide.comm{ "host" }
---comm:reduce(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param root integer a rank, from 0
---@param op? "sum"|"prod"|"max"|"min"|"avg"
---@return tide.Array|tide.Array[]
function Communicator:reduce(a, root, op) end

---copies the elements of `a` at `root` to `a` of every rank; returns it
---```lua
---comm = tide.comm{ "host" }
---comm:broadcast(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param root integer a rank, from 0
---@return tide.Array|tide.Array[]
function Communicator:broadcast(a, root) end

---concatenates the arrays of all ranks along the first axis, on every rank
---```lua
---comm = tide.comm{ "host" }
---comm:all_gather(tide.zeros{ 2, 3 }:to "host").shape  --> {2, 3}
---```
---@param a tide.Array|tide.Array[]
---@param options? tide.options.Communicator_all_gather
---@return tide.Array|tide.Array[]
function Communicator:all_gather(a, options) end

---reduces `a` over all ranks; returns this rank's part along the first axis
---
---Raises if the length of that axis is not a multiple of `comm.size`.
---```lua
---comm = tide.comm{ "host" }
---comm:reduce_scatter(tide.ones(2):to "host")  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param op? "sum"|"prod"|"max"|"min"|"avg"
---@return tide.Array|tide.Array[]
---@overload fun(self: tide.Communicator, a: tide.Array|tide.Array[], options: tide.options.op_out): tide.Array|tide.Array[]
function Communicator:reduce_scatter(a, op) end

---sends part i of each rank's array, along the first axis, to rank i, which concatenates the parts that it gets
---
---Raises if the length of that axis is not a multiple of `comm.size`.
---```lua
---comm = tide.comm{ "host" }
---comm:all_to_all(tide.ones(2):to "host")  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param options? tide.options.Communicator_all_gather
---@return tide.Array|tide.Array[]
function Communicator:all_to_all(a, options) end

---as `all_gather`, at `root` only; returns nil elsewhere. The result is one array for all ranks of a process
---```lua
---comm = tide.comm{ "host" }
---comm:gather(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array|tide.Array[]
---@param root integer a rank, from 0
---@param options? tide.options.out
---@return tide.Array
function Communicator:gather(a, root, options) end

---returns this rank's part, along the first axis, of the array at `root`; a list of parts if this process has several ranks
---
---Raises if the length of that axis is not a multiple of `comm.size`.
---```lua
---comm = tide.comm{ "host" }
---comm:scatter(tide.ones(2):to "host", 0)  --> [1. 1.]
---```
---@param a tide.Array the array at `root`; nil elsewhere
---@param root integer a rank, from 0
---@param options? tide.options.Communicator_all_gather
---@return tide.Array|tide.Array[]
function Communicator:scatter(a, root, options) end

---synchronizes all ranks; cannot be captured, because it waits
---
---Waits until all ranks have called it.
---```lua
---tide.comm{ "host" }:barrier()
---```
function Communicator:barrier() end

---sends `a` to a rank, which must call `recv`; returns `a`
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

---receives the elements that a rank sends into `a`; returns `a`
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

---calls `fn(...)` and combines its sends and receives into one operation, in which they run concurrently: the ranks of a ring may all send first. Arrays may overlap: sends use the elements from before the group, and of two receives into the same memory the later one wins. No other operation of `comm` may be called in it. Other coroutines, and host functions that run meanwhile, are not part of it
---
---Returns: the results of `fn`.
---```lua
---comm = tide.comm{ "host" }
---a, b = tide.ones(2):to "host", tide.zeros(2):to "host"
---comm:group(function () comm:send(a, 0); comm:recv(b, 0) end)
---b                                       --> [1. 1.]
---```
---@param fn function or an object that is called as one
---@param ... any the arguments of `fn`
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


---one end of a connection between two processes
---@class tide.Connection
---@field fd integer the descriptor for event loops: readable when `ready` is true
---@field pid integer the id of the process at the other end
local Connection = {}

---sends one message with all the values: up to 127 KiB of text and 100 arrays. Arrays must be of `tide.ipc` or views of such arrays; [events](event.md) must be interprocess events
---
---Waits if many messages wait for the receiver; runs host functions.
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

---returns the values of the next message; nothing, once the other end was closed, so `for x in conn.recv, conn do` iterates over all messages whose first value is not nil. If it fails for lack of memory or descriptors, the message stays for the next call. A message that this process cannot receive at all, because it does not see the device, is dropped
---
---Waits for a message, not for its arrays; runs host functions.
---
---Raises if the process at the other end has ended without closing it.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---other = listener:accept()
---other:send(1, nil, "x")
---conn:recv()                             --> 1   nil   x
---```
---@param before? any what a generic `for` passes; ignored
---@return any
function Connection:recv(before) end

---tells whether `recv` would return at once
---
---Waits for that, for `seconds` at most.
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

---closes the connection; received arrays stay. Collecting it, and closing the Lua state, do the same
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
---@field id integer its number among the devices of its kind, from 0
---@field name string its name
---@field total_memory integer the memory of the device
---@field compute_capability string CUDA's compute capability, such as `"9.0"`; `"0.0"` on the host device
---@field attributes table CUDA's attributes: names in lower case without `CU_DEVICE_ATTRIBUTE_`, integer values (`multiprocessor_count`, `max_threads_per_block`, `warp_size` …). Attributes that the device does not know are missing
local Device = {}

---makes the device current for this coroutine
---```lua
---tide.Device("host"):use()  --> host:0
---```
---@return tide.Device
function Device:use() end

---waits until all work on the device is done
---
---Waits for all work that this Lua state queued on it and for its null stream; runs host functions, and does not wait for work that they queue meanwhile.
---
---Raises while one of its streams captures.
---```lua
---tide.get_device():synchronize()
---```
function Device:synchronize() end

---destroys everything that this process has on the device, which then works again even if it had failed. Raises, and changes nothing, while one of its streams captures and in a host function. Streams of other Lua states are not checked
---
---Waits for its work first, unless it has failed.
---```lua
---a = tide.ones(3)
---tide.get_device():reset()
---(pcall(a.sum, a))                       --> false
---```
---@return tide.Device
function Device:reset() end

---returns the free and the total bytes
---```lua
---free, total = tide.get_device():memory_info()
---free <= total                           --> true
---```
---@return integer
---@return integer
function Device:memory_info() end

---tells whether copies to `dev` from `other` go directly between their memories; if not, also returns why they go through the host. The first call tests it with a page that must arrive
---
---Waits if it has to be tested: for that page.
---```lua
---dev = tide.get_device()
---dev:can_access_peer(dev)                --> true
---```
---@param other tide.Device|string or a spec
---@return boolean
---@return string
function Device:can_access_peer(other) end

---a kernel from C code for one element
---@class tide.ElementwiseKernel
---@overload fun(x: tide.operand, ...: tide.operand): any
---@overload fun(x: tide.operand, ...: any): any
---@field params string
---@field out string
---@field body string
---@field name string
---@field preamble string
---@field options string[] a copy of the list
local ElementwiseKernel = {}


---a point in the work of a stream
---@class tide.Event
---@field done boolean tells whether its latest recording has finished: true if it was never recorded, false while the recording is behind a host function that has not run. Does not wait and runs no host functions, so a loop that waits for it must call `tide.poll()`
---@field device tide.Device
---@field ptr integer the `CUevent`
local Event = {}

---records the event on a stream, by default the current one of its device; replaces the previous recording
---```lua
---s = tide.Stream()
---e = tide.Event():record(s)
---e:synchronize()
---e.done                                  --> true
---```
---@param stream? tide.Stream
---@return tide.Event
function Event:record(stream) end

---waits until the event is done
---
---Waits for the event; runs host functions.
---
---Raises if it was never recorded.
---```lua
---e = tide.Event():record()
---e:synchronize()
---e.done                                  --> true
---```
function Event:synchronize() end

---as `synchronize`, with a timeout; in a task of [`tide.run`](tasks.md) other tasks run meanwhile. Returns true, or nil and `"timeout"`
---
---Waits for `seconds` at most; runs host functions.
---
---Raises if it was never recorded.
---
---Returns: true; nil and `"timeout"`.
---```lua
---tide.Event():record():await()           --> true
---```
---@param seconds? number the timeout, from 0 on; nil waits without end
---@return boolean
function Event:await(seconds) end

---closes the event; queued waits keep their recording
---
---Raises if it is closed.
---```lua
---e = tide.Event()
---e:close()
---(pcall(e.close, e))                     --> false
---```
function Event:close() end

---an open file that streams read and write
---@class tide.File
---@field size integer the size of the file in bytes, once all queued writes are done; includes data that other programs append. 0 for a file without an end, such as `/dev/zero`
---@field offset integer the default offset of the next read or write
---@field path string the path as given to `open`
---@field mode string
local File = {}

---closes the file, even if it raises. In a task and in a coroutine of an event loop, others run meanwhile. With `wait = false`, and when the object is collected, queued operations still complete later
---
---Waits if writes of this object are not done yet; not with `wait = false`.
---
---Raises if it is closed; the errors of its writes; in a host function, if there is something to wait for.
---```lua
---path = os.tmpname()
---f = tide.open(path)
---f:close()
---f                                       --> tide.File (closed)
---os.remove(path)
---```
---@param options? tide.options.wait
function File:close(options) end

---fills the array with raw bytes of the file; for bools, every nonzero byte is true
---
---Raises if the file has too few bytes (nothing is queued then); in a capture.
---```lua
---path = os.tmpname()
---out = tide.open(path, "w"):write(tide.arange(6, "int32"))
---f = tide.open(path)
---f:read(tide.empty(3, "int32"), 4 * 2)   --> [2 3 4]
---out:close() f:close()
---os.remove(path)
---```
---@param a tide.Array|tide.HostArray without gaps
---@param offset? integer the position in the file, in bytes from 0; by default where the last operation of this object ended
---@return tide.Array
function File:read(a, offset) end

---writes the raw bytes of the array. The file grows as needed, and gaps are zeros
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
---@param offset? integer the position in the file, in bytes from 0; by default where the last operation of this object ended
---@return tide.Fused
function File:write(a, offset) end

---a Lua function compiled into one kernel
---@class tide.Fused
---@overload fun(...: tide.operand): any
---@overload fun(...: any): any
---@field name string the name
local Fused = {}


---a random number generator with its own state
---@class tide.Generator
local Generator = {}

---seeds the generator: all numbers drawn later, on every device, follow from the integer `n`. Without `n`, and in a program that sets no seed, the seed is random
---```lua
---tide.random.seed(42)
---a = tide.random.uniform(3)
---tide.random.seed(42)
---tide.array_equal(a, tide.random.uniform(3)) --> true
---```
---@param n? integer
function Generator:seed(n) end

---draws uniformly distributed numbers from the half-open interval from `low` (0) to `high` (1): float64, or float32
---```lua
---a = tide.random.uniform({ 2, 3 }, "float32")
---a.shape                                 --> {2, 3}
---(a:max():item() < 1)                    --> true
---```
---@param low number
---@param high number
---@param shape tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Generator, shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function Generator:uniform(low, high, shape, dtype, options) end

---draws normally distributed numbers with mean `mean` (0) and standard deviation `std` (1): float64, or float32
---```lua
---tide.random.seed(1)
---a = tide.random.normal(10, 0.1, 1000)
---tide.allclose(a:mean(), 10, 0.01)       --> true
---```
---@param mean number
---@param std number
---@param shape tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(self: tide.Generator, shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function Generator:normal(mean, std, shape, dtype, options) end

---draws uniformly distributed integers from `low` to `high`, both included as in Lua's `math.random`: int64, or another integer dtype
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

---draws exponentially distributed numbers with mean `scale`: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
---```
---@param scale number
---@param shape tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
function Generator:exponential(scale, shape, dtype, options) end

---draws from a gamma distribution with shape `k` and scale `scale`; the mean is `scale * k`. With an integer `k` it is the time until the `k`th event: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.gamma(2, 3, 100000):mean(), 6, 0.02)  --> true
---tide.random.gamma(tide.array{ 1, 2 }, 1).shape  --> {2}
---```
---@param k number|tide.Array from 0 on
---@param scale number|tide.Array from 0 on
---@param shape? tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
function Generator:gamma(k, scale, shape, dtype, options) end

---draws from a beta distribution, from 0 to 1; the mean is `a / (a + b)`. It is the distribution of a probability after `a - 1` successes and `b - 1` failures: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.beta(2, 6, 100000):mean(), 0.25, 0.02)  --> true
---```
---@param a number|tide.Array above 0
---@param b number|tide.Array above 0
---@param shape? tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
function Generator:beta(a, b, shape, dtype, options) end

---draws from a Poisson distribution, the number of events with mean `lam`: int64, or another integer dtype, converted as by `astype`
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

---draws from a binomial distribution, the number of successes in `n` trials with probability `p`: int64, or another integer dtype, converted as by `astype`
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

---draws true with probability `p`, or 1 for another dtype
---```lua
---tide.random.bernoulli(1, 3)             --> [true true true]
---```
---@param p number
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function Generator:bernoulli(p, shape, dtype) end

---returns the integers from 1 to `x` in random order; or the slices of an array in random order, along the first axis by default
---```lua
---tide.random.permutation(5):sort()       --> [1 2 3 4 5]
---```
---@param x integer|tide.Array
---@param axis? integer the axis of an array
---@return tide.Array
function Generator:permutation(x, axis) end

---shuffles the slices of `a` along an axis in place, and returns `a`
---```lua
---a = tide.arange(5)
---tide.random.shuffle(a) == a             --> true
---a:sort()                                --> [0 1 2 3 4]
---```
---@param a tide.Array
---@param axis? integer
---@return tide.Array
function Generator:shuffle(a, axis) end

---draws integers from 1 to `x`, or slices along the first axis of an array, with equal probability or those of `p`; with `replace=false` without repetition. Nothing waits for the numbers of an array `p`: if one is negative or not finite, or there are too few above 0, the next wait for the result raises
---
---Raises if `replace=false` and there are too few to choose from.
---```lua
---a = tide.random.choice(tide.array{ 10, 20 }, 100)
---a:min():item() >= 10                    --> true
---tide.random.choice(3, 3, { replace = false }):sum():item()  --> 6
---tide.random.choice(3, 2, { p = { 0, 1, 0 } })     --> [2 2]
---```
---@param x integer|tide.Array
---@param shape tide.shape
---@param options? tide.options.p_replace
---@return tide.Array
function Generator:choice(x, shape, options) end

---draws normally distributed vectors, along the last axis, with this mean and covariance: float64, or float32. A covariance that is not symmetric or has negative eigenvalues is not noticed, except by method `"cholesky"`, which raises at the next wait for the result unless the matrix is positive definite
---```lua
---tide.random.seed(1)
---a = tide.random.multivariate_normal(tide.zeros(2), tide.array{ { 2., 1 }, { 1, 1 } }, 100000)
---a.shape                                 --> {100000, 2}
---tide.allclose(a.T:cov(), tide.array{ { 2., 1 }, { 1, 1 } }, 0, 0.1)  --> true
---```
---@param mean tide.Array a vector
---@param cov tide.Array a matrix
---@param shape? tide.shape of the array of vectors
---@param dtype? tide.dtype
---@param options? tide.options.method
---@return tide.Array
---@overload fun(self: tide.Generator, mean: tide.Array, cov: tide.Array, dtype?: tide.dtype, options?: tide.options.method): tide.Array
---@overload fun(self: tide.Generator, mean: tide.Array, cov: tide.Array, shape?: tide.shape, options?: tide.options.method): tide.Array
---@overload fun(self: tide.Generator, mean: tide.Array, cov: tide.Array, options?: tide.options.method): tide.Array
function Generator:multivariate_normal(mean, cov, shape, dtype, options) end

---closes the generator and frees its memory, some bytes on each device that it was used on. Graphs that draw from it still work
---```lua
---g = tide.random.Generator(5)
---g:close()
---g                                       --> tide.Generator (closed)
---```
function Generator:close() end

---captured work that can be launched repeatedly
---@class tide.Graph
---@field device tide.Device
local Graph = {}

---queues a launch of the graph on a stream, by default the current one of its device
---```lua
---a = tide.zeros(3)
---g = tide.capture(function () a:add_(1) end)
---g:launch():launch()
---a[1]                                    --> 2.0
---```
---@param stream? tide.Stream
---@return tide.Graph
function Graph:launch(stream) end

---waits until the latest launch is done; in a task of [`tide.run`](tasks.md) other tasks run meanwhile. Returns true, or nil and `"timeout"`
---
---Waits for `seconds` at most; runs host functions.
---
---Returns: true; nil and `"timeout"`.
---```lua
---g = tide.capture(function () end)
---g:launch():await()                      --> true
---```
---@param seconds? number the timeout, from 0 on; nil waits without end
---@return boolean
function Graph:await(seconds) end

---uploads the graph to the device ahead of its first launch
---```lua
---g = tide.capture(function () end)
---g:upload():launch()                     --> tide.Graph (0 nodes, host:0)
---```
---@param stream? tide.Stream
---@return tide.Graph
function Graph:upload(stream) end

---makes `g` do what `other` does, if both have nodes of the same types with the same edges, and returns true. Arrays, numbers and kernels may differ. Edges depend on which operations share arrays. Otherwise returns false and the reason, and leaves `g` unchanged
---
---Returns: true; or false and the reason.
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

---returns the graph in the DOT language: its nodes, with the names of kernels, and its edges. Edges implied by others are left out
---```lua
---tide.capture(function () end):debug_dot():match "%a+"  --> digraph
---```
---@param options? tide.options.verbose
---@return string
function Graph:debug_dot(options) end

---closes the graph; launches under way complete
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
---@field shape integer[] the lengths of the axes
---@field strides integer[] the strides, in elements
---@field mT tide.HostArray a view with the last two axes exchanged
---@field T tide.HostArray a view with the axes reversed
---@field ndim integer
---@field size integer the number of elements
---@field dtype tide.dtype
---@field nbytes integer
---@field device tide.Device the device to which copies are fast
---@field ptr integer the address. Does not wait, so a copy from or to it may be under way; wait before you use the address
---@operator len: integer
---@field [integer|table] number|boolean|tide.Complex|tide.HostArray
local HostArray = {}

---exports the elements to another library without a copy: see [DLPack](dlpack.md). The memory stays until the library releases it, from any thread, even after the Lua state has closed
---
---Waits if it is memory of the host: until nothing uses it, unless `stream=false`.
---
---Raises if the array is read-only, with `versioned=false`.
---
---Returns: a capsule.
---```lua
---tostring(tide.HostArray(3):to_dlpack())  --> dltensor_versioned
---```
---@param options? tide.options.stream_versioned
---@return userdata
function HostArray:to_dlpack(options) end

---sets all elements to `value`
---
---Waits for the copies from and to it.
---```lua
---tide.HostArray(3):fill(7)[3]  --> 7.0
---```
---@param value tide.element
---@return tide.HostArray
function HostArray:fill(value) end

---sets the bytes of all elements at once; for bool, every nonzero byte becomes 1
---
---Waits for the copies from and to it.
---```lua
---tide.HostArray(3, "uint8"):set("abc")[1]  --> 97
---```
---@param string string
---@return tide.HostArray
function HostArray:set(string) end

---returns a view of the same bytes as elements of another dtype
---```lua
---tide.HostArray(3, "float32"):view "uint8".shape  --> {12}
---```
---@param dtype tide.dtype
---@return tide.HostArray
function HostArray:view(dtype) end

---copies the elements of an Array or HostArray, queued on the current stream; or those of a table or a string, as for an Array, at once
---
---Waits if it is a table or a string, for the copies from and to it.
---```lua
---tide.HostArray(3):copy_from{ 1, 2, 3 }[2]  --> 2.0
---```
---@param x tide.Array|tide.HostArray|table|string
---@return tide.HostArray
function HostArray:copy_from(x) end

---reads bytes from a file of Lua's `io` into the array
---
---Waits for the copies from and to it.
---
---Returns: the number of bytes read.
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

---writes the bytes of the array to a file of Lua's `io`
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

---copies the elements to a new Array on that device
---
---Waits for the elements.
---```lua
---tide.HostArray(3):to("host").device  --> host:0
---```
---@param device tide.spec
---@return tide.Array
function HostArray:to(device) end

---waits until the copies to and from it are done; in a task of [`tide.run`](tasks.md) other tasks run meanwhile. Returns true, or nil and `"timeout"`
---
---Waits for `seconds` at most; runs host functions.
---
---Returns: true; nil and `"timeout"`.
---```lua
---tide.ones(3):tohost{ blocking = false }:await()  --> true
---```
---@param seconds? number the timeout, from 0 on; nil waits without end
---@return boolean
function HostArray:await(seconds) end

---returns the only element of an array of size 1
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

---returns the bytes of all elements
---
---Waits for the copies to it.
---```lua
---tide.HostArray(2, "int8"):fill(65):tobytes()  --> AA
---```
---@return string
function HostArray:tobytes() end

---closes the array; copies under way complete
---
---Raises if it is closed.
---```lua
---h = tide.HostArray(3)
---h:close()
---(pcall(h.fill, h, 1))                   --> false
---```
function HostArray:close() end

---a socket that accepts connections of other processes
---@class tide.Listener
---@field fd integer the descriptor for event loops: readable when `ready` is true
---@field path string the path as given to `listen`
local Listener = {}

---returns the connection of the next process that connects
---
---Waits if none has yet; runs host functions.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---conn = tide.ipc.connect(listener.path)
---listener:accept().pid == conn.pid       --> true
---```
---@return tide.Connection
function Listener:accept() end

---tells whether `accept` would return at once
---
---Waits for that, for `seconds` at most.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---listener:ready()                        --> false
---```
---@param seconds? number
---@return boolean
function Listener:ready(seconds) end

---removes the socket; its connections stay open
---
---Raises if it is closed.
---```lua
---listener = tide.ipc.listen(os.tmpname() .. ".sock")
---listener:close()
---listener                                --> tide.Listener (closed)
---```
function Listener:close() end

---an acquired place of a semaphore
---@class tide.Place
local Place = {}

---releases the place to the next waiting task. A second call does nothing
---```lua
---semaphore = tide.semaphore(1)
---place = semaphore:acquire()
---place:release()
---semaphore                               --> tide.Semaphore: 1 of 1 free
---```
function Place:close() end

---releases the place to the next waiting task. A second call does nothing
---```lua
---semaphore = tide.semaphore(1)
---place = semaphore:acquire()
---place:release()
---semaphore                               --> tide.Semaphore: 1 of 1 free
---```
function Place:release() end

---a progress bar that counts completed work
---@class tide.Progress
local Progress = {}

---counts the work queued on the current stream since the last call as `n` pieces
---
---Raises in a capture: count the launches of its graph.
---```lua
---p = tide.progress():add(2)
---```
---@param n? number from 0 on
---@return p
function Progress:add(n) end

---returns the number of completed pieces
---```lua
---tide.progress():completed()             --> 0
---```
---@return number
function Progress:completed() end

---ends the progress line
---
---Waits for all counted work.
---
---Raises if it is closed.
---```lua
---tide.progress():close()
---```
function Progress:close() end

---a queue of values between tasks
---@class tide.Queue
---@overload fun(): any
---@operator len: integer
local Queue = {}

---appends a value
---
---Waits while the queue is full.
---
---Raises if the queue is closed, also while waiting.
---```lua
---#tide.queue():put(1):put(2)             --> 2
---```
---@param value any not nil
---@return q
function Queue:put(value) end

---removes and returns the oldest value
---
---Waits while it is empty.
---
---Returns: the oldest value; nil once the queue is closed and empty.
---```lua
---tide.queue():put(1):get()               --> 1
---```
---@return any
function Queue:get() end

---closes the queue: it accepts no more values, and values already in it can still be taken. Closing it again does nothing
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
---@field options string[] a copy of the list
---@field num_regs integer registers per thread. This field and those below describe the code for the current device, and compile it if necessary
---@field shared_size_bytes integer static shared memory per block
---@field local_size_bytes integer local memory per thread
---@field const_size_bytes integer constant memory
---@field max_threads_per_block integer the maximum number of threads per block, given its registers
---@field binary_version integer 90 means compute capability 9.0
---@field ptx_version integer 90 means compute capability 9.0
local RawKernel = {}

---as `k(...)`, with the arguments in a table
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

---compiles and loads the kernel for the current device now. With `log`, it is compiled even if it is loaded already, and the compiler's messages come back as well
---
---Returns: the kernel; only with `log`, warnings and other messages.
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { int n; y[0] = 1; }", "f")
---if tide.get_device().kind == "cuda" then
---  print(select(2, k:compile{ log = true }))
---end
---```
---@param options? tide.options.log
---@return tide.RawKernel
---@return string
function RawKernel:compile(options) end

---returns the number of blocks of `threads` threads that a multiprocessor of the current device can run at a time: `cuOccupancyMaxActiveBlocksPerMultiprocessor`
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
---if tide.get_device().kind == "cuda" then
---  print(k:max_active_blocks_per_multiprocessor(256))
---end
---```
---@param threads integer per block
---@param shared? integer bytes of dynamic shared memory per block
---@return integer
function RawKernel:max_active_blocks_per_multiprocessor(threads, shared) end

---returns the block size with which the most threads run at a time on the current device, and the smallest grid of such blocks that fills the device: `cuOccupancyMaxPotentialBlockSize`
---
---Returns: threads per block, and blocks.
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
---if tide.get_device().kind == "cuda" then
---  local block, grid = k:max_potential_block_size()
---  print(block, grid)
---end
---```
---@param shared? integer bytes of dynamic shared memory per block
---@param limit? integer the most threads per block; 0: as many as the kernel can have
---@return integer
---@return integer
function RawKernel:max_potential_block_size(shared, limit) end

---a CUDA C++ source with any number of kernels
---@class tide.RawModule
---@field code string
---@field options string[] a copy of the list
local RawModule = {}

---returns one of its kernels
---```lua
---m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
---m:get_function "f"                      --> tide.RawKernel: f(float *y)
---```
---@param name string
---@param options? tide.options.signature
---@return tide.RawKernel
function RawModule:get_function(name, options) end

---returns a 1-d array over the memory of a variable of the source, `__device__` or `__constant__`, on the current device. Modules of the same source and options share it. While there are such arrays, a launch of any kernel of the module comes after their operations that were called before, and before those called later, on any stream. A `static` variable, or one of a namespace, is found by a name expression: `"&n::x"`
---```lua
---m = tide.RawModule [=[
---__constant__ float step;
---extern "C" __global__ void f (float *y) { y[0] += step; }
---]=]
---if tide.get_device().kind == "cuda" then
---  local y = tide.zeros(1, "float32")
---  m:get_global("step", "float32"):fill(0.5)
---  m:get_function "f"(1, 1, y)
---  print(y[1])
---end
---```
---@param name string
---@param dtype? tide.dtype of its elements
---@return tide.Array
function RawModule:get_global(name, dtype) end

---a reduction from C code for one element and for two values
---@class tide.ReductionKernel
---@overload fun(x: tide.operand, ...: any): tide.Array
---@field params string
---@field out string
---@field map string
---@field reduce string
---@field name string
---@field post string
---@field reduce_type string
---@field preamble string
---@field identity string|number|nil
---@field options string[] a copy of the list
local ReductionKernel = {}


---the stream and device to restore when a block ends
---@class tide.Scope
local Scope = {}

---restores the stream and the device that were current when the scope was opened, and the streams of other devices that `use` replaced since
---
---Raises if it is closed.
---```lua
---scope = tide.Stream():scope()
---scope:close()
---scope                                   --> tide.Scope (closed)
---```
function Scope:close() end

---a limit on the number of tasks that enter at once
---@class tide.Semaphore
local Semaphore = {}

---takes a place
---
---Waits while no place is free.
---
---Returns: must be closed.
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
---@field device tide.Device the device; for a singleton, the current device
---@field device_id integer the number of the device; −1 for the singletons
---@field done boolean tells whether all work on the stream has finished. Does not wait and runs no host functions, so a loop that waits for it must call `tide.poll()`
---@field is_non_blocking boolean
---@field priority integer the priority, after clamping
local Stream = {}

---makes the stream and its device current from now on; inside a scope, until the scope ends
---```lua
---s = tide.Stream():use()
---tide.get_current_stream() == s          --> true
---tide.Stream.null:use()
---```
---@return tide.Stream
function Stream:use() end

---runs `fn(s, ...)` with `s` current, and returns its results; `fn` may yield
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

---makes the stream current until the scope closes: `local _ <close> = s:scope()`
---```lua
---s = tide.Stream()
---do
---  local _ <close> = s:scope()
---  print(tide.get_current_stream() == s) --> true
---end
---```
---@return tide.Scope
function Stream:scope() end

---waits until all work on the stream is done
---
---Waits for all work that is on it now; runs host functions.
---
---Raises while the stream captures.
---```lua
---s = tide.Stream()
---a = s:with(function () return tide.ones(3) end)
---s:synchronize()
---```
function Stream:synchronize() end

---as `synchronize`, with a timeout; in a task of [`tide.run`](tasks.md) other tasks run meanwhile. Returns true, or nil and `"timeout"`
---
---Waits for `seconds` at most; runs host functions.
---
---Raises while the stream captures.
---
---Returns: true; nil and `"timeout"`.
---```lua
---tide.Stream():await()                   --> true
---```
---@param seconds? number the timeout, from 0 on; nil waits without end
---@return boolean
function Stream:await(seconds) end

---records an event on the stream, a new one by default, and returns it
---```lua
---e = tide.Stream():record()
---e:synchronize()
---e.done                                  --> true
---```
---@param event? tide.Event
---@return tide.Event
function Stream:record(event) end

---makes all later work on `s` wait for the latest recording of `e`. The host does not wait
---
---Raises if `e` was never recorded.
---```lua
---s, t = tide.Stream(), tide.Stream()
---t:wait_event(s:record()) == t           --> true
---```
---@param e tide.Event
---@return tide.Stream
function Stream:wait_event(e) end

---makes all later work on `s` wait for the work that is queued on `t` now. The host does not wait
---```lua
---s, t = tide.Stream(), tide.Stream()
---s:wait_stream(t) == s                   --> true
---```
---@param t tide.Stream
---@return tide.Stream
function Stream:wait_stream(t) end

---queues a call of `fn(arg)`. It runs when all work queued before is done; work queued after it on `s` starts when `fn` has returned
---```lua
---s = tide.Stream()
---s:launch_host_func(print, "done")
---s:synchronize()                         --> done
---```
---@param fn function or an object that is called as one
---@param arg any
---@return tide.Stream
function Stream:launch_host_func(fn, arg) end

---as `launch_host_func`, called as `fn(s, status, arg)`. Status 0 means no error; `s` may be closed by then
---```lua
---s = tide.Stream()
---s:add_callback(function (stream, status, arg) print(status, arg) end, "x")
---s:synchronize()                         --> 0 x
---```
---@param fn function or an object that is called as one
---@param arg any
---@return tide.Stream
function Stream:add_callback(fn, arg) end

---starts a capture: until `end_capture`, work on the stream is recorded, not run
---
---Waits if work on `s` is behind host functions; it runs them then.
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
---@param mode? "relaxed"|"thread_local"|"global" the capture mode, as in CUDA: `"relaxed"` (the default), `"thread_local"`, `"global"`
---@return tide.Stream
function Stream:begin_capture(mode) end

---ends the capture and returns its graph
---
---Raises if no capture began on this stream, or if a stream that joined the capture was not waited for.
---```lua
---s = tide.Stream{ non_blocking = true }
---s:begin_capture()
---s:end_capture()                         --> tide.Graph (0 nodes, host:0)
---```
---@return tide.Graph
function Stream:end_capture() end

---tells whether the stream captures; true also for a stream that joined a capture
---```lua
---tide.Stream():is_capturing()            --> false
---```
---@return boolean
function Stream:is_capturing() end

---closes the stream; pending work completes
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

---lets others go on until it has finished, and returns its results. Raises its error
---
---Waits until the task has finished, for `seconds` at most.
---
---Raises if the task was cancelled; outside of tasks, unless the task has finished.
---
---Returns: the results of the task; nil and `"timeout"`.
---```lua
---what = tide.run(function ()
---  return tide.spawn(function () return "done" end):await()
---end)
---what                                    --> done
---```
---@param seconds? number from 0 on; nil has no end
---@return any
function Task:await(seconds) end

---ends the task, and closes its open `<close>` variables. Work that it has queued still completes
---
---Raises in the task itself.
---
---Returns: whether it was still running.
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

---returns a device. `spec` is `0`, `"cuda"`, `"cuda:1"`, `"host"`, `"host:1"`, or a Device, which is returned as it is; by default the current device. A number counts CUDA devices, or host devices if there are none. Raises with the reason if the device is not available
---```lua
---tide.Device "host" == tide.Device "host:0"  --> true
---```
---@param spec? tide.spec
---@return tide.Device
function tide.Device(spec) end

---returns a kernel that evaluates `body` for each element
---```lua
---k = tide.ElementwiseKernel{ params = "T x", out = "T y", body = "y = x * x" }
---k(tide.array{ 1, 3 })[2]                --> 9
---```
---@param options? tide.options.ElementwiseKernel
---@return tide.ElementwiseKernel
---@overload fun(params: string, out: string, body: string, name?: string): tide.ElementwiseKernel
function tide.ElementwiseKernel(options) end

---returns a new event of the current device; all options are false by default
---```lua
---e = tide.Event{ disable_timing = true }
---e.done                                  --> true
---```
---@param options? tide.options.block_disable_timing_interprocess
---@return tide.Event
function tide.Event(options) end

---as `from_external`, on a device given by number, spec or object
---```lua
---s = tide.Stream()
---tide.ExternalStream(s.ptr, s.device) == s  --> true
---```
---@param ptr tide.pointer
---@param device? tide.spec
---@return tide.Stream
function tide.ExternalStream(ptr, device) end

---returns a HostArray of the current device, filled with 0; of the default dtype if none is given
---```lua
---h = tide.HostArray({ 2, 3 }, "int8")
---h.nbytes                                --> 6
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.HostArray
function tide.HostArray(shape, dtype) end

---wraps a raw address for a pointer parameter. tide does not order work by it and does not keep its memory alive
---
---Returns: light userdata.
---```lua
---type(tide.Pointer(tide.ones(3).ptr))  --> userdata
---```
---@param address integer
---@return lightuserdata
function tide.Pointer(address) end

---returns the kernel `name` of a CUDA C++ source; for a template, an instance: `"scale<float>"`. The source may be compiled already: PTX, or the bytes of a cubin or fatbin file. Then `signature` is needed, and there are no `options`
---```lua
---k = tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
---k                                       --> tide.RawKernel: f(float *y)
---```
---@param code string
---@param name string
---@param options? tide.options.options_signature
---@return tide.RawKernel
function tide.RawKernel(code, name, options) end

---returns a source with any number of kernels, compiled once; or compiled code, as above
---```lua
---m = tide.RawModule("__global__ void f (float *y) { y[0] = 1; }")
---m:get_function "f"                      --> tide.RawKernel: f(float *y)
---```
---@param code string
---@param options? tide.options.options_name_expressions
---@return tide.RawModule
function tide.RawModule(code, options) end

---returns a reduction kernel. Without `post` the result is `a`. `identity` is an expression or a number, which the type of `a` must have; without it an array without elements is refused
---```lua
---k = tide.ReductionKernel{
---  params = "T x", out = "T y", map = "x", reduce = "max(a, b)", name = "greatest"
---}
---k(tide.array{ 1, 3, 2 }):item()         --> 3
---```
---@param options? tide.options.ReductionKernel
---@return tide.ReductionKernel
---@overload fun(params: string, out: string, map: string, reduce: string, post: string, identity: string|number|nil, name: string, reduce_type: string): tide.ReductionKernel
function tide.ReductionKernel(options) end

---returns a new stream of the current device; `tide.Stream()` has the default options
---```lua
---s = tide.Stream{ non_blocking = true, priority = -1 }
---s.is_non_blocking                       --> true
---```
---@class tide.Stream.constructor
---@overload fun(options?: tide.options.null_ptds_non_blocking_priority): tide.Stream
tide.Stream = {}

---wraps a `CUstream` of the current device that other code created; tide never destroys it. For the pointer of one of tide's own streams it returns that stream again, which then lives until both are closed
---```lua
---s = tide.Stream()
---tide.Stream.from_external(s.ptr, s) == s  --> true
---```
---@param ptr tide.pointer an integer or a light userdata
---@param keep? any a value that lives as long as the wrapper
---@return tide.Stream
function tide.Stream.from_external(ptr, keep) end

---the legacy default stream of the current device
---@type tide.Stream
tide.Stream.null = nil

---the per-thread default stream of the calling thread, on the current device
---@type tide.Stream
tide.Stream.ptds = nil

---the absolute value; of complex numbers the modulus, which is a float
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

---tells whether no element is 0, as `bool`
---```lua
---tide.array{ 0, 1 }:all():item()  --> false
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.all(a, axis, options) end

---tells whether all elements, once broadcast, are equal or satisfy `|a - b| <= atol + rtol * |b|` with finite `b`; `rtol` is 1e-5, `atol` 1e-8
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

---tells whether any element is not 0, as `bool`
---```lua
---tide.array{ 0, 1 }:any():item()  --> true
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.any(a, axis, options) end

---returns the elements of `a` followed by the values, along an axis; without an axis both are flattened. A number of Lua, in a table too, widens no dtype of its kind
---
---Waits if a 0-d array stands for a number in a table.
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

---returns the numbers of the half-open interval from `start` (0) to `stop`, spaced by `step` (1); the dtype is `int64` if all arguments are integers, else the default dtype
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

---the index of the maximum, likewise
---```lua
---tide.array{ 3, 1, 2 }:argmax():item()  --> 1
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.argmax(a, axis, options) end

---the index of the minimum, from 1, as `int64`; of equal elements the first. Along one axis, or in the flattened `a`. NaN counts as the minimum
---```lua
---tide.array{ 3, 1, 2 }:argmin():item()  --> 2
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.argmin(a, axis, options) end

---returns the indices, from 1, of the elements of a partition, as `int64`
---```lua
---tide.array{ 30, 10, 20 }:argpartition(1)[1]  --> 2
---```
---@param a tide.Array
---@param place integer|integer[] as in `partition`
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, place: integer|integer[], options?: tide.options.axis_out): tide.Array
function tide.argpartition(a, place, axis, options) end

---returns the indices that sort the array, from 1, as `int64`. The sort is stable, also in descending order
---```lua
---tide.array{ 30, 10, 20 }:argsort()  --> [2 3 1]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_descending
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_descending): tide.Array
function tide.argsort(a, axis, options) end

---returns a matrix with a row for each element that is not 0, in order: its indices along every axis
---
---Waits for the number of elements, unless `size` gives it.
---
---Raises for an array without axes.
---
---Returns: of int64.
---```lua
---tide.array{ { 0, 5 }, { 6, 0 } }:argwhere()[2]  --> [2 1]
---```
---@param a tide.Array
---@param options? tide.options.base_size_fill
---@return tide.Array
function tide.argwhere(a, options) end

---returns a new array with the elements of a nested table, a number or a boolean, on the current device; or a copy of a HostArray or an Array, on its own device. Integers make `int64`, other numbers the default dtype, booleans `bool`. In a table, a 0-d array counts as a number of its dtype: `tide.array{ a:sum(), a:max() }`. Ragged tables raise
---
---Waits if a 0-d array stands for a number.
---```lua
---a = tide.array({ { 1, 2 }, { 3, 4 } }, "float32")
---a.shape                                 --> {2, 2}
---a[2]                                    --> [3. 4.]
---```
---@param x tide.nested|tide.element|tide.Array|tide.HostArray
---@param dtype? tide.dtype
---@return tide.Array
function tide.array(x, dtype) end

---tells whether both have the same shape and equal elements; integers are compared exactly
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

---as `split`, but the first views may be longer by one element
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

---as `tide.array`, but an Array that has the dtype already is returned itself
---
---Waits if a 0-d array stands for a number.
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

---converts the elements as C does. Integers to smaller integers keep the low bits (300 is 44 as `int8`). Floats to integers are truncated; out of range they become the nearest integer, and NaN becomes 0. To bool: `x ~= 0`
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

---the angle of the point (`y`, `x`), in radians; integers make `float64`
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

---the weighted mean; NaN if the weights sum to 0
---```lua
---tide.array{ 1, 3 }:average{ weights = tide.array{ 3, 1 } }:item()  --> 1.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_weights
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_weights): tide.Array
function tide.average(a, axis, options) end

---bitwise and, of bools and integers
---```lua
---tide.array{ 5, 6 } & 3  --> [1 2]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.band(x, y, options) end

---counts the occurrences of each integer from `base` to the greatest element, as `int64`; with weights, sums the weights of its elements, as `float64`
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

---bitwise not, of bools and integers
---```lua
---~tide.array{ 0, 5 }  --> [-1 -6]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.bnot(x, options) end

---bitwise or, of bools and integers
---```lua
---tide.array{ 5, 6 } | 3  --> [7 7]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.bor(x, y, options) end

---broadcasts all arrays to their common shape, and returns read-only views as several results
---
---Returns: as many as in the list.
---```lua
---x, y = tide.broadcast_arrays{ tide.arange(3), tide.ones{ 2, 1 } }
---x.shape, y.shape                        --> {2, 3}  {2, 3}
---```
---@param list tide.Array[]
---@return tide.Array
function tide.broadcast_arrays(list) end

---returns the shape to which arrays of these shapes broadcast
---
---Returns: table.
---```lua
---tide.broadcast_shapes(3, { 2, 1 })  --> {2, 3}
---```
---@param ... tide.shape
---@return integer[]
function tide.broadcast_shapes(...) end

---returns a read-only view of `a` that is broadcast to the shape; views of it are read-only too
---```lua
---tide.arange(3):broadcast_to(2, 3)[2]  --> [0 1 2]
---```
---@param a tide.Array
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function tide.broadcast_to(a, shape, ...) end

---bitwise exclusive or, of bools and integers
---```lua
---tide.array{ 5, 6 } ~ 3  --> [6 5]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.bxor(x, y, options) end

---tells whether the casting rule allows the cast. `"safe"`: `to` represents all numbers of `from`. `"same_kind"`: also casts within a kind, such as floats to floats. `"no"` and `"equiv"`: the dtypes are equal. `"unsafe"`: always
---```lua
---tide.can_cast("int32", "float32")       --> false
---```
---@param from tide.dtype|tide.Array|tide.HostArray
---@param to tide.dtype|tide.Array|tide.HostArray
---@param casting? "no"|"equiv"|"safe"|"same_kind"|"unsafe"
---@return boolean
function tide.can_cast(from, to, casting) end

---captures the work that `fn(...)` queues on a new non-blocking stream; returns the graph and the results of `fn`. If `fn` raises, the capture is discarded and the error passes through. `fn` may yield
---
---Returns: the graph, then the results of `fn`.
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

---rounds up
---```lua
---tide.array{ 1.5, -1.5 }:ceil()  --> [ 2. -1.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.ceil(x, options) end

---limits the elements to the interval from `lo` to `hi`, which are numbers or arrays. Either may be nil; without both the result is a copy. NaN stays NaN
---```lua
---tide.arange(5):clip(1, 3)  --> [1 1 2 3 3]
---```
---@param a tide.Array
---@param lo? tide.operand
---@param hi? tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.clip(a, lo, hi, options) end

---returns a monotonic time, from an arbitrary start
---
---Returns: seconds.
---```lua
---start = tide.clock()
---tide.clock() >= start                   --> true
---```
---@return number
function tide.clock() end

---joins arrays along the second axis; arrays with fewer than two axes count as columns
---```lua
---tide.column_stack{ tide.arange(2), tide.arange(2) }[2]  --> [1 1]
---```
---@param list tide.Array[]
---@param options? tide.options.out
---@return tide.Array
function tide.column_stack(list, options) end

---creates a communicator with a rank for each device, all in this process
---
---Waits until they have joined.
---```lua
---comm = tide.comm{ "host" }
---comm.ranks                              --> {0}
---```
---@param devices table a list of distinct devices and specs, of one kind
---@param options? tide.options.timeout
---@return tide.Communicator
function tide.comm(devices, options) end

---returns `re + im*i`; `im` is 0 by default
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

---the arc cosine
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

---the arc sine
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

---the arc tangent
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

---its complex conjugate
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

---e to the power `z`
---```lua
---tide.complex.exp(0)  --> 1+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.exp(z) end

---the natural logarithm; the branch cut is along the negative real axis
---```lua
---tide.complex.log(1)  --> 0+0j
---```
---@param z tide.Complex|number
---@return tide.Complex
function tide.complex.log(z) end

---returns the number with absolute value `r` and an angle in radians
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

---the square root with a nonnegative real part
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

---joins arrays along an existing axis, the first by default; promotes them to a common dtype
---```lua
---tide.concatenate{ tide.arange(2), tide.arange(3) }  --> [0 1 0 1 2]
---```
---@param list tide.Array[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(list: tide.Array[], options?: tide.options.axis_out): tide.Array
function tide.concatenate(list, axis, options) end

---the complex conjugate; real numbers stay as they are
---```lua
---tide.array{ tide.complex(1, 2) }:conj()  --> [1.-2.j]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.conj(x, options) end

---returns `a` itself if it is contiguous in row-major order, else a contiguous copy
---```lua
---tide.ones{ 2, 3 }.T:contiguous().strides  --> {2, 1}
---```
---@param a tide.Array
---@return tide.Array
function tide.contiguous(a) end

---the convolution of two vectors, the sums of `a[i - p] * b[p]`. `"full"`: all positions where they overlap; `"same"`: as many as the longer vector has; `"valid"`: where the shorter one lies fully inside. It is computed in the common dtype: `"direct"` as the sums, `"fft"` by Fourier transforms. `"auto"` takes transforms for floats and complex numbers if the sums have at least 2^20 products, and at least `20 * L * log2(L)` for `L = #a + #b - 1`. On a GPU with cuFFT it takes them if the shorter vector has `m >= 256` elements and `m` times the number of results (2^17 if there are fewer) is at least 2^28. The error of transforms is relative to the largest sum, so small sums lose digits, and a NaN or an infinity reaches every element. `"direct"` avoids both
---
---Raises if an argument is not a vector or has no elements, or for method `"fft"` of integers.
---```lua
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 })  --> [1 3 5 3]
---tide.array{ 1, 2, 3 }:convolve(tide.array{ 1, 1 }, "valid")  --> [3 5]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" the positions to compute
---@param options? tide.options.method_mode_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.method_mode_out): tide.Array
function tide.convolve(a, b, mode, options) end

---the convolution of two matrices, as in SciPy: `"same"` has the shape of `a`; outside of `a` the elements are 0
---
---Raises if an argument is not a matrix or has no elements.
---```lua
---tide.ones({ 3, 3 }, "int8"):convolve2d(tide.ones({ 3, 3 }, "int8"), "same")[1]  --> [4 6 4]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" the positions to compute
---@param options? tide.options.method_mode_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.method_mode_out): tide.Array
function tide.convolve2d(a, b, mode, options) end

---returns a copy
---```lua
---tide.arange(3):copy()  --> [0 1 2]
---```
---@param a tide.Array
---@return tide.Array
function tide.copy(a) end

---the magnitude of `x` with the sign of `y`; integers make `float64`
---```lua
---tide.array{ 1., 2. }:copysign(-1)  --> [-1. -2.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.copysign(x, y, options) end

---the correlation coefficients, from -1 to 1: covariances divided by both standard deviations
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:corrcoef()[2]                         --> [-1.  1.]
---```
---@param a tide.Array of at most two axes
---@param y? tide.Array additional variables
---@param options? tide.options.rowvar_dtype_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.rowvar_dtype_out): tide.Array
function tide.corrcoef(a, y, options) end

---the cross-correlation of two vectors, the sums of `a[i + p] * b[p]`, with `b` conjugated
---
---Raises if an argument is not a vector or has no elements.
---```lua
---tide.array{ 1, 2, 3 }:correlate(tide.array{ 0, 1 })  --> [2 3]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" as for `convolve`
---@param options? tide.options.Array_correlate
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.Array_correlate): tide.Array
function tide.correlate(a, b, mode, options) end

---the cross-correlation of two matrices, with `b` conjugated
---
---Raises if an argument is not a matrix or has no elements.
---```lua
---tide.eye(2):correlate2d(tide.array{ { 1, 2 }, { 3, 4 } }, "valid")[1]  --> [5.]
---```
---@param a tide.Array
---@param b tide.Array
---@param mode? "full"|"same"|"valid" the positions to compute
---@param options? tide.options.method_mode_out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.method_mode_out): tide.Array
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

---the number of elements that are not 0, as `int64`
---```lua
---tide.array{ 0, 1, 2 }:count_nonzero():item()  --> 2
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.count_nonzero(a, axis, options) end

---the covariance matrix of variables (rows) over observations (columns), in `float64` or `dtype`
---```lua
---a = tide.array{ { 0, 1, 2 }, { 2, 1, 0 } }
---a:cov()[1]                              --> [ 1. -1.]
---```
---@param a tide.Array of at most two axes
---@param y? tide.Array additional variables
---@param options? tide.options.Array_cov
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.Array_cov): tide.Array
function tide.cov(a, y, options) end

---the cross product of 3-vectors along one axis of both, the last one by default; the other axes are broadcast
---
---Raises if that axis does not have 3 elements; for bools.
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

---the cumulative maximum, of the dtype of `a`. From the first NaN on, the result is NaN
---```lua
---tide.array{ 1, 3, 2 }:cummax()  --> [1 3 3]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.cummax(a, axis, options) end

---the cumulative minimum, likewise
---```lua
---tide.array{ 2, 3, 1 }:cummin()  --> [2 2 1]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.cummin(a, axis, options) end

---the cumulative product, likewise. Products of parts are multiplied in the end: where such a product leaves the range of its dtype, results behind it are infinite, NaN or 0, even if the whole product is not
---```lua
---tide.array{ 1, 2, 3 }:cumprod()  --> [1 2 6]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_dtype_include_initial
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_dtype_include_initial): tide.Array
function tide.cumprod(a, axis, options) end

---the cumulative sum along an axis; without one, of the flattened array. dtypes are those of `sum`; floats are added in `float64`. The result is the same every time
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

---turns synchronous mode on or off for this Lua state; returns the previous setting. While it is on, each call waits until its operation is done, so the call whose work fails is the one that raises: see [errors](../errors.md#a-device-that-fails). Captures do not wait, and host functions do not wait for work behind them
---```lua
---tide.debug_sync()  --> false
---```
---@param on? boolean
---@return boolean
function tide.debug_sync(on) end

---converts radians to degrees
---```lua
---tide.array{ math.pi }:degrees()  --> [180.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.degrees(x, options) end

---returns a copy of `a` without the element at the index, or at each index of a list; without an axis `a` is flattened
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

---returns a table of `count`, `nans`, `mean`, `std`, `min`, `q25`, `median`, `q75`, `max` and `dtype`, which `tostring` and `print` show with a line for each: see [below](#figures)
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

---returns all working devices, CUDA's first, then the host's; prints as `{cuda:0, host:0}`
---
---Returns: list of Device.
---```lua
---tide.devices()[#tide.devices()]  --> host:0
---```
---@param kind? "cuda"|"host" the kind of device
---@return tide.Device[]
function tide.devices(kind) end

---of a vector, returns a matrix with the vector on diagonal `k` and 0 elsewhere; of a matrix, returns a view of diagonal `k`
---```lua
---tide.diag(tide.array{ 7, 8 })[2]  --> [0 8]
---```
---@param a tide.Array
---@param k? integer the diagonal; above the main one if positive, below it if negative
---@return tide.Array
function tide.diag(a, k) end

---returns diagonal `k` of the matrices in two axes, along the last axis of the result. In diagonal `k` the column is the row plus `k`
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:diagonal()  --> [1 4]
---```
---@param a tide.Array
---@param k? integer
---@param axes? integer[]
---@return tide.Array
---@overload fun(a: tide.Array, axes?: integer[]): tide.Array
function tide.diagonal(a, k, axes) end

---the difference of each element and the one before it, along the last axis by default; for bools, whether they differ
---```lua
---tide.array{ 1, 4, 9 }:diff()            --> [3 5]
---tide.array{ 1, 4, 9 }:diff{ prepend = 0 } --> [1 3 5]
---```
---@param a tide.Array
---@param n? integer how many times to apply it
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_prepend_append
---@return tide.Array
---@overload fun(a: tide.Array, axis?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(a: tide.Array, n?: integer, options?: tide.options.axis_out_prepend_append): tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_prepend_append): tide.Array
function tide.diff(a, n, axis, options) end

---returns the index of the bin of each element, from 1, as `int64`: the index of the last edge that is not above the element. 0 means below all edges
---```lua
---tide.array{ 0.5, 2, 9 }:digitize{ 1, 2, 3 }  --> [0 2 3]
---```
---@param a tide.Array
---@param edges number[]|tide.Array sorted
---@param options? tide.options.descending_out_right
---@return tide.Array
function tide.digitize(a, edges, options) end

tide.dist = {}

---joins this process as one rank of those that a launcher has started; reads the environment variables of torchrun, Slurm, Open MPI and MPICH. Without a launcher this process is the only rank. Makes its device current
---
---Waits until all ranks have joined.
---
---Raises if a rank does not join; the error names it.
---```lua
---comm = tide.dist.init{ device = "host" }
---comm.size                               --> 1
---```
---@param options? tide.options.dist_init
---@return tide.Communicator
function tide.dist.init(options) end

---returns the launcher of this process: `"torchrun"`, `"slurm"`, `"openmpi"`, `"mpich"`, or nil
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

---of two vectors, the inner product; of matrices, as `matmul`; with a 0-d array, as `mul`; else the sum of products over the last axis of `a` and the second-to-last of `b`
---```lua
---tide.array{ 1, 2, 3 }:dot(tide.array{ 4, 5, 6 }):item()  --> 32
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.dot(a, b, options) end

---evaluates Einstein's summation as NumPy does. The text has a letter for each axis of each array, commas between arrays, and the letters of the result after `->`. Axes with the same letter are paired; letters that are missing from the result are summed. Without `->` the result has the letters that occur once, in alphabetical order. A letter twice in one array selects its diagonal; `...` stands for broadcast axes. Three arrays or more are multiplied in the cheapest order (of up to 6; beyond that, chosen step by step), which is cached for the text and the shapes. The result is a new array of the promoted dtype
---
---Raises if the text does not match the arrays, or paired axes differ in length (length 1 is broadcast).
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---tide.einsum("ij,jk->ik", a, a)[1]       --> [ 7 10]
---tide.einsum("ii", a):item()             --> 5
---tide.einsum("...i,i->...", a, tide.array{ 1, 10 })  --> [21 43]
---```
---@param text string
---@param a tide.Array
---@param ... tide.Array|table one array for each operand; { out= }
---@return tide.Array
function tide.einsum(text, a, ...) end

---returns an uninitialized array, of the default dtype if none is given; a bool is false
---```lua
---tide.empty({ 2, 3 }, "int8").shape  --> {2, 3}
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.empty(shape, dtype) end

---returns an uninitialized array with the shape and dtype of `a`; a bool is false
---```lua
---tide.empty_like(tide.ones(3)).shape  --> {3}
---```
---@param a tide.Array
---@param dtype? tide.dtype
---@return tide.Array
function tide.empty_like(a, dtype) end

---x == y, likewise
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

---1 - erf(x), accurate for large `x`
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

---returns `{ call =, name =, code = }` of a driver's error message: see [errors](../errors.md). An error of a host function also has `stream =` and `queued =`, as in the message; its `call` is `"host function"` unless the function itself got a driver's error. Returns nil for any other value: other errors of tide, errors of Lua, values that are not strings
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

---adds axes of length 1, which are axes `axes` of the result
---```lua
---tide.ones(3):expand_dims(2).shape  --> {3, 1}
---```
---@param a tide.Array
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function tide.expand_dims(a, axes, ...) end

---exp(x) - 1, accurate near 0
---```lua
---tide.array{ 0., 1e-10 }:expm1()  --> [0.e+00 1.e-10]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.expm1(x, options) end

---returns a matrix with `n` rows and `m` columns (`n`) that has 1 on diagonal `k` (0) and 0 elsewhere. In diagonal `k` the column is the row plus `k`; it may lie outside the matrix
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

tide.fft = {}

---the transform along one axis, the last by default
---
---Raises if the axis has no elements.
---```lua
---tide.fft.fft(tide.array{ 1, 2, 3, 4 })  --> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]
---```
---@param a tide.Array
---@param n? integer the length of the transform
---@param options? tide.options.axis_n_norm_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_n_norm_out): tide.Array
function tide.fft.fft(a, n, options) end

---the transform along two axes
---
---Raises if an axis has no elements; if `s` and `axes` differ in length.
---```lua
---tide.fft.fft2(tide.ones({ 2, 2 }))[1][1]  --> 4+0j
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.fft2(a, s, options) end

---the frequency of each element of `fft`, in cycles per unit of `d`: those from 0 on, then the negative ones
---```lua
---tide.fft.fftfreq(4, 0.5)  --> [ 0. 0.5 -1. -0.5]
---```
---@param n integer the length of the transform, from 1 on
---@param d? number the distance of two samples
---@param dtype? tide.dtype the dtype, of floats
---@return tide.Array
---@overload fun(n: integer, dtype?: tide.dtype): tide.Array
function tide.fft.fftfreq(n, d, dtype) end

---the transform along several axes, all by default
---
---Raises if an axis has no elements; if `s` and `axes` differ in length.
---```lua
---tide.fft.fftn(tide.ones({ 2, 2, 2 }), { axes = { 1, -1 } }).shape  --> {2, 2, 2}
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.fftn(a, s, options) end

---moves frequency 0 to the middle of the axes
---```lua
---tide.fft.fftshift(tide.fft.fftfreq(4))  --> [-0.5 -0.25 0. 0.25]
---```
---@param a tide.Array
---@param axes? integer|integer[] all by default
---@param options? tide.options.axes_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_out): tide.Array
function tide.fft.fftshift(a, axes, options) end

---the transform of numbers of which `a` has the first half, and the others are the conjugates: its spectrum is real. `n` is its length, by default the even one
---
---Raises if the axis has no elements.
---```lua
---tide.fft.hfft(tide.array{ 1, 2, 1 })  --> [ 6. 0. -2. 0.]
---```
---@param a tide.Array
---@param n? integer the length of the transform
---@param options? tide.options.axis_n_norm_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_n_norm_out): tide.Array
function tide.fft.hfft(a, n, options) end

---the inverse transform along one axis
---
---Raises if the axis has no elements.
---```lua
---tide.fft.ifft(tide.array{ 4, 0, 0, 0 })  --> [1.+0.j 1.+0.j 1.+0.j 1.+0.j]
---```
---@param a tide.Array
---@param n? integer the length of the transform
---@param options? tide.options.axis_n_norm_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_n_norm_out): tide.Array
function tide.fft.ifft(a, n, options) end

---the inverse transform along two axes
---
---Raises if an axis has no elements; if `s` and `axes` differ in length.
---```lua
---tide.fft.ifft2(tide.fft.fft2(tide.eye(2))):real()[2]  --> [0. 1.]
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.ifft2(a, s, options) end

---the inverse transform along several axes
---
---Raises if an axis has no elements; if `s` and `axes` differ in length.
---```lua
---tide.fft.ifftn(tide.fft.fftn(tide.eye(2))):real()[1]  --> [1. 0.]
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.ifftn(a, s, options) end

---the inverse of `fftshift`: moves frequency 0 to the beginning
---```lua
---tide.fft.ifftshift(tide.array{ -1, 0, 1 })  --> [ 0 1 -1]
---```
---@param a tide.Array
---@param axes? integer|integer[] all by default
---@param options? tide.options.axes_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_out): tide.Array
function tide.fft.ifftshift(a, axes, options) end

---the inverse of `hfft`: the first half, of a real spectrum
---
---Raises if `a` is complex.
---```lua
---tide.fft.ihfft(tide.array{ 6, 0, -2, 0 }):real()  --> [1. 2. 1.]
---```
---@param a tide.Array
---@param n? integer the length of the transform
---@param options? tide.options.axis_n_norm_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_n_norm_out): tide.Array
function tide.fft.ihfft(a, n, options) end

---the inverse of `rfft`: real numbers, of which `a` has the first half of the transform. `n` is the length of the result, by default the even one. The imaginary parts of the first element and, if `n` is even, of the last one have no effect
---
---Raises if the axis has no elements.
---```lua
---tide.fft.irfft(tide.fft.rfft(tide.array{ 1, 2, 3, 4 }))  --> [1. 2. 3. 4.]
---```
---@param a tide.Array
---@param n? integer the length of the transform
---@param options? tide.options.axis_n_norm_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_n_norm_out): tide.Array
function tide.fft.irfft(a, n, options) end

---the inverse of `rfft2`; the last of `s` is the length of real lines
---
---Raises if an axis has no elements; if `s` and `axes` differ in length.
---```lua
---tide.fft.irfft2(tide.fft.rfft2(tide.eye(2)))[2]  --> [0. 1.]
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.irfft2(a, s, options) end

---the inverse of `rfftn`; the last of `s` is the length of real lines
---
---Raises if an axis has no elements; if `s` and `axes` differ in length.
---```lua
---tide.fft.irfftn(tide.fft.rfftn(tide.ones({ 4, 4 })))[1]  --> [1. 1. 1. 1.]
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.irfftn(a, s, options) end

---the first half of the transform of real numbers, `n // 2 + 1` elements: the others are their conjugates
---
---Raises if `a` is complex.
---```lua
---tide.fft.rfft(tide.array{ 1, 2, 3, 4 }):real()  --> [10. -2. -2.]
---```
---@param a tide.Array
---@param n? integer the length of the transform
---@param options? tide.options.axis_n_norm_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_n_norm_out): tide.Array
function tide.fft.rfft(a, n, options) end

---`rfft` along the last of two axes, `fft` along the other
---
---Raises if `a` is complex.
---```lua
---tide.fft.rfft2(tide.ones({ 4, 6 })).shape  --> {4, 4}
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.rfft2(a, s, options) end

---the frequency of each element of `rfft`
---```lua
---tide.fft.rfftfreq(4, 0.5)  --> [0. 0.5 1. ]
---```
---@param n integer the length of the transform, from 1 on
---@param d? number the distance of two samples
---@param dtype? tide.dtype the dtype, of floats
---@return tide.Array
---@overload fun(n: integer, dtype?: tide.dtype): tide.Array
function tide.fft.rfftfreq(n, d, dtype) end

---`rfft` along the last of the axes, `fft` along the others
---
---Raises if `a` is complex.
---```lua
---tide.fft.rfftn(tide.ones({ 4, 6 })).shape  --> {4, 4}
---```
---@param a tide.Array
---@param s? integer[] the length of each transform
---@param options? tide.options.axes_norm_out_s
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axes_norm_out_s): tide.Array
function tide.fft.rfftn(a, s, options) end

---sets all elements to `value`
---```lua
---tide.empty(3):fill(7)  --> [7. 7. 7.]
---```
---@param a tide.Array
---@param value tide.element
---@return tide.Array
function tide.fill(a, value) end

---returns a table of the limits of a float dtype, with NumPy's names: `bits eps epsneg max min tiny smallest_normal smallest_subnormal resolution precision nmant nexp iexp machep negep minexp maxexp`, and `dtype`. For complex dtypes it describes the parts
---
---Raises if the dtype has no floats.
---```lua
---tide.finfo "float16".max                --> 65504.0
---```
---@param dtype tide.dtype|tide.Array|tide.HostArray
---@return table
function tide.finfo(dtype) end

---returns a new 1-d array with all elements in order
---```lua
---tide.ones{ 2, 3 }:flatten().shape  --> {6}
---```
---@param a tide.Array
---@return tide.Array
function tide.flatten(a) end

---returns a view with the elements reversed along these axes; by default along all axes
---```lua
---tide.arange(3):flip()  --> [2 1 0]
---```
---@param a tide.Array
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function tide.flip(a, axes, ...) end

---rounds down
---```lua
---tide.array{ 1.5, -1.5 }:floor()  --> [ 1. -2.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.floor(x, options) end

---the quotient, rounded down; an integer divided by 0 gives 0
---```lua
---tide.array{ 7, -7 } // 2  --> [ 3 -4]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.floordiv(x, y, options) end

---the greater of the two; ignores NaN unless both are NaN
---```lua
---tide.array{ 0 / 0, 5 }:fmax(3)  --> [3. 5.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.fmax(x, y, options) end

---the lesser of the two; ignores NaN unless both are NaN
---```lua
---tide.array{ 0 / 0, 5 }:fmin(3)  --> [3. 3.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.fmin(x, y, options) end

---the remainder of truncated division, with the sign of `x`; an integer divided by 0 gives 0
---```lua
---tide.array{ 7, -7 }:fmod(4)  --> [ 3 -3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.fmod(x, y, options) end

---returns the mantissa, in the half-open interval from 0.5 to 1, and the exponent, an `int32`: `x` is `mantissa * 2^exponent`
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

---returns a HostArray over the elements of another C module's array, such as osch's carray, without a copy; that array must not change its length while the HostArray exists. A HostArray is returned as it is. Left out with `TIDE_POINTERS`
---
---Raises if its elements have no corresponding dtype.
---```lua
---h = tide.from_carray(tide.HostArray(3))
---h.size                                  --> 3
---```
---@param x userdata an array with `_capi_carray`, or a HostArray
---@return tide.HostArray
function tide.from_carray(x) end

---returns an array over the elements; a HostArray if CUDA has page-locked the memory. From then on tide owns the tensor, and calls its deleter when nothing uses it any more
---
---Raises if the capsule was consumed already, or its dtype or device is not supported.
---```lua
---tide.from_dlpack(tide.arange(3):to_dlpack())  --> [0 1 2]
---```
---@param x userdata|lightuserdata a capsule, or the struct's address as light userdata
---@param options? tide.options.stream_versioned
---@return tide.Array|tide.HostArray
function tide.from_dlpack(x, options) end

---returns an array with the elements that the bytes of a string encode, in the machine's byte order; 1-d by default
---```lua
---tide.frombytes("abc", "uint8")  --> [97 98 99]
---```
---@param str string
---@param dtype tide.dtype
---@param shape? tide.shape
---@return tide.Array
function tide.frombytes(str, dtype, shape) end

---returns an array filled with `value`; the dtype is that of `value` by default
---```lua
---tide.full(3, 2.5)  --> [2.5 2.5 2.5]
---```
---@param shape tide.shape
---@param value tide.element
---@param dtype? tide.dtype
---@return tide.Array
function tide.full(shape, value, dtype) end

---returns an array filled with `value`, with the shape and dtype of `a`
---```lua
---tide.full_like(tide.zeros(3), 7)  --> [7. 7. 7.]
---```
---@param a tide.Array
---@param value tide.element
---@param dtype? tide.dtype
---@return tide.Array
function tide.full_like(a, value, dtype) end

---returns `fn` as a function that runs as one kernel
---```lua
---f = tide.fuse(function (x, y) return x * y + 8 end, "axpb")
---f(tide.array{ 1., 2. }, 10)[2]          --> 28.0
---```
---@param fn function or an object that is called as one
---@param name? string the name in graphs and errors
---@return tide.Fused
function tide.fuse(fn, name) end

---the gamma function; `gamma(n + 1)` is `n!`
---```lua
---tide.array{ 0.5, 5. }:gamma()  --> [ 1.77245385 24.        ]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.gamma(x, options) end

---waits for all of them, which run concurrently. The first error cancels the others and is raised; [errors of their `<close>`](#errors) are added to it
---
---Waits unless all have finished.
---
---Returns: the first result of each.
---```lua
---list = tide.run(function ()
---  local x = tide.ones(3)
---  return tide.gather{ x * 2, function () return "a" end }
---end)
---list[1], list[2]                        --> true   a
---```
---@param list table functions, tasks, or objects with `await`
---@return table
function tide.gather(list) end

---returns `a` smoothed along each axis by a Gaussian, as SciPy's ndimage does. The result has the dtype of `a`; of integers and bools the default dtype of floats. Sums are in that dtype (of `float16` and `bfloat16` in `float32`), where SciPy's are in `float64`
---```lua
---a = tide.array{ 0., 0, 1, 0, 0 }
---tide.gaussian_filter(a, 0.5):round(2)   --> [0.   0.11 0.79 0.11 0.  ]
---```
---@param a tide.Array
---@param sigma number|number[] the standard deviation, along all axes or along each
---@param options? tide.options.gaussian_filter
---@return tide.Array
function tide.gaussian_filter(a, sigma, options) end

---the greatest common divisor of integers, without a sign
---```lua
---tide.array{ 12, -18 }:gcd(8)  --> [4 2]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.gcd(x, y, options) end

---x >= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:ge(2)  --> [false  true  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.ge(x, y, options) end

---returns `n` numbers (50) from `start` to `stop`, each the same multiple of the one before it. Integer dtypes round towards 0
---
---Raises if an end is 0, or their signs differ.
---```lua
---tide.geomspace(1, 1000, 4)  --> [   1.   10.  100. 1000.]
---```
---@param start number
---@param stop number of the same sign as `start`
---@param n? integer
---@param dtype? tide.dtype
---@param options? tide.options.endpoint
---@return tide.Array
---@overload fun(start: number, stop: number, dtype?: tide.dtype, options?: tide.options.endpoint): tide.Array
---@overload fun(start: number, stop: number, n?: integer, options?: tide.options.endpoint): tide.Array
---@overload fun(start: number, stop: number, options?: tide.options.endpoint): tide.Array
function tide.geomspace(start, stop, n, dtype, options) end

---returns the current stream of this coroutine on that device, by default on the current one
---```lua
---tide.get_current_stream()  --> tide.Stream null (device -1)
---```
---@param device? tide.spec
---@return tide.Stream
function tide.get_current_stream(device) end

---returns the default dtype of floats: `"float64"` unless it was set
---```lua
---tide.get_default_dtype()  --> float64
---```
---@return tide.dtype
function tide.get_default_dtype() end

---returns the current device of this coroutine
---```lua
---tide.get_device()  --> host:0
---```
---@return tide.Device
function tide.get_device() end

---returns the time from one recorded event to another
---
---Raises if an event has timing disabled, was never recorded, or has not finished.
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

---the slope at each element along each axis, as several results: from both neighbours, at the ends from one. Floats and complex numbers keep their dtype, others make `float64`
---
---Raises for an array without axes, and for an axis of fewer than `edge_order + 1` elements.
---
---Returns: one for each axis.
---```lua
---tide.array{ 1, 4, 9, 16 }:gradient()    --> [3. 4. 6. 7.]
---tide.array{ 1, 4, 9 }:gradient(tide.array{ 0, 1, 3 }) --> [3.         2.83333333 2.5       ]
---```
---@param a tide.Array
---@param spacing? number|tide.Array|table the distance of neighbours, or their coordinates, with one axis; a list has one of these for each axis
---@param options? tide.options.axis_edge_order
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_edge_order): tide.Array
function tide.gradient(a, spacing, options) end

---computes functions of the values of each group, where a group is the elements with equal keys. Returns the unique keys, sorted, and a table with an array for each function. Keys are a 1-d array, or a list of such arrays: then the keys of a group are equal in all of them, and the keys are returned as a list. All NaNs are one key
---
---Waits for the number of groups.
---```lua
---keys, out = tide.group(tide.array{ 3, 1, 3 }, tide.array{ 4, 5, 8 }, { "mean", "max" })
---keys                                    --> [1 3]
---out.mean                                --> [5. 6.]
---out.max                                 --> [5 8]
---```
---@param keys tide.Array|table the keys, or a list of arrays of keys
---@param values? tide.Array with as many elements as there are keys, along the first axis
---@param functions? string[] `all any count first last max mean median min std sum var`. `first` and `last` are by index; `count` includes NaNs, and the others propagate them. They must be given with `values`; without both the function is `count`
---@param options? tide.options.ddof
---@return tide.Array|table
---@return table
function tide.group(keys, values, functions, options) end

---x > y, likewise
---```lua
---tide.array{ 1, 2, 3 }:gt(2)  --> [false false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.gt(x, y, options) end

---0 where `x` is negative, 1 where it is positive, `y` where it is 0
---```lua
---tide.array{ -1., 0., 2. }:heaviside(0.5)  --> [0.  0.5 1. ]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.heaviside(x, y, options) end

---returns the text of these pages about a function, a method, a field, an operator, a type or a page, by any of its names (`"zeros"`, `"tide.zeros"`, `"Array.sum"`, `"a:sum"`, `"+"`, `"events"`); or about a function of tide, or the type of an object. For an unknown name it suggests similar ones. At a prompt: `> tide.help "sum"`
---```lua
---tide.help "tide.clock":match "[^\n]+"    --> tide.clock() -> number
---```
---@param what? any
---@return string
function tide.help(what) end

---counts the elements in each bin, as `int64`, or sums their weights, in the dtype of the weights; returns the counts and the bin edges. Bins are half-open; the last one includes its right edge
---```lua
---counts, edges = tide.array{ 1, 2, 2, 5 }:histogram(2)
---counts                                  --> [3 1]
---edges                                   --> [1. 3. 5.]
---```
---@param a tide.Array
---@param bins? integer|number[]|tide.Array the number of bins of equal width, or sorted bin edges
---@param options? tide.options.density_range_weights
---@return tide.Array
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.density_range_weights): tide.Array, tide.Array
function tide.histogram(a, bins, options) end

---counts the points with coordinates (`a`, `b`) in each cell of a grid, with a row for each bin of `a`; returns the counts and the bin edges of both
---```lua
---counts = tide.array{ 1, 1, 2 }:histogram2d(tide.array{ 5, 6, 6 }, 2)
---counts[1]                               --> [1 1]
---```
---@param a tide.Array
---@param b tide.Array
---@param bins? integer|table|tide.Array as in `histogram`, or a list of two
---@param options? tide.options.Array_histogram2d
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.Array_histogram2d): tide.Array, tide.Array, tide.Array
function tide.histogram2d(a, b, bins, options) end

---returns how many workers may share one launch of the host device; `n`, from 1 to 64, sets it for the whole process: launches that begin from now on use no more. Streams still run beside each other. An OpenBLAS that the host device uses gets no more threads either. See [How fast](../how-fast.md#threads-of-the-host-device)
---
---Returns: the number until now.
---```lua
---before = tide.host_threads(1)
---tide.host_threads(before)               --> 1
---```
---@param n? integer
---@return integer
function tide.host_threads(n) end

---joins arrays along the second axis, or along the only one; 0-d arrays count as 1-d arrays of one element
---```lua
---tide.hstack{ tide.arange(2), tide.array(7) }  --> [0 1 7]
---```
---@param list tide.Array[]
---@param options? tide.options.out
---@return tide.Array
function tide.hstack(list, options) end

---sqrt(x^2 + y^2); integers make `float64`
---```lua
---tide.array{ 3, 5 }:hypot(tide.array{ 4, 12 })  --> [ 5. 13.]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.hypot(x, y, options) end

---returns a table of the limits of an integer dtype: `bits min max`, and `dtype`. The `max` of `uint64` is -1, the Lua integer with the same 64 bits
---
---Raises if the dtype has no integers.
---```lua
---tide.iinfo "int8".min                   --> -128
---```
---@param dtype tide.dtype|tide.Array|tide.HostArray
---@return table
function tide.iinfo(dtype) end

---the imaginary part, a float; 0 for real numbers
---```lua
---tide.array{ tide.complex(1, 2) }:imag()  --> [2.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.imag(x, options) end

---returns the indices of all elements of that shape, from 1: slice `i` of the first axis has the indices along axis `i`
---```lua
---tide.indices{ 2, 3 }[2][1]  --> [1 2 3]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.indices(shape, dtype) end

---returns a token for the current device and stream: the first half of `tide.wrap`, for schedulers that create coroutines themselves
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

---the sum of products over the last axis of both; a 0-d array multiplies all elements
---
---Raises if these axes differ in length.
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:inner(tide.array{ 1, 1 })  --> [3 7]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.inner(a, b, options) end

---returns a copy of `a` with the values, cast to its dtype, inserted before the index. With a list of indices, one value goes before each. Index `#a + 1` means behind the last element. Without an axis `a` is flattened
---
---Waits if a 0-d array stands for a number in a table.
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

---linear interpolation at each element, through the points (`xs`, `ys`), as `float64`; outside of the points, the value of the nearest point
---```lua
---tide.array{ 1.5, 9 }:interp({ 1, 2 }, { 10, 30 })  --> [20. 30.]
---```
---@param a tide.Array
---@param xs number[]|tide.Array the x coordinates, sorted
---@param ys number[]|tide.Array the y coordinates, one for each of `xs`
---@param options? tide.options.left_out_period_right
---@return tide.Array
function tide.interp(a, xs, ys, options) end

---returns the unique elements that are in both `a` and `b`, sorted, in their common dtype, and on request: the index of the first occurrence of each, from 1, in the flattened `a` and in the flattened `b`. NaN equals nothing
---
---Waits if `size` is missing: for the number of elements.
---
---Returns: the values, then the indices.
---```lua
---tide.array{ 3, 1, 3, 2 }:intersect1d{ 2, 3 }  --> [2 3]
---```
---@param a tide.operand|table
---@param b tide.operand|table
---@param options? tide.options.assume_unique_return_indices_size_fill
---@return tide.Array
function tide.intersect1d(a, b, options) end

tide.ipc = {}

---as `tide.array`, in such memory; always copies
---```lua
---tide.ipc.array{ 1, 2, 3 }               --> [1 2 3]
---```
---@param x tide.Array|tide.HostArray|tide.nested|tide.element
---@param dtype? tide.dtype
---@return tide.Array
function tide.ipc.array(x, dtype) end

---connects to the process that listens at that path
---
---Waits if no process listens there yet, for `seconds` at most.
---
---Raises if no process listens then.
---```lua
---(pcall(tide.ipc.connect, "/nowhere"))   --> false
---```
---@param path string of a socket in the file system
---@param seconds? number
---@return tide.Connection
function tide.ipc.connect(path, seconds) end

---as `tide.empty`, in memory that other processes can map
---```lua
---tide.ipc.empty{ 2, 3 }.shape            --> {2, 3}
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.ipc.empty(shape, dtype) end

---creates a socket with that name, which only programs of the same user can reach; replaces a stale one that a process left behind
---
---Raises if another file has this name, or another process listens there.
---```lua
---path = os.tmpname() .. ".sock"
---do local l <close> = tide.ipc.listen(path) end
---io.open(path) == nil                    --> true
---```
---@param path string of a socket in the file system
---@return tide.Listener
function tide.ipc.listen(path) end

---as `tide.zeros`, in such memory
---```lua
---tide.ipc.zeros(3, "int32")              --> [0 0 0]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.ipc.zeros(shape, dtype) end

---tells for each element whether `a` and `b` are equal, or `|a - b| <= atol + rtol * |b|` with finite `b`, as `bool`. Does not wait
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

---tells whether the dtype is of that kind, or of one of a list of kinds. Kinds are the array API standard's: `"bool"`, `"signed integer"`, `"unsigned integer"`, `"integral"`, `"real floating"`, `"complex floating"`, `"numeric"` (all but bool), and each dtype
---```lua
---tide.isdtype("float32", "real floating")          --> true
---tide.isdtype("int8", { "bool", "integral" })      --> true
---```
---@param dtype tide.dtype|tide.Array|tide.HostArray
---@param kind string|string[]
---@return boolean
function tide.isdtype(dtype, kind) end

---true where `x` is neither infinite nor NaN; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isfinite()  --> [ true false]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.isfinite(x, options) end

---tells for each element of `a` whether it is equal to one of `values`, as `bool`; a number is compared as by `eq`. NaN equals nothing
---```lua
---tide.array{ 1, 2, 3 }:isin{ 3, 1 }      --> [ true false true]
---tide.array{ 1, 2, 3 }:isin({ 3, 1 }, { invert = true })  --> [false  true false]
---```
---@param a tide.Array
---@param values tide.operand|table of any shape
---@param options? tide.options.invert_out
---@return tide.Array
function tide.isin(a, values, options) end

---true where `x` is infinite; `bool`
---```lua
---tide.array{ 1, 1 / 0 }:isinf()  --> [false  true]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.isinf(x, options) end

---true where `x` is NaN; `bool`
---```lua
---tide.array{ 1, 0 / 0 }:isnan()  --> [false  true]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.isnan(x, options) end

---the Kronecker product: blocks of `b` times each element of `a`
---```lua
---tide.eye(2, "int8"):kron(tide.array({ 1, 2 }, "int8"))[2]  --> [0 0 1 2]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.kron(a, b, options) end

---the least common multiple of integers, without a sign
---```lua
---tide.array{ 12, -18 }:lcm(8)  --> [24 72]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lcm(x, y, options) end

---x * 2^n, rounded once; `n` is of integers, and the result has the dtype of `x`
---```lua
---tide.array{ 1., 0.75 }:ldexp(tide.array{ 3, 2 })  --> [8. 3.]
---```
---@param x tide.operand
---@param n tide.Array|integer
---@param options? tide.options.out
---@return tide.Array
function tide.ldexp(x, n, options) end

---x <= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:le(2)  --> [ true  true false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.le(x, y, options) end

---returns the indices that sort by several keys, as `int64`. The keys are arrays of one shape; the last one is the primary key, and each earlier one decides among equal elements. Sorts along the last axis by default
---```lua
---tide.lexsort{ tide.array{ 2, 1, 3 }, tide.array{ 5, 5, 4 } }  --> [3 2 1]
---```
---@param list tide.Array[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(list: tide.Array[], options?: tide.options.axis_out): tide.Array
function tide.lexsort(list, axis, options) end

---sends signals along an axis, the last by default, through a recursive filter, as SciPy's signal.lfilter does: the sums of `b[k] * x[i - k + 1]` minus those of `a[k] * y[i - k + 1]` for earlier `y`. With `zi` it returns the last states as well, of float64 or complex128, for the next part of a signal. It computes in float64 or complex128, one element of a signal after the other, in the transposed direct form II. A single long recursive signal is slow on a GPU, where each signal has one thread. Coefficients in an array have one axis, and the call waits for them. The result has the dtype of `x`; of integers and bools the default dtype of floats
---
---Waits if coefficients are in arrays.
---
---Raises if the first coefficient of `a` is 0; if a coefficient is not a finite real number; while the stream captures, if coefficients are in an Array.
---```lua
---tide.lfilter({ 1 }, { 1, -0.5 }, tide.array{ 1, 0, 0 })  --> [1.   0.5  0.25]
---```
---@param b number[]|tide.Array|tide.HostArray the coefficients of the numerator, real numbers
---@param a number[]|tide.Array|tide.HostArray those of the denominator; all are divided by its first
---@param x tide.Array the signals
---@param options? tide.options.axis_zi
---@return tide.Array
---@return tide.Array
function tide.lfilter(b, a, x, options) end

---the logarithm of the absolute value of the gamma function. Near its zeros below -2 the absolute error is small, not the relative one
---```lua
---tide.array{ 1., 100. }:lgamma()  --> [  0.         359.13420537]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lgamma(x, options) end

tide.linalg = {}

---returns lower triangular `L` with `a = L L^H`, for positive definite matrices; reads their lower triangles (LAPACK: potrf)
---
---Raises at the next wait if a matrix is not positive definite.
---```lua
---tide.linalg.cholesky(tide.array{ { 4., 2. }, { 2., 5. } })[2]  --> [1. 2.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out_upper
---@return tide.Array
function tide.linalg.cholesky(a, options) end

---returns the condition numbers: for 2 the greatest singular value divided by the least, for -2 the least by the greatest; otherwise the norms of `a` times those of the inverses, and `math.huge` for singular matrices
---
---Raises for matrices without elements.
---```lua
---tide.linalg.cond(tide.array{ { 4., 0. }, { 0., 2. } }):item()  --> 2.0
---```
---@param a tide.Array matrices in the last two axes
---@param ord? number|"fro"|"nuc" an order of `matrix_norm`
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.out): tide.Array
function tide.linalg.cond(a, ord, options) end

---the cross product: see [`cross`](array.md)
---```lua
---tide.linalg.cross(tide.array{ 1, 0, 0 }, tide.array{ 0, 1, 0 })  --> [0 0 1]
---```
---@param a tide.Array
---@param b tide.Array
---@param axis? integer
---@param options? tide.options.linalg_cross
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.linalg_cross): tide.Array
function tide.linalg.cross(a, b, axis, options) end

---returns the determinants of square matrices (LAPACK: getrf)
---```lua
---tide.linalg.det(tide.array{ { 1., 2. }, { 3., 4. } }):item()  --> -2.0
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.det(a, options) end

---returns diagonal `k` of the matrices in the last two axes, a view
---```lua
---tide.linalg.diagonal(tide.array{ { 1, 2 }, { 3, 4 } })  --> [1 4]
---```
---@param a tide.Array matrices in the last two axes
---@param k? integer
---@return tide.Array
function tide.linalg.diagonal(a, k) end

---returns the eigenvalues of square matrices, in no certain order, and their eigenvectors as columns; both are complex, also for real matrices (LAPACK: geev; on a GPU cuSOLVER of CUDA 12.8 or later)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---values = tide.linalg.eig(tide.array{ { 0., 1. }, { -1., 0. } })
---values:imag():sort()                    --> [-1.  1.]
---```
---@param a tide.Array matrices in the last two axes
---@return tide.Array
---@return tide.Array
function tide.linalg.eig(a) end

---returns the eigenvalues of Hermitian (real: symmetric) matrices, least first, and their eigenvectors as columns (LAPACK: syevd). Only a triangle is read
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---(tide.linalg.eigh(tide.array{ { 2., 0. }, { 0., 1. } }))  --> [1. 2.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.uplo
---@return tide.Array
---@return tide.Array
function tide.linalg.eigh(a, options) end

---returns the eigenvalues of square matrices, as complex numbers, in no certain order (LAPACK: geev)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---values = tide.linalg.eigvals(tide.array{ { 0., 1. }, { -1., 0. } })
---values:imag():sort()                    --> [-1.  1.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.eigvals(a, options) end

---returns the eigenvalues of Hermitian matrices, least first (LAPACK: syevd)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---tide.linalg.eigvalsh(tide.array{ { 2., 0. }, { 0., 1. } })  --> [1. 2.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out_uplo
---@return tide.Array
function tide.linalg.eigvalsh(a, options) end

---returns the exponentials of square matrices, by an approximation of degree 13 and squarings
---
---Waits for the greatest norm, which tells how often to square.
---
---Raises in a capture.
---```lua
---tide.linalg.expm(tide.array{ { 0., 1. }, { 0., 0. } })[1]  --> [1. 1.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.expm(a, options) end

---returns the inverses of square matrices; `solve` is faster and more exact
---
---Raises at the next wait if a matrix is singular.
---```lua
---tide.linalg.inv(tide.array{ { 2., 0. }, { 0., 4. } })[2]  --> [0.   0.25]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.inv(a, options) end

---returns the `x` of least norm that makes `b - a x` least, the sums of squares of `b - a x`, the ranks and the singular values of `a`. Unlike NumPy's, the sums are there whatever the rank (LAPACK: gesdd, of `R` from geqrf if there are many more rows than columns)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---(tide.linalg.lstsq(tide.array{ { 1. }, { 1. } }, tide.array{ 1., 3. }))  --> [2.]
---```
---@param a tide.Array matrices in the last two axes
---@param b tide.Array matrices with as many rows as `a`, or a vector
---@param options? tide.options.rtol
---@return tide.Array
---@return tide.Array
---@return tide.Array
---@return tide.Array
function tide.linalg.lstsq(a, b, options) end

---returns `P`, `L` and `U` with `a = P L U`: permutation matrices, lower triangular ones with 1 on the diagonal, and upper triangular ones (LAPACK: getrf)
---```lua
---select(3, tide.linalg.lu(tide.array{ { 1., 2. }, { 2., 2. } }))[2]  --> [0. 1.]
---```
---@param a tide.Array matrices in the last two axes
---@return tide.Array
---@return tide.Array
---@return tide.Array
function tide.linalg.lu(a) end

---the product of matrices: see [`matmul`](array.md)
---```lua
---tide.linalg.matmul(tide.ones{ 2, 2 }, tide.array{ 1, 1 })  --> [2. 2.]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.accumulate_out_tf32
---@return tide.Array
function tide.linalg.matmul(a, b, options) end

---returns the norms of the matrices in the last two axes
---```lua
---tide.linalg.matrix_norm(tide.array{ { 3., 0. }, { 0., 4. } }):item()  --> 5.0
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.keepdims_ord_out
---@return tide.Array
function tide.linalg.matrix_norm(a, options) end

---returns the product of `n` factors `a`; for negative `n` of inverses, for 0 the identity. For `n` from 0 on integers and bools keep their dtype, and integers wrap around
---
---Raises at the next wait for a negative `n` if a matrix is singular.
---```lua
---tide.linalg.matrix_power(tide.array{ { 1., 1. }, { 0., 1. } }, 5)[1]  --> [1. 5.]
---```
---@param a tide.Array matrices in the last two axes
---@param n integer
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.matrix_power(a, n, options) end

---returns the numbers of singular values that do not count as 0, as `int64`
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---tide.linalg.matrix_rank(tide.ones{ 3, 3 }):item()  --> 1
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.hermitian_out_rtol
---@return tide.Array
function tide.linalg.matrix_rank(a, options) end

---`a.mT`: see [`matrix_transpose`](array.md)
---```lua
---tide.linalg.matrix_transpose(tide.ones{ 4, 2, 3 }).shape  --> {4, 3, 2}
---```
---@param a tide.Array
---@return tide.Array
function tide.linalg.matrix_transpose(a) end

---norms: see [`norm`](array.md)
---```lua
---tide.linalg.norm(tide.array{ 3, 4 }):item()  --> 5.0
---```
---@param a tide.Array
---@param ord? number|"fro"|"nuc"
---@param axes? tide.axes
---@param options? tide.options.linalg_norm
---@return tide.Array
---@overload fun(a: tide.Array, axes?: tide.axes, options?: tide.options.linalg_norm): tide.Array
---@overload fun(a: tide.Array, ord?: number|"fro"|"nuc", options?: tide.options.linalg_norm): tide.Array
---@overload fun(a: tide.Array, options?: tide.options.linalg_norm): tide.Array
function tide.linalg.norm(a, ord, axes, options) end

---the outer product: see [`outer`](array.md)
---```lua
---tide.linalg.outer(tide.array{ 1, 2 }, tide.array{ 3, 4 })[2]  --> [6 8]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.outer(a, b, options) end

---returns the Moore-Penrose inverses (LAPACK: gesdd, or syevd)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---tide.linalg.pinv(tide.array{ { 2. }, { 0. } })[1]  --> [0.5 0. ]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.hermitian_out_rtol
---@return tide.Array
function tide.linalg.pinv(a, options) end

---returns `Q` with orthonormal columns, and upper triangular `R`, with `a = Q R` (LAPACK: geqrf, orgqr)
---```lua
---q, r = tide.linalg.qr(tide.array{ { 3., 1. }, { 4., 2. } })
---r[1]                                    --> [-5.  -2.2]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.mode
---@return tide.Array
---@return tide.Array
function tide.linalg.qr(a, options) end

---returns the signs of the determinants (of complex ones `d / abs(d)`) and the logarithms of their absolute values, which do not overflow; 0 and `-math.huge` for singular matrices
---```lua
---(tide.linalg.slogdet(tide.array{ { 0., 1. }, { 1., 0. } }))  --> -1.
---```
---@param a tide.Array matrices in the last two axes
---@return tide.Array
---@return tide.Array
function tide.linalg.slogdet(a) end

---returns `x` with `a x = b`, for square matrices; the batches of both are broadcast. With a vector `b` the results are vectors (LAPACK: getrf, getrs)
---
---Raises at the next wait if a matrix is singular.
---```lua
---a = tide.array{ { 2., 0. }, { 0., 4. } }
---tide.linalg.solve(a, tide.array{ 2., 2. })  --> [1.  0.5]
---```
---@param a tide.Array matrices in the last two axes
---@param b tide.Array matrices with as many rows as `a`, or a vector
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.solve(a, b, options) end

---returns `x` with `a x = b`, for triangular matrices (LAPACK: getrs)
---
---Raises at the next wait if an element of a diagonal is 0.
---```lua
---a = tide.array{ { 2., 9. }, { 0., 4. } }
---tide.linalg.solve_triangular(a, tide.array{ 11., 4. })  --> [1. 1.]
---```
---@param a tide.Array matrices in the last two axes
---@param b tide.Array matrices with as many rows as `a`, or a vector
---@param options? tide.options.lower_out_trans_unit_diagonal
---@return tide.Array
function tide.linalg.solve_triangular(a, b, options) end

---returns `U`, the singular values `S`, greatest first, and `Vh` with `a = U diag(S) Vh`. The signs of the vectors are arbitrary (LAPACK: gesdd)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---(select(2, tide.linalg.svd(tide.array{ { 0., 2. }, { 3., 0. } })))  --> [3. 2.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.full_matrices
---@return tide.Array
---@return tide.Array
---@return tide.Array
function tide.linalg.svd(a, options) end

---returns the singular values, greatest first (LAPACK: gesdd)
---
---Raises at the next wait if a matrix has elements that are not finite.
---```lua
---tide.linalg.svdvals(tide.array{ { 0., 2. }, { 3., 0. } })  --> [3. 2.]
---```
---@param a tide.Array matrices in the last two axes
---@param options? tide.options.out
---@return tide.Array
function tide.linalg.svdvals(a, options) end

---sums over axes: see [`tensordot`](array.md)
---```lua
---tide.linalg.tensordot(tide.ones{ 2, 3 }, tide.ones{ 3, 2 }, 1)[1]  --> [3. 3.]
---```
---@param a tide.Array
---@param b tide.Array
---@param n? integer|table
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.out): tide.Array
function tide.linalg.tensordot(a, b, n, options) end

---returns the sums of these diagonals
---```lua
---tide.linalg.trace(tide.array{ { 1, 2 }, { 3, 4 } }):item()  --> 5
---```
---@param a tide.Array matrices in the last two axes
---@param k? integer
---@param options? tide.options.dtype_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.dtype_out): tide.Array
function tide.linalg.trace(a, k, options) end

---the scalar product: see [`vecdot`](array.md)
---```lua
---tide.linalg.vecdot(tide.array{ 1, 2 }, tide.array{ 3, 4 }):item()  --> 11
---```
---@param a tide.Array
---@param b tide.Array
---@param axis? integer
---@param options? tide.options.linalg_cross
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.linalg_cross): tide.Array
function tide.linalg.vecdot(a, b, axis, options) end

---returns the norms of the vectors along an axis, or along several axes as one vector; by default that of all elements
---```lua
---tide.linalg.vector_norm(tide.array{ { 3., 0. }, { 0., 4. } }):item()  --> 5.0
---```
---@param a tide.Array
---@param options? tide.options.axis_keepdims_ord_out
---@return tide.Array
function tide.linalg.vector_norm(a, options) end

---returns `n` numbers (50) spaced evenly from `start` to `stop`. `stop` is included unless `endpoint=false`. Integer dtypes round down. Complex ends give points on the line between them, as `complex128`
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

---reads an array to the current device and closes the file; the copy is queued on the current stream. Reads all arrays of an archive (`.npz`), to a table by name, or only the named one
---```lua
---path = os.tmpname()
---tide.save(path, tide.arange(3))
---tide.load(path)                         --> [0 1 2]
---os.remove(path)
---```
---@param path string
---@param name? string of one array of an archive
---@return tide.Array|table
function tide.load(path, name) end

---reads an image to the current device. The shape is `{height, width}` for grey, `{height, width, 3}` for colour, `{height, width, 4}` with transparency; the dtype is `uint8`, or `uint16` for more than 8 bits. The copy is queued on the current stream
---```lua
---path = os.tmpname()
---tide.save_image(path, tide.array({ { 0, 255 } }, "uint8"), { format = "pgm" })
---tide.load_image(path)[1]                --> [ 0 255]
---os.remove(path)
---```
---@param path string
---@return tide.Array
function tide.load_image(path) end

---reads a table of numbers to the current device: a 2-d array of its rows. With `names` it returns a table of 1-d arrays, one for each column by its name, and the list of names
---
---Raises if a field cannot be read, and for rows of different length; the error names line and column.
---```lua
---path = os.tmpname()
---tide.savetxt(path, tide.arange(6):reshape{ 2, 3 })
---tide.loadtxt(path, { usecols = { 1, -1 } })[2]  --> [3. 5.]
---os.remove(path)
---```
---@param path string
---@param options? tide.options.loadtxt
---@return any
---@return string[]
function tide.loadtxt(path, options) end

---the natural logarithm
---```lua
---tide.array{ 1, 10 }:log()  --> [0.         2.30258509]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log(x, options) end

---the base-10 logarithm
---```lua
---tide.array{ 1, 100 }:log10()  --> [0. 2.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log10(x, options) end

---log(1 + x), accurate near 0
---```lua
---tide.array{ 0., 1. }:log1p()  --> [0.         0.69314718]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log1p(x, options) end

---the base-2 logarithm
---```lua
---tide.array{ 1, 8 }:log2()  --> [0. 3.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.log2(x, options) end

---log(exp(x) + exp(y)), without overflow; integers make `float64`
---```lua
---tide.array{ 0., 1000. }:logaddexp(1000)  --> [1000.         1000.69314718]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logaddexp(x, y, options) end

---log2(2^x + 2^y), without overflow; integers make `float64`
---```lua
---tide.array{ 0., 1. }:logaddexp2(1)  --> [1.5849625 2.       ]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logaddexp2(x, y, options) end

---logical and, where 0 is false; the result is `bool`; in place for bool arrays only
---```lua
---tide.array{ 0, 2 }:logical_and(1)  --> [false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_and(x, y, options) end

---true where `x` is 0; `bool`
---```lua
---tide.array{ 0, 5 }:logical_not()  --> [ true false]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_not(x, options) end

---logical or, likewise
---```lua
---tide.array{ 0, 2 }:logical_or(0)  --> [false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_or(x, y, options) end

---logical exclusive or, likewise
---```lua
---tide.array{ 0, 2 }:logical_xor(1)  --> [ true false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.logical_xor(x, y, options) end

---the logarithm of `softmax`, finite also where `softmax` is 0
---
---Raises for complex numbers; for a 0-d array.
---```lua
---tide.array{ 0., 1000. }:logsoftmax()  --> [-1000.     0.]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.logsoftmax(a, axis, options) end

---returns the powers of `base` whose exponents are `linspace(start, stop, n)`. Integer dtypes round towards 0
---```lua
---tide.logspace(0, 3, 4)                  --> [   1.   10.  100. 1000.]
---tide.logspace(0, 3, 4, { base = 2 })    --> [1. 2. 4. 8.]
---```
---@param start number
---@param stop number
---@param n? integer
---@param dtype? tide.dtype
---@param options? tide.options.base_endpoint
---@return tide.Array
---@overload fun(start: number, stop: number, dtype?: tide.dtype, options?: tide.options.base_endpoint): tide.Array
---@overload fun(start: number, stop: number, n?: integer, options?: tide.options.base_endpoint): tide.Array
---@overload fun(start: number, stop: number, options?: tide.options.base_endpoint): tide.Array
function tide.logspace(start, stop, n, dtype, options) end

---the logarithm of the sum of `exp(a)`, without overflow; -inf without elements. Integers make `float64`
---
---Raises for complex numbers.
---```lua
---tide.array{ 1000, 1000 }:logsumexp():item()  --> 1000.6931471806
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.logsumexp(a, axis, options) end

---shifts integers to the left
---```lua
---tide.array{ 5, 6 } << 1  --> [10 12]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lshift(x, y, options) end

---x < y, as `bool`; in place for bool arrays only
---```lua
---tide.array{ 1, 2, 3 }:lt(2)  --> [ true false false]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.lt(x, y, options) end

---returns the elements where the bool array `m`, of the same shape, is true, in order. If `m` has fewer axes, it selects slices along the remaining axes
---
---Waits for the number of elements, unless `size` gives it.
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

---the product of the matrices in the last two axes; the other axes are batch axes and are broadcast. A vector is a row on the left and a column on the right, and its axis is not in the result
---```lua
---tide.array{ { 1, 2 }, { 3, 4 } }:matmul(tide.array{ 1, 1 })  --> [3 7]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.accumulate_out_tf32
---@return tide.Array
function tide.matmul(a, b, options) end

---returns a view with the last two axes exchanged, as `a.mT`
---
---Raises if the array has less than two axes.
---```lua
---tide.ones{ 4, 2, 3 }:matrix_transpose().shape  --> {4, 3, 2}
---```
---@param a tide.Array
---@return tide.Array
function tide.matrix_transpose(a) end

---the maximum; propagates NaN
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

---the greater of the two; propagates NaN
---```lua
---tide.array{ 1, 5 }:maximum(3)  --> [3 5]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.maximum(x, y, options) end

---the mean, in the dtype of floats and complex numbers, else in `float64`; NaN without elements
---```lua
---tide.array{ 1, 2 }:mean():item()  --> 1.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.mean(a, axis, options) end

---the median: the middle element, or the mean of the two middle elements, in the dtype of floats, else in `float64`. NaN if any element is NaN, or without elements
---```lua
---tide.array{ 3, 1, 2, 9 }:median():item()  --> 2.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.median(a, axis, options) end

---returns the median of the window around each element, as SciPy's ndimage does: the upper one if the window has an even number of elements. Memory and time grow with the elements of the window times those of `a`: 99 x 99 on 200 x 200 takes 2 GB and half a minute on the host device
---
---Raises if `a` is complex, or for windows of more than 16384 elements.
---```lua
---tide.median_filter(tide.array{ 1, 2, 90, 4, 5 }, 3)  --> [1 2 4 5 5]
---```
---@param a tide.Array
---@param size integer|integer[] the length of the window, along all axes or a list for each
---@param options? tide.options.cval_mode
---@return tide.Array
function tide.median_filter(a, size, options) end

---returns the limit until now; 0 means no limit. `bytes` sets a new limit, where 0 removes it (that of the [host program](../embedding.md) stays); nil leaves it unchanged. `"50%"` is that share of the device's memory, or with `"pinned"` of the machine's. Idle memory beyond the limit is released at once. Memory in use stays, and allocations fail until the limit is met
---```lua
---before = tide.memory_limit(64 << 20)
---tide.memory_limit(before)               --> 67108864
---```
---@param bytes? integer|string bytes, or a share, like `"50%"`
---@param kind? tide.kind
---@return integer
function tide.memory_limit(bytes, kind) end

---returns a table of the figures below, which prints readably
---```lua
---a = tide.ones(1000)
---tide.memory_stats().live >= 8000        --> true
---```
---@param kind? tide.kind
---@return table
function tide.memory_stats(kind) end

---returns coordinate arrays of a grid as several results: one for each 1-d array of the list, whose elements run along one axis. By default the first runs along the second axis and the second along the first
---
---Returns: as many as in the list.
---```lua
---x, y = tide.meshgrid{ tide.arange(3), tide.arange(2) }
---x[2]                                    --> [0 1 2]
---y[2]                                    --> [1 1 1]
---```
---@param list tide.Array[]
---@param options? tide.options.indexing_sparse_copy
---@return tide.Array
function tide.meshgrid(list, options) end

---the minimum; propagates NaN
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

---the lesser of the two; propagates NaN
---```lua
---tide.array{ 1, 5 }:minimum(3)  --> [1 3]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.minimum(x, y, options) end

---the remainder of `floordiv`, with the sign of `y`
---```lua
---tide.array{ 7, -7 } % 4  --> [3 1]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.mod(x, y, options) end

---returns the fractional and the integral part; both have the sign of `x`
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

---returns a view in which axes `from` of `a` are axes `to`; the other axes stay in order
---```lua
---tide.ones{ 2, 3, 4 }:moveaxis(1, -1).shape  --> {3, 4, 2}
---```
---@param a tide.Array
---@param from integer|integer[] an axis, or several
---@param to integer|integer[] as many as in `from`
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

---replaces NaN and infinities by these numbers
---```lua
---tide.array{ 0 / 0, 1 / 0, 2 }:nan_to_num(0, 9)  --> [0. 9. 2.]
---```
---@param x tide.operand
---@param nan? number
---@param posinf? number the greatest finite number of the dtype
---@param neginf? number the least finite number of the dtype
---@param options? tide.options.nan_posinf_neginf_out
---@return tide.Array
---@overload fun(x: tide.operand, nan?: number, posinf?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(x: tide.operand, nan?: number, options?: tide.options.nan_posinf_neginf_out): tide.Array
---@overload fun(x: tide.operand, options?: tide.options.nan_posinf_neginf_out): tide.Array
function tide.nan_to_num(x, nan, posinf, neginf, options) end

---`argmax` without the NaNs; the first index if all are NaN
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

---`argmin` without the NaNs; the first index if all are NaN
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

---`max` without the NaNs
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

---`mean` without the NaNs; here and below, NaN if nothing else is left
---```lua
---tide.array{ 1, 0/0, 2 }:nanmean():item()  --> 1.5
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanmean(a, axis, options) end

---`median` without the NaNs
---```lua
---tide.array{ 0/0, 3, 1 }:nanmedian():item()  --> 2.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims): tide.Array
function tide.nanmedian(a, axis, options) end

---`min` without the NaNs
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

---as `nanquantile`, with `q` in percent
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
---```lua
---tide.array{ 4, 0/0, 3, 2 }:nanpercentile(100):item()  --> 4.0
---```
---@param a tide.Array
---@param q number|number[]|tide.Array from 0 to 100
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(a: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function tide.nanpercentile(a, q, axis, options) end

---`prod` without the NaNs; 1 if nothing else is left
---```lua
---tide.array{ 3, 0/0, 2 }:nanprod():item()  --> 6.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.nanprod(a, axis, options) end

---`quantile` without the NaNs; NaN if nothing else is left
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
---```lua
---tide.array{ 4, 0/0, 3, 2 }:nanquantile(0.5):item()  --> 3.0
---```
---@param a tide.Array
---@param q number|number[]|tide.Array from 0 to 1
---@param axis? tide.axes
---@param options? tide.options.Array_percentile
---@return tide.Array
---@overload fun(a: tide.Array, q: number|number[]|tide.Array, options?: tide.options.Array_percentile): tide.Array
function tide.nanquantile(a, q, axis, options) end

---`std` without the NaNs
---```lua
---tide.array{ 1, 0/0, 3 }:nanstd():item()  --> 1.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function tide.nanstd(a, axis, options) end

---`sum` without the NaNs; 0 if nothing else is left
---```lua
---tide.array{ 1, 0/0, 2 }:nansum():item()  --> 3.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.nansum(a, axis, options) end

---`var` without the NaNs
---```lua
---tide.array{ 1, 0/0, 3 }:nanvar():item()  --> 1.0
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_ddof
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_ddof): tide.Array
function tide.nanvar(a, axis, options) end

---x ~= y, likewise
---```lua
---tide.array{ 1, 2, 3 }:ne(2)  --> [ true false  true]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.ne(x, y, options) end

----x
---```lua
----tide.array{ 1, -2 }  --> [-1  2]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.neg(x, options) end

---the next representable number of the dtype, from `x` towards `y`
---```lua
---tide.array{ 1. }:nextafter(2) - 1  --> [2.22044605e-16]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.nextafter(x, y, options) end

---returns, for each axis, the indices of the elements that are not 0, in order. `tide.where(a)` with one argument does the same
---
---Waits for the number of elements, unless `size` gives it.
---
---Raises for an array without axes.
---
---Returns: of int64, one for each axis.
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

---the norm of vectors along one axis, or of matrices along two axes (rows, columns); along three axes or more, the norm of all elements as a vector. Without axes it is the norm of `a`; without an order as well, that of all elements as a vector. Orders of vectors: 2 (the default) is the root of the sum of squares; `math.huge` and `-math.huge` are the greatest and the least absolute value; 0 is the number of elements that are not 0; any other is `sum(abs(x) ^ ord) ^ (1 / ord)`. Orders of matrices: `"fro"` (the default) is the root of the sum of squares; 1 and -1 are the greatest and the least sum of absolute values of a column, `math.huge` and `-math.huge` those of a row; 2 and -2 are the greatest and the least singular value, `"nuc"` is their sum. Floats keep their dtype, complex numbers give the dtype of their parts, others `float64`
---```lua
---tide.array{ 3, 4 }:norm():item()        --> 5.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(1):item()  --> 6.0
---tide.array{ { 1, -2 }, { 3, 4 } }:norm(math.huge, 2)  --> [2. 4.]
---```
---@param a tide.Array
---@param ord? number|"fro"|"nuc"
---@param axes? tide.axes
---@param options? tide.options.ord_axis_keepdims_out
---@return tide.Array
---@overload fun(a: tide.Array, axes?: tide.axes, options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(a: tide.Array, ord?: number|"fro"|"nuc", options?: tide.options.ord_axis_keepdims_out): tide.Array
---@overload fun(a: tide.Array, options?: tide.options.ord_axis_keepdims_out): tide.Array
function tide.norm(a, ord, axes, options) end

---encodes each index of an array of integers, from 1, as a row of length `n` along a new last axis: 1 at the index, else 0. An index out of range gives a row of 0
---```lua
---tide.array{ 2, 1 }:one_hot(3)[1]  --> [0. 1. 0.]
---```
---@param a tide.Array
---@param n integer the row length
---@param dtype? tide.dtype the default dtype if left out
---@return tide.Array
function tide.one_hot(a, n, dtype) end

---returns an array filled with 1
---```lua
---tide.ones(3, "int32")  --> [1 1 1]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.ones(shape, dtype) end

---returns an array filled with 1, with the shape and dtype of `a`
---```lua
---tide.ones_like(tide.zeros(3), "int8")  --> [1 1 1]
---```
---@param a tide.Array
---@param dtype? tide.dtype
---@return tide.Array
function tide.ones_like(a, dtype) end

---opens a regular file, a disk or `/dev/zero`. Files without random access, such as pipes, are refused. In a host function it can create files, but cannot empty them
---
---Waits if "w" empties a file that queued operations read or write.
---```lua
---path = os.tmpname()
---f = tide.open(path, "w")
---f.size                                  --> 0
---f:close()
---os.remove(path)
---```
---@param path string
---@param mode? string "r" reads; "w" creates or empties the file and writes; "r+" reads and writes an existing file
---@return tide.File
function tide.open(path, mode) end

---the outer product: each element of the flattened `a` times each of the flattened `b`, with a row for each element of `a`
---```lua
---tide.array{ 1, 2 }:outer(tide.array{ 3, 4 })[2]  --> [6 8]
---```
---@param a tide.Array
---@param b tide.Array
---@param options? tide.options.out
---@return tide.Array
function tide.outer(a, b, options) end

---returns a copy of `a` with elements added before and after. `width` is a number for all axes, a pair `{ before, after }` for all axes, or a list of pairs, one for each axis
---
---Raises if an axis without elements is extended in a mode other than `constant`.
---```lua
---tide.array{ 1, 2 }:pad(1)               --> [0 1 2 0]
---tide.arange(3):pad({ 2, 0 }, { mode = "reflect" }) --> [2 1 0 1 2]
---```
---@param a tide.Array
---@param width integer|table
---@param options? tide.options.mode_out_value
---@return tide.Array
function tide.pad(a, width, options) end

---runs `fn(dev, i)` for each device concurrently, in tasks in which `dev` is current, with a stream of its own. The first error cancels the others and is raised. Works outside of `tide.run` too
---
---Waits unless all have finished.
---
---Returns: the first result of each.
---```lua
---list = tide.parallel({ "host", "host" }, function (dev, i)
---  return tide.full(3, i):sum():item()
---end)
---list[2]                                 --> 6
---```
---@param devices table a list of devices and of specs, such as `tide.devices()`
---@param fn function called with a device and its index in the list
---@return table
function tide.parallel(devices, fn) end

---returns a copy in which the element at each place, along the last axis by default, is the one that sorting puts there. No element before it is greater, and none behind it is less; their order is unspecified
---```lua
---tide.array{ 3, 9, 5 }:partition(2)[2]  --> 5
---```
---@param a tide.Array
---@param place integer|integer[] from 1, negative ones from the end
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, place: integer|integer[], options?: tide.options.axis_out): tide.Array
function tide.partition(a, place, axis, options) end

---as `quantile`, with `q` in percent
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
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

---as `transpose`, with `axes` required
---```lua
---tide.ones{ 2, 3, 4 }:permute(3, 1, 2).shape  --> {4, 2, 3}
---```
---@param a tide.Array
---@param axes tide.axes
---@param ... integer
---@return tide.Array
function tide.permute(a, axes, ...) end

---prints a plot of a real array, with [`print`](#pictures)
---
---Waits for the elements that it draws; for a histogram's range and counts.
---
---Raises for complex arrays; if the kind does not take this number of axes.
---
---Returns: the plot with option `string`, else nothing.
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

---runs the [host functions](stream.md#host-functions) that are due, resumes [coroutines](loops.md) whose waits are over, and frees dropped objects. Without `seconds` it never waits; with `seconds` it waits up to that time until there is something to do
---
---Raises with `seconds`, in a host function.
---
---Returns: the number of host functions it ran.
---```lua
---tide.poll()  --> 0
---```
---@param seconds? number from 0 on
---@return integer
function tide.poll(seconds) end

---returns a descriptor for [event loops](loops.md), which is readable when `tide.poll()` has something to do. It is the same each time; do not read from it or close it
---
---Returns: a file descriptor.
---```lua
---tide.pollfd() > 0  --> true
---```
---@return integer
function tide.pollfd() end

---returns the coefficients of the polynomial of this degree that is closest to the points by least squares, that of the highest power first, as float64 or complex128
---
---Raises if there are no points.
---```lua
---x = tide.array{ 0, 1, 2, 3 }
---c = tide.polyfit(x, x * x + 2, 2)
---tide.allclose(c, tide.array{ 1, 0, 2 }, 0, 1e-9)  --> true
---```
---@param x tide.Array a vector of points
---@param y tide.Array a value for each point, or a row of values for several polynomials
---@param degree integer from 0 on
---@param options? tide.options.rcond_w
---@return tide.Array
function tide.polyfit(x, y, degree, options) end

---the value of a polynomial at each point, in the common dtype; numbers and tables do not widen an array of floats
---```lua
---tide.polyval({ 3, 0, 1 }, tide.array{ 1, 2 })  --> [ 4 13]
---```
---@param a tide.Array|number[] the coefficients, that of the highest power first
---@param x tide.operand|table the points
---@param options? tide.options.out
---@return tide.Array
function tide.polyval(a, x, options) end

---+x, as a copy
---```lua
---tide.array{ 1, -2 }:positive()  --> [ 1 -2]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.positive(x, options) end

---`x` to the power `y`. Negative powers of integers are truncated. Exponents 2, 3, 0.5 and -1 given as numbers are computed as [products, roots or reciprocals](../numpy.md#results)
---```lua
---tide.array{ 2, 3 } ^ 2  --> [4 9]
---```
---@param x tide.operand
---@param y tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.pow(x, y, options) end

---sets how arrays print, for this Lua state; options that are not given stay. Returns the previous options, which can be passed to it again
---```lua
---before = tide.printoptions{ precision = 3 }
---tide.array{ 1 / 3 }                     --> [0.333]
---tide.printoptions(before)
---```
---@param options? tide.options.printoptions
---@return table
function tide.printoptions(options) end

---the product, with the dtypes of `sum`. Products of parts are multiplied in the end, as for `cumprod`
---```lua
---tide.array{ 2, 3, 4 }:prod():item()  --> 24
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.axis_out_keepdims_dtype
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out_keepdims_dtype): tide.Array
function tide.prod(a, axis, options) end

---counts completed work on the last line of a terminal, with the rate and the remaining time; if stderr is not a terminal it prints nothing. See [the prompt](../prompt.md#progress)
---```lua
---p = tide.progress(3, "frames")
---for i = 1, 3 do tide.ones(10):add_(i) p:add() end
---tide.get_device():synchronize()
---p:completed()                           --> 3
---p:close()
---```
---@param total? number the number of pieces, from 0 on; without it there is no bar
---@param label? string
---@return tide.Progress
---@overload fun(label?: string): tide.Progress
function tide.progress(total, label) end

---the range: the maximum minus the minimum
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

---writes to the elements that `take` would read. Without an axis, `a` is flattened and the values are written in order, starting again from the first if there are fewer values than indices. With an axis, the values are broadcast to the slices. Where an index is repeated, its last value wins. With a mask, the elements or slices where it is true are written in order
---
---Waits if a 0-d array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; nothing is written for this index. A mask with more or fewer true elements than values raises equally late.
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

---writes to the elements that `take_along_axis` would read; where an index is repeated, its last value wins
---
---Waits if a 0-d array stands for a number in a table.
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

---the value below which a fraction `q` of the elements lies, along an axis, several, or all of them. The dtype is that of floats, else `float64`; methods that select an element keep the dtype of `a`. NaN if any element is NaN
---
---Waits if `q` is an array.
---
---Raises without elements, if the dtype of the result has no NaN.
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

---returns a first-in, first-out queue
---```lua
---tide.queue(2)                           --> tide.Queue: 0 of 2
---```
---@param n? integer the capacity; nil means unlimited
---@return tide.Queue
function tide.queue(n) end

---waits for the first of them to finish, and cancels the others at once: a task that has not had its turn by then takes nothing. Errors of their `<close>` are [raised here](#errors)
---
---Waits unless one has finished.
---
---Raises the error of the first to finish.
---
---Returns: the index of the first to finish, and its results.
---```lua
---at, what = tide.run(function ()
---  return tide.race{ function () tide.sleep(1) end, function () return "soon" end }
---end)
---at, what                                --> 2   soon
---```
---@param list table functions, tasks, or objects with `await`
---@return integer
---@return any
function tide.race(list) end

---converts degrees to radians
---```lua
---tide.array{ 180 }:radians()  --> [3.14159265]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.radians(x, options) end

tide.random = {}

---returns a generator with that seed, an integer; by default with a random seed
---```lua
---g = tide.random.Generator(5)
---a = g:uniform(3)
---tide.random.seed(5)
---tide.array_equal(a, tide.random.uniform(3))  --> true
---```
---@param seed? integer
---@return tide.Generator
function tide.random.Generator(seed) end

---draws true with probability `p`, or 1 for another dtype
---```lua
---tide.random.bernoulli(1, 3)             --> [true true true]
---```
---@param p number
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.random.bernoulli(p, shape, dtype) end

---draws from a beta distribution, from 0 to 1; the mean is `a / (a + b)`. It is the distribution of a probability after `a - 1` successes and `b - 1` failures: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.beta(2, 6, 100000):mean(), 0.25, 0.02)  --> true
---```
---@param a number|tide.Array above 0
---@param b number|tide.Array above 0
---@param shape? tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
function tide.random.beta(a, b, shape, dtype, options) end

---draws from a binomial distribution, the number of successes in `n` trials with probability `p`: int64, or another integer dtype, converted as by `astype`
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

---draws integers from 1 to `x`, or slices along the first axis of an array, with equal probability or those of `p`; with `replace=false` without repetition. Nothing waits for the numbers of an array `p`: if one is negative or not finite, or there are too few above 0, the next wait for the result raises
---
---Raises if `replace=false` and there are too few to choose from.
---```lua
---a = tide.random.choice(tide.array{ 10, 20 }, 100)
---a:min():item() >= 10                    --> true
---tide.random.choice(3, 3, { replace = false }):sum():item()  --> 6
---tide.random.choice(3, 2, { p = { 0, 1, 0 } })     --> [2 2]
---```
---@param x integer|tide.Array
---@param shape tide.shape
---@param options? tide.options.p_replace
---@return tide.Array
function tide.random.choice(x, shape, options) end

---draws exponentially distributed numbers with mean `scale`: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.exponential(3, 100000):mean(), 3, 0.02)  --> true
---```
---@param scale number
---@param shape tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
function tide.random.exponential(scale, shape, dtype, options) end

---draws from a gamma distribution with shape `k` and scale `scale`; the mean is `scale * k`. With an integer `k` it is the time until the `k`th event: float64, or float32
---```lua
---tide.random.seed(1)
---tide.allclose(tide.random.gamma(2, 3, 100000):mean(), 6, 0.02)  --> true
---tide.random.gamma(tide.array{ 1, 2 }, 1).shape  --> {2}
---```
---@param k number|tide.Array from 0 on
---@param scale number|tide.Array from 0 on
---@param shape? tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
function tide.random.gamma(k, scale, shape, dtype, options) end

---draws normally distributed vectors, along the last axis, with this mean and covariance: float64, or float32. A covariance that is not symmetric or has negative eigenvalues is not noticed, except by method `"cholesky"`, which raises at the next wait for the result unless the matrix is positive definite
---```lua
---tide.random.seed(1)
---a = tide.random.multivariate_normal(tide.zeros(2), tide.array{ { 2., 1 }, { 1, 1 } }, 100000)
---a.shape                                 --> {100000, 2}
---tide.allclose(a.T:cov(), tide.array{ { 2., 1 }, { 1, 1 } }, 0, 0.1)  --> true
---```
---@param mean tide.Array a vector
---@param cov tide.Array a matrix
---@param shape? tide.shape of the array of vectors
---@param dtype? tide.dtype
---@param options? tide.options.method
---@return tide.Array
---@overload fun(mean: tide.Array, cov: tide.Array, dtype?: tide.dtype, options?: tide.options.method): tide.Array
---@overload fun(mean: tide.Array, cov: tide.Array, shape?: tide.shape, options?: tide.options.method): tide.Array
---@overload fun(mean: tide.Array, cov: tide.Array, options?: tide.options.method): tide.Array
function tide.random.multivariate_normal(mean, cov, shape, dtype, options) end

---draws normally distributed numbers with mean `mean` (0) and standard deviation `std` (1): float64, or float32
---```lua
---tide.random.seed(1)
---a = tide.random.normal(10, 0.1, 1000)
---tide.allclose(a:mean(), 10, 0.01)       --> true
---```
---@param mean number
---@param std number
---@param shape tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function tide.random.normal(mean, std, shape, dtype, options) end

---returns the integers from 1 to `x` in random order; or the slices of an array in random order, along the first axis by default
---```lua
---tide.random.permutation(5):sort()       --> [1 2 3 4 5]
---```
---@param x integer|tide.Array
---@param axis? integer the axis of an array
---@return tide.Array
function tide.random.permutation(x, axis) end

---draws from a Poisson distribution, the number of events with mean `lam`: int64, or another integer dtype, converted as by `astype`
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

---draws uniformly distributed integers from `low` to `high`, both included as in Lua's `math.random`: int64, or another integer dtype
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

---seeds the generator: all numbers drawn later, on every device, follow from the integer `n`. Without `n`, and in a program that sets no seed, the seed is random
---```lua
---tide.random.seed(42)
---a = tide.random.uniform(3)
---tide.random.seed(42)
---tide.array_equal(a, tide.random.uniform(3)) --> true
---```
---@param n? integer
function tide.random.seed(n) end

---shuffles the slices of `a` along an axis in place, and returns `a`
---```lua
---a = tide.arange(5)
---tide.random.shuffle(a) == a             --> true
---a:sort()                                --> [0 1 2 3 4]
---```
---@param a tide.Array
---@param axis? integer
---@return tide.Array
function tide.random.shuffle(a, axis) end

---draws uniformly distributed numbers from the half-open interval from `low` (0) to `high` (1): float64, or float32
---```lua
---a = tide.random.uniform({ 2, 3 }, "float32")
---a.shape                                 --> {2, 3}
---(a:max():item() < 1)                    --> true
---```
---@param low number
---@param high number
---@param shape tide.shape
---@param dtype? tide.dtype the dtype, of floats
---@param options? tide.options.out
---@return tide.Array
---@overload fun(shape: tide.shape, dtype?: tide.dtype, options?: tide.options.out): tide.Array
function tide.random.uniform(low, high, shape, dtype, options) end

---returns all elements in order as a 1-d array; copies if no stride describes the result
---```lua
---tide.ones{ 2, 3 }:ravel().shape  --> {6}
---```
---@param a tide.Array
---@return tide.Array
function tide.ravel(a) end

---converts a list of indices for each axis to indices into the flattened array
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

---the real part, a float; real numbers stay as they are
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

---the element, or 0 if it is not greater; NaN stays NaN
---```lua
---tide.array{ -2, 3 }:relu()  --> [0 3]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.relu(x, options) end

---returns a new array with each element repeated `n` times; without an axis `a` is flattened. `n` may be counts: a table or an array of integers, one for each element or, with an axis, for each slice. It is NumPy's `repeat`, which is a keyword of Lua
---
---Waits if `n` is an array and there is no `size`: for its total.
---```lua
---tide.arange(2):repeat_each(2)           --> [0 0 1 1]
---tide.arange(3):repeat_each{ 2, 0, 1 }   --> [0 0 2]
---```
---@param a tide.Array
---@param n integer|integer[]|tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out_size
---@return tide.Array
---@overload fun(a: tide.Array, n: integer|integer[]|tide.Array, options?: tide.options.axis_out_size): tide.Array
function tide.repeat_each(a, n, axis, options) end

---starts `peak` and `peak_live` anew, from what is reserved and live now
---```lua
---tide.zeros(2^20 | 0):close()
---peak = tide.memory_stats().peak_live
---tide.reset_peak()
---tide.memory_stats().peak_live < peak  --> true
---```
---@param kind? tide.kind
function tide.reset_peak(kind) end

---returns the same elements, in the same order, in another shape. One axis may be -1, which means the remaining length. Copies if no strides describe the result
---```lua
---tide.arange(6):reshape(2, -1)[2]  --> [3 4 5]
---```
---@param a tide.Array
---@param shape tide.shape
---@param ... integer
---@return tide.Array
function tide.reshape(a, shape, ...) end

---returns a picture, or another array, with another number of elements along each axis, as jax.image.resize does. Elements are cells of equal length, and those of the result cover the same length: sampling is at half-pixel centres. Each element of the result is a mean of the elements around its centre. Weights outside of `a` are 0, and the others are divided by their sum. Axes of unchanged size are left alone. The result has the dtype of `a`; of integers and bools the default dtype of floats, except with `"nearest"`, which copies elements. `"cubic"` and `"lanczos3"` can exceed the range of the elements
---
---Raises if an axis without elements should get some.
---```lua
---tide.resize(tide.array{ 1, 2, 3, 4 }, { 8 })  --> [1.   1.25 1.75 2.25 2.75 3.25 3.75 4.  ]
---picture = tide.ones({ 480, 640, 3 }, "uint8")
---small = tide.resize(picture, { 120, 160, 3 }):round():clip(0, 255):astype "uint8"
---small.shape                             --> {120, 160, 3}
---```
---@param a tide.Array
---@param shape integer[] a size for each axis of `a`, channels and batches included
---@param options? tide.options.antialias_method
---@return tide.Array
function tide.resize(a, shape, options) end

---returns the dtype to which the operands are promoted. Operands are arrays, names of dtypes, and numbers; a number never widens a dtype of its own kind
---```lua
---tide.result_type("int8", "uint8", 2.5)  --> float64
---```
---@param operand tide.Array|tide.HostArray|tide.dtype|number|boolean
---@param ... any
---@return tide.dtype
function tide.result_type(operand, ...) end

---returns a new array with the elements shifted by `by` positions along an axis; elements beyond the end reappear at the start. Without an axis `a` is flattened. With lists, each axis has its own shift
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

---returns a view rotated `k` times by 90 degrees, from the first of two axes towards the second: the last column becomes the first row
---```lua
---a = tide.array{ { 1, 2 }, { 3, 4 } }
---a:rot90()[1]                            --> [2 4]
---a:rot90(-1)[1]                          --> [3 1]
---```
---@param a tide.Array
---@param k? integer the number of rotations; negative ones go back
---@param axes? integer[]
---@return tide.Array
---@overload fun(a: tide.Array, axes?: integer[]): tide.Array
function tide.rot90(a, k, axes) end

---rounds to the nearest integer, ties to even. With `decimals`, `x` is scaled, rounded and scaled back, as in NumPy
---```lua
---tide.array{ 0.5, 1.5, 2.6 }:round()     --> [0. 2. 3.]
---tide.array{ 2.345, 1.5 }:round(1)       --> [2.3 1.5]
---tide.array{ 155, 12 }:round(-1)         --> [160  10]
---```
---@param x tide.operand
---@param decimals? integer the number of decimals to keep; negative ones round to tens, hundreds and so on
---@param options? tide.options.out
---@return tide.Array
---@overload fun(x: tide.operand, options?: tide.options.out): tide.Array
function tide.round(x, decimals, options) end

---shifts integers to the right, keeping the sign
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

---calls `fn(...)` as the first task, and returns when all tasks have finished. An error in a task that nothing waits for ends the others, and `tide.run` raises it with the task's name and traceback
---
---Waits if no task can go on; runs host functions.
---
---Raises inside a task; if all tasks wait for each other.
---
---Returns: the results of `fn`.
---```lua
---tide.run(function (a, b) return a + b end, 1, 2)  --> 3
---```
---@param fn function or an object that is called as one
---@param ... any the arguments of `fn`
---@return any
function tide.run(fn, ...) end

---writes an Array or a HostArray; if the path ends in `.npz`, an archive of the arrays of a table, with their keys as names, as `numpy.savez` and `savez_compressed` do
---
---Waits for all work queued on it.
---```lua
---path = os.tmpname() .. ".npz"
---tide.save(path, { x = tide.ones(3), y = tide.arange(2) }, { compressed = true })
---tide.load(path).x.dtype                 --> float64
---tide.load(path, "y")                    --> [0 1]
---os.remove(path)
---```
---@param path string
---@param a tide.Array|tide.HostArray|table
---@param options? tide.options.compressed
function tide.save(path, a, options) end

---writes an Array or a HostArray as an image
---
---Waits for all work queued on it.
---
---Raises for other dtypes and shapes, and for channels that the format does not support.
---```lua
---path = os.tmpname()
---tide.save_image(path, tide.ones({ 2, 3, 3 }, "uint8"), { format = "ppm" })
---tide.load_image(path).shape             --> {2, 3, 3}
---os.remove(path)
---```
---@param path string
---@param a tide.Array|tide.HostArray `uint8` or `uint16`, of one of these shapes
---@param options? tide.options.format
function tide.save_image(path, a, options) end

---writes a line for each row; those of a 1-d array have one number
---
---Waits for all work queued on it.
---```lua
---path = os.tmpname()
---tide.savetxt(path, tide.array{ 0.5, 2 }, { fmt = "%.2f" })
---tide.loadtxt(path).shape                --> {2, 1}
---os.remove(path)
---```
---@param path string
---@param a tide.Array|tide.HostArray with one or two axes
---@param options? tide.options.savetxt
function tide.savetxt(path, a, options) end

---adds the values to the elements that `take` would read: elements of the flattened array, or slices along an axis. Values are broadcast, and all values for a repeated index are added. Floats are added in float64 and rounded once, in the same order every time; integers wrap. Values are cast to the dtype of `a`, within its kind
---
---Waits if a 0-d array stands for a number in a table.
---
---Raises if an index is out of range, as `take` does; nothing is added for this index. If an array of values has a higher kind than `a`: integers beside bool, floats beside integers, complex numbers beside floats.
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

---as `scatter_add`, with the minimum or maximum in place of the sum. NaN counts as both
---
---Waits if a 0-d array stands for a number in a table.
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

---as `scatter_add`, with the minimum or maximum in place of the sum. NaN counts as both
---
---Waits if a 0-d array stands for a number in a table.
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

---calls `fn(...)` and closes the arrays made meanwhile that it does not return: see [below](memory.md#scopes)
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

---returns, for each element of `v`, the index, from 1, before which inserting it keeps `a` sorted, as `int64`; `a` is sorted and 1-d
---```lua
---tide.array{ 10, 20, 20, 30 }:searchsorted{ 20, 99 } --> [2 5]
---tide.array{ 10, 20, 20, 30 }:searchsorted({ 20, 99 }, { side = "right" }) --> [4 5]
---```
---@param a tide.Array
---@param v tide.operand|table of any shape
---@param options? tide.options.out_side_sorter
---@return tide.Array
function tide.searchsorted(a, v, options) end

---returns a semaphore with `n` places: at most `n` tasks hold one at a time
---```lua
---tide.semaphore(2)                       --> tide.Semaphore: 2 of 2 free
---```
---@param n integer from 1 on
---@return tide.Semaphore
function tide.semaphore(n) end

---sets the default dtype, for this `lua_State`, to a dtype of floats; returns the previous one. A function that takes a table or a number in place of one of two arrays reads its floats in the default dtype or that of the other array, whichever is wider
---```lua
---before = tide.set_default_dtype "float32"
---tide.zeros(1).dtype                     --> float32
---tide.set_default_dtype(before)
---```
---@param dtype tide.dtype
---@return tide.dtype
function tide.set_default_dtype(dtype) end

---returns the unique elements of `a` that are not in `b`, sorted
---
---Waits if `size` is missing: for the number of elements.
---```lua
---tide.array{ 3, 1, 3, 2 }:setdiff1d{ 2 }  --> [1 3]
---```
---@param a tide.operand|table
---@param b tide.operand|table
---@param options? tide.options.assume_unique_size_fill
---@return tide.Array
function tide.setdiff1d(a, b, options) end

---1 / (1 + exp(-x)), with full precision where it is small
---```lua
---tide.array{ 0., 2. }:sigmoid()  --> [0.5        0.88079708]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sigmoid(x, options) end

----1, 0 or 1; NaN for NaN
---```lua
---tide.array{ 5., -3., 0. }:sign()  --> [ 1. -1.  0.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.sign(x, options) end

---true where the sign bit is set, as in -0.0 and in some NaNs; `bool`
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

---sin(pi x) / (pi x), and 1 for 0
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

---lets other tasks run for that time. Outside of tasks it blocks, and runs host functions
---
---Waits if no other task can go on.
---```lua
---tide.sleep(0.001)
---```
---@param seconds number from 0 on
function tide.sleep(seconds) end

---`exp(a)` divided by its sum along an axis, the last one by default. It subtracts the greatest element first, so it does not overflow. Integers make `float64`
---
---Raises for complex numbers; for a 0-d array.
---```lua
---tide.array{ 0., 1000., 1000. }:softmax()  --> [0.  0.5 0.5]
---```
---@param a tide.Array
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_out): tide.Array
function tide.softmax(a, axis, options) end

---log(1 + exp(x)), without overflow
---```lua
---tide.array{ 0., 1000. }:softplus()  --> [6.93147181e-01 1.00000000e+03]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.softplus(x, options) end

---returns a sorted copy, along the last axis by default. NaN sorts after all other values
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

---starts `fn(...)` as a new task, which begins after the tasks before it have had their turn; returns the task
---
---Raises outside of `tide.run`.
---```lua
---one = tide.run(function ()
---  return tide.spawn({ name = "one" }, function () return 1 end):await()
---end)
---one                                     --> 1
---```
---@param options table `name`, for errors, and `stream`: a Stream, `"inherit"` (the current stream) or `"own"` (the default: a stream that no other task has, up to 32 for each device)
---@param fn function or an object that is called as one
---@param ... any the arguments of `fn`
---@return tide.Task
---@overload fun(fn: function, ...: any): tide.Task
function tide.spawn(options, fn, ...) end

---returns a list of views of `a` along an axis, the first by default. With a number: `parts` views of equal length. With a list of indices: one view that begins at the start, and one that begins at each index; each view ends before the next one
---
---Raises if the axis cannot be divided equally.
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

---removes these axes, which must have length 1; by default every axis of length 1
---```lua
---tide.ones{ 2, 1, 3 }:squeeze().shape  --> {2, 3}
---```
---@param a tide.Array
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function tide.squeeze(a, axes, ...) end

---joins arrays of one shape along a new axis, the first by default
---```lua
---tide.stack({ tide.arange(2), tide.arange(2) }, 2).shape  --> {2, 2}
---```
---@param list tide.Array[]
---@param axis? integer from 1, negative ones from the end
---@param options? tide.options.axis_out
---@return tide.Array
---@overload fun(list: tide.Array[], options?: tide.options.axis_out): tide.Array
function tide.stack(list, axis, options) end

---the standard deviation: the root of the variance
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

---the sum. The dtype is `int64` for bools and signed integers, `uint64` for unsigned integers, else that of `a`; floats are added in `float64`
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

---returns a view with these two axes exchanged
---```lua
---tide.ones{ 2, 3, 4 }:swapaxes(1, 3).shape  --> {4, 3, 2}
---```
---@param a tide.Array
---@param axis integer from 1, negative ones from the end
---@param other integer the other axis
---@return tide.Array
function tide.swapaxes(a, axis, other) end

---sets the mode in which waits of the host are reported; returns the previous mode and the number of waits so far. Modes: `"off"`; `"warn"`: each wait reports its line through Lua's `warn`; `"error"`: each wait raises. A wait with nothing left to wait for is not reported, because the host device does small work immediately
---```lua
---before = tide.sync_debug "error"
---pcall(tide.get_device)
---tide.sync_debug(before)
---```
---@param mode? "off"|"warn"|"error"
---@return string
---@return integer
function tide.sync_debug(mode) end

---returns the elements at the indices, or the slices along an axis. The shape of the indices replaces the axis; without an axis, `a` is flattened. Indices are an integer, a table or an array of integers; they count from 1, and negative ones from the end. An index out of range raises. In an array of indices only the device detects it; then the next wait for the result or its stream raises the error, which names the line of the call
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

---returns, for each index, the element at this index along the axis, the last one by default; `a:take_along_axis(a:argsort())` is sorted. The other axes are broadcast
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

---the sum of products over the last `n` axes of `a` and the first `n` of `b`; or over the axes in a table of two, each an axis or a list. The other axes of `a` come first in the result
---
---Raises if paired axes differ in length.
---```lua
---a, b = tide.ones{ 2, 3, 4 }, tide.ones{ 4, 3, 5 }
---a:tensordot(b, 1).shape                 --> {2, 3, 3, 5}
---a:tensordot(b, { { 2, 3 }, { 2, 1 } })[1]  --> [12. 12. 12. 12. 12.]
---```
---@param a tide.Array
---@param b tide.Array
---@param n? integer|table the number of axes, or { axes of a, axes of b }
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, b: tide.Array, options?: tide.options.out): tide.Array
function tide.tensordot(a, b, n, options) end

---returns a new array that repeats `a` `times` times along each axis; a single number applies to the last axis
---```lua
---tide.arange(2):tile(2)  --> [0 1 0 1]
---```
---@param a tide.Array
---@param times integer|integer[]
---@param options? tide.options.out
---@return tide.Array
function tide.tile(a, times, options) end

---returns the `k` greatest elements along an axis, the last one by default, in descending order, and their indices, from 1, as `int64`. Equal elements keep their order. NaN counts as the greatest
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

---the sum along the diagonals that `diagonal` returns
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

---returns a view with the axes reversed, or in the given order
---```lua
---tide.ones{ 2, 3 }:transpose().shape  --> {3, 2}
---```
---@param a tide.Array
---@param axes? tide.axes
---@param ... integer
---@return tide.Array
function tide.transpose(a, axes, ...) end

---integrates by the trapezoidal rule
---```lua
---tide.array{ 1, 2, 3 }:trapezoid():item()  --> 4.0
---```
---@param a tide.Array
---@param x? tide.Array the sample points
---@param options? tide.options.axis_dx_out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.axis_dx_out): tide.Array
function tide.trapezoid(a, x, options) end

---returns the lower triangle of the matrices in the last two axes: elements above diagonal `k` are 0. A vector stands for the matrix whose rows it is
---```lua
---tide.ones{ 2, 2 }:tril()[1]  --> [1. 0.]
---```
---@param a tide.Array
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.out): tide.Array
function tide.tril(a, k, options) end

---releases idle memory that is kept for reuse, of both kinds, to the driver; returns its bytes. The host device frees it, and asks the C library to return free pages to the system; pages that small live blocks share with freed ones stay
---```lua
---tide.trim() >= 0  --> true
---```
---@param device? tide.Device|string or a spec; by default all devices
---@return integer
function tide.trim(device) end

---returns the upper triangle of these matrices: elements below diagonal `k` are 0
---```lua
---tide.ones{ 2, 2 }:triu()[2]  --> [0. 1.]
---```
---@param a tide.Array
---@param k? integer
---@param options? tide.options.out
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.out): tide.Array
function tide.triu(a, k, options) end

---rounds towards 0
---```lua
---tide.array{ 1.5, -1.5 }:trunc()  --> [ 1. -1.]
---```
---@param x tide.operand
---@param options? tide.options.out
---@return tide.Array
function tide.trunc(x, options) end

---sets the mode in which unhandled errors are reported; returns the previous mode. When the Lua state closes, it reports the errors that nothing has waited for, and the host functions that never ran. A [scope](scope.md) that was never closed is reported when the collector finds it. Modes: `"stderr"` (the default, or the value of `TIDE_UNHANDLED_ERRORS`), `"warn"` (through Lua's `warn`), `"off"`. After such a report the command `tide` exits with a nonzero status, unless the program called `os.exit`: then the status is the one given to `os.exit`
---```lua
---tide.unhandled_errors()  --> stderr
---```
---@param mode? "stderr"|"warn"|"off"
---@return string
function tide.unhandled_errors(mode) end

---returns the unique elements of `a` and `b` together, sorted, in their common dtype; here and in the functions below, of any shape
---
---Waits if `size` is missing: for the number of elements.
---```lua
---tide.array{ 3, 1, 3 }:union1d{ 2, 3 }  --> [1 2 3]
---```
---@param a tide.operand|table
---@param b tide.operand|table
---@param options? tide.options.size_fill
---@return tide.Array
function tide.union1d(a, b, options) end

---returns the unique elements of `a`, sorted, and on request: the index of the first occurrence of each, from 1, in the flattened `a`; for each element of `a`, in its shape, the index of its value; the number of occurrences of each. With an axis, it compares the slices across that axis instead, and sorts them by their first elements, then by their second ones, and so on; the indices are those of slices
---
---Waits if `size` is missing: for the number of elements.
---
---Returns: the values, then the requested arrays, in the order of the options.
---```lua
---values, counts = tide.array{ 3, 1, 3 }:unique{ return_counts = true }
---values                                  --> [1 3]
---counts                                  --> [1 2]
---#tide.array{ { 1, 2 }, { 0, 5 }, { 1, 2 } }:unique{ axis = 1 } --> 2
---```
---@param a tide.Array
---@param options? tide.options.Array_unique
---@return tide.Array
function tide.unique(a, options) end

---returns the unique elements, the index of the first occurrence of each, the index of the value of each element of `a`, and the number of occurrences of each
---
---Waits for the number of elements.
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

---returns the unique elements and the number of occurrences of each
---
---Waits for the number of elements.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_counts())  --> [1 2]
---```
---@param a tide.Array
---@return tide.Array
---@return tide.Array
function tide.unique_counts(a) end

---returns the unique elements and, for each element of `a`, the index of its value
---
---Waits for the number of elements.
---```lua
---select(2, tide.array{ 3, 1, 3 }:unique_inverse())  --> [2 1 2]
---```
---@param a tide.Array
---@return tide.Array
---@return tide.Array
function tide.unique_inverse(a) end

---returns the unique elements, sorted; here and in the functions below each NaN is unique
---
---Waits for the number of elements.
---```lua
---tide.array{ 3, 1, 3 }:unique_values()  --> [1 3]
---```
---@param a tide.Array
---@return tide.Array
function tide.unique_values(a) end

---converts indices into the flattened array of that shape, as `argmax` returns them, to indices for each axis, which are several results
---
---Returns: of int64, one for each axis of the shape.
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

---returns a list of the slices along an axis, the first by default, without this axis
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

---the variance: the mean of the squared deviations from the mean
---```lua
---tide.array{ 1, 2, 3, 4 }:var():item()  --> 1.25
---```
---@param a tide.Array
---@param axis? tide.axes
---@param options? tide.options.Array_var
---@return tide.Array
---@overload fun(a: tide.Array, options?: tide.options.Array_var): tide.Array
function tide.var(a, axis, options) end

---the sum of products over one axis of both, the last one by default; `a` is conjugated, and the other axes are broadcast
---
---Raises if these axes differ in length.
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

---returns a view of the same bytes as elements of another dtype. If their size differs, the last axis gets longer or shorter, as in NumPy. There are no views as bool, because bools have no bytes but 0 and 1; write no others into a view of bools
---
---Raises if the last axis is not contiguous or its bytes are no whole elements of another size, or the address is not a multiple of that size.
---
---Returns: of the class of `a`.
---```lua
---tide.ones(1, "float32"):view "uint32"   --> [1065353216]
---tide.ones({ 2, 3 }, "float32"):view "uint8".shape  --> {2, 12}
---```
---@param a tide.Array|tide.HostArray
---@param dtype tide.dtype
---@return tide.Array|tide.HostArray
function tide.view(a, dtype) end

---joins arrays along the first axis; arrays with fewer than two axes count as rows
---```lua
---tide.vstack{ tide.arange(2), tide.ones{ 2, 2 } }.shape  --> {3, 2}
---```
---@param list tide.Array[]
---@param options? tide.options.out
---@return tide.Array
function tide.vstack(list, options) end

---selects from `x` where `c` is not 0, else from `y`; each is an array or a number, but one of `x` and `y` is an array if `c` is none
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

---runs `fn(dev, ...)` with `dev` current, and returns its results; `fn` may yield. `dev` may be a spec
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

---runs `fn(s, ...)` with `s` current, and returns its results
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

---as `coroutine.wrap`, but the coroutine inherits the current device and stream
---```lua
---s = tide.Stream():use()
---f = tide.wrap(function () return tide.get_current_stream() == s end)
---tide.Stream.null:use()
---f()                                     --> true
---```
---@param fn function or an object that is called as one
---@return function
function tide.wrap(fn) end

---returns an array filled with 0
---```lua
---tide.zeros(3)  --> [0. 0. 0.]
---```
---@param shape tide.shape
---@param dtype? tide.dtype
---@return tide.Array
function tide.zeros(shape, dtype) end

---returns an array filled with 0, with the shape and dtype of `a`
---```lua
---tide.zeros_like(tide.ones(3))  --> [0. 0. 0.]
---```
---@param a tide.Array
---@param dtype? tide.dtype
---@return tide.Array
function tide.zeros_like(a, dtype) end

return tide
