/*
** products.c - outer, inner, vecdot, tensordot, kron, cross: products of arrays
** that use contract.c's and elementwise ones.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "contract.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

/* {== operands ======================================================== */

/* The two arrays of a product, and the dtype of the computation. */
typedef struct Factors {
  Array *a, *b;
  DType result, t;
  Labelled x, y; /* a and b, converted; the caller sets labels */
} Factors;

/* Reads arguments 1 and 2. */
static void read_factors (lua_State *L, Factors *f) {
  f->a = array_check(L, 1);
  f->b = array_check(L, 2);
  array_check_devices(L, f->a, f->b);
}

/* Pushes both as arrays of one dtype. */
static void push_factors (lua_State *L, Factors *f) {
  f->result = dtype_promote(f->a->dtype, f->b->dtype);
  f->t = contract_dtype(f->result);
  array_push_cast(L, 1, f->t);
  f->x.at = lua_gettop(L);
  array_push_cast(L, 2, f->t);
  f->y.at = lua_gettop(L);
}

static int mismatch (lua_State *L, const char *why) {
  array_push_shape(L, array_check(L, 1));
  array_push_shape(L, array_check(L, 2));
  return error_raise(L, "shapes %s and %s %s", lua_tostring(L, -2),
                     lua_tostring(L, -1), why);
}

/* Labels axes that only one array has: of a from 0, of b from MAX_DIMS. */
static void label_apart (Factors *f) {
  f->x.ndim = f->a->ndim;
  f->y.ndim = f->b->ndim;
  for (int i = 0; i < f->x.ndim; i++)
    f->x.label[i] = (Label)i;
  for (int i = 0; i < f->y.ndim; i++)
    f->y.label[i] = (Label)(MAX_DIMS + i);
}

/* Gives axis i of a and axis k of b the same label. */
static void tie (lua_State *L, Factors *f, int i, int k) {
  if (f->a->shape[i] != f->b->shape[k])
    mismatch(L,
             lua_pushfstring(L, "differ in the axes that are summed, %d and %d",
                             i + 1, k + 1));
  f->y.label[k] = f->x.label[i];
}

/* Pushes the product summed over the axes with common labels, and finishes
** it. */
static int multiply_tied (lua_State *L, Factors *f, int options) {
  Labelled z;
  KeptLabels kept;
  push_factors(L, f);
  memset(&kept, true, sizeof kept);
  for (int i = 0; i < f->y.ndim; i++)
    if (f->y.label[i] < MAX_DIMS)
      kept.has[f->y.label[i]] = false;
  contract_product(L, &f->x, &f->y, &kept, &z);
  return contract_finish(L, f->result, 1, options, options);
}

/* ==} */

/* {== over all, none, or the last axes ================================ */

static const char *const only_out[] = {"out", NULL};

/* Pushes the elementwise product of the arrays at x and b in the given shape:
** in option 'out' of the table at 3, or a new array. */
static int multiply (lua_State *L, const Factors *f, int x, int b, int ndim,
                     const int64_t *shape) {
  Like like = {.of = f->a, .ndim = ndim, .shape = shape};
  DType t = dtype_promote(f->a->dtype, f->b->dtype);
  lua_pushvalue(L, b);
  lua_createtable(L, 0, 1);
  result_push(L, 3, &like, t, current_get_stream(L, f->a->dev));
  lua_setfield(L, -2, "out");
  composed_call(L, "mul", x, 2);
  return array_return(L, 3);
}

/* Pushes the elements of the array at 'arg' as one axis or, as a column, with
** an axis of one element behind it. */
static int push_flat (lua_State *L, int arg, bool column) {
  const int64_t shape[] = {(int64_t)array_check(L, arg)->size, 1};
  shape_push_reshaped(L, arg, column ? 2 : 1, shape);
  return lua_gettop(L);
}

