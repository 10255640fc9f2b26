/*
** rank_arrays.c - arrays of communicators' operations: one for each rank of
** this process, dense while the library works on them.
*/
#include <string.h>

#include "array/dtype.h"
#include "array/layout.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/type.h"
#include "device/current.h"
#include "device/device.h"
#include "dist.h"
#include "rt/kernels/dtypes.h"

const char *dist_describe_arg (lua_State *L, int arg) {
  return lua_isnoneornil(L, arg)           ? lua_pushliteral(L, "no value")
         : lua_type(L, arg) == LUA_TNUMBER ? luaL_tolstring(L, arg, NULL)
                                           : type_push_name(L, arg);
}

/* {== arrays ========================================================== */

void dist_device_error (lua_State *L, int arg, const Comm *c, int i,
                        const Array *a) {
  char is[DEVICE_NAME], wanted[DEVICE_NAME];
  argerror_raise(L, arg, "rank %d is on %s, and its array on %s",
                 c->at[i]->rank, device_write_name(c->at[i]->dev, wanted),
                 device_write_name(a->dev, is));
}

static void check_alike (lua_State *L, int arg, const Array *a,
                         const Array *b) {
  if (a->dtype != b->dtype)
    argerror_raise(L, arg, "arrays of one dtype expected, got %s and %s",
                   dtype_name(a->dtype), dtype_name(b->dtype));
  if (array_same_shape(a, b))
    return;
  array_push_shape(L, a);
  array_push_shape(L, b);
  argerror_raise(L, arg, "arrays of one shape expected, got %s and %s",
                 lua_tostring(L, -2), lua_tostring(L, -1));
}

void dist_copy_operands (Operands *to, const Operands *from) {
  memcpy(to, from, offsetof(Operands, a) + (size_t)from->n * sizeof from->a[0]);
}

/* Takes the value on the top as 'a', the array of local rank i. */
static void take (lua_State *L, int arg, const Comm *c, Operands *x, int i,
                  Array *a) {
  array_check_open(L, arg, a);
  if (a->dev != c->at[i]->dev)
    dist_device_error(L, arg, c, i, a);
  if (i > 0)
    check_alike(L, arg, x->a[0], a);
  x->a[i] = a;
}

static void take_list (lua_State *L, int arg, int idx, const Comm *c,
                       Operands *x) {
  if ((int)lua_rawlen(L, idx) != c->n)
    argerror_raise(L, arg,
                   "a list of %d arrays expected, one for each rank of this "
                   "process, got %d",
                   c->n, (int)lua_rawlen(L, idx));
  luaL_checkstack(L, c->n + 4, NULL);
  list_check_in(L, arg, idx, (lua_Unsigned)c->n,
                idx == arg
                  ? "a list of arrays; options are a table of their own"
                  : "option 'out', a list of arrays");
  x->list = true;
  for (int i = 0; i < c->n; i++) {
    lua_rawgeti(L, idx, i + 1);
    Array *a = array_test(L, -1);
    if (a == NULL)
      argerror_raise(L, arg, "item %d: tide.Array expected, got %s", i + 1,
                     type_push_name(L, lua_gettop(L)));
    take(L, arg, c, x, i, a);
  }
}

/* dist_push_arrays for the value at 'idx'. */
static void push_ranked (lua_State *L, int arg, int idx, const Comm *c,
                         Operands *x) {
  Array *a;
  x->n = c->n;
  x->size = c->at[0]->size;
  x->list = false;
  x->at = lua_gettop(L) + 1;
  if (lua_type(L, idx) == LUA_TTABLE) {
    take_list(L, arg, idx, c, x);
  } else if (c->n > 1) {
    argerror_raise(L, arg,
                   "a list of %d tide.Array expected, one for each rank of "
                   "this process, got %s",
                   c->n, dist_describe_arg(L, idx));
  } else if ((a = array_test(L, idx)) == NULL) {
    type_error(L, arg, "tide.Array");
  } else {
    lua_pushvalue(L, idx);
    take(L, arg, c, x, 0, a);
  }
}

