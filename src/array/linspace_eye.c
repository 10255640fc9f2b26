/*
** linspace_eye.c - arrays that follow a pattern: linspace, eye.
*/
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
#include "rt/op.h"

/* {== linspace ======================================================== */

/* Pushes z[i] = start + i*step, as float64; the last one is exactly 'stop', if
** 'stop' is included. */
static void push_line (lua_State *L, RtDevice *dev, int64_t n, double start,
                       double stop, bool endpoint) {
  int64_t steps = n - endpoint, one = 1;
  double step = (steps > 0) ? (stop - start) / (double)steps : 0;
  Element first, by;
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, DTYPE_FLOAT64, 1, &n, s);
  memcpy(&first, &start, sizeof start);
  memcpy(&by, &step, sizeof step);
  launch_arange(L, s, a, first, by);
  if (!endpoint || n < 2)
    return;
  array_push_view(L, a, 1, &one, NULL, a->off + (size_t)(n - 1) * sizeof stop);
  lua_pushnumber(L, stop);
  array_fill_with(L, s, array_check(L, -2), lua_gettop(L));
  lua_pop(L, 2);
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
  int at = 3;
  int64_t n = 50;
  if (lua_type(L, at) == LUA_TNUMBER || lua_isnil(L, at))
    n = arg_opt_integer(L, at++, 50);
  argerror_check(L, n >= 0 && n <= (int64_t)1 << 46, 3,
                 "the number of elements must be from 0 to 2^46");
  DType own = (first || second) ? DTYPE_COMPLEX128 : DTYPE_FLOAT64, t = own;
  if (lua_type(L, at) == LUA_TSTRING || lua_isnil(L, at))
    t = dtype_opt(L, at++, t);
  option_check(L, at, names);
  entry_check_end(L, at + 1);
  bool endpoint = option_flag(L, at, "endpoint", true);
  read_end(L, 1, t, start);
  read_end(L, 2, t, stop);
  RtDevice *dev = current_get_device(L);
  push_line(L, dev, n, start[0], stop[0], endpoint);
  if (own == DTYPE_COMPLEX128) {
    push_line(L, dev, n, start[1], stop[1], endpoint);
    join_parts(L);
  }
  return (t == own) ? 1 : to_dtype(L, t);
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
  {"linspace", core_linspace, 5},
  {NULL, NULL, 0},
};

void open_patterns (lua_State *L) { class_set_funcs(L, functions); }
