/*
** create.c - makes arrays from shapes, numbers and tables.
*/
#include <math.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/state.h"
#include "base/type.h"
#include "complex.h"
#include "device/current.h"
#include "device/submit.h"
#include "dtype.h"
#include "launch.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* {== from a shape ==================================================== */

void array_check_args (lua_State *L, int arg, const char *name) {
  if (lua_type(L, arg) == LUA_TNUMBER && lua_type(L, 1) == LUA_TNUMBER)
    argerror_raise(L, arg,
                   "dtype expected, got number; a shape of several axes is a "
                   "table: %s{%I, %I%s}",
                   name, (LUAI_UACINT)lua_tointeger(L, 1),
                   (LUAI_UACINT)lua_tointeger(L, 2),
                   lua_type(L, arg + 1) == LUA_TNUMBER ? ", ..." : "");
  entry_check_end(L, arg + 1);
}

typedef Array *NewArray (lua_State *L, RtDevice *dev, DType t, int ndim,
                         const int64_t *shape, RtStream *s);

/* Pushes an array of the current device: shape at 1, dtype at 'arg'. */
static Array *push_shaped (lua_State *L, int arg, DType def, NewArray *make) {
  int64_t shape[MAX_DIMS];
  state_rt(L);
  int ndim = array_check_shape(L, 1, shape);
  DType t = dtype_opt(L, arg, def);
  RtDevice *dev = current_get_device(L);
  return make(L, dev, t, ndim, shape, current_get_stream(L, dev));
}

void array_zero (lua_State *L, RtStream *s, Array *a) {
  Op op;
  op_start(&op, OP_ZERO, "zeros");
  if (a->size == 0)
    return;
  op.u.zero.dst = array_pointer(a);
  op.u.zero.bytes = array_bytes(a);
  array_access(&op, a, true);
  submit_work(L, s, &op);
}

static int zeroed (lua_State *L, Array *a) {
  array_zero(L, current_get_stream(L, a->dev), a);
  return 1;
}

/* Kernels rely on it that a bool is the byte 0 or 1, so these are zeroed. */
static int uninitialized (lua_State *L, Array *a) {
  return (a->dtype == DTYPE_BOOL) ? zeroed(L, a) : 1;
}

/* empty(shape [, dtype]) -> uninitialized Array. */
static int core_empty (lua_State *L) {
  array_check_args(L, 2, "empty");
  return uninitialized(L, push_shaped(L, 2, dtype_default(L), array_new_empty));
}

/* zeros(shape [, dtype]) */
static int core_zeros (lua_State *L) {
  array_check_args(L, 2, "zeros");
  return zeroed(L, push_shaped(L, 2, dtype_default(L), array_new));
}

static int filled (lua_State *L, Array *a, int value) {
  array_fill_with(L, current_get_stream(L, a->dev), a, value);
  return 1;
}

/* ones(shape [, dtype]) */
static int core_ones (lua_State *L) {
  array_check_args(L, 2, "ones");
  lua_settop(L, 2);
  lua_pushinteger(L, 1);
  return filled(L, push_shaped(L, 2, dtype_default(L), array_new), 3);
}

static void check_scalar (lua_State *L, int arg) {
  if (!dtype_is_scalar(L, arg))
    type_error(L, arg, "number or boolean");
}

/* full(shape, value [, dtype]): the dtype of the value by default. */
static int core_full (lua_State *L) {
  check_scalar(L, 2);
  lua_settop(L, 3);
  return filled(L, push_shaped(L, 3, dtype_infer(L, 2), array_new), 2);
}

/* Pushes an array with the shape and device of that at 1; dtype at 'arg'. */
static Array *push_like (lua_State *L, int arg, NewArray *make) {
  state_rt(L);
  Array *a = array_check(L, 1);
  DType t = dtype_opt(L, arg, a->dtype);
  return make(L, a->dev, t, a->ndim, a->shape, current_get_stream(L, a->dev));
}

/* empty_like(a [, dtype]), zeros_like, ones_like; full_like(a, value ...) */
static int core_empty_like (lua_State *L) {
  return uninitialized(L, push_like(L, 2, array_new_empty));
}

static int core_zeros_like (lua_State *L) {
  return zeroed(L, push_like(L, 2, array_new));
}

