/*
** where_clip.c - where and clip: select elements of one operand or another. See
** kernels/select.cu and 'clip' of kernels/table.lua.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "mask.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "symbol.h"

/* {== where =========================================================== */

/* A source of elements: an array, or the bits of a number. */
typedef struct WhereSource {
  Array *array;
  Element bits;
} WhereSource;

/* Returns the source at 'arg' as an Array, or NULL for a number. */
static Array *check_side (lua_State *L, int arg) {
  Array *a = array_test(L, arg);
  if (a != NULL)
    array_check_open(L, arg, a);
  else if (!dtype_is_scalar(L, arg))
    type_error(L, arg, "tide.Array, number or boolean");
  return a;
}

/* Returns the common dtype of x, at 2, and y, at 3. */
static DType common_dtype (lua_State *L, const Array *x, const Array *y) {
  if (x != NULL && y != NULL)
    return dtype_promote(x->dtype, y->dtype);
  if (x != NULL)
    return dtype_promote_scalar(L, 3, x->dtype);
  if (y != NULL)
    return dtype_promote_scalar(L, 2, y->dtype);
  return dtype_promote(dtype_infer(L, 2), dtype_infer(L, 3));
}

/* Finds the common shape of the arrays at 1 to 3. */
static int common_shape (lua_State *L, Array *const all[3],
                         int64_t shape[MAX_DIMS]) {
  const Array *a = all[0];
  int ndim = layout_broadcast(L, a, a, shape);
  for (int i = 1; i < 3; i++) {
    if (all[i] == NULL)
      continue;
    array_check_devices(L, all[0], all[i]);
    ndim = layout_broadcast(L, a, all[i], shape);
    if (ndim != a->ndim ||
        memcmp(shape, a->shape, (size_t)ndim * sizeof *shape) != 0)
      a = array_push(L, &array_class, a->dev, a->dtype, ndim, shape);
  }
  return ndim;
}

/* Pushes the array at 'arg' in that shape, dense, in dtype 't'. */
static Array *push_wide (lua_State *L, int arg, Array *a, DType t,
                         const Array *z) {
  a = array_push_cast(L, arg, t);
  if (!array_same_shape(a, z))
    a = shape_push_broadcast(L, arg, a, z->ndim, z->shape);
  return array_push_dense(L, -1);
}

/* Pushes an array of the number at 'arg', which does not fit the kernel. */
static Array *push_number (lua_State *L, int arg, const Array *z) {
  RtStream *s = current_get_stream(L, z->dev);
  Array *a = array_new(L, z->dev, z->dtype, 0, NULL, s);
  array_fill_with(L, s, a, arg);
  return a;
}

/* Reads one source for 'z'; arrays made for it stay on the stack. */
static void read_side (lua_State *L, WhereSource *x, int arg, const Array *z) {
  const char *bad = NULL;
  if (x->array == NULL && dtype_size(z->dtype) > sizeof x->bits.bits) {
    x->array = push_number(L, arg, z);
    arg = lua_gettop(L);
  }
  if (x->array != NULL)
    x->array = push_wide(L, arg, x->array, z->dtype, z);
  else
    bad = dtype_read_element(L, arg, z->dtype, &x->bits);
  if (bad != NULL)
    argerror_raise(L, arg, "%s", bad);
}

static CUdeviceptr reads_side (Op *op, const WhereSource *x) {
  return (x->array != NULL) ? launch_reads(op, x->array) : 0;
}

/* Pushes an array for a condition that is a number or boolean, beside 'a'.
** Returns its index. */
static int push_condition (lua_State *L, const Array *a) {
  RtStream *s = current_get_stream(L, a->dev);
  Array *c = array_new(L, a->dev, DTYPE_BOOL, 0, NULL, s);
  lua_pushboolean(L, lua_type(L, 1) == LUA_TBOOLEAN ? lua_toboolean(L, 1)
                                                    : lua_tonumber(L, 1) != 0);
  array_fill_with(L, s, c, lua_gettop(L));
  lua_pop(L, 1);
  return lua_gettop(L);
}

/* where(cond, x, y [, { out= }]) -> x where cond is not 0, else y;
** where(cond [, { base=, size=, fill= }]) -> nonzero(cond). */
static int array_where (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Runtime *rt = state_rt(L);
  lua_settop(L, 4);
  if (symbol_is_traced(L, rt, 3))
    return symbol_trace_where(L);
  if (lua_isnil(L, 3) && lua_isnil(L, 4) &&
      (lua_isnil(L, 2) || lua_istable(L, 2)))
    return mask_nonzero(L);
  const bool single = lua_type(L, 1) == LUA_TNUMBER || lua_isboolean(L, 1);
  if (!single)
    (void)array_check(L, 1);
  WhereSource x = {check_side(L, 2), {0}}, y = {check_side(L, 3), {0}};
  int condition = 1;
  if (single && (x.array != NULL || y.array != NULL))
    condition = push_condition(L, x.array != NULL ? x.array : y.array);
  Array *c = array_check(L, condition);
  DType t = common_dtype(L, x.array, y.array);
  int ndim = common_shape(L, (Array *[]){c, x.array, y.array}, shape);
  RtStream *s = current_get_stream(L, c->dev);
  Array *z = array_new(L, c->dev, t, ndim, shape, s);
  int result = lua_gettop(L);
  read_side(L, &x, 2, z);
  read_side(L, &y, 3, z);
  c = push_wide(L, condition, c, DTYPE_BOOL, z);
  if (z->size > 0) {
    Op op;
    op_start(&op, OP_LAUNCH, NULL);
    CUdeviceptr pc = launch_reads(&op, c), px = reads_side(&op, &x),
                py = reads_side(&op, &y), pz = launch_writes(&op, z);
    void *params[] = {&pz, &pc, &px, &py, &x.bits, &y.bits, &z->size};
    KernelId id = kernel_by_width(BYWIDTH_where, t);
    launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
  }
  array_drop(L, result);
  return result_deliver(L, 4, s);
}

