/*
** copy.c - copies and fills of arrays of any strides, by kernels. They move
** elements as wide as both sides allow, and use tiles if neighbours of one side
** lie along another axis.
*/
#include "copy.h"

#include "array.h"
#include "base/error.h"
#include "base/slip.h"
#include "device/current.h"
#include "device/submit.h"
#include "geometry.h"
#include "rt/driver/image.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* Chooses the kernel and sets its parameters. Returns its id. */
static KernelId prepare_copy (CopyOp *c, const Array *z, const Array *x,
                              void *number) {
  static uint64_t none[2];
  size_t width = tide_copygeometry(&c->g, z, x, c->at);
  KernelId id = rt_kernel_transpose(width);
  c->params[0] = &c->at[0];
  c->params[1] = &c->at[1];
  c->params[2] = c->params[3] = &c->g;
  unsigned grid;
  if (x != NULL && tide_transposes(&c->g, c->at, width, rt_kernels[id].each)) {
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

Status tide_startcopy (CopyOp *c, const Array *z, const Array *x, void *number,
                       const char *name) {
  rt_startop(&c->op, OP_LAUNCH, name);
  if (x != NULL)
    tide_access(&c->op, x, false);
  tide_access(&c->op, z, true);
  return rt_function(z->dev, prepare_copy(c, z, x, number), &c->op.u.launch.fn);
}

void tide_stridedcopy (lua_State *L, RtStream *s, Array *z, Array *x,
                       void *number) {
  CopyOp c;
  tide_check(L, tide_startcopy(&c, z, x, number, x != NULL ? "copy" : "fill"));
  tide_submit(L, s, &c.op);
}

/* {== to the host ===================================================== */

Array *tide_checksaved (lua_State *L, int arg, const char *what) {
  Array *a = tide_testany(L, arg);
  if (a == NULL)
    tide_typeerror(L, arg, "tide.Array or tide.HostArray");
  tide_checkopen(L, arg, a);
  tide_checkreadable(L, tide_currentstream(L, a->dev), a, what);
  return a;
}

void tide_fetchbytes (lua_State *L, RtStream *s, const Array *a, size_t off,
                      size_t n, const Array *h) {
  Op op;
  rt_startop(&op, OP_COPY, "copy");
  op.u.copy.dst = tide_pointer(h);
  op.u.copy.src = tide_pointer(a) + off;
  op.u.copy.bytes = n;
  rt_access(&op, a->block, a->off + off, n, false);
  rt_access(&op, h->block, 0, n, true);
  tide_submit(L, s, &op);
}

const char *tide_hostbytes (const Array *h) {
  return (const char *)(uintptr_t)tide_pointer(h);
}

const char *tide_pushhostbytes (lua_State *L, Array *h, const char *what) {
  char *run = h->dense ? NULL : tide_newmemory(L, tide_nbytes(h));
  if (run == NULL)
    lua_pushnil(L);
  tide_waithost(L, h, 0, 0, false, what);
  if (run == NULL)
    return tide_hostbytes(h);
  tide_hostgather(h, run);
  return run;
}

/* ==} */
