/*
** export.c - references to our memory that foreign code holds, and returns
** from any thread.
**
** DESIGN. Only the Lua thread counts references. So a returned export goes into
** a list under a lock, which later calls of tide empty. The list outlives the
** Runtime. When the Runtime closes, each block that is still exported becomes
** an orphan, with a hold on its context; the thread that returns its last
** export frees it. If the block was imported, its owner is notified then.
*/
#include "export.h"

#include <pthread.h>
#include <stdlib.h>

#include "address.h"
#include "block.h"
#include "block_types.h"
#include "import.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"

/* Memory that has outlived its Runtime. */
typedef struct Orphan {
  const Driver *D;
  CUdevice dev;
  CUcontext ctx; /* NULL: foreign memory, or gone */
  CUdeviceptr ptr;
  bool pinned, registered;
  int refs;
} Orphan;

struct RtExport {
  struct RtReturns *home;
  RtExport *next, **at; /* in one of its lists */
  RtBlock *block;       /* while the Runtime is open */
  Orphan *orphan;       /* after that */
  RtImport *import;     /* by which the block came, or NULL */
  bool detached;        /* the import goes on without the Runtime */
};

typedef struct RtReturns {
  pthread_mutex_t lock; /* for all fields below */
  int refs;             /* the Runtime, and exports in either list */
  bool closed;
  RtExport *out, *back;
  int nback; /* atomic: read without the lock */
} RtReturns;

static void put (RtExport **list, RtExport *x) {
  x->next = *list;
  if (x->next != NULL)
    x->next->at = &x->next;
  x->at = list;
  *list = x;
}

static void take (RtExport *x) {
  *x->at = x->next;
  if (x->next != NULL)
    x->next->at = x->at;
}

/* The caller holds the lock; it is released. */
static void leave (RtReturns *home) {
  bool last = (--home->refs == 0);
  pthread_mutex_unlock(&home->lock);
  if (last) {
    pthread_mutex_destroy(&home->lock);
    free(home);
  }
}

/* Takes an export off the returned ones; the lock is held. */
static RtExport *take_back (RtReturns *home) {
  RtExport *list = home->back;
  home->refs -= home->nback;
  home->back = NULL;
  __atomic_store_n(&home->nback, 0, __ATOMIC_RELAXED);
  return list;
}

static void drop_all (RtExport *list) {
  for (RtExport *next; list != NULL; list = next) {
    next = list->next;
    import_drop(list->import);
    block_drop(list->block);
    free(list);
  }
}

