/* calls.h - the calls of the library for one operation. See calls.c. */
#ifndef TIDE_RT_COMM_CALLS_H
#define TIDE_RT_COMM_CALLS_H

#include "comm.h"

/* Makes them, all in one group. ncclInProgress: the other ranks have not come
** to connect within their time. */
ncclResult_t rt_makecalls (const RtTogether *t);

#endif
