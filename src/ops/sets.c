/*
** sets.c - sets of the elements of two arrays: union1d, intersect1d, setdiff1d.
** The elements of the first array are sorted; those stay that differ from the
** one before, and that are, or are not, among the second array's.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "mask.h"
#include "openers.h"
#include "operands.h"
#include "unique.h"

/* A call. */
typedef struct Sets {
  const char *what;
  RtStream *s;
  int x, y;      /* indices of the operands, which have one axis */
  DType t;       /* their common dtype */
  bool invert;   /* the elements of x that are not among y */
  bool distinct; /* each operand has no element twice */
  Room room;
} Sets;

enum { OPTIONS = 3 }; /* index of the options */

/* {== elements ======================================================== */

/* Pushes the operand at 'arg' with one axis. */
static int push_line (lua_State *L, int arg, RtDevice *dev, RtStream *s) {
  int x = composed_operand(L, arg, composed_beside(L, 3 - arg), dev, s);
  DType t = array_check(L, x)->dtype;
  if (dtype_kind(t) == KIND_COMPLEX)
    argerror_raise(L, arg, "real numbers expected, got %s", dtype_name(t));
  return composed_unary(L, "ravel", x);
}

/* Pushes which elements of x, sorted or distinct, belong to the result. */
static int push_members (lua_State *L, const Sets *k, int x, int y,
                         bool repeats) {
  lua_pushvalue(L, y);
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, k->invert);
  lua_setfield(L, -2, "invert");
  int members = composed_call(L, "isin", x, 2);
  int64_t n = (int64_t)array_check(L, x)->size;
  if (!repeats || n < 2)
    return members;
  int changes = unique_push_changes(L, x, n, true);
  lua_pushinteger(L, 2);
  lua_pushinteger(L, n);
  composed_binary(L, "band_", composed_call(L, "slice", members, 2), changes);
  return members;
}

/* Pushes the elements of x that belong to the result. Waits for their number,
** unless that is known; then it is. */
static int push_chosen (lua_State *L, Sets *k, int x, int members) {
  int64_t n;
  Array *a = array_check(L, x);
  Chosen of = {.x = operand_push_dense(L, x, a->dtype),
               .mask = array_check(L, members)};
  lua_pushvalue(L, members);
  of.counts = mask_push_ends(L, k->s, of.mask);
  mask_push_selected(L, k->s, &of, 1, &n, &k->room, k->what);
  return lua_gettop(L);
}

/* Pushes x in order. */
static int push_sorted (lua_State *L, int x) {
  return composed_unary(L, "sort", x);
}

/* Pushes the places, from 1, of the elements of x that are among those of y, in
** their order; of equal ones, the first. */
static int push_places (lua_State *L, Sets *k, int x, int y) {
  int order = composed_unary(L, "argsort", x);
  int members = push_members(L, k, composed_take(L, x, order), y, true);
  return push_chosen(L, k, order, members);
}

/* ==} */

/* {== arguments ======================================================= */

static void read_sets (lua_State *L, Sets *k, const char *const names[]) {
  lua_settop(L, OPTIONS);
  state_rt(L);
  option_check(L, OPTIONS, names);
  RtDevice *dev = composed_device(L);
  k->s = current_get_stream(L, dev);
  k->x = push_line(L, 1, dev, k->s);
  k->y = push_line(L, 2, dev, k->s);
  const Array *a = array_check(L, k->x), *b = array_check(L, k->y);
  array_check_devices(L, a, b);
  k->t = dtype_promote(a->dtype, b->dtype);
}

/* Reads the options of a result of dtype t. Raises unless its number of
** elements is given or can be waited for. */
static void read_room (lua_State *L, Sets *k, DType t) {
  const Array *a = array_check(L, k->x);
  if (lua_istable(L, OPTIONS))
    k->distinct = option_flag(L, OPTIONS, "assume_unique", false);
  mask_read_room(L, OPTIONS, t, 0, &k->room);
  if (k->room.given)
    return;
  mask_check_count(L, k->s, a, k->what);
  blocking_check(L, a->dev, k->what);
}

/* Leaves the results, which are on the top, above the arguments. */
static int give (lua_State *L, int results) {
  lua_rotate(L, OPTIONS + 1, results);
  array_drop(L, OPTIONS + results);
  return results;
}

/* ==} */

/*
** union1d(a, b [, { size=, fill= }]) -> the elements that are in one of both,
** once each, in order.
*/
static int array_union1d (lua_State *L) {
  static const char *const names[] = {"fill", "size", NULL};
  Sets k = {.what = "union1d"};
  read_sets(L, &k, names);
  read_room(L, &k, k.t);
  int all = composed_binary(L, "append", composed_astype(L, k.x, k.t),
                            composed_astype(L, k.y, k.t));
  lua_createtable(L, 0, 2);
  if (k.room.given) {
    lua_pushinteger(L, k.room.size);
    lua_setfield(L, -2, "size");
    lua_pushvalue(L, k.room.fill);
    lua_setfield(L, -2, "fill");
  }
  composed_call(L, "unique", all, 1);
  return give(L, 1);
}

/*
** intersect1d(a, b [, { assume_unique=, return_indices=, size=, fill= }]) ->
** the elements that are in both, once each, in order; and the first place of
** each in both.
*/
static int array_intersect1d (lua_State *L) {
  static const char *const names[] = {"assume_unique", "fill", "return_indices",
                                      "size", NULL};
  Sets k = {.what = "intersect1d"};
  read_sets(L, &k, names);
  bool places = lua_istable(L, OPTIONS) &&
                option_flag(L, OPTIONS, "return_indices", false);
  read_room(L, &k, k.t);
  k.x = composed_astype(L, k.x, k.t);
  k.y = composed_astype(L, k.y, k.t);
  int x = push_sorted(L, k.x);
  int z = push_chosen(L, &k, x, push_members(L, &k, x, k.y, !k.distinct));
  if (!places) {
    lua_pushvalue(L, z);
    return give(L, 1);
  }
  lua_pushinteger(L, 0);
  k.room = (Room){true, array_check(L, z)->shape[0], lua_gettop(L)};
  int in_x = push_places(L, &k, k.x, k.y), in_y = push_places(L, &k, k.y, k.x);
  lua_pushvalue(L, z);
  lua_pushvalue(L, in_x);
  lua_pushvalue(L, in_y);
  return give(L, 3);
}

/*
** setdiff1d(a, b [, { assume_unique=, size=, fill= }]) -> the elements of 'a'
** that are not in b: once each, in order; or, of distinct ones, as they come.
*/
static int array_setdiff1d (lua_State *L) {
  static const char *const names[] = {"assume_unique", "fill", "size", NULL};
  Sets k = {.what = "setdiff1d", .invert = true};
  read_sets(L, &k, names);
  read_room(L, &k, array_check(L, k.x)->dtype);
  int x = k.distinct ? k.x : push_sorted(L, k.x);
  push_chosen(L, &k, x, push_members(L, &k, x, k.y, !k.distinct));
  return give(L, 1);
}

static const Function functions[] = {
  {"intersect1d", array_intersect1d, 3},
  {"setdiff1d", array_setdiff1d, 3},
  {"union1d", array_union1d, 3},
  {NULL, NULL, 0},
};

void open_sets (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
