/* host_access.h - may the host touch page-locked memory? See host_access.c. */
#ifndef TIDE_RT_GRAPH_HOST_ACCESS_H
#define TIDE_RT_GRAPH_HOST_ACCESS_H

#include "rt/rt.h"

/*
** May the host read or write a range of page-locked memory? 0: nothing uses it
** (a read: writes it) any more; CUDA_ERROR_NOT_READY: something does. In a host
** function what comes after it does not matter, and what is neither before nor
** after it is an error.
*/
Status rt_hostready (RtBlock *b, size_t off, size_t len, bool write,
                     const char *what);

#endif