static int core_ones_like (lua_State *L) {
  lua_settop(L, 2);
  lua_pushinteger(L, 1);
  return filled(L, push_like(L, 2, array_new), 3);
}

static int core_full_like (lua_State *L) {
  check_scalar(L, 2);
  lua_settop(L, 3);
  return filled(L, push_like(L, 3, array_new), 2);
}

/* ==} */

/* {== arange ========================================================== */

/* Stack indices of the numbers of arange. */
typedef struct Progression {
  int start, stop, step;
} Progression;

/*
** Reads arange(stop [, dtype]) or arange(start, stop [, step] [, dtype]), and
** pushes the missing numbers.
*/
static DType read_progression (lua_State *L, Progression *p) {
  bool integers = true;
  int n = 0, top = lua_gettop(L);
  for (; n < 3 && lua_type(L, n + 1) == LUA_TNUMBER; n++)
    integers = integers && lua_isinteger(L, n + 1);
  if (n == 0)
    type_error(L, 1, "number");
  DType t = dtype_opt(L, n + 1, integers ? DTYPE_INT64 : dtype_default(L));
  argerror_check(L, kernel_arange(t) >= 0, n + 1, "arange has no %s",
                 dtype_name(t));
  for (int i = n + 2; i <= top; i++)
    argerror_check(L, lua_isnil(L, i), i, "nothing comes after the dtype");
  lua_pushinteger(L, 0);
  lua_pushinteger(L, 1);
  p->start = (n == 1) ? top + 1 : 1;
  p->stop = (n == 1) ? 1 : 2;
  p->step = (n < 3) ? top + 2 : 3;
  return t;
}

/* Counts without overflow for any distance. uint64 numbers are in the order of
** math.ult, except that steps down may go from 0 or more to a negative stop,
** which is no element. */
static uint64_t count_integers (int64_t a, int64_t b, int64_t step, DType t) {
  bool flip = (t == DTYPE_UINT64) && !(step < 0 && a >= 0 && b < 0);
  int64_t sign = flip ? INT64_MIN : 0, x = a ^ sign, y = b ^ sign;
  if ((step > 0) ? x >= y : x <= y)
    return 0;
  uint64_t from = (uint64_t)a, to = (uint64_t)b, each = (uint64_t)step;
  return (step > 0) ? (to - from - 1) / each + 1
                    : (from - to - 1) / (0 - each) + 1;
}

static int64_t count_steps (lua_State *L, const Progression *p, DType t) {
  const char *toomany = "more than 2^46 elements";
  int start = p->start, stop = p->stop, step = p->step;
  argerror_check(L, lua_tonumber(L, step) != 0, step, "step must not be zero");
  if (lua_isinteger(L, start) && lua_isinteger(L, stop) &&
      lua_isinteger(L, step)) {
    uint64_t n = count_integers(lua_tointeger(L, start), lua_tointeger(L, stop),
                                lua_tointeger(L, step), t);
    argerror_check(L, n <= (uint64_t)1 << 46, stop, "%s", toomany);
    return (int64_t)n;
  }
  double n = (dtype_float_beside(L, stop, t) -
              dtype_float_beside(L, start, t)) /
             lua_tonumber(L, step);
  argerror_check(L, n == n, stop, "start, stop or step is not a number");
  argerror_check(L, n <= 0x1p46, stop, "%s", toomany);
  return (n <= 0) ? 0 : (int64_t)ceil(n);
}

