/*
** one_hot.c - one_hot: for each index a row with 1 at its place. A comparison
** with the numbers from 1 on, and a cast.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"

/* Pushes the integers from 1 to n. */
static void push_count (lua_State *L, RtDevice *dev, int64_t n) {
  RtStream *s = tide_currentstream(L, dev);
  Array *a = tide_newarray(L, dev, DTYPE_INT64, 1, &n, s);
  tide_arange(L, s, a, (Element){.bits = 1}, (Element){.bits = 1});
}

/* Pushes the view of 'a' with one more axis, of one element, at the end. */
static void push_column (lua_State *L, Array *a) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  memcpy(strides, tide_strides(a), (size_t)a->ndim * sizeof *strides);
  shape[a->ndim] = 1;
  strides[a->ndim] = 0;
  tide_pushview(L, a, a->ndim + 1, shape, strides, a->off);
}

/* Pushes whether the index is the number, for each of both. */
static void push_equal (lua_State *L, Array *a, int64_t n) {
  push_column(L, a);
  push_count(L, a->dev, n);
  tide_pushmethod(L, -2, "eq");
  lua_pushvalue(L, -3);
  lua_pushvalue(L, -3);
  tide_call(L, "one_hot", 2, 1);
}

/*
** one_hot(a, n [, dtype]) -> for each index of 'a', which counts from 1, a row
** of n along a new last axis, 1 at its place and else 0; all 0 where there is
** no such place. Of the default dtype.
*/
static int array_one_hot (lua_State *L) {
  lua_settop(L, 3);
  Array *a = tide_checkarray(L, 1);
  int64_t n = tide_checkinteger(L, 2);
  DType t = tide_optdtype(L, 3, tide_floatdtype(L));
  tide_argcheck(L, tide_kind(a->dtype) == KIND_INTEGER, 1, lua_pushfstring(L,
      "indices must be integers, got %s", tide_dtypename(a->dtype)));
  tide_argcheck(L, n >= 0 && n <= (int64_t)1 << 46, 2,
                "the number of places must be from 0 to 2^46");
  tide_argcheck(L, a->ndim < MAX_DIMS, 1,
                "the result would have more than 32 axes");
  push_equal(L, a, n);
  tide_pushcast(L, lua_gettop(L), t);
  return tide_return(L, 3);
}

static const Function functions[] = {
  {"one_hot", array_one_hot, 3},
  {NULL, NULL, 0}
};

void tide_openonehot (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
