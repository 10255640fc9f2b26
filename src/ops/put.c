/*
** put.c - writes elements by their places: put, which implements a[index] = v
** and a[mask] = v. See put and put_mask of kernels/select.cu.
**
** The last one of equal indices wins. A kernel's threads run in no order, so if
** it matters, each first leaves its number at its place, where the highest
** stays (put_last of kernels/places.cu). If indices are not few, all places
** then look for their number in order, and only the values that they get are
** read in any order.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "indices.h"
#include "mask.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"

#include "kernels/types.h"
#include "rt/queue/op_types.h"

/* {== by indices ====================================================== */

/* Tells whether it matters which of equal indices is the last. Not if all write
** the same value. */
static bool is_ordered (const Indices *x, Lines at, const Values *v) {
  return v->array != NULL && x->array->size > 1 &&
         (v->n > at.inner || at.inner % v->n != 0);
}

/* Overridable: the most places for an index at which all places are looked
** through. */
#if !defined(PUT_GATHER)
#define PUT_GATHER 4
#endif

static bool gathers (const Indices *x, Lines at) {
  return at.n / PUT_GATHER <= x->array->size;
}

/* Overridable: words that an H200's second-level cache of 50 MB keeps beside
** the data that passes through it. */
#if !defined(PUT_PART)
#define PUT_PART ((size_t)8 << 20)
#endif

enum { PARTS_MOST = 4 }; /* all indices are read at most so many times */

/* A launch of put_last leaves numbers, or sets places of indices, or all, to
** 0. */
typedef enum LastStep { LEAVE_NUMBER, BEGIN, BEGIN_ALL } LastStep;

static void mark (lua_State *L, RtStream *s, Array *last, const Indices *x,
                  size_t n, LastStep what, size_t from, size_t to) {
  size_t begin = what, m = (what == BEGIN_ALL) ? last->size : x->array->size;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pi = launch_reads(&op, x->array), pl = launch_writes(&op, last);
  void *params[] = {&pl, &pi, &n, &m, (void *)&x->mode, &begin, &from, &to};
  KernelId id = kernel_named("put_last");
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, m), params);
}

/* Leaves the numbers of all indices, at the places of one part after the other,
** so that words which are written in any order are in the cache. */
static void leave_numbers (lua_State *L, RtStream *s, Array *last,
                           const Indices *x, size_t n) {
  size_t parts = (n > 0) ? (n - 1) / PUT_PART + 1 : 1;
  if (parts > PARTS_MOST || x->array->size < n / PUT_GATHER)
    parts = 1;
  size_t each = n / parts + 1;
  for (size_t from = 0; from <= n; from += each)
    mark(L, s, last, x, n, LEAVE_NUMBER, from, from + each);
}

/* Pushes 1 + the last index of each place, followed by that of the indices out
** of range. A place without an index holds 0 if places look there, else
** anything. */
static Array *push_last (lua_State *L, RtStream *s, const Indices *x, size_t n,
                         bool gather) {
  int64_t words = (int64_t)n + 1;
  if (x->array->size > UINT32_MAX)
    error_raise(L, "too many indices");
  Array *last = array_new(L, x->array->dev, DTYPE_UINT32, 1, &words, s);
  mark(L, s, last, x, n, gather ? BEGIN_ALL : BEGIN, 0, n + 1);
  leave_numbers(L, s, last, x, n);
  return last;
}

/* Returns the dtype in which rows are moved; a number is one element. Values
** move by the same size, and may be shorter than a row or longer: both lengths
** have to be multiples of it. */
static DType type_of_rows (const Array *z, Lines at, const Values *v) {
  if (v->array == NULL)
    return (DType)z->dtype;
  return mask_pack_dtype((DType)z->dtype, at.inner | v->n, array_pointer(z),
                         array_pointer(v->array));
}

/* Copies the indices if they overlap the memory where z is written. */
static void set_apart (lua_State *L, RtStream *s, const Array *z, Indices *x) {
  if (!layout_overlaps(z, x->array))
    return;
  Array *index = array_new(L, z->dev, DTYPE_INT64, x->array->ndim,
                           x->array->shape, s);
  array_copyto(L, s, index, x->array);
  x->array = index;
}

