/*
** search.c - places in sorted arrays: searchsorted, digitize; and linear
** interpolation: interp. See kernels/search.cu.
*/
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sort.h"

#include "kernels/keys.h"
#include "rt/queue/op_types.h"

/* {== places ========================================================== */

/* z = the places of v among the elements of a. Both are dense, and of one
** dtype, or v is float32 and a float64. */
static void launch (lua_State *L, RtStream *s, Array *z, const Array *a,
                    const Array *v, Search k) {
  KeyRule rule = sort_key_rule(a->dtype);
  int64_t pass = PASS(0, (int)dtype_size(a->dtype), 1, 1, 1, k.down);
  size_t n = a->size, last = k.last, single = v->dtype != a->dtype;
  KernelId id = kernel_named(dtype_size(a->dtype) > 4 ? "search_k64"
                                                      : "search_k32");
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pa = launch_reads(&op, a), pv = launch_reads(&op, v),
              pz = launch_writes(&op, z);
  void *params[] = {&pz,       &pa,   &pv,   &n,      &z->size, &rule.sign,
                    &rule.inf, &pass, &last, &k.base, &single};
  launch_kernel(L, s, &op, id, kernel_search_grid(z->size), params);
}

int sort_push_places (lua_State *L, RtStream *s, int a, int v, Search k) {
  Array *x = array_check(L, a), *y = array_check(L, v);
  DType t = dtype_promote(x->dtype, y->dtype);
  if (dtype_kind(t) == KIND_COMPLEX)
    error_raise(L, "'%s' is not defined for %s arrays",
                argerror_caller(L, "searchsorted"), dtype_name(t));
  x = operand_push_dense(L, a, t);
  bool single = t == DTYPE_FLOAT64 && y->dtype == DTYPE_FLOAT32;
  y = operand_push_dense(L, v, single ? DTYPE_FLOAT32 : t);
  Array *z = array_new(L, y->dev, DTYPE_INT64, y->ndim, y->shape, s);
  if (z->size > 0)
    launch(L, s, z, x, y, k);
  return lua_gettop(L);
}

/* Returns the array at 'arg'. Raises unless it has one axis. */
static Array *check_line (lua_State *L, int arg, const char *what) {
  Array *a = array_check(L, arg);
  if (a->ndim != 1)
    argerror_raise(L, arg, "%s must have one axis, has %d", what, a->ndim);
  return a;
}

DType sort_beside (const Array *a) {
  DType t = (DType)a->dtype;
  return (dtype_kind(t) < KIND_FLOAT) ? DTYPE_BOOL : t;
}

/* Pushes the operand at 'arg', of any kind. 'beside': see composed_operand. */
static int push_other (lua_State *L, int arg, const Array *a, DType beside,
                       RtStream *s) {
  int v = composed_operand(L, arg, beside, a->dev, s);
  array_check_devices(L, a, array_check(L, v));
  return v;
}

/* Pushes the array at 1 in the order of the option 'sorter', at 4. */
static int push_sorted (lua_State *L) {
  if (lua_isnil(L, 4))
    return 1;
  Array *order = array_test(L, 4), *a = array_check(L, 1);
  if (order == NULL || order->closed)
    argerror_raise(L, 3, "option 'sorter' must be an open tide.Array, got %s",
                   array_push_got(L, 4));
  array_check_devices(L, a, order);
  argerror_check(L, order->ndim == 1 && order->size == a->size, 3,
                 "option 'sorter' must have a place for each element");
  argerror_check(L, dtype_kind(order->dtype) == KIND_INTEGER, 3,
                 "option 'sorter' must have integers");
  lua_pushvalue(L, 4);
  return composed_call(L, "take", 1, 1);
}

/*
** searchsorted(a, v [, { side=, sorter=, out= }]) -> for each element of v the
** place, from 1, at which to insert it into 'a', which is sorted, so that it
** stays sorted: before equal elements, or after them.
*/
static int array_searchsorted (lua_State *L) {
  static const char *const names[] = {"out", "side", "sorter", NULL};
  static const char *const sides[] = {"left", "right", NULL};
  lua_settop(L, 3);
  Array *a = check_line(L, 1, "a sorted array");
  Search k = {.base = 1};
  option_check(L, 3, names);
  k.last = option_word(L, 3, "side", 0, sides) == 1;
  composed_option(L, 3, "sorter");
  lua_pushvalue(L, 3);
  RtStream *s = current_get_stream(L, a->dev);
  int v = push_other(L, 2, a, (DType)a->dtype, s);
  sort_push_places(L, s, push_sorted(L), v, k);
  return result_deliver_out(L, 5, s);
}

/*
** digitize(x, edges [, { right=, descending=, out= }]) -> for each element of x
** the number of its bin: that of the last edge that is not above it, or 0. The
** edges are sorted. 'right': an edge belongs to the bin before it.
*/
static int array_digitize (lua_State *L) {
  static const char *const names[] = {"descending", "out", "right", NULL};
  lua_settop(L, 3);
  Array *x = array_check(L, 1);
  Search k = {.last = true};
  if (option_check(L, 3, names)) {
    k.down = option_flag(L, 3, "descending", false);
    k.last = option_flag(L, 3, "right", false) == k.down;
  }
  RtStream *s = current_get_stream(L, x->dev);
  int edges = push_other(L, 2, x, sort_beside(x), s);
  if (array_check(L, edges)->ndim != 1)
    argerror_raise(L, 2, "edges must have one axis");
  sort_push_places(L, s, edges, 1, k);
  return result_deliver_out(L, 3, s);
}

