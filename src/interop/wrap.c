/*
** wrap.c - makes arrays over foreign memory, and new ones, from C.
**
** All checks come before the memory is taken, and nothing after that can fail.
** So the owner either gets an error or is notified once.
*/
#include "wrap.h"

#include "api.h"
#include "array/layout.h"
#include "base/error.h"
#include "device/current.h"
#include "device/drain.h"
#include "device/gc.h"
#include "device/hostfunc.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "tensor.h"

enum { ALIGNED_MOST = 16 }; /* bytes: a complex128 */

static int refuse (lua_State *L, const RtDevice *dev, const char *what) {
  return error_fail(L, status_explain(dev->rt, RT_MISUSE, NULL, "%s", what));
}

/* {== strides ========================================================= */

static uint64_t length (int64_t stride) {
  return (stride < 0) ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/* Returns the distance from the first to the last element of an axis. Raises if
** that is out of all bounds. */
static uint64_t reach (lua_State *L, const Array *a, int axis) {
  uint64_t far;
  if (__builtin_mul_overflow(length(array_stride(a)[axis]),
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
      if (!done[i] && (next < 0 || length(array_stride(a)[i]) < least)) {
        next = i;
        least = length(array_stride(a)[i]);
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
  size_t size = dtype_size(a->dtype);
  if (a->size > 0 && t->data == NULL)
    refuse(L, a->dev, "the tensor has elements and no memory");
  if (a->size > 0 &&
      first_of(t) % (size < ALIGNED_MOST ? size : ALIGNED_MOST) != 0)
    refuse(L, a->dev,
           "the memory of the tensor is not aligned as its elements must be");
}

/* Sets the strides. An axis of one element may come with any stride, so it
** keeps its dense one. */
static void take_strides (Array *a, const int64_t *given) {
  int64_t strides[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    strides[i] = (a->shape[i] > 1) ? given[i] : array_stride(a)[i];
  array_set_strides(a, strides);
}

Array *wrap_push (lua_State *L, const tide_Tensor *t, unsigned flags,
                  RtForeign *kind) {
  TensorSpec p = tensor_resolve(L, t, flags);
  error_check(L, context_enter(p.dev));
  if (drain_is_due(state_get(L)))
    drain_dropped(L);
  Array *a = array_push_import(L, p.class, p.dev, p.dtype, t->ndim, t->shape);
  check_memory(L, a, t);
  gc_relieve(L, p.dev, p.kind != FOREIGN_DEVICE, array_bytes(a));
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
Status wrap_give_memory (Array *a, const tide_Tensor *t, RtForeign kind,
                         tide_Release release, void *ud) {
  size_t lo, hi;
  RtImport *import;
  RtBlock *block;
  if (a->size == 0) {
    if (release != NULL)
      release(ud);
    return 0;
  }
  layout_span(a, &lo, &hi); /* measured from 0: 'lo' may be below */
  Status st = import_memory(a->dev, kind, first_of(t) + lo, hi - lo, release,
                            ud, &import, &block);
  if (st != 0)
    return st;
  a->block = block;
  array_set_import(a, import);
  place_first(a, t);
  return 0;
}

void wrap_share_block (Array *a, const tide_Tensor *t, RtBlock *block,
                       RtImport *import) {
  if (a->size == 0)
    return;
  a->dev = block->dev;
  array_share_block(a, block, import);
  place_first(a, t);
}

void wrap_take_back (Array *a) {
  if (array_import(a) != NULL)
    import_cancel(array_import(a));
  array_release(a);
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
  Array *a = wrap_push(L, w->tensor, w->flags, &kind);
  error_check(L, wrap_give_memory(a, w->tensor, kind, w->release, w->ud));
  return 1;
}

static const ApiCall wrap_call = {wrap};

void wrap_tensor (lua_State *L, const tide_Tensor *t, unsigned flags,
                  tide_Release release, void *ud) {
  Wrap w = {t, flags, release, ud};
  api_call(L, &wrap_call, &w, 0, 1);
}

/* ==} */

static int create (lua_State *L) {
  const Wrap *w = lua_touserdata(L, 1);
  const tide_Tensor *t = w->tensor;
  TensorSpec p = tensor_resolve(L, t, w->flags);
  if (p.class == &array_host_class)
    array_new_host(L, p.dev, p.dtype, t->ndim, t->shape);
  else
    array_new(L, p.dev, p.dtype, t->ndim, t->shape,
              current_get_stream(L, p.dev));
  return 1;
}

static const ApiCall create_call = {create};

void wrap_create (lua_State *L, const tide_Tensor *t, unsigned flags) {
  Wrap w = {t, flags, NULL, NULL};
  api_call(L, &create_call, &w, 0, 1);
}

void open_wrap (lua_State *L) {
  api_register(L, &wrap_call);
  api_register(L, &create_call);
}
