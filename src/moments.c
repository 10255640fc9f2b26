/*
** moments.c - mean, var, std: sums, divided.
*/
#include "current.h"
#include "dtype.h"
#include "reduce.h"
#include "strided.h"

/* z = op(x, y), of one float type; y NULL: the number. */
static void compute (lua_State *L, RtStream *s, BinaryOp op, Array *z,
                     Array *x, Array *y, lua_Number number) {
  uint64_t value[2] = {0, 0};
  if (z->size == 0)
    return;
  lua_pushnumber(L, number);
  tide_readelement(L, -1, z->dtype, value);
  lua_pop(L, 1);
  tide_stridedbinary(L, s, rt_kernel_binary(op, FORM_ND, z->dtype),
                     (Sides){z, x, y}, value);
}

/*
** z = the sum of the array at 'arg', divided by 'by'. As in NumPy, int64 is
** added as float64, where it cannot wrap around; smaller integers cannot
** anyway.
*/
static void average (lua_State *L, RtStream *s, Array *z, int arg,
                     uint32_t axes, lua_Number by) {
  int top = lua_gettop(L);
  Array *a = tide_checkarray(L, arg), *total = z;
  if (a->dtype != z->dtype &&
      (tide_isfloat(a->dtype) || a->dtype == DTYPE_INT64)) {
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
  lua_settop(L, top);
}

static DType float_of (lua_State *L, const Reduction *r) {
  if (r->dtype >= 0 && !tide_isfloat((DType)r->dtype))
    luaL_argerror(L, r->options, "option 'dtype' must be a float type");
  return r->dtype >= 0 ? (DType)r->dtype :
         tide_isfloat(r->a->dtype) ? r->a->dtype : DTYPE_FLOAT64;
}

/* mean(a [, axes] [, { out=, keepdims=, dtype= }]): float32 of float32, else
** float64. */
static int array_mean (lua_State *L) {
  static const char *const names[] = {"out", "keepdims", "dtype", NULL};
  Reduction r;
  tide_rt(L);
  tide_readreduction(L, &r, names);
  RtStream *s = tide_currentstream(L, r.a->dev);
  Array *z = tide_pushreduced(L, &r, float_of(L, &r), s);
  average(L, s, z, 1, r.axes, (lua_Number)r.count);
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

/* Pushes var(a): the mean of (a - mean)^2, over count - ddof. */
static Array *push_variance (lua_State *L, RtStream **at) {
  static const char *const names[] = {"out", "keepdims", "dtype", "ddof",
                                      NULL};
  Reduction r;
  tide_rt(L);
  tide_readreduction(L, &r, names);
  lua_Number ddof = 0;
  if (!lua_isnil(L, r.options)) {
    int isnum = (lua_getfield(L, r.options, "ddof") != LUA_TNIL);
    if (isnum)
      ddof = lua_tonumberx(L, -1, &isnum);
    luaL_argcheck(L, isnum || lua_isnil(L, -1), r.options,
                  "option 'ddof' must be a number");
    lua_pop(L, 1);
  }
  RtStream *s = *at = tide_currentstream(L, r.a->dev);
  DType t = float_of(L, &r);
  Array *z = tide_pushreduced(L, &r, t, s);
  Array *x = tide_pushcast(L, 1, t);  /* at 5 */
  Array *center = push_center(L, &r, t, s);
  Array *d = tide_newarray(L, x->dev, t, x->ndim, x->shape, s);
  lua_Number n = (lua_Number)r.count - ddof;
  average(L, s, center, 5, r.axes, (lua_Number)r.count);
  compute(L, s, BINARY_sub, d, x, center, 0);
  compute(L, s, BINARY_mul, d, d, d, 0);
  average(L, s, z, 7, r.axes, n > 0 ? n : 0);
  lua_settop(L, 4);
  return z;
}

/* var(a [, axes] [, { out=, keepdims=, dtype=, ddof= }]) */
static int array_var (lua_State *L) {
  RtStream *s;
  push_variance(L, &s);
  return 1;
}

/* std(a [, axes] [, { out=, keepdims=, dtype=, ddof= }]): the root of that. */
static int array_std (lua_State *L) {
  RtStream *s;
  Array *z = push_variance(L, &s);
  if (z->size > 0)
    tide_stridedunary(L, s, rt_kernel_strided_unary(UNARY_sqrt, z->dtype), z,
                      z);
  return 1;
}

static const luaL_Reg functions[] = {
  {"mean", array_mean},
  {"std", array_std},
  {"var", array_var},
  {NULL, NULL}
};

void tide_openmoments (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
