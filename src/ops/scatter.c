/*
** scatter.c - scatter_add, scatter_min, scatter_max: combine values with the
** elements at indices, which may be repeated. sums.c adds floats. See
** kernels/scatter.h.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "array/launch.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "indices.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
#include "sums.h"
#include "take_mask.h"

#include "kernels/scatter.h"

/* A call: z, which is 'a' or is copied back to it, the indices and the
** values. */
typedef struct Call {
  const char *name;
  int op;
  Array *a, *z;
  Lines at;
  Indices x;
  Values v;
} Call;

/* {== integers, minimum and maximum =================================== */

static void by_keys (lua_State *L, RtStream *s, Call *c) {
  DType t = (DType)c->a->dtype;
  size_t width = rt_dtype_size(t);
  bool is_signed = tide_isfloat(t) ||
                   (tide_kind(t) == KIND_INTEGER && !tide_isunsigned(t));
  uint64_t sign = (uint64_t)is_signed << (8 * width - 1) % 64;
  uint64_t inf = rt_dtype_infinities[t];
  int op = (t == DTYPE_BOOL && c->op == SCATTER_ADD) ? SCATTER_MAX : c->op;
  int64_t code = SCATTER_CODE(op, width);
  size_t count = c->at.outer * c->x.array->size * c->at.inner;
  if (tide_overlaps(c->z, c->x.array)) /* z is written while they are read */
    tide_pushplaces(L, s, &c->x, (Lines){1, c->x.array->size, 1}, true);
  Check *check = tide_pushindexcheck(L, s, &c->x);
  int64_t *bad = tide_checkword(check);
  Op o;
  rt_startop(&o, OP_LAUNCH, NULL);
  CUdeviceptr pi = tide_reads(&o, c->x.array), pv = tide_reads(&o, c->v.array),
              pz = tide_writes(&o, c->z);
  tide_bindback(&o, c->a, c->z);
  void *params[] = {
    &pz,          &pi,    &pv,     &c->at.n,   &c->x.array->size,
    &c->at.inner, &count, &c->v.n, &c->x.base, &c->x.mode,
    &sign,        &inf,   &code,   &bad};
  KernelId id = rt_kernel_named(width > 4 ? "scatter_k64" : "scatter_k32");
  tide_launchchecked(L, s, &o, id, rt_elementwise_grid(id, count), params,
                     tide_checkidx(L, check));
}

/* ==} */

/* Reads the values: along an axis, broadcast to the slices; otherwise broadcast
** to the indices. */
static void read_values (lua_State *L, RtStream *s, Call *c, int axis) {
  int64_t shape[MAX_DIMS];
  int ndim = tide_takenshape(L, c->a, c->x.array, axis, shape);
  tide_readvalues(L, 3, c->a, s, ndim, shape, true, &c->v);
}

static void check_dtype (lua_State *L, const Call *c) {
  DType t = (DType)c->a->dtype;
  if (c->op != SCATTER_ADD && tide_kind(t) == KIND_COMPLEX)
    tide_argerror(L, 1, "'%s' is not defined for %s arrays", c->name,
                  tide_dtypename(t));
}

static void add_floats (lua_State *L, RtStream *s, const Call *c) {
  const Sums sums = {.name = c->name,
                     .a = c->a,
                     .z = c->z,
                     .rows = c->at.outer,
                     .n = c->at.n,
                     .inner = c->at.inner,
                     .index = c->x.array,
                     .x = &c->x,
                     .v = c->v.array,
                     .vn = c->v.n};
  tide_addsums(L, s, &sums);
}

static void assemble (lua_State *L, RtStream *s, Call *c) {
  Kind kind = tide_kind((DType)c->a->dtype);
  c->z = tide_pushinner(L, s, c->a);
  if (c->op == SCATTER_ADD && kind >= KIND_FLOAT)
    add_floats(L, s, c);
  else
    by_keys(L, s, c);
  tide_bringback(L, s, c->a, c->z);
}

/*
** scatter_add(a, indices, values [, axis] [, { axis=, base=, mode= }]) -> a:
** adds the values to the elements at the indices, or to the slices across an
** axis.
*/
static int scatter (lua_State *L, const char *name, int op) {
  static const char *const names[] = {"axis", "base", "mode", NULL};
  int axis;
  Call c = {.name = name, .op = op, .x.what = name};
  lua_settop(L, 5);
  c.a = tide_checkarray(L, 1);
  int options = tide_optaxis(L, 4, c.a->ndim, names, &axis);
  check_dtype(L, &c);
  tide_checkwritable(L, 1, c.a);
  c.at = (axis >= 0) ? tide_lines(c.a, axis) : (Lines){1, c.a->size, 1};
  tide_readindexoptions(L, options, &c.x);
  RtStream *s = tide_currentstream(L, c.a->dev);
  tide_pushindices(L, 2, c.a, s, c.at.n, &c.x);
  read_values(L, s, &c, axis);
  if (c.at.n == 0 && c.x.array->size > 0)
    tide_raise(L, "%s: the axis has no elements", name);
  if (c.a->size > 0 && c.x.array->size > 0)
    assemble(L, s, &c);
  tide_drop(L, 5);
  lua_settop(L, 1);
  return 1;
}

static int array_scatter_add (lua_State *L) {
  return scatter(L, "scatter_add", SCATTER_ADD);
}

/* scatter_min, scatter_max: set the elements to the minimum, or maximum, of
** themselves and the values. NaN wins in both. */
static int array_scatter_min (lua_State *L) {
  return scatter(L, "scatter_min", SCATTER_MIN);
}

static int array_scatter_max (lua_State *L) {
  return scatter(L, "scatter_max", SCATTER_MAX);
}

static const Function functions[] = {
  {"scatter_add", array_scatter_add, 5},
  {"scatter_max", array_scatter_max, 5},
  {"scatter_min", array_scatter_min, 5},
  {NULL, NULL, 0},
};

void tide_openscatter (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
