/*
** collectives.c - all_reduce, reduce, broadcast, all_gather, reduce_scatter and
** barrier: operations for which the library has a single call.
*/
#include "array/dtype.h"
#include "array/geometry.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "comm.h"
#include "device/service.h"

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
                         .type = tide_dtypename((DType)of->dtype),
                         .op = reduces ? comm_reductions[op] : NULL,
                         .root = root};
  comm_startjoint(L, &s->j, c, name);
}

/* Submits calls with dense arrays of 'n' elements of the library each. 'out'
** gets the results in the end. */
static void submit (lua_State *L, Simple *s, RtCollective call,
                    const Operands *from, const Operands *to,
                    const Operands *out) {
  for (int i = 0; i < from->n; i++) {
    call.from = comm_address(from->a[i]);
    call.to = comm_address(to->a[i]);
    comm_addcall(&s->j, i, &call, from->a[i], to->a[i]);
  }
  s->j.behind = comm_countback(out, to);
  comm_submitjoint(L, &s->j);
  comm_putback(L, out, to);
}

/* {== in place ======================================================== */

static void check_written (lua_State *L, int arg, const Operands *x) {
  for (int i = 0; i < x->n; i++)
    tide_checkwritable(L, arg, x->a[i]);
}

/* Pushes the targets of sums for 'out'. An array that is the operand itself is
** reduced in place. */
static void push_reduced (lua_State *L, const Operands *out, const Operands *x,
                          Operands *to) {
  Operands others;
  comm_copyoperands(&others, x);
  for (int i = 0; i < x->n; i++)
    if (tide_issameview(out->a[i], x->a[i]))
      others.a[i] = NULL;
  comm_pushapart(L, out, &others, to);
}

/* comm:all_reduce(a [, op | { op=, out= }]) -> a, or 'out': over all ranks. */
static int comm_all_reduce (lua_State *L) {
  static const char name[] = "comm:all_reduce";
  Comm *c = comm_check(L, 1, name);
  Operands x, out, from, to;
  Simple s;
  size_t each;
  lua_settop(L, 3);
  comm_pushranked(L, c, 2, &x);
  ncclRedOp_t op = comm_optreduction(L, 3);
  DType t = (DType)x.a[0]->dtype;
  ncclDataType_t type = comm_reducedtype(L, 2, t, &op, &each);
  if (comm_pushrankedout(L, c, 3, &out))
    comm_checkout(L, 3, &out, t, x.a[0]->ndim, x.a[0]->shape);
  else
    comm_copyoperands(&out, &x);
  check_written(L, 2, &out);
  comm_pushdensed(L, &x, &from);
  comm_copyoperands(&to, &from);
  if (out.at != x.at)
    push_reduced(L, &out, &x, &to);
  start(L, &s, c, name, x.a[0], op, true, -1);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_ALL_REDUCE,
                        .type = type,
                        .n = x.a[0]->size * each,
                        .op = op},
         &from, &to, &out);
  return comm_returnranked(L, c, &out);
}

/* comm:reduce(a, root [, op]) -> a: over all ranks, into the array of
** 'root'. */
static int comm_reduce (lua_State *L) {
  static const char name[] = "comm:reduce", of_reduce[] = "a, root [, op]";
  Comm *c = comm_check(L, 1, name);
  Operands x, dense, out;
  Simple s;
  size_t each;
  lua_settop(L, 4);
  comm_pushranked(L, c, 2, &x);
  int root = comm_checkrank(L, 3, c, "root", of_reduce);
  ncclRedOp_t op = comm_optreductionname(L, 4, of_reduce);
  ncclDataType_t type = comm_reducedtype(L, 2, (DType)x.a[0]->dtype, &op,
                                         &each);
  check_written(L, 2, &x);
  comm_pushdensed(L, &x, &dense);
  comm_copyoperands(&out, &x);
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
  return comm_returnranked(L, c, &x);
}

/* comm:broadcast(a, root) -> a, with the elements that it has at 'root'. */
static int comm_broadcast (lua_State *L) {
  static const char name[] = "comm:broadcast";
  Comm *c = comm_check(L, 1, name);
  Operands x, dense, out;
  Simple s;
  size_t each;
  lua_settop(L, 3);
  comm_pushranked(L, c, 2, &x);
  int root = comm_checkrank(L, 3, c, "root", "a, root");
  ncclDataType_t type = comm_movedtype((DType)x.a[0]->dtype, &each);
  check_written(L, 2, &x);
  comm_pushdensed(L, &x, &dense);
  comm_copyoperands(&out, &x);
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
  return comm_returnranked(L, c, &x);
}

