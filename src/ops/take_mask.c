/*
** take_mask.c - elements by their places: take, mask. See kernels/select.cu.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argument.h"
#include "base/class.h"
#include "base/error.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "device/index_error.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* {== take ============================================================ */

/* What an index out of range means. */
typedef enum TakeMode { TAKE_RAISE, TAKE_CLIP, TAKE_WRAP } TakeMode;

static const char *const take_options[] = {"axis", "mode", "out", NULL};

static TakeMode read_mode (lua_State *L, int options) {
  static const char *const modes[] = {"raise", "clip", "wrap"};
  if (lua_isnil(L, options))
    return TAKE_RAISE;
  if (tide_getoption(L, options, "mode") == LUA_TNIL)
    return lua_pop(L, 1), TAKE_RAISE;
  const char *mode = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  for (int i = 0; i < 3; i++)
    if (strcmp(modes[i], mode) == 0)
      return lua_pop(L, 1), (TakeMode)i;
  return luaL_argerror(L, options, "option 'mode' must be 'raise', 'clip' or "
                       "'wrap'"), TAKE_RAISE;
}

/* Raises unless all indices of the HostArray, which is ready, are among n. */
static void check_indices (lua_State *L, const Array *h, size_t n) {
  const int64_t *at = (const int64_t *)(uintptr_t)tide_pointer(h);
  int64_t most = (int64_t)n;
  for (size_t i = 0; i < h->size; i++)
    if (at[i] == 0 || at[i] > most || at[i] < -most)
      luaL_error(L, "index %I is out of range for an axis of %I elements%s",
                 (LUAI_UACINT)at[i], (LUAI_UACINT)n,
                 at[i] == 0 ? "; indices count from 1" : "");
}

/* Pushes the index at 'arg' as a HostArray of one element. */
static Array *push_number (lua_State *L, int arg, RtDevice *dev) {
  int64_t index = tide_checkinteger(L, arg);
  Array *h = tide_newhostarray(L, dev, DTYPE_INT64, 0, NULL);
  *(int64_t *)(uintptr_t)tide_pointer(h) = index;
  return h;
}

/*
** Pushes the indices at 2 as an int64 array of the device; 'n' is how many
** elements there are to choose from. Those on the device cannot be looked at
** without waiting for them: the kernel does.
*/
static Array *push_indices (lua_State *L, RtDevice *dev, RtStream *s,
                            size_t n, TakeMode mode) {
  Array *index = tide_testarray(L, 2), *h;
  if (index != NULL) {
    tide_checkopen(L, 2, index);
    if (index->dtype == DTYPE_BOOL || tide_isfloat(index->dtype))
      luaL_argerror(L, 2, lua_pushfstring(L,
          "indices must be integers, got %s; a:mask takes truth values",
          tide_dtypename(index->dtype)));
    tide_checkdevices(L, tide_checkarray(L, 1), index);
    return tide_pushplain(L, 2, DTYPE_INT64);
  }
  if (lua_istable(L, 2))
    h = tide_pushtable(L, 2, dev, DTYPE_INT64);
  else if (lua_type(L, 2) == LUA_TNUMBER)
    h = push_number(L, 2, dev);
  else
    return tide_typeerror(L, 2, "tide.Array, table or integer"), NULL;
  if (mode == TAKE_RAISE)
    check_indices(L, h, n);
  index = tide_newarray(L, dev, DTYPE_INT64, h->ndim, h->shape, s);
  tide_copy(L, s, index, h);
  return index;
}

/* The shape of the result: that of the indices in place of the axis. */
static int taken_shape (lua_State *L, const Array *a, const Array *index,
                        int axis, int64_t shape[MAX_DIMS]) {
  int n = 0, rest = (axis < 0) ? 0 : a->ndim - 1;
  if (rest + index->ndim > MAX_DIMS)
    luaL_error(L, "the result would have more than %d dimensions", MAX_DIMS);
  for (int i = 0; i < axis; i++)
    shape[n++] = a->shape[i];
  for (int i = 0; i < index->ndim; i++)
    shape[n++] = index->shape[i];
  for (int i = axis + 1; axis >= 0 && i < a->ndim; i++)
    shape[n++] = a->shape[i];
  return n;
}

/* Pushes what the kernel tells of indices that are on the device; NULL: it need
** not. */
static Check *push_check (lua_State *L, const RtStream *s, size_t n,
                          TakeMode mode) {
  if (mode != TAKE_RAISE || tide_testarray(L, 2) == NULL)
    return NULL;
  tide_pushcaller(L);
  lua_pushfstring(L, "%s: take: an index is out of range for an axis of %I "
                  "elements", lua_tostring(L, -1), (LUAI_UACINT)n);
  lua_remove(L, -2);
  return tide_pushcheck(L, s);
}

