/*
** operands.c - arrays of communicators' operations: one for each rank of this
** process, dense while the library works on them.
*/
#include <string.h>

#include "array/dtype.h"
#include "array/geometry.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/error.h"
#include "base/list.h"
#include "base/slip.h"
#include "comm.h"
#include "device/current.h"
#include "device/device.h"
#include "rt/kernels/dtypes.h"

const char *comm_pushinstead (lua_State *L, int arg) {
  return lua_isnoneornil(L, arg)           ? lua_pushliteral(L, "no value")
         : lua_type(L, arg) == LUA_TNUMBER ? luaL_tolstring(L, arg, NULL)
                                           : tide_pushtypename(L, arg);
}

/* {== arrays ========================================================== */

void comm_wrongdevice (lua_State *L, int arg, const Comm *c, int i,
                       const Array *a) {
  char is[DEVICE_NAME], wanted[DEVICE_NAME];
  tide_argerror(L, arg,
                "rank %d is on %s, and its array on "
                "%s",
                c->at[i]->rank, tide_devicename(c->at[i]->dev, wanted),
                tide_devicename(a->dev, is));
}

static void check_alike (lua_State *L, int arg, const Array *a,
                         const Array *b) {
  if (a->dtype != b->dtype)
    tide_argerror(L, arg,
                  "arrays of one dtype expected, "
                  "got %s and %s",
                  tide_dtypename(a->dtype), tide_dtypename(b->dtype));
  if (tide_sameshape(a, b))
    return;
  tide_pushshape(L, a);
  tide_pushshape(L, b);
  tide_argerror(L, arg,
                "arrays of one shape expected, got "
                "%s and %s",
                lua_tostring(L, -2), lua_tostring(L, -1));
}

void comm_copyoperands (Operands *to, const Operands *from) {
  memcpy(to, from, offsetof(Operands, a) + (size_t)from->n * sizeof from->a[0]);
}

/* Takes the value on the top as 'a', the array of local rank i. */
static void take (lua_State *L, int arg, const Comm *c, Operands *x, int i,
                  Array *a) {
  tide_checkopen(L, arg, a);
  if (a->dev != c->at[i]->dev)
    comm_wrongdevice(L, arg, c, i, a);
  if (i > 0)
    check_alike(L, arg, x->a[0], a);
  x->a[i] = a;
}

static void take_list (lua_State *L, int arg, int idx, const Comm *c,
                       Operands *x) {
  if ((int)lua_rawlen(L, idx) != c->n)
    tide_argerror(L, arg,
                  "a list of %d arrays expected, "
                  "one for each rank of this process, got %d",
                  c->n, (int)lua_rawlen(L, idx));
  luaL_checkstack(L, c->n + 4, NULL);
  tide_checklistin(L, arg, idx, (lua_Unsigned)c->n,
                   idx == arg ? "a list of arrays; options are a table of "
                                "their own"
                              : "option 'out', a list of arrays");
  x->list = true;
  for (int i = 0; i < c->n; i++) {
    lua_rawgeti(L, idx, i + 1);
    Array *a = tide_testarray(L, -1);
    if (a == NULL)
      tide_argerror(L, arg,
                    "item %d: tide.Array expected, "
                    "got %s",
                    i + 1, tide_pushtypename(L, lua_gettop(L)));
    take(L, arg, c, x, i, a);
  }
}

/* comm_pushranked for the value at 'idx'. */
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
    tide_argerror(L, arg,
                  "a list of %d tide.Array "
                  "expected, one for each rank of this process, got %s",
                  c->n, comm_pushinstead(L, idx));
  } else if ((a = tide_testarray(L, idx)) == NULL) {
    tide_typeerror(L, arg, "tide.Array");
  } else {
    lua_pushvalue(L, idx);
    take(L, arg, c, x, 0, a);
  }
}

void comm_pushranked (lua_State *L, const Comm *c, int arg, Operands *x) {
  push_ranked(L, arg, arg, c, x);
}

bool comm_pushrankedout (lua_State *L, const Comm *c, int options,
                         Operands *x) {
  if (!lua_istable(L, options) || tide_getoption(L, options, "out") == LUA_TNIL)
    return false;
  push_ranked(L, options, lua_gettop(L), c, x);
  for (int i = 0; i < x->n; i++)
    tide_checkwritable(L, options, x->a[i]);
  return true;
}

void comm_pushnew (lua_State *L, const Comm *c, Operands *x, DType t, int ndim,
                   const int64_t *shape) {
  luaL_checkstack(L, c->n + 4, NULL);
  x->n = c->n;
  x->size = c->at[0]->size;
  x->at = lua_gettop(L) + 1;
  for (int i = 0; i < c->n; i++)
    x->a[i] = tide_newarray(L, c->at[i]->dev, t, ndim, shape,
                            tide_currentstream(L, c->at[i]->dev));
}

void comm_checkout (lua_State *L, int arg, const Operands *out, DType t,
                    int ndim, const int64_t *shape) {
  const Array *a = out->a[0];
  if (a->dtype != t)
    tide_argerror(L, arg,
                  "option 'out': dtype %s expected, "
                  "got %s",
                  tide_dtypename(t), tide_dtypename(a->dtype));
  if (tide_hasshape(a, ndim, shape))
    return;
  tide_pushdims(L, ndim, shape);
  tide_pushshape(L, a);
  tide_argerror(L, arg,
                "option 'out': shape %s expected, "
                "got %s",
                lua_tostring(L, -2), lua_tostring(L, -1));
}

