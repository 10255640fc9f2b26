/*
** pad.c - pad: an array with elements before and after along its axes. It
** copies the array to the middle of the result, and then, for each axis,
** extends the part that is there by then. Each element is written once.
*/
#include <string.h>

#include "array/array.h"
#include "array/copy.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

typedef enum PadMode { CONSTANT, EDGE, REFLECT, SYMMETRIC, WRAP } PadMode;

/* The borders around an array with 'n' elements along each axis. */
typedef struct Frame {
  int ndim;
  int64_t n[MAX_DIMS], before[MAX_DIMS], after[MAX_DIMS];
  PadMode mode;
  int value; /* index of the number */
} Frame;

/* {== arguments ======================================================= */

/* Returns the width on the top (popped). */
static int64_t pop_width (lua_State *L) {
  int isint, number = (lua_type(L, -1) == LUA_TNUMBER);
  lua_Integer n = lua_tointegerx(L, -1, &isint);
  if (!isint || !number || n < 0 || n > (int64_t)1 << 46)
    argerror_raise(L, 2, "a width must be an integer from 0 to 2^46, got %s",
                   number ? type_push_number(L, -1) : luaL_typename(L, -1));
  lua_pop(L, 1);
  return n;
}

/* Reads the pair { before, after } at 'idx', for axis i. */
static void read_pair (lua_State *L, int idx, Frame *f, int i) {
  if (!lua_istable(L, idx) || lua_rawlen(L, idx) != 2)
    argerror_raise(L, 2, "pairs { before, after } expected");
  list_check_in(L, 2, idx, 2,
                "a pair { before, after }; options are a table of their own");
  lua_rawgeti(L, idx, 1);
  f->before[i] = pop_width(L);
  lua_rawgeti(L, idx, 2);
  f->after[i] = pop_width(L);
}

/* Reads the list at 2: a pair for each axis, or one for all. */
static void read_pairs (lua_State *L, Frame *f) {
  lua_Unsigned n = lua_rawlen(L, 2);
  if (n != (lua_Unsigned)f->ndim && n != 1)
    argerror_raise(L, 2,
                   "one pair of widths expected, or %d, one for each axis; got "
                   "%I",
                   f->ndim, (LUAI_UACINT)n);
  list_check(L, 2, n,
             "a list of pairs { before, after }; options are a table of their "
             "own");
  for (int i = 0; i < f->ndim; i++) {
    lua_rawgeti(L, 2, n == 1 ? 1 : i + 1);
    read_pair(L, lua_gettop(L), f, i);
    lua_pop(L, 1);
  }
}

/* Reads the widths at 2: a number for all, a pair for all, or a pair for
** each. */
static void read_widths (lua_State *L, Frame *f) {
  bool pairs = lua_istable(L, 2) && lua_rawgeti(L, 2, 1) == LUA_TTABLE;
  lua_settop(L, 3);
  if (pairs) {
    read_pairs(L, f);
    return;
  }
  for (int i = 0; i < f->ndim; i++) {
    if (lua_istable(L, 2)) {
      read_pair(L, 2, f, i);
    } else {
      lua_pushvalue(L, 2);
      f->before[i] = f->after[i] = pop_width(L);
    }
  }
}

static PadMode read_mode (lua_State *L) {
  static const char *const modes[] = {"constant",  "edge", "reflect",
                                      "symmetric", "wrap", NULL};
  return (PadMode)option_word(L, 3, "mode", CONSTANT, modes);
}

/* Pushes option 'value', by default 0, to index 4. */
static void push_value (lua_State *L, Frame *f, DType t) {
  Element e = {0};
  f->value = 4;
  if (lua_isnil(L, 3) || option_get(L, 3, "value") == LUA_TNIL) {
    lua_settop(L, 3);
    if (t == DTYPE_BOOL)
      lua_pushboolean(L, 0);
    else
      lua_pushinteger(L, 0);
    return;
  }
  argerror_check(L, f->mode == CONSTANT, 3,
                 "option 'value' is for mode 'constant'");
  const char *bad = dtype_is_scalar(L, 4)
                      ? dtype_read_element(L, 4, t, &e)
                      : lua_pushfstring(L, "number or boolean expected, got %s",
                                        luaL_typename(L, 4));
  if (bad != NULL)
    argerror_raise(L, 3, "option 'value': %s", bad);
}

/* Finds the shape of the result. */
static void frame_shape (lua_State *L, const Frame *f, int64_t *shape) {
  for (int i = 0; i < f->ndim; i++) {
    shape[i] = f->n[i] + f->before[i] + f->after[i];
    if (f->mode != CONSTANT && f->n[i] == 0 && shape[i] > 0)
      argerror_raise(L, 2,
                     "axis %d has no elements: only mode 'constant' can extend "
                     "it",
                     i + 1);
  }
}

/* ==} */

/* {== elements ======================================================== */

/*
** Pushes the view of 'n' elements of z along an axis; the first one is number
** 'at' of the array's own. They are reversed if 'by' is -1, and the first is
** repeated n times if it is 0. The view has all of z along earlier axes, and
** only the array's part along later ones.
*/
static Array *push_part (lua_State *L, Array *z, const Frame *f, int axis,
                         int64_t at, int64_t n, int by) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  memcpy(strides, array_stride(z), (size_t)z->ndim * sizeof *strides);
  int64_t off = (f->before[axis] + at) * strides[axis];
  for (int i = 0; i < z->ndim; i++) {
    shape[i] = (i < axis) ? z->shape[i] : (i > axis) ? f->n[i] : n;
    off += (i > axis) ? f->before[i] * strides[i] : 0;
  }
  strides[axis] *= by;
  return array_push_view(L, z, z->ndim, shape, strides,
                         z->off +
                           (size_t)(off * (int64_t)dtype_size(z->dtype)));
}

