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
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

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
  op_start(&o, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&o, x), pz = launch_writes(&o, z);
  CUdeviceptr pe = (ends != NULL) ? launch_reads(&o, ends) : 0;
  void *params[] = {
    &pz,      &px, &pe, &k->at.n, &k->at.inner, &k->plan.chunk, &k->plan.chunks,
    &k->lines};
  launch_kernel(L, s, &o, kernel_scan(op, SCAN_APPLY, z->dtype), k->plan.grid,
                params);
}

/* Pushes the folds of each line up to the end of each chunk: the chunks' folds,
** scanned in place. */
static Array *push_ends (lua_State *L, RtStream *s, ScanOp op, Scan *k,
                         const Array *x) {
  size_t chunks = k->plan.chunks;
  int64_t n = (int64_t)(k->lines * chunks);
  Array *c = array_new(L, x->dev,
                       (DType)kernel_partial_dtype(REDUCE_sum, x->dtype), 1, &n,
                       s);
  Scan rest = {{k->lines, chunks, 1}, k->lines, {.chunk = chunks, .chunks = 1}};
  Op sums;
  op_start(&sums, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&sums, x), pc = launch_writes(&sums, c);
  void *params[] = {
    &pc,      &px, &k->at.n, &k->at.inner, &k->plan.chunk, &k->plan.chunks,
    &k->lines};
  launch_kernel(L, s, &sums, kernel_scan(op, SCAN_SUMS, x->dtype), k->plan.grid,
                params);
  rest.plan.grid = kernel_scan_grid(chunks, 1, chunks, k->lines);
  apply(L, s, op, &rest, c, c, NULL);
  return c;
}

void operand_scan (lua_State *L, RtStream *s, ScanOp op, Lines at, Array *z,
                   const Array *x) {
  Scan k = {.at = at, .lines = at.outer * at.inner};
  if (z->size == 0)
    return;
  k.plan = kernel_plan_scan(at.n, at.inner, k.lines);
  Array *ends = (k.plan.chunks > 1) ? push_ends(L, s, op, &k, x) : NULL;
  apply(L, s, op, &k, z, x, ends);
  if (ends != NULL)
    array_drop(L, lua_gettop(L) - 1);
}

static const char *const names[] = {
#define SCAN(op) #op,
#include "rt/kernels/operations.def"
};

static bool has_identity (ScanOp op) {
  return op == SCAN_cumsum || op == SCAN_cumprod;
}

/* Returns the dtype of the result: that of sums, or the array's own. */
static DType dtype_of (ScanOp op, DType t) {
  return has_identity(op) ? (DType)kernel_reduce_dtype(REDUCE_sum, t) : t;
}

/* Returns the dtype to fold in if there are no kernels for 't'. float32 has all
** integers of 16 bits, and takes half the memory of int64; sums need more. */
static DType folded_as (lua_State *L, ScanOp op, DType t) {
  if (kernel_scan(op, SCAN_APPLY, t) >= 0)
    return t;
  bool small = (dtype_size(t) <= 2 && !has_identity(op));
  DType by = dtype_kind(t) >= KIND_FLOAT ? kernel_wider(t)
             : small                     ? DTYPE_FLOAT32
                                         : DTYPE_INT64;
  if (kernel_scan(op, SCAN_APPLY, by) < 0)
    error_raise(L, "'%s' is not defined for %s arrays", names[op],
                dtype_name(t));
  return by;
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
  r->options = operand_opt_axis(L, 2, a->ndim,
                                has_identity(op) ? more : operand_axis_out,
                                &r->axis);
  r->t = dtype_of(op, a->dtype);
  r->initial = has_identity(op) && lua_istable(L, r->options) &&
               option_flag(L, r->options, "include_initial", false);
  if (has_identity(op) && lua_istable(L, r->options)) {
    option_get(L, r->options, "dtype");
    r->t = dtype_opt(L, lua_gettop(L), r->t);
    lua_pop(L, 1);
  }
  like->ndim = (r->axis < 0) ? 1 : a->ndim;
  r->shape[0] = (int64_t)a->size;
  if (r->axis >= 0) {
    memcpy(r->shape, a->shape, (size_t)a->ndim * sizeof *r->shape);
    at = operand_lines(a, r->axis);
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
  return array_push_view(L, z, z->ndim, shape, array_stride(z),
                         z->off + (size_t)(first * array_stride(z)[axis]) *
                                    dtype_size(z->dtype));
}

/* z, of any dtype and strides, = x scanned. */
static void scan_into (lua_State *L, RtStream *s, ScanOp op, Lines at, Array *z,
                       const Array *x) {
  Array *own = array_new(L, x->dev, x->dtype, z->ndim, z->shape, s);
  operand_scan(L, s, op, at, own, x);
  if (own->dtype == z->dtype)
    array_copyto(L, s, z, own);
  else
    array_cast(L, s, z, own);
}

/* z = the initial value, then x scanned. */
static void scan_behind (lua_State *L, RtStream *s, ScanOp op, Lines at,
                         int axis, Array *z, const Array *x) {
  scan_into(L, s, op, at, push_part(L, z, axis, 1, z->shape[axis]), x);
  Array *first = push_part(L, z, axis, 0, 1);
  lua_pushinteger(L, op == SCAN_cumprod);
  Array *one = array_new(L, z->dev, (DType)z->dtype, 0, NULL, s);
  array_fill_with(L, s, one, lua_gettop(L) - 1);
  array_copyto(L, s, first,
               shape_push_broadcast(L, 1, one, first->ndim, first->shape));
}

/* Pushes the result for the operand at 1 and the axis or options at 2. */
static int scan (lua_State *L, ScanOp op) {
  Target to;
  Running r;
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  Like like = {.of = a};
  Lines at = read_running(L, op, a, &r, &like);
  DType by = folded_as(L, op, r.t);
  RtStream *s = current_get_stream(L, a->dev);
  array_push_cast(L, 1, r.t);
  Array *x = operand_push_dense(L, lua_gettop(L), by);
  r.shape[r.axis] += r.initial;
  operand_push_out(L, &to, r.options, &like, r.t, s, x, NULL);
  int top = lua_gettop(L);
  if (r.initial)
    scan_behind(L, s, op, at, r.axis, to.z, x);
  else if (by == r.t)
    operand_scan(L, s, op, at, to.z, x);
  else { /* x is a copy */
    operand_scan(L, s, op, at, x, x);
    array_cast(L, s, to.z, x);
  }
  array_drop(L, top);
  return operand_return(L, &to, s);
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

void open_cumulative (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
