/*
** io_threads.c - the threads that read and write files. The whole process
** shares them, from its first transfer until the last Runtime that used them
** closes.
**
** DESIGN. A thread takes one part of a chunk at a time, of the first queue in
** line whose words allow it. For a read, its slot must be free; for a write,
** the stream must have filled it; for a transfer without slots, the stream must
** have come to it. Several threads do parts of one chunk at once; chunks are
** reported to the stream in order. So a transfer whose stream is stuck does not
** hold up others.
**
** A queue keeps its place in the line until all of a transfer has been taken,
** then it goes to the end. Queues that took parts in turn would all advance at
** one pace. Then a program that computes on what each has read would have them
** all copy, and then all compute: with statistics of 64 MiB in four queues
** nothing was copied in a quarter of the time. An idle queue that gets a small
** transfer goes to the front, so that it does not wait for large ones.
**
** The device writes words and wakes no thread. While there are transfers, but
** none to go on with, one thread, the watcher, looks at the words with short
** naps; the others sleep. A queue has at most QUEUE_SLOTS chunks under way, so
** nothing here allocates. The threads call no driver, except the host device's
** 'look', which makes it see a word at once.
**
** LOCKS. One for all below. Files are read and written, and 'look' is called,
** without it.
*/
#include "io_threads.h"

#include <pthread.h>
#include <string.h>

#include "file_io.h"
#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "rt/os/cores.h"
#include "rt/os/nap.h"
#include "rt/os/thread.h"
#include "rt/wait/flags.h"
#include "transfer_types.h"

#if !defined(FILE_PART)
#define FILE_PART ((size_t)1 << 20) /* bytes that a thread does at a time */
#endif

enum {
  THREADS_MOST = 12,
  THREADS_LEAST = 4, /* waiting for a disk takes no core */
  NAP_MIN_US = 20,
  NAP_MAX_US = 250,
  NAP_PART = 64 /* naps last this part of the idle time */
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work; /* there is work, or 'quit' */
  pthread_cond_t left; /* a thread has left a transfer that was dropped */
  RtTransferQueue *busy, **last; /* the line: queues with transfers */
  int sleeping;
  bool watched;       /* a thread is the watcher */
  int64_t idle_since; /* since when nothing could be done; 0: it could */
  bool quit;
  int nthreads;
  pthread_t threads[THREADS_MOST];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER,
          .last = &pool.busy};

/* A part that a thread has taken. */
typedef struct ChunkPart {
  RtTransfer *t;
  size_t at, n;
} ChunkPart;

/* {== words =========================================================== */

