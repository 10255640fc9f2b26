/*
** copy_pool.c - threads that fill page-locked memory from strings and files,
** because one thread copies at a fifth of the rate of a link to the device.
**
** DESIGN. A job is cut into parts of PART bytes. Jobs stand in a queue; each
** free thread takes the next part of the first job that has one left. These are
** the pool's threads, and the Lua thread while it waits for its oldest job. So
** a job is done even if no thread of the pool ever runs. The threads touch
** nothing but the queue, under the lock, and the memory of their part; they
** call neither the driver nor malloc. They belong to one Runtime and end with
** it.
*/
#include "copy_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "rt/driver/context.h"
#include "rt/os/cores.h"
#include "rt/os/thread.h"

/*
** Overridable (MYCFLAGS=-DPOOL_THREADS=...), to be tuned by h2d_pageable of
** bench/copy.lua. Computed: a core copies about 10 GB/s and a link takes up to
** 55 GB/s, so six threads would do. A part takes 25 us, long compared with the
** lock.
*/
#if !defined(POOL_THREADS)
#define POOL_THREADS 7 /* threads besides the Lua thread */
#endif
#if !defined(POOL_PART)
#define POOL_PART ((size_t)256 << 10)
#endif

typedef struct CopyPool {
  pthread_mutex_t lock; /* for all fields below */
  pthread_cond_t work;  /* there are parts to take, or 'quit' */
  pthread_cond_t done;  /* the last part of a job is done */
  RtJob *first, **end;  /* jobs that have parts left */
  bool quit;
  int nthreads;
  pthread_t threads[POOL_THREADS];
} CopyPool;

static size_t part_of (const RtJob *job) {
  size_t rest = job->n - job->taken;
  return (rest < POOL_PART) ? rest : POOL_PART;
}

/* Does one part of the first job. The caller holds the lock, which is released
** meanwhile. */
static void do_part (CopyPool *c) {
  RtJob *job = c->first;
  size_t at = job->taken, n = part_of(job);
  job->taken += n;
  if (job->taken == job->n) {
    c->first = job->next;
    if (c->first == NULL)
      c->end = &c->first;
  }
  pthread_mutex_unlock(&c->lock);
  char *to = (job->to != NULL) ? job->to + at : NULL;
  int error = job->fill(job->ud, to, job->off + at, n);
  pthread_mutex_lock(&c->lock);
  if (job->error == 0)
    job->error = error;
  job->left -= n;
  if (job->left == 0)
    pthread_cond_broadcast(&c->done); /* 'job' may be gone after this */
}

static void *work (void *ud) {
  CopyPool *c = ud;
  pthread_mutex_lock(&c->lock);
  while (!c->quit) {
    if (c->first != NULL)
      do_part(c);
    else
      pthread_cond_wait(&c->work, &c->lock);
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* Starts a thread for each other core. */
static void start (CopyPool *c) {
  int others = core_count() - 1;
  while (c->nthreads < POOL_THREADS && c->nthreads < others &&
         thread_start(&c->threads[c->nthreads], work, c) == 0)
    c->nthreads++;
}

CopyPool *copy_pool_get (Runtime *rt) {
  if (rt->copy_pool != NULL)
    return rt->copy_pool;
  CopyPool *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->work, NULL);
  pthread_cond_init(&c->done, NULL);
  c->end = &c->first;
  rt->copy_pool = c;
  start(c);
  return c;
}

void copy_pool_post (CopyPool *c, RtJob *job) {
  job->next = NULL;
  job->taken = 0;
  job->left = job->n;
  job->error = 0;
  if (c == NULL)
    return;
  pthread_mutex_lock(&c->lock);
  *c->end = job;
  c->end = &job->next;
  pthread_cond_broadcast(&c->work);
  pthread_mutex_unlock(&c->lock);
}

int copy_pool_finish (CopyPool *c, RtJob *job) {
  if (c == NULL)
    return job->fill(job->ud, job->to, job->off, job->n);
  pthread_mutex_lock(&c->lock);
  while (job->left > 0) {
    if (c->first != NULL)
      do_part(c);
    else
      pthread_cond_wait(&c->done, &c->lock);
  }
  pthread_mutex_unlock(&c->lock);
  return job->error;
}

void copy_pool_close (Runtime *rt) {
  CopyPool *c = rt->copy_pool;
  if (c == NULL)
    return;
  rt->copy_pool = NULL;
  if (!context_is_forked(rt)) {
    pthread_mutex_lock(&c->lock);
    c->quit = true;
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->nthreads; i++)
      pthread_join(c->threads[i], NULL);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->work);
    pthread_cond_destroy(&c->done);
  }
  free(c);
}
