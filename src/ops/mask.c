/*
** mask.c - selects elements by their places: take, mask. See
** kernels/select.cu.
*/
#include "mask.h"

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/driver/context.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* {== take ============================================================ */

static const char *const take_options[] = {"axis", "base", "mode", "out", NULL};

int mask_shape (lua_State *L, const Array *a, const Array *index, int axis,
                int64_t shape[MAX_DIMS]) {
  int n = 0, rest = (axis < 0) ? 0 : a->ndim - 1;
  if (rest + index->ndim > MAX_DIMS)
    error_raise(L, "the result would have more than %d dimensions", MAX_DIMS);
  for (int i = 0; i < axis; i++)
    shape[n++] = a->shape[i];
  for (int i = 0; i < index->ndim; i++)
    shape[n++] = index->shape[i];
  for (int i = axis + 1; axis >= 0 && i < a->ndim; i++)
    shape[n++] = a->shape[i];
  return n;
}

DType mask_pack_dtype (DType t, size_t inner, CUdeviceptr pz, CUdeviceptr px) {
  static const DType packs[] = {DTYPE_COMPLEX128, DTYPE_INT64, DTYPE_INT32};
  size_t own = dtype_size(t), all = inner * own | (size_t)pz | (size_t)px;
  for (size_t i = 0; i < sizeof packs / sizeof packs[0] && inner > 1; i++) {
    size_t wide = dtype_size(packs[i]);
    if (wide > own && (all & (wide - 1)) == 0)
      return packs[i];
  }
  return t;
}

/* Takes by a kernel that moves elements of type t; 'at' are the lines of z. */
static void launch_take (lua_State *L, RtStream *s, Array *z, const Array *x,
                         const Indices *k, Lines at, WidthOp kernel, DType t) {
  Op op;
  Check *check = indices_push_check(L, s, k);
  size_t how = (k->mode == PLACE_WRAP ? TAKE_WRAPS : 0) |
               (k->base == 0 ? TAKE_FROM_0 : 0);
  int64_t *bad = index_error_word(check);
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pi = launch_reads(&op, k->array),
              pz = launch_writes(&op, z);
  size_t unit = dtype_size(t) / dtype_size((DType)z->dtype),
         inner = at.inner / unit, count = z->size / unit;
  void *params[] = {&pz,    &px,    &pi,  (void *)&k->n, &at.n,
                    &inner, &count, &how, &bad};
  KernelId id = kernel_by_width(kernel, t);
  launch_checked(L, s, &op, id, kernel_elementwise_grid(id, count), params,
                 index_error_idx(L, check));
}

/* z = x at the indices, which are the same for each line. */
static void take (lua_State *L, RtStream *s, Array *z, const Array *x,
                  const Indices *k, Lines at) {
  DType t = mask_pack_dtype((DType)z->dtype, at.inner, array_pointer(z),
                            array_pointer(x));
  launch_take(L, s, z, x, k, at, BYWIDTH_take, t);
}

void mask_along (lua_State *L, RtStream *s, Array *z, const Array *x,
                 const Indices *k, Lines at) {
  launch_take(L, s, z, x, k, at, BYWIDTH_take_along, (DType)z->dtype);
}

/*
** take(a, indices [, axis] [, { axis=, base=, mode=, out= }]) -> the elements,
** or the slices across an axis, at the indices, which count from 1. Without an
** axis, of the flattened array.
*/
static int array_take (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Target to;
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int axis, options = operand_opt_axis(L, 3, a->ndim, take_options, &axis);
  Lines at = {1, a->size, 1};
  if (axis >= 0)
    at = operand_lines(a, axis);
  Indices k = {.what = "take"};
  indices_read_options(L, options, &k);
  RtStream *s = current_get_stream(L, a->dev);
  k.plain = context_is_host(a->dev);
  indices_push(L, 2, a, s, at.n, &k);
  Like like = {.of = a, .shape = shape};
  like.ndim = mask_shape(L, a, k.array, axis, shape);
  Array *x = operand_push_dense(L, 1, a->dtype);
  operand_push_out(L, &to, options, &like, a->dtype, s, x, k.array);
  if (to.z->size == 0)
    return operand_return(L, &to, s);
  if (at.n == 0)
    return error_raise(L, "cannot take from an axis without elements");
  at.n = k.array->size;
  take(L, s, to.z, x, &k, at);
  return operand_return(L, &to, s);
}

/* ==} */

/* {== mask ============================================================ */

Array *mask_check (lua_State *L, const Array *a) {
  Array *m = array_check(L, 2);
  argerror_check(L, m->dtype == DTYPE_BOOL, 2,
                 "a mask must have dtype bool, has %s", dtype_name(m->dtype));
  array_check_devices(L, a, m);
  bool fits = m->ndim <= a->ndim;
  for (int i = 0; fits && i < m->ndim; i++)
    fits = (m->shape[i] == a->shape[i] || m->shape[i] == 0);
  if (!fits) {
    array_push_shape(L, m);
    array_push_shape(L, a);
    argerror_raise(L, 2, "a mask of shape %s does not fit an array of shape %s",
                   lua_tostring(L, -2), lua_tostring(L, -1));
  }
  return m;
}

Array *mask_push_running (lua_State *L, RtStream *s, const Array *m) {
  int64_t n = (int64_t)m->size;
  Array *ones = operand_push_dense(L, lua_gettop(L), DTYPE_INT64);
  Array *counts = array_new(L, m->dev, DTYPE_INT64, 1, &n, s);
  if (n > 0)
    operand_scan(L, s, SCAN_cumsum, (Lines){1, m->size, 1}, counts, ones);
  if (array_test(L, -2) != m)
    array_release(ones);
  lua_remove(L, -2);
  return counts;
}

unsigned mask_tiles (const Array *m) { return kernel_compact_grid(m->size); }

/* Pushes the number of true elements in each tile. */
static Array *push_counts (lua_State *L, RtStream *s, const Array *m,
                           int64_t tiles) {
  Op op;
  Array *counts = array_new(L, m->dev, DTYPE_INT64, 1, &tiles, s);
  if (tiles == 0)
    return counts;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pm = launch_reads(&op, m), pz = launch_writes(&op, counts);
  void *params[] = {&pz, &pm, (void *)&m->size};
  launch_kernel(L, s, &op, kernel_named("true_counts"), (unsigned)tiles,
                params);
  return counts;
}

Array *mask_push_ends (lua_State *L, RtStream *s, const Array *m) {
  int64_t tiles = m->size > 0 ? mask_tiles(m) : 0;
  int top = lua_gettop(L);
  Array *counts = push_counts(L, s, m, tiles), *ends = counts;
  if (tiles > 1) { /* else the count is the running count */
    ends = array_new(L, m->dev, DTYPE_INT64, 1, &tiles, s);
    operand_scan(L, s, SCAN_cumsum, (Lines){1, (size_t)tiles, 1}, ends, counts);
    array_release(counts);
    lua_remove(L, -2);
  }
  lua_remove(L, top);
  return ends;
}

void mask_check_count (lua_State *L, RtStream *s, const Array *a,
                       const char *what) {
  blocking_check_capture(L, s, what,
                         "how many elements there are; { size = n } says it");
  array_check_readable(L, s, a, what);
}

/* Returns the total number of true elements; waits. */
static int64_t fetch_count (lua_State *L, Array *counts, const char *what) {
  int64_t n = 1;
  if (counts->size == 0)
    return 0;
  Array *last = array_push_view(L, counts, 1, &n, NULL,
                                counts->off +
                                  (counts->size - 1) * sizeof(int64_t));
  mask_check_count(L, current_get_stream(L, last->dev), last, what);
  Array *h = array_fetch(L, last, what);
  n = *(const int64_t *)(uintptr_t)array_pointer(h);
  array_release(h);
  array_drop(L, lua_gettop(L) - 2);
  return n;
}

void mask_read_room (lua_State *L, int options, DType t, lua_Integer fill,
                     Room *r) {
  r->given = !lua_isnil(L, options) &&
             option_get(L, options, "size") != LUA_TNIL;
  if (!r->given) {
    r->fill = 0;
    return;
  }
  int isint;
  r->size = lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER || r->size < 0)
    argerror_raise(L, options, "option 'size' must be an integer, 0 or more");
  if (option_get(L, options, "fill") == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushinteger(L, fill);
  }
  Element e;
  const char *bad = dtype_read_element(L, -1, t, &e);
  if (bad != NULL)
    argerror_raise(L, options, "option 'fill': %s", bad);
  r->fill = lua_gettop(L);
}

