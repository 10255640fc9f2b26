/*
** index_values.c - values for elements of an array: a number, or an array that
** is broadcast to the places.
*/
#include <string.h>

#include "array/array.h"
#include "array/layout.h"
#include "array/shape.h"
#include "base/class.h"
#include "base/state.h"
#include "base/type.h"
#include "indices.h"
#include "rt/kernels/dtypes.h"
#include "rt/queue/op_types.h"

/* Pushes an array like 'h', with its elements. */
static Array *push_copy (lua_State *L, RtStream *s, Array *h) {
  Array *v = array_new(L, h->dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, v, h);
  return v;
}

Array *indices_push_values (lua_State *L, int arg, Array *a, RtStream *s) {
  Array *v = array_test_any(L, arg);
  if (v != NULL) {
    array_check_open(L, arg, v);
    array_check_devices(L, a, v);
  } else if (lua_istable(L, arg)) {
    v = array_push_table(L, arg, a->dev, a->dtype);
    arg = lua_gettop(L);
  } else {
    return type_error(L, arg, "tide.Array, table or number"), NULL;
  }
  if (v->object.class == &array_host_class) {
    v = push_copy(L, s, v);
    arg = lua_gettop(L);
  }
  v = array_push_cast(L, arg, (DType)a->dtype);
  return layout_overlaps(a, v) ? push_copy(L, s, v) : v;
}

void indices_read_number (lua_State *L, int arg, Array *a, RtStream *s,
                          bool whole, Values *v) {
  *v = (Values){.n = 1};
  const char *bad = dtype_read_element(L, arg, (DType)a->dtype, &v->number);
  if (bad != NULL)
    dtype_refuse_element(L, arg, bad);
  if (!whole && dtype_size((DType)a->dtype) <= sizeof v->number.bits)
    return;
  v->array = array_new(L, a->dev, (DType)a->dtype, 0, NULL, s);
  array_fill_with(L, s, v->array, arg);
}

/* Pushes the array on the top without its first axes of one element. */
static Array *push_short (lua_State *L, Array *v, int ndim) {
  int k = 0;
  while (v->ndim - k > ndim && v->shape[k] == 1)
    k++;
  if (k == 0) {
    lua_pushvalue(L, -1);
    return v;
  }
  return array_push_view(L, v, v->ndim - k, v->shape + k, array_stride(v) + k,
                         v->off);
}

/* Tells whether it has the shape of that shape's last axes, so that it can be
** repeated. */
static bool comes_again (const Array *v, int ndim, const int64_t *shape) {
  int k = 0;
  while (k < v->ndim && v->shape[k] == 1)
    k++;
  return v->ndim - k <= ndim &&
         memcmp(v->shape + k, shape + (ndim - (v->ndim - k)),
                (size_t)(v->ndim - k) * sizeof *shape) == 0;
}

void indices_fit_values (lua_State *L, int arg, int ndim, const int64_t *shape,
                         Values *v) {
  *v = (Values){.array = push_short(L, array_check(L, -1), ndim)};
  if (!comes_again(v->array, ndim, shape))
    shape_push_broadcast(L, arg, v->array, ndim, shape);
  v->array = array_push_dense(L, -1);
  v->n = v->array->size;
}

void indices_read_values (lua_State *L, int arg, Array *a, RtStream *s,
                          int ndim, const int64_t *shape, bool whole,
                          Values *v) {
  if (dtype_is_scalar(L, arg)) {
    indices_read_number(L, arg, a, s, whole, v);
    return;
  }
  indices_push_values(L, arg, a, s);
  indices_fit_values(L, arg, ndim, shape, v);
}

Array *indices_push_target (lua_State *L, RtStream *s, Array *a) {
  return a->dense ? a : push_copy(L, s, a);
}

void indices_plan_copy (Op *op, Array *a, Array *z) {
  op->own[op->naccess - 1].blind = false;
  if (z == a)
    return;
  array_access(op, a, true);
  op->ahead = 1;
}

void indices_copy_back (lua_State *L, RtStream *s, Array *a, Array *z) {
  if (z != a)
    array_copyto(L, s, a, z);
}
