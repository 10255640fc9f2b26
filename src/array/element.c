/*
** element.c - elements as Lua values: integers of all dtypes are Lua integers
** (uint64 by its 64 bits, as in math.ult), floats are Lua floats.
*/
#include "base/argerror.h"
#include "base/type.h"
#include "complex.h"
#include "dtype.h"
#include "rt/kernels/dtypes.h"
#include "rt/program/numeral.h"

#include <string.h>

#include "kernels/half.h"

int64_t dtype_integer_at (const void *p, DType t) {
  switch (t) {
#define D(ID, ctype) \
  case DTYPE_##ID: { \
    ctype x; \
    memcpy(&x, p, sizeof x); \
    return (int64_t)x; \
  }
    D(INT8, int8_t)
    D(INT16, int16_t)
    D(INT32, int32_t)
    D(INT64, int64_t)
    D(UINT8, uint8_t)
    D(UINT16, uint16_t)
    D(UINT32, uint32_t)
    D(UINT64, uint64_t)
#undef D
    default: return *(const uint8_t *)p;
  }
}

double dtype_float_at (const void *p, DType t) {
  union {
    float f32;
    double f64;
  } x;
  switch (t) {
#define HALF(ID, s) \
  case DTYPE_##ID: { \
    t_##s h; \
    memcpy(&h, p, sizeof h); \
    return load_##s(h); \
  }
#include "rt/kernels/halves.def"
    default: break;
  }
  memcpy(&x, p, dtype_size(t));
  return t == DTYPE_FLOAT32 ? x.f32 : x.f64;
}

static void push_pair (lua_State *L, const void *p, DType t) {
  union {
    t_c64 c64;
    t_c128 c128;
  } x;
  memcpy(&x, p, dtype_size(t));
  if (t == DTYPE_COMPLEX64)
    complex_push(L, x.c64.re, x.c64.im);
  else
    complex_push(L, x.c128.re, x.c128.im);
}

void dtype_push_element (lua_State *L, const void *p, DType t) {
  switch (dtype_kind(t)) {
    case KIND_BOOL: lua_pushboolean(L, dtype_integer_at(p, t) != 0); break;
    case KIND_INTEGER: lua_pushinteger(L, dtype_integer_at(p, t)); break;
    case KIND_FLOAT: lua_pushnumber(L, dtype_float_at(p, t)); break;
    default: push_pair(L, p, t);
  }
}

/* Rounds once. */
static void store_float (double value, DType t, void *p) {
  union {
    float f32;
    double f64;
  } x;
  switch (t) {
#define HALF(ID, s) \
  case DTYPE_##ID: { \
    t_##s h = s##_of_double(value); \
    memcpy(p, &h, sizeof h); \
    return; \
  }
#include "rt/kernels/halves.def"
    case DTYPE_FLOAT32: x.f32 = (float)value; break;
    default: x.f64 = value;
  }
  memcpy(p, &x, dtype_size(t));
}

double dtype_round (double x, DType t) {
  Element e;
  store_float(x, t, &e);
  return dtype_float_at(&e, t);
}

/* {== integers ======================================================== */

/* Pushes why 't' does not have the number at 'idx', with the number. */
static const char *refuse (lua_State *L, int idx, const char *why) {
  char text[NUMERAL];
  if (lua_isinteger(L, idx))
    return lua_pushfstring(L, "number %s: %I", why,
                           (LUAI_UACINT)lua_tointeger(L, idx));
  numeral_write(text, 14, lua_tonumber(L, idx)); /* as Lua prints it */
  return lua_pushfstring(L, "number %s: %s", why, text);
}

static const char *refuse_range (lua_State *L, int idx, DType t) {
  static const char *const why[] = {
#define D(ID, suffix, name, bytes) "is out of range for " name,
#include "rt/kernels/dtype.def"
#undef D
  };
  return refuse(L, idx, why[t]);
}

/* Returns whether it is below the integers of 't' (-1), above (1), or one of
** them (0). */
static int side_of (int64_t x, DType t) {
  size_t bits = 8 * dtype_size(t);
  if (bits == 64)
    return 0;
  int64_t past = (int64_t)1 << (dtype_is_unsigned(t) ? bits : bits - 1);
  return x >= past ? 1 : x < (dtype_is_unsigned(t) ? 0 : -past) ? -1 : 0;
}

int dtype_outside (lua_State *L, int idx, DType t) {
  return dtype_kind(t) == KIND_INTEGER && lua_isinteger(L, idx)
           ? side_of(lua_tointeger(L, idx), t)
           : 0;
}

/* The upper half of uint64 may be given as floats, too. */
static const char *integer_of (lua_State *L, int idx, DType t, int64_t *x) {
  int exact;
  lua_Number value = lua_tonumber(L, idx);
  if (t == DTYPE_UINT64 && !lua_isinteger(L, idx)) {
    if (value <= -1)
      return refuse_range(L, idx, t);
    if (value >= 0x1p63 && value < 0x1p64) {
      *x = (int64_t)(uint64_t)value;
      return NULL;
    }
  }
  *x = lua_tointegerx(L, idx, &exact);
  return exact ? NULL : refuse(L, idx, "has no integer representation");
}

static const char *read_integer (lua_State *L, int idx, DType t, void *p) {
  int64_t x;
  const char *bad = NULL;
  if (lua_isboolean(L, idx))
    x = lua_toboolean(L, idx);
  else
    bad = integer_of(L, idx, t, &x);
  if (bad != NULL)
    return bad;
  if (side_of(x, t) != 0)
    return refuse_range(L, idx, t);
  memcpy(p, &x, dtype_size(t)); /* little-endian, as all GPUs are */
  return NULL;
}

/* ==} */

static const char *read_pair (lua_State *L, int idx, DType t, void *p) {
  t_c128 x;
  double part[2];
  if (!complex_read(L, idx, part))
    return "number or complex number expected";
  x.re = part[0];
  x.im = part[1];
  t_c64 single = {(float)x.re, (float)x.im};
  memcpy(p, t == DTYPE_COMPLEX64 ? (void *)&single : &x, dtype_size(t));
  return NULL;
}

const char *dtype_read_element (lua_State *L, int idx, DType t, void *p) {
  int type = lua_type(L, idx);
  if (dtype_kind(t) == KIND_COMPLEX)
    return read_pair(L, idx, t, p);
  if (type != LUA_TNUMBER && type != LUA_TBOOLEAN)
    return "number or boolean expected";
  if (dtype_kind(t) == KIND_INTEGER)
    return read_integer(L, idx, t, p);
  double value = (type == LUA_TBOOLEAN) ? lua_toboolean(L, idx)
                                        : lua_tonumber(L, idx);
  if (t == DTYPE_BOOL)
    *(uint8_t *)p = (value != 0);
  else
    store_float(value, t, p);
  return NULL;
}

int dtype_refuse_element (lua_State *L, int arg, const char *why) {
  if (dtype_is_scalar(L, arg))
    return argerror_raise(L, arg, "%s", why);
  return argerror_raise(L, arg, "%s, got %s", why, type_push_got(L, arg));
}
