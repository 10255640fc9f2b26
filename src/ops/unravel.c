/*
** unravel.c - unravel_index: places in an array as indices of its axes;
** ravel_multi_index: the other way round.
*/
#include "unravel.h"

#include "array/array.h"
#include "array/launch.h"
#include "base/class.h"
#include "base/door.h"
#include "base/list.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* {== unravel_index =================================================== */

/* Queues z = the indices along one axis, whose elements are 'inner' apart. */
static void unravel (lua_State *L, RtStream *s, Array *z, const Indices *x,
                     const Unravel *u, size_t n, size_t inner) {
  Op op;
  if (z->size == 0)
    return;
  Check *check = tide_pushindexcheck(L, s, x);
  uint32_t *bad = (check != NULL) ? check->flag : NULL;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, x->array), pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, (void *)&u->size, &inner, &n, (void *)&u->base,
                    (void *)&u->fill, &z->size, &bad};
  KernelId id = rt_kernel_named("unravel_i64");
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, z->size), params);
  if (check != NULL) {
    tide_setcheck(L, lua_gettop(L), s);
    lua_pop(L, 1);
  }
}

void tide_pushunraveled (lua_State *L, RtStream *s, const Indices *x,
                         const Unravel *u) {
  Indices rest = *x;
  size_t inner = u->size;
  luaL_checkstack(L, u->ndim + 8, NULL);
  for (int i = 0; i < u->ndim; i++) {
    size_t n = (size_t)u->shape[i];
    inner = (n > 0) ? inner / n : 0;
    Array *z = tide_newarray(L, x->array->dev, DTYPE_INT64, x->array->ndim,
                             x->array->shape, s);
    unravel(L, s, z, &rest, u, n, inner);
    rest.seen = true;  /* one tells of what is wrong */
  }
}

/* The shape at 'arg', and how many elements it has. */
static size_t check_shape (lua_State *L, int arg, int *ndim,
                           int64_t shape[MAX_DIMS]) {
  int64_t strides[MAX_DIMS];
  size_t size;
  *ndim = tide_checkshape(L, arg, shape);
  if (!tide_isshape(*ndim, shape, strides, &size))
    luaL_argerror(L, arg, "there cannot be an array of so many elements");
  luaL_argcheck(L, *ndim > 0, arg, "a 0-d array has no axes");
  return size;
}

/* The stream of the array at 'idx', or the current one. */
static RtStream *stream_of (lua_State *L, int idx) {
  const Array *a = tide_testarray(L, idx);
  return tide_currentstream(L, a != NULL ? a->dev : tide_currentdevice(L));
}

/*
** unravel_index(indices, shape [, { base= }]) -> for each axis of an array of
** that shape the indices of those elements of the flattened one.
*/
static int core_unravel_index (lua_State *L) {
  static const char *const names[] = {"base", NULL};
  int64_t shape[MAX_DIMS];
  Indices x = {.what = "unravel_index"};
  Unravel u = {.shape = shape};
  lua_settop(L, 3);
  tide_checkoptions(L, 3, names);
  u.size = check_shape(L, 2, &u.ndim, shape);
  x.base = tide_readbase(L, 3);
  u.base = (int64_t)x.base;
  RtStream *s = stream_of(L, 1);
  tide_pushindices(L, 1, NULL, s, u.size, &x);
  int top = lua_gettop(L);
  tide_pushunraveled(L, s, &x, &u);
  for (int i = 4; i <= top; i++)
    if (tide_testarray(L, i) != tide_testarray(L, 1))
      tide_closearray(tide_checkany(L, i));
  return u.ndim;
}

/* ==} */

/* {== ravel_multi_index =============================================== */

/* Puts x:name(y) in the place of both, which are on the top. */
static void apply (lua_State *L, const char *name) {
  lua_getfield(L, -2, name);
  lua_insert(L, -3);
  tide_call(L, "ravel_multi_index", 2, 1);
}

static void apply_number (lua_State *L, const char *name, int64_t n) {
  lua_pushinteger(L, n);
  apply(L, name);
}

/*
** ravel_multi_index(list, shape [, { base=, mode= }]) -> the indices in the
** flattened array of that shape, of those of its axes in the list.
*/
static int core_ravel_multi_index (lua_State *L) {
  static const char *const names[] = {"base", "mode", NULL};
  int64_t shape[MAX_DIMS];
  int ndim;
  lua_settop(L, 3);
  tide_checkoptions(L, 3, names);
  luaL_checktype(L, 1, LUA_TTABLE);
  size_t inner = check_shape(L, 2, &ndim, shape);
  tide_checklist(L, 1, lua_rawlen(L, 1), "a list of indices for each axis");
  luaL_argcheck(L, lua_rawlen(L, 1) == (lua_Unsigned)ndim, 1,
                "one for each axis of the shape expected");
  size_t base = tide_readbase(L, 3);
  lua_rawgeti(L, 1, 1);
  RtStream *s = stream_of(L, 4);
  lua_settop(L, 3);
  const Array *first = NULL;
  for (int i = 0; i < ndim; i++) {
    Indices x = {.what = "ravel_multi_index"};
    tide_readindexoptions(L, 3, &x);
    lua_rawgeti(L, 1, i + 1);
    int at = lua_gettop(L);
    tide_pushindices(L, at, first, s, (size_t)shape[i], &x);
    if (shape[i] == 0 && x.array->size > 0)
      return luaL_error(L, "ravel_multi_index: axis %d has no elements", i + 1);
    tide_pushplaces(L, s, &x, (Lines){1, x.array->size, 1});
    first = (first == NULL) ? x.array : first;
    lua_replace(L, at);
    lua_settop(L, at);
    inner = (shape[i] > 0) ? inner / (size_t)shape[i] : 0;
    apply_number(L, "sub", 1);
    apply_number(L, "mul", (int64_t)inner);
    if (i > 0)
      apply(L, "add");
  }
  apply_number(L, "add", (int64_t)base);
  return tide_return(L, 3);
}

/* ==} */

static const Function functions[] = {
  {"ravel_multi_index", core_ravel_multi_index, 3},
  {"unravel_index", core_unravel_index, 3},
  {NULL, NULL, 0}
};

void tide_openunravel (lua_State *L) {
  tide_setfuncs(L, functions);
}