void indices_put (lua_State *L, RtStream *s, Array *a, Array *z, Indices *x,
                  Lines at, const Values *v) {
  Op op;
  int top = lua_gettop(L);
  size_t count = at.outer * x->array->size * at.inner;
  if (count == 0)
    return;
  set_apart(L, s, z, x);
  bool ordered = is_ordered(x, at, v);
  size_t gather = ordered && gathers(x, at);
  Array *last = ordered ? push_last(L, s, x, at.n, gather) : NULL;
  Check *check = indices_push_check(L, s, x);
  int64_t *bad = index_error_word(check);
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pi = launch_reads(&op, x->array),
              pl = (last != NULL) ? launch_reads(&op, last) : 0,
              pv = (v->array != NULL) ? launch_reads(&op, v->array) : 0,
              pz = launch_writes(&op, z);
  indices_plan_copy(&op, a, z);
  DType t = type_of_rows(z, at, v);
  size_t unit = dtype_size(t) / dtype_size((DType)z->dtype);
  size_t inner = at.inner / unit, vn = v->n / unit;
  count /= unit;
  void *params[] = {&pz,
                    &pi,
                    &pl,
                    &pv,
                    (void *)&v->number,
                    &at.n,
                    &x->array->size,
                    &inner,
                    &count,
                    &vn,
                    &x->mode,
                    &bad,
                    &gather};
  KernelId id = kernel_by_width(BYWIDTH_put, t);
  size_t all = gather ? at.outer * at.n * inner : count;
  launch_checked(L, s, &op, id, kernel_elementwise_grid(id, all), params,
                 index_error_idx(L, check));
  array_drop(L, top);
}

void indices_put_along (lua_State *L, RtStream *s, Array *a, Array *z,
                        Indices *x, Lines at, const Values *v) {
  Op op;
  int top = lua_gettop(L);
  set_apart(L, s, z, x);
  Check *check = indices_push_check(L, s, x);
  int64_t *bad = index_error_word(check);
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pi = launch_reads(&op, x->array),
              pv = (v->array != NULL) ? launch_reads(&op, v->array) : 0,
              pz = launch_writes(&op, z);
  indices_plan_copy(&op, a, z);
  void *params[] = {&pz,   &pi,       &pv,           (void *)&v->number, &x->n,
                    &at.n, &at.outer, (void *)&v->n, &x->mode,           &bad};
  KernelId id = kernel_by_width(BYWIDTH_put_along, (DType)z->dtype);
  unsigned grid = (unsigned)(at.outer < INT32_MAX ? at.outer : INT32_MAX);
  launch_checked(L, s, &op, id, grid, params, index_error_idx(L, check));
  array_drop(L, top);
}

/* Reads the values for the indices: along an axis, broadcast to the slices;
** otherwise elements, repeated if they are fewer. */
static void read_values (lua_State *L, Array *a, RtStream *s, int axis,
                         const Indices *x, Values *v) {
  int64_t shape[MAX_DIMS];
  if (axis >= 0) {
    int ndim = mask_shape(L, a, x->array, axis, shape);
    indices_read_values(L, 3, a, s, ndim, shape, false, v);
  } else if (dtype_is_scalar(L, 3)) {
    indices_read_number(L, 3, a, s, false, v);
  } else {
    indices_push_values(L, 3, a, s);
    v->array = array_push_dense(L, -1);
    v->n = v->array->size;
  }
  if (v->n == 0 && x->array->size > 0 && a->size > 0)
    argerror_raise(L, 3, "no values for the indices");
}

static void put (lua_State *L, RtStream *s, Array *a, int axis, int options) {
  Values v = {0};
  Indices x = {.what = "put"};
  Lines at = (axis >= 0) ? operand_lines(a, axis) : (Lines){1, a->size, 1};
  indices_read_options(L, options, &x);
  indices_push(L, 2, a, s, at.n, &x);
  read_values(L, a, s, axis, &x, &v);
  if (at.n == 0 && x.array->size > 0)
    error_raise(L, "cannot put into an axis without elements");
  if (a->size == 0 || x.array->size == 0)
    return;
  Array *z = indices_push_target(L, s, a);
  indices_put(L, s, a, z, &x, at, &v);
  indices_copy_back(L, s, a, z);
}

/* ==} */

/* {== by a mask ======================================================= */

/* See Explain: the word is one plus the number of true elements. */
static void explain_rows (lua_State *L, int64_t word) {
  lua_pushfstring(L, "%s %I true element%s", lua_tostring(L, -1),
                  (LUAI_UACINT)word - 1, word == 2 ? "" : "s");
  lua_remove(L, -2);
}

/* Pushes the check of the kernel that the number of rows fits the mask. */
static Check *push_rowcheck (lua_State *L, const RtStream *s, int64_t rows) {
  error_push_caller(L);
  lua_pushfstring(L, "%s: put: %I value%s for a mask with", lua_tostring(L, -1),
                  (LUAI_UACINT)rows, rows == 1 ? "" : "s");
  lua_remove(L, -2);
  return index_error_push(L, s, explain_rows);
}

/* Finds the shape of values for true elements of the mask: a slice of 'a'; or,
** if the values have an axis more, one slice for each. */
static int masked_shape (const Array *a, const Array *m, const Array *v,
                         int64_t shape[MAX_DIMS + 1]) {
  int rest = a->ndim - m->ndim, n = 0;
  if (v != NULL && v->ndim == rest + 1 && v->shape[0] != 1)
    shape[n++] = v->shape[0];
  for (int i = m->ndim; i < a->ndim; i++)
    shape[n++] = a->shape[i];
  return n;
}

