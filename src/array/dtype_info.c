/*
** dtype_info.c - limits and kinds of dtypes, casts and promotion: finfo, iinfo,
** isdtype, can_cast, result_type.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/type.h"
#include "dtype.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"

/* Returns the dtype at 'arg': a name, or an array's. */
static DType dtype_at (lua_State *L, int arg) {
  const Array *a = array_test_any(L, arg);
  if (a != NULL)
    return (DType)a->dtype;
  if (lua_type(L, arg) != LUA_TSTRING)
    type_error(L, arg, "dtype string or array");
  return dtype_check(L, arg);
}

static void set_number (lua_State *L, const char *name, lua_Number x) {
  lua_pushnumber(L, x);
  lua_setfield(L, -2, name);
}

static void set_integer (lua_State *L, const char *name, lua_Integer x) {
  lua_pushinteger(L, x);
  lua_setfield(L, -2, name);
}

static void set_name (lua_State *L, DType t) {
  lua_pushstring(L, dtype_name(t));
  lua_setfield(L, -2, "dtype");
}

/* {== limits ========================================================== */

/* A float's bits of fraction and exponent; decimal digits that are exact. */
typedef struct Format {
  DType t;
  int nmant, nexp, precision;
} Format;

static const Format *format_of (lua_State *L, DType t) {
  static const Format formats[] = {
    {DTYPE_FLOAT16, 10, 5, 3},
    {DTYPE_BFLOAT16, 7, 8, 2},
    {DTYPE_FLOAT32, 23, 8, 6},
    {DTYPE_FLOAT64, 52, 11, 15},
  };
  DType part = (t == DTYPE_COMPLEX64)    ? DTYPE_FLOAT32
               : (t == DTYPE_COMPLEX128) ? DTYPE_FLOAT64
                                         : t;
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (formats[i].t == part)
      return &formats[i];
  argerror_raise(L, 1, "%s is no dtype of floats", dtype_name(t));
  return NULL;
}

/* finfo(dtype | a) -> limits of the floats; of complex numbers, of their parts.
** Names are NumPy's. */
static int core_finfo (lua_State *L) {
  const Format *f = format_of(L, dtype_at(L, 1));
  int most = 1 << (f->nexp - 1), least = 2 - most;
  double max = ldexp(2 - ldexp(1, -f->nmant), most - 1);
  lua_createtable(L, 0, 18);
  set_name(L, f->t);
  set_integer(L, "bits", 1 + f->nmant + f->nexp);
  set_integer(L, "nmant", f->nmant);
  set_integer(L, "nexp", f->nexp);
  set_integer(L, "iexp", f->nexp);
  set_integer(L, "machep", -f->nmant);
  set_integer(L, "negep", -f->nmant - 1);
  set_integer(L, "minexp", least);
  set_integer(L, "maxexp", most);
  set_integer(L, "precision", f->precision);
  set_number(L, "eps", ldexp(1, -f->nmant));
  set_number(L, "epsneg", ldexp(1, -f->nmant - 1));
  set_number(L, "max", max);
  set_number(L, "min", -max);
  set_number(L, "tiny", ldexp(1, least));
  set_number(L, "smallest_normal", ldexp(1, least));
  set_number(L, "smallest_subnormal", ldexp(1, least - f->nmant));
  set_number(L, "resolution", pow(10, -f->precision));
  return 1;
}

/* iinfo(dtype | a) -> limits of the integers. The maximum of uint64 is its 64
** bits, as elements are. */
static int core_iinfo (lua_State *L) {
  DType t = dtype_at(L, 1);
  int bits = 8 * (int)dtype_size(t);
  if (dtype_kind(t) != KIND_INTEGER)
    return argerror_raise(L, 1, "%s is no dtype of integers", dtype_name(t));
  bool sign = !dtype_is_unsigned(t);
  uint64_t all = UINT64_MAX >> (64 - bits);
  lua_createtable(L, 0, 4);
  set_name(L, t);
  set_integer(L, "bits", bits);
  set_integer(L, "min", sign ? -(lua_Integer)(all >> 1) - 1 : 0);
  set_integer(L, "max", (lua_Integer)(sign ? all >> 1 : all));
  return 1;
}

/* ==} */

/* {== kinds =========================================================== */

/* A kind of the array API standard: the dtypes of some kinds of ours. */
typedef struct Family {
  const char *name;
  unsigned kinds; /* bit k: it has those of DTypeKind k */
  int sign;       /* of integers: 1 signed, 2 unsigned, 3 both */
} Family;

enum { SIGNED = 1, UNSIGNED = 2, BOTH_SIGNS = 3 };

static bool has_dtype (const Family *f, DType t) {
  int sign = dtype_is_unsigned(t) ? UNSIGNED : SIGNED;
  DTypeKind kind = dtype_kind(t);
  return (f->kinds >> kind & 1) != 0 &&
         (kind != KIND_INTEGER || (f->sign & sign) != 0);
}

