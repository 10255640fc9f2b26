/*
** watcher.c - a thread that looks after streams for an event loop, which sleeps
** on a descriptor. It posts a wakeup to the inbox when the work that a
** coroutine waits for may be over.
**
** DESIGN. For each stream with tickets, or with a host function whose turn
** comes next, the owner names an event. The thread asks the driver about all of
** these events, rests for some 20 us, and asks again. A query never waits,
** whatever the stream waits for, and nothing is queued on the stream. The
** thread stops looking after an event that is over; the owner is woken and asks
** again itself. So the thread takes no ticket and decides nothing, and a
** needless wakeup does no harm.
**
** The thread touches the field 'watch' of streams, under the lock of their
** Runtime's watcher, and no other field. An event is taken off before it
** returns to the pool (progress_set_done), is recorded again or is dropped, so
** the thread always asks about the recording that was meant. Some waits have no
** event of ours, because others record it; for these it posts a wakeup in each
** round.
**
** Each Runtime has one watcher, from its first event loop on. It sleeps while
** nothing is looked after.
*/
#include "watcher.h"

#include <pthread.h>
#include <stdlib.h>

#include "deferral.h"
#include "event_pool.h"
#include "inbox.h"
#include "progress.h"
#include "rt/driver/context.h"
#include "rt/driver/observer.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"
#include "rt/os/thread.h"

enum {
  NAP_MIN_US = 20,  /* between two rounds: grows with the */
  NAP_MAX_US = 500, /* time since the latest change, */
  NAP_PART = 128    /* as this part of it */
};

typedef struct Watcher {
  pthread_mutex_t lock; /* for all below, and for 'watch' of streams */
  pthread_cond_t changed;
  pthread_t thread;
  struct Inbox *inbox;
  unsigned resets;  /* resets that were handled */
  RtStream *first;  /* streams looked after, by watch.next */
  bool others;      /* see watcher_note_unwatched */
  int64_t since;    /* ns: when the latest was added */
  int64_t deadline; /* ns; 0: none */
  bool resting;     /* in a nap longer than the shortest one */
  bool quit;
  CUcontext ctx; /* current to the thread; only the thread uses it */
} Watcher;

/* {== the thread ====================================================== */

/* Watchers lock it to read, and a reset of a device locks it to write, because
** all in the device's context is gone then. */
static pthread_rwlock_t resetting = PTHREAD_RWLOCK_INITIALIZER;

void watcher_pause (void) { pthread_rwlock_wrlock(&resetting); }

void watcher_resume (void) { pthread_rwlock_unlock(&resetting); }

/* Tells whether the event is over or has failed: the next to ask gets the
** error. */
static bool is_over (Watcher *w, const RtWatch *x) {
  if (x->ctx != w->ctx && x->D->cuCtxSetCurrent(x->ctx) != CUDA_SUCCESS)
    return true;
  w->ctx = x->ctx;
  return x->D->cuEventQuery(x->event) != CUDA_ERROR_NOT_READY;
}

static void take_off (RtStream **at) {
  RtWatch *x = &(*at)->watch;
  *at = x->next;
  __atomic_store_n(&x->on, false, __ATOMIC_RELEASE);
}

/* Forgets all streams after a reset of any device: their owner sees which are
** left. */
static bool forget_all (Watcher *w) {
  w->resets = shared_count_resets();
  w->ctx = NULL;
  while (w->first != NULL)
    take_off(&w->first);
  return true;
}

/* Tells whether the owner has something to ask. */
static bool ask_all (Watcher *w) {
  bool any = w->others;
  for (RtStream **at = &w->first; *at != NULL;) {
    RtWatch *x = &(*at)->watch;
    bool known = (x->event != NULL), over = known && is_over(w, x);
    any |= !known || over;
    if (over)
      take_off(at);
    else
      at = &x->next;
  }
  return any;
}

static bool ask (Watcher *w) {
  pthread_rwlock_rdlock(&resetting);
  bool any = (w->resets != shared_count_resets()) ? forget_all(w) : ask_all(w);
  pthread_rwlock_unlock(&resetting);
  return any;
}

/* Sleeps until there is something new, the next round is due, or the deadline
** has come. */
static void rest (Watcher *w) {
  bool busy = (w->first != NULL || w->others);
  int64_t now = clock_now();
  int64_t nap = nap_length(now - w->since, NAP_PART, NAP_MIN_US, NAP_MAX_US);
  int64_t til = busy ? now + nap : 0;
  if (w->deadline != 0 && (til == 0 || w->deadline < til))
    til = w->deadline;
  w->resting = (!busy || nap > (int64_t)NAP_MIN_US * 1000);
  if (til != 0)
    nap_wait(&w->changed, &w->lock, til);
  else
    pthread_cond_wait(&w->changed, &w->lock);
  w->resting = false;
}

