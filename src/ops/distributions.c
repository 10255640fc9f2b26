/*
** distributions.c - random numbers drawn by rejection: gamma, beta, poisson and
** binomial. Parameters are numbers, or arrays with one for each element. The
** algorithms and their authors: kernels/random.h.
*/
#include <float.h>

#include "array/layout.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "draw.h"
#include "generator.h"
#include "openers.h"
#include "operands.h"

/* The order of the arguments. */
static const char of_gamma[] = "k, scale [, shape [, dtype [, options]]]";
static const char of_beta[] = "a, b [, shape [, dtype [, options]]]";
static const char of_poisson[] = "lam [, shape [, dtype [, options]]]";
static const char of_binomial[] = "n, p [, shape [, dtype [, options]]]";

/* A parameter: its name, and its range. */
typedef struct Parameter {
  const char *name, *expected;
  bool whole; /* integers only */
  double least, most;
  const char *range; /* in words */
} Parameter;

/* {== parameters ====================================================== */

static void refuse_value (lua_State *L, int arg, const Parameter *p) {
  argerror_raise(L, arg, "%s must be %s, got %s", p->name, p->range,
                 type_push_number(L, arg));
}

/* Checks an integer without conversion: as a float, 2^53 + 1 is 2^53. */
static void check_number (lua_State *L, int arg, const Parameter *p) {
  int isint;
  double x = lua_tonumber(L, arg);
  lua_Integer n = lua_tointegerx(L, arg, &isint);
  if ((p->whole && (!isint || n > (lua_Integer)p->most)) ||
      !(x >= p->least && x <= p->most))
    refuse_value(L, arg, p);
}

/* Checks an array of parameters, but not its elements. */
static void check_elements (lua_State *L, int arg, const Parameter *p) {
  Array *a = array_check(L, arg);
  DTypeKind kind = dtype_kind(a->dtype);
  if (kind == KIND_COMPLEX || (p->whole && kind != KIND_INTEGER))
    argerror_raise(L, arg, "%s must be %s, not %s", p->name,
                   p->whole ? "integers" : "real numbers",
                   dtype_name(a->dtype));
}

/* Tells whether one of the n parameters behind the generator is an array. */
static bool check_all (lua_State *L, Draw *d, const Parameter *p, int n,
                       const char *order) {
  bool any = false;
  for (int i = 0; i < n; i++) {
    int arg = d->g + 1 + i;
    bool array = array_test(L, arg) != NULL;
    any = any || array;
    if (array)
      check_elements(L, arg, &p[i]);
    else if (lua_type(L, arg) == LUA_TNUMBER)
      check_number(L, arg, &p[i]);
    else
      draw_arg_error(L, arg, p[i].expected, order);
  }
  return any;
}

/* ==} */

/* {== arrays of them ================================================== */

/* The n parameters, of which some are arrays on one device. */
typedef struct Given {
  int n;
  Array *array[2], *first;
} Given;

static Given find_arrays (lua_State *L, const Draw *d, int n) {
  Given all = {.n = n};
  for (int i = 0; i < n; i++) {
    all.array[i] = array_test(L, d->g + 1 + i);
    if (all.array[i] == NULL)
      continue;
    if (all.first == NULL)
      all.first = all.array[i];
    array_check_devices(L, all.first, all.array[i]);
  }
  return all;
}

/* Finds the shape: the given one, that of 'out', or that of the arrays. */
static int find_shape (lua_State *L, const Given *all, const DrawArgs *r,
                       int64_t shape[MAX_DIMS]) {
  if (!lua_isnoneornil(L, r->shape)) {
    int ndim = array_check_shape(L, r->shape, shape);
    if (r->out != NULL)
      draw_check_out(L, r, ndim, shape);
    return ndim;
  }
  const Array *x = all->array[0], *y = all->n > 1 ? all->array[1] : NULL;
  if (r->out == NULL)
    return layout_broadcast(L, x != NULL ? x : y, y != NULL ? y : x, shape);
  for (int i = 0; i < r->out->ndim; i++)
    shape[i] = r->out->shape[i];
  return r->out->ndim;
}

/* Pushes a parameter for each element. */
static int push_each (lua_State *L, int arg, int ndim, const int64_t *shape) {
  array_push_cast(L, arg, DTYPE_FLOAT64);
  shape_push_broadcast(L, arg, array_check(L, -1), ndim, shape);
  operand_push_dense(L, lua_gettop(L), DTYPE_FLOAT64);
  return lua_gettop(L);
}

