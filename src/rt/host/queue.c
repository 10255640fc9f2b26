/*
** queue.c - runs the jobs of all streams on a few worker threads.
**
** DESIGN. A stream is a FIFO of jobs and never a thread. At any time it is
**   - idle: its queue is empty;
**   - ready: its head may run; it stands in the ready queue of its priority;
**   - running: one worker has its head, with the lock dropped;
**   - parked: its head depends on a job of another stream; it hangs on that
**     stream's list of waiters and is looked at again when that one gets on;
**   - polling: its head waits for a value in memory that any thread may write.
** 'scheduled' is true in all states but the first, so a stream is in one list
** at most. A worker takes the most urgent ready stream, runs one job and looks
** at the stream again. When none is ready, one worker polls the values with
** naps that grow; the others sleep. Jobs never block a worker.
** One lock, host.lock, protects all of it; no other lock is taken under it.
*/
#include "host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hooks.h"

enum { NAP_MIN_US = 10, NAP_MAX_US = 400, SPINS = 200 };

int64_t host_now (void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* {== jobs ============================================================ */

Job *host_newjob (TaskKind kind) {
  Job *job = host.jobs;
  if (job != NULL)
    host.jobs = job->next;
  else if ((job = malloc(sizeof *job)) == NULL)
    return NULL;
  job->next = NULL;
  job->task.kind = kind;
  job->deps = job->room;
  job->ndeps = 0;
  job->capdeps = 2;
  job->exec = NULL;
  return job;
}

void host_dropjob (Job *job) {
  for (int i = 0; i < job->ndeps; i++)
    host_releasestream(job->deps[i].s);
  if (job->deps != job->room)
    free(job->deps);
  if (job->task.kind == TASK_RECORD)
    host_releaserecording(job->task.u.record.at);
  if (job->exec != NULL)
    host_releaseexec(job->exec);
  job->next = host.jobs;
  host.jobs = job;
}

static bool grow_deps (Job *job) {
  int cap = 2 * job->capdeps;
  Dep *deps = malloc((size_t)cap * sizeof *deps);
  if (deps == NULL)
    return false;
  memcpy(deps, job->deps, (size_t)job->ndeps * sizeof *deps);
  if (job->deps != job->room)
    free(job->deps);
  job->deps = deps;
  job->capdeps = cap;
  return true;
}

/* The job waits until 's' has completed 'seq'. False: out of memory. */
bool host_depend (Job *job, CUstream s, uint64_t seq) {
  if (s == NULL || s->completed >= seq)
    return true;
  if (job->ndeps == job->capdeps && !grow_deps(job))
    return false;
  host_retainstream(s);
  job->deps[job->ndeps++] = (Dep){s, seq};
  return true;
}

/* ==} */

/* {== scheduling ====================================================== */

static void push_ready (CUstream s) {
  int p = -s->priority;
  s->next = NULL;
  *host.ready_tail[p] = s;
  host.ready_tail[p] = &s->next;
  host.nready++;
  if (host.sleeping > 0)
    pthread_cond_signal(&host.work);
}

static CUstream pop_ready (void) {
  for (int p = PRIORITIES - 1; p >= 0; p--) {
    CUstream s = host.ready[p];
    if (s == NULL)
      continue;
    host.ready[p] = s->next;
    if (s->next == NULL)
      host.ready_tail[p] = &host.ready[p];
    host.nready--;
    return s;
  }
  return NULL;
}

static bool has_value (const Task *t) {
  uint32_t now = __atomic_load_n(t->u.value.addr, __ATOMIC_ACQUIRE);
  if (t->u.value.flags == CU_STREAM_WAIT_VALUE_EQ)
    return now == t->u.value.value;
  return (int32_t)(now - t->u.value.value) >= 0;
}

/* Puts the stream where its head belongs. */
static void schedule (CUstream s) {
  Job *job = s->head;
  s->scheduled = (job != NULL);
  if (job == NULL)
    return;
  while (job->ndeps > 0) {
    Dep *d = &job->deps[job->ndeps - 1];
    if (d->s->completed < d->seq) {
      s->needs = d->seq;
      s->next = d->s->waiters;
      d->s->waiters = s;
      return;
    }
    job->ndeps--;
    host_releasestream(d->s);
  }
  if (job->task.kind == TASK_WAITVALUE && !has_value(&job->task)) {
    s->next = host.polls;
    host.polls = s;
    if (!host.polling && host.sleeping > 0)
      pthread_cond_signal(&host.work);
    return;
  }
  push_ready(s);
}

void host_pollvalues (void) {
  for (CUstream *at = &host.polls; *at != NULL;) {
    CUstream s = *at;
    if (!has_value(&s->head->task)) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    push_ready(s);
  }
}

static void wake_waiters (CUstream s) {
  CUstream list = s->waiters;
  s->waiters = NULL;
  while (list != NULL) {
    CUstream w = list;
    list = w->next;
    if (w->needs <= s->completed) {
      schedule(w);
    } else {
      w->next = s->waiters;
      s->waiters = w;
    }
  }
}

/* A blocking stream with work is listed, for the legacy stream to wait on. */
static void list_pending (CUstream s) {
  CUcontext ctx = s->ctx;
  s->prev_pending = NULL;
  s->next_pending = ctx->pending;
  if (ctx->pending != NULL)
    ctx->pending->prev_pending = s;
  ctx->pending = s;
}

static void unlist_pending (CUstream s) {
  if (s->prev_pending != NULL)
    s->prev_pending->next_pending = s->next_pending;
  else
    s->ctx->pending = s->next_pending;
  if (s->next_pending != NULL)
    s->next_pending->prev_pending = s->prev_pending;
}

static bool is_listed (const struct CUstream_st *s) {
  return !s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING);
}

void host_enqueue (CUstream s, Job *job) {
  if (is_listed(s) && s->issued == s->completed)
    list_pending(s);
  s->issued++;
  host.unfinished++;
  host_retainstream(s);  /* until the job is done */
  *s->tail = job;
  s->tail = &job->next;
  if (!s->scheduled)
    schedule(s);
}

/* ==} */

/* {== workers ========================================================= */

static uint64_t next_random (void) {  /* xorshift64* by S. Vigna */
  host.seed ^= host.seed >> 12;
  host.seed ^= host.seed << 25;
  host.seed ^= host.seed >> 27;
  return host.seed * 2685821657736338717u;
}

static void run_kernel (Task *t) {
  void *params[MAX_ARGS];
  for (int i = 0; i < MAX_ARGS; i++)
    params[i] = &t->u.kernel.args[i];
  t->u.kernel.twin->run(params, t->u.kernel.grid, t->u.kernel.block);
}

/* Without the lock. */
static void run (Task *t) {
  switch (t->kind) {
    case TASK_KERNEL: run_kernel(t); break;
    case TASK_COPY:
      memmove(t->u.copy.dst, t->u.copy.src, t->u.copy.bytes);
      break;
    case TASK_SET:
      memset(t->u.set.dst, t->u.set.value, t->u.set.bytes);
      break;
    case TASK_HOSTFN: t->u.hostfn.fn(t->u.hostfn.ud); break;
    case TASK_WRITEVALUE:
      __atomic_store_n(t->u.value.addr, t->u.value.value, __ATOMIC_RELEASE);
      break;
    case TASK_RECORD: t->u.record.at->ns = host_now(); break;
    case TASK_FREE: host_freememory(t->u.free.p); break;
    case TASK_NONE: case TASK_WAITVALUE: break;
  }
}

/* Runs the head of a stream and looks at the stream again. */
static void step (CUstream s) {
  Job *job = s->head;
  unsigned delay = host.max_delay_us > 0 ?
                   (unsigned)(next_random() % host.max_delay_us) : 0;
  pthread_mutex_unlock(&host.lock);
  if (delay > 0)
    usleep(delay);
  run(&job->task);
  pthread_mutex_lock(&host.lock);
  s->head = job->next;
  if (s->head == NULL)
    s->tail = &s->head;
  s->completed++;
  host.unfinished--;
  if (is_listed(s) && s->issued == s->completed)
    unlist_pending(s);
  if (job->task.kind == TASK_WRITEVALUE)
    host_pollvalues();
  if (s->waiters != NULL)
    wake_waiters(s);
  schedule(s);
  host_dropjob(job);
  host_releasestream(s);
  if (host.unfinished == 0)
    pthread_cond_broadcast(&host.idle);
}

static void nap (long us) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  host.sleeping++;
  pthread_cond_timedwait(&host.work, &host.lock, &until);
  host.sleeping--;
}

