/*
** workers.c - the threads that run jobs, and the threads that wait for them.
**
** There are at most max(4, host.team) workers, started as they are first
** needed. One idle worker spins for a moment before it sleeps. This keeps the
** system's wake-up, which takes tens of times as long as a small job, out of
** launch loops. While streams wait for values in memory, one otherwise idle
** worker watches the values with naps that grow. Counters, all under host.lock:
** 'sleeping' workers wait on host.work; 'waking' ones were signalled and have
** not seen it yet. The signaller moves the count, so no burst of calls wakes
** one worker twice.
*/
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rt/host/hooks.h"
#include "rt/host/host.h"
#include "rt/host/kernels/interpreter.h"
#include "rt/os/clock.h"
#include "rt/os/cores.h"
#include "rt/os/nap.h"
#include "rt/os/thread.h"

enum {
  NAP_MIN_US = 20,
  NAP_MAX_US = 500,
  PAUSE_EVERY = 256 /* jobs */,
  LEAST_WORKERS = 4
};

_Thread_local int host_worker;

/* {== running ========================================================= */

static void run_kernel (Task *t) {
  void *params[MAX_ARGS];
  uint64_t *at = t->u.kernel.args;
  const char *args = t->u.kernel.builtin != NULL ? t->u.kernel.builtin->args
                                                 : NULL;
  int n = (args == NULL) ? PROGRAM_REPORT(t->u.kernel.program) + 1
                         : (int)strlen(args);
  for (int i = 0; i < n; i++) {
    params[i] = at;
    at += (args != NULL && args[i] == 'e') ? 2 : 1;
  }
  if (t->u.kernel.geometry > 0)
    params[t->u.kernel.geometry] = &t->u.kernel.shapes;
  host_run_kernel(t, params);
}

/* Returns where a program reports its error; NULL: the context fails. */
static DriverReport *report_of (const Task *t) {
  if (host.sticky || host_kernel_error != CUDA_ERROR_ILLEGAL_ADDRESS ||
      t->kind != TASK_KERNEL || t->u.kernel.builtin != NULL)
    return NULL;
  const struct Program *p = t->u.kernel.program;
  return (DriverReport *)(uintptr_t)t->u.kernel.args[PROGRAM_REPORT(p)];
}

static void forget_wrong (void) {
  host_kernel_error = CUDA_SUCCESS;
  interpreter_why[0] = '\0';
}

/* A graph may run the task again. */
static void report (Task *t, DriverReport *to) {
  t->u.kernel.stop = false;
  if (__atomic_load_n(&to->set, __ATOMIC_ACQUIRE) == 0) {
    memcpy(to->why, interpreter_why, sizeof to->why);
    __atomic_store_n(&to->set, 1, __ATOMIC_RELEASE);
  }
  forget_wrong();
}

/* Fails the context after an error on this thread: no queued work of the
** context runs after it, and running work ends. */
static void fail_context (CUcontext ctx) {
  if (ctx->fault == CUDA_SUCCESS) {
    ctx->fault = host_kernel_error;
    memcpy(ctx->why, interpreter_why, sizeof ctx->why);
  }
  forget_wrong();
  host_stop_all(ctx);
  host_recheck(INT_MAX);
}

void host_execute (Task *t) {
  DriverReport *to;
  switch (t->kind) {
    case TASK_KERNEL:
      run_kernel(t);
      if (host_kernel_error != CUDA_SUCCESS && (to = report_of(t)) != NULL)
        report(t, to);
      break;
    case TASK_COPY:
    case TASK_SET: host_run_bytes(t); break;
    case TASK_RECORD: t->u.record.at->ns = clock_now(); break;
    case TASK_HOSTFN: t->u.hostfn.fn(t->u.hostfn.ud); break;
    case TASK_WRITEVALUE:
      __atomic_store_n(t->u.value.addr, t->u.value.value, __ATOMIC_RELEASE);
      break;
    case TASK_FREE: host_free_memory(t->u.free.p); break;
    case TASK_NONE:
    case TASK_WAITVALUE:
    case TASK_AWAY: break;
  }
}

/* xorshift64*, by S. Vigna */
static unsigned random_upto (unsigned most) {
  host.seed ^= host.seed >> 12;
  host.seed ^= host.seed << 25;
  host.seed ^= host.seed >> 27;
  uint64_t x = host.seed * 2685821657736338717u;
  return (unsigned)((x >> 32) % ((uint64_t)most + 1));
}

/* In microseconds. */
static unsigned next_delay (void) {
  if (!host.delays)
    return 0;
  int64_t now = clock_now();
  if (host.max_pause_us > 0 && random_upto(PAUSE_EVERY - 1) == 0)
    host.paused_until = now + (int64_t)random_upto(host.max_pause_us) * 1000;
  int64_t pause = (host.paused_until - now) / 1000;
  return random_upto(host.max_delay_us) + (pause > 0 ? (unsigned)pause : 0);
}

void hook_delays (uint64_t seed, unsigned max_us, unsigned pause_us) {
  host_lock();
  host.seed = (seed != 0) ? seed : 1;
  host.max_delay_us = max_us;
  host.max_pause_us = pause_us;
  host.delays = (max_us > 0 || pause_us > 0);
  host.paused_until = 0;
  host_unlock();
}

/* Runs the head of a stream. After a fault work is skipped, but memory is freed
** and events are reached. */
static void step (CUstream s) {
  Task *t = &s->head->task;
  unsigned us = next_delay();
  bool runs = s->ctx->fault == CUDA_SUCCESS || t->kind == TASK_FREE ||
              t->kind == TASK_RECORD;
  host_unlock();
  if (us > 0)
    nap_for((int64_t)us * 1000);
  if (runs)
    host_execute(t);
  host_lock();
  if (host_kernel_error != CUDA_SUCCESS)
    fail_context(s->ctx);
  host_finish_job(s);
}