static int draw_each (lua_State *L, Draw *d, const DrawArgs *r, DType t,
                      int n) {
  int64_t shape[MAX_DIMS];
  Given all = find_arrays(L, d, n);
  int ndim = find_shape(L, &all, r, shape);
  if (r->out != NULL)
    array_check_devices(L, r->out, all.first);
  for (int i = 0; i < n; i++)
    if (all.array[i] != NULL)
      d->at[i] = push_each(L, d->g + 1 + i, ndim, shape);
  RtDevice *dev = all.first->dev;
  Array *z = r->out;
  if (z == NULL)
    z = array_new(L, dev, t, ndim, shape, current_get_stream(L, dev));
  else
    lua_pushvalue(L, r->options + 1);
  draw_launch(L, z, d);
  return array_return(L, r->options + 1);
}

/* ==} */

/* Draws numbers with n parameters p, from argument 'g' + 1 on. */
static int draw (lua_State *L, Draw *d, const Parameter *p, int n, bool floats,
                 const char *const kernels[2], const char *order) {
  generator_check(L, d->g);
  bool any = check_all(L, d, p, n, order);
  DrawArgs r = draw_read_args(L, d->g + 1 + n, any, order);
  DType t = floats ? draw_float_dtype(L, &r) : draw_int_dtype(L, &r);
  d->kernel = kernels[floats && t == DTYPE_FLOAT32];
  d->count = 1;
  d->each = true;
  for (int i = 0; i < n; i++)
    d->of.d[i] = lua_tonumber(L, d->g + 1 + i);
  if (any)
    return draw_each(L, d, &r, t, n);
  draw_launch(L, draw_push_array(L, &r, t), d);
  return 1;
}

/*
** random.gamma(k, scale [, shape [, dtype [, options]]]) -> Array of numbers
** with the gamma distribution of shape k >= 0. For an integer k it is the sum
** of k times between events with an average distance of 'scale'.
*/
static int draw_gamma (lua_State *L, int g) {
  static const char *const kernels[] = {"random_gamma_f64", "random_gamma_f32"};
  static const Parameter p[] = {{"k", "number or tide.Array 'k'", false, 0,
                                 DBL_MAX, "a finite number from 0 on"},
                                {"scale", "number or tide.Array 'scale'", false,
                                 0, DBL_MAX, "a finite number from 0 on"}};
  Draw d = {.g = g};
  return draw(L, &d, p, 2, true, kernels, of_gamma);
}
BOTH(gamma)

/*
** random.beta(a, b [, shape [, dtype [, options]]]) -> Array of numbers from 0
** to 1: x / (x + y) for numbers x and y of gamma distributions with shapes a
** and b.
*/
static int draw_beta (lua_State *L, int g) {
  static const char *const kernels[] = {"random_beta_f64", "random_beta_f32"};
  static const Parameter p[] = {{"a", "number or tide.Array 'a'", false,
                                 0x1p-1074, DBL_MAX, "a finite number above 0"},
                                {"b", "number or tide.Array 'b'", false,
                                 0x1p-1074, DBL_MAX,
                                 "a finite number above 0"}};
  Draw d = {.g = g};
  return draw(L, &d, p, 2, true, kernels, of_beta);
}
BOTH(beta)

/*
** random.poisson(lam [, shape [, dtype [, options]]]) -> Array of counts of
** events in a time in which there are lam on average.
*/
static int draw_poisson (lua_State *L, int g) {
  static const char *const kernels[] = {"random_poisson_i64", NULL};
  static const Parameter p[] = {{"lam", "number or tide.Array 'lam'", false, 0,
                                 0x1p62, "a number from 0 to 2^62"}};
  Draw d = {.g = g};
  return draw(L, &d, p, 1, false, kernels, of_poisson);
}
BOTH(poisson)

/*
** random.binomial(n, p [, shape [, dtype [, options]]]) -> Array of numbers of
** successes in n trials, each with probability p.
*/
static int draw_binomial (lua_State *L, int g) {
  static const char *const kernels[] = {"random_binomial_i64", NULL};
  static const Parameter p[] = {{"n", "integer or tide.Array 'n'", true, 0,
                                 0x1p53, "an integer from 0 to 2^53"},
                                {"p", "number or tide.Array 'p'", false, 0, 1,
                                 "a probability from 0 to 1"}};
  Draw d = {.g = g};
  return draw(L, &d, p, 2, false, kernels, of_binomial);
}
BOTH(binomial)

static const Function functions[] = {
  {"beta", random_beta, 5},
  {"binomial", random_binomial, 5},
  {"gamma", random_gamma, 5},
  {"poisson", random_poisson, 4},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"beta", generator_beta, 6},
  {"binomial", generator_binomial, 6},
  {"gamma", generator_gamma, 6},
  {"poisson", generator_poisson, 5},
  {NULL, NULL, 0},
};

/* Adds to the table of tide.random, on the top. */
void open_distributions (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &generator_class, methods);
}
