/*
** cast.c - conversion of arrays to other dtypes, and arrays of one number.
*/
#include "array.h"
#include "base/class.h"
#include "base/state.h"
#include "copy.h"
#include "device/current.h"
#include "dtype.h"
#include "geometry.h"
#include "launch.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* Queues a conversion. Both are dense. */
static void cast (lua_State *L, RtStream *s, Array *to, Array *from) {
  KernelId id = rt_kernel_cast(from->dtype, to->dtype);
  CUdeviceptr z = tide_pointer(to), x = tide_pointer(from);
  void *params[] = {&z, &x, &to->size};
  Op op;
  if (to->size == 0)
    return;
  rt_startop(&op, OP_LAUNCH, NULL);
  tide_access(&op, from, false);
  tide_access(&op, to, true);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, to->size), params);
}

/* Pushes an array of a dtype between the two, if no kernel converts
** directly. */
static Array *push_between (lua_State *L, RtStream *s, Array *to, Array *from) {
  DType t = rt_cast_via(from->dtype, to->dtype);
  Array *b = tide_newarray(L, to->dev, t, to->ndim, to->shape, s);
  tide_cast(L, s, b, from);
  return b;
}

void tide_cast (lua_State *L, RtStream *s, Array *to, Array *from) {
  int top = lua_gettop(L);
  if (to->size > 0 && rt_kernel_cast(from->dtype, to->dtype) < 0)
    from = push_between(L, s, to, from);
  if (to->dense) {
    cast(L, s, to, from);
  } else {
    Array *t = tide_newarray(L, to->dev, to->dtype, to->ndim, to->shape, s);
    cast(L, s, t, from);
    tide_copy(L, s, to, t);
  }
  for (int i = lua_gettop(L); i > top; i--) /* arrays that it has made */
    tide_closearray(lua_touserdata(L, i));
  lua_settop(L, top);
}

/* Casts need dense arrays. Others are copied first, which is as much work as
** finding their elements one by one. */
Array *tide_pushcast (lua_State *L, int arg, DType t) {
  Array *const given = tide_checkarray(L, arg);
  if (given->dtype == t) {
    lua_pushvalue(L, arg);
    return given;
  }
  Array *a = tide_pushdense(L, arg);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *b = tide_newarray(L, a->dev, t, a->ndim, a->shape, s);
  tide_cast(L, s, b, a);
  if (a != given)
    tide_closearray(a);
  lua_remove(L, -2);
  return b;
}

void tide_fillarray (lua_State *L, RtStream *s, Array *a, int arg) {
  Element value = {0};
  const char *bad = tide_readelement(L, arg, a->dtype, &value);
  if (bad != NULL)
    tide_refuseelement(L, arg, bad);
  tide_checkwritable(L, 1, a);
  if (a->size == 0)
    return;
  if (!a->dense) {
    tide_stridedcopy(L, s, a, NULL, &value);
    return;
  }
  KernelId id = rt_kernel_fill(a->dtype);
  CUdeviceptr z = tide_pointer(a);
  void *params[] = {&z, &value, &a->size};
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  tide_access(&op, a, true);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, a->size), params);
}

/* astype(a, dtype) -> a new array of that dtype: C's conversion. */
static int array_astype (lua_State *L) {
  Array *a = tide_checkarray(L, 1);
  DType t = tide_checkdtype(L, 2);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *b = tide_newarray(L, a->dev, t, a->ndim, a->shape, s);
  if (t == a->dtype) {
    tide_copy(L, s, b, a);
    return 1;
  }
  int top = lua_gettop(L);
  tide_cast(L, s, b, tide_pushdense(L, 1));
  tide_drop(L, top);
  return 1;
}

/* fill(a, value) -> a */
static int array_fill (lua_State *L) {
  Array *a = tide_checkarray(L, 1);
  tide_fillarray(L, tide_currentstream(L, a->dev), a, 2);
  lua_settop(L, 1);
  return 1;
}

static const Function methods[] = {
  {"astype", array_astype, 2},
  {"fill", array_fill, 2},
  {NULL, NULL, 0},
};

void tide_opencast (lua_State *L) {
  tide_addmethods(L, &tide_arrayclass, methods);
  tide_setfuncs(L, methods);
}
