/*
** draw.c - arguments of the functions that draw random numbers, and filling of
** arrays. The algorithms are in kernels/random.h, the order of draws in
** rt/random.c.
*/
#include "draw.h"

#include <math.h>
#include <string.h>

#include "array/geometry.h"
#include "array/launch.h"
#include "base/blame.h"
#include "base/door.h"
#include "base/error.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "generator.h"
#include "rt/kernels/kernels.h"
#include "rt/program/numeral.h"
#include "rt/submit.h"

/* {== arguments ======================================================= */

static Array *check_out (lua_State *L, int options, const char *order) {
  static const char *const names[] = {"out", NULL};
  if (!lua_isnoneornil(L, options) && !lua_istable(L, options))
    tide_refusedraw(L, options, "options table", order);
  if (!tide_checkoptions(L, options, names) ||
      tide_getoption(L, options, "out") == LUA_TNIL)
    return NULL;
  Array *out = tide_testarray(L, -1);
  tide_argcheck(L, out != NULL && !out->closed, options,
                "option 'out' must be an open tide.Array");
  tide_checkopen(L, options, out);
  tide_checkwritable(L, options, out);
  return out;
}

void tide_refusedraw (lua_State *L, int arg, const char *expected,
                      const char *order) {
  bool fraction = lua_type(L, arg) == LUA_TNUMBER && !lua_isinteger(L, arg);
  const char *got = fraction ? tide_pushnumber(L, arg) : tide_pushgot(L, arg);
  tide_argerror(L, arg,
                "%s expected, got %s; the arguments "
                "are %s",
                expected, got, order);
}

Rest tide_checkdraw (lua_State *L, int shape, bool any, const char *order) {
  Rest r = {shape, shape + 1, shape + 2, NULL};
  int type = lua_type(L, shape), whole = 0;
  if (type == LUA_TNUMBER)
    lua_tointegerx(L, shape, &whole);
  bool fits = type == LUA_TTABLE || whole ||
              (type == LUA_TNIL && lua_istable(L, r.options)) || /* 'out' */
              (type <= LUA_TNIL && any);
  if (!fits)
    tide_wrongshape(L, shape, shape, order);
  if (!lua_isnoneornil(L, r.dtype) && lua_type(L, r.dtype) != LUA_TSTRING)
    tide_refusedraw(L, r.dtype, "dtype string", order);
  lua_settop(L, r.options);
  r.out = check_out(L, r.options, order);
  lua_settop(L, r.options + 1);
  return r;
}

DType tide_drawdtype (lua_State *L, const Rest *r, DType def) {
  if (r->out == NULL)
    return tide_optdtype(L, r->dtype, def);
  DType t = tide_optdtype(L, r->dtype, r->out->dtype);
  if (t != r->out->dtype)
    tide_argerror(L, r->options, "option 'out' must have dtype %s, has %s",
                  tide_dtypename(t), tide_dtypename(r->out->dtype));
  return t;
}

DType tide_drawfloats (lua_State *L, const Rest *r) {
  bool wide = tide_floatdtype(L) == DTYPE_FLOAT64;
  DType t = tide_drawdtype(L, r, wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32);
  tide_argcheck(L, t == DTYPE_FLOAT32 || t == DTYPE_FLOAT64,
                r->out != NULL ? r->options : r->dtype,
                "dtype must be float32 or float64, not %s", tide_dtypename(t));
  return t;
}

DType tide_drawintegers (lua_State *L, const Rest *r) {
  DType t = tide_drawdtype(L, r, DTYPE_INT64);
  tide_argcheck(L, rt_binary_dtype(BINARY_lshift, t) >= 0,
                r->out != NULL ? r->options : r->dtype,
                "dtype must be one of integers, not %s", tide_dtypename(t));
  return t;
}

void tide_checkfinite (lua_State *L, int arg, const char *name, double x,
                       DType t) {
  bool fits = (t == DTYPE_FLOAT32) ? isfinite((float)x) : isfinite(x);
  char text[NUMERAL];
  rt_writefloat(text, 14, x);
  tide_argcheck(L, fits, arg,
                "%s must be finite, and %s is "
                "no finite %s",
                name, text, tide_dtypename(t));
}

