/*
** cumulative.c - running folds along an axis: cumsum, cumprod, cummax, cummin.
** See kernels/scan.cuh.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* The lines of a scan, and how they are cut. */
typedef struct Scan {
  Lines at;
  size_t lines;
  ScanPlan plan;
} Scan;

/* z = x scanned in chunks, which continue from 'ends' unless that is NULL. */
static void apply (lua_State *L, RtStream *s, ScanOp op, Scan *k, Array *z,
                   const Array *x, const Array *ends) {
  Op o;
  rt_startop(&o, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&o, x), pz = tide_writes(&o, z);
  CUdeviceptr pe = (ends != NULL) ? tide_reads(&o, ends) : 0;
  void *params[] = {
    &pz,      &px, &pe, &k->at.n, &k->at.inner, &k->plan.chunk, &k->plan.chunks,
    &k->lines};
  tide_launch(L, s, &o, rt_kernel_scan(op, SCAN_APPLY, z->dtype), k->plan.grid,
              params);
}

/* Pushes the folds of each line up to the end of each chunk: the chunks' folds,
** scanned in place. */
static Array *push_ends (lua_State *L, RtStream *s, ScanOp op, Scan *k,
                         const Array *x) {
  size_t chunks = k->plan.chunks;
  int64_t n = (int64_t)(k->lines * chunks);
  Array *c = tide_newarray(L, x->dev,
                           (DType)rt_reduce_partial_dtype(REDUCE_sum, x->dtype),
                           1, &n, s);
  Scan rest = {{k->lines, chunks, 1}, k->lines, {.chunk = chunks, .chunks = 1}};
  Op sums;
  rt_startop(&sums, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&sums, x), pc = tide_writes(&sums, c);
  void *params[] = {
    &pc,      &px, &k->at.n, &k->at.inner, &k->plan.chunk, &k->plan.chunks,
    &k->lines};
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

/* Returns the dtype of the result: that of sums, or the array's own. */
static DType dtype_of (ScanOp op, DType t) {
  bool adds = (op == SCAN_cumsum || op == SCAN_cumprod);
  return adds ? (DType)rt_reduce_dtype(REDUCE_sum, t) : t;
}

/* Returns the dtype to fold in if there are no kernels for 't'. */
static DType folded_as (lua_State *L, ScanOp op, DType t) {
  if (rt_kernel_scan(op, SCAN_APPLY, t) >= 0)
    return t;
  DType by = tide_kind(t) < KIND_FLOAT ? DTYPE_INT64 : rt_wider(t);
  if (rt_kernel_scan(op, SCAN_APPLY, by) < 0)
    tide_raise(L, "'%s' is not defined for %s arrays", names[op],
               tide_dtypename(t));
  return by;
}

static bool has_identity (ScanOp op) {
  return op == SCAN_cumsum || op == SCAN_cumprod;
}

/* The arguments of a scan. */
typedef struct Running {
  int axis; /* of the result */
  int options;
  DType t;      /* of the result */
  bool initial; /* it begins with 0, or 1, before the first element */
  int64_t shape[MAX_DIMS];
} Running;

/* Reads the arguments. Without an axis the elements are one line. */
static Lines read_running (lua_State *L, ScanOp op, const Array *a, Running *r,
                           Like *like) {
  static const char *const more[] = {"axis", "dtype", "include_initial", "out",
                                     NULL};
  Lines at = {1, a->size, 1};
  r->options = tide_optaxis(L, 2, a->ndim,
                            has_identity(op) ? more : tide_axisout, &r->axis);
  r->t = dtype_of(op, a->dtype);
  r->initial = has_identity(op) && lua_istable(L, r->options) &&
               tide_optflag(L, r->options, "include_initial", false);
  if (has_identity(op) && lua_istable(L, r->options)) {
    tide_getoption(L, r->options, "dtype");
    r->t = tide_optdtype(L, lua_gettop(L), r->t);
    lua_pop(L, 1);
  }
  like->ndim = (r->axis < 0) ? 1 : a->ndim;
  r->shape[0] = (int64_t)a->size;
  if (r->axis >= 0) {
    memcpy(r->shape, a->shape, (size_t)a->ndim * sizeof *r->shape);
    at = tide_lines(a, r->axis);
  }
  r->axis = (r->axis < 0) ? 0 : r->axis;
  like->shape = r->shape;
  return at;
}

/* Pushes the elements of z from 'first' to before 'last' along the axis. */
static Array *push_part (lua_State *L, Array *z, int axis, int64_t first,
                         int64_t last) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, z->shape, (size_t)z->ndim * sizeof *shape);
  shape[axis] = last - first;
  return tide_pushview(L, z, z->ndim, shape, tide_strides(z),
                       z->off + (size_t)(first * tide_strides(z)[axis]) *
                                  rt_dtype_size(z->dtype));
}

/* z, of any dtype and strides, = x scanned. */
static void scan_into (lua_State *L, RtStream *s, ScanOp op, Lines at, Array *z,
                       const Array *x) {
  Array *own = tide_newarray(L, x->dev, x->dtype, z->ndim, z->shape, s);
  tide_scan(L, s, op, at, own, x);
  if (own->dtype == z->dtype)
    tide_copy(L, s, z, own);
  else
    tide_cast(L, s, z, own);
}

/* z = the initial value, then x scanned. */
static void scan_behind (lua_State *L, RtStream *s, ScanOp op, Lines at,
                         int axis, Array *z, const Array *x) {
  scan_into(L, s, op, at, push_part(L, z, axis, 1, z->shape[axis]), x);
  Array *first = push_part(L, z, axis, 0, 1);
  lua_pushinteger(L, op == SCAN_cumprod);
  Array *one = tide_newarray(L, z->dev, (DType)z->dtype, 0, NULL, s);
  tide_fillarray(L, s, one, lua_gettop(L) - 1);
  tide_copy(L, s, first,
            tide_pushbroadcast(L, 1, one, first->ndim, first->shape));
}

/* Pushes the result for the operand at 1 and the axis or options at 2. */
static int scan (lua_State *L, ScanOp op) {
  Target to;
  Running r;
  lua_settop(L, 3);
  Array *a = tide_checkarray(L, 1);
  Like like = {.of = a};
  Lines at = read_running(L, op, a, &r, &like);
  DType by = folded_as(L, op, r.t);
  RtStream *s = tide_currentstream(L, a->dev);
  tide_pushcast(L, 1, r.t);
  Array *x = tide_pushplain(L, lua_gettop(L), by);
  r.shape[r.axis] += r.initial;
  tide_pushtargetout(L, &to, r.options, &like, r.t, s, x, NULL);
  int top = lua_gettop(L);
  if (r.initial)
    scan_behind(L, s, op, at, r.axis, to.z, x);
  else if (by == r.t)
    tide_scan(L, s, op, at, to.z, x);
  else
    scan_into(L, s, op, at, to.z, x);
  tide_drop(L, top);
  return tide_reach(L, &to, s);
}

/* cumsum(a [, axis] [, { axis=, out=, dtype=, include_initial= }]), cumprod:
** int64 for bool and integers; cummax, cummin: the dtype of 'a'. */
#define SCAN(op) \
  static int array_##op(lua_State *L) { return scan(L, SCAN_##op); }
#include "rt/kernels/operations.def"

static const Function functions[] = {
#define SCAN(op) {#op, array_##op, 3},
#include "rt/kernels/operations.def"
  {NULL, NULL, 0},
};

void tide_openscan (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
