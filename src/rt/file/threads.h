/* threads.h - the threads that read and write files. See threads.c. */
#ifndef TIDE_RT_FILE_THREADS_H
#define TIDE_RT_FILE_THREADS_H

#include "transfer.h"

/* Keep the threads running for the Runtime, until it leaves. */
Status rt_joinfilethreads (Runtime *rt);
void rt_leavefilethreads (Runtime *rt);

/* Hand a transfer to the threads, as the last of its lane; cut it, so that it
** ends with piece 'last'. */
void rt_handover (RtTransfer *t);
void rt_handcut (RtTransfer *t, uint32_t last);

/* Takes a transfer back, because nothing of it was queued. */
void rt_handback (RtTransfer *t);

/*
** Drops the transfers of a Runtime, or (NULL) of all, on one device, or (NULL)
** on all. Streams that wait for them go on.
*/
void rt_stoptransfers (const Runtime *rt, const RtDevice *dev);

/* Takes the transfers that are over, done or dropped: a list by 'next'. */
RtTransfer *rt_takeover (Runtime *rt);

#endif
