/*
** result.c - the target of an operation on arrays: the option 'out', the first
** operand, or a new array.
*/
#include "result.h"

#include "array/array.h"
#include "array/dtype.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "device/device.h"

void result_check (lua_State *L, int arg, const char *what, const Array *out,
                   const Like *like, DType t) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  if (out->dev != like->of->dev)
    argerror_raise(L, arg, "%s: arrays are on different devices (%s and %s)",
                   what, device_write_name(like->of->dev, x),
                   device_write_name(out->dev, y));
  if (out->dtype != t)
    argerror_raise(L, arg, "%s must have dtype %s, has %s", what, dtype_name(t),
                   dtype_name(out->dtype));
  if (!layout_has_shape(out, like->ndim, like->shape)) {
    array_push_dims(L, like->ndim, like->shape);
    array_push_shape(L, out);
    argerror_raise(L, arg, "%s must have shape %s, has %s", what,
                   lua_tostring(L, -2), lua_tostring(L, -1));
  }
  layout_check_writable(L, arg, out);
}

const char *result_push_unfit (lua_State *L, const Array *first, bool cast,
                               DType t) {
  const char *own = dtype_name(first->dtype), *made = dtype_name(t);
  const char *hint =
    cast ? lua_pushfstring(L, "; an operand of %s would do: :astype \"%s\"",
                           own, own)
         : "";
  return lua_pushfstring(L,
                         "a result of %s does not fit into %s: the array must "
                         "have dtype %s, has %s%s",
                         made, own, made, own, hint);
}

bool result_get_out (lua_State *L, int options) {
  if (lua_isnoneornil(L, options))
    return false;
  if (option_get(L, options, "out") != LUA_TNIL)
    return true;
  lua_pop(L, 1);
  return false;
}

Array *result_push (lua_State *L, int options, const Like *like, DType t,
                    RtStream *s) {
  static const char *const names[] = {"out", NULL};
  if (lua_isnoneornil(L, options))
    return array_new(L, like->of->dev, t, like->ndim, like->shape, s);
  option_check(L, options, names);
  return result_push_out(L, options, like, t, s);
}

/* Returns option 'out', on the top. Raises if it cannot take such a result. */
static Array *check_out (lua_State *L, int options, const Like *like, DType t) {
  Array *out = array_test(L, -1);
  if (out == NULL || out->closed)
    argerror_raise(L, options,
                   "option 'out' must be an open tide.Array, got %s",
                   array_push_got(L, -1));
  array_check_open(L, options, out);
  result_check(L, options, "option 'out'", out, like, t);
  return out;
}

Array *result_push_out (lua_State *L, int options, const Like *like, DType t,
                        RtStream *s) {
  if (!result_get_out(L, options))
    return array_new(L, like->of->dev, t, like->ndim, like->shape, s);
  return check_out(L, options, like, t);
}

int result_deliver (lua_State *L, int options, RtStream *s) {
  static const char *const names[] = {"out", NULL};
  option_check(L, options, names);
  return result_deliver_out(L, options, s);
}

int result_deliver_out (lua_State *L, int options, RtStream *s) {
  Array *z = array_check(L, -1);
  if (!result_get_out(L, options))
    return array_return(L, options);
  Like like = {.of = z, .ndim = z->ndim, .shape = z->shape};
  array_copyto(L, s, check_out(L, options, &like, z->dtype), z);
  return array_return(L, options);
}
