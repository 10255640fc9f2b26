/*
** device_lock.c - what may not be done while a device waits for something other
** than its own work, and the lock under which it is done.
**
** DESIGN. Some driver calls wait for all work of the context, with a lock held
** that launches need as well: freeing page-locked memory, loading a module,
** every 35th or so new stream or graph; and a kernel that is loaded while a
** stream waits for a word does not run before it goes on (all seen on an H200).
** A stream waits so for another process's recording (timeline.c), and the
** kernel of a rank for those of other ranks. The calls are made under a lock
** while nobody does, and what was dropped waits in lists for such a time.
** Before somebody waits for the first time, all kernels are loaded and some
** streams are made (sharing.c).
**
** Nothing here waits: who cannot go on is RT_BLOCKED, and the wait is the
** caller's (wait.h), who runs host functions meanwhile.
*/
#include "device_lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "endings.h"
#include "event_pool.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "wait.h"

/*
** Page-locked memory is of use to every device, and to free it may wait for
** all of them: so for that the streams of all count, under a lock of their own,
** which is taken last.
*/
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static int all_held;

/* {== held ============================================================ */

/* Do ranks that wait for others keep calls of the driver waiting? Not on host
** devices: there what makes something waits for nothing. */
static bool ranks_bar (const RtDevice *dev) {
  return dev->pending > 0 && strcmp(dev->D->kind, "host") != 0;
}

/* Before the first one waits: then it is too late. The lock is held. */
static Status prepare (RtDevice *dev) {
  const RtShared *sh = dev->shared;
  bool first = (sh->held == 0 && !ranks_bar(dev));
  return (first && !sh->ready) ? sh->prepare(dev) : 0;
}

Status rt_prepare (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (ranks_bar(dev))
    return 0;
  pthread_mutex_lock(&sh->lock);
  Status st = !sh->dead ? prepare(dev) : 0;
  pthread_mutex_unlock(&sh->lock);
  return st;
}

void rt_countpending (RtDevice *dev, int n) { dev->pending += n; }

Status rt_isopen (const RtDevice *dev) {
  return ranks_bar(dev) ? CUDA_ERROR_NOT_READY : 0;
}

Status rt_holdstream (RtDevice *dev, int n) {
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
    rt_countbars(n);
  return st;
}

/* ==} */

/* {== while none is ==================================================== */

Status rt_lockdevice (RtDevice *dev, const char *what) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (!ranks_bar(dev) && !sh->dead)
    return 0;
  Status st = sh->dead ? rt_fail(dev->rt, RT_RESET, NULL)
                       : rt_block(dev, WANT_OPEN, NULL, 0, what);
  pthread_mutex_unlock(&sh->lock);
  return st;
}

/* Ranks that wait for others do not count: it is for cuBLAS, and which kernel
** computes a product must not depend on when others come. */
bool rt_trylockdevice (RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (sh->held == 0 && !sh->dead)
    return true;
  pthread_mutex_unlock(&sh->lock);
  return false;
}

void rt_unlockdevice (RtDevice *dev) {
  pthread_mutex_unlock(&dev->shared->lock);
}

enum { PTDS_KNOWN = 16 };  /* devices that a thread remembers */

/*
** The driver makes a thread's default stream when it is first used, and that
** call blocks as long as the device waits, with the driver's locks held (seen
** on an H200): so it is used once while it does not.
*/
Status rt_makeptds (RtDevice *dev) {
  static _Thread_local uint64_t known[PTDS_KNOWN];
  uint64_t id = dev->shared->id;
  CUevent event;
  if (known[id % PTDS_KNOWN] == id)
    return 0;
  Status st = rt_lockdevice(dev, "Stream.ptds");
  if (st != 0)
    return st;
  st = rt_recordnew(dev, CU_STREAM_PER_THREAD, &event);
  rt_unlockdevice(dev);
  if (st != 0)
    return st;
  rt_returnevent(dev, event);
  known[id % PTDS_KNOWN] = id;
  return 0;
}

static void free_execs (RtShared *sh) {
  for (RtGraph *g; (g = sh->execs) != NULL;) {
    sh->execs = g->next;
    for (int i = 0; i < g->nexecs; i++)
      if (g->execs[i] != NULL)
        sh->D->cuGraphExecDestroy(g->execs[i]);
    free(g);
  }
}

void rt_freeall (RtShared *sh) {
  while (sh->waiting != NULL) {
    void *p = sh->waiting;
    sh->waiting = *(void **)p;
    sh->D->cuMemFreeHost(p);
  }
  free_execs(sh);
}

void rt_whilecalm (RtShared *sh, void (*act) (RtShared *sh)) {
  pthread_mutex_lock(&all_lock);
  if (all_held == 0)
    act(sh);
  pthread_mutex_unlock(&all_lock);
}

/* The lock is held. Graphs are of one device. */
static void free_if_calm (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (dev->pending > 0)
    return;
  if (sh->held == 0)
    free_execs(sh);
  rt_whilecalm(sh, rt_freeall);
}

void rt_freehost (RtDevice *dev, void *p) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (!sh->dead) {  /* else so is the memory */
    *(void **)p = sh->waiting;
    sh->waiting = p;
    free_if_calm(dev);
  }
  pthread_mutex_unlock(&sh->lock);
}

void rt_freeexecs (RtGraph *g) {
  RtShared *sh = g->dev->shared;
  pthread_mutex_lock(&sh->lock);
  g->next = sh->execs;
  sh->execs = g;
  free_if_calm(g->dev);
  pthread_mutex_unlock(&sh->lock);
}

static void free_waiting (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh == NULL)
    return;
  pthread_mutex_lock(&sh->lock);
  if ((sh->waiting != NULL || sh->execs != NULL) && rt_visit(dev) == 0)
    free_if_calm(dev);
  pthread_mutex_unlock(&sh->lock);
}

void rt_freewaiting (Runtime *rt) {
  for (int i = 0; i < rt->ndevices; i++)
    free_waiting(&rt->devices[i]);
}

/* ==} */
