/*
** compare.c - allclose and array_equal: tell whether two arrays are the same.
** The result is a Lua boolean, so they wait, for one byte.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"
#include "base/door.h"
#include "base/may_wait.h"
#include "base/slip.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"

/* {== operands ======================================================== */

RtDevice *tide_operanddevice (lua_State *L) {
  for (int arg = 1; arg <= 2; arg++) {
    Array *a = tide_testany(L, arg);
    if (a != NULL)
      return a->dev;
  }
  return tide_currentdevice(L);
}

/* Pushes a copy of the HostArray. */
static Array *push_copy (lua_State *L, Array *h, RtStream *s) {
  Array *a = tide_newarray(L, h->dev, h->dtype, h->ndim, h->shape, s);
  tide_copy(L, s, a, h);
  return a;
}

/* Pushes the number or table at 'arg' as an array, and finds its dtype. */
static int push_untyped (lua_State *L, int arg, DType beside, RtDevice *dev,
                         RtStream *s) {
  if (lua_istable(L, arg)) {
    Array *a = push_copy(L, tide_pushtable(L, arg, dev, -1), s);
    return tide_applyastype(L, lua_gettop(L),
                            tide_dtypebeside((DType)a->dtype, beside));
  }
  if (!tide_isscalar(L, arg))
    tide_typeerror(L, arg, "tide.Array, number, boolean or table");
  DType t = tide_dtypebeside(tide_inferdtype(L, arg), beside);
  tide_fillarray(L, s, tide_newarray(L, dev, t, 0, NULL, s), arg);
  return lua_gettop(L);
}

int tide_pushoperand (lua_State *L, int arg, const Array *beside, RtDevice *dev,
                      RtStream *s) {
  Array *a = tide_testany(L, arg);
  if (a == NULL)
    return push_untyped(L, arg,
                        beside != NULL ? (DType)beside->dtype : DTYPE_BOOL, dev,
                        s);
  tide_checkopen(L, arg, a);
  if (a->object.class == &tide_hostarrayclass)
    push_copy(L, a, s);
  else
    lua_pushvalue(L, arg);
  return lua_gettop(L);
}

typedef struct Pair {
  int x, y; /* stack indices */
} Pair;

static Pair push_pair (lua_State *L, const char *what) {
  RtDevice *dev = tide_operanddevice(L);
  RtStream *s = tide_currentstream(L, dev);
  for (int arg = 1; arg <= 2; arg++) {
    Array *a = tide_testarray(L, arg);
    if (a != NULL)
      tide_checkreadable(L, s, a, what);
  }
  tide_checkmaywait(L, dev, what);
  Pair p = {tide_pushoperand(L, 1, tide_testany(L, 2), dev, s), 0};
  p.y = tide_pushoperand(L, 2, tide_testany(L, 1), dev, s);
  tide_checkdevices(L, tide_checkarray(L, p.x), tide_checkarray(L, p.y));
  return p;
}

/* ==} */

/* Tells whether all of the bool array at 'z' is true. Waits. */
static bool is_true (lua_State *L, int z, const char *what) {
  Array *all = tide_checkarray(L, tide_apply(L, "all", z));
  Array *h = tide_fetch(L, all, what);
  bool truth = tide_integerat((void *)(uintptr_t)tide_pointer(h), DTYPE_BOOL);
  tide_closearray(h);
  return truth;
}

/*
** allclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan= }]) -> boolean,
** as NumPy's. The tolerance is relative to b, which is converted to floats.
*/
static int array_allclose (lua_State *L) {
  static const char what[] = "allclose";
  static const char *const names[] = {"rtol", "atol", "equal_nan", NULL};
  Tolerance t;
  lua_settop(L, 5);
  tide_readtolerance(L, names, &t);
  Pair p = push_pair(L, what);
  bool same = is_true(L, tide_near(L, p.x, p.y, &t), what);
  tide_drop(L, 5);
  lua_pushboolean(L, same);
  return 1;
}

/* array_equal(a, b [, { equal_nan= }]) -> whether they have one shape, and all
** elements are equal. */
static int array_array_equal (lua_State *L) {
  static const char what[] = "array_equal";
  static const char *const names[] = {"equal_nan", NULL};
  lua_settop(L, 3);
  tide_checkoptions(L, 3, names);
  bool nan = tide_optflag(L, 3, "equal_nan", false);
  Pair p = push_pair(L, what);
  bool same = tide_sameshape(tide_checkarray(L, p.x), tide_checkarray(L, p.y));
  if (same) {
    int z = tide_applyto(L, "eq", p.x, p.y);
    if (nan) {
      int both = tide_apply(L, "isnan", p.x);
      both = tide_applyto(L, "band", both, tide_apply(L, "isnan", p.y));
      z = tide_applyto(L, "bor", z, both);
    }
    same = is_true(L, z, what);
  }
  tide_drop(L, 3);
  lua_pushboolean(L, same);
  return 1;
}

static const Function functions[] = {
  {"allclose", array_allclose, 5},
  {"array_equal", array_array_equal, 3},
  {"isclose", tide_isclose, 5},
  {NULL, NULL, 0},
};

void tide_opencompare (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
