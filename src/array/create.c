/*
** create.c - makes arrays from shapes, numbers and tables.
*/
#include <math.h>

#include "array.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/slip.h"
#include "base/state.h"
#include "complex.h"
#include "device/current.h"
#include "device/submit.h"
#include "dtype.h"
#include "launch.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* {== from a shape ==================================================== */

void tide_checkshaped (lua_State *L, int arg, const char *name) {
  if (lua_type(L, arg) == LUA_TNUMBER && lua_type(L, 1) == LUA_TNUMBER)
    tide_argerror(L, arg,
                  "dtype expected, got number; a "
                  "shape of several axes is a table: %s{%I, %I%s}",
                  name, (LUAI_UACINT)lua_tointeger(L, 1),
                  (LUAI_UACINT)lua_tointeger(L, 2),
                  lua_type(L, arg + 1) == LUA_TNUMBER ? ", ..." : "");
  tide_checkend(L, arg + 1);
}

typedef Array *NewArray (lua_State *L, RtDevice *dev, DType t, int ndim,
                         const int64_t *shape, RtStream *s);

/* Pushes an array of the current device: shape at 1, dtype at 'arg'. */
static Array *push_shaped (lua_State *L, int arg, DType def, NewArray *make) {
  int64_t shape[MAX_DIMS];
  tide_rt(L);
  int ndim = tide_checkshape(L, 1, shape);
  DType t = tide_optdtype(L, arg, def);
  RtDevice *dev = tide_currentdevice(L);
  return make(L, dev, t, ndim, shape, tide_currentstream(L, dev));
}

void tide_zero (lua_State *L, RtStream *s, Array *a) {
  Op op;
  rt_startop(&op, OP_ZERO, "zeros");
  if (a->size == 0)
    return;
  op.u.zero.dst = tide_pointer(a);
  op.u.zero.bytes = tide_nbytes(a);
  tide_access(&op, a, true);
  tide_submit(L, s, &op);
}

static int zeroed (lua_State *L, Array *a) {
  tide_zero(L, tide_currentstream(L, a->dev), a);
  return 1;
}

/* empty(shape [, dtype]) -> uninitialized Array. */
static int core_empty (lua_State *L) {
  tide_checkshaped(L, 2, "empty");
  push_shaped(L, 2, tide_floatdtype(L), tide_newempty);
  return 1;
}

/* zeros(shape [, dtype]) */
static int core_zeros (lua_State *L) {
  tide_checkshaped(L, 2, "zeros");
  return zeroed(L, push_shaped(L, 2, tide_floatdtype(L), tide_newarray));
}

static int filled (lua_State *L, Array *a, int value) {
  tide_fillarray(L, tide_currentstream(L, a->dev), a, value);
  return 1;
}

/* ones(shape [, dtype]) */
static int core_ones (lua_State *L) {
  tide_checkshaped(L, 2, "ones");
  lua_settop(L, 2);
  lua_pushinteger(L, 1);
  return filled(L, push_shaped(L, 2, tide_floatdtype(L), tide_newarray), 3);
}

static void check_scalar (lua_State *L, int arg) {
  if (!tide_isscalar(L, arg))
    tide_typeerror(L, arg, "number or boolean");
}

/* full(shape, value [, dtype]): the dtype of the value by default. */
static int core_full (lua_State *L) {
  check_scalar(L, 2);
  lua_settop(L, 3);
  return filled(L, push_shaped(L, 3, tide_inferdtype(L, 2), tide_newarray), 2);
}

/* Pushes an array with the shape and device of that at 1; dtype at 'arg'. */
static Array *push_like (lua_State *L, int arg, NewArray *make) {
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  DType t = tide_optdtype(L, arg, a->dtype);
  return make(L, a->dev, t, a->ndim, a->shape, tide_currentstream(L, a->dev));
}

