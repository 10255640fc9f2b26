/*
** draw.c - arguments of the functions that draw random numbers, and filling of
** arrays. The algorithms are in kernels/random.h, the order of draws in
** rt/rng.c.
*/
#include "draw.h"

#include <math.h>
#include <string.h>

#include "array/launch.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "generator.h"
#include "rt/kernels/kernels.h"
#include "rt/memory/block_types.h"
#include "rt/program/numeral.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* {== arguments ======================================================= */

static Array *check_out (lua_State *L, int options, const char *order) {
  static const char *const names[] = {"out", NULL};
  if (!lua_isnoneornil(L, options) && !lua_istable(L, options))
    draw_arg_error(L, options, "options table", order);
  if (!option_check(L, options, names) ||
      option_get(L, options, "out") == LUA_TNIL)
    return NULL;
  Array *out = array_test(L, -1);
  if (out == NULL || out->closed)
    argerror_raise(L, options,
                   "option 'out' must be an open tide.Array, got %s",
                   array_push_got(L, -1));
  array_check_open(L, options, out);
  layout_check_writable(L, options, out);
  return out;
}

void draw_arg_error (lua_State *L, int arg, const char *expected,
                     const char *order) {
  bool fraction = lua_type(L, arg) == LUA_TNUMBER && !lua_isinteger(L, arg);
  const char *got = fraction ? type_push_number(L, arg) : type_push_got(L, arg);
  argerror_raise(L, arg, "%s expected, got %s; the arguments are %s", expected,
                 got, order);
}

DrawArgs draw_read_args (lua_State *L, int shape, bool any, const char *order) {
  DrawArgs r = {shape, shape + 1, shape + 2, NULL};
  int type = lua_type(L, shape), whole = 0;
  if (type == LUA_TNUMBER)
    lua_tointegerx(L, shape, &whole);
  bool fits = type == LUA_TTABLE || whole ||
              (type == LUA_TNIL && lua_istable(L, r.options)) || /* 'out' */
              (type <= LUA_TNIL && any);
  if (!fits)
    array_refuse_shape(L, shape, shape, order);
  if (!lua_isnoneornil(L, r.dtype) && lua_type(L, r.dtype) != LUA_TSTRING)
    draw_arg_error(L, r.dtype, "dtype string", order);
  lua_settop(L, r.options);
  r.out = check_out(L, r.options, order);
  lua_settop(L, r.options + 1);
  return r;
}

DType draw_dtype (lua_State *L, const DrawArgs *r, DType def) {
  if (r->out == NULL)
    return dtype_opt(L, r->dtype, def);
  DType t = dtype_opt(L, r->dtype, r->out->dtype);
  if (t != r->out->dtype)
    argerror_raise(L, r->options, "option 'out' must have dtype %s, has %s",
                   dtype_name(t), dtype_name(r->out->dtype));
  return t;
}

DType draw_float_dtype (lua_State *L, const DrawArgs *r) {
  bool wide = dtype_default(L) == DTYPE_FLOAT64;
  DType t = draw_dtype(L, r, wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32);
  argerror_check(L, t == DTYPE_FLOAT32 || t == DTYPE_FLOAT64,
                 r->out != NULL ? r->options : r->dtype,
                 "dtype must be float32 or float64, not %s", dtype_name(t));
  return t;
}

DType draw_int_dtype (lua_State *L, const DrawArgs *r) {
  DType t = draw_dtype(L, r, DTYPE_INT64);
  argerror_check(L, kernel_binary_dtype(BINARY_lshift, t) >= 0,
                 r->out != NULL ? r->options : r->dtype,
                 "dtype must be one of integers, not %s", dtype_name(t));
  return t;
}

void draw_check_finite (lua_State *L, int arg, const char *name, double x,
                        DType t) {
  bool fits = (t == DTYPE_FLOAT32) ? isfinite((float)x) : isfinite(x);
  char text[NUMERAL];
  numeral_write(text, 14, x);
  argerror_check(L, fits, arg, "%s must be finite, and %s is no finite %s",
                 name, text, dtype_name(t));
}

