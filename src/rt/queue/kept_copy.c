/*
** kept_copy.c - which operations can be kept, and copies of them with all that
** they need to be sent later.
*/
#include "kept_copy.h"

#include <stdlib.h>
#include <string.h>

#include "rt/code/codes.h"
#include "rt/code/cublas.h"
#include "rt/code/cusolver.h"
#include "rt/driver/status.h"
#include "rt/wait/event_pool.h"
#include "stream_types.h"

/* Tells whether 'op' launches a kernel; a job for cuSOLVER has none. */
static bool has_parameters (const Op *op) {
  return op->kind == OP_LAUNCH && op->solver == NULL;
}

/* Counts a kernel's parameters and adds up their padded sizes; 0: the driver
** does not tell. */
static Status measure (RtStream *s, const Op *op, int *n, size_t *bytes) {
  long size = 0;
  *bytes = 0;
  for (*n = 0;; ++*n) {
    Status st = code_param_size(s->dev, op->u.launch.fn, *n, &size);
    if (st != 0 || size <= 0)
      return st;
    *bytes += ((size_t)size + 15) / 16 * 16;
  }
}

/* Copies 'n' parameters behind the pointers at 'to'. */
static Status copy_parameters (RtStream *s, Op *op, int n, void **to) {
  void **from = op->u.launch.params;
  char *at = (char *)(to + n + (n & 1));
  op->u.launch.params = to;
  for (int i = 0; i < n; i++) {
    long size;
    Status st = code_param_size(s->dev, op->u.launch.fn, i, &size);
    if (st != 0)
      return st;
    memcpy(at, from[i], (size_t)size);
    to[i] = at;
    at += ((size_t)size + 15) / 16 * 16;
  }
  return 0;
}

static size_t round_up (size_t bytes) { return (bytes + 15) / 16 * 16; }

Status kept_copy_new (RtStream *s, const Op *op, const Point *points, int n,
                      RtKept **out) {
  int nparams = 0;
  size_t params = 0;
  Status st = has_parameters(op) ? measure(s, op, &nparams, &params) : 0;
  if (st != 0)
    return st;
  size_t lists = round_up((size_t)n * sizeof *points);
  size_t accesses = round_up((size_t)op->naccess * sizeof *op->access);
  size_t job = (op->gemm != NULL)     ? round_up(sizeof *op->gemm)
               : (op->solver != NULL) ? round_up(sizeof *op->solver)
                                      : 0;
  size_t pointers = (size_t)(nparams + 1) * sizeof(void *);
  char *p = calloc(1, round_up(sizeof(RtKept)) + lists + accesses + job +
                        round_up(pointers) + params);
  if (p == NULL)
    return status_fail(s->dev->rt, RT_NOMEM, NULL);
  RtKept *k = (RtKept *)p;
  k->s = s;
  k->op = *op;
  k->nafter = n;
  k->after = (Point *)(p += round_up(sizeof *k));
  if (n > 0)
    memcpy(k->after, points, (size_t)n * sizeof *points);
  k->op.access = (Access *)(p += lists);
  if (op->naccess > 0)
    memcpy(p, op->access, (size_t)op->naccess * sizeof *op->access);
  p += accesses;
  if (op->kind == OP_WAIT && op->u.wait.at == 0) /* its points are enough */
    k->op.u.wait.event = NULL;
  if (op->gemm != NULL)
    k->op.gemm = memcpy(p, op->gemm, sizeof *op->gemm);
  else if (op->solver != NULL)
    k->op.solver = memcpy(p, op->solver, sizeof *op->solver);
  p += job;
  if (has_parameters(op))
    st = copy_parameters(s, &k->op, nparams, (void **)p);
  if (st != 0)
    free(k);
  else
    *out = k;
  return st;
}

bool kept_copy_can (const RtStream *s, const Op *op) {
  switch (op->kind) {
    case OP_CALL:
    case OP_COLLECTIVE:
    case OP_HOLD: return false;
    case OP_RECORD: return !op->u.event->foreign && !op->u.event->timeline;
    default:
      return !has_parameters(op) || s->dev->D->cuFuncGetParamInfo != NULL;
  }
}
