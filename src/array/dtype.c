/*
** dtype.c - element types: names, kinds, NumPy 2's promotion, the default.
** Conversion of elements to Lua values is in element.c.
*/
#include "dtype.h"

#include <string.h>

#include "base/argerror.h"
#include "base/class.h"
#include "base/hint.h"
#include "base/state.h"
#include "base/type.h"
#include "complex.h"
#include "openers.h"

static const char *const names[] = {
#define D(ID, suffix, name, bytes) name,
#include "rt/kernels/dtype.def"
#undef D
  NULL};

const char *dtype_name (DType t) { return names[t]; }

/* Raises for an unknown name, where a number may be valid as well. */
static void refuse_name (lua_State *L, int arg, const char *name) {
  const char *best = hint_nearest(name, names);
  if (lua_stringtonumber(L, name) != 0)
    argerror_raise(L, arg,
                   "unknown dtype '%s'; a number is written without quotes",
                   name);
  argerror_raise(L, arg, "%s",
                 best != NULL
                   ? lua_pushfstring(L,
                                     "unknown dtype '%s'; did you mean '%s'?",
                                     name, best)
                   : lua_pushfstring(L, "unknown dtype '%s'", name));
}

static DType find_dtype (lua_State *L, int arg) {
  if (lua_istable(L, arg))
    argerror_raise(L, arg,
                   "dtype string expected, got table; a dtype is written by "
                   "itself: \"float32\"");
  if (lua_type(L, arg) != LUA_TSTRING)
    type_error(L, arg, "dtype string");
  const char *name = lua_tostring(L, arg);
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (*names[t] == *name && strcmp(names[t], name) == 0)
      return (DType)t;
  refuse_name(L, arg, name);
  return DTYPE_COUNT;
}

bool dtype_is_name (const char *name) {
  int t = 0;
  while (t < DTYPE_COUNT && strcmp(names[t], name) != 0)
    t++;
  return t < DTYPE_COUNT;
}

DType dtype_check (lua_State *L, int arg) { return find_dtype(L, arg); }

DType dtype_opt (lua_State *L, int arg, DType def) {
  return lua_isnoneornil(L, arg) ? def : find_dtype(L, arg);
}

DTypeKind dtype_kind (DType t) {
  return t == DTYPE_BOOL      ? KIND_BOOL
         : t <= DTYPE_UINT64  ? KIND_INTEGER
         : t <= DTYPE_FLOAT64 ? KIND_FLOAT
                              : KIND_COMPLEX;
}

bool dtype_is_float (DType t) { return dtype_kind(t) == KIND_FLOAT; }

bool dtype_is_half (DType t) {
  return t == DTYPE_FLOAT16 || t == DTYPE_BFLOAT16;
}

bool dtype_is_unsigned (DType t) {
  return t >= DTYPE_UINT8 && t <= DTYPE_UINT64;
}

/* {== promotion ======================================================= */

/* b8, i8 ...: the DType of each suffix */
enum {
#define D(ID, suffix, name, bytes) suffix = DTYPE_##ID,
#include "rt/kernels/dtype.def"
#undef D
};

/*
** numpy.promote_types, in the order of table.lua: spec/numpy/reference.py asks
** NumPy for it, and dtype_spec compares. NumPy has no bfloat16. Here it follows
** the rule of float16: the smallest dtype with all numbers of both. So int8 and
** uint8 fit into its 8 bits; larger integers, and float16, make float32 and
** float64.
*/
static const uint8_t promotions[DTYPE_COUNT][DTYPE_COUNT] = {
  /* to: b8 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128 */
  {b8, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128},
  {i8, i8, i16, i32, i64, i16, i32, i64, f64, f16, bf16, f32, f64, c64, c128},
  {i16, i16, i16, i32, i64, i16, i32, i64, f64, f32, f32, f32, f64, c64, c128},
  {i32, i32, i32, i32, i64, i32, i32, i64, f64, f64, f64, f64, f64, c128, c128},
  {i64, i64, i64, i64, i64, i64, i64, i64, f64, f64, f64, f64, f64, c128, c128},
  {u8, i16, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128},
  {u16, i32, i32, i32, i64, u16, u16, u32, u64, f32, f32, f32, f64, c64, c128},
  {u32, i64, i64, i64, i64, u32, u32, u32, u64, f64, f64, f64, f64, c128, c128},
  {u64, f64, f64, f64, f64, u64, u64, u64, u64, f64, f64, f64, f64, c128, c128},
  {f16, f16, f32, f64, f64, f16, f32, f64, f64, f16, f32, f32, f64, c64, c128},
  {bf16, bf16, f32, f64, f64, bf16, f32, f64, f64, f32, bf16, f32, f64, c64,
   c128},
  {f32, f32, f32, f64, f64, f32, f32, f64, f64, f32, f32, f32, f64, c64, c128},
  {f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, c128, c128},
  {c64, c64, c64, c128, c128, c64, c64, c128, c128, c64, c64, c64, c128, c64,
   c128},
  {c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128,
   c128, c128},
};

