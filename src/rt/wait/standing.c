/*
** standing.c - the streams of the process in which the device may stand still,
** at a gate, and what may not be done meanwhile.
**
** DESIGN. A device has 8 queues, or CUDA_DEVICE_MAX_CONNECTIONS. A stream that
** stands at a gate occupies one, and so does each that waits for it; with all
** of them taken nothing runs any more, and calls that queue work block inside
** the driver: for ever, if that is what would open the gate (seen on an H200,
** driver 580: 8 gates, or 4 and a stream behind each, or 6 in graphs). So few
** may stand at a time, of all Lua states together; host functions may bring
** some more, as they must not wait.
**
** Some driver calls wait for all work of the context, with a lock held that
** launches need as well: freeing page-locked memory, loading a module, every
** 35th or so new stream or graph; and a kernel that is loaded while a stream
** stands does not run before it goes on (all seen on an H200). So they are made
** while nobody stands, under the lock with which streams are counted. What was
** dropped waits in lists for such a time. Before anybody stands for the first
** time, all kernels are loaded and some streams are made (sharing.c).
**
** An operation of ranks that waits for others is to those calls what a gate is.
** So all that is made before one as well, and such a stream can be had
** meanwhile.
**
** Nothing here waits: who cannot go on is RT_BLOCKED, and the wait is the
** caller's (wait.h), who runs host functions meanwhile.
*/
#include "standing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "endings.h"
#include "event_pool.h"
#include "hurdles.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "wait.h"

enum {
  CONNECTIONS = 8,
  FREE = 3,          /* that others leave alone, */
  FREE_RUNNING = 1   /* and host functions */
};

/*
** Page-locked memory is of use to every device, and to free it may wait for
** all of them: so for that the streams of all count, under a lock of their own,
** which is taken last.
*/
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static int all_standing;

static void count (RtShared *sh, int standing, int held) {
  __atomic_store_n(&sh->standing, sh->standing + standing, __ATOMIC_RELEASE);
  sh->held += held;
  pthread_mutex_lock(&all_lock);
  all_standing += standing + held;
  pthread_mutex_unlock(&all_lock);
}

/* {== standing ======================================================== */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int connections = CONNECTIONS;

/* With more of them, as many graphs with gates were enough to fill all. */
static void read_connections (void) {
  const char *text = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  long n = (text != NULL) ? strtol(text, NULL, 10) : CONNECTIONS;
  if (n > 0 && n < CONNECTIONS)
    connections = (int)n;
}

static int most (const Runtime *rt) {
#if defined(TIDE_TESTING)
  if (rt->most_standing > 0 && rt->running == NULL)
    return rt->most_standing;
#endif
  pthread_once(&once, read_connections);
  int n = connections - (rt->running != NULL ? FREE_RUNNING : FREE);
  return (n > 0) ? n : 1;
}

/* Do ranks that wait for others keep calls of the driver waiting? Not on host
** devices: there what makes something waits for nothing. */
static bool ranks_bar (const RtDevice *dev) {
  return dev->pending > 0 && strcmp(dev->D->kind, "host") != 0;
}