/* Tells whether the mask selects single elements, or their places. */
static bool is_each (const Chosen *of) {
  return of->x == NULL || of->x->size == of->mask->size;
}

/* Selects rows of several elements. */
static void launch_rows (lua_State *L, RtStream *s, Array *z, const Chosen *of,
                         size_t room) {
  Op op;
  size_t inner = of->x->size / of->mask->size;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, of->x), pp = launch_reads(&op, of->counts),
              pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &pp, &inner, &room, &of->x->size};
  KernelId id = kernel_by_width(BYWIDTH_mask, (DType)of->x->dtype);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, of->x->size),
                params);
}

/* Selects single elements, or their places. */
static void launch_each (lua_State *L, RtStream *s, Array *z, const Chosen *of,
                         int64_t room) {
  Op op;
  bool moves = of->x != NULL;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = moves ? launch_reads(&op, of->x) : 0,
              pc = launch_reads(&op, of->mask),
              pp = launch_reads(&op, of->counts), pz = launch_writes(&op, z);
  void *pick[] = {&pz, &px, &pc, &pp, &room, &of->mask->size};
  void *number[] = {&pz, &pc, &pp, &room, &of->mask->size};
  KernelId id = moves ? kernel_by_width(BYWIDTH_pick, (DType)z->dtype)
                      : kernel_named("true_places");
  launch_kernel(L, s, &op, id, mask_tiles(of->mask), moves ? pick : number);
}

