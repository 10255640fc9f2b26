/*
** stop_kernels.c - ends kernels early, because a program may run for ever, and
** a built-in kernel may take long.
**
** A kernel runs if it is the head of a stream AT_WORK, or AT_READY, because
** workers come when they can. A program checks its task's 'stop' again and
** again (kernels/interpreter.c). A built-in kernel that is done in parts checks
** it before each part (parallel.c). Its stream goes on with the next job,
** unless the context has failed. Then Away work, of streams that are AT_AWAY,
** ends too.
*/
#include <stdio.h>
#include <string.h>

#include "rt/host/host.h"
#include "rt/host/kernels/interpreter.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"

enum { LOOK_NS = 1000000 };

/* Returns the kernel that is the stream's head, or NULL. */
static Task *first_kernel (CUstream s) {
  Task *t = (s->head != NULL) ? &s->head->task : NULL;
  return (t != NULL && t->kind == TASK_KERNEL) ? t : NULL;
}

static Task *running (CUstream s) {
  return (s->place == AT_WORK || s->place == AT_READY) ? first_kernel(s) : NULL;
}

/* The kernels to end. */
typedef struct Whose {
  uint64_t owner;
  const DriverStream *streams;
  int n;
} Whose;

static bool is_among (const Whose *w, CUstream s) {
  for (int i = 0; i < w->n; i++) {
    CUcontext ctx = &host.devices[w->streams[i].ordinal];
    if (s->ctx == ctx && host_stream(ctx, w->streams[i].s) == s)
      return true;
  }
  return false;
}

static bool is_program (const Task *t) {
  return t != NULL && t->u.kernel.program != NULL;
}

static bool is_meant (const Whose *w, CUstream s, const Task *t) {
  if (is_program(t))
    return t->u.kernel.args[PROGRAM_OWNER(t->u.kernel.program)] == w->owner;
  return host_has_parts(t) && is_among(w, s);
}

static const char *name_of (const Task *t) {
  return (t->u.kernel.builtin != NULL) ? t->u.kernel.builtin->name
                                       : t->u.kernel.program->name;
}

static void stop (Task *t) {
  __atomic_store_n(&t->u.kernel.stop, true, __ATOMIC_RELAXED);
}

void host_cut_away (CUcontext ctx) {
  for (int i = 0; i < 2; i++) {
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy) {
      Away *work = (s->place == AT_AWAY) ? s->head->task.u.away.work : NULL;
      if (work != NULL)
        work->cut(work, s);
    }
  }
}

void host_stop_all (CUcontext ctx) {
  host_cut_away(ctx);
  for (int i = 0; i < 2; i++)
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy)
      if (running(s) != NULL)
        stop(running(s));
}

/* A stream with a program as its head counts even before it begins, because its
** begin wakes no waiter. Away work may never end. */
bool host_is_endless (void) {
  for (int k = 0; k < host.ndevices; k++)
    for (int i = 0; i < 2; i++)
      for (CUstream s = host.devices[k].busy[i]; s != NULL; s = s->next_busy)
        if (is_program(first_kernel(s)) || s->place == AT_AWAY)
          return true;
  return false;
}

/* Makes the job depend on the kernels to end, as far as there is memory. */
static void collect (Job *job, CUcontext ctx, const Whose *w) {
  for (int i = 0; i < 2; i++) {
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy) {
      const Task *t = running(s);
      if (t != NULL && is_meant(w, s, t))
        host_depend(job, s, s->completed + 1);
    }
  }
}

/* A program at work ends as soon as it is told to; a part of a built-in kernel
** may still take a while. */
static bool ends_soon (CUstream s) {
  return s->place == AT_WORK && is_program(first_kernel(s));
}

/* Forgets kernels that have ended; unless 'all', also kernels that do not end
** soon. */
static void look_again (Job *job, bool all) {
  int n = 0;
  for (int i = 0; i < job->ndeps; i++) {
    Dep d = job->deps[i];
    if (d.s->completed < d.seq && (all || ends_soon(d.s)))
      job->deps[n++] = d;
    else
      host_release_stream(d.s);
  }
  job->ndeps = n;
}

static void give_time (Job *job, unsigned ms) {
  int64_t end = clock_now() + (int64_t)ms * 1000000;
  while (job->ndeps > 0 && clock_now() < end) {
    host_unlock();
    nap_for(LOOK_NS);
    host_lock();
    look_again(job, true);
  }
}

/* Stops the kernels that are left, and waits for their ends. */
static int stop_rest (Job *job, char name[DRIVER_KERNEL]) {
  int n = job->ndeps;
  for (int i = 0; i < n; i++) {
    Task *t = running(job->deps[i].s);
    snprintf(name, DRIVER_KERNEL, "%s", name_of(t));
    stop(t);
  }
  while (look_again(job, false), job->ndeps > 0)
    host_wait();
  return n;
}

int host_stop (uint64_t owner, const DriverStream *streams, int nstreams,
               unsigned ms, char name[DRIVER_KERNEL]) {
  const Whose whose = {owner, streams, nstreams};
  int n = 0;
  if (host_usable() != CUDA_SUCCESS)
    return 0;
  host_lock();
  Job *job = host_new_job(&(Task){.kind = TASK_NONE});
  for (int i = 0; job != NULL && i < host.ndevices; i++)
    collect(job, &host.devices[i], &whose);
  if (job != NULL) {
    give_time(job, ms);
    n = stop_rest(job, name);
    host_drop_job(job);
  }
  host_unlock();
  return n;
}
