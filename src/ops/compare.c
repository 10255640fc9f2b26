/*
** compare.c - allclose and array_equal: tell whether two arrays are the same.
** The result is a Lua boolean, so they wait, for one byte.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"

/* {== operands ======================================================== */

RtDevice *composed_device (lua_State *L) {
  for (int arg = 1; arg <= 2; arg++) {
    Array *a = array_test_any(L, arg);
    if (a != NULL)
      return a->dev;
  }
  return current_get_device(L);
}

/* Pushes a copy of the HostArray. */
static Array *push_copy (lua_State *L, Array *h, RtStream *s) {
  Array *a = array_new(L, h->dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, a, h);
  return a;
}

/* Pushes the number or table at 'arg' as an array, and finds its dtype. */
static int push_untyped (lua_State *L, int arg, DType beside, RtDevice *dev,
                         RtStream *s) {
  DType floats = dtype_floats_beside(L, beside);
  if (lua_istable(L, arg)) {
    Array *a = push_copy(L, array_push_table_as(L, arg, dev, -1, floats), s);
    return composed_astype(L, lua_gettop(L),
                           dtype_beside((DType)a->dtype, beside));
  }
  if (!dtype_is_scalar(L, arg))
    type_error(L, arg, "tide.Array, number, boolean or table");
  DType t = dtype_beside(dtype_infer_as(L, arg, floats), beside);
  array_fill_with(L, s, array_new(L, dev, t, 0, NULL, s), arg);
  return lua_gettop(L);
}

DType composed_beside (lua_State *L, int arg) {
  Array *a = array_test_any(L, arg);
  return (a != NULL) ? (DType)a->dtype : DTYPE_BOOL;
}

int composed_operand (lua_State *L, int arg, DType beside, RtDevice *dev,
                      RtStream *s) {
  Array *a = array_test_any(L, arg);
  if (a == NULL)
    return push_untyped(L, arg, beside, dev, s);
  array_check_open(L, arg, a);
  if (a->object.class == &array_host_class)
    push_copy(L, a, s);
  else
    lua_pushvalue(L, arg);
  return lua_gettop(L);
}

typedef struct ArrayPair {
  int x, y; /* stack indices */
} ArrayPair;

static ArrayPair push_pair (lua_State *L, const char *what) {
  RtDevice *dev = composed_device(L);
  RtStream *s = current_get_stream(L, dev);
  for (int arg = 1; arg <= 2; arg++) {
    Array *a = array_test(L, arg);
    if (a != NULL)
      array_check_readable(L, s, a, what);
  }
  blocking_check(L, dev, what);
  ArrayPair p = {composed_operand(L, 1, composed_beside(L, 2), dev, s), 0};
  p.y = composed_operand(L, 2, composed_beside(L, 1), dev, s);
  array_check_devices(L, array_check(L, p.x), array_check(L, p.y));
  return p;
}

/* ==} */

/* Tells whether all of the bool array at 'z' is true. Waits. */
static bool is_true (lua_State *L, int z, const char *what) {
  Array *all = array_check(L, composed_unary(L, "all", z));
  Array *h = array_fetch(L, all, what);
  bool truth = dtype_integer_at((void *)(uintptr_t)array_pointer(h),
                                DTYPE_BOOL);
  array_release(h);
  return truth;
}

/*
** allclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan= }]) -> boolean,
** as NumPy's. The tolerance is relative to b, which is converted to floats.
*/
static int array_allclose (lua_State *L) {
  static const char what[] = "allclose";
  static const char *const names[] = {"rtol", "atol", "equal_nan", NULL};
  Tolerance t;
  lua_settop(L, 5);
  composed_tolerance(L, names, &t);
  ArrayPair p = push_pair(L, what);
  bool same = is_true(L, composed_near(L, p.x, p.y, &t), what);
  array_drop(L, 5);
  lua_pushboolean(L, same);
  return 1;
}

/* array_equal(a, b [, { equal_nan= }]) -> whether they have one shape, and all
** elements are equal. */
static int array_array_equal (lua_State *L) {
  static const char what[] = "array_equal";
  static const char *const names[] = {"equal_nan", NULL};
  lua_settop(L, 3);
  option_check(L, 3, names);
  bool nan = option_flag(L, 3, "equal_nan", false);
  ArrayPair p = push_pair(L, what);
  bool same = array_same_shape(array_check(L, p.x), array_check(L, p.y));
  if (same) {
    int z = composed_binary(L, "eq", p.x, p.y);
    if (nan) {
      int both = composed_unary(L, "isnan", p.x);
      both = composed_binary(L, "band", both, composed_unary(L, "isnan", p.y));
      z = composed_binary(L, "bor", z, both);
    }
    same = is_true(L, z, what);
  }
  array_drop(L, 3);
  lua_pushboolean(L, same);
  return 1;
}

static const Function functions[] = {
  {"allclose", array_allclose, 5},
  {"array_equal", array_array_equal, 3},
  {"isclose", composed_isclose, 5},
  {NULL, NULL, 0},
};

void open_compare (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
