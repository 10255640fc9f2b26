/* subcomm.h - the communicators that operations on GPUs go through. See
** subcomm.c. */
#ifndef TIDE_RT_COMM_SUBCOMM_H
#define TIDE_RT_COMM_SUBCOMM_H

#include "comm.h"

static inline bool subcomm_is_error (ncclResult_t r) {
  return r != ncclSuccess && r != ncclInProgress;
}

/* Returns the configuration of a communicator of NCCL. */
ncclConfig_t subcomm_config (bool blocks, bool shares);

/* Begins to make the next subcommunicator of a communicator that has met but is
** not open, together with the other ranks. *done: it has all its
** subcommunicators. */
ncclResult_t subcomm_open_next (RtComm *comm, bool *done);

/* Notes that all subcommunicators have been made. */
void subcomm_note_met (RtComm *comm);

/* Returns ncclInProgress, or the first error of any part of the
** communicator. */
ncclResult_t subcomm_state (const RtComm *comm);

/* End or abort the subcommunicators, and then their communicator, on a thread.
** Aborting the communicator first would wait for kernels of the
** subcommunicators that never end. subcomm_end returns false if the end cannot
** begin now. subcomm_free frees the subcommunicators if they are over, and else
** leaves them to their thread. */
bool subcomm_end (RtComm *comm);
void subcomm_abort (RtComm *comm);
bool subcomm_are_over (const RtComm *comm);
void subcomm_free (RtComm *comm);

/* Returns the subcommunicator that calls go through; if there is none, the
** communicator. */
ncclComm_t subcomm_pick (const RtComm *comm, bool captures);

/* Counts 'n' more threads that make calls. */
void subcomm_count_busy (RtSubcomms *subs, int n);

/* Tells whether calls of these kinds have been made before, and remembers
** them. */
bool subcomm_knows (const RtTogether *t);

#endif
