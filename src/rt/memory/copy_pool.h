/* copy_pool.h - threads that fill page-locked memory. See copy_pool.c. */
#ifndef TIDE_RT_MEMORY_COPY_POOL_H
#define TIDE_RT_MEMORY_COPY_POOL_H

#include "rt/rt.h"

/*
** Writes bytes [off, off + n) of a source to 'to'; returns 0 or an error, as
** reading_at does. Several threads call it at once, each for a part of its own.
** Only files may make it block.
*/
typedef int (*RtFill)(const void *ud, char *to, size_t off, size_t n);

/* One stretch of memory to be filled, in parts. */
typedef struct RtJob {
  struct RtJob *next;
  RtFill fill;
  const void *ud;
  char *to;      /* or NULL: for reading alone */
  size_t off, n; /* of the source */
  size_t taken;  /* bytes that threads have begun */
  size_t left;   /* bytes that are not done yet */
  int error;     /* the first error */
} RtJob;

/* Returns the Runtime's pool, and starts it at the first call. NULL: it has no
** threads, so the caller does its jobs alone. */
struct CopyPool *copy_pool_get (Runtime *rt);

/* Queues the job, which lies on the caller's stack. Jobs are done in the order
** in which they were posted. */
void copy_pool_post (struct CopyPool *pool, RtJob *job);

/* Does the parts that no thread has begun, then waits for the others. Returns 0
** or an errno. */
int copy_pool_finish (struct CopyPool *pool, RtJob *job);

/* Joins the pool's threads. After a fork the child has no threads to join. */
void copy_pool_close (Runtime *rt);

#endif
