/*
** statistics.c - mean: a sum that is divided before it is rounded; var and std:
** folds of their own, see kernels/moments.h.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "array/launch.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
#include "strided.h"

#include "kernels/moments.h"

/* z = the mean of the array at 'arg', of small integers or bools: their int64
** sum, converted to float64 and divided. */
static void average_small (lua_State *L, RtStream *s, Array *z, int arg,
                           uint32_t axes, double by) {
  Element value;
  DType t = (DType)rt_reduce_dtype(REDUCE_sum, tide_checkarray(L, arg)->dtype);
  memcpy(&value, &by, sizeof by);
  Array *total = tide_newarray(L, z->dev, t, z->ndim, z->shape, s);
  tide_fold(L, s, (Fold){REDUCE_sum, 1}, total, arg, axes);
  total = tide_pushcast(L, lua_gettop(L), DTYPE_FLOAT64);
  tide_stridedbinary(L, s, rt_kernel_binary(BINARY_div, FORM_ND, DTYPE_FLOAT64),
                     (Sides){z, total, NULL}, &value);
}

static DType float_of (lua_State *L, const Reduction *r) {
  DType own = r->a->dtype;
  if (r->dtype >= 0 && tide_kind((DType)r->dtype) < KIND_FLOAT)
    tide_argerror(L, r->options, "option 'dtype' must be a float type");
  return r->dtype >= 0                  ? (DType)r->dtype
         : tide_kind(own) >= KIND_FLOAT ? own
                                        : DTYPE_FLOAT64;
}

/* Returns the dtype of the computation of means of dtype 't': 64-bit integers
** are added as float64, as in NumPy, because they could wrap around; smaller
** ones cannot. */
static DType mean_dtype (DType own, DType t) {
  if (tide_kind(own) >= KIND_FLOAT)
    return tide_promote(own, t);
  return tide_promote(DTYPE_FLOAT64, t);
}

/* mean(a [, axes] [, { axis=, out=, keepdims=, dtype= }]): in the dtype of
** floats and complex numbers, else in float64. */
static int array_mean (lua_State *L) {
  static const char *const names[] = {"axis", "out", "keepdims", "dtype", NULL};
  Reduction r;
  tide_readreduction(L, &r, names);
  RtStream *s = tide_currentstream(L, r.a->dev);
  Array *z = tide_pushreduced(L, &r, float_of(L, &r), s), *wide = z;
  DType t = mean_dtype(r.a->dtype, z->dtype);
  int at = lua_gettop(L);
  if (z->size == 0)
    return 1;
  if (t != z->dtype || tide_overlaps(z, r.a)) /* 'a' may be read again */
    wide = tide_newarray(L, z->dev, t, z->ndim, z->shape, s);
  if (t == DTYPE_FLOAT64 && tide_kind(r.a->dtype) < KIND_FLOAT &&
      rt_dtype_size(r.a->dtype) < 8) {
    average_small(L, s, wide, 1, r.axes, (double)r.count);
  } else {
    tide_pushcast(L, 1, t);
    tide_fold(L, s, (Fold){REDUCE_sum, (double)r.count}, wide, lua_gettop(L),
              r.axes);
  }
  if (t != z->dtype)
    tide_cast(L, s, z, wide);
  else if (wide != z)
    tide_copy(L, s, z, wide);
  tide_drop(L, at);
  return 1;
}

/* {== var and std ===================================================== */

/* The last step of a variance: a divisor, and maybe a root. */
typedef struct Spread {
  double by;
  int64_t root;
} Spread;

