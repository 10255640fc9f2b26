/*
** shared.c - what all Runtimes of the process share of a device.
**
** DESIGN. The Runtimes that use a device find each other in one struct: the
** loaded kernels, idle stream handles and, under a lock of the device, how many
** streams stand at gates (standing.c). While some do, no stream can be made and
** no kernel loaded; so before the first one does, all kernels are loaded and a
** stock of streams is made, which host functions can have.
*/
#include "shared.h"

#include <stdlib.h>

#include "gemm.h"
#include "image.h"
#include "modules.h"
#include "runtime.h"
#include "standing.h"
#include "streams.h"
#include "wait.h"

enum {
  SPARE_NONBLOCKING = 32, SPARE_BLOCKING = 16,  /* of priority 0 */
  SPARE_OTHER = 1                               /* of each other priority */
};

/* {== the list of devices in use ====================================== */

static RtShared *first;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
unsigned rt_resets;

/* A child of fork has no device open, whatever its parent was doing. */
static void forget (void) {
  first = NULL;
  pthread_mutex_init(&list_lock, NULL);
}

static void watch_forks (void) { pthread_atfork(NULL, NULL, forget); }

static RtShared *find (const RtDevice *dev) {
  RtShared *sh = first;
  while (sh != NULL && (sh->D != dev->D || sh->ordinal != dev->ordinal))
    sh = sh->next;
  return sh;
}

static void unlink_shared (RtShared *sh) {
  RtShared **at = &first;
  while (*at != sh)
    at = &(*at)->next;
  *at = sh->next;
}

static void free_shared (RtShared *sh) {
  rt_forgetmodules(sh);
  for (RtGraph *g; (g = sh->execs) != NULL;) {
    sh->execs = g->next;
    free(g);
  }
  pthread_mutex_destroy(&sh->lock);
  free(sh->fns);
  free(sh);
}

static Status open_shared (RtDevice *dev, RtShared **out) {
  RtShared *sh = calloc(1, sizeof *sh);
  if (sh == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  static uint64_t made;
  sh->D = dev->D;
  sh->id = ++made;
  sh->ordinal = dev->ordinal;
  pthread_mutex_init(&sh->lock, NULL);
  Status st = rt_loadimage(dev, sh);
  if (st != 0) {
    free_shared(sh);
    return st;
  }
  sh->next = first;
  first = sh;
  *out = sh;
  return 0;
}

Status rt_joinshared (RtDevice *dev) {
  pthread_once(&watch_once, watch_forks);
  pthread_mutex_lock(&list_lock);
  RtShared *sh = find(dev);
  Status st = (sh == NULL) ? open_shared(dev, &sh) : 0;
  if (st == 0) {
    pthread_mutex_lock(&sh->lock);
    dev->shared = sh;
    dev->peer = sh->users;
    sh->users = dev;
    pthread_mutex_unlock(&sh->lock);
  }
  pthread_mutex_unlock(&list_lock);
  return st;
}

RtShared *rt_lockshared (const RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh != NULL) {
    pthread_mutex_lock(&sh->lock);
    return sh;
  }
  pthread_mutex_lock(&list_lock);
  sh = find(dev);
  if (sh != NULL)
    pthread_mutex_lock(&sh->lock);
  pthread_mutex_unlock(&list_lock);
  return sh;
}

static void remove_user (RtShared *sh, RtDevice *dev) {
  pthread_mutex_lock(&sh->lock);
  RtDevice **at = &sh->users;
  while (*at != dev)
    at = &(*at)->peer;
  *at = dev->peer;
  rt_leavestanding(dev);
  pthread_mutex_unlock(&sh->lock);
}

void rt_leaveshared (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh == NULL)
    return;
  pthread_mutex_lock(&list_lock);
  remove_user(sh, dev);
  dev->shared = NULL;
  if (sh->users == NULL && !sh->dead) {
    unlink_shared(sh);
    rt_freeall(sh);
    while (sh->nidle > 0)
      sh->D->cuStreamDestroy(sh->idle[--sh->nidle].handle);
    rt_unloadmodules(sh);
    rt_dropgemm(sh);
    rt_unloadimage(sh);
  }
  if (sh->users == NULL)
    free_shared(sh);
  pthread_mutex_unlock(&list_lock);
}

