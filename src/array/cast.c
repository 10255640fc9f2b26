/*
** cast.c - conversion of arrays to other dtypes, and arrays of one number.
*/
#include "array.h"
#include "base/class.h"
#include "base/state.h"
#include "copy.h"
#include "device/current.h"
#include "dtype.h"
#include "launch.h"
#include "layout.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* Queues a conversion. Both are dense. */
static void cast (lua_State *L, RtStream *s, Array *to, Array *from) {
  KernelId id = kernel_cast(from->dtype, to->dtype);
  CUdeviceptr z = array_pointer(to), x = array_pointer(from);
  void *params[] = {&z, &x, &to->size};
  Op op;
  if (to->size == 0)
    return;
  op_start(&op, OP_LAUNCH, NULL);
  array_access(&op, from, false);
  array_access(&op, to, true);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, to->size), params);
}

/* Pushes an array of a dtype between the two, if no kernel converts
** directly. */
static Array *push_between (lua_State *L, RtStream *s, Array *to, Array *from) {
  DType t = kernel_cast_via(from->dtype, to->dtype);
  Array *b = array_new(L, to->dev, t, to->ndim, to->shape, s);
  array_cast(L, s, b, from);
  return b;
}

void array_cast (lua_State *L, RtStream *s, Array *to, Array *from) {
  int top = lua_gettop(L);
  if (to->size > 0 && kernel_cast(from->dtype, to->dtype) < 0)
    from = push_between(L, s, to, from);
  if (to->dense) {
    cast(L, s, to, from);
  } else {
    Array *t = array_new(L, to->dev, to->dtype, to->ndim, to->shape, s);
    cast(L, s, t, from);
    array_copyto(L, s, to, t);
  }
  for (int i = lua_gettop(L); i > top; i--) /* arrays that it has made */
    array_release(lua_touserdata(L, i));
  lua_settop(L, top);
}

/* Casts need dense arrays. Others are copied first, which is as much work as
** finding their elements one by one. */
Array *array_push_cast (lua_State *L, int arg, DType t) {
  Array *const given = array_check(L, arg);
  if (given->dtype == t) {
    lua_pushvalue(L, arg);
    return given;
  }
  Array *a = array_push_dense(L, arg);
  RtStream *s = current_get_stream(L, a->dev);
  Array *b = array_new(L, a->dev, t, a->ndim, a->shape, s);
  array_cast(L, s, b, a);
  if (a != given)
    array_release(a);
  lua_remove(L, -2);
  return b;
}

void array_fill_with (lua_State *L, RtStream *s, Array *a, int arg) {
  Element value = {0};
  const char *bad = dtype_read_element(L, arg, a->dtype, &value);
  if (bad != NULL)
    dtype_refuse_element(L, arg, bad);
  layout_check_writable(L, 1, a);
  if (a->size == 0)
    return;
  if (!a->dense) {
    copy_strided(L, s, a, NULL, &value);
    return;
  }
  KernelId id = kernel_fill(a->dtype);
  CUdeviceptr z = array_pointer(a);
  void *params[] = {&z, &value, &a->size};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  array_access(&op, a, true);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, a->size), params);
}

/* astype(a, dtype) -> a new array of that dtype: C's conversion. */
static int array_astype (lua_State *L) {
  Array *a = array_check(L, 1);
  DType t = dtype_check(L, 2);
  RtStream *s = current_get_stream(L, a->dev);
  Array *b = array_new(L, a->dev, t, a->ndim, a->shape, s);
  if (t == a->dtype) {
    array_copyto(L, s, b, a);
    return 1;
  }
  int top = lua_gettop(L);
  array_cast(L, s, b, array_push_dense(L, 1));
  array_drop(L, top);
  return 1;
}

/* fill(a, value) -> a */
static int array_fill (lua_State *L) {
  Array *a = array_check(L, 1);
  array_fill_with(L, current_get_stream(L, a->dev), a, 2);
  lua_settop(L, 1);
  return 1;
}

static const Function methods[] = {
  {"astype", array_astype, 2},
  {"fill", array_fill, 2},
  {NULL, NULL, 0},
};

void open_cast (lua_State *L) {
  class_add_methods(L, &array_class, methods);
  class_set_funcs(L, methods);
}
