/*
** reduction_launch.c - launches of a ReductionKernel: one, or two if several
** blocks share a result.
*/
#include "array/array.h"
#include "device/index_error.h"
#include "device/submit.h"
#include "generated.h"
#include "reduction.h"
#include "rt/code/code_types.h"
#include "rt/driver/names.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"

static void set_launch (Op *op, const Code *code, CUfunction fn, size_t grid,
                        size_t parts, void **params) {
  op_set_grid(op, (unsigned)grid, REDUCTION_THREADS);
  op->u.launch.grid[1] = (unsigned)parts;
  op->code = code->rc;
  op->u.launch.fn = fn;
  op->u.launch.params = params;
  op->foreign = true;
}

/* Returns the code for the stream's device, which a reset changes. */
static const Code *code_of (lua_State *L, RtStream *s, Generated *g, int at) {
  return generated_code(L, &reduction_recipe, g, at, s->dev);
}

/* Returns the number of blocks for each result, enough to fill the device. */
static size_t count_parts (const ReductionCall *r) {
  size_t parts = r->n / (REDUCTION_THREADS * 16), most = 2048 / r->results;
  if (parts > most)
    parts = most;
  return parts > 1 ? parts : 1;
}

/* Launches the second kernel, which joins the parts of each result. It takes
** the numbers, too. */
static void combine (lua_State *L, RtStream *s, const Code *code,
                     const ReductionCall *r, const Array *part, const Array *z,
                     uint64_t parts) {
  uint64_t values[KERNEL_PARAMS + 3] = {array_pointer(part), array_pointer(z)};
  void *params[KERNEL_PARAMS + 3];
  int count = 2;
  Op op;
  for (int i = 0; i < r->b.nin; i++)
    if (r->b.modes[i] == ARG_NUMBER)
      values[count++] = r->b.args[i].value;
  values[count++] = parts;
  for (int i = 0; i < count; i++)
    params[i] = &values[i];
  op_start(&op, OP_LAUNCH, code->rc->name->text);
  array_access(&op, part, false);
  array_access(&op, z, true);
  set_launch(&op, code, code->combine, r->results, 1, params);
  submit_work(L, s, &op);
}

/* Passes the arguments, the result, its parts on CUDA, the two counts, and the
** further arguments of a program. */
void reduction_run (lua_State *L, RtStream *s, Generated *g, int at,
                    const ReductionCall *r, const Array *z) {
  uint64_t values[2 * KERNEL_PARAMS + 6];
  void *params[2 * KERNEL_PARAMS + 6];
  Access access[KERNEL_PARAMS + 2];
  Op op, one;
  int top = lua_gettop(L);
  const Check *check = generated_may_index(g)
                         ? generated_push_check(L, s, g->name)
                         : NULL;
  int idx = index_error_idx(L, check);
  const Code *code = code_of(L, s, g, at);
  bool cuda = (code->combine != NULL);
  int count = 0, nin = r->b.nin;
  size_t parts = cuda ? count_parts(r) : 1;
  int64_t size = (int64_t)(r->results * parts);
  Array *part = NULL;
  if (parts > 1) {
    part = array_new(L, r->b.dev, (DType)g->extra, 1, &size, s);
    code = code_of(L, s, g, at);
  }
  op_start(&op, OP_LAUNCH, code->rc->name->text);
  op.access = access;
  for (int i = 0; i <= nin + 1; i++) {
    const Array *a = (i < nin) ? r->b.args[i].array : i == nin ? z : part;
    if (a != NULL && a->size > 0) {
      one.naccess = 0;
      array_access(&one, a, i >= nin);
      access[op.naccess++] = one.own[0];
    }
    if (i <= nin || cuda)
      values[count++] = (a != NULL) ? array_pointer(a)
                        : (i < nin) ? r->b.args[i].value
                                    : 0;
    if (i < nin && r->b.modes[i] == ARG_RAW)
      values[count++] = a->size;
  }
  values[count++] = r->results;
  values[count++] = r->n;
  values[count++] = s->dev->rt->id;
  values[count++] = index_error_address(check);
  for (int i = 0; i < count; i++)
    params[i] = &values[i];
  set_launch(&op, code, code->fn, cuda ? r->results : 1, parts, params);
  submit_checked(L, s, &op, idx);
  if (parts > 1)
    combine(L, s, code_of(L, s, g, at), r, part, z, parts);
  lua_settop(L, top);
}