/* Copies n elements along an axis; source and target do not overlap. */
static void copy_part (lua_State *L, RtStream *s, Array *z, const Frame *f,
                       int axis, int64_t to, int64_t from, int64_t n, int by) {
  if (n == 0)
    return;
  Array *y = push_part(L, z, f, axis, to, n, 1);
  Array *x = push_part(L, z, f, axis, from, n, by);
  if (y->size > 0)
    copy_strided(L, s, y, x, NULL);
  array_drop(L, lua_gettop(L) - 2);
}

/* Writes the number to n elements along an axis. */
static void fill_part (lua_State *L, RtStream *s, Array *z, const Frame *f,
                       int axis, int64_t at, int64_t n) {
  if (n == 0)
    return;
  array_fill_with(L, s, push_part(L, z, f, axis, at, n, 1), f->value);
  array_drop(L, lua_gettop(L) - 1);
}

/*
** Repeats the elements along an axis with the given period. 'before' and
** 'after' of the result are written already. Each step doubles the length.
*/
static void repeat (lua_State *L, RtStream *s, Array *z, const Frame *f,
                    int axis, int64_t period, int64_t before, int64_t after) {
  int64_t n = f->n[axis];
  while (before < f->before[axis]) {
    int64_t by = (n + before) / period * period;
    int64_t left = f->before[axis] - before;
    int64_t some = (left < by) ? left : by;
    before += some;
    copy_part(L, s, z, f, axis, -before, by - before, some, 1);
  }
  while (after < f->after[axis]) {
    int64_t by = (n + after) / period * period;
    int64_t left = f->after[axis] - after;
    int64_t some = (left < by) ? left : by;
    copy_part(L, s, z, f, axis, n + after, n + after - by, some, 1);
    after += some;
  }
}

/* Reflects the elements again and again. 'first' is 1 if the ends are not
** repeated, else 0. */
static void mirror (lua_State *L, RtStream *s, Array *z, const Frame *f,
                    int axis, int first) {
  int64_t n = f->n[axis], most = n - first;
  int64_t before = f->before[axis] < most ? f->before[axis] : most;
  int64_t after = f->after[axis] < most ? f->after[axis] : most;
  copy_part(L, s, z, f, axis, -before, before - 1 + first, before, -1);
  copy_part(L, s, z, f, axis, n, n - 1 - first, after, -1);
  repeat(L, s, z, f, axis, 2 * most, before, after);
}

/* Writes the elements before and after along one axis. */
static void extend (lua_State *L, RtStream *s, Array *z, const Frame *f,
                    int axis) {
  int64_t n = f->n[axis];
  if (f->mode == CONSTANT) {
    fill_part(L, s, z, f, axis, -f->before[axis], f->before[axis]);
    fill_part(L, s, z, f, axis, n, f->after[axis]);
  } else if (f->mode == EDGE || n == 1) {
    copy_part(L, s, z, f, axis, -f->before[axis], 0, f->before[axis], 0);
    copy_part(L, s, z, f, axis, n, n - 1, f->after[axis], 0);
  } else if (f->mode == WRAP) {
    repeat(L, s, z, f, axis, n, 0, 0);
  } else {
    mirror(L, s, z, f, axis, f->mode == REFLECT);
  }
}

/* ==} */

/* Pushes the view of z for the array itself. */
static Array *push_middle (lua_State *L, Array *z, const Frame *f) {
  int64_t off = 0;
  for (int i = 0; i < z->ndim; i++)
    off += f->before[i] * array_stride(z)[i];
  return array_push_view(L, z, z->ndim, f->n, array_stride(z),
                         z->off +
                           (size_t)(off * (int64_t)dtype_size(z->dtype)));
}

/*
** pad(a, width [, { mode=, value=, out= }]) -> 'a' with elements before and
** after along its axes: the same number everywhere, a pair { before, after } of
** numbers, or a pair for each axis.
*/
static int array_pad (lua_State *L) {
  static const char *const names[] = {"mode", "out", "value", NULL};
  int64_t shape[MAX_DIMS];
  Frame f;
  Target to;
  Array *a = array_check(L, 1);
  if (!lua_istable(L, 2) && lua_type(L, 2) != LUA_TNUMBER)
    type_error(L, 2, "integer or table");
  lua_settop(L, 3);
  f.ndim = a->ndim;
  memcpy(f.n, a->shape, (size_t)a->ndim * sizeof *f.n);
  option_check(L, 3, names);
  read_widths(L, &f);
  f.mode = read_mode(L);
  push_value(L, &f, a->dtype);
  frame_shape(L, &f, shape);
  RtStream *s = current_get_stream(L, a->dev);
  Like like = {.of = a, .ndim = a->ndim, .shape = shape};
  operand_push_out(L, &to, 3, &like, a->dtype, s, a, NULL);
  Array *middle = push_middle(L, to.z, &f);
  array_copyto(L, s, middle, a);
  for (int axis = 0; axis < f.ndim && to.z->size > 0; axis++)
    extend(L, s, to.z, &f, axis);
  return operand_return(L, &to, s);
}

static const Function functions[] = {
  {"pad", array_pad, 3},
  {NULL, NULL, 0},
};

void open_pad (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
