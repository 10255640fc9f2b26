/*
** isclose.c - which elements of two arrays are near each other, by NumPy's
** rule: |x - y| <= atol + rtol |y| if y is finite, else x and y are equal.
** There is a kernel for floats. Symbols, complex numbers and an x that is wider
** than y are computed in steps, each rounded as in the kernel.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "symbol.h"

int composed_tolerance (lua_State *L, const char *const names[], Tolerance *t) {
  int options = 3;
  *t = (Tolerance){1e-5, 1e-8, false};
  if (!lua_istable(L, options))
    t->rtol = arg_opt_number(L, options++, t->rtol);
  if (options == 4 && !lua_istable(L, options))
    t->atol = arg_opt_number(L, options++, t->atol);
  if (option_check(L, options, names)) {
    t->rtol = option_number(L, options, "rtol", t->rtol);
    t->atol = option_number(L, options, "atol", t->atol);
    t->nan = option_flag(L, options, "equal_nan", false);
  }
  entry_check_end(L, options + 1);
  return options;
}

/* {== steps =========================================================== */

static DType dtype_of (lua_State *L, int x) {
  class_push_field(L, x, "dtype");
  DType t = dtype_check(L, lua_gettop(L));
  lua_pop(L, 1);
  return t;
}

/* Converts y, to which the tolerance is relative, to floats. */
static int as_floats (lua_State *L, int y) {
  if (dtype_kind(dtype_of(L, y)) >= KIND_FLOAT)
    return y;
  lua_pushliteral(L, "float64");
  return composed_binary(L, "astype", y, lua_gettop(L));
}

/* isfinite of complex numbers: only finite ones give 0 when they are subtracted
** from themselves. */
static int finite (lua_State *L, int x) {
  if (dtype_kind(dtype_of(L, x)) != KIND_COMPLEX)
    return composed_unary(L, "isfinite", x);
  return composed_scalar(L, "eq", composed_binary(L, "sub", x, x), 0);
}

static int both (lua_State *L, const char *name, int x, int y) {
  int a = composed_unary(L, name, x);
  return composed_binary(L, "band", a, composed_unary(L, name, y));
}

static int near_in_steps (lua_State *L, int x, int y, const Tolerance *t) {
  int far = composed_unary(L, "abs", composed_binary(L, "sub", x, y));
  int most = composed_scalar(L, "mul", composed_unary(L, "abs", y), t->rtol);
  most = composed_scalar(L, "add", most, t->atol);
  int z = composed_binary(L, "le", far, most);
  z = composed_binary(L, "band", z, finite(L, y));
  z = composed_binary(L, "bor", z, composed_binary(L, "eq", x, y));
  return t->nan ? composed_binary(L, "bor", z, both(L, "isnan", x, y)) : z;
}

/* ==} */

/* {== in one launch =================================================== */

/* Tells whether x can be compared in the dtype of y, a float. */
static bool has_kernel (const Array *x, const Array *y) {
  return dtype_kind(y->dtype) == KIND_FLOAT &&
         dtype_promote(x->dtype, y->dtype) == (DType)y->dtype;
}

/* Pushes the array at 'arg' in the shape of z, dense, in dtype 't'. */
static Array *push_side (lua_State *L, int arg, DType t, const Array *z) {
  Array *a = array_push_cast(L, arg, t);
  if (!array_same_shape(a, z))
    shape_push_broadcast(L, lua_gettop(L), a, z->ndim, z->shape);
  return array_push_dense(L, -1);
}

static void launch (lua_State *L, RtStream *s, Array *z, const Array *x,
                    const Array *y, const Tolerance *t) {
  Element rtol = {0}, atol = {0};
  int64_t nan = t->nan;
  lua_pushnumber(L, t->rtol);
  dtype_read_element(L, -1, y->dtype, &rtol);
  lua_pushnumber(L, t->atol);
  dtype_read_element(L, -1, y->dtype, &atol);
  lua_pop(L, 2);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), py = launch_reads(&op, y),
              pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &py, &rtol, &atol, &nan, &z->size};
  KernelId id = kernel_isclose((DType)y->dtype);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

static int near_at_once (lua_State *L, int x, int y, const Tolerance *t) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, x), *b = array_check(L, y);
  int ndim = layout_broadcast(L, a, b, shape);
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = array_new(L, a->dev, DTYPE_BOOL, ndim, shape, s);
  int top = lua_gettop(L);
  DType in = (DType)b->dtype;
  a = push_side(L, x, in, z);
  b = push_side(L, y, in, z);
  if (z->size > 0)
    launch(L, s, z, a, b, t);
  array_drop(L, top);
  return top;
}

/* ==} */

int composed_near (lua_State *L, int x, int y, const Tolerance *t) {
  x = lua_absindex(L, x);
  y = as_floats(L, lua_absindex(L, y));
  const Array *a = array_test(L, x), *b = array_test(L, y);
  return (a != NULL && b != NULL && has_kernel(a, b))
           ? near_at_once(L, x, y, t)
           : near_in_steps(L, x, y, t);
}

static const char *const names[] = {"rtol", "atol", "equal_nan", "out", NULL};

/* Pushes a Symbol for the operand. A number has its own dtype, or that of the
** other operand's integers. */
static int push_symbol (lua_State *L, int arg, int other) {
  Trace *t = symbol_current_trace(L);
  int node = symbol_operand_node(L, arg),
      beside = symbol_operand_node(L, other);
  node = symbol_node_beside(L, node, beside);
  symbol_push(L, t, symbol_cast_node(L, node, t->at[node].t));
  return lua_gettop(L);
}

static int trace_near (lua_State *L) {
  Tolerance t;
  int options = composed_tolerance(L, names, &t);
  if (result_get_out(L, options))
    return error_raise(L, "in a fused function there is no option 'out'");
  int x = push_symbol(L, 1, 2);
  composed_near(L, x, push_symbol(L, 2, 1), &t);
  return 1;
}

/*
** isclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan=, out= }]) ->
** which elements are near; operands are any values that tide.asarray takes.
*/
int composed_isclose (lua_State *L) {
  Tolerance t;
  Runtime *rt = state_rt(L);
  lua_settop(L, 5);
  if (symbol_is_traced(L, rt, 2))
    return trace_near(L);
  int options = composed_tolerance(L, names, &t);
  RtDevice *dev = composed_device(L);
  RtStream *s = current_get_stream(L, dev);
  int x = composed_operand(L, 1, composed_beside(L, 2), dev, s);
  int y = composed_operand(L, 2, composed_beside(L, 1), dev, s);
  array_check_devices(L, array_check(L, x), array_check(L, y));
  composed_near(L, x, y, &t);
  return result_deliver_out(L, options, s);
}
