/* lanes.h - the communicators that operations on GPUs go through. See
** lanes.c. */
#ifndef TIDE_RT_COMM_LANES_H
#define TIDE_RT_COMM_LANES_H

#include "comm.h"

static inline bool rt_isncclerror (ncclResult_t r) {
  return r != ncclSuccess && r != ncclInProgress;
}

/* Returns the configuration of a communicator of NCCL. */
ncclConfig_t rt_ncclconfig (bool blocks, bool shares);

/* Begins to make the next lane of a communicator that has met but is not open,
** together with the other ranks. *done: it has all its lanes. */
ncclResult_t rt_openlanes (RtComm *comm, bool *done);

/* Notes that all lanes have been made. */
void rt_notemet (RtComm *comm);

/* Returns ncclInProgress, or the first error of any part of the
** communicator. */
ncclResult_t rt_commstate (const RtComm *comm);

/* End or abort the lanes, and then their communicator, on a thread. Aborting
** the communicator first would wait for kernels of the lanes that never end.
** rt_endlanes returns false if the end cannot begin now. rt_freelanes frees the
** lanes if they are over, and else leaves them to their thread. */
bool rt_endlanes (RtComm *comm);
void rt_abortlanes (RtComm *comm);
bool rt_lanesareover (const RtComm *comm);
void rt_freelanes (RtComm *comm);

/* Calls fn(ud) on a thread of its own. Returns false if there is no thread. */
bool rt_apart (void *(*fn)(void *ud), void *ud);

/* Returns the lane that calls go through; without lanes, the communicator. */
ncclComm_t rt_lane (const RtComm *comm, bool captures);

/* Counts 'n' more threads that make calls. */
void rt_busylanes (RtLanes *lanes, int n);

/* Tells whether calls of these kinds have been made before, and remembers
** them. */
bool rt_isfamiliar (const RtTogether *t);

#endif
