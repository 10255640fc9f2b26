/*
** event_pool.c - driver events: those that users make, and events without
** timing that are borrowed to order streams. Both come from pools of idle
** handles. A wait holds the recording that it was queued for, even if the event
** is recorded again. So a handle can be reused at once.
*/
#include "event_pool.h"

#include <limits.h>
#include <stdlib.h>

#include "deferral.h"
#include "progress.h"
#include "rt/driver/context.h"
#include "rt/driver/grow.h"
#include "rt/driver/owner.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/graph/capture_types.h"
#include "rt/queue/stream_types.h"
#include "watcher.h"

enum { EVENTS_KEPT = 4096 }; /* idle events of each kind */

/* {== the pools ======================================================= */

/* Returns the pool for events made with 'flags'; NULL if they are not
** pooled. */
static EventPool *pool_of (RtDevice *dev, unsigned flags) {
  if (flags == CU_EVENT_DEFAULT)
    return &dev->idle[0];
  return (flags == CU_EVENT_DISABLE_TIMING) ? &dev->idle[1] : NULL;
}

static bool put (EventPool *p, CUevent event) {
  if (!grow_list(&p->at, &p->cap, p->n + 1, sizeof *p->at, 32))
    return false;
  p->at[p->n++] = event;
  return true;
}

/* Enters 'dev', because an event belongs to the context that it is created
** in. */
static Status take (RtDevice *dev, unsigned flags, CUevent *event) {
  EventPool *p = pool_of(dev, flags);
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  if (p != NULL && p->n > 0) {
    *event = p->at[--p->n];
    return 0;
  }
  st = dev->D->cuEventCreate(event, flags);
  return st ? status_fail(dev->rt, st, "cuEventCreate") : 0;
}

static void give_back (RtDevice *dev, unsigned flags, CUevent event) {
  EventPool *p = pool_of(dev, flags);
  if (shared_is_dead(dev))
    return;
  if (p == NULL || p->n >= EVENTS_KEPT || !put(p, event))
    dev->D->cuEventDestroy(event);
}

/* Destroys an event that could not be recorded: it does not go to the pool. */
Status event_pool_record (RtDevice *dev, CUstream handle, CUevent *event) {
  Status st = take(dev, CU_EVENT_DISABLE_TIMING, event);
  if (st != 0)
    return st;
  st = dev->D->cuEventRecord(*event, handle);
  if (st == CUDA_SUCCESS)
    return 0;
  dev->D->cuEventDestroy(*event);
  return status_fail(dev->rt, st, "cuEventRecord");
}

void event_pool_return (RtDevice *dev, CUevent event) {
  give_back(dev, CU_EVENT_DISABLE_TIMING, event);
}

void event_pool_free_all (RtDevice *dev) {
  for (int i = 0; i < 2; i++) {
    EventPool *p = &dev->idle[i];
    while (p->n > 0)
      dev->D->cuEventDestroy(p->at[--p->n]);
    free(p->at);
    p->at = NULL;
    p->cap = 0;
  }
}

/* After a reset the device's events are gone. */
void event_pool_forget_all (RtDevice *dev) {
  dev->idle[0].n = dev->idle[1].n = 0;
  event_pool_free_all(dev);
}

/* ==} */

/* Makes an event with the given handle; NULL: with a handle from the pool. */
static Status make (RtDevice *dev, unsigned flags, CUevent handle,
                    RtEvent **out) {
  int most = dev->rt->caps.events;
  if (most > 0 && dev->rt->nevents >= most)
    return status_explain(dev->rt, RT_LIMIT, NULL,
                          "limit of events: the host program allows this Lua "
                          "state %d",
                          most);
  RtEvent *e = calloc(1, sizeof *e);
  if (e == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  e->handle = handle;
  Status st = (handle == NULL) ? take(dev, flags, &e->handle) : 0;
  if (st != 0) {
    free(e);
    return st;
  }
  e->flags = flags;
  life_begin(&e->life, LIFE_EVENT, dev);
  dev->rt->nevents++;
  *out = e;
  return 0;
}

/*
** Makes an interprocess event: 'fd' -1 creates a new timeline. The driver's
** event beside it is an ordinary one, because each recording of a CUDA
** interprocess event waits on the device for the recording before it, whatever
** streams they are on (seen on an H200, driver 580).
*/
static Status make_shared (RtDevice *dev, unsigned flags, int fd,
                           RtEvent **out) {
  RtTimeline *t;
  Status st = (fd < 0) ? timeline_new(dev, &t) : timeline_open(dev, fd, &t);
  if (st != 0)
    return st;
  st = make(dev, flags & ~(unsigned)CU_EVENT_INTERPROCESS, NULL, out);
  if (st != 0) {
    timeline_drop(t, true);
    return st;
  }
  (*out)->timeline = t;
  dev->rt->nshared++;
  return 0;
}

Status event_pool_new (RtDevice *dev, unsigned flags, int fd, RtEvent **out) {
  return (flags & CU_EVENT_INTERPROCESS) ? make_shared(dev, flags, fd, out)
                                         : make(dev, flags, NULL, out);
}

/* Asks the driver whether it knows the event. */
Status event_pool_wrap (RtDevice *dev, CUevent handle, RtRelease *release,
                        void *ud, RtEvent **out) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuEventQuery(handle);
  if (st != CUDA_SUCCESS && st != CUDA_ERROR_NOT_READY)
    return status_fail(dev->rt, st, "cuEventQuery");
  RtOwner *owners = NULL;
  st = owner_add(dev->rt, &owners, release, ud);
  if (st != 0)
    return st;
  st = make(dev, CU_EVENT_DEFAULT, handle, out);
  if (st != 0) {
    free(owners);
    return st;
  }
  (*out)->foreign = true;
  (*out)->owners = owners;
  return 0;
}