/* ==} */

/* {== idling ========================================================== */

/* A worker has waited on host.work: takes its count back. */
static void awake (void) {
  if (host.waking > 0)
    host.waking--;
  else
    host.sleeping--;
}

static void sleep_until_work (void) {
  host.sleeping++;
  pthread_cond_wait(&host.work, &host.lock);
  awake();
}

static void nap (long us) {
  host.sleeping++;
  nap_wait(&host.work, &host.lock, clock_now() + us * 1000);
  awake();
}

void host_relax (int turn) {
  nap_pause();
  if (turn % 64 == 63)
    sched_yield();
}

/* Only one worker spins. Drops the lock and takes it again. */
static void spin_until_ready (void) {
  int64_t end = clock_now() + SPIN_NS;
  host.spinning++;
  host_unlock();
  for (int turn = 0; __atomic_load_n(&host.nready, __ATOMIC_RELAXED) == 0 &&
                     __atomic_load_n(&host.teams, __ATOMIC_RELAXED) == NULL &&
                     !__atomic_load_n(&host.stop, __ATOMIC_RELAXED);
       turn++) {
    host_relax(turn);
    if (turn % 16 == 15 && clock_now() > end)
      break;
  }
  host_lock();
  host.spinning--;
}

/* Only one worker watches values, until a stream is ready. */
static void poll_until_ready (void) {
  long us = NAP_MIN_US;
  host.polling = true;
  while (host.nready == 0 && host.polls != NULL && !host.stop) {
    nap(us);
    host_recheck(INT_MAX);
    if (us < NAP_MAX_US)
      us += us / 2;
  }
  host.polling = false;
}

static void *work (void *number) {
  bool spun = false;
  host_worker = (int)(intptr_t)number;
  host_lock();
  while (!host.stop) {
    CUstream s = host_take_ready();
    if (s != NULL) {
      step(s);
      spun = false;
    } else if (host_help_team()) {
      spun = false;
    } else if (!spun && host.spinning == 0) {
      spin_until_ready();
      spun = true;
    } else if (host.polls != NULL && !host.polling) {
      poll_until_ready();
    } else {
      sleep_until_work();
    }
  }
  pthread_mutex_unlock(&host.lock);
  return NULL;
}

/* ==} */

/* {== starting and stopping =========================================== */

void host_init_workers (int team) {
  int cores = core_count();
  host.team = (team > 0) ? team : (cores < MAX_WORKERS) ? cores : MAX_WORKERS;
  nap_init_condition(&host.work);
  pthread_cond_init(&host.parted, NULL);
}

bool host_start_worker (void) {
  void *number = (void *)(intptr_t)(host.nworkers + 1);
  bool made = thread_start(&host.workers[host.nworkers], work, number) == 0;
  host.nworkers += made;
  return made;
}

/* Streams wait for each other, and for values, so a few more than a small team
** may run. */
static int most_workers (void) {
  int team = host_team();
  return (team > LEAST_WORKERS) ? team : LEAST_WORKERS;
}

/* True: the caller has to signal host.work. Starts a worker if all are busy. */
bool host_wants_worker (void) {
  int todo = host.nready + (host.polls != NULL && !host.polling);
  if (todo <= host.spinning + host.waking || host.stop)
    return false;
  if (host.sleeping > 0) {
    host.sleeping--;
    host.waking++;
    return true;
  }
  if (host.nready > 0 && host.waking == 0 && host.spinning == 0 &&
      host.nworkers < most_workers())
    host_start_worker(); /* if it fails, the others do the work */
  return false;
}

/* Waits one turn for jobs to be completed. */
void host_wait (void) {
  host.waiting++;
  pthread_cond_wait(&host.passed, &host.lock);
  host.waiting--;
}

void host_listen (DriverListener *who, bool listens) {
  host_lock();
  DriverListener **at = &host.listeners;
  while (*at != NULL && *at != who)
    at = &(*at)->next;
  if (listens && *at == NULL) {
    who->next = NULL;
    *at = who;
  } else if (!listens && *at != NULL) {
    *at = who->next;
  }
  host_unlock();
}

void host_wake_listeners (void) {
  for (DriverListener *who = host.listeners; who != NULL; who = who->next)
    who->wake(who->ud);
}

/* Waits for all work queued before on the device's streams, unless a user's
** kernel, or another process, may keep a stream busy for ever: nothing could
** end this wait. */
CUresult host_drain (CUcontext ctx) {
  Job *job = host_new_job(&(Task){.kind = TASK_NONE});
  bool ok = (job != NULL);
  for (int i = 0; i < 2; i++)
    for (CUstream s = ctx->busy[i]; ok && s != NULL; s = s->next_busy)
      ok = host_depend(job, s, s->issued);
  while (ok && job->ndeps > 0) {
    const Dep *d = &job->deps[job->ndeps - 1];
    if (d->s->completed < d->seq && host_is_endless())
      break;
    if (d->s->completed < d->seq) {
      host_wait();
      continue;
    }
    job->ndeps--;
    host_release_stream(d->s);
  }
  if (job != NULL)
    host_drop_job(job);
  return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Nothing is queued, and nothing will be until this returns. */
void host_stop_workers (void) {
  int n = host.nworkers;
  host.stopping = true;
  __atomic_store_n(&host.stop, true, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&host.work);
  pthread_mutex_unlock(&host.lock);
  for (int i = 0; i < n; i++)
    pthread_join(host.workers[i], NULL);
  host_lock();
  host.nworkers = 0;
  host.stop = host.stopping = false;
  host_free_spares();
  pthread_cond_broadcast(&host.passed); /* for threads that want to start
                                            again */
}

/* ==} */
