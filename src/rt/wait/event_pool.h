/* event_pool.h - users' events, and a pool of tide's own. See event_pool.c. */
#ifndef TIDE_RT_WAIT_EVENT_POOL_H
#define TIDE_RT_WAIT_EVENT_POOL_H

#include "rt/rt.h"
#include "timeline.h"

/* Records an event without timing, from the device's pool, on a stream of the
** device, and enters the device. */
Status rt_recordnew (RtDevice *dev, CUstream handle, CUevent *event);
void rt_returnevent (RtDevice *dev, CUevent event);
void rt_freeevents (RtDevice *dev);
void rt_forgetevents (RtDevice *dev); /* after a reset: no driver call */

/* Makes a user's event that is not recorded yet. For an interprocess event 'fd'
** is the file of another process's event, which stays the caller's, or -1 for a
** new one. */
Status rt_newevent (RtDevice *dev, unsigned flags, int fd, RtEvent **out);

/* Wraps an event of the host program, which may record it as well, and may
** destroy it once release(ud) has been called (owner.h). */
Status rt_wrapevent (RtDevice *dev, CUevent handle, RtRelease *release,
                     void *ud, RtEvent **out);

/* Drops an event. Calls no driver: a later rt_drainevents gives the handle
** back. */
void rt_dropevent (RtEvent *e);
void rt_drainevents (Runtime *rt);

/* Drops, at close, the events that finalizers made while the lua_State
** closed. */
void rt_dropevents (Runtime *rt);

/* Tells whether the latest recording is by another process or another Lua
** state. */
static inline bool rt_isremote (const RtEvent *e) {
  return e->timeline != NULL && rt_latest(e->timeline) != e->published;
}

/* Tells whether the event was ever recorded, as far as can be known. */
static inline bool rt_isrecorded (const RtEvent *e) {
  return e->s != NULL || e->foreign || rt_isremote(e);
}

/* Returns 0 if the event's work is done or it was never recorded,
** CUDA_ERROR_NOT_READY, or an error. */
Status rt_queryevent (RtEvent *e, const char *what);

/* Stores the milliseconds from one event to a later one. */
Status rt_elapsed (RtEvent *from, RtEvent *to, float *ms);

/* Returns the open capture with this id, by which events and streams name it,
** or NULL. */
RtCapture *rt_findcapture (Runtime *rt, uint64_t id);

#endif
