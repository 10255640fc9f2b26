/*
** random.c - tide.random: arrays of random numbers, drawn on the device. How
** they come about: kernels/random.h; whose turn it is: rt/random.c.
*/
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "array/launch.h"
#include "base/argument.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/slip.h"
#include "base/state.h"
#include "base/unknown.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/program/numeral.h"
#include "rt/random.h"
#include "rt/submit.h"

/* A way to draw numbers: the kernel for each dtype, and its parameters. */
typedef struct Draw {
  const char *kernel;
  unsigned count;     /* elements for one value of the counter */
  union { double d[2]; int64_t i[2]; } of;
} Draw;

/* {== arguments ======================================================= */

/* Where the arguments after the parameters are. */
typedef struct Rest {
  int shape, dtype, options;
  Array *out;         /* the option 'out', or NULL */
} Rest;

static Array *check_out (lua_State *L, int options) {
  static const char *const names[] = {"out", NULL};
  if (!tide_checkoptions(L, options, names) ||
      tide_getoption(L, options, "out") == LUA_TNIL)
    return NULL;
  Array *out = tide_testarray(L, -1);
  luaL_argcheck(L, out != NULL && !out->closed, options,
                "option 'out' must be an open tide.Array");
  tide_checkopen(L, options, out);
  tide_checkwritable(L, options, out);
  return out;
}

/* The order of the arguments, which is another one in other libraries. */
static const char of_uniform[] = "[low, high,] shape [, dtype [, options]]";
static const char of_normal[] = "[mean, std,] shape [, dtype [, options]]";
static const char of_exponential[] = "scale, shape [, dtype [, options]]";
static const char of_randint[] = "low, high, shape [, dtype [, options]]";

/* Raises: what is at 'arg' is not what is expected there. */
static void refuse (lua_State *L, int arg, const char *expected,
                    const char *order) {
  luaL_argerror(L, arg, lua_pushfstring(L, "%s expected, got %s; the arguments "
                                        "are %s", expected,
                                        tide_pushgot(L, arg), order));
}

/* Shape, dtype and options, from 'shape' on; leaves 'out' on the top. */
static Rest check_rest (lua_State *L, int shape, const char *order) {
  Rest r = {shape, shape + 1, shape + 2, NULL};
  int type = lua_type(L, shape);
  bool fits = type == LUA_TTABLE || lua_isinteger(L, shape) ||
              (type == LUA_TNIL && lua_istable(L, r.options));  /* of 'out' */
  if (!fits)
    tide_wrongshape(L, shape, shape, order);
  if (!lua_isnoneornil(L, r.dtype) && lua_type(L, r.dtype) != LUA_TSTRING)
    refuse(L, r.dtype, "dtype string", order);
  lua_settop(L, r.options);
  r.out = check_out(L, r.options);
  lua_settop(L, r.options + 1);
  return r;
}

static DType check_dtype (lua_State *L, const Rest *r, DType def) {
  if (r->out == NULL)
    return tide_optdtype(L, r->dtype, def);
  DType t = tide_optdtype(L, r->dtype, r->out->dtype);
  if (t != r->out->dtype)
    luaL_argerror(L, r->options, lua_pushfstring(L,
        "option 'out' must have dtype %s, has %s", tide_dtypename(t),
        tide_dtypename(r->out->dtype)));
  return t;
}

static void check_outshape (lua_State *L, const Rest *r, int ndim,
                            const int64_t *shape) {
  const Array *out = r->out;
  luaL_argcheck(L, out->ndim == ndim &&
                (ndim == 0 || memcmp(out->shape, shape,
                                     (size_t)ndim * sizeof *shape) == 0),
                r->options, "option 'out' must have the shape given");
}

/* The array to be filled, pushed: 'out', or a new one of the shape. */
static Array *push_target (lua_State *L, const Rest *r, DType t) {
  int64_t shape[MAX_DIMS];
  if (r->out != NULL) {
    if (!lua_isnil(L, r->shape))
      check_outshape(L, r, tide_checkshape(L, r->shape, shape), shape);
    lua_pushvalue(L, r->options + 1);
    return r->out;
  }
  int ndim = tide_checkshape(L, r->shape, shape);
  RtDevice *dev = tide_currentdevice(L);
  return tide_newarray(L, dev, t, ndim, shape, tide_currentstream(L, dev));
}

