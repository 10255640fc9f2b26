/* timeline.h - recordings that other processes see. See timeline.c. */
#ifndef TIDE_RT_WAIT_TIMELINE_H
#define TIDE_RT_WAIT_TIMELINE_H

#include "rt/rt.h"

typedef struct RtTimeline RtTimeline;

enum { TIMELINE_ID = 16 };  /* bytes of a name that no other one has */

/* A new one, or that of the file 'fd', which stays the caller's, for streams of
** 'dev'. RT_BLOCKED: not now. */
Status rt_newtimeline (RtDevice *dev, RtTimeline **out);
Status rt_opentimeline (RtDevice *dev, int fd, RtTimeline **out);

/* Nobody has it any more. False: the device has to be left alone now; 'force':
** it must not be. */
bool rt_droptimeline (RtTimeline *t, bool force);

/* Can it be left: does no stream write or wait for it any more? */
bool rt_canleave (const RtTimeline *t);

/* For others: its file, which stays its own, and its name. */
int rt_timelinefile (const RtTimeline *t);
const uint8_t *rt_timelineid (const RtTimeline *t);

/* The latest recording of all processes; 0: there is none. */
uint64_t rt_latest (const RtTimeline *t);

/* Queues one more on 's': it is *at. */
Status rt_publish (RtStream *s, RtTimeline *t, uint64_t *at);

/* Has that been recorded? */
bool rt_isrecording (const RtTimeline *t, uint64_t at);

/* Has a recording passed? 0, CUDA_ERROR_NOT_READY, or
** CUDA_ERROR_CONTEXT_IS_DESTROYED: its process ended before. */
Status rt_askrecording (RtTimeline *t, uint64_t at);

/* The same, with that explained. */
Status rt_checkrecording (RtDevice *dev, RtTimeline *t, uint64_t at,
                          const char *what);

/* The process that a recording is of. */
long rt_recorder (const RtTimeline *t, uint64_t at);

/*
** What is queued on 's' later waits, on the device, for a recording. If its
** process ends before that is done, *broken is set and 's' goes on. It is
** used until rt_settlewaits finds that the wait is over. RT_BLOCKED: the end of
** a communicator is due first, for which 'what' waits.
*/
Status rt_awaitrecording (RtStream *s, RtTimeline *t, uint64_t at,
                          int64_t *broken, const char *what);

/* What waits of the Runtime's have come to. */
void rt_settlewaits (Runtime *rt);

/* The device was reset, or closes: its waits are over. */
void rt_forgetwaits (RtDevice *dev);

#endif