/* outer(a, b [, { out= }]) -> each element of a times each of b, with a row for
** each element of a. */
static int array_outer (lua_State *L) {
  Factors f;
  lua_settop(L, 3);
  read_factors(L, &f);
  const int64_t shape[] = {(int64_t)f.a->size, (int64_t)f.b->size};
  int x = push_flat(L, 1, true);
  return multiply(L, &f, x, push_flat(L, 2, false), 2, shape);
}

/* inner(a, b [, { out= }]) -> the sums of the products over the last axis of
** each; a 0-d array multiplies all elements. */
static int array_inner (lua_State *L) {
  Factors f;
  lua_settop(L, 3);
  read_factors(L, &f);
  option_check(L, 3, only_out);
  if (f.a->ndim == 0 || f.b->ndim == 0) {
    const Array *of = (f.a->ndim == 0) ? f.b : f.a;
    return multiply(L, &f, 1, 2, of->ndim, of->shape);
  }
  label_apart(&f);
  tie(L, &f, f.a->ndim - 1, f.b->ndim - 1);
  return multiply_tied(L, &f, 3);
}

/* ==} */

/* {== vectors along an axis =========================================== */

enum { VECTOR = LABELS - 1 }; /* the label of that axis */

/* Two arrays of vectors, each along one axis. The other axes broadcast, from
** the last one on. */
typedef struct Vectors {
  Factors f;
  int ax, bx; /* the axes */
  int zx;     /* the axis of a result that keeps the vectors */
  int ndim;   /* of that result */
  int64_t shape[MAX_DIMS];
  int options;
} Vectors;

static void label_vectors (Labelled *x, const Array *a, int axis) {
  Label next = 0;
  x->ndim = a->ndim;
  for (int i = x->ndim - 1; i >= 0; i--)
    x->label[i] = (i == axis) ? VECTOR : next++;
}

/* Finds the lengths of the other axes, and that of the vectors. */
static void broadcast_vectors (lua_State *L, Vectors *v) {
  const Array *a = v->f.a, *b = v->f.b;
  int x = a->ndim - 1, y = b->ndim - 1;
  for (int i = v->ndim - 1; i >= 0; i--) {
    v->shape[i] = a->shape[v->ax];
    if (i == v->zx)
      continue;
    x -= (x == v->ax);
    y -= (y == v->bx);
    int64_t p = (x >= 0) ? a->shape[x--] : 1, q = (y >= 0) ? b->shape[y--] : 1;
    if (p != q && p != 1 && q != 1)
      mismatch(L, "do not broadcast");
    v->shape[i] = (p == 1) ? q : p;
  }
}

/* Reads f(a, b [, axis] [, { axis=, out= }]): the last axis by default. */
static void read_vectors (lua_State *L, Vectors *v) {
  lua_settop(L, 4);
  read_factors(L, &v->f);
  const Array *a = v->f.a, *b = v->f.b;
  argerror_check(L, a->ndim > 0, 1, "an array of at least one axis expected");
  argerror_check(L, b->ndim > 0, 2, "an array of at least one axis expected");
  v->ndim = (a->ndim > b->ndim) ? a->ndim : b->ndim;
  v->options = operand_opt_axis(L, 3, a->ndim, operand_axis_out, &v->ax);
  operand_opt_axis(L, 3, b->ndim, operand_axis_out, &v->bx);
  operand_opt_axis(L, 3, v->ndim, operand_axis_out, &v->zx);
  if (v->ax < 0) {
    v->ax = a->ndim - 1;
    v->bx = b->ndim - 1;
    v->zx = v->ndim - 1;
  }
  if (a->shape[v->ax] != b->shape[v->bx])
    mismatch(L, lua_pushfstring(L, "differ in the axes of vectors, %d and %d",
                                v->ax + 1, v->bx + 1));
  label_vectors(&v->f.x, a, v->ax);
  label_vectors(&v->f.y, b, v->bx);
  broadcast_vectors(L, v);
}

