/*
** contract.c - products of two arrays whose axes have labels, summed over some
** of them: the base of einsum, tensordot and others.
**
** DESIGN. Labels are of four kinds. Labels of both arrays and the result are a
** batch; labels of both arrays only are summed; the others are rows, of x, and
** columns, of y. With the axes in that order each array is a batch of matrices,
** and matmul makes the product. If there is nothing to sum, or only one sum of
** products for each element of the batch, it is an elementwise product and a
** sum.
*/
#include "contract.h"

#include <string.h>

#include "array/shape.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "result.h"

/* {== labels ========================================================== */

/* Returns the axis with that label, or -1. */
static int axis_of (const Labelled *x, Label label) {
  for (int i = 0; i < x->ndim; i++)
    if (x->label[i] == label)
      return i;
  return -1;
}

static int64_t length_of (lua_State *L, const Labelled *x, int axis) {
  return array_check(L, x->at)->shape[axis];
}

/* A list of labels, and the product of their lengths. */
typedef struct LabelGroup {
  int n;
  int64_t size;
  Label label[MAX_DIMS];
} LabelGroup;

static void add (LabelGroup *g, Label label, int64_t length) {
  g->label[g->n++] = label;
  g->size *= length;
}

/* The kinds of labels: see DESIGN. */
enum { BATCH, SUMMED, ROWS, COLUMNS, KINDS };

static void sort_labels (lua_State *L, const Labelled *x, const Labelled *y,
                         const KeptLabels *kept, LabelGroup group[KINDS]) {
  for (int i = 0; i < KINDS; i++)
    group[i] = (LabelGroup){.size = 1};
  for (int i = 0; i < x->ndim; i++) {
    Label l = x->label[i];
    bool both = axis_of(y, l) >= 0;
    add(&group[!both          ? ROWS
               : kept->has[l] ? BATCH
                              : SUMMED],
        l, length_of(L, x, i));
  }
  for (int i = 0; i < y->ndim; i++)
    if (axis_of(x, y->label[i]) < 0)
      add(&group[COLUMNS], y->label[i], length_of(L, y, i));
}

/* Appends the labels of a group to a list with n labels. */
static int append (Label *labels, int n, const LabelGroup *g) {
  memcpy(labels + n, g->label, (size_t)g->n * sizeof *labels);
  return n + g->n;
}

/* ==} */

/* {== one array ======================================================= */

void contract_view (lua_State *L, const Labelled *z, int ndim,
                    const Label *labels) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  Array *a = array_check(L, z->at);
  for (int i = 0; i < ndim; i++) {
    int axis = axis_of(z, labels[i]);
    shape[i] = (axis < 0) ? 1 : a->shape[axis];
    strides[i] = (axis < 0) ? 0 : array_stride(a)[axis];
  }
  array_push_view(L, a, ndim, shape, strides, a->off);
}

/* Pushes the array at 'at' summed over the axes in the list on the top, which
** it replaces. */
static int push_sum (lua_State *L, int at) {
  DType t = array_check(L, at)->dtype;
  if (t == DTYPE_BOOL)
    return composed_call(L, "any", at, 1);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, dtype_name(t));
  lua_setfield(L, -2, "dtype");
  return composed_call(L, "sum", at, 2);
}

void contract_sum (lua_State *L, const Labelled *x, const KeptLabels *kept,
                   Labelled *z) {
  int at = x->at, gone = 0;
  Labelled sum = {.ndim = 0};
  luaL_checkstack(L, 10, NULL);
  lua_newtable(L);
  for (int i = 0; i < x->ndim; i++) {
    if (kept->has[x->label[i]]) {
      sum.label[sum.ndim++] = x->label[i];
    } else {
      lua_pushinteger(L, i + 1);
      lua_rawseti(L, -2, ++gone);
    }
  }
  if (gone == 0) {
    lua_pop(L, 1);
    lua_pushvalue(L, at);
  } else {
    push_sum(L, at);
  }
  *z = sum;
  z->at = lua_gettop(L);
}

/* Pushes x reduced for the product: labels that y lacks and are not kept are
** summed, and an axis of one element is dropped if y's is longer. */
static void push_prepared (lua_State *L, const Labelled *x, const Labelled *y,
                           const KeptLabels *kept, Labelled *z) {
  Labelled rest = {.ndim = 0};
  KeptLabels stay = *kept;
  for (int i = 0; i < x->ndim; i++) {
    Label l = x->label[i];
    int other = axis_of(y, l);
    int64_t own = length_of(L, x, i);
    int64_t its = (other < 0) ? 1 : length_of(L, y, other);
    if (other >= 0 && (its != 1 || own == 1))
      stay.has[l] = true; /* y has it as well, after this */
    if (own != 1 || its == 1)
      rest.label[rest.ndim++] = l;
  }
  contract_view(L, x, rest.ndim, rest.label);
  rest.at = lua_gettop(L);
  contract_sum(L, &rest, &stay, z);
}

/* ==} */

/* {== two arrays ====================================================== */

static void set_labels (lua_State *L, Labelled *z,
                        const LabelGroup group[KINDS]) {
  z->at = lua_gettop(L);
  z->ndim = append(z->label, 0, &group[BATCH]);
  z->ndim = append(z->label, z->ndim, &group[ROWS]);
  z->ndim = append(z->label, z->ndim, &group[COLUMNS]);
}

