/*
** unravel.c - unravel_index: places in a flattened array to indices of its
** axes; ravel_multi_index: the inverse.
*/
#include "unravel.h"

#include "array/array.h"
#include "array/launch.h"
#include "array/layout.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* {== unravel_index =================================================== */

/* Queues z = the indices along an axis whose elements are 'inner' apart. */
static void unravel (lua_State *L, RtStream *s, Array *z, const Indices *x,
                     const Unravel *u, size_t n, size_t inner) {
  Op op;
  if (z->size == 0)
    return;
  Check *check = indices_push_check(L, s, x);
  int64_t *bad = index_error_word(check);
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x->array), pz = launch_writes(&op, z);
  void *params[] = {&pz,
                    &px,
                    (void *)&u->size,
                    &inner,
                    &n,
                    (void *)&u->base,
                    (void *)&u->fill,
                    &z->size,
                    &bad};
  KernelId id = kernel_named("unravel_i64");
  launch_checked(L, s, &op, id, kernel_elementwise_grid(id, z->size), params,
                 index_error_idx(L, check));
  if (check != NULL)
    lua_pop(L, 1);
}

void unravel_push (lua_State *L, RtStream *s, const Indices *x,
                   const Unravel *u) {
  Indices rest = *x;
  size_t inner = u->size;
  luaL_checkstack(L, u->ndim + 8, NULL);
  for (int i = 0; i < u->ndim; i++) {
    size_t n = (size_t)u->shape[i];
    inner = (n > 0) ? inner / n : 0;
    Array *z = array_new(L, x->array->dev, DTYPE_INT64, x->array->ndim,
                         x->array->shape, s);
    rest.seen = x->seen || i < u->ndim - 1; /* the last axis reports errors */
    unravel(L, s, z, &rest, u, n, inner);
  }
}

/* Reads the shape at 'arg'. Returns its number of elements. */
static size_t check_shape (lua_State *L, int arg, int *ndim,
                           int64_t shape[MAX_DIMS]) {
  int64_t strides[MAX_DIMS];
  size_t size;
  *ndim = array_check_shape(L, arg, shape);
  array_measure(*ndim, shape, strides, &size);
  argerror_check(L, *ndim > 0, arg, "a 0-d array has no axes");
  return size;
}

/* Returns the stream of the array at 'idx', or the current one. */
static RtStream *stream_of (lua_State *L, int idx) {
  const Array *a = array_test(L, idx);
  return current_get_stream(L, a != NULL ? a->dev : current_get_device(L));
}

/*
** unravel_index(indices, shape [, { base= }]) -> for each axis of an array of
** that shape the indices of the elements at those places of the flattened
** array.
*/
static int core_unravel_index (lua_State *L) {
  static const char *const names[] = {"base", NULL};
  int64_t shape[MAX_DIMS];
  Indices x = {.what = "unravel_index"};
  Unravel u = {.shape = shape};
  lua_settop(L, 3);
  option_check(L, 3, names);
  u.size = check_shape(L, 2, &u.ndim, shape);
  x.base = indices_read_base(L, 3);
  u.base = (int64_t)x.base;
  RtStream *s = stream_of(L, 1);
  indices_push(L, 1, NULL, s, u.size, &x);
  int top = lua_gettop(L);
  if (u.size == 0 && x.array->size > 0)
    error_raise(L, "%s: an array of that shape has no elements", x.what);
  unravel_push(L, s, &x, &u);
  for (int i = 4; i <= top; i++)
    if (array_test(L, i) != array_test(L, 1))
      array_release(array_check_any(L, i));
  return u.ndim;
}

/* ==} */

/* {== ravel_multi_index =============================================== */

/* A call: a list with indices for each axis, and the shape. */
typedef struct Ravel {
  int ndim, first; /* stack index of the first one */
  int64_t shape[MAX_DIMS];
  size_t size, base;
  Indices x[MAX_DIMS];
} Ravel;

