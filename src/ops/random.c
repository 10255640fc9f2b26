/*
** random.c - tide.random: arrays of random numbers, drawn on the device:
** uniform, normal and exponential ones, integers. The algorithms are in
** kernels/random.h, the order of draws in rt/rng.c, further distributions in
** distributions.c.
*/
#include <math.h>

#include "array/layout.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/field.h"
#include "base/state.h"
#include "draw.h"
#include "generator.h"
#include "openers.h"
#include "rt/kernels/kernels.h"

/* The order of the arguments, because other libraries have another order. */
static const char of_uniform[] = "[low, high,] shape [, dtype [, options]]";
static const char of_normal[] = "[mean, std,] shape [, dtype [, options]]";
static const char of_exponential[] = "scale, shape [, dtype [, options]]";
static const char of_randint[] = "low, high, shape [, dtype [, options]]";

/* {== of floats ======================================================= */

/* Reads two parameters if two numbers stand before the shape; else the shape is
** the first argument. Returns its index. */
static int check_parameters (lua_State *L, Draw *d, double a, double b) {
  int x = d->g + 1, y = d->g + 2;
  bool given = lua_type(L, x) == LUA_TNUMBER && lua_type(L, y) == LUA_TNUMBER;
  d->of.d[0] = given ? lua_tonumber(L, x) : a;
  d->of.d[1] = given ? lua_tonumber(L, y) : b;
  return given ? d->g + 3 : d->g + 1;
}

static int finish (lua_State *L, const DrawArgs *r, DType t, const Draw *d) {
  draw_launch(L, draw_push_array(L, r, t), d);
  return 1;
}

/* Chooses the kernel for the dtype of floats. */
static void choose (Draw *d, DType t, const char *single, const char *pair) {
  d->kernel = (t == DTYPE_FLOAT32) ? single : pair;
  d->count = (t == DTYPE_FLOAT32) ? 4 : 2;
}

/*
** random.uniform([low, high,] shape [, dtype [, options]]) -> Array of numbers
** from low (0) to below high (1), uniformly distributed.
*/
static int draw_uniform (lua_State *L, int g) {
  Draw d = {.g = g};
  generator_check(L, g);
  DrawArgs r = draw_read_args(L, check_parameters(L, &d, 0, 1), false,
                              of_uniform);
  DType t = draw_float_dtype(L, &r);
  draw_check_finite(L, g + 1, "low", d.of.d[0], t);
  draw_check_finite(L, g + 2, "high", d.of.d[1], t);
  argerror_check(L, d.of.d[0] <= d.of.d[1], g + 2, "high is less than low");
  argerror_check(L, isfinite(d.of.d[1] - d.of.d[0]), g + 2,
                 "high is too far from low");
  choose(&d, t, "uniform_f32", "uniform_f64");
  return finish(L, &r, t, &d);
}
BOTH(uniform)

/*
** random.normal([mean, std,] shape [, dtype [, options]]) -> Array of normally
** distributed numbers with mean (0) and standard deviation std (1).
*/
static int draw_normal (lua_State *L, int g) {
  Draw d = {.g = g};
  generator_check(L, g);
  DrawArgs r = draw_read_args(L, check_parameters(L, &d, 0, 1), false,
                              of_normal);
  DType t = draw_float_dtype(L, &r);
  draw_check_finite(L, g + 1, "mean", d.of.d[0], t);
  draw_check_finite(L, g + 2, "std", d.of.d[1], t);
  argerror_check(L, d.of.d[1] >= 0, g + 2, "std must not be negative");
  choose(&d, t, "normal_f32", "normal_f64");
  return finish(L, &r, t, &d);
}
BOTH(normal)