/* z[c] = v, and copies z back to 'a'. 'rows': rows of v, one for each true
** element, or -1. */
static void put_mask (lua_State *L, RtStream *s, Array *a, Array *z, Array *c,
                      const Values *v, int64_t rows) {
  Op op;
  int top = lua_gettop(L);
  size_t inner = z->size / c->size;
  Array *counts = NULL;
  Check *check = NULL;
  if (rows >= 0) {
    lua_pushvalue(L, top);
    counts = mask_push_running(L, s, c);
    check = push_rowcheck(L, s, rows);
  }
  int64_t *bad = index_error_word(check);
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pc = launch_reads(&op, c),
              pp = (counts != NULL) ? launch_reads(&op, counts) : 0,
              pv = (v->array != NULL) ? launch_reads(&op, v->array) : 0,
              pz = launch_writes(&op, z);
  indices_plan_copy(&op, a, z);
  void *params[] = {&pz,    &pc,      &pp,           &pv, (void *)&v->number,
                    &inner, &z->size, (void *)&v->n, &bad};
  KernelId id = kernel_by_width(BYWIDTH_put_mask, (DType)z->dtype);
  size_t each = (v->array == NULL && inner == 1) ? MASKED_EACH : 1;
  unsigned grid = kernel_elementwise_grid(id, (z->size + each - 1) / each);
  launch_checked(L, s, &op, id, grid, params, index_error_idx(L, check));
  array_drop(L, top);
}

/* z[c] = v, an element for each true one, and copies z back to 'a'. */
static void strew (lua_State *L, RtStream *s, Array *a, Array *z, Array *c,
                   const Values *v) {
  Op op;
  int top = lua_gettop(L);
  lua_pushvalue(L, top);
  Array *ends = mask_push_ends(L, s, c);
  Check *check = push_rowcheck(L, s, (int64_t)v->n);
  int64_t *bad = check->word;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pc = launch_reads(&op, c), pe = launch_reads(&op, ends),
              pv = v->array->size > 0 ? launch_reads(&op, v->array) : pe,
              pz = launch_writes(&op, z);
  indices_plan_copy(&op, a, z);
  void *params[] = {&pz, &pc, &pe, &pv, (void *)&v->n, &c->size, &bad};
  launch_checked(L, s, &op, kernel_by_width(BYWIDTH_strew, (DType)z->dtype),
                 mask_tiles(c), params, index_error_idx(L, check));
  array_drop(L, top);
}

/* Pushes the mask as a dense array that is apart from z. */
static Array *push_apart (lua_State *L, RtStream *s, const Array *z, int arg) {
  Array *m = operand_push_dense(L, arg, DTYPE_BOOL);
  if (!layout_overlaps(z, m))
    return m;
  Array *c = array_new(L, m->dev, DTYPE_BOOL, m->ndim, m->shape, s);
  array_copyto(L, s, c, m);
  return c;
}

static void put_where (lua_State *L, RtStream *s, Array *a) {
  int64_t shape[MAX_DIMS + 1];
  Values v;
  Array *m = mask_check(L, a), *given = NULL;
  bool number = dtype_is_scalar(L, 3);
  if (!number)
    given = indices_push_values(L, 3, a, s);
  int ndim = masked_shape(a, m, given, shape);
  bool rows = (ndim > a->ndim - m->ndim);
  if (number)
    indices_read_number(L, 3, a, s, false, &v);
  else
    indices_fit_values(L, 3, ndim, shape, &v);
  argerror_check(L, m->size > 0 || !rows || shape[0] == 0, 3,
                 "values for a mask without elements");
  if (a->size == 0 || m->size == 0)
    return;
  Array *z = indices_push_target(L, s, a);
  Array *c = push_apart(L, s, z, 2);
  if (rows && c->size == z->size)
    strew(L, s, a, z, c, &v);
  else
    put_mask(L, s, a, z, c, &v, rows ? shape[0] : -1);
  indices_copy_back(L, s, a, z);
}

/* ==} */

/*
** put(a, index, values [, axis] [, { axis=, base=, mode= }]) -> a: sets the
** elements at the indices, or the slices across an axis, to the values; or the
** elements where a bool array is true.
*/
static int array_put (lua_State *L) {
  static const char *const names[] = {"axis", "base", "mode", NULL};
  int axis;
  Array *a = array_check(L, 1);
  lua_settop(L, 5);
  int options = operand_opt_axis(L, 4, a->ndim, names, &axis);
  const Array *index = array_test(L, 2);
  layout_check_writable(L, 1, a);
  RtStream *s = current_get_stream(L, a->dev);
  if (index != NULL && index->dtype == DTYPE_BOOL) {
    argerror_check(L, lua_isnil(L, 4) && lua_isnil(L, 5), 4,
                   "a mask has neither an axis nor options");
    put_where(L, s, a);
  } else {
    put(L, s, a, axis, options);
  }
  array_drop(L, 5);
  lua_settop(L, 1);
  return 1;
}

static const Function functions[] = {
  {"put", array_put, 5},
  {NULL, NULL, 0},
};

void open_put (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