/* ==} */

/* 'to': what 'a' will be copied to next, or NULL: what is drawn is drawn
** once. */
static void fill (lua_State *L, RtStream *s, Array *a, const Draw *d,
                  const Array *to) {
  RtBlock *state;
  tide_checkcalm(L, tide_state(L));
  tide_check(L, rt_random(a->dev, &state));
  CUdeviceptr z = tide_pointer(a), from = state->ptr;
  void *params[] = {&z, &from, (void *)&d->of.i[0], (void *)&d->of.i[1],
                    &a->size};
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  tide_access(&op, a, true);
  rt_access(&op, state, 0, state->size, true);
  if (to != NULL) {
    tide_access(&op, to, true);
    op.ahead = 1;
  }
  tide_launch(L, s, &op, rt_kernel_named(d->kernel),
              rt_random_grid((a->size + d->count - 1) / d->count), params);
}

/* An array with gaps is filled by way of one without. */
static void draw (lua_State *L, Array *a, const Draw *d) {
  RtStream *s = tide_currentstream(L, a->dev);
  if (a->size == 0)
    return;
  if (a->dense) {
    fill(L, s, a, d, NULL);
    return;
  }
  Array *z = tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
  fill(L, s, z, d, a);
  tide_copy(L, s, a, z);
  lua_pop(L, 1);
}

/* {== of floats ======================================================= */

/* Two numbers before the shape: parameters; else the shape is the first. */
static int check_parameters (lua_State *L, Draw *d, double a, double b) {
  bool given = lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER;
  d->of.d[0] = given ? lua_tonumber(L, 1) : a;
  d->of.d[1] = given ? lua_tonumber(L, 2) : b;
  return given ? 3 : 1;
}

static DType check_floats (lua_State *L, const Rest *r) {
  DType t = check_dtype(L, r, DTYPE_FLOAT64);
  luaL_argcheck(L, t == DTYPE_FLOAT32 || t == DTYPE_FLOAT64,
                r->out != NULL ? r->options : r->dtype,
                lua_pushfstring(L, "dtype must be float32 or float64, not %s",
                                tide_dtypename(t)));
  return t;
}

/* Is 'x' a number that the type has? Infinity is none that is meant. */
static void check_finite (lua_State *L, int arg, const char *name, double x,
                          DType t) {
  bool fits = (t == DTYPE_FLOAT32) ? isfinite((float)x) : isfinite(x);
  char text[NUMERAL];
  rt_writefloat(text, 14, x);
  luaL_argcheck(L, fits, arg, lua_pushfstring(L, "%s must be finite, and %s is "
                                              "no finite %s", name, text,
                                              tide_dtypename(t)));
}

/*
** random.uniform([low, high,] shape [, dtype [, options]]) -> Array of numbers
** from low (0) to below high (1), all of them equally likely.
*/
static int random_uniform (lua_State *L) {
  Draw d;
  tide_rt(L);
  Rest r = check_rest(L, check_parameters(L, &d, 0, 1), of_uniform);
  DType t = check_floats(L, &r);
  check_finite(L, 1, "low", d.of.d[0], t);
  check_finite(L, 2, "high", d.of.d[1], t);
  luaL_argcheck(L, d.of.d[0] <= d.of.d[1], 2, "high is less than low");
  luaL_argcheck(L, isfinite(d.of.d[1] - d.of.d[0]), 2,
                "high is too far from low");
  d.kernel = (t == DTYPE_FLOAT32) ? "uniform_f32" : "uniform_f64";
  d.count = (t == DTYPE_FLOAT32) ? 4 : 2;
  draw(L, push_target(L, &r, t), &d);
  return 1;
}

/*
** random.normal([mean, std,] shape [, dtype [, options]]) -> Array of numbers
** around mean (0) with standard deviation std (1).
*/
static int random_normal (lua_State *L) {
  Draw d;
  tide_rt(L);
  Rest r = check_rest(L, check_parameters(L, &d, 0, 1), of_normal);
  DType t = check_floats(L, &r);
  check_finite(L, 1, "mean", d.of.d[0], t);
  check_finite(L, 2, "std", d.of.d[1], t);
  luaL_argcheck(L, d.of.d[1] >= 0, 2, "std must not be negative");
  d.kernel = (t == DTYPE_FLOAT32) ? "normal_f32" : "normal_f64";
  d.count = (t == DTYPE_FLOAT32) ? 4 : 2;
  draw(L, push_target(L, &r, t), &d);
  return 1;
}