/*
** Both locks are held; they are taken in this order. A driver may repeat a
** fault whatever it is asked: then giving back all holds is what is left.
*/
static Status reset (RtShared *sh, RtDevice *dev) {
  Status st = sh->D->cuDevicePrimaryCtxReset(dev->dev);
  if (st != CUDA_SUCCESS && st != dev->fault.code)
    return rt_explain(dev->rt, st, "cuDevicePrimaryCtxReset",
                      "nothing has changed");
  for (const RtDevice *d = sh->users; d != NULL; d = d->peer)
    sh->D->cuDevicePrimaryCtxRelease(dev->dev);
  unlink_shared(sh);
  __atomic_store_n(&sh->dead, true, __ATOMIC_RELEASE);
  __atomic_add_fetch(&rt_resets, 1, __ATOMIC_RELEASE);
  return 0;
}

Status rt_resetshared (RtDevice *dev, const char *what) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&list_lock);
  pthread_mutex_lock(&sh->lock);
  Status st = sh->dead ? RT_RESET :
              (sh->standing > 0 && dev->fault.code == 0) ?
              rt_block(dev, WANT_OPEN, NULL, 0, what) :
              reset(sh, dev);
  pthread_mutex_unlock(&sh->lock);
  pthread_mutex_unlock(&list_lock);
  return st;
}

/* ==} */

/* {== stream handles ================================================== */

static bool take_idle (RtShared *sh, unsigned flags, int priority,
                       CUstream *handle) {
  for (int i = sh->nidle - 1; i >= 0; i--) {
    if (sh->idle[i].flags == flags && sh->idle[i].priority == priority) {
      *handle = sh->idle[i].handle;
      sh->idle[i] = sh->idle[--sh->nidle];
      sh->ready = false;
      return true;
    }
  }
  return false;
}

static void put_idle (RtShared *sh, unsigned flags, int priority,
                      CUstream handle) {
  if (sh->nidle == HANDLES_KEPT) {
    sh->D->cuStreamDestroy(handle);
    return;
  }
  IdleHandle *idle = &sh->idle[sh->nidle++];
  idle->handle = handle;
  idle->flags = flags;
  idle->priority = priority;
}

static Status create (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle) {
  Status st = dev->D->cuStreamCreateWithPriority(handle, flags, priority);
  return st ? rt_fail(dev->rt, st, "cuStreamCreateWithPriority") : 0;
}

Status rt_lendhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  bool found = !sh->dead && take_idle(sh, flags, priority, handle);
  pthread_mutex_unlock(&sh->lock);
  if (found)
    return 0;
  Status st = rt_lockdevice(dev, "cuStreamCreateWithPriority");
  if (st != 0)
    return st;
  st = create(dev, flags, priority, handle);
  rt_unlockdevice(dev);
  return st;
}

void rt_returnhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream handle) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (!sh->dead)
    put_idle(sh, flags, priority, handle);
  pthread_mutex_unlock(&sh->lock);
}

int rt_idlehandles (const RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  int n = sh->nidle;
  pthread_mutex_unlock(&sh->lock);
  return n;
}

bool rt_isidle (const RtDevice *dev, CUstream handle) {
  RtShared *sh = dev->shared;
  bool found = false;
  pthread_mutex_lock(&sh->lock);
  for (int i = 0; i < sh->nidle && !found; i++)
    found = (sh->idle[i].handle == handle);
  pthread_mutex_unlock(&sh->lock);
  return found;
}

/* ==} */

/* {== before anybody stands =========================================== */

static int count_idle (const RtShared *sh, unsigned flags, int priority) {
  int n = 0;
  for (int i = 0; i < sh->nidle; i++)
    n += (sh->idle[i].flags == flags && sh->idle[i].priority == priority);
  return n;
}

/* 'n' of them are there. */
static Status stock (RtDevice *dev, unsigned flags, int priority, int n) {
  CUstream handle;
  Status st = 0;
  n -= count_idle(dev->shared, flags, priority);
  while (st == 0 && n-- > 0) {
    st = create(dev, flags, priority, &handle);
    if (st == 0)
      put_idle(dev->shared, flags, priority, handle);
  }
  return st;
}

Status rt_prepare (RtDevice *dev) {
  Status st = rt_loadkernels(dev);
  if (st == 0)
    st = stock(dev, CU_STREAM_NON_BLOCKING, 0, SPARE_NONBLOCKING);
  if (st == 0)
    st = stock(dev, CU_STREAM_DEFAULT, 0, SPARE_BLOCKING);
  for (int p = dev->greatest; p <= dev->least && st == 0; p++) {
    if (p == 0)
      continue;
    st = stock(dev, CU_STREAM_NON_BLOCKING, p, SPARE_OTHER);
    if (st == 0)
      st = stock(dev, CU_STREAM_DEFAULT, p, SPARE_OTHER);
  }
  dev->shared->ready = (st == 0);
  return st;
}

/* ==} */