/*
** random.exponential(scale, shape [, dtype [, options]]) -> Array of
** exponentially distributed numbers with mean 'scale': times between events.
*/
static int draw_exponential (lua_State *L, int g) {
  Draw d = {.g = g};
  generator_check(L, g);
  if (lua_type(L, g + 1) != LUA_TNUMBER)
    draw_arg_error(L, g + 1, "number 'scale'", of_exponential);
  DrawArgs r = draw_read_args(L, g + 2, false, of_exponential);
  DType t = draw_float_dtype(L, &r);
  d.of.d[0] = lua_tonumber(L, g + 1);
  draw_check_finite(L, g + 1, "scale", d.of.d[0], t);
  argerror_check(L, d.of.d[0] >= 0, g + 1, "scale must not be negative");
  choose(&d, t, "exponential_f32", "exponential_f64");
  return finish(L, &r, t, &d);
}
BOTH(exponential)

/* ==} */

/* {== of integers ===================================================== */

static void check_integer (lua_State *L, int arg, const char *expected) {
  int isint;
  lua_tointegerx(L, arg, &isint);
  if (lua_type(L, arg) != LUA_TNUMBER || !isint)
    draw_arg_error(L, arg, expected, of_randint);
}

static int64_t check_bound (lua_State *L, int arg, DType t) {
  uint64_t element[2];
  int64_t i = arg_check_integer(L, arg);
  const char *bad = dtype_read_element(L, arg, t, element);
  argerror_check(L, bad == NULL, arg, "%s", bad);
  return i;
}

/*
** random.randint(low, high, shape [, dtype [, options]]) -> Array of integers
** from low to high, both included as in math.random, uniformly distributed.
*/
static int draw_randint (lua_State *L, int g) {
  static const char *const kernels[] = {"randint_8", "randint_16", "randint_32",
                                        "randint_64"};
  Draw d = {.g = g};
  generator_check(L, g);
  check_integer(L, g + 1, "integer 'low'");
  check_integer(L, g + 2, "integer 'high'");
  DrawArgs r = draw_read_args(L, g + 3, false, of_randint);
  DType t = draw_int_dtype(L, &r);
  int64_t low = check_bound(L, g + 1, t), high = check_bound(L, g + 2, t);
  argerror_check(L,
                 t == DTYPE_UINT64 ? (uint64_t)low <= (uint64_t)high
                                   : low <= high,
                 g + 2, "high is less than low");
  uint64_t rest = (uint64_t)high - (uint64_t)low;
  bool wide = rest > UINT32_MAX;
  d.of.i[0] = low;
  d.of.i[1] = (int64_t)(rest + 1); /* 0: 2^64 */
  d.kernel = wide ? "randint_wide"
                  : kernels[__builtin_ctz((unsigned)dtype_size(t))];
  d.count = wide ? 1 : 2;
  return finish(L, &r, t, &d);
}
BOTH(randint)

/* ==} */

/* Returns the integer at 'arg', or a random seed if there is none. */
static uint64_t read_seed (lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? rng_random_seed()
                                 : (uint64_t)arg_check_integer(L, arg);
}

/*
** random.seed([n]): seeds all later draws, on each device, with the integer n;
** by default with a random seed.
*/
static int draw_seed (lua_State *L, int g) {
  State *st = state_get(L);
  if (g == 0 && state_is_unused(st)) {
    st->seed = read_seed(L, 1);
    st->seeded = !lua_isnoneornil(L, 1); /* else child processes differ */
    return 0;
  }
  generator_check(L, g);
  uint64_t seed = read_seed(L, g + 1);
  entry_check_calls(L, st);
  error_check(L, rng_seed(generator_check(L, g), seed,
                          g > 0 ? "generator:seed" : "tide.random.seed"));
  return 0;
}
BOTH(seed)

/* random.Generator([seed]) -> Generator with its own state. */
static int random_Generator (lua_State *L) {
  state_rt(L);
  generator_push(L, read_seed(L, 1));
  return 1;
}

/* {== for draws.lua =================================================== */

