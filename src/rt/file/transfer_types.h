/* transfer_types.h - the transfers between a stream and files. */
#ifndef TIDE_RT_FILE_TRANSFER_TYPES_H
#define TIDE_RT_FILE_TRANSFER_TYPES_H

#include "rt/rt.h"

/*
** A stream's transfers from files, or to files, in numbered chunks. Two words
** of page-locked memory hold the chunk that the stream has come to, and the
** chunk that the threads have done. Both only grow. See file/transfer.c.
*/
struct RtTransferQueue {
  RtDevice *dev;
  uint32_t *stream, *threads;
  uint32_t issued;     /* the latest chunk */
  RtBlock *slots;      /* memory that chunks go through, or NULL */
  size_t slot;         /* bytes of each slot */
  int nslots;          /* how many, */
  uint32_t slots_from; /* the first chunk that goes through these slots */
  RtBlock *scratch;    /* a word that is never read: dispatch_file.c; NULL:
                            not needed yet */
  int ntransfers;      /* transfers that are not reaped */
  bool broken;         /* a driver call failed: it has left its stream */
  struct RtTransferQueue *older; /* of the Runtime */
  struct RtTransferQueue *next;  /* in the list of queues with slots */
  /* under the lock of io_threads.c: */
  struct RtTransfer *first, **last;  /* transfers that the threads have to do */
  struct RtTransferQueue *next_busy; /* in the list of queues with some */
};

#endif