void tide_checkoutshape (lua_State *L, const Rest *r, int ndim,
                         const int64_t *shape) {
  const Array *out = r->out;
  tide_argcheck(L,
                out->ndim == ndim &&
                  (ndim == 0 || memcmp(out->shape, shape,
                                       (size_t)ndim * sizeof *shape) == 0),
                r->options, "option 'out' must have the shape given");
}

Array *tide_pushdrawn (lua_State *L, const Rest *r, DType t) {
  int64_t shape[MAX_DIMS];
  if (r->out != NULL) {
    if (!lua_isnil(L, r->shape))
      tide_checkoutshape(L, r, tide_checkshape(L, r->shape, shape), shape);
    lua_pushvalue(L, r->options + 1);
    return r->out;
  }
  int ndim = tide_checkshape(L, r->shape, shape);
  RtDevice *dev = tide_currentdevice(L);
  return tide_newarray(L, dev, t, ndim, shape, tide_currentstream(L, dev));
}

/* ==} */

/* {== numbers ========================================================= */

/* Returns the address of a parameter for each element, or 0. */
static CUdeviceptr read_parameter (lua_State *L, Op *op, int at) {
  return at > 0 ? tide_reads(op, tide_checkarray(L, at)) : 0;
}

/* Draws once. 'to' is the array to which the numbers are copied next, in so
** many steps, or NULL. */
static void fill (lua_State *L, RtStream *s, Array *a, const Draw *d,
                  const Array *to, int steps) {
  RtBlock *state;
  tide_checkcalm(L, tide_state(L));
  tide_check(L, rt_random(tide_checkgenerator(L, d->g), a->dev, &state));
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr z = tide_writes(&op, a), from = state->ptr,
              x = read_parameter(L, &op, d->at[0]),
              y = read_parameter(L, &op, d->at[1]);
  void *plain[] = {&z, &from, (void *)&d->of.i[0], (void *)&d->of.i[1],
                   &a->size};
  void *each[] = {
    &z, &from, &x, &y, (void *)&d->of.d[0], (void *)&d->of.d[1], &a->size};
  rt_access(&op, state, 0, rt_randombytes(), true);
  if (to != NULL) {
    tide_access(&op, to, true);
    op.ahead = steps;
  }
  tide_launch(L, s, &op, rt_kernel_named(d->kernel),
              rt_random_grid((a->size + d->count - 1) / d->count),
              d->each ? each : plain);
}

/* Tells whether a parameter overlaps the array without being the same view. */
static bool is_mixed (lua_State *L, const Array *a, const Draw *d) {
  for (int i = 0; i < 2; i++) {
    const Array *x = d->at[i] > 0 ? tide_checkarray(L, d->at[i]) : NULL;
    if (x != NULL && tide_overlaps(a, x) && !tide_issameview(a, x))
      return true;
  }
  return false;
}

/* An array with gaps is filled through one without, and small integers through
** int64. All memory is allocated before anything is drawn. */
void tide_draw (lua_State *L, Array *a, const Draw *d) {
  RtStream *s = tide_currentstream(L, a->dev);
  int top = lua_gettop(L);
  bool other = d->each && tide_kind(a->dtype) == KIND_INTEGER &&
               rt_dtype_size(a->dtype) < sizeof(int64_t);
  if (a->size == 0)
    return;
  if (a->dense && !other && !is_mixed(L, a, d)) {
    tide_ensurerandom(L, d->g, a->dev, s);
    fill(L, s, a, d, NULL, 0);
    return;
  }
  Array *z = tide_newarray(L, a->dev, other ? DTYPE_INT64 : a->dtype, a->ndim,
                           a->shape, s);
  Array *dense = !other ? z
                 : a->dense
                   ? a
                   : tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
  tide_ensurerandom(L, d->g, a->dev, s);
  fill(L, s, z, d, a, other && dense != a ? 2 : 1);
  if (other)
    tide_cast(L, s, dense, z);
  if (dense != a)
    tide_copy(L, s, a, dense);
  tide_drop(L, top);
}

/* ==} */
