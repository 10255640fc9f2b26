/*
** scatter.c - scatter_add, scatter_min, scatter_max: combine values with the
** elements at indices, which may be repeated. sums.c adds floats. See
** kernels/scatter.h.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "indices.h"
#include "mask.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sums.h"

#include "kernels/scatter.h"
#include "rt/queue/op_types.h"

/* A call: z, which is 'a' or is copied back to it, the indices and the
** values. */
typedef struct ScatterCall {
  const char *name;
  int op;
  Array *a, *z;
  Lines at;
  Indices x;
  Values v;
} ScatterCall;

/* {== integers, minimum and maximum =================================== */

static void by_keys (lua_State *L, RtStream *s, ScatterCall *c) {
  DType t = (DType)c->a->dtype;
  size_t width = dtype_size(t);
  bool is_signed = dtype_is_float(t) ||
                   (dtype_kind(t) == KIND_INTEGER && !dtype_is_unsigned(t));
  uint64_t sign = (uint64_t)is_signed << (8 * width - 1) % 64;
  uint64_t inf = dtype_infinities[t];
  int op = (t == DTYPE_BOOL && c->op == SCATTER_ADD) ? SCATTER_MAX : c->op;
  int64_t code = SCATTER_CODE(op, width);
  size_t count = c->at.outer * c->x.array->size * c->at.inner;
  if (layout_overlaps(c->z, c->x.array)) /* z is written while they are read */
    indices_push_places(L, s, &c->x, (Lines){1, c->x.array->size, 1}, true);
  Check *check = indices_push_check(L, s, &c->x);
  int64_t *bad = index_error_word(check);
  Op o;
  op_start(&o, OP_LAUNCH, NULL);
  CUdeviceptr pi = launch_reads(&o, c->x.array),
              pv = launch_reads(&o, c->v.array), pz = launch_writes(&o, c->z);
  indices_plan_copy(&o, c->a, c->z);
  void *params[] = {
    &pz,          &pi,    &pv,     &c->at.n,   &c->x.array->size,
    &c->at.inner, &count, &c->v.n, &c->x.base, &c->x.mode,
    &sign,        &inf,   &code,   &bad};
  KernelId id = kernel_named(width > 4 ? "scatter_k64" : "scatter_k32");
  launch_checked(L, s, &o, id, kernel_elementwise_grid(id, count), params,
                 index_error_idx(L, check));
}

/* ==} */

/* Reads the values: along an axis, broadcast to the slices; otherwise broadcast
** to the indices. */
static void read_values (lua_State *L, RtStream *s, ScatterCall *c, int axis) {
  int64_t shape[MAX_DIMS];
  int ndim = mask_shape(L, c->a, c->x.array, axis, shape);
  indices_read_values(L, 3, c->a, s, ndim, shape, true, &c->v);
}

static void check_dtype (lua_State *L, const ScatterCall *c) {
  DType t = (DType)c->a->dtype;
  if (c->op != SCATTER_ADD && dtype_kind(t) == KIND_COMPLEX)
    argerror_raise(L, 1, "'%s' is not defined for %s arrays", c->name,
                   dtype_name(t));
  const Array *v = array_test_any(L, 3);
  if (v != NULL && dtype_kind((DType)v->dtype) > dtype_kind(t))
    argerror_raise(L, 3, "%s",
                   result_push_unfit(L, c->a, true,
                                     dtype_promote(t, (DType)v->dtype)));
}

static void add_floats (lua_State *L, RtStream *s, const ScatterCall *c) {
  const Sums sums = {.name = c->name,
                     .a = c->a,
                     .z = c->z,
                     .rows = c->at.outer,
                     .n = c->at.n,
                     .inner = c->at.inner,
                     .index = c->x.array,
                     .x = &c->x,
                     .v = c->v.array,
                     .vn = c->v.n};
  sums_add(L, s, &sums);
}

static void assemble (lua_State *L, RtStream *s, ScatterCall *c) {
  DTypeKind kind = dtype_kind((DType)c->a->dtype);
  c->z = indices_push_target(L, s, c->a);
  if (c->op == SCATTER_ADD && kind >= KIND_FLOAT)
    add_floats(L, s, c);
  else
    by_keys(L, s, c);
  indices_copy_back(L, s, c->a, c->z);
}

/*
** scatter_add(a, indices, values [, axis] [, { axis=, base=, mode= }]) -> a:
** adds the values to the elements at the indices, or to the slices across an
** axis.
*/
static int scatter (lua_State *L, const char *name, int op) {
  static const char *const names[] = {"axis", "base", "mode", NULL};
  int axis;
  ScatterCall c = {.name = name, .op = op, .x.what = name};
  lua_settop(L, 5);
  c.a = array_check(L, 1);
  int options = operand_opt_axis(L, 4, c.a->ndim, names, &axis);
  check_dtype(L, &c);
  layout_check_writable(L, 1, c.a);
  c.at = (axis >= 0) ? operand_lines(c.a, axis) : (Lines){1, c.a->size, 1};
  indices_read_options(L, options, &c.x);
  RtStream *s = current_get_stream(L, c.a->dev);
  indices_push(L, 2, c.a, s, c.at.n, &c.x);
  read_values(L, s, &c, axis);
  if (c.at.n == 0 && c.x.array->size > 0)
    error_raise(L, "%s: the axis has no elements", name);
  if (c.a->size > 0 && c.x.array->size > 0)
    assemble(L, s, &c);
  array_drop(L, 5);
  lua_settop(L, 1);
  return 1;
}

static int array_scatter_add (lua_State *L) {
  return scatter(L, "scatter_add", SCATTER_ADD);
}

/* scatter_min, scatter_max: set the elements to the minimum, or maximum, of
** themselves and the values. NaN wins in both. */
static int array_scatter_min (lua_State *L) {
  return scatter(L, "scatter_min", SCATTER_MIN);
}

static int array_scatter_max (lua_State *L) {
  return scatter(L, "scatter_max", SCATTER_MAX);
}

static const Function functions[] = {
  {"scatter_add", array_scatter_add, 5},
  {"scatter_max", array_scatter_max, 5},
  {"scatter_min", array_scatter_min, 5},
  {NULL, NULL, 0},
};

void open_scatter (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
