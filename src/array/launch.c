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
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"

static void prepare (lua_State *L, const RtStream *s, Op *op, KernelId id,
                     unsigned grid, unsigned block, void **params) {
  op->kind = OP_LAUNCH;
  op->name = kernel_infos[id].name;
  op_set_grid(op, grid, block);
  op->u.launch.params = params;
  error_check(L, image_function(s->dev, id, &op->u.launch.fn));
}

void launch_blocks (lua_State *L, RtStream *s, Op *op, KernelId id,
                    unsigned grid, unsigned block, void **params) {
  prepare(L, s, op, id, grid, block, params);
  submit_work(L, s, op);
}

void launch_checked (lua_State *L, RtStream *s, Op *op, KernelId id,
                     unsigned grid, void **params, int check) {
  prepare(L, s, op, id, grid, (unsigned)kernel_infos[id].block, params);
  submit_checked(L, s, op, check);
}

void launch_kernel (lua_State *L, RtStream *s, Op *op, KernelId id,
                    unsigned grid, void **params) {
  launch_checked(L, s, op, id, grid, params, 0);
}

CUdeviceptr launch_reads (Op *op, const Array *a) {
  if (a->size > 0)
    array_access(op, a, false);
  return array_pointer(a);
}

CUdeviceptr launch_writes (Op *op, const Array *a) {
  array_access(op, a, true);
  return array_pointer(a);
}
