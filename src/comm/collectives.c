/*
** collectives.c - all_reduce, reduce, broadcast, all_gather, reduce_scatter and
** barrier: operations for which the library has a single call.
*/
#include "array/dtype.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "device/service.h"
#include "dist.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"

/* The common form: one call for each local rank. */
typedef struct Simple {
  Joint j;
  RtCollective calls[COMM_LOCAL];
  Access accesses[3 * COMM_LOCAL];
} Simple;

static void start (lua_State *L, Simple *s, Comm *c, const char *name,
                   const Array *of, ncclRedOp_t op, bool reduces, int root) {
  s->j.calls = s->calls;
  s->j.accesses = s->accesses;
  s->j.says = (NcclCall){.what = name + sizeof "comm:" - 1,
                         .n = of->size,
                         .type = dtype_name((DType)of->dtype),
                         .op = reduces ? dist_reductions[op] : NULL,
                         .root = root};
  dist_start_joint(L, &s->j, c, name);
}

/* Submits calls with dense arrays of 'n' elements of the library each. 'out'
** gets the results in the end. */
static void submit (lua_State *L, Simple *s, RtCollective call,
                    const Operands *from, const Operands *to,
                    const Operands *out) {
  for (int i = 0; i < from->n; i++) {
    call.from = dist_address(from->a[i]);
    call.to = dist_address(to->a[i]);
    dist_add_call(&s->j, i, &call, from->a[i], to->a[i]);
  }
  s->j.behind = dist_count_copies(out, to);
  dist_submit_joint(L, &s->j);
  dist_copy_back(L, out, to);
}

/* {== in place ======================================================== */

static void check_written (lua_State *L, int arg, const Operands *x) {
  for (int i = 0; i < x->n; i++)
    layout_check_writable(L, arg, x->a[i]);
}

/* Pushes the targets of sums for 'out'. An array that is the operand itself is
** reduced in place. */
static void push_reduced (lua_State *L, const Operands *out, const Operands *x,
                          Operands *to) {
  Operands others;
  dist_copy_operands(&others, x);
  for (int i = 0; i < x->n; i++)
    if (layout_same_view(out->a[i], x->a[i]))
      others.a[i] = NULL;
  dist_push_separate(L, out, &others, to);
}

/* comm:all_reduce(a [, op | { op=, out= }]) -> a, or 'out': over all ranks. */
static int comm_all_reduce (lua_State *L) {
  static const char name[] = "comm:all_reduce";
  Comm *c = dist_check(L, 1, name);
  Operands x, out, from, to;
  Simple s;
  size_t each;
  lua_settop(L, 3);
  dist_push_arrays(L, c, 2, &x);
  ncclRedOp_t op = dist_opt_reduction(L, 3);
  DType t = (DType)x.a[0]->dtype;
  ncclDataType_t type = dist_reduce_type(L, 2, t, &op, &each);
  if (dist_push_out(L, c, 3, &out))
    dist_check_out(L, 3, &out, t, x.a[0]->ndim, x.a[0]->shape);
  else
    dist_copy_operands(&out, &x);
  check_written(L, 2, &out);
  dist_push_dense(L, &x, &from);
  dist_copy_operands(&to, &from);
  if (out.at != x.at)
    push_reduced(L, &out, &x, &to);
  start(L, &s, c, name, x.a[0], op, true, -1);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_ALL_REDUCE,
                        .type = type,
                        .n = x.a[0]->size * each,
                        .op = op},
         &from, &to, &out);
  return dist_return(L, c, &out);
}

/* comm:reduce(a, root [, op]) -> a: over all ranks, into the array of
** 'root'. */
static int comm_reduce (lua_State *L) {
  static const char name[] = "comm:reduce", of_reduce[] = "a, root [, op]";
  Comm *c = dist_check(L, 1, name);
  Operands x, dense, out;
  Simple s;
  size_t each;
  lua_settop(L, 4);
  dist_push_arrays(L, c, 2, &x);
  int root = dist_check_rank(L, 3, c, "root", of_reduce);
  ncclRedOp_t op = dist_opt_reduction_name(L, 4, of_reduce);
  ncclDataType_t type = dist_reduce_type(L, 2, (DType)x.a[0]->dtype, &op,
                                         &each);
  check_written(L, 2, &x);
  dist_push_dense(L, &x, &dense);
  dist_copy_operands(&out, &x);
  for (int i = 0; i < x.n; i++) /* other ranks keep their arrays */
    if (c->at[i]->rank != root)
      out.a[i] = dense.a[i];
  start(L, &s, c, name, x.a[0], op, true, root);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_REDUCE,
                        .type = type,
                        .n = x.a[0]->size * each,
                        .op = op,
                        .peer = root},
         &dense, &dense, &out);
  return dist_return(L, c, &x);
}