/* Tells whether 't' is of the kind, or is the dtype, that the string at 'idx'
** names; errors name argument 2. */
static bool is_of (lua_State *L, int idx, DType t) {
  static const Family families[] = {
    {"bool", 1 << KIND_BOOL, 0},
    {"signed integer", 1 << KIND_INTEGER, SIGNED},
    {"unsigned integer", 1 << KIND_INTEGER, UNSIGNED},
    {"integral", 1 << KIND_INTEGER, BOTH_SIGNS},
    {"real floating", 1 << KIND_FLOAT, 0},
    {"complex floating", 1 << KIND_COMPLEX, 0},
    {"numeric", 1 << KIND_INTEGER | 1 << KIND_FLOAT | 1 << KIND_COMPLEX,
     BOTH_SIGNS},
  };
  if (lua_type(L, idx) != LUA_TSTRING)
    argerror_raise(L, 2, "a kind or a dtype must be a string, got %s",
                   type_push_name(L, idx));
  const char *name = lua_tostring(L, idx);
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
    if (strcmp(families[i].name, name) == 0)
      return has_dtype(&families[i], t);
  for (int i = 0; i < DTYPE_COUNT; i++)
    if (strcmp(dtype_name((DType)i), name) == 0)
      return i == (int)t;
  return argerror_raise(L, 2,
                        "unknown kind '%s'; kinds are 'bool', 'signed "
                        "integer', 'unsigned integer', 'integral', 'real "
                        "floating', 'complex floating' and 'numeric'",
                        name);
}

/* isdtype(dtype | a, kind) -> boolean, for a kind of the array API standard, a
** dtype, or a list of them. */
static int core_isdtype (lua_State *L) {
  bool is = false;
  DType t = dtype_at(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING) {
    is = is_of(L, 2, t);
  } else if (lua_istable(L, 2)) {
    lua_Unsigned n = lua_rawlen(L, 2);
    list_check(L, 2, n, "a list of kinds and dtypes");
    for (lua_Unsigned i = 1; i <= n; i++, lua_pop(L, 1)) {
      lua_rawgeti(L, 2, (lua_Integer)i);
      is = is_of(L, lua_gettop(L), t) || is;
    }
  } else {
    type_error(L, 2, "string or table");
  }
  lua_pushboolean(L, is);
  return 1;
}

/* ==} */

/* {== casts and promotion ============================================= */

enum { CAST_NO, CAST_EQUIV, CAST_SAFE, CAST_SAME_KIND, CAST_UNSAFE };

/* Orders kinds upwards: bool, unsigned and signed integers, floats, complex
** numbers. */
static int rank (DType t) {
  return 2 * (int)dtype_kind(t) +
         (dtype_kind(t) == KIND_INTEGER && !dtype_is_unsigned(t));
}

static bool is_castable (DType from, DType to, int how) {
  return from == to || how == CAST_UNSAFE ||
         (how >= CAST_SAFE && dtype_promote(from, to) == to) ||
         (how == CAST_SAME_KIND && rank(from) <= rank(to));
}

/* can_cast(from, to [, casting]) -> boolean, by NumPy's rules: "safe" if 'to'
** has all numbers of 'from'. */
static int core_can_cast (lua_State *L) {
  static const char *const ways[] = {"no",        "equiv",  "safe",
                                     "same_kind", "unsafe", NULL};
  DType from = dtype_at(L, 1), to = dtype_at(L, 2);
  int how = luaL_checkoption(L, 3, "safe", ways);
  lua_pushboolean(L, is_castable(from, to, how));
  return 1;
}

/* Returns the common dtype of arrays and names among n arguments, or -1. */
static int strong_dtype (lua_State *L, int n) {
  int all = -1;
  for (int arg = 1; arg <= n; arg++) {
    if (dtype_is_scalar(L, arg))
      continue;
    DType t = dtype_at(L, arg);
    all = (all < 0) ? (int)t : (int)dtype_promote((DType)all, t);
  }
  return all;
}

/* result_type(...) -> the common dtype of operands: arrays, names of dtypes,
** and numbers, which give way. */
static int core_result_type (lua_State *L) {
  int n = lua_gettop(L);
  argerror_check(L, n > 0, 1, "at least one operand must be given");
  int all = strong_dtype(L, n);
  bool weak = (all < 0);
  for (int arg = 1; arg <= n; arg++) {
    if (!dtype_is_scalar(L, arg))
      continue;
    DType t = dtype_infer(L, arg);
    all = (all < 0) ? (int)t
          : weak    ? (int)dtype_promote((DType)all, t)
                    : (int)dtype_promote_scalar(L, arg, (DType)all);
  }
  lua_pushstring(L, dtype_name((DType)all));
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"can_cast", core_can_cast, 3},
  {"finfo", core_finfo, 1},
  {"iinfo", core_iinfo, 1},
  {"isdtype", core_isdtype, 2},
  {"result_type", core_result_type, ANY},
  {NULL, NULL, 0},
};

void open_dtype_info (lua_State *L) { class_set_funcs(L, functions); }