static void *watch (void *ud) {
  Watcher *w = ud;
  nap_precisely();
  pthread_mutex_lock(&w->lock);
  while (!w->quit) {
    bool late = (w->deadline != 0 && clock_now() >= w->deadline);
    if (late)
      w->deadline = 0;
    if (ask(w) || late)
      inbox_post_wakeup(w->inbox);
    rest(w);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* ==} */

/* {== life ============================================================ */

static void free_watcher (Watcher *w) {
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->lock);
  free(w);
}

Status watcher_open (Runtime *rt) {
  if (rt->watcher != NULL)
    return 0;
  Watcher *w = calloc(1, sizeof *w);
  if (w == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  pthread_mutex_init(&w->lock, NULL);
  nap_init_condition(&w->changed);
  w->inbox = rt->inbox;
  w->resets = shared_count_resets();
  if (thread_start(&w->thread, watch, w) != 0) {
    free_watcher(w);
    return status_explain(rt, CUDA_ERROR_OPERATING_SYSTEM, "pthread_create",
                          "the thread that watches for event loops cannot be "
                          "started: the system has no more threads");
  }
  rt->watcher = w;
  return 0;
}

/* In a forked child there is no thread, and the lock is in an unknown state. */
void watcher_close (Runtime *rt) {
  Watcher *w = rt->watcher;
  rt->watcher = NULL;
  if (w == NULL || context_is_forked(rt))
    return;
  pthread_mutex_lock(&w->lock);
  w->quit = true;
  pthread_cond_signal(&w->changed);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  while (w->first != NULL)
    take_off(&w->first);
  free_watcher(w);
}

/* ==} */

/* {== what its owner calls ============================================ */

static void wake (Watcher *w) {
  if (w->resting)
    pthread_cond_signal(&w->changed);
}

/* Returns the real driver, because tests count the owner's calls only, and make
** only these fail. */
static const Driver *driver_of (const RtDevice *dev) {
  return observer_behind(dev->D);
}

static void put_on (Watcher *w, RtStream *s, Tail at) {
  RtWatch *x = &s->watch;
  pthread_mutex_lock(&w->lock);
  if (!x->on) {
    x->next = w->first;
    w->first = s;
  }
  x->D = driver_of(s->dev);
  x->ctx = s->dev->ctx;
  x->event = at.event;
  x->seq = at.seq;
  __atomic_store_n(&x->on, true, __ATOMIC_RELEASE);
  w->since = clock_now();
  wake(w);
  pthread_mutex_unlock(&w->lock);
}

void watcher_add (RtStream *s, uint64_t seq, const RtEvent *e) {
  const Watcher *w = s->dev->rt->watcher;
  if (w == NULL || deferral_keeps(s, seq))
    return;
  Tail at = {NULL, seq};
  const Tail *tail;
  if (e != NULL && e->s == s && e->seq == seq)
    at.event = e->handle;
  else if ((tail = progress_find_tail(s, seq)) != NULL)
    at = *tail;
  if (!watcher_has(s, UINT64_MAX) || s->watch.seq != at.seq ||
      s->watch.event != at.event)
    put_on(s->dev->rt->watcher, s, at);
}

void watcher_remove_event (const RtEvent *e) {
  RtStream *s = e->s;
  if (s != NULL && watcher_has(s, UINT64_MAX) && s->watch.event == e->handle)
    watcher_remove(s);
}

/* Wakes the owner, because tickets up to a point that has passed may be
** over. */
void watcher_remove (RtStream *s) {
  Runtime *rt = s->dev->rt;
  Watcher *w = rt->watcher;
  if (w == NULL)
    return;
  pthread_mutex_lock(&w->lock);
  RtStream **at = &w->first;
  while (*at != NULL && *at != s)
    at = &(*at)->watch.next;
  if (*at != NULL)
    take_off(at);
  pthread_mutex_unlock(&w->lock);
  if (!rt->sweeps)
    inbox_post_wakeup(rt->inbox);
}

void watcher_note_unwatched (Runtime *rt, bool there) {
  Watcher *w = rt->watcher;
  if (w == NULL || rt->watched_others == there)
    return;
  rt->watched_others = there;
  pthread_mutex_lock(&w->lock);
  w->others = there;
  w->since = clock_now();
  wake(w);
  pthread_mutex_unlock(&w->lock);
}

void watcher_set_deadline (Runtime *rt, int64_t ns) {
  Watcher *w = rt->watcher;
  if (w == NULL)
    return;
  pthread_mutex_lock(&w->lock);
  w->deadline = ns;
  wake(w);
  pthread_mutex_unlock(&w->lock);
}

/* ==} */
