/*
** statistics.c - mean: a sum that is divided before it is rounded; var and std:
** folds of their own, see kernels/moments.h.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "strides.h"

#include "kernels/moments.h"
#include "rt/queue/op_types.h"

/* z = the mean of the array at 'arg', of small integers or bools: their int64
** sum, converted to float64 and divided. */
static void average_small (lua_State *L, RtStream *s, Array *z, int arg,
                           uint32_t axes, double by) {
  Element value;
  DType t = (DType)kernel_reduce_dtype(REDUCE_sum, array_check(L, arg)->dtype);
  memcpy(&value, &by, sizeof by);
  Array *total = array_new(L, z->dev, t, z->ndim, z->shape, s);
  reduce_fold(L, s, (Fold){REDUCE_sum, 1}, total, arg, axes);
  total = array_push_cast(L, lua_gettop(L), DTYPE_FLOAT64);
  stride_binary(L, s, kernel_binary(BINARY_div, FORM_ND, DTYPE_FLOAT64),
                (Sides){z, total, NULL}, &value);
}

static DType float_of (lua_State *L, const Reduction *r) {
  DType own = r->a->dtype;
  if (r->dtype >= 0 && dtype_kind((DType)r->dtype) < KIND_FLOAT)
    argerror_raise(L, r->options, "option 'dtype' must be a float type");
  return r->dtype >= 0                   ? (DType)r->dtype
         : dtype_kind(own) >= KIND_FLOAT ? own
                                         : DTYPE_FLOAT64;
}

/* Returns the dtype of the computation of means of dtype 't': 64-bit integers
** are added as float64, as in NumPy, because they could wrap around; smaller
** ones cannot. */
static DType mean_dtype (DType own, DType t) {
  if (dtype_kind(own) >= KIND_FLOAT)
    return dtype_promote(own, t);
  return dtype_promote(DTYPE_FLOAT64, t);
}

/* mean(a [, axes] [, { axis=, out=, keepdims=, dtype= }]): in the dtype of
** floats and complex numbers, else in float64. */
static int array_mean (lua_State *L) {
  static const char *const names[] = {"axis", "out", "keepdims", "dtype", NULL};
  Reduction r;
  reduce_read(L, &r, names);
  RtStream *s = current_get_stream(L, r.a->dev);
  Array *z = reduce_push_out(L, &r, float_of(L, &r), s), *wide = z;
  DType t = mean_dtype(r.a->dtype, z->dtype);
  int at = lua_gettop(L);
  if (z->size == 0)
    return 1;
  if (t != z->dtype || layout_overlaps(z, r.a)) /* 'a' may be read again */
    wide = array_new(L, z->dev, t, z->ndim, z->shape, s);
  if (t == DTYPE_FLOAT64 && dtype_kind(r.a->dtype) < KIND_FLOAT &&
      dtype_size(r.a->dtype) < 8) {
    average_small(L, s, wide, 1, r.axes, (double)r.count);
  } else {
    array_push_cast(L, 1, t);
    reduce_fold(L, s, (Fold){REDUCE_sum, (double)r.count}, wide, lua_gettop(L),
                r.axes);
  }
  if (t != z->dtype)
    array_cast(L, s, z, wide);
  else if (wide != z)
    array_copyto(L, s, z, wide);
  array_drop(L, at);
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
  KernelId id = kernel_moments(MOMENTS_AXIS, x->dtype);
  CUdeviceptr pz = array_pointer(z), px = x->size > 0 ? array_pointer(x) : pz;
  size_t outer = l->outer, n = l->n, inner = l->inner, partial = chunks > 1;
  void *params[] = {&pz,     &px,      &outer,  &n,       &inner,
                    &chunks, &partial, &to->by, &to->root};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  if (x->size > 0)
    array_access(&op, x, false);
  array_access(&op, z, true);
  launch_blocks(L, s, &op, id, kernel_axis_grid(id, outer, n, inner, chunks),
                kernel_axis_block(inner), params);
}

static void launch_final (lua_State *L, RtStream *s, Array *z, Array *moments,
                          const Layout *l, size_t chunks, Spread *to) {
  KernelId id = kernel_moments(MOMENTS_FINAL, z->dtype);
  size_t outer = l->outer, inner = l->inner;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, moments), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &outer, &chunks, &inner, &to->by, &to->root};
  launch_kernel(L, s, &op, id, kernel_moments_grid(chunks, z->size), params);
}

/* z, which is dense and overlaps no memory of x, = the variances of x. */
static void spread (lua_State *L, RtStream *s, Array *z, Array *x,
                    const Layout *l, Spread *to) {
  size_t chunks = kernel_axis_chunks(kernel_moments(MOMENTS_AXIS, x->dtype),
                                     l->outer, l->n, l->inner);
  if (chunks == 1) {
    launch_axis(L, s, z, x, l, 1, to);
    return;
  }
  int64_t size = (int64_t)(z->size * chunks *
                           (sizeof(Moments) / sizeof(double)));
  Array *moments = array_new(L, x->dev, DTYPE_FLOAT64, 1, &size, s);
  launch_axis(L, s, moments, x, l, chunks, to);
  launch_final(L, s, z, moments, l, chunks, to);
  array_drop(L, lua_gettop(L) - 1);
}

/* Pushes var(a): the mean of (a - mean)^2, over count - ddof; 'root': std. */
static int variance (lua_State *L, bool root) {
  static const char *const names[] = {"axis",  "out",  "keepdims",
                                      "dtype", "ddof", NULL};
  Reduction r;
  Layout l;
  reduce_read(L, &r, names);
  lua_Number ddof = option_number(L, r.options, "ddof", 0);
  RtStream *s = current_get_stream(L, r.a->dev);
  DType t = float_of(L, &r);
  if (dtype_kind(t) == KIND_COMPLEX || dtype_kind(r.a->dtype) == KIND_COMPLEX)
    return error_raise(L, "'%s' is not defined for %s arrays",
                       root ? "std" : "var", dtype_name(r.a->dtype));
  Array *z = reduce_push_out(L, &r, t, s);
  if (z->size == 0)
    return 1;
  lua_Number by = (lua_Number)r.count - ddof;
  Spread to = {by > 0 ? by : 0, root};
  array_push_cast(L, 1, t); /* at 5 */
  Array *x = reduce_push_layout(L, s, 5, r.axes, &l), *own = z;
  if (!z->dense || layout_overlaps(z, x))
    own = array_new(L, z->dev, t, z->ndim, z->shape, s);
  spread(L, s, own, x, &l, &to);
  if (own != z)
    array_copyto(L, s, z, own);
  array_drop(L, 4);
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

void open_statistics (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
