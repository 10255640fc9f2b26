/* copy_threads.h - threads that fill page-locked memory. See copy_threads.c. */
#ifndef TIDE_RT_COPY_THREADS_H
#define TIDE_RT_COPY_THREADS_H

#include "rt.h"

/*
** Puts bytes [off, off + n) of a source at 'to': 0, or an errno. Called by
** several threads at once, each for a part of its own; blocks for nothing but
** files.
*/
typedef int (*RtFill) (const void *ud, char *to, size_t off, size_t n);

/* One stretch of memory to be filled, in parts. */
typedef struct RtJob {
  struct RtJob *next;
  RtFill fill;
  const void *ud;
  char *to;
  size_t off, n;  /* of the source */
  size_t taken;   /* how much of it somebody has begun, */
  size_t left;    /* and how much is not done yet */
  int error;      /* the first there was */
} RtJob;

/* The crew of a Runtime, started when first asked for. NULL: there is none,
** and whoever has a job does it alone. */
struct Crew *rt_crew (Runtime *rt);

/* The job, on the caller's stack, is begun. Jobs are done in that order. */
void rt_postjob (struct Crew *crew, RtJob *job);

/* Does what nobody has begun yet, then waits for the others; an errno or 0. */
int rt_finishjob (struct Crew *crew, RtJob *job);

/* Joins its threads; those of the parent of a fork are not there. */
void rt_closecrew (Runtime *rt);

#endif
