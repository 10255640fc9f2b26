/*
** queue.c - the queues of all streams, and which jobs may run.
**
** DESIGN. A stream is a FIFO of jobs and never a thread. It stands in one place
** at a time, and in the list that belongs to it:
**
**   AT_REST     nowhere: its queue is empty
**   AT_LOOK     host.looks: its head is new, or its dependency completed
**   AT_READY    host.ready[priority]: its head may run
**   AT_WORK     nowhere: a worker runs its head, with the lock dropped
**   AT_AWAY     where its Away work puts it: no worker runs its head
**   AT_WAITERS  waiters of another stream: its head depends on a job there
**   AT_POLLS    host.polls: its head waits for a value any thread may write
**
**   REST -> LOOK -> READY -> WORK -> LOOK    a job for a worker
**           LOOK -> AWAY -> LOOK             a job done outside of the workers
**           LOOK -> WAITERS | POLLS -> LOOK  a job that has to wait
**           LOOK -> REST                     nothing left
**
** 1. Queueing appends the job and puts a stream at rest in host.looks. (Short
** tasks that follow nothing are done without a job: host_run_now.)
**
** 2. settle() empties host.looks before the lock is dropped. Short jobs are
** done on the spot: a record, a wait, a written value, and a little work that
** is all that a stream has to do. This saves a change of threads, which takes
** longer than a thousand elements. Other jobs go to the ready queue. Completed
** jobs put further streams in host.looks: a loop, never a recursion.
**
** 3. A worker (workers.c) takes the most urgent ready stream, runs its head
** without the lock, and calls host_finish_job, which is step 2 again.
**
** A job never blocks a worker, so the number of threads does not depend on the
** number of streams, and no order of dependencies can deadlock: they point to
** jobs that were queued earlier. A dependency is (stream, sequence number) and
** is met when that stream has completed as many jobs. Completion is a counter,
** and one counter per stream is all that is remembered about the past.
**
** LOCKS. host.lock is the only one, and nothing is called under it that could
** take another: tasks run without it. A thread that learns under the lock that
** a job is completed sees its writes.
*/
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "rt/driver/grow.h"
#include "rt/host/host.h"

enum { LITTLE_ELEMENTS = 2048, LITTLE_BYTES = 1 << 14 };

/* {== the lock ======================================================== */

static void settle (void);

void host_lock (void) { pthread_mutex_lock(&host.lock); }

/* Wakes a worker if there are more jobs than workers that are about to look. */
void host_unlock (void) {
  settle();
  bool wake = host_wants_worker();
  pthread_mutex_unlock(&host.lock);
  if (wake)
    pthread_cond_signal(&host.work);
}

/* ==} */

/* {== jobs ============================================================ */

void host_copy_task (Task *to, const Task *from) {
  bool whole = (from->kind == TASK_KERNEL && from->u.kernel.geometry > 0);
  memcpy(to, from, whole ? sizeof *to : offsetof(Task, u.kernel.shapes));
  if (from->kind == TASK_AWAY)
    from->u.away.work->refs++;
}

void host_drop_task (const Task *t) {
  if (t->kind == TASK_AWAY && --t->u.away.work->refs == 0)
    t->u.away.work->drop(t->u.away.work);
}

/* Owns, even when it fails, a record's reference to its recording. */
Job *host_new_job (const Task *what) {
  Job *job = host.jobs;
  if (job != NULL) {
    host.jobs = job->next;
  } else if ((job = malloc(sizeof *job)) == NULL) {
    if (what->kind == TASK_RECORD)
      host_release_recording(what->u.record.at);
    return NULL;
  }
  job->next = NULL;
  job->counted = false;
  host_copy_task(&job->task, what);
  job->deps = job->room;
  job->ndeps = 0;
  job->capdeps = sizeof job->room / sizeof *job->room;
  return job;
}

void host_drop_job (Job *job) {
  for (int i = 0; i < job->ndeps; i++)
    host_release_stream(job->deps[i].s);
  if (job->deps != job->room)
    free(job->deps);
  if (job->task.kind == TASK_RECORD)
    host_release_recording(job->task.u.record.at);
  host_drop_task(&job->task);
  job->next = host.jobs;
  host.jobs = job;
}

/* Makes the job, not yet queued, wait until 's' (or NULL) has completed
** 'seq'. */
bool host_depend (Job *job, CUstream s, uint64_t seq) {
  if (s == NULL || s->completed >= seq)
    return true;
  if (!grow_list_from(job->room, &job->deps, &job->capdeps, job->ndeps + 1,
                      sizeof *job->deps))
    return false;
  s->refs++;
  job->deps[job->ndeps++] = (Dep){s, seq};
  return true;
}

