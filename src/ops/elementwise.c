/*
** elementwise.c - elementwise operations: operators and functions. Each
** operation of kernels/table.lua is a function of the module and a method of
** Array: add(x, y [, { out= }]), x:add(y), in place x:add_(y), x:exp_().
*/
#include "array/array.h"
#include "array/complex.h"
#include "array/dtype.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "base/type.h"
#include "complex_math.h"
#include "composed.h"
#include "device/current.h"
#include "elementwise.h"
#include "op_dtypes.h"
#include "openers.h"
#include "power.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "strides.h"
#include "symbol.h"

/* {== operands ======================================================== */

/* Returns the open Array at 'arg', or NULL for a number, boolean or Complex. */
static Array *check_operand (lua_State *L, int arg) {
  Array *a = array_test(L, arg);
  if (a != NULL)
    array_check_open(L, arg, a);
  else if (array_test_any(L, arg) != NULL)
    argerror_raise(L, arg, "%s", array_no_host);
  else if (!dtype_is_scalar(L, arg))
    type_error(L, arg, "tide.Array, number or boolean");
  return a;
}

/* Returns the array for results before they are narrowed: z itself, or a pushed
** array of its shape. */
static Array *widened (lua_State *L, RtStream *s, Array *z, DType made) {
  return (z->dtype == made) ? z
                            : array_new(L, z->dev, made, z->ndim, z->shape, s);
}

/* Raises that a result of dtype 't' cannot take the place of the array. 'cast':
** a second operand of the array's dtype would help. */
static void refuse_inplace (lua_State *L, const Array *first, bool two,
                            bool cast, DType t) {
  const char *why = result_push_unfit(L, first, cast, t);
  if (two)
    argerror_raise(L, 2, "%s", why);
  error_raise(L, "%s", why);
}

/* Checks that the first operand can take the result. If not, errors name the
** second operand, if there is one. */
static Array *push_first (lua_State *L, Array *first, int op, const Like *like,
                          DType t) {
  if (first->dtype != t)
    refuse_inplace(L, first, op >= 0,
                   op >= 0 && array_test(L, 2) != NULL &&
                     kernel_binary_dtype((BinaryOp)op, first->dtype) ==
                       (int)first->dtype,
                   t);
  result_check(L, 1, "the array", first, like, t);
  lua_pushvalue(L, 1);
  return first;
}

/* ==} */

/* {== binary ========================================================== */

/* Tells whether it is the uint64 operand in a comparison with signed
** integers. */
static bool is_bits (const Operand *x, const BinaryTypes *t) {
  return t->mixed && x->array->dtype == DTYPE_UINT64;
}

/* Pushes the number at 'arg' in the dtype of the computation. */
static void push_number (lua_State *L, int arg, const BinaryTypes *t) {
  if (dtype_kind(t->own) == KIND_FLOAT && lua_isinteger(L, arg))
    lua_pushnumber(L, dtype_float_beside(L, arg, t->beside));
  else
    lua_pushvalue(L, arg);
}

