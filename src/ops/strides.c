/*
** strides.c - elementwise operations on operands of any strides. elementwise.c
** sends dense operands to faster kernels.
*/
#include "strides.h"

#include "array/array.h"
#include "array/launch.h"
#include "array/layout.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

Array *stride_push_safe (lua_State *L, RtStream *s, const Array *z, int arg,
                         Array *x) {
  if (!layout_overlaps(z, x) || layout_same_view(z, x)) {
    lua_pushvalue(L, arg);
    return x;
  }
  Array *t = array_new(L, x->dev, x->dtype, x->ndim, x->shape, s);
  array_copyto(L, s, t, x);
  return t;
}

/* {== operands in another order ======================================= */

/* Overridable: fewer elements stay in the cache, where order matters less. */
#if !defined(ACROSS_LEAST)
#define ACROSS_LEAST 4096
#endif

enum { SHORT = 16 }; /* axes too short for tiles */

/* Tells whether neighbours in z lie apart in x, while neighbours in x lie along
** another axis. */
static bool is_across (const Array *z, const Array *x) {
  int last = x->ndim - 1;
  bool runs = false;
  if (x->dense || x->repeats || !z->dense || x->size < ACROSS_LEAST)
    return false;
  const int64_t *strides = array_stride(x);
  while (x->shape[last] == 1)
    last--;
  for (int i = 0; i < last; i++)
    runs = runs || (strides[i] == 1 && x->shape[i] >= SHORT);
  return runs && strides[last] != 1 && x->shape[last] >= SHORT;
}

bool stride_is_scratch (lua_State *L, const Array *z) {
  for (int arg = 1; arg <= 2; arg++) {
    const Array *a = array_test(L, arg);
    if (a != NULL && a->block == z->block)
      return false;
  }
  return true;
}

/*
** Pushes a copy made through tiles, which uses every cache line that it reads
** completely. It is made in the memory of the result, if that is scratch, of
** its dtype, and not taken.
*/
static Array *straightened (lua_State *L, RtStream *s, Array *z, Array *x,
                            bool taken) {
  Array *to = z;
  if (taken || z->dtype != x->dtype || !array_same_shape(z, x) ||
      !stride_is_scratch(L, z))
    to = array_new(L, x->dev, x->dtype, x->ndim, x->shape, s);
  array_copyto(L, s, to, x);
  return to;
}

void stride_reorder (lua_State *L, RtStream *s, Array *z, Array **x,
                     Array **y) {
  bool same = (*x == *y);
  if (*x != NULL && is_across(z, *x))
    *x = straightened(L, s, z, *x, false);
  if (same)
    *y = *x;
  else if (*y != NULL && is_across(z, *y))
    *y = straightened(L, s, z, *y, *x == z);
}

/* ==} */

static void launch (lua_State *L, RtStream *s, KernelId id, const Sides side,
                    const Geometry *g, void **params) {
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  for (int k = 1; k < GEOMETRY_SIDES; k++)
    if (side[k] != NULL)
      array_access(&op, side[k], false);
  array_access(&op, side[0], true);
  launch_kernel(L, s, &op, id, kernel_strided_grid(g->items), params);
}

void stride_binary (lua_State *L, RtStream *s, KernelId id, const Sides side,
                    void *number) {
  Geometry g;
  Places at;
  layout_make(&g, side, kernel_infos[id].each, at);
  void *params[] = {&at[0], &at[1], &at[2], number, &g};
  launch(L, s, id, side, &g, params);
}

void stride_unary (lua_State *L, RtStream *s, KernelId id, Array *z, Array *x) {
  const Sides side = {z, x, NULL};
  Geometry g;
  Places at;
  layout_make(&g, side, kernel_infos[id].each, at);
  void *params[] = {&at[0], &at[1], &g};
  launch(L, s, id, side, &g, params);
}
