/*
** scatter.c - scatter_add, scatter_min, scatter_max: values put together with
** the elements at indices, of which several may be the same. See
** kernels/scatter.h: floats are added in the order of their places, for which
** those are sorted, so that the result is the same every time; by the host
** device in the order of the indices.
*/
#include <string.h>

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
#include "take_mask.h"

#include "kernels/scatter.h"

/* One call: z, which is 'a' or is brought back to it, and what goes there. */
typedef struct Call {
  const char *name;
  int op;
  Array *a, *z;
  Lines at;
  Indices x;     /* the array: places */
  Values v;
} Call;

/* {== integers, and the least and greatest ============================ */

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
  Check *check = tide_pushindexcheck(L, s, &c->x);
  uint32_t *bad = (check != NULL) ? check->flag : NULL;
  Op o;
  rt_startop(&o, OP_LAUNCH, NULL);
  CUdeviceptr pp = tide_reads(&o, c->x.array), pv = tide_reads(&o, c->v.array),
              pz = tide_writes(&o, c->z);
  tide_bindback(&o, c->a, c->z);
  void *params[] = {&pz, &pp, &pv, &c->at.n, &c->x.array->size, &c->at.inner,
                    &count, &c->v.n, &sign, &inf, &code, &bad};
  KernelId id = rt_kernel_named(width > 4 ? "scatter_k64" : "scatter_k32");
  tide_launchchecked(L, s, &o, id, rt_elementwise_grid(id, count), params,
                     tide_checkidx(L, check));
}

/* ==} */

/* {== sums of floats ================================================== */

enum { LEVELS = 16 };  /* more than there can be: each has a 16th of entries */

/* What is left of a launch: sums, and behind them their places. */
typedef struct Level {
  size_t m;     /* entries of a row, */
  Array *left;  /* which are here */
  size_t places;  /* bytes from the first sum to the first place */
} Level;

/* Complex numbers are two floats each. */
static DType part_of (DType t, size_t *parts) {
  *parts = (tide_kind(t) == KIND_COMPLEX) ? 2 : 1;
  return t == DTYPE_COMPLEX64 ? DTYPE_FLOAT32 :
         t == DTYPE_COMPLEX128 ? DTYPE_FLOAT64 : t;
}

static KernelId sums_kernel (DType t, bool ordered) {
  static const char *const names[][2] = {
    {"scatter_f16", "scatter_ordered_f16"},
    {"scatter_bf16", "scatter_ordered_bf16"},
    {"scatter_f32", "scatter_ordered_f32"},
    {"scatter_f64", "scatter_ordered_f64"}
  };
  int i = (t == DTYPE_FLOAT16) ? 0 : (t == DTYPE_BFLOAT16) ? 1 :
          (t == DTYPE_FLOAT32) ? 2 : 3;
  return rt_kernel_named(names[i][ordered]);
}

/* Pushes memory for what the launches leave; returns how many there are. */
static int push_levels (lua_State *L, RtStream *s, const Call *c, size_t inner,
                        Level level[LEVELS]) {
  int n = 0;
  size_t m = c->x.array->size;
  for (;; n++) {
    level[n] = (Level){.m = m};
    if (m <= SCATTER_CHUNK)
      return n + 1;
    m = 2 * SCATTER_CHUNKS(m);
    level[n].places = c->at.outer * m * inner * sizeof(double);
    int64_t words = (int64_t)(c->at.outer * m * inner + m);
    level[n].left = tide_newarray(L, c->a->dev, DTYPE_INT64, 1, &words, s);
  }
}

/* Pushes the order of the places, which are sorted as the least integers that
** have room for them. */
static Array *push_order (lua_State *L, const Call *c) {
  const Array *p = c->x.array;
  DType t = c->at.n <= UINT8_MAX ? DTYPE_UINT8 :
            c->at.n <= UINT16_MAX ? DTYPE_UINT16 :
            c->at.n <= UINT32_MAX ? DTYPE_UINT32 : DTYPE_INT64;
  int64_t size = (int64_t)p->size;
  tide_pushview(L, c->x.array, 1, &size, NULL, p->off);
  tide_pushcast(L, lua_gettop(L), t);
  tide_pushmethod(L, -1, "argsort");
  lua_insert(L, -2);
  tide_call(L, c->name, 1, 1);
  return tide_checkarray(L, -1);
}

