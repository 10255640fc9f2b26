/*
** stop.c - ends programs before their time: a kernel in C may go on for ever.
**
** Streams say which ones run: those that are AT_WORK with one as their head, or
** AT_READY, since workers come when they can. It looks at its task's 'stop'
** again and again (kernels/program.c), so it ends soon. Its stream goes on with
** what is next, unless the context has failed. Then what is done elsewhere, for
** a stream that is AT_AWAY, ends too.
*/
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rt/host/host.h"
#include "rt/host/kernels/program.h"

enum { LOOK_US = 1000 };

/* The program that is the stream's head; NULL: something else is. */
static Task *first_program (CUstream s) {
  Task *t = (s->head != NULL) ? &s->head->task : NULL;
  bool any = t != NULL && t->kind == TASK_KERNEL &&
             t->u.kernel.program != NULL;
  return any ? t : NULL;
}

static Task *running (CUstream s) {
  return (s->place == AT_WORK || s->place == AT_READY) ? first_program(s)
                                                       : NULL;
}

static bool is_owned (const Task *t, uint64_t owner) {
  return t->u.kernel.args[PROGRAM_OWNER(t->u.kernel.program)] == owner;
}

static void stop (Task *t) {
  __atomic_store_n(&t->u.kernel.stop, true, __ATOMIC_RELAXED);
}

void host_cutaway (CUcontext ctx) {
  for (int i = 0; i < 2; i++) {
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy) {
      Away *work = (s->place == AT_AWAY) ? s->head->task.u.away.work : NULL;
      if (work != NULL)
        work->cut(work, s);
    }
  }
}

void host_stopall (CUcontext ctx) {
  host_cutaway(ctx);
  for (int i = 0; i < 2; i++)
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy)
      if (running(s) != NULL)
        stop(running(s));
}

/* A stream at a program that has not begun counts: nobody is told when it
** begins. What is done elsewhere may never come back. */
bool host_isendless (void) {
  for (int k = 0; k < host.ndevices; k++)
    for (int i = 0; i < 2; i++)
      for (CUstream s = host.devices[k].busy[i]; s != NULL; s = s->next_busy)
        if (first_program(s) != NULL || s->place == AT_AWAY)
          return true;
  return false;
}

/* The job comes to depend on what 'owner' runs: as much as there is memory. */
static void collect (Job *job, CUcontext ctx, uint64_t owner) {
  for (int i = 0; i < 2; i++) {
    for (CUstream s = ctx->busy[i]; s != NULL; s = s->next_busy) {
      const Task *t = running(s);
      if (t != NULL && is_owned(t, owner))
        host_depend(job, s, s->completed + 1);
    }
  }
}

/* Forgets what has ended meanwhile; also what has not begun, unless that counts
** as well. */
static void look_again (Job *job, bool all) {
  int n = 0;
  for (int i = 0; i < job->ndeps; i++) {
    Dep d = job->deps[i];
    if (d.s->completed < d.seq && (all || d.s->place == AT_WORK))
      job->deps[n++] = d;
    else
      host_releasestream(d.s);
  }
  job->ndeps = n;
}

static void give_time (Job *job, unsigned ms) {
  int64_t end = host_now() + (int64_t)ms * 1000000;
  while (job->ndeps > 0 && host_now() < end) {
    host_unlock();
    usleep(LOOK_US);
    host_lock();
    look_again(job, true);
  }
}

/* Stops those that are left, and waits for their ends. */
static int stop_rest (Job *job, char name[DRIVER_KERNEL]) {
  int n = job->ndeps;
  for (int i = 0; i < n; i++) {
    Task *t = running(job->deps[i].s);
    snprintf(name, DRIVER_KERNEL, "%s", t->u.kernel.program->name);
    stop(t);
  }
  while (look_again(job, false), job->ndeps > 0)
    host_wait();
  return n;
}

int host_stop (uint64_t owner, unsigned ms, char name[DRIVER_KERNEL]) {
  int n = 0;
  if (host_usable() != CUDA_SUCCESS)
    return 0;
  host_lock();
  Job *job = host_newjob(&(Task){.kind = TASK_NONE});
  for (int i = 0; job != NULL && i < host.ndevices; i++)
    collect(job, &host.devices[i], owner);
  if (job != NULL) {
    give_time(job, ms);
    n = stop_rest(job, name);
    host_dropjob(job);
  }
  host_unlock();
  return n;
}
