/*
** statistics.c - mean: a sum, divided; var and std: folds of their own, see
** kernels/moments.h.
*/
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

/* z = op(x, y), of one float type; y NULL: the number. */
static void compute (lua_State *L, RtStream *s, BinaryOp op, Array *z,
                     Array *x, Array *y, lua_Number number) {
  Element value = {0};
  if (z->size == 0)
    return;
  lua_pushnumber(L, number);
  tide_readelement(L, -1, z->dtype, &value);
  lua_pop(L, 1);
  tide_stridedbinary(L, s, rt_kernel_binary(op, FORM_ND, z->dtype),
                     (Sides){z, x, y}, &value);
}

/*
** z = the sum of the array at 'arg', divided by 'by'. As in NumPy, 64-bit
** integers are added as float64, where they cannot wrap around; smaller ones
** cannot anyway.
*/
static void average (lua_State *L, RtStream *s, Array *z, int arg,
                     uint32_t axes, lua_Number by) {
  int top = lua_gettop(L);
  Array *a = tide_checkarray(L, arg), *total = z;
  if (a->dtype != z->dtype &&
      (tide_kind(a->dtype) >= KIND_FLOAT || rt_dtype_size(a->dtype) == 8)) {
    a = tide_pushcast(L, arg, z->dtype);
    arg = lua_gettop(L);
  }
  DType t = (DType)rt_reduce_dtype(REDUCE_sum, a->dtype);
  if (t != z->dtype)
    total = tide_newarray(L, z->dev, t, z->ndim, z->shape, s);
  tide_fold(L, s, REDUCE_sum, total, arg, axes);
  if (total != z)
    total = tide_pushcast(L, lua_gettop(L), z->dtype);
  compute(L, s, BINARY_div, z, total, NULL, by);
  tide_drop(L, top);
}

static DType float_of (lua_State *L, const Reduction *r) {
  DType own = r->a->dtype;
  if (r->dtype >= 0 && tide_kind((DType)r->dtype) < KIND_FLOAT)
    tide_argerror(L, r->options, "option 'dtype' must be a float type");
  return r->dtype >= 0 ? (DType)r->dtype :
         tide_kind(own) >= KIND_FLOAT ? own : DTYPE_FLOAT64;
}

/* Pushes what becomes z: itself, unless that is the memory of 'a', which may
** have to be read again. Numbers of 16 bits are added and divided as float32:
** their own range is soon left. */
static Array *push_wide (lua_State *L, Array *z, const Array *a, RtStream *s) {
  bool half = tide_ishalf(z->dtype);
  if (half || tide_overlaps(z, a))
    return tide_newarray(L, z->dev, half ? DTYPE_FLOAT32 : z->dtype, z->ndim,
                         z->shape, s);
  lua_pushvalue(L, -1);
  return z;
}

static void narrow (lua_State *L, RtStream *s, Array *z, Array *wide) {
  if (wide->dtype != z->dtype)
    tide_cast(L, s, z, wide);
  else if (wide != z)
    tide_copy(L, s, z, wide);
}

/* mean(a [, axes] [, { axis=, out=, keepdims=, dtype= }]): the dtype of floats
** and complex numbers, else float64. */
static int array_mean (lua_State *L) {
  static const char *const names[] = {"axis", "out", "keepdims", "dtype",
                                      NULL};
  Reduction r;
  tide_readreduction(L, &r, names);
  RtStream *s = tide_currentstream(L, r.a->dev);
  Array *z = tide_pushreduced(L, &r, float_of(L, &r), s);
  Array *wide = push_wide(L, z, r.a, s);
  average(L, s, wide, 1, r.axes, (lua_Number)r.count);
  narrow(L, s, z, wide);
  tide_drop(L, lua_gettop(L) - 1);
  return 1;
}

/* {== var and std ===================================================== */

/* What is done with the squares: divided, and maybe its root. */
typedef struct Spread {
  double by;
  int64_t root;
} Spread;

/* x, in chunks: into Moments, or into z if there is one chunk. */
static void launch_axis (lua_State *L, RtStream *s, Array *z, Array *x,
                         const Layout *l, size_t chunks, Spread *to) {
  KernelId id = rt_kernel_moments(MOMENTS_AXIS, x->dtype);
  CUdeviceptr pz = tide_pointer(z), px = x->size > 0 ? tide_pointer(x) : pz;
  size_t outer = l->outer, n = l->n, inner = l->inner, partial = chunks > 1;
  void *params[] = {&pz, &px, &outer, &n, &inner, &chunks, &partial, &to->by,
                    &to->root};
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

/* z, which is dense and no memory of x, = the variances of x. */
static void spread (lua_State *L, RtStream *s, Array *z, Array *x,
                    const Layout *l, Spread *to) {
  size_t chunks = rt_axis_chunks(rt_kernel_moments(MOMENTS_AXIS, x->dtype),
                                 l->outer, l->n, l->inner);
  if (chunks == 1) {
    launch_axis(L, s, z, x, l, 1, to);
    return;
  }
  int64_t size = (int64_t)(z->size * chunks * (sizeof(Moments) /
                                               sizeof(double)));
  Array *moments = tide_newarray(L, x->dev, DTYPE_FLOAT64, 1, &size, s);
  launch_axis(L, s, moments, x, l, chunks, to);
  launch_final(L, s, z, moments, l, chunks, to);
  tide_drop(L, lua_gettop(L) - 1);
}

/* Pushes var(a): the mean of (a - mean)^2, over count - ddof; 'root': its root.
*/
static int variance (lua_State *L, bool root) {
  static const char *const names[] = {"axis", "out", "keepdims", "dtype",
                                      "ddof", NULL};
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
  tide_pushcast(L, 1, t);  /* at 5 */
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

/* std(a [, axes] [, { axis=, out=, keepdims=, dtype=, ddof= }]): the root of
** var. */
static int array_std (lua_State *L) { return variance(L, true); }

/* ==} */

static const Function functions[] = {
  {"mean", array_mean, 3},
  {"std", array_std, 3},
  {"var", array_var, 3},
  {NULL, NULL, 0}
};

void tide_openmoments (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
