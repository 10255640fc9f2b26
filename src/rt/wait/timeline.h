/* timeline.h - recordings that other processes see. See timeline.c. */
#ifndef TIDE_RT_WAIT_TIMELINE_H
#define TIDE_RT_WAIT_TIMELINE_H

#include "rt/rt.h"

typedef struct RtTimeline RtTimeline;

enum { TIMELINE_ID = 16 }; /* bytes of the unique name of a timeline */

/* Make a new timeline, or open the one in the file 'fd', which stays the
** caller's, for streams of 'dev'. Return RT_BLOCKED if that cannot be done
** now. */
Status timeline_new (RtDevice *dev, RtTimeline **out);
Status timeline_open (RtDevice *dev, int fd, RtTimeline **out);

/* Drops a timeline that is no longer used. Returns false if the device must not
** be touched now; with 'force' it drops it all the same. */
bool timeline_drop (RtTimeline *t, bool force);

/* Tells whether the timeline can be left: none of our streams writes or waits
** for it. */
bool timeline_is_unused (const RtTimeline *t);

/* Return the file, which stays the timeline's, and the name, for other
** processes. */
int timeline_fd (const RtTimeline *t);
const uint8_t *timeline_id (const RtTimeline *t);

/* Returns the latest recording of all processes; 0 if there is none. */
uint64_t timeline_latest (const RtTimeline *t);

/* Queues a new recording on 's' and stores its number in *at. */
Status timeline_publish (RtStream *s, RtTimeline *t, uint64_t *at);

/* Tells whether there is a recording with this number. */
bool timeline_has (const RtTimeline *t, uint64_t at);

/* Asks whether a recording has passed: 0, CUDA_ERROR_NOT_READY, or
** CUDA_ERROR_CONTEXT_IS_DESTROYED if its process ended before. */
Status timeline_query (RtTimeline *t, uint64_t at);

/* As above, with an explanation of the error. */
Status timeline_check (RtDevice *dev, RtTimeline *t, uint64_t at,
                       const char *what);

/* Returns the id of the process that made a recording. */
long timeline_recorder (const RtTimeline *t, uint64_t at);

/*
** Makes all work queued on 's' later wait, on the device, for the recording of
** 'op'. If its process ends before the recording is done, 'broken' of the
** operation is set and 's' goes on; it is used until timeline_settle_waits
** finds that the wait is over. Returns RT_BLOCKED if the end of a communicator
** is due first.
*/
Status timeline_wait (RtStream *s, const Op *op);

/* Drops the Runtime's waits that are over, and sets 'broken' of those that
** broke. */
void timeline_settle_waits (Runtime *rt);

/* Drops the waits of a device that was reset or closes. */
void timeline_forget_waits (RtDevice *dev);

#endif
