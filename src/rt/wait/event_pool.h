/* event_pool.h - users' events, and a pool of tide's own. See event_pool.c. */
#ifndef TIDE_RT_WAIT_EVENT_POOL_H
#define TIDE_RT_WAIT_EVENT_POOL_H

#include "rt/driver/life.h"
#include "rt/driver/owner.h"
#include "rt/rt.h"
#include "timeline.h"

/* A user's event. */
struct RtEvent {
  LIFE;
  CUevent handle;
  unsigned flags;
  RtStream *s; /* where it was recorded last, or NULL */
  uint64_t seq;
  uint64_t capture; /* id of the capture that recorded it; 0: none */
  int recording;    /* index among that capture's recordings */
  bool foreign;     /* the host program's, which may record it, too */
  int kept;         /* recordings that have not been sent */
  struct RtTimeline *timeline; /* of an interprocess event, or NULL. Other
                                   processes may record it */
  uint64_t published;          /* number of our own latest recording in it */
  RtOwner *owners;
};

/* Records an event without timing, from the device's pool, on a stream of the
** device, and enters the device. */
Status event_pool_record (RtDevice *dev, CUstream handle, CUevent *event);
void event_pool_return (RtDevice *dev, CUevent event);
void event_pool_free_all (RtDevice *dev);
void event_pool_forget_all (RtDevice *dev); /* after a reset: no driver call */

/* Makes a user's event that is not recorded yet. For an interprocess event 'fd'
** is the file of another process's event, which stays the caller's, or -1 for a
** new one. */
Status event_pool_new (RtDevice *dev, unsigned flags, int fd, RtEvent **out);

/* Wraps an event of the host program, which may record it as well, and may
** destroy it once release(ud) has been called (owner.h). */
Status event_pool_wrap (RtDevice *dev, CUevent handle, RtRelease *release,
                        void *ud, RtEvent **out);

/* Drops an event. Calls no driver: a later event_pool_drain gives the handle
** back. */
void event_pool_drop (RtEvent *e);
void event_pool_drain (Runtime *rt);

/* Drops, at close, the events that finalizers made while the lua_State
** closed. */
void event_pool_drop_all (Runtime *rt);

/* Tells whether the latest recording is by another process or another Lua
** state. */
static inline bool event_pool_is_remote (const RtEvent *e) {
  return e->timeline != NULL && timeline_latest(e->timeline) != e->published;
}

/* Tells whether the event was ever recorded, as far as can be known. */
static inline bool event_pool_is_recorded (const RtEvent *e) {
  return e->s != NULL || e->foreign || event_pool_is_remote(e);
}

/* Returns 0 if the event's work is done or it was never recorded,
** CUDA_ERROR_NOT_READY, or an error. */
Status event_pool_query (RtEvent *e, const char *what);

/* Stores the milliseconds from one event to a later one. */
Status event_pool_elapsed (RtEvent *from, RtEvent *to, float *ms);

/* Returns the open capture with this id, by which events and streams name it,
** or NULL. */
RtCapture *event_pool_find_capture (Runtime *rt, uint64_t id);

#endif