/* Pushes the sums over all but the first n axes of the products of the arrays
** at 'left' and 'left' + 1, if one kernel can do both: for floats in rows. */
static bool push_dots (lua_State *L, int left, int n) {
  Array *x = array_check(L, left), *y = array_check(L, left + 1);
  if (!x->dense || !y->dense || dtype_kind(x->dtype) != KIND_FLOAT)
    return false;
  size_t rows = 1;
  for (int i = 0; i < n; i++)
    rows *= (size_t)x->shape[i];
  KernelId id = (rows == 0) ? -1
                            : kernel_dot_rows(x->dtype, rows, x->size / rows);
  if (rows != 1 && id < 0)
    return false;
  RtStream *s = current_get_stream(L, x->dev);
  Array *z = array_new(L, x->dev, x->dtype, n, x->shape, s);
  if (rows == 1)
    reduce_dot(L, s, z, x, y);
  else
    reduce_dot_rows(L, s, id, z, x, y);
  return true;
}

/* Pushes the elementwise product, summed over the last axes. */
static void push_elementwise (lua_State *L, const Labelled *x,
                              const Labelled *y,
                              const LabelGroup group[KINDS]) {
  Label labels[4 * MAX_DIMS];
  int n = 0;
  static const int order[] = {BATCH, ROWS, COLUMNS, SUMMED};
  for (int i = 0; i < KINDS; i++)
    n = append(labels, n, &group[order[i]]);
  if (n > MAX_DIMS)
    error_raise(L, "the product would have more than %d axes", MAX_DIMS);
  contract_view(L, x, n, labels);
  int left = lua_gettop(L);
  contract_view(L, y, n, labels);
  if (group[SUMMED].n > 0 && push_dots(L, left, n - group[SUMMED].n))
    return;
  composed_call(L, "mul", left, 1);
  if (group[SUMMED].n == 0)
    return;
  int product = lua_gettop(L);
  lua_newtable(L);
  for (int i = 1; i <= group[SUMMED].n; i++) {
    lua_pushinteger(L, n - group[SUMMED].n + i);
    lua_rawseti(L, -2, i);
  }
  push_sum(L, product);
}

/* Pushes x as matrices, 'rows' by 'columns', in a batch if there is one. */
static int push_matrices (lua_State *L, const Labelled *x,
                          const LabelGroup *batch, const LabelGroup *rows,
                          const LabelGroup *columns) {
  Label labels[3 * MAX_DIMS];
  int n = append(labels, 0, batch);
  n = append(labels, n, rows);
  n = append(labels, n, columns);
  const int64_t shape[] = {batch->size, rows->size, columns->size};
  bool many = (batch->n > 0);
  contract_view(L, x, n, labels);
  shape_push_reshaped(L, lua_gettop(L), many ? 3 : 2, many ? shape : shape + 1);
  return lua_gettop(L);
}

/* Pushes the product of matrices, in the shape of its labels. */
static void push_matmul (lua_State *L, const Labelled *x, const Labelled *y,
                         const LabelGroup group[KINDS]) {
  int64_t shape[3 * MAX_DIMS];
  static const int order[] = {BATCH, ROWS, COLUMNS};
  int n = 0,
      left = push_matrices(L, x, &group[BATCH], &group[ROWS], &group[SUMMED]);
  push_matrices(L, y, &group[BATCH], &group[SUMMED], &group[COLUMNS]);
  int product = composed_call(L, "matmul", left, 1);
  for (int i = 0; i < 3; i++) {
    const Labelled *of = (order[i] == COLUMNS) ? y : x;
    for (int k = 0; k < group[order[i]].n; k++, n++) {
      if (n == MAX_DIMS)
        error_raise(L, "the product would have more than %d axes", MAX_DIMS);
      shape[n] = length_of(L, of, axis_of(of, group[order[i]].label[k]));
    }
  }
  shape_push_reshaped(L, product, n, shape);
}

void contract_product (lua_State *L, const Labelled *a, const Labelled *b,
                       const KeptLabels *kept, Labelled *z) {
  Labelled x, y;
  LabelGroup group[KINDS];
  luaL_checkstack(L, 20, NULL);
  push_prepared(L, a, b, kept, &x);
  push_prepared(L, b, a, kept, &y);
  sort_labels(L, &x, &y, kept, group);
  bool single = (group[ROWS].size == 1 && group[COLUMNS].size == 1);
  if (group[SUMMED].n == 0 || single)
    push_elementwise(L, &x, &y, group);
  else
    push_matmul(L, &x, &y, group);
  set_labels(L, z, group);
}

/* ==} */

DType contract_dtype (DType t) { return dtype_is_half(t) ? DTYPE_FLOAT32 : t; }

/* Tells whether z shares memory with one of the arrays at 'first' to 'last'. */
static bool is_shared (lua_State *L, const Array *z, int first, int last) {
  for (int i = first; i <= last; i++) {
    const Array *a = array_test(L, i);
    if (a != NULL && a->block == z->block && z->block != NULL)
      return true;
  }
  return false;
}

int contract_finish (lua_State *L, DType t, int first, int last, int options) {
  Array *z = array_check(L, -1);
  RtStream *s = current_get_stream(L, z->dev);
  if (z->dtype != t)
    z = array_push_cast(L, lua_gettop(L), t);
  if (result_get_out(L, options)) {
    lua_pop(L, 1);
  } else if (!z->dense || is_shared(L, z, first, last)) {
    Array *own = array_new(L, z->dev, t, z->ndim, z->shape, s);
    array_copyto(L, s, own, z);
  }
  return result_deliver_out(L, options, s);
}
