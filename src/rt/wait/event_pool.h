/* event_pool.h - the users' events, and a pool of our own. See event_pool.c. */
#ifndef TIDE_RT_WAIT_EVENT_POOL_H
#define TIDE_RT_WAIT_EVENT_POOL_H

#include "rt/rt.h"
#include "timeline.h"

/* Records an event without timing, from the device's pool, on a stream of the
** device, which it enters. */
Status rt_recordnew (RtDevice *dev, CUstream handle, CUevent *event);
void rt_returnevent (RtDevice *dev, CUevent event);
void rt_freeevents (RtDevice *dev);
void rt_forgetevents (RtDevice *dev);  /* after a reset: no driver call */

/* A user's event, never recorded here; an interprocess one is another process's
** by its file, which stays the caller's, or new: -1. */
Status rt_newevent (RtDevice *dev, unsigned flags, int fd, RtEvent **out);

/* One of somebody else, who may record it as well, and destroys it once he was
** told: owner.h. */
Status rt_wrapevent (RtDevice *dev, CUevent handle, RtRelease *release,
                     void *ud, RtEvent **out);

/* Calls no driver: the handle goes at a later drain. */
void rt_dropevent (RtEvent *e);
void rt_drainevents (Runtime *rt);

/* At close: those that finalisers made while the lua_State closed. */
void rt_dropevents (Runtime *rt);

/* Is its latest recording another process's, or another Lua state's? */
static inline bool rt_isremote (const RtEvent *e) {
  return e->timeline != NULL && rt_latest(e->timeline) != e->published;
}

/* Was it ever recorded, as far as can be known? */
static inline bool rt_isrecorded (const RtEvent *e) {
  return e->s != NULL || e->foreign || rt_isremote(e);
}

/* Has it finished? 0, CUDA_ERROR_NOT_READY, or an error. Never recorded: 0. */
Status rt_queryevent (RtEvent *e, const char *what);

/* Milliseconds from one event to a later one. */
Status rt_elapsed (RtEvent *from, RtEvent *to, float *ms);

/* The open capture with this id, which events and streams name, or NULL. */
RtCapture *rt_findcapture (Runtime *rt, uint64_t id);

#endif