Array *mask_push_selected (lua_State *L, RtStream *s, const Chosen *of,
                           int ndim, int64_t *shape, const Room *r,
                           const char *what) {
  DType t = (of->x != NULL) ? (DType)of->x->dtype : DTYPE_INT64;
  shape[0] = r->given ? r->size : fetch_count(L, of->counts, what);
  Array *z = array_new(L, of->mask->dev, t, ndim, shape, s);
  if (r->given)
    array_fill_with(L, s, z, r->fill);
  if (z->size == 0 || of->mask->size == 0)
    return z;
  if (is_each(of))
    launch_each(L, s, z, of, shape[0]);
  else
    launch_rows(L, s, z, of, (size_t)shape[0]);
  return z;
}

/*
** mask(a, m [, { size=, fill=, out= }]) -> the elements for which the bool
** array m, of the shape of 'a', is true; if m has fewer axes, the slices of
** 'a'. Waits for their number, unless that is given; m is read once.
*/
static int array_mask (lua_State *L) {
  static const char *const names[] = {"size", "fill", "out", NULL};
  int64_t shape[MAX_DIMS + 1];
  Room room;
  lua_settop(L, 3);
  Array *a = array_check(L, 1), *m = mask_check(L, a);
  int ndim = 1;
  for (int i = m->ndim; i < a->ndim; i++)
    shape[ndim++] = a->shape[i];
  option_check(L, 3, names);
  mask_read_room(L, 3, (DType)a->dtype, 0, &room);
  argerror_check(L, ndim <= MAX_DIMS, 1,
                 "the result would have more than 32 axes");
  RtStream *s = current_get_stream(L, a->dev);
  Array *x = operand_push_dense(L, 1, a->dtype);
  Chosen of = {.x = x, .mask = operand_push_dense(L, 2, DTYPE_BOOL)};
  lua_pushvalue(L, -1);
  of.counts = is_each(&of) ? mask_push_ends(L, s, of.mask)
                           : mask_push_running(L, s, of.mask);
  mask_push_selected(L, s, &of, ndim, shape, &room, "array:mask");
  return result_deliver_out(L, 3, s);
}

/* ==} */

static const Function functions[] = {
  {"mask", array_mask, 3},
  {"take", array_take, 4},
  {NULL, NULL, 0},
};

void open_mask (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
