/*
** complex_math.c - arithmetic and functions of complex numbers in Lua. A
** function that arrays have as well returns exactly the same bits: both are in
** kernels/complex.h. The others are the C library's.
*/
#include <string.h>

#include "kernels/ops.h"

#include "array/complex.h"
#include "base/arg.h"
#include "base/class.h"
#include "base/type.h"
#include "complex_math.h"
#include "openers.h"

/* {== arithmetic ====================================================== */

/* Reads a number or a Complex. Returns false for another value. */
static bool read_value (lua_State *L, int arg, t_c128 *x) {
  double part[2];
  if (lua_type(L, arg) != LUA_TNUMBER &&
      class_test(L, arg, &complex_class) == NULL)
    return false;
  complex_read(L, arg, part);
  *x = make_c128(part[0], part[1]);
  return true;
}

static int push (lua_State *L, t_c128 z) {
  complex_push(L, z.re, z.im);
  return 1;
}

bool complex_math_binary (lua_State *L, BinaryOp op) {
  t_c128 x, y;
  if (!read_value(L, 1, &x) || !read_value(L, 2, &y))
    return false;
  switch (op) {
    case BINARY_add: push(L, plus_c128(x, y)); break;
    case BINARY_sub: push(L, minus_c128(x, y)); break;
    case BINARY_mul: push(L, times_c128(x, y)); break;
    case BINARY_div: push(L, over_c128(x, y)); break;
    case BINARY_pow: push(L, power_complex(x, y)); break;
    default: return false;
  }
  return true;
}

static t_c128 check_value (lua_State *L, int arg) {
  t_c128 x = {0, 0};
  if (!read_value(L, arg, &x))
    type_error(L, arg, "tide.Complex or number");
  return x;
}

/* -z; Lua passes the operand twice. */
static int complex__unm (lua_State *L) {
  return push(L, negate_c128(check_value(L, 1)));
}

/* ==} */

/* {== functions ======================================================= */

/* Functions of C's library, whose numbers have the parts one after the
** other. */
#define C_FUNCTION(name) \
  static int complex_##name(lua_State *L) { \
    const t_c128 x = check_value(L, 1); \
    double _Complex w; \
    t_c128 z; \
    memcpy(&w, &x, sizeof w); \
    w = c##name(w); \
    memcpy(&z, &w, sizeof z); \
    return push(L, z); \
  }

#define OWN_FUNCTION(name) \
  static int complex_##name(lua_State *L) { \
    return push(L, name##_complex(check_value(L, 1))); \
  }

OWN_FUNCTION(exp)
OWN_FUNCTION(log)
OWN_FUNCTION(sqrt)
OWN_FUNCTION(sin)
OWN_FUNCTION(cos)
C_FUNCTION(tan)
C_FUNCTION(asin)
C_FUNCTION(acos)
C_FUNCTION(atan)
C_FUNCTION(sinh)
C_FUNCTION(cosh)
C_FUNCTION(tanh)
C_FUNCTION(asinh)
C_FUNCTION(acosh)
C_FUNCTION(atanh)

static int complex_conj (lua_State *L) {
  return push(L, conjugate_c128(check_value(L, 1)));
}

static int complex_abs (lua_State *L) {
  lua_pushnumber(L, absolute_c128(check_value(L, 1)));
  return 1;
}

/* The angle, from -pi to pi. */
static int complex_arg (lua_State *L) {
  t_c128 x = check_value(L, 1);
  lua_pushnumber(L, atan2(x.im, x.re));
  return 1;
}

/* complex.polar(r, angle) -> the number of that absolute value and angle */
static int complex_polar (lua_State *L) {
  double r = arg_check_number(L, 1), angle = arg_check_number(L, 2);
  complex_push(L, r * cos(angle), r * sin(angle));
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"abs", complex_abs, 1},     {"acos", complex_acos, 1},
  {"acosh", complex_acosh, 1}, {"arg", complex_arg, 1},
  {"asin", complex_asin, 1},   {"asinh", complex_asinh, 1},
  {"atan", complex_atan, 1},   {"atanh", complex_atanh, 1},
  {"conj", complex_conj, 1},   {"cos", complex_cos, 1},
  {"cosh", complex_cosh, 1},   {"exp", complex_exp, 1},
  {"log", complex_log, 1},     {"polar", complex_polar, 2},
  {"sin", complex_sin, 1},     {"sinh", complex_sinh, 1},
  {"sqrt", complex_sqrt, 1},   {"tan", complex_tan, 1},
  {"tanh", complex_tanh, 1},   {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__unm", complex__unm, 2},
  {NULL, NULL, 0},
};

void open_complex_math (lua_State *L) {
  lua_getfield(L, -1, "complex");
  class_set_funcs(L, functions);
  lua_pop(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &complex_class);
  class_set_funcs(L, metamethods);
  lua_pop(L, 1);
}