/* Before the first one stands: then it is too late. The lock is held. */
static Status prepare (RtDevice *dev) {
  const RtShared *sh = dev->shared;
  bool first = (sh->standing == 0 && sh->held == 0 && !ranks_bar(dev));
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

/* The lock is held. */
static Status add (RtStream *s, const char *what) {
  RtDevice *dev = s->dev;
  RtShared *sh = dev->shared;
  Status st = sh->dead ? rt_fail(dev->rt, RT_RESET, NULL) : 0;
  if (st == 0)
    st = prepare(dev);
  if (st != 0)
    return st;
  if (sh->standing >= most(dev->rt))
    return rt_block(dev, WANT_STAND, s, 0, what);
  count(sh, 1, 0);
  dev->standing[dev->nstanding++] = s;
  rt_movestanding(dev);
  s->standing = true;
  return 0;
}

Status rt_stand (RtStream *s, const char *what) {
  if (s->standing)
    return 0;
  Status st = rt_makeptds(s->dev);
  if (st != 0)
    return st;
  pthread_mutex_lock(&s->dev->shared->lock);
  st = add(s, what);
  pthread_mutex_unlock(&s->dev->shared->lock);
  return st;
}

void rt_settle (RtDevice *dev) {
  int n = 0;
  for (int i = 0; i < dev->nstanding; i++) {
    RtStream *s = dev->standing[i];
    if (rt_stands(s)) {
      dev->standing[n++] = s;
      continue;
    }
    s->standing = false;
    s->nhurdles = 0;
  }
  if (n == dev->nstanding)
    return;
  pthread_mutex_lock(&dev->shared->lock);
  count(dev->shared, n - dev->nstanding, 0);
  dev->nstanding = n;
  pthread_mutex_unlock(&dev->shared->lock);
}

/* How many stand by other Lua states of this thread: none of their functions
** can run before we are done. The lock is held. */
static int count_stuck (const RtShared *sh, const RtDevice *dev) {
  int n = 0;
  for (const RtDevice *d = sh->users; d != NULL; d = d->peer)
    if (d != dev &&
        __atomic_load_n(&d->stander, __ATOMIC_RELAXED) == rt_thread())
      n += d->nstanding;
  return n;
}

void rt_countpending (RtDevice *dev, int n) { dev->pending += n; }

/* Are fewer than 'limit' standing? 'dev' may be one that could not be
** opened. */
static Status ask (RtDevice *dev, int limit, bool quiet, const char *what) {
  RtShared *sh = rt_lockshared(dev);
  if (sh == NULL)
    return 0;
  bool less = (sh->standing < limit && (!quiet || !ranks_bar(dev)));
  bool stuck = (count_stuck(sh, dev) >= limit);
  pthread_mutex_unlock(&sh->lock);
  if (less)
    return 0;
  return !stuck ? CUDA_ERROR_NOT_READY :
         rt_explain(dev->rt, CUDA_ERROR_NOT_PERMITTED, what, "it would wait "
                    "for a host function of another Lua state of this thread");
}

Status rt_hasroom (RtDevice *dev, const char *what) {
  return ask(dev, most(dev->rt), false, what);
}

Status rt_isopen (RtDevice *dev, const char *what) {
  return ask(dev, 1, true, what);
}

/* Each operation of ranks asks, and a lock takes as long as some hundred
** instructions. */
Status rt_isclear (RtDevice *dev, const char *what) {
  const RtShared *sh = dev->shared;
  if (sh != NULL && __atomic_load_n(&sh->standing, __ATOMIC_ACQUIRE) == 0)
    return 0;
  return ask(dev, 1, false, what);
}

Status rt_holdstream (RtDevice *dev, int n) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  Status st = (n > 0 && !sh->dead) ? prepare(dev) : 0;
  if (st == 0)
    count(sh, 0, n);
  pthread_mutex_unlock(&sh->lock);
  if (st == 0)
    rt_countbars(n);
  return st;
}

/* ==} */

/* {== while nobody stands ============================================= */

Status rt_lockdevice (RtDevice *dev, const char *what) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (sh->standing == 0 && !ranks_bar(dev) && !sh->dead)
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
  if (sh->standing == 0 && sh->held == 0 && !sh->dead)
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
** call blocks as long as streams stand at gates, with the driver's locks held
** (seen on an H200): so it is used once while none does.
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
    sh->D->cuGraphExecDestroy(g->exec);
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
  if (all_standing == 0)
    act(sh);
  pthread_mutex_unlock(&all_lock);
}

/* The lock is held. Graphs are of one device. */
static void free_if_calm (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (dev->pending > 0)
    return;
  if (sh->standing == 0 && sh->held == 0)
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

void rt_freeexec (RtGraph *g) {
  RtShared *sh = g->dev->shared;
  if (g->exec == NULL) {
    free(g);
    return;
  }
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

/* A device leaves, with streams that nobody will let go: it has failed. The
** lock is held. */
void rt_leavestanding (RtDevice *dev) {
  count(dev->shared, -dev->nstanding, 0);
  for (int i = 0; i < dev->nstanding; i++)
    dev->standing[i]->standing = false;
  dev->nstanding = 0;
}

/* ==} */
