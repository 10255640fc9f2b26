/* threads.h - the threads that read and write files. See threads.c. */
#ifndef TIDE_RT_FILE_THREADS_H
#define TIDE_RT_FILE_THREADS_H

#include "transfer.h"

/* The threads are there for the Runtime, until it leaves. */
Status rt_joinfilethreads (Runtime *rt);
void rt_leavefilethreads (Runtime *rt);

/* The last of its lane from now on. Cut: it ends with piece 'last'. */
void rt_handover (RtTransfer *t);
void rt_handcut (RtTransfer *t, uint32_t last);

/* Nothing of it was queued: threads leave it. */
void rt_handback (RtTransfer *t);

/*
** The threads drop the transfers of a Runtime, or (NULL) of all, on one device,
** or (NULL) on all, and streams that wait for them go on.
*/
void rt_stoptransfers (const Runtime *rt, const RtDevice *dev);

/* Those that are over, done or dropped: a list by 'next'. */
RtTransfer *rt_takeover (Runtime *rt);

#endif
