/*
** comm_end.c - ends of communicators, and what must not overlap them.
**
** DESIGN. To end a communicator NCCL frees page-locked memory and streams, on a
** thread of ours. The driver then waits until the devices are idle, and holds
** locks that calls which queue work need as well. If a stream waits for another
** process's recording meanwhile, the thread that would release the stream may
** itself wait for such a lock, for ever (seen on two H200s, driver 580, NCCL
** 2.28). The same happens if the kernel of one rank of this process is queued,
** and that of the next one is not yet.
**
** So an end begins only while no stream of the process is held (device_lock.c)
** and no operation of several ranks is being queued. Neither begins before the
** end is over. An end that cannot begin blocks others for a while, because
** otherwise it might never begin; but a host function, which must not wait,
** goes on.
**
** The ranks of one machine end together: this takes as long as the slowest of
** them. If it takes longer than a rank is waited for otherwise, the end does
** not wait for the device, and others go on.
*/
#include "comm_end.h"

#include <pthread.h>

#include "rt/os/clock.h"
#include "wait.h"

enum { REQUEST_NS = 1000000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static RtEnding *endings;
static int bars;

/* A forked child forgets what its parent's threads were doing. */
static void forget (void) {
  endings = NULL;
  bars = 0;
  pthread_mutex_init(&mutex, NULL);
}

static void watch_forks (void) { pthread_atfork(NULL, NULL, forget); }

static void lock (void) {
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&mutex);
}

static void unlock (void) { pthread_mutex_unlock(&mutex); }

/* The lock is held. */
static void request (RtEnding *e) {
  if (e->requested)
    return;
  e->requested = true;
  e->until = clock_now() + REQUEST_NS;
  e->next = endings;
  endings = e;
}

bool comm_end_try (RtEnding *e, int64_t patience) {
  lock();
  request(e);
  if (bars == 0) {
    e->begun = true;
    e->until = clock_now() + patience;
  }
  unlock();
  return e->begun;
}

void comm_end_done (RtEnding *e) {
  lock();
  RtEnding **at = &endings;
  while (*at != NULL && *at != e)
    at = &(*at)->next;
  if (*at != NULL)
    *at = e->next;
  e->requested = e->begun = false;
  unlock();
}

/* Tells whether an end is due. A caller that must not wait counts only ends
** that have begun. The lock is held. */
static bool are_due (const Runtime *rt) {
  if (endings == NULL)
    return false;
  int64_t now = clock_now();
  for (const RtEnding *e = endings; e != NULL; e = e->next)
    if (now < e->until && (e->begun || rt_may_serve(rt)))
      return true;
  return false;
}

bool comm_end_is_due (const Runtime *rt) {
  lock();
  bool due = are_due(rt);
  unlock();
  return due;
}

Status comm_end_bar (RtDevice *dev, const char *what) {
  lock();
  bool due = are_due(dev->rt);
  bars += !due;
  unlock();
  return due ? wait_block(dev, WAIT_ENDED, NULL, 0, what) : 0;
}

void comm_end_add_bars (int n) {
  lock();
  bars += n;
  unlock();
}

void comm_end_allow (void) { comm_end_add_bars(-1); }
