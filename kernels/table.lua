--[[
table.lua - the single source of the built-in kernels: element types, and the
operations on them; with by_hand.lua, the kernels that are written by hand, and
parts.lua, how the host device divides launches. When tide is built,
generate.lua makes from it the CUDA kernels, the host device's functions of the
same names, the ids and the look-up tables. Specs read it too.

An expression is C that means the same in CUDA C++, over x and y (a and b) in
the type of the computation. Helpers such as wrap(x) are in ops.h; sqrt, exp ...
are type-generic in both languages. T is the type of an element.

Names are no words that C++ reserves (and, or, bitand): hence band.
]]
local by_hand <const> = require "kernels.by_hand"

--{{ element types

--[[
In the order of the table of promotions in src/array/dtype.c. Fields:

  [1]        suffix of kernels' names (add_vv_f32), and of t_f32 in types.h
  id         end of its name in C (DTYPE_FLOAT32);  name: in Lua;  bytes
  ctype      its type in C and CUDA C++
  read_as    the type by which the host device reads elements, because
             uninitialised memory may hold any byte, and not all are valid for
             C's bool
  calc       the type of the computation, if it is another one; 'load' and
             'store' are the functions that convert to it and back, where C's
             own conversions do not
  alias      by rule, the type whose kernels it borrows, because the bits come
             out the same: 'signless' where the sign does not matter, 'long'
             where all but 64 bits are converted anyway
  sum        the type in which its elements are added up;  kept: the sum has
             that type too, and not the element's own
  part       the float of a complex type
  wider      the intermediate type of elementwise operations without kernels
             for it: two more launches, and the same result, rounded once
  near       the same for casts: the least float type that has all its numbers
  inf        bits of infinity: see keys.h
]]
local dtypes <const> = {
  { "b8", id = "BOOL", name = "bool", bytes = 1, ctype = "bool",
    read_as = "uint8_t", sum = "i64", kept = true, near = "f32" },
  { "i8", id = "INT8", name = "int8", bytes = 1, ctype = "int8_t",
    sum = "i64", kept = true, near = "f32" },
  { "i16", id = "INT16", name = "int16", bytes = 2, ctype = "int16_t",
    sum = "i64", kept = true, near = "f32" },
  { "i32", id = "INT32", name = "int32", bytes = 4, ctype = "int32_t",
    sum = "i64", kept = true, near = "f64" },
  { "i64", id = "INT64", name = "int64", bytes = 8, ctype = "int64_t",
    sum = "i64", kept = true, near = "f64" },
  { "u8", id = "UINT8", name = "uint8", bytes = 1, ctype = "uint8_t",
    alias = { signless = "i8" }, sum = "u64", kept = true, near = "f32" },
  { "u16", id = "UINT16", name = "uint16", bytes = 2, ctype = "uint16_t",
    alias = { signless = "i16" }, sum = "u64", kept = true, near = "f32" },
  { "u32", id = "UINT32", name = "uint32", bytes = 4, ctype = "uint32_t",
    alias = { signless = "i32" }, sum = "u64", kept = true, near = "f64" },
  { "u64", id = "UINT64", name = "uint64", bytes = 8, ctype = "uint64_t",
    alias = { signless = "i64", long = "i64" }, sum = "u64", kept = true,
    near = "f64" },
  { "f16", id = "FLOAT16", name = "float16", bytes = 2, ctype = "t_f16",
    calc = "f32", load = "load_f16", store = "to_f16", sum = "f64",
    wider = "f32", near = "f32", inf = 0x7c00 },
  { "bf16", id = "BFLOAT16", name = "bfloat16", bytes = 2, ctype = "t_bf16",
    calc = "f32", load = "load_bf16", store = "to_bf16", sum = "f64",
    wider = "f32", near = "f32", inf = 0x7f80 },
  { "f32", id = "FLOAT32", name = "float32", bytes = 4, ctype = "float",
    sum = "f64", near = "f64", inf = 0x7f800000 },
  { "f64", id = "FLOAT64", name = "float64", bytes = 8, ctype = "double",
    sum = "f64", near = "f64", inf = 0x7ff0000000000000 },
  { "c64", id = "COMPLEX64", name = "complex64", bytes = 8, ctype = "t_c64",
    store = "as_c64", sum = "c128", part = "f32", wider = "c128",
    near = "f32" },
  { "c128", id = "COMPLEX128", name = "complex128", bytes = 16,
    ctype = "t_c128", store = "as_c128", sum = "c128", part = "f64",
    near = "f64" }
}

--[[
The types for which an operation has kernels, by name. Operations without
kernels for float16 and bfloat16 take those by way of float32, and complex64 by
way of complex128 ('wider' above), so rare or slow operations need none there.
]]
local sets = {
  BOOL = { "b8" }, I64 = { "i64" }, F32 = { "f32" }, F64 = { "f64" },
  C64 = { "c64" }, C128 = { "c128" }
}

--- union(names) -> the types of those sets and suffixes.
local function union (names)
  local list = {}
  for name in names:gmatch "%S+" do
    local some = sets[name] or { name }
    table.move(some, 1, #some, #list + 1, list)
  end
  return list
end

sets.SIGNED = union "i8 i16 i32 i64"
sets.UNSIGNED = union "u8 u16 u32 u64"
sets.INTEGER = union "SIGNED UNSIGNED"
sets.BITS = union "BOOL INTEGER"
sets.HALF = union "f16 bf16"
sets.FLOAT = union "f32 f64"
sets.FLOATS = union "HALF FLOAT"
sets.PLAIN = union "INTEGER FLOAT"
sets.DIRECT = union "BOOL PLAIN"
sets.NUMBER = union "INTEGER FLOATS"
sets.REAL = union "BOOL NUMBER"
-- with the complex ones:
sets.COMPLEX = union "c64 c128"
sets.ANYFLOAT = union "FLOATS COMPLEX"
sets.ANYPLAIN = union "PLAIN COMPLEX"
sets.ANYDIRECT = union "DIRECT COMPLEX"
sets.ANYNUMBER = union "NUMBER COMPLEX"
sets.ALL = union "REAL COMPLEX"
-- with complex128 alone, by way of which complex64 goes:
sets.FLOATWIDE = union "FLOAT c128"
sets.FLOATSWIDE = union "FLOATS c128"
sets.PLAINWIDE = union "PLAIN c128"
sets.DIRECTWIDE = union "DIRECT c128"
sets.FACTORS = union "ANYDIRECT HALF"
sets.RUNNING = union "i64 u64 FLOATWIDE"  -- the types of 'sum'
sets.ROUNDED = union "i64 u64 FLOAT"      -- cast to 16 bits in one step; have
                                          -- all numbers of ordered types

--}}

--{{ operations

--[[
{ name, set, expression }: z = f(x, y) element by element. Fields:

  gives      "bool"; "i32"; "part": the float of a complex type; default: as x
  alias      the rule by which types borrow kernels; default: each has its own
  forms      the kernels; v is an array, s one number, nd operands of any
             strides, which takes all forms that have no kernel:
               full   vv, vs, sv, nd
               most   vv, vs, nd
               even   vv, vs, nd, because operands may be exchanged
               pairs  vv, nd
               rare   vv, nd; an element at a time, so that the expression is
                      in them once: for functions slower than their memory
  batched    uses C's functions of several floats at once on the host: see
             loops.h; all functions of one operand do
  turned     has no kernels: uses those of that operation, with x and y
             exchanged
  unit       the file of its kernels, if not one of its own
  mixed      the comparison of int64 with uint64, where y are the bits as
             int64: has no function of its own
  inner      part of a function with several results: has no function of its
             own
]]
local binary <const> = {
  -- On bool, + is or and * is and, because conversion is != 0.
  { "add", "ALL", "plus(x, y)", alias = "signless", forms = "even" },
  { "sub", "ANYNUMBER", "minus(x, y)", alias = "signless", forms = "full" },
  { "mul", "ALL", "times(x, y)", alias = "signless", forms = "even" },
  { "div", "ANYFLOAT", "over(x, y)", forms = "full" },
  { "floordiv", "PLAIN", "floordiv(x, y)", forms = "most" },
  { "mod", "PLAIN", "floormod(x, y)", forms = "most" },
  { "pow", "PLAINWIDE", "power(x, y)", forms = "rare", batched = true },
  { "fmod", "PLAIN", "truncmod(x, y)", forms = "rare" },
  { "atan2", "FLOAT", "atan2(x, y)", forms = "pairs", batched = true },
  { "hypot", "FLOAT", "hypot(x, y)", forms = "pairs", batched = true },
  { "copysign", "FLOAT", "copysign(x, y)", forms = "pairs" },
  { "logaddexp", "FLOAT", "log_sum(x, y)", forms = "pairs", batched = true },
  { "logaddexp2", "FLOAT", "log2_sum(x, y)", forms = "pairs",
    batched = true },
  { "nextafter", "FLOATS", "neighbour((const T *)0, x, y)", forms = "pairs" },
  { "ldexp", "FLOAT", "times_power(x, y)", forms = "pairs" },
  { "heaviside", "FLOAT", "x != x ? x : x == 0 ? y : x > 0", forms = "pairs" },
  -- For floats alone: other types have no NaN, and use maximum and minimum.
  { "fmax", "FLOAT", "x >= y || y != y ? x : y", forms = "pairs" },
  { "fmin", "FLOAT", "x <= y || y != y ? x : y", forms = "pairs" },
  { "gcd", "INTEGER", "divisor(x, y)", forms = "rare" },
  { "lcm", "INTEGER", "multiple(x, y)", forms = "rare" },
  { "maximum", "REAL", "x != x ? x : x > y ? x : y", forms = "full" },
  { "minimum", "REAL", "x != x ? x : x < y ? x : y", forms = "full" },

  { "lt", "REAL", "x < y", gives = "bool", forms = "full" },
  { "le", "REAL", "x <= y", gives = "bool", forms = "full" },
  { "gt", "REAL", "x > y", gives = "bool", turned = "lt" },
  { "ge", "REAL", "x >= y", gives = "bool", turned = "le" },
  { "eq", "ALL", "equal(x, y)", gives = "bool", alias = "signless",
    forms = "even" },
  { "ne", "ALL", "!equal(x, y)", gives = "bool", alias = "signless",
    forms = "even" },

  -- No number is less than 0 and of uint64.
  { "lt_mixed", "I64", "negative(x) | ((uint64_t)x < (uint64_t)y)",
    gives = "bool", forms = "pairs", mixed = true, unit = "lt" },
  { "le_mixed", "I64", "negative(x) | ((uint64_t)x <= (uint64_t)y)",
    gives = "bool", forms = "pairs", mixed = true, unit = "le" },
  { "gt_mixed", "I64", "!negative(x) & ((uint64_t)x > (uint64_t)y)",
    gives = "bool", forms = "pairs", mixed = true, unit = "lt" },
  { "ge_mixed", "I64", "!negative(x) & ((uint64_t)x >= (uint64_t)y)",
    gives = "bool", forms = "pairs", mixed = true, unit = "le" },
  { "eq_mixed", "I64", "!negative(x) & (x == y)",
    gives = "bool", forms = "pairs", mixed = true, unit = "eq" },
  { "ne_mixed", "I64", "negative(x) | (x != y)",
    gives = "bool", forms = "pairs", mixed = true, unit = "ne" },

  { "band", "BITS", "x & y", alias = "signless", forms = "even" },
  { "bor", "BITS", "x | y", alias = "signless", forms = "even" },
  { "bxor", "BITS", "x ^ y", alias = "signless", forms = "even" },
  { "lshift", "INTEGER", "shiftleft(x, y)", alias = "signless",
    forms = "most" },
  { "rshift", "INTEGER", "shiftright(x, y)", forms = "most" },

  -- Other types are cast to bool, or to float64, beforehand.
  { "logical_and", "BOOL", "x & y", gives = "bool", turned = "band" },
  { "logical_or", "BOOL", "x | y", gives = "bool", turned = "bor" },
  { "logical_xor", "BOOL", "x ^ y", gives = "bool", turned = "bxor" }
}

--- As above, over x alone; all have kernels for an array and for any strides.
local unary <const> = {
  { "neg", "ANYNUMBER", "negate(x)", alias = "signless" },
  { "abs", "ALL", "absolute(x)", gives = "part" },
  { "square", "ANYDIRECT", "times(x, x)", alias = "signless" },
  { "sign", "PLAIN", "signum(x)" },
  { "reciprocal", "FLOAT", "1 / x" },
  { "sqrt", "FLOATSWIDE", "sqrt(x)" },
  { "rsqrt", "FLOAT", "1 / sqrt(x)" },
  { "cbrt", "FLOAT", "cbrt(x)" },
  { "exp", "FLOATSWIDE", "exp(x)" },
  { "exp2", "FLOAT", "exp2(x)" },
  { "expm1", "FLOAT", "expm1(x)" },
  { "log", "FLOATSWIDE", "log(x)" },
  { "log2", "FLOAT", "log2(x)" },
  { "log10", "FLOAT", "log10(x)" },
  { "log1p", "FLOAT", "log1p(x)" },
  { "sin", "FLOATWIDE", "sin(x)" },
  { "cos", "FLOATWIDE", "cos(x)" },
  { "tan", "FLOAT", "tan(x)" },
  { "asin", "FLOAT", "asin(x)" },
  { "acos", "FLOAT", "acos(x)" },
  { "atan", "FLOAT", "atan(x)" },
  { "sinh", "FLOAT", "sinh(x)" },
  { "cosh", "FLOAT", "cosh(x)" },
  { "tanh", "FLOATS", "tanh(x)" },
  { "asinh", "FLOAT", "asinh(x)" },
  { "acosh", "FLOAT", "acosh(x)" },
  { "atanh", "FLOAT", "atanh(x)" },
  { "erf", "FLOAT", "erf(x)" },
  { "erfc", "FLOAT", "erfc(x)" },
  { "erfinv", "FLOAT", "inverse_erf(x)" },
  { "gamma", "FLOAT", "tgamma(x)" },
  { "lgamma", "FLOAT", "log_gamma(x)" },
  { "sinc", "FLOAT", "cardinal(x)" },
  { "sigmoid", "FLOATS", "logistic(x)" },
  { "softplus", "FLOAT", "log_one(x)" },
  { "relu", "NUMBER", "x <= 0 ? 0 : x" },
  { "degrees", "FLOAT", "x * 57.295779513082321" },
  { "radians", "FLOAT", "x * 0.017453292519943295" },
  { "floor", "FLOAT", "floor(x)" },
  { "ceil", "FLOAT", "ceil(x)" },
  { "trunc", "FLOAT", "trunc(x)" },
  { "round", "FLOAT", "rint(x)" },
  { "bnot", "BITS", "complement(x)", alias = "signless" },
  { "logical_not", "DIRECTWIDE", "!nonzero(x)", gives = "bool",
    alias = "signless" },
  { "signbit", "FLOAT", "has_sign(x)", gives = "bool" },
  { "isnan", "FLOATWIDE", "!equal(x, x)", gives = "bool" },
  { "isinf", "FLOAT", "x == x && x - x != 0", gives = "bool" },
  { "isfinite", "FLOAT", "x - x == 0", gives = "bool" },
  { "conj", "COMPLEX", "conjugate(x)" },
  { "real", "COMPLEX", "x.re", gives = "part" },
  { "imag", "COMPLEX", "x.im", gives = "part" },

  -- The fraction of modf; mantissa and exponent of frexp.
  { "modf", "FLOAT", "fraction(x)", inner = true },
  { "frexp", "FLOAT", "mantissa(x)", inner = true },
  { "frexp_exponent", "FLOAT", "exponent(x)", gives = "i32", inner = true }
}

--[[
{ to, set }: casts from those types to that one; 'by': the kernels of another
type with the same bits. Complex numbers are cast by way of their parts; from 16
bits by way of float32; to 16 bits by way of a type that holds all of the
numbers.
]]
local casts <const> = {
  { "b8", "ANYPLAIN" },
  { "i8", "DIRECT" },
  { "i16", "DIRECT" },
  { "i32", "DIRECT" },
  { "i64", "DIRECT" },
  { "u8", "FLOAT" },
  { "u16", "FLOAT" },
  { "u32", "FLOAT" },
  { "u64", "FLOAT" },
  { "u8", "BITS", by = "i8" },
  { "u16", "BITS", by = "i16" },
  { "u32", "BITS", by = "i32" },
  { "u64", "BITS", by = "i64" },
  { "f16", "ROUNDED" },
  { "bf16", "ROUNDED" },
  { "f32", "REAL" },
  { "f32", "C64" },
  { "f64", "DIRECT" },
  { "f64", "C128" },
  { "c64", "F32" },
  { "c64", "C128" },
  { "c128", "F64" },
  { "c128", "C64" }
}

--[[
{ name, set, neutral, map, join }: folds map(x) of every element with join(a,
b), beginning with the neutral element. All three give an A, the accumulator.
The rule 'folds' defines A and the result:

  same    as x, and as x         bool    int32, and bool
  count   int64, and int64       sum     as the type's 'sum' says
  numbers int64, and int64, of floats
  mean    complex128, of a sum and its count; and as x, or its part

'out' is the expression of the result over a, if it is not a itself; 'divided':
floats are divided by a number of the launch, as accumulators, so that a mean is
rounded once. By default the number is 1, which changes none.

'own' is the set of types with kernels, if not all; other types are converted to
the type that the rule gives (via). Also along one axis, in which case the
accumulators of parts are folded once more as elements of their own type, or as
kernel_reduce_again says. 'inner': the function is not in reduce.c; "part":
there is no function of that name.
]]
local reductions <const> = {
  { "sum", "ALL", "0", "x", "plus(a, b)", folds = "sum", alias = "long",
    divided = true },
  { "prod", "ALL", "1", "x", "times(a, b)", folds = "sum", alias = "long",
    own = "DIRECTWIDE" },
  { "min", "REAL", "highest((A)0)", "x", "a != a ? a : a < b ? a : b",
    folds = "same" },
  { "max", "REAL", "lowest((A)0)", "x", "a != a ? a : a > b ? a : b",
    folds = "same" },
  { "any", "ALL", "0", "nonzero(x)", "a | b", folds = "bool",
    alias = "signless", own = "DIRECT" },
  { "all", "ALL", "1", "nonzero(x)", "a & b", folds = "bool",
    alias = "signless", own = "DIRECT" },
  { "count_nonzero", "ALL", "0", "nonzero(x)", "a + b", folds = "count",
    alias = "signless", own = "DIRECT" },
  -- NaN stands for "no number so far"; types without NaN use min and max.
  { "nanmin", "FLOATS", "NAN", "x", "b != b ? a : a < b ? a : b",
    folds = "same", inner = true },
  { "nanmax", "FLOATS", "NAN", "x", "b != b ? a : a > b ? a : b",
    folds = "same", inner = true },
  -- The sum of the elements that are not NaN, and their number.
  { "nansum", "FLOATS", "0", "x != x ? 0 : x", "plus(a, b)", inner = "part" },
  { "numbers", "FLOATS", "0", "x == x", "a + b", folds = "numbers",
    inner = "part" },
  -- Both at once, as the parts of a complex number. If accumulators are folded
  -- once more, the quotient is not taken yet.
  { "nanmean", "FLOATS", "0", "make_c128(x != x ? 0 : x, x == x)",
    "plus(a, b)", out = "a.re / a.im", folds = "mean", inner = "part" },
  { "sum_mean", "C128", "0", "x", "plus(a, b)", out = "a.re / a.im",
    folds = "mean", inner = "part" },
  -- Norms of vectors: squares are accumulators. If parts were added up, the
  -- root is not taken yet.
  { "sum_abs", "FLOATS", "0", "absolute(x)", "plus(a, b)", inner = "part" },
  { "euclid", "FLOATS", "0", "times((A)x, (A)x)", "plus(a, b)",
    out = "sqrt(a)", inner = "part" },
  { "root_sum", "F64", "0", "x", "plus(a, b)", out = "sqrt(a)",
    inner = "part" }
}

--[[
{ name, set, neutral, join }: folds the elements of a line one after the other
and keeps all intermediate results, with the accumulator of 'sum'. Types without
kernels go by way of int64 or wider floats.
]]
local scans <const> = {
  -- -0.0 changes no float, not even -0.0.
  { "cumsum", "RUNNING", "-0.0", "plus(a, b)", alias = "long" },
  { "cumprod", "RUNNING", "1", "times(a, b)", alias = "long" },
  { "cummax", "ROUNDED", "lowest((A)0)", "a != a ? a : a > b ? a : b" },
  { "cummin", "ROUNDED", "highest((A)0)", "a != a ? a : a < b ? a : b" }
}

--[[
{ name, set, before }: the place along an axis of the first x that comes before
all others; NaN does anyway. 'fold': the reduction that gives this x, which the
host device uses.
]]
local finds <const> = {
  { "argmin", "DIRECT", "x < y", fold = "min", unit = "min" },
  { "argmax", "DIRECT", "x > y", fold = "max", unit = "max" }
}

--- z[i] = first + i*step; z[i] = x[i], limited to [lo, hi]; with numbers for
-- NaN, infinity, -infinity; with fewer decimals; whether x[i] is near y[i];
-- products of matrices.
local arange <const> = { "arange", "NUMBER", alias = "signless" }
local clip <const> = { "clip", "PLAIN" }
local nan_to_num <const> = { "nan_to_num", "FLOATS" }
local round_to <const> = { "round_to", "FLOATS" }
local isclose <const> = { "isclose", "FLOATS" }
local matmul <const> = { "matmul", "FACTORS", alias = "signless" }

--}}

return {
  dtypes = dtypes, sets = sets, union = union,
  binary = binary, unary = unary, casts = casts, reductions = reductions,
  scans = scans, finds = finds, arange = arange, clip = clip,
  nan_to_num = nan_to_num, round_to = round_to, isclose = isclose,
  matmul = matmul, by_width = by_hand.by_width, by_type = by_hand.by_type,
  parts = require "kernels.parts"
}
