/*
** ipc.c - tide.ipc: arrays that other processes can map.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"
#include "base/error.h"
#include "base/unknown.h"
#include "connection.h"
#include "device/current.h"
#include "endpoint.h"
#include "memory.h"
#include "message.h"
#include "openers.h"

/* Pushes an array of the current device, in memory of its own. */
static Array *push_array (lua_State *L, DType t, int ndim,
                          const int64_t *shape) {
  RtDevice *dev = tide_currentdevice(L);
  Array *a = tide_pushlent(L, &tide_arrayclass, dev, t, ndim, shape);
  Source source = {dev, tide_nbytes(a), NULL, -1};
  if (a->size > 0)
    tide_check(L, ipc_getmemory(L, a, &source));
  return a;
}

/* Pushes an array with the shape at 1 and the dtype at 2. */
static Array *push_shaped (lua_State *L, const char *name) {
  int64_t shape[MAX_DIMS];
  tide_checkshaped(L, 2, name);
  int ndim = tide_checkshape(L, 1, shape);
  return push_array(L, tide_optdtype(L, 2, tide_floatdtype(L)), ndim, shape);
}

/* ipc.empty(shape [, dtype]) -> Array; ipc.zeros(shape [, dtype]) */
static int ipc_empty (lua_State *L) {
  push_shaped(L, "ipc.empty");
  return 1;
}

static int ipc_zeros (lua_State *L) {
  Array *a = push_shaped(L, "ipc.zeros");
  lua_pushinteger(L, 0);
  tide_fillarray(L, tide_currentstream(L, a->dev), a, lua_gettop(L));
  lua_pop(L, 1);
  return 1;
}

/* ipc.array(x [, dtype]) -> Array: as tide.array. */
static int ipc_array (lua_State *L) {
  tide_array(L);
  Array *from = tide_testarray(L, -1);
  Array *a = push_array(L, (DType)from->dtype, from->ndim, from->shape);
  if (a->size > 0)
    tide_copy(L, tide_currentstream(L, a->dev), a, from);
  tide_closearray(from);
  return 1;
}

static const Function functions[] = {
  {GROUP_FILES "array", ipc_array, 2},
  {GROUP_FILES "empty", ipc_empty, ANY},
  {GROUP_FILES "zeros", ipc_zeros, ANY},
  {NULL, NULL, 0},
};

void tide_openipc (lua_State *L) {
  tide_newclass(L, &ipc_connectionclass);
  lua_newtable(L);
  tide_setfuncs(L, functions);
  ipc_openlistener(L);
  tide_setstrict(L, "tide.ipc");
  lua_setfield(L, -2, "ipc");
}
