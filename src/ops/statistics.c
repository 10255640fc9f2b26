/*
** statistics.c - mean, var, std: sums, divided.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "base/class.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "rt/kernels/kernels.h"
#include "strided.h"

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
    luaL_argerror(L, r->options, "option 'dtype' must be a float type");
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

/* Pushes an array for the mean that is broadcast over 'a'. */
static Array *push_center (lua_State *L, const Reduction *r, DType t,
                           RtStream *s) {
  int64_t shape[MAX_DIMS];
  for (int i = 0; i < r->a->ndim; i++)
    shape[i] = (r->axes >> i & 1) != 0 ? 1 : r->a->shape[i];
  return tide_newarray(L, r->a->dev, t, r->a->ndim, shape, s);
}

/* Pushes var(a): the mean of (a - mean)^2, over count - ddof; 'root': its root.
*/
static int variance (lua_State *L, bool root) {
  static const char *const names[] = {"axis", "out", "keepdims", "dtype",
                                      "ddof", NULL};
  Reduction r;
  tide_readreduction(L, &r, names);
  lua_Number ddof = tide_optnum(L, r.options, "ddof", 0);
  RtStream *s = tide_currentstream(L, r.a->dev);
  DType t = float_of(L, &r);
  if (tide_kind(t) == KIND_COMPLEX || tide_kind(r.a->dtype) == KIND_COMPLEX)
    return luaL_error(L, "'var' is not defined for %s arrays",
                      tide_dtypename(r.a->dtype));
  Array *z = tide_pushreduced(L, &r, t, s);
  Array *wide = push_wide(L, z, r.a, s);  /* at 5 */
  t = wide->dtype;
  Array *x = tide_pushcast(L, 1, t);  /* at 6 */
  Array *center = push_center(L, &r, t, s);
  Array *d = tide_newarray(L, x->dev, t, x->ndim, x->shape, s);
  lua_Number n = (lua_Number)r.count - ddof;
  average(L, s, center, 6, r.axes, (lua_Number)r.count);
  compute(L, s, BINARY_sub, d, x, center, 0);
  compute(L, s, BINARY_mul, d, d, d, 0);
  average(L, s, wide, 8, r.axes, n > 0 ? n : 0);
  if (root && wide->size > 0)
    tide_stridedunary(L, s, rt_kernel_strided_unary(UNARY_sqrt, t), wide,
                      wide);
  narrow(L, s, z, wide);
  tide_drop(L, 4);
  return 1;
}

/* var(a [, axes] [, { axis=, out=, keepdims=, dtype=, ddof= }]) */
static int array_var (lua_State *L) { return variance(L, false); }

/* std(a [, axes] [, { axis=, out=, keepdims=, dtype=, ddof= }]): the root of
** var. */
static int array_std (lua_State *L) { return variance(L, true); }

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
