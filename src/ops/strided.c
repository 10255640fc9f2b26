/*
** strided.c - launches of the kernels that take operands of any strides:
** elementwise operations, copies, fills. What is dense goes to those that are
** faster at it, where it is found out: elementwise.c, transfer.c.
*/
#include "strided.h"

#include "device/current.h"
#include "base/error.h"
#include "rt/driver/image.h"
#include "rt/runtime.h"
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

/* Chooses the kernel and fills its parameters; returns its id. */
static KernelId prepare_copy (CopyOp *c, const Array *z, const Array *x,
                              void *number) {
  static uint64_t none[2];
  size_t width = tide_copygeometry(&c->g, z, x, c->at);
  KernelId id = rt_kernel_transpose(width);
  c->params[0] = &c->at[0];
  c->params[1] = &c->at[1];
  c->params[2] = c->params[3] = &c->g;
  unsigned grid;
  if (x != NULL && tide_transposes(&c->g, rt_kernels[id].each)) {
    grid = (unsigned)(c->g.items < INT32_MAX ? c->g.items : INT32_MAX);
  } else {
    id = rt_kernel_strided_copy(width);
    c->params[2] = (number != NULL) ? number : none;
    grid = rt_strided_grid(c->g.items);
  }
  rt_setgrid(&c->op, grid, (unsigned)rt_kernels[id].block);
  c->op.u.launch.params = c->params;
  return id;
}

Status tide_startcopy (CopyOp *c, const Array *z, const Array *x,
                       void *number, const char *name) {
  rt_startop(&c->op, OP_LAUNCH, name);
  if (x != NULL)
    tide_access(&c->op, x, false);
  tide_access(&c->op, z, true);
  return rt_function(z->dev, prepare_copy(c, z, x, number),
                     &c->op.u.launch.fn);
}

void tide_stridedcopy (lua_State *L, RtStream *s, Array *z, Array *x,
                       void *number) {
  CopyOp c;
  tide_check(L, tide_startcopy(&c, z, x, number, x != NULL ? "copy" : "fill"));
  tide_submit(L, s, &c.op);
}
