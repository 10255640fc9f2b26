/*
** argminmax.c - argmin and argmax: the index, from 1, of the minimum or maximum
** along an axis.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

static const char *const names[] = {
#define FIND(op) #op,
#include "rt/kernels/operations.def"
};

/* z = indices along n elements of x, or of n given candidates; NULL: all. */
static void launch (lua_State *L, RtStream *s, KernelId id, Array *z, Array *x,
                    Array *candidates, const Layout *l, size_t chunks,
                    size_t full, size_t base) {
  CUdeviceptr pz = array_pointer(z), px = array_pointer(x);
  CUdeviceptr pc = (candidates != NULL) ? array_pointer(candidates) : 0;
  size_t outer = l->outer, n = l->n, inner = l->inner;
  void *params[] = {&pz, &px, &pc, &outer, &n, &inner, &chunks, &full, &base};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  array_access(&op, x, false);
  if (candidates != NULL)
    array_access(&op, candidates, false);
  array_access(&op, z, true);
  if (candidates != NULL)
    launch_blocks(L, s, &op, id, kernel_pick_grid(outer * inner),
                  kernel_axis_block(1), params);
  else
    launch_blocks(L, s, &op, id, kernel_axis_grid(id, outer, n, inner, chunks),
                  kernel_axis_block(inner), params);
}

static void find (lua_State *L, RtStream *s, FindOp op, Array *z, Array *x,
                  const Layout *l) {
  KernelId id = kernel_find(op, x->dtype);
  size_t chunks = kernel_axis_chunks(id, l->outer, l->n, l->inner);
  if (chunks == 1) {
    launch(L, s, id, z, x, NULL, l, 1, l->n, 1);
    return;
  }
  const Layout rest = {l->outer, chunks, l->inner};
  int64_t size = (int64_t)(l->outer * chunks * l->inner);
  Array *partial = array_new(L, x->dev, DTYPE_INT64, 1, &size, s);
  launch(L, s, id, partial, x, NULL, l, chunks, l->n, 0);
  launch(L, s, id, z, x, partial, &rest, 1, l->n, 1);
  array_drop(L, lua_gettop(L) - 1);
}

/* Pushes the operand as a layout: one axis, or all elements in order. */
static Array *push_operand (lua_State *L, RtStream *s, int arg,
                            const Reduction *r, Layout *l) {
  if ((r->axes & (r->axes - 1)) == 0)
    return reduce_push_layout(L, s, arg, r->axes, l);
  *l = (Layout){1, r->a->size, 1};
  return array_push_dense(L, arg);
}

/* f(a [, axis] [, { axis=, out=, keepdims= }]) -> int64 indices, from 1;
** without an axis, into 'a' as a 1-d array. */
static int place (lua_State *L, FindOp op) {
  static const char *const options[] = {"axis", "out", "keepdims", NULL};
  Reduction r;
  Layout l;
  reduce_read(L, &r, options);
  if (r.axes != UINT32_MAX && (r.axes & (r.axes - 1)) != 0)
    argerror_raise(L, 2, "one axis expected");
  DType t = r.a->dtype;
  if (kernel_find(op, t) < 0)
    t = kernel_wider(t);
  if (kernel_find(op, t) < 0)
    return error_raise(L, "'%s' is not defined for %s arrays", names[op],
                       dtype_name(r.a->dtype));
  RtStream *s = current_get_stream(L, r.a->dev);
  size_t results = 1;
  for (int i = 0; i < r.like.ndim; i++)
    results *= (size_t)r.like.wide[i];
  if (r.count == 0 && results > 0)
    error_raise(L, "'%s' of an array without elements", names[op]);
  Array *z = reduce_push_out(L, &r, DTYPE_INT64, s), *to = z;
  if (z->size == 0)
    return 1;
  array_push_cast(L, 1, t);
  Array *x = push_operand(L, s, lua_gettop(L), &r, &l);
  if (!z->dense || layout_overlaps(z, x))
    to = array_new(L, z->dev, z->dtype, z->ndim, z->shape, s);
  find(L, s, op, to, x, &l);
  if (to != z)
    array_copyto(L, s, z, to);
  array_drop(L, 4);
  return 1;
}

#define FIND(op) \
  static int array_##op(lua_State *L) { return place(L, FIND_##op); }
#include "rt/kernels/operations.def"

static const Function functions[] = {
#define FIND(op) {#op, array_##op, 3},
#include "rt/kernels/operations.def"
  {NULL, NULL, 0},
};

void open_argminmax (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
