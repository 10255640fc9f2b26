/*
** nonzero.c - nonzero: the indices of elements that are not 0. First finds
** their places in the whole array, and then the index of each along every axis.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "take_mask.h"
#include "unravel.h"

/* Pushes the places, from 1, of true elements, followed by 0. */
static Array *push_numbers (lua_State *L, RtStream *s, Array *c,
                            const Room *r) {
  int64_t n;
  lua_pushvalue(L, -1);
  Chosen of = {.mask = c, .counts = tide_pushends(L, s, c)};
  Room room = *r;
  lua_pushinteger(L, 0);
  room.fill = lua_gettop(L);
  Array *z = tide_pushmasked(L, s, &of, 1, &n, &room, "array:nonzero");
  tide_closearray(of.counts);
  return z;
}

/* Returns the filler: the option, or an index below all others. */
static int64_t read_fill (lua_State *L, const Room *r, int64_t base) {
  Element e = {.bits = (uint64_t)(base - 1)};
  if (r->given)
    tide_readelement(L, r->fill, DTYPE_INT64, &e);
  return (int64_t)e.bits;
}

/*
** nonzero(a [, { base=, size=, fill= }]) -> for each axis the indices of the
** elements that are not 0. Waits for their number, unless that is given.
*/
int tide_nonzero (lua_State *L) {
  static const char *const names[] = {"base", "size", "fill", NULL};
  Room room;
  lua_settop(L, 2);
  Array *a = tide_checkarray(L, 1);
  tide_checkoptions(L, 2, names);
  tide_argcheck(L, a->ndim > 0, 1, "a 0-d array has no axes");
  Unravel u = {.ndim = a->ndim, .shape = a->shape, .size = a->size};
  u.base = (int64_t)tide_readbase(L, 2);
  tide_readroom(L, 2, DTYPE_INT64, u.base - 1, &room);
  u.fill = read_fill(L, &room, u.base);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *c = tide_pushplain(L, 1, DTYPE_BOOL);
  Indices x = {.what = "nonzero", .n = a->size, .seen = true};
  x.array = push_numbers(L, s, c, &room);
  if (c != a)
    tide_closearray(c);
  if (a->ndim == 1 && u.base == 1 && (!room.given || u.fill == 0))
    return 1;
  tide_pushunraveled(L, s, &x, &u);
  tide_closearray(x.array);
  return a->ndim;
}

static const Function functions[] = {
  {"nonzero", tide_nonzero, 2},
  {NULL, NULL, 0},
};

void tide_opennonzero (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
