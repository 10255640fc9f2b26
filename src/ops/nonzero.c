/*
** nonzero.c - nonzero, argwhere: the indices of elements that are not 0. First
** finds their places in the whole array, and then the index of each along every
** axis.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "concatenate.h"
#include "device/current.h"
#include "mask.h"
#include "openers.h"
#include "unravel.h"

/* Pushes the places, from 1, of true elements, followed by 0. */
static Array *push_numbers (lua_State *L, RtStream *s, Array *c, const Room *r,
                            const char *what) {
  int64_t n;
  lua_pushvalue(L, -1);
  Chosen of = {.mask = c, .counts = mask_push_ends(L, s, c)};
  Room room = *r;
  lua_pushinteger(L, 0);
  room.fill = lua_gettop(L);
  Array *z = mask_push_selected(L, s, &of, 1, &n, &room, what);
  array_release(of.counts);
  return z;
}

/* Returns the filler: the option, or an index below all others. */
static int64_t read_fill (lua_State *L, const Room *r, int64_t base) {
  Element e = {.bits = (uint64_t)(base - 1)};
  if (r->given)
    dtype_read_element(L, r->fill, DTYPE_INT64, &e);
  return (int64_t)e.bits;
}

/* Pushes for each axis the indices of the elements of the array at 1 that are
** not 0; the options are at 2. Returns the number of axes. */
static int push_indices (lua_State *L, const char *what) {
  static const char *const names[] = {"base", "size", "fill", NULL};
  Room room;
  lua_settop(L, 2);
  Array *a = array_check(L, 1);
  option_check(L, 2, names);
  argerror_check(L, a->ndim > 0, 1, "a 0-d array has no axes");
  Unravel u = {.ndim = a->ndim, .shape = a->shape, .size = a->size};
  u.base = (int64_t)indices_read_base(L, 2);
  mask_read_room(L, 2, DTYPE_INT64, u.base - 1, &room);
  u.fill = read_fill(L, &room, u.base);
  RtStream *s = current_get_stream(L, a->dev);
  Array *c = operand_push_dense(L, 1, DTYPE_BOOL);
  Indices x = {.what = "nonzero", .n = a->size, .seen = true};
  x.array = push_numbers(L, s, c, &room, what);
  if (c != a)
    array_release(c);
  if (a->ndim == 1 && u.base == 1 && (!room.given || u.fill == 0))
    return 1;
  unravel_push(L, s, &x, &u);
  array_release(x.array);
  return a->ndim;
}

/*
** nonzero(a [, { base=, size=, fill= }]) -> for each axis the indices of the
** elements that are not 0. Waits for their number, unless that is given.
*/
int mask_nonzero (lua_State *L) { return push_indices(L, "array:nonzero"); }

/*
** argwhere(a [, { base=, size=, fill= }]) -> a matrix with a row for each
** element that is not 0: its indices.
*/
static int array_argwhere (lua_State *L) {
  int n = push_indices(L, "array:argwhere"), first = lua_gettop(L) - n + 1;
  Array *a = array_check(L, 1);
  RtStream *s = current_get_stream(L, a->dev);
  int64_t shape[] = {array_check(L, first)->shape[0], n};
  Array *z = array_new(L, a->dev, DTYPE_INT64, 2, shape, s);
  if (z->size > 0)
    concatenate_columns(L, s, z, n, first);
  return array_return(L, 2);
}

static const Function functions[] = {
  {"argwhere", array_argwhere, 2},
  {"nonzero", mask_nonzero, 2},
  {NULL, NULL, 0},
};

void open_nonzero (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