/* Frees spare jobs and recordings: no worker runs, nothing is queued. */
void host_free_spares (void) {
  for (Job *j; (j = host.jobs) != NULL; free(j))
    host.jobs = j->next;
  for (EventRecord *r; (r = host.recordings) != NULL; free(r))
    host.recordings = r->next;
}

/* ==} */

/* {== streams with work =============================================== */

static CUstream *busy_list (CUstream s) {
  return &s->ctx->busy[s->flags & CU_STREAM_NON_BLOCKING];
}

/* Unfinished work holds a reference, so the handle may be destroyed before. */
static void become_busy (CUstream s) {
  CUstream *list = busy_list(s);
  s->refs++;
  s->prev_busy = NULL;
  s->next_busy = *list;
  if (*list != NULL)
    (*list)->prev_busy = s;
  *list = s;
}

/* May free the stream. */
static void come_to_rest (CUstream s) {
  s->place = AT_REST;
  if (s->prev_busy != NULL)
    s->prev_busy->next_busy = s->next_busy;
  else
    *busy_list(s) = s->next_busy;
  if (s->next_busy != NULL)
    s->next_busy->prev_busy = s->prev_busy;
  host_release_stream(s);
}

static void look_at (CUstream s) {
  s->place = AT_LOOK;
  s->next = host.looks;
  host.looks = s;
}

void host_enqueue (CUstream s, Job *job) {
  s->issued++;
  job->next = NULL;
  *s->tail = job;
  s->tail = &job->next;
  if (s->place == AT_REST) {
    become_busy(s);
    look_at(s);
  }
}

/* ==} */

/* {== waits of heads ================================================== */

static void set_nready (int n) {
  __atomic_store_n(&host.nready, n, __ATOMIC_RELAXED);
}

static void become_ready (CUstream s) {
  int p = LEAST - s->priority;
  s->place = AT_READY;
  s->next = NULL;
  *host.ready_tail[p] = s;
  host.ready_tail[p] = &s->next;
  set_nready(host.nready + 1);
}

/* Returns the most urgent ready stream, now AT_WORK; or NULL. */
CUstream host_take_ready (void) {
  for (int p = PRIORITIES - 1; host.nready > 0 && p >= 0; p--) {
    CUstream s = host.ready[p];
    if (s == NULL)
      continue;
    host.ready[p] = s->next;
    if (s->next == NULL)
      host.ready_tail[p] = &host.ready[p];
    set_nready(host.nready - 1);
    s->place = AT_WORK;
    return s;
  }
  return NULL;
}

/* Puts 's' into the list of streams that wait for 'on'. */
static void wait_for (CUstream s, const Dep *on) {
  CUstream other = on->s;
  if (other->waiters == NULL || on->seq < other->wake_at)
    other->wake_at = on->seq;
  s->place = AT_WAITERS;
  s->needs = on->seq;
  s->next = other->waiters;
  other->waiters = s;
}

/* 's' has completed the first job that a waiter needs. */
static void wake_waiters (CUstream s) {
  CUstream list = s->waiters;
  s->waiters = NULL;
  s->wake_at = UINT64_MAX;
  for (CUstream w; (w = list) != NULL;) {
    list = w->next;
    if (w->needs <= s->completed)
      look_at(w);
    else
      wait_for(w, &(Dep){s, w->needs});
  }
}

static bool has_value (CUstream s) {
  const Task *t = &s->head->task;
  uint32_t now = __atomic_load_n(t->u.value.addr, __ATOMIC_ACQUIRE);
  if (s->ctx->fault != CUDA_SUCCESS)
    return true;
  if (t->u.value.flags == CU_STREAM_WAIT_VALUE_EQ)
    return now == t->u.value.value;
  return (int32_t)(now - t->u.value.value) >= 0;
}

/* Puts 's' last, so that the next bounded look sees other values. */
static void watch_value (CUstream s) {
  s->place = AT_POLLS;
  s->next = NULL;
  *host.polls_tail = s;
  host.polls_tail = &s->next;
}

/* Looks at 'max' values, or all. */
static void poll_values (int max) {
  CUstream last = NULL;
  for (CUstream s; max > 0 && (s = host.polls) != last && s != NULL; max--) {
    host.polls = s->next;
    if (host.polls == NULL)
      host.polls_tail = &host.polls;
    if (has_value(s)) {
      look_at(s);
      continue;
    }
    watch_value(s);
    if (last == NULL)
      last = s;
  }
}

/* ==} */

/* {== looking at heads ================================================ */

/* A context that has failed waits for no other. */
static bool is_cut_off (CUstream s, const Dep *on) {
  return s->ctx->fault != CUDA_SUCCESS && on->s->ctx != s->ctx;
}

