/*
** dtype.c - element types: names, kinds, NumPy 2's promotion, the default.
** Conversion of elements to Lua values is in element.c.
*/
#include "dtype.h"

#include <string.h>

#include "base/blame.h"
#include "base/class.h"
#include "base/slip.h"
#include "base/state.h"
#include "base/suggest.h"
#include "complex.h"
#include "openers.h"

static const char *const names[] = {
#define D(ID, suffix, name, bytes) name,
#include "rt/kernels/dtype.def"
#undef D
  NULL};

const char *tide_dtypename (DType t) { return names[t]; }

/* Raises for an unknown name, where a number may be valid as well. */
static void refuse_name (lua_State *L, int arg, const char *name) {
  const char *best = tide_nearest(name, names);
  if (lua_stringtonumber(L, name) != 0)
    tide_argerror(L, arg,
                  "unknown dtype '%s'; a number is "
                  "written without quotes",
                  name);
  tide_argerror(L, arg, "%s",
                best != NULL
                  ? lua_pushfstring(L, "unknown dtype '%s'; did you mean '%s'?",
                                    name, best)
                  : lua_pushfstring(L, "unknown dtype '%s'", name));
}

static DType find_dtype (lua_State *L, int arg) {
  if (lua_istable(L, arg))
    tide_argerror(L, arg,
                  "dtype string expected, got table; a dtype is "
                  "written by itself: \"float32\"");
  if (lua_type(L, arg) != LUA_TSTRING)
    tide_typeerror(L, arg, "dtype string");
  const char *name = lua_tostring(L, arg);
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (*names[t] == *name && strcmp(names[t], name) == 0)
      return (DType)t;
  refuse_name(L, arg, name);
  return DTYPE_COUNT;
}

DType tide_checkdtype (lua_State *L, int arg) { return find_dtype(L, arg); }

DType tide_optdtype (lua_State *L, int arg, DType def) {
  return lua_isnoneornil(L, arg) ? def : find_dtype(L, arg);
}

Kind tide_kind (DType t) {
  return t == DTYPE_BOOL      ? KIND_BOOL
         : t <= DTYPE_UINT64  ? KIND_INTEGER
         : t <= DTYPE_FLOAT64 ? KIND_FLOAT
                              : KIND_COMPLEX;
}

bool tide_isfloat (DType t) { return tide_kind(t) == KIND_FLOAT; }

bool tide_ishalf (DType t) { return t == DTYPE_FLOAT16 || t == DTYPE_BFLOAT16; }

bool tide_isunsigned (DType t) { return t >= DTYPE_UINT8 && t <= DTYPE_UINT64; }

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

DType tide_promote (DType a, DType b) { return (DType)promotions[a][b]; }

/* Returns the complex dtype that has all floats of 't'. */
static DType complex_of (DType t) { return tide_promote(t, DTYPE_COMPLEX64); }

bool tide_isscalar (lua_State *L, int idx) {
  int type = lua_type(L, idx);
  return type == LUA_TNUMBER || type == LUA_TBOOLEAN || tide_iscomplex(L, idx);
}

DType tide_inferdtype (lua_State *L, int idx) {
  if (tide_iscomplex(L, idx))
    return complex_of(tide_floatdtype(L));
  if (lua_isboolean(L, idx))
    return DTYPE_BOOL;
  return lua_isinteger(L, idx) ? DTYPE_INT64 : tide_floatdtype(L);
}

/* A value of the array's kind, or a lower one, takes the array's dtype; a
** complex value takes its precision. */
DType tide_promotescalar (lua_State *L, int idx, DType t) {
  DType own = tide_inferdtype(L, idx);
  if (tide_kind(own) == KIND_COMPLEX && tide_isfloat(t))
    return complex_of(t);
  return tide_kind(own) <= tide_kind(t) ? t : own;
}

/* Lua has no unsigned integers: -1 stands for 2^64 - 1, as in an array. */
DType tide_dtypebeside (DType own, DType t) {
  return (own == DTYPE_INT64 && t == DTYPE_UINT64) ? t : own;
}

lua_Number tide_floatbeside (lua_State *L, int idx, DType t) {
  return (lua_isinteger(L, idx) && t == DTYPE_UINT64)
           ? (lua_Number)(lua_Unsigned)lua_tointeger(L, idx)
           : lua_tonumber(L, idx);
}

/* ==} */

/* {== the default ===================================================== */

DType tide_floatdtype (lua_State *L) {
  return (DType)tide_state(L)->float_dtype;
}

/* get_default_dtype() -> the dtype of floats: "float64" unless it was
** changed. */
static int core_get_default_dtype (lua_State *L) {
  lua_pushstring(L, names[tide_floatdtype(L)]);
  return 1;
}

/*
** set_default_dtype(dtype) -> the earlier one. From now on, in this lua_State,
** arrays of floats that are made without a dtype have this one.
*/
static int core_set_default_dtype (lua_State *L) {
  DType t = tide_checkdtype(L, 1);
  tide_argcheck(L, tide_isfloat(t), 1, "the dtype of floats cannot be %s",
                names[t]);
  core_get_default_dtype(L);
  tide_state(L)->float_dtype = (int)t;
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"get_default_dtype", core_get_default_dtype, 0},
  {"set_default_dtype", core_set_default_dtype, 1},
  {NULL, NULL, 0},
};

void tide_opendtype (lua_State *L) { tide_setfuncs(L, functions); }