static uint32_t read_word (const uint32_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static bool has_come (const uint32_t *word, uint32_t number) {
  return (int32_t)(read_word(word) - number) >= 0;
}

/* Tells whether the chunk before in the same slot has left it. */
static bool is_free (const RtTransfer *t, uint32_t number) {
  uint32_t before = number - (uint32_t)t->nslots;
  return number - t->slots_from < (uint32_t)t->nslots ||
         (has_come(t->queue->stream, before) &&
          has_come(t->queue->threads, before));
}

/* Tells whether a thread may begin with that chunk. */
static bool may_begin (const RtTransfer *t, int i) {
  uint32_t number = t->first + (uint32_t)i;
  if (t->direct || t->write)
    return has_come(t->queue->stream, number);
  return (!t->after || has_come(t->queue->stream, t->first - 1)) &&
         is_free(t, number);
}

/* ==} */

/* {== queues ========================================================== */

/* Returns the first transfer that threads have not taken all of. */
static RtTransfer *first_untaken (const RtTransferQueue *queue) {
  RtTransfer *t = queue->first;
  while (t != NULL && t->taken >= t->bytes)
    t = t->next;
  return t;
}

/* Puts the queue in the line: at its end, or at the front. */
static void link_queue (RtTransferQueue *queue, bool in_front) {
  RtTransferQueue **at = in_front ? &pool.busy : pool.last;
  queue->next_busy = *at;
  *at = queue;
  if (queue->next_busy == NULL)
    pool.last = &queue->next_busy;
}

static void unlink_queue (RtTransferQueue *queue) {
  RtTransferQueue **at = &pool.busy;
  while (*at != queue)
    at = &(*at)->next_busy;
  *at = queue->next_busy;
  if (*at == NULL)
    pool.last = at;
}

/* Ends a transfer. Its owner may free it as soon as the lock is dropped. */
static void end_transfer (RtTransfer *t) {
  Runtime *rt = t->rt;
  t->over = true;
  t->next = rt->files->over;
  rt->files->over = t;
  __atomic_add_fetch(&rt->files->nover, 1, __ATOMIC_RELEASE);
}

static bool is_done (const RtTransfer *t, uint32_t number) {
  int i = (int)(number - t->first);
  return t->taken >= transfer_chunk_end(t, i) && t->left[i % QUEUE_SLOTS] == 0;
}

static void remove_first (RtTransferQueue *queue) {
  queue->first = queue->first->next;
  if (queue->first == NULL) {
    queue->last = &queue->first;
    unlink_queue(queue);
  }
}

/* Reports to the stream the chunks that are done. Returns whether there were
** some. */
static bool publish (RtTransferQueue *queue) {
  bool any = false;
  uint32_t number = 0;
  for (RtTransfer *t; (t = queue->first) != NULL; end_transfer(t)) {
    while ((int32_t)(t->last - t->undone) >= 0 && is_done(t, t->undone)) {
      number = t->undone++;
      any = true;
    }
    if ((int32_t)(t->last - t->undone) >= 0 || t->busy > 0)
      break;
    remove_first(queue);
  }
  if (any)
    flag_set(queue->threads, number);
  return any;
}

/* ==} */

/* {== taking parts ==================================================== */

/* Returns the size of the next part: up to the next part boundary of the file,
** or the end of the chunk. */
static size_t part_size (const RtTransfer *t, int i) {
  size_t n = FILE_PART - (size_t)((t->off + t->taken) % FILE_PART);
  size_t left = transfer_chunk_end(t, i) - t->taken;
  return (n < left) ? n : left;
}

static bool take_of (RtTransferQueue *queue, ChunkPart *p) {
  RtTransfer *t = first_untaken(queue);
  if (t == NULL)
    return false;
  int i = transfer_chunk(t, t->taken);
  size_t begin = transfer_chunk_begin(t, i);
  if (t->taken == begin) {
    if (!may_begin(t, i))
      return false;
    t->left[i % QUEUE_SLOTS] = transfer_chunk_end(t, i) - begin;
  }
  *p = (ChunkPart){t, t->taken, part_size(t, i)};
  t->taken += p->n;
  t->busy++;
  return true;
}

/* Takes a part of the first queue that has one. */
static bool take (ChunkPart *p) {
  RtTransferQueue *queue = pool.busy;
  while (queue != NULL && !take_of(queue, p))
    queue = queue->next_busy;
  if (queue == NULL)
    return false;
  if (p->t->taken >= p->t->bytes) {
    unlink_queue(queue);
    link_queue(queue, false);
  }
  return true;
}

/* ==} */

/* {== doing them ====================================================== */

static void make_truth (char *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = (to[i] != 0);
}

/* Does a part. Bytes that cannot be read become zeros. */
static int do_part (const ChunkPart *p, size_t *done) {
  const RtTransfer *t = p->t;
  char *at = t->direct ? (char *)(uintptr_t)t->memory + p->at
                       : transfer_slot(t, p->at);
  uint64_t off = t->off + p->at;
  if (t->write)
    return file_io_write(t->file, at, p->n, off, done);
  int error = file_io_read(t->file, at, p->n, off, done);
  memset(at + *done, 0, p->n - *done);
  if (t->truth)
    make_truth(at, *done);
  return error;
}

/* Notes the result of a part. The lock is held. */
static void end_part (const ChunkPart *p, int error, size_t done) {
  RtTransfer *t = p->t;
  uint64_t at = t->off + p->at + done;
  if (error != 0 && (t->error == 0 || at < t->error_at)) {
    t->error_at = at;
    __atomic_store_n(&t->error, error, __ATOMIC_RELAXED);
  }
  t->left[transfer_chunk(t, p->at) % QUEUE_SLOTS] -= p->n;
  t->busy--;
}

/* Wakes all threads if the chunk has more parts; else one, which wakes the
** next. */
static void wake_others (const RtTransfer *t) {
  size_t end = transfer_chunk_end(t, transfer_chunk(t, t->taken - 1));
  if (pool.sleeping > 1 && t->taken < end)
    pthread_cond_broadcast(&pool.work);
  else if (pool.sleeping > 0)
    pthread_cond_signal(&pool.work);
}

/* Does a part. The lock is held, and is released meanwhile. */
static void step (const ChunkPart *p) {
  size_t done;
  RtTransfer *t = p->t;
  RtTransferQueue *queue = t->queue;
  DriverLook *look = queue->dev->D->look;
  pool.idle_since = 0;
  wake_others(t);
  pthread_mutex_unlock(&pool.lock);
  int error = do_part(p, &done);
  pthread_mutex_lock(&pool.lock);
  end_part(p, error, done);
  if (t->over) { /* it was dropped, and its queue with it */
    if (t->busy == 0)
      pthread_cond_broadcast(&pool.left);
    return;
  }
  if (!publish(queue) || look == NULL)
    return;
  pthread_mutex_unlock(&pool.lock);
  look();
  pthread_mutex_lock(&pool.lock);
}

/* ==} */

/* {== threads ========================================================= */

static void nap (void) {
  int64_t now = clock_now();
  if (pool.idle_since == 0)
    pool.idle_since = now;
  int64_t ns = nap_length(now - pool.idle_since, NAP_PART, NAP_MIN_US,
                          NAP_MAX_US);
  nap_wait(&pool.work, &pool.lock, now + ns);
}

static void rest (void) {
  if (pool.busy != NULL && !pool.watched) {
    pool.watched = true;
    nap();
    pool.watched = false;
    return;
  }
  pool.sleeping++;
  pthread_cond_wait(&pool.work, &pool.lock);
  pool.sleeping--;
}

static void *work (void *unused) {
  ChunkPart p;
  nap_precisely();
  pthread_mutex_lock(&pool.lock);
  while (!pool.quit) {
    if (take(&p))
      step(&p);
    else
      rest();
  }
  pthread_mutex_unlock(&pool.lock);
  return unused;
}

/* Held while threads start and end; taken before the other lock. */
static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;
static int nusers;

static void start (void) {
  int cores = core_count();
  int n = cores < THREADS_LEAST  ? THREADS_LEAST
          : cores > THREADS_MOST ? THREADS_MOST
                                 : cores;
  nap_init_condition(&pool.work);
  pool.quit = false;
  while (pool.nthreads < n &&
         thread_start(&pool.threads[pool.nthreads], work, NULL) == 0)
    pool.nthreads++;
}

static void stop (void) {
  pthread_mutex_lock(&pool.lock);
  pool.quit = true;
  pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.lock);
  while (pool.nthreads > 0)
    pthread_join(pool.threads[--pool.nthreads], NULL);
  pthread_cond_destroy(&pool.work);
}

