/*
** polyval.c - polynomials at points: polyval, by Horner's rule.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

/* Pushes coefficient i, from 0, as an array without axes. */
static int push_coefficient (lua_State *L, int p, int64_t i) {
  Array *a = array_check(L, p);
  int64_t at = i * array_stride(a)[0] * (int64_t)dtype_size(a->dtype);
  array_push_view(L, a, 0, NULL, NULL, a->off + (size_t)at);
  return lua_gettop(L);
}

/* Pushes the polynomial of coefficients p at the points x, both of dtype t. */
static int push_values (lua_State *L, RtStream *s, int p, int x, DType t) {
  Array *a = array_check(L, x);
  int64_t n = array_check(L, p)->shape[0];
  if (n < 2) {
    array_zero(L, s, array_new(L, a->dev, t, a->ndim, a->shape, s));
    int zero = lua_gettop(L);
    return n == 0 ? zero
                  : composed_binary(L, "add", zero, push_coefficient(L, p, 0));
  }
  int y = composed_binary(L, "mul", x, push_coefficient(L, p, 0));
  y = composed_binary(L, "add_", y, push_coefficient(L, p, 1));
  for (int64_t i = 2; i < n; i++) {
    int top = lua_gettop(L);
    composed_binary(L, "mul_", y, x);
    composed_binary(L, "add_", y, push_coefficient(L, p, i));
    array_drop(L, top);
  }
  return y;
}

/* Returns the dtype of the result. Numbers of Lua do not widen floats. */
static DType result_dtype (lua_State *L, DType p, DType x) {
  bool own[] = {array_test_any(L, 1) != NULL, array_test_any(L, 2) != NULL};
  DType t = own[0] ? p : x, other = own[0] ? x : p;
  bool kept = own[0] != own[1] && dtype_kind(t) >= KIND_FLOAT &&
              dtype_kind(other) <= dtype_kind(t);
  return kept ? t : dtype_promote(p, x);
}

/*
** polyval(a, x [, { out= }]) -> for each element of x the value of the
** polynomial whose coefficients are 'a', that of the highest power first.
*/
static int array_polyval (lua_State *L) {
  static const char *const names[] = {"out", NULL};
  lua_settop(L, 3);
  state_rt(L);
  option_check(L, 3, names);
  RtDevice *dev = composed_device(L);
  RtStream *s = current_get_stream(L, dev);
  int p = composed_operand(L, 1, composed_beside(L, 2), dev, s);
  int x = composed_operand(L, 2, composed_beside(L, 1), dev, s);
  const Array *a = array_check(L, p), *b = array_check(L, x);
  array_check_devices(L, a, b);
  argerror_check(L, a->ndim == 1, 1, "coefficients must have one axis, have %d",
                 a->ndim);
  DType t = result_dtype(L, a->dtype, b->dtype);
  array_push_cast(L, p, t);
  p = lua_gettop(L);
  array_push_cast(L, x, t);
  lua_pushvalue(L, push_values(L, s, p, lua_gettop(L), t));
  return result_deliver_out(L, 3, s);
}

static const Function functions[] = {
  {"polyval", array_polyval, 3},
  {NULL, NULL, 0},
};

void open_polyval (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
