/*
** strided.c - elementwise operations on operands of any strides. Dense ones go
** to kernels that are faster at it, which elementwise.c finds out.
*/
#include "strided.h"

#include "array/array.h"
#include "array/geometry.h"
#include "array/launch.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

Array *tide_pushapart (lua_State *L, RtStream *s, const Array *z, int arg,
                       Array *x) {
  if (!tide_overlaps(z, x) || tide_issameview(z, x)) {
    lua_pushvalue(L, arg);
    return x;
  }
  Array *t = tide_newarray(L, x->dev, x->dtype, x->ndim, x->shape, s);
  tide_copy(L, s, t, x);
  return t;
}

static void launch (lua_State *L, RtStream *s, KernelId id, const Sides side,
                    const Geometry *g, void **params) {
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  for (int k = 1; k < GEOMETRY_SIDES; k++)
    if (side[k] != NULL)
      tide_access(&op, side[k], false);
  tide_access(&op, side[0], true);
  tide_launch(L, s, &op, id, rt_strided_grid(g->items), params);
}

void tide_stridedbinary (lua_State *L, RtStream *s, KernelId id,
                         const Sides side, void *number) {
  Geometry g;
  Places at;
  tide_geometry(&g, side, rt_kernels[id].each, at);
  void *params[] = {&at[0], &at[1], &at[2], number, &g};
  launch(L, s, id, side, &g, params);
}

void tide_stridedunary (lua_State *L, RtStream *s, KernelId id, Array *z,
                        Array *x) {
  const Sides side = {z, x, NULL};
  Geometry g;
  Places at;
  tide_geometry(&g, side, rt_kernels[id].each, at);
  void *params[] = {&at[0], &at[1], &g};
  launch(L, s, id, side, &g, params);
}