/* ==} */

/* {== into other arrays =============================================== */

/* Pushes option 'out' of the table at 3, checked, or new arrays; and the arrays
** that the library writes to. */
static void push_results (lua_State *L, const Comm *c, const Operands *x,
                          const Operands *from, int ndim, const int64_t *shape,
                          Operands *out, Operands *to) {
  DType t = (DType)x->a[0]->dtype;
  if (comm_pushrankedout(L, c, 3, out))
    comm_checkout(L, 3, out, t, ndim, shape);
  else
    comm_pushnew(L, c, out, t, ndim, shape);
  out->list = x->list;
  comm_pushapart(L, out, from, to);
}

/* comm:all_gather(a [, { out= }]) -> the arrays of all ranks, one after the
** other along the first axis. */
static int comm_all_gather (lua_State *L) {
  static const char name[] = "comm:all_gather";
  static const char *const names[] = {"out", NULL};
  Comm *c = comm_check(L, 1, name);
  Operands x, from, out, to;
  Simple s;
  size_t each;
  int64_t shape[MAX_DIMS];
  lua_settop(L, 3);
  tide_checkoptions(L, 3, names);
  comm_pushranked(L, c, 2, &x);
  int ndim = comm_gatheredshape(x.a[0], x.size, shape);
  ncclDataType_t type = comm_movedtype((DType)x.a[0]->dtype, &each);
  comm_pushdensed(L, &x, &from);
  push_results(L, c, &x, &from, ndim, shape, &out, &to);
  start(L, &s, c, name, x.a[0], ncclSum, false, -1);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_ALL_GATHER,
                        .type = type,
                        .n = x.a[0]->size * each},
         &from, &to, &out);
  return comm_returnranked(L, c, &out);
}

/* comm:reduce_scatter(a [, op | { op=, out= }]) -> this rank's part, along the
** first axis, of the reduction over all ranks. */
static int comm_reduce_scatter (lua_State *L) {
  static const char name[] = "comm:reduce_scatter";
  Comm *c = comm_check(L, 1, name);
  Operands x, from, out, to;
  Simple s;
  size_t each;
  int64_t shape[MAX_DIMS];
  lua_settop(L, 3);
  comm_pushranked(L, c, 2, &x);
  ncclRedOp_t op = comm_optreduction(L, 3);
  ncclDataType_t type = comm_reducedtype(L, 2, (DType)x.a[0]->dtype, &op,
                                         &each);
  int ndim = comm_scatteredshape(L, 2, x.a[0], x.size, shape);
  comm_pushdensed(L, &x, &from);
  push_results(L, c, &x, &from, ndim, shape, &out, &to);
  start(L, &s, c, name, x.a[0], op, true, -1);
  submit(L, &s,
         (RtCollective){.kind = COLLECTIVE_REDUCE_SCATTER,
                        .type = type,
                        .n = to.a[0]->size * each,
                        .op = op},
         &from, &to, &out);
  return comm_returnranked(L, c, &out);
}

/* ==} */

/* comm:barrier(): waits until all ranks have called it. */
static int comm_barrier (lua_State *L) {
  static const char name[] = "comm:barrier";
  Comm *c = comm_check(L, 1, name);
  RtCollective calls[COMM_LOCAL];
  Access accesses[COMM_LOCAL];
  Joint j = {.calls = calls, .accesses = accesses};
  j.says = (NcclCall){.what = "barrier", .n = 1, .type = "int32", .root = -1};
  for (int i = 0; i < c->n; i++)
    tide_checkmaywait(L, c->at[i]->dev, name);
  comm_startjoint(L, &j, c, name);
  for (int i = 0; i < c->n; i++) {
    CUdeviceptr p = c->at[i]->order->ptr;
    RtCollective call = {.kind = COLLECTIVE_ALL_REDUCE,
                         .from = p,
                         .to = p,
                         .n = 1,
                         .type = ncclInt32,
                         .op = ncclMax};
    comm_addcall(&j, i, &call, NULL, NULL);
  }
  comm_submitjoint(L, &j);
  for (int i = 0; i < c->n; i++)
    tide_waitstream(L, j.streams[i], name);
  return 0;
}

const Function comm_collectives[] = {
  {"all_gather", comm_all_gather, 3},
  {"all_reduce", comm_all_reduce, 3},
  {"barrier", comm_barrier, 1},
  {"broadcast", comm_broadcast, 3},
  {"reduce", comm_reduce, 4},
  {"reduce_scatter", comm_reduce_scatter, 3},
  {NULL, NULL, 0},
};