DType dtype_promote (DType a, DType b) { return (DType)promotions[a][b]; }

/* Returns the complex dtype that has all floats of 't'. */
static DType complex_of (DType t) { return dtype_promote(t, DTYPE_COMPLEX64); }

bool dtype_is_scalar (lua_State *L, int idx) {
  int type = lua_type(L, idx);
  return type == LUA_TNUMBER || type == LUA_TBOOLEAN || complex_test(L, idx);
}

DType dtype_infer_as (lua_State *L, int idx, DType floats) {
  if (complex_test(L, idx))
    return complex_of(floats);
  if (lua_isboolean(L, idx))
    return DTYPE_BOOL;
  return lua_isinteger(L, idx) ? DTYPE_INT64 : floats;
}

DType dtype_infer (lua_State *L, int idx) {
  return dtype_infer_as(L, idx, dtype_default(L));
}

DType dtype_floats_beside (lua_State *L, DType t) {
  DType own = (t == DTYPE_COMPLEX128)  ? DTYPE_FLOAT64
              : (t == DTYPE_COMPLEX64) ? DTYPE_FLOAT32
                                       : t;
  return dtype_is_float(own) ? dtype_promote(dtype_default(L), own)
                             : dtype_default(L);
}

/* A value of the array's kind, or a lower one, takes the array's dtype; a
** complex value takes its precision. */
DType dtype_promote_scalar (lua_State *L, int idx, DType t) {
  DType own = dtype_infer(L, idx);
  if (dtype_kind(own) == KIND_COMPLEX && dtype_is_float(t))
    return complex_of(t);
  return dtype_kind(own) <= dtype_kind(t) ? t : own;
}

/* Lua has no unsigned integers: -1 stands for 2^64 - 1, as in an array. */
DType dtype_beside (DType own, DType t) {
  return (own == DTYPE_INT64 && t == DTYPE_UINT64) ? t : own;
}

lua_Number dtype_float_beside (lua_State *L, int idx, DType t) {
  return (lua_isinteger(L, idx) && t == DTYPE_UINT64)
           ? (lua_Number)(lua_Unsigned)lua_tointeger(L, idx)
           : lua_tonumber(L, idx);
}

/* ==} */

/* {== the default ===================================================== */

DType dtype_default (lua_State *L) { return (DType)state_get(L)->float_dtype; }

/* get_default_dtype() -> the dtype of floats: "float64" unless it was
** changed. */
static int core_get_default_dtype (lua_State *L) {
  lua_pushstring(L, names[dtype_default(L)]);
  return 1;
}

/*
** set_default_dtype(dtype) -> the earlier one. From now on, in this lua_State,
** arrays of floats that are made without a dtype have this one.
*/
static int core_set_default_dtype (lua_State *L) {
  DType t = dtype_check(L, 1);
  argerror_check(L, dtype_is_float(t), 1, "the dtype of floats cannot be %s",
                 names[t]);
  core_get_default_dtype(L);
  state_get(L)->float_dtype = (int)t;
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"get_default_dtype", core_get_default_dtype, 0},
  {"set_default_dtype", core_set_default_dtype, 1},
  {NULL, NULL, 0},
};

void open_dtype (lua_State *L) { class_set_funcs(L, functions); }
