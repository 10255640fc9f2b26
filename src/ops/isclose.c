/*
** isclose.c - which elements of two arrays are near each other, by NumPy's
** rule: |x - y| <= atol + rtol |y| where y is finite, else x and y are equal.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/slip.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"
#include "symbol.h"

int tide_readtolerance (lua_State *L, const char *const names[],
                        Tolerance *t) {
  int options = 3;
  *t = (Tolerance){1e-5, 1e-8, false};
  if (!lua_istable(L, options))
    t->rtol = tide_optnumber(L, options++, t->rtol);
  if (options == 4 && !lua_istable(L, options))
    t->atol = tide_optnumber(L, options++, t->atol);
  if (tide_checkoptions(L, options, names)) {
    t->rtol = tide_optnum(L, options, "rtol", t->rtol);
    t->atol = tide_optnum(L, options, "atol", t->atol);
    t->nan = tide_optflag(L, options, "equal_nan", false);
  }
  tide_checkend(L, options + 1);
  return options;
}

/* {== steps =========================================================== */

static DType dtype_of (lua_State *L, int x) {
  tide_pushfield(L, x, "dtype");
  DType t = tide_checkdtype(L, lua_gettop(L));
  lua_pop(L, 1);
  return t;
}

/* y as floats, by which the tolerance is measured. */
static int as_floats (lua_State *L, int y) {
  if (tide_kind(dtype_of(L, y)) >= KIND_FLOAT)
    return y;
  lua_pushliteral(L, "float64");
  return tide_applyto(L, "astype", y, lua_gettop(L));
}

/* Of complex numbers: only what is finite is 0 less itself. */
static int finite (lua_State *L, int x) {
  if (tide_kind(dtype_of(L, x)) != KIND_COMPLEX)
    return tide_apply(L, "isfinite", x);
  return tide_applynumber(L, "eq", tide_applyto(L, "sub", x, x), 0);
}

static int both (lua_State *L, const char *name, int x, int y) {
  int a = tide_apply(L, name, x);
  return tide_applyto(L, "band", a, tide_apply(L, name, y));
}

int tide_near (lua_State *L, int x, int y, const Tolerance *t) {
  y = as_floats(L, y);
  int far = tide_apply(L, "abs", tide_applyto(L, "sub", x, y));
  int most = tide_applynumber(L, "mul", tide_apply(L, "abs", y), t->rtol);
  most = tide_applynumber(L, "add", most, t->atol);
  int z = tide_applyto(L, "le", far, most);
  z = tide_applyto(L, "band", z, finite(L, y));
  z = tide_applyto(L, "bor", z, tide_applyto(L, "eq", x, y));
  return t->nan ? tide_applyto(L, "bor", z, both(L, "isnan", x, y)) : z;
}

/* ==} */

static const char *const names[] = {"rtol", "atol", "equal_nan", "out", NULL};

/* Pushes a Symbol for the operand, of which a number has its own dtype. */
static int push_symbol (lua_State *L, int arg) {
  Trace *t = tide_currenttrace(L);
  int node = tide_operandnode(L, arg);
  tide_pushsymbol(L, t, tide_typednode(L, node, t->at[node].t));
  return lua_gettop(L);
}

static int trace_near (lua_State *L) {
  Tolerance t;
  int options = tide_readtolerance(L, names, &t);
  if (tide_getout(L, options))
    return tide_raise(L, "in a fused function there is no option 'out'");
  int x = push_symbol(L, 1);
  tide_near(L, x, push_symbol(L, 2), &t);
  return 1;
}

/*
** isclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan=, out= }]): which
** elements are near; operands are whatever tide.asarray takes.
*/
int tide_isclose (lua_State *L) {
  Tolerance t;
  Runtime *rt = tide_rt(L);
  lua_settop(L, 5);
  if (tide_istraced(L, rt, 2))
    return trace_near(L);
  int options = tide_readtolerance(L, names, &t);
  RtDevice *dev = tide_operanddevice(L);
  RtStream *s = tide_currentstream(L, dev);
  int x = tide_pushoperand(L, 1, dev, s), y = tide_pushoperand(L, 2, dev, s);
  tide_checkdevices(L, tide_checkarray(L, x), tide_checkarray(L, y));
  tide_near(L, x, y, &t);
  return tide_deliverout(L, options, s);
}