void launch_arange (lua_State *L, RtStream *s, Array *z, Element first,
                    Element step) {
  if (z->size == 0)
    return;
  KernelId id = kernel_arange(z->dtype);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr p = launch_writes(&op, z);
  void *params[] = {&p, &first, &step, &z->size};
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

/* Raises unless 't', if it is an integer dtype, has the last number as well. */
static void check_last (lua_State *L, const Progression *p, DType t,
                        int64_t n) {
  Element last;
  int64_t first = lua_tointeger(L, p->start), step = lua_tointeger(L, p->step);
  int64_t end = (int64_t)((uint64_t)first + (uint64_t)(n - 1) * (uint64_t)step);
  double about = (double)first + (double)(n - 1) * (double)step;
  if (dtype_kind(t) != KIND_INTEGER || t == DTYPE_UINT64 || n < 2)
    return;
  if (fabs(about - (double)end) > 0x1p62) /* 'end' has wrapped around */
    lua_pushnumber(L, about);
  else
    lua_pushinteger(L, end);
  const char *bad = dtype_read_element(L, -1, t, &last);
  argerror_check(L, bad == NULL, p->stop, "%s", bad);
  lua_pop(L, 1);
}

/*
** arange([start,] stop [, step] [, dtype]): start, start + step ... before
** stop, from 0 by 1; int64 if all of them are integers, else the default dtype.
*/
static int core_arange (lua_State *L) {
  Element first = {0}, step = {0};
  Progression p;
  state_rt(L);
  DType t = read_progression(L, &p);
  int64_t n = count_steps(L, &p, t);
  const char *bad = dtype_read_element(L, p.start, t, &first);
  argerror_check(L, bad == NULL, p.start, "%s", bad);
  /* integers are added in 64 bits, so steps down need no negative elements */
  bad = dtype_read_element(L, p.step,
                           dtype_kind(t) == KIND_INTEGER ? DTYPE_INT64 : t,
                           &step);
  argerror_check(L, bad == NULL, p.step, "%s", bad);
  check_last(L, &p, t, n);
  RtDevice *dev = current_get_device(L);
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, t, 1, &n, s);
  launch_arange(L, s, a, first, step);
  return 1;
}

/* ==} */

/* {== from other values =============================================== */

/* Pushes the Array of the current device for the host array on the top. */
static int upload (lua_State *L, Array *h) {
  RtDevice *dev = h->dev;
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, a, h);
  return 1;
}

/* Makes an array. Its page-locked memory can be reused at once. */
static int from_table (lua_State *L, int dtype) {
  Array *h = array_push_table(L, 1, current_get_device(L), dtype);
  upload(L, h);
  array_release(h);
  return 1;
}

static int from_scalar (lua_State *L, int dtype) {
  RtDevice *dev = current_get_device(L);
  DType t = (dtype < 0) ? dtype_infer(L, 1) : (DType)dtype;
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, t, 0, NULL, s);
  array_fill_with(L, s, a, 1);
  return 1;
}

static const char arrayable[] = "table, number, boolean or array";

static int copy_of (lua_State *L, int dtype) {
  Array *a = array_test(L, 1);
  if (a == NULL) {
    Array *h = class_test(L, 1, &array_host_class);
    if (h == NULL)
      return type_error(L, 1, arrayable);
    array_check_open(L, 1, h);
    upload(L, h);
  } else {
    RtStream *s = current_get_stream(L, a->dev);
    array_check(L, 1);
    Array *b = array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
    array_copyto(L, s, b, a);
  }
  if (dtype >= 0)
    array_push_cast(L, lua_gettop(L), (DType)dtype);
  return 1;
}

/*
** array(x [, dtype]) -> Array: with the elements of a nested table, a number or
** a boolean, on the current device; or a copy of a HostArray or an Array, on
** its own device. Integers make int64, floats the default dtype, booleans bool.
*/
int array_create (lua_State *L) {
  state_rt(L);
  int dtype = lua_isnoneornil(L, 2) ? -1 : (int)dtype_check(L, 2);
  if (dtype_is_scalar(L, 1))
    return from_scalar(L, dtype);
  switch (lua_type(L, 1)) {
    case LUA_TTABLE: return from_table(L, dtype);
    case LUA_TUSERDATA: return copy_of(L, dtype);
    default: return type_error(L, 1, arrayable);
  }
}

/* asarray(x [, dtype]): array that returns an Array of that dtype itself. */
static int core_asarray (lua_State *L) {
  state_rt(L);
  if (array_test(L, 1) == NULL)
    return array_create(L);
  Array *a = array_check(L, 1);
  array_push_cast(L, 1, dtype_opt(L, 2, a->dtype));
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"arange", core_arange, 4},         {"array", array_create, 2},
  {"asarray", core_asarray, 2},       {"empty", core_empty, ANY},
  {"empty_like", core_empty_like, 2}, {"full", core_full, 3},
  {"full_like", core_full_like, 3},   {"ones", core_ones, ANY},
  {"ones_like", core_ones_like, 2},   {"zeros", core_zeros, ANY},
  {"zeros_like", core_zeros_like, 2}, {NULL, NULL, 0},
};

void open_create (lua_State *L) { class_set_funcs(L, functions); }
