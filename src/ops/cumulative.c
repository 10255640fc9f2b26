/*
** cumulative.c - running folds along an axis: cumsum, cumprod, cummax, cummin.
** See kernels/scan.cuh.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* Lines of a scan, and how they are cut. */
typedef struct Scan {
  Lines at;
  size_t lines;
  ScanPlan plan;
} Scan;

/* z = x scanned in chunks, which go on from 'ends' if that is not NULL. */
static void apply (lua_State *L, RtStream *s, ScanOp op, Scan *k, Array *z,
                   const Array *x, const Array *ends) {
  Op o;
  rt_startop(&o, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&o, x), pz = tide_writes(&o, z);
  CUdeviceptr pe = (ends != NULL) ? tide_reads(&o, ends) : 0;
  void *params[] = {&pz, &px, &pe, &k->at.n, &k->at.inner, &k->plan.chunk,
                    &k->plan.chunks, &k->lines};
  tide_launch(L, s, &o, rt_kernel_scan(op, SCAN_APPLY, z->dtype),
              k->plan.grid, params);
}

/* Pushes the folds of each line up to the end of each chunk: the chunks' own,
** scanned in place. */
static Array *push_ends (lua_State *L, RtStream *s, ScanOp op, Scan *k,
                         const Array *x) {
  size_t chunks = k->plan.chunks;
  int64_t n = (int64_t)(k->lines * chunks);
  Array *c = tide_newarray(L, x->dev,
      (DType)rt_reduce_partial_dtype(REDUCE_sum, x->dtype), 1, &n, s);
  Scan rest = {{k->lines, chunks, 1}, k->lines, {.chunk = chunks, .chunks = 1}};
  Op sums;
  rt_startop(&sums, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&sums, x), pc = tide_writes(&sums, c);
  void *params[] = {&pc, &px, &k->at.n, &k->at.inner, &k->plan.chunk,
                    &k->plan.chunks, &k->lines};
  tide_launch(L, s, &sums, rt_kernel_scan(op, SCAN_SUMS, x->dtype),
              k->plan.grid, params);
  rest.plan.grid = rt_scan_grid(chunks, 1, chunks, k->lines);
  apply(L, s, op, &rest, c, c, NULL);
  return c;
}

void tide_scan (lua_State *L, RtStream *s, ScanOp op, Lines at, Array *z,
                const Array *x) {
  Scan k = {.at = at, .lines = at.outer * at.inner};
  if (z->size == 0)
    return;
  k.plan = rt_scan(at.n, at.inner, k.lines);
  Array *ends = (k.plan.chunks > 1) ? push_ends(L, s, op, &k, x) : NULL;
  apply(L, s, op, &k, z, x, ends);
  if (ends != NULL)
    tide_drop(L, lua_gettop(L) - 1);
}

static const char *const names[] = {
#define SCAN(op) #op,
#include "rt/kernels/operations.def"
};

/* The dtype of the result: that of sums, or the array's own. */
static DType dtype_of (ScanOp op, DType t) {
  bool adds = (op == SCAN_cumsum || op == SCAN_cumprod);
  return adds ? (DType)rt_reduce_dtype(REDUCE_sum, t) : t;
}

/* What is folded where there are no kernels for 't'. */
static DType folded_as (lua_State *L, ScanOp op, DType t) {
  if (rt_kernel_scan(op, SCAN_APPLY, t) >= 0)
    return t;
  DType by = tide_kind(t) < KIND_FLOAT ? DTYPE_INT64 : rt_wider(t);
  if (rt_kernel_scan(op, SCAN_APPLY, by) < 0)
    tide_raise(L, "'%s' is not defined for %s arrays", names[op],
               tide_dtypename(t));
  return by;
}

/* The operand is at 1, the axis or options at 2; pushes the result. Without an
** axis the elements are one line. */
static int scan (lua_State *L, ScanOp op) {
  Target to;
  int axis;
  lua_settop(L, 3);
  Array *a = tide_checkarray(L, 1);
  int64_t size = (int64_t)a->size;
  Like like = {.of = a, .ndim = 1, .shape = &size};
  Lines at = {1, a->size, 1};
  int options = tide_optaxis(L, 2, a->ndim, tide_axisout, &axis);
  if (axis >= 0) {
    at = tide_lines(a, axis);
    like.ndim = a->ndim;
    like.shape = a->shape;
  }
  DType t = dtype_of(op, a->dtype), by = folded_as(L, op, t);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *x = tide_pushplain(L, 1, by);
  tide_pushtargetout(L, &to, options, &like, t, s, x, NULL);
  if (by == t) {
    tide_scan(L, s, op, at, to.z, x);
  } else {
    Array *wide = tide_newarray(L, a->dev, by, like.ndim, like.shape, s);
    tide_scan(L, s, op, at, wide, x);
    tide_cast(L, s, to.z, wide);
    tide_drop(L, lua_gettop(L) - 1);
  }
  return tide_reach(L, &to, s);
}

/* cumsum(a [, axis] [, { axis=, out= }]), cumprod: int64 of bool and
** integers; cummax, cummin: as 'a'. */
#define SCAN(op) \
  static int array_##op (lua_State *L) { return scan(L, SCAN_##op); }
#include "rt/kernels/operations.def"

static const Function functions[] = {
#define SCAN(op) {#op, array_##op, 3},
#include "rt/kernels/operations.def"
  {NULL, NULL, 0}
};

void tide_openscan (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
