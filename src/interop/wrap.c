/*
** wrap.c - makes arrays over foreign memory, and new ones, from C.
**
** All checks come before the memory is taken, and nothing after that can fail.
** So the owner either gets an error or is told once.
*/
#include "wrap.h"

#include "api.h"
#include "device/gc_pressure.h"
#include "array/geometry.h"
#include "base/error.h"
#include "device/current.h"
#include "device/host_function.h"
#include "rt/driver/status.h"
#include "tensor.h"

enum { ALIGNED_MOST = 16 }; /* bytes: a complex128 */

static int refuse (lua_State *L, const RtDevice *dev, const char *what) {
  return tide_fail(L, rt_explain(dev->rt, RT_MISUSE, NULL, "%s", what));
}

/* {== strides ========================================================= */

static uint64_t length (int64_t stride) {
  return (stride < 0) ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/* Returns the distance from the first to the last element of an axis. Raises if
** that is out of all bounds. */
static uint64_t reach (lua_State *L, const Array *a, int axis) {
  uint64_t far;
  if (__builtin_mul_overflow(length(tide_strides(a)[axis]),
                             (uint64_t)(a->shape[axis] - 1), &far) ||
      far > (uint64_t)1 << 46)
    refuse(L, a->dev, "the strides of the tensor lead beyond all memory");
  return far;
}

/*
** Tells whether two elements may coincide. They cannot if, axis by axis from
** the smallest stride on, each step goes beyond all that the axes before reach.
*/
static bool may_overlap (lua_State *L, const Array *a) {
  uint64_t extent = 0, least = 0;
  int left = 0;
  bool done[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++) {
    done[i] = (a->shape[i] <= 1);
    left += !done[i];
    if (!done[i])
      reach(L, a, i);
  }
  for (; left > 0; left--) {
    int next = -1;
    for (int i = 0; i < a->ndim; i++) {
      if (!done[i] && (next < 0 || length(tide_strides(a)[i]) < least)) {
        next = i;
        least = length(tide_strides(a)[i]);
      }
    }
    if (least <= extent)
      return true;
    extent += reach(L, a, next);
    done[next] = true;
  }
  return false;
}

/* ==} */

/* {== wrapping ======================================================== */

static CUdeviceptr first_of (const tide_Tensor *t) {
  return (CUdeviceptr)(uintptr_t)t->data + t->byte_offset;
}

static void check_memory (lua_State *L, const Array *a, const tide_Tensor *t) {
  size_t size = rt_dtype_size(a->dtype);
  if (a->size > 0 && t->data == NULL)
    refuse(L, a->dev, "the tensor has elements and no memory");
  if (a->size > 0 &&
      first_of(t) % (size < ALIGNED_MOST ? size : ALIGNED_MOST) != 0)
    refuse(L, a->dev,
           "the memory of the tensor is not aligned as its elements "
           "must be");
}

/* Sets the strides. An axis of one element may come with any stride, so it
** keeps its dense one. */
static void take_strides (Array *a, const int64_t *given) {
  int64_t strides[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    strides[i] = (a->shape[i] > 1) ? given[i] : tide_strides(a)[i];
  tide_setstrides(a, strides);
}

Array *tide_pushtensor (lua_State *L, const tide_Tensor *t, unsigned flags,
                        RtForeign *kind) {
  Place p = tide_placetensor(L, t, flags);
  tide_check(L, rt_enter(p.dev));
  if (tide_hasdropped(tide_state(L)))
    tide_drain(L);
  Array *a = tide_pushlent(L, p.class, p.dev, p.dtype, t->ndim, t->shape);
  check_memory(L, a, t);
  tide_relieve(L, p.dev, p.kind != FOREIGN_DEVICE, tide_nbytes(a));
  if (t->strides != NULL && a->size > 0) {
    take_strides(a, t->strides);
    a->repeats = a->repeats || (!a->dense && may_overlap(L, a));
  }
  a->readonly = (flags & TIDE_READ_ONLY) != 0;
  *kind = p.kind;
  return a;
}

static void place_first (Array *a, const tide_Tensor *t) {
  a->off = (size_t)(first_of(t) - a->block->ptr);
}

/* Without elements there is nothing to use. */
Status tide_givememory (Array *a, const tide_Tensor *t, RtForeign kind,
                        tide_Release release, void *ud) {
  size_t lo, hi;
  RtLoan *loan;
  RtBlock *block;
  if (a->size == 0) {
    if (release != NULL)
      release(ud);
    return 0;
  }
  tide_span(a, &lo, &hi); /* measured from 0: 'lo' may be below */
  Status st = rt_borrow(a->dev, kind, first_of(t) + lo, hi - lo, release, ud,
                        &loan, &block);
  if (st != 0)
    return st;
  a->block = block;
  tide_setloan(a, loan);
  place_first(a, t);
  return 0;
}

void tide_takehome (Array *a, const tide_Tensor *t, RtBlock *block,
                    RtLoan *loan) {
  if (a->size == 0)
    return;
  a->dev = block->dev;
  tide_shareblock(a, block, loan);
  place_first(a, t);
}

void tide_takememory (Array *a) {
  if (tide_loan(a) != NULL)
    rt_forgiveloan(tide_loan(a));
  tide_closearray(a);
}

typedef struct Wrap {
  const tide_Tensor *tensor;
  unsigned flags;
  tide_Release release;
  void *ud;
} Wrap;

static int wrap (lua_State *L) {
  const Wrap *w = lua_touserdata(L, 1);
  RtForeign kind;
  Array *a = tide_pushtensor(L, w->tensor, w->flags, &kind);
  tide_check(L, tide_givememory(a, w->tensor, kind, w->release, w->ud));
  return 1;
}

static const ApiCall wrap_call = {wrap};

void api_wrap (lua_State *L, const tide_Tensor *t, unsigned flags,
               tide_Release release, void *ud) {
  Wrap w = {t, flags, release, ud};
  tide_callapi(L, &wrap_call, &w, 0, 1);
}

/* ==} */

static int create (lua_State *L) {
  const Wrap *w = lua_touserdata(L, 1);
  const tide_Tensor *t = w->tensor;
  Place p = tide_placetensor(L, t, w->flags);
  if (p.class == &tide_hostarrayclass)
    tide_newhostarray(L, p.dev, p.dtype, t->ndim, t->shape);
  else
    tide_newarray(L, p.dev, p.dtype, t->ndim, t->shape,
                  tide_currentstream(L, p.dev));
  return 1;
}

static const ApiCall create_call = {create};

void api_create (lua_State *L, const tide_Tensor *t, unsigned flags) {
  Wrap w = {t, flags, NULL, NULL};
  tide_callapi(L, &create_call, &w, 0, 1);
}

void tide_openwrap (lua_State *L) {
  tide_openapicall(L, &wrap_call);
  tide_openapicall(L, &create_call);
}