Status io_threads_retain (Runtime *rt) {
  if (rt->files->has_threads)
    return 0;
  pthread_mutex_lock(&life);
  if (nusers == 0)
    start();
  bool any = (pool.nthreads > 0);
  if (any)
    nusers++;
  else
    pthread_cond_destroy(&pool.work);
  pthread_mutex_unlock(&life);
  rt->files->has_threads = any;
  return any ? 0
             : status_explain(rt, RT_MISUSE, NULL,
                              "the threads that read and write files cannot be "
                              "started: the system has no more threads");
}

void io_threads_release (Runtime *rt) {
  if (!rt->files->has_threads)
    return;
  rt->files->has_threads = false;
  pthread_mutex_lock(&life);
  if (--nusers == 0)
    stop();
  pthread_mutex_unlock(&life);
}

/* ==} */

/* {== for the owner =================================================== */

void io_threads_add (RtTransfer *t) {
  RtTransferQueue *queue = t->queue;
  t->next = NULL;
  t->undone = t->first;
  pthread_mutex_lock(&pool.lock);
  bool idle = (first_untaken(queue) == NULL);
  if (queue->first == NULL)
    queue->last = &queue->first;
  else if (idle)
    unlink_queue(queue);
  *queue->last = t;
  queue->last = &t->next;
  if (idle)
    link_queue(queue, t->bytes <= FILE_PART);
  pool.idle_since = 0;
  pthread_cond_signal(&pool.work);
  pthread_mutex_unlock(&pool.lock);
}