void dist_push_arrays (lua_State *L, const Comm *c, int arg, Operands *x) {
  push_ranked(L, arg, arg, c, x);
}

bool dist_push_out (lua_State *L, const Comm *c, int options, Operands *x) {
  if (!lua_istable(L, options) || option_get(L, options, "out") == LUA_TNIL)
    return false;
  push_ranked(L, options, lua_gettop(L), c, x);
  for (int i = 0; i < x->n; i++)
    layout_check_writable(L, options, x->a[i]);
  return true;
}

void dist_push_new (lua_State *L, const Comm *c, Operands *x, DType t, int ndim,
                    const int64_t *shape) {
  luaL_checkstack(L, c->n + 4, NULL);
  x->n = c->n;
  x->size = c->at[0]->size;
  x->at = lua_gettop(L) + 1;
  for (int i = 0; i < c->n; i++)
    x->a[i] = array_new(L, c->at[i]->dev, t, ndim, shape,
                        current_get_stream(L, c->at[i]->dev));
}

void dist_check_out (lua_State *L, int arg, const Operands *out, DType t,
                     int ndim, const int64_t *shape) {
  const Array *a = out->a[0];
  if (a->dtype != t)
    argerror_raise(L, arg, "option 'out': dtype %s expected, got %s",
                   dtype_name(t), dtype_name(a->dtype));
  if (layout_has_shape(a, ndim, shape))
    return;
  array_push_dims(L, ndim, shape);
  array_push_shape(L, a);
  argerror_raise(L, arg, "option 'out': shape %s expected, got %s",
                 lua_tostring(L, -2), lua_tostring(L, -1));
}

void dist_push_dense (lua_State *L, const Operands *x, Operands *dense) {
  luaL_checkstack(L, x->n + 4, NULL);
  dist_copy_operands(dense, x);
  dense->at = lua_gettop(L) + 1;
  for (int i = 0; i < x->n; i++) {
    if (x->a[i]->dense)
      lua_pushvalue(L, x->at + i);
    else
      dense->a[i] = array_push_dense(L, x->at + i);
  }
}

void dist_push_separate (lua_State *L, const Operands *out,
                         const Operands *from, Operands *to) {
  luaL_checkstack(L, out->n + 4, NULL);
  dist_copy_operands(to, out);
  to->at = lua_gettop(L) + 1;
  for (int i = 0; i < out->n; i++) {
    Array *a = out->a[i];
    if (a->dense && (from->a[i] == NULL || !layout_overlaps(a, from->a[i])))
      lua_pushvalue(L, out->at + i);
    else
      to->a[i] = array_new(L, a->dev, (DType)a->dtype, a->ndim, a->shape,
                           current_get_stream(L, a->dev));
  }
}

int dist_gather_shape (const Array *a, int size, int64_t shape[MAX_DIMS]) {
  memcpy(shape, a->shape, a->ndim * sizeof *shape);
  shape[0] = (a->ndim > 0) ? size * a->shape[0] : size;
  return (a->ndim > 0) ? a->ndim : 1;
}

int dist_scatter_shape (lua_State *L, int arg, const Array *a, int size,
                        int64_t shape[MAX_DIMS]) {
  if (a->ndim == 0 || a->shape[0] % size != 0) {
    array_push_shape(L, a);
    argerror_raise(L, arg,
                   "a first axis of a multiple of %d, the number of ranks, "
                   "expected, got shape %s",
                   size, a->ndim > 0 ? lua_tostring(L, -1) : "()");
  }
  memcpy(shape, a->shape, a->ndim * sizeof *shape);
  shape[0] /= size;
  return a->ndim;
}

int dist_count_copies (const Operands *to, const Operands *from) {
  int n = 0;
  for (int i = 0; i < to->n; i++)
    n += (to->a[i] != from->a[i] && to->a[i]->size > 0);
  return n;
}

void dist_copy_back (lua_State *L, const Operands *to, const Operands *from) {
  for (int i = 0; i < to->n; i++)
    if (to->a[i] != from->a[i])
      array_copyto(L, current_get_stream(L, to->a[i]->dev), to->a[i],
                   from->a[i]);
}

