/*
** endings.c - ends of communicators, and what may not meet them.
**
** DESIGN. To end a communicator NCCL frees page-locked memory and streams, on
** a thread of ours. For that the driver waits until the devices have nothing to
** do, with locks held that calls which queue work need as well. If a stream
** stands at a gate meanwhile, the thread that would open it may be one of
** those that wait for the lock: for ever (seen on two H200s, driver 580, NCCL
** 2.28). So it is if the kernel of one rank of this process is queued, and that
** of the next one not yet.
**
** So an end begins only while no gate is shut and no operation of several ranks
** is being queued, in the whole process; and neither begins before it is over.
**
** The ranks of one machine end together: it takes as long as the last of them.
** If that is longer than a rank is waited for otherwise, what the end waits for
** is not the device, and others go on.
*/
#include "endings.h"

#include <pthread.h>

#include "wait.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int endings, bars;
static int64_t until;  /* ns: as long as endings are waited for */

/* A child of fork has no part in what threads of its parent were doing. */
static void forget (void) {
  endings = bars = 0;
  pthread_mutex_init(&mutex, NULL);
}

static void watch_forks (void) { pthread_atfork(NULL, NULL, forget); }

static void lock (void) {
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&mutex);
}

static void unlock (void) { pthread_mutex_unlock(&mutex); }

/* The lock is held. */
static bool is_ending (void) {
  return endings > 0 && rt_nanoseconds() < until;
}

bool rt_tryend (int64_t patience) {
  lock();
  bool begins = (bars == 0);
  if (begins) {
    int64_t late = rt_nanoseconds() + patience;
    endings++;
    until = (late > until) ? late : until;
  }
  unlock();
  return begins;
}

void rt_ended (void) {
  lock();
  endings--;
  unlock();
}

/* Where there are bars, nothing has begun. */
Status rt_barends (RtDevice *dev, const char *what) {
  lock();
  bool barred = (bars > 0 || !is_ending());
  bars += barred;
  unlock();
  return barred ? 0 : rt_block(dev, WANT_ENDED, NULL, 0, what);
}

void rt_countbars (int n) {
  lock();
  bars += n;
  unlock();
}

void rt_letend (void) { rt_countbars(-1); }

bool rt_isending (void) {
  lock();
  bool ends = is_ending();
  unlock();
  return ends;
}