/* Pushes the product with its axes in the order of labels, which count from the
** last axis. */
static void push_in_order (lua_State *L, const Labelled *z) {
  Label order[MAX_DIMS];
  for (int i = 0; i < z->ndim; i++)
    order[i] = (Label)(z->ndim - 1 - i);
  contract_view(L, z, z->ndim, order);
}

/*
** vecdot(a, b [, axis] [, { axis=, out= }]) -> the sums of the products over an
** axis of both, the last one by default. a is conjugated, and the other axes
** broadcast.
*/
static int array_vecdot (lua_State *L) {
  Vectors v;
  Labelled z;
  KeptLabels kept;
  read_vectors(L, &v);
  push_factors(L, &v.f);
  if (dtype_kind(v.f.t) == KIND_COMPLEX)
    v.f.x.at = composed_unary(L, "conj", v.f.x.at);
  memset(&kept, true, sizeof kept);
  kept.has[VECTOR] = false;
  contract_product(L, &v.f.x, &v.f.y, &kept, &z);
  push_in_order(L, &z);
  return contract_finish(L, v.f.result, 1, 4, v.options);
}

/* Pushes component i, from 0, of the vectors of length 3 along an axis. */
static int push_component (lua_State *L, int at, int axis, int i) {
  Array *a = array_check(L, at);
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int n = 0;
  for (int k = 0; k < a->ndim; k++) {
    if (k == axis)
      continue;
    shape[n] = a->shape[k];
    strides[n++] = array_stride(a)[k];
  }
  size_t off = a->off;
  if (a->size > 0)
    off += (size_t)(i * array_stride(a)[axis] * (int64_t)dtype_size(a->dtype));
  array_push_view(L, a, n, shape, strides, off);
  return lua_gettop(L);
}

/* Pushes a[i] b[k] of the components. */
static int push_product (lua_State *L, const Vectors *v, int i, int k) {
  int x = push_component(L, v->f.x.at, v->ax, i);
  push_component(L, v->f.y.at, v->bx, k);
  return composed_call(L, "mul", x, 1);
}

/* z[i] = a[i + 1] b[i + 2] - a[i + 2] b[i + 1] */
static void set_component (lua_State *L, const Vectors *v, int z, int i) {
  int top = lua_gettop(L), next = (i + 1) % 3, last = (i + 2) % 3;
  int p = push_product(L, v, next, last);
  push_product(L, v, last, next);
  lua_createtable(L, 0, 1);
  push_component(L, z, v->zx, i);
  lua_setfield(L, -2, "out");
  composed_call(L, "sub", p, 2);
  array_drop(L, top);
}

/*
** cross(a, b [, axis] [, { axis=, out= }]) -> the cross products of vectors of
** length 3 along an axis of both, the last one by default.
*/
static int array_cross (lua_State *L) {
  Vectors v;
  read_vectors(L, &v);
  if (v.f.a->shape[v.ax] != 3)
    mismatch(L, "have no vectors of three");
  push_factors(L, &v.f);
  if (v.f.result == DTYPE_BOOL)
    return error_raise(L, "'cross' is not defined for bool arrays");
  RtStream *s = current_get_stream(L, v.f.a->dev);
  Array *z = array_new(L, v.f.a->dev, v.f.t, v.ndim, v.shape, s);
  int at = lua_gettop(L);
  for (int i = 0; i < 3 && z->size > 0; i++)
    set_component(L, &v, at, i);
  return contract_finish(L, v.f.result, 1, 4, v.options);
}

/* ==} */

/* {== tensordot ======================================================= */

