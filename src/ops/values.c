/*
** values.c - values for elements of an array: a number, or an array that is
** broadcast to the places.
*/
#include <string.h>

#include "array/array.h"
#include "array/geometry.h"
#include "array/shape.h"
#include "base/class.h"
#include "base/slip.h"
#include "base/state.h"
#include "indices.h"
#include "rt/kernels/dtypes.h"

/* Pushes an array like 'h', with its elements. */
static Array *push_copy (lua_State *L, RtStream *s, Array *h) {
  Array *v = tide_newarray(L, h->dev, h->dtype, h->ndim, h->shape, s);
  tide_copy(L, s, v, h);
  return v;
}

Array *tide_pushvalues (lua_State *L, int arg, Array *a, RtStream *s) {
  Array *v = tide_testany(L, arg);
  if (v != NULL) {
    tide_checkopen(L, arg, v);
    tide_checkdevices(L, a, v);
  } else if (lua_istable(L, arg)) {
    v = tide_pushtable(L, arg, a->dev, a->dtype);
    arg = lua_gettop(L);
  } else {
    return tide_typeerror(L, arg, "tide.Array, table or number"), NULL;
  }
  if (v->object.class == &tide_hostarrayclass) {
    v = push_copy(L, s, v);
    arg = lua_gettop(L);
  }
  v = tide_pushcast(L, arg, (DType)a->dtype);
  return tide_overlaps(a, v) ? push_copy(L, s, v) : v;
}

void tide_readnumber (lua_State *L, int arg, Array *a, RtStream *s, bool whole,
                      Values *v) {
  *v = (Values){.n = 1};
  const char *bad = tide_readelement(L, arg, (DType)a->dtype, &v->number);
  if (bad != NULL)
    tide_refuseelement(L, arg, bad);
  if (!whole && rt_dtype_size((DType)a->dtype) <= sizeof v->number.bits)
    return;
  v->array = tide_newarray(L, a->dev, (DType)a->dtype, 0, NULL, s);
  tide_fillarray(L, s, v->array, arg);
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
  return tide_pushview(L, v, v->ndim - k, v->shape + k, tide_strides(v) + k,
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

void tide_fitvalues (lua_State *L, int arg, int ndim, const int64_t *shape,
                     Values *v) {
  *v = (Values){.array = push_short(L, tide_checkarray(L, -1), ndim)};
  if (!comes_again(v->array, ndim, shape))
    tide_pushbroadcast(L, arg, v->array, ndim, shape);
  v->array = tide_pushdense(L, -1);
  v->n = v->array->size;
}

void tide_readvalues (lua_State *L, int arg, Array *a, RtStream *s, int ndim,
                      const int64_t *shape, bool whole, Values *v) {
  if (tide_isscalar(L, arg)) {
    tide_readnumber(L, arg, a, s, whole, v);
    return;
  }
  tide_pushvalues(L, arg, a, s);
  tide_fitvalues(L, arg, ndim, shape, v);
}

Array *tide_pushinner (lua_State *L, RtStream *s, Array *a) {
  return a->dense ? a : push_copy(L, s, a);
}

void tide_bindback (Op *op, Array *a, Array *z) {
  op->own[op->naccess - 1].blind = false;
  if (z == a)
    return;
  tide_access(op, a, true);
  op->ahead = 1;
}

void tide_bringback (lua_State *L, RtStream *s, Array *a, Array *z) {
  if (z != a)
    tide_copy(L, s, a, z);
}
