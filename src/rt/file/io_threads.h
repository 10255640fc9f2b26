/* io_threads.h - the threads that read and write files. See io_threads.c. */
#ifndef TIDE_RT_FILE_IO_THREADS_H
#define TIDE_RT_FILE_IO_THREADS_H

#include "transfer.h"

/* Keep the threads running for the Runtime, until it leaves. */
Status io_threads_retain (Runtime *rt);
void io_threads_release (Runtime *rt);

/* Hand a transfer to the threads, as the last of its queue; cut it, so that it
** ends with chunk 'last'. */
void io_threads_add (RtTransfer *t);
void io_threads_cut (RtTransfer *t, uint32_t last);

/* Takes a transfer back, because nothing of it was queued. */
void io_threads_remove (RtTransfer *t);

/*
** Drops the transfers of a Runtime, or (NULL) of all, on one device, or (NULL)
** on all. Streams that wait for them go on.
*/
void io_threads_drop (const Runtime *rt, const RtDevice *dev);

/* Takes the transfers that are over, done or dropped: a list by 'next'. */
RtTransfer *io_threads_collect (Runtime *rt);

#endif