/* empty_like(a [, dtype]), zeros_like, ones_like; full_like(a, value ...) */
static int core_empty_like (lua_State *L) {
  push_like(L, 2, tide_newempty);
  return 1;
}

static int core_zeros_like (lua_State *L) {
  return zeroed(L, push_like(L, 2, tide_newarray));
}

static int core_ones_like (lua_State *L) {
  lua_settop(L, 2);
  lua_pushinteger(L, 1);
  return filled(L, push_like(L, 2, tide_newarray), 3);
}

static int core_full_like (lua_State *L) {
  check_scalar(L, 2);
  lua_settop(L, 3);
  return filled(L, push_like(L, 3, tide_newarray), 2);
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
    tide_typeerror(L, 1, "number");
  DType t = tide_optdtype(L, n + 1,
                          integers ? DTYPE_INT64 : tide_floatdtype(L));
  tide_argcheck(L, rt_kernel_arange(t) >= 0, n + 1, "arange has no %s",
                tide_dtypename(t));
  for (int i = n + 2; i <= top; i++)
    tide_argcheck(L, lua_isnil(L, i), i, "nothing comes after the dtype");
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
  tide_argcheck(L, lua_tonumber(L, step) != 0, step, "step must not be zero");
  if (lua_isinteger(L, start) && lua_isinteger(L, stop) &&
      lua_isinteger(L, step)) {
    uint64_t n = count_integers(lua_tointeger(L, start), lua_tointeger(L, stop),
                                lua_tointeger(L, step), t);
    tide_argcheck(L, n <= (uint64_t)1 << 46, stop, "%s", toomany);
    return (int64_t)n;
  }
  double n = (tide_floatbeside(L, stop, t) - tide_floatbeside(L, start, t)) /
             lua_tonumber(L, step);
  tide_argcheck(L, n == n, stop, "start, stop or step is not a number");
  tide_argcheck(L, n <= 0x1p46, stop, "%s", toomany);
  return (n <= 0) ? 0 : (int64_t)ceil(n);
}

void tide_arange (lua_State *L, RtStream *s, Array *z, Element first,
                  Element step) {
  if (z->size == 0)
    return;
  KernelId id = rt_kernel_arange(z->dtype);
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr p = tide_writes(&op, z);
  void *params[] = {&p, &first, &step, &z->size};
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, z->size), params);
}

/* Raises unless 't', if it is an integer dtype, has the last number as well. */
static void check_last (lua_State *L, const Progression *p, DType t,
                        int64_t n) {
  Element last;
  int64_t first = lua_tointeger(L, p->start), step = lua_tointeger(L, p->step);
  int64_t end = (int64_t)((uint64_t)first + (uint64_t)(n - 1) * (uint64_t)step);
  double about = (double)first + (double)(n - 1) * (double)step;
  if (tide_kind(t) != KIND_INTEGER || t == DTYPE_UINT64 || n < 2)
    return;
  if (fabs(about - (double)end) > 0x1p62) /* 'end' has wrapped around */
    lua_pushnumber(L, about);
  else
    lua_pushinteger(L, end);
  const char *bad = tide_readelement(L, -1, t, &last);
  tide_argcheck(L, bad == NULL, p->stop, "%s", bad);
  lua_pop(L, 1);
}

/*
** arange([start,] stop [, step] [, dtype]): start, start + step ... before
** stop, from 0 by 1; int64 if all of them are integers, else the default dtype.
*/
static int core_arange (lua_State *L) {
  Element first = {0}, step = {0};
  Progression p;
  tide_rt(L);
  DType t = read_progression(L, &p);
  int64_t n = count_steps(L, &p, t);
  const char *bad = tide_readelement(L, p.start, t, &first);
  tide_argcheck(L, bad == NULL, p.start, "%s", bad);
  /* integers are added in 64 bits, so steps down need no negative elements */
  bad = tide_readelement(L, p.step,
                         tide_kind(t) == KIND_INTEGER ? DTYPE_INT64 : t, &step);
  tide_argcheck(L, bad == NULL, p.step, "%s", bad);
  check_last(L, &p, t, n);
  RtDevice *dev = tide_currentdevice(L);
  RtStream *s = tide_currentstream(L, dev);
  Array *a = tide_newarray(L, dev, t, 1, &n, s);
  tide_arange(L, s, a, first, step);
  return 1;
}

