/*
** result.c - the target of an operation on arrays: the option 'out', the first
** operand, or a new array.
*/
#include "result.h"

#include "array/array.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "base/blame.h"
#include "base/class.h"
#include "device/device.h"

void tide_checkresult (lua_State *L, int arg, const char *what,
                       const Array *out, const Like *like, DType t) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  if (out->dev != like->of->dev)
    tide_argerror(L, arg, "%s: arrays are on different devices (%s and %s)",
                  what, tide_devicename(like->of->dev, x),
                  tide_devicename(out->dev, y));
  if (out->dtype != t)
    tide_argerror(L, arg, "%s must have dtype %s, has %s", what,
                  tide_dtypename(t), tide_dtypename(out->dtype));
  if (!tide_hasshape(out, like->ndim, like->shape)) {
    tide_pushdims(L, like->ndim, like->shape);
    tide_pushshape(L, out);
    tide_argerror(L, arg, "%s must have shape %s, has %s", what,
                  lua_tostring(L, -2), lua_tostring(L, -1));
  }
  tide_checkwritable(L, arg, out);
}

bool tide_getout (lua_State *L, int options) {
  if (lua_isnoneornil(L, options))
    return false;
  if (tide_getoption(L, options, "out") != LUA_TNIL)
    return true;
  lua_pop(L, 1);
  return false;
}

Array *tide_pushresult (lua_State *L, int options, const Like *like, DType t,
                        RtStream *s) {
  static const char *const names[] = {"out", NULL};
  if (lua_isnoneornil(L, options))
    return tide_newarray(L, like->of->dev, t, like->ndim, like->shape, s);
  tide_checkoptions(L, options, names);
  return tide_pushout(L, options, like, t, s);
}

/* Returns option 'out', on the top. Raises if it cannot take such a result. */
static Array *check_out (lua_State *L, int options, const Like *like, DType t) {
  Array *out = tide_testarray(L, -1);
  if (out == NULL || out->closed)
    tide_argerror(L, options, "option 'out' must be an open tide.Array");
  tide_checkopen(L, options, out);
  tide_checkresult(L, options, "option 'out'", out, like, t);
  return out;
}

Array *tide_pushout (lua_State *L, int options, const Like *like, DType t,
                     RtStream *s) {
  if (!tide_getout(L, options))
    return tide_newarray(L, like->of->dev, t, like->ndim, like->shape, s);
  return check_out(L, options, like, t);
}

int tide_deliver (lua_State *L, int options, RtStream *s) {
  static const char *const names[] = {"out", NULL};
  tide_checkoptions(L, options, names);
  return tide_deliverout(L, options, s);
}

int tide_deliverout (lua_State *L, int options, RtStream *s) {
  Array *z = tide_checkarray(L, -1);
  if (!tide_getout(L, options))
    return tide_return(L, options);
  Like like = {.of = z, .ndim = z->ndim, .shape = z->shape};
  tide_copy(L, s, check_out(L, options, &like, z->dtype), z);
  return tide_return(L, options);
}