void event_pool_drop (RtEvent *e) {
  watcher_remove_event(e);
  life_drop(&e->life, LIFE_EVENT);
}

RtCapture *event_pool_find_capture (Runtime *rt, uint64_t id) {
  RtCapture *c = rt->captures;
  while (c != NULL && c->id != id)
    c = c->next;
  return c;
}

/* Tells whether an open capture has recorded 'e', so that it stands for the
** capture's nodes until the end. */
static bool is_captured (Runtime *rt, const RtEvent *e) {
  return e->capture != 0 && event_pool_find_capture(rt, e->capture) != NULL;
}

/* Leaves the timeline once our recordings are done and none of our streams
** waits for it, so that other processes do not take us for gone. Returns false
** if that is not so yet. */
static bool leave_timeline (RtEvent *e) {
  RtTimeline *t = e->timeline;
  bool closing = e->dev->rt->closing;
  if (t == NULL)
    return true;
  timeline_settle_waits(e->dev->rt);
  if (!closing && !timeline_is_unused(t))
    return false;
  if (!timeline_drop(t, closing))
    return false;
  e->dev->rt->nshared--;
  return true;
}

/* Enters any context that works, because this thread may have none yet. */
static bool end (Life *o) {
  RtEvent *e = (RtEvent *)o;
  Runtime *rt = e->dev->rt;
  bool stale = life_is_stale(o);
  if (e->kept > 0 ||
      (!stale && (is_captured(rt, e) || context_reenter(e->dev) != 0)) ||
      !leave_timeline(e))
    return false;
  if (!stale && !e->foreign)
    give_back(e->dev, e->flags, e->handle);
  owner_release_all(&e->owners);
  rt->nevents--;
  free(e);
  return true;
}

void event_pool_drain (Runtime *rt) {
  life_drain(rt, LIFE_EVENT, INT_MAX, end);
}

void event_pool_drop_all (Runtime *rt) {
  while (rt->held[LIFE_EVENT].n > 0)
    event_pool_drop(LIST_FIRST(RtEvent, &rt->held[LIFE_EVENT]));
}

Status event_pool_query (RtEvent *e, const char *what) {
  Runtime *rt = e->dev->rt;
  bool ours = (e->s != NULL);
  if (!event_pool_is_recorded(e))
    return 0;
  if (e->capture != 0)
    return status_fail(rt, CUDA_ERROR_CAPTURED_EVENT, what);
  if (event_pool_is_remote(e))
    return timeline_check(e->dev, e->timeline, timeline_latest(e->timeline),
                          what);
  if (ours && deferral_keeps(e->s, e->seq))
    return progress_passed(e->s, e->seq);
  if (ours && e->seq <= e->s->done && !e->foreign)
    return 0;
  Status st = context_enter(e->dev);
  if (st != 0)
    return st;
  st = e->dev->D->cuEventQuery(e->handle);
  if (st == CUDA_SUCCESS && ours && !e->foreign)
    progress_set_done(e->s, e->seq);
  else
    status_fail(rt, st, "cuEventQuery");
  return st;
}

Status event_pool_elapsed (RtEvent *from, RtEvent *to, float *ms) {
  Status st = context_enter(from->dev);
  if (st != 0)
    return st;
  st = from->dev->D->cuEventElapsedTime(ms, from->handle, to->handle);
  return st ? status_fail(from->dev->rt, st, "cuEventElapsedTime") : 0;
}