/* Pairs the last n axes of a with the first n of b. */
static void tie_ends (lua_State *L, Factors *f, int arg) {
  lua_Integer n = arg_opt_integer(L, arg, 2);
  argerror_check(L, n >= 0, arg, "the number of axes must not be negative");
  if (n > f->a->ndim || n > f->b->ndim)
    argerror_raise(L, arg,
                   "arrays of %I axes or more expected, they have %d and %d",
                   (LUAI_UACINT)n, f->a->ndim, f->b->ndim);
  for (int i = 0; i < n; i++)
    tie(L, f, f->a->ndim - (int)n + i, i);
}

/* Pairs the axes in the two lists of the table at 'arg': of a, and of b. */
static void tie_lists (lua_State *L, Factors *f, int arg) {
  int axes[2][MAX_DIMS], n[2];
  const Array *of[] = {f->a, f->b};
  list_check(L, arg, 2, "axes of both arrays");
  for (int i = 0; i < 2; i++) {
    lua_rawgeti(L, arg, i + 1);
    n[i] = axes_check_at(L, arg, lua_gettop(L), of[i]->ndim, axes[i]);
    lua_pop(L, 1);
  }
  argerror_check(L, n[0] == n[1], arg, "as many axes of each array expected");
  for (int i = 0; i < n[0]; i++)
    tie(L, f, axes[0][i], axes[1][i]);
}

/*
** tensordot(a, b [, n | { axes, axes }] [, { out= }]) -> the sums of the
** products over the last n axes of a and the first n of b, by default two, or
** over those in the lists. The other axes of a come first.
*/
static int array_tensordot (lua_State *L) {
  Factors f;
  lua_settop(L, 4);
  read_factors(L, &f);
  bool given = !lua_istable(L, 3) || lua_rawlen(L, 3) > 0;
  if (!given) {
    argerror_check(L, lua_isnil(L, 4), 4, "nothing comes after the options");
    lua_pushnil(L);
    lua_insert(L, 3);
    lua_settop(L, 4);
  }
  option_check(L, 4, only_out);
  label_apart(&f);
  if (lua_istable(L, 3))
    tie_lists(L, &f, 3);
  else
    tie_ends(L, &f, 3);
  return multiply_tied(L, &f, 4);
}

/* ==} */

/* {== kron ============================================================ */

/* Pushes the array with an axis of one element beside each of n axes: before it
** or behind it. */
static int push_spread (lua_State *L, Array *a, int n, bool before) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  for (int i = 0; i < n; i++) {
    int axis = i - (n - a->ndim), at = 2 * i + before, one = 2 * i + !before;
    shape[at] = (axis < 0) ? 1 : a->shape[axis];
    strides[at] = (axis < 0) ? 0 : array_stride(a)[axis];
    shape[one] = 1;
    strides[one] = 0;
  }
  array_push_view(L, a, 2 * n, shape, strides, a->off);
  return lua_gettop(L);
}

/* kron(a, b [, { out= }]) -> b times each element of a, as blocks. */
static int array_kron (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Factors f;
  lua_settop(L, 3);
  read_factors(L, &f);
  option_check(L, 3, only_out);
  int n = (f.a->ndim > f.b->ndim) ? f.a->ndim : f.b->ndim;
  if (2 * n > MAX_DIMS)
    return error_raise(L, "kron takes arrays of at most %d axes", MAX_DIMS / 2);
  int x = push_spread(L, f.a, n, false);
  push_spread(L, f.b, n, true);
  const Array *z = array_check(L, composed_call(L, "mul", x, 1));
  for (int i = 0; i < n; i++)
    shape[i] = z->shape[2 * i] * z->shape[2 * i + 1];
  shape_push_reshaped(L, lua_gettop(L), n, shape);
  return result_deliver_out(L, 3, current_get_stream(L, f.a->dev));
}

/* ==} */

static const Function functions[] = {
  {"cross", array_cross, 4},
  {"inner", array_inner, 3},
  {"kron", array_kron, 3},
  {"outer", array_outer, 3},
  {"tensordot", array_tensordot, 4},
  {"vecdot", array_vecdot, 4},
  {NULL, NULL, 0},
};

void open_products (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