/* comm:broadcast(a, root) -> a, with the elements that it has at 'root'. */
static int comm_broadcast (lua_State *L) {
  static const char name[] = "comm:broadcast";
  Comm *c = dist_check(L, 1, name);
  Operands x, dense, out;
  Simple s;
  size_t each;
  lua_settop(L, 3);
  dist_push_arrays(L, c, 2, &x);
  int root = dist_check_rank(L, 3, c, "root", "a, root");
  ncclDataType_t type = dist_move_type((DType)x.a[0]->dtype, &each);
  check_written(L, 2, &x);
  dist_push_dense(L, &x, &dense);
  dist_copy_operands(&out, &x);
  for (int i = 0; i < x.n; i++) /* the root keeps its own */
    if (c->at[i]->rank == root)
      out.a[i] = dense.a[i];
  start(L, &s, c, name, x.a[0], ncclSum, false, root);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_BROADCAST,
                        .type = type,
                        .n = x.a[0]->size * each,
                        .peer = root},
         &dense, &dense, &out);
  return dist_return(L, c, &x);
}

/* ==} */

/* {== into other arrays =============================================== */

/* Pushes option 'out' of the table at 3, checked, or new arrays; and the arrays
** that the library writes to. */
static void push_results (lua_State *L, const Comm *c, const Operands *x,
                          const Operands *from, int ndim, const int64_t *shape,
                          Operands *out, Operands *to) {
  DType t = (DType)x->a[0]->dtype;
  if (dist_push_out(L, c, 3, out))
    dist_check_out(L, 3, out, t, ndim, shape);
  else
    dist_push_new(L, c, out, t, ndim, shape);
  out->list = x->list;
  dist_push_separate(L, out, from, to);
}

/* comm:all_gather(a [, { out= }]) -> the arrays of all ranks, one after the
** other along the first axis. */
static int comm_all_gather (lua_State *L) {
  static const char name[] = "comm:all_gather";
  static const char *const names[] = {"out", NULL};
  Comm *c = dist_check(L, 1, name);
  Operands x, from, out, to;
  Simple s;
  size_t each;
  int64_t shape[MAX_DIMS];
  lua_settop(L, 3);
  option_check(L, 3, names);
  dist_push_arrays(L, c, 2, &x);
  int ndim = dist_gather_shape(x.a[0], x.size, shape);
  ncclDataType_t type = dist_move_type((DType)x.a[0]->dtype, &each);
  dist_push_dense(L, &x, &from);
  push_results(L, c, &x, &from, ndim, shape, &out, &to);
  start(L, &s, c, name, x.a[0], ncclSum, false, -1);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_ALL_GATHER,
                        .type = type,
                        .n = x.a[0]->size * each},
         &from, &to, &out);
  return dist_return(L, c, &out);
}

/* comm:reduce_scatter(a [, op | { op=, out= }]) -> this rank's part, along the
** first axis, of the reduction over all ranks. */
static int comm_reduce_scatter (lua_State *L) {
  static const char name[] = "comm:reduce_scatter";
  Comm *c = dist_check(L, 1, name);
  Operands x, from, out, to;
  Simple s;
  size_t each;
  int64_t shape[MAX_DIMS];
  lua_settop(L, 3);
  dist_push_arrays(L, c, 2, &x);
  ncclRedOp_t op = dist_opt_reduction(L, 3);
  ncclDataType_t type = dist_reduce_type(L, 2, (DType)x.a[0]->dtype, &op,
                                         &each);
  int ndim = dist_scatter_shape(L, 2, x.a[0], x.size, shape);
  dist_push_dense(L, &x, &from);
  push_results(L, c, &x, &from, ndim, shape, &out, &to);
  start(L, &s, c, name, x.a[0], op, true, -1);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_REDUCE_SCATTER,
                        .type = type,
                        .n = to.a[0]->size * each,
                        .op = op},
         &from, &to, &out);
  return dist_return(L, c, &out);
}

/* ==} */

/* comm:barrier(): waits until all ranks have called it. */
static int comm_barrier (lua_State *L) {
  static const char name[] = "comm:barrier";
  Comm *c = dist_check(L, 1, name);
  RtCollective calls[COMM_LOCAL];
  Access accesses[COMM_LOCAL];
  Joint j = {.calls = calls, .accesses = accesses};
  j.says = (NcclCall){.what = "barrier", .n = 1, .type = "int32", .root = -1};
  for (int i = 0; i < c->n; i++)
    blocking_check(L, c->at[i]->dev, name);
  dist_start_joint(L, &j, c, name);
  for (int i = 0; i < c->n; i++) {
    CUdeviceptr p = c->at[i]->order->ptr;
    RtCollective call = {.kind = COLLECTIVE_ALL_REDUCE,
                         .from = p,
                         .to = p,
                         .n = 1,
                         .type = ncclInt32,
                         .op = ncclMax};
    dist_add_call(&j, i, &call, NULL, NULL);
  }
  dist_submit_joint(L, &j);
  for (int i = 0; i < c->n; i++)
    service_wait_stream(L, j.streams[i], name);
  return 0;
}

const Function dist_collectives[] = {
  {"all_gather", comm_all_gather, 3},
  {"all_reduce", comm_all_reduce, 3},
  {"barrier", comm_barrier, 1},
  {"broadcast", comm_broadcast, 3},
  {"reduce", comm_reduce, 4},
  {"reduce_scatter", comm_reduce_scatter, 3},
  {NULL, NULL, 0},
};
