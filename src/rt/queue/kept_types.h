/* kept_types.h - an operation that is not sent to the driver yet. */
#ifndef TIDE_RT_QUEUE_KEPT_TYPES_H
#define TIDE_RT_QUEUE_KEPT_TYPES_H

#include "op_types.h"

/*
** An operation that is not sent to the driver yet, because it is a host
** function or comes after one that has not run: kept.c. Each stream has a list,
** in the order of calls.
*/
struct RtKept {
  struct RtKept *next; /* in the list of a stream, rt->failed or rt->unref */
  RtStream *s;
  uint64_t seq;
  Op op;            /* with lists and parameters of its own */
  Point *after;     /* points of other streams that it comes after */
  int nafter;       /* their number */
  RtBody *body;     /* of a graph's launch; or NULL */
  Status status;    /* in rt->failed: why it could not be sent, */
  const char *call; /* and the arguments of status_fail */
  char *detail;
};

#endif