/* Queues z = x at the indices; 'at' are the lines of x. */
static void take (lua_State *L, RtStream *s, Array *z, Array *x, Array *index,
                  Lines at, TakeMode mode) {
  Op op;
  Check *check = push_check(L, s, at.n, mode);
  size_t wraps = (mode == TAKE_WRAP);
  uint32_t *bad = (check != NULL) ? check->flag : NULL;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, x), pi = tide_reads(&op, index),
              pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, &pi, &at.n, &index->size, &at.inner, &z->size,
                    &wraps, &bad};
  KernelId id = rt_kernel_bywidth(BYWIDTH_take, (DType)z->dtype);
  tide_launchchecked(L, s, &op, id, rt_elementwise_grid(id, z->size), params,
                     check != NULL ? lua_gettop(L) : 0);
}

/*
** take(a, indices [, axis] [, { axis=, out=, mode= }]) -> the elements, or the
** slices across an axis, at the indices, which count from 1. Without an axis
** those of the flattened array.
*/
static int array_take (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Target to;
  lua_settop(L, 4);
  Array *a = tide_checkarray(L, 1);
  int axis, options = tide_optaxis(L, 3, a->ndim, take_options, &axis);
  Lines at = {1, a->size, 1};
  if (axis >= 0)
    at = tide_lines(a, axis);
  TakeMode mode = read_mode(L, options);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *index = push_indices(L, a->dev, s, at.n, mode);
  Like like = {.of = a, .shape = shape};
  like.ndim = taken_shape(L, a, index, axis, shape);
  Array *x = tide_pushplain(L, 1, a->dtype);
  tide_pushtargetout(L, &to, options, &like, a->dtype, s, x, index);
  if (to.z->size == 0)
    return tide_reach(L, &to, s);
  if (at.n == 0)
    return luaL_error(L, "cannot take from an axis without elements");
  take(L, s, to.z, x, index, at, mode);
  return tide_reach(L, &to, s);
}

/* ==} */

/* {== mask ============================================================ */

static Array *check_mask (lua_State *L, const Array *a) {
  Array *m = tide_checkarray(L, 2);
  luaL_argcheck(L, m->dtype == DTYPE_BOOL, 2, lua_pushfstring(L,
      "a mask must have dtype bool, has %s", tide_dtypename(m->dtype)));
  tide_checkdevices(L, a, m);
  bool fits = m->ndim <= a->ndim;
  for (int i = 0; fits && i < m->ndim; i++)
    fits = (m->shape[i] == a->shape[i]);
  if (!fits) {
    tide_pushshape(L, m);
    tide_pushshape(L, a);
    luaL_argerror(L, 2, lua_pushfstring(L, "a mask of shape %s does not fit "
        "an array of shape %s", lua_tostring(L, -2), lua_tostring(L, -1)));
  }
  return m;
}

/* Pushes how many are true up to each element of the mask; waits for how many
** that is in all. */
static Array *push_places (lua_State *L, RtStream *s, Array *m,
                           int64_t *count) {
  int64_t n = (int64_t)m->size;
  Array *ones = tide_pushplain(L, lua_gettop(L), DTYPE_INT64);
  Array *places = tide_newarray(L, m->dev, DTYPE_INT64, 1, &n, s);
  *count = 0;
  if (n == 0)
    return places;
  tide_scan(L, s, SCAN_cumsum, (Lines){1, m->size, 1}, places, ones);
  n = 1;
  Array *last = tide_pushview(L, places, 1, &n, NULL, places->off +
                              (m->size - 1) * sizeof(int64_t));
  Array *h = tide_fetch(L, last, "array:mask");
  *count = *(const int64_t *)(uintptr_t)tide_pointer(h);
  tide_closearray(h);
  tide_drop(L, lua_gettop(L) - 2);
  return places;
}

/*
** mask(a, m [, { out= }]) -> the elements for which the bool array m, of the
** shape of 'a', is true; if m has fewer axes, the slices of 'a' for them. Waits
** for their number; m is read once.
*/
static int array_mask (lua_State *L) {
  int64_t shape[MAX_DIMS];
  lua_settop(L, 3);
  Array *a = tide_checkarray(L, 1), *m = check_mask(L, a);
  int ndim = 1;
  size_t inner = 1;
  for (int i = m->ndim; i < a->ndim; i++) {
    shape[ndim++] = a->shape[i];
    inner *= (size_t)a->shape[i];
  }
  RtStream *s = tide_currentstream(L, a->dev);
  Array *x = tide_pushplain(L, 1, a->dtype);
  Array *places = push_places(L, s, tide_pushplain(L, 2, DTYPE_BOOL),
                              &shape[0]);
  Array *z = tide_newarray(L, a->dev, a->dtype, ndim, shape, s);
  if (z->size == 0)
    return tide_deliver(L, 3, s);
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, x), pp = tide_reads(&op, places),
              pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, &pp, &inner, &x->size};
  KernelId id = rt_kernel_bywidth(BYWIDTH_mask, a->dtype);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, x->size), params);
  return tide_deliver(L, 3, s);
}

/* ==} */

static const Function functions[] = {
  {"mask", array_mask, 3},
  {"take", array_take, 4},
  {NULL, NULL, 0}
};

void tide_opengather (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