/* One launch; those that come after it must go through. The first one has the
** check. */
static void add_up (lua_State *L, RtStream *s, const Call *c, Array *order,
                    size_t inner, size_t vn, const Level *level, int i, int n,
                    const Check *check) {
  const Array *from = (i > 0) ? level[i - 1].left : NULL;
  const Array *left = level[i].left;
  size_t rows = c->at.outer;
  uint32_t *bad = (check != NULL) ? check->flag : NULL;
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr pv = 0, po = 0, sums = 0, pl = 0, next = 0, pp;
  if (from == NULL) {
    pv = tide_reads(&op, c->v.array);
    po = tide_reads(&op, order);
    pp = tide_reads(&op, c->x.array);
  } else {
    sums = tide_reads(&op, from);
    pp = sums + level[i - 1].places;
  }
  if (left != NULL) {
    pl = tide_writes(&op, left);
    next = pl + level[i].places;
  }
  CUdeviceptr pz = tide_writes(&op, c->z);
  if (i == 0) {
    tide_bindback(&op, c->a, c->z);
    op.ahead += n - 1;
  }
  void *params[] = {&pz, &pv, &sums, &pl, &pp, &po, &next, (void *)&c->at.n,
                    (void *)&level[i].m, &inner, &vn, &rows, &bad};
  size_t parts;
  KernelId id = sums_kernel(part_of((DType)c->a->dtype, &parts), false);
  size_t count = rows * inner * SCATTER_CHUNKS(level[i].m);
  tide_launchchecked(L, s, &op, id, rt_elementwise_grid(id, count), params,
                     tide_checkidx(L, check));
}

/* Elements for each index that are worth a sum each, on the host device. */
enum { SUMS_WORTH = 64 };

static bool is_ordered (const Call *c) {
  return strcmp(c->a->dev->D->kind, "host") == 0 &&
         c->at.n / SUMS_WORTH <= c->x.array->size;
}

/* In the order of the indices, in one launch. */
static void add_ordered (lua_State *L, RtStream *s, const Call *c,
                         size_t inner, size_t vn) {
  size_t parts, rows = c->at.outer;
  KernelId id = sums_kernel(part_of((DType)c->a->dtype, &parts), true);
  int64_t size = (int64_t)(c->at.n * inner);
  Array *sums = tide_newarray(L, c->a->dev, DTYPE_FLOAT64, 1, &size, s);
  Check *check = tide_pushindexcheck(L, s, &c->x);
  uint32_t *bad = (check != NULL) ? check->flag : NULL;
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr pp = tide_reads(&op, c->x.array),
              pv = tide_reads(&op, c->v.array), ps = tide_writes(&op, sums),
              pz = tide_writes(&op, c->z);
  tide_bindback(&op, c->a, c->z);
  void *params[] = {&pz, &ps, &pp, &pv, (void *)&c->at.n,
                    (void *)&c->x.array->size, &inner, &vn, &rows, &bad};
  tide_launchchecked(L, s, &op, id, 1, params, tide_checkidx(L, check));
}

static void add_floats (lua_State *L, RtStream *s, Call *c) {
  Level level[LEVELS];
  size_t parts;
  part_of((DType)c->a->dtype, &parts);
  size_t inner = c->at.inner * parts;
  if (is_ordered(c)) {
    add_ordered(L, s, c, inner, c->v.n * parts);
    return;
  }
  Array *order = push_order(L, c);
  int n = push_levels(L, s, c, inner, level);
  Check *check = tide_pushindexcheck(L, s, &c->x);
  for (int i = 0; i < n; i++)
    add_up(L, s, c, order, inner, c->v.n * parts, level, i, n,
           i == 0 ? check : NULL);
}

/* ==} */

/* Reads what goes to the indices: along an axis what is broadcast to the
** slices; else what is broadcast to the indices. */
static void read_values (lua_State *L, RtStream *s, Call *c, int axis) {
  int64_t shape[MAX_DIMS];
  int ndim = tide_takenshape(L, c->a, c->x.array, axis, shape);
  tide_readvalues(L, 3, c->a, s, ndim, shape, true, &c->v);
}

static void check_dtype (lua_State *L, const Call *c) {
  DType t = (DType)c->a->dtype;
  if (c->op != SCATTER_ADD && tide_kind(t) == KIND_COMPLEX)
    tide_argerror(L, 1, lua_pushfstring(L, "'%s' is not defined for %s arrays",
                                        c->name, tide_dtypename(t)));
}

static void assemble (lua_State *L, RtStream *s, Call *c) {
  Kind kind = tide_kind((DType)c->a->dtype);
  tide_pushplaces(L, s, &c->x, (Lines){1, c->x.array->size, 1});
  c->z = tide_pushinner(L, s, c->a);
  if (c->op == SCATTER_ADD && kind >= KIND_FLOAT)
    add_floats(L, s, c);
  else
    by_keys(L, s, c);
  tide_bringback(L, s, c->a, c->z);
}

/*
** scatter_add(a, indices, values [, axis] [, { axis=, base=, mode= }]) -> a, to
** whose elements at the indices, or the slices across an axis, the values are
** added.
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

/* scatter_min, scatter_max: the elements become the least, or the greatest, of
** themselves and the values. NaN is either. */
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
  {NULL, NULL, 0}
};

void tide_openscatter (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
