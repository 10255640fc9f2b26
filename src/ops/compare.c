/*
** compare.c - allclose and array_equal: are two arrays the same? The answer is
** a boolean of Lua's, so they wait: for one byte.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/argument.h"
#include "base/class.h"
#include "base/door.h"
#include "base/may_wait.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"

/* {== operands ======================================================== */

static RtDevice *find_device (lua_State *L) {
  for (int arg = 1; arg <= 2; arg++) {
    Array *a = tide_testany(L, arg);
    if (a != NULL)
      return a->dev;
  }
  return tide_currentdevice(L);
}

/* Pushes a copy of the HostArray or table at 'arg'. */
static Array *push_copy (lua_State *L, int arg, RtDevice *dev, RtStream *s) {
  Array *h = tide_testobject(L, arg, &tide_hostarrayclass);
  if (h != NULL)
    tide_checkopen(L, arg, h);
  else if (lua_istable(L, arg))
    h = tide_pushtable(L, arg, dev, -1);
  else
    tide_typeerror(L, arg, "tide.Array, number, boolean or table");
  Array *a = tide_newarray(L, h->dev, h->dtype, h->ndim, h->shape, s);
  tide_copy(L, s, a, h);
  return a;
}

/* Pushes the operand at 'arg', whatever tide.asarray takes, as an Array;
** returns where it is. */
static int push_operand (lua_State *L, int arg, RtDevice *dev, RtStream *s) {
  Array *a = tide_testarray(L, arg);
  if (a != NULL) {
    tide_checkopen(L, arg, a);
    lua_pushvalue(L, arg);
  } else if (tide_isscalar(L, arg)) {
    a = tide_newarray(L, dev, tide_inferdtype(L, arg), 0, NULL, s);
    tide_fillarray(L, s, a, arg);
  } else {
    push_copy(L, arg, dev, s);
  }
  return lua_gettop(L);
}

typedef struct Pair {
  int x, y;  /* where they are */
} Pair;

static Pair push_pair (lua_State *L, const char *what) {
  RtDevice *dev = find_device(L);
  RtStream *s = tide_currentstream(L, dev);
  for (int arg = 1; arg <= 2; arg++) {
    Array *a = tide_testarray(L, arg);
    if (a != NULL)
      tide_checkreadable(L, s, a, what);
  }
  tide_checkmaywait(L, dev, what);
  Pair p = {push_operand(L, 1, dev, s), 0};
  p.y = push_operand(L, 2, dev, s);
  tide_checkdevices(L, tide_checkarray(L, p.x), tide_checkarray(L, p.y));
  return p;
}

/* ==} */

/* {== steps =========================================================== */

/* Pushes x:name(y), or x:name() where y is 0; returns where it is. */
static int apply (lua_State *L, const char *name, int x, int y) {
  luaL_checkstack(L, 4, NULL);
  lua_getfield(L, x, name);
  lua_pushvalue(L, x);
  if (y != 0)
    lua_pushvalue(L, y);
  tide_call(L, name, y != 0 ? 2 : 1, 1);
  return lua_gettop(L);
}

static int apply_number (lua_State *L, const char *name, int x, lua_Number y) {
  lua_pushnumber(L, y);
  return apply(L, name, x, lua_gettop(L));
}

/* Of complex numbers: only what is finite is 0 less itself. */
static int finite (lua_State *L, int x) {
  if (tide_kind(tide_checkarray(L, x)->dtype) != KIND_COMPLEX)
    return apply(L, "isfinite", x, 0);
  return apply_number(L, "eq", apply(L, "sub", x, x), 0);
}

static int with_nans (lua_State *L, int z, Pair p) {
  int nan = apply(L, "isnan", p.x, 0);
  nan = apply(L, "band", nan, apply(L, "isnan", p.y, 0));
  return apply(L, "bor", z, nan);
}

/* Is all of the bool array at 'z' true? Waits. */
static bool is_true (lua_State *L, int z, const char *what) {
  Array *all = tide_checkarray(L, apply(L, "all", z, 0));
  Array *h = tide_fetch(L, all, what);
  bool truth = tide_integerat((void *)(uintptr_t)tide_pointer(h), DTYPE_BOOL);
  tide_closearray(h);
  return truth;
}

/* ==} */

/* {== allclose ======================================================== */

typedef struct Tolerance {
  lua_Number rtol, atol;
  bool nan;  /* is NaN equal to NaN? */
} Tolerance;

/* [rtol [, atol]] [, { rtol=, atol=, equal_nan= }] from 3 on. */
static Tolerance read_tolerance (lua_State *L) {
  static const char *const names[] = {"rtol", "atol", "equal_nan", NULL};
  Tolerance t = {1e-5, 1e-8, false};
  int options = 3;
  if (!lua_istable(L, options))
    t.rtol = tide_optnumber(L, options++, t.rtol);
  if (options == 4 && !lua_istable(L, options))
    t.atol = tide_optnumber(L, options++, t.atol);
  if (tide_checkoptions(L, options, names)) {
    t.rtol = tide_optnum(L, options, "rtol", t.rtol);
    t.atol = tide_optnum(L, options, "atol", t.atol);
    t.nan = tide_optflag(L, options, "equal_nan", false);
  }
  tide_checkend(L, options + 1);
  return t;
}

/* |x - y| <= atol + rtol |y| where y is finite; else they must be equal. */
static int is_close (lua_State *L, Pair p, const Tolerance *t) {
  int far = apply(L, "abs", apply(L, "sub", p.x, p.y), 0);
  int most = apply_number(L, "mul_", apply(L, "abs", p.y, 0), t->rtol);
  most = apply_number(L, "add_", most, t->atol);
  int z = apply(L, "le", far, most);
  z = apply(L, "band", z, finite(L, p.y));
  return apply(L, "bor", z, apply(L, "eq", p.x, p.y));
}

/*
** allclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan= }]) -> boolean:
** as NumPy's; b, which the tolerance is measured by, is taken as floats.
*/
static int array_allclose (lua_State *L) {
  static const char what[] = "allclose";
  lua_settop(L, 5);
  Tolerance t = read_tolerance(L);
  Pair p = push_pair(L, what);
  if (tide_kind(tide_checkarray(L, p.y)->dtype) < KIND_FLOAT) {
    tide_pushcast(L, p.y, DTYPE_FLOAT64);
    p.y = lua_gettop(L);
  }
  int z = is_close(L, p, &t);
  bool same = is_true(L, t.nan ? with_nans(L, z, p) : z, what);
  tide_drop(L, 5);
  lua_pushboolean(L, same);
  return 1;
}

/* ==} */

/* array_equal(a, b [, { equal_nan= }]) -> boolean: of one shape, and all
** elements equal. */
static int array_array_equal (lua_State *L) {
  static const char what[] = "array_equal";
  static const char *const names[] = {"equal_nan", NULL};
  lua_settop(L, 3);
  tide_checkoptions(L, 3, names);
  bool nan = tide_optflag(L, 3, "equal_nan", false);
  Pair p = push_pair(L, what);
  bool same = tide_sameshape(tide_checkarray(L, p.x), tide_checkarray(L, p.y));
  if (same) {
    int z = apply(L, "eq", p.x, p.y);
    same = is_true(L, nan ? with_nans(L, z, p) : z, what);
  }
  tide_drop(L, 3);
  lua_pushboolean(L, same);
  return 1;
}

static const Function functions[] = {
  {"allclose", array_allclose, 5},
  {"array_equal", array_array_equal, 3},
  {NULL, NULL, 0}
};

void tide_opencompare (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