/* ==} */

/* {== clip ============================================================ */

/* Pushes a:name(bound, options), where the bound is at 'arg'. */
static void call_bound (lua_State *L, int a, const char *name, int arg,
                        int options) {
  a = lua_absindex(L, a);
  class_push_method(L, a, name);
  lua_pushvalue(L, a);
  lua_pushvalue(L, arg);
  if (options != 0)
    lua_pushvalue(L, options);
  entry_call(L, "clip", options != 0 ? 3 : 2, 1);
}

/* Returns the bound at 'arg' as an Array, or NULL for a number or nil. */
static Array *check_bound (lua_State *L, int arg) {
  if (lua_istable(L, arg))
    argerror_raise(L, arg,
                   "tide.Array, number or boolean expected, got table; the "
                   "arguments are lo, hi [, options], nil for no bound");
  return lua_isnil(L, arg) ? NULL : check_side(L, arg);
}

/* Returns the common dtype of 't' and the bound at 'arg', if there is one. */
static DType with_bound (lua_State *L, int arg, DType t) {
  const Array *a = check_bound(L, arg);
  return lua_isnil(L, arg) ? t
         : a != NULL       ? dtype_promote(t, a->dtype)
                           : dtype_promote_scalar(L, arg, t);
}

static int refuse_clip (lua_State *L, DType t) {
  return error_raise(L, "'clip' is not defined for %s arrays", dtype_name(t));
}

/* Copies the array, to option 'out' of the table at 4, as there are no
** bounds. */
static int copy_clipped (lua_State *L, Array *a) {
  const Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  RtStream *s = current_get_stream(L, a->dev);
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    return refuse_clip(L, a->dtype);
  Array *z = result_push(L, 4, &like, a->dtype, s);
  if (z != a)
    array_copyto(L, s, z, a);
  return array_return(L, 4);
}

/* Clips in a step for each bound, if a bound is an array, or one is missing.
** The array is at 'a'. */
static int clip_in_steps (lua_State *L, int a) {
  bool lo = !lua_isnil(L, 2), hi = !lua_isnil(L, 3);
  if (!lo && !hi)
    return copy_clipped(L, array_check(L, a));
  DType t = with_bound(L, 3, with_bound(L, 2, array_check(L, a)->dtype));
  if (dtype_kind(t) == KIND_COMPLEX)
    return refuse_clip(L, t);
  if (lo)
    call_bound(L, a, "maximum", 2, hi ? 0 : 4);
  if (hi)
    call_bound(L, lo ? -1 : a, "minimum", 3, 4);
  return array_return(L, 4);
}

/* z = x clipped to the numbers at 2 and 3. */
static void clip (lua_State *L, RtStream *s, Array *z, const Array *x) {
  Element lo = {0}, hi = {0};
  const char *bad = dtype_read_element(L, 2, z->dtype, &lo);
  argerror_check(L, bad == NULL, 2, "%s", bad);
  bad = dtype_read_element(L, 3, z->dtype, &hi);
  argerror_check(L, bad == NULL, 3, "%s", bad);
  if (z->size == 0)
    return;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &lo, &hi, &z->size};
  KernelId id = kernel_clip(z->dtype);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

/*
** clip(a [, lo [, hi [, { out= }]]]) -> elements below lo become lo, elements
** above hi become hi; either bound, or both, may be nil. NaN stays.
*/
static int array_clip (lua_State *L) {
  Target to;
  Runtime *rt = state_rt(L);
  lua_settop(L, 4);
  if (symbol_is_traced(L, rt, 3))
    return symbol_trace_clip(L);
  Array *a = array_check(L, 1);
  check_bound(L, 2);
  check_bound(L, 3);
  if (lua_type(L, 2) != LUA_TNUMBER || lua_type(L, 3) != LUA_TNUMBER)
    return clip_in_steps(L, 1);
  DType t = dtype_promote_scalar(L, 2, a->dtype);
  t = dtype_promote_scalar(L, 3, t);
  if (kernel_clip(t) < 0 && kernel_clip(kernel_wider(t)) >= 0) {
    array_push_cast(L, 1, t); /* by both bounds, before the first step */
    return clip_in_steps(L, 5);
  }
  if (kernel_clip(t) < 0)
    return refuse_clip(L, t);
  RtStream *s = current_get_stream(L, a->dev);
  Array *x = operand_push_dense(L, 1, t);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  operand_push_target(L, &to, 4, &like, t, s, x, NULL);
  clip(L, s, to.z, x);
  return operand_return(L, &to, s);
}

/* a:clip_(lo, hi) -> a */
static int array_clip_ (lua_State *L) {
  lua_settop(L, 3);
  DType own = array_check(L, 1)->dtype;
  DType t = with_bound(L, 3, with_bound(L, 2, own));
  if (t != own)
    return argerror_raise(L, 2, "a result of %s does not fit into %s",
                          dtype_name(t), dtype_name(own));
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, 4, "out");
  return array_clip(L);
}

/* ==} */

static const Function functions[] = {
  {"clip", array_clip, 4},
  {"where", array_where, 4},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"clip_", array_clip_, 3},
  {NULL, NULL, 0},
};

void open_where_clip (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
  class_add_methods(L, &array_class, methods);
}