/*
** random.exponential(scale, shape [, dtype [, options]]) -> Array of times
** between events that come one each 'scale' on average: numbers from 0 on.
*/
static int random_exponential (lua_State *L) {
  Draw d;
  tide_rt(L);
  if (lua_type(L, 1) != LUA_TNUMBER)
    refuse(L, 1, "number 'scale'", of_exponential);
  Rest r = check_rest(L, 2, of_exponential);
  DType t = check_floats(L, &r);
  d.of.d[0] = lua_tonumber(L, 1);
  d.of.d[1] = 0;
  check_finite(L, 1, "scale", d.of.d[0], t);
  luaL_argcheck(L, d.of.d[0] >= 0, 1, "scale must not be negative");
  d.kernel = (t == DTYPE_FLOAT32) ? "exponential_f32" : "exponential_f64";
  d.count = (t == DTYPE_FLOAT32) ? 4 : 2;
  draw(L, push_target(L, &r, t), &d);
  return 1;
}

/* ==} */

/* {== of integers ===================================================== */

static void check_integer (lua_State *L, int arg, const char *expected) {
  if (lua_type(L, arg) != LUA_TNUMBER)
    refuse(L, arg, expected, of_randint);
  tide_checkinteger(L, arg);
}

static int64_t check_bound (lua_State *L, int arg, DType t) {
  uint64_t element[2];
  int64_t i = tide_checkinteger(L, arg);
  const char *bad = tide_readelement(L, arg, t, element);
  luaL_argcheck(L, bad == NULL, arg, bad);
  return i;
}

/*
** random.randint(low, high, shape [, dtype [, options]]) -> Array of integers
** from low to high, both included as in math.random, equally likely.
*/
static int random_randint (lua_State *L) {
  static const char *const kernels[] = {"randint_8", "randint_16",
                                        "randint_32", "randint_64"};
  Draw d = {.count = 1};
  tide_rt(L);
  check_integer(L, 1, "integer 'low'");
  check_integer(L, 2, "integer 'high'");
  Rest r = check_rest(L, 3, of_randint);
  DType t = check_dtype(L, &r, DTYPE_INT64);
  luaL_argcheck(L, rt_binary_dtype(BINARY_lshift, t) >= 0,
                r.out != NULL ? r.options : r.dtype,
                lua_pushfstring(L, "dtype must be one of integers, not %s",
                                tide_dtypename(t)));
  int64_t low = check_bound(L, 1, t), high = check_bound(L, 2, t);
  luaL_argcheck(L, low <= high, 2, "high is less than low");
  d.of.i[0] = low;
  d.of.i[1] = (int64_t)((uint64_t)high - (uint64_t)low + 1);  /* 0: 2^64 */
  d.kernel = kernels[__builtin_ctz((unsigned)rt_dtype_size(t))];
  draw(L, push_target(L, &r, t), &d);
  return 1;
}

/* ==} */

/*
** random.seed([n]): what is drawn from now on, on each device, follows from the
** integer n; from one that nobody can guess, if there is none.
*/
static int random_seed (lua_State *L) {
  Runtime *rt = tide_rt(L);
  bool given = !lua_isnoneornil(L, 1);
  uint64_t seed = given ? (uint64_t)tide_checkinteger(L, 1) : rt_anyseed();
  tide_checkcalm(L, tide_state(L));
  tide_check(L, rt_seed(rt, seed, "tide.random.seed"));
  return 0;
}

static const Function functions[] = {
  {"exponential", random_exponential, 4},
  {"normal", random_normal, 5},
  {"randint", random_randint, 5},
  {"seed", random_seed, 1},
  {"uniform", random_uniform, 5},
  {NULL, NULL, 0}
};

void tide_openrandom (lua_State *L) {
  lua_newtable(L);
  tide_setfuncs(L, functions);
  tide_setstrict(L, "tide.random");
  lua_setfield(L, -2, "random");
}
