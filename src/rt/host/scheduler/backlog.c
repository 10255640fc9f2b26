/*
** backlog.c - the number of operations that a stream takes before queueing more
** blocks: as many as on a GPU (1021 on an H200, driver 580). So a program
** cannot run ahead of the device without end, with memory for each step.
**
** A launch counts as one, of a graph too, and a copy; records and waits do not.
*/
#include "rt/host/host.h"

enum {
  MOST = 1021,
  ENOUGH = 768 /* waiting threads go on here, not after each job */
};

static bool is_counted (TaskKind kind) {
  return kind == TASK_KERNEL || kind == TASK_COPY || kind == TASK_SET ||
         kind == TASK_HOSTFN || kind == TASK_AWAY;
}

/* The wait drops the lock, but a reference keeps the stream. */
static void wait_for_room (CUstream s) {
  s->refs++;
  s->crowders++;
  while (s->backlog > ENOUGH)
    pthread_cond_wait(&host.room, &host.lock);
  s->crowders--;
  host_release_stream(s);
}

void host_wait_room (CUstream s, TaskKind kind) {
  if (s->backlog >= MOST && is_counted(kind))
    wait_for_room(s);
}

void host_count_job (CUstream s, Job *job, TaskKind kind) {
  job->counted = is_counted(kind);
  s->backlog += job->counted;
}

void host_uncount_job (CUstream s, const Job *job) {
  s->backlog -= job->counted;
  if (s->crowders > 0 && s->backlog <= ENOUGH)
    pthread_cond_broadcast(&host.room);
}
