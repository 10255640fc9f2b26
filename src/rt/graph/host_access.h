/* host_access.h - use of page-locked memory by the host. See host_access.c. */
#ifndef TIDE_RT_GRAPH_HOST_ACCESS_H
#define TIDE_RT_GRAPH_HOST_ACCESS_H

#include "rt/rt.h"

/*
** Tells whether the host may read or write a range of page-locked memory. 0: it
** may, because no work under way uses the range (writes it, for a read).
** CUDA_ERROR_NOT_READY: not yet. In a host function later work does not matter;
** work that is ordered neither before nor after the function is an error.
*/
Status host_access_ready (RtBlock *b, size_t off, size_t len, bool write,
                          const char *what);

#endif
