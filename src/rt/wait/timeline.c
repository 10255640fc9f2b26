/*
** timeline.c - interprocess events: recordings that other processes see.
**
** DESIGN. CUDA has events for this (cuIpcOpenEventHandle), with one defect that
** cannot be worked around. If the recording process ends, a stream that waits
** for its event waits for ever, and so does everything that waits for that
** stream (seen on an H200, driver 580). So here an event is a page of words,
** mapped by all the processes, and streams write these words and wait for them
** (cuStreamWriteValue32, cuStreamWaitValue32). The host can write a word as
** well, when a process has ended.
**
** A page counts its recordings: k = 1, 2, ... Recording k is done when done[k %
** PAGE_SLOTS] is k or more, in wrapping 32-bit arithmetic. So a wait is for one
** recording, whatever is recorded later, and recordings of several streams may
** end in any order. Before a word is reused, the stream that is to write it
** waits until it was written.
**
** Each process that has the page open has a number there, which is never
** reused, and others can see whether it lives (timeline_page.c). A waiting
** process asks whether the recorder lives. If not, and the recording is not
** done, the recording is broken for all. The waiting threads may be blocked
** inside the driver or a library, so a thread of tide's own asks as long as
** there is a wait.
*/
#include "timeline.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm_end.h"
#include "device_lock.h"
#include "event_pool.h"
#include "progress.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"
#include "rt/os/thread.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "timeline_page.h"

enum { LOOK_MS = 5 }; /* how soon the end of a process is seen */

struct RtTimeline {
  RtDevice *dev;
  unsigned generation;
  int waits; /* of our streams for this timeline */
  PageFile *file;
  Page *page; /* its own mapping, page-locked for the device */
};

/* {== life ============================================================ */

/* While there are timelines, the thread that watches waits may run. */
static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;
static int ntimelines;
static bool watching;
static pthread_t watcher;

static pthread_mutex_t waits_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* made with the first thread, and kept */
static bool has_changed;
static struct RtRemoteWait *waits; /* of all Runtimes of the process */
static bool ending;

static void count_timeline (void) {
  pthread_mutex_lock(&life_lock);
  ntimelines++;
  pthread_mutex_unlock(&life_lock);
}

/* Ends the thread with the last timeline, because its code may be unloaded.
** Nothing waits any more. */
static void uncount_timeline (void) {
  pthread_mutex_lock(&life_lock);
  if (--ntimelines == 0 && watching) {
    pthread_mutex_lock(&waits_lock);
    ending = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&waits_lock);
    pthread_join(watcher, NULL);
    watching = ending = false;
  }
  pthread_mutex_unlock(&life_lock);
}

/* Fails with errno. Out of descriptors is a limit, because garbage may hold
** some. */
static Status fail_system (RtDevice *dev, const char *call) {
  if (errno == EMFILE || errno == ENFILE)
    return status_explain(dev->rt, RT_LIMIT, NULL, "%s: %s", call,
                          strerror(errno));
  return status_explain(dev->rt,
                        errno == ENOMEM ? CUDA_ERROR_OUT_OF_MEMORY
                                        : CUDA_ERROR_OPERATING_SYSTEM,
                        call, "%s", strerror(errno));
}

/* Page-locks the page, for which the driver may wait for the device. Creates
** what must exist before a stream waits for another process, because it is too
** late when one waits. */
static Status lock_page (RtDevice *dev, Page *page) {
  Status st = context_enter(dev);
  if (st == 0)
    st = device_lock_prepare(dev);
  if (st == 0)
    st = device_lock_take(dev, "cuMemHostRegister");
  if (st != 0)
    return st;
  st = dev->D->cuMemHostRegister(page, PAGE_BYTES,
                                 CU_MEMHOSTALLOC_PORTABLE |
                                   CU_MEMHOSTALLOC_DEVICEMAP);
  device_lock_release(dev);
  return st ? status_fail(dev->rt, st, "cuMemHostRegister") : 0;
}