/* False: the head is not ready, and 's' is in the list where it waits. */
static bool may_run (CUstream s) {
  Job *job = s->head;
  while (job->ndeps > 0) {
    const Dep *d = &job->deps[job->ndeps - 1];
    if (d->s->completed < d->seq && !is_cut_off(s, d)) {
      wait_for(s, d);
      return false;
    }
    job->ndeps--;
    host_release_stream(d->s);
  }
  if (job->task.kind == TASK_WAITVALUE && !has_value(s)) {
    watch_value(s);
    return false;
  }
  return true;
}

/*
** Tells whether the task takes less time than handing it over, so that it may
** be done under the lock. A worker does all but the last of many little tasks
** in a row, because otherwise the lock would be held for long. Workers do
** delays, and tasks that may fail or never end (the host kernels that take n do
** neither).
*/
static bool is_short (const Task *t, bool last) {
  if (host.delays)
    return false;
  switch (t->kind) {
    case TASK_NONE:
    case TASK_RECORD:
    case TASK_WAITVALUE:
    case TASK_WRITEVALUE: return true;
    case TASK_KERNEL:
      return last && t->u.kernel.builtin != NULL && t->u.kernel.n > 0 &&
             t->u.kernel.n <= LITTLE_ELEMENTS;
    case TASK_COPY: return last && t->u.copy.bytes <= LITTLE_BYTES;
    case TASK_SET: return last && t->u.set.bytes <= LITTLE_BYTES;
    case TASK_HOSTFN:
    case TASK_FREE:
    case TASK_AWAY: break;
  }
  return false;
}

/* After a fault work is skipped, but events are reached. */
static void execute_short (CUstream s, Task *t) {
  if (s->ctx->fault == CUDA_SUCCESS || t->kind == TASK_RECORD)
    host_execute(t);
}

static void count_completed (CUstream s, TaskKind kind) {
  s->completed++;
  if (s->waiters != NULL && s->completed >= s->wake_at)
    wake_waiters(s);
  if (kind == TASK_WRITEVALUE)
    poll_values(INT_MAX);
  if (kind == TASK_RECORD)
    host_wake_listeners();
  if (host.waiting > 0)
    pthread_cond_broadcast(&host.passed);
}

/* Removes the head, which is done. */
static void complete (CUstream s) {
  Job *job = s->head;
  s->head = job->next;
  if (s->head == NULL)
    s->tail = &s->head;
  host_uncount_job(s, job);
  count_completed(s, job->task.kind);
  host_drop_job(job);
}

/* Begins work outside of the workers. False: there is nothing to do. */
static bool send_away (CUstream s) {
  Away *work = s->head->task.u.away.work;
  if (s->ctx->fault != CUDA_SUCCESS)
    return false;
  s->place = AT_AWAY;
  return work->begin(work, s);
}

/* Finds the place of a stream that was AT_LOOK; may free it. */
static void look (CUstream s) {
  while (s->head != NULL) {
    if (!may_run(s))
      return;
    if (s->head->task.kind == TASK_AWAY) {
      if (send_away(s))
        return;
      complete(s);
      continue;
    }
    if (!is_short(&s->head->task, s->head->next == NULL)) {
      become_ready(s);
      return;
    }
    execute_short(s, &s->head->task);
    complete(s);
  }
  come_to_rest(s);
}

/* Does a task that follows nothing as look() would, but without a job. False:
** it has to be queued. Owns a recording as host_new_job does, but only if
** true. */
bool host_run_now (CUstream s, Task *t) {
  if (s->place != AT_REST || t->kind == TASK_WAITVALUE || !is_short(t, true))
    return false;
  s->issued++;
  execute_short(s, t);
  count_completed(s, t->kind);
  if (t->kind == TASK_RECORD)
    host_release_recording(t->u.record.at);
  return true;
}

static void settle (void) {
  for (CUstream s; (s = host.looks) != NULL;) {
    host.looks = s->next;
    look(s);
  }
}

static void leave_waiters (CUstream s) {
  CUstream *at = &s->head->deps[s->head->ndeps - 1].s->waiters;
  while (*at != s)
    at = &(*at)->next;
  *at = s->next;
}

/* The context has failed: its streams stop waiting for other contexts. */
void host_cut_off (CUcontext ctx) {
  for (int i = 0; i < 2; i++) {
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy) {
      if (s->place == AT_WAITERS &&
          is_cut_off(s, &s->head->deps[s->head->ndeps - 1])) {
        leave_waiters(s);
        look_at(s);
      }
    }
  }
  settle();
}

/* Looks at up to 'max' values that streams wait for, and moves these on. */
void host_recheck (int max) {
  poll_values(max);
  settle();
}

/* The head of 's', which was AT_WORK or AT_AWAY, is done. */
void host_finish_job (CUstream s) {
  complete(s);
  look_at(s);
  settle();
}

/* ==} */
