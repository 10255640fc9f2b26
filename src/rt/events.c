/*
** events.c - driver events: those that users make, and a pool of events
** without timing that submit.c borrows to order streams.
*/
#include "events.h"

#include <stdlib.h>

#include "runtime.h"
#include "streams.h"

/* {== the pool ======================================================== */

static Status reserve (RtDevice *dev) {
  if (dev->nevents < dev->capevents)
    return 0;
  int cap = dev->capevents > 0 ? 2 * dev->capevents : 32;
  CUevent *events = realloc(dev->events, (size_t)cap * sizeof *events);
  if (events == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  dev->events = events;
  dev->capevents = cap;
  return 0;
}

Status rt_lendevent (RtDevice *dev, CUevent *event) {
  if (dev->nevents > 0) {
    *event = dev->events[--dev->nevents];
    return 0;
  }
  Status st = dev->D->cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
  return st ? rt_fail(dev->rt, st, "cuEventCreate") : 0;
}

void rt_returnevent (RtDevice *dev, CUevent event) {
  if (reserve(dev) == 0)
    dev->events[dev->nevents++] = event;
  else
    dev->D->cuEventDestroy(event);
}

void rt_freeevents (RtDevice *dev) {
  while (dev->nevents > 0)
    dev->D->cuEventDestroy(dev->events[--dev->nevents]);
  free(dev->events);
  dev->events = NULL;
  dev->capevents = 0;
}

/* ==} */

Status rt_newevent (RtDevice *dev, unsigned flags, RtEvent **out) {
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  RtEvent *e = calloc(1, sizeof *e);
  if (e == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  st = dev->D->cuEventCreate(&e->handle, flags);
  if (st != CUDA_SUCCESS) {
    free(e);
    return rt_fail(dev->rt, st, "cuEventCreate");
  }
  e->dev = dev;
  e->flags = flags;
  *out = e;
  return 0;
}

void rt_dropevent (RtEvent *e) {
  e->next = e->dev->rt->dropped_events;
  e->dev->rt->dropped_events = e;
}

void rt_drainevents (Runtime *rt) {
  while (rt->dropped_events != NULL) {
    RtEvent *e = rt->dropped_events;
    rt->dropped_events = e->next;
    e->dev->D->cuEventDestroy(e->handle);
    free(e);
  }
}

Status rt_queryevent (RtEvent *e, const char *what) {
  Runtime *rt = e->dev->rt;
  if (e->s == NULL)
    return 0;
  if (e->capture != 0)
    return rt_fail(rt, CUDA_ERROR_CAPTURED_EVENT, what);
  if (e->seq <= e->s->done)
    return 0;
  Status st = rt_enter(e->dev);
  if (st != 0)
    return st;
  st = e->dev->D->cuEventQuery(e->handle);
  if (st == CUDA_SUCCESS)
    rt_setdone(e->s, e->seq);
  else
    rt_fail(rt, st, "cuEventQuery");
  return st;
}

Status rt_elapsed (RtEvent *from, RtEvent *to, float *ms) {
  Status st = rt_enter(from->dev);
  if (st != 0)
    return st;
  st = from->dev->D->cuEventElapsedTime(ms, from->handle, to->handle);
  return st ? rt_fail(from->dev->rt, st, "cuEventElapsedTime") : 0;
}