/* Makes a timeline. Owns the mapping, and unmaps it on failure. */
static Status make (RtDevice *dev, int fd, Page *page, RtTimeline **out) {
  RtTimeline *t = malloc(sizeof *t);
  Status st = (t != NULL) ? lock_page(dev, page)
                          : status_fail(dev->rt, RT_NOMEM, NULL);
  if (st != 0) {
    timeline_page_unmap(page);
    free(t);
    return st;
  }
  *t = (RtTimeline){dev, dev->generation, 0, timeline_page_open(fd, page),
                    page};
  if (t->file == NULL) {
    st = fail_system(dev, "fcntl");
    dev->D->cuMemHostUnregister(page);
    timeline_page_unmap(page);
    free(t);
    return st;
  }
  count_timeline();
  *out = t;
  return 0;
}

Status timeline_open (RtDevice *dev, int fd, RtTimeline **out) {
  Page *page = timeline_page_map(fd);
  if (page != NULL)
    return make(dev, fd, page, out);
  return (errno != EINVAL)
           ? fail_system(dev, "mmap")
           : status_explain(dev->rt, RT_MISUSE, NULL,
                            "this is no event of a tide of this version");
}

Status timeline_new (RtDevice *dev, RtTimeline **out) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  int fd = timeline_page_new();
  if (fd < 0)
    return fail_system(dev, "memfd_create");
  st = timeline_open(dev, fd, out);
  close(fd);
  return st;
}

bool timeline_drop (RtTimeline *t, bool force) {
  RtDevice *dev = t->dev;
  bool stale = context_is_stale(dev, t->generation);
  if (!stale && !force) {
    if (context_reenter(dev) != 0 || !device_lock_try(dev))
      return false;
    dev->D->cuMemHostUnregister(t->page);
    device_lock_release(dev);
  } else if (!stale) {
    dev->D->cuMemHostUnregister(t->page);
  }
  timeline_page_unmap(t->page);
  timeline_page_close(t->file);
  free(t);
  uncount_timeline();
  return true;
}

int timeline_fd (const RtTimeline *t) { return t->file->fd; }

const uint8_t *timeline_id (const RtTimeline *t) { return t->file->id; }

/* ==} */

/* {== recordings ====================================================== */

static uint32_t count_of (uint64_t at) { return (uint32_t)at; }

static uint32_t recorder_of (uint64_t at) { return (uint32_t)(at >> 32); }

uint64_t timeline_latest (const RtTimeline *t) {
  return __atomic_load_n(&t->page->latest, __ATOMIC_ACQUIRE);
}

bool timeline_has (const RtTimeline *t, uint64_t at) {
  return at != 0 && (int32_t)(count_of(timeline_latest(t)) - count_of(at)) >= 0;
}

long timeline_recorder (const RtTimeline *t, uint64_t at) {
  return (long)__atomic_load_n(&t->page->pid[recorder_of(at) % PAGE_PIDS],
                               __ATOMIC_RELAXED);
}

/* Tells whether the word is k or more. */
static bool has_come (const uint32_t *word, uint32_t k) {
  return (int32_t)(__atomic_load_n(word, __ATOMIC_ACQUIRE) - k) >= 0;
}

static CUdeviceptr address_of (const uint32_t *word) {
  return (CUdeviceptr)(uintptr_t)word;
}

