/*
** launch.c - launches of built-in kernels on arrays: their accesses, name,
** grid.
*/
#include "launch.h"

#include "array.h"
#include "base/error.h"
#include "device/submit.h"
#include "rt/driver/image.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

static void prepare (lua_State *L, const RtStream *s, Op *op, KernelId id,
                     unsigned grid, unsigned block, void **params) {
  op->kind = OP_LAUNCH;
  op->name = rt_kernels[id].name;
  rt_setgrid(op, grid, block);
  op->u.launch.params = params;
  tide_check(L, rt_function(s->dev, id, &op->u.launch.fn));
}

void tide_launchblocks (lua_State *L, RtStream *s, Op *op, KernelId id,
                        unsigned grid, unsigned block, void **params) {
  prepare(L, s, op, id, grid, block, params);
  tide_submit(L, s, op);
}

void tide_launchchecked (lua_State *L, RtStream *s, Op *op, KernelId id,
                         unsigned grid, void **params, int check) {
  prepare(L, s, op, id, grid, (unsigned)rt_kernels[id].block, params);
  tide_submitchecked(L, s, op, check);
}

void tide_launch (lua_State *L, RtStream *s, Op *op, KernelId id, unsigned grid,
                  void **params) {
  tide_launchchecked(L, s, op, id, grid, params, 0);
}

CUdeviceptr tide_reads (Op *op, const Array *a) {
  if (a->size > 0)
    tide_access(op, a, false);
  return tide_pointer(a);
}

CUdeviceptr tide_writes (Op *op, const Array *a) {
  tide_access(op, a, true);
  return tide_pointer(a);
}