/* ==} */

/* {== from other values =============================================== */

/* Pushes the Array of the current device for the host array on the top. */
static int upload (lua_State *L, Array *h) {
  RtDevice *dev = h->dev;
  RtStream *s = tide_currentstream(L, dev);
  Array *a = tide_newarray(L, dev, h->dtype, h->ndim, h->shape, s);
  tide_copy(L, s, a, h);
  return 1;
}

/* Makes an array. Its page-locked memory can be reused at once. */
static int from_table (lua_State *L, int dtype) {
  Array *h = tide_pushtable(L, 1, tide_currentdevice(L), dtype);
  upload(L, h);
  tide_closearray(h);
  return 1;
}

static int from_scalar (lua_State *L, int dtype) {
  RtDevice *dev = tide_currentdevice(L);
  DType t = (dtype < 0) ? tide_inferdtype(L, 1) : (DType)dtype;
  RtStream *s = tide_currentstream(L, dev);
  Array *a = tide_newarray(L, dev, t, 0, NULL, s);
  tide_fillarray(L, s, a, 1);
  return 1;
}

static const char arrayable[] = "table, number, boolean or array";

static int copy_of (lua_State *L, int dtype) {
  Array *a = tide_testarray(L, 1);
  if (a == NULL) {
    Array *h = tide_testobject(L, 1, &tide_hostarrayclass);
    if (h == NULL)
      return tide_typeerror(L, 1, arrayable);
    tide_checkopen(L, 1, h);
    upload(L, h);
  } else {
    RtStream *s = tide_currentstream(L, a->dev);
    tide_checkarray(L, 1);
    Array *b = tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
    tide_copy(L, s, b, a);
  }
  if (dtype >= 0)
    tide_pushcast(L, lua_gettop(L), (DType)dtype);
  return 1;
}

/*
** array(x [, dtype]) -> Array: with the elements of a nested table, a number or
** a boolean, on the current device; or a copy of a HostArray or an Array, on
** its own device. Integers make int64, floats the default dtype, booleans bool.
*/
int tide_array (lua_State *L) {
  tide_rt(L);
  int dtype = lua_isnoneornil(L, 2) ? -1 : (int)tide_checkdtype(L, 2);
  if (tide_isscalar(L, 1))
    return from_scalar(L, dtype);
  switch (lua_type(L, 1)) {
    case LUA_TTABLE: return from_table(L, dtype);
    case LUA_TUSERDATA: return copy_of(L, dtype);
    default: return tide_typeerror(L, 1, arrayable);
  }
}

/* asarray(x [, dtype]): array that returns an Array of that dtype itself. */
static int core_asarray (lua_State *L) {
  tide_rt(L);
  if (tide_testarray(L, 1) == NULL)
    return tide_array(L);
  Array *a = tide_checkarray(L, 1);
  tide_pushcast(L, 1, tide_optdtype(L, 2, a->dtype));
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"arange", core_arange, 4},         {"array", tide_array, 2},
  {"asarray", core_asarray, 2},       {"empty", core_empty, ANY},
  {"empty_like", core_empty_like, 2}, {"full", core_full, 3},
  {"full_like", core_full_like, 3},   {"ones", core_ones, ANY},
  {"ones_like", core_ones_like, 2},   {"zeros", core_zeros, ANY},
  {"zeros_like", core_zeros_like, 2}, {NULL, NULL, 0},
};

void tide_opencreate (lua_State *L) { tide_setfuncs(L, functions); }
