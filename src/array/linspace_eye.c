/*
** linspace_eye.c - arrays that follow a pattern: linspace, logspace, geomspace,
** eye.
*/
#include <math.h>
#include <string.h>

#include "array.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "dtype.h"
#include "launch.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* {== linspace ======================================================== */

/* z[i] = number, which is float64. */
static void set_number (lua_State *L, RtStream *s, Array *z, int64_t i,
                        double number) {
  int64_t one = 1;
  Array *v = array_push_view(L, z, 1, &one, NULL,
                             z->off + (size_t)i * sizeof number);
  lua_pushnumber(L, number);
  array_fill_with(L, s, v, lua_gettop(L));
  array_release(v);
  lua_pop(L, 2);
}

/* Pushes z[i] = start + i*step, as float64; the last one is exactly 'stop', if
** 'stop' is included. */
static void push_line (lua_State *L, RtDevice *dev, int64_t n, double start,
                       double stop, bool endpoint) {
  int64_t steps = n - endpoint;
  double step = (steps > 0) ? (stop - start) / (double)steps : 0;
  Element first, by;
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, DTYPE_FLOAT64, 1, &n, s);
  memcpy(&first, &start, sizeof start);
  memcpy(&by, &step, sizeof step);
  launch_arange(L, s, a, first, by);
  if (endpoint && n > 1)
    set_number(L, s, a, n - 1, stop);
}

/* Casts the array on the top to 't'; to integers by floor, as in NumPy. */
static int to_dtype (lua_State *L, DType t) {
  if (dtype_kind(t) < KIND_FLOAT) {
    class_push_method(L, -1, "floor");
    lua_insert(L, -2);
    entry_call(L, "linspace", 1, 1);
  }
  array_push_cast(L, lua_gettop(L), t);
  return 1;
}

/* Joins the lines of real and imaginary parts, which are on the top, to one of
** complex numbers. */
static void join_parts (lua_State *L) {
  class_push_method(L, -1, "mul");
  lua_insert(L, -2);
  complex_push(L, 0, 1);
  entry_call(L, "linspace", 2, 1);
  class_push_method(L, -1, "add");
  lua_insert(L, -3);
  entry_call(L, "linspace", 2, 1);
}

/* Tells whether the end at 'arg' is a complex number. Raises if it is none. */
static bool check_end (lua_State *L, int arg) {
  if (complex_test(L, arg))
    return true;
  if (lua_isuserdata(L, arg))
    type_error(L, arg, "number");
  arg_check_number(L, arg);
  return false;
}

/* Reads its parts. Raises if 't' cannot hold them. */
static void read_end (lua_State *L, int arg, DType t, double part[2]) {
  Element own;
  part[1] = 0;
  if (!complex_test(L, arg)) {
    part[0] = dtype_float_beside(L, arg, t);
    return;
  }
  const char *bad = dtype_read_element(L, arg, t, &own);
  argerror_check(L, bad == NULL, arg, "%s", bad);
  complex_read(L, arg, part);
}

/* The arguments behind both ends. */
typedef struct Line {
  int64_t n;
  int dtype; /* -1: by the ends */
  bool endpoint;
  int options; /* index of the options, or of nothing */
} Line;

/* Reads [n] [, dtype] [, { options }]. */
static Line read_line (lua_State *L, const char *const names[]) {
  Line z = {.n = 50, .dtype = -1};
  int at = 3;
  if (lua_type(L, at) == LUA_TNUMBER || lua_isnil(L, at))
    z.n = arg_opt_integer(L, at++, 50);
  argerror_check(L, z.n >= 0 && z.n <= (int64_t)1 << 46, 3,
                 "the number of elements must be from 0 to 2^46");
  if (lua_type(L, at) == LUA_TSTRING)
    z.dtype = (int)dtype_check(L, at++);
  else if (lua_isnil(L, at))
    at++;
  option_check(L, at, names);
  entry_check_end(L, at + 1);
  z.endpoint = option_flag(L, at, "endpoint", true);
  z.options = at;
  return z;
}

/*
** linspace(start, stop [, n] [, dtype] [, { endpoint= }]) -> n numbers, 50 by
** default, evenly from start to stop, which is included unless endpoint=false.
** Complex numbers lie on the line between them.
*/
static int core_linspace (lua_State *L) {
  static const char *const names[] = {"endpoint", NULL};
  double start[2], stop[2];
  state_rt(L);
  bool first = check_end(L, 1), second = check_end(L, 2);
  Line k = read_line(L, names);
  DType own = (first || second) ? DTYPE_COMPLEX128 : DTYPE_FLOAT64;
  DType t = (k.dtype < 0) ? own : (DType)k.dtype;
  read_end(L, 1, t, start);
  read_end(L, 2, t, stop);
  RtDevice *dev = current_get_device(L);
  push_line(L, dev, k.n, start[0], stop[0], k.endpoint);
  if (own == DTYPE_COMPLEX128) {
    push_line(L, dev, k.n, start[1], stop[1], k.endpoint);
    join_parts(L);
  }
  return (t == own) ? 1 : to_dtype(L, t);
}

/* ==} */

/* {== logspace ======================================================== */

