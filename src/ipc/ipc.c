/*
** ipc.c - tide.ipc: arrays that other processes can map.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"
#include "base/error.h"
#include "base/field.h"
#include "connection.h"
#include "device/current.h"
#include "endpoint.h"
#include "mapping.h"
#include "message.h"
#include "openers.h"

/* Pushes an array of the current device, in memory of its own. */
static Array *push_array (lua_State *L, DType t, int ndim,
                          const int64_t *shape) {
  RtDevice *dev = current_get_device(L);
  Array *a = array_push_import(L, &array_class, dev, t, ndim, shape);
  Source source = {dev, array_bytes(a), NULL, -1};
  if (a->size > 0)
    error_check(L, mapping_attach(L, a, &source));
  return a;
}

/* Pushes an array with the shape at 1 and the dtype at 2. */
static Array *push_shaped (lua_State *L, const char *name) {
  int64_t shape[MAX_DIMS];
  array_check_args(L, 2, name);
  int ndim = array_check_shape(L, 1, shape);
  return push_array(L, dtype_opt(L, 2, dtype_default(L)), ndim, shape);
}

/* ipc.empty(shape [, dtype]) -> Array; ipc.zeros(shape [, dtype]) */
static int ipc_empty (lua_State *L) {
  Array *a = push_shaped(L, "ipc.empty");
  if (a->dtype == DTYPE_BOOL)
    array_zero(L, current_get_stream(L, a->dev), a);
  return 1;
}

static int ipc_zeros (lua_State *L) {
  Array *a = push_shaped(L, "ipc.zeros");
  array_zero(L, current_get_stream(L, a->dev), a);
  return 1;
}

/* ipc.array(x [, dtype]) -> Array: as tide.array. */
static int ipc_array (lua_State *L) {
  array_create(L);
  Array *from = array_test(L, -1);
  Array *a = push_array(L, (DType)from->dtype, from->ndim, from->shape);
  if (a->size > 0)
    array_copyto(L, current_get_stream(L, a->dev), a, from);
  array_release(from);
  return 1;
}

static const Function functions[] = {
  {GROUP_FILES "array", ipc_array, 2},
  {GROUP_FILES "empty", ipc_empty, ANY},
  {GROUP_FILES "zeros", ipc_zeros, ANY},
  {NULL, NULL, 0},
};

void open_ipc (lua_State *L) {
  class_define(L, &connection_class);
  lua_newtable(L);
  class_set_funcs(L, functions);
  open_listener(L);
  field_set_strict(L, "tide.ipc");
  lua_setfield(L, -2, "ipc");
}
