/* nccl_calls.h - the calls of the library for one operation. See nccl_calls.c.
*/
#ifndef TIDE_RT_COMM_NCCL_CALLS_H
#define TIDE_RT_COMM_NCCL_CALLS_H

#include "comm.h"

/* Makes the calls, all in one group. Returns ncclInProgress if the other ranks
** have not come to connect within the timeout. */
ncclResult_t nccl_calls_make (const RtTogether *t);

#endif