/* Pushes the indices of the list at 1; errors name that. */
static void push_list (lua_State *L, RtStream *s, Ravel *r) {
  const Array *a = NULL;
  State *st = state_get(L);
  luaL_checkstack(L, 3 * r->ndim + 8, NULL);
  r->first = lua_gettop(L) + 1;
  for (int i = 0; i < r->ndim; i++) {
    Indices *x = &r->x[i];
    *x = (Indices){.what = "ravel_multi_index"};
    indices_read_options(L, 3, x);
    lua_rawgeti(L, 1, i + 1);
    argerror_call(st, "ravel_multi_index", 1);
    indices_push(L, r->first + i, a, s, (size_t)r->shape[i], x);
    argerror_call(st, NULL, -1);
    lua_replace(L, r->first + i);
    lua_settop(L, r->first + i);
    if (r->shape[i] == 0 && x->array->size > 0)
      error_raise(L, "%s: axis %d has no elements", x->what, i + 1);
    a = x->array;
  }
}

/* Pushes an array of the common shape of all indices. */
static Array *push_common (lua_State *L, RtStream *s, const Ravel *r) {
  int64_t shape[MAX_DIMS];
  Array *z = r->x[0].array;
  for (int i = 0; i < r->ndim; i++) {
    int ndim = layout_broadcast(L, z, r->x[i].array, shape);
    z = array_push(L, &array_class, z->dev, DTYPE_INT64, ndim, shape);
  }
  return array_new(L, z->dev, DTYPE_INT64, z->ndim, z->shape, s);
}

/* Adds the indices of axis i to the places in z. */
static void add_axis (lua_State *L, RtStream *s, Array *z, Ravel *r, int i,
                      size_t inner) {
  Op op;
  Indices *x = &r->x[i];
  int top = lua_gettop(L);
  size_t axis = (size_t)i, end = (i == r->ndim - 1);
  Array *index = x->array;
  if (!array_same_shape(index, z)) {
    shape_push_broadcast(L, r->first + i, index, z->ndim, z->shape);
    index = array_push_dense(L, -1);
  }
  Check *check = end ? indices_check_axes(L, s, x, r->ndim, r->shape) : NULL;
  int64_t *bad = index_error_word(check);
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pi = launch_reads(&op, index), pz = launch_writes(&op, z);
  void *params[] = {&pz,      &pi,   &x->n, &inner,   &z->size,
                    &x->mode, &axis, &end,  &r->base, &bad};
  KernelId id = kernel_named("ravel_i64");
  launch_checked(L, s, &op, id, kernel_elementwise_grid(id, z->size), params,
                 index_error_idx(L, check));
  array_drop(L, top);
}

/* Closes the arrays that were made for the list, but not its own. */
static void close_list (lua_State *L, const Ravel *r) {
  for (int i = 0; i < r->ndim; i++) {
    lua_rawgeti(L, 1, i + 1);
    if (array_test(L, -1) != r->x[i].array)
      array_release(r->x[i].array);
    lua_pop(L, 1);
  }
}

/*
** ravel_multi_index(list, shape [, { base=, mode= }]) -> the places in the
** flattened array of that shape, for the indices of its axes in the list.
*/
static int core_ravel_multi_index (lua_State *L) {
  static const char *const names[] = {"base", "mode", NULL};
  Ravel r;
  lua_settop(L, 3);
  option_check(L, 3, names);
  type_check(L, 1, LUA_TTABLE);
  r.size = check_shape(L, 2, &r.ndim, r.shape);
  list_check(L, 1, lua_rawlen(L, 1), "a list of indices for each axis");
  argerror_check(L, lua_rawlen(L, 1) == (lua_Unsigned)r.ndim, 1,
                 "one for each axis of the shape expected");
  r.base = indices_read_base(L, 3);
  lua_rawgeti(L, 1, 1);
  RtStream *s = stream_of(L, 4);
  lua_settop(L, 3);
  push_list(L, s, &r);
  Array *z = push_common(L, s, &r);
  size_t inner = r.size;
  for (int i = 0; i < r.ndim; i++) {
    r.x[r.ndim - 1].seen = r.x[r.ndim - 1].seen && r.x[i].seen;
    inner = (r.shape[i] > 0) ? inner / (size_t)r.shape[i] : 0;
    if (z->size > 0)
      add_axis(L, s, z, &r, i, inner);
  }
  close_list(L, &r);
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"ravel_multi_index", core_ravel_multi_index, 3},
  {"unravel_index", core_unravel_index, 3},
  {NULL, NULL, 0},
};

void open_unravel (lua_State *L) { class_set_funcs(L, functions); }
