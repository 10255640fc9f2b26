/*
** dtype.c - element types: names, Lua values in and out, NumPy 2's promotion.
*/
#include "dtype.h"

#include <math.h>
#include <string.h>

#include "suggest.h"

static const char *const names[] = {
#define D(ID, suffix, name, ctype) name,
#include "rt/dtype.def"
#undef D
  NULL
};

const char *tide_dtypename (DType t) { return names[t]; }

DType tide_checkdtype (lua_State *L, int arg) {
  const char *name = luaL_checkstring(L, arg);
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (strcmp(names[t], name) == 0)
      return (DType)t;
  const char *best = tide_nearest(name, names);
  luaL_argerror(L, arg, best != NULL ?
      lua_pushfstring(L, "unknown dtype '%s'; did you mean '%s'?", name,
                      best) :
      lua_pushfstring(L, "unknown dtype '%s'", name));
  return DTYPE_COUNT;
}

DType tide_optdtype (lua_State *L, int arg, DType def) {
  return lua_isnoneornil(L, arg) ? def : tide_checkdtype(L, arg);
}

bool tide_isfloat (DType t) { return t >= DTYPE_FLOAT32; }

/* {== values ========================================================== */

void tide_pushelement (lua_State *L, const void *p, DType t) {
  uint8_t u8;
  int32_t i32;
  int64_t i64;
  float f32;
  double f64;
  switch (t) {
    case DTYPE_BOOL:
      memcpy(&u8, p, sizeof u8);
      lua_pushboolean(L, u8 != 0);
      break;
    case DTYPE_UINT8:
      memcpy(&u8, p, sizeof u8);
      lua_pushinteger(L, u8);
      break;
    case DTYPE_INT32:
      memcpy(&i32, p, sizeof i32);
      lua_pushinteger(L, i32);
      break;
    case DTYPE_INT64:
      memcpy(&i64, p, sizeof i64);
      lua_pushinteger(L, i64);
      break;
    case DTYPE_FLOAT32:
      memcpy(&f32, p, sizeof f32);
      lua_pushnumber(L, f32);
      break;
    default:
      memcpy(&f64, p, sizeof f64);
      lua_pushnumber(L, f64);
  }
}

static const char *read_float (lua_State *L, int idx, DType t, void *p) {
  double value = lua_isboolean(L, idx) ? lua_toboolean(L, idx)
                                       : lua_tonumber(L, idx);
  float single = (float)value;
  if (t == DTYPE_FLOAT32)
    memcpy(p, &single, sizeof single);
  else
    memcpy(p, &value, sizeof value);
  return NULL;
}

static const char *read_integer (lua_State *L, int idx, DType t, void *p) {
  int exact = 1;
  int64_t value = lua_isboolean(L, idx) ? lua_toboolean(L, idx)
                                        : lua_tointegerx(L, idx, &exact);
  uint8_t u8 = (uint8_t)value;
  int32_t i32 = (int32_t)value;
  if (!exact)
    return "number has no integer representation";
  if ((t == DTYPE_UINT8 && u8 != value) || (t == DTYPE_INT32 && i32 != value))
    return (t == DTYPE_UINT8) ? "number is out of range for uint8"
                              : "number is out of range for int32";
  if (t == DTYPE_UINT8)
    memcpy(p, &u8, sizeof u8);
  else if (t == DTYPE_INT32)
    memcpy(p, &i32, sizeof i32);
  else
    memcpy(p, &value, sizeof value);
  return NULL;
}

const char *tide_readelement (lua_State *L, int idx, DType t, void *p) {
  int type = lua_type(L, idx);
  if (type != LUA_TNUMBER && type != LUA_TBOOLEAN)
    return "number or boolean expected";
  if (t == DTYPE_BOOL) {
    *(uint8_t *)p = (type == LUA_TBOOLEAN) ? (uint8_t)lua_toboolean(L, idx)
                                           : lua_tonumber(L, idx) != 0;
    return NULL;
  }
  return tide_isfloat(t) ? read_float(L, idx, t, p)
                         : read_integer(L, idx, t, p);
}

/* ==} */

/* {== promotion ======================================================= */

DType tide_promote (DType a, DType b) {
  DType low = a < b ? a : b, high = a < b ? b : a;
  bool wide = (low == DTYPE_INT32 || low == DTYPE_INT64);
  return (high == DTYPE_FLOAT32 && wide) ? DTYPE_FLOAT64 : high;
}

DType tide_promotescalar (lua_State *L, int idx, DType t) {
  if (lua_isboolean(L, idx) || tide_isfloat(t))
    return t;
  if (!lua_isinteger(L, idx))
    return DTYPE_FLOAT64;
  return (t == DTYPE_BOOL) ? DTYPE_INT64 : t;
}

DType tide_inferdtype (lua_State *L, int idx) {
  if (lua_isboolean(L, idx))
    return DTYPE_BOOL;
  return lua_isinteger(L, idx) ? DTYPE_INT64 : DTYPE_FLOAT64;
}

/* ==} */