/* Returns the real number at 'arg'. */
static double read_real (lua_State *L, int arg) {
  if (lua_isuserdata(L, arg))
    type_error(L, arg, "number");
  return arg_check_number(L, arg);
}

/* Pushes base^x for the array x on the top. */
static void push_powers (lua_State *L, double base) {
  Array *x = array_check(L, -1);
  RtStream *s = current_get_stream(L, x->dev);
  Array *b = array_new(L, x->dev, DTYPE_FLOAT64, 0, NULL, s);
  lua_pushnumber(L, base);
  array_fill_with(L, s, b, lua_gettop(L));
  lua_pop(L, 1);
  class_push_method(L, -1, "pow");
  lua_insert(L, -2);
  lua_pushvalue(L, -3);
  entry_call(L, "logspace", 2, 1);
}

/* Returns the numbers on the top in the dtype of the call. Integers are cut, as
** in NumPy. */
static int give (lua_State *L, const Line *k) {
  if (k->dtype >= 0)
    array_push_cast(L, lua_gettop(L), (DType)k->dtype);
  return array_return(L, k->options);
}

/*
** logspace(start, stop [, n] [, dtype] [, { base=, endpoint= }]) -> the powers
** of the base, 10 by default, whose exponents are linspace(start, stop).
*/
static int core_logspace (lua_State *L) {
  static const char *const names[] = {"base", "endpoint", NULL};
  state_rt(L);
  double start = read_real(L, 1), stop = read_real(L, 2);
  Line k = read_line(L, names);
  double base = lua_istable(L, k.options)
                  ? option_number(L, k.options, "base", 10)
                  : 10;
  lua_settop(L, k.options);
  push_line(L, current_get_device(L), k.n, start, stop, k.endpoint);
  push_powers(L, base);
  return give(L, &k);
}

/*
** geomspace(start, stop [, n] [, dtype] [, { endpoint= }]) -> numbers from
** start to stop, each the same multiple of the one before it.
*/
static int core_geomspace (lua_State *L) {
  static const char *const names[] = {"endpoint", NULL};
  state_rt(L);
  double start = read_real(L, 1), stop = read_real(L, 2);
  argerror_check(L, start != 0, 1, "a number other than 0 expected");
  argerror_check(L, stop != 0, 2, "a number other than 0 expected");
  argerror_check(L, (start < 0) == (stop < 0), 2,
                 "a number of the sign of argument 1 expected");
  Line k = read_line(L, names);
  lua_settop(L, k.options);
  push_line(L, current_get_device(L), k.n, log10(fabs(start)),
            log10(fabs(stop)), k.endpoint);
  push_powers(L, 10);
  if (start < 0) {
    class_push_method(L, -1, "neg_");
    lua_insert(L, -2);
    entry_call(L, "geomspace", 1, 1);
  }
  Array *z = array_check(L, -1);
  RtStream *s = current_get_stream(L, z->dev);
  if (k.n > 0)
    set_number(L, s, z, 0, start);
  if (k.n > 1 && k.endpoint)
    set_number(L, s, z, k.n - 1, stop);
  return give(L, &k);
}

/* ==} */

/*
** eye(n [, m] [, k] [, dtype]) -> n x m matrix with 1 on the k-th diagonal,
** else 0. m is n by default, and k is 0, the main diagonal; it may lie outside.
*/
static int core_eye (lua_State *L) {
  int64_t shape[2], strides[2], k = 0;
  size_t size;
  int at = 2;
  state_rt(L);
  if (lua_isuserdata(L, 1))
    type_error(L, 1, "number");
  shape[0] = shape[1] = arg_check_integer(L, 1);
  if (lua_type(L, at) == LUA_TNUMBER || lua_isnil(L, at))
    shape[1] = arg_opt_integer(L, at++, shape[0]);
  if (at == 3 && (lua_type(L, at) == LUA_TNUMBER || lua_isnil(L, at)))
    k = arg_opt_integer(L, at++, 0);
  argerror_check(L, shape[0] >= 0, 1, "shape must not be negative");
  argerror_check(L, shape[1] >= 0, 2, "shape must not be negative");
  argerror_check(L, array_measure(2, shape, strides, &size), 1,
                 "the shape has more than 2^46 elements");
  if (k < -shape[0] || k > shape[1]) /* outside of the array */
    k = shape[1];
  DType t = dtype_opt(L, at, DTYPE_FLOAT64);
  entry_check_end(L, at + 1);
  RtDevice *dev = current_get_device(L);
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, t, 2, shape, s);
  if (a->size == 0)
    return 1;
  Element one = {0};
  lua_pushinteger(L, 1);
  dtype_read_element(L, -1, t, &one);
  lua_pop(L, 1);
  KernelId id = kernel_by_width(BYWIDTH_eye, t);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr p = launch_writes(&op, a);
  void *params[] = {&p, &one, &k, &shape[1], &a->size};
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, a->size), params);
  return 1;
}

static const Function functions[] = {
  {"eye", core_eye, 4},
  {"geomspace", core_geomspace, 5},
  {"linspace", core_linspace, 5},
  {"logspace", core_logspace, 5},
  {NULL, NULL, 0},
};

void open_patterns (lua_State *L) { class_set_funcs(L, functions); }