static void sleep_until_work (void) {
  host.sleeping++;
  pthread_cond_wait(&host.work, &host.lock);
  host.sleeping--;
}

/* The one worker that watches values until something is ready. */
static void poll_until_ready (void) {
  long us = NAP_MIN_US;
  host.polling = true;
  while (host.nready == 0 && host.polls != NULL && !host.stop) {
    nap(us);
    host_pollvalues();
    if (us < NAP_MAX_US)
      us *= 2;
  }
  host.polling = false;
  if (host.polls != NULL && host.sleeping > 0)
    pthread_cond_signal(&host.work);  /* somebody else's turn to watch */
}

static void *work (void *unused) {
  pthread_mutex_lock(&host.lock);
  while (!host.stop) {
    CUstream s = pop_ready();
    if (s != NULL)
      step(s);
    else if (host.polls != NULL && !host.polling)
      poll_until_ready();
    else
      sleep_until_work();
  }
  pthread_mutex_unlock(&host.lock);
  return unused;
}

static int wanted_workers (void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 4 ? 4 : cores > 16 ? 16 : (int)cores;
}

void host_startworkers (void) {
  int n = wanted_workers();
  host.stop = false;
  while (host.nworkers < n) {
    if (pthread_create(&host.workers[host.nworkers], NULL, work, NULL) != 0)
      break;
    host.nworkers++;
  }
}

/* Finishes all work, then joins. */
void host_stopworkers (void) {
  while (host.unfinished > 0)
    pthread_cond_wait(&host.idle, &host.lock);
  host.stop = true;
  pthread_cond_broadcast(&host.work);
  int n = host.nworkers;
  host.nworkers = 0;
  pthread_mutex_unlock(&host.lock);
  for (int i = 0; i < n; i++)
    pthread_join(host.workers[i], NULL);
  pthread_mutex_lock(&host.lock);
}

void host_delays (uint64_t seed, unsigned max_us) {
  pthread_mutex_lock(&host.lock);
  host.seed = (seed != 0) ? seed : 88172645463325252u;
  host.max_delay_us = max_us;
  pthread_mutex_unlock(&host.lock);
}

/* ==} */