/* Folds x in chunks: into Moments, or into z if there is one chunk. */
static void launch_axis (lua_State *L, RtStream *s, Array *z, Array *x,
                         const Layout *l, size_t chunks, Spread *to) {
  KernelId id = rt_kernel_moments(MOMENTS_AXIS, x->dtype);
  CUdeviceptr pz = tide_pointer(z), px = x->size > 0 ? tide_pointer(x) : pz;
  size_t outer = l->outer, n = l->n, inner = l->inner, partial = chunks > 1;
  void *params[] = {&pz,     &px,      &outer,  &n,       &inner,
                    &chunks, &partial, &to->by, &to->root};
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  if (x->size > 0)
    tide_access(&op, x, false);
  tide_access(&op, z, true);
  tide_launchblocks(L, s, &op, id, rt_axis_grid(id, outer, n, inner, chunks),
                    rt_axis_block(inner), params);
}

static void launch_final (lua_State *L, RtStream *s, Array *z, Array *moments,
                          const Layout *l, size_t chunks, Spread *to) {
  KernelId id = rt_kernel_moments(MOMENTS_FINAL, z->dtype);
  size_t outer = l->outer, inner = l->inner;
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, moments), pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, &outer, &chunks, &inner, &to->by, &to->root};
  tide_launch(L, s, &op, id, rt_moments_grid(chunks, z->size), params);
}

/* z, which is dense and overlaps no memory of x, = the variances of x. */
static void spread (lua_State *L, RtStream *s, Array *z, Array *x,
                    const Layout *l, Spread *to) {
  size_t chunks = rt_axis_chunks(rt_kernel_moments(MOMENTS_AXIS, x->dtype),
                                 l->outer, l->n, l->inner);
  if (chunks == 1) {
    launch_axis(L, s, z, x, l, 1, to);
    return;
  }
  int64_t size = (int64_t)(z->size * chunks *
                           (sizeof(Moments) / sizeof(double)));
  Array *moments = tide_newarray(L, x->dev, DTYPE_FLOAT64, 1, &size, s);
  launch_axis(L, s, moments, x, l, chunks, to);
  launch_final(L, s, z, moments, l, chunks, to);
  tide_drop(L, lua_gettop(L) - 1);
}

/* Pushes var(a): the mean of (a - mean)^2, over count - ddof; 'root': std. */
static int variance (lua_State *L, bool root) {
  static const char *const names[] = {"axis",  "out",  "keepdims",
                                      "dtype", "ddof", NULL};
  Reduction r;
  Layout l;
  tide_readreduction(L, &r, names);
  lua_Number ddof = tide_optnum(L, r.options, "ddof", 0);
  RtStream *s = tide_currentstream(L, r.a->dev);
  DType t = float_of(L, &r);
  if (tide_kind(t) == KIND_COMPLEX || tide_kind(r.a->dtype) == KIND_COMPLEX)
    return tide_raise(L, "'%s' is not defined for %s arrays",
                      root ? "std" : "var", tide_dtypename(r.a->dtype));
  Array *z = tide_pushreduced(L, &r, t, s);
  if (z->size == 0)
    return 1;
  lua_Number by = (lua_Number)r.count - ddof;
  Spread to = {by > 0 ? by : 0, root};
  tide_pushcast(L, 1, t); /* at 5 */
  Array *x = tide_pushlayout(L, s, 5, r.axes, &l), *own = z;
  if (!z->dense || tide_overlaps(z, x))
    own = tide_newarray(L, z->dev, t, z->ndim, z->shape, s);
  spread(L, s, own, x, &l, &to);
  if (own != z)
    tide_copy(L, s, z, own);
  tide_drop(L, 4);
  return 1;
}

/* var(a [, axes] [, { axis=, out=, keepdims=, dtype=, ddof= }]) */
static int array_var (lua_State *L) { return variance(L, false); }

/* std(a [, axes] [, { axis=, out=, keepdims=, dtype=, ddof= }]): the square
** root of var. */
static int array_std (lua_State *L) { return variance(L, true); }

/* ==} */

static const Function functions[] = {
  {"mean", array_mean, 3},
  {"std", array_std, 3},
  {"var", array_var, 3},
  {NULL, NULL, 0},
};

void tide_openmoments (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