static Status open_returns (Runtime *rt) {
  RtReturns *home = calloc(1, sizeof *home);
  if (home == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  pthread_mutex_init(&home->lock, NULL);
  home->refs = 1;
  rt->returns = home;
  return 0;
}

Status export_new (RtBlock *b, RtImport *import, RtExport **out) {
  Runtime *rt = b->dev->rt;
  Status st = (rt->returns == NULL) ? open_returns(rt) : 0;
  if (st == 0)
    st = address_add(b);
  RtExport *x = (st == 0) ? calloc(1, sizeof *x) : NULL;
  if (x == NULL)
    return (st != 0) ? st : status_fail(rt, RT_NOMEM, NULL);
  x->home = rt->returns;
  x->block = b;
  x->import = import;
  block_retain(b);
  if (import != NULL)
    import_retain(import);
  pthread_mutex_lock(&x->home->lock);
  x->home->refs++;
  put(&x->home->out, x);
  pthread_mutex_unlock(&x->home->lock);
  *out = x;
  return 0;
}

RtBlock *export_block (const Runtime *rt, const RtExport *x,
                       RtImport **import) {
  *import = (x->home == rt->returns) ? x->import : NULL;
  return (x->home == rt->returns) ? x->block : NULL;
}

/* {== after the Runtime =============================================== */

/* The driver assumes that all work on the memory is done: on CUDA, cudaFree
** does not wait for memory of cudaMallocAsync. */
static void free_memory (const Orphan *o) {
  CUcontext before = NULL;
  const Driver *D = o->D;
  D->cuCtxGetCurrent(&before);
  D->cuCtxSetCurrent(o->ctx);
  if (o->registered)
    D->cuMemHostUnregister((void *)(uintptr_t)o->ptr);
  else if (o->pinned)
    D->cuMemFreeHost((void *)(uintptr_t)o->ptr);
  else
    D->cuMemFree(o->ptr);
  D->cuCtxSetCurrent(before);
  D->cuDevicePrimaryCtxRelease(o->dev);
}

static void drop_orphan (Orphan *o) {
  if (o == NULL)
    return;
  if (o->ctx != NULL)
    free_memory(o);
  free(o);
}

/* Makes the block's memory an orphan, which the Runtime forgets. NULL: no
** memory for that; the block leaks, which is better than to free it while it is
** used. */
static Orphan *adopt (RtBlock *b) {
  RtDevice *dev = b->dev;
  bool gone = life_is_stale(&b->life);
  Orphan *o = calloc(1, sizeof *o);
  if (o == NULL)
    return NULL;
  *o = (Orphan){.D = dev->D,
                .dev = dev->dev,
                .ptr = b->ptr,
                .pinned = b->pinned,
                .registered = b->registered};
  if (!gone && (!b->foreign || b->registered) &&
      dev->D->cuDevicePrimaryCtxRetain(&o->ctx, dev->dev) != CUDA_SUCCESS)
    o->ctx = NULL;
  b->registered = b->registered && o->ctx == NULL;
  return o;
}

/* Orphans x, and all other exports of its block. */
static void orphan (RtExport *x) {
  RtBlock *b = x->block;
  Orphan *o = adopt(b);
  for (; x != NULL; x = x->next) {
    if (x->block != b)
      continue;
    x->block = NULL;
    x->orphan = o;
    if (o != NULL)
      o->refs++;
  }
  if (!b->foreign)
    block_disown(b);
}

/* Detaches the import of x, and of all other exports with the same import. */
static void detach (RtExport *x) {
  RtImport *import = x->import;
  import_detach(import);
  for (; x != NULL; x = x->next) {
    if (x->import == import) {
      import_retain(import);
      x->detached = true;
    }
  }
}

bool export_any (const Runtime *rt) {
  RtReturns *home = rt->returns;
  if (home == NULL)
    return false;
  pthread_mutex_lock(&home->lock);
  bool any = home->out != NULL;
  pthread_mutex_unlock(&home->lock);
  return any;
}

void export_detach_all (Runtime *rt) {
  RtReturns *home = rt->returns;
  if (home == NULL)
    return;
  pthread_mutex_lock(&home->lock);
  home->closed = true;
  drop_all(take_back(home));
  for (RtExport *x = home->out; x != NULL; x = x->next)
    if (x->import != NULL && !x->detached)
      detach(x);
  for (RtExport *x = home->out; x != NULL; x = x->next)
    if (x->block != NULL)
      orphan(x);
  rt->returns = NULL;
  leave(home);
}

/* ==} */

/* {== returned exports ================================================ */

void export_return (RtExport *x) {
  RtReturns *home = x->home;
  Orphan *last = NULL;
  pthread_mutex_lock(&home->lock);
  take(x);
  if (!home->closed) {
    put(&home->back, x);
    __atomic_store_n(&home->nback, home->nback + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&home->lock);
    return;
  }
  if (x->orphan != NULL && --x->orphan->refs == 0)
    last = x->orphan;
  RtImport *import = (x->import != NULL && import_drop_detached(x->import))
                       ? x->import
                       : NULL;
  free(x);
  leave(home);
  if (import != NULL)
    import_release(import);
  drop_orphan(last);
}

bool export_has_returned (const Runtime *rt) {
  return rt->returns != NULL &&
         __atomic_load_n(&rt->returns->nback, __ATOMIC_RELAXED) > 0;
}

void export_drain (Runtime *rt) {
  RtReturns *home = rt->returns;
  if (!export_has_returned(rt))
    return;
  pthread_mutex_lock(&home->lock);
  RtExport *list = take_back(home);
  pthread_mutex_unlock(&home->lock);
  drop_all(list);
}

/* ==} */