int dist_return (lua_State *L, const Comm *c, const Operands *x) {
  if (!x->list && c->n == 1) {
    lua_pushvalue(L, x->at);
    return 1;
  }
  lua_createtable(L, x->n, 0);
  for (int i = 0; i < x->n; i++) {
    lua_pushvalue(L, x->at + i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int dist_check_rank (lua_State *L, int arg, const Comm *c, const char *what,
                     const char *order) {
  int isint, last = c->at[0]->size - 1;
  lua_Integer rank = lua_tointegerx(L, arg, &isint);
  if (lua_type(L, arg) != LUA_TNUMBER || !isint)
    argerror_raise(L, arg,
                   "%s expected, an integer from 0 to %d, got %s; the "
                   "arguments are %s",
                   what, last, dist_describe_arg(L, arg), order);
  if (rank < 0 || rank > last)
    argerror_raise(L, arg, "%s from 0 to %d expected, got %I", what, last,
                   (LUAI_UACINT)rank);
  return (int)rank;
}

/* ==} */

/* {== elements ======================================================== */

const char *const dist_reductions[] = {/* in the order of ncclRedOp_t */
                                       "sum", "prod", "max",
                                       "min", "avg",  NULL};

ncclRedOp_t dist_opt_reduction_name (lua_State *L, int arg, const char *order) {
  if (lua_isnoneornil(L, arg))
    return ncclSum;
  if (lua_type(L, arg) != LUA_TSTRING)
    argerror_raise(L, arg,
                   "op expected, 'sum', 'prod', 'max', 'min' or 'avg', got %s; "
                   "the arguments are %s",
                   dist_describe_arg(L, arg), order);
  return (ncclRedOp_t)option_choice(L, arg, ncclSum, dist_reductions);
}

ncclRedOp_t dist_opt_reduction (lua_State *L, int arg) {
  static const char *const names[] = {"op", "out", NULL};
  if (lua_type(L, arg) != LUA_TTABLE)
    return dist_opt_reduction_name(L, arg, "a [, op], or a, { op=, out= }");
  option_check(L, arg, names);
  return (ncclRedOp_t)option_word(L, arg, "op", ncclSum, dist_reductions);
}

ncclDataType_t dist_move_type (DType t, size_t *each) {
  *each = dtype_size(t);
  return ncclUint8;
}

/* Returns the library's own type, or -1. */
static int own_type (DType t) {
  switch (t) {
    case DTYPE_INT8: return ncclInt8;
    case DTYPE_UINT8: return ncclUint8;
    case DTYPE_INT32: return ncclInt32;
    case DTYPE_UINT32: return ncclUint32;
    case DTYPE_INT64: return ncclInt64;
    case DTYPE_UINT64: return ncclUint64;
    case DTYPE_FLOAT16: return ncclFloat16;
    case DTYPE_BFLOAT16: return ncclBfloat16;
    case DTYPE_FLOAT32: return ncclFloat32;
    case DTYPE_FLOAT64: return ncclFloat64;
    default: return -1;
  }
}

/* For bool, max is "or" and min is "and"; complex sums are the sums of the
** parts. */
ncclDataType_t dist_reduce_type (lua_State *L, int arg, DType t,
                                 ncclRedOp_t *op, size_t *each) {
  int type = own_type(t);
  bool linear = (*op == ncclSum || *op == ncclAvg);
  *each = 1;
  if (t == DTYPE_BOOL && (*op == ncclMax || *op == ncclMin))
    type = ncclUint8;
  if (dtype_kind(t) == KIND_COMPLEX && linear) {
    type = (t == DTYPE_COMPLEX64) ? ncclFloat32 : ncclFloat64;
    *each = 2;
  }
  if (type < 0)
    argerror_raise(L, arg,
                   "there is no '%s' of %s between ranks: cast it first",
                   dist_reductions[*op], dtype_name(t));
  return (ncclDataType_t)type;
}

/* ==} */