/* Reads the number at 'arg' in the operands' dtype, which may be narrower than
** that of the computation. */
static void read_number (lua_State *L, Element *x, int arg,
                         const BinaryTypes *t) {
  push_number(L, arg, t);
  const char *bad = dtype_read_element(L, -1, t->own, x);
  if (bad != NULL)
    argerror_raise(L, arg, "%s", bad);
  if (t->own != t->in) {
    dtype_push_element(L, x, t->own);
    dtype_read_element(L, -1, t->in, x);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Reads the operand at 'arg'. Returns its index then: a cast array stays on the
** stack. */
static int read_operand (lua_State *L, Operand *x, int arg,
                         const BinaryTypes *t) {
  if (x->array == NULL) {
    read_number(L, &x->value, arg, t);
    return arg;
  }
  if (x->array->dtype != t->in && !is_bits(x, t)) {
    x->array = array_push_cast(L, arg, t->in);
    arg = lua_gettop(L);
  }
  x->value.bits = array_pointer(x->array);
  return arg;
}

/* Describes the result of two operands, at least one of which is an array.
** Returns their common dtype. */
static DType common (lua_State *L, Array *x, Array *y, Like *like) {
  if (x == NULL && y == NULL)
    argerror_raise(L, 1, "at least one operand must be a tide.Array");
  like->of = (x == NULL) ? y : x;
  like->ndim = like->of->ndim;
  like->shape = like->of->shape;
  if (x == NULL || y == NULL)
    return dtype_promote_scalar(L, x == NULL ? 1 : 2, like->of->dtype);
  array_check_devices(L, x, y);
  if (!array_same_shape(x, y)) {
    like->ndim = layout_broadcast(L, x, y, like->wide);
    like->shape = like->wide;
  }
  return (x->dtype == y->dtype) ? x->dtype : dtype_promote(x->dtype, y->dtype);
}

/* Copies an operand that overlaps z, so that it can be read while z is written;
** the copy stays on the stack. */
static void keep_apart (lua_State *L, RtStream *s, const Array *z, Operand *x,
                        int arg) {
  if (x->array == NULL || x->array->block != z->block)
    return;
  x->array = stride_push_safe(L, s, z, arg, x->array);
  x->value.bits = array_pointer(x->array);
}

static bool is_dense (const Operand *x) {
  return x->array == NULL || x->array->dense;
}

/* Makes array operands fit for the kernels. */
static void straighten (lua_State *L, RtStream *s, Array *z, Operand *x,
                        Operand *y) {
  if (is_dense(x) && is_dense(y))
    return;
  stride_reorder(L, s, z, &x->array, &y->array);
  if (x->array != NULL)
    x->value.bits = array_pointer(x->array);
  if (y->array != NULL)
    y->value.bits = array_pointer(y->array);
}

/* Compares integers with a number that their dtype does not have: the result is
** the same for all of them. */
static int compare_outside (lua_State *L, BinaryOp op, int side, Array *z) {
  lua_pushboolean(L, op_dtype_outside(op, side));
  array_fill_with(L, current_get_stream(L, z->dev), z, lua_gettop(L));
  lua_pop(L, 1);
  return 1;
}

/* Returns an operand's dtype; for a number, that beside the other operand. */
static DType own_dtype (lua_State *L, const Operand *x, int arg,
                        const Operand *other) {
  return (x->array != NULL) ? x->array->dtype
                            : dtype_promote_scalar(L, arg, other->array->dtype);
}

/* Returns the operation that computes the result, and its types. */
static BinaryOp choose_op (lua_State *L, BinaryOp op, const Operand *x,
                           const Operand *y, Like *like, BinaryTypes *t) {
  DType both = common(L, x->array, y->array, like);
  if (op == BINARY_ldexp) {
    DType n = (y->array != NULL) ? y->array->dtype : dtype_infer(L, 2);
    *t = op_dtype_ldexp(L, own_dtype(L, x, 1, y), n);
    return op;
  }
  bool differ = x->array != NULL && y->array != NULL &&
                x->array->dtype != y->array->dtype;
  int mixed = differ ? op_dtype_mixed_op(op, x->array->dtype, y->array->dtype)
                     : -1;
  if (mixed >= 0)
    op = (BinaryOp)mixed;
  op = op_dtype_op(op, both);
  *t = op_dtype_binary(L, op, mixed >= 0 ? DTYPE_INT64 : both);
  t->mixed = (mixed >= 0);
  return op;
}

/* Returns the kind of power by a number, and its types. */
static Power choose_power (lua_State *L, BinaryOp op, const Operand *y,
                           BinaryTypes *t) {
  Power p = (op == BINARY_pow && y->array == NULL) ? power_kind(L, 2, t->own)
                                                   : POWER_OTHER;
  *t = power_dtypes(L, p, *t);
  return p;
}

/* Pushes the result for the operands at 1 and 2: a new array, option 'out' of
** the table at 3, or the first operand. */
static int binary (lua_State *L, BinaryOp op, bool in_place) {
  Like like;
  Runtime *rt = state_rt(L);
  lua_settop(L, 3);
  if (!in_place && symbol_is_traced(L, rt, 2))
    return symbol_trace_binary(L, op);
  Operand x = {check_operand(L, 1), {0}}, y = {check_operand(L, 2), {0}};
  Array *first = x.array;
  BinaryTypes t;
  op = choose_op(L, op, &x, &y, &like, &t);
  Power p = choose_power(L, op, &y, &t);
  RtStream *s = current_get_stream(L, like.of->dev);
  int side = (x.array == NULL)   ? -dtype_outside(L, 1, t.in)
             : (y.array == NULL) ? dtype_outside(L, 2, t.in)
                                 : 0;
  bool outside = (side != 0 && t.result == DTYPE_BOOL);
  int atx = outside ? 1 : read_operand(L, &x, 1, &t);
  int aty = outside ? 2 : read_operand(L, &y, 2, &t);
  Array *z = in_place ? push_first(L, first, (int)op, &like, t.result)
                      : result_push(L, 3, &like, t.result, s);
  int top = lua_gettop(L);
  if (outside)
    return compare_outside(L, op, side, z);
  if (z->size == 0)
    return 1;
  Array *wide = widened(L, s, z, t.made);
  keep_apart(L, s, wide, &x, atx);
  keep_apart(L, s, wide, &y, aty);
  straighten(L, s, wide, &x, &y);
  bool turned = is_bits(&x, &t);
  if (p != POWER_OTHER)
    power_launch(L, s, p, t.in, wide, &x);
  else
    elementwise_binary(L, s, op, t.in, wide, turned ? &y : &x,
                       turned ? &x : &y);
  if (wide != z)
    array_cast(L, s, z, wide);
  array_drop(L, top);
  return array_return(L, 3);
}

/* x:op_(y) -> x: the result in place of x, whose dtype stays. */
static int in_place (lua_State *L, BinaryOp op) {
  array_check(L, 1);
  lua_settop(L, 2);
  return binary(L, op, true);
}

#define MIXED(op) /* has no name of its own */
#define BINARY(op) \
  static int array_##op(lua_State *L) { \
    return binary(L, BINARY_##op, false); \
  } \
  static int array_##op##_(lua_State *L) { return in_place(L, BINARY_##op); }
#include "rt/kernels/operations.def"

/* ==} */

/* {== unary =========================================================== */

/* Pushes the target for the array at 1: that array, option 'out' of the table
** at 2, or a new array. */
static Array *push_target (lua_State *L, bool in_place, Array *a, DType t,
                           RtStream *s) {
  const Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  return in_place ? push_first(L, a, -1, &like, t)
                  : result_push(L, 2, &like, t, s);
}

/* conj, real or imag of real numbers, and rounding of integers: the operand
** itself or 0. */
static int of_real (lua_State *L, UnaryOp op, Array *a, bool in_place) {
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = push_target(L, in_place, a, a->dtype, s);
  if (op != UNARY_imag) {
    array_copyto(L, s, z, a);
    return 1;
  }
  lua_pushboolean(L, false);
  array_fill_with(L, s, z, lua_gettop(L));
  lua_pop(L, 1);
  return 1;
}

/* isnan, isinf and isfinite of integers and booleans. */
static int of_whole (lua_State *L, UnaryOp op, Array *a, bool in_place) {
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = push_target(L, in_place, a, DTYPE_BOOL, s);
  lua_pushboolean(L, op == UNARY_isfinite);
  array_fill_with(L, s, z, lua_gettop(L));
  lua_pop(L, 1);
  return 1;
}

void elementwise_map (lua_State *L, RtStream *s, UnaryOp op, int at, Array *x,
                      Array *z) {
  int top = lua_gettop(L);
  Array *wide = widened(L, s, z, (DType)kernel_unary_dtype(op, x->dtype));
  x = stride_push_safe(L, s, wide, at, x);
  stride_reorder(L, s, wide, &x, &(Array *){NULL});
  elementwise_unary(L, s, op, wide, x);
  if (wide != z)
    array_cast(L, s, z, wide);
  array_drop(L, top);
}

/* Pushes the result for the operand at 1 and the options at 2. */
static int unary (lua_State *L, UnaryOp op, bool in_place) {
  Runtime *rt = state_rt(L);
  if (op == UNARY_round && lua_type(L, 2) == LUA_TNUMBER)
    return composed_round(L, in_place);
  if (op == UNARY_round && !lua_isnoneornil(L, 2) && !lua_istable(L, 2))
    type_error(L, 2, "integer or options table");
  lua_settop(L, 2);
  if (!in_place && symbol_is_traced(L, rt, 1))
    return symbol_trace_unary(L, op);
  Array *a = array_check(L, 1);
  if (op_dtype_is_whole(op, a->dtype) || op_dtype_is_real(op, a->dtype))
    return of_real(L, op, a, in_place);
  if (dtype_kind(a->dtype) < KIND_FLOAT &&
      (op == UNARY_isnan || op == UNARY_isinf || op == UNARY_isfinite))
    return of_whole(L, op, a, in_place);
  RtStream *s = current_get_stream(L, a->dev);
  DType t = op_dtype_unary(L, op, a->dtype);
  DType result = op_dtype_narrow((DType)kernel_unary_dtype(op, t), a->dtype);
  Array *x = array_push_cast(L, 1, t);
  Array *z = push_target(L, in_place, a, result, s);
  if (z->size > 0)
    elementwise_map(L, s, op, 3, x, z);
  return array_return(L, 2);
}

#define INNER(op) /* part of a function of another file */
#define UNARY(op) \
  static int array_##op(lua_State *L) { return unary(L, UNARY_##op, false); } \
  static int array_##op##_(lua_State *L) { return unary(L, UNARY_##op, true); }
#include "rt/kernels/operations.def"

/* positive(x [, { out= }]) -> +x, which is a copy. */
static int array_positive (lua_State *L) {
  Runtime *rt = state_rt(L);
  lua_settop(L, 2);
  if (symbol_is_traced(L, rt, 1))
    return symbol_trace_positive(L);
  Array *a = array_check(L, 1);
  if (a->dtype == DTYPE_BOOL)
    return error_raise(L, "'positive' is not defined for bool arrays");
  return of_real(L, UNARY_real, a, false);
}

/* Lua passes the operand of a unary operator twice. */
static int array__unm (lua_State *L) {
  entry_drop_args(L, 1);
  return array_neg(L);
}

static int array__bnot (lua_State *L) {
  entry_drop_args(L, 1);
  return array_bnot(L);
}

/* Returns a hint in case one operand is an array without axes. */
static const char *number_hint (lua_State *L) {
  for (int arg = 1; arg <= 2; arg++) {
    const Array *a = array_test(L, arg);
    if (a != NULL && a->ndim == 0)
      return "; a:item() is the number of a 0-d array";
  }
  return "";
}

/* Lua would convert the result to a boolean; it calls b < a for a > b. */
static int array__lt (lua_State *L) {
  return error_raise(L,
                     "'<' and '>' give one boolean in Lua, for arrays use "
                     "a:lt(b), a:gt(b)%s",
                     number_hint(L));
}

static int array__le (lua_State *L) {
  return error_raise(L,
                     "'<=' and '>=' give one boolean in Lua, for arrays use "
                     "a:le(b), a:ge(b)%s",
                     number_hint(L));
}

/* ==} */

/* Only round has decimals as well. */
#define UNARY_ARGS(op, n) ((n) + (UNARY_##op == UNARY_round))

static const Function functions[] = {
#define MIXED(op) /* has no name of its own */
#define INNER(op) /* nor have these */
#define BINARY(op) {#op, array_##op, 3},
#define UNARY(op) {#op, array_##op, UNARY_ARGS(op, 2)},
#include "rt/kernels/operations.def"
  {"positive", array_positive, 2},
  {NULL, NULL, 0},
};

static const Function methods[] = {
#define MIXED(op) /* has no name of its own */
#define INNER(op)
#define BINARY(op) {#op "_", array_##op##_, 2},
#define UNARY(op) {#op "_", array_##op##_, UNARY_ARGS(op, 1)},
#include "rt/kernels/operations.def"
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__add", array_add, 2},
  {"__band", array_band, 2},
  {"__bnot", array__bnot, 2},
  {"__bor", array_bor, 2},
  {"__bxor", array_bxor, 2},
  {"__div", array_div, 2},
  {"__idiv", array_floordiv, 2},
  {"__le", array__le, 2},
  {"__lt", array__lt, 2},
  {"__mod", array_mod, 2},
  {"__mul", array_mul, 2},
  {"__pow", array_pow, 2},
  {"__shl", array_lshift, 2},
  {"__shr", array_rshift, 2},
  {"__sub", array_sub, 2},
  {"__unm", array__unm, 2},
  {NULL, NULL, 0},
};

/* Operators of a Complex on the left, beside an array or a number. */
#define OF_COMPLEX(op) \
  static int complex__##op(lua_State *L) { \
    return complex_math_binary(L, BINARY_##op) ? 1 : array_##op(L); \
  }
OF_COMPLEX(add)
OF_COMPLEX(div)
OF_COMPLEX(mul)
OF_COMPLEX(pow)
OF_COMPLEX(sub)

static const Function of_complex[] = {
  {"__add", complex__add, 2}, {"__div", complex__div, 2},
  {"__mul", complex__mul, 2}, {"__pow", complex__pow, 2},
  {"__sub", complex__sub, 2}, {NULL, NULL, 0},
};

void open_elementwise (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
  class_add_methods(L, &array_class, methods);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &array_class);
  class_set_funcs(L, metamethods);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &complex_class);
  class_set_funcs(L, of_complex);
  lua_pop(L, 2);
}