/* Cuts a transfer. Parts beyond that threads have taken are ignored. */
void io_threads_cut (RtTransfer *t, uint32_t last) {
  pthread_mutex_lock(&pool.lock);
  if (!t->over) {
    t->last = last;
    t->bytes = transfer_chunk_end(t, (int)(last - t->first));
    publish(t->queue);
  }
  pthread_mutex_unlock(&pool.lock);
}

void io_threads_remove (RtTransfer *t) {
  RtTransferQueue *queue = t->queue;
  RtTransfer **at = &queue->first;
  pthread_mutex_lock(&pool.lock);
  while (*at != NULL && *at != t)
    at = &(*at)->next;
  if (*at == t) {
    *at = t->next;
    if (queue->first == NULL)
      unlink_queue(queue);
    if (t->next == NULL)
      queue->last = at;
    t->over = true;
    while (t->busy > 0)
      pthread_cond_wait(&pool.left, &pool.lock);
    end_transfer(t);
  }
  pthread_mutex_unlock(&pool.lock);
}

static bool is_meant (const RtTransferQueue *queue, const Runtime *rt,
                      const RtDevice *dev) {
  return (rt == NULL || queue->dev->rt == rt) &&
         (dev == NULL ||
          (queue->dev->D == dev->D && queue->dev->ordinal == dev->ordinal));
}

/* Drops all transfers of a queue. Streams go on, with incomplete data. All are
** marked as over before the lock is released, so a thread that has done a part
** does not publish it. */
static void drop_all (RtTransferQueue *queue) {
  uint32_t number = 0;
  RtTransfer *list = queue->first, *next;
  for (RtTransfer *t = list; t != NULL; t = t->next)
    t->over = true;
  queue->first = NULL;
  queue->last = &queue->first;
  for (RtTransfer *t = list; t != NULL; t = next) {
    next = t->next;
    number = t->last;
    while (t->busy > 0)
      pthread_cond_wait(&pool.left, &pool.lock);
    end_transfer(t);
  }
  flag_set(queue->threads, number);
}

void io_threads_drop (const Runtime *rt, const RtDevice *dev) {
  pthread_mutex_lock(&pool.lock);
  for (RtTransferQueue *queue = pool.busy; queue != NULL;) {
    if (!is_meant(queue, rt, dev)) {
      queue = queue->next_busy;
      continue;
    }
    unlink_queue(queue);
    drop_all(queue);
    queue = pool.busy;
  }
  pthread_mutex_unlock(&pool.lock);
}

RtTransfer *io_threads_collect (Runtime *rt) {
  pthread_mutex_lock(&pool.lock);
  RtTransfer *list = rt->files->over;
  rt->files->over = NULL;
  __atomic_store_n(&rt->files->nover, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&pool.lock);
  return list;
}

/* ==} */