void draw_check_out (lua_State *L, const DrawArgs *r, int ndim,
                     const int64_t *shape) {
  const Array *out = r->out;
  argerror_check(L,
                 out->ndim == ndim &&
                   (ndim == 0 || memcmp(out->shape, shape,
                                        (size_t)ndim * sizeof *shape) == 0),
                 r->options, "option 'out' must have the shape given");
}

Array *draw_push_array (lua_State *L, const DrawArgs *r, DType t) {
  int64_t shape[MAX_DIMS];
  if (r->out != NULL) {
    if (!lua_isnil(L, r->shape))
      draw_check_out(L, r, array_check_shape(L, r->shape, shape), shape);
    lua_pushvalue(L, r->options + 1);
    return r->out;
  }
  int ndim = array_check_shape(L, r->shape, shape);
  RtDevice *dev = current_get_device(L);
  return array_new(L, dev, t, ndim, shape, current_get_stream(L, dev));
}

/* ==} */

/* {== numbers ========================================================= */

/* Returns the address of a parameter for each element, or 0. */
static CUdeviceptr read_parameter (lua_State *L, Op *op, int at) {
  return at > 0 ? launch_reads(op, array_check(L, at)) : 0;
}

/* Draws once. 'to' is the array to which the numbers are copied next, in so
** many steps, or NULL. */
static void fill (lua_State *L, RtStream *s, Array *a, const Draw *d,
                  const Array *to, int steps) {
  RtBlock *state;
  entry_check_calls(L, state_get(L));
  error_check(L, rng_state(generator_check(L, d->g), a->dev, &state));
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr z = launch_writes(&op, a), from = state->ptr,
              x = read_parameter(L, &op, d->at[0]),
              y = read_parameter(L, &op, d->at[1]);
  void *plain[] = {&z, &from, (void *)&d->of.i[0], (void *)&d->of.i[1],
                   &a->size};
  void *each[] = {
    &z, &from, &x, &y, (void *)&d->of.d[0], (void *)&d->of.d[1], &a->size};
  op_access(&op, state, 0, rng_state_bytes(), true);
  if (to != NULL) {
    array_access(&op, to, true);
    op.ahead = steps;
  }
  launch_kernel(L, s, &op, kernel_named(d->kernel),
                rng_grid((a->size + d->count - 1) / d->count),
                d->each ? each : plain);
}

/* Tells whether a parameter overlaps the array without being the same view. */
static bool is_mixed (lua_State *L, const Array *a, const Draw *d) {
  for (int i = 0; i < 2; i++) {
    const Array *x = d->at[i] > 0 ? array_check(L, d->at[i]) : NULL;
    if (x != NULL && layout_overlaps(a, x) && !layout_same_view(a, x))
      return true;
  }
  return false;
}

/* An array with gaps is filled through one without, and small integers through
** int64. All memory is allocated before anything is drawn. */
void draw_launch (lua_State *L, Array *a, const Draw *d) {
  RtStream *s = current_get_stream(L, a->dev);
  int top = lua_gettop(L);
  bool other = d->each && dtype_kind(a->dtype) == KIND_INTEGER &&
               dtype_size(a->dtype) < sizeof(int64_t);
  if (a->size == 0)
    return;
  if (a->dense && !other && !is_mixed(L, a, d)) {
    generator_prepare(L, d->g, a->dev, s);
    fill(L, s, a, d, NULL, 0);
    return;
  }
  Array *z = array_new(L, a->dev, other ? DTYPE_INT64 : a->dtype, a->ndim,
                       a->shape, s);
  Array *dense = !other ? z
                 : a->dense
                   ? a
                   : array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
  generator_prepare(L, d->g, a->dev, s);
  fill(L, s, z, d, a, other && dense != a ? 2 : 1);
  if (other)
    array_cast(L, s, dense, z);
  if (dense != a)
    array_copyto(L, s, a, dense);
  array_drop(L, top);
}

/* ==} */
