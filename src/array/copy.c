/*
** copy.c - copies and fills of arrays of any strides, by kernels. They move
** elements as wide as both sides allow, and use tiles if neighbours of one side
** lie along another axis.
*/
#include "copy.h"

#include "array.h"
#include "base/error.h"
#include "base/type.h"
#include "device/current.h"
#include "device/submit.h"
#include "layout.h"
#include "rt/driver/image.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"

/* Chooses the kernel and sets its parameters. Returns its id. */
static KernelId prepare_copy (CopyOp *c, const Array *z, const Array *x,
                              void *number) {
  static uint64_t none[2];
  size_t width = layout_make_copy(&c->g, z, x, c->at);
  KernelId id = kernel_transpose(width);
  c->params[0] = &c->at[0];
  c->params[1] = &c->at[1];
  c->params[2] = c->params[3] = &c->g;
  unsigned grid;
  if (x != NULL && layout_tile(&c->g, c->at, width, kernel_infos[id].each)) {
    grid = (unsigned)(c->g.items < INT32_MAX ? c->g.items : INT32_MAX);
  } else {
    id = kernel_strided_copy(width);
    c->params[2] = (number != NULL) ? number : none;
    grid = kernel_strided_grid(c->g.items);
  }
  op_set_grid(&c->op, grid, (unsigned)kernel_infos[id].block);
  c->op.u.launch.params = c->params;
  return id;
}

Status copy_start (CopyOp *c, const Array *z, const Array *x, void *number,
                   const char *name) {
  op_start(&c->op, OP_LAUNCH, name);
  if (x != NULL)
    array_access(&c->op, x, false);
  array_access(&c->op, z, true);
  return image_function(z->dev, prepare_copy(c, z, x, number),
                        &c->op.u.launch.fn);
}

void copy_strided (lua_State *L, RtStream *s, Array *z, Array *x,
                   void *number) {
  CopyOp c;
  error_check(L, copy_start(&c, z, x, number, x != NULL ? "copy" : "fill"));
  submit_work(L, s, &c.op);
}

/* {== to the host ===================================================== */

Array *copy_check_source (lua_State *L, int arg, const char *what) {
  Array *a = array_test_any(L, arg);
  if (a == NULL)
    type_error(L, arg, "tide.Array or tide.HostArray");
  array_check_open(L, arg, a);
  array_check_readable(L, current_get_stream(L, a->dev), a, what);
  return a;
}

void copy_fetch_bytes (lua_State *L, RtStream *s, const Array *a, size_t off,
                       size_t n, const Array *h) {
  Op op;
  op_start(&op, OP_COPY, "copy");
  op.u.copy.dst = array_pointer(h);
  op.u.copy.src = array_pointer(a) + off;
  op.u.copy.bytes = n;
  op_access(&op, a->block, a->off + off, n, false);
  op_access(&op, h->block, 0, n, true);
  submit_work(L, s, &op);
}

const char *copy_host_bytes (const Array *h) {
  return (const char *)(uintptr_t)array_pointer(h);
}

const char *copy_push_bytes (lua_State *L, Array *h, const char *what) {
  char *run = h->dense ? NULL : class_new_memory(L, array_bytes(h));
  if (run == NULL)
    lua_pushnil(L);
  array_wait_host(L, h, 0, 0, false, what);
  if (run == NULL)
    return copy_host_bytes(h);
  layout_gather(h, run);
  return run;
}

/* ==} */
