/*
** view.c - views of arrays, and dense copies of them. A view shares the block,
** so uses of the view and of the array are ordered. The functions that make
** views are in index.c and shape.c.
*/
#include <string.h>

#include "array.h"
#include "base/entry.h"
#include "base/state.h"
#include "device/current.h"

/* Tells whether it is dense. Axes of one element may have any stride. */
static bool is_dense (const Array *a) {
  int64_t stride = 1;
  for (int i = a->ndim - 1; i >= 0 && a->size > 0; i--) {
    if (a->shape[i] > 1 && array_stride(a)[i] != stride)
      return false;
    stride *= a->shape[i];
  }
  return true;
}

/* Tells whether it is broadcast, so that elements share memory. */
static bool is_broadcast (const Array *a) {
  for (int i = 0; i < a->ndim && !a->dense; i++)
    if (a->shape[i] > 1 && array_stride(a)[i] == 0)
      return true;
  return false;
}

void array_set_strides (Array *a, const int64_t *strides) {
  if (a->ndim == 0)
    return;
  memcpy(a->shape + a->ndim, strides, (size_t)a->ndim * sizeof *strides);
  a->dense = is_dense(a);
  a->repeats = is_broadcast(a);
}

Array *array_push_view (lua_State *L, Array *a, int ndim, const int64_t *shape,
                        const int64_t *strides, size_t off) {
  Array *v = (a->lent ? array_push_import : array_push)(L, a->object.class,
                                                        a->dev, a->dtype, ndim,
                                                        shape);
  if (strides != NULL)
    array_set_strides(v, strides);
  v->repeats = v->repeats || a->repeats;
  v->readonly = a->readonly;
  if (a->closed)
    entry_retry(L, state_get(L));
  array_check_fresh(L, a);
  if (v->size > 0) {
    array_share_block(v, a->block, array_import(a));
    v->off = off;
  }
  return v;
}

Array *array_push_dense (lua_State *L, int arg) {
  Array *a = array_check(L, arg);
  if (a->dense) {
    lua_pushvalue(L, arg);
    return a;
  }
  RtStream *s = current_get_stream(L, a->dev);
  Array *b = array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
  array_copyto(L, s, b, a);
  return b;
}
