/*
** device_lock.c - the lock for driver calls that wait for the device, and the
** lists of what is freed under it.
**
** DESIGN. Some driver calls wait for all work of the context and meanwhile hold
** a lock that launches need as well. They free page-locked memory, load a
** module, or create every 35th or so stream or graph. Besides, a kernel that is
** loaded while a stream waits for a word does not run before that stream goes
** on (all seen on an H200). A stream waits for a word when it waits for another
** process's recording (timeline.c), and the kernel of a rank waits for those of
** other ranks. So these calls are made under a lock, while no stream and no
** rank waits. Dropped memory and graphs stay in lists until then. Before a
** stream or rank waits for the first time, all kernels are loaded and some
** streams are created (sharing.c).
**
** No function here waits: it returns RT_BLOCKED instead. Its caller waits
** (wait.h) and runs host functions meanwhile.
*/
#include "device_lock.h"

#include <pthread.h>
#include <stdlib.h>

#include "comm_end.h"
#include "event_pool.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/graph/graph_types.h"
#include "wait.h"

/*
** Freeing page-locked memory may wait for every device, because every device
** can use it. So the held streams of all devices are counted, under a lock of
** their own, which is taken last.
*/
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static int all_held;

/* {== streams and ranks that wait ===================================== */

/* Tells whether ranks that wait for others block driver calls. They do not on
** host devices, where creating an object waits for nothing. */
static bool ranks_bar (const RtDevice *dev) {
  return dev->pending > 0 && !context_is_host(dev);
}

/* Prepares 'dev' before the first stream or rank waits; afterwards it is too
** late. The lock is held. */
static Status prepare (RtDevice *dev) {
  const RtShared *sh = dev->shared;
  bool first = (sh->held == 0 && !ranks_bar(dev));
  return (first && !sh->ready) ? sh->prepare(dev) : 0;
}

Status device_lock_prepare (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (ranks_bar(dev))
    return 0;
  pthread_mutex_lock(&sh->lock);
  Status st = !sh->dead ? prepare(dev) : 0;
  pthread_mutex_unlock(&sh->lock);
  return st;
}

void device_lock_add_pending (RtDevice *dev, int n) { dev->pending += n; }

Status device_lock_is_open (const RtDevice *dev) {
  return ranks_bar(dev) ? CUDA_ERROR_NOT_READY : 0;
}

Status device_lock_hold (RtDevice *dev, int n) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  Status st = (n > 0 && !sh->dead) ? prepare(dev) : 0;
  if (st == 0) {
    sh->held += n;
    pthread_mutex_lock(&all_lock);
    all_held += n;
    pthread_mutex_unlock(&all_lock);
  }
  pthread_mutex_unlock(&sh->lock);
  if (st == 0)
    comm_end_add_bars(n);
  return st;
}

/* ==} */

/* {== calls while none waits ========================================== */

Status device_lock_take (RtDevice *dev, const char *what) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (!ranks_bar(dev) && !sh->dead)
    return 0;
  Status st = sh->dead ? status_fail(dev->rt, RT_RESET, NULL)
                       : wait_block(dev, WAIT_OPEN, NULL, 0, what);
  pthread_mutex_unlock(&sh->lock);
  return st;
}

/* Ignores ranks that wait for others. The lock is for cuBLAS, and the choice of
** the kernel for a product must not depend on when other ranks come. */
bool device_lock_try (RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (sh->held == 0 && !sh->dead)
    return true;
  pthread_mutex_unlock(&sh->lock);
  return false;
}

void device_lock_release (RtDevice *dev) {
  pthread_mutex_unlock(&dev->shared->lock);
}

enum { PTDS_KNOWN = 16 }; /* devices that a thread remembers */

/*
** The driver creates a thread's default stream at its first use. That call
** blocks while the device waits, and holds the driver's locks (seen on an
** H200). So the stream is used once while no rank waits.
*/
Status device_lock_make_ptds (RtDevice *dev) {
  static _Thread_local uint64_t known[PTDS_KNOWN];
  uint64_t id = dev->shared->id;
  CUevent event;
  if (known[id % PTDS_KNOWN] == id)
    return 0;
  Status st = device_lock_take(dev, "Stream.ptds");
  if (st != 0)
    return st;
  st = event_pool_record(dev, CU_STREAM_PER_THREAD, &event);
  device_lock_release(dev);
  if (st != 0)
    return st;
  event_pool_return(dev, event);
  known[id % PTDS_KNOWN] = id;
  return 0;
}

static void free_execs (RtShared *sh) {
  while (sh->execs.n > 0) {
    RtGraph *g = (RtGraph *)links_take(&sh->execs);
    for (int i = 0; i < g->nexecs; i++)
      if (g->execs[i] != NULL)
        sh->D->cuGraphExecDestroy(g->execs[i]);
    free(g);
  }
}

void device_lock_free_all (RtShared *sh) {
  while (sh->waiting != NULL) {
    void *p = sh->waiting;
    sh->waiting = *(void **)p;
    sh->D->cuMemFreeHost(p);
  }
  free_execs(sh);
}

void device_lock_if_unheld (RtShared *sh, void (*act)(RtShared *sh)) {
  pthread_mutex_lock(&all_lock);
  if (all_held == 0)
    act(sh);
  pthread_mutex_unlock(&all_lock);
}

/* Frees what waits in the lists if nothing is held; graphs depend on one device
** only. The lock is held. */
static void free_if_undisturbed (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (dev->pending > 0)
    return;
  if (sh->held == 0)
    free_execs(sh);
  device_lock_if_unheld(sh, device_lock_free_all);
}

void device_lock_free_host (RtDevice *dev, void *p) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (!sh->dead) { /* else the memory is gone already */
    *(void **)p = sh->waiting;
    sh->waiting = p;
    free_if_undisturbed(dev);
  }
  pthread_mutex_unlock(&sh->lock);
}

void device_lock_free_execs (RtGraph *g) {
  RtShared *sh = g->dev->shared;
  pthread_mutex_lock(&sh->lock);
  links_add(&sh->execs, &g->link);
  free_if_undisturbed(g->dev);
  pthread_mutex_unlock(&sh->lock);
}

static void free_waiting (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh == NULL)
    return;
  pthread_mutex_lock(&sh->lock);
  if ((sh->waiting != NULL || sh->execs.n > 0) && context_reenter(dev) == 0)
    free_if_undisturbed(dev);
  pthread_mutex_unlock(&sh->lock);
}

void device_lock_free_waiting (Runtime *rt) {
  for (int i = 0; i < rt->ndevices; i++)
    free_waiting(&rt->devices[i]);
}

/* ==} */
