/*
** softmax.c - softmax, logsoftmax: exponentials divided by their sum along an
** axis; logsumexp: the logarithm of that sum. The exponents are the distances
** below the maximum, so that nothing overflows. The first two have a kernel
** (kernels/softmax.cu); rows that are too long for it, and columns that are too
** few, are computed in steps.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* Raises for complex numbers, because they are in no order. */
static void check_real (lua_State *L, const Array *a, const char *name) {
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    error_raise(L, "'%s' is not defined for %s arrays", name,
                dtype_name(a->dtype));
}

/* Pushes x folded along the axis, with keepdims. */
static int fold (lua_State *L, const char *name, int x, int axis) {
  lua_createtable(L, 0, 2);
  lua_pushinteger(L, axis + 1);
  lua_setfield(L, -2, "axis");
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "keepdims");
  return composed_call(L, name, x, 1);
}

/* Pushes x in the float dtype of the computation; '*t': that of the result. */
static int push_floats (lua_State *L, const Array *a, DType *t) {
  *t = (dtype_kind(a->dtype) < KIND_FLOAT) ? DTYPE_FLOAT64 : a->dtype;
  array_push_cast(L, 1, dtype_is_half(*t) ? DTYPE_FLOAT32 : *t);
  return lua_gettop(L);
}

static void push_softmax (lua_State *L, int x, int axis, bool log) {
  x = composed_binary(L, "sub", x, fold(L, "max", x, axis));
  if (log) {
    int sum = fold(L, "sum", composed_unary(L, "exp", x), axis);
    composed_binary(L, "sub_", x, composed_unary(L, "log_", sum));
  } else {
    x = composed_unary(L, "exp_", x);
    composed_binary(L, "div_", x, fold(L, "sum", x, axis));
  }
}

static void launch (lua_State *L, RtStream *s, Array *z, const Array *x,
                    Lines at, SoftmaxPlan p, bool log) {
  size_t logs = log, chunks = 1;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &at.outer, &at.n, &at.inner, &chunks, &logs};
  launch_blocks(L, s, &op, kernel_softmax((DType)z->dtype), p.grid, p.block,
                params);
}

/* Computes the array at 1, which has elements, in one launch. */
static int at_once (lua_State *L, DType t, Lines at, int options, bool log) {
  Target to;
  Array *a = array_check(L, 1), *x = operand_push_dense(L, 1, t);
  RtStream *s = current_get_stream(L, a->dev);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  operand_push_out(L, &to, options, &like, t, s, x, NULL);
  launch(L, s, to.z, x, at, kernel_plan_softmax(t, at.outer, at.n, at.inner),
         log);
  return operand_return(L, &to, s);
}

static int in_steps (lua_State *L, int axis, int options, bool log) {
  DType t;
  Array *a = array_check(L, 1);
  int x = push_floats(L, a, &t);
  if (a->size > 0)
    push_softmax(L, x, axis, log);
  else
    array_new(L, a->dev, t, a->ndim, a->shape, current_get_stream(L, a->dev));
  array_push_cast(L, lua_gettop(L), t);
  return result_deliver_out(L, options, current_get_stream(L, a->dev));
}

/* f(a [, axis] [, { axis=, out= }]): the last axis by default. */
static int compute (lua_State *L, const char *name, bool log) {
  int axis;
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  int options = operand_opt_axis(L, 2, a->ndim, operand_axis_out, &axis);
  argerror_check(L, a->ndim > 0, 1, "an array of at least one axis expected");
  check_real(L, a, name);
  DType t = (dtype_kind(a->dtype) < KIND_FLOAT) ? DTYPE_FLOAT64 : a->dtype;
  axis = (axis < 0) ? a->ndim - 1 : axis;
  Lines at = operand_lines(a, axis);
  if (a->size > 0 && kernel_plan_softmax(t, at.outer, at.n, at.inner).held)
    return at_once(L, t, at, options, log);
  return in_steps(L, axis, options, log);
}

static int array_softmax (lua_State *L) { return compute(L, "softmax", false); }

/* logsoftmax: the logarithm of softmax, finite also where that is 0. */
static int array_logsoftmax (lua_State *L) {
  return compute(L, "logsoftmax", true);
}

/* {== logsumexp ======================================================= */

/* Pushes the greatest element of each line of x, but 0 in place of infinities,
** from which no distance is a number. */
static int push_greatest (lua_State *L, int x, int axes) {
  int most = composed_reduce(L, "max", x, axes);
  int infinite = composed_unary(L, "isinf", most);
  lua_pushinteger(L, 0);
  lua_pushvalue(L, most);
  return composed_call(L, "where", infinite, 2);
}

/* Pushes the logarithms of the sums of exponentials, with kept axes. */
static int push_logsumexp (lua_State *L, int x, int axes) {
  if (array_check(L, x)->size == 0) {
    int sum = composed_reduce(L, "sum", x, axes);
    return composed_unary(L, "log_", sum);
  }
  int most = push_greatest(L, x, axes);
  x = composed_unary(L, "exp_", composed_binary(L, "sub", x, most));
  int sum = composed_unary(L, "log_", composed_reduce(L, "sum", x, axes));
  return composed_binary(L, "add_", sum, most);
}

/*
** logsumexp(a [, axis] [, { axis=, keepdims=, out= }]) -> the logarithm of the
** sum of exponentials, along axes, or of all elements; -inf of no elements.
*/
static int array_logsumexp (lua_State *L) {
  static const char *const names[] = {"axis", "keepdims", "out", NULL};
  Reduction r;
  DType t;
  reduce_read(L, &r, names);
  check_real(L, r.a, "logsumexp");
  lua_pushvalue(L, r.options);
  int options = lua_gettop(L), axes = composed_kept_axes(L, &r);
  push_logsumexp(L, push_floats(L, r.a, &t), axes);
  shape_push_reshaped(L, lua_gettop(L), r.like.ndim, r.like.shape);
  array_push_cast(L, lua_gettop(L), t);
  return result_deliver_out(L, options, current_get_stream(L, r.a->dev));
}

/* ==} */

static const Function functions[] = {
  {"logsoftmax", array_logsoftmax, 3},
  {"logsumexp", array_logsumexp, 3},
  {"softmax", array_softmax, 3},
  {NULL, NULL, 0},
};

void open_softmax (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