/*
** order(g, n, shape) -> int64 Array with the first numbers of a random
** permutation of 1 to n, n > 0: as many as the shape has elements. See
** kernels/feistel.h.
*/
static int draw_order (lua_State *L) {
  Draw d = {.g = 1, .kernel = "random_order_i64", .count = 1};
  int64_t n = arg_check_integer(L, 2), width = (int64_t)ceil(sqrt((double)n));
  DrawArgs r = draw_read_args(L, 3, false, "g, n, shape");
  d.of.i[0] = n;
  d.of.i[1] = width + width % 2;
  return finish(L, &r, DTYPE_INT64, &d);
}

/*
** Each of these checks argument 'arg' of the program's function 'name', and
** errors are reported for that. The value is the last argument, and 'order'
** lists all arguments of 'name'.
*/
static void ask_for (lua_State *L) {
  argerror_call(state_get(L), arg_check_string(L, 1),
                (int)arg_check_integer(L, 2));
}

/* self(name, 0, g): checks for an open generator. */
static int check_self (lua_State *L) {
  ask_for(L);
  generator_check(L, 3);
  return 0;
}

/* array(name, arg, a): checks for an open array. */
static int check_array (lua_State *L) {
  ask_for(L);
  array_check(L, 3);
  return 0;
}

/* target(name, arg, a): checks for a writable array. */
static int check_target (lua_State *L) {
  ask_for(L);
  layout_check_writable(L, 3, array_check(L, 3));
  return 0;
}

/* shape(name, arg, order, shape) -> its number of elements. */
static int check_shape (lua_State *L) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  size_t size;
  ask_for(L);
  const char *order = arg_check_string(L, 3);
  if (lua_isnil(L, 4))
    lua_settop(L, 3);
  if (lua_type(L, 4) != LUA_TTABLE && lua_type(L, 4) != LUA_TNUMBER)
    array_refuse_shape(L, 4, 4, order);
  array_measure(array_check_shape(L, 4, shape), shape, strides, &size);
  lua_pushinteger(L, (lua_Integer)size);
  return 1;
}

/* dtype(name, arg, order [, dtype]) */
static int check_dtype (lua_State *L) {
  ask_for(L);
  const char *order = arg_check_string(L, 3);
  if (!lua_isnoneornil(L, 4) && lua_type(L, 4) != LUA_TSTRING)
    draw_arg_error(L, 4, "dtype string", order);
  dtype_opt(L, 4, DTYPE_BOOL);
  return 0;
}

static const Function checks[] = {
  {"array", check_array, 3}, {"dtype", check_dtype, 4},
  {"order", draw_order, 3},  {"self", check_self, 3},
  {"shape", check_shape, 4}, {"target", check_target, 3},
  {NULL, NULL, 0},
};

/* ==} */

static const Function functions[] = {
  {"Generator", random_Generator, 1},
  {"exponential", random_exponential, 4},
  {"normal", random_normal, 5},
  {"randint", random_randint, 5},
  {"seed", random_seed, 1},
  {"uniform", random_uniform, 5},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"exponential", generator_exponential, 5}, {"normal", generator_normal, 6},
  {"randint", generator_randint, 6},         {"seed", generator_seed, 2},
  {"uniform", generator_uniform, 6},         {NULL, NULL, 0},
};

/* Hands internals to lua/tide/draws.lua, which removes them: the table of
** methods, to which it adds its own, the generator of the module's functions,
** checks of arguments, and permutations. */
static void hand_over (lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &generator_class);
  class_push_methods(L, -1);
  lua_setfield(L, -3, "methods");
  lua_pop(L, 1);
  generator_common(L);
  lua_setfield(L, -2, "common");
  lua_newtable(L);
  class_set_funcs(L, checks);
  lua_setfield(L, -2, "checks");
}

void open_random (lua_State *L) {
  open_generator(L);
  class_add_methods(L, &generator_class, methods);
  lua_newtable(L);
  class_set_funcs(L, functions);
  open_distributions(L);
  hand_over(L);
  field_set_strict(L, "tide.random");
  lua_setfield(L, -2, "random");
}