/* Reads the word once more after its recorder was found gone. Giving up its
** lock is the last thing that a process does, and the recording may have been
** done before. */
Status timeline_query (RtTimeline *t, uint64_t at) {
  Page *page = t->page;
  uint32_t k = count_of(at), *word = &page->done[k % PAGE_SLOTS];
  uint32_t *broken = &page->broken[k % PAGE_SLOTS];
  if (!has_come(word, k) &&
      timeline_page_is_pending(t->file, recorder_of(at), k))
    return CUDA_ERROR_NOT_READY;
  uint32_t now = __atomic_load_n(word, __ATOMIC_ACQUIRE);
  while ((int32_t)(now - k) < 0) {
    __atomic_store_n(broken, k, __ATOMIC_RELEASE);
    if (__atomic_compare_exchange_n(word, &now, k, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      break;
  }
  return (__atomic_load_n(broken, __ATOMIC_ACQUIRE) == k)
           ? CUDA_ERROR_CONTEXT_IS_DESTROYED
           : 0;
}

Status timeline_check (RtDevice *dev, RtTimeline *t, uint64_t at,
                       const char *what) {
  Status st = timeline_query(t, at);
  if (st != CUDA_ERROR_CONTEXT_IS_DESTROYED)
    return st;
  return status_explain(dev->rt, st, what,
                        "process %ld, which recorded it, ended before it was "
                        "done",
                        timeline_recorder(t, at));
}

/* ==} */

/* {== waits =========================================================== */

/* The wait of operation 'seq' of 's' for a recording. */
typedef struct RtRemoteWait {
  struct RtRemoteWait *next; /* of the process, under the lock */
  struct RtRemoteWait *own;  /* of the Runtime */
  RtStream *s;
  uint64_t seq;
  RtTimeline *t;
  uint64_t at;
  int64_t *broken; /* or NULL */
} RemoteWait;

/* Asks while there are waits: asking is what lets streams go on. */
static void *watch (void *ud) {
  (void)ud;
  pthread_mutex_lock(&waits_lock);
  while (!ending) {
    for (const RemoteWait *w = waits; w != NULL; w = w->next)
      timeline_query(w->t, w->at);
    if (waits != NULL)
      nap_wait(&changed, &waits_lock, clock_now() + LOOK_MS * 1000000);
    else
      pthread_cond_wait(&changed, &waits_lock);
  }
  pthread_mutex_unlock(&waits_lock);
  return NULL;
}

static Status start_watching (RtDevice *dev) {
  pthread_mutex_lock(&life_lock);
  if (!has_changed)
    nap_init_condition(&changed);
  has_changed = true;
  if (!watching)
    watching = (thread_start(&watcher, watch, NULL) == 0);
  bool there = watching;
  pthread_mutex_unlock(&life_lock);
  return there ? 0
               : status_explain(dev->rt, CUDA_ERROR_OPERATING_SYSTEM,
                                "pthread_create",
                                "the thread that watches recordings of other "
                                "processes cannot be started: the system has "
                                "no more threads");
}

static void keep (RemoteWait *w) {
  Runtime *rt = w->s->dev->rt;
  w->t->waits++;
  w->own = rt->remote_waits;
  rt->remote_waits = w;
  pthread_mutex_lock(&waits_lock);
  w->next = waits;
  waits = w;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&waits_lock);
}

static void give_up (RemoteWait *w) {
  pthread_mutex_lock(&waits_lock);
  RemoteWait **at = &waits;
  while (*at != w)
    at = &(*at)->next;
  *at = w->next;
  pthread_mutex_unlock(&waits_lock);
  device_lock_hold(w->s->dev, -1);
  w->t->waits--;
  free(w);
}

static Status queue_wait (RtStream *s, const RtTimeline *t, uint64_t at) {
  uint32_t k = count_of(at);
  Status st = device_lock_hold(s->dev, 1);
  if (st != 0)
    return st;
  CUdeviceptr word = address_of(&t->page->done[k % PAGE_SLOTS]);
  st = s->dev->D->cuStreamWaitValue32(s->handle, word, k,
                                      CU_STREAM_WAIT_VALUE_GEQ);
  if (st == CUDA_SUCCESS)
    return 0;
  device_lock_hold(s->dev, -1);
  return status_fail(s->dev->rt, st, "cuStreamWaitValue32");
}

/* Waits for a recording as operation 'seq' of 's', which is being queued. */
static Status await (RtStream *s, uint64_t seq, RtTimeline *t, uint64_t at,
                     int64_t *broken) {
  RemoteWait *w = malloc(sizeof *w);
  if (w == NULL)
    return status_fail(s->dev->rt, RT_NOMEM, NULL);
  *w = (RemoteWait){NULL, NULL, s, seq, t, at, broken};
  Status st = start_watching(s->dev);
  if (st == 0)
    st = queue_wait(s, t, at);
  if (st != 0)
    free(w);
  else
    keep(w);
  return st;
}

/* Blocks if ends of communicators are due, because the other process may be
** waiting for what this thread has yet to queue. */
Status timeline_wait (RtStream *s, const Op *op) {
  RtTimeline *t = op->u.wait.event->timeline;
  uint64_t at = op->u.wait.at;
  int64_t *broken = op->u.wait.broken;
  uint64_t seq = (op->seq != 0) ? op->seq : s->dev->rt->stamp + 1;
  Status st = timeline_query(t, at);
  if (st == CUDA_ERROR_CONTEXT_IS_DESTROYED)
    __atomic_store_n(broken, 1, __ATOMIC_RELEASE);
  if (st != CUDA_ERROR_NOT_READY)
    return 0;
  st = comm_end_bar(s->dev, op->name);
  if (st != 0)
    return st;
  st = await(s, seq, t, at, broken);
  comm_end_allow();
  return st;
}

static bool is_broken (const RemoteWait *w) {
  return timeline_query(w->t, w->at) == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* Keeps a wait until the stream has passed it, which may be long after the
** recording was done: until then the device reads the page. */
void timeline_settle_waits (Runtime *rt) {
  for (RemoteWait **at = &rt->remote_waits, *w; (w = *at) != NULL;) {
    if (w->broken != NULL && is_broken(w))
      __atomic_store_n(w->broken, 1, __ATOMIC_RELEASE);
    if (progress_is_over(w->s, w->seq)) {
      *at = w->own;
      give_up(w);
    } else {
      at = &w->own;
    }
  }
}

void timeline_forget_waits (RtDevice *dev) {
  for (RemoteWait **at = &dev->rt->remote_waits, *w; (w = *at) != NULL;) {
    if (w->s->dev == dev) {
      *at = w->own;
      give_up(w);
    } else {
      at = &w->own;
    }
  }
}

/* Checks our own recordings as well, so that other processes do not take
** us for gone. After a reset none is under way. */
bool timeline_is_unused (const RtTimeline *t) {
  bool stale = context_is_stale(t->dev, t->generation);
  for (int i = 0; i < PAGE_SLOTS && !stale; i++) {
    uint32_t k = __atomic_load_n(&t->file->own[i], __ATOMIC_RELAXED);
    if (k != 0 && !has_come(&t->page->done[i], k))
      return false;
  }
  return t->waits == 0;
}

/* ==} */

/* {== recording ======================================================= */

/* Takes the next number. Notes it as ours before others of the process can
** ask. */
static uint64_t take_number (Page *page, PageFile *f) {
  uint64_t old = __atomic_load_n(&page->latest, __ATOMIC_RELAXED), new;
  do {
    uint32_t k = count_of(old) + 1;
    new = (uint64_t)f->me << 32 | k;
    __atomic_store_n(&f->own[k % PAGE_SLOTS], k, __ATOMIC_RELEASE);
  } while (!__atomic_compare_exchange_n(&page->latest, &old, new, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return new;
}

/* Waits for the recording that used the word of k before, if it may be under
** way. */
static Status before (RtStream *s, RtTimeline *t, uint32_t k) {
  const uint32_t *by = &t->page->by[k % PAGE_SLOTS];
  uint32_t number = __atomic_load_n(by, __ATOMIC_ACQUIRE);
  uint64_t at = (uint64_t)number << 32 | (uint32_t)(k - PAGE_SLOTS);
  return (k > PAGE_SLOTS && timeline_query(t, at) == CUDA_ERROR_NOT_READY)
           ? await(s, s->dev->rt->stamp + 1, t, at, NULL)
           : 0;
}

Status timeline_publish (RtStream *s, RtTimeline *t, uint64_t *at) {
  uint64_t new = take_number(t->page, t->file);
  uint32_t k = count_of(new), i = k % PAGE_SLOTS;
  uint32_t *word = &t->page->done[i];
  Status st = before(s, t, k);
  __atomic_store_n(&t->page->by[i], t->file->me, __ATOMIC_RELEASE);
  if (st == 0) {
    st = s->dev->D->cuStreamWriteValue32(s->handle, address_of(word), k,
                                         CU_STREAM_WRITE_VALUE_DEFAULT);
    st = st ? status_fail(s->dev->rt, st, "cuStreamWriteValue32") : 0;
  }
  if (st != 0) /* so that nothing waits for it */
    __atomic_store_n(word, k, __ATOMIC_RELEASE);
  else
    *at = new;
  return st;
}

/* ==} */
