/* lanes.h - how operations get to GPUs. See lanes.c. */
#ifndef TIDE_RT_COMM_LANES_H
#define TIDE_RT_COMM_LANES_H

#include "comm.h"

static inline bool rt_isncclerror (ncclResult_t r) {
  return r != ncclSuccess && r != ncclInProgress;
}

/* How a communicator of NCCL is to be. */
ncclConfig_t rt_ncclconfig (bool blocks, bool shares);

/* One that is there, but not open yet, begins to make its next lane, together
** with the other ranks; it has all: *done. */
ncclResult_t rt_openlanes (RtComm *comm, bool *done);

/* All that there are to be are there. */
void rt_notemet (RtComm *comm);

/* ncclInProgress, or the first error that any part of it has. */
ncclResult_t rt_commstate (const RtComm *comm);

/* They end, by a thread, or are aborted, and the communicator after them, if
** there are any: to abort that one first would wait for kernels of theirs that
** nobody ends. Once it is over, they can be freed; what is not over is left as
** it is. */
bool rt_endlanes (RtComm *comm);  /* false: not now */
void rt_abortlanes (RtComm *comm);
bool rt_lanesareover (const RtComm *comm);
void rt_freelanes (RtComm *comm);

/* fn(ud) on a thread of its own; false: there is none. */
bool rt_apart (void *(*fn) (void *ud), void *ud);

/* By which of them calls go; where there is none, by the communicator. */
ncclComm_t rt_lane (const RtComm *comm, bool captures);

/* So many threads more make calls. */
void rt_busylanes (RtLanes *lanes, int n);

/* Have calls like these been made? They will have been. */
bool rt_isfamiliar (const RtTogether *t);

#endif