void comm_pushdensed (lua_State *L, const Operands *x, Operands *dense) {
  luaL_checkstack(L, x->n + 4, NULL);
  comm_copyoperands(dense, x);
  dense->at = lua_gettop(L) + 1;
  for (int i = 0; i < x->n; i++) {
    if (x->a[i]->dense)
      lua_pushvalue(L, x->at + i);
    else
      dense->a[i] = tide_pushdense(L, x->at + i);
  }
}

void comm_pushapart (lua_State *L, const Operands *out, const Operands *from,
                     Operands *to) {
  luaL_checkstack(L, out->n + 4, NULL);
  comm_copyoperands(to, out);
  to->at = lua_gettop(L) + 1;
  for (int i = 0; i < out->n; i++) {
    Array *a = out->a[i];
    if (a->dense && (from->a[i] == NULL || !tide_overlaps(a, from->a[i])))
      lua_pushvalue(L, out->at + i);
    else
      to->a[i] = tide_newarray(L, a->dev, (DType)a->dtype, a->ndim, a->shape,
                               tide_currentstream(L, a->dev));
  }
}

int comm_gatheredshape (const Array *a, int size, int64_t shape[MAX_DIMS]) {
  memcpy(shape, a->shape, a->ndim * sizeof *shape);
  shape[0] = (a->ndim > 0) ? size * a->shape[0] : size;
  return (a->ndim > 0) ? a->ndim : 1;
}

int comm_scatteredshape (lua_State *L, int arg, const Array *a, int size,
                         int64_t shape[MAX_DIMS]) {
  if (a->ndim == 0 || a->shape[0] % size != 0) {
    tide_pushshape(L, a);
    tide_argerror(L, arg,
                  "a first axis of a multiple of "
                  "%d, the number of ranks, expected, got shape %s",
                  size, a->ndim > 0 ? lua_tostring(L, -1) : "()");
  }
  memcpy(shape, a->shape, a->ndim * sizeof *shape);
  shape[0] /= size;
  return a->ndim;
}

int comm_countback (const Operands *to, const Operands *from) {
  int n = 0;
  for (int i = 0; i < to->n; i++)
    n += (to->a[i] != from->a[i] && to->a[i]->size > 0);
  return n;
}

void comm_putback (lua_State *L, const Operands *to, const Operands *from) {
  for (int i = 0; i < to->n; i++)
    if (to->a[i] != from->a[i])
      tide_copy(L, tide_currentstream(L, to->a[i]->dev), to->a[i], from->a[i]);
}

int comm_returnranked (lua_State *L, const Comm *c, const Operands *x) {
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

int comm_checkrank (lua_State *L, int arg, const Comm *c, const char *what,
                    const char *order) {
  int isint, last = c->at[0]->size - 1;
  lua_Integer rank = lua_tointegerx(L, arg, &isint);
  if (lua_type(L, arg) != LUA_TNUMBER || !isint)
    tide_argerror(L, arg,
                  "%s expected, an integer from 0 "
                  "to %d, got %s; the arguments are %s",
                  what, last, comm_pushinstead(L, arg), order);
  if (rank < 0 || rank > last)
    tide_argerror(L, arg,
                  "%s from 0 to %d expected, got "
                  "%I",
                  what, last, (LUAI_UACINT)rank);
  return (int)rank;
}

/* ==} */

/* {== elements ======================================================== */

const char *const comm_reductions[] = {/* in the order of ncclRedOp_t */
                                       "sum", "prod", "max",
                                       "min", "avg",  NULL};

ncclRedOp_t comm_optreductionname (lua_State *L, int arg, const char *order) {
  if (lua_isnoneornil(L, arg))
    return ncclSum;
  if (lua_type(L, arg) != LUA_TSTRING)
    tide_argerror(L, arg,
                  "op expected, 'sum', 'prod', "
                  "'max', 'min' or 'avg', got %s; the arguments are %s",
                  comm_pushinstead(L, arg), order);
  return (ncclRedOp_t)tide_checkchoice(L, arg, ncclSum, comm_reductions);
}

ncclRedOp_t comm_optreduction (lua_State *L, int arg) {
  static const char *const names[] = {"op", "out", NULL};
  if (lua_type(L, arg) != LUA_TTABLE)
    return comm_optreductionname(L, arg, "a [, op], or a, { op=, out= }");
  tide_checkoptions(L, arg, names);
  tide_getoption(L, arg, "op");
  const char *name = lua_tostring(L, -1);
  int op = lua_isnil(L, -1) ? ncclSum : -1;
  for (int i = 0; op < 0 && name != NULL && comm_reductions[i] != NULL; i++)
    if (strcmp(name, comm_reductions[i]) == 0)
      op = i;
  tide_argcheck(L, op >= 0, arg,
                "option 'op' must be 'sum', 'prod', 'max', "
                "'min' or 'avg'");
  lua_pop(L, 1);
  return (ncclRedOp_t)op;
}

ncclDataType_t comm_movedtype (DType t, size_t *each) {
  *each = rt_dtype_size(t);
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
ncclDataType_t comm_reducedtype (lua_State *L, int arg, DType t,
                                 ncclRedOp_t *op, size_t *each) {
  int type = own_type(t);
  bool linear = (*op == ncclSum || *op == ncclAvg);
  *each = 1;
  if (t == DTYPE_BOOL && (*op == ncclMax || *op == ncclMin))
    type = ncclUint8;
  if (tide_kind(t) == KIND_COMPLEX && linear) {
    type = (t == DTYPE_COMPLEX64) ? ncclFloat32 : ncclFloat64;
    *each = 2;
  }
  if (type < 0)
    tide_argerror(L, arg,
                  "there is no '%s' of %s between "
                  "ranks: cast it first",
                  comm_reductions[*op], tide_dtypename(t));
  return (ncclDataType_t)type;
}

/* ==} */