/* ==} */

/* {== interp ========================================================== */

/* A call, with the indices of its float64 arrays. */
typedef struct Table {
  int x, xs, ys;
  size_t given;
  lua_Number left, right;
} Table;

static void interpolate (lua_State *L, RtStream *s, const Table *k) {
  Array *x = array_check(L, k->x), *xs = array_check(L, k->xs),
        *ys = array_check(L, k->ys);
  Array *z = array_new(L, x->dev, DTYPE_FLOAT64, x->ndim, x->shape, s);
  if (z->size == 0)
    return;
  KernelId id = kernel_named("interp_f64");
  size_t n = xs->size, given = k->given;
  double left = k->left, right = k->right;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), ps = launch_reads(&op, xs),
              py = launch_reads(&op, ys), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &ps, &py, &n, &z->size, &given, &left, &right};
  launch_kernel(L, s, &op, id, kernel_strided_grid(z->size), params);
}

/* Pushes a with its last element, minus 'by', in front, and its first element,
** plus 'by', behind. */
static int push_around (lua_State *L, int a, lua_Number by) {
  lua_pushinteger(L, -1);
  lua_pushinteger(L, -1);
  int before = composed_call(L, "slice", a, 2);
  before = composed_scalar(L, "sub", before, by);
  lua_pushinteger(L, 1);
  lua_pushinteger(L, 1);
  int after = composed_call(L, "slice", a, 2);
  after = composed_scalar(L, "add", after, by);
  return composed_binary(L, "append", composed_binary(L, "append", before, a),
                         after);
}

/* Reduces all to one period, and adds a point beyond each end. */
static void fold (lua_State *L, Table *k, lua_Number period) {
  k->x = composed_scalar(L, "mod", k->x, period);
  k->xs = composed_scalar(L, "mod", k->xs, period);
  int order = composed_unary(L, "argsort", k->xs);
  k->ys = push_around(L, composed_take(L, k->ys, order), 0);
  k->xs = push_around(L, composed_take(L, k->xs, order), period);
  k->given = 0;
}

static int push_plain (lua_State *L, int arg) {
  operand_push_dense(L, arg, DTYPE_FLOAT64);
  return lua_gettop(L);
}

/* Returns option 'left' or 'right'; sets bit 'bit' if it is given. */
static lua_Number read_end (lua_State *L, Table *k, const char *name,
                            unsigned bit) {
  composed_option(L, 4, name);
  k->given |= lua_isnil(L, -1) ? 0 : bit;
  lua_pop(L, 1);
  return lua_istable(L, 4) ? option_number(L, 4, name, 0) : 0;
}

/* Returns option 'period', or 0: none. */
static lua_Number read_period (lua_State *L) {
  if (!lua_istable(L, 4))
    return 0;
  lua_Number period = option_number(L, 4, "period", INFINITY);
  if (period == INFINITY)
    return 0;
  if (period == 0 || !(fabs(period) < INFINITY))
    argerror_raise(L, 4, "option 'period' must be a finite number, and not 0");
  return fabs(period);
}

/*
** interp(x, xs, ys [, { left=, right=, period=, out= }]) -> linear
** interpolation at each x through the points (xs, ys); xs is sorted.
*/
static int array_interp (lua_State *L) {
  static const char *const names[] = {"left", "out", "period", "right", NULL};
  Table k = {0};
  lua_settop(L, 4);
  Array *x = array_check(L, 1);
  option_check(L, 4, names);
  k.left = read_end(L, &k, "left", 1);
  k.right = read_end(L, &k, "right", 2);
  lua_Number period = read_period(L);
  RtStream *s = current_get_stream(L, x->dev);
  int xs = push_other(L, 2, x, DTYPE_FLOAT64, s),
      ys = push_other(L, 3, x, DTYPE_FLOAT64, s);
  argerror_check(L, array_check(L, xs)->ndim == 1, 2,
                 "points must have one axis");
  argerror_check(L, array_check(L, xs)->size > 0, 2, "there are no points");
  argerror_check(L, array_same_shape(array_check(L, xs), array_check(L, ys)), 3,
                 "a number for each point expected");
  for (int i = 1; i <= 3; i++)
    if (dtype_kind(array_check(L, i == 1   ? 1
                                  : i == 2 ? xs
                                           : ys)
                     ->dtype) == KIND_COMPLEX)
      argerror_raise(L, i, "real numbers expected");
  k.x = push_plain(L, 1);
  k.xs = push_plain(L, xs);
  k.ys = push_plain(L, ys);
  if (period != 0)
    fold(L, &k, period);
  interpolate(L, s, &k);
  return result_deliver_out(L, 4, s);
}

/* ==} */

static const Function functions[] = {
  {"digitize", array_digitize, 3},
  {"interp", array_interp, 4},
  {"searchsorted", array_searchsorted, 3},
  {NULL, NULL, 0},
};

void open_search (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
